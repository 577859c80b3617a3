/* density: calls the user's function, makes tables of draws, and checks the gradient by differences */
#include "density_private.h"
#include "../random/rng_private.h"
#include "../core/data_private.h"
#include "../core/memory_private.h"
#include "../core/status_private.h"
#include "../math/decimal.h"

BLN_API const char *bln_density_reason(const bln_density *d)
{
    if (!d) return "density: NULL";
    if (d->dim == 0) return "density: dim is 0";
    if (!d->eval) return "density: eval is NULL";
    if (d->n_out && !d->output) return "density: n_out without output";
    return !d->clone == !d->release ? NULL : "density: clone and release come together";
}

/* Random numbers of a kind 1..15 for number i of chain or path c: streams far from the small numbers that others count by. The kind
 * is the highest four bits. */
BLNI_PRIV bln_rng blni_density_rng(uint64_t seed, unsigned kind, size_t c, size_t i)
{
    return blni_rng_of(seed, (((uint64_t)kind << 20 | ((uint64_t)c & 0xfffffu)) << 40) | (uint64_t)i);
}

/* Does a status say that a point is impossible? */
BLNI_PRIV int blni_density_impossible(bln_status status)
{
    return status == BLN_EDOMAIN || status == BLN_ENOTPD || status == BLN_ENUMERIC;
}

/* The density at q, -infinity where it is impossible: by its value, or by a status that says so. The report keeps the reason of the
 * last. A value of +infinity is no density, and counts as impossible too. Gradients are not looked at. */
BLNI_PRIV bln_status blni_density_eval(const bln_density *d, void *user, const double *q, double *value, double *gradient,
                                       bln_report *report)
{
    *value = BLNI_NAN;
    const bln_status status = d->eval(user, q, value, gradient, report);
    const int impossible = blni_density_impossible(status);
    if (status != BLN_OK && !impossible) return status;
    if (impossible || !blni_finite(*value)) *value = -HUGE_VAL;
    return BLN_OK;
}

/* BLN_ENUMERIC for this reason, and the one that the report has already. */
BLNI_PRIV bln_status blni_density_refuse(bln_report *report, const char *what)
{
    char why[sizeof ((bln_report *)0)->text] = "";
    if (report) memcpy(why, report->text, sizeof why);
    blni_refuse(report, BLN_ENUMERIC, what);
    if (why[0]) { blni_say(report, ": "); blni_say(report, why); }
    return BLN_ENUMERIC;
}

/* q <- start, or, where there is none, the first of 100 random places within the radius that is possible; gradient[dim] there. */
BLNI_ONCE BLNI_PRIV bln_status blni_density_begin(const bln_density *d, const double *start, double radius, bln_rng *rng, double *q,
                                                  double *gradient, bln_report *report)
{
    for (int tries = 0; tries < (start ? 1 : 100); tries++) {
        double lp;
        for (size_t i = 0; i < d->dim; i++) q[i] = start ? start[i] : radius*(2.0*bln_rng_uniform(rng) - 1.0);
        BLNI_TRY(blni_density_eval(d, d->user, q, &lp, gradient, report));
        if (lp > -HUGE_VAL && blni_all_finite(d->dim, gradient)) return BLN_OK;
    }
    return blni_density_refuse(report, start ? "the density or its gradient is not finite at the start"
                                             : "the density or its gradient is not finite at 100 random starts");
}

/* ---- tables of draws: the columns of the density, and behind them n_own of who draws */

BLNI_PRIV size_t blni_density_outputs(const bln_density *d) { return d->n_out ? d->n_out : d->dim; }

/* The name of a column: the density's, or one that is made up, or one of own. */
BLNI_PRIV void blni_density_name(const bln_density *d, const char *const *own, size_t column, char *text)
{
    const size_t outputs = blni_density_outputs(d);
    text[0] = '\0';
    if (column >= outputs) { blni_cat(text, BLNI_CHAINS_NAME, own[column - outputs]); return; }
    if (d->name) d->name(d->user, column, text, BLNI_CHAINS_NAME);
    text[BLNI_CHAINS_NAME - 1] = '\0';
    if (text[0] == '\0') blni_chains_default_name(column, text);
}

/* Bytes of all names. */
BLNI_PRIV size_t blni_density_names_size(const bln_density *d, const char *const *own, size_t columns)
{
    char name[BLNI_CHAINS_NAME];
    size_t text = 0;
    for (size_t k = 0; k < columns; k++) {
        blni_density_name(d, own, k, name);
        text = blni_add(text, strlen(name) + 1);
    }
    return text;
}

BLNI_PRIV size_t blni_density_table_size(const bln_density *d, const char *const *own, size_t n_own, size_t chains, size_t draws)
{
    const size_t columns = blni_add(blni_density_outputs(d), n_own);
    return blni_chains_size(chains, draws, columns, blni_density_names_size(d, own, columns));
}

BLNI_PRIV bln_status blni_density_table(const bln_density *d, const char *const *own, size_t n_own, const bln_allocator *alloc,
                                        size_t chains, size_t draws, bln_chains **out, bln_report *report)
{
    char *names;
    const size_t columns = blni_add(blni_density_outputs(d), n_own);
    const bln_status status = blni_chains_make(alloc, chains, draws, columns, blni_density_names_size(d, own, columns), out, &names,
                                               report);
    for (size_t k = 0; k < columns && status == BLN_OK; k++) {
        char name[BLNI_CHAINS_NAME];
        blni_density_name(d, own, k, name);
        if (!blni_chains_name_ok(name)) return blni_fail(report, BLN_EINVAL, BLN_NONE, k, "density: a name with a line end");
        (*out)->name[k] = strcpy(names, name);
        names += strlen(name) + 1;
    }
    return status;
}

/* Draw i of chain c into its row, up to the columns of who draws, whose place is returned. */
BLNI_PRIV double *blni_density_keep(const bln_density *d, void *user, const double *q, uint64_t seed, bln_chains *chains, size_t c,
                                    size_t i)
{
    double *row = blni_chains_row(chains, c, i);
    if (d->n_out) d->output(user, q, seed, (uint64_t)c << 32 | (uint64_t)i, row);
    else memcpy(row, q, d->dim*sizeof *row);
    return row + blni_density_outputs(d);
}

/* ---- the check */

#define BLNI_CHECK_BOUND 1e-4

typedef struct blni_check { const bln_density *d; double *q, *gradient, worst; bln_report *report; } blni_check;

BLNI_PRIV bln_status blni_check_differs(blni_check *c, size_t k, double gradient, double difference)
{
    char text[BLN_DECIMAL_TEXT];
    const bln_status status = blni_fail(c->report, BLN_EDOMAIN, BLN_NONE, k, "density: the gradient is wrong");
    bln_decimal_write(gradient, 6, text);
    blni_say(c->report, ": it says ");
    blni_say(c->report, text);
    bln_decimal_write(difference, 6, text);
    blni_say(c->report, ", differences say ");
    blni_say(c->report, text);
    return status;
}

/* *slope <- (8 (p(h) - p(-h)) - (p(2h) - p(-2h)))/12h of the density along coordinate k: its error is of order h^4 [Fornberg 1988].
 * NaN where one of the points is impossible. */
BLNI_PRIV bln_status blni_check_slope(blni_check *c, size_t k, double h, double *slope)
{
    static const double at[4] = { 1.0, -1.0, 2.0, -2.0 };
    const double q = c->q[k];
    double p[4];
    bln_status status = BLN_OK;
    for (int i = 0; i < 4 && status == BLN_OK; i++) {
        c->q[k] = q + at[i]*h;
        status = blni_density_eval(c->d, c->d->user, c->q, p + i, NULL, c->report);
    }
    c->q[k] = q;
    if (status == BLN_OK) *slope = (8.0*(p[0] - p[1]) - (p[2] - p[3]))/(12.0*h);
    return status;
}

/* Of the value, which is known to some ulps, 1.5/h times as much is left in a difference. */
BLNI_PRIV bln_status blni_check_coordinate(blni_check *c, size_t k, double value)
{
    const double g = c->gradient[k], h = 1e-3*(1.0 + fabs(c->q[k]));
    double wide, narrow;
    BLNI_TRY(blni_check_slope(c, k, h, &wide));
    BLNI_TRY(blni_check_slope(c, k, 0.1*h, &narrow));
    const double best = fabs(g - wide) < fabs(g - narrow) || narrow != narrow ? wide : narrow;
    const double error = fabs(g - best)/(1.0 + fabs(g)), rounding = 64.0*DBL_EPSILON*fabs(value)/(0.1*h);
    if (!blni_finite(best)) return BLN_OK;       /* at the edge of what is possible */
    if (error > c->worst) c->worst = error;
    return error > BLNI_CHECK_BOUND + rounding/(1.0 + fabs(g)) ? blni_check_differs(c, k, g, best) : BLN_OK;
}

/* At the point that c->q holds; `first`: where it must be possible. */
BLNI_PRIV bln_status blni_check_point(blni_check *c, int first)
{
    double value, again, alone;
    BLNI_TRY(blni_density_eval(c->d, c->d->user, c->q, &value, c->gradient, c->report));
    BLNI_TRY(blni_density_eval(c->d, c->d->user, c->q, &alone, NULL, c->report));
    BLNI_TRY(blni_density_eval(c->d, c->d->user, c->q, &again, c->gradient, c->report));
    bln_report_clear(c->report);
    if (!blni_finite(value) || !blni_all_finite(c->d->dim, c->gradient))
        return first ? blni_refuse(c->report, BLN_ENUMERIC,
                                   "density: the log density or its gradient is not finite at the point") : BLN_OK;
    if (value != again) return blni_refuse(c->report, BLN_EDOMAIN, "density: two calls with the same q give different values");
    if (!(fabs(value - alone) <= 1e-10*(1.0 + fabs(value))))
        return blni_refuse(c->report, BLN_EDOMAIN, "density: the value without a gradient is another one");
    for (size_t k = 0; k < c->d->dim; k++) BLNI_TRY(blni_check_coordinate(c, k, value));
    return BLN_OK;
}

BLNI_ONCE BLN_API bln_status bln_density_check(const bln_density *density, const double *q, double *worst, bln_report *report)
{
    const char *why = bln_density_reason(density);
    void *block;
    BLNI_TRY(blni_begin(report, !why, why));
    const size_t D = density->dim, bytes = blni_mul(2*sizeof(double), D);
    for (size_t k = 0; k < D && q; k++)
        if (!blni_finite(q[k])) return blni_fail(report, BLN_EINVAL, BLN_NONE, k, "density: q is not finite");
    BLNI_TRY(blni_take(NULL, bytes, "density", &block, report));
    blni_check c = { density, (double *)block, (double *)block + D, 0.0, report };
    bln_status status = BLN_OK;
    bln_rng rng = blni_rng_of(0, 0);
    for (int point = 0; point < 3 && status == BLN_OK; point++) {
        for (size_t k = 0; k < D; k++) c.q[k] = (q ? q[k] : 0.0) + (point ? 2.0*bln_rng_uniform(&rng) - 1.0 : 0.0);
        status = blni_check_point(&c, point == 0);
    }
    if (status == BLN_OK) bln_report_clear(report);
    if (worst) *worst = c.worst;
    blni_release(NULL, block, bytes);
    return status;
}
