#ifndef BLN_GLM_EXPECTED_PRIVATE_H
#define BLN_GLM_EXPECTED_PRIVATE_H
/* expected_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "rows_private.h"
#include "../likelihood/augment_private.h"

typedef struct blni_glm_expected {
    blni_glm_rows *rows;                /* supplies offsets, weights, targets and features                     */
    size_t  K, nodes;                   /* components, or the latents of several; nodes of a fixed rule, 0: by tolerance */
    double *mu, *v;                     /* K x block each: mean and variance of f; _sum adds offsets and what features miss */
    double *em, *ev;                    /* K x block each: slopes of the sum in mu and v, row weights included */
    double *el, *et;                    /* room; n_eta x room: E log p of some rows, and its slopes in eta     */
    size_t  room;                       /* rows of these two                                                   */
    double  tolerance;                  /* of expectations, where nodes is 0; 0: the default of expect         */
    double *z, *w;                      /* nodes each: the fixed rule                                          */
    size_t  draws;                      /* draws of f for each row in place of a rule; 0: none                 */
    const blni_augmentation *collapsed; /* whose bound takes the place of E log p; NULL: E log p itself        */
    int     taylor;                     /* does a second-order expansion about mu replace the expectation?     */
    int     drawn, misses;              /* does this pass use the draws? do features miss prior variance?      */
    double *e, *share;                  /* draws x block standard normals; draws: their weights, 1/draws each  */
    bln_rng rng;
    double *d_missed;                   /* n_slices: slope in log lambda_s through the variance that features miss */
    double *d_eta;                      /* n_eta: slope in eta of the rows so far                              */
} blni_glm_expected;

/* expected */
BLNI_PRIV void blni_glm_expected_carve(blni_arena *a, blni_glm_rows *rows, size_t K, size_t nodes, size_t draws,
                                       blni_glm_expected *e);
BLNI_PRIV void blni_glm_expected_clear(blni_glm_expected *e);
BLNI_PRIV void blni_glm_expected_add_missed(blni_glm_expected *e, const blni_glm_hyper *h, size_t n);
BLNI_PRIV void blni_glm_expected_pull_left(blni_glm_expected *e, const blni_glm_hyper *h, size_t n, int features);
BLNI_PRIV double blni_glm_expected_sum(blni_glm_expected *e, const blni_glm_hyper *h, size_t n, const bln_targets *t);


#endif /* BLN_GLM_EXPECTED_PRIVATE_H */
