/* test_sample - draws of weights have the mean and the covariance of the posterior, in both forms and both ways; prior paths have
 * the prior's, and the covariance with their posterior paths that Matheron's rule gives them; keys */
#include "../test.h"

enum { SAMPLE_D = 8, SAMPLE_K = 5, SAMPLE_N = 40000 };

/* A posterior from k rows A of a whitened design: m at random, B = I + A'A, K_s = I + A A' = L L', V = L^-1 A. s_2 = 0: a weight
 * that the prior switched off. C and the prior variances written out. */
typedef struct sample_case {
    double m[SAMPLE_D], s[SAMPLE_D], R[SAMPLE_D*SAMPLE_D], C[SAMPLE_D*SAMPLE_D], L[SAMPLE_K*SAMPLE_K];
    blni_gaussian g;
} sample_case;

static void sample_make(sample_case *c, bln_gaussian_form form)
{
    test_random r = test_random_new(3);
    double A[SAMPLE_K*SAMPLE_D], B[SAMPLE_D*SAMPLE_D], inverse[SAMPLE_D*SAMPLE_D];
    test_fill_normal(&r, SAMPLE_D, c->m);
    test_fill_normal(&r, SAMPLE_K*SAMPLE_D, A);
    for (size_t i = 0; i < SAMPLE_D; i++) c->s[i] = i == 2 ? 0.0 : 0.2 + test_uniform(&r);
    for (size_t i = 0; i < SAMPLE_D; i++) A[2*SAMPLE_D + i] *= 30.0;                /* a row that tells much */
    for (size_t i = 0; i < SAMPLE_D*SAMPLE_D; i++) {
        c->R[i] = 2.385;                                         /* below the diagonal it stays so: nothing may read it there */
        B[i] = inverse[i] = i%(SAMPLE_D + 1) == 0;
        for (size_t l = 0; l < SAMPLE_K; l++) B[i] += A[l*SAMPLE_D + i/SAMPLE_D]*A[l*SAMPLE_D + i%SAMPLE_D];
    }
    if (form == BLN_GAUSSIAN_FACTOR) {
        for (size_t i = 0; i < SAMPLE_D*SAMPLE_D; i++) if (i%SAMPLE_D >= i/SAMPLE_D) c->R[i] = B[i];
        CHECK_OK(bln_potrf(SAMPLE_D, c->R, SAMPLE_D, NULL));
    }
    for (size_t i = 0; i < SAMPLE_K*SAMPLE_K; i++) {                                /* L: plain Cholesky by rows */
        const size_t a = i/SAMPLE_K, b = i%SAMPLE_K;
        double t = a == b;
        c->L[i] = 0.0;
        if (b > a) continue;
        for (size_t j = 0; j < SAMPLE_D; j++) t += A[a*SAMPLE_D + j]*A[b*SAMPLE_D + j];
        for (size_t j = 0; j < b; j++) t -= c->L[a*SAMPLE_K + j]*c->L[b*SAMPLE_K + j];
        c->L[i] = a == b ? sqrt(t) : t/c->L[b*SAMPLE_K + b];
    }
    if (form == BLN_GAUSSIAN_LOWRANK)
        for (size_t a = 0; a < SAMPLE_K; a++)
            for (size_t j = 0; j < SAMPLE_D; j++) {
                double t = A[a*SAMPLE_D + j];
                for (size_t b = 0; b < a; b++) t -= c->L[a*SAMPLE_K + b]*c->R[b*SAMPLE_D + j];
                c->R[a*SAMPLE_D + j] = t/c->L[a*SAMPLE_K + a];
            }
    for (size_t p = 0; p < SAMPLE_D; p++) {                                         /* Gauss-Jordan */
        const double pivot = B[p*SAMPLE_D + p];
        for (size_t j = 0; j < SAMPLE_D; j++) { B[p*SAMPLE_D + j] /= pivot; inverse[p*SAMPLE_D + j] /= pivot; }
        for (size_t i = 0; i < SAMPLE_D; i++) {
            const double f = B[i*SAMPLE_D + p];
            if (i == p) continue;
            for (size_t j = 0; j < SAMPLE_D; j++) {
                B[i*SAMPLE_D + j] -= f*B[p*SAMPLE_D + j];
                inverse[i*SAMPLE_D + j] -= f*inverse[p*SAMPLE_D + j];
            }
        }
    }
    for (size_t i = 0; i < SAMPLE_D*SAMPLE_D; i++) c->C[i] = c->s[i/SAMPLE_D]*c->s[i%SAMPLE_D]*inverse[i];
    c->g.form = form;
    c->g.D = c->g.ldr = SAMPLE_D;
    c->g.k = form == BLN_GAUSSIAN_FACTOR ? SAMPLE_D : SAMPLE_K;
    c->g.m = c->m;
    c->g.s = c->s;
    c->g.R = c->R;
}

/* What Q is: L^-1 transposed in low-rank form, and in both forms Q'Q = I - M M', M = V or U^-T; upper triangular. |A|^2 is 7e3, so
 * the condition of U and L is 84: D eps 84 = 1.5e-13, here 1e-12. The smallest pivot of I - V V' is 1/7e3, of which the rounding
 * is 7e3 times as much: L^-1 to 1e-11 and better. */
TEST(sample, path_factor)
{
    for (int form = BLN_GAUSSIAN_FACTOR; form <= BLN_GAUSSIAN_LOWRANK; form++) {
        sample_case c;
        double Q[SAMPLE_D*SAMPLE_D], diag[SAMPLE_D], X[SAMPLE_D*SAMPLE_D], tau = -1.0;
        sample_make(&c, (bln_gaussian_form)form);
        const size_t k = c.g.k;
        CHECK_OK(blni_gaussian_path_factor(&c.g, Q, diag, &tau));
        CHECK_LE(tau, 1e-12);
        CHECK_LE(0.0, tau);
        memcpy(X, c.R, sizeof X);
        if (form == BLN_GAUSSIAN_FACTOR) bln_trtri(k, X, k);
        for (size_t i = 0; i < k; i++)
            for (size_t j = 0; j < k; j++) {
                double got = 0.0, want = i == j;
                for (size_t l = 0; l < k; l++) got += Q[l*k + i]*Q[l*k + j];
                for (size_t l = 0; l < SAMPLE_D; l++)
                    if (form == BLN_GAUSSIAN_LOWRANK)  want -= c.R[i*SAMPLE_D + l]*c.R[j*SAMPLE_D + l];
                    else if (l <= i && l <= j)         want -= X[l*k + i]*X[l*k + j];
                CHECK_NEAR(got, want, 1e-12);
                if (j < i) CHECK_NEAR(Q[i*k + j], 0.0, 0.0);
            }
        if (form == BLN_GAUSSIAN_FACTOR) continue;
        for (size_t j = 0; j < k; j++) {                             /* column j of L^-1 is row j of Q */
            double x[SAMPLE_K];
            for (size_t i = 0; i < k; i++) {
                x[i] = i == j;
                for (size_t l = 0; l < i; l++) x[i] -= c.L[i*k + l]*x[l];
                x[i] /= c.L[i*k + i];
                CHECK_NEAR(Q[j*k + i], x[i], 1e-11);
            }
        }
    }
}

/* |difference of means| and |difference of covariances| within 5 standard errors: sqrt(C_ii/n) and sqrt((C_ii C_jj + C_ij^2)/n)
 * (Isserlis), mean known. X, Y: n draws each; Cx, Cy: their covariances; Cxy: the one between them. */
static void sample_moments(size_t n, size_t D, const double *X, const double *mx, const double *Cx, const double *Y,
                           const double *my, const double *Cy, const double *Cxy)
{
    for (size_t i = 0; i < D; i++) {
        double sum = 0.0;
        for (size_t r = 0; r < n; r++) sum += X[r*D + i];
        CHECK_NEAR(sum/(double)n, mx[i], 5.0*sqrt(Cx[i*D + i]/(double)n) + 1e-12);
        for (size_t j = 0; j < D; j++) {
            double product = 0.0;
            for (size_t r = 0; r < n; r++) product += (X[r*D + i] - mx[i])*(Y[r*D + j] - my[j]);
            CHECK_NEAR(product/(double)n, Cxy[i*D + j],
                       5.0*sqrt((Cx[i*D + i]*Cy[j*D + j] + Cxy[i*D + j]*Cxy[i*D + j])/(double)n) + 1e-12);
        }
    }
}

TEST(sample, mean_and_covariance)
{
    double *W = test_doubles(SAMPLE_N*SAMPLE_D), *prior = test_doubles(SAMPLE_N*SAMPLE_D);
    for (int way = 0; way < 3; way++) {                    /* factor plain, factor pathwise, low-rank */
        sample_case c;
        double Q[SAMPLE_D*SAMPLE_D], diag[SAMPLE_D], S2[SAMPLE_D*SAMPLE_D], zero[SAMPLE_D];
        sample_make(&c, way == 2 ? BLN_GAUSSIAN_LOWRANK : BLN_GAUSSIAN_FACTOR);
        double *work = test_doubles(blni_gaussian_sample_work(&c.g));
        if (way) CHECK_OK(blni_gaussian_path_factor(&c.g, Q, diag, NULL));
        blni_gaussian_sample(&c.g, way ? Q : NULL, SAMPLE_N, 11, 1000, W, way ? prior : NULL, SAMPLE_D, work);
        sample_moments(SAMPLE_N, SAMPLE_D, W, c.m, c.C, W, c.m, c.C, c.C);
        for (size_t r = 0; r < 100; r++) CHECK_NEAR(W[r*SAMPLE_D + 2], c.m[2], 0.0);
        if (way) {
            for (size_t i = 0; i < SAMPLE_D*SAMPLE_D; i++) S2[i] = i%(SAMPLE_D + 1) == 0 ? c.s[i/SAMPLE_D]*c.s[i/SAMPLE_D] : 0.0;
            memset(zero, 0, sizeof zero);
            sample_moments(SAMPLE_N, SAMPLE_D, prior, zero, S2, prior, zero, S2, S2);
            sample_moments(SAMPLE_N, SAMPLE_D, prior, zero, S2, W, c.m, c.C, c.C);
        }
        free(work);
    }
    free(W);
    free(prior);
}

/* Draw i belongs to (seed, stream + i), however the draws are split; padding of the rows survives; the same normals serve both
 * forms of one posterior: equal prior paths, and posterior paths of equal law. */
TEST(sample, keys)
{
    double W[2][70*(SAMPLE_D + 1)], prior[2][70*(SAMPLE_D + 1)], Q[SAMPLE_D*SAMPLE_D], diag[SAMPLE_D];
    for (int form = BLN_GAUSSIAN_FACTOR; form <= BLN_GAUSSIAN_LOWRANK; form++) {
        const size_t ld = SAMPLE_D + 1;
        sample_case c;
        sample_make(&c, (bln_gaussian_form)form);
        double *work = test_doubles(blni_gaussian_sample_work(&c.g));
        CHECK_OK(blni_gaussian_path_factor(&c.g, Q, diag, NULL));
        for (size_t i = 0; i < 70*ld; i++) W[0][i] = W[1][i] = prior[0][i] = prior[1][i] = 2.385;
        blni_gaussian_sample(&c.g, Q, 70, 5, 7, W[0], prior[0], ld, work);
        blni_gaussian_sample(&c.g, Q, 33, 5, 7, W[1], prior[1], ld, work);
        blni_gaussian_sample(&c.g, Q, 37, 5, 40, W[1] + 33*ld, prior[1] + 33*ld, ld, work);
        for (size_t i = 0; i < 70*ld; i++) {
            CHECK_NEAR(W[0][i], W[1][i], 1e-13);
            CHECK_NEAR(prior[0][i], prior[1][i], 0.0);
            if (i%ld == SAMPLE_D) CHECK(W[0][i] == 2.385 && prior[0][i] == 2.385);
        }
        for (size_t j = 0; j < SAMPLE_D; j++) {
            double e[SAMPLE_D];
            bln_rng rng;
            bln_rng_seed(&rng, 5, 7 + 50);
            bln_rng_normals(&rng, SAMPLE_D, e);
            CHECK_NEAR(prior[0][50*ld + j], c.s[j]*e[j], 1e-15);
        }
        blni_gaussian_sample(&c.g, Q, 0, 5, 7, NULL, NULL, ld, work);
        blni_gaussian_sample(&c.g, Q, 1, 6, 7, W[1], NULL, ld, work);
        CHECK(fabs(W[1][0] - W[0][0]) > 1e-6);
        if (form == BLN_GAUSSIAN_FACTOR) {                           /* plain: m + S U^-1 e, by hand */
            double e[SAMPLE_D];
            bln_rng rng;
            blni_gaussian_sample(&c.g, NULL, 40, 5, 7, W[1], NULL, ld, work);
            bln_rng_seed(&rng, 5, 7 + 35);
            bln_rng_normals(&rng, SAMPLE_D, e);
            for (size_t i = SAMPLE_D; i-- > 0;) {
                for (size_t j = i + 1; j < SAMPLE_D; j++) e[i] -= c.R[i*SAMPLE_D + j]*e[j];
                e[i] /= c.R[i*SAMPLE_D + i];
                CHECK_NEAR(W[1][35*ld + i], c.m[i] + c.s[i]*e[i], 1e-13);
            }
        }
        free(work);
    }
}

/* Data that pin a direction down to rounding: I - V V' is singular to rounding, gets a jitter that is said, and the draws keep
 * their covariance to the prior variance times rounding. NaN is refused. */
TEST(sample, singular)
{
    double m[3] = { 0, 0, 0 }, s[3] = { 1, 1, 1 }, V[6] = { 1.0/3, 2.0/3, 2.0/3, 2.0/3, 1.0/3, -2.0/3 }, Q[4], diag[2], W[300], tau;
    blni_gaussian g;
    g.form = BLN_GAUSSIAN_LOWRANK;
    g.D = g.ldr = 3;
    g.k = 2;
    g.m = m;
    g.s = s;
    g.R = V;
    CHECK_OK(blni_gaussian_path_factor(&g, Q, diag, &tau));
    CHECK_LE(tau, 1e-14);
    double *work = test_doubles(blni_gaussian_sample_work(&g));
    blni_gaussian_sample(&g, Q, 100, 0, 0, W, NULL, 3, work);
    for (size_t r = 0; r < 100; r++) {                               /* what V does not see is left: along (2, -2, 1)/3 */
        const double t = (2*W[3*r] - 2*W[3*r + 1] + W[3*r + 2])/3;
        CHECK_NEAR(W[3*r], 2*t/3, 1e-6);
        CHECK_NEAR(W[3*r + 1], -2*t/3, 1e-6);
        CHECK_NEAR(W[3*r + 2], t/3, 1e-6);
    }
    V[1] = NAN;
    CHECK_STATUS(blni_gaussian_path_factor(&g, Q, diag, &tau), BLN_ENOTPD);
    g.D = (size_t)-1/8;
    CHECK_SIZE(blni_gaussian_sample_work(&g), (size_t)-1);
    free(work);
}

SUITE_BEGIN(sample)
SUITE_TEST(sample, path_factor)
SUITE_TEST(sample, mean_and_covariance)
SUITE_TEST(sample, keys)
SUITE_TEST(sample, singular)
SUITE_END(sample)
