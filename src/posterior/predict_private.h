#ifndef BLN_POSTERIOR_PREDICT_PRIVATE_H
#define BLN_POSTERIOR_PREDICT_PRIVATE_H
/* predict_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "predict.h"
#include "../core/memory_private.h"

typedef struct blni_predict_pieces { double *Phi, *project, *basis, *room; } blni_predict_pieces;

/* predict */
BLNI_PRIV blni_predict_pieces blni_predict_carve(blni_arena *a, const bln_basis *basis, const bln_gaussian *g, size_t block);
BLNI_PRIV void blni_left_out_add(const bln_basis *b, const bln_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *var);
BLNI_PRIV int blni_leaves_out(const bln_basis *b, const bln_gaussian *g);
BLNI_PRIV void blni_left_out_covariance(const bln_basis *b, const double *theta, const bln_gaussian *g, size_t n, const double *X,
                                        size_t ldx, const double *Phi, size_t ldphi, double *R, size_t ldr, double *line,
                                        double *diag, double *work);

#endif /* BLN_POSTERIOR_PREDICT_PRIVATE_H */
