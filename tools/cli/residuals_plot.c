/* residuals_plot: is each row where the model expects it, whatever its likelihood?
 *
 * u = P(Y < y) + v P(Y = y), v uniform, is uniform if the model is right (randomised probability integral transform), and the
 * normal quantile of u is the residual: of a normal y this is (y - mean)/sd, and of counts and classes it is normal as well (Dunn &
 * Smyth 1996, Randomized quantile residuals). Classes are taken in the order of their list: any order will do. */
#include "glm.h"
#include "grid.h"
#include "classes.h"
#include "output.h"
#include "pictures.h"
#include "predictions.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESIDUAL_FEW = 10, RESIDUAL_MANY = 20, RESIDUAL_ENOUGH = 400, RESIDUAL_GROUPS = 10, RESIDUAL_WORDS = 30 };

typedef struct residuals { size_t n; double *u, *z, *fitted, *room; } residuals;

/* u of a class: the probability of the classes before it in the list, and a random part of its own. */
static int residuals_classes(const model *m, const bln_data *rows, residuals *r, cli_why *why)
{
    const size_t K = classes_of(m);
    double *p = (double *)cli_memory(r->n, K*sizeof *p);
    bln_rng rng;
    const int status = glm_class_probabilities(m, rows, p, why);
    for (size_t i = 0; i < r->n && !status; i++) {
        const size_t y = (size_t)rows->y[i];
        bln_rng_seed(&rng, 0, i);
        r->u[i] = bln_rng_uniform(&rng)*p[i*K + y];
        for (size_t k = 0; k < y; k++) r->u[i] += p[i*K + k];
    }
    free(p);
    return status;
}

static int residuals_others(const model *m, const bln_data *rows, size_t target, residuals *r, cli_why *why)
{
    const size_t P = m->cols.n_targets;
    double *room = (double *)cli_memory(r->n, (rows->d + 2*P)*sizeof *room), *u = room + r->n*(rows->d + P);
    bln_report report;
    bln_report_clear(&report);
    predictions p;
    bln_data data = model_view(m, rows, room);
    data.weight = NULL;
    const bln_status got = bln_posterior_pits(model_posterior(m), &data, 0, u, NULL, &report);
    int status = got == BLN_OK ? CLI_GOOD : model_why(why, "--show residuals", got, &report);
    if (!status) {
        status = predictions_make(m, rows, 0.95, &p, why);
        for (size_t i = 0; i < r->n; i++) {
            r->u[i] = u[i*P + target];
            r->fitted[i] = p.mean[i*P + target]/(rows->trials ? rows->trials[i] : 1.0);
            if (rows->offset && picture_takes_off(m)) r->fitted[i] -= rows->offset[i];
        }
        predictions_free(&p);
    }
    free(room);
    return status;
}

static int residuals_make(const model *m, const bln_data *rows, size_t target, residuals *r, cli_why *why)
{
    r->n = rows->n;
    r->room = (double *)cli_memory(rows->n, 3*sizeof *r->room);
    r->u = r->room;
    r->z = r->room + rows->n;
    r->fitted = r->room + 2*rows->n;
    const int status = classes_of(m) ? residuals_classes(m, rows, r, why) : residuals_others(m, rows, target, r, why);
    for (size_t i = 0; i < r->n; i++) {
        const double u = r->u[i] < 1e-12 ? 1e-12 : r->u[i] > 1.0 - 1e-12 ? 1.0 - 1e-12 : r->u[i];
        r->z[i] = bln_norm_quantile(u);
    }
    return status;
}

/* ---- calibration */

/* Counts low .. high of n trials of probability p, outside which there is at most `tail` on either side. */
static void residuals_binomial(size_t n, double p, double tail, double *low, double *high)
{
    const double N = (double)n;
    double sum = 0.0;
    *low = *high = 0.0;
    for (double k = 0.0; k <= N; k += 1.0) {
        const double before = sum;
        sum += exp(lgamma(N + 1.0) - lgamma(k + 1.0) - lgamma(N - k + 1.0) + k*log(p) + (N - k)*log1p(-p));
        if (before <= tail) *low = k;
        if (before < 1.0 - tail) *high = k;
    }
}

/* Shares of rows in bins of u, as a density, and the band that holds 99 % of each bar if u is uniform. Returns how many bars are
 * outside. */
static size_t residuals_histogram(FILE *file, const residuals *r, size_t across, const char *label, size_t *bins)
{
    const size_t B = *bins = r->n < RESIDUAL_ENOUGH ? RESIDUAL_FEW : RESIDUAL_MANY;
    double bin[RESIDUAL_MANY] = { 0 }, low, high, top;
    const double one = (double)B/(double)r->n;
    size_t outside = 0;
    plot_desc d;
    plot_figure p;
    for (size_t i = 0; i < r->n; i++) {
        const size_t b = (size_t)(r->u[i]*(double)B);
        bin[b < B ? b : B - 1] += one;
    }
    residuals_binomial(r->n, 1.0/(double)B, 0.005, &low, &high);
    low *= one;
    high *= one;
    top = high;
    for (size_t b = 0; b < B; b++) if (bin[b] > top) top = bin[b];
    picture_place(0, across, &d);
    d.title = "calibration";
    d.x_label = "share of the prediction below the row";
    d.y_label = label;
    d.x_high = 1.0;
    d.y_high = 1.1*top;
    plot_panel_of(&p, file, &d);
    for (size_t b = 0; b < B; b++) {
        const double edge = 0.1/(double)B;
        outside += bin[b] < low - 1e-9 || bin[b] > high + 1e-9;
        plot_box(&p, (double)b/(double)B + edge, (double)(b + 1)/(double)B - edge, 0.0, bin[b], 0xb9c9de);
    }
    p.stroke = 1.2;
    p.dash = "5 3";
    plot_stroke(&p, 0.0, low, 1.0, low, "#111111");
    plot_stroke(&p, 0.0, high, 1.0, high, "#111111");
    p.dash = "";
    plot_stroke(&p, 0.0, 1.0, 1.0, 1.0, "#111111");
    plot_panel_end(&p);
    return outside;
}

/* ---- residuals */

/* Means of the residuals of some rows, with the interval of 95 % that the mean of so many has if the model is right. */
static void residuals_mean(plot_figure *p, double at, size_t n, double sum)
{
    const double mean = n ? sum/(double)n : 0.0, half = n ? 1.96/sqrt((double)n) : 0.0;
    const plot_shape shape = p->shape;
    if (!n) return;
    plot_stroke(p, at, mean - half, at, mean + half, "#b3400f");
    p->shape = PLOT_DIAMOND;
    plot_points(p, 1, &at, &mean, "#b3400f", "");
    p->shape = shape;
}

typedef struct residual_at { double x, z; } residual_at;

static int residuals_order(const void *a, const void *b)
{
    const double x = ((const residual_at *)a)->x, y = ((const residual_at *)b)->x;
    return (x > y) - (x < y);
}

/* The mean of each tenth of the rows, in the order of x; those of the same x stay together. A row without trials has no x. */
static void residuals_trend(plot_figure *p, size_t rows, const double *x, const double *z)
{
    residual_at *all = (residual_at *)cli_memory(rows, sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < rows; i++) {
        if (x[i] - x[i] != 0.0) continue;
        all[n].x = x[i];
        all[n++].z = z[i];
    }
    qsort(all, n, sizeof *all, residuals_order);
    const size_t each = n/RESIDUAL_GROUPS + 1;
    for (size_t i = 0, end; i < n; i = end) {
        double sum = 0.0, at = 0.0;
        for (end = i; end < n && (end < i + each || all[end].x == all[end - 1].x); end++) {
            sum += all[end].z;
            at += all[end].x;
        }
        if (2*(end - i) < each) break;                             /* the rest is too small to tell anything */
        residuals_mean(p, at/(double)(end - i), end - i, sum);
    }
    free(all);
}

/* Residuals over x, or over words: k of each row, with the rows of a word side by side. */
static void residuals_panel(FILE *file, plot_desc *d, const residuals *r, const double *x, double low, double high)
{
    plot_figure p;
    const size_t K = d->n_x_names;
    double *at = (double *)cli_memory(r->n, sizeof *at);
    d->y_low = low;
    d->y_high = high;
    if (K) {
        d->x_low = -0.6;
        d->x_high = (double)K - 0.4;
    } else {
        d->x_low = HUGE_VAL;
        d->x_high = -HUGE_VAL;
        grid_range(r->n, x, &d->x_low, &d->x_high);
        grid_pad(0.04, &d->x_low, &d->x_high);
    }
    plot_panel_of(&p, file, d);
    for (size_t i = 0; i < r->n; i++) at[i] = x[i] + (K ? 0.5*(fmod(0.618034*(double)i, 1.0) - 0.5) : 0.0);
    p.stroke = 1.2;
    plot_stroke(&p, d->x_low, 0.0, d->x_high, 0.0, "#111111");
    p.dash = "5 3";
    plot_stroke(&p, d->x_low, -1.959964, d->x_high, -1.959964, "#111111");
    plot_stroke(&p, d->x_low, 1.959964, d->x_high, 1.959964, "#111111");
    p.dash = "";
    p.stroke = 2.5;
    plot_points(&p, r->n, at, r->z, "#5b6f87", "");
    for (size_t k = 0; k < K; k++) {
        double sum = 0.0;
        size_t n = 0;
        for (size_t i = 0; i < r->n; i++) if (x[i] == (double)k) { sum += r->z[i]; n++; }
        residuals_mean(&p, (double)k, n, sum);
    }
    if (!K) residuals_trend(&p, r->n, x, r->z);
    plot_panel_end(&p);
    free(at);
}

/* The number of a row's word or group. */
static double residuals_word(const cli_column *c, const double *x)
{
    size_t k = 0;
    if (c->group) return x[c->first];
    while (x[c->first + k] != 1.0) k++;                            /* an unknown word is refused before */
    return (double)k;
}

static int residuals_shown(const cli_column *c) { return c->n_words <= RESIDUAL_WORDS; }

static void residuals_column(FILE *file, const model *m, const picture_rows *t, const residuals *r, size_t column, plot_desc *d,
                             double low, double high)
{
    const cli_column *c = &m->cols.column[column];
    const char **names = c->words ? picture_words(c) : NULL;
    double *x = (double *)cli_memory(r->n, sizeof *x);
    char title[120];
    plot_ticks ticks;
    double first = HUGE_VAL, last = -HUGE_VAL;
    for (size_t i = 0; i < r->n; i++)
        x[i] = c->words ? residuals_word(c, t->rows.data.X + i*m->cols.d) : picture_number(m, t, column, i);
    snprintf(title, sizeof title, "residuals over %.90s", c->name);
    d->title = title;
    d->n_x_names = c->words ? c->n_words : 0;
    d->x_names = names;
    grid_range(r->n, x, &first, &last);
    if (!c->words) d->x_ticks = picture_dates(m, c->name, first, last, d->width - d->left, &ticks);
    residuals_panel(file, d, r, x, low, high);
    free(x);
    free((void *)names);
}

static void residuals_draw(FILE *file, const options *o, const model *m, const picture_rows *t, const residuals *r, size_t target)
{
    static const char label[] = "residual, in standard deviations";
    const size_t first = classes_of(m) ? 1 : 2;
    double low = -2.5, high = 2.5;
    size_t n = first, k = 1, bins, outside;
    char title[300], below[300];
    plot_desc d;
    for (size_t i = 0; i < m->cols.n; i++) n += (size_t)residuals_shown(&m->cols.column[i]);
    if (n > PICTURE_PANELS) {
        cli_note("%lu columns: the first %d are drawn", (unsigned long)(n - first), (int)(PICTURE_PANELS - first));
        n = PICTURE_PANELS;
    }
    grid_range(r->n, r->z, &low, &high);
    grid_pad(0.04, &low, &high);
    const size_t across = picture_across(n);
    snprintf(title, sizeof title, "%.90s by %.90s%s%.60s: residuals", m->cols.targets[target], m->spec, m->glm ? ", " : "",
             m->glm ? m->likelihood.ops->name : "");
    snprintf(below, sizeof below, "right predictions: bars end (99 %%) and points lie (95 %%) between dashed lines, intervals of "
                                  "diamonds hold 0");
    picture_sheet(file, picture_width(n), picture_height(n), title, below);
    outside = residuals_histogram(file, r, across, "density", &bins);
    if (first == 2) {
        picture_place(k++, across, &d);
        d.title = "residuals over fitted values";
        residuals_panel(file, &d, r, r->fitted, low, high);
    }
    for (size_t i = 0; i < m->cols.n && k < n; i++) {
        if (!residuals_shown(&m->cols.column[i])) continue;
        picture_place(k++, across, &d);
        if ((k - 1) % across == 0) d.y_label = label;
        residuals_column(file, m, t, r, i, &d, low, high);
    }
    plot_sheet_end(file);
    say(&o->to, "calibration      %lu of %lu bars outside their 99 %% range%s\n", (unsigned long)outside, (unsigned long)bins,
        outside ? "" : ": nothing against the predictions");
    json_count(o->to.json, "bars", bins);
    json_count(o->to.json, "bars_outside", outside);
}

int residuals_plot(const options *o, const model *m, cli_why *why)
{
    picture_rows t;
    residuals r;
    output out;
    size_t target = 0;
    memset(&r, 0, sizeof r);
    int status = model_target(m, o->y, &target, why);
    if (status) return status;
    if (glm_quantile(m) > 0.0)
        return cli_fail(why, "--show residuals: the model is of a quantile, whose density is made up for it: see `bayeslin check`, "
                             "which has the share of targets below it");
    status = picture_read(o, m, COLUMNS_SCORE, &t, why);
    if (!status) status = residuals_make(m, &t.rows.data, target, &r, why);
    if (!status) status = output_open(o->output, &out, why);
    if (!status) {
        residuals_draw(out.file, o, m, &t, &r, target);
        status = output_close(&out, why);
    }
    free(r.room);
    picture_free(&t);
    return status;
}
