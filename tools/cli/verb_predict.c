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

/* One line for each row of the table, so that the two lie side by side; a row that was dropped gets NA. */
static void predict_write(FILE *file, const frame *f, const predictions *p)
{
    size_t k = 0;
    fputs("mean,sd,sd_latent,lower,upper\n", file);
    for (size_t i = 0; i < f->table.n_rows; i++) {
        if (k == f->n || f->rows[k] != i) { fputs("NA,NA,NA,NA,NA\n", file); continue; }
        fprintf(file, "%.10g,%.10g,%.10g,%.10g,%.10g\n", predict_plain(p->mean[k]), predict_plain(sqrt(p->var[k])),
                predict_plain(sqrt(p->latent[k])), p->lower[k], p->upper[k]);
        k++;
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
        predict_write(out.file, f, &p);
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
