/* test_relevance - what features are worth: against high-precision references and against the evidence without them; every error.
 * Of flat priors: test_slm_flat; of several outputs: test_slm_outputs_use. */
#include "slm_tools.h"
#include "posterior_of.h"

/* Prior variances of the golden file, one for each column. */
static void relevance_prior(double *lambda)
{
    for (size_t j = 0; j < 5; j++) lambda[j] = golden_slm_in_lambda_slice[(size_t)golden_slm_in_slice[j]];
}

/* gamma and the loss of evidence against the golden file, by [linear 33] as it stands, and against that with lambda_i = 0. In
 * low-rank form too: four of the rows. 1e-11, as in test_slm. */
TEST(relevance, golden)
{
    double v[12], lambda[5], zero[5], gamma[5], loss[5], evidence = 0.0;
    bln_data data = slm_golden_data(v);
    bln_basis *b = slm_columns(5);
    relevance_prior(lambda);
    for (int few = 0; few < 2; few++) {
        const bln_slm_desc desc = slm_fixed(b, few ? BLN_SLM_DUAL : BLN_SLM_PRIMAL, golden_slm_in_sigma2[0], lambda, NULL);
        if (few) data.n = 4;
        bln_slm *slm = slm_fit(&desc, &data);
        CHECK(gaussians_of(bln_slm_posterior(slm))->form == (few ? BLN_GAUSSIAN_LOWRANK : BLN_GAUSSIAN_FACTOR));
        CHECK_OK(bln_slm_relevance(slm, gamma, loss, NULL));
        for (size_t i = 0; i < 5; i++) {
            memcpy(zero, lambda, sizeof zero);
            zero[i] = 0.0;
            CHECK_OK(bln_slm_evidence_at(slm, &data, golden_slm_in_sigma2[0], zero, NULL, &evidence, NULL, NULL, NULL, NULL));
            CHECK_GOLD(loss[i], bln_slm_evidence(slm) - evidence, 1e-11);
            if (few) continue;
            const double s = golden_slm_s_out[i], q = golden_slm_q_out[i];
            CHECK_GOLD(gamma[i], golden_slm_gamma[i], 1e-11);
            CHECK_GOLD(gamma[i], lambda[i]*golden_slm_S[i], 1e-11);
            CHECK_GOLD(loss[i], 0.5*(q*q*lambda[i]/(1.0 + lambda[i]*s) - log(1.0 + lambda[i]*s)), 1e-11);
        }
        if (!few) CHECK_GOLD(loss[3], golden_slm_logml[0] - golden_slm_zero_lambda3_logml[0], 1e-11);
        CHECK_OK(bln_slm_relevance(slm, NULL, zero, NULL));
        CHECK_NEAR(zero[1], loss[1], 0.0);
        CHECK_OK(bln_slm_relevance(slm, zero, NULL, NULL));
        CHECK_NEAR(zero[1], gamma[1], 0.0);
        bln_slm_free(slm);

        /* A feature that is out already has nothing to lose; in low-rank form gamma is a sum of squares, however small. */
        memcpy(zero, lambda, sizeof zero);
        zero[2] = 0.0;
        zero[4] = 1e-30;
        bln_slm_desc out = desc;
        out.prior_var = zero;
        slm = slm_fit(&out, &data);
        CHECK_OK(bln_slm_relevance(slm, gamma, loss, NULL));
        CHECK_NEAR(gamma[2], 0.0, 0.0);
        CHECK_NEAR(loss[2], 0.0, 0.0);
        CHECK(gamma[4] >= 0.0 && gamma[4] < 1e-15 && fabs(loss[4]) < 1e-14);
        if (few) CHECK(gamma[4] > 1e-31);
        bln_slm_free(slm);
    }
    /* 1 - gamma of 1e-16 in low-rank form: lost. gamma itself stays. */
    bln_report report;
    double wide[5] = { 1e16, 1.0, 1.0, 1.0, 1.0 };
    const bln_slm_desc desc = slm_fixed(b, BLN_SLM_DUAL, golden_slm_in_sigma2[0], wide, NULL);
    data.n = 2;
    bln_slm *slm = slm_fit(&desc, &data);
    CHECK_STATUS(bln_slm_relevance(slm, gamma, loss, &report), BLN_ENUMERIC);
    CHECK_SIZE(report.column, 0);
    CHECK_OK(bln_slm_relevance(slm, gamma, NULL, &report));
    CHECK_NEAR(gamma[0], 1.0, 1e-13);
    bln_slm_free(slm);
    bln_basis_free(b);
}

/* Bad input; the allocation made to fail: the right status, nothing leaked. */
TEST(relevance, errors)
{
    static const double scales[2] = { 1.3, 0.7 };
    bln_data data = slm_make(20, 2, 730, 1);
    double gamma[40];
    bln_report report;
    for (int k = 0; k < 2; k++) {
        bln_basis *b = slm_parse(k ? "rbf:n=15" : "rbf:n=3+bias", 2, 1);
        bln_slm_desc desc = slm_fixed(b, BLN_SLM_AUTO, 0.2, scales, scales);
        test_heap heap;
        desc.alloc = test_heap_allocator(&heap);
        bln_slm *slm = slm_new(&desc);
        CHECK_STATUS(bln_slm_relevance(NULL, gamma, gamma, &report), BLN_EINVAL);
        CHECK_STATUS(bln_slm_relevance(slm, gamma, NULL, &report), BLN_ESTATE);
        CHECK_TEXT(report.text, "before fit");
        CHECK_OK(bln_slm_fit(slm, &data, NULL));
        const size_t live = heap.live;
        heap.calls = heap.fail_at = 0;
        CHECK_STATUS(bln_slm_relevance(slm, gamma, NULL, &report), BLN_ENOMEM);
        CHECK_TEXT(report.text, "memory");
        heap.fail_at = (size_t)-1;
        heap.calls = 0;
        CHECK_OK(bln_slm_relevance(slm, NULL, NULL, &report));
        CHECK_SIZE(heap.calls, 1);
        CHECK_SIZE(heap.live, live);
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    slm_free_data(&data);
}

SUITE_BEGIN(relevance)
SUITE_TEST(relevance, golden)
SUITE_TEST(relevance, errors)
SUITE_END(relevance)
