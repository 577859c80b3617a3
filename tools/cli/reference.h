#ifndef BAYESLIN_CLI_REFERENCE_H
#define BAYESLIN_CLI_REFERENCE_H
#include "answer.h"
#include "library.h"
/* reference - draws beside draws that are known to be right: are means and standard deviations the same but for chance? */

/* How far both may be apart, in standard errors: by chance 1 of 16,000 numbers is farther. */
#define REFERENCE_FAR 4.0

/* A table of the parameters that both have, then a sentence. Names of Stan's files, theta.1.2, are those of theta[1,2].
 * CLI_DOUBT: a number is farther away than that, or has no standard error.  CLI_FAILED: not one parameter in common. */
int reference_compare(const bln_chains *draws, const bln_summary *of, const bln_chains *reference, const cli_answer *to,
                      cli_why *why);

#endif /* BAYESLIN_CLI_REFERENCE_H */
