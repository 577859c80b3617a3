/* test_convergence: R-hat, effective sample sizes and errors as R's posterior has them; the errors are what they say */
#include "../test.h"
#include "../golden/convergence_golden.h"

/* The generator of tools/golden_convergence.R. */
static uint32_t convergence_state;
static double convergence_uniform(void)
{
    convergence_state = convergence_state*1664525u + 1013904223u;
    return ((double)convergence_state + 0.5)/4294967296.0;
}
static double convergence_noise(void)
{
    double s = -6.0;
    for (int k = 0; k < 12; k++) s += convergence_uniform();
    return s;
}
/* Rounded here, also by a compiler that was told to fuse products and sums. */
static double convergence_share(double factor, double old)
{
    const volatile double product = factor*old;
    return product;
}
static double convergence_next(const char *name, double old, size_t chain)
{
    if (!strcmp(name, "ar6")) return convergence_share(0.625, old) + convergence_noise();
    if (!strcmp(name, "anti")) return -0.5*old + convergence_noise();
    if (!strcmp(name, "shifted")) return convergence_noise() + 0.25*(double)(chain + 1);
    if (!strcmp(name, "wide")) return convergence_noise()*(double)(chain + 1);
    if (!strcmp(name, "heavy")) { const double n = convergence_noise(); return n/(convergence_uniform() + 0.0625); }
    if (!strcmp(name, "sticky")) return convergence_uniform() < 0.75 ? old : convergence_noise();
    if (!strcmp(name, "coarse")) return floor(4.0*convergence_noise())/4.0;
    if (!strcmp(name, "one")) return convergence_share(0.875, old) + convergence_noise();
    if (!strcmp(name, "slow")) return old + 0.125*convergence_noise();
    return convergence_noise();
}

/* R's FFT has errors of 1e-15 in autocovariances, and sums the draws in another order; both grow a thousandfold at most. R's
 * mean(x <= q) decides ties as this does. */
TEST(convergence, golden)
{
    convergence_state = 1;
    for (size_t g = 0; g < sizeof golden_convergence_cases/sizeof *golden_convergence_cases; g++) {
        const golden_convergence *w = golden_convergence_cases + g;
        const size_t S = w->chains*w->draws, ld = 3, before = test_failures;
        double *x = test_doubles(S*ld), *work = test_doubles(6*S), lag[6] = { 0 }, q, ess, mcse;
        bln_series s = BLN_ZERO;
        bln_summary o;
        for (size_t i = 0; i < S*ld; i++) x[i] = NAN;
        for (size_t c = 0; c < w->chains; c++)                              /* draw i of chain c in row i*chains + c */
            for (size_t i = 0; i < w->draws; i++)
                x[(i*w->chains + c)*ld] = convergence_next(w->name, i ? x[((i - 1)*w->chains + c)*ld] : 0.0, c);
        s.x = x;
        s.chains = w->chains;
        s.draws = w->draws;
        s.ld = w->chains*ld;
        s.ldchain = ld;
        CHECK_NEAR(x[0], w->first, 0.0);
        CHECK_NEAR(x[(S - 1)*ld], w->last, 0.0);
        CHECK_SIZE(bln_series_work(&s), 6*S);
        CHECK_OK(bln_series_summary(&s, &o, work, NULL));
        CHECK_GOLD(o.mean, w->mean, 1e-13);
        CHECK_REL(o.sd, w->sd, 1e-13);
        CHECK_NEAR(o.q05, w->q05, 1e-14);
        CHECK_NEAR(o.median, w->median, 1e-14);
        CHECK_NEAR(o.q95, w->q95, 1e-14);
        CHECK_REL(o.rhat, w->rhat, 1e-12);
        CHECK_REL(o.ess_bulk, w->ess_bulk, 1e-11);
        CHECK_REL(o.ess_tail, w->ess_tail, 1e-11);
        CHECK_REL(o.ess_mean, w->ess_mean, 1e-11);
        CHECK_REL(o.mcse_mean, w->mcse_mean, 1e-11);
        CHECK_REL(o.mcse_sd, w->mcse_sd, 1e-11);
        CHECK_OK(bln_series_quantile(&s, 0.1, &q, &ess, &mcse, work, NULL));
        CHECK_NEAR(q, w->q10, 1e-14);
        CHECK_REL(ess, w->ess_q10, 1e-11);
        CHECK_GOLD(mcse, w->mcse_q10, 1e-14);
        CHECK_OK(bln_series_autocorrelation(&s, 6, lag, work, NULL));
        CHECK_NEAR(lag[0], 1.0, 1e-14);
        CHECK_NEAR(lag[1], w->lag1, 1e-13);
        CHECK_NEAR(lag[5], w->lag5, 1e-13);
        if (test_failures != before) printf("    in %s\n", w->name);
        free(x);
        free(work);
    }
}

static bln_series convergence_series(const double *x, size_t chains, size_t draws)
{
    bln_series s = BLN_ZERO;
    s.x = x;
    s.chains = chains;
    s.draws = draws;
    return s;
}

/* Of x_t = a x_{t-1} + e_t the autocorrelation time is (1 + a)/(1 - a), so that means of n draws have the sd
 * sqrt((1 + a)/(1 - a)/n/(1 - a^2)), and MCSE says so on average; 300 replicates give that sd within 5/sqrt(600), and the mean of
 * MCSE, whose own sd is some 10 %, better. */
TEST(convergence, errors_are_what_they_say)
{
    enum { R = 300, N = 2000 };
    static double x[N], work[6*N];
    const double a = 0.7, truth = sqrt((1.0 + a)/(1.0 - a)/N/(1.0 - a*a));
    test_random r = test_random_new(1);
    double square = 0.0, mcse = 0.0;
    for (size_t k = 0; k < R; k++) {
        double old = test_normal(&r)/sqrt(1.0 - a*a);
        const bln_series s = convergence_series(x, 1, N);
        bln_summary o;
        for (size_t i = 0; i < N; i++) x[i] = old = a*old + test_normal(&r);
        CHECK_OK(bln_series_summary(&s, &o, work, NULL));
        square += o.mean*o.mean/R;
        mcse += o.mcse_mean/R;
    }
    CHECK_NEAR(sqrt(square)/truth, 1.0, 5.0/sqrt(2.0*R));
    CHECK_NEAR(mcse/truth, 1.0, 0.05);
}

/* A chain that begins elsewhere is told by R-hat, which cuts it into halves. */
TEST(convergence, drift_is_seen)
{
    enum { N = 1000 };
    static double x[2*N], work[12*N];
    const bln_series s = convergence_series(x, 2, N);
    test_random r = test_random_new(2);
    bln_summary o;
    for (size_t i = 0; i < N; i++) { x[i] = test_normal(&r); x[N + i] = test_normal(&r) + 2.0*(1.0 - (double)i/N); }
    CHECK_OK(bln_series_summary(&s, &o, work, NULL));
    CHECK_LE(1.05, o.rhat);
}

/* Independent energies have E (E_t - E_{t-1})^2 = 2 var; those of a random walk almost none. */
TEST(convergence, ebfmi)
{
    enum { N = 4000 };
    static double x[3*N];
    const bln_series s = convergence_series(x, 3, N);
    test_random r = test_random_new(3);
    double out[3], walk = 0.0;
    for (size_t i = 0; i < N; i++) {
        x[i] = 100.0 + test_normal(&r);
        walk = 0.99*walk + test_normal(&r);
        x[N + i] = walk;
        x[2*N + i] = 3.0;
    }
    CHECK_OK(bln_series_ebfmi(&s, out, NULL));
    CHECK_NEAR(out[0], 2.0, 0.1);
    CHECK_NEAR(out[1], 0.02, 0.01);
    CHECK(out[2] != out[2]);
    x[0] = 1.0;
    x[1] = 3.0;
    x[2] = 2.0;
    const bln_series three = convergence_series(x, 1, 3);
    CHECK_OK(bln_series_ebfmi(&three, out, NULL));
    CHECK_NEAR(out[0], (4.0 + 1.0)/2.0, 1e-15);
}

/* Nothing can be said of equal draws, of few, and of NaN; a variable of two values keeps the tail that it has. */
TEST(convergence, edges)
{
    enum { N = 40 };
    double x[2*N], work[12*N], q, ess, mcse;
    for (size_t i = 0; i < 2*N; i++) x[i] = 5.0;
    bln_series s = convergence_series(x, 2, N);
    bln_summary o;
    test_random r = test_random_new(4);
    CHECK_OK(bln_series_summary(&s, &o, work, NULL));
    CHECK(o.rhat != o.rhat && o.ess_bulk != o.ess_bulk && o.ess_tail != o.ess_tail && o.mcse_sd != o.mcse_sd);
    CHECK(o.mean == 5.0 && o.sd == 0.0 && o.median == 5.0);
    CHECK_OK(bln_series_quantile(&s, 0.3, &q, &ess, &mcse, work, NULL));
    CHECK(q == 5.0 && ess != ess && mcse != mcse);
    for (size_t i = 0; i < N; i++) x[i] = 6.0;                               /* chains that stand still, apart */
    CHECK_OK(bln_series_summary(&s, &o, work, NULL));
    CHECK(o.rhat == HUGE_VAL);
    for (size_t i = 0; i < 2*N; i++) x[i] = test_uniform(&r) < 0.5;
    CHECK_OK(bln_series_summary(&s, &o, work, NULL));
    CHECK(o.ess_tail > 10.0 && o.ess_bulk > 10.0 && o.rhat < 1.2);
    for (size_t i = 0; i < 2*N; i++) x[i] = test_normal(&r);
    CHECK_OK(bln_series_quantile(&s, 0.999, &q, &ess, &mcse, work, NULL));   /* the beta variable ends beyond the last draw */
    CHECK(blni_finite(mcse) && mcse > 0.0);
    double again;
    CHECK_OK(bln_series_quantile(&s, 0.999, NULL, NULL, &again, work, NULL));
    CHECK(again == mcse);
    for (size_t i = 0; i < 2*N; i++) x[i] *= 1e200;                          /* draws have a mean, but their squares overflow */
    CHECK_OK(bln_series_summary(&s, &o, work, NULL));
    CHECK(o.ess_mean != o.ess_mean && blni_finite(o.mean) && blni_finite(o.ess_bulk));
    for (size_t i = 0; i < 2*N; i++) x[i] = test_uniform(&r) < 0.5;
    x[7] = NAN;
    CHECK_OK(bln_series_summary(&s, &o, work, NULL));
    CHECK(o.rhat != o.rhat && o.ess_mean != o.ess_mean);
    CHECK_OK(bln_series_quantile(&s, 0.3, &q, NULL, NULL, work, NULL));
    CHECK(q != q);
    for (size_t n = 1; n < 8; n++) {
        for (size_t i = 0; i < 2*N; i++) x[i] = test_normal(&r);
        s.draws = n;
        CHECK_OK(bln_series_summary(&s, &o, work, NULL));
        CHECK((o.rhat == o.rhat) == (n >= 6) && blni_finite(o.mean));
    }
}

TEST(convergence, errors)
{
    double x[4] = { 1, 2, 3, 4 }, work[24], out[4];
    bln_series s = convergence_series(x, 2, 2);
    bln_summary o;
    bln_report report;
    CHECK_STATUS(bln_series_summary(NULL, &o, work, &report), BLN_EINVAL);
    CHECK_STATUS(bln_series_summary(&s, &o, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_series_autocorrelation(&s, 3, out, work, &report), BLN_EINVAL);
    CHECK_STATUS(bln_series_quantile(&s, 0.0, out, NULL, NULL, work, &report), BLN_EINVAL);
    CHECK_STATUS(bln_series_quantile(&s, NAN, out, NULL, NULL, work, &report), BLN_EINVAL);
    CHECK_STATUS(bln_series_quantile(&s, 1.0, out, NULL, NULL, work, &report), BLN_EINVAL);
    s.draws = 0;
    CHECK_STATUS(bln_series_ebfmi(&s, out, &report), BLN_EINVAL);
    s.draws = 2;
    s.chains = 0;
    CHECK_STATUS(bln_series_ebfmi(&s, out, &report), BLN_EINVAL);
}

SUITE_BEGIN(convergence)
SUITE_TEST(convergence, golden)
SUITE_TEST(convergence, errors_are_what_they_say)
SUITE_TEST(convergence, drift_is_seen)
SUITE_TEST(convergence, ebfmi)
SUITE_TEST(convergence, edges)
SUITE_TEST(convergence, errors)
SUITE_END(convergence)
