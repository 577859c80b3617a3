#ifndef BLN_MATH_EXACT_H
#define BLN_MATH_EXACT_H
#include "../core/config.h"
/* >>exact - arithmetic in three doubles, for problems whose condition eats up sixteen digits
 *
 * The sum of products X'X squares the condition of X: NIST's Filip (degree 10, scaled condition of X'X 2.7e19) has no digit left in
 * double and eleven in double-double. In three doubles (about 2^-155) every such problem keeps more digits than its answer can
 * show. All by error-free transformations (Dekker 1971; Ogita, Rump & Oishi 2005: sums as if in K-fold precision), without
 * fused multiply-add, safe from contraction; needs double arithmetic that rounds to double (FLT_EVAL_METHOD 0), see
 * bln_exact_available. */
typedef struct bln_exact { double v[3]; } bln_exact;      /* v[0] + v[1] + v[2], each a rounding error of the one before */

/* 1 where arithmetic is exact as it must be; 0 on x87, where callers fall back to double. */
BLN_API int bln_exact_available(void);

/* From a double, exactly, and back: rounded to the nearest but for ties. */
BLN_API bln_exact bln_exact_of(double x);
BLN_API double    bln_exact_double(bln_exact a);

/* Relative error of each below 2^-150. a/0 is as for doubles; the root of a < 0 is NaN. */
BLN_API bln_exact bln_exact_add(bln_exact a, bln_exact b);
BLN_API bln_exact bln_exact_sub(bln_exact a, bln_exact b);
BLN_API bln_exact bln_exact_mul(bln_exact a, bln_exact b);
BLN_API bln_exact bln_exact_div(bln_exact a, bln_exact b);
BLN_API bln_exact bln_exact_sqrt(bln_exact a);

/* a + sign x y of numbers x = xh + xl, y = yh + yl given to twice double precision; sign is 1 or -1. */
BLN_API bln_exact bln_exact_add_product(bln_exact a, double sign, double xh, double xl, double yh, double yl);

/* A = U'U in place, upper triangle of n x n, row-major with stride lda; as bln_potrf. Pivots up to `noise` times the diagonal they
 * started from count as 0: returns n on success, else the index of the failing pivot. n^3/6 multiplications of about 300 flops */
BLN_API size_t bln_exact_potrf(size_t n, bln_exact *A, size_t lda, double noise);

/* x <- U^-T x (trans != 0) or U^-1 x, n numbers.   n^2/2 multiplications */
BLN_API void bln_exact_trsv(int trans, size_t n, const bln_exact *U, size_t ldu, bln_exact *x);

/* U <- U^-1 in place (upper triangle).   n^3/6 multiplications. A zero on the diagonal of either makes infinities and NaN. */
BLN_API void bln_exact_trtri(size_t n, bln_exact *U, size_t ldu);

#endif /* BLN_MATH_EXACT_H */
