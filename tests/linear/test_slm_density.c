/* The evidence as a density of hyper-parameters: its slopes by differences, its value and priors by their definitions, weights that
 * are drawn from their posterior, and draws beside those of the joint density of weights and hyper-parameters. */
#include "../test.h"
#include "sine_tools.h"

enum { MARGINAL_N = 30 };
typedef struct marginal_case {
    double X[2*MARGINAL_N], y[MARGINAL_N], weight[MARGINAL_N];
    bln_data data;
    bln_basis *basis;
    bln_slm_desc desc;
    bln_slm *slm;
} marginal_case;

static void marginal_make(marginal_case *t, const char *spec)
{
    bln_spec_desc s = BLN_ZERO;
    bln_report report;
    test_random r = test_random_new(7);
    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < MARGINAL_N; i++) {
        t->X[2*i] = test_normal(&r);
        t->X[2*i + 1] = test_normal(&r);
        t->weight[i] = 1.0 + (double)(i % 2);
        t->y[i] = 3.0*(0.4 + sin(1.5*t->X[2*i]) + 0.5*t->X[2*i + 1] + 0.5*test_normal(&r));
    }
    t->data.n = MARGINAL_N;
    t->data.d = 2;
    t->data.X = t->X;
    t->data.y = t->y;
    for (size_t i = 0; i < MARGINAL_N && strstr(spec, "group"); i++) t->X[2*i] = (double)(i % 5);
    s.text = spec;
    s.d = 2;
    s.rows = &t->data;
    CHECK_OK(bln_basis_parse(&s, &t->basis, &report));
    t->desc.basis = t->basis;
}

static bln_slm_density *marginal_open(marginal_case *t)
{
    bln_slm_density *d = NULL;
    bln_report report;
    CHECK_OK(bln_slm_create(&t->desc, &t->slm, &report));
    if (bln_slm_density_create(t->slm, &t->data, &d, &report) != BLN_OK) printf("    %s\n", report.text);
    CHECK(d != NULL);
    return d;
}

static void marginal_free(marginal_case *t)
{
    bln_slm_free(t->slm);
    bln_basis_free(t->basis);
}

/* Whatever is learnt: noise, prior variances for slices or for weights, beside flat ones, length scales. */
TEST(slm_density, gradients)
{
    static const char *const spec[] = { "linear", "bias+rbf:n=4", "linear+matern32:n=3,ard" };
    static const double flat[] = { HUGE_VAL, 0.0 };
    for (size_t i = 0; i < 3; i++)
        for (int way = 0; way < 5; way++) {
            marginal_case t;
            bln_report report;
            double worst = 1.0;
            marginal_make(&t, spec[i]);
            if (way == 1) t.desc.per_weight = 1;
            if (way == 2 && i) t.desc.prior_var = flat;
            if (way == 3) { t.desc.fix_noise_var = 1; t.desc.noise_var = 2.0; }
            if (way == 4) t.data.weight = t.data.noise_var = t.weight;
            bln_slm_density *d = marginal_open(&t);
            const bln_density density = bln_slm_density_of(d);
            const bln_status status = bln_density_check(&density, bln_slm_density_start(d), &worst, &report);
            if (status != BLN_OK) printf("    %s, way %d: %s\n", spec[i], way, report.text);
            CHECK_OK(status);
            CHECK_LE(worst, 1e-6);
            bln_slm_density_free(d);
            marginal_free(&t);
        }
}

/* log of the half-Student-t of 3 degrees of freedom and this scale. */
static double marginal_half_t(double sd, double scale)
{
    return log(4.0/(3.14159265358979323846*sqrt(3.0))) - log(scale) - 2.0*log1p(sd*sd/(scale*scale)/3.0);
}

/* The value: evidence, and densities of standard deviations whose derivative by the coordinate is that of differences. The second
 * slice has `active` features that are not 0 in a row. */
static void marginal_define(const char *spec, size_t active)
{
    marginal_case t;
    bln_report report;
    double q[3], out[16], value, evidence = 0.0, y_mean = 0.0, y_var = 0.0, square[2] = { 0.0, 0.0 };
    static const double theta[1] = { 1.3 };
    marginal_make(&t, spec);
    t.desc.fix_theta = 1;
    t.desc.theta = theta;
    bln_slm_density *d = marginal_open(&t);
    const bln_density density = bln_slm_density_of(d);
    CHECK(density.dim == 3 && density.n_out == t.basis->D + 3);
    for (size_t i = 0; i < MARGINAL_N; i++) {
        double phi[16], work[1024];
        bln_basis_features(t.basis, theta, 1, t.X + 2*i, 2, phi, t.basis->D, work);
        y_mean += t.y[i]/MARGINAL_N;
        square[0] += phi[0]*phi[0]/MARGINAL_N;
        square[1] += bln_dot(t.basis->D - 1, phi + 1, phi + 1)/(double)active/MARGINAL_N;
    }
    for (size_t i = 0; i < MARGINAL_N; i++) y_var += (t.y[i] - y_mean)*(t.y[i] - y_mean)/MARGINAL_N;
    for (int point = 0; point < 3; point++) {
        const double h = 1e-5, scale[3] = { 2.5*sqrt(y_var), 2.5*sqrt(y_var/square[0]), 2.5*sqrt(y_var/square[1]) };
        for (size_t k = 0; k < 3; k++) q[k] = bln_slm_density_start(d)[k] + 0.4*point - 0.3*(double)k;
        CHECK_OK(density.eval(density.user, q, &value, NULL, &report));
        density.output(density.user, q, 0, 0, out);
        double want = 0.0;
        const double *natural = out + t.basis->D;
        for (size_t k = 0; k < 3; k++) {
            const double at = q[k];
            double near[2][16];
            for (int side = 0; side < 2; side++) {
                q[k] = at + (side ? h : -h);
                density.output(density.user, q, 0, 0, near[side]);
            }
            q[k] = at;
            want += marginal_half_t(sqrt(natural[k]), scale[k]);
            want += log((sqrt(near[1][t.basis->D + k]) - sqrt(near[0][t.basis->D + k]))/(2.0*h));
        }
        CHECK_OK(bln_slm_evidence_at(t.slm, &t.data, natural[0], natural + 1, theta, &evidence, NULL, NULL, NULL,
                                     &report));
        CHECK_NEAR(value, evidence + want, 1e-7);
    }
    bln_slm_density_free(d);
    marginal_free(&t);
}

TEST(slm_density, definition)
{
    marginal_define("bias+rbf:n=4", 8);
    marginal_define("bias+group:by=0", 1);                   /* 6 features, of which a row has one */
}

/* Weights at one point: their means and second moments are those of the model that is fitted with these hyper-parameters held, also
 * where one is flat. 4000 draws, 4.9 standard errors (1e-6): means sd/sqrt(n), second moments by the draws themselves. */
TEST(slm_density, weights_are_exact)
{
    enum { DRAWS = 4000, MOST = 16 };
    static const double prior[2] = { HUGE_VAL, 0.8 };
    marginal_case t;
    bln_slm *held = NULL;
    bln_report report;
    double mean[MOST], sd[MOST], out[MOST + 3], sum[MOST] = { 0 }, square[MOST] = { 0 }, fourth[MOST] = { 0 };
    marginal_make(&t, "bias+rbf:n=4");
    t.desc.prior_var = prior;
    t.desc.noise_var = 1.7;
    bln_slm_density *d = marginal_open(&t);
    const bln_density density = bln_slm_density_of(d);
    const size_t D = t.basis->D;
    density.output(density.user, bln_slm_density_start(d), 1, 0, out);
    CHECK_REL(out[D], 1.7, 1e-9);
    CHECK_REL(out[D + 1], 0.8, 1e-9);
    for (size_t i = 0; i < DRAWS; i++) {
        density.output(density.user, bln_slm_density_start(d), 1, i, out);
        for (size_t k = 0; k < D; k++) {
            sum[k] += out[k]/DRAWS;
            square[k] += out[k]*out[k]/DRAWS;
            fourth[k] += pow(out[k], 4.0)/DRAWS;
        }
    }
    t.desc.fix_noise_var = t.desc.fix_prior_var = t.desc.fix_theta = 1;
    CHECK_OK(bln_slm_create(&t.desc, &held, &report));
    CHECK_OK(bln_slm_fit(held, &t.data, &report));
    CHECK_OK(bln_posterior_coefficients(bln_slm_posterior(held), mean, sd, 0, NULL, NULL, NULL, NULL));
    for (size_t k = 0; k < D; k++) {
        CHECK_NEAR(sum[k], mean[k], 4.9*sd[k]/sqrt((double)DRAWS));
        CHECK_NEAR(square[k], mean[k]*mean[k] + sd[k]*sd[k], 4.9*sqrt((fourth[k] - square[k]*square[k])/DRAWS));
    }
    bln_slm_free(held);
    bln_slm_density_free(d);
    marginal_free(&t);
}

/* The figures of a column of both tables, and of its squares, differ by less than 4 standard errors of the difference. */
static void marginal_same(const bln_chains *a, const bln_chains *b, const char *name)
{
    double moment[2][2], error[2][2], *room = (double *)malloc(2*(1 + 6)*4000*sizeof *room);
    for (int of = 0; of < 2; of++) {
        const bln_chains *c = of ? b : a;
        bln_series s = bln_chains_series(c, bln_chains_find(c, name));
        bln_summary sum = BLN_ZERO;
        CHECK(s.x != NULL && s.chains*s.draws <= 4000);
        for (size_t i = 0; i < s.chains*s.draws; i++) room[i] = log(fabs(s.x[i*s.ldchain]));
        if (name[0] == 'w') for (size_t i = 0; i < s.chains*s.draws; i++) room[i] = s.x[i*s.ldchain];
        for (int power = 0; power < 2; power++) {
            for (size_t i = 0; i < s.chains*s.draws && power; i++) room[i] *= room[i];
            s.x = room;
            s.ld = s.chains;
            s.ldchain = 1;
            CHECK_OK(bln_series_summary(&s, &sum, room + 4000, NULL));
            moment[of][power] = sum.mean;
            error[of][power] = sum.mcse_mean;
        }
    }
    for (int power = 0; power < 2; power++)
        CHECK_NEAR(moment[0][power], moment[1][power], 4.0*sqrt(pow(error[0][power], 2.0) + pow(error[1][power], 2.0)));
    free(room);
}

/* The same posterior by two densities: with the weights integrated out, and with them (>>glm_nuts). */
TEST(slm_density, beside_the_joint_density)
{
    static const char *const names[] = { "w[1]", "w[2]", "w[3]", "w[5]", "noise variance", "prior_var[1]", "prior_var[2]" };
    marginal_case t;
    bln_hmc_desc desc = BLN_ZERO;
    bln_glm_desc g = BLN_ZERO;
    bln_glm *glm = NULL;
    bln_chains *c = NULL;
    bln_report report;
    bln_diagnosis found;
    marginal_make(&t, "bias+rbf:n=4");
    t.desc.fix_theta = 1;
    bln_slm_density *d = marginal_open(&t);
    bln_slm_density_free(d);
    CHECK_OK(bln_slm_fit(t.slm, &t.data, &report));
    CHECK_OK(bln_slm_density_create(t.slm, &t.data, &d, &report));
    desc.density = bln_slm_density_of(d);
    desc.start = bln_slm_density_start(d);
    desc.warmup = 300;
    CHECK_OK(bln_hmc_sample(&desc, &c, &report));
    CHECK_OK(bln_chains_diagnose(c, NULL, &found, &report));
    if (found.doubts) printf("    %s", found.text);
    CHECK(found.doubts == 0 && found.constant == 0);
    g.basis = t.basis;
    g.likelihood = bln_likelihood_gaussian();
    g.fix_theta = 1;
    g.method = bln_glm_nuts(NULL);
    CHECK_OK(bln_glm_create(&g, &glm, &report));
    CHECK_OK(bln_glm_fit(glm, &t.data, &report));
    for (size_t k = 0; k < sizeof names/sizeof *names; k++) marginal_same(c, bln_glm_chains(glm), names[k]);
    bln_glm_free(glm);
    bln_chains_free(c);
    bln_slm_density_free(d);
    marginal_free(&t);
}

/* Chains that run beside each other have a density of their own each; names; what is refused; memory that runs out. */
TEST(slm_density, clones_names_and_errors)
{
    static const double flat[2] = { HUGE_VAL, 0.0 };
    marginal_case t;
    bln_report report;
    bln_slm_density *d = NULL, *none = NULL;
    char name[32];
    void *copy = NULL;
    double value, other, q[8];
    marginal_make(&t, "bias+rbf:n=4");
    t.desc.prior_var = flat;
    d = marginal_open(&t);
    bln_density density = bln_slm_density_of(d);
    CHECK(density.dim == 3 && density.n_out == t.basis->D + 3);
    memcpy(q, bln_slm_density_start(d), 3*sizeof *q);
    q[0] += 0.3;
    CHECK_OK(density.clone(density.user, NULL, &copy));
    CHECK_OK(density.eval(density.user, q, &value, NULL, &report));
    CHECK_OK(density.eval(copy, q, &other, NULL, &report));
    CHECK(!memcmp(&value, &other, sizeof value));
    density.release(copy);
    density.name(density.user, 1, name, sizeof name);
    CHECK(!strcmp(name, "w[2]"));
    density.name(density.user, t.basis->D, name, sizeof name);
    CHECK(!strcmp(name, "noise variance"));
    density.name(density.user, t.basis->D + 1, name, sizeof name);
    CHECK(!strcmp(name, "prior_var[2]"));
    density.name(density.user, t.basis->D + 2, name, sizeof name);
    CHECK(!strcmp(name, "theta[1]"));
    bln_slm_density_free(d);

    bln_data bad = t.data;
    bad.d = 1;
    CHECK_STATUS(bln_slm_density_create(t.slm, &bad, &none, &report), BLN_ESHAPE);
    bad = t.data;
    bad.n = 0;
    CHECK_STATUS(bln_slm_density_create(t.slm, &bad, &none, &report), BLN_EINVAL);
    CHECK_STATUS(bln_slm_density_create(t.slm, NULL, &none, &report), BLN_EINVAL);
    bln_slm_free(t.slm);
    t.desc.fix_noise_var = t.desc.fix_prior_var = t.desc.fix_theta = 1;
    t.desc.noise_var = 1.0;
    CHECK_OK(bln_slm_create(&t.desc, &t.slm, &report));
    CHECK_STATUS(bln_slm_density_create(t.slm, &t.data, &none, &report), BLN_EINVAL);      /* nothing to learn */
    bln_slm_free(t.slm);
    t.desc.fix_prior_var = 0;
    t.desc.relative_prior = 1;
    CHECK_OK(bln_slm_create(&t.desc, &t.slm, &report));
    CHECK_STATUS(bln_slm_density_create(t.slm, &t.data, &none, &report), BLN_EINVAL);
    CHECK(none == NULL && bln_slm_density_start(NULL) == NULL && bln_slm_density_of(NULL).dim == 0);
    marginal_free(&t);
}

/* With variances held the density is the evidence and the prior of theta: normal on a log scale, of which nothing is left where its
 * spread is beyond doubles; flat elsewhere, with the slope of the coordinate. */
TEST(slm_density, parameters_of_every_kind)
{
    static const struct { bln_param_kind kind; double theta_sd; int normal; } c[] = {
        { BLN_PARAM_REAL, 1.0, 0 }, { BLN_PARAM_INTERVAL, 1.0, 0 }, { BLN_PARAM_LOG, 1.0, 1 }, { BLN_PARAM_POSITIVE, 1.0, 1 },
        { BLN_PARAM_LOG, 1e200, 0 } };
    const bln_basis_ops ops = edges_ops();
    const double prior[1] = { 1.3 };
    for (size_t k = 0; k < sizeof c/sizeof *c; k++) {
        edges_sine s = edges_of(&ops, c[k].kind, 0.5, 4.0, 1.5);
        marginal_case t;
        bln_report report;
        double value, evidence, worst = 1.0, out[2];
        marginal_make(&t, "linear");
        bln_basis *unused = t.basis;
        t.data.d = 1;
        t.data.ldx = 2;
        t.basis = &s.base;
        t.desc.basis = &s.base;
        t.desc.noise_var = 2.0;
        t.desc.prior_var = prior;
        t.desc.fix_noise_var = t.desc.fix_prior_var = 1;
        t.desc.theta_sd = c[k].theta_sd;
        bln_slm_density *d = marginal_open(&t);
        const bln_density density = bln_slm_density_of(d);
        CHECK_SIZE(density.dim, 1);
        for (int point = 0; point < 3; point++) {
            const double start = bln_slm_density_start(d)[0], q = start + 0.3*point;
            CHECK_OK(density.eval(density.user, &q, &value, NULL, &report));
            density.output(density.user, &q, 0, 0, out);
            CHECK_OK(bln_slm_evidence_at(t.slm, &t.data, 2.0, prior, out + 1, &evidence, NULL, NULL, NULL, &report));
            const double slope = bln_param_slope(&s.param, q), of = c[k].normal ? -0.5*(0.09*point*point + BLNI_LOG_2PI)
                                                                 : c[k].kind == BLN_PARAM_LOG ? 0.0 : log(slope);
            CHECK_NEAR(value, evidence + of, 1e-9);
        }
        CHECK_OK(bln_density_check(&density, bln_slm_density_start(d), &worst, &report));
        CHECK_LE(worst, 1e-6);
        bln_slm_density_free(d);
        bln_slm_free(t.slm);
        bln_basis_free(unused);
    }
}

/* A point without a value has density 0, and its draw no weights. The start is where a fit ended, whatever of it is learnt. What a
 * fit would refuse is refused, and memory may fail at any allocation. */
TEST(slm_density, starts_and_refusals)
{
    const double most[1] = { 1e308 }, flat[2] = { HUGE_VAL, 0.0 }, all[1] = { HUGE_VAL }, theta[1] = { 1.2 };
    double value, out[16], q[4], same[MARGINAL_N], small[2*MARGINAL_N], zero[2*MARGINAL_N];
    marginal_case t;
    bln_report report;
    bln_slm_density *d = NULL;
    char name[32];
    test_heap heap;
    marginal_make(&t, "linear");
    for (size_t i = 0; i < MARGINAL_N; i++) same[i] = 2.385;
    for (size_t i = 0; i < 2*MARGINAL_N; i++) { small[i] = 1e-170*t.X[i]; zero[i] = 0.0; }
    t.desc.prior_var = most;
    t.desc.fix_prior_var = 1;
    t.desc.noise_var = 1e-10;
    d = marginal_open(&t);
    bln_density density = bln_slm_density_of(d);
    q[0] = bln_slm_density_start(d)[0];
    CHECK_OK(density.eval(density.user, q, &value, NULL, &report));
    CHECK(value == -HUGE_VAL);
    density.output(density.user, q, 0, 0, out);
    for (size_t i = 0; i < t.basis->D; i++) CHECK(out[i] != out[i]);
    bln_slm_density_free(d);
    bln_slm_free(t.slm);
    /* Constant targets: refused, unless weights are flat; squares that underflow: refused; features that are 0: not. */
    bln_data bad = t.data;
    t.desc.fix_prior_var = 0;
    t.desc.noise_var = 0.0;
    t.desc.prior_var = NULL;
    CHECK_OK(bln_slm_create(&t.desc, &t.slm, &report));
    bad.y = same;
    d = NULL;
    CHECK_STATUS(bln_slm_density_create(t.slm, &bad, &d, &report), BLN_EUNDEFINED);
    bln_basis *plain = NULL;
    CHECK_OK(bln_linear_create(NULL, 2, 0, &plain));
    bln_slm_free(t.slm);
    t.desc.basis = plain;
    CHECK_OK(bln_slm_create(&t.desc, &t.slm, &report));
    bad = t.data;
    bad.X = small;
    CHECK_STATUS(bln_slm_density_create(t.slm, &bad, &d, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "underflow");
    bad.X = zero;
    CHECK_OK(bln_slm_density_create(t.slm, &bad, &d, &report));
    density = bln_slm_density_of(d);
    CHECK_OK(density.eval(density.user, bln_slm_density_start(d), &value, NULL, &report));
    CHECK(value > -HUGE_VAL);
    bln_slm_density_free(d);
    bln_slm_free(t.slm);
    t.desc.basis = t.basis;
    t.desc.prior_var = all;
    CHECK_OK(bln_slm_create(&t.desc, &t.slm, &report));
    bad = t.data;
    bad.y = same;
    CHECK_OK(bln_slm_density_create(t.slm, &bad, &d, &report));
    CHECK_SIZE(bln_slm_density_of(d).dim, 1);
    bln_slm_density_free(d);
    marginal_free(&t);
    bln_basis_free(plain);
    /* From a fitted model. */
    for (int fixed = 0; fixed < 2; fixed++) {
        marginal_make(&t, "bias+rbf:n=4");
        t.desc.prior_var = fixed ? NULL : flat;
        t.desc.theta = theta;
        t.desc.fix_theta = 1;
        t.desc.noise_var = 1.5;
        t.desc.fix_noise_var = fixed;
        t.desc.alloc = test_heap_allocator(&heap);
        CHECK_OK(bln_slm_create(&t.desc, &t.slm, &report));
        CHECK_OK(bln_slm_fit(t.slm, &t.data, &report));
        const size_t live = heap.live, D = t.basis->D;
        for (size_t fail = 0; fail < 100; fail++) {
            heap.calls = 0;
            heap.fail_at = fail;
            const bln_status status = bln_slm_density_create(t.slm, &t.data, &d, &report);
            heap.fail_at = (size_t)-1;
            if (status == BLN_OK) { CHECK(fail > 3); break; }
            CHECK_STATUS(status, BLN_ENOMEM);
            CHECK_SIZE(heap.live, live);
        }
        density = bln_slm_density_of(d);
        CHECK_SIZE(density.dim, 2);
        density.output(density.user, bln_slm_density_start(d), 0, 0, out);
        CHECK_REL(out[D], fixed ? bln_slm_prior_var(t.slm)[0] : bln_slm_noise_var(t.slm), 1e-9);
        CHECK_REL(out[D + 1], bln_slm_prior_var(t.slm)[1], 1e-9);
        density.name(density.user, D, name, sizeof name);
        CHECK(!strcmp(name, fixed ? "prior_var[1]" : "noise variance"));
        density.name(density.user, D + 1, name, sizeof name);
        CHECK(!strcmp(name, "prior_var[2]"));
        bln_slm_density_free(d);
        marginal_free(&t);
        CHECK_SIZE(heap.live, 0);
    }
}

SUITE_BEGIN(slm_density)
SUITE_TEST(slm_density, parameters_of_every_kind)
SUITE_TEST(slm_density, starts_and_refusals)
SUITE_TEST(slm_density, gradients)
SUITE_TEST(slm_density, definition)
SUITE_TEST(slm_density, weights_are_exact)
SUITE_TEST(slm_density, beside_the_joint_density)
SUITE_TEST(slm_density, clones_names_and_errors)
SUITE_END(slm_density)
