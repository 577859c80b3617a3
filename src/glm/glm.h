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
 * basis. A row of weight k counts as k copies; what noise_var and trials of a row mean, the likelihood says. The posterior of w is
 * computed by the method that the desc names. Each method has a section:
 *
 *     >>glm_laplace   the Gaussian N(w^, C) around the mode; the evidence by Laplace's approximation
 *     >>glm_full      the Gaussian N(m, C) with the greatest bound of the evidence: better where Laplace's curvature misleads
 *     >>glm_integrated  such Gaussians, averaged over the hyper-parameters: for few rows
 *     >>glm_nuts      draws from the posterior itself, to judge the other methods, or where it is far from Gaussian
 *     >>glm_gibbs     such draws by data augmentation, for likelihoods that allow it
 *     >>glm_cavi      the Gaussian of full, or an approximation of it, by sweeps in closed form, for these likelihoods
 *     >>glm_mixture   Gaussians without correlations, by such a bound: for many features, or many rows by batches
 *     >>glm_map       the mode alone        >>glm_sgvi   for teaching        >>glm_npv   for comparison
 *
 * The default method (all zero) is the full Gaussian. Its prior variances and theta are those of Laplace's evidence (desc.hyper):
 * they are found faster than those of the bound, and predict a little better. Of a data set with no more rows than features all
 * prior variances are then doubled as long as this predicts left-out rows better (>>loo), by a nat with the log priors and by three
 * standard errors (not with per_weight, nor by several processes). Several latents, ordered categories and a log p without
 * curvature take those of the bound instead; so does bln_glm_fit if the fit by Laplace's evidence fails. With flat priors the
 * default is Laplace's method. A posterior by Laplace's method alone misleads where events are rare: with 1 event in 40 rows its
 * mean of a count may be unbounded.
 *
 * A likelihood of several latents (>>likelihood) has weights w_j, and if desired a basis, for each: f_nj = offset_nj +
 * phi_j(x_n)'w_j. Laplace's method computes one joint Gaussian of at most 2048 weights; full an independent Gaussian for each
 * latent, which suits many features; MAP the joint mode. Classes with one basis share their prior variances, unless per_latent is
 * set. D, n_slices and n_theta are sums over all latents. A flat prior of classes needs a reference class and a maximum of the
 * likelihood (>>categorical). Predictions have a column for each class. >>loo does not apply: predict held-out rows instead.
 *
 * lambda and theta start as in >>slm, and theta has the same prior. The size of the functions is taken from the variance that f
 * would have if each y were its own mean. eta starts where the likelihood says. Learnt lambda and eta have priors too, so that no
 * search runs to a limit of which the rows say nothing (none with desc.no_hyper_prior; objectives never include priors):
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
 * weights of a slice would often be exactly 0 [Chung et al. 2013]. With per_weight that is wanted: there it is the mode of sd.
 *
 * A stochastic fit (>>glm_method: steps by batches of rows) replaces sum_n by n/|B| times the sum over a batch B. The estimates of
 * the objective and its gradient are unbiased. Only the choice of rows is random: expectations are computed, to 1e-6, not sampled
 * (but see >>glm_mixture). An epoch passes once over all rows, in an order drawn by the seed. Steps are those of >>sgd. The rate is
 * lowered when the means of the objective over five epochs no longer rise. The answer is the average of the points since the middle
 * of max_iterations, or the last point if the run ended before. One call of bln_glm_step is an epoch. Use batches when there are
 * many more rows than numbers to learn, and errors of a few tenths of a standard deviation are acceptable; else L-BFGS is faster
 * and more accurate. Rows must be a data set: a source does not give them in random order. [Hoffman et al. 2013; variational 4]
 *
 * With allreduce in the desc bln_glm_fit, the stepwise fit and _objective_at use the rows of all processes (>>allreduce), of which
 * one may have none: by Laplace's method, full, cavi and MAP, with all rows in each step. All processes create, fit, evaluate and
 * abandon together; free, set_method and a new init abandon what is open. If the monitor of one stops, all stop. No other function
 * communicates. Fewer rows than features are no shortcut then: matrices are D x D, and the search may end elsewhere within its
 * tolerance.
 *
 * The residual prior variance, which the features of inducing points miss, is included in the variance of f_n in the bound. That
 * makes it a bound of the kernel's own evidence [Hensman, Matthews & Ghahramani 2015]. Laplace's evidence is that of the features.
 * All predictions but MAP's include the residual variance. */

/* The desc with every default filled in. _check: NULL, or the reason why the desc cannot be used. */
BLN_API bln_glm_desc bln_glm_defaults(const bln_glm_desc *desc);
BLN_API const char  *bln_glm_check(const bln_glm_desc *desc);

/* Bytes that a fitted model holds between calls, and bytes in all (the former included) at the peak of its first fit to a data set
 * of n rows, or to a source (n = 0). SIZE_MAX: overflow, or a desc that bln_glm_check refuses. Not counted: the chains and draws of
 * nuts and gibbs, whose headers say what these take. Nor, where features are at least as many as rows and hyper-parameters come
 * from a first stage, as by default, the second model and the memory of bln_posterior_loo by which prior variances are judged. */
BLN_API size_t bln_glm_size(const bln_glm_desc *desc, size_t n);
BLN_API size_t bln_glm_fit_size(const bln_glm_desc *desc, size_t n);

/* An unfitted model.   BLN_EINVAL: see _check.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_glm_create(const bln_glm_desc *desc, bln_glm **out, bln_report *report);
BLN_API void       bln_glm_free(bln_glm *glm);                             /* NULL is fine */

/* Sets the method of the next fit; the other options of the desc stay, and the model keeps what it learnt until that fit. A model
 * from a file has no method until this call.   BLN_EINVAL: NULL, or _check refuses the desc with this method; nothing changes. */
BLN_API bln_status bln_glm_set_method(bln_glm *glm, bln_glm_method method, bln_report *report);

/* Learns from a data set, or from a source of blocks. BLN_OK also when the search stopped early: the report's stop says why.
 * BLN_EINVAL: NULL; no rows, or none with a weight > 0; bln_likelihood_check_data refuses the data set; a source for a method by
 * batches.  BLN_ESTATE: a model from a file that has no method yet.  BLN_ESHAPE: data.d is not basis.d; a source whose passes
 * differ.  BLN_EDATA, BLN_EDOMAIN: a value that cannot be; the report has row and column.
 * BLN_EUNDEFINED: flat priors, and the likelihood has no maximum; it has no limit (>>gaussian_scale); Laplace, and MAP without
 * batches: log p has no curvature (the Laplace likelihood); NPV: variances grow without end, or are too wide for it.
 * BLN_ENOTPD: a feature with a flat prior is a linear function of those before it (the report's column).
 * BLN_ENUMERIC: the objective is not finite at the start, no mode is found there, or the bound of 100 batches in a row is not
 * finite: scale the data. A fit by batches ended more than a nat a row below its start (of a point or a mixture: after all steps,
 * by one more pass over the rows): lower the rate, or scale the data.  BLN_ENOMEM, BLN_EOVERFLOW. BLN_EPEER: another process
 * failed. Any status of a source, the monitor or allreduce. On failure the model stays as it was. */
BLN_API bln_status bln_glm_fit(bln_glm *glm, const bln_data *data, bln_report *report);
BLN_API bln_status bln_glm_fit_source(bln_glm *glm, const bln_source *source, bln_report *report);

/* bln_glm_fit in steps: init, then step until converged, then finish, which makes the posterior at the last point the model's. With
 * desc.hyper the steps of its fit come first, and a report counts the steps of both fits. Between init and finish nothing is
 * allocated, except when a method that draws begins after the fit of desc.hyper, or looks at its draws (target_ess). The data must
 * stay unchanged until finish or bln_glm_abandon, which drops the fit. The monitor is not called.
 * Errors as bln_glm_fit; BLN_ESTATE: step or finish without init. A failed init or finish drops the fit. After a failed step it
 * may be abandoned, or finished at the point before; but draws have no such point, and finish returns the status of their step. */
BLN_API bln_status bln_glm_init(bln_glm *glm, const bln_data *data, bln_report *report);
BLN_API bln_status bln_glm_init_source(bln_glm *glm, const bln_source *source, bln_report *report);
BLN_API bln_status bln_glm_step(bln_glm *glm, bln_report *report);
BLN_API int        bln_glm_converged(const bln_glm *glm);
BLN_API bln_status bln_glm_finish(bln_glm *glm, bln_report *report);
BLN_API void       bln_glm_abandon(bln_glm *glm);

/* The objective of a method at given hyper-parameters, and its gradient, without fitting: Laplace's log Z, or the greatest bound of
 * a full Gaussian, without the priors of hyper-parameters. Each output but *value may be NULL.
 *     method       Laplace, full or cavi, which need not be the model's own; all zero is one of them (>>glm)
 *     prior_var    n_slices, or D if per_weight: > 0, or HUGE_VAL where the method takes flat priors
 *     likelihood_theta, theta    eta, and n_theta basis parameters, in natural units; NULL where there are none
 *     mean, C      out: D, and D x D (stride D, upper triangle): mean and covariance of the Gaussian of the method
 *     d_prior, d_likelihood, d_theta    out: d/d log lambda_s (0 where flat), d/d eta_k, d/d theta_k              [laplace 37]
 * Errors as bln_glm_fit. BLN_EDOMAIN: a prior variance that is not > 0, or flat where the method takes none; eta or theta outside
 * their domain. BLN_EINVAL: a method without such an objective. BLN_ENUMERIC: a search does not end: scale the data. */
BLN_API bln_status bln_glm_objective_at(const bln_glm *glm, bln_glm_method method, const bln_data *data, const double *prior_var,
                                        const double *likelihood_theta, const double *theta, double *value, double *mean, double *C,
                                        double *d_prior, double *d_likelihood, double *d_theta, bln_report *report);

/* The posterior, the argument of everything else (>>posterior, >>predict, >>weights, >>slopes, >>draws, >>loo): a Gaussian by a
 * factor (Laplace, full, cavi; >>kind_gaussian), one for each node (integrated) or each latent (full, cavi; >>kind_product); K
 * Gaussians of equal weight without correlations (mixture, SGVI, NPV; >>kind_diagonal); the point of MAP, or the draws of NUTS
 * and Gibbs (>>kind_point). Valid until the next fit or free; its status is BLN_ESTATE while the model is not fitted. NULL for
 * NULL. */
BLN_API const bln_posterior *bln_glm_posterior(const bln_glm *glm);

/* All draws of NUTS or Gibbs, for bln_chains_diagnose (>>diagnosis); the components of the posterior are some of them. NULL if
 * there are none. Valid until the next fit or free. */
BLN_API const bln_chains *bln_glm_chains(const bln_glm *glm);

/* What was learnt: of integrated at the most probable node, of draws in the first component. If the model is not fitted, pointers
 * are NULL and numbers NaN, but basis, likelihood and method name are known. Valid until the next fit or free. */
BLN_API const bln_basis      *bln_glm_basis(const bln_glm *glm);             /* of the first latent       */
BLN_API const bln_likelihood *bln_glm_likelihood(const bln_glm *glm);
BLN_API const double         *bln_glm_likelihood_theta(const bln_glm *glm);  /* eta                       */
BLN_API const double         *bln_glm_theta(const bln_glm *glm);             /* n_theta                   */
BLN_API const double         *bln_glm_prior_var(const bln_glm *glm);         /* n_slices, or D if per_weight */
BLN_API const char           *bln_glm_method_name(const bln_glm *glm);       /* such as "laplace"         */
BLN_API double                bln_glm_objective(const bln_glm *glm);         /* log Z, or the bound; MAP: log p(y, w^) */
BLN_API double                bln_glm_rows(const bln_glm *glm);              /* N = sum of weights        */

/* bln_posterior_predict of its posterior: mean = E y, var_model = Var E[y | f], var_noise = E Var[y | f]; the two variances sum to
 * Var y. n numbers each, or n x K for K classes; any may be NULL.
 * Under a log link the mean grows as e^(m + v/2) and var_model as e^(2 m + 2 v), if f has mean m and variance v. Where wide priors
 * meet counts that are all 0 they may overflow to infinity; quantiles and densities do not.                        [variational 42]
 * work: bln_posterior_work(bln_glm_posterior(glm)) doubles, or NULL to allocate. */
BLN_API bln_status bln_glm_predict(const bln_glm *glm, const bln_data *data, double *mean, double *var_model, double *var_noise,
                                   double *work, bln_report *report);

/* Averaged over hyper-parameters (>>glm_integrated) E y need not exist where few counts are above 0: large f whose rows are
 * extra zeros, or counts of small size, fit them too, and the mean is that of the few largest nodes, 1e128 or infinite. *unbounded:
 * is E y in a row of the data, those of the fit, more than 1 above all y and above what y exceeds in one of 40 cases? Then read
 * quantiles, or take the default method. 0 for classes.  Errors as bln_glm_predict's and bln_data_check's.  BLN_ENOMEM. */
BLN_API bln_status bln_glm_unbounded(const bln_glm *glm, const bln_data *data, int *unbounded, bln_report *report);

/* Writes a fitted model with its basis, and reads one. A loaded model owns its basis, predicts to the bit what the saved one did
 * (by blocks of 256 rows), and can be fitted again with default options after bln_glm_set_method. Layout: src/glm/glm_file.c.
 * save: BLN_EINVAL: NULL.  BLN_ESTATE: not fitted.  BLN_EUNKNOWN: a basis that has no save, or a likelihood with `user`.  BLN_EIO.
 * load: BLN_EFORMAT: not such a model.  BLN_EUNKNOWN: a basis or likelihood not in context.  BLN_ENOMEM. Any status of r. */
BLN_API bln_status bln_glm_save(const bln_glm *glm, bln_writer *w);
BLN_API bln_status bln_glm_load(const bln_load *context, bln_reader *r, bln_glm **out);
BLN_API const bln_model_kind *bln_glm_file_kind(void);                                  /* for a list of kinds (>>load) */

#endif /* BLN_GLM_GLM_H */
