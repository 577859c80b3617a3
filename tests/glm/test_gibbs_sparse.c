/* What features miss of f, while sampling: exact moments of each target, a chain that starts at an exact draw, the sites of the
 * weights with f integrated out, limits, and what is refused. */
#include "gibbs_tools.h"
#include "../golden/gibbs_golden.h"
#include "../golden/sparse_golden.h"

/* ---- exact moments */

static void sparse_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *Phi,
                            size_t ldphi, double *work)
{
    (void)theta; (void)work;
    for (size_t i = 0; i < n; i++) memcpy(Phi + i*ldphi, X + i*ldx, b->D*sizeof *Phi);
}
static double sparse_variance(const bln_basis *b, size_t s) { (void)b; (void)s; return 100.0; }

/* Makes d, of prior variance 1, what the features of each row miss, when the chains are about to begin, and makes them. */
static bln_glm *sparse_fit(const bln_glm_desc *desc, const bln_data *data, const double *d)
{
    bln_glm *glm = NULL;
    bln_report report;
    CHECK_OK(bln_glm_create(desc, &glm, &report));
    CHECK_OK(bln_glm_init(glm, data, &report));
    blni_gibbs *t = (blni_gibbs *)glm->fit->state;
    while (!t->keep.sampling) CHECK_OK(bln_glm_step(glm, &report));
    memcpy(t->rows->missed, d, data->n*sizeof *d);
    for (size_t c = 0; c < t->own.chains; c++) blni_gibbs_begin(t, c);
    while (!bln_glm_converged(glm)) CHECK_OK(bln_glm_step(glm, &report));
    CHECK_OK(bln_glm_finish(glm, &report));
    return glm;
}

typedef struct sparse_case {
    double X[12], offset[6], eta[2], to[2][3];
    bln_basis_ops ops;
    bln_basis basis;
    bln_glm_desc desc;
    bln_data data;
} sparse_case;

/* The six rows of the golden tables: w = mu + L v of v with the prior N(0, I); `to` makes w of v. */
static void sparse_make(sparse_case *t, const char *name, const double *y)
{
    static const double one = 1.0, *const L = golden_gibbs_lambda0, *const mu = golden_gibbs_mu0;
    const double l00 = sqrt(L[0]), l10 = L[2]/l00, l11 = sqrt(L[3] - l10*l10);
    const double to[2][3] = { { mu[0], l00, 0.0 }, { mu[1], l10, l11 } };
    memset(t, 0, sizeof *t);
    t->basis = glm_table(&t->ops);
    t->basis.ops = &t->ops;
    t->ops.features = sparse_features;
    t->ops.variance = sparse_variance;
    t->ops.slice = NULL;
    t->basis.d = t->basis.D = 2;
    t->basis.n_theta = 0;
    t->basis.n_slices = 1;
    memcpy(t->to, to, sizeof to);
    t->eta[0] = augmented_golden_eta(name);
    t->eta[1] = 4.0;
    for (size_t i = 0; i < 6; i++) {
        const double *phi = golden_gibbs_phi + 2*i;
        t->X[2*i] = l00*phi[0] + l10*phi[1];
        t->X[2*i + 1] = l11*phi[1];
        t->offset[i] = phi[0]*mu[0] + phi[1]*mu[1] + augmented_golden_offset(name);
    }
    t->data.n = 6;
    t->data.d = 2;
    t->data.X = t->X;
    t->data.y = y;
    t->data.offset = t->offset;
    t->desc.basis = &t->basis;
    t->desc.likelihood = augmented_named(name);
    t->desc.prior_var = &one;
    t->desc.likelihood_theta = t->eta;
    t->desc.fix_prior_var = t->desc.fix_likelihood = 1;
}

/* The largest |z| of the means and second moments of w over draws of v. */
static double sparse_worst(const sparse_case *t, const bln_chains *all, const double *mean, const double *cov)
{
    enum { MOST = 16000 };
    static double x[MOST], work[MOST*6];
    const size_t S = bln_chains_count(all)*bln_chains_draws(all), columns = bln_chains_columns(all);
    double worst = 0.0;
    CHECK(S <= MOST);
    for (size_t a = 0; a < 2; a++)
        for (size_t b = a; b < 3; b++) {
            bln_series s = BLN_ZERO;
            bln_summary out = BLN_ZERO;
            for (size_t i = 0; i < S; i++) {
                const double *v = bln_chains_table(all) + i*columns;
                x[i] = t->to[a][0] + bln_dot(2, t->to[a] + 1, v);
                if (b < 2) x[i] *= t->to[b][0] + bln_dot(2, t->to[b] + 1, v);
            }
            s.x = x;
            s.chains = s.ld = bln_chains_count(all);
            s.draws = bln_chains_draws(all);
            s.ldchain = 1;
            CHECK_OK(bln_series_summary(&s, &out, work, NULL));
            worst = fmax(worst, fabs(out.mean - (b < 2 ? cov[2*a + b] + mean[a]*mean[b] : mean[a]))/out.mcse_mean);
        }
    return worst;
}

/* Quadrature of each target [sparse 5], with no auxiliary variable and no f drawn. */
TEST(glm_gibbs_sparse, golden)
{
    for (size_t k = 0; k < sizeof golden_sparse/sizeof *golden_sparse; k++) {
        sparse_case t;
        bln_glm_gibbs_desc own = BLN_ZERO;
        sparse_make(&t, golden_sparse[k].name, golden_sparse[k].y);
        own.draws = TEST_MANY(4000, 2000);
        own.missed = golden_sparse[k].replicas ? BLN_GIBBS_MISSED_DRAWN : BLN_GIBBS_MISSED_BOUND;
        own.replicas = golden_sparse[k].replicas;
        t.desc.method = bln_glm_gibbs(&own);
        bln_glm *glm = sparse_fit(&t.desc, &t.data, golden_sparse_d);
        const double worst = sparse_worst(&t, bln_glm_chains(glm), golden_sparse[k].mean, golden_sparse[k].cov);
        CHECK_LE(worst, 4.5);
        bln_glm_free(glm);
    }
}

/* With f drawn the target is a generative model: a chain that starts at an exact draw of it stays one. */
TEST(glm_gibbs_sparse, keeps_the_joint)
{
    for (size_t l = 0; l < AUGMENTED; l += TEST_MANY(1, 5))
        for (int dual = 0; dual < 2; dual++)
            for (int sampled = 0; sampled < 3; sampled++) {
                const gibbs_form form = { dual, sampled, 0, 0, BLN_GIBBS_MISSED_DRAWN, 1 };
                gibbs_case t;
                gibbs_make_of(&t, augmented_named(augmented[l].name), &form);
                gibbs_narrow(&t);
                CHECK(t.state->missing && t.state->share == 1.0);
                const double worst = gibbs_stays(&t, 4000 + l, sampled == 0 ? 2 : 0, 0);
                CHECK_LE(worst, 5.0);
                gibbs_drop(&t);
            }
}

/* Mean and variance of m replicas given their sites: m independent normals of variance m s, s = (d/m)/(1 + d theta/m), about the
 * mean of one [sparse 8]. Mean and variance of what is drawn, within five standard errors. */
TEST(glm_gibbs_sparse, replicas)
{
    enum { DRAWS = 4000 };
    const gibbs_form form = { 0, 0, 0, 0, BLN_GIBBS_MISSED_DRAWN, 4 };
    const double m = 4.0;
    gibbs_case t;
    double sum[4][GIBBS_N] = { { 0.0 } };
    bln_rng rng;
    gibbs_make_of(&t, augmented_named("gaussian"), &form);
    blni_gibbs_chain *c = t.state->chain;
    const blni_sites *s = c->sites;
    bln_rng_seed(&rng, 95, 0);
    CHECK(t.state->share == 0.25);
    blni_sites_prior(c->sites, c->prior_var);
    for (size_t i = 0; i < GIBBS_N; i++) {
        s->site_precision[i] = 0.3 + (double)i;
        s->site_h[i] = 0.7*(double)i - 2.0;
    }
    for (int d = 0; d < DRAWS; d++) {
        blni_gibbs_latent(t.state, c, 0, 1);
        memcpy(c->trial, c->f, GIBBS_N*sizeof *c->f);
        blni_gibbs_residuals(t.state, c, 0, 1, &rng);
        for (size_t i = 0; i < GIBBS_N; i++) {
            const double theta = s->site_precision[i], square = s->d[i]/m/(1.0 + s->d[i]*theta/m);
            const double mean = square*(s->site_h[i] - theta*(c->trial[i] - t.offset[i]));
            const double z = (c->f[i] - c->trial[i] - mean)/sqrt(square), chi = c->v[i]/square;
            sum[0][i] += z;
            sum[1][i] += z*z - 1.0;
            sum[2][i] += chi - (m - 1.0);
            sum[3][i] += (chi - (m - 1.0))*z;
        }
    }
    for (size_t i = 0; i < GIBBS_N; i++) {
        CHECK(s->d[i] > 1e-3);
        CHECK_NEAR(sum[0][i], 0.0, 5.0*sqrt(DRAWS));
        CHECK_NEAR(sum[1][i], 0.0, 5.0*sqrt(2.0*DRAWS));
        CHECK_NEAR(sum[2][i], 0.0, 5.0*sqrt(2.0*(m - 1.0)*DRAWS));
        CHECK_NEAR(sum[3][i], 0.0, 5.0*sqrt(2.0*(m - 1.0)*DRAWS));
    }
    gibbs_drop(&t);
}

/* The features of chain 0 and what they miss have the same length scale. Of the process, the second slice of a latent, of variance
 * 1, 1 - |phi|^2 is missed: up to the roundings of a sum of 6 terms whose total is at most 1. */
static void sparse_missed(const gibbs_case *t)
{
    for (size_t v = 0; v < t->glm->fit->rows.n_views; v++) {
        const blni_sites_rows *r = t->state->chain->rows + v;
        for (size_t i = 0; i < r->n; i++) {
            const double *phi = r->Phi + i*r->D + r->slice[1].first;
            const size_t n = r->slice[1].end - r->slice[1].first;
            CHECK_NEAR(r->missed[r->n + i], 1.0 - bln_dot(n, phi, phi), 1e-14);
        }
    }
}

/* The same where the target given y is prior times exp ell: f averaged out of the bound, or three replicas of it. Also rows with
 * weights, of which f drawn is one more case. */
TEST(glm_gibbs_sparse, keeps_the_target)
{
    static const gibbs_form ways[] = {
        { 0, 0, 0, 0, BLN_GIBBS_MISSED_BOUND, 0 }, { 0, 0, 0, 1, BLN_GIBBS_MISSED_BOUND, 0 },
        { 0, 0, 0, 0, BLN_GIBBS_MISSED_DRAWN, 3 }, { 0, 0, 0, 1, BLN_GIBBS_MISSED_DRAWN, 3 },
        { 0, 0, 0, 1, BLN_GIBBS_MISSED_DRAWN, 1 }
    };
    for (size_t k = 0; k < AUGMENTED*2*3*5; k += TEST_MANY(1, 37)) {
        gibbs_form form = ways[k % 5];
        gibbs_case t;
        form.sampled = (int)(k/5 % 3);
        form.dual = (int)(k/15 % 2);
        gibbs_make_of(&t, augmented_named(augmented[k/30].name), &form);
        gibbs_narrow(&t);
        const double worst = gibbs_stays(&t, 5000 + k, form.sampled == 0 ? 2 : 0, 0);
        CHECK_LE(worst, 5.0);
        sparse_missed(&t);
        gibbs_drop(&t);
    }
}

/* Log density of the bound's target at (v, log lambda), or with E log p under N(f, d) in the place of ell [Hensman, Matthews,
 * Filippone & Ghahramani 2015]; scale times d is missed. */
static double sparse_density(const sparse_case *t, const double *v, double lambda, double scale, int expected)
{
    const bln_likelihood *l = &t->desc.likelihood;
    bln_targets targets = BLN_ZERO;
    double f[6], d[6], ell[6], sum = -0.5*(v[0]*v[0] + v[1]*v[1])/lambda - log(lambda);
    targets.y = t->data.y;
    for (size_t i = 0; i < 6; i++) {
        f[i] = t->offset[i] + bln_dot(2, t->X + 2*i, v);
        d[i] = scale*lambda*golden_sparse_d[i];
    }
    if (expected) blni_likelihood_expect(l, t->eta, 6, &targets, f, d, 0.0, ell, NULL, NULL, NULL, 0);
    else          blni_augmentation_of(l, NULL)->collapsed(l, t->eta, 6, &targets, NULL, f, d, ell, NULL, NULL, NULL, 0);
    for (size_t i = 0; i < 6; i++) sum += ell[i];
    return sum;
}

/* With a prior variance that is drawn: d goes with it. The bound is no generative model, so the truth is quadrature, with steps
 * whose halves change no mean by a tenth of its standard error here. */
TEST(glm_gibbs_sparse, prior_variance_by_the_bound)
{
    enum { SWEEPS = TEST_MANY(8000, 4000) };
    static const char *const names[] = { "binomial_logit", "poisson_logistic" };
    static double x[3*SWEEPS], work[6*SWEEPS];
    for (size_t k = 0; k < 2; k++) {
        sparse_case t;
        bln_glm_gibbs_desc own = BLN_ZERO;
        bln_glm *glm = NULL;
        bln_report report;
        double total = 0.0, exact[3] = { 0.0 };
        sparse_make(&t, names[k], golden_sparse[k ? 7 : 0].y);
        CHECK(!strcmp(golden_sparse[k ? 7 : 0].name, names[k]));
        own.chains = 1;
        own.warmup = 1;
        own.missed = BLN_GIBBS_MISSED_BOUND;
        t.desc.fix_prior_var = 0;
        t.desc.method = bln_glm_gibbs(&own);
        CHECK_OK(bln_glm_create(&t.desc, &glm, &report));
        CHECK_OK(bln_glm_init(glm, &t.data, &report));
        blni_gibbs *state = (blni_gibbs *)glm->fit->state;
        while (!state->keep.sampling) CHECK_OK(bln_glm_step(glm, &report));
        memcpy(state->rows->missed, golden_sparse_d, sizeof golden_sparse_d);
        blni_gibbs_begin(state, 0);
        blni_gibbs_chain *c = state->chain;
        for (size_t i = 0; i < SWEEPS; i++) {
            blni_gibbs_sweep(state, c);
            x[i] = log(c->prior_var[0]);
            x[SWEEPS + i] = tanh(c->w[0]);
            x[2*SWEEPS + i] = tanh(c->w[1]);
        }
        CHECK_OK(c->status);
        const bln_param *param = glm->fit->search.param;
        for (double u = -14.0; u <= 14.0; u += 0.5) {
            const double free = bln_param_free(param, exp(u)), jacobian = u - log(bln_param_slope(param, free));
            const double prior = blni_gibbs_prior(state, 0, free) + jacobian + u;
            for (double a = -8.0; a <= 8.0; a += 0.4)
                for (double b = -8.0; b <= 8.0; b += 0.4) {
                    const double root = exp(0.5*u), v[2] = { root*a, root*b };
                    const double p = exp(sparse_density(&t, v, root*root, 1.0, 0) + prior);
                    total += p;
                    exact[0] += p*u;
                    exact[1] += p*tanh(v[0]);
                    exact[2] += p*tanh(v[1]);
                }
        }
        for (size_t j = 0; j < 3; j++) {
            bln_series s = BLN_ZERO;
            bln_summary out = BLN_ZERO;
            s.x = x + j*SWEEPS;
            s.chains = s.ld = 1;
            s.draws = s.ldchain = SWEEPS;
            CHECK_OK(bln_series_summary(&s, &out, work, NULL));
            CHECK_NEAR(out.mean, exact[j]/total, 4.5*out.mcse_mean);
        }
        bln_glm_free(glm);
    }
}

/* The bound's target is below that of E log p by a term that goes with d, so their moments approach each other as d does: half of d
 * halves the distance, to the next order. */
TEST(glm_gibbs_sparse, expected_log_likelihood)
{
    sparse_case t;
    double before = 0.0;
    sparse_make(&t, "binomial_logit", golden_sparse[0].y);
    for (double scale = 0.1; scale > 0.01; scale *= 0.5) {
        double total[2] = { 0.0, 0.0 }, mean[2][2] = { { 0.0 } };
        for (double a = -8.0; a <= 8.0; a += 0.25)
            for (double b = -8.0; b <= 8.0; b += 0.25)
                for (int way = 0; way < 2; way++) {
                    const double v[2] = { a, b }, p = exp(sparse_density(&t, v, 1.0, scale, way));
                    total[way] += p;
                    for (size_t j = 0; j < 2; j++) mean[way][j] += p*v[j];
                }
        const double gap = hypot(mean[0][0]/total[0] - mean[1][0]/total[1], mean[0][1]/total[0] - mean[1][1]/total[1]);
        if (before > 0.0) CHECK_NEAR(before/gap, 2.0, 2.0*scale);
        before = gap;
    }
}

/* Where nothing is missed all choices are the same, to the bit, also where theta is drawn; where something is, they differ. */
TEST(glm_gibbs_sparse, choices)
{
    for (int c = 0; c < 3; c++) {
        const int points = c == 1, theta = c == 2;
        const gibbs_form form = { 0, theta ? 2 : 1, 0, 0, points ? BLN_GIBBS_MISSED_BOUND : BLN_GIBBS_MISSED_IGNORED, 0 };
        gibbs_case t;
        bln_glm *glm[3];
        gibbs_make_of(&t, augmented_named("binomial_logit"), &form);
        for (int way = 0; way < 3; way++) {
            bln_glm_gibbs_desc own = BLN_ZERO;
            own.warmup = 80;
            own.draws = 100;
            own.draw_theta = theta;
            own.missed = (bln_gibbs_missed)way;
            t.desc.method = bln_glm_gibbs(&own);
            CHECK_OK(bln_glm_create(&t.desc, glm + way, NULL));
            CHECK_FIT(glm[way], &t.data, NULL);
        }
        const bln_chains *first = bln_glm_chains(glm[0]);
        const size_t bytes = bln_chains_count(first)*bln_chains_draws(first)*bln_chains_columns(first)*sizeof(double);
        for (int way = 1; way < 3; way++) {
            CHECK(memcmp(bln_chains_table(first), bln_chains_table(bln_glm_chains(glm[way])), bytes) == 0 ? !points : points);
            CHECK_SIZE(bln_chains_columns(bln_glm_chains(glm[way])), bln_chains_columns(first));
        }
        for (int way = 0; way < 3; way++) bln_glm_free(glm[way]);
        gibbs_drop(&t);
    }
}

TEST(glm_gibbs_sparse, bad_cases)
{
    const gibbs_form form = { 0, 1, 0, 0, BLN_GIBBS_MISSED_BOUND, 0 };
    gibbs_case t;
    bln_glm_gibbs_desc own = BLN_ZERO;
    gibbs_make_of(&t, augmented_named("binomial_logit"), &form);
    own.missed = BLN_GIBBS_MISSED_BOUND;
    own.replicas = 2;
    t.desc.method = bln_glm_gibbs(&own);
    CHECK(strstr(bln_glm_check(&t.desc), "replicas"));
    own.missed = BLN_GIBBS_MISSED_IGNORED;
    CHECK(strstr(bln_glm_check(&t.desc), "replicas"));
    own.missed = BLN_GIBBS_MISSED_DRAWN;
    CHECK(bln_glm_check(&t.desc) == NULL);
    t.desc.per_weight = 1;
    CHECK(strstr(bln_glm_check(&t.desc), "per_weight"));
    own.replicas = 0;
    own.missed = BLN_GIBBS_MISSED_IGNORED;
    CHECK(bln_glm_check(&t.desc) == NULL);
    t.desc.per_weight = 0;
    memset(&own.missed, 7, sizeof own.missed);
    CHECK(strstr(bln_glm_check(&t.desc), "missed"));
    gibbs_drop(&t);
}

SUITE_BEGIN(glm_gibbs_sparse)
SUITE_TEST(glm_gibbs_sparse, golden)
SUITE_TEST(glm_gibbs_sparse, replicas)
SUITE_TEST(glm_gibbs_sparse, keeps_the_joint)
SUITE_TEST(glm_gibbs_sparse, keeps_the_target)
SUITE_TEST(glm_gibbs_sparse, prior_variance_by_the_bound)
SUITE_TEST(glm_gibbs_sparse, expected_log_likelihood)
SUITE_TEST(glm_gibbs_sparse, choices)
SUITE_TEST(glm_gibbs_sparse, bad_cases)
SUITE_END(glm_gibbs_sparse)
