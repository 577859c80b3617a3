#ifndef BAYESLIN_CLI_GLM_H
#define BAYESLIN_CLI_GLM_H
#include "model_parts.h"
#include "model.h"
#include "rows.h"
/* glm - the generalised linear model (--likelihood) inside the tool's model
 *
 * Inputs are standardised as those of the linear model are. So is a real target (Gaussian, Student-t, Laplace): these likelihoods
 * are the same in every unit, and a prior around 0 is fair only near 0. A target of whole numbers stays as it is; its offset is
 * added to f. */

/* The likelihood for these rows: an ordinal one has --categories, or as many as there are rows for, one of classes theirs. */
int glm_likelihood(const options *o, const cli_columns *c, const bln_data *rows, bln_likelihood *out, cli_why *why);

/* Fails with the place and the reason if a target is outside the domain. data: of rows[] of the table. */
int glm_check_rows(const bln_likelihood *l, const cli_columns *c, const csv_table *table, const size_t *at, const size_t *rows,
                   const bln_data *data, cli_why *why);

/* Does the model standardise its target? Not if it is of whole numbers. */
int glm_scales_target(const model *m);

/* What the options say of the model; the progress is made its monitor. */
bln_glm_desc glm_desc(const options *o, const prior *prior_of, const model *m, progress *p);

/* Learns from rows as the model sees them. */
int glm_learn(const options *o, const bln_data *data, const prior *prior_of, progress *p, model *m, cli_why *why);

/* Notes on what was fitted to these raw rows: one class alone, counts that are all 0, ordered categories that none of them is in,
 * and a first cut that a constant with a flat prior stands for. */
void glm_notes(const model *m, const bln_data *rows);

enum { GLM_DRAWS = 4000 };                                     /* of f, for a row left out by draws, and for WAIC */

/* Do its rows leave by draws? by: a cli_loo. */
int glm_by_psis(const model *m, int by);

/* Components of a mixture without correlations, or draws that a posterior consists of, 0: it is neither; draws of f of a row that
 * it is asked for; a single point, rather than a distribution? */
size_t glm_mixture(const model *m);
size_t glm_draws(const model *m);
int glm_is_point(const model *m);

/* The level of the quantile that f is, by asymmetric_laplace; 0 of any other model. */
double glm_quantile(const model *m);

/* The widely applicable information criterion of the raw rows of the fit, in the units of the data. */
int glm_waic(const model *m, const bln_data *rows, bln_elpd *total, cli_why *why);

/* P(y = k) of each class k, n x glm_classes(m), at raw rows. */
int glm_class_probabilities(const model *m, const bln_data *rows, double *out, cli_why *why);

/* Likelihood parameter k in the units of the data. */
double glm_parameter(const model *m, size_t k);

/* What a weight is worth, as in "log odds"; the target for a real one. */
const char *glm_scale_name(const model *m);

/* A note of groups that were not seen, if their mean may be infinite. */
void glm_note_unseen(const model *m);

/* Latents of the likelihood; 1 for models of another kind. */
size_t glm_latents(const model *m);

/* Classes of a categorical likelihood, categories of an ordinal one, 2 of a binomial one without trials, else 0. */
size_t glm_classes(const model *m);

#endif /* BAYESLIN_CLI_GLM_H */
