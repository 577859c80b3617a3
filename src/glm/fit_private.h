#ifndef BLN_GLM_FIT_PRIVATE_H
#define BLN_GLM_FIT_PRIVATE_H
/* fit_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "rows_private.h"
#include "../optim/lbfgs_private.h"
#include "../optim/sgd_private.h"
#include "../posterior/chains.h"
#include "../posterior/hyper_prior_private.h"
#include "../posterior/store_private.h"

enum { BLNI_GLM_GROUPS = 256 };              /* of components with theta of their own, at most */

/* The form of the posterior that a method makes: a Gaussian by a factor, K diagonal Gaussians, a point, or a Gaussian for each of
 * several latents. */
typedef enum blni_glm_form { BLNI_GLM_FACTOR, BLNI_GLM_DIAGONAL, BLNI_GLM_POINT, BLNI_GLM_PRODUCT } blni_glm_form;

/* sites: at which point the slope and the curvature W_n of a row are taken in C^-1 = Lambda^-1 + sum_n W_n phi_n phi_n'. At the
 * mode negative W_n count as 0. */
typedef struct blni_glm_shape {
    blni_glm_form form;
    bln_sites     sites;
    size_t        K;           /* components                                                               */
    int           weighted;    /* each has a weight, and eta and prior variances of its own                */
    int           apart;       /* each has theta of its own too, so that it is a group by itself           */
} blni_glm_shape;

/* The outcome of a fit: a posterior, and pointers to its arrays, to be written. If components have weights the pointers are those
 * of one component, at first of the first (blni_glm_result_at moves them). */
typedef struct blni_glm_result {
    blni_store    *store;
    blni_glm_shape shape;
    double        *weight, *eta, *theta;
    double        *m, *psi;    /* K x D; K x D of DIAGONAL                                                 */
    double        *s, *R;      /* D, prior standard deviations, and D x D of FACTOR; sum_j D_j^2 of PRODUCT */
    double        *lambda;     /* slices of all latents: prior variance of what features miss, if `misses`; not of POINT */
    int            misses;
    size_t        *flat;       /* D, of FACTOR: weights with a flat prior                                  */
    double         objective;
    bln_chains    *chains;     /* all draws, of a method that draws: the result's, until the model has them */
} blni_glm_result;

/* A method's own desc, resolved; the table says how many bytes of it there are. */
typedef union blni_glm_own { double number[32]; size_t count; const void *pointer; } blni_glm_own;

typedef struct blni_glm_fit blni_glm_fit;

/* What a method can do: take flat priors; take rows from a source; fit n <= D rows in their space (rows_reduce); learn prior
 * variances, eta and theta; give its objective at given ones (value with q = NULL, and component); take several latents; average
 * over hyper-parameters, so that its components have weights. */
enum { BLNI_CAN_FLAT = 1, BLNI_CAN_SOURCE = 2, BLNI_CAN_REDUCE = 4, BLNI_CAN_LEARN = 8, BLNI_CAN_EVIDENCE = 16,
       BLNI_CAN_LATENTS = 32, BLNI_CAN_INTEGRATE = 64 };

/* The functions of a method; NULL does nothing, except as noted. `state` is what carve made. Functions use this argument and never
 * f->state, so that a method can run inside another. own is the method's own desc with its defaults filled in.
 *
 *     shape       sets the largest K of its posterior, and whether components are groups of their own    (NULL: 1, no)
 *     defaults    fills in the defaults of its own options (of its steps only a batch)
 *     check       returns NULL, or what is wrong with its options
 *     carve       carves its state, and what the search needs (blni_glm_search_carve); runs twice, see blni_arena
 *     begin       starts: f->hyper is at its start, and the first pass (f->scan) is done
 *     step        makes one step; sets f->done, f->stop and f->progress
 *     finish      evaluates the last point                                                       (NULL: blni_glm_search_settle)
 *     component   writes the posterior at that point to out->m, with s and R or psi and lambda, and out->objective
 *     kept        returns the number of components of the posterior at the end                   (NULL: that of its shape)
 *     close       frees what is outside the block; called whenever the state is dropped, in any stage
 *     value       computes the objective, to be maximised, at f->hyper and at q, the method's own n_q coordinates of the search
 *     slopes      after value at the same point: the gradient in q to dq, and in log lambda_s, eta and theta to f->slope, where
 *                 these are not NULL
 *     estimate    by a batch: the objective to *value, minus its gradient to f->search.gradient; may make steps of its own
 *                                                                                                (NULL: by value and slopes) */
struct bln_glm_method_ops {
    const char    *name;
    size_t         own_size, steps_at;        /* bytes of its own desc; where in it steps are, or BLN_NONE    */
    unsigned       can, can_by_batches;
    blni_glm_form  form, of_several;          /* of one latent, of several                                    */
    bln_sites      sites;
    size_t         iterations;                /* defaults of the common desc, by all rows                     */
    double         tolerance;
    void        (*shape)(const bln_glm_desc *d, const void *own, blni_glm_shape *shape);
    void        (*defaults)(void *own);
    const char *(*check)(const bln_glm_desc *d, const void *own);
    void       *(*carve)(blni_arena *a, blni_glm_fit *f, const void *own);
    bln_status  (*begin)(blni_glm_fit *f, void *state, bln_report *report);
    bln_status  (*step)(blni_glm_fit *f, void *state, bln_report *report);
    bln_status  (*finish)(blni_glm_fit *f, void *state, bln_report *report);
    bln_status  (*component)(blni_glm_fit *f, void *state, blni_glm_result *out, bln_report *report);
    bln_status  (*value)(blni_glm_fit *f, void *state, const double *q, double *value, bln_report *report);
    bln_status  (*slopes)(blni_glm_fit *f, void *state, double *dq, bln_report *report);
    bln_status  (*estimate)(blni_glm_fit *f, void *state, uint64_t batch, const double *x, double *value, bln_report *report);
    size_t      (*kept)(const blni_glm_fit *f, const void *state);
    void        (*close)(void *state);
};

/* A search over free coordinates [q | log lambda_s | eta | theta]; each of the hyper-parameters is transformed by its bln_param. */
typedef struct blni_glm_search {
    size_t          n_q, n_hyper, n;          /* n = n_q + n_hyper                                          */
    const bln_glm_stochastic *steps;          /* NULL: by L-BFGS                                            */
    bln_param      *param;                    /* n_hyper                                                    */
    blni_hyper_prior *prior;                  /* n_hyper, without those of theta                            */
    double         *x0, *x, *gradient;        /* n each: start; last evaluated; minus the gradient there    */
    double          value;                    /* minus the objective, at x                                  */
    int             evaluated, first;         /* value is that of x; this is the first point, which may not fail */
    int             integrated;               /* priors are densities of the free coordinates               */
    void           *state;                    /* of the method that is searching                            */
    void           *room;                     /* of the optimiser: lbfgs, or sgd                            */
    blni_lbfgs      *lbfgs;
    blni_sgd        *sgd;
    double          rate;                     /* of the first stochastic step                               */
    uint64_t        batch;                    /* number of the next one                                     */
    double          sum, mean;                /* of estimates of this epoch; of the one before              */
} blni_glm_search;

/* A method with what it is told, resolved. */
typedef struct blni_glm_stage {
    bln_glm_desc desc;
    blni_glm_own own;
} blni_glm_stage;

struct blni_glm_fit {
    void           *block;                    /* this struct and its arrays                                 */
    size_t          bytes;
    const bln_data *data;                     /* NULL: a source                                             */
    bln_data_reader reader;                   /* the caller's view as a source                              */
    bln_source      source;
    bln_glm_desc    desc;                     /* resolved                                                   */
    blni_glm_own    own;
    const bln_glm_method_ops *method;
    void           *state;
    size_t          reduced;                  /* rows, to fit in their space, or 0                          */
    blni_glm_stage  then;                     /* what follows, if its method is one                         */
    size_t          iterations, evaluations;  /* of the stage before                                        */
    bln_stop        stopped;                  /* and why it ended                                           */
    int             at_point;                 /* for a point that is given: no search                       */
    blni_glm_scan   scan;
    blni_glm_rows   rows;
    blni_glm_batches batches;
    double         *norm;                     /* priors: mean |phi_s|^2                                     */
    blni_glm_hyper  hyper, slope;             /* slope: NULL for what is held                               */
    blni_glm_search     search;
    bln_glm_progress progress;
    double          condition;                /* 0: none                                                    */
    double          mean_shift;               /* as of the report                                           */
    bln_stop        stop;
    const char     *said;                     /* for the report of a fit that went well, or NULL           */
    int             done;
    bln_status      failed;                   /* the way into this stage, or a step of draws: nothing to finish */
};

/* The model, which >>glm makes. */
struct bln_glm {
    bln_glm_desc    given, desc;        /* as it was told, and resolved; pointers to numbers go into this block   */
    blni_glm_own    own, before;        /* what method and desc.hyper brought along                               */
    int             chose_hyper;        /* desc.hyper was not given: given.hyper is the default's, if it has one  */
    bln_allocator   alloc;
    void           *block;
    size_t          bytes;
    double         *prior_var;          /* what was learnt, with                                                  */
    double          objective;
    char            method[32];         /* its name                                                               */
    blni_store     *store;              /* the posterior, or NULL: not fitted                                     */
    bln_chains     *chains;             /* all draws of the method that made it, or NULL                          */
    bln_posterior   posterior;          /* what others see                                                        */
    const bln_basis **bases;            /* of each latent                                                         */
    size_t          n_owned;            /* so many of them are the model's own, if it came from a file            */
    blni_glm_fit   *fit;                /* between init and finish                                                */
};

/* fit */
BLNI_PRIV bln_glm_method blni_glm_method(const bln_glm_method_ops *ops, const void *own);
BLNI_PRIV void blni_glm_own_of(bln_glm_method method, blni_glm_own *own);
BLNI_PRIV const bln_glm_stochastic *blni_glm_steps_of(const bln_glm_method_ops *ops, const blni_glm_own *own);
BLNI_PRIV int blni_glm_by_batches(const bln_glm_method_ops *ops, const blni_glm_own *own);
BLNI_PRIV int blni_glm_can(const bln_glm_method_ops *ops, const blni_glm_own *own, unsigned what);
BLNI_PRIV blni_glm_shape blni_glm_shape_of(const bln_glm_desc *d, const blni_glm_own *own);
BLNI_PRIV size_t blni_glm_count_hyper(const bln_glm_desc *d);
BLNI_PRIV int blni_glm_learns_prior(const bln_glm_desc *d, size_t s);
BLNI_PRIV size_t blni_glm_fit_bytes(const blni_glm_stage *stage, const blni_glm_stage *then, size_t n);
BLNI_PRIV bln_status blni_glm_open(const bln_allocator *alloc, const bln_glm_desc *d, const blni_glm_own *own,
                                   const blni_glm_stage *then, const bln_source *source, const bln_data *data, int at_point,
                                   blni_glm_fit **out, bln_report *report);
BLNI_PRIV void blni_glm_follow(blni_glm_fit *f);
BLNI_PRIV void blni_glm_close(const bln_allocator *alloc, blni_glm_fit *f);
BLNI_PRIV bln_status blni_glm_starts(blni_glm_fit *f, bln_report *report);
BLNI_PRIV bln_status blni_glm_point(blni_glm_fit *f, const double *prior_var, const double *eta, const double *theta,
                                    bln_report *report);

#endif /* BLN_GLM_FIT_PRIVATE_H */
