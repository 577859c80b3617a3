/* approximation: draws of q, their importance weights, and draws chosen by weight */
#include "approximation_private.h"
#include "../random/rng_private.h"
#include "../core/data_private.h"
#include "../core/status_private.h"
#include "../math/decimal.h"
#include "../math/special.h"
#include "../posterior/psis_private.h"

static const char *const blni_approx_names[BLNI_APPROX_COLUMNS] = { "lp__", "lp_approx__", "log_weight__" };

/* As blni_density_eval, but -infinity also where the gradient is not finite, or q is not. */
BLNI_PRIV bln_status blni_approx_log_p(const bln_density *d, const double *q, double *gradient, double *lp, bln_report *report)
{
    *lp = -HUGE_VAL;
    if (!blni_all_finite(d->dim, q)) return BLN_OK;
    const bln_status status = blni_density_eval(d, d->user, q, lp, gradient, report);
    if (status == BLN_OK && gradient && !blni_all_finite(d->dim, gradient)) *lp = -HUGE_VAL;
    return status;
}

/* ---- weights */

/* Fewer effective draws than these, and not half of all, say nothing of the tail. */
#define BLNI_APPROX_FEW 25.0

BLNI_ONCE BLNI_PRIV void blni_importance_words(bln_importance *o)
{
    char k[BLN_DECIMAL_TEXT];
    const size_t size = sizeof o->text;
    if (o->draws == 1) { strcpy(o->text, "one draw: no weights to judge the approximation by"); return; }
    bln_decimal_write(o->k_hat, o->good ? 2 : 3, k);           /* so that 0.704 is above 0.7 */
    strcpy(o->text, "k-hat ");
    blni_cat(o->text, size, k);
    if (!o->good && o->k_hat <= bln_psis_limit(o->draws)) {
        bln_decimal_write(o->ess, 2, k);
        blni_cat(o->text, size, ", but only ");
        blni_cat(o->text, size, k);
        blni_cat(o->text, size, " effective draws: do not believe them; draw more, or from a closer approximation");
    } else if (o->good)
        blni_cat(o->text, size, o->k_hat > bln_psis_limit(o->draws) ? ", but weights are nearly equal; believe the draws with them"
                                : o->k_hat <= 0.5 ? ": the approximation is close; believe its draws with their weights"
                                                : ": the approximation is off, but its draws can be believed with their weights");
    else {
        bln_decimal_write(bln_psis_limit(o->draws), 3, k);
        blni_cat(o->text, size, ", above ");
        blni_cat(o->text, size, k);
        blni_cat(o->text, size, ": do not believe the approximation, nor its weights; start the no-U-turn sampler from its draws");
    }
}

/* l, S log ratios, become smoothed log weights. work: 2 S. */
BLNI_ONCE BLNI_PRIV bln_status blni_importance_of(size_t S, double *l, bln_importance *out, double *work, bln_report *report)
{
    blni_running bound = BLN_ZERO, weight = BLN_ZERO;
    bln_importance o = BLN_ZERO;
    double top = -HUGE_VAL, squares = 0.0;
    o.draws = S;
    for (size_t s = 0; s < S; s++) if (l[s] > top) top = l[s];
    for (size_t s = 0; s < S; s++) {
        if (l[s] > -HUGE_VAL) blni_running_add(&bound, 1.0, l[s]);
        else o.impossible += l[s] == -HUGE_VAL;
        blni_running_add(&weight, 1.0, exp(l[s] - top));
    }
    /* Where q is p, differences of l are rounding, and no tail. */
    for (size_t s = 0; s < S; s++) if (l[s] > -HUGE_VAL) l[s] = -1e-9*floor((top - l[s])/1e-9 + 0.5);
    BLNI_TRY(bln_psis(S, l, 0.0, &o.k_hat, work, report));
    for (size_t s = 0; s < S; s++) squares += exp(2.0*l[s]);
    o.elbo = o.impossible ? -HUGE_VAL : bound.mean;
    o.elbo_se = !o.impossible && bound.weight > 1.0 ? sqrt(bound.scatter/(bound.weight - 1.0)/bound.weight) : BLNI_NAN;
    o.log_evidence = top + log(weight.mean);
    o.log_evidence_se = S > 1 ? sqrt(weight.scatter/((double)S - 1.0)/(double)S)/weight.mean : BLNI_NAN;
    o.ess = 1.0/squares;
    o.good = o.ess > 0.9*(double)S + 1.0 || (o.k_hat <= bln_psis_limit(S) && (o.ess >= BLNI_APPROX_FEW || o.ess >= 0.5*(double)S));
    blni_importance_words(&o);
    *out = o;
    return BLN_OK;
}

BLN_API bln_status bln_chains_importance(const bln_chains *chains, bln_importance *out, bln_report *report)
{
    const size_t S = bln_chains_count(chains)*bln_chains_draws(chains), columns = bln_chains_columns(chains);
    const size_t lp = bln_chains_find(chains, blni_approx_names[0]), lq = bln_chains_find(chains, blni_approx_names[1]);
    const size_t bytes = blni_mul(3*sizeof(double), S);
    void *work;
    BLNI_TRY(blni_begin(report, chains && out && S > 0 && lp != BLN_NONE && lq != BLN_NONE,
                        "importance: a NULL, no draws, or no columns lp__ and lp_approx__"));
    BLNI_TRY(blni_take(&chains->alloc, bytes, "importance", &work, report));
    double *l = (double *)work;
    for (size_t s = 0; s < S; s++) l[s] = chains->table[s*columns + lp] - chains->table[s*columns + lq];
    bln_status status = blni_importance_of(S, l, out, l + S, report);
    blni_release(&chains->alloc, work, bytes);
    return status;
}

/* key <- log weights with Gumbel noise, of which the largest n, at the end, are a sample without replacement; place: whose. */
BLNI_PRIV void blni_pick(size_t S, size_t n, bln_rng *rng, double *key, double *place)
{
    for (size_t s = 0; s < S; s++) { key[s] -= log(bln_rng_exponential(rng)); place[s] = (double)s; }
    blni_sort_largest(S, n, key, place);
}

/* place[i], i < n, by one uniform for all.                                                              [Kitagawa 1996] */
BLNI_PRIV void blni_pick_again(size_t S, size_t n, bln_rng *rng, const double *l, double *place)
{
    const double u = bln_rng_uniform(rng), log_total = bln_logsumexp(S, l);
    double sum = 0.0;
    size_t i = 0, last = 0;
    for (size_t s = 0; s < S; s++) {
        sum += exp(l[s] - log_total);
        if (l[s] > -HUGE_VAL) last = s;
        while (i < n && ((double)i + u)/(double)n < sum) place[i++] = (double)s;
    }
    while (i < n) place[i++] = (double)last;                     /* where rounding leaves the sum below 1 */
}

BLNI_ONCE BLN_API bln_status bln_chains_resample(const bln_chains *chains, size_t draws, int replace, uint64_t seed,
                                                 bln_chains **out, bln_report *report)
{
    const size_t S = bln_chains_count(chains)*bln_chains_draws(chains), columns = bln_chains_columns(chains);
    const size_t weight = bln_chains_find(chains, blni_approx_names[2]), room = blni_max(S, draws);
    const size_t bytes = blni_add(blni_mul(2*sizeof(double), room), blni_mul(sizeof(size_t), draws));
    bln_rng rng = blni_density_rng(seed, BLNI_APPROX_PICK, 1, 0);
    bln_chains_desc desc = BLN_ZERO;
    bln_chains *made = NULL;
    void *block;
    size_t some = 0;
    BLNI_TRY(blni_begin(report, chains && out && draws > 0 && weight != BLN_NONE,
                        "resample: a NULL, no draws asked for, or no column log_weight__"));
    for (size_t s = 0; s < S; s++) {
        const double l = chains->table[s*columns + weight];
        if (!(l < HUGE_VAL)) return blni_fail(report, BLN_EDATA, s, weight, "resample: a log weight is NaN or infinite");
        some += l > -HUGE_VAL;
    }
    if (some == 0 || (!replace && draws > some))
        return blni_refuse(report, BLN_EINVAL, "resample: more draws asked for than have a weight");
    desc.draws = draws;
    desc.columns = columns;
    desc.names = chains->name;
    desc.alloc = chains->alloc;
    bln_status status = bln_chains_create(&desc, &made, report);
    if (status == BLN_OK) status = blni_take(&chains->alloc, bytes, "resample", &block, report);
    if (status != BLN_OK) { bln_chains_free(made); return status; }
    double *l = (double *)block, *place = l + room;
    size_t *order = (size_t *)(void *)(place + room);
    for (size_t s = 0; s < S; s++) l[s] = chains->table[s*columns + weight];
    if (replace) blni_pick_again(S, draws, &rng, l, place);
    else { blni_pick(S, draws, &rng, l, place); place += S - draws; }
    bln_rng_permutation(&rng, draws, order);
    for (size_t i = 0; i < draws; i++)
        memcpy(made->table + i*columns, chains->table + (size_t)place[order[i]]*columns, columns*sizeof(double));
    for (size_t i = 0; i < draws; i++) made->table[i*columns + weight] = -log((double)draws);
    made->draws = draws;
    blni_release(&chains->alloc, block, bytes);
    *out = made;
    return BLN_OK;
}

/* ---- what an approximation ends with */

BLNI_PRIV size_t blni_approx_table_size(const bln_density *d, size_t chains, size_t draws)
{
    return blni_density_table_size(d, blni_approx_names, BLNI_APPROX_COLUMNS, chains, draws);
}

BLNI_PRIV bln_status blni_approx_table(const bln_density *d, const bln_allocator *alloc, size_t chains, size_t draws,
                                       bln_chains **out, bln_report *report)
{
    return blni_density_table(d, blni_approx_names, BLNI_APPROX_COLUMNS, alloc, chains, draws, out, report);
}

/* One more draw, the number n, in the running mean of each scope, and in the scatter that log_p_se holds until the end. */
BLNI_PRIV void blni_scopes_add(const blni_density_parts *parts, double n, bln_scope_terms *scopes)
{
    for (size_t k = 0; k < parts->n_terms; k++) {
        const double off = parts->term[k] - scopes[k].log_p;
        scopes[k].log_p += off/n;
        scopes[k].log_p_se += off*(parts->term[k] - scopes[k].log_p);
    }
}

/* Along a coordinate, a hundred times as far away, the density should be less than 1/100 of that at the mean: else about as much
 * of it lies there as here. Points are not moved; where eval fails so far out nothing is said. q: dim numbers. */
BLNI_ONCE BLNI_PRIV void blni_approx_falls(const bln_density *d, double *q, bln_approximation *o)
{
    double here, away;
    memcpy(q, o->mean, d->dim*sizeof *q);
    if (d->dim > 250 || 2*d->dim > o->importance.draws) return;
    if (blni_approx_log_p(d, q, NULL, &here, NULL) != BLN_OK || !(here > -HUGE_VAL)) return;
    o->evaluations++;
    for (size_t i = 0; i < 2*d->dim; i++) {
        if (!(o->scale[i/2] > 0.0)) continue;
        const double far = 100.0*(fabs(o->mean[i/2]) + o->scale[i/2]);
        q[i/2] = o->mean[i/2] + (i % 2 ? far : -far);
        const bln_status status = blni_approx_log_p(d, q, NULL, &away, NULL);
        q[i/2] = o->mean[i/2];
        o->evaluations++;
        if (status != BLN_OK || away < here - log(100.0)) continue;
        strcpy(o->importance.text, "free coordinate ");
        blni_cat_size(o->importance.text, sizeof o->importance.text, i/2 + 1);
        blni_cat(o->importance.text, sizeof o->importance.text, ": the density hardly falls: it has no integral, as where a prior "
                 "is missing, or most of it is elsewhere: do not believe the approximation");
        o->importance.good = 0;
        return;
    }
}

/* Fills the table, the weights and the starts. q: dim, starts: BLNI_APPROX_STARTS x dim, work: BLNI_APPROX_WORK numbers a draw;
 * scopes: zeros, which become log_p and its error                                                          (NULL: not asked for) */
BLNI_ONCE BLNI_PRIV bln_status blni_approx_tabulate(const bln_density *d, uint64_t seed, blni_approx_draw draw, void *self,
                                                    bln_chains *chains, double *q, double *starts, double *work,
                                                    bln_scope_terms *scopes, bln_approximation *out, bln_report *report)
{
    const size_t C = chains->chains, S = C*chains->room, weight = chains->columns - 1;
    double *l = work, *place = work + S, log_q, possible = 0.0;
    bln_rng rng = blni_density_rng(seed, BLNI_APPROX_PICK, 0, 0);
    for (size_t s = 0; s < S; s++) {
        double lp;
        draw(self, s % C, s/C, q, &log_q);
        BLNI_TRY(blni_approx_log_p(d, q, NULL, &lp, report));
        out->evaluations++;
        if (scopes && lp > -HUGE_VAL) blni_scopes_add(d->parts, possible += 1.0, scopes);
        double *own = blni_density_keep(d, d->user, q, seed, chains, s % C, s/C);
        own[0] = lp;
        own[1] = log_q;
        l[s] = lp - log_q;                                       /* log q of a draw of q is finite */
    }
    const bln_status status = blni_importance_of(S, l, &out->importance, place, report);
    if (status != BLN_OK) return blni_refuse(report, status, "the density is 0 at all draws of the approximation");
    for (size_t k = 0; scopes && k < d->parts->n_terms; k++)
        scopes[k].log_p_se = possible > 1.0 ? sqrt(scopes[k].log_p_se/(possible - 1.0)/possible) : BLNI_NAN;
    chains->draws = chains->room;
    for (size_t s = 0; s < S; s++) chains->table[s*chains->columns + weight] = l[s];
    const size_t n = blni_min(BLNI_APPROX_STARTS, S - out->importance.impossible);
    blni_pick(S, n, &rng, l, place);
    for (size_t k = 0; k < n; k++) {                             /* they are not kept: drawn again */
        const size_t s = (size_t)place[S - 1 - k];
        draw(self, s % C, s/C, starts + k*d->dim, &log_q);
    }
    out->dim = d->dim;
    out->starts = starts;
    out->n_starts = n;
    out->draws = chains;
    return BLN_OK;
}
