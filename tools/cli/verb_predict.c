/* predict: mean, standard deviations and interval for each row of a table */
#include "calibrate.h"
#include "classes.h"
#include "figures.h"
#include "frame.h"
#include "glm.h"
#include "output.h"
#include "predictions.h"
#include "rows.h"
#include "verbs.h"
#include <string.h>

const cli_text verb_predict_text = {
    "usage: bayeslin predict MODEL DATA.csv [--interval 0.95] [--draws S [--seed N]] [-o OUT.csv]\n"
    "                        [--keep COL]... [--missing drop] [--unseen zero|new] [--sep SEP] [--decimal MARK]\n",
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
    "  --keep COL          a column of DATA.csv that goes first, as it stands there, an id: may be\n"
    "                      repeated, or a list: --keep id,town. rowname is the first column that has\n"
    "                      no name, as the row names that R writes\n"
    "  -o OUT.csv          also --output; OUT.npy: numbers for NumPy (help programs)\n"
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
    "lower and upper, and is taken as 1 where the table has none. With --likelihood there is\n"
    "more, of two classes the more probable one (class): bayeslin help glm; of several classes\n"
    "class,p_A,p_B,...: help classes. lower..upper is normal,\n"
    "mean -+ 1.96 sd for 0.95, or, for a model of --integrate, from quantiles of Student's t, or,\n"
    "of --calibrate, as wide as the training rows say (bayeslin help intervals).\n"
};

static int predict_rows(const options *o, const model *m, const frame *f, cli_why *why)
{
    cli_rows rows;
    sheet s;
    figures r;
    memset(&r, 0, sizeof r);
    sheet_begin(&s, &f->table, f->table.n_rows);
    for (size_t i = 0, at = 0; i < s.n; i++) {                        /* one line for each, so that the two lie side by side */
        s.row[i] = i;
        s.at[i] = at < f->n && f->rows[at] == i ? at++ : SHEET_MISSING;
    }
    int status = rows_read(&m->cols, &f->table, f->at, f->n, f->rows, o->unseen, &rows, why);
    sheet_keep(&s);
    if (!status && columns_note_unseen(&m->cols, f->table.file, f->n, rows.data.X) && o->unseen == COLUMNS_NEW
        && !classes_of(m)) glm_note_unseen(m);
    if (!status) predictions_note_empty(m, f->table.file, &rows.data);
    if (!status) status = figures_make(m, &rows, f->table.file, o->interval, &r, why);
    if (!status && o->draws) status = figures_draw(m, &rows.data, o->draws, o->seed, &r, why);
    if (!status) figures_columns(&s, &r, m->cols.targets);
    if (!status) status = sheet_check(&s, o, why);
    if (!status) status = sheet_write(&s, o, "predictions", why);
    sheet_free(&s);
    figures_free(&r);
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
