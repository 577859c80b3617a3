/* slm_tools.h - data, bases and models for the tests of the linear model */
#ifndef BLN_TESTS_SLM_TOOLS_H
#define BLN_TESTS_SLM_TOOLS_H
#include "../test.h"
#include "../golden/slm_golden.h"

static TEST_UNUSED bln_basis *slm_parse(const char *text, size_t d, uint64_t seed)
{
    bln_spec_desc desc;
    bln_basis *b = NULL;
    bln_report report;
    memset(&desc, 0, sizeof desc);
    desc.text = text;
    desc.d = d;
    desc.seed = seed;
    bln_report_clear(&report);
    CHECK_OK(bln_basis_parse(&desc, &b, &report));
    if (!b) { printf("    %s: %s\n", text, report.text); exit(1); }
    return b;
}

static TEST_UNUSED bln_slm *slm_new(const bln_slm_desc *desc)
{
    bln_slm *slm = NULL;
    CHECK_OK(bln_slm_create(desc, &slm, NULL));
    if (!slm) exit(1);
    return slm;
}

static TEST_UNUSED bln_slm_desc slm_desc(const bln_basis *b, bln_slm_form form)
{
    bln_slm_desc d;
    memset(&d, 0, sizeof d);
    d.basis = b;
    d.form = form;
    return d;
}

/* A view of the caller's arrays. */
static TEST_UNUSED bln_data slm_view(size_t n, size_t d, const double *X, const double *y)
{
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = n;
    data.d = d;
    data.X = X;
    data.y = y;
    return data;
}

/* n rows of a smooth function of d inputs with noise, and, if wanted, weights, row variances and offsets. Free with
 * slm_free_data. */
static TEST_UNUSED bln_data slm_make(size_t n, size_t d, uint64_t salt, int full)
{
    bln_data data;
    test_random r = test_random_new(salt);
    double *X = test_doubles(n*d), *y = test_doubles(n), *w = test_doubles(n), *v = test_doubles(n), *o = test_doubles(n);
    memset(&data, 0, sizeof data);
    for (size_t i = 0; i < n; i++) {
        double f = 0.3;
        for (size_t j = 0; j < d; j++) {
            X[i*d + j] = test_normal(&r);
            f += sin(1.3*X[i*d + j] + (double)j);
        }
        w[i] = i % 7 == 3 ? 0.0 : 1.0 + floor(3.0*test_uniform(&r));
        v[i] = 0.3 + 2.0*test_uniform(&r);
        o[i] = test_normal(&r);
        y[i] = f + 0.3*test_normal(&r);
    }
    data.n = n;
    data.d = d;
    data.X = X;
    data.y = y;
    if (full) { data.weight = w; data.noise_var = v; data.offset = o; }
    else { free(w); free(v); free(o); }
    return data;
}
static TEST_UNUSED void slm_free_data(bln_data *data)
{
    free((void *)data->X);
    free((void *)data->y);
    free((void *)data->weight);
    free((void *)data->noise_var);
    free((void *)data->offset);
}

/* The golden data set, with v = 1/omega in the caller's array. */
static TEST_UNUSED bln_data slm_golden_data(double *v)
{
    bln_data data = slm_view(12, 5, golden_slm_in_Phi, golden_slm_in_y);
    for (size_t i = 0; i < 12; i++) v[i] = 1.0/golden_slm_in_omega[i];
    data.noise_var = v;
    return data;
}

/* The central difference of the evidence in log *at, h = 1e-5; *at is an argument of the evidence, and is restored. */
static TEST_UNUSED double slm_slope(const bln_slm *slm, const bln_data *data, const double *noise_var, const double *prior,
                                    const double *theta, double *at)
{
    const double h = 1e-5, keep = *at;
    double up = 0.0, down = 0.0;
    *at = keep*exp(h);
    CHECK_OK(bln_slm_evidence_at(slm, data, *noise_var, prior, theta, &up, NULL, NULL, NULL, NULL));
    *at = keep/exp(h);
    CHECK_OK(bln_slm_evidence_at(slm, data, *noise_var, prior, theta, &down, NULL, NULL, NULL, NULL));
    *at = keep;
    return (up - down)/(2*h);
}

/* D features that are the D inputs themselves, each a slice of its own. */
static TEST_UNUSED bln_basis *slm_columns(size_t D)
{
    bln_basis *parts[16], *one = NULL, *sum = NULL;
    for (size_t j = 0; j < D; j++) {
        CHECK_OK(bln_linear_create(NULL, 1, 0, &one));
        CHECK_OK(bln_basis_columns(NULL, D, 1, &j, one, &parts[j], NULL));
    }
    CHECK_OK(bln_basis_sum(NULL, D, parts, &sum, NULL));
    if (!sum) exit(1);
    return sum;
}

/* A fitted model with everything fixed. theta: NULL for a basis without parameters. */
static TEST_UNUSED bln_slm_desc slm_fixed(const bln_basis *b, bln_slm_form form, double noise_var, const double *prior_var,
                                           const double *theta)
{
    bln_slm_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.basis = b;
    desc.form = form;
    desc.noise_var = noise_var;
    desc.prior_var = prior_var;
    desc.theta = theta;
    desc.fix_noise_var = desc.fix_prior_var = desc.fix_theta = 1;
    return desc;
}

static TEST_UNUSED bln_slm *slm_fit(const bln_slm_desc *desc, const bln_data *data)
{
    bln_slm *slm = NULL;
    CHECK_OK(bln_slm_create(desc, &slm, NULL));
    if (!slm) exit(1);
    CHECK_OK(bln_slm_fit(slm, data, NULL));
    return slm;
}

/* A <- A^-1 of an SPD matrix (n x n) by Gauss-Jordan; its log determinant. */
static TEST_UNUSED double slm_invert(size_t n, double *A)
{
    double logdet = 0.0;
    for (size_t c = 0; c < n; c++) {
        const double pivot = A[c*n + c];
        logdet += log(pivot);
        A[c*n + c] = 1.0;
        for (size_t j = 0; j < n; j++) A[c*n + j] /= pivot;
        for (size_t i = 0; i < n; i++) {
            const double f = A[i*n + c];
            if (i == c) continue;
            A[i*n + c] = 0.0;
            for (size_t j = 0; j < n; j++) A[i*n + j] -= f*A[c*n + j];
        }
    }
    return logdet;
}

/* Checks that mean and covariance over n draws (rows of F, stride at) are within 5 standard errors of mean and C (at x at). */
static TEST_UNUSED void slm_check_moments(size_t n, size_t at, const double *F, const double *mean, const double *C)
{
    for (size_t i = 0; i < at; i++) {
        double sum = 0.0;
        for (size_t r = 0; r < n; r++) sum += F[r*at + i];
        CHECK_NEAR(sum/(double)n, mean[i], 5.0*sqrt(C[i*at + i]/(double)n));
        for (size_t j = 0; j <= i; j++) {
            double product = 0.0;
            for (size_t r = 0; r < n; r++) product += (F[r*at + i] - mean[i])*(F[r*at + j] - mean[j]);
            CHECK_NEAR(product/(double)n, C[i*at + j], 5.0*sqrt((C[i*at + i]*C[j*at + j] + C[i*at + j]*C[i*at + j])/(double)n));
        }
    }
}

#endif /* BLN_TESTS_SLM_TOOLS_H */
