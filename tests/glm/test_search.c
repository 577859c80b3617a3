/* The generalised linear model by stochastic gradient steps: its estimates, where it ends, the same for the same seed. */
#include "glm_tools.h"

static bln_glm_desc glm_search_desc(const bln_basis *b, bln_likelihood l, size_t K, size_t batch, bln_glm_mixture_desc *own)
{
    bln_glm_desc d = glm_desc(b, l);
    memset(own, 0, sizeof *own);
    own->components = K;
    own->nodes = 8;
    own->steps.batch = batch;
    d.method = bln_glm_mixture(own);
    d.tolerance = 1e-11;
    return d;
}

/* sum over the batches of an epoch of |B|/n times value and gradient is value and gradient of all rows, but for rounding: sums of
 * some 30 numbers of size 100 at most. Batches of several blocks, the last one short; the second epoch in another order. */
TEST(glm_search, unbiased)
{
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_data data = glm_make("negative_binomial", 23, 5);
    bln_glm_mixture_desc own;
    bln_glm_desc desc = glm_search_desc(b, bln_likelihood_negative_binomial(), 2, 5, &own);
    size_t rows[2][23];
    desc.block = 2;
    bln_glm *glm = glm_new(&desc);
    CHECK_OK(bln_glm_init(glm, &data, NULL));
    glm_mixture_state(glm);
    blni_glm_fit *f = glm->fit;
    const size_t n = f->search.n;
    double *x = test_doubles(n), *all = test_doubles(n), *sum = test_doubles(n), full, value;
    for (size_t k = 0; k < n; k++) x[k] = f->search.x0[k] + 0.3*sin((double)k);
    f->search.evaluated = 0;
    CHECK_OK(blni_glm_search_objective(f, n, x, &full, all, NULL));
    CHECK_SIZE((size_t)blni_minibatch_count(&f->batches.order), 5);
    for (uint64_t epoch = 0; epoch < 2; epoch++) {
        double mean = 0.0, spread = 0.0;
        for (size_t k = 0; k < n; k++) sum[k] = 0.0;
        for (uint64_t t = 5*epoch; t < 5*epoch + 5; t++) {
            CHECK_OK(blni_glm_search_estimate(f, t, x, &value, NULL));
            const double share = (t % 5 < 4 ? 5.0 : 3.0)/23.0;
            CHECK_SIZE(f->batches.n, t % 5 < 4 ? 5 : 3);
            mean += share*value;
            spread += fabs(value - full);
            for (size_t k = 0; k < n; k++) sum[k] += share*f->search.gradient[k];
        }
        CHECK_NEAR(mean, full, 1e-12*fabs(full));
        CHECK_LE(1.0, spread);
        for (size_t k = 0; k < n; k++) CHECK_NEAR(sum[k], all[k], 1e-11*(1.0 + fabs(all[k])));
        blni_minibatch_rows(&f->batches.order, 0, 23, rows[epoch]);
    }
    CHECK(memcmp(rows[0], rows[1], sizeof rows[0]) != 0);
    free(x); free(all); free(sum);
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* Against the search by L-BFGS. In coordinates of one posterior standard deviation the bound's curvature is about 1, and a
 * gradient by 12 of 120 rows has a standard deviation of up to sqrt(120/12) in each; the last 500 points of 50 epochs say what
 * their average would, if the rate goes down slowly enough: sqrt(10/500) = 0.14 off (less, as the batches of an epoch cover all
 * rows), and n numbers lower the bound by n 0.14^2/2 = 0.01 n. */
TEST(glm_search, converges)
{
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    for (size_t k = 0; k < 4; k++) {
        const size_t K = 1 + k % 2;
        const bln_likelihood l = K > 1 ? bln_likelihood_negative_binomial() : bln_likelihood_binomial(BLN_LINK_LOGIT);
        bln_data data = glm_make(K > 1 ? "negative_binomial" : "bernoulli_logit", 120, 6 + K);
        bln_glm_mixture_desc own;
        bln_glm_desc desc = glm_search_desc(b, l, K, 0, &own);
        bln_report report;
        double best[3], sd[3], m[3];
        desc.no_hyper_prior = 1;                           /* objectives are without priors, and are compared */
        bln_glm *exact = glm_new(&desc);
        own.steps.batch = 12;
        own.steps.natural = k > 1 ? 0.1 : 0.0;
        bln_glm *glm = glm_new(&desc);
        CHECK_FIT(exact, &data, NULL);
        CHECK_FIT(glm, &data, &report);
        CHECK(report.stop == BLN_STOP_PROGRESS || report.stop == BLN_STOP_LIMIT);
        const double n = (double)(K*6 + 2 + l.n_theta), deficit = bln_glm_objective(exact) - bln_glm_objective(glm);
        CHECK_LE(-1e-6, deficit);
        CHECK_LE(deficit, 0.01*n);
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(exact), best, sd, 0, NULL, NULL, NULL, NULL));
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), m, NULL, 0, NULL, NULL, NULL, NULL));
        for (size_t j = 0; j < 3; j++) CHECK_NEAR(m[j], best[j], 5.0*0.14*sd[j]);
        bln_glm_free(exact);
        bln_glm_free(glm);
        glm_free_data(&data);
    }
    bln_basis_free(b);
}

/* The same seed, the same bits, whatever the size of blocks but for the order of sums; another seed, another run. Epochs are steps.
 * A source is refused. */
TEST(glm_search, runs)
{
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_data data = glm_make("binomial", 40, 5);
    bln_glm_mixture_desc own;
    bln_glm_desc desc = glm_search_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT), 2, 9, &own);
    bln_data_reader reader;
    bln_source source = bln_source_of(&data, &reader);
    bln_report report;
    bln_glm *glm[4];
    size_t epochs = 0;
    desc.max_iterations = 6;
    for (size_t i = 0; i < 4; i++) {
        desc.seed = i == 3;
        desc.block = i == 2 ? 4 : 0;
        own.steps.method = BLN_SGD_RMSPROP;
        own.steps.rate = 0.02;
        glm[i] = glm_new(&desc);
        if (i != 1) CHECK_FIT(glm[i], &data, NULL);
    }
    CHECK_OK(bln_glm_init(glm[1], &data, NULL));
    while (!bln_glm_converged(glm[1])) {
        epochs += !((const blni_glm_mixture *)glm[1]->fit->state)->mode;
        CHECK_OK(bln_glm_step(glm[1], &report));
    }
    CHECK_SIZE(epochs, 6);
    CHECK_SIZE(report.iterations, 6);
    CHECK(report.stop == BLN_STOP_LIMIT);
    CHECK_OK(bln_glm_finish(glm[1], NULL));
    CHECK_NEAR(bln_glm_objective(glm[1]), bln_glm_objective(glm[0]), 0.0);
    CHECK_NEAR(bln_glm_objective(glm[2]), bln_glm_objective(glm[0]), 1e-7);
    CHECK(bln_glm_objective(glm[3]) != bln_glm_objective(glm[0]));
    CHECK_STATUS(bln_glm_fit_source(glm[0], &source, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "need a data set");
    CHECK(mixture_of(glm[0]) != NULL);
    for (size_t i = 0; i < 4; i++) bln_glm_free(glm[i]);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* Gaussian noise, all rows in one batch, one component: a natural-gradient step of size 1 ends at psi_i = 1/(C^-1)_ii, whatever it
 * began with [variational 50], and at m_i + psi_i (dL/dm)_i, by the matrix C^-1 = Lambda^-1 + Phi'Phi/sigma^2. A step of size r
 * goes from 1/psi to (1-r)/psi + r (C^-1)_ii. */
TEST(glm_search, natural_steps_in_closed_form)
{
    const double lambda[] = { 2.0, 0.7 }, prior[] = { 0.5, 1.0/0.7, 1.0/0.7 }, eta = 0.4;
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 5);
    bln_data data = slm_make(40, 2, 3, 1);
    double x[6], P[9] = { 0 }, g[3] = { 0 };
    for (int k = 0; k < 2; k++) {
        bln_glm_mixture_desc own;
        bln_glm_desc desc = glm_search_desc(b, bln_likelihood_gaussian(), 1, 40, &own);
        desc.prior_var = lambda;
        desc.likelihood_theta = &eta;
        desc.fix_prior_var = desc.fix_likelihood = 1;
        own.steps.natural = k ? 0.25 : 1.0;
        bln_glm *glm = glm_new(&desc);
        CHECK_OK(bln_glm_init(glm, &data, NULL));
        const double *scale = glm_mixture_state(glm)->scale;
        blni_glm_fit *f = glm->fit;
        for (size_t i = 0; i < 3; i++) { x[i] = 0.5*cos((double)i); x[3 + i] = 0.1*sin((double)i); }
        CHECK_OK(blni_sgd_init(f->search.sgd, x, NULL));
        memset(P, 0, sizeof P);
        for (size_t i = 0; i < 3; i++) g[i] = -prior[i]*scale[i]*x[i];
        for (size_t n = 0; n < 40; n++) {
            const double phi[3] = { 1.0, data.X[2*n], data.X[2*n + 1] };
            const double noise = eta*(data.noise_var ? data.noise_var[n] : 1.0)/data.weight[n];
            double r = data.y[n] - data.offset[n];
            for (size_t i = 0; i < 3; i++) r -= phi[i]*scale[i]*x[i];
            for (size_t i = 0; i < 3 && data.weight[n] > 0.0; i++) { P[i] += phi[i]*phi[i]/noise; g[i] += phi[i]*r/noise; }
        }
        CHECK_OK(blni_glm_search_epoch(f, NULL));
        const double *to = blni_sgd_x(f->search.sgd);
        for (size_t i = 0; i < 3; i++) {
            const double r = own.steps.natural, precision = (1.0 - r)*exp(-x[3 + i]) + r*(P[i] + prior[i]), m = scale[i]*x[i];
            CHECK_REL(exp(-to[3 + i]), precision, 1e-12);
            CHECK_NEAR(scale[i]*to[i], m + r*g[i]/precision, 1e-11*(fabs(m) + fabs(g[i]/precision)));
        }
        bln_glm_free(glm);
    }
    slm_free_data(&data);
    bln_basis_free(b);
}

/* So many epochs that their steps have no number are as many as there can be. */
TEST(glm_search, counts_of_steps_do_not_wrap_around)
{
    bln_glm_desc desc;
    blni_glm_search search;
    bln_glm_stochastic steps;
    memset(&desc, 0, sizeof desc);
    memset(&search, 0, sizeof search);
    memset(&steps, 0, sizeof steps);
    search.n = 1;
    search.steps = &steps;
    desc.max_iterations = (size_t)-1;
    CHECK(blni_glm_search_steps(&desc, &search, 2).max_steps >= (size_t)-1);
    CHECK(blni_glm_search_steps(&desc, &search, UINT64_C(1) << 63).max_steps == UINT64_MAX);
    desc.max_iterations = 7;
    CHECK(blni_glm_search_steps(&desc, &search, 3).max_steps == 21);
}

static double glm_search_value(const void *problem, const double *point)
{
    bln_glm *glm = *(bln_glm *const *)problem;
    double value, gradient[8];
    CHECK_OK(blni_glm_search_objective(glm->fit, glm->fit->search.n, point, &value, gradient, NULL));
    return value;
}

/* Parameters of a basis of each kind: what the search goes by has the slopes of its differences, with their priors and, where they
 * are integrated, the volume of their coordinates. Steps of 1e-3 and a search for q to 1e-10, as in test_glm_default. */
TEST(glm_search, kinds_of_parameters)
{
    bln_basis_ops ops;
    bln_basis b = glm_kinds(&ops);
    bln_data data = slm_make(20, 2, 3, 0);
    for (int way = 0; way < 3; way++) {
        bln_glm_desc desc = glm_desc(&b, bln_likelihood_gaussian());
        double point[8], g[8], value;
        desc.method = way == 0 ? bln_glm_laplace() : way == 1 ? bln_glm_full(NULL) : bln_glm_integrated(NULL);
        desc.tolerance = 1e-13;
        bln_glm *glm = glm_new(&desc);
        CHECK_OK(bln_glm_init(glm, &data, NULL));
        const size_t n = glm->fit->search.n;
        CHECK_SIZE(n, 5);
        for (size_t i = 0; i < n; i++) point[i] = glm->fit->search.x0[i] + 0.3*cos(2.0 + (double)i);
        CHECK_OK(blni_glm_search_objective(glm->fit, n, point, &value, g, NULL));
        glm_check_gradient(glm_search_value, &glm, n, point, g, 0, 0, 1e-6);
        bln_glm_free(glm);
    }
    slm_free_data(&data);
}

/* The default rate of steps is that of their method; a tolerance that is no number is refused where the search begins. */
TEST(glm_search, rates_and_tolerances)
{
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    bln_data data = glm_make("bernoulli_logit", 40, 5);
    bln_glm_mixture_desc own;
    bln_report report;
    double bound[2];
    for (int k = 0; k < 2; k++) {
        bln_glm_desc desc = glm_search_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT), 1, 9, &own);
        blni_sgd_desc steps = BLN_ZERO;
        steps.n = 1;
        steps.method = own.steps.method = BLN_SGD_RMSPROP;
        own.steps.rate = k ? blni_sgd_defaults(&steps).rate : 0.0;
        desc.max_iterations = 4;
        bln_glm *glm = glm_new(&desc);
        CHECK_FIT(glm, &data, NULL);
        bound[k] = bln_glm_objective(glm);
        bln_glm_free(glm);
    }
    CHECK(bound[0] == bound[1]);
    for (int k = 0; k < 3; k++) {
        bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
        desc.method = glm_by(k == 0 ? GLM_LAPLACE : k == 1 ? GLM_MIXTURE : GLM_FULL, NULL);
        desc.tolerance = HUGE_VAL;
        bln_glm *glm = glm_new(&desc);
        CHECK_STATUS(bln_glm_fit(glm, &data, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "must be finite");
        bln_glm_free(glm);
    }
    glm_free_data(&data);
    bln_basis_free(b);
}

/* Natural-gradient steps of variances: at most half of the precision goes in a step, and at least a tenth of the prior's stays.
 * Points whose means or variances cannot be worked with have no bound, and a step from there is none. */
TEST(glm_search, natural_steps_are_limited)
{
    const double lambda[] = { 2.0, 0.7 }, eta = 0.4;
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 5);
    bln_data data = slm_make(40, 2, 3, 1);
    double x[6], value;
    for (int k = 0; k < 2; k++) {
        bln_glm_mixture_desc own;
        bln_glm_desc desc = glm_search_desc(b, bln_likelihood_gaussian(), 1, 40, &own);
        desc.prior_var = lambda;
        desc.likelihood_theta = &eta;
        desc.fix_prior_var = desc.fix_likelihood = 1;
        own.steps.natural = k ? 1e-6 : 1.0;
        bln_glm *glm = glm_new(&desc);
        CHECK_OK(bln_glm_init(glm, &data, NULL));
        const double *scale = glm_mixture_state(glm)->scale;
        blni_glm_fit *f = glm->fit;
        for (size_t i = 0; i < 3; i++) {
            const double prior = lambda[i > 0];
            x[i] = 0.0;
            x[3 + i] = k ? log(1e4*prior) : 2.0*log(scale[i]) - 20.0;
        }
        CHECK_OK(blni_sgd_init(f->search.sgd, x, NULL));
        CHECK_OK(blni_glm_search_epoch(f, NULL));
        const double *to = blni_sgd_x(f->search.sgd);
        for (size_t i = 0; i < 3; i++) CHECK_REL(exp(-to[3 + i]), k ? 0.1/lambda[i > 0] : 0.5*exp(-x[3 + i]), 1e-12);
        for (int way = 0; way < 3; way++) {
            for (size_t i = 0; i < 6; i++) x[i] = 0.0;
            if (way == 0) x[0] = HUGE_VAL;
            if (way == 1) x[3] = -800.0;
            if (way == 2) x[3] = 800.0;
            CHECK_OK(f->method->value(f, f->state, x, &value, NULL));
            CHECK(value == -HUGE_VAL);
            CHECK_OK(blni_glm_search_estimate(f, 0, x, &value, NULL));
            CHECK(!blni_finite(value));
        }
        bln_glm_free(glm);
    }
    slm_free_data(&data);
    bln_basis_free(b);
}

SUITE_BEGIN(glm_search)
SUITE_TEST(glm_search, unbiased)
SUITE_TEST(glm_search, converges)
SUITE_TEST(glm_search, runs)
SUITE_TEST(glm_search, natural_steps_in_closed_form)
SUITE_TEST(glm_search, counts_of_steps_do_not_wrap_around)
SUITE_TEST(glm_search, kinds_of_parameters)
SUITE_TEST(glm_search, rates_and_tolerances)
SUITE_TEST(glm_search, natural_steps_are_limited)
SUITE_END(glm_search)
