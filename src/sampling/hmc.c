/* hmc: the sampler around its chains: options, memory, running chains at the same time, and the loop */
#include "hmc_private.h"
#include "../core/data_private.h"
#include "../core/status_private.h"
#include "../core/threads_private.h"
#include "../math/cholesky.h"

BLNI_ONCE BLN_API bln_hmc_desc bln_hmc_defaults(const bln_hmc_desc *desc)
{
    bln_hmc_desc d = BLN_ZERO;
    if (desc) d = *desc;
    if (d.chains == 0) d.chains = 4;
    if (d.warmup == 0) d.warmup = 1000;
    if (d.draws == 0) d.draws = 1000;
    if (d.thin == 0) d.thin = 1;
    if (d.accept == 0.0) d.accept = 0.8;
    if (d.max_depth == 0) d.max_depth = 10;
    if (d.leapfrogs == 0) d.leapfrogs = 20;
    if (d.jitter == 0.0) d.jitter = 0.1;
    if (d.jitter < 0.0) d.jitter = 0.0;
    if (d.step == 0.0) d.step = 1.0;
    if (d.n_starts == 0) d.n_starts = 1;
    if (d.radius == 0.0) d.radius = 2.0;
    if (d.block == 0) d.block = 50;
    if (d.fixed) d.warmup = 0;
    return d;
}

BLN_API const char *bln_hmc_check(const bln_hmc_desc *desc)
{
    const bln_hmc_desc d = bln_hmc_defaults(desc);
    if (!desc) return "hmc: no desc";
    const char *why = bln_density_reason(&desc->density);
    if (why) return why;
    if (d.method != BLN_HMC_NUTS && d.method != BLN_HMC_STATIC) return "hmc: unknown method";
    if (d.metric != BLN_METRIC_DIAGONAL && d.metric != BLN_METRIC_DENSE && d.metric != BLN_METRIC_UNIT)
        return "hmc: unknown metric";
    if (!(d.accept > 0.0 && d.accept < 1.0)) return "hmc: accept must be in (0, 1)";
    if (d.max_depth > BLNI_NUTS_DEEPEST) return "hmc: max_depth is 30 at most";
    if (!(d.jitter < 1.0)) return "hmc: jitter must be below 1";
    if (!(d.step > 0.0 && blni_finite(d.step))) return "hmc: step must be > 0";
    if (!(d.radius > 0.0 && blni_finite(d.radius))) return "hmc: radius must be > 0";
    if (d.metric == BLN_METRIC_UNIT && d.inverse_metric) return "hmc: a unit metric with an inverse_metric";
    if (d.chains >> 20) return "hmc: more than 2^20 chains";
    return blni_allocator_ok(&d.alloc) ? NULL : "hmc: half an allocator";
}

/* ---- memory */

/* One chain of a desc with defaults. */
BLNI_ONCE BLNI_PRIV void blni_hmc_carve_chain(blni_arena *a, const bln_hmc_desc *d, blni_hmc_chain *k)
{
    const size_t D = d->density.dim;
    const int dense = d->metric == BLN_METRIC_DENSE, learns = !d->fixed && d->metric != BLN_METRIC_UNIT;
    memset(k, 0, sizeof *k);
    k->system.D = k->spread.D = D;
    k->spread.dense = dense;
    k->system.g = blni_carve_doubles(a, D);
    if (d->metric == BLN_METRIC_DIAGONAL) k->system.scale = blni_carve_doubles(a, D);
    if (dense) k->system.U = blni_carve_doubles(a, blni_mul(D, D));
    blni_phase_carve(a, D, &k->now);
    blni_phase_carve(a, D, &k->next);
    if (d->method == BLN_HMC_NUTS) blni_nuts_carve(a, D, d->max_depth, &k->nuts);
    if (!learns) return;
    BLNI_CARVE2(a, D, k->spread.mean, k->spread.d);
    k->spread.scatter = blni_carve_doubles(a, dense ? blni_mul(D, D) : D);
}

/* The sampler in a block, or NULL where the arena only counts: then all chains are as large as the first. */
BLNI_ONCE BLNI_PRIV bln_hmc *blni_hmc_carve(blni_arena *a, const bln_hmc_desc *d)
{
    bln_hmc *hmc = (bln_hmc *)blni_carve(a, 1, sizeof *hmc);
    blni_hmc_chain *chain = (blni_hmc_chain *)blni_carve(a, d->chains, sizeof *chain), one;
    if (!hmc) {
        const size_t before = a->used;
        blni_hmc_carve_chain(a, d, &one);
        if (a->used != (size_t)-1) a->used = blni_add(before, blni_mul(a->used - before, d->chains));
        return NULL;
    }
    memset(hmc, 0, sizeof *hmc);
    hmc->desc = *d;
    hmc->chain = chain;
    for (size_t c = 0; c < d->chains; c++) blni_hmc_carve_chain(a, d, chain + c);
    return hmc;
}

static const char *const blni_hmc_names[BLNI_HMC_COLUMNS] = {
    "lp__", "accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__", "energy__"
};

BLN_API size_t bln_hmc_size(const bln_hmc_desc *desc)
{
    if (bln_hmc_check(desc)) return (size_t)-1;
    const bln_hmc_desc d = bln_hmc_defaults(desc);
    blni_arena a = blni_arena_over(NULL, 0);
    blni_hmc_carve(&a, &d);
    if (a.used == (size_t)-1) return a.used;                     /* names are counted one by one */
    return blni_add(a.used, blni_density_table_size(&d.density, blni_hmc_names, BLNI_HMC_COLUMNS, d.chains, d.draws));
}

/* ---- metric and starts that are given */

BLNI_PRIV bln_status blni_hmc_given(const bln_hmc_desc *d, bln_report *report)
{
    const size_t D = d->density.dim;
    for (size_t i = 0; i < D && d->inverse_metric; i++) {
        const int dense = d->metric == BLN_METRIC_DENSE;
        const double *row = d->inverse_metric + (dense ? i*D + i : i);
        if (!blni_all_finite(dense ? D - i : 1, row) || !(*row > 0.0))
            return blni_fail(report, BLN_EINVAL, BLN_NONE, i, "hmc: inverse_metric is not finite, or has a variance not > 0");
    }
    for (size_t c = 0; c < d->n_starts && d->start; c++)
        for (size_t i = 0; i < D; i++)
            if (!blni_finite(d->start[c*D + i])) return blni_fail(report, BLN_EINVAL, c, i, "hmc: a start is not finite");
    return BLN_OK;
}

/* Step and metric as they are in the desc. */
BLNI_ONCE BLNI_PRIV bln_status blni_hmc_reset(bln_hmc *hmc, size_t c)
{
    const bln_hmc_desc *d = &hmc->desc;
    blni_hmc_chain *k = hmc->chain + c;
    const size_t D = k->system.D;
    k->step = d->step;
    k->t = k->divergent = k->saturated = 0;
    k->unsettled = k->stuck = 0;
    k->wider = 0;
    k->accept = 0.0;
    k->system.evaluations = k->system.rejected = 0;
    k->windows = blni_windows_of(d->warmup);
    if (k->spread.mean) blni_spread_clear(&k->spread);
    for (size_t i = 0; i < D && k->system.scale; i++) k->system.scale[i] = d->inverse_metric ? sqrt(d->inverse_metric[i]) : 1.0;
    if (!k->system.U) return BLN_OK;
    memset(k->system.U, 0, D*D*sizeof(double));
    for (size_t i = 0; i < D; i++) {
        k->system.U[i*D + i] = 1.0;
        if (d->inverse_metric) memcpy(k->system.U + i*D + i, d->inverse_metric + i*D + i, (D - i)*sizeof(double));
    }
    return d->inverse_metric ? bln_potrf(D, k->system.U, D, NULL) : BLN_OK;
}

/* ---- life */

BLNI_PRIV bln_status blni_hmc_users(bln_hmc *hmc, bln_report *report)
{
    const bln_density *d = &hmc->desc.density;
    bln_status status = BLN_OK;
    for (size_t c = 0; c < hmc->desc.chains && status == BLN_OK; c++) {
        blni_hmc_chain *k = hmc->chain + c;
        k->system.density = &hmc->desc.density;
        k->system.report = &k->report;
        k->system.user = d->user;
        if (c == 0 || d->parallel || !d->clone) continue;
        status = d->clone(d->user, &hmc->desc.alloc, &k->system.user);
        k->cloned = status == BLN_OK;
    }
    return status == BLN_OK ? BLN_OK : blni_refuse(report, status, "hmc: the density cannot be cloned");
}

BLN_API void bln_hmc_free(bln_hmc *hmc)
{
    if (!hmc) return;
    for (size_t c = 0; c < hmc->desc.chains; c++)
        if (hmc->chain[c].cloned) hmc->desc.density.release(hmc->chain[c].system.user);
    bln_chains_free(hmc->chains);
    blni_release(&hmc->desc.alloc, hmc->block, hmc->bytes);
}

BLNI_ONCE BLN_API bln_status bln_hmc_create(const bln_hmc_desc *desc, bln_hmc **out, bln_report *report)
{
    const char *why = bln_hmc_check(desc);
    BLNI_TRY(blni_begin(report, !why && out, why ? why : "hmc: out is NULL"));
    const bln_hmc_desc d = bln_hmc_defaults(desc);
    BLNI_TRY(blni_hmc_given(&d, report));
    blni_arena a = blni_arena_over(NULL, 0);
    blni_hmc_carve(&a, &d);
    BLNI_TRY(blni_arena_take(&d.alloc, a.used, "hmc", &a, report));
    bln_status status = BLN_OK;
    bln_hmc *hmc = blni_hmc_carve(&a, &d);
    hmc->block = a.base;
    hmc->bytes = a.size;
    hmc->transitions = blni_add(d.warmup, blni_mul(d.draws, d.thin));
    if (blni_hmc_reset(hmc, 0) != BLN_OK) status = blni_refuse(report, BLN_ENOTPD, "hmc: inverse_metric is not positive definite");
    if (status == BLN_OK) status = blni_density_table(&d.density, blni_hmc_names, BLNI_HMC_COLUMNS, &d.alloc, d.chains, d.draws,
                                                      &hmc->chains, report);
    if (status == BLN_OK) status = blni_hmc_users(hmc, report);
    if (status == BLN_OK) *out = hmc;
    else bln_hmc_free(hmc);
    return status;
}

/* ---- all chains */

typedef struct blni_hmc_job { bln_hmc *hmc; size_t pieces, target; } blni_hmc_job;

/* target BLN_NONE: begins the chains of the piece, else goes on to there. */
BLNI_PRIV void blni_hmc_piece(const void *job, size_t piece)
{
    const blni_hmc_job *j = (const blni_hmc_job *)job;
    const size_t chains = j->hmc->desc.chains, end = blni_piece_begin(chains, 1, piece + 1, j->pieces);
    for (size_t c = blni_piece_begin(chains, 1, piece, j->pieces); c < end; c++) {
        if (j->target != BLN_NONE) blni_hmc_advance(j->hmc, c, j->target);
        else j->hmc->chain[c].status = blni_hmc_begin(j->hmc, c);
    }
}

/* What no number of draws would mend, if it is so of all chains. */
BLNI_PRIV bln_status blni_hmc_hopeless(const bln_hmc *hmc, bln_report *report)
{
    size_t stuck = 0, wider = 0;
    for (size_t c = 0; c < hmc->desc.chains; c++) {
        stuck += hmc->chain[c].stuck != 0;
        wider += hmc->chain[c].wider >= BLNI_HMC_WIDER;
    }
    if (wider == hmc->desc.chains)
        return blni_refuse(report, BLN_EUNDEFINED, "hmc: chains go farther and farther without bound: the density has no integral, "
                                                   "as where a prior is improper, or scales differ by more than 1e10");
    return stuck < hmc->desc.chains ? BLN_OK
         : blni_refuse(report, BLN_EUNDEFINED, "hmc: no chain has moved in a window of the warm-up: the density is not continuous, "
                                               "or its gradient is wrong (bln_density_check)");
}

/* Runs them, fills the report, and returns the status of the first that failed. */
BLNI_ONCE BLNI_PRIV bln_status blni_hmc_all(bln_hmc *hmc, size_t target, bln_report *report)
{
    /* Chains run side by side if threads may share the density, or each can have one of its own. */
    const int apart = hmc->desc.density.parallel || hmc->desc.density.clone;
    const blni_hmc_job job = { hmc, apart ? blni_pieces(1e18, hmc->desc.chains) : 1, target };
    size_t least = hmc->transitions, all = 0;
    uint64_t evaluations = 0;
    bln_status status = BLN_OK;
    blni_run_pieces(job.pieces, blni_hmc_piece, &job);
    for (size_t c = 0; c < hmc->desc.chains; c++) {
        const blni_hmc_chain *k = hmc->chain + c;
        least = blni_min(least, k->t);
        all += k->t;
        evaluations += k->system.evaluations;
        if (status == BLN_OK && k->status != BLN_OK) {
            status = k->status;
            if (report) { *report = k->report; report->row = c; }
        }
    }
    hmc->chains->draws = least > hmc->desc.warmup ? (least - hmc->desc.warmup)/hmc->desc.thin : 0;
    if (status == BLN_OK) status = blni_hmc_hopeless(hmc, report);
    if (report) { report->iterations = all; report->evaluations = (size_t)evaluations; }
    return status;
}

BLN_API bln_status bln_hmc_init(bln_hmc *hmc, bln_report *report)
{
    BLNI_TRY(blni_begin(report, hmc != NULL, "hmc: NULL"));
    for (size_t c = 0; c < hmc->desc.chains; c++) blni_hmc_reset(hmc, c);
    const bln_status status = blni_hmc_all(hmc, BLN_NONE, report);
    hmc->started = status == BLN_OK;
    return status;
}

BLN_API bln_status bln_hmc_step(bln_hmc *hmc, bln_report *report)
{
    BLNI_TRY(blni_begin(report, hmc != NULL, "hmc: NULL"));
    if (!hmc->started) return blni_refuse(report, BLN_ESTATE, "hmc: step without init");
    size_t least = hmc->transitions;
    for (size_t c = 0; c < hmc->desc.chains; c++) least = blni_min(least, hmc->chain[c].t);
    return blni_hmc_all(hmc, blni_min(hmc->transitions, blni_add(least, hmc->desc.block)), report);
}

BLN_API int bln_hmc_converged(const bln_hmc *hmc) { return !hmc || !hmc->started || hmc->chains->draws == hmc->desc.draws; }

BLNI_PRIV bln_status blni_hmc_watch(const bln_hmc *hmc)
{
    bln_hmc_progress p = { hmc->transitions, hmc->desc.warmup, hmc->transitions, 0, 0, hmc->chains };
    for (size_t c = 0; c < hmc->desc.chains; c++) {
        p.transition = blni_min(p.transition, hmc->chain[c].t);
        p.divergent += hmc->chain[c].divergent;
        p.evaluations += hmc->chain[c].system.evaluations;
    }
    return hmc->desc.monitor ? hmc->desc.monitor(hmc->desc.monitor_user, &p) : BLN_OK;
}

BLN_API bln_status bln_hmc_run(bln_hmc *hmc, bln_report *report)
{
    bln_status status = bln_hmc_init(hmc, report);
    while (status == BLN_OK && !bln_hmc_converged(hmc)) {
        status = bln_hmc_step(hmc, report);
        if (status != BLN_OK) break;
        status = blni_hmc_watch(hmc);
        if (status == BLN_ESTOPPED) {
            if (report) report->stop = BLN_STOP_MONITOR;
            return BLN_OK;
        }
        if (status != BLN_OK) blni_refuse(report, status, "hmc: the monitor returned an error");
    }
    return status;
}

BLN_API const bln_chains *bln_hmc_chains(const bln_hmc *hmc) { return hmc ? hmc->chains : NULL; }

BLN_API bln_status bln_hmc_chain_state(const bln_hmc *hmc, size_t chain, bln_hmc_chain *out)
{
    if (!hmc || !out || chain >= hmc->desc.chains) return BLN_EINVAL;
    const blni_hmc_chain *k = hmc->chain + chain;
    out->step = k->step;
    out->accept = k->t > hmc->desc.warmup ? k->accept/(double)(k->t - hmc->desc.warmup) : BLNI_NAN;
    out->divergent = k->divergent;
    out->saturated = k->saturated;
    out->evaluations = k->system.evaluations;
    out->rejected = k->system.rejected;
    out->scale = k->system.scale;
    out->factor = k->system.U;
    return BLN_OK;
}

BLN_API bln_status bln_hmc_sample(const bln_hmc_desc *desc, bln_chains **out, bln_report *report)
{
    bln_hmc *hmc = NULL;
    BLNI_TRY(blni_begin(report, out != NULL, "hmc: out is NULL"));
    bln_status status = bln_hmc_create(desc, &hmc, report);
    if (status == BLN_OK) status = bln_hmc_run(hmc, report);
    if (status == BLN_OK) { *out = hmc->chains; hmc->chains = NULL; }
    bln_hmc_free(hmc);
    return status;
}
