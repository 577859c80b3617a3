#ifndef BAYESLIN_FLAT_H
#define BAYESLIN_FLAT_H
/* bayeslin_flat.h - bayeslin for other languages: numbers and text go in, numbers and text come out
 *
 * bayeslin.h has structs, callbacks and a bookkeeping of memory, which other languages can only call with much copying of
 * declarations. Here a model is one opaque handle, every argument is a number, a text or an array of doubles, and all figures are
 * in the units of the data. The functions stand on the public ones of bayeslin.h, and do what the tool (docs/tool.md) does with a
 * table: inputs and real targets are standardised, the basis is chosen by the rows unless it is given, few rows have noise and
 * prior variances integrated out. `make shared` builds build/libbayeslin.so; docs/python.md and docs/r.md show its use.
 *
 * CONVENTIONS, for all functions
 *
 *     arrays     X: n x d inputs, row-major. The others: n numbers, or NULL where it says so. Outputs are the caller's; one that is
 *                NULL is left out. Outputs overlap neither inputs nor each other. Nothing is kept but by bayeslin_fit.
 *     offset     n known summands of f, NULL: 0.    trials   n numbers of trials of a binomial, or exposures of a count, NULL: 1
 *     C          columns of the mean of y: classes of a categorical likelihood, else 1.    L   latents, 1 but for classes
 *                (bayeslin_shape tells both)
 *     return     0, or the number of a bln_status: 1 invalid argument, 2 out of memory, 3 too large, 4 NaN or infinity, 5 outside a
 *                domain, 6 shapes, 7 to 9 the fit or the answer does not exist, 12 to 15 files, 15 unknown name. Outputs are then
 *                unspecified, *out is NULL.
 *     message    size bytes (256 hold nearly all; NULL with 0: not wanted), always ended by a 0: why it failed, with row and column
 *                counted from 0; after success "", or from bayeslin_fit and _load a remark that the user should see.
 *     threads    a model is never changed once it was made: any number of threads may ask it at once. Free it when all are done.
 *     process    nothing is printed, nothing exits, no signal, locale or global is touched. */
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What stands before each function: that of a shared library where it is built (see Makefile). */
#ifndef BAYESLIN_FLAT_API
#define BAYESLIN_FLAT_API extern
#endif

typedef struct bayeslin_model bayeslin_model;

/* Learns y from X: a new model in *out, to be freed with bayeslin_free.
 *
 *     y        n targets; of classes and ordered categories 0, 1, 2, ...
 *     weight   n, a row of weight k counts as k rows (NULL: 1)        offset, trials   see above
 *     spec     the basis, as in docs/choosing_a_basis.md: "linear", "gp:kernel=matern52,ard+linear". NULL, "" or "auto": the rows
 *              choose; "auto:budget=1e11": with so many operations. Columns of X are 0, 1, ..., or have the names of names=
 *     options  "key=value, key=value" (NULL: none); with the names and meanings of the tool's options:
 *
 *              likelihood=NAME      (gaussian)  what y is: binomial, poisson, student_t, ordinal, categorical, ...
 *              categories=C         (largest y + 1)  of ordinal and categorical
 *              inference=METHOD     (by the rows)  laplace, full, integrated, nuts, gibbs, cavi, mixture, ... and the options of
 *                                   that method: chains, warmup, draws, keep, nodes, components, batch, ... Gaussian y then have
 *                                   the generalised linear model too
 *              hyper=own|laplace    (own)  what chooses prior variances and length scales before it
 *              integrate=yes|no     (below 30 rows, of a likelihood 200, where it can be)  no is the tool's --plug-in
 *              prior=learn|flat|each (learn)      hyper_prior=yes|no (yes)      theta_sd=W|inf (1)
 *              noise_sd=S           (learnt)  of the linear model: known, in units of y
 *              scale=yes|no         (yes; no where all priors are flat)  standardise inputs and real targets
 *              names=a;b;c          d names of the columns
 *              seed=N (0)  starts=K (1)  max_iterations=N  tolerance=T
 *
 * Time and memory are those of the fit; X and y are copied once while it lasts.
 * Errors: 1 (n or d 0, a NULL, an option that is unknown, twice, without sense or with a bad value: the message says what there
 * is), 2, 3, 4, 5 (a y that the likelihood cannot have), 7 to 9 (message), 15 (a SPEC or likelihood with an unknown name). */
BAYESLIN_FLAT_API int bayeslin_fit(size_t n, size_t d, const double *X, const double *y, const double *weight, const double *offset,
                                   const double *trials, const char *spec, const char *options, bayeslin_model **out,
                                   char *message, size_t size);
BAYESLIN_FLAT_API void bayeslin_free(bayeslin_model *model);                                        /* NULL is fine */

/* Inputs d, columns C of the mean of y, latents L and weights (of all latents). Any may be NULL.   Error: 1 */
BAYESLIN_FLAT_API int bayeslin_shape(const bayeslin_model *model, size_t *inputs, size_t *columns, size_t *latents,
                                     size_t *weights);

/* At n rows the mean of y, the standard deviation of what the model expects (sd_model: what more data would reduce) and that of a
 * new y (sd_y, which has the noise too); n x C each. The mean of a class is its probability; that of a quantile
 * (asymmetric_laplace:0.9) the quantile itself.
 * Errors of all questions about rows: 1 (NULL, classes with an offset), 2, 3, 4, 5, 6 (d is not the model's), 8 (overflow). */
BAYESLIN_FLAT_API int bayeslin_predict(const bayeslin_model *model, size_t n, size_t d, const double *X, const double *offset,
                                       const double *trials, double *mean, double *sd_model, double *sd_y, char *message,
                                       size_t size);

/* Central intervals of probability `level` of a new y (n each), or with latent != 0 of f (n x L each), which for real targets is
 * the curve itself and for others lies on the scale of the link, log odds or log mean.
 * Errors: 5 also for a level outside (0, 1), 9 for a y that is a class. */
BAYESLIN_FLAT_API int bayeslin_intervals(const bayeslin_model *model, size_t n, size_t d, const double *X, const double *offset,
                                         const double *trials, double level, int latent, double *lower, double *upper,
                                         char *message, size_t size);

/* The covariance of f at n rows, n x n, row-major: its upper triangle, or with full != 0 both. One latent. What points of an
 * inducing basis or gp miss of its kernel is in it, so that far from the data it is the prior's. D^3 + n D^2 + n^2 D flops for D
 * weights, D^2 + n D doubles.   Errors: 1 also for classes, 9 where length scales were integrated out or sampled. */
BAYESLIN_FLAT_API int bayeslin_covariance(const bayeslin_model *model, size_t n, size_t d, const double *X, int full, double *C,
                                          char *message, size_t size);

/* `count` joint draws, each a row of out: of f at the n rows (count x n L), one function each, or with noise != 0 of y (count x n),
 * one data set each. The same seed gives the same draws. A basis that misses some of its kernel (inducing, gp) takes n^2 doubles
 * and n^3/3 flops for each set of length scales. */
BAYESLIN_FLAT_API int bayeslin_draws(const bayeslin_model *model, size_t n, size_t d, const double *X, const double *offset,
                                     const double *trials, size_t count, int noise, unsigned long long seed, double *out,
                                     char *message, size_t size);

/* Of the weights (all latents', one after the other): mean and standard deviation, and the covariance, of which both triangles are
 * written. Weights are those of the features that bayeslin_name names, of standardised inputs unless scale=no (bayeslin_describe
 * tells), in units of y or of the link.   Errors: 9 where length scales were integrated out or sampled. */
BAYESLIN_FLAT_API int bayeslin_coefficients(const bayeslin_model *model, double *mean, double *sd, double *covariance,
                                            char *message, size_t size);

/* How the mean of f changes with each input, in units of y (or of the link) over those of the input: n x d, one latent. At a row
 * of means, for "linear", the coefficients of a regression.   Errors: 1 also for classes. */
BAYESLIN_FLAT_API int bayeslin_slopes(const bayeslin_model *model, size_t n, size_t d, const double *X, double *slopes,
                                      char *message, size_t size);

/* Text into size bytes, cut if need be and always ended by a 0; returns the bytes that all of it takes without that 0 (0 for a NULL
 * model). bayeslin_name: of weight j of a latent ("x0^2"). bayeslin_describe: lines "key=value": model, likelihood, inference,
 * basis, names, rows, inputs, features, scaled, log_evidence (nats, of y in its units), noise_sd, parameters of the likelihood and
 * of the basis (length scales in units of their input where it has one of its own), stop, remark. */
BAYESLIN_FLAT_API size_t bayeslin_name(const bayeslin_model *model, size_t j, char *text, size_t size);
BAYESLIN_FLAT_API size_t bayeslin_describe(const bayeslin_model *model, char *text, size_t size);

/* A model on disk, in the library's format: predictions of a loaded one are the same to the bit, and a save that fails leaves the
 * old file. _load also reads what the tool saved, if it has one target and no calibration: its inputs are then the columns that
 * `bayeslin info` counts.   Errors: 12 reading or writing, 13 no model file, 14 another version, 15. */
BAYESLIN_FLAT_API int bayeslin_save(const bayeslin_model *model, const char *path, char *message, size_t size);
BAYESLIN_FLAT_API int bayeslin_load(const char *path, bayeslin_model **out, char *message, size_t size);

#ifdef __cplusplus
}
#endif
#endif /* BAYESLIN_FLAT_H */
