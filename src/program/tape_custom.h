#ifndef BLN_PROGRAM_TAPE_CUSTOM_H
#define BLN_PROGRAM_TAPE_CUSTOM_H
#include "../likelihood/likelihood.h"
#include "tape.h"
/* >>tape_custom - nodes of your own, likelihoods of the library, and sums over rows that do not fill the memory */

/* A function with its derivative: a solver of differential equations, a kernel. in[j]: the numbers of input j; aux: n_aux doubles
 * that forward writes and pullback reads. pullback adds to in_bar[j], unless that is NULL (a constant), the sum over i of
 * out_bar[i] d out[i]/d in[j]. Where forward cannot compute, it writes NaN. bln_density_check finds a wrong pullback. */
typedef struct bln_custom_node {
    const char *name;                                                          /* for errors     (NULL: "bln_v_custom") */
    void (*forward)(void *user, const double *const *in, double *out, double *aux);                            /* (required) */
    void (*pullback)(void *user, const double *const *in, const double *out, const double *aux, const double *out_bar,
                     double *const *in_bar);                                                                   /* (required) */
    size_t n_aux;                                                              /*                                     (0: 0) */
} bln_custom_node;
enum { BLN_CUSTOM_INPUTS = 16 };

/* Returns f's n_out numbers as a vector. The table must stay until the evaluation ends; its functions may not use the tape.
 * BLN_EINVAL: NULL, more than BLN_CUSTOM_INPUTS inputs. */
BLN_API bln_var bln_v_custom(bln_tape *t, const bln_custom_node *f, const bln_var *in, size_t n_in, size_t n_out, void *user);

/* Adds sum_i log p(y_i | f_i; theta) of a likelihood of one latent, built in or your own (>>likelihood). theta: its n_theta
 * parameters as they are in the model (the Gaussian's is a variance); bln_c_vec(t, NULL, 0) for none. y: as many targets as f has
 * elements; what it points to must stay.   BLN_ESHAPE: sizes; several latents.  BLN_EDOMAIN, BLN_EDATA: y is outside its domain
 * (checked when the program is created).  BLN_EINVAL: NULL. */
BLN_API void bln_lp_likelihood(bln_tape *t, const bln_likelihood *l, bln_var theta, const bln_targets *y, bln_var f);

/* Adds, for each i < n, what row(t, i, in, user) adds to the target. A row is recorded, swept and dropped before the next one, so
 * that the tape takes the memory of one row. All handles that a row uses must come from `in` or be made in it, constants too. For
 * bln_program_pointwise it is one row of the data, however many terms it adds.
 * BLN_EINVAL: NULL, more than BLN_CUSTOM_INPUTS inputs, a row that calls bln_data_term, or uses other handles where that can be
 * seen when the program is created (not in a branch that is not taken there).  A status that row returns. */
typedef bln_status (*bln_program_row)(bln_tape *t, size_t i, const bln_var *in, void *user);
BLN_API void bln_lp_rows(bln_tape *t, size_t n, bln_program_row row, const bln_var *in, size_t n_in, void *user);

#endif /* BLN_PROGRAM_TAPE_CUSTOM_H */
