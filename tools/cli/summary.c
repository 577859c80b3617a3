/* summary: figures in the units of the data where they have any */
#include "summary.h"
#include "calibrate.h"
#include "classes.h"
#include "glm.h"
#include "glm_options.h"
#include "integrated.h"
#include "made.h"
#include "number.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SUMMARY_NAME = 200 };

/* "\1<number>\1" for each input, to free in one: names that no column has, by which a parameter tells which input is its own. */
static const char **summary_marks(size_t d)
{
    enum { MARK = 24 };
    const char **marks = (const char **)cli_memory(d, sizeof *marks + MARK);
    char *text = (char *)(void *)(marks + d);
    for (size_t i = 0; i < d; i++, text += MARK) {
        snprintf(text, MARK, "\1%lu\1", (unsigned long)i);
        marks[i] = text;
    }
    return marks;
}

/* Which input does this parameter belong to? BLN_NONE: to none. */
static size_t summary_input_of(const model *m, const bln_basis *basis, size_t k, const char *const *marks)
{
    char name[SUMMARY_NAME];
    bln_basis_param_name(basis, k, marks, name, sizeof name);
    const char *mark = strchr(name, 1);
    const size_t input = mark ? (size_t)strtoul(mark + 1, NULL, 10) : BLN_NONE;
    if (input != BLN_NONE) return input;
    return m->cols.d == 1 ? 0 : BLN_NONE;
}

/* The factor that converts parameter k to the units of the data; 0: it has no such units. */
static double summary_unit_of(const model *m, const bln_basis *basis, size_t k, const char *const *marks)
{
    char name[SUMMARY_NAME];
    bln_basis_param_name(basis, k, (const char *const *)m->cols.inputs, name, sizeof name);
    const int wave = strstr(name, "angular frequency") != NULL;
    const size_t input = wave || strstr(name, "length scale") ? summary_input_of(m, basis, k, marks) : BLN_NONE;
    if (!m->scaled) return 1.0;
    if (input == BLN_NONE) return 0.0;
    return wave ? 1.0/bln_scaler_sd(m->scaler, input) : bln_scaler_sd(m->scaler, input);
}

double summary_unit(const model *m, size_t k)
{
    const char **marks = summary_marks(m->cols.d);
    const double unit = summary_unit_of(m, model_basis(m), k, marks);
    free((void *)marks);
    return unit;
}

static void summary_parameter(const model *m, const bln_basis *basis, size_t k, const char *const *marks, const cli_answer *to)
{
    char name[SUMMARY_NAME];
    const double value = model_theta(m)[k], unit = summary_unit_of(m, basis, k, marks);
    bln_basis_param_name(basis, k, (const char *const *)m->cols.inputs, name, sizeof name);
    json_object(to->json, NULL);
    json_text(to->json, "name", name);
    cli_clean(name);
    const int wide = cli_bytes(name, 40);
    if (!m->scaled) say(to, "  %-*s %.5g\n", wide, name, value);
    else if (unit == 0.0) say(to, "  %-*s %.5g standardised\n", wide, name, value);
    else say(to, "  %-*s %.5g  (%.4g standardised)\n", wide, name, value*unit, value);
    json_number(to->json, "value", unit == 0.0 ? value : value*unit);
    json_text(to->json, "units", unit == 0.0 ? "standardised" : "data");
    json_number(to->json, "fitted", value);
    json_end(to->json);
}

static void summary_parameters(const model *m, const bln_basis *basis, const cli_answer *to)
{
    const char **marks = summary_marks(m->cols.d);
    if (basis->n_theta) say(to, "basis parameters\n");
    json_array(to->json, "parameters");
    for (size_t k = 0; k < basis->n_theta; k++) summary_parameter(m, basis, k, marks, to);
    json_end(to->json);
    free((void *)marks);
}

/* A prior variance that weights of table k share. */
static void summary_prior(const model *m, const bln_basis *basis, size_t k, size_t s, double unit, const cli_answer *to)
{
    char name[SUMMARY_NAME];
    const double sd = unit*sqrt(model_prior_var(m, k*basis->D + bln_basis_slice(basis, s)));
    const int flat = model_flat(m, s), given = model_given(m, s);
    made_slice_name(&m->cols, basis, s, name, sizeof name);
    json_object(to->json, NULL);
    if (model_tables(m) > 1) json_text(to->json, "of", bln_likelihood_latent_name(&m->likelihood, k));
    json_text(to->json, "term", name);
    json_text(to->json, "kind", flat ? "flat" : given ? "given" : "learnt");
    json_count(to->json, "weights", bln_basis_slice(basis, s + 1) - bln_basis_slice(basis, s));
    json_number(to->json, "sd", sd);
    json_end(to->json);
    cli_clean(name);
    if (flat) say(to, "  %-*s flat\n", cli_bytes(name, 40), name);
    else say(to, "  %-*s %.5g%s\n", cli_bytes(name, 40), name, sd, given ? "  (given, not learnt)" : "");
}

/* --prior each: how many weights of each slice the data determine (the sum of gamma, MacKay's count), and the widest prior. */
static void summary_each(const model *m, const bln_basis *basis, size_t k, double unit, const cli_answer *to)
{
    char name[SUMMARY_NAME];
    double *gamma = (double *)cli_memory(basis->D, sizeof *gamma);
    const int known = !m->glm && bln_slm_relevance(m->slm, gamma, NULL, NULL) == BLN_OK;
    for (size_t s = 0; s < basis->n_slices; s++) {
        const size_t first = bln_basis_slice(basis, s), end = bln_basis_slice(basis, s + 1);
        if (model_given(m, s)) { summary_prior(m, basis, k, s, unit, to); continue; }
        double widest = 0.0, determined = 0.0;
        for (size_t j = first; j < end; j++) {
            const double sd = unit*sqrt(model_prior_var(m, k*basis->D + j));
            if (sd > widest) widest = sd;
            determined += gamma[j];
        }
        made_slice_name(&m->cols, basis, s, name, sizeof name);
        json_object(to->json, NULL);
        if (model_tables(m) > 1) json_text(to->json, "of", bln_likelihood_latent_name(&m->likelihood, k));
        json_text(to->json, "term", name);
        json_text(to->json, "kind", "each");
        json_count(to->json, "weights", end - first);
        json_number(to->json, "widest", widest);
        if (known) json_number(to->json, "determined", determined);
        json_end(to->json);
        cli_clean(name);
        say(to, "  %-*s one for each of %lu, up to %.5g", cli_bytes(name, 40), name, (unsigned long)(end - first), widest);
        if (known) say(to, "  (%.3g weights determined)", determined);
        say(to, "\n");
    }
    free(gamma);
}

/* Of several targets prior variances are in units of the noise variances. */
static void summary_priors(const model *m, const bln_basis *basis, const cli_answer *to)
{
    cli_shown target;
    const int several = m->cols.n_targets > 1;
    const double unit = several ? 1.0 : bln_scaler_sd(m->scaler, m->cols.d);
    say(to, "prior sd of the weights, in units of %s%s\n",
        several ? "the noise sd" : cli_show(&target, m->glm ? glm_scale_name(m) : m->cols.targets[0]),
        m->scaled ? " (inputs standardised)" : "");
    json_text(to->json, "prior_units", several ? "noise sd" : m->glm ? glm_scale_name(m) : m->cols.targets[0]);
    json_array(to->json, "priors");
    for (size_t k = 0; k < model_tables(m); k++) {
        if (k) say(to, "prior sd of the weights of the %s\n", bln_likelihood_latent_name(&m->likelihood, k));
        if (m->prior == CLI_PRIOR_EACH) summary_each(m, basis, k, k ? 1.0 : unit, to);
        else for (size_t s = 0; s < basis->n_slices; s++) summary_prior(m, basis, k, s, k ? 1.0 : unit, to);
    }
    json_end(to->json);
}

/* Noise and ratios that were integrated out, as intervals. */
static void summary_integrated(const model *m, const bln_basis *basis, double interval, const cli_answer *to)
{
    char name[SUMMARY_NAME];
    const double low = 0.5 - 0.5*interval, high = 0.5 + 0.5*interval;
    say(to, "freedom          %.6g degrees, of Student's t\n", bln_slm_integrated_dof(m->integrated));
    say(to, "prior sd of the weights, in units of the noise sd%s\n", m->scaled ? " (inputs standardised)" : "");
    say(to, "  %-30s %10s %10s %10s\n", "", "median", "lower", "upper");
    json_number(to->json, "freedom", bln_slm_integrated_dof(m->integrated));
    json_text(to->json, "prior_units", "noise sd");
    json_array(to->json, "priors");
    for (size_t s = 0; s < basis->n_slices; s++) {
        made_slice_name(&m->cols, basis, s, name, sizeof name);
        const int flat = model_flat(m, s), none = !flat && bln_slm_integrated_nodes(m->integrated) == 1;
        double sd[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
        for (size_t k = 0; k < 3 && !flat && !none; k++)
            sd[k] = integrated_prior_quantile(m, s, k == 0 ? 0.5 : k == 1 ? low : high);
        json_object(to->json, NULL);
        json_text(to->json, "term", name);
        json_text(to->json, "kind", flat ? "flat" : "integrated");
        json_count(to->json, "weights", bln_basis_slice(basis, s + 1) - bln_basis_slice(basis, s));
        json_number(to->json, "sd", sd[0]);
        json_number(to->json, "lower", sd[1]);
        json_number(to->json, "upper", sd[2]);
        json_end(to->json);
        cli_clean(name);
        if (flat) say(to, "  %-*s %10s\n", cli_bytes(name, 30), name, "flat");
        else if (none) say(to, "  %-*s %10s\n", cli_bytes(name, 30), name, "without noise there is none");
        else say(to, "  %-*s %10.3g %10.3g %10.3g\n", cli_bytes(name, 30), name, sd[0], sd[1], sd[2]);
    }
    json_end(to->json);
}

/* Weights that are integrated out under a flat prior. */
static size_t summary_flat(const model *m, const bln_basis *basis)
{
    size_t n = 0;
    for (size_t s = 0; s < basis->n_slices; s++)
        if (model_flat(m, s)) n += bln_basis_slice(basis, s + 1) - bln_basis_slice(basis, s);
    return n;
}

static void summary_noise(const model *m, double interval, const cli_answer *to)
{
    const int digits = model_least_squares(m) ? 15 : 5;
    cli_shown shown;
    json_array(to->json, "noise_sd");
    for (size_t k = 0; k < m->cols.n_targets; k++) json_number(to->json, NULL, model_noise_sd(m, k));
    json_end(to->json);
    if (m->cols.n_targets > 1) {
        static const char *const of[] = { "", ", and correlation with those before", ", the same for all but for their scale" };
        say(to, "noise sd%s\n", of[m->noise]);
        json_array(to->json, "noise_correlation");
        for (size_t k = 0; k < m->cols.n_targets; k++) {
            json_array(to->json, NULL);
            for (size_t l = 0; l < m->cols.n_targets; l++)
                json_number(to->json, NULL, k == l ? 1.0 : model_noise_correlation(m, k, l));
            json_end(to->json);
            cli_show(&shown, m->cols.targets[k]);
            say(to, "  %-*s %.*g", cli_bytes(shown.text, 38), shown.text, digits, model_noise_sd(m, k));
            for (size_t l = 0; l < k && m->noise == BLN_SLM_CORRELATED; l++)
                say(to, " %*.4f", l ? 7 : 12, model_noise_correlation(m, k, l));
            say(to, "\n");
        }
        json_end(to->json);
        return;
    }
    say(to, "noise sd         %.*g", digits, model_noise_sd(m, 0));
    if (m->integrated) {
        const double lower = integrated_noise_quantile(m, 0.5 - 0.5*interval);
        const double upper = integrated_noise_quantile(m, 0.5 + 0.5*interval);
        say(to, "  (%g %%: %.4g to %.4g)", 100.0*interval, lower, upper);
        json_number(to->json, "noise_sd_lower", lower);
        json_number(to->json, "noise_sd_upper", upper);
    }
    say(to, "\n");
}

/* Lists the classes, and the one that the others are compared with. */
static void summary_classes(const model *m, const cli_answer *to)
{
    cli_shown shown;
    say(to, "\nclasses          %lu:", (unsigned long)classes_of(m));
    for (size_t k = 0; k < classes_of(m); k++) say(to, "%s %s", k ? "," : "", classes_name(m, k, &shown));
    say(to, "%s", glm_latents(m) < classes_of(m) ? ", compared with the first\n" : "\n");
}

/* Likelihood and inference, with what was learnt of the first. */
static void summary_glm(const model *m, const cli_answer *to)
{
    const size_t components = glm_mixture(m);
    cli_shown one, zero;
    cli_counted parts;
    const char *name = bln_glm_method_name(m->glm);
    json_text(to->json, "likelihood", m->likelihood.ops->name);
    if (m->likelihood.level > 0.0) json_number(to->json, "level", m->likelihood.level);
    json_array(to->json, "classes");
    for (size_t k = 0; k < glm_classes(m); k++) json_text(to->json, NULL, classes_text(m, k, &one));
    json_end(to->json);
    json_array(to->json, "likelihood_parameters");
    for (size_t k = 0; k < m->likelihood.n_theta; k++) {
        json_object(to->json, NULL);
        json_text(to->json, "name", bln_likelihood_param_name(&m->likelihood, k));
        json_number(to->json, "value", glm_parameter(m, k));
        json_end(to->json);
    }
    json_end(to->json);
    json_text(to->json, "inference", name);
    json_count(to->json, "components", components);
    say(to, "likelihood       %s", m->likelihood.ops->name);
    if (m->likelihood.level > 0.0) say(to, ":%g", m->likelihood.level);
    if (classes_of(m)) summary_classes(m, to);
    else if (m->cols.n_classes && !m->cols.class_value)
        say(to, "  (1 is %s, 0 is %s)", cli_show(&one, m->cols.classes[1]), cli_show(&zero, m->cols.classes[0]));
    if (!classes_of(m)) say(to, "\n");
    if (m->cols.class_value && !classes_of(m))
        say(to, "classes          %s and %s in the target: probabilities are those of %s\n", m->cols.classes[0],
                m->cols.classes[1], m->cols.classes[1]);
    for (size_t k = 0; k < m->likelihood.n_theta; k++)
        say(to, "  %-40s %.5g\n", bln_likelihood_param_name(&m->likelihood, k), glm_parameter(m, k));
    say(to, "inference        %s", methods_find(name) ? methods_find(name)->title : name);
    say(to, "%s%s\n", components ? ", " : "",
            components ? cli_count(&parts, components, glm_draws(m) == components ? "draw" : "component") : "");
}

/* Chains of a sampler: may they be believed? */
static void summary_chains(const model *m, const cli_answer *to)
{
    const bln_chains *all = bln_glm_chains(m->glm);
    bln_diagnosis d;
    cli_counted chains;
    if (!all || bln_chains_diagnose(all, NULL, &d, NULL) != BLN_OK) return;
    json_object(to->json, "draws");
    json_count(to->json, "chains", bln_chains_count(all));
    json_count(to->json, "draws", bln_chains_draws(all));
    json_number(to->json, "rhat", d.rhat);
    json_number(to->json, "ess_bulk", d.ess_bulk);
    json_number(to->json, "ess_tail", d.ess_tail);
    json_count(to->json, "divergent", d.divergent);
    json_flag(to->json, "doubtful", d.doubts != 0);
    json_end(to->json);
    say(to, "draws            %s of %lu, R-hat up to %.4g, ESS from %.4g (tails %.4g), %lu divergent%s\n",
            cli_count(&chains, bln_chains_count(all), "chain"), (unsigned long)bln_chains_draws(all), number_plain(d.rhat),
            number_plain(d.ess_bulk), number_plain(d.ess_tail), (unsigned long)d.divergent,
            d.doubts ? "; doubtful: `bayeslin diagnose`" : "");
}

/* How probable the model makes the data. A density of what is left of the targets when flat weights are integrated out, which those
 * of a point are not. */
double summary_nats(const model *m, double evidence)
{
    const int point = m->glm && glm_is_point(m);
    const double n = model_weight(m) - (point ? 0.0 : (double)summary_flat(m, model_basis(m)));
    return bln_scaler_logp_back(m->scaler, n, evidence);
}

summary_logp summary_evidence_of(const model *m)
{
    const bln_glm_card *card = m->glm ? methods_find(bln_glm_method_name(m->glm)) : NULL;
    summary_logp e;
    e.point = m->glm && glm_is_point(m);
    e.flat = e.point ? 0 : summary_flat(m, model_basis(m));
    e.value = summary_nats(m, model_evidence(m));
    e.by = m->glm && card ? card->objective : m->integrated ? "integrated" : "learnt";
    return e;
}

static void summary_evidence(const model *m, const cli_answer *to)
{
    const summary_logp e = summary_evidence_of(m);
    char how[64] = "";
    if (m->glm || m->integrated) snprintf(how, sizeof how, "  (%s)", e.by);
    say(to, "%s%.8g%s%s\n", e.point ? "log density      " : "log evidence     ", e.value, e.flat ? "  (restricted)" : "", how);
    json_number(to->json, e.point ? "log_density" : "log_evidence", e.value);
    json_flag(to->json, "restricted", e.flat > 0);
    json_text(to->json, "evidence_by", e.by);
}

/* By which factors calibrated intervals are widened. */
static void summary_calibrated(const model *m, double interval, const cli_answer *to)
{
    const double rows = bln_conformal_rows(m->conformal);
    cli_shown shown;
    json_array(to->json, "calibrated");
    for (size_t k = 0; k < m->cols.n_targets; k++) {
        int enough;
        const double q = bln_conformal_multiple(m->conformal, k, interval, &enough);
        json_object(to->json, NULL);
        json_text(to->json, "target", m->cols.targets[k]);
        json_number(to->json, "interval", interval);
        json_number(to->json, "multiple", q);
        json_flag(to->json, "enough", enough);
        json_number(to->json, "left_out", rows);
        json_end(to->json);
        say(to, "calibrated       %g %% intervals are mean -+ %.4g sd", 100.0*interval, q);
        if (m->cols.n_targets > 1) say(to, " for %s", cli_show(&shown, m->cols.targets[k]));
        if (enough) say(to, ", in place of %.4g  (%.6g left out)\n", -bln_norm_quantile(0.5 - 0.5*interval), rows);
        else say(to, ", for want of rows  (%.6g left out, %g needed)\n", rows, calibrate_needs(interval));
    }
    json_end(to->json);
}

static void summary_roles(const model *m, const cli_answer *to)
{
    cli_shown shown;
    static const char *const keys[ROLE_COUNT] = { "weights", "noise_var", "offset", "trials" };
    const char *const *role = (const char *const *)m->cols.role;
    json_object(to->json, "roles");
    for (int k = 0; k < ROLE_COUNT; k++) json_text(to->json, keys[k], role[k]);
    json_end(to->json);
    json_number(to->json, "weight", model_weight(m));
    if (role[ROLE_WEIGHTS])
        say(to, "weights          %s  (sum %.10g)\n", cli_show(&shown, role[ROLE_WEIGHTS]), model_weight(m));
    if (role[ROLE_NOISE_VAR]) say(to, "noise variance   times %s\n", cli_show(&shown, role[ROLE_NOISE_VAR]));
    if (role[ROLE_TRIALS]) say(to, "trials           %s\n", cli_show(&shown, role[ROLE_TRIALS]));
    if (role[ROLE_OFFSET]) say(to, "offset           %s\n", cli_show(&shown, role[ROLE_OFFSET]));
}

/* The options of the fit that differ from their defaults. */
static void summary_choices(const model *m, const cli_answer *to)
{
    json_text(to->json, "prior", options_word(CHOICE_PRIOR, m->prior));
    json_text(to->json, "arithmetic", options_word(CHOICE_ARITHMETIC, m->arithmetic));
    json_text(to->json, "optimiser", options_word(CHOICE_OPTIMISER, m->optimiser));
    json_text(to->json, "residual", options_word(CHOICE_RESIDUAL, m->residual));
    json_text(to->json, "noise", options_word(CHOICE_NOISE, m->noise));
    if (m->arithmetic) say(to, "arithmetic       %s\n", options_word(CHOICE_ARITHMETIC, m->arithmetic));
    if (m->optimiser) say(to, "optimiser        %s\n", options_word(CHOICE_OPTIMISER, m->optimiser));
    if (m->residual) say(to, "residual         %s\n", options_word(CHOICE_RESIDUAL, m->residual));
    if (m->noise) say(to, "noise            %s\n", options_word(CHOICE_NOISE, m->noise));
}

/* The same in JSON. */
static void summary_head(const model *m, const bln_basis *basis, const cli_answer *to)
{
    json_text(to->json, "kind", m->glm ? "glm" : m->integrated ? "integrated" : "slm");
    json_texts(to->json, "targets", m->cols.n_targets, (const char *const *)m->cols.targets);
    json_count(to->json, "rows", m->rows);
    json_count(to->json, "dropped", m->dropped);
    json_texts(to->json, "inputs", m->cols.d, (const char *const *)m->cols.inputs);
    json_flag(to->json, "standardised", m->scaled != 0);
    json_text(to->json, "basis", m->spec);
    json_count(to->json, "seed", m->seed);
    json_count(to->json, "features", basis->D);
    json_count(to->json, "iterations", m->iterations);
    json_count(to->json, "starts", m->starts);
    json_text(to->json, "stop", bln_stop_name((bln_stop)m->stop));
}

void summary_print(const model *m, double interval, const cli_answer *to)
{
    const bln_basis *basis = model_basis(m);
    cli_counted columns;
    summary_head(m, basis, to);
    for (size_t k = 0; k < m->cols.n_targets; k++) {
        say(to, "%s", k ? ", " : m->cols.n_targets > 1 ? "targets          " : "target           ");
        say_name(to, m->cols.targets[k]);
    }
    say(to, "\nrows             %lu", (unsigned long)m->rows);
    if (m->dropped) say(to, "  (%lu more had missing values)", (unsigned long)m->dropped);
    say(to, "\n");
    summary_roles(m, to);
    say(to, "inputs           %lu", (unsigned long)m->cols.d);
    if (m->cols.d != m->cols.n) say(to, "  (from %s)", cli_count(&columns, m->cols.n, "column"));
    say(to, "%s\n", m->scaled ? ", standardised" : "");
    say(to, "%s", "basis            ");
    say_name(to, m->spec);
    say(to, "  (seed %lu)\n", (unsigned long)m->seed);
    say(to, "features         %lu\n", (unsigned long)basis->D);
    summary_choices(m, to);
    summary_evidence(m, to);
    if (m->glm) summary_glm(m, to);
    else summary_noise(m, interval, to);
    if (m->conformal) summary_calibrated(m, interval, to);
    if (m->integrated) summary_integrated(m, basis, interval, to);
    else summary_priors(m, basis, to);
    summary_parameters(m, basis, to);
    if (m->glm) summary_chains(m, to);
    if (m->glm && glm_mixture(m) && glm_draws(m) == glm_mixture(m))
        say(to, "transitions      %lu of each chain\n", (unsigned long)m->iterations);
    else if (m->stop == (uint32_t)BLN_STOP_NONE) say(to, "iterations       none: solved directly\n");
    else say(to, "iterations       %lu over %s, stopped by: %s\n", (unsigned long)m->iterations,
                 cli_count(&columns, (size_t)m->starts, "start"), bln_stop_name((bln_stop)m->stop));
}
