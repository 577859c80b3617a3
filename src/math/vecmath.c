/* vecmath: sine and cosine over arrays
 *
 * Angles in quarter turns: z = q + r with q the nearest integer is exact in floating point (r is a multiple of z's last bit and not
 * larger than z), so there is no table of pi's digits and no loss for large angles. On |r| <= 1/2 two polynomials, the better of
 * which for each quarter is chosen by bits: no branches, so that compilers can run several elements at a time. */
#include "vecmath.h"

enum { BLNI_VEC_CHUNK = 32 };

/* Adding 1.5 2^52 rounds to an integer, whose low bits then are the low bits of the sum. Good for |z| <= 2^50. */
#define BLNI_ROUND_MAGIC 6755399441055744.0
#define BLNI_ROUND_LIMIT 1125899906842624.0

/* Where expressions are kept in wider registers (x87), the sum must be forced into a double. */
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#define BLNI_AS_DOUBLE volatile double
#else
#define BLNI_AS_DOUBLE double
#endif

/* One chunk; returns whether some |z| > 2^50, when the chunk must be done again. Chebyshev fits on [-1/2, 1/2] with 60 digits,
 * rounded once:
 *     sin(pi/2 r) = r P(r^2), relative error 3e-18;     cos(pi/2 r) = 1 + r^2 Q(r^2), absolute error 1e-19
 * P_0 = pi/2 is split as 1 + 0.57..: r itself is exact, and what is rounded is a third of the result. */
BLNI_PRIV int blni_sincos_chunk(const double *BLNI_RESTRICT z, double *BLNI_RESTRICT s, double *BLNI_RESTRICT c)
{
    const uint64_t limit = UINT64_C(0x4310000000000000);                     /* the bits of 2^50 */
    uint64_t large = 0;
    for (size_t i = 0; i < BLNI_VEC_CHUNK; i++) {
        BLNI_AS_DOUBLE t = z[i] + BLNI_ROUND_MAGIC;
        const double sum = t, r = z[i] - (sum - BLNI_ROUND_MAGIC), y = r*r;
        const double p = 5.633933781537854e-08, q = -6.329396344967424e-09;
        const double p2 = ((((p*y - 3.59864335298231e-06)*y + 0.0001604411507421909)*y - 0.004681754132340976)*y
                        + 0.07969262624604301)*y - 0.6459640975062443;
        const double q2 = (((((q*y + 4.710678405505227e-07)*y - 2.5202039028029178e-05)*y + 0.0009192602745468447)*y
                        - 0.020863480763340773)*y + 0.2536695079010478)*y - 1.2337005501361697;
        const double S = r + r*(0.5707963267948966 + y*p2), C = 1.0 + y*q2;
        uint64_t a, b, k, size;
        memcpy(&size, &z[i], sizeof size);
        memcpy(&a, &S, sizeof a);
        memcpy(&b, &C, sizeof b);
        memcpy(&k, &sum, sizeof k);
        large |= limit - (size << 1 >> 1);                                   /* bit 63 set if |z| > 2^50, NaN included */
        /* Odd quarters swap the two; bit 1 of k, and of k + 1, is the sign of the sine, and of the cosine. */
        const uint64_t swap = (a ^ b) & (0 - (k & 1));
        a ^= swap ^ ((k & 2) << 62);
        b ^= swap ^ (((k + 1) & 2) << 62);
        memcpy(&s[i], &a, sizeof a);
        memcpy(&c[i], &b, sizeof b);
    }
    return (int)(large >> 63);
}

BLN_API void bln_sincos_quarter(size_t n, const double *z, double *s, double *c)
{
    double in[BLNI_VEC_CHUNK], s1[BLNI_VEC_CHUNK], c1[BLNI_VEC_CHUNK];
    for (size_t i = 0; i < n; i += BLNI_VEC_CHUNK) {
        const size_t m = blni_min(n - i, BLNI_VEC_CHUNK);
        double *to_s = m < BLNI_VEC_CHUNK ? s1 : s + i, *to_c = m < BLNI_VEC_CHUNK ? c1 : c + i;
        memcpy(in, z + i, m*sizeof *in);                                     /* z may be s or c */
        for (size_t k = m; k < BLNI_VEC_CHUNK; k++) in[k] = 0.0;
        if (blni_sincos_chunk(in, to_s, to_c)) {
            /* A huge angle is taken modulo a whole turn, which is exact; what is not finite has no angle. */
            for (size_t k = 0; k < m; k++)
                if (!(fabs(in[k]) <= BLNI_ROUND_LIMIT)) in[k] = blni_finite(in[k]) ? fmod(in[k], 4.0) : BLNI_NAN;
            blni_sincos_chunk(in, to_s, to_c);
        }
        if (m < BLNI_VEC_CHUNK) {
            memcpy(s + i, s1, m*sizeof *s);
            memcpy(c + i, c1, m*sizeof *c);
        }
    }
}
