/* auto_slm: choices where the answer is clear, the table against fits by hand, what the choice must not depend on, every error */
#include "auto_tools.h"

static bln_auto_basis auto_slm_of(const bln_slm_desc *model, const bln_auto_basis_desc *desc, const bln_data *data)
{
    bln_auto_basis found;
    bln_report report;
    memset(&found, 0, sizeof found);
    CHECK_OK(bln_auto_basis_slm(model, desc, data, &found, &report));
    CHECK(!report.text[0]);
    auto_check_table(&found, data->n);
    CHECK_SIZE(report.evaluations > 0, 1);
    return found;
}

static bln_auto_basis auto_slm_shape(size_t n, size_t d, auto_shape shape, double noise, double budget)
{
    bln_auto_basis_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.budget = budget;
    const bln_data data = auto_rows(n, d, shape, noise, 5);
    const bln_auto_basis found = auto_slm_of(NULL, &desc, &data);
    auto_free(&data);
    return found;
}

TEST(auto_slm, a_plane_is_linear)
{
    for (size_t d = 1; d <= 3; d++) {
        const bln_auto_basis found = auto_slm_shape(60, d, AUTO_LINE, 0.3, 0.0);
        CHECK(!strcmp(found.text, "linear"));
        CHECK_SIZE(found.best, 0);
    }
}

/* A wave of one input of three: the process, with a length scale for each. */
TEST(auto_slm, a_wave_is_a_process)
{
    const bln_auto_basis one = auto_slm_shape(80, 1, AUTO_WAVE, 0.1, 0.0), three = auto_slm_shape(100, 3, AUTO_WAVE, 0.1, 0.0);
    CHECK(auto_has(&one, "gp:kernel=") && !auto_has(&one, "ard"));
    CHECK(auto_has(&three, "gp:kernel=") && auto_has(&three, ",ard"));
    CHECK_SIZE(one.tried[one.best].rows, 80);
    CHECK_SIZE(one.tried[one.best].left_out, 0);
}

/* Of more rows than the budget allows the process: features or points, by rows that were left out. */
TEST(auto_slm, many_rows_have_features)
{
    const double budget = 4e9;
    const bln_auto_basis found = auto_slm_shape(900, 1, AUTO_WAVE, 0.1, budget);
    CHECK(!auto_has(&found, "gp:") && (auto_has(&found, ":n=") || auto_has(&found, "m=")));
    CHECK(found.tried[0].rows < 900 && found.tried[0].left_out == 0);
    CHECK_SIZE(found.tried[found.best].left_out, 300);
    CHECK_SIZE(found.tried[found.best].rows, 600);
    CHECK_LE(found.flops, budget);
}

/* A plane of many rows: few of them cannot tell, so that rows left out decide. */
TEST(auto_slm, many_rows_of_a_plane)
{
    const bln_auto_basis found = auto_slm_shape(900, 2, AUTO_LINE, 0.3, 4e9);
    CHECK(!strcmp(found.text, "linear"));
    CHECK_SIZE(found.tried[found.best].left_out, 300);
}

TEST(auto_slm, without_inputs)
{
    bln_data data = auto_rows(20, 1, AUTO_LINE, 0.3, 7);
    data.d = 0;
    const bln_auto_basis found = auto_slm_of(NULL, NULL, &data);
    CHECK(!strcmp(found.text, "bias"));
    CHECK_SIZE(found.n, 1);
    auto_free(&data);
}

/* What the table says of a basis is what its text gives by hand, to the bit; and the best is the one whose evidence is largest
 * after a nat for the variance of a kernel and one for each length scale, of those whose errors of rows left out another one that
 * learns no more does not beat by two standard errors. Weights and noise variances count in these. */
TEST(auto_slm, the_table_is_that_of_fits_by_hand)
{
    enum { N = 50 };
    static double e[BLN_AUTO_MOST][N], weight[N], noise_var[N];
    double learns[BLN_AUTO_MOST], most = 0.0;
    bln_loo_outputs left_out;
    bln_auto_basis_desc desc;
    memset(&desc, 0, sizeof desc);
    memset(&left_out, 0, sizeof left_out);
    desc.seed = 3;
    bln_data data = auto_rows(N, 2, AUTO_WAVE, 0.2, 11);
    for (size_t i = 0; i < N; i++) { weight[i] = (double)(i % 4); noise_var[i] = i % 5 ? 1.0 : 1.5; }
    data.weight = weight;
    data.noise_var = noise_var;
    const bln_auto_basis found = auto_slm_of(NULL, &desc, &data);
    double best = -HUGE_VAL;
    size_t which = 0;
    for (size_t k = 0; k < found.n; k++) {
        const bln_auto_tried *t = found.tried + k;
        bln_slm_desc model;
        bln_slm *slm = NULL;
        bln_report report;
        bln_basis *b = auto_parse(t->text, 3, &data);
        memset(&model, 0, sizeof model);
        model.basis = b;
        CHECK_OK(bln_slm_create(&model, &slm, NULL));
        CHECK_OK(bln_slm_fit(slm, &data, &report));
        CHECK_NEAR(t->score, bln_slm_evidence(slm), 0.0);
        CHECK_SIZE(t->evaluations, report.evaluations);
        learns[k] = (strstr(t->text, "gp") ? 2.0 : 0.0) + (strstr(t->text, "ard") ? 1.0 : 0.0);
        left_out.mean = e[k];
        const bln_status known = bln_posterior_loo(bln_slm_posterior(slm), &data, NULL, &left_out, &report);
        CHECK(known == BLN_OK || known == BLN_EUNDEFINED);
        for (size_t i = 0; i < N; i++)
            e[k][i] = known == BLN_OK ? (data.y[i] - e[k][i])*(data.y[i] - e[k][i])/noise_var[i] : (double)NAN;
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    for (size_t k = 0; k < found.n; k++) {
        const bln_auto_tried *t = found.tried + k;
        double excess = 0.0;
        for (size_t l = 0; l < found.n; l++) {
            double sum = 0.0, squares = 1e-300;
            for (size_t i = 0; i < N; i++) {
                sum += weight[i]*(e[k][i] - e[l][i]);
                squares += weight[i]*(e[k][i] - e[l][i])*(e[k][i] - e[l][i]);
            }
            if (learns[l] <= learns[k] && sum/sqrt(squares) > excess) excess = sum/sqrt(squares);
        }
        CHECK_NEAR(t->excess, excess, 1e-12);
        if (excess > most) most = excess;
        if (t->score - learns[k] > best && excess <= 2.0) { best = t->score - learns[k]; which = k; }
    }
    CHECK(found.tried[0].excess == 0.0 && most > 1.0);
    CHECK_SIZE(found.best, which);
    CHECK(!strcmp(found.text, found.tried[which].text));
    auto_free(&data);
}

/* Scores of rows left out: those of a fit to the others. The rows are not known, but their number and the seed are. */
TEST(auto_slm, the_same_again)
{
    bln_auto_basis_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.budget = 2e9;
    const bln_data data = auto_rows(500, 2, AUTO_WAVE, 0.1, 13);
    const bln_auto_basis first = auto_slm_of(NULL, &desc, &data), again = auto_slm_of(NULL, &desc, &data);
    desc.seed = 1;
    const bln_auto_basis other = auto_slm_of(NULL, &desc, &data);
    CHECK(auto_same(&first, &again));
    CHECK(first.tried[0].score != other.tried[0].score);                       /* other rows */
    CHECK(auto_has(&other, "gp:") == auto_has(&first, "gp:"));
    auto_free(&data);
}

/* The unit of y changes no choice: the evidence moves by n log 1000, the rest by rounding. A search that ends on a plateau far
 * below the best, where the process explains nothing, stops where rounding lets it: such a score is held to a nat only. */
TEST(auto_slm, another_unit_of_y)
{
    const bln_data data = auto_rows(60, 2, AUTO_WAVE, 0.2, 17);
    const bln_auto_basis found = auto_slm_of(NULL, NULL, &data);
    double *y = test_doubles(60);
    bln_data large = data;
    for (size_t i = 0; i < 60; i++) y[i] = 1000.0*data.y[i];
    large.y = y;
    const bln_auto_basis scaled = auto_slm_of(NULL, NULL, &large);
    CHECK(!strcmp(scaled.text, found.text));
    CHECK_SIZE(scaled.n, found.n);
    for (size_t k = 0; k < found.n && k < scaled.n; k++)
        CHECK_NEAR(scaled.tried[k].score + 60.0*log(1000.0), found.tried[k].score,
            found.tried[k].score > found.tried[found.best].score - 10.0 ? 1e-3 : 1.0);
    auto_free(&data);
    free(y);
}

/* All columns of the data travel with the rows that are drawn: weights, noise variances, offsets, and strides. A row in ten has a
 * target that is off, and says so by its noise variance; offsets take back what was added to y. */
TEST(auto_slm, columns_travel)
{
    enum { N = 400, D = 2, LD = 3 };
    bln_auto_basis_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.budget = 2e9;
    const bln_data plain = auto_rows(N, D, AUTO_LINE, 0.1, 19);
    bln_data data = plain;
    double *X = test_doubles(N*LD), *y = test_doubles(N*LD), *v = test_doubles(N), *w = test_doubles(N), *o = test_doubles(N*LD);
    for (size_t i = 0; i < N; i++) {
        const double step = X[i*LD] = plain.X[i*D];
        X[i*LD + 1] = plain.X[i*D + 1];
        o[i*LD] = 40.0*sin(3.0*step);
        y[i*LD] = plain.y[i] + o[i*LD] + (i % 10 == 3 ? 30.0*sin(5.0*step) : 0.0);
        v[i] = i % 10 == 3 ? 1e5 : 1.0;
        w[i] = i % 7 ? 1.0 : 2.0;
    }
    data.X = X; data.ldx = LD; data.y = y; data.ldy = LD; data.offset = o; data.ldoffset = LD; data.noise_var = v; data.weight = w;
    const bln_auto_basis found = auto_slm_of(NULL, &desc, &data);
    CHECK(!strcmp(found.text, "linear"));
    data.noise_var = NULL;
    const bln_auto_basis wild = auto_slm_of(NULL, &desc, &data);
    CHECK(wild.tried[0].score < found.tried[0].score - 100.0);
    auto_free(&plain);
    free(X); free(y); free(v); free(w); free(o);
}

TEST(auto_slm, several_outputs)
{
    bln_slm_desc model;
    memset(&model, 0, sizeof model);
    model.n_outputs = 2;
    const bln_data one = auto_rows(60, 2, AUTO_WAVE, 0.1, 23), two = auto_rows(60, 2, AUTO_LINE, 0.1, 23);
    double *y = test_doubles(120);
    bln_data data = one;
    for (size_t i = 0; i < 60; i++) { y[2*i] = one.y[i]; y[2*i + 1] = two.y[i]; }
    data.y = y;
    data.p = 2;
    const bln_auto_basis found = auto_slm_of(&model, NULL, &data);
    CHECK(auto_has(&found, "gp:") && auto_has(&found, "+linear"));
    auto_free(&one);
    auto_free(&two);
    free(y);
}

/* Without noise no row of a smooth process can be left out to the digits of a double: such a process is not out, nor does it rule
 * out others. Rougher ones leave residuals, which are compared. */
TEST(auto_slm, errors_that_are_not_known)
{
    bln_data data = auto_rows(40, 1, AUTO_WAVE, 0.0, 31);
    for (size_t i = 0; i < 40; i++) {
        const double x = ((double *)data.X)[i] = 0.1*(double)i - 2.0;
        ((double *)data.y)[i] = sin(x);
    }
    const bln_auto_basis found = auto_slm_of(NULL, NULL, &data);
    CHECK(auto_has(&found, "gp:kernel=rbf+"));
    CHECK(!strcmp(found.tried[1].text, "gp:kernel=rbf+linear") && found.tried[1].excess == 0.0);
    CHECK(!strcmp(found.tried[9].text, "gp:kernel=laplace1+linear") && found.tried[9].excess > 1.0);
    auto_free(&data);
}

/* Weights over twelve decades, where roundings hide which row is which: the evidence decides. */
TEST(auto_slm, weights_of_many_decades)
{
    double weight[30];
    for (uint64_t salt = 0; salt < 20; salt++) {
        bln_data data = auto_rows(30, 1, AUTO_WAVE, 0.3, 1000 + salt);
        for (size_t i = 0; i < 30; i++) weight[i] = pow(10.0, 12.0*((double)((7*i) % 30)/29.0 - 0.5));
        data.weight = weight;
        const bln_auto_basis found = auto_slm_of(NULL, NULL, &data);
        CHECK(found.tried[found.best].excess <= 2.0);
        auto_free(&data);
    }
}

/* What is a line, and what is noise, is chosen as the evidence alone does: a process that learns the noise has less error of rows
 * that were there when it learnt. */
TEST(auto_slm, lines_and_noise)
{
    for (uint64_t salt = 0; salt < 40; salt++) {
        const size_t d = 1 + salt % 2;
        const bln_data data = auto_rows(40, d, AUTO_LINE, 0.5, 2000 + salt);
        for (size_t i = 0; i < 40 && salt % 4 > 1; i++)
            for (size_t j = 0; j < d; j++) ((double *)data.y)[i] -= (j % 2 ? -1.1 : 1.7)*data.X[i*d + j];
        const bln_auto_basis found = auto_slm_of(NULL, NULL, &data);
        size_t best = 0;
        for (size_t k = 1; k < found.n; k++)
            if (found.tried[k].score - found.tried[k].penalty > found.tried[best].score - found.tried[best].penalty) best = k;
        CHECK_SIZE(found.best, best);
        auto_free(&data);
    }
}

TEST(auto_slm, few_rows)
{
    for (size_t n = 2; n <= 5; n++) {
        const bln_data data = auto_rows(n, 2, AUTO_LINE, 0.3, 29);
        const bln_auto_basis found = auto_slm_of(NULL, NULL, &data);
        CHECK(auto_has(&found, "linear") || auto_has(&found, "bias"));
        auto_free(&data);
    }
}

static bln_status auto_slm_stop(void *user, const bln_slm_progress *now)
{
    (void)now;
    return ++*(size_t *)user > 25 ? BLN_ESTOPPED : BLN_OK;
}

TEST(auto_slm, errors)
{
    bln_auto_basis found;
    bln_auto_basis_desc desc;
    bln_slm_desc model;
    bln_report report;
    double theta = 1.0, same[30];
    size_t steps = 0;
    memset(&found, 7, sizeof found);
    const bln_auto_basis before = found;
    bln_data data = auto_rows(30, 2, AUTO_WAVE, 0.1, 31);
    CHECK_STATUS(bln_auto_basis_slm(NULL, NULL, NULL, &found, &report), BLN_EINVAL);
    CHECK_STATUS(bln_auto_basis_slm(NULL, NULL, &data, NULL, &report), BLN_EINVAL);
    memset(&desc, 0, sizeof desc);
    desc.budget = -1.0;
    CHECK_STATUS(bln_auto_basis_slm(NULL, &desc, &data, &found, &report), BLN_EINVAL);
    desc.budget = NAN;
    CHECK_STATUS(bln_auto_basis_slm(NULL, &desc, &data, &found, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "budget");
    for (int k = 0; k < 11; k++) {
        memset(&model, 0, sizeof model);
        if (k == 0) model.theta = &theta;
        if (k == 1) model.prior_var = &theta;
        if (k == 2) model.per_weight = 1;
        if (k == 3) model.fix_theta = 1;
        if (k == 4) model.fix_prior_var = 1;
        if (k == 5) model.warm_start = 1;
        if (k == 6) model.form = BLN_SLM_PRIMAL;
        if (k == 7) model.arithmetic = BLN_SLM_QR;
        if (k == 8) model.optimiser = BLN_SLM_EM;
        if (k == 9) model.residual = BLN_SLM_IGNORED;
        if (k == 10) model.n_outputs = 2;
        CHECK_STATUS(bln_auto_basis_slm(&model, NULL, &data, &found, &report), k == 10 ? BLN_ESHAPE : BLN_EINVAL);
        CHECK(report.text[0]);
    }
    memset(&model, 0, sizeof model);
    model.monitor = auto_slm_stop;
    model.monitor_user = &steps;
    CHECK_STATUS(bln_auto_basis_slm(&model, NULL, &data, &found, &report), BLN_ESTOPPED);
    for (size_t i = 0; i < 30; i++) same[i] = 4.0;
    const double *y = data.y;
    data.y = same;
    CHECK_STATUS(bln_auto_basis_slm(NULL, NULL, &data, &found, &report), BLN_EUNDEFINED);
    CHECK(report.text[0]);
    same[7] = NAN;
    CHECK_STATUS(bln_auto_basis_slm(NULL, NULL, &data, &found, &report), BLN_EDATA);
    CHECK_SIZE(report.row, 7);
    data.y = y;
    data.n = 0;
    CHECK_STATUS(bln_auto_basis_slm(NULL, NULL, &data, &found, &report), BLN_EINVAL);
    CHECK(!memcmp(&found, &before, sizeof found));
    auto_free(&data);
}

static bln_status auto_slm_sum(void *user, double *buf, size_t n) { (void)user; (void)buf; (void)n; return BLN_OK; }

/* Double arithmetic may be asked for, sums over processes not. */
TEST(auto_slm, what_a_model_may_say)
{
    bln_slm_desc model = BLN_ZERO;
    bln_auto_basis found;
    bln_report report;
    const bln_data data = auto_rows(30, 2, AUTO_LINE, 0.1, 7);
    model.arithmetic = BLN_SLM_DOUBLE;
    CHECK_OK(bln_auto_basis_slm(&model, NULL, &data, &found, &report));
    CHECK(!strcmp(found.text, "linear"));
    model.allreduce = auto_slm_sum;
    CHECK_STATUS(bln_auto_basis_slm(&model, NULL, &data, &found, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "allreduce");
    auto_free(&data);
}

/* Each allocation fails once: an error, no leak, and then success. */
TEST(auto_slm, out_of_memory)
{
    test_heap heap;
    bln_auto_basis_desc desc;
    bln_slm_desc model;
    bln_auto_basis found;
    memset(&desc, 0, sizeof desc);
    memset(&model, 0, sizeof model);
    desc.alloc = model.alloc = test_heap_allocator(&heap);
    desc.budget = 3e7;
    model.max_iterations = 2;
    const bln_data data = auto_rows(60, 3, AUTO_WAVE, 0.1, 37);
    bln_status status = BLN_ENOMEM;
    size_t tries = 0;
    for (; status == BLN_ENOMEM && tries < 2000; tries++) {
        heap.calls = 0;
        heap.fail_at = tries;
        status = bln_auto_basis_slm(&model, &desc, &data, &found, NULL);
        CHECK_SIZE(heap.live, 0);
    }
    CHECK_STATUS(status, BLN_OK);
    CHECK(tries > 20 && found.tried[found.n - 1].left_out > 0);
    auto_free(&data);
}

SUITE_BEGIN(auto_slm)
    SUITE_TEST(auto_slm, a_plane_is_linear)
    SUITE_TEST(auto_slm, a_wave_is_a_process)
    SUITE_TEST(auto_slm, many_rows_have_features)
    SUITE_TEST(auto_slm, many_rows_of_a_plane)
    SUITE_TEST(auto_slm, without_inputs)
    SUITE_TEST(auto_slm, the_table_is_that_of_fits_by_hand)
    SUITE_TEST(auto_slm, the_same_again)
    SUITE_TEST(auto_slm, another_unit_of_y)
    SUITE_TEST(auto_slm, columns_travel)
    SUITE_TEST(auto_slm, several_outputs)
    SUITE_TEST(auto_slm, errors_that_are_not_known)
    SUITE_TEST(auto_slm, weights_of_many_decades)
    SUITE_TEST(auto_slm, lines_and_noise)
    SUITE_TEST(auto_slm, few_rows)
    SUITE_TEST(auto_slm, errors)
    SUITE_TEST(auto_slm, what_a_model_may_say)
    SUITE_TEST(auto_slm, out_of_memory)
SUITE_END(auto_slm)
