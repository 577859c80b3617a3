/* cv: fit on some rows, score on the others, for each fold
 *
 * Kinds of columns, words, standardising and hyper-parameters are learnt from the training rows of the fold alone. Whether they
 * are integrated out is decided by the rows of the whole table: what is judged is the model that fit would make of it. */
#include "calibrate.h"
#include "cv_splits.h"
#include "figures.h"
#include "glm.h"
#include "help.h"
#include "model_parts.h"
#include "number.h"
#include "output.h"
#include "rows.h"
#include "scores.h"
#include "verbs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const cli_text verb_cv_text = {
    "usage: bayeslin cv DATA.csv ((--target COL | --outputs A,B) [--basis SPEC] | --formula F)\n"
    "                   [--folds K | --masks MASKS.csv | --group COL [--folds K] | --time COL --folds K]\n"
    "                   [--curve] [-o OUT.csv [--keep COL]...] [--seed S] [--starts K]\n"
    "                   [--prior flat|each] [--weights COL] [--noise-var COL]\n"
    "                   [--offset COL] [--no-scale] [--ignore COL]... [--missing drop]\n"
    "                   [--number COL]... [--factor COL]... [--date COL[=PIECES]]... [--na TOKEN]...\n"
    "                   [--unseen zero|new] [--sep SEP] [--decimal MARK] [--theta-sd W] [--max-iterations N]\n"
    "                   [--tolerance T] [--integrate] [--plug-in] [--calibrate] [--arithmetic A]\n"
    "                   [--optimiser O] [--residual ignored] [--noise KIND]\n"
    "       bayeslin cv ... --likelihood NAME, and what else fit has\n",
    "\n"
    "Cross-validation: for each fold a model is learnt from the training rows (with\n"
    "all that belongs to it: words, standardising, hyper-parameters) and scored on\n"
    "the test rows. A table with one row for each fold, then mean and sd over the folds (sd:\n"
    "divided by folds - 1), and `all`: over all test rows together, each predicted by the model\n"
    "that did not see it. Read `all` where folds are small: in a fold of one row rmse is |error|\n"
    "and r2 is nan, and in one of a few rows r2 compares with the mean of those few. The sd says\n"
    "how much folds scatter. Of several outputs a row for each, with its name at the end.\n"
    "\n"
    "  bayeslin cv houses.csv --target price --basis rbf:n=400,ard+linear --folds 5 --seed 1\n"
    "\n"
    "  --folds K           the rows are shuffled by the seed and dealt out to K folds; each is\n"
    "                      the test set once (default: 10)\n"
    "  --masks MASKS.csv   one column for each split and one line for each row of DATA.csv:\n"
    "                      1 test row, 0 training row\n"
    "  --group COL         rows with the same text or number in COL are left out together, in K\n"
    "                      folds, or each group as one; no input. How good for new groups?\n"
    "  --time COL          numbers, or dates as 2024-03-31: the rows in this order in K + 1 blocks,\n"
    "                      each but the first predicted from all before it. It is an input as well,\n"
    "                      unless --ignore COL\n"
    "  --curve             what more rows would do: the same folds with 1/16, 1/8, ... of their\n"
    "                      training rows, 10 at least: a line of means for each\n"
    "  -o OUT.csv          what was predicted of each held-out row, as `bayeslin predict` writes it,\n"
    "                      after row, fold and target; --keep COL as there\n"
    "  --unseen zero, new  a word that only test rows have is none of the others (all\n"
    "                      indicators 0) instead of an error; of by= in the basis zero is the\n"
    "                      population, and new is a group that was not seen\n"
    HELP_COLUMNS HELP_TABLE
    "\n"
    "SPEC: bayeslin help basis; auto, the default, chooses in each fold by its training rows. What few\n"
    "rows change (help few) goes by the rows of DATA.csv, as `fit` would do.\n"
    "r2 rmse smse mll msll coverage95: see `bayeslin score --help`. seconds: fit and\n"
    "scores, by the wall clock. --target, --outputs, --basis (the SPEC), --seed, --starts,\n"
    "--weights, --noise-var, --offset, --prior, --integrate, --plug-in, --calibrate, --no-scale, --ignore,\n"
    "--theta-sd, --max-iterations, --tolerance, --arithmetic, --optimiser, --residual, --noise: see\n"
    "`bayeslin fit --help`. A row of weight k counts as k rows in fits and scores.\n"
};

/* Columns of the table, behind the name. */
enum { CV_N_TRAIN, CV_N_TEST, CV_SCORES, CV_SECONDS = CV_SCORES + SCORE_COUNT, CV_COUNT };

/* -o: what was held out, fold after fold. */
typedef struct cv_held { figures all; size_t n, *row; double *number, *fold, *y; } cv_held;

static void cv_held_free(cv_held *h)
{
    figures_free(&h->all);
    free(h->row);
    free(h->number);
    free(h->fold);
    free(h->y);
}

/* What one run over all folds has to do and gives: CV_COUNT figures for each fold and target, which of them the models have (see
 * scores_kept), and what was held out, or NULL. share: of the training rows. n, weight: of the whole table. Of the `tested` rows of
 * all folds so far: targets and means (tested x targets), weights; total: of each fold's; weighted: has the model weights? */
typedef struct cv_job {
    const options   *o;
    const frame     *f;
    const cv_splits *splits;
    double           share, n, weight, *rows;
    unsigned         kept;
    int              weighted;
    size_t           tested;
    double          *y, *mean, *k, *total;
    cv_held         *held;
} cv_job;

static int cv_hold(cv_job *job, size_t k, const model *m, const cli_rows *test, const size_t *rows, cli_why *why)
{
    cv_held *h = job->held;
    figures of;
    const size_t n = test->data.n, P = job->o->n_targets, all = h->n + n;
    int status = figures_make(m, test, job->f->table.file, scores_level, &of, why);
    if (!status && CLI_NEVER(!figures_append(&h->all, &of)))                          /* figures_append says why */
        status = cli_fail(why, "-o: the classes of this fold are not those of the folds before");
    if (!status) {
        h->row = (size_t *)cli_grow(h->row, all, sizeof *h->row);
        h->number = (double *)cli_grow(h->number, all, sizeof *h->number);
        h->fold = (double *)cli_grow(h->fold, all, sizeof *h->fold);
        h->y = (double *)cli_grow(h->y, all*P, sizeof *h->y);
        for (size_t i = 0; i < n; i++) {
            h->row[h->n + i] = rows[i];
            h->number[h->n + i] = (double)rows[i] + 1.0;
            h->fold[h->n + i] = (double)k + 1.0;
        }
        memcpy(h->y + h->n*P, test->data.y, n*P*sizeof *h->y);
        h->n = all;
    }
    figures_free(&of);
    return status;
}

/* Fits to the training rows and scores on the test rows of one fold. */
static int cv_run(cv_job *job, size_t k, size_t n_train, size_t n_test, const size_t *rows, progress *p, cli_why *why)
{
    const options *o = job->o;
    const frame *f = job->f;
    const double began = system_clock();
    double weight = 0.0, *score = (double *)cli_memory(o->n_targets, SCORE_COUNT*sizeof *score);
    double *row = job->rows + k*o->n_targets*CV_COUNT;
    const size_t before = job->tested*o->n_targets, now = n_test*o->n_targets;
    job->y = (double *)cli_grow(job->y, before + now, sizeof *job->y);
    job->mean = (double *)cli_grow(job->mean, before + now, sizeof *job->mean);
    job->k = (double *)cli_grow(job->k, job->tested + n_test, sizeof *job->k);
    cli_columns cols;
    cli_rows train, test;
    options how = *o;
    model m;
    memset(&m, 0, sizeof m);
    how.table_rows = job->share*job->n;
    how.table_weight = job->share*job->weight;
    bln_likelihood l;
    int status = frame_learn(o, f, n_train, rows, &cols, why);
    memset(&train, 0, sizeof train);
    memset(&test, 0, sizeof test);
    if (status) memset(&cols, 0, sizeof cols);
    if (!status) status = rows_read(&cols, &f->table, f->at, n_train, rows, 0, &train, why);
    if (!status) status = rows_read(&cols, &f->table, f->at, n_test, rows + n_train, o->unseen, &test, why);
    if (!status && o->glm) status = glm_likelihood(o, &cols, &train.data, &l, why);
    if (!status && o->glm) status = glm_check_rows(&l, &cols, &f->table, f->at, rows, &train.data, why);
    if (!status && o->glm) status = glm_check_rows(&l, &cols, &f->table, f->at, rows + n_train, &test.data, why);
    if (!status) status = model_fit(&how, &cols, &train.data, p, &m, why);
    if (!status && o->calibrate) status = calibrate(&m, &train, why);
    if (!status) calibrate_note(&m, scores_level);
    if (!status) status = scores_of(&m, &test, f->table.file, &weight, score, job->mean + before, why);
    if (!status) {
        job->kept = scores_kept(&m);
        job->weighted = test.data.weight != NULL;
        job->total[k] = weight;
        memcpy(job->y + before, test.data.y, now*sizeof *job->y);
        for (size_t i = 0; i < n_test; i++) job->k[job->tested++] = test.data.weight ? test.data.weight[i] : 1.0;
    }
    for (size_t t = 0; t < o->n_targets; t++, row += CV_COUNT) {
        row[CV_N_TRAIN] = (double)n_train;
        row[CV_N_TEST] = (double)n_test;
        memcpy(row + CV_SCORES, score + t*SCORE_COUNT, SCORE_COUNT*sizeof *row);
        row[CV_SECONDS] = system_clock() - began;
    }
    if (!status && job->held) status = cv_hold(job, k, &m, &test, rows + n_train, why);
    free(score);
    rows_free(&train);
    rows_free(&test);
    columns_free(&cols);
    model_free(&m);
    return status;
}

static int cv_fold(cv_job *job, size_t k, cli_why *why)
{
    const cv_splits *splits = job->splits;
    char label[80];
    cli_why inner;
    size_t n_train, n_test, *rows = (size_t *)cli_memory(job->f->n, sizeof *rows);
    int status;
    cv_splits_rows(splits, job->f, k, rows, &n_train, &n_test);
    const size_t some = job->share < 1.0 ? (size_t)(job->share*(double)n_train + 0.5) : n_train;
    if (some < n_train) cv_splits_thin(job->o->seed, n_train, some, n_test, rows);
    snprintf(label, sizeof label, "fold %lu/%lu", (unsigned long)k + 1, (unsigned long)splits->count);
    if (job->share < 1.0) snprintf(label + strlen(label), 40, ", %lu rows", (unsigned long)some);
    progress p = progress_start(label);
    if (some == 0 || n_test == 0) status = cli_fail(why, "%s: no %s rows", label, some ? "test" : "training");
    else {
        status = cv_run(job, k, some, n_test, rows, &p, &inner);
        if (status == CLI_USAGE) *why = inner;                       /* the same in every fold */
        else if (status) cli_fail(why, "%s: %.900s", label, inner.text);
    }
    free(rows);
    return status;
}

static void cv_print_header(const cv_job *job)
{
    const cli_answer *to = &job->o->to;
    say(to, "%s %8s %8s", job->o->curve ? "part" : "fold", "n_train", "n_test");
    for (size_t c = 0; c < SCORE_COUNT; c++) if (job->kept >> c & 1) say(to, " %11s", scores_names[c]);
    say(to, " %11s%s\n", "seconds", job->o->n_targets > 1 ? "  output" : "");
}

/* A line for each target, whose name stands at its end if there are several; objects of the array that is open. fold: its number
 * from 0, or BLN_NONE. */
static void cv_print(const cv_job *job, const cli_answer *to, const char *name, size_t fold, const double *row)
{
    const options *o = job->o;
    cli_shown shown;
    for (size_t k = 0; k < o->n_targets; k++, row += CV_COUNT) {
        json_object(to->json, NULL);
        if (fold != BLN_NONE) json_count(to->json, "fold", fold + 1);
        if (fold != BLN_NONE && job->splits->group) json_text(to->json, "group", job->splits->group[fold]);
        json_text(to->json, "output", o->targets[k]);
        json_number(to->json, "n_train", row[CV_N_TRAIN]);
        json_number(to->json, "n_test", row[CV_N_TEST]);
        say(to, "%-4s", name);
        for (size_t c = 0; c < CV_SECONDS; c++) {
            if (c >= CV_SCORES && !(job->kept >> (c - CV_SCORES) & 1)) continue;
            say(to, " %*.5g", c < CV_SCORES ? 8 : 11, number_plain(row[c]));
            if (c >= CV_SCORES) json_number(to->json, scores_names[c - CV_SCORES], row[c]);
        }
        say(to, " %11.3f", row[CV_SECONDS]);
        json_number(to->json, "seconds", row[CV_SECONDS]);
        if (o->n_targets > 1) say(to, "  %s", cli_show(&shown, o->targets[k]));
        say(to, "\n");
        json_end(to->json);
    }
    if (to->text) fflush(to->text);
}

/* Over the folds: the mean, and the standard deviation (divided by folds - 1; one fold has none), of all figures. */
static void cv_summary(const cv_job *job, double *mean, double *sd)
{
    const size_t folds = job->splits->count, wide = job->o->n_targets*CV_COUNT;
    const double n = (double)folds, *rows = job->rows;
    for (size_t c = 0; c < wide; c++) {
        mean[c] = sd[c] = 0.0;
        for (size_t k = 0; k < folds; k++) mean[c] += rows[k*wide + c];
        mean[c] /= n;
        for (size_t k = 0; k < folds; k++) sd[c] += (rows[k*wide + c] - mean[c])*(rows[k*wide + c] - mean[c]);
        sd[c] = folds > 1 ? sqrt(sd[c]/(n - 1.0)) : NAN;
    }
}

/* Over all test rows together, of all folds: the errors of target t, where the models have them; NaN where they are undefined. */
static void cv_errors(const cv_job *job, size_t t, double *row)
{
    const size_t n = job->tested, P = job->o->n_targets;
    double *y = (double *)cli_memory(n, 2*sizeof *y), *mean = y + n;
    for (size_t i = 0; i < n; i++) {
        y[i] = job->y[i*P + t];
        mean[i] = job->mean[i*P + t];
    }
    scores_errors(n, y, mean, job->weighted ? job->k : NULL, row + CV_SCORES);
    free(y);
}

/* Over all test rows together: the other scores are means over rows. Rows and seconds of tests are sums, n_train is a mean. */
static void cv_together(const cv_job *job, const double *mean, double *row)
{
    const size_t folds = job->splits->count, wide = job->o->n_targets*CV_COUNT;
    double all = 0.0;
    for (size_t k = 0; k < folds; k++) all += job->total[k];
    for (size_t c = 0; c < wide; c++) {
        const size_t what = c % CV_COUNT;
        const int is_sum = what == CV_N_TEST || what == CV_SECONDS;
        row[c] = what == CV_N_TRAIN ? mean[c] : 0.0;
        for (size_t k = 0; k < folds && what != CV_N_TRAIN; k++)
            row[c] += is_sum ? job->rows[k*wide + c] : job->rows[k*wide + c]*(job->total[k]/all);
    }
    for (size_t t = 0; t < job->o->n_targets && (job->kept >> SCORE_RMSE & 1); t++) cv_errors(job, t, row + t*CV_COUNT);
}

static int cv_table(cv_job *job, double *mean, double *sd, cli_why *why)
{
    cli_json *j = job->o->to.json;
    const size_t wide = job->o->n_targets*CV_COUNT;
    int status = CLI_GOOD;
    char name[32];
    json_array(j, "folds");
    for (size_t k = 0; k < job->splits->count; k++) {
        status = cv_fold(job, k, why);
        if (status) break;
        if (k == 0) cv_print_header(job);
        snprintf(name, sizeof name, "%lu", (unsigned long)k + 1);
        cv_print(job, &job->o->to, name, k, job->rows + k*wide);
    }
    json_end(j);
    if (status) return status;
    cv_summary(job, mean, sd);
    json_array(j, "mean");
    cv_print(job, &job->o->to, "mean", BLN_NONE, mean);
    json_end(j);
    json_array(j, "sd");
    cv_print(job, &job->o->to, "sd", BLN_NONE, sd);
    json_end(j);
    cv_together(job, mean, sd);
    json_array(j, "all");
    cv_print(job, &job->o->to, "all", BLN_NONE, sd);
    json_end(j);
    return CLI_GOOD;
}

/* Training rows of the fold that has fewest. */
static size_t cv_fewest(const cv_job *job)
{
    size_t fewest = job->f->n, n_train, n_test, *rows = (size_t *)cli_memory(job->f->n, sizeof *rows);
    for (size_t k = 0; k < job->splits->count; k++) {
        cv_splits_rows(job->splits, job->f, k, rows, &n_train, &n_test);
        if (n_train < fewest) fewest = n_train;
    }
    free(rows);
    return fewest;
}

/* --curve: the same folds with parts of their training rows, each among the next: a line of means over the folds for each. */
static int cv_curve(cv_job *job, double *mean, double *sd, cli_why *why)
{
    enum { LEAST = 10 };                                          /* the fewest rows that are fitted */
    static const int parts[] = { 16, 8, 4, 2, 1 };
    const size_t fewest = cv_fewest(job);
    int begun = 0;
    cli_json *j = job->o->to.json;
    cli_answer programs = job->o->to;
    int status = CLI_GOOD;
    char name[32];
    programs.text = NULL;
    json_array(j, "curve");
    for (size_t c = 0; c < sizeof parts/sizeof *parts; c++) {
        if (parts[c] > 1 && fewest < (size_t)(LEAST*parts[c])) continue;
        job->share = 1.0/parts[c];
        job->tested = 0;
        for (size_t k = 0; k < job->splits->count && !status; k++) status = cv_fold(job, k, why);
        if (status) break;
        cv_summary(job, mean, sd);
        if (!begun++) cv_print_header(job);
        snprintf(name, sizeof name, parts[c] > 1 ? "1/%d" : "all", parts[c]);
        json_object(j, NULL);
        json_number(j, "share", job->share);
        json_array(j, "mean");
        cv_print(job, &job->o->to, name, BLN_NONE, mean);
        json_end(j);
        json_array(j, "sd");
        cv_print(job, &programs, "sd", BLN_NONE, sd);
        json_end(j);
        json_end(j);
    }
    json_end(j);
    return status;
}

/* Held-out rows in the order of the table. */
static int cv_write(const options *o, const frame *f, const cv_held *h, sheet *s, cli_why *why)
{
    const size_t P = o->n_targets;
    size_t *next = (size_t *)cli_memory(f->table.n_rows + 1, sizeof *next);
    for (size_t i = 0; i < h->n; i++) next[h->row[i] + 1]++;
    for (size_t i = 0; i < f->table.n_rows; i++) next[i + 1] += next[i];
    for (size_t i = 0; i < h->n; i++) {
        const size_t line = next[h->row[i]]++;
        s->row[line] = h->row[i];
        s->at[line] = i;
    }
    free(next);
    sheet_numbers(s, "row", h->number, 1);
    sheet_numbers(s, "fold", h->fold, 1);
    if (h->all.classes) sheet_labels(s, o->targets[0], h->y, 1, h->all.classes, h->all.label);
    else for (size_t k = 0; k < P; k++) sheet_numbers(s, o->targets[k], h->y + k, P);
    figures_columns(s, &h->all, o->targets);
    const int status = sheet_check(s, o, why);
    return status ? status : sheet_write(s, o, "predictions", why);
}

/* The whole table: notes on constant columns (those of a fold are standardised away without a word), its weight, and whether it has
 * words. What is wrong with it a fold will say. */
static int cv_look(cv_job *job)
{
    const frame *f = job->f;
    cli_columns cols;
    cli_rows rows;
    cli_why ignored;
    int words = 0;
    job->n = job->weight = (double)f->n;
    if (frame_learn(job->o, f, f->n, f->rows, &cols, &ignored)) return 1;
    for (size_t k = 0; k < cols.n; k++) words = words || cols.column[k].words;
    if (!rows_read(&cols, &f->table, f->at, f->n, f->rows, 0, &rows, &ignored)) {
        model_note_constants(&cols, f->n, rows.data.X);
        job->weight = model_total_weight(&rows.data);
    }
    rows_free(&rows);
    columns_free(&cols);
    return words;
}

/* A word that occurs only in test rows would make a late fold fail, after the work of the others; so it is looked for first. */
static int cv_check_words(const cv_job *job, cli_why *why)
{
    const frame *f = job->f;
    size_t n_train, n_test, *rows = (size_t *)cli_memory(f->n, sizeof *rows);
    int status = CLI_GOOD;
    for (size_t k = 0; k < job->splits->count && !status; k++) {
        cli_columns cols;
        cli_rows test;
        cli_why inner;
        cv_splits_rows(job->splits, f, k, rows, &n_train, &n_test);
        if (!n_train || frame_learn(job->o, f, n_train, rows, &cols, &inner)) continue;
        if (rows_read(&cols, &f->table, f->at, n_test, rows + n_train, 0, &test, &inner))
            status = cli_fail(why, "fold %lu/%lu: %.900s", (unsigned long)k + 1, (unsigned long)job->splits->count, inner.text);
        rows_free(&test);
        columns_free(&cols);
    }
    free(rows);
    return status;
}

static int cv_all(const options *o, const frame *f, const cv_splits *splits, cv_held *held, cli_why *why)
{
    const size_t wide = o->n_targets*CV_COUNT;
    double *mean = (double *)cli_memory(wide, (splits->count + 2)*sizeof *mean);
    cv_job job;
    memset(&job, 0, sizeof job);
    job.o = o;
    job.f = f;
    job.splits = splits;
    job.share = 1.0;
    job.rows = mean + 2*wide;
    job.held = held;
    job.total = (double *)cli_memory(splits->count, sizeof *job.total);
    int status = cv_look(&job) && !o->unseen ? cv_check_words(&job, why) : CLI_GOOD;
    if (!status) status = (o->curve ? cv_curve : cv_table)(&job, mean, mean + wide, why);
    free(job.y);
    free(job.mean);
    free(job.k);
    free(job.total);
    free(mean);
    return status;
}

int verb_cv(const options *o, cli_why *why)
{
    frame f;
    cv_splits splits;
    cv_held held;
    sheet kept;
    int status = output_check(o, why);
    if (!status) status = frame_for_training(o, &f, why);
    if (status) return status;
    memset(&held, 0, sizeof held);
    status = cv_splits_make(o, &f, &splits, why);
    if (!status) status = cv_all(o, &f, &splits, o->output ? &held : NULL, why);
    if (!status && o->output) {
        sheet_begin(&kept, &f.table, held.n);
        sheet_keep(&kept);
        status = cv_write(o, &f, &held, &kept, why);
        sheet_free(&kept);
    }
    cv_held_free(&held);
    cv_splits_free(&splits);
    frame_free(&f);
    return status;
}
