/* test_integrated_edges - few data where the integral over the ratios leads to an edge: priors that make it improper or not a
 * number, perfect fits, features that miss variance, sums beyond doubles, and files that no fit writes */
#include "slm_tools.h"
#include "posterior_of.h"
#include "file_tools.h"

static bln_slm_integrated *integrated_new(const bln_slm_integrated_desc *desc)
{
    bln_slm_integrated *m = NULL;
    CHECK_OK(bln_slm_integrated_create(desc, &m, NULL));
    if (!m) exit(1);
    return m;
}
static bln_slm_integrated_desc integrated_desc(const bln_basis *b, const double *ratio)
{
    bln_slm_integrated_desc d;
    memset(&d, 0, sizeof d);
    d.basis = b;
    d.ratio = ratio;
    return d;
}
static const double integrated_x[12] = { -1.7, -1.2, -0.9, -0.55, -0.3, -0.05, 0.2, 0.45, 0.8, 1.1, 1.35, 1.6 };
static const double integrated_y[12] = { -0.9, -1.3, 0.2, 0.05, 0.9, 0.1, 1.4, 0.7, 2.3, 1.2, 2.9, 2.2 };

/* Densities of tau without an integral beside the likelihood of one feature, which goes like 1/tau for large tau and is constant
 * for small: 1 at the upper end, 1/tau at the lower. And one that is a number until call number `at`, and then `value`. */
typedef struct integrated_prior { int kind; size_t calls, at; double value; } integrated_prior;
static double integrated_log_prior(void *user, size_t slice, double tau)
{
    integrated_prior *p = (integrated_prior *)user;
    (void)slice;
    if (p->calls++ == p->at) return p->value;
    return p->kind == 0 ? 0.0 : p->kind == 1 ? -log(tau) : -log1p(tau*tau);
}

TEST(integrated_edges, priors)
{
    bln_basis *b = slm_parse("linear:ones=0", 1, 1);
    bln_slm_integrated_desc d = integrated_desc(b, NULL);
    integrated_prior p = { 0, 0, (size_t)-1, 0.0 };
    const bln_data data = slm_view(12, 1, integrated_x, integrated_y);
    bln_report report;
    d.log_prior = integrated_log_prior;
    d.log_prior_user = &p;
    bln_slm_integrated *m = integrated_new(&d);
    for (p.kind = 0; p.kind < 2; p.kind++) {
        CHECK_STATUS(bln_slm_integrated_fit(m, &data, &report), BLN_EUNDEFINED);
        CHECK_TEXT(report.text, "is improper: its integrand does not fall off");
    }
    p.calls = 0;
    CHECK_OK(bln_slm_integrated_fit(m, &data, &report));
    const size_t all = p.calls;
    const double evidence = bln_slm_integrated_evidence(m);
    for (int k = 0; k < 2; k++) {                                /* at the last node of the quadrature */
        p.calls = 0;
        p.at = all - 1;
        p.value = k ? HUGE_VAL : BLNI_NAN;
        CHECK_STATUS(bln_slm_integrated_fit(m, &data, &report), BLN_ENUMERIC);
        CHECK_TEXT(report.text, "the evidence overflows");
        CHECK(bln_slm_integrated_evidence(m) == evidence);       /* the fit of before is kept */
    }
    bln_slm_integrated_free(m);
    bln_basis_free(b);
}

/* y = 1 + 2 x to the last digit, by a triangle: no noise. y = 0: weights of twins cannot be told apart. Each allocation may
 * fail. */
TEST(integrated_edges, perfect_fits)
{
    static const double x[4] = { 1.0, 2.0, 3.0, 5.0 }, y[4] = { 3.0, 5.0, 7.0, 11.0 }, zero[4] = { 0.0 };
    static const double twice[8] = { 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 5.0, 5.0 };
    const double flat[1] = { HUGE_VAL };
    bln_basis *line = slm_parse("linear", 1, 1), *twins = slm_parse("linear:ones=0", 2, 1);
    bln_slm_integrated_desc d = integrated_desc(line, flat);
    bln_data data = slm_view(4, 1, x, y), two = slm_view(4, 2, twice, zero);
    bln_report report;
    test_heap heap;
    double w[2];
    d.arithmetic = BLN_SLM_QR;
    bln_slm_integrated *m = integrated_new(&d);
    CHECK_OK(bln_slm_integrated_fit(m, &data, &report));
    CHECK(bln_slm_integrated_evidence(m) == HUGE_VAL);
    CHECK_OK(bln_posterior_coefficients(bln_slm_integrated_posterior(m), w, NULL, 0, NULL, NULL, NULL, NULL));
    CHECK_NEAR(w[0], 1.0, 1e-13);
    CHECK_NEAR(w[1], 2.0, 1e-13);
    bln_slm_integrated_free(m);
    d = integrated_desc(twins, NULL);
    m = integrated_new(&d);
    CHECK_STATUS(bln_slm_integrated_fit(m, &two, &report), BLN_EUNDEFINED);
    CHECK_TEXT(report.text, "a perfect fit that leaves weights undetermined");
    bln_slm_integrated_free(m);
    const double fixed[1] = { 2.0 };                             /* the posterior of y = 0 is 0, whatever the ratio */
    const bln_data none = slm_view(4, 1, x, zero);
    d = integrated_desc(line, fixed);
    m = integrated_new(&d);
    CHECK_OK(bln_slm_integrated_fit(m, &none, &report));
    CHECK(bln_slm_integrated_evidence(m) == HUGE_VAL);
    CHECK_OK(bln_posterior_coefficients(bln_slm_integrated_posterior(m), w, NULL, 0, NULL, NULL, NULL, NULL));
    CHECK(w[0] == 0.0 && w[1] == 0.0);
    bln_slm_integrated_free(m);
    d = integrated_desc(line, flat);
    d.alloc = test_heap_allocator(&heap);
    m = integrated_new(&d);
    for (size_t fail = 0;; fail++) {
        heap.calls = 0;
        heap.fail_at = fail;
        const bln_status status = bln_slm_integrated_fit(m, &data, &report);
        heap.fail_at = (size_t)-1;
        if (status == BLN_OK) { CHECK(fail > 3); break; }
        CHECK_STATUS(status, BLN_ENOMEM);
    }
    bln_slm_integrated_free(m);
    CHECK_SIZE(heap.live, 0);
    bln_basis_free(line);
    bln_basis_free(twins);
}

/* A prior of the noise with b = 0 is improper, and its constant is not counted: a = 1 and no b is as if there were two rows more in
 * nu, with the integral Gamma(nu/2) (q/2)^(-nu/2) of the flat case. */
TEST(integrated_edges, half_a_prior)
{
    const double flat[1] = { HUGE_VAL };
    bln_basis *b = slm_parse("linear", 1, 1);
    bln_slm_integrated_desc d = integrated_desc(b, flat);
    const bln_data data = slm_view(12, 1, integrated_x, integrated_y);
    double e[2], noise[2], weight, ratio;
    for (int k = 0; k < 2; k++) {
        d.noise_a = k;
        bln_slm_integrated *m = integrated_new(&d);
        CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
        e[k] = bln_slm_integrated_evidence(m);
        CHECK_OK(bln_slm_integrated_node(m, 0, &weight, &ratio, noise + k));
        CHECK_NEAR(bln_slm_integrated_dof(m), 10.0 + 2.0*k, 0.0);
        bln_slm_integrated_free(m);
    }
    const double q = 10.0*noise[0];
    CHECK_REL(noise[1], q/12.0, 1e-13);
    CHECK_REL(e[1] - e[0], log(5.0) - log(q/2.0), 1e-12);
    bln_basis_free(b);
}

/* ---- features that miss prior variance: unit vectors, of which `variance` says how much there is */
typedef struct integrated_units { bln_basis base; double variance[2]; } integrated_units;
static void integrated_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *Phi,
                                size_t ldphi, double *work)
{
    (void)theta; (void)work;
    for (size_t i = 0; i < n; i++) for (size_t j = 0; j < b->D; j++) Phi[i*ldphi + j] = X[i*ldx] == (double)j;
}
static size_t integrated_slice(const bln_basis *b, size_t s) { return s < b->n_slices ? s : b->D; }
static double integrated_variance(const bln_basis *b, size_t s)
{
    return ((const integrated_units *)(const void *)b)->variance[s];
}
static size_t integrated_active(const bln_basis *b, size_t s) { (void)b; return s ? 1 : 2; }

/* Two slices, of one indicator and of two, that are learnt and miss some variance or none. What is missed costs evidence; more than
 * nothing of the second counts beside the first. With an indicator for each row the fit is perfect but for what it misses. */
TEST(integrated_edges, missed_variance)
{
    static const double X[6] = { 0.0, 1.0, 2.0, 0.0, 1.0, 2.0 }, y[6] = { 0.4, 1.9, -0.7, 0.6, 2.3, -0.2 };
    static const double unknown[6] = { 0.0, 7.0, 7.0, 0.0, 7.0, 7.0 };
    static const double variance[4][2] = { { 0.0, 0.0 }, { 1.0, 0.5 }, { 0.2, 0.1 }, { 1.0, 1.0 } };
    bln_basis_ops ops;
    integrated_units u;
    double e[4];
    bln_report report;
    memset(&ops, 0, sizeof ops);
    memset(&u, 0, sizeof u);
    ops.name = "integrated_units";
    ops.features = integrated_features;
    ops.slice = integrated_slice;
    ops.variance = integrated_variance;
    u.base.ops = &ops;
    u.base.d = 1;
    u.base.D = 3;
    u.base.n_slices = 2;
    bln_slm_integrated_desc d = integrated_desc(&u.base, NULL);
    d.nodes = 24;
    for (int k = 0; k < 4; k++) {
        const bln_data data = slm_view(6, 1, X, y);
        memcpy(u.variance, variance[k], sizeof u.variance);
        bln_slm_integrated *m = integrated_new(&d);
        CHECK_OK(bln_slm_integrated_fit(m, &data, &report));
        e[k] = bln_slm_integrated_evidence(m);
        bln_slm_integrated_free(m);
    }
    CHECK(e[1] < e[0] && e[3] < e[1] && e[2] == e[0]);           /* 0.2 of one slice is less than its features have */
    /* Three rows, of an indicator each: without residual, but not without noise. */
    const bln_data few = slm_view(3, 1, X, y);
    memcpy(u.variance, variance[1], sizeof u.variance);
    bln_slm_integrated *m = integrated_new(&d);
    CHECK_OK(bln_slm_integrated_fit(m, &few, &report));
    CHECK(bln_slm_integrated_evidence(m) < HUGE_VAL);
    bln_slm_integrated_free(m);
    /* A slice of indicators of which no row has any: its scale is 1. */
    ops.variance = NULL;
    ops.active = integrated_active;
    const double fixed[2] = { 1.0, 1.0 };
    const bln_data none = slm_view(6, 1, unknown, y);
    d.ratio = fixed;
    m = integrated_new(&d);
    CHECK_OK(bln_slm_integrated_fit(m, &none, &report));
    CHECK(bln_slm_integrated_unit(m, 1) == 1.0);
    bln_slm_integrated_free(m);
}

/* ---- statistics of others, and sums beyond doubles that only files and merging can make */

TEST(integrated_edges, statistics)
{
    const double flat[1] = { HUGE_VAL };
    double y2[24];
    bln_basis *b = slm_parse("linear:ones=0", 1, 1);
    bln_slm_integrated_desc d = integrated_desc(b, flat);
    bln_slm_integrated *m = integrated_new(&d);
    bln_report report;
    for (size_t i = 0; i < 24; i++) y2[i] = integrated_y[i/2];
    for (int what = 0; what < 5; what++) {                       /* two outputs; what overflows: G, c, c in three doubles, R */
        bln_statistics_desc sd = BLN_ZERO;
        bln_statistics *t = NULL;
        bln_data data = slm_view(12, 1, integrated_x, what ? integrated_y : y2);
        if (what == 0) data.p = sd.n_outputs = 2;
        sd.basis = b;
        sd.exact = what == 3;
        sd.qr = what == 4;
        CHECK_OK(bln_statistics_create(&sd, &t, NULL));
        CHECK_OK(bln_statistics_add(t, &data, NULL));
        const size_t ld = blni_gram_stride(&t->gram);
        if (what == 1) t->gram.G[0] = HUGE_VAL;
        if (what == 2) t->gram.G[ld + 1] = HUGE_VAL;
        if (what == 3 && t->gram.exact) t->gram.G3[3] = blni_exact_of(HUGE_VAL);
        if (what == 4) t->gram.R[1] = t->gram.R[3] = 1.3e154;
        const bln_status status = bln_slm_integrated_fit_statistics(m, t, &report);
        if (what == 0) CHECK(status == BLN_ESHAPE && strstr(report.text, "several outputs") != NULL);
        else if (what == 1) CHECK_STATUS(status, BLN_ENOTPD);
        else if (what != 3 || t->gram.exact) {
            CHECK_STATUS(status, BLN_ENUMERIC);
            CHECK_TEXT(report.text, "sums of squares overflow");
        }
        bln_statistics_free(t);
    }
    bln_slm_integrated_free(m);
    bln_basis_free(b);
}

static bln_status integrated_no_reset(void *user, bln_report *report) { (void)user; (void)report; return BLN_EIO; }

TEST(integrated_edges, a_source_that_does_not_begin)
{
    bln_basis *b = slm_parse("linear", 1, 1);
    const bln_slm_integrated_desc d = integrated_desc(b, NULL);
    const bln_data data = slm_view(12, 1, integrated_x, integrated_y);
    bln_data_reader reader;
    bln_source source = bln_source_of(&data, &reader);
    bln_slm_integrated *m = integrated_new(&d);
    source.reset = integrated_no_reset;
    CHECK_STATUS(bln_slm_integrated_fit_source(m, &source, NULL), BLN_EIO);
    bln_slm_integrated_free(m);
    bln_basis_free(b);
}

/* ---- files: the posterior of a model in which one thing is not what a fit leaves, and the rest of the section behind it */

typedef struct edges_file { unsigned char bytes[20000]; size_t size; } edges_file;

static bln_status integrated_forged(const bln_posterior *q, const bln_slm_integrated *of, double noise_a, const char **why)
{
    static edges_file f;
    static bln_report report;
    test_heap heap;
    file_load l;
    bln_slm_integrated *back = NULL;
    bln_memory_stream stream;
    bln_writer w = bln_memory_writer(&stream, f.bytes, sizeof f.bytes);
    CHECK_OK(bln_posterior_save(q, &w));
    bln_put_double(&w, of->desc.prior_scale);
    bln_put_double(&w, noise_a);
    bln_put_double(&w, of->desc.noise_b);
    bln_put_double(&w, of->evidence);
    bln_put_doubles(&w, of->desc.basis->n_slices, of->desc.ratio);
    bln_put_doubles(&w, of->desc.basis->n_slices, of->unit);
    file_load_begin(&l, f.bytes, (size_t)w.count, &heap, &report);
    const bln_status status = bln_slm_integrated_load(&l.context, &l.reader, &back);
    *why = report.text;
    file_load_end(&l, status, back);
    bln_slm_integrated_free(back);
    return status;
}

TEST(integrated_edges, forged_files)
{
    static const double half[2] = { 0.5, 0.5 };
    const double ratio[2] = { HUGE_VAL, 0.7 };
    const char *why = "";
    bln_basis *b = slm_parse("bias+linear:ones=0", 1, 1);
    const bln_data data = slm_view(12, 1, integrated_x, integrated_y);
    for (int what = 0; what < 6; what++) {
        bln_slm_integrated_desc d = integrated_desc(b, ratio);
        bln_slm_integrated *m = integrated_new(&d);
        CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
        bln_posterior q = m->posterior;
        bln_group g[2];
        g[0] = g[1] = q.groups[0];
        q.groups = g;
        double a = 0.0;
        if (what == 1) { q.rows = 0.0; q.dof = 1.0; a = 1.0; }                       /* 0 rows less one flat weight and 2 a */
        if (what == 2) { g[0].weight = half; g[1].weight = half + 1; q.n_groups = 2; }
        if (what == 3) g[0].weight = NULL;
        if (what == 4) { ((double *)(uintptr_t)m->desc.ratio)[0] = 0.3; q.dof = 12.0; }         /* no weight is flat, it says */
        if (what == 5) q.dof += 1.0;
        CHECK_STATUS(integrated_forged(&q, m, a, &why), what == 0 ? BLN_OK : BLN_EFORMAT);
        if (what) CHECK_TEXT(why, "a number is outside its range");
        bln_slm_integrated_free(m);
    }
    /* A node of which the file says that another weight is the flat one: the ratio of what was integrated is not known. */
    const double learn[2] = { HUGE_VAL, 0.0 };
    double weight, of[2], noise;
    const bln_slm_integrated_desc d = integrated_desc(b, learn);
    bln_slm_integrated *m = integrated_new(&d);
    CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
    CHECK_OK(bln_slm_integrated_node(m, 0, &weight, of, &noise));
    CHECK(of[0] == HUGE_VAL && of[1] > 0.0);
    *(size_t *)(uintptr_t)((const bln_students *)m->posterior.groups->view)->other = 0;
    CHECK_OK(bln_slm_integrated_node(m, 0, &weight, of, &noise));
    CHECK(of[1] == 0.0);
    bln_slm_integrated_free(m);
    bln_basis_free(b);
}

/* The same of the linear model: several bases, groups, components, weights, degrees of freedom, and outputs without their Sigma. */
static bln_status slm_forged(const bln_posterior *q, const bln_slm *of, const char **why)
{
    static edges_file f;
    static bln_report report;
    test_heap heap;
    file_load l;
    bln_slm *back = NULL;
    bln_memory_stream stream;
    bln_writer w = bln_memory_writer(&stream, f.bytes, sizeof f.bytes);
    CHECK_OK(bln_posterior_save(q, &w));
    bln_put_u64(&w, bln_slm_priors(of));
    bln_put_u64(&w, (uint64_t)of->desc.sigma);
    bln_put_u64(&w, of->desc.relative_prior != 0);
    bln_put_double(&w, of->evidence);
    bln_put_doubles(&w, bln_slm_priors(of), of->prior_var);
    file_load_begin(&l, f.bytes, (size_t)w.count, &heap, &report);
    const bln_status status = bln_slm_load(&l.context, &l.reader, &back);
    *why = report.text;
    file_load_end(&l, status, back);
    bln_slm_free(back);
    return status;
}

TEST(integrated_edges, forged_linear_models)
{
    static const double m4[4] = { 0.1, 0.2, 0.3, 0.4 }, s4[4] = { 1.0, 1.0, 1.0, 1.0 };
    static const double R4[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }, R8[8] = { 1, 0, 0, 1, 1, 0, 0, 1 };
    const char *why = "";
    double y2[24];
    bln_basis *b = slm_parse("linear", 1, 1);
    const bln_basis *both[2];
    both[0] = both[1] = b;
    for (size_t i = 0; i < 24; i++) y2[i] = integrated_y[i/2] + (i % 2 ? cos((double)i) : 0.0);
    for (int what = 0; what < 7; what++) {
        bln_slm_desc d = slm_desc(b, BLN_SLM_PRIMAL);
        bln_data data = slm_view(12, 1, integrated_x, integrated_y);
        if (what == 5 || what == 6) { data.y = y2; data.p = d.n_outputs = 2; d.sigma = BLN_SLM_CORRELATED; }
        bln_slm *slm = slm_fit(&d, &data);
        bln_posterior q = slm->posterior;
        bln_group g[2];
        bln_gaussians v = *(const bln_gaussians *)q.groups->view;
        g[0] = g[1] = q.groups[0];
        q.groups = g;
        g[0].view = g[1].view = &v;
        if (what == 1) q.n_groups = 2;
        if (what == 2) { g[0].K = 2; v.m = m4; v.s = s4; v.R = R8; v.sd = NULL; v.ldr = 2; }
        if (what == 3) g[0].weight = s4;
        if (what == 5 || what == 6) {                            /* jointly, in one Gaussian, with a basis each or one for both */
            if (what == 6) { q.n_bases = 2; q.bases = both; }
            v.n = v.k = v.ldr = 4;
            v.m = m4;
            v.s = s4;
            v.R = R4;
            v.T = v.sd = NULL;
            v.n_flat = 0;
        }
        if (what == 4) q.rows = 0.0;
        CHECK_STATUS(slm_forged(&q, slm, &why), what == 0 ? BLN_OK : BLN_EFORMAT);
        if (what) CHECK_TEXT(why, "not the posterior of a linear model");
        bln_slm_free(slm);
    }
    bln_basis_free(b);
}

SUITE_BEGIN(integrated_edges)
SUITE_TEST(integrated_edges, priors)
SUITE_TEST(integrated_edges, perfect_fits)
SUITE_TEST(integrated_edges, half_a_prior)
SUITE_TEST(integrated_edges, missed_variance)
SUITE_TEST(integrated_edges, statistics)
SUITE_TEST(integrated_edges, a_source_that_does_not_begin)
SUITE_TEST(integrated_edges, forged_files)
SUITE_TEST(integrated_edges, forged_linear_models)
SUITE_END(integrated_edges)
