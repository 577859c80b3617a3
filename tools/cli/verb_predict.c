/* predict: mean, standard deviations and interval for each row of a table */
#include "calibrate.h"
#include "frame.h"
#include "output.h"
#include "predictions.h"
#include "rows.h"
#include "verbs.h"
#include <math.h>
#include <string.h>

/* A NaN has a sign, which some C libraries print. */
static double predict_plain(double v) { return v != v ? fabs(v) : v; }

/* mean,sd,... of one target; mean_a,sd_a,...,mean_b,... of several. What would not be read back as it is stands in quotes. */
static void predict_header(FILE *file, const cli_columns *c)
{
    static const char *const figures[] = { "mean", "sd", "sd_latent", "lower", "upper" };
    enum { FIGURES = sizeof figures/sizeof *figures };
    for (size_t k = 0; k < c->n_targets*FIGURES; k++) {
        const char *name = c->targets[k/FIGURES], *quote = strpbrk(name, ",\"\r\n") ? "\"" : "";
        if (k) putc(',', file);
        if (c->n_targets == 1) { fputs(figures[k], file); continue; }
        fprintf(file, "%s%s_", quote, figures[k % FIGURES]);
        for (; *name; name++) {
            if (*name == '"') putc('"', file);
            putc(*name, file);
        }
        fputs(quote, file);
    }
    putc('\n', file);
}

/* One line for each row of the table, so that the two lie side by side; a row that was dropped gets NA. */
static void predict_write(FILE *file, const cli_columns *c, const frame *f, const predictions *p)
{
    size_t at = 0;
    predict_header(file, c);
    for (size_t i = 0; i < f->table.n_rows; i++) {
        const int dropped = at == f->n*p->P || f->rows[at/p->P] != i;
        for (size_t k = 0; k < p->P; k++) {
            if (k) putc(',', file);
            if (dropped) { fputs("NA,NA,NA,NA,NA", file); continue; }
            fprintf(file, "%.10g,%.10g,%.10g,%.10g,%.10g", predict_plain(p->mean[at]), predict_plain(sqrt(p->var[at])),
                    predict_plain(sqrt(p->latent[at])), p->lower[at], p->upper[at]);
            at++;
        }
        putc('\n', file);
    }
}

static int predict_rows(const options *o, const model *m, const frame *f, cli_why *why)
{
    output out;
    cli_rows rows;
    predictions p;
    memset(&p, 0, sizeof p);
    int status = rows_read(&m->cols, &f->table, f->at, f->n, f->rows, o->unseen_zero, &rows, why);
    if (!status) status = predictions_make(m, &rows.data, o->interval, &p, why);
    if (!status) status = output_open(o->output, &out, why);
    if (!status) {
        predict_write(out.file, &m->cols, f, &p);
        status = output_close(&out, why);
    }
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
