/* glm_tools.h - bases, likelihoods and data for the tests of the generalised linear model */
#ifndef BLN_TESTS_GLM_TOOLS_H
#define BLN_TESTS_GLM_TOOLS_H
#include "../test.h"
#include "../posterior/posterior_gaussian.h"
#include "../linear/slm_tools.h"
#include "../golden/glm_golden.h"

/* A basis whose parameters are its features: the input is a row number i, phi(i) = theta[3i .. 3i + 2], slices {0} and {1, 2}. So
 * the pullback to theta is F itself. */
static void glm_table_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *Phi,
                               size_t ldphi, double *work)
{
    (void)work;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < b->D; j++) Phi[i*ldphi + j] = theta[(size_t)X[i*ldx]*b->D + j];
}
static void glm_table_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, const double *Phi,
                               size_t ldphi, const double *F, size_t ldf, double *dtheta, double *dX, size_t lddx, double *work)
{
    (void)theta; (void)Phi; (void)ldphi; (void)dX; (void)lddx; (void)work;
    for (size_t i = 0; i < n && dtheta; i++)
        for (size_t j = 0; j < b->D; j++) dtheta[(size_t)X[i*ldx]*b->D + j] += F[i*ldf + j];
}
static void glm_table_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    (void)b; (void)k; (void)inputs;
    out->kind = BLN_PARAM_REAL;
}
static size_t glm_table_slice(const bln_basis *b, size_t s) { return s == 0 ? 0 : s == 1 ? 1 : b->D; }

static TEST_UNUSED bln_basis glm_table(bln_basis_ops *ops)
{
    bln_basis b;
    memset(&b, 0, sizeof b);
    memset(ops, 0, sizeof *ops);
    ops->name = "table";
    ops->features = glm_table_features;
    ops->pullback = glm_table_pullback;
    ops->param = glm_table_param;
    ops->slice = glm_table_slice;
    b.ops = ops;
    b.d = 1;
    b.D = 3;
    b.n_theta = 18;
    b.n_slices = 2;
    return b;
}

/* A basis of each kind of parameter but a real one: phi(x) = (theta_0, theta_1 x_0, theta_2 x_1), theta_0 positive, theta_1 in
 * (-2, 2), theta_2 on a log scale. */
static TEST_UNUSED void glm_kinds_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                           double *Phi, size_t ldphi, double *work)
{
    (void)b; (void)work;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < 3; j++) Phi[i*ldphi + j] = theta[j]*(j ? X[i*ldx + j - 1] : 1.0);
}
static TEST_UNUSED void glm_kinds_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                           const double *Phi, size_t ldphi, const double *F, size_t ldf, double *dtheta, double *dX,
                                           size_t lddx, double *work)
{
    (void)b; (void)theta; (void)Phi; (void)ldphi; (void)dX; (void)lddx; (void)work;
    for (size_t i = 0; i < n && dtheta; i++)
        for (size_t j = 0; j < 3; j++) dtheta[j] += F[i*ldf + j]*(j ? X[i*ldx + j - 1] : 1.0);
}
static TEST_UNUSED void glm_kinds_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    (void)b; (void)inputs;
    out->kind = k == 0 ? BLN_PARAM_POSITIVE : k == 1 ? BLN_PARAM_INTERVAL : BLN_PARAM_LOG;
    out->lo = k == 1 ? -2.0 : 1e-3;
    out->hi = k == 1 ? 2.0 : 1e3;
    out->start = 1.0;
}
static TEST_UNUSED bln_basis glm_kinds(bln_basis_ops *ops)
{
    bln_basis b;
    memset(&b, 0, sizeof b);
    memset(ops, 0, sizeof *ops);
    ops->name = "kinds";
    ops->features = glm_kinds_features;
    ops->pullback = glm_kinds_pullback;
    ops->param = glm_kinds_param;
    b.ops = ops;
    b.d = 2;
    b.D = b.n_theta = 3;
    b.n_slices = 1;
    return b;
}

/* The posterior as the kernels take it; NULL if it is another kind of posterior, or none. The last few results stay valid. */
enum { GLM_SLOTS = 16 };
static TEST_UNUSED const blni_gaussian *gaussian_of(const bln_glm *glm)
{
    static blni_gaussian answer[GLM_SLOTS];
    static size_t next;
    blni_gaussian *g = answer + next++ % GLM_SLOTS;
    return posterior_gaussian(bln_glm_posterior(glm), 0, g, NULL) == BLN_OK ? g : NULL;
}
static TEST_UNUSED const blni_mixture *mixture_of(const bln_glm *glm)
{
    static blni_mixture answer[GLM_SLOTS];
    static size_t next;
    blni_mixture *q = answer + next++ % GLM_SLOTS;
    const bln_posterior *p = bln_glm_posterior(glm);
    if (p->status != BLN_OK || p->groups->ops != bln_kind_diagonal()) return NULL;
    *q = blni_diagonals_of(p, p->groups, 0, 0);
    return q;
}

/* The likelihoods of the golden tables, with their parameters and targets. */
static TEST_UNUSED bln_likelihood glm_named(const char *name, double *eta, const double **y, const double **trials)
{
    static const double nine[] = { 9, 9, 9, 9, 9, 9 };
    *y = golden_glm_y_count;
    *trials = NULL;
    if (!strcmp(name, "gaussian") || !strcmp(name, "student_t")) *y = golden_glm_y_real;
    if (!strncmp(name, "bernoulli", 9)) *y = golden_glm_y_binary;
    if (!strcmp(name, "gaussian")) { eta[0] = 0.4; return bln_likelihood_gaussian(); }
    if (!strcmp(name, "student_t")) { eta[0] = 0.8; eta[1] = 3.5; return bln_likelihood_student_t(); }
    if (!strcmp(name, "bernoulli_logit")) return bln_likelihood_binomial(BLN_LINK_LOGIT);
    if (!strcmp(name, "bernoulli_probit")) return bln_likelihood_binomial(BLN_LINK_PROBIT);
    if (!strcmp(name, "poisson_exp")) return bln_likelihood_poisson(BLN_LINK_LOG);
    if (!strcmp(name, "poisson_softplus")) return bln_likelihood_poisson(BLN_LINK_SOFTPLUS);
    if (!strcmp(name, "negative_binomial")) { eta[0] = 2.3; return bln_likelihood_negative_binomial(); }
    *trials = nine;
    return bln_likelihood_binomial(BLN_LINK_LOGIT);
}

/* The six rows of the golden tables. */
static TEST_UNUSED bln_data glm_golden_data(const double *y, const double *trials)
{
    static const double row[] = { 0, 1, 2, 3, 4, 5 };
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = 6;
    data.d = 1;
    data.X = row;
    data.y = y;
    data.trials = trials;
    return data;
}

/* The methods by number, for loops over methods, and options that some of them have. */
typedef enum glm_way { GLM_LAPLACE, GLM_MIXTURE, GLM_FULL, GLM_MAP, GLM_SGVI, GLM_NPV, GLM_INTEGRATED, GLM_NUTS, GLM_GIBBS,
                       GLM_CAVI, GLM_WAYS } glm_way;
static TEST_UNUSED const char *const glm_way_names[GLM_WAYS] = { "laplace", "mixture", "full", "map", "sgvi", "npv",
                                                                      "integrated", "nuts", "gibbs", "cavi" };
typedef struct glm_options {
    size_t components, nodes, starts, draws;
    bln_entropy_kind entropy;
    bln_glm_start start;
    bln_glm_expectation expectation;
    bln_glm_stochastic steps;
} glm_options;
typedef struct glm_owns {
    bln_glm_full_desc full; bln_glm_map_desc map; bln_glm_mixture_desc mixture; bln_glm_mixture_desc sgvi; bln_glm_mixture_desc npv;
    bln_glm_integrated_desc integrated; bln_glm_nuts_desc nuts; bln_glm_gibbs_desc gibbs;
    bln_glm_cavi_desc cavi;
} glm_owns;

/* A method with those of the options that it has (NULL: defaults); they are kept until 99 more were made. */
static TEST_UNUSED bln_glm_method glm_by(glm_way way, const glm_options *options)
{
    static glm_owns ring[100];
    static size_t at;
    glm_owns *own = ring + at++ % 100;
    glm_options none;
    memset(own, 0, sizeof *own);
    memset(&none, 0, sizeof none);
    const glm_options *o = options ? options : &none;
    own->integrated.nodes = own->full.nodes = own->mixture.nodes = own->npv.nodes = own->sgvi.nodes = o->nodes;
    own->mixture.components = own->npv.components = o->components;
    own->mixture.entropy = own->npv.entropy = o->entropy;
    own->mixture.start = own->npv.start = own->sgvi.start = o->start;
    own->mixture.starts = own->npv.starts = own->sgvi.starts = o->starts;
    own->mixture.expectation = own->npv.expectation = o->expectation;
    own->mixture.draws = o->draws;
    own->nuts.chains = 2;
    own->nuts.warmup = own->nuts.draws = 30;
    own->gibbs.chains = 2;
    own->gibbs.warmup = own->gibbs.draws = 30;
    own->cavi.steps = own->full.steps = own->map.steps = own->mixture.steps = own->sgvi.steps = own->npv.steps = o->steps;
    switch (way) {
    case GLM_MIXTURE: return bln_glm_mixture(&own->mixture);
    case GLM_FULL:    return bln_glm_full(&own->full);
    case GLM_MAP:     return bln_glm_map(&own->map);
    case GLM_SGVI:    return bln_glm_sgvi(&own->sgvi);
    case GLM_NPV:     return bln_glm_npv(&own->npv);
    case GLM_INTEGRATED: return bln_glm_integrated(&own->integrated);
    case GLM_NUTS:    return bln_glm_nuts(&own->nuts);
    case GLM_GIBBS:   return bln_glm_gibbs(&own->gibbs);
    case GLM_CAVI:    return bln_glm_cavi(&own->cavi);
    default:          return bln_glm_laplace();
    }
}

static TEST_UNUSED glm_options glm_no_options(void)
{
    glm_options o;
    memset(&o, 0, sizeof o);
    return o;
}

/* The bound, or NPV's objective, at any mixture and hyper-parameters, with its slopes; any of these may be NULL. */
static TEST_UNUSED double glm_bound(const bln_glm *glm, bln_glm_method method, const bln_data *data, const blni_mixture *q,
                                    const double *prior_var, const double *eta, const double *theta, double *dm, double *dpsi,
                                    double *d_prior, double *d_eta, double *d_theta)
{
    const bln_glm_method npv = bln_glm_npv(NULL);
    blni_glm_fit *f = NULL;
    blni_glm_own own;
    blni_glm_hyper slope;
    bln_glm_desc d = glm->desc;
    double bound = BLNI_NAN;
    d.method = method;
    blni_glm_own_of(method, &own);
    CHECK_OK(blni_glm_open(&glm->alloc, &d, &own, NULL, NULL, data, 1, &f, NULL));
    if (!f) return bound;
    CHECK_OK(blni_glm_point(f, prior_var, eta, theta, NULL));
    blni_bound *e = &((blni_glm_mixture *)f->state)->q;
    e->expected.taylor = method.ops == npv.ops;
    CHECK_OK(blni_bound_value(e, &f->hyper, q, d_theta && d.basis->n_theta, NULL));
    bound = e->bound;
    slope.prior_var = d_prior;
    slope.eta = d_eta;
    slope.theta = d_theta;
    blni_bound_slopes(e, &slope);
    if (dm) memcpy(dm, e->dm, q->K*q->D*sizeof *dm);
    if (dpsi) memcpy(dpsi, e->dpsi, q->K*q->D*sizeof *dpsi);
    blni_glm_close(&glm->alloc, f);
    return bound;
}

/* The state of the fit of a mixture after the search for the mode. */
static TEST_UNUSED blni_glm_mixture *glm_mixture_state(bln_glm *glm)
{
    blni_glm_mixture *s = (blni_glm_mixture *)glm->fit->state;
    while (s->mode) CHECK_OK(bln_glm_step(glm, NULL));
    return s;
}

static TEST_UNUSED bln_glm *glm_new(const bln_glm_desc *desc)
{
    bln_glm *glm = NULL;
    bln_report report;
    CHECK_OK(bln_glm_create(desc, &glm, &report));
    if (!glm) { puts(report.text); exit(1); }
    return glm;
}

/* The likelihoods with auxiliary variables, for the tests of gibbs and cavi, with parameters for those of one latent. Quick tests
 * take every fourth row or so: append a new likelihood at the end, and they take the same ones as before. */
static const struct { const char *name; double eta[2]; } augmented[] TEST_UNUSED = {
    { "binomial_logit", { 1.0, 1.0 } }, { "binomial_probit", { 1.0, 1.0 } }, { "negative_binomial", { 2.3, 1.0 } },
    { "gaussian", { 0.4, 1.0 } }, { "student_t", { 0.8, 3.5 } }, { "laplace", { 0.6, 1.0 } },
    { "asymmetric_laplace", { 0.5, 1.0 } }, { "poisson_logistic", { 9.0, 1.0 } },
    { "heteroscedastic", { 0.0, 0.0 } }, { "heteroscedastic_t", { 0.0, 0.0 } }, { "logistic_softmax", { 0.0, 0.0 } },
    { "logistic_softmax_reference", { 0.0, 0.0 } }, { "logistic_softmax_scaled", { 0.0, 0.0 } },
    { "bijective of two", { 0.0, 0.0 } }
};
enum { AUGMENTED = sizeof augmented/sizeof *augmented };

/* The row of a name, or AUGMENTED if there is none. */
static TEST_UNUSED size_t augmented_row(const char *name)
{
    size_t k = 0;
    while (k < AUGMENTED && strcmp(augmented[k].name, name)) k++;
    return k;
}

/* The likelihood of a row: with three classes ("bijective of two": two), or for the quantile 0.3. */
static TEST_UNUSED bln_likelihood augmented_named(const char *name)
{
    const bln_load all = bln_builtin();
    bln_likelihood l = bln_likelihood_logistic_softmax(2, BLN_SOFTMAX_BIJECTIVE);
    CHECK(augmented_row(name) < AUGMENTED);
    for (size_t i = 0; i < all.n_likelihoods; i++) if (!strcmp(all.likelihoods[i].ops->name, name)) l = all.likelihoods[i];
    if (l.level > 0.0) l.level = 0.3;
    for (int form = 0; form < 3; form++) {
        const bln_likelihood three = bln_likelihood_logistic_softmax(3, (bln_softmax)form);
        if (!strcmp(three.ops->name, name)) l = three;
    }
    return l;
}

/* The first parameter in the golden tables of six rows, and the offset there: the mean of negative binomials is size e^f. */
static TEST_UNUSED double augmented_golden_eta(const char *name)
{
    return !strcmp(name, "negative_binomial") ? 2.5 : !strcmp(name, "student_t") ? sqrt(0.3)
         : !strcmp(name, "asymmetric_laplace") ? 0.5 : !strcmp(name, "poisson_logistic") ? 8.0 : 0.6;
}
static TEST_UNUSED double augmented_golden_offset(const char *name) { return strcmp(name, "negative_binomial") ? 0.0 : log(2.5); }

/* Checks that a fit succeeds; if not, prints its likelihood and method and what the report says. report: NULL is fine. */
static TEST_UNUSED void glm_fitted(bln_glm *glm, const bln_data *data, bln_report *report, const char *file, int line)
{
    bln_report own;
    bln_report *const to = report ? report : &own;
    const bln_status status = bln_glm_fit(glm, data, to);
    test_status(status, BLN_OK, file, line, "bln_glm_fit");
    if (status != BLN_OK) printf("    %s by %s: %s\n", glm->desc.likelihood.ops->name, glm->desc.method.ops->name, to->text);
}
#define CHECK_FIT(glm, data, report) glm_fitted((glm), (data), (report), __FILE__, __LINE__)

static TEST_UNUSED bln_glm_desc glm_desc(const bln_basis *b, bln_likelihood l)
{
    bln_glm_desc d;
    memset(&d, 0, sizeof d);
    d.basis = b;
    d.likelihood = l;
    return d;
}

/* n rows of 2 inputs with targets that a likelihood of this name could have given; weights, offsets, exposures or trials. */
static TEST_UNUSED bln_data glm_make(const char *name, size_t n, uint64_t salt)
{
    bln_data data = slm_make(n, 2, salt, 1);
    test_random r = test_random_new(salt + 1);
    double *y = (double *)data.y, *trials = test_doubles(n);
    const int real = !strcmp(name, "gaussian") || !strcmp(name, "student_t"), binary = !strncmp(name, "bernoulli", 9);
    const int binomial = !strcmp(name, "binomial");
    free((void *)data.noise_var);
    data.noise_var = NULL;
    for (size_t i = 0; i < n; i++) {
        trials[i] = binomial ? 5.0 : 0.5 + 2.0*test_uniform(&r);
        ((double *)data.offset)[i] *= 0.3;
        if (real) continue;
        y[i] = binary ? (y[i] > 0.5) : floor(5.0/(1.0 + exp(-y[i]))*test_uniform(&r));
    }
    if (real || binary) free(trials); else data.trials = trials;
    return data;
}

static TEST_UNUSED void glm_free_data(bln_data *data) { free((void *)data->trials); slm_free_data(data); }

/* Compares g with central differences of value(problem, point) with one Richardson extrapolation, h = 1e-3, in each of the n
 * coordinates except those from `skip` to `end`. Errors: h^4/4 times the fifth derivative, and rounding. */
static TEST_UNUSED void glm_check_gradient(double (*value)(const void *problem, const double *point), const void *problem, size_t n,
                                           double *point, const double *g, size_t skip, size_t end, double tolerance)
{
    for (size_t k = 0; k < n; k++) {
        double d[2];
        if (k >= skip && k < end) continue;
        for (int j = 0; j < 2; j++) {
            const double at = point[k], h = 1e-3*(j + 1);
            point[k] = at + h;
            d[j] = value(problem, point);
            point[k] = at - h;
            d[j] = (d[j] - value(problem, point))/(2.0*h);
            point[k] = at;
        }
        CHECK_NEAR(g[k], (4.0*d[0] - d[1])/3.0, tolerance*(1.0 + fabs(g[k])));
    }
}

#endif /* BLN_TESTS_GLM_TOOLS_H */
