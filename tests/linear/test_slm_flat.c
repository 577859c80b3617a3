/* test_slm_flat - what is asked of a fitted model when some of its weights have a flat prior: relevance, draws */
#include "slm_tools.h"
#include "posterior_of.h"

enum { FLAT_N = 30, FLAT_D = 4 };

static bln_data flat_data(double *X, double *y)
{
    bln_data data = BLN_ZERO;
    test_random r = test_random_new(41);
    test_fill_normal(&r, FLAT_N*FLAT_D, X);
    for (size_t i = 0; i < FLAT_N; i++) y[i] = 1.0 + X[i*FLAT_D] - 0.3*X[i*FLAT_D + 2] + 0.4*test_normal(&r);
    data.n = FLAT_N;
    data.d = FLAT_D;
    data.X = X;
    data.y = y;
    return data;
}

/* gamma = 1 for the flat ones; the loss of each is the evidence less that with its prior variance 0, a flat one's density being 1:
 * by bln_slm_evidence_at, and for flat ones by the normal integral written out. In double and exactly; kappa is about 10, so that
 * 1e-11 as in test_slm. */
TEST(slm_flat, relevance)
{
    double X[FLAT_N*FLAT_D], y[FLAT_N], gamma[FLAT_D], loss[FLAT_D], sd[FLAT_D], without = 0.0;
    static const double lambdas[3][FLAT_D] = {
        { HUGE_VAL, 0.7, HUGE_VAL, 2.0 }, { 0.5, HUGE_VAL, 0.0, 0.3 }, { HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL }
    };
    const bln_data data = flat_data(X, y);
    bln_basis *b = slm_columns(FLAT_D);
    for (int k = 0; k < 3; k++)
        for (int arithmetic = BLN_SLM_DOUBLE; arithmetic <= BLN_SLM_EXACT; arithmetic++) {
            bln_slm_desc desc = slm_fixed(b, BLN_SLM_PRIMAL, 0.2, lambdas[k], NULL);
            desc.arithmetic = (bln_slm_arithmetic)arithmetic;
            bln_slm *slm = slm_fit(&desc, &data);
            CHECK_OK(bln_slm_relevance(slm, gamma, loss, NULL));
            CHECK_OK(sd_of(bln_slm_posterior(slm), sd));
            for (size_t i = 0; i < FLAT_D; i++) {
                double other[FLAT_D];
                const double m = gaussians_of(bln_slm_posterior(slm))->m[i], C = sd[i]*sd[i];
                memcpy(other, lambdas[k], sizeof other);
                other[i] = 0.0;
                CHECK_OK(bln_slm_evidence_at(slm, &data, 0.2, other, NULL, &without, NULL, NULL, NULL, NULL));
                CHECK_GOLD(loss[i], bln_slm_evidence(slm) - without, 1e-11);
                if (lambdas[k][i] > DBL_MAX) {
                    CHECK_NEAR(gamma[i], 1.0, 0.0);
                    CHECK_GOLD(loss[i], 0.5*(log(2.0*3.14159265358979323846*C) + m*m/C), 1e-11);
                } else CHECK_NEAR(gamma[i], lambdas[k][i] > 0.0 ? 1.0 - C/lambdas[k][i] : 0.0, 1e-12);
            }
            bln_slm_free(slm);
        }
    bln_basis_free(b);
}

/* A perfect fit without noise: the flat weights are known, and no finite evidence is lost. */
TEST(slm_flat, relevance_of_a_perfect_fit)
{
    double X[FLAT_N*FLAT_D], y[FLAT_N], gamma[FLAT_D];
    const double flat[FLAT_D] = { HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL };
    const bln_data data = flat_data(X, y);
    bln_basis *b = slm_columns(FLAT_D);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    bln_report report;
    if (!blni_exact_available()) { CHECK(1); bln_basis_free(b); return; }
    for (size_t i = 0; i < FLAT_N*FLAT_D; i++) X[i] = floor(4.0*X[i]);      /* whole numbers: no rounding anywhere */
    for (size_t i = 0; i < FLAT_N; i++) y[i] = 2.0*X[i*FLAT_D];
    desc.prior_var = flat;
    desc.arithmetic = BLN_SLM_EXACT;
    bln_slm *slm = slm_fit(&desc, &data);
    CHECK_NEAR(bln_slm_noise_var(slm), 0.0, 0.0);
    CHECK_OK(bln_slm_relevance(slm, gamma, NULL, NULL));
    for (size_t i = 0; i < FLAT_D; i++) CHECK_NEAR(gamma[i], 1.0, 0.0);
    double loss[FLAT_D];
    CHECK_STATUS(bln_slm_relevance(slm, NULL, loss, &report), BLN_ENUMERIC);
    CHECK_SIZE(report.column, 0);
    bln_slm_free(slm);
    bln_basis_free(b);
}

/* Draws have the posterior's mean and spread, within 5 sigma of 2000 draws; prior paths of a flat prior do not exist, and the first
 * such feature is named. */
TEST(slm_flat, draws)
{
    enum { DRAWS = 2000 };
    double X[FLAT_N*FLAT_D], y[FLAT_N], sd[FLAT_D], prior[FLAT_D*2];
    const double lambda[FLAT_D] = { 0.7, HUGE_VAL, 2.0, HUGE_VAL };
    double *W = test_doubles(DRAWS*FLAT_D), *f = test_doubles(2*FLAT_N), *p = test_doubles(2*FLAT_N);
    const bln_data data = flat_data(X, y);
    bln_basis *b = slm_columns(FLAT_D);
    const bln_slm_desc desc = slm_fixed(b, BLN_SLM_PRIMAL, 0.2, lambda, NULL);
    bln_slm *slm = slm_fit(&desc, &data);
    bln_draw_desc draws = BLN_ZERO;
    bln_report report;
    draws.n = DRAWS;
    CHECK_OK(bln_posterior_draw_weights(bln_slm_posterior(slm), &draws, W, NULL, 0, NULL, NULL));
    CHECK_OK(sd_of(bln_slm_posterior(slm), sd));
    for (size_t j = 0; j < FLAT_D; j++) {
        double mean = 0.0, square = 0.0;
        for (size_t r = 0; r < DRAWS; r++) {
            const double e = (W[r*FLAT_D + j] - gaussians_of(bln_slm_posterior(slm))->m[j])/sd[j];
            mean += e/DRAWS;
            square += e*e/DRAWS;
        }
        CHECK_NEAR(mean, 0.0, 5.0/sqrt(DRAWS));
        CHECK_NEAR(square, 1.0, 5.0*sqrt(2.0/DRAWS));
    }
    draws.n = 2;
    CHECK_STATUS(bln_posterior_draw_weights(bln_slm_posterior(slm), &draws, W, prior, 0, NULL, &report), BLN_EUNDEFINED);
    CHECK_SIZE(report.column, 1);
    CHECK_TEXT(report.text, "flat");
    CHECK_OK(bln_posterior_draws(bln_slm_posterior(slm), &data, &draws, f, NULL, 0, NULL, &report));
    CHECK_STATUS(bln_posterior_draws(bln_slm_posterior(slm), &data, &draws, f, p, 0, NULL, &report), BLN_EUNDEFINED);
    CHECK_SIZE(report.column, 1);
    bln_slm_free(slm);
    bln_basis_free(b);
    free(W);
    free(f);
    free(p);
}

/* With fix_given_var variances above 0 stay to the bit, in both forms and by all rules of search, and the others are where the
 * evidence has its maximum: its derivatives there by the logarithm, which are asked for from outside, are 0. A search ends where
 * the gradient is below 1e-6 of the evidence's size, or steps gain less than 1e-6 of it: at most 1e-3 in slope here. */
TEST(slm_flat, given)
{
    static const double start[FLAT_D] = { 1e2, 0.0, 0.5, 0.0 };
    double X[FLAT_N*FLAT_D], y[FLAT_N], d_noise, d_prior[FLAT_D];
    const bln_data data = flat_data(X, y);
    bln_basis *b = slm_columns(FLAT_D);
    for (int k = 0; k < 8; k++) {
        bln_data few = data;
        bln_slm_desc desc = slm_desc(b, k & 1 ? BLN_SLM_DUAL : BLN_SLM_PRIMAL);
        few.n = k & 1 ? FLAT_D : FLAT_N;
        desc.prior_var = start;
        desc.fix_given_var = 1;
        desc.noise_var = 0.2;
        desc.fix_noise_var = k & 1;
        desc.tolerance = 1e-10;
        desc.max_iterations = 100000;
        desc.optimiser = k < 4 ? BLN_SLM_LBFGS : k < 6 ? BLN_SLM_MACKAY : BLN_SLM_EM;
        desc.per_weight = k & 2;
        desc.relevance = BLN_SLM_RELEVANCE_NONE;
        bln_slm *slm = slm_fit(&desc, &few);
        const double *got = bln_slm_prior_var(slm);
        CHECK_NEAR(got[0], start[0], 0.0);
        CHECK_NEAR(got[2], start[2], 0.0);
        CHECK_OK(bln_slm_evidence_at(slm, &few, bln_slm_noise_var(slm), got, NULL, NULL, &d_noise, d_prior, NULL, NULL));
        for (int s = 1; s < FLAT_D; s += 2) CHECK(fabs(d_prior[s]) < 1e-3 || (got[s] < 1e-8 && d_prior[s] < 0.0));
        CHECK(desc.fix_noise_var || fabs(d_noise) < 1e-3);
        CHECK(fabs(d_prior[0]) > 1e-2 && fabs(d_prior[2]) > 1e-2);         /* where they stay is not where they would go */
        bln_slm_free(slm);
    }
    bln_slm_desc wrong = slm_desc(b, BLN_SLM_AUTO);
    wrong.fix_given_var = 1;
    CHECK_TEXT(bln_slm_check(&wrong), "need prior_var");
    bln_basis_free(b);
}

SUITE_BEGIN(slm_flat)
SUITE_TEST(slm_flat, relevance)
SUITE_TEST(slm_flat, relevance_of_a_perfect_fit)
SUITE_TEST(slm_flat, draws)
SUITE_TEST(slm_flat, given)
SUITE_END(slm_flat)
