/* sites: mean, covariance and worth of the weights given a Gaussian factor of each row, in the space of the weights and in that of
 * fewer rows, beside the formulas by one solve. */
#include "../test.h"

enum { SITES_MOST = 12, SITES_DRAWS = 40000 };

typedef struct sites_case {
    blni_sites_rows rows;
    blni_sites sites;
    blni_glm_slice slice[3];
    double mean[SITES_MOST], cov[SITES_MOST*SITES_MOST], worth, share;
    int missing;
    void *block;
} sites_case;

static void sites_carve(blni_arena *a, sites_case *t, size_t n, size_t D, int moving)
{
    blni_sites_rows_carve(a, n, D, 3, moving, t->missing, t->share, &t->rows);
    blni_sites_carve(a, &t->rows, &t->sites);
}

/* n rows and D weights in three slices; features and factors at random, one factor 0. */
static void sites_make_missing(sites_case *t, size_t n, size_t D, int moving, int missing, double share)
{
    test_random r = test_random_new(5);
    memset(t, 0, sizeof *t);
    t->missing = missing;
    t->share = share;
    blni_arena a = blni_arena_over(NULL, 0);
    sites_carve(&a, t, n, D, moving);
    t->block = calloc(1, a.used + 64);
    a = blni_arena_over((void *)(((uintptr_t)t->block + 63)/64*64), a.used);
    sites_carve(&a, t, n, D, moving);
    for (size_t s = 0; s < 3; s++) {
        t->slice[s].first = s*D/3;
        t->slice[s].end = (s + 1)*D/3;
        t->slice[s].prior = 2 - s;
    }
    t->rows.slice = t->slice;
    for (size_t i = 0; i < n*D; i++) t->rows.Phi[i] = test_normal(&r);
    for (size_t i = 0; i < n; i++) {
        t->sites.site_h[i] = test_normal(&r);
        t->sites.site_precision[i] = i == 1 ? 0.0 : test_uniform(&r);
    }
    for (size_t i = 0; i < 3*n && missing; i++) t->rows.missed[i] = i % 3 == 2 ? 0.0 : test_uniform(&r);
    blni_sites_rows_ready(&t->rows);
}

static void sites_make(sites_case *t, size_t n, size_t D, int moving) { sites_make_missing(t, n, D, moving, 0, 0.0); }

/* By P = Lambda^-1 + Phi' Theta Phi. */
static void sites_expect(sites_case *t, const double *prior_var)
{
    const size_t D = t->rows.D;
    double P[SITES_MOST*SITES_MOST] = { 0.0 }, b[SITES_MOST] = { 0.0 };
    t->worth = 0.0;
    for (size_t s = 0; s < 3; s++)
        for (size_t j = t->slice[s].first; j < t->slice[s].end; j++) {
            P[j*D + j] = 1.0/prior_var[t->slice[s].prior];
            t->worth -= 0.5*log(prior_var[t->slice[s].prior]);
        }
    for (size_t i = 0; i < t->rows.n; i++)
        for (size_t j = 0; j < D; j++) {
            b[j] += t->sites.h[i]*t->rows.Phi[i*D + j];
            for (size_t k = 0; k < D; k++)
                P[j*D + k] += t->sites.precision[i]*t->rows.Phi[i*D + j]*t->rows.Phi[i*D + k];
        }
    CHECK_OK(bln_potrf(D, P, D, NULL));
    memcpy(t->mean, b, D*sizeof *b);
    bln_potrs(D, P, D, t->mean);
    for (size_t j = 0; j < D; j++) {
        double e[SITES_MOST] = { 0.0 };
        e[j] = 1.0;
        bln_potrs(D, P, D, e);
        for (size_t k = 0; k < D; k++) t->cov[j*D + k] = e[k];
        t->worth += 0.5*t->mean[j]*b[j] - log(P[j*D + j]);
    }
}

static void sites_look(sites_case *t, const double *prior_var, size_t draws)
{
    const size_t D = t->rows.D;
    double w[SITES_MOST], sum[SITES_MOST*SITES_MOST] = { 0.0 };
    bln_rng rng;
    bln_rng_seed(&rng, 6, 0);
    sites_expect(t, prior_var);
    blni_sites_prior(&t->sites, prior_var);
    CHECK_REL(blni_sites_evidence(&t->sites), t->worth, 1e-12);
    blni_sites_weights(&t->sites, NULL, w);
    for (size_t j = 0; j < D; j++) CHECK_NEAR(w[j], t->mean[j], 1e-12*(1.0 + fabs(t->mean[j])));
    for (size_t i = 0; i < draws; i++) {
        CHECK(blni_finite(blni_sites_evidence(&t->sites)));
        blni_sites_weights(&t->sites, &rng, w);
        for (size_t j = 0; j < D; j++)
            for (size_t k = 0; k < D; k++) sum[j*D + k] += (w[j] - t->mean[j])*(w[k] - t->mean[k]);
    }
    for (size_t j = 0; j < D && draws; j++)                      /* Var of a product of two normals: C_jj C_kk + C_jk^2 */
        for (size_t k = 0; k < D; k++) {
            const double c = t->cov[j*D + k], square = t->cov[j*D + j]*t->cov[k*D + k] + c*c;
            CHECK_NEAR(sum[j*D + k]/(double)draws, c, 5.0*sqrt(square/(double)draws));
        }
}

TEST(glm_sites, beside_one_solve)
{
    static const double prior_var[2][3] = { { 0.5, 2.0, 1.3 }, { 4.0, 0.01, 0.6 } };
    static const size_t size[3][2] = { { 9, 5 }, { 5, 5 }, { 4, 9 } };
    for (int k = 0; k < 3; k++)
        for (int moving = 0; moving < 2; moving++) {
            sites_case t;
            sites_make(&t, size[k][0], size[k][1], moving);
            CHECK(t.rows.dual == (k == 2));
            blni_sites_gather(&t.sites);
            sites_look(&t, prior_var[0], k == 1 || moving ? 0 : SITES_DRAWS);
            sites_look(&t, prior_var[1], 0);                     /* the factors stand while the prior moves */
            for (size_t i = 0; i < t.rows.n; i++) t.sites.precision[i] *= 2.0;
            blni_sites_gather(&t.sites);
            sites_look(&t, prior_var[1], 0);
            free(t.block);
        }
}

/* Fewer rows than weights and hardly any noise, y_n = h_n/theta_n: the mean is Lambda Phi'K^-1 y, K = Q + Theta^-1, and what J
 * differs by between two priors is that of (-y'K^-1 y - log|K|)/2, but for rounding of y'Theta y. */
TEST(glm_sites, little_noise)
{
    enum { N = 4, D = 9 };
    static const double prior_var[2][3] = { { 0.5, 2.0, 1.3 }, { 4.0, 0.01, 0.6 } };
    sites_case t;
    double y[N], worth[2], J[2], size = 0.0;
    sites_make(&t, N, D, 1);
    for (size_t i = 0; i < N; i++) {
        y[i] = t.sites.h[i];
        t.sites.precision[i] = 1e10*(double)(i + 1);
        t.sites.h[i] = t.sites.precision[i]*y[i];
        size += t.sites.h[i]*y[i];
    }
    for (int k = 0; k < 2; k++) {
        double w[D], K[N*N], a[N];
        blni_sites_prior(&t.sites, prior_var[k]);
        memcpy(K, t.sites.G, sizeof K);
        for (size_t i = 0; i < N; i++) K[i*N + i] += 1.0/t.sites.precision[i];
        CHECK_OK(bln_potrf(N, K, N, NULL));
        memcpy(a, y, sizeof a);
        bln_potrs(N, K, N, a);
        worth[k] = -0.5*bln_dot(N, y, a) - 0.5*bln_logdet_factor(N, K, N);
        J[k] = blni_sites_evidence(&t.sites);
        blni_sites_weights(&t.sites, NULL, w);
        for (size_t j = 0; j < D; j++) {
            double mean = 0.0;
            for (size_t i = 0; i < N; i++) mean += t.sites.root[j]*t.sites.root[j]*t.rows.Phi[i*D + j]*a[i];
            CHECK_NEAR(w[j], mean, 1e-10*(1.0 + fabs(mean)));
        }
    }
    CHECK_NEAR(J[1] - J[0], worth[1] - worth[0], 8.0*DBL_EPSILON*size);
    free(t.block);
}

/* Many blocks of rows are the sum of their parts; what overflows has no worth. */
TEST(glm_sites, blocks_and_overflow)
{
    enum { N = 700 };
    static const double prior_var[3] = { 1.0, 2.0, 3.0 };
    sites_case t;
    sites_make(&t, N, 6, 1);
    blni_sites_gather(&t.sites);
    sites_look(&t, prior_var, 0);
    t.sites.precision[N - 1] = HUGE_VAL;
    blni_sites_gather(&t.sites);
    CHECK(blni_sites_evidence(&t.sites) == -HUGE_VAL);
    free(t.block);
}

/* A worth beyond the range of doubles is none, though its matrix has a factor. */
TEST(glm_sites, worth_beyond_numbers)
{
    static const double prior_var[3] = { 1.0, 1.0, 1.0 };
    sites_case t;
    sites_make(&t, 8, 3, 0);
    t.sites.h[0] = 1e200;
    blni_sites_prior(&t.sites, prior_var);
    blni_sites_gather(&t.sites);
    CHECK(blni_sites_evidence(&t.sites) == -HUGE_VAL);
    free(t.block);
}

/* m replicas f_nr = phi_n'w + e_nr, with a factor exp((h f - theta f^2/2)/m) each, are a linear model with a weight of its own for
 * each e_nr: one solve of it gives the worth, and the mean of w [sparse 7]. Infinitely many: that of Phi w, less theta d/2. */
TEST(glm_sites, missed)
{
    enum { N = 3, DIMS = 5, ALL = DIMS + 2*N };
    static const double prior_var[3] = { 0.5, 2.0, 1.3 };
    for (size_t D = 2; D <= DIMS; D += 3)                                /* primal and dual */
        for (size_t m = 0; m < 3; m++)
            for (int moving = 0; moving < 2; moving++) {
                sites_case t;
                double P[ALL*ALL] = { 0.0 }, b[ALL] = { 0.0 }, mean[ALL], w[DIMS], worth = 0.0;
                const size_t all = D + m*N;
                sites_make_missing(&t, N, D, moving, 1, m ? 1.0/(double)m : 0.0);
                for (size_t s = 0; s < 3; s++)
                    for (size_t j = t.slice[s].first; j < t.slice[s].end; j++) {
                        P[j*all + j] = 1.0/prior_var[2 - s];
                        worth -= 0.5*log(prior_var[2 - s]);
                    }
                for (size_t i = 0; i < N; i++) {
                    const double h = t.sites.site_h[i], theta = t.sites.site_precision[i], share = 1.0/(double)(m ? m : 1);
                    double d = 1e-300;                                   /* an e without variance has a weight that is 0 */
                    for (size_t s = 0; s < 3; s++) d += prior_var[2 - s]*t.rows.missed[s*N + i];
                    if (m == 0) worth -= 0.5*theta*d;
                    for (size_t r = 0; r < (m ? m : 1); r++) {
                        double x[ALL] = { 0.0 };
                        memcpy(x, t.rows.Phi + i*D, D*sizeof *x);
                        if (m) { x[D + i*m + r] = 1.0; P[(D + i*m + r)*(all + 1)] = 1.0/d; worth -= 0.5*log(d); }
                        for (size_t j = 0; j < all; j++) {
                            b[j] += share*h*x[j];
                            for (size_t k = 0; k < all; k++) P[j*all + k] += share*theta*x[j]*x[k];
                        }
                    }
                }
                CHECK_OK(bln_potrf(all, P, all, NULL));
                memcpy(mean, b, all*sizeof *b);
                bln_potrs(all, P, all, mean);
                for (size_t j = 0; j < all; j++) worth += 0.5*mean[j]*b[j] - log(P[j*all + j]);
                blni_sites_prior(&t.sites, prior_var);
                blni_sites_gather(&t.sites);
                CHECK_NEAR(blni_sites_evidence(&t.sites), worth, 1e-12);
                blni_sites_weights(&t.sites, NULL, w);
                for (size_t j = 0; j < D; j++) CHECK_NEAR(w[j], mean[j], 1e-13);
                free(t.block);
            }
}

SUITE_BEGIN(glm_sites)
SUITE_TEST(glm_sites, beside_one_solve)
SUITE_TEST(glm_sites, little_noise)
SUITE_TEST(glm_sites, blocks_and_overflow)
SUITE_TEST(glm_sites, worth_beyond_numbers)
SUITE_TEST(glm_sites, missed)
SUITE_END(glm_sites)
