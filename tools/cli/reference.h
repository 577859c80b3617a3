#ifndef BAYESLIN_CLI_REFERENCE_H
#define BAYESLIN_CLI_REFERENCE_H
#include "answer.h"
#include "library.h"
/* reference - compares draws with draws that are known to be right: do means and standard deviations differ by chance only? */

/* The largest difference that passes, in standard errors; by chance 1 of 16,000 numbers exceeds it. */
#define REFERENCE_FAR 4.0

/* Prints a table of the parameters that both have, then a sentence. theta.1.2, as in Stan's files, is the same name as theta[1,2].
 * CLI_DOUBT: a number differs by more than that, or has no standard error.  CLI_FAILED: no parameter in common. */
int reference_compare(const bln_chains *draws, const bln_summary *of, const bln_chains *reference, const cli_answer *to,
                      cli_why *why);

#endif /* BAYESLIN_CLI_REFERENCE_H */
