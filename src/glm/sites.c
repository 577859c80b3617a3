/* sites: the weights where each row is a Gaussian factor                                       [augmentation 5, 6, 26, 31]
 *
 *     exp(h_n f_n - theta_n f_n^2/2),   f = Phi w,   w ~ N(0, Lambda),   Lambda = S^2,   Theta = diag(theta)
 *
 * With G = Phi' Theta Phi, b = Phi'h and B = I + S G S = U'U the weights are N(S B^-1 S b, S B^-1 S), and the evidence of the
 * factors, w integrated out, is exp J, J = |U^-T S b|^2/2 - log|B|/2. While only Lambda changes, G and b stay: then J costs D^3/3
 * and no pass over the rows.
 *
 * Fewer rows than weights: with Q = Phi Lambda Phi', s = sqrt theta, B = I + diag(s) Q diag(s) = U'U, n x n,
 *
 *     J = (g'g + k'Qk - |U^-T (g - s Qk)|^2)/2 - log|B|/2
 *     w = u + Lambda Phi'(k + s B^-1 (g - s (Qk + Phi u) - e)),   u ~ N(0, Lambda), e ~ N(0, I)
 *
 * for any g and k with h = s g + k. A row that says more of f than the prior does has g = h/s and k = 0, any other g = 0 and k = h.
 * So nothing is divided by a small theta; and where theta is large, as with hardly any noise, there is no difference of terms of
 * the order of theta^2, as there would be with h'Qh [Bhattacharya, Chakraborty & Mallick 2016, in another form].
 * Q = sum_s lambda_s Phi_s Phi_s' costs n^2 for each slice where the Phi_s Phi_s' are kept.
 *
 * With f_n ~ N(phi_n'w, d_n), d_n = sum_s lambda_s missed_sn, the target of share alpha is prod_n (int p(f | w) exp(alpha (h_n f -
 * theta_n f^2/2)) df)^(1/alpha): sites theta/(1 + alpha d theta), h/(1 + alpha d theta) of Phi w, and a factor [sparse 7]. */
#include "sites_private.h"
#include "../math/blas.h"
#include "../math/cholesky.h"

enum { BLNI_SITES_BLOCK = 256 };         /* rows that are scaled at a time */

/* moving: prior variances of slices will change often; missing: is f more than Phi w? What Phi, missed and slice hold comes later,
 * then _ready. */
BLNI_PRIV void blni_sites_rows_carve(blni_arena *a, size_t n, size_t D, size_t n_slices, int moving, int missing, double share,
                                     blni_sites_rows *r)
{
    r->n = n;
    r->D = D;
    r->n_slices = n_slices;
    r->dual = n < D;
    r->moving = moving;
    r->Phi = blni_carve_doubles(a, blni_mul(n, D));
    r->K = blni_carve_doubles(a, r->dual && moving ? blni_mul(n_slices, blni_mul(n, n)) : 0);
    r->missing = missing;
    r->missed = missing ? blni_carve_doubles(a, blni_mul(n_slices, n)) : NULL;
    r->share = missing ? share : 0.0;
}

/* Phi is there. */
BLNI_PRIV void blni_sites_rows_ready(blni_sites_rows *r)
{
    const size_t n = r->n;
    for (size_t t = 0; t < r->n_slices && r->dual && r->moving; t++) {
        double *K = r->K + t*n*n;
        bln_syrk(BLN_NOTRANS, n, r->slice[t].end - r->slice[t].first, 1.0, r->Phi + r->slice[t].first, r->D, 0.0, K, n);
        bln_symmetrise(n, K, n);
    }
}

BLNI_PRIV void blni_sites_carve(blni_arena *a, const blni_sites_rows *of, blni_sites *s)
{
    const size_t n = of->n, D = of->D, m = of->dual ? n : D;
    s->of = of;
    s->size = m;
    BLNI_CARVE2(a, n, s->h, s->precision);
    s->site_h = s->h;
    s->site_precision = s->precision;
    if (of->share > 0.0) BLNI_CARVE2(a, n, s->site_h, s->site_precision);
    s->d         = of->missing ? blni_carve_doubles(a, n) : NULL;
    s->root      = blni_carve_doubles(a, D);
    s->G         = blni_carve_doubles(a, blni_mul(m, m));
    s->b         = blni_carve_doubles(a, m);
    s->B         = blni_carve_doubles(a, blni_mul(m, m));
    s->a         = blni_carve_doubles(a, m);
    s->rows      = blni_carve_doubles(a, blni_mul(of->dual && of->moving ? 0 : BLNI_SITES_BLOCK, D));
    s->u         = blni_carve_doubles(a, D);
    s->t         = blni_carve_doubles(a, n);
}

/* Q, of slices whose matrices are kept, or from blocks of rows times S beside all rows. */
BLNI_PRIV void blni_sites_kernel(blni_sites *s)
{
    const blni_sites_rows *r = s->of;
    const size_t n = r->n, D = r->D;
    for (size_t t = 0; t < r->n_slices && r->moving; t++) {
        const double root = s->root[r->slice[t].first], lambda = root*root;
        if (t == 0) for (size_t i = 0; i < n*n; i++) s->G[i] = lambda*r->K[i];
        else        bln_axpy(n*n, lambda, r->K + t*n*n, s->G);
    }
    if (r->moving) return;
    for (size_t first = 0; first < n; first += BLNI_SITES_BLOCK) {
        const size_t rows = blni_min(n - first, BLNI_SITES_BLOCK);
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < D; j++) s->rows[i*D + j] = s->root[j]*s->root[j]*r->Phi[(first + i)*D + j];
        bln_gemm(BLN_NOTRANS, BLN_TRANS, rows, n, D, 1.0, s->rows, D, r->Phi, D, 0.0, s->G + first*n, n);
    }
}

/* The sites of Phi w, f integrated out. */
BLNI_PRIV void blni_sites_soften(blni_sites *s)
{
    for (size_t i = 0; i < s->of->n; i++) {
        const double shrink = 1.0 + s->of->share*s->d[i]*s->site_precision[i];
        s->h[i] = s->site_h[i]/shrink;
        s->precision[i] = s->site_precision[i]/shrink;
    }
}

/* The log of the factor that it leaves, which tends to -theta d/2 as the share tends to 0. */
BLNI_PRIV double blni_sites_left(const blni_sites *s)
{
    const double share = s->of->share;
    double sum = 0.0;
    for (size_t i = 0; i < s->of->n && s->d; i++) {
        const double d = s->d[i], theta = s->site_precision[i];
        sum += share > 0.0 ? share*d*s->site_h[i]*s->h[i] - log1p(share*d*theta)/share : -d*theta;
    }
    return 0.5*sum;
}

/* Sites are new: G and b.   n D^2 flops; dual: none */
BLNI_PRIV void blni_sites_gather(blni_sites *s)
{
    const blni_sites_rows *r = s->of;
    const size_t D = r->D;
    if (r->share > 0.0) blni_sites_soften(s);
    if (r->dual) return;
    memset(s->G, 0, D*D*sizeof *s->G);
    memset(s->b, 0, D*sizeof *s->b);
    for (size_t first = 0; first < r->n; first += BLNI_SITES_BLOCK) {
        const size_t rows = blni_min(r->n - first, BLNI_SITES_BLOCK);
        for (size_t i = 0; i < rows; i++) {
            const double root = sqrt(s->precision[first + i]), *phi = r->Phi + (first + i)*D;
            double *to = s->rows + i*D;
            for (size_t j = 0; j < D; j++) to[j] = root*phi[j];
        }
        bln_gemv(BLN_TRANS, rows, D, 1.0, r->Phi + first*D, D, s->h + first, 1.0, s->b);      /* while they are in the cache */
        bln_syrk(BLN_TRANS, D, rows, 1.0, s->rows, D, 1.0, s->G, D);
    }
}

/* prior_var: of slice t at [slice[t].prior]. With share > 0 the sites of Phi w depend on d, so they are gathered
 * again. */
BLNI_PRIV void blni_sites_prior(blni_sites *s, const double *prior_var)
{
    const blni_sites_rows *r = s->of;
    for (size_t t = 0; t < r->n_slices; t++)
        for (size_t j = r->slice[t].first; j < r->slice[t].end; j++) s->root[j] = sqrt(prior_var[r->slice[t].prior]);
    for (size_t t = 0; t < r->n_slices && r->missing; t++) {
        const double lambda = prior_var[r->slice[t].prior];
        for (size_t i = 0; i < r->n; i++) s->d[i] = (t ? s->d[i] : 0.0) + lambda*r->missed[t*r->n + i];
    }
    if (r->dual) blni_sites_kernel(s);
    if (r->share > 0.0) blni_sites_gather(s);
}

/* Dual: is row i one whose k is h, and g = 0? */
BLNI_PRIV int blni_sites_weak(const blni_sites *s, size_t i) { return s->precision[i]*s->G[i*s->size + i] < 1.0; }

/* Dual: b = g - s Qk. Returns (g'g + k'Qk)/2. root: s, written here. */
BLNI_PRIV double blni_sites_split(blni_sites *s, double *root)
{
    const size_t n = s->size;
    for (size_t i = 0; i < n; i++) {
        root[i] = sqrt(s->precision[i]);
        s->a[i] = blni_sites_weak(s, i) ? s->h[i] : 0.0;
    }
    bln_gemv(BLN_NOTRANS, n, n, 1.0, s->G, n, s->a, 0.0, s->b);
    double sum = bln_dot(n, s->a, s->b);
    for (size_t i = 0; i < n; i++) {
        const double g = blni_sites_weak(s, i) ? 0.0 : s->h[i]/root[i];
        sum += g*g;
        s->b[i] = g - root[i]*s->b[i];
    }
    return 0.5*sum;
}

/* J at this prior, or -infinity where numbers overflow, and what _weights needs.   D^3/3 flops; dual: n^3/3 */
BLNI_PRIV double blni_sites_evidence(blni_sites *s)
{
    const blni_sites_rows *r = s->of;
    const size_t m = s->size;
    double *root = r->dual ? s->t : s->root, sum = r->dual ? blni_sites_split(s, root) : 0.0;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = i; j < m; j++) s->B[i*m + j] = root[i]*s->G[i*m + j]*root[j];
        s->B[i*m + i] += 1.0;
        s->a[i] = r->dual ? s->b[i] : root[i]*s->b[i];
    }
    if (bln_potrf(m, s->B, m, NULL) != BLN_OK) return -HUGE_VAL;
    bln_trsv(BLN_TRANS, m, s->B, m, s->a);
    for (size_t i = 0; i < m; i++) sum -= log(s->B[i*m + i]);
    const double square = bln_dot(m, s->a, s->a);
    sum += (r->dual ? -0.5*square : 0.5*square) + blni_sites_left(s);
    return blni_finite(sum) ? sum : -HUGE_VAL;
}

/* After _evidence at the same prior: a draw of w, or its mean if rng is NULL.   2 D^2 flops; dual: 4 n D + 2 n^2 */
BLNI_PRIV void blni_sites_weights(blni_sites *s, bln_rng *rng, double *w)
{
    const blni_sites_rows *r = s->of;
    const size_t n = r->n, D = r->D;
    if (!r->dual) {
        if (rng) bln_rng_normals(rng, D, w);
        for (size_t j = 0; j < D; j++) w[j] = (rng ? w[j] : 0.0) + s->a[j];
        bln_trsv(BLN_NOTRANS, D, s->B, D, w);
        for (size_t j = 0; j < D; j++) w[j] *= s->root[j];
        return;
    }
    if (rng) bln_rng_normals(rng, D, s->u);
    for (size_t j = 0; j < D; j++) s->u[j] = rng ? s->root[j]*s->u[j] : 0.0;
    if (rng) bln_rng_normals(rng, n, s->t);
    for (size_t i = 0; i < n; i++) s->a[i] = s->b[i] - (rng ? s->t[i] : 0.0);
    bln_gemv(BLN_NOTRANS, n, D, 1.0, r->Phi, D, s->u, 0.0, s->t);
    for (size_t i = 0; i < n; i++) s->a[i] -= sqrt(s->precision[i])*s->t[i];
    bln_potrs(n, s->B, n, s->a);
    for (size_t i = 0; i < n; i++) s->t[i] = (blni_sites_weak(s, i) ? s->h[i] : 0.0) + sqrt(s->precision[i])*s->a[i];
    bln_gemv(BLN_TRANS, n, D, 1.0, r->Phi, D, s->t, 0.0, w);
    for (size_t j = 0; j < D; j++) w[j] = s->u[j] + s->root[j]*s->root[j]*w[j];
}
