#ifndef BAYESLIN_CLI_CALIBRATE_H
#define BAYESLIN_CLI_CALIBRATE_H
#include "model.h"
#include "rows.h"
/* calibrate - --calibrate: the number of standard deviations of an interval is found from the training rows, each predicted by a
 * model of the others (learnt variances and basis parameters stay); see >>conformal in bayeslin.h */

/* Calibrates the intervals of the model. rows: those of the fit, raw. A row of weight k counts as k rows; with groups, whole groups
 * are left out, and each counts as one. Rows that the others cannot predict are not used, and a note says so. */
int calibrate(model *m, const cli_rows *rows, cli_why *why);

/* A note if the model is calibrated, but by too few rows for intervals of this probability. */
void calibrate_note(const model *m, double interval);

/* The number of rows, or groups, that intervals of this probability need. */
double calibrate_needs(double interval);

#endif /* BAYESLIN_CLI_CALIBRATE_H */
