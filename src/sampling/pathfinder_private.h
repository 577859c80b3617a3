#ifndef BLN_SAMPLING_PATHFINDER_PRIVATE_H
#define BLN_SAMPLING_PATHFINDER_PRIVATE_H
/* pathfinder_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "pathfinder.h"
#include "approximation_private.h"
#include "../optim/lbfgs_private.h"

/* The Gaussian N(mean, F F'), F = diag(root) (I + Q (U' - I) Q'). */
typedef struct blni_path {
    size_t  D, k;                       /* k: columns of Q                        */
    double *mean, *root, *Q, *U;        /* D, D, D x k orthonormal, k x k upper   */
    double  half_logdet, elbo;
} blni_path;

typedef struct blni_pathfinder_work {
    double *alpha, *S, *Z;              /* D; memory x D each: the pairs s and z, the newest in row m - 1     */
    double *x, *g, *v, *u;              /* D each: point, gradient of -log p; workspace                       */
    double *known, *slope, lp;          /* D each: where log p was last computed, its gradient; its value     */
    double *beta, *tau, *qr;            /* D x 2m and 2m: b and its QR factorisation; workspace of the QR     */
    double *R, *K, *gamma, *W, *B;      /* m x m twice, 2m x 2m three times: the matrices of pathfinder.c     */
    double *y, *t;                      /* 2m each: workspace                                                 */
    size_t  m;                          /* pairs that are kept                                                */
} blni_pathfinder_work;

struct bln_pathfinder {
    bln_pathfinder_desc  desc;          /* with the defaults                                                  */
    void                *block;         /* holds this struct and what it points to                            */
    size_t               bytes;
    blni_pathfinder_work w;
    blni_path           *path, now;     /* the best Gaussian of each path; the one at the present point       */
    size_t              *kept;          /* chain c has the draws of path kept[c]                              */
    double              *path_elbo, *scale, *variance, *starts, *weigh;
    blni_lbfgs          *lbfgs;
    bln_chains          *chains;
    bln_approximation    result;
};

/* pathfinder */
BLNI_PRIV int blni_path_covariance(blni_pathfinder_work *w, blni_path *p);
BLNI_PRIV void blni_path_place(const blni_pathfinder_work *w, const blni_path *p, const double *u, double *z);

#endif /* BLN_SAMPLING_PATHFINDER_PRIVATE_H */
