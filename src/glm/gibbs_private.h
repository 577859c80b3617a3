#ifndef BLN_GLM_GIBBS_PRIVATE_H
#define BLN_GLM_GIBBS_PRIVATE_H
/* gibbs_private: the chains of the Gibbs sampler; comments stand at the definitions */
#include "gibbs.h"
#include "keep_private.h"
#include "sites_private.h"
#include "../likelihood/augment_private.h"

enum { BLNI_GIBBS_MOVES = 16,            /* slow weights of a chain, at most                  */
       BLNI_GIBBS_TRIALS = 1000000 };    /* auxiliary numbers of a sweep by probit, at most   */

/* What is learnt of D weights and n free coordinates in a stretch of the warm-up: sums of x - origin, its squares, and its products
 * with the one before. */
typedef struct blni_gibbs_window { size_t count; double *origin, *last, *sum, *square, *product; } blni_gibbs_window;

typedef struct blni_gibbs_chain {
    blni_sites *sites;                   /* of each latent                                         */
    double     *evidence;                /* of each latent: the log worth of its sites             */
    uint64_t   seed;
    size_t     t;                        /* sweeps so far                                          */
    double    *w, *f;                    /* D; rows x latents, as all of f that follows            */
    double    *h;                        /* 2 x rows x latents: sites of several latents           */
    double    *prior_var, *eta, *theta;
    blni_sites_rows *rows;               /* of each latent: the chain's own, if theta is drawn              */
    double    *room, *work;              /* to make features                                       */
    double    *u, *width;                /* n each: free coordinates of what is drawn of these     */
    double    *trial, *column, *lp;      /* of f; rows each: room                                  */
    double     value;                    /* log likelihood                                         */
    blni_gibbs_window window;
    size_t     moves, move[BLNI_GIBBS_MOVES];            /* the slow weights                       */
    double     reach[BLNI_GIBBS_MOVES];
    bln_status status;
} blni_gibbs_chain;

typedef struct blni_gibbs {
    blni_keep          keep;
    bln_glm_gibbs_desc own;
    blni_glm_fit      *f;
    size_t             J, D, n, priors;  /* latents; weights; coordinates that are drawn; prior variances among these */
    size_t             theta_at;         /* the first of these that is of the basis, or n                             */
    const blni_augmentation *augmentation;
    double            *m, *s, *R;        /* D, D, D x D for each latent: the Gaussian of full      */
    void              *block;            /* of what follows                                        */
    size_t             bytes;
    size_t             N;                /* rows                                                   */
    size_t            *first;            /* weights before those of each latent, and all           */
    blni_glm_slice    *slice;            /* whose weights are counted from the latent's first      */
    blni_sites_rows   *rows;             /* of each latent, which may share their features         */
    double            *offset, *y, *weight, *trials, *noise_var, *constants;     /* of each row     */
    bln_targets        targets;
    blni_gibbs_chain  *chain;
    bln_chains        *all;
} blni_gibbs;

/* gibbs_chain */
BLNI_PRIV void blni_gibbs_rows_carve(blni_arena *a, const blni_gibbs *t, blni_sites_rows *rows);
BLNI_PRIV void blni_gibbs_chain_carve(blni_arena *a, const blni_gibbs *t, blni_gibbs_chain *c);
BLNI_PRIV void blni_gibbs_begin(const blni_gibbs *t, size_t chain);
BLNI_PRIV void blni_gibbs_sweep(const blni_gibbs *t, blni_gibbs_chain *c);
BLNI_PRIV void blni_gibbs_draw(const blni_gibbs *t, const blni_gibbs_chain *c, double *row);

#endif /* BLN_GLM_GIBBS_PRIVATE_H */
