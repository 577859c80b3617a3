/* gaussian_scale: derivatives by differences, the information and expectations by rules of Gauss and Hermite, predictions by sums
 * over a grid of both latents, and by closed forms where a latent is known; draws, what it refuses */
#include "latents_tools.h"
#include "likelihood_tools.h"

enum { SCALE_Q = 64 };

/* Some points: y, noise_var, f0, f1. */
static const double scale_points[][4] = {
    { 0.3, 1.0, 0.1, 0.2 }, { -2.0, 1.0, 1.5, -0.7 }, { 4.0, 2.5, 1.0, 1.3 }, { 1.0, 0.3, 1.0, 0.0 }, { -7.0, 1.0, 3.0, 2.0 }
};
enum { SCALE_POINTS = sizeof scale_points/sizeof *scale_points };

TEST(gaussian_scale, logp)
{
    const bln_likelihood l = bln_likelihood_gaussian_scale();
    const double s = 0.7;
    for (size_t i = 0; i < SCALE_POINTS; i++) {
        const double *p = scale_points[i], sd = s*sqrt(p[1])*exp(p[3]);
        double logp;
        latents_row row;
        latents_row_set(&row, p[0], p[1]);
        bln_latents_logp(&l, &s, 1, &row.t, p + 2, 1, &logp);
        const double x = (p[0] - p[2])/sd;
        CHECK_NEAR(logp, bln_norm_logpdf(x) - log(sd), 16.0*DBL_EPSILON*(1.0 + x*x));
    }
}

/* |f| <= 800 never gives NaN; e^1600 is beyond the range of doubles, so that log p and its derivatives may be infinite. */
TEST(gaussian_scale, far_out)
{
    static const double corner[5] = { -800.0, -300.0, 0.0, 300.0, 800.0 };
    const bln_likelihood l = bln_likelihood_gaussian_scale();
    const double s = 0.7, C[3] = { 1.0, 0.5, 2.0 };
    for (size_t c = 0; c < 50; c++) {
        const double f[2] = { corner[c % 5], corner[c/5 % 5] };
        double out[LATENTS_NUMBERS], curve[2], par[6], mean, var, lower, upper;
        latents_row row;
        latents_row_set(&row, c < 25 ? 0.0 : 300.0, 1.0);
        latents_point(&l, &s, &row.t, f, out);
        l.ops->latents->curve(&l, &s, 1, &row.t, f, 1, C, curve);
        l.ops->latents->eval_param(&l, &s, 0, 1, &row.t, f, 1, par, par + 1, par + 3);
        l.ops->latents->moments(&l, &s, 1, &row.t, f, 1, &mean, &var);
        l.ops->latents->cdf(&l, &s, 1, &row.t, f, 1, &lower, &upper);
        for (size_t k = 0; k < 9; k++) CHECK(out[k] == out[k]);
        for (size_t k = 0; k < 6; k++) CHECK(par[k] == par[k]);
        CHECK(curve[0] == curve[0] && curve[1] == curve[1] && mean == f[0] && var >= 0.0);
        CHECK_NEAR(lower + upper, 1.0, 2.0*DBL_EPSILON);
    }
}

/* The same of expectations and predictions, with latents that are known or all but unknown. */
TEST(gaussian_scale, far_out_normals)
{
    static const double corner[3] = { -800.0, 0.0, 800.0 }, vs[3] = { 0.0, 1e-3, 400.0 };
    const bln_likelihood l = bln_likelihood_gaussian_scale();
    const double s = 0.7;
    for (size_t c = 0; c < 81; c++) {
        const double m[2] = { corner[c % 3], corner[c/3 % 3] }, v[2] = { vs[c/9 % 3], vs[c/27] };
        double out[6], logp, lower, upper;
        latents_row row;
        latents_row_set(&row, 0.0, 1.0);
        blni_latents_expect(&l, &s, 1, &row.t, m, v, 1, 0.0, out, out + 1, out + 3, out + 5, 1);
        l.ops->latents->normal_logp(&l, &s, 1, &row.t, m, v, NULL, 1, &logp);
        l.ops->latents->normal_cdf(&l, &s, 1, &row.t, m, v, NULL, 1, &lower, &upper);
        for (size_t k = 0; k < 6; k++) CHECK(out[k] == out[k]);
        CHECK(logp == logp);
        CHECK_NEAR(lower + upper, 1.0, 1e-9);
    }
}

TEST(gaussian_scale, derivatives)
{
    const bln_likelihood l = bln_likelihood_gaussian_scale();
    const double C[3] = { 1.3, -0.4, 0.9 };
    static const double ys[3] = { -1.0, 0.3, 2.0 };
    CHECK(bln_likelihood_check(&l) == NULL);
    CHECK_SIZE(bln_likelihood_latents(&l), 2);
    CHECK_SIZE(bln_likelihood_classes(&l), 0);
    for (double s = 0.4; s < 3.0; s *= 1.9)
        for (size_t i = 0; i < SCALE_POINTS; i++) {
            const double *p = scale_points[i];
            latents_row row;
            latents_row_set(&row, p[0], p[1]);
            latents_check_slopes(&l, &s, &row.t, p + 2, C);
            latents_check_param(&l, &s, 0, &row.t, p + 2);
        }
    const double s = 0.7;
    latents_check_rows(&l, &s, ys, 3);
}

/* W is the mean of -d2, and of d1 d1', over y: polynomials of degree 4, for which the rule is exact. */
TEST(gaussian_scale, information)
{
    enum { Q = 5 };
    const bln_likelihood l = bln_likelihood_gaussian_scale();
    const double s = 0.7;
    double z[Q], w[Q];
    CHECK_OK(blni_gauss_hermite(Q, z, w));
    for (size_t i = 0; i < SCALE_POINTS; i++) {
        const double *p = scale_points[i], sd = s*sqrt(p[1])*exp(p[3]);
        double minus[3] = { 0.0 }, square[3] = { 0.0 }, W[3], out[LATENTS_NUMBERS];
        latents_row row;
        for (size_t a = 0; a < Q; a++) {
            latents_row_set(&row, p[2] + sd*z[a], p[1]);
            latents_point(&l, &s, &row.t, p + 2, out);
            for (size_t k = 0; k < 3; k++) minus[k] -= w[a]*out[3 + k];
            square[0] += w[a]*out[1]*out[1];
            square[1] += w[a]*out[1]*out[2];
            square[2] += w[a]*out[2]*out[2];
        }
        l.ops->latents->information(&l, &s, 1, &row.t, p + 2, 1, W);
        for (size_t k = 0; k < 3; k++) {
            CHECK_NEAR(W[k], minus[k], 1e-13*(1.0 + W[0]));
            CHECK_NEAR(W[k], square[k], 1e-13*(1.0 + W[0]));
        }
    }
}

/* The closed form against a product of two rules of 64 nodes, exact for f_0, to 1e-13 for e^(-2 f_1) with v_1 <= 1: of log p, of
 * its derivatives d1 (dm) and d2/2 (dv), and of that in theta. */
TEST(gaussian_scale, expectation)
{
    static const double vs[][2] = { { 0.0, 0.0 }, { 0.5, 0.0 }, { 0.0, 0.3 }, { 2.0, 0.7 }, { 0.1, 1.0 } };
    const bln_likelihood l = bln_likelihood_gaussian_scale();
    const double s = 0.7;
    double z[SCALE_Q], w[SCALE_Q];
    CHECK_OK(blni_gauss_hermite(SCALE_Q, z, w));
    for (size_t c = 0; c < SCALE_POINTS*5; c++) {
        const double *p = scale_points[c/5], *v = vs[c % 5];
        double want[6] = { 0.0 }, got[6], out[LATENTS_NUMBERS], dlogp, value;
        latents_row row;
        latents_row_set(&row, p[0], p[1]);
        for (size_t a = 0; a < SCALE_Q*SCALE_Q; a++) {
            const double f[2] = { p[2] + sqrt(v[0])*z[a % SCALE_Q], p[3] + sqrt(v[1])*z[a/SCALE_Q] };
            const double share = w[a % SCALE_Q]*w[a/SCALE_Q];
            latents_point(&l, &s, &row.t, f, out);
            l.ops->latents->eval_param(&l, &s, 0, 1, &row.t, f, 1, &dlogp, NULL, NULL);
            for (size_t k = 0; k < 3; k++) want[k] += share*out[k];
            want[3] += 0.5*share*out[3];
            want[4] += 0.5*share*out[5];
            want[5] += share*dlogp;
        }
        blni_latents_expect(&l, &s, 1, &row.t, p + 2, v, 1, 0.0, got, got + 1, got + 3, got + 5, 1);
        const double size = latents_largest(6, want);
        for (size_t k = 0; k < 6; k++) CHECK_NEAR(got[k], want[k], 1e-12*(1.0 + size));
        blni_latents_expect(&l, &s, 1, &row.t, p + 2, v, 1, 0.0, &value, NULL, NULL, NULL, 0);
        CHECK(value == got[0]);
    }
}

/* ---- predictions. m0, m1, v0, v1, covariance, noise_var; correlations up to 1. */

static const double scale_normals[][6] = {
    { 0.3, 0.2, 0.5, 0.09, 0.0, 1.0 },  { 0.3, 0.2, 0.5, 0.09, 0.15, 1.0 },  { -1.0, -0.5, 2.0, 0.5, 0.0, 1.0 },
    { -1.0, -0.5, 2.0, 0.5, -0.8, 2.0 }, { 0.0, 0.0, 0.01, 1.0, 0.09, 1.0 },  { 0.0, 0.4, 1.0, 0.25, 0.5, 0.5 },
    { 0.2, 0.1, 0.0, 0.4, 0.0, 1.0 },   { 0.2, 0.1, 3.0, 0.0, 0.0, 1.0 }
};
enum { SCALE_NORMALS = sizeof scale_normals/sizeof *scale_normals };

static void scale_normal(const double *g, double *cov)
{
    cov[0] = g[2];
    cov[1] = g[4];
    cov[2] = g[3];
}

/* The density and both tails by the trapezoid rule over f_1 = m_1 + sqrt v_1 z and, given z, over f_0, with a step of half the
 * standard deviation of the noise there: errors of e^(-2 pi^2 4), and of what is beyond |z| = 10. */
static void scale_brute(const double *g, double s, double y, double *out)
{
    const double h = 0.05, spread = sqrt(g[3]), slope = spread > 0.0 ? g[4]/spread : 0.0;
    const double left = sqrt(fmax(g[2] - slope*slope, 0.0));
    out[0] = out[1] = out[2] = 0.0;
    for (int a = spread > 0.0 ? -200 : 0; a <= (spread > 0.0 ? 200 : 0); a++) {
        const double z = h*a, share = spread > 0.0 ? h*bln_norm_pdf(z) : 1.0, sd = s*sqrt(g[5])*exp(g[1] + spread*z);
        const double step = left > 0.0 ? fmax(fmin(0.1, 0.5*sd/left), 1e-4) : 1.0, centre = g[0] + slope*z;
        const long most = left > 0.0 ? (long)(10.0/step) : 0;
        for (long b = -most; b <= most; b++) {
            const double part = left > 0.0 ? share*step*bln_norm_pdf(step*(double)b) : share;
            const double x = (y - centre - left*step*(double)b)/sd;
            out[0] += part*bln_norm_pdf(x)/sd;
            out[1] += part*bln_norm_cdf(x);
            out[2] += part*bln_norm_cdf(-x);
        }
    }
}

TEST(gaussian_scale, predictions)
{
    static const double ys[5] = { -3.0, -0.4, 0.2, 0.9, 5.0 };
    const bln_likelihood l = bln_likelihood_gaussian_scale();
    const bln_latents_ops *ops = l.ops->latents;
    const double s = 0.7;
    for (size_t c = 0; c < SCALE_NORMALS*5; c += TEST_MANY(1, 4)) {
        const double *g = scale_normals[c/5];
        double cov[3], want[3], logp, tail[2], moments[3];
        const double *C = g[4] != 0.0 ? cov : NULL;
        latents_row row;
        scale_normal(g, cov);
        latents_row_set(&row, ys[c % 5], g[5]);
        scale_brute(g, s, row.y, want);
        ops->normal_logp(&l, &s, 1, &row.t, g, g + 2, C, 1, &logp);
        ops->normal_cdf(&l, &s, 1, &row.t, g, g + 2, C, 1, tail, tail + 1);
        ops->normal_moments(&l, &s, 1, &row.t, g, g + 2, C, 1, moments, moments + 1, moments + 2);
        CHECK_NEAR(exp(logp), want[0], 1e-10*(1.0 + want[0]));
        CHECK_NEAR(tail[0], want[1], 1e-10);
        CHECK_NEAR(tail[1], want[2], 1e-10);
        CHECK_NEAR(tail[0] + tail[1], 1.0, 1e-10);
        CHECK(moments[0] == g[0] && moments[1] == g[2]);
        CHECK_REL(moments[2], s*s*g[5]*exp(2.0*g[1] + 2.0*g[3]), 1e-14);
    }
}

/* Far out in the tails by logs of sums over f_1, given which y is normal. The hill is where e^f_1 has the size of y, far from 0. */
static double scale_tail(const double *g, double s, double y, int what)
{
    const double h = 0.01, spread = sqrt(g[3]), slope = g[4]/spread, left = fmax(g[2] - slope*slope, 0.0);
    double top = -HUGE_VAL, sum = 0.0;
    for (int a = -4000; a <= 4000; a++) {
        const double z = h*a, sd = s*sqrt(g[5])*exp(g[1] + spread*z), all = sqrt(left + sd*sd), x = (y - g[0] - slope*z)/all;
        const double one = bln_norm_logpdf(z) + log(h) + (what ? bln_norm_logcdf(what*x) : bln_norm_logpdf(x) - log(all));
        if (one > top) { sum = sum*exp(top - one) + 1.0; top = one; }
        else sum += exp(one - top);
    }
    return top + log(sum);
}

TEST(gaussian_scale, tails)
{
    static const double ys[] = { 20.0, 100.0, 1e3, 1e4, 1e6, -30.0, -1e3, -1e5 };
    const bln_likelihood l = bln_likelihood_gaussian_scale();
    const double s = 0.7;
    for (size_t c = 0; c < 7*8; c++) {
        const double *g = scale_normals[c/8], y = ys[c % 8];
        double cov[3], logp, tail[2];
        const double *C = g[4] != 0.0 ? cov : NULL;
        latents_row row;
        scale_normal(g, cov);
        latents_row_set(&row, y, g[5]);
        l.ops->latents->normal_logp(&l, &s, 1, &row.t, g, g + 2, C, 1, &logp);
        l.ops->latents->normal_cdf(&l, &s, 1, &row.t, g, g + 2, C, 1, tail, tail + 1);
        CHECK_GOLD(logp, scale_tail(g, s, y, 0), 1e-9);
        for (int k = 0; k < 2; k++) {
            const double want = exp(scale_tail(g, s, y, k ? -1 : 1));
            CHECK_NEAR(tail[k], want, 1e-8*want);
        }
    }
}

/* A known f_1 makes y normal, whatever is left of its covariance; a known f_0 at y itself has an integral that e^-f_1 dominates:
 * exp(-log sd + v_1/2). */
TEST(gaussian_scale, known_latents)
{
    const bln_likelihood l = bln_likelihood_gaussian_scale();
    const double s = 0.7;
    for (double y = -4.0; y < 5.0; y += 0.8)
        for (double v1 = 1e-2; v1 > 1e-12; v1 *= 1e-3) {
            const double m[2] = { 0.4, -0.3 }, v[2] = { 0.6, 0.0 }, near[2] = { 0.6, v1 };
            const double sd = sqrt(v[0] + s*s*exp(2.0*m[1])), x = (y - m[0])/sd, cov[3] = { 0.6, 1e-170, 0.0 };
            double logp[2], tail[4];
            latents_row row;
            latents_row_set(&row, y, 1.0);
            l.ops->latents->normal_logp(&l, &s, 1, &row.t, m, v, cov, 1, logp);
            l.ops->latents->normal_cdf(&l, &s, 1, &row.t, m, v, cov, 1, tail, tail + 1);
            l.ops->latents->normal_logp(&l, &s, 1, &row.t, m, near, NULL, 1, logp + 1);
            l.ops->latents->normal_cdf(&l, &s, 1, &row.t, m, near, NULL, 1, tail + 2, tail + 3);
            CHECK_NEAR(logp[0], bln_norm_logpdf(x) - log(sd), 1e-13*(1.0 + x*x));
            CHECK_REL(tail[0], bln_norm_cdf(x), 1e-13);
            CHECK_REL(tail[1], bln_norm_cdf(-x), 1e-13);
            CHECK_NEAR(logp[1], logp[0], 10.0*v1*(1.0 + x*x)*(1.0 + x*x) + 1e-10);      /* by v_1/2 times its second derivative */
            CHECK_NEAR(tail[2], tail[0], 10.0*v1 + 1e-10);
            CHECK_NEAR(tail[3], tail[1], 10.0*v1 + 1e-10);
        }
    for (double v1 = 1e-4; v1 < 30.0; v1 *= 5.0) {
        const double m[2] = { 0.4, -0.3 }, v[2] = { 0.0, v1 };
        double logp;
        latents_row row;
        latents_row_set(&row, 0.4, 1.0);
        l.ops->latents->normal_logp(&l, &s, 1, &row.t, m, v, NULL, 1, &logp);
        CHECK_NEAR(logp, bln_norm_logpdf(0.0) - log(s) + 0.3 + 0.5*v1, 1e-10);
    }
}

/* Draws have the distribution function, 5 sigma (goodness.h), and start is a place of high density. */
TEST(gaussian_scale, draws_and_start)
{
    enum { DRAWS = 4000 };
    const bln_likelihood l = bln_likelihood_gaussian_scale();
    const double s = 0.7;
    double *x = test_doubles(5*DRAWS), *y = x + 2*DRAWS, *u = y + DRAWS, *v = u + DRAWS;
    bln_targets t = BLN_ZERO;
    bln_rng rng;
    bln_rng_seed(&rng, 5, 40);
    for (size_t i = 0; i < DRAWS; i++) {
        x[i] = 0.01*(double)(i % 100);
        x[DRAWS + i] = (double)(i % 7) - 3.0;
        v[i] = 1.0 + (double)(i % 3);
    }
    t.noise_var = v;
    l.ops->latents->draw(&l, &s, DRAWS, &t, x, DRAWS, &rng, y);
    t.y = y;
    l.ops->latents->cdf(&l, &s, DRAWS, &t, x, DRAWS, u, NULL);
    CHECK_LE(goodness_kolmogorov(DRAWS, u, likelihood_identity, 0.0, 0.0), 2.6);
    l.ops->latents->start(&l, &s, DRAWS, &t, x, DRAWS);
    for (size_t i = 0; i < DRAWS; i++) CHECK(x[i] == y[i] && x[DRAWS + i] == 0.0);
    free(x);
}

TEST(gaussian_scale, names_and_data)
{
    const bln_likelihood l = bln_likelihood_gaussian_scale();
    const double y[2] = { 0.5, -1e300 }, one[2] = { 1.0, 2.0 }, zero[2] = { 1.0, 0.0 };
    bln_likelihood found;
    bln_report report;
    bln_param p;
    bln_data data = BLN_ZERO;
    CHECK(!strcmp(bln_likelihood_latent_name(&l, 0), "mean") && !strcmp(bln_likelihood_latent_name(&l, 1), "log sd"));
    CHECK(!strcmp(bln_likelihood_param_name(&l, 0), "noise sd"));
    for (double sd = 1e-300; sd < 1e301; sd *= 1e100) {
        bln_likelihood_param(&l, 0, 0.0, sd, &p);
        CHECK_OK(bln_param_check(&p, NULL));
    }
    bln_likelihood_param(&l, 0, 3.0, 2.0, &p);
    CHECK_REL(p.start, 2.0*sqrt(0.1), 1e-15);
    data.n = 2;
    data.y = y;
    data.noise_var = one;
    CHECK_OK(bln_likelihood_check_data(&l, &data, NULL));
    data.noise_var = zero;
    CHECK_STATUS(bln_likelihood_check_data(&l, &data, NULL), BLN_EDOMAIN);
    data.noise_var = NULL;
    data.trials = one;
    CHECK_STATUS(bln_likelihood_check_data(&l, &data, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "no trials");
    CHECK_OK(bln_likelihood_find(&l, 1, "gaussian_scale", 1, 2, &found));
    CHECK_STATUS(bln_likelihood_find(&l, 1, "gaussian_scale", 1, 3, &found), BLN_ESHAPE);
    CHECK_STATUS(bln_likelihood_find(&l, 1, "gaussian_scale", 2, 2, &found), BLN_ESHAPE);
}

SUITE_BEGIN(gaussian_scale)
SUITE_TEST(gaussian_scale, logp)
SUITE_TEST(gaussian_scale, far_out)
SUITE_TEST(gaussian_scale, far_out_normals)
SUITE_TEST(gaussian_scale, derivatives)
SUITE_TEST(gaussian_scale, information)
SUITE_TEST(gaussian_scale, expectation)
SUITE_TEST(gaussian_scale, predictions)
SUITE_TEST(gaussian_scale, tails)
SUITE_TEST(gaussian_scale, known_latents)
SUITE_TEST(gaussian_scale, draws_and_start)
SUITE_TEST(gaussian_scale, names_and_data)
SUITE_END(gaussian_scale)
