#ifndef BLN_GLM_FULL_DIFFERENCES_PRIVATE_H
#define BLN_GLM_FULL_DIFFERENCES_PRIVATE_H
/* full_differences_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "mode_private.h"

typedef struct blni_differences {
    size_t  J, D;                       /* latents (0: this bound is not in use); weights of each       */
    double *B, *C, *N;                  /* J x D x D each, upper triangles: C_j^-1, C_j and N_j^-1      */
    double *P, *X, *Y;                  /* D x D each: sum_j C_j^-1, and workspace                      */
    double  rate;                       /* sum_j tr dL/dC_j (step of C_j) at the last bound             */
} blni_differences;

/* full_differences */
BLNI_PRIV void blni_differences_carve(blni_arena *a, size_t J, size_t D, blni_differences *z);
BLNI_PRIV void blni_differences_product(size_t D, const double *A, double sign, const double *x, double *y);
BLNI_PRIV double blni_differences_bound(blni_differences *z, const blni_mode *e, const double *m, double *T, double *t);

#endif /* BLN_GLM_FULL_DIFFERENCES_PRIVATE_H */
