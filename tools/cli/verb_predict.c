/* predict: mean, standard deviations and interval for each row of a table */
#include "frame.h"
#include "model.h"
#include "output.h"
#include "rows.h"
#include "verbs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One line for each row of the table, so that the two lie side by side; a row that was dropped gets NA. */
static void predict_write(FILE *file, const frame *f, const double *mean, const double *latent, const double *var,
                          const double *lower, const double *upper)
{
    size_t k = 0;
    fputs("mean,sd,sd_latent,lower,upper\n", file);
    for (size_t i = 0; i < f->table.n_rows; i++) {
        if (k == f->n || f->rows[k] != i) { fputs("NA,NA,NA,NA,NA\n", file); continue; }
        fprintf(file, "%.10g,%.10g,%.10g,%.10g,%.10g\n", mean[k], sqrt(var[k]), sqrt(latent[k]), lower[k], upper[k]);
        k++;
    }
}

static int predict_rows(const options *o, const model *m, const frame *f, cli_why *why)
{
    const size_t n = f->n;
    output out;
    cli_rows rows;
    double *all = (double *)cli_memory(5*n, sizeof *all);
    double *mean = all, *latent = all + n, *var = all + 2*n, *lower = all + 3*n, *upper = all + 4*n;
    int status = rows_read(&m->cols, &f->table, f->at, n, f->rows, o->unseen_zero, &rows, why);
    if (!status) status = model_predict(m, &rows.data, mean, latent, var, why);
    if (!status) {
        model_intervals(n, mean, var, o->interval, lower, upper);
        status = output_open(o->output, &out, why);
    }
    if (!status) {
        predict_write(out.file, f, mean, latent, var, lower, upper);
        status = output_close(&out, why);
    }
    rows_free(&rows);
    free(all);
    return status;
}

int verb_predict(const options *o, cli_why *why)
{
    frame f;
    model m;
    int status = output_check(o->output, why);
    if (!status) status = model_load(o->model, &m, why);
    if (status) return status;
    status = frame_for_model(o, &m.cols, 0, &f, why);
    if (!status) {
        if (f.dropped) cli_note("%s: %lu of %lu rows have missing values and get NA", f.table.file, (unsigned long)f.dropped,
                                (unsigned long)f.table.n_rows);
        status = predict_rows(o, &m, &f, why);
        frame_free(&f);
    }
    model_free(&m);
    return status;
}
