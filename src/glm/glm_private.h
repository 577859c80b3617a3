#ifndef BLN_GLM_GLM_PRIVATE_H
#define BLN_GLM_GLM_PRIVATE_H
/* glm_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "glm.h"
#include "../core/memory_private.h"
#include "../core/data_private.h"

/* A point in hyper-parameter space. */
typedef struct blni_glm_hyper {
    double *prior_var;         /* n_slices or D                  */
    double *eta;               /* of the likelihood              */
    double *theta;             /* of the basis                   */
} blni_glm_hyper;

/* The outcome of a fit, in one block of its own. */
typedef struct blni_glm_result {
    void          *block;
    size_t         bytes;
    blni_glm_hyper hyper;
    bln_gaussian   gaussian;   /* Laplace, full                                                           */
    bln_mixture    mixture;    /* variational; MAP, with psi = 0                                          */
    double        *m, *psi;    /* K x D each; psi not of Laplace and full                                 */
    double        *s, *R;      /* D: prior standard deviations; D x D of Laplace and full                */
    double         objective, rows;
} blni_glm_result;

struct bln_glm {
    bln_glm_desc        desc;       /* resolved; its pointers to numbers go into this block */
    bln_allocator       alloc;
    void               *block;
    size_t              bytes;
    blni_glm_result     result;
    int                 fitted;
    bln_basis          *owned;      /* the basis, if the model came from a file */
    struct blni_glm_fit *fit;       /* between init and finish */
};

/* glm */
BLNI_PRIV int blni_glm_by_mixture(const bln_glm_desc *d);
BLNI_PRIV int blni_eta_usable(const bln_likelihood *l, const double *eta);
BLNI_PRIV void blni_glm_hyper_carve(blni_arena *a, const bln_glm_desc *d, blni_glm_hyper *h);
BLNI_PRIV void blni_glm_hyper_copy(const bln_glm_desc *d, blni_glm_hyper *to, const blni_glm_hyper *from);
BLNI_PRIV bln_status blni_glm_result_create(const bln_allocator *alloc, const bln_glm_desc *d, blni_glm_result *r,
                                            bln_report *report);
BLNI_PRIV void blni_glm_result_free(const bln_allocator *alloc, blni_glm_result *r);
BLNI_PRIV int blni_glm_fitted(const bln_glm *glm);
BLNI_PRIV int blni_glm_gaussian(const bln_glm *glm);

/* What does not depend on hyper-parameters, from a first pass that checks every row. */
typedef struct blni_glm_scan {
    size_t        n, d;
    double        N;                   /* sum of weights                                       */
    double        y_mean, y_sd;
    double       *mean, *sd;           /* d: moments of the inputs                             */
    blni_running *columns, y;
} blni_glm_scan;

/* Features for fewer rows than the basis has, see glm_reduce. */
typedef struct blni_glm_reduced {
    size_t  n;                         /* rows, and such features of a row; 0: not in use          */
    int     ready;                     /* Q and left are those of this pass                        */
    double *Q, *tau;                   /* D x n, n: (Phi S)' = Q U as bln_geqrf leaves it           */
    double *s;                         /* D: sqrt lambda                                           */
    double *left;                      /* n_slices x n: prior variance that the basis leaves out    */
    double *b, *W;                     /* n each: what the rows said of f in the last pass          */
    double *d_prior;                   /* of the slopes so far                                     */
    double *P, *work;                  /* D x block; for Q                                         */
} blni_glm_reduced;

/* Rows, features and what the likelihood says of them, a block at a time. */
typedef struct blni_glm_rows {
    const bln_glm_desc *desc;
    const bln_basis    *basis, *at;    /* the basis, and bound to the theta of this pass       */
    const bln_source   *source;
    int                 source_failed; /* the last failure was the source's                    */
    size_t              D, block, n, seen, first;     /* D: features of Phi; first: row of a block        */
    double              scale;         /* of the weights: 1, or what makes a batch stand for all   */
    const double       *theta;         /* of this pass                                         */
    double *Phi, *F;                   /* block x D each                                       */
    double *y, *f, *k;                 /* block each: targets without gaps, latent values, weights */
    double *lp, *d1, *d2, *d3;         /* block each: log p and derivatives                    */
    double *t0, *t1, *t2;              /* block each: their derivatives in one eta             */
    double *c;                         /* block: variances                                     */
    double *basis_work, *room;
    blni_glm_reduced reduced;
} blni_glm_rows;

/* glm_rows */
BLNI_PRIV void blni_glm_scan_carve(blni_arena *a, blni_glm_scan *s);
BLNI_PRIV void blni_glm_rows_carve(blni_arena *a, const bln_glm_desc *d, size_t reduced, blni_glm_rows *r);
BLNI_PRIV double blni_row_weight(const bln_data *rows, size_t i);
BLNI_PRIV bln_status blni_glm_scan_rows(const bln_glm_desc *d, const bln_source *source, blni_glm_scan *s, bln_report *report);
BLNI_PRIV bln_status blni_glm_rewind(blni_glm_rows *r, const double *theta, bln_report *report);
BLNI_PRIV void blni_glm_features(blni_glm_rows *r, size_t n, const bln_data *rows);
BLNI_PRIV bln_status blni_glm_next(blni_glm_rows *r, bln_data *rows, bln_targets *t, bln_report *report);
BLNI_PRIV void blni_glm_eval(blni_glm_rows *r, const double *eta, size_t n, const bln_targets *t, const double *w);
BLNI_PRIV void blni_glm_pullback(blni_glm_rows *r, const bln_data *rows, double *d_theta);
BLNI_PRIV double blni_glm_left_lambda(const bln_glm_desc *d, const blni_glm_hyper *h, size_t s);
BLNI_PRIV double blni_glm_left_of_row(const blni_glm_rows *r, const blni_glm_hyper *h, size_t s, size_t i);

/* glm_reduce */
BLNI_PRIV int blni_glm_reduces(const bln_glm_desc *d, size_t n);
BLNI_PRIV bln_status blni_reduce(blni_glm_rows *r, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV void blni_reduced_keep(blni_glm_rows *r, size_t n);
BLNI_PRIV void blni_reduced_expand(blni_glm_rows *r, const bln_data *rows);
BLNI_PRIV void blni_reduced_clear(blni_glm_rows *r);
BLNI_PRIV bln_status blni_reduced_result(blni_glm_rows *r, const blni_glm_hyper *h, const double *mean, int positive,
                                         blni_glm_result *result, bln_report *report);

typedef struct blni_mode {
    blni_glm_rows rows;
    size_t  D, n_flat, negative;        /* negative: rows with W_n < 0 in the last pass                          */
    int     started;                    /* w is where an earlier search ended                                    */
    double *w, *trial, *dw, *g;         /* D each; g: Phi'd1                                                     */
    double *s, *penalty, *precision;    /* D each: precision = 1/lambda, 0 where flat                            */
    double *a, *u, *spare, *diag;       /* D each                                                                */
    double *b;                          /* n_eta x D                                                             */
    double *B, *H;                      /* D x D each; H only where some W_n < 0 at the mode, else B stands for it */
    double *work;
    double  J, curvature;               /* log p(y, w) without constants of w; sum of the W_n > 0                */
    double  decrement;                  /* of the last step; infinity before the first                           */
    int     slow;                       /* steps in a row in which it hardly fell                                */
    double  log_scale, condition, evidence;
} blni_mode;

/* glm_laplace */
BLNI_PRIV bln_gaussian blni_mode_gaussian(const blni_mode *e);
BLNI_PRIV void blni_mode_carve(blni_arena *a, const bln_glm_desc *d, size_t reduced, blni_mode *e);
BLNI_PRIV void blni_mode_prior(blni_mode *e, const blni_glm_hyper *h);
BLNI_PRIV bln_status blni_mode_enter(blni_mode *e, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV void blni_mode_gram(blni_mode *e, double *B, size_t n, double sign, const double *W);
BLNI_PRIV bln_status blni_mode_pass_start(blni_mode *e, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV int blni_mode_factor(const blni_mode *e, double *A, size_t *bad);
BLNI_PRIV void blni_mode_solve(const blni_mode *e, const double *U, double *x);
BLNI_PRIV void blni_mode_recall(blni_mode *e, double *B, double *b);
BLNI_PRIV bln_status blni_mode_begin(blni_mode *e, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV bln_status blni_mode_step(blni_mode *e, const blni_glm_hyper *h, int *done, bln_report *report);
BLNI_PRIV double blni_mode_slope(const blni_mode *e);
BLNI_PRIV bln_status blni_mode_value(blni_mode *e, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV bln_status blni_mode_gradient(blni_mode *e, const blni_glm_hyper *h, double *d_prior, double *d_eta, double *d_theta,
                                        bln_report *report);
BLNI_PRIV bln_status blni_mode_result(blni_mode *e, const blni_glm_hyper *h, int positive, blni_glm_result *r, bln_report *report);

typedef struct blni_glm_expected {
    blni_glm_rows *rows;                /* whose offsets, weights, targets and features these are              */
    size_t  K, nodes;
    double *mu, *v;                     /* K x block each: moments of f under the components, without offset   */
    double *em, *ev;                    /* K x block each: derivatives of E log p in them, times weight/K      */
    double *el, *et;                    /* room; n_eta x room: E log p of some rows, and in eta                */
    size_t  room;
    double  tolerance;                  /* of expectations, if no nodes are given; 0: that of >>expect         */
    double *z, *w;                      /* nodes and weights, if the rule is fixed                             */
    size_t  draws;                      /* of f for each row, in place of a rule; 0: none are taken            */
    int     taylor;                     /* second order about mu in place of the expectation                   */
    int     drawn, leaves;              /* is it they now? do features leave prior variance out?               */
    double *e, *share;                  /* draws x block standard normals; draws times 1/draws                 */
    bln_rng rng;
    double *d_left;                     /* n_slices: d/d log lambda_s by what features leave out               */
    double *d_eta;                      /* of the rows so far                                                  */
} blni_glm_expected;

/* glm_expect */
BLNI_PRIV void blni_glm_expected_carve(blni_arena *a, const bln_glm_desc *d, size_t K, blni_glm_rows *rows, blni_glm_expected *e);
BLNI_PRIV void blni_glm_expected_rule(blni_glm_expected *e);
BLNI_PRIV void blni_glm_expected_clear(blni_glm_expected *e);
BLNI_PRIV void blni_glm_expected_add_left(blni_glm_expected *e, const blni_glm_hyper *h, size_t n);
BLNI_PRIV void blni_glm_expected_pull_left(blni_glm_expected *e, const blni_glm_hyper *h, size_t n, int features);
BLNI_PRIV double blni_glm_expected_sum(blni_glm_expected *e, const blni_glm_hyper *h, size_t n, const bln_targets *t);

typedef struct blni_glm_draws {
    size_t  L, KL;                      /* draws for each component; of all, 0: none are taken    */
    int     on;
    double *W, *G;                      /* KL x D each: weights; the slope of the rows' sum in them */
    double *f, *slope;                  /* KL x block each: f and d1, times weight/KL             */
} blni_glm_draws;

/* glm_draws */
BLNI_PRIV void blni_glm_draws_carve(blni_arena *a, const bln_glm_desc *d, size_t K, size_t block, blni_glm_draws *e);
BLNI_PRIV void blni_glm_draws_open(blni_glm_draws *e, const bln_mixture *q, bln_rng *rng);
BLNI_PRIV double blni_glm_draws_sum(blni_glm_draws *e, blni_glm_expected *x, const blni_glm_hyper *h, size_t n,
                                    const bln_targets *t, int features);
BLNI_PRIV void blni_glm_draws_close(const blni_glm_draws *e, const bln_mixture *q, double *dm, double *dpsi);

enum { BLNI_FULL_STEPS = 200, BLNI_FULL_POINTS = 3 };

#define BLNI_FULL_LEAST 1e-17                    /* Delta at the end of a search */
/* What is known of a point: what the likelihood asks for there, and how far that is. */
typedef struct blni_full_aim {
    double *T, *t;               /* D x D, upper triangle; D                                            */
    double *M, *p;               /* D x D, D: T - A and dL/dm in units of standard deviations           */
} blni_full_aim;

typedef struct blni_full {
    blni_mode e;                 /* its rows, prior and matrices: w = m; of the last trial: trial = m, g = dL/dm, diag = C_ii and
                                    the factor B of I + S A S                                           */
    blni_glm_expected expected;
    double *A, *b;               /* of the point: D x D, upper triangle; D                              */
    blni_full_aim aim[BLNI_FULL_POINTS];  /* of the point [0] and of those before it                    */
    size_t  known;               /* how many of them                                                    */
    double *next, *next_t;       /* T and t of the last trial; next starts as e.H                       */
    double  bound, trial_bound;
    double  rate;                /* Delta of the point                                                  */
    double  r;                   /* size of the last step                                               */
    double  least, part;         /* Delta at the end of a search, or as a part of that at its beginning */
    int     good;                /* steps in a row that went well at once                               */
} blni_full;

/* glm_full */
BLNI_PRIV void blni_full_carve(blni_arena *a, const bln_glm_desc *d, size_t reduced, blni_full *q);
BLNI_PRIV bln_gaussian blni_full_gaussian(const blni_full *q, const double *mean);
BLNI_PRIV bln_status blni_full_pass(blni_full *q, const blni_glm_hyper *h, const double *mean, double *sum, int slopes,
                                    double *d_theta, bln_report *report);
BLNI_PRIV void blni_full_combine(const blni_full *q, double rest, const double *c, size_t points, double *A, double *b);
BLNI_PRIV int blni_full_move(blni_full *q, double rest, const double *c, size_t points);
BLNI_PRIV bln_status blni_full_try(blni_full *q, const blni_glm_hyper *h, double rest, const double *c, size_t points,
                                   bln_report *report);
BLNI_PRIV bln_status blni_full_begin(blni_full *q, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV bln_status blni_full_value(blni_full *q, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV bln_status blni_full_gradient(blni_full *q, const blni_glm_hyper *h, double *d_prior, double *d_eta, double *d_theta,
                                        bln_report *report);

typedef struct blni_bound {
    blni_glm_rows rows;
    blni_glm_expected expected;
    blni_glm_draws draws;
    size_t  D, K;
    double *lambda, *d_lambda;          /* D each: prior variances of the weights, d/d log of them             */
    double *work, *entropy_work;
    double *d_prior, *d_theta, *dm, *dpsi;              /* of the last evaluation, with expected.d_eta         */
    double  bound;
} blni_bound;

/* glm_bound */
BLNI_PRIV bln_mixture blni_bound_mixture(const blni_bound *e, const double *m, const double *psi);
BLNI_PRIV void blni_bound_carve(blni_arena *a, const bln_glm_desc *d, size_t K, blni_bound *e);
BLNI_PRIV void blni_bound_draw(blni_bound *e, uint64_t seed, uint64_t t);
BLNI_PRIV void blni_bound_exact(blni_bound *e);
BLNI_PRIV bln_status blni_bound_value(blni_bound *e, const blni_glm_hyper *h, const bln_mixture *q, int features,
                                      bln_report *report);

/* glm_map */
BLNI_PRIV void blni_map_roots(const bln_glm_desc *d, const blni_glm_hyper *h, double *root);
BLNI_PRIV bln_status blni_map_pass(blni_glm_rows *r, const blni_glm_hyper *h, const double *root, const double *w, double *J,
                                   double *gradient, double *curvature, bln_report *report);
BLNI_PRIV double blni_map_constant(const bln_glm_desc *d, const blni_glm_hyper *h);

typedef struct blni_glm_batches {
    const bln_data *data;
    bln_minibatch   order;
    bln_source      source;         /* of the present batch                               */
    size_t          block;
    size_t          first, n, at;   /* its places in the epoch; rows that have been given */
    size_t         *rows;           /* block                                              */
    double         *work;
} blni_glm_batches;

/* glm_batch */
BLNI_PRIV void blni_glm_batches_carve(blni_arena *a, const bln_glm_desc *d, size_t n_inputs, blni_glm_batches *b);
BLNI_PRIV void blni_glm_batches_open(blni_glm_batches *b, const bln_glm_desc *d, const bln_data *data);
BLNI_PRIV void blni_glm_batch_take(blni_glm_batches *b, uint64_t t, blni_glm_rows *r);

/* glm_full_batch */
BLNI_PRIV bln_status blni_full_estimate(blni_full *q, const blni_glm_hyper *h, double *bound, double *d_prior, double *d_eta,
                                        double *d_theta, bln_report *report);
BLNI_PRIV void blni_full_natural(blni_full *q, double r);
BLNI_PRIV bln_status blni_full_here(blni_full *q, const blni_glm_hyper *h, bln_report *report);

enum { BLNI_GLM_VECTORS = 20, BLNI_GLM_MODE_STEPS = 200, BLNI_GLM_MODE_STEPS_BATCH = 20 };

typedef struct blni_glm_fit {
    void           *block;                 /* this struct and its arrays                              */
    size_t          bytes;
    bln_data_reader reader;                /* the caller's view as a source                           */
    bln_source      source;
    bln_glm_desc    desc;
    blni_glm_scan   scan;
    blni_mode       mode;                  /* Laplace; MAP without batches                            */
    blni_full       full;                  /* full                                                    */
    blni_bound      q;                     /* mixtures                                                */
    blni_glm_rows   rows;                  /* MAP with batches                                        */
    size_t          KD, n_q, n_free, n_hyper; /* means of q; its coordinates; n_free = n_q + n_hyper  */
    bln_param      *param;                 /* n_hyper                                                 */
    double         *x0, *x, *gradient;     /* n_free each: start; last evaluated; gradient there      */
    double         *d_prior, *d_eta, *d_theta;
    double         *slope;                 /* KD: of log p(y, w) in x (MAP with batches)              */
    double         *m, *psi, *scale, *root; /* K x D, K x D, D; D: sqrt lambda (not of Laplace and full) */
    double         *norm;                  /* priors: mean |phi_s|^2                                  */
    blni_glm_hyper  hyper;
    int             evaluated, refused;    /* hyper (m, psi) and value belong to x; the first point's failure is one */
    double          value;                 /* of the objective to be minimised, at x                  */
    bln_lbfgs      *opt, *opt_mode;        /* opt_mode: NULL but while the mode is looked for          */
    bln_sgd        *sgd;                   /* in place of opt if stochastic                            */
    double          sgd_rate;              /* its first one                                           */
    void           *opt_room, *mode_room;  /* where they lie                                          */
    blni_glm_batches batches;
    uint64_t        batch;                 /* number of the next one                                   */
    double          sum, mean;             /* of estimates of this epoch; of the one before            */
    size_t          iterations, evaluations;
    double          objective, gradient_norm;
    bln_stop        stop;
    int             done;
} blni_glm_fit;

/* glm_objective */
BLNI_PRIV int blni_glm_learns_prior(const bln_glm_desc *d, size_t s);
BLNI_PRIV blni_glm_fit *blni_glm_fit_carve(blni_arena *a, const bln_glm_desc *d, size_t n_inputs, size_t reduced, blni_glm_fit *f);
BLNI_PRIV int blni_glm_is_mixture(const blni_glm_fit *f);
BLNI_PRIV int blni_glm_is_map(const blni_glm_fit *f);
BLNI_PRIV int blni_glm_is_full(const blni_glm_fit *f);
BLNI_PRIV blni_mode *blni_glm_fit_mode(blni_glm_fit *f);
BLNI_PRIV blni_glm_rows *blni_glm_fit_rows(blni_glm_fit *f);
BLNI_PRIV bln_status blni_glm_fit_create(const bln_allocator *alloc, const bln_glm_desc *d, size_t n_inputs, size_t reduced,
                                         blni_glm_fit **out, bln_report *report);
BLNI_PRIV void blni_glm_fit_free(const bln_allocator *alloc, blni_glm_fit *f);
BLNI_PRIV void blni_glm_natural(blni_glm_fit *f, const double *x);
BLNI_PRIV double blni_glm_penalty(const blni_glm_fit *f, const double *x, double *g);
BLNI_PRIV void blni_glm_chain(blni_glm_fit *f, const double *d_prior, const double *d_eta, const double *d_theta);
BLNI_PRIV bln_status blni_glm_value_at(blni_glm_fit *f, double *value, bln_report *report);
BLNI_PRIV bln_status blni_glm_slopes(blni_glm_fit *f, double *d_prior, double *d_eta, double *d_theta, bln_report *report);
BLNI_PRIV bln_status blni_glm_objective(void *user, size_t n, const double *x, double *value, double *gradient, bln_report *report);

/* glm_start */
BLNI_PRIV bln_status blni_glm_starts(blni_glm_fit *f, bln_report *report);
BLNI_PRIV bln_lbfgs_desc blni_glm_mode_search(const bln_glm_desc *d, blni_glm_fit *f);
BLNI_PRIV bln_status blni_glm_mode_open(blni_glm_fit *f, bln_report *report);
BLNI_PRIV bln_status blni_glm_random_open(blni_glm_fit *f, bln_report *report);
BLNI_PRIV bln_status blni_glm_mode_close(blni_glm_fit *f, bln_report *report);

/* glm_fit */
BLNI_PRIV void blni_glm_optimisers_carve(blni_arena *a, const bln_glm_desc *d, blni_glm_fit *f);
BLNI_PRIV bln_status blni_glm_open(const bln_glm *glm, const bln_glm_desc *d, const bln_source *source, const bln_data *data,
                                   int reduce, blni_glm_fit **out, bln_report *report);

typedef enum blni_glm_question {
    BLNI_GLM_LATENT, BLNI_GLM_MOMENTS, BLNI_GLM_DENSITY, BLNI_GLM_CDF, BLNI_GLM_PIT, BLNI_GLM_QUANTILE, BLNI_GLM_INTERVAL
} blni_glm_question;

typedef struct blni_glm_ask {
    blni_glm_question what;
    double            p;                 /* probability or level     */
    double           *out[3];            /* n each, or NULL          */
} blni_glm_ask;

/* For a block of rows: features; moments of phi'w under each component, component by component; variance that features leave out;
 * moments of f, row by row; targets; room. */
typedef struct blni_glm_pieces { double *Phi, *mu, *v, *rest, *mean, *var, *y, *project, *basis, *room; } blni_glm_pieces;

/* glm_predict */
BLNI_PRIV blni_glm_pieces blni_glm_predict_carve(blni_arena *a, const bln_glm *glm);
BLNI_PRIV bln_latent blni_glm_latent_of(const bln_glm *glm, const bln_data *rows, const blni_glm_pieces *p);
BLNI_PRIV bln_targets blni_glm_targets(const bln_data *rows, double *y);
BLNI_PRIV bln_status blni_glm_check_rows(const bln_glm *glm, const blni_glm_ask *ask, const bln_data *data, bln_report *report);
BLNI_PRIV bln_status blni_glm_no_output(bln_report *report);

/* glm_file */
BLNI_PRIV int blni_glm_likelihood_named(const bln_likelihood *l);

#endif /* BLN_GLM_GLM_PRIVATE_H */
