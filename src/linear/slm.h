#ifndef BLN_LINEAR_SLM_H
#define BLN_LINEAR_SLM_H
#include "../core/allreduce.h"
#include "../core/memory.h"
#include "../posterior/predict.h"
#include "../posterior/kind_gaussian.h"
#include "../random/rng.h"
#include "statistics.h"
/* >>slm - the standard Bayesian linear model
 *
 *     y_n = offset_n + phi(x_n; theta)'w + e_n,   e_n ~ N(0, sigma^2 / omega_n),   w ~ N(0, Lambda),
 *
 * Lambda holds one variance lambda_s for each slice of the basis. sigma^2, lambda_s and theta maximise the evidence
 * p(y | sigma^2, lambda, theta) times a weak prior of theta, exactly and with exact gradients (L-BFGS; parameters of one
 * group, such as the length scales of a kernel, are first moved together). The posterior of w given them is exact.
 *     [linear 1-17; Bishop 2006, 3.3-3.5; MacKay 1992; Rasmussen & Williams 2006, 5.4]
 *
 * The prior of theta [linear 44] is log theta_k ~ N(log start_k, theta_sd^2) for each positive theta_k, such as a length scale. A
 * theta_k limited to lo < theta_k < hi (BLN_PARAM_LOG) has its free coordinate (>>transform) in place of the log: they agree around
 * the middle, and nearer to an end the prior falls off faster. Length scales start at sqrt(d) sd(x_i); by default a factor of e
 * costs half a nat. Without this prior a dozen length scales fit the noise of a few hundred rows: on five folds of Boston housing
 * (404 rows, 13 length scales, exact GP) MSLL is -1.181 with it and -1.161 without. With many rows it hardly matters.
 *
 * A row of weight k counts as k copies; a row of noise_var v has omega = 1/v.
 *
 * The p_f weights of some slices may have a flat prior, an intercept for one: lambda_s is infinite and the prior density is 1
 * everywhere. Then "the evidence" is the restricted likelihood, in which these weights are integrated out [linear 43; Patterson &
 * Thompson 1971]:
 *     log p(y) + 1/2 sum_flat log(2 pi lambda_i)   in the limit lambda_i -> infinity
 *     = -1/2 [ (N - p_f) log 2 pi + N log sigma^2 - ld + log|B| - 2 sum_flat log s_i + q ],
 *       B = diag(0 flat, 1 else) + S G S/sigma^2       with any scale s_i > 0 for a flat weight; symbols as in [linear 2-7].
 * A flat weight has gamma_i = 1, and all gradients keep their form. With flat weights only, sigma^2 = RSS/(N - p_f), and the
 * posterior has the means and standard errors of least squares; a perfect fit gives sigma^2 = 0 and infinite evidence. If the data
 * do not determine a flat weight (dependent features), the status is BLN_ENOTPD and the report's column is the feature. In double a
 * feature counts as dependent when what the features before it do not explain may be rounding error: of the powers of the years
 * 1960 to 2019, x^4; in three doubles, x^8.
 *
 * SEVERAL OUTPUTS share the features and their parameters. Y and offset are n x P; i is a row, j a feature:
 *     Y = offset + Phi W + E,   E_i. ~ N(0, Sigma/omega_i),   W_j. ~ N(0, r_s Sigma)   (j in slice s)             [linear 41, 42]
 * The P x P matrix Sigma is diagonal (each output has its own noise variance, and prior variances in proportion to it), full (noise
 * and functions of the outputs are correlated), or sigma^2 I. One Cholesky factor serves all P outputs:
 *     log p(Y) = -1/2 [N P log 2 pi + N log|Sigma| + P log|K~| + tr(Sigma^-1 Y'K~^-1 Y)],      K~ = Omega^-1 + Phi R Phi'.
 * This is largest at Sigma = Y'K~^-1 Y/N (of which a diagonal Sigma takes the diagonal, sigma^2 I the mean of the diagonal; with
 * flat weights N - p_f replaces N). So the search is over r_s and theta alone: the evidence is profiled [linear 23]. The posterior
 * of W has Cov(w_jp, w_kq) = Sigma_pq C~_jk. With a diagonal or full Sigma, changing the unit of an output changes its results in
 * proportion; with a full one the same holds for every invertible linear map of the outputs. */

typedef enum bln_slm_form {
    BLN_SLM_AUTO,        /* dual if n < D, or if n = D and the inducing points are the rows; else primal                  */
    BLN_SLM_PRIMAL,      /* D x D: two streaming passes, memory O(D^2 + block D), 3 n D^2 + D^3 flops an evaluation. With n < D
                            G is singular, and small noise variances lose digits; BLN_SLM_QR loses half as many            */
    BLN_SLM_DUAL         /* n x n: memory O(n^2 + n D), 3 n^2 D + n^3/3 flops an evaluation; n^3 if the inducing points are the
                            rows in their order, for which only the kernel matrix is computed. With n > D the primal form is used
                            instead: the n x n matrix has rank D; at sigma^2 = 1e-16 of the signal's variance no digit is left */
} bln_slm_form;

typedef enum bln_slm_arithmetic {
    BLN_SLM_ARITHMETIC_AUTO,   /* exact for up to 16 features without parameters to learn, else double                  */
    BLN_SLM_DOUBLE,
    BLN_SLM_EXACT,             /* statistics, factor and solution in three doubles each (exact); about 100 times the cost of double.
                                  With theta to learn, and on x87, double is used instead                              */
    BLN_SLM_QR                 /* the triangle of [Phi Y] in place of sums of squares, see below; theta may be learnt   */
} bln_slm_arithmetic;

/* BLN_SLM_QR keeps the triangle R with R'R = [Phi Y]' Omega [Phi Y]. Rows are added by Householder reflections, and for each
 * sigma^2 and prior the QR of R stacked on the prior is taken [linear 19]. So the condition number kappa of the features is not
 * squared, and no residual is a difference of sums. Errors, relative to the sizes of columns, are eps kappa where BLN_SLM_DOUBLE
 * has eps kappa^2; those of least squares are eps (kappa + kappa^2 |r|/|Phi m|) [Higham 2002, Theorem 20.1]. Correct digits of
 * NIST's certified coefficients under flat priors, with the powers as given: Longley 13.6 (double 6.8), Filip 7.8 (double refuses),
 * Wampler1 to 5 9.3, 12.9, 9.9, 7.9, 5.9 (three doubles: at least 14, but Filip 7.6, limited by the rounding of the given powers).
 * After a perfect fit the residual is the rounding error of y. A feature with a flat prior counts as dependent, and is named, when
 * less than (12 + sqrt(N)) eps of it is left: of the powers of the years 1960 to 2019, x^7. Cost: 2 N D^2 flops for the rows
 * instead of N D^2, measured 2.2 to 3.1 times the time (20 to 1000 features); an evaluation without the rows takes 2 to 6 times as
 * long. Memory O(D^2 + block D), D^2 doubles more than in double. Primal form only. */

/* What Sigma, the noise covariance of the outputs, may be. */
typedef enum bln_slm_sigma {
    BLN_SLM_DIAGONAL,    /* a noise variance for each output                                                          */
    BLN_SLM_CORRELATED,  /* any covariance; needs more rows than outputs, and outputs none of which follows from the others */
    BLN_SLM_SHARED       /* sigma^2 I: outputs of one unit, with the same noise and prior variances                   */
} bln_slm_sigma;

/* What learns sigma^2 and the prior variances. All but L-BFGS update every variance by a closed form in each step, without a line
 * search; where prior variances are ratios, Sigma is set to its best value after each step. All have the same optima. The closed
 * forms need theta fixed, and features that miss nothing or bln_slm_residual IGNORED: the variational bound might fall.
 * [linear 30-32] */
typedef enum bln_slm_optimiser {
    BLN_SLM_LBFGS,       /* L-BFGS; without theta to learn, MacKay steps come first, as long as each gains much            */
    BLN_SLM_MACKAY,      /* MacKay's update; that of MM in steps where the evidence would fall                         */
    BLN_SLM_EM,          /* expectation maximisation: never falls; slow where the data say little of a slice. A slice whose best
                            variance is 0 would be approached for ever: it is switched off when that raises the evidence   */
    BLN_SLM_MM           /* minorise and maximise: never falls; about half as fast as MacKay's                          */
} bln_slm_optimiser;

/* What the evidence does about the prior variance of a kernel that its features miss (bln_basis_variance: inducing points).
 * Predictions always include it (>>predict). With per_weight there is no lambda_s to scale it, so nothing is counted; with a flat
 * prior it would be infinite, and bln_slm_check refuses that. */
typedef enum bln_slm_residual {
    BLN_SLM_VARIATIONAL, /* subtracts P sum_s lambda_s/(2 sigma^2) sum_n omega_n (k_s(x_n, x_n) - |phi_s(x_n)|^2): a lower bound
                            of the evidence of the kernel itself, equal to it where nothing is missed; more points can only raise
                            it [Titsias 2009; bases 35]                                                              */
    BLN_SLM_IGNORED      /* the evidence of the features as they are (DTC; Quinonero-Candela & Rasmussen 2005): it may exceed that
                            of the kernel, and points that are learnt by it overfit                                          */
} bln_slm_residual;

/* With a prior variance for each weight, maximising the evidence alone overfits where rows are few: among the many choices of
 * variances one fits the noise as well, and its evidence is the largest. Of 120 rows and 200 inputs, of which 2 matter, it drove
 * the noise variance to 0, and 95 % intervals held 10 % of new points (20 tables). The half-Cauchy prior is one on
 *     rho_i = sqrt(lambda_i |phi_i|^2)/sigma,     p(rho_i) = 2/(pi (1 + rho_i^2)),     |phi_i|^2 = sum omega_n phi_i(x_n)^2,
 * the prior sd of weight i in units of the standard error that it would have as the only weight (features at the start of theta).
 * The objective is log p(y) - sum_i log(1 + rho_i^2): keeping a weight costs about 2 log rho_i nats, and a weight of which the rows
 * say little goes to 0. Nothing in it depends on units. [linear 45; Gelman 2006, half-Cauchy; Piironen & Vehtari 2017, the unit] On
 * the same tables new points have an RMSE of 0.52 (the noise has 0.50) and 95 % intervals hold 94 % of them; with 10 inputs that
 * matter 0.55 and 94 %; with 200 inputs that all matter equally 2.2 (2.3 without a model) and 86 %: there one prior variance for
 * all is the better model. For up to 30 steps the search first holds the noise variance at its start, so that weights leave before
 * the noise can shrink to fit what they hold. */
typedef enum bln_slm_relevance_prior {
    BLN_SLM_RELEVANCE_AUTO,        /* half-Cauchy with per_weight and L-BFGS, if the sum of the rows' weights is at most twice the
                                      number of prior variances to be learnt; else none                                 */
    BLN_SLM_RELEVANCE_NONE,        /* the evidence alone                                                                  */
    BLN_SLM_RELEVANCE_HALF_CAUCHY  /* needs per_weight and L-BFGS                                                         */
} bln_slm_relevance_prior;

/* What a monitor sees after each step. */
typedef struct bln_slm_progress {
    size_t start, starts;              /* which start the step belongs to (0-based), of how many */
    size_t iteration, evaluations;     /* steps and evaluations so far, all starts   */
    double objective;                  /* log p(y) + log prior(theta) + log prior(rho) after the step */
    double gradient_norm;              /* at the point after the step; NaN after a fixed-point step before L-BFGS */
    double best;                       /* the best objective so far                  */
} bln_slm_progress;

/* BLN_OK: go on. BLN_ESTOPPED: stop here, keep what was learnt. Anything else: fail with it. */
typedef bln_status (*bln_slm_monitor)(void *user, const bln_slm_progress *progress);

typedef struct bln_slm_desc {
    const bln_basis *basis;            /* borrowed; must outlive the model                       (required)              */
    bln_slm_form     form;             /*                                                        (0: auto)               */
    bln_slm_arithmetic arithmetic;     /*                                                        (0: auto)               */
    size_t           n_outputs;        /* P, columns of y                                        (0: 1)                  */
    bln_slm_sigma    sigma;            /*                                                        (0: diagonal)           */
    double           noise_var;        /* sigma^2, in [y]^2: its start                           (0: from the data)      */
    const double    *noise_cov;        /* P x P, with fix_noise_var: Sigma; its upper triangle is read, of a diagonal Sigma
                                          only the diagonal                                      (NULL: noise_var I)     */
    int              relative_prior;   /* prior_var are ratios r_s = lambda_s/sigma^2; the best sigma^2 is then a closed form, and
                                          the search has one dimension less [linear 23]   (0: only if P > 1 and not SHARED) */
    int              per_weight;       /* a prior variance for each weight, so that the evidence switches weights off one by one
                                          (automatic relevance determination; Tipping 2001)      (0: one for each slice)  */
    bln_slm_relevance_prior relevance; /* the prior of these prior variances, see above          (0: auto)               */
    const double    *prior_var;        /* n_slices (or D) prior variances: their starts, 0 from the data, or HUGE_VAL: a flat
                                          prior, which stays flat                                (NULL: from the data)   */
    bln_slm_residual residual;         /* prior variance that features miss                      (0: variational)        */
    const double    *theta;            /* n_theta basis parameters: their starts                 (NULL: the basis's own)  */
    int              fix_noise_var;    /* keep noise_var, or noise_cov                           (0: learn)              */
    int              fix_prior_var;    /* keep the prior variances at their starts               (0: learn)              */
    int              fix_given_var;    /* keep the prior variances that are > 0 and learn those that are 0: for example a wide
                                          prior of a constant beside terms that are learnt       (0: no)                 */
    int              fix_theta;        /* keep the basis parameters at their starts              (0: learn)              */
    double           theta_sd;         /* sd of log theta in its prior, see above                (0: 1; HUGE_VAL: no prior) */
    bln_slm_optimiser optimiser;       /* of the variances; those but L-BFGS need theta fixed    (0: L-BFGS)             */
    size_t           starts;           /* searches, the first from the start above, the others from random ones (0: 1)   */
    uint64_t         seed;             /* of the random starts                                   (0: seed 0)             */
    size_t           max_iterations;   /* steps of each start, of all its stages together        (0: 300)                */
    double           tolerance;        /* the search stops when the relative gain of the evidence (y in units of its sd) is below
                                          this; for fixed-point steps the gain counts all steps to come at the present rate; or
                                          when the gradient is below the smaller of it and 1e-6  (0: 1e-6)               */
    size_t           block;            /* rows of a block                                        (0: 256)                */
    int              warm_start;       /* noise_var, prior_var and theta come from an earlier fit to rows like these: L-BFGS starts
                                          there at once, without trying other scales or moving length scales together first;
                                          the prior of theta stays around the basis's own starts (0: no)                 */
    bln_slm_monitor  monitor;          /* called after every step of a fit                       (NULL: none)            */
    void            *monitor_user;
    bln_allreduce    allreduce;        /* rows spread over several processes, >>allreduce; primal form only. All processes create,
                                          fit, evaluate or abandon together, in the same order   (NULL: one process)     */
    void            *allreduce_user;
    bln_allocator    alloc;            /*                                                        (zero: malloc)          */
} bln_slm_desc;

typedef struct bln_slm bln_slm;

BLN_API bln_slm_desc bln_slm_defaults(const bln_slm_desc *desc);
BLN_API const char  *bln_slm_check(const bln_slm_desc *desc);

/* Bytes that a model holds between calls, and bytes in all (the former included) at the peak of its first fit to n rows. SIZE_MAX:
 * overflow, or no basis. */
BLN_API size_t bln_slm_size(const bln_slm_desc *desc, size_t n);
BLN_API size_t bln_slm_fit_size(const bln_slm_desc *desc, size_t n);

/* An unfitted model.   BLN_EINVAL: see _check.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_slm_create(const bln_slm_desc *desc, bln_slm **out, bln_report *report);
BLN_API void       bln_slm_free(bln_slm *slm);                             /* NULL is fine */

/* Learns from a data set, or from a source of blocks (primal, unless form is dual and n <= D: then the rows are gathered). The
 * result is BLN_OK also when the optimiser stopped early: the report's stop says why. With several starts, stop and gradient_norm
 * are those of the start that the result comes from; iterations and evaluations count all. Where a noise variance, a prior variance
 * or an element of theta ended at an end of its range, stop is BLN_STOP_BOUND, and the report's text says which, what it means and
 * what to do: the only text with BLN_OK. A prior variance at its lower end is not reported so: its weights are switched off.
 * BLN_EINVAL: NULL, no rows, or every row of weight 0. BLN_ESHAPE: data.d is not basis.d, or data.p not n_outputs. BLN_EDATA,
 * BLN_EDOMAIN: see bln_data_check. BLN_EUNDEFINED: the noise variance is to be learnt, and all targets are equal or their variance
 * is below DBL_MIN; of several outputs, one has no noise of its own (all its targets are equal; with a full Sigma: it is a linear
 * function of the outputs before it, or is fitted perfectly); the report's column d + k names output k. BLN_ENUMERIC, BLN_ENOTPD:
 * overflow, or features whose squares all underflow; scale the data. BLN_ENOMEM, BLN_EOVERFLOW. BLN_EPEER: another process failed.
 * Any status that a source, the monitor or allreduce returned. On failure the model stays as it was: unfitted, or with its former
 * fit. With allreduce in the desc, these functions, the stepwise fit, _evidence_at and _evidence_outputs use the rows of all
 * processes, one of which may have none; a report counts the rows of its own process. If the monitor of one process stops, all
 * stop. No other function communicates, bln_slm_fit_statistics neither: save, send and merge the statistics instead. */
BLN_API bln_status bln_slm_fit(bln_slm *slm, const bln_data *data, bln_report *report);
BLN_API bln_status bln_slm_fit_source(bln_slm *slm, const bln_source *source, bln_report *report);

/* Learns from sufficient statistics, at the fixed theta they were made with: cost and memory do not depend on the number of rows.
 * The statistics must be of the model's basis, and their arithmetic is used. In double RSS is a difference of sums, and loses the
 * digits that cancel: use exact statistics, or qr, when the fit may be nearly perfect. Errors as bln_slm_fit; BLN_ESHAPE: of
 * another basis (by a hash of what it saves); BLN_EINVAL: a dual form. */
BLN_API bln_status bln_slm_fit_statistics(bln_slm *slm, const bln_statistics *statistics, bln_report *report);

/* bln_slm_fit in steps: init, step until converged, then finish, which computes the posterior at the best point so far and makes it
 * the model's. What init was given must stay unchanged until finish, or until bln_slm_abandon, which drops the fit. The monitor is
 * not called. */
BLN_API bln_status bln_slm_init(bln_slm *slm, const bln_data *data, bln_report *report);
BLN_API bln_status bln_slm_init_source(bln_slm *slm, const bln_source *source, bln_report *report);
BLN_API bln_status bln_slm_step(bln_slm *slm, bln_report *report);
BLN_API int        bln_slm_converged(const bln_slm *slm);
BLN_API bln_status bln_slm_finish(bln_slm *slm, bln_report *report);
BLN_API void       bln_slm_abandon(bln_slm *slm);

/* log p(y | hyper-parameters) and its gradient at any point, without fitting. Each gradient may be NULL.
 *     d_noise: d/d log sigma^2      d_prior: n_slices or D, d/d log lambda_s      d_theta: n_theta, d/d theta_k
 *     [linear 13-16]
 * Several outputs: Sigma = noise_var I. With relative_prior, prior_var are ratios, and d_noise is the derivative at fixed ratios.
 * Errors as bln_slm_fit. The model is not changed. */
BLN_API bln_status bln_slm_evidence_at(const bln_slm *slm, const bln_data *data, double noise_var, const double *prior_var,
                                       const double *theta, double *evidence, double *d_noise, double *d_prior, double *d_theta,
                                       bln_report *report);

/* bln_slm_evidence_at at any Sigma, for models whose prior_var are ratios.
 *     noise_cov  P x P: Sigma, of which the upper triangle is read (unless the model's is full, only the diagonal). NULL: the
 *                best one of the model's kind at these ratios and theta; evidence and gradients are then those of the profile
 *                [linear 23]
 *     sigma      P x P out: the Sigma that was used; NULL to skip it
 *     d_cov      P x P out: d/d Sigma_pq = 1/2 (Sigma^-1 Q Sigma^-1 - N Sigma^-1), Q = Y'K~^-1 Y: a symmetric change dSigma
 *                changes the evidence by sum_pq d_cov_pq dSigma_pq; NULL to skip it
 * BLN_EINVAL: prior_var are not ratios. BLN_EDOMAIN: noise_cov not positive definite. BLN_EUNDEFINED: see bln_slm_fit. Else as
 * above. */
BLN_API bln_status bln_slm_evidence_outputs(const bln_slm *slm, const bln_data *data, const double *noise_cov,
                                            const double *prior_var, const double *theta, double *evidence, double *sigma,
                                            double *d_cov, double *d_prior, double *d_theta, bln_report *report);

/* The posterior, the argument of everything else (>>posterior, >>predict, >>weights, >>slopes): one Gaussian, whose factor all P
 * outputs share. Valid until the next fit or free; its status is BLN_ESTATE while the model is not fitted. NULL for NULL. */
BLN_API const bln_posterior *bln_slm_posterior(const bln_slm *slm);

/* What was learnt. Unfitted: NULL, and NaN for numbers. Valid until the next fit or free. */
BLN_API const bln_basis    *bln_slm_basis(const bln_slm *slm);
BLN_API size_t              bln_slm_outputs(const bln_slm *slm);            /* P, unfitted too */
BLN_API const double       *bln_slm_theta(const bln_slm *slm);              /* n_theta  */
BLN_API const double       *bln_slm_prior_var(const bln_slm *slm);          /* n_slices, or D if per_weight; ratios if relative */
BLN_API size_t              bln_slm_priors(const bln_slm *slm);             /* how many these are, unfitted too */
BLN_API double              bln_slm_noise_var(const bln_slm *slm);          /* NaN where outputs have different ones */
BLN_API const double       *bln_slm_noise_cov(const bln_slm *slm);          /* P x P, both triangles: Sigma */
BLN_API double              bln_slm_evidence(const bln_slm *slm);           /* log p(y) at the learnt point */
BLN_API double              bln_slm_rows(const bln_slm *slm);               /* N = sum of weights of the data fitted */

/* bln_posterior_predict of its posterior: mean of f and of y; var_model, the variance of f; var_noise = Sigma_pp v, that of the
 * noise. That of y is their sum. n x P each; any may be NULL. At one row, the covariance of outputs p and q is Sigma_pq/Sigma_pp
 * times the variance of output p, of f or of y. The coefficient table: bln_posterior_coefficients, names bln_basis_feature_name.
 * work: bln_posterior_work(bln_slm_posterior(slm)) doubles, or NULL to allocate. */
BLN_API bln_status bln_slm_predict(const bln_slm *slm, const bln_data *data, double *mean, double *var_model, double *var_noise,
                                   double *work, bln_report *report);

/* Writes a fitted model with its basis, and reads one. A loaded model owns its basis; it predicts as the saved one does, to the
 * bit in the same program, and can be fitted again with default options (those of the first fit are not kept).
 * save: BLN_ESTATE (not fitted), BLN_EUNKNOWN (a basis that has no save), BLN_EIO.
 * load: BLN_EFORMAT (no such model, or damaged), BLN_EUNKNOWN (a basis not in context), BLN_ENOMEM; any status of the reader. */
BLN_API bln_status bln_slm_save(const bln_slm *slm, bln_writer *w);
BLN_API bln_status bln_slm_load(const bln_load *context, bln_reader *r, bln_slm **out);
BLN_API const bln_model_kind *bln_slm_file_kind(void);                                  /* for a list of kinds (>>load) */

#endif /* BLN_LINEAR_SLM_H */
