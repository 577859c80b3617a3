/* predict: mean, standard deviations and interval for each row of a table */
#include "calibrate.h"
#include "classes.h"
#include "draws.h"
#include "frame.h"
#include "glm.h"
#include "number.h"
#include "output.h"
#include "predictions.h"
#include "rows.h"
#include "verbs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const cli_text verb_predict_text = {
    "usage: bayeslin predict MODEL DATA.csv [--interval 0.95] [--draws S [--seed N]] [-o OUT.csv]\n"
    "                        [--missing drop] [--unseen zero|new] [--sep SEP] [--decimal MARK]\n",
    "\n"
    "Writes one line for each row of DATA.csv, in its order, to standard output or\n"
    "OUT.csv: mean,sd,sd_latent,lower,upper; of several outputs mean_A,sd_A,...,mean_B,...\n"
    "\n"
    "  bayeslin predict houses.bln new.csv --interval 0.9 -o predictions.csv\n"
    "\n"
    "  --interval P        probability that lower..upper holds a new observation (0.95)\n"
    "  --draws S           S columns more, draw_1,...: new observations, noise included. Those of one\n"
    "                      column belong together, so that it may be summed, sorted or compared with\n"
    "                      the data as a whole; of two classes, 0 and 1 as `info` says; not\n"
    "                      calibrated; at most 4000 rows beside inducing points of a linear model\n"
    "  --seed N            of the draws (default 0)\n"
    "  -o OUT.csv          also --output\n"
    "  --missing drop      rows with missing values get NA instead of stopping the program\n"
    "  --unseen zero, new  a word that the training rows did not have is none of theirs (all\n"
    "                      indicators 0) instead of an error; of by= in the basis zero is the\n"
    "                      population, and new is a group that was not seen (with\n"
    "                      --inference map the same: a map has no effect for it)\n"
    "  --sep SEP           of DATA.csv: comma (default), semicolon or tab\n"
    "  --decimal MARK      comma or point, where the cells do not say it: help tables\n"
    "\n"
    "`sd` is the standard deviation of a new observation, noise included; `sd_latent`\n"
    "that of the function alone: what more data would take away. All in the units of\n"
    "the target, with 10 digits. Columns are found by name; others are not looked at,\n"
    "target and weights are not needed. A model with an offset needs its column and adds\n"
    "it to mean, lower and upper; the column of noise variances scales the noise in sd,\n"
    "lower and upper, and is taken as 1 where the table has none. With --model glm there is\n"
    "more: bayeslin help glm; of several classes class,p_A,p_B,...: help classes. lower..upper is normal,\n"
    "mean -+ 1.96 sd for 0.95, or, for a model of --integrate, from quantiles of Student's t, or,\n"
    "of --calibrate, as wide as the training rows say (bayeslin help intervals).\n"
};

/* Figures of a target: a generalised linear model has two more. That of a quantile says nothing of new targets, whose density is
 * made up for it. */
enum { PREDICT_MOST = 7 };
static const char *const predict_figures[] = { "mean", "sd", "sd_latent", "lower", "upper", "lower_mean", "upper_mean" };
static const char *const predict_quantile[] = { "quantile", "sd_quantile", "lower_quantile", "upper_quantile" };
static size_t predict_count(const model *m) { return glm_quantile(m) > 0.0 ? 4 : m->glm ? PREDICT_MOST : 5; }

/* Those of target j, in this order. */
static void predict_values(const model *m, const predictions *p, size_t j, double *value)
{
    const double sd = sqrt(p->var[j]), sd_latent = sqrt(p->latent[j]);
    const double all[] = { p->mean[j], sd, sd_latent, p->lower[j], p->upper[j], p->lower_f[j], p->upper_f[j] };
    const double quantile[] = { p->mean[j], sd_latent, p->lower_f[j], p->upper_f[j] };
    memcpy(value, glm_quantile(m) > 0.0 ? quantile : all, predict_count(m)*sizeof *value);
}

/* FIGURE of the only target, FIGURE_NAME of one of several; what would not be read back as it is stands in quotes. */
static void predict_name(FILE *file, const model *m, size_t k, const char *figure)
{
    const char *name = m->cols.targets[k], *quote = strpbrk(name, ",\"\r\n") ? "\"" : "";
    if (m->cols.n_targets == 1) { fputs(figure, file); return; }
    fprintf(file, "%s%s_", quote, figure);
    for (; *name; name++) {
        if (*name == '"') putc('"', file);
        putc(*name, file);
    }
    fputs(quote, file);
}

/* What is written besides the figures: probabilities of classes, n x classes; draws of the targets, S x (n P). */
typedef struct predict_more { size_t classes, S; double *probability, *draw; } predict_more;

/* mean,sd,... of one target; mean_a,sd_a,...,mean_b,... of several. Then p_0,p_1,... of ordered categories, and draw_1,...; of
 * several targets those of the first, then those of the second. */
static void predict_header(FILE *file, const model *m, const predict_more *more)
{
    const size_t figures = predict_count(m), P = m->cols.n_targets;
    char name[40];
    for (size_t k = 0; k < P*figures; k++) {
        if (k) putc(',', file);
        predict_name(file, m, k/figures, (glm_quantile(m) > 0.0 ? predict_quantile : predict_figures)[k % figures]);
    }
    for (size_t k = 0; k < more->classes; k++) fprintf(file, ",p_%lu", (unsigned long)k);
    for (size_t k = 0; k < P*more->S; k++) {
        snprintf(name, sizeof name, "draw_%lu", (unsigned long)(k % more->S + 1));
        putc(',', file);
        predict_name(file, m, k/more->S, name);
    }
    putc('\n', file);
}

/* A number behind a comma, or NA for a row that was dropped. */
static void predict_cell(FILE *file, int dropped, double value)
{
    if (dropped) fputs(",NA", file);
    else fprintf(file, ",%.10g", number_plain(value));
}

/* One line for each row of the table, so that the two lie side by side. */
static void predict_write(FILE *file, const model *m, const frame *f, const predictions *p, const predict_more *more)
{
    const size_t figures = predict_count(m), P = p->P, values = f->n*P;
    double value[PREDICT_MOST];
    size_t at = 0;
    predict_header(file, m, more);
    for (size_t i = 0; i < f->table.n_rows; i++) {
        const int dropped = at == values || f->rows[at/P] != i;
        for (size_t k = 0; k < P*figures; k++) {
            if (k) putc(',', file);
            if (dropped) { fputs("NA", file); continue; }
            if (k % figures == 0) predict_values(m, p, at + k/figures, value);
            fprintf(file, "%.10g", number_plain(value[k % figures]));
        }
        for (size_t k = 0; k < more->classes; k++)
            predict_cell(file, dropped, dropped ? 0.0 : more->probability[at*more->classes + k]);
        for (size_t k = 0; k < P*more->S; k++)
            predict_cell(file, dropped, dropped ? 0.0 : more->draw[k % more->S*values + at + k/more->S]);
        if (!dropped) at += P;
        putc('\n', file);
    }
}

static int predict_rows(const options *o, const model *m, const frame *f, cli_why *why)
{
    output out;
    cli_rows rows;
    predictions p;
    predict_more more;
    more.S = o->draws;
    more.classes = m->glm && m->likelihood.n_theta ? glm_classes(m) : 0;                 /* of two the mean says it */
    more.probability = (double *)cli_memory(f->n, more.classes*sizeof *more.probability);
    more.draw = (double *)cli_memory(m->cols.n_targets*f->n, more.S*sizeof *more.draw);
    memset(&p, 0, sizeof p);
    int status = rows_read(&m->cols, &f->table, f->at, f->n, f->rows, o->unseen, &rows, why);
    if (!status && columns_note_unseen(&m->cols, f->table.file, f->n, rows.data.X) && o->unseen == COLUMNS_NEW) glm_note_unseen(m);
    if (!status && (status = predictions_make(m, &rows.data, o->interval, &p, why)) != CLI_GOOD && p.failed != BLN_NONE)
        cli_fail(why, "%s:%lu: the prediction overflows: its inputs are too far from those of the fit", f->table.file,
                 (unsigned long)rows.line[p.failed]);
    if (!status && more.classes) status = glm_class_probabilities(m, &rows.data, more.probability, why);
    if (!status && more.S) status = draws_make(m, &rows.data, more.S, o->seed, more.draw, why);
    if (!status) status = output_open(o->output, &out, why);
    if (!status) {
        predict_write(out.file, m, f, &p, &more);
        status = output_close(&out, why);
    }
    free(more.probability);
    free(more.draw);
    predictions_free(&p);
    rows_free(&rows);
    return status;
}

int verb_predict(const options *o, cli_why *why)
{
    frame f;
    model m;
    int status = output_check(o, why);
    if (!status) status = model_load(o->model, &m, why);
    if (status) return status;
    status = frame_for_model(o, &m.cols, COLUMNS_PREDICT, &f, why);
    if (!status) {
        frame_note_dropped(&f, "get NA");
        calibrate_note(&m, o->interval);
        status = (classes_of(&m) ? classes_predict : predict_rows)(o, &m, &f, why);
        frame_free(&f);
    }
    model_free(&m);
    return status;
}
