#ifndef BLN_POSTERIOR_KIND_STUDENT_H
#define BLN_POSTERIOR_KIND_STUDENT_H
#include "posterior.h"
/* >>kind_student - components that are Student's t over the weights: noise variance integrated out, one prior for each component
 *
 *     phi'w ~ t_nu(f'z + x_k't_k, eta_k (|f|^2 + |x_k|^2)),   nu = dof of the posterior, eta_k the squared scale of the noise,
 *     f = U_f^-T phi_flat,   x_k = R_k^-T diag(scale_k) (phi_free - W'f)
 *
 * with the weights split into those with a flat prior, which share one factor over all components, and the others. One latent.
 * V and v are what the flat features leave of the others and of y: V'V = G_oo - W'W, V'v = b_o - W'z.    [linear 46] */
typedef struct bln_students {
    size_t        n_flat, n_free;      /* weights with a flat prior, and the others: D in all                                 */
    const size_t *flat, *other;        /* n_flat and n_free: their indices, ascending                                         */
    const double *Uf;                  /* n_flat x n_flat: U_f, upper, U_f'U_f = G_ff, the flat block of G = Phi'Omega Phi    */
    const double *zf;                  /* n_flat: z = U_f^-T b_f, b = Phi'Omega y                                             */
    const double *W;                   /* n_flat x n_free: U_f^-T G_fo                                                        */
    const double *scale;               /* K x n_free: prior standard deviations over that of the noise                        */
    const double *R;                   /* K x (n_free x n_free): R_k, upper, R_k'R_k = I + S V'V S, S = diag(scale_k)         */
    const double *t;                   /* K x n_free: t_k = R_k^-T S V'v                                                      */
} bln_students;

/* The table of this kind. Cost of a row: K n_free^2 flops. */
BLN_API const struct bln_component_ops *bln_kind_student(void);

#endif /* BLN_POSTERIOR_KIND_STUDENT_H */
