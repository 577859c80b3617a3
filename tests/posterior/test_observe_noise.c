/* observe_noise: outputs that are strided, normals and t's, against >>latent and the definition; the check, and rows it refuses */
#include "posterior_tools.h"
#include "../likelihood/latent_tools.h"

enum { NOISE_N = 7, NOISE_P = 2, NOISE_K = 3 };

typedef struct noise_world {
    double mean[NOISE_N*NOISE_K*NOISE_P], var[NOISE_N*NOISE_K*NOISE_P], y[NOISE_N*NOISE_P], v[NOISE_N];
    bln_latent f;
    bln_data rows;
    bln_observe o;
} noise_world;

static const double noise_eta[NOISE_K*NOISE_P*NOISE_P] = { 1.2, 0.1, 0.1, 0.4, 0.8, -0.2, -0.2, 2.0, 0.5, 0.3, 0.3, 0.9 };
static const double noise_w[NOISE_K] = { 0.5, 0.2, 0.3 };

static void noise_world_set(noise_world *w, int weights, int shared, int scaled, double dof)
{
    test_random r = test_random_new(100);
    memset(w, 0, sizeof *w);
    test_fill_normal(&r, NOISE_N*NOISE_K*NOISE_P, w->mean);
    test_fill_normal(&r, NOISE_N*NOISE_P, w->y);
    for (size_t i = 0; i < NOISE_N*NOISE_K*NOISE_P; i++) w->var[i] = test_uniform(&r);
    for (size_t i = 0; i < NOISE_N; i++) w->v[i] = 0.2 + test_uniform(&r);
    w->f.K = NOISE_K;
    w->f.J = NOISE_P;
    w->f.weight = weights ? noise_w : NULL;
    w->f.mean = w->mean;
    w->f.var = w->var;
    w->f.eta = noise_eta;
    w->f.ldeta = shared ? 0 : NOISE_P*NOISE_P;
    w->f.dof = dof;
    w->f.law = bln_kind_student()->law;
    w->rows.n = NOISE_N;
    w->rows.y = w->y;
    w->rows.p = NOISE_P;
    w->rows.noise_var = scaled ? w->v : NULL;
    w->o = bln_observe_noise(NOISE_P);
}

/* Each output is what >>latent says of it with noise; the two parts of the variance are that of f and what noise adds. */
TEST(observe_noise, outputs)
{
    static const double p[2] = { 0.025, 0.6 }, q[2] = { 0.975, 0.4 };
    noise_world w;
    for (int c = 0; c < 16; c++) {
        double got[9][NOISE_N*NOISE_P], quantile[NOISE_N*NOISE_P*2], v[NOISE_N], x[NOISE_N], want[8][NOISE_N], pair[NOISE_N*2];
        noise_world_set(&w, c & 1, c & 2, c & 4, c & 8 ? 5.0 : 0.0);
        const struct bln_observe_ops *ops = w.o.ops;
        CHECK(ops->identity);
        ops->moments(&w.o, &w.rows, &w.f, got[0], got[1], got[2], NULL);
        ops->moments(&w.o, &w.rows, &w.f, NULL, NULL, got[8], NULL);
        blni_noise_logdensity(&w.o, &w.rows, &w.f, got[3], NULL);
        blni_noise_cdf(&w.o, &w.rows, &w.f, got[4], got[5], NULL);
        blni_noise_cdf(&w.o, &w.rows, &w.f, got[6], NULL, NULL);
        blni_noise_cdf(&w.o, &w.rows, &w.f, NULL, got[7], NULL);
        blni_noise_quantile(&w.o, &w.rows, &w.f, 2, p, c & 1 ? q : NULL, quantile, NULL);
        for (size_t j = 0; j < NOISE_P; j++) {
            for (size_t i = 0; i < NOISE_N; i++) {
                v[i] = c & 4 ? w.v[i] : 1.0;
                x[i] = w.y[i*NOISE_P + j];
            }
            latent_moments(&w.f, NOISE_N, j, NULL, want[0], want[1]);
            latent_moments(&w.f, NOISE_N, j, v, want[6], want[2]);
            latent_logdensities(&w.f, NOISE_N, j, v, x, want[3]);
            latent_cdfs(&w.f, NOISE_N, j, v, x, want[4], want[5]);
            latent_quantiles(&w.f, NOISE_N, j, v, 2, p, pair);
            for (size_t i = 0; i < NOISE_N; i++) {
                const size_t at = i*NOISE_P + j;
                CHECK(got[0][at] == want[0][i] && got[1][at] == want[1][i] && got[3][at] == want[3][i]);
                CHECK(got[4][at] == want[4][i] && got[5][at] == want[5][i] && got[6][at] == want[4][i]);
                CHECK(got[7][at] == want[5][i]);
                CHECK_NEAR(got[1][at] + got[2][at], want[2][i], 8.0*DBL_EPSILON*want[2][i]);
                CHECK(got[8][at] == got[2][at]);
                for (size_t k = 0; k < 2; k++) CHECK_NEAR(quantile[at*2 + k], pair[i*2 + k], 1e-14);
            }
        }
    }
}

/* Where variances of t's do not exist, and where there is no noise at all: a perfect fit. */
TEST(observe_noise, without_moments)
{
    const double zero[NOISE_P*NOISE_P] = { 0.0 };
    noise_world w;
    double noise[NOISE_N*NOISE_P];
    for (int c = 0; c < 3; c++) {
        noise_world_set(&w, 0, 1, 0, c == 0 ? 2.0 : 1.0);
        if (c == 2) w.f.eta = zero;
        w.o.ops->moments(&w.o, &w.rows, &w.f, NULL, NULL, noise, NULL);
        CHECK_NEAR(noise[3], c == 0 ? (double)INFINITY : c == 1 ? (double)NAN : 0.0, 0.0);
    }
}

/* log p of both outputs of a row: with f as correlated as the noise, y - f is normal of covariance (v + var f/Sigma_00) Sigma. An
 * output without noise is independent of the others; a covariance that is none has no density. */
TEST(observe_noise, outputs_together)
{
    const double without[4] = { 1.2, 0.0, 0.0, 0.0 }, bad[4] = { 1.0, 2.0, 2.0, 1.0 };
    double out[NOISE_N], work[64], C[4];
    noise_world w;
    for (int c = 0; c < 4; c++) {
        noise_world_set(&w, c & 1, 0, c & 2, 0.0);
        blni_noise_together(&w.o, &w.rows, &w.f, out, work);
        for (size_t i = 0; i < NOISE_N; i++) {
            double p = 0.0;
            for (size_t k = 0; k < NOISE_K; k++) {
                const double *S = noise_eta + 4*k, by = (c & 2 ? w.v[i] : 1.0) + w.var[(i*NOISE_K + k)*NOISE_P]/S[0];
                const double e0 = w.y[2*i] - w.mean[(i*NOISE_K + k)*2], e1 = w.y[2*i + 1] - w.mean[(i*NOISE_K + k)*2 + 1];
                const double det = S[0]*S[3] - S[1]*S[1], quad = (S[3]*e0*e0 - 2.0*S[1]*e0*e1 + S[0]*e1*e1)/det/by;
                p += (c & 1 ? noise_w[k] : 1.0/NOISE_K)*exp(-0.5*quad)/(2.0*BLNI_PI*by*sqrt(det));
            }
            CHECK_NEAR(out[i], log(p), 1e-13*(1.0 + fabs(log(p))));
        }
    }
    CHECK_OK(blni_noise_factors(w.o.n_y, without, C, C));
    CHECK(C[0] == 1.0 && C[1] == 0.0 && C[3] == 1.0);
    const double none = blni_noise_logdet(&w.o, bad, work);
    CHECK(none != none);
}

TEST(observe_noise, refuses)
{
    posterior_bases b = posterior_bases_new();
    bln_points v;
    bln_report report;
    noise_world w;
    v.w = noise_eta;
    v.ld = 0;
    const bln_group g = posterior_group(bln_kind_point(), &v, 1, noise_eta);
    bln_posterior q = posterior_of(b.view, 1, 2, bln_observe_noise(1), &g, 1);
    CHECK_STATUS(bln_posterior_check(&q, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "noise: as many outputs");
    q.observe = bln_observe_noise(2);
    q.observe.n_eta = 1;
    CHECK_STATUS(bln_posterior_check(&q, &report), BLN_EINVAL);
    noise_world_set(&w, 0, 1, 1, 0.0);
    CHECK_OK(w.o.ops->rows(&w.o, &w.rows, 2, &report));
    w.rows.p = 1;
    CHECK_OK(w.o.ops->rows(&w.o, &w.rows, 0, &report));
    CHECK_STATUS(w.o.ops->rows(&w.o, &w.rows, 1, &report), BLN_ESHAPE);
    w.rows.p = NOISE_P;
    w.rows.trials = w.v;
    CHECK_STATUS(w.o.ops->rows(&w.o, &w.rows, 0, &report), BLN_EINVAL);
    w.rows.trials = NULL;
    w.y[5] = NAN;
    CHECK_OK(w.o.ops->rows(&w.o, &w.rows, 0, &report));
    CHECK_STATUS(w.o.ops->rows(&w.o, &w.rows, 1, &report), BLN_EDATA);
    CHECK_SIZE(report.row, 2);
    CHECK_SIZE(report.column, 1);
    w.v[4] = 0.0;
    CHECK_STATUS(w.o.ops->rows(&w.o, &w.rows, 0, &report), BLN_EDOMAIN);
    posterior_bases_free(&b);
}

SUITE_BEGIN(observe_noise)
SUITE_TEST(observe_noise, outputs)
SUITE_TEST(observe_noise, without_moments)
SUITE_TEST(observe_noise, outputs_together)
SUITE_TEST(observe_noise, refuses)
SUITE_END(observe_noise)
