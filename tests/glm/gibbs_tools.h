/* gibbs_tools.h - models whose chains are about to sweep, and exact draws of their parameters and data */
#ifndef BLN_TESTS_GIBBS_TOOLS_H
#define BLN_TESTS_GIBBS_TOOLS_H
#include "glm_tools.h"

/* Replicates of an exact start, for tests within five standard errors; -DGIBBS_REPLICATES=40000 for the long version. */
#ifndef GIBBS_REPLICATES
#define GIBBS_REPLICATES TEST_MANY(400, 16)
#endif

enum { GIBBS_N = 12, GIBBS_FEW = 5, GIBBS_D = 32, GIBBS_SWEEPS = 4, GIBBS_WATCHED = 64 };

typedef struct gibbs_case {
    double X[2*GIBBS_N], y[GIBBS_N], offset[GIBBS_N], trials[GIBBS_N], noise_var[GIBBS_N];
    bln_data data;
    bln_basis *basis;
    bln_glm_desc desc;
    bln_glm *glm;
    blni_gibbs *state;
} gibbs_case;

/* A constant, and a Gaussian process of length scale 1 by inducing points at random: two, or six. */
static TEST_UNUSED bln_basis *gibbs_points(size_t n)
{
    double points[2*6];
    test_random r = test_random_new(9);
    bln_basis *part[2] = { slm_parse("bias", 2, 3), NULL }, *sum = NULL;
    bln_inducing_desc d = BLN_ZERO;
    for (size_t i = 0; i < 2*n; i++) points[i] = test_normal(&r);
    d.d = 2;
    d.n = n;
    d.points = points;
    d.length_scale = 1.0;
    CHECK_OK(bln_inducing_create(&d, part + 1, NULL));
    CHECK_OK(bln_basis_sum(NULL, 2, part, &sum, NULL));
    return sum;
}

/* A model with its chains about to sweep: 12 rows and 4 weights in two slices, or 5 rows and 9 weights; with inducing points 3 or 7
 * weights. sampled: 0 no hyper-parameters, 1 prior variances and eta, 2 theta too, with a basis that has one. missed: not ignored
 * takes inducing points. */
static void gibbs_make_of(gibbs_case *t, bln_likelihood likelihood, int dual, int sampled, int per_weight, bln_gibbs_missed missed)
{
    static const double prior_var[GIBBS_D] = { 0.7, 1.5, 0.6, 0.9, 0.6, 0.6, 0.6, 0.6, 0.6 };
    bln_spec_desc s = BLN_ZERO;
    bln_glm_gibbs_desc own = BLN_ZERO;
    bln_report report;
    test_random r = test_random_new(7);
    memset(t, 0, sizeof *t);
    t->desc.likelihood = likelihood;
    const int discrete = t->desc.likelihood.ops->discrete, classes = t->desc.likelihood.n_latent > 1 ? 3 : 2;
    for (size_t i = 0; i < GIBBS_N; i++) {
        t->X[2*i] = test_normal(&r);
        t->X[2*i + 1] = test_normal(&r);
        t->offset[i] = 0.7*test_normal(&r);
        t->trials[i] = 1.0 + (double)(i % 3);
        t->noise_var[i] = 0.5 + test_uniform(&r);
        t->y[i] = discrete ? (double)((int)i % classes) : test_normal(&r);
    }
    t->data.n = dual ? GIBBS_FEW : GIBBS_N;
    t->data.d = 2;
    t->data.X = t->X;
    t->data.y = t->y;
    t->data.offset = t->offset;
    if (discrete && !t->desc.likelihood.ops->latents) t->data.trials = t->trials;
    else if (!discrete) t->data.noise_var = t->noise_var;
    s.text = dual ? "bias+rbf:n=4" : sampled == 2 ? "bias+rbf:n=2" : "bias+linear";
    s.d = 2;
    if (missed != BLN_GIBBS_MISSED_IGNORED) t->basis = gibbs_points(dual ? 6 : 2);
    else CHECK_OK(bln_basis_parse(&s, &t->basis, &report));
    t->desc.basis = t->basis;
    t->desc.fix_theta = sampled != 2;
    t->desc.per_weight = per_weight;
    if (!sampled) {
        t->desc.prior_var = prior_var;
        t->desc.fix_prior_var = t->desc.fix_likelihood = 1;
    }
    own.chains = 1;
    own.warmup = 2;
    own.slice_moves = BLN_NONE;
    own.draw_theta = sampled == 2;
    own.missed = missed;
    t->desc.method = bln_glm_gibbs(&own);
    CHECK_OK(bln_glm_create(&t->desc, &t->glm, &report));
    CHECK_OK(bln_glm_init(t->glm, &t->data, &report));
    t->state = (blni_gibbs *)t->glm->fit->state;
    while (!t->state->keep.sampling) CHECK_OK(bln_glm_step(t->glm, &report));
    for (size_t j = 0; j < t->state->J; j++) CHECK(t->state->rows[j].dual == dual && t->state->D <= GIBBS_D);
}

static TEST_UNUSED void gibbs_make(gibbs_case *t, const char *likelihood, int dual, int sampled, int per_weight)
{
    gibbs_make_of(t, augmented_named(likelihood), dual, sampled, per_weight, BLN_GIBBS_MISSED_IGNORED);
}

static void gibbs_drop(gibbs_case *t)
{
    bln_glm_free(t->glm);
    bln_basis_free(t->basis);
}

/* A draw of a hyper-parameter from its prior, in the free coordinate. */
static double gibbs_hyper(const gibbs_case *t, size_t k, bln_rng *rng)
{
    const blni_glm_search *s = &t->glm->fit->search;
    const blni_hyper_prior *p = s->prior + k;
    if (k >= t->state->theta_at) return s->x0[s->n_q + k] + bln_rng_normal(rng);
    for (;;) {
        const double z = bln_rng_normal(rng), chi = 2.0*bln_rng_gamma(rng, 1.5);
        const double x = p->form == BLNI_HYPER_HALF_T ? pow(p->at*fabs(z)/sqrt(chi/3.0), p->power) : p->at*exp(1.5*z);
        if (x > s->param[k].lo && x < s->param[k].hi) return bln_param_free(s->param + k, x);
    }
}

/* Narrows the prior of prior variances for likelihoods whose counts in a sweep would otherwise exceed 2^53, and for probit, whose
 * chains hardly move for hundreds of sweeps where classes are separated. */
static TEST_UNUSED void gibbs_narrow(gibbs_case *t)
{
    const bln_likelihood_ops *const ops = t->desc.likelihood.ops;
    const int narrow = ops->latents || !strcmp(ops->name, "binomial_probit") || !strcmp(ops->name, "negative_binomial");
    for (size_t k = 0; k < t->state->priors && narrow; k++) {
        t->glm->fit->search.prior[k].form = BLNI_HYPER_LOG_NORMAL;
        t->glm->fit->search.prior[k].at = 0.2;
    }
}

/* Draws hyper-parameters and weights of chain 0 from their priors. */
static void gibbs_prior(gibbs_case *t, bln_rng *rng)
{
    blni_gibbs *state = t->state;
    blni_gibbs_chain *c = state->chain;
    const blni_glm_search *s = &t->glm->fit->search;
    for (size_t k = 0; k < state->n; k++) {
        c->u[k] = gibbs_hyper(t, k, rng);
        *blni_gibbs_natural(state, c, k) = bln_param_natural(s->param + k, c->u[k]);
    }
    for (size_t v = 0; v < t->glm->fit->rows.n_views && state->theta_at < state->n; v++) blni_gibbs_features(state, c, v);
    for (size_t j = 0; j < state->J; j++) blni_sites_prior(c->sites + j, c->prior_var);
    for (size_t i = 0; i < state->D; i++) {
        size_t latent;
        c->w[i] = blni_gibbs_root(state, c, i, &latent)*bln_rng_normal(rng);
    }
    blni_gibbs_latent(state, c, 0, state->J);
    for (size_t j = 0; j < state->J && state->missing; j++)
        for (size_t i = 0; i < state->N; i++) c->f[j*state->N + i] += sqrt(c->sites[j].d[i])*bln_rng_normal(rng);
}

/* Draws the targets given chain 0. */
static void gibbs_targets(gibbs_case *t, bln_rng *rng)
{
    blni_gibbs *state = t->state;
    blni_gibbs_chain *c = state->chain;
    const bln_likelihood *l = &t->desc.likelihood;
    if (l->ops->latents) l->ops->latents->draw(l, c->eta, state->N, &state->targets, c->f, state->N, rng, state->y);
    else                 bln_likelihood_draw(l, c->eta, state->N, &state->targets, c->f, rng, state->y);
    state->targets.constants = NULL;
    blni_gibbs_constants(state);
    c->value = blni_gibbs_value(state, c, c->f);
}

/* Both, with the chain past its warm-up. */
static TEST_UNUSED void gibbs_exact(gibbs_case *t, bln_rng *rng)
{
    gibbs_prior(t, rng);
    gibbs_targets(t, rng);
    t->state->chain->seed = bln_rng_next(rng);
    t->state->chain->t = 100;
}

/* What the sweeps must leave as it is in the mean: the log likelihood, weights, hyper-parameters. */
static TEST_UNUSED void gibbs_watch(const gibbs_case *t, double *out)
{
    const blni_gibbs_chain *c = t->state->chain;
    out[0] = c->value;
    for (size_t j = 0; j < t->state->D; j++) out[1 + j] = tanh(c->w[j]);
    for (size_t k = 0; k < t->state->n; k++) out[1 + t->state->D + k] = c->u[k];
}

/* The largest |z| of what is watched; moves: of single weights, with two turns along ellipses if there are any; alone: nothing but
 * these. */
static TEST_UNUSED double gibbs_stays(gibbs_case *t, uint64_t seed, size_t moves, int alone)
{
    double before[GIBBS_WATCHED], after[GIBBS_WATCHED], sum[GIBBS_WATCHED] = { 0.0 }, square[GIBBS_WATCHED] = { 0.0 }, worst = 0.0;
    const size_t n = 1 + t->state->D + t->state->n;
    blni_gibbs_chain *c = t->state->chain;
    bln_rng rng;
    bln_rng_seed(&rng, seed, 0);
    CHECK(n <= GIBBS_WATCHED);
    c->moves = moves;
    c->turns = moves ? 2 : 0;
    for (size_t i = 0; i < moves; i++) { c->move[i] = i; c->reach[i] = 1.0; }
    /* auxiliary variables of a time before another latent has changed show where there are more of them only [augmentation 9] */
    const int replicates = GIBBS_REPLICATES*(alone ? 10 : t->state->J > 1 && t->state->n == 0 ? 4 : 1);
    for (int r = 0; r < replicates; r++) {
        gibbs_exact(t, &rng);
        gibbs_watch(t, before);
        for (int s = 0; s < GIBBS_SWEEPS; s++) {
            if (alone) blni_gibbs_ellipses(t->state, c, &rng);
            if (alone) blni_gibbs_slow_weights(t->state, c, &rng);
            else       blni_gibbs_sweep(t->state, c);
        }
        CHECK_OK(c->status);
        gibbs_watch(t, after);
        for (size_t i = 0; i < n; i++) {
            sum[i] += after[i] - before[i];
            square[i] += (after[i] - before[i])*(after[i] - before[i]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (square[i] > 0.0) worst = fmax(worst, fabs(sum[i])/sqrt(square[i]));
    }
    return worst;
}

#endif /* BLN_TESTS_GIBBS_TOOLS_H */
