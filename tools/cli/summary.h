#ifndef BAYESLIN_CLI_SUMMARY_H
#define BAYESLIN_CLI_SUMMARY_H
#include "model.h"
#include <stdio.h>
/* summary - what a model has learnt, in lines: figures first, then prior standard deviations and basis parameters by name.
 * interval: probability of the intervals of what was integrated out. */
void summary_print(const model *m, double interval, FILE *file);

/* The coefficient table: name, mean, sd, lower, upper, units. all: every feature; else those that mean something (linear ones,
 * constants) or all of a small model. */
int summary_coefficients(const model *m, double interval, int all, FILE *file, cli_why *why);

#endif /* BAYESLIN_CLI_SUMMARY_H */
