/* evidence_degree: writes the SPEC with another degree, and fits with the options that the model came from */
#include "evidence.h"
#include "output.h"
#include "pictures.h"
#include "role.h"
#include "summary.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEGREE_LEAST = 6, DEGREE_MORE = 3, DEGREE_MOST = 10, DEGREE_WORDS = 20 };

typedef struct degrees { size_t n; double at[DEGREE_MOST], value[DEGREE_MOST]; } degrees;

/* The term of the SPEC that has a degree: where its name begins, how long that is, and where its degree=K stands, if it does. */
typedef struct degree_term { const char *at, *number; size_t name, digits, degree; int linear; } degree_term;

/* Is the word of n bytes at p this one? */
static int degree_is(const char *p, size_t n, const char *word) { return n == strlen(word) && !strncmp(p, word, n); }

static int degree_find(const char *spec, degree_term *t)
{
    for (const char *p = spec, *end; *p; p = *end ? end + 1 : end) {
        end = p + strcspn(p, "+");
        p += strspn(p, " ");
        memset(t, 0, sizeof *t);
        t->at = p;
        t->name = strcspn(p, ":+ ");
        t->linear = degree_is(p, t->name, "linear");
        t->degree = t->linear ? 1 : degree_is(p, t->name, "polynomial") ? 2 : degree_is(p, t->name, "legendre") ? 2 : 0;
        if (!t->degree) continue;
        for (const char *q = p; q < end; q++)
            if (!strncmp(q, "degree=", 7)) {
                t->number = q + 7;
                t->digits = strspn(t->number, "0123456789");
                t->degree = (size_t)strtoul(t->number, NULL, 10);
            }
        return 1;
    }
    return 0;
}

/* The SPEC with another degree, to free. */
static char *degree_write(const char *spec, const degree_term *t, size_t degree)
{
    const size_t size = strlen(spec) + 60, before = (size_t)(t->at - spec);
    char *out = (char *)cli_memory(size, 1);
    const char *after = t->at + t->name;
    if (t->number)
        snprintf(out, size, "%.*s%lu%s", (int)(t->number - spec), spec, (unsigned long)degree, t->number + t->digits);
    else
        snprintf(out, size, "%.*s%.*s:degree=%lu%s%s", (int)before, spec, t->linear ? 10 : (int)t->name,
                 t->linear ? "polynomial" : t->at, (unsigned long)degree, *after == ':' ? "," : "",
                 *after == ':' ? after + 1 : after);
    return out;
}

/* The options of the fit that the model came from, as words of the command line. */
static int degree_options(const options *o, const model *m, const char *spec, options *how, cli_why *why)
{
    char *word[DEGREE_WORDS + 2*ROLE_COUNT], seed[40], starts[40];
    static char target[] = "--target", basis[] = "--basis", to[] = "--output", none[] = "none", flat[] = "--prior=flat",
                each[] = "--prior=each", integrate[] = "--integrate", plug_in[] = "--plug-in", no_scale[] = "--no-scale",
                end[] = "--";
    int n = 0;
    char *copy = cli_copy(spec), *role[2*ROLE_COUNT];
    size_t roles = 0;
    snprintf(seed, sizeof seed, "--seed=%llu", (unsigned long long)m->seed);
    snprintf(starts, sizeof starts, "--starts=%llu", (unsigned long long)(m->starts ? m->starts : 1));
    word[n++] = target;
    word[n++] = m->cols.targets[0];
    word[n++] = basis;
    word[n++] = copy;
    word[n++] = to;
    word[n++] = none;
    word[n++] = seed;
    word[n++] = starts;
    if (m->prior == CLI_PRIOR_FLAT) word[n++] = flat;
    if (m->prior == CLI_PRIOR_EACH) word[n++] = each;
    if (m->integrated) word[n++] = integrate;
    else word[n++] = plug_in;
    if (!m->scaled && m->prior != CLI_PRIOR_FLAT) word[n++] = no_scale;
    for (int k = 0; k < ROLE_COUNT; k++) {
        if (!m->cols.role[k]) continue;
        word[n++] = role[roles++] = cli_copy(role_option((cli_role)k));
        word[n++] = role[roles++] = cli_copy(m->cols.role[k]);
    }
    word[n++] = end;
    word[n++] = (char *)o->data;
    int status = options_read(VERB_FIT, n, word, how, why);
    how->basis = NULL;                                             /* the words are gone */
    how->target = how->output = NULL;
    for (int k = 0; k < ROLE_COUNT; k++) how->role[k] = NULL;
    free(copy);
    while (roles) free(role[--roles]);
    return status;
}

/* The log evidence of one degree, as `info` prints it. */
static int degree_fit(const options *o, model *m, const bln_data *rows, const char *spec, double *value, cli_why *why)
{
    options how;
    model again;
    progress p = progress_start("");
    int status = degree_options(o, m, spec, &how, why);
    how.basis = spec;
    memset(&again, 0, sizeof again);
    if (!status) {
        cli_columns cols = m->cols;
        memset(&m->cols, 0, sizeof m->cols);
        status = model_fit(&how, &cols, rows, &p, &again, why);
        m->cols = again.cols;
        memset(&again.cols, 0, sizeof again.cols);
    }
    if (!status) *value = summary_nats(&again, model_evidence(&again));
    model_free(&again);
    options_free(&how);
    return status;
}

static int degree_draw(const options *o, const model *m, const degrees *of, size_t fitted, cli_why *why)
{
    output out;
    plot_desc d;
    plot_figure p;
    char title[300], label[40];
    const int status = output_open(o->output, &out, why);
    if (status) return status;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t k = 0; k < of->n; k++) {
        if (of->value[k] < low) low = of->value[k];
        if (of->value[k] > high) high = of->value[k];
    }
    snprintf(title, sizeof title, "%.90s by %.90s: evidence of the degree", m->cols.targets[0], m->spec);
    snprintf(label, sizeof label, "degree (of the model: %lu)", (unsigned long)fitted);
    memset(&d, 0, sizeof d);
    d.width = PLOT_WIDTH;
    d.height = PLOT_HEIGHT;
    d.title = title;
    d.x_label = label;
    d.y_label = "log evidence";
    d.x_low = 0.6;
    d.x_high = (double)of->n + 0.4;
    d.y_low = low - 0.06*(high - low);
    d.y_high = high + 0.06*(high - low);
    plot_sheet(out.file, PLOT_WIDTH, PLOT_HEIGHT);
    plot_panel_of(&p, out.file, &d);
    p.stroke = 1.2;
    p.dash = "5 3";
    plot_stroke(&p, (double)fitted, d.y_low, (double)fitted, d.y_high, "#111111");
    p.dash = "";
    p.stroke = 2.0;
    p.size = 1.5;
    plot_line(&p, of->n, of->at, of->value, "#123f7a", "");
    plot_points(&p, of->n, of->at, of->value, "#111111", "");
    plot_panel_end(&p);
    plot_sheet_end(out.file);
    return output_close(&out, why);
}

int evidence_degree(const options *o, model *m, cli_why *why)
{
    picture_rows t;
    degree_term term;
    degrees of;
    memset(&of, 0, sizeof of);
    if (m->glm || m->cols.n_targets > 1)
        return cli_fail(why, "--x degree is for linear models of one target: fit this one with each degree, and compare the log "
                             "evidence");
    if (!degree_find(m->spec, &term))
        return cli_fail(why, "--x degree: %s has no term linear, polynomial or legendre, and so no degree", m->spec);
    size_t most = term.degree + DEGREE_MORE > DEGREE_LEAST ? term.degree + DEGREE_MORE : DEGREE_LEAST;
    if (most > DEGREE_MOST) most = DEGREE_MOST;
    int status = picture_read(o, m, COLUMNS_LEAVE_OUT, &t, why);
    for (size_t k = 1; k <= most && !status; k++) {
        char *spec = degree_write(m->spec, &term, k);
        of.at[of.n] = (double)k;
        status = degree_fit(o, m, &t.rows.data, spec, &of.value[of.n], why);
        of.n++;
        free(spec);
    }
    picture_free(&t);
    if (!status) status = degree_draw(o, m, &of, term.degree, why);
    if (status) return status;
    say(&o->to, "%8s %14s\n", "degree", "log evidence");
    for (size_t k = 0; k < of.n; k++)
        say(&o->to, "%8lu %14.8g%s\n", (unsigned long)k + 1, of.value[k], k + 1 == term.degree ? "  the model's" : "");
    json_count(o->to.json, "degree", term.degree);
    json_numbers(o->to.json, "log_evidence_by_degree", of.n, of.value);
    return CLI_GOOD;
}
