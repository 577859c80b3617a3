#ifndef BLN_POSTERIOR_KIND_GAUSSIAN_H
#define BLN_POSTERIOR_KIND_GAUSSIAN_H
#include "gaussian.h"
#include "posterior.h"
/* >>kind_gaussian - components that are Gaussians over the weights, by a factor or of low rank
 *
 *     w ~ N(m_k, C_k),   C_k = S (U'U)^-1 S  or  S (I - V'V) S,   S = diag(s_k),   as in >>gaussian
 *
 * With J latents C_k is either the covariance of all n_w weights jointly; or, if all latents have one basis, the latents share C_k,
 * and the weights of latents p and q have the covariance T_pq C_k, as in the linear model of several outputs (T = Sigma/sigma^2).
 */

/* The view of a group. n_w: weights of all latents, those of a latent together. */
typedef struct bln_gaussians {
    bln_gaussian_form form;
    size_t        n, k, ldr;   /* C_k is n x n: n = n_w, or D with T; R has k rows (factor form: n) and stride ldr (ldr 0: n)  */
    const double *T;           /* J x J, both triangles                                                       (NULL: joint)  */
    const double *m;           /* K x n_w: means                                                                             */
    const double *s;           /* K x n: prior standard deviations                                                           */
    const double *R;           /* K x (k x n), stride ldr: U or V                                                            */
    const double *sd;          /* K x n_w: standard deviations of the weights, if R gives them with fewer digits  (NULL: by R) */
    size_t        n_flat;      /* weights of C_k whose prior is flat; if any, there are no prior paths        (0: none)      */
    const size_t *flat;        /* n_flat: their indices, ascending                                                           */
} bln_gaussians;

/* The table of this kind. Cost of a row for each component: n^2 flops (factor), 4 n k (low rank); jointly J times that. */
BLN_API const struct bln_component_ops *bln_kind_gaussian(void);

#endif /* BLN_POSTERIOR_KIND_GAUSSIAN_H */
