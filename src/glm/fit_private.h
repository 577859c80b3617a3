#ifndef BLN_GLM_FIT_PRIVATE_H
#define BLN_GLM_FIT_PRIVATE_H
/* fit_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "rows_private.h"
#include "../optim/lbfgs_private.h"
#include "../optim/sgd_private.h"
#include "../posterior/chains.h"
#include "../posterior/hyper_prior_private.h"
#include "../posterior/store_private.h"

enum { BLNI_GLM_GROUPS = 256 };              /* most components that may have a theta of their own */

/* The form of the posterior that a method makes: a Gaussian by a factor, K diagonal Gaussians, a point, or a Gaussian for each of
 * several latents. */
typedef enum blni_glm_form { BLNI_GLM_FACTOR, BLNI_GLM_DIAGONAL, BLNI_GLM_POINT, BLNI_GLM_PRODUCT } blni_glm_form;

/* sites: where the slope and the curvature W_n of a row in C^-1 = Lambda^-1 + sum_n W_n phi_n phi_n' are taken, at the mode or at
 * the mean. At the mode a negative W_n counts as 0. */
typedef struct blni_glm_shape {
    blni_glm_form form;
    bln_sites     sites;
    size_t        K;           /* components                                                               */
    int           weighted;    /* has each component a weight, an eta and prior variances of its own?      */
    int           apart;       /* has each a theta of its own too, and so is a group of its own?           */
} blni_glm_shape;

/* The outcome of a fit: a posterior, and pointers through which its arrays are written. If the shape is weighted, they point to the
 * arrays of one component, first of component 0 (blni_glm_result_at moves them). */
typedef struct blni_glm_result {
    blni_store    *store;
    blni_glm_shape shape;
    double        *weight, *eta, *theta;
    double        *m, *psi;    /* K x D means; K x D variances (DIAGONAL)                                  */
    double        *s, *R;      /* D prior standard deviations; factor: D x D (FACTOR), all D_j x D_j (PRODUCT) */
    double        *lambda;     /* slices of all latents: prior variance that features miss, if `misses`; NULL of one point */
    int            misses;     /* is any lambda > 0?                                                       */
    size_t        *flat;       /* D indices of the weights with a flat prior (FACTOR)                      */
    double         objective;
    bln_chains    *chains;     /* all draws of a method that draws, owned by the result until the model takes them; or NULL */
} blni_glm_result;

/* Room for a copy of a method's own desc with its defaults filled in; the first own_size bytes are used (bln_glm_method_ops). */
typedef union blni_glm_own { double number[32]; size_t count; const void *pointer; } blni_glm_own;

typedef struct blni_glm_fit blni_glm_fit;

/* What a method can do, in the order of the flags: take flat priors; take rows from a source; fit n <= D rows in their own space
 * (rows_reduce); learn prior variances, eta and theta; give its objective where these are given (value with q = NULL, then
 * component); take several latents; average over hyper-parameters, so that its components have weights; share rows with other
 * processes, as all its sums over rows are told to blni_glm_sums. */
enum { BLNI_CAN_FLAT = 1, BLNI_CAN_SOURCE = 2, BLNI_CAN_REDUCE = 4, BLNI_CAN_LEARN = 8, BLNI_CAN_EVIDENCE = 16,
       BLNI_CAN_LATENTS = 32, BLNI_CAN_INTEGRATE = 64, BLNI_CAN_SHARE = 128 };

/* The functions of a method; a NULL one does nothing, except as noted. `state` is what carve made: functions use this argument and
 * never f->state, so that a method can run inside another. own is the method's own desc with its defaults filled in.
 *
 *     shape       sets the largest K of the posterior, and whether each component is a group of its own  (NULL: K = 1, no)
 *     defaults    fills in the defaults of its own options; of its stochastic steps only the batch
 *     check       returns NULL, or what is wrong with its options
 *     carve       carves its state, and what the search needs (blni_glm_search_carve); runs twice, see blni_arena
 *     begin       starts the fit, after f->hyper was set to its start and the first pass (f->scan) was made
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
    size_t         own_size, steps_at;        /* bytes of its own desc; offset of its bln_glm_stochastic, or BLN_NONE */
    unsigned       can, can_by_batches;       /* BLNI_CAN_ flags of a fit to all rows, and of one by batches  */
    blni_glm_form  form, of_several;          /* posterior of one latent, of several                          */
    bln_sites      sites;
    size_t         iterations;                /* defaults of the common desc for a fit to all rows            */
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

/* A search over the free coordinates x = [q | log lambda_s | eta | theta]: q is the method's own, and each hyper-parameter that is
 * learnt comes through its bln_param. */
typedef struct blni_glm_search {
    size_t          n_q, n_hyper, n, n_prior; /* n = n_q + n_hyper; prior variances, the first of n_hyper   */
    const bln_glm_stochastic *steps;          /* NULL: by L-BFGS                                            */
    bln_param      *param;                    /* n_hyper                                                    */
    double        **at, **slope;              /* n_hyper each: where it is in f->hyper, and its slope in f->slope */
    blni_hyper_prior *prior;                  /* n_hyper; those of theta are not used                       */
    double         *x0, *x, *gradient;        /* n each: start; last evaluated; minus the gradient there    */
    double          value, began;             /* minus the objective: at x; by all rows where steps by batches began */
    int             evaluated, first;         /* is value that of x? is this the first point, where a failure ends the fit? */
    int             integrated;               /* are priors densities of the free coordinates?              */
    void           *state;                    /* of the method that is searching                            */
    void           *room;                     /* memory lent to the optimiser                               */
    blni_lbfgs      *lbfgs;                   /* one of the two is NULL                                     */
    blni_sgd        *sgd;
    double          rate;                     /* of the first stochastic step                               */
    uint64_t        batch;                    /* number of the next batch, over all epochs                  */
    double          sum, mean;                /* estimates of the objective: sum of this epoch, mean of the last */
} blni_glm_search;

/* One stage of a fit: the desc of the model as this stage sees it, and the method's own options, both with defaults filled in. */
typedef struct blni_glm_stage {
    bln_glm_desc desc;
    blni_glm_own own;
} blni_glm_stage;

struct blni_glm_fit {
    void           *block;                    /* this struct and its arrays                                 */
    size_t          bytes;
    const bln_data *data;                     /* the caller's rows; NULL: they come from a source           */
    bln_data_reader reader;                   /* reads data as a source                                     */
    bln_source      source;
    bln_glm_desc    desc;                     /* of this stage, with defaults                               */
    blni_glm_own    own;                      /* the method's own options, with defaults                    */
    const bln_glm_method_ops *method;
    void           *state;                    /* the method's                                               */
    size_t          reduced;                  /* number of rows if the fit is in their space, else 0        */
    blni_glm_stage  then;                     /* the next stage; its method.ops is NULL if there is none    */
    size_t          iterations, evaluations;  /* of the stage before                                        */
    bln_stop        stopped;                  /* why the stage before ended                                 */
    blni_processes  processes;                /* those of desc                                              */
    int             at_point;                 /* are all hyper-parameters given, so that nothing is searched? */
    int             held;                     /* were the prior variances learnt by the stage before, and are kept? */
    blni_glm_scan   scan;
    blni_glm_rows   rows;
    blni_glm_batches batches;
    double         *norm;                     /* slices of all latents: mean |phi_s|^2 over the rows        */
    blni_glm_hyper  hyper, slope;             /* present values; slopes in them, NULL for what is held fixed */
    blni_glm_search     search;
    bln_glm_progress progress;
    double          condition;                /* of the posterior's matrix, for the report; 0: none         */
    double          mean_shift;               /* for the report                                             */
    bln_stop        stop;
    const char     *said;                     /* a remark for the report of a fit that succeeded, or NULL   */
    int             done;
    bln_status      failed;                   /* not BLN_OK: this stage could not start, or a chain failed; later calls return it */
};

/* The model, which >>glm makes. */
struct bln_glm {
    bln_glm_desc    given, desc;        /* as the user gave it, and with defaults; numbers are copied into this block */
    blni_glm_own    own, before;        /* options of the methods desc.method and desc.hyper                      */
    int             chose_hyper;        /* did the user leave desc.hyper out, so that given.hyper is the default? */
    bln_allocator   alloc;
    void           *block;              /* holds this struct and its arrays                                       */
    size_t          bytes;
    double         *prior_var;          /* of the last fit, as is the objective                                   */
    double          objective;
    char            method[32];         /* name of the method that made the posterior                             */
    blni_store     *store;              /* the posterior; NULL: not fitted                                        */
    bln_chains     *chains;             /* all draws, of a method that draws; else NULL                           */
    bln_posterior   posterior;          /* the view that users get                                                */
    const bln_basis **bases;            /* J: the basis of each latent                                            */
    size_t          n_owned;            /* how many of them the model owns: those that came from a file           */
    int             parted;             /* may a failed fit not be tried again, for other processes have ended it? */
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
BLNI_PRIV double blni_glm_y_unit(const blni_glm_fit *f);
BLNI_PRIV blni_hyper_prior blni_glm_prior_of(const blni_glm_fit *f, size_t t);
BLNI_PRIV bln_status blni_glm_starts(blni_glm_fit *f, bln_report *report);
BLNI_PRIV bln_status blni_glm_point(blni_glm_fit *f, const double *prior_var, const double *eta, const double *theta,
                                    bln_report *report);

#endif /* BLN_GLM_FIT_PRIVATE_H */
