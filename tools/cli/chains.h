#ifndef BAYESLIN_CLI_CHAINS_H
#define BAYESLIN_CLI_CHAINS_H
#include "bayeslin.h"
#include "why.h"
/* chains - draws of a sampler, from tables in files (bln_chains_read_csv), or from a model that holds some */

/* The chains of all files, one after the other; they must have the same columns, and as many draws. bln_chains_free then. */
int chains_read(size_t n, const char *const *files, bln_chains **out, cli_why *why);

#endif /* BAYESLIN_CLI_CHAINS_H */
