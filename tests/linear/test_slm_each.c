/* test_slm_each - a prior variance for each weight where rows are few: the prior of relevance, and searches that end at a bound */
#include "slm_tools.h"

enum { EACH_N = 120, EACH_D = 200, EACH_NEW = 500, EACH_TABLES = 20 };

typedef struct each_table { double X[EACH_N*EACH_D], y[EACH_N], X_new[EACH_NEW*EACH_D], y_new[EACH_NEW]; } each_table;

static double each_target(test_random *r, const double *x) { return x[0] - 2.0*x[1] + 0.5*test_normal(r); }

/* y = x1 - 2 x2 + noise of sd 0.5, of 200 inputs. */
static bln_data each_make(each_table *t, uint64_t seed, bln_data *fresh)
{
    bln_data data;
    test_random r = test_random_new(seed);
    test_fill_normal(&r, EACH_N*EACH_D, t->X);
    test_fill_normal(&r, EACH_NEW*EACH_D, t->X_new);
    for (size_t i = 0; i < EACH_N; i++) t->y[i] = each_target(&r, t->X + i*EACH_D);
    for (size_t i = 0; i < EACH_NEW; i++) t->y_new[i] = each_target(&r, t->X_new + i*EACH_D);
    memset(&data, 0, sizeof data);
    data.n = EACH_N;
    data.d = EACH_D;
    data.X = t->X;
    data.y = t->y;
    *fresh = data;
    fresh->n = EACH_NEW;
    fresh->X = t->X_new;
    fresh->y = NULL;
    return data;
}

/* Mean RMSE of new points and what their 95 % intervals hold, over tables 1 .. count. */
static void each_scores(const bln_slm_desc *desc, size_t count, double *rmse, double *held)
{
    each_table *t = (each_table *)malloc(sizeof *t);
    double *mean = (double *)malloc(3*EACH_NEW*sizeof *mean), *var = mean + EACH_NEW, *noise = var + EACH_NEW;
    *rmse = *held = 0.0;
    for (size_t table = 1; table <= count; table++) {
        bln_data fresh;
        double square = 0.0;
        const bln_data data = each_make(t, table, &fresh);
        bln_slm *slm = slm_fit(desc, &data);
        CHECK_OK(bln_slm_predict(slm, &fresh, mean, var, noise, NULL, NULL));
        for (size_t i = 0; i < EACH_NEW; i++) {
            const double e = t->y_new[i] - mean[i];
            square += e*e/EACH_NEW;
            *held += (e*e <= 1.959964*1.959964*(var[i] + noise[i]))/(double)EACH_NEW/(double)count;
        }
        *rmse += sqrt(square)/(double)count;
        bln_slm_free(slm);
    }
    free(mean);
    free(t);
}

/* The bounds are those that a user may ask for: an RMSE of at most 0.65 where the noise is 0.50 (0.60: scikit-learn's
 * ARDRegression), and at least 90 % of new points in 95 % intervals. With absolute prior variances, and with ratios. */
TEST(slm_each, few_of_many_inputs)
{
    bln_basis *b = slm_parse("linear", EACH_D, 1);
    for (int relative = TEST_MANY(0, 1); relative < 2; relative++) {
        bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
        double rmse, held;
        desc.per_weight = 1;
        desc.relative_prior = relative;
        each_scores(&desc, EACH_TABLES, &rmse, &held);
        CHECK_LE(rmse, 0.65);
        CHECK_LE(0.90, held);
    }
    bln_basis_free(b);
}

/* The evidence alone ends at a bound with these tables, and says which and why. */
TEST(slm_each, bound_is_named)
{
    each_table *t = (each_table *)malloc(sizeof *t);
    bln_data fresh;
    bln_report report;
    const bln_data data = each_make(t, 1, &fresh);
    bln_basis *b = slm_parse("linear", EACH_D, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
    desc.per_weight = 1;
    desc.relevance = BLN_SLM_RELEVANCE_NONE;
    bln_slm *slm = slm_new(&desc);
    CHECK_OK(bln_slm_fit(slm, &data, &report));
    CHECK(report.stop == BLN_STOP_BOUND);
    CHECK(strstr(report.text, "the noise variance ended at the lower end of its range") != NULL);
    CHECK(strstr(report.text, "fewer features") != NULL);                  /* the text fits */
    bln_slm_free(slm);
    bln_basis_free(b);
    free(t);
}

/* Other ends. Without a prior of theta, a length scale of an input that plays no part goes to the end of its range. */
TEST(slm_each, other_bounds_are_named)
{
    double X[120], y[60];
    bln_report report;
    bln_data data;
    test_random r = test_random_new(4);
    test_fill_normal(&r, 120, X);
    for (size_t i = 0; i < 60; i++) y[i] = X[2*i] + 0.01*test_normal(&r);
    memset(&data, 0, sizeof data);
    data.n = 60;
    data.d = 2;
    data.X = X;
    data.y = y;
    bln_basis *b = slm_parse("rbf:n=20,ard", 2, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
    desc.theta_sd = HUGE_VAL;
    desc.max_iterations = 2000;
    bln_slm *slm = slm_new(&desc);
    CHECK_OK(bln_slm_fit(slm, &data, &report));
    CHECK(report.stop == BLN_STOP_BOUND);
    CHECK(strstr(report.text, "upper end of its range") != NULL && strstr(report.text, "length") != NULL);
    bln_slm_free(slm);
    bln_basis_free(b);
}

/* Where the prior of relevance is used: with per_weight, L-BFGS, and at most twice as many rows as prior variances to be learnt, or
 * when asked for. Elsewhere the fit is that of the evidence alone, to the bit. */
TEST(slm_each, when_it_is_used)
{
    static const struct { size_t n; bln_slm_optimiser optimiser; int per_weight, used; } cases[] = {
        { 24, BLN_SLM_LBFGS, 1, 1 }, { 25, BLN_SLM_LBFGS, 1, 0 }, { 24, BLN_SLM_MACKAY, 1, 0 }, { 10, BLN_SLM_LBFGS, 0, 0 }
    };
    bln_basis *b = slm_parse("linear", 11, 1);
    for (size_t c = 0; c < sizeof cases/sizeof *cases; c++) {
        bln_data data = slm_make(cases[c].n, 11, 5, 0);
        double evidence[2];
        bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
        desc.optimiser = cases[c].optimiser;
        desc.per_weight = cases[c].per_weight;
        for (int k = 0; k < 2; k++) {
            desc.relevance = k ? BLN_SLM_RELEVANCE_NONE : BLN_SLM_RELEVANCE_AUTO;
            bln_slm *slm = slm_fit(&desc, &data);
            evidence[k] = bln_slm_evidence(slm);
            bln_slm_free(slm);
        }
        CHECK((evidence[0] != evidence[1]) == cases[c].used);
        slm_free_data(&data);
    }
    bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
    desc.relevance = BLN_SLM_RELEVANCE_HALF_CAUCHY;
    CHECK(strstr(bln_slm_check(&desc), "half-Cauchy") != NULL);
    desc.per_weight = 1;
    CHECK(bln_slm_check(&desc) == NULL);
    desc.optimiser = BLN_SLM_EM;
    CHECK(strstr(bln_slm_check(&desc), "half-Cauchy") != NULL);
    desc.relevance = (bln_slm_relevance_prior)7;
    CHECK(strstr(bln_slm_check(&desc), "relevance") != NULL);
    bln_basis_free(b);
}

/* The objective of the search and its slope, by central differences of step h = 1e-5: their error is h^2/6 of a third derivative
 * of order N and 2 eps |objective|/h = 1e-9, so that 1e-6 of the largest slope is ample. With a length scale and ratios too. */
TEST(slm_each, slope_of_the_prior)
{
    static const char *const specs[2] = { "linear", "linear+rbf:n=4" };
    for (int k = 0; k < 4; k++) {
        bln_data data = slm_make(12, 6, 9, 1);
        bln_basis *b = slm_parse(specs[k % 2], 6, 1);
        bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
        double z[40], g[40], spare[40], up, down, value, most = 0.0;
        desc.per_weight = 1;
        desc.relative_prior = k/2;
        desc.relevance = BLN_SLM_RELEVANCE_HALF_CAUCHY;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_init(slm, &data, NULL));
        blni_slm_fit *f = slm->fit;
        f->tied = 0;
        CHECK(f->relevance && f->n_free <= 40);
        for (size_t i = 0; i < f->n_free; i++) z[i] = 0.3*sin(1.0 + (double)i);
        CHECK_OK(blni_fit_objective(f, f->n_free, z, &value, g, NULL));
        CHECK_NEAR(value, -f->evidence - f->unit + blni_fit_penalty(f, f->x, NULL), 1e-12*fabs(value));
        for (size_t i = 0; i < f->n_free; i++) most = fabs(g[i]) > most ? fabs(g[i]) : most;
        for (size_t i = 0; i < f->n_free; i++) {
            const double keep = z[i], h = 1e-5;
            z[i] = keep + h;
            CHECK_OK(blni_fit_objective(f, f->n_free, z, &up, spare, NULL));
            z[i] = keep - h;
            CHECK_OK(blni_fit_objective(f, f->n_free, z, &down, spare, NULL));
            z[i] = keep;
            CHECK_NEAR(g[i], (up - down)/(2.0*h), 1e-6*most);
        }
        bln_slm_free(slm);
        bln_basis_free(b);
        slm_free_data(&data);
    }
}

/* Powers of two in the unit of y or of the inputs change nothing but the exponents: the prior of relevance has no units. The steps
 * of the search differ by rounding only, and its tests of progress are relative. */
TEST(slm_each, units)
{
    bln_data data = slm_make(20, 15, 3, 0);
    bln_basis *b = slm_parse("linear:ones=0", 15, 1);
    double first = 0.0;
    for (int k = 0; k < 3; k++) {
        const double y_unit = k == 1 ? 1024.0 : 1.0, x_unit = k == 2 ? 1.0/4096.0 : 1.0;
        double *y = (double *)malloc(20*sizeof *y), *X = (double *)malloc(300*sizeof *X);
        bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
        bln_data scaled = data;
        for (size_t i = 0; i < 20; i++) y[i] = y_unit*data.y[i];
        for (size_t i = 0; i < 300; i++) X[i] = x_unit*data.X[i];
        scaled.X = X;
        scaled.y = y;
        desc.per_weight = 1;
        bln_slm *slm = slm_fit(&desc, &scaled);
        const double noise = sqrt(bln_slm_noise_var(slm))/y_unit;
        if (k == 0) first = noise;
        CHECK_REL(noise, first, 1e-3);
        bln_slm_free(slm);
        free(X);
        free(y);
    }
    bln_basis_free(b);
    slm_free_data(&data);
}

SUITE_BEGIN(slm_each)
SUITE_TEST(slm_each, few_of_many_inputs)
SUITE_TEST(slm_each, bound_is_named)
SUITE_TEST(slm_each, other_bounds_are_named)
SUITE_TEST(slm_each, when_it_is_used)
SUITE_TEST(slm_each, slope_of_the_prior)
SUITE_TEST(slm_each, units)
SUITE_END(slm_each)
