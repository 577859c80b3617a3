#ifndef BLN_GLM_GIBBS_PRIVATE_H
#define BLN_GLM_GIBBS_PRIVATE_H
/* gibbs_private: the chains of the Gibbs sampler; comments stand at the definitions */
#include "gibbs.h"
#include "keep_private.h"
#include "sites_private.h"
#include "../likelihood/augment_private.h"

enum { BLNI_GIBBS_MOVES = 16,            /* most slow weights of a chain                      */
       BLNI_GIBBS_TRIALS = 1000000 };    /* most auxiliary variables of a sweep with probit   */

/* Sums over a stretch of the warm-up, D + n numbers each, for D weights and n free coordinates x: of x - origin, of its square, and
 * of its product with the value one sweep before. origin is the first x, last the newest. */
typedef struct blni_gibbs_window { size_t count; double *origin, *last, *sum, *square, *product; } blni_gibbs_window;

typedef struct blni_gibbs_chain {
    blni_sites *sites;                   /* of each latent                                         */
    double     *evidence;                /* of each latent: log evidence of its sites, weights integrated out */
    uint64_t   seed;
    size_t     t;                        /* sweeps so far                                          */
    double    *w, *f;                    /* D weights; f with offset, a column of N rows for each latent: the mean of replicas */
    double    *v;                        /* laid out as f: its variance, d or that of the replicas; if `missing` */
    double    *h;                        /* h and precision of several latents, laid out as f each; else NULL */
    double    *prior_var, *eta, *theta;
    blni_sites_rows *rows;               /* of each latent: the chain's own if theta is drawn, else those of all chains */
    double    *room, *work;              /* a bound basis and workspace, if theta is drawn         */
    double    *u, *width;                /* n each: free coordinates of the hyper-parameters that are drawn; their slice widths */
    double    *trial, *column, *lp;      /* workspace: laid out as f; N; N                         */
    double    *around, *across, *z, *zeta, *near, *far;  /* workspace of ellipses and scales: D each; the last two laid out as f */
    double     value;                    /* log likelihood                                         */
    blni_gibbs_window window;
    size_t     moves, move[BLNI_GIBBS_MOVES];            /* number of slow weights, and which they are */
    double     reach[BLNI_GIBBS_MOVES];  /* slice width of each of these                           */
    size_t     turns, turned;            /* along ellipses: in a sweep, and in all so far          */
    double     cosine;                   /* of the angles of these, summed                         */
    int        scales;                   /* do prior variances also move with their weights?       */
    bln_status status;                   /* not BLN_OK: the last sweep failed                      */
} blni_gibbs_chain;

typedef struct blni_gibbs {
    blni_keep          keep;
    bln_glm_gibbs_desc own;
    blni_glm_fit      *f;
    size_t             J, D, n, priors;  /* latents; weights; hyper-parameters that are drawn; prior variances among these */
    size_t             theta_at;         /* index of the first of the n that belongs to the basis; n if none does */
    int                missing;          /* is the prior variance that features miss a part of the model? */
    double             share;            /* its alpha: 0, or one over the number of replicas       */
    const blni_augmentation *augmentation;
    double            *m, *s, *R;        /* D, D, D_j x D_j for each latent: the Gaussian of full, from which chains start */
    void              *block;            /* holds the arrays below                                 */
    size_t             bytes;
    size_t             N;                /* rows                                                   */
    size_t            *first;            /* J + 1: index of the first weight of each latent, then D */
    blni_glm_slice    *slice;            /* their first and end are counted from the latent's first weight */
    blni_sites_rows   *rows;             /* of each latent; latents with one basis share the features */
    double            *offset, *y, *weight, *trials, *noise_var, *constants;     /* N x J; N each; N for each constant */
    bln_targets        targets;
    blni_gibbs_chain  *chain;            /* one for each chain                                     */
    bln_chains        *all;              /* the table of all draws                                 */
} blni_gibbs;

/* gibbs_chain */
BLNI_PRIV void blni_gibbs_rows_carve(blni_arena *a, const blni_gibbs *t, blni_sites_rows *rows);
BLNI_PRIV void blni_gibbs_chain_carve(blni_arena *a, const blni_gibbs *t, blni_gibbs_chain *c);
BLNI_PRIV void blni_gibbs_ready(const blni_gibbs *t, blni_sites_rows *rows, size_t v);
BLNI_PRIV void blni_gibbs_begin(const blni_gibbs *t, size_t chain);
BLNI_PRIV void blni_gibbs_sweep(const blni_gibbs *t, blni_gibbs_chain *c);
BLNI_PRIV void blni_gibbs_draw(const blni_gibbs *t, const blni_gibbs_chain *c, double *row);

#endif /* BLN_GLM_GIBBS_PRIVATE_H */
