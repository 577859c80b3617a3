#ifndef BAYESLIN_CLI_MODEL_PARTS_H
#define BAYESLIN_CLI_MODEL_PARTS_H
#include "model.h"
#include "prior.h"
/* model_parts - the steps of model_fit, for fits whose rows are not all in memory */

/* A model with columns (which it owns, also on failure; free it with model_free), numbers from the options and of n rows, and
 * nothing learnt. */
int model_begin(const options *o, cli_columns *cols, size_t n, double weight, model *out, cli_why *why);

/* Takes from the options how variances are learnt: a choice of the fit, not of statistics. */
void model_take_choices(const options *o, model *m);

/* Makes the basis and the priors, and decides whether to standardise. at_hand: rows in memory; 0: they come in blocks. */
int model_make_basis(const options *o, size_t at_hand, model *m, prior *prior_of, cli_why *why);

/* The prior of m->basis's weights for a linear model, by --prior: which variances are learnt, flat or given (prior.h). */
int model_choose_prior(const model *m, uint32_t choice, int integrate, prior *out, cli_why *why);

/* Makes the basis again from rows in its units, for terms that choose points from them. */
int model_choose_points(const options *o, const bln_data *rows, model *m, cli_why *why);

/* Moments of n raw rows, with offsets subtracted from targets, into m and its scaler. some: some of these rows, or none, in which a
 * message looks for the largest number. */
int model_learn_scale(const bln_source *raw, size_t n, const bln_data *some, model *m, cli_why *why);

/* Learns the scaler from raw rows. seen: the rows in the model's units; learnt: raw, with offsets subtracted. The caller frees
 * room. */
typedef struct model_rows { double *room; bln_data learnt, seen; } model_rows;
int model_see(const options *o, const bln_data *raw, model *m, model_rows *out, cli_why *why);

/* Decides whether the model uses that scaler, or one that changes nothing. */
int model_use_scale(model *m, cli_why *why);

/* CLI_USAGE: --arithmetic, --optimiser or --residual does not fit this basis. theta_stays: are its parameters not learnt? */
int model_check_choices(const model *m, int theta_stays, cli_why *why);

/* Fails if this many rows (by weight) cannot determine the weights with a flat prior. */
int model_enough(const prior *prior_of, double rows, const model *m, cli_why *why);

/* The note of a search that ended at a bound. */
void model_note_bound(const bln_report *report);

/* The desc for n rows of this weight, with the progress as its monitor. */
bln_slm_desc model_desc(const options *o, const model *m, const prior *prior_of, size_t n, double weight, progress *p);

/* The reason of a failed fit. data: rows in the model's units, raw: the same unchanged; both may be only some of them, or none. */
int model_failed(bln_status status, const bln_report *report, const bln_data *data, const prior *prior_of, const model *m,
                 const bln_data *raw, cli_why *why);

double model_total_weight(const bln_data *data);

#endif /* BAYESLIN_CLI_MODEL_PARTS_H */
