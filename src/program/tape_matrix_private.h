#ifndef BLN_PROGRAM_TAPE_MATRIX_PRIVATE_H
#define BLN_PROGRAM_TAPE_MATRIX_PRIVATE_H
/* tape_matrix_private: private declarations, for the rooms of this floor; comments stand at the definitions */
#include "tape_matrix.h"
#include "tape_private.h"

BLNI_PRIV void blni_matrix_misfit(bln_tape *t, const char *call, const char *a, bln_var A, const char *b, bln_var B);
BLNI_PRIV bln_var blni_matrix_of(bln_tape *t, uint32_t at, size_t rows, size_t cols);
BLNI_PRIV double *blni_matrix_adjoint(bln_tape *t, const blni_cell *c, size_t i);
BLNI_PRIV int blni_matrix_square(bln_tape *t, const char *call, const char *name, bln_var A);
BLNI_PRIV int blni_matrix_factor(bln_tape *t, const char *call, size_t n, const double *A, double *U, int constant);

#endif /* BLN_PROGRAM_TAPE_MATRIX_PRIVATE_H */
