/* model: fitting and predicting in the units of the data. Saving is in model_file.c. */
#include "model.h"
#include "prior.h"
#include "terms.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void model_free(model *m)
{
    bln_slm_free(m->slm);
    bln_basis_free(m->basis);
    bln_scaler_free(m->scaler);
    columns_free(&m->cols);
    free(m->spec);
    free(m->input_mean);
    memset(m, 0, sizeof *m);
}

void model_note_constants(const cli_columns *c, size_t n, const double *X)
{
    cli_shown shown;
    for (size_t j = 0; j < c->d; j++) {
        size_t i = 1;
        while (i < n && X[i*c->d + j] == X[j]) i++;
        if (i >= n)
            cli_note("column \"%s\" is %g in all %lu rows: it tells nothing", cli_show(&shown, c->inputs[j]), X[j],
                     (unsigned long)n);
    }
}

static int model_why(cli_why *why, const char *what, bln_status status, const bln_report *report)
{
    return cli_fail(why, "%s: %s%s%s", what, bln_status_text(status), report->text[0] ? ": " : "", report->text);
}

/* Moments of the training rows, and the scaler that the model will use. */
static int model_learn_scale(const bln_data *raw, model *m, cli_why *why)
{
    bln_report report;
    bln_report_clear(&report);
    bln_status status = bln_scaler_create(NULL, raw, &m->scaler, &report);
    if (status != BLN_OK) return model_why(why, "standardising", status, &report);
    for (size_t j = 0; j < raw->d; j++) m->input_mean[j] = bln_scaler_mean(m->scaler, j);
    m->target_mean = bln_scaler_mean(m->scaler, raw->d);
    const double sd = bln_scaler_constant(m->scaler, raw->d) ? 0.0 : bln_scaler_sd(m->scaler, raw->d);
    m->target_var = sd*sd;
    if (m->target_var == 0.0) {
        cli_shown shown;
        return cli_fail(why, "the target \"%s\"%s is %g in all %lu training rows: there is nothing to learn",
                        cli_show(&shown, m->cols.target), m->cols.role[ROLE_OFFSET] ? " without its offset" : "", m->target_mean,
                        (unsigned long)raw->n);
    }
    if (m->scaled) return CLI_GOOD;
    bln_scaler_free(m->scaler);
    m->scaler = NULL;
    status = bln_scaler_identity(NULL, raw->d, &m->scaler);
    return status == BLN_OK ? CLI_GOOD : model_why(why, "standardising", status, &report);
}

static int model_make_basis(const options *o, model *m, cli_why *why)
{
    char *text;
    bln_spec_desc desc;
    bln_report report;
    int status = terms_resolve(o->basis, &m->cols, &text, why);
    if (status) return status;
    memset(&desc, 0, sizeof desc);
    bln_report_clear(&report);
    desc.text = text;
    desc.d = m->cols.d;
    desc.seed = o->seed;
    const bln_status made = bln_basis_parse(&desc, &m->basis, &report);
    if (made == BLN_EINVAL || made == BLN_EUNKNOWN) status = cli_misuse(why, "--basis \"%s\": %s", text, report.text);
    else if (made != BLN_OK) status = model_why(why, "--basis", made, &report);
    free(text);
    return status;
}

/* A basis that reads no inputs at all has d = 0, whatever the table has. */
static bln_data model_view(const bln_basis *basis, size_t n, size_t d, const double *Z)
{
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = n;
    data.d = basis->d ? d : 0;
    data.ldx = d;
    data.X = Z;
    return data;
}

static double model_total_weight(const bln_data *data)
{
    double total = 0.0;
    if (!data->weight) return (double)data->n;
    for (size_t i = 0; i < data->n; i++) total += data->weight[i];
    return total;
}

/* data: scaled. prior: of the slices. */
static int model_learn(const options *o, const bln_data *data, const prior *prior_of, progress *p, model *m, cli_why *why)
{
    bln_slm_desc desc;
    bln_report report;
    memset(&desc, 0, sizeof desc);
    bln_report_clear(&report);
    desc.basis = m->basis;
    desc.starts = o->starts;
    desc.seed = o->seed;
    desc.max_iterations = o->max_iterations;
    desc.tolerance = o->tolerance;
    desc.theta_sd = o->theta_sd;
    desc.prior_var = prior_of->var;
    desc.arithmetic = prior_arithmetic(prior_of, m->basis, data->n);
    desc.monitor = progress_monitor;
    desc.monitor_user = p;
    p->scaler = m->scaler;
    p->n = model_total_weight(data) - (double)prior_of->features;
    if (prior_of->features && !(p->n > 0.0))
        return cli_fail(why, "--prior flat: %lu weights, but only %.10g rows%s: no noise variance can be learnt",
                        (unsigned long)prior_of->features, model_total_weight(data), data->weight ? " (sum of --weights)" : "");
    const int determined = prior_check(prior_of, m->basis, &m->cols, data, why);
    if (determined != CLI_GOOD) return determined;
    const double began = progress_clock();
    bln_status status = bln_slm_create(&desc, &m->slm, &report);
    if (status == BLN_OK) status = bln_slm_fit(m->slm, data, &report);
    m->seconds = progress_clock() - began;
    progress_wipe(p);
    if (status == BLN_ENOTPD && prior_of->features && report.column < m->basis->D)
        return prior_explain(prior_of, m->basis, &m->cols, data, report.column, why);
    if (status != BLN_OK) return model_why(why, "the fit failed", status, &report);
    m->iterations = report.iterations;
    m->stop = (uint32_t)report.stop;
    return CLI_GOOD;
}

/* Standardised rows, from raw ones with an offset to be taken off first: learnt has y - offset, and no offset. Targets that stay as
 * they are keep their offset to the last, for the library's longer arithmetic. */
static bln_data model_scale(const model *m, const bln_data *raw, const bln_data *learnt, double *Z, double *t)
{
    bln_data data = model_view(m->basis, raw->n, raw->d, Z);
    bln_scaler_inputs(m->scaler, raw->n, raw->X, raw->d, Z, raw->d);
    data.weight = raw->weight;
    data.noise_var = raw->noise_var;
    data.y = t;
    if (m->scaled) bln_scaler_targets(m->scaler, raw->n, learnt->y, t);
    else {
        data.y = raw->y;
        data.offset = raw->offset;
    }
    return data;
}

/* With a basis: what is left to do. */
static int model_fit_basis(const options *o, const bln_data *raw, progress *p, model *m, cli_why *why)
{
    const size_t n = raw->n, d = raw->d;
    double *Z = (double *)cli_memory(n*(d + 2), sizeof(double)), *t = Z + n*d, *r = t + n;
    prior prior_of;
    bln_data learnt = *raw;
    learnt.y = r;
    learnt.offset = NULL;
    for (size_t i = 0; i < n; i++) r[i] = raw->y[i] - (raw->offset ? raw->offset[i] : 0.0);
    int status = prior_choose(o->flat, m->basis, &prior_of, why);
    m->scaled = !o->no_scale && prior_of.features < m->basis->D;
    if (!status) status = model_learn_scale(&learnt, m, why);
    if (!status) {
        const bln_data data = model_scale(m, raw, &learnt, Z, t);
        status = model_learn(o, &data, &prior_of, p, m, why);
    }
    prior_free(&prior_of);
    free(Z);
    return status;
}

int model_fit(const options *o, cli_columns *cols, const bln_data *rows, progress *p, model *out, cli_why *why)
{
    cli_shown shown;
    model m;
    memset(&m, 0, sizeof m);
    m.cols = *cols;
    memset(cols, 0, sizeof *cols);
    m.spec = cli_copy(o->basis);
    m.seed = o->seed;
    m.starts = o->starts;
    m.rows = rows->n;
    m.flat = (uint32_t)o->flat;
    m.input_mean = (double *)cli_memory(m.cols.d, sizeof(double));
    int status = CLI_GOOD;
    if (!(model_total_weight(rows) > 0.0))
        status = cli_fail(why, "column \"%s\" (--weights): all weights are 0", cli_show(&shown, m.cols.role[ROLE_WEIGHTS]));
    if (!status) status = model_make_basis(o, &m, why);
    if (!status) status = model_fit_basis(o, rows, p, &m, why);
    if (status) model_free(&m);
    else *out = m;
    return status;
}

int model_predict(const model *m, const bln_data *rows, double *mean, double *var_latent, double *var, cli_why *why)
{
    const size_t n = rows->n, d = m->cols.d;
    bln_report report;
    bln_report_clear(&report);
    double *Z = (double *)cli_memory(n*d, sizeof *Z);
    bln_scaler_inputs(m->scaler, n, rows->X, d, Z, d);
    bln_data data = model_view(bln_slm_basis(m->slm), n, d, Z);
    data.noise_var = rows->noise_var;
    const bln_status status = bln_slm_predict(m->slm, &data, mean, var_latent, var, NULL, &report);
    free(Z);
    if (status != BLN_OK) return model_why(why, "the prediction failed", status, &report);
    bln_scaler_means_back(m->scaler, n, mean, mean);
    bln_scaler_vars_back(m->scaler, n, var_latent, var_latent);
    bln_scaler_vars_back(m->scaler, n, var, var);
    for (size_t i = 0; i < n && rows->offset; i++) mean[i] += rows->offset[i];
    return CLI_GOOD;
}

void model_intervals(size_t n, const double *mean, const double *var, double p, double *lower, double *upper)
{
    bln_normal_intervals(n, mean, var, p, lower, upper);
    for (size_t i = 0; i < n; i++)
        if (var[i] == 0.0) lower[i] = upper[i] = mean[i];
}

int model_least_squares(const model *m)
{
    const size_t slices = bln_slm_basis(m->slm)->n_slices;
    size_t s = 0;
    while (s < slices && isinf(bln_slm_prior_var(m->slm)[s])) s++;
    return s == slices;
}
