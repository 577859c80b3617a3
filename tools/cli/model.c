/* model: fitting in the units of the data. Predicting is in predictions.c, saving in model_file.c. */
#include "model_parts.h"
#include "choose.h"
#include "glm.h"
#include "glm_options.h"
#include "made.h"
#include "terms.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void model_free(model *m)
{
    bln_slm_free(m->slm);
    bln_slm_integrated_free(m->integrated);
    bln_glm_free(m->glm);
    bln_basis_free(m->basis);
    bln_scaler_free(m->scaler);
    bln_conformal_free(m->conformal);
    columns_free(&m->cols);
    free(m->spec);
    free(m->terms);
    free(m->useless);
    free(m->left_out);
    free(m->input_mean);
    free(m->target_mean);
    free(m->target_var);
    memset(m, 0, sizeof *m);
}

void model_typical(const model *m, double *x)
{
    made_part bad;
    size_t input;
    memcpy(x, m->input_mean, m->cols.d*sizeof *x);
    columns_set_groups(&m->cols, 1, x);
    made_fill(&m->cols, 1, x, &bad, &input);
}

/* Inputs that are the same in all rows that count. */
static char *model_useless(const bln_data *rows)
{
    char *useless = (char *)cli_memory(rows->d + 1, 1);
    size_t first = 0;
    while (rows->weight && first + 1 < rows->n && !(rows->weight[first] > 0.0)) first++;
    for (size_t j = 0; j < rows->d; j++) {
        size_t i = first + 1;
        while (i < rows->n && (rows->X[i*rows->d + j] == rows->X[first*rows->d + j] || (rows->weight && !(rows->weight[i] > 0.0))))
            i++;
        useless[j] = i >= rows->n;
    }
    return useless;
}

void model_note_constants(const cli_columns *c, size_t n, const double *X)
{
    cli_shown shown;
    cli_counted rows;
    for (size_t j = 0; j < c->d; j++) {
        size_t i = 1;
        while (i < n && X[i*c->d + j] == X[j]) i++;
        if (i >= n)
            cli_note("column \"%s\" is %g in %s: it tells nothing", cli_show(&shown, c->inputs[j]), X[j],
                     cli_all(&rows, n, "row"));
    }
}

int model_target(const model *m, const char *name, size_t *k, cli_why *why)
{
    cli_shown shown;
    *k = 0;
    if (!name && m->cols.n_targets > 1)
        return cli_misuse(why, "the model has several outputs: which is to be drawn? (--y %s)",
                          cli_show(&shown, m->cols.targets[0]));
    while (name && *k < m->cols.n_targets && strcmp(m->cols.targets[*k], name)) ++*k;
    return *k < m->cols.n_targets ? CLI_GOOD : cli_fail(why, "--y: the model has no target \"%s\"", cli_show(&shown, name));
}

int model_why(cli_why *why, const char *what, bln_status status, const bln_report *report)
{
    return cli_fail(why, "%s: %s", what, report->text[0] ? report->text : bln_status_text(status));
}

/* ---- either kind ---- */

const bln_posterior *model_posterior(const model *m)
{
    return m->glm ? bln_glm_posterior(m->glm) : m->integrated ? bln_slm_integrated_posterior(m->integrated)
                                                              : bln_slm_posterior(m->slm);
}

const bln_basis *model_basis(const model *m)
{
    if (m->basis) return m->basis;
    return m->glm ? bln_glm_basis(m->glm) : m->integrated ? bln_slm_integrated_basis(m->integrated) : bln_slm_basis(m->slm);
}

const double *model_theta(const model *m)
{
    if (m->glm) return bln_glm_theta(m->glm);
    return m->integrated ? bln_slm_integrated_theta(m->integrated) : bln_slm_theta(m->slm);
}

double model_weight(const model *m)
{
    if (m->glm) return bln_glm_rows(m->glm);
    return m->integrated ? bln_slm_integrated_rows(m->integrated) : bln_slm_rows(m->slm);
}

double model_evidence(const model *m)
{
    if (m->glm) return bln_glm_objective(m->glm);
    return m->integrated ? bln_slm_integrated_evidence(m->integrated) : bln_slm_evidence(m->slm);
}

double model_noise_sd(const model *m, size_t k)
{
    double var = 0.0, weight = 0.0, one = 0.0;
    if (!m->integrated) var = bln_slm_noise_cov(m->slm)[k*(m->cols.n_targets + 1)];
    else
        for (size_t i = 0; i < bln_slm_integrated_nodes(m->integrated); i++) {
            bln_slm_integrated_node(m->integrated, i, &weight, NULL, &one);
            var += weight*one;
        }
    return bln_scaler_sd(m->scaler, m->cols.d + k)*sqrt(var);
}

double model_noise_correlation(const model *m, size_t k, size_t l)
{
    const size_t P = m->cols.n_targets;
    const double *cov = bln_slm_noise_cov(m->slm), both = sqrt(cov[k*P + k])*sqrt(cov[l*P + l]);
    return both > 0.0 ? cov[k*P + l]/both : 0.0;
}

size_t model_priors(const model *m)
{
    if (!m->glm) return bln_slm_priors(m->slm);
    return m->prior == CLI_PRIOR_EACH ? model_basis(m)->D : model_basis(m)->n_slices;
}

size_t model_tables(const model *m) { return m->glm && !glm_classes(m) ? glm_latents(m) : 1; }

double model_prior_var(const model *m, size_t j)
{
    const bln_basis *b = model_basis(m);
    const size_t k = j/b->D;
    const int each = model_priors(m) == b->D;
    size_t s = 0;
    j %= b->D;
    while (!each && bln_basis_slice(b, s + 1) <= j) s++;
    return (m->glm ? bln_glm_prior_var(m->glm) : bln_slm_prior_var(m->slm))[k*model_priors(m) + (each ? j : s)];
}

int model_flat(const model *m, size_t s)
{
    if (!m->integrated) return isinf(model_prior_var(m, bln_basis_slice(model_basis(m), s))) != 0;
    double weight, noise, *ratio = (double *)cli_memory(model_basis(m)->n_slices, sizeof *ratio);
    bln_slm_integrated_node(m->integrated, 0, &weight, ratio, &noise);
    const int flat = isinf(ratio[s]) != 0;
    free(ratio);
    return flat;
}

int model_least_squares(const model *m)
{
    const size_t slices = model_basis(m)->n_slices;
    size_t s = 0;
    while (s < slices && model_flat(m, s)) s++;
    return s == slices;
}

/* A basis that reads no inputs has d = 0, however many the table has. One that is yet to be chosen (NULL) may read all of them. */
bln_data model_view(const model *m, const bln_data *rows, double *room)
{
    const size_t n = rows->n, d = rows->d, P = m->cols.n_targets;
    const bln_basis *b = model_basis(m);
    double *t = room + n*d;
    bln_data data = *rows;
    data.d = !b || b->d ? d : 0;
    data.ldx = d;
    data.X = room;
    bln_scaler_inputs(m->scaler, n, rows->X, d, room, d);
    columns_keep_groups(&m->cols, n, rows->X, d, room);
    if (!glm_scales_target(m)) return data;
    data.offset = NULL;
    if (!rows->y) return data;
    for (size_t i = 0; i < n*P; i++) t[i] = rows->y[i] - (rows->offset ? rows->offset[i] : 0.0);
    bln_scaler_targets(m->scaler, n, t, t);
    data.y = t;
    return data;
}

void model_back(const model *m, const bln_data *rows, double *value)
{
    bln_scaler_means_back(m->scaler, rows->n, value, value);
    for (size_t i = 0; i < rows->n && glm_scales_target(m) && rows->offset; i++) value[i] += rows->offset[i];   /* of one target */
}

/* ---- fitting ---- */

/* Sums of squares overflow, and scaling does not help: names the column with the largest number, for the user to look at. */
static int model_overflow(const bln_data *rows, const cli_columns *c, int no_scale, cli_why *why)
{
    double largest = 0.0;
    const char *name = c->targets[0];
    cli_shown shown;
    for (size_t i = 0; i < rows->n; i++) {
        for (size_t j = 0; j < rows->d; j++)
            if (fabs(rows->X[i*rows->d + j]) > largest) { largest = fabs(rows->X[i*rows->d + j]); name = c->inputs[j]; }
        for (size_t k = 0; k < c->n_targets; k++) {
            const double y = fabs(rows->y[i*c->n_targets + k]);
            if (y > largest) { largest = y; name = c->targets[k]; }
        }
    }
    return cli_fail(why, "the fit failed: squares or products of the numbers overflow or vanish. The largest is %.3g, in column "
                         "\"%s\": write such a column in another unit%s", largest, cli_show(&shown, name),
                    no_scale ? ", or leave --no-scale out" : "");
}

int model_learn_scale(const bln_source *raw, size_t n, const bln_data *some, model *m, cli_why *why)
{
    bln_report report;
    cli_counted rows;
    const size_t d = raw->d;
    bln_report_clear(&report);
    bln_status status = bln_scaler_create_source(NULL, raw, &m->scaler, &report);
    if (status == BLN_ENUMERIC || status == BLN_EDATA) return model_overflow(some, &m->cols, !m->scaled, why);
    if (status != BLN_OK) return model_why(why, "mean and standard deviation of the columns", status, &report);
    for (size_t j = 0; j < d; j++) m->input_mean[j] = bln_scaler_mean(m->scaler, j);
    for (size_t k = 0; k < m->cols.n_targets; k++) {
        const double sd = bln_scaler_constant(m->scaler, d + k) ? 0.0 : bln_scaler_sd(m->scaler, d + k);
        cli_shown shown;
        m->target_mean[k] = bln_scaler_mean(m->scaler, d + k);
        m->target_var[k] = sd*sd;
        if (sd > 0.0 && !(1e-10*sd*sd >= DBL_MIN && sd*sd <= 1e300))
            return cli_fail(why, "the standard deviation of the target \"%s\" is %.3g, whose square is no good number: write it in "
                                 "another unit", cli_show(&shown, m->cols.targets[k]), sd);
        if (sd == 0.0)
            return cli_fail(why, "the target \"%s\"%s is %g in %s: there is nothing to learn",
                            cli_show(&shown, m->cols.targets[k]), m->cols.role[ROLE_OFFSET] ? " without its offset" : "",
                            m->target_mean[k], cli_all(&rows, n, "training row"));
    }
    return CLI_GOOD;
}

int model_use_scale(model *m, cli_why *why)
{
    const bln_report none = BLN_ZERO;
    if (m->scaled) return CLI_GOOD;
    bln_scaler_free(m->scaler);
    m->scaler = NULL;
    const bln_status status = bln_scaler_identity(NULL, m->cols.d, m->cols.n_targets, &m->scaler);
    return status == BLN_OK ? CLI_GOOD : model_why(why, "a model without standardising", status, &none);
}

/* Makes the basis of m->terms. rows: in the model's units, for terms that choose points from them; their X is NULL while only the
 * features are looked at; rows is NULL if they are not in memory together. */
static int model_parse(const options *o, const bln_data *rows, model *m, cli_why *why)
{
    bln_spec_desc desc;
    bln_report report;
    memset(&desc, 0, sizeof desc);
    bln_report_clear(&report);
    desc.text = m->terms;
    desc.d = m->cols.d;
    desc.seed = o->seed;
    desc.rows = rows;
    size_t inputs = 0;
    bln_group_desc *groups = (bln_group_desc *)cli_memory(m->cols.d, sizeof *groups);
    for (size_t i = 0; i < m->cols.n; i++) {
        const cli_column *one = &m->cols.column[i];
        inputs += !one->group;
        if (!one->group) continue;
        groups[one->first].n = one->n_words;
        groups[one->first].names = (const char *const *)one->words;
    }
    desc.groups = groups;
    bln_basis_free(m->basis);
    m->basis = NULL;
    const bln_status made = bln_basis_parse(&desc, &m->basis, &report);
    free(groups);
    if (inputs == 0 && made == BLN_EINVAL && m->cols.n)
        return cli_misuse(why, "--basis \"%s\": %s: there are no columns but those of by=; bias+group:by=%s needs no others",
                          m->terms, report.text, m->cols.column[0].name);
    if (made == BLN_EINVAL || made == BLN_EUNKNOWN) return cli_misuse(why, "--basis \"%s\": %s", m->terms, report.text);
    return made == BLN_OK ? CLI_GOOD : model_why(why, "--basis", made, &report);
}

void model_take_choices(const options *o, model *m)
{
    m->optimiser = (uint32_t)o->optimiser;
    m->residual = (uint32_t)o->residual;
    m->noise = (uint32_t)o->noise;
}

int model_check_choices(const model *m, int theta_stays, cli_why *why)
{
    const bln_basis *b = model_basis(m);
    const int learns = b->n_theta > 0 && !theta_stays;
    const char *rule = options_word(CHOICE_OPTIMISER, m->optimiser);
    int misses = 0;
    for (size_t s = 0; s < b->n_slices; s++) misses = misses || bln_basis_variance(b, s) > 0.0;
    if (m->arithmetic == BLN_SLM_EXACT && learns)
        return cli_misuse(why, "--arithmetic exact is for bases without parameters to learn; take qr");
    if (m->optimiser != BLN_SLM_LBFGS && learns)
        return cli_misuse(why, "--optimiser %s learns variances alone, and the basis has parameters to learn; take lbfgs", rule);
    if (m->optimiser != BLN_SLM_LBFGS && misses && m->residual == BLN_SLM_VARIATIONAL && m->prior != CLI_PRIOR_EACH)
        return cli_misuse(why, "--optimiser %s does not climb the bound of inducing points: add --residual ignored", rule);
    if (m->residual != BLN_SLM_VARIATIONAL && !misses)
        return cli_misuse(why, "--residual is about inducing points, and the basis has none");
    return CLI_GOOD;
}

/* What the prior variances of a linear model are, by --prior. */
static prior_kind model_prior_kind(const model *m, uint32_t choice, int integrate)
{
    const bln_basis *b = model_basis(m);
    const size_t last = bln_basis_slice(b, b->n_slices - 1);
    char name[8] = "";
    if (last + 1 == b->D) bln_basis_feature_name(b, last, NULL, name, sizeof name);
    return choice == CLI_PRIOR_FLAT ? PRIOR_FLAT : strcmp(name, "1") ? PRIOR_LEARN : integrate ? PRIOR_LAST_FLAT
         : m->scaled ? PRIOR_LAST_WIDE : PRIOR_LEARN;
}

int model_choose_prior(const model *m, uint32_t choice, int integrate, prior *out, cli_why *why)
{
    return prior_choose(model_prior_kind(m, choice, integrate), m->basis, choice == CLI_PRIOR_EACH ? m->basis->D
                        : m->basis->n_slices, m->cols.n_targets > 1, out, why);
}

int model_given(const model *m, size_t s)
{
    return s + 1 == model_basis(m)->n_slices && m->slm && model_prior_kind(m, m->prior, 0) == PRIOR_LAST_WIDE;
}

int model_make_basis(const options *o, size_t at_hand, model *m, prior *prior_of, cli_why *why)
{
    char *apart = NULL;
    bln_data counted;
    const bln_data *rows = at_hand && m->cols.d ? &counted : NULL;
    memset(&counted, 0, sizeof counted);
    counted.n = at_hand;
    counted.d = m->cols.d;
    terms_coding coding;
    coding.flat = o->prior == CLI_PRIOR_FLAT;
    coding.useless = m->useless;
    coding.left_out = NULL;
    int status = terms_resolve(m->spec, &m->cols, &coding, &m->terms, why);
    if (status) return status;
    free(m->left_out);
    m->left_out = coding.left_out;
    status = model_parse(o, rows, m, why);
    const prior_kind whole = o->prior == CLI_PRIOR_FLAT ? PRIOR_FLAT : PRIOR_LEARN;
    if (!status) status = prior_choose(whole, m->basis, m->basis->n_slices, 0, prior_of, why);
    if (!status) status = prior_check_each(o->prior == CLI_PRIOR_EACH, m->basis, why);
    m->scaled = !status && !o->no_scale && prior_of->features < m->basis->D;
    if (!status && !o->glm && (m->scaled || o->integrate) && prior_of->features < m->basis->D) {
        terms_intercept_apart(m->terms, (int)m->scaled, &apart);
        prior_free(prior_of);
        free(m->terms);
        m->terms = apart;
        status = model_parse(o, rows, m, why);
        if (!status) status = model_choose_prior(m, (uint32_t)o->prior, o->integrate, prior_of, why);
    }
    if (!status) status = model_check_choices(m, o->verb == VERB_STATS, why);
    return status;
}

int model_choose_points(const options *o, const bln_data *rows, model *m, cli_why *why)
{
    return rows->d ? model_parse(o, rows, m, why) : CLI_GOOD;
}

double model_total_weight(const bln_data *data)
{
    double total = 0.0;
    if (!data->weight) return (double)data->n;
    for (size_t i = 0; i < data->n; i++) total += data->weight[i];
    return total;
}

int model_enough(const prior *prior_of, double rows, const model *m, cli_why *why)
{
    cli_counted weights;
    if (prior_of->features && !(rows > (double)prior_of->features))
        return cli_fail(why, "%s with a flat prior, but only %.10g row%s%s: no noise variance can be learnt",
                        cli_count(&weights, prior_of->features, "weight"), rows, rows == 1.0 ? "" : "s",
                        m->cols.role[ROLE_WEIGHTS] ? " (sum of --weights)" : "");
    return CLI_GOOD;
}

int model_failed(bln_status status, const bln_report *report, const bln_data *data, const prior *prior_of, const model *m,
                 const bln_data *raw, cli_why *why)
{
    /* Without flat priors the search takes a matrix that has no factor for a bad point, and ends with another status. */
    if (status == BLN_ENOTPD && CLI_ALWAYS(report->column < m->basis->D))
        return prior_explain(prior_of, m->basis, &m->cols, data, report->column, why);
    if (status == BLN_ENUMERIC) return model_overflow(raw, &m->cols, !m->scaled, why);
    if (status == BLN_EUNDEFINED && report->column != BLN_NONE) {                /* d + k: target k of several */
        cli_shown shown;
        return cli_fail(why, "the fit failed, for the target \"%s\": %s",
                        cli_show(&shown, m->cols.targets[report->column - data->d]), report->text);
    }
    return model_why(why, "the fit failed", status, report);
}

void model_note_bound(const bln_report *report)
{
    if (report->stop == BLN_STOP_BOUND) cli_note("the search stopped at a bound: %s", report->text + strlen("slm: "));
}

bln_slm_desc model_desc(const options *o, const model *m, const prior *prior_of, size_t n, double weight, progress *p)
{
    bln_slm_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.basis = m->basis;
    desc.n_outputs = m->cols.n_targets;
    desc.starts = o->starts;
    desc.seed = o->seed;
    desc.max_iterations = o->max_iterations;
    desc.tolerance = o->tolerance;
    desc.theta_sd = o->theta_sd;
    desc.per_weight = o->prior == CLI_PRIOR_EACH;
    if (o->no_hyper_prior) desc.relevance = BLN_SLM_RELEVANCE_NONE;
    desc.prior_var = prior_of->var;
    desc.fix_given_var = prior_of->var != NULL;
    desc.arithmetic = prior_arithmetic(prior_of, m->basis, n, m->arithmetic);
    desc.optimiser = (bln_slm_optimiser)m->optimiser;
    desc.residual = (bln_slm_residual)m->residual;
    desc.sigma = (bln_slm_sigma)m->noise;
    desc.relative_prior = m->cols.n_targets > 1;
    desc.monitor = progress_monitor;
    desc.monitor_user = p;
    p->scaler = m->scaler;
    p->n = weight - (double)prior_of->features;
    return desc;
}

/* data: scaled. prior: of the slices. */
static int model_learn(const options *o, const bln_data *data, const bln_data *raw, const prior *prior_of, progress *p, model *m,
                       cli_why *why)
{
    bln_report report;
    bln_report_clear(&report);
    const bln_slm_desc desc = model_desc(o, m, prior_of, data->n, model_total_weight(data), p);
    bln_status status = bln_slm_create(&desc, &m->slm, &report);
    if (status == BLN_OK) status = bln_slm_fit(m->slm, data, &report);
    progress_wipe(p);
    if (status != BLN_OK) return model_failed(status, &report, data, prior_of, m, raw, why);
    m->iterations = report.iterations;
    m->stop = (uint32_t)report.stop;
    model_note_bound(&report);
    return CLI_GOOD;
}

/* Basis parameters as model_learn finds them; noise and ratios integrated out. */
static int model_integrate(const options *o, const bln_data *data, const bln_data *raw, const prior *prior_of, progress *p,
                           model *m, cli_why *why)
{
    bln_slm_integrated_desc desc;
    bln_report report;
    int status = prior_can_integrate(prior_of, m->basis, why);
    if (!status && m->basis->n_theta) status = model_learn(o, data, raw, prior_of, p, m, why);
    if (status) return status;
    memset(&desc, 0, sizeof desc);
    bln_report_clear(&report);
    desc.basis = m->basis;
    desc.theta = m->slm ? bln_slm_theta(m->slm) : NULL;
    desc.ratio = prior_of->var;
    desc.arithmetic = prior_arithmetic(prior_of, m->basis, data->n, m->arithmetic);
    bln_status got = bln_slm_integrated_create(&desc, &m->integrated, &report);
    if (got == BLN_OK) got = bln_slm_integrated_fit(m->integrated, data, &report);
    if (got != BLN_OK) return model_failed(got, &report, data, prior_of, m, raw, why);
    bln_slm_free(m->slm);
    m->slm = NULL;
    return CLI_GOOD;
}

/* Counts and classes are not scaled. Their mean and variance are kept to recognise later which rows the model was fitted to. */
static void model_know_target(const bln_data *raw, model *m)
{
    double mean = 0.0, var = 0.0;
    const double total = model_total_weight(raw);
    for (size_t i = 0; i < raw->n; i++) mean += raw->y[i]*(raw->weight ? raw->weight[i] : 1.0)/total;
    for (size_t i = 0; i < raw->n; i++)
        var += (raw->y[i] - mean)*(raw->y[i] - mean)*(raw->weight ? raw->weight[i] : 1.0)/total;
    m->target_mean[0] = mean;
    m->target_var[0] = var > 0.0 ? var : 1.0;
}

int model_see(const options *o, const bln_data *raw, model *m, model_rows *out, cli_why *why)
{
    const size_t n = raw->n, P = m->cols.n_targets;
    out->room = (double *)cli_memory(n, (raw->d + 2*P)*sizeof(double));
    double *r = out->room + n*(raw->d + P);
    out->learnt = *raw;
    out->learnt.y = o->glm && !glm_is_real(&m->likelihood) ? NULL : r;         /* whole numbers are not scaled */
    out->learnt.offset = NULL;
    for (size_t i = 0; i < n*P; i++) r[i] = raw->y[i] - (raw->offset ? raw->offset[i] : 0.0);
    bln_data_reader reader;
    const bln_source source = bln_source_of(&out->learnt, &reader);
    bln_scaler_free(m->scaler);
    m->scaler = NULL;
    int status = model_learn_scale(&source, n, &out->learnt, m, why);
    if (!status && !out->learnt.y) model_know_target(raw, m);
    if (!status) status = model_use_scale(m, why);
    if (!status) out->seen = model_view(m, raw, out->room);
    return status;
}

/* The rest of the fit, once there is a basis. It is made again when the rows are scaled: some bases choose points from them. */
static int model_fit_basis(const options *o, const bln_data *raw, const prior *prior_of, progress *p, model *m, cli_why *why)
{
    model_rows rows;
    int status = model_see(o, raw, m, &rows, why);
    if (!status) {
        const bln_data *data = &rows.seen;
        const double began = system_clock();
        status = model_choose_points(o, data, m, why);
        if (!status && !o->glm) status = model_enough(prior_of, model_total_weight(data), m, why);
        if (!status) status = prior_check(prior_of, m->basis, &m->cols, data, o->glm ? BLN_SLM_DOUBLE : m->arithmetic, why);
        if (!status && o->glm) status = glm_learn(o, data, prior_of, p, m, why);
        else if (!status) status = (o->integrate ? model_integrate : model_learn)(o, data, &rows.learnt, prior_of, p, m, why);
        m->seconds += system_clock() - began;
    }
    free(rows.room);
    return status;
}

int model_begin(const options *o, cli_columns *cols, size_t n, double weight, model *out, cli_why *why)
{
    cli_shown shown;
    model m;
    memset(&m, 0, sizeof m);
    m.cols = *cols;
    memset(cols, 0, sizeof *cols);
    m.spec = cli_copy(o->basis ? o->basis : "auto");
    m.seed = o->seed;
    m.starts = o->starts;
    m.rows = n;
    m.prior = (uint32_t)o->prior;
    m.arithmetic = (uint32_t)o->arithmetic;
    model_take_choices(o, &m);
    m.input_mean = (double *)cli_memory(m.cols.d, sizeof(double));
    m.target_mean = (double *)cli_memory(m.cols.n_targets, sizeof(double));
    m.target_var = (double *)cli_memory(m.cols.n_targets, sizeof(double));
    *out = m;
    if (weight > 0.0) return CLI_GOOD;
    return cli_fail(why, "column \"%s\" (--weights): all weights are 0", cli_show(&shown, m.cols.role[ROLE_WEIGHTS]));
}

/* Below so many rows noise and prior variances are integrated by default, if they are few, the features are, and nothing was asked
 * for that takes variances which are learnt. With the best ones in their place intervals of 95 % held 80 to 85 % of new points
 * beside a line through 5 rows, 86 to 92 % of 8 and 12, and 92 to 94 % of 20 (bench_coverage). */
enum { MODEL_FEW = 30, MODEL_FEATURES = 60 };

static int model_wants_integrated(const options *o, size_t n, const model *m)
{
    const int conflict = o->loo || o->calibrate || o->optimiser || o->residual || o->prior != CLI_PRIOR_LEARN
                      || m->cols.n_targets > 1;
    cli_counted counted;
    if (o->glm || o->plug_in || o->integrate || (o->table_rows > 0.0 ? o->table_rows : (double)n) >= MODEL_FEW) return 0;
    if (o->verb == VERB_FIT && (o->prior == CLI_PRIOR_FLAT || o->loo))
        cli_note("with %s and %s intervals are those of a known noise, which is narrow: --integrate gives Student's t (help few)",
                 cli_count(&counted, n, "row"), o->prior == CLI_PRIOR_FLAT ? "--prior flat" : "--loo");
    return !conflict;
}

/* The basis, and into *how the options with --integrate, if that is wanted and can be. */
static int model_make_either(const options *o, size_t n, model *m, prior *prior_of, options *how, cli_why *why)
{
    cli_why unused;
    cli_counted counted;
    *how = *o;
    if (model_wants_integrated(o, n, m)) how->integrate = 1;
    const int status = model_make_basis(how, n, m, prior_of, why);
    if (status || how->integrate == o->integrate) return status;
    if (m->basis->D <= MODEL_FEATURES && prior_can_integrate(prior_of, m->basis, &unused) == CLI_GOOD) return CLI_GOOD;
    cli_note("with %s nobody knows noise and prior variances well, and intervals are narrow: only up to three prior "
             "variances and %d features can be averaged over (help few)", cli_count(&counted, n, "row"), (int)MODEL_FEATURES);
    *how = *o;
    prior_free(prior_of);
    free(m->terms);
    m->terms = NULL;
    return model_make_basis(o, n, m, prior_of, why);
}

/* Is input i an indicator, or a product that contains one? */
static int model_indicates(const cli_columns *c, size_t i)
{
    made_part part[MADE_PARTS];
    size_t column, word, k = 0;
    const size_t n = made_parts(c, i, part);
    while (k < n && !made_indicator(c, part[k].input, &column, &word)) k++;
    return k < n;
}

/* Indicators with a flat prior that are linear functions of the features before them, as in tables with empty cells, are left out;
 * R gives them NA. */
static int model_leave_dependent(const options *o, const bln_data *rows, model *m, prior *prior_of, cli_why *why)
{
    enum { MOST = 1000 };
    const cli_columns *c = &m->cols;
    const bln_basis *b = m->basis;
    char name[200];
    size_t left = 0, j = 0;
    if (o->prior != CLI_PRIOR_FLAT || b->D > MOST || rows->n < prior_of->features) return CLI_GOOD;
    while (j < c->d && !model_indicates(c, j)) j++;
    if (j == c->d) return CLI_GOOD;
    char *dependent = (char *)cli_memory(b->D, 1);
    prior_dependent(prior_of, b, rows, dependent);
    for (j = 0; j < b->D; j++) {
        size_t i = 0;
        if (!dependent[j]) continue;
        bln_basis_feature_name(b, j, (const char *const *)c->inputs, name, sizeof name);
        while (i < c->d && (strcmp(c->inputs[i], name) || !model_indicates(c, i))) i++;
        if (i == c->d) continue;
        cli_note("--prior flat: \"%s\" is a combination of the features before it, and is left out", name);
        m->useless[i] = 1;
        left++;
    }
    free(dependent);
    if (!left) return CLI_GOOD;
    prior_free(prior_of);
    free(m->terms);
    m->terms = NULL;
    return model_make_basis(o, rows->n, m, prior_of, why);
}

int model_fit(const options *o, cli_columns *cols, const bln_data *rows, progress *p, model *out, cli_why *why)
{
    prior prior_of;
    model m;
    memset(&prior_of, 0, sizeof prior_of);
    int status = model_begin(o, cols, rows->n, model_total_weight(rows), &m, why);
    if (!status && o->glm) status = glm_likelihood(o, &m.cols, rows, &m.likelihood, why);
    options how;
    if (!status) m.useless = model_useless(rows);
    if (!status && choose_is_asked(o)) status = choose_basis(o, rows, p, &m, why);
    if (!status) status = model_make_either(o, rows->n, &m, &prior_of, &how, why);
    if (!status) status = model_leave_dependent(&how, rows, &m, &prior_of, why);
    if (!status) status = model_fit_basis(&how, rows, &prior_of, p, &m, why);
    prior_free(&prior_of);
    if (status) model_free(&m);
    else *out = m;
    return status;
}
