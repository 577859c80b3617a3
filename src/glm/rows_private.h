#ifndef BLN_GLM_ROWS_PRIVATE_H
#define BLN_GLM_ROWS_PRIVATE_H
/* rows_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "layout_private.h"
#include "../optim/minibatch_private.h"
#include "../core/allreduce_private.h"
#include "../core/memory_private.h"
#include "../core/data_private.h"

/* Hyper-parameters, or slopes in them. */
typedef struct blni_glm_hyper {
    double *prior_var;         /* blni_glm_priors: one for each slice, or with per_weight for each weight */
    double *eta;               /* parameters of the likelihood              */
    double *theta;             /* parameters of the bases, basis after basis */
} blni_glm_hyper;

/* What the first pass, which checks every row, tells of the data. All moments are weighted by the rows' weights. */
typedef struct blni_glm_scan {
    size_t        n, here, d;          /* rows of all processes, of this one; inputs           */
    double        share;               /* 1/(number of processes)                              */
    double        N;                   /* sum of the rows' weights                             */
    double        y_mean, y_sd, trials;        /* of y, less the offset unless y is discrete; mean trials, 1 without any */
    double       *mean, *sd;           /* d each: moments of the inputs                        */
    blni_running *columns, y;          /* the sums behind these: d of the inputs, one of y     */
} blni_glm_scan;

/* Fits of n <= D rows in the n-dimensional space of their features (rows_reduce). */
typedef struct blni_glm_reduced {
    size_t  n;                         /* rows, and features of each row in that space; 0: not in use */
    int     ready;                     /* are Q and missed those of the present hyper-parameters?  */
    double *Q, *tau;                   /* D x n, n: (Phi S)' = Q U as blni_geqrf leaves it         */
    double *s;                         /* D: sqrt lambda of each weight                            */
    double *missed;                    /* n_slices x n: prior variance that the features miss      */
    double *b, *W;                     /* n each: Gaussian factors exp(b f - W f^2/2) of the rows in the last pass */
    double *d_prior;                   /* slopes in log prior variances, of the rows so far        */
    double *P, *work;                  /* workspace: D x block; for the QR factorisation           */
} blni_glm_reduced;

/* n sums over rows, from x on. */
typedef struct blni_glm_total { double *x; size_t n; } blni_glm_total;

/* One basis: `at` is it bound to theta in `room`; its features begin at `column` of Phi, its parameters at `theta_at` of theta. */
typedef struct blni_glm_view { const bln_basis *basis, *at; size_t column, theta_at; double *room; } blni_glm_view;

/* A pass over the rows, a block at a time: features, and the likelihood's values. With several latents f, d1 and t1 have one column
 * of `block` numbers for each latent, and d2, c and t2 one for each pair of latents (>>likelihood); d3 is used with one only. */
typedef struct blni_glm_rows {
    const bln_glm_desc *desc;
    const bln_basis    *basis;         /* of the first latent                                  */
    blni_glm_view      *view;          /* n_views: the different bases                         */
    const bln_source   *source;
    const blni_glm_scan *scan;
    blni_processes     *processes;     /* which share the fit; NULL: only this one             */
    blni_glm_total      total[8];      /* n_totals: the sums of this pass                      */
    size_t              n_totals;
    int                 source_failed; /* was the last failure the source's or another process's, not the arithmetic's? */
    size_t              J, n_views, n_slices;         /* latents; bases; slices of all latents */
    blni_glm_slice     *slice;
    size_t              D, block, n, seen, first;     /* columns of Phi; rows: of a block, a pass, so far, before this block */
    size_t              n_w;           /* weights of all latents                               */
    double              scale;         /* factor of the rows' weights: 1, or n/|B| for a batch B */
    double              top;           /* of several latents: the largest log p, or E log p, of a row in this pass */
    const double       *theta, *w;     /* of this pass; w: NULL, or the point that it is at    */
    double             *d_theta;       /* what it pulls back to, or NULL                       */
    double *Phi, *F;                   /* block x D each: features, slopes of the objective in them */
    double *y, *f, *k;                 /* block each: targets, latent values, weights times scale */
    int     weighs;                    /* is one of these weights not 1?                       */
    double *lp, *d1, *d2, *d3;         /* block each: log p and its derivatives in f, times k  */
    double *t0, *t1, *t2;              /* block each: derivatives of log p, d1, d2 in one eta  */
    double *c;                         /* block: variances of f, or workspace                  */
    double *basis_work;
    blni_glm_reduced reduced;
} blni_glm_rows;

/* A pass over the rows, whose sums were told to blni_glm_sums: `rows` and `t` are a block and its targets, and `status` says in the
 * end whether all were read. */
#define BLNI_PASS(r, theta, w) \
    bln_data rows; \
    bln_targets t; \
    bln_status status = blni_glm_rewind(r, theta, w, report); \
    while (status == BLN_OK && (status = blni_glm_next(r, &rows, &t, report)) == BLN_OK && rows.n)

/* rows */
BLNI_PRIV void blni_glm_hyper_carve(blni_arena *a, const bln_glm_desc *d, blni_glm_hyper *h);
BLNI_PRIV void blni_glm_scan_carve(blni_arena *a, blni_glm_scan *s);
BLNI_PRIV void blni_glm_rows_carve(blni_arena *a, const bln_glm_desc *d, size_t reduced, blni_glm_rows *r);
BLNI_PRIV double blni_row_weight(const bln_data *rows, size_t i);
BLNI_PRIV bln_status blni_glm_scan_rows(const bln_glm_desc *d, const bln_source *source, blni_processes *processes,
                                        blni_glm_scan *s, bln_report *report);
BLNI_PRIV void blni_glm_sums(blni_glm_rows *r, size_t n, double *x);
BLNI_PRIV bln_status blni_glm_rewind(blni_glm_rows *r, const double *theta, const double *w, bln_report *report);
BLNI_PRIV void blni_glm_features(blni_glm_rows *r, size_t n, const bln_data *rows);
BLNI_PRIV bln_status blni_glm_next(blni_glm_rows *r, bln_data *rows, bln_targets *t, bln_report *report);
BLNI_PRIV void blni_glm_eval(blni_glm_rows *r, const double *eta, size_t n, const bln_targets *t, const double *w);
BLNI_PRIV void blni_glm_start_latents(const blni_glm_rows *r, const double *eta, size_t n, const bln_targets *t, double *f);
BLNI_PRIV void blni_glm_top(blni_glm_rows *r, size_t n, const double *lp);
BLNI_PRIV void blni_glm_weigh(const blni_glm_rows *r, size_t n, size_t columns, double *x);
BLNI_PRIV void blni_glm_gather(const blni_glm_rows *r, size_t n, const double *d, double *out);
BLNI_PRIV void blni_glm_pullback(blni_glm_rows *r, const bln_data *rows, double *d_theta);
BLNI_PRIV void blni_glm_roots(const blni_glm_rows *r, const blni_glm_hyper *h, double *root);
BLNI_PRIV double blni_glm_missed_lambda(const blni_glm_rows *r, const blni_glm_hyper *h, size_t t);
BLNI_PRIV double blni_glm_missed_of_row(const blni_glm_rows *r, const blni_glm_hyper *h, size_t t, size_t i);

/* Of latent j: its basis, how many features it has now, its columns of Phi and of F (stride r->D). */
BLNI_INLINE const bln_basis *blni_glm_rows_basis(const blni_glm_rows *r, size_t j) { return r->view[r->n_views > 1 ? j : 0].basis; }
BLNI_INLINE size_t blni_glm_rows_width(const blni_glm_rows *r, size_t j) { return r->J > 1 ? blni_glm_rows_basis(r, j)->D : r->D; }
BLNI_INLINE double *blni_glm_rows_phi(const blni_glm_rows *r, size_t j) { return r->Phi + r->view[r->n_views > 1 ? j : 0].column; }
BLNI_INLINE double *blni_glm_rows_slopes(const blni_glm_rows *r, size_t j) { return r->F + r->view[r->n_views > 1 ? j : 0].column; }

/* rows_reduce */
BLNI_PRIV bln_status blni_reduce(blni_glm_rows *r, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV void blni_reduced_keep(blni_glm_rows *r, size_t n);
BLNI_PRIV void blni_reduced_expand(blni_glm_rows *r, const bln_data *rows);
BLNI_PRIV void blni_reduced_clear(blni_glm_rows *r);
BLNI_PRIV bln_status blni_reduced_result(blni_glm_rows *r, const blni_glm_hyper *h, const double *mean, int positive, double *m,
                                         double *s, double *R, bln_report *report);

/* Minibatches of a data set, each of which blni_glm_rows passes over like a source. */
typedef struct blni_glm_batches {
    const bln_data *data;
    blni_minibatch  order;
    bln_source      source;         /* gives the rows of the present batch                */
    const bln_source *all;          /* gives all rows; set while a batch is in use        */
    size_t          block;
    size_t          first, n, at;   /* first place in the epoch and rows of the batch; rows given so far */
    size_t         *rows;           /* block: their row numbers                           */
    void           *room;           /* the columns of a block                             */
} blni_glm_batches;

/* rows_batch */
BLNI_PRIV void blni_glm_batches_carve(blni_arena *a, const bln_glm_desc *d, size_t n_inputs, blni_glm_batches *b);
BLNI_PRIV void blni_glm_batches_open(blni_glm_batches *b, const bln_glm_desc *d, const bln_data *data, size_t batch);
BLNI_PRIV void blni_glm_batch_take(blni_glm_batches *b, uint64_t t, blni_glm_rows *r);
BLNI_PRIV void blni_glm_batch_done(const blni_glm_batches *b, blni_glm_rows *r);

#endif /* BLN_GLM_ROWS_PRIVATE_H */
