/* gibbs_tools.h - models whose chains are about to sweep, and exact draws of their parameters and data */
#ifndef BLN_TESTS_GIBBS_TOOLS_H
#define BLN_TESTS_GIBBS_TOOLS_H
#include "glm_tools.h"

/* Replicates of an exact start, for tests within five standard errors, which n replicates exceed for n > 25 only: |z| <= sqrt n.
 * -DGIBBS_REPLICATES=40000 for the long version. */
#ifndef GIBBS_REPLICATES
#define GIBBS_REPLICATES TEST_MANY(400, 32)
#endif

enum { GIBBS_N = 12, GIBBS_FEW = 5, GIBBS_D = 32, GIBBS_SWEEPS = 4, GIBBS_WATCHED = 128 };

/* A model: `dual` with fewer rows than weights. sampled: 0 no hyper-parameters, 1 prior variances and eta, 2 theta too, with a
 * basis that has one. weighted: rows have weights, which are whole where they must be; eta stays fixed if y is real. What is missed
 * and not ignored is that of inducing points. */
typedef struct gibbs_form {
    int dual, sampled, per_weight, weighted;
    bln_gibbs_missed missed;
    size_t replicas;
} gibbs_form;

typedef struct gibbs_case {
    double X[2*GIBBS_N], y[GIBBS_N], offset[GIBBS_N], trials[GIBBS_N], noise_var[GIBBS_N], weight[GIBBS_N];
    bln_data data;
    bln_basis *basis, *other;
    const bln_basis *bases[2];
    bln_glm_desc desc;
    bln_glm *glm;
    blni_gibbs *state;
} gibbs_case;

/* A constant, and a Gaussian process of length scale 1 by inducing points at random: two, or six. */
static TEST_UNUSED bln_basis *gibbs_points(size_t n, uint64_t seed)
{
    double points[2*6];
    test_random r = test_random_new(seed);
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

static bln_basis *gibbs_basis(const gibbs_form *form, uint64_t which)
{
    if (form->missed != BLN_GIBBS_MISSED_IGNORED) return gibbs_points(form->dual ? 6 : 2, 9 + which);
    return slm_parse(form->dual ? "bias+rbf:n=4" : form->sampled == 2 ? "bias+rbf:n=2" : "bias+linear", 2, 7*which);
}

/* A model with its chains about to sweep: 12 rows and 4 weights in two slices, or 5 rows and 9 weights; with inducing points 3 or 7
 * weights. Latents that are not drawn at once have a basis each where theta is drawn. */
static void gibbs_make_of(gibbs_case *t, bln_likelihood likelihood, const gibbs_form *form)
{
    static const double prior_var[GIBBS_D] = { 0.7, 1.5, 0.6, 0.9, 0.6, 0.6, 0.6, 0.6, 0.6 }, little[4] = { 0.7, 0.3, 0.6, 0.2 };
    static const double eta[2] = { 1.0, 4.0 };
    const int missed = form->missed == BLN_GIBBS_MISSED_BOUND || form->replicas > 1;          /* exact starts that are rejected */
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
    if (form->weighted) {
        const blni_augmentation *const a = blni_augmentation_of(&likelihood, NULL);
        for (size_t i = 0; i < GIBBS_N; i++) t->weight[i] = 1.0;
        t->weight[1] = 2.0;
        t->weight[3] = 0.0;
        t->weight[4] = a->whole ? 1.0 : 1.5;
        t->data.weight = t->weight;
    }
    t->data.n = form->dual ? GIBBS_FEW : GIBBS_N;
    t->data.d = 2;
    t->data.X = t->X;
    t->data.y = t->y;
    t->data.offset = t->offset;
    if (discrete && !t->desc.likelihood.ops->latents) t->data.trials = t->trials;
    else if (!discrete) t->data.noise_var = t->noise_var;
    t->basis = gibbs_basis(form, 0);
    t->desc.basis = t->basis;
    if (form->sampled == 2 && likelihood.ops->latents && !blni_augmentation_of(&likelihood, NULL)->simultaneous) {
        t->bases[0] = t->basis;
        t->bases[1] = t->other = gibbs_basis(form, 1);
        t->desc.bases = t->bases;
    }
    t->desc.fix_theta = form->sampled != 2;
    t->desc.per_weight = form->per_weight;
    t->desc.fix_likelihood = form->weighted && !discrete;
    if (!form->sampled) {
        t->desc.prior_var = missed ? little : prior_var;
        t->desc.fix_prior_var = t->desc.fix_likelihood = 1;
    }
    if (!discrete && (missed || form->weighted)) t->desc.likelihood_theta = eta;
    own.chains = 1;
    own.warmup = 2;
    own.slice_moves = BLN_NONE;
    own.draw_theta = form->sampled == 2;
    own.missed = form->missed;
    own.replicas = form->replicas;
    t->desc.method = bln_glm_gibbs(&own);
    CHECK_OK(bln_glm_create(&t->desc, &t->glm, &report));
    CHECK_OK(bln_glm_init(t->glm, &t->data, &report));
    t->state = (blni_gibbs *)t->glm->fit->state;
    while (!t->state->keep.sampling) CHECK_OK(bln_glm_step(t->glm, &report));
    for (size_t j = 0; j < t->state->J; j++) CHECK(t->state->rows[j].dual == form->dual && t->state->D <= GIBBS_D);
}

static TEST_UNUSED void gibbs_make(gibbs_case *t, const char *likelihood, int dual, int sampled, int per_weight)
{
    gibbs_form form = BLN_ZERO;
    form.dual = dual;
    form.sampled = sampled;
    form.per_weight = per_weight;
    gibbs_make_of(t, augmented_named(likelihood), &form);
}

static void gibbs_drop(gibbs_case *t)
{
    bln_glm_free(t->glm);
    bln_basis_free(t->basis);
    bln_basis_free(t->other);
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
        for (size_t i = 0; i < state->N; i++) {
            const double d = c->sites[j].d[i], m = state->share > 0.0 ? 1.0/state->share : HUGE_VAL;
            c->f[j*state->N + i] += sqrt(d/m)*bln_rng_normal(rng);                        /* mean and variance of m normals */
            c->v[j*state->N + i] = m > 2e9 ? d : m > 1.0 ? 2.0*d/m*bln_rng_gamma(rng, 0.5*(m - 1.0)) : 0.0;
        }
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

/* log p(y | f) of rows with weight as if it were 1, and for each further copy the most that log p can be. */
static double gibbs_plain(const gibbs_case *t)
{
    const blni_gibbs *state = t->state;
    const blni_gibbs_chain *c = state->chain;
    const bln_likelihood *l = &t->desc.likelihood;
    double lp[GIBBS_N], top[GIBBS_N] = { 0.0 }, f[BLN_LATENTS*GIBBS_N], sum = 0.0;
    bln_targets peak = state->targets;
    bln_latents_logp(l, c->eta, state->N, &state->targets, c->f, state->N, lp);
    for (size_t i = 0; i < state->N; i++) {
        f[i] = state->y[i];
        f[state->N + i] = -50.0;                                      /* the least noise of heteroscedastic rows */
    }
    peak.constants = NULL;
    if (!l->ops->discrete) bln_latents_logp(l, c->eta, state->N, &peak, f, state->N, top);
    for (size_t i = 0; i < state->N; i++) if (state->weight[i] > 0.0) sum += lp[i] + (state->weight[i] - 1.0)*top[i];
    return sum;
}

/* Both, with the chain past its warm-up. The target given y is prior times exp(value), and value, with weights of at least 1 and a
 * variance of f, is at most that of _plain: ell falls with v [augmentation 3]. So draws of the joint law of parameters and
 * y ~ p(y | f), each kept with probability exp(value - plain), have that target given y, whatever exp(value) sums to over y. */
static TEST_UNUSED void gibbs_exact(gibbs_case *t, bln_rng *rng)
{
    const blni_gibbs *state = t->state;
    blni_gibbs_chain *c = state->chain;
    double left, largest;
    for (size_t tries = 0;; tries++) {
        gibbs_prior(t, rng);
        gibbs_targets(t, rng);
        left = largest = 0.0;
        for (size_t i = 0; i < state->N; i++) largest = fmax(largest, fabs(state->y[i]));
        if (tries == 100000) { CHECK(tries < 100000); break; }                         /* is a draw ever kept? */
        if (!(largest < 1e150)) continue;                 /* squares overflow; to leave some y out changes no target given y */
        if (state->missing || t->data.weight) left = c->value - gibbs_plain(t);
        if (!(left <= 1e-9*(1.0 + fabs(c->value)))) CHECK_LE(left, 0.0);
        if (!(left < 0.0) || log(bln_rng_uniform(rng)) <= left) break;
    }
    c->seed = bln_rng_next(rng);
    c->t = 100;
    c->status = BLN_OK;
}

/* What the sweeps must leave as it is in the mean: the log likelihood, weights and their squares, hyper-parameters. */
static TEST_UNUSED void gibbs_watch(const gibbs_case *t, double *out)
{
    const blni_gibbs_chain *c = t->state->chain;
    out[0] = c->value;
    for (size_t j = 0; j < t->state->D; j++) {
        out[1 + 2*j] = tanh(c->w[j]);
        out[2 + 2*j] = out[1 + 2*j]*out[1 + 2*j];
    }
    for (size_t k = 0; k < t->state->n; k++) out[1 + 2*t->state->D + k] = c->u[k];
}

/* The largest |z| of what is watched; moves: of single weights, with two turns along ellipses and scales of prior variances
 * if there are any; alone: nothing but these. */
static TEST_UNUSED double gibbs_stays(gibbs_case *t, uint64_t seed, size_t moves, int alone)
{
    double before[GIBBS_WATCHED], after[GIBBS_WATCHED], sum[GIBBS_WATCHED] = { 0.0 }, square[GIBBS_WATCHED] = { 0.0 }, worst = 0.0;
    const size_t n = 1 + 2*t->state->D + t->state->n;
    blni_gibbs_chain *c = t->state->chain;
    bln_rng rng;
    bln_rng_seed(&rng, seed, 0);
    CHECK(n <= GIBBS_WATCHED);
    c->moves = moves;
    c->turns = moves ? 2 : 0;
    c->scales = moves > 0;
    for (size_t i = 0; i < moves; i++) { c->move[i] = i; c->reach[i] = 1.0; }
    /* auxiliary variables of a time before another latent has changed show where there are more of them only [augmentation 9] */
    const int replicates = GIBBS_REPLICATES*(alone ? 10 : t->state->J > 1 && t->state->n == 0 ? 4 : 1);
    for (int r = 0; r < replicates; r++) {
        gibbs_exact(t, &rng);
        gibbs_watch(t, before);
        for (int s = 0; s < GIBBS_SWEEPS; s++) {
            if (alone) blni_gibbs_ellipses(t->state, c, &rng);
            if (alone) blni_gibbs_slow_weights(t->state, c, &rng);
            if (alone) blni_gibbs_scales(t->state, c, &rng);
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
