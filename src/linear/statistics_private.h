#ifndef BLN_LINEAR_STATISTICS_PRIVATE_H
#define BLN_LINEAR_STATISTICS_PRIVATE_H
/* statistics_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "statistics.h"
#include "../core/memory_private.h"
#include "../core/allreduce_private.h"
#include "../math/exact_private.h"

/* Sums over rows, in one of three arithmetics: G, R or G3 is the upper triangle of a (D+P) x (D+P) matrix, whose last P columns are
 * those of Y. Rows of G and of [Phi Y] are padded so that each begins a cache line (blni_gram_stride). */
typedef struct blni_gram {
    size_t     D, P;
    int        exact, qr;      /* G3 or R is used; neither: G                                */
    double    *G;              /* sums in double                                             */
    double    *R;              /* if qr: R'R = [Phi Y]' Omega [Phi Y]; 0 below the diagonal  */
    double    *work;           /* if qr: of blni_tpqrt and blni_ttqrt; in double: of blni_gather_begin */
    blni_exact *G3;             /* if exact: sums in three doubles                            */
    double    *low;            /* if exact: the low words of a block of [Phi Y]              */
    double     N, ld, omega;   /* sums of weight, weight log(1/v), omega                     */
    blni_exact *y;              /* P: sums of omega y, exact because var y is a small difference where y is far from 0 */
} blni_gram;

/* Squares below this can be summed 1e18 times without overflow, and be split into three doubles. */
#define BLNI_GRAM_MOST 1e290
struct bln_statistics {
    const bln_basis *basis;
    bln_allocator    alloc;
    void            *block_memory;     /* holds this struct and its arrays, `bytes` of them */
    size_t           bytes, block;     /* block: rows that are added at a time */
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
