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

/* The coefficient table: name, mean, sd, lower, upper, units. all: every feature; else those that mean something (linear ones,
 * constants) or all of a small model. */
int summary_coefficients(const model *m, double interval, int all, const cli_answer *to, cli_why *why);

/* The same as a list to free, without intercepts. of: the output or class, "" where there is only one; input: the one whose slope
 * it is; BLN_NONE: of none, in units of standardised inputs. No rows where features differ with what the model averages over. */
typedef struct coefficient { char name[56], of[56]; double mean, sd, lower, upper; size_t input; } coefficient;
typedef struct coefficient_list { size_t n; coefficient *row; } coefficient_list;
int summary_list(const model *m, double interval, coefficient_list *out, cli_why *why);

#endif /* BAYESLIN_CLI_SUMMARY_H */
