#ifndef BLN_LIKELIHOOD_LIKELIHOOD_H
#define BLN_LIKELIHOOD_LIKELIHOOD_H
#include "../core/data.h"
#include "../optim/transform.h"
#include "../random/rng.h"
/* >>likelihood - how targets arise from f: the interface, your own included
 *
 * A likelihood is p(y | f; theta) for one target y and its latent value f = phi'w + offset. theta: its own parameters, in their
 * natural units (a variance, a size, ...), held by the caller and handed to every call; a likelihood never changes, so that one
 * serves many models and threads. All functions work on arrays of rows: n values of f, targets, results. A row's weight is no
 * concern of the likelihood: log p times k is k copies of the row.                [McCullagh & Nelder 1989; likelihoods 1]
 *
 *     built in               y              theta                       made by
 *     Gaussian               real           noise variance              bln_likelihood_gaussian()
 *     Student-t              real           scale, degrees of freedom   bln_likelihood_student_t()
 *     Laplace                real           scale                       bln_likelihood_laplace()
 *     asymmetric Laplace     real           scale                       bln_likelihood_asymmetric_laplace(tau): f is y's quantile
 *     binomial               0..trials                                  bln_likelihood_binomial(link); Bernoulli without trials
 *     Poisson                0, 1, 2, ...   largest rate if logistic    bln_likelihood_poisson(link)
 *     negative binomial      0, 1, 2, ...   size                        bln_likelihood_negative_binomial()
 *     zero-inflated Poisson  0, 1, 2, ...   probability of sure zeros   bln_likelihood_zero_inflated_poisson()
 *     ordinal                0..C-1         first cut, C-2 gaps         bln_likelihood_ordinal(C)
 *     categorical            0..K-1                                     bln_likelihood_categorical(K), of K latents
 *     the same, augmentable  0..K-1         of one form scales          bln_likelihood_logistic_softmax(K, form)
 *     Gaussian, its scale    real           scale                       bln_likelihood_gaussian_scale(), of 2 latents
 *     the same, augmentable  real           least scale                 bln_likelihood_heteroscedastic(), of 2 latents
 *     of Student's t         real           and degrees of freedom      bln_likelihood_heteroscedastic_t(), of 2 latents
 *
 * Those of several latent values a row have functions of their own, further down; what comes before is for one.
 *
 * y is any whole number up to 2^53 where it counts. The column `trials` is the number of trials of a binomial and the exposure of
 * a count (the mean is trials times that of one unit; NULL: 1), or of your own likelihood what its domain takes, such as a mark of
 * rows where y is only a lower bound; `noise_var` is the factor of the variance of a continuous y.
 * |f| <= 800 never gives NaN: log p may be -inf where it is below the range of doubles. */

/* Targets of n rows; a view. */
typedef struct bln_targets {
    const double *y;            /* n; NULL may be where only f is asked about: moments, normal_moments, quantile, draw       */
    const double *trials;       /* n, or NULL: all 1                                                            */
    const double *noise_var;    /* n, or NULL: all 1                                                            */
    const double *constants;    /* from ops->constants; NULL: worked out in each call                          */
    size_t        ldc;          /* row stride of the constants                                                  */
} bln_targets;

enum { BLN_LIKELIHOOD_BLOCK = 128,          /* the functions of a table get at most so many rows at a time      */
       BLN_LIKELIHOOD_CONSTANTS = 2,        /* at most so many constants a row                                  */
       BLN_LIKELIHOOD_THETA = 64,           /* parameters                                                       */
       BLN_LATENTS = 64 };                  /* and latents                                                      */

/* How f becomes a probability (binomial) or a mean (Poisson): see there. */
typedef enum bln_link {
    BLN_LINK_DEFAULT, BLN_LINK_LOGIT, BLN_LINK_PROBIT, BLN_LINK_CLOGLOG,      /* binomial */
    BLN_LINK_LOG, BLN_LINK_SOFTPLUS                                           /* Poisson, and BLN_LINK_LOGIT */
} bln_link;

typedef struct bln_likelihood_ops bln_likelihood_ops;
typedef struct bln_latents_ops bln_latents_ops;
typedef struct bln_mixture_ops bln_mixture_ops;

/* A small value: copy it as you like, there is nothing to free. Your own: = BLN_ZERO, then .ops, .n_theta and .user. */
typedef struct bln_likelihood {
    const bln_likelihood_ops *ops;
    size_t                    n_theta;      /* own parameters                                       */
    const void               *user;         /* for your own functions; must outlive every copy      */
    size_t                    n_latent;     /* latent values of a row, at most BLN_LATENTS   (0: 1) */
    double                    level;        /* a number of (0, 1) that is part of it and never learnt, as the quantile of the
                                               asymmetric Laplace; model files keep it       (0: it has none) */
} bln_likelihood;

/* What a likelihood can do. Your own needs a name and logp, or a name and mixture; the rest may be NULL, and is then done as said
 * in brackets, more slowly and, where so stated, less exactly. l: the likelihood; n <= BLN_LIKELIHOOD_BLOCK rows; f: n latent
 * values, finite; t: their targets, in the domain, with constants filled in if there are any; outputs n entries, no overlap; an
 * output of NULL is not wanted. Nothing may fail: out of range is +-inf. A function of one of the library's tables may look into
 * the likelihood that it belongs to, binomial for its link: call it with that one, never with yours. */
struct bln_likelihood_ops {
    const char *name;           /* in model files and on command lines: 1..31 characters of [a-z0-9_]. Give your own a prefix of
                                   yours, as my_: a file with the name of one of the house is read as that one */
    int         discrete;       /* y takes whole numbers only: sums instead of integrals over y             */
    size_t      n_constants;    /* constants of a row, <= BLN_LIKELIHOOD_CONSTANTS                          */
    int         of_theta;       /* do the constants change with theta?                                      */

    /* NULL if y and trials (1 if there is no such column) are in the domain, else the reason: "y must be a whole number >= 0".
     * Finite values only come here. With a domain there may be trials: refuse trials != 1 if they mean nothing.
     * (NULL: every y of the support is fine, trials are refused) */
    const char *(*domain)(const bln_likelihood *l, double y, double trials);

    /* Ends of the values that y can take, infinite ones included; trials as above.
     * (NULL: 0 to infinity if discrete, else all numbers; the lower end of a discrete one must be finite) */
    void (*support)(const bln_likelihood *l, double trials, double *low, double *high);

    /* Domain and start of theta_k where the targets have this mean and standard deviation (> 0, or 1 if unknown); *out arrives
     * as zeros. (required if n_theta > 0) */
    void (*param)(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out);
    /* Its name for tables. (NULL: "theta0") */
    const char *(*param_name)(const bln_likelihood *l, size_t k);

    /* constants[j*n + i]: constant j of row i, a part of log p that does not depend on f. (NULL: none) */
    void (*constants)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, double *constants);

    /* log p(y | f), with all normalising constants. (NULL only if eval or mixture is there) */
    void (*logp)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, double *logp);

    /* log p and its first three derivatives in f. (NULL: differences of logp over 9 points, `width`/32 apart, see below; errors
     * of some 1e-10, 1e-10 and 1e-6 of |log p| over width, width^2, width^3) */
    void (*eval)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                 double *logp, double *d1, double *d2, double *d3);

    /* The derivatives of log p, d1 and d2 in theta_k. (NULL: differences over 9 values of theta_k) */
    void (*eval_param)(const bln_likelihood *l, const double *theta, size_t k, size_t n, const bln_targets *t, const double *f,
                       double *dlogp, double *dd1, double *dd2);

    /* E[y | f] and Var[y | f]; lower = P(Y <= y | f), upper = P(Y > y | f), each from its own formula, so that neither is lost
     * by subtraction, and right at f = +-inf too; logs of these; the least y with P(Y <= y) >= p; a draw.
     * (NULL: sums over y from the low end of the support up, if discrete; else integrals over y by quadrature around the highest
     * log p; errors of 1e-10; logs of lower and upper; a search; the quantile of a uniform. For a real y give cdf: without it an
     * interval costs some 0.1 s a row) */
    void (*moments)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                    double *mean, double *var);
    void (*cdf)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                double *lower, double *upper);
    void (*logcdf)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                   double *lower, double *upper);
    void (*quantile)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                     const double *p, double *y);
    void (*draw)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                 bln_rng *rng, double *y);

    /* f at which y would be about its own mean, finite: where a search for f begins. (NULL: 0) */
    void (*start)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, double *f);

    /* The scale on which log p varies with f: its singularity nearest to the real axis is at centre +- i width (logistic function:
     * 0 and pi). Quadratures take their number of nodes from it, differences their step. t->y is always there; where moments have
     * none, it is about E[y | f]. (NULL: 0 and 1. Give it for every real y: where the width is far above the true one, derivatives
     * by differences and integrals are wrong, and nothing tells) */
    void (*singularity)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, double *centre,
                        double *width);

    /* log(-dP(Y <= y | f)/df), for likelihoods whose y grows with f; -inf where that is 0. Makes predictive distribution functions
     * fast and, of discrete y, good in the tails, as cdf does for y that are not discrete. (NULL: done without) */
    void (*cdf_slope)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, double *slope);

    /* Closed forms under f ~ N(m, v), v > 0, with all outputs; of normal_expect all but the first may be NULL. A row for which
     * there is none gets NaN (in its first output) and is integrated.
     *   normal_expect    value = E log p, dm and dv its derivatives in m and v, dtheta[k*lddtheta + i] in theta_k
     *   normal_logp      log E p(y | f)
     *   normal_moments   E y, Var E[y | f], E Var[y | f]
     *   normal_cdf       E P(Y <= y | f), E P(Y > y | f)
     * (NULL: none) */
    void (*normal_expect)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *m,
                          const double *v, double tolerance, double *value, double *dm, double *dv, double *dtheta,
                          size_t lddtheta);
    void (*normal_logp)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *m,
                        const double *v, double *logp);
    void (*normal_moments)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *m,
                           const double *v, double *mean, double *model, double *noise);
    void (*normal_cdf)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *m,
                       const double *v, double *lower, double *upper);

    /* Does the table serve any number of parameters, and of latents if they are several, then with no parameters or one less than
     * latents? (as the ordinal's and the categorical's do; 0: only those of its value) */
    int sized;

    /* Of several latents: what stands in the place of every function above that takes an f. (NULL: it has one) */
    const bln_latents_ops *latents;

    /* p(y | f) as a scale mixture of normals, further down. Then logp may be NULL too. (NULL: cavi and gibbs refuse) */
    const bln_mixture_ops *mixture;
};

/* ---- scale mixtures of normals, of one latent, which >>glm_cavi and >>glm_gibbs take                [augmentation 15, 29]
 *
 *     log p(y | f; theta) = tilt (f - centre) + log phi((f - centre)^2),      phi(s) = int e^{-omega s/2} p(omega) domega
 *
 * Given omega >= 0, p is Gaussian in f. phi is such an integral where its derivatives alternate in sign: (1 + s)^-a, e^-sqrt(s),
 * 1/cosh(sqrt s), products and sums of such. [Andrews & Mallows 1974; Polson & Scott 2011; Galy-Fajou, Wenzel & Opper 2020]
 * Wherever data are checked, phi and log p of each row are looked at on both sides of the centre where square is 4^j, j = -6..6, in
 * units of f squared, at the starts of theta for targets of mean 0 and sd 1. Where phi is not positive, log phi is not convex,
 * omega is not its slope, or logp (if given) is another function, the report has the row (BLN_EDOMAIN). */
struct bln_mixture_ops {
    /* log phi(square), with all constants of log p, and omega = -2 d log phi/d square >= 0, which is its mean given f; square > 0,
     * both are wanted. (required) */
    void (*phi)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *square,
                double *log_phi, double *omega);
    /* Of each row, in units of f and of one over f; finite; may depend on theta. (NULL: y and 0) */
    void (*centre)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, double *centre, double *tilt);
    /* A draw of omega given f, from p(omega) e^{-omega square/2}/phi(square), finite; called once for each copy that a row's weight
     * stands for. Where it is negative or not finite, gibbs ends with the row and BLN_EDOMAIN. (NULL: gibbs refuses) */
    void (*draw_omega)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *square,
                       bln_rng *rng, double *omega);
};

/* ---- several latents
 *
 *     p(y | f_1, ..., f_J; theta),   2 <= J = n_latent <= BLN_LATENTS
 *
 * where one number a row is not enough: the log odds of several classes (>>categorical), a mean and the size of the noise about it
 * (>>gaussian_scale). The table of such a likelihood has name, discrete, domain, support, param and param_name as any other, no
 * function of one f, and in `latents` these:
 *
 * Latent j of row i is at f[j*ld + i], ld >= n, and so are m, v, d1 and what else there is one of for each latent. Of a symmetric
 * J x J matrix of row i the pair j <= k is at [(j*(2*J - j - 1)/2 + k)*ld + i]: J(J + 1)/2 columns. All else is as above. */
struct bln_latents_ops {
    /* Classes that y numbers from 0 on, and columns of what moments and predictions say of it, one for the indicator of each.
     * (NULL: y is a number, and has one column) */
    size_t (*classes)(const bln_likelihood *l);
    /* Of latent j, for tables. (NULL: "f0", ...) */
    const char *(*latent_name)(const bln_likelihood *l, size_t j);
    /* Is log p the same when all f_j rise by the same, as that of classes is? Searches are shorter for it. (0: no) */
    int differences;

    /* log p(y | f); with its slopes d1 and its second derivatives d2, pairs. (required) */
    void (*logp)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, size_t ld,
                 double *logp);
    void (*eval)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, size_t ld,
                 double *logp, double *d1, double *d2);

    /* W, pairs: a positive semi-definite matrix in the place of -d2, such as its mean over y (Fisher's information).
     * (NULL: log p is concave, and W = -d2) */
    void (*information)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, size_t ld,
                        double *W);

    /* out_j = sum_kl C_kl dW_kl/df_j, with C symmetric, pairs. (required for Laplace's method) */
    void (*curve)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, size_t ld,
                  const double *C, double *out);

    /* The derivatives of log p, d1 and W in theta_k. (required if there is a theta) */
    void (*eval_param)(const bln_likelihood *l, const double *theta, size_t k, size_t n, const bln_targets *t, const double *f,
                       size_t ld, double *dlogp, double *dd1, double *dW);

    /* f at which y would be about what it is, finite: where a search begins. (NULL: 0) */
    void (*start)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, double *f, size_t ld);

    /* Under independent f_j ~ N(m_j, v_j), v_j >= 0: value = E log p, its derivatives in m_j, v_j and theta, the last at
     * dtheta[k*lddtheta + i], to an error of `tolerance` max(1, |.|) or so. (NULL: none, and bln_glm_full refuses) */
    void (*expect)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *m, const double *v,
                   size_t ld, double tolerance, double *value, double *dm, double *dv, double *dtheta, size_t lddtheta);

    /* E[y | f] and Var[y | f], n x columns without gaps; of a number lower = P(Y <= y | f) and upper = P(Y > y | f); a draw.
     * (moments and draw required; cdf where y is no class) */
    void (*moments)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, size_t ld,
                    double *mean, double *var);
    void (*cdf)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, size_t ld,
                double *lower, double *upper);
    void (*draw)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, size_t ld,
                 bln_rng *rng, double *y);

    /* With f integrated out, f ~ N(m, C): C has the variances v and, unless cov is NULL (then f_j are independent), pairs of
     * covariances, whose diagonal is v. log E p(y | f); E y, Var E[y | f], E Var[y | f], n x columns; E P(Y <= y | f) and
     * E P(Y > y | f); all outputs are wanted. A row for which there is no such formula gets NaN, in its first output.
     * (NULL: none; by 1024 points of f) */
    void (*normal_logp)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *m,
                        const double *v, const double *cov, size_t ld, double *logp);
    void (*normal_moments)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *m,
                           const double *v, const double *cov, size_t ld, double *mean, double *model, double *noise);
    void (*normal_cdf)(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *m,
                       const double *v, const double *cov, size_t ld, double *lower, double *upper);
};

/* NULL, or the reason why a (user's) likelihood cannot be used: its table, names, and the parameters' domains. */
BLN_API const char *bln_likelihood_check(const bln_likelihood *l);

/* *out = the first of the n values of `list` with that name, with n_theta parameters and n_latent latents: its own numbers, or any
 * if its table is sized. "name:0.9" has that level in the place of the value's. Its name and those are all that a model file keeps
 * of a likelihood: give your own a name that none of the house has.
 * BLN_EUNKNOWN: no such name.  BLN_ESHAPE: not of that size, a level that is none, or where there is none.  BLN_EINVAL: NULL. */
BLN_API bln_status bln_likelihood_find(const bln_likelihood *list, size_t n, const char *name, size_t n_theta, size_t n_latent,
                                       bln_likelihood *out);

/* Checks a data set for this likelihood: what bln_data_check does, and that each y and trials is in the domain, with the row named.
 * BLN_ESHAPE: the columns of offset are neither 1 nor one for each latent.  BLN_EINVAL: no such likelihood; several outputs; trials
 * where the likelihood has none, or noise_var for a discrete y.  BLN_EDOMAIN: y or trials; the report has the row and the column
 * (data->d, the first after those of X); or a mixture that is none, with the row.  BLN_EDATA: NaN or infinity. */
BLN_API bln_status bln_likelihood_check_data(const bln_likelihood *l, const bln_data *data, bln_report *report);

/* theta_k: its domain and start for targets of this mean and standard deviation (an sd that is not > 0 or not finite counts as 1,
 * with mean 0); its name. k < n_theta. */
BLN_API void        bln_likelihood_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out);
BLN_API const char *bln_likelihood_param_name(const bln_likelihood *l, size_t k);

/* The functions of the table, or their defaults, for any n. The caller must refuse a y outside the domain
 * (bln_likelihood_check_data); the distribution functions take every y. */
BLN_API void bln_likelihood_logp(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                                 double *logp);
BLN_API void bln_likelihood_eval(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                                 double *logp, double *d1, double *d2, double *d3);
BLN_API void bln_likelihood_moments(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                                    double *mean, double *var);
BLN_API void bln_likelihood_cdf(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                                double *lower, double *upper);
/* Where the tail of a discrete y is below the range of doubles, it is summed from its largest term on. */
BLN_API void bln_likelihood_logcdf(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                                   double *lower, double *upper);
/* p: n probabilities; 0 and 1 give the ends of the support; outside [0, 1]: NaN. Discrete: the least whole y with P(Y <= y) >= p,
 * or the upper end of the support if that is beyond 2^53. */
BLN_API void bln_likelihood_quantile(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                                     const double *p, double *y);
/* Row after row from one generator. */
BLN_API void bln_likelihood_draw(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                                 bln_rng *rng, double *y);

/* Latents of a row; classes of y, 0 if y is a number that is no class (an ordinal's categories are numbers); a latent's name. */
BLN_API size_t      bln_likelihood_latents(const bln_likelihood *l);
BLN_API size_t      bln_likelihood_classes(const bln_likelihood *l);
BLN_API const char *bln_likelihood_latent_name(const bln_likelihood *l, size_t j);

/* The table's functions, for any n and any number of latents; of one they are bln_likelihood_logp and _eval. */
BLN_API void bln_latents_logp(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                              size_t ld, double *logp);
BLN_API void bln_latents_eval(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                              size_t ld, double *logp, double *d1, double *d2);

#endif /* BLN_LIKELIHOOD_LIKELIHOOD_H */
