#ifndef BLN_GLM_GLM_H
#define BLN_GLM_GLM_H
#include "../posterior/chains.h"
#include "../posterior/predict.h"
#include "method.h"
/* >>glm - Bayesian generalised linear models
 *
 *     p(y_n | f_n; eta),   f_n = offset_n + phi(x_n; theta)'w,   w ~ N(0, Lambda),                                  [variational 1]
 *
 * for any likelihood with parameters eta (>>likelihood) and any basis; Lambda holds one variance lambda_s for each slice of the
 * basis. A row of weight k counts as k copies; noise_var and trials are the likelihood's. The ways to a posterior of w are methods,
 * of which the desc names one, each in a section of its own:
 *
 *     >>glm_laplace   N(w^, C) around the mode; the evidence by Laplace's approximation
 *     >>glm_full      N(m, C) with the greatest bound of the evidence: better where Laplace's curvature misleads
 *     >>glm_integrated  such Gaussians, averaged over the hyper-parameters: for few rows
 *     >>glm_nuts      draws from the posterior itself, for a judgement on the others, or where Gaussians do not do
 *     >>glm_gibbs     such draws by data augmentation, of likelihoods that allow it
 *     >>glm_cavi      the Gaussian of full by sweeps in closed form, of the same likelihoods; or that of the sweeps alone
 *     >>glm_mixture   Gaussians without correlations, by such a bound: for many features, or many rows by batches
 *     >>glm_map       the mode alone        >>glm_sgvi   for teaching        >>glm_npv   for comparison
 *
 * The default, a method of all zero, is the full Gaussian; of one latent at the prior variances and length scales of Laplace's
 * evidence (desc.hyper), which is quicker and predicts a little better than those of the bound; of several latents, ordered
 * categories, and where log p has no curvature, or (in bln_glm_fit) Laplace's evidence leads nowhere, at those of the bound. Flat
 * priors have Laplace's method. A posterior by that method alone misleads where events are rare: with 1 event in 40 rows its mean
 * of a count may be without bound.
 *
 * Likelihoods of several latents (>>likelihood) have weights w_j, and perhaps a basis, for each: f_nj = offset_nj + phi_j(x_n)'w_j.
 * Laplace's method takes them as one Gaussian of at most 2048 weights; full has a Gaussian for each, independent of the others,
 * which suits many features; MAP has their mode. Latents of classes with one basis share prior variances (per_latent: not). Numbers
 * of weights, slices and theta count those of all latents. With a flat prior classes need one for reference, and a maximum
 * (>>categorical). Predictions have a column for each class. Rows cannot be left out: predict rows that were held back.
 *
 * The prior of theta, and where lambda and theta start, are those of >>slm, with the variance of f where each y would be about its
 * own mean for the size of the functions; eta starts where the likelihood says. What is learnt of lambda and eta has priors too, so
 * that no search runs to a limit which the rows do not know of (desc.no_hyper_prior: without; objectives never include them):
 *
 *     sd of a weight of slice s, times the root     half-Student-t, 3 degrees of freedom, scale 2.5; times sd(y) where f is the
 *       mean square of its features (see below)     mean of a real y                              [Gelman 2006; Gelman et al. 2008]
 *     square root of the noise variance; scales     half-Student-t, 3 degrees of freedom, scale 2.5 sd(y)
 *     degrees of freedom; gaps of categories        log eta ~ N(log of its start, 1.5^2)
 *     size (negative binomial)                      log eta ~ N(log 10, 1.5^2)
 *     probability of sure zeros                     logit eta ~ N(-2, 1.5^2)
 *
 * The root mean square is over those features of a row that are not 0 (bln_basis_active): for the intercepts of >>group it is 1,
 * and 2.5 is the scale of the standard deviation of the groups themselves.
 *
 * A search ends at the mode of log sd, log eta and logit eta. Unlike the mode of sd it is never at 0, where with few rows all
 * weights of a slice would often be exactly 0 [Chung et al. 2013]. With per_weight that is wanted, and the search ends at the mode
 * of sd.
 *
 * A stochastic fit (>>glm_method: steps by batches of rows) replaces sum_n by n/|B| times the sum over a batch. The objective and
 * its gradients are then unbiased. Only the choice of rows is random: expectations are not sampled, but computed to 1e-6 only. An
 * epoch passes over all rows in an order drawn by the seed. Steps are those of >>sgd; the rate is lowered when the means of the
 * objective over five epochs no longer rise, and the answer is the average of the points since the middle of max_iterations, or the
 * last point if the run ended before. A step of the step form is an epoch. It is worth it when an epoch makes much progress (many
 * more rows than numbers to learn) and errors of a few tenths of a standard deviation are acceptable; else L-BFGS is faster and
 * more accurate. Rows must be a data set: those of a source come in no random order. [Hoffman et al. 2013; variational 4]
 *
 * The prior variance that features miss (inducing points) is part of v_kn in the bound, which makes it the bound of the kernel's
 * own model [Hensman, Matthews & Ghahramani 2015]; Laplace's evidence is that of the features. All predictions but MAP's include
 * it. */

/* The desc with every default filled in; NULL, or the reason why the desc is not usable. */
BLN_API bln_glm_desc bln_glm_defaults(const bln_glm_desc *desc);
BLN_API const char  *bln_glm_check(const bln_glm_desc *desc);

/* Bytes that a fitted model holds between calls, and bytes in all (the former included) at the peak of its first fit to a data set
 * of n rows, or to a source (n = 0). SIZE_MAX: overflow, or a desc that bln_glm_check refuses. n only counts for the
 * peak, while it is smaller than D, of Laplace and full. Of methods that draw, all draws and what the chains work with come on top:
 * see there. */
BLN_API size_t bln_glm_size(const bln_glm_desc *desc, size_t n);
BLN_API size_t bln_glm_fit_size(const bln_glm_desc *desc, size_t n);

/* An unfitted model.   BLN_EINVAL: see _check.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_glm_create(const bln_glm_desc *desc, bln_glm **out, bln_report *report);
BLN_API void       bln_glm_free(bln_glm *glm);                             /* NULL is fine */

/* From the next fit on, with the other options that it was made with; what was learnt stays until then. A model from a file has no
 * method before.   BLN_EINVAL: NULL, or what _check says of the desc with that method; the model stays as it was. */
BLN_API bln_status bln_glm_set_method(bln_glm *glm, bln_glm_method method, bln_report *report);

/* Learns from a data set, or from a source of blocks. BLN_OK also when the search stopped early: the report's stop says why.
 * BLN_EINVAL: NULL; no rows, or none with a weight > 0; what bln_likelihood_check_data says of a data set; a source for a method by
 * batches.  BLN_ESTATE: a model from a file that has no method yet.  BLN_ESHAPE: data.d is not basis.d; a source whose passes
 * differ.  BLN_EDATA, BLN_EDOMAIN: the report has row and column.
 * BLN_EUNDEFINED: with flat priors, no maximum; Laplace, and MAP without batches: log p without curvature (the Laplace
 * likelihood); NPV: variances without end, or too wide for it.
 * BLN_ENOTPD: a feature with a flat prior depends on those before it (the report's column).
 * BLN_ENUMERIC: nothing finite at the start, or no mode found there, or 100 batches in a row whose bound is not finite: scale the
 * data; stochastic steps of a point or a mixture that ran to their end, more than a nat a row below where they began (one more pass
 * over the rows sees to that): lower the rate, or scale the data.  BLN_ENOMEM, BLN_EOVERFLOW. What a source or the monitor
 * returned. On failure the model stays as it was. */
BLN_API bln_status bln_glm_fit(bln_glm *glm, const bln_data *data, bln_report *report);
BLN_API bln_status bln_glm_fit_source(bln_glm *glm, const bln_source *source, bln_report *report);

/* The same in steps: init, step until converged, finish (which makes the last point's posterior the model's). With desc.hyper the
 * steps of its fit come first; the monitor's counts begin anew after them, a report counts all; and nothing is allocated between
 * init and finish (but by methods that draw after desc.hyper, when their turn comes). What init is given must stay as it is until
 * finish, or bln_glm_abandon, which drops the fit. The monitor is not called.
 * Errors as above; BLN_ESTATE: step or finish without init. A failed init or finish drops the fit; after a failed step it may be
 * abandoned or finished at the point before; a failed step of draws leaves nothing to finish, and finish returns its status. */
BLN_API bln_status bln_glm_init(bln_glm *glm, const bln_data *data, bln_report *report);
BLN_API bln_status bln_glm_init_source(bln_glm *glm, const bln_source *source, bln_report *report);
BLN_API bln_status bln_glm_step(bln_glm *glm, bln_report *report);
BLN_API int        bln_glm_converged(const bln_glm *glm);
BLN_API bln_status bln_glm_finish(bln_glm *glm, bln_report *report);
BLN_API void       bln_glm_abandon(bln_glm *glm);

/* The objective of a method at any hyper-parameters, without fitting, for a model of whatever method, and its gradient: Laplace's
 * log Z, or the greatest bound of a full Gaussian; without the prior of theta. Each output but *value may be NULL.
 *     method: Laplace, full or cavi (the default is one of them); no others have one
 *     prior_var: n_slices or D, > 0 or, where the method takes it, HUGE_VAL; likelihood_theta; theta: natural units (NULL where
 *                there are none)
 *     mean: D (weights of all latents)    C: D x D without gaps, upper triangle: of the Gaussian that the method ends at
 *     d_prior: d/d log lambda_s (0 where flat)    d_likelihood: d/d eta_k    d_theta: d/d theta_k                [laplace 37]
 * Errors as bln_glm_fit; BLN_EDOMAIN: a prior variance that is not > 0, or flat and the method takes none, eta or theta outside
 * their domain; BLN_EINVAL: a method without such an objective; BLN_ENUMERIC: a search that does not end: scale the data. The model
 * is not changed. */
BLN_API bln_status bln_glm_objective_at(const bln_glm *glm, bln_glm_method method, const bln_data *data, const double *prior_var,
                                        const double *likelihood_theta, const double *theta, double *value, double *mean, double *C,
                                        double *d_prior, double *d_likelihood, double *d_theta, bln_report *report);

/* The posterior, of which all else is asked (>>posterior, >>predict, >>weights, >>slopes, >>draws, >>loo): a Gaussian by a factor
 * (Laplace, full; integrated: one for each node; >>kind_gaussian), K Gaussians without correlations and of equal weight
 * (variational, SGVI, NPV; >>kind_diagonal), the point of MAP, or those of draws (>>kind_point). Valid until the next fit or free;
 * its status is BLN_ESTATE while the model is not fitted. NULL for NULL. */
BLN_API const bln_posterior *bln_glm_posterior(const bln_glm *glm);

/* All draws of the chains of NUTS or Gibbs, which bln_chains_diagnose (>>diagnosis) judges; components are some of them. NULL:
 * there are none. Valid until the next fit or free. */
BLN_API const bln_chains *bln_glm_chains(const bln_glm *glm);

/* What was learnt; if integrated, at the most probable node; of draws, that of the first component. Unfitted: NULL, and NaN for
 * numbers. Valid until the next fit or free. */
BLN_API const bln_basis      *bln_glm_basis(const bln_glm *glm);             /* of the first latent; unfitted too, as the next */
BLN_API const bln_likelihood *bln_glm_likelihood(const bln_glm *glm);
BLN_API const double         *bln_glm_likelihood_theta(const bln_glm *glm);  /* eta                       */
BLN_API const double         *bln_glm_theta(const bln_glm *glm);             /* n_theta of the basis      */
BLN_API const double         *bln_glm_prior_var(const bln_glm *glm);         /* n_slices, or D            */
BLN_API const char           *bln_glm_method_name(const bln_glm *glm);       /* "laplace", ...; unfitted too, NULL: NULL */
BLN_API double                bln_glm_objective(const bln_glm *glm);         /* log Z, or the bound; MAP: log p(y, w^) */
BLN_API double                bln_glm_rows(const bln_glm *glm);              /* N = sum of weights        */

/* bln_posterior_predict of its posterior: E y, Var E[y | f], E Var[y | f], of which the sum is Var y; n each, or n x K for classes;
 * any may be NULL.
 * Under a log link, where f has mean m and variance v, they grow as e^(m + v/2) and e^(2 m + 2 v): infinity beyond doubles, as
 * where wide priors meet counts that are all 0. Quantiles and densities are what they are.                         [variational 42]
 * work: bln_posterior_work(bln_glm_posterior(glm)) doubles, or NULL to allocate. */
BLN_API bln_status bln_glm_predict(const bln_glm *glm, const bln_data *data, double *mean, double *var_model, double *var_noise,
                                   double *work, bln_report *report);

/* Writes a fitted model with its basis, and reads one, as >>slm does: a loaded model owns its basis, predicts to the bit what the
 * saved one did, and can be fitted again, with default options, after bln_glm_set_method.
 * save: BLN_EINVAL: NULL.  BLN_ESTATE: not fitted.  BLN_EUNKNOWN: a basis that has no save, or a likelihood with `user`.  BLN_EIO.
 * load: what the reader says; BLN_EFORMAT; BLN_EUNKNOWN; BLN_ENOMEM. The layout is in src/glm/glm_file.c. */
BLN_API bln_status bln_glm_save(const bln_glm *glm, bln_writer *w);
BLN_API bln_status bln_glm_load(const bln_load *context, bln_reader *r, bln_glm **out);
BLN_API const bln_model_kind *bln_glm_file_kind(void);                                  /* for a list of kinds (>>load) */

#endif /* BLN_GLM_GLM_H */
