/* fit: learn a model from a table and save it */
#include "calibrate.h"
#include "frame.h"
#include "glm.h"
#include "model.h"
#include "output.h"
#include "rows.h"
#include "scores.h"
#include "stats.h"
#include "summary.h"
#include "verbs.h"
#include <stdlib.h>
#include <string.h>

/* The numbers of the table's complete rows, and what its columns are. */
static int fit_read(const options *o, const frame *f, cli_columns *cols, cli_rows *rows, cli_why *why)
{
    bln_likelihood l;
    int status = frame_learn(o, f, f->n, f->rows, cols, why);
    if (!status) status = rows_read(cols, &f->table, f->at, f->n, f->rows, 0, rows, why);
    if (!status && o->glm) status = glm_likelihood(o, &rows->data, &l, why);
    if (!status && o->glm) status = glm_check_rows(&l, cols, &f->table, f->at, f->rows, &rows->data, why);
    return status;
}

static int fit_leave_out(const options *o, const model *m, const cli_rows *rows, cli_why *why)
{
    double *score = (double *)cli_memory(m->cols.n_targets, SCORE_COUNT*sizeof *score);
    size_t n;
    const int status = scores_left_out(m, rows, o->loo_by, &n, score, why);
    if (!status && rows->group) printf("leave-out        %lu groups of %s, %s\n", (unsigned long)rows->n_groups, o->loo_group,
                                       m->glm ? "by a step of Newton's method for each (cavity)"
                                              : "exact, with what was learnt from all rows");
    else if (!status) printf("leave-one-out    %s, with the figures above\n", !m->glm ? "exact" : glm_by_psis(m, o->loo_by)
                             ? "by reweighted draws (PSIS)" : "by a step of Newton's method for each row (cavity)");
    if (!status) scores_print(m, stdout, "  ", n, score);
    free(score);
    return status;
}

static int fit_waic(const model *m, const bln_data *rows, cli_why *why)
{
    bln_elpd waic;
    const int status = glm_waic(m, rows, &waic, why);
    if (status) return status;
    puts("information criterion (WAIC), with the figures above");
    scores_print_waic(&waic, stdout, "  ");
    return CLI_GOOD;
}

/* Saves and shows what was learnt. */
static int fit_end(const options *o, const model *m, cli_why *why)
{
    const int status = model_save(m, o->output, why);
    if (status) return status;
    summary_print(m, 0.95, stdout);
    printf("seconds          %.2f\nmodel            %s\n", m->seconds, o->output);
    return CLI_GOOD;
}

/* --stream, --from-stats: the rows are on disk, or were summed up before. */
static int fit_apart(const options *o, cli_why *why)
{
    model m;
    stream rows;
    stats sums;
    progress p = progress_start("");
    memset(&m, 0, sizeof m);
    memset(&rows, 0, sizeof rows);
    memset(&sums, 0, sizeof sums);
    const size_t most = o->sample == 0 ? STREAM_SOME : o->sample < STREAM_MOST ? (size_t)o->sample : STREAM_MOST;
    int status = output_check(o, why);
    if (!status && o->from_stats) status = stats_load(o->from_stats, &sums, why);
    else if (!status) status = stream_open(o, NULL, most, &p, &rows, why);
    if (!status) status = o->from_stats ? stats_fit(o, &sums, &p, &m, why) : stream_fit(o, &rows, &p, &m, why);
    if (!status) status = fit_end(o, &m, why);
    stream_close(&rows);
    stats_free(&sums);
    model_free(&m);
    return status;
}

int verb_fit(const options *o, cli_why *why)
{
    frame f;
    cli_columns cols;
    model m;
    cli_rows rows;
    progress p = progress_start("");
    memset(&m, 0, sizeof m);
    memset(&cols, 0, sizeof cols);
    memset(&rows, 0, sizeof rows);
    if (o->stream || o->from_stats) return fit_apart(o, why);
    int status = output_check(o, why);
    if (!status) status = frame_for_training(o, &f, why);
    if (status) return status;
    status = fit_read(o, &f, &cols, &rows, why);
    if (!status) {
        model_note_constants(&cols, f.n, rows.data.X);
        status = model_fit(o, &cols, &rows.data, &p, &m, why);
    }
    if (!status) glm_notes(&m, &rows.data);
    if (!status && o->calibrate) status = calibrate(&m, &rows, why);
    if (!status) {
        m.dropped = f.dropped;
        status = fit_end(o, &m, why);
    }
    if (!status && o->loo) status = fit_leave_out(o, &m, &rows, why);
    if (!status && o->waic) status = fit_waic(&m, &rows.data, why);
    rows_free(&rows);
    columns_free(&cols);
    frame_free(&f);
    model_free(&m);
    return status;
}
