#ifndef BAYESLIN_CLI_MODEL_PARTS_H
#define BAYESLIN_CLI_MODEL_PARTS_H
#include "model.h"
#include "prior.h"
/* model_parts - the steps of model_fit, for fits whose rows are not all in memory */

/* A model with columns (taken over, also on failure; model_free then), figures of the options and of n rows, and nothing learnt. */
int model_begin(const options *o, cli_columns *cols, size_t n, double weight, model *out, cli_why *why);

/* How to learn variances, as the options say: a choice of the fit, not of statistics. */
void model_take_choices(const options *o, model *m);

/* Basis, priors, and whether to standardise. at_hand: rows that are there all together; 0: none. */
int model_make_basis(const options *o, size_t at_hand, model *m, prior *prior_of, cli_why *why);

/* The prior of m->basis's weights for a linear model, by --prior: what is learnt, flat or given, see >>prior. */
int model_choose_prior(const model *m, uint32_t choice, int integrate, prior *out, cli_why *why);

/* The basis made again, once there are rows in its units: some terms choose points from them. */
int model_choose_points(const options *o, const bln_data *rows, model *m, cli_why *why);

/* Moments of n raw rows, whose targets are without their offsets, into m and its scaler. some: of these rows, or none, for the
 * largest number of a message. */
int model_learn_scale(const bln_source *raw, size_t n, const bln_data *some, model *m, cli_why *why);

/* The scaler of these raw rows, and they as the model sees them; learnt: as they came, but without offsets. room: to be freed. */
typedef struct model_rows { double *room; bln_data learnt, seen; } model_rows;
int model_see(const options *o, const bln_data *raw, model *m, model_rows *out, cli_why *why);

/* The scaler that the model will use: that one, or one that changes nothing. */
int model_use_scale(model *m, cli_why *why);

/* CLI_USAGE: --arithmetic, --optimiser or --residual is nothing for this basis. theta_stays: its parameters are not learnt. */
int model_check_choices(const model *m, int theta_stays, cli_why *why);

/* Fails if so many rows (by weight) do not determine the weights with a flat prior. */
int model_enough(const prior *prior_of, double rows, const model *m, cli_why *why);

/* The note of a search that ended at a bound. */
void model_note_bound(const bln_report *report);

/* For n rows of this weight; the progress is made its monitor. */
bln_slm_desc model_desc(const options *o, const model *m, const prior *prior_of, size_t n, double weight, progress *p);

/* What a fit that failed has to say. data: rows as the model sees them, raw: as they came; both may be some of them, or none. */
int model_failed(bln_status status, const bln_report *report, const bln_data *data, const prior *prior_of, const model *m,
                 const bln_data *raw, cli_why *why);

double model_total_weight(const bln_data *data);

#endif /* BAYESLIN_CLI_MODEL_PARTS_H */
