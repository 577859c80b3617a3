/* 04_own_basis.c - a basis of your own, with a parameter that is learnt: cycles of unknown period
 *
 *     cc -I. examples/04_own_basis.c -o 04_own_basis -lm && ./04_own_basis
 *
 * Carbon dioxide over Mauna Loa, monthly, 1994 to 1997 (Keeling & Whorf): a rising line and a yearly cycle. The cycle is a basis
 * that the library does not have,
 *     phi(x; P) = [cos(2 pi k x / P), sin(2 pi k x / P)],   k = 1, 2, 3,
 * with the period P as its parameter. The program fills in a table of functions and adds the basis to a line; P is learnt by the
 * evidence, together with noise and prior variances. Only the chain rule (pullback) is easy to get wrong, so the program first
 * compares it with differences: do the same for yours. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>

#define TWO_PI 6.28318530717958647692
enum { HARMONICS = 3, N = 48 };

static const double ppm[N] = {
    358.34, 358.89, 359.95, 361.25, 361.67, 360.94, 359.55, 357.49, 355.84, 356.00, 357.59, 359.05,
    359.98, 361.03, 361.66, 363.48, 363.82, 363.30, 361.94, 359.50, 358.11, 357.80, 359.61, 360.74,
    362.09, 363.29, 364.06, 364.76, 365.45, 365.01, 363.70, 361.54, 359.51, 359.65, 360.80, 362.38,
    363.23, 364.06, 364.61, 366.40, 366.84, 365.68, 364.52, 362.57, 360.24, 360.83, 362.49, 364.34
};

/* A row of features: pairs of cosine and sine. */
static void cycle_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                           double *Phi, size_t ldphi, double *work)
{
    (void)b;
    (void)work;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < HARMONICS; k++) {
            const double angle = TWO_PI*(double)(k + 1)*X[i*ldx]/theta[0];
            Phi[i*ldphi + 2*k] = cos(angle);
            Phi[i*ldphi + 2*k + 1] = sin(angle);
        }
}

/* Given F = dL/dPhi: with a = 2 pi k x / P, da/dP = -a/P and da/dx = a/x = 2 pi k / P; d cos a = -sin a da, d sin a = cos a da.
 * Phi already has the cosine and sine. */
static void cycle_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                           const double *Phi, size_t ldphi, const double *F, size_t ldf,
                           double *dtheta, double *dX, size_t lddx, double *work)
{
    (void)b;
    (void)work;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < HARMONICS; k++) {
            const double *phi = Phi + i*ldphi + 2*k, *f = F + i*ldf + 2*k;
            const double d_angle = f[1]*phi[0] - f[0]*phi[1], slope = TWO_PI*(double)(k + 1)/theta[0];
            if (dtheta) dtheta[0] -= d_angle*slope*X[i*ldx]/theta[0];
            if (dX) dX[i*lddx] += d_angle*slope;
        }
}

/* The period lies between 2 months and 4 years; the search begins at 13 months, to show that it finds a year. */
static void cycle_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    (void)b;
    (void)k;
    (void)inputs;
    out->kind = BLN_PARAM_LOG;
    out->lo = 2.0/12.0;
    out->hi = 4.0;
    out->start = 13.0/12.0;
}

static bln_basis_ops cycle_ops;          /* other members stay NULL: no workspace, default names, cannot be saved     */
static bln_basis cycle;

static int failed(const char *what, const bln_report *report)
{
    fprintf(stderr, "%s: %s\n", what, report->text);
    return 1;
}

int main(void)
{
    static double year[N];
    bln_data data = BLN_ZERO, query = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_basis *line = NULL, *sum = NULL, *parts[2];
    bln_slm *model = NULL;

    cycle_ops.name = "cycle";
    cycle_ops.features = cycle_features;
    cycle_ops.pullback = cycle_pullback;
    cycle_ops.param = cycle_param;
    cycle.ops = &cycle_ops;
    cycle.d = 1;
    cycle.D = 2*HARMONICS;
    cycle.n_theta = 1;
    cycle.n_slices = 1;

    /* Time is measured from the middle of the series; subtracting the first value keeps ppm numbers moderate. */
    static double y[N];
    for (size_t i = 0; i < N; i++) {
        year[i] = ((double)i - 0.5*(N - 1))/12.0;
        y[i] = ppm[i] - ppm[0];
    }
    data.n = N;
    data.d = 1;
    data.X = year;
    data.y = y;

    parts[0] = &cycle;
    if (bln_linear_create(NULL, 1, 1, &line)) return 1;
    parts[1] = line;
    if (bln_basis_sum(NULL, 2, parts, &sum, &report)) return failed("sum", &report);
    desc.basis = sum;
    desc.tolerance = 1e-10;
    if (bln_slm_create(&desc, &model, &report)) return failed("model", &report);

    /* Compares d log p(y) / dP by the pullback with central differences. */
    const double prior[2] = { 4.0, 4.0 }, h = 1e-5;
    const double at = 1.02, above = at + h, below = at - h;
    double value, up, down, slope;
    if (bln_slm_evidence_at(model, &data, 0.3, prior, &at, &value, NULL, NULL, &slope, &report)
        || bln_slm_evidence_at(model, &data, 0.3, prior, &above, &up, NULL, NULL, NULL, &report)
        || bln_slm_evidence_at(model, &data, 0.3, prior, &below, &down, NULL, NULL, NULL, &report))
        return failed("evidence", &report);
    printf("slope of the evidence at P = 1.02: %.3f, by differences %.3f\n\n", slope, (up - down)/(2.0*h));

    if (bln_slm_fit(model, &data, &report)) return failed("fit", &report);
    printf("period         %.4f years\n", bln_slm_theta(model)[0]);
    printf("noise          %.3f ppm\n", sqrt(bln_slm_noise_var(model)));
    printf("log evidence   %.2f nats\n\n", bln_slm_evidence(model));

    double w[2*HARMONICS + 2], sd[2*HARMONICS + 2];
    if (bln_posterior_coefficients(bln_slm_posterior(model), w, sd, 0, NULL, NULL, NULL, &report)) return 1;
    for (size_t k = 0; k < HARMONICS; k++)
        printf("harmonic %lu     amplitude %.2f ppm\n", (unsigned long)(k + 1), sqrt(w[2*k]*w[2*k] + w[2*k + 1]*w[2*k + 1]));
    printf("trend          %.2f +- %.2f ppm a year\n\n", w[2*HARMONICS + 1], sd[2*HARMONICS + 1]);

    /* Predictions for the following year. */
    static const double next[4] = { 2.0 + 0.5/12.0, 2.0 + 3.5/12.0, 2.0 + 6.5/12.0, 2.0 + 9.5/12.0 };
    static const char *const month[4] = { "January", "April", "July", "October" };
    double mean[4], var_model[4], var_noise[4];
    query.n = 4;
    query.d = 1;
    query.X = next;
    if (bln_slm_predict(model, &query, mean, var_model, var_noise, NULL, &report)) return 1;
    for (size_t i = 0; i < 4; i++)
        printf("%-8s 1998  %.2f +- %.2f ppm\n", month[i], ppm[0] + mean[i], sqrt(var_model[i] + var_noise[i]));

    bln_slm_free(model);
    bln_basis_free(sum);                 /* also frees the line; the cycle is in static memory     */
    return 0;
}
