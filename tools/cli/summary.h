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

/* The coefficient table: name, mean, sd, lower, upper, units. all: every feature; else those that mean something (linear ones,
 * constants) or all of a small model. */
int summary_coefficients(const model *m, double interval, int all, const cli_answer *to, cli_why *why);

#endif /* BAYESLIN_CLI_SUMMARY_H */
