/* glm_options: the words of the command line, before there are data */
#include "glm_options.h"
#include "columns.h"
#include <stdio.h>
#include <string.h>

static const struct { const char *given, *name; } glm_also[] = {
    { "bernoulli", "binomial_logit" }, { "binomial", "binomial_logit" }, { "poisson", "poisson_log" }
};
static const char glm_categorical[] = "categorical";
enum { GLM_ALSO = sizeof glm_also/sizeof *glm_also };

const char *glm_name(const char *given)
{
    for (size_t i = 0; i < GLM_ALSO; i++)
        if (!strcmp(given, glm_also[i].given)) return glm_also[i].name;
    return given;
}

static int glm_is_ordinal(const char *name) { return !strcmp(name, "ordinal"); }

/* Appends a name to a message, as far as there is room. */
static void glm_name_too(cli_why *why, const char *name)
{
    const size_t n = strlen(why->text);
    snprintf(why->text + n, sizeof why->text - n, ", %s", name);
}

/* Of the likelihoods of several latents the tool offers classes, which need a reference class with flat priors, and a mean beside
 * its noise. */
int glm_find(const options *o, size_t categories, bln_likelihood *out, cli_why *why)
{
    const char *name = glm_name(o->likelihood);
    cli_shown shown;
    const bln_load all = bln_builtin();
    if (!strcmp(name, glm_categorical)) {
        *out = (o->prior == CLI_PRIOR_FLAT ? bln_likelihood_categorical_reference : bln_likelihood_categorical)(categories);
        return CLI_GOOD;
    }
    for (size_t i = 0; i < all.n_likelihoods; i++) {
        *out = all.likelihoods[i];
        if (out->ops->latents && out->ops->discrete) continue;
        if (out->ops->sized) out->n_theta = categories - 1;
        if (!strcmp(name, out->ops->name)) return CLI_GOOD;
        if (!(out->level > 0.0) || strncmp(name, out->ops->name, strlen(out->ops->name))) continue;
        if (bln_likelihood_find(out, 1, name, out->n_theta, 1, out) == BLN_OK) return CLI_GOOD;
        return cli_misuse(why, "--likelihood %s: a quantile between 0 and 1 goes behind the colon, as in %s:0.9",
                          cli_show(&shown, o->likelihood), out->ops->name);
    }
    cli_misuse(why, "no likelihood \"%s\"; there are %s", cli_show(&shown, o->likelihood), glm_categorical);
    for (size_t i = 0; i < all.n_likelihoods; i++)
        if (!all.likelihoods[i].ops->latents || !all.likelihoods[i].ops->discrete) glm_name_too(why, all.likelihoods[i].ops->name);
    for (size_t i = 0; i < GLM_ALSO; i++) glm_name_too(why, glm_also[i].given);
    return CLI_USAGE;
}

size_t glm_has_classes(const options *o)
{
    if (!o->glm || o->role[ROLE_TRIALS]) return 0;
    if (!strcmp(o->likelihood, glm_categorical)) return BLN_LATENTS;
    return strncmp(glm_name(o->likelihood), "binomial", 8) ? 0 : COLUMNS_TWO;
}

int glm_is_real(const bln_likelihood *l) { return !l->ops->discrete; }

int glm_takes_trials(const bln_likelihood *l)
{
    return l->ops->discrete && !l->ops->domain(l, 0.0, 2.0);
}

/* Options that only a generalised linear model has, and those that only the linear one has: the first that is set, or NULL. */
static const char *glm_option_of_glm(const options *o)
{
    return o->method ? "inference" : options_given(o, CHOICE_HYPER) ? "hyper"
         : o->n_asked ? o->asked[0].name : o->categories ? "categories"
         : o->trace ? "trace"
         : o->waic && o->verb == VERB_FIT ? "waic"                        /* `score` asks its model */
         : options_given(o, CHOICE_LOO) && o->verb == VERB_FIT ? "loo-by" : o->role[ROLE_TRIALS] ? "trials" : NULL;
}

static const char *glm_option_of_slm(const options *o)
{
    return o->integrate ? "--integrate" : o->calibrate ? "--calibrate" : o->stream ? "--stream"
         : o->from_stats ? "--from-stats" : o->n_targets > 1 ? "--outputs"
         : options_given(o, CHOICE_ARITHMETIC) ? "--arithmetic" : options_given(o, CHOICE_OPTIMISER) ? "--optimiser"
         : options_given(o, CHOICE_RESIDUAL) ? "--residual" : options_given(o, CHOICE_NOISE) ? "--noise" : NULL;
}

/* Are its steps by batches of the rows? */
static int glm_by_batches(const options *o) { return options_asked(o, "batch") || o->method->traits & BLN_GLM_ALWAYS_BATCHES; }

static int glm_check_likelihood(const options *o, cli_why *why)
{
    bln_likelihood l;
    if (CLI_NEVER(glm_find(o, 3, &l, why))) return CLI_USAGE;          /* glm_check_method has found it */
    if (o->role[ROLE_NOISE_VAR] && !glm_is_real(&l))
        return cli_misuse(why, "--noise-var: %s has no noise variance", l.ops->name);
    if (o->role[ROLE_TRIALS] && !glm_takes_trials(&l))
        return cli_misuse(why, "--trials: %s knows neither trials nor exposure", l.ops->name);
    if (o->categories && !glm_is_ordinal(l.ops->name))
        return cli_misuse(why, "--categories is for --likelihood ordinal");
    if (l.ops->latents && o->role[ROLE_OFFSET])
        return cli_misuse(why, "--offset: %s, which programs can give", l.ops->discrete
                          ? "of classes each would need one of its own" : "a mean and its noise would need one each");
    if (l.level > 0.0 && (o->loo || o->waic))
        return cli_misuse(why, "%s: the density beside a quantile is made up, and its logarithm scores nothing: cv --folds K has "
                               "the pinball loss of rows left out", o->loo ? "--loo" : "--waic");
    if (l.ops->latents && (o->loo || o->waic))
        return cli_misuse(why, "%s: rows of %s are not left out: cv --folds K scores them", o->loo ? "--loo" : "--waic",
                          l.ops->discrete ? "classes" : "a mean and its noise");
    if (o->categories == 1 || o->categories > BLN_LIKELIHOOD_THETA + 1)
        return cli_misuse(why, "--categories: at least 2, and at most %d", (int)BLN_LIKELIHOOD_THETA + 1);
    const int curved = o->method->traits & BLN_GLM_NEEDS_CURVATURE && !glm_by_batches(o);
    const int kinked = !strcmp(l.ops->name, "laplace") || l.level > 0.0;
    if (kinked && o->hyper && !curved)
        return cli_misuse(why, "--likelihood %s has no curvature for Laplace's evidence: leave --hyper laplace out", l.ops->name);
    if (kinked && curved)
        return cli_misuse(why, "--likelihood %s has no curvature for --inference %s: add --inference full, or mixture", l.ops->name,
                          o->method->name);
    return CLI_GOOD;
}

/* --starts is an option of some methods, and of the linear model. */
static int glm_check_starts(options *o, cli_why *why)
{
    const bln_option *starts = methods_option(o->method, "starts");
    if (o->starts < 2) return CLI_GOOD;
    if (!starts)
        return cli_misuse(why, "--starts is for --inference %s: the others begin at the mode of the weights, of which there is "
                               "one. Length scales may have several optima: give another start as length= in --basis",
                          methods_list("starts", 0, o->list));
    if (!options_asked(o, "components") && !options_asked(o, "start"))
        return cli_misuse(why, "--starts: a single component begins at the mode, of which there is one; add --components K, or "
                               "--start random");
    *(size_t *)(void *)((char *)o->own + starts->offset) = o->starts;
    return CLI_GOOD;
}

/* The options that were given, into the method's own desc. */
static int glm_check_own(options *o, cli_why *why)
{
    for (size_t k = 0; k < o->n_asked; k++) {
        const char *name = o->asked[k].name, *value = o->asked[k].value;
        const bln_option *option = methods_option(o->method, name);
        if (!option) return cli_misuse(why, "--%s is for --inference %s", name, methods_list(name, 0, o->list));
        const char *wanted = methods_set(option, value, o->own, o->list);
        if (wanted) return cli_misuse(why, "--%s wants %s, not \"%s\"", name, wanted, value);
        if (option->beside && !options_asked(o, option->beside))
            return cli_misuse(why, "--%s means nothing without --%s", name, option->beside);
    }
    return glm_check_starts(o, why);
}

/* The library's check of these options, with a constant as the basis; there are as yet no categories. */
static int glm_check_method(const options *o, cli_why *why)
{
    bln_glm_desc desc;
    bln_basis *constant = NULL;
    int status = CLI_GOOD;
    memset(&desc, 0, sizeof desc);
    if (bln_bias_create(NULL, &constant) != BLN_OK) return cli_fail(why, "out of memory");
    desc.basis = constant;
    status = glm_find(o, 3, &desc.likelihood, why);
    desc.method.ops = o->method->ops;
    desc.method.own = o->own;
    const char *wrong = status ? NULL : bln_glm_check(&desc);
    if (wrong) status = cli_misuse(why, "--inference %s: %s", o->method->name, strstr(wrong, ": ") + 2);
    bln_basis_free(constant);
    return status;
}

/* Checks the options of scores with rows left out. */
static int glm_check_loo(options *o, cli_why *why)
{
    const int point = o->method->traits & BLN_GLM_IS_POINT;
    const int mixture = o->method->traits & (BLN_GLM_IS_MIXTURE | BLN_GLM_IS_DRAWS);
    if ((o->loo || o->waic) && point)
        return cli_misuse(why, "%s: --inference %s has no posterior %s", o->loo ? "--loo" : "--waic", o->method->name,
                          o->loo ? "that a row could be left out of" : "to average over");
    if (o->loo_group && o->verb != VERB_CV && (mixture || o->loo_by == LOO_PSIS))
        return cli_misuse(why, "--loo-group is for --inference laplace, full or cavi, and not by draws");
    if (o->loo_by == LOO_CAVITY && mixture)
        return cli_misuse(why, "--loo-by cavity is for --inference laplace, full or cavi; mixtures and draws go by psis");
    return CLI_GOOD;
}

/* Refuses options for which the chosen method has no use. */
static int glm_check_inference(options *o, cli_why *why)
{
    const char *name = o->method->name;
    int status = glm_check_own(o, why);
    if (!status && o->tolerance > 0.0 && glm_by_batches(o))
        status = cli_misuse(why, "--tolerance is for searches over all rows: stochastic steps end when they stop getting on, or "
                                 "with --max-iterations");
    if (!status) status = glm_check_method(o, why);
    if (!status) status = glm_check_loo(o, why);
    if (!status && o->trace && !(o->method->traits & BLN_GLM_IS_DRAWS))
        status = cli_misuse(why, "--trace is for --inference %s: others draw nothing",
                            methods_list(NULL, BLN_GLM_IS_DRAWS, o->list));
    if (status || o->prior != CLI_PRIOR_FLAT) return status;
    if (!(o->method->traits & BLN_GLM_TAKES_FLAT))
        return cli_misuse(why, "--prior flat needs --inference %s: that of %s is by the size of a posterior beside its prior, and "
                          "a flat one has none", methods_list(NULL, BLN_GLM_TAKES_FLAT, o->list), name);
    return glm_by_batches(o) ? cli_misuse(why, "--prior flat goes with --inference %s, but not with --batch", name) : CLI_GOOD;
}

/* A likelihood makes the model a generalised linear one, unless it is the normal one. The default method is that of the library. */
void glm_choose_model(options *o)
{
    o->glm = o->likelihood && (strcmp(o->likelihood, "gaussian") || o->method || o->n_asked || options_given(o, CHOICE_HYPER));
    if (!o->glm) o->likelihood = NULL;
    if (!o->likelihood || o->method) return;
    o->method = methods_find(o->prior == CLI_PRIOR_FLAT ? "laplace" : "full");
    o->chosen = !o->n_asked && !options_given(o, CHOICE_HYPER);
}

int glm_check_options(options *o, cli_why *why)
{
    const char *what = o->glm ? glm_option_of_slm(o) : glm_option_of_glm(o);
    if (what && !o->glm)
        return cli_misuse(why, "--%s goes with --likelihood NAME (bayeslin help glm), and not with the linear model", what);
    if (what) return cli_misuse(why, "%s is for the linear model with normal noise, not for one of --likelihood", what);
    if (!o->glm) return CLI_GOOD;
    const int status = glm_check_inference(o, why);
    return status ? status : glm_check_likelihood(o, why);
}
