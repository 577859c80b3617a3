/* glm: fits, and asks what was fitted; the way between the units of the data and those of the fit is as for the linear model */
#include "glm.h"
#include "chains.h"
#include "glm_options.h"
#include "output.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- before the fit ---- */

int glm_likelihood(const options *o, const cli_columns *c, const bln_data *rows, bln_likelihood *out, cli_why *why)
{
    double top = 0.0;
    if (glm_has_classes(o) > COLUMNS_TWO) return glm_find(o, c->n_classes, out, why);
    for (size_t i = 0; i < rows->n; i++) if (rows->y[i] > top) top = rows->y[i];
    if (strcmp(glm_name(o->likelihood), "ordinal")) return glm_find(o, 3, out, why);
    if (!(top < (double)BLN_LIKELIHOOD_THETA + 1.0))
        return cli_fail(why, "--likelihood ordinal: the target goes up to %g; categories are 0, 1, ..., at most %d", top,
                        (int)BLN_LIKELIHOOD_THETA);
    if (!o->categories && top < 1.0) return cli_fail(why, "--likelihood ordinal: there is one category only (--categories C)");
    return glm_find(o, o->categories ? o->categories : (size_t)top + 1, out, why);
}

int glm_check_rows(const bln_likelihood *l, const cli_columns *c, const csv_table *t, const size_t *at, const size_t *rows,
                   const bln_data *data, cli_why *why)
{
    bln_report report;
    const size_t trials = at[c->n + c->n_targets + ROLE_TRIALS];
    if (bln_likelihood_check_data(l, data, &report) != BLN_EDOMAIN) return CLI_GOOD;
    char what[320], *end = strstr(report.text, ", row ");
    if (CLI_NEVER(!end)) return CLI_GOOD;                 /* what is outside of its domain stands in a row, which the text has */
    *end = '\0';                                          /* the place is better known here */
    const int classes = trials == COLUMNS_NOWHERE && !strncmp(l->ops->name, "binomial", 8);
    snprintf(what, sizeof what, "does not suit %s: %.120s%s", l->ops->name, report.text,
             classes ? "; classes are two words or two numbers, and successes in several trials need --trials COL" : "");
    const int of_trials = trials != COLUMNS_NOWHERE && !strncmp(report.text, "trials", 6) + !strncmp(report.text, "exposure", 8);
    const size_t column = of_trials ? trials : at[c->n];
    return columns_complain(t, csv_at(t, rows[report.row], column), t->names[column].text, what, why);
}

int glm_scales_target(const model *m) { return m->scaled && (!m->likelihood.ops || glm_is_real(&m->likelihood)); }

/* ---- the fit ---- */

static bln_status glm_monitor(void *user, const bln_glm_progress *now)
{
    bln_slm_progress same;
    if (now->phase == BLN_GLM_SAMPLE) return progress_draws((progress *)user, now);
    memset(&same, 0, sizeof same);
    same.iteration = now->iteration;
    same.starts = 1;
    same.objective = now->objective;
    return progress_monitor(user, &same);
}

/* Below so many rows, if the features are not too many, hyper-parameters are integrated out by default. At their best values alone,
 * intervals of 95 % held the slope of a line in 85 to 94 % of sets of 8 and 30 rows, and 92 to 94 % of 100 (bench_families). */
enum { GLM_FEW = 200, GLM_FEATURES = 200, GLM_NARROW = 20 };

static int glm_integrates(const options *o, const bln_glm_desc *desc, double rows)
{
    bln_glm_desc d = *desc;
    d.method = bln_glm_integrated(NULL);
    if (!o->chosen || o->plug_in || o->prior != CLI_PRIOR_LEARN || rows >= GLM_FEW) return 0;
    const int can = desc->basis->D <= GLM_FEATURES && !bln_glm_check(&d);
    if (!can && rows < GLM_NARROW && !desc->likelihood.ops->latents)
        cli_note("with %.10g rows the best hyper-parameters are uncertain themselves, and intervals are narrow: --inference "
                 "integrated averages over them, where it can and there is time", rows);
    return can;
}

bln_glm_desc glm_desc(const options *o, const prior *prior_of, const model *m, progress *p)
{
    bln_glm_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.basis = m->basis;
    desc.likelihood = m->likelihood;
    if (!o->chosen) {
        desc.method.ops = o->method->ops;
        desc.method.own = o->own;
    }
    if (o->hyper && strcmp(o->method->name, "laplace")) desc.hyper = bln_glm_laplace();
    desc.per_weight = o->prior == CLI_PRIOR_EACH;
    desc.prior_var = prior_of->var;
    desc.no_hyper_prior = o->no_hyper_prior;
    desc.theta_sd = o->theta_sd;
    desc.seed = o->seed;
    desc.max_iterations = o->max_iterations;
    desc.tolerance = o->tolerance;
    desc.monitor = glm_monitor;
    desc.monitor_user = p;
    return desc;
}

/* If the mean of f is off by more than so many standard deviations, probabilities are off by more than the uncertainty of f changes
 * them. On real sets with linear features: pima 0.11, australian 0.20, where Laplace's method is as good as any; 3 events in 40
 * rows 0.32, with expected totals off by a tenth; two classes of iris 0.65. */
#define GLM_SHIFTED 0.3
#define GLM_STEEP   100.0           /* of an offset: no mean or odds of data is exp(100) times another */

static bln_status glm_write(void *user, const void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, (FILE *)user) == n ? BLN_OK : BLN_EIO;
}

/* --trace: all draws of the sampler as a table. */
static int glm_trace(const options *o, const bln_chains *all, cli_why *why)
{
    output out;
    const int status = output_open(o->trace, &out, why);
    if (status) return status;
    bln_writer w = bln_writer_over(glm_write, out.file);
    if (bln_chains_write_csv(all, &w) == BLN_OK) return output_close(&out, why);
    output_drop(&out);
    return cli_fail(why, "%s: could not be written", o->trace);
}

/* What is wrong with the sampler's draws, in one note, and their table, by the names that `diagnose` gives them. */
static int glm_tell_draws(const options *o, const model *m, cli_why *why)
{
    bln_chains *all = NULL;
    bln_diagnosis d;
    int status = chains_named(m, &all, why);
    if (!status && bln_chains_diagnose(all, NULL, &d, NULL) == BLN_OK && d.text[0]) {
        for (char *end = d.text; (end = strchr(end, '\n')) != NULL;) *end = end[1] ? ' ' : '\0';
        cli_note("%s", d.text);
    }
    if (!status && o->trace) status = glm_trace(o, all, why);
    bln_chains_free(all);
    return status;
}

/* The library's reason, and the option that helps. */
static int glm_failed(const options *o, const bln_data *data, const model *m, bln_status status, const bln_report *report,
                      cli_why *why)
{
    cli_shown shown;
    double most = 0.0;
    for (size_t i = 0; i < data->n && data->offset; i++) most = fmax(most, fabs(data->offset[i]));
    if (most > GLM_STEEP && !glm_is_real(&m->likelihood))
        return cli_fail(why, "the fit failed: %s. The offset is added to the %s as it is, and \"%s\" goes to %.5g: is "
                             "--offset 'log(%s)' meant?", report->text, glm_scale_name(m), cli_show(&shown, o->role[ROLE_OFFSET]),
                        most, shown.text);
    if (status == BLN_EUNDEFINED && o->prior == CLI_PRIOR_FLAT && strstr(report->text, "prior variances"))
        return cli_fail(why, "the fit failed: %s (without --prior flat they are learnt)", report->text);
    return model_why(why, "the fit failed", status, report);
}

/* Prior variances that are not learnt, again for each latent with priors of its own, to free; or NULL. */
static double *glm_priors(const prior *prior_of, const options *o, const model *m)
{
    const size_t n = o->prior == CLI_PRIOR_EACH ? m->basis->D : m->basis->n_slices;
    if (!prior_of->var || glm_latents(m) == 1 || glm_classes(m)) return NULL;
    double *var = (double *)cli_memory(glm_latents(m), n*sizeof *var);
    for (size_t k = 0; k < glm_latents(m); k++) memcpy(var + k*n, prior_of->var, n*sizeof *var);
    return var;
}

static bln_status glm_fit_once(const bln_glm_desc *desc, const bln_data *data, bln_glm **glm, bln_report *report)
{
    const bln_status status = bln_glm_create(desc, glm, report);
    return status == BLN_OK ? bln_glm_fit(*glm, data, report) : status;
}

/* A fit; where the mean has no bound, at the best hyper-parameters if the method is ours to choose. */
static bln_status glm_fit_sensibly(const options *o, bln_glm_desc *desc, const bln_data *data, double rows, bln_glm **glm,
                                   bln_report *report)
{
    const bln_glm_method plain = desc->method;
    const int few = glm_integrates(o, desc, rows);
    bln_report unused;
    int unbounded = 0;
    if (few) desc->method = bln_glm_integrated(NULL);
    bln_status status = glm_fit_once(desc, data, glm, report);
    if (status != BLN_OK || strcmp(bln_glm_method_name(*glm), "integrated")) return status;
    if (bln_glm_unbounded(*glm, data, &unbounded, &unused) != BLN_OK || !unbounded) return BLN_OK;
    if (!few) {
        cli_note("averaged over hyper-parameters the mean of the target has no bound here: read intervals, or leave --inference "
                 "integrated out");
        return BLN_OK;
    }
    cli_note("averaged over hyper-parameters, as with few rows, the mean of the target has no bound here: the best ones are taken "
             "(--plug-in)");
    bln_glm_free(*glm);
    *glm = NULL;
    desc->method = plain;
    return glm_fit_once(desc, data, glm, report);
}

int glm_learn(const options *o, const bln_data *data, const prior *prior_of, progress *p, model *m, cli_why *why)
{
    bln_glm_desc desc = glm_desc(o, prior_of, m, p);
    double *priors = glm_priors(prior_of, o, m);
    bln_report report;
    bln_report_clear(&report);
    if (priors) desc.prior_var = priors;
    const double rows = o->table_weight > 0.0 ? o->table_weight : model_total_weight(data);
    p->scaler = m->scaler;
    p->n = model_total_weight(data) - (double)prior_of->features;
    p->keeps = o->verb == VERB_FIT;                       /* of one fold of many, some draws are no answer */
    const bln_status status = glm_fit_sensibly(o, &desc, data, rows, &m->glm, &report);
    const int pressed = progress_ends(p);
    progress_wipe(p);
    free(priors);
    /* A feature with a flat prior is to blame. All latents have the same features, so that it is named as one of the first. */
    if (status == BLN_ENOTPD && CLI_ALWAYS(report.column < m->basis->D))
        return prior_explain(prior_of, m->basis, &m->cols, data, report.column, why);
    if (status != BLN_OK) return glm_failed(o, data, m, status, &report, why);
    m->iterations = report.iterations;
    m->stop = (uint32_t)report.stop;
    if (pressed) cli_note("stopped by Ctrl-C after %lu draws of each chain: the model is that of these draws",
                          (unsigned long)bln_chains_draws(bln_glm_chains(m->glm)));
    if (bln_glm_chains(m->glm) && glm_tell_draws(o, m, why)) return CLI_FAILED;
    if (report.mean_shift > GLM_SHIFTED && o->prior != CLI_PRIOR_FLAT)
        cli_note("Laplace's method misleads here: it takes the most probable f for its mean, which lies %.2g standard deviations "
                 "away; leave --inference laplace out", report.mean_shift);
    return CLI_GOOD;
}

/* A cut that never moved is one without a slope: adding to the constant and to all cuts changes nothing. */
static int glm_cut_held(const model *m)
{
    const double *variance = bln_glm_prior_var(m->glm), cut = bln_glm_likelihood_theta(m->glm)[0];
    bln_param p;
    int flat = 0;
    for (size_t s = 0; s < m->basis->n_slices; s++) flat = flat || variance[s] == HUGE_VAL;
    bln_likelihood_param(&m->likelihood, 0, 0.0, 1.0, &p);
    return flat && fabs(cut - p.start) <= 1e-9;
}

/* Are all targets of rows with a weight the same? */
static int glm_one_value(const bln_data *rows, double *value)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->weight && !(rows->weight[i] > 0.0)) continue;
        if (n++ && rows->y[i] != *value) return 0;
        *value = rows->y[i];
    }
    return n > 0;
}

/* If all targets are at an end of their range, only the prior keeps f from growing without end. */
static void glm_note_same(const model *m, const bln_data *rows)
{
    double y = 0.0;
    if (glm_is_real(&m->likelihood) || !glm_one_value(rows, &y)) return;
    if (glm_classes(m) == 2 && !m->likelihood.n_theta && glm_latents(m) == 1)
        cli_note("all rows are of one class (%s): the other is as improbable as the prior lets it be",
                 m->cols.n_classes ? m->cols.classes[y == 1.0] : y == 1.0 ? "1" : "0");
    else if (y == 0.0 && !glm_classes(m))
        cli_note("the target is 0 in all rows: the mean is as small as the prior lets it be");
}

/* Notes ordered categories that no row is in. */
static void glm_note_categories(const model *m, const bln_data *rows)
{
    char list[400] = "";
    size_t unseen = 0, least = 0;
    for (size_t k = 0; k <= m->likelihood.n_theta; k++) {
        size_t n = 0;
        for (size_t i = 0; i < rows->n; i++) n += rows->y[i] == (double)k;
        if (n) continue;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%lu", unseen ? ", " : "", (unsigned long)k);
        unseen++;
        least = least || k == 0;
    }
    if (unseen)
        cli_note("no row is in %s %s: how probable %s, only the priors say%s", unseen > 1 ? "the categories" : "category", list,
                 unseen > 1 ? "they are" : "it is", least ? " (categories are numbered from 0)" : "");
}

/* Laplace's method where hardly any row lies between two cuts: the mode is at the edge of a posterior that is no Gaussian. */
static void glm_note_separated(const model *m)
{
    enum { WIDE = 50 };                    /* the noise of f beside a cut has a standard deviation of 1.8 */
    const double *theta = bln_glm_likelihood_theta(m->glm);
    double widest = 0.0;
    for (size_t k = 1; k < m->likelihood.n_theta; k++) if (theta[k] > widest) widest = theta[k];
    if (!strcmp(bln_glm_method_name(m->glm), "laplace") && widest > WIDE)
        cli_note("cuts are up to %.3g log odds apart: the categories are all but separated, and Laplace's method is poor there "
                 "(--inference full)", widest);
}

void glm_notes(const model *m, const bln_data *rows)
{
    if (!m->glm) return;
    glm_note_same(m, rows);
    if (strcmp(m->likelihood.ops->name, "ordinal")) return;
    glm_note_categories(m, rows);
    glm_note_separated(m);
    if (glm_cut_held(m))
        cli_note("the first cut and the constant, whose prior is flat, say the same: the cut stays at %.4g, and the constant is "
                 "what it would be beside it (without one, as in linear:ones=0, the cut is learnt)",
                 bln_glm_likelihood_theta(m->glm)[0]);
}

/* ---- what kind of posterior ---- */

size_t glm_mixture(const model *m)
{
    const bln_posterior *q = model_posterior(m);
    const size_t K = q->n_groups*q->groups->K;
    return q->groups->ops == bln_kind_diagonal() || (q->groups->ops == bln_kind_point() && K > 1) ? K : 0;
}

size_t glm_draws(const model *m)
{
    return model_posterior(m)->groups->ops == bln_kind_point() ? glm_mixture(m) : GLM_DRAWS;
}

double glm_quantile(const model *m) { return m->glm ? m->likelihood.level : 0.0; }

int glm_is_point(const model *m)
{
    return model_posterior(m)->groups->ops == bln_kind_point() && !glm_mixture(m);
}

int glm_by_psis(const model *m, int by)
{
    return by == LOO_PSIS || glm_mixture(m) > 0 || model_posterior(m)->sites == BLN_SITES_NONE;
}

int glm_waic(const model *m, const bln_data *rows, bln_elpd *total, cli_why *why)
{
    const double weight = model_total_weight(rows), fitted = model_weight(m);
    bln_report report;
    if (fabs(weight - fitted) > 1e-9*fitted) return cli_fail(why, "--waic needs the table of the fit: its rows weigh %g, these %g",
                                                             fitted, weight);
    double *room = (double *)cli_memory(rows->n, (rows->d + 1)*sizeof *room);
    const bln_data data = model_view(m, rows, room);
    const bln_status status = bln_posterior_waic(model_posterior(m), &data, glm_draws(m), 0, NULL, NULL, total, &report);
    if (status == BLN_OK) total->elpd = bln_scaler_logp_back(m->scaler, total->rows, total->elpd);
    free(room);
    return status == BLN_OK ? CLI_GOOD : model_why(why, "--waic", status, &report);
}

int glm_class_probabilities(const model *m, const bln_data *rows, double *out, cli_why *why)
{
    const size_t n = rows->n, C = glm_classes(m);
    double *room = (double *)cli_memory(n, (rows->d + 3)*sizeof *room), *y = room + n*(rows->d + 1), *density = y + n;
    bln_report report;
    bln_status status = BLN_OK;
    bln_report_clear(&report);
    bln_data data = model_view(m, rows, room);
    data.weight = NULL;
    data.y = y;
    if (glm_latents(m) > 1) {
        data.y = NULL;
        status = bln_posterior_predict(model_posterior(m), &data, out, NULL, NULL, NULL, &report);
    } else for (size_t k = 0; k < C && status == BLN_OK; k++) {
        for (size_t i = 0; i < n; i++) y[i] = (double)k;
        status = bln_posterior_logdensities(model_posterior(m), &data, density, NULL, &report);
        for (size_t i = 0; i < n; i++) out[i*C + k] = exp(density[i]);
    }
    free(room);
    return status == BLN_OK ? CLI_GOOD : model_why(why, "the prediction failed", status, &report);
}

/* ---- what was learnt ---- */

size_t glm_latents(const model *m) { return bln_likelihood_latents(&m->likelihood); }

size_t glm_classes(const model *m)
{
    if (!m->likelihood.ops) return 0;
    if (bln_likelihood_classes(&m->likelihood)) return bln_likelihood_classes(&m->likelihood);
    if (!strcmp(m->likelihood.ops->name, "ordinal")) return m->likelihood.n_theta + 1;
    return !strncmp(m->likelihood.ops->name, "binomial", 8) && !m->cols.role[ROLE_TRIALS] ? 2 : 0;
}

double glm_parameter(const model *m, size_t k)
{
    const double value = bln_glm_likelihood_theta(m->glm)[k], sd = bln_scaler_sd(m->scaler, m->cols.d);
    const char *name = bln_likelihood_param_name(&m->likelihood, k);
    if (!strcmp(name, "noise variance")) return value*sd*sd;
    return strstr(name, "scale") || strstr(name, "noise sd") ? value*sd : value;
}

const char *glm_scale_name(const model *m)
{
    static const char *const known[][2] = {
        { "binomial_logit", "log odds" }, { "ordinal", "log odds" }, { "binomial_probit", "probit" },
        { "categorical", "log odds" }, { "categorical_reference", "log odds" },
        { "binomial_cloglog", "log rate" }, { "poisson_softplus", "f" }, { "poisson_logistic", "log odds" }
    };
    if (glm_is_real(&m->likelihood)) return m->cols.targets[0];
    for (size_t i = 0; i < sizeof known/sizeof *known; i++)
        if (!strcmp(m->likelihood.ops->name, known[i][0])) return known[i][1];
    return "log mean";
}

void glm_note_unseen(const model *m)
{
    if (m->glm && model_posterior(m)->groups->K > 1 && !strcmp(glm_scale_name(m), "log mean"))
        cli_note("mean and sd of a group that was not seen depend on the far tail of the prior of the sd of groups and may not "
                 "exist, as exp(f) grows so fast: look at lower and upper (help glm)");
}
