#ifndef BLN_SAMPLING_DENSITY_PRIVATE_H
#define BLN_SAMPLING_DENSITY_PRIVATE_H
/* density_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "density.h"
#include "../posterior/chains_private.h"
#include "../random/rng.h"

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
