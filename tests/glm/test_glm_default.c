/* The default of the generalised linear model: which method it is, that it holds where events are rare, and the priors of the
 * hyper-parameters, which keep searches from running away. */
#include "glm_tools.h"
#include "../likelihood/likelihood_tools.h"

enum { RARE_N = 40, RARE_GRID = 241 };

/* One input, standardised, and `events` rows of 1 among zeros, spread out. */
static bln_data rare_data(size_t events, double *X, double *y)
{
    bln_data data = BLN_ZERO;
    for (size_t i = 0; i < RARE_N; i++) {
        X[i] = ((double)i - 19.5)/11.543396;
        y[i] = i*7 % RARE_N < events ? 1.0 : 0.0;
    }
    data.n = RARE_N;
    data.d = 1;
    data.X = X;
    data.y = y;
    return data;
}

/* E sum_i E[y_i | f_i] under the posterior of w0 + w1 x, both of variance lambda, on a grid of 8 prior standard deviations to each
 * side. The posterior is wider than four of its steps, and the trapezoid rule exact to far below what is compared. */
static double rare_exact(const bln_likelihood *l, const bln_data *data, double lambda)
{
    const double step = 16.0*sqrt(lambda)/(RARE_GRID - 1), half = 8.0*sqrt(lambda);
    double Z = 0.0, sum = 0.0;
    for (size_t a = 0; a < RARE_GRID; a++)
        for (size_t b = 0; b < RARE_GRID; b++) {
            const double w0 = step*(double)a - half, w1 = step*(double)b - half;
            double f[RARE_N], logp[RARE_N], mean[RARE_N], var[RARE_N], log_p = -0.5*(w0*w0 + w1*w1)/lambda, total = 0.0;
            bln_targets t = BLN_ZERO;
            t.y = data->y;
            for (size_t i = 0; i < RARE_N; i++) f[i] = w0 + w1*data->X[i];
            bln_likelihood_logp(l, NULL, RARE_N, &t, f, logp);
            for (size_t i = 0; i < RARE_N; i++) log_p += logp[i];
            if (log_p < -80.0) continue;                           /* of a log evidence of -3 to -16 */
            bln_likelihood_moments(l, NULL, RARE_N, &t, f, mean, var);
            for (size_t i = 0; i < RARE_N; i++) total += mean[i];
            Z += exp(log_p);
            sum += exp(log_p)*total;
        }
    return sum/Z;
}

/* The expected total is within 3 % of the exact one at the prior variance that the model reports; without any event, where it is
 * 0.37 and the posterior as skewed as the wide prior lets it be, within 4 %. That is the error of the best Gaussian: at the prior
 * variance of the Poisson there, 19.3734, the bound maximised by scipy's BFGS has a total of 0.3588438. A mixture of two
 * Gaussians is within 3 % there too. */
TEST(glm_default, rare_events)
{
    double X[RARE_N], y[RARE_N], mean[RARE_N];
    bln_basis *b = NULL;
    CHECK_OK(bln_linear_create(NULL, 1, 1, &b));
    for (size_t events = 0; events < 4; events++)
        for (int poisson = 0; poisson < 2; poisson++) {
            const bln_likelihood l = poisson ? bln_likelihood_poisson(BLN_LINK_LOG) : bln_likelihood_binomial(BLN_LINK_LOGIT);
            const bln_data data = rare_data(events, X, y);
            bln_glm_desc desc = glm_desc(b, l);
            bln_report report;
            bln_glm *glm = glm_new(&desc);
            double total = 0.0;
            CHECK_FIT(glm, &data, &report);
            CHECK_OK(bln_glm_predict(glm, &data, mean, NULL, NULL, NULL, &report));
            for (size_t i = 0; i < RARE_N; i++) total += mean[i];
            CHECK_REL(total, rare_exact(&l, &data, bln_glm_prior_var(glm)[0]), events ? 0.03 : 0.04);
            if (poisson && !events) {
                const double lambda = bln_glm_prior_var(glm)[0];
                bln_glm_mixture_desc two = BLN_ZERO;
                CHECK_REL(total, 0.3588438, 1e-4);
                two.components = 2;
                desc.method = bln_glm_mixture(&two);
                desc.prior_var = &lambda;
                desc.fix_prior_var = 1;
                bln_glm *mixture = glm_new(&desc);
                CHECK_FIT(mixture, &data, &report);
                CHECK_OK(bln_glm_predict(mixture, &data, mean, NULL, NULL, NULL, &report));
                total = 0.0;
                for (size_t i = 0; i < RARE_N; i++) total += mean[i];
                CHECK_REL(total, rare_exact(&l, &data, lambda), 0.03);
                bln_glm_free(mixture);
            }
            bln_glm_free(glm);
        }
    bln_basis_free(b);
}

/* Every likelihood with targets that are all the same: the low end of what they may be, or, of trials, the high end. The mean is
 * then near that end, and the sum of 40 counts that were all 0 below 1.5. */
TEST(glm_default, all_alike)
{
    double X[RARE_N], y[RARE_N], trials[RARE_N], mean[RARE_N];
    bln_basis *b = NULL;
    CHECK_OK(bln_linear_create(NULL, 1, 1, &b));
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++)
        for (int high = 0; high < 2; high++) {
            const likelihood_case *one = likelihood_cases + c;
            bln_likelihood l = likelihood_named(one->name);
            bln_data data = rare_data(0, X, y);
            if (!l.ops->discrete || !strcmp(one->name, "ordinal")) continue;
            const int binomial = !strncmp(one->name, "binomial", 8) || !strncmp(one->name, "bernoulli", 9);
            if (high && !binomial) continue;
            for (size_t i = 0; i < RARE_N; i++) {
                trials[i] = binomial ? 10.0 : 1.0;
                if (high) y[i] = 10.0;
            }
            data.trials = trials;
            bln_glm_desc desc = glm_desc(b, l);
            bln_report report;
            bln_glm *glm = glm_new(&desc);
            double total = 0.0;
            CHECK_FIT(glm, &data, &report);
            CHECK_OK(bln_glm_predict(glm, &data, mean, NULL, NULL, NULL, &report));
            for (size_t i = 0; i < RARE_N; i++) total += high ? 10.0 - mean[i] : mean[i];
            CHECK(total > 0.0);
            CHECK_LE(total, 1.5);
            bln_glm_free(glm);
        }
    bln_basis_free(b);
}

/* Which it is, and a method that is named has no other before it. */
TEST(glm_default, which)
{
    const double flat = HUGE_VAL, one = 1.0;
    bln_basis *b = NULL;
    CHECK_OK(bln_linear_create(NULL, 1, 1, &b));
    bln_glm_desc desc = glm_desc(b, bln_likelihood_poisson(BLN_LINK_LOG)), d = bln_glm_defaults(&desc);
    CHECK(d.method.ops == bln_glm_full(NULL).ops && d.hyper.ops == bln_glm_laplace().ops);
    bln_glm *glm = glm_new(&desc);
    CHECK(!strcmp(bln_glm_method_name(glm), "full"));
    CHECK_OK(bln_glm_set_method(glm, bln_glm_laplace(), NULL));
    CHECK(glm->desc.hyper.ops == NULL);
    bln_glm_method none = BLN_ZERO;
    CHECK_OK(bln_glm_set_method(glm, none, NULL));
    CHECK(glm->desc.hyper.ops == bln_glm_laplace().ops);
    bln_glm_free(glm);
    desc.prior_var = &one;
    desc.fix_prior_var = 1;
    d = bln_glm_defaults(&desc);
    CHECK(d.method.ops == bln_glm_full(NULL).ops && d.hyper.ops == NULL);
    desc.fix_prior_var = 0;
    desc.prior_var = &flat;
    d = bln_glm_defaults(&desc);
    CHECK(d.method.ops == bln_glm_laplace().ops && d.hyper.ops == NULL);
    desc.prior_var = NULL;
    desc.method = bln_glm_full(NULL);
    d = bln_glm_defaults(&desc);
    CHECK(d.method.ops == bln_glm_full(NULL).ops && d.hyper.ops == NULL);
    const bln_likelihood others[3] = { bln_likelihood_laplace(), bln_likelihood_ordinal(4), bln_likelihood_categorical(3) };
    for (size_t k = 0; k < 3; k++) {
        desc = glm_desc(b, others[k]);
        d = bln_glm_defaults(&desc);
        CHECK(d.method.ops == bln_glm_full(NULL).ops && d.hyper.ops == NULL);
    }
    bln_basis_free(b);
}

/* A likelihood that seems to have curvature where the default looks, but has none where the rows are: Laplace's method has no
 * answer, and the default is then the bound's own. */
static void glm_default_eval(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                             double *logp, double *d1, double *d2, double *d3)
{
    const bln_likelihood one = bln_likelihood_laplace();
    (void)l;
    one.ops->eval(&one, theta, n, t, f, logp, d1, d2, d3);
    for (size_t i = 0; i < n; i++) if (d2 && f[i] == 4.0) d2[i] = -1.0;
}

TEST(glm_default, second_try)
{
    bln_basis *b = slm_parse("linear", 2, 0);
    bln_data data = slm_make(40, 2, 3, 1);
    bln_likelihood_ops ops = *bln_likelihood_laplace().ops;
    bln_likelihood l = bln_likelihood_laplace();
    bln_report report;
    ops.eval = glm_default_eval;
    l.ops = &ops;
    bln_glm_desc desc = glm_desc(b, l);
    bln_glm *glm = glm_new(&desc);
    CHECK(bln_glm_defaults(&desc).hyper.ops == bln_glm_laplace().ops);
    CHECK_FIT(glm, &data, &report);
    desc.method = bln_glm_full(NULL);
    bln_glm *alone = glm_new(&desc);
    CHECK_FIT(alone, &data, NULL);
    CHECK_NEAR(bln_glm_objective(glm), bln_glm_objective(alone), 0.0);
    desc.hyper = bln_glm_laplace();
    bln_glm *stuck = glm_new(&desc);
    CHECK_STATUS(bln_glm_fit(stuck, &data, &report), BLN_EUNDEFINED);
    bln_glm_free(stuck);
    bln_glm_free(alone);
    bln_glm_free(glm);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* What Laplace's method says of itself. One constant weight and counts: the mean of w under p(w | y) by a grid is a + C a to first
 * order; with n E e^f of 50 the second order is some 1/50 of that. Rare events are far above 0.3, and of many rows it is next to
 * nothing; of two classes by softmax, whose priors are each half of the difference's, it is that of their difference. */
TEST(glm_default, mean_shift)
{
    enum { N = 25 };
    double y[N], X[RARE_N], two[RARE_N], shift[2];
    const double lambda = 4.0, half = 2.0;
    bln_basis *b = NULL, *line = NULL;
    bln_report report;
    bln_data data = BLN_ZERO;
    CHECK_OK(bln_bias_create(NULL, &b));
    CHECK_OK(bln_linear_create(NULL, 1, 1, &line));
    for (size_t i = 0; i < N; i++) y[i] = 2.0;
    data.n = N;
    data.y = y;
    bln_glm_desc desc = glm_desc(b, bln_likelihood_poisson(BLN_LINK_LOG));
    desc.method = bln_glm_laplace();
    desc.prior_var = &lambda;
    desc.fix_prior_var = 1;
    bln_glm *glm = glm_new(&desc);
    double mode, sd, Z = 0.0, mean = 0.0;
    CHECK_FIT(glm, &data, &report);
    CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), &mode, &sd, 0, NULL, NULL, NULL, NULL));
    for (int k = -4000; k <= 4000; k++) {
        const double w = mode + 0.002*k*sd;
        const double p = exp(N*(2.0*(w - mode) - exp(w) + exp(mode)) - 0.5*(w*w - mode*mode)/lambda);
        Z += p;
        mean += p*w;
    }
    CHECK_REL(report.mean_shift, fabs(mean/Z - mode)/sd, 0.03);
    bln_glm_free(glm);
    for (int k = 0; k < 2; k++) {
        const bln_data rare = rare_data(3, X, two);
        desc = glm_desc(line, k ? bln_likelihood_categorical(2) : bln_likelihood_binomial(BLN_LINK_LOGIT));
        desc.method = bln_glm_laplace();
        desc.prior_var = k ? &half : &lambda;
        desc.fix_prior_var = 1;
        glm = glm_new(&desc);
        CHECK_FIT(glm, &rare, &report);
        shift[k] = report.mean_shift;
        bln_glm_free(glm);
    }
    CHECK(shift[0] > 0.3);
    /* f_1 and f_0 share what is not known of their sum: each moves by half of what f_1 - f_0 does, over more than half its sd. */
    CHECK(shift[1] > 0.3*shift[0] && shift[1] < shift[0]);
    desc = glm_desc(line, bln_likelihood_poisson(BLN_LINK_LOG));
    glm = glm_new(&desc);
    const bln_data rare = rare_data(3, X, two);
    CHECK_FIT(glm, &rare, &report);
    CHECK(report.mean_shift == 0.0);
    bln_glm_free(glm);
    bln_basis_free(line);
    bln_basis_free(b);
}

static double glm_default_value(const void *problem, const double *point)
{
    double value, gradient[8];
    bln_glm *glm = *(bln_glm *const *)problem;
    CHECK_OK(blni_glm_search_objective(glm->fit, glm->fit->search.n, point, &value, gradient, NULL));
    return value;
}

/* What the search goes by, with the priors of prior variances and of a size, a scale, a probability, against differences; the
 * search for q ends at 1e-10 of the objective or better, over steps of 1e-3. */
TEST(glm_default, gradients)
{
    static const char *const names[] = { "negative_binomial", "student_t", "zero_inflated_poisson", "gaussian" };
    bln_basis *b = slm_parse("bias + rbf:n=3", 2, 3);
    for (size_t k = 0; k < 4; k++)
        for (int way = 0; way < 2; way++) {
            bln_data data = glm_make(names[k], 40, 7 + k);
            bln_glm_desc desc = glm_desc(b, likelihood_named(names[k]));
            bln_report report;
            double point[8], g[8], value;
            desc.method = way ? bln_glm_full(NULL) : bln_glm_laplace();
            desc.tolerance = 1e-13;
            bln_glm *glm = glm_new(&desc);
            CHECK_OK(bln_glm_init(glm, &data, &report));
            const size_t n = glm->fit->search.n;
            CHECK(n <= 8);
            for (size_t i = 0; i < n; i++) point[i] = glm->fit->search.x0[i] + 0.3*cos(2.0 + (double)i);
            CHECK_OK(blni_glm_search_objective(glm->fit, n, point, &value, g, &report));
            glm_check_gradient(glm_default_value, &glm, n, point, g, 0, 0, 1e-6);
            bln_glm_free(glm);
            glm_free_data(&data);
        }
    bln_basis_free(b);
}

/* Where counts are all 0 the mean over hyper-parameters exists for a Poisson rate, and not for counts of any size. */
TEST(glm_default, a_mean_without_bound)
{
    static const char *const names[] = { "negative_binomial", "poisson_log", "binomial_logit" };
    double X[RARE_N], y[RARE_N];
    bln_basis *b = slm_parse("linear", 1, 0);
    for (int k = 0; k < 4; k++) {
        bln_data data = rare_data(k == 3, X, y);
        bln_report report;
        bln_glm_desc desc = glm_desc(b, k == 3 ? bln_likelihood_categorical(2) : likelihood_named(names[k]));
        int unbounded = -1;
        test_heap heap;
        desc.alloc = test_heap_allocator(&heap);
        if (k < 3) desc.method = bln_glm_integrated(NULL);
        bln_glm *glm = glm_new(&desc);
        CHECK_STATUS(bln_glm_unbounded(glm, &data, &unbounded, &report), BLN_EINVAL);
        CHECK_FIT(glm, &data, &report);
        CHECK_OK(bln_glm_unbounded(glm, &data, &unbounded, &report));
        CHECK(unbounded == (k == 0));
        CHECK_STATUS(bln_glm_unbounded(glm, &data, NULL, &report), BLN_EINVAL);
        X[0] = 40.0;                                             /* there the mean is large, and y may well be larger still */
        CHECK_OK(bln_glm_unbounded(glm, &data, &unbounded, &report));
        for (size_t fail = 0; fail < 2; fail++) {
            heap.calls = 0;
            heap.fail_at = fail;
            CHECK(bln_glm_unbounded(glm, &data, &unbounded, &report) == (k < 3 ? BLN_ENOMEM : BLN_OK));
        }
        y[5] = HUGE_VAL;
        CHECK_STATUS(bln_glm_unbounded(glm, &data, &unbounded, &report), BLN_EDATA);
        CHECK(report.row == 5);
        bln_glm_free(glm);
    }
    bln_basis_free(b);
}

/* A row without features has no part in the mean shift, of one latent and of several: the sum over rows is that of the others. */
TEST(glm_default, mean_shift_without_features)
{
    double X[RARE_N], y[RARE_N], sum[2];
    const double lambda = 4.0;
    bln_basis *b = slm_parse("linear:ones=0", 1, 0);
    for (int classes = 0; classes < 2; classes++) {
        for (int more = 0; more < 2; more++) {
            bln_data data = rare_data(3, X, y);
            bln_report report;
            if (!more) data.n--;
            X[RARE_N - 1] = 0.0;
            bln_glm_desc desc = glm_desc(b, classes ? bln_likelihood_categorical(3) : bln_likelihood_binomial(BLN_LINK_LOGIT));
            desc.method = bln_glm_laplace();
            desc.prior_var = &lambda;
            desc.fix_prior_var = 1;
            bln_glm *glm = glm_new(&desc);
            CHECK_FIT(glm, &data, &report);
            sum[more] = report.mean_shift*report.mean_shift*(double)data.n;
            bln_glm_free(glm);
        }
        CHECK_REL(sum[1], sum[0], 1e-9);
    }
    bln_basis_free(b);
}

/* Fewer rows than features, and a basis whose parameters are held: slopes in the prior variances alone. */
TEST(glm_default, gradients_of_few_rows)
{
    bln_basis *b = slm_parse("bias + rbf:n=12", 2, 3);
    bln_data data = glm_make("student_t", 15, 7);
    for (int way = 0; way < 2; way++) {
        bln_glm_desc desc = glm_desc(b, bln_likelihood_student_t());
        double point[8], g[8], value;
        desc.method = way ? bln_glm_full(NULL) : bln_glm_laplace();
        desc.tolerance = 1e-13;
        desc.fix_theta = 1;
        bln_glm *glm = glm_new(&desc);
        CHECK_OK(bln_glm_init(glm, &data, NULL));
        const size_t n = glm->fit->search.n;
        CHECK_SIZE(n, 4);
        CHECK_SIZE(glm->fit->rows.reduced.n, 15);
        for (size_t i = 0; i < n; i++) point[i] = glm->fit->search.x0[i] + 0.3*cos(2.0 + (double)i);
        CHECK_OK(blni_glm_search_objective(glm->fit, n, point, &value, g, NULL));
        glm_check_gradient(glm_default_value, &glm, n, point, g, 0, 0, 1e-6);
        bln_glm_free(glm);
    }
    glm_free_data(&data);
    bln_basis_free(b);
}

/* log p(y_i | the other rows) of the full Gaussian where prior variances are `times` those of a fit by Laplace's method. */
static void wider_left_out(const bln_glm *laplace, const bln_glm_desc *common, const bln_data *data, double times, double *logp)
{
    bln_glm_desc desc = *common;
    bln_loo_outputs out = BLN_ZERO;
    double prior_var[4];
    for (size_t s = 0; s < 2; s++) prior_var[s] = times*bln_glm_prior_var(laplace)[s];
    desc.method = bln_glm_full(NULL);
    desc.prior_var = prior_var;
    desc.theta = bln_glm_theta(laplace);
    desc.fix_prior_var = desc.fix_theta = 1;
    bln_glm *glm = glm_new(&desc);
    CHECK_OK(bln_glm_fit(glm, data, NULL));
    out.logdensity = logp;
    CHECK_OK(bln_posterior_loo(bln_glm_posterior(glm), data, NULL, &out, NULL));
    bln_glm_free(glm);
}

enum { WIDER_N = 160, WIDER_D = 20 };

/* Two classes far apart; not parted: with every ninth label wrong. */
static bln_data wider_data(int parted, test_random *r, double *X, double *y)
{
    bln_data data = BLN_ZERO;
    for (size_t i = 0; i < WIDER_N; i++) {
        y[i] = (double)(i & 1);
        for (size_t j = 0; j < WIDER_D; j++) X[i*WIDER_D + j] = (y[i] - 0.5)*0.8 + test_normal(r);
        if (!parted && i % 9 == 0) y[i] = 1.0 - y[i];
    }
    data.n = WIDER_N;
    data.d = WIDER_D;
    data.X = X;
    data.y = y;
    return data;
}

/* No more rows than features: prior variances are those of Laplace's evidence, doubled as often as rows left out say so. Of classes
 * far apart they do, beyond doubt, and with every ninth label wrong not at all. The number is found again by a fit at each. */
TEST(glm_default, wider_by_rows_left_out)
{
    double X[WIDER_N*WIDER_D], y[WIDER_N], before[WIDER_N], now[WIDER_N];
    bln_basis *b = slm_parse("bias + rbf:n=90", WIDER_D, 3);
    test_random r = test_random_new(5);
    for (int parted = 1; parted >= 0; parted--) {
        const bln_data data = wider_data(parted, &r, X, y);
        bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT)), own;
        desc.no_hyper_prior = 1;
        own = desc;
        own.method = bln_glm_laplace();
        bln_glm *laplace = glm_new(&own), *glm = glm_new(&desc);
        CHECK_OK(bln_glm_fit(laplace, &data, NULL));
        CHECK_OK(bln_glm_fit(glm, &data, NULL));
        int doublings = 0;
        wider_left_out(laplace, &desc, &data, 1.0, before);
        for (;; doublings++) {
            double sum = 0.0, squares = 0.0;
            wider_left_out(laplace, &desc, &data, ldexp(1.0, doublings + 1), now);
            for (size_t i = 0; i < WIDER_N; i++) {
                sum += now[i] - before[i];
                squares += (now[i] - before[i])*(now[i] - before[i]);
            }
            if (!(sum >= 1.0 && sum >= 3.0*sqrt(squares))) break;
            memcpy(before, now, sizeof now);
        }
        CHECK(parted ? doublings > 0 : doublings == 0);
        for (size_t s = 0; s < 2; s++)
            CHECK_REL(bln_glm_prior_var(glm)[s], ldexp(bln_glm_prior_var(laplace)[s], doublings), 1e-12);
        bln_glm_free(glm);
        bln_glm_free(laplace);
    }
    bln_basis_free(b);
}

static bln_status wider_stop(void *user, const bln_glm_progress *p)
{
    (void)user;
    return p->phase == BLN_GLM_SEARCH ? BLN_ESTOPPED : BLN_OK;
}

/* Prior variances that are given, of each weight, or of a fit that is stopped stay as they are. */
TEST(glm_default, wider_not_always)
{
    static const double given[] = { 2.0, 3.0 };
    double X[WIDER_N*WIDER_D], y[WIDER_N];
    bln_basis *b = slm_parse("bias + rbf:n=90", WIDER_D, 3);
    test_random r = test_random_new(5);
    const bln_data data = wider_data(1, &r, X, y);
    for (int way = 0; way < 3; way++) {
        bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
        desc.no_hyper_prior = 1;
        if (way == 0) { desc.prior_var = given; desc.fix_prior_var = 1; }
        desc.per_weight = way == 1;
        if (way == 1) desc.max_iterations = 5;
        bln_glm_desc first = desc;
        first.method = bln_glm_laplace();
        if (way == 2) desc.monitor = wider_stop;
        bln_glm *glm = glm_new(&desc), *laplace = glm_new(&first);
        CHECK_OK(bln_glm_fit(glm, &data, NULL));
        CHECK_OK(bln_glm_fit(laplace, &data, NULL));
        for (size_t s = 0; s < (way == 1 ? b->D : 2); s++)
            CHECK_REL(bln_glm_prior_var(glm)[s], bln_glm_prior_var(laplace)[s], 1e-12);
        bln_glm_free(glm);
        bln_glm_free(laplace);
    }
    bln_basis_free(b);
}

/* Each allocation fails once: the fit says so and nothing is left. */
TEST(glm_default, wider_without_memory)
{
    double X[WIDER_N*WIDER_D], y[WIDER_N];
    bln_basis *b = slm_parse("bias + rbf:n=90", WIDER_D, 3);
    test_random r = test_random_new(5);
    const bln_data data = wider_data(1, &r, X, y);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
    test_heap heap;
    desc.no_hyper_prior = desc.fix_theta = 1;
    desc.alloc = test_heap_allocator(&heap);
    bln_glm *glm = glm_new(&desc);
    const size_t made = heap.calls, live = heap.live;
    CHECK_OK(bln_glm_fit(glm, &data, NULL));
    const size_t all = heap.calls - made;
    bln_glm_free(glm);
    CHECK_SIZE(heap.live, 0);
    for (size_t k = 0; k < all; k++) {
        heap.fail_at = (size_t)-1;
        glm = glm_new(&desc);
        heap.fail_at = heap.calls + k;
        CHECK_STATUS(bln_glm_fit(glm, &data, NULL), BLN_ENOMEM);
        CHECK_SIZE(heap.live, live);
        bln_glm_free(glm);
    }
    CHECK_SIZE(heap.live, 0);
    bln_basis_free(b);
}

/* log p of two classes, which has no value after so many calls. */
static size_t wider_calls, wider_last;
static void wider_eval(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, double *logp,
                       double *d1, double *d2, double *d3)
{
    const bln_likelihood one = bln_likelihood_binomial(BLN_LINK_LOGIT);
    (void)l;
    one.ops->eval(&one, theta, n, t, f, logp, d1, d2, d3);
    if (wider_calls++ < wider_last) return;
    for (size_t i = 0; i < n; i++) {
        if (logp) logp[i] = BLNI_NAN;
        if (d1) d1[i] = BLNI_NAN;
        if (d2) d2[i] = BLNI_NAN;
    }
}

/* Where a wider prior has no answer the last one stays that has one, as it was learnt or doubled. */
TEST(glm_default, wider_without_answer)
{
    double X[WIDER_N*WIDER_D], y[WIDER_N], learnt[2], times[4];
    bln_basis *b = slm_parse("bias + rbf:n=90", WIDER_D, 3);
    test_random r = test_random_new(5);
    const bln_data data = wider_data(1, &r, X, y);
    bln_likelihood l = bln_likelihood_binomial(BLN_LINK_LOGIT);
    bln_likelihood_ops ops = *l.ops;
    size_t began = 0, end = 0;
    ops.eval = wider_eval;
    l.ops = &ops;
    bln_glm_desc desc = glm_desc(b, l);
    desc.no_hyper_prior = desc.fix_theta = 1;
    for (size_t k = 0; k < 4; k++) {                                   /* never, at once, among the first doubling, later */
        bln_glm *glm = glm_new(&desc);
        wider_calls = 0;
        wider_last = (size_t)-1;
        CHECK_OK(bln_glm_init(glm, &data, NULL));
        while (!bln_glm_converged(glm)) CHECK_OK(bln_glm_step(glm, NULL));
        for (size_t s = 0; s < 2; s++) learnt[s] = glm->fit->hyper.prior_var[s];
        began = wider_calls;
        if (k) wider_last = began + 1 + (k - 1)*(end - began)/8;
        const bln_status status = bln_glm_finish(glm, NULL);
        if (!k) end = wider_calls;
        times[k] = 0.0;
        if (k == 1) CHECK_STATUS(status, BLN_ENUMERIC);
        else {
            CHECK_OK(status);
            times[k] = bln_glm_prior_var(glm)[0]/learnt[0];
            CHECK_REL(bln_glm_prior_var(glm)[1], times[k]*learnt[1], 1e-12);
        }
        bln_glm_free(glm);
    }
    CHECK(times[0] == 16.0 && times[2] == 1.0 && times[3] == 2.0);
    bln_basis_free(b);
}

/* A gain of a nat with the log priors, and three standard errors, which are the root of the sum of squares. */
TEST(glm_default, wider_beyond_doubt)
{
    double before[8], now[8], twice[8];
    bln_data rows = BLN_ZERO;
    rows.n = 8;
    for (size_t i = 0; i < 8; i++) { before[i] = -1.0; now[i] = -0.8; twice[i] = 2.0; }
    CHECK(!blni_glm_predicts(&rows, now, before, 0.0));                /* 1.6, and 2.83 standard errors */
    rows.weight = twice;
    CHECK(blni_glm_predicts(&rows, now, before, 0.0));                 /* 3.2, and 4 of them */
    CHECK(blni_glm_predicts(&rows, now, before, -2.19));
    CHECK(!blni_glm_predicts(&rows, now, before, -2.21));
    CHECK(!blni_glm_predicts(&rows, before, now, 100.0));
    CHECK(!blni_glm_predicts(&rows, now, before, BLNI_NAN));
    now[3] = BLNI_NAN;
    CHECK(!blni_glm_predicts(&rows, now, before, 0.0));
}

/* What the likelihood says of its parameters' units is kept in the search: a variance has those of y squared, a prior variance has
 * none. */
TEST(glm_default, units_of_parameters)
{
    bln_basis *b = slm_parse("linear", 2, 0);
    bln_data data = slm_make(20, 2, 3, 0);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_gaussian());
    desc.method = bln_glm_full(NULL);
    bln_glm *glm = glm_new(&desc);
    CHECK_OK(bln_glm_init(glm, &data, NULL));
    const blni_glm_search *s = &glm->fit->search;
    CHECK_SIZE(s->n_hyper, 2);
    CHECK(s->param[0].y_power == 0 && s->param[1].y_power == 2);
    for (size_t k = 0; k < 2; k++) CHECK(s->param[k].scale == 0.0 && !s->param[k].per_trial && s->param[k].group == 0);
    bln_glm_free(glm);
    slm_free_data(&data);
    bln_basis_free(b);
}

SUITE_BEGIN(glm_default)
SUITE_TEST(glm_default, rare_events)
SUITE_TEST(glm_default, all_alike)
SUITE_TEST(glm_default, which)
SUITE_TEST(glm_default, second_try)
SUITE_TEST(glm_default, mean_shift)
SUITE_TEST(glm_default, gradients)
SUITE_TEST(glm_default, mean_shift_without_features)
SUITE_TEST(glm_default, a_mean_without_bound)
SUITE_TEST(glm_default, gradients_of_few_rows)
SUITE_TEST(glm_default, units_of_parameters)
SUITE_TEST(glm_default, wider_by_rows_left_out)
SUITE_TEST(glm_default, wider_not_always)
SUITE_TEST(glm_default, wider_without_memory)
SUITE_TEST(glm_default, wider_without_answer)
SUITE_TEST(glm_default, wider_beyond_doubt)
SUITE_END(glm_default)
