#ifndef BLN_GLM_GLM_H
#define BLN_GLM_GLM_H
#include "../likelihood/predictive.h"
#include "../optim/minibatch.h"
#include "../optim/sgd.h"
#include "../posterior/mixture.h"
#include "../posterior/predict.h"
/* >>glm - Bayesian generalised linear models
 *
 *     p(y_n | f_n; eta),   f_n = offset_n + phi(x_n; theta)'w,   w ~ N(0, Lambda),                                 [spec/glm.md G1]
 *
 * for any likelihood with parameters eta (>>likelihood) and any basis; Lambda holds one variance lambda_s for each slice of the
 * basis. A row of weight k counts as k copies; noise_var and trials are the likelihood's. Ways to a posterior of w:
 *
 *     BLN_GLM_LAPLACE      N(w^, C): the mode w^ by Newton's method, C^-1 = Lambda^-1 + Phi'W Phi, W = diag(-d2), negative d2 only.
 *                          lambda, eta and theta maximise Laplace's approximation of the evidence,
 *                              log Z = sum_n log p(y_n | f^_n) - 1/2 w^'Lambda^-1 w^ - 1/2 log|I + S Phi'W Phi S|,  S^2 = Lambda,
 *                          times a weak prior of theta, with exact gradients: those of the mode included. 5 to 10 passes over the
 *                          rows for each point of the search, n D^2 flops each; memory O(D^2 + block D). A data set of n < D
 *                          rows: in the space of the rows, n^3 flops each, 6 n^2 D in addition for each point, memory O(n D).
 *                                                  [G34-G37; Rasmussen & Williams 2006, 3.4, 5.5.1; MacKay 1992]
 *     BLN_GLM_FULL         N(m, C), m and C those with the greatest bound of the evidence
 *                              L = sum_n E_{f ~ N(phi_n'm, phi_n'C phi_n)} log p(y_n | f) + E_q log p(w) + H(q)  <=  log p(y),
 *                          found by natural-gradient steps; lambda, eta and theta maximise it (and the prior of theta) by its exact
 *                          gradients. Where Laplace's curvature at the mode misleads (few counts, outliers, no curvature at all)
 *                          this one is nearer to the mean and the variance of each f. 4 to 12 passes over the rows for each point
 *                          of the search, 2 n D^2 + 3 D^3 flops each and the expectations; memory as Laplace's, nine D x D in
 *                          place of two. With n < D as Laplace, 5 n^3 flops and nine n x n. The last bound is found to about
 *                          1e-4 `tolerance`, those on the way to 1e-5 of themselves, without a search to rounding. With `batch`,
 *                          steps by batches instead, see below.
 *                                                          [Opper & Archambeau 2009; Khan & Lin 2017; Walker & Ni 2011]
 *     BLN_GLM_VARIATIONAL  1/K sum_k N(m_k, diag psi_k): m, psi, lambda, eta and theta maximise the bound
 *                              L = sum_n 1/K sum_k E_{f ~ N(mu_kn, v_kn)} log p(y_n | f) + E_q log p(w) + H(q)  <=  log p(y)
 *                          together, by L-BFGS. 8 n K D flops an evaluation and the expectations; memory O(K D + block D), and
 *                          20 vectors of 2 K D of the search: nothing is D x D. With `batch`, by stochastic gradient steps instead,
 *                          see below.
 *                                                                [G2-G15; Opper & Archambeau 2009; Gershman, Hoffman & Blei 2012]
 *
 *     BLN_GLM_MAP          the mode w^ alone, a point, which maximises log p(y, w): by Newton's method, but without
 *                          Laplace's last passes and second D x D; or with `batch` by stochastic gradient steps, without a matrix.
 *                          lambda, eta and theta stay what they are given as, or where they start: log p(y, w) has no maximum in
 *                          them (as lambda goes to 0 with w it grows without end). Predictions are those of f = phi'w^, as if w^
 *                          were known: the variance of f is 0, and standard deviations of the weights are 0. For comparison, and as
 *                          a penalised likelihood whose penalties come from elsewhere (cross-validation).
 *                                                                                        [G34, G35; McCullagh & Nelder 1989]
 *
 *     BLN_GLM_SGVI         N(m, diag psi) by doubly stochastic steps: each is a gradient at one draw of the weights, by `batch`
 *                          rows, of the variational bound with K = 1, with E_q log p(w) and H(q) exact. It learns lambda, eta and
 *                          theta too, needs no more of a likelihood than log p and its slope, and is a dozen lines of code: for
 *                          teaching.
 *                          BLN_GLM_VARIATIONAL with `batch` finds the same with less noise.
 *                                                                                [G39; Titsias & Lazaro-Gredilla 2014]
 *     BLN_GLM_NPV          1/K sum_k N(m_k, diag psi_k) again, by the objective of nonparametric variational inference, whose rows
 *                          are log p(y_n | mu_kn) + 1/2 d2_n v_kn in place of expectations: one evaluation of the likelihood for
 *                          each row. No bound of the evidence: where v is wider than log p is quadratic it may lie anywhere, and
 *                          prefers such mu where d2 is small. Where rows say little of f (one class, counts that are all 0, no
 *                          curvature, log p not concave) it may have no top, or one of variances as wide as the prior's, more than
 *                          0.1 nats a row above the bound, which is worked out once, at the end: BLN_EUNDEFINED. Else
 *                          as BLN_GLM_VARIATIONAL: for comparison.                      [G32, G33; Gershman, Hoffman & Blei 2012]
 *
 * The prior of theta, and where lambda and theta start, are those of >>slm, with the variance of f where each y would be about its
 * own mean (bln_likelihood_start) for the size of the functions; eta starts where the likelihood says.
 *
 * A flat prior (prior_var HUGE_VAL; Laplace, and MAP without batches) for all weights makes w^ the maximum-likelihood estimate and
 * C the inverse observed information: coefficients and standard errors of classical programs, at this eta. eta maximises log Z, in
 * which flat weights are integrated out, their density being 1, and not the likelihood, and C takes it as known: of likelihoods
 * with eta the figures differ from those programs'. Where there is no maximum (classes that a plane separates, counts that are all
 * zero) the fit says so: BLN_EUNDEFINED. The first cut of an ordinal likelihood and a constant whose prior is flat say the same:
 * the cut then stays at its start, and the constant is what it would be beside that cut; predictions do not depend on it. Flat
 * weights of dependent features are BLN_ENOTPD; the report's column is the feature.
 *
 * A stochastic fit (`batch` rows for each step) takes the bound with sum_n as n/|B| times the sum over a batch, which is unbiased,
 * as are its gradients, exact in everything else: the expectations are not sampled (but computed to 1e-6 only). Batches are those
 * of >>minibatch with the fit's seed. After 20 steps at most of the search for the mode, over all rows, epochs by >>sgd: its rate
 * is held, and lowered when means of the bound over five epochs stop to rise; the answer is the average of the points since the
 * middle of max_iterations, or the last point if the run ended before. A step of the step form is an epoch. MAP likewise, with log
 * p(y, w) for the bound, and from w = 0. Worth it where an epoch brings the search far, with many more rows than there are numbers
 * to learn, and if these may be off by a few tenths of their standard deviations; else L-BFGS is quicker and gives more digits.
 * Rows must be a data set: those of a source come in no random order.              [Hoffman et al. 2013; spec/glm.md G4]
 *
 * With `natural` = r, m and psi take natural-gradient steps instead of the method's,                            [Khan & Lin 2017]
 *     1/psi_ki <- 1/psi_ki - 2 r K dL/dpsi_ki,   m_ki <- m_ki + r K psi_ki dL/dm_ki,   psi the new one,                    (G29)
 * which need no scale and remember no gradients: for K = 1 1/psi is (1-r)/psi + r (1/lambda - 2 sum_n dE_n/dv_n phi_ni^2). 1/psi
 * becomes no less than half of what it was, nor than 1/(10 lambda); r falls as the rate does. Where weights are correlated r must
 * be below 2 over the greatest eigenvalue of the correlation matrix that C^-1 has, D at most, or the steps swing ever wider. A full
 * Gaussian by batches has steps of this kind alone, which correlations do not disturb,
 *     A <- (1-r) A + r Phi'W Phi,   m <- m + r C dL/dm,   C^-1 = Lambda^-1 + A,
 * sums by the batch; each costs some D^3 flops. They are not averaged, and the last point is the answer.
 *
 * Prior variance that features leave out (inducing points): in the bound it is part of v_kn, which makes it the bound of the
 * kernel's own model [Hensman, Matthews & Ghahramani 2015]; Laplace's evidence is that of the features. Predictions have it. */

typedef enum bln_glm_inference {
    BLN_GLM_LAPLACE, BLN_GLM_VARIATIONAL, BLN_GLM_FULL, BLN_GLM_MAP, BLN_GLM_SGVI, BLN_GLM_NPV
} bln_glm_inference;

/* What the steps of a stochastic variational fit take for E log p(y_n | f); each is unbiased, and so are its gradients.
 *     BLN_GLM_EXPECT_RULE     the expectation, by closed form or quadrature (`nodes`): only the choice of rows is random
 *     BLN_GLM_EXPECT_LOCAL    the mean over `draws` of f for each row and component, f = mu + sqrt v e          (G24)
 *     BLN_GLM_EXPECT_WEIGHTS  the mean over `draws` of w for each component, the same for all rows of the batch: for comparison
 *                             with other programs, or where nothing but log p and its slope at f is to be had. (G23)
 * bench/README.md has the variances of the three. The last bound, the posterior's, is by BLN_GLM_EXPECT_RULE with any of them. */
typedef enum bln_glm_expectation { BLN_GLM_EXPECT_RULE, BLN_GLM_EXPECT_LOCAL, BLN_GLM_EXPECT_WEIGHTS } bln_glm_expectation;

/* Where the search for a mixture begins.
 *     BLN_GLM_START_MODE      one component at the mode, psi_i = 1/(1/lambda_i - sum_n d2_n phi_ni^2); others 2 sqrt psi N(0, I)
 *     off it
 *                             (G31)
 *     BLN_GLM_START_RANDOM    m ~ N(0, lambda), psi = lambda/2 times a Gamma(2) variate, without a search for the mode: for
 *     comparison
 * Of several `starts` the one with the greatest bound goes on: all by all rows and the same rule, so that the best is the best and
 * not the luckiest with its batch. A single component at the mode has no second one. */
typedef enum bln_glm_start { BLN_GLM_START_MODE, BLN_GLM_START_RANDOM } bln_glm_start;

/* What a monitor sees after each step. */
typedef struct bln_glm_progress {
    size_t iteration, evaluations;     /* steps and evaluations so far; the first steps of a variational fit look for the mode;
                                          epochs of a stochastic one are counted anew, and are all that its report counts */
    double objective;                  /* log Z, or the bound (while it looks for the mode, as MAP does, log p(y, w) without
                                          constants of w; of a stochastic fit its mean over the last epochs) */
    double gradient_norm;              /* there; of a stochastic fit that of the last batch, at the point before its step */
} bln_glm_progress;

/* BLN_OK: go on. BLN_ESTOPPED: stop here, keep what was learnt. Anything else: fail with it. */
typedef bln_status (*bln_glm_monitor)(void *user, const bln_glm_progress *progress);

typedef struct bln_glm_desc {
    const bln_basis  *basis;           /* borrowed; must outlive the model                       (required)              */
    bln_likelihood    likelihood;      /* copied; what it points to must outlive the model       (required)              */
    bln_glm_inference inference;       /*                                                        (0: Laplace)            */
    size_t            components;      /* K of the mixture                                       (0: 1)                  */
    bln_entropy_kind  entropy;         /* its bound of the entropy, exact if K = 1               (0: pairs)              */
    size_t            nodes;           /* expectations by Gauss-Hermite rules of so many nodes, at most 256, whose sums are
                                          differentiated as they stand; K = 1 takes the exact entropy either way
                                                                                    (0: to an accuracy of 1e-10, >>expect) */
    int               per_weight;      /* a prior variance for each weight                       (0: one for each slice) */
    const double     *prior_var;       /* n_slices (or D) prior variances: their starts, 0 from the data, or HUGE_VAL: a flat
                                          prior, which stays flat (Laplace, MAP without batches) (NULL: from the data)   */
    const double     *likelihood_theta; /* eta: its start                                        (NULL: the likelihood's own) */
    const double     *theta;           /* basis parameters: their starts                         (NULL: the basis's own) */
    int               fix_prior_var;   /* keep the prior variances at their starts               (0: learn)              */
    int               fix_likelihood;  /* keep eta at its start                                  (0: learn)              */
    int               fix_theta;       /* keep the basis parameters at their starts              (0: learn)              */
    double            theta_sd;        /* sd of log theta in its prior, see >>slm                (0: 1; HUGE_VAL: no prior) */
    uint64_t          seed;            /* of where components start                              (0: seed 0)             */
    bln_glm_start     start;           /* that of a mixture                                      (0: the mode)           */
    size_t            starts;          /* to choose from                                         (0: 1)                  */
    size_t            max_iterations;  /* steps; epochs of a stochastic fit   (0: 300; MAP, stochastic 200; variational 2000) */
    double            tolerance;       /* relative progress at which to stop, or largest gradient, if less than 1e-6; a
                                          stochastic fit stops by its own rule, below            (0: 1e-6; variational 1e-8) */
    size_t            block;           /* rows of a block                                        (0: 256; mixtures 64)   */
    size_t            batch;           /* rows of a minibatch: a stochastic fit; not Laplace     (0: none)               */
    bln_sgd_method    method;          /* of its steps                                           (0: Adam)               */
    double            rate;            /* and their rate                                         (0: Adam 0.03, else >>sgd's) */
    bln_glm_expectation expectation;   /* what they take for E log p                             (0: the rule)           */
    size_t            draws;           /* of f or w, if that                                     (0: 1)                  */
    double            natural;         /* rate, at most 1, of natural-gradient steps of q, beside the method's of all else
                                                        (0: the method's for all; full Gaussian 1/(2 (n/batch - 1)), at most 1) */
    bln_glm_monitor   monitor;         /* called after every step of a fit                       (NULL: none)            */
    void             *monitor_user;
    bln_allocator     alloc;           /*                                                        (zero: malloc)          */
} bln_glm_desc;

typedef struct bln_glm bln_glm;

/* The desc with every default filled in; NULL, or the reason why the desc is not usable. */
BLN_API bln_glm_desc bln_glm_defaults(const bln_glm_desc *desc);
BLN_API const char  *bln_glm_check(const bln_glm_desc *desc);

/* Bytes that a fitted model holds between calls, and bytes in all (the former included) at the peak of its first fit to a data set
 * of n rows, or to a source (n = 0). SIZE_MAX: overflow, or a desc that bln_glm_check refuses. n only counts while it is smaller
 * than D, for Laplace and full. */
BLN_API size_t bln_glm_size(const bln_glm_desc *desc);
BLN_API size_t bln_glm_fit_size(const bln_glm_desc *desc, size_t n);

/* An unfitted model.   BLN_EINVAL: see _check.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_glm_create(const bln_glm_desc *desc, bln_glm **out, bln_report *report);
BLN_API void       bln_glm_free(bln_glm *glm);                             /* NULL is fine */

/* Learns from a data set, or from a source of blocks. BLN_OK also when the search stopped early: the report's stop says why.
 * BLN_EINVAL: NULL; no rows, or none with a weight > 0; what bln_likelihood_check_data says of a data set.  BLN_ESHAPE: data.d is
 * not basis.d; a source whose passes differ.  BLN_EDATA, BLN_EDOMAIN: the report has row and column.
 * BLN_EUNDEFINED: with flat priors, no maximum; Laplace, and MAP without batches: log p without curvature (the Laplace
 * likelihood); NPV: variances without end, or too wide for it.
 * BLN_ENOTPD: a feature with a flat prior depends on those before it (the report's column).
 * BLN_EINVAL: a stochastic fit of a source.  BLN_ENUMERIC: nothing finite at the start, or no mode found there, or 100 batches in a
 * row whose bound is not finite: scale the data; stochastic steps of a point or a mixture that ran to their end, more than a nat a
 * row below where they began (one more pass over the rows sees to that): lower the rate, or scale the data.  BLN_ENOMEM,
 * BLN_EOVERFLOW. What a source or the monitor returned. On failure the model stays as it was. */
BLN_API bln_status bln_glm_fit(bln_glm *glm, const bln_data *data, bln_report *report);
BLN_API bln_status bln_glm_fit_source(bln_glm *glm, const bln_source *source, bln_report *report);

/* The same in steps: init, step until converged, finish (which makes the last point's posterior the model's). What init is given
 * must stay as it is until finish, or bln_glm_abandon, which drops the fit. The monitor is not called.
 * Errors as above; BLN_ESTATE: step or finish without init. A failed init or finish drops the fit; after a failed step it may be
 * abandoned or finished at the point before. */
BLN_API bln_status bln_glm_init(bln_glm *glm, const bln_data *data, bln_report *report);
BLN_API bln_status bln_glm_init_source(bln_glm *glm, const bln_source *source, bln_report *report);
BLN_API bln_status bln_glm_step(bln_glm *glm, bln_report *report);
BLN_API int        bln_glm_converged(const bln_glm *glm);
BLN_API bln_status bln_glm_finish(bln_glm *glm, bln_report *report);
BLN_API void       bln_glm_abandon(bln_glm *glm);

/* log Z at any hyper-parameters, without fitting, for a model of any kind, and its gradient. Each output but *evidence may be
 * NULL.
 *     prior_var: n_slices or D, > 0 or HUGE_VAL; likelihood_theta; theta: natural units (NULL where there are none)
 *     mode: D    d_prior: d/d log lambda_s (0 where flat)    d_likelihood: d/d eta_k    d_theta: d/d theta_k          (G36, G37)
 * Errors as bln_glm_fit; BLN_EDOMAIN: a prior variance that is not > 0. The model is not changed. */
BLN_API bln_status bln_glm_evidence_at(const bln_glm *glm, const bln_data *data, const double *prior_var,
                                       const double *likelihood_theta, const double *theta, double *evidence, double *mode,
                                       double *d_prior, double *d_likelihood, double *d_theta, bln_report *report);

/* The greatest bound of a full Gaussian N(mean, C) at any hyper-parameters, likewise, without the prior of theta.
 *     mean: D    C: D x D without gaps, upper triangle
 * Errors as _evidence_at; BLN_EDOMAIN: a flat prior.  BLN_ENUMERIC: a search that does not end: scale the data. */
BLN_API bln_status bln_glm_full_at(const bln_glm *glm, const bln_data *data, const double *prior_var,
                                   const double *likelihood_theta, const double *theta, double *bound, double *mean, double *C,
                                   double *d_prior, double *d_likelihood, double *d_theta, bln_report *report);

/* The bound, of a model of NPV its objective, at any mixture q of as many weights as the model, of any kind, has, likewise.
 *     dm, dpsi: K x D without gaps, d/d m_ki and d/d psi_ki (both or neither)                                       (G4-G15)
 * Errors as above, and what bln_mixture_check says; BLN_EDOMAIN: a flat prior. */
BLN_API bln_status bln_glm_bound_at(const bln_glm *glm, const bln_data *data, const bln_mixture *q, const double *prior_var,
                                    const double *likelihood_theta, const double *theta, double *bound, double *dm, double *dpsi,
                                    double *d_prior, double *d_likelihood, double *d_theta, bln_report *report);

/* What was learnt. Unfitted: NULL, and NaN for numbers. Valid until the next fit or free. */
BLN_API const bln_gaussian   *bln_glm_posterior(const bln_glm *glm);         /* Laplace and full; else NULL */
BLN_API const bln_mixture    *bln_glm_mixture(const bln_glm *glm);           /* variational, SGVI, NPV; else NULL */
BLN_API const bln_basis      *bln_glm_basis(const bln_glm *glm);             /* unfitted too, as the next   */
BLN_API const bln_likelihood *bln_glm_likelihood(const bln_glm *glm);
BLN_API const double         *bln_glm_likelihood_theta(const bln_glm *glm);  /* eta                       */
BLN_API const double         *bln_glm_theta(const bln_glm *glm);             /* n_theta of the basis      */
BLN_API const double         *bln_glm_prior_var(const bln_glm *glm);         /* n_slices, or D            */
BLN_API bln_glm_inference     bln_glm_kind(const bln_glm *glm);              /* unfitted too; NULL: Laplace */
BLN_API double                bln_glm_objective(const bln_glm *glm);         /* log Z, or the bound; MAP: log p(y, w^) */
BLN_API double                bln_glm_rows(const bln_glm *glm);              /* N = sum of weights        */

/* The coefficient table: mean and standard deviation of each weight, D each; either may be NULL. MAP: w^ and 0.
 * BLN_EINVAL: NULL.  BLN_ESTATE: not fitted.  BLN_ENOMEM. */
BLN_API bln_status bln_glm_coefficients(const bln_glm *glm, double *mean, double *sd);

/* Writes a fitted model with its basis, and reads one, as >>slm does: a loaded model owns its basis, predicts to the bit what the
 * saved one did, and can be fitted again by the same inference, with default options.
 * save: BLN_EINVAL: NULL.  BLN_ESTATE: not fitted.  BLN_EUNKNOWN: a basis that has no save, or a likelihood with `user`.  BLN_EIO.
 * load: what the reader says; BLN_EFORMAT; BLN_EUNKNOWN; BLN_ENOMEM. The layout is in src/glm/glm_file.c. */
BLN_API bln_status bln_glm_save(const bln_glm *glm, bln_writer *w);
BLN_API bln_status bln_glm_load(const bln_load *context, bln_reader *r, bln_glm **out);
BLN_API const bln_model_kind *bln_glm_file_kind(void);                                  /* for a list of kinds (>>load) */

/* Predictions at the n rows of data (offset, trials, noise_var are used; y where it is said), each n numbers, by the distribution
 * of f under the posterior, a normal or a mixture of them (G38, G41), and >>predictive, which has the errors and the times.
 *
 *     _latent        mean and variance of f                                                        (either may be NULL)
 *     _predict       E y, Var E[y | f], E Var[y | f]: Var y is their sum                           (any may be NULL)  (G42)
 *                    Under a log link, where f has mean m and variance v, they grow as e^(m + v/2) and e^(2 m + 2 v): infinity
 *                    beyond doubles, as where wide priors meet counts that are all 0. Quantiles and densities are what they are.
 *     _logdensities  log p(y | data), of data->y                                                   (G43, G49)
 *     _cdfs          P(Y <= y), P(Y > y), of data->y                                               (either may be NULL)  (G44)
 *     _pits          where data->y lies in its distribution: P(Y <= y), randomised by the seed if y is discrete, row i by its
 *                    stream i: uniform over many new rows if the model is right                                         (M16)
 *     _quantiles     least y with P(Y <= y) >= p                                                   (G45)
 *     _intervals     central intervals of probability `level` (at least that, of a discrete y)
 *
 * work: bln_glm_predict_work(glm) doubles, or NULL to allocate.
 * BLN_EINVAL: NULL.  BLN_ESTATE: not fitted.  BLN_ESHAPE, BLN_EDATA, BLN_EDOMAIN as for fit.  BLN_ENOMEM: only if work is NULL.
 * BLN_ENUMERIC: mean or variance of f overflow at a row that the report names; the blocks before its own have their answers. */
BLN_API bln_status bln_glm_latent(const bln_glm *glm, const bln_data *data, double *mean, double *var, double *work,
                                  bln_report *report);
BLN_API bln_status bln_glm_predict(const bln_glm *glm, const bln_data *data, double *mean, double *var_model, double *var_noise,
                                   double *work, bln_report *report);
BLN_API bln_status bln_glm_logdensities(const bln_glm *glm, const bln_data *data, double *out, double *work, bln_report *report);
BLN_API bln_status bln_glm_cdfs(const bln_glm *glm, const bln_data *data, double *lower, double *upper, double *work,
                                bln_report *report);
BLN_API bln_status bln_glm_pits(const bln_glm *glm, const bln_data *data, uint64_t seed, double *out, double *work,
                                bln_report *report);
BLN_API bln_status bln_glm_quantiles(const bln_glm *glm, const bln_data *data, double p, double *out, double *work,
                                     bln_report *report);
BLN_API bln_status bln_glm_intervals(const bln_glm *glm, const bln_data *data, double level, double *lower, double *upper,
                                     double *work, bln_report *report);
BLN_API size_t     bln_glm_predict_work(const bln_glm *glm);                 /* 0 unfitted; SIZE_MAX on overflow */

#endif /* BLN_GLM_GLM_H */
