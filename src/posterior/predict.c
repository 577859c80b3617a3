/* predict: the one road from (basis, posterior over weights) to the distribution of f and y */
#include "predict_private.h"
#include "../basis/basis_private.h"

enum { BLNI_PREDICT_BLOCK = 256 };

BLNI_PRIV blni_predict_pieces blni_predict_carve(blni_arena *a, const bln_basis *basis, const bln_gaussian *g, size_t block)
{
    blni_predict_pieces p;
    p.Phi     = blni_carve_doubles(a, blni_mul(block, basis->D));
    p.project = blni_carve_doubles(a, bln_gaussian_project_work(g, block));
    p.basis   = blni_carve_doubles(a, bln_basis_work(basis, block));
    p.room    = blni_carve_doubles(a, bln_basis_room(basis));
    return p;
}

/* lambda of slice s if its features leave prior variance out; 0 if they do not, or their weights have no common lambda. */
BLNI_PRIV double blni_left_out_scale(const bln_basis *b, const bln_gaussian *g, size_t s)
{
    const size_t first = bln_basis_slice(b, s), end = bln_basis_slice(b, s + 1);
    if (!(bln_basis_variance(b, s) > 0.0)) return 0.0;
    for (size_t j = first + 1; j < end; j++) if (g->s[j] != g->s[first]) return 0.0;
    return g->s[first]*g->s[first];
}

/* var_i += sum_s lambda_s (k_s(x_i, x_i) - |phi_s(x_i)|^2), none of them negative. */
BLNI_PRIV void blni_left_out_add(const bln_basis *b, const bln_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *var)
{
    for (size_t s = 0; s < b->n_slices; s++) {
        const size_t first = bln_basis_slice(b, s), count = bln_basis_slice(b, s + 1) - first;
        const double lambda = blni_left_out_scale(b, g, s), variance = bln_basis_variance(b, s);
        for (size_t i = 0; i < n && lambda > 0.0; i++) {
            const double *phi = Phi + i*ldphi + first;
            const double left = variance - bln_dot(count, phi, phi);
            var[i] += left > 0.0 ? lambda*left : left != left ? left : 0.0;
        }
    }
}

/* Does that add anything? */
BLNI_PRIV int blni_leaves_out(const bln_basis *b, const bln_gaussian *g)
{
    size_t s = 0;
    while (s < b->n_slices && !(blni_left_out_scale(b, g, s) > 0.0)) s++;
    return s < b->n_slices;
}

/* The same with the covariances between rows: R_ij += sum_s lambda_s (k_s(x_i, x_j) - phi_s(x_i)'phi_s(x_j)) in the upper triangle
 * of R (n x n, stride ldr). Of a slice whose kernel is not known what is left out counts as independent from row to row.
 * line, diag: n each; work: bln_basis_work(b, n). */
BLNI_PRIV void blni_left_out_covariance(const bln_basis *b, const double *theta, const bln_gaussian *g, size_t n, const double *X,
                                        size_t ldx, const double *Phi, size_t ldphi, double *R, size_t ldr, double *line,
                                        double *diag, double *work)
{
    for (size_t i = 0; i < n; i++) diag[i] = R[i*ldr + i];
    blni_left_out_add(b, g, n, Phi, ldphi, diag);
    for (size_t s = 0; s < b->n_slices; s++) {
        const size_t first = bln_basis_slice(b, s), count = bln_basis_slice(b, s + 1) - first;
        const double lambda = blni_left_out_scale(b, g, s);
        int known = lambda > 0.0;
        for (size_t i = 0; i < n && known; i++) {
            known = bln_basis_kernel(b, s, theta, X ? X + i*ldx : NULL, n - i, X ? X + i*ldx : NULL, ldx, line, work);
            for (size_t j = i; j < n && known; j++) R[i*ldr + j] += lambda*line[j - i];
        }
        if (known) bln_syrk(BLN_NOTRANS, n, count, -lambda, Phi + first, ldphi, 1.0, R, ldr);
    }
    for (size_t i = 0; i < n; i++) R[i*ldr + i] = diag[i];
}

/* F_ij -= 2 lambda_s phi_ij: what that adds to the slope of var. */
BLNI_PRIV void blni_left_out_slope(const bln_basis *b, const bln_gaussian *g, size_t n, const double *Phi, double *F)
{
    for (size_t s = 0; s < b->n_slices; s++) {
        const size_t first = bln_basis_slice(b, s), count = bln_basis_slice(b, s + 1) - first;
        const double lambda = blni_left_out_scale(b, g, s);
        for (size_t i = 0; i < n && lambda > 0.0; i++) bln_axpy(count, -2.0*lambda, Phi + i*b->D + first, F + i*b->D + first);
    }
}

BLN_API size_t bln_predict_work(const bln_basis *basis, const bln_gaussian *g, size_t block)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_predict_carve(&a, basis, g, block ? block : (size_t)BLNI_PREDICT_BLOCK);
    return a.used == (size_t)-1 ? a.used : a.used/sizeof(double) + 1;
}

BLN_API void bln_predict_latent(const bln_basis *basis, const double *theta, const bln_gaussian *g, size_t n, const double *X,
                                size_t ldx, size_t block, double *mean, double *var, double *work)
{
    blni_arena a = blni_arena_over(work, 0);
    blni_predict_pieces p;
    if (block == 0) block = BLNI_PREDICT_BLOCK;
    p = blni_predict_carve(&a, basis, g, block);
    const bln_basis *at = n ? bln_basis_bind(basis, theta, p.room) : basis;
    for (size_t i = 0; i < n; i += block) {
        const size_t rows = blni_min(block, n - i);
        bln_basis_features(at, theta, rows, X ? X + i*ldx : NULL, ldx, p.Phi, basis->D, p.basis);
        bln_gaussian_project(g, rows, p.Phi, basis->D, mean ? mean + i : NULL, var ? var + i : NULL, p.project);
        if (var) blni_left_out_add(basis, g, rows, p.Phi, basis->D, var + i);
    }
}

typedef struct blni_slope_pieces { double *Phi, *F, *project, *basis, *room; } blni_slope_pieces;

BLNI_PRIV blni_slope_pieces blni_slope_carve(blni_arena *a, const bln_basis *basis, const bln_gaussian *g, size_t block)
{
    blni_slope_pieces p;
    p.Phi     = blni_carve_doubles(a, blni_mul(block, basis->D));
    p.F       = blni_carve_doubles(a, blni_mul(block, basis->D));
    p.project = blni_carve_doubles(a, bln_gaussian_project_work(g, block));
    p.basis   = blni_carve_doubles(a, bln_basis_work(basis, block));
    p.room    = blni_carve_doubles(a, bln_basis_room(basis));
    return p;
}

BLN_API size_t bln_predict_gradient_work(const bln_basis *basis, const bln_gaussian *g, size_t block)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_slope_carve(&a, basis, g, block ? block : (size_t)BLNI_PREDICT_BLOCK);
    return a.used == (size_t)-1 ? a.used : a.used/sizeof(double) + 1;
}

/* dX <- pullback of F to the inputs of these rows. */
BLNI_PRIV void blni_slope_rows(const bln_basis *basis, const double *theta, size_t n, const double *X, size_t ldx,
                               const blni_slope_pieces *p, double *dX, size_t lddx)
{
    const size_t D = basis->D;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < basis->d; j++) dX[i*lddx + j] = 0.0;
    bln_basis_pullback(basis, theta, n, X, ldx, p->Phi, D, p->F, D, NULL, dX, lddx, p->basis);
}

BLN_API bln_status bln_predict_gradient(const bln_basis *basis, const double *theta, const bln_gaussian *g, size_t n,
                                        const double *X, size_t ldx, size_t block, double *dmean, double *dvar, size_t lddx,
                                        double *work)
{
    if (!basis || !g || (!X && n) || !work) return BLN_EINVAL;
    const size_t D = basis->D;
    blni_arena a = blni_arena_over(work, 0);
    if (!blni_basis_has_slope(basis)) return BLN_EINVAL;
    if (basis->d == 0) return BLN_OK;
    if (block == 0) block = BLNI_PREDICT_BLOCK;
    const blni_slope_pieces p = blni_slope_carve(&a, basis, g, block);
    const bln_basis *at = n ? bln_basis_bind(basis, theta, p.room) : basis;
    for (size_t i = 0; i < n; i += block) {
        const size_t rows = blni_min(block, n - i);
        const double *x = X + i*ldx;
        bln_basis_features(at, theta, rows, x, ldx, p.Phi, D, p.basis);
        if (dmean) {
            for (size_t r = 0; r < rows; r++) memcpy(p.F + r*D, g->m, D*sizeof *p.F);
            blni_slope_rows(at, theta, rows, x, ldx, &p, dmean + i*lddx, lddx);
        }
        if (dvar) {
            bln_gaussian_multiply(g, rows, p.Phi, D, p.F, D, p.project);
            bln_scal(rows*D, 2.0, p.F);
            blni_left_out_slope(basis, g, rows, p.Phi, p.F);
            blni_slope_rows(at, theta, rows, x, ldx, &p, dvar + i*lddx, lddx);
        }
    }
    return BLN_OK;
}

BLN_API void bln_normal_intervals(size_t n, const double *mean, const double *var, double level, double *lower, double *upper)
{
    /* -quantile((1 - level)/2) rather than quantile((1 + level)/2): level near 1 keeps its digits. */
    const double z = level > 0.0 && level < 1.0 ? -bln_norm_quantile(0.5*(1.0 - level)) : BLNI_NAN;
    for (size_t i = 0; i < n; i++) {
        const double m = mean[i], h = var[i] >= 0.0 ? z*sqrt(var[i]) : BLNI_NAN;
        lower[i] = m - h;
        upper[i] = m + h;
    }
}

BLN_API void bln_normal_logdensities(size_t n, const double *mean, const double *var, const double *y, double *out)
{
    for (size_t i = 0; i < n; i++) {
        const double r = y[i] - mean[i], v = var[i];
        out[i] = v > 0.0 ? -0.5*(BLNI_LOG_2PI + log(v) + r*r/v) : BLNI_NAN;
    }
}

BLN_API void bln_normal_cdfs(size_t n, const double *mean, const double *var, const double *y, double *out)
{
    for (size_t i = 0; i < n; i++) out[i] = var[i] > 0.0 ? bln_norm_cdf((y[i] - mean[i])/sqrt(var[i])) : BLNI_NAN;
}

BLN_API void bln_normal_quantiles(size_t n, const double *mean, const double *var, double p, double *out)
{
    const double z = p > 0.0 && p < 1.0 ? bln_norm_quantile(p) : BLNI_NAN;
    for (size_t i = 0; i < n; i++) out[i] = var[i] >= 0.0 ? mean[i] + z*sqrt(var[i]) : BLNI_NAN;
}
