/* hmc_chain: one chain, from its start through the warm-up to its draws. Each transition has a random stream of its own, whatever
 * the chain did before and other chains do. */
#include "hmc_private.h"
#include "../core/data_private.h"
#include "../core/status_private.h"

/* The kinds of its streams (blni_density_rng). */
enum { BLNI_HMC_TRIES = 100, BLNI_HMC_TRANSITION = 1, BLNI_HMC_SEARCH = 2, BLNI_HMC_START = 3 };

/* A new metric, or a start: lp and slope there, and the step that suits. */
BLNI_ONCE BLNI_PRIV bln_status blni_hmc_settle(bln_hmc *hmc, size_t c)
{
    blni_hmc_chain *k = hmc->chain + c;
    bln_rng rng = blni_density_rng(hmc->desc.seed, BLNI_HMC_SEARCH, c, k->t);
    BLNI_TRY(blni_system_eval(&k->system, &k->now));
    if (!hmc->desc.fixed) BLNI_TRY(blni_step_search(&k->system, &rng, &k->now, &k->next, &k->step));
    blni_averaging_start(&k->averaging, k->step, hmc->desc.accept);
    k->unsettled = 0;
    return BLN_OK;
}

/* Puts the chain where it begins: at the caller's start, or at the first of some random places that is possible. */
BLNI_ONCE BLNI_PRIV bln_status blni_hmc_begin(bln_hmc *hmc, size_t c)
{
    const bln_hmc_desc *d = &hmc->desc;
    blni_hmc_chain *k = hmc->chain + c;
    const size_t D = k->system.D;
    bln_rng rng = blni_density_rng(hmc->desc.seed, BLNI_HMC_START, c, 0);
    bln_report_clear(&k->report);
    for (int tries = 0; tries < (d->start ? 1 : BLNI_HMC_TRIES); tries++) {
        for (size_t i = 0; i < D; i++)
            k->now.q[i] = d->start ? d->start[(c % d->n_starts)*D + i] : d->radius*(2.0*bln_rng_uniform(&rng) - 1.0);
        BLNI_TRY(blni_system_eval(&k->system, &k->now));
        if (k->now.lp > -HUGE_VAL && blni_all_finite(D, k->now.h)) return blni_hmc_settle(hmc, c);
    }
    return blni_density_refuse(&k->report, d->start ? "hmc: the density or its gradient is not finite at the start"
                                                    : "hmc: the density or its gradient is not finite at 100 random starts");
}

/* What transition k->t of the warm-up has taught. */
BLNI_PRIV void blni_hmc_learn(bln_hmc *hmc, size_t c, double accept)
{
    blni_hmc_chain *k = hmc->chain + c;
    const int slow = k->t >= k->windows.first && k->t < k->windows.last && hmc->desc.metric != BLN_METRIC_UNIT;
    k->step = blni_averaging_next(&k->averaging, accept);
    if (slow) blni_spread_add(&k->spread, k->now.q);
    const int last = k->t + 1 == hmc->desc.warmup;
    if (slow && blni_windows_end(&k->windows, k->t)) {
        const int strange = blni_spread_strange(&k->spread, k->system.scale, k->system.U);
        k->stuck |= strange == 1;
        if (k->wider < BLNI_HMC_WIDER) k->wider = strange == 2 ? k->wider + 1 : 0;
        blni_spread_metric(&k->spread, k->system.scale, k->system.U);
        blni_spread_clear(&k->spread);
        k->step = blni_averaging_end(&k->averaging);
        k->unsettled = 1;
    } else if (last) k->step = blni_averaging_end(&k->averaging);
}

/* Draw i of the chain into its row of the table. */
BLNI_PRIV void blni_hmc_keep(bln_hmc *hmc, size_t c, size_t i, double step, const blni_transition *made)
{
    blni_hmc_chain *k = hmc->chain + c;
    double *own = blni_density_keep(&hmc->desc.density, k->system.user, k->now.q, hmc->desc.seed, hmc->chains, c, i);
    own[BLNI_HMC_LP] = k->now.lp;
    own[BLNI_HMC_ACCEPT] = made->accept;
    own[BLNI_HMC_STEP] = step;
    own[BLNI_HMC_DEPTH] = (double)made->depth;
    own[BLNI_HMC_LEAPFROGS] = (double)made->leapfrogs;
    own[BLNI_HMC_DIVERGENT] = made->divergent;
    own[BLNI_HMC_ENERGY] = made->energy;
}

BLNI_PRIV bln_status blni_hmc_transition(bln_hmc *hmc, size_t c)
{
    const bln_hmc_desc *d = &hmc->desc;
    blni_hmc_chain *k = hmc->chain + c;
    blni_transition made;
    BLNI_TRY(k->unsettled ? blni_hmc_settle(hmc, c) : BLN_OK);
    bln_rng rng = blni_density_rng(hmc->desc.seed, BLNI_HMC_TRANSITION, c, k->t);
    BLNI_TRY(d->method == BLN_HMC_STATIC
        ? blni_static_transition(&k->system, &rng, k->step, d->jitter, d->leapfrogs, &k->now, &k->next, &made)
        : blni_nuts_transition(&k->system, &rng, k->step, d->max_depth, &k->nuts, &k->now, &k->next, &made));
    const blni_phase before = k->now;
    k->now = k->next;
    k->next = before;
    if (k->t < d->warmup) blni_hmc_learn(hmc, c, made.accept);
    else {
        const size_t after = k->t - d->warmup;
        k->divergent += made.divergent != 0;
        k->saturated += d->method == BLN_HMC_NUTS && made.depth == d->max_depth;
        k->accept += made.accept;
        if ((after + 1) % d->thin == 0) blni_hmc_keep(hmc, c, after/d->thin, k->step, &made);
    }
    k->t++;
    return BLN_OK;
}

/* On to transition `target`, or to a status that ends the run. */
BLNI_PRIV void blni_hmc_advance(bln_hmc *hmc, size_t c, size_t target)
{
    blni_hmc_chain *k = hmc->chain + c;
    k->status = BLN_OK;
    bln_report_clear(&k->report);
    while (k->t < target && k->status == BLN_OK) k->status = blni_hmc_transition(hmc, c);
}
