/* test_slm_units - targets and inputs in any unit: the same answer, or a refusal that is true */
#include "slm_tools.h"

/* y and x times 10^k. Where sums of squares are doubles, the means of the rows in units of y are those of k = 0, to the search's
 * relative progress of 1e-6; beyond, the fit is refused and the report says that squares overflow or underflow. */
TEST(slm_units, same_or_refused)
{
    static const int powers[] = { 0, -300, -170, -140, -100, 100, 140, 170, 300 };
    bln_data data = slm_make(30, 2, 6, 0);
    bln_basis *b = slm_parse("bias+linear:ones=0", 2, 1);
    double first[30], mean[30];
    for (int of_x = 0; of_x < 2; of_x++)
        for (size_t k = 0; k < sizeof powers/sizeof *powers; k++) {
            const double unit = pow(10.0, powers[k]);
            double X[60], y[30];
            bln_data scaled = data;
            bln_report report;
            for (size_t i = 0; i < 60; i++) X[i] = data.X[i]*(of_x ? unit : 1.0);
            for (size_t i = 0; i < 30; i++) y[i] = data.y[i]*(of_x ? 1.0 : unit);
            scaled.X = X;
            scaled.y = y;
            bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
            bln_slm *slm = slm_new(&desc);
            const bln_status status = bln_slm_fit(slm, &scaled, &report);
            if (abs(powers[k]) > 160) {
                CHECK(status == BLN_ENUMERIC || status == BLN_EUNDEFINED);
                CHECK(strstr(report.text, powers[k] > 0 ? "overflow" : "underflow") != NULL);
            } else {
                CHECK_OK(status);
                CHECK_OK(bln_slm_predict(slm, &scaled, mean, NULL, NULL, NULL, NULL));
                for (size_t i = 0; i < 30; i++) {
                    const double value = mean[i]/(of_x ? 1.0 : unit);
                    if (k == 0) first[i] = value;
                    CHECK_NEAR(value, first[i], 1e-5);
                }
            }
            bln_slm_free(slm);
        }
    bln_basis_free(b);
    slm_free_data(&data);
}

/* What the search looks at, minus log p(y) - (N - p_f) log sd(y), does not depend on the unit of y. With p_f weights of flat priors
 * log p(y) is a density over N - p_f dimensions: a unit of 10^3 moves it by 6.9 for each, so that a wrong p_f is seen at once. */
TEST(slm_units, search_sees_no_unit)
{
    static const double flat[3][2] = { { 0.0, 0.0 }, { HUGE_VAL, 0.0 }, { 0.0, HUGE_VAL } };
    bln_data data = slm_make(30, 2, 6, 0);
    bln_basis *b = slm_parse("bias+linear:ones=0", 2, 1);
    for (size_t k = 0; k < 3; k++) {
        double y[30], value[2];
        for (int large = 0; large < 2; large++) {
            bln_data scaled = data;
            bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
            desc.prior_var = k ? flat[k] : NULL;
            for (size_t i = 0; i < 30; i++) y[i] = data.y[i]*(large ? 1e3 : 1.0);
            scaled.y = y;
            bln_slm *slm = slm_new(&desc);
            CHECK_OK(bln_slm_init(slm, &scaled, NULL));
            slm->fit->evaluated = 0;
            CHECK_OK(blni_fit_evaluate(slm->fit, slm->fit->x0, value + large, NULL));
            bln_slm_free(slm);
        }
        CHECK_REL(value[1], value[0], 1e-10);
    }
    bln_basis_free(b);
    slm_free_data(&data);
}

SUITE_BEGIN(slm_units)
SUITE_TEST(slm_units, search_sees_no_unit)
SUITE_TEST(slm_units, same_or_refused)
SUITE_END(slm_units)
