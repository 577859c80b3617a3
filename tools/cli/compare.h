#ifndef BAYESLIN_CLI_COMPARE_H
#define BAYESLIN_CLI_COMPARE_H
#include "answer.h"
#include "model.h"
/* compare - models of the same rows, beside each other: what may be compared, differences, and what to say of them */

typedef struct compared {
    const char *name;                      /* of its file, or its SPEC                                          */
    model       m;
    size_t      n, *row;                   /* rows left out, by their place in the table; NULL: none were       */
    double     *logp;                      /* log density of each, NaN where the others say nothing             */
    double      inside, seconds;           /* targets in their intervals (NaN: of no use); NaN: not fitted here */
    size_t      doubtful;                  /* rows that stand nearly alone                                      */
    const char *without;                   /* why no rows can be left out, or NULL                              */
    double      elpd, se, diff, diff_se;   /* of the rows that all models predict; less the best one            */
} compared;

typedef struct comparison { size_t n, common; compared *one; } comparison;

/* A model more, yet to be filled; pointers to those before do not stay. */
compared *comparison_add(comparison *all, const char *name);
void      comparison_free(comparison *all);

/* May model k stand beside the first one? Fails with what is not the same: target, rows, means of columns that both have, densities
 * beside probabilities; and for more than one target. A model file knows no more of its rows. */
int comparison_check(const comparison *all, size_t k, cli_why *why);

/* Are these the rows that the model was trained on, as far as it knows? */
int compared_is_table(const compared *one, const bln_data *rows, const char *table, cli_why *why);

/* Leaves each of them out; row: their places. A model that cannot is told so in `without`. */
int compared_leave_out(compared *one, const bln_data *rows, const size_t *row, cli_why *why);

/* The table, best first, and the sentence. rows: were some left out? Else evidences are all there is. */
int comparison_print(comparison *all, int rows, const cli_answer *to, cli_why *why);

#endif /* BAYESLIN_CLI_COMPARE_H */
