#ifndef BAYESLIN_CLI_PREDICTIONS_H
#define BAYESLIN_CLI_PREDICTIONS_H
#include "model.h"
/* predictions - what a model says about rows, in the units of the data: normal where variances were learnt, mixtures of Student's t
 * where they were integrated out, what the likelihood makes of f for a generalised linear model, whose function is E[y | f] */
typedef struct predictions {
    size_t  n, P;                              /* rows and targets: all below are n x P                                      */
    double *mean, *latent, *var;               /* variances of the function, and of a new observation (noise included)       */
    double *lower, *upper;                     /* interval of a new observation, calibrated if the model is                  */
    double *lower_f, *upper_f;                 /* of the function                                                            */
    double *log_density;                       /* of the rows' own targets, if they have some; NaN where the variance is 0   */
    double *influence;                         /* of rows that a generalised linear model is without, see >>loo          */
    double  limit;                             /* beyond which it is too much                                                */
    bln_elpd elpd;                             /* and what their log densities add up to                                     */
    size_t  failed;
    double *room;
} predictions;

/* At raw rows, with their offsets and noise variances if they have some. interval: probability of the intervals. Free out, also
 * after a failure, of which out->failed is the row, or BLN_NONE. */
int  predictions_make(const model *m, const bln_data *rows, double interval, predictions *out, cli_why *why);
void predictions_free(predictions *p);

/* Those of target k alone: P = 1. Free out too. */
void predictions_pick(const predictions *p, size_t k, predictions *out);

/* Each row of the training data as it is predicted by a model of the others (learnt variances and basis parameters stay). group:
 * of each row, 0 .. n_groups - 1, for leaving out its whole group; NULL: the row alone.
 * by: a cli_loo, for such a model.
 * Without latent, lower_f and upper_f.
 * *undefined: rows, NaN in all outputs, that the others say nothing about, as far as double precision can tell. Not for
 * integrated models. */
int predictions_leave_out(const model *m, const bln_data *rows, const size_t *group, size_t n_groups, double interval, int by,
                          predictions *out, size_t *undefined, cli_why *why);

/* Is row i of these one of the undefined? */
int predictions_lost(const model *m, const predictions *p, size_t i);

/* With --prior flat: a note of the rows in which words meet that no training row had together. Their product was left out of the
 * fit, and their prediction is that of the other terms. */
void predictions_note_empty(const model *m, const char *file, const bln_data *rows);

#endif /* BAYESLIN_CLI_PREDICTIONS_H */
