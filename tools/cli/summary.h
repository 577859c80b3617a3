#ifndef BAYESLIN_CLI_SUMMARY_H
#define BAYESLIN_CLI_SUMMARY_H
#include "model.h"
/* summary - what a model has learnt, in lines: figures first, then prior standard deviations and basis parameters by name; in JSON
 * members of the object that is open (docs/json.md).
 * interval: probability of the intervals of what was integrated out. */
void summary_print(const model *m, double interval, const cli_answer *to);

/* The log evidence (of a point the log density) in the units of the data; how many weights with a flat prior are integrated out of
 * it; and by what: the objective of a method of glm, "integrated", or "learnt". */
typedef struct summary_logp { double value; int point; size_t flat; const char *by; } summary_logp;
summary_logp summary_evidence_of(const model *m);

/* A log evidence that the fit saw, of targets in the units of the data; of a point their log density. */
double summary_nats(const model *m, double evidence);

/* What takes parameter k of the basis to the units of the data; 0: it is one of standardised inputs, and has none. */
double summary_unit(const model *m, size_t k);

/* The coefficient table: name, mean, sd, lower, upper, units. o->all: every feature; else those that mean something (coefficients
 * of inputs, constants) or all of a small model; with --reference and --contrast. */
int summary_coefficients(const model *m, const options *o, cli_why *why);

/* The same as a list to free, without intercepts. of: the output or class, "" where there is only one; of_inputs: in the units of
 * the data, not of standardised inputs. No rows where features differ with what the model averages over. */
typedef struct coefficient { char name[120], of[56]; double mean, sd, lower, upper; int of_inputs; } coefficient;
typedef struct coefficient_list { size_t n; coefficient *row; } coefficient_list;
int summary_list(const model *m, double interval, coefficient_list *out, cli_why *why);

/* Their covariance as CSV: a header of names, then a line for each with its name first. */
int summary_covariance(const model *m, const options *o, FILE *file, cli_why *why);

#endif /* BAYESLIN_CLI_SUMMARY_H */
