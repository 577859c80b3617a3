#ifndef BAYESLIN_CLI_COMPARE_H
#define BAYESLIN_CLI_COMPARE_H
#include "answer.h"
#include "model.h"
/* compare - several models of the same rows: which may be compared, their differences, and the sentence about them */

typedef struct compared {
    const char *name;                      /* name of its file, or its SPEC                                     */
    model       m;
    size_t      n, *row;                   /* rows that were left out, and their places in the table; NULL: none */
    double     *logp;                      /* n: log density of each, NaN where the other rows do not determine it */
    double      inside, seconds;           /* share of targets in their intervals (NaN: not meaningful); seconds of the fit
                                              (NaN: not fitted here)                                            */
    size_t      doubtful;                  /* rows that the other rows hardly determine                         */
    const char *without;                   /* why no rows can be left out, or NULL                              */
    double      elpd, se, diff, diff_se;   /* over rows that all models predict; difference from the best model; standard errors */
} compared;

typedef struct comparison { size_t n, common; compared *one; } comparison;

/* Adds a model, which the caller fills in; pointers to earlier ones become invalid. */
compared *comparison_add(comparison *all, const char *name);
void      comparison_free(comparison *all);

/* May model k be compared with the first? Fails if targets, numbers of rows, or means of common columns differ, if one has
 * densities and the other probabilities, or if there is more than one target. A model file knows no more of its rows. */
int comparison_check(const comparison *all, size_t k, cli_why *why);

/* Are these the rows that the model was trained on, as far as it knows? */
int compared_is_table(const compared *one, const bln_data *rows, const char *table, cli_why *why);

/* Leaves out each of the rows; row: their places. If the model cannot do that, `without` says why. */
int compared_leave_out(compared *one, const bln_data *rows, const size_t *row, cli_why *why);

/* Prints the table, best model first, and the sentence. rows: were rows left out? Else models are compared by evidence alone. */
int comparison_print(comparison *all, int rows, const cli_answer *to, cli_why *why);

#endif /* BAYESLIN_CLI_COMPARE_H */
