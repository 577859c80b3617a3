/* mixture_rows: products of rows of features with the components of a mixture, for means and variances at once
 *
 * A number of Phi and its square are used together, so that no squares are written down. Vectors lie along the features. A tile has
 * two components and two rows (or two vectors), eight sums: as many as two units of four cycles each keep going, and what they are
 * made of fits 16 registers beside them. At level 0 all this is done by >>blas, which is the definition. */
#include "mixture_private.h"
#include "../core/threads_private.h"
#include "../math/cpu_private.h"
#include "../math/blas.h"

BLNI_PRIV size_t blni_mixture_ld(const blni_mixture *q) { return q->ld ? q->ld : q->D; }

/* A block of rows, for a share of it: project adds to mean and var, pull to dm and dpsi, and writes F. */
typedef struct blni_mixture_job {
    const blni_mixture *q;
    size_t ld, n, pieces;
    const double *Phi;
    size_t ldphi;
    double *mean, *var;                /* project */
    size_t ldn;
    const double *weights;             /* pull: a_k0, a_k1, b_k0, b_k1 of each component, pair of rows after pair */
    double *dm, *dpsi, *F;
    size_t ldf;
} blni_mixture_job;

/* A whole vector, or the lanes of `cut`. What is in C or V is of the second component, or vector, if there is one. */
#define BLNI_WHOLE(L, p)         BLNI_LOAD##L(p)
#define BLNI_PART(L, p)          BLNI_LOAD_CUT##L(p, cut)
#define BLNI_PUT_WHOLE(L, p, v)  BLNI_STORE##L(p, v)
#define BLNI_PUT_PART(L, p, v)   BLNI_STORE_CUT##L(p, cut, v)
#define BLNI_WITH(...)           __VA_ARGS__
#define BLNI_WITHOUT(...)

/* f_rk += sum_i x_ri m_ki and v_rk += sum_i x_ri^2 psi_ki: rows x0, x1, components 0, 1. */
#define BLNI_MOMENTS_ROW(L, LOAD, C, r, i) { \
    const BLNI_VEC##L x = LOAD(L, x##r + i), s = BLNI_MUL##L(x, x); \
    f##r##0 = BLNI_FMA##L(x, m0, f##r##0); v##r##0 = BLNI_FMA##L(s, w0, v##r##0); \
    C(f##r##1 = BLNI_FMA##L(x, m1, f##r##1); v##r##1 = BLNI_FMA##L(s, w1, v##r##1);) }
#define BLNI_MOMENTS_STEP(L, LOAD, C, i) { \
    BLNI_VEC##L m0 = LOAD(L, m + i), w0 = LOAD(L, psi + i); \
    C(BLNI_VEC##L m1 = LOAD(L, m + ld + i), w1 = LOAD(L, psi + ld + i);) \
    BLNI_APART##L(m0) BLNI_APART##L(w0) C(BLNI_APART##L(m1) BLNI_APART##L(w1)) \
    BLNI_MOMENTS_ROW(L, LOAD, C, 0, i) BLNI_MOMENTS_ROW(L, LOAD, C, 1, i) }
#define BLNI_MOMENTS_OUT(L, v, to) { \
    double lane[BLNI_LANES##L], sum = 0.0; \
    BLNI_STORE##L(lane, v); \
    for (int l = 0; l < BLNI_LANES##L; l++) sum += lane[l]; \
    to += sum; }
#define BLNI_MOMENTS(L, C, NAME) \
BLNI_TARGET##L BLNI_PRIV void NAME(size_t rows, size_t D, const double *x0, size_t ldphi, const double *m, const double *psi, \
                                   size_t ld, double *mean, double *var, size_t ldn) \
{ \
    const double *x1 = rows > 1 ? x0 + ldphi : x0; \
    BLNI_VEC##L f00 = BLNI_SPLAT##L(0.0), v00 = f00, f10 = f00, v10 = f00; \
    C(BLNI_VEC##L f01 = f00, v01 = f00, f11 = f00, v11 = f00;) \
    size_t i = 0; \
    (void)ld, (void)ldn; \
    for (; i + BLNI_LANES##L <= D; i += BLNI_LANES##L) BLNI_MOMENTS_STEP(L, BLNI_WHOLE, C, i) \
    if (i < D) { \
        const BLNI_CUT##L cut = BLNI_CUT_AT##L(D - i); \
        BLNI_MOMENTS_STEP(L, BLNI_PART, C, i) \
    } \
    BLNI_MOMENTS_OUT(L, f00, mean[0]) BLNI_MOMENTS_OUT(L, v00, var[0]) \
    C(BLNI_MOMENTS_OUT(L, f01, mean[ldn]) BLNI_MOMENTS_OUT(L, v01, var[ldn])) \
    if (rows < 2) return; \
    BLNI_MOMENTS_OUT(L, f10, mean[1]) BLNI_MOMENTS_OUT(L, v10, var[1]) \
    C(BLNI_MOMENTS_OUT(L, f11, mean[ldn + 1]) BLNI_MOMENTS_OUT(L, v11, var[ldn + 1])) \
}

/* dm_kv += sum_r a_kr x_rv and dpsi_kv += sum_r b_kr x_rv^2 for vectors 0, 1 of n rows, which are moved together with their squares
 * first; components 0, 1 at a time. In place of a row that makes an odd number even there is 0. */
#define BLNI_PULL_PACK(L, LOAD, V, r, from) { \
    const BLNI_VEC##L x0 = LOAD(L, from); \
    double *to = x + 4*BLNI_LANES##L*(r); \
    BLNI_STORE##L(to, x0); BLNI_STORE##L(to + 2*BLNI_LANES##L, BLNI_MUL##L(x0, x0)); \
    V(const BLNI_VEC##L x1 = LOAD(L, from + BLNI_LANES##L);) \
    V(BLNI_STORE##L(to + BLNI_LANES##L, x1); BLNI_STORE##L(to + 3*BLNI_LANES##L, BLNI_MUL##L(x1, x1));) }
#define BLNI_PULL_COMPONENT(L, V, k, r) { \
    const BLNI_VEC##L t = BLNI_SPLAT##L(w[4*k + r]), u = BLNI_SPLAT##L(w[4*k + 2 + r]); \
    g##k##0 = BLNI_FMA##L(t, x0, g##k##0); V(g##k##1 = BLNI_FMA##L(t, x1, g##k##1);) \
    h##k##0 = BLNI_FMA##L(u, s0, h##k##0); V(h##k##1 = BLNI_FMA##L(u, s1, h##k##1);) }
#define BLNI_PULL_ROW(L, C, V, r) { \
    BLNI_VEC##L x0 = BLNI_LOAD##L(at + r*4*BLNI_LANES##L), s0 = BLNI_LOAD##L(at + (r*4 + 2)*BLNI_LANES##L); \
    V(BLNI_VEC##L x1 = BLNI_LOAD##L(at + (r*4 + 1)*BLNI_LANES##L), s1 = BLNI_LOAD##L(at + (r*4 + 3)*BLNI_LANES##L);) \
    BLNI_APART##L(x0) BLNI_APART##L(s0) V(BLNI_APART##L(x1) BLNI_APART##L(s1)) \
    BLNI_PULL_COMPONENT(L, V, 0, r) C(BLNI_PULL_COMPONENT(L, V, 1, r)) }
#define BLNI_PULL_BEGIN(L, LOAD, V, k) \
    BLNI_VEC##L g##k##0 = LOAD(L, dm + k*ld), h##k##0 = LOAD(L, dpsi + k*ld); \
    V(BLNI_VEC##L g##k##1 = LOAD(L, dm + k*ld + BLNI_LANES##L), h##k##1 = LOAD(L, dpsi + k*ld + BLNI_LANES##L);)
#define BLNI_PULL_END(L, STORE, V, k) \
    STORE(L, dm + k*ld, g##k##0); STORE(L, dpsi + k*ld, h##k##0); \
    V(STORE(L, dm + k*ld + BLNI_LANES##L, g##k##1); STORE(L, dpsi + k*ld + BLNI_LANES##L, h##k##1);)
#define BLNI_PULL_COMPONENTS(L, LOAD, STORE, C, V) { \
    const double *w = weights, *at = x; \
    BLNI_PULL_BEGIN(L, LOAD, V, 0) C(BLNI_PULL_BEGIN(L, LOAD, V, 1)) \
    for (size_t r = 0; r < n; r += 2, w += 4*K, at += 8*BLNI_LANES##L) { BLNI_PULL_ROW(L, C, V, 0) BLNI_PULL_ROW(L, C, V, 1) } \
    BLNI_PULL_END(L, STORE, V, 0) C(BLNI_PULL_END(L, STORE, V, 1)) }
#define BLNI_PULL(L, LOAD, STORE, V, NAME) \
BLNI_TARGET##L BLNI_PRIV void NAME(size_t n, size_t K, size_t last, const double *phi, size_t ldphi, const double *weights, \
                                   double *dm, double *dpsi, size_t ld) \
{ \
    const BLNI_CUT##L cut = BLNI_CUT_AT##L(last); \
    double x[BLNI_MIXTURE_ROWS*4*BLNI_LANES##L]; \
    size_t k = 0; \
    (void)cut; \
    for (size_t r = 0; r < n; r++) BLNI_PULL_PACK(L, LOAD, V, r, phi + r*ldphi) \
    for (size_t j = 0; j < 4*BLNI_LANES##L && n % 2; j++) x[4*BLNI_LANES##L*n + j] = 0.0; \
    for (; k + 2 <= K; k += 2, weights += 8, dm += 2*ld, dpsi += 2*ld) BLNI_PULL_COMPONENTS(L, LOAD, STORE, BLNI_WITH, V) \
    if (k < K) BLNI_PULL_COMPONENTS(L, LOAD, STORE, BLNI_WITHOUT, V) \
}

/* F_ri (+)= sum_k a_kr m_ki + 2 x_ri sum_k b_kr psi_ki: rows 0, 1, vectors 0, 1. An odd row is done as two. */
#define BLNI_SLOPES_ROW(L, V, r) { \
    const BLNI_VEC##L t = BLNI_SPLAT##L(w[4*k + r]), u = BLNI_SPLAT##L(w[4*k + 2 + r]); \
    f##r##0 = BLNI_FMA##L(t, m0, f##r##0); V(f##r##1 = BLNI_FMA##L(t, m1, f##r##1);) \
    g##r##0 = BLNI_FMA##L(u, w0, g##r##0); V(g##r##1 = BLNI_FMA##L(u, w1, g##r##1);) }
#define BLNI_SLOPES_OUT(L, LOAD, STORE, r, v) { \
    const BLNI_VEC##L x = LOAD(L, x##r + i + v*BLNI_LANES##L), sum = BLNI_FMA##L(BLNI_ADD##L(x, x), g##r##v, f##r##v); \
    double *to = to##r + i + v*BLNI_LANES##L; \
    if (set) STORE(L, to, sum); else STORE(L, to, BLNI_ADD##L(sum, LOAD(L, to))); }
#define BLNI_SLOPES_STEP(L, LOAD, STORE, V, i) { \
    BLNI_VEC##L f00 = BLNI_SPLAT##L(0.0), g00 = f00, f10 = f00, g10 = f00; \
    V(BLNI_VEC##L f01 = f00, g01 = f00, f11 = f00, g11 = f00;) \
    for (size_t k = 0; k < K; k++) { \
        BLNI_VEC##L m0 = LOAD(L, m + k*BLNI_MIXTURE_PACK + i), w0 = LOAD(L, psi + k*BLNI_MIXTURE_PACK + i); \
        V(BLNI_VEC##L m1 = LOAD(L, m + k*BLNI_MIXTURE_PACK + i + BLNI_LANES##L); \
          BLNI_VEC##L w1 = LOAD(L, psi + k*BLNI_MIXTURE_PACK + i + BLNI_LANES##L);) \
        BLNI_APART##L(m0) BLNI_APART##L(w0) V(BLNI_APART##L(m1) BLNI_APART##L(w1)) \
        BLNI_SLOPES_ROW(L, V, 0) BLNI_SLOPES_ROW(L, V, 1) \
    } \
    BLNI_SLOPES_OUT(L, LOAD, STORE, 0, 0) V(BLNI_SLOPES_OUT(L, LOAD, STORE, 0, 1)) \
    if (rows > 1) { BLNI_SLOPES_OUT(L, LOAD, STORE, 1, 0) V(BLNI_SLOPES_OUT(L, LOAD, STORE, 1, 1)) } }
#define BLNI_SLOPES(L, NAME) \
BLNI_TARGET##L BLNI_PRIV void NAME(size_t rows, size_t K, size_t D, const double *m, const double *psi, const double *w, int set, \
                                   const double *x0, size_t ldphi, double *to0, size_t ldf) \
{ \
    const double *x1 = rows > 1 ? x0 + ldphi : x0; \
    double *to1 = rows > 1 ? to0 + ldf : to0; \
    size_t i = 0; \
    for (; i + 2*BLNI_LANES##L <= D; i += 2*BLNI_LANES##L) BLNI_SLOPES_STEP(L, BLNI_WHOLE, BLNI_PUT_WHOLE, BLNI_WITH, i) \
    for (; i < D; i += BLNI_LANES##L) { \
        const BLNI_CUT##L cut = BLNI_CUT_AT##L(blni_min(D - i, BLNI_LANES##L)); \
        BLNI_SLOPES_STEP(L, BLNI_PART, BLNI_PUT_PART, BLNI_WITHOUT, i) \
    } \
}

typedef struct blni_mixture_kernels {
    size_t lanes;
    /* one or two rows, by components - 1; all rows, by vectors - 1, a single one of `last` lanes; one or two rows */
    void (*moments[2])(size_t rows, size_t D, const double *phi, size_t ldphi, const double *m, const double *psi, size_t ld,
                       double *mean, double *var, size_t ldn);
    void (*pull[2])(size_t n, size_t K, size_t last, const double *phi, size_t ldphi, const double *weights, double *dm,
                    double *dpsi, size_t ld);
    void (*slopes)(size_t rows, size_t K, size_t D, const double *m, const double *psi, const double *w, int set,
                   const double *phi, size_t ldphi, double *F, size_t ldf);
} blni_mixture_kernels;

#define BLNI_MIXTURE_KERNELS(L) \
    BLNI_MOMENTS(L, BLNI_WITHOUT, blni_moments##L##_1) BLNI_MOMENTS(L, BLNI_WITH, blni_moments##L##_2) \
    BLNI_PULL(L, BLNI_PART, BLNI_PUT_PART, BLNI_WITHOUT, blni_pull##L##_1) \
    BLNI_PULL(L, BLNI_WHOLE, BLNI_PUT_WHOLE, BLNI_WITH, blni_pull##L##_2) \
    BLNI_SLOPES(L, blni_slopes##L) \
    static const blni_mixture_kernels blni_mixture_kernels##L = { \
        BLNI_LANES##L, { blni_moments##L##_1, blni_moments##L##_2 }, { blni_pull##L##_1, blni_pull##L##_2 }, blni_slopes##L \
    };
BLNI_FOR_LEVELS(BLNI_MIXTURE_KERNELS)

/* NULL at level 0. */
BLNI_PRIV const blni_mixture_kernels *blni_mixture_kernels_now(void)
{
    BLNI_ABOVE0(bln_cpu_level(), return &, blni_mixture_kernels, )
    return NULL;
}

/* A share of the rows. */
BLNI_PRIV void blni_project_share(const void *job, size_t piece)
{
    const blni_mixture_job *p = (const blni_mixture_job *)job;
    const blni_mixture_kernels *kernel = blni_mixture_kernels_now();
    const size_t K = p->q->K, D = p->q->D, ld = p->ld;
    const size_t begin = blni_piece_begin(p->n, 2, piece, p->pieces), end = blni_piece_begin(p->n, 2, piece + 1, p->pieces);
    for (size_t k = 0; k < K; k++)
        for (size_t r = begin; r < end; r++) p->mean[k*p->ldn + r] = p->var[k*p->ldn + r] = 0.0;
    for (size_t i = 0, step; i < D; i += step) {
        step = D - i < BLNI_MIXTURE_STRIP*3/2 ? D - i : (size_t)BLNI_MIXTURE_STRIP;
        for (size_t k = 0; k < K; k += 2)
            for (size_t r = begin; r < end; r += 2)
                kernel->moments[K - k > 1](end - r, step, p->Phi + r*p->ldphi + i, p->ldphi, p->q->m + k*ld + i,
                                           p->q->psi + k*ld + i, ld, p->mean + k*p->ldn + r, p->var + k*p->ldn + r, p->ldn);
    }
}

/* F for some features of all rows. Components are moved side by side, as they may be apart by what the cache does not like. */
BLNI_NOINLINE BLNI_PRIV void blni_slopes_strip(const blni_mixture_job *p, size_t i, size_t width)
{
    const blni_mixture_kernels *kernel = blni_mixture_kernels_now();
    const blni_mixture *q = p->q;
    double m[BLNI_MIXTURE_GROUP*BLNI_MIXTURE_PACK], psi[BLNI_MIXTURE_GROUP*BLNI_MIXTURE_PACK];
    for (size_t k0 = 0; k0 < q->K; k0 += BLNI_MIXTURE_GROUP) {
        const size_t count = blni_min(BLNI_MIXTURE_GROUP, q->K - k0);
        for (size_t k = 0; k < count; k++) {
            memcpy(m + k*BLNI_MIXTURE_PACK, q->m + (k0 + k)*p->ld + i, width*sizeof *m);
            memcpy(psi + k*BLNI_MIXTURE_PACK, q->psi + (k0 + k)*p->ld + i, width*sizeof *psi);
        }
        for (size_t r = 0; r < p->n; r += 2)
            kernel->slopes(p->n - r, count, width, m, psi, p->weights + 2*r*q->K + 4*k0, k0 == 0, p->Phi + r*p->ldphi + i, p->ldphi,
                           p->F + r*p->ldf + i, p->ldf);
    }
}

/* A share of the features. */
BLNI_PRIV void blni_pull_share(const void *job, size_t piece)
{
    const blni_mixture_job *p = (const blni_mixture_job *)job;
    const blni_mixture_kernels *kernel = blni_mixture_kernels_now();
    const size_t K = p->q->K, D = p->q->D, strip = BLNI_MIXTURE_PACK, two = 2*kernel->lanes;
    const size_t begin = blni_piece_begin(D, strip, piece, p->pieces), end = blni_piece_begin(D, strip, piece + 1, p->pieces);
    for (size_t i = begin, step; i < end; i += step) {
        const size_t last = blni_min(kernel->lanes, end - i);
        step = end - i < two ? last : two;
        kernel->pull[step == two](p->n, K, last, p->Phi + i, p->ldphi, p->weights, p->dm + i, p->dpsi + i, p->ld);
    }
    for (size_t i = begin; i < end && p->F; i += strip) blni_slopes_strip(p, i, blni_min(strip, end - i));
}

/* The weights of all pairs of rows; those of an odd row twice. */
BLNI_PRIV void blni_mixture_weights(size_t n, size_t K, const double *a, const double *b, size_t ldn, double *weights)
{
    for (size_t r = 0; r < n; r += 2)
        for (size_t k = 0; k < K; k++, weights += 4) {
            const size_t at = k*ldn + r, next = at + (n - r > 1);
            weights[0] = a[at];
            weights[1] = a[next];
            weights[2] = b[at];
            weights[3] = b[next];
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
    if (!blni_mixture_kernels_now()) return 0;
    p.mean = mean;
    p.var = var;
    p.ldn = ldn;
    p.pieces = blni_pieces(4.0*(double)n*(double)q->K*(double)q->D, n/4);
    blni_run_pieces(p.pieces, blni_project_share, &p);
    return 1;
}

/* Both gradients, and F unless it is NULL. */
BLNI_PRIV int blni_mixture_pull_both(const blni_mixture *q, size_t n, const double *Phi, size_t ldphi, const double *a,
                                     const double *b, size_t ldn, double *dm, double *dpsi, double *F, size_t ldf, double *weights)
{
    blni_mixture_job p = blni_mixture_job_of(q, n, Phi, ldphi);
    if (!blni_mixture_kernels_now()) return 0;
    blni_mixture_weights(n, q->K, a, b, ldn, weights);
    p.weights = weights;
    p.dm = dm;
    p.dpsi = dpsi;
    p.F = F;
    p.ldf = ldf;
    p.pieces = blni_pieces((F ? 8.0 : 4.0)*(double)n*(double)q->K*(double)q->D, q->D/BLNI_MIXTURE_PACK);
    blni_run_pieces(p.pieces, blni_pull_share, &p);
    return 1;
}

/* ---- by >>blas */

/* The squares of a block of Phi, and what a product of them has by rows; or the weights of its rows. */
typedef struct blni_mixture_pieces { double *squares, *product, *weights; } blni_mixture_pieces;

BLNI_PRIV blni_mixture_pieces blni_mixture_carve(blni_arena *a, const blni_mixture *q, size_t n)
{
    blni_mixture_pieces p;
    const size_t rows = blni_min(n, BLNI_MIXTURE_ROWS);
    p.squares = blni_carve_doubles(a, blni_mul(rows, q->D));
    p.product = blni_carve_doubles(a, blni_mul(rows, q->K));
    p.weights = blni_carve_doubles(a, blni_mul(2*(rows + 1), q->K));
    return p;
}

/* Doubles for the pieces; they may need not start where the block does. */
BLNI_PRIV size_t blni_mixture_doubles(const blni_arena *a)
{
    return a->used == (size_t)-1 ? a->used : a->used/sizeof(double) + 1;
}

BLNI_PRIV size_t blni_mixture_work(const blni_mixture *q, size_t n)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_mixture_carve(&a, q, n);
    return blni_mixture_doubles(&a);
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
                                     const double *b, size_t ldn, double *dm, double *dpsi, double *F, size_t ldf,
                                     double *work)
{
    const size_t D = q->D, K = q->K, ld = blni_mixture_ld(q);
    blni_arena arena = blni_arena_over(work, 0);
    const blni_mixture_pieces p = blni_mixture_carve(&arena, q, n);
    for (size_t r = 0; r < n; r += BLNI_MIXTURE_ROWS) {
        const size_t rows = blni_min(BLNI_MIXTURE_ROWS, n - r);
        const double *phi = Phi + r*ldphi;
        if (dm && dpsi && blni_mixture_pull_both(q, rows, phi, ldphi, a + r, b + r, ldn, dm, dpsi, F ? F + r*ldf : NULL, ldf,
                                                 p.weights)) continue;
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

