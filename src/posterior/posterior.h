#ifndef BLN_POSTERIOR_POSTERIOR_H
#define BLN_POSTERIOR_POSTERIOR_H
#include "../basis/basis.h"
#include "../core/data.h"
#include "../likelihood/latent.h"
/* >>posterior - the posterior of any method: a weighted list of components
 *
 *     p(w, eta | data) = sum_k weight_k p_k(w),   f_ij = phi_j(x_i; theta)'w_j + offset_ij + r_ij,   y_i | f_i; eta_k
 *
 * for J latents (or outputs) j. r_ij ~ N(0, residual prior variance) is what the features of >>inducing miss, else 0. Components
 * come in groups. A group shares theta, the parameters of the bases; noise, parameters of the likelihood and prior variances may
 * differ from component to component. A Laplace approximation has one component, a variational mixture K of them, integrated
 * hyper-parameters one for each node, samplers one for each draw. What can be asked (>>predict) does not depend on the method.
 *
 * These structs are views: a model or you own the arrays, which must outlive the view. Each kind of component has a section, which
 * describes the arrays of its groups: >>kind_gaussian, _diagonal, _point, _product, _student. */

/* How y follows from f: normal noise (>>observe_noise) or a likelihood (>>observe_likelihood, >>observe_latents). */
typedef struct bln_observe {
    const struct bln_observe_ops *ops;
    const struct bln_likelihood *likelihood;   /* of >>observe_likelihood; must outlive the view                             */
    size_t n_eta, n_y, n_moments;              /* parameters of a component; outputs; columns of the mean of y               */
} bln_observe;

/* K components of one kind. */
typedef struct bln_group {
    const struct bln_component_ops *ops;       /* bln_kind_gaussian(), _diagonal(), _point(), _product(), _student()
                                                                                                              (required)     */
    const void   *view;                        /* the arrays of that kind, such as bln_gaussians              (required)     */
    size_t        K;                           /* components                                                  (0: 1)         */
    const double *weight;                      /* K weights; those of all groups sum to 1 (NULL in all groups: equal weights) */
    const double *theta;                       /* of the bases, one after the other. A group with the same pointer as the one
                                                  before uses its features again                 (NULL: no parameters)       */
    const double *eta;                         /* component k at eta + k*ldeta: the likelihood's n_eta parameters; with noise
                                                  Sigma (P x P), with t's the squared scale      (NULL: n_eta is 0)          */
    size_t        ldeta;                       /*                                                (0: all components share it) */
    const double *residual;                    /* component k at residual + k*ldresidual: prior variances lambda_s that scale
                                                  bln_basis_variance, for the slices of the basis of each latent  (NULL: 0)  */
    size_t        ldresidual;                  /*                                                (0: all components share it) */
} bln_group;

/* From which derivatives of log p(y_i | f) the contribution of a row to a Gaussian is found when the row is left out (>>loo). */
typedef enum bln_sites {
    BLN_SITES_NONE,                            /* none are known: rows are left out by importance sampling                    */
    BLN_SITES_MODE, BLN_SITES_MEAN             /* those at the mode; their expectations                                       */
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
