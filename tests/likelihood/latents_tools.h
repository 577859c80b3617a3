/* latents_tools.h - likelihoods of several latents, one row at a time: their derivatives against differences */
#ifndef BLN_TESTS_LATENTS_TOOLS_H
#define BLN_TESTS_LATENTS_TOOLS_H
#include "../test.h"

enum { LATENTS_MOST = 8, LATENTS_PAIRS = LATENTS_MOST*(LATENTS_MOST + 1)/2 };

/* One row; points into the struct. */
typedef struct latents_row { double y, noise_var; bln_targets t; } latents_row;

static TEST_UNUSED void latents_row_set(latents_row *r, double y, double noise_var)
{
    memset(r, 0, sizeof *r);
    r->y = y;
    r->noise_var = noise_var;
    r->t.y = &r->y;
    if (noise_var != 1.0) r->t.noise_var = &r->noise_var;
}

/* log p, d1 and d2 in out[0], out[1 ..] and out[1 + J ..]; then W. */
static TEST_UNUSED void latents_point(const bln_likelihood *l, const double *theta, const bln_targets *t, const double *f,
                                      double *out)
{
    const size_t J = l->n_latent, pairs = J*(J + 1)/2;
    double *d2 = out + 1 + J, *W = d2 + pairs;
    bln_latents_eval(l, theta, 1, t, f, 1, out, out + 1, d2);
    for (size_t a = 0; a < pairs; a++) W[a] = -d2[a];
    if (l->ops->latents->information) l->ops->latents->information(l, theta, 1, t, f, 1, W);
}

/* The slope at 0 of a function with values g at -2, -1, 1, 2 times h. Errors: h^4/30 times the fifth derivative, and 1.5 eps/h of
 * g. */
static TEST_UNUSED double latents_slope(const double *low2, const double *low1, const double *up1, const double *up2, size_t at,
                                        double h)
{
    return (8.0*(up1[at] - low1[at]) - (up2[at] - low2[at]))/(12.0*h);
}

/* With h = 1e-3 these are 3e-14 times a fifth derivative, 720 times the values for 1/theta^2, and 3e-13 of the values. */
static TEST_UNUSED void latents_near(double got, double want, double size, const char *what, const bln_likelihood *l, double y)
{
    char s[200];
    snprintf(s, sizeof s, "%s of %s at y = %g", what, l->ops->name, y);
    test_near(got, want, 4e-11*(1.0 + size), __FILE__, __LINE__, s);
}

enum { LATENTS_NUMBERS = 1 + LATENTS_MOST + 2*LATENTS_PAIRS };

static TEST_UNUSED double latents_largest(size_t n, const double *x)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++) if (fabs(x[i]) > most) most = fabs(x[i]);
    return most;
}

/* Checks d1, d2 and curve (for the symmetric C, pairs) by differences of the results of eval and information, latent by latent. */
static TEST_UNUSED void latents_check_slopes(const bln_likelihood *l, const double *theta, const bln_targets *t, const double *f,
                                             const double *C)
{
    const size_t J = l->n_latent, pairs = J*(J + 1)/2;
    const double h = 1e-3, steps[4] = { -2.0*h, -h, h, 2.0*h };
    double g[4][LATENTS_NUMBERS], at[LATENTS_NUMBERS], moved[LATENTS_MOST], out[LATENTS_MOST], logp;
    latents_point(l, theta, t, f, at);
    l->ops->latents->logp(l, theta, 1, t, f, 1, &logp);
    CHECK_NEAR(logp, at[0], 4.0*DBL_EPSILON*(1.0 + fabs(logp)));
    l->ops->latents->curve(l, theta, 1, t, f, 1, C, out);
    const double size = latents_largest(1 + J + 2*pairs, at);
    for (size_t j = 0; j < J; j++) {
        double sum = 0.0;
        for (size_t s = 0; s < 4; s++) {
            memcpy(moved, f, J*sizeof *moved);
            moved[j] += steps[s];
            latents_point(l, theta, t, moved, g[s]);
        }
        latents_near(at[1 + j], latents_slope(g[0], g[1], g[2], g[3], 0, h), size, "d1", l, *t->y);
        for (size_t k = 0; k < J; k++) {
            const size_t pair = j <= k ? blni_latent_pair(J, j, k) : blni_latent_pair(J, k, j);
            latents_near(at[1 + J + pair], latents_slope(g[0], g[1], g[2], g[3], 1 + k, h), size, "d2", l, *t->y);
        }
        for (size_t k = 0; k < J; k++)
            for (size_t c = k; c < J; c++) {
                const size_t pair = blni_latent_pair(J, k, c);
                sum += (k == c ? 1.0 : 2.0)*C[pair]*latents_slope(g[0], g[1], g[2], g[3], 1 + J + pairs + pair, h);
            }
        latents_near(out[j], sum, size*(double)pairs, "curve", l, *t->y);
    }
}

/* Checks the derivatives in theta_k. The step is relative to theta_k, which is positive. */
static TEST_UNUSED void latents_check_param(const bln_likelihood *l, const double *theta, size_t k, const bln_targets *t,
                                            const double *f)
{
    const size_t J = l->n_latent, pairs = J*(J + 1)/2;
    const double h = 1e-3*theta[k], steps[4] = { -2.0*h, -h, h, 2.0*h };
    double g[4][LATENTS_NUMBERS], at[LATENTS_NUMBERS], moved[BLN_LIKELIHOOD_THETA], dlogp, dd1[LATENTS_MOST], dW[LATENTS_PAIRS];
    latents_point(l, theta, t, f, at);
    const double size = latents_largest(1 + J + 2*pairs, at)/theta[k];
    for (size_t s = 0; s < 4; s++) {
        memcpy(moved, theta, l->n_theta*sizeof *moved);
        moved[k] += steps[s];
        latents_point(l, moved, t, f, g[s]);
    }
    l->ops->latents->eval_param(l, theta, k, 1, t, f, 1, &dlogp, dd1, dW);
    latents_near(dlogp, latents_slope(g[0], g[1], g[2], g[3], 0, h), size, "dlogp/dtheta", l, *t->y);
    for (size_t j = 0; j < J; j++)
        latents_near(dd1[j], latents_slope(g[0], g[1], g[2], g[3], 1 + j, h), size, "dd1/dtheta", l, *t->y);
    for (size_t a = 0; a < pairs; a++)
        latents_near(dW[a], latents_slope(g[0], g[1], g[2], g[3], 1 + J + pairs + a, h), size, "dW/dtheta", l, *t->y);
}

/* Results for n rows at once, with a stride wider than n, must be those for each row: 300 rows are several blocks. */
static TEST_UNUSED void latents_check_rows(const bln_likelihood *l, const double *theta, const double *y, size_t n_y)
{
    enum { ROWS = 300, LD = 307 };
    const size_t J = l->n_latent, pairs = J*(J + 1)/2;
    double *f = test_doubles(LD*(J + 1)), *ys = f + LD*J, *out = test_doubles((1 + J + pairs)*LD), at[LATENTS_NUMBERS];
    double one[LATENTS_MOST];
    test_random r = test_random_new(77);
    bln_targets t = BLN_ZERO;
    test_fill_normal(&r, LD*J, f);
    for (size_t i = 0; i < ROWS; i++) ys[i] = y[i % n_y];
    for (size_t i = 0; i < (1 + J + pairs)*LD; i++) out[i] = 2.385;
    t.y = ys;
    bln_latents_eval(l, theta, ROWS, &t, f, LD, out, out + LD, out + (1 + J)*LD);
    for (size_t i = 0; i < LD; i++) {
        bln_targets row = t;
        if (i < ROWS) {
            row.y = ys + i;
            for (size_t j = 0; j < J; j++) one[j] = f[j*LD + i];
            latents_point(l, theta, &row, one, at);
        } else for (size_t c = 0; c < 1 + J + pairs; c++) at[c] = 2.385;
        for (size_t c = 0; c < 1 + J + pairs; c++) CHECK_NEAR(out[c*LD + i], at[c], 4.0*DBL_EPSILON*(1.0 + fabs(at[c])));
    }
    free(f);
    free(out);
}

#endif /* BLN_TESTS_LATENTS_TOOLS_H */
