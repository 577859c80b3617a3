/* qmc: Sobol' points under a random linear scramble, shifted Halton points
 *
 * A Sobol' coordinate is a matrix over GF(2): column k is the direction number v_k, a binary fraction with its first digit at the
 * top of a word, and point i is the sum of the columns at the ones of the Gray code of i. Neighbouring codes differ in one digit,
 * so that each point costs one exclusive or. The scramble multiplies that matrix from the left by a random lower triangle with ones
 * on its diagonal: each digit gets a random combination of the digits above it, which keeps every net a net; the shift then makes
 * each point uniform. Coordinates are made one after the other, so that no tables are kept. */
#include "qmc.h"
#include "rng_private.h"

enum { BLNI_SOBOL_BITS = 52, BLNI_SOBOL_DEGREE = 9 };

/* Coordinates 1, 2, ...: the primitive polynomial over GF(2), its coefficients as binary digits with the highest on the left, and
 * m_1, m_2, ... as many as its degree, with v_k = m_k 2^-k. (Coordinate 0 is van der Corput's sequence, v_k = 2^-k.) The facts of
 * the file new-joe-kuo-6.21201, published with S. Joe & F. Y. Kuo, Constructing Sobol' sequences with better two-dimensional
 * projections, SIAM J. Sci. Comput. 30 (2008). */
typedef struct blni_sobol_start { uint16_t polynomial, m[BLNI_SOBOL_DEGREE]; } blni_sobol_start;
static const blni_sobol_start blni_sobol_starts[BLN_SOBOL_DIMENSIONS - 1] = {
    { 3, { 1 } }, { 7, { 1, 3 } }, { 11, { 1, 3, 1 } }, { 13, { 1, 1, 1 } }, { 19, { 1, 1, 3, 3 } }, { 25, { 1, 3, 5, 13 } },
    { 37, { 1, 1, 5, 5, 17 } }, { 41, { 1, 1, 5, 5, 5 } }, { 47, { 1, 1, 7, 11, 19 } }, { 55, { 1, 1, 5, 1, 1 } },
    { 59, { 1, 1, 1, 3, 11 } }, { 61, { 1, 3, 5, 5, 31 } }, { 67, { 1, 3, 3, 9, 7, 49 } }, { 91, { 1, 1, 1, 15, 21, 21 } },
    { 97, { 1, 3, 1, 13, 27, 49 } }, { 103, { 1, 1, 1, 15, 7, 5 } }, { 109, { 1, 3, 1, 15, 13, 25 } },
    { 115, { 1, 1, 5, 5, 19, 61 } }, { 131, { 1, 3, 7, 11, 23, 15, 103 } }, { 137, { 1, 3, 7, 13, 13, 15, 69 } },
    { 143, { 1, 1, 3, 13, 7, 35, 63 } }, { 145, { 1, 3, 5, 9, 1, 25, 53 } }, { 157, { 1, 3, 1, 13, 9, 35, 107 } },
    { 167, { 1, 3, 1, 5, 27, 61, 31 } }, { 171, { 1, 1, 5, 11, 19, 41, 61 } }, { 185, { 1, 3, 5, 3, 3, 13, 69 } },
    { 191, { 1, 1, 7, 13, 1, 19, 1 } }, { 193, { 1, 3, 7, 5, 13, 19, 59 } }, { 203, { 1, 1, 3, 9, 25, 29, 41 } },
    { 211, { 1, 3, 5, 13, 23, 1, 55 } }, { 213, { 1, 3, 7, 3, 13, 59, 17 } }, { 229, { 1, 3, 1, 3, 5, 53, 69 } },
    { 239, { 1, 1, 5, 5, 23, 33, 13 } }, { 241, { 1, 1, 7, 7, 1, 61, 123 } }, { 247, { 1, 1, 7, 9, 13, 61, 49 } },
    { 253, { 1, 3, 3, 5, 3, 55, 33 } }, { 285, { 1, 3, 1, 15, 31, 13, 49, 245 } }, { 299, { 1, 3, 5, 15, 31, 59, 63, 97 } },
    { 301, { 1, 3, 1, 11, 11, 11, 77, 249 } }, { 333, { 1, 3, 1, 11, 27, 43, 71, 9 } },
    { 351, { 1, 1, 7, 15, 21, 11, 81, 45 } }, { 355, { 1, 3, 7, 3, 25, 31, 65, 79 } }, { 357, { 1, 3, 1, 1, 19, 11, 3, 205 } },
    { 361, { 1, 1, 5, 9, 19, 21, 29, 157 } }, { 369, { 1, 3, 7, 11, 1, 33, 89, 185 } }, { 391, { 1, 3, 3, 3, 15, 9, 79, 71 } },
    { 397, { 1, 3, 7, 11, 15, 39, 119, 27 } }, { 425, { 1, 1, 3, 1, 11, 31, 97, 225 } },
    { 451, { 1, 1, 1, 3, 23, 43, 57, 177 } }, { 463, { 1, 3, 7, 7, 17, 17, 37, 71 } },
    { 487, { 1, 3, 1, 5, 27, 63, 123, 213 } }, { 501, { 1, 1, 3, 5, 11, 43, 53, 133 } },
    { 529, { 1, 3, 5, 5, 29, 17, 47, 173, 479 } }, { 539, { 1, 3, 3, 11, 3, 1, 109, 9, 69 } },
    { 545, { 1, 1, 1, 5, 17, 39, 23, 5, 343 } }, { 557, { 1, 3, 1, 5, 25, 15, 31, 103, 499 } },
    { 563, { 1, 1, 1, 11, 11, 17, 63, 105, 183 } }, { 601, { 1, 1, 5, 11, 9, 29, 97, 231, 363 } },
    { 607, { 1, 1, 5, 15, 19, 45, 41, 7, 383 } }, { 617, { 1, 3, 7, 7, 31, 19, 83, 137, 221 } },
    { 623, { 1, 1, 1, 3, 23, 15, 111, 223, 83 } }, { 631, { 1, 1, 5, 13, 31, 15, 55, 25, 161 } },
    { 637, { 1, 1, 3, 13, 25, 47, 39, 87, 257 } }, { 647, { 1, 1, 1, 11, 21, 53, 125, 249, 293 } }
};

/* v_1 ... v_n of a coordinate. With the polynomial x^s + a_1 x^{s-1} + ... + a_{s-1} x + 1:
 *     v_k = a_1 v_{k-1} + ... + a_{s-1} v_{k-s+1} + v_{k-s} + 2^-s v_{k-s}      (sums over GF(2))         [Bratley & Fox 1988] */
BLNI_PRIV void blni_sobol_directions(size_t coordinate, size_t n, uint64_t *v)
{
    if (coordinate == 0) {
        for (size_t k = 0; k < n; k++) v[k] = k < 64 ? UINT64_C(1) << (63 - k) : 0;
        return;
    }
    const blni_sobol_start *start = &blni_sobol_starts[coordinate - 1];
    size_t s = 0;
    while (start->polynomial >> (s + 1)) s++;
    for (size_t k = 0; k < n; k++) {
        if (k < s) { v[k] = (uint64_t)start->m[k] << (63 - k); continue; }
        v[k] = v[k - s] ^ v[k - s] >> s;
        for (size_t i = 1; i < s; i++) if (start->polynomial >> (s - i) & 1) v[k] ^= v[k - i];
    }
}

BLNI_PRIV uint64_t blni_parity(uint64_t x)
{
    for (int shift = 32; shift; shift >>= 1) x ^= x >> shift;
    return x & 1;
}

/* The lower triangle has a random word a row, cut off at the diagonal. Rows beyond the digits in use are not needed. */
BLNI_PRIV void blni_sobol_scramble(bln_rng *rng, size_t n, uint64_t *v)
{
    uint64_t scrambled[BLNI_SOBOL_BITS];
    for (size_t k = 0; k < n; k++) scrambled[k] = 0;
    for (int digit = 0; digit < BLNI_SOBOL_BITS; digit++) {
        const uint64_t diagonal = UINT64_C(1) << (63 - digit), row = (bln_rng_next(rng) & ~(2*diagonal - 1)) | diagonal;
        for (size_t k = 0; k < n; k++) scrambled[k] |= blni_parity(row & v[k]) << (63 - digit);
    }
    for (size_t k = 0; k < n; k++) v[k] = scrambled[k];
}

BLN_API bln_status bln_qmc_sobol(size_t d, uint64_t seed, uint64_t first, size_t n, double *U, size_t ldu)
{
    if (!U && n && d) return BLN_EINVAL;
    const uint64_t most = UINT64_C(1) << BLNI_SOBOL_BITS;
    if (d > BLN_SOBOL_DIMENSIONS || first > most || (uint64_t)n > most - first) return BLN_EOVERFLOW;
    if (ldu < d) return BLN_ESHAPE;
    size_t digits = 0;
    while (digits < BLNI_SOBOL_BITS && (first + (uint64_t)n) >> digits) digits++;
    for (size_t j = 0; j < d && n; j++) {
        uint64_t v[BLNI_SOBOL_BITS];
        bln_rng rng = blni_rng_of(seed, (uint64_t)j);
        blni_sobol_directions(j, digits, v);
        blni_sobol_scramble(&rng, digits, v);
        uint64_t x = bln_rng_next(&rng);
        const uint64_t code = first ^ first >> 1;
        for (size_t k = 0; k < digits; k++) if (code >> k & 1) x ^= v[k];
        for (size_t i = 0; i < n; i++) {
            U[i*ldu + j] = blni_open_unit(x);
            size_t change = 0;                                      /* the lowest zero of i is the digit that changes next */
            while ((first + (uint64_t)i) >> change & 1) change++;
            if (i + 1 < n) x ^= v[change];
        }
    }
    return BLN_OK;
}

/* The next prime after p, or 2. */
BLNI_PRIV uint64_t blni_next_prime(uint64_t p)
{
    if (p < 2) return 2;
    for (p = p == 2 ? 3 : p + 2; ; p += 2) {
        uint64_t q = 3;
        while (q*q <= p && p % q) q += 2;
        if (q*q > p) return p;
    }
}

/* The digits of i in base p, mirrored at the point. From the last digit on, each step rounds twice and divides what was rounded
 * before by p: the error stays below 3 half units in the last place of 1. */
BLNI_PRIV double blni_radical_inverse(uint64_t i, uint64_t p)
{
    unsigned digit[64];
    double x = 0.0;
    size_t n = 0;
    for (; i; i /= p) digit[n++] = (unsigned)(i % p);
    while (n) x = (x + (double)digit[--n])/(double)p;
    return x;
}

BLN_API bln_status bln_qmc_halton(size_t d, uint64_t seed, uint64_t first, size_t n, double *U, size_t ldu)
{
    if (!U && n && d) return BLN_EINVAL;
    uint64_t p = 0;
    if ((uint64_t)n > UINT64_MAX - first) return BLN_EOVERFLOW;
    if (ldu < d) return BLN_ESHAPE;
    for (size_t j = 0; j < d && n; j++) {
        bln_rng rng = blni_rng_of(seed, (uint64_t)j);
        const double shift = bln_rng_uniform(&rng), end = 1.0 - 0.5*DBL_EPSILON;
        p = blni_next_prime(p);
        for (size_t i = 0; i < n; i++) {
            double u = blni_radical_inverse(first + (uint64_t)i, p) + shift;
            if (u >= 1.0) u -= 1.0;
            U[i*ldu + j] = fmin(fmax(u, 0.5*DBL_EPSILON), end);       /* the ends of the interval come by rounding only */
        }
    }
    return BLN_OK;
}
