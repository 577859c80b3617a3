#ifndef BAYESLIN_CLI_EVIDENCE_H
#define BAYESLIN_CLI_EVIDENCE_H
#include "model.h"
/* evidence - `plot --show evidence --x degree`: the model is fitted anew for each degree of its polynomial
 *
 * The term linear has degree 1. Everything else is as in the model. Prints a table and draws o->output. The fits borrow m's
 * columns, which are freed after a failure. */
int evidence_degree(const options *o, model *m, cli_why *why);

#endif /* BAYESLIN_CLI_EVIDENCE_H */
