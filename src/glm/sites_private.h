#ifndef BLN_GLM_SITES_PRIVATE_H
#define BLN_GLM_SITES_PRIVATE_H
/* sites_private: the Gaussian of the weights where each row is a Gaussian factor of its f; comments stand at the definitions */
#include "layout_private.h"
#include "../core/memory_private.h"
#include "../random/rng.h"

/* Rows at one theta, which several blni_sites may share: their features, and the slices of weights. */
typedef struct blni_sites_rows {
    size_t n, D, n_slices;
    const blni_glm_slice *slice;
    int     dual;              /* are there fewer rows than weights?                                          */
    int     moving;            /* will prior variances of slices change often, so that K pays?                */
    double *Phi;               /* n x D                                                                       */
    double *K;                 /* dual and moving: Phi_s Phi_s', n x n, of each slice; else NULL              */
    int     missing;           /* is there variance of f that Phi w does not have?                            */
    double *missed;            /* if missing: n for each slice, of a prior variance of 1; else NULL           */
    double  share;             /* alpha of that variance: 0, or 1/m for m replicas of f                       */
} blni_sites_rows;

/* exp(h_n phi_n'w - precision_n (phi_n'w)^2/2) of each row n, times N(w | 0, Lambda). With share > 0 these are what is left of the
 * sites of f once it is integrated out. */
typedef struct blni_sites {
    const blni_sites_rows *of;
    size_t  size;              /* of the square matrices: D; dual: n                                          */
    double *h, *precision;     /* n each                                                                      */
    double *site_h, *site_precision;  /* the sites of f, which the caller writes before _gather; share 0: the arrays h, precision */
    double *d;                 /* n: prior variance of f that w does not determine; NULL: none                */
    double *root;              /* D: diagonal of S, sqrt Lambda                                               */
    double *G, *b;             /* Phi' Theta Phi, upper triangle, and Phi'h; dual: Q = Phi Lambda Phi', g - s Qk */
    double *B, *a;             /* the factor U, and U^-T S b; dual: U^-T b                                    */
    double *rows;              /* workspace: a block of scaled rows of Phi                                    */
    double *u, *t;             /* workspace: D, n                                                             */
} blni_sites;

/* sites */
BLNI_PRIV void blni_sites_rows_carve(blni_arena *a, size_t n, size_t D, size_t n_slices, int moving, int missing, double share,
                                     blni_sites_rows *r);
BLNI_PRIV void blni_sites_rows_ready(blni_sites_rows *r);
BLNI_PRIV void blni_sites_carve(blni_arena *a, const blni_sites_rows *of, blni_sites *s);
BLNI_PRIV void blni_sites_prior(blni_sites *s, const double *prior_var);
BLNI_PRIV void blni_sites_gather(blni_sites *s);
BLNI_PRIV double blni_sites_evidence(blni_sites *s);
BLNI_PRIV void blni_sites_weights(blni_sites *s, bln_rng *rng, double *w);

#endif /* BLN_GLM_SITES_PRIVATE_H */
