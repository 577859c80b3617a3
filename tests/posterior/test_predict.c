/* test_predict - block boundaries, slopes against finite differences, and the normal distribution's intervals, densities, cdf and
 * quantiles */
#include "../test.h"

TEST(predict, blocks_do_not_matter)
{
    bln_basis *b = NULL;
    double X[40], m[5], s[5], U[25], mean[2][20], var[2][20];
    test_random r = test_random_new(1);
    bln_gaussian g;
    CHECK_OK(bln_polynomial_create(NULL, 2, 2, 1, 0, &b));
    test_fill_normal(&r, 40, X);
    test_fill_normal(&r, 5, m);
    test_fill_normal(&r, 25, U);
    for (size_t i = 0; i < 5; i++) { s[i] = 1.0 + test_uniform(&r); U[6*i] = 1.0 + test_uniform(&r); }
    g.form = BLN_GAUSSIAN_FACTOR;
    g.D = g.k = g.ldr = 5;
    g.m = m;
    g.s = s;
    g.R = U;
    for (size_t block = 1; block < 25; block += 3)
        for (int k = 0; k < 2; k++) {
            double *work = test_doubles(bln_predict_work(b, &g, k ? block : 0));
            bln_predict_latent(b, NULL, &g, 20, X, 2, k ? block : 0, mean[k], var[k], work);
            free(work);
            for (size_t i = 0; i < 20 && k; i++) {
                CHECK_REL(mean[1][i], mean[0][i], 1e-13);
                CHECK_REL(var[1][i], var[0][i], 1e-13);
            }
        }
    bln_basis_free(b);
}

/* 1.959963984540054 = quantile of 0.975 (Abramowitz & Stegun, table 26.5, to 16 digits). */
TEST(predict, normal)
{
    const double mean[3] = { 0.0, 10.0, -2.0 }, var[3] = { 1.0, 4.0, 0.25 }, y[3] = { 0.0, 12.0, -2.0 };
    double lower[3], upper[3], out[3];
    bln_normal_intervals(3, mean, var, 0.95, lower, upper);
    for (size_t i = 0; i < 3; i++) {
        CHECK_NEAR(upper[i] - mean[i], 1.959963984540054*sqrt(var[i]), 1e-14*10);
        CHECK_NEAR(mean[i] - lower[i], 1.959963984540054*sqrt(var[i]), 1e-14*10);
    }
    bln_normal_logdensities(3, mean, var, y, out);
    CHECK_NEAR(out[0], -0.91893853320467274, 1e-15);
    CHECK_NEAR(out[1], -0.91893853320467274 - log(2.0) - 0.5, 1e-15);
    CHECK_NEAR(out[2], -0.91893853320467274 + log(2.0), 1e-15);
    bln_normal_cdfs(3, mean, var, y, out);
    CHECK_NEAR(out[0], 0.5, 1e-16);
    CHECK_NEAR(out[1], 0.84134474606854295, 1e-15);
    bln_normal_quantiles(3, mean, var, 0.5, out);
    for (size_t i = 0; i < 3; i++) CHECK_NEAR(out[i], mean[i], 1e-15);
    /* A level next to 1 keeps its digits: quantile of 1 - 1e-12 is 7.034... */
    bln_normal_intervals(1, mean, var, 1.0 - 2e-12, lower, upper);
    CHECK_NEAR(bln_norm_sf(upper[0]), 1e-12, 1e-16);
}

TEST(predict, normal_refuses)
{
    const double mean[1] = { 0.0 }, good[1] = { 1.0 }, bad[1] = { 0.0 };
    double a[1], b[1];
    bln_normal_intervals(1, mean, good, 1.0, a, b);
    CHECK(a[0] != a[0] && b[0] != b[0]);
    bln_normal_intervals(1, mean, bad, 0.5, a, b);              /* no spread at all: the mean */
    CHECK(a[0] == mean[0] && b[0] == mean[0]);
    const double negative[1] = { -1.0 };
    bln_normal_intervals(1, mean, negative, 0.5, a, b);
    CHECK(a[0] != a[0] && b[0] != b[0]);
    bln_normal_logdensities(1, mean, bad, mean, a);
    CHECK(a[0] != a[0]);
    bln_normal_cdfs(1, mean, bad, mean, a);
    CHECK(a[0] != a[0]);
    bln_normal_quantiles(1, mean, good, 0.0, a);
    CHECK(a[0] != a[0]);
}

/* A posterior over b's weights in either form, in one block of memory: m, s, R. */
static bln_gaussian predict_gaussian(const bln_basis *b, bln_gaussian_form form, double *arrays)
{
    const size_t D = b->D;
    test_random r = test_random_new(17 + (uint64_t)form);
    double *m = arrays, *s = arrays + D, *R = arrays + 2*D;
    bln_gaussian g;
    g.form = form;
    g.D = g.ldr = D;
    g.k = form == BLN_GAUSSIAN_FACTOR ? D : D/2;
    g.m = m;
    g.s = s;
    g.R = R;
    test_fill_normal(&r, D, m);
    for (size_t j = 0; j < D; j++) s[j] = 0.2 + test_uniform(&r);
    for (size_t i = 0; i < g.k; i++)
        for (size_t j = 0; j < D; j++)
            R[i*D + j] = form == BLN_GAUSSIAN_LOWRANK ? 0.3*test_normal(&r)/sqrt((double)D) : i == j ? 1.0 + test_uniform(&r)
                                                                                                     : 0.2*test_normal(&r);
    return g;
}

static bln_basis *predict_parse(const char *text)
{
    bln_spec_desc desc;
    bln_basis *b = NULL;
    memset(&desc, 0, sizeof desc);
    desc.text = text;
    desc.d = 3;
    desc.seed = 3;
    CHECK_OK(bln_basis_parse(&desc, &b, NULL));
    if (!b) exit(1);
    return b;
}

/* Against central differences of fourth order, [8(f(x+h) - f(x-h)) - (f(x+2h) - f(x-2h))]/(12h) with h = 2^-10: rounding 1.5 eps
 * |f|/h, where |f| is a sum of up to D terms of size 10: 1e-10; truncation h^4/30 = 3e-14 times the fifth derivative, which
 * is at most D times the fifth power of the frequencies: |omega| <= 5 at these length scales gives 1e5 and 1e-8 in all. */
TEST(predict, gradient_finite_differences)
{
    static const char *const specs[5] = { "rbf:n=12,ard+linear", "polynomial:degree=3+bias", "matern52:n=9,cols=2;0+linear:cols=1",
                                         "bias", "polynomial:degree=4,interactions,cols=1;2+rbf:n=5" };
    static const double theta[6] = { 1.3, 0.9, 1.1, 1.2, 0.8, 1.0 }, steps[4] = { -2.0, -1.0, 1.0, 2.0 };
    const double h = 1.0/1024;
    double X[11*4];
    test_random r = test_random_new(31);
    test_fill_normal(&r, 44, X);
    for (size_t c = 0; c < 5; c++)
        for (int form = BLN_GAUSSIAN_FACTOR; form <= BLN_GAUSSIAN_LOWRANK; form++) {
            bln_basis *b = predict_parse(specs[c]);
            if (b->D == 1 && form == BLN_GAUSSIAN_LOWRANK) { bln_basis_free(b); continue; }
            double *arrays = test_doubles((b->D + 2)*b->D), *one, *work, dmean[11*5], dvar[11*5], only[11*5];
            const bln_gaussian g = predict_gaussian(b, (bln_gaussian_form)form, arrays);
            one = test_doubles(bln_predict_work(b, &g, 1));
            work = test_doubles(bln_predict_gradient_work(b, &g, 4));
            for (size_t i = 0; i < 55; i++) dmean[i] = dvar[i] = only[i] = 2.385;
            CHECK_OK(bln_predict_gradient(b, theta, &g, 11, X, 4, 4, dmean, dvar, 5, work));
            CHECK_OK(bln_predict_gradient(b, theta, &g, 11, X, 4, 4, NULL, only, 5, work));
            for (size_t i = 0; i < 11; i++) {
                for (size_t j = 0; j < b->d; j++) {
                    double x[4], f[4][2];
                    for (size_t k = 0; k < 4; k++) {
                        memcpy(x, X + i*4, sizeof x);
                        x[j] += steps[k]*h;
                        bln_predict_latent(b, theta, &g, 1, x, 4, 1, &f[k][0], &f[k][1], one);
                    }
                    for (size_t k = 0; k < 2; k++) {
                        const double want = (8.0*(f[2][k] - f[1][k]) - (f[3][k] - f[0][k]))/(12.0*h);
                        CHECK_GOLD((k ? dvar : dmean)[i*5 + j], want, 1e-8);
                    }
                    CHECK_NEAR(only[i*5 + j], dvar[i*5 + j], 0.0);
                }
                CHECK_NEAR(dmean[i*5 + b->d], 2.385, 0.0);                 /* beyond the d columns nothing is written */
            }
            free(work);
            work = test_doubles(bln_predict_gradient_work(b, &g, 0));
            CHECK_OK(bln_predict_gradient(b, theta, &g, 11, X, 4, 0, only, NULL, 5, work));
            for (size_t i = 0; i < 11; i++)
                for (size_t j = 0; j < b->d; j++) CHECK_GOLD(only[i*5 + j], dmean[i*5 + j], 1e-12);
            free(arrays); free(one); free(work);
            bln_basis_free(b);
        }
}

static void predict_own_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *Phi,
                                 size_t ldphi, double *work)
{
    (void)b; (void)theta; (void)work;
    for (size_t i = 0; i < n; i++) Phi[i*ldphi] = X[i*ldx]*X[i*ldx + 1];
}

/* A basis of the user's without pullback has no slope, nor has anything that contains it; nothing is written. */
TEST(predict, gradient_without_pullback)
{
    bln_basis_ops ops;
    bln_basis *own = (bln_basis *)calloc(1, sizeof *own);
    bln_basis *volatile hidden = own;                      /* gcc -O3 takes it for the struct of a built-in basis otherwise */
    bln_basis *linear = NULL, *sum = NULL, *columns = NULL, *parts[2];
    const size_t both[2] = { 0, 1 };
    if (!own) exit(2);
    const double X[2] = { 0.3, 0.7 };
    double arrays[40], slope[2] = { 2.385, 2.385 }, *work;
    memset(&ops, 0, sizeof ops);
    ops.name = "product";
    ops.features = predict_own_features;
    own->ops = &ops;
    own->d = 2;
    own->D = own->n_slices = 1;
    CHECK_OK(bln_linear_create(NULL, 2, 0, &linear));
    CHECK_OK(bln_basis_columns(NULL, 2, 2, both, hidden, &columns, NULL));
    parts[0] = linear;
    parts[1] = columns;
    CHECK_OK(bln_basis_sum(NULL, 2, parts, &sum, NULL));
    const bln_basis *refused[3];
    refused[0] = own;
    refused[1] = columns;
    refused[2] = sum;
    for (size_t k = 0; k < 3; k++) {
        const bln_gaussian g = predict_gaussian(refused[k], BLN_GAUSSIAN_FACTOR, arrays);
        work = test_doubles(bln_predict_gradient_work(refused[k], &g, 1));
        CHECK_STATUS(bln_predict_gradient(refused[k], NULL, &g, 1, X, 2, 1, slope, slope, 2, work), BLN_EINVAL);
        CHECK(slope[0] == 2.385 && slope[1] == 2.385);
        free(work);
    }
    const bln_gaussian g = predict_gaussian(linear, BLN_GAUSSIAN_FACTOR, arrays);
    CHECK_SIZE(bln_predict_gradient_work(linear, &g, (size_t)-1/2), (size_t)-1);
    bln_basis_free(sum);
    free(own);
}

SUITE_BEGIN(predict)
SUITE_TEST(predict, blocks_do_not_matter)
SUITE_TEST(predict, normal)
SUITE_TEST(predict, gradient_finite_differences)
SUITE_TEST(predict, gradient_without_pullback)
SUITE_TEST(predict, normal_refuses)
SUITE_END(predict)
