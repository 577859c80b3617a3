/* 05_outputs.c - several outputs at once: measurements made together tell more
 *
 *     cc -O2 -I. examples/05_outputs.c -o 05_outputs -lm && ./05_outputs          (at the top of the project)
 *
 * Three sensors of one machine drift with its temperature, each by its own curve and in its own unit, and share momentary
 * disturbances. One model describes all three: they share features and length scale, and Sigma, the covariance of their noise, is
 * learnt. When the third sensor fails, the readings of the others tell the disturbance, and so what the third would have read. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>

enum { N = 60, P = 3 };

/* Readings at temperature x: smooth curves, a disturbance u that all three share, and noise of each. */
static void readings(double x, bln_rng *rng, double *y)
{
    const double u = bln_rng_normal(rng);
    y[0] = 20.0 + 3.0*sin(2.0*x)       + 1.0*u + 0.20*bln_rng_normal(rng);
    y[1] = 0.5 + 0.02*x*x              - 0.03*u + 0.01*bln_rng_normal(rng);
    y[2] = 900.0 + 40.0*cos(1.5*x)     + 25.0*u + 5.0*bln_rng_normal(rng);
}

/* Mean and variance of the last output, normal given those before it, with the covariance `scale` times Sigma. */
static void given_the_others(const double *sigma, double scale, const double *mean, const double *y, double *m, double *v)
{
    const double a = sigma[0], b = sigma[1], c = sigma[4], det = a*c - b*b, s = sigma[2], t = sigma[5];
    const double g = (s*c - t*b)/det, h = (t*a - s*b)/det;
    *m = mean[2] + g*(y[0] - mean[0]) + h*(y[1] - mean[1]);
    *v = scale*(sigma[8] - g*s - h*t);
}

int main(void)
{
    double X[N], Y[N*P], x_new = 0.7, y_new[P], mean[P], var[P], noise[P], m, v;
    bln_data data = BLN_ZERO, query = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    bln_fourier_desc curve = BLN_ZERO;
    bln_basis *parts[2], *basis = NULL;
    bln_slm *model = NULL;
    bln_report report = BLN_ZERO;
    bln_rng rng;

    bln_rng_seed(&rng, 9, 0);
    for (size_t i = 0; i < N; i++) {
        X[i] = -3.0 + 6.0*bln_rng_uniform(&rng);
        readings(X[i], &rng, Y + i*P);
    }
    readings(x_new, &rng, y_new);

    data.n = N;   data.d = 1;   data.X = X;   data.y = Y;   data.p = P;
    query.n = 1;  query.d = 1;  query.X = &x_new;
    curve.d = 1;
    curve.n = 30;
    if (bln_bias_create(NULL, &parts[0]) || bln_fourier_create(&curve, &parts[1], &report)
        || bln_basis_sum(NULL, 2, parts, &basis, &report)) { puts(report.text); return 1; }
    desc.basis = basis;
    desc.n_outputs = P;
    for (int full = 0; full < 2; full++) {
        desc.sigma = full ? BLN_SLM_CORRELATED : BLN_SLM_DIAGONAL;
        if (bln_slm_create(&desc, &model, &report) || bln_slm_fit(model, &data, &report)
            || bln_slm_predict(model, &query, mean, var, noise, NULL, &report)) { puts(report.text); return 1; }
        for (size_t p = 0; p < P; p++) var[p] += noise[p];
        const double *sigma = bln_slm_noise_cov(model);
        printf("%s Sigma: log evidence %.1f\n", full ? "full" : "diagonal", bln_slm_evidence(model));
        for (size_t p = 0; p < P; p++)
            printf("    sensor %lu  %8.3f +- %-7.3f noise sd %.3f\n", (unsigned long)p + 1, mean[p], 2.0*sqrt(var[p]),
                   sqrt(sigma[p*P + p]));
        if (full) {
            printf("    correlation of the noise  1-2 %.2f  1-3 %.2f  2-3 %.2f\n", sigma[1]/sqrt(sigma[0]*sigma[4]),
                   sigma[2]/sqrt(sigma[0]*sigma[8]), sigma[5]/sqrt(sigma[4]*sigma[8]));
            given_the_others(sigma, var[0]/sigma[0], mean, y_new, &m, &v);
            printf("\nsensor 3, when 1 and 2 read %.2f and %.3f:  %.1f +- %.1f   (it did read %.1f)\n", y_new[0], y_new[1], m,
                   2.0*sqrt(v), y_new[2]);
        }
        bln_slm_free(model);
    }
    bln_basis_free(basis);
    return 0;
}
