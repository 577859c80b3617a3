/* augment_latents: the sites of likelihoods of several latents. At v = 0 the bound is log p; its slopes are the expected site; a
 * draw has the mean of the expected site where that is no nonlinear function of what is drawn; weights, and rows that have none.
 * (That draws leave the posterior as it is, is tested with the sampler: test_gibbs.c.) */
#include "latents_tools.h"

enum { SITES_CASES = 5, SITES_J = 3, SITES_ROWS = 4 };

static bln_likelihood auxiliary_likelihood(size_t k)
{
    switch (k) {
    case 0:  return bln_likelihood_heteroscedastic();
    case 1:  return bln_likelihood_heteroscedastic_t();
    default: return bln_likelihood_logistic_softmax(3, (bln_softmax)(k - 2));
    }
}

typedef struct auxiliary_case {
    bln_likelihood l;
    const blni_augmentation *a;
    double eta[4], y[SITES_ROWS], noise_var[SITES_ROWS], weight[SITES_ROWS], m[SITES_J*SITES_ROWS], v[SITES_J*SITES_ROWS];
    bln_targets t;
} auxiliary_case;

static void auxiliary_make(auxiliary_case *c, size_t which)
{
    test_random r = test_random_new(50 + which);
    memset(c, 0, sizeof *c);
    c->l = auxiliary_likelihood(which);
    c->a = blni_augmentation_of(&c->l, NULL);
    c->eta[0] = 0.7;
    c->eta[1] = which == 1 ? 3.5 : 1.6;
    for (size_t i = 0; i < SITES_ROWS; i++) {
        c->y[i] = c->l.ops->discrete ? (double)(i % 3) : 2.0*test_normal(&r);
        c->noise_var[i] = 0.5 + test_uniform(&r);
        c->weight[i] = i == 1 ? 0.0 : 0.6 + (double)i;
        for (size_t j = 0; j < SITES_J; j++) {
            c->m[j*SITES_ROWS + i] = i == 3 && j == 1 ? 0.0 : 1.5*test_normal(&r);
            c->v[j*SITES_ROWS + i] = 0.05 + test_uniform(&r);
        }
    }
    c->t.y = c->y;
    if (!c->l.ops->discrete) c->t.noise_var = c->noise_var;
}

/* Into h and precision of all latents, and ell. */
static void auxiliary_of(const auxiliary_case *c, const double *m, const double *v, bln_rng *rng, double *ell, double *h,
                         double *precision)
{
    for (size_t j = 0; j < (c->a->simultaneous ? 1 : c->l.n_latent); j++)
        c->a->latents(&c->l, c->eta, j, SITES_ROWS, &c->t, c->weight, m, v, SITES_ROWS, rng, rng ? NULL : ell, h, precision, NULL,
                      0);
}

TEST(augment_latents, bound)
{
    for (size_t which = 0; which < SITES_CASES; which++) {
        auxiliary_case c;
        double ell[SITES_ROWS], h[SITES_J*SITES_ROWS], p[SITES_J*SITES_ROWS], logp[SITES_ROWS], g[4][SITES_ROWS], e[SITES_ROWS];
        double room[2][SITES_J*SITES_ROWS];
        const double step = 1e-3, steps[4] = { -2e-3, -1e-3, 1e-3, 2e-3 };
        auxiliary_make(&c, which);
        auxiliary_of(&c, c.m, NULL, NULL, ell, h, p);
        bln_latents_logp(&c.l, c.eta, SITES_ROWS, &c.t, c.m, SITES_ROWS, logp);
        for (size_t i = 0; i < SITES_ROWS; i++) CHECK_NEAR(ell[i], c.weight[i]*logp[i], 1e-13*(1.0 + fabs(c.weight[i]*logp[i])));
        auxiliary_of(&c, c.m, c.v, NULL, ell, h, p);
        blni_latents_expect(&c.l, c.eta, SITES_ROWS, &c.t, c.m, c.v, SITES_ROWS, 0.0, e, NULL, NULL, NULL, 0);
        for (size_t i = 0; i < SITES_ROWS; i++) CHECK_LE(ell[i], c.weight[i]*e[i] + 1e-9);
        for (size_t j = 0; j < (c.a->simultaneous ? 1 : c.l.n_latent); j++) {
            double deta[2*SITES_ROWS];
            c.a->latents(&c.l, c.eta, j, SITES_ROWS, &c.t, c.weight, c.m, c.v, SITES_ROWS, NULL, ell, h, p, deta, SITES_ROWS);
            for (size_t a = 0; a < c.l.n_theta; a++) {
                for (size_t s = 0; s < 4; s++) {
                    c.eta[a] += steps[s];
                    auxiliary_of(&c, c.m, c.v, NULL, g[s], room[0], room[1]);
                    c.eta[a] -= steps[s];
                }
                for (size_t i = 0; i < SITES_ROWS; i++)
                    CHECK_NEAR(latents_slope(g[0], g[1], g[2], g[3], i, step), deta[a*SITES_ROWS + i], 1e-8*(1.0 + fabs(ell[i])));
            }
        }
        for (size_t a = 0; a < 2*c.l.n_latent; a++) {            /* in m_j: h - precision m; in v_j: -precision/2 */
            double *at = a % 2 ? c.v : c.m;
            const size_t j = a/2;
            for (size_t s = 0; s < 4; s++) {
                for (size_t i = 0; i < SITES_ROWS; i++) at[j*SITES_ROWS + i] += steps[s];
                auxiliary_of(&c, c.m, c.v, NULL, g[s], room[0], room[1]);
                for (size_t i = 0; i < SITES_ROWS; i++) at[j*SITES_ROWS + i] -= steps[s];
            }
            for (size_t i = 0; i < SITES_ROWS; i++) {
                const size_t k = j*SITES_ROWS + i;
                const double want = a % 2 ? -0.5*p[k] : h[k] - p[k]*c.m[k];
                CHECK_NEAR(latents_slope(g[0], g[1], g[2], g[3], i, step), want, 1e-8*(1.0 + fabs(ell[i])));
            }
        }
    }
}

/* Means of 20000 draws, within five standard errors, where h and precision are linear in what is drawn, or the last of it. Counts
 * of a softmax, [y = j] k - 2 h, are negative binomial, of variance mean + mean^2/k. */
TEST(augment_latents, draws)
{
    enum { DRAWS = 20000 };
    for (size_t which = 0; which < SITES_CASES; which++) {
        auxiliary_case c;
        double h[SITES_J*SITES_ROWS], p[SITES_J*SITES_ROWS], x[2][SITES_J*SITES_ROWS], sum[2][SITES_J*SITES_ROWS] = { { 0.0 } },
               square[2][SITES_J*SITES_ROWS] = { { 0.0 } }, fourth[SITES_J*SITES_ROWS] = { 0.0 };
        bln_rng rng;
        bln_rng_seed(&rng, 3, which);
        auxiliary_make(&c, which);
        const size_t n = c.l.n_latent*SITES_ROWS;
        auxiliary_of(&c, c.m, NULL, NULL, NULL, h, p);
        for (size_t d = 0; d < DRAWS; d++) {
            auxiliary_of(&c, c.m, NULL, &rng, NULL, x[0], x[1]);
            for (size_t k = 0; k < n; k++) fourth[k] += pow(x[0][k] - h[k], 4.0)/DRAWS;
            for (size_t k = 0; k < n; k++)
                for (size_t q = 0; q < 2; q++) {
                    sum[q][k] += x[q][k] - (q ? p : h)[k];
                    square[q][k] += (x[q][k] - (q ? p : h)[k])*(x[q][k] - (q ? p : h)[k]);
                }
        }
        for (size_t k = 0; k < n; k++)
            for (size_t q = 0; q < 2; q++) {
                CHECK_LE(fabs(sum[q][k]), 5.0*sqrt(square[q][k]) + 1e-9*DRAWS);
                if (k % SITES_ROWS == 1) CHECK(square[q][k] == 0.0 && h[k] == 0.0 && p[k] == 0.0);
            }
        for (size_t k = 0; k < n && c.l.ops->discrete; k++) {
            const size_t i = k % SITES_ROWS, class_of_k = k/SITES_ROWS + blni_categorical_first(&c.l);
            const double weight = c.weight[i], mean = (c.y[i] == (double)class_of_k ? weight : 0.0) - 2.0*h[k];
            const double want = weight > 0.0 ? 0.25*(mean + mean*mean/weight) : 0.0, var = square[0][k]/DRAWS;
            CHECK_NEAR(var, want, 5.0*sqrt((fourth[k] - var*var)/DRAWS));
        }
    }
}

/* f from N(0, 1), y from p(y | f), two steps of each latent at this y: f and y are as at the start. */
TEST(augment_latents, keeps_the_joint)
{
    enum { N = 40000, WATCHED = 3*SITES_J + 2 };
    for (size_t which = 0; which < SITES_CASES; which++) {
        auxiliary_case c;
        double y, sum[WATCHED] = { 0.0 }, square[WATCHED] = { 0.0 }, h[SITES_J], p[SITES_J], f[SITES_J], now[2][WATCHED];
        const double one = 1.0;
        bln_targets t = BLN_ZERO;
        bln_rng rng;
        bln_rng_seed(&rng, 4, which);
        auxiliary_make(&c, which);
        t.y = &y;
        const size_t J = c.l.n_latent, together = c.a->simultaneous ? J : 1;
        for (int r = 0; r < N; r++) {
            for (size_t j = 0; j < J; j++) f[j] = bln_rng_normal(&rng);
            c.l.ops->latents->draw(&c.l, c.eta, 1, &t, f, 1, &rng, &y);
            for (int after = 0; after < 2; after++) {
                for (size_t k = 0; k < 2*J*(size_t)after; k += together) {
                    const size_t from = k % J;
                    c.a->latents(&c.l, c.eta, from, 1, &t, &one, f, NULL, 1, &rng, NULL, h, p, NULL, 0);
                    for (size_t j = from; j < from + together; j++)
                        f[j] = h[j]/(1.0 + p[j]) + bln_rng_normal(&rng)/sqrt(1.0 + p[j]);
                }
                for (size_t j = 0; j < J; j++) {
                    now[after][3*j] = f[j];
                    now[after][3*j + 1] = f[j]*f[j];
                    now[after][3*j + 2] = f[j]*(c.l.ops->discrete ? y == (double)j : y/(1.0 + fabs(y)));
                }
                now[after][3*J] = f[0]*f[1 % J];
                now[after][3*J + 1] = 1.0/(1.0 + (y - f[0])*(y - f[0]));
            }
            for (size_t i = 0; i < 3*J + 2; i++) {
                sum[i] += now[1][i] - now[0][i];
                square[i] += (now[1][i] - now[0][i])*(now[1][i] - now[0][i]);
            }
        }
        for (size_t i = 0; i < 3*J + 2; i++) CHECK_LE(fabs(sum[i]), 5.0*sqrt(square[i]));
    }
}

SUITE_BEGIN(augment_latents)
SUITE_TEST(augment_latents, bound)
SUITE_TEST(augment_latents, draws)
SUITE_TEST(augment_latents, keeps_the_joint)
SUITE_END(augment_latents)
