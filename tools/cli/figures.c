/* figures: asks for predictions and probabilities, and lays them out row by row */
#include "figures.h"
#include "classes.h"
#include "draws.h"
#include "glm.h"
#include "predictions.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURES_MOST = 7, FIGURES_SLM = 5, FIGURES_QUANTILE = 4 };
static const char *const figures_all[FIGURES_MOST] = { "mean", "sd", "sd_latent", "lower", "upper", "lower_mean", "upper_mean" };
static const char *const figures_quantile[] = { "quantile", "sd_quantile", "lower_quantile", "upper_quantile" };

void figures_free(figures *r)
{
    for (size_t k = 0; k < r->classes && r->label; k++) free(r->label[k]);
    free(r->label);
    free(r->figure);
    free(r->probability);
    free(r->guess);
    free(r->draw);
    memset(r, 0, sizeof *r);
}

/* Those of target j, in this order. */
static void figures_values(const model *m, const predictions *p, size_t j, size_t count, double *value)
{
    const double sd = sqrt(p->var[j]), sd_latent = sqrt(p->latent[j]);
    const double all[] = { p->mean[j], sd, sd_latent, p->lower[j], p->upper[j], p->lower_f[j], p->upper_f[j] };
    const double quantile[] = { p->mean[j], sd_latent, p->lower_f[j], p->upper_f[j] };
    memcpy(value, glm_quantile(m) > 0.0 ? quantile : all, count*sizeof *value);
}

static int figures_predict(const model *m, const cli_rows *rows, const char *file, double interval, figures *r, cli_why *why)
{
    predictions p;
    const size_t n = r->n*r->P;
    r->figure = (double *)cli_memory(n, r->count*sizeof *r->figure);
    const int status = predictions_of_rows(m, rows, file, interval, &p, why);
    for (size_t i = 0; i < n && !status; i++) figures_values(m, &p, i, r->count, r->figure + i*r->count);
    predictions_free(&p);
    return status;
}

/* The most probable class of each row, and what classes are called. */
static int figures_classes(const model *m, const bln_data *rows, figures *r, cli_why *why)
{
    const size_t n = r->n, C = r->classes;
    cli_shown shown;
    r->probability = (double *)cli_memory(n, C*sizeof *r->probability);
    r->guess = (double *)cli_memory(n, sizeof *r->guess);
    r->label = (char **)cli_memory(C, sizeof *r->label);
    for (size_t k = 0; k < C; k++) r->label[k] = cli_copy(classes_text(m, k, &shown));
    const int status = glm_class_probabilities(m, rows, r->probability, why);
    for (size_t i = 0; i < n && !status; i++)
        for (size_t k = 1; k < C; k++)
            if (r->probability[i*C + k] > r->probability[i*C + (size_t)r->guess[i]]) r->guess[i] = (double)k;
    return status;
}

int figures_make(const model *m, const cli_rows *rows, const char *file, double interval, figures *out, cli_why *why)
{
    int status = CLI_GOOD;
    memset(out, 0, sizeof *out);
    out->n = rows->data.n;
    out->P = m->cols.n_targets;
    out->first = classes_of(m) > 0;
    out->names = glm_quantile(m) > 0.0 ? figures_quantile : figures_all;
    out->count = out->first ? 0 : glm_quantile(m) > 0.0 ? FIGURES_QUANTILE : m->glm ? FIGURES_MOST : FIGURES_SLM;
    out->classes = m->glm ? glm_classes(m) : 0;
    out->several = out->first || (out->classes && m->likelihood.n_theta);
    if (out->count) status = figures_predict(m, rows, file, interval, out, why);
    if (!status && out->classes) status = figures_classes(m, &rows->data, out, why);
    return status;
}

int figures_draw(const model *m, const bln_data *rows, size_t S, uint64_t seed, figures *to, cli_why *why)
{
    to->S = S;
    to->draw = (double *)cli_memory(rows->n*to->P, S*sizeof *to->draw);
    return draws_make(m, rows, S, seed, to->draw, why);
}

/* ---- rows of several models ---- */

static void figures_longer(double **to, size_t have, const double *more, size_t n)
{
    if (!more) return;
    *to = (double *)cli_grow(*to, have + n, sizeof **to);
    memcpy(*to + have, more, n*sizeof **to);
}

int figures_append(figures *to, const figures *more)
{
    if (to->n == 0) {
        *to = *more;
        to->n = 0;
        to->figure = to->probability = to->guess = NULL;
        to->label = more->classes ? (char **)cli_memory(more->classes, sizeof *to->label) : NULL;
        for (size_t k = 0; k < more->classes; k++) to->label[k] = cli_copy(more->label[k]);
    }
    /* Words are those of the whole table; categories those of the rows of a fit, which has all that its test rows have, or its fold
     * fails. */
    if (CLI_NEVER(to->P != more->P || to->count != more->count || to->classes != more->classes)) return 0;
    const size_t each = to->P*to->count;
    figures_longer(&to->figure, to->n*each, more->figure, more->n*each);
    figures_longer(&to->probability, to->n*to->classes, more->probability, more->n*to->classes);
    figures_longer(&to->guess, to->n, more->guess, more->n);
    to->n += more->n;
    return 1;
}

/* ---- columns ---- */

void figures_column(sheet *s, size_t P, const char *name, const char *target, const double *value, size_t stride)
{
    char *all = (char *)cli_memory(strlen(name) + strlen(target) + 2, 1);
    sprintf(all, P == 1 ? "%s" : "%s_%s", name, target);
    sheet_numbers(s, all, value, stride);
    free(all);
}

static void figures_class_columns(sheet *s, const figures *r)
{
    if (r->first) sheet_labels(s, "class", r->guess, 1, r->classes, r->label);
    for (size_t k = 0; k < r->classes && r->several; k++) {
        char *name = (char *)cli_memory(strlen(r->label[k]) + 3, 1);
        sprintf(name, "p_%s", r->label[k]);
        sheet_numbers(s, name, r->probability + k, r->classes);
        free(name);
    }
    if (r->classes && !r->first) sheet_labels(s, "class", r->guess, 1, r->classes, r->label);
}

void figures_columns(sheet *s, const figures *r, char *const *targets)
{
    char name[40];
    for (size_t k = 0; k < r->P*r->count; k++)
        figures_column(s, r->P, r->names[k % r->count], targets[k/r->count], r->figure + k, r->P*r->count);
    figures_class_columns(s, r);
    for (size_t k = 0; k < r->P*r->S; k++) {
        const double *draw = r->draw + k % r->S*r->n*r->P + k/r->S;
        snprintf(name, sizeof name, "draw_%lu", (unsigned long)(k % r->S + 1));
        if (r->first) sheet_labels(s, name, draw, 1, r->classes, r->label);
        else figures_column(s, r->P, name, targets[k/r->S], draw, r->P);
    }
}
