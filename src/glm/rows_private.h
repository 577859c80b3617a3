#ifndef BLN_GLM_ROWS_PRIVATE_H
#define BLN_GLM_ROWS_PRIVATE_H
/* rows_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "layout_private.h"
#include "../optim/minibatch_private.h"
#include "../core/memory_private.h"
#include "../core/data_private.h"

/* A point in hyper-parameter space. */
typedef struct blni_glm_hyper {
    double *prior_var;         /* n_slices or D; of all latents  */
    double *eta;               /* of the likelihood              */
    double *theta;             /* of the bases                   */
} blni_glm_hyper;

/* What does not depend on hyper-parameters, from a first pass that checks every row. */
typedef struct blni_glm_scan {
    size_t        n, d;
    double        N;                   /* sum of weights                                       */
    double        y_mean, y_sd, trials;        /* trials: their mean, 1 where there are none   */
    double       *mean, *sd;           /* d: moments of the inputs                             */
    blni_running *columns, y;
} blni_glm_scan;

/* Features for fewer rows than the basis has, see rows_reduce. */
typedef struct blni_glm_reduced {
    size_t  n;                         /* rows, and such features of a row; 0: not in use          */
    int     ready;                     /* Q and missed are those of this pass                      */
    double *Q, *tau;                   /* D x n, n: (Phi S)' = Q U as blni_geqrf leaves it           */
    double *s;                         /* D: sqrt lambda                                           */
    double *missed;                    /* n_slices x n: prior variance that the basis misses        */
    double *b, *W;                     /* n each: what the rows said of f in the last pass          */
    double *d_prior;                   /* of the slopes so far                                     */
    double *P, *work;                  /* D x block; for Q                                         */
} blni_glm_reduced;

/* A basis: its columns of Phi, its parameters, and itself bound to those of this pass. */
typedef struct blni_glm_view { const bln_basis *basis, *at; size_t column, theta_at; double *room; } blni_glm_view;

/* Rows, features and what the likelihood says of them, a block at a time. Of several latents f, d1 and t1 have one column of
 * `block` numbers for each, d2, c and t2 one for each pair (>>likelihood); d3 is of one latent only. */
typedef struct blni_glm_rows {
    const bln_glm_desc *desc;
    const bln_basis    *basis;         /* of the first latent                                  */
    blni_glm_view      *view;
    const bln_source   *source;
    int                 source_failed; /* the last failure was the source's                    */
    size_t              J, n_views, n_slices;
    blni_glm_slice     *slice;
    size_t              D, block, n, seen, first;     /* D: columns of Phi; first: row of a block         */
    size_t              n_w;           /* weights of all latents                               */
    double              scale;         /* of the weights: 1, or what makes a batch stand for all   */
    const double       *theta;         /* of this pass                                         */
    double *Phi, *F;                   /* block x D each                                       */
    double *y, *f, *k;                 /* block each: targets without gaps, latent values, weights */
    double *lp, *d1, *d2, *d3;         /* block each: log p and derivatives                    */
    double *t0, *t1, *t2;              /* block each: their derivatives in one eta             */
    double *c;                         /* block: variances                                     */
    double *basis_work;
    blni_glm_reduced reduced;
} blni_glm_rows;

/* rows */
BLNI_PRIV void blni_glm_hyper_carve(blni_arena *a, const bln_glm_desc *d, blni_glm_hyper *h);
BLNI_PRIV void blni_glm_scan_carve(blni_arena *a, blni_glm_scan *s);
BLNI_PRIV void blni_glm_rows_carve(blni_arena *a, const bln_glm_desc *d, size_t reduced, blni_glm_rows *r);
BLNI_PRIV double blni_row_weight(const bln_data *rows, size_t i);
BLNI_PRIV bln_status blni_glm_scan_rows(const bln_glm_desc *d, const bln_source *source, blni_glm_scan *s, bln_report *report);
BLNI_PRIV bln_status blni_glm_rewind(blni_glm_rows *r, const double *theta, bln_report *report);
BLNI_PRIV void blni_glm_features(blni_glm_rows *r, size_t n, const bln_data *rows);
BLNI_PRIV bln_status blni_glm_next(blni_glm_rows *r, bln_data *rows, bln_targets *t, bln_report *report);
BLNI_PRIV void blni_glm_eval(blni_glm_rows *r, const double *eta, size_t n, const bln_targets *t, const double *w);
BLNI_PRIV void blni_glm_start_latents(const blni_glm_rows *r, const double *eta, size_t n, const bln_targets *t, double *f);
BLNI_PRIV void blni_glm_weigh(const blni_glm_rows *r, size_t n, size_t columns, double *x);
BLNI_PRIV void blni_glm_pullback(blni_glm_rows *r, const bln_data *rows, double *d_theta);
BLNI_PRIV void blni_glm_unbind(const blni_glm_rows *r, const double *theta, double *d_theta);
BLNI_PRIV double blni_glm_missed_lambda(const blni_glm_rows *r, const blni_glm_hyper *h, size_t t);
BLNI_PRIV double blni_glm_missed_of_row(const blni_glm_rows *r, const blni_glm_hyper *h, size_t t, size_t i);

/* Of latent j: its basis, its columns of Phi and of F (stride r->D). */
BLNI_INLINE const bln_basis *blni_glm_rows_basis(const blni_glm_rows *r, size_t j) { return r->view[r->n_views > 1 ? j : 0].basis; }
BLNI_INLINE double *blni_glm_rows_phi(const blni_glm_rows *r, size_t j) { return r->Phi + r->view[r->n_views > 1 ? j : 0].column; }
BLNI_INLINE double *blni_glm_rows_slopes(const blni_glm_rows *r, size_t j) { return r->F + r->view[r->n_views > 1 ? j : 0].column; }

/* rows_reduce */
BLNI_PRIV bln_status blni_reduce(blni_glm_rows *r, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV void blni_reduced_keep(blni_glm_rows *r, size_t n);
BLNI_PRIV void blni_reduced_expand(blni_glm_rows *r, const bln_data *rows);
BLNI_PRIV void blni_reduced_clear(blni_glm_rows *r);
BLNI_PRIV bln_status blni_reduced_result(blni_glm_rows *r, const blni_glm_hyper *h, const double *mean, int positive, double *m,
                                         double *s, double *R, bln_report *report);

typedef struct blni_glm_batches {
    const bln_data *data;
    blni_minibatch  order;
    bln_source      source;         /* of the present batch                               */
    const bln_source *all;          /* of all rows, during a batch                        */
    size_t          block;
    size_t          first, n, at;   /* its places in the epoch; rows that have been given */
    size_t         *rows;           /* block                                              */
    void           *room;           /* for their columns                                  */
} blni_glm_batches;

/* rows_batch */
BLNI_PRIV void blni_glm_batches_carve(blni_arena *a, const bln_glm_desc *d, size_t n_inputs, blni_glm_batches *b);
BLNI_PRIV void blni_glm_batches_open(blni_glm_batches *b, const bln_glm_desc *d, const bln_data *data, size_t batch);
BLNI_PRIV void blni_glm_batch_take(blni_glm_batches *b, uint64_t t, blni_glm_rows *r);
BLNI_PRIV void blni_glm_batch_done(const blni_glm_batches *b, blni_glm_rows *r);

#endif /* BLN_GLM_ROWS_PRIVATE_H */
