#ifndef BLN_POSTERIOR_POSTERIOR_H
#define BLN_POSTERIOR_POSTERIOR_H
#include "../basis/basis.h"
#include "../core/data.h"
#include "../likelihood/latent.h"
/* >>posterior - what is believed after the data, whatever inferred it: a weighted list of components
 *
 *     p(w, eta | data) = sum_k weight_k p_k(w),   f_ij = phi_j(x_i; theta)'w_j + offset_ij + what features miss,   y_i | f_i; eta_k
 *
 * for J latents (or outputs) j. Components come in groups that share theta, the parameters of the bases, and nothing else: noise,
 * parameters of the likelihood and prior variances may differ from component to component. A Laplace approximation has one
 * component, a variational mixture K of them, hyper-parameters integrated over one for each node, samplers one for each draw. What
 * can be asked of such a list (>>predict) does not depend on where it came from.
 *
 * All of this is views: whoever fills them in, a model or you, owns the arrays, and they must outlive the view. A kind of component
 * has a room of its own, with the arrays that its groups point to: >>kind_gaussian, _diagonal, _point, _student. */

/* How y follows from f: normal noise (>>observe_noise), or a likelihood (>>observe_likelihood), which make this value. */
typedef struct bln_observe {
    const struct bln_observe_ops *ops;
    const struct bln_likelihood *likelihood;   /* of >>observe_likelihood; must outlive the view                             */
    size_t n_eta, n_y, n_moments;              /* parameters of a component; outputs; columns of the mean of y               */
} bln_observe;

/* K components of one kind. */
typedef struct bln_group {
    const struct bln_component_ops *ops;       /* bln_kind_gaussian(), _diagonal(), _point(), _student()      (required)     */
    const void   *view;                        /* that kind's arrays                                          (required)     */
    size_t        K;                           /* components                                                  (0: 1)         */
    const double *weight;                      /* K              (NULL, and then in every group: 1 over the number of all)   */
    const double *theta;                       /* of the bases, one after the other. Where the pointer is that of the group
                                                  before, features are used again                (NULL: there are none)      */
    const double *eta;                         /* component k at eta + k*ldeta: of noise the P x P matrix Sigma, of t's its
                                                  squared scale                                  (NULL: n_eta is 0)          */
    size_t        ldeta;                       /*                                                (0: shared)                 */
    const double *residual;                    /* component k at residual + k*ldresidual: lambda of what features miss, for
                                                  each slice of the basis of each latent (bln_basis_variance)   (NULL: 0)    */
    size_t        ldresidual;                  /*                                                (0: shared)                 */
} bln_group;

/* How the contribution of a row to a Gaussian is found when the row is left out. */
typedef enum bln_sites {
    BLN_SITES_NONE,                            /* not known: rows are left out by importance sampling                         */
    BLN_SITES_MODE, BLN_SITES_MEAN             /* by the derivatives of its log density at the mode, or their means           */
} bln_sites;

typedef struct bln_posterior {
    bln_status status;                         /* what every question returns, if not BLN_OK: BLN_ESTATE (not fitted),
                                                  BLN_EUNDEFINED (the data do not determine it)                              */
    size_t     J;                              /* latents or outputs                                          (0: 1)         */
    size_t     n_bases;                        /* one for all latents, or J                                   (0: 1)         */
    const bln_basis *const *bases;             /* n_bases pointers                                            (required)     */
    bln_observe      observe;                  /*                                                             (required)     */
    size_t           n_groups;
    const bln_group *groups;                   /* n_groups >= 1                                               (required)     */
    double     dof;                            /* degrees of freedom of all components, t's                   (0: normals)   */
    double     rows;                           /* sum of the weights of the rows that it has seen                            */
    bln_sites  sites;
    size_t     block;                          /* rows of a block                                             (0: 256)       */
    bln_allocator alloc;                       /* of workspaces that are not handed in                        (zero: malloc) */
} bln_posterior;

/* Checks that a posterior of your own is complete: the pointers, sizes and weights, on which all questions rely; not the other
 * numbers in the arrays.
 * BLN_EINVAL: a required pointer is NULL, or one that the sizes ask for (theta, eta, a kind's arrays); sizes that do not fit each
 * other: bases that are not one or J, Gaussians that share a factor over several bases, t's with J > 1 or without dof, normals with
 * dof, outputs of noise that are not J; strides below the width; weights in one group and not in another.  BLN_EDOMAIN: a weight
 * that is negative or NaN, weights that do not sum to 1 (to 1e-6), dof negative. The report's row is the group, its column the
 * component.   O(K) */
BLN_API bln_status bln_posterior_check(const bln_posterior *q, bln_report *report);

/* Bytes of all numbers that the view shows. Arrays that groups share (theta, eta) count once, others for each group. 0 for NULL. */
BLN_API size_t bln_posterior_size(const bln_posterior *q);

#endif /* BLN_POSTERIOR_POSTERIOR_H */
