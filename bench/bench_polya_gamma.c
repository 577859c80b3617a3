/* bench_polya_gamma.c - what a draw of PG(b, c) costs, and whether its first four cumulants are right
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_polya_gamma.c -o build/bench_polya_gamma -lm && build/bench_polya_gamma [DRAWS]
 *
 * DRAWS (1e6) of each pair of b and c; 1e8 takes ten minutes. Nanoseconds of a draw, the least of ten parts of them, of the
 * processor's time; then how many standard errors mean, variance, third and fourth cumulant are off those of the definition, which
 * sums over its gammas' weights. */
#define _DEFAULT_SOURCE
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>
#include <time.h>

/* Central moments 2 to 8 from cumulants (j - 1)! b sum_k w_k^j: m_n = sum_{i=2..n} C(n - 1, i - 1) kappa_i m_{n-i}. */
static void central(double b, double c, double *mean, double *m)
{
    double kappa[9], factorial = 1.0;
    for (int j = 1; j < 9; j++) {
        const double end = 20000.0;
        double sum = 0.0;
        for (double k = end; k >= 1.0; k -= 1.0) {
            const double odd = (2.0*k - 1.0)*BLNI_PI;
            sum += pow(2.0/(odd*odd + c*c), j);
        }
        if (j == 1) sum += 0.5/(BLNI_PI*BLNI_PI*end);
        kappa[j] = b*factorial*sum;
        factorial *= j;
    }
    *mean = kappa[1];
    m[0] = 1.0;
    m[1] = 0.0;
    for (int n = 2; n < 9; n++) {
        double choose = 1.0;
        m[n] = 0.0;
        for (int i = 1; i <= n; i++) {
            if (i > 1) m[n] += choose*kappa[i]*m[n - i];
            choose *= (double)(n - i)/i;
        }
    }
}

int main(int argc, char **argv)
{
    static const double bs[] = { 1e-3, 0.3, 0.5, 0.9, 1.0, 1.5, 2.0, 2.7, 3.9, 4.2, 5.0, 7.3, 10.5, 50.0, 100.3, 1000.0, 1e6 },
                        cs[] = { 0.1, 2.0, 4.0, 8.0 };
    const size_t draws = argc > 1 ? (size_t)(10.0*floor(0.1*atof(argv[1]))) : 1000000;
    const double N = (double)draws;
    printf("%9s %5s %7s %28s\n", "b", "c", "ns", "z of cumulants 1, 2, 3, 4");
    for (size_t i = 0; i < sizeof bs/sizeof *bs; i++)
        for (size_t k = 0; k < sizeof cs/sizeof *cs; k++) {
            double mean, m[9], s1 = 0.0, s2 = 0.0, s3 = 0.0, s4 = 0.0;
            bln_rng rng;
            bln_rng_seed(&rng, 1, 16*i + k);
            central(bs[i], cs[k], &mean, m);
            const double sd = sqrt(m[2]);
            double ns = HUGE_VAL;
            for (size_t part = 0; part < 10; part++) {
                const double before = (double)clock();
                for (size_t r = 0; r < draws/10; r++) {
                    const double d = (bln_rng_polya_gamma(&rng, bs[i], cs[k]) - mean)/sd, square = d*d;
                    s1 += d;
                    s2 += square - 1.0;
                    s3 += square*d - 3.0*d;
                    s4 += square*square - 6.0*square + 3.0;
                }
                ns = fmin(ns, ((double)clock() - before)/CLOCKS_PER_SEC/N*1e10);
            }
            double u[9], unit = 1.0;
            for (int j = 0; j < 9; j++, unit *= sd) u[j] = m[j]/unit;
            printf("%9g %5g %7.1f %+7.2f%+7.2f%+7.2f%+7.2f\n", bs[i], cs[k], ns, s1/sqrt(N), s2/sqrt(N*(u[4] - 1.0)),
                   (s3 - N*u[3])/sqrt(N*(u[6] - 6.0*u[4] + 9.0 - u[3]*u[3])),
                   (s4 - N*(u[4] - 3.0))/sqrt(N*(u[8] - 12.0*u[6] + 36.0*u[4] - (u[4] - 6.0)*(u[4] - 6.0))));
            fflush(stdout);
        }
    return 0;
}
