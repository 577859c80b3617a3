/* cv: fit on some rows, score on the others, for each fold
 *
 * Kinds of columns, words, standardising and hyper-parameters are learnt from the training rows of the fold alone. */
#include "calibrate.h"
#include "glm.h"
#include "help.h"
#include "number.h"
#include "rows.h"
#include "scores.h"
#include "verbs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const cli_text verb_cv_text = {
    "usage: bayeslin cv DATA.csv ((--target COL | --outputs A,B) [--basis SPEC] | --formula F)\n"
    "                   (--folds K | --masks MASKS.csv) [--seed S] [--starts K]\n"
    "                   [--prior flat|each] [--weights COL] [--noise-var COL]\n"
    "                   [--offset COL] [--no-scale] [--ignore COL]... [--missing drop]\n"
    "                   [--number COL]... [--factor COL]... [--date COL[=PIECES]]... [--na TOKEN]...\n"
    "                   [--unseen zero|new] [--sep SEP] [--decimal MARK] [--theta-sd W] [--max-iterations N]\n"
    "                   [--tolerance T] [--integrate] [--plug-in] [--calibrate] [--arithmetic A]\n"
    "                   [--optimiser O] [--residual ignored] [--noise KIND]\n"
    "       bayeslin cv ... --model glm --likelihood NAME, and what else fit has\n",
    "\n"
    "Cross-validation: for each fold a model is learnt from the training rows (with\n"
    "all that belongs to it: words, standardising, hyper-parameters) and scored on\n"
    "the test rows. A table with one row for each fold, then the mean over the folds\n"
    "and the standard deviation (divided by folds - 1); of several outputs a row for each,\n"
    "with its name at the end.\n"
    "\n"
    "  bayeslin cv houses.csv --target price --basis rbf:n=400,ard+linear --folds 5 --seed 1\n"
    "\n"
    "  --folds K           the rows are shuffled by the seed and dealt out to K folds; each is\n"
    "                      the test set once\n"
    "  --masks MASKS.csv   one column for each split and one line for each row of DATA.csv:\n"
    "                      1 test row, 0 training row\n"
    "  --unseen zero, new  a word that only test rows have is none of the others (all\n"
    "                      indicators 0) instead of an error; of by= in the basis zero is the\n"
    "                      population, and new is a group that was not seen\n"
    HELP_COLUMNS HELP_TABLE
    "\n"
    "SPEC: bayeslin help basis; auto, the default, chooses in each fold by its training rows.\n"
    "r2 rmse smse mll msll coverage95: see `bayeslin score --help`. seconds: fit and\n"
    "scores, by the wall clock. --target, --outputs, --basis (the SPEC), --seed, --starts,\n"
    "--weights, --noise-var, --offset, --prior, --integrate, --plug-in, --calibrate, --no-scale, --ignore,\n"
    "--theta-sd, --max-iterations, --tolerance, --arithmetic, --optimiser, --residual, --noise: see\n"
    "`bayeslin fit --help`. Weights count in the fits, not in the scores.\n"
};

/* Columns of the table, behind the name; and the random stream of the shuffle ("fold"). */
enum { CV_N_TRAIN, CV_N_TEST, CV_SCORES, CV_SECONDS = CV_SCORES + SCORE_COUNT, CV_COUNT };
enum { CV_STREAM = 0x666f6c64 };

/* test[s*n + i]: is row i a test row of split s? n: rows of the table, dropped ones included. */
typedef struct cv_splits { size_t count, n; unsigned char *test; } cv_splits;

/* K folds of sizes that differ by one at most: the usable rows in random order, dealt out one by one. */
static int cv_deal(const options *o, const frame *f, cv_splits *out, cli_why *why)
{
    bln_rng rng;
    cli_counted rows;
    if (o->folds > f->n)
        return cli_fail(why, "%s: %lu folds of %s", f->table.file, (unsigned long)o->folds, cli_count(&rows, f->n, "row"));
    out->count = o->folds;
    out->n = f->table.n_rows;
    out->test = (unsigned char *)cli_memory(out->n, out->count);
    size_t *order = (size_t *)cli_memory(f->n, sizeof *order);
    bln_rng_seed(&rng, o->seed, CV_STREAM);
    bln_rng_permutation(&rng, f->n, order);
    for (size_t i = 0; i < f->n; i++) out->test[(i % o->folds)*out->n + f->rows[order[i]]] = 1;
    free(order);
    return CLI_GOOD;
}

/* One column of the mask file as split number out->count. */
static int cv_mask(const csv_table *t, size_t j, cv_splits *out, cli_why *why)
{
    unsigned char *test = out->test + out->count++*out->n;
    cli_shown shown;
    csv_place place;
    for (size_t i = 0; i < t->n_rows; i++) {
        double v = 0.0;
        const int status = columns_number(t, i, j, t->names[j].text, &v, why);
        if (status) return status;
        if (v != 0.0 && v != 1.0)
            return cli_fail(why, "%s: column \"%s\": a mask holds 1 (test row) and 0 (training row)",
                            csv_where(&place, t, csv_at(t, i, j)), cli_show(&shown, t->names[j].text));
        test[i] = v == 1.0;
    }
    return CLI_GOOD;
}

static int cv_masks(const options *o, const frame *f, cv_splits *out, cli_why *why)
{
    csv_table t;
    cli_counted rows;
    int status = csv_read(o->masks, o->separator, &t, why);
    if (status) return status;
    out->n = f->table.n_rows;
    out->test = (unsigned char *)cli_memory(t.n_columns, out->n);
    if (t.n_rows != out->n)
        status = cli_fail(why, "%s has %s, but %s has %lu", t.file, cli_count(&rows, t.n_rows, "row"), f->table.file,
                          (unsigned long)out->n);
    for (size_t j = 0; j < t.n_columns && !status; j++) {
        if (t.names[j].text[0]) status = cv_mask(&t, j, out, why);
        else cli_note("%s: column %lu has no name and is left out", t.file, (unsigned long)j + 1);
    }
    if (!status && out->count == 0) status = cli_fail(why, "%s: no column with a name", t.file);
    csv_free(&t);
    return status;
}

/* The usable rows, training rows first; returns the number of these. */
static size_t cv_split_rows(const frame *f, const unsigned char *test, size_t *rows)
{
    size_t n = 0, k;
    for (size_t i = 0; i < f->n; i++) if (!test[f->rows[i]]) rows[n++] = f->rows[i];
    k = n;
    for (size_t i = 0; i < f->n; i++) if (test[f->rows[i]]) rows[k++] = f->rows[i];
    return n;
}

/* Fit and score with both parts of the rows in hand. row: CV_COUNT figures for each target. *kept: see scores_kept. */
static int cv_run(const options *o, const frame *f, size_t n_train, const size_t *rows, progress *p, double *row,
                  unsigned *kept, cli_why *why)
{
    const size_t n = f->n;
    const double began = progress_clock();
    double *score = (double *)cli_memory(o->n_targets, SCORE_COUNT*sizeof *score);
    cli_columns cols;
    cli_rows train, test;
    model m;
    memset(&m, 0, sizeof m);
    bln_likelihood l;
    int status = frame_learn(o, f, n_train, rows, &cols, why);
    memset(&train, 0, sizeof train);
    memset(&test, 0, sizeof test);
    if (status) memset(&cols, 0, sizeof cols);
    if (!status) status = rows_read(&cols, &f->table, f->at, n_train, rows, 0, &train, why);
    if (!status) status = rows_read(&cols, &f->table, f->at, n - n_train, rows + n_train, o->unseen, &test, why);
    if (!status && o->glm) status = glm_likelihood(o, &cols, &train.data, &l, why);
    if (!status && o->glm) status = glm_check_rows(&l, &cols, &f->table, f->at, rows, &train.data, why);
    if (!status && o->glm) status = glm_check_rows(&l, &cols, &f->table, f->at, rows + n_train, &test.data, why);
    if (!status) status = model_fit(o, &cols, &train.data, p, &m, why);
    if (!status && o->calibrate) status = calibrate(&m, &train, why);
    if (!status) calibrate_note(&m, scores_level);
    if (!status) status = scores_of(&m, &test.data, score, why);
    if (!status) *kept = scores_kept(&m);
    for (size_t k = 0; k < o->n_targets; k++, row += CV_COUNT) {
        row[CV_N_TRAIN] = (double)n_train;
        row[CV_N_TEST] = (double)(n - n_train);
        memcpy(row + CV_SCORES, score + k*SCORE_COUNT, SCORE_COUNT*sizeof *row);
        row[CV_SECONDS] = progress_clock() - began;
    }
    free(score);
    rows_free(&train);
    rows_free(&test);
    columns_free(&cols);
    model_free(&m);
    return status;
}

static int cv_fold(const options *o, const frame *f, const cv_splits *splits, size_t k, double *row, unsigned *kept, cli_why *why)
{
    char label[64];
    cli_why inner;
    size_t *rows = (size_t *)cli_memory(f->n, sizeof *rows);
    const size_t n_train = cv_split_rows(f, splits->test + k*splits->n, rows);
    int status;
    snprintf(label, sizeof label, "fold %lu/%lu", (unsigned long)k + 1, (unsigned long)splits->count);
    progress p = progress_start(label);
    if (n_train == 0 || n_train == f->n) status = cli_fail(why, "%s: no %s rows", label, n_train ? "test" : "training");
    else {
        status = cv_run(o, f, n_train, rows, &p, row, kept, &inner);
        if (status == CLI_USAGE) *why = inner;                       /* the same in every fold */
        else if (status) cli_fail(why, "%s: %.900s", label, inner.text);
    }
    free(rows);
    return status;
}

/* A line for each target, whose name stands at its end if there are several. */
static void cv_print(const options *o, unsigned kept, const char *name, const double *row)
{
    cli_shown shown;
    for (size_t k = 0; k < o->n_targets; k++, row += CV_COUNT) {
        printf("%-4s", name);
        for (size_t c = 0; c < CV_SECONDS; c++)
            if (c < CV_SCORES || kept >> (c - CV_SCORES) & 1) printf(" %*.5g", c < CV_SCORES ? 8 : 11, number_plain(row[c]));
        printf(" %11.3f", row[CV_SECONDS]);
        if (o->n_targets > 1) printf("  %s", cli_show(&shown, o->targets[k]));
        putchar('\n');
    }
    fflush(stdout);
}

/* Over the folds, whose figures are `wide` each: the mean, and the standard deviation (divided by folds - 1; one fold has none). */
static void cv_print_summary(const options *o, unsigned kept, size_t folds, size_t wide, const double *rows)
{
    double *mean = (double *)cli_memory(wide, sizeof *mean), *sd = (double *)cli_memory(wide, sizeof *sd);
    const double n = (double)folds;
    for (size_t c = 0; c < wide; c++) {
        for (size_t k = 0; k < folds; k++) mean[c] += rows[k*wide + c];
        mean[c] /= n;
        for (size_t k = 0; k < folds; k++) sd[c] += (rows[k*wide + c] - mean[c])*(rows[k*wide + c] - mean[c]);
        sd[c] = folds > 1 ? sqrt(sd[c]/(n - 1.0)) : NAN;
    }
    cv_print(o, kept, "mean", mean);
    cv_print(o, kept, "sd", sd);
    free(mean);
    free(sd);
}

static int cv_table(const options *o, const frame *f, const cv_splits *splits, cli_why *why)
{
    int status = CLI_GOOD;
    char name[32];
    unsigned kept = 0;
    const size_t wide = o->n_targets*CV_COUNT;
    double *rows = (double *)cli_memory(splits->count, wide*sizeof *rows);
    for (size_t k = 0; k < splits->count && !status; k++) {
        status = cv_fold(o, f, splits, k, rows + k*wide, &kept, why);
        if (status) break;
        if (k == 0) {
            printf("fold %8s %8s", "n_train", "n_test");
            for (size_t c = 0; c < SCORE_COUNT; c++) if (kept >> c & 1) printf(" %11s", scores_names[c]);
            printf(" %11s%s\n", "seconds", o->n_targets > 1 ? "  output" : "");
        }
        snprintf(name, sizeof name, "%lu", (unsigned long)k + 1);
        cv_print(o, kept, name, rows + k*wide);
    }
    if (!status) cv_print_summary(o, kept, splits->count, wide, rows);
    free(rows);
    return status;
}

/* Constant columns of the whole table; those of a fold are standardised away without a word. */
static void cv_note_constants(const options *o, const frame *f)
{
    cli_columns cols;
    cli_why ignored;
    if (frame_learn(o, f, f->n, f->rows, &cols, &ignored)) return;
    double *X = (double *)cli_memory(f->n*cols.d, sizeof *X);
    if (!columns_encode(&cols, &f->table, f->at, f->n, f->rows, 0, X, NULL, &ignored)) model_note_constants(&cols, f->n, X);
    free(X);
    columns_free(&cols);
}

int verb_cv(const options *o, cli_why *why)
{
    frame f;
    cv_splits splits;
    memset(&splits, 0, sizeof splits);
    int status = frame_for_training(o, &f, why);
    if (status) return status;
    cv_note_constants(o, &f);
    status = o->masks ? cv_masks(o, &f, &splits, why) : cv_deal(o, &f, &splits, why);
    if (!status) status = cv_table(o, &f, &splits, why);
    free(splits.test);
    frame_free(&f);
    return status;
}
