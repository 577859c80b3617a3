/* sbc: ranks of simulated truths, and whether they are uniform */
#include "sbc.h"
#include "../random/rng_private.h"
#include "../core/memory_private.h"
#include "../core/status_private.h"
#include "../math/decimal.h"
#include "../math/special.h"

/* ---- are ranks uniform? */

/* P(k) of a binomial over n trials, by logs of the probability and its complement; lf[i] = log i!. */
BLNI_PRIV double blni_sbc_binomial(const double *lf, size_t n, size_t k, double yes, double no)
{
    return exp(lf[n] - lf[k] - lf[n - k] + (double)k*yes + (double)(n - k)*no);
}

/* tail[x] <- twice the smaller one of P(X <= x) and P(X >= x), x = 0..R, each summed from its end; 1 at most. */
BLNI_PRIV void blni_sbc_tails(const double *lf, size_t R, double z, double *tail)
{
    const double yes = log(z), no = log1p(-z);
    double sum = 0.0;
    for (size_t x = 0; x <= R; x++) {
        sum += blni_sbc_binomial(lf, R, x, yes, no);
        tail[x] = 2.0*sum < 1.0 ? 2.0*sum : 1.0;
    }
    sum = 0.0;
    for (size_t x = R + 1; x-- > 0;) {
        sum += blni_sbc_binomial(lf, R, x, yes, no);
        if (2.0*sum < tail[x]) tail[x] = 2.0*sum;
    }
}

/* The chance that K uniform ranks of R have a point as far out as the farthest of these counts. Inside the band lie x with a tail
 * above gamma at all k; given x truths below rank k, those of rank k are binomial (R - x, 1/(K - k)). The mass outside is what is
 * asked for; by the union bound it is below K gamma, which is returned where 1 - inside has no digits left.
 * lf, tail, inside, next: R + 1 each. */
BLNI_PRIV double blni_sbc_p(size_t R, size_t K, const double *count, double *lf, double *tail, double *inside, double *next)
{
    double gamma = 1.0, below = 0.0, total = 0.0;
    size_t low = 0, high = 0;                                    /* the band at the rank before */
    for (size_t x = 0; x <= R; x++) lf[x] = bln_lgamma((double)x + 1.0);
    for (size_t k = 1; k < K; k++) {
        below += count[k - 1];
        blni_sbc_tails(lf, R, (double)k/(double)K, tail);
        if (tail[(size_t)below] < gamma) gamma = tail[(size_t)below];
    }
    if (gamma*(double)K < 1e-12) return gamma*(double)K;
    inside[0] = 1.0;
    for (size_t k = 1; k < K; k++) {
        size_t from = 0, to = R;
        const double p = 1.0/(double)(K - k + 1), yes = log(p), no = log1p(-p);
        blni_sbc_tails(lf, R, (double)k/(double)K, tail);
        while (from <= R && !(tail[from] > gamma*(1.0 + 1e-9))) from++;
        while (to > from && !(tail[to] > gamma*(1.0 + 1e-9))) to--;
        if (from > R) return 1.0;
        for (size_t x = from; x <= to; x++) {
            next[x] = 0.0;
            for (size_t w = low; w <= high && w <= x; w++) next[x] += inside[w]*blni_sbc_binomial(lf, R - w, x - w, yes, no);
        }
        double *other = inside;
        inside = next;
        next = other;
        low = from;
        high = to;
    }
    for (size_t x = low; x <= high; x++) total += inside[x];
    return fmax(1.0 - total, 0.0);
}

/* Mean and square of ranks, in standard errors of those of a uniform u = (rank + 1/2)/K: v = E (u - 1/2)^2 = (1 - 1/K^2)/12, and
 * Var (u - 1/2)^2 = (1 - 1/K^2)(1 - 4/K^2)/180. */
BLNI_PRIV void blni_sbc_shape(size_t R, size_t K, const double *count, bln_sbc_rank *out)
{
    const double k2 = (double)K*(double)K, v = (1.0 - 1.0/k2)/12.0, n = (double)R;
    double first = 0.0, second = 0.0;
    for (size_t k = 0; k < K; k++) {
        const double u = ((double)k + 0.5)/(double)K - 0.5;
        first += count[k]*u/n;
        second += count[k]*u*u/n;
    }
    out->shift = first/sqrt(v/n);
    out->spread = K > 2 ? (second - v)/sqrt((1.0 - 1.0/k2)*(1.0 - 4.0/k2)/(180.0*n)) : 0.0;
}

/* ---- words */

enum { BLNI_SBC_TEXT = sizeof ((bln_sbc *)0)->text };

BLNI_PRIV void blni_sbc_say(bln_sbc *s, const char *text) { blni_cat(s->text, BLNI_SBC_TEXT, text); }

BLNI_PRIV void blni_sbc_words(const bln_sbc_desc *d, const bln_sbc_rank *w, bln_sbc *out)
{
    char number[BLN_DECIMAL_TEXT];
    out->text[0] = '\0';
    blni_sbc_say(out, out->uniform ? "The ranks are as uniform as those of a right inference: p is "
                                   : "The ranks are not uniform: p is ");
    bln_decimal_write(out->p, 2, number);
    blni_sbc_say(out, number);
    blni_sbc_say(out, out->uniform ? ", of " : ", by ");
    if (d->names) blni_cat(out->text, BLNI_SBC_TEXT/2, d->names[out->worst]);
    else {
        blni_sbc_say(out, "q[");
        blni_cat_size(out->text, BLNI_SBC_TEXT, out->worst + 1);
        blni_sbc_say(out, "]");
    }
    blni_sbc_say(out, out->uniform ? ".\n" : "");
    if (!out->uniform && fabs(w->shift) > fabs(w->spread) && fabs(w->shift) > 3.0)
        blni_sbc_say(out, w->shift > 0.0 ? ". Its draws lie too low.\n" : ". Its draws lie too high.\n");
    else if (!out->uniform && fabs(w->spread) > 3.0)
        blni_sbc_say(out, w->spread < 0.0 ? ". Its draws are too wide.\n" : ". Its draws are too narrow.\n");
    else if (!out->uniform) blni_sbc_say(out, ". Look at their histogram.\n");
    if (w->correlation > 0.2) {
        blni_sbc_say(out, "Its ranked draws are correlated, ");
        bln_decimal_write(w->correlation, 2, number);
        blni_sbc_say(out, number);
        blni_sbc_say(out, " from one to the next, which alone makes them look too narrow: thin more.\n");
    }
}

/* ---- replicates */

typedef struct blni_sbc_room {
    double *truth, *draws, *count;     /* Q; L thin x Q; Q x (L + 1)                                                   */
    double *near, *moved;              /* Q: sum of the correlations, and of how many replicates                       */
    double *band[4];                   /* R + 1 each                                                                   */
    bln_sbc_rank *of;                  /* Q                                                                            */
} blni_sbc_room;

BLNI_PRIV blni_sbc_room blni_sbc_carve(blni_arena *a, const bln_sbc_desc *d)
{
    blni_sbc_room m;
    m.truth = blni_carve_doubles(a, d->quantities);
    m.draws = blni_carve_doubles(a, blni_mul(blni_mul(d->draws, d->thin), d->quantities));
    m.count = blni_carve_doubles(a, blni_mul(blni_add(d->draws, 1), d->quantities));
    BLNI_CARVE2(a, d->quantities, m.near, m.moved);
    for (size_t k = 0; k < 4; k++) m.band[k] = blni_carve_doubles(a, blni_add(d->replicates, 1));
    m.of = (bln_sbc_rank *)blni_carve(a, d->quantities, sizeof *m.of);
    return m;
}

/* The rank of quantity q, ties by chance, and what its ranked draws add to their correlation. */
BLNI_PRIV size_t blni_sbc_rank_of(const bln_sbc_desc *d, const blni_sbc_room *m, size_t q, bln_rng *rng)
{
    const size_t L = d->draws, step = d->thin*d->quantities;
    const double *x = m->draws + (d->thin - 1)*d->quantities + q;
    size_t rank = 0, ties = 0;
    double mean = 0.0, near = 0.0, square = 0.0;
    for (size_t i = 0; i < L; i++) {
        rank += x[i*step] < m->truth[q];
        ties += x[i*step] == m->truth[q];
        mean += x[i*step]/(double)L;
    }
    for (size_t i = 0; i < L; i++) {
        const double e = x[i*step] - mean;
        square += e*e;
        if (i + 1 < L) near += e*(x[(i + 1)*step] - mean);
    }
    if (square > 0.0) { m->near[q] += near/square; m->moved[q] += 1.0; }
    return rank + (ties ? (size_t)bln_rng_below(rng, ties + 1) : 0);
}

/* Replicate r: its ranks are counted, and kept if the caller wants them. */
BLNI_PRIV bln_status blni_sbc_replicate(const bln_sbc_desc *d, const blni_sbc_room *m, size_t r, size_t *ranks, bln_report *report)
{
    const size_t Q = d->quantities, n = d->draws*d->thin;
    bln_report_clear(report);
    bln_rng rng = blni_rng_of(d->seed, r);
    bln_status status = d->simulate(d->user, &rng, m->truth, report);
    if (status == BLN_OK) status = d->infer(d->user, &rng, n, m->draws, report);
    if (status != BLN_OK) {
        if (report && !report->text[0]) return blni_fail(report, status, r, BLN_NONE, "sbc: a function of yours failed");
        if (report) report->row = r;
        return status;
    }
    for (size_t i = 0; i < (n + 1)*Q; i++)
        if (!blni_finite(i < Q ? m->truth[i] : m->draws[i - Q]))
            return blni_fail(report, BLN_EDATA, r, i % Q, i < Q ? "sbc: a truth is not finite" : "sbc: a draw is not finite");
    for (size_t q = 0; q < Q; q++) {
        const size_t rank = blni_sbc_rank_of(d, m, q, &rng);
        m->count[q*(d->draws + 1) + rank] += 1.0;
        if (ranks) ranks[r*Q + q] = rank;
    }
    return BLN_OK;
}

/* The mean over L draws takes about 1/L off their correlation. */
BLNI_PRIV void blni_sbc_judge(const bln_sbc_desc *d, const blni_sbc_room *m, bln_sbc *out)
{
    const size_t Q = d->quantities, K = d->draws + 1;
    out->worst = 0;
    for (size_t q = 0; q < Q; q++) {
        const double *count = m->count + q*K;
        bln_sbc_rank *of = &m->of[q];
        of->p = blni_sbc_p(d->replicates, K, count, m->band[0], m->band[1], m->band[2], m->band[3]);
        blni_sbc_shape(d->replicates, K, count, of);
        of->correlation = m->moved[q] > 0.0 ? m->near[q]/m->moved[q] + 1.0/(double)d->draws : BLNI_NAN;
        if (of->p < m->of[out->worst].p) out->worst = q;
    }
    const bln_sbc_rank *worst = &m->of[out->worst];
    out->p = worst->p*(double)Q < 1.0 ? worst->p*(double)Q : 1.0;
    out->uniform = out->p >= d->level;
    blni_sbc_words(d, worst, out);
}

BLNI_ONCE BLN_API bln_status bln_sbc_run(const bln_sbc_desc *desc, bln_sbc *out, bln_sbc_rank *of, size_t *ranks,
                                         bln_report *report)
{
    BLNI_TRY(blni_begin(report, desc && out && desc->simulate && desc->infer && desc->quantities > 0,
                        "sbc: a NULL, or nothing to rank"));
    bln_sbc_desc d = *desc;
    if (d.replicates == 0) d.replicates = 1000;
    if (d.draws == 0) d.draws = 63;
    if (d.thin == 0) d.thin = 1;
    if (d.level == 0.0) d.level = 0.001;
    if (!(d.level > 0.0 && d.level < 1.0) || !blni_allocator_ok(&d.alloc))
        return blni_refuse(report, BLN_EINVAL, "sbc: a level outside (0, 1), or half an allocator");
    for (size_t q = 0; q < d.quantities && d.names; q++)
        if (!d.names[q]) return blni_fail(report, BLN_EINVAL, BLN_NONE, q, "sbc: a name is NULL");
    blni_arena a = blni_arena_over(NULL, 0);
    blni_sbc_carve(&a, &d);
    BLNI_TRY(blni_arena_take(&d.alloc, a.used, "sbc", &a, report));
    bln_status status = BLN_OK;
    const blni_sbc_room m = blni_sbc_carve(&a, &d);
    memset(a.base, 0, a.size);
    for (size_t r = 0; r < d.replicates && status == BLN_OK; r++) status = blni_sbc_replicate(&d, &m, r, ranks, report);
    if (status == BLN_OK) {
        blni_sbc_judge(&d, &m, out);
        if (of) memcpy(of, m.of, d.quantities*sizeof *of);
    }
    blni_release(&d.alloc, a.base, a.size);
    return status;
}
