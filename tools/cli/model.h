#ifndef BAYESLIN_CLI_MODEL_H
#define BAYESLIN_CLI_MODEL_H
#include "columns.h"
#include "options.h"
#include "progress.h"
/* model - the tool's model: columns, standardising, and a bln_slm, bln_slm_integrated or bln_glm, from raw numbers to raw numbers
 *
 * Inputs and target are standardised with the mean and the standard deviation (divided by n, weights included) of the training
 * rows. Of constant columns only the mean is subtracted. With --no-scale, or if all priors are flat, columns are not changed: then
 * standardising could only lose digits. The target is y - offset, which the model learns; a row's noise variance factor has no
 * unit. All arguments and results here are in the units of the data.
 *
 * Several targets (--outputs) share features, basis parameters and the prior variances in units of the noise; each is scaled
 * separately. --noise sets their noise: a variance for each, a covariance, or one variance of the scaled targets. Arrays of figures
 * for them are n x P, row by row.
 *
 * --integrate: parameters of the basis are learnt as by default, then held fixed, and noise and prior variances are integrated out.
 * The mean that standardising would subtract from the target is then an intercept with a flat prior in a term of its own, so that
 * its uncertainty counts; the other terms have no constants. */
typedef struct model {
    cli_columns cols;
    bln_basis  *basis;             /* owned; NULL when the model was loaded and owns it */
    bln_slm    *slm;               /* either this                                       */
    bln_slm_integrated *integrated;                             /* or this              */
    bln_glm    *glm;                                            /* or this, see glm.h   */
    bln_likelihood likelihood;     /* of glm, also during its fit; else all zero        */
    bln_scaler *scaler;
    bln_conformal *conformal;      /* --calibrate, or NULL                              */
    char       *spec;              /* the SPEC as it was given                          */
    char       *terms;             /* during the fit: the SPEC with input numbers in place of column names */
    char       *useless;           /* during the fit: d, see terms.h; or NULL           */
    char       *left_out;          /* references that the fit left out, see terms.h; or NULL */
    double     *input_mean;        /* d: means over the training rows                   */
    double     *target_mean, *target_var;                       /* P each: moments of y - offset, of y for counts and classes;
                                                                   divided by n; a variance of 0 is stored as 1 */
    uint64_t    seed, rows, dropped, starts, iterations;
    uint32_t    scaled, stop;      /* stop: a bln_stop                                  */
    uint32_t    prior;             /* a cli_prior                                       */
    uint32_t    arithmetic, optimiser, residual, noise;         /* as the options have them    */
    double      seconds;           /* of the fit; not saved                             */
} model;

/* Fits a model. It owns the columns from then on (also on failure). rows: raw, with y. */
int model_fit(const options *o, cli_columns *cols, const bln_data *rows, progress *p, model *out, cli_why *why);

/* Notes on standard error for each column that is the same in all n rows. */
void model_note_constants(const cli_columns *c, size_t n, const double *X);

/* For all kinds of model: basis, posterior, basis parameters, sum of the rows' weights, evidence (of scaled targets), standard
 * deviation of target k's noise in its units (integrated: sqrt of the mean over the ratios of q/nu), and whether slice s has a flat
 * prior. */
const bln_basis *model_basis(const model *m);
const bln_posterior *model_posterior(const model *m);
const double    *model_theta(const model *m);
double           model_weight(const model *m);
double           model_evidence(const model *m);
double           model_noise_sd(const model *m, size_t k);
double           model_prior_var(const model *m, size_t j);             /* of weight j, or j - D of the noise; not integrated  */
int              model_flat(const model *m, size_t s);
int              model_given(const model *m, size_t s);         /* is it the constant's prior, which is wide and not learnt? */
size_t           model_priors(const model *m);                          /* one for each slice, or for each weight */
size_t           model_tables(const model *m);                          /* that often: 2 for a mean and its noise, else 1 */

/* The correlation of the noise of targets k and l; 0 but with --noise correlated. */
double           model_noise_correlation(const model *m, size_t k, size_t l);

/* Has every weight a flat prior, so that this is least squares? Then figures are printed with all digits. */
int model_least_squares(const model *m);

/* The rows in the model's units. room: rows->n*(rows->d + P) doubles for P targets, into which the view points. The offset is
 * subtracted from scaled targets; targets that are not scaled keep it, because the library subtracts it with more digits. */
bln_data model_view(const model *m, const bln_data *rows, double *room);

/* The inverse, in place, for targets or means of targets, rows->n x P; adds the offset that the view subtracted. */
void model_back(const model *m, const bln_data *rows, double *value);

/* The inputs of a row at the means of the training rows, with new groups. */
void model_typical(const model *m, double *x);

/* *k <- the target that --y names; NULL: the only one. */
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
