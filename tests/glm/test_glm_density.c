/* test_glm_density: the joint density of weights and hyper-parameters: its gradient by differences, its parts by their definitions,
 * and draws from it beside the exact posterior */
#include "../test.h"

enum { JOINT_N = 40 };
typedef struct joint_case {
    double X[2*JOINT_N], y[JOINT_N], weight[JOINT_N];
    bln_data data;
    bln_basis *basis;
    bln_glm *glm;
} joint_case;

static double joint_target(const char *name, double f, test_random *r)
{
    if (!strcmp(name, "gaussian") || !strcmp(name, "student_t") || strstr(name, "laplace")) return f + 0.3*test_normal(r);
    if (!strcmp(name, "binomial_logit")) return test_uniform(r) < 1.0/(1.0 + exp(-2.0*f));
    return floor(3.0*exp(0.5*f)*test_uniform(r));
}

static void joint_make(joint_case *t, const bln_likelihood *l, const char *spec, int fixed)
{
    static const double prior_var[3] = { 0.7, 0.4, 1.1 };
    bln_glm_desc desc = BLN_ZERO;
    bln_spec_desc s = BLN_ZERO;
    bln_report report;
    test_random r = test_random_new(1);
    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < JOINT_N; i++) {
        t->X[2*i] = test_normal(&r);
        t->X[2*i + 1] = test_normal(&r);
        t->weight[i] = 1.0 + (double)(i % 3);
        t->y[i] = joint_target(l->ops->name, sin(2.0*t->X[2*i]) + 0.5*t->X[2*i + 1], &r);
    }
    t->data.n = JOINT_N;
    t->data.d = 2;
    t->data.X = t->X;
    t->data.y = t->y;
    t->data.weight = t->weight;
    s.text = spec;
    s.d = 2;
    CHECK_OK(bln_basis_parse(&s, &t->basis, &report));
    desc.likelihood = *l;
    desc.basis = t->basis;
    desc.fix_likelihood = desc.fix_prior_var = desc.fix_theta = fixed;
    if (fixed) desc.prior_var = prior_var;
    if (bln_glm_create(&desc, &t->glm, &report) != BLN_OK) printf("    %s\n", report.text);
    CHECK(t->glm != NULL);
}

static void joint_free(joint_case *t)
{
    bln_glm_free(t->glm);
    bln_basis_free(t->basis);
}

/* Differences have an error of 1e-8 or so where the value is some 100 and scales are about 1. */
TEST(glm_density, gradients)
{
    static const char *const spec[] = { "linear", "bias+rbf:n=4", "linear+matern32:n=3,ard" };
    bln_likelihood l[6];
    l[0] = bln_likelihood_gaussian();
    l[1] = bln_likelihood_student_t();
    l[2] = bln_likelihood_laplace();
    l[3] = bln_likelihood_binomial(BLN_LINK_LOGIT);
    l[4] = bln_likelihood_poisson(BLN_LINK_LOG);
    l[5] = bln_likelihood_negative_binomial();
    for (size_t i = 0; i < sizeof l/sizeof *l; i++)
        for (size_t k = 0; k < 3; k++)
            for (int fixed = 0; fixed < 2; fixed++) {
                joint_case t;
                bln_glm_density *d = NULL;
                bln_report report;
                double worst = 1.0;
                joint_make(&t, l + i, spec[k], fixed);
                CHECK_OK(bln_glm_density_create(t.glm, &t.data, &d, &report));
                const bln_density density = bln_glm_density_of(d);
                const bln_status status = bln_density_check(&density, bln_glm_density_start(d), &worst, &report);
                if (status != BLN_OK) printf("    %s, %s: %s\n", l[i].ops->name, spec[k], report.text);
                CHECK_OK(status);
                CHECK_LE(worst, 1e-6);
                bln_glm_density_free(d);
                joint_free(&t);
            }
}

/* An allocation that fails leaves nothing. */
TEST(glm_density, every_allocation_may_fail)
{
    const bln_likelihood l = bln_likelihood_student_t();
    bln_glm_density *d = NULL;
    bln_status status = BLN_ENOMEM;
    bln_report report;
    test_heap heap;
    joint_case t;
    joint_make(&t, &l, "linear", 0);
    bln_glm_desc desc = BLN_ZERO;
    bln_glm *glm = NULL;
    desc.likelihood = l;
    desc.basis = t.basis;
    desc.alloc = test_heap_allocator(&heap);
    CHECK_OK(bln_glm_create(&desc, &glm, &report));
    const size_t before = heap.live;
    for (size_t k = 0; status == BLN_ENOMEM; k++) {
        heap.calls = 0;
        heap.fail_at = k;
        status = bln_glm_density_create(glm, &t.data, &d, &report);
        if (status != BLN_OK) CHECK(!d && report.text[0] && heap.live == before);
    }
    CHECK(status == BLN_OK && heap.calls > 1);
    bln_glm_density_free(d);
    CHECK(heap.live == before);
    bln_glm_free(glm);
    joint_free(&t);
}

/* The parts by their definitions: differences of values between two points. */
TEST(glm_density, definition)
{
    joint_case t;
    bln_glm_density *d = NULL;
    bln_report report;
    const bln_likelihood l = bln_likelihood_student_t();
    double q[16], out[16], value[4], want[4], features[JOINT_N*3], f[JOINT_N], lp[JOINT_N];
    joint_make(&t, &l, "linear", 0);
    CHECK_OK(bln_glm_density_create(t.glm, &t.data, &d, &report));
    const bln_density density = bln_glm_density_of(d);
    CHECK_SIZE(density.dim, 3 + 1 + 2);                          /* weights of 1 and the inputs; their variance; scale, degrees */
    memcpy(q, bln_glm_density_start(d), density.dim*sizeof *q);
    bln_basis_features(t.basis, NULL, JOINT_N, t.X, 2, features, 3, NULL);
    for (int point = 0; point < 4; point++) {
        bln_targets targets = BLN_ZERO;
        double eta[2], sum = 0.0;
        for (size_t k = 0; k < 3; k++) q[k] = 0.3*(double)k - 0.2*(double)point;
        q[3] += 0.1*point;
        q[4 + point % 2] += 0.3;
        CHECK_OK(density.eval(density.user, q, value + point, NULL, &report));
        density.output(density.user, q, 0, 0, out);
        for (size_t k = 0; k < 3; k++) CHECK_REL(out[k], q[k]*sqrt(out[3]), 1e-13);
        eta[0] = out[4];
        eta[1] = out[5];
        targets.y = t.y;
        for (size_t i = 0; i < JOINT_N; i++) f[i] = bln_dot(3, features + 3*i, out);
        bln_likelihood_logp(&l, eta, JOINT_N, &targets, f, lp);
        for (size_t i = 0; i < JOINT_N; i++) sum += t.weight[i]*lp[i];
        sum -= 0.5*bln_dot(3, q, q);
        /* Half-t(3) of the sd with scale 2.5 y_sd/rms(features), log-normal degrees of freedom; d log sd/du by differences. */
        const double h = 1e-6;
        for (size_t k = 3; k < 6; k++) {
            const blni_hyper_prior *p = d->f->search.prior + k - 3;
            const bln_param *param = d->f->search.param + k - 3;
            double slope;
            const double up = bln_param_natural(param, q[k] + h), down = bln_param_natural(param, q[k] - h);
            CHECK(p->form == (k == 5 ? BLNI_HYPER_LOG_NORMAL : BLNI_HYPER_HALF_T));
            sum += blni_hyper_logp(p, out[k], &slope);
            sum += log((log(up) - log(down))/(2.0*h));
        }
        want[point] = sum;
    }
    for (int point = 1; point < 4; point++) CHECK_NEAR(value[point] - value[0], want[point] - want[0], 1e-7);
    bln_glm_density_free(d);
    joint_free(&t);
}

/* With hyper-parameters held and normal noise the posterior of w is a normal, which Laplace's method has exactly. */
TEST(glm_density, draws_beside_the_exact_posterior)
{
    joint_case t;
    bln_glm_density *d = NULL;
    bln_report report;
    bln_hmc_desc desc = BLN_ZERO;
    bln_chains *c = NULL;
    const bln_likelihood l = bln_likelihood_gaussian();
    double mean[16], sd[16], at[32];
    joint_make(&t, &l, "bias+rbf:n=4", 1);
    CHECK_OK(bln_glm_set_method(t.glm, bln_glm_laplace(), &report));
    CHECK_OK(bln_glm_fit(t.glm, &t.data, &report));
    CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(t.glm), mean, sd, 0, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_glm_density_create(t.glm, &t.data, &d, &report));
    desc.density = bln_glm_density_of(d);
    desc.start = bln_glm_density_start(d);
    desc.density.output(desc.density.user, desc.start, 0, 0, at);
    for (size_t k = 0; k < desc.density.dim; k++) CHECK_REL(at[k], mean[k], 2.0*DBL_EPSILON);
    desc.warmup = 300;
    CHECK_OK(bln_hmc_sample(&desc, &c, &report));
    CHECK(!strcmp(bln_chains_name(c, 2), "w[3]"));
    for (size_t k = 0; k < desc.density.dim; k++) {
        bln_summary s = BLN_ZERO;
        CHECK_OK(bln_chains_summary(c, k, &s, NULL));
        CHECK_NEAR(s.mean, mean[k], 5.0*s.mcse_mean);
        CHECK_NEAR(s.sd, sd[k], 5.0*s.mcse_sd);
    }
    bln_chains_free(c);
    /* So has a Gaussian of full rank; to 1e-4 of an sd, for slopes below 1e-5. */
    bln_advi_desc advi = BLN_ZERO;
    bln_advi *v = NULL;
    advi.density = desc.density;
    advi.start = desc.start;
    advi.family = BLN_ADVI_FULL;
    CHECK_OK(bln_advi_fit(&advi, &v, &report));
    const bln_approximation *q = bln_advi_result(v);
    CHECK(!strcmp(bln_chains_name(q->draws, 2), "w[3]") && q->importance.good);
    CHECK_LE(q->importance.elbo_se, 1e-5);
    desc.density.output(desc.density.user, q->mean, 0, 0, at);  /* w is q times a constant */
    for (size_t k = 0; k < desc.density.dim; k++) CHECK_NEAR(at[k], mean[k], 1e-4*sd[k]);
    desc.density.output(desc.density.user, q->scale, 0, 0, at);
    for (size_t k = 0; k < desc.density.dim; k++) CHECK_REL(at[k], sd[k], 1e-4);
    bln_advi_free(v);
    bln_glm_density_free(d);
    joint_free(&t);
}

TEST(glm_density, names_and_errors)
{
    joint_case t;
    bln_glm_density *d = NULL;
    bln_report report;
    const bln_likelihood l = bln_likelihood_student_t();
    char name[64];
    joint_make(&t, &l, "bias+rbf:n=4", 0);
    CHECK_STATUS(bln_glm_density_create(NULL, &t.data, &d, &report), BLN_EINVAL);
    CHECK_STATUS(bln_glm_density_create(t.glm, NULL, &d, &report), BLN_EINVAL);
    t.y[3] = NAN;
    CHECK_STATUS(bln_glm_density_create(t.glm, &t.data, &d, &report), BLN_EDATA);
    CHECK_SIZE(report.row, 3);
    t.y[3] = 0.0;
    CHECK_OK(bln_glm_density_create(t.glm, &t.data, &d, &report));
    const bln_density density = bln_glm_density_of(d);
    const size_t D = t.basis->D;
    density.name(density.user, D, name, sizeof name);
    CHECK(!strcmp(name, "prior_var[1]"));
    density.name(density.user, D + 2, name, sizeof name);
    CHECK(!strcmp(name, bln_likelihood_param_name(&l, 0)));
    density.name(density.user, D + 4, name, sizeof name);
    CHECK(!strcmp(name, "theta[1]"));
    bln_glm_density_free(d);
    CHECK(bln_glm_density_start(NULL) == NULL);
    joint_free(&t);
}

static bln_status joint_no_rows(void *user, bln_report *report)
{
    (void)user;
    return blni_refuse(report, BLN_EIO, "no rows");
}
static bln_status joint_no_block(void *user, size_t most, bln_data *rows, bln_report *report)
{
    (void)user; (void)most; (void)rows;
    return blni_refuse(report, BLN_EIO, "no block");
}

/* Rows that fail fail the density, in the pass for its value and in that for its slopes; weights beyond numbers have density 0. */
TEST(glm_density, where_it_is_not)
{
    joint_case t;
    bln_glm_density *d = NULL;
    bln_report report;
    const bln_likelihood l = bln_likelihood_student_t();
    double q[32], value, slope[32];
    joint_make(&t, &l, "bias+rbf:n=4", 0);
    CHECK_OK(bln_glm_density_create(t.glm, &t.data, &d, &report));
    const bln_density density = bln_glm_density_of(d);
    memcpy(q, bln_glm_density_start(d), density.dim*sizeof *q);
    const bln_source whole = d->f->source;
    for (int way = 0; way < 4; way++) {
        q[0] += 0.1;
        if (way % 2) CHECK_OK(density.eval(density.user, q, &value, NULL, &report));          /* its value is known then */
        d->f->source = whole;
        if (way < 2) d->f->source.reset = joint_no_rows;
        else         d->f->source.next = joint_no_block;
        d->f->search.first = 1;
        CHECK_STATUS(density.eval(density.user, q, &value, slope, &report), BLN_EIO);
        CHECK_TEXT(report.text, way < 2 ? "no rows" : "no block");
        d->f->source = whole;
        CHECK_OK(density.eval(density.user, q, &value, slope, &report));
        CHECK(blni_finite(value));
    }
    q[0] = 1e308;
    q[t.basis->D] += 4.0;
    CHECK_OK(density.eval(density.user, q, &value, NULL, &report));
    CHECK(value == -HUGE_VAL);
    bln_glm_density_free(d);
    joint_free(&t);
}

/* Weights of nodes with a length scale each have no mean: it starts where all are 0. Without priors there is a density if nothing
 * needs one. */
TEST(glm_density, starts_without_weights)
{
    joint_case t;
    bln_glm_density *d = NULL;
    bln_report report;
    const bln_likelihood l = bln_likelihood_binomial(BLN_LINK_LOGIT);
    joint_make(&t, &l, "rbf:n=2", 0);
    CHECK_OK(bln_glm_set_method(t.glm, bln_glm_integrated(NULL), &report));
    CHECK_OK(bln_glm_fit(t.glm, &t.data, &report));
    CHECK(bln_glm_posterior(t.glm)->n_groups > 1);
    CHECK_OK(bln_glm_density_create(t.glm, &t.data, &d, &report));
    for (size_t i = 0; i < t.basis->D; i++) CHECK(bln_glm_density_start(d)[i] == 0.0);
    bln_glm_density_free(d);
    joint_free(&t);
    for (int fixed = 0; fixed < 2; fixed++) {
        d = NULL;
        joint_make(&t, &l, "rbf:n=2", fixed);
        t.glm->desc.no_hyper_prior = 1;
        CHECK_STATUS(bln_glm_density_create(t.glm, &t.data, &d, &report), fixed ? BLN_OK : BLN_EINVAL);
        if (!fixed) CHECK_TEXT(report.text, "without priors");
        CHECK(!d == !fixed);
        bln_glm_density_free(d);
        joint_free(&t);
    }
}

SUITE_BEGIN(glm_density)
SUITE_TEST(glm_density, gradients)
SUITE_TEST(glm_density, every_allocation_may_fail)
SUITE_TEST(glm_density, definition)
SUITE_TEST(glm_density, draws_beside_the_exact_posterior)
SUITE_TEST(glm_density, names_and_errors)
SUITE_TEST(glm_density, where_it_is_not)
SUITE_TEST(glm_density, starts_without_weights)
SUITE_END(glm_density)
