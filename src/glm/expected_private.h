#ifndef BLN_GLM_EXPECTED_PRIVATE_H
#define BLN_GLM_EXPECTED_PRIVATE_H
/* expected_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "rows_private.h"

typedef struct blni_glm_expected {
    blni_glm_rows *rows;                /* whose offsets, weights, targets and features these are              */
    size_t  K, nodes;
    double *mu, *v;                     /* K x block each: moments of f under the components, without offset   */
    double *em, *ev;                    /* K x block each: derivatives of E log p in them, times weight/K      */
    double *el, *et;                    /* room; n_eta x room: E log p of some rows, and in eta                */
    size_t  room;
    double  tolerance;                  /* of expectations, if no nodes are given; 0: that of expect         */
    double *z, *w;                      /* nodes and weights, if the rule is fixed                             */
    size_t  draws;                      /* of f for each row, in place of a rule; 0: none are taken            */
    void  (*collapsed)(const bln_likelihood *l, const double *eta, size_t n, const bln_targets *t, const double *weight,
                       const double *m, const double *v, double *ell, double *h, double *precision, double *deta, size_t ldeta);
                                        /* in place of expectations: a bound of these with its sites (augment.c); NULL: none */
    int     taylor;                     /* second order about mu in place of the expectation                   */
    int     drawn, misses;              /* is it they now? do features miss prior variance?                    */
    double *e, *share;                  /* draws x block standard normals; draws times 1/draws                 */
    bln_rng rng;
    double *d_missed;                   /* n_slices: d/d log lambda_s by what features miss                    */
    double *d_eta;                      /* of the rows so far                                                  */
} blni_glm_expected;

/* expected */
BLNI_PRIV void blni_glm_expected_carve(blni_arena *a, blni_glm_rows *rows, size_t K, size_t nodes, size_t draws,
                                       blni_glm_expected *e);
BLNI_PRIV void blni_glm_expected_clear(blni_glm_expected *e);
BLNI_PRIV void blni_glm_expected_add_missed(blni_glm_expected *e, const blni_glm_hyper *h, size_t n);
BLNI_PRIV void blni_glm_expected_pull_left(blni_glm_expected *e, const blni_glm_hyper *h, size_t n, int features);
BLNI_PRIV double blni_glm_expected_sum(blni_glm_expected *e, const blni_glm_hyper *h, size_t n, const bln_targets *t);


#endif /* BLN_GLM_EXPECTED_PRIVATE_H */
