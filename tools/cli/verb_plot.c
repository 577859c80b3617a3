/* plot: the model as a curve over one input, with the data
 *
 * The other inputs stay at their training means (an indicator's mean is the share of its word). An offset is taken off the targets,
 * so that they can be compared with one curve; where it is added to f and not to the target, the curve has its mean instead. Noise
 * variances are those of a row of factor 1, trials and exposures 1, and targets are divided by theirs. The wide band holds new
 * observations: noise and what the model does not know; the narrow one the mean curve: only the latter. */
#include "../plot.h"
#include "calibrate.h"
#include "classes.h"
#include "frame.h"
#include "glm.h"
#include "glm_options.h"
#include "help.h"
#include "made.h"
#include "output.h"
#include "predictions.h"
#include "role.h"
#include "verbs.h"
#include <stdlib.h>

const cli_text verb_plot_text = {
    "usage: bayeslin plot MODEL DATA.csv --x COL -o PLOT.svg [--y COL] [--interval 0.95]\n"
    "                     [--missing drop] [--sep SEP] [--decimal MARK]\n",
    "\n"
    "Draws the model as a curve over one input, with the rows of DATA.csv as points,\n"
    "into an SVG file that every browser shows.\n"
    "\n"
    "  bayeslin plot mcycle.bln mcycle.csv --x times -o mcycle.svg\n"
    "\n"
    "  --x COL             the input on the horizontal axis; the others stay at their mean\n"
    "                      over the training rows, and groups (by=) are ones not seen\n"
    "  --y COL             the target to draw, of a model of several outputs; of a model of\n"
    "                      classes a second input: their regions, in place of their\n"
    "                      probabilities over the first\n"
    "  -o PLOT.svg         also --output\n"
    "  --interval P        probability of the bands (default 0.95)\n"
    HELP_TABLE
    "\n"
    "The wide band holds new observations (noise and model), the narrow one the mean\n"
    "curve (model alone): it is wide where there are no data. With several inputs the\n"
    "points differ from the curve in the other inputs as well. An offset is taken off the\n"
    "targets; a model with noise variances is drawn for rows of noise variance 1.\n"
};

enum { PLOT_GRID = 400 };

/* Columns of what is drawn. */
enum { PLOT_X, PLOT_TARGET, PLOT_OFFSET, PLOT_TRIALS, PLOT_SECOND, PLOT_COLUMNS };

/* Points and curves, in the units of the data. at: PLOT_GRID points. */
typedef struct picture {
    size_t  n;
    double *x, *y, *at, *room;
    double  offset;                /* of the curve */
    predictions curve;
} picture;

static void picture_make(picture *p, size_t n)
{
    memset(p, 0, sizeof *p);
    p->n = n;
    p->room = (double *)cli_memory(2*n + PLOT_GRID, sizeof *p->room);
    p->x = p->room;
    p->y = p->room + n;
    p->at = p->room + 2*n;
}

static void picture_free(picture *p)
{
    predictions_free(&p->curve);
    free(p->room);
}

/* Widens a range by the values, which are finite. */
static void picture_range(size_t n, const double *v, double *low, double *high)
{
    for (size_t i = 0; i < n; i++) {
        if (v[i] < *low) *low = v[i];
        if (v[i] > *high) *high = v[i];
    }
}

/* A range of its own for a column that is the same everywhere. */
static void picture_pad(double share, double *low, double *high)
{
    const double pad = *high > *low ? share*(*high - *low) : *low != 0.0 ? 0.5*fabs(*low) : 0.5;
    *low -= pad;
    *high += pad;
}

static int picture_curves(const model *m, size_t input, size_t target, double interval, double low, double high, picture *p,
                          cli_why *why)
{
    predictions all;
    const size_t d = m->cols.d;
    double *X = (double *)cli_memory(PLOT_GRID*(d + 1), sizeof *X), *offset = X + PLOT_GRID*d;
    made_part bad;
    size_t of;
    model_typical(m, X);
    X[input] = low;
    if (made_fill(&m->cols, 1, X, &bad, &of) == 0) low += 0.03/1.06*(high - low);    /* a logarithm: no further than the points */
    for (size_t i = 0; i < PLOT_GRID; i++) {
        offset[i] = p->offset;
        model_typical(m, X + i*d);
        p->at[i] = X[i*d + input] = low + (high - low)*(double)i/(PLOT_GRID - 1.0);
        made_fill(&m->cols, 1, X + i*d, &bad, &of);
    }
    bln_data rows;
    memset(&rows, 0, sizeof rows);
    rows.n = PLOT_GRID;
    rows.d = d;
    rows.X = X;
    if (m->glm) rows.offset = offset;
    const int status = predictions_make(m, &rows, interval, &all, why);
    predictions_pick(&all, target, &p->curve);
    predictions_free(&all);
    /* With one degree of freedom there is no mean: the middle of the band then. */
    for (size_t i = 0; i < PLOT_GRID && !status; i++)
        if (p->curve.mean[i] != p->curve.mean[i]) p->curve.mean[i] = 0.5*(p->curve.lower_f[i] + p->curve.upper_f[i]);
    free(X);
    return status;
}

/* Is the offset of the target's kind, so that it can be taken off? */
static int picture_takes_off(const model *m) { return !m->glm || glm_is_real(&m->likelihood); }

/* Are the points shares of trials, or 0 and 1? */
static int picture_is_share(const model *m) { return !strncmp(m->likelihood.ops->name, "binomial", 8); }

static void picture_draw(FILE *file, const model *m, const options *o, const char *name, const picture *p, double low,
                         double high)
{
    plot_figure figure;
    const char *offset = m->cols.role[ROLE_OFFSET];
    char title[300], label[200], target[200], wide[64], narrow[64];
    const predictions *c = &p->curve;
    double y_low = c->lower[0], y_high = c->upper[0];
    picture_range(PLOT_GRID, c->lower, &y_low, &y_high);
    picture_range(PLOT_GRID, c->upper, &y_low, &y_high);
    picture_range(p->n, p->y, &y_low, &y_high);
    picture_pad(0.03, &y_low, &y_high);
    if (offset && picture_takes_off(m)) snprintf(target, sizeof target, "%.90s - %.90s", name, offset);
    else if (m->cols.role[ROLE_TRIALS]) snprintf(target, sizeof target, "%.90s / %.90s", name, m->cols.role[ROLE_TRIALS]);
    else if (m->cols.n_classes) snprintf(target, sizeof target, "%.90s = %.90s", name, m->cols.classes[1]);
    else snprintf(target, sizeof target, "%.190s", name);
    snprintf(title, sizeof title, "%s by %.90s", target, m->spec);
    if (m->cols.d > 1) snprintf(label, sizeof label, "%s   (other inputs%s at their mean)", o->x,
                                 offset && !picture_takes_off(m) ? " and the offset" : "");
    else if (offset && !picture_takes_off(m)) snprintf(label, sizeof label, "%s   (the offset at its mean)", o->x);
    else snprintf(label, sizeof label, "%s", o->x);
    snprintf(wide, sizeof wide, "%g %% %s (new points)", 100.0*o->interval, m->conformal ? "calibrated" : "noise and model");
    snprintf(narrow, sizeof narrow, "%g %% model (mean curve)", 100.0*o->interval);
    plot_begin(&figure, file, title, label, target, low, high, y_low, y_high);
    /* One trial is 0 or 1: there is nothing between. */
    if (!m->glm || !picture_is_share(m)) plot_band(&figure, PLOT_GRID, p->at, c->lower, c->upper, "#d6e4f2", wide);
    plot_band(&figure, PLOT_GRID, p->at, c->lower_f, c->upper_f, "#8db4dc", narrow);
    plot_points(&figure, p->n, p->x, p->y, "#333333", "data");
    plot_line(&figure, PLOT_GRID, p->at, c->mean, "#123f7a", "mean");
    plot_end(&figure);
}

/* The number in column k of a frame of plot_read, `none` if it is not there. */
static int plot_cell(const model *m, const frame *f, size_t i, size_t k, const char *name, double none, double *out, cli_why *why)
{
    const cli_role role = k == PLOT_OFFSET ? ROLE_OFFSET : ROLE_TRIALS;
    *out = none;
    if (f->at[k] == COLUMNS_NOWHERE) return CLI_GOOD;
    if (k >= PLOT_OFFSET) {
        const role_place place = role_find(&f->table, role, name);
        return role_value(&f->table, role, &place, f->rows[i], out, why);
    }
    if (k == PLOT_TARGET && m->cols.n_classes) return columns_target(&m->cols, &f->table, f->rows[i], f->at[k], 0, out, why);
    return columns_number(&f->table, f->rows[i], f->at[k], name, out, why);
}

static int plot_table(const options *o, const model *m, const cli_column *of_x, size_t target, const frame *f, cli_why *why)
{
    const char *name = m->cols.targets[target];
    picture p;
    output out;
    double offset = 0.0, trials = 1.0;
    int status = CLI_GOOD;
    picture_make(&p, f->n);
    p.n = 0;
    for (size_t row = 0, i = 0; row < f->n && !status; row++, i = p.n) {
        status = plot_cell(m, f, row, PLOT_X, of_x->name, 0.0, &p.x[i], why);
        if (!status) status = plot_cell(m, f, row, PLOT_TARGET, name, 0.0, &p.y[i], why);
        if (!status) status = plot_cell(m, f, row, PLOT_OFFSET, m->cols.role[ROLE_OFFSET], 0.0, &offset, why);
        if (!status) status = plot_cell(m, f, row, PLOT_TRIALS, m->cols.role[ROLE_TRIALS], 1.0, &trials, why);
        if (picture_takes_off(m)) p.y[i] -= offset;
        else p.offset += offset/(double)f->n;
        if (!(trials > 0.0)) continue;                            /* no trials, no share of them: no point */
        p.y[i] /= trials;
        p.n++;
    }
    if (!status && p.n == 0) status = cli_fail(why, "%s: no row has any trials: there is nothing to draw", f->table.file);
    double low = p.x[0], high = p.x[0];
    picture_range(p.n, p.x, &low, &high);
    picture_pad(0.03, &low, &high);
    if (!status) status = picture_curves(m, of_x->first, target, o->interval, low, high, &p, why);
    if (!status) status = output_open(o->output, &out, why);
    if (!status) {
        picture_draw(out.file, m, o, name, &p, low, high);
        status = output_close(&out, why);
    }
    picture_free(&p);
    return status;
}

/* The model's column of that name, if it is one of numbers. */
static int plot_find(const char *option, const char *name, const model *m, const cli_column **out, cli_why *why)
{
    for (size_t i = 0; i < m->cols.n; i++)
        if (!strcmp(m->cols.column[i].name, name)) {
            *out = &m->cols.column[i];
            return (*out)->words ? cli_fail(why, "%s: column \"%s\" holds words", option, name) : CLI_GOOD;
        }
    return cli_fail(why, "%s: the model has no input column \"%s\"", option, name);
}

/* Only what is drawn must be in the table: n columns of these names, of which some may be NULL. */
static int plot_read(const options *o, const model *m, size_t n, const char *const *name, frame *out, cli_why *why)
{
    csv_table t;
    size_t at[PLOT_COLUMNS], second = COLUMNS_NOWHERE;
    int status = csv_read(o->data, o->separator, &t, why);
    if (status) return status;
    status = reading_extend(m->cols.how, &t, why);
    for (size_t k = 0; k < n && !status; k++) {
        at[k] = name[k] ? csv_find(&t, name[k]) : COLUMNS_NOWHERE;
        if (at[k] == t.n_columns && (k == PLOT_OFFSET || k == PLOT_TRIALS)) {
            const role_place place = role_find(&t, k == PLOT_OFFSET ? ROLE_OFFSET : ROLE_TRIALS, name[k]);
            if (place.first != COLUMNS_NOWHERE) at[k] = place.first;
            second = place.second;
        }
        if (k == PLOT_SECOND) at[k] = second;
        if (at[k] == t.n_columns) status = cli_fail(why, "%s: no column \"%s\"", t.file, name[k]);
    }
    if (!status) status = reading_apply(m->cols.how, o, n, at, &t, why);
    if (!status) status = frame_of(o, &t, n, at, out, why);
    if (status) csv_free(&t);
    return status;
}

/* The curve of a target, with the points. */
static int plot_curve(const options *o, const model *m, const cli_column *of_x, cli_why *why)
{
    frame f;
    const char *name[PLOT_COLUMNS];
    size_t target = 0;
    int status = model_target(m, o->y, &target, why);
    if (status) return status;
    name[PLOT_X] = o->x;
    name[PLOT_TARGET] = m->cols.targets[target];
    name[PLOT_OFFSET] = m->cols.role[ROLE_OFFSET];
    name[PLOT_TRIALS] = m->cols.role[ROLE_TRIALS];
    name[PLOT_SECOND] = NULL;
    status = plot_read(o, m, PLOT_COLUMNS, name, &f, why);
    if (status) return status;
    frame_note_dropped(&f, "are left out");
    calibrate_note(m, o->interval);
    status = plot_table(o, m, of_x, target, &f, why);
    frame_free(&f);
    return status;
}

/* Classes over one input, or two. */
static int plot_classes(const options *o, const model *m, const cli_column *of_x, cli_why *why)
{
    frame f;
    const char *const name[3] = { o->x, o->y, m->cols.targets[0] };
    const cli_column *of_y = NULL;
    int status = o->y ? plot_find("--y", o->y, m, &of_y, why) : CLI_GOOD;
    if (!status) status = of_y == of_x ? cli_misuse(why, "--x and --y are the same column") : CLI_GOOD;
    if (!status) status = plot_read(o, m, 3, name, &f, why);
    if (status) return status;
    frame_note_dropped(&f, "are left out");
    status = classes_plot(o, m, of_x, of_y, &f, why);
    frame_free(&f);
    return status;
}

int verb_plot(const options *o, cli_why *why)
{
    model m;
    const cli_column *of_x = NULL;
    int status = output_check(o, why);
    if (!status) status = model_load(o->model, &m, why);
    if (status) return status;
    status = plot_find("--x", o->x, &m, &of_x, why);
    if (!status) status = (classes_of(&m) ? plot_classes : plot_curve)(o, &m, of_x, why);
    model_free(&m);
    return status;
}
