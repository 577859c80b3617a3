#ifndef BAYESLIN_CLI_GLM_H
#define BAYESLIN_CLI_GLM_H
#include "model_parts.h"
#include "model.h"
#include "rows.h"
/* glm - the generalised linear model (--likelihood) inside the tool's model
 *
 * Inputs are standardised like those of the linear model. So is a real target (Gaussian, Student-t, Laplace): these likelihoods do
 * not depend on its unit, and a prior around 0 suits only targets near 0. A target of whole numbers is not changed; its offset is
 * added to f. */

/* The likelihood for these rows. The number of categories of an ordinal one is --categories or follows from the rows; that of
 * classes is c's. */
int glm_likelihood(const options *o, const cli_columns *c, const bln_data *rows, bln_likelihood *out, cli_why *why);

/* Fails with the place and the reason if a target is outside the domain. data: the numbers of rows[] of the table. */
int glm_check_rows(const bln_likelihood *l, const cli_columns *c, const csv_table *table, const size_t *at, const size_t *rows,
                   const bln_data *data, cli_why *why);

/* Does the model standardise its target? Not one of whole numbers. */
int glm_scales_target(const model *m);

/* The desc of the model by the options, with the progress as its monitor. */
bln_glm_desc glm_desc(const options *o, const prior *prior_of, const model *m, progress *p);

/* Fits the model to rows in its own units. */
int glm_learn(const options *o, const bln_data *data, const prior *prior_of, progress *p, model *m, cli_why *why);

/* Notes on what was fitted to these raw rows: only one class; counts that are all 0; ordered categories without rows; a constant
 * with a flat prior that takes the place of the first cut. */
void glm_notes(const model *m, const bln_data *rows);

enum { GLM_DRAWS = 4000 };                                     /* draws of f for a row left out by draws, and for WAIC */

/* Are rows of this model left out by draws? by: a cli_loo. */
int glm_by_psis(const model *m, int by);

/* glm_mixture: the number of components of a mixture of diagonal Gaussians, or of draws; 0 for other posteriors. glm_draws: draws
 * of f of a row that are made for this model. glm_is_point: is the posterior a single point? */
size_t glm_mixture(const model *m);
size_t glm_draws(const model *m);
int glm_is_point(const model *m);

/* With asymmetric_laplace the level of the quantile f; 0 for any other model. */
double glm_quantile(const model *m);

/* The widely applicable information criterion of the raw rows of the fit, in the units of the data. */
int glm_waic(const model *m, const bln_data *rows, bln_elpd *total, cli_why *why);

/* P(y = k) of each class k, n x glm_classes(m), at raw rows. */
int glm_class_probabilities(const model *m, const bln_data *rows, double *out, cli_why *why);

/* Likelihood parameter k in the units of the data. */
double glm_parameter(const model *m, size_t k);

/* The unit of f, such as "log odds"; the name of a real target. */
const char *glm_scale_name(const model *m);

/* A note that the mean of unseen groups may be infinite, if it may. */
void glm_note_unseen(const model *m);

/* Latents of the likelihood; 1 for models of another kind. */
size_t glm_latents(const model *m);

/* Classes of a categorical likelihood, categories of an ordinal one, 2 of a binomial one without trials, else 0. */
size_t glm_classes(const model *m);

#endif /* BAYESLIN_CLI_GLM_H */
