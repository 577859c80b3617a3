/* test_slm_draws - draws of weights, functions and observations from the posterior of a linear model have the exact joint mean and
 * covariance; keys; slopes of predictions; every error */
#include "slm_tools.h"
#include "../golden/slm_golden.h"
#include "posterior_of.h"

enum { SLMS_DRAWS = 30000, SLMS_AT = 6 };

static const double slms_scales[3] = { 1.3, 0.7, 0.9 };

static bln_draw_desc slms_draws(size_t n, uint64_t seed)
{
    bln_draw_desc d;
    memset(&d, 0, sizeof d);
    d.n = n;
    d.seed = seed;
    return d;
}

/* Joint draws of f and y at the golden points: mean and full covariance of the reference. */
TEST(slm_draws, golden_covariance)
{
    double v[12], lambda[5], C[9], *F = test_doubles(3*SLMS_DRAWS);
    bln_data data, star;
    bln_basis *b = slm_columns(5);
    memset(&data, 0, sizeof data);
    memset(&star, 0, sizeof star);
    for (size_t i = 0; i < 12; i++) v[i] = 1.0/golden_slm_in_omega[i];
    for (size_t j = 0; j < 5; j++) lambda[j] = golden_slm_in_lambda_slice[(size_t)golden_slm_in_slice[j]];
    data.n = 12;
    star.n = 3;
    data.d = star.d = 5;
    data.X = golden_slm_in_Phi;
    data.y = golden_slm_in_y;
    data.noise_var = v;
    star.X = golden_slm_in_Phi_star;
    const bln_slm_desc desc = slm_fixed(b, BLN_SLM_AUTO, golden_slm_in_sigma2[0], lambda, NULL);
    bln_slm *slm = slm_fit(&desc, &data);
    const bln_posterior *q = bln_slm_posterior(slm);
    for (int noise = 0; noise < 2; noise++) {
        bln_draw_desc draws = slms_draws(SLMS_DRAWS, 21);
        draws.noise = noise;
        CHECK_OK(bln_posterior_draws(q, &star, &draws, F, NULL, 0, NULL, NULL));
        for (size_t i = 0; i < 9; i++)
            C[i] = i%4 == 0 && noise ? golden_slm_pred_var_total[i/4] : golden_slm_pred_cov_latent[i];
        slm_check_moments(SLMS_DRAWS, 3, F, golden_slm_pred_mean, C);
    }
    bln_slm_free(slm);
    bln_basis_free(b);
    free(F);
}

/* The same for both forms of the posterior, plain and with prior paths, with offsets and row variances, f and y; the prior paths
 * have mean offset and covariance Phi Lambda Phi'. Blocks of 4 rows for 6 points. */
TEST(slm_draws, moments)
{
    bln_data data = slm_make(30, 2, 800, 1), at = slm_make(SLMS_AT, 2, 801, 1);
    bln_basis *b = slm_parse("rbf:n=25+bias", 2, 1);
    const size_t D = b->D;
    double *F = test_doubles(SLMS_AT*SLMS_DRAWS), *P = test_doubles(SLMS_AT*SLMS_DRAWS);
    double *C = test_doubles(D*D), *U = test_doubles(D*D), *Phi = test_doubles(SLMS_AT*D);
    double *work = test_doubles(bln_basis_work(b, SLMS_AT) + 8);
    bln_basis_features(b, slms_scales, SLMS_AT, at.X, 2, Phi, D, work);
    for (int way = 0; way < 4; way++) {                  /* form x (f plain, y with prior paths) */
        const int dual = way & 1, both = way >> 1;
        double mean[SLMS_AT], cov[SLMS_AT*SLMS_AT], prior[SLMS_AT*SLMS_AT];
        bln_slm_desc desc = slm_fixed(b, dual ? BLN_SLM_DUAL : BLN_SLM_PRIMAL, 0.3, slms_scales, slms_scales);
        desc.block = 4;
        bln_slm *slm = slm_fit(&desc, &data);
        const bln_posterior *q = bln_slm_posterior(slm);
        const blni_gaussian *g = gaussians_of(q);
        CHECK(g->form == (dual ? BLN_GAUSSIAN_LOWRANK : BLN_GAUSSIAN_FACTOR));
        blni_gaussian_covariance(g, C, D, U);
        bln_symmetrise(D, C, D);
        for (size_t i = 0; i < SLMS_AT; i++) {
            mean[i] = at.offset[i] + bln_dot(D, Phi + i*D, g->m);
            for (size_t j = 0; j < SLMS_AT; j++) {
                double c = i == j && both ? 0.3*at.noise_var[i] : 0.0, p = 0.0;
                for (size_t k = 0; k < D; k++) {
                    c += Phi[i*D + k]*bln_dot(D, C + k*D, Phi + j*D);
                    p += Phi[i*D + k]*Phi[j*D + k]*g->s[k]*g->s[k];
                }
                cov[i*SLMS_AT + j] = c;
                prior[i*SLMS_AT + j] = p;
            }
        }
        bln_draw_desc draws = slms_draws(SLMS_DRAWS, 5);
        draws.noise = both;
        CHECK_OK(bln_posterior_draws(q, &at, &draws, F, both ? P : NULL, SLMS_AT, NULL, NULL));
        slm_check_moments(SLMS_DRAWS, SLMS_AT, F, mean, cov);
        if (both) slm_check_moments(SLMS_DRAWS, SLMS_AT, P, at.offset, prior);
        bln_slm_free(slm);
    }
    free(F); free(P); free(C); free(U); free(Phi); free(work);
    bln_basis_free(b);
    slm_free_data(&data);
    slm_free_data(&at);
}

/* Draws are functions: phi(x)'w for the weights of the same key, whatever the points, the blocks and the split of draws and points;
 * noise is keyed to the row. A workspace of the caller's: no allocation. n = 0 means 1. */
TEST(slm_draws, keys_and_workspace)
{
    bln_data data = slm_make(30, 2, 810, 1), at = slm_make(600, 2, 811, 1);
    for (int form = BLN_SLM_PRIMAL; form <= BLN_SLM_DUAL; form++) {
        bln_basis *b = slm_parse("rbf:n=20+bias", 2, 1);
        const size_t D = b->D;
        test_heap heap;
        bln_slm_desc desc = slm_fixed(b, (bln_slm_form)form, 0.3, slms_scales, slms_scales);
        desc.alloc = test_heap_allocator(&heap);
        bln_slm *slm = slm_fit(&desc, &data);
        const bln_posterior *q = bln_slm_posterior(slm);
        double *W = test_doubles(9*(D + 1)), *W0 = test_doubles(9*(D + 1)), *F = test_doubles(9*600), *F0 = test_doubles(9*600),
            *Y = test_doubles(9*601), *Phi = test_doubles(600*D), *basis = test_doubles(bln_basis_work(b, 600) + 8);
        bln_draw_desc draws = slms_draws(9, 77);
        draws.stream = 100;
        double *work = test_doubles(bln_posterior_draws_work(q, &draws, 600, 1));
        const size_t calls = heap.calls;
        CHECK_OK(bln_posterior_draw_weights(q, &draws, W, W0, D + 1, work, NULL));
        CHECK_OK(bln_posterior_draws(q, &at, &draws, F, F0, 0, work, NULL));
        bln_basis_features(b, slms_scales, 600, at.X, 2, Phi, D, basis);
        for (size_t r = 0; r < 9; r++)
            for (size_t i = 0; i < 600; i++) {
                CHECK_GOLD(F[r*600 + i], at.offset[i] + bln_dot(D, Phi + i*D, W + r*(D + 1)), 1e-12);
                CHECK_GOLD(F0[r*600 + i], at.offset[i] + bln_dot(D, Phi + i*D, W0 + r*(D + 1)), 1e-12);
            }
        /* y in two parts of the points and two of the draws: the same as at once. */
        draws.noise = 1;
        CHECK_OK(bln_posterior_draws(q, &at, &draws, F, F0, 0, work, NULL));
        /* Its noise over its standard deviation: e e' = 1 on average, 0 between draws, and between rows 256 apart, where streams
         * change. 5 sigma: var of e^2 is 2. */
        double square = 0.0, draws_apart = 0.0, rows_apart = 0.0, e[9][600];
        for (size_t i = 0; i < 9*600; i++) {
            const size_t r = i/600, j = i%600;
            e[r][j] = (F[i] - at.offset[j] - bln_dot(D, Phi + j*D, W + r*(D + 1)))/sqrt(0.3*at.noise_var[j]);
            square += e[r][j]*e[r][j];
            if (r) draws_apart += e[r][j]*e[r - 1][j];
            if (j >= 256) rows_apart += e[r][j]*e[r][j - 256];
        }
        CHECK_NEAR(square, 9*600, 5*sqrt(2.0*9*600));
        CHECK_NEAR(draws_apart, 0.0, 5*sqrt(8.0*600));
        CHECK_NEAR(rows_apart, 0.0, 5*sqrt(9.0*344));
        for (size_t part = 0; part < 4; part++) {
            const size_t first = part & 1 ? 301 : 0, n = part & 1 ? 299 : 301, from = part & 2 ? 4 : 0;
            const bln_data rows = bln_data_rows(&at, first, n);
            bln_draw_desc some = draws;
            some.n = part & 2 ? 5 : 4;
            some.stream += from;
            some.first_row = first;
            CHECK_OK(bln_posterior_draws(q, &rows, &some, Y + from*601 + first, F0, 601, work, NULL) );
        }
        CHECK_SIZE(heap.calls, calls);
        for (size_t r = 0; r < 9; r++)
            for (size_t i = 0; i < 600; i++) CHECK_GOLD(Y[r*601 + i], F[r*600 + i], 1e-12);
        /* Weights alone take less than the workspace says, and plain draws of the factor form are others than pathwise ones. */
        draws.n = 0;
        CHECK_OK(bln_posterior_draw_weights(q, &draws, W0, NULL, 0, NULL, NULL));
        double difference = 0.0;
        for (size_t j = 0; j < D; j++) difference += fabs(W0[j] - W[j]);
        if (form == BLN_SLM_DUAL) CHECK_LE(difference, 1e-11);
        else                      CHECK_LE(0.1, difference);
        bln_data none = at;
        none.n = 0;
        CHECK_OK(bln_posterior_draws(q, &none, &draws, NULL, NULL, 0, NULL, NULL));
        free(W); free(W0); free(F); free(F0); free(Y); free(Phi); free(basis); free(work);
        bln_slm_free(slm);
        CHECK_SIZE(heap.live, 0);
        bln_basis_free(b);
    }
    slm_free_data(&data);
    slm_free_data(&at);
}

/* The same prior paths through more and more data: where there is no data near, the paths keep to their prior; at the data they
 * come together. 40 rows at x = 0 with sigma = 0.1: sd of f there 0.1/sqrt(40) = 0.016; 5 of them. */
TEST(slm_draws, prior_paths)
{
    bln_basis *b = slm_parse("rbf:n=60", 1, 2);
    const double theta[1] = { 0.4 }, prior_var[1] = { 1.0 }, points[2] = { 0.0, 40.0 };
    double X[40], y[40], out[2][2*50], prior[2][2*50];
    bln_data data, at;
    memset(&data, 0, sizeof data);
    memset(&at, 0, sizeof at);
    for (size_t i = 0; i < 40; i++) { X[i] = 0.0; y[i] = 2.0; }
    data.d = at.d = 1;
    data.X = X;
    data.y = y;
    at.n = 2;
    at.X = points;
    for (int k = 0; k < 2; k++) {
        data.n = k ? 40 : 1;
        const bln_slm_desc desc = slm_fixed(b, k ? BLN_SLM_PRIMAL : BLN_SLM_DUAL, 0.01, prior_var, theta);
        bln_slm *slm = slm_fit(&desc, &data);
        const bln_draw_desc draws = slms_draws(50, 9);
        CHECK_OK(bln_posterior_draws(bln_slm_posterior(slm), &at, &draws, out[k], prior[k], 0, NULL, NULL));
        bln_slm_free(slm);
    }
    double c = 0.0;
    bln_slm_desc desc = slm_fixed(b, BLN_SLM_PRIMAL, 0.01, prior_var, theta);
    double Phi[2*120], *work = test_doubles(bln_basis_work(b, 2) + 8);
    bln_basis_features(desc.basis, theta, 2, points, 1, Phi, 120, work);
    c = bln_dot(120, Phi, Phi + 120);                     /* correlation of the two points, small but not 0 with 60 frequencies */
    for (size_t r = 0; r < 50; r++) {
        for (size_t i = 0; i < 2; i++) CHECK_NEAR(prior[0][2*r + i], prior[1][2*r + i], 1e-13);
        CHECK_NEAR(out[0][2*r], 2.0, 5*0.1);
        CHECK_NEAR(out[1][2*r], 2.0, 5*0.016 + 0.001);
        /* Far away: f(40) - f0(40) = c (f(0) - f0(0)) exactly, by one datum at x = 0 or many. In factor form up to the jitter: 119
         * of 120 directions have no data, tau <= 100 D eps = 2.7e-12, and 5 sqrt(tau) = 8e-6. */
        for (int k = 0; k < 2; k++)
            CHECK_NEAR(out[k][2*r + 1] - prior[k][2*r + 1], c*(out[k][2*r] - prior[k][2*r]), k ? 8e-6 : 1e-12);
    }
    free(work);
    bln_basis_free(b);
}

/* Slopes against finite differences of bln_slm_predict, which adds offsets and row variances: see test_predict for the tolerance.
 * A basis that reads no inputs: zeros. */
TEST(slm_draws, predict_gradient)
{
    bln_data data = slm_make(30, 2, 820, 1), at = slm_make(7, 2, 821, 1);
    const double h = 1.0/1024;
    double dmean[21], dvar[21], *X = (double *)at.X;
    for (int form = BLN_SLM_PRIMAL; form <= BLN_SLM_DUAL; form++) {
        bln_basis *b = slm_parse("rbf:n=20,ard+bias", 2, 1);
        bln_slm_desc desc = slm_fixed(b, (bln_slm_form)form, 0.3, slms_scales, slms_scales);
        desc.block = 3;
        bln_slm *slm = slm_fit(&desc, &data);
        double *work = test_doubles(bln_posterior_slopes_work(bln_slm_posterior(slm)));
        CHECK_OK(bln_posterior_slopes(bln_slm_posterior(slm), &at, dmean, dvar, 3, work, NULL));
        CHECK_OK(bln_posterior_slopes(bln_slm_posterior(slm), &at, dmean, NULL, 3, NULL, NULL));
        for (size_t i = 0; i < 7; i++)
            for (size_t j = 0; j < 2; j++) {
                const double keep = X[2*i + j];
                double m[4], v[4];
                for (size_t k = 0; k < 4; k++) {
                    const bln_data row = bln_data_rows(&at, i, 1);
                    X[2*i + j] = keep + ((double)k - (k < 2 ? 2.0 : 1.0))*h;
                    CHECK_OK(total_of(bln_slm_posterior(slm), &row, &m[k], NULL, &v[k], NULL, NULL));
                }
                X[2*i + j] = keep;
                CHECK_GOLD(dmean[3*i + j], (8*(m[2] - m[1]) - (m[3] - m[0]))/(12*h), 1e-8);
                CHECK_GOLD(dvar[3*i + j], (8*(v[2] - v[1]) - (v[3] - v[0]))/(12*h), 1e-8);
            }
        free(work);
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    bln_basis *bias = slm_parse("bias", 0, 0);
    const bln_slm_desc desc = slm_fixed(bias, BLN_SLM_AUTO, 0.3, slms_scales, NULL);
    bln_slm *slm = slm_fit(&desc, &data);
    for (size_t i = 0; i < 14; i++) dmean[i] = dvar[i] = 2.385;
    CHECK_OK(bln_posterior_slopes(bln_slm_posterior(slm), &at, dmean, dvar, 0, NULL, NULL));
    for (size_t i = 0; i < 14; i++) CHECK(dmean[i] == 0.0 && dvar[i] == 0.0);
    bln_slm_free(slm);
    bln_basis_free(bias);
    slm_free_data(&data);
    slm_free_data(&at);
}

static void slms_own_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *Phi,
                              size_t ldphi, double *work)
{
    (void)b; (void)theta; (void)work;
    for (size_t i = 0; i < n; i++) Phi[i*ldphi] = X[i*ldx] + X[i*ldx + 1];
}

/* Every kind of bad input, and each allocation made to fail. */
TEST(slm_draws, errors)
{
    bln_data data = slm_make(20, 2, 830, 1), bad;
    double *X = (double *)data.X, *o = (double *)data.offset, *v = (double *)data.noise_var, keep, out[128];
    bln_report report;
    const bln_draw_desc draws = slms_draws(2, 0);
    for (int k = 0; k < 2; k++) {
        bln_basis *b = slm_parse(k ? "rbf:n=15" : "rbf:n=3+bias", 2, 1);
        const size_t D = b->D;
        test_heap heap;
        bln_slm_desc desc = slm_fixed(b, BLN_SLM_AUTO, 0.2, slms_scales, slms_scales);
        desc.alloc = test_heap_allocator(&heap);
        bln_slm *slm = slm_new(&desc);
        const bln_posterior *q = bln_slm_posterior(slm);
        CHECK_SIZE(bln_posterior_draws_work(q, &draws, 20, 1), 0);
        CHECK_SIZE(bln_posterior_slopes_work(q), 0);
        CHECK_STATUS(bln_posterior_draws(q, &data, &draws, out, NULL, 0, NULL, &report), BLN_ESTATE);
        CHECK_STATUS(bln_posterior_draw_weights(q, &draws, out, NULL, 0, NULL, &report), BLN_ESTATE);
        CHECK_STATUS(bln_posterior_slopes(q, &data, out, NULL, 0, NULL, &report), BLN_ESTATE);
        CHECK_TEXT(report.text, "not fitted");
        CHECK_OK(bln_slm_fit(slm, &data, NULL));

        CHECK_STATUS(bln_posterior_draws(NULL, &data, &draws, out, NULL, 0, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_draws(q, &data, NULL, out, NULL, 0, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_draws(q, NULL, &draws, out, NULL, 0, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_draws(q, &data, &draws, NULL, NULL, 0, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_draws(q, &data, &draws, out, NULL, 19, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_draw_weights(NULL, &draws, out, NULL, 0, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_draw_weights(q, NULL, out, NULL, 0, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_draw_weights(q, &draws, NULL, NULL, 0, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_draw_weights(q, &draws, out, NULL, D - 1, NULL, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "stride");
        CHECK_STATUS(bln_posterior_slopes(NULL, &data, out, NULL, 0, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_slopes(q, NULL, out, NULL, 0, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_slopes(q, &data, out, NULL, 1, NULL, &report), BLN_EINVAL);

        bad = data; bad.d = 3; bad.ldx = 3; bad.n = 13;
        CHECK_STATUS(bln_posterior_draws(q, &bad, &draws, out, NULL, 0, NULL, &report), BLN_ESHAPE);
        CHECK_STATUS(bln_posterior_slopes(q, &bad, out, NULL, 0, NULL, &report), BLN_ESHAPE);
        keep = X[2*7 + 1]; X[2*7 + 1] = NAN;
        CHECK_STATUS(bln_posterior_draws(q, &data, &draws, out, NULL, 0, NULL, &report), BLN_EDATA);
        CHECK(report.row == 7 && report.column == 1);
        CHECK_STATUS(bln_posterior_slopes(q, &data, out, NULL, 0, NULL, &report), BLN_EDATA);
        X[2*7 + 1] = keep;
        keep = v[9]; v[9] = 0.0;
        CHECK_STATUS(bln_posterior_draws(q, &data, &draws, out, NULL, 0, NULL, &report), BLN_EDOMAIN);
        CHECK_STATUS(bln_posterior_slopes(q, &data, out, NULL, 0, NULL, &report), BLN_EDOMAIN);
        v[9] = 1e308;
        keep = o[9]; o[9] = 1.7976931348623157e308;
        bln_draw_desc many = slms_draws(6, 0);
        many.noise = 1;
        CHECK_OK(bln_posterior_draws(q, &data, &many, out, NULL, 0, NULL, &report));     /* 1e154 is no trouble */
        v[9] = 1.0; o[9] = keep;

        const bln_draw_desc vast = slms_draws((size_t)-1/8, 0);
        CHECK_SIZE(bln_posterior_draws_work(q, &vast, 20, 0), (size_t)-1);
        CHECK_STATUS(bln_posterior_draw_weights(q, &vast, out, NULL, 0, NULL, &report), BLN_EOVERFLOW);
        CHECK_STATUS(bln_posterior_draws(q, &data, &vast, out, NULL, 0, NULL, &report), BLN_EOVERFLOW);

        const size_t live = heap.live;
        for (int what = 0; what < 3; what++) {
            heap.calls = 0;
            heap.fail_at = 0;
            CHECK_STATUS(what == 0   ? bln_posterior_draws(q, &data, &draws, out, NULL, 0, NULL, &report)
                         : what == 1 ? bln_posterior_draw_weights(q, &draws, out, NULL, 0, NULL, &report)
                                     : bln_posterior_slopes(q, &data, out, NULL, 0, NULL, &report),
                                         BLN_ENOMEM);
            CHECK_TEXT(report.text, "memory");
            heap.fail_at = 1;
            heap.calls = 0;
            CHECK_OK(what == 0   ? bln_posterior_draws(q, &data, &draws, out, NULL, 0, NULL, &report)
                     : what == 1 ? bln_posterior_draw_weights(q, &draws, out, NULL, 0, NULL, &report)
                                 : bln_posterior_slopes(q, &data, out, NULL, 0, NULL, &report));
            CHECK_SIZE(heap.live, live);
            CHECK_SIZE(heap.calls, 1);                      /* one block each */
        }
        heap.fail_at = (size_t)-1;
        bln_slm_free(slm);
        bln_basis_free(b);
    }

    /* Overflow: x^2 of 1e200 at the query; weights of 1e308 under a prior as wide. */
    bln_basis *square = slm_parse("polynomial:degree=3,ones=0", 1, 1);
    double x[2] = { 1e120, 1.0 }, one[1] = { 1.0 }, wide[1] = { 1.0 };
    bln_data two;
    memset(&two, 0, sizeof two);
    two.n = 1;
    two.d = 1;
    two.X = x + 1;
    two.y = one;
    bln_slm_desc desc = slm_fixed(square, BLN_SLM_PRIMAL, 1.0, wide, NULL);
    bln_slm *slm = slm_fit(&desc, &two);
    two.X = x;
    CHECK_STATUS(bln_posterior_draws(bln_slm_posterior(slm), &two, &draws, out, NULL, 0, NULL, &report), BLN_ENUMERIC);
    CHECK_SIZE(report.row, 0);
    CHECK_STATUS(bln_posterior_slopes(bln_slm_posterior(slm), &two, NULL, out, 0, NULL, &report), BLN_ENUMERIC);
    CHECK_SIZE(report.row, 0);
    bln_slm_free(slm);
    bln_basis_free(square);

    bln_basis_ops ops;
    bln_basis own;
    memset(&ops, 0, sizeof ops);
    memset(&own, 0, sizeof own);
    ops.name = "plus";
    ops.features = slms_own_features;
    own.ops = &ops;
    own.d = 2;
    own.D = own.n_slices = 1;
    desc = slm_fixed(&own, BLN_SLM_AUTO, 0.2, slms_scales, NULL);
    slm = slm_fit(&desc, &data);
    CHECK_STATUS(bln_posterior_slopes(bln_slm_posterior(slm), &data, out, NULL, 0, NULL, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "pullback");
    bln_slm_free(slm);
    slm_free_data(&data);
}

SUITE_BEGIN(slm_draws)
SUITE_TEST(slm_draws, golden_covariance)
SUITE_TEST(slm_draws, moments)
SUITE_TEST(slm_draws, keys_and_workspace)
SUITE_TEST(slm_draws, prior_paths)
SUITE_TEST(slm_draws, predict_gradient)
SUITE_TEST(slm_draws, errors)
SUITE_END(slm_draws)
