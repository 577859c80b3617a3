/* scores: predict, then measure */
#include "scores.h"
#include <math.h>
#include <stdlib.h>

const char *const scores_names[SCORE_COUNT] = { "r2", "rmse", "smse", "mll", "msll", "coverage95" };

/* Undefined is a result (NaN), anything else is not. */
static int scores_bad(bln_status status) { return status != BLN_OK && status != BLN_EUNDEFINED; }

/* A perfect fit with flat priors has variance 0. */
static int scores_have_densities(size_t n, const double *var)
{
    size_t i = 0;
    while (i < n && var[i] > 0.0) i++;
    return i == n;
}

static int scores_of_densities(const model *m, const bln_data *rows, const double *mean, const double *var, double *out,
                               bln_report *report)
{
    const size_t n = rows->n;
    double *r = (double *)cli_memory(2*n, sizeof *r), *r_mean = r + n;       /* without the offset */
    for (size_t i = 0; i < n; i++) {
        const double offset = rows->offset ? rows->offset[i] : 0.0;
        r[i] = rows->y[i] - offset;
        r_mean[i] = mean[i] - offset;
    }
    const int bad = scores_bad(bln_mll(n, rows->y, mean, var, &out[SCORE_MLL], report))
                    || scores_bad(bln_msll(n, r, r_mean, var, m->target_mean, m->target_var, &out[SCORE_MSLL], report));
    free(r);
    return bad;
}

int scores_of(const model *m, const bln_data *rows, double *out, cli_why *why)
{
    const size_t n = rows->n;
    const double *y = rows->y;
    bln_report report;
    double *all = (double *)cli_memory(5*n, sizeof *all);
    double *mean = all, *latent = all + n, *var = all + 2*n, *lower = all + 3*n, *upper = all + 4*n;
    int status = model_predict(m, rows, mean, latent, var, why);
    bln_report_clear(&report);
    if (!status) {
        model_intervals(n, mean, var, 0.95, lower, upper);
        out[SCORE_MLL] = out[SCORE_MSLL] = NAN;
        if (scores_bad(bln_r2(n, y, mean, &out[SCORE_R2], &report))
            || scores_bad(bln_rmse(n, y, mean, &out[SCORE_RMSE], &report))
            || scores_bad(bln_smse(n, y, mean, &out[SCORE_SMSE], &report))
            || (scores_have_densities(n, var) && scores_of_densities(m, rows, mean, var, out, &report))
            || scores_bad(bln_coverage(n, y, lower, upper, &out[SCORE_COVERAGE], &report)))
            status = cli_fail(why, "the scores failed: %s", report.text);
    }
    free(all);
    return status;
}
