/* tape_density_continuous: blocks of the densities of real numbers, with slopes derived by hand            [programs 17]
 *
 * Names in a block: x, then the parameters in order; lp, and d[j], the slope in argument j, NULL if it is not needed. */
#include "tape_density_private.h"
#include "../math/blas.h"
#include "../math/special.h"

/* ---- a location and a scale: log p(z) - log scale, z = (x - location)/scale, from s(z) = d log p/dz */

/* z, and log scale in lp. */
BLNI_PRIV void blni_standardise(size_t n, const double *x, const double *m, const double *s, int one, double *z, double *lp)
{
    blni_log_block(n, s, one, lp);
    for (size_t i = 0; i < n; i++) z[i] = (x[i] - m[i])/s[i];
}
/* Slopes in x, location, scale: s/scale, -s/scale, -(1 + z s)/scale. */
BLNI_PRIV void blni_location_slopes(size_t n, const double *z, const double *s, const double *scale, double *const *d)
{
    for (size_t i = 0; i < n && d[0]; i++) d[0][i] = s[i]/scale[i];
    for (size_t i = 0; i < n && d[1]; i++) d[1][i] = -s[i]/scale[i];
    for (size_t i = 0; i < n && d[2]; i++) d[2][i] = -(1.0 + z[i]*s[i])/scale[i];
}

BLNI_PRIV void blni_normal_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    const double *y = x[0], *m = x[1], *s = x[2];
    double *dy = d[0], *dm = d[1], *ds = d[2];
    blni_log_block(n, s, one[2], lp);
    for (size_t i = 0; i < n; i++) {
        const double z = (y[i] - m[i])/s[i], slope = z/s[i];
        lp[i] = -0.5*(z*z + BLNI_LOG_2PI) - lp[i];
        if (dy) dy[i] = -slope;
        if (dm) dm[i] = slope;
        if (ds) ds[i] = -(1.0 - z*z)/s[i];
    }
}

BLNI_PRIV void blni_cauchy_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    double z[BLNI_LP_BLOCK], s[BLNI_LP_BLOCK];
    blni_standardise(n, x[0], x[1], x[2], one[2], z, lp);
    for (size_t i = 0; i < n; i++) {
        lp[i] = -BLNI_LOG_PI - log1p(z[i]*z[i]) - lp[i];
        s[i] = -2.0*z[i]/(1.0 + z[i]*z[i]);
    }
    blni_location_slopes(n, z, s, x[2], d);
}

BLNI_PRIV void blni_laplace_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    double z[BLNI_LP_BLOCK], s[BLNI_LP_BLOCK];
    blni_standardise(n, x[0], x[1], x[2], one[2], z, lp);
    for (size_t i = 0; i < n; i++) {
        lp[i] = -BLNI_LN_2 - fabs(z[i]) - lp[i];
        s[i] = z[i] > 0.0 ? -1.0 : z[i] < 0.0 ? 1.0 : 0.0;
    }
    blni_location_slopes(n, z, s, x[2], d);
}

/* -z - 2 log(1 + e^-z) is even in z, and s = -tanh(z/2). */
BLNI_PRIV void blni_logistic_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    double z[BLNI_LP_BLOCK], s[BLNI_LP_BLOCK];
    blni_standardise(n, x[0], x[1], x[2], one[2], z, lp);
    for (size_t i = 0; i < n; i++) {
        const double e = exp(-fabs(z[i])), tanh_half = -expm1(-fabs(z[i]))/(1.0 + e);
        lp[i] = -fabs(z[i]) - 2.0*log1p(e) - lp[i];
        s[i] = z[i] < 0.0 ? tanh_half : -tanh_half;
    }
    blni_location_slopes(n, z, s, x[2], d);
}

/* log Gamma((v + 1)/2) - log Gamma(v/2) - log(pi v)/2, and its slope in v. The two log Gamma cancel as v grows: from 40 on
 * Stirling's series of the whole takes their place, whose next term is below 1e-17.                            [DLMF 5.11] */
BLNI_PRIV double blni_student_constant(double v, double *slope)
{
    if (!(v > 40.0)) {
        if (slope) *slope = 0.5*(bln_digamma(0.5*v + 0.5) - bln_digamma(0.5*v) - 1.0/v);
        return bln_lgamma(0.5*v + 0.5) - bln_lgamma(0.5*v) - 0.5*log(BLNI_PI*v);
    }
    const double u = 1.0/v, w = u*u;
    if (slope) *slope = w*(0.25 + w*(-0.125 + w*(0.25 + w*(-17.0/16.0 + w*(31.0/4.0 - w*691.0/8.0)))));
    return -0.5*BLNI_LOG_2PI - u*(0.25 - w*(1.0/24.0 - w*(1.0/20.0 - w*(17.0/112.0 - w*(31.0/36.0 - w*691.0/88.0)))));
}

BLNI_PRIV void blni_student_t_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    double z[BLNI_LP_BLOCK], s[BLNI_LP_BLOCK], slope = 0.0, constant = 0.0, *const rest[3] = { d[0], d[2], d[3] };
    const double *v = x[1];
    blni_standardise(n, x[0], x[2], x[3], one[3], z, lp);
    for (size_t i = 0; i < n; i++) {
        const double q = z[i]*z[i], log_w = log1p(q/v[i]);
        if (i == 0 || !one[1]) constant = blni_student_constant(v[i], d[1] ? &slope : NULL);
        lp[i] = constant - 0.5*(v[i] + 1.0)*log_w - lp[i];
        s[i] = -(v[i] + 1.0)*z[i]/(v[i] + q);
        if (d[1]) d[1][i] = slope - 0.5*log_w + 0.5*(v[i] + 1.0)*q/(v[i]*(v[i] + q));
    }
    blni_location_slopes(n, z, s, x[3], rest);
}

/* ---- halves: about 0, and twice as high. k: how many arguments the whole has */

BLNI_PRIV void blni_half_block(void (*whole)(size_t, const double *const *, const int *, double *, double *const *), size_t k,
                               size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    static const double zeros[BLNI_LP_BLOCK] = { 0.0 };
    const double *y[BLNI_OPERANDS];
    double *slope[BLNI_OPERANDS];
    int single[BLNI_OPERANDS];
    for (size_t j = 0; j < k; j++) {                             /* the location is the last but one */
        const size_t from = j + 1 == k ? j - 1 : j;
        y[j] = j + 2 == k ? zeros : x[from];
        single[j] = j + 2 == k ? 1 : one[from];
        slope[j] = j + 2 == k ? NULL : d[from];
    }
    whole(n, y, single, lp, slope);
    for (size_t i = 0; i < n; i++) lp[i] += BLNI_LN_2;
}

BLNI_PRIV void blni_half_normal_block(size_t n, const double *const *x, const int *one, double *lp,
                                      double *const *d) { blni_half_block(blni_normal_block, 3, n, x, one, lp, d); }
BLNI_PRIV void blni_half_cauchy_block(size_t n, const double *const *x, const int *one, double *lp,
                                      double *const *d) { blni_half_block(blni_cauchy_block, 3, n, x, one, lp, d); }
BLNI_PRIV double blni_half_cauchy_single(const double *const *x, double *d)
{
    const double s = *x[1], z = *x[0]/s, w = 1.0 + z*z;
    d[0] = -2.0*z/(w*s);
    d[1] = -(1.0 - 2.0*z*z/w)/s;
    return BLNI_LN_2 - BLNI_LOG_PI - log1p(z*z) - log(s);
}
BLNI_PRIV void blni_half_student_t_block(size_t n, const double *const *x, const int *one, double *lp,
                                         double *const *d) { blni_half_block(blni_student_t_block, 4, n, x, one, lp, d); }

/* ---- others */

BLNI_PRIV void blni_std_normal_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    (void)one;
    const double *y = x[0];
    double *dy = d[0];
    for (size_t i = 0; i < n; i++) {
        lp[i] = -0.5*(y[i]*y[i] + BLNI_LOG_2PI);
        if (dy) dy[i] = -y[i];
    }
}

BLNI_PRIV void blni_exponential_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    const double *r = x[1];
    blni_log_block(n, r, one[1], lp);
    for (size_t i = 0; i < n; i++) lp[i] -= r[i]*x[0][i];
    for (size_t i = 0; i < n && d[0]; i++) d[0][i] = -r[i];
    for (size_t i = 0; i < n && d[1]; i++) d[1][i] = 1.0/r[i] - x[0][i];
}

/* a log b - log Gamma(a) in lp, and the part of its slope in a that is no log x: log b - digamma(a), in da unless that is NULL. */
BLNI_PRIV void blni_gamma_constant(size_t n, const double *a, int one_a, const double *b, int one_b, double *lp, double *da)
{
    double log_b[BLNI_LP_BLOCK];
    blni_log_block(n, b, one_b, log_b);
    blni_lgamma_block(n, a, one_a, lp);
    for (size_t i = 0; i < n; i++) lp[i] = a[i]*log_b[i] - lp[i];
    if (!da) return;
    blni_digamma_block(n, a, one_a, da);
    for (size_t i = 0; i < n; i++) da[i] = log_b[i] - da[i];
}

BLNI_PRIV void blni_gamma_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    const double *v = x[0], *a = x[1], *b = x[2];
    double log_x[BLNI_LP_BLOCK];
    blni_log_block(n, v, one[0], log_x);
    blni_gamma_constant(n, a, one[1], b, one[2], lp, d[1]);
    for (size_t i = 0; i < n; i++) lp[i] += (a[i] - 1.0)*log_x[i] - b[i]*v[i];
    for (size_t i = 0; i < n && d[0]; i++) d[0][i] = (a[i] - 1.0)/v[i] - b[i];
    for (size_t i = 0; i < n && d[1]; i++) d[1][i] += log_x[i];
    for (size_t i = 0; i < n && d[2]; i++) d[2][i] = a[i]/b[i] - v[i];
}

BLNI_PRIV void blni_inv_gamma_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    const double *v = x[0], *a = x[1], *b = x[2];
    double log_x[BLNI_LP_BLOCK];
    blni_log_block(n, v, one[0], log_x);
    blni_gamma_constant(n, a, one[1], b, one[2], lp, d[1]);
    for (size_t i = 0; i < n; i++) lp[i] -= (a[i] + 1.0)*log_x[i] + b[i]/v[i];
    for (size_t i = 0; i < n && d[0]; i++) d[0][i] = (b[i]/v[i] - a[i] - 1.0)/v[i];
    for (size_t i = 0; i < n && d[1]; i++) d[1][i] -= log_x[i];
    for (size_t i = 0; i < n && d[2]; i++) d[2][i] = a[i]/b[i] - 1.0/v[i];
}

BLNI_PRIV void blni_lognormal_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    double log_x[BLNI_LP_BLOCK];
    const double *const y[3] = { log_x, x[1], x[2] };
    blni_log_block(n, x[0], one[0], log_x);
    blni_normal_block(n, y, one, lp, d);
    for (size_t i = 0; i < n; i++) lp[i] -= log_x[i];
    for (size_t i = 0; i < n && d[0]; i++) d[0][i] = (d[0][i] - 1.0)/x[0][i];
}

BLNI_PRIV void blni_beta_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    const double *v = x[0], *a = x[1], *b = x[2];
    double log_x[BLNI_LP_BLOCK], log_rest[BLNI_LP_BLOCK], c[BLNI_LP_BLOCK], w[BLNI_LP_BLOCK];
    const int one_sum = one[1] && one[2];
    blni_log_block(n, v, one[0], log_x);
    for (size_t i = 0; i < n; i++) { c[i] = a[i] + b[i]; log_rest[i] = log1p(-v[i]); }
    blni_lgamma_block(n, c, one_sum, lp);
    blni_lgamma_block(n, a, one[1], w);
    for (size_t i = 0; i < n; i++) lp[i] += (a[i] - 1.0)*log_x[i] + (b[i] - 1.0)*log_rest[i] - w[i];
    blni_lgamma_block(n, b, one[2], w);
    for (size_t i = 0; i < n; i++) lp[i] -= w[i];
    for (size_t i = 0; i < n && d[0]; i++) d[0][i] = (a[i] - 1.0)/v[i] - (b[i] - 1.0)/(1.0 - v[i]);
    if (d[1] || d[2]) blni_digamma_block(n, c, one_sum, c);
    for (size_t j = 1; j < 3; j++) {
        if (!d[j]) continue;
        blni_digamma_block(n, x[j], one[j], w);
        for (size_t i = 0; i < n; i++) d[j][i] = c[i] - w[i] + (j == 1 ? log_x[i] : log_rest[i]);
    }
}

BLNI_PRIV void blni_uniform_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    (void)one;
    for (size_t i = 0; i < n; i++) {
        const double width = x[2][i] - x[1][i];
        lp[i] = x[0][i] >= x[1][i] && x[0][i] <= x[2][i] && width > 0.0 ? -log(width) : -HUGE_VAL;
        if (d[0]) d[0][i] = 0.0;
        if (d[1]) d[1][i] = 1.0/width;
        if (d[2]) d[2][i] = -1.0/width;
    }
}

/* ---- the tables */

BLNI_LPDF(normal, normal, NULL, 3, "x", REAL, "mean", REAL, "sd", ABOVE_0, "", REAL);
BLNI_LPDF(std_normal, std_normal, NULL, 1, "x", REAL, "", REAL, "", REAL, "", REAL);
BLNI_LPDF(student_t, student_t, NULL, 4, "x", REAL, "dof", ABOVE_0, "location", REAL, "scale", ABOVE_0);
BLNI_LPDF(cauchy, cauchy, NULL, 3, "x", REAL, "location", REAL, "scale", ABOVE_0, "", REAL);
BLNI_LPDF(laplace, laplace, NULL, 3, "x", REAL, "location", REAL, "scale", ABOVE_0, "", REAL);
BLNI_LPDF(logistic, logistic, NULL, 3, "x", REAL, "location", REAL, "scale", ABOVE_0, "", REAL);
BLNI_LPDF(half_normal, half_normal, NULL, 2, "x", FROM_0, "sd", ABOVE_0, "", REAL, "", REAL);
BLNI_LPDF(half_cauchy, half_cauchy, blni_half_cauchy_single, 2, "x", FROM_0, "scale", ABOVE_0, "", REAL, "", REAL);
BLNI_LPDF(half_student_t, half_student_t, NULL, 3, "x", FROM_0, "dof", ABOVE_0, "scale", ABOVE_0, "", REAL);
BLNI_LPDF(exponential, exponential, NULL, 2, "x", FROM_0, "rate", ABOVE_0, "", REAL, "", REAL);
BLNI_LPDF(gamma, gamma, NULL, 3, "x", ABOVE_0, "shape", ABOVE_0, "rate", ABOVE_0, "", REAL);
BLNI_LPDF(inv_gamma, inv_gamma, NULL, 3, "x", ABOVE_0, "shape", ABOVE_0, "scale", ABOVE_0, "", REAL);
BLNI_LPDF(lognormal, lognormal, NULL, 3, "x", ABOVE_0, "mean", REAL, "sd", ABOVE_0, "", REAL);
BLNI_LPDF(beta, beta, NULL, 3, "x", WITHIN_0_1, "a", ABOVE_0, "b", ABOVE_0, "", REAL);
BLNI_LPDF(uniform, uniform, NULL, 3, "x", REAL, "low", REAL, "high", REAL, "", REAL);

BLN_API void bln_lp_cauchy(bln_tape *t, bln_var x, bln_var m, bln_var s) { blni_lp3(t, &blni_lp_of_cauchy, x, m, s); }
BLN_API void bln_lp_laplace(bln_tape *t, bln_var x, bln_var m, bln_var s) { blni_lp3(t, &blni_lp_of_laplace, x, m, s); }
BLN_API void bln_lp_logistic(bln_tape *t, bln_var x, bln_var m, bln_var s) { blni_lp3(t, &blni_lp_of_logistic, x, m, s); }
BLN_API void bln_lp_student_t(bln_tape *t, bln_var x, bln_var dof, bln_var location, bln_var scale)
{
    bln_var in[4] = { x, dof, location, scale };
    blni_lp(t, &blni_lp_of_student_t, in);
}
BLN_API void bln_lp_half_normal(bln_tape *t, bln_var x, bln_var sd) { blni_lp2(t, &blni_lp_of_half_normal, x, sd); }
BLN_API void bln_lp_half_cauchy(bln_tape *t, bln_var x, bln_var scale) { blni_lp2(t, &blni_lp_of_half_cauchy, x, scale); }
BLN_API void bln_lp_half_student_t(bln_tape *t, bln_var x, bln_var dof,
                                   bln_var scale) { blni_lp3(t, &blni_lp_of_half_student_t, x, dof, scale); }
BLN_API void bln_lp_exponential(bln_tape *t, bln_var x, bln_var rate) { blni_lp2(t, &blni_lp_of_exponential, x, rate); }
BLN_API void bln_lp_gamma(bln_tape *t, bln_var x, bln_var shape, bln_var rate) { blni_lp3(t, &blni_lp_of_gamma, x, shape, rate); }
BLN_API void bln_lp_inv_gamma(bln_tape *t, bln_var x, bln_var a, bln_var b) { blni_lp3(t, &blni_lp_of_inv_gamma, x, a, b); }
BLN_API void bln_lp_lognormal(bln_tape *t, bln_var x, bln_var mean, bln_var sd) { blni_lp3(t, &blni_lp_of_lognormal, x, mean, sd); }
BLN_API void bln_lp_beta(bln_tape *t, bln_var x, bln_var a, bln_var b) { blni_lp3(t, &blni_lp_of_beta, x, a, b); }
BLN_API void bln_lp_uniform(bln_tape *t, bln_var x, bln_var low, bln_var high) { blni_lp3(t, &blni_lp_of_uniform, x, low, high); }

/* ---- normal variables: sums of squares instead of elements */

/* A block stays in the nearest cache. aux of a node: a factor; the sum of what is kept; the slope of a single sd; then what is
 * kept, n numbers: with one sd x - mean, and the factor is 1/sd^2; with an sd each (x - mean)/sd^2, the factor is 1, and the n
 * slopes of the sds follow. The factor times what is kept is the slope in the mean, its opposite that in x; of a scalar, times the
 * sum. */
enum { BLNI_NORMAL_BLOCK = 512, BLNI_NORMAL_SUM = 1, BLNI_NORMAL_SD, BLNI_NORMAL_REST };

BLNI_PRIV void blni_normal_reverse(bln_tape *t, const blni_cell *c)
{
    const double g = t->adj[c->out], scaled = g*t->aux[c->b];
    for (size_t i = 0; i < 3; i++) {
        const blni_cell *o = blni_operand(c, i);
        if (!(o->op & BLNI_CONSTANT)) bln_axpy(o->out, i == 2 ? g : i ? scaled : -scaled, t->aux + o->a, t->adj + o->op);
    }
}
BLNI_TABLE const blni_node_kind blni_normal_kind = { "bln_lp_normal", blni_normal_reverse };

/* With one sd: x - mean, to `rest` unless NULL; its squares, and (unless NULL) its sum. */
BLNI_PRIV double blni_normal_sums(size_t n, const double *x, size_t sx, const double *m, size_t sm, double *rest, double *sum)
{
    double own[BLNI_NORMAL_BLOCK], squares = 0.0;
    for (size_t i = 0; i < n; i += BLNI_NORMAL_BLOCK) {
        const size_t k = blni_min(n - i, BLNI_NORMAL_BLOCK);
        double *r = rest ? rest + i : own;
        if (sx && sm) { memcpy(r, x + i, k*sizeof *r); bln_axpy(k, -1.0, m + i, r); }
        else for (size_t j = 0; j < k; j++) r[j] = x[sx*(i + j)] - m[sm*(i + j)];
        squares += bln_dot(k, r, r);
        if (sum) *sum += blni_tape_sum(k, r);
    }
    return squares;
}

/* With an sd each, the squares of z; to aux what is kept and its sum, to `slope` (NULL: not wanted) those of the sds. log_sd: the
 * sum of their logarithms, which are taken of products of many sds at once. NaN: an sd is not above 0, or far out. */
BLNI_PRIV double blni_normal_each(size_t n, const double *x, size_t sx, const double *m, size_t sm, const double *s, double *aux,
                                  double *slope, double *log_sd)
{
    double squares = 0.0, sum = 0.0, product = 1.0;
    for (size_t i = 0; i < n; i++) {
        const double inverse = 1.0/s[i], z = (x[sx*i] - m[sm*i])*inverse, w = z*inverse;
        if (!(s[i] > 1e-100 && s[i] < 1e100)) return BLNI_NAN;
        squares += z*z;
        sum += w;
        aux[BLNI_NORMAL_REST + i] = w;
        if (slope) slope[i] = (z*z - 1.0)*inverse;
        product *= s[i];
        if (product > 1e-200 && product < 1e200) continue;
        *log_sd += log(product);
        product = 1.0;
    }
    *log_sd += log(product);
    aux[BLNI_NORMAL_SUM] = sum;
    return squares;
}

BLNI_NOINLINE BLNI_PRIV void blni_normal_arrays(bln_tape *t, bln_var x, bln_var mean, bln_var sd)
{
    bln_var in[3] = { x, mean, sd };
    size_t n, size[3];
    uint32_t slope[3] = { BLNI_NORMAL_SUM, BLNI_NORMAL_SUM, BLNI_NORMAL_SD };
    const int rows = t->pointwise && t->term == BLNI_TERM_ROWS;
    const uint32_t calls = t->calls;
    if ((x.n == 1 && mean.n == 1) || rows || t->elements || t->naming || t->checking || t->status != BLN_OK) {
        blni_lp(t, &blni_lp_of_normal, in);
        return;
    }
    if (!blni_tape_broadcast(t, "bln_lp_normal", 3, blni_lp_of_normal.argument, in, &n)) return;
    size_t kept = 0;                                             /* arrays of n numbers in aux                              */
    int all = 0;                                                 /* is the sum asked for?                                   */
    for (size_t j = 0; j < 3; j++) {
        size[j] = blni_size(t, in[j]);
        if (!t->gradient || j == 2 || blni_is_constant(in[j])) continue;
        if (size[j] == 1) all = 1;
        else { kept = 1; slope[j] = BLNI_NORMAL_REST; }
    }
    if (size[2] != 1) kept = t->gradient && !blni_is_constant(sd) ? 2 : 1;
    if (!blni_tape_room(t, 0, kept*n + BLNI_NORMAL_REST, 5)) return;
    double *aux = t->aux + t->n_aux, log_sd = 0.0, squares;
    const double *s = blni_values(t, sd), *a = blni_values(t, x), *m = blni_values(t, mean);
    const size_t sx = size[0] != 1, sm = size[1] != 1;
    aux[0] = 1.0;
    aux[BLNI_NORMAL_SUM] = 0.0;
    if (size[2] != 1) {
        slope[2] = BLNI_NORMAL_REST + (uint32_t)n;
        squares = blni_normal_each(n, a, sx, m, sm, s, aux, kept > 1 ? aux + slope[2] : NULL, &log_sd);
    } else {
        aux[0] = 1.0/(*s**s);
        squares = aux[0]*blni_normal_sums(n, a, sx, m, sm, kept ? aux + BLNI_NORMAL_REST : NULL,
                                          all ? aux + BLNI_NORMAL_SUM : NULL);
        log_sd = *s > 1e-100 && *s < 1e100 ? (double)n*log(*s) : BLNI_NAN;
        aux[BLNI_NORMAL_SD] = (squares - (double)n)/ *s;
    }
    if (!blni_finite(squares + log_sd)) {                        /* far out, or an sd that is none: element by element */
        t->calls = calls;
        blni_lp(t, &blni_lp_of_normal, in);
        return;
    }
    t->target[t->term] -= 0.5*squares + log_sd + (double)n*(0.5*BLNI_LOG_2PI);
    const uint32_t at = blni_tape_take_aux(t, kept*n + BLNI_NORMAL_REST);
    for (size_t j = 0; j < 3; j++) slope[j] += at;
    blni_tape_node(t, &blni_normal_kind, 3, in, blni_var(1 + t->term, 1), at, 0, slope);
}

/* An array of standard normals, whose slopes are -x. */
BLNI_PRIV void blni_std_normal_reverse(bln_tape *t, const blni_cell *c)
{
    bln_axpy(c[-2].out, -t->adj[c->out], t->val + c[-2].op, t->adj + c[-2].op);
}
BLNI_TABLE const blni_node_kind blni_std_normal_kind = { "bln_lp_std_normal", blni_std_normal_reverse };

BLNI_NOINLINE BLNI_PRIV void blni_std_normal_array(bln_tape *t, bln_var x)
{
    const int plain = !t->pointwise && !t->elements && !t->naming && !t->checking && blni_tape_room(t, 0, 0, 3);
    const size_t n = plain && blni_tape_known(t, x) ? blni_size(t, x) : 0;
    if (n < 2) { blni_lp(t, &blni_lp_of_std_normal, &x); return; }
    const double *z = blni_values(t, x);
    t->calls++;
    t->target[t->term] -= 0.5*(bln_dot(n, z, z) + (double)n*BLNI_LOG_2PI);
    blni_tape_node(t, &blni_std_normal_kind, 1, &x, blni_var(1 + t->term, 1), 0, 0, NULL);
}

/* What is quick, for loops over rows of scalars: is there nothing else to do than to add to the target, and room? */
BLNI_NOINLINE BLNI_PRIV int blni_lp_more(bln_tape *t) { return blni_scalar_more(t) && t->len < t->quick; }
BLNI_ALWAYS_INLINE int blni_lp_quick(bln_tape *t)
{
    return (t->len < t->quick && t->n_cell < t->cell_room) || blni_lp_more(t);
}

BLN_API void bln_lp_std_normal(bln_tape *t, bln_var x)
{
    if (!blni_is_scalar(t, x) || !blni_lp_quick(t)) { blni_std_normal_array(t, x); return; }
    const double z = t->val[x.at & BLNI_PLACE];
    t->calls++;
    t->target[t->term] -= 0.5*(z*z + BLNI_LOG_2PI);
    if (t->gradient && !blni_is_constant(x)) blni_lp_cell(t, x.at, -z, 0, 0.0);
}

/* In a loop the same few sds come again and again, so that their logarithms and inverses are kept. */
BLN_API void bln_lp_normal(bln_tape *t, bln_var x, bln_var mean, bln_var sd)
{
    if (!blni_is_scalar(t, x) || !blni_is_scalar(t, mean) || !blni_is_scalar(t, sd)
        || !((x.at | mean.at | sd.at) & BLNI_CONSTANT) || !blni_lp_quick(t)) {
        blni_normal_arrays(t, x, mean, sd);
        return;
    }
    const double s = t->val[sd.at & BLNI_PLACE];
    uint64_t bits;
    memcpy(&bits, &s, sizeof bits);
    const size_t i = (size_t)(bits*UINT64_C(0x9e3779b97f4a7c15) >> 59);
    if (s != t->scale[i].sd || !(s > 0.0)) {                     /* a tape begins with 0 */
        if (!(s > 1e-100 && s < 1e100)) { blni_normal_arrays(t, x, mean, sd); return; }
        t->scale[i].sd = s;
        t->scale[i].inverse = 1.0/s;
        t->scale[i].log = log(s);
    }
    const double inverse = t->scale[i].inverse, z = (t->val[x.at & BLNI_PLACE] - t->val[mean.at & BLNI_PLACE])*inverse;
    const double slope = z*inverse, slope_sd = (z*z - 1.0)*inverse;
    t->calls++;
    t->target[t->term] -= 0.5*(z*z + BLNI_LOG_2PI) + t->scale[i].log;
    if (!t->gradient) return;
    if (blni_is_constant(x)) blni_lp_cell(t, mean.at, slope, sd.at, slope_sd);
    else if (blni_is_constant(sd)) blni_lp_cell(t, x.at, -slope, mean.at, slope);
    else blni_lp_cell(t, x.at, -slope, sd.at, slope_sd);
}
