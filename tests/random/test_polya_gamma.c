/* polya_gamma: mean and sums of weights against golden values and the definition; the two series that decide against plain sums,
 * and draws by them; draws of each way, on both sides of where ways change, have the cumulants of the definition, the golden
 * distribution functions and Laplace transforms, and that of the series; limits, tiny and huge arguments.
 *
 * Seeds are fixed; bounds are those of 5 standard deviations. */
#include "../test.h"
#include "../golden/polya_gamma_golden.h"
#include "goodness.h"

/* sum_{k > K} w_k^j of the definition: a sum to the end, and for j = 1 the integral of the rest, whose error is below end^-3. */
static double polya_gamma_power(double c, size_t K, int j)
{
    const double end = 2000.0;
    double sum = 0.0;
    for (double k = end; k > (double)K; k -= 1.0) {
        const double odd = (2.0*k - 1.0)*BLNI_PI, w = 2.0/(odd*odd + c*c);
        double p = 1.0;
        for (int i = 0; i < j; i++) p *= w;
        sum += p;
    }
    return j > 1 ? sum : sum + 0.5/(BLNI_PI*BLNI_PI*end);
}

TEST(polya_gamma, sums_of_weights)
{
    static const double at[] = { 0.0, 1e-3, 0.3, 1.399, 1.4, 1.7, 4.0, 9.0, 30.0 };
    for (size_t i = 0; i < sizeof at/sizeof *at; i++)
        for (size_t K = 0; K < 3; K++) {
            double p[5];
            if (K > 1 && at[i] > 2.0) continue;                   /* not asked for: b < 10 there, and e^c > b/0.8 elsewhere */
            blni_polya_gamma_rest(at[i], exp(-at[i]), K, p);
            for (int j = 1; j < 6; j++) CHECK_REL(p[j - 1], polya_gamma_power(at[i], K, j), j < 3 ? 1e-8 : 1e-5);
        }
    for (size_t i = 0; i < 72; i++) {
        const double *g = golden_polya_gamma_moments[i], b = g[0], c = g[1];
        double p[5];
        blni_polya_gamma_rest(c, exp(-c), 0, p);
        CHECK_REL(blni_polya_gamma_mean(b, c), g[2], 1e-15);
        CHECK_REL(b*p[0], g[2], 1e-12);
        CHECK_REL(b*p[1], g[3], 1e-12);
        CHECK_REL(2.0*b*p[2], g[4], 1e-11);
    }
    CHECK_REL(blni_polya_gamma_mean(3.0, 1e-2), 150.0*tanh(0.005), 1e-15);
    CHECK_REL(blni_polya_gamma_mean(3.0, -1e300), 1.5e-300, 1e-15);
}

/* The sums to their end. Their terms are at most 10 in the cases below. */
TEST(polya_gamma, series_that_decide)
{
    static const double bs[] = { 1e-300, 1e-3, 0.3, 0.5, 1.0, 2.7 };
    for (size_t i = 0; i < 6; i++)
        for (double x = 0.02; x < 25.0; x *= 1.3) {
            const double b = bs[i];
            double sum = 1.0, product = 1.0;
            for (double n = 1.0; n < 60.0; n += 1.0) {
                sum += ((int)n & 1 ? -1.0 : 1.0)*(2.0*n + b)/n*product*exp(-2.0*n*(n + b)/x);
                product *= 1.0 + b/n;
            }
            for (double v = 1e-7; v < 1.0; v += 0.0371)
                CHECK(fabs(v - sum) < 1e-12 || blni_polya_gamma_below(v, b, x) == (v < sum));
            CHECK(blni_polya_gamma_below(sum - 1e-12, b, x) || sum < 1e-7);
            CHECK(!blni_polya_gamma_below(sum + 1e-12, b, x));
        }
    for (double q = 1e-30; q < 0.002; q *= 1.3) {
        const double sum = 1.0 - 3.0*q + 5.0*q*q*q - 7.0*q*q*q*q*q*q;
        CHECK(blni_polya_gamma_theta(sum - 1e-15, q) && !blni_polya_gamma_theta(sum + 1e-15, q));
    }
}

/* PG(1, 2 z) from the same random numbers, by the series itself; below 0.99 a uniform is below it everywhere. */
static double polya_gamma_by_the_series(bln_rng *rng, double z)
{
    const double t = 0.64, K = BLNI_PI*BLNI_PI/8.0 + 0.5*z*z, left = 4.0*bln_norm_cdf(-1.0/sqrt(t));
    const double right = 0.5*BLNI_PI/K*exp(-K*t);
    for (;;) {
        double x, sum = 0.0;
        if (bln_rng_uniform(rng) < left/(left + right)) {
            double u;
            do {
                x = 1.0/(1.0/t + 2.0*bln_rng_exponential(rng));
                u = bln_rng_uniform(rng);
            } while (u*u*t/x > 1.0);
            if (bln_rng_exponential(rng) < 0.5*z*z*x) continue;
        } else x = t + bln_rng_exponential(rng)/K;
        const double v = bln_rng_uniform(rng), rate = x < t ? 2.0/x : 0.5*BLNI_PI*BLNI_PI*x;
        for (int n = 0; n < 20 && v > 0.99; n++) sum += (n % 2 ? -1.0 : 1.0)*(2.0*n + 1.0)*exp(-rate*n*(n + 1.0));
        if (v <= 0.99 || v < sum) return 0.25*x;
    }
}

/* One in a thousand of these is not taken, too few for their distribution to show it. */
TEST(polya_gamma, one_by_the_series)
{
    for (int k = 0; k < 3; k++) {
        bln_rng a, b;
        bln_rng_seed(&a, 54, (uint64_t)k);
        bln_rng_seed(&b, 54, (uint64_t)k);
        for (int i = 0; i < 20000; i++) {
            const double want = polya_gamma_by_the_series(&b, 0.45*k);
            CHECK_REL(blni_polya_gamma_one(&a, 0.45*k), want, 1e-14);
        }
    }
}

/* Central moments 2 to 8 in units of the standard deviation, from the cumulants (j - 1)! b sum_k w_k^j. */
static void polya_gamma_central(double b, double c, double *sd, double *m)
{
    double kappa[9] = { 0.0 }, factorial = 1.0;
    for (int j = 2; j < 9; j++) {
        factorial *= (double)(j - 1);
        kappa[j] = b*factorial*polya_gamma_power(c, 0, j);
    }
    *sd = sqrt(kappa[2]);
    m[0] = 1.0;
    m[1] = 0.0;
    double unit = 1.0;
    for (int n = 2; n < 9; n++) {
        double choose = 1.0;
        m[n] = 0.0;
        for (int i = 1; i <= n; i++) {
            m[n] += choose*kappa[i]*m[n - i];
            choose *= (double)(n - i)/i;
        }
    }
    for (int n = 1; n < 9; n++) m[n] /= unit *= *sd;
}

/* Mean, variance, third and fourth cumulant of n draws; d = (omega - mean)/sd. Their influence functions d, d^2 - 1, d^3 - 3 d and
 * d^4 - 6 d^2 + 3 have known variances. The means of tiny b are those of a few large draws: no normal sums, hence `cumulants`. */
static void polya_gamma_check(double b, double c, size_t draws, int cumulants, uint64_t stream)
{
    const double n = (double)draws, mean = blni_polya_gamma_mean(b, c);
    double sd, m[9], sum[4] = { 0.0 };
    bln_rng rng;
    bln_rng_seed(&rng, 51, stream);
    polya_gamma_central(b, c, &sd, m);
    for (size_t i = 0; i < draws; i++) {
        const double d = (bln_rng_polya_gamma(&rng, b, c) - mean)/sd, square = d*d;
        sum[0] += d;
        sum[1] += square - 1.0;
        sum[2] += square*d - 3.0*d - m[3];
        sum[3] += square*square - 6.0*square + 6.0 - m[4];
    }
    const double var[4] = { 1.0, m[4] - 1.0, m[6] - 6.0*m[4] + 9.0 - m[3]*m[3],
                            m[8] - 12.0*m[6] + 36.0*m[4] - (m[4] - 6.0)*(m[4] - 6.0) };
    static const char *const names[4] = { "mean", "variance", "third cumulant", "fourth cumulant" };
    for (int k = 0; k < cumulants; k++) goodness_near(sum[k]/sqrt(n*var[k]), 0.0, 5.0, names[k], "polya_gamma", b, c);
}

/* Arguments that no draw has: terms that overflow, so that no sum decides, and a number that is none. Nothing hangs, and what is
 * far beyond all draws is in no tail. */
TEST(polya_gamma, series_without_a_decision)
{
    CHECK(!blni_polya_gamma_below(0.5, 1e10, 1e11));
    CHECK(!blni_polya_gamma_below(BLNI_NAN, 0.5, 1.0));
}

TEST(polya_gamma, cumulants)
{
    static const double cases[][2] = {
        { 0.05, 0.0 }, { 0.3, 0.0 }, { 0.3, 5.0 }, { 0.5, 1.0 }, { 0.97, 0.2 }, { 1.0, 0.0 }, { 1.0, 1.5 }, { 1.0, 1.99 },
        { 1.0, 2.01 }, { 1.0, -8.0 }, { 1.5, 0.5 }, { 2.0, 0.9 }, { 2.0, 0.95 }, { 2.7, 1.2 }, { 2.7, 1.3 }, { 3.0, 0.0 },
        { 3.1, 0.7 }, { 4.0, 0.3 }, { 4.2, 0.0 }, { 4.2, 1.5 }, { 5.0, 1.0 }, { 9.9, 0.9 }, { 9.9, 2.4 }, { 9.9, 2.7 },
        { 10.0, 2.0 }, { 50.0, 1.399 }, { 50.0, 1.4 }, { 50.0, 4.0 }, { 199.0, 5.0 }, { 200.0, 5.5 }, { 1000.0, 0.0 },
        { 1000.0, 9.0 }, { 1e6, 3.0 }, { 1e15, 0.5 }, { 1e15, 40.0 } };
    for (size_t i = 0; i < sizeof cases/sizeof *cases; i++) polya_gamma_check(cases[i][0], cases[i][1], 100000, 4, i);
    polya_gamma_check(1.0, 0.7, 1000000, 4, 100);
    polya_gamma_check(0.5, 0.7, 1000000, 4, 101);
    polya_gamma_check(50.5, 2.0, 1000000, 4, 102);
    polya_gamma_check(1e-3, 1.0, 400000, 2, 103);
}

TEST(polya_gamma, golden_distribution_functions)
{
    for (size_t i = 0; i < 24; i++) {
        const double *g = golden_polya_gamma_cdf[i], n = 40000.0;
        double count[8] = { 0.0 }, probability[8], last = 0.0;
        bln_rng rng;
        bln_rng_seed(&rng, 52, i);
        for (size_t k = 0; k < 8; k++) {
            const double p = k < 7 ? g[3 + 2*k] : 1.0;
            probability[k] = p - last;
            last = p;
        }
        for (int r = 0; r < 40000; r++) {
            const double x = bln_rng_polya_gamma(&rng, g[0], g[1]);
            size_t cell = 0;
            while (cell < 7 && x > g[2 + 2*cell]) cell++;
            count[cell] += 1.0;
        }
        double expected[8], seen[8];                                /* cells of less than 10 draws join their neighbour */
        size_t cells = 0;
        for (size_t k = 0; k < 8; k++) {
            if (cells > 0 && (expected[cells - 1]*n < 10.0 || (k == 7 && probability[k]*n < 10.0))) {
                expected[cells - 1] += probability[k];
                seen[cells - 1] += count[k];
            } else {
                expected[cells] = probability[k];
                seen[cells++] = count[k];
            }
        }
        goodness_chi2(cells, seen, expected, n, "polya_gamma", g[0], g[1]);
    }
}

TEST(polya_gamma, golden_laplace_transforms)
{
    for (size_t i = 0; i < 72; i++) {
        const double *g = golden_polya_gamma_moments[i], n = 4000.0;
        double sum = 0.0, square = 0.0;
        bln_rng rng;
        bln_rng_seed(&rng, 53, i);
        for (int r = 0; r < 4000; r++) {
            const double e = exp(-0.7*bln_rng_polya_gamma(&rng, g[0], g[1])) - g[5];
            sum += e;
            square += e*e;
        }
        goodness_near(sum/n, 0.0, 5.0*sqrt(square)/n, "Laplace transform", "polya_gamma", g[0], g[1]);
    }
}

/* The series of the distribution function, term by term. x = 4 omega, z = c/2:
 * (1 + e^-2z)^b sum_n (-1)^n C(b + n - 1, n) [P(N > (a - zx)/sqrt x) e^{-2nz} + P(N > (a + zx)/sqrt x) e^{2(n + b)z}],
 * a = 2n + b. */
static double polya_gamma_cdf(double omega, double b, double c)
{
    const double x = 4.0*omega, z = 0.5*c, root = sqrt(x);
    double sum = 0.0, choose = 1.0;
    if (!(omega > 0.0)) return 0.0;
    for (double n = 0.0; n < 200.0; n += 1.0) {
        const double a = 2.0*n + b, term = choose*(0.5*erfc((a - z*x)/root*sqrt(0.5))*exp(-2.0*n*z)
                                                   + 0.5*erfc((a + z*x)/root*sqrt(0.5))*exp(2.0*(n + b)*z));
        sum += (int)n & 1 ? -term : term;
        if (n > 3.0 && term < 1e-16) break;
        choose *= (b + n)/(n + 1.0);
    }
    return pow(1.0 + exp(-2.0*z), b)*sum;
}

TEST(polya_gamma, series_of_the_distribution_function)
{
    enum { N = 40000 };
    static const double cases[][2] = { { 0.1, 0.0 }, { 0.3, 1.0 }, { 0.97, 0.0 }, { 1.0, 0.0 }, { 1.0, 2.0 }, { 1.0, 4.0 },
                                       { 2.7, 0.1 }, { 2.7, 3.0 }, { 3.5, 0.5 }, { 7.3, 1.0 } };
    double *x = test_doubles(N);
    for (size_t i = 0; i < sizeof cases/sizeof *cases; i++) {
        bln_rng rng;
        bln_rng_seed(&rng, 54, i);
        for (size_t k = 0; k < N; k++) x[k] = bln_rng_polya_gamma(&rng, cases[i][0], cases[i][1]);
        CHECK_LE(goodness_kolmogorov(N, x, polya_gamma_cdf, cases[i][0], cases[i][1]), 2.6);
    }
    free(x);
}

TEST(polya_gamma, limits)
{
    const double bad[][2] = { { -1.0, 1.0 }, { (double)NAN, 1.0 }, { HUGE_VAL, 1.0 }, { 1.0, (double)NAN }, { 1.0, HUGE_VAL },
                              { 2.0, -HUGE_VAL } };
    static const double bs[] = { 5e-324, 1e-300, 1e-20, 0.5, 1.0, 7.0, 1e8, 1e15, 1e300 },
                        cs[] = { 0.0, 5e-324, 1e-200, 1e-9, 1e-3, 50.0, 800.0, 1e10, 1e300 };
    bln_rng r, before, copy;
    bln_rng_seed(&r, 55, 0);
    before = r;
    for (size_t k = 0; k < 6; k++) {
        const double x = bln_rng_polya_gamma(&r, bad[k][0], bad[k][1]);
        CHECK(x != x);
    }
    CHECK(bln_rng_polya_gamma(&r, 0.0, 3.0) == 0.0 && bln_rng_polya_gamma(&r, 0.0, 1e300) == 0.0);
    CHECK(!memcmp(&r, &before, sizeof r));
    for (size_t i = 0; i < 9; i++)
        for (size_t k = 0; k < 9; k++) {
            const double b = bs[i], c = cs[k], mean = blni_polya_gamma_mean(b, c);
            /* The variance is below mean/2 max(1/6, 1/c^2), a small draw of many gammas near the mean. */
            const double sd = sqrt(mean)*sqrt(0.5*(c > 1.0 ? 1.0/c : 1.0)*(c > 1.0 ? 1.0/c : 1.0));
            copy = r;
            const double x = bln_rng_polya_gamma(&r, b, c), y = bln_rng_polya_gamma(&copy, b, -c);
            CHECK(x >= 0.0 && x < HUGE_VAL && x == y);
            if (b >= 1e8 || (b >= 1.0 && c > 700.0)) CHECK_NEAR(x, mean, 12.0*sd + 1e-14*mean);
            if (b < 1e-100) CHECK_LE(x, 1e-200);
        }
}

SUITE_BEGIN(polya_gamma)
    SUITE_TEST(polya_gamma, sums_of_weights)
    SUITE_TEST(polya_gamma, series_that_decide)
    SUITE_TEST(polya_gamma, series_without_a_decision)
    SUITE_TEST(polya_gamma, one_by_the_series)
    SUITE_TEST(polya_gamma, cumulants)
    SUITE_TEST(polya_gamma, golden_distribution_functions)
    SUITE_TEST(polya_gamma, golden_laplace_transforms)
    SUITE_TEST(polya_gamma, series_of_the_distribution_function)
    SUITE_TEST(polya_gamma, limits)
SUITE_END(polya_gamma)
