#ifndef BAYESLIN_CLI_FIGURES_H
#define BAYESLIN_CLI_FIGURES_H
#include "model.h"
#include "rows.h"
#include "sheet.h"
/* figures - the columns that `predict` and `cv -o` write for rows
 *
 * For each target: mean, sd, sd_latent, lower, upper; for a generalised linear model lower_mean, upper_mean too. For a model of a
 * quantile, which does not predict new targets: quantile, sd_quantile and its interval. For two classes also the more probable one;
 * for more or ordered classes the probability of each too. */
typedef struct figures {
    size_t  n, P, count, classes, S;          /* rows, targets, figures of a target, classes (0: none), draws     */
    const char *const *names;                 /* count: names of the figures                                      */
    int     several;                          /* are there more than two classes, or ordered ones?                */
    int     first;                            /* does the class come before all other columns?                    */
    double *figure;                           /* n x P x count                                                    */
    double *probability, *guess;              /* n x classes; n: the most probable class                          */
    double *draw;                             /* S x n x P                                                        */
    char  **label;                            /* names of the classes                                             */
} figures;

/* Figures of raw rows. file: its name, for a message. _draw adds S draws. */
int  figures_make(const model *m, const cli_rows *rows, const char *file, double interval, figures *out, cli_why *why);
int  figures_draw(const model *m, const bln_data *rows, size_t S, uint64_t seed, figures *to, cli_why *why);
void figures_free(figures *r);                /* a zeroed one is fine too */

/* Appends the rows of another model of the same targets, without draws; `to` may be all zero. 0: its columns differ. */
int  figures_append(figures *to, const figures *more);

/* Adds the columns, which point into r, to a sheet: NAME, or NAME_target if there are several targets; then those of classes, and
 * draw_1, .... All columns of the first target come before those of the second. */
void figures_columns(sheet *s, const figures *r, char *const *targets);

/* Adds the column NAME, or NAME_target if P > 1. */
void figures_column(sheet *s, size_t P, const char *name, const char *target, const double *value, size_t stride);

#endif /* BAYESLIN_CLI_FIGURES_H */
