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

SUITE_BEGIN(gibbs_chain)
SUITE_TEST(gibbs_chain, joint)
SUITE_TEST(gibbs_chain, calibrated)
SUITE_END(gibbs_chain)
