/* kernel: stationary kernels in closed form, over pairs of points and over matrices of them
 *
 * A matrix is computed row by row of A. B is transposed first, so that loops over its rows have unit stride. A line over the rows
 * of B holds a sum over the inputs (of squares, or of what a product kernel needs), then its kernel. */
#include "kernel_private.h"
#include "../core/memory_private.h"
#include "../core/threads_private.h"
#include "../math/blas.h"
#include "../math/special.h"
#include "../math/vecmath_private.h"
#include "basis_private.h"

static const blni_kernel_facts blni_kernel_table[] = {
    { "rbf", 0, 0, 0.0 }, { "matern12", 0, 0, 0.5 }, { "matern32", 0, 0, 1.5 }, { "matern52", 0, 0, 2.5 }, { "matern", 0, 1, 0.0 },
    { "rq", 0, 1, 0.0 }, { "cauchy", 0, 0, 0.0 }, { "laplace1", 1, 0, 0.0 }, { "cauchy_product", 1, 0, 0.0 }
};
enum { BLNI_N_KERNELS = sizeof blni_kernel_table/sizeof *blni_kernel_table };

/* NULL for a number that is no kernel. */
BLNI_PRIV const blni_kernel_facts *blni_kernel_find(bln_kernel kernel)
{
    return (unsigned)kernel < (unsigned)BLNI_N_KERNELS ? &blni_kernel_table[(int)kernel] : NULL;
}

/* Of a file; one that is none stays none. */
BLNI_PRIV bln_kernel blni_load_kernel(bln_reader *r) { return (bln_kernel)blni_min(bln_get_u32(r), BLNI_N_KERNELS); }

/* 0 stands for 2, also where there is none. */
BLNI_PRIV double blni_kernel_shape(double shape) { return shape == 0.0 ? 2.0 : shape; }
BLNI_PRIV int blni_shape_ok(double shape) { return shape == 0.0 || (shape >= 0.1 && shape <= 1e4); }

/* The shape that is meant: 0 of kernels that have none. */
BLNI_PRIV double blni_kernel_shape_of(bln_kernel kernel, double shape)
{
    const blni_kernel_facts *facts = blni_kernel_find(kernel);
    return facts && facts->shaped ? blni_kernel_shape(shape) : shape;
}

/* NULL, or what is wrong with a kernel, its shape and its length scale. */
BLNI_PRIV const char *blni_kernel_check(bln_kernel kernel, double shape, double length_scale)
{
    const blni_kernel_facts *facts = blni_kernel_find(kernel);
    if (!facts) return "basis: unknown kernel";
    if (!facts->shaped && shape != 0.0) return "basis: this kernel has no shape, it must be 0";
    if (!blni_shape_ok(shape)) return "basis: the shape (nu, alpha) must be 0 (for 2) or between 0.1 and 1e4";
    return blni_length_check(length_scale);
}

BLN_API const char *bln_kernel_name(bln_kernel kernel)
{
    const blni_kernel_facts *facts = blni_kernel_find(kernel);
    return facts ? facts->name : "unknown";
}

/* ---- Matern kernels of any nu ---- */

/* log of the integrand below. Near 0 the two terms lose their leading parts to each other or to 1, and are written without them;
 * far out, cosh - sinh does. */
BLNI_PRIV double blni_bessel_exponent(double nu, double excess, double t)
{
    if (fabs(t) > 1.0) return nu*t + nu + excess - (nu + 0.5*excess)*exp(t) - 0.5*excess*exp(-t);
    const double half = sinh(0.5*t), t2 = t*t;
    double s = 1.0;                                          /* sinh t - t = t^3/6 (1 + t^2/(4 5) (1 + t^2/(6 7) (...))) */
    for (int k = 16; k >= 4; k -= 2) s = 1.0 + t2/(double)(k*(k + 1))*s;
    return -2.0*(nu + excess)*half*half - nu*t*t2/6.0*s;
}

/* int exp(-R (cosh t - 1) - nu (sinh t - t)) dt over the whole line, R = nu + excess. The integrand is analytic and falls
 * exponentially on both sides: the trapezoidal rule errs by less than 1e-16 if its step resolves the width 1/sqrt(R) of the peak
 * and the strip |Im t| < pi/2 in which the integrand stays bounded (Trefethen & Weideman 2014). */
BLNI_PRIV double blni_bessel_integral(double nu, double excess)
{
    const double h = fmin(0.2, 0.45/sqrt(nu + excess));
    double sum = 1.0;
    for (int side = -1; side <= 1; side += 2)
        for (double t = h; ; t += h) {
            const double e = blni_bessel_exponent(nu, excess, side*t);
            if (!(e > -45.0)) { sum += e != e ? e : 0.0; break; }
            sum += exp(e);
        }
    return h*sum;
}

/* K_nu(z) = 1/2 int exp(nu t - z cosh t) dt (Watson 1944, 6.22) around the maximum of its integrand, and Gamma(nu) = int exp(nu t -
 * e^t) dt around the maximum of its own: with q = sqrt(1 + 2 r^2/nu) both are the integral above, and what stands in front of it,
 * powers included, combines to
 *     k(r) = exp(nu (log((1+q)/2) - (q-1))) I(nu q, nu) / I(nu, nu),
 * which neither overflows nor cancels, whatever nu and r. */
BLNI_PRIV double blni_matern_over(double nu, double r, double gamma)
{
    const double ratio = 2.0*r*r/nu, w = ratio/(1.0 + sqrt(1.0 + ratio));
    return exp(nu*(log1p(0.5*w) - w))*blni_bessel_integral(nu, nu*w)/gamma;
}

/* I(nu, nu). */
BLNI_PRIV double blni_matern_gamma(double nu) { return blni_bessel_integral(nu, 0.0); }

/* -k'(r)/r, from d/dz z^nu K_nu(z) = -z^nu K_{nu-1}(z) [DLMF 10.29.4]: nu/(nu-1) times the kernel of nu - 1 at sqrt(nu/(nu-1)) r.
 * That has no end as nu falls to 1: below 2, 2 nu c z^(nu-1) K_{|nu-1|}(z) itself, z = sqrt(2 nu) r, c = 2^(1-nu)/Gamma(nu), K as
 * the integral above around its maximum at asinh(mu/z). gamma: of nu - 1, or log c. */
BLNI_PRIV double blni_matern_slope(double nu, double r, double gamma)
{
    if (nu > 2.0) return nu/(nu - 1.0)*blni_matern_over(nu - 1.0, sqrt(nu/(nu - 1.0))*r, gamma);
    const double z = sqrt(2.0*nu)*r, mu = fabs(nu - 1.0), R = hypot(mu, z), excess = z*z/(mu + R);
    if (!(z > 1e-150)) return nu > 1.0 && z == z ? nu/(nu - 1.0) : 0.0*z;
    return nu*exp(gamma + (nu - 1.0)*log(z) + mu*asinh(mu/z) - R)*blni_bessel_integral(mu, excess);
}

BLNI_PRIV double blni_matern_slope_gamma(double nu)
{
    return nu > 2.0 ? blni_matern_gamma(nu - 1.0) : (1.0 - nu)*log(2.0) - bln_lgamma(nu);
}

/* ---- values ---- */

BLNI_PRIV double blni_radial_value(bln_kernel kernel, double shape, double r)
{
    const double a = fabs(r), r3 = sqrt(3.0)*a, r5 = sqrt(5.0)*a;
    if (kernel == BLN_KERNEL_CAUCHY) return 1.0/(1.0 + a*a);
    if (kernel == BLN_KERNEL_RQ) return exp(-shape*log1p(0.5*a*a/shape));
    if (a > 1e4) return 0.0;                             /* all others underflow there; (1 + r) exp(-r) at infinity would be NaN */
    switch (kernel) {
    case BLN_KERNEL_RBF:      return exp(-0.5*a*a);
    case BLN_KERNEL_MATERN12: return exp(-a);
    case BLN_KERNEL_MATERN32: return (1.0 + r3)*exp(-r3);
    case BLN_KERNEL_MATERN52: return (1.0 + r5 + r5*r5/3.0)*exp(-r5);
    default:                  return blni_matern_over(shape, a, blni_matern_gamma(shape));
    }
}

BLN_API double bln_kernel_at(bln_kernel kernel, double shape, size_t d, const double *tau)
{
    const blni_kernel_facts *facts = blni_kernel_find(kernel);
    double sum = 0.0, value = 1.0;
    if (!facts || !blni_shape_ok(shape)) return BLNI_NAN;
    if (!facts->product) {
        for (size_t i = 0; i < d; i++) sum = hypot(sum, tau[i]);
        return blni_radial_value(kernel, blni_kernel_shape(shape), sum);
    }
    for (size_t i = 0; i < d; i++) { sum += fabs(tau[i]); value /= 1.0 + tau[i]*tau[i]; }
    return kernel == BLN_KERNEL_LAPLACE1 ? exp(-sum) : value;
}

/* ---- lines of kernels ---- */

/* Squares are rounded before they are added: an entry of a matrix is the same in a vector and behind the last one, and at each
 * level. */
#define BLNI_KERNEL_SQUARES(L) \
BLNI_TARGET##L BLNI_PRIV size_t blni_kernel_squares##L(size_t m, double x, double scale, const double *b, double *sum) \
{ \
    const BLNI_VEC##L a = BLNI_SPLAT##L(x), f = BLNI_SPLAT##L(scale); \
    BLNI_FOR_VECTORS(L, j, m) { \
        const BLNI_VEC##L u = BLNI_MUL##L(BLNI_SUB##L(a, BLNI_LOAD##L(b + j)), f); \
        BLNI_VEC##L square = BLNI_MUL##L(u, u); \
        BLNI_APART##L(square) \
        BLNI_STORE##L(sum + j, BLNI_ADD##L(BLNI_LOAD##L(sum + j), square)); \
    } \
    return j; \
}
BLNI_FOR_LEVELS(BLNI_KERNEL_SQUARES)

/* sum_j += ((x - b_j) scale)^2 */
BLNI_EXACT BLNI_PRIV void blni_kernel_squares(size_t m, double x, double scale, const double *BLNI_RESTRICT b,
                                              double *BLNI_RESTRICT sum)
{
    BLNI_EXACT_BODY
    BLNI_APART_BODY
    size_t j = 0;
    BLNI_ABOVE0(bln_cpu_level(), j =, blni_kernel_squares, (m, x, scale, b, sum))
    for (; j < m; j++) { const double u = (x - b[j])*scale; sum[j] += BLNI_APART(u*u); }
}

/* The sum that a kernel is a function of, over the m rows of B (turned, stride ld) from the row a:  sum u^2, sum |u| for Laplace
 * L1, product of 1 + u^2 for the product of Cauchy kernels;  u_i = (a_i - b_i)/l_i. */
BLNI_PRIV void blni_kernel_sums(const blni_kernel_desc *k, const double *a, size_t m, const double *B, size_t ld,
                                double *BLNI_RESTRICT sum)
{
    memset(sum, 0, m*sizeof *sum);
    for (size_t j = 0; j < m && k->kernel == BLN_KERNEL_CAUCHY_PRODUCT; j++) sum[j] = 1.0;
    for (size_t i = 0; i < k->d; i++) {
        const double *BLNI_RESTRICT b = B + i*ld;
        const double x = a[i], scale = 1.0/k->length_scale[i];
        if (k->kernel == BLN_KERNEL_CAUCHY_PRODUCT)
            for (size_t j = 0; j < m; j++) { const double u = (x - b[j])*scale; sum[j] *= 1.0 + u*u; }
        else if (k->kernel == BLN_KERNEL_LAPLACE1)
            for (size_t j = 0; j < m; j++) sum[j] += fabs((x - b[j])*scale);
        else blni_kernel_squares(m, x, scale, b, sum);
    }
}

/* t <- sqrt(c s); NaN stays. */
BLNI_PRIV void blni_kernel_roots(size_t m, double c, const double *sum, double *t)
{
    for (size_t j = 0; j < m; j++) t[j] = c*sum[j];
    blni_vec_roots(m, t, t);
}

/* e <- exp(-t) */
BLNI_PRIV void blni_kernel_falls(size_t m, const double *t, double *e)
{
    for (size_t j = 0; j < m; j++) e[j] = -t[j];
    bln_vec_exp(m, e, e);
}

/* out <- exp(-p log(1 + s/(2 alpha))) */
BLNI_PRIV void blni_kernel_powers(size_t m, double alpha, double p, const double *sum, double *out)
{
    for (size_t j = 0; j < m; j++) out[j] = -p*log1p(0.5*sum[j]/alpha);
    bln_vec_exp(m, out, out);
}

/* out <- k of the sums, which become scratch. */
BLNI_PRIV void blni_kernel_line(const blni_kernel_desc *k, size_t m, double *BLNI_RESTRICT sum, double *BLNI_RESTRICT out)
{
    const double shape = blni_kernel_shape(k->shape);
    switch (k->kernel) {
    case BLN_KERNEL_RBF:
        for (size_t j = 0; j < m; j++) out[j] = -0.5*sum[j];
        bln_vec_exp(m, out, out);
        break;
    case BLN_KERNEL_MATERN12:
    case BLN_KERNEL_MATERN32:
    case BLN_KERNEL_MATERN52:
        blni_kernel_roots(m, 2.0*blni_kernel_table[(int)k->kernel].nu, sum, sum);
        blni_kernel_falls(m, sum, out);
        if (k->kernel == BLN_KERNEL_MATERN32) for (size_t j = 0; j < m; j++) out[j] *= 1.0 + sum[j];
        if (k->kernel == BLN_KERNEL_MATERN52) for (size_t j = 0; j < m; j++) out[j] *= 1.0 + sum[j] + sum[j]*sum[j]/3.0;
        break;
    case BLN_KERNEL_MATERN: {
        const double gamma = blni_matern_gamma(shape);
        for (size_t j = 0; j < m; j++) out[j] = sum[j] > 1e8 ? 0.0 : blni_matern_over(shape, sqrt(sum[j]), gamma);
        break;
    }
    case BLN_KERNEL_RQ:             blni_kernel_powers(m, shape, shape, sum, out); break;
    case BLN_KERNEL_CAUCHY:         for (size_t j = 0; j < m; j++) out[j] = 1.0/(1.0 + sum[j]); break;
    case BLN_KERNEL_LAPLACE1:       blni_kernel_falls(m, sum, out); break;
    default:                        for (size_t j = 0; j < m; j++) out[j] = 1.0/sum[j]; break;      /* CAUCHY_PRODUCT */
    }
}

/* out <- w with dk/du_i = -w u_i [bases 32]; of the products dk/du_i = -w sign(u_i) and -w 2 u_i/(1 + u_i^2), that is w = k. At the
 * kink of a kernel w is 0. The sums become scratch. */
BLNI_PRIV void blni_kernel_slopes(const blni_kernel_desc *k, size_t m, double *BLNI_RESTRICT sum, double *BLNI_RESTRICT out)
{
    const double shape = blni_kernel_shape(k->shape);
    switch (k->kernel) {
    case BLN_KERNEL_MATERN12:
    case BLN_KERNEL_MATERN32:
    case BLN_KERNEL_MATERN52:
        blni_kernel_roots(m, 2.0*blni_kernel_table[(int)k->kernel].nu, sum, sum);
        blni_kernel_falls(m, sum, out);
        if (k->kernel == BLN_KERNEL_MATERN32) bln_scal(m, 3.0, out);
        else if (k->kernel == BLN_KERNEL_MATERN52) for (size_t j = 0; j < m; j++) out[j] *= 5.0/3.0*(1.0 + sum[j]);
        else for (size_t j = 0; j < m; j++) out[j] = sum[j] > 1e-150 ? out[j]/sum[j] : 0.0*sum[j];
        break;
    case BLN_KERNEL_MATERN: {
        const double gamma = blni_matern_slope_gamma(shape);
        for (size_t j = 0; j < m; j++) out[j] = sum[j] > 1e8 ? 0.0 : blni_matern_slope(shape, sqrt(sum[j]), gamma);
        break;
    }
    case BLN_KERNEL_RQ:     blni_kernel_powers(m, shape, shape + 1.0, sum, out); break;
    case BLN_KERNEL_CAUCHY: for (size_t j = 0; j < m; j++) out[j] = 2.0/((1.0 + sum[j])*(1.0 + sum[j])); break;
    default:                blni_kernel_line(k, m, sum, out); break;
    }
}

/* ---- matrices ---- */

/* A line for each of the rows that are done at a time, two for a row of the pullback. */
enum { BLNI_KERNEL_LINES = BLNI_PIECES_APART > 2 ? BLNI_PIECES_APART : 2 };

/* Doubles of workspace, SIZE_MAX on overflow: B turned (d lines), then those. */
BLNI_PRIV size_t blni_kernel_work(const blni_kernel_desc *desc, size_t m)
{
    return blni_mul(blni_add(desc->d, BLNI_KERNEL_LINES), blni_stride(m));
}

BLNI_PRIV void blni_kernel_turn(size_t d, size_t m, const double *B, size_t ldb, double *work)
{
    const size_t ld = blni_stride(m);
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < d; i++) work[i*ld + j] = B[j*ldb + i];
}

typedef struct blni_kernel_rows {
    const blni_kernel_desc *desc;
    size_t n;
    const double *A;
    size_t lda, m;
    double *K;
    size_t ldk;
    double *work;
    int    upper;              /* A is B: row r from its diagonal on only */
    size_t pieces;
} blni_kernel_rows;

/* Every so many rows, so that pieces of a triangle have about as much to do. */
BLNI_PRIV void blni_kernel_some_rows(const void *job, size_t k)
{
    const blni_kernel_rows *s = (const blni_kernel_rows *)job;
    const size_t ld = blni_stride(s->m);
    double *sum = s->work + (s->desc->d + k)*ld;
    for (size_t r = k; r < s->n; r += s->pieces) {
        const size_t first = s->upper ? r : 0;
        blni_kernel_sums(s->desc, s->A + r*s->lda, s->m - first, s->work + first, ld, sum);
        blni_kernel_line(s->desc, s->m - first, sum, s->K + r*s->ldk + first);
    }
}

BLNI_PRIV void blni_kernel_all_rows(const blni_kernel_desc *desc, size_t n, const double *A, size_t lda, size_t m, const double *B,
                                    size_t ldb, double *K, size_t ldk, double *work, int upper)
{
    const double pairs = (double)n*(double)m*(upper ? 0.5 : 1.0);
    const size_t pieces = blni_pieces(pairs*(4.0*(double)desc->d + 40.0), blni_min(n, BLNI_PIECES_APART));
    const blni_kernel_rows s = { desc, n, A, lda, m, K, ldk, work, upper, pieces };
    blni_kernel_turn(desc->d, m, B, ldb, work);
    blni_run_pieces(pieces, blni_kernel_some_rows, &s);
}

/* K_ij = k((a_i - b_j)/l) for the rows of A (n x d, stride lda) and B (m x d, stride ldb); K: n x m, stride ldk. Fast where m is
 * large: give it the longer side.
 * Differences are taken first, so that nothing cancels however far from 0 the inputs or however close to each other they are:
 * relative error (d + 8)(1 + |log k|) eps, and 1e-14 more for the Matern kernel of any nu. Columns do not depend on each other: any
 * split of B into blocks gives the same K. Far apart is 0; rows with NaN are NaN.
 * work: blni_kernel_work(desc, m) doubles.   n m (3 d flops and a kernel): a few ns, the Matern kernel of any nu about 2 us
 * A kernel counts as 4 d + 40 operations. */
BLNI_PRIV void blni_kernel_matrix(const blni_kernel_desc *desc, size_t n, const double *A, size_t lda, size_t m, const double *B,
                                  size_t ldb, double *K, size_t ldk, double *work)
{
    blni_kernel_all_rows(desc, n, A, lda, m, B, ldb, K, ldk, work, 0);
}

/* The same of n rows with each other, K_ij = k((a_i - a_j)/l) for j >= i: half the work. */
BLNI_PRIV void blni_kernel_pairs(const blni_kernel_desc *desc, size_t n, const double *A, size_t lda, double *K, size_t ldk,
                                 double *work)
{
    blni_kernel_all_rows(desc, n, A, lda, n, A, lda, K, ldk, work, 1);
}

/* One row of A and one input, with q_j = G_j w_j: t = q g(u), g as in _slopes:  -sum t/l, +t/l and sum t u/l.
 * squares: scratch. */
BLNI_PRIV void blni_kernel_input(bln_kernel kernel, size_t m, const double *q, double x, const double *b, double l,
                                 double *dl, double *da, double *dB, size_t lddb, double *squares)
{
    const double inverse = 1.0/l;
    double slope = 0.0, scale = 0.0;
    if (!da && !dB && kernel != BLN_KERNEL_LAPLACE1 && kernel != BLN_KERNEL_CAUCHY_PRODUCT) {
        memset(squares, 0, m*sizeof *squares);
        blni_kernel_squares(m, x, inverse, b, squares);
        double moment = bln_dot(m, q, squares);
        if (!blni_finite(moment)) {                                   /* where a square overflows, q and q u u are 0 */
            moment = 0.0;
            for (size_t j = 0; j < m; j++) { const double u = (x - b[j])*inverse; moment += q[j]*u*u; }
        }
        *dl += moment*inverse;
        return;
    }
    for (size_t j = 0; j < m; j++) {
        const double u = (x - b[j])*inverse;
        double t;
        if (kernel == BLN_KERNEL_LAPLACE1)            t = u > 0.0 ? q[j] : u < 0.0 ? -q[j] : q[j]*u;
        else if (kernel == BLN_KERNEL_CAUCHY_PRODUCT) t = q[j]*2.0*u/(1.0 + u*u);
        else                                          t = q[j]*u;
        slope += t;
        scale += t*u;
        if (dB) dB[j*lddb] += t*inverse;
    }
    if (da) *da -= slope*inverse;
    if (dl) *dl += scale*inverse;
}

/* Row a of the chain rule over the m rows of B, turned (stride ld): sum and q have room for m. */
BLNI_PRIV void blni_kernel_pull_row(const blni_kernel_desc *desc, const double *a, size_t m, const double *B, size_t ld,
                                    const double *g, double *dl, double *da, double *dB, size_t lddb, double *sum, double *q)
{
    blni_kernel_sums(desc, a, m, B, ld, sum);
    blni_kernel_slopes(desc, m, sum, q);
    blni_vec_product(m, 1.0, q, g, q);
    for (size_t i = 0; i < desc->d; i++)
        blni_kernel_input(desc->kernel, m, q, a[i], B + i*ld, desc->length_scale[i], dl ? dl + i : NULL, da ? da + i : NULL,
                          dB ? dB + i : NULL, lddb, sum);
}

/* The chain rule: given G = dL/dK (n x m, stride ldg),
 *     dl_i  += sum_rj G_rj dK_rj/dl_i     (d entries)            dA, dB += the same by the rows of A and of B (strides ldda, lddb)
 * Two of the three may be NULL: not wanted. Kernels with a kink (Matern of nu <= 1/2, Laplace) have slope 0 at it.  [bases 32]
 * work: blni_kernel_work(desc, m) doubles. Allocates nothing, cannot fail.   About twice the time of the matrix */
BLNI_PRIV void blni_kernel_pullback(const blni_kernel_desc *desc, size_t n, const double *A, size_t lda, size_t m, const double *B,
                                    size_t ldb, const double *G, size_t ldg, double *dl, double *dA, size_t ldda, double *dB,
                                    size_t lddb, double *work)
{
    const size_t d = desc->d, ld = blni_stride(m);
    double *sum = work + d*ld;
    blni_kernel_turn(d, m, B, ldb, work);
    for (size_t r = 0; r < n; r++)
        blni_kernel_pull_row(desc, A + r*lda, m, work, ld, G + r*ldg, dl, dA ? dA + r*ldda : NULL, dB, lddb, sum, sum + ld);
}

/* The same over the pairs of _pairs, each counted once: dl_i += sum_{r<j} G_rj dK_rj/dl_i. */
BLNI_PRIV void blni_kernel_pairs_pullback(const blni_kernel_desc *desc, size_t n, const double *A, size_t lda, const double *G,
                                          size_t ldg, double *dl, double *work)
{
    const size_t ld = blni_stride(n);
    double *sum = work + desc->d*ld;
    blni_kernel_turn(desc->d, n, A, lda, work);
    for (size_t r = 0; r + 1 < n; r++)
        blni_kernel_pull_row(desc, A + r*lda, n - r - 1, work + r + 1, ld, G + r*ldg + r + 1, dl, NULL, NULL, 0, sum, sum + ld);
}
