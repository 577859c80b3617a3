/* test_slm_forms - forms of the evidence where the noise is small beside the signal */
#include "slm_tools.h"

/* The dual form asked for with more rows than features, and the form that is chosen with fewer, against three doubles: evidence,
 * gradient by the noise, means and variances of new points. Of noise sd s beside a signal of 1 the residuals are s, and rounding of
 * y is eps/s of them, eps/s^2 of their squares where these are differences: with s = 1e-4 and sums of n = 60 terms 1e-9 is a factor
 * of 100 above sqrt(n) eps/s. (An n x n matrix of rank D has errors of eps/s^2 = 2e-8 in each of n - D eigenvalues.) */
TEST(slm_forms, small_noise)
{
    enum { MOST = 60, D = 20, NEW = 10 };
    static const size_t n[2] = { 60, 12 };
    if (!blni_exact_available()) return;
    for (int c = 0; c < 2; c++) {
        double X[MOST*D], y[MOST], fresh[NEW*D], evidence[2], d_noise[2], mean[2][NEW], var[2][NEW], noise[NEW];
        const double s = 1e-4, prior = 1.0;
        bln_data data, query;
        test_random r = test_random_new(3);
        test_fill_normal(&r, MOST*D, X);
        test_fill_normal(&r, NEW*D, fresh);
        for (size_t i = 0; i < MOST; i++) {
            y[i] = s*test_normal(&r);
            for (size_t j = 0; j < 3; j++) y[i] += ((double)j - 0.5)*X[i*D + j];
        }
        memset(&data, 0, sizeof data);
        data.n = n[c];
        data.d = D;
        data.X = X;
        data.y = y;
        query = data;
        query.n = NEW;
        query.X = fresh;
        query.y = NULL;
        bln_basis *b = slm_parse("linear:ones=0", D, 1);
        for (int k = 0; k < 2; k++) {
            bln_slm_desc desc = slm_fixed(b, k ? BLN_SLM_DUAL : BLN_SLM_PRIMAL, s*s, &prior, NULL);
            desc.arithmetic = k ? BLN_SLM_DOUBLE : BLN_SLM_EXACT;
            bln_slm *slm = slm_fit(&desc, &data);
            CHECK_OK(bln_slm_evidence_at(slm, &data, s*s, &prior, NULL, &evidence[k], &d_noise[k], NULL, NULL, NULL));
            CHECK_OK(bln_slm_predict(slm, &query, mean[k], var[k], noise, NULL, NULL));
            bln_slm_free(slm);
        }
        CHECK_REL(evidence[1], evidence[0], 1e-9);
        CHECK_NEAR(d_noise[1], d_noise[0], 1e-9*MOST);
        for (size_t i = 0; i < NEW; i++) {
            CHECK_NEAR(mean[1][i], mean[0][i], 1e-9*sqrt(var[0][i] + s*s));
            CHECK_REL(var[1][i], var[0][i], 1e-9);
        }
        bln_basis_free(b);
    }
}

/* The room that is promised is that of the form that is taken, from rows and from a source of them. */
TEST(slm_forms, dual_of_many_rows_is_primal)
{
    bln_data data = slm_make(40, 3, 2, 0);
    bln_basis *b = slm_parse("linear", 3, 1);
    bln_slm_desc primal = slm_desc(b, BLN_SLM_PRIMAL), dual = slm_desc(b, BLN_SLM_DUAL);
    CHECK_SIZE(bln_slm_fit_size(&dual, 40), bln_slm_fit_size(&primal, 40));
    bln_data_reader reader;
    const bln_source source = bln_source_of(&data, &reader);
    bln_slm *one = slm_fit(&primal, &data), *two = slm_fit(&dual, &data), *three = slm_new(&dual);
    CHECK_OK(bln_slm_fit_source(three, &source, NULL));
    CHECK_NEAR(bln_slm_evidence(two), bln_slm_evidence(one), 0.0);
    CHECK_NEAR(bln_slm_evidence(three), bln_slm_evidence(one), 0.0);
    bln_slm_free(one);
    bln_slm_free(two);
    bln_slm_free(three);
    bln_basis_free(b);
    slm_free_data(&data);
}

SUITE_BEGIN(slm_forms)
SUITE_TEST(slm_forms, small_noise)
SUITE_TEST(slm_forms, dual_of_many_rows_is_primal)
SUITE_END(slm_forms)
