#ifndef BAYESLIN_CLI_SUMMARY_H
#define BAYESLIN_CLI_SUMMARY_H
#include "model.h"
#include <stdio.h>
/* summary - what a model has learnt, in lines: figures first, then prior standard deviations and basis parameters by name.
 * interval: probability of the intervals of what was integrated out. */
void summary_print(const model *m, double interval, FILE *file);

/* The coefficient table: name, mean, sd, lower, upper, units. o->all: every feature; else those that mean something (coefficients
 * of inputs, constants) or all of a small model; with --reference and --contrast. */
int summary_coefficients(const model *m, const options *o, FILE *file, cli_why *why);

/* Their covariance as CSV: a header of names, then a line for each with its name first. */
int summary_covariance(const model *m, const options *o, FILE *file, cli_why *why);

#endif /* BAYESLIN_CLI_SUMMARY_H */
