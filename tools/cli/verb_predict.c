/* predict: mean, standard deviations and interval for each row of a table */
#include "calibrate.h"
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

/* Figures of a target: a generalised linear model has the last two as well. */
static const char *const predict_figures[] = { "mean", "sd", "sd_latent", "lower", "upper", "lower_mean", "upper_mean" };
static size_t predict_count(const model *m) { return m->glm ? 7 : 5; }

/* mean,sd,... of one target; mean_a,sd_a,...,mean_b,... of several. What would not be read back as it is stands in quotes. Then
 * p_0,p_1,... of ordered categories. */
static void predict_header(FILE *file, const model *m, size_t classes)
{
    const size_t figures = predict_count(m), P = m->cols.n_targets;
    for (size_t k = 0; k < P*figures; k++) {
        const char *name = m->cols.targets[k/figures], *quote = strpbrk(name, ",\"\r\n") ? "\"" : "";
        if (k) putc(',', file);
        if (P == 1) { fputs(predict_figures[k], file); continue; }
        fprintf(file, "%s%s_", quote, predict_figures[k % figures]);
        for (; *name; name++) {
            if (*name == '"') putc('"', file);
            putc(*name, file);
        }
        fputs(quote, file);
    }
    for (size_t k = 0; k < classes; k++) fprintf(file, ",p_%lu", (unsigned long)k);
    putc('\n', file);
}

/* One line for each row of the table, so that the two lie side by side; a row that was dropped gets NA. probability: of the
 * classes. */
static void predict_write(FILE *file, const model *m, const frame *f, const predictions *p, size_t classes,
                          const double *probability)
{
    const size_t figures = predict_count(m);
    size_t at = 0;
    predict_header(file, m, classes);
    for (size_t i = 0; i < f->table.n_rows; i++) {
        const int dropped = at == f->n*p->P || f->rows[at/p->P] != i;
        for (size_t k = 0; k < p->P*figures; k++) {
            if (k) putc(',', file);
            if (dropped) { fputs("NA", file); continue; }
            const size_t j = at + k/figures;
            const double value[] = { p->mean[j], sqrt(p->var[j]), sqrt(p->latent[j]), p->lower[j], p->upper[j], p->lower_f[j],
                                     p->upper_f[j] };
            fprintf(file, "%.10g", number_plain(value[k % figures]));
        }
        for (size_t k = 0; k < classes; k++) {
            if (dropped) fputs(",NA", file);
            else fprintf(file, ",%.10g", number_plain(probability[at*classes + k]));
        }
        if (!dropped) at += p->P;
        putc('\n', file);
    }
}

static int predict_rows(const options *o, const model *m, const frame *f, cli_why *why)
{
    output out;
    cli_rows rows;
    predictions p;
    const size_t classes = m->glm && m->likelihood.n_theta ? glm_classes(m) : 0;         /* of two the mean says it */
    double *probability = (double *)cli_memory(f->n, (classes + 1)*sizeof *probability);
    memset(&p, 0, sizeof p);
    int status = rows_read(&m->cols, &f->table, f->at, f->n, f->rows, o->unseen_zero, &rows, why);
    if (!status) status = predictions_make(m, &rows.data, o->interval, &p, why);
    if (!status && classes) status = glm_class_probabilities(m, &rows.data, probability, why);
    if (!status) status = output_open(o->output, &out, why);
    if (!status) {
        predict_write(out.file, m, f, &p, classes, probability);
        status = output_close(&out, why);
    }
    free(probability);
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
        status = predict_rows(o, &m, &f, why);
        frame_free(&f);
    }
    model_free(&m);
    return status;
}
