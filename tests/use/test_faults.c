/* faults: memory that runs out at any allocation, and streams that end at any byte, in the whole life of everything that allocates
 *
 * Each life is run without failures, then with every allocation failing, once and with all later ones (faults_tools.h). Quickly:
 * a few allocations of each, others in each life. With FAULTS=all in the environment: every one. */
#include "faults_tools.h"

enum { FAULT_N = 8, FAULT_D = 2 };
static const double fault_X[FAULT_N*FAULT_D] = { 0.3, -1.1, 2.1, 0.5, -0.7, 1.9, 1.3, -0.2, -1.5, 0.8, 0.1, -2.2, 0.9, 0.4, -0.3,
    1.2 };
static const double fault_real[FAULT_N] = { 1.1, -0.4, 2.7, 0.9, -1.8, 0.2, 1.4, -0.9 };
static const double fault_count[FAULT_N] = { 0, 2, 1, 0, 1, 2, 1, 0 };
static const double fault_coin[FAULT_N] = { 0, 1, 1, 0, 1, 0, 1, 0 };

static bln_data fault_rows(const double *y)
{
    bln_data data = BLN_ZERO;
    data.n = FAULT_N;
    data.d = FAULT_D;
    data.X = fault_X;
    data.y = y;
    return data;
}

/* ---- bases ---- */

static const char *const fault_specs[] = {
    "bias", "linear", "polynomial:degree=2,interactions", "legendre:degree=2", "radial:n=3", "sigmoid:n=2", "rbf:n=3,ard+linear",
    "matern:n=2,nu=1.5,draws=sobol", "rq:n=2,draws=halton", "rbf:n=2,draws=fastfood", "spectral:n=2,q=2", "inducing:m=3,learn",
    "inducing:m=3,select=pivoted,kernel=matern32", "gp", "group:by=0", "linear:cols=b+bias"
};
enum { FAULT_SPECS = sizeof fault_specs/sizeof *fault_specs };

static bln_basis *fault_basis(fault_run *f, const char *text)
{
    static const char *const names[FAULT_D] = { "a", "b" };
    bln_spec_desc spec = BLN_ZERO;
    bln_basis *b = NULL;
    bln_data data = fault_rows(NULL);
    double X[FAULT_N*FAULT_D];
    for (size_t i = 0; i < FAULT_N*FAULT_D; i++) X[i] = strncmp(text, "group", 5) ? fault_X[i] : (double)(i/FAULT_D % 3);
    data.X = X;
    spec.text = text;
    spec.d = FAULT_D;
    spec.names = names;
    spec.rows = &data;
    MAKE(b, bln_basis_parse(&spec, &b, &f->r));
end:
    return b;
}

static void fault_life_spec(fault_run *f, size_t which)
{
    bln_basis *b = fault_basis(f, fault_specs[which]);
    if (b) fault_journey(f, &fault_basis_kind, b);
    bln_basis_free(b);
}

/* The same made by their own functions. */
static void fault_life_basis(fault_run *f, size_t which)
{
    static const double lo[FAULT_D] = { -3.0, -3.0 }, hi[FAULT_D] = { 3.0, 3.0 };
    static const size_t columns[1] = { 1 };
    const bln_data data = fault_rows(NULL);
    bln_data whole = data;
    bln_basis *b = NULL, *part = NULL;
    double levels[FAULT_N], points[3*FAULT_D];
    size_t n = 0;
    bln_radial_desc radial = BLN_ZERO;
    bln_group_desc group = BLN_ZERO;
    bln_fourier_desc fourier = BLN_ZERO;
    bln_spectral_desc spectral = BLN_ZERO;
    bln_inducing_desc inducing = BLN_ZERO;
    bln_inducing_select_desc select = BLN_ZERO;
    radial.d = group.d = fourier.d = inducing.d = FAULT_D;
    radial.n = fourier.n = inducing.n = select.n = 3;
    radial.centres = inducing.points = fault_X;
    group.n = 3;
    spectral.envelope = fourier;
    switch (which) {
    case 0: MAKE(b, bln_bias_create(NULL, &b)); break;
    case 1: MAKE(b, bln_linear_create(NULL, FAULT_D, 1, &b)); break;
    case 2: MAKE(b, bln_polynomial_create(NULL, FAULT_D, 3, 1, 1, &b)); break;
    case 3: MAKE(b, bln_legendre_create(NULL, FAULT_D, 3, 1, lo, hi, &b)); break;
    case 4: MAKE(b, bln_radial_create(&radial, &b, &f->r)); break;
    case 5: MAKE(b, bln_group_create(&group, &b, &f->r)); break;
    case 6: MAKE(b, bln_fourier_create(&fourier, &b, &f->r)); break;
    case 7: MAKE(b, bln_fastfood_create(&fourier, &b, &f->r)); break;
    case 8: MAKE(b, bln_spectral_create(&spectral, &b, &f->r)); break;
    case 9: MAKE(b, bln_inducing_create(&inducing, &b, &f->r)); break;
    case 10:
        TRY(bln_inducing_select(&select, &data, points, NULL, NULL, &n, &f->r));
        fault_doubles(f, n*FAULT_D, points);
        whole.X = fault_count;
        whole.d = 1;
        TRY(bln_group_levels(&whole, 0, levels, &n, &f->r));
        fault_doubles(f, n, levels);
        break;
    case 11:
        MAKE(part, bln_linear_create(NULL, FAULT_D, 1, &part));
        MAKE(b, bln_basis_sum(NULL, 1, &part, &b, &f->r));
        part = NULL;
        break;
    default:
        MAKE(part, bln_linear_create(NULL, 1, 1, &part));
        MAKE(b, bln_basis_columns(NULL, FAULT_D, 1, columns, part, &b, &f->r));
        part = NULL;
        break;
    }
    if (b) fault_journey(f, &fault_basis_kind, b);
end:
    bln_basis_free(part);
    bln_basis_free(b);
}
enum { FAULT_BASES = 13 };

/* ---- what may be asked of a posterior; much of it is refused by some kinds ---- */

static void fault_ask(fault_run *f, const bln_posterior *q, const bln_data *data)
{
    enum { MOST = 4*FAULT_N*FAULT_D, DRAWS = 6 };
    static const double p[2] = { 0.1, 0.7 };
    static const size_t group[FAULT_N] = { 0, 0, 1, 1, 1, 2, 2, 2 };
    double a[MOST], b[MOST], c[MOST], out[2*MOST], w[4000], noise[MOST];
    bln_draw_desc draws = BLN_ZERO;
    bln_loo_desc leave = BLN_ZERO;
    bln_loo_outputs o = BLN_ZERO;
    bln_elpd total;
    memset(&total, 0, sizeof total);
    for (size_t i = 0; i < MOST; i++) a[i] = b[i] = c[i] = noise[i] = 0.0;
    for (size_t i = 0; i < 2*MOST; i++) out[i] = 0.0;
    for (size_t i = 0; i < 4000; i++) w[i] = 0.0;
    draws.n = DRAWS;
    draws.noise = 1;
    leave.draws = 50;
    o.logdensity = a;
    o.influence = b;
    o.total = &total;
    MAY(bln_posterior_predict(q, data, a, b, noise, NULL, &f->r));
    MAY(bln_posterior_latent(q, data, a, b, NULL, &f->r));
    fault_doubles(f, MOST, noise);
    fault_doubles(f, MOST, b);
    MAY(bln_posterior_logdensities(q, data, c, NULL, &f->r));
    MAY(bln_posterior_cdfs(q, data, a, b, NULL, &f->r));
    MAY(bln_posterior_pits(q, data, 7, noise, NULL, &f->r));
    MAY(bln_posterior_quantiles(q, data, BLN_OF_Y, 2, p, out, NULL, &f->r));
    fault_doubles(f, MOST, c);
    fault_doubles(f, 2*MOST, out);
    MAY(bln_posterior_intervals(q, data, BLN_OF_F, 0.9, a, b, NULL, &f->r));
    MAY(bln_posterior_slopes(q, data, out, out + MOST, 0, NULL, &f->r));
    fault_doubles(f, 2*MOST, out);
    MAY(bln_posterior_draws(q, data, &draws, w, NULL, 0, NULL, &f->r));
    fault_doubles(f, 4000, w);
    MAY(bln_posterior_draw_weights(q, &draws, w, NULL, 0, NULL, &f->r));
    MAY(bln_posterior_coefficients(q, w + 1000, w + 2000, 2, p, w + 3000, NULL, &f->r));
    fault_doubles(f, 4000, w);
    MAY(bln_posterior_covariance(q, w, 0, NULL, &f->r));
    MAY(bln_posterior_loo(q, data, NULL, &o, &f->r));
    fault_doubles(f, FAULT_N, a);
    leave.psis = 1;
    MAY(bln_posterior_loo(q, data, &leave, &o, &f->r));
    MAY(bln_posterior_loo_groups(q, data, group, 3, NULL, &o, c, &f->r));
    MAY(bln_posterior_loglikelihoods(q, data, 4, 1, w, FAULT_N, &f->r));
    MAY(bln_posterior_waic(q, data, 4, 1, NULL, NULL, &total, &f->r));
    fault_doubles(f, 1000, w);
    fault_doubles(f, FAULT_N, b);
    fault_journey(f, &fault_posterior_kind, q);
}

/* ---- the linear model and its statistics ---- */

/* Forms and outputs. */
static void fault_life_slm(fault_run *f, size_t which)
{
    static const char *const specs[] = { "linear", "rbf:n=2,ard+bias", "rbf:n=6", "linear", "rbf:n=2+linear", "linear",
        "gp:length=1",
                                         "inducing:m=3,length=1" };
    static const double two[2*FAULT_N] = { 1.1, -0.4, 2.7, 0.9, -1.8, 0.2, 1.4, -0.9, 0.3, 0.4, 1.7, -0.9, -1.1, 2.2, 0.4, 0.7 };
    const bln_data rows = fault_rows(fault_real);
    bln_data data = rows;
    bln_data_reader state;
    double mean[2*FAULT_N], var[2*FAULT_N], noise[2*FAULT_N], value[2], gamma[64];
    bln_slm *slm = NULL;
    bln_slm_density *density = NULL;
    bln_slm_desc desc = BLN_ZERO;
    bln_basis *basis = fault_basis(f, specs[which]);
    if (!basis) return;
    desc.basis = basis;
    desc.max_iterations = 3;
    desc.form = which == 2 ? BLN_SLM_DUAL : which < 2 ? BLN_SLM_PRIMAL : BLN_SLM_AUTO;
    desc.arithmetic = which == 1 ? BLN_SLM_QR : which == 3 ? BLN_SLM_EXACT : BLN_SLM_ARITHMETIC_AUTO;
    desc.starts = which == 4 ? 2 : 1;
    desc.per_weight = which == 5;
    if (which == 3) {
        desc.n_outputs = data.p = 2;
        desc.sigma = BLN_SLM_CORRELATED;
        data.y = two;
    }
    MAKE(slm, bln_slm_create(&desc, &slm, &f->r));
    TRY(bln_slm_fit(slm, &data, &f->r));
    value[0] = bln_slm_evidence(slm);
    fault_doubles(f, 1, value);
    fault_ask(f, bln_slm_posterior(slm), &data);
    fault_journey(f, &fault_slm_kind, slm);
    TRY(bln_slm_predict(slm, &data, mean, var, noise, NULL, &f->r));
    fault_doubles(f, FAULT_N, mean);
    MAY(bln_slm_relevance(slm, gamma, NULL, &f->r));
    if (which != 2 && which < 6) {
        const bln_source source = bln_source_of(&data, &state);
        TRY(bln_slm_fit_source(slm, &source, &f->r));
        value[0] = bln_slm_evidence(slm);
        fault_doubles(f, 1, value);
        TRY(bln_slm_init_source(slm, &source, &f->r));
    } else TRY(bln_slm_init(slm, &data, &f->r));
    while (!bln_slm_converged(slm)) TRY(bln_slm_step(slm, &f->r));
    TRY(bln_slm_finish(slm, &f->r));
    value[0] = bln_slm_evidence(slm);
    fault_doubles(f, 1, value);
    if (which == 0) {
        static const double prior[1] = { 1.5 };
        TRY(bln_slm_init(slm, &data, &f->r));
        TRY(bln_slm_evidence_at(slm, &data, 0.3, prior, NULL, value, NULL, NULL, NULL, &f->r));
        bln_slm_free(slm);
        slm = NULL;
        desc.relative_prior = 1;
        MAKE(slm, bln_slm_create(&desc, &slm, &f->r));
        TRY(bln_slm_evidence_outputs(slm, &data, NULL, prior, NULL, value, NULL, NULL, NULL, NULL, &f->r));
        fault_doubles(f, 1, value);
    }
    if (which == 1 || which == 2) {
        double start[16];
        bln_density of;
        MAKE(density, bln_slm_density_create(slm, &data, &density, &f->r));
        of = bln_slm_density_of(density);
        memcpy(start, bln_slm_density_start(density), of.dim*sizeof *start);
        TRY(of.eval(of.user, start, value, gamma, NULL));
        fault_doubles(f, of.dim, gamma);
    }
end:
    bln_slm_density_free(density);
    bln_slm_free(slm);
    bln_basis_free(basis);
}
enum { FAULT_SLMS = 8 };

/* Sums, in three doubles, a triangle: added, merged, forgotten, taken out, sent, fitted by three models. */
static void fault_life_statistics(fault_run *f, size_t which)
{
    static unsigned char bytes[FAULT_BYTES];
    static const double prior[1] = { 1.5 };
    const bln_data data = fault_rows(fault_real);
    bln_basis *basis = fault_basis(f, "linear");
    bln_statistics *t = NULL, *other = NULL;
    bln_sequential *row = NULL, *row2 = NULL;
    bln_slm *slm = NULL;
    bln_slm_integrated *few = NULL;
    bln_statistics_desc desc = BLN_ZERO;
    bln_slm_desc model = BLN_ZERO;
    bln_sequential_desc one = BLN_ZERO;
    bln_slm_integrated_desc integrated = BLN_ZERO;
    bln_memory_stream m;
    double value[2], mean[FAULT_N], var[FAULT_N], noise[FAULT_N];
    desc.basis = model.basis = one.basis = integrated.basis = basis;
    desc.exact = which == 1;
    desc.qr = which == 2;
    desc.block = one.block = 4;
    one.noise_var = 0.3;
    one.prior_var = prior;
    integrated.nodes = 8;
    if (!basis) return;
    MAKE(t, bln_statistics_create(&desc, &t, &f->r));
    MAKE(other, bln_statistics_create(&desc, &other, &f->r));
    TRY(bln_statistics_add(t, &data, &f->r));
    TRY(bln_statistics_add(other, &data, &f->r));
    TRY(bln_statistics_merge(t, other, &f->r));
    TRY(bln_statistics_forget(t, 0.9, &f->r));
    MAY(bln_statistics_remove(t, &data, &f->r));
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    TRY(bln_statistics_save(t, &w));
    fault_add(f, bytes, m.at);
    const size_t n = m.at;
    bln_reader r;
    fault_sums = &desc;
    fault_rows_of = &one;
    fault_journey(f, &fault_sums_kind, t);
    TRY((r = bln_memory_reader(&m, bytes, n, &f->r), bln_statistics_load(other, &r)));
    fault_name("bln_statistics_load(");
    MAKE(slm, bln_slm_create(&model, &slm, &f->r));
    TRY(bln_slm_fit_statistics(slm, other, &f->r));
    value[0] = bln_slm_evidence(slm);
    MAKE(few, bln_slm_integrated_create(&integrated, &few, &f->r));
    TRY(bln_slm_integrated_fit_statistics(few, other, &f->r));
    fault_journey(f, &fault_integrated_kind, few);
    MAKE(row, bln_sequential_create(&one, &row, &f->r));
    MAKE(row2, bln_sequential_create(&one, &row2, &f->r));
    TRY(bln_sequential_add(row, &data, mean, var, noise, &f->r));
    TRY(bln_sequential_add(row2, &data, NULL, NULL, NULL, &f->r));
    TRY(bln_sequential_merge(row, row2, &f->r));
    TRY(bln_sequential_remove(row, &data, &f->r));
    TRY(bln_sequential_forget(row, 0.9, &f->r));
    w = bln_memory_writer(&m, bytes, sizeof bytes);
    TRY(bln_sequential_save(row, &w));
    const size_t n2 = m.at;
    fault_journey(f, &fault_row_kind, row);
    TRY((r = bln_memory_reader(&m, bytes, n2, &f->r), bln_sequential_load(row2, &r)));
    fault_name("bln_sequential_load(");
    TRY(bln_sequential_predict(row2, &data, mean, var, noise, NULL, &f->r));
    fault_ask(f, bln_sequential_posterior(row2), &data);
    fault_doubles(f, FAULT_N, mean);
    bln_sequential_free(row);
    row = NULL;
    MAKE(row, bln_sequential_create_from(slm, &row, &f->r));
    fault_doubles(f, 1, value);
end:
    bln_sequential_free(row);
    bln_sequential_free(row2);
    bln_slm_integrated_free(few);
    bln_slm_free(slm);
    bln_statistics_free(t);
    bln_statistics_free(other);
    bln_basis_free(basis);
}

static void fault_life_integrated(fault_run *f, size_t which)
{
    static const double ratio[2] = { 0.0, HUGE_VAL };
    const bln_data data = fault_rows(fault_real);
    bln_data_reader state;
    double mean[FAULT_N], var[FAULT_N], noise[FAULT_N];
    bln_basis *basis = fault_basis(f, which ? "linear+bias" : "rbf:n=2");
    bln_slm_integrated *few = NULL;
    bln_slm_integrated_desc desc = BLN_ZERO;
    if (!basis) return;
    desc.basis = basis;
    desc.ratio = which ? ratio : NULL;
    desc.nodes = 8;
    MAKE(few, bln_slm_integrated_create(&desc, &few, &f->r));
    TRY(bln_slm_integrated_fit(few, &data, &f->r));
    const bln_source source = bln_source_of(&data, &state);
    TRY(bln_slm_integrated_fit_source(few, &source, &f->r));
    TRY(bln_slm_integrated_predict(few, &data, mean, var, noise, NULL, &f->r));
    fault_doubles(f, FAULT_N, mean);
    fault_ask(f, bln_slm_integrated_posterior(few), &data);
    fault_journey(f, &fault_integrated_kind, few);
end:
    bln_slm_integrated_free(few);
    bln_basis_free(basis);
}

/* ---- generalised linear models: every likelihood by every method that takes it ---- */

/* Sets method k, counted from 0, and the text of its call, if there is such a method. Returns how many there are. */
static size_t fault_method(size_t k, bln_glm_method *out, const char **name)
{
    static bln_glm_mixture_desc mixture;
    static bln_glm_nuts_desc nuts;
    static bln_glm_gibbs_desc gibbs;
    static bln_glm_full_desc full;
    static bln_glm_integrated_desc nodes;
    memset(&mixture, 0, sizeof mixture);
    memset(&nuts, 0, sizeof nuts);
    memset(&gibbs, 0, sizeof gibbs);
    memset(&full, 0, sizeof full);
    memset(&nodes, 0, sizeof nodes);
    mixture.components = 2;
    mixture.nodes = full.nodes = 6;
    nodes.nodes = 8;
    nuts.chains = gibbs.chains = 2;
    nuts.warmup = nuts.draws = nuts.keep = gibbs.warmup = gibbs.draws = gibbs.keep = 8;
    size_t n = 0;
#define FAULT_CHOICE(call) if (n++ == k) { *name = #call; *out = call; }
    FAULT_CHOICE(bln_glm_laplace())
    FAULT_CHOICE(bln_glm_full(&full))
    FAULT_CHOICE(bln_glm_integrated(&nodes))
    FAULT_CHOICE(bln_glm_map(NULL))
    FAULT_CHOICE(bln_glm_mixture(&mixture))
    FAULT_CHOICE(bln_glm_npv(&mixture))
    FAULT_CHOICE(bln_glm_sgvi(&mixture))
    FAULT_CHOICE(bln_glm_nuts(&nuts))
    FAULT_CHOICE(bln_glm_gibbs(&gibbs))
    FAULT_CHOICE(bln_glm_cavi(NULL))
    return n;
}

static size_t fault_likelihood(size_t k, bln_likelihood *out, const char **name)
{
    size_t n = 0;
    FAULT_CHOICE(bln_likelihood_gaussian())
    FAULT_CHOICE(bln_likelihood_student_t())
    FAULT_CHOICE(bln_likelihood_laplace())
    FAULT_CHOICE(bln_likelihood_asymmetric_laplace(0.3))
    FAULT_CHOICE(bln_likelihood_binomial(BLN_LINK_LOGIT))
    FAULT_CHOICE(bln_likelihood_poisson(BLN_LINK_LOG))
    FAULT_CHOICE(bln_likelihood_negative_binomial())
    FAULT_CHOICE(bln_likelihood_zero_inflated_poisson())
    FAULT_CHOICE(bln_likelihood_ordinal(3))
    FAULT_CHOICE(bln_likelihood_categorical(3))
    FAULT_CHOICE(bln_likelihood_categorical_reference(3))
    FAULT_CHOICE(bln_likelihood_gaussian_scale())
    FAULT_CHOICE(bln_likelihood_heteroscedastic())
    FAULT_CHOICE(bln_likelihood_heteroscedastic_t())
    FAULT_CHOICE(bln_likelihood_logistic_softmax(3, BLN_SOFTMAX_OVER))
    return n;
}

/* Targets in the domain of a likelihood. */
static const double *fault_targets(const bln_likelihood *l)
{
    if (!l->ops->discrete) return fault_real;
    return l->ops->domain && l->ops->domain(l, 2.0, 1.0) ? fault_coin : fault_count;
}

static size_t fault_glms(void)
{
    bln_glm_method method;
    bln_likelihood likelihood;
    const char *name;
    return fault_method(BLN_NONE, &method, &name)*fault_likelihood(BLN_NONE, &likelihood, &name);
}

/* A failed finish drops the fit, and a failed step may leave nothing to finish. */
static bln_status fault_steps(bln_glm *glm, const bln_data *data, bln_report *report)
{
    bln_status status = bln_glm_init(glm, data, report);
    while (status == BLN_OK && !bln_glm_converged(glm)) status = bln_glm_step(glm, report);
    if (status == BLN_OK) status = bln_glm_finish(glm, report);
    if (status != BLN_OK) bln_glm_abandon(glm);
    return status;
}

static void fault_life_glm(fault_run *f, size_t which)
{
    const char *method, *likelihood;
    double mean[3*FAULT_N], var[9*FAULT_N], noise[9*FAULT_N], value[2];
    int unbounded;
    bln_glm *glm = NULL;
    bln_glm_density *density = NULL;
    bln_data_reader state;
    bln_glm_desc desc = BLN_ZERO;
    const size_t methods = fault_method(BLN_NONE, &desc.method, &method), first = which % methods == 0;
    fault_method(which % methods, &desc.method, &method);
    fault_likelihood(which/methods, &desc.likelihood, &likelihood);
    const char *const by = desc.method.ops->name, *const of = desc.likelihood.ops->name;
    /* For one likelihood of one latent and one of several, all questions are asked of all methods. */
    const int asked = !strcmp(of, "binomial_logit") || !strcmp(of, "categorical");
    /* These two take long, and what they allocate does not depend on the likelihood. */
    if ((!strcmp(by, "integrated") || !strcmp(by, "nuts")) && !asked && strcmp(of, "gaussian")) return;
    bln_basis *basis = fault_basis(f, which % 3 ? "linear" : "rbf:n=2+bias");
    if (!basis) return;
    desc.basis = basis;
    desc.max_iterations = 2;
    const bln_data data = fault_rows(fault_targets(&desc.likelihood));
    const bln_source source = bln_source_of(&data, &state);
    MAY(bln_glm_create(&desc, &glm, &f->r));
    if (f->status != BLN_OK) goto end;                       /* not every method takes every likelihood */
    MAY(bln_glm_fit(glm, &data, &f->r));
    if (f->status != BLN_OK) goto end;
    fault_name(likelihood);
    fault_name(method);
    MAY(bln_glm_predict(glm, &data, mean, var, noise, NULL, &f->r));
    MAY(bln_glm_unbounded(glm, &data, &unbounded, &f->r));
    if (first || asked) fault_ask(f, bln_glm_posterior(glm), &data);
    fault_journey(f, &fault_glm_kind, glm);
    MAY(bln_glm_fit_source(glm, &source, &f->r));
    MAY(bln_glm_init_source(glm, &source, &f->r));
    MAY(fault_steps(glm, &data, &f->r));
    for (int k = 0; k < 3 && f->status == BLN_OK; k++) fault_name(k == 0 ? "bln_glm_init" : k == 1 ? "bln_glm_step"
        : "bln_glm_finish");
    value[0] = bln_glm_objective(glm);
    fault_doubles(f, 1, value);
    if (first) {
        static const double prior[6] = { 1.5, 1.5, 1.5, 1.5, 1.5, 1.5 };
        MAY(bln_glm_set_method(glm, bln_glm_laplace(), &f->r));
        MAY(bln_glm_objective_at(glm, bln_glm_laplace(), &data, prior, bln_glm_likelihood_theta(glm), NULL, value, NULL, NULL,
            NULL, NULL,
                                 NULL, &f->r));
        if (f->status == BLN_OK) fault_doubles(f, 1, value);
        MAY(bln_glm_density_create(glm, &data, &density, &f->r));
    }
end:
    bln_glm_density_free(density);
    bln_glm_free(glm);
    bln_basis_free(basis);
}

/* ---- samplers and programs ---- */

static bln_status fault_eval(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    (void)user; (void)report;
    *value = -0.5*(q[0]*q[0] + 4.0*q[1]*q[1]);
    if (gradient) { gradient[0] = -q[0]; gradient[1] = -4.0*q[1]; }
    return BLN_OK;
}

static bln_status fault_model(bln_tape *t, const bln_var *p, void *user)
{
    (void)user;
    bln_lp_std_normal(t, p[0]);
    bln_data_term(t);
    bln_lp_std_normal(t, p[1]);
    return BLN_OK;
}

static bln_status fault_simulate(void *user, bln_rng *rng, double *truth, bln_report *report)
{
    (void)user; (void)report;
    truth[0] = bln_rng_uniform(rng);
    return BLN_OK;
}
static bln_status fault_infer(void *user, bln_rng *rng, size_t n, double *draws, bln_report *report)
{
    (void)user; (void)report;
    for (size_t i = 0; i < n; i++) draws[i] = bln_rng_uniform(rng);
    return BLN_OK;
}

/* Draws as a table: joined, written as text, read, weighed. */
static void fault_table(fault_run *f, const bln_chains *c)
{
    static unsigned char text[FAULT_BYTES];
    bln_memory_stream m;
    bln_chains *back = NULL, *some = NULL;
    bln_summary of;
    bln_diagnosis d;
    bln_importance weights;
    memset(&of, 0, sizeof of);
    fault_journey(f, &fault_chains_kind, c);
    bln_writer w = bln_memory_writer(&m, text, sizeof text);
    TRY(bln_chains_write_csv(c, &w));
    fault_add(f, text, m.at);
    MAKE(back, bln_chains_read_csv(NULL, (const char *)text, m.at, &back, &f->r));
    TRY(bln_chains_summary(back, 0, &of, &f->r));
    fault_doubles(f, 1, &of.mean);
    MAY(bln_chains_diagnose(back, NULL, &d, &f->r));
    MAY(bln_chains_importance(c, &weights, &f->r));
    MAY(bln_chains_resample(c, 4, 0, 1, &some, &f->r));
    if (some) fault_journey(f, &fault_chains_kind, some);
end:
    bln_chains_free(some);
    bln_chains_free(back);
}

static void fault_life_sampler(fault_run *f, size_t which)
{
    static const bln_program_parameter parameter[2] = { BLN_PARAMETER("x", 1, 1, FREE), BLN_PARAMETER("y", 1, 1, FREE) };
    bln_chains *c = NULL;
    bln_hmc *hmc = NULL;
    bln_advi *advi = NULL;
    bln_pathfinder *path = NULL;
    bln_program *program = NULL;
    bln_hmc_desc h = BLN_ZERO;
    bln_advi_desc a = BLN_ZERO;
    bln_pathfinder_desc p = BLN_ZERO;
    bln_program_desc g = BLN_ZERO;
    bln_chains_desc table = BLN_ZERO;
    bln_sbc_desc s = BLN_ZERO;
    bln_elpd total;
    static const double rows_x[3] = { 1.0, 2.0, 3.0 };
    bln_data rows = BLN_ZERO;
    double elpd[4], x[2] = { 0.3, -0.4 }, scopes[1 + BLN_SCOPES];
    rows.n = 3;
    rows.d = 1;
    rows.X = rows_x;
    memset(&total, 0, sizeof total);
    h.density.dim = 2;
    h.density.eval = fault_eval;
    h.chains = 2;
    h.warmup = h.draws = 8;
    a.density = p.density = h.density;
    a.draws = p.draws = 20;
    a.noise = 10;
    a.max_iterations = p.max_iterations = 20;
    g.model = fault_model;
    g.parameters = parameter;
    g.n_parameters = 2;
    g.n_rows = 1;
    g.data = &rows;
    switch (which) {
    case 0: case 1:
        h.metric = which ? BLN_METRIC_DENSE : BLN_METRIC_DIAGONAL;
        MAKE(hmc, bln_hmc_create(&h, &hmc, &f->r));
        TRY(bln_hmc_init(hmc, &f->r));
        TRY(bln_hmc_step(hmc, &f->r));
        TRY(bln_hmc_run(hmc, &f->r));
        MAKE(c, bln_hmc_sample(&h, &c, &f->r));
        TRY(bln_density_check(&h.density, NULL, NULL, &f->r));
        break;
    case 2: case 3: case 4:
        a.family = which == 2 ? BLN_ADVI_MEAN_FIELD : which == 3 ? BLN_ADVI_FULL : BLN_ADVI_LOW_RANK;
        MAKE(advi, bln_advi_create(&a, &advi, &f->r));
        TRY(bln_advi_init(advi, &f->r));
        TRY(bln_advi_step(advi, &f->r));
        TRY(bln_advi_run(advi, &f->r));
        fault_journey(f, &fault_chains_kind, bln_advi_result(advi)->draws);
        bln_advi_free(advi);
        advi = NULL;
        MAKE(advi, bln_advi_fit(&a, &advi, &f->r));
        fault_table(f, bln_advi_result(advi)->draws);
        break;
    case 5:
        MAKE(path, bln_pathfinder_fit(&p, &path, &f->r));
        fault_table(f, bln_pathfinder_result(path)->draws);
        break;
    case 6:
        MAKE(program, bln_program_create(&g, &program, &f->r));
        h.density = bln_program_density(program);
        MAKE(c, bln_hmc_sample(&h, &c, &f->r));
        TRY(bln_program_unconstrain(program, x, elpd, &f->r));
        TRY(bln_program_pointwise(program, x, elpd, &f->r));
        TRY(bln_program_scopes(program, x, scopes, &f->r));
        fault_doubles(f, 2, scopes);
        a.density = h.density;
        a.batch = 2;
        MAKE(advi, bln_advi_fit(&a, &advi, &f->r));
        fault_doubles(f, 2, bln_advi_result(advi)->mean);
        MAY(bln_program_loo(program, c, NULL, NULL, &total, &f->r));
        break;
    case 7: {
        bln_sbc out;
        bln_sbc_rank of[1];
        size_t ranks[40];
        s.quantities = 1;
        s.replicates = 20;
        s.draws = 7;
        s.simulate = fault_simulate;
        s.infer = fault_infer;
        MAY(bln_sbc_run(&s, &out, of, ranks, &f->r));
        fault_doubles(f, 1, &of[0].p);
        break;
    }
    default:
        table.draws = 2;
        table.columns = 2;
        MAKE(c, bln_chains_create(&table, &c, &f->r));
        TRY(bln_chains_add(c, x, &f->r));
        TRY(bln_chains_add(c, fault_real, &f->r));
        break;
    }
    if (c) fault_table(f, c);
end:
    bln_chains_free(c);
    bln_hmc_free(hmc);
    bln_advi_free(advi);
    bln_pathfinder_free(path);
    bln_program_free(program);
}
enum { FAULT_SAMPLERS = 9 };

/* ---- scalers, scales, files, and the search for a basis ---- */

static void fault_life_file(fault_run *f, size_t which)
{
    static unsigned char bytes[FAULT_BYTES];
    static const char path[] = "build/faults.bln";
    static const double weight[FAULT_N] = { 1, 2, 1, 0.5, 1, 0, 1, 3 };
    const bln_data data = fault_rows(fault_real);
    const bln_load all = bln_builtin();
    bln_memory_stream m;
    bln_data_reader state;
    bln_scaler *scaler = NULL, *other = NULL, *none = NULL;
    bln_conformal *c = NULL;
    bln_slm *slm = NULL;
    bln_modelfile file, back;
    bln_slm_desc desc = BLN_ZERO;
    bln_section section;
    bln_basis *basis = fault_basis(f, which ? "linear" : "rbf:n=2");
    memset(&file, 0, sizeof file);
    memset(&back, 0, sizeof back);
    memset(&section, 0, sizeof section);
    desc.basis = basis;
    desc.max_iterations = 2;
    const bln_source source = bln_source_of(&data, &state);
    if (!basis) return;
    MAKE(slm, bln_slm_create(&desc, &slm, &f->r));
    TRY(bln_slm_fit(slm, &data, &f->r));
    MAKE(scaler, bln_scaler_create(NULL, &data, &scaler, &f->r));
    MAKE(other, bln_scaler_create_source(NULL, &source, &other, &f->r));
    MAKE(none, bln_scaler_identity(NULL, 2, 1, &none));
    fault_journey(f, &fault_scaler_kind, scaler);
    fault_journey(f, &fault_scaler_kind, other);
    MAKE(c, bln_conformal_create(NULL, FAULT_N, 1, fault_real, 1, which ? NULL : weight, &c, &f->r));
    fault_journey(f, &fault_conformal_kind, c);
    file.slm = slm;
    file.scaler = scaler;
    file.conformal = c;
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    TRY(bln_modelfile_write(w.write, w.user, &all, &file, &f->r));
    const size_t n = m.at;
    bln_reader r = bln_memory_reader(&m, bytes, n, NULL);
    TRY((m.at = 0, bln_modelfile_read(r.read, r.user, n, &all, &back, &f->r)));
    fault_name("bln_modelfile_read(");
    bln_modelfile_free(&back);
    memset(&back, 0, sizeof back);
    TRY(bln_modelfile_save(path, &all, &file, &f->r));
    TRY(bln_modelfile_load(path, &all, &back, &f->r));
    fault_journey(f, &fault_slm_kind, back.slm);
end:
    bln_modelfile_free(&back);
    bln_conformal_free(c);
    bln_scaler_free(none);
    bln_scaler_free(other);
    bln_scaler_free(scaler);
    bln_slm_free(slm);
    bln_basis_free(basis);
}

static void fault_life_auto(fault_run *f, size_t which)
{
    const bln_data data = fault_rows(which ? fault_count : fault_real);
    bln_auto_basis_desc desc = BLN_ZERO;
    bln_auto_basis out;
    bln_slm_desc slm = BLN_ZERO;
    bln_glm_desc glm = BLN_ZERO;
    memset(&out, 0, sizeof out);
    desc.budget = 1e5;
    glm.likelihood = bln_likelihood_poisson(BLN_LINK_LOG);
    glm.method = bln_glm_laplace();
    if (which) MAY(bln_auto_basis_glm(&glm, &desc, &data, &out, &f->r));
    else MAY(bln_auto_basis_slm(&slm, &desc, &data, &out, &f->r));
    fault_add(f, out.text, strlen(out.text));
}

/* ---- the tests ---- */

static int fault_whole(void)
{
    const char *how = getenv("FAULTS");
    return how && !strcmp(how, "all");
}

/* n lives; quickly every `step`-th allocation of each. */
static void fault_lives(const char *name, fault_life life, size_t n, size_t step)
{
    const int whole = fault_whole();
    for (size_t which = 0; which < n; which++)
        fault_all(name, life, which, whole ? 0 : which % step, whole ? 1 : step, whole ? 2 : n < 20 || which % 13 == 0);
}

TEST(faults, bases)
{
    fault_lives("spec", fault_life_spec, FAULT_SPECS, 3);
    fault_lives("basis", fault_life_basis, FAULT_BASES, 1);
}
TEST(faults, linear_models) { fault_lives("slm", fault_life_slm, FAULT_SLMS, 7); }
TEST(faults, statistics)
{
    fault_lives("statistics", fault_life_statistics, 3, 7);
    fault_lives("integrated", fault_life_integrated, 2, 7);
}
TEST(faults, generalised_linear_models) { fault_lives("glm", fault_life_glm, fault_glms(), TEST_MANY(59, 401)); }
TEST(faults, samplers) { fault_lives("sampler", fault_life_sampler, FAULT_SAMPLERS, TEST_MANY(5, 17)); }
TEST(faults, files) { fault_lives("file", fault_life_file, 2, 5); }
TEST(faults, the_search_for_a_basis) { fault_lives("auto", fault_life_auto, 2, 97); }

/* A function that makes, fits, asks or loads something, and that no life calls, is not tested here. */
TEST(faults, no_function_is_forgotten)
{
#define FAULT_CALL(name) #name,
    static const char *const calls[] = {
#include "fault_calls.h"
        NULL
    };
    for (size_t i = 0; calls[i]; i++) {
        size_t k = 0;
        while (k < fault_known.n && strcmp(fault_known.name[k], calls[i])) k++;
        CHECK(k < fault_known.n);
        if (k == fault_known.n) printf("    %s: no life calls it\n", calls[i]);
    }
}

SUITE_BEGIN(faults)
SUITE_TEST(faults, bases)
SUITE_TEST(faults, linear_models)
SUITE_TEST(faults, statistics)
SUITE_TEST(faults, generalised_linear_models)
SUITE_TEST(faults, samplers)
SUITE_TEST(faults, files)
SUITE_TEST(faults, the_search_for_a_basis)
SUITE_TEST(faults, no_function_is_forgotten)
SUITE_END(faults)
