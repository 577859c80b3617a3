/* augment: at v = 0 the bound is log p, with weights, trials and noise variances; sites are its slopes; golden values; its slopes
 * in the parameters by differences; drawn sites have the expected means; a chain that draws Omega | f and f | Omega stays in the
 * posterior that quadrature gives, and in the joint law of f and y that it starts in.
 *
 * Seeds are fixed; bounds of draws are those of 5 standard deviations. */
#include "likelihood_tools.h"
#include "../golden/augment_golden.h"

/* A row of each likelihood: y, its trials or noise variance, weight. */
typedef struct augment_case { const char *name; double theta[2], y, other, weight; } augment_case;
static const augment_case augment_cases[] = {
    { "binomial_logit", { 0.0, 0.0 }, 1.0, 1.0, 1.0 }, { "binomial_logit", { 0.0, 0.0 }, 2.0, 7.0, 2.6 },
    { "binomial_logit", { 0.0, 0.0 }, 0.0, 3.0, 0.3 }, { "binomial_probit", { 0.0, 0.0 }, 1.0, 1.0, 1.0 },
    { "binomial_probit", { 0.0, 0.0 }, 3.0, 4.0, 2.0 }, { "negative_binomial", { 2.3, 0.0 }, 3.0, 1.0, 1.0 },
    { "negative_binomial", { 0.4, 0.0 }, 0.0, 2.5, 1.7 }, { "negative_binomial", { 40.0, 0.0 }, 25.0, 0.7, 0.5 },
    { "poisson_logistic", { 7.0, 0.0 }, 3.0, 1.0, 1.0 }, { "poisson_logistic", { 2.0, 0.0 }, 0.0, 3.0, 0.6 },
    { "poisson_logistic", { 4.0, 0.0 }, 6.0, 1.3, 2.6 }, { "gaussian", { 0.37, 0.0 }, 0.8, 2.0, 1.5 },
    { "student_t", { 0.8, 3.5 }, 1.9, 1.0, 1.0 },
    { "student_t", { 0.5, 1.0 }, -2.0, 3.0, 2.6 }, { "laplace", { 0.8, 0.0 }, 0.4, 1.0, 1.0 },
    { "laplace", { 0.3, 0.0 }, -1.0, 4.0, 2.6 }, { "asymmetric_laplace", { 0.5, 0.0 }, 1.3, 1.0, 1.0 },
    { "asymmetric_laplace", { 0.8, 0.0 }, -0.4, 2.0, 1.7 } };
enum { AUGMENT_CASES = sizeof augment_cases/sizeof *augment_cases };

/* Each likelihood of one latent that the library can augment has a case. */
TEST(augment, all_likelihoods)
{
    const bln_load all = bln_builtin();
    for (size_t i = 0; i < all.n_likelihoods; i++) {
        const bln_likelihood *const l = all.likelihoods + i;
        size_t cases = 0;
        if (l->ops->latents || !blni_augmentation_of(l, NULL)) continue;
        for (size_t c = 0; c < AUGMENT_CASES; c++) cases += !strcmp(augment_cases[c].name, l->ops->name);
        CHECK(cases > 0);
        if (!cases) printf("    %s: add it to augment_cases\n", l->ops->name);
    }
}

static double augment_ell(const bln_likelihood *l, const double *theta, const likelihood_row *r, double weight, double m, double v)
{
    double ell = 0.0;
    blni_augmentation_of(l, NULL)->collapsed(l, theta, 1, &r->t, &weight, &m, v > 0.0 ? &v : NULL, &ell, NULL, NULL, NULL, 0);
    return ell;
}

TEST(augment, bound_is_log_p_where_f_is_known)
{
    for (size_t c = 0; c < AUGMENT_CASES; c++) {
        const augment_case *a = augment_cases + c;
        const bln_likelihood l = likelihood_named(a->name);
        likelihood_row r;
        likelihood_row_set(&r, &l, a->y, a->other);
        for (double f = -30.0; f < 30.0; f += 1.37) {
            double logp = 0.0;
            bln_likelihood_logp(&l, a->theta, 1, &r.t, &f, &logp);
            likelihood_near(augment_ell(&l, a->theta, &r, a->weight, f, 0.0), a->weight*logp, 1e-13*fmax(1.0, fabs(logp)*a->weight),
                            "bound", a->name, a->y, f);
        }
    }
}

/* Differences with a step of 1e-3 on five points: errors of 1e-12 times fifth derivatives, and 1e-16/1e-3 of rounding. */
static double augment_difference(const double *ell) { return (8.0*(ell[2] - ell[1]) - (ell[3] - ell[0]))/12e-3; }

TEST(augment, sites_and_slopes_are_derivatives_of_the_bound)
{
    static const double steps[4] = { -2e-3, -1e-3, 1e-3, 2e-3 };
    for (size_t c = 0; c < AUGMENT_CASES; c++) {
        const augment_case *a = augment_cases + c;
        const bln_likelihood l = likelihood_named(a->name);
        likelihood_row r;
        likelihood_row_set(&r, &l, a->y, a->other);
        for (double m = -2.3; m < 3.0; m += 0.9)
            for (double v = 0.3; v < 5.0; v *= 3.0) {
                double ell, h, precision, deta[2], e[4], in_v[4];
                blni_augmentation_of(&l, NULL)->collapsed(&l, a->theta, 1, &r.t, &a->weight, &m, &v, &ell, &h, &precision, deta, 1);
                CHECK_NEAR(ell, augment_ell(&l, a->theta, &r, a->weight, m, v), 0.0);
                for (size_t k = 0; k < 4; k++) {
                    e[k] = augment_ell(&l, a->theta, &r, a->weight, m + steps[k], v + m*m - (m + steps[k])*(m + steps[k]));
                    in_v[k] = augment_ell(&l, a->theta, &r, a->weight, m, v + steps[k]);
                }
                CHECK_NEAR(h, augment_difference(e), 1e-8*fmax(1.0, fabs(h)));
                CHECK_NEAR(precision, -2.0*augment_difference(in_v), 1e-8*fmax(1.0, precision));
                for (size_t j = 0; j < l.n_theta; j++) {
                    for (size_t k = 0; k < 4; k++) {
                        double theta[2] = { a->theta[0], a->theta[1] };
                        theta[j] *= 1.0 + steps[k];
                        e[k] = augment_ell(&l, theta, &r, a->weight, m, v);
                    }
                    CHECK_NEAR(deta[j], augment_difference(e)/a->theta[j], 1e-8*fmax(1.0, fabs(deta[j])));
                }
            }
    }
}

TEST(augment, golden_sites)
{
    for (size_t i = 0; i < sizeof golden_augment/sizeof *golden_augment; i++) {
        const char *name = golden_augment[i].name;
        const double size = 2.5, t[2] = { sqrt(0.3), 4.0 }, b = !strcmp(name, "laplace") ? 0.6 : 0.5, rate = 8.0;
        const double n = golden_augment[i].n, m = golden_augment[i].m;
        const double v = golden_augment[i].s - m*m;
        const int counts = !strcmp(name, "negative_binomial");
        const bln_likelihood l = likelihood_named(name);                                  /* of quantile 0.3, as there */
        double ell, h, precision;
        likelihood_row r;
        likelihood_row_set(&r, &l, golden_augment[i].y, counts ? size : n > 0.0 ? n : 1.0);    /* there the mean is size e^f */
        const double *theta = counts ? &size : l.n_theta > 1 ? t : l.ops->discrete ? &rate : &b;
        blni_augmentation_of(&l, NULL)->collapsed(&l, theta, 1, &r.t, NULL, &m, &v, &ell, &h, &precision, NULL, 0);
        CHECK_GOLD(ell, golden_augment[i].ell, 1e-12);
        CHECK_GOLD(h, golden_augment[i].h, 1e-12);
        CHECK_GOLD(precision, golden_augment[i].precision, 1e-12);
    }
}

/* E h and E precision of draws; their variances as seen. */
TEST(augment, drawn_sites_have_the_expected_means)
{
    enum { N = 20000 };
    for (size_t c = 0; c < AUGMENT_CASES; c++)
        for (int with_v = 0; with_v < 2; with_v++) {
            const augment_case *a = augment_cases + c;
            const bln_likelihood l = likelihood_named(a->name);
            const blni_augmentation *table = blni_augmentation_of(&l, NULL);
            const double m = 0.7, v = 1.9;
            double h, precision, want_h, want, sum[2] = { 0.0 }, square[2] = { 0.0 };
            bln_rng rng;
            likelihood_row r;
            bln_rng_seed(&rng, 61, 2*c + (size_t)with_v);
            likelihood_row_set(&r, &l, a->y, a->other);
            table->collapsed(&l, a->theta, 1, &r.t, &a->weight, &m, with_v ? &v : NULL, NULL, &want_h, &want, NULL, 0);
            for (int i = 0; i < N; i++) {
                table->draw(&l, a->theta, 1, &r.t, &a->weight, &m, with_v ? &v : NULL, &rng, &h, &precision);
                sum[0] += h - want_h;
                sum[1] += precision - want;
                square[0] += (h - want_h)*(h - want_h);
                square[1] += (precision - want)*(precision - want);
            }
            goodness_near(sum[0], 0.0, 5.0*sqrt(square[0]) + 1e-9, "mean h", a->name, a->y, with_v);
            goodness_near(sum[1], 0.0, 5.0*sqrt(square[1]) + 1e-9, "mean precision", a->name, a->y, with_v);
        }
}

/* ---- chains of one f with a normal prior */

static double augment_step(const bln_likelihood *l, const double *theta, const bln_targets *t, const double *weight, double f,
                           double mean, double var, bln_rng *rng)
{
    double h, precision;
    blni_augmentation_of(l, NULL)->draw(l, theta, 1, t, weight, &f, NULL, rng, &h, &precision);
    const double P = precision + 1.0/var;
    return (h + mean/var)/P + bln_rng_normal(rng)/sqrt(P);
}

/* f from its posterior by its distribution function on a grid, then one step: moments must be those of the grid. */
TEST(augment, one_step_stays_in_the_posterior)
{
    enum { GRID = 4000, N = 20000 };
    static const double mean = 0.3, var = 2.0;
    double *p = test_doubles(GRID + 1);
    for (size_t c = 0; c < AUGMENT_CASES; c++) {
        const augment_case *a = augment_cases + c;
        const bln_likelihood l = likelihood_named(a->name);
        const double low = mean - 12.0, step = 24.0/GRID;
        double total = 0.0, moment[3] = { 0.0 }, fourth = 0.0, sum[3] = { 0.0 };
        likelihood_row r;
        bln_rng rng;
        bln_rng_seed(&rng, 62, c);
        likelihood_row_set(&r, &l, a->y, a->other);
        for (int i = 0; i <= GRID; i++) {
            const double f = low + step*i, g = tanh(2.0*(f - 0.5));
            double logp;
            bln_likelihood_logp(&l, a->theta, 1, &r.t, &f, &logp);
            const double q = exp(a->weight*logp - 0.5*(f - mean)*(f - mean)/var);
            p[i] = total += q;
            moment[0] += f*q;
            moment[1] += f*f*q;
            moment[2] += g*q;
            fourth += f*f*f*f*q;
        }
        for (int i = 0; i < N; i++) {
            const double u = bln_rng_uniform(&rng)*total;
            size_t at = 0, end = GRID;
            while (at < end) { const size_t half = (at + end)/2; if (p[half] < u) at = half + 1; else end = half; }
            double f = low + step*((double)at - 0.5 + bln_rng_uniform(&rng));
            f = augment_step(&l, a->theta, &r.t, &a->weight, f, mean, var, &rng);
            sum[0] += f - moment[0]/total;
            sum[1] += f*f - moment[1]/total;
            sum[2] += tanh(2.0*(f - 0.5)) - moment[2]/total;
        }
        const double n = N, m1 = moment[0]/total, m2 = moment[1]/total;
        goodness_near(sum[0], 0.0, 5.0*sqrt(n*(m2 - m1*m1)), "f", a->name, a->y, a->weight);
        goodness_near(sum[1], 0.0, 5.0*sqrt(n*(fourth/total - m2*m2)), "f^2", a->name, a->y, a->weight);
        goodness_near(sum[2], 0.0, 5.0*sqrt(n), "tanh f", a->name, a->y, a->weight);
    }
    free(p);
}

/* f from its prior, y from p(y | f), three steps at this y: f and y are as at the start. */
TEST(augment, keeps_the_joint)
{
    enum { N = 8000 };
    for (size_t c = 0; c < AUGMENT_CASES; c++) {
        const augment_case *a = augment_cases + c;
        const bln_likelihood l = likelihood_named(a->name);
        double sum[3] = { 0.0 }, square[3] = { 0.0 };
        bln_rng rng;
        bln_rng_seed(&rng, 63, c);
        for (int i = 0; i < N; i++) {
            const double start = 0.3 + 1.2*bln_rng_normal(&rng);
            double f = start;
            likelihood_row r;
            likelihood_row_set(&r, &l, 0.0, a->other);
            bln_likelihood_draw(&l, a->theta, 1, &r.t, &f, &rng, &r.y);
            for (int k = 0; k < 3; k++) f = augment_step(&l, a->theta, &r.t, NULL, f, 0.3, 1.44, &rng);
            const double y = r.y/(1.0 + fabs(r.y));
            const double d[3] = { f - start, f*f - start*start, (f - start)*y };
            for (int j = 0; j < 3; j++) { sum[j] += d[j]; square[j] += d[j]*d[j]; }
        }
        for (int j = 0; j < 3; j++) goodness_near(sum[j], 0.0, 5.0*sqrt(square[j]), "exact start", a->name, a->other, j);
    }
}

TEST(augment, rows_that_say_nothing_and_limits)
{
    const bln_likelihood l = bln_likelihood_binomial(BLN_LINK_LOGIT), none = bln_likelihood_poisson(BLN_LINK_LOG);
    const bln_likelihood laplace = bln_likelihood_laplace();
    const char *why = NULL;
    const double y[3] = { 1.0, 0.0, 1.0 }, trials[3] = { 1.0, 0.0, 1.0 }, weight[3] = { 0.0, 1.0, 1.0 }, m[3] = { 0.3, 0.1, 700.0 };
    double h[3], precision[3], ell[3], b = 0.5;
    bln_targets t = BLN_ZERO;
    bln_rng rng, before;
    t.y = y;
    t.trials = trials;
    bln_rng_seed(&rng, 64, 0);
    before = rng;
    blni_augmentation_of(&l, NULL)->draw(&l, NULL, 2, &t, weight, m, NULL, &rng, h, precision);
    CHECK(h[0] == 0.0 && h[1] == 0.0 && precision[0] == 0.0 && precision[1] == 0.0 && !memcmp(&rng, &before, sizeof rng));
    blni_augmentation_of(&l, NULL)->collapsed(&l, NULL, 3, &t, weight, m, NULL, ell, h, precision, NULL, 0);
    CHECK(ell[0] == 0.0 && ell[1] == 0.0 && h[1] == 0.0 && precision[1] == 0.0);
    CHECK(precision[2] > 0.0 && ell[2] <= 0.0 && ell[2] > -1e-300);
    CHECK(!blni_augmentation_of(&none, &why) && why && !blni_augmentation_of(&none, NULL));
    /* f = y of the Laplace likelihood: the precision stays finite. */
    t.trials = NULL;
    blni_augmentation_of(&laplace, NULL)->collapsed(&laplace, &b, 1, &t, NULL, y, NULL, ell, h, precision, NULL, 0);
    CHECK_REL(precision[0], 4e12, 1e-15);
    CHECK_REL(ell[0], -log(1.0), 1e-15);
    for (int i = 0; i < 1000; i++) {
        blni_augmentation_of(&laplace, NULL)->draw(&laplace, &b, 1, &t, NULL, y, NULL, &rng, h, precision);
        CHECK(precision[0] > 0.0 && precision[0] <= 4.001e12 && h[0] == precision[0]);
    }
}

/* Blocks: 300 rows at once are the rows one by one, draws too. */
TEST(augment, rows_together_and_apart)
{
    enum { N = 300 };
    double y[N], m[N], v[N], weight[N], ell[N], h[N], precision[N], deta[N], one[4];
    const double size = 1.7;
    const bln_likelihood l = bln_likelihood_negative_binomial();
    const blni_augmentation *a = blni_augmentation_of(&l, NULL);
    bln_targets t = BLN_ZERO, s;
    bln_rng rng, copy;
    t.y = y;
    bln_rng_seed(&rng, 65, 0);
    for (int i = 0; i < N; i++) {
        y[i] = (double)bln_rng_below(&rng, 12);
        m[i] = bln_rng_normal(&rng);
        v[i] = bln_rng_exponential(&rng);
        weight[i] = i % 7 ? bln_rng_uniform(&rng) : 0.0;
    }
    a->collapsed(&l, &size, N, &t, weight, m, v, ell, h, precision, deta, N);
    for (size_t i = 0; i < N; i++) {
        s = t;
        s.y = y + i;
        a->collapsed(&l, &size, 1, &s, weight + i, m + i, v + i, one, one + 1, one + 2, one + 3, 1);
        CHECK(one[0] == ell[i] && one[1] == h[i] && one[2] == precision[i] && one[3] == deta[i]);
    }
    copy = rng;
    a->draw(&l, &size, N, &t, weight, m, v, &rng, h, precision);
    for (size_t i = 0; i < N; i++) {
        s = t;
        s.y = y + i;
        a->draw(&l, &size, 1, &s, weight + i, m + i, v + i, &copy, one, one + 1);
        CHECK(one[0] == h[i] && one[1] == precision[i]);
    }
}

/* At f = 0, and where v = 0 beside rows that have one, bounds are log p as well, and the site of a trial is y - 1/2 and 1/4. */
TEST(augment, where_all_is_0)
{
    const double f[2] = { 0.0, 0.5 }, v[2] = { 0.0, 0.2 }, y[2] = { 1.0, 0.0 }, theta[2] = { 0.8, 3.5 };
    const bln_likelihood logit = bln_likelihood_binomial(BLN_LINK_LOGIT), student = bln_likelihood_student_t();
    bln_targets t = BLN_ZERO;
    double ell[2], h[2], precision[2], logp;
    t.y = y;
    blni_augmentation_of(&logit, NULL)->collapsed(&logit, NULL, 2, &t, NULL, f, v, ell, h, precision, NULL, 0);
    CHECK_REL(ell[0], -log(2.0), 1e-15);
    CHECK_REL(h[0], 0.5, 1e-15);
    CHECK_REL(precision[0], 0.25, 1e-15);
    blni_augmentation_of(&student, NULL)->collapsed(&student, theta, 2, &t, NULL, f, v, ell, h, precision, NULL, 0);
    bln_likelihood_logp(&student, theta, 1, &t, f, &logp);
    CHECK_REL(ell[0], logp, 1e-14);
    CHECK_REL(precision[0], 4.5/(3.5*0.64 + 1.0), 1e-14);                /* (nu + 1)/(nu s^2 + r^2) */
}

SUITE_BEGIN(augment)
    SUITE_TEST(augment, all_likelihoods)
    SUITE_TEST(augment, bound_is_log_p_where_f_is_known)
    SUITE_TEST(augment, sites_and_slopes_are_derivatives_of_the_bound)
    SUITE_TEST(augment, golden_sites)
    SUITE_TEST(augment, drawn_sites_have_the_expected_means)
    SUITE_TEST(augment, one_step_stays_in_the_posterior)
    SUITE_TEST(augment, keeps_the_joint)
    SUITE_TEST(augment, rows_that_say_nothing_and_limits)
    SUITE_TEST(augment, rows_together_and_apart)
SUITE_TEST(augment, where_all_is_0)
SUITE_END(augment)
