#ifndef BLN_SAMPLING_DENSITY_H
#define BLN_SAMPLING_DENSITY_H
#include "../core/memory.h"
#include "../core/status.h"
/* >>density - a log density on R^D with its gradient: what samplers take
 *
 * A value and a gradient are enough: fill in `dim`, `eval` and `user`, and zero the rest. Parameters with bounds are sampled in
 * free coordinates q, such as q = log tau for tau > 0; then log |d tau/d q| (here q) belongs to the log density, and `output` turns
 * q into what is to be kept. */
struct blni_density_parts;
typedef struct bln_density {
    size_t dim;                    /* D                                                                         (required, >= 1)  */
    /* *value <- log p(q) up to a constant; gradient[dim] too, if it is not NULL. q is finite. Called again with the same q it must
     * give the same value. NaN or -infinity: q is impossible, which is no failure; BLN_EDOMAIN, BLN_ENOTPD and BLN_ENUMERIC say the
     * same. Any other status ends the run and is passed on.                                                    (required)        */
    bln_status (*eval)(void *user, const double *q, double *value, double *gradient, bln_report *report);
    void      *user;
    int        parallel;           /* eval and output may be called in several threads at once with this user  (0: they may not)  */
    /* Makes *out, a `user` of its own for one more chain, so that chains can run side by side where `parallel` is 0. release gives
     * it back.                                                                                     (NULL: chains take turns)     */
    bln_status (*clone)(void *user, const bln_allocator *alloc, void **out);
    void       (*release)(void *user);
    size_t     n_out;              /* numbers that are kept of a draw                                           (0: q itself)     */
    /* out[n_out] from q; >>approximation asks also where the density is 0. What is random in it must come from (seed, draw): chain
     * c has draws c 2^32, c 2^32 + 1, ...
     *                                                                                              (required if n_out > 0)       */
    void     (*output)(void *user, const double *q, uint64_t seed, uint64_t draw, double *out);
    /* text <- the name of number k of a draw, such as "theta[3]"; at most size - 1 bytes.          (NULL: "q[1]", "q[2]", ...)   */
    void     (*name)(void *user, size_t k, char *text, size_t size);
    const struct blni_density_parts *parts;    /* of >>program: rows in minibatches, scopes, points            (NULL: none)      */
} bln_density;

/* NULL, or why it cannot be used. */
BLN_API const char *bln_density_reason(const bln_density *density);

/* Compares the gradient with differences of the value, at q (dim numbers; NULL: zeros) and at two points around it, each coordinate
 * of which is up to 1 away. Run this before anything else: a sampler with a wrong gradient is slow, and says so only by that.
 *
 * Central differences of fourth order with the steps 1e-3 and 1e-4 times 1 + |q_k|; the better of the two counts. *worst (may be
 * NULL) is the largest |gradient_k - difference| over 1 + |gradient_k|; some 1e-9 where all is right. Also compared: the value with
 * a gradient and without, and of two calls. Points around q where the density is 0 are passed over.
 * BLN_EINVAL: NULL, or what bln_density_reason says; q is not finite.  BLN_EDOMAIN: they differ by more than 1e-4 and what rounding
 * of the value explains, or values do not repeat: the report's column is k, its text has both numbers.  BLN_ENUMERIC: the density
 * is 0 or NaN at q, or its gradient is not finite.  BLN_ENOMEM.  What eval returned.   3 (16 dim + 3) evaluations */
BLN_API bln_status bln_density_check(const bln_density *density, const double *q, double *worst, bln_report *report);

#endif /* BLN_SAMPLING_DENSITY_H */
