/* The generalised linear model keeps its word: targets of data that it could have made are where it expects them; and data that
 * have nothing to say, or say it too loudly, give figures or a reason. */
#include "glm_tools.h"
#include "../likelihood/likelihood_tools.h"

enum { GLM_CALIBRATION_N = 4 };

/* Rows of one input in -1.5 .. 1.5, one at 3, and their targets under f = w0 + w1 x (D = 2) or w0 (D = 1), w ~ N(0, lambda). */
typedef struct glm_calibration_set {
    double X[GLM_CALIBRATION_N + 1], y[GLM_CALIBRATION_N + 1], other[GLM_CALIBRATION_N + 1];
} glm_calibration_set;

static bln_data glm_calibration_draw(const likelihood_case *c, size_t D, double lambda, bln_rng *rng, glm_calibration_set *s)
{
    const bln_likelihood l = likelihood_named(c->name);
    double w[2], f[GLM_CALIBRATION_N + 1];
    bln_data data = BLN_ZERO;
    bln_targets t = BLN_ZERO;
    for (size_t j = 0; j < 2; j++) w[j] = j < D ? sqrt(lambda)*bln_rng_normal(rng) : 0.0;
    for (size_t i = 0; i <= GLM_CALIBRATION_N; i++) {
        s->X[i] = i < GLM_CALIBRATION_N ? 3.0*bln_rng_uniform(rng) - 1.5 : 3.0;
        s->other[i] = 1.0 + floor(5.0*bln_rng_uniform(rng));
        f[i] = w[0] + w[1]*s->X[i];
    }
    data.n = GLM_CALIBRATION_N + 1;
    data.d = 1;
    data.X = s->X;
    data.y = s->y;
    if (!l.ops->discrete) data.noise_var = s->other;
    else if (strcmp(c->name, "ordinal")) data.trials = s->other;
    t.trials = data.trials;
    t.noise_var = data.noise_var;
    bln_likelihood_draw(&l, c->theta, data.n, &t, f, rng, s->y);
    return data;
}

/* Few nodes, for speed, but where there is a closed form. */
static size_t glm_calibration_nodes(const likelihood_case *c, glm_way way)
{
    return way == GLM_LAPLACE || !strcmp(c->name, "gaussian") || strstr(c->name, "laplace") ? 0 : 16;
}

/* Draws data and one row more, twice as far out, `runs` times, w from the prior that the model has: then the row's transform u is
 * uniform, whatever was learnt. sqrt(runs) times the distance of Kolmogorov and Smirnov stays below 2.6 (goodness.h), the mean of
 * u, and that of 12 (u - 1/2)^2, whose variance is 144/80 - 1, within 5 standard deviations: 5 sigma all. Posteriors are
 * approximate, with 4 rows for 2 weights, which moves these by half a sigma or so; without the variance of the weights the last is
 * off by 14. */
static void glm_calibration_check(const likelihood_case *c, glm_way way, size_t D, size_t runs)
{
    const double lambda = 2.0;
    const bln_likelihood l = likelihood_named(c->name);
    double *u = test_doubles(runs), mean = 0.0, spread = 0.0;
    bln_basis *b = NULL;
    bln_rng rng;
    if (D == 1) CHECK_OK(bln_bias_create(NULL, &b));
    else CHECK_OK(bln_linear_create(NULL, 1, 1, &b));
    bln_glm_desc desc = glm_desc(b, l);
    glm_options options = glm_no_options();
    options.nodes = glm_calibration_nodes(c, way);
    desc.method = glm_by(way, &options);
    desc.prior_var = &lambda;
    desc.likelihood_theta = l.n_theta ? c->theta : NULL;
    desc.fix_prior_var = desc.fix_likelihood = 1;
    bln_glm *glm = glm_new(&desc);
    bln_rng_seed(&rng, 17, (uint64_t)way);
    for (size_t r = 0; r < runs; r++) {
        glm_calibration_set set;
        const bln_data all = glm_calibration_draw(c, D, lambda, &rng, &set);
        const bln_data data = bln_data_rows(&all, 0, GLM_CALIBRATION_N), held_out = bln_data_rows(&all, GLM_CALIBRATION_N, 1);
        CHECK_FIT(glm, &data, NULL);
        CHECK_OK(bln_posterior_pits(bln_glm_posterior(glm), &held_out, r, u + r, NULL, NULL));
    }
    for (size_t r = 0; r < runs; r++) {
        mean += (u[r] - 0.5)*sqrt(12.0/(double)runs);
        spread += (12.0*(u[r] - 0.5)*(u[r] - 0.5) - 1.0)/sqrt(0.8*(double)runs);
    }
    const double distance = goodness_kolmogorov(runs, u, likelihood_identity, 0.0, 0.0);
    likelihood_near(distance, 0.0, 2.6, "distance of PIT", c->name, (double)way, (double)D);
    likelihood_near(mean, 0.0, 5.0, "mean of PIT", c->name, (double)way, (double)D);
    likelihood_near(spread, 0.0, 5.0, "variance of PIT", c->name, (double)way, (double)D);
    bln_glm_free(glm);
    bln_basis_free(b);
    free(u);
}

/* Mixtures of Gaussians without correlations: only of one weight are they right to expect. The Laplace likelihood has no curvature
 * for Laplace's method. */
TEST(glm_calibration, transforms_are_uniform)
{
    for (size_t c = 0; c < LIKELIHOOD_CASES; c += TEST_MANY(1, 3)) {
        if (!strstr(likelihood_cases[c].name, "laplace")) glm_calibration_check(likelihood_cases + c, GLM_LAPLACE, 2, 200);
        glm_calibration_check(likelihood_cases + c, GLM_FULL, 2, 100);
        glm_calibration_check(likelihood_cases + c, GLM_MIXTURE, 1, 100);
    }
}

/* Data that say too much or too little: classes that x separates, one class only, counts that are all 0, one row, two, rows that
 * are all the same, one far off, weights of 0 but for one, an input that is 0 in all rows, inputs of 1e6; and known parts of f of
 * +-800. With everything to learn, and with a wide prior that is held. A fit gives figures that are numbers, infinite only where
 * the declarations say so, or its status is one that says why. */
enum { GLM_CALIBRATION_ROWS = 8 };
static const double glm_calibration_x[GLM_CALIBRATION_ROWS] = { -2, -1, -0.5, 0.5, 1, 2, 3, 3 };
static const struct { const char *what; double y[GLM_CALIBRATION_ROWS]; } glm_calibration_targets[] = {
    { "separated", { 0, 0, 0, 1, 1, 1, 1, 1 } }, { "zeros", { 0, 0, 0, 0, 0, 0, 0, 0 } }, { "ones", { 1, 1, 1, 1, 1, 1, 1, 1 } },
    { "far off", { 0, 1, 0, 1, 1, 0, 1, 1e6 } } };
static const struct { const char *what; double offset, weight, scale; size_t n, d; } glm_calibration_ways[] = {
    { "plain",      0.0, 1.0, 1.0, GLM_CALIBRATION_ROWS, 1 }, { "one weight", 0.0, 0.0, 1.0, GLM_CALIBRATION_ROWS, 1 },
    { "one row",    0.0, 1.0, 1.0, 1, 1 },                    { "f = 800",  800.0, 1.0, 1.0, GLM_CALIBRATION_ROWS, 1 },
    { "f = -800", -800.0, 1.0, 1.0, GLM_CALIBRATION_ROWS, 1 }, { "two rows",  0.0, 1.0, 1.0, 2, 1 },
    { "nothing",    0.0, 1.0, 1.0, GLM_CALIBRATION_ROWS, 2 }, { "huge",       0.0, 1.0, 1e6, GLM_CALIBRATION_ROWS, 1 } };

/* log E e^(k f), f ~ N(m, v), at which that of a log link is beyond a double (log of which is 709.8), and what stands before it. */
static int glm_calibration_beyond(const likelihood_case *c, double m, double v, double k)
{
    const int log_link = !strcmp(c->name, "poisson_log") || !strcmp(c->name, "negative_binomial")
                       || !strcmp(c->name, "zero_inflated_poisson");
    return log_link && k*(m + 0.5*k*v) > 690.0;
}

/* Is it a number, and one that may be infinite only if `beyond`? */
static void glm_calibration_number(double value, int beyond, const char *figure, const char *what, size_t i)
{
    likelihood_near(blni_finite(value) || (beyond && value == HUGE_VAL), 1.0, 0.0, figure, what, (double)i, value);
}

/* Figures at the rows, without their offset too. */
static void glm_calibration_figures(const likelihood_case *c, const bln_glm *glm, bln_data data, const char *what)
{
    double m[2], v[2], mean[2], model[2], noise[2], density[2], lower[2], upper[2], quantile[2], far[2] = { 9007199254740992.0, 0 };
    const double p90 = 0.9;
    const int ways = data.offset[0] != 0.0 ? 2 : 1, student = !strcmp(c->name, "student_t");
    const double *eta = bln_glm_likelihood_theta(glm);
    far[1] = far[0];
    data.n = data.n < 2 ? data.n : 2;
    for (int plain = 0; plain < ways; plain++) {
        if (plain) data.offset = NULL;
        CHECK_OK(bln_posterior_latent(bln_glm_posterior(glm), &data, m, v, NULL, NULL));
        CHECK_OK(bln_glm_predict(glm, &data, mean, model, noise, NULL, NULL));
        CHECK_OK(bln_posterior_logdensities(bln_glm_posterior(glm), &data, density, NULL, NULL));
        CHECK_OK(bln_posterior_cdfs(bln_glm_posterior(glm), &data, lower, upper, NULL, NULL));
        for (size_t i = 0; i < data.n; i++) {
            glm_calibration_number(m[i], 0, "mean of f", what, i);
            glm_calibration_number(v[i], 0, "variance of f", what, i);
            glm_calibration_number(mean[i], glm_calibration_beyond(c, m[i], v[i], 1.0), "mean", what, i);
            glm_calibration_number(model[i], glm_calibration_beyond(c, m[i], v[i], 2.0), "variance of the mean", what, i);
            glm_calibration_number(noise[i], student ? eta[1] <= 2.0 : glm_calibration_beyond(c, m[i], v[i], 2.0), "noise", what,
                                   i);
            glm_calibration_number(-density[i], fabs(m[i]) > 300.0, "log p", what, i);
            likelihood_near(lower[i] + upper[i], 1.0, 1e-9, "distribution function", what, (double)i, lower[i]);
        }
        data.n = 1;
        CHECK_OK(bln_posterior_quantiles(bln_glm_posterior(glm), &data, BLN_OF_Y, 1, &p90, quantile, NULL, NULL));
        const double *y = data.y;
        data.y = far;
        if (!(quantile[0] < far[0])) CHECK_OK(bln_posterior_cdfs(bln_glm_posterior(glm), &data, lower, NULL, NULL, NULL));
        glm_calibration_number(quantile[0], lower[0] < 0.9, "quantile", what, 0);
        data.y = y;
    }
}

static void glm_calibration_extreme(const likelihood_case *c, glm_way by, size_t batch, size_t way,
                                    size_t target, int held)
{
    const double wide = 100.0;
    double X[2*GLM_CALIBRATION_ROWS], y[GLM_CALIBRATION_ROWS], offset[GLM_CALIBRATION_ROWS], weight[GLM_CALIBRATION_ROWS];
    const size_t d = glm_calibration_ways[way].d;
    const bln_likelihood l = likelihood_named(c->name);
    bln_basis *b = NULL;
    bln_data data = BLN_ZERO;
    bln_report report;
    char what[120];
    for (size_t i = 0; i < GLM_CALIBRATION_ROWS; i++) {
        X[2*i] = glm_calibration_ways[way].scale*glm_calibration_x[i];
        X[2*i + 1] = 0.0;
        y[i] = glm_calibration_targets[target].y[i];
        offset[i] = glm_calibration_ways[way].offset;
        weight[i] = i == 5 ? 1.0 : glm_calibration_ways[way].weight;
    }
    if (y[7] > 1.0 && (l.ops->support && !strncmp(c->name, "binomial", 8))) y[7] = 1.0;
    if (y[7] > 3.0 && !strcmp(c->name, "ordinal")) y[7] = 3.0;
    data.n = glm_calibration_ways[way].n;
    data.d = d;
    data.X = X;
    data.ldx = 2;
    data.y = y;
    data.offset = offset;
    data.weight = weight;
    CHECK_OK(bln_linear_create(NULL, d, 1, &b));
    bln_glm_desc desc = glm_desc(b, l);
    glm_options options = glm_no_options();
    options.steps.batch = batch;
    options.nodes = glm_calibration_nodes(c, by);
    desc.method = glm_by(by, &options);
    desc.max_iterations = 8;
    if (held) {
        desc.prior_var = &wide;
        desc.likelihood_theta = l.n_theta ? c->theta : NULL;
        desc.fix_prior_var = desc.fix_likelihood = 1;
    }
    bln_glm *glm = glm_new(&desc);
    const bln_status status = bln_glm_fit(glm, &data, &report);
    snprintf(what, sizeof what, "%s, %s, %s, by %s, held %d", c->name, glm_calibration_targets[target].what,
             glm_calibration_ways[way].what, glm_way_names[by], held);
    if (status != BLN_OK) {
        CHECK(status == BLN_ENUMERIC || status == BLN_EUNDEFINED);
        CHECK_TEXT(report.text, batch ? ": " : "glm: ");                 /* or of sgd: no gradient is finite */
    } else {
        CHECK(blni_finite(bln_glm_objective(glm)));
        glm_calibration_figures(c, glm, data, what);
    }
    bln_glm_free(glm);
    bln_basis_free(b);
}

TEST(glm_calibration, extremes)
{
    for (size_t c = 0; c < LIKELIHOOD_CASES; c += TEST_MANY(1, 4))
        for (int k = 0; k <= GLM_FULL; k++) {
            const likelihood_case *l = likelihood_cases + c;
            const glm_way by = (glm_way)k;
            for (size_t target = 0; target < 4; target++) glm_calibration_extreme(l, by, 0, 0, target, 0);
            for (size_t way = 1; way < 3; way++) glm_calibration_extreme(l, by, 0, way, 2, 0);
            for (size_t way = 3; way < 5; way++)
                for (size_t target = 1; target < 3; target++) glm_calibration_extreme(l, by, 0, way, target, 1);
            glm_calibration_extreme(l, by, 0, 0, 0, 1);
            glm_calibration_extreme(l, by, 0, 0, 1, 1);
            for (size_t way = 5; way < 8; way++)
                for (int held = 0; held < 2; held++) glm_calibration_extreme(l, by, 0, way, 3, held);
        }
}

/* The ways that are for comparison, and those by batches. */
TEST(glm_calibration, extremes_of_other_ways)
{
    static const struct { glm_way by; size_t batch; } others[] = {
        { GLM_MAP, 0 }, { GLM_NPV, 0 }, { GLM_SGVI, 3 }, { GLM_MIXTURE, 3 }, { GLM_FULL, 3 },
        { GLM_MAP, 3 }, { GLM_NPV, 3 } };
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++)
        for (size_t k = 0; k < sizeof others/sizeof *others; k++) {
            for (size_t target = 0; target < 4; target++)
                glm_calibration_extreme(likelihood_cases + c, others[k].by, others[k].batch, 0, target, 0);
            glm_calibration_extreme(likelihood_cases + c, others[k].by, others[k].batch, 0, 1, 1);
            for (size_t way = 1; way < 8; way++)
                glm_calibration_extreme(likelihood_cases + c, others[k].by, others[k].batch, way, way < 5 ? 2 : 3, way > 2);
        }
}

SUITE_BEGIN(glm_calibration)
SUITE_TEST(glm_calibration, transforms_are_uniform)
SUITE_TEST(glm_calibration, extremes)
SUITE_TEST(glm_calibration, extremes_of_other_ways)
SUITE_END(glm_calibration)
