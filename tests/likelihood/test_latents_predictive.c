/* latents_predictive: a user's likelihood of two latents against its closed form, by points and where f is known; what is NaN, what
 * is not asked for, quantiles where moments say nothing. Whole posteriors: tests/posterior/test_observe_latents.c. */
#include "latents_tools.h"

/* y ~ N(trials (f_0 + f_1), 1). */
static double latents_sum_mean(const bln_targets *t, const double *f, size_t ld, size_t i)
{
    return (t->trials ? t->trials[i] : 1.0)*(f[i] + f[ld + i]);
}

static void latents_sum_logp(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                             size_t ld, double *logp)
{
    (void)l; (void)theta;
    for (size_t i = 0; i < n; i++) logp[i] = bln_norm_logpdf(t->y[i] - latents_sum_mean(t, f, ld, i));
}

static void latents_sum_moments(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                                size_t ld, double *mean, double *var)
{
    (void)l; (void)theta;
    for (size_t i = 0; i < n; i++) { mean[i] = latents_sum_mean(t, f, ld, i); var[i] = 1.0; }
}

static void latents_sum_cdf(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                            size_t ld, double *lower, double *upper)
{
    (void)l; (void)theta;
    for (size_t i = 0; i < n; i++) {
        const double x = t->y[i] - latents_sum_mean(t, f, ld, i);
        lower[i] = bln_norm_cdf(x);
        upper[i] = bln_norm_sf(x);
    }
}

typedef struct latents_sum { bln_likelihood_ops ops; bln_latents_ops latents; bln_likelihood l; double work[60000]; } latents_sum;

static void latents_sum_of(latents_sum *u)
{
    u->l = bln_likelihood_gaussian_scale();
    u->ops = *u->l.ops;
    memset(&u->latents, 0, sizeof u->latents);
    u->latents.logp = latents_sum_logp;
    u->latents.moments = latents_sum_moments;
    u->latents.cdf = latents_sum_cdf;
    u->ops.latents = &u->latents;
    u->l.ops = &u->ops;
    u->l.n_theta = 0;
    CHECK(blni_latents_work(&u->l) <= sizeof u->work/sizeof *u->work);
}

static bln_latent latents_two(const double *m, const double *v)
{
    bln_latent f = BLN_ZERO;
    f.K = 1;
    f.J = 2;
    f.mean = m;
    f.var = v;
    return f;
}

/* Averages over 1024 points are within 1e-3 of the spread here; known latents are exact, with their variances 0 or away. Moments
 * read no y. */
TEST(latents_predictive, trials)
{
    const double m[2] = { 0.4, -1.1 }, v[2] = { 0.5, 0.2 }, zeros[2] = { 0.0, 0.0 }, y = -1.0, trials = 2.0;
    latents_sum *u = (latents_sum *)test_doubles(sizeof *u/sizeof(double) + 1);
    latents_sum_of(u);
    for (int k = 0; k < 6; k++) {
        const double times = k < 3 ? trials : 1.0, sd = sqrt(1.0 + (k % 3 ? 0.0 : times*times*0.7)), x = (y + 0.7*times)/sd;
        const bln_latent f = latents_two(m, k % 3 == 0 ? v : k % 3 == 1 ? zeros : NULL);
        const double off = k % 3 ? 1e-15 : 2e-3;
        bln_targets t = BLN_ZERO;
        double mean, model, noise, logp, lower, upper, only;
        if (k < 3) t.trials = &trials;
        blni_latents_moments(&u->l, 1, &t, &f, &mean, &model, &noise, u->work);
        CHECK_NEAR(mean, -0.7*times, off);
        CHECK_NEAR(model, sd*sd - 1.0, 5.0*off);
        CHECK_NEAR(noise, 1.0, 1e-13);
        t.y = &y;
        blni_latents_logdensity(&u->l, 1, &t, &f, &logp, u->work);
        blni_latents_cdf(&u->l, 1, &t, &f, &lower, &upper, u->work);
        blni_latents_cdf(&u->l, 1, &t, &f, NULL, &only, u->work);
        CHECK_NEAR(logp, bln_norm_logpdf(x) - log(sd), off);
        CHECK_NEAR(lower, bln_norm_cdf(x), off);
        CHECK_NEAR(upper, bln_norm_sf(x), off);
        CHECK(only == upper);
    }
    free(u);
}

/* NaN in a mean or a variance gives NaN, by points and by the formulas of classes; a component without weight does not count. */
TEST(latents_predictive, not_a_number)
{
    const bln_likelihood classes = bln_likelihood_categorical(2);
    const double good[2] = { 0.4, 0.3 }, bad[2] = { 0.4, NAN }, zeros[2] = { 0.0, 0.0 }, y = 1.0;
    latents_sum *u = (latents_sum *)test_doubles(sizeof *u/sizeof(double) + 1);
    bln_targets t = BLN_ZERO;
    t.y = &y;
    latents_sum_of(u);
    for (int k = 0; k < 6; k++) {
        const bln_likelihood *l = k % 2 ? &classes : &u->l;
        const bln_latent f = latents_two(k < 4 ? bad : good, k < 2 ? zeros : k < 4 ? good : bad);
        double mean[2], model[2], noise[2], logp, lower, upper;
        blni_latents_moments(l, 1, &t, &f, mean, model, noise, u->work);
        blni_latents_logdensity(l, 1, &t, &f, &logp, u->work);
        CHECK(mean[1 - (k + 1) % 2] != mean[1 - (k + 1) % 2] && logp != logp);
        if (k % 2) continue;
        blni_latents_cdf(l, 1, &t, &f, &lower, &upper, u->work);
        CHECK(lower != lower && upper != upper);
    }
    const double both[4] = { 0.4, 0.3, NAN, NAN }, weight[2] = { 1.0, 0.0 };
    bln_latent f = latents_two(both, NULL);
    double mean, model, noise;
    f.K = 2;
    f.weight = weight;
    blni_latents_moments(&u->l, 1, &t, &f, &mean, &model, &noise, u->work);
    CHECK(mean == 0.4 + 0.3 && model == 0.0 && noise == 1.0);
    free(u);
}

/* Where f is known the quantile is that of the likelihood, though its mean, or its variance, does not exist, or is 0. */
TEST(latents_predictive, quantiles_without_moments)
{
    static const struct { double theta[2], f[2]; } row[] = {
        { { 0.7, 0.9 }, { 0.4, 0.2 } }, { { 0.7, 1.5 }, { 0.4, 0.2 } }, { { 0.7, 4.0 }, { 0.4, 0.2 } } };
    const bln_likelihood student = bln_likelihood_heteroscedastic_t(), gauss = bln_likelihood_gaussian_scale();
    const double ps[4] = { 0.3, 0.99, 0.0, 1.0 }, sure[2] = { 0.4, -800.0 };
    const bln_targets t = BLN_ZERO;
    double *work = test_doubles(blni_latents_work(&student));
    for (size_t i = 0; i < sizeof row/sizeof *row; i++)
        for (size_t k = 0; k < 4; k++) {
            bln_latent f = latents_two(row[i].f, NULL);
            f.eta = row[i].theta;
            const double z = k < 2 ? bln_student_quantile(row[i].theta[1], ps[k]) : k == 2 ? -HUGE_VAL : HUGE_VAL;
            const double want = row[i].f[0] + row[i].theta[0]*sqrt(1.0 + exp(row[i].f[1]))*z;
            CHECK_NEAR(blni_latents_quantile(&student, &t, &f, 0, ps[k], 1.0 - ps[k], work), want, 1e-12*(1.0 + fabs(want)));
        }
    bln_latent f = latents_two(sure, NULL);
    f.eta = row[0].theta;
    CHECK_NEAR(blni_latents_quantile(&gauss, &t, &f, 0, 0.3, 0.7, work), 0.4, 1e-15);
    const double none = blni_latents_quantile(&gauss, &t, &f, 0, NAN, 0.7, work);
    CHECK(none != none);
    free(work);
}

SUITE_BEGIN(latents_predictive)
SUITE_TEST(latents_predictive, trials)
SUITE_TEST(latents_predictive, not_a_number)
SUITE_TEST(latents_predictive, quantiles_without_moments)
SUITE_END(latents_predictive)
