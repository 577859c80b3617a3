/* test_policies - what holds for all functions alike: every call that takes a report clears it first and fills it on failure; NULL.
 *
 * tools/check_house.sh sees to it that every public function with a report stands in the table below. */
#include "../test.h"
#include "../linear/posterior_of.h"

enum { POLICY_N = 12, POLICY_D = 2 };

typedef struct policy_world {
    double X[POLICY_N*POLICY_D], y[POLICY_N], mean[POLICY_N], var[POLICY_N], big[POLICY_N*POLICY_N], p[POLICY_N], c[POLICY_N];
    double prior[1], theta[1];
    int found;
    size_t rows[POLICY_N], other[POLICY_N];
    bln_data data, short_data;
    bln_source source;
    bln_data_reader reader;
    bln_basis *basis;
    bln_slm *slm, *fresh;
    bln_glm *glm, *glm_fresh;
    bln_slm_integrated *few;
    bln_statistics *t, *t2;
    bln_sequential *row, *row2;
    bln_points points;
    bln_group group;
    const bln_basis *bases[1];
    bln_posterior posterior;
    bln_slm_desc slm_desc;
    bln_glm_desc glm_desc;
    bln_slm_integrated_desc few_desc;
    bln_statistics_desc t_desc;
    bln_sequential_desc row_desc;
    bln_fourier_desc fourier;
    bln_spectral_desc spectral;
    bln_radial_desc radial;
    bln_group_desc groups;
    bln_inducing_desc inducing;
    bln_inducing_select_desc select;
    bln_spec_desc spec;
    bln_draw_desc draws;
    of_outputs out;
    bln_param param;
    bln_likelihood gaussian;
    bln_rng rng;
    unsigned char bytes[4096];
    bln_memory_stream stream;
    bln_modelfile file;
    bln_scaler *scaler;
    bln_basis *made;          /* what a creating call made; freed after it */
} policy_world;

static bln_status policy_write(void *user, const void *bytes, size_t n)
{
    bln_memory_stream *m = (bln_memory_stream *)user;
    if (n > m->size - m->at) return BLN_EIO;
    memcpy(m->bytes + m->at, bytes, n);
    m->at += n;
    return BLN_OK;
}

static bln_status policy_read(void *user, void *bytes, size_t n)
{
    bln_memory_stream *m = (bln_memory_stream *)user;
    if (n > m->size - m->at) return BLN_EFORMAT;
    memcpy(bytes, m->bytes + m->at, n);
    m->at += n;
    return BLN_OK;
}

/* ---- the table: for each function a call that is right and one that is not */

#define POLICY(name, right, wrong) \
    static bln_status policy_##name(policy_world *w, int good, bln_report *r) { return good ? (right) : (wrong); }

POLICY(data_check, bln_data_check(&w->data, 1, r), bln_data_check(NULL, 1, r))
POLICY(likelihood_check_data, bln_likelihood_check_data(&w->gaussian, &w->data, r), bln_likelihood_check_data(NULL, &w->data, r))
POLICY(param_check, bln_param_check(&w->param, r), bln_param_check(NULL, r))

#include "policies_sampling.h"

static bln_status policy_chains_create(policy_world *w, int good, bln_report *r)
{
    bln_chains_desc d = BLN_ZERO;
    bln_chains *c = NULL;
    d.draws = d.columns = 2;
    const bln_status status = bln_chains_create(good ? &d : NULL, &c, r);
    (void)w;
    CHECK(!c == !good);
    bln_chains_free(c);
    return status;
}
static bln_status policy_chains_read_csv(policy_world *w, int good, bln_report *r)
{
    bln_chains *c = NULL;
    const bln_status status = bln_chains_read_csv(NULL, good ? "a\n1\n" : "a\nb\n", 4, &c, r);
    (void)w;
    CHECK(!c == !good);
    bln_chains_free(c);
    return status;
}
static bln_status policy_chains(policy_world *w, int good, int which, bln_report *r)
{
    bln_chains_desc d = BLN_ZERO;
    bln_chains *c = NULL;
    bln_summary summary;
    bln_diagnosis diagnosis;
    d.draws = 2;
    d.columns = 1;
    CHECK_OK(bln_chains_create(&d, &c, NULL));
    CHECK_OK(bln_chains_add(c, w->p, NULL));
    const bln_chains *asked = good ? c : NULL;
    const bln_status status = which == 0 ? bln_chains_add(good ? c : NULL, w->p, r) :
                              which == 1 ? bln_chains_summary(asked, 0, &summary, r) :
                              bln_chains_diagnose(asked, NULL, &diagnosis, r);
    bln_chains_free(c);
    return status;
}
POLICY(chains_add, policy_chains(w, 1, 0, r), policy_chains(w, 0, 0, r))
POLICY(chains_summary, policy_chains(w, 1, 1, r), policy_chains(w, 0, 1, r))
POLICY(chains_diagnose, policy_chains(w, 1, 2, r), policy_chains(w, 0, 2, r))
static bln_status policy_series(policy_world *w, int good, int which, bln_report *r)
{
    bln_series s = BLN_ZERO;
    bln_summary summary;
    double work[6*POLICY_N], out[2];
    s.x = w->y;
    s.chains = 2;
    s.draws = good ? POLICY_N/2 : 0;
    return which == 0 ? bln_series_summary(&s, &summary, work, r) :
           which == 1 ? bln_series_quantile(&s, 0.5, out, NULL, NULL, work, r) :
           which == 2 ? bln_series_autocorrelation(&s, 2, out, work, r) : bln_series_ebfmi(&s, out, r);
}
POLICY(series_summary, policy_series(w, 1, 0, r), policy_series(w, 0, 0, r))
POLICY(series_quantile, policy_series(w, 1, 1, r), policy_series(w, 0, 1, r))
POLICY(series_autocorrelation, policy_series(w, 1, 2, r), policy_series(w, 0, 2, r))
POLICY(series_ebfmi, policy_series(w, 1, 3, r), policy_series(w, 0, 3, r))

static bln_status policy_glm_density_create(policy_world *w, int good, bln_report *r)
{
    bln_glm_density *d = NULL;
    const bln_status status = bln_glm_density_create(good ? w->glm : NULL, &w->data, &d, r);
    CHECK(!d == !good);
    bln_glm_density_free(d);
    return status;
}

static bln_status policy_slm_density_create(policy_world *w, int good, bln_report *r)
{
    bln_slm_density *d = NULL;
    const bln_status status = bln_slm_density_create(good ? w->slm : NULL, &w->data, &d, r);
    CHECK(!d == !good);
    bln_slm_density_free(d);
    return status;
}

static bln_status policy_psis(policy_world *w, int good, bln_report *r)
{
    double work[2*POLICY_N];
    return bln_psis(POLICY_N, good ? w->c : NULL, 0.0, NULL, work, r);
}
static bln_status policy_psis_loo(policy_world *w, int good, bln_report *r)
{
    double work[4*POLICY_N];
    bln_elpd total;
    return bln_psis_loo(POLICY_N, 1, good ? w->c : NULL, 1, NULL, 0.0, NULL, NULL, &total, work, r);
}
static bln_status policy_waic(policy_world *w, int good, bln_report *r)
{
    double work[2*POLICY_N];
    bln_elpd total;
    return bln_waic(POLICY_N, 1, good ? w->c : NULL, 1, NULL, NULL, NULL, &total, work, r);
}
POLICY(posterior_check, bln_posterior_check(&w->posterior, r), bln_posterior_check(NULL, r))
POLICY(posterior_predict, bln_posterior_predict(&w->posterior, &w->data, w->mean, NULL, NULL, NULL, r),
       bln_posterior_predict(NULL, &w->data, w->mean, NULL, NULL, NULL, r))
POLICY(posterior_latent, bln_posterior_latent(&w->posterior, &w->data, w->mean, w->var, NULL, r),
       bln_posterior_latent(&w->posterior, NULL, w->mean, w->var, NULL, r))
POLICY(posterior_logdensities, bln_posterior_logdensities(&w->posterior, &w->data, w->c, NULL, r),
       bln_posterior_logdensities(&w->posterior, &w->data, NULL, NULL, r))
POLICY(posterior_cdfs, bln_posterior_cdfs(&w->posterior, &w->data, w->mean, w->var, NULL, r),
       bln_posterior_cdfs(&w->posterior, NULL, w->mean, w->var, NULL, r))
POLICY(posterior_pits, bln_posterior_pits(&w->posterior, &w->data, 1, w->c, NULL, r),
       bln_posterior_pits(&w->posterior, &w->data, 1, NULL, NULL, r))
POLICY(posterior_quantiles, bln_posterior_quantiles(&w->posterior, &w->data, BLN_OF_Y, 1, w->prior, w->c, NULL, r),
       bln_posterior_quantiles(&w->posterior, &w->data, BLN_OF_Y, 1, w->prior, NULL, NULL, r))
POLICY(posterior_intervals, bln_posterior_intervals(&w->posterior, &w->data, BLN_OF_F, 0.9, w->mean, w->var, NULL, r),
       bln_posterior_intervals(&w->posterior, &w->data, BLN_OF_F, 0.9, NULL, w->var, NULL, r))
POLICY(posterior_slopes, bln_posterior_slopes(&w->posterior, &w->data, w->big, NULL, 0, NULL, r),
       bln_posterior_slopes(&w->posterior, NULL, w->big, NULL, 0, NULL, r))
POLICY(posterior_coefficients, bln_posterior_coefficients(&w->posterior, w->mean, NULL, 0, NULL, NULL, NULL, r),
       bln_posterior_coefficients(NULL, w->mean, NULL, 0, NULL, NULL, NULL, r))
POLICY(posterior_draws, bln_posterior_draws(&w->posterior, &w->data, &w->draws, w->big, NULL, 0, NULL, r),
       bln_posterior_draws(&w->posterior, &w->data, NULL, w->big, NULL, 0, NULL, r))
POLICY(posterior_draw_weights, bln_posterior_draw_weights(&w->posterior, &w->draws, w->big, NULL, 0, NULL, r),
       bln_posterior_draw_weights(&w->posterior, &w->draws, NULL, NULL, 0, NULL, r))
static bln_status policy_leave(policy_world *w, int what, int good, bln_report *r)
{
    static const double m[POLICY_D + 1] = { 0.0 };
    static const size_t row[POLICY_N] = { 0 };
    const size_t D = w->basis->D;
    double R[(POLICY_D + 1)*(POLICY_D + 1)], s[POLICY_D + 1], eta = 1.0;
    bln_gaussians v = BLN_ZERO;
    bln_loo_outputs out = BLN_ZERO;
    bln_posterior q = w->posterior;
    bln_group g = w->group;
    bln_elpd total;
    for (size_t i = 0; i < D*D; i++) R[i] = i % (D + 1) ? 0.0 : 2.0;
    for (size_t i = 0; i < D; i++) s[i] = 0.01;
    v.n = v.k = D;
    v.m = m;
    v.s = s;
    v.R = R;
    g.ops = bln_kind_gaussian();
    g.view = &v;
    g.eta = &eta;
    q.groups = &g;
    q.sites = BLN_SITES_MODE;
    switch (what) {
    case 0:  return bln_posterior_loo(&q, &w->data, NULL, good ? &out : NULL, r);
    case 1:  return bln_posterior_loo_groups(&q, &w->data, good ? row : NULL, 1, NULL, &out, NULL, r);
    case 2:  return bln_posterior_loglikelihoods(&q, &w->data, 1, 0, good ? w->big : NULL, w->data.n, r);
    default: return bln_posterior_waic(&q, &w->data, 2, 0, NULL, NULL, good ? &total : NULL, r);
    }
}
POLICY(posterior_loo, policy_leave(w, 0, 1, r), policy_leave(w, 0, 0, r))
POLICY(posterior_loo_groups, policy_leave(w, 1, 1, r), policy_leave(w, 1, 0, r))
POLICY(posterior_loglikelihoods, policy_leave(w, 2, 1, r), policy_leave(w, 2, 0, r))
POLICY(posterior_waic, policy_leave(w, 3, 1, r), policy_leave(w, 3, 0, r))
POLICY(posterior_covariance, bln_posterior_covariance(&w->posterior, w->big, 0, NULL, r),
       bln_posterior_covariance(&w->posterior, NULL, 0, NULL, r))

POLICY(fourier_create, bln_fourier_create(&w->fourier, &w->made, r), bln_fourier_create(NULL, &w->made, r))
POLICY(fastfood_create, bln_fastfood_create(&w->fourier, &w->made, r), bln_fastfood_create(NULL, &w->made, r))
POLICY(spectral_create, bln_spectral_create(&w->spectral, &w->made, r), bln_spectral_create(NULL, &w->made, r))
POLICY(radial_create, bln_radial_create(&w->radial, &w->made, r), bln_radial_create(NULL, &w->made, r))
POLICY(group_create, bln_group_create(&w->groups, &w->made, r), bln_group_create(NULL, &w->made, r))
static bln_status policy_levels(policy_world *w, int good, bln_report *r)
{
    static const double X[] = { 2, 5, 2 };
    double levels[3];
    size_t n = 0;
    bln_data data = BLN_ZERO;
    (void)w;
    data.n = 3;
    data.d = 1;
    data.X = X;
    return bln_group_levels(&data, good ? 0 : 1, levels, &n, r);
}
POLICY(group_levels, policy_levels(w, 1, r), policy_levels(w, 0, r))
POLICY(inducing_create, bln_inducing_create(&w->inducing, &w->made, r), bln_inducing_create(NULL, &w->made, r))
static bln_status policy_inducing_select(policy_world *w, int good, bln_report *r)
{
    double points[3*POLICY_D];
    size_t n = 0;
    return bln_inducing_select(good ? &w->select : NULL, &w->data, points, NULL, NULL, &n, r);
}
POLICY(basis_parse, bln_basis_parse(&w->spec, &w->made, r), bln_basis_parse(NULL, &w->made, r))
static bln_status policy_basis_sum(policy_world *w, int good, bln_report *r)
{
    bln_basis *part = NULL;
    if (!good) return bln_basis_sum(NULL, 0, NULL, &w->made, r);
    CHECK_OK(bln_bias_create(NULL, &part));
    return bln_basis_sum(NULL, 1, &part, &w->made, r);
}
static bln_status policy_basis_columns(policy_world *w, int good, bln_report *r)
{
    bln_basis *part = NULL;
    if (!good) return bln_basis_columns(NULL, 1, 0, NULL, NULL, &w->made, r);
    CHECK_OK(bln_linear_create(NULL, POLICY_D, 1, &part));
    return bln_basis_columns(NULL, POLICY_N, POLICY_D, w->rows, part, &w->made, r);
}

static bln_status policy_statistics_create(policy_world *w, int good, bln_report *r)
{
    bln_statistics *t = NULL;
    const bln_status status = bln_statistics_create(good ? &w->t_desc : NULL, &t, r);
    bln_statistics_free(t);
    return status;
}
POLICY(statistics_add, bln_statistics_add(w->t, &w->data, r), bln_statistics_add(w->t, NULL, r))
POLICY(statistics_merge, bln_statistics_merge(w->t, w->t2, r), bln_statistics_merge(w->t, NULL, r))
POLICY(statistics_remove, bln_statistics_remove(w->t, &w->data, r), bln_statistics_remove(NULL, &w->data, r))
POLICY(statistics_forget, bln_statistics_forget(w->t, 1.0, r), bln_statistics_forget(w->t, 0.0, r))

static bln_status policy_slm_create(policy_world *w, int good, bln_report *r)
{
    bln_slm *s = NULL;
    const bln_status status = bln_slm_create(good ? &w->slm_desc : NULL, &s, r);
    bln_slm_free(s);
    return status;
}
POLICY(slm_fit, bln_slm_fit(w->slm, &w->data, r), bln_slm_fit(NULL, &w->data, r))
POLICY(slm_fit_source, bln_slm_fit_source(w->slm, &w->source, r), bln_slm_fit_source(w->slm, NULL, r))
POLICY(slm_fit_statistics, bln_slm_fit_statistics(w->slm, w->t, r), bln_slm_fit_statistics(w->slm, NULL, r))
POLICY(slm_init, bln_slm_init(w->fresh, &w->data, r), bln_slm_init(NULL, &w->data, r))
POLICY(slm_init_source, bln_slm_init_source(w->fresh, &w->source, r), bln_slm_init_source(NULL, &w->source, r))
POLICY(slm_step, bln_slm_step(w->fresh, r), bln_slm_step(NULL, r))
POLICY(slm_finish, bln_slm_finish(w->fresh, r), bln_slm_finish(NULL, r))
POLICY(slm_evidence_at, bln_slm_evidence_at(w->slm, &w->data, 1.0, w->prior, NULL, w->c, NULL, NULL, NULL, r),
       bln_slm_evidence_at(NULL, &w->data, 1.0, w->prior, NULL, w->c, NULL, NULL, NULL, r))
static bln_status policy_slm_evidence_outputs(policy_world *w, int good, bln_report *r)
{
    bln_slm_desc desc = w->slm_desc;
    bln_slm *s = NULL;
    desc.relative_prior = 1;
    CHECK_OK(bln_slm_create(&desc, &s, NULL));
    const bln_status status = bln_slm_evidence_outputs(good ? s : NULL, &w->data, NULL, w->prior, NULL, w->c, NULL, NULL, NULL,
                                                       NULL, r);
    bln_slm_free(s);
    return status;
}
POLICY(slm_predict, bln_slm_predict(w->slm, &w->data, w->mean, NULL, w->var, NULL, r),
       bln_slm_predict(NULL, &w->data, w->mean, NULL, w->var, NULL, r))
POLICY(slm_relevance, bln_slm_relevance(w->slm, w->c, NULL, r), bln_slm_relevance(NULL, w->c, NULL, r))

static bln_status policy_slm_integrated_create(policy_world *w, int good, bln_report *r)
{
    bln_slm_integrated *s = NULL;
    const bln_status status = bln_slm_integrated_create(good ? &w->few_desc : NULL, &s, r);
    bln_slm_integrated_free(s);
    return status;
}
POLICY(slm_integrated_fit, bln_slm_integrated_fit(w->few, &w->data, r), bln_slm_integrated_fit(w->few, NULL, r))
POLICY(slm_integrated_fit_source, bln_slm_integrated_fit_source(w->few, &w->source, r),
       bln_slm_integrated_fit_source(w->few, NULL, r))
POLICY(slm_integrated_fit_statistics, bln_slm_integrated_fit_statistics(w->few, w->t, r),
       bln_slm_integrated_fit_statistics(w->few, NULL, r))
POLICY(slm_integrated_predict, bln_slm_integrated_predict(w->few, &w->data, w->mean, NULL, w->var, NULL, r),
       bln_slm_integrated_predict(NULL, &w->data, w->mean, NULL, w->var, NULL, r))

static bln_status policy_sequential_create(policy_world *w, int good, bln_report *r)
{
    bln_sequential *t = NULL;
    const bln_status status = bln_sequential_create(good ? &w->row_desc : NULL, &t, r);
    bln_sequential_free(t);
    return status;
}
static bln_status policy_sequential_create_from(policy_world *w, int good, bln_report *r)
{
    bln_sequential *t = NULL;
    const bln_status status = bln_sequential_create_from(good ? w->slm : NULL, &t, r);
    bln_sequential_free(t);
    return status;
}
POLICY(sequential_add, bln_sequential_add(w->row, &w->data, w->mean, NULL, NULL, r),
       bln_sequential_add(w->row, NULL, w->mean, NULL, NULL, r))
POLICY(sequential_merge, bln_sequential_merge(w->row, w->row2, r), bln_sequential_merge(w->row, NULL, r))
POLICY(sequential_forget, bln_sequential_forget(w->row, 1.0, r), bln_sequential_forget(w->row, 0.0, r))
POLICY(sequential_predict, bln_sequential_predict(w->row, &w->data, w->mean, NULL, w->var, NULL, r),
       bln_sequential_predict(NULL, &w->data, w->mean, NULL, w->var, NULL, r))
POLICY(sequential_remove, bln_sequential_remove(w->row, &w->data, r), bln_sequential_remove(NULL, &w->data, r))

POLICY(mse, bln_mse(POLICY_N, w->y, w->mean, w->c, r), bln_mse(0, w->y, w->mean, w->c, r))
POLICY(rmse, bln_rmse(POLICY_N, w->y, w->mean, w->c, r), bln_rmse(POLICY_N, NULL, w->mean, w->c, r))
POLICY(mae, bln_mae(POLICY_N, w->y, w->mean, w->c, r), bln_mae(POLICY_N, w->y, NULL, w->c, r))
POLICY(smse, bln_smse(POLICY_N, w->y, w->mean, w->c, r), bln_smse(POLICY_N, w->y, w->mean, NULL, r))
POLICY(r2, bln_r2(POLICY_N, w->y, w->mean, w->c, r), bln_r2(0, w->y, w->mean, w->c, r))
POLICY(mll, bln_mll(POLICY_N, w->y, w->mean, w->var, w->c, r), bln_mll(POLICY_N, w->y, w->mean, NULL, w->c, r))
POLICY(msll, bln_msll(POLICY_N, w->y, w->mean, w->var, 0.0, 1.0, w->c, r),
       bln_msll(POLICY_N, w->y, w->mean, w->var, 0.0, 0.0, w->c, r))
POLICY(coverage, bln_coverage(POLICY_N, w->y, w->mean, w->mean, w->c, r), bln_coverage(POLICY_N, w->y, NULL, w->mean, w->c, r))
POLICY(log_loss, bln_log_loss(2, 1, w->X + 2, w->p, w->c, r), bln_log_loss(0, 1, w->X + 2, w->p, w->c, r))
POLICY(error_rate, bln_error_rate(2, 1, w->X + 2, w->p, w->c, r), bln_error_rate(0, 1, w->X + 2, w->p, w->c, r))
POLICY(confusion, bln_confusion(2, 1, w->X + 2, w->p, w->other, r), bln_confusion(2, 0, w->X + 2, w->p, w->other, r))
POLICY(brier, bln_brier(2, 1, w->X + 2, w->p, w->c, r), bln_brier(2, 1, w->X + 2, w->p, NULL, r))

static bln_status policy_scaler_create(policy_world *w, int good, bln_report *r)
{
    bln_scaler *s = NULL;
    const bln_status status = bln_scaler_create(NULL, good ? &w->data : NULL, &s, r);
    bln_scaler_free(s);
    return status;
}
static bln_status policy_glm_create(policy_world *w, int good, bln_report *r)
{
    bln_glm *g = NULL;
    const bln_status status = bln_glm_create(good ? &w->glm_desc : NULL, &g, r);
    bln_glm_free(g);
    return status;
}
POLICY(glm_fit, bln_glm_fit(w->glm, &w->data, r), bln_glm_fit(NULL, &w->data, r))
POLICY(glm_fit_source, bln_glm_fit_source(w->glm, &w->source, r), bln_glm_fit_source(w->glm, NULL, r))
POLICY(glm_init, bln_glm_init(w->glm_fresh, &w->data, r), bln_glm_init(NULL, &w->data, r))
POLICY(glm_init_source, bln_glm_init_source(w->glm_fresh, &w->source, r), bln_glm_init_source(NULL, &w->source, r))
POLICY(glm_step, bln_glm_step(w->glm_fresh, r), bln_glm_step(NULL, r))
POLICY(glm_finish, bln_glm_finish(w->glm_fresh, r), bln_glm_finish(NULL, r))
POLICY(glm_predict, bln_glm_predict(w->glm, &w->data, w->mean, NULL, NULL, NULL, r),
       bln_glm_predict(NULL, &w->data, w->mean, NULL, NULL, NULL, r))
POLICY(glm_unbounded, bln_glm_unbounded(w->glm, &w->data, &w->found, r), bln_glm_unbounded(NULL, &w->data, &w->found, r))
POLICY(glm_set_method, bln_glm_set_method(w->glm_fresh, bln_glm_laplace(), r), bln_glm_set_method(NULL, bln_glm_laplace(), r))
static bln_status policy_glm_objective_at(policy_world *w, int good, bln_report *r)
{
    double value;
    return bln_glm_objective_at(w->glm, bln_glm_full(NULL), &w->data, good ? w->prior : NULL, w->prior, NULL, &value, NULL,
                                NULL, NULL, NULL, NULL, r);
}
static bln_status policy_scaler_create_source(policy_world *w, int good, bln_report *r)
{
    bln_scaler *s = NULL;
    const bln_status status = bln_scaler_create_source(NULL, good ? &w->source : NULL, &s, r);
    bln_scaler_free(s);
    return status;
}

static bln_status policy_conformal_create(policy_world *w, int good, bln_report *r)
{
    bln_conformal *c = NULL;
    const bln_status status = bln_conformal_create(NULL, POLICY_N, 1, good ? w->y : NULL, 1, NULL, &c, r);
    bln_conformal_free(c);
    return status;
}

static bln_status policy_modelfile_write(policy_world *w, int good, bln_report *r)
{
    w->stream.bytes = w->bytes;
    w->stream.size = sizeof w->bytes;
    w->stream.at = 0;
    bln_modelfile file;
    memset(&file, 0, sizeof file);
    if (good) file.slm = w->slm;
    return bln_modelfile_write(policy_write, &w->stream, test_all(), &file, r);
}
static bln_status policy_modelfile_read(policy_world *w, int good, bln_report *r)
{
    w->stream.size = sizeof w->bytes;
    w->stream.at = 0;
    policy_modelfile_write(w, 1, NULL);
    w->stream.size = w->stream.at;
    w->stream.at = 0;
    const bln_status status = bln_modelfile_read(good ? policy_read : NULL, &w->stream, UINT64_MAX, test_all(), &w->file, r);
    if (status == BLN_OK) bln_modelfile_free(&w->file);
    return status;
}
static bln_status policy_modelfile_save(policy_world *w, int good, bln_report *r)
{
    bln_modelfile file;
    memset(&file, 0, sizeof file);
    file.slm = w->slm;
    return bln_modelfile_save(good ? "build/policies.bln" : "", test_all(), &file, r);
}
static bln_status policy_modelfile_load(policy_world *w, int good, bln_report *r)
{
    const bln_status status = bln_modelfile_load(good ? "build/policies.bln" : NULL, test_all(), &w->file, r);
    if (status == BLN_OK) {
        bln_modelfile_free(&w->file);
        remove("build/policies.bln");
    }
    return status;
}

static bln_status policy_truth(void *user, bln_rng *rng, double *truth, bln_report *report)
{
    (void)user; (void)report;
    truth[0] = bln_rng_normal(rng);
    return BLN_OK;
}
static bln_status policy_infer(void *user, bln_rng *rng, size_t n, double *draws, bln_report *report)
{
    for (size_t i = 0; i < n; i++) policy_truth(user, rng, draws + i, report);
    return BLN_OK;
}
static bln_status policy_sbc_run(policy_world *w, int good, bln_report *r)
{
    bln_sbc_desc d = BLN_ZERO;
    bln_sbc out;
    (void)w;
    d.quantities = 1;
    d.replicates = d.draws = 10;
    d.simulate = policy_truth;
    d.infer = good ? policy_infer : NULL;
    return bln_sbc_run(&d, &out, NULL, NULL, r);
}
static bln_status policy_check_replicates(policy_world *w, int good, bln_report *r)
{
    bln_check_result out;
    return bln_check_replicates(good ? POLICY_N : 0, w->data.y, 1, w->data.y, 0, 1, bln_checks(), &out, w->c, r);
}

static bln_status policy_auto_basis_slm(policy_world *w, int good, bln_report *r)
{
    bln_auto_basis found;
    return bln_auto_basis_slm(NULL, NULL, good ? &w->data : NULL, &found, r);
}
static bln_status policy_auto_basis_glm(policy_world *w, int good, bln_report *r)
{
    bln_auto_basis found;
    bln_glm_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.likelihood = w->gaussian;
    return bln_auto_basis_glm(good ? &desc : NULL, NULL, &w->data, &found, r);
}

typedef struct policy_entry { const char *name; bln_status (*call)(policy_world *w, int good, bln_report *report); } policy_entry;
#define ENTRY(name) { "bln_" #name, policy_##name },
static const policy_entry policy_table[] = {
    ENTRY(data_check) ENTRY(param_check)
    ENTRY(psis) ENTRY(psis_loo) ENTRY(waic)
    ENTRY(chains_create) ENTRY(chains_add) ENTRY(chains_read_csv) ENTRY(chains_summary) ENTRY(chains_diagnose)
    ENTRY(series_summary) ENTRY(series_quantile) ENTRY(series_autocorrelation) ENTRY(series_ebfmi)
    ENTRY(density_check)
    ENTRY(program_create) ENTRY(program_unconstrain) ENTRY(program_scopes) ENTRY(program_pointwise) ENTRY(program_loo)
    ENTRY(glm_density_create) ENTRY(slm_density_create)
    ENTRY(hmc_create) ENTRY(hmc_init) ENTRY(hmc_step) ENTRY(hmc_run)
    ENTRY(hmc_sample)
    ENTRY(advi_create) ENTRY(advi_init) ENTRY(advi_step) ENTRY(advi_run) ENTRY(advi_fit)
    ENTRY(chains_importance) ENTRY(chains_resample) ENTRY(pathfinder_fit)
    ENTRY(likelihood_check_data) ENTRY(fourier_create) ENTRY(fastfood_create) ENTRY(spectral_create)
    ENTRY(radial_create) ENTRY(group_create) ENTRY(group_levels) ENTRY(inducing_create) ENTRY(inducing_select)
    ENTRY(basis_parse) ENTRY(basis_sum) ENTRY(basis_columns)
    ENTRY(statistics_create) ENTRY(statistics_add) ENTRY(statistics_merge) ENTRY(statistics_remove) ENTRY(statistics_forget)
    ENTRY(posterior_check) ENTRY(posterior_predict) ENTRY(posterior_latent) ENTRY(posterior_logdensities) ENTRY(posterior_cdfs)
    ENTRY(posterior_pits) ENTRY(posterior_quantiles) ENTRY(posterior_intervals) ENTRY(posterior_coefficients)
    ENTRY(posterior_covariance) ENTRY(posterior_slopes) ENTRY(posterior_draws) ENTRY(posterior_draw_weights)
    ENTRY(posterior_loo) ENTRY(posterior_loo_groups) ENTRY(posterior_loglikelihoods) ENTRY(posterior_waic)
    ENTRY(slm_create) ENTRY(slm_fit) ENTRY(slm_fit_source) ENTRY(slm_fit_statistics) ENTRY(slm_init) ENTRY(slm_init_source)
    ENTRY(slm_step) ENTRY(slm_finish) ENTRY(slm_evidence_at) ENTRY(slm_evidence_outputs) ENTRY(slm_predict)
    ENTRY(glm_create) ENTRY(glm_fit) ENTRY(glm_fit_source) ENTRY(glm_init) ENTRY(glm_init_source) ENTRY(glm_step) ENTRY(glm_finish)
    ENTRY(glm_set_method) ENTRY(glm_objective_at) ENTRY(glm_predict) ENTRY(glm_unbounded)
    ENTRY(slm_relevance) ENTRY(slm_integrated_create) ENTRY(slm_integrated_fit) ENTRY(slm_integrated_fit_source)
    ENTRY(slm_integrated_fit_statistics)
    ENTRY(slm_integrated_predict)
    ENTRY(sequential_create) ENTRY(sequential_create_from) ENTRY(sequential_add) ENTRY(sequential_merge) ENTRY(sequential_forget)
    ENTRY(sequential_predict) ENTRY(sequential_remove)
    ENTRY(mse) ENTRY(rmse) ENTRY(mae) ENTRY(smse) ENTRY(r2) ENTRY(mll) ENTRY(msll) ENTRY(coverage)
    ENTRY(log_loss) ENTRY(error_rate) ENTRY(brier) ENTRY(confusion)
    ENTRY(auto_basis_slm) ENTRY(auto_basis_glm) ENTRY(scaler_create) ENTRY(scaler_create_source) ENTRY(conformal_create)
    ENTRY(modelfile_write) ENTRY(modelfile_read) ENTRY(modelfile_save) ENTRY(modelfile_load)
    ENTRY(check_replicates) ENTRY(sbc_run)
};

/* ---- a world in which every right call succeeds */

static void policy_describe(policy_world *w)
{
    test_random r = test_random_new(1);
    memset(w, 0, sizeof *w);
    for (size_t i = 0; i < POLICY_N; i++) {
        w->X[2*i] = test_normal(&r);
        w->X[2*i + 1] = test_normal(&r);
        w->y[i] = 1.0 + w->X[2*i] + 0.3*test_normal(&r);
        w->var[i] = 1.0;
        w->p[i] = 0.3;
        w->rows[i] = i;
    }
    w->X[2] = 0.0;                                      /* two labels for the scores of classes */
    w->X[3] = 1.0;
    w->prior[0] = 1.0;
    w->data.n = POLICY_N;
    w->data.d = POLICY_D;
    w->data.X = w->X;
    w->data.y = w->y;
    w->source = bln_source_of(&w->data, &w->reader);
    w->param.kind = BLN_PARAM_REAL;
    w->gaussian = bln_likelihood_gaussian();
    bln_rng_seed(&w->rng, 1, 0);
    w->fourier.d = w->radial.d = w->groups.d = POLICY_D;
    w->groups.n = 2;
    w->fourier.n = w->radial.n = 3;
    w->radial.centres = w->X;
    w->inducing.d = POLICY_D;
    w->inducing.n = w->select.n = 3;
    w->inducing.points = w->X;
    w->spectral.envelope = w->fourier;
    w->spec.text = "linear+rbf:n=3";
    w->spec.d = POLICY_D;
    w->draws.n = 1;
    w->out.mean = w->mean;
}

static void policy_build(policy_world *w)
{
    policy_describe(w);
    CHECK_OK(bln_linear_create(NULL, POLICY_D, 1, &w->basis));
    w->slm_desc.basis = w->few_desc.basis = w->t_desc.basis = w->row_desc.basis = w->basis;
    CHECK_OK(bln_slm_create(&w->slm_desc, &w->slm, NULL));
    CHECK_OK(bln_slm_create(&w->slm_desc, &w->fresh, NULL));
    w->glm_desc.basis = w->basis;
    w->points.w = w->var;
    w->bases[0] = w->basis;
    w->group.ops = bln_kind_point();
    w->group.view = &w->points;
    w->group.eta = w->prior;
    w->posterior.bases = w->bases;
    w->posterior.groups = &w->group;
    w->posterior.n_groups = 1;
    w->posterior.observe = bln_observe_noise(1);
    w->glm_desc.likelihood = bln_likelihood_gaussian();
    CHECK_OK(bln_glm_create(&w->glm_desc, &w->glm, NULL));
    CHECK_OK(bln_glm_create(&w->glm_desc, &w->glm_fresh, NULL));
    CHECK_OK(bln_slm_integrated_create(&w->few_desc, &w->few, NULL));
    CHECK_OK(bln_statistics_create(&w->t_desc, &w->t, NULL));
    CHECK_OK(bln_statistics_create(&w->t_desc, &w->t2, NULL));
    CHECK_OK(bln_statistics_add(w->t, &w->data, NULL));
    w->row_desc.prior_var = w->prior;
    w->row_desc.noise_var = 1.0;
    CHECK_OK(bln_sequential_create(&w->row_desc, &w->row, NULL));
    CHECK_OK(bln_sequential_create(&w->row_desc, &w->row2, NULL));
    CHECK_OK(bln_sequential_add(w->row2, &w->data, NULL, NULL, NULL, NULL));
}

static void policy_free(policy_world *w)
{
    bln_statistics_free(w->t);
    bln_statistics_free(w->t2);
    bln_sequential_free(w->row);
    bln_sequential_free(w->row2);
    bln_slm_integrated_free(w->few);
    bln_slm_free(w->slm);
    bln_slm_free(w->fresh);
    bln_glm_free(w->glm);
    bln_glm_free(w->glm_fresh);
    bln_basis_free(w->basis);
}

static bln_report policy_stale(void)
{
    bln_report r;
    memset(&r, 0, sizeof r);
    strcpy(r.text, "stale");
    r.row = 77;
    r.column = 78;
    r.iterations = r.evaluations = 79;
    r.objective = r.gradient_norm = r.jitter = r.condition = -80.0;
    r.stop = BLN_STOP_MONITOR;
    return r;
}

/* Of a report that was full of another call's figures nothing is left, whether the call succeeds or fails; a failure says why. */
TEST(policies, reports_are_cleared_and_filled)
{
    policy_world w;
    policy_build(&w);
    for (size_t k = 0; k < sizeof policy_table/sizeof *policy_table; k++)
        for (int good = 1; good >= 0; good--) {
            bln_report report = policy_stale();
            const size_t before = test_failures;
            w.made = NULL;
            const bln_status status = policy_table[k].call(&w, good, &report);
            bln_basis_free(w.made);
            CHECK((status == BLN_OK) == good);
            CHECK(good ? report.text[0] == '\0' : report.text[0] != '\0' && strcmp(report.text, "stale") != 0);
            CHECK(report.row != 77 && report.column != 78 && report.iterations != 79 && report.evaluations != 79);
            CHECK(report.objective != -80.0 && report.gradient_norm != -80.0);
            CHECK(report.jitter != -80.0 && report.condition != -80.0);
            CHECK(report.stop != BLN_STOP_MONITOR);
            if (good) CHECK(report.row == BLN_NONE && report.column == BLN_NONE);
            if (!good) CHECK_STATUS(policy_table[k].call(&w, 0, NULL), status);
            if (test_failures != before) printf("    in %s, %s\n", policy_table[k].name, good ? "right" : "wrong");
        }
    policy_free(&w);
}

/* The defaults of a desc of zeros. */
TEST(policies, defaults_of_null)
{
    const bln_fourier_desc fourier = BLN_ZERO;
    const bln_slm_desc slm = BLN_ZERO;
    const bln_slm_integrated_desc few = BLN_ZERO;
    const bln_fourier_desc f = blni_fourier_defaults(NULL), f0 = blni_fourier_defaults(&fourier);
    const bln_slm_desc s = bln_slm_defaults(NULL), s0 = bln_slm_defaults(&slm);
    const bln_slm_integrated_desc i = bln_slm_integrated_defaults(NULL), i0 = bln_slm_integrated_defaults(&few);
    CHECK(f.draws == f0.draws && f.draws == BLN_DRAWS_ORTHOGONAL && f.n == 0 && f.length_scale == 0.0);
    CHECK(s.max_iterations == s0.max_iterations && s.max_iterations == 300 && s.tolerance == s0.tolerance && s.basis == NULL);
    CHECK(i.nodes == i0.nodes && i.block == i0.block && i.prior_scale == 10.0 && i.basis == NULL);
    CHECK_TEXT(blni_fourier_check(NULL), "NULL");
    CHECK_TEXT(blni_radial_check(NULL), "NULL");
    CHECK_TEXT(bln_slm_check(NULL), "NULL");
    CHECK_TEXT(bln_slm_integrated_check(NULL), "NULL");
    CHECK_TEXT(bln_sequential_check(NULL), "NULL");
    CHECK(bln_sequential_size(NULL, 0) == (size_t)-1);
    CHECK_TEXT(bln_basis_check(NULL), "NULL");
    CHECK(bln_slm_size(NULL, 1) == (size_t)-1 && bln_slm_size(&slm, 1) == (size_t)-1);
}

/* A NULL object can be freed, and answers like one that holds nothing; what it would write is refused. */
TEST(policies, null_objects)
{
    bln_writer w = bln_writer_over(NULL, NULL);
    double d = 0.0;
    bln_basis_free(NULL);
    bln_statistics_free(NULL);
    bln_slm_free(NULL);
    bln_slm_abandon(NULL);
    bln_slm_integrated_free(NULL);
    bln_sequential_free(NULL);
    bln_sequential_clear(NULL);
    bln_scaler_free(NULL);
    bln_conformal_free(NULL);
    bln_modelfile_free(NULL);
    bln_report_clear(NULL);
    CHECK(bln_slm_converged(NULL));
    CHECK(!bln_slm_basis(NULL) && !gaussians_of(bln_slm_posterior(NULL)) && !bln_slm_theta(NULL) && !bln_slm_prior_var(NULL));
    CHECK(bln_slm_noise_var(NULL) != bln_slm_noise_var(NULL) && bln_slm_evidence(NULL) != bln_slm_evidence(NULL));
    CHECK(bln_slm_rows(NULL) != bln_slm_rows(NULL));
    CHECK(bln_slm_outputs(NULL) == 0 && bln_slm_noise_cov(NULL) == NULL);
    CHECK(bln_slm_priors(NULL) == 0);
    CHECK(bln_posterior_work(bln_slm_posterior(NULL)) + bln_posterior_slopes_work(bln_slm_posterior(NULL)) == 0);
    CHECK(bln_posterior_draws_work(NULL, NULL, 0, 0) + bln_posterior_work(bln_slm_integrated_posterior(NULL)) == 0);
    CHECK(bln_slm_integrated_nodes(NULL) == 0 && bln_slm_integrated_dof(NULL) != bln_slm_integrated_dof(NULL));
    CHECK(bln_slm_integrated_evidence(NULL) != bln_slm_integrated_evidence(NULL));
    CHECK(bln_slm_integrated_unit(NULL, 0) != bln_slm_integrated_unit(NULL, 0));
    CHECK(bln_statistics_rows(NULL) != bln_statistics_rows(NULL));
    CHECK(!gaussians_of(bln_sequential_posterior(NULL)) && bln_posterior_work(bln_sequential_posterior(NULL)) == 0);
    CHECK(!bln_sequential_basis(NULL) && !bln_sequential_theta(NULL) && !bln_sequential_prior_var(NULL));
    CHECK(bln_sequential_noise_var(NULL) != bln_sequential_noise_var(NULL));
    CHECK(bln_sequential_rows(NULL) != bln_sequential_rows(NULL) && bln_sequential_evidence(NULL) != bln_sequential_evidence(NULL));
    CHECK(bln_scaler_columns(NULL) == 0 && !bln_scaler_constant(NULL, 0) && bln_scaler_sd(NULL, 0) != bln_scaler_sd(NULL, 0));
    CHECK(bln_scaler_mean(NULL, 0) != bln_scaler_mean(NULL, 0) && !bln_fourier_frequencies(NULL));
    CHECK(bln_conformal_outputs(NULL) == 0 && bln_conformal_rows(NULL) != bln_conformal_rows(NULL));
    CHECK_STATUS(bln_slm_save(NULL, &w), BLN_EINVAL);
    CHECK_STATUS(bln_glm_save(NULL, &w), BLN_EINVAL);
    CHECK_STATUS(sd_of(bln_slm_posterior(NULL), &d), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_coefficients(bln_slm_integrated_posterior(NULL), &d, NULL, 0, NULL, NULL, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_slm_integrated_node(NULL, 0, &d, NULL, &d), BLN_EINVAL);
    for (int k = 0; k < 5; k++) {
        w.status = BLN_OK;
        if (k == 0) bln_basis_save(NULL, &w);
        if (k == 1) bln_statistics_save(NULL, &w);
        if (k == 2) bln_scaler_save(NULL, &w);
        if (k == 3) bln_sequential_save(NULL, &w);
        if (k == 4) bln_conformal_save(NULL, &w);
        CHECK_STATUS(w.status, BLN_EINVAL);
    }
}

/* Nowhere to put what is made, or nothing to make it from. */
TEST(policies, null_results)
{
    policy_world w;
    bln_basis *part = NULL;
    bln_slm *slm = NULL;
    bln_scaler *scaler = NULL;
    bln_conformal *conformal = NULL;
    policy_describe(&w);
    w.slm_desc.basis = w.few_desc.basis = w.t_desc.basis = NULL;
    bln_reader r = bln_memory_reader(&w.stream, w.bytes, 0, NULL);
    CHECK_OK(bln_linear_create(NULL, POLICY_D, 1, &part));
    w.slm_desc.basis = w.few_desc.basis = w.t_desc.basis = part;
    CHECK_STATUS(bln_bias_create(NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_linear_create(NULL, 1, 1, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_polynomial_create(NULL, 1, 2, 1, 0, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_legendre_create(NULL, 1, 2, 1, NULL, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_fourier_create(&w.fourier, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_fastfood_create(&w.fourier, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_radial_create(&w.radial, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_inducing_create(&w.inducing, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_basis_parse(&w.spec, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_basis_sum(NULL, 1, &part, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_basis_columns(NULL, POLICY_D, POLICY_D, w.rows, part, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_basis_load_any(NULL, &r, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_basis_load_any(NULL, NULL, &part), BLN_EINVAL);
    CHECK_STATUS(bln_statistics_create(&w.t_desc, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_statistics_load(NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_sequential_create(&w.row_desc, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_sequential_create_from(NULL, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_sequential_load(NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_slm_create(&w.slm_desc, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_slm_load(NULL, &r, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_slm_load(NULL, NULL, &slm), BLN_EINVAL);
    CHECK_STATUS(bln_slm_integrated_create(&w.few_desc, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_glm_load(NULL, &r, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_scaler_create(NULL, &w.data, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_scaler_create_source(NULL, &w.source, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_scaler_identity(NULL, 1, 1, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_scaler_load(NULL, &r, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_scaler_load(NULL, NULL, &scaler), BLN_EINVAL);
    CHECK_STATUS(bln_conformal_create(NULL, POLICY_N, 1, w.y, 1, NULL, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_conformal_load(NULL, &r, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_conformal_load(NULL, NULL, &conformal), BLN_EINVAL);
    CHECK_STATUS(bln_modelfile_read(policy_read, &w.stream, 0, NULL, NULL, NULL), BLN_EINVAL);
    CHECK(part != NULL && slm == NULL && scaler == NULL && conformal == NULL);
    bln_basis_free(part);
}

SUITE_BEGIN(policies)
SUITE_TEST(policies, reports_are_cleared_and_filled)
SUITE_TEST(policies, defaults_of_null)
SUITE_TEST(policies, null_objects)
SUITE_TEST(policies, null_results)
SUITE_END(policies)
