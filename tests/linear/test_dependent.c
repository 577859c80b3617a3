/* test_dependent - flat weights of dependent features: named in double and in three doubles, while features that only come close
 * pass, with the digits that are left */
#include "slm_tools.h"
#include "posterior_of.h"

enum { DEP_D = 20, DEP_AT = 13 };      /* more features than exact arithmetic takes on its own; which of them depends */

typedef enum dep_kind { DEP_TWIN, DEP_MULTIPLE, DEP_SUM, DEP_DIFFERENCE, DEP_DUMMIES, DEP_ALL, DEP_NONE, DEP_CLOSE } dep_kind;

/* n rows of DEP_D features, the first an intercept; `far`: others have this mean. */
static void dep_rows(size_t n, dep_kind kind, double far, test_random *r, double *X, double *y)
{
    for (size_t i = 0; i < n; i++) {
        double *x = X + i*DEP_D, sum = 0.0;
        x[0] = 1.0;
        for (size_t j = 1; j < DEP_D; j++) x[j] = far + test_normal(r);
        if (kind == DEP_TWIN)       x[DEP_AT] = x[4];
        if (kind == DEP_MULTIPLE)   x[DEP_AT] = -3.7*x[4];
        if (kind == DEP_SUM)        x[DEP_AT] = x[4] + x[7];
        if (kind == DEP_DIFFERENCE) x[DEP_AT] = x[4] - x[7];
        if (kind == DEP_CLOSE)      x[DEP_AT] = x[4] + 1e-5*test_normal(r);
        for (size_t j = 0; j < DEP_AT; j++) sum += x[j]*cos((double)j);
        if (kind == DEP_ALL)        x[DEP_AT] = sum;
        if (kind == DEP_DUMMIES) {                         /* of levels 1 to DEP_AT, the later the rarer, none of them left out */
            const double u = test_uniform(r);
            const size_t level = i < DEP_AT ? i + 1 : 1 + (size_t)(DEP_AT*u*u*u);
            for (size_t j = 1; j <= DEP_AT; j++) x[j] = j == level;
        }
        y[i] = 2.0 + x[1] + test_normal(r);
    }
}

static bln_data dep_data(size_t n, size_t d, const double *X, const double *y)
{
    bln_data data = BLN_ZERO;
    data.n = n;
    data.d = d;
    data.X = X;
    data.y = y;
    return data;
}

static bln_slm *dep_model(const bln_basis *b, bln_slm_arithmetic arithmetic, const double *flat)
{
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    desc.arithmetic = arithmetic;
    desc.prior_var = flat;
    return slm_new(&desc);
}

/* Each kind of dependence, near 0 and far from it, with few rows and with many: the first feature that depends on those before it
 * is named, by each call that would have to solve for it. */
TEST(dependent, features_are_named)
{
    static const size_t rows[2] = { 60, 2000 };
    const double flat[1] = { HUGE_VAL };
    bln_basis *b = NULL;
    CHECK_OK(bln_linear_create(NULL, DEP_D, 0, &b));
    for (int k = DEP_TWIN; k <= DEP_ALL; k++)
        for (int m = 0; m < 4; m++) {
            const size_t n = rows[m % 2];
            double *X = test_doubles(n*DEP_D), *y = test_doubles(n), value;
            test_random r = test_random_new(10 + (uint64_t)m);
            dep_rows(n, (dep_kind)k, m < 2 ? 0.0 : 100.0, &r, X, y);
            const bln_data data = dep_data(n, DEP_D, X, y);
            for (int arithmetic = BLN_SLM_DOUBLE; arithmetic <= BLN_SLM_QR; arithmetic++) {
                bln_slm_integrated_desc id = BLN_ZERO;
                bln_slm_integrated *few = NULL;
                bln_report report;
                bln_statistics_desc td = BLN_ZERO;
                bln_statistics *t = NULL;
                /* Three doubles see the rounding of the features themselves, where much cancels in them; and one size will do. */
                if (arithmetic == BLN_SLM_EXACT && (m % 2 || k == DEP_ALL)) continue;
                bln_slm *slm = dep_model(b, (bln_slm_arithmetic)arithmetic, flat);
                CHECK_STATUS(bln_slm_fit(slm, &data, &report), BLN_ENOTPD);
                CHECK_SIZE(report.column, DEP_AT);
                CHECK_TEXT(report.text, "depends");
                CHECK_STATUS(bln_slm_evidence_at(slm, &data, 1.0, flat, NULL, &value, NULL, NULL, NULL, &report), BLN_ENOTPD);
                CHECK_SIZE(report.column, DEP_AT);
                td.basis = b;
                td.exact = arithmetic == BLN_SLM_EXACT;
                td.qr = arithmetic == BLN_SLM_QR;
                CHECK_OK(bln_statistics_create(&td, &t, NULL));
                CHECK_OK(bln_statistics_add(t, &data, NULL));
                CHECK_STATUS(bln_slm_fit_statistics(slm, t, &report), BLN_ENOTPD);
                CHECK_SIZE(report.column, DEP_AT);
                id.basis = b;
                id.ratio = flat;
                CHECK_OK(bln_slm_integrated_create(&id, &few, NULL));
                CHECK_STATUS(bln_slm_integrated_fit_statistics(few, t, &report), BLN_ENOTPD);
                CHECK_SIZE(report.column, DEP_AT);
                bln_slm_integrated_free(few);
                bln_statistics_free(t);
                bln_slm_free(slm);
            }
            free(X);
            free(y);
        }
    bln_basis_free(b);
}

/* What three doubles solve, double and QR solve too, with the digits that their pivots leave. |U^-1|^2 eps is 2e-16 for random
 * features; for a feature that differs from another by 1e-5 of it, it is 10 eps/1e-10 = 2e-5 in the direction of their difference:
 * of a mean there, which is a few standard errors, of these, and of what that direction, some 0.1, adds to predictions. QR has
 * |U^-1| eps, 1e-10. */
TEST(dependent, close_features_pass)
{
    enum { N = 200 };
    const double flat[1] = { HUGE_VAL };
    static const bln_slm_arithmetic arithmetics[3] = { BLN_SLM_EXACT, BLN_SLM_DOUBLE, BLN_SLM_QR };
    double X[N*DEP_D], y[N], mean[3][N], sd[3][DEP_D];
    bln_basis *b = NULL;
    CHECK_OK(bln_linear_create(NULL, DEP_D, 0, &b));
    for (int k = DEP_NONE; k <= DEP_CLOSE; k++) {
        test_random r = test_random_new(20);
        bln_slm *slm[3];
        dep_rows(N, (dep_kind)k, 0.0, &r, X, y);
        const bln_data data = dep_data(N, DEP_D, X, y);
        for (int a = 0; a < 3; a++) {
            const double tolerance = k != DEP_CLOSE ? 1e-11 : arithmetics[a] == BLN_SLM_QR ? 1e-8 : 1e-3;
            slm[a] = dep_model(b, arithmetics[a], flat);
            CHECK_OK(bln_slm_fit(slm[a], &data, NULL));
            CHECK_OK(total_of(bln_slm_posterior(slm[a]), &data, mean[a], NULL, NULL, NULL, NULL));
            CHECK_OK(sd_of(bln_slm_posterior(slm[a]), sd[a]));
            for (size_t j = 0; j < DEP_D; j++) {
                CHECK_NEAR(gaussians_of(bln_slm_posterior(slm[a]))->m[j], gaussians_of(bln_slm_posterior(slm[0]))->m[j],
                    tolerance*5.0*sd[0][j]);
                CHECK_REL(sd[a][j], sd[0][j], tolerance);
            }
            for (size_t i = 0; i < N; i++) CHECK_NEAR(mean[a][i], mean[0][i], tolerance);
        }
        for (int a = 0; a < 3; a++) bln_slm_free(slm[a]);
    }
    bln_basis_free(b);
}

/* Powers of the years 1960 .. 2019. What x, .., x^(k-1) leave of x^k is (30/1990)^2k [2^k k!^2/(2k)!]^2/(2k+1) of its square (the
 * Legendre polynomial with leading coefficient 1): 3e-13 for k = 3 and 1.5e-17 for k = 4, where eps sum v_i^2 is
 * eps C(2k, k) = 4e-15 and 2e-14; in three doubles 5e-30 for k = 7 and 2e-34 for k = 8; of QR the root counts, 2e-13 for k = 6 and
 * 2e-15 for k = 7, where c eps sqrt(sum v_i^2), c = 20, is 1e-13 and 3e-13. */
TEST(dependent, powers_of_years)
{
    static const size_t last[4] = { 0, 3, 7, 6 };      /* of each arithmetic */
    const double flat[1] = { HUGE_VAL };
    double x[60], y[60];
    for (size_t i = 0; i < 60; i++) {
        x[i] = 1960.0 + (double)i;
        y[i] = sin(0.1*x[i]);
    }
    const bln_data data = dep_data(60, 1, x, y);
    for (int arithmetic = BLN_SLM_DOUBLE; arithmetic <= BLN_SLM_QR; arithmetic++)
        for (size_t degree = 1; degree <= 9; degree++) {
            bln_basis *b = NULL;
            bln_report report;
            if (arithmetic == BLN_SLM_EXACT && !blni_exact_available()) continue;
            CHECK_OK(bln_polynomial_create(NULL, 1, degree, 1, 0, &b));
            bln_slm *slm = dep_model(b, (bln_slm_arithmetic)arithmetic, flat);
            const bln_status status = bln_slm_fit(slm, &data, &report);
            CHECK_STATUS(status, degree <= last[arithmetic] ? BLN_OK : BLN_ENOTPD);
            if (status != BLN_OK) CHECK_SIZE(report.column, last[arithmetic] + 1);
            else CHECK(report.text[0] == '\0');
            bln_slm_free(slm);
            bln_basis_free(b);
        }
}

/* A flat intercept beside many features with a prior, which all but span it. */
TEST(dependent, intercept_beside_smooth_features)
{
    const double start[2] = { HUGE_VAL, 0.0 };
    double x[100], y[100], mean[100];
    test_random r = test_random_new(30);
    for (size_t i = 0; i < 100; i++) {
        x[i] = 3.0*test_normal(&r);
        y[i] = 50.0 + sin(x[i]) + 0.2*test_normal(&r);
    }
    const bln_data data = dep_data(100, 1, x, y);
    bln_basis *b = slm_parse("bias+rbf:n=60", 1, 1);
    bln_slm *slm = dep_model(b, BLN_SLM_DOUBLE, start);
    CHECK_OK(bln_slm_fit(slm, &data, NULL));
    CHECK_NEAR(sqrt(bln_slm_noise_var(slm)), 0.2, 5.0*0.2/sqrt(180.0));
    CHECK_OK(total_of(bln_slm_posterior(slm), &data, mean, NULL, NULL, NULL, NULL));
    for (size_t i = 0; i < 100; i++) CHECK_NEAR(mean[i], 50.0 + sin(x[i]), 1.0);
    bln_slm_free(slm);
    bln_basis_free(b);
}

SUITE_BEGIN(dependent)
SUITE_TEST(dependent, features_are_named)
SUITE_TEST(dependent, close_features_pass)
SUITE_TEST(dependent, powers_of_years)
SUITE_TEST(dependent, intercept_beside_smooth_features)
SUITE_END(dependent)
