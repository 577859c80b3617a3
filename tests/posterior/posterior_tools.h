/* posterior_tools.h - posteriors made by hand, for the tests of questions to them */
#ifndef BLN_TESTS_POSTERIOR_TOOLS_H
#define BLN_TESTS_POSTERIOR_TOOLS_H
#include "../test.h"
#include "../linear/slm_tools.h"

enum { POSTERIOR_N = 19, POSTERIOR_D = 2, POSTERIOR_LD = 40 };      /* rows, inputs, a stride wider than any output          */

/* Two bases without parameters, of 5 and of 3 features. */
typedef struct posterior_bases { bln_basis *own[2]; const bln_basis *view[2]; } posterior_bases;

static TEST_UNUSED posterior_bases posterior_bases_new(void)
{
    posterior_bases b;
    CHECK_OK(bln_polynomial_create(NULL, POSTERIOR_D, 2, 1, 0, &b.own[0]));
    CHECK_OK(bln_linear_create(NULL, POSTERIOR_D, 1, &b.own[1]));
    for (size_t i = 0; i < 2; i++) b.view[i] = b.own[i];
    return b;
}
static TEST_UNUSED void posterior_bases_free(posterior_bases *b)
{
    for (size_t i = 0; i < 2; i++) bln_basis_free(b->own[i]);
}

static TEST_UNUSED bln_posterior posterior_of(const bln_basis *const *bases, size_t n_bases, size_t J, bln_observe observe,
                                              const bln_group *groups, size_t n_groups)
{
    bln_posterior q;
    memset(&q, 0, sizeof q);
    q.J = J;
    q.bases = bases;
    q.n_bases = n_bases;
    q.observe = observe;
    q.groups = groups;
    q.n_groups = n_groups;
    return q;
}

static TEST_UNUSED bln_group posterior_group(const struct bln_component_ops *ops, const void *view, size_t K, const double *eta)
{
    bln_group g;
    memset(&g, 0, sizeof g);
    g.ops = ops;
    g.view = view;
    g.K = K;
    g.eta = eta;
    return g;
}

/* K Gaussians over n_w weights with n x n covariances C, in one block that begins with m: factors with a diagonal of 1 to 2, or V
 * of k rows with |V'V| < 1. */
static TEST_UNUSED bln_gaussians posterior_gaussians(bln_gaussian_form form, size_t K, size_t n_w, size_t n, size_t k,
                                                     uint64_t salt)
{
    test_random r = test_random_new(salt);
    double *m = test_doubles(K*(n_w + n + k*n)), *s = m + K*n_w, *R = s + K*n;
    bln_gaussians v;
    memset(&v, 0, sizeof v);
    test_fill_normal(&r, K*n_w, m);
    for (size_t i = 0; i < K*n; i++) s[i] = 0.3 + test_uniform(&r);
    test_fill_normal(&r, K*k*n, R);
    for (size_t i = 0; i < K*k*n; i++) R[i] *= 0.3/sqrt((double)n);
    for (size_t c = 0; c < K && form == BLN_GAUSSIAN_FACTOR; c++)
        for (size_t i = 0; i < n; i++) R[c*n*n + i*(n + 1)] = 1.0 + test_uniform(&r);
    v.form = form;
    v.n = n;
    v.k = k;
    v.m = m;
    v.s = s;
    v.R = R;
    return v;
}
static TEST_UNUSED void posterior_gaussians_free(bln_gaussians *v) { free((void *)v->m); }

/* Inputs, and the features of all bases side by side, as the questions compute them. */
static TEST_UNUSED void posterior_inputs(uint64_t salt, size_t n, double *X)
{
    test_random r = test_random_new(salt);
    test_fill_normal(&r, n*POSTERIOR_D, X);
}
static TEST_UNUSED size_t posterior_features(const bln_basis *const *bases, size_t n_bases, size_t n, const double *X, double *Phi,
                                             size_t ld)
{
    size_t column = 0;
    for (size_t b = 0; b < n_bases; b++) {
        double *work = test_doubles(bln_basis_work(bases[b], n) + 8);
        bln_basis_features(bases[b], NULL, n, X, POSTERIOR_D, Phi + column, ld, work);
        free(work);
        column += bases[b]->D;
    }
    return column;
}

/* By definition: mean_j = phi_j'm_j and cov_jl = phi_j'C_jl phi_l, with the covariance C (n_w x n_w, both triangles) of all
 * weights. Returns a bound of the terms of the sums, sum |phi| |C| |phi|. */
static TEST_UNUSED double posterior_define(const bln_posterior *q, const double *phi, const double *m, const double *C,
                                           double *mean, double *cov)
{
    const size_t J = q->J ? q->J : 1;
    size_t n_w = 0, a = 0;
    double terms = 0.0;
    for (size_t j = 0; j < J; j++) n_w += q->bases[q->n_bases > 1 ? j : 0]->D;
    for (size_t j = 0, from = 0; j < J; j++) {
        const size_t D = q->bases[q->n_bases > 1 ? j : 0]->D;
        mean[j] = 0.0;
        for (size_t i = 0; i < D; i++) mean[j] += phi[from + i]*m[a + i];
        for (size_t l = 0, b = 0, to = 0; l < J; l++) {
            const size_t E = q->bases[q->n_bases > 1 ? l : 0]->D;
            cov[j*J + l] = 0.0;
            for (size_t i = 0; i < D; i++)
                for (size_t e = 0; e < E; e++) {
                    const double term = phi[from + i]*C[(a + i)*n_w + b + e]*phi[to + e];
                    cov[j*J + l] += term;
                    terms += fabs(term);
                }
            b += E;
            if (q->n_bases > 1) to += E;
        }
        a += D;
        if (q->n_bases > 1) from += D;
    }
    return terms;
}

/* Projects a group by its table into components `at` .. of K, with a stride of POSTERIOR_LD, between marks that must not change.
 * cov: n x K x J x J. Checks that outputs are the same whichever others are left out. */
typedef struct posterior_out { double mean[POSTERIOR_N*POSTERIOR_LD], var[POSTERIOR_N*POSTERIOR_LD], *cov; } posterior_out;

static TEST_UNUSED void posterior_project(const bln_posterior *q, const bln_group *g, const double *Phi, size_t ldphi, size_t K,
                                          size_t at, posterior_out *out)
{
    const size_t J = q->J ? q->J : 1, n = POSTERIOR_N, count = g->K ? g->K : 1;
    double *work = test_doubles(g->ops->work(q, g, n) + 8), *again = test_doubles(2*n*POSTERIOR_LD);
    blni_features x;
    blni_latents to;
    x.q = q;
    x.n = n;
    x.ld = ldphi;
    x.Phi = Phi;
    to.K = K;
    to.J = J;
    to.ld = POSTERIOR_LD;
    for (size_t i = 0; i < n*POSTERIOR_LD; i++) out->mean[i] = out->var[i] = 2.385;
    to.mean = out->mean;
    to.var = out->var;
    to.cov = out->cov;
    g->ops->project(g, &x, &to, at, work);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < POSTERIOR_LD; c++)
            if (c < at*J || c >= (at + count)*J)
                CHECK(out->mean[i*POSTERIOR_LD + c] == 2.385 && out->var[i*POSTERIOR_LD + c] == 2.385);
    memcpy(again, out->mean, n*POSTERIOR_LD*sizeof *again);
    memcpy(again + n*POSTERIOR_LD, out->var, n*POSTERIOR_LD*sizeof *again);
    to.cov = NULL;
    to.mean = again;
    to.var = NULL;
    g->ops->project(g, &x, &to, at, work);
    to.mean = NULL;
    to.var = again + n*POSTERIOR_LD;
    g->ops->project(g, &x, &to, at, work);
    for (size_t i = 0; i < n*POSTERIOR_LD; i++) {                        /* one output alone may use another kernel */
        CHECK_NEAR(again[i], out->mean[i], 1e-13);
        CHECK_NEAR(again[n*POSTERIOR_LD + i], out->var[i], 1e-13);
    }
    free(again);
    free(work);
}

/* Compares with the definition, for means m (stride ldm) and covariances C (K, or one for all: ldc 0). */
static TEST_UNUSED void posterior_check_kind(const bln_posterior *q, const bln_group *g, size_t at, size_t K, const double *m,
                                             size_t ldm, const double *C, size_t ldc, double eps)
{
    const size_t J = q->J ? q->J : 1, count = g->K ? g->K : 1, n_bases = q->n_bases ? q->n_bases : 1;
    double X[POSTERIOR_N*POSTERIOR_D], Phi[POSTERIOR_N*16], mean[8], cov[64];
    posterior_out *out = (posterior_out *)malloc(sizeof *out);
    if (!out) exit(2);
    posterior_inputs(31, POSTERIOR_N, X);
    posterior_features(q->bases, n_bases, POSTERIOR_N, X, Phi, 16);
    out->cov = test_doubles(POSTERIOR_N*K*J*J);
    posterior_project(q, g, Phi, 16, K, at, out);
    for (size_t i = 0; i < POSTERIOR_N; i++)
        for (size_t k = 0; k < count; k++) {
            const double terms = posterior_define(q, Phi + i*16, m + k*ldm, C + k*ldc, mean, cov);
            for (size_t j = 0; j < J; j++) {
                const size_t to = i*POSTERIOR_LD + (at + k)*J + j;
                CHECK_NEAR(out->mean[to], mean[j], eps*(1.0 + fabs(mean[j])));
                CHECK_NEAR(out->var[to], cov[j*(J + 1)], eps*(1.0 + terms));
                for (size_t l = j; l < J; l++)
                    CHECK_NEAR(out->cov[((i*K + at + k)*J + j)*J + l], cov[j*J + l], eps*(1.0 + terms));
            }
        }
    free(out->cov);
    free(out);
}

/* The numbers of doubles and of indices in a group's kind. */
static TEST_UNUSED size_t posterior_numbers(const bln_posterior *q, const bln_group *g)
{
    blni_array list[BLNI_ARRAYS_MOST];
    const size_t n = g->ops->arrays(q, g, list);
    size_t sum = 0;
    for (size_t k = 0; k < n; k++) {
        const void *at;
        memcpy(&at, (const char *)g->view + list[k].offset, sizeof at);
        if (at) sum += list[k].rows*list[k].cols;
    }
    return sum;
}

#endif /* BLN_TESTS_POSTERIOR_TOOLS_H */
