#ifndef BLN_PROGRAM_TAPE_ARRAY_PRIVATE_H
#define BLN_PROGRAM_TAPE_ARRAY_PRIVATE_H
/* tape_array_private: private declarations, for the rooms of this floor; comments stand at the definitions */
#include "tape_array.h"
#include "tape_private.h"

BLNI_PRIV double blni_tape_sum(size_t n, const double *x);
BLNI_PRIV void blni_tape_pull(size_t n, double scale, const double *g, const double *f, size_t step, double *to, size_t to_step);
BLNI_PRIV void blni_elements_reverse(bln_tape *t, const blni_cell *c);
BLNI_PRIV void blni_sum_reverse(bln_tape *t, const blni_cell *c);
BLNI_PRIV bln_var blni_like(bln_tape *t, uint32_t at, size_t k, const bln_var *in);

#endif /* BLN_PROGRAM_TAPE_ARRAY_PRIVATE_H */
