#ifndef BLN_SAMPLING_PATHFINDER_PRIVATE_H
#define BLN_SAMPLING_PATHFINDER_PRIVATE_H
/* pathfinder_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "pathfinder.h"
#include "approximation_private.h"
#include "../optim/lbfgs_private.h"

/* N(mean, F F'), F = diag(root) (I + Q (U' - I) Q'). */
typedef struct blni_path {
    size_t  D, k;                       /* k: columns of Q                        */
    double *mean, *root, *Q, *U;        /* D, D, D x k orthonormal, k x k upper   */
    double  half_logdet, elbo;
} blni_path;

typedef struct blni_pathfinder_work {
    double *alpha, *S, *Z;              /* D; memory x D each, the newest pair in the last row that is used   */
    double *x, *g, *v, *u;              /* D each: point, gradient of -log p; workspace                       */
    double *known, *slope, lp;          /* D each: where log p was last asked for, its gradient; log p there  */
    double *beta, *tau, *qr;            /* D x 2m, 2m, workspace of the QR                                    */
    double *R, *K, *gamma, *W, *B;      /* m x m, m x m, 2m x 2m three times                                  */
    double *y, *t;                      /* 2m each                                                            */
    size_t  m;                          /* pairs                                                              */
} blni_pathfinder_work;

struct bln_pathfinder {
    bln_pathfinder_desc  desc;          /* with the defaults                                                  */
    void                *block;         /* holds this struct and what it points to                            */
    size_t               bytes;
    blni_pathfinder_work w;
    blni_path           *path, now;     /* the best of each path                                              */
    size_t              *kept;          /* chain c is path kept[c]                                            */
    double              *path_elbo, *scale, *variance, *starts, *weigh;
    blni_lbfgs          *lbfgs;
    bln_chains          *chains;
    bln_approximation    result;
};

/* pathfinder */
BLNI_PRIV int blni_path_covariance(blni_pathfinder_work *w, blni_path *p);
BLNI_PRIV void blni_path_place(const blni_pathfinder_work *w, const blni_path *p, const double *u, double *z);

#endif /* BLN_SAMPLING_PATHFINDER_PRIVATE_H */
