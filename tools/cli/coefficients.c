/* coefficients: the table of effects.h, a line each, or as CSV with their covariance */
#include "summary.h"
#include "classes.h"
#include "effects.h"
#include "glm.h"
#include "number.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_MODEL = 40, NAME = 24, LONG_NAME = 60 };

/* Least squares are worth all their digits, and what Newton's method finds those that it settles. */
static int coefficients_digits(const model *m) { return !model_least_squares(m) ? 5 : m->glm ? 9 : 15; }
static int coefficients_width(const model *m)  { return !model_least_squares(m) ? 12 : m->glm ? 16 : 23; }

/* What weights of inputs, and of the constant, are in. */
static const char *coefficients_units(const model *m) { return m->glm ? glm_scale_name(m) : "data"; }

/* What table k is of: a class with its weights, but for one that the others are compared with. */
static const char *coefficients_of(const model *m, size_t k, cli_shown *room)
{
    return m->glm ? classes_name(m, classes_of(m) - glm_latents(m) + k, room) : cli_show(room, m->cols.targets[k]);
}

/* Effects of groups on the constant, beside slopes of standardised inputs: where they are; and the intercept, if it is shown. */
static void coefficients_groups(const model *m, const effects *e, FILE *file)
{
    const bln_basis *b = model_basis(m);
    const char *before = "  effects of groups are at ";
    size_t constants = 0;
    cli_shown shown;
    for (size_t i = 0; i < e->n; i++) constants += e->row[i].kind == EFFECT_GROUP;
    for (size_t i = 0; i < m->cols.d && constants && m->scaled; i++) {
        int slope = 0;
        for (size_t s = 0; s < b->n_slices; s++) {
            const size_t first = bln_basis_slice(b, s), count = bln_basis_slice(b, s + 1) - first;
            for (size_t r = 0; r < e->n && bln_basis_active(b, s) < count && !slope; r++)
                slope = e->row[r].kind == EFFECT_GROUP && e->row[r].feature[0] == first && e->row[r].input == i;
        }
        if (!slope) continue;
        fprintf(file, "%s%s = %.5g", before, cli_show(&shown, m->cols.inputs[i]), bln_scaler_mean(m->scaler, i));
        before = ", ";
    }
    if (*before == ',') fprintf(file, " (means)%s\n", e->whole ? ", the intercept at 0" : "");
}

/* What words are compared with, and what the intercept is. */
static void coefficients_references(const model *m, const effects *e, FILE *file)
{
    const char *before = "  words are compared with ";
    int intercept = 0;
    for (size_t r = 0; r < e->n; r++) intercept = intercept || e->row[r].kind == EFFECT_INTERCEPT;
    for (size_t i = 0; i < m->cols.n; i++) {
        const cli_column *one = &m->cols.column[i];
        if (e->shown[i] >= one->n_words) continue;
        fputs(before, file);
        cli_print(file, m->cols.inputs[one->first + e->shown[i]]);
        before = ", ";
    }
    if (*before != ',') return;
    fputs(intercept ? ": the intercept is f there, with numbers at 0\n" : "\n", file);
}

/* Of row i of the effects; figure: mean, sd, lower, upper, each n x P, for rows from `first` on. */
static void coefficients_row(const model *m, FILE *file, const effect *row, size_t name, const double *figure, size_t n, size_t P,
                             size_t at)
{
    const int width = coefficients_width(m), digits = coefficients_digits(m);
    fputs("  ", file);
    cli_print(file, row->name);
    for (int k = (int)strlen(row->name); k < cli_bytes(row->name, (int)name); k++) fputc(' ', file);
    for (size_t k = 0; k < 4; k++) fprintf(file, " %*.*g", width, digits, number_plain(figure[k*n*P + at]));
    fprintf(file, "  %s\n", row->kind == EFFECT_OTHER && m->scaled ? "standardised" : coefficients_units(m));
}

static int coefficients_shown(const effects *e, size_t i, int all)
{
    return all || e->D <= SMALL_MODEL || e->row[i].kind != EFFECT_OTHER;
}

/* Table k of P. */
static void coefficients_table(const model *m, const effects *e, size_t k, const double *figure, int all, FILE *file)
{
    const size_t P = effects_tables(m);
    const int width = coefficients_width(m);
    size_t shown = 0, longest = NAME;
    cli_shown name;
    for (size_t i = 0; i < e->n; i++) {
        if (!coefficients_shown(e, i, all)) continue;
        const size_t length = strlen(e->row[i].name);
        shown++;
        if (length > longest) longest = length < LONG_NAME ? length : (size_t)LONG_NAME;
    }
    fputs("coefficients", file);
    if (P > 1) fprintf(file, " of %s", coefficients_of(m, k, &name));
    if (shown < e->n) fprintf(file, ", %lu of %lu (--all shows the others too)", (unsigned long)shown, (unsigned long)e->n);
    fputc('\n', file);
    if (shown)
        fprintf(file, "  %-*s %*s %*s %*s %*s  units\n", (int)longest, "name", width, "mean", width, "sd", width, "lower", width,
                "upper");
    for (size_t i = 0; i < e->n; i++)
        if (coefficients_shown(e, i, all)) coefficients_row(m, file, &e->row[i], longest, figure, e->n, P, i*P + k);
    coefficients_references(m, e, file);
    coefficients_groups(m, e, file);
}

static int coefficients_made(const model *m, const options *o, effects *e, cli_why *why)
{
    int status = effects_learn(m, o->reference, e, why);
    if (!status && o->contrast) {
        status = effects_contrast(m, o->contrast, e, why);
        if (status) effects_free(e);
    }
    return status;
}

int summary_coefficients(const model *m, const options *o, FILE *file, cli_why *why)
{
    const size_t P = effects_tables(m);
    effects e;
    int status = coefficients_made(m, o, &e, why);
    if (status) return status;
    const size_t n = e.n*P;
    double *figure = (double *)cli_memory(n, 4*sizeof *figure);
    const bln_status got = effects_values(m, &e, 0, e.n, o->interval, figure, figure + n, figure + 2*n, figure + 3*n);
    if (got == BLN_EUNDEFINED && m->glm)
        fputs("coefficients     none: features differ with the length scales, over which this model averages\n", file);
    else if (got != BLN_OK) status = cli_fail(why, "coefficients: %s", bln_status_text(got));
    else for (size_t k = 0; k < P; k++) coefficients_table(m, &e, k, figure, o->all, file);
    free(figure);
    effects_free(&e);
    return status;
}

/* A text as a cell of CSV. */
static void coefficients_cell(FILE *file, const char *of, const char *text)
{
    fputc('"', file);
    for (const char *p = of; *p; p++) { if (*p == '"') fputc('"', file); fputc(*p, file); }
    if (*of) fputs(": ", file);
    for (const char *p = text; *p; p++) { if (*p == '"') fputc('"', file); fputc(*p, file); }
    fputc('"', file);
}

int summary_covariance(const model *m, const options *o, FILE *file, cli_why *why)
{
    const size_t P = effects_tables(m);
    cli_shown shown;
    effects e;
    int status = coefficients_made(m, o, &e, why);
    if (status) return status;
    const size_t n = e.n*P;
    double *C = (double *)cli_memory(n, n*sizeof *C);
    const bln_status got = effects_covariance(m, &e, C);
    if (got != BLN_OK) status = cli_fail(why, "--covariance: %s", bln_status_text(got));
    if (!status) fputs("name", file);
    for (size_t i = 0; i < n && !status; i++) {
        fputc(',', file);
        coefficients_cell(file, P > 1 ? coefficients_of(m, i/e.n, &shown) : "", e.row[i % e.n].name);
    }
    for (size_t i = 0; i < n && !status; i++) {
        fputc('\n', file);
        coefficients_cell(file, P > 1 ? coefficients_of(m, i/e.n, &shown) : "", e.row[i % e.n].name);
        for (size_t k = 0; k < n; k++) fprintf(file, ",%.10g", number_plain(C[i*n + k]));
    }
    if (!status) fputc('\n', file);
    free(C);
    effects_free(&e);
    return status;
}
