/* Hyper-parameters integrated: against dense rules, over the objective of `full` where that is exact, for a normal y, or over the
 * weights themselves; leaving out; stops and refusals. */
#include "glm_tools.h"

enum { NODES_ROWS = 9 };
static const double nodes_x[NODES_ROWS] = { -1.6, -1.1, -0.7, -0.3, 0.1, 0.4, 0.9, 1.3, 1.7 };
static const double nodes_real[NODES_ROWS] = { -1.2, -1.9, 0.1, -0.4, 0.9, 0.2, 1.8, 0.7, 2.6 };
static const double nodes_binary[NODES_ROWS] = { 0, 0, 1, 0, 0, 1, 1, 1, 1 };

/* Moments of the two weights and of f at x = 2, and the integral, over a rule. */
typedef struct nodes_sums { double z, m[3], square[3]; } nodes_sums;

static void nodes_add(nodes_sums *s, double weight, const double *m, const double *C)
{
    const double f = m[0] + 2.0*m[1], v = C[0] + 4.0*C[1] + 4.0*C[3];
    s->z += weight;
    for (size_t j = 0; j < 2; j++) { s->m[j] += weight*m[j]; s->square[j] += weight*(m[j]*m[j] + C[3*j]); }
    s->m[2] += weight*f;
    s->square[2] += weight*(f*f + v);
}

/* 2 t_3(sd/scale)/scale, the density of an sd, and that of x = sd^2 in log x: times sd/2. */
static double nodes_prior(double log_x, double scale)
{
    const double sd = exp(0.5*log_x), t = 1.0 + sd*sd/(3.0*scale*scale);
    return 2.0*0.36755259694786137/(t*t)/scale*0.5*sd;
}

/* By trapezoids in log x, from e^-12 to e^9: the tails beyond are below 1e-3 of the whole, for the density of log x falls as
 * sd = e^-6 to the left and at least as sd^-3 = e^-13 to the right. Prior variance alone, or with the noise variance. */
static nodes_sums nodes_dense(const bln_glm *glm, const bln_data *data, double unit_f, double unit_y)
{
    const int noise = unit_y > 0.0;
    const double step = 0.25;
    nodes_sums sum = BLN_ZERO;
    for (double a = -12.0; a < 9.0; a += step)
        for (double b = noise ? -9.0 : 0.0; b < (noise ? 6.0 : 0.1); b += step) {
            const double lambda = exp(a), eta = exp(b);
            double value = 0.0, m[2], C[4];
            CHECK_OK(bln_glm_objective_at(glm, bln_glm_full(NULL), data, &lambda, &eta, NULL, &value, m, C, NULL, NULL, NULL,
                                          NULL));
            const double p = exp(value)*nodes_prior(a, 2.5*unit_f)*(noise ? nodes_prior(b, 2.5*unit_y)*step : 1.0)*step;
            nodes_add(&sum, p, m, C);
        }
    return sum;
}

static double nodes_logistic_at(const double *w)
{
    double log_p = 0.0;
    for (size_t i = 0; i < NODES_ROWS; i++) {
        const double f = (nodes_binary[i] > 0.0 ? 1.0 : -1.0)*(w[0] + w[1]*nodes_x[i]);
        log_p -= f < 0.0 ? log1p(exp(f)) - f : log1p(exp(-f));
    }
    return log_p;
}

/* The logistic model itself: trapezoids in log lambda, and in t of both weights, w = c sinh t, c = 2 or the prior's sd if less. */
static nodes_sums nodes_logistic(double unit_f)
{
    const double none[4] = { 0 }, step = 0.1;
    nodes_sums sum = BLN_ZERO;
    for (double a = -12.0; a < 9.0; a += 0.5) {
        const double lambda = exp(a), c = fmin(2.0, sqrt(lambda));
        const double p = nodes_prior(a, 2.5*unit_f)*0.5/(6.283185307179586*lambda)*step*step*c*c;
        for (double t0 = -4.5; t0 < 4.5; t0 += step)
            for (double t1 = -4.5; t1 < 4.5; t1 += step) {
                const double w[2] = { c*sinh(t0), c*sinh(t1) }, square = 0.5*(w[0]*w[0] + w[1]*w[1])/lambda;
                if (square < 40.0) nodes_add(&sum, p*cosh(t0)*cosh(t1)*exp(nodes_logistic_at(w) - square), w, none);
            }
    }
    return sum;
}

/* The lattice ends e^-8 below the mode, and nodes of weight below 1e-4 are dropped: of some forty in all. That takes less than 1 %
 * of the weight, at the ends, where w differs by up to 3 sd from its mean: hundredths of an sd, and a few per cent of the sd.
 * The Gaussians of a logistic model with nine rows are 6 % narrower than what they stand for; of the 0.028 that their bounds miss a
 * seventh is left. */
static void nodes_check(const bln_glm *glm, const nodes_sums *want, double narrow)
{
    const double at = 2.0;
    const bln_data there = slm_view(1, 1, &at, NULL);
    double mean[3], sd[3], var;
    CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), mean, sd, 0, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_posterior_latent(bln_glm_posterior(glm), &there, mean + 2, &var, NULL, NULL));
    sd[2] = sqrt(var);
    for (size_t j = 0; j < 3; j++) {
        const double m = want->m[j]/want->z, s = sqrt(want->square[j]/want->z - m*m);
        CHECK_NEAR(mean[j], m, 0.02*s);
        CHECK_NEAR(sd[j], (1.0 - narrow)*s, 0.02*s);
    }
    CHECK_NEAR(bln_glm_objective(glm), log(want->z), 5e-3);
}

static double nodes_sd(const double *y, size_t n)
{
    double mean = 0.0, square = 0.0;
    for (size_t i = 0; i < n; i++) mean += y[i]/(double)n;
    for (size_t i = 0; i < n; i++) square += (y[i] - mean)*(y[i] - mean)/(double)n;
    return sqrt(square);
}

TEST(glm_integrated, lattice)
{
    bln_basis *b = slm_parse("linear", 1, 0);
    double square = 0.0;
    for (size_t i = 0; i < NODES_ROWS; i++) square += (1.0 + nodes_x[i]*nodes_x[i])/(2.0*NODES_ROWS);
    for (int real = 0; real < 2; real++) {
        const double *y = real ? nodes_real : nodes_binary, unit = real ? nodes_sd(y, NODES_ROWS) : 1.0;
        const bln_data data = slm_view(NODES_ROWS, 1, nodes_x, y);
        bln_glm_desc desc = glm_desc(b, real ? bln_likelihood_gaussian() : bln_likelihood_binomial(BLN_LINK_LOGIT));
        desc.method = bln_glm_integrated(NULL);
        bln_glm *glm = glm_new(&desc);
        CHECK_FIT(glm, &data, NULL);
        const nodes_sums want = real ? nodes_dense(glm, &data, unit/sqrt(square), unit) : nodes_logistic(1.0/sqrt(square));
        nodes_check(glm, &want, real ? 0.0 : 0.05);
        bln_glm_free(glm);
    }
    bln_basis_free(b);
}

/* Three coordinates: two prior variances and the noise. The mean of the integral over seeds is that of a dense rule (importance
 * weights are unbiased but for their cut, which only lowers it), within five standard errors of the mean and the 1e-2 that the cut
 * and the dense rule's spacing may take; f is right to that of a few dozen even points, 0.2 sd. */
TEST(glm_integrated, quasi_random)
{
    enum { SEEDS = 12 };
    bln_basis *b = slm_parse("bias + linear", 1, 1);
    const bln_data data = slm_view(NODES_ROWS, 1, nodes_x, nodes_real);
    const double at = 2.0, unit = nodes_sd(nodes_real, NODES_ROWS), step = 0.6;
    const bln_data there = slm_view(1, 1, &at, NULL);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_gaussian());
    double square = 0.0, z = 0.0, f = 0.0, ff = 0.0, sum = 0.0, squares = 0.0;
    desc.method = bln_glm_integrated(NULL);
    CHECK_SIZE(b->n_slices, 2);
    for (size_t i = 0; i < NODES_ROWS; i++) square += (1.0 + nodes_x[i]*nodes_x[i])/(2.0*NODES_ROWS);
    bln_glm *glm = glm_new(&desc);
    for (double v0 = -12.0; v0 < 9.0; v0 += step)
        for (double v1 = -12.0; v1 < 9.0; v1 += step)
            for (double noise = -5.0; noise < 5.0; noise += step) {
                const double lambda[2] = { exp(v0), exp(v1) }, eta = exp(noise), phi[3] = { 1.0, 1.0, 2.0 };
                double value = 0.0, m[3], C[9], mean = 0.0, var = 0.0;
                CHECK_OK(bln_glm_objective_at(glm, bln_glm_full(NULL), &data, lambda, &eta, NULL, &value, m, C, NULL, NULL, NULL,
                                              NULL));
                for (size_t j = 0; j < 3; j++) {
                    mean += phi[j]*m[j];
                    for (size_t k = j; k < 3; k++) var += (k == j ? 1.0 : 2.0)*phi[j]*phi[k]*C[3*j + k];
                }
                const double p = exp(value)*nodes_prior(v0, 2.5*unit)*nodes_prior(v1, 2.5*unit/sqrt(square))
                               * nodes_prior(noise, 2.5*unit);
                z += p;
                f += p*mean;
                ff += p*(mean*mean + var);
            }
    f /= z;
    const double sd = sqrt(ff/z - f*f);
    z *= step*step*step;
    bln_glm_free(glm);
    for (size_t s = 0; s < SEEDS; s++) {
        double mean, var;
        desc.seed = s;
        glm = glm_new(&desc);
        CHECK_FIT(glm, &data, NULL);
        CHECK_OK(bln_posterior_latent(bln_glm_posterior(glm), &there, &mean, &var, NULL, NULL));
        CHECK_NEAR(mean, f, 0.2*sd);
        CHECK_NEAR(sqrt(var), sd, 0.2*sd);
        const double ratio = exp(bln_glm_objective(glm))/z;
        sum += ratio/SEEDS;
        squares += ratio*ratio/SEEDS;
        bln_glm_free(glm);
    }
    CHECK_NEAR(sum, 1.0, 1e-2 + 5.0*sqrt((squares - sum*sum)/(SEEDS - 1)));
    bln_basis_free(b);
}

/* A row that is left out changes the weights of the nodes too: as a fit without it. Between these the units of the priors, sd(y)
 * and the mean square of the features, differ by a tenth, which log p feels by a few hundredths. */
TEST(glm_integrated, leaving_out)
{
    bln_basis *b = slm_parse("linear", 1, 0);
    const bln_data data = slm_view(NODES_ROWS, 1, nodes_x, nodes_real);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_gaussian());
    double left[NODES_ROWS], x[NODES_ROWS], y[NODES_ROWS];
    bln_loo_outputs out = BLN_ZERO;
    out.logdensity = left;
    desc.method = bln_glm_integrated(NULL);
    bln_glm *glm = glm_new(&desc);
    CHECK_FIT(glm, &data, NULL);
    CHECK_OK(bln_posterior_loo(bln_glm_posterior(glm), &data, NULL, &out, NULL));
    for (size_t i = 0; i < NODES_ROWS; i++) {
        const bln_data others = slm_view(NODES_ROWS - 1, 1, x, y), one = slm_view(1, 1, nodes_x + i, nodes_real + i);
        double refitted;
        for (size_t k = 0, to = 0; k < NODES_ROWS; k++) if (k != i) { x[to] = nodes_x[k]; y[to++] = nodes_real[k]; }
        CHECK_FIT(glm, &others, NULL);
        CHECK_OK(bln_posterior_logdensities(bln_glm_posterior(glm), &one, &refitted, NULL, NULL));
        CHECK_NEAR(left[i], refitted, 0.05);
    }
    bln_glm_free(glm);
    bln_basis_free(b);
}

/* Stopped after any number of steps, in each stage, there is a posterior that can be asked; the whole fit has one group for each
 * node where theta is integrated too, and with nothing to integrate it is that of full. */
TEST(glm_integrated, stages)
{
    bln_basis *b = slm_parse("rbf:n=3", 1, 0);
    const bln_data data = slm_view(NODES_ROWS, 1, nodes_x, nodes_real);
    const double prior_var = 1.5, noise = 0.4;
    bln_glm_desc desc = glm_desc(b, bln_likelihood_gaussian());
    double mean[NODES_ROWS], first[NODES_ROWS], sd[6];
    desc.method = bln_glm_integrated(NULL);
    bln_glm *glm = glm_new(&desc);
    int stages[4] = { 0, 0, 0, 0 }, whole = 0;
    for (size_t steps = 0; !whole; steps++) {
        CHECK_OK(bln_glm_init(glm, &data, NULL));
        for (size_t i = 0; i < steps && !bln_glm_converged(glm); i++) CHECK_OK(bln_glm_step(glm, NULL));
        whole = bln_glm_converged(glm);
        stages[((const blni_nodes *)glm->fit->state)->stage]++;
        CHECK_OK(bln_glm_finish(glm, NULL));
        CHECK_OK(bln_posterior_check(bln_glm_posterior(glm), NULL));
        CHECK_OK(bln_glm_predict(glm, &data, mean, NULL, NULL, NULL, NULL));
    }
    for (size_t i = 0; i < 4; i++) CHECK(stages[i] > 0);
    CHECK(bln_glm_posterior(glm)->n_groups > 20 && bln_glm_posterior(glm)->n_groups <= 64);
    CHECK_STATUS(bln_posterior_coefficients(bln_glm_posterior(glm), NULL, sd, 0, NULL, NULL, NULL, NULL), BLN_EUNDEFINED);
    bln_glm_free(glm);
    desc.prior_var = &prior_var;
    desc.likelihood_theta = &noise;
    desc.fix_prior_var = desc.fix_likelihood = desc.fix_theta = 1;
    for (int full = 0; full < 2; full++) {
        if (full) desc.method = bln_glm_full(NULL);
        glm = glm_new(&desc);
        CHECK_FIT(glm, &data, NULL);
        CHECK_OK(bln_glm_predict(glm, &data, full ? mean : first, NULL, NULL, NULL, NULL));
        bln_glm_free(glm);
    }
    for (size_t i = 0; i < NODES_ROWS; i++) CHECK_NEAR(mean[i], first[i], 1e-14);
    bln_basis_free(b);
}

TEST(glm_integrated, refusals)
{
    static const char *const text = "linear + linear + linear + linear + linear + linear + linear + linear";
    bln_basis *b = slm_parse("rbf:n=3", 1, 0), *wide = slm_parse("rbf:n=3,ard", 9, 0), *slices = slm_parse(text, 1, 0);
    const bln_glm_integrated_desc many = { 65 };
    bln_glm_desc good = glm_desc(b, bln_likelihood_gaussian()), d;
    good.method = bln_glm_integrated(NULL);
    CHECK(bln_glm_check(&good) == NULL);
    d = good;
    d.no_hyper_prior = 1;
    CHECK_TEXT(bln_glm_check(&d), "priors");
    d = good;
    d.theta_sd = HUGE_VAL;
    CHECK_TEXT(bln_glm_check(&d), "theta_sd");
    d = good;
    d.method = bln_glm_integrated(&many);
    CHECK_TEXT(bln_glm_check(&d), "64");
    d.basis = slices;
    CHECK_TEXT(bln_glm_check(&d), "at most 8");
    d.fix_theta = 1;
    CHECK_TEXT(bln_glm_check(&d), "at most 8");
    d = good;
    d.likelihood = bln_likelihood_categorical(3);
    CHECK_TEXT(bln_glm_check(&d), "one latent");
    d = good;
    d.basis = wide;                                        /* 9 length scales: they stay at their mode */
    CHECK(bln_glm_check(&d) == NULL);
    bln_basis_free(b);
    bln_basis_free(wide);
    bln_basis_free(slices);
}

/* Lists that are full, a node without numbers, and a search of what is not integrated alone. */
TEST(glm_integrated, corners)
{
    bln_basis *b = slm_parse("linear", 1, 0), *ard = slm_parse("rbf:n=2,ard", 9, 0);
    const bln_data data = slm_view(NODES_ROWS, 1, nodes_x, nodes_real);
    const double prior_var = 1.5;
    bln_glm_desc desc = glm_desc(b, bln_likelihood_gaussian());
    double mean[NODES_ROWS], X[9*NODES_ROWS], sum = 0.0, bound[2], theta[2][9];
    size_t none = 0;
    desc.method = bln_glm_integrated(NULL);
    bln_glm *glm = glm_new(&desc);
    CHECK_OK(bln_glm_init(glm, &data, NULL));
    blni_nodes *t = (blni_nodes *)glm->fit->state;
    t->room = 3;                                           /* of 1024 places */
    while (!bln_glm_converged(glm)) CHECK_OK(bln_glm_step(glm, NULL));
    CHECK_SIZE(t->listed, 3);
    CHECK_OK(bln_glm_finish(glm, NULL));
    CHECK_SIZE(bln_glm_posterior(glm)->groups->K, 3);
    CHECK_OK(bln_glm_init(glm, &data, NULL));
    t = (blni_nodes *)glm->fit->state;
    while (!bln_glm_converged(glm)) CHECK_OK(bln_glm_step(glm, NULL));
    t->z[t->m] = BLNI_NAN;                                 /* of the second node, beside the mode */
    CHECK_OK(bln_glm_finish(glm, NULL));
    const bln_group *g = bln_glm_posterior(glm)->groups;
    for (size_t k = 0; k < g->K; k++) {
        sum += g->weight[k];
        none += g->weight[k] == 0.0;
    }
    CHECK_SIZE(none, 1);
    CHECK_NEAR(sum, 1.0, 1e-14);
    CHECK_OK(bln_glm_predict(glm, &data, mean, NULL, NULL, NULL, NULL));
    CHECK(blni_all_finite(NODES_ROWS, mean));
    bln_glm_free(glm);
    for (size_t i = 0; i < 9*NODES_ROWS; i++) X[i] = cos((double)(i*i));
    const bln_data wide = slm_view(NODES_ROWS, 9, X, nodes_binary);
    desc = glm_desc(ard, bln_likelihood_binomial(BLN_LINK_LOGIT));
    desc.prior_var = &prior_var;
    desc.fix_prior_var = 1;
    desc.tolerance = 1e-8;
    for (int full = 0; full < 2; full++) {                 /* nothing but nine length scales, which stay at their mode: as full */
        desc.method = full ? bln_glm_full(NULL) : bln_glm_integrated(NULL);
        glm = glm_new(&desc);
        CHECK_FIT(glm, &wide, NULL);
        bound[full] = bln_glm_objective(glm);
        memcpy(theta[full], bln_glm_theta(glm), sizeof theta[full]);
        bln_glm_free(glm);
    }
    CHECK_REL(bound[0], bound[1], 1e-6);
    for (size_t k = 0; k < 9; k++) CHECK_REL(theta[0][k], theta[1][k], 1e-2);
    bln_basis_free(b);
    bln_basis_free(ard);
}

/* What is held needs no prior, and no place among the nodes. */
TEST(glm_integrated, what_is_held)
{
    const double prior_var = 1.5, noise = 0.4;
    const bln_glm_integrated_desc many = { 100 };
    bln_basis *b = slm_parse("rbf:n=3", 1, 0);
    bln_glm_desc d = glm_desc(b, bln_likelihood_gaussian());
    d.method = bln_glm_integrated(&many);
    d.prior_var = &prior_var;
    d.likelihood_theta = &noise;
    CHECK_TEXT(bln_glm_check(&d), "64");
    d.fix_theta = d.no_hyper_prior = 1;
    CHECK_TEXT(bln_glm_check(&d), "priors");
    d.fix_prior_var = 1;
    CHECK_TEXT(bln_glm_check(&d), "priors");
    d.fix_likelihood = 1;
    CHECK(bln_glm_check(&d) == NULL);
    bln_basis_free(b);
}

SUITE_BEGIN(glm_integrated)
SUITE_TEST(glm_integrated, lattice)
SUITE_TEST(glm_integrated, quasi_random)
SUITE_TEST(glm_integrated, leaving_out)
SUITE_TEST(glm_integrated, stages)
SUITE_TEST(glm_integrated, refusals)
SUITE_TEST(glm_integrated, corners)
SUITE_TEST(glm_integrated, what_is_held)
SUITE_END(glm_integrated)
