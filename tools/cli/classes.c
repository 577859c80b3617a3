/* classes: asks for the probabilities of all classes, and shows them */
#include "classes.h"
#include "draws.h"
#include "glm.h"
#include "number.h"
#include "output.h"
#include "rows.h"
#include "scores.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t classes_of(const model *m) { return m->likelihood.ops ? bln_likelihood_classes(&m->likelihood) : 0; }

const char *classes_name(const model *m, size_t k, cli_shown *room)
{
    if (k < m->cols.n_classes) return cli_show(room, m->cols.classes[k]);
    snprintf(room->text, sizeof room->text, "%lu", (unsigned long)k);
    return room->text;
}

/* ---- predict ---- */

/* A name behind what stands before it, in quotes where it would not be read back as it is. */
static void classes_field(FILE *file, const char *before, const char *name)
{
    const char *quote = strpbrk(name, ",\"\r\n") ? "\"" : "";
    fprintf(file, "%s%s", quote, before);
    for (; *name; name++) {
        if (*name == '"') putc('"', file);
        putc(*name, file);
    }
    fputs(quote, file);
}

static void classes_write(FILE *file, const model *m, const frame *f, size_t S, const double *p, const double *draw)
{
    const size_t K = classes_of(m), n = f->n;
    char **names = m->cols.classes;
    size_t at = 0;
    fputs("class", file);
    for (size_t k = 0; k < K; k++) {
        putc(',', file);
        classes_field(file, "p_", names[k]);
    }
    for (size_t s = 0; s < S; s++) fprintf(file, ",draw_%lu", (unsigned long)s + 1);
    putc('\n', file);
    for (size_t i = 0; i < f->table.n_rows; i++) {
        const int dropped = at == n || f->rows[at] != i;
        size_t guess = 0;
        for (size_t k = 1; k < K && !dropped; k++) if (p[at*K + k] > p[at*K + guess]) guess = k;
        if (dropped) fputs("NA", file);
        else classes_field(file, "", names[guess]);
        for (size_t k = 0; k < K; k++) {
            if (dropped) fputs(",NA", file);
            else fprintf(file, ",%.10g", number_plain(p[at*K + k]));
        }
        for (size_t s = 0; s < S; s++) {
            putc(',', file);
            classes_field(file, "", dropped ? "NA" : names[(size_t)draw[s*n + at]]);
        }
        if (!dropped) at++;
        putc('\n', file);
    }
}

int classes_predict(const options *o, const model *m, const frame *f, cli_why *why)
{
    output out;
    cli_rows rows;
    double *p = (double *)cli_memory(f->n, classes_of(m)*sizeof *p), *draw = (double *)cli_memory(f->n, o->draws*sizeof *draw);
    int status = rows_read(&m->cols, &f->table, f->at, f->n, f->rows, o->unseen, &rows, why);
    if (!status) columns_note_unseen(&m->cols, f->table.file, f->n, rows.data.X);
    if (!status) status = glm_class_probabilities(m, &rows.data, p, why);
    if (!status && o->draws) status = draws_make(m, &rows.data, o->draws, o->seed, draw, why);
    if (!status) status = output_open(o->output, &out, why);
    if (!status) {
        classes_write(out.file, m, f, o->draws, p, draw);
        status = output_close(&out, why);
    }
    free(p);
    free(draw);
    rows_free(&rows);
    return status;
}

/* ---- score ---- */

int classes_score(const model *m, const bln_data *rows, double *out, cli_why *why)
{
    const size_t K = classes_of(m);
    double *p = (double *)cli_memory(rows->n, K*sizeof *p);
    bln_report report;
    int status = glm_class_probabilities(m, rows, p, why);
    for (size_t k = 0; k < SCORE_COUNT; k++) out[k] = NAN;
    bln_report_clear(&report);
    if (!status && (bln_log_loss(rows->n, K, rows->y, p, &out[SCORE_LOG_LOSS], &report) != BLN_OK
                    || bln_error_rate(rows->n, K, rows->y, p, &out[SCORE_ERROR], &report) != BLN_OK
                    || bln_brier(rows->n, K, rows->y, p, &out[SCORE_BRIER], &report) != BLN_OK))
        status = cli_fail(why, "the scores failed: %s", report.text);
    free(p);
    return status;
}

enum { CLASSES_WIDE = 14 };

int classes_confusion(const model *m, const bln_data *rows, FILE *file, cli_why *why)
{
    const size_t K = glm_classes(m);
    if (K < 2) return CLI_GOOD;
    double *p = (double *)cli_memory(rows->n, K*sizeof *p);
    size_t *table = (size_t *)cli_memory(K, K*sizeof *table);
    cli_shown name;
    bln_report report;
    int status = glm_class_probabilities(m, rows, p, why);
    bln_report_clear(&report);
    if (!status && bln_confusion(rows->n, K, rows->y, p, table, &report) != BLN_OK)
        status = cli_fail(why, "the scores failed: %s", report.text);
    if (!status) {
        fprintf(file, "confusion, a line for each class, a column for each guess\n%*s", CLASSES_WIDE + 2, "");
        for (size_t k = 0; k < K; k++) {
            const int bytes = cli_bytes(classes_name(m, k, &name), CLASSES_WIDE - 4);
            fprintf(file, " %*.*s", bytes, bytes, name.text);
        }
        for (size_t k = 0; k < K*K; k++) {
            const int bytes = k % K ? 0 : cli_bytes(classes_name(m, k/K, &name), CLASSES_WIDE);
            if (k % K == 0) fprintf(file, "\n  %-*.*s", bytes, bytes, name.text);
            fprintf(file, " %*lu", CLASSES_WIDE - 4, (unsigned long)table[k]);
        }
        putc('\n', file);
    }
    free(p);
    free(table);
    return status;
}
