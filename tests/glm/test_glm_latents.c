/* The generalised linear model of several latents: what nnet says of classes, gradients by differences, and what it is where the
 * latents can be told as one. */
#include "glm_tools.h"
#include "../golden/birthwt_golden.h"

enum { GLMLAT_ROWS = 24, GLMLAT_CASES = 4 };

/* ---- classes with flat priors are multinomial regression */

static bln_data glmlat_birthwt(double *X, double *y)
{
    bln_data data = BLN_ZERO;
    data.n = 189;
    data.d = 3;
    data.X = X;
    data.y = y;
    for (size_t i = 0; i < data.n; i++) {
        y[i] = golden_birthwt[i][0] - 1.0;
        memcpy(X + 3*i, golden_birthwt[i] + 1, 3*sizeof *X);
    }
    return data;
}

/* Its search leaves 2e-9; the standard errors are those of the Hessian at the same point. */
TEST(glm_latents, multinomial)
{
    static unsigned char bytes[20000];
    double X[3*189], y[189], flat[8], w[8], sd[8], p[3*189], again[3*189], log_likelihood = 0.0;
    const bln_data data = glmlat_birthwt(X, y);
    bln_basis *b = slm_parse("linear", 3, 0);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_categorical_reference(3));
    for (size_t k = 0; k < 8; k++) flat[k] = HUGE_VAL;
    desc.prior_var = flat;
    for (int map = 0; map < 2; map++) {
        desc.method = map ? bln_glm_map(NULL) : bln_glm_laplace();
        bln_glm *glm = glm_new(&desc);
        CHECK_FIT(glm, &data, NULL);
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), w, sd, 0, NULL, NULL, NULL, NULL));
        for (size_t k = 0; k < 8; k++) CHECK_NEAR(w[k], golden_multinom[k], 1e-7*fabs(golden_multinom[k]));
        for (size_t k = 0; k < 8 && !map; k++) CHECK_NEAR(sd[k], golden_multinom_se[k], 1e-6*golden_multinom_se[k]);
        CHECK_OK(bln_glm_predict(glm, &data, p, NULL, NULL, NULL, NULL));
        for (size_t i = 0; i < data.n; i++) CHECK_NEAR(p[3*i] + p[3*i + 1] + p[3*i + 2], 1.0, 1e-12);
        for (size_t i = 0; i < data.n && map; i++) log_likelihood += log(p[3*i + (size_t)y[i]]);
        bln_memory_stream to, from;                    /* a file keeps flat priors */
        const bln_load all = bln_builtin();
        bln_writer to_file = bln_memory_writer(&to, bytes, sizeof bytes);
        CHECK_OK(bln_glm_save(glm, &to_file));
        bln_glm_free(glm);
        bln_reader from_file = bln_memory_reader(&from, bytes, to.at, NULL);
        CHECK_OK(bln_glm_load(&all, &from_file, &glm));
        CHECK_OK(bln_glm_predict(glm, &data, again, NULL, NULL, NULL, NULL));
        for (size_t i = 0; i < 3*data.n; i++) CHECK(again[i] == p[i]);
        bln_glm_free(glm);
    }
    CHECK_NEAR(log_likelihood, golden_multinom_loglik, 1e-9);
    bln_basis_free(b);
}

/* ---- what all latents have in common is known to the prior alone */

static size_t glmlat_expected;                       /* rows of which an expectation was asked for */

static void glmlat_expect(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *m,
                          const double *v, size_t ld, double tolerance, double *value, double *dm, double *dv, double *dtheta,
                          size_t lddtheta)
{
    glmlat_expected += n;
    bln_likelihood_categorical(3).ops->latents->expect(l, theta, n, t, m, v, ld, tolerance, value, dm, dv, dtheta, lddtheta);
}

/* At the top sum_j m_j/lambda_j = 0. It takes 20 passes over the rows; a search that is not told that log p knows differences alone
 * gives up after 45, where sums of m_j are still up to 0.04 from it. */
TEST(glm_latents, common_shift)
{
    double X[3*189], y[189], w[12], prior_var[2] = { 1e4, 1e4 }, bound[2];
    const bln_data data = glmlat_birthwt(X, y);
    bln_basis *b = slm_parse("linear", 3, 0);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_categorical(3));
    bln_likelihood_ops ops = *desc.likelihood.ops;
    bln_latents_ops latents = *ops.latents;
    latents.expect = glmlat_expect;
    ops.latents = &latents;
    desc.likelihood.ops = &ops;
    desc.method = bln_glm_full(NULL);
    desc.prior_var = prior_var;
    desc.fix_prior_var = 1;
    for (int told = 0; told < 2; told++) {
        bln_glm *glm = glm_new(&desc);
        latents.differences = told;
        glmlat_expected = 0;
        CHECK_FIT(glm, &data, NULL);
        bound[told] = bln_glm_objective(glm);
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), w, NULL, 0, NULL, NULL, NULL, NULL));
        for (int i = 0; i < 4 && told; i++) CHECK_NEAR(w[i] + w[4 + i] + w[8 + i], 0.0, 1e-14);
        bln_glm_free(glm);
    }
    CHECK(glmlat_expected <= 30*data.n);
    CHECK(bound[1] >= bound[0]);
    bln_basis_free(b);
}

/* ---- models with weights, offsets, and bases of several kinds */

typedef struct glmlat_case {
    bln_basis *b, *other;
    const bln_basis *bases[2];
    double X[2*GLMLAT_ROWS], y[GLMLAT_ROWS], weight[GLMLAT_ROWS], offset[3*GLMLAT_ROWS];
    bln_data data;
    bln_glm_desc desc;
    size_t n_prior, n_theta;
} glmlat_case;

/* 0: three classes with one basis; 1: mean and scale with a basis each; 2: a reference class, and priors for each latent;
 * 3: classes with a basis that misses prior variance. */
static void glmlat_make(glmlat_case *c, int which)
{
    test_random r = test_random_new(31 + (uint64_t)which);
    memset(c, 0, sizeof *c);
    c->b = slm_parse(which == 3 ? "bias + inducing:m=4" : "linear + rbf:n=2,ard", 2, 3);
    c->other = slm_parse("bias + rbf:n=1", 2, 4);
    c->bases[0] = c->b;
    c->bases[1] = c->other;
    c->desc = glm_desc(c->b, which == 1 ? bln_likelihood_gaussian_scale()
                             : which == 2 ? bln_likelihood_categorical_reference(3) : bln_likelihood_categorical(3));
    if (which == 1) c->desc.bases = c->bases;
    c->desc.per_latent = which == 2;
    c->n_prior = which == 1 || which == 2 ? 4 : 2;
    c->n_theta = which == 1 ? 3 : c->b->n_theta;
    for (size_t i = 0; i < GLMLAT_ROWS; i++) {
        double *x = c->X + 2*i;
        x[0] = test_normal(&r);
        x[1] = test_normal(&r);
        c->y[i] = which == 1 ? sin(x[0]) + 0.3*test_normal(&r)*exp(x[1])
                             : (double)((x[0] + 0.7*test_normal(&r) > 0.0) + (x[1] + 0.3*test_normal(&r) > 0.3));
        c->weight[i] = i % 5 ? 1.0 + (double)(i % 3) : 0.0;
        for (size_t j = 0; j < 3; j++) c->offset[3*i + j] = 0.1*test_normal(&r);
    }
    c->data.n = GLMLAT_ROWS;
    c->data.d = 2;
    c->data.X = c->X;
    c->data.y = c->y;
    c->data.weight = c->weight;
    c->data.offset = c->offset;
    c->data.n_offset = which == 0 || which == 3 ? 3 : 1;
    c->data.ldoffset = 3;
}

static void glmlat_free(glmlat_case *c)
{
    bln_basis_free(c->b);
    bln_basis_free(c->other);
}

/* point: log prior variances, log theta, log eta. */
typedef struct glmlat_problem { const glmlat_case *c; bln_glm *glm; bln_glm_method method; } glmlat_problem;

static double glmlat_at(const glmlat_problem *p, const double *point, double *gradient)
{
    const size_t P = p->c->n_prior, T = p->c->n_theta;
    double value = 0.0, prior[4], theta[4] = { 1.0, 1.0, 1.0, 1.0 }, eta, d_prior[4], d_theta[4], d_eta = 0.0;
    for (size_t k = 0; k < P; k++) prior[k] = exp(point[k]);
    for (size_t k = 0; k < T; k++) theta[k] = exp(point[P + k]);
    eta = exp(point[P + T]);
    CHECK_OK(bln_glm_objective_at(p->glm, p->method, &p->c->data, prior, &eta, theta, &value, NULL, NULL,
                                  gradient ? d_prior : NULL, gradient ? &d_eta : NULL, gradient ? d_theta : NULL, NULL));
    if (!gradient) return value;
    for (size_t k = 0; k < P; k++) gradient[k] = d_prior[k];
    for (size_t k = 0; k < T; k++) gradient[P + k] = d_theta[k]*theta[k];
    gradient[P + T] = d_eta*eta;
    return value;
}

static double glmlat_value(const void *problem, const double *point)
{
    return glmlat_at((const glmlat_problem *)problem, point, NULL);
}

/* With narrow priors, for which expectations cost little. Differences of values that are right to 1e-10 (the search for q ends
 * 1e-17 from its top, the mode's decrement at 1e-12). */
TEST(glm_latents, gradients)
{
    for (int k = 0; k < 2*GLMLAT_CASES; k++) {
        static glmlat_case c;
        double point[9] = { -2.5, -2.2, -2.1, -2.3, 0.1, -0.2, 0.15, -0.7, 0.0 }, g[9];
        glmlat_problem p;
        glmlat_make(&c, k % GLMLAT_CASES);
        p.c = &c;
        p.method = k < GLMLAT_CASES ? bln_glm_laplace() : bln_glm_full(NULL);
        c.desc.block = k % 2 ? 7 : 0;
        c.desc.fix_theta = c.n_theta == 0;
        p.glm = glm_new(&c.desc);
        glmlat_at(&p, point, g);
        glm_check_gradient(glmlat_value, &p, c.n_prior + c.n_theta + c.desc.likelihood.n_theta, point, g, 9, 9, 2e-6);
        bln_glm_free(p.glm);
        glmlat_free(&c);
    }
}

/* ---- two classes are one latent: the difference, whose prior variance is twice that of each; of what is said of their sum nothing
 * depends on the data, so that the evidence is the same, and the bound */
static void glmlat_two_classes(glmlat_case *c, bln_glm_method method, double accuracy)
{
    const double prior[2] = { 0.7, 1.3 }, twice[2] = { 1.4, 2.6 }, theta[2] = { 0.9, 1.2 };
    double value[2] = { 0.0, 0.0 }, m[2][40], d[2][2], dt[2][2];
    for (int one = 0; one < 2; one++) {
        bln_glm_desc desc = glm_desc(c->b, one ? bln_likelihood_binomial(BLN_LINK_LOGIT) : bln_likelihood_categorical(2));
        bln_glm *glm = glm_new(&desc);
        CHECK_OK(bln_glm_objective_at(glm, method, &c->data, one ? twice : prior, NULL, theta, value + one, m[one], NULL, d[one],
                                      NULL, dt[one], NULL));
        bln_glm_free(glm);
    }
    CHECK_NEAR(value[0], value[1], accuracy*fabs(value[1]));
    for (size_t k = 0; k < c->b->D; k++) CHECK_NEAR(m[0][c->b->D + k] - m[0][k], m[1][k], 1e-7);
    for (size_t k = 0; k < 2; k++) CHECK_NEAR(d[0][k], d[1][k], 1e-7);
    for (size_t k = 0; k < 2; k++) CHECK_NEAR(dt[0][k], dt[1][k], 1e-7);
}

TEST(glm_latents, two_classes)
{
    static glmlat_case c;
    glmlat_make(&c, 0);
    for (size_t i = 0; i < GLMLAT_ROWS; i++) c.y[i] = c.y[i] > 0.0;
    c.data.offset = NULL;
    c.data.n_offset = 0;
    glmlat_two_classes(&c, bln_glm_laplace(), 1e-10);
    glmlat_two_classes(&c, bln_glm_full(NULL), 1e-9);
    glmlat_free(&c);
}

/* ---- the bound of three classes with a constant each, n_j rows: of the two differences to the last, whose covariances are
 * C_jk [j = k] + C_22 and prior lambda ([j = k] + 1), it is sum_j n_j E f_j - n E log(1 + e^d_0 + e^d_1) less their divergence */
static double glmlat_three(const double *n, double prior, const double *m, const double *v)
{
    enum { Q = 40 };
    const double c00 = v[0] + v[2], c11 = v[1] + v[2], c01 = v[2], det = c00*c11 - c01*c01;
    const double d0 = m[0] - m[2], d1 = m[1] - m[2], root = sqrt(c00), along = c01/root, rest = sqrt(det)/root;
    double z[Q], w[Q], sum = 0.0;
    CHECK_OK(blni_gauss_hermite(Q, z, w));
    for (int a = 0; a < Q; a++)
        for (int b = 0; b < Q; b++) sum += w[a]*w[b]*log(1.0 + exp(d0 + root*z[a]) + exp(d1 + along*z[a] + rest*z[b]));
    const double trace = (2.0*c00 + 2.0*c11 - 2.0*c01 + 2.0*(d0*d0 + d1*d1 - d0*d1))/(3.0*prior);
    return n[0]*d0 + n[1]*d1 - (n[0] + n[1] + n[2])*sum - 0.5*(trace - 2.0 + log(3.0*prior*prior/det));
}

TEST(glm_latents, three_classes)
{
    const double n[3] = { 6.0, 3.0, 1.0 }, prior = 4.0, one[3] = { 1.0, 1.0, 1.0 }, y[3] = { 0.0, 1.0, 2.0 };
    bln_basis *bias = slm_parse("bias", 1, 0);
    bln_glm_desc desc = glm_desc(bias, bln_likelihood_categorical(3));
    bln_glm *glm = glm_new(&desc);
    bln_data data = BLN_ZERO;
    double value, m[3], C[9];
    data.n = 3;
    data.d = 1;
    data.X = one;
    data.y = y;
    data.weight = n;
    CHECK_OK(bln_glm_objective_at(glm, bln_glm_full(NULL), &data, &prior, NULL, NULL, &value, m, C, NULL, NULL, NULL, NULL));
    double v[3] = { C[0], C[4], C[8] };
    CHECK_NEAR(value, glmlat_three(n, prior, m, v), 1e-9);
    for (int k = 0; k < 6; k++)                                                /* and it is the greatest */
        for (int sign = -1; sign <= 1; sign += 2) {
            double *x = k < 3 ? m + k : v + (k - 3), was = *x;
            *x += sign*1e-2;
            CHECK(glmlat_three(n, prior, m, v) < value - 1e-6);
            *x = was;
        }
    bln_glm_free(glm);
    bln_basis_free(bias);
}

/* A scale that may not move is a Gaussian likelihood. What it leaves of f_1, of variance 1e-10, moves log Z by about as much a row,
 * half of it n^2 1e-10/2 by its slope. */
TEST(glm_latents, constant_scale)
{
    const double prior[2] = { 0.7, 1.3 }, all[3] = { 0.7, 1.3, 1e-10 }, theta[2] = { 0.9, 1.2 }, sd = 0.6, variance = 0.36;
    static glmlat_case c;
    glmlat_make(&c, 1);
    bln_basis *bias = slm_parse("bias", 2, 0);
    c.bases[1] = bias;
    for (int full = 0; full < 2; full++) {
        double value[2] = { 0.0, 0.0 }, dp[2][3], de[2], dt[2][2];
        const bln_glm_method method = full ? bln_glm_full(NULL) : bln_glm_laplace();
        bln_glm_desc desc = glm_desc(c.b, bln_likelihood_gaussian());
        bln_glm *one = glm_new(&desc), *two = glm_new(&c.desc);
        CHECK_OK(bln_glm_objective_at(two, method, &c.data, all, &sd, theta, value, NULL, NULL, dp[0], de, dt[0], NULL));
        CHECK_OK(bln_glm_objective_at(one, method, &c.data, prior, &variance, theta, value + 1, NULL, NULL, dp[1], de + 1, dt[1],
                                      NULL));
        CHECK_NEAR(value[0], value[1], 1e-6);
        for (size_t k = 0; k < 2; k++) CHECK_NEAR(dp[0][k], dp[1][k], 1e-6);
        for (size_t k = 0; k < 2; k++) CHECK_NEAR(dt[0][k], dt[1][k], 1e-6);
        CHECK_NEAR(de[0], 2.0*sd*de[1], 1e-6);
        bln_glm_free(one);
        bln_glm_free(two);
    }
    bln_basis_free(bias);
    glmlat_free(&c);
}

/* ---- fits */

static bln_glm_method glmlat_method(int k)
{
    return k == 0 ? bln_glm_laplace() : k == 1 ? bln_glm_full(NULL) : bln_glm_map(NULL);
}

static void glmlat_same(const bln_glm *a, const bln_glm *b, const bln_data *data, double tolerance)
{
    double one[4][3*GLMLAT_ROWS] = { { 0.0 } }, two[4][3*GLMLAT_ROWS] = { { 0.0 } };
    for (int k = 0; k < 2; k++) {
        const bln_glm *glm = k ? b : a;
        double (*out)[3*GLMLAT_ROWS] = k ? two : one;
        CHECK_OK(bln_glm_predict(glm, data, out[0], out[1], out[2], NULL, NULL));
        CHECK_OK(bln_posterior_logdensities(bln_glm_posterior(glm), data, out[3], NULL, NULL));
    }
    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; i < 3*GLMLAT_ROWS; i++) CHECK_NEAR(one[k][i], two[k][i], tolerance*(1.0 + fabs(two[k][i])));
}

/* Blocks and sources only round otherwise: at the default tolerance objectives agree to 1e-6 of themselves, predictions to about
 * the root of that; with held hyper-parameters there is no search, and 1e-8 is left. A model from a file is the same to the bit. */
TEST(glm_latents, fits_blocks_and_files)
{
    static unsigned char bytes[200000];
    for (int k = 0; k < 3*GLMLAT_CASES; k++) {
        const double prior[4] = { 0.1, 0.15, 0.12, 0.08 };
        static glmlat_case c;
        bln_data_reader state;
        glmlat_make(&c, k % GLMLAT_CASES);
        const bln_source source = bln_source_of(&c.data, &state);
        c.desc.method = glmlat_method(k/GLMLAT_CASES);
        c.desc.max_iterations = 2;
        bln_glm *learnt = glm_new(&c.desc);
        CHECK_FIT(learnt, &c.data, NULL);
        c.desc.max_iterations = 0;
        CHECK(bln_glm_objective(learnt) == bln_glm_objective(learnt));
        c.desc.prior_var = prior;
        c.desc.fix_prior_var = c.desc.fix_theta = c.desc.fix_likelihood = 1;
        bln_glm *whole = glm_new(&c.desc);
        c.desc.block = 7;
        bln_glm *blocks = glm_new(&c.desc);
        CHECK_FIT(whole, &c.data, NULL);
        CHECK_OK(bln_glm_fit_source(blocks, &source, NULL));
        glmlat_same(whole, blocks, &c.data, 1e-7);
        for (int l = 0; l < 2; l++) {
            bln_memory_stream to, from;
            const bln_load all = bln_builtin();
            bln_glm *loaded = NULL;
            bln_writer w = bln_memory_writer(&to, bytes, sizeof bytes);
            CHECK_OK(bln_glm_save(l ? learnt : whole, &w));
            bln_reader r = bln_memory_reader(&from, bytes, to.at, NULL);
            CHECK_OK(bln_glm_load(&all, &r, &loaded));
            if (loaded) glmlat_same(l ? learnt : whole, loaded, &c.data, 0.0);
            bln_glm_free(loaded);
        }
        bln_glm_free(learnt);
        bln_glm_free(whole);
        bln_glm_free(blocks);
        glmlat_free(&c);
    }
}

/* By batches of half the rows, towards what all rows say: the bound within a nat, the mode's log p within a tenth. */
TEST(glm_latents, batches)
{
    for (int map = 0; map < 2; map++) {
        const double prior[2] = { 0.1, 0.15 };
        static glmlat_case c;
        double found[2];
        bln_glm_map_desc points = BLN_ZERO;
        bln_glm_full_desc full = BLN_ZERO;
        glmlat_make(&c, 0);
        c.desc.prior_var = prior;
        c.desc.fix_prior_var = c.desc.fix_theta = 1;
        for (int steps = 0; steps < 2; steps++) {
            points.steps.batch = full.steps.batch = steps ? GLMLAT_ROWS/2 : 0;
            c.desc.method = map ? bln_glm_map(&points) : bln_glm_full(&full);
            bln_glm *glm = glm_new(&c.desc);
            CHECK_FIT(glm, &c.data, NULL);
            found[steps] = bln_glm_objective(glm);
            bln_glm_free(glm);
        }
        CHECK_LE(found[1], found[0] + 1e-6);
        CHECK_LE(found[0] - found[1], map ? 0.1 : 1.0);
        glmlat_free(&c);
    }
}

/* ---- what is refused */

static void glmlat_refuses(const bln_glm_desc *desc, const char *reason)
{
    bln_glm *glm = NULL;
    bln_report report;
    CHECK_STATUS(bln_glm_create(desc, &glm, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, reason);
    CHECK(glm == NULL);
}

TEST(glm_latents, refusals)
{
    const double flat[2] = { HUGE_VAL, 1.0 };
    static glmlat_case c;
    bln_report report;
    glmlat_make(&c, 0);
    bln_glm_desc desc = c.desc;
    desc.method = bln_glm_mixture(NULL);
    glmlat_refuses(&desc, "one latent only");
    desc = c.desc;
    desc.prior_var = flat;
    glmlat_refuses(&desc, "need one for reference");
    desc = glm_desc(c.b, bln_likelihood_gaussian());
    desc.bases = c.bases;
    glmlat_refuses(&desc, "several latents");
    bln_basis *many = slm_parse("rbf:n=400", 2, 0);
    desc = glm_desc(many, bln_likelihood_categorical(3));
    desc.method = bln_glm_laplace();
    glmlat_refuses(&desc, "at most 2048 weights");
    bln_glm *glm = glm_new(&c.desc);
    c.data.n_offset = 2;
    CHECK_STATUS(bln_glm_fit(glm, &c.data, &report), BLN_ESHAPE);
    CHECK_TEXT(report.text, "offsets");
    c.data.n_offset = 3;
    c.y[11] = 3.0;
    CHECK_STATUS(bln_glm_fit(glm, &c.data, &report), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "number of classes");
    CHECK_SIZE(report.row, 11);
    bln_glm_free(glm);
    bln_basis_free(many);
    glmlat_free(&c);
}

/* Classes that a line separates have no maximum with flat priors. */
TEST(glm_latents, separated)
{
    const double flat[4] = { HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL };
    double x[12], y[12];
    bln_data data = BLN_ZERO;
    bln_report report;
    data.n = 12;
    data.d = 1;
    data.X = x;
    data.y = y;
    for (size_t i = 0; i < 12; i++) {
        x[i] = (double)i;
        y[i] = (double)(i/4);
    }
    bln_basis *b = slm_parse("linear", 1, 0);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_categorical_reference(3));
    desc.prior_var = flat;
    for (int map = 0; map < 2; map++) {
        desc.method = map ? bln_glm_map(NULL) : bln_glm_laplace();
        bln_glm *glm = glm_new(&desc);
        CHECK_STATUS(bln_glm_fit(glm, &data, &report), BLN_EUNDEFINED);
        CHECK_TEXT(report.text, "separable classes");
        bln_glm_free(glm);
    }
    bln_basis_free(b);
}

/* Of rows that lie exactly on the mean the noise has no lower limit: 12 rows on a line, with and without flat priors, and a sine by
 * ten bumps, where it depends on rounding whether the search for the bound's top ends before the noise does. A line with noise of
 * 1e-6 is fitted, and so is the first line with a least noise, which has a prior. */
TEST(glm_latents, noise_without_limit)
{
    const double flat[4] = { HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL };
    double x[30], y[30];
    bln_data data = BLN_ZERO;
    bln_report report;
    bln_basis *line = slm_parse("linear", 1, 0), *bumps = slm_parse("rbf:n=10+linear", 1, 0);
    data.d = 1;
    data.X = x;
    data.y = y;
    for (int way = 0; way < 7; way++) {
        const int noisy = way == 5, sine = way == 3, least = way == 6;
        data.n = sine || noisy ? 30 : 12;
        for (size_t i = 0; i < data.n; i++) {
            x[i] = sine ? 0.3*(double)i - 4.0 : (double)i - 5.5;
            y[i] = sine ? sin(x[i]) : 2.0*x[i] + 1.0 + (noisy ? 1e-6*sin(7.0*(double)(i*i)) : 0.0);
        }
        const bln_likelihood l = least ? bln_likelihood_heteroscedastic() : bln_likelihood_gaussian_scale();
        bln_glm_desc desc = glm_desc(sine ? bumps : line, l);
        desc.method = way == 0 || way == 5 || way == 4 ? bln_glm_laplace() : way == 2 ? bln_glm_map(NULL) : bln_glm_full(NULL);
        if (way == 2 || way == 4) desc.prior_var = flat;
        bln_glm *glm = glm_new(&desc);
        const bln_status status = bln_glm_fit(glm, &data, &report);
        if (!sine || status != BLN_OK) CHECK_STATUS(status, noisy || least ? BLN_OK : BLN_EUNDEFINED);
        CHECK_TEXT(report.text, status == BLN_OK ? "" : way == 2 || way == 4 ? "goes to nothing" : "has no limit");
        bln_glm_free(glm);
    }
    bln_basis_free(line);
    bln_basis_free(bumps);
}

/* Likelihoods that some methods cannot take; parameters of the first of two bases, or of the second, outside their domain. */
TEST(glm_latents, parts_that_are_missing)
{
    static glmlat_case c;
    double theta[3] = { 1.0, 1.0, 1.0 };
    glmlat_make(&c, 1);
    bln_glm_desc desc = c.desc;
    bln_likelihood_ops ops = *desc.likelihood.ops;
    bln_latents_ops latents = *ops.latents;
    ops.latents = &latents;
    desc.likelihood.ops = &ops;
    latents.expect = NULL;
    desc.method = bln_glm_full(NULL);
    glmlat_refuses(&desc, "no expectations for the method full");
    latents.curve = NULL;
    desc.method = bln_glm_laplace();
    glmlat_refuses(&desc, "no curve for Laplace's method");
    desc.method = bln_glm_map(NULL);
    CHECK(bln_glm_check(&desc) == NULL);
    desc = c.desc;
    desc.theta = theta;
    CHECK(bln_glm_check(&desc) == NULL);
    for (size_t k = 0; k < 3; k += 2) {
        theta[k] = -1.0;
        glmlat_refuses(&desc, "theta outside its domain");
        theta[k] = 1.0;
    }
    glmlat_free(&c);
}

SUITE_BEGIN(glm_latents)
SUITE_TEST(glm_latents, multinomial)
SUITE_TEST(glm_latents, common_shift)
SUITE_TEST(glm_latents, gradients)
SUITE_TEST(glm_latents, two_classes)
SUITE_TEST(glm_latents, three_classes)
SUITE_TEST(glm_latents, constant_scale)
SUITE_TEST(glm_latents, fits_blocks_and_files)
SUITE_TEST(glm_latents, batches)
SUITE_TEST(glm_latents, refusals)
SUITE_TEST(glm_latents, separated)
SUITE_TEST(glm_latents, noise_without_limit)
SUITE_TEST(glm_latents, parts_that_are_missing)
SUITE_END(glm_latents)
