/* summary: figures in the units of the data where they have any */
#include "summary.h"
#include "calibrate.h"
#include "classes.h"
#include "glm.h"
#include "glm_options.h"
#include "integrated.h"
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
    if (input != BLN_NONE) return input < m->cols.d ? input : BLN_NONE;
    return m->cols.d == 1 ? 0 : BLN_NONE;
}

static void summary_parameter(const model *m, const bln_basis *basis, size_t k, const char *const *marks, FILE *file)
{
    char name[SUMMARY_NAME];
    const double value = model_theta(m)[k];
    bln_basis_param_name(basis, k, (const char *const *)m->cols.inputs, name, sizeof name);
    cli_clean(name);
    const int wave = strstr(name, "angular frequency") != NULL;
    const size_t input = wave || strstr(name, "length scale") ? summary_input_of(m, basis, k, marks) : BLN_NONE;
    const double sd = input == BLN_NONE ? 1.0 : bln_scaler_sd(m->scaler, input);
    if (!m->scaled) fprintf(file, "  %-*s %.5g\n", cli_bytes(name, 40), name, value);
    else if (input == BLN_NONE) fprintf(file, "  %-*s %.5g standardised\n", cli_bytes(name, 40), name, value);
    else fprintf(file, "  %-*s %.5g  (%.4g standardised)\n", cli_bytes(name, 40), name, wave ? value/sd : value*sd, value);
}

static void summary_parameters(const model *m, const bln_basis *basis, FILE *file)
{
    const char **marks = summary_marks(m->cols.d);
    if (basis->n_theta) fprintf(file, "basis parameters\n");
    for (size_t k = 0; k < basis->n_theta; k++) summary_parameter(m, basis, k, marks, file);
    free((void *)marks);
}

/* --prior each: how many weights of each slice the data determine (the sum of gamma, MacKay's count), and the widest prior. */
static void summary_each(const model *m, const bln_basis *basis, double unit, FILE *file)
{
    char name[SUMMARY_NAME];
    double *gamma = (double *)cli_memory(basis->D, sizeof *gamma);
    const int known = !m->glm && bln_slm_relevance(m->slm, gamma, NULL, NULL) == BLN_OK;
    for (size_t s = 0; s < basis->n_slices; s++) {
        const size_t first = bln_basis_slice(basis, s), end = bln_basis_slice(basis, s + 1);
        double widest = 0.0, determined = 0.0;
        for (size_t j = first; j < end; j++) {
            const double sd = unit*sqrt(model_prior_var(m, j));
            if (sd > widest) widest = sd;
            determined += gamma[j];
        }
        bln_basis_slice_name(basis, s, (const char *const *)m->cols.inputs, name, sizeof name);
        cli_clean(name);
        fprintf(file, "  %-*s one for each of %lu, up to %.5g", cli_bytes(name, 40), name, (unsigned long)(end - first), widest);
        if (known) fprintf(file, "  (%.3g weights determined)", determined);
        fputc('\n', file);
    }
    free(gamma);
}

/* Of several targets prior variances are in units of the noise variances. */
static void summary_priors(const model *m, const bln_basis *basis, FILE *file)
{
    char name[SUMMARY_NAME];
    cli_shown target;
    const int several = m->cols.n_targets > 1;
    const double unit = several ? 1.0 : bln_scaler_sd(m->scaler, m->cols.d);
    fprintf(file, "prior sd of the weights, in units of %s%s\n",
            several ? "the noise sd" : m->glm ? glm_scale_name(m) : cli_show(&target, m->cols.targets[0]),
            m->scaled ? " (inputs standardised)" : "");
    if (m->prior == CLI_PRIOR_EACH) summary_each(m, basis, unit, file);
    for (size_t s = 0; s < basis->n_slices && m->prior != CLI_PRIOR_EACH; s++) {
        bln_basis_slice_name(basis, s, (const char *const *)m->cols.inputs, name, sizeof name);
        cli_clean(name);
        if (model_flat(m, s)) fprintf(file, "  %-40s flat\n", name);
        else fprintf(file, "  %-*s %.5g\n", cli_bytes(name, 40), name, unit*sqrt(model_prior_var(m, bln_basis_slice(basis, s))));
    }
}

/* Noise and ratios that were integrated out, as intervals. */
static void summary_integrated(const model *m, const bln_basis *basis, double interval, FILE *file)
{
    char name[SUMMARY_NAME];
    const double low = 0.5 - 0.5*interval, high = 0.5 + 0.5*interval;
    fprintf(file, "freedom          %.6g degrees, of Student's t\n", bln_slm_integrated_dof(m->integrated));
    fprintf(file, "prior sd of the weights, in units of the noise sd%s\n", m->scaled ? " (inputs standardised)" : "");
    fprintf(file, "  %-30s %10s %10s %10s\n", "", "median", "lower", "upper");
    for (size_t s = 0; s < basis->n_slices; s++) {
        bln_basis_slice_name(basis, s, (const char *const *)m->cols.inputs, name, sizeof name);
        cli_clean(name);
        if (model_flat(m, s)) fprintf(file, "  %-*s %10s\n", cli_bytes(name, 30), name, "flat");
        else if (bln_slm_integrated_nodes(m->integrated) == 1)
            fprintf(file, "  %-*s %10s\n", cli_bytes(name, 30), name, "without noise there is none");
        else fprintf(file, "  %-*s %10.3g %10.3g %10.3g\n", cli_bytes(name, 30), name, integrated_prior_quantile(m, s, 0.5),
                     integrated_prior_quantile(m, s, low), integrated_prior_quantile(m, s, high));
    }
}

/* Weights that are integrated out under a flat prior. */
static size_t summary_flat(const model *m, const bln_basis *basis)
{
    size_t n = 0;
    for (size_t s = 0; s < basis->n_slices; s++)
        if (model_flat(m, s)) n += bln_basis_slice(basis, s + 1) - bln_basis_slice(basis, s);
    return n;
}

static void summary_noise(const model *m, double interval, FILE *file)
{
    const int digits = model_least_squares(m) ? 15 : 5;
    cli_shown shown;
    if (m->cols.n_targets > 1) {
        static const char *const of[] = { "", ", and correlation with those before", ", the same for all but for their scale" };
        fprintf(file, "noise sd%s\n", of[m->noise]);
        for (size_t k = 0; k < m->cols.n_targets; k++) {
            cli_show(&shown, m->cols.targets[k]);
            fprintf(file, "  %-*s %.*g", cli_bytes(shown.text, 38), shown.text, digits, model_noise_sd(m, k));
            for (size_t l = 0; l < k && m->noise == BLN_SLM_CORRELATED; l++)
                fprintf(file, " %*.4f", l ? 7 : 12, model_noise_correlation(m, k, l));
            fputc('\n', file);
        }
        return;
    }
    fprintf(file, "noise sd         %.*g", digits, model_noise_sd(m, 0));
    if (m->integrated)
        fprintf(file, "  (%g %%: %.4g to %.4g)", 100.0*interval, integrated_noise_quantile(m, 0.5 - 0.5*interval),
                integrated_noise_quantile(m, 0.5 + 0.5*interval));
    fputc('\n', file);
}

/* All of them, and which one the others are compared with. */
static void summary_classes(const model *m, FILE *file)
{
    cli_shown shown;
    fprintf(file, "\nclasses          %lu:", (unsigned long)classes_of(m));
    for (size_t k = 0; k < classes_of(m); k++) fprintf(file, "%s %s", k ? "," : "", classes_name(m, k, &shown));
    fputs(glm_latents(m) < classes_of(m) ? ", compared with the first\n" : "\n", file);
}

/* Likelihood and inference, with what was learnt of the first. */
static void summary_glm(const model *m, FILE *file)
{
    const size_t components = glm_mixture(m);
    cli_shown one, zero;
    cli_counted parts;
    const char *name = bln_glm_method_name(m->glm);
    fprintf(file, "likelihood       %s", m->likelihood.ops->name);
    if (m->likelihood.level > 0.0) fprintf(file, ":%g", m->likelihood.level);
    if (classes_of(m)) summary_classes(m, file);
    else if (m->cols.n_classes && !m->cols.class_value)
        fprintf(file, "  (1 is %s, 0 is %s)", cli_show(&one, m->cols.classes[1]), cli_show(&zero, m->cols.classes[0]));
    if (!classes_of(m)) fputc('\n', file);
    if (m->cols.class_value && !classes_of(m))
        fprintf(file, "classes          %s and %s in the target: probabilities are those of %s\n", m->cols.classes[0],
                m->cols.classes[1], m->cols.classes[1]);
    for (size_t k = 0; k < m->likelihood.n_theta; k++)
        fprintf(file, "  %-40s %.5g\n", bln_likelihood_param_name(&m->likelihood, k), glm_parameter(m, k));
    fprintf(file, "inference        %s", methods_find(name) ? methods_find(name)->title : name);
    fprintf(file, "%s%s\n", components ? ", " : "",
            components ? cli_count(&parts, components, glm_draws(m) == components ? "draw" : "component") : "");
}

/* Chains of a sampler: may they be believed? */
static void summary_chains(const model *m, FILE *file)
{
    const bln_chains *all = bln_glm_chains(m->glm);
    bln_diagnosis d;
    cli_counted chains;
    if (!all || bln_chains_diagnose(all, NULL, &d, NULL) != BLN_OK) return;
    fprintf(file, "draws            %s of %lu, R-hat up to %.4g, ESS from %.4g (tails %.4g), %lu divergent%s\n",
            cli_count(&chains, bln_chains_count(all), "chain"), (unsigned long)bln_chains_draws(all), number_plain(d.rhat),
            number_plain(d.ess_bulk), number_plain(d.ess_tail), (unsigned long)d.divergent,
            d.doubts ? "; doubtful: `bayeslin diagnose`" : "");
}

/* How probable the model makes the data. A density of what is left of the targets when flat weights are integrated out, which those
 * of a point are not. */
static void summary_evidence(const model *m, size_t flat, FILE *file)
{
    const bln_glm_card *card = m->glm ? methods_find(bln_glm_method_name(m->glm)) : NULL;
    const int point = m->glm && glm_is_point(m);
    const double n = model_weight(m) - (point ? 0.0 : (double)flat);
    char how[64] = "";
    if (m->glm && card) snprintf(how, sizeof how, "  (%s)", card->objective);
    else if (m->integrated) snprintf(how, sizeof how, "  (integrated)");
    fprintf(file, "%s%.8g%s%s\n", point ? "log density      " : "log evidence     ",
            bln_scaler_logp_back(m->scaler, n, model_evidence(m)), flat && !point ? "  (restricted)" : "", how);
}

/* How far calibrated intervals go out. */
static void summary_calibrated(const model *m, double interval, FILE *file)
{
    const double rows = bln_conformal_rows(m->conformal);
    cli_shown shown;
    for (size_t k = 0; k < m->cols.n_targets; k++) {
        int enough;
        const double q = bln_conformal_multiple(m->conformal, k, interval, &enough);
        fprintf(file, "calibrated       %g %% intervals are mean -+ %.4g sd", 100.0*interval, q);
        if (m->cols.n_targets > 1) fprintf(file, " for %s", cli_show(&shown, m->cols.targets[k]));
        if (enough) fprintf(file, ", in place of %.4g  (%.6g left out)\n", -bln_norm_quantile(0.5 - 0.5*interval), rows);
        else fprintf(file, ", for want of rows  (%.6g left out, %g needed)\n", rows, calibrate_needs(interval));
    }
}

static void summary_roles(const model *m, FILE *file)
{
    cli_shown shown;
    const char *const *role = (const char *const *)m->cols.role;
    if (role[ROLE_WEIGHTS])
        fprintf(file, "weights          %s  (sum %.10g)\n", cli_show(&shown, role[ROLE_WEIGHTS]), model_weight(m));
    if (role[ROLE_NOISE_VAR]) fprintf(file, "noise variance   times %s\n", cli_show(&shown, role[ROLE_NOISE_VAR]));
    if (role[ROLE_TRIALS]) fprintf(file, "trials           %s\n", cli_show(&shown, role[ROLE_TRIALS]));
    if (role[ROLE_OFFSET]) fprintf(file, "offset           %s\n", cli_show(&shown, role[ROLE_OFFSET]));
}

/* How it was learnt, where that is not as by default. */
static void summary_choices(const model *m, FILE *file)
{
    if (m->arithmetic) fprintf(file, "arithmetic       %s\n", options_word(CHOICE_ARITHMETIC, m->arithmetic));
    if (m->optimiser) fprintf(file, "optimiser        %s\n", options_word(CHOICE_OPTIMISER, m->optimiser));
    if (m->residual) fprintf(file, "residual         %s\n", options_word(CHOICE_RESIDUAL, m->residual));
    if (m->noise) fprintf(file, "noise            %s\n", options_word(CHOICE_NOISE, m->noise));
}

void summary_print(const model *m, double interval, FILE *file)
{
    const bln_basis *basis = model_basis(m);
    const size_t flat = summary_flat(m, basis);
    cli_counted columns;
    for (size_t k = 0; k < m->cols.n_targets; k++) {
        fputs(k ? ", " : m->cols.n_targets > 1 ? "targets          " : "target           ", file);
        cli_print(file, m->cols.targets[k]);
    }
    fprintf(file, "\nrows             %lu", (unsigned long)m->rows);
    if (m->dropped) fprintf(file, "  (%lu more had missing values)", (unsigned long)m->dropped);
    fputc('\n', file);
    summary_roles(m, file);
    fprintf(file, "inputs           %lu", (unsigned long)m->cols.d);
    if (m->cols.d != m->cols.n) fprintf(file, "  (from %s)", cli_count(&columns, m->cols.n, "column"));
    fprintf(file, "%s\n", m->scaled ? ", standardised" : "");
    fputs("basis            ", file);
    cli_print(file, m->spec);
    fprintf(file, "  (seed %lu)\n", (unsigned long)m->seed);
    fprintf(file, "features         %lu\n", (unsigned long)basis->D);
    summary_choices(m, file);
    summary_evidence(m, flat, file);
    if (m->glm) summary_glm(m, file);
    else summary_noise(m, interval, file);
    if (m->conformal) summary_calibrated(m, interval, file);
    if (m->integrated) summary_integrated(m, basis, interval, file);
    else summary_priors(m, basis, file);
    summary_parameters(m, basis, file);
    if (m->glm) summary_chains(m, file);
    if (m->glm && glm_mixture(m) && glm_draws(m) == glm_mixture(m))
        fprintf(file, "transitions      %lu of each chain\n", (unsigned long)m->iterations);
    else if (m->stop == (uint32_t)BLN_STOP_NONE) fprintf(file, "iterations       none: solved directly\n");
    else fprintf(file, "iterations       %lu over %s, stopped by: %s\n", (unsigned long)m->iterations,
                 cli_count(&columns, (size_t)m->starts, "start"), bln_stop_name((bln_stop)m->stop));
}
