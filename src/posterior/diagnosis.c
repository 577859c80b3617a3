/* diagnosis: finds the worst of all columns, and writes the sentences about it */
#include "diagnosis.h"
#include "chains_private.h"
#include "../core/memory_private.h"
#include "../core/status_private.h"
#include "../math/decimal.h"

BLN_API bln_series bln_chains_series(const bln_chains *chains, size_t column)
{
    bln_series s = BLN_ZERO;
    if (!chains || column >= chains->columns) return s;
    s.x = chains->table + column;
    s.chains = chains->chains;
    s.draws = chains->draws;
    s.ld = chains->chains*chains->columns;
    s.ldchain = chains->columns;
    return s;
}

/* Room for what a series needs. */
BLNI_PRIV bln_status blni_series_room(const bln_chains *chains, void **work, size_t *bytes, bln_report *report)
{
    const bln_series s = bln_chains_series(chains, 0);
    *bytes = blni_mul(bln_series_work(&s), sizeof(double));
    return blni_take(&chains->alloc, *bytes, "chains", work, report);
}

BLN_API bln_status bln_chains_summary(const bln_chains *chains, size_t column, bln_summary *out, bln_report *report)
{
    const bln_series s = bln_chains_series(chains, column);
    void *work;
    size_t bytes;
    BLNI_TRY(blni_begin(report, s.x && out && s.draws > 0, "chains: a NULL, no such column, or no draws"));
    BLNI_TRY(blni_series_room(chains, &work, &bytes, report));
    bln_status status = bln_series_summary(&s, out, (double *)work, report);
    blni_release(&chains->alloc, work, bytes);
    return status;
}

/* ---- words */

enum { BLNI_DIAGNOSIS_TEXT = sizeof ((bln_diagnosis *)0)->text };

BLNI_PRIV void blni_diagnosis_say(bln_diagnosis *d, const char *text) { blni_cat(d->text, BLNI_DIAGNOSIS_TEXT, text); }
BLNI_PRIV void blni_diagnosis_count(bln_diagnosis *d, size_t n) { blni_cat_size(d->text, BLNI_DIAGNOSIS_TEXT, n); }
BLNI_PRIV void blni_diagnosis_number(bln_diagnosis *d, double x, int digits)
{
    char text[BLN_DECIMAL_TEXT];
    bln_decimal_write(x, digits, text);
    blni_diagnosis_say(d, text);
}

/* "7 of 4000 transitions" */
BLNI_PRIV void blni_diagnosis_of(bln_diagnosis *d, size_t n)
{
    blni_diagnosis_count(d, n);
    blni_diagnosis_say(d, " of ");
    blni_diagnosis_count(d, d->draws);
    blni_diagnosis_say(d, " transitions ");
}

/* "The bulk ESS of tau is 73 (should be at least 400)" */
BLNI_PRIV void blni_diagnosis_figure(bln_diagnosis *d, const char *what, const char *whose, double is, const char *should,
                                     double be, int digits)
{
    d->doubts++;
    blni_diagnosis_say(d, what);
    blni_diagnosis_say(d, whose);
    blni_diagnosis_say(d, " is ");
    blni_diagnosis_number(d, is, digits);
    blni_diagnosis_say(d, should);
    blni_diagnosis_number(d, be, 6);
    blni_diagnosis_say(d, "): ");
}

BLNI_PRIV void blni_diagnosis_words(const bln_chains *chains, const bln_diagnosis_desc *limit, bln_diagnosis *d)
{
    const double ess = limit->ess*(double)chains->chains;
    const char *least = " (should be at least ";
    if (d->divergent) {
        d->doubts++;
        blni_diagnosis_of(d, d->divergent);
        blni_diagnosis_say(d, "diverged: there are places that the sampler cannot enter, and what the draws say is biased."
                              " Raise accept to 0.95 or 0.99; if some remain, change the parameters (for groups: non-centred);"
                              " if many, and the density ends somewhere, give the parameter that bound.\n");
    }
    if (d->saturated) {
        blni_diagnosis_of(d, d->saturated);
        blni_diagnosis_say(d, "were cut off at the largest depth: the draws are right but dear."
                              " Scale or rotate the parameters (a dense metric), or raise max_depth.\n");
    }
    if (blni_finite(d->ebfmi) && d->ebfmi < limit->ebfmi) {      /* comparing a NaN, as of gibbs, traps */
        blni_diagnosis_say(d, "E-BFMI of chain ");
        blni_diagnosis_count(d, d->ebfmi_chain + 1);
        blni_diagnosis_figure(d, "", "", d->ebfmi, least, limit->ebfmi, 2);
        blni_diagnosis_say(d, "energies change slowly, as with heavy tails or scales that vary. Change the parameters.\n");
    }
    if (d->rhat > limit->rhat) {
        blni_diagnosis_figure(d, "R-hat of ", chains->name[d->rhat_column], d->rhat, " (should be at most ", limit->rhat, 4);
        blni_diagnosis_say(d, "the chains do not agree. Draw more, with more warm-up; if it stays, they are stuck apart.\n");
    }
    if (d->ess_bulk < ess) {
        blni_diagnosis_figure(d, "The bulk ESS of ", chains->name[d->ess_bulk_column], d->ess_bulk, least, ess, 3);
        blni_diagnosis_say(d, "means and medians are not to be relied on. Draw more.\n");
    }
    if (d->ess_tail < ess) {
        blni_diagnosis_figure(d, "The tail ESS of ", chains->name[d->ess_tail_column], d->ess_tail, least, ess, 3);
        blni_diagnosis_say(d, "variances and ends of intervals are not to be relied on. Draw more.\n");
    }
    if (d->unknown) {
        d->doubts++;
        blni_diagnosis_say(d, "Nothing can be said of ");
        blni_diagnosis_count(d, d->unknown);
        blni_diagnosis_say(d, d->unknown > 1 ? " parameters" : " parameter");
        blni_diagnosis_say(d, ": draws are not finite, or chains shorter than 6.\n");
    }
    if (d->constant) {
        blni_diagnosis_count(d, d->constant);
        blni_diagnosis_say(d, d->constant > 1 ? " parameters do not move.\n" : " parameter does not move.\n");
    }
}

/* ---- figures */

/* Takes up the figures of a column. */
BLNI_PRIV void blni_diagnosis_column(bln_diagnosis *d, size_t column, const bln_summary *s)
{
    if (d->rhat_column == BLN_NONE || s->rhat > d->rhat) { d->rhat = s->rhat; d->rhat_column = column; }
    if (d->ess_bulk_column == BLN_NONE || s->ess_bulk < d->ess_bulk) { d->ess_bulk = s->ess_bulk; d->ess_bulk_column = column; }
    if (d->ess_tail_column == BLN_NONE || s->ess_tail < d->ess_tail) { d->ess_tail = s->ess_tail; d->ess_tail_column = column; }
}

BLNI_PRIV void blni_diagnosis_energy(const bln_chains *chains, bln_diagnosis *d, double *out)
{
    const bln_series energy = bln_chains_series(chains, bln_chains_find(chains, "energy__"));
    if (!energy.x) return;
    bln_series_ebfmi(&energy, out, NULL);
    for (size_t c = 0; c < chains->chains; c++)
        if (out[c] == out[c] && (d->ebfmi_chain == BLN_NONE || out[c] < d->ebfmi)) { d->ebfmi = out[c]; d->ebfmi_chain = c; }
}

/* How many draws of a column are `least` at least; 0 if there is no such column. */
BLNI_PRIV size_t blni_diagnosis_at_least(const bln_chains *chains, const char *name, double least)
{
    const size_t column = bln_chains_find(chains, name);
    size_t n = 0;
    for (size_t i = 0; i < chains->draws*chains->chains && column != BLN_NONE; i++)
        n += chains->table[i*chains->columns + column] >= least;
    return n;
}

/* Is it a 0 or a 1 of a matrix, which its triangle or its diagonal has for all parameters? */
BLNI_PRIV int blni_diagnosis_fixed(const char *name, double value) { return strchr(name, ',') && (value == 0.0 || value == 1.0); }

BLNI_ONCE BLN_API bln_status bln_chains_diagnose(const bln_chains *chains, const bln_diagnosis_desc *desc, bln_diagnosis *out,
                                                 bln_report *report)
{
    bln_diagnosis_desc limit = { 0.0, 0.0, 0.0, 0 };
    void *work;
    size_t bytes;
    BLNI_TRY(blni_begin(report, chains && out && chains->draws > 0, "chains: a NULL, or no draws"));
    if (desc) limit = *desc;
    if (!(limit.rhat >= 0.0 && limit.ess >= 0.0 && limit.ebfmi >= 0.0))
        return blni_refuse(report, BLN_EINVAL, "chains: a limit is negative or NaN");
    if (limit.rhat == 0.0) limit.rhat = 1.01;
    if (limit.ess == 0.0) limit.ess = 100.0;
    if (limit.ebfmi == 0.0) limit.ebfmi = 0.3;
    if (limit.max_depth == 0) limit.max_depth = 10;
    BLNI_TRY(blni_series_room(chains, &work, &bytes, report));
    memset(out, 0, sizeof *out);
    out->rhat = out->ess_bulk = out->ess_tail = out->ebfmi = BLNI_NAN;
    out->rhat_column = out->ess_bulk_column = out->ess_tail_column = out->ebfmi_chain = BLN_NONE;
    out->draws = chains->draws*chains->chains;
    for (size_t k = 0; k < chains->columns; k++) {
        const bln_series s = bln_chains_series(chains, k);
        bln_summary sum;
        if (!bln_chains_is_parameter(chains, k) && strcmp(chains->name[k], "lp__")) continue;
        bln_series_summary(&s, &sum, (double *)work, NULL);                /* there are draws: it cannot fail */
        if (sum.rhat == sum.rhat) blni_diagnosis_column(out, k, &sum);
        else if (sum.sd == 0.0) out->constant += !blni_diagnosis_fixed(chains->name[k], sum.mean);
        else out->unknown++;
    }
    blni_diagnosis_energy(chains, out, (double *)work);
    out->divergent = blni_diagnosis_at_least(chains, "divergent__", 1.0);
    out->saturated = blni_diagnosis_at_least(chains, "treedepth__", (double)limit.max_depth);
    blni_diagnosis_words(chains, &limit, out);
    blni_release(&chains->alloc, work, bytes);
    return BLN_OK;
}
