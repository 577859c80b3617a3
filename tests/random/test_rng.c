/* rng: bit streams and jumps agree with independent values; uniforms stay open; integers, permutations, normals and
 * exponentials have the right distribution, tails included; the fill with normals is a prefix of any longer one and the
 * same bits on every build.
 *
 * Random tests: seeds are fixed; a statistic with a known standard deviation must lie within 5 of them (6e-7 of failing for
 * a random seed), a Kolmogorov-Smirnov distance within 2.6/sqrt(n) (2 e^{-2 * 2.6^2} = 3e-6), a chi-square within mean + 5
 * sd + 10. */
#include "../test.h"
#include "../golden/rng_golden.h"

enum { RNG_N = 400000, RNG_BINS = 64 };
static const double rng_n = RNG_N;                          /* the same as a number */

static bln_rng rng_state(const uint64_t *s)
{
    bln_rng r;
    memcpy(r.s, s, sizeof r.s);
    return r;
}

static int rng_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* sqrt(n) sup |F_n - F|; sorts x. */
static double rng_kolmogorov(size_t n, double *x, double (*cdf)(double x))
{
    double worst = 0.0;
    qsort(x, n, sizeof *x, rng_compare);
    for (size_t i = 0; i < n; i++) {
        const double p = cdf(x[i]), up = (double)(i + 1)/(double)n - p, down = p - (double)i/(double)n;
        if (!(up <= worst)) worst = up;
        if (!(down <= worst)) worst = down;
    }
    return worst*sqrt((double)n);
}

static double rng_cdf_uniform(double x) { return x; }
static double rng_cdf_normal(double x) { return 0.5*erfc(-x*0.70710678118654752); }
static double rng_cdf_exponential(double x) { return -expm1(-x); }

/* Chi-square of counts against equal expectations has mean k-1, sd sqrt(2(k-1)), and an upper tail a little heavier than
 * normal: + 10. */
static void rng_check_counts(size_t k, const double *counts, double expected)
{
    double chi2 = 0.0;
    for (size_t i = 0; i < k; i++) chi2 += (counts[i] - expected)*(counts[i] - expected)/expected;
    const double mean = (double)k - 1.0;
    CHECK_LE(chi2, mean + 5.0*sqrt(2.0*mean) + 10.0);
    CHECK_LE(mean - 5.0*sqrt(2.0*mean), chi2);             /* too even is wrong as well */
}

/* A count of n trials with probability p is within 5 sd (plus 5 where it is nearly Poisson). */
static void rng_check_count(size_t count, double n, double p)
{
    CHECK_NEAR((double)count, n*p, 5.0*sqrt(n*p) + 5.0);
}

/* The mean of x^k, k = 1..4, against the moments m[1..8] of the distribution: sd of the mean of x^k is sqrt((m_2k - m_k^2)/n). */
static void rng_check_moments(size_t n, const double *x, const double *m)
{
    double sum[5] = { 0.0, 0.0, 0.0, 0.0, 0.0 };
    for (size_t i = 0; i < n; i++) {
        double power = 1.0;
        for (int k = 1; k <= 4; k++) sum[k] += power *= x[i];
    }
    for (int k = 1; k <= 4; k++) CHECK_NEAR(sum[k]/(double)n, m[k], 5.0*sqrt((m[2*k] - m[k]*m[k])/(double)n));
}
static const double rng_normal_moments[9] = { 1.0, 0.0, 1.0, 0.0, 3.0, 0.0, 15.0, 0.0, 105.0 };
static const double rng_exponential_moments[9] = { 1.0, 1.0, 2.0, 6.0, 24.0, 120.0, 720.0, 5040.0, 40320.0 };

/* Correlation of neighbours at some distance: mean of x_i x_{i+lag} has sd 1/sqrt(n) for independent standard normals; so
 * has that of (x_i^2 - 1)(x_{i+lag}^2 - 1)/2. */
static void rng_check_lag(size_t n, const double *x, size_t lag)
{
    double plain = 0.0, squares = 0.0;
    for (size_t i = 0; i + lag < n; i++) {
        plain += x[i]*x[i + lag];
        squares += 0.5*(x[i]*x[i] - 1.0)*(x[i + lag]*x[i + lag] - 1.0);
    }
    CHECK_LE(fabs(plain), 5.0*sqrt((double)n));
    CHECK_LE(fabs(squares), 5.0*sqrt((double)n));
}

/* ---- bits */

TEST(rng, words_are_those_of_the_definition)
{
    static const uint64_t one[4] = { 1, 2, 3, 4 };
    bln_rng r = rng_state(one);
    for (int i = 0; i < 8; i++) CHECK(bln_rng_next(&r) == golden_rng_words_1234[i]);
    r = rng_state(golden_rng_seed_42);
    for (int i = 0; i < 8; i++) CHECK(bln_rng_next(&r) == golden_rng_words_42[i]);
    uint64_t state = 0;
    for (int i = 0; i < 6; i++) CHECK(blni_splitmix64(&state) == golden_rng_splitmix_0[i]);
    state = 42;
    for (int i = 0; i < 4; i++) CHECK(blni_splitmix64(&state) == golden_rng_seed_42[i]);
}

TEST(rng, jumps_are_powers_of_the_step)
{
    static const uint64_t one[4] = { 1, 2, 3, 4 };
    bln_rng r = rng_state(one);
    bln_rng_jump(&r);
    CHECK(!memcmp(r.s, golden_rng_jump_1234, sizeof r.s));
    r = rng_state(golden_rng_seed_42);
    bln_rng_jump(&r);
    CHECK(!memcmp(r.s, golden_rng_jump_42, sizeof r.s));
    bln_rng a = rng_state(one), b = a;                      /* jump and step commute */
    bln_rng_jump(&a); (void)bln_rng_next(&a);
    (void)bln_rng_next(&b); bln_rng_jump(&b);
    CHECK(!memcmp(a.s, b.s, sizeof a.s));
}

TEST(rng, streams)
{
    bln_rng r;
    bln_rng_seed(&r, 1, 0);
    CHECK(!memcmp(r.s, golden_rng_stream_1_0, sizeof r.s));
    bln_rng_seed(&r, 1, 1);
    CHECK(!memcmp(r.s, golden_rng_stream_1_1, sizeof r.s));
    bln_rng_seed(&r, 42, 7);
    CHECK(!memcmp(r.s, golden_rng_stream_42_7, sizeof r.s));

    double sum = 0.0, previous = 0.0, lag = 0.0;            /* first draws of 100000 streams: mean 1/2, neighbours independent */
    const double n = 100000.0;
    for (uint64_t id = 0; id < 100000; id++) {
        bln_rng_seed(&r, 3, id);
        const double u = bln_rng_uniform(&r) - 0.5;
        sum += u;
        lag += u*previous;
        previous = u;
    }
    CHECK_LE(fabs(sum), 5.0*sqrt(n/12.0));
    CHECK_LE(fabs(lag), 5.0*sqrt(n)/12.0);
}

/* ---- uniforms and integers */

TEST(rng, uniforms_are_open_and_uniform)
{
    CHECK_NEAR(blni_open_unit(0), pow(2.0, -53.0), 0.0);                                         /* the ends of the range */
    CHECK_NEAR(blni_open_unit(~(uint64_t)0), 1.0 - pow(2.0, -53.0), 0.0);
    CHECK(blni_open_unit(~(uint64_t)0) < 1.0 && log(blni_open_unit(0)) > -37.0);
    double *x = test_doubles(RNG_N), counts[RNG_BINS];
    static const double moments[9] = { 1.0, 1.0/2, 1.0/3, 1.0/4, 1.0/5, 1.0/6, 1.0/7, 1.0/8, 1.0/9 };
    bln_rng r, copy;
    bln_rng_seed(&r, 11, 0);
    copy = r;
    bln_rng_uniforms(&r, RNG_N, x);
    for (size_t i = 0; i < RNG_BINS; i++) counts[i] = 0.0;
    int same = 1;
    for (size_t i = 0; i < RNG_N; i++) {
        if (x[i] != bln_rng_uniform(&copy)) same = 0;
        counts[(size_t)(x[i]*(double)RNG_BINS)] += 1.0;
    }
    CHECK(same);
    CHECK(!memcmp(r.s, copy.s, sizeof r.s));
    rng_check_counts(RNG_BINS, counts, rng_n/(double)RNG_BINS);
    rng_check_moments(RNG_N, x, moments);
    CHECK_LE(rng_kolmogorov(RNG_N, x, rng_cdf_uniform), 2.6);
    CHECK(x[0] > 0.0 && x[RNG_N - 1] < 1.0);
    bln_rng_uniforms(&r, 0, NULL);
    CHECK(!memcmp(r.s, copy.s, sizeof r.s));
    free(x);
}

/* (2^64 - 1)^2 = 2^128 - 2^65 + 1, and some that can be done by hand. */
TEST(rng, product_of_128_bits)
{
    uint64_t low;
    const uint64_t all = ~(uint64_t)0;
    CHECK(blni_mul128(all, all, &low) == all - 1 && low == 1);
    CHECK(blni_mul128(all, 2, &low) == 1 && low == all - 1);
    CHECK(blni_mul128((uint64_t)1 << 63, 6, &low) == 3 && low == 0);
    CHECK(blni_mul128(UINT64_C(0x123456789abcdef0), UINT64_C(0xfedcba9876543210), &low) == UINT64_C(0x121fa00ad77d7422));
    CHECK(low == UINT64_C(0x236d88fe5618cf00));
}

/* Sizes where a plain multiply-shift or remainder of 64 bits would show its bias at once: 3 2^62 makes some values twice as
 * likely. */
TEST(rng, below_is_unbiased)
{
    static const uint64_t sizes[] = { 2, 3, 6, 7, 64 };
    double counts[64];
    bln_rng r, copy;
    bln_rng_seed(&r, 12, 0);
    for (size_t k = 0; k < 5; k++) {
        for (size_t i = 0; i < 64; i++) counts[i] = 0.0;
        for (size_t i = 0; i < 60000; i++) {
            const uint64_t j = bln_rng_below(&r, sizes[k]);
            CHECK(j < sizes[k]);
            if (j < 64) counts[j] += 1.0;
        }
        if (sizes[k] > 2) rng_check_counts((size_t)sizes[k], counts, 60000.0/(double)sizes[k]);
        else CHECK_NEAR(counts[0], 30000.0, 5.0*sqrt(15000.0));
    }
    const uint64_t large = (uint64_t)3 << 62;
    for (size_t i = 0; i < 64; i++) counts[i] = 0.0;
    for (size_t i = 0; i < 60000; i++) {
        const uint64_t j = bln_rng_below(&r, large);
        CHECK(j < large);
        counts[j%3] += 1.0;                                 /* without the redraw these are 1 : 1 : 2 or so in a residue class */
        counts[3 + (j >> 62)] += 1.0;
    }
    rng_check_counts(3, counts, 20000.0);
    rng_check_counts(3, counts + 3, 20000.0);
    copy = r;
    CHECK(bln_rng_below(&r, 0) == 0);
    CHECK(!memcmp(r.s, copy.s, sizeof r.s));
    CHECK(bln_rng_below(&r, 1) == 0);
    CHECK(bln_rng_below(&r, ~(uint64_t)0) < ~(uint64_t)0);
}

TEST(rng, permutations_are_all_equally_likely)
{
    bln_rng r;
    double counts[24], place[20];
    size_t p[1000];
    bln_rng_seed(&r, 13, 0);
    for (size_t i = 0; i < 24; i++) counts[i] = 0.0;
    for (size_t i = 0; i < 48000; i++) {
        bln_rng_permutation(&r, 4, p);
        size_t seen = 0, index = 0;
        for (size_t k = 0; k < 4; k++) {                    /* Lehmer code */
            size_t smaller = 0;
            seen |= (size_t)1 << p[k];
            for (size_t l = k + 1; l < 4; l++) if (p[l] < p[k]) smaller++;
            index = index*(4 - k) + smaller;
        }
        CHECK_SIZE(seen, 15);
        counts[index] += 1.0;
    }
    rng_check_counts(24, counts, 2000.0);

    for (size_t i = 0; i < 20; i++) place[i] = 0.0;         /* where does item 7 of 20 go? */
    for (size_t i = 0; i < 40000; i++) {
        bln_rng_permutation(&r, 20, p);
        for (size_t k = 0; k < 20; k++) if (p[k] == 7) place[k] += 1.0;
    }
    rng_check_counts(20, place, 2000.0);

    unsigned char seen[1000] = { 0 };
    bln_rng_permutation(&r, 1000, p);
    for (size_t i = 0; i < 1000; i++) if (p[i] < 1000) seen[p[i]]++;
    for (size_t i = 0; i < 1000; i++) CHECK(seen[i] == 1);
    bln_rng_permutation(&r, 0, p);
    bln_rng_permutation(&r, 1, p);
    CHECK_SIZE(p[0], 0);
}

/* ---- ziggurats */

/* Each layer has the area that the lowest has with its tail: x_i (f(x_{i+1}) - f(x_i)) = v, r f(r) + tail = v, x_0 f(r) =
 * v. A difference of neighbouring heights loses some digits: relative 1e-13. */
TEST(rng, ziggurat_layers_have_equal_areas)
{
    for (int kind = 0; kind < 2; kind++) {
        const double *x = kind ? blni_ziggurat_exponential : blni_ziggurat_normal;
        const double r = x[1], v = kind ? 0.0039496598225815572 : 0.0049286732339746554;
        const double tail = kind ? exp(-r) : sqrt(1.57079632679489662)*erfc(r*0.70710678118654752);
        const double at_r = kind ? exp(-r) : exp(-0.5*r*r);
        CHECK_REL(r*at_r + tail, v, 1e-14);
        CHECK_REL(x[0]*at_r, v, 1e-14);
        CHECK(x[256] == 0.0);
        for (size_t i = 1; i < 256; i++) {
            const double here = kind ? exp(-x[i]) : exp(-0.5*x[i]*x[i]), next = kind ? exp(-x[i + 1]) : exp(-0.5*x[i + 1]*x[i + 1]);
            CHECK(x[i + 1] < x[i]);
            CHECK_REL(x[i]*(next - here), v, 1e-12);
        }
    }
}

TEST(rng, normal_has_its_distribution)
{
    double *x = test_doubles(RNG_N);
    bln_rng r;
    size_t above[6] = { 0, 0, 0, 0, 0, 0 };
    bln_rng_seed(&r, 14, 0);
    for (size_t i = 0; i < RNG_N; i++) x[i] = bln_rng_normal(&r);
    rng_check_moments(RNG_N, x, rng_normal_moments);
    for (size_t lag = 1; lag < 4; lag++) rng_check_lag(RNG_N, x, lag);
    CHECK_LE(rng_kolmogorov(RNG_N, x, rng_cdf_normal), 2.6);
    const double n = 4e6;                                   /* the tail: beyond 5 sigma 2.3 are expected */
    for (size_t i = 0; i < 4000000; i++) {
        const double z = fabs(bln_rng_normal(&r));
        for (size_t k = 3; k <= 5; k++) if (z > (double)k) above[k]++;
    }
    for (size_t k = 3; k <= 5; k++) rng_check_count(above[k], n, erfc((double)k*0.70710678118654752));
    CHECK(above[5] > 0);
    free(x);
}

TEST(rng, exponential_has_its_distribution)
{
    double *x = test_doubles(RNG_N);
    bln_rng r;
    size_t above[3] = { 0, 0, 0 };
    bln_rng_seed(&r, 15, 0);
    for (size_t i = 0; i < RNG_N; i++) x[i] = bln_rng_exponential(&r);
    rng_check_moments(RNG_N, x, rng_exponential_moments);
    CHECK_LE(rng_kolmogorov(RNG_N, x, rng_cdf_exponential), 2.6);
    CHECK(x[0] > 0.0);
    const double n = 4e6;
    for (size_t i = 0; i < 4000000; i++) {
        const double e = bln_rng_exponential(&r);
        if (e > 7.7) above[0]++;
        if (e > 10.0) above[1]++;
        if (e > 14.0) above[2]++;
    }
    rng_check_count(above[0], n, exp(-7.7));
    rng_check_count(above[1], n, exp(-10.0));
    rng_check_count(above[2], n, exp(-14.0));
    CHECK(above[2] > 0);
    free(x);
}

/* A generator whose next word is `word` and whose further ones are as random as r: the word is rotl(s0 + s3, 23) + s0. */
static bln_rng rng_with_next(bln_rng *r, uint64_t word)
{
    bln_rng g;
    for (int i = 0; i < 3; i++) g.s[i] = bln_rng_next(r);
    const uint64_t turned = word - g.s[0];
    g.s[3] = (turned >> 23 | turned << 41) - g.s[0];
    return g;
}

static double rng_cdf_normal_tail(double x)
{
    return 1.0 - erfc(x*0.70710678118654752)/erfc(blni_ziggurat_normal[1]*0.70710678118654752);
}
static double rng_cdf_exponential_tail(double x) { return -expm1(blni_ziggurat_exponential[1] - x); }

/* All draws from the lowest layer, to the right of r: so rare that no other test sees their shape. */
TEST(rng, tails_have_their_shape)
{
    enum { n = 50000 };
    double *x = test_doubles(n);
    bln_rng r;
    bln_rng_seed(&r, 18, 0);
    for (size_t i = 0; i < n; i++) {
        bln_rng g = rng_with_next(&r, UINT64_C(0xffffffffffffff00) - (i%2 ? 0x100 : 0));
        bln_rng copy = g;
        CHECK((bln_rng_next(&copy) & 0xff) == 0);
        x[i] = bln_rng_normal(&g);
        CHECK((x[i] < 0.0) == (i%2 == 0));                  /* bit 8 is the sign */
        x[i] = fabs(x[i]);
        CHECK(x[i] >= blni_ziggurat_normal[1]);
    }
    CHECK_LE(rng_kolmogorov(n, x, rng_cdf_normal_tail), 2.6);
    for (size_t i = 0; i < n; i++) {
        bln_rng g = rng_with_next(&r, UINT64_C(0xffffffffffffff00));
        x[i] = bln_rng_exponential(&g);
    }
    CHECK_LE(rng_kolmogorov(n, x, rng_cdf_exponential_tail), 2.6);
    free(x);
}

/* ---- the fill */

/* Against 17 digits of the definition: radius and direction are each within 2 ulp, their product within 4. */
TEST(rng, fill_is_box_and_muller)
{
    double x[80];
    bln_rng r;
    bln_rng_seed(&r, 1, 0);
    bln_rng_normals(&r, 80, x);
    for (size_t i = 0; i < 80; i++) CHECK_REL(x[i], golden_rng_normals_1_0[i], 4.0*DBL_EPSILON);
}

TEST(rng, a_fill_begins_any_longer_one)
{
    double *all = test_doubles(1000), part[1000];
    bln_rng start, r, after;
    bln_rng_seed(&start, 16, 0);
    after = start;
    for (int i = 0; i < 32; i++) (void)bln_rng_next(&after);
    r = start;
    bln_rng_normals(&r, 1000, all);
    CHECK(!memcmp(r.s, after.s, sizeof r.s));
    for (size_t n = 0; n < 1000; n += n < 70 ? 1 : 37) {
        for (size_t i = 0; i < 1000; i++) part[i] = 2.385;
        r = start;
        bln_rng_normals(&r, n, part);
        CHECK(!memcmp(part, all, n*sizeof *all));
        for (size_t i = n; i < 1000; i++) CHECK(part[i] == 2.385);
        CHECK(!memcmp(r.s, after.s, sizeof r.s));           /* and rng goes on from the same place */
    }
    free(all);
}

TEST(rng, fill_has_the_normal_distribution)
{
    double *x = test_doubles(RNG_N);
    bln_rng r;
    size_t above[6] = { 0, 0, 0, 0, 0, 0 }, positive = 0, quadrant[4] = { 0, 0, 0, 0 };
    bln_rng_seed(&r, 17, 0);
    bln_rng_normals(&r, RNG_N, x);
    rng_check_moments(RNG_N, x, rng_normal_moments);
    for (size_t lag = 1; lag <= 33; lag++) rng_check_lag(RNG_N, x, lag);           /* pairs are 8 apart, steps of a lane 16 */
    for (size_t i = 0; i < RNG_N; i += 16)
        for (size_t l = 0; l < 8; l++) quadrant[(x[i + l] > 0.0 ? 1 : 0) + (x[i + 8 + l] > 0.0 ? 2 : 0)]++;
    for (size_t k = 0; k < 4; k++) CHECK_NEAR((double)quadrant[k], rng_n/8.0, 5.0*sqrt(rng_n/8.0*0.75));
    CHECK_LE(rng_kolmogorov(RNG_N, x, rng_cdf_normal), 2.6);
    for (size_t b = 0; b < 10; b++) {
        bln_rng_normals(&r, RNG_N, x);
        for (size_t i = 0; i < RNG_N; i++) {
            const double z = fabs(x[i]);
            if (x[i] > 0.0) positive++;
            for (size_t k = 3; k <= 5; k++) if (z > (double)k) above[k]++;
        }
    }
    for (size_t k = 3; k <= 5; k++) rng_check_count(above[k], 10.0*rng_n, erfc((double)k*0.70710678118654752));
    CHECK_NEAR((double)positive, 5.0*rng_n, 5.0*sqrt(2.5*rng_n));

    /* Many short fills from one generator, as a basis that draws its frequencies row by row would do: neighbouring fills
     * are independent. */
    double a[3], sum = 0.0, lag = 0.0, previous = 0.0;
    for (size_t i = 0; i < 50000; i++) {
        bln_rng_normals(&r, 3, a);
        sum += a[0];
        lag += a[0]*previous;
        previous = a[0];
    }
    CHECK_LE(fabs(sum), 5.0*sqrt(50000.0));
    CHECK_LE(fabs(lag), 5.0*sqrt(50000.0));
    free(x);
}

/* -2 log of the uniform that a word makes, and its point on the circle. */
static double rng_square_of(uint64_t word)
{
    BLNI_EXACT_BODY
    BLNI_APART_BODY
    BLNI_LANES_SQUARE(0, word, square)
    return square;
}

static void rng_circle_of(uint64_t word, double *cosine_out, double *sine_out)
{
    BLNI_EXACT_BODY
    BLNI_APART_BODY
    BLNI_LANES_CIRCLE(0, word, x, y)
    *cosine_out = x;
    *sine_out = y;
}

/* The corner words: the smallest uniform gives the largest radius, sqrt(2 52 log 2) = 8.49; the uniform 1 gives 0;
 * directions stay on the circle. */
TEST(rng, fill_at_the_corners_of_its_words)
{
    const uint64_t bit = 1;
    uint64_t word[8] = { 0, ~(uint64_t)0, UINT64_C(0xfffffffffffff000), 1, bit << 63, bit << 62, bit << 63 | bit << 62, 12345 };
    double e[8], x[8], y[8];
    for (size_t l = 0; l < 8; l++) e[l] = 0.5*rng_square_of(word[l]);
    CHECK(e[0] == 0.0 && e[3] == 0.0);
    CHECK_REL(e[1], 52.0*0.69314718055994531, 2.0*DBL_EPSILON);
    CHECK_REL(e[2], e[1], 0.0);
    CHECK_REL(e[4], 0.69314718055994531, 2.0*DBL_EPSILON);
    CHECK_REL(e[6], 2.0*0.69314718055994531, 2.0*DBL_EPSILON);
    for (size_t l = 0; l < 8; l++) rng_circle_of(word[l], &x[l], &y[l]);
    for (size_t l = 0; l < 8; l++) CHECK_NEAR(x[l]*x[l] + y[l]*y[l], 1.0, 6.0*DBL_EPSILON);
    const double half_root = 0.70710678118654752;
    CHECK_NEAR(x[0], half_root, 4.0*DBL_EPSILON);           /* -45 degrees, and its images by sign and exchange */
    CHECK_NEAR(y[0], -half_root, 4.0*DBL_EPSILON);
    CHECK_NEAR(x[4], -half_root, 4.0*DBL_EPSILON);
    CHECK_NEAR(y[4], -half_root, 4.0*DBL_EPSILON);
    CHECK_NEAR(x[5], -half_root, 4.0*DBL_EPSILON);
    CHECK_NEAR(y[5], half_root, 4.0*DBL_EPSILON);
}

/* FNV-1a over the bytes of 1000 normals, least significant first. Every compiler, option and instruction set must draw
 * these bits; x87 registers round differently and are exempt (FLT_EVAL_METHOD 1 widens floats only). */
TEST(rng, fill_has_the_same_bits_everywhere)
{
    double x[1000];
    for (int level = bln_cpu_level_force(-1); level >= 0; level--) {
        bln_rng r;
        uint64_t h = UINT64_C(0xcbf29ce484222325);
        CHECK(bln_cpu_level_force(level) == level);
        bln_rng_seed(&r, 1, 0);
        bln_rng_normals(&r, 1000, x);
        for (size_t i = 0; i < 1000; i++) {
            uint64_t bits;
            memcpy(&bits, &x[i], sizeof bits);
            for (int b = 0; b < 64; b += 8) h = (h ^ (bits >> b & 0xff))*UINT64_C(0x00000100000001b3);
        }
#ifdef BLNI_WIDE_DOUBLES
        CHECK(h != 0);
#else
        CHECK(h == UINT64_C(0x7948e2701f79673c));
#endif
    }
    bln_cpu_level_force(-1);
}

/* Many more draws, so that rare words are among them too: all levels agree bit by bit, whatever the length, and so does the state
 * that they leave. */
TEST(rng, fill_is_the_same_at_every_level)
{
    enum { n = 100003 };
    double *want = test_doubles(n), *got = test_doubles(n);
    bln_rng start, r, s;
    const int best = bln_cpu_level_force(-1);
    bln_rng_seed(&start, 19, 0);
    bln_cpu_level_force(0);
    r = start;
    bln_rng_normals(&r, n, want);
    for (int level = 0; level <= best; level++) {
        bln_cpu_level_force(level);
        for (size_t m = n; m > 0; m /= 7) {
            s = start;
            bln_rng_normals(&s, m, got);
            CHECK(!memcmp(want, got, m*sizeof *want));
            CHECK(!memcmp(r.s, s.s, sizeof r.s));
        }
    }
    bln_cpu_level_force(-1);
    free(want);
    free(got);
}

SUITE_BEGIN(rng)
    SUITE_TEST(rng, words_are_those_of_the_definition)
    SUITE_TEST(rng, jumps_are_powers_of_the_step)
    SUITE_TEST(rng, streams)
    SUITE_TEST(rng, uniforms_are_open_and_uniform)
    SUITE_TEST(rng, product_of_128_bits)
    SUITE_TEST(rng, below_is_unbiased)
    SUITE_TEST(rng, permutations_are_all_equally_likely)
    SUITE_TEST(rng, ziggurat_layers_have_equal_areas)
    SUITE_TEST(rng, normal_has_its_distribution)
    SUITE_TEST(rng, exponential_has_its_distribution)
    SUITE_TEST(rng, tails_have_their_shape)
    SUITE_TEST(rng, fill_is_box_and_muller)
    SUITE_TEST(rng, a_fill_begins_any_longer_one)
    SUITE_TEST(rng, fill_has_the_normal_distribution)
    SUITE_TEST(rng, fill_at_the_corners_of_its_words)
    SUITE_TEST(rng, fill_has_the_same_bits_everywhere)
    SUITE_TEST(rng, fill_is_the_same_at_every_level)
SUITE_END(rng)
