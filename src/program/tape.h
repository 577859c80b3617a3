#ifndef BLN_PROGRAM_TAPE_H
#define BLN_PROGRAM_TAPE_H
#include "../core/data.h"
/* >>tape - values that remember how they were computed, for model functions
 *
 * A model (>>program) is a C function that gets its parameters as handles, computes with them by bln_v_x(tape, ...), and adds log
 * densities to the target by bln_lp_x(tape, ...). The tape keeps each value and how it arose; one sweep backwards over it gives the
 * gradient of the target with respect to all parameters, at a few times the cost of the value. Loops, conditions and calls are
 * those of C; where they depend on values, the derivative is that of the branch taken.
 *
 * A handle is a scalar, an array (a vector of n numbers) or a matrix (row-major). It is 8 bytes, to be copied freely, and holds
 * until the evaluation ends. A constant (bln_c_x) has no derivative. What is computed from constants alone is a constant.
 *
 * The first error is kept: after it nothing more is computed, calls return handles of no use, and the evaluation ends with its
 * status and a sentence such as "bln_lp_normal (call 5): x has 8 elements, mu has 7". No call needs to be checked. */
typedef struct bln_tape bln_tape;
typedef struct bln_var { uint32_t at, n; } bln_var;              /* opaque */

/* Constants: a number; n numbers; a matrix without gaps, rows x cols. The numbers are not copied, and must stay as they are until
 * the evaluation ends, when the model has long returned: those of a local array do not, those of a static one or of `user` do.
 * BLN_EINVAL: NULL. BLN_EDATA: NaN or infinity (looked for when the program is created; row and column in the report). */
BLN_API bln_var bln_c_num(bln_tape *t, double x);
BLN_API bln_var bln_c_vec(bln_tape *t, const double *x, size_t n);
BLN_API bln_var bln_c_mat(bln_tape *t, const double *X, size_t rows, size_t cols);

/* The number of elements; the value of a scalar, or the first of an array (NaN: there is none); all values, which may move with the
 * next call (NULL: no such handle). */
BLN_API size_t        bln_v_size(bln_tape *t, bln_var x);
BLN_API double        bln_v_value(bln_tape *t, bln_var x);
BLN_API const double *bln_v_values(bln_tape *t, bln_var x);

/* Marks the end of the prior: terms added to the target before this call are log p(parameters), those after it are terms of the
 * rows of data, log p(y | parameters), which leave-one-out scores use. */
BLN_API void bln_data_term(bln_tape *t);

/* Scopes are numbered parts of a model, such as its modules: the target is P + C_1 + ... + C_8, P the terms of the rows.
 * bln_scope(t, m): what is added from here on goes to C_m; before any call, to C_1. The log-Jacobian of a parameter goes to its
 * scope (>>program). In minibatches a scope entered after bln_data_term is multiplied as P is: its terms belong to rows, such as
 * -KL(q(z_i) || p(z_i)) of local variables z_i. bln_data_term goes back to P. The power of a scope (>>program) multiplies all its
 * terms; >>approximation reports each scope.                                                                     [programs 32]
 * BLN_EINVAL: m is not 1 to BLN_SCOPES; terms before bln_data_term and after it in one scope. Of bln_program_create: C_m depends
 * on parameters of scopes after m, and would not be about those of m given what comes before. */
BLN_API void bln_scope(bln_tape *t, size_t m);

/* The rows of this evaluation, without gaps: all of the program's `data`, or a block of its `source`, or a minibatch. Valid until
 * the evaluation ends. NULL: the program has none. */
BLN_API const bln_data *bln_batch(bln_tape *t);

/* rows x cols standard normals, a constant: the noise of local variables, z = mean + sd e (Kingma & Welling 2014). New ones in each
 * draw of bln_advi's STOCHASTIC steps; everywhere else an evaluation gets the same ones each time, so that it stays a function.
 * Several processes draw different ones, as long as the rows of their data or sources differ.                      [programs 26]
 * BLN_ESHAPE: none. */
BLN_API bln_var bln_c_noise(bln_tape *t, size_t rows, size_t cols);

#endif /* BLN_PROGRAM_TAPE_H */
