/* observe_likelihood: strided rows of any likelihood against predictive, to the bit; normal noise as a likelihood says what
 * observe_noise says; the check, and rows it refuses */
#include "posterior_tools.h"
#include "../likelihood/likelihood_tools.h"

enum { OBSERVED_N = 4, OBSERVED_K = 2 };

static const double observed_mean[OBSERVED_N*OBSERVED_K] = { 0.3, -0.4, 1.1, 0.9, -0.2, 0.5, 0.7, 0.1 };
static const double observed_var[OBSERVED_N*OBSERVED_K] = { 0.2, 0.5, 0.1, 0.0, 0.3, 0.2, 0.4, 0.6 };
static const double observed_y[OBSERVED_N*2] = { 1.0, 9.0, 0.0, 9.0, 1.0, 9.0, 2.0, 9.0 };
static const double observed_u[OBSERVED_N] = { 0.1, 0.9, 0.5, 0.3 };

TEST(observe_likelihood, as_predictive)
{
    static const double p[3] = { 0.1, 0.5, 0.9 };
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        const bln_observe o = bln_observe_likelihood(&l);
        const size_t n = strncmp(k->name, "binomial", 8) ? OBSERVED_N : 3;
        double got[8][OBSERVED_N], want[8][OBSERVED_N], quantile[OBSERVED_N*3], work[OBSERVED_N], y[OBSERVED_N];
        bln_latent f = BLN_ZERO;
        bln_data rows = BLN_ZERO;
        bln_targets t = BLN_ZERO;
        CHECK(o.n_eta == l.n_theta && o.n_y == 1 && o.n_moments == 1 && !o.ops->identity);
        f.K = OBSERVED_K;
        f.mean = observed_mean;
        f.var = observed_var;
        f.eta = k->theta;
        rows.n = n;
        rows.y = observed_y;
        rows.ldy = 2;
        t.y = y;
        for (size_t i = 0; i < n; i++) y[i] = observed_y[2*i];
        CHECK_OK(o.ops->rows(&o, &rows, 2, NULL));
        CHECK_LE((double)o.ops->work(&o, n), (double)OBSERVED_N);
        o.ops->moments(&o, &rows, &f, got[0], got[1], got[2], work);
        o.ops->logdensity(&o, &rows, &f, got[3], work);
        o.ops->cdf(&o, &rows, &f, got[4], got[5], work);
        memcpy(got[6], observed_u, sizeof observed_u);
        o.ops->pit(&o, &rows, &f, got[6], got[6], work);
        o.ops->quantile(&o, &rows, &f, 3, p, NULL, quantile, work);
        blni_predictive_moments(&l, n, &t, &f, want[0], want[1], want[2]);
        blni_predictive_logdensity(&l, n, &t, &f, want[3]);
        blni_predictive_cdf(&l, n, &t, &f, want[4], want[5]);
        blni_predictive_pit(&l, n, &t, &f, observed_u, want[6]);
        for (size_t a = 0; a < 7; a++)
            for (size_t i = 0; i < n; i++) CHECK(got[a][i] == want[a][i]);
        for (size_t a = 0; a < 3; a++) {
            predictive_quantile(&l, n, &t, &f, p[a], want[0]);
            for (size_t i = 0; i < n; i++) CHECK(quantile[3*i + a] == want[0][i]);
        }
    }
}

/* Errors of predictive: 1e-11, 1e-9, 1e-10. */
TEST(observe_likelihood, normal_noise)
{
    static const double p[1] = { 0.9 }, v[OBSERVED_N] = { 1.0, 0.5, 2.0, 1.3 };
    const bln_likelihood l = bln_likelihood_gaussian();
    const double eta[OBSERVED_K] = { 0.37, 0.9 };
    double got[2][7][OBSERVED_N], work[OBSERVED_N];
    bln_latent f = BLN_ZERO;
    bln_data rows = BLN_ZERO;
    f.K = OBSERVED_K;
    f.mean = observed_mean;
    f.var = observed_var;
    f.eta = eta;
    f.ldeta = 1;
    rows.n = OBSERVED_N;
    rows.y = observed_y;
    rows.ldy = 2;
    rows.noise_var = v;
    for (int c = 0; c < 2; c++) {
        const bln_observe o = c ? bln_observe_noise(1) : bln_observe_likelihood(&l);
        o.ops->moments(&o, &rows, &f, got[c][0], got[c][1], got[c][2], work);
        blni_ask_logdensity(&o, &rows, &f, got[c][3], work);
        (o.ops->cdf ? o.ops->cdf : blni_noise_cdf)(&o, &rows, &f, got[c][4], got[c][5], work);
        blni_ask_quantile(&o, &rows, &f, 1, p, NULL, got[c][6], work);
    }
    for (size_t a = 0; a < 7; a++)
        for (size_t i = 0; i < OBSERVED_N; i++) CHECK_NEAR(got[0][a][i], got[1][a][i], 1e-9*(1.0 + fabs(got[1][a][i])));
}

/* What features miss is added where they miss something, and nowhere else. */
TEST(observe_likelihood, missed_rows)
{
    const bln_likelihood l = bln_likelihood_gaussian();
    const bln_observe o = bln_observe_likelihood(&l);
    const double eta = 0.5, missed[3] = { 0.4, 0.0, 0.9 };
    double f[3] = { 1.0, 2.0, 3.0 }, work[3];
    bln_data rows = BLN_ZERO;
    rows.n = 3;
    CHECK_OK(o.ops->draw(&o, &rows, &eta, missed, 0, 1, 2, 0, f, f, work));
    CHECK(f[0] != 1.0 && f[1] == 2.0 && f[2] != 3.0);
}

TEST(observe_likelihood, refuses)
{
    const bln_likelihood l = bln_likelihood_poisson(BLN_LINK_LOG), gauss = bln_likelihood_gaussian();
    bln_observe o = bln_observe_likelihood(&l);
    bln_report report;
    bln_data rows = BLN_ZERO;
    double y[2] = { 3.0, 1.5 }, one[2] = { 1.0, 1.0 };
    CHECK(o.ops->check(&o, 1, 0.0) == NULL);
    CHECK_TEXT(o.ops->check(&o, 2, 0.0), "one latent");
    const bln_likelihood two = bln_likelihood_gaussian_scale();
    o = bln_observe_likelihood(&two);
    CHECK_TEXT(o.ops->check(&o, 1, 0.0), "bln_observe_latents");
    o = bln_observe_likelihood(&l);
    CHECK_TEXT(o.ops->check(&o, 1, 3.0), "normal");
    o.n_eta = 1;
    CHECK_TEXT(o.ops->check(&o, 1, 0.0), "another");
    o = bln_observe_likelihood(NULL);
    CHECK_TEXT(o.ops->check(&o, 1, 0.0), "NULL");
    o = bln_observe_likelihood(&l);
    rows.n = 2;
    CHECK_OK(o.ops->rows(&o, &rows, 0, &report));
    CHECK_STATUS(o.ops->rows(&o, &rows, 1, &report), BLN_EINVAL);
    rows.y = y;
    CHECK_OK(o.ops->rows(&o, &rows, 1, &report));
    CHECK_STATUS(o.ops->rows(&o, &rows, 2, &report), BLN_EDOMAIN);
    CHECK_SIZE(report.row, 1);
    rows.p = 2;
    CHECK_STATUS(o.ops->rows(&o, &rows, 1, &report), BLN_ESHAPE);
    rows.p = 1;
    rows.trials = one;
    CHECK_OK(o.ops->rows(&o, &rows, 0, &report));
    o = bln_observe_likelihood(&gauss);
    CHECK_STATUS(o.ops->rows(&o, &rows, 0, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "trials");
}

SUITE_BEGIN(observe_likelihood)
SUITE_TEST(observe_likelihood, as_predictive)
SUITE_TEST(observe_likelihood, normal_noise)
SUITE_TEST(observe_likelihood, missed_rows)
SUITE_TEST(observe_likelihood, refuses)
SUITE_END(observe_likelihood)
