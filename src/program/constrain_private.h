#ifndef BLN_PROGRAM_CONSTRAIN_PRIVATE_H
#define BLN_PROGRAM_CONSTRAIN_PRIVATE_H
/* constrain_private: private declarations, for rooms that run programs; comments stand at the definitions */
#include "constrain.h"
#include "tape_private.h"

/* A parameter's domain and shape; lo and hi of those that have bounds. */
typedef struct blni_space { bln_constraint constraint; size_t rows, cols; double lo, hi; } blni_space;

BLNI_PRIV const char *blni_space_reason(const blni_space *s);
BLNI_PRIV size_t blni_space_size(const blni_space *s);
BLNI_PRIV size_t blni_space_free(const blni_space *s);
BLNI_PRIV double blni_space_forward(const blni_space *s, const double *z, double *x, double *work);
BLNI_PRIV int blni_space_back(const blni_space *s, const double *x, double *z, double *work);
BLNI_PRIV size_t blni_space_work(const blni_space *s);
BLNI_PRIV int blni_space_is_correlation(const blni_space *s);
BLNI_PRIV bln_var blni_constrain(bln_tape *t, const blni_space *s, bln_var z);

#endif /* BLN_PROGRAM_CONSTRAIN_PRIVATE_H */
