/* evidence_plot: the log evidence over one hyper-parameter, the others as they were learnt; or over the degree of a polynomial
 *
 * In nats and in the units of `info`, whose figures the marks are. Where the curve is flat the rows say little of the
 * hyper-parameter, where it is narrow much: within 2 nats of the top are values that the rows hold nearly as probable. The prior of
 * length scales is no part of it. A model that integrates over noise and prior variances is integrated anew at each length scale; a
 * generalised linear model is looked at by its method's objective, or Laplace's where the method has none at a point. */
#include "evidence.h"
#include "glm.h"
#include "grid.h"
#include "made.h"
#include "methods.h"
#include "output.h"
#include "pictures.h"
#include "summary.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CURVE_STEPS = 20, CURVE = 2*CURVE_STEPS + 1 };
static const double curve_width = 1.3;         /* decades to either side of what was learnt, which stands in the middle, at most */
static const double curve_drop = 12.0;         /* nats below the top, that the picture shows */

typedef enum hyper_kind { HYPER_THETA, HYPER_PRIOR, HYPER_LIKELIHOOD, HYPER_NOISE } hyper_kind;

/* Parameter k of its kind. power: 0.5 of a variance, whose standard deviation is shown. unit: shown = unit*value^power. */
typedef struct hyper {
    hyper_kind kind;
    size_t     k;
    char       name[120];
    double     learnt, unit, power;
    double     at[CURVE], value[CURVE];        /* as it is shown; what was learnt in the middle */
} hyper;

typedef struct hypers { size_t n; hyper *of; } hypers;

static double hyper_shown(const hyper *h, double value) { return h->unit*pow(value, h->power); }

/* ---- which hyper-parameters there are */

static void hyper_add(hypers *h, hyper_kind kind, size_t k, const char *name, double learnt, double unit, double power)
{
    cli_shown shown;
    if (!(learnt > 0.0) || !(learnt < 1e100)) return;             /* flat, switched off, or not of one sign: no decades around it */
    h->of = (hyper *)cli_grow(h->of, h->n + 1, sizeof *h->of);
    hyper *one = &h->of[h->n++];
    memset(one, 0, sizeof *one);
    one->kind = kind;
    one->k = k;
    one->learnt = learnt;
    one->unit = unit;
    one->power = power;
    snprintf(one->name, sizeof one->name, "%s", cli_show(&shown, name));
}

static void hypers_find(const model *m, hypers *h)
{
    const bln_basis *b = model_basis(m);
    const char *const *inputs = (const char *const *)m->cols.inputs;
    const double unit = m->cols.n_targets > 1 ? 1.0 : bln_scaler_sd(m->scaler, m->cols.d);
    char name[120], long_name[140];
    bln_param p;
    memset(h, 0, sizeof *h);
    for (size_t k = 0; k < b->n_theta; k++) {
        const double of = summary_unit(m, k);
        bln_basis_param(b, k, NULL, &p);
        if (p.kind != BLN_PARAM_LOG) continue;                      /* no basis of the tool has one of another positive kind */
        bln_basis_param_name(b, k, inputs, name, sizeof name);
        snprintf(long_name, sizeof long_name, "%.100s%s", name, of > 0.0 ? "" : " (standardised)");
        hyper_add(h, HYPER_THETA, k, long_name, model_theta(m)[k], of > 0.0 ? of : 1.0, 1.0);
    }
    for (size_t i = 0; i < model_tables(m)*b->n_slices && !m->integrated && m->prior != CLI_PRIOR_EACH; i++) {
        const size_t k = i/b->n_slices, s = i % b->n_slices;
        if (model_given(m, s)) continue;
        made_slice_name(&m->cols, b, s, name, sizeof name);
        snprintf(long_name, sizeof long_name, "prior sd of %.60s%s%.60s", name, model_tables(m) > 1 ? ", " : "",
                 model_tables(m) > 1 ? bln_likelihood_latent_name(&m->likelihood, k) : "");
        hyper_add(h, HYPER_PRIOR, i, long_name, model_prior_var(m, k*b->D + bln_basis_slice(b, s)), k ? 1.0 : unit, 0.5);
    }
    for (size_t k = 0; m->glm && k < m->likelihood.n_theta; k++) {
        const double value = bln_glm_likelihood_theta(m->glm)[k];
        bln_likelihood_param(&m->likelihood, k, 0.0, 1.0, &p);
        if (p.kind == BLN_PARAM_LOG)
            hyper_add(h, HYPER_LIKELIHOOD, k, bln_likelihood_param_name(&m->likelihood, k), value, glm_parameter(m, k)/value, 1.0);
    }
    if (m->slm && m->cols.n_targets == 1)
        hyper_add(h, HYPER_NOISE, 0, "noise sd", bln_slm_noise_cov(m->slm)[0], unit, 0.5);
}

/* Keeps the hyper-parameters whose name contains this text, or is it. If there are none the failure lists all names. */
static int hypers_choose(const char *text, hypers *h, cli_why *why)
{
    char list[600] = "";
    size_t n = 0;
    cli_shown shown;
    for (size_t k = 0; k < h->n; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s\"%s\"", k ? ", " : "", h->of[k].name);
    for (size_t k = 0; k < h->n && text; k++) if (!strcmp(h->of[k].name, text)) { h->of[0] = h->of[k]; h->n = 1; return CLI_GOOD; }
    for (size_t k = 0; k < h->n; k++) if (!text || strstr(h->of[k].name, text)) h->of[n++] = h->of[k];
    if (n == 0) return cli_fail(why, "--x: the model has no hyper-parameter \"%s\"; there are %s, and degree, of a polynomial",
                                cli_show(&shown, text), list);
    h->n = n;
    return CLI_GOOD;
}

/* ---- the evidence at a point */

/* All hyper-parameters, of which one at a time is changed. */
typedef struct hyper_point { double *theta, *prior, *likelihood, noise; } hyper_point;

static bln_glm_method evidence_method(const model *m)
{
    const char *name = bln_glm_method_name(m->glm);
    return !strcmp(name, "full") ? bln_glm_full(NULL) : !strcmp(name, "cavi") ? bln_glm_cavi(NULL) : bln_glm_laplace();
}

/* Is this the objective that the fit maximised? */
static int evidence_is_own(const model *m)
{
    const char *name = m->glm ? bln_glm_method_name(m->glm) : "";
    return !m->glm || !strcmp(name, "full") || !strcmp(name, "cavi") || !strcmp(name, "laplace");
}

/* The fit of a model that integrates, at these length scales; what is flat stays flat. */
static bln_status evidence_integrated(const model *m, const bln_data *data, const hyper_point *at, double *out, bln_report *report)
{
    const bln_basis *b = model_basis(m);
    double weight, noise, *ratio = (double *)cli_memory(b->n_slices, sizeof *ratio);
    bln_slm_integrated_desc desc;
    bln_slm_integrated *again = NULL;
    bln_slm_integrated_node(m->integrated, 0, &weight, ratio, &noise);
    for (size_t s = 0; s < b->n_slices; s++) if (!isinf(ratio[s])) ratio[s] = 0.0;
    memset(&desc, 0, sizeof desc);
    desc.basis = b;
    desc.theta = at->theta;
    desc.ratio = ratio;
    desc.arithmetic = (bln_slm_arithmetic)m->arithmetic;
    bln_status status = bln_slm_integrated_create(&desc, &again, report);
    if (status == BLN_OK) status = bln_slm_integrated_fit(again, data, report);
    *out = bln_slm_integrated_evidence(again);
    bln_slm_integrated_free(again);
    free(ratio);
    return status;
}

static bln_status evidence_at(const model *m, const bln_data *data, const hyper_point *at, double *out, bln_report *report)
{
    if (m->integrated) return evidence_integrated(m, data, at, out, report);
    if (m->glm)
        return bln_glm_objective_at(m->glm, evidence_method(m), data, at->prior, at->likelihood, at->theta, out, NULL, NULL, NULL,
                                    NULL, NULL, report);
    if (m->cols.n_targets > 1)
        return bln_slm_evidence_outputs(m->slm, data, NULL, at->prior, at->theta, out, NULL, NULL, NULL, NULL, report);
    return bln_slm_evidence_at(m->slm, data, at->noise, at->prior, at->theta, out, NULL, NULL, NULL, report);
}

static double *evidence_copy(size_t n, const double *from)
{
    double *out = (double *)cli_memory(n, sizeof *out);
    if (from && n) memcpy(out, from, n*sizeof *out);
    return out;
}

static double hyper_top(const hyper *h)
{
    double top = -HUGE_VAL;
    for (size_t k = 0; k < CURVE; k++) if (h->value[k] > top) top = h->value[k];
    return top;
}

/* Where the curve crosses `level` on the way from the top to one side, NaN: not on the picture. */
static double hyper_crosses(const hyper *h, double level, int step)
{
    int k = 0;
    for (int i = 0; i < CURVE; i++) if (h->value[i] >= h->value[k] || h->value[k] != h->value[k]) k = i;
    for (; k + step >= 0 && k + step < CURVE; k += step) {
        const double here = h->value[k], next = h->value[k + step];
        if (next < level) return h->at[k]*pow(h->at[k + step]/h->at[k], (here - level)/(here - next));
    }
    return NAN;
}

/* Values at CURVE places from low to high, what was learnt in the middle. place: in at, of the parameter. */
static void hyper_curve(const model *m, const bln_data *data, hyper *h, double low, double high, hyper_point *at, double *place)
{
    for (int k = 0; k < CURVE; k++) {
        const double end = k < CURVE_STEPS ? low : high, learnt = hyper_shown(h, h->learnt);
        double value = 0.0;
        h->at[k] = learnt*pow(end/learnt, abs(k - CURVE_STEPS)/(double)CURVE_STEPS);
        *place = h->learnt*pow(h->at[k]/learnt, 1.0/h->power);
        h->value[k] = evidence_at(m, data, at, &value, NULL) == BLN_OK ? summary_nats(m, value) : NAN;
    }
    *place = h->learnt;
}

/* First over a wide range, then over the part that the picture shows. */
static void hyper_look(const model *m, const bln_data *data, hyper *h, hyper_point *at, double *place)
{
    const double learnt = hyper_shown(h, h->learnt), width = pow(10.0, curve_width);
    double low = learnt/width, high = learnt*width;
    for (int again = 0; again < 3; again++) {
        hyper_curve(m, data, h, low, high, at, place);
        const double level = hyper_top(h) - 1.3*curve_drop;
        const double to_low = hyper_crosses(h, level, -1), to_high = hyper_crosses(h, level, 1);
        if (!(to_low > 1.3*low) && !(to_high < high/1.3)) break;
        if (to_low == to_low && to_low < learnt) low = to_low;
        if (to_high == to_high && to_high > learnt) high = to_high;
    }
}

/* All curves. Where the evidence has no value it is NaN. */
static int evidence_curves(const model *m, const bln_data *rows, hypers *h, cli_why *why)
{
    double *room = (double *)cli_memory(rows->n, (rows->d + m->cols.n_targets)*sizeof *room), value = 0.0;
    const bln_data data = model_view(m, rows, room);
    hyper_point at;
    bln_report report;
    bln_report_clear(&report);
    at.theta = evidence_copy(model_basis(m)->n_theta, model_theta(m));
    at.prior = evidence_copy(m->integrated ? 0 : model_tables(m)*model_priors(m), m->glm ? bln_glm_prior_var(m->glm) : m->slm
                             ? bln_slm_prior_var(m->slm) : NULL);
    at.likelihood = evidence_copy(m->likelihood.n_theta, m->glm ? bln_glm_likelihood_theta(m->glm) : NULL);
    at.noise = m->slm ? bln_slm_noise_cov(m->slm)[0] : 0.0;
    const bln_status got = evidence_at(m, &data, &at, &value, &report);
    const double fitted = model_evidence(m);
    int status = got == BLN_OK ? CLI_GOOD : model_why(why, "--show evidence", got, &report);
    if (!status && evidence_is_own(m) && fabs(value - fitted) > 1e-5*(1.0 + fabs(fitted)))
        status = cli_fail(why, "--show evidence needs the table of the fit: the log evidence of these rows is %.8g, that of the "
                               "model %.8g", summary_nats(m, value), summary_nats(m, fitted));
    for (size_t i = 0; i < h->n && !status; i++) {
        hyper *one = &h->of[i];
        double *place = one->kind == HYPER_THETA ? &at.theta[one->k] : one->kind == HYPER_PRIOR ? &at.prior[one->k]
                      : one->kind == HYPER_LIKELIHOOD ? &at.likelihood[one->k] : &at.noise;
        hyper_look(m, &data, one, &at, place);
    }
    free(at.theta);
    free(at.prior);
    free(at.likelihood);
    free(room);
    return status;
}

/* ---- table and picture */

static void hypers_print(const hypers *h, const cli_answer *to)
{
    say(to, "%-40s %12s %12s %12s\n", "hyper-parameter", "learnt", "2 nats from", "to");
    json_array(to->json, "hyper_parameters");
    for (size_t i = 0; i < h->n; i++) {
        const hyper *one = &h->of[i];
        const double side[2] = { hyper_crosses(one, hyper_top(one) - 2.0, -1), hyper_crosses(one, hyper_top(one) - 2.0, 1) };
        say(to, "%-40s %12.5g", one->name, hyper_shown(one, one->learnt));
        for (int k = 0; k < 2; k++) {
            if (side[k] == side[k]) say(to, " %12.4g", side[k]);
            else say(to, " %12s", "open");
        }
        say(to, "\n");
        json_object(to->json, NULL);
        json_text(to->json, "name", one->name);
        json_number(to->json, "learnt", hyper_shown(one, one->learnt));
        json_number(to->json, "lower", side[0]);
        json_number(to->json, "upper", side[1]);
        json_numbers(to->json, "at", CURVE, one->at);
        json_numbers(to->json, "log_evidence", CURVE, one->value);
        json_end(to->json);
    }
    json_end(to->json);
    if (h->n > 1) return;
    say(to, "\n%14s %14s\n", "value", "log evidence");
    for (size_t k = 0; k < CURVE; k++)
        say(to, "%14.5g %14.8g%s\n", h->of->at[k], h->of->value[k] + 0.0, k == CURVE_STEPS ? "  learnt" : "");
}

static void hyper_draw(FILE *file, const plot_desc *of, const hyper *h)
{
    plot_desc d = *of;
    plot_figure p;
    double x[CURVE], y[CURVE];
    const double learnt = log10(hyper_shown(h, h->learnt)), best = h->value[CURVE_STEPS];
    size_t n = 0;
    d.x_log = 1;
    d.x_low = log10(h->at[0]);
    d.x_high = log10(h->at[CURVE - 1]);
    plot_panel_of(&p, file, &d);
    for (size_t k = 0; k < CURVE; k++) {
        if (h->value[k] - h->value[k] != 0.0) continue;
        x[n] = log10(h->at[k]);
        y[n++] = h->value[k];
    }
    p.stroke = 1.2;
    p.dash = "5 3";
    plot_stroke(&p, learnt, d.y_low, learnt, d.y_high, "#111111");
    p.dash = "";
    p.stroke = 2.0;
    p.size = 1.5;
    plot_line(&p, n, x, y, "#123f7a", "");
    plot_points(&p, 1, &learnt, &best, "#111111", "");
    plot_panel_end(&p);
}

static int hypers_draw(const options *o, const model *m, const hypers *h, cli_why *why)
{
    output out;
    char title[300], below[200], label[120];
    double top = -HUGE_VAL;
    const size_t n = h->n < PICTURE_PANELS ? h->n : PICTURE_PANELS;
    int theta = 0;
    const int status = output_open(o->output, &out, why);
    if (status) return status;
    if (n < h->n) cli_note("%lu hyper-parameters: the first %d are drawn", (unsigned long)h->n, (int)n);
    for (size_t i = 0; i < n; i++) if (hyper_top(&h->of[i]) > top) top = hyper_top(&h->of[i]);
    snprintf(label, sizeof label, "log evidence%s", evidence_is_own(m) ? "" : " (Laplace's)");
    snprintf(title, sizeof title, "%.90s by %.90s: evidence of its hyper-parameters", m->cols.targets[0], m->spec);
    for (size_t i = 0; i < n; i++) theta = theta || h->of[i].kind == HYPER_THETA;
    snprintf(below, sizeof below, "point and dashed line: what was learnt%s; the others stay%s",
             theta && !m->integrated ? " (with the prior of length scales, which is not drawn)" : "",
             m->integrated ? ", noise and prior variances are integrated out" : " as they were learnt");
    picture_sheet(out.file, n == 1 ? PLOT_WIDTH : picture_width(n), n == 1 ? PLOT_HEIGHT : picture_height(n), title, below);
    for (size_t i = 0; i < n; i++) {
        plot_desc d;
        picture_place(i, picture_across(n), &d);
        if (i % picture_across(n) == 0) d.y_label = label;
        if (n == 1) {
            memset(&d, 0, sizeof d);
            d.width = PLOT_WIDTH;
            d.height = PLOT_HEIGHT;
            d.y_label = label;
            d.x_label = h->of[i].name;
        } else d.title = h->of[i].name;
        d.left = d.left && i % picture_across(n) ? 60 : PLOT_LEFT;
        d.y_low = top - curve_drop;
        d.y_high = top + 0.08*curve_drop;
        hyper_draw(out.file, &d, &h->of[i]);
    }
    plot_sheet_end(out.file);
    return output_close(&out, why);
}

int evidence_plot(const options *o, model *m, cli_why *why)
{
    picture_rows t;
    hypers h;
    if (o->x && !strcmp(o->x, "degree")) return evidence_degree(o, m, why);
    hypers_find(m, &h);
    if (h.n == 0)
        return cli_fail(why, "--show evidence: %s", m->integrated
                        ? "this model averages over its noise and prior variances, and its basis has nothing to learn: take "
                          "--x degree, or fit with --plug-in" : "this model has no hyper-parameters that were learnt");
    int status = hypers_choose(o->x, &h, why);
    if (!status) {
        status = picture_read(o, m, COLUMNS_LEAVE_OUT, &t, why);
        if (!status) status = evidence_curves(m, &t.rows.data, &h, why);
        picture_free(&t);
    }
    if (!status) status = hypers_draw(o, m, &h, why);
    if (!status) hypers_print(&h, &o->to);
    free(h.of);
    return status;
}
