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

/* Digits to print: all of linear least squares; 9 with flat priors alone, which Newton's method settles; else 5. */
static int coefficients_digits(const model *m) { return !model_least_squares(m) ? 5 : m->glm ? 9 : 15; }
static int coefficients_width(const model *m)  { return !model_least_squares(m) ? 12 : m->glm ? 16 : 23; }

/* What weights of inputs, and of the constant, of table k are in. */
static const char *coefficients_units(const model *m, size_t k)
{
    return !m->glm ? "data" : k && model_tables(m) > 1 ? "log" : glm_scale_name(m);
}

/* The class that table k is of, or the mean, or its noise. The reference class, which the others are compared with, has none. */
static const char *coefficients_of(const model *m, size_t k, cli_shown *room)
{
    if (model_tables(m) > 1) return cli_show(room, bln_likelihood_latent_name(&m->likelihood, k));
    return m->glm ? classes_name(m, classes_of(m) - glm_latents(m) + k, room) : cli_show(room, m->cols.targets[k]);
}

/* Effects of groups on the constant, beside slopes of standardised inputs: where they are; and the intercept, if it is shown. */
static void coefficients_groups(const model *m, const effects *e, const cli_answer *to)
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
        json_object(to->json, NULL);
        json_text(to->json, "input", m->cols.inputs[i]);
        json_number(to->json, "at", bln_scaler_mean(m->scaler, i));
        json_end(to->json);
        say(to, "%s%s = %.5g", before, cli_show(&shown, m->cols.inputs[i]), bln_scaler_mean(m->scaler, i));
        before = ", ";
    }
    if (*before == ',') say(to, " (means)%s\n", e->whole ? ", the intercept at 0" : "");
}

/* Says which word the others are compared with, and where the intercept is taken. */
static void coefficients_references(const model *m, const effects *e, const cli_answer *to)
{
    const char *before = "  words are compared with ";
    int intercept = 0;
    for (size_t r = 0; r < e->n; r++) intercept = intercept || e->row[r].kind == EFFECT_INTERCEPT;
    for (size_t i = 0; i < m->cols.n; i++) {
        const cli_column *one = &m->cols.column[i];
        if (e->shown[i] >= one->n_words) continue;
        say(to, "%s", before);
        say_name(to, m->cols.inputs[one->first + e->shown[i]]);
        json_text(to->json, NULL, m->cols.inputs[one->first + e->shown[i]]);
        before = ", ";
    }
    if (*before != ',') return;
    say(to, intercept ? ": the intercept is f there, with numbers at 0\n" : "\n");
}

static const char *coefficients_unit(const model *m, const effect *row, size_t k)
{
    return row->kind == EFFECT_OTHER && m->scaled ? "standardised" : coefficients_units(m, k);
}

/* A row of table k. figure: mean, sd, lower, upper, `apart` numbers from each other; room: of the name. */
static void coefficients_row(const model *m, const cli_answer *to, const effect *row, size_t k, size_t room, const double *figure,
                             size_t apart)
{
    static const char *const keys[4] = { "mean", "sd", "lower", "upper" };
    const int width = coefficients_width(m), digits = coefficients_digits(m);
    cli_shown of;
    json_object(to->json, NULL);
    json_text(to->json, "of", effects_tables(m) > 1 ? coefficients_of(m, k, &of) : m->cols.targets[0]);
    json_text(to->json, "name", row->name);
    say(to, "  ");
    say_name(to, row->name);
    for (int c = (int)strlen(row->name); c < cli_bytes(row->name, (int)room); c++) say(to, " ");
    for (size_t c = 0; c < 4; c++) {
        say(to, " %*.*g", width, digits, number_plain(figure[c*apart]));
        json_number(to->json, keys[c], figure[c*apart]);
    }
    say(to, "  ");
    say_name(to, coefficients_unit(m, row, k));
    say(to, "\n");
    json_text(to->json, "units", coefficients_unit(m, row, k));
    json_end(to->json);
}

/* groups: also where there are many. They would fill the screen, but pictures and programs take them. */
static int coefficients_shown(const effects *e, size_t i, int all, int groups)
{
    return all || e->D <= SMALL_MODEL || e->row[i].kind < EFFECT_GROUP || (groups && e->row[i].kind == EFFECT_GROUP);
}

/* Table k of P. */
static void coefficients_table(const model *m, const effects *e, size_t k, const double *figure, int all,
                               const cli_answer *to)
{
    const size_t P = effects_tables(m);
    const int width = coefficients_width(m);
    size_t shown = 0, longest = NAME;
    cli_shown name;
    for (size_t i = 0; i < e->n; i++) {
        if (!coefficients_shown(e, i, all, to->json != NULL)) continue;
        const size_t length = strlen(e->row[i].name);
        shown++;
        if (length > longest) longest = length < LONG_NAME ? length : (size_t)LONG_NAME;
    }
    say(to, "coefficients");
    if (P > 1) say(to, " of %s", coefficients_of(m, k, &name));
    if (shown < e->n) say(to, ", %lu of %lu (--all shows the others too)", (unsigned long)shown, (unsigned long)e->n);
    say(to, "\n");
    if (shown)
        say(to, "  %-*s %*s %*s %*s %*s  units\n", (int)longest, "name", width, "mean", width, "sd", width, "lower", width,
            "upper");
    for (size_t i = 0; i < e->n; i++)
        if (coefficients_shown(e, i, all, to->json != NULL))
            coefficients_row(m, to, &e->row[i], k, longest, figure + i*P + k, e->n*P);
    if (!to->text) return;
    coefficients_references(m, e, to);
    coefficients_groups(m, e, to);
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

/* figure: 4 e->n P numbers to free, as effects_values makes them; *none: there are no coefficients. */
static int coefficients_values(const model *m, const effects *e, double interval, double **figure, int *none, cli_why *why)
{
    const size_t n = e->n*effects_tables(m);
    double *f = *figure = (double *)cli_memory(n, 4*sizeof *f);
    const bln_status got = effects_values(m, e, 0, e->n, interval, f, f + n, f + 2*n, f + 3*n);
    *none = got == BLN_EUNDEFINED;
    return got == BLN_OK || *none ? CLI_GOOD : cli_fail(why, "coefficients: %s", bln_status_text(got));
}

int summary_coefficients(const model *m, const options *o, cli_why *why)
{
    const cli_answer *to = &o->to;
    double *figure = NULL;
    int none = 0;
    effects e;
    int status = coefficients_made(m, o, &e, why);
    if (status) return status;
    status = coefficients_values(m, &e, o->interval, &figure, &none, why);
    if (none) say(to, "coefficients     none: features differ with the length scales, over which this model averages\n");
    json_array(to->json, "coefficients");
    for (size_t k = 0; k < effects_tables(m) && !status && !none; k++) coefficients_table(m, &e, k, figure, o->all, to);
    json_end(to->json);
    json_array(to->json, "compared_with");
    if (!status && to->json) coefficients_references(m, &e, to);
    json_end(to->json);
    json_array(to->json, "effects_at");
    if (!status && to->json) coefficients_groups(m, &e, to);
    json_end(to->json);
    free(figure);
    effects_free(&e);
    return status;
}

int summary_list(const model *m, double interval, coefficient_list *out, cli_why *why)
{
    const size_t P = effects_tables(m);
    double *figure = NULL;
    int none = 0;
    effects e;
    cli_shown shown;
    out->n = 0;
    out->row = NULL;
    int status = effects_learn(m, NULL, &e, why);
    if (status) return status;
    status = coefficients_values(m, &e, interval, &figure, &none, why);
    out->row = (coefficient *)cli_memory(e.n, P*sizeof *out->row);
    for (size_t k = 0; k < P && !status && !none; k++)
        for (size_t i = 0; i < e.n; i++) {
            const effect *row = &e.row[i];
            const double *f = figure + i*P + k;
            if (row->kind == EFFECT_INTERCEPT || !coefficients_shown(&e, i, 0, 1)) continue;
            coefficient *one = &out->row[out->n++];
            snprintf(one->name, sizeof one->name, "%s", row->name);
            snprintf(one->of, sizeof one->of, "%s", P > 1 ? coefficients_of(m, k, &shown) : "");
            one->table = k;
            one->of_inputs = row->kind == EFFECT_DATA;
            one->mean = f[0];
            one->sd = f[e.n*P];
            one->lower = f[2*e.n*P];
            one->upper = f[3*e.n*P];
        }
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

static void coefficients_json_covariance(const model *m, const effects *e, const double *C, cli_json *j)
{
    const size_t P = effects_tables(m), n = e->n*P;
    cli_shown shown;
    json_array(j, "covariance_of");
    for (size_t i = 0; i < n; i++) {
        json_object(j, NULL);
        json_text(j, "of", P > 1 ? coefficients_of(m, i/e->n, &shown) : m->cols.targets[0]);
        json_text(j, "name", e->row[i % e->n].name);
        json_end(j);
    }
    json_end(j);
    json_array(j, "covariance");
    for (size_t i = 0; i < n; i++) json_numbers(j, NULL, n, C + i*n);
    json_end(j);
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
    if (o->to.json) {
        if (!status) coefficients_json_covariance(m, &e, C, o->to.json);
        file = NULL;
    }
    if (!status && file) fputs("name", file);
    for (size_t i = 0; i < n && !status && file; i++) {
        fputc(',', file);
        coefficients_cell(file, P > 1 ? coefficients_of(m, i/e.n, &shown) : "", e.row[i % e.n].name);
    }
    for (size_t i = 0; i < n && !status && file; i++) {
        fputc('\n', file);
        coefficients_cell(file, P > 1 ? coefficients_of(m, i/e.n, &shown) : "", e.row[i % e.n].name);
        for (size_t k = 0; k < n; k++) fprintf(file, ",%.10g", number_plain(C[i*n + k]));
    }
    if (!status && file) fputc('\n', file);
    free(C);
    effects_free(&e);
    return status;
}
