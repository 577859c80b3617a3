/* columns_plot: the effect of each column, one panel each, with the same axis for the target, so that effects can be compared
 *
 * A column of numbers goes over the range that the table has; its rows are strokes on the lower edge. Of words and groups each is a
 * point with its interval. Of classes the probability of each is a line. */
#include "classes.h"
#include "glm.h"
#include "grid.h"
#include "output.h"
#include "pictures.h"
#include "predictions.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EFFECT_POINTS = 101, EFFECT_GROUPS = 30 };

/* Rows first .. first + n - 1 of the grid are those of column i. */
typedef struct effect_panel { size_t column, first, n; double low, high; } effect_panel;

typedef struct effects_of {
    size_t        n, n_rows, K;              /* panels; rows of the grid; classes, 0: a mean        */
    effect_panel *panel;
    double       *X, *offset, *at;           /* n_rows x d; n_rows; the column's value in each row  */
    double       *p;                         /* n_rows x K */
    predictions   of;
} effects_of;

static void effects_free_all(effects_of *e)
{
    predictions_free(&e->of);
    free(e->panel);
    free(e->X);
    free(e->p);
    memset(e, 0, sizeof *e);
}

/* Which panels there are, and their rows. */
static void effects_grid(const model *m, const picture_rows *t, effects_of *e)
{
    const bln_data *table = &t->rows.data;
    const size_t d = m->cols.d;
    e->panel = (effect_panel *)cli_memory(m->cols.n, sizeof *e->panel);
    for (size_t i = 0; i < m->cols.n; i++) {
        const cli_column *c = &m->cols.column[i];
        effect_panel *one = &e->panel[e->n];
        cli_shown shown;
        if (c->group && c->n_words > EFFECT_GROUPS) {
            cli_note("column \"%s\" has %lu groups: more than a picture has room for, it is left out", cli_show(&shown, c->name),
                     (unsigned long)c->n_words);
            continue;
        }
        one->column = i;
        one->first = e->n_rows;
        one->n = c->words ? c->n_words : EFFECT_POINTS;
        e->n_rows += one->n;
        e->n++;
    }
    e->X = (double *)cli_memory(e->n_rows + 1, (d + 2)*sizeof *e->X);
    e->offset = e->X + e->n_rows*d;
    e->at = e->offset + e->n_rows;
    for (size_t k = 0; k < e->n; k++) {
        effect_panel *one = &e->panel[k];
        const cli_column *c = &m->cols.column[one->column];
        one->low = HUGE_VAL;
        one->high = -HUGE_VAL;
        for (size_t i = 0; i < table->n && !c->words; i++) {
            const double v = picture_number(m, t, one->column, i);
            grid_range(1, &v, &one->low, &one->high);
        }
        if (!c->words && !(one->high > one->low)) grid_pad(0.0, &one->low, &one->high);
        if (!c->words) one->low = grid_low(m, one->column, one->low, one->high);
        if (!c->words) grid_line(one->low, one->high, one->n, e->at + one->first);
        for (size_t i = 0; i < one->n; i++) {
            double *x = e->X + (one->first + i)*d;
            e->offset[one->first + i] = picture_offset(m, table);
            grid_typical(m, x);
            if (c->words) grid_word(m, one->column, i, x);
            else grid_number(m, one->column, e->at[one->first + i], x);
            if (c->words) e->at[one->first + i] = (double)i;
        }
    }
}

static int effects_ask(const model *m, size_t target, double interval, effects_of *e, cli_why *why)
{
    predictions all;
    bln_data rows;
    memset(&rows, 0, sizeof rows);
    rows.n = e->n_rows;
    rows.d = m->cols.d;
    rows.X = e->X;
    e->K = classes_of(m);
    if (e->K) {
        e->p = (double *)cli_memory(e->n_rows, e->K*sizeof *e->p);
        return glm_class_probabilities(m, &rows, e->p, why);
    }
    if (m->glm) rows.offset = e->offset;
    const int status = predictions_make(m, &rows, interval, &all, why);
    predictions_pick(&all, target, &e->of);
    predictions_free(&all);
    return status;
}

/* How much the target changes with a column. */
static double effects_span(const effects_of *e, const effect_panel *one)
{
    double most = 0.0;
    for (size_t k = 0; k < (e->K ? e->K : 1); k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = one->first; i < one->first + one->n; i++)
            grid_range(1, e->K ? &e->p[i*e->K + k] : &e->of.mean[i], &low, &high);
        if (high - low > most) most = high - low;
    }
    return most;
}

/* Where there are more panels than a sheet has room for, those whose columns change the target most stay, in their order. */
static void effects_cut(effects_of *e)
{
    if (e->n > PICTURE_PANELS)
        cli_note("%lu columns: the %d that change the target most are drawn", (unsigned long)e->n, (int)PICTURE_PANELS);
    while (e->n > PICTURE_PANELS) {
        size_t least = 0;
        for (size_t k = 1; k < e->n; k++) if (effects_span(e, &e->panel[k]) < effects_span(e, &e->panel[least])) least = k;
        memmove(e->panel + least, e->panel + least + 1, (e->n - 1 - least)*sizeof *e->panel);
        e->n--;
    }
}

static void effects_marks(plot_figure *p, const model *m, const picture_rows *t, const effects_of *e, const effect_panel *one)
{
    const cli_column *c = &m->cols.column[one->column];
    const double *at = e->at + one->first, *mean = e->of.mean + one->first;
    const double *lower = e->of.lower_f + one->first, *upper = e->of.upper_f + one->first;
    double *value = (double *)cli_memory(one->n + t->rows.data.n, sizeof *value);
    size_t n = 0;
    for (size_t k = 0; k < e->K; k++) {
        const char *color = plot_style(p, k);
        for (size_t i = 0; i < one->n; i++) value[i] = e->p[(one->first + i)*e->K + k];
        p->size = 1.4;
        if (c->words) plot_points(p, one->n, at, value, color, "");
        else plot_line(p, one->n, at, value, color, "");
    }
    if (!e->K && !c->words) {
        plot_band(p, one->n, at, lower, upper, "#c3d3e6", "");
        plot_line(p, one->n, at, mean, "#123f7a", "");
    } else if (!e->K) {
        for (size_t i = 0; i < one->n; i++) plot_stroke(p, at[i], lower[i], at[i], upper[i], "#123f7a");
        p->size = 1.6;
        plot_points(p, one->n, at, mean, "#111111", "");
    }
    for (size_t i = 0; i < t->rows.data.n && !c->words; i++) {
        value[n] = picture_number(m, t, one->column, i);
        n += value[n] == value[n];
    }
    plot_rug(p, n, value, "#333");
    free(value);
}

static void effects_panel_draw(FILE *file, const model *m, const picture_rows *t, const effects_of *e, size_t k, const char *target,
                               double low, double high)
{
    const effect_panel *one = &e->panel[k];
    const cli_column *c = &m->cols.column[one->column];
    const char **names = c->words ? picture_words(c) : NULL;
    plot_figure p;
    plot_desc d;
    plot_ticks ticks;
    picture_place(k, picture_across(e->n), &d);
    d.title = c->name;
    if (k % picture_across(e->n) == 0) d.y_label = target;
    d.x_low = c->words ? -0.6 : one->low;
    d.x_high = c->words ? (double)c->n_words - 0.4 : one->high;
    d.y_low = low;
    d.y_high = high;
    d.n_x_names = c->words ? c->n_words : 0;
    d.x_names = names;
    if (!c->words) d.x_ticks = picture_dates(m, c->name, d.x_low, d.x_high, d.width - d.left, &ticks);
    plot_panel_of(&p, file, &d);
    effects_marks(&p, m, t, e, one);
    plot_panel_end(&p);
    free((void *)names);
}

/* The names of classes, below the title. */
static void effects_legend(FILE *file, const model *m, const effects_of *e, int width)
{
    plot_figure p;
    cli_shown name;
    memset(&p, 0, sizeof p);
    p.file = file;
    p.width = width;
    p.left = 74;
    for (size_t k = 0; k < e->K; k++) {
        const char *color = plot_style(&p, k);
        plot_name(&p, PLOT_MARK_LINE, color, classes_name(m, k, &name));
    }
    plot_legend(&p);
}

static void effects_draw(FILE *file, const options *o, const model *m, const picture_rows *t, const effects_of *e, size_t target)
{
    grid_text text;
    const char *others = grid_others(m, m->cols.n > 1 ? 0 : 1, &text);       /* another one varies in each panel */
    const int width = picture_width(e->n);
    char title[480], below[240], name[200], middle[64];
    double low = e->K ? 0.0 : HUGE_VAL, high = e->K ? 1.0 : -HUGE_VAL;
    for (size_t k = 0; k < e->n && !e->K; k++) {
        const effect_panel *one = &e->panel[k];
        grid_range(one->n, e->of.mean + one->first, &low, &high);
        grid_range(one->n, e->of.lower_f + one->first, &low, &high);
        grid_range(one->n, e->of.upper_f + one->first, &low, &high);
    }
    grid_pad(0.05, &low, &high);
    picture_target(m, target, name, sizeof name);
    snprintf(title, sizeof title, "%s by each column%s%s", name, *others ? ", " : "", others);
    picture_middle(m, middle, sizeof middle);
    snprintf(below, sizeof below, "line or point: %.40s; shade or bar: %g %% interval of the %.40s; strokes below: rows of the "
             "table", middle, 100.0*o->interval, middle);
    if (*picture_at_offset(m)) snprintf(below + strlen(below), sizeof below - strlen(below), "; %s", picture_at_offset(m));
    picture_sheet(file, width, picture_height(e->n), title, e->K ? "" : below);
    if (e->K) effects_legend(file, m, e, width);
    for (size_t k = 0; k < e->n; k++) effects_panel_draw(file, m, t, e, k, e->K ? "probability" : name, low, high);
    plot_sheet_end(file);
}

int columns_plot(const options *o, const model *m, cli_why *why)
{
    picture_rows t;
    effects_of e;
    output out;
    size_t target = 0;
    memset(&e, 0, sizeof e);
    int status = model_target(m, o->y, &target, why);
    if (status) return status;
    status = picture_read(o, m, COLUMNS_PREDICT, &t, why);
    if (!status) effects_grid(m, &t, &e);
    if (!status && e.n == 0) status = cli_fail(why, "--show effects: the model has no columns to draw");
    if (!status) status = effects_ask(m, target, o->interval, &e, why);
    if (!status) effects_cut(&e);
    if (!status) status = output_open(o->output, &out, why);
    if (!status) {
        effects_draw(out.file, o, m, &t, &e, target);
        status = output_close(&out, why);
    }
    effects_free_all(&e);
    picture_free(&t);
    return status;
}
