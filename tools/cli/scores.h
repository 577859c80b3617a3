#ifndef BAYESLIN_CLI_SCORES_H
#define BAYESLIN_CLI_SCORES_H
#include "frame.h"
#include "predictions.h"
#include "rows.h"
/* scores - how good a model's predictions are on rows with known targets [scores 1-5, 7-10, 15]. The last four are for rows left
 * out of a generalised linear model, and NaN for others: see bln_elpd. */
enum { SCORE_R2, SCORE_RMSE, SCORE_SMSE, SCORE_MLL, SCORE_MSLL, SCORE_COVERAGE, SCORE_PINBALL, SCORE_BELOW,
       SCORE_LOG_LOSS, SCORE_ERROR, SCORE_BRIER, SCORE_ELPD, SCORE_ELPD_SE, SCORE_PARAMETERS, SCORE_DOUBTFUL, SCORE_COUNT };
extern const char *const scores_names[SCORE_COUNT];
extern const double scores_level;                      /* of coverage95 */

/* Which scores this model has, bit k for score k. msll is for densities. pinball (the mean loss) and below (the share of targets
 * below) are for a quantile, whose density is not a model of y. log_loss, error_rate and brier are for classes; two classes have no
 * meaningful intervals. */
unsigned scores_kept(const model *m);

/* Log loss, error rate and Brier's score of classes y by their probabilities p (n x K; K 1: of two), a row of weight k as k rows.
 * weight: NULL, each counts once. */
void scores_probable(size_t n, size_t K, const double *y, const double *p, const double *weight, double *out);

/* SCORE_COUNT figures for each target over raw rows of a file, of which one of weight k counts as k. *n: the sum of these weights.
 * MSLL compares with a normal fitted to the training targets, both without offsets. A score that is undefined for these targets, or
 * needs a density without variance, is NaN. mean: NULL, or n x targets, gets the predicted means; of models of several classes it
 * stays as it is. */
int scores_of(const model *m, const cli_rows *of, const char *file, double *n, double *out, double *mean, cli_why *why);

/* r2, rmse and smse of these rows alone, by the same rules; NaN where they are undefined. */
void scores_errors(size_t n, const double *y, const double *mean, const double *weight, double *out);

/* The same for the training rows, each left out with all its copies, or its group (by: see predictions_leave_out). *n is of the
 * rows that count; a note tells of rows that do not, because the others do not determine them. The figures of bln_elpd count every
 * row once. */
int scores_left_out(const model *m, const cli_rows *rows, int by, double *n, double *out, cli_why *why);

/* Lines of an information criterion (glm_waic), as those below; in JSON the member "waic". */
void scores_print_waic(const bln_elpd *waic, const cli_answer *to, const char *indent);

/* Lines `indent name value`, n first; of several targets a block for each, under a line `output NAME`. In JSON the array "scores",
 * with an object for each target. */
void scores_print(const model *m, const cli_answer *to, const char *indent, double n, const double *score);

/* Is score k shown for this model? kept: from scores_kept. */
int scores_shown(unsigned kept, size_t k, double score);

#endif /* BAYESLIN_CLI_SCORES_H */
