#ifndef BLN_POSTERIOR_GAUSSIAN_PRIVATE_H
#define BLN_POSTERIOR_GAUSSIAN_PRIVATE_H
#include "gaussian.h"
#include "../core/config_private.h"
#include "../math/cholesky.h"
/* gaussian_private: one Gaussian, and the functions of it that fits and kinds use */

/* A view; whoever fills it in owns the arrays. */
typedef struct blni_gaussian {
    bln_gaussian_form form;
    size_t            D, k;        /* weights; rows of R                       */
    const double     *m;           /* D: mean                                  */
    const double     *s;           /* D: prior standard deviations, >= 0       */
    const double     *R;           /* k x D, row-major, stride ldr: U or V     */
    size_t            ldr;
} blni_gaussian;

/* mean[i] = Phi_i'm and var[i] = Phi_i' C Phi_i >= 0 for the n rows of Phi (n x D, stride ldphi). mean or var may be NULL.
 * work: blni_gaussian_project_work(g, n) doubles (only used for var).   2 n D k flops (half for the factor form) */
BLNI_PRIV void blni_gaussian_project(const blni_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *mean, double *var,
                                     double *work);
BLNI_PRIV size_t blni_gaussian_project_work(const blni_gaussian *g, size_t n);

/* out_i = C Phi_i for the n rows of Phi (n x D, stride ldphi); out: n x D, stride ldo, may be Phi itself. (Rows of Phi C.)
 * work: blni_gaussian_project_work(g, n) doubles.   2 n D^2 flops, or 4 n D k */
BLNI_PRIV void blni_gaussian_multiply(const blni_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *out, size_t ldo,
                                      double *work);

/* var[j] = C_jj, j = 0..D-1.   work: D*D doubles in the factor form, else none (NULL).   D^3/3 flops, or D k */
BLNI_PRIV void blni_gaussian_variances(const blni_gaussian *g, double *var, double *work);

/* Upper triangle of C (D x D, stride ldc).   work as above.   2 D^3/3 flops, or D^2 k */
BLNI_PRIV void blni_gaussian_covariance(const blni_gaussian *g, double *C, size_t ldc, double *work);

/* The steps of the functions above. */
BLNI_PRIV void blni_whiten_factor(const blni_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *work);
BLNI_PRIV double *blni_lowrank_product(const blni_gaussian *g, size_t n, double *work);
BLNI_PRIV void blni_whiten_lowrank(const blni_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *work);

#endif /* BLN_POSTERIOR_GAUSSIAN_PRIVATE_H */
