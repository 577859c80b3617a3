/* heteroscedastic: log p by its definition, derivatives by differences, the information as the mean of d1 d1' over y, expectations
 * by a product of two rules, predictions by sums over f_1; draws, far-out values and names */
#include "latents_tools.h"
#include "likelihood_tools.h"

enum { HETERO_Q = 64 };

/* Some points: y, noise_var, f0, f1. */
static const double hetero_points[][4] = {
    { 0.3, 1.0, 0.1, 0.2 }, { -2.0, 1.0, 1.5, -0.7 }, { 4.0, 2.5, 1.0, 1.3 }, { 1.0, 0.3, 1.0, 0.0 }, { -7.0, 1.0, 3.0, 2.0 }
};
enum { HETERO_POINTS = sizeof hetero_points/sizeof *hetero_points };

static const double hetero_theta[2] = { 0.7, 3.5 };

static bln_likelihood hetero_of(size_t k) { return k ? bln_likelihood_heteroscedastic_t() : bln_likelihood_heteroscedastic(); }

TEST(heteroscedastic, logp)
{
    for (size_t c = 0; c < 2*HETERO_POINTS; c++) {
        const bln_likelihood l = hetero_of(c % 2);
        const double *p = hetero_points[c/2], sd = 0.7*sqrt(p[1]*(1.0 + exp(p[3]))), x = (p[0] - p[2])/sd;
        double logp;
        latents_row row;
        latents_row_set(&row, p[0], p[1]);
        bln_latents_logp(&l, hetero_theta, 1, &row.t, p + 2, 1, &logp);
        const double want = (c % 2 ? bln_student_logpdf(3.5, x) : bln_norm_logpdf(x)) - log(sd);
        CHECK_NEAR(logp, want, 32.0*DBL_EPSILON*(1.0 + x*x));
    }
}

TEST(heteroscedastic, derivatives)
{
    const double C[3] = { 1.3, -0.4, 0.9 };
    static const double ys[3] = { -1.0, 0.3, 2.0 };
    for (size_t k = 0; k < 2; k++) {
        const bln_likelihood l = hetero_of(k);
        CHECK(bln_likelihood_check(&l) == NULL);
        CHECK(bln_likelihood_latents(&l) == 2 && bln_likelihood_classes(&l) == 0);
        for (double s = 0.4; s < 3.0; s *= 1.9)
            for (size_t i = 0; i < HETERO_POINTS; i++) {
                const double *p = hetero_points[i], theta[2] = { s, 3.5 };
                latents_row row;
                latents_row_set(&row, p[0], p[1]);
                latents_check_slopes(&l, theta, &row.t, p + 2, C);
                for (size_t j = 0; j <= k; j++) latents_check_param(&l, theta, j, &row.t, p + 2);
            }
        latents_check_rows(&l, hetero_theta, ys, 3);
    }
}

/* W = E d1 d1'. With y = f_0 + sd tan(u) and u by the trapezoid rule over a period, which is exact to rounding for the normal; for
 * t, whose density falls as |y|^-4.5, to 1e-9. */
TEST(heteroscedastic, information)
{
    enum { N = 40000 };
    for (size_t c = 0; c < 2*HETERO_POINTS; c++) {
        const bln_likelihood l = hetero_of(c % 2);
        const double *p = hetero_points[c/2], sd = 0.7*sqrt(p[1]*(1.0 + exp(p[3])));
        double sum[3] = { 0.0 }, W[3], out[LATENTS_NUMBERS];
        latents_row row;
        for (size_t a = 0; a < N; a++) {
            const double u = BLNI_PI*(((double)a + 0.5)/N - 0.5), share = BLNI_PI/N*sd/(cos(u)*cos(u));
            latents_row_set(&row, p[2] + sd*tan(u), p[1]);
            latents_point(&l, hetero_theta, &row.t, p + 2, out);
            for (size_t k = 0; k < 3; k++) sum[k] += share*exp(out[0])*out[1 + k/2]*out[1 + (k + 1)/2];
        }
        l.ops->latents->information(&l, hetero_theta, 1, &row.t, p + 2, 1, W);
        for (size_t k = 0; k < 3; k++) CHECK_NEAR(W[k], sum[k], 1e-8*(1.0 + W[0]));
    }
}

/* By rules of 64 nodes in each latent, of which one is good to 1e-9 for these v. */
TEST(heteroscedastic, expectation)
{
    static const double vs[][2] = { { 0.0, 0.0 }, { 0.1, 0.0 }, { 0.0, 0.3 }, { 0.05, 0.7 }, { 0.1, 1.0 } };
    double z[HETERO_Q], w[HETERO_Q];
    CHECK_OK(blni_gauss_hermite(HETERO_Q, z, w));
    for (size_t c = 0; c < 2*5*HETERO_POINTS; c++) {
        const bln_likelihood l = hetero_of(c % 2);
        const double *p = hetero_points[c/10], *v = vs[c/2 % 5];
        double want[7] = { 0.0 }, got[7] = { 0.0 }, out[LATENTS_NUMBERS], dlogp[2], value;
        latents_row row;
        latents_row_set(&row, p[0], p[1]);
        for (size_t a = 0; a < HETERO_Q*HETERO_Q; a++) {
            const double f[2] = { p[2] + sqrt(v[0])*z[a % HETERO_Q], p[3] + sqrt(v[1])*z[a/HETERO_Q] };
            const double share = w[a % HETERO_Q]*w[a/HETERO_Q];
            latents_point(&l, hetero_theta, &row.t, f, out);
            for (size_t k = 0; k < l.n_theta; k++) {
                l.ops->latents->eval_param(&l, hetero_theta, k, 1, &row.t, f, 1, dlogp + k, NULL, NULL);
                want[5 + k] += share*dlogp[k];
            }
            for (size_t k = 0; k < 3; k++) want[k] += share*out[k];
            want[3] += 0.5*share*out[3];
            want[4] += 0.5*share*out[5];
        }
        blni_latents_expect(&l, hetero_theta, 1, &row.t, p + 2, v, 1, 0.0, got, got + 1, got + 3, got + 5, 1);
        const double size = 1.0 + latents_largest(7, want);
        for (size_t k = 0; k < 7; k++) CHECK_NEAR(got[k], want[k], (k == 4 ? 1e-6 : v[1] > 0.0 ? 1e-8 : 1e-6)*size);
        if (!(v[1] > 0.0)) CHECK_NEAR(got[0], want[0], 1e-8*size);
        blni_latents_expect(&l, hetero_theta, 1, &row.t, p + 2, v, 1, 0.0, &value, NULL, NULL, NULL, 0);
        CHECK(value == got[0]);
    }
}

/* Of the normal, by sums over f_1 = m_1 + sqrt v_1 z, with a covariance of the latents. */
TEST(heteroscedastic, predictions)
{
    static const double normals[][5] = {
        { 0.3, 0.2, 0.5, 0.09, 0.0 }, { 0.3, 0.2, 0.5, 0.09, 0.15 }, { -1.0, -0.5, 2.0, 0.5, -0.8 }, { 0.0, 1.4, 0.01, 4.0, 0.1 },
        { 0.2, 0.1, 0.0, 0.4, 0.0 }, { 0.2, 0.1, 3.0, 0.0, 0.0 }
    };
    static const double ys[6] = { -3.0, -0.4, 0.2, 0.9, 5.0, 40.0 };
    const bln_likelihood l = bln_likelihood_heteroscedastic();
    const bln_latents_ops *ops = l.ops->latents;
    for (size_t c = 0; c < 6*6; c++) {
        const double *g = normals[c/6], cov[3] = { g[2], g[4], g[3] }, spread = sqrt(g[3]), h = 0.02;
        const double along = spread > 0.0 ? g[4]/spread : 0.0;
        double want[3] = { 0.0 }, logp, tail[2], moments[3];
        latents_row row;
        latents_row_set(&row, ys[c % 6], 1.5);
        for (int a = spread > 0.0 ? -600 : 0; a <= (spread > 0.0 ? 600 : 0); a++) {
            const double share = spread > 0.0 ? h*bln_norm_pdf(h*a) : 1.0, var = g[2] - along*along
                                 + 0.49*1.5*(1.0 + exp(g[1] + spread*h*a)), x = (row.y - g[0] - along*h*a)/sqrt(var);
            want[0] += share*bln_norm_pdf(x)/sqrt(var);
            want[1] += share*bln_norm_cdf(x);
            want[2] += share*bln_norm_cdf(-x);
        }
        ops->normal_logp(&l, hetero_theta, 1, &row.t, g, g + 2, cov, 1, &logp);
        ops->normal_cdf(&l, hetero_theta, 1, &row.t, g, g + 2, cov, 1, tail, tail + 1);
        ops->normal_moments(&l, hetero_theta, 1, &row.t, g, g + 2, cov, 1, moments, moments + 1, moments + 2);
        CHECK_NEAR(exp(logp), want[0], 1e-10);
        CHECK_NEAR(tail[0], want[1], 1e-10);
        CHECK_NEAR(tail[1], want[2], 1e-10);
        CHECK(moments[0] == g[0] && moments[1] == g[2]);
        CHECK_REL(moments[2], 0.49*1.5*(1.0 + exp(g[1] + 0.5*g[3])), 1e-13);
    }
}

/* Of t, by sums over the standard normals of f_1 and of what f_0 has beside it, step 0.1 up to 6.6, beyond which is 1e-10. The
 * integral is off by 2e-9 where the variance of f_1 is 4. Where that is 1e5, or a mean that is correlated moves fast, there is no
 * answer. */
TEST(heteroscedastic, predictions_of_t)
{
    static const double normals[][5] = {
        { 0.3, 0.2, 0.5, 0.09, 0.15 }, { -1.0, -0.5, 2.0, 0.5, -0.8 }, { 0.0, 1.4, 0.01, 4.0, 0.1 }, { 0.2, 0.1, 0.0, 0.4, 0.0 },
        { 0.2, 0.1, 3.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0, 1e5, 0.0 }, { 0.0, 0.0, 1e6, 1.0, 999.9999 }
    };
    static const double ys[3] = { -3.0, 0.9, 40.0 };
    const bln_likelihood l = bln_likelihood_heteroscedastic_t();
    const bln_latents_ops *ops = l.ops->latents;
    for (size_t c = 0; c < 3*7; c++) {
        const double *g = normals[c/3], cov[3] = { g[2], g[4], g[3] }, spread = sqrt(g[3]), h = 0.1;
        const double along = spread > 0.0 ? g[4]/spread : 0.0, beside = sqrt(g[2] - along*along);
        double want[3] = { 0.0 }, logp, tail[2];
        latents_row row;
        latents_row_set(&row, ys[c % 3], 1.5);
        ops->normal_logp(&l, hetero_theta, 1, &row.t, g, g + 2, g[4] != 0.0 ? cov : NULL, 1, &logp);
        ops->normal_cdf(&l, hetero_theta, 1, &row.t, g, g + 2, g[4] != 0.0 ? cov : NULL, 1, tail, tail + 1);
        if (c/3 > 4) { CHECK(logp != logp && tail[0] != tail[0] && tail[1] != tail[1]); continue; }
        for (int a = spread > 0.0 ? -66 : 0; a <= (spread > 0.0 ? 66 : 0); a++)
            for (int b = beside > 0.0 ? -66 : 0; b <= (beside > 0.0 ? 66 : 0); b++) {
                const double share = (spread > 0.0 ? h*bln_norm_pdf(h*a) : 1.0)*(beside > 0.0 ? h*bln_norm_pdf(h*b) : 1.0);
                const double sd = 0.7*sqrt(1.5*(1.0 + exp(g[1] + spread*h*a))), x = (row.y - g[0] - along*h*a - beside*h*b)/sd;
                const double low = bln_student_cdf(3.5, x);
                want[0] += share*bln_student_pdf(3.5, x)/sd;
                want[1] += share*low;
                want[2] += share*(1.0 - low);
            }
        CHECK_NEAR(exp(logp), want[0], 4e-9);
        CHECK_NEAR(tail[0], want[1], 4e-9);
        CHECK_NEAR(tail[1], want[2], 4e-9);
    }
}

TEST(heteroscedastic, far_out)
{
    static const double corner[5] = { -800.0, -300.0, 0.0, 300.0, 800.0 }, C[3] = { 1.0, 0.5, 2.0 };
    for (size_t c = 0; c < 100; c++) {
        const bln_likelihood l = hetero_of(c % 2);
        const double f[2] = { corner[c/2 % 5], corner[c/10 % 5] }, v[2] = { 400.0, 400.0 };
        double out[LATENTS_NUMBERS], curve[2], par[6], e[7], mean, var, lower, upper;
        latents_row row;
        latents_row_set(&row, c < 50 ? 0.0 : 1e200, 1.0);
        latents_point(&l, hetero_theta, &row.t, f, out);
        l.ops->latents->curve(&l, hetero_theta, 1, &row.t, f, 1, C, curve);
        l.ops->latents->moments(&l, hetero_theta, 1, &row.t, f, 1, &mean, &var);
        l.ops->latents->cdf(&l, hetero_theta, 1, &row.t, f, 1, &lower, &upper);
        for (size_t k = 0; k < 9; k++) CHECK(out[k] == out[k]);
        for (size_t k = 0; k < l.n_theta; k++) {
            l.ops->latents->eval_param(&l, hetero_theta, k, 1, &row.t, f, 1, par, par + 1, par + 3);
            for (size_t i = 0; i < 6; i++) CHECK(par[i] == par[i]);
        }
        CHECK(curve[0] == curve[0] && curve[1] == curve[1] && mean == f[0] && var > 0.0);
        CHECK_NEAR(lower + upper, 1.0, 4.0*DBL_EPSILON);
        if (c >= 50) continue;
        blni_latents_expect(&l, hetero_theta, 1, &row.t, f, v, 1, 0.0, e, e + 1, e + 3, e + 5, 1);
        for (size_t i = 0; i < 5 + l.n_theta; i++) CHECK(e[i] == e[i]);
    }
}

TEST(heteroscedastic, draws_and_names)
{
    enum { DRAWS = 4000 };
    for (size_t k = 0; k < 2; k++) {
        const bln_likelihood l = hetero_of(k);
        double *x = test_doubles(5*DRAWS), *y = x + 2*DRAWS, *u = y + DRAWS, *v = u + DRAWS;
        bln_targets t = BLN_ZERO;
        bln_param p;
        bln_rng rng;
        bln_rng_seed(&rng, 5, 40 + k);
        for (size_t i = 0; i < DRAWS; i++) {
            x[i] = 0.01*(double)(i % 100);
            x[DRAWS + i] = (double)(i % 7) - 3.0;
            v[i] = 1.0 + (double)(i % 3);
        }
        t.noise_var = v;
        for (size_t i = 0; i < DRAWS; i += BLN_LIKELIHOOD_BLOCK) {
            const bln_targets b = blni_targets_from(&t, i);
            l.ops->latents->draw(&l, hetero_theta, blni_min(DRAWS - i, BLN_LIKELIHOOD_BLOCK), &b, x + i, DRAWS, &rng, y + i);
        }
        t.y = y;
        for (size_t i = 0; i < DRAWS; i += BLN_LIKELIHOOD_BLOCK) {
            const bln_targets b = blni_targets_from(&t, i);
            l.ops->latents->cdf(&l, hetero_theta, blni_min(DRAWS - i, BLN_LIKELIHOOD_BLOCK), &b, x + i, DRAWS, u + i, NULL);
        }
        CHECK_LE(goodness_kolmogorov(DRAWS, u, likelihood_identity, 0.0, 0.0), 2.6);
        l.ops->latents->start(&l, hetero_theta, 9, &t, x, DRAWS);
        for (size_t i = 0; i < 9; i++) CHECK(x[i] == y[i] && x[DRAWS + i] == 0.0);
        CHECK(!strcmp(bln_likelihood_latent_name(&l, 0), "mean"));
        CHECK(!strcmp(bln_likelihood_latent_name(&l, 1), "log excess"));
        CHECK(!strcmp(bln_likelihood_param_name(&l, 0), k ? "least scale" : "least noise sd"));
        for (size_t j = 0; j <= k; j++)
            for (double sd = 1e-300; sd < 1e301; sd *= 1e100) {
                bln_likelihood_param(&l, j, 0.0, sd, &p);
                CHECK_OK(bln_param_check(&p, NULL));
            }
        free(x);
    }
}

SUITE_BEGIN(heteroscedastic)
SUITE_TEST(heteroscedastic, logp)
SUITE_TEST(heteroscedastic, derivatives)
SUITE_TEST(heteroscedastic, information)
SUITE_TEST(heteroscedastic, expectation)
SUITE_TEST(heteroscedastic, predictions)
SUITE_TEST(heteroscedastic, predictions_of_t)
SUITE_TEST(heteroscedastic, far_out)
SUITE_TEST(heteroscedastic, draws_and_names)
SUITE_END(heteroscedastic)
