#ifndef BLN_SAMPLING_DENSITY_H
#define BLN_SAMPLING_DENSITY_H
#include "../core/memory.h"
#include "../core/status.h"
/* >>density - a log density on R^D with its gradient: what samplers take
 *
 * A value and a gradient are enough: fill in `dim`, `eval` and `user`, and zero the rest. Parameters with bounds are sampled in
 * free coordinates q, such as q = log tau for tau > 0. The log density then includes log |d tau/d q| (here q), and `output`
 * computes from q the numbers to keep. */
enum { BLN_SCOPES = 8 };          /* numbered parts of a density, which a program can have: bln_scope of >>tape */

struct blni_density_parts;
typedef struct bln_density {
    size_t dim;                    /* D                                                                         (required, >= 1)  */
    /* *value <- log p(q) up to a constant; gradient[dim] <- its gradient, if not NULL. q is finite. The same q must always give the
     * same value. NaN, -infinity, BLN_EDOMAIN, BLN_ENOTPD and BLN_ENUMERIC mean that the density is 0 at q, which is no failure.
     * Any other status ends the run and is passed on.                                                          (required)        */
    bln_status (*eval)(void *user, const double *q, double *value, double *gradient, bln_report *report);
    void      *user;
    int        parallel;           /* eval and output may be called in several threads at once with this user  (0: they may not)  */
    /* Makes *out, a copy of `user` for one more chain, so that chains can run side by side although `parallel` is 0. release frees
     * it.                                                                                          (NULL: chains take turns)     */
    bln_status (*clone)(void *user, const bln_allocator *alloc, void **out);
    void       (*release)(void *user);
    size_t     n_out;              /* how many numbers to keep of each draw                                     (0: q itself)     */
    /* out[n_out] <- the numbers to keep of the draw q; >>approximation also calls it where the density is 0. Random numbers must
     * be made from (seed, draw); draw i of chain c has draw = c 2^32 + i.                          (required if n_out > 0)       */
    void     (*output)(void *user, const double *q, uint64_t seed, uint64_t draw, double *out);
    /* text <- the name of number k of a draw, such as "theta[3]", in at most size - 1 bytes.       (NULL: "q[1]", "q[2]", ...)   */
    void     (*name)(void *user, size_t k, char *text, size_t size);
    const struct blni_density_parts *parts;    /* of >>program: rows in minibatches, scopes, points            (NULL: none)      */
} bln_density;

/* NULL, or the reason why the density cannot be used. */
BLN_API const char *bln_density_reason(const bln_density *density);

/* Compares the gradient with differences of the value, at q (dim numbers; NULL: zeros) and at two random points, each coordinate of
 * which differs from q by at most 1. Run this first: with a wrong gradient a sampler is slow, and gives no other sign of it.
 *
 * The differences are central, of fourth order, with steps of 1e-3 and 1e-4 times 1 + |q_k|; the one nearer to the gradient counts.
 * *worst (may be NULL) is the largest |gradient_k - difference|/(1 + |gradient_k|), about 1e-9 if all is right. The values with and
 * without a gradient, and of two calls, are compared too. The random points are skipped where the density is 0.
 * BLN_EINVAL: NULL, bln_density_reason refuses the density, or q is not finite.  BLN_EDOMAIN: gradient_k and difference differ by
 * more than 1e-4 and the rounding of the value (the report's column is k, its text has both numbers), or values do not repeat.
 * BLN_ENUMERIC: the density is 0 or NaN at q, or its gradient is not finite.  BLN_ENOMEM.  Any other status of eval.
 * Cost: 3 (8 dim + 3) evaluations. */
BLN_API bln_status bln_density_check(const bln_density *density, const double *q, double *worst, bln_report *report);

#endif /* BLN_SAMPLING_DENSITY_H */
