#ifndef BAYESLIN_CLI_EVIDENCE_H
#define BAYESLIN_CLI_EVIDENCE_H
#include "model.h"
/* evidence - `plot --show evidence --x degree`: the model fitted anew for each degree of its polynomial
 *
 * The term linear is one of degree 1. Everything else is as the model has it. Prints a table and draws o->output. m: its columns
 * are lent to the fits, and gone after a failure. */
int evidence_degree(const options *o, model *m, cli_why *why);

#endif /* BAYESLIN_CLI_EVIDENCE_H */
