#ifndef BAYESLIN_CLI_SUMMARY_H
#define BAYESLIN_CLI_SUMMARY_H
#include "model.h"
/* summary - prints what a model has learnt: figures first, then prior standard deviations and basis parameters by name; in JSON as
 * members of the open object (docs/json.md). interval: probability of the intervals of parameters that were integrated out. */
void summary_print(const model *m, double interval, const cli_answer *to);

/* value: the log evidence in the units of the data; point: is it the log density of a point instead? flat: the number of weights
 * with a flat prior that it integrates out; by: its kind, the objective of a method of glm, "integrated", or "learnt". */
typedef struct summary_logp { double value; int point; size_t flat; const char *by; } summary_logp;
summary_logp summary_evidence_of(const model *m);

/* Converts a log evidence of the fit, or a point's log density, to targets in the units of the data. */
double summary_nats(const model *m, double evidence);

/* The factor that converts parameter k of the basis to the units of the data; 0: none, as for a length scale over several
 * inputs. */
double summary_unit(const model *m, size_t k);

/* Prints the coefficient table: name, mean, sd, lower, upper, units. o->all: every feature; else those with a meaning (coefficients
 * of inputs, constants), or all of a small model. --reference and --contrast apply. */
int summary_coefficients(const model *m, const options *o, cli_why *why);

/* The same as a list, whose rows the caller frees, without intercepts. table: of which output, class or latent it is; of: its
 * name, "" if there is only one; of_inputs: is it in the units of the data, not of standardised inputs? There are no rows if the
 * model averages over different features. */
typedef struct coefficient { size_t table; char name[240], of[56]; double mean, sd, lower, upper; int of_inputs; } coefficient;
typedef struct coefficient_list { size_t n; coefficient *row; } coefficient_list;
int summary_list(const model *m, double interval, coefficient_list *out, cli_why *why);

/* Writes the covariance of the coefficients as CSV: a header of names, then a line for each, which begins with its name. */
int summary_covariance(const model *m, const options *o, FILE *file, cli_why *why);

#endif /* BAYESLIN_CLI_SUMMARY_H */
