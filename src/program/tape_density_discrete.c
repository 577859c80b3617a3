/* tape_density_discrete: counts and classes, and the Dirichlet distribution of their probabilities, with slopes derived by hand */
#include "tape_density_private.h"
#include "../math/special_private.h"
#include "../math/vecmath_private.h"

/* l = log(1 + e^-|f|), and s = e^-|f|/(1 + e^-|f|). */
BLNI_PRIV void blni_tail_block(size_t n, const double *f, int one, double *l, double *s)
{
    for (size_t i = 0; i < n; i++) l[i] = -fabs(f[i]);
    blni_lp_map(bln_log1pexp, bln_vec_log1pexp, one, n, l, l);
    for (size_t i = 0; i < n; i++) s[i] = -fabs(f[i]) - l[i];
    blni_lp_map(exp, bln_vec_exp, one, n, s, s);
}
/* y f - n log(1 + e^f), without loss where it is near 0, and its slope in f, y - n/(1 + e^-f). */
BLNI_PRIV double blni_logit_term(double y, double n, double f, double l) { return -(n*l + (f > 0.0 ? (n - y)*f : -y*f)); }
BLNI_PRIV double blni_logit_slope(double y, double n, double f, double s) { return f > 0.0 ? y - n + n*s : y - n*s; }

BLNI_PRIV void blni_bernoulli_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    blni_vec_logit(n, x[0], NULL, NULL, x[1], lp, d[1], NULL, NULL);
}

BLNI_PRIV double blni_bernoulli_single(const double *const *x, double *d)
{
    const double f = *x[1], e = exp(-fabs(f));
    d[1] = blni_logit_slope(*x[0], 1.0, f, e/(1.0 + e));
    return blni_logit_term(*x[0], 1.0, f, log1p(e));
}

BLNI_PRIV void blni_binomial_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    const double *y = x[0], *trials = x[1];
    double ways[BLNI_LP_BLOCK];
    for (size_t i = 0; i < n; i++) ways[i] = y[i] > trials[i] ? -HUGE_VAL : bln_log_choose(trials[i], y[i]);
    blni_vec_logit(n, y, trials, ways, x[2], lp, d[2], NULL, NULL);
}

/* log y! in w. */
BLNI_PRIV void blni_factorials(size_t n, const double *y, int one, double *w)
{
    for (size_t i = 0; i < n; i++) w[i] = y[i] + 1.0;
    blni_lgamma_block(n, w, one, w);
}

BLNI_PRIV void blni_poisson_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    const double *y = x[0], *f = x[1];
    double mean[BLNI_LP_BLOCK];
    blni_lp_map(exp, bln_vec_exp, one[1], n, f, mean);
    blni_factorials(n, y, one[0], lp);
    for (size_t i = 0; i < n; i++) lp[i] = y[i]*f[i] - mean[i] - lp[i];
    for (size_t i = 0; i < n && d[1]; i++) d[1][i] = y[i] - mean[i];
}

/* The slope of log Gamma(r + y) - log Gamma(r) in r. From 20 on the digammas cancel, and Stirling's series takes their place, whose
 * next term is below 2e-15.                                                                                  [DLMF 5.11] */
BLNI_PRIV double blni_stirling_slope(double x)
{
    const double w = 1.0/(x*x);
    return -w*(1.0/12.0 - w*(1.0/120.0 - w*(1.0/252.0 - w/240.0)));
}
BLNI_PRIV double blni_rising_slope(double r, double y)
{
    if (!(r >= 20.0)) return bln_digamma(r + y) - bln_digamma(r);
    return log1p(y/r) + 0.5*y/(r*(r + y)) + blni_stirling_slope(r + y) - blni_stirling_slope(r);
}

/* With u = f - log r: y u - (y + r) log(1 + e^u) + log Gamma(r + y)/Gamma(r) - log y!, where r = size. */
BLNI_PRIV void blni_neg_binomial_block(size_t n, const double *const *x, const int *one, double *lp, double *const *d)
{
    const double *y = x[0], *f = x[1], *r = x[2];
    double u[BLNI_LP_BLOCK], l[BLNI_LP_BLOCK], s[BLNI_LP_BLOCK];
    blni_log_block(n, r, one[2], u);
    for (size_t i = 0; i < n; i++) u[i] = f[i] - u[i];
    blni_tail_block(n, u, one[1] && one[2], l, s);
    blni_factorials(n, y, one[0], lp);
    for (size_t i = 0; i < n; i++) {
        const double slope = blni_logit_slope(y[i], y[i] + r[i], u[i], s[i]);
        lp[i] = blni_logit_term(y[i], y[i] + r[i], u[i], l[i]) + blni_log_rising_double(r[i], y[i]) - lp[i];
        if (d[1]) d[1][i] = slope;
        if (d[2]) d[2][i] = blni_rising_slope(r[i], y[i]) - l[i] - (u[i] > 0.0 ? u[i] : 0.0) - slope/r[i];
    }
}

BLNI_LPDF(bernoulli_logit, bernoulli, blni_bernoulli_single, 2, "y", BIT, "f", REAL, "", REAL, "", REAL);
BLNI_LPDF(binomial_logit, binomial, NULL, 3, "y", COUNT, "trials", COUNT, "f", REAL, "", REAL);
BLNI_LPDF(poisson_log, poisson, NULL, 2, "y", COUNT, "f", REAL, "", REAL, "", REAL);
BLNI_LPDF(neg_binomial_log, neg_binomial, NULL, 3, "y", COUNT, "f", REAL, "size", ABOVE_0, "", REAL);

BLN_API void bln_lp_bernoulli_logit(bln_tape *t, bln_var y, bln_var f) { blni_lp2(t, &blni_lp_of_bernoulli_logit, y, f); }
BLN_API void bln_lp_poisson_log(bln_tape *t, bln_var y, bln_var f) { blni_lp2(t, &blni_lp_of_poisson_log, y, f); }
BLN_API void bln_lp_neg_binomial_log(bln_tape *t, bln_var y, bln_var f,
                                     bln_var size) { blni_lp3(t, &blni_lp_of_neg_binomial_log, y, f, size); }

/* y > trials: of constants, so that it is seen when the program is created. */
BLN_API void bln_lp_binomial_logit(bln_tape *t, bln_var y, bln_var trials, bln_var f)
{
    const size_t n = bln_v_size(t, y), m = bln_v_size(t, trials);
    for (size_t i = 0; t->checking && i < n && (i < m || m == 1); i++) {
        const double successes = blni_values(t, y)[i];
        if (successes <= blni_values(t, trials)[m == 1 ? 0 : i]) continue;
        t->calls++;
        blni_lp_outside(t, "bln_lp_binomial_logit", "y", 1, i, successes, "at most the number of trials");
        return;
    }
    blni_lp3(t, &blni_lp_of_binomial_logit, y, trials, f);
}

/* ---- classes */

BLNI_TABLE const blni_node_kind blni_categorical_kind = { "bln_lp_categorical_logit", blni_sum_reverse };

/* slope_k -= e^f_k/sum e^f, slope_y += 1. Returns f_y - log sum e^f. */
BLNI_PRIV double blni_class_row(size_t K, const double *f, size_t y, double *slope)
{
    const double total = bln_logsumexp(K, f);
    for (size_t k = 0; k < K && slope; k++) slope[k] -= exp(f[k] - total);
    if (slope) slope[y] += 1.0;
    return f[y] - total;
}

BLN_API void bln_lp_categorical_logit(bln_tape *t, bln_var y, bln_var f)
{
    static const char *const name = "bln_lp_categorical_logit";
    bln_var in[2] = { f, y };
    if (!blni_tape_ready(t, name, 2, in)) return;
    const size_t n = blni_size(t, y), all = blni_size(t, f), K = f.n & BLNI_MATRIX ? blni_cols(t, f) : all;
    if (!blni_is_constant(y)) { blni_tape_fail(t, BLN_EINVAL, name, "y is discrete, and must be a constant"); return; }
    if (all != K && all != n*K) {
        blni_tape_fail(t, BLN_ESHAPE, name, "y has ");
        blni_tape_say_size(t, n);
        blni_tape_say_with(t, " elements, f has ", all/K);
        blni_tape_say(t, " rows");
        return;
    }
    if (!blni_tape_room(t, 0, all, 3)) return;
    const int slopes = t->gradient && !blni_is_constant(f);
    const uint32_t aux = slopes ? blni_tape_take_aux(t, all) : 0;
    const double *v = blni_values(t, f), *classes = blni_values(t, y);
    double *d = slopes ? t->aux + aux : NULL;
    for (size_t k = 0; k < all && d; k++) d[k] = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double c = classes[i];
        if (!(c >= 0.0 && c < (double)K && c == floor(c))) {
            blni_lp_outside(t, name, "y", 1, i, c, "a class of f");
            return;
        }
        const size_t at = all == K ? 0 : i*K;
        const double lp = blni_class_row(K, v + at, (size_t)c, d ? d + at : NULL);
        blni_tape_keep_rows(t, 1, &lp);
        t->target[t->term] += lp;
    }
    blni_tape_node(t, &blni_categorical_kind, 1, in, blni_var(1 + t->term, 1), 0, 0, &aux);
}

BLNI_TABLE const blni_node_kind blni_dirichlet_kind = { "bln_lp_dirichlet", blni_sum_reverse };

/* log Gamma(sum alpha) + sum (alpha_k - 1) log x_k - log Gamma(alpha_k) */
BLN_API void bln_lp_dirichlet(bln_tape *t, bln_var x, bln_var alpha)
{
    static const char *const name = "bln_lp_dirichlet", *const arguments[] = { "x", "alpha" };
    bln_var in[2] = { x, alpha };
    size_t K;
    uint32_t aux[2] = { 0, 0 };
    if (!blni_tape_broadcast(t, name, 2, arguments, in, &K)) return;
    if (blni_size(t, x) != K) { blni_tape_fail(t, BLN_ESHAPE, name, "x is a scalar"); return; }
    if (!blni_tape_room(t, 0, blni_add(K, blni_size(t, alpha)), 4)) return;
    for (size_t j = 0; j < 2; j++)
        if (t->gradient && !blni_is_constant(in[j])) aux[j] = blni_tape_take_aux(t, blni_size(t, in[j]));
    const double *v = blni_values(t, x), *a = blni_values(t, alpha);
    const size_t step = blni_size(t, alpha) != 1;
    double sum = 0.0, lp = 0.0, psi = 0.0;
    for (size_t k = 0; k < K; k++) {
        const int bad = !(a[k*step] > 0.0);
        if (bad || !(v[k] > 0.0)) {
            blni_lp_outside(t, name, bad ? "alpha" : "x", blni_is_constant(in[bad]), k, bad ? a[k*step] : v[k], "> 0");
            return;
        }
        sum += a[k*step];
    }
    double *dx = t->gradient && !blni_is_constant(x) ? t->aux + aux[0] : NULL;
    double *da = t->gradient && !blni_is_constant(alpha) ? t->aux + aux[1] : NULL;
    if (da) psi = bln_digamma(sum);
    if (da && !step) da[0] = 0.0;
    for (size_t k = 0; k < K; k++) {
        const double log_x = log(v[k]), slope = da ? psi - bln_digamma(a[k*step]) + log_x : 0.0;
        lp += (a[k*step] - 1.0)*log_x - bln_lgamma(a[k*step]);
        if (dx) dx[k] = (a[k*step] - 1.0)/v[k];
        if (da && step) da[k] = slope;
        else if (da) da[0] += slope;
    }
    if (K) lp += bln_lgamma(sum);
    blni_tape_keep_rows(t, 1, &lp);
    t->target[t->term] += lp;
    blni_tape_node(t, &blni_dirichlet_kind, 2, in, blni_var(1 + t->term, 1), 0, 0, aux);
}
