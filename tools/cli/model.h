#ifndef BAYESLIN_CLI_MODEL_H
#define BAYESLIN_CLI_MODEL_H
#include "columns.h"
#include "options.h"
#include "progress.h"
/* model - the tool's model: columns, standardising, and a bln_slm, bln_slm_integrated or bln_glm, from raw numbers to raw numbers
 *
 * Inputs and target are standardised with the mean and the standard deviation (divided by n, weights included) of the training
 * rows; constant columns stay as they are but for their mean, and all columns do with --no-scale, or if all priors are flat: then
 * standardising could only cost digits. The target's are those of y - offset, which is what the model learns; a row's noise
 * variance factor has no unit. All that goes in and comes out here is in the units of the data.
 *
 * Several targets (--outputs) share features, basis parameters and the prior variances in units of the noise; each is scaled by
 * itself. Their noise is what --noise says: variances of their own, a covariance, or one variance of the scaled targets. Arrays of
 * figures for them are n x P, row by row.
 *
 * --integrate: parameters of the basis are learnt as by default, then held, and noise and prior variances are integrated out. What
 * standardising takes off the target is then an intercept, which the data determine like any other weight, and no better: it gets a
 * flat prior and a term of its own, and the other terms do without constants. */
typedef struct model {
    cli_columns cols;
    bln_basis  *basis;             /* owned; NULL when the model was loaded and owns it */
    bln_slm    *slm;               /* either this                                       */
    bln_slm_integrated *integrated;                             /* or this              */
    bln_glm    *glm;                                            /* or this, see glm.h   */
    bln_likelihood likelihood;     /* of glm, also while it is fitted; else all zero    */
    bln_scaler *scaler;
    bln_conformal *conformal;      /* --calibrate, or NULL                              */
    char       *spec;              /* as it was given                                   */
    char       *terms;             /* during the fit: with the columns that it names    */
    char       *useless;           /* during the fit: d, see terms.h; or NULL           */
    char       *left_out;          /* by the fit: references, see terms.h; or NULL      */
    double     *input_mean;        /* d, of the training rows                           */
    double     *target_mean, *target_var;                       /* one for each target, of y - offset; of counts and classes
                                                                   of y, a variance of 0 as 1; var divided by n */
    uint64_t    seed, rows, dropped, starts, iterations;
    uint32_t    scaled, stop;      /* stop: a bln_stop                                  */
    uint32_t    prior;             /* a cli_prior                                       */
    uint32_t    arithmetic, optimiser, residual, noise;         /* as asked for, see options.h */
    double      seconds;           /* of the fit; not saved                             */
} model;

/* Takes the columns over (also on failure). rows: raw, with y. */
int model_fit(const options *o, cli_columns *cols, const bln_data *rows, progress *p, model *out, cli_why *why);

/* Notes on standard error for each column that is the same in all n rows. */
void model_note_constants(const cli_columns *c, size_t n, const double *X);

/* Of either kind of model: basis, its parameters, sum of the weights, evidence (of scaled targets), standard deviation of target
 * k's noise in its units (integrated: sqrt of the mean over the ratios of q/nu), and whether slice s has a flat prior. */
const bln_basis *model_basis(const model *m);
const bln_posterior *model_posterior(const model *m);
const double    *model_theta(const model *m);
double           model_weight(const model *m);
double           model_evidence(const model *m);
double           model_noise_sd(const model *m, size_t k);
double           model_prior_var(const model *m, size_t j);             /* of weight j; not for an integrated model */
int              model_flat(const model *m, size_t s);
int              model_given(const model *m, size_t s);         /* is its prior wide and not learnt: the constant's? */
size_t           model_priors(const model *m);                          /* one for each slice, or for each weight */

/* The correlation of the noise of targets k and l; 0 but with --noise correlated. */
double           model_noise_correlation(const model *m, size_t k, size_t l);

/* Has every weight a flat prior: is this least squares? Then figures are printed with all their digits. */
int model_least_squares(const model *m);

/* The rows as the model sees them. room: rows->n*(rows->d + P) doubles for P targets, which the view points into. Scaled targets
 * are without their offset; those that stay as they are keep it, for the library's longer arithmetic. */
bln_data model_view(const model *m, const bln_data *rows, double *room);

/* The way back, in place, of targets or means of them, rows->n x P, with the offset that the view took off. */
void model_back(const model *m, const bln_data *rows, double *value);

/* Inputs of a row at the means of the training rows, of new groups. */
void model_typical(const model *m, double *x);

/* Which target --y names; NULL: the only one. */
int model_target(const model *m, const char *name, size_t *k, cli_why *why);

/* "what: reason", from a status and a report of the library. */
int model_why(cli_why *why, const char *what, bln_status status, const bln_report *report);

int  model_save(const model *m, const char *path, cli_why *why);
int  model_load(const char *path, model *out, cli_why *why);                 /* -: standard input */
int  model_read(const char *name, const char *bytes, size_t n, model *out, cli_why *why);       /* all bytes of a file */
void model_free(model *m);

/* The part of a model file that is the tool's own, for tests and fuzzing. */
void       model_save_about(const model *m, bln_writer *w);
bln_status model_load_about(bln_reader *r, model *m);

#endif /* BAYESLIN_CLI_MODEL_H */
