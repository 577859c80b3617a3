#ifndef BAYESLIN_MANUAL_TABLES_H
#define BAYESLIN_MANUAL_TABLES_H
/* manual_tables - what the tables of verbs and of questions in src/manual.h say beyond what tools/amalgamate.c finds in src.
 * It stops with a message if a verb that two models share, or a question, is in no row, if a hole has no reason, or if a reason
 * has no hole. */

static const char *const models[] = { "slm", "slm_integrated", "sequential", "glm" };
static const char *const headings[] = { "slm", "integrated", "sequential", "glm" };
enum { N_MODELS = sizeof models / sizeof *models };

/* Each line is a row of the table: verbs that the same models have, with the same arguments. */
static const char *const verb_rows[] = {
    "defaults check", "size", "fit_size", "create", "free", "fit", "fit_source", "fit_statistics", "init", "init_source",
    "step finish", "converged abandon", "predict", "posterior basis theta rows", "prior_var", "noise_var", "evidence", "save",
    "load", "file_kind", "density_create", "density_free density_of", "density_start"
};
enum { N_VERB_ROWS = sizeof verb_rows / sizeof *verb_rows };

/* Why a model lacks a verb, or has it with other arguments than the first model of the table. "as _x" stands for the reason of an
 * earlier row, and is not printed again. A row needs reasons for its first verb. */
static const struct { const char *verb, *model, *why; } holes[] = {
    { "size", "slm_integrated", "the data decide how many nodes are kept" },
    { "fit_size", "slm_integrated", "as _size" },
    { "fit_size", "sequential", "nothing is allocated after _create" },
    { "fit", "sequential", "rows come by _add" },
    { "fit_source", "sequential", "_add each block" },
    { "fit_statistics", "sequential", "a triangle of rows is what it keeps: _merge" },
    { "fit_statistics", "glm", "only normal noise has sufficient statistics" },
    { "init", "slm_integrated", "closed form and quadrature, no search" },
    { "init", "sequential", "nothing to search for" },
    { "init_source", "slm_integrated", "as _init" },
    { "init_source", "sequential", "as _init" },
    { "step", "slm_integrated", "as _init" },
    { "step", "sequential", "as _init" },
    { "converged", "slm_integrated", "as _init" },
    { "converged", "sequential", "as _init" },
    { "prior_var", "slm_integrated", "a ratio for each node: _node" },
    { "noise_var", "slm_integrated", "one for each node: _node" },
    { "noise_var", "glm", "_likelihood_theta" },
    { "evidence", "glm", "_objective, the method's approximation of it" },
    { "load", "sequential", "(model, r): its rows, into a model of the same desc" },
    { "file_kind", "sequential", "without its basis it is no model file" },
    { "density_create", "slm_integrated", "it is integrated already" },
    { "density_create", "sequential", "of hyper-parameters that are held" },
    { "density_free", "slm_integrated", "as _density_create" },
    { "density_free", "sequential", "as _density_create" },
    { "density_start", "slm_integrated", "as _density_create" },
    { "density_start", "sequential", "as _density_create" }
};
enum { N_HOLES = sizeof holes / sizeof *holes };

/* What can be asked of a posterior, by the kinds of components that can answer. Each bln_posterior_x, but x_work, is here. */
static const struct { const char *names, *kinds, *why; } questions[] = {
    { "check size save load free file_kind predict latent logdensities cdfs pits quantiles intervals slopes draws", "all", "" },
    { "draw_weights coefficients covariance", "all", "of groups with the same theta, else weights are of different features" },
    { "loglikelihoods waic", "all", "of one latent" },
    { "loo", "all", "of one latent; of several, a gaussian whose T is a multiple of the noise; not of a single point" },
    { "loo_groups", "gaussian", "others have no factor to take rows out of; of several latents as _loo" }
};
enum { N_QUESTIONS = sizeof questions / sizeof *questions };

#endif /* BAYESLIN_MANUAL_TABLES_H */
