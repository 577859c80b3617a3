#ifndef BLN_PROGRAM_TAPE_DENSITY_PRIVATE_H
#define BLN_PROGRAM_TAPE_DENSITY_PRIVATE_H
/* tape_density_private: private declarations, for the files of this room; comments stand at the definitions */
#include "tape_density.h"
#include "tape_array_private.h"

#define BLNI_LOG_PI 1.14472988584940017414
#define BLNI_LN_2   0.69314718055994530942
enum { BLNI_LP_BLOCK = 128 };

/* Where an argument may lie. COUNT and BIT are discrete: constants. */
typedef enum blni_lp_domain {
    BLNI_IS_REAL, BLNI_IS_ABOVE_0, BLNI_IS_FROM_0, BLNI_IS_WITHIN_0_1, BLNI_IS_COUNT, BLNI_IS_BIT
} blni_lp_domain;

/* A density of one number, with k arguments. block: log densities of n <= BLNI_LP_BLOCK elements to lp, slopes in argument j to
 * d[j] unless that is NULL. Argument j of element i is x[j][i]; where one[j] is set, all n are the same number. */
typedef struct blni_lpdf {
    blni_node_kind   kind;
    size_t      k;
    const char *argument[BLNI_OPERANDS];
    blni_lp_domain domain[BLNI_OPERANDS];
    void      (*block)(size_t n, const double *const *x, const int *one, double *lp, double *const *d);
    double    (*single)(const double *const *x, double *d);      /* of scalars, with all slopes      (NULL: by block) */
} blni_lpdf;

/* The table of bln_lp_NAME, by blni_WHOSE_block: K arguments, each with its name and domain, and empty ones up to four. */
#define BLNI_LPDF(NAME, WHOSE, SINGLE, K, A0, D0, A1, D1, A2, D2, A3, D3) \
BLNI_TABLE const blni_lpdf blni_lp_of_##NAME = { { "bln_lp_" #NAME, blni_lp_reverse }, K, { A0, A1, A2, A3 }, \
    { BLNI_IS_##D0, BLNI_IS_##D1, BLNI_IS_##D2, BLNI_IS_##D3 }, blni_##WHOSE##_block, SINGLE }

BLNI_PRIV void blni_lp_reverse(bln_tape *t, const blni_cell *c);
BLNI_PRIV void blni_lp(bln_tape *t, const blni_lpdf *f, const bln_var *in);
BLNI_PRIV void blni_lp2(bln_tape *t, const blni_lpdf *f, bln_var x, bln_var a);
BLNI_PRIV void blni_lp3(bln_tape *t, const blni_lpdf *f, bln_var x, bln_var a, bln_var b);
BLNI_PRIV void blni_lp_map(double (*one_by_one)(double), void (*many)(size_t, const double *, double *), int one, size_t n,
                        const double *x, double *y);
BLNI_PRIV void blni_log_block(size_t n, const double *x, int one, double *y);
BLNI_PRIV void blni_lgamma_block(size_t n, const double *x, int one, double *y);
BLNI_PRIV void blni_digamma_block(size_t n, const double *x, int one, double *y);
BLNI_PRIV void blni_lp_outside(bln_tape *t, const char *call, const char *argument, int constant, size_t row, double value,
                               const char *domain);

/* The cell of a log density of scalars: its slopes with respect to what is at a and at b. There is room. */
BLNI_ALWAYS_INLINE void blni_lp_cell(bln_tape *t, uint32_t a, double slope_a, uint32_t b, double slope_b)
{
    const uint32_t at = blni_tape_take(t, 2);
    blni_cell *cell = t->cell + t->n_cell;
    t->val[at] = slope_a;
    t->val[at + 1] = slope_b;
    cell->op = BLNI_OP_LP | t->term << 8;
    cell->a = a & BLNI_PLACE;
    t->n_cell++;                                                 /* here: see blni_scalar */
    cell->b = b & BLNI_PLACE;
    cell->out = at;
}

#endif /* BLN_PROGRAM_TAPE_DENSITY_PRIVATE_H */
