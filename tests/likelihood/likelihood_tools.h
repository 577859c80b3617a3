/* likelihood_tools.h - what the tests of likelihoods share: all likelihoods by name, single rows, and the checks that each must
 * pass */
#ifndef BLN_TESTS_LIKELIHOOD_TOOLS_H
#define BLN_TESTS_LIKELIHOOD_TOOLS_H
#include "../test.h"
#include "../golden/likelihood_golden.h"
#include "../random/goodness.h"

/* The likelihood of a golden row; an ordinal one has n_theta = 3 there. An unknown name ends the program. */
static TEST_UNUSED bln_likelihood likelihood_named(const char *name)
{
    if (!strcmp(name, "gaussian"))              return bln_likelihood_gaussian();
    if (!strcmp(name, "student_t"))             return bln_likelihood_student_t();
    if (!strcmp(name, "laplace"))               return bln_likelihood_laplace();
    if (!strcmp(name, "asymmetric_laplace"))    return bln_likelihood_asymmetric_laplace(0.3);
    if (!strcmp(name, "binomial_logit"))        return bln_likelihood_binomial(BLN_LINK_LOGIT);
    if (!strcmp(name, "binomial_probit"))       return bln_likelihood_binomial(BLN_LINK_PROBIT);
    if (!strcmp(name, "binomial_cloglog"))      return bln_likelihood_binomial(BLN_LINK_CLOGLOG);
    if (!strcmp(name, "poisson_log"))           return bln_likelihood_poisson(BLN_LINK_LOG);
    if (!strcmp(name, "poisson_softplus"))      return bln_likelihood_poisson(BLN_LINK_SOFTPLUS);
    if (!strcmp(name, "poisson_logistic"))      return bln_likelihood_poisson(BLN_LINK_LOGIT);
    if (!strcmp(name, "negative_binomial"))     return bln_likelihood_negative_binomial();
    if (!strcmp(name, "zero_inflated_poisson")) return bln_likelihood_zero_inflated_poisson();
    if (strcmp(name, "ordinal")) { printf("likelihood_named: \"%s\" has no line there\n", name); exit(1); }
    return bln_likelihood_ordinal(4);
}

/* All likelihoods, with parameters. */
typedef struct likelihood_case { const char *name; double theta[3]; } likelihood_case;
static const likelihood_case likelihood_cases[] TEST_UNUSED = {
    { "gaussian", { 0.37, 0.0, 0.0 } }, { "student_t", { 0.8, 3.5, 0.0 } }, { "laplace", { 0.8, 0.0, 0.0 } },
    { "asymmetric_laplace", { 0.8, 0.0, 0.0 } }, { "binomial_logit", { 0.0, 0.0, 0.0 } },
    { "binomial_probit", { 0.0, 0.0, 0.0 } }, { "binomial_cloglog", { 0.0, 0.0, 0.0 } },
    { "poisson_log", { 0.0, 0.0, 0.0 } }, { "poisson_softplus", { 0.0, 0.0, 0.0 } }, { "poisson_logistic", { 7.0, 0.0, 0.0 } },
    { "negative_binomial", { 2.3, 0.0, 0.0 } },
    { "zero_inflated_poisson", { 0.3, 0.0, 0.0 } }, { "ordinal", { -1.0, 0.7, 2.5 } }
};
enum { LIKELIHOOD_CASES = sizeof likelihood_cases/sizeof *likelihood_cases };

/* NULL if there is none. */
static TEST_UNUSED const likelihood_case *likelihood_case_of(const char *name)
{
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) if (!strcmp(likelihood_cases[c].name, name)) return likelihood_cases + c;
    return NULL;
}

/* One row: `other` is the noise variance of a continuous y, or trials or exposure of a discrete one. The targets point into the
 * struct. */
typedef struct likelihood_row { double y, other; bln_targets t; } likelihood_row;

static TEST_UNUSED void likelihood_row_set(likelihood_row *r, const bln_likelihood *l, double y, double other)
{
    memset(r, 0, sizeof *r);
    r->y = y;
    r->other = other;
    r->t.y = &r->y;
    if (l->ops->discrete) r->t.trials = &r->other;
    else r->t.noise_var = &r->other;
}

static TEST_UNUSED void likelihood_near(double got, double want, double tolerance, const char *what, const char *name, double y,
                                        double f)
{
    char s[200];
    snprintf(s, sizeof s, "%s of %s at y = %g, f = %.17g", what, name, y, f);
    test_near(got, want, tolerance, __FILE__, __LINE__, s);
}

/* The reference's names, and its parameters in the models. */
static TEST_UNUSED bln_likelihood likelihood_of_model(const char *name, double *theta, double *trials)
{
    *trials = strcmp(name, "binomial") ? 1.0 : 9.0;
    theta[0] = !strcmp(name, "gaussian") ? 0.4 : !strcmp(name, "student_t") ? 0.8 : 2.3;
    theta[1] = 3.5;
    if (!strcmp(name, "bernoulli_logit") || !strcmp(name, "binomial")) return likelihood_named("binomial_logit");
    if (!strcmp(name, "bernoulli_probit")) return likelihood_named("binomial_probit");
    return likelihood_named(strcmp(name, "poisson_exp") ? name : "poisson_log");
}

/* tcc takes no HUGE_VAL for a constant: 1e308 in golden tables. */
static TEST_UNUSED double likelihood_golden(double x) { return x >= 1e308 ? HUGE_VAL : x; }

/* Golden rows of one family. Tolerances are those of the reference: |got - want| <= tol max(1, |want|), tol = 1e-13 for log p, d1,
 * d2 and 1e-12 for d3 and the derivatives in theta. Moments and tails have a relative tolerance of 1e-13: f = 700 has an ulp of
 * 1.1e-13, of which f - cut may lose half. In log p of large counts terms of the size y (|log y| + |f|) cancel: a few roundings of
 * these. */
static TEST_UNUSED void likelihood_check_golden(const char *family)
{
    size_t rows = 0;
    for (size_t i = 0; i < sizeof golden_likelihood_rows/sizeof *golden_likelihood_rows; i++) {
        const golden_likelihood_row *g = golden_likelihood_rows + i;
        static const char *const names[8] = { "log p", "d1", "d2", "d3", "mean", "variance", "P(Y <= y)", "P(Y > y)" };
        static const double tolerance[8] = { 1e-13, 1e-13, 1e-13, 1e-12, 1e-13, 1e-13, 1e-13, 1e-13 };
        const bln_likelihood l = likelihood_named(g->family);
        likelihood_row r;
        double got[8], par[3];
        if (strcmp(g->family, family)) continue;
        rows++;
        likelihood_row_set(&r, &l, g->y, g->other);
        bln_likelihood_eval(&l, g->theta, 1, &r.t, &g->f, got, got + 1, got + 2, got + 3);
        bln_likelihood_moments(&l, g->theta, 1, &r.t, &g->f, got + 4, got + 5);
        bln_likelihood_cdf(&l, g->theta, 1, &r.t, &g->f, got + 6, got + 7);
        for (size_t j = 0; j < 8; j++) {
            const double want = likelihood_golden(g->value[j]), size = j >= 4 || fabs(want) > 1.0 ? fabs(want) : 1.0;
            const double terms = j == 0 && l.ops->discrete ? 4.0*DBL_EPSILON*(g->y + 1.0)*(log(g->y + 1.0) + fabs(g->f)) : 0.0;
            if (want > -1e308) likelihood_near(got[j], want, tolerance[j]*size + terms + 5e-323, names[j], g->family, g->y, g->f);
        }
        for (size_t k = 0; k < l.n_theta; k++) {
            blni_likelihood_eval_param(&l, g->theta, k, 1, &r.t, &g->f, par, par + 1, par + 2);
            for (size_t j = 0; j < 3; j++) {
                const double want = g->theta_k[3*k + j], size = fabs(want) > 1.0 ? fabs(want) : 1.0;
                likelihood_near(par[j], want, 1e-12*size, "derivative in theta", g->family, g->y, g->f);
            }
        }
    }
    CHECK(rows > 0);
}

static double likelihood_identity(double x, double p, double q) { (void)p; (void)q; return x; }

/* Checks that draws at f follow the distribution function: u = P(Y < y) + U P(Y = y) is uniform (Brockwell 2007). For n = `draws`,
 * sqrt(n) times the Kolmogorov-Smirnov distance must be below 2.6, 5 sigma (goodness.h). */
static TEST_UNUSED void likelihood_check_draws(const bln_likelihood *l, const double *theta, double other, double f,
                                               uint64_t stream)
{
    enum { DRAWS = 4000 };
    double *y = test_doubles(DRAWS), *fs = test_doubles(DRAWS), *o = test_doubles(DRAWS), *low = test_doubles(DRAWS),
           *below = test_doubles(DRAWS), *u = test_doubles(DRAWS);
    bln_targets t = BLN_ZERO;
    bln_rng rng;
    bln_rng_seed(&rng, 5, stream);
    for (size_t i = 0; i < DRAWS; i++) { fs[i] = f; o[i] = other; }
    if (l->ops->discrete) t.trials = o;
    else t.noise_var = o;
    bln_likelihood_draw(l, theta, DRAWS, &t, fs, &rng, y);
    t.y = y;
    bln_likelihood_cdf(l, theta, DRAWS, &t, fs, low, NULL);
    for (size_t i = 0; i < DRAWS; i++) {
        CHECK(!l->ops->discrete || y[i] == floor(y[i]));
        y[i] -= l->ops->discrete ? 1.0 : 0.0;
    }
    bln_likelihood_cdf(l, theta, DRAWS, &t, fs, below, NULL);
    for (size_t i = 0; i < DRAWS; i++) u[i] = below[i] + bln_rng_uniform(&rng)*(low[i] - below[i]);
    likelihood_near(goodness_kolmogorov(DRAWS, u, likelihood_identity, 0.0, 0.0), 0.0, 2.6, "distance of PIT", l->ops->name, other,
                    f);
    free(y); free(fs); free(o); free(low); free(below); free(u);
}

/* Checks that quantiles are the least y with P(Y <= y) >= p: a discrete y is whole and has P(Y <= y - 1) < p; for a continuous y
 * the cdf is p, up to the rounding of y. p = 0 and 1 give the ends of the support; p outside [0, 1] gives NaN. */
static TEST_UNUSED void likelihood_check_quantiles(const bln_likelihood *l, const double *theta, double other, double f)
{
    static const double p[] = { 1e-12, 1e-3, 0.025, 0.3, 0.5, 0.77, 0.975, 0.999, 1.0 - 1e-12 };
    likelihood_row r;
    double low, high, end[2] = { 0.0, 1.0 }, y[2], outside = 1.5, slope;
    for (size_t i = 0; i < sizeof p/sizeof *p; i++) {
        const double q = 1.0 - p[i];
        likelihood_row_set(&r, l, 0.0, other);
        bln_likelihood_quantile(l, theta, 1, &r.t, &f, p + i, &r.y);
        bln_likelihood_cdf(l, theta, 1, &r.t, &f, &low, &high);
        if (l->ops->discrete) {
            CHECK(r.y == floor(r.y));
            CHECK(p[i] <= q ? low >= p[i] : high <= q);
            r.y -= 1.0;
            bln_likelihood_cdf(l, theta, 1, &r.t, &f, &low, &high);
            CHECK(p[i] <= q ? low < p[i] : high > q);
        } else {
            bln_likelihood_logp(l, theta, 1, &r.t, &f, &slope);
            likelihood_near(p[i] <= q ? low : high, p[i] <= q ? p[i] : q, 1e-12*(p[i] <= q ? p[i] : q)
                            + 4.0*DBL_EPSILON*(fabs(r.y) + fabs(f))*exp(slope), "cdf of quantile", l->ops->name, r.y, f);
        }
    }
    likelihood_row_set(&r, l, 0.0, other);
    for (size_t i = 0; i < 2; i++) bln_likelihood_quantile(l, theta, 1, &r.t, &f, end + i, y + i);
    blni_support(l, other, &low, &high);
    CHECK(y[0] == low && y[1] == high);
    bln_likelihood_quantile(l, theta, 1, &r.t, &f, &outside, y);
    CHECK(y[0] != y[0]);
}

/* Checks that the probabilities of a discrete y sum to 1, and to the moments and the cdf, to about 1e-12 of roundings of log p. */
static TEST_UNUSED void likelihood_check_sums(const bln_likelihood *l, const double *theta, double other, double f, double to)
{
    likelihood_row r;
    double sum = 0.0, first = 0.0, second = 0.0, mean, var, logp, low, high;
    likelihood_row_set(&r, l, 0.0, other);
    bln_likelihood_moments(l, theta, 1, &r.t, &f, &mean, &var);
    for (; r.y <= to; r.y += 1.0) {
        bln_likelihood_logp(l, theta, 1, &r.t, &f, &logp);
        bln_likelihood_cdf(l, theta, 1, &r.t, &f, &low, &high);
        sum += exp(logp);
        first += exp(logp)*r.y;
        second += exp(logp)*(r.y - mean)*(r.y - mean);
        likelihood_near(low, sum, 1e-12, "sum of p and cdf", l->ops->name, r.y, f);
        likelihood_near(high, 1.0 - sum, 1e-12, "sum of p and upper tail", l->ops->name, r.y, f);
    }
    likelihood_near(sum, 1.0, 1e-12, "sum of p", l->ops->name, to, f);
    likelihood_near(first, mean, 1e-11*(mean + 1.0), "mean", l->ops->name, to, f);
    likelihood_near(second, var, 1e-10*(var + 1.0), "variance", l->ops->name, to, f);
}

/* The checks of every family: golden values, draws and quantiles at several f, with and without the other column. */
static TEST_UNUSED void likelihood_check_family(const char *family, double other, const double *f, size_t n, uint64_t stream)
{
    const likelihood_case *c = likelihood_case_of(family);
    const bln_likelihood l = likelihood_named(family);
    const char *reason = bln_likelihood_check(&l);
    if (reason) CHECK_TEXT(reason, "no reason at all");
    CHECK(c != NULL && !strcmp(l.ops->name, family));
    for (size_t i = 0; i < n && c; i++) {
        likelihood_check_draws(&l, c->theta, i % 2 || !strcmp(family, "ordinal") ? 1.0 : other, f[i], stream + i);
        likelihood_check_quantiles(&l, c->theta, strcmp(family, "ordinal") ? other : 1.0, f[i]);
    }
}

/* Constants of n rows, computed in blocks: constant j of row i at [j*ldc + i]. */
static TEST_UNUSED void likelihood_constants(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t,
                                             double *constants, size_t ldc)
{
    double room[BLNI_CONSTANTS_ROOM];
    for (size_t i = 0; i < n && l->ops->constants; i += BLN_LIKELIHOOD_BLOCK) {
        const size_t rows = blni_min(n - i, BLN_LIKELIHOOD_BLOCK);
        const bln_targets b = blni_targets_block(l, theta, t, i, rows, room);
        for (size_t j = 0; j < l->ops->n_constants; j++) memcpy(constants + j*ldc + i, b.constants + j*rows, rows*sizeof *room);
    }
}

/* The quantile of y at each row. */
static TEST_UNUSED void predictive_quantile(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double p,
                                            double *y)
{
    for (size_t i = 0; i < n; i++) y[i] = blni_predict_quantile(l, t, f, i, p, 1.0 - p);
}

#endif /* BLN_TESTS_LIKELIHOOD_TOOLS_H */
