#ifndef BLN_PROGRAM_TAPE_H
#define BLN_PROGRAM_TAPE_H
#include "../core/status.h"
/* >>tape - values that remember how they were computed: what a model function computes with
 *
 * A model (>>program) is a C function that gets its parameters as handles, computes with them by bln_v_x(tape, ...), and adds log
 * densities to the target by bln_lp_x(tape, ...). The tape keeps each value and how it arose; one sweep backwards over it gives the
 * gradient of the target with respect to all parameters, at a few times the cost of the value. Loops, conditions and calls are
 * those of C; where they depend on values, the derivative is that of the branch taken.
 *
 * A handle is a scalar, an array (a vector of n numbers) or a matrix (row-major). It is 8 bytes, to be copied freely, and holds
 * until the evaluation ends. A constant (bln_c_x) has no derivative. What is computed from constants alone is a constant.
 *
 * Errors stick: after the first one nothing more is computed, every call returns a handle of no use, and the evaluation ends with
 * the status of the first and a sentence such as "bln_lp_normal (call 5): x has 8 elements, mu has 7". No call needs to be checked.
 * */
typedef struct bln_tape bln_tape;
typedef struct bln_var { uint32_t at, n; } bln_var;              /* opaque */

/* Constants: a number; n numbers; a matrix without gaps, rows x cols. The numbers are not copied, and must stay as they are until
 * the evaluation ends.
 * BLN_EINVAL: NULL. BLN_EDATA: NaN or infinity (looked for when the program is created; row and column in the report). */
BLN_API bln_var bln_c_num(bln_tape *t, double x);
BLN_API bln_var bln_c_vec(bln_tape *t, const double *x, size_t n);
BLN_API bln_var bln_c_mat(bln_tape *t, const double *X, size_t rows, size_t cols);

/* How many numbers; the value of a scalar, or the first of an array (NaN: there is none); all of them, which may move with the next
 * call (NULL: no such handle). */
BLN_API size_t        bln_v_size(bln_tape *t, bln_var x);
BLN_API double        bln_v_value(bln_tape *t, bln_var x);
BLN_API const double *bln_v_values(bln_tape *t, bln_var x);

/* Marks the end of the prior: terms added to the target before this call are log p(parameters), those after it are terms of the
 * rows of data, log p(y | parameters), which leave-one-out scores use. */
BLN_API void bln_data_term(bln_tape *t);

#endif /* BLN_PROGRAM_TAPE_H */
