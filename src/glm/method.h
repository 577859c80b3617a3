#ifndef BLN_GLM_METHOD_H
#define BLN_GLM_METHOD_H
#include "../core/allreduce.h"
#include "../basis/basis.h"
#include "../likelihood/likelihood.h"
#include "../optim/sgd.h"
/* >>glm_method - how a generalised linear model is fitted, and what is asked for
 *
 * A method is a small value, a table of functions with the method's own options: desc.method = bln_glm_full(&own). All zero is the
 * default of >>glm. A program links only the methods that it names and that default. */

typedef struct bln_glm bln_glm;                            /* the model, >>glm */
typedef struct bln_glm_method_ops bln_glm_method_ops;

typedef struct bln_glm_method {
    const bln_glm_method_ops *ops;     /* its functions                                          (NULL: the default of >>glm) */
    const void               *own;     /* its own desc; _create copies it, but not what it points to  (NULL: all defaults) */
} bln_glm_method;

/* Stochastic steps, each on a batch of rows: part of the own desc of every method that can take them. >>glm says how they run. */
typedef struct bln_glm_stochastic {
    size_t         batch;              /* rows of a batch                                        (0: all rows, no such steps) */
    bln_sgd_method method;             /* the steps of >>sgd                                     (0: Adam)               */
    double         rate;               /* the first rate of these steps                          (0: Adam 0.03, else >>sgd's) */
    double         natural;            /* in (0, 1]: q takes natural-gradient steps of this first size, and `method` serves the
                                          hyper-parameters only    (0: `method` for q too; full: 1/(2 (n/batch - 1)), at most 1) */
} bln_glm_stochastic;

/* A card describes a method to programs that let their users choose one: its name, help and options. A program fills `own_size`
 * zeroed bytes at the offsets of the options that its user has set; the method is then { ops, bytes }.
 *     BLN_OPTION_COUNT     a size_t >= 1
 *     BLN_OPTION_POSITIVE  a double > 0
 *     BLN_OPTION_WORD      an enum: the index of the word in `words`, a list that ends with NULL */
typedef enum bln_option_kind { BLN_OPTION_COUNT, BLN_OPTION_POSITIVE, BLN_OPTION_WORD } bln_option_kind;
typedef struct bln_option {
    const char        *name;           /* that of its field                                                              */
    bln_option_kind    kind;
    size_t             offset;         /* in bytes, in the own desc                                                      */
    const char        *beside;         /* the name of the option without which this one has no effect, or NULL           */
    const char *const *words;          /* NULL unless BLN_OPTION_WORD                                                    */
    const char        *help;           /* lines of less than 76 characters                                               */
} bln_option;

/* What a program may have to know before a fit. The first two do not hold for a method by batches. */
enum bln_glm_trait {
    BLN_GLM_TAKES_FLAT      = 1,       /* takes flat priors of weights                                                   */
    BLN_GLM_NEEDS_CURVATURE = 2,       /* needs likelihoods whose log p has a second derivative other than 0             */
    BLN_GLM_ALWAYS_BATCHES  = 4,       /* takes stochastic steps even if no batch is given                               */
    BLN_GLM_IS_POINT        = 8,       /* its posterior is a point                                                       */
    BLN_GLM_IS_MIXTURE      = 16,      /* its posterior is a mixture                                                     */
    BLN_GLM_IS_DRAWS        = 32       /* its posterior is draws of chains, which stay in the model: bln_glm_chains       */
};
typedef struct bln_glm_card {
    const bln_glm_method_ops *ops;
    const char       *name, *title;    /* such as "full"; "variational, a full Gaussian"                                 */
    const char       *objective;       /* what its objective is, such as "lower bound"                                   */
    const char       *help;            /* lines of less than 76 characters                                               */
    unsigned          traits;          /* a set of bln_glm_trait                                                         */
    size_t            own_size, n_options;     /* bytes of its own desc; its options                                     */
    const bln_option *options;
} bln_glm_card;

/* The phases of a fit: the fit of desc.hyper, the search of the method, the sampling of nuts or gibbs. */
typedef enum bln_glm_phase { BLN_GLM_BEFORE, BLN_GLM_SEARCH, BLN_GLM_SAMPLE } bln_glm_phase;

/* What a monitor sees after each step. All numbers are those of the present phase. */
typedef struct bln_glm_progress {
    bln_glm_phase phase;
    size_t iteration, evaluations;     /* steps and evaluations so far; those of a stochastic fit are epochs. Mixtures first look
                                          for the mode; if their own steps are stochastic, iteration then starts again from 0 */
    double objective;                  /* log Z, or the bound; log p(y, w) without constants of w in MAP and while a mixture looks
                                          for the mode; in a stochastic fit the mean over the last epochs */
    double gradient_norm;              /* at this point; in a stochastic fit of the last batch, at the point before its step */
    size_t transitions, divergent;     /* sampling: transitions that each chain will make (iteration: made so far); those of all
                                          chains of nuts after the warm-up that diverged */
    const struct bln_chains *chains;   /* sampling: the draws so far, after the warm-up; valid until the monitor returns, which
                                          may ask bln_chains_diagnose whether they are enough      (NULL: there are none yet) */
} bln_glm_progress;

/* BLN_OK: go on. BLN_ESTOPPED: stop here, keep what was learnt. Anything else: fail with it. */
typedef bln_status (*bln_glm_monitor)(void *user, const bln_glm_progress *progress);

typedef struct bln_glm_desc {
    const bln_basis  *basis;           /* of every latent; borrowed, must outlive the model      (required)              */
    const bln_basis *const *bases;     /* one for each of several latents, in place of `basis` where not NULL; the array is
                                          copied, the bases are borrowed                         (NULL: basis for all)   */
    bln_likelihood    likelihood;      /* copied; what it points to must outlive the model       (required)              */
    bln_glm_method    method;          /* the method of the fit, with its own options            (zero: see >>glm)       */
    bln_glm_method    hyper;           /* a method whose fit to the same rows comes first: its prior variances and theta are kept
                                          as they are, its eta is the start of eta   (zero: `method` learns all; of the default
                                          method see >>glm)                                                              */
    int               per_weight;      /* a prior variance for each weight                       (0: one for each slice) */
    int               per_latent;      /* each class has prior variances of its own  (0: classes with one basis share them; other
                                          latents never do)                                                              */
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
    double            tolerance;       /* the search stops when its relative progress is below this, or its gradient below the
                                          smaller of it and 1e-6; stochastic: see >>glm (0: 1e-6; mixtures 1e-8)         */
    size_t            block;           /* rows of a block                                        (0: 256; mixtures 64)   */
    bln_glm_monitor   monitor;         /* called after every step of a fit                       (NULL: none)            */
    void             *monitor_user;
    bln_allreduce     allreduce;       /* rows spread over several processes, see >>glm          (NULL: one process)     */
    void             *allreduce_user;
    bln_allocator     alloc;           /*                                                        (zero: malloc)          */
} bln_glm_desc;

#endif /* BLN_GLM_METHOD_H */
