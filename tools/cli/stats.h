#ifndef BAYESLIN_CLI_STATS_H
#define BAYESLIN_CLI_STATS_H
#include "stream.h"
/* stats - sufficient statistics on disk, which can be merged: `bayeslin stats` writes them, `merge` and `fit --from-stats` read
 * them
 *
 *     bytes 89 'B' 'L' 'S' 0D 0A 1A 0A · u32 version (1; 2 with triangles) · the tool's own part of a model file (model_file.c),
 *     of the rows in it · the scaler (src/use/scaler.c) · the basis (bln_basis_save) · u64 n_theta, f64 x n_theta
 *     u32 0 sums, 1 in three doubles, 2 triangles · the statistics (src/linear/statistics.c) · u64 FNV-1a checksum of all before
 *
 * Basis, its parameters and the scaling are the same in all parts that are to be merged: the first is made from options, or like a
 * model, the others like the first. */
typedef struct stats {
    model           m;         /* columns, scaler, basis, and figures of the rows; nothing is learnt */
    const double   *theta;     /* basis parameters, which m's model or `own` holds                   */
    double         *own;
    bln_slm_arithmetic arithmetic;     /* never auto                                                 */
    bln_statistics *t;
} stats;

/* Statistics of no rows: by the options and the rows of a stream, whose columns they own from then on; or like the file of
 * --like. */
int  stats_of_rows(const options *o, stream *s, stats *out, cli_why *why);
int  stats_like(const char *path, stats *out, cli_why *why);

/* Adds the rows of a stream that has the columns of the statistics. */
int  stats_add(stats *to, stream *s, cli_why *why);

/* to <- to + from. Fails if their columns, scaling, basis or parameters differ; the names are those of their files. */
int  stats_merge(stats *to, const stats *from, const char *to_name, const char *from_name, cli_why *why);

/* Fits a model to the statistics and takes parts of them over; after it they can only be freed by stats_free. */
int  stats_fit(const options *o, stats *from, progress *p, model *out, cli_why *why);

/* Prints what they contain; path: their file. */
void stats_print(const stats *s, const char *path, const cli_answer *to);

int  stats_save(const stats *s, const char *path, cli_why *why);
int  stats_load(const char *path, stats *out, cli_why *why);
void stats_free(stats *s);

#endif /* BAYESLIN_CLI_STATS_H */
