/* goodness.h - what the tests of the samplers share: moments, chi-square and Kolmogorov-Smirnov at fixed seeds
 *
 * A case is a row of a golden table: two parameters (1e308: infinity); mean, variance, third, fourth and sixth central moment (-1
 * for an even one that does not exist); ascending cuts x with P(X <= x), filled up with 1e308 of probability 1
 * (tools/golden_sampler.py).
 *
 * Bounds are 5 standard deviations: of a normal for moments; of the cube root of chi-square over its degrees of freedom, which is
 * nearly normal (Wilson & Hilferty 1931); for Kolmogorov-Smirnov sqrt(n) D <= 2.6 (2 e^{-2 2.6^2} = 3e-6). */
#ifndef BLN_TESTS_GOODNESS_H
#define BLN_TESTS_GOODNESS_H

typedef double (*goodness_draw)(bln_rng *rng, double p, double q);

static TEST_UNUSED void goodness_near(double got, double want, double tolerance, const char *what, const char *name, double p,
                                      double q)
{
    char text[200];
    snprintf(text, sizeof text, "%s of %s(%g, %g)", what, name, p, q);
    test_near(got, want, tolerance, __FILE__, __LINE__, text);
}

/* The 5 sigma point of chi-square with k degrees of freedom. */
static TEST_UNUSED double goodness_chi2_bound(double k)
{
    const double h = 2.0/(9.0*k), root = 1.0 - h + 5.0*sqrt(h);
    return k*root*root*root;
}

/* sum (count - n p)^2/(n p) over the cells; cells of probability 0 must be empty. */
static TEST_UNUSED void goodness_chi2(size_t cells, const double *count, const double *probability, double n, const char *name,
                                      double p, double q)
{
    double sum = 0.0, freedom = -1.0;
    for (size_t i = 0; i < cells; i++) {
        const double want = n*probability[i];
        if (want == 0.0) { goodness_near(count[i], 0.0, 0.0, "impossible draws", name, p, q); continue; }
        sum += (count[i] - want)*(count[i] - want)/want;
        freedom += 1.0;
    }
    if (freedom > 0.0) goodness_near(sum, 0.0, goodness_chi2_bound(freedom), "chi-square", name, p, q);
}

enum { GOODNESS_CELLS = 64 };

/* tcc does not take HUGE_VAL for a constant. */
static TEST_UNUSED double goodness_parameter(double p) { return p >= 1e308 ? HUGE_VAL : p <= -1e308 ? -HUGE_VAL : p; }

/* Compares n draws with a golden row of m cuts. */
static TEST_UNUSED void goodness_check(const double *row, size_t m, goodness_draw draw, const char *name, size_t n, uint64_t stream)
{
    const double p = goodness_parameter(row[0]), q = goodness_parameter(row[1]), N = (double)n;
    const double mean = row[2], var = row[3], third = row[4], fourth = row[5], sixth = row[6], *cut = row + 7;
    double count[GOODNESS_CELLS] = { 0.0 }, probability[GOODNESS_CELLS], sum = 0.0, square = 0.0, cube = 0.0;
    bln_rng r;
    bln_rng_seed(&r, 31, stream);
    for (size_t i = 0; i < n; i++) {
        const double x = draw(&r, p, q), d = x - mean;
        size_t low = 0, high = m;                                     /* the cell is the number of cuts below x */
        while (low < high) {
            const size_t middle = (low + high)/2;
            if (x <= cut[2*middle]) high = middle;
            else low = middle + 1;
        }
        count[low] += 1.0;
        sum += d;
        square += d*d;
        cube += d*d*d;
    }
    for (size_t i = 0; i <= m; i++) probability[i] = (i < m ? cut[2*i + 1] : 1.0) - (i > 0 ? cut[2*i - 1] : 0.0);
    goodness_chi2(m + 1, count, probability, N, name, p, q);
    if (var >= 0.0) goodness_near(sum/N, 0.0, 5.0*sqrt(var/N), "mean", name, p, q);
    if (fourth >= 0.0) goodness_near(square/N, var, 5.0*sqrt((fourth - var*var)/N), "variance", name, p, q);
    if (sixth >= 0.0) goodness_near(cube/N, third, 5.0*sqrt((sixth - third*third)/N), "third moment", name, p, q);
}

#define GOODNESS_TABLE(table, draw, n) \
    for (size_t goodness_i = 0; goodness_i < sizeof(table)/sizeof *(table); goodness_i++) \
        goodness_check((table)[goodness_i], (sizeof *(table)/sizeof **(table) - 7)/2, draw, #draw, n, goodness_i)

static int goodness_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* sqrt(n) sup |F_n - F| of x, which is sorted. */
static TEST_UNUSED double goodness_kolmogorov(size_t n, double *x, double (*cdf)(double x, double p, double q), double p, double q)
{
    double worst = 0.0;
    qsort(x, n, sizeof *x, goodness_compare);
    for (size_t i = 0; i < n; i++) {
        const double f = cdf(x[i], p, q), up = (double)(i + 1)/(double)n - f, down = f - (double)i/(double)n;
        if (!(up <= worst)) worst = up;
        if (!(down <= worst)) worst = down;
    }
    return worst*sqrt((double)n);
}

#endif /* BLN_TESTS_GOODNESS_H */
