/* mixture_rows: products of rows of features with the components of a mixture, for means and variances at once
 *
 * Each element of Phi is used together with its square, so that no squares are stored. Vectors lie along the features, and four
 * rows share the loads of a component: eight sums keep two units busy that take four cycles each. At level 0 all this is done by
 * >>blas, which is the definition. */
#include "mixture_private.h"
#include "../core/threads_private.h"
#include "../math/cpu_private.h"
#include "../math/blas.h"

enum { BLNI_MIXTURE_FOUR = 4,          /* rows that go together                                                */
       BLNI_MIXTURE_STRIP = 512,       /* features for which they stay in the cache, beside a component        */
       BLNI_MIXTURE_SHARE = 64 };      /* features of which threads take multiples                             */

BLNI_PRIV size_t blni_mixture_ld(const blni_mixture *q) { return q->ld ? q->ld : q->D; }

/* A block of rows, for a share of it: project adds to mean and var, pull to dm and dpsi, and writes F. */
typedef struct blni_mixture_job {
    const blni_mixture *q;
    size_t ld, n, pieces;
    const double *Phi;
    size_t ldphi;
    double *mean, *var;                /* project */
    const double *a, *b;               /* pull    */
    size_t ldn;
    double *dm, *dpsi, *F;
    size_t ldf;
    double *spare;                     /* D: F of rows that are not there */
} blni_mixture_job;

/* moments: sum[r] = sum_i x_ri m_i and sum[4 + r] = sum_i x_ri^2 psi_i for rows r of one component.
 * pull: dm_i += sum_r a_r x_ri and dpsi_i += sum_r b_r x_ri^2, and unless F is NULL F_ri = a_r m_i + 2 b_r x_ri psi_i, which is
 * added to what is there with `more`. Numbers that do not fill a vector are done one by one. */
#define BLNI_MIXTURE_MOMENT(L, r) { \
    const BLNI_VEC##L v = BLNI_LOAD##L(x[r] + i); \
    f##r = BLNI_FMA##L(v, mean, f##r); \
    s##r = BLNI_FMA##L(BLNI_MUL##L(v, v), var, s##r); }
#define BLNI_MIXTURE_SUM(L, at, v) { \
    double lane[BLNI_LANES##L]; \
    BLNI_STORE##L(lane, v); \
    sum[at] = 0.0; \
    for (int l = 0; l < BLNI_LANES##L; l++) sum[at] += lane[l]; }
#define BLNI_MIXTURE_PULL(L, r) { \
    const BLNI_VEC##L v = BLNI_LOAD##L(x[r] + i), bv = BLNI_MUL##L(b##r, v); \
    g = BLNI_FMA##L(a##r, v, g); \
    h = BLNI_FMA##L(bv, v, h); \
    if (F) { \
        BLNI_VEC##L slope = BLNI_FMA##L(a##r, mean, BLNI_MUL##L(BLNI_ADD##L(bv, bv), var)); \
        if (more) slope = BLNI_ADD##L(slope, BLNI_LOAD##L(F[r] + i)); \
        BLNI_STORE##L(F[r] + i, slope); \
    } }
#define BLNI_MIXTURE_FOURS(L) \
BLNI_TARGET##L BLNI_PRIV void blni_mixture_moments##L(size_t D, const double *const *x, const double *m, const double *psi, \
                                                      double *sum) \
{ \
    const BLNI_VEC##L none = BLNI_SPLAT##L(0.0); \
    BLNI_VEC##L f0 = none, f1 = none, f2 = none, f3 = none, s0 = none, s1 = none, s2 = none, s3 = none; \
    BLNI_FOR_VECTORS(L, i, D) { \
        const BLNI_VEC##L mean = BLNI_LOAD##L(m + i), var = BLNI_LOAD##L(psi + i); \
        BLNI_MIXTURE_MOMENT(L, 0) BLNI_MIXTURE_MOMENT(L, 1) BLNI_MIXTURE_MOMENT(L, 2) BLNI_MIXTURE_MOMENT(L, 3) \
    } \
    BLNI_MIXTURE_SUM(L, 0, f0) BLNI_MIXTURE_SUM(L, 1, f1) BLNI_MIXTURE_SUM(L, 2, f2) BLNI_MIXTURE_SUM(L, 3, f3) \
    BLNI_MIXTURE_SUM(L, 4, s0) BLNI_MIXTURE_SUM(L, 5, s1) BLNI_MIXTURE_SUM(L, 6, s2) BLNI_MIXTURE_SUM(L, 7, s3) \
    for (; i < D; i++) \
        for (size_t r = 0; r < 4; r++) { \
            sum[r] += x[r][i]*m[i]; \
            sum[4 + r] += x[r][i]*x[r][i]*psi[i]; \
        } \
} \
BLNI_TARGET##L BLNI_PRIV void blni_mixture_pull##L(size_t D, const double *const *x, const double *a, const double *b, \
                                                   const double *m, const double *psi, double *dm, double *dpsi, \
                                                   double *const *F, int more) \
{ \
    const BLNI_VEC##L a0 = BLNI_SPLAT##L(a[0]), a1 = BLNI_SPLAT##L(a[1]), a2 = BLNI_SPLAT##L(a[2]), a3 = BLNI_SPLAT##L(a[3]); \
    const BLNI_VEC##L b0 = BLNI_SPLAT##L(b[0]), b1 = BLNI_SPLAT##L(b[1]), b2 = BLNI_SPLAT##L(b[2]), b3 = BLNI_SPLAT##L(b[3]); \
    BLNI_FOR_VECTORS(L, i, D) { \
        const BLNI_VEC##L mean = BLNI_LOAD##L(m + i), var = BLNI_LOAD##L(psi + i); \
        BLNI_VEC##L g = BLNI_LOAD##L(dm + i), h = BLNI_LOAD##L(dpsi + i); \
        BLNI_MIXTURE_PULL(L, 0) BLNI_MIXTURE_PULL(L, 1) BLNI_MIXTURE_PULL(L, 2) BLNI_MIXTURE_PULL(L, 3) \
        BLNI_STORE##L(dm + i, g); \
        BLNI_STORE##L(dpsi + i, h); \
    } \
    for (; i < D; i++) \
        for (size_t r = 0; r < 4; r++) { \
            dm[i] += a[r]*x[r][i]; \
            dpsi[i] += b[r]*x[r][i]*x[r][i]; \
            if (F) F[r][i] = (more ? F[r][i] : 0.0) + a[r]*m[i] + 2.0*b[r]*x[r][i]*psi[i]; \
        } \
}
BLNI_FOR_LEVELS(BLNI_MIXTURE_FOURS)

/* The four rows from r on, or the first of them in the place of those that are not there; returns how many there are. */
BLNI_PRIV size_t blni_mixture_four(const blni_mixture_job *p, size_t r, size_t i, const double **x)
{
    const size_t rows = blni_min(p->n - r, BLNI_MIXTURE_FOUR);
    for (size_t k = 0; k < BLNI_MIXTURE_FOUR; k++) x[k] = p->Phi + (r + (k < rows ? k : 0))*p->ldphi + i;
    return rows;
}

/* A share of the rows. */
BLNI_PRIV void blni_project_share(const void *job, size_t piece)
{
    const blni_mixture_job *p = (const blni_mixture_job *)job;
    const size_t K = p->q->K, D = p->q->D, begin = blni_piece_begin(p->n, BLNI_MIXTURE_FOUR, piece, p->pieces);
    const size_t end = blni_piece_begin(p->n, BLNI_MIXTURE_FOUR, piece + 1, p->pieces);
    const double *x[BLNI_MIXTURE_FOUR];
    double sum[2*BLNI_MIXTURE_FOUR] = { 0.0 };
    for (size_t i = 0, step; i < D; i += step) {
        step = D - i < BLNI_MIXTURE_STRIP*3/2 ? D - i : (size_t)BLNI_MIXTURE_STRIP;
        for (size_t r = begin; r < end; r += BLNI_MIXTURE_FOUR) {
            const size_t rows = blni_mixture_four(p, r, i, x);
            for (size_t k = 0; k < K; k++) {
                BLNI_ABOVE0(bln_cpu_level(), , blni_mixture_moments, (step, x, p->q->m + k*p->ld + i, p->q->psi + k*p->ld + i, sum))
                for (size_t j = 0, at = k*p->ldn + r; j < rows; j++, at++) {
                    p->mean[at] = (i ? p->mean[at] : 0.0) + sum[j];
                    p->var[at] = (i ? p->var[at] : 0.0) + sum[BLNI_MIXTURE_FOUR + j];
                }
            }
        }
    }
}

/* A share of the features. */
BLNI_PRIV void blni_pull_share(const void *job, size_t piece)
{
    const blni_mixture_job *p = (const blni_mixture_job *)job;
    const size_t K = p->q->K, D = p->q->D, end = blni_piece_begin(D, BLNI_MIXTURE_SHARE, piece + 1, p->pieces);
    const double *x[BLNI_MIXTURE_FOUR];
    double *F[BLNI_MIXTURE_FOUR];
    for (size_t i = blni_piece_begin(D, BLNI_MIXTURE_SHARE, piece, p->pieces), step; i < end; i += step) {
        step = blni_min(end - i, BLNI_MIXTURE_STRIP);
        for (size_t r = 0; r < p->n; r += BLNI_MIXTURE_FOUR) {
            const size_t rows = blni_mixture_four(p, r, i, x);
            for (size_t k = 0; k < K; k++) {
                double a[BLNI_MIXTURE_FOUR] = { 0.0 }, b[BLNI_MIXTURE_FOUR] = { 0.0 };
                memcpy(a, p->a + k*p->ldn + r, rows*sizeof *a);
                memcpy(b, p->b + k*p->ldn + r, rows*sizeof *b);
                for (size_t j = 0; j < BLNI_MIXTURE_FOUR && p->F; j++) F[j] = j < rows ? p->F + (r + j)*p->ldf + i : p->spare + i;
                (void)F;                                                       /* level 0, which does not come here */
                BLNI_ABOVE0(bln_cpu_level(), , blni_mixture_pull,
                            (step, x, a, b, p->q->m + k*p->ld + i, p->q->psi + k*p->ld + i, p->dm + k*p->ld + i,
                             p->dpsi + k*p->ld + i, p->F ? F : NULL, k > 0))
            }
        }
    }
}

BLNI_PRIV blni_mixture_job blni_mixture_job_of(const blni_mixture *q, size_t n, const double *Phi, size_t ldphi)
{
    blni_mixture_job p = BLN_ZERO;
    p.q = q;
    p.ld = blni_mixture_ld(q);
    p.n = n;
    p.Phi = Phi;
    p.ldphi = ldphi;
    return p;
}

/* Both moments of a block of rows; 0: not at this level. */
BLNI_PRIV int blni_mixture_project_both(const blni_mixture *q, size_t n, const double *Phi, size_t ldphi, double *mean, double *var,
                                        size_t ldn)
{
    blni_mixture_job p = blni_mixture_job_of(q, n, Phi, ldphi);
    if (!bln_cpu_level()) return 0;
    p.mean = mean;
    p.var = var;
    p.ldn = ldn;
    p.pieces = blni_pieces(4.0*(double)n*(double)q->K*(double)q->D, n/BLNI_MIXTURE_FOUR);
    blni_run_pieces(p.pieces, blni_project_share, &p);
    return 1;
}

/* Both gradients, and F unless it is NULL. */
BLNI_PRIV int blni_mixture_pull_both(const blni_mixture *q, size_t n, const double *Phi, size_t ldphi, const double *a,
                                     const double *b, size_t ldn, double *dm, double *dpsi, double *F, size_t ldf, double *spare)
{
    blni_mixture_job p = blni_mixture_job_of(q, n, Phi, ldphi);
    if (!bln_cpu_level()) return 0;
    p.a = a;
    p.b = b;
    p.ldn = ldn;
    p.dm = dm;
    p.dpsi = dpsi;
    p.F = F;
    p.ldf = ldf;
    p.spare = spare;
    p.pieces = blni_pieces((F ? 8.0 : 4.0)*(double)n*(double)q->K*(double)q->D, q->D/BLNI_MIXTURE_SHARE);
    blni_run_pieces(p.pieces, blni_pull_share, &p);
    return 1;
}

/* ---- by >>blas */

/* The squares of a block of Phi, and what a product of them has by rows. */
typedef struct blni_mixture_pieces { double *squares, *product; } blni_mixture_pieces;

BLNI_PRIV blni_mixture_pieces blni_mixture_carve(blni_arena *a, const blni_mixture *q, size_t n)
{
    blni_mixture_pieces p;
    const size_t rows = blni_min(n, BLNI_MIXTURE_ROWS);
    p.squares = blni_carve_doubles(a, blni_mul(rows, q->D));
    p.product = blni_carve_doubles(a, blni_mul(rows, q->K));
    return p;
}

BLNI_PRIV size_t blni_mixture_work(const blni_mixture *q, size_t n)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_mixture_carve(&a, q, n);
    return blni_arena_doubles(&a);
}

BLNI_PRIV void blni_squares(size_t n, size_t D, const double *Phi, size_t ldphi, double *out)
{
    for (size_t r = 0; r < n; r++) {
        const double *BLNI_RESTRICT phi = Phi + r*ldphi;
        double *BLNI_RESTRICT square = out + r*D;
        for (size_t i = 0; i < D; i++) square[i] = phi[i]*phi[i];
    }
}

/* out[k*ldn + r] = A_r'B_k: the product with its long side down the rows, then turned. */
BLNI_PRIV void blni_mixture_product(size_t n, size_t K, size_t D, const double *A, size_t lda, const double *B, size_t ldb,
                                    double *product, double *out, size_t ldn)
{
    bln_gemm(BLN_NOTRANS, BLN_TRANS, n, K, D, 1.0, A, lda, B, ldb, 0.0, product, K);
    for (size_t k = 0; k < K; k++)
        for (size_t r = 0; r < n; r++) out[k*ldn + r] = product[r*K + k];
}

BLNI_PRIV void blni_mixture_project(const blni_mixture *q, size_t n, const double *Phi, size_t ldphi, double *mean, double *var,
                                 size_t ldn, double *work)
{
    const size_t D = q->D, ld = blni_mixture_ld(q);
    blni_arena a = blni_arena_over(work, 0);
    const blni_mixture_pieces p = blni_mixture_carve(&a, q, n);
    for (size_t r = 0; r < n; r += BLNI_MIXTURE_ROWS) {
        const size_t rows = blni_min(BLNI_MIXTURE_ROWS, n - r);
        const double *phi = Phi + r*ldphi;
        if (mean && var && blni_mixture_project_both(q, rows, phi, ldphi, mean + r, var + r, ldn)) continue;
        if (mean) blni_mixture_product(rows, q->K, D, phi, ldphi, q->m, ld, p.product, mean + r, ldn);
        if (!var) continue;
        blni_squares(rows, D, phi, ldphi, p.squares);
        blni_mixture_product(rows, q->K, D, p.squares, D, q->psi, ld, p.product, var + r, ldn);
    }
}

BLNI_PRIV void blni_mixture_pullback(const blni_mixture *q, size_t n, const double *Phi, size_t ldphi, const double *a,
                                     const double *b, size_t ldn, double *dm, double *dpsi, double *F, size_t ldf, double *work)
{
    const size_t D = q->D, K = q->K, ld = blni_mixture_ld(q);
    blni_arena arena = blni_arena_over(work, 0);
    const blni_mixture_pieces p = blni_mixture_carve(&arena, q, n);
    for (size_t r = 0; r < n; r += BLNI_MIXTURE_ROWS) {
        const size_t rows = blni_min(BLNI_MIXTURE_ROWS, n - r);
        const double *phi = Phi + r*ldphi;
        if (dm && dpsi && blni_mixture_pull_both(q, rows, phi, ldphi, a + r, b + r, ldn, dm, dpsi, F ? F + r*ldf : NULL, ldf,
                                                 p.squares)) continue;
        if (dm) bln_gemm(BLN_NOTRANS, BLN_NOTRANS, K, D, rows, 1.0, a + r, ldn, phi, ldphi, 1.0, dm, ld);
        if (dpsi) {
            blni_squares(rows, D, phi, ldphi, p.squares);
            bln_gemm(BLN_NOTRANS, BLN_NOTRANS, K, D, rows, 1.0, b + r, ldn, p.squares, D, 1.0, dpsi, ld);
        }
        if (!F) continue;
        double *f = F + r*ldf;
        bln_gemm(BLN_TRANS, BLN_NOTRANS, rows, D, K, 2.0, b + r, ldn, q->psi, ld, 0.0, f, ldf);
        for (size_t s = 0; s < rows; s++)
            for (size_t i = 0; i < D; i++) f[s*ldf + i] *= phi[s*ldphi + i];
        bln_gemm(BLN_TRANS, BLN_NOTRANS, rows, D, K, 1.0, a + r, ldn, q->m, ld, 1.0, f, ldf);
    }
}

