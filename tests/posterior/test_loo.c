/* test_loo - rows left out of posteriors: against fits without them, as generalised models leave them out; nodes against the
 * definition; by draws (posterior/kind_gaussian_leave) */
#include "../linear/posterior_of.h"
#include "ask_tools.h"
#include "model_views.h"

enum { LOO_N = 25, LOO_OUT = 9 };

typedef struct loo_answers { double x[LOO_OUT][LOO_N*MODEL_P*2]; bln_elpd total; bln_loo_outputs out; } loo_answers;

static loo_answers *loo_new(void)
{
    loo_answers *a = (loo_answers *)malloc(sizeof *a);
    if (!a) exit(2);
    for (size_t o = 0; o < LOO_OUT; o++) for (size_t i = 0; i < LOO_N*MODEL_P*2; i++) a->x[o][i] = 2.385;
    a->out.logdensity = a->x[0];
    a->out.influence = a->x[1];
    a->out.mean = a->x[2];
    a->out.var_model = a->x[3];
    a->out.var_noise = a->x[4];
    a->out.lower = a->x[5];
    a->out.upper = a->x[6];
    a->out.latent_mean = a->x[7];
    a->out.latent_var = a->x[8];
    a->out.total = &a->total;
    return a;
}

static void loo_near(size_t n, const double *got, const double *want, double tolerance)
{
    for (size_t i = 0; i < n; i++) {
        if (want[i] != want[i]) CHECK(got[i] != got[i]);
        else CHECK_NEAR(got[i], want[i], tolerance*(1.0 + fabs(want[i])));
    }
}

/* The model at the parameters that slm has learnt, fitted with weight 0 where in[i] is 1. */
static bln_slm *loo_refit(const bln_slm *slm, const bln_slm_desc *of, const bln_data *data, const char *in)
{
    double w[LOO_N];
    bln_data rest = *data;
    bln_slm_desc desc = *of;
    for (size_t i = 0; i < LOO_N; i++) w[i] = in[i] ? 0.0 : data->weight ? data->weight[i] : 1.0;
    rest.weight = w;
    desc.theta = bln_slm_theta(slm);
    desc.prior_var = bln_slm_prior_var(slm);
    desc.fix_theta = desc.fix_prior_var = desc.fix_noise_var = 1;
    if (desc.n_outputs > 1) desc.noise_cov = bln_slm_noise_cov(slm);
    else desc.noise_var = bln_slm_noise_var(slm);
    return slm_fit(&desc, &rest);
}

/* log N(y | mean, Sigma by) of all outputs of row i together. */
static double loo_together(const bln_data *data, size_t i, size_t P, const double *sigma, double by, const double *mean)
{
    double U[MODEL_P*MODEL_P], e[MODEL_P];
    for (size_t k = 0; k < P*P; k++) U[k] = by*sigma[k];
    for (size_t p = 0; p < P; p++) e[p] = blni_y(data, i, p) - mean[p];
    CHECK_OK(bln_potrf(P, U, P, NULL));
    bln_trsv(BLN_TRANS, P, U, P, e);
    return -0.5*((double)P*BLNI_LOG_2PI + bln_logdet_factor(P, U, P) + bln_dot(P, e, e));
}

/* Rows that the group `in` leaves out have the answers that a fit without them gives. */
static void loo_check_rows(const bln_slm *without, const bln_data *data, const char *in, const loo_answers *got, double tolerance)
{
    const bln_posterior *q = bln_slm_posterior(without);
    const size_t P = q->J;
    const double *sigma = bln_slm_noise_cov(without);
    double x[7][MODEL_P];
    for (size_t i = 0; i < LOO_N; i++) {
        const bln_data row = bln_data_rows(data, i, 1);
        if (!in[i]) continue;
        CHECK_OK(bln_posterior_predict(q, &row, x[0], x[1], x[2], NULL, NULL));
        CHECK_OK(bln_posterior_intervals(q, &row, BLN_OF_Y, 0.95, x[3], x[4], NULL, NULL));
        CHECK_OK(bln_posterior_latent(q, &row, x[5], x[6], NULL, NULL));
        for (size_t o = 0; o < 7; o++) loo_near(P, got->x[2 + o] + i*P, x[o], tolerance);
        CHECK_GOLD(got->x[0][i], loo_together(data, i, P, sigma, (x[1][0] + x[2][0])/sigma[0], x[0]), 10.0*tolerance);
    }
}

/* Everything that is said of rows and of groups is what fits without them say. logp of a group is a difference of evidences, where
 * features miss nothing (else: test_residual). */
static void loo_check_slm(const bln_slm *slm, const bln_slm_desc *desc, const bln_data *data, double tolerance)
{
    enum { GROUPS = 5 };
    const bln_posterior *q = bln_slm_posterior(slm);
    const size_t P = q->J;
    loo_answers *a = loo_new();
    double logp[GROUPS], sum = 0.0;
    size_t group[LOO_N];
    char in[LOO_N] = { 0 };
    CHECK_OK(bln_posterior_loo(q, data, NULL, &a->out, NULL));
    for (size_t i = 0; i < LOO_N; i++) {
        const double k = data->weight ? data->weight[i] : 1.0, noise = a->x[4][i*P], v = a->x[3][i*P];
        in[i] = 1;
        bln_slm *without = loo_refit(slm, desc, data, in);
        loo_check_rows(without, data, in, a, tolerance);
        if (!q->groups->residual) CHECK_GOLD(a->x[1][i], k*v/(noise + k*v), tolerance);
        sum += k*a->x[0][i];
        bln_slm_free(without);
        in[i] = 0;
    }
    CHECK_GOLD(a->total.elpd, sum, 1e-13);
    for (int large = 0; large < 2; large++) {                            /* five groups, one of them empty; two large ones */
        const size_t n_groups = large ? 2 : GROUPS;
        for (size_t i = 0; i < LOO_N; i++) group[i] = large ? i < 6 : i*7 % (GROUPS - 1);
        CHECK_OK(bln_posterior_loo_groups(q, data, group, n_groups, NULL, &a->out, logp, NULL));
        for (size_t s = 0; s < n_groups; s++) {
            for (size_t i = 0; i < LOO_N; i++) in[i] = group[i] == s;
            bln_slm *without = loo_refit(slm, desc, data, in);
            loo_check_rows(without, data, in, a, tolerance);
            if (!q->groups->residual) CHECK_NEAR(logp[s], bln_slm_evidence(slm) - bln_slm_evidence(without),
                                                 tolerance*fabs(bln_slm_evidence(slm)));
            bln_slm_free(without);
        }
    }
    free(a);
}

TEST(loo, linear_model)
{
    bln_data data = slm_make(LOO_N, 2, 400, 1), several = outputs_make(LOO_N, 2, MODEL_P, 401, 1);
    for (size_t c = 0; c < 7; c++) {              /* flat, primal, dual, inducing points; three outputs: primal, dual, inducing */
        static const double flat[3] = { HUGE_VAL, 1.0, 1.0 };
        bln_basis *b = c == 3 || c == 6 ? model_inducing(c == 3 ? &data : &several)
                     : slm_parse(c == 0 ? "linear" : c == 1 || c == 4 ? "rbf:n=6,ard+linear" : "bias+rbf:n=20", 2, 3);
        const bln_slm_form form = c == 2 || c == 5 ? BLN_SLM_DUAL : BLN_SLM_PRIMAL;
        bln_slm_desc desc = c < 4 ? slm_desc(b, form) : outputs_desc(b, form, MODEL_P, BLN_SLM_CORRELATED);
        if (c == 0) desc.prior_var = flat;
        desc.max_iterations = 20;
        desc.block = 10;
        bln_slm *slm = slm_fit(&desc, c < 4 ? &data : &several);
        loo_check_slm(slm, &desc, c < 4 ? &data : &several, 1e-10);
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    slm_free_data(&data);
    slm_free_data(&several);
}

static void loo_same(size_t n, const double *got, const double *want, double tolerance)
{
    for (size_t i = 0; i < n; i++) CHECK_NEAR(got[i], want[i], tolerance*(1.0 + fabs(want[i])));
}

/* Of two nodes: without weights they are what they are with weights of one half, also where they share theta; normal noise as a
 * likelihood says what it says as noise; each answer alone is what it is among all. */
static void loo_alike(const bln_posterior *of, const bln_data *data, const bln_group *groups)
{
    static const double half[2] = { 0.5, 0.5 };
    const bln_likelihood gauss = bln_likelihood_gaussian();
    loo_answers *a = loo_new(), *b = loo_new();
    bln_group g[2];
    bln_posterior q = *of;
    memcpy(g, groups, sizeof g);
    q.groups = g;
    for (size_t k = 0; k < 2; k++) g[k].weight = half + k;
    CHECK_OK(bln_posterior_loo(&q, data, NULL, &a->out, NULL));
    for (size_t k = 0; k < 2; k++) { g[k].weight = NULL; g[k].theta = groups[0].theta; }
    CHECK_OK(bln_posterior_loo(&q, data, NULL, &b->out, NULL));
    for (size_t o = 0; o < LOO_OUT; o++) loo_same(LOO_N, b->x[o], a->x[o], 1e-14);
    q.observe = bln_observe_likelihood(&gauss);
    q.sites = BLN_SITES_MODE;
    CHECK_OK(bln_posterior_loo(&q, data, NULL, &b->out, NULL));
    for (size_t o = 0; o < LOO_OUT; o++) loo_same(LOO_N, b->x[o], a->x[o], 1e-8);
    q.observe = of->observe;
    for (size_t o = 2; o < LOO_OUT; o++) {
        bln_loo_outputs one = BLN_ZERO;
        *(o == 2 ? &one.mean : o == 3 ? &one.var_model : o == 4 ? &one.var_noise : o == 5 ? &one.lower : o == 6 ? &one.upper
          : o == 7 ? &one.latent_mean : &one.latent_var) = b->x[o];
        for (size_t i = 0; i < LOO_N; i++) b->x[o][i] = 2.385;
        CHECK_OK(bln_posterior_loo(&q, data, NULL, &one, NULL));
        loo_same(LOO_N, b->x[o], a->x[o], 1e-14);
    }
    free(a);
    free(b);
}

/* Fits two nodes of prior and noise variances, and of length scales if theta has one for each; the share of the first by their
 * evidence, and the logarithm of the sum. */
enum { LOO_NODES = 2 };
static double loo_fit_nodes(const bln_basis *b, const double *theta, const bln_data *data, bln_slm **slm, double *all)
{
    static const double noise[LOO_NODES] = { 0.9, 2.0 }, lambda[LOO_NODES] = { 0.7, 2.0 };
    double e[LOO_NODES];
    for (size_t k = 0; k < LOO_NODES; k++) {
        const double prior[2] = { lambda[k], 0.5 };
        const bln_slm_desc desc = slm_fixed(b, BLN_SLM_PRIMAL, noise[k], prior, theta ? theta + k : NULL);
        slm[k] = slm_fit(&desc, data);
        e[k] = bln_slm_evidence(slm[k]);
    }
    *all = fmax(e[0], e[1]) + log1p(exp(-fabs(e[0] - e[1])));
    return 1.0/(1.0 + exp(e[1] - e[0]));
}

/* The rows with in[i] = 1 have the answers of fits of each node without them, weighted by the evidence of these. all: log evidence
 * with them; logp: what is said of the group. */
static void loo_check_mixture(const bln_basis *b, const double *theta, const bln_data *data, const char *in, const loo_answers *a,
                              double all, double logp)
{
    bln_slm *slm[LOO_NODES];
    bln_data rest = *data;
    double w[LOO_N], m[LOO_NODES], s[LOO_NODES], without;
    for (size_t i = 0; i < LOO_N; i++) w[i] = in[i] ? 0.0 : data->weight[i];
    rest.weight = w;
    const double share = loo_fit_nodes(b, theta, &rest, slm, &without);
    CHECK_NEAR(logp, all - without, 1e-10*(1.0 + fabs(all)));
    for (size_t i = 0; i < LOO_N; i++) {
        const bln_data row = bln_data_rows(data, i, 1);
        if (!in[i]) continue;
        for (size_t k = 0; k < LOO_NODES; k++)
            CHECK_OK(total_of(bln_slm_posterior(slm[k]), &row, m + k, NULL, s + k, NULL, NULL));
        const double mean = share*m[0] + (1.0 - share)*m[1];
        const double var = share*(s[0] + m[0]*m[0]) + (1.0 - share)*(s[1] + m[1]*m[1]) - mean*mean;
        const double total = log(share*exp(-0.5*(data->y[i] - m[0])*(data->y[i] - m[0])/s[0])/sqrt(s[0])
                                 + (1.0 - share)*exp(-0.5*(data->y[i] - m[1])*(data->y[i] - m[1])/s[1])/sqrt(s[1]))
                           - 0.5*BLNI_LOG_2PI;
        CHECK_NEAR(a->x[2][i], mean, 1e-11*(1.0 + fabs(mean)));
        CHECK_NEAR(a->x[3][i] + a->x[4][i], var, 1e-11*(1.0 + var));
        if (data->weight[i] > 0.0) CHECK_NEAR(a->x[0][i], total, 1e-10*(1.0 + fabs(total)));
    }
    for (size_t k = 0; k < LOO_NODES; k++) bln_slm_free(slm[k]);
}

/* Two nodes weighted by their evidence: every fourth row without itself, and three without all of them. */
static void loo_check_nodes(const char *spec, const double *theta)
{
    bln_basis *b = slm_parse(spec, 2, 3);
    bln_data data = slm_make(LOO_N, 2, 420, 1);
    bln_slm *slm[LOO_NODES];
    model_view *v[LOO_NODES];
    bln_group g[LOO_NODES];
    double weight[LOO_NODES], all;
    weight[0] = loo_fit_nodes(b, theta, &data, slm, &all);
    weight[1] = 1.0 - weight[0];
    CHECK(weight[0] > 0.05 && weight[0] < 0.95);
    for (size_t k = 0; k < LOO_NODES; k++) {
        v[k] = (model_view *)malloc(sizeof *v[k]);
        if (!v[k]) exit(2);
        model_of_slm(v[k], slm[k]);
        g[k] = v[k]->g;
        g[k].weight = weight + k;
    }
    bln_posterior q = v[0]->q;
    q.groups = g;
    q.n_groups = LOO_NODES;
    CHECK_OK(bln_posterior_check(&q, NULL));
    loo_answers *a = loo_new();
    if (!theta) loo_alike(&q, &data, g);
    CHECK_OK(bln_posterior_loo(&q, &data, NULL, &a->out, NULL));
    double logp[LOO_N];
    size_t group[LOO_N];
    char in[LOO_N] = { 0 };
    for (size_t i = 0; i < LOO_N; i++) group[i] = i;
    CHECK_OK(bln_posterior_loo_groups(&q, &data, group, LOO_N, NULL, NULL, logp, NULL));
    for (size_t i = 0; i < LOO_N; i += 4) {
        in[i] = 1;
        loo_check_mixture(b, theta, &data, in, a, all, logp[i]);
        in[i] = 0;
    }
    for (size_t i = 0; i < LOO_N; i++) group[i] = i == 4 || i == 9 || i == 1;
    for (size_t i = 0; i < LOO_N; i++) in[i] = group[i] == 1;
    CHECK_OK(bln_posterior_loo_groups(&q, &data, group, 2, NULL, &a->out, logp, NULL));
    loo_check_mixture(b, theta, &data, in, a, all, logp[1]);
    for (size_t k = 0; k < LOO_NODES; k++) {
        bln_slm_free(slm[k]);
        free(v[k]);
    }
    free(a);
    bln_basis_free(b);
    slm_free_data(&data);
}

TEST(loo, nodes)
{
    static const double lengths[2] = { 1.5, 1.2 };
    loo_check_nodes("bias+linear", NULL);
    loo_check_nodes("bias+rbf:n=3", lengths);
}

/* Points: as bln_psis_loo of the table of their log densities; each is a draw. */
TEST(loo, points)
{
    enum { K = 200 };
    bln_basis *b = slm_parse("bias+linear", 2, 3);
    bln_data data = slm_make(LOO_N, 2, 430, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    bln_slm *slm = slm_fit(&desc, &data);
    model_view *v = (model_view *)malloc(sizeof *v);
    double *w = test_doubles(K*b->D), *table = test_doubles(K*LOO_N), *work = test_doubles(bln_psis_loo_work(K));
    double elpd[LOO_N], k[LOO_N];
    bln_draw_desc draws;
    bln_points points;
    bln_elpd total;
    loo_answers *a = loo_new();
    if (!v) exit(2);
    model_of_slm(v, slm);
    memset(&draws, 0, sizeof draws);
    draws.n = K;
    CHECK_OK(bln_posterior_draw_weights(&v->q, &draws, w, NULL, 0, NULL, NULL));
    points.w = w;
    points.ld = 0;
    bln_group g = v->g;
    g.ops = bln_kind_point();
    g.view = &points;
    g.K = K;
    bln_posterior q = v->q;
    q.groups = &g;
    q.sites = BLN_SITES_NONE;
    CHECK_OK(bln_posterior_loglikelihoods(&q, &data, K, 1, table, LOO_N, NULL));
    CHECK_OK(bln_psis_loo(K, LOO_N, table, LOO_N, data.weight, 0.0, elpd, k, &total, work, NULL));
    CHECK_OK(bln_posterior_loo(&q, &data, NULL, &a->out, NULL));
    loo_near(LOO_N, a->x[0], elpd, 1e-12);
    loo_near(LOO_N, a->x[1], k, 1e-12);
    CHECK_NEAR(a->total.elpd, total.elpd, 1e-10);
    CHECK_NEAR(a->total.parameters, total.parameters, 1e-10);
    CHECK_STATUS(bln_posterior_loglikelihoods(&q, &data, K - 1, 1, table, LOO_N, NULL), BLN_EINVAL);
    g.K = 1;
    CHECK_STATUS(bln_posterior_loo(&q, &data, NULL, &a->out, NULL), BLN_EINVAL);
    free(w);
    free(table);
    free(work);
    free(a);
    free(v);
    bln_slm_free(slm);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* A feature that only row 3 has, with a wide prior: that row, or its group, is NaN, all others have their values. */
TEST(loo, undefined)
{
    bln_data data = slm_make(LOO_N, 2, 440, 0);
    double X[2*LOO_N], logp[LOO_N/5];
    size_t group[LOO_N];
    static const double lambda[2] = { 1e18, 1e18 };
    for (size_t i = 0; i < LOO_N; i++) {
        X[2*i] = i == 3;
        X[2*i + 1] = data.X[2*i + 1];
        group[i] = i/5;
    }
    bln_data rows = data;
    rows.X = X;
    bln_basis *b = slm_columns(2);
    bln_slm_desc desc = slm_fixed(b, BLN_SLM_PRIMAL, 0.3, lambda, NULL);
    bln_slm *slm = slm_fit(&desc, &rows);
    model_view *v = (model_view *)malloc(sizeof *v);
    loo_answers *a = loo_new();
    bln_report report;
    if (!v) exit(2);
    model_of_slm(v, slm);
    CHECK_STATUS(bln_posterior_loo(&v->q, &rows, NULL, &a->out, &report), BLN_EUNDEFINED);
    CHECK_SIZE(report.row, 3);
    for (size_t o = 0; o < LOO_OUT; o++)
        for (size_t i = 0; i < LOO_N; i++) CHECK((i == 3) == (a->x[o][i] != a->x[o][i]) || o == 4);
    CHECK(a->total.elpd == a->total.elpd && a->total.rows == LOO_N - 1.0);
    CHECK_STATUS(bln_posterior_loo_groups(&v->q, &rows, group, LOO_N/5, NULL, &a->out, logp, &report), BLN_EUNDEFINED);
    CHECK_SIZE(report.row, 0);
    for (size_t s = 0; s < LOO_N/5; s++) CHECK((s == 0) == (logp[s] != logp[s]));
    for (size_t i = 0; i < LOO_N; i++) CHECK((i < 5) == (a->x[2][i] != a->x[2][i]));
    free(a);
    free(v);
    bln_slm_free(slm);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* Two nodes of several outputs: a row by itself, and as a group of one, which goes another way. */
TEST(loo, nodes_of_outputs)
{
    bln_data data = outputs_make(LOO_N, 2, MODEL_P, 460, 1);
    bln_basis *b = slm_parse("bias+linear", 2, 3);
    bln_slm *slm[2];
    model_view *v[2];
    bln_group g[2];
    static const double weight[2] = { 0.3, 0.7 };
    size_t group[LOO_N];
    loo_answers *one = loo_new(), *all = loo_new();
    for (size_t k = 0; k < 2; k++) {
        bln_slm_desc desc = outputs_desc(b, BLN_SLM_PRIMAL, MODEL_P, BLN_SLM_CORRELATED);
        desc.max_iterations = 2 + 10*k;
        slm[k] = slm_fit(&desc, &data);
        v[k] = (model_view *)malloc(sizeof *v[k]);
        if (!v[k]) exit(2);
        model_of_slm(v[k], slm[k]);
        g[k] = v[k]->g;
        g[k].weight = weight + k;
    }
    bln_posterior q = v[0]->q;
    q.groups = g;
    q.n_groups = 2;
    CHECK_OK(bln_posterior_check(&q, NULL));
    for (size_t i = 0; i < LOO_N; i++) group[i] = i;
    CHECK_OK(bln_posterior_loo(&q, &data, NULL, &one->out, NULL));
    CHECK_OK(bln_posterior_loo_groups(&q, &data, group, LOO_N, NULL, &all->out, NULL, NULL));
    for (size_t o = 0; o < LOO_OUT; o++)
        if (o != 1) loo_same(o == 0 ? LOO_N : LOO_N*MODEL_P, all->x[o], one->x[o], 1e-9);
    for (size_t k = 0; k < 2; k++) {
        bln_slm_free(slm[k]);
        free(v[k]);
    }
    free(one);
    free(all);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* A t by draws: as bln_psis_loo of the table of its log densities at the same draws. */
TEST(loo, students)
{
    enum { S = 200, D = 3 };
    static const size_t flat[D] = { 0, 1, 2 };
    static const double U[D*D] = { 5.0, 0.3, 0.1, 0.0, 4.0, 0.2, 0.0, 0.0, 4.5 }, z[D] = { 1.0, -0.5, 0.7 }, eta = 0.8;
    bln_basis *b = slm_parse("linear", 2, 3);
    const bln_basis *view[1];
    bln_data data = slm_make(LOO_N, 2, 470, 1);
    double *table = test_doubles(S*LOO_N), *work = test_doubles(bln_psis_loo_work(S)), elpd[LOO_N], k[LOO_N];
    bln_students v = BLN_ZERO;
    bln_loo_desc d = BLN_ZERO;
    bln_elpd total;
    loo_answers *a = loo_new();
    CHECK_SIZE(b->D, D);
    view[0] = b;
    v.n_flat = D;
    v.flat = flat;
    v.Uf = U;
    v.zf = v.W = v.scale = v.R = v.t = z;
    const bln_group g = posterior_group(bln_kind_student(), &v, 1, &eta);
    bln_posterior q = posterior_of(view, 1, 1, bln_observe_noise(1), &g, 1);
    q.dof = 6.0;
    q.sites = BLN_SITES_MODE;
    CHECK_OK(bln_posterior_check(&q, NULL));
    d.draws = S;
    d.seed = 9;
    CHECK_OK(bln_posterior_loglikelihoods(&q, &data, S, 9, table, LOO_N, NULL));
    CHECK_OK(bln_psis_loo(S, LOO_N, table, LOO_N, data.weight, 0.0, elpd, k, &total, work, NULL));
    CHECK_OK(bln_posterior_loo(&q, &data, &d, &a->out, NULL));
    loo_near(LOO_N, a->x[0], elpd, 1e-12);
    loo_near(LOO_N, a->x[1], k, 1e-12);
    free(table);
    free(work);
    free(a);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* One weight, phi = x. What is left out may be beyond the range of doubles, before or after it is; or have no variance at all. */
typedef struct loo_line { bln_basis *b; const bln_basis *view[1]; double m, s, R, x, y, weight, eta; bln_gaussians v; bln_group g;
                          bln_posterior q; bln_data data; } loo_line;

static void loo_line_new(loo_line *w)
{
    memset(w, 0, sizeof *w);
    CHECK_OK(bln_linear_create(NULL, 1, 0, &w->b));
    w->view[0] = w->b;
    w->s = w->R = w->x = w->weight = w->eta = 1.0;
    w->v.form = BLN_GAUSSIAN_FACTOR;
    w->v.n = w->v.k = 1;
    w->v.m = &w->m;
    w->v.s = &w->s;
    w->v.R = &w->R;
    w->g = posterior_group(bln_kind_gaussian(), &w->v, 1, &w->eta);
    w->q = posterior_of(w->view, 1, 1, bln_observe_noise(1), &w->g, 1);
    w->q.sites = BLN_SITES_MODE;
    w->data = slm_view(1, 1, &w->x, &w->y);
    w->data.weight = &w->weight;
}

TEST(loo, beyond_the_range)
{
    loo_answers *a = loo_new();
    double logp;
    const size_t group = 0;
    for (int c = 0; c < 6; c++) {
        loo_line w;
        bln_report report;
        loo_line_new(&w);
        w.R = 1.5;                                           /* h = 4/9 */
        const char *text = "what is left out overflows";
        switch (c) {
        case 0: w.s = 1e100; w.eta = 1e-200; break;          /* W v */
        case 1: w.m = 1e300; w.x = 1e10; break;              /* the mean */
        case 2: w.R = sqrt(1.0/0.99); w.y = 1e308; text = "f without"; break;                      /* the mean without the row */
        case 3: w.s = sqrt(0.99e307); w.R = 1.0; w.eta = 1e307; w.y = 1.0; text = "f without"; break;      /* its variance */
        case 4: w.s = 0.0; break;                            /* a known weight: nothing changes */
        default: w.eta = 4.0/9.0; break;                     /* h = 1: nothing is left */
        }
        const bln_status status = bln_posterior_loo(&w.q, &w.data, NULL, &a->out, &report);
        CHECK_STATUS(status, c < 4 ? BLN_ENUMERIC : c == 4 ? BLN_OK : BLN_EUNDEFINED);
        if (c < 4) CHECK_TEXT(report.text, text);
        if (c < 4) CHECK_SIZE(report.row, 0);
        if (c >= 4) {
            const bln_status of_groups = bln_posterior_loo_groups(&w.q, &w.data, &group, 1, NULL, &a->out, &logp, &report);
            CHECK_STATUS(of_groups, status);
            CHECK(c == 4 ? a->x[1][0] == 0.0 && logp == bln_norm_logpdf(0.0) : logp != logp);
        }
        bln_basis_free(w.b);
    }
    free(a);
}

/* A row that two nodes lose, each by itself and together. */
TEST(loo, undefined_in_every_node)
{
    loo_line w;
    bln_group g[2];
    loo_answers *a = loo_new();
    double logp;
    const size_t group = 0;
    loo_line_new(&w);
    g[0] = g[1] = w.g;
    w.q.groups = g;
    w.q.n_groups = 2;
    CHECK_STATUS(bln_posterior_loo(&w.q, &w.data, NULL, &a->out, NULL), BLN_EUNDEFINED);
    CHECK(a->x[0][0] != a->x[0][0] && a->x[2][0] != a->x[2][0]);
    CHECK_STATUS(bln_posterior_loo_groups(&w.q, &w.data, &group, 1, NULL, &a->out, &logp, NULL), BLN_EUNDEFINED);
    CHECK(logp != logp);
    free(a);
    bln_basis_free(w.b);
}

/* A constant needs no inputs: groups of rows without X. Two rows y of a mean with the posterior N(m, v): together they have
 * log N(y | m', v' + eta), with m' and v' without them. */
TEST(loo, rows_without_inputs)
{
    const double y[3] = { 0.3, 1.1, -0.4 }, prior = 2.0, eta = 0.7, precision = 1.0/prior + 3.0/eta;
    double m = (0.3 + 1.1 - 0.4)/eta/precision, s = sqrt(prior), R = sqrt(prior*precision), logp[2];
    const size_t group[3] = { 0, 1, 0 };
    bln_basis *b;
    const bln_basis *view[1];
    bln_gaussians v = BLN_ZERO;
    bln_data data = BLN_ZERO;
    CHECK_OK(bln_bias_create(NULL, &b));
    view[0] = b;
    v.form = BLN_GAUSSIAN_FACTOR;
    v.n = v.k = 1;
    v.m = &m;
    v.s = &s;
    v.R = &R;
    const bln_group g = posterior_group(bln_kind_gaussian(), &v, 1, &eta);
    bln_posterior q = posterior_of(view, 1, 1, bln_observe_noise(1), &g, 1);
    q.sites = BLN_SITES_MODE;
    data.n = 3;
    data.y = y;
    CHECK_OK(bln_posterior_loo_groups(&q, &data, group, 2, NULL, NULL, logp, NULL));
    const double left = 1.0/prior + 1.0/eta, at = 1.1/eta/left, var = 1.0/left, det = eta*(eta + 2.0*var);
    const double d0 = 0.3 - at, d2 = -0.4 - at, quad = ((eta + var)*(d0*d0 + d2*d2) - 2.0*var*d0*d2)/det;
    CHECK_NEAR(logp[0], -BLNI_LOG_2PI - 0.5*log(det) - 0.5*quad, 1e-13);
    bln_basis_free(b);
}

/* Several latents that depend on each other do not forget rows, and are not left out by draws either. */
TEST(loo, no_cavity)
{
    static const double sigma[4] = { 1.0, 0.0, 0.0, 1.0 };
    posterior_bases b = posterior_bases_new();
    bln_gaussians v = posterior_gaussians(BLN_GAUSSIAN_FACTOR, 1, 6, 6, 6, 480);
    bln_data data = outputs_make(LOO_N, 2, 2, 481, 1);
    const bln_group g = posterior_group(bln_kind_gaussian(), &v, 1, sigma);
    bln_posterior q = posterior_of(b.view + 1, 1, 2, bln_observe_noise(2), &g, 1);
    loo_answers *a = loo_new();
    bln_report report;
    q.sites = BLN_SITES_MODE;
    CHECK_OK(bln_posterior_check(&q, NULL));
    CHECK_STATUS(bln_posterior_loo(&q, &data, NULL, &a->out, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "several latents");
    free(a);
    posterior_gaussians_free(&v);
    posterior_bases_free(&b);
    slm_free_data(&data);
}

/* Two nodes, of which one says what its features miss: each has its own density of a group, and its own share without it. */
TEST(loo, a_residual_of_one_node)
{
    ask_world *w = (ask_world *)malloc(sizeof *w);
    double logp[2], one[2][2];
    size_t group[ASK_N] = { 0, 1, 1, 0, 1 };
    static const double weight[2] = { 0.3, 0.7 };
    bln_group g[2];
    if (!w) exit(2);
    ask_world_new(w);
    w->data.n = 5;
    w->gaussians.s = test_doubles(2*(ASK_M + 1));
    for (size_t i = 0; i < 2*(ASK_M + 1); i++) ((double *)w->gaussians.s)[i] = 0.05;       /* the data leave much of each row */
    g[0] = g[1] = w->g[0];
    g[0].K = g[1].K = 1;
    g[1].eta = w->eta + 1;
    w->q.sites = BLN_SITES_MODE;
    w->q.n_groups = 1;
    for (int k = 0; k < 2; k++)
        for (int misses = 0; misses < 2; misses++) {
            bln_group alone = g[k];
            alone.weight = NULL;
            if (!misses) alone.residual = NULL;
            w->q.groups = &alone;
            CHECK_OK(bln_posterior_loo_groups(&w->q, &w->data, group, 2, NULL, NULL, logp, NULL));
            one[k][misses] = logp[1];
        }
    for (int k = 0; k < 2; k++) g[k].weight = weight + k;
    g[1].residual = NULL;
    w->q.groups = g;
    w->q.n_groups = 2;
    CHECK_OK(bln_posterior_loo_groups(&w->q, &w->data, group, 2, NULL, NULL, logp, NULL));
    const double share[2] = { weight[0]/exp(one[0][0]), weight[1]/exp(one[1][0]) };
    CHECK_GOLD(logp[1], log((share[0]*exp(one[0][1]) + share[1]*exp(one[1][0]))/(share[0] + share[1])), 1e-12);
    CHECK_LE(0.01, fabs(one[0][1] - one[0][0]));
    free((double *)w->gaussians.s);
    ask_world_free(w);
    free(w);
}

/* Prior variances that features miss may be so large that the density of a group with them is none. */
TEST(loo, a_residual_beyond_the_range)
{
    ask_world *w = (ask_world *)malloc(sizeof *w);
    double logp;
    size_t group[ASK_N];
    if (!w) exit(2);
    ask_world_new(w);
    bln_group g = w->g[0];
    g.K = 1;
    g.weight = NULL;
    w->residual[1] = 1e308;
    w->eta[0] = 1e-10;
    w->q.groups = &g;
    w->q.n_groups = 1;
    w->q.sites = BLN_SITES_MODE;
    w->gaussians.s = test_doubles(2*(ASK_M + 1));
    for (size_t i = 0; i < 2*(ASK_M + 1); i++) ((double *)w->gaussians.s)[i] = 1e-8;       /* the data leave much of each row */
    for (size_t i = 0; i < ASK_N; i++) group[i] = i < 2 ? 0 : 1;
    w->data.n = 2;
    CHECK_OK(bln_posterior_loo_groups(&w->q, &w->data, group, 1, NULL, NULL, &logp, NULL));
    CHECK(logp != logp);
    free((double *)w->gaussians.s);
    ask_world_free(w);
    free(w);
}

/* A posterior of one's own, of a likelihood without parameters, may leave them NULL. */
TEST(loo, no_parameters)
{
    double X[LOO_N], y[LOO_N], want[LOO_N], got[LOO_N];
    test_random random = test_random_new(8);
    bln_data data = BLN_ZERO;
    bln_glm_desc desc = BLN_ZERO;
    bln_basis *b = NULL;
    bln_glm *glm = NULL;
    bln_report report;
    for (size_t i = 0; i < LOO_N; i++) { X[i] = test_normal(&random); y[i] = X[i] + test_normal(&random) > 0.0; }
    data.n = LOO_N;
    data.d = 1;
    data.X = X;
    data.y = y;
    CHECK_OK(bln_linear_create(NULL, 1, 1, &b));
    desc.basis = b;
    desc.likelihood = bln_likelihood_binomial(BLN_LINK_LOGIT);
    desc.method = bln_glm_laplace();
    CHECK_OK(bln_glm_create(&desc, &glm, &report));
    CHECK_FIT(glm, &data, &report);
    bln_posterior q = *bln_glm_posterior(glm);
    bln_group group = *q.groups;
    CHECK(group.eta != NULL && q.n_groups == 1);
    group.eta = NULL;
    q.groups = &group;
    for (int psis = 0; psis < 2; psis++) {
        bln_loo_desc loo = BLN_ZERO;
        bln_loo_outputs out = BLN_ZERO;
        loo.psis = psis;
        out.logdensity = want;
        CHECK_OK(bln_posterior_loo(bln_glm_posterior(glm), &data, &loo, &out, &report));
        out.logdensity = got;
        CHECK_OK(bln_posterior_loo(&q, &data, &loo, &out, &report));
        CHECK(!memcmp(got, want, sizeof got) && blni_all_finite(LOO_N, got));
    }
    bln_glm_free(glm);
    bln_basis_free(b);
}

/* Every status; every allocation that fails gives BLN_ENOMEM and leaves nothing behind. */
TEST(loo, errors)
{
    bln_data data = slm_make(LOO_N, 2, 450, 1);
    bln_basis *b = slm_parse("bias+rbf:n=20", 2, 3);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_DUAL);
    desc.max_iterations = 10;
    bln_slm *slm = slm_fit(&desc, &data);
    model_view *v = (model_view *)malloc(sizeof *v);
    loo_answers *a = loo_new();
    double table[4*LOO_N], logp[LOO_N];
    size_t group[LOO_N];
    bln_elpd total;
    bln_report report;
    bln_loo_desc d;
    if (!v) exit(2);
    model_of_slm(v, slm);
    bln_posterior *q = &v->q;
    memset(&d, 0, sizeof d);
    for (size_t i = 0; i < LOO_N; i++) group[i] = i % 3;
    CHECK_STATUS(bln_posterior_loo(NULL, &data, NULL, &a->out, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_loo(q, NULL, NULL, &a->out, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_loo(q, &data, NULL, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_loo_groups(q, &data, NULL, 3, NULL, &a->out, logp, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_loo_groups(q, &data, group, 3, NULL, NULL, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_loo_groups(q, &data, group, 2, NULL, &a->out, logp, &report), BLN_EDOMAIN);
    CHECK_SIZE(report.row, 2);
    CHECK_STATUS(bln_posterior_loglikelihoods(q, &data, 0, 0, table, LOO_N, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_loglikelihoods(q, &data, 4, 0, table, LOO_N - 1, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_loglikelihoods(q, &data, 4, 0, NULL, LOO_N, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_waic(q, &data, 1, 0, NULL, NULL, &total, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_waic(q, &data, 4, 0, NULL, NULL, NULL, &report), BLN_EINVAL);
    d.level = 1.0;
    CHECK_STATUS(bln_posterior_loo(q, &data, &d, &a->out, &report), BLN_EINVAL);
    d.level = 0.0;
    d.psis = 1;
    CHECK_STATUS(bln_posterior_loo_groups(q, &data, group, 3, &d, &a->out, logp, &report), BLN_EINVAL);
    d.draws = (size_t)-1/8;
    CHECK_STATUS(bln_posterior_loo(q, &data, &d, &a->out, &report), BLN_EOVERFLOW);
    d.draws = 50;
    q->status = BLN_EUNDEFINED;
    CHECK_STATUS(bln_posterior_loo(q, &data, NULL, &a->out, &report), BLN_EUNDEFINED);
    q->status = BLN_OK;
    bln_data other = bln_data_rows(&data, 0, LOO_N - 3);
    CHECK_STATUS(bln_posterior_loo(q, &other, NULL, &a->out, &report), BLN_EINVAL);                     /* their total weight */
    q->rows = 0.0;
    CHECK_STATUS(bln_posterior_loo(q, &other, NULL, &a->out, &report), BLN_ESHAPE);                     /* of rank LOO_N */
    q->rows = bln_slm_rows(slm);
    double *y = (double *)data.y, *X = (double *)data.X;
    const double y3 = y[3], x0 = X[0];
    y[3] = BLNI_NAN;
    CHECK_STATUS(bln_posterior_loo(q, &data, NULL, &a->out, &report), BLN_EDATA);
    CHECK_SIZE(report.row, 3);
    y[3] = y3;
    X[0] = X[2];
    X[2] = x0;
    CHECK_STATUS(bln_posterior_loo(q, &data, NULL, &a->out, &report), BLN_EINVAL);                      /* in another order */
    X[2] = X[0];
    X[0] = x0;
    data.d = 3;
    CHECK_STATUS(bln_posterior_loo(q, &data, NULL, &a->out, &report), BLN_ESHAPE);
    data.d = 2;
    const double none = 0.0, *sigma = v->g.eta;
    v->g.eta = &none;
    CHECK_STATUS(bln_posterior_loo(q, &data, NULL, &a->out, &report), BLN_ENUMERIC);
    v->g.eta = sigma;
    for (int what = 0; what < 4; what++) {
        bln_status status = BLN_ENOMEM;
        for (size_t fail = 0; status != BLN_OK; fail++) {
            test_heap heap;
            q->alloc = test_heap_allocator(&heap);
            heap.fail_at = fail;
            status = what == 0 ? bln_posterior_loo(q, &data, NULL, &a->out, NULL)
                   : what == 1 ? bln_posterior_loo(q, &data, &d, &a->out, NULL)
                   : what == 2 ? bln_posterior_loo_groups(q, &data, group, 3, NULL, &a->out, logp, NULL)
                   :             bln_posterior_loglikelihoods(q, &data, 4, 0, table, LOO_N, NULL);
            CHECK_SIZE(heap.live, 0);
            if (status != BLN_OK) CHECK_STATUS(status, BLN_ENOMEM);
            if (fail > 5) break;
        }
        CHECK_OK(status);
    }
    free(a);
    free(v);
    bln_slm_free(slm);
    bln_basis_free(b);
    slm_free_data(&data);
}

SUITE_BEGIN(loo)
SUITE_TEST(loo, linear_model)
SUITE_TEST(loo, nodes)
SUITE_TEST(loo, points)
SUITE_TEST(loo, undefined)
SUITE_TEST(loo, nodes_of_outputs)
SUITE_TEST(loo, students)
SUITE_TEST(loo, beyond_the_range)
SUITE_TEST(loo, undefined_in_every_node)
SUITE_TEST(loo, rows_without_inputs)
SUITE_TEST(loo, no_cavity)
SUITE_TEST(loo, a_residual_of_one_node)
SUITE_TEST(loo, a_residual_beyond_the_range)
SUITE_TEST(loo, no_parameters)
SUITE_TEST(loo, errors)
SUITE_END(loo)
