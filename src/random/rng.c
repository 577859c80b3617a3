/* rng: xoshiro256++, uniforms, ziggurats, and the fill with normals that draws the same bits everywhere
 *
 * Everything up to bln_rng_below is exact integer and power-of-two arithmetic. The ziggurats call exp of the C library in 2 of 100
 * draws, so a draw next to the edge of a wedge may be accepted on one machine and rejected on another. The fill of normals calls
 * sqrt only, which is correctly rounded everywhere. */
#include "rng_private.h"
#include "../math/cpu_private.h"
#include "ziggurat_tables_private.h"

#define BLNI_2_POW_M52 2.220446049250313e-16

BLNI_PRIV uint64_t blni_rotl(uint64_t x, int k) { return x << k | x >> (64 - k); }

/* The finaliser of SplitMix64 (Steele, Lea & Flood 2014), a bijection. */
BLNI_PRIV uint64_t blni_mix64(uint64_t z)
{
    z = (z ^ z >> 30)*UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27)*UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

BLNI_PRIV uint64_t blni_splitmix64(uint64_t *state) { return blni_mix64(*state += UINT64_C(0x9e3779b97f4a7c15)); }

/* At most one of four successive outputs of SplitMix64 is zero, so the state is never all zero. */
BLN_API void bln_rng_seed(bln_rng *rng, uint64_t seed, uint64_t stream)
{
    uint64_t state = blni_mix64(seed ^ blni_mix64(stream));
    for (int i = 0; i < 4; i++) rng->s[i] = blni_splitmix64(&state);
}

BLNI_PRIV bln_rng blni_rng_of(uint64_t seed, uint64_t stream)
{
    bln_rng rng;
    bln_rng_seed(&rng, seed, stream);
    return rng;
}

BLN_API uint64_t bln_rng_next(bln_rng *rng)
{
    uint64_t *s = rng->s;
    const uint64_t result = blni_rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = blni_rotl(s[3], 45);
    return result;
}

/* The step is linear over GF(2): a power of it is a polynomial of degree < 256 in it, applied by adding up the states at
 * the polynomial's ones. */
BLN_API void bln_rng_jump(bln_rng *rng)
{
    static const uint64_t polynomial[4] = { UINT64_C(0x180ec6d33cfd0aba), UINT64_C(0xd5a61266f0c9392c),
                                            UINT64_C(0xa9582618e03fc9aa), UINT64_C(0x39abdc4529b1661c) };
    uint64_t sum[4] = { 0, 0, 0, 0 };
    for (int bit = 0; bit < 256; bit++) {
        if (polynomial[bit/64] >> bit%64 & 1) for (int i = 0; i < 4; i++) sum[i] ^= rng->s[i];
        bln_rng_next(rng);
    }
    for (int i = 0; i < 4; i++) rng->s[i] = sum[i];
}

/* The top 52 bits of a word as (k + 1/2) 2^-52: k + 1/2 has 53 bits, so this is exact. */
BLNI_PRIV double blni_open_unit(uint64_t word) { return ((double)(word >> 12) + 0.5)*BLNI_2_POW_M52; }

BLN_API double bln_rng_uniform(bln_rng *rng) { return blni_open_unit(bln_rng_next(rng)); }

BLN_API void bln_rng_uniforms(bln_rng *rng, size_t n, double *out)
{
    bln_rng g = *rng;                                   /* in registers: out might alias rng for all the compiler knows */
    for (size_t i = 0; i < n; i++) out[i] = bln_rng_uniform(&g);
    *rng = g;
}

/* High and low half of the 128-bit product, from 32-bit halves. No sum below exceeds 64 bits:
 * (2^32-1)^2 + 2 (2^32-1) = 2^64 - 1. */
BLNI_PRIV uint64_t blni_mul128(uint64_t a, uint64_t b, uint64_t *low)
{
    const uint64_t mask = UINT64_C(0xffffffff), a0 = a & mask, a1 = a >> 32, b0 = b & mask, b1 = b >> 32;
    const uint64_t t0 = a0*b0, t1 = a1*b0 + (t0 >> 32), t2 = a0*b1 + (t1 & mask);
    *low = t2 << 32 | (t0 & mask);
    return a1*b1 + (t1 >> 32) + (t2 >> 32);
}

/* The high half of word * n falls on each value for floor(2^64/n) or one more words; those whose low half is below 2^64 mod n are
 * the surplus, and are drawn again. */
BLN_API uint64_t bln_rng_below(bln_rng *rng, uint64_t n)
{
    uint64_t low, high;
    if (n == 0) return 0;
    high = blni_mul128(bln_rng_next(rng), n, &low);
    if (low < n) {
        const uint64_t surplus = (0 - n)%n;
        while (low < surplus) high = blni_mul128(bln_rng_next(rng), n, &low);
    }
    return high;
}

BLN_API void bln_rng_permutation(bln_rng *rng, size_t n, size_t *out)
{
    for (size_t i = 0; i < n; i++) out[i] = i;
    for (size_t i = n; i-- > 1;) {
        const size_t j = (size_t)bln_rng_below(rng, (uint64_t)i + 1), k = out[i];
        out[i] = out[j];
        out[j] = k;
    }
}

/* ---- ziggurats (Marsaglia & Tsang 2000; disjoint bits of one word for layer, sign and abscissa, Doornik 2005)
 *
 * A point uniform in layer i, 0 <= x < x_i. To the left of x_{i+1} the layer is all under the curve; to the right of it the point
 * gets a height between those of the curve at x_i and x_{i+1}. Below the lowest layer x_0 stands for box and tail together. */

BLN_API double bln_rng_normal(bln_rng *rng)
{
    for (;;) {
        const uint64_t word = bln_rng_next(rng), sign = (word & 0x100) << 55;
        const size_t i = (size_t)(word & 0xff);
        const double *edge = blni_ziggurat_normal + i, r = blni_ziggurat_normal[1];
        double x = blni_open_unit(word)*edge[0];
        int inside = x < edge[1];
        if (!inside && i == 0) {                        /* Marsaglia's tail: exact */
            double y;
            do {
                x = -log(bln_rng_uniform(rng))/r;
                y = -log(bln_rng_uniform(rng));
            } while (2.0*y <= x*x);
            x += r;
            inside = 1;
        } else if (!inside) {
            const double bottom = exp(-0.5*edge[0]*edge[0]), top = exp(-0.5*edge[1]*edge[1]);
            inside = bottom + bln_rng_uniform(rng)*(top - bottom) < exp(-0.5*x*x);
        }
        /* A branch on a random sign would cost as much as the draw. */
        if (inside) return blni_double_of_bits(blni_double_bits(x) ^ sign);
    }
}

BLN_API double bln_rng_exponential(bln_rng *rng)
{
    double beyond = 0.0;
    for (;;) {
        const uint64_t word = bln_rng_next(rng);
        const size_t i = (size_t)(word & 0xff);
        const double *edge = blni_ziggurat_exponential + i, x = blni_open_unit(word)*edge[0];
        if (x < edge[1]) return beyond + x;
        if (i == 0) {                                   /* without memory: the tail from r on is r and a new draw */
            beyond += blni_ziggurat_exponential[1];
            continue;
        }
        const double bottom = exp(-edge[0]), top = exp(-edge[1]);
        if (bottom + bln_rng_uniform(rng)*(top - bottom) < exp(-x)) return beyond + x;
    }
}

/* ---- normals by the block
 *
 * Box & Muller (1958): with E exponential and a uniform direction on the circle, sqrt(2E) times its two coordinates are
 * independent normals. The direction is an angle within a quarter turn around the x axis, taken to all four by exchanging
 * the coordinates and by the sign of the larger one: two bits of the word do both, without a branch, and no argument
 * reduction is left. */

enum { BLNI_RNG_LANES = 8, BLNI_NORMALS = 2*BLNI_RNG_LANES };  /* lanes; normals of one step of all lanes */

typedef struct blni_lanes { uint64_t s[4][BLNI_RNG_LANES]; } blni_lanes;

/* Macros over the level (>>cpu), from a vector of words to one of numbers, so that every level does the same operations: products
 * are kept apart from what they are added to, because a fused operation rounds otherwise. (A factor of a further product needs no
 * care.) */
#define BLNI_TURN(L, i, n)              BLNI_IOR##L(BLNI_SHL##L(i, n), BLNI_SHR##L(i, 64 - (n)))
#define BLNI_APART_TIMES(L, p, a, b)    BLNI_VEC##L p = BLNI_MUL##L(a, b); BLNI_APART##L(p)
#define BLNI_APART_STEP(L, p, z, c)     p = BLNI_MUL##L(p, z); BLNI_APART##L(p) p = BLNI_ADD##L(p, BLNI_SPLAT##L(c));

/* bln_rng_next */
#define BLNI_LANES_NEXT(L, word) \
    const BLNI_INT##L word##_sum = BLNI_IADD##L(s0, s3), word##_t = BLNI_SHL##L(s1, 17); \
    const BLNI_INT##L word = BLNI_IADD##L(BLNI_TURN(L, word##_sum, 23), s0); \
    s2 = BLNI_IXOR##L(s2, s0); \
    s3 = BLNI_IXOR##L(s3, s1); \
    s1 = BLNI_IXOR##L(s1, s2); \
    s0 = BLNI_IXOR##L(s0, s3); \
    s2 = BLNI_IXOR##L(s2, word##_t); \
    s3 = BLNI_TURN(L, s3, 45);

/* square = -2 log u with the uniform u = 2 - [1,2), in (0,1], made of the word's top 52 bits.
 *
 * u = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), by integer operations on the bits of u. Then with s = f/(2+f) and z = s^2
 *     log(1+f) = 2 atanh(s) = f - (f^2/2 - s (f^2/2 + 2 z P(z))),      P(z) ~ 1/3 + z/5 + z^2/7 + ...
 * P minimax on that range. k log 2 in two parts, the first exact for |k| < 2^20. Error of the logarithm below 2 ulp. */
#define BLNI_LANES_SQUARE(L, word, square) \
    const BLNI_INT##L unit = BLNI_ISPLAT##L(UINT64_C(0x3ff0000000000000)), root = BLNI_ISPLAT##L(UINT64_C(0x3fe6a09e667f3bcd)); \
    const BLNI_VEC##L u = BLNI_SUB##L(BLNI_SPLAT##L(2.0), BLNI_REAL##L(BLNI_IOR##L(BLNI_SHR##L(word, 12), unit))); \
    const BLNI_INT##L shifted = BLNI_IADD##L(BLNI_BITS##L(u), BLNI_ISUB##L(unit, root)); \
    const BLNI_INT##L exponent = BLNI_IOR##L(BLNI_SHR##L(shifted, 52), BLNI_ISPLAT##L(UINT64_C(0x4330000000000000))); /* 2^52 + */ \
    const BLNI_INT##L fraction = BLNI_IAND##L(shifted, BLNI_ISPLAT##L(UINT64_C(0xfffffffffffff))); \
    const BLNI_VEC##L k = BLNI_SUB##L(BLNI_REAL##L(exponent), BLNI_SPLAT##L(4503599627370496.0 + 1023.0)); \
    const BLNI_VEC##L f = BLNI_SUB##L(BLNI_REAL##L(BLNI_IADD##L(fraction, root)), BLNI_SPLAT##L(1.0)); \
    const BLNI_VEC##L s = BLNI_DIV##L(f, BLNI_ADD##L(f, BLNI_SPLAT##L(2.0))), z = BLNI_MUL##L(s, s); \
    BLNI_APART_TIMES(L, half, BLNI_MUL##L(BLNI_SPLAT##L(0.5), f), f) \
    BLNI_VEC##L p = BLNI_SPLAT##L(0.073992986275505018); \
    BLNI_APART_STEP(L, p, z, 0.076569017698350783)      BLNI_APART_STEP(L, p, z, 0.090917866308395365) \
    BLNI_APART_STEP(L, p, z, 0.11111099207895239)       BLNI_APART_STEP(L, p, z, 0.14285714371885866) \
    BLNI_APART_STEP(L, p, z, 0.19999999999704585)       BLNI_APART_STEP(L, p, z, 0.33333333333333676) \
    BLNI_APART_TIMES(L, series, BLNI_MUL##L(BLNI_SPLAT##L(2.0), z), p) \
    BLNI_APART_TIMES(L, more, s, BLNI_ADD##L(half, series)) \
    BLNI_APART_TIMES(L, k_low, k, BLNI_SPLAT##L(7.4406171100123968e-11)) \
    BLNI_APART_TIMES(L, k_high, k, BLNI_SPLAT##L(0.69314718048553914)) \
    const BLNI_VEC##L log_u = BLNI_SUB##L(k_high, BLNI_SUB##L(BLNI_SUB##L(half, BLNI_ADD##L(more, k_low)), f)); \
    const BLNI_VEC##L square = BLNI_MUL##L(BLNI_SPLAT##L(-2.0), log_u);

/* x and y: cos and sin of an angle uniform on the circle, made of the word's top 54 bits: sign, exchange, and 52 bits of the angle
 * in quarter turns, a in [-1/2, 1/2). sin(pi a/2) and cos(pi a/2) by minimax polynomials of degree 13 and 14. Error below 2
 * ulp. */
#define BLNI_LANES_CIRCLE(L, word, x, y) \
    const BLNI_INT##L angle = BLNI_IOR##L(BLNI_SHR##L(BLNI_SHL##L(word, 2), 12), BLNI_ISPLAT##L(UINT64_C(0x3ff0000000000000))); \
    const BLNI_VEC##L a = BLNI_SUB##L(BLNI_REAL##L(angle), BLNI_SPLAT##L(1.5)), a2 = BLNI_MUL##L(a, a); \
    BLNI_VEC##L sine = BLNI_SPLAT##L(5.6337210755562737e-08), cosine = BLNI_SPLAT##L(-6.3212609724361868e-09); \
    BLNI_APART_STEP(L, sine, a2, -3.5986417551299964e-06)   BLNI_APART_STEP(L, cosine, a2, 4.7106097626584307e-07) \
    BLNI_APART_STEP(L, sine, a2, 0.00016044115029189453)    BLNI_APART_STEP(L, cosine, a2, -2.5202036771694383e-05) \
    BLNI_APART_STEP(L, sine, a2, -0.0046817541322824539)    BLNI_APART_STEP(L, cosine, a2, 0.00091926027418336609) \
    BLNI_APART_STEP(L, sine, a2, 0.079692626246039566)      BLNI_APART_STEP(L, cosine, a2, -0.020863480763311227) \
    BLNI_APART_STEP(L, sine, a2, -0.64596409750624428)      BLNI_APART_STEP(L, cosine, a2, 0.2536695079010467) \
    BLNI_APART_STEP(L, sine, a2, 1.5707963267948966)        BLNI_APART_STEP(L, cosine, a2, -1.2337005501361697) \
    sine = BLNI_MUL##L(sine, a);                            BLNI_APART_STEP(L, cosine, a2, 1.0) \
    const BLNI_INT##L sign = BLNI_IAND##L(word, BLNI_ISPLAT##L(UINT64_C(0x8000000000000000))); \
    const BLNI_VEC##L turned = BLNI_REAL##L(BLNI_IXOR##L(BLNI_BITS##L(cosine), sign)); \
    const BLNI_MASK##L exchange = BLNI_NEGATIVE##L(BLNI_SHL##L(word, 1)); \
    const BLNI_VEC##L x = BLNI_SELECT##L(exchange, sine, turned), y = BLNI_SELECT##L(exchange, turned, sine);

/* The lanes from `lane` on: two words each. */
#define BLNI_LANES_WORDS(L, g, lane, first, second) \
    BLNI_INT##L s0 = BLNI_ILOAD##L(g->s[0] + lane), s1 = BLNI_ILOAD##L(g->s[1] + lane); \
    BLNI_INT##L s2 = BLNI_ILOAD##L(g->s[2] + lane), s3 = BLNI_ILOAD##L(g->s[3] + lane); \
    BLNI_LANES_NEXT(L, first) \
    BLNI_LANES_NEXT(L, second) \
    BLNI_ISTORE##L(g->s[0] + lane, s0); \
    BLNI_ISTORE##L(g->s[1] + lane, s1); \
    BLNI_ISTORE##L(g->s[2] + lane, s2); \
    BLNI_ISTORE##L(g->s[3] + lane, s3);

/* All lanes, `steps` times: out[l] and out[8 + l] of each step are from lane l. Level 0 in short loops, which compilers turn into
 * vectors. */
BLNI_EXACT BLNI_PRIV void blni_normals0(blni_lanes *g, size_t steps, double *out)
{
    BLNI_EXACT_BODY
    BLNI_APART_BODY
    for (size_t i = 0; i < steps; i++, out += BLNI_NORMALS) {
        uint64_t one[BLNI_RNG_LANES], two[BLNI_RNG_LANES];
        double radius[BLNI_RNG_LANES], cosines[BLNI_RNG_LANES], sines[BLNI_RNG_LANES];
        for (int l = 0; l < BLNI_RNG_LANES; l++) {
            BLNI_LANES_WORDS(0, g, l, first, second)
            one[l] = first;
            two[l] = second;
        }
        for (int l = 0; l < BLNI_RNG_LANES; l++) {
            BLNI_LANES_SQUARE(0, one[l], square)
            radius[l] = square;
        }
        for (int l = 0; l < BLNI_RNG_LANES; l++) radius[l] = sqrt(radius[l]);
        for (int l = 0; l < BLNI_RNG_LANES; l++) {
            BLNI_LANES_CIRCLE(0, two[l], x, y)
            cosines[l] = x;
            sines[l] = y;
        }
        for (int l = 0; l < BLNI_RNG_LANES; l++) {
            out[l] = radius[l]*cosines[l];
            out[BLNI_RNG_LANES + l] = radius[l]*sines[l];
        }
    }
}

#define BLNI_NORMALS_FN(L) \
BLNI_TARGET##L BLNI_PRIV void blni_normals##L(blni_lanes *g, size_t steps, double *out) \
{ \
    for (size_t i = 0; i < steps; i++, out += BLNI_NORMALS) \
        for (int lane = 0; lane < BLNI_RNG_LANES; lane += BLNI_LANES##L) { \
            BLNI_LANES_WORDS(L, g, lane, first, second) \
            BLNI_LANES_SQUARE(L, first, square) \
            BLNI_LANES_CIRCLE(L, second, x, y) \
            const BLNI_VEC##L radius = BLNI_SQRT##L(square); \
            BLNI_STORE##L(out + lane, BLNI_MUL##L(radius, x)); \
            BLNI_STORE##L(out + BLNI_RNG_LANES + lane, BLNI_MUL##L(radius, y)); \
        } \
}
BLNI_FOR_LEVELS(BLNI_NORMALS_FN)

BLNI_PRIV void blni_normals(blni_lanes *g, size_t steps, double *out)
{
    BLNI_AT_LEVEL(bln_cpu_level(), , blni_normals, (g, steps, out))
}

/* The words pass through a finaliser on their way into the lanes, so that no linear relation of rng with itself survives there. */
BLN_API void bln_rng_normals(bln_rng *rng, size_t n, double *out)
{
    blni_lanes g;
    for (int l = 0; l < BLNI_RNG_LANES; l++)
        for (int i = 0; i < 4; i++) g.s[i][l] = blni_mix64(bln_rng_next(rng));
    const size_t rest = n % BLNI_NORMALS, whole = n - rest;
    blni_normals(&g, whole/BLNI_NORMALS, out);
    if (rest) {
        double t[BLNI_NORMALS];
        blni_normals(&g, 1, t);
        memcpy(out + whole, t, rest*sizeof *out);
    }
}
