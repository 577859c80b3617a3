#ifndef BLN_GLM_METHOD_H
#define BLN_GLM_METHOD_H
#include "../basis/basis.h"
#include "../likelihood/likelihood.h"
#include "../optim/sgd.h"
/* >>glm_method - how a generalised linear model is fitted, and what is asked for
 *
 * A method is a small value that names it and brings its own options along: desc.method = bln_glm_full(&own). All zero is the
 * default, which >>glm describes. A program links the methods that it names, and that. */

typedef struct bln_glm bln_glm;                            /* the model, >>glm */
typedef struct bln_glm_method_ops bln_glm_method_ops;

typedef struct bln_glm_method {
    const bln_glm_method_ops *ops;     /* what it does                                           (NULL: the default, see >>glm) */
    const void               *own;     /* its own desc; copied by _create, but not what it points to  (NULL: all defaults) */
} bln_glm_method;

/* Stochastic steps, by a batch of the rows each, for the own descs of methods that can take them; >>glm_search has what they do. */
typedef struct bln_glm_stochastic {
    size_t         batch;              /* rows of a minibatch                                    (0: all rows, no such steps) */
    bln_sgd_method method;             /*                                                        (0: Adam)               */
    double         rate;               /*                                                        (0: Adam 0.03, else >>sgd's) */
    double         natural;            /* rate, at most 1, of natural-gradient steps of q, beside the method's of all else
                                                        (0: the method's for all; full Gaussian 1/(2 (n/batch - 1)), at most 1) */
} bln_glm_stochastic;

/* What a program tells its users of a method: the names of its options with what they are and where they lie in its own desc, so
 * that one who has filled `own_size` zeroed bytes by them has the method { ops, bytes }. Options have the names of fields.
 *     BLN_OPTION_COUNT     a size_t from 1
 *     BLN_OPTION_POSITIVE  a double above 0
 *     BLN_OPTION_WORD      an enum: the place of the word in `words`, which NULL ends */
typedef enum bln_option_kind { BLN_OPTION_COUNT, BLN_OPTION_POSITIVE, BLN_OPTION_WORD } bln_option_kind;
typedef struct bln_option {
    const char        *name;
    bln_option_kind    kind;
    size_t             offset;
    const char        *beside;         /* the option without which it means nothing, or NULL                             */
    const char *const *words;          /* or NULL                                                                        */
    const char        *help;           /* lines of less than 76 characters                                               */
} bln_option;

/* What a program may have to know before a fit. Of the first two a method by batches knows nothing. */
enum bln_glm_trait {
    BLN_GLM_TAKES_FLAT      = 1,       /* flat priors                                                                    */
    BLN_GLM_NEEDS_CURVATURE = 2,       /* of log p                                                                       */
    BLN_GLM_ALWAYS_BATCHES  = 4,       /* stochastic without a batch being asked for                                     */
    BLN_GLM_IS_POINT        = 8,       /* its posterior                                                                  */
    BLN_GLM_IS_MIXTURE      = 16,
    BLN_GLM_IS_DRAWS        = 32       /* of chains, which stay in the model: bln_glm_chains                              */
};
typedef struct bln_glm_card {
    const bln_glm_method_ops *ops;
    const char       *name, *title;    /* "full"; "variational, a full Gaussian"                                         */
    const char       *objective;       /* "lower bound"                                                                  */
    const char       *help;            /* lines of less than 76 characters                                               */
    unsigned          traits;          /* a set of bln_glm_trait                                                         */
    size_t            own_size, n_options;
    const bln_option *options;
} bln_glm_card;

/* Where a fit is: in that of desc.hyper, in its own, or among the draws of nuts or gibbs. */
typedef enum bln_glm_phase { BLN_GLM_BEFORE, BLN_GLM_SEARCH, BLN_GLM_SAMPLE } bln_glm_phase;

/* What a monitor sees after each step. Numbers are those of the phase. */
typedef struct bln_glm_progress {
    bln_glm_phase phase;
    size_t iteration, evaluations;     /* steps and evaluations so far; the first steps of a variational fit look for the mode;
                                          epochs of a stochastic one are counted anew, and are all that its report counts */
    double objective;                  /* log Z, or the bound (while it looks for the mode, as MAP does, log p(y, w) without
                                          constants of w; of a stochastic fit its mean over the last epochs) */
    double gradient_norm;              /* there; of a stochastic fit that of the last batch, at the point before its step */
    size_t transitions, divergent;     /* of draws: of each chain in all (iteration: so far); of all chains of nuts after the
                                          warm-up, those that diverged */
} bln_glm_progress;

/* BLN_OK: go on. BLN_ESTOPPED: stop here, keep what was learnt. Anything else: fail with it. */
typedef bln_status (*bln_glm_monitor)(void *user, const bln_glm_progress *progress);

typedef struct bln_glm_desc {
    const bln_basis  *basis;           /* borrowed; must outlive the model; of every latent      (required)              */
    const bln_basis *const *bases;     /* of a likelihood of several latents: one for each, in the place of `basis` where not
                                          NULL; the array is copied                              (NULL: basis for all)   */
    bln_likelihood    likelihood;      /* copied; what it points to must outlive the model       (required)              */
    bln_glm_method    method;          /* how, with options of its own                           (zero: see >>glm)       */
    bln_glm_method    hyper;           /* whose fit, before that of the method and over the same rows, chooses the prior
                                          variances and theta, which then stay as they are, and the start of eta, as with
                                          `hyper = bln_glm_laplace()`        (zero: the method itself; of the default, see there) */
    int               per_weight;      /* a prior variance for each weight                       (0: one for each slice) */
    int               per_latent;      /* prior variances of its own for the latent of each class (0: classes with one basis
                                          share them; other latents never do)                                            */
    const double     *prior_var;       /* n_slices (or D) prior variances, latent after latent: their starts, 0 from the data,
                                          or HUGE_VAL: a flat prior, which stays flat (Laplace, MAP without batches)
                                                                                                 (NULL: from the data)   */
    const double     *likelihood_theta; /* eta: its start                                        (NULL: the likelihood's own) */
    const double     *theta;           /* basis parameters, basis after basis: their starts      (NULL: the basis's own) */
    int               fix_prior_var;   /* keep the prior variances at their starts               (0: learn)              */
    int               fix_likelihood;  /* keep eta at its start                                  (0: learn)              */
    int               fix_theta;       /* keep the basis parameters at their starts              (0: learn)              */
    int               no_hyper_prior;  /* let prior variances and eta go where the objective alone is greatest (0: with the priors
                                          of >>glm)                                                                      */
    double            theta_sd;        /* sd of log theta in its prior, see >>slm                (0: 1; HUGE_VAL: no prior) */
    uint64_t          seed;            /* of batches, draws, and where components start          (0: seed 0)             */
    size_t            max_iterations;  /* steps; epochs of a stochastic fit          (0: 300; MAP, stochastic 200; mixtures 2000) */
    double            tolerance;       /* relative progress at which to stop, or largest gradient, if less than 1e-6; a
                                          stochastic fit stops by its own rule (0: 1e-6; mixtures 1e-8)                  */
    size_t            block;           /* rows of a block                                        (0: 256; mixtures 64)   */
    bln_glm_monitor   monitor;         /* called after every step of a fit                       (NULL: none)            */
    void             *monitor_user;
    bln_allocator     alloc;           /*                                                        (zero: malloc)          */
} bln_glm_desc;

#endif /* BLN_GLM_METHOD_H */
