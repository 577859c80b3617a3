#ifndef BLN_MATH_EXACT_PRIVATE_H
#define BLN_MATH_EXACT_PRIVATE_H
#include "../core/config_private.h"
/* exact_private: arithmetic in three doubles, for problems so badly conditioned that sixteen digits are not enough
 *
 * The sum of products X'X squares the condition of X: NIST's Filip (degree 10, scaled condition of X'X 2.7e19) has no digit left in
 * double and eleven in double-double. In three doubles (about 2^-155) every such problem keeps more digits than its answer can
 * show. Operations are error-free transformations (Dekker 1971; Ogita, Rump & Oishi 2005: sums as if in K-fold precision), without
 * fused multiply-add and safe from contraction. They need arithmetic that rounds to double (FLT_EVAL_METHOD 0; see
 * blni_exact_available).
 *
 * They are in place and by address: to pass numbers of three doubles by value would take more code than the arithmetic. _add is
 * a <- a + b, and so are _sub, _mul, _div and _sqrt; _plus and _scale add and multiply by a double; _gain is a <- a + b c, _lose
 * a <- a - b c. Arguments may be the same number. Relative error of each below 2^-150. a/0 is as for doubles; the root of a < 0 is
 * NaN. _of is exact, _double rounds to the nearest double (ties either way). */
typedef struct blni_exact { double v[3]; } blni_exact;      /* v[0] + v[1] + v[2], each a rounding error of the one before */

/* 1 where doubles round as this arithmetic needs; 0 on x87, where callers fall back to double. */
BLNI_PRIV int blni_exact_available(void);

BLNI_PRIV blni_exact blni_exact_of(double x);
BLNI_PRIV double blni_exact_double(const blni_exact *a);
BLNI_PRIV void blni_exact_add(blni_exact *a, const blni_exact *b);
BLNI_PRIV void blni_exact_sub(blni_exact *a, const blni_exact *b);
BLNI_PRIV void blni_exact_mul(blni_exact *a, const blni_exact *b);
BLNI_PRIV void blni_exact_div(blni_exact *a, const blni_exact *b);
BLNI_PRIV void blni_exact_sqrt(blni_exact *a);
BLNI_PRIV void blni_exact_plus(blni_exact *a, double b);
BLNI_PRIV void blni_exact_scale(blni_exact *a, double b);
BLNI_PRIV void blni_exact_gain(blni_exact *a, const blni_exact *b, const blni_exact *c);
BLNI_PRIV void blni_exact_lose(blni_exact *a, const blni_exact *b, const blni_exact *c);
BLNI_PRIV void blni_exact_product(double a, double b, double *p);

/* a <- a + sign x y of numbers x = xh + xl, y = yh + yl given to twice double precision; sign is 1 or -1. */
BLNI_PRIV void blni_exact_add_product(blni_exact *a, double sign, double xh, double xl, double yh, double yl);

/* A = U'U in place, upper triangle of n x n, row-major with stride lda; as bln_potrf. A pivot of at most `noise` times the diagonal
 * from which it came counts as 0. Returns n, or the index of a pivot that is not > 0. n^3/6 multiplications of about 300 flops */
BLNI_PRIV size_t blni_exact_potrf(size_t n, blni_exact *A, size_t lda, double noise);

/* x <- U^-T x (trans != 0) or U^-1 x, n numbers.   n^2/2 multiplications */
BLNI_PRIV void blni_exact_trsv(int trans, size_t n, const blni_exact *U, size_t ldu, blni_exact *x);

/* U <- U^-1 in place (upper triangle).   n^3/6 multiplications. A zero on the diagonal of either makes infinities and NaN. */
BLNI_PRIV void blni_exact_trtri(size_t n, blni_exact *U, size_t ldu);

#endif /* BLN_MATH_EXACT_PRIVATE_H */
