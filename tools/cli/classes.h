#ifndef BAYESLIN_CLI_CLASSES_H
#define BAYESLIN_CLI_CLASSES_H
#include "frame.h"
#include "model.h"
/* classes - predictions, scores and plots of a target that is one of several classes (--likelihood categorical) */

/* The number of classes; 0 for any other model. */
size_t classes_of(const model *m);

/* The name of class k in the table, made fit for a terminal; its number if the model has no names. */
const char *classes_name(const model *m, size_t k, cli_shown *room);

/* The same name unchanged, for programs. */
const char *classes_text(const model *m, size_t k, cli_shown *room);

/* For `score`: log loss, error rate and Brier score at their places among SCORE_COUNT figures; the others become NaN. rows: raw. */
int classes_score(const model *m, const bln_data *rows, double *out, cli_why *why);

/* For `score`: the confusion matrix, how many rows of each class the model assigns to each; also of two or of ordered classes. */
int classes_confusion(const model *m, const bln_data *rows, const cli_answer *to, cli_why *why);

/* For `plot`: the probability of each class over one input, or, if y is not NULL, the regions of the classes over two. f: a frame
 * of the columns --x, --y (or COLUMNS_NOWHERE) and the target. */
int classes_plot(const options *o, const model *m, const cli_column *x, const cli_column *y, const frame *f, cli_why *why);

#endif /* BAYESLIN_CLI_CLASSES_H */
