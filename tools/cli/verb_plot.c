/* plot: the model as a curve over one input, with the data; several models have a curve each. pictures.h has what else --show draws
 *
 * The other inputs are as grid.h has them. An offset is taken off the targets, so that they can be compared with one curve; where
 * it is added to f and not to the target, the curve has its mean instead. Noise variances are those of a row of factor 1, trials
 * and exposures 1, and targets are divided by theirs. The wide band holds new observations: noise and what the model does not know;
 * the narrow one the mean curve: only the latter. */
#include "calibrate.h"
#include "classes.h"
#include "glm.h"
#include "glm_options.h"
#include "grid.h"
#include "help.h"
#include "output.h"
#include "pictures.h"
#include "predictions.h"
#include "reading.h"
#include "role.h"
#include "system.h"
#include "verbs.h"
#include <stdlib.h>
#include <string.h>

const cli_text verb_plot_text = {
    "usage: bayeslin plot MODEL DATA.csv --x COL -o PLOT.svg [--y COL] [--interval 0.95]\n"
    "       bayeslin plot MODEL MODEL... DATA.csv --x COL -o PLOT.svg\n"
    "       bayeslin plot MODEL DATA.csv --show WHAT -o PLOT.svg [--x NAME] [--y COL]\n"
    "                     [--missing drop] [--sep SEP] [--decimal MARK]\n",
    "\n"
    "Draws what a model says, with the rows of DATA.csv, into an SVG file that every browser\n"
    "shows, and that can be told apart in black and white.\n"
    "\n"
    "  bayeslin plot mcycle.bln mcycle.csv --x times -o mcycle.svg\n"
    "  bayeslin plot line.bln curve.bln mcycle.csv --x times -o both.svg\n"
    "  bayeslin plot houses.bln houses.csv --show effects -o effects.svg\n"
    "\n"
    "  --show curve        (default) the data, and the model as a curve over --x, with bands; of\n"
    "                      several MODELs their curves; of classes their probabilities\n"
    "  --show draws        functions that are possible before the data (prior) and after them\n"
    "                      (posterior), over --x:  plot m.bln t.csv --show draws --x times -o d.svg\n"
    "  --show effects      a small picture for each column: the mean over it, with its interval:\n"
    "                      plot m.bln t.csv --show effects -o effects.svg\n"
    "  --show residuals    are predictions right? Where rows fall in them (calibration), and\n"
    "                      residuals over fitted values and each column, for any likelihood:\n"
    "                      plot m.bln t.csv --show residuals -o residuals.svg\n"
    "  --show coefficients a point and an interval for each, the largest first, by one standard\n"
    "                      deviation of its column:  plot m.bln t.csv --show coefficients -o c.svg\n"
    "  --show evidence     the log evidence over each hyper-parameter, and what was learnt; a table\n"
    "                      too. --x NAME: those with NAME in their name. --x degree: the model\n"
    "                      fitted anew with each degree of its polynomial. DATA.csv: that of the\n"
    "                      fit:  plot m.bln t.csv --show evidence --x 'length scale' -o e.svg\n"
    "  --x COL             the column on the horizontal axis, of numbers\n"
    "  --y COL             the target to draw, of a model of several outputs; of two or more\n"
    "                      classes a second column: their regions over both:\n"
    "                      plot iris.bln iris.csv --x petal_length --y petal_width -o regions.svg\n"
    "  -o PLOT.svg         also --output\n"
    "  --interval P        probability of bands and intervals (default 0.95)\n"
    HELP_TABLE
    "\n"
    "More: bayeslin help pictures.\n"
};

enum { PLOT_GRID = 400, PLOT_MODELS = 6 };

/* Columns of what is drawn. */
enum { PLOT_X, PLOT_TARGET, PLOT_OFFSET, PLOT_TRIALS, PLOT_SECOND, PLOT_COLUMNS };

/* One of the models that are drawn: which target and which column, and its curve. */
typedef struct drawn { const model *m; size_t column, target; predictions curve; } drawn;

/* Points and curves, in the units of the data. at: PLOT_GRID points. */
typedef struct picture {
    size_t  n, n_models;
    double *x, *y, *at, *room;
    double  offset;                /* of the curves */
    drawn  *of;
} picture;

static void picture_make(picture *p, size_t n, size_t n_models, drawn *of)
{
    memset(p, 0, sizeof *p);
    p->n = n;
    p->n_models = n_models;
    p->of = of;
    p->room = (double *)cli_memory(2*n + PLOT_GRID, sizeof *p->room);
    p->x = p->room;
    p->y = p->room + n;
    p->at = p->room + 2*n;
}

static int picture_curves(const drawn *of, double interval, const picture *p, predictions *curve, cli_why *why)
{
    predictions all;
    const model *m = of->m;
    const size_t d = m->cols.d;
    double *X = (double *)cli_memory(PLOT_GRID*(d + 1), sizeof *X), *offset = X + PLOT_GRID*d;
    for (size_t i = 0; i < PLOT_GRID; i++) {
        offset[i] = p->offset;
        grid_typical(m, X + i*d);
        grid_number(m, of->column, p->at[i], X + i*d);
    }
    bln_data rows;
    memset(&rows, 0, sizeof rows);
    rows.n = PLOT_GRID;
    rows.d = d;
    rows.X = X;
    if (m->glm) rows.offset = offset;
    const int status = predictions_make(m, &rows, interval, &all, why);
    predictions_pick(&all, of->target, curve);
    predictions_free(&all);
    /* With one degree of freedom there is no mean: the middle of the band then. */
    for (size_t i = 0; i < PLOT_GRID && !status; i++)
        if (curve->mean[i] != curve->mean[i]) curve->mean[i] = 0.5*(curve->lower_f[i] + curve->upper_f[i]);
    free(X);
    return status;
}

/* Is there a band for new points? One trial is 0 or 1, with nothing between; and the density beside a quantile is made up. */
static int picture_has_wide(const model *m)
{
    return !m->glm || (strncmp(m->likelihood.ops->name, "binomial", 8) && !(glm_quantile(m) > 0.0));
}

/* Data, mean and both bands of one model. */
static void picture_draw_one(plot_figure *figure, const options *o, const picture *p)
{
    const model *m = p->of->m;
    const predictions *c = &p->of->curve;
    char wide[64], narrow[64], middle[64];
    picture_middle(m, middle, sizeof middle);
    snprintf(wide, sizeof wide, "%g %% %s (new points)", 100.0*o->interval, m->conformal ? "calibrated" : "noise and model");
    snprintf(narrow, sizeof narrow, "%g %% model (%.40s)", 100.0*o->interval, glm_quantile(m) > 0.0 ? middle : "mean curve");
    if (picture_has_wide(m)) plot_band(figure, PLOT_GRID, p->at, c->lower, c->upper, "#d6e4f2", wide);
    plot_band(figure, PLOT_GRID, p->at, c->lower_f, c->upper_f, "#8db4dc", narrow);
    plot_points(figure, p->n, p->x, p->y, "#333333", "data");
    plot_line(figure, PLOT_GRID, p->at, c->mean, "#123f7a", middle);
}

/* Data, and of each model the mean and the ends of the narrow band. */
static void picture_draw_several(plot_figure *figure, const options *o, const picture *p)
{
    char name[100];
    plot_points(figure, p->n, p->x, p->y, "#888888", "data");
    for (size_t k = 0; k < p->n_models; k++) {
        const predictions *c = &p->of[k].curve;
        const char *color = plot_style(figure, k), *file = o->files[k] + system_folder(o->files[k]);
        snprintf(name, sizeof name, "%.40s: %.50s", file, p->of[k].m->spec);
        figure->stroke = 0.9;
        plot_line(figure, PLOT_GRID, p->at, c->lower_f, color, "");
        plot_line(figure, PLOT_GRID, p->at, c->upper_f, color, "");
        figure->stroke = 2.5;
        plot_line(figure, PLOT_GRID, p->at, c->mean, color, name);
    }
}

static void picture_draw(FILE *file, const options *o, const picture *p)
{
    plot_figure figure;
    const model *m = p->of->m;
    grid_text text;
    const char *others = grid_others(m, 1, &text);
    const char *by_offset = picture_at_offset(m);
    const int several = p->n_models > 1;
    char title[300], label[400], target[200], middle[64];
    double y_low = HUGE_VAL, y_high = -HUGE_VAL;
    for (size_t k = 0; k < p->n_models; k++) {
        const predictions *c = &p->of[k].curve;
        const int narrow = several || glm_quantile(m) > 0.0;
        grid_range(PLOT_GRID, narrow ? c->lower_f : c->lower, &y_low, &y_high);
        grid_range(PLOT_GRID, narrow ? c->upper_f : c->upper, &y_low, &y_high);
    }
    grid_range(p->n, p->y, &y_low, &y_high);
    grid_pad(0.03, &y_low, &y_high);
    picture_target(m, p->of->target, target, sizeof target);
    picture_middle(m, middle, sizeof middle);
    if (several) snprintf(title, sizeof title, "%s by %lu models: %.40ss, and %g %% intervals of them", target,
                          (unsigned long)p->n_models, middle, 100.0*o->interval);
    else snprintf(title, sizeof title, "%s by %.90s", target, m->spec);
    snprintf(label, sizeof label, "%.100s%s%s%s%s%s", o->x, *others || *by_offset ? "   (" : "", others,
             *others && *by_offset ? ", " : "", by_offset, *others || *by_offset ? ")" : "");
    picture_begin(&figure, file, m, o->x, title, label, target, p->at[0], p->at[PLOT_GRID - 1], y_low, y_high);
    (several ? picture_draw_several : picture_draw_one)(&figure, o, p);
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

static int plot_table(const options *o, size_t n_models, drawn *of, const frame *f, cli_why *why)
{
    const model *m = of->m;
    const char *name = m->cols.targets[of->target];
    picture p;
    output out;
    double offset = 0.0, trials = 1.0;
    int status = CLI_GOOD;
    picture_make(&p, f->n, n_models, of);
    for (size_t i = 0; i < f->n && !status; i++) {
        status = plot_cell(m, f, i, PLOT_X, o->x, 0.0, &p.x[i], why);
        if (!status) status = plot_cell(m, f, i, PLOT_TARGET, name, 0.0, &p.y[i], why);
        if (!status) status = plot_cell(m, f, i, PLOT_OFFSET, m->cols.role[ROLE_OFFSET], 0.0, &offset, why);
        if (!status) status = plot_cell(m, f, i, PLOT_TRIALS, m->cols.role[ROLE_TRIALS], 1.0, &trials, why);
        if (picture_takes_off(m)) p.y[i] -= offset;
        else p.offset += offset/(double)f->n;
        p.y[i] /= trials;
    }
    double low = p.x[0], high = p.x[0];
    grid_range(p.n, p.x, &low, &high);
    grid_pad(0.03, &low, &high);
    for (size_t k = 0; k < n_models; k++) low = grid_low(of[k].m, of[k].column, low, high);
    grid_line(low, high, PLOT_GRID, p.at);
    for (size_t k = 0; k < n_models && !status; k++) status = picture_curves(&of[k], o->interval, &p, &of[k].curve, why);
    if (!status) status = output_open(o->output, &out, why);
    if (!status) {
        picture_draw(out.file, o, &p);
        status = output_close(&out, why);
    }
    for (size_t k = 0; k < n_models; k++) predictions_free(&of[k].curve);
    free(p.room);
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
    reading_extend(m->cols.how, &t);
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
    if (status) {
        csv_free(&t);
        return status;
    }
    frame_note_dropped(out, "are left out");
    status = picture_leave_no_trials(m, out, why);
    if (!status) status = picture_leave_filled(m, out, n == PLOT_COLUMNS ? 1 : 2, why);
    if (status) frame_free(out);
    return status;
}

/* Is the same thing on the axes of a model as on those of the first? */
static int plot_alike(const options *o, const drawn *a, const drawn *b, size_t k, cli_why *why)
{
    cli_shown shown, other;
    const char *const *r = (const char *const *)a->m->cols.role, *const *s = (const char *const *)b->m->cols.role;
    if (strcmp(a->m->cols.targets[a->target], b->m->cols.targets[b->target]))
        return cli_fail(why, "%s is of the target \"%s\", and %s of \"%s\": one picture has one target", o->files[0],
                        cli_show(&shown, a->m->cols.targets[a->target]), o->files[k],
                        cli_show(&other, b->m->cols.targets[b->target]));
    for (int i = ROLE_OFFSET; i < ROLE_COUNT; i++)
        if (!r[i] != !s[i] || (r[i] && strcmp(r[i], s[i])))
            return cli_fail(why, "%s and %s differ in %s, and so in what their curves are of: draw them one by one", o->files[0],
                            o->files[k], role_option((cli_role)i));
    const cli_column *x = &a->m->cols.column[a->column];
    if (!reading_alike(a->m->cols.how, b->m->cols.how, x->name))
        return cli_fail(why, "%s and %s count the column \"%s\" in different ways, as days since different dates: draw them one by "
                             "one", o->files[0], o->files[k], cli_show(&shown, x->name));
    if (glm_quantile(a->m) != glm_quantile(b->m))                                      /* 0: no quantile */
        return cli_fail(why, "%s and %s are of different quantiles, or one of a mean: draw them one by one", o->files[0],
                        o->files[k]);
    if (a->m->cols.n_classes == b->m->cols.n_classes && picture_takes_off(a->m) == picture_takes_off(b->m)) return CLI_GOOD;
    return cli_fail(why, "%s and %s are of different kinds of targets: draw them one by one", o->files[0], o->files[k]);
}

/* The curves of a target, with the points. */
static int plot_curve(const options *o, size_t n_models, const model *m, cli_why *why)
{
    frame f;
    const char *name[PLOT_COLUMNS];
    const cli_column *of_x;
    drawn of[PLOT_MODELS];
    int status = CLI_GOOD;
    for (size_t k = 0; k < n_models && !status; k++) {
        memset(&of[k], 0, sizeof of[k]);
        of[k].m = &m[k];
        status = model_target(&m[k], o->y, &of[k].target, why);
        if (!status) status = plot_find("--x", o->x, &m[k], &of_x, why);
        if (!status) of[k].column = (size_t)(of_x - m[k].cols.column);
        if (!status && classes_of(&m[k]))
            status = cli_fail(why, "%s is of several classes, and would need a picture of its own", o->files[k]);
        if (!status) status = plot_alike(o, &of[0], &of[k], k, why);
        if (status && n_models > 1 && !strstr(why->text, o->files[k])) {
            const cli_why before = *why;
            cli_fail(why, "%.200s: %.700s", o->files[k], before.text);
        }
    }
    if (status) return status;
    name[PLOT_X] = o->x;
    name[PLOT_TARGET] = m->cols.targets[of->target];
    name[PLOT_OFFSET] = m->cols.role[ROLE_OFFSET];
    name[PLOT_TRIALS] = m->cols.role[ROLE_TRIALS];
    name[PLOT_SECOND] = NULL;
    status = plot_read(o, m, PLOT_COLUMNS, name, &f, why);
    if (status) return status;
    for (size_t k = 0; k < n_models; k++) calibrate_note(&m[k], o->interval);
    status = plot_table(o, n_models, of, &f, why);
    frame_free(&f);
    return status;
}

/* Classes over one input, or two. */
static int plot_classes(const options *o, const model *m, cli_why *why)
{
    frame f;
    const char *const name[3] = { o->x, o->y, m->cols.targets[0] };
    const cli_column *of_x = NULL, *of_y = NULL;
    int status = plot_find("--x", o->x, m, &of_x, why);
    if (!status && o->y) status = plot_find("--y", o->y, m, &of_y, why);
    if (!status) status = of_y == of_x ? cli_misuse(why, "--x and --y are the same column") : CLI_GOOD;
    if (!status) status = plot_read(o, m, 3, name, &f, why);
    if (status) return status;
    status = classes_plot(o, m, of_x, of_y, &f, why);
    frame_free(&f);
    return status;
}

/* Is --y a column of a model of two classes, or of ordered ones, rather than its target? Then their regions are asked for. */
static int plot_wants_regions(const options *o, const model *m)
{
    return classes_of(m) || (o->y && glm_classes(m) && strcmp(o->y, m->cols.targets[0]));
}

static int plot_show(const options *o, size_t n_models, model *m, cli_why *why)
{
    const cli_column *of_x = NULL;
    if (o->show == SHOW_EFFECTS) return columns_plot(o, m, why);
    if (o->show == SHOW_RESIDUALS) return residuals_plot(o, m, why);
    if (o->show == SHOW_COEFFICIENTS) return coefficients_plot(o, m, why);
    if (o->show == SHOW_EVIDENCE) return evidence_plot(o, m, why);
    if (o->show == SHOW_CURVE) return n_models == 1 && plot_wants_regions(o, m) ? plot_classes(o, m, why)
                                                                               : plot_curve(o, n_models, m, why);
    const int status = plot_find("--x", o->x, m, &of_x, why);
    return status ? status : draws_plot(o, m, (size_t)(of_x - m->cols.column), why);
}

int verb_plot(const options *o, cli_why *why)
{
    model m[PLOT_MODELS];
    size_t n = 0;
    int status = output_check(o, why);
    if (!status && o->n_files > PLOT_MODELS)
        status = cli_misuse(why, "%lu models: a picture has room for %d", (unsigned long)o->n_files, (int)PLOT_MODELS);
    while (n < o->n_files && !status) {
        status = model_load(o->files[n], &m[n], why);
        n += !status;
    }
    if (!status) status = plot_show(o, n, m, why);
    if (o->x) json_text(o->to.json, "x", o->x);
    /* A fit of `--x degree` that failed has taken the model's columns along. */
    const char *y = o->y ? o->y : n && m[0].cols.n_targets ? m[0].cols.targets[0] : NULL;
    if (y) json_text(o->to.json, "y", y);
    json_text(o->to.json, "show", options_word(CHOICE_SHOW, (uint32_t)o->show));
    json_text(o->to.json, "picture", o->output);
    while (n > 0) model_free(&m[--n]);
    return status;
}
