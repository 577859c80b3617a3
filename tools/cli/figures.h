#ifndef BAYESLIN_CLI_FIGURES_H
#define BAYESLIN_CLI_FIGURES_H
#include "model.h"
#include "rows.h"
#include "sheet.h"
/* figures - what `predict` and `cv -o` write of rows, as columns of a sheet
 *
 * Of each target mean, sd, sd_latent, lower, upper, and of a generalised linear model lower_mean, upper_mean; of a model of a
 * quantile, which says nothing of new targets, quantile, sd_quantile and its interval. Of two classes also the more probable one,
 * of several and of ordered ones the probability of each as well. */
typedef struct figures {
    size_t  n, P, count, classes, S;          /* rows, targets, figures of each, classes (0: none), draws         */
    const char *const *names;                 /* of the figures                                                   */
    int     several;                          /* classes that are more than two, or ordered: they are asked for   */
    int     first;                            /* does the class come before all else?                             */
    double *figure;                           /* n x P x count                                                    */
    double *probability, *guess;              /* n x classes; the most probable one                               */
    double *draw;                             /* S x n x P                                                        */
    char  **label;                            /* what classes are called                                          */
} figures;

/* Of raw rows. file: theirs, for a message. */
int  figures_make(const model *m, const cli_rows *rows, const char *file, double interval, figures *out, cli_why *why);
int  figures_draw(const model *m, const bln_data *rows, size_t S, uint64_t seed, figures *to, cli_why *why);
void figures_free(figures *r);                /* a zeroed one is fine too */

/* Adds the rows of another model of the same targets, without draws; to may be all zero. 0: its columns are not the same. */
int  figures_append(figures *to, const figures *more);

/* Adds the columns, which point into r. NAME of the only target; NAME_target of one of several. Then those of classes, and
 * draw_1,...; of several targets those of the first, then those of the second. */
void figures_columns(sheet *s, const figures *r, char *const *targets);

/* The name of a column of target k. */
void figures_column(sheet *s, size_t P, const char *name, const char *target, const double *value, size_t stride);

#endif /* BAYESLIN_CLI_FIGURES_H */
