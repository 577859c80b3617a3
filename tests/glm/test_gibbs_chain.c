/* The sampler as a whole, all families, hyper-parameters drawn. Geweke's joint-distribution test: sweeps and new targets by turns
 * walk through the prior [Geweke 2004; samplers 45]. Simulation-based calibration: the rank of the truth among draws that are
 * far apart is uniform [Talts et al. 2018; samplers 46]. */
#include "gibbs_tools.h"

enum { CHAIN_WATCHED = 64, CHAIN_JOINT = 3000, CHAIN_MARGINAL = TEST_MANY(20000, 2000) };

/* Bounded functions of all that is drawn: w in prior standard deviations, then each coordinate from where it starts. */
static void chain_watch(const gibbs_case *t, const double *centre, double *out)
{
    const blni_gibbs_chain *c = t->state->chain;
    for (size_t j = 0; j < t->state->D; j++) out[j] = tanh(c->w[j]);
    for (size_t k = 0; k < t->state->n; k++) out[t->state->D + k] = tanh(c->u[k] - centre[k]);
}

/* Means of what is watched over a chain that draws targets after each sweep, and over draws from the prior, differ by chance. */
TEST(gibbs_chain, joint)
{
    static double series[CHAIN_WATCHED*CHAIN_JOINT], work[6*CHAIN_JOINT];
    for (size_t l = 0; l < AUGMENTED; l += TEST_MANY(1, 4)) {
        gibbs_case t;
        double centre[GIBBS_D], out[CHAIN_WATCHED], mean[CHAIN_WATCHED] = { 0.0 }, square[CHAIN_WATCHED] = { 0.0 }, worst = 0.0;
        bln_rng rng;
        bln_rng_seed(&rng, 31, l);
        gibbs_make(&t, augmented[l].name, l % 2 == 1, 1, 0);
        gibbs_narrow(&t);
        const size_t n = t.state->D + t.state->n;
        for (size_t k = 0; k < t.state->n; k++) centre[k] = gibbs_hyper(&t, k, &rng);
        for (size_t r = 0; r < CHAIN_MARGINAL; r++) {
            gibbs_prior(&t, &rng);
            chain_watch(&t, centre, out);
            for (size_t i = 0; i < n; i++) {
                mean[i] += out[i]/CHAIN_MARGINAL;
                square[i] += out[i]*out[i]/CHAIN_MARGINAL;
            }
        }
        gibbs_exact(&t, &rng);
        for (size_t r = 0; r < CHAIN_JOINT; r++) {
            blni_gibbs_sweep(t.state, t.state->chain);
            gibbs_targets(&t, &rng);
            chain_watch(&t, centre, out);
            for (size_t i = 0; i < n; i++) series[i*CHAIN_JOINT + r] = out[i];
        }
        CHECK_OK(t.state->chain->status);
        for (size_t i = 0; i < n; i++) {
            bln_series s = BLN_ZERO;
            bln_summary of = BLN_ZERO;
            s.x = series + i*CHAIN_JOINT;
            s.chains = 1;
            s.draws = CHAIN_JOINT;
            s.ld = 1;
            s.ldchain = CHAIN_JOINT;
            CHECK_OK(bln_series_summary(&s, &of, work, NULL));
            const double error = hypot(of.mcse_mean, sqrt((square[i] - mean[i]*mean[i])/CHAIN_MARGINAL));
            worst = fmax(worst, fabs(of.mean - mean[i])/error);
        }
        CHECK_LE(worst, 5.0);
        gibbs_drop(&t);
    }
}

/* One sweep from exact starts, many of them: the steps' order. A step by old values of what an earlier one has moved leaves each
 * quantity as it was by itself, but not the likelihood, nor products of weights and parameters. */
TEST(gibbs_chain, one_sweep)
{
    enum { N = 2000, WATCHED = 2 + GIBBS_D };
    static const char *const names[] = { "gaussian", "negative_binomial", "heteroscedastic" };
    for (size_t l = 0; l < sizeof names/sizeof *names; l++) {
        gibbs_case t;
        double now[2][WATCHED], sum[WATCHED] = { 0.0 }, square[WATCHED] = { 0.0 };
        bln_rng rng;
        bln_rng_seed(&rng, 33, l);
        gibbs_make(&t, names[l], 0, 1, 0);
        gibbs_narrow(&t);
        const blni_gibbs *state = t.state;
        const blni_gibbs_chain *c = state->chain;
        t.state->chain->scales = 1;
        for (size_t r = 0; r < N; r++) {
            gibbs_exact(&t, &rng);
            for (int after = 0; after < 2; after++) {
                if (after) blni_gibbs_sweep(state, t.state->chain);
                now[after][0] = c->value;
                now[after][1] = tanh(c->value + (double)state->N);
                for (size_t j = 0; j < state->D; j++) now[after][2 + j] = tanh(c->w[j]*c->w[j])*tanh(c->u[state->n - 1]);
            }
            for (size_t i = 0; i < 2 + state->D; i++) {
                sum[i] += now[1][i] - now[0][i];
                square[i] += (now[1][i] - now[0][i])*(now[1][i] - now[0][i]);
            }
        }
        CHECK_OK(c->status);
        for (size_t i = 0; i < 2 + state->D; i++) CHECK_LE(fabs(sum[i]), 5.0*sqrt(square[i]));
        gibbs_drop(&t);
    }
}

static bln_status chain_simulate(void *user, bln_rng *rng, double *truth, bln_report *report)
{
    gibbs_case *t = (gibbs_case *)user;
    const blni_gibbs_chain *c = t->state->chain;
    (void)report;
    gibbs_exact(t, rng);
    memcpy(truth, c->w, t->state->D*sizeof *truth);
    memcpy(truth + t->state->D, c->u, t->state->n*sizeof *truth);
    truth[t->state->D + t->state->n] = c->value;
    return BLN_OK;
}

/* From the truth, which is a draw itself, forty sweeps on. */
static bln_status chain_infer(void *user, bln_rng *rng, size_t n, double *draws, bln_report *report)
{
    gibbs_case *t = (gibbs_case *)user;
    blni_gibbs_chain *c = t->state->chain;
    const size_t Q = t->state->D + t->state->n + 1;
    (void)rng; (void)report;
    for (size_t s = 0; s < 40; s++) blni_gibbs_sweep(t->state, c);
    for (size_t r = 0; r < n; r++) {
        blni_gibbs_sweep(t->state, c);
        memcpy(draws + r*Q, c->w, t->state->D*sizeof *draws);
        memcpy(draws + r*Q + t->state->D, c->u, t->state->n*sizeof *draws);
        draws[r*Q + Q - 1] = c->value;
    }
    return c->status;
}

TEST(gibbs_chain, calibrated)
{
    for (size_t l = 0; l < AUGMENTED; l += TEST_MANY(1, 4)) {
        gibbs_case t;
        bln_sbc_desc d = BLN_ZERO;
        bln_sbc found;
        gibbs_make(&t, augmented[l].name, l % 2 == 0, 1, 0);
        gibbs_narrow(&t);
        d.quantities = t.state->D + t.state->n + 1;
        d.replicates = 3*GIBBS_REPLICATES/8;
        d.draws = 15;
        d.thin = 6;
        d.simulate = chain_simulate;
        d.infer = chain_infer;
        d.user = &t;
        d.level = 1e-5;
        d.seed = 40 + l;
        CHECK_OK(bln_sbc_run(&d, &found, NULL, NULL, NULL));
        CHECK(found.uniform);
        gibbs_drop(&t);
    }
}

/* ---- turns along ellipses keep what belongs together */

/* After some turns f is offset + Phi w, value its log likelihood, z the distance of w from the middle of the Gaussian of full in
 * its standard deviations; the rest, at any angle, is the difference of two Gaussian log densities. */
TEST(gibbs_chain, turns)
{
    for (size_t l = 0; l < AUGMENTED; l++)
        for (int dual = 0; dual < 2; dual++) {
            gibbs_case t;
            double f[BLN_LATENTS*GIBBS_N], w[GIBBS_D], z[GIBBS_D], log_ratio[2];
            bln_rng rng;
            gibbs_make(&t, augmented[l].name, dual, 1, 0);
            blni_gibbs *state = t.state;
            blni_gibbs_chain *c = state->chain;
            bln_rng_seed(&rng, 70 + l, 0);
            gibbs_narrow(&t);
            gibbs_exact(&t, &rng);
            c->turns = 3;
            blni_gibbs_ellipses(state, c, &rng);
            memcpy(f, state->offset, state->J*state->N*sizeof *f);
            blni_gibbs_product(state, c, 0, state->J, c->w, 1.0, f);
            double size = 1.0;
            for (size_t i = 0; i < state->J*state->N; i++) size = fmax(size, fabs(f[i]));
            for (size_t i = 0; i < state->J*state->N; i++) CHECK_NEAR(c->f[i], f[i], 1e-13*size);
            CHECK_REL(c->value, blni_gibbs_value(state, c, c->f), 1e-11);
            memcpy(w, c->w, state->D*sizeof *w);
            for (int side = 0; side < 2; side++) {                    /* at w, and a quarter of the ellipse on */
                const double *R = state->R;
                log_ratio[side] = 0.0;
                for (size_t j = 0; j < state->J; R += state->rows[j].D*state->rows[j].D, j++)
                    for (size_t i = 0; i < state->rows[j].D; i++) {
                        const size_t at = state->first[j] + i;
                        size_t latent;
                        const double root = blni_gibbs_root(state, c, at, &latent);
                        const double x = (side ? state->m[at] + c->across[at] : w[at])/root;
                        z[at] = 0.0;
                        for (size_t k = i; k < state->rows[j].D; k++) {
                            const size_t of = state->first[j] + k;
                            z[at] += R[i*state->rows[j].D + k]*(side ? c->across[of] : w[of] - state->m[of])/state->s[of];
                        }
                        CHECK_NEAR((side ? c->zeta : c->z)[at], z[at], 1e-9*(1.0 + fabs(z[at])));
                        log_ratio[side] += 0.5*(z[at]*z[at] - x*x);
                    }
                CHECK_REL(blni_gibbs_beside(state, c, 1.0 - side, side), log_ratio[side], 1e-9);
            }
            gibbs_drop(&t);
        }
}

/* The same of moves of single weights: f is offset + Phi w, and value its log likelihood. */
TEST(gibbs_chain, single_moves)
{
    for (size_t l = 0; l < AUGMENTED; l++) {
        gibbs_case t;
        double f[BLN_LATENTS*GIBBS_N], w[GIBBS_D];
        bln_rng rng;
        gibbs_make(&t, augmented[l].name, l % 2 == 1, 1, 0);
        blni_gibbs *state = t.state;
        blni_gibbs_chain *c = state->chain;
        bln_rng_seed(&rng, 80 + l, 0);
        gibbs_narrow(&t);
        gibbs_exact(&t, &rng);
        memcpy(w, c->w, state->D*sizeof *w);
        c->moves = 3;
        for (size_t i = 0; i < c->moves; i++) { c->move[i] = i*state->D/3; c->reach[i] = 1.0; }
        blni_gibbs_slow_weights(state, c, &rng);
        for (size_t i = 0; i < state->D; i++) CHECK((c->w[i] != w[i]) == (i == c->move[0] || i == c->move[1] || i == c->move[2]));
        memcpy(f, state->offset, state->J*state->N*sizeof *f);
        blni_gibbs_product(state, c, 0, state->J, c->w, 1.0, f);
        for (size_t i = 0; i < state->J*state->N; i++) CHECK_NEAR(c->f[i], f[i], 1e-13*(1.0 + fabs(f[i])));
        CHECK_REL(c->value, blni_gibbs_value(state, c, c->f), 1e-11);
        gibbs_drop(&t);
    }
}

/* Prior variances move, and with them the weights, which keep their size in units of the root; f and what is made of both follow.
 * With rows that weigh nothing, draws are those of the prior; eight moves apart they are nearly independent.
 * [augmentation 38] */
TEST(gibbs_chain, scales)
{
    for (size_t l = 0; l < AUGMENTED; l++) {
        enum { R = 1500, APART = 8 };
        gibbs_case t;
        double f[BLN_LATENTS*GIBBS_N], w[GIBBS_D], roots[GIBBS_D], u[GIBBS_D], x[2];
        double sum[2*GIBBS_D] = { 0.0 }, square[2*GIBBS_D] = { 0.0 };
        bln_rng rng;
        size_t latent;
        gibbs_make(&t, augmented[l].name, l % 2 == 1, 1, 0);
        blni_gibbs *state = t.state;
        blni_gibbs_chain *c = state->chain;
        bln_rng_seed(&rng, 60 + l, 0);
        gibbs_narrow(&t);
        gibbs_exact(&t, &rng);
        memcpy(u, c->u, state->n*sizeof *u);
        memcpy(w, c->w, state->D*sizeof *w);
        for (size_t i = 0; i < state->D; i++) roots[i] = blni_gibbs_root(state, c, i, &latent);
        blni_gibbs_scales(state, c, &rng);
        for (size_t i = 0; i < state->D; i++) {                  /* w + (r - 1) w, of which r w is left */
            const double root = blni_gibbs_root(state, c, i, &latent), r = root/roots[i];
            CHECK_REL(c->w[i]/root, w[i]/roots[i], 1e-15*(4.0 + 1.0/r));
        }
        for (size_t k = 0; k < state->n; k++) CHECK((c->u[k] != u[k]) == (k < state->priors));
        for (size_t k = 0; k < state->n; k++)
            CHECK_REL(*blni_gibbs_natural(state, c, k), bln_param_natural(state->f->search.param + k, c->u[k]), 1e-14);
        memcpy(f, state->offset, state->J*state->N*sizeof *f);
        blni_gibbs_product(state, c, 0, state->J, c->w, 1.0, f);
        for (size_t i = 0; i < state->J*state->N; i++) CHECK_NEAR(c->f[i], f[i], 1e-13*(1.0 + fabs(f[i])));
        CHECK_NEAR(c->value, blni_gibbs_value(state, c, c->f), 1e-11*(1.0 + fabs(c->value)));
        for (size_t i = 0; i < state->N; i++) state->weight[i] = 0.0;
        c->value = 0.0;
        for (size_t r = 0; r < R && l % 7 == 0; r++) {
            for (size_t i = 0; i < APART; i++) blni_gibbs_scales(state, c, &rng);
            for (size_t k = 0; k < state->priors; k++) {
                x[0] = c->u[k];
                x[1] = gibbs_hyper(&t, k, &rng);
                for (size_t i = 0; i < 2; i++) { sum[2*k + i] += x[i]; square[2*k + i] += x[i]*x[i]; }
            }
        }
        for (size_t k = 0; k < state->priors && l % 7 == 0; k++) {
            double mean[2], var[2];
            for (size_t i = 0; i < 2; i++) { mean[i] = sum[2*k + i]/R; var[i] = square[2*k + i]/R - mean[i]*mean[i]; }
            CHECK_LE(fabs(mean[0] - mean[1]), 5.0*sqrt((var[0] + var[1])/R));
            CHECK_LE(fabs(log(var[0]/var[1])), 10.0*sqrt(2.0/R));        /* for a kurtosis of up to 5 */
        }
        gibbs_drop(&t);
    }
}

/* lp__ of a draw: log p(y | f), that of w given the prior variances, and of the free coordinates. */
TEST(gibbs_chain, log_density_of_a_draw)
{
    for (size_t l = 0; l < AUGMENTED; l++) {
        gibbs_case t;
        double row[2*GIBBS_D], want;
        bln_rng rng;
        gibbs_make(&t, augmented[l].name, 0, 1, 0);
        blni_gibbs *state = t.state;
        blni_gibbs_chain *c = state->chain;
        bln_rng_seed(&rng, 90 + l, 0);
        gibbs_narrow(&t);
        gibbs_exact(&t, &rng);
        want = c->value;
        for (size_t j = 0; j < state->J; j++)
            for (size_t s = 0; s < state->rows[j].n_slices; s++) {
                const blni_glm_slice *slice = state->rows[j].slice + s;
                const double lambda = c->prior_var[slice->prior];
                for (size_t i = state->first[j] + slice->first; i < state->first[j] + slice->end; i++)
                    want -= 0.5*(c->w[i]*c->w[i]/lambda + log(2.0*BLNI_PI*lambda));
            }
        for (size_t k = 0; k < state->n; k++) want += blni_gibbs_prior(state, k, c->u[k]);
        blni_gibbs_draw(state, c, row);
        CHECK_NEAR(row[state->D + state->n], want, 1e-12*(1.0 + fabs(want)));
        gibbs_drop(&t);
    }
}

/* ---- failures, and the warm-up's decisions */

/* A chain that cannot begin, a sweep whose likelihood is no number, and one whose factors are none: an error, and no draws. */
TEST(gibbs_chain, chains_that_fail)
{
    for (int way = 0; way < 4; way++) {
        gibbs_case t;
        bln_report report;
        gibbs_make(&t, way == 3 ? "heteroscedastic" : "binomial_logit", 0, 0, 0);
        blni_gibbs *state = t.state;
        if (way < 2) state->constants[0] = BLNI_NAN;
        if (way == 0) {
            blni_gibbs_begin(state, 0);
            CHECK_STATUS(blni_gibbs_failed(state, &report), BLN_ENUMERIC);
            CHECK_TEXT(report.text, "where chains of gibbs begin");
        } else {
            if (way >= 2) state->chain->sites->root[0] = BLNI_NAN;
            CHECK_STATUS(bln_glm_step(t.glm, &report), BLN_ENUMERIC);
            CHECK_TEXT(report.text, "numbers of a sweep overflow");
            CHECK_SIZE(state->chain->t, 1);
            CHECK_STATUS(bln_glm_finish(t.glm, &report), BLN_ENUMERIC);
            CHECK_TEXT(report.text, "an earlier step failed");
        }
        gibbs_drop(&t);
    }
}

/* Variance and time of autocorrelation in a window: draws that do not move, that hardly do, and that have no numbers. What has no
 * variance keeps its width, and is not slow; there are no more slow weights than asked for. */
TEST(gibbs_chain, windows)
{
    double origin = 1.0, last = 0.0, sum = 0.0, square = 0.0, product = 0.0, time;
    blni_gibbs_window v = { 10, NULL, NULL, NULL, NULL, NULL };
    v.origin = &origin;
    v.last = &last;
    v.sum = &sum;
    v.square = &square;
    v.product = &product;
    CHECK(blni_gibbs_variance(&v, 0, &time) == 0.0 && time == 1.0);
    square = 40.0;
    product = 20.0;
    CHECK(blni_gibbs_variance(&v, 0, &time) == 4.0);
    CHECK_NEAR(time, 3.0, 1e-15);
    product = 40.0;
    CHECK(blni_gibbs_variance(&v, 0, &time) == 4.0 && time == HUGE_VAL);
    square = product = HUGE_VAL;
    CHECK(blni_gibbs_variance(&v, 0, &time) == 0.0 && time == HUGE_VAL);
    for (int way = 0; way < 3; way++) {
        gibbs_case t;
        gibbs_make(&t, "binomial_logit", 0, 1, 0);
        blni_gibbs *state = t.state;
        blni_gibbs_chain *c = state->chain;
        const size_t n = state->D + state->n;
        for (size_t i = 0; i < n; i++) {
            c->window.origin[i] = c->window.last[i] = c->window.sum[i] = 0.0;
            c->window.square[i] = c->window.product[i] = way == 0 ? 0.0 : way == 1 ? HUGE_VAL : 10.0;
        }
        for (size_t k = 0; k < state->n; k++) c->width[k] = 2.385;
        c->window.count = 10;
        c->moves = way == 2 ? 0 : 1;
        c->turned = 1;
        c->move[0] = 1;
        c->reach[0] = 2.385;
        state->own.slice_moves = 2;
        blni_gibbs_choose(state, c);
        for (size_t k = 0; k < state->n; k++) CHECK(c->width[k] == (way == 2 ? 2.0 : 2.385));
        CHECK(c->reach[0] == (way == 2 ? 2.0 : 2.385));
        CHECK_SIZE(c->moves, way == 2 ? 2 : 1);
        CHECK_SIZE(c->window.count, 0);
        CHECK(c->scales == (way == 2));
        for (int no = 0; no < 3 && way == 2; no++) {             /* v depends on it, each weight has one, all are quick */
            state->missing = no == 0;
            state->f->desc.per_weight = no == 1;
            for (size_t i = 0; i < n && no == 2; i++) c->window.product[i] = 0.0;
            c->window.count = 10;
            c->scales = 0;
            blni_gibbs_choose(state, c);
            CHECK(!c->scales);
            for (size_t i = 0; i < n && no == 2; i++) c->window.product[i] = 10.0;
        }
        state->missing = state->f->desc.per_weight = 0;
        /* A slow weight waits for what one turn does to it; then turns by their mean cosine: 0.9^7 is the first power below 1/2. If
         * the last window is the first to find it, it does not wait. */
        state->own.warmup = 400;
        for (int k = 0; k < 5; k++) {
            static const double cosine[5] = { 0.0, -0.2, 0.9, 0.99, 0.0 };
            static const size_t turns[5] = { 1, 1, 7, 0, 0 };
            c->t = k == 4 ? 300 : 200;
            c->window.count = 10;
            c->moves = c->turns = 0;
            c->turned = k % 4 ? 20 : 0;
            c->cosine = 20.0*cosine[k];
            blni_gibbs_choose(state, c);
            CHECK_SIZE(c->turns, k % 4 || way == 2 ? turns[k] : 0);
            CHECK_SIZE(c->moves, k && way == 2 ? 2 : 0);
        }
        gibbs_drop(&t);
    }
}

/* Latents with bases of their own that are equal: the chains are those of one basis for all. */
TEST(gibbs_chain, bases_of_their_own)
{
    gibbs_case t;
    bln_glm_gibbs_desc own = BLN_ZERO;
    const bln_basis *bases[2];
    const double *table[3];
    bln_glm *glm[3];
    gibbs_make(&t, "heteroscedastic", 0, 1, 0);
    bln_basis *other = slm_parse("bias+linear", 2, 0), *rbf[2];
    for (size_t j = 0; j < 2; j++) rbf[j] = slm_parse("rbf:n=2", 2, 7);
    own.chains = 2;
    own.warmup = own.draws = 20;
    bln_glm_desc desc = t.desc;
    desc.method = bln_glm_gibbs(&own);
    for (int way = 0; way < 3; way++) {
        bases[0] = way == 2 ? rbf[0] : t.basis;
        bases[1] = way == 2 ? rbf[1] : other;
        if (way) desc.bases = bases;
        if (way == 2) { own.draw_theta = 1; desc.fix_theta = 0; }
        glm[way] = glm_new(&desc);
        CHECK_FIT(glm[way], &t.data, NULL);
        table[way] = bln_chains_table(bln_glm_chains(glm[way]));
    }
    const size_t columns = bln_chains_columns(bln_glm_chains(glm[0]));
    for (size_t i = 0; i < 40*columns; i++) CHECK_NEAR(table[1][i], table[0][i], 1e-6*(1.0 + fabs(table[0][i])));
    const bln_chains *drawn = bln_glm_chains(glm[2]);
    for (size_t k = 0; k < 2; k++) {                                     /* the length scale of each latent */
        const size_t at = bln_chains_find(drawn, k ? "theta[2]" : "theta[1]"), stride = bln_chains_columns(drawn);
        size_t moved = 0;
        CHECK(at != BLN_NONE);
        for (size_t i = 1; i < 40; i++) moved += table[2][i*stride + at] != table[2][at];
        CHECK(moved > 30 && table[2][at] > 0.0);
    }
    CHECK(bln_glm_posterior(glm[2])->n_groups > 1);
    for (int way = 0; way < 3; way++) bln_glm_free(glm[way]);
    for (size_t j = 0; j < 2; j++) bln_basis_free(rbf[j]);
    bln_basis_free(other);
    gibbs_drop(&t);
}

/* Parameters of a basis by kind: log normal about where they start if they are positive, else uniform. They are drawn, and stay in
 * their domains. */
TEST(gibbs_chain, kinds_of_parameters)
{
    gibbs_case t;
    bln_basis_ops ops;
    const bln_basis b = glm_kinds(&ops);
    bln_glm_gibbs_desc own = BLN_ZERO;
    gibbs_make(&t, "gaussian", 0, 1, 0);
    own.chains = 2;
    own.warmup = own.draws = 30;
    own.draw_theta = 1;
    bln_glm_desc desc = glm_desc(&b, bln_likelihood_gaussian());
    desc.method = bln_glm_gibbs(&own);
    bln_glm *glm = glm_new(&desc);
    CHECK_OK(bln_glm_init(glm, &t.data, NULL));
    const blni_gibbs *state = (const blni_gibbs *)glm->fit->state;
    const blni_glm_search *s = &glm->fit->search;
    for (size_t k = state->theta_at; k < state->n; k++) {
        const double u = s->x0[s->n_q + k] + 0.7, x = bln_param_natural(s->param + k, u);
        const double want = k == state->theta_at + 1 ? log((4.0 - x*x)/4.0) : -0.5*0.7*0.7 - 0.5*log(2.0*3.14159265358979323846);
        CHECK_NEAR(blni_gibbs_prior(state, k, u), want, 1e-12);
    }
    while (!bln_glm_converged(glm)) CHECK_OK(bln_glm_step(glm, NULL));
    CHECK_OK(bln_glm_finish(glm, NULL));
    const bln_chains *c = bln_glm_chains(glm);
    for (size_t k = 0; k < 3; k++) {
        const char *const name = k == 0 ? "theta[1]" : k == 1 ? "theta[2]" : "theta[3]";
        const size_t columns = bln_chains_columns(c), at = bln_chains_find(c, name);
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < 60; i++) {
            low = fmin(low, bln_chains_table(c)[i*columns + at]);
            high = fmax(high, bln_chains_table(c)[i*columns + at]);
        }
        CHECK(low < high && low > (k == 1 ? -2.0 : 0.0) && (k != 1 || high < 2.0));
    }
    bln_glm_free(glm);
    gibbs_drop(&t);
}

SUITE_BEGIN(gibbs_chain)
SUITE_TEST(gibbs_chain, joint)
SUITE_TEST(gibbs_chain, one_sweep)
SUITE_TEST(gibbs_chain, calibrated)
SUITE_TEST(gibbs_chain, turns)
SUITE_TEST(gibbs_chain, single_moves)
SUITE_TEST(gibbs_chain, scales)
SUITE_TEST(gibbs_chain, log_density_of_a_draw)
SUITE_TEST(gibbs_chain, chains_that_fail)
SUITE_TEST(gibbs_chain, windows)
SUITE_TEST(gibbs_chain, bases_of_their_own)
SUITE_TEST(gibbs_chain, kinds_of_parameters)
SUITE_END(gibbs_chain)
