#ifndef BLN_LINEAR_STATISTICS_PRIVATE_H
#define BLN_LINEAR_STATISTICS_PRIVATE_H
/* statistics_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "statistics.h"
#include "../core/memory_private.h"
#include "../core/allreduce_private.h"
#include "../math/exact_private.h"

/* Sums over rows. G, R or G3: upper triangle of (D+P) x (D+P), the last P columns those of Y. Rows of G, as those of [Phi Y], begin
 * at lines of the cache: see blni_gram_stride. */
typedef struct blni_gram {
    size_t     D, P;
    int        exact, qr;      /* which of the three; neither: sums in double                */
    double    *G;              /* in double                                                  */
    double    *R;              /* if qr: R'R = [Phi Y]' Omega [Phi Y]; 0 below the diagonal  */
    double    *work;           /* if qr: of blni_tpqrt and blni_ttqrt; in double: room to gather */
    blni_exact *G3;             /* if exact                                                   */
    double    *low;            /* if exact: a block of what [Phi Y] lack of twice double     */
    double     N, ld, omega;   /* sums of weight, weight log(1/v), omega                     */
    blni_exact *y;              /* P: sums of omega y: far from 0, the variance of y hangs on their last digits */
} blni_gram;

/* Squares below this can be added up 1e18 times, and be taken apart into three doubles. */
#define BLNI_GRAM_MOST 1e290
struct bln_statistics {
    const bln_basis *basis;
    bln_allocator    alloc;
    void            *block_memory;
    size_t           bytes, block;
    uint64_t         fingerprint;      /* of the basis */
    double          *theta, *Phi, *work, *room;
    const bln_basis *at;               /* the basis bound to theta, in room */
    blni_gram        gram;
};

/* statistics */
BLNI_PRIV size_t blni_gram_stride(const blni_gram *g);
BLNI_PRIV void blni_gram_carve(blni_arena *a, blni_gram *g, size_t block);
BLNI_PRIV void blni_gram_clear(blni_gram *g);
BLNI_PRIV double blni_row_omega(const bln_data *rows, size_t i);
BLNI_PRIV double blni_row_target(const bln_data *rows, size_t i, size_t p);
BLNI_PRIV void blni_gram_add(blni_gram *g, double sign, const bln_basis *b, const bln_basis *at, const double *theta,
                             const bln_data *rows, int made, double *Phi, double *work);
BLNI_PRIV double blni_gram_square(const blni_gram *g, size_t i);
BLNI_PRIV double blni_gram_target_variance(const blni_gram *g, size_t p);
BLNI_PRIV bln_status blni_gram_allreduce(blni_gram *g, blni_processes *r, bln_report *report);
BLNI_PRIV size_t blni_row_largest(const bln_data *rows, size_t i);
BLNI_PRIV void blni_theta_of(const bln_basis *b, const double *theta, double *out);
BLNI_PRIV int blni_statistics_of(const bln_statistics *t, const bln_basis *b);

#endif /* BLN_LINEAR_STATISTICS_PRIVATE_H */
