#ifndef BLN_SAMPLING_APPROXIMATION_PRIVATE_H
#define BLN_SAMPLING_APPROXIMATION_PRIVATE_H
/* approximation_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "approximation.h"
#include "density_private.h"
#include "../core/memory_private.h"

enum { BLNI_APPROX_COLUMNS = 3, BLNI_APPROX_STARTS = 16, BLNI_APPROX_WORK = 4 };

/* The kinds of their streams (blni_density_rng). Samplers and `output` use streams of kinds up to 5. */
typedef enum blni_approx_stream {
    BLNI_APPROX_BEGIN = 10, BLNI_APPROX_NOISE, BLNI_APPROX_STEP, BLNI_APPROX_FRESH, BLNI_APPROX_DRAW, BLNI_APPROX_PICK
} blni_approx_stream;

/* q <- draw i of chain c, *log_q <- its log density. */
typedef void (*blni_approx_draw)(void *self, size_t c, size_t i, double *q, double *log_q);

/* approximation */
BLNI_PRIV bln_status blni_approx_log_p(const bln_density *d, const double *q, double *gradient, double *lp, bln_report *report);
BLNI_PRIV size_t blni_approx_table_size(const bln_density *d, size_t chains, size_t draws);
BLNI_PRIV bln_status blni_approx_table(const bln_density *d, const bln_allocator *alloc, size_t chains, size_t draws,
                                       bln_chains **out, bln_report *report);
BLNI_PRIV void blni_approx_falls(const bln_density *d, double *q, bln_approximation *o);
BLNI_PRIV bln_status blni_approx_tabulate(const bln_density *d, uint64_t seed, blni_approx_draw draw, void *self,
                                          bln_chains *chains, double *q, double *starts, double *work, bln_scope_terms *scopes,
                                          bln_approximation *out, bln_report *report);

#endif /* BLN_SAMPLING_APPROXIMATION_PRIVATE_H */
