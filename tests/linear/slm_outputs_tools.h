/* slm_outputs_tools.h - data of several outputs, and their dense N P x N P Gaussian */
#ifndef BLN_TESTS_SLM_OUTPUTS_TOOLS_H
#define BLN_TESTS_SLM_OUTPUTS_TOOLS_H
#include "slm_tools.h"

/* n rows of p outputs that are different smooth functions, in y of stride p + 1 with NaN between the rows; noise correlated between
 * outputs. full: weights 0, 1, 2, row variances, an offset for each output (stride p + 2). Arrays live until slm_free_data. */
static TEST_UNUSED bln_data outputs_make(size_t n, size_t d, size_t p, uint64_t salt, int full)
{
    bln_data data;
    test_random r = test_random_new(salt);
    double *X = test_doubles(n*d), *y = test_doubles(n*(p + 1)), *o = test_doubles(n*(p + 2));
    double *w = test_doubles(n), *v = test_doubles(n);
    memset(&data, 0, sizeof data);
    for (size_t i = 0; i < n; i++) {
        const double common = 0.4*test_normal(&r);
        for (size_t j = 0; j < d; j++) X[i*d + j] = test_normal(&r);
        w[i] = i % 5 == 3 ? 0.0 : 1.0 + (double)(i % 2);
        v[i] = 0.4 + test_uniform(&r);
        y[i*(p + 1) + p] = o[i*(p + 2) + p] = o[i*(p + 2) + p + 1] = NAN;
        for (size_t k = 0; k < p; k++) {
            double f = 0.5*(double)k + common + 0.3*test_normal(&r);
            for (size_t j = 0; j < d; j++) f += sin(1.2*X[i*d + j] + (double)(j + 2*k));
            o[i*(p + 2) + k] = full ? test_normal(&r) : 0.0;
            y[i*(p + 1) + k] = (1.0 + (double)k)*f + o[i*(p + 2) + k];
        }
    }
    data.n = n;
    data.d = d;
    data.X = X;
    data.y = y;
    data.p = p;
    data.ldy = p + 1;
    if (full) {
        data.weight = w;
        data.noise_var = v;
        data.offset = o;
        data.ldoffset = p + 2;
    } else { free(w); free(v); free(o); }
    return data;
}

/* Output k alone, as a view. */
static TEST_UNUSED bln_data outputs_one(const bln_data *data, size_t k)
{
    bln_data one = *data;
    one.y = data->y + k;
    if (data->offset) one.offset = data->offset + k;
    one.p = 1;
    one.ldy = data->ldy ? data->ldy : data->p;
    one.ldoffset = data->ldoffset ? data->ldoffset : data->p;
    return one;
}

/* The dense model: covariance Sigma_pq (v_i [same copy] + phi_i' R phi_j) between copies of rows; a row of weight w has w
 * copies. */
typedef struct outputs_dense {
    size_t  rows, P, D, n;          /* copies, outputs, features, rows P */
    size_t *row;                    /* the data's row of each copy       */
    double *Phi, *K, *y;            /* rows x D; n x n factor; U^-T y    */
    double  logp;
} outputs_dense;

/* ratio: D numbers; sigma: P x P, both triangles. */
static TEST_UNUSED double outputs_kernel(const outputs_dense *g, const double *ratio, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t j = 0; j < g->D; j++) sum += ratio[j]*a[j]*b[j];
    return sum;
}

static TEST_UNUSED void outputs_features(const bln_basis *b, const double *theta, const bln_data *data, double *Phi)
{
    double *room = test_doubles(bln_basis_work(b, data->n) + 8), *work = room;
    while ((size_t)(uintptr_t)work % 64) work++;
    bln_basis_features(b, theta, data->n, data->X, data->ldx ? data->ldx : data->d, Phi, b->D, work);
    free(room);
}

static TEST_UNUSED outputs_dense outputs_dense_of(const bln_basis *b, const double *theta, const bln_data *data,
                                                  const double *ratio, const double *sigma)
{
    outputs_dense g;
    const size_t P = data->p;
    double *all = test_doubles(data->n*b->D);
    memset(&g, 0, sizeof g);
    g.P = P;
    g.D = b->D;
    g.row = (size_t *)malloc(2*data->n*sizeof *g.row);
    if (!g.row) exit(2);
    for (size_t i = 0; i < data->n; i++)
        for (double w = data->weight ? data->weight[i] : 1.0; w > 0.0; w -= 1.0) g.row[g.rows++] = i;
    g.n = g.rows*P;
    g.Phi = test_doubles(g.rows*g.D);
    g.K = test_doubles(g.n*g.n);
    g.y = test_doubles(g.n);
    outputs_features(b, theta, data, all);
    for (size_t i = 0; i < g.rows; i++) {
        const size_t row = g.row[i];
        memcpy(g.Phi + i*g.D, all + row*g.D, g.D*sizeof *all);
        for (size_t p = 0; p < P; p++)
            g.y[i*P + p] = data->y[row*data->ldy + p] - (data->offset ? data->offset[row*data->ldoffset + p] : 0.0);
    }
    for (size_t i = 0; i < g.rows; i++)
        for (size_t j = 0; j < g.rows; j++) {
            const double v = i == j ? (data->noise_var ? data->noise_var[g.row[i]] : 1.0) : 0.0;
            const double k = v + outputs_kernel(&g, ratio, g.Phi + i*g.D, g.Phi + j*g.D);
            for (size_t p = 0; p < P; p++)
                for (size_t q = 0; q < P; q++) g.K[(i*P + p)*g.n + j*P + q] = sigma[p*P + q]*k;
        }
    CHECK_OK(bln_potrf(g.n, g.K, g.n, NULL));
    bln_trsv(BLN_TRANS, g.n, g.K, g.n, g.y);
    g.logp = -0.5*((double)g.n*1.8378770664093453 + bln_logdet_factor(g.n, g.K, g.n) + bln_dot(g.n, g.y, g.y));
    free(all);
    return g;
}

/* Mean and covariance of the latent f of all outputs at a point with features phi.   mean: P, cov: P x P */
static TEST_UNUSED void outputs_dense_predict(const outputs_dense *g, const double *ratio, const double *sigma, const double *phi,
                                              double *mean, double *cov)
{
    const size_t P = g->P;
    double *c = test_doubles(g->n*P);
    for (size_t p = 0; p < P; p++) {
        for (size_t i = 0; i < g->rows; i++)
            for (size_t q = 0; q < P; q++)
                c[p*g->n + i*P + q] = sigma[p*P + q]*outputs_kernel(g, ratio, g->Phi + i*g->D, phi);
        bln_trsv(BLN_TRANS, g->n, g->K, g->n, c + p*g->n);
        mean[p] = bln_dot(g->n, c + p*g->n, g->y);
    }
    for (size_t p = 0; p < P; p++)
        for (size_t q = 0; q < P; q++)
            cov[p*P + q] = sigma[p*P + q]*outputs_kernel(g, ratio, phi, phi) - bln_dot(g->n, c + p*g->n, c + q*g->n);
    free(c);
}

static TEST_UNUSED void outputs_dense_free(outputs_dense *g)
{
    free(g->row);
    free(g->Phi);
    free(g->K);
    free(g->y);
}

static TEST_UNUSED bln_slm_desc outputs_desc(const bln_basis *b, bln_slm_form form, size_t P, bln_slm_sigma sigma)
{
    bln_slm_desc d = slm_desc(b, form);
    d.n_outputs = P;
    d.sigma = sigma;
    d.relative_prior = 1;
    return d;
}

/* A model with everything fixed. */
static TEST_UNUSED bln_slm *outputs_fixed(const bln_basis *b, bln_slm_form form, size_t P, bln_slm_sigma sigma, const double *cov,
                                          const double *ratio, const double *theta, const bln_data *data)
{
    bln_slm_desc d = outputs_desc(b, form, P, sigma);
    d.prior_var = ratio;
    d.theta = theta;
    d.noise_cov = cov;
    d.fix_noise_var = cov != NULL;
    d.fix_prior_var = d.fix_theta = 1;
    return slm_fit(&d, data);
}

/* A positive definite Sigma for P <= 3; diagonal: without covariances. */
static TEST_UNUSED void outputs_sigma(size_t P, int diagonal, double *sigma)
{
    static const double full[9] = { 0.31, 0.17, -0.12, 0.17, 0.83, 0.24, -0.12, 0.24, 1.57 };
    for (size_t p = 0; p < P; p++)
        for (size_t q = 0; q < P; q++) sigma[p*P + q] = p == q || !diagonal ? full[p*3 + q] : 0.0;
}

/* The ratio of each feature's slice. */
static TEST_UNUSED void outputs_ratios(const bln_basis *b, const double *slice, double *out)
{
    for (size_t s = 0; s < b->n_slices; s++)
        for (size_t i = bln_basis_slice(b, s); i < bln_basis_slice(b, s + 1); i++) out[i] = slice[s];
}

#endif /* BLN_TESTS_SLM_OUTPUTS_TOOLS_H */
