/* glm_options: the words of the command line, before there are data */
#include "glm_options.h"
#include <stdio.h>
#include <string.h>

static const struct { const char *given, *name; } glm_also[] = {
    { "bernoulli", "binomial_logit" }, { "binomial", "binomial_logit" }, { "poisson", "poisson_log" }
};
enum { GLM_ALSO = sizeof glm_also/sizeof *glm_also };

const char *glm_name(const char *given)
{
    for (size_t i = 0; i < GLM_ALSO; i++)
        if (!strcmp(given, glm_also[i].given)) return glm_also[i].name;
    return given;
}

static int glm_is_ordinal(const char *name) { return !strcmp(name, "ordinal"); }

int glm_find(const options *o, size_t categories, bln_likelihood *out, cli_why *why)
{
    const char *name = glm_name(o->likelihood);
    char list[300] = "";
    cli_shown shown;
    const bln_load all = bln_builtin();
    for (size_t i = 0; i < all.n_likelihoods; i++) {
        *out = all.likelihoods[i];
        if (out->ops->sized) out->n_theta = categories - 1;
        if (!strcmp(name, out->ops->name)) return CLI_GOOD;
    }
    for (size_t i = 0; i < all.n_likelihoods; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", all.likelihoods[i].ops->name);
    for (size_t i = 0; i < GLM_ALSO; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), ", %s", glm_also[i].given);
    return cli_misuse(why, "no likelihood \"%s\"; there are %s", cli_show(&shown, o->likelihood), list);
}

int glm_has_classes(const options *o)
{
    return o->glm && !strncmp(glm_name(o->likelihood), "binomial", 8) && !o->role[ROLE_TRIALS];
}

int glm_is_real(const bln_likelihood *l) { return !l->ops->discrete; }

int glm_takes_trials(const bln_likelihood *l)
{
    return l->ops->discrete && l->ops->domain && !l->ops->domain(l, 0.0, 2.0);
}

/* How stochastic steps go: the first that is set, or NULL. */
static const char *glm_option_of_steps(const options *o)
{
    return options_given(o, CHOICE_METHOD) ? "--method" : o->rate > 0.0 ? "--rate" : o->natural > 0.0 ? "--natural"
         : options_given(o, CHOICE_EXPECTATION) ? "--expectation" : NULL;
}

/* Options that only a generalised linear model has, and those that only the linear one has: the first that is set, or NULL. */
static const char *glm_option_of_glm(const options *o)
{
    return o->likelihood ? "--likelihood" : options_given(o, CHOICE_INFERENCE) ? "--inference"
         : options_given(o, CHOICE_HYPER) ? "--hyper" : o->components ? "--components"
         : options_given(o, CHOICE_ENTROPY) ? "--entropy" : o->batch ? "--batch" : o->categories ? "--categories"
         : options_given(o, CHOICE_START) ? "--start" : o->waic && o->verb == VERB_FIT ? "--waic"        /* score asks its model */
         : options_given(o, CHOICE_LOO) && o->verb == VERB_FIT ? "--loo-by"
         : glm_option_of_steps(o) ? glm_option_of_steps(o)
         : o->role[ROLE_TRIALS] ? "--trials" : NULL;
}

static const char *glm_option_of_slm(const options *o)
{
    return o->integrate ? "--integrate" : o->calibrate ? "--calibrate" : o->stream ? "--stream"
         : o->from_stats ? "--from-stats" : o->n_targets > 1 ? "--outputs"
         : options_given(o, CHOICE_ARITHMETIC) ? "--arithmetic" : options_given(o, CHOICE_OPTIMISER) ? "--optimiser"
         : options_given(o, CHOICE_LEFT_OUT) ? "--left-out" : options_given(o, CHOICE_NOISE) ? "--noise" : NULL;
}

static int glm_check_likelihood(const options *o, cli_why *why)
{
    bln_likelihood l;
    const int status = glm_find(o, 3, &l, why);
    if (status) return status;
    if (o->role[ROLE_NOISE_VAR] && !glm_is_real(&l))
        return cli_misuse(why, "--noise-var: %s has no noise variance", l.ops->name);
    if (o->role[ROLE_TRIALS] && !glm_takes_trials(&l))
        return cli_misuse(why, "--trials: %s knows neither trials nor exposure", l.ops->name);
    if (o->categories && !glm_is_ordinal(l.ops->name))
        return cli_misuse(why, "--categories is for --likelihood ordinal");
    if (o->categories == 1 || o->categories > BLN_LIKELIHOOD_THETA + 1)
        return cli_misuse(why, "--categories: at least 2, and at most %d", (int)BLN_LIKELIHOOD_THETA + 1);
    const int newton = o->inference == BLN_GLM_LAPLACE || (o->inference == BLN_GLM_MAP && !o->batch);
    if (!strcmp(l.ops->name, "laplace") && o->hyper && !newton)
        return cli_misuse(why, "--likelihood laplace has no curvature for Laplace's evidence: leave --hyper laplace out");
    if (!strcmp(l.ops->name, "laplace") && newton)
        return cli_misuse(why, "--likelihood laplace has no curvature for %s: add --inference full, or mixture",
                          o->inference == BLN_GLM_MAP ? "Newton's method" : "Laplace's method");
    return CLI_GOOD;
}

static int glm_by_mixture(int inference)
{
    return inference == BLN_GLM_VARIATIONAL || inference == BLN_GLM_NPV || inference == BLN_GLM_SGVI;
}

/* Where a mixture begins. */
static int glm_check_starts(const options *o, cli_why *why)
{
    if (o->starts < 2 && !options_given(o, CHOICE_START)) return CLI_GOOD;
    if (!glm_by_mixture(o->inference))
        return cli_misuse(why, "%s is for --inference mixture, npv or sgvi: the others begin at the mode of the weights, of which "
                               "there is one. Length scales may have several optima: give another start as length= in --basis",
                          options_given(o, CHOICE_START) ? "--start" : "--starts");
    if (o->starts > 1 && o->components < 2 && !o->start)
        return cli_misuse(why, "--starts: a single component begins at the mode, of which there is one; add --components K, or "
                               "--start random");
    return CLI_GOOD;
}

static int glm_check_steps(const options *o, cli_why *why)
{
    const char *what = glm_option_of_steps(o);
    if (!what) return CLI_GOOD;
    if (!o->batch && o->inference != BLN_GLM_SGVI)
        return cli_misuse(why, "%s is about stochastic steps: add --batch B, or take --inference sgvi", what);
    if (o->natural > 1.0) return cli_misuse(why, "--natural wants a number above 0, and at most 1");
    if (o->natural > 0.0 && o->inference == BLN_GLM_MAP)
        return cli_misuse(why, "--natural is for --inference mixture, npv, sgvi or full: a point has no such steps");
    if (o->expectation && o->inference != BLN_GLM_VARIATIONAL)
        return cli_misuse(why, "--expectation is for --inference mixture by batches");
    return CLI_GOOD;
}

/* Scores of rows left out. */
static int glm_check_loo(const options *o, cli_why *why)
{
    if ((o->loo || o->waic) && o->inference == BLN_GLM_MAP)
        return cli_misuse(why, "%s: --inference map has no posterior %s", o->loo ? "--loo" : "--waic",
                          o->loo ? "that a row could be left out of" : "to average over");
    if (o->loo_group && (glm_by_mixture(o->inference) || o->loo_by == BLN_GLM_LOO_PSIS))
        return cli_misuse(why, "--loo-group is for --inference laplace, or full, and not by draws");
    if (o->loo_by == BLN_GLM_LOO_CAVITY && glm_by_mixture(o->inference))
        return cli_misuse(why, "--loo-by cavity is for --inference laplace, or full; mixtures go by psis");
    return CLI_GOOD;
}

/* What the inference asked for has no use for. */
static int glm_check_inference(const options *o, cli_why *why)
{
    const char *inference = options_word(CHOICE_INFERENCE, (uint32_t)o->inference);
    const int map = o->inference == BLN_GLM_MAP;
    const int mixture = o->inference == BLN_GLM_VARIATIONAL || o->inference == BLN_GLM_NPV;
    int status = CLI_GOOD;
    if (o->tolerance > 0.0 && (o->batch || o->inference == BLN_GLM_SGVI))
        return cli_misuse(why, "--tolerance is for searches over all rows: stochastic steps end when they stop getting on, or with "
                               "--max-iterations");
    if (!mixture && (o->components || options_given(o, CHOICE_ENTROPY)))
        return cli_misuse(why, "%s is for --inference mixture, or npv", o->components ? "--components" : "--entropy");
    if (o->batch && o->inference == BLN_GLM_LAPLACE)
        return cli_misuse(why, "--batch is for --inference full, mixture, npv, sgvi or map");
    status = glm_check_starts(o, why);
    if (!status) status = glm_check_steps(o, why);
    if (!status) status = glm_check_loo(o, why);
    if (status || o->prior != CLI_PRIOR_FLAT || o->inference == BLN_GLM_LAPLACE || (map && !o->batch)) return status;
    if (map) return cli_misuse(why, "--prior flat goes with --inference map, but not with --batch");
    return cli_misuse(why, "--prior flat needs --inference laplace, or map: that of %s is by the size of a posterior beside its "
                      "prior, and a flat one has none", inference);
}

/* Laplace's method, but where it is poor, or has no curvature to go by; a flat prior leaves no choice. */
void glm_choose_inference(options *o)
{
    if (!o->likelihood || options_given(o, CHOICE_INFERENCE) || o->prior == CLI_PRIOR_FLAT) return;
    if (glm_is_ordinal(o->likelihood) || !strcmp(o->likelihood, "laplace")) o->inference = BLN_GLM_FULL;
}

int glm_check_options(const options *o, cli_why *why)
{
    const char *what = o->glm ? glm_option_of_slm(o) : glm_option_of_glm(o);
    if (what && !o->glm) return cli_misuse(why, "%s is for --model glm", what);
    if (what) return cli_misuse(why, "%s is for the linear model with normal noise, not for --model glm", what);
    if (!o->glm) return CLI_GOOD;
    if (!o->likelihood) return cli_misuse(why, "--model glm needs --likelihood (bayeslin help glm)");
    const int status = glm_check_inference(o, why);
    return status ? status : glm_check_likelihood(o, why);
}
