#ifndef BLN_SAMPLING_DENSITY_PRIVATE_H
#define BLN_SAMPLING_DENSITY_PRIVATE_H
/* density_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "density.h"
#include "../posterior/chains_private.h"
#include "../random/rng.h"

/* What >>advi uses of a density that is a sum of parts, as a program's is. */
typedef struct blni_density_parts {
    const unsigned char *scope, *point;        /* of each coordinate: the number of its scope; is it a point?              */
    size_t               n_terms;              /* the term of the rows, and one for each scope                             */
    const double        *term;                 /* n_terms: their values in the last evaluation                             */
    const double        *power;                /* n_terms - 1: powers of the scopes                          (NULL: all 1) */
    size_t               n_rows;               /* of a process: the mean of all processes. 0: there are no minibatches     */
    int                  noisy;                /* has the model noise of its own, new in each draw of a stochastic step?   */
    /* Sets which rows eval sums from now on: the minibatch of a step, of about `size` rows, or all rows if size is 0; and which
     * noise it uses: that of draw 1, 2, ... of the step, or, with draw 0, that of evaluations outside of stochastic steps. */
    bln_status         (*batch)(void *user, size_t size, uint64_t step, uint64_t draw, bln_report *report);
} blni_density_parts;

/* density */
BLNI_PRIV bln_rng blni_density_rng(uint64_t seed, unsigned kind, size_t c, size_t i);
BLNI_PRIV int blni_density_impossible(bln_status status);
BLNI_PRIV bln_status blni_density_eval(const bln_density *d, void *user, const double *q, double *value, double *gradient,
                                       bln_report *report);
BLNI_PRIV bln_status blni_density_refuse(bln_report *report, const char *what);
BLNI_PRIV bln_status blni_density_begin(const bln_density *d, const double *start, double radius, bln_rng *rng, double *q,
                                        double *gradient, bln_report *report);
BLNI_PRIV size_t blni_density_table_size(const bln_density *d, const char *const *own, size_t n_own, size_t chains, size_t draws);
BLNI_PRIV bln_status blni_density_table(const bln_density *d, const char *const *own, size_t n_own, const bln_allocator *alloc,
                                        size_t chains, size_t draws, bln_chains **out, bln_report *report);
BLNI_PRIV double *blni_density_keep(const bln_density *d, void *user, const double *q, uint64_t seed, bln_chains *chains, size_t c,
                                    size_t i);

#endif /* BLN_SAMPLING_DENSITY_PRIVATE_H */
