#ifndef BAYESLIN_CLI_CALIBRATE_H
#define BAYESLIN_CLI_CALIBRATE_H
#include "model.h"
#include "rows.h"
/* calibrate - --calibrate: intervals go out by as many standard deviations as the training rows say, each as it is predicted by a
 * model of the others (learnt variances and basis parameters stay): see >>conformal in bayeslin.h */

/* Gives the model what its intervals take from then on. rows: those of the fit, raw. Weight k counts as k rows; with groups whole
 * groups are left out, and each counts as one. A note says if some rows cannot be predicted from the others, and play no part. */
int calibrate(model *m, const cli_rows *rows, cli_why *why);

/* A note if the model is calibrated, but by too few rows for intervals of this probability. */
void calibrate_note(const model *m, double interval);

/* Rows, or groups, that intervals of this probability need. */
double calibrate_needs(double interval);

#endif /* BAYESLIN_CLI_CALIBRATE_H */
