/* predictions: asks the library at standardised rows, and takes the answers back to the units of the data */
#include "predictions.h"
#include "glm.h"
#include "glm_options.h"
#include "made.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 9 };

static void predictions_room(size_t n, size_t P, predictions *p)
{
    double **const field[FIELDS] = { &p->mean, &p->latent, &p->var, &p->lower, &p->upper, &p->lower_f, &p->upper_f,
                                     &p->log_density, &p->influence };
    memset(p, 0, sizeof *p);
    p->n = n;
    p->P = P;
    p->room = (double *)cli_memory(n, P*FIELDS*sizeof *p->room);
    for (size_t k = 0; k < FIELDS; k++) *field[k] = p->room + k*n*P;
}

void predictions_pick(const predictions *p, size_t k, predictions *out)
{
    predictions_room(p->n, 1, out);
    for (size_t i = 0; i < FIELDS*p->n; i++) out->room[i] = p->room[i*p->P + k];
}

void predictions_free(predictions *p)
{
    free(p->room);
    memset(p, 0, sizeof *p);
}

/* ---- normal ---- */

/* Central intervals of N(mean, var), elementwise. */
static void predictions_normal(size_t n, const double *mean, const double *var, double interval, double *lower, double *upper)
{
    const double z = -bln_norm_quantile(0.5*(1.0 - interval));
    for (size_t i = 0; i < n; i++) {
        lower[i] = mean[i] - z*sqrt(var[i]);
        upper[i] = mean[i] + z*sqrt(var[i]);
    }
}

/* From mean and variances of the model's scaled targets to all that is asked for. */
static void predictions_back(const model *m, const bln_data *rows, double interval, predictions *p)
{
    const size_t n = p->n*p->P;
    model_back(m, rows, p->mean);
    bln_scaler_vars_back(m->scaler, p->n, p->latent, p->latent);
    bln_scaler_vars_back(m->scaler, p->n, p->var, p->var);
    if (m->conformal) bln_conformal_intervals(m->conformal, p->n, p->mean, p->var, interval, p->lower, p->upper);
    else predictions_normal(n, p->mean, p->var, interval, p->lower, p->upper);
    predictions_normal(n, p->mean, p->latent, interval, p->lower_f, p->upper_f);
    if (!rows->y) return;
    for (size_t i = 0; i < n; i++) {
        const double sd = sqrt(p->var[i]);
        p->log_density[i] = sd > 0.0 ? bln_norm_logpdf((rows->y[i] - p->mean[i])/sd) - log(sd) : NAN;
    }
}

/* ---- anything else: the posterior is asked, and what it says is taken back to the units of the data ---- */

/* E[y | f] of a generalised linear model whose target is no real number; of others f itself, which is there even where moments are
 * not. */
static void predictions_of_f(const model *m, const bln_data *data, double *f)
{
    bln_targets t;
    memset(&t, 0, sizeof t);
    t.trials = data->trials;
    if (m->glm && !glm_is_real(&m->likelihood))
        bln_likelihood_moments(&m->likelihood, bln_glm_likelihood_theta(m->glm), data->n, &t, f, f, NULL);
}

static void predictions_asked_back(const model *m, const bln_data *rows, predictions *p)
{
    double *const place[5] = { p->mean, p->lower, p->upper, p->lower_f, p->upper_f };
    for (size_t k = 0; k < 5; k++) model_back(m, rows, place[k]);
    bln_scaler_vars_back(m->scaler, p->n, p->latent, p->latent);
    bln_scaler_vars_back(m->scaler, p->n, p->var, p->var);
    for (size_t i = 0; i < p->n; i++)
        p->log_density[i] = !m->glm && p->var[i] == 0.0 ? NAN : bln_scaler_logp_back(m->scaler, 1.0, p->log_density[i]);
}

/* Intervals of f; of a mean beside its noise those of the mean. */
static bln_status predictions_intervals_of_f(const model *m, const bln_data *data, double interval, predictions *p,
                                             bln_report *report)
{
    const size_t n = p->n, J = model_posterior(m)->J;
    double *room = (double *)cli_memory(n, 2*J*sizeof *room), *upper = room + n*J;
    const bln_status status = bln_posterior_intervals(model_posterior(m), data, BLN_OF_F, interval, room, upper, NULL, report);
    for (size_t i = 0; i < n && status == BLN_OK; i++) { p->lower_f[i] = room[i*J]; p->upper_f[i] = upper[i*J]; }
    free(room);
    return status;
}

static bln_status predictions_asked(const model *m, const bln_data *data, double interval, predictions *p, bln_report *report)
{
    const bln_posterior *q = model_posterior(m);
    bln_status status = bln_posterior_intervals(q, data, BLN_OF_Y, interval, p->lower, p->upper, NULL, report);
    if (status == BLN_OK) status = predictions_intervals_of_f(m, data, interval, p, report);
    if (status == BLN_OK && data->y) status = bln_posterior_logdensities(q, data, p->log_density, NULL, report);
    if (status != BLN_OK) return status;
    predictions_of_f(m, data, p->lower_f);
    predictions_of_f(m, data, p->upper_f);
    return status;
}

/* ---- either ---- */

int predictions_make(const model *m, const bln_data *rows, double interval, predictions *out, cli_why *why)
{
    double *room = (double *)cli_memory(rows->n, (rows->d + m->cols.n_targets)*sizeof *room);
    bln_report report;
    bln_status status;
    predictions p;
    predictions_room(rows->n, m->cols.n_targets, &p);
    bln_report_clear(&report);
    bln_data data = model_view(m, rows, room);
    data.weight = NULL;                                       /* weights do not matter here, and a table may lack them */
    status = bln_posterior_predict(model_posterior(m), &data, p.mean, p.latent, p.var, NULL, &report);
    for (size_t i = 0; i < p.n*p.P && status == BLN_OK; i++) p.var[i] += p.latent[i];
    if (status == BLN_OK && glm_quantile(m) > 0.0)                    /* a quantile is asked for, not a mean */
        status = bln_posterior_latent(model_posterior(m), &data, p.mean, p.latent, NULL, &report);
    if (status == BLN_OK && m->slm) predictions_back(m, rows, interval, &p);
    else if (status == BLN_OK) {
        status = predictions_asked(m, &data, interval, &p, &report);
        predictions_asked_back(m, rows, &p);
    }
    free(room);
    p.failed = report.row;
    *out = p;
    return status == BLN_OK ? CLI_GOOD : model_why(why, "the prediction failed", status, &report);
}

/* One draw with 1 degree of freedom or less takes the mean away, and what is computed from it. */
static void predictions_note_no_mean(const model *m, const char *file, const predictions *p)
{
    cli_counted counted;
    size_t lost = 0;
    if (!m->glm || strcmp(m->likelihood.ops->name, "heteroscedastic_t")) return;
    for (size_t i = 0; i < p->n; i++) lost += p->mean[i] != p->mean[i];
    if (lost) cli_note("%s: %lu of %s have no mean (nan): t with 1 degree of freedom or less has none, and here it may have as "
                       "few; lower and upper hold", file, (unsigned long)lost, cli_count(&counted, p->n, "row"));
}

int predictions_of_rows(const model *m, const cli_rows *rows, const char *file, double interval, predictions *out, cli_why *why)
{
    const int status = predictions_make(m, &rows->data, interval, out, why);
    if (status && out->failed != BLN_NONE)
        cli_fail(why, "%s:%lu: the prediction overflows: its inputs are too far from those of the fit", file,
                 (unsigned long)rows->line[out->failed]);
    if (!status) predictions_note_no_mean(m, file, out);
    return status;
}

int predictions_lost(const model *m, const predictions *p, size_t i)
{
    const double *sign = m->glm ? p->log_density : p->mean;       /* Student's t may have no mean, a perfect fit no density */
    return sign[i*p->P] != sign[i*p->P];
}

/* Predicts y of each row from the others, or from the other groups. Nothing is asked about f, and of several targets neither
 * intervals nor densities. */
static bln_status predictions_without(const model *m, const bln_data *data, const size_t *group, size_t n_groups, double interval,
                                      int by, predictions *p, bln_report *report)
{
    const bln_posterior *q = model_posterior(m);
    bln_loo_outputs out;
    bln_loo_desc desc;
    memset(&out, 0, sizeof out);
    memset(&desc, 0, sizeof desc);
    desc.psis = m->glm && glm_by_psis(m, by);
    desc.level = interval;
    desc.draws = m->glm ? glm_draws(m) : GLM_DRAWS;
    out.mean = p->mean;
    out.var_model = p->var;
    out.var_noise = p->latent;
    if (m->glm) {
        out.lower = p->lower;
        out.upper = p->upper;
        out.logdensity = p->log_density;
        out.influence = p->influence;
        out.total = &p->elpd;
    }
    p->limit = desc.psis ? bln_psis_limit(desc.draws) : 0.7;
    const bln_status status = group ? bln_posterior_loo_groups(q, data, group, n_groups, &desc, &out, NULL, report)
                                    : bln_posterior_loo(q, data, &desc, &out, report);
    for (size_t i = 0; i < p->n*p->P; i++) {
        p->var[i] += p->latent[i];
        p->latent[i] = 0.0;
    }
    return status;
}

int predictions_leave_out(const model *m, const bln_data *rows, const size_t *group, size_t n_groups, double interval, int by,
                          predictions *out, size_t *undefined, cli_why *why)
{
    double *room = (double *)cli_memory(rows->n, (rows->d + m->cols.n_targets)*sizeof *room);
    bln_report report;
    predictions p;
    predictions_room(rows->n, m->cols.n_targets, &p);
    *out = p;
    bln_report_clear(&report);
    const bln_data data = model_view(m, rows, room);
    const bln_status status = predictions_without(m, &data, group, n_groups, interval, by, &p, &report);
    free(room);
    *undefined = 0;
    if (status == BLN_EINVAL || status == BLN_ESHAPE)
        return cli_fail(why, "--loo needs the table of the fit, all its rows in their order: %s", report.text);
    if (status != BLN_OK && status != BLN_EUNDEFINED) return model_why(why, "leaving rows out", status, &report);
    if (m->slm) predictions_back(m, rows, interval, &p);
    else {
        predictions_asked_back(m, rows, &p);
        p.elpd.elpd = bln_scaler_logp_back(m->scaler, p.elpd.rows, p.elpd.elpd);
    }
    *out = p;
    for (size_t i = 0; i < p.n; i++) *undefined += (size_t)predictions_lost(m, &p, i);
    return CLI_GOOD;
}

/* ---- rows that a flat prior knows nothing of ---- */

/* Is made input k a product of indicators that was 0 in all training rows? */
static int predictions_is_empty(const model *m, size_t k)
{
    const cli_made *made = &m->cols.made[k];
    size_t column, word;
    if (made->n < 2 || m->input_mean[m->cols.base + k] != 0.0) return 0;
    for (size_t l = 0; l < made->n; l++) if (!made_indicator(&m->cols, made->part[l].input, &column, &word)) return 0;
    return 1;
}

void predictions_note_empty(const model *m, const char *file, const bln_data *rows)
{
    const cli_columns *c = &m->cols;
    cli_shown name;
    cli_counted counted;
    size_t first = c->d, n = 0;
    unsigned char *any = (unsigned char *)cli_memory(rows->n, 1);
    for (size_t k = 0; k < c->n_made && m->prior == CLI_PRIOR_FLAT; k++) {
        if (!predictions_is_empty(m, k)) continue;
        for (size_t i = 0; i < rows->n; i++) {
            if (rows->X[i*c->d + c->base + k] == 0.0) continue;
            if (first == c->d) first = c->base + k;
            n += !any[i];
            any[i] = 1;
        }
    }
    free(any);
    if (n) cli_note("%s: %lu of %s with words together that no training row had (%s): with --prior flat nothing is known of their "
                    "product, and they are predicted without it", file, (unsigned long)n, cli_count(&counted, rows->n, "row"),
                    cli_show(&name, c->inputs[first]));
}
