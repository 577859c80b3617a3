/* test_gaussian - both forms of a Gaussian posterior against the covariance matrix written out */
#include "../test.h"

enum { POST_D = 9, POST_K = 4, POST_N = 7 };

typedef struct post_case {
    double m[POST_D], s[POST_D], R[POST_D*POST_D], C[POST_D*POST_D], Phi[POST_N*(POST_D + 2)];
    blni_gaussian g;
} post_case;

/* Plain Gauss-Jordan inverse, for the truth. */
static void post_inverse(size_t n, double *A, double *inverse)
{
    for (size_t i = 0; i < n*n; i++) inverse[i] = i % (n + 1) == 0;
    for (size_t p = 0; p < n; p++) {
        const double pivot = A[p*n + p];
        for (size_t j = 0; j < n; j++) { A[p*n + j] /= pivot; inverse[p*n + j] /= pivot; }
        for (size_t i = 0; i < n; i++) {
            const double f = A[i*n + p];
            if (i == p) continue;
            for (size_t j = 0; j < n; j++) { A[i*n + j] -= f*A[p*n + j]; inverse[i*n + j] -= f*inverse[p*n + j]; }
        }
    }
}

/* A posterior of either form and its C = S (U'U)^-1 S or S (I - V'V) S. s_2 = 0: a weight that the prior switched off. */
static void post_make(post_case *c, bln_gaussian_form form)
{
    test_random r = test_random_new(5 + (uint64_t)form);
    const size_t k = form == BLN_GAUSSIAN_FACTOR ? POST_D : POST_K;
    double B[POST_D*POST_D];
    test_fill_normal(&r, POST_D, c->m);
    test_fill_normal(&r, POST_N*(POST_D + 2), c->Phi);
    for (size_t i = 0; i < POST_D; i++) c->s[i] = i == 2 ? 0.0 : 0.2 + test_uniform(&r);
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < POST_D; j++)
            c->R[i*POST_D + j] = form == BLN_GAUSSIAN_LOWRANK ? 0.15*test_normal(&r) : j < i ? 2.385
                               : i == j ? 1.0 + test_uniform(&r) : 0.4*test_normal(&r);
    for (size_t i = 0; i < POST_D; i++)
        for (size_t j = 0; j < POST_D; j++) {
            double t = 0.0;
            for (size_t l = 0; l < k; l++)
                if (form == BLN_GAUSSIAN_LOWRANK || (l <= i && l <= j)) t += c->R[l*POST_D + i]*c->R[l*POST_D + j];
            B[i*POST_D + j] = t;
        }
    if (form == BLN_GAUSSIAN_FACTOR) post_inverse(POST_D, B, c->C);
    else for (size_t i = 0; i < POST_D*POST_D; i++) c->C[i] = (i % (POST_D + 1) == 0) - B[i];
    for (size_t i = 0; i < POST_D; i++)
        for (size_t j = 0; j < POST_D; j++) c->C[i*POST_D + j] *= c->s[i]*c->s[j];
    c->g.form = form;
    c->g.D = POST_D;
    c->g.k = k;
    c->g.m = c->m;
    c->g.s = c->s;
    c->g.R = c->R;
    c->g.ldr = POST_D;
}

/* 9 x 9 with condition below 1e3: 1e3 D eps = 2e-12. The lower triangle of U holds 2.385 and must not be read. */
TEST(gaussian, both_forms_against_covariance)
{
    for (int form = BLN_GAUSSIAN_FACTOR; form <= BLN_GAUSSIAN_LOWRANK; form++) {
        post_case c;
        double C[POST_D*(POST_D + 1)], var[POST_D], work[POST_D*POST_D], mean[POST_N], v[POST_N];
        post_make(&c, (bln_gaussian_form)form);
        blni_gaussian_variances(&c.g, var, work);
        for (size_t i = 0; i < POST_D; i++) CHECK_NEAR(var[i], c.C[i*POST_D + i], 2e-12);
        blni_gaussian_covariance(&c.g, C, POST_D + 1, work);
        for (size_t i = 0; i < POST_D; i++)
            for (size_t j = i; j < POST_D; j++) CHECK_NEAR(C[i*(POST_D + 1) + j], c.C[i*POST_D + j], 2e-12);
        double *projection = test_doubles(blni_gaussian_project_work(&c.g, POST_N));
        blni_gaussian_project(&c.g, POST_N, c.Phi, POST_D + 2, mean, v, projection);
        for (size_t n = 0; n < POST_N; n++) {
            const double *phi = c.Phi + n*(POST_D + 2);
            double wm = 0.0, wv = 0.0;
            for (size_t i = 0; i < POST_D; i++) {
                wm += phi[i]*c.m[i];
                for (size_t j = 0; j < POST_D; j++) wv += phi[i]*c.C[i*POST_D + j]*phi[j];
            }
            CHECK_NEAR(mean[n], wm, 1e-13);
            CHECK_NEAR(v[n], wv, 1e-11);
        }
        blni_gaussian_project(&c.g, 0, c.Phi, POST_D + 2, mean, v, projection);

        double product[POST_N*(POST_D + 2)];
        blni_gaussian_multiply(&c.g, POST_N, c.Phi, POST_D + 2, product, POST_D + 1, projection);
        for (size_t n = 0; n < POST_N; n++)
            for (size_t i = 0; i < POST_D; i++) {
                double want = 0.0;
                for (size_t j = 0; j < POST_D; j++) want += c.C[i*POST_D + j]*c.Phi[n*(POST_D + 2) + j];
                CHECK_NEAR(product[n*(POST_D + 1) + i], want, 1e-11);
            }
        memcpy(product, c.Phi, sizeof product);                     /* in place: the padding of the rows survives */
        blni_gaussian_multiply(&c.g, POST_N, product, POST_D + 2, product, POST_D + 2, projection);
        for (size_t n = 0; n < POST_N; n++) {
            double want = 0.0;
            for (size_t j = 0; j < POST_D; j++) want += c.C[4*POST_D + j]*c.Phi[n*(POST_D + 2) + j];
            CHECK_NEAR(product[n*(POST_D + 2) + 4], want, 1e-11);
            CHECK_NEAR(product[n*(POST_D + 2) + POST_D], c.Phi[n*(POST_D + 2) + POST_D], 0.0);
        }
        blni_gaussian_multiply(&c.g, 0, NULL, 1, NULL, 1, NULL);
        free(projection);
    }
}

/* V'V = I on a direction: the variance there is 0, never negative. */
TEST(gaussian, lowrank_never_negative)
{
    double m[3] = { 0, 0, 0 }, s[3] = { 1e8, 1e8, 1e8 }, V[3] = { 1.0/3, 2.0/3, 2.0/3 }, var, work[8];
    blni_gaussian g;
    g.form = BLN_GAUSSIAN_LOWRANK;
    g.D = 3;
    g.k = 1;
    g.m = m;
    g.s = s;
    g.R = V;
    g.ldr = 3;
    blni_gaussian_project(&g, 1, V, 3, NULL, &var, work);
    CHECK_LE(0.0, var);
    CHECK_LE(var, 8*DBL_EPSILON*1e16);
    double all[3];
    V[0] = 1.0 + DBL_EPSILON;                                        /* of a weight that the data know but for rounding */
    V[1] = V[2] = 0.0;
    blni_gaussian_variances(&g, all, work);
    CHECK(all[0] == 0.0 && all[1] == 1e16 && all[2] == 1e16);
}

SUITE_BEGIN(gaussian)
SUITE_TEST(gaussian, both_forms_against_covariance)
SUITE_TEST(gaussian, lowrank_never_negative)
SUITE_END(gaussian)
