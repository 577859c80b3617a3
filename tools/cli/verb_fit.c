/* fit: learn a model from a table and save it */
#include "calibrate.h"
#include "frame.h"
#include "glm.h"
#include "help.h"
#include "model.h"
#include "output.h"
#include "rows.h"
#include "scores.h"
#include "stats.h"
#include "summary.h"
#include "verbs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const cli_text verb_fit_text = {
    "usage: bayeslin fit DATA.csv ((--target COL | --outputs A,B) [--basis SPEC] | --formula F) -o MODEL\n"
    "                    [--seed S] [--starts K] [--prior flat|each] [--weights COL] [--noise-var COL]\n"
    "                    [--offset COL] [--no-scale] [--ignore COL]... [--number COL]... [--factor COL]...\n"
    "                    [--date COL[=PIECES]]... [--na TOKEN]... [--missing drop|mean|indicator] [--sep SEP]\n"
    "                    [--decimal MARK] [--theta-sd W] [--max-iterations N] [--tolerance T] [--integrate]\n"
    "                    [--plug-in] [--calibrate] [--loo] [--loo-group COL] [--stream [--sample N]]\n"
    "                    [--arithmetic A] [--optimiser O] [--residual ignored] [--noise KIND]\n"
    "       bayeslin fit ... --likelihood NAME [--inference METHOD and its options]\n"
    "                    [--hyper laplace] [--trials COL] [--categories C] [--waic] ...\n"
    "       bayeslin fit --from-stats STATS -o MODEL [--starts K] [--prior flat|each]\n"
    "                    [--max-iterations N] [--optimiser O] [--residual ignored] [--noise KIND]\n",
    "\n"
    "Learns a model of column COL from all other columns of DATA.csv, into the file MODEL.\n"
    "\n"
    "  bayeslin fit houses.csv --target price --basis rbf:n=400,ard+linear -o houses.bln\n"
    "\n"
    "  --target COL        the column to predict; numbers\n"
    "  --outputs A,B,...   instead: several columns to predict: bayeslin help outputs\n"
    "  --likelihood NAME   counts, classes, outliers, changing noise: help glm\n"
    "  --basis SPEC        the features: linear, rbf:n=400,ard+linear, ... (default: auto): help basis\n"
    "  --formula 'y ~ x'   instead of --target and --basis, as users of R write it: help formula\n"
    "  -o MODEL            the model file; also --output\n"
    "  --seed S            of the random frequencies and starts (default 0)\n"
    "  --starts K          searches, all but the first from random points; best kept (default 1)\n"
    "  --weights COL       counts: a row of weight 3 is three rows. For R's weights of lm, known\n"
    "                      precisions, use --noise-var COL with a column of 1/w (v > 0 times the noise)\n"
    "  --offset COL        a known part of the target, in its units, added to the function\n"
    "  --prior PRIOR       learn (default): a variance for each term; flat: no prior for terms\n"
    "                      without random features; each: one for each weight: help prior\n"
    "  --integrate         for few rows: noise and prior variances are integrated out instead of\n"
    "                      learnt, and intervals are Student's t: bayeslin help few\n"
    "  --plug-in           with few rows too, the best hyper-parameters in place of all: help few\n"
    "  --calibrate         intervals as wide as the rows say, each as the others predict it; the\n"
    "                      model keeps them: bayeslin help intervals\n"
    "  --loo               also print scores of each row as the others predict it\n"
    "  --loo-group COL     the same, leaving out all rows with the same text or number in COL, no input\n"
    "  --no-scale          do not standardise; by default inputs and target are brought to mean 0\n"
    "                      and standard deviation 1 for the fit, and all figures are brought back\n"
    "  --ignore COL        leave a column out; may be repeated\n"
    "  --theta-sd W        sd of the prior of log length scales (default 1; inf: no prior)\n"
    "  --max-iterations N  of each start (300); --tolerance T: progress to stop at (1e-6)\n"
    "  --noise KIND        of several outputs: diagonal (default), correlated, shared\n"
    "  --arithmetic, --optimiser, --residual    how it is learnt: bayeslin help learning\n"
    "  --stream, --from-stats STATS    tables larger than memory; what `bayeslin stats` wrote: help large\n"
    HELP_COLUMNS HELP_TABLE
    "\n"
    "More: bayeslin help tables, basis, formula, columns, outputs, glm, classes, prior, few, intervals, learning, large, figures.\n"
};

/* The numbers of the table's complete rows, and what its columns are. */
static int fit_read(const options *o, const frame *f, cli_columns *cols, cli_rows *rows, cli_why *why)
{
    bln_likelihood l;
    int status = frame_learn(o, f, f->n, f->rows, cols, why);
    if (!status) status = rows_read(cols, &f->table, f->at, f->n, f->rows, 0, rows, why);
    if (!status && o->glm) status = glm_likelihood(o, cols, &rows->data, &l, why);
    if (!status && o->glm) status = glm_check_rows(&l, cols, &f->table, f->at, f->rows, &rows->data, why);
    return status;
}

/* How rows were left out. */
static const char *fit_left_out_by(const model *m, int by)
{
    return !m->glm ? "exact" : glm_by_psis(m, by) ? "psis" : "cavity";
}

static int fit_leave_out(const options *o, const model *m, const cli_rows *rows, cli_why *why)
{
    double *score = (double *)cli_memory(m->cols.n_targets, SCORE_COUNT*sizeof *score);
    cli_counted groups;
    double n;
    const int status = scores_left_out(m, rows, o->loo_by, &n, score, why);
    const cli_answer *to = &o->to;
    if (!status && rows->group) say(to, "leave-out        %s of %s, %s\n", cli_count(&groups, rows->n_groups, "group"),
                                    o->loo_group, m->glm ? "by a step of Newton's method for each (cavity)"
                                                         : "exact, with what was learnt from all rows");
    else if (!status) say(to, "leave-one-out    %s, with the figures above\n", !m->glm ? "exact" : glm_by_psis(m, o->loo_by)
                          ? "by reweighted draws (PSIS)" : "by a step of Newton's method for each row (cavity)");
    if (!status) {
        json_object(to->json, "leave_out");
        json_text(to->json, "by", fit_left_out_by(m, o->loo_by));
        json_text(to->json, "group", o->loo_group);
        if (rows->group) json_count(to->json, "groups", rows->n_groups);
        scores_print(m, to, "  ", n, score);
        json_end(to->json);
    }
    free(score);
    return status;
}

static int fit_waic(const options *o, const model *m, const bln_data *rows, cli_why *why)
{
    bln_elpd waic;
    const int status = glm_waic(m, rows, &waic, why);
    if (status) return status;
    say(&o->to, "information criterion (WAIC), with the figures above\n");
    scores_print_waic(&waic, &o->to, "  ");
    return CLI_GOOD;
}

/* Saves and shows what was learnt. */
static int fit_end(const options *o, const model *m, cli_why *why)
{
    const int status = model_save(m, o->output, why);
    if (status) return status;
    summary_print(m, 0.95, &o->to);
    if (m->left_out) {
        say(&o->to, "left out         ");
        say_name(&o->to, m->left_out);
        say(&o->to, ": what the other words are compared with\n");
        json_text(o->to.json, "words_left_out", m->left_out);
    }
    say(&o->to, "seconds          %.2f\nmodel            %s\n", m->seconds, o->output);
    json_number(o->to.json, "seconds", m->seconds);
    json_text(o->to.json, "model", o->output);
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

/* Weights count rows; precisions, as those of R's lm, would make other standard errors. */
static void fit_note_weights(const options *o, const bln_data *rows)
{
    cli_shown shown;
    size_t i = 0;
    while (i < rows->n && rows->weight && rows->weight[i] == floor(rows->weight[i])) i++;
    if (i < rows->n && rows->weight)
        cli_note("column \"%s\" (--weights): the weights are not whole numbers: they count rows; if they are known precisions, "
                 "as in R's lm, use --noise-var with a column of 1/w", cli_show(&shown, o->role[ROLE_WEIGHTS]));
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
        fit_note_weights(o, &rows.data);
        status = model_fit(o, &cols, &rows.data, &p, &m, why);
    }
    if (!status) glm_notes(&m, &rows.data);
    if (!status && o->calibrate) status = calibrate(&m, &rows, why);
    if (!status) {
        m.dropped = f.dropped;
        status = fit_end(o, &m, why);
    }
    if (!status && o->loo) status = fit_leave_out(o, &m, &rows, why);
    if (!status && o->waic) status = fit_waic(o, &m, &rows.data, why);
    rows_free(&rows);
    columns_free(&cols);
    frame_free(&f);
    model_free(&m);
    return status;
}
