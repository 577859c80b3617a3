/* multivariate: draws are the definition applied to the normals of the same generator, at sizes around each halving, with
 * strides, and without a look below the diagonal; n draws are n times one draw; means, covariances and distances from the mean
 * have their distributions; Dirichlet draws have their moments, margins and logarithms, also for shapes near 0; singular
 * factors; errors. */
#include "../test.h"
#include "../golden/distributions_golden.h"
#include "goodness.h"

typedef bln_status (*multivariate_t_draw)(bln_rng *rng, size_t n, size_t D, double nu, const double *mean, const double *U,
                                          size_t ldu, double *X, size_t ldx);

/* An upper factor with NaN below its diagonal and 1..2 on it, the rest small enough for the inverse to stay moderate. */
static void multivariate_factor(test_random *random, size_t D, double *U, size_t ldu)
{
    for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j < ldu; j++)
            U[i*ldu + j] = j < i || j >= D ? (double)NAN
                         : j == i ? 1.0 + test_uniform(random) : test_normal(random)/sqrt((double)D);
}

/* n rows of D against  x - mean = f U'eps  or  U (x - mean) = f eps.  D operations a sum: D eps times the sum of absolute
 * values is more than twice what they can be off (Higham 2002, 3.5 and 8.5), with 8 eps for f and the mean. */
static void multivariate_check_rows(int precision, size_t n, size_t D, double nu, const double *mean, const double *U, size_t ldu,
                                    const double *X, size_t ldx, bln_rng *r)
{
    double *eps = test_doubles(D);
    for (size_t i = 0; i < n; i++) {
        const double *x = X + i*ldx;
        for (size_t j = 0; j < D; j++) eps[j] = bln_rng_normal(r);
        const double f = nu < HUGE_VAL ? blni_student_factor(r, nu) : 1.0;
        for (size_t j = 0; j < D; j++) {
            double sum = 0.0, size = fabs(mean[j]);
            if (precision) {
                for (size_t k = j; k < D; k++) {
                    sum += U[j*ldu + k]*(x[k] - mean[k]);
                    size += fabs(U[j*ldu + k])*(fabs(x[k] - mean[k]) + fabs(mean[k]));
                }
                CHECK_NEAR(sum, f*eps[j], ((double)D + 8.0)*DBL_EPSILON*size);
            } else {
                for (size_t k = 0; k <= j; k++) {
                    sum += f*U[k*ldu + j]*eps[k];
                    size += fabs(f*U[k*ldu + j]*eps[k]);
                }
                CHECK_NEAR(x[j], mean[j] + sum, ((double)D + 8.0)*DBL_EPSILON*size);
            }
        }
    }
    free(eps);
}

TEST(multivariate, agrees_with_definition)
{
    static const size_t sizes[] = { 1, 2, 3, 5, 15, 16, 17, 31, 33, 64, 70 }, counts[] = { 0, 1, 2, 9, 64, 65 };
    enum { MOST = 70, ROWS = 65 };
    double *U = test_doubles(MOST*(MOST + 3)), *X = test_doubles(ROWS*(MOST + 2)), *mean = test_doubles(MOST);
    test_random random = test_random_new(60);
    bln_rng r, copy;
    bln_rng_seed(&r, 61, 0);
    for (size_t s = 0; s < 11; s++)
        for (size_t c = 0; c < 6; c++)
            for (int kind = 0; kind < 4; kind++) {
                const size_t D = sizes[s], n = counts[c], ldu = D + 3, ldx = D + 2;
                const double nu = kind & 1 ? 3.5 : HUGE_VAL;
                multivariate_factor(&random, D, U, ldu);
                test_fill_normal(&random, D, mean);
                for (size_t i = 0; i < ROWS*ldx; i++) X[i] = 2.385;
                copy = r;
                CHECK_OK(kind == 0 ? bln_rng_mvnormal(&r, n, D, mean, U, ldu, X, ldx)
                       : kind == 1 ? bln_rng_mvt(&r, n, D, nu, mean, U, ldu, X, ldx)
                       : kind == 2 ? bln_rng_mvnormal_precision(&r, n, D, mean, U, ldu, X, ldx)
                                   : bln_rng_mvt_precision(&r, n, D, nu, mean, U, ldu, X, ldx));
                multivariate_check_rows(kind/2, n, D, nu, mean, U, ldu, X, ldx, &copy);
                CHECK(!memcmp(&r, &copy, sizeof r));
                for (size_t i = 0; i < ROWS; i++)
                    for (size_t j = i < n ? D : 0; j < ldx; j++) CHECK(X[i*ldx + j] == 2.385);
            }
    free(U);
    free(X);
    free(mean);
}

/* A 4 x 4 scale matrix S = U'U, and the factor of its inverse. */
static void multivariate_scales(double *S, double *U, double *P)
{
    static const double lower[4][4] = { { 1.5, 0, 0, 0 }, { -0.8, 0.7, 0, 0 }, { 0.3, 1.1, 2.0, 0 }, { 0.9, -0.2, 0.4, 0.1 } };
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            S[4*i + j] = 0.0;
            for (size_t k = 0; k < 4; k++) S[4*i + j] += lower[i][k]*lower[j][k];
            U[4*i + j] = lower[j][i];
        }
    memcpy(P, U, 16*sizeof *P);
    bln_trtri(4, P, 4);                                               /* U^-1 */
    bln_lauum(4, P, 4, P, 4);                                         /* S^-1 = U^-1 U^-T */
    CHECK_OK(bln_potrf(4, P, 4, NULL));
}

/* (x - mean)'S^-1 (x - mean) is chi-square with 4 degrees of freedom: 1 - e^{-x/2} (1 + x/2); with t of nu, d/(nu + d) is
 * Beta(2, nu/2): 1 - w^c (1 + c (1 - w)) with w = nu/(nu + d), c = nu/2. */
static double multivariate_distance_cdf(double d, double nu, double unused)
{
    (void)unused;
    if (!(nu < HUGE_VAL)) return 1.0 - exp(-0.5*d)*(1.0 + 0.5*d);
    const double w = nu/(nu + d), c = 0.5*nu;
    return 1.0 - pow(w, c)*(1.0 + c*(1.0 - w));
}

/* Mean 0, covariance g S, E x_j^2 x_k^2 = h g^2 (S_jj S_kk + 2 S_jk^2), g = nu/(nu - 2), h = (nu - 2)/(nu - 4); where nu is too
 * small for these, distances only. */
static void multivariate_check_moments(multivariate_t_draw draw, double nu, int precision, uint64_t stream)
{
    enum { N = 40000 };
    static const double mean[4] = { 1.0, -2.0, 1e3, 0.0 };
    double S[16], U[16], P[16], *X = test_doubles(N*4), *distance = test_doubles(N), sum[4] = { 0.0 }, cross[16] = { 0.0 };
    bln_rng r;
    multivariate_scales(S, U, P);
    bln_rng_seed(&r, 62, stream);
    CHECK_OK(draw(&r, N, 4, nu, mean, precision ? P : U, 4, X, 4));
    for (size_t i = 0; i < N; i++) {
        double *x = X + 4*i;
        for (size_t j = 0; j < 4; j++) { x[j] -= mean[j]; sum[j] += x[j]/N; }
        for (size_t j = 0; j < 16; j++) cross[j] += x[j/4]*x[j%4]/N;
        bln_trsv(BLN_TRANS, 4, U, 4, x);
        distance[i] = bln_dot(4, x, x);
    }
    CHECK_LE(goodness_kolmogorov(N, distance, multivariate_distance_cdf, nu, 0.0), 2.6);
    if (nu > 4.0) {
        const double g = nu < HUGE_VAL ? nu/(nu - 2.0) : 1.0, h = nu < HUGE_VAL ? (nu - 2.0)/(nu - 4.0) : 1.0;
        for (size_t j = 0; j < 16; j++) {
            const double product = S[j/4*5]*S[j%4*5], fourth = h*(product + 2.0*S[j]*S[j]) - S[j]*S[j];
            CHECK_NEAR(sum[j/4], 0.0, 5.0*sqrt(g*S[j/4*5]/N));
            CHECK_NEAR(cross[j], g*S[j], 5.0*g*sqrt(fourth/N));
        }
    }
    free(X);
    free(distance);
}

static bln_status multivariate_normal(bln_rng *r, size_t n, size_t D, double nu, const double *mean, const double *U, size_t ldu,
                                      double *X, size_t ldx)
{
    (void)nu;
    return bln_rng_mvnormal(r, n, D, mean, U, ldu, X, ldx);
}

static bln_status multivariate_normal_precision(bln_rng *r, size_t n, size_t D, double nu, const double *mean, const double *U,
                                                size_t ldu, double *X, size_t ldx)
{
    (void)nu;
    return bln_rng_mvnormal_precision(r, n, D, mean, U, ldu, X, ldx);
}

TEST(multivariate, moments_and_distances)
{
    const double nus[] = { 0.3, 1.0, 3.0, 9.0, 1e3, HUGE_VAL };
    multivariate_check_moments(multivariate_normal, HUGE_VAL, 0, 0);
    multivariate_check_moments(multivariate_normal_precision, HUGE_VAL, 1, 1);
    for (size_t i = 0; i < 6; i++) {
        multivariate_check_moments(bln_rng_mvt, nus[i], 0, 2 + i);
        multivariate_check_moments(bln_rng_mvt_precision, nus[i], 1, 10 + i);
    }
}

/* A covariance of rank 2 in 3 dimensions, x_3 = x_1 + 2 x_2 and a zero on the diagonal of its factor; nu = inf is the normal; no
 * dimension; no mean. */
TEST(multivariate, limits)
{
    static const double U[9] = { 1.0, 0.5, 2.0, 0.0, 1.5, 3.0, 0.0, 0.0, 0.0 };
    double x[3], y[3];
    bln_rng r, copy;
    bln_rng_seed(&r, 63, 0);
    for (int i = 0; i < 100; i++) {
        copy = r;
        CHECK_OK(bln_rng_mvnormal(&r, 1, 3, NULL, U, 3, x, 3));
        CHECK_OK(bln_rng_mvt(&copy, 1, 3, HUGE_VAL, NULL, U, 3, y, 3));
        CHECK_NEAR(x[2], x[0] + 2.0*x[1], 1e-14);
        CHECK(!memcmp(x, y, sizeof x) && !memcmp(&r, &copy, sizeof r));
    }
    copy = r;
    CHECK_OK(bln_rng_mvnormal(&r, 5, 0, NULL, U, 0, x, 0));
    CHECK(!memcmp(&r, &copy, sizeof r));
}

TEST(multivariate, errors_draw_and_write_nothing)
{
    double U[4] = { 1.0, 0.5, 0.0, 1.0 }, x[2] = { 7.0, 7.0 };
    bln_rng r, before;
    bln_rng_seed(&r, 64, 0);
    before = r;
    CHECK_STATUS(bln_rng_mvnormal(&r, 1, 2, NULL, U, 1, x, 2), BLN_EINVAL);
    CHECK_STATUS(bln_rng_mvnormal(&r, 1, 2, NULL, U, 2, x, 1), BLN_EINVAL);
    CHECK_STATUS(bln_rng_mvt(&r, 1, 2, 0.0, NULL, U, 2, x, 2), BLN_EDOMAIN);
    CHECK_STATUS(bln_rng_mvt_precision(&r, 1, 2, -1.0, NULL, U, 2, x, 2), BLN_EDOMAIN);
    CHECK_STATUS(bln_rng_mvt(&r, 1, 2, (double)NAN, NULL, U, 2, x, 2), BLN_EDOMAIN);
    U[3] = 0.0;
    CHECK_STATUS(bln_rng_mvnormal_precision(&r, 1, 2, NULL, U, 2, x, 2), BLN_ENOTPD);
    CHECK_STATUS(bln_rng_mvt_precision(&r, 1, 2, 4.0, NULL, U, 2, x, 2), BLN_ENOTPD);
    U[3] = (double)NAN;
    CHECK_STATUS(bln_rng_mvnormal(&r, 1, 2, NULL, U, 2, x, 2), BLN_ENOTPD);
    U[3] = HUGE_VAL;
    CHECK_STATUS(bln_rng_mvt(&r, 1, 2, 4.0, NULL, U, 2, x, 2), BLN_ENOTPD);
    const double bad[4] = { -1.0, HUGE_VAL, (double)NAN, 0.0 };
    for (size_t i = 0; i < 4; i++) {
        double alpha[2] = { 1.0, 0.0 };
        alpha[i == 3 ? 0 : 1] = bad[i];
        CHECK_STATUS(bln_rng_dirichlet(&r, 1, 2, alpha, x, 2), BLN_EDOMAIN);
        CHECK_STATUS(bln_rng_log_dirichlet(&r, 1, 2, alpha, x, 2), BLN_EDOMAIN);
        alpha[0] = alpha[1] = 1.0;
        CHECK_STATUS(bln_rng_dirichlet(&r, 1, 2, alpha, x, 1), BLN_EINVAL);
        CHECK_STATUS(bln_rng_dirichlet(&r, 1, 0, alpha, x, 0), BLN_EDOMAIN);
    }
    CHECK(x[0] == 7.0 && x[1] == 7.0 && !memcmp(&r, &before, sizeof r));
}

/* ---- Dirichlet */

/* Mean a_k/A; covariance (a_j A [j = k] - a_j a_k)/(A^2 (A + 1)); x is within [0, 1], so that a variance bounds the fourth
 * moment. */
TEST(multivariate, dirichlet_moments)
{
    enum { N = 40000, D = 4 };
    static const double alphas[3][D] = { { 1.0, 2.0, 3.0, 0.5 }, { 0.1, 0.0, 0.02, 0.3 }, { 50.0, 20.0, 1000.0, 0.7 } };
    double *X = test_doubles(N*(D + 1));
    bln_rng r;
    bln_rng_seed(&r, 65, 0);
    for (size_t s = 0; s < 3; s++) {
        const double *a = alphas[s], A = a[0] + a[1] + a[2] + a[3];
        double mean[D] = { 0.0 }, cross[D][D] = { { 0.0 } };
        for (size_t i = 0; i < N*(D + 1); i++) X[i] = 2.385;
        CHECK_OK(bln_rng_dirichlet(&r, N, D, a, X, D + 1));
        for (size_t i = 0; i < N; i++) {
            const double *x = X + i*(D + 1);
            CHECK_NEAR(x[0] + x[1] + x[2] + x[3], 1.0, 100.0*DBL_EPSILON); /* eps |log of the largest gamma|, which is above -100 */
            CHECK(x[D] == 2.385);
            for (size_t k = 0; k < D; k++) mean[k] += (x[k] - a[k]/A)/N;
            for (size_t k = 0; k < D; k++)
                for (size_t j = 0; j < D; j++) cross[k][j] += (x[k] - a[k]/A)*(x[j] - a[j]/A)/N;
        }
        for (size_t k = 0; k < D; k++) {
            const double var = a[k]*(A - a[k])/(A*A*(A + 1.0));
            CHECK_NEAR(mean[k], 0.0, 5.0*sqrt(var/N));
            for (size_t j = 0; j < D; j++) {
                const double other = a[j]*(A - a[j])/(A*A*(A + 1.0)), less = var < other ? var : other;
                CHECK_NEAR(cross[k][j], j == k ? var : -a[j]*a[k]/(A*A*(A + 1.0)), 5.0*sqrt(less/N));
            }
        }
    }
    free(X);
}

/* x_1 of Dirichlet(1, 1, 1) is Beta(1, 2), of Dirichlet(1/2, 1/4, 1/4) the arc sine law Beta(1/2, 1/2). */
static double multivariate_margin_cdf(double x, double which, double unused)
{
    (void)unused;
    return which > 0.0 ? 2.0/BLNI_PI*asin(sqrt(x)) : 1.0 - (1.0 - x)*(1.0 - x);
}

TEST(multivariate, dirichlet_margins)
{
    enum { N = 40000 };
    static const double alphas[2][3] = { { 1.0, 1.0, 1.0 }, { 0.5, 0.25, 0.25 } };
    double *X = test_doubles(3*N), *x = test_doubles(N);
    bln_rng r;
    bln_rng_seed(&r, 66, 0);
    for (size_t s = 0; s < 2; s++) {
        CHECK_OK(bln_rng_dirichlet(&r, N, 3, alphas[s], X, 3));
        for (size_t k = 0; k < (s ? 1u : 3u); k++) {
            for (size_t i = 0; i < N; i++) x[i] = X[3*i + k];
            CHECK_LE(goodness_kolmogorov(N, x, multivariate_margin_cdf, (double)s, 0.0), 2.6);
        }
    }
    free(X);
    free(x);
}

/* log x_k has mean psi(a_k) - psi(A) and variance psi'(a_k) - psi'(A): shape 1/2 of A = 2.385, and 0.001 of A = 1. The plain
 * form is the exponential, from the same bits. */
TEST(multivariate, dirichlet_in_logs)
{
    enum { N = 40000 };
    static const double alphas[2][3] = { { 0.5, 1.0, 0.885 }, { 0.001, 0.25, 0.749 } };
    const double *part[2], *whole[2];
    double *X = test_doubles(3*N), *Y = test_doubles(3*N);
    part[0] = golden_distributions_log_gamma[3];
    whole[0] = golden_distributions_log_gamma[7];
    part[1] = golden_distributions_log_gamma[0];
    whole[1] = golden_distributions_log_gamma[5];
    for (size_t s = 0; s < 2; s++) {
        const double mean = part[s][1] - whole[s][1], var = part[s][2] - whole[s][2];
        double sum = 0.0, square = 0.0;
        bln_rng r, copy;
        bln_rng_seed(&r, 67, s);
        copy = r;
        CHECK_OK(bln_rng_log_dirichlet(&r, N, 3, alphas[s], X, 3));
        CHECK_OK(bln_rng_dirichlet(&copy, N, 3, alphas[s], Y, 3));
        CHECK(!memcmp(&r, &copy, sizeof r));
        for (size_t i = 0; i < N; i++) {
            CHECK_NEAR(bln_logsumexp(3, X + 3*i), 0.0, 1e-13);
            CHECK(X[3*i] - X[3*i] == 0.0);
            for (size_t k = 0; k < 3; k++) {                         /* the library's exp may round otherwise than <math.h>'s */
                const double want = exp(X[3*i + k]);
                CHECK_LE(fabs(Y[3*i + k] - want), DBL_EPSILON*want + 4.9406564584124654e-324);
            }
            sum += X[3*i] - mean;
            square += (X[3*i] - mean)*(X[3*i] - mean);
        }
        CHECK_NEAR(sum/N, 0.0, 5.0*sqrt(var/N));
        CHECK_NEAR(square/N, var, 5.0*var*sqrt(8.0/N));               /* as of the log of a gamma: fourth moment at most 9 var^2 */
    }
    free(X);
    free(Y);
}

/* Shapes of 1e-300 and less: one category takes all, each as often as the others. Shape 0 gives 0; one category gives 1. */
TEST(multivariate, dirichlet_limits)
{
    static const double tiny[4] = { 1e-300, 1e-310, 0.0, 1e-300 }, even[4] = { 1.0/3.0, 1.0/3.0, 0.0, 1.0/3.0 };
    double count[4] = { 0.0 }, x[4];
    bln_rng r;
    bln_rng_seed(&r, 68, 0);
    for (int i = 0; i < 6000; i++) {
        CHECK_OK(bln_rng_dirichlet(&r, 1, 4, tiny, x, 4));
        CHECK_NEAR(x[0] + x[1] + x[2] + x[3], 1.0, 0.0);
        for (size_t k = 0; k < 4; k++) count[k] += x[k];
    }
    goodness_chi2(4, count, even, 6000.0, "tiny Dirichlet", 0.0, 0.0);
    CHECK_OK(bln_rng_log_dirichlet(&r, 1, 4, tiny, x, 4));
    CHECK(x[2] == -HUGE_VAL && x[0] > -HUGE_VAL && x[1] > -HUGE_VAL && x[3] > -HUGE_VAL);
    CHECK_OK(bln_rng_dirichlet(&r, 1, 1, even, x, 1));
    CHECK(x[0] == 1.0);
}

SUITE_BEGIN(multivariate)
    SUITE_TEST(multivariate, agrees_with_definition)
    SUITE_TEST(multivariate, moments_and_distances)
    SUITE_TEST(multivariate, limits)
    SUITE_TEST(multivariate, errors_draw_and_write_nothing)
    SUITE_TEST(multivariate, dirichlet_moments)
    SUITE_TEST(multivariate, dirichlet_margins)
    SUITE_TEST(multivariate, dirichlet_in_logs)
    SUITE_TEST(multivariate, dirichlet_limits)
SUITE_END(multivariate)
