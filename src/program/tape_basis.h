#ifndef BLN_PROGRAM_TAPE_BASIS_H
#define BLN_PROGRAM_TAPE_BASIS_H
#include "tape.h"
#include "../basis/basis.h"
/* >>tape_basis - functions of a basis of the library, or of your own, in a program */

/* Phi(X; theta) W, n x m: one function for each column of W at each row of X. X: n x d; theta: the n_theta parameters of the basis
 * as they are in the model, bln_c_vec(t, NULL, 0) for none; W: D x m, or D numbers for one function. All three may be variables;
 * slopes in X, as of a basis on top of another, need a basis that has them (all of the library do). The basis must stay until the
 * evaluation ends. Features are made in blocks of 64 rows, for the value and once more for the slopes: the tape keeps n m numbers
 * and the room of a block. O(n D m) and twice the features.
 * BLN_ESHAPE: sizes.  BLN_EDOMAIN: theta is outside of its domain, or a variable X not finite: the point is impossible.
 * BLN_EINVAL: NULL, a basis that is not usable, or that has no slopes in theta or X where these are variables. */
BLN_API bln_var bln_v_basis(bln_tape *t, const bln_basis *basis, bln_var theta, bln_var X, bln_var W);

#endif /* BLN_PROGRAM_TAPE_BASIS_H */
