/* coefficients_plot: a point and an interval for each coefficient, the largest first; a mean and its noise, which have different
 * units, have a panel each
 *
 * Slopes of columns in different units cannot stand on one axis: a slope is drawn for one standard deviation of its column in the
 * table, a power or product of columns for those of its factors, the difference between words as it is, and others, which belong
 * to standardised inputs, as they are too. The figures at the right are those of `info`, for one unit. */
#include "glm.h"
#include "grid.h"
#include "output.h"
#include "pictures.h"
#include "summary.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COEF_MOST = 60, COEF_WIDTH = 860, COEF_LEFT = 210, COEF_FIGURES = 210, COEF_LINE = 22, COEF_TOP = 24, COEF_BELOW = 52,
       COEF_NAME = 300, COEF_LETTERS = 48 };                      /* bytes and characters of a name at the left */


static double coefficient_sd(const bln_data *rows, size_t input)
{
    double mean = 0.0, sum = 0.0;
    for (size_t i = 0; i < rows->n; i++) mean += rows->X[i*rows->d + input]/(double)rows->n;
    for (size_t i = 0; i < rows->n; i++) sum += (rows->X[i*rows->d + input] - mean)*(rows->X[i*rows->d + input] - mean);
    return sqrt(sum/(double)rows->n);
}

/* What a row stands for in the picture: one standard deviation of each number in its product, by as many as its power says; a
 * difference of words as it is. `name` as `info` writes it: "x", "x^2", "log(x)", "zone: b - a", "x * (zone: b - a)". */
static double coefficient_unit(const model *m, const bln_data *rows, const char *name)
{
    double unit = 1.0;
    for (const char *at = name, *end; at; at = end ? end + 3 : NULL) {
        end = strstr(at, " * ");
        const size_t length = end ? (size_t)(end - at) : strlen(at);
        size_t best = BLN_NONE, root = BLN_NONE;
        double power = 0.0;
        for (size_t i = 0; i < m->cols.d; i++) {
            const size_t n = strlen(m->cols.inputs[i]);
            if (n > length || strncmp(at, m->cols.inputs[i], n)) continue;
            if (n == length) { best = i; continue; }
            const size_t digits = at[n] == '^' ? strspn(at + n + 1, "0123456789") : 0;
            if (digits && n + 1 + digits == length) { root = i; power = strtod(at + n + 1, NULL); }
        }
        if (root != BLN_NONE) unit *= pow(coefficient_sd(rows, root), power);
        else if (best != BLN_NONE) unit *= coefficient_sd(rows, best);
    }
    return unit;
}

typedef struct coefficient_line { coefficient of; double unit; size_t panel; } coefficient_line;

static int coefficient_order(const void *a, const void *b)
{
    const coefficient_line *s = (const coefficient_line *)a, *t = (const coefficient_line *)b;
    const double x = fabs(s->unit*s->of.mean), y = fabs(t->unit*t->of.mean);
    if (s->panel != t->panel) return (s->panel > t->panel) - (s->panel < t->panel);
    return x < y ? 1 : x > y ? -1 : strcmp(s->of.name, t->of.name);
}

/* Whose coefficient, where a panel has those of several, and its name; of a long one the middle is left out, as the ends tell two
 * of them apart. */
static void coefficient_label(const coefficient *c, int alone, char *out)
{
    char text[COEF_NAME];
    const size_t half = (COEF_LETTERS - 3)/2;
    snprintf(text, sizeof text, "%s%s%s", alone ? "" : c->of, *c->of && !alone ? ": " : "", c->name);
    const size_t n = strlen(text);
    size_t letters = 0, before = 0, first = n, last = n;
    for (size_t i = 0; i < n; i++) letters += ((unsigned char)text[i] & 0xC0u) != 0x80u;
    for (size_t i = 0; i < n && letters > COEF_LETTERS; i++) {
        if (((unsigned char)text[i] & 0xC0u) == 0x80u) continue;
        if (before == half) first = i;
        if (before == letters - half) last = i;
        before++;
    }
    memcpy(out, text, first);                                     /* not longer than before: at least five are left out */
    strcpy(out + first, first < n ? "..." : "");
    strcat(out, text + last);
}

/* n lines of one panel of several or the only one, the first on top; y: where it begins, and on return where the next does. */
static void coefficients_panel(FILE *file, const model *m, size_t n, const coefficient_line *line, int left, int width, int *y)
{
    const int several = model_tables(m) > 1;
    const char **names = (const char **)cli_memory(n, sizeof *names);
    char *text = (char *)cli_memory(n, COEF_NAME), label[200], figures[100];
    double low = 0.0, high = 0.0;
    plot_desc d;
    plot_figure p;
    for (size_t i = 0; i < n; i++) {
        names[i] = text + COEF_NAME*i;
        coefficient_label(&line[n - 1 - i].of, several, text + COEF_NAME*i);
        const double of[2] = { line[i].unit*line[i].of.lower, line[i].unit*line[i].of.upper };
        grid_range(2, of, &low, &high);
    }
    grid_pad(0.04, &low, &high);
    snprintf(label, sizeof label, "%.60s for one standard deviation of a number, or for a word",
             line->panel ? line->of.of : m->glm ? glm_scale_name(m) : m->cols.n_targets > 1 ? "target" : m->cols.targets[0]);
    memset(&d, 0, sizeof d);
    d.y = *y;
    d.width = width - COEF_FIGURES;
    d.height = COEF_TOP + COEF_LINE*(int)n + COEF_BELOW;
    d.left = left;
    d.top = COEF_TOP - 18;
    d.bottom = COEF_BELOW;
    d.x_label = label;
    d.x_low = low;
    d.x_high = high;
    d.y_low = -0.7;
    d.y_high = (double)n - 0.3;
    d.n_y_names = n;
    d.y_names = names;
    plot_panel_of(&p, file, &d);
    p.stroke = 1.2;
    p.dash = "5 3";
    plot_stroke(&p, 0.0, d.y_low, 0.0, d.y_high, "#111111");
    p.dash = "";
    p.stroke = 2.5;
    p.size = 1.7;
    for (size_t i = 0; i < n; i++) {
        const coefficient_line *l = &line[n - 1 - i];
        const double at = (double)i, mean = l->unit*l->of.mean;
        plot_stroke(&p, l->unit*l->of.lower, at, l->unit*l->of.upper, at, "#123f7a");
        plot_points(&p, 1, &mean, &at, "#111111", "");
        snprintf(figures, sizeof figures, "%.4g  [%.4g, %.4g]", l->of.mean, l->of.lower, l->of.upper);
        plot_text_at(file, d.width - 8.0, plot_py(&p, at) + 4.5, 12.0, COEF_FIGURES, "start", figures);
    }
    plot_panel_end(&p);
    free(text);
    free((void *)names);
    *y += (int)d.height;
}

/* Lines of the panel that begins with line[0]. */
static size_t coefficients_together(size_t n, const coefficient_line *line)
{
    size_t k = 1;
    while (k < n && line[k].panel == line->panel) k++;
    return k;
}

static void coefficients_draw(FILE *file, const options *o, const model *m, size_t n, const coefficient_line *line)
{
    char title[300], below[300], text[COEF_NAME];
    double widest = 0.0;
    int height = 0, y = PICTURE_HEAD;
    for (size_t i = 0; i < n; i++) {
        coefficient_label(&line[i].of, model_tables(m) > 1, text);
        widest = fmax(widest, plot_text_width(text, 13.0));
    }
    for (size_t i = 0; i < n; i += coefficients_together(n - i, line + i)) height += COEF_TOP + COEF_BELOW;
    snprintf(title, sizeof title, "coefficients of %.90s by %.90s", m->cols.targets[0], m->spec);
    snprintf(below, sizeof below, "point: mean; line: %g %% interval; at the right: the same for one unit, as `info` prints it",
             100.0*o->interval);
    const int left = widest + 20.0 > COEF_LEFT ? (int)widest + 20 : COEF_LEFT, width = COEF_WIDTH + left - COEF_LEFT;
    picture_sheet(file, width, PICTURE_HEAD + height + COEF_LINE*(int)n, title, below);
    for (size_t i = 0, count; i < n; i += count) {
        count = coefficients_together(n - i, line + i);
        coefficients_panel(file, m, count, line + i, left, width, &y);
    }
    plot_sheet_end(file);
}

/* Keeps the first lines of each panel, together at most COEF_MOST; returns how many these are. */
static size_t coefficients_cut(const model *m, size_t n, coefficient_line *line)
{
    const size_t most = COEF_MOST/model_tables(m);
    size_t kept = 0;
    for (size_t i = 0, count; i < n; i += count) {
        count = coefficients_together(n - i, line + i);
        for (size_t k = 0; k < count && k < most; k++) line[kept++] = line[i + k];
    }
    if (kept < n) cli_note("%lu coefficients: the %lu largest are drawn", (unsigned long)n, (unsigned long)kept);
    return kept;
}

int coefficients_plot(const options *o, const model *m, cli_why *why)
{
    picture_rows t;
    coefficient_list list = { 0, NULL };
    coefficient_line *line = NULL;
    output out;
    int status = picture_read(o, m, COLUMNS_PREDICT, &t, why);
    if (!status) status = summary_list(m, o->interval, &list, why);
    if (!status && list.n == 0)
        status = cli_fail(why, "--show coefficients: this model has none that say something of a column: its features are %.90s; "
                               "--show effects draws what each column does", m->spec);
    if (!status) {
        line = (coefficient_line *)cli_memory(list.n, sizeof *line);
        for (size_t i = 0; i < list.n; i++) {
            line[i].of = list.row[i];
            line[i].panel = model_tables(m) > 1 ? list.row[i].table : 0;
            line[i].unit = list.row[i].of_inputs ? coefficient_unit(m, &t.rows.data, list.row[i].name) : 1.0;
        }
        qsort(line, list.n, sizeof *line, coefficient_order);
        list.n = coefficients_cut(m, list.n, line);
        status = output_open(o->output, &out, why);
    }
    if (!status) {
        coefficients_draw(out.file, o, m, list.n, line);
        status = output_close(&out, why);
    }
    free(list.row);
    free(line);
    picture_free(&t);
    return status;
}
