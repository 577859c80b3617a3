/* test_check: figures by the definition, p of ties and of figures without a value; p is uniform where nothing was fitted and 1/2
 * where theory says so; a Poisson of overdispersed counts is found out, a negative binomial is not */
#include "../test.h"

TEST(check, figures)
{
    static const double y[] = { 3.0, 0.0, -1.0, 0.0, 8.0 }, same[] = { 2.0, 2.0, 2.0 };
    const bln_check *c = bln_checks();
    /* mean 2; deviations 1, -2, -3, -2, 6: m_2 = 54/5, m_3 = (1 - 8 - 27 - 8 + 216)/5 */
    const double want[] = { 2.0, sqrt(54.0/4.0), 34.8/pow(10.8, 1.5), -1.0, 8.0, 0.4 };
    static const char *const names[] = { "mean", "sd", "skewness", "min", "max", "zeros" };
    for (size_t k = 0; k < BLN_CHECKS; k++) {
        CHECK(!strcmp(c[k].name, names[k]));
        CHECK_NEAR(c[k].of(c[k].user, 5, y), want[k], 1e-14);
    }
    CHECK(c[1].of(NULL, 3, same) == 0.0 && c[2].of(NULL, 3, same) != c[2].of(NULL, 3, same));
}

static double check_first(void *user, size_t n, const double *y)
{
    ++*(size_t *)user;
    return n && y[0] < 90.0 ? y[0] : NAN;
}

/* 0, 1, ..., 9 and two NaN against 4: five are above, one is the same. */
TEST(check, ties_and_gaps)
{
    double y[2] = { 4.0, 7.0 }, rep[12*3], work[12];
    size_t calls = 0;
    bln_check first;
    bln_check_result r;
    first.name = "first";
    first.of = check_first;
    first.user = &calls;
    for (size_t s = 0; s < 12; s++) rep[3*s] = s < 10 ? (double)((7*s) % 10) : 99.0;
    CHECK_OK(bln_check_replicates(2, y, 12, rep, 3, 1, &first, &r, work, NULL));
    CHECK(calls == 13 && r.undefined == 2 && r.observed == 4.0);
    CHECK_NEAR(r.p, 0.55, 1e-15);
    CHECK_NEAR(r.mean, 4.5, 1e-14);
    CHECK_NEAR(r.sd, sqrt(82.5/9.0), 1e-14);
    CHECK_NEAR(r.q05, 0.45, 1e-14);
    CHECK_NEAR(r.median, 4.5, 1e-14);
    CHECK_NEAR(r.q95, 8.55, 1e-14);
    first.of = bln_checks()[4].of;                                           /* counts beyond the doubles are infinite */
    for (size_t s = 10; s < 12; s++) rep[3*s] = HUGE_VAL;
    CHECK_OK(bln_check_replicates(1, y, 12, rep, 3, 1, &first, &r, work, NULL));
    CHECK(r.q95 == HUGE_VAL && r.median == 5.5 && r.undefined == 0);
    for (size_t s = 10; s < 12; s++) rep[3*s] = 99.0;
    first.of = check_first;
    y[0] = 95.0;
    CHECK_OK(bln_check_replicates(2, y, 12, rep, 3, 1, &first, &r, work, NULL));
    CHECK(r.observed != r.observed && r.p != r.p && r.mean == 4.5);
    CHECK_OK(bln_check_replicates(2, y, 2, rep + 30, 3, 1, &first, &r, work, NULL));
    CHECK(r.undefined == 2 && r.mean != r.mean && r.q05 != r.q05);
}

/* Data and replicates from the same known distribution, small whole numbers, so that figures tie: mid-p has mean 1/2, and its
 * square about 1/3, less the share that ties take. */
TEST(check, p_is_uniform_without_a_fit)
{
    enum { R = 400, N = 20, S = 99 };
    double y[N], *rep = test_doubles(S*N), work[S], sum[3] = { 0.0 }, square = 0.0;
    bln_check_result r[BLN_CHECKS];
    bln_rng rng;
    bln_rng_seed(&rng, 5, 0);
    for (size_t t = 0; t < R; t++) {
        for (size_t i = 0; i < N; i++) y[i] = bln_rng_poisson(&rng, 2.0);
        for (size_t i = 0; i < S*N; i++) rep[i] = bln_rng_poisson(&rng, 2.0);
        CHECK_OK(bln_check_replicates(N, y, S, rep, 0, BLN_CHECKS, bln_checks(), r, work, NULL));
        sum[0] += r[0].p/R;
        sum[1] += r[1].p/R;
        sum[2] += r[5].p/R;
        square += (r[1].p - 0.5)*(r[1].p - 0.5)/R;               /* sd hardly ties: uniform, variance 1/12 and that of S draws */
    }
    for (size_t k = 0; k < 3; k++) CHECK_NEAR(sum[k], 0.5, 5.0*sqrt(1.0/12.0/R));
    CHECK_NEAR(square, 1.0/12.0*(1.0 + 2.0/S), 5.0*sqrt(1.0/180.0/R));
    free(rep);
}

/* Replicates of a fitted model; the result of each figure. */
static void check_of(const bln_posterior *q, const bln_data *data, size_t S, bln_check_result *r)
{
    bln_draw_desc draws = BLN_ZERO;
    double *rep = test_doubles(S*data->n), *work = test_doubles(S);
    draws.n = S;
    draws.noise = 1;
    draws.seed = 11;
    CHECK_OK(bln_posterior_draws(q, data, &draws, rep, NULL, 0, NULL, NULL));
    CHECK_OK(bln_check_replicates(data->n, data->y, S, rep, 0, BLN_CHECKS, bln_checks(), r, work, NULL));
    free(rep);
    free(work);
}

/* Least squares with a constant: the residuals sum to 0, so the mean of a replicate is that of the data and a symmetric rest,
 * N(0, 2 sigma^2/n), given sigma: p = 1/2, and the sd of the figure is known. The largest value gives the outlier away. */
TEST(check, least_squares)
{
    enum { N = 40, S = 4000 };
    double X[N], y[N], flat[1] = { HUGE_VAL };
    bln_slm_desc desc = BLN_ZERO;
    bln_data data = BLN_ZERO;
    bln_basis *line = NULL;
    bln_slm *model = NULL;
    bln_check_result r[BLN_CHECKS];
    test_random random = test_random_new(3);
    for (size_t i = 0; i < N; i++) {
        X[i] = (double)i/N;
        y[i] = 2.0 - X[i] + test_normal(&random) + (i == 20 ? 12.0 : 0.0);
    }
    data.n = N;
    data.d = 1;
    data.X = X;
    data.y = y;
    CHECK_OK(bln_linear_create(NULL, 1, 1, &line));
    desc.basis = line;
    desc.prior_var = flat;
    CHECK_OK(bln_slm_create(&desc, &model, NULL));
    CHECK_OK(bln_slm_fit(model, &data, NULL));
    check_of(bln_slm_posterior(model), &data, S, r);
    CHECK_NEAR(r[0].p, 0.5, 5.0*0.5/sqrt((double)S));
    const double sd = sqrt(2.0*bln_slm_noise_cov(model)[0]/N);
    CHECK_NEAR(r[0].sd, sd, 5.0*sd/sqrt(2.0*S));
    CHECK_NEAR(r[0].mean, r[0].observed, 5.0*sd/sqrt((double)S));
    CHECK_LE(r[2].p, 0.001);                                     /* skewness */
    CHECK_LE(r[4].p, 0.005);                                     /* the largest */
    CHECK_LE(r[3].p, 0.1);                                       /* and the smallest is not so small as the wide noise makes it */
    bln_slm_free(model);
    bln_basis_free(line);
}

/* Negative binomial counts of mean 4 and variance 4 + 16/kappa = 12. A Poisson has the mean, and neither sd, nor zeros, nor the
 * largest; a negative binomial has all of them. */
TEST(check, overdispersed_counts)
{
    enum { N = 150, S = 1000 };
    double X[N], y[N];
    bln_data data = BLN_ZERO;
    bln_basis *line = NULL;
    bln_rng rng;
    bln_check_result r[BLN_CHECKS];
    bln_rng_seed(&rng, 8, 0);
    for (size_t i = 0; i < N; i++) {
        X[i] = (double)i/N - 0.5;
        y[i] = bln_rng_poisson(&rng, bln_rng_gamma(&rng, 2.0)*2.0);            /* negative binomial: mean 4, size 2 */
    }
    data.n = N;
    data.d = 1;
    data.X = X;
    data.y = y;
    CHECK_OK(bln_linear_create(NULL, 1, 1, &line));
    for (int mended = 0; mended < 2; mended++) {
        bln_glm_desc desc = BLN_ZERO;
        bln_glm *model = NULL;
        desc.basis = line;
        desc.likelihood = mended ? bln_likelihood_negative_binomial() : bln_likelihood_poisson(BLN_LINK_DEFAULT);
        CHECK_OK(bln_glm_create(&desc, &model, NULL));
        CHECK_OK(bln_glm_fit(model, &data, NULL));
        check_of(bln_glm_posterior(model), &data, S, r);
        CHECK(r[0].p > 0.3 && r[0].p < 0.7);
        for (size_t k = 1; k < BLN_CHECKS; k++) {
            if (k == 3) continue;                                /* the smallest is 0, whatever the model */
            if (mended) CHECK(r[k].p > 0.01 && r[k].p < 0.99);
            else CHECK_LE(r[k].p, 0.002);
        }
        bln_glm_free(model);
    }
    bln_basis_free(line);
}

TEST(check, errors)
{
    double y[3] = { 1.0, 2.0, 3.0 }, rep[6] = { 0.0 }, work[2];
    bln_check none[2];
    bln_check_result r[BLN_CHECKS];
    bln_report report;
    memcpy(none, bln_checks(), sizeof none);
    none[1].of = NULL;
    CHECK_STATUS(bln_check_replicates(3, NULL, 2, rep, 0, 1, none, r, work, &report), BLN_EINVAL);
    CHECK_STATUS(bln_check_replicates(0, y, 2, rep, 0, 1, none, r, work, &report), BLN_EINVAL);
    CHECK_STATUS(bln_check_replicates(3, y, 0, rep, 0, 1, none, r, work, &report), BLN_EINVAL);
    CHECK_STATUS(bln_check_replicates(3, y, 2, rep, 2, 1, none, r, work, &report), BLN_EINVAL);
    CHECK_STATUS(bln_check_replicates(3, y, 2, rep, 0, 2, none, r, work, &report), BLN_EINVAL);
    CHECK(report.column == 1);
    y[2] = NAN;
    CHECK_STATUS(bln_check_replicates(3, y, 2, rep, 0, 1, none, r, work, &report), BLN_EDATA);
    CHECK(report.row == 2);
}

SUITE_BEGIN(check)
SUITE_TEST(check, figures)
SUITE_TEST(check, ties_and_gaps)
SUITE_TEST(check, p_is_uniform_without_a_fit)
SUITE_TEST(check, least_squares)
SUITE_TEST(check, overdispersed_counts)
SUITE_TEST(check, errors)
SUITE_END(check)
