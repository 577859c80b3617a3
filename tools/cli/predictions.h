#ifndef BAYESLIN_CLI_PREDICTIONS_H
#define BAYESLIN_CLI_PREDICTIONS_H
#include "model.h"
#include "rows.h"
/* predictions - a model's predictions for rows, in the units of the data: normal where variances were learnt, mixtures of Student's
 * t where they were integrated out; for a generalised linear model the distribution of its likelihood, where `function` is E[y |
 * f] */
typedef struct predictions {
    size_t  n, P;                              /* rows and targets: all below are n x P                                      */
    double *mean, *latent, *var;               /* variances of the function, and of a new observation (noise included)       */
    double *lower, *upper;                     /* interval of a new observation, calibrated if the model is                  */
    double *lower_f, *upper_f;                 /* of the function                                                            */
    double *log_density;                       /* of the rows' own targets, if they have some; NaN where the variance is 0   */
    double *influence;                         /* of rows left out of a generalised linear model, see >>loo            */
    double  limit;                             /* an influence above this is too large                                     */
    bln_elpd elpd;                             /* sums over the rows left out                                              */
    size_t  failed;
    double *room;
} predictions;

/* Predictions at raw rows, with the offsets and noise variances that they have. interval: probability of the intervals. Free out,
 * also after a failure; out->failed is then the row that failed, or BLN_NONE. */
int  predictions_make(const model *m, const bln_data *rows, double interval, predictions *out, cli_why *why);

/* The same of rows of a file, in whose lines it says which row failed. */
int  predictions_of_rows(const model *m, const cli_rows *rows, const char *file, double interval, predictions *out, cli_why *why);
void predictions_free(predictions *p);

/* The predictions of target k alone: P = 1. Free out too. */
void predictions_pick(const predictions *p, size_t k, predictions *out);

/* Predicts each row of the training data by a model of the others (learnt variances and basis parameters stay). group: the group of
 * each row, 0 .. n_groups - 1, to leave out its whole group; NULL: the row alone. by: a cli_loo, for generalised linear models.
 * latent, lower_f and upper_f are not computed. *undefined: the number of rows that the others do not determine, as far as double
 * precision can tell; their outputs are NaN. Not for integrated models. */
int predictions_leave_out(const model *m, const bln_data *rows, const size_t *group, size_t n_groups, double interval, int by,
                          predictions *out, size_t *undefined, cli_why *why);

/* Is row i of these one of the undefined? */
int predictions_lost(const model *m, const predictions *p, size_t i);

/* With --prior flat: a note of the rows whose combination of words no training row had. The product of these words was left out of
 * the fit, and the rows are predicted by the other terms. */
void predictions_note_empty(const model *m, const char *file, const bln_data *rows);

#endif /* BAYESLIN_CLI_PREDICTIONS_H */
