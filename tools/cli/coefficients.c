/* coefficients: the weights by name, as slopes in the units of the data where they are slopes
 *
 * A feature that equals input i at every point is a slope: target units for one unit of the input. If there is nothing but slopes
 * and constants, the constants together are the intercept, f at inputs 0, which the model itself predicts. Other weights belong to
 * standardised inputs and are in units of the standardised target. Effects of groups are in the units of what they are effects on:
 * the intercept, where standardised inputs are 0, or a slope. */
#include "summary.h"
#include "classes.h"
#include "glm.h"
#include "number.h"
#include "predictions.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURE_EFFECT = -3, FEATURE_OTHER = -2, FEATURE_CONSTANT = -1, PROBES = 2, SMALL_MODEL = 40, NAME = 200 };

typedef struct probe { double at; size_t input; } probe;

static int probe_by_value(const void *a, const void *b)
{
    const double x = ((const probe *)a)->at, y = ((const probe *)b)->at;
    return (x > y) - (x < y);
}

/* The input that has these values at the two rows of X, or FEATURE_OTHER. sorted: the d inputs in the order of their first values,
 * so that a table of many columns does not take the square of their number. */
static long coefficients_input(const probe *sorted, size_t d, const double *X, double first, double second)
{
    const probe key = { first, 0 };
    const probe *found = (const probe *)bsearch(&key, sorted, d, sizeof *sorted, probe_by_value);
    return found && X[d + found->input] == second ? (long)found->input : FEATURE_OTHER;
}

/* kind[j]: the input that feature j is, or one of the constants above; found by looking at the features of two random rows, in
 * which no two inputs have the same value, and groups are new ones. An effect on a slope has the kind of the slope. */
static void coefficients_kinds(const model *m, long *kind)
{
    const bln_basis *b = model_basis(m);
    const size_t d = m->cols.d, D = b->D;
    bln_rng rng;
    double *X = (double *)cli_memory(PROBES*(d + 1), sizeof *X), *Phi = (double *)cli_memory(PROBES*D, sizeof *Phi);
    double *room = (double *)cli_memory(bln_basis_work(b, PROBES) + 8, sizeof *room), *work = room;
    probe *sorted = (probe *)cli_memory(d, sizeof *sorted);
    while ((uintptr_t)work % 64) work++;
    bln_rng_seed(&rng, 1, 0);
    bln_rng_normals(&rng, PROBES*d, X);
    columns_set_groups(&m->cols, 0, PROBES, X);
    bln_basis_features(b, model_theta(m), PROBES, X, d, Phi, D, work);
    for (size_t i = 0; i < d; i++) {
        sorted[i].at = X[i];
        sorted[i].input = i;
    }
    qsort(sorted, d, sizeof *sorted, probe_by_value);
    for (size_t j = 0; j < D; j++)
        kind[j] = Phi[j] == 1.0 && Phi[D + j] == 1.0 ? FEATURE_CONSTANT : coefficients_input(sorted, d, X, Phi[j], Phi[D + j]);
    for (size_t s = 0; s < b->n_slices; s++) {
        const size_t first = bln_basis_slice(b, s), end = bln_basis_slice(b, s + 1);
        if (bln_basis_active(b, s) == end - first) continue;
        for (size_t j = first; j < end; j++)                              /* the last one is that of a new group */
            kind[j] = kind[end - 1] == FEATURE_CONSTANT ? FEATURE_EFFECT : kind[end - 1];
    }
    free(sorted);
    free(X);
    free(Phi);
    free(room);
}

/* Least squares are worth all their digits, and what Newton's method finds those that it settles. */
static int coefficients_digits(const model *m) { return !model_least_squares(m) ? 5 : m->glm ? 9 : 15; }
static int coefficients_width(const model *m)  { return !model_least_squares(m) ? 12 : m->glm ? 16 : 23; }

/* What weights of inputs, and of the constant, are in. */
static const char *coefficients_units(const model *m) { return m->glm ? glm_scale_name(m) : "data"; }

/* What is known of D weights. */
typedef struct coefficients { double *mean, *sd, *lower, *upper; } coefficients;

/* A table for each target, or for each latent of one. */
static size_t coefficients_tables(const model *m) { return m->glm ? glm_latents(m) : m->cols.n_targets; }

/* What table k is of: a class with its weights, but for one that the others are compared with. */
static const char *coefficients_of(const model *m, size_t k, cli_shown *room)
{
    return m->glm ? classes_name(m, classes_of(m) - glm_latents(m) + k, room) : cli_show(room, m->cols.targets[k]);
}

/* Of table k. */
static void coefficients_row(const model *m, size_t k, const cli_answer *to, const char *name, const char *units, double mean,
                             double sd, double lower, double upper)
{
    const int width = coefficients_width(m), digits = coefficients_digits(m);
    cli_shown shown;
    json_object(to->json, NULL);
    json_text(to->json, "of", coefficients_tables(m) > 1 ? coefficients_of(m, k, &shown) : m->cols.targets[0]);
    json_text(to->json, "name", name);
    json_number(to->json, "mean", mean);
    json_number(to->json, "sd", sd);
    json_number(to->json, "lower", lower);
    json_number(to->json, "upper", upper);
    json_text(to->json, "units", units);
    json_end(to->json);
    cli_show(&shown, name);
    say(to, "  %-*s %*.*g %*.*g %*.*g %*.*g  %s\n", cli_bytes(shown.text, 24), shown.text, width, digits, number_plain(mean), width,
        digits, number_plain(sd), width, digits, lower, width, digits, upper, units);
}

static int coefficients_intercept(const model *m, size_t k, double interval, const cli_answer *to, cli_why *why)
{
    double *zero = (double *)cli_memory(m->cols.d, sizeof *zero);
    predictions p;
    bln_data rows;
    if (m->glm) {
        double v[4];
        const bln_status got = glm_intercept(m, k, interval, &v[0], &v[1], &v[2], &v[3]);
        free(zero);
        if (got != BLN_OK) return cli_fail(why, "coefficients: %s", bln_status_text(got));
        coefficients_row(m, k, to, "(intercept)", coefficients_units(m), v[0], v[1], v[2], v[3]);
        return CLI_GOOD;
    }
    memset(&rows, 0, sizeof rows);
    rows.n = 1;
    rows.d = m->cols.d;
    rows.X = zero;
    columns_set_groups(&m->cols, 1, 1, zero);
    const int status = predictions_make(m, &rows, interval, &p, why);
    if (!status) coefficients_row(m, k, to, "(intercept)", "data", p.mean[k], sqrt(p.latent[k]), p.lower_f[k], p.upper_f[k]);
    predictions_free(&p);
    free(zero);
    return status;
}

/* Of table k of P. room: (4 P + 2) D doubles. */
static bln_status coefficients_learn(const model *m, size_t k, double interval, double *room, coefficients *c)
{
    const size_t D = model_basis(m)->D, all = D*coefficients_tables(m);
    const double level[2] = { 0.5 - 0.5*interval, 0.5 + 0.5*interval };
    double *sd = room + all, *pair = room + 2*all;
    c->mean = room + k*D;
    c->sd = sd + k*D;
    c->lower = room + 4*all;
    c->upper = c->lower + D;
    const bln_status status = bln_posterior_coefficients(model_posterior(m), room, sd, 2, level, pair, NULL, NULL);
    for (size_t j = 0; j < D; j++) {
        c->lower[j] = pair[2*(k*D + j)];
        c->upper[j] = pair[2*(k*D + j) + 1];
    }
    return status;
}

/* only_lines: nothing but slopes and constants; written: the intercept is. */
static void coefficients_rows(const model *m, size_t k, const long *kind, const coefficients *c, int only_lines, int written,
                              int all, const cli_answer *to)
{
    const bln_basis *b = model_basis(m);
    char name[NAME];
    for (size_t j = 0; j < b->D; j++) {
        double unit = 1.0;
        if (kind[j] == FEATURE_OTHER && !all && b->D > SMALL_MODEL) continue;
        if (kind[j] == FEATURE_CONSTANT && written) continue;
        if (kind[j] == FEATURE_EFFECT && !m->glm) unit = bln_scaler_sd(m->scaler, m->cols.d + k);
        if (kind[j] >= 0) unit = bln_scaler_sd(m->scaler, m->cols.d + (m->glm ? 0 : k))/bln_scaler_sd(m->scaler, (size_t)kind[j]);
        bln_basis_feature_name(b, j, (const char *const *)m->cols.inputs, name, sizeof name);
        coefficients_row(m, k, to, kind[j] == FEATURE_CONSTANT && only_lines ? "(intercept)" : name,
                         kind[j] >= 0 || kind[j] == FEATURE_EFFECT || !m->scaled ? coefficients_units(m) : "standardised",
                         unit*c->mean[j], unit*c->sd[j], unit*c->lower[j], unit*c->upper[j]);
    }
}

/* Effects of groups on the constant, beside slopes of standardised inputs: where they are; and the intercept, if it is shown. */
static void coefficients_where(const model *m, const long *kind, int intercept, const cli_answer *to)
{
    const bln_basis *b = model_basis(m);
    const char *before = "  effects of groups are at ";
    int constant = 0;
    cli_shown shown;
    for (size_t j = 0; j < b->D; j++) constant = constant || kind[j] == FEATURE_EFFECT;
    for (size_t i = 0; i < m->cols.d && constant && m->scaled; i++) {
        int slope = 0;
        for (size_t s = 0; s < b->n_slices; s++) {
            const size_t first = bln_basis_slice(b, s), count = bln_basis_slice(b, s + 1) - first;
            slope = slope || (bln_basis_active(b, s) < count && kind[first] == (long)i);
        }
        if (!slope) continue;
        json_object(to->json, NULL);
        json_text(to->json, "input", m->cols.inputs[i]);
        json_number(to->json, "at", bln_scaler_mean(m->scaler, i));
        json_end(to->json);
        say(to, "%s%s = %.5g", before, cli_show(&shown, m->cols.inputs[i]), bln_scaler_mean(m->scaler, i));
        before = ", ";
    }
    if (*before == ',') say(to, " (means)%s\n", intercept ? ", the intercept at 0" : "");
}

/* Table k. lines, constants: how many features are what. */
static int coefficients_table(const model *m, size_t k, const long *kind, size_t lines, size_t constants, double interval, int all,
                              const cli_answer *to, cli_why *why)
{
    const size_t D = model_basis(m)->D, P = coefficients_tables(m);
    const int only_lines = lines + constants == D, width = coefficients_width(m);
    /* The weight of a single constant is the intercept, unless the inputs are standardised. */
    const int computed = only_lines && (constants > 1 || (constants == 1 && m->scaled));
    const size_t shown = all || D <= SMALL_MODEL ? D : lines + constants;
    double *room = (double *)cli_memory(D, (4*P + 2)*sizeof *room);
    cli_shown name;
    coefficients c;
    int status = CLI_GOOD;
    const bln_status got = coefficients_learn(m, k, interval, room, &c);
    if (got == BLN_EUNDEFINED && m->glm) {
        say(to, "%s", "coefficients     none: features differ with the length scales, over which this model averages\n");
        free(room);
        return CLI_GOOD;
    }
    if (got != BLN_OK) status = cli_fail(why, "coefficients: %s", bln_status_text(got));
    if (!status) {
        say(to, "coefficients");
        if (P > 1) say(to, " of %s", coefficients_of(m, k, &name));
        if (shown < D) say(to, ", %lu of %lu (--all shows the others too)", (unsigned long)shown, (unsigned long)D);
        say(to, "\n");
        if (shown)
            say(to, "  %-24s %*s %*s %*s %*s  units\n", "name", width, "mean", width, "sd", width, "lower", width, "upper");
        if (shown && computed) status = coefficients_intercept(m, k, interval, to, why);
    }
    if (!status) coefficients_rows(m, k, kind, &c, only_lines, computed, all, to);
    if (!status && to->text) coefficients_where(m, kind, computed, to);
    free(room);
    return status;
}

/* Table k, behind what the list has. */
static bln_status coefficients_append(const model *m, size_t k, const long *kind, double interval, coefficient_list *to)
{
    const bln_basis *b = model_basis(m);
    const size_t D = b->D, P = coefficients_tables(m);
    double *room = (double *)cli_memory(D, (4*P + 2)*sizeof *room);
    char name[NAME];
    cli_shown shown;
    coefficients c;
    const bln_status status = coefficients_learn(m, k, interval, room, &c);
    for (size_t j = 0; j < D && status == BLN_OK; j++) {
        coefficient *one = &to->row[to->n];
        const double y = bln_scaler_sd(m->scaler, m->cols.d + (m->glm ? 0 : k));
        const double unit = kind[j] >= 0 ? y/bln_scaler_sd(m->scaler, (size_t)kind[j])
                          : m->glm && kind[j] == FEATURE_EFFECT ? 1.0 : y;
        if (kind[j] == FEATURE_CONSTANT || (kind[j] == FEATURE_OTHER && D > SMALL_MODEL)) continue;
        to->n++;
        bln_basis_feature_name(b, j, (const char *const *)m->cols.inputs, name, sizeof name);
        snprintf(one->name, sizeof one->name, "%s", cli_show(&shown, name));
        snprintf(one->of, sizeof one->of, "%s", P > 1 ? coefficients_of(m, k, &shown) : "");
        one->input = kind[j] >= 0 ? (size_t)kind[j] : BLN_NONE;
        one->mean = unit*c.mean[j];
        one->sd = unit*c.sd[j];
        one->lower = unit*c.lower[j];
        one->upper = unit*c.upper[j];
    }
    free(room);
    return status == BLN_EUNDEFINED ? BLN_OK : status;
}

int summary_list(const model *m, double interval, coefficient_list *out, cli_why *why)
{
    const size_t D = model_basis(m)->D, P = coefficients_tables(m);
    long *kind = (long *)cli_memory(D, sizeof *kind);
    bln_status status = BLN_OK;
    out->n = 0;
    out->row = (coefficient *)cli_memory(D, P*sizeof *out->row);
    coefficients_kinds(m, kind);
    for (size_t k = 0; k < P && status == BLN_OK; k++) status = coefficients_append(m, k, kind, interval, out);
    free(kind);
    return status == BLN_OK ? CLI_GOOD : cli_fail(why, "coefficients: %s", bln_status_text(status));
}

int summary_coefficients(const model *m, double interval, int all, const cli_answer *to, cli_why *why)
{
    const size_t D = model_basis(m)->D;
    long *kind = (long *)cli_memory(D, sizeof *kind);
    size_t lines = 0, constants = 0;
    int status = CLI_GOOD;
    json_array(to->json, "coefficients");
    coefficients_kinds(m, kind);
    for (size_t j = 0; j < D; j++) {
        lines += kind[j] >= 0 || kind[j] == FEATURE_EFFECT;
        constants += kind[j] == FEATURE_CONSTANT;
    }
    for (size_t k = 0; k < coefficients_tables(m) && !status; k++)
        status = coefficients_table(m, k, kind, lines, constants, interval, all, to, why);
    json_end(to->json);
    json_array(to->json, "effects_at");
    if (!status && to->json) coefficients_where(m, kind, 0, to);
    json_end(to->json);
    free(kind);
    return status;
}
