#ifndef BAYESLIN_CLI_MODEL_H
#define BAYESLIN_CLI_MODEL_H
#include "columns.h"
#include "options.h"
#include "progress.h"
/* model - the tool's model: columns, standardising, and a bln_slm, from raw numbers to raw numbers
 *
 * Inputs and target are standardised with the mean and the standard deviation (divided by n, weights included) of the training
 * rows; constant columns stay as they are but for their mean, and all columns do with --no-scale, or if all priors are flat: then
 * standardising could only cost digits. The target's are those of y - offset, which is what the model learns; a row's noise
 * variance factor has no unit. All that goes in and comes out here is in the units of the data. */
typedef struct model {
    cli_columns cols;
    bln_basis  *basis;             /* owned; NULL when the slm was loaded and owns it */
    bln_slm    *slm;
    bln_scaler *scaler;
    char       *spec;              /* as it was given                                 */
    double     *input_mean;        /* d, of the training rows                         */
    double      target_mean, target_var;                        /* of y - offset; var divided by n */
    uint64_t    seed, rows, dropped, starts, iterations;
    uint32_t    scaled, stop;      /* stop: a bln_stop                                */
    uint32_t    flat;              /* --prior flat                                    */
    double      seconds;           /* of the fit; not saved                           */
} model;

/* Takes the columns over (also on failure). rows: raw, with y. */
int model_fit(const options *o, cli_columns *cols, const bln_data *rows, progress *p, model *out, cli_why *why);

/* Notes on standard error for each column that is the same in all n rows. */
void model_note_constants(const cli_columns *c, size_t n, const double *X);

/* At raw rows, with their offsets and noise variances if they have some; each output rows->n doubles. var: noise included. */
int model_predict(const model *m, const bln_data *rows, double *mean, double *var_latent, double *var, cli_why *why);

/* Central intervals of probability p of N(mean, var); where var is 0 (a perfect fit with flat priors) both ends are the mean. */
void model_intervals(size_t n, const double *mean, const double *var, double p, double *lower, double *upper);

/* Has every weight a flat prior: is this least squares? Then figures are printed with all their digits. */
int model_least_squares(const model *m);

int  model_save(const model *m, const char *path, cli_why *why);
int  model_load(const char *path, model *out, cli_why *why);
void model_free(model *m);

/* The part of a model file that is the tool's own, for tests and fuzzing. */
void       model_save_about(const model *m, bln_writer *w);
bln_status model_load_about(bln_reader *r, model *m);

#endif /* BAYESLIN_CLI_MODEL_H */
