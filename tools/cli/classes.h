#ifndef BAYESLIN_CLI_CLASSES_H
#define BAYESLIN_CLI_CLASSES_H
#include "frame.h"
#include "model.h"
/* classes - what is predicted, scored and drawn of a target that is one of several classes (--likelihood categorical) */

/* Their number; 0 for a model of anything else. */
size_t classes_of(const model *m);

/* What class k is called in the table; its number where the model knows no names. */
const char *classes_name(const model *m, size_t k, cli_shown *room);

/* The same, as it is, for programs. */
const char *classes_text(const model *m, size_t k, cli_shown *room);

/* score: log loss, error rate and Brier score into their places of SCORE_COUNT figures; the others are NaN. rows: raw. */
int classes_score(const model *m, const bln_data *rows, double *out, cli_why *why);

/* score: how many rows of each class the model takes for which; of two and of ordered classes too. */
int classes_confusion(const model *m, const bln_data *rows, const cli_answer *to, cli_why *why);

/* plot: the probability of each class over one input, or, where y is not NULL, the regions of two. f: a frame of the columns --x,
 * --y (or COLUMNS_NOWHERE) and the target. */
int classes_plot(const options *o, const model *m, const cli_column *x, const cli_column *y, const frame *f, cli_why *why);

#endif /* BAYESLIN_CLI_CLASSES_H */
