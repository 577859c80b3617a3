/* calibrate: residuals of the training rows divided by their predictive standard deviations, both from a fit without the row */
#include "calibrate.h"
#include "predictions.h"
#include <math.h>
#include <stdlib.h>

/* For each row its weight, or in groups its share of its group's weight. 0: the other rows say nothing about it. */
static double *calibrate_weights(const cli_rows *rows, const predictions *p)
{
    const size_t n = p->n;
    double *weight = (double *)cli_memory(n, sizeof *weight);
    for (size_t i = 0; i < n; i++)
        weight[i] = p->mean[i*p->P] != p->mean[i*p->P] ? 0.0 : rows->data.weight ? rows->data.weight[i] : 1.0;
    if (!rows->group) return weight;
    double *total = (double *)cli_memory(rows->n_groups, sizeof *total);
    for (size_t i = 0; i < n; i++) total[rows->group[i]] += weight[i];
    for (size_t i = 0; i < n; i++) if (weight[i] > 0.0) weight[i] /= total[rows->group[i]];
    free(total);
    return weight;
}

static int calibrate_by(model *m, const cli_rows *rows, const predictions *p, cli_why *why)
{
    bln_report report;
    const size_t P = p->P;
    double *weight = calibrate_weights(rows, p), *z = (double *)cli_memory(p->n, P*sizeof *z);
    size_t known = 0;
    for (size_t i = 0; i < p->n; i++) {
        known += weight[i] > 0.0;
        for (size_t k = i*P; k < (i + 1)*P && weight[i] > 0.0; k++) z[k] = (rows->data.y[k] - p->mean[k])/sqrt(p->var[k]);
    }
    bln_report_clear(&report);
    bln_status status = BLN_OK;
    if (known) status = bln_conformal_create(NULL, p->n, P, z, P, weight, &m->conformal, &report);
    free(weight);
    free(z);
    if (!known)
        return cli_fail(why, "--calibrate: no row can be predicted from the others: they say nothing, or there is no noise");
    return status == BLN_OK ? CLI_GOOD : model_why(why, "--calibrate", status, &report);
}

int calibrate(model *m, const cli_rows *rows, cli_why *why)
{
    predictions p;
    size_t undefined;
    cli_counted some;
    int status = predictions_leave_out(m, &rows->data, rows->group, rows->n_groups, 0.95, 0, &p, &undefined, why);
    if (!status && undefined)
        cli_note("--calibrate: the other rows say nothing about %s of %lu, which play no part in it",
                 cli_count(&some, undefined, "row"), (unsigned long)p.n);
    if (!status) status = calibrate_by(m, rows, &p, why);
    predictions_free(&p);
    return status;
}

/* The ratio of whole numbers may be one, but for rounding. */
double calibrate_needs(double interval) { return ceil(interval/(1.0 - interval)*(1.0 - 1e-12)); }

void calibrate_note(const model *m, double interval)
{
    int enough = 1;
    if (m->conformal) bln_conformal_multiple(m->conformal, 0, interval, &enough);
    if (!enough)
        cli_note("%.6g rows or groups left out are too few to calibrate %g %% intervals, which need %g: these are normal, or reach "
                 "the farthest row",
                 bln_conformal_rows(m->conformal), 100.0*interval, calibrate_needs(interval));
}
