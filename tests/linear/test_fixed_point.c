/* test_fixed_point - the three updates: one step against high-precision references, many steps uphill to the optimum that L-BFGS
 * finds, and no step away from it; single steps from anywhere; and fits that take nothing else */
#include "../test.h"
#include "../golden/slm_golden.h"
#include "slm_outputs_tools.h"
#include "posterior_of.h"

TEST(fixed_point, golden)
{
    static const bln_slm_optimiser rules[3] = { BLN_SLM_MACKAY, BLN_SLM_EM, BLN_SLM_MM };
    const double *const sigma2[3] = { golden_slm_mackay_sigma2, golden_slm_em_sigma2, golden_slm_mm_sigma2 };
    const double *const lambda[3] = { golden_slm_mackay_lambda, golden_slm_em_lambda, golden_slm_mm_lambda };
    for (size_t r = 0; r < 3; r++) {
        double gamma = 0.0, gamma_s[3] = { 0, 0, 0 }, mm[3] = { 0, 0, 0 };
        size_t n[3] = { 0, 0, 0 };
        for (size_t i = 0; i < 5; i++) {
            const size_t s = (size_t)golden_slm_in_slice[i];
            gamma += golden_slm_gamma[i];
            gamma_s[s] += golden_slm_gamma[i];
            mm[s] += golden_slm_m[i]*golden_slm_m[i];
            n[s]++;
        }
        const double noise = golden_slm_in_sigma2[0], *prior = golden_slm_in_lambda_slice;
        CHECK_GOLD(blni_fixed_point_noise_var(rules[r], noise, 12.0, golden_slm_rss[0], gamma), sigma2[r][0], 1e-13);
        for (size_t s = 0; s < 3; s++)
            CHECK_GOLD(blni_fixed_point_prior_var(rules[r], prior[s], n[s], mm[s], gamma_s[s]), lambda[r][s], 1e-13);
    }
}

/* Where the formulas would divide by zero, and variances whose product leaves the range of doubles. */
TEST(fixed_point, edges)
{
    CHECK_NEAR(blni_fixed_point_noise_var(BLN_SLM_MACKAY, 0.7, 3.0, 1.0, 3.0), 0.7, 0.0);
    CHECK_REL(blni_fixed_point_noise_var(BLN_SLM_MM, 0.7, 3.0, 1.0, 3.5), 0.7, 2*DBL_EPSILON);
    CHECK_NEAR(blni_fixed_point_prior_var(BLN_SLM_MACKAY, 0.7, 2, 0.0, 0.0), 0.0, 0.0);
    CHECK_NEAR(blni_fixed_point_prior_var(BLN_SLM_MM, 0.7, 2, 0.0, 0.0), 0.0, 0.0);
    CHECK_REL(blni_fixed_point_prior_var(BLN_SLM_EM, 0.7, 2, 0.0, 0.0), 0.7, 2*DBL_EPSILON);
    CHECK_REL(blni_fixed_point_prior_var(BLN_SLM_MM, 1e200, 2, 4e200, 1.0), 2e200, 4*DBL_EPSILON);
    CHECK_REL(blni_fixed_point_noise_var(BLN_SLM_MM, 1e-200, 9.0, 4e-200, 8.0), 2e-200, 4*DBL_EPSILON);
}

/* One step by the rule from the posterior of a model with everything fixed: of the noise (bit 0 of which) and of slice s (bit
 * s + 1). Returns the evidence before it. */
static double fixed_point_step_of(const bln_basis *b, const bln_data *data, bln_slm_optimiser rule, unsigned which, double *noise,
                                  double *prior)
{
    double sd[8], rss = 0.0, gamma = 0.0;
    double *mean = test_doubles(data->n);
    const bln_slm_desc desc = slm_fixed(b, BLN_SLM_PRIMAL, *noise, prior, NULL);
    bln_slm *slm = slm_fit(&desc, data);
    CHECK_OK(sd_of(bln_slm_posterior(slm), sd));
    CHECK_OK(total_of(bln_slm_posterior(slm), data, mean, NULL, NULL, NULL, NULL));
    for (size_t i = 0; i < data->n; i++) rss += (data->y[i] - mean[i])*(data->y[i] - mean[i]);
    for (size_t s = 0; s < b->n_slices; s++) {
        double mm = 0.0, determined = 0.0;
        const size_t first = bln_basis_slice(b, s), end = bln_basis_slice(b, s + 1);
        for (size_t i = first; i < end; i++) {
            mm += gaussians_of(bln_slm_posterior(slm))->m[i]*gaussians_of(bln_slm_posterior(slm))->m[i];
            determined += 1.0 - sd[i]*sd[i]/prior[s];
        }
        gamma += determined;
        if (which >> (s + 1) & 1) prior[s] = blni_fixed_point_prior_var(rule, prior[s], end - first, mm, determined);
    }
    if (which & 1) *noise = blni_fixed_point_noise_var(rule, *noise, (double)data->n, rss, gamma);
    const double evidence = bln_slm_evidence(slm);
    bln_slm_free(slm);
    free(mean);
    return evidence;
}

static double fixed_point_step(const bln_basis *b, const bln_data *data, bln_slm_optimiser rule, double *noise, double *prior)
{
    return fixed_point_step_of(b, data, rule, ~0u, noise, prior);
}

/* Single steps from random starts, over e^6 of the noise variance and e^12 of prior variances, of all variances or of any of them:
 * they never go down, but for rounding (1e-10 of evidences of size 1e4 at most, 60 rows, features of condition 1e3). That says
 * something here: MacKay's steps four times as long, in the logarithms, do go down. */
TEST(fixed_point, single_steps_climb)
{
    size_t falls = 0;
    bln_basis *b = slm_parse("linear+polynomial:degree=2,cols=0", 2, 0);
    test_random r = test_random_new(91);
    for (uint64_t k = 0; k < 60; k++) {
        bln_data data = slm_make(k % 3 ? 60 : 9, 2, 100 + k % 5, 0);
        const double start[3] = { exp(1.5*test_normal(&r)), exp(3*test_normal(&r)), exp(3*test_normal(&r)) };
        const unsigned which = k % 2 ? 7u : 1u + (unsigned)(k/2 % 7);
        for (int rule = BLN_SLM_MACKAY; rule <= BLN_SLM_MM; rule++) {
            double at[3] = { start[0], start[1], start[2] };
            const double before = fixed_point_step_of(b, &data, (bln_slm_optimiser)rule, which, at, at + 1);
            if (rule == BLN_SLM_MACKAY) for (int i = 0; i < 3; i++) at[i] = start[i]*pow(at[i]/start[i], 4);
            const double fell = before - fixed_point_step_of(b, &data, (bln_slm_optimiser)rule, 0, at, at + 1);
            if (rule == BLN_SLM_MACKAY) falls += fell > 0.0;
            else CHECK_LE(fell, 1e-10*(1 + fabs(before)));
        }
        slm_free_data(&data);
    }
    CHECK(falls > 5);
    bln_basis_free(b);
}

/* From a poor start EM and MM climb at every step (but for 1e-9 of rounding: evidences of size 100 from sums of 60 rows); all
 * three end where the search ends, and stay there: the search stops within 1e-9 of the evidence, hence within about the root of it
 * over the curvature, some ten rows' worth, of log sigma^2 and log lambda. */
TEST(fixed_point, uphill_to_the_optimum)
{
    static const int steps[3] = { 60, 400, 200 };
    bln_data data = slm_make(60, 2, 31, 0);
    bln_basis *b = slm_parse("linear+polynomial:degree=2,cols=0", 2, 0);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    desc.tolerance = 1e-12;
    bln_slm *best = slm_fit(&desc, &data);
    for (int r = 0; r < 3; r++) {
        const bln_slm_optimiser rule = (bln_slm_optimiser)(BLN_SLM_MACKAY + r);
        double noise = 3.0, prior[2] = { 5.0, 5.0 }, last = -HUGE_VAL, value = 0.0;
        for (int k = 0; k < steps[r]; k++) {
            value = fixed_point_step(b, &data, rule, &noise, prior);
            if (rule != BLN_SLM_MACKAY) CHECK_LE(last, value + 1e-9);
            last = value;
        }
        CHECK_NEAR(value, bln_slm_evidence(best), 1e-5);
        noise = bln_slm_noise_var(best);
        for (size_t s = 0; s < 2; s++) prior[s] = bln_slm_prior_var(best)[s];
        fixed_point_step(b, &data, rule, &noise, prior);
        CHECK_REL(noise, bln_slm_noise_var(best), 1e-4);
        for (size_t s = 0; s < 2; s++) CHECK_REL(prior[s], bln_slm_prior_var(best)[s], 1e-3);
    }
    bln_slm_free(best);
    bln_basis_free(b);
    slm_free_data(&data);
}

typedef struct fixed_point_log { size_t steps; double least; } fixed_point_log;

static bln_status fixed_point_watch(void *user, const bln_slm_progress *p)
{
    fixed_point_log *log = (fixed_point_log *)user;
    log->least = log->steps ? fmin(log->least, p->gradient_norm) : p->gradient_norm;
    log->steps++;
    return BLN_OK;
}

/* Fits by each rule alone: at the end, with what is still to come below 1e-13 of it, the evidence is that of L-BFGS to 1e-8, for
 * they all stop within 1e-12 of an optimum, which is one and the same here. Variances, whose square the
 * evidence sees: to the root of that over the curvature of some rows. sigma^2 learnt, fixed, profiled; outputs with every kind of
 * Sigma; a flat intercept; both forms and all arithmetics; from rows and from statistics. MacKay takes the fewest steps. */
TEST(fixed_point, fits_by_nothing_else)
{
    enum { CASES = 10 };
    static const bln_slm_sigma kinds[3] = { BLN_SLM_DIAGONAL, BLN_SLM_CORRELATED, BLN_SLM_SHARED };
    const double flat[3] = { HUGE_VAL, 0.0, 0.0 };
    size_t total[4] = { 0, 0, 0, 0 };
    for (int k = 0; k < CASES; k++) {
        const size_t P = k < 3 ? 3 : 1;
        bln_data data = outputs_make(50, 2, P, 40 + (uint64_t)k, k % 2);
        bln_basis *b = slm_parse("bias+linear:ones=0+polynomial:degree=2,ones=0,cols=1", 2, 0);
        bln_slm_desc desc = slm_desc(b, k == 8 ? BLN_SLM_DUAL : BLN_SLM_PRIMAL);
        bln_statistics_desc sd = BLN_ZERO;
        bln_statistics *t = NULL;
        desc.n_outputs = P;
        desc.sigma = kinds[k % 3];
        desc.relative_prior = k == 3;
        desc.arithmetic = k < 5 ? BLN_SLM_DOUBLE : k < 7 ? BLN_SLM_QR : BLN_SLM_ARITHMETIC_AUTO;
        if (k % 3 == 1) desc.prior_var = flat;
        if (k == 5) { desc.noise_var = 0.3; desc.fix_noise_var = 1; }
        desc.tolerance = 1e-13;
        desc.max_iterations = 100000;
        sd.basis = b;
        sd.n_outputs = P;
        CHECK_OK(bln_statistics_create(&sd, &t, NULL));
        CHECK_OK(bln_statistics_add(t, &data, NULL));
        bln_slm *best = slm_fit(&desc, &data);
        for (int rule = BLN_SLM_MACKAY; rule <= BLN_SLM_MM; rule++) {
            fixed_point_log log = { 0, 0.0 };
            bln_report report;
            desc.optimiser = (bln_slm_optimiser)rule;
            desc.monitor = fixed_point_watch;
            desc.monitor_user = &log;
            bln_slm *slm = slm_new(&desc);
            CHECK_OK(k == 9 ? bln_slm_fit_statistics(slm, t, &report) : bln_slm_fit(slm, &data, &report));
            CHECK(report.stop == BLN_STOP_PROGRESS || report.stop == BLN_STOP_GRADIENT);
            CHECK_SIZE(log.steps, report.iterations);
            CHECK(log.steps > 3 && log.least >= 0.0);
            CHECK_LE(report.gradient_norm, 1e-5*fabs(report.objective));
            CHECK_REL(bln_slm_evidence(slm), bln_slm_evidence(best), 1e-8);
            for (size_t p = 0; p < P*P; p += P + 1) CHECK_REL(bln_slm_noise_cov(slm)[p], bln_slm_noise_cov(best)[p], 1e-4);
            for (size_t s = 0; s < b->n_slices; s++)
                if (bln_slm_prior_var(best)[s] < HUGE_VAL) CHECK_REL(bln_slm_prior_var(slm)[s], bln_slm_prior_var(best)[s], 1e-3);
            total[rule] += log.steps;
            bln_slm_free(slm);
        }
        bln_slm_free(best);
        bln_statistics_free(t);
        bln_basis_free(b);
        slm_free_data(&data);
    }
    CHECK(total[BLN_SLM_MACKAY] < total[BLN_SLM_MM] && total[BLN_SLM_MACKAY] < total[BLN_SLM_EM]);
}

/* A slice of which the data say little: EM's steps shrink slowly, so that when one gains 1e-7 of the evidence, 53, 1.3e-5 are still
 * to come. The fit counts that too, and ends within about 5e-6 of the optimum (2.7e-6). */
TEST(fixed_point, a_slow_fit_is_not_cut_short)
{
    bln_data data = slm_make(40, 2, 34, 0);
    bln_basis *b = slm_parse("linear:cols=0+linear:cols=1,ones=0", 2, 0);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    bln_report report;
    desc.tolerance = 1e-12;
    bln_slm *best = slm_fit(&desc, &data);
    desc.tolerance = 1e-7;
    desc.optimiser = BLN_SLM_EM;
    bln_slm *slm = slm_new(&desc);
    CHECK_OK(bln_slm_fit(slm, &data, &report));
    CHECK(report.stop == BLN_STOP_PROGRESS && report.iterations > 20);
    CHECK_NEAR(bln_slm_evidence(slm), bln_slm_evidence(best), 1e-5);
    bln_slm_free(slm);
    bln_slm_free(best);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* A slice that the evidence wants at 0, where EM's steps go like 1/k: in 20000 of them 1.5e-4 would still be missing. All rules end
 * by themselves within the default limit, within some of the default tolerance, 1e-6 of an evidence of size 70, of the best. */
TEST(fixed_point, a_slice_that_vanishes)
{
    size_t gone = 0;
    bln_basis *b = slm_parse("linear:cols=0+polynomial:degree=3,cols=1;2,ones=0", 3, 0);
    for (uint64_t k = 0; k < 6; k++) {
        bln_data data = slm_make(60, 3, 50 + k, 0);
        test_random r = test_random_new(70 + k);
        for (size_t i = 0; i < data.n; i++) ((double *)data.y)[i] = 2.0*data.X[3*i] + 0.5*test_normal(&r);
        bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
        desc.arithmetic = BLN_SLM_DOUBLE;
        desc.tolerance = 1e-12;
        bln_slm *best = slm_fit(&desc, &data);
        desc.tolerance = 0.0;
        for (int rule = BLN_SLM_MACKAY; rule <= BLN_SLM_MM; rule++) {
            bln_report report;
            desc.optimiser = (bln_slm_optimiser)rule;
            bln_slm *slm = slm_new(&desc);
            CHECK_OK(bln_slm_fit(slm, &data, &report));
            CHECK(report.stop == BLN_STOP_PROGRESS || report.stop == BLN_STOP_GRADIENT);
            CHECK_LE(bln_slm_evidence(best) - 3e-4, bln_slm_evidence(slm));
            gone += rule == BLN_SLM_EM && bln_slm_prior_var(slm)[1] < 1e-8*bln_slm_prior_var(slm)[0];
            bln_slm_free(slm);
        }
        bln_slm_free(best);
        slm_free_data(&data);
    }
    CHECK(gone >= 2);
    bln_basis_free(b);
}

/* Theta is not for them, nor the bound with what inducing points leave out: said at once; with theta fixed they go. Several starts,
 * each by itself; the best of them is taken. */
TEST(fixed_point, fits_refused_and_repeated)
{
    bln_data data = slm_make(40, 2, 3, 1);
    bln_basis *b = slm_parse("rbf:n=6,ard", 2, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
    bln_slm *slm = NULL;
    bln_report report;
    desc.optimiser = BLN_SLM_EM;
    CHECK_TEXT(bln_slm_check(&desc), "theta");
    CHECK_STATUS(bln_slm_create(&desc, &slm, &report), BLN_EINVAL);
    desc.optimiser = (bln_slm_optimiser)9;
    CHECK_TEXT(bln_slm_check(&desc), "optimiser");
    bln_inducing_desc few = BLN_ZERO;
    bln_basis *points = NULL;
    few.d = few.n = 2;
    few.points = data.X;
    CHECK_OK(bln_inducing_create(&few, &points, NULL));
    desc = slm_desc(points, BLN_SLM_AUTO);
    desc.fix_theta = 1;
    desc.optimiser = BLN_SLM_MM;
    CHECK_TEXT(bln_slm_check(&desc), "residual");
    desc.residual = BLN_SLM_IGNORED;
    CHECK(bln_slm_check(&desc) == NULL);
    desc = slm_desc(b, BLN_SLM_AUTO);
    desc.fix_theta = 1;
    desc.tolerance = 1e-8;
    desc.optimiser = BLN_SLM_LBFGS;
    bln_slm *best = slm_fit(&desc, &data);
    for (int rule = BLN_SLM_MACKAY; rule <= BLN_SLM_MM; rule++) {
        desc.optimiser = (bln_slm_optimiser)rule;
        for (desc.starts = 1; desc.starts <= 2; desc.starts++) {
            CHECK(bln_slm_check(&desc) == NULL);
            slm = slm_new(&desc);
            CHECK_OK(bln_slm_fit(slm, &data, &report));
            CHECK(report.stop == BLN_STOP_PROGRESS || report.stop == BLN_STOP_GRADIENT);
            CHECK_LE(bln_slm_evidence(best) - 1e-6, bln_slm_evidence(slm));
            bln_slm_free(slm);
        }
    }
    bln_slm_free(best);
    bln_basis_free(points);
    bln_basis_free(b);
    slm_free_data(&data);
}

SUITE_BEGIN(fixed_point)
SUITE_TEST(fixed_point, golden)
SUITE_TEST(fixed_point, edges)
SUITE_TEST(fixed_point, single_steps_climb)
SUITE_TEST(fixed_point, uphill_to_the_optimum)
SUITE_TEST(fixed_point, fits_by_nothing_else)
SUITE_TEST(fixed_point, a_slow_fit_is_not_cut_short)
SUITE_TEST(fixed_point, a_slice_that_vanishes)
SUITE_TEST(fixed_point, fits_refused_and_repeated)
SUITE_END(fixed_point)
