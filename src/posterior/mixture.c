/* mixture: the prior and the entropy, by pairs of components; mixture_rows has f at rows
 *
 * For a pair of components with variances a, b and the difference d of means, both bounds of the entropy need only
 *     Q = sum_i d_i^2/(a_i + b_i)      and      T = sum_i log (a_i + b_i)^2/(4 a_i b_i) >= 0,
 * and S_k = sum_i log psi_ki of each component:  4 B = Q + T (Bhattacharyya), and
 *     sum_i log (a_i + b_i) = T/2 + (S_a + S_b)/2 + D log 2.
 * T is used rather than that sum of logarithms because it is 0 where a = b: then nothing cancels, and equal components come out as
 * equal. Four factors, and then four such products if none overflows, are multiplied before a logarithm is taken. Four factors
 * cannot overflow for 2^-120 <= psi <= 2^120, which is checked once for each component. Other pairs are computed element by
 * element. */
#include "mixture_private.h"
#include "../math/special.h"
#include "../math/vecmath_private.h"

enum { BLNI_MIXTURE_CHUNK = 256 };      /* products whose logarithms are taken at a time */

#define BLNI_MIXTURE_PSI_MIN 7.52316384526264e-37      /* 2^-120 */
#define BLNI_MIXTURE_PSI_MAX 1.329227995784916e+36     /* 2^120  */
#define BLNI_MIXTURE_APART   1e-20                     /* R_kj below which a pair is left out of the gradients */
#define BLNI_MIXTURE_FAR     47.0                      /* e^-47 < 1e-20/2, and nothing beside 1                */

/* One component's part, for n weights: squares += m^2 + psi, dm -= part m, dpsi -= part/2; dm and dpsi may be NULL. */
BLNI_PRIV void blni_prior_row(size_t n, const double *part, const double *m, const double *psi, double *squares, double *dm,
                              double *dpsi)
{
    for (size_t i = 0; i < n; i++) {
        squares[i] += m[i]*m[i] + psi[i];
        if (dm) dm[i] -= part[i]*m[i];
        if (dpsi) dpsi[i] -= 0.5*part[i];
    }
}

BLNI_PRIV double blni_mixture_log_prior(const blni_mixture *q, const double *lambda, double *dm, double *dpsi, double *dloglambda)
{
    const size_t ld = blni_mixture_ld(q);
    const double share = 1.0/(double)q->K;
    double part[BLNI_MIXTURE_CHUNK], squares[BLNI_MIXTURE_CHUNK], logs[BLNI_MIXTURE_CHUNK], sum = 0.0;
    for (size_t i = 0; i < q->D; i += BLNI_MIXTURE_CHUNK) {
        const size_t n = blni_min(BLNI_MIXTURE_CHUNK, q->D - i);
        for (size_t j = 0; j < n; j++) { part[j] = share/lambda[i + j]; squares[j] = 0.0; }
        for (size_t k = 0; k < q->K; k++)
            blni_prior_row(n, part, q->m + k*ld + i, q->psi + k*ld + i, squares, dm ? dm + k*ld + i : NULL,
                           dpsi ? dpsi + k*ld + i : NULL);
        bln_vec_log(n, lambda + i, logs);
        for (size_t j = 0; j < n; j++) {
            const double ratio = part[j]*squares[j];
            sum += BLNI_LOG_2PI + logs[j] + ratio;
            if (dloglambda) dloglambda[i + j] += 0.5*(ratio - 1.0);
        }
    }
    return -0.5*sum;
}

/* ---- pairs of components */

/* What one element adds to T: log (a + b)^2/(4 a b) = log(high/low) + 2 log(1 + low/high) - 2 log 2, for any positive numbers. */
BLNI_PRIV double blni_overlap_log(double a, double b)
{
    const double high = a > b ? a : b, low = a > b ? b : a, ratio = high/low;
    return (ratio <= DBL_MAX ? log(ratio) : log(high) - log(low)) + 2.0*(log1p(low/high) - log1p(1.0));
}

/* The definition: Q and T of D elements added to *Q and *T. */
BLNI_PRIV void blni_overlap_ref(size_t D, const double *ma, const double *a, const double *mb, const double *b, double *Q,
                                double *T)
{
    for (size_t i = 0; i < D; i++) {
        const double d = ma[i] - mb[i];
        *Q += d*(d/(a[i] + b[i]));
        *T += blni_overlap_log(a[i], b[i]);
    }
}

/* n products of (a + b)^2/(4 a b) of four elements each into `ratio`, multiplied in an order that gives 1 exactly where a = b;
 * returns their part of Q, over the common denominator. With p = a + b <= 2^121: p^8 <= 2^968, 256 (a b)^4 >= 2^-952. d^2 p^3
 * overflows only where d^2/p is beyond 2^500, which is as good as infinite; what underflows is less than 2^-1074/p^4 <= 2^-598. */
BLNI_PRIV double blni_overlap_fours(size_t n, const double *ma, const double *a, const double *mb, const double *b, double *ratio)
{
    double sum = 0.0, p[4], dd[4];
    for (size_t i = 0; i < n; i++, ma += 4, a += 4, mb += 4, b += 4) {
        for (size_t k = 0; k < 4; k++) { p[k] = a[k] + b[k]; dd[k] = (ma[k] - mb[k])*(ma[k] - mb[k]); }
        const double p01 = p[0]*p[1], p23 = p[2]*p[3], all = p01*p23;
        const double ab = ((a[0]*a[1])*(a[2]*a[3]))*((b[0]*b[1])*(b[2]*b[3]))*256.0;
        ratio[i] = all*all/ab;
        sum += ((dd[3]*p[2] + dd[2]*p[3])*p01 + (dd[1]*p[0] + dd[0]*p[1])*p23)/all;
    }
    return sum;
}

/* Where components meet with R > 0: with c = R/(2K), g = d/p and s = 1/2 or 1 (see below), c (2 s g) goes to dm of the first and
 * from that of the second, c (1/p - s g^2) to dpsi of both. */
BLNI_PRIV void blni_overlap_slope(size_t D, double c, double s, const double *ma, const double *a, const double *mb,
                                  const double *b, double *dma, double *da, double *dmb, double *db)
{
    for (size_t i = 0; i < D; i++) {
        const double inverse = 1.0/(a[i] + b[i]), g = (ma[i] - mb[i])*inverse;
        const double first = 2.0*c*s*g, second = c*(inverse - s*g*g);
        dma[i] += first;
        dmb[i] -= first;
        da[i] += second;
        db[i] += second;
    }
}

/* sum log x_i, where x is lost. Four sums, so that additions do not wait for each other. */
BLNI_PRIV double blni_overlap_add_logs(size_t n, double *x)
{
    double sum[4] = { 0.0, 0.0, 0.0, 0.0 };
    size_t i = 0;
    bln_vec_log(n, x, x);
    for (; i + 4 <= n; i += 4)
        for (size_t l = 0; l < 4; l++) sum[l] += x[i + l];
    for (; i < n; i++) sum[0] += x[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* The same for x >= 1, four of them to a logarithm where their product is in range. Four that are 1 stay 1. */
BLNI_PRIV double blni_overlap_add_ratios(size_t n, double *x)
{
    double product[BLNI_MIXTURE_CHUNK/16], most = 0.0;
    const size_t fours = n/4;
    for (size_t i = 0; i < fours; i++) {
        product[i] = (x[i]*x[fours + i])*(x[2*fours + i]*x[3*fours + i]);
        most = product[i] > most ? product[i] : most;
    }
    if (!(most <= DBL_MAX) || fours == 0) return blni_overlap_add_logs(n, x);
    return blni_overlap_add_logs(fours, product) + blni_overlap_add_logs(n - 4*fours, x + 4*fours);
}

/* Q and T of numbers in range, or parts of them as soon as Q + share T > limit: both only grow. What does not fill four is filled
 * up with elements that are alike, whose parts are 0. */
BLNI_PRIV void blni_overlap_sums(size_t D, const double *ma, const double *a, const double *mb, const double *b, double share,
                                 double limit, double *Q, double *T)
{
    double ratio[BLNI_MIXTURE_CHUNK/4];
    const size_t whole = D/4*4, rest = D - whole;
    *Q = *T = 0.0;
    for (size_t i = 0; i < whole && !(*Q + share**T > limit); i += BLNI_MIXTURE_CHUNK) {
        const size_t n = blni_min(BLNI_MIXTURE_CHUNK, whole - i)/4;
        *Q += blni_overlap_fours(n, ma + i, a + i, mb + i, b + i, ratio);
        if (!(*Q > limit)) *T += blni_overlap_add_ratios(n, ratio);
    }
    if (rest && !(*Q + share**T > limit)) {
        double tail[4][4] = { { 0.0 }, { 1.0, 1.0, 1.0, 1.0 }, { 0.0 }, { 1.0, 1.0, 1.0, 1.0 } };
        const double *const of[4] = { ma, a, mb, b };
        for (size_t k = 0; k < 4; k++) memcpy(tail[k], of[k] + whole, rest*sizeof(double));
        *Q += blni_overlap_fours(1, tail[0], tail[1], tail[2], tail[3], ratio);
        *T += blni_overlap_add_ratios(1, ratio);
    }
}

/* ---- entropy */

/* S = sum log psi_i, by products of 16, or of four where that is safe; *safe: is it, for pairs too? */
BLNI_PRIV double blni_mixture_logs(size_t D, const double *psi, int *safe)
{
    double product[BLNI_MIXTURE_CHUNK], sum = 0.0, low, high;
    const int inside = blni_vec_range(D, psi, &low, &high) && low >= BLNI_MIXTURE_PSI_MIN && high <= BLNI_MIXTURE_PSI_MAX;
    *safe = inside;
    const int narrow = inside && low >= 8.673617379884035e-19 && high <= 1.152921504606847e+18;           /* 2^-60 and 2^60 */
    const size_t step = narrow ? 16 : inside ? 4 : 1, whole = D/step*step;
    for (size_t i = 0; i < whole; i += step*BLNI_MIXTURE_CHUNK) {
        const size_t n = blni_min(BLNI_MIXTURE_CHUNK, (whole - i)/step);
        for (size_t k = 0; k < n; k++) {
            const double *p = psi + i + step*k;
            product[k] = inside ? (p[0]*p[1])*(p[2]*p[3]) : p[0];
            for (size_t j = 4; j < step; j += 4) product[k] *= (p[j]*p[j + 1])*(p[j + 2]*p[j + 3]);
        }
        sum += blni_overlap_add_logs(n, product);
    }
    for (size_t i = whole; i < D; i++) sum += log(psi[i]);
    return sum;
}

/* K x K: minus the distances (PAIRS), or the log densities of [variational 6], up to what is the same for all; then R. And what is
 * kept for each component: S, whether it is safe, the log of its row's sum. */
typedef struct blni_entropy_pieces { double *pairs, *S, *safe, *row; } blni_entropy_pieces;

BLNI_PRIV blni_entropy_pieces blni_entropy_carve(blni_arena *a, const blni_mixture *q)
{
    blni_entropy_pieces p;
    p.pairs = blni_carve_doubles(a, blni_mul(q->K, q->K));
    BLNI_CARVE3(a, q->K, p.S, p.safe, p.row);
    return p;
}

BLNI_PRIV size_t blni_mixture_entropy_work(const blni_mixture *q)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_entropy_carve(&a, q);
    return blni_arena_doubles(&a);
}

/* log N(m_k | m_j, psi_k + psi_j) = -1/2 [D log 2 pi + D log 2 + T/2 + (S_k + S_j)/2 + Q], or -B = -(Q + T)/4; both triangles. A
 * component has 0 = Q = T with itself; so a pair is e^-47 or less of both rows' sums from where the limit is reached. */
BLNI_PRIV void blni_entropy_pairs(const blni_mixture *q, int jensen, const blni_entropy_pieces *p)
{
    const size_t K = q->K, D = q->D, ld = blni_mixture_ld(q);
    const double constant = (double)D*(BLNI_LOG_2PI + log(2.0));
    for (size_t k = 0; k < K; k++) {
        int safe;
        p->S[k] = blni_mixture_logs(D, q->psi + k*ld, &safe);
        p->safe[k] = (double)safe;
    }
    for (size_t k = 0; k < K; k++)
        for (size_t j = k; j < K; j++) {
            const double *mk = q->m + k*ld, *mj = q->m + j*ld, *a = q->psi + k*ld, *b = q->psi + j*ld;
            const double limit = jensen ? 2.0*BLNI_MIXTURE_FAR + 0.5*fabs(p->S[k] - p->S[j]) : 4.0*BLNI_MIXTURE_FAR;
            double Q = 0.0, T = 0.0;
            if (j > k && p->safe[k] > 0.0 && p->safe[j] > 0.0)
                blni_overlap_sums(D, mk, a, mj, b, jensen ? 0.5 : 1.0, limit, &Q, &T);
            else if (j > k) blni_overlap_ref(D, mk, a, mj, b, &Q, &T);
            p->pairs[k*K + j] = p->pairs[j*K + k] = jensen ? -0.5*(constant + 0.5*(T + p->S[k] + p->S[j]) + Q) : -0.25*(Q + T);
        }
}

/* The gradients, from the pairs and their rows' sums. R_kj = r_kj + r_jk of [variational 10, 15]. What a component has with
 * itself is d/psi, d = r_kk/(2K) with JENSEN, (1 - 1/2 sum_{j != k} R_kj)/(2K) with PAIRS. */
BLNI_PRIV void blni_entropy_slopes(const blni_mixture *q, int jensen, const blni_entropy_pieces *p, double *dm, double *dpsi)
{
    const size_t K = q->K, D = q->D, ld = blni_mixture_ld(q);
    const double half = 0.5/(double)K;
    for (size_t k = 0; k < K; k++) p->S[k] = jensen ? exp(p->pairs[k*K + k] - p->row[k]) : 1.0;
    for (size_t k = 0; k < K; k++)
        for (size_t j = k + 1; j < K; j++) {
            const double R = exp(p->pairs[k*K + j] - p->row[k]) + exp(p->pairs[k*K + j] - p->row[j]);
            if (!(R >= BLNI_MIXTURE_APART)) continue;
            blni_overlap_slope(D, half*R, jensen ? 1.0 : 0.5, q->m + k*ld, q->psi + k*ld, q->m + j*ld, q->psi + j*ld,
                            dm + k*ld, dpsi + k*ld, dm + j*ld, dpsi + j*ld);
            if (jensen) continue;
            p->S[k] -= 0.5*R;
            p->S[j] -= 0.5*R;
        }
    for (size_t k = 0; k < K; k++)
        for (size_t i = k*ld; i < k*ld + D; i++) dpsi[i] += half*p->S[k]/q->psi[i];
}

BLNI_PRIV double blni_mixture_entropy(const blni_mixture *q, bln_entropy_kind kind, double *dm, double *dpsi, double *work)
{
    const size_t K = q->K;
    const int jensen = kind == BLN_ENTROPY_JENSEN && K > 1;
    blni_arena a = blni_arena_over(work, 0);
    const blni_entropy_pieces p = blni_entropy_carve(&a, q);
    double logs = 0.0, rows = 0.0;
    blni_entropy_pairs(q, jensen, &p);
    for (size_t k = 0; k < K; k++) {
        p.row[k] = bln_logsumexp(K, p.pairs + k*K);
        rows += p.row[k];
        logs += p.S[k];
    }
    if (dm && dpsi) blni_entropy_slopes(q, jensen, &p, dm, dpsi);
    const double overlap = log((double)K) - rows/(double)K;
    return jensen ? overlap : 0.5*((double)q->D*(BLNI_LOG_2PI + 1.0) + logs/(double)K) + overlap;
}
