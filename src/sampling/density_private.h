#ifndef BLN_SAMPLING_DENSITY_PRIVATE_H
#define BLN_SAMPLING_DENSITY_PRIVATE_H
/* density_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "density.h"
#include "../posterior/chains_private.h"
#include "../random/rng.h"

/* What >>advi asks of a density that is made of parts. */
typedef struct blni_density_parts {
    const unsigned char *scope, *point;        /* of each coordinate: number of its scope; is it a point?                  */
    size_t               n_terms;
    const double        *term;                 /* n_terms of the last evaluation: of the rows, and of each scope           */
    const double        *power;                /* n_terms - 1 of the scopes                                      (NULL: all 1) */
    size_t               n_rows;               /* of a process, in the mean of all: all take the same. 0: no minibatches    */
    int                  noisy;                /* has the model noise of its own, new with each draw of a stochastic step? */
    /* What eval adds up from now on: the minibatch of a step, of about `size` rows, or all rows if that is 0; and the noise of a
     * draw, 1, 2, ...; 0: that of evaluations outside of stochastic steps. */
    bln_status         (*batch)(void *user, size_t size, uint64_t step, uint64_t draw, bln_report *report);
} blni_density_parts;

/* density */
BLNI_PRIV bln_status blni_density_eval(const bln_density *d, void *user, const double *q, double *value, double *gradient,
                                       bln_report *report);
BLNI_PRIV bln_status blni_density_begin(const bln_density *d, const double *start, double radius, bln_rng *rng, double *q,
                                        double *gradient, bln_report *report);
BLNI_PRIV size_t blni_density_table_size(const bln_density *d, const char *const *own, size_t n_own, size_t chains, size_t draws);
BLNI_PRIV bln_status blni_density_table(const bln_density *d, const char *const *own, size_t n_own, const bln_allocator *alloc,
                                        size_t chains, size_t draws, bln_chains **out, bln_report *report);
BLNI_PRIV double *blni_density_keep(const bln_density *d, void *user, const double *q, uint64_t seed, bln_chains *chains, size_t c,
                                    size_t i);

#endif /* BLN_SAMPLING_DENSITY_PRIVATE_H */
