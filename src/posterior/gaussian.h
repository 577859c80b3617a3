#ifndef BLN_POSTERIOR_GAUSSIAN_H
#define BLN_POSTERIOR_GAUSSIAN_H
#include "../math/cholesky.h"
/* >>gaussian - Gaussian posteriors over weights, and what can be asked of them
 *
 *     w ~ N(m, C),  in one of two forms, with S = diag(s), s_i = sqrt(lambda_i) the prior standard deviations:
 *
 *     BLN_GAUSSIAN_FACTOR     C = S (U'U)^-1 S       U: D x D upper (k = D), the factor of B = I + S G S / sigma^2     (S3, S4)
 *     BLN_GAUSSIAN_LOWRANK    C = S (I - V'V) S      V: k x D with k < D, the dual form                                (S9, S10)
 *
 * The second form subtracts: a variance v = |S phi|^2 - |V S phi|^2 carries an absolute error of about eps |S phi|^2, which is
 * relative to the prior variance of f, and is cut off at 0.                                                     [spec/slm.md] */
typedef enum bln_gaussian_form { BLN_GAUSSIAN_FACTOR, BLN_GAUSSIAN_LOWRANK } bln_gaussian_form;

/* A view; whoever fills it in owns the arrays. */
typedef struct bln_gaussian {
    bln_gaussian_form form;
    size_t            D, k;        /* weights; rows of R                       */
    const double     *m;           /* D: mean                                  */
    const double     *s;           /* D: prior standard deviations, >= 0       */
    const double     *R;           /* k x D, row-major, stride ldr: U or V     */
    size_t            ldr;
} bln_gaussian;

/* mean[i] = Phi_i'm and var[i] = Phi_i' C Phi_i >= 0 for the n rows of Phi (n x D, stride ldphi). mean or var may be NULL.
 * work: bln_gaussian_project_work(g, n) doubles (only used for var).   2 n D k flops (half for the factor form) */
BLN_API void bln_gaussian_project(const bln_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *mean, double *var,
                                  double *work);
BLN_API size_t bln_gaussian_project_work(const bln_gaussian *g, size_t n);

/* out_i = C Phi_i for the n rows of Phi (n x D, stride ldphi); out: n x D, stride ldo, may be Phi itself. (Rows of Phi C.)
 * work: bln_gaussian_project_work(g, n) doubles.   2 n D^2 flops, or 4 n D k */
BLN_API void bln_gaussian_multiply(const bln_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *out, size_t ldo,
                                   double *work);

/* var[j] = C_jj, j = 0..D-1.   work: D*D doubles in the factor form, else none (NULL).   D^3/3 flops, or D k */
BLN_API void bln_gaussian_variances(const bln_gaussian *g, double *var, double *work);

/* Upper triangle of C (D x D, stride ldc).   work as above.   2 D^3/3 flops, or D^2 k */
BLN_API void bln_gaussian_covariance(const bln_gaussian *g, double *C, size_t ldc, double *work);

#endif /* BLN_POSTERIOR_GAUSSIAN_H */
