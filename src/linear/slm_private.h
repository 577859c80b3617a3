#ifndef BLN_LINEAR_SLM_PRIVATE_H
#define BLN_LINEAR_SLM_PRIVATE_H
/* slm_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "slm.h"
#include "../math/cholesky.h"
#include "statistics_private.h"
#include "../optim/lbfgs_private.h"
#include "../posterior/kind_gaussian.h"
#include "../posterior/store_private.h"

#define BLNI_FLAT_MISSES "features that miss prior variance of their kernel need a prior that is not flat"
#define BLNI_COLLINEAR "slm: a feature with a flat prior depends on those before it; give it a prior variance or drop it, feature"
enum { BLNI_SLM_BLOCK = 256, BLNI_SLM_ITERATIONS = 300, BLNI_SLM_EXACT_FEATURES = 16 };

/* Hyper-parameters. */
typedef struct blni_hyper {
    double  noise_var;         /* sigma^2; 1 where prior variances are ratios to Sigma */
    double *prior_var;         /* blni_priors: one for each slice, or with per_weight for each weight */
    double *theta;             /* n_theta  */
} blni_hyper;

/* The outcome of a fit: a posterior, and pointers through which its arrays are written. */
typedef struct blni_slm_result {
    blni_store  *store;
    size_t       P;
    double      *theta, *cov;  /* n_theta; P x P: Sigma                                                              */
    double      *m, *s, *R;    /* P x D, D, k x D: means; prior standard deviations and factor, for a noise of noise_var */
    double      *T, *lambda;   /* P x P: Sigma/noise_var, if P > 1; P x slices: prior variance that features miss    */
    double      *sd;           /* P x D: sqrt(C_jj), if has_sd, where R would not give all their digits              */
    size_t      *flat;         /* D: indices of the weights with a flat prior                                        */
    int          has_sd;
    double       evidence;
} blni_slm_result;

/* A posterior from which blni_store_create takes the sizes; its pointers, all to `there`, only say which arrays there are. */
typedef struct blni_slm_shape {
    bln_posterior q;
    bln_group     group;
    bln_gaussians gaussians;
    double        there;
} blni_slm_shape;

struct bln_slm {
    bln_slm_desc         desc;         /* with defaults; its arrays are copied into this block */
    bln_allocator        alloc;
    void                *block;        /* holds this struct and its arrays                    */
    size_t               bytes;
    double              *prior_var;    /* of the last fit, as is `evidence`                   */
    double               evidence;
    blni_store          *store;        /* the posterior; NULL: not fitted                     */
    bln_basis           *owned;        /* the basis of a model from a file, else NULL         */
    bln_posterior        posterior;    /* the view that users get                             */
    struct blni_slm_fit *fit;          /* between init and finish, else NULL                  */
    void               (*abandon)(bln_slm *slm);       /* frees fit; a pointer, so that programs which only load link no fit */
};

/* slm */
BLNI_PRIV bln_slm_form blni_slm_form_for(const bln_slm_desc *desc, size_t n);
BLNI_PRIV bln_slm_arithmetic blni_slm_arithmetic(const bln_slm_desc *desc, bln_slm_form form);
BLNI_PRIV void blni_slm_shape_of(const bln_basis *const *b, size_t P, int lowrank, size_t n, blni_slm_shape *out);
BLNI_PRIV void blni_slm_show(bln_slm *slm);
BLNI_PRIV int blni_slm_fitted(const bln_slm *slm);

/* A fit keeps each noise variance above this part of the variance of its output. */
#define BLNI_SIGMA_LEAST 1e-10
/* The noise covariance Sigma = v C of the outputs; letters are those of slm_sigma.c. */
typedef struct blni_slm_noise {
    size_t        P;
    bln_slm_sigma kind;
    int           profile;          /* is C the best one at each point, rather than given?           */
    double       *C, *inverse;      /* P x P each, both triangles                                    */
    double       *Q, *RSS;          /* P x P each, upper triangle: Y'K^-1 Y; products of residuals   */
    double       *work;             /* P x P                                                         */
    double       *floor;            /* P: least variances of a profile, in units of v; 0: none       */
    double        logdet;           /* log|C|                                                        */
    int           bounded;          /* was a variance at its floor?                                  */
    double        margin;           /* full C: smallest ratio to its floor of a variance given the outputs before */
    size_t        nearest;          /* the output with that ratio                                    */
} blni_slm_noise;

/* slm_sigma */
BLNI_PRIV void blni_sigma_carve(blni_arena *a, blni_slm_noise *s);
BLNI_PRIV bln_status blni_sigma_dependent(size_t column, bln_report *report);
BLNI_PRIV bln_status blni_sigma_settle(blni_slm_noise *s, double freedom, int exact, size_t column, bln_report *report);
BLNI_PRIV int blni_sigma_fix(blni_slm_noise *s, const double *cov, double scale);
BLNI_PRIV double blni_sigma_norm(const blni_slm_noise *s, const double *x);
BLNI_PRIV double blni_sigma_trace(const blni_slm_noise *s, const double *A);
BLNI_PRIV void blni_sigma_gradient(blni_slm_noise *s, double freedom, double *d_cov);
BLNI_PRIV void blni_sigma_cross(size_t n, size_t P, double alpha, const double *A, double beta, double *C);
BLNI_PRIV void blni_sigma_solve(bln_trans op, size_t n, size_t P, const double *U, size_t ldu, double *X);

/* What the first pass, which checks every row, tells of the data; sums are over the rows of all processes. */
typedef struct blni_slm_scan {
    void   *block;                 /* holds the arrays          */
    size_t  bytes;
    blni_processes *processes;     /* those that share the fit  */
    uint64_t fingerprint;          /* of the basis, with several processes: all must have the same */
    size_t  n, d, P;               /* rows (of this process), columns, outputs                     */
    double  n_all;                 /* rows of all processes     */
    double  N, ld, omega;          /* sums of weight, of weight log(1/v), of weight/v; v: noise_var of a row */
    double *y_var, *y_square;      /* P each: variance and mean square of y - offset, weighted by weight/v */
    double *mean, *sd;             /* d each: moments of the inputs */
    blni_running *columns, *targets;   /* d and P: the sums behind these moments */
} blni_slm_scan;

/* The workspace of one fit, and the state of the last evaluation. Letters are those of docs/mathematics/linear.md. */
typedef struct blni_evidence {
    const bln_basis  *basis;
    const bln_basis  *at;              /* the basis bound to theta, in room                                   */
    const bln_source *source;          /* the rows                                                            */
    const blni_slm_scan *scan;
    size_t            seen;            /* rows of this pass so far                                            */
    int               source_failed;   /* was the last failure the source's, not the arithmetic's?            */
    int               per_weight;      /* has each weight a prior variance, or each slice?                    */
    bln_slm_form      form;
    size_t            n, D, P, block;  /* rows, features, outputs, rows of a block                            */
    size_t            n_flat;          /* features with a flat prior                                          */

    blni_slm_noise sigma;              /* the noise covariance of the outputs, in units of noise_var          */
    double *u, *m, *w, *mC;            /* D x P each: U^-T S b/sigma^2, mean, mean/s, mean C^-1               */
    double *s, *gamma;                 /* D each: sqrt(lambda_i), gamma_i                                     */
    double *diag;                      /* D (dual: n): a diagonal kept for the jitter                         */
    double *penalty;                   /* D: 1, or 0 where the prior is flat: B = S G S/sigma^2 + diag(penalty) */
    double *basis_work, *room;         /* workspace of the basis; memory of the bound basis                   */
    int     variational;               /* is what the features miss subtracted from the evidence?             */
    double *missed;                    /* n_slices: lambda_s/(2 sigma^2) times what slice s misses             */

    blni_gram gram;                    /* primal: [Phi Y]' Omega [Phi Y]                                      */
    int       lent;                    /* does gram belong to a bln_statistics? Then there are no rows        */
    double *B;                         /* primal: (D+P) x D: in turn B, its factor, its inverse, C; P more rows */
    double *panels;                    /* primal: the same packed for products, if the basis has parameters   */
    double *T, *qr_work;               /* qr: (D+P) x (D+P) triangle [U u; 0 V]; workspace to update it       */
    blni_exact *B3, *u3, *w3;           /* exact: B (D x D); u' and w' (P x D each)                            */
    double *Phi, *F;                   /* primal: block x blni_gram_stride, block x D;   dual: n x D each     */
    double *r;                         /* block x P (dual: n x P): residuals                                  */
    double *K;                         /* dual: n x n: K_s and its factor                                     */
    double *y, *root, *alpha;          /* dual: n x P, n, n x P: targets, sqrt(omega), alpha~ = K_s^-1 Omega^1/2 Y */
    double *X;                         /* dual: n x d inputs                                                  */
    int     kernels, *kernel;          /* dual: is any slice given by its kernel matrix? n_slices: is this one? (slm_dual) */

    double *theta;                     /* n_theta: where G (or Phi) was computed, if have_features            */
    int     have_features;
    double  noise_var, logdet, tau, condition;              /* of the last value                              */
    double  q, rss;                    /* tr(C^-1 Q), tr(C^-1 RSS)                                            */
    double  missed_sum;                /* sum of missed                                                       */
} blni_evidence;

/* slm_evidence */
BLNI_PRIV bln_status blni_source_next(const bln_source *source, size_t block, size_t P, bln_data *rows, bln_report *report);
BLNI_PRIV void blni_scan_free(const bln_allocator *alloc, blni_slm_scan *s);
BLNI_PRIV void blni_scan_carve(blni_arena *a, blni_slm_scan *s);
BLNI_PRIV bln_status blni_scan_create(const bln_allocator *alloc, size_t d, size_t P, blni_slm_scan *s, bln_report *report);
BLNI_PRIV bln_status blni_scan(const bln_slm *slm, const bln_source *source, blni_processes *processes, blni_slm_scan *s,
                               bln_report *report);
BLNI_PRIV void blni_evidence_carve(blni_arena *a, blni_evidence *e);
BLNI_PRIV void blni_evidence_for(const bln_slm_desc *desc, const bln_source *source, const blni_slm_scan *scan, blni_evidence *e);
BLNI_PRIV void blni_evidence_take(blni_evidence *e, const bln_slm_desc *desc, size_t n);
BLNI_PRIV void blni_evidence_at(blni_evidence *e, const blni_hyper *h);
BLNI_PRIV bln_status blni_flat_scales(blni_evidence *e, double *log_scale, bln_report *report);
BLNI_PRIV int blni_evidence_same_theta(blni_evidence *e, const double *theta);
BLNI_PRIV double blni_evidence_norm(const blni_evidence *e, size_t first, size_t end);
BLNI_PRIV int blni_evidence_misses(const blni_evidence *e, size_t s, size_t *first, size_t *end);
BLNI_PRIV int blni_evidence_perfect(const blni_evidence *e);
BLNI_PRIV double blni_evidence_freedom(const blni_evidence *e);
BLNI_PRIV double blni_evidence_total(const blni_evidence *e);
BLNI_PRIV bln_status blni_evidence_settle(blni_evidence *e, bln_report *report);
BLNI_PRIV void blni_evidence_shrinkage(const blni_evidence *e, double *out);
BLNI_PRIV void blni_evidence_mean(blni_evidence *e, double log_scale);
BLNI_PRIV void blni_evidence_mean_over_sigma(blni_evidence *e);
BLNI_PRIV void blni_evidence_result(const blni_evidence *e, blni_slm_result *r);
BLNI_PRIV void blni_evidence_gradient_scales(const blni_evidence *e, double *d_noise, double *d_prior);

/* slm_qr */
BLNI_PRIV double blni_triangle_noise(double N);
BLNI_PRIV bln_status blni_triangle_solve(blni_evidence *e, bln_report *report);
BLNI_PRIV void blni_triangle_squares(blni_evidence *e);
BLNI_PRIV void blni_triangle_gamma(blni_evidence *e);

/* slm_primal */
BLNI_PRIV bln_status blni_primal_statistics(blni_evidence *e, const double *theta, bln_report *report);
BLNI_PRIV bln_status blni_primal_value(blni_evidence *e, const blni_hyper *h, bln_report *report);
BLNI_PRIV bln_status blni_primal_gradient(blni_evidence *e, const blni_hyper *h, double *d_noise, double *d_prior, double *d_theta,
                                          bln_report *report);
BLNI_PRIV bln_status blni_primal_posterior(blni_evidence *e, const blni_hyper *h, blni_slm_result *r, bln_report *report);

/* A pivot below this part of its diagonal means dependent features: columns that agree to 1e-16, rounding, leave one of 1e-32. */
#define BLNI_EXACT_DEPENDENT 1e-30
#define BLNI_EXACT_ZERO      1e-40
/* slm_exact */
BLNI_PRIV bln_status blni_exact_value(blni_evidence *e, const blni_hyper *h, bln_report *report);
BLNI_PRIV void blni_exact_invert(blni_evidence *e);
BLNI_PRIV bln_status blni_exact_posterior(blni_evidence *e, const blni_hyper *h, blni_slm_result *r, bln_report *report);

/* slm_dual */
BLNI_PRIV bln_status blni_dual_gather(blni_evidence *e, bln_report *report);
BLNI_PRIV void blni_dual_features(blni_evidence *e, const double *theta);
BLNI_PRIV bln_status blni_dual_value(blni_evidence *e, const blni_hyper *h, bln_report *report);
BLNI_PRIV bln_status blni_dual_gradient(blni_evidence *e, const blni_hyper *h, double *d_noise, double *d_prior, double *d_theta);
BLNI_PRIV bln_status blni_dual_posterior(blni_evidence *e, const blni_hyper *h, blni_slm_result *r, bln_report *report);

typedef struct blni_slm_fit {
    void           *block;                 /* this struct and its arrays                             */
    size_t          bytes;
    void           *rows_block;            /* the arrays of e                                        */
    size_t          rows_bytes;
    bln_data_reader reader;                /* reads the caller's rows as a source                    */
    bln_source      source;
    blni_processes  processes;             /* those of desc                                          */
    blni_slm_scan   scan;
    blni_evidence   e;
    bln_slm_desc    desc;                  /* the model's; of a fit to statistics with their theta, which is fixed */

    size_t          n_free;                /* hyper-parameters that are learnt                       */
    int             free_noise, free_theta;           /* are sigma^2 and theta among them?           */
    bln_param      *param;                 /* n_free                                                 */
    double         *x0, *base, *x, *best_x, *trial;   /* n_free each: first start, centre of theta's prior; x where z = 0; last
                                                         evaluated; best; workspace */
    double         *zero;                  /* n_free zeros: the start of every search in z           */
    double         *d_prior, *d_theta;     /* slopes in log prior variances; in theta                */
    int             relevance;             /* do prior variances have the half-Cauchy prior?         */
    double         *square;                /* D with per_weight: |phi_i|^2 at the first start        */
    size_t         *tie;                   /* n_free: coordinate of z that moves x_k while tied; BLN_NONE: x_k is held */
    double        **natural;               /* n_free: where hyper has what x_k stands for            */
    size_t          n_tied;                /* coordinates of z while tied                            */
    int             tied;                  /* is this stage the search with ties?                    */
    int             fixed_point;           /* is this the fixed-point stage?                         */
    size_t          fixed_steps;
    int             sloped;                /* do gamma_i, hyper and slopes belong to base?           */
    double          base_value, gain;      /* objective there; gain of the last fixed-point step, 0 before the first */
    size_t          slow;                  /* fixed-point steps in a row that gained too little      */
    blni_hyper      hyper;                 /* of the last evaluation; what is not free stays as set   */
    double          evidence;
    int             evaluated;             /* do hyper and evidence belong to x, with the factor intact? */
    int             resolved;              /* has any point had an evidence that is not rounding?    */
    int             walled;                /* was Sigma undefined at a point of this step?           */

    blni_lbfgs      *opt, *opt_tied;        /* opt_tied: NULL if nothing is tied                      */
    size_t          start, steps;          /* number of this start; its steps so far, of all stages   */
    size_t          iterations, evaluations;
    double          best, best_gradient;   /* best objective so far, log evidence + log priors; its gradient's norm */
    size_t          best_start;            /* the start that found it                                */
    bln_stop        stop;                  /* why that start ended                                   */
    double          unit;                  /* added to the evidence while searching (slm_search.c)   */
    bln_slm_progress last;                 /* of the last step                                       */
    int             done;
} blni_slm_fit;

/* slm_search */
BLNI_PRIV bln_status blni_slm_value(blni_evidence *e, const blni_hyper *h, double *value, bln_report *report);
BLNI_PRIV bln_status blni_slm_gradient(blni_evidence *e, const blni_hyper *h, double *d_noise, double *d_prior, double *d_theta,
                                       bln_report *report);
BLNI_PRIV bln_status blni_evidence_overflow(blni_evidence *e, const double *theta, bln_report *report);
BLNI_PRIV bln_status blni_evidence_sigma(blni_evidence *e, const bln_slm_desc *d, bln_report *report);
BLNI_PRIV bln_status blni_evidence_room(const bln_allocator *alloc, blni_evidence *e, void **block, size_t *bytes,
                                        bln_report *report);
BLNI_PRIV bln_status blni_evidence_open(const bln_slm *slm, const bln_source *source, const bln_slm_desc *desc, size_t n,
                                        const blni_slm_scan *scan, blni_evidence *e, void **block, size_t *bytes,
                                        bln_report *report);
BLNI_PRIV int blni_learns_prior(const bln_slm_desc *d, size_t s);
BLNI_PRIV int blni_all_flat(const bln_slm_desc *d);
BLNI_PRIV void blni_fit_natural(blni_slm_fit *f, const double *x);
BLNI_PRIV bln_status blni_fit_evaluate(blni_slm_fit *f, const double *x, double *value, bln_report *report);
BLNI_PRIV bln_status blni_fit_slope(blni_slm_fit *f, double *g, bln_report *report);
BLNI_PRIV double blni_fit_penalty(const blni_slm_fit *f, const double *x, double *g);
BLNI_PRIV void blni_fit_expand(const blni_slm_fit *f, const double *z, double *x);
BLNI_PRIV bln_status blni_fit_objective(void *user, size_t n, const double *z, double *value, double *gradient, bln_report *report);
BLNI_PRIV double blni_mean_of(size_t n, const double *x);
BLNI_PRIV bln_status blni_fit_first_start(blni_slm_fit *f, bln_report *report);
BLNI_PRIV bln_status blni_fit_scan_scales(blni_slm_fit *f, bln_report *report);
BLNI_PRIV bln_status blni_fit_random_start(blni_slm_fit *f, bln_report *report);

/* slm_fit */
BLNI_PRIV size_t blni_fit_count_free(const bln_slm_desc *d);
BLNI_PRIV bln_status blni_fit_check_targets(const blni_slm_fit *f, bln_report *report);
BLNI_PRIV bln_status blni_fit_open(bln_slm *slm, const bln_source *source, const bln_data *data, bln_report *report);
BLNI_PRIV bln_status blni_fit_posterior(blni_slm_fit *f, blni_slm_result *r, bln_report *report);
BLNI_PRIV bln_status blni_fit_room(bln_slm *slm, blni_slm_result *r, bln_report *report);

#ifdef BLNI_SEPARATE
extern const bln_model_kind blni_slm_kind;
#endif

#endif /* BLN_LINEAR_SLM_PRIVATE_H */
