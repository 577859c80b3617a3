#ifndef BAYESLIN_CLI_CHAINS_H
#define BAYESLIN_CLI_CHAINS_H
#include "model.h"
/* chains - draws of a sampler, from tables in files (bln_chains_read_csv), or from a model that holds some */

/* The chains of all files, one after the other; files must have the same columns and numbers of draws. Free with
 * bln_chains_free. */
int chains_read(size_t n, const char *const *files, bln_chains **out, cli_why *why);

/* The chains in the bytes of a file of JSON, as posteriordb writes it: [{"name": [draw, ...], ...}, ...], a {} for each chain. */
int chains_is_json(const char *bytes, size_t n);                 /* Do they begin with a [, after blanks and a byte order mark? */
int chains_json(const char *path, const char *bytes, size_t n, bln_chains **out, cli_why *why);

/* A copy of all draws that a model holds, with names such as w[age] in place of w[2]. Free with bln_chains_free. */
int chains_named(const model *m, bln_chains **out, cli_why *why);

#endif /* BAYESLIN_CLI_CHAINS_H */
