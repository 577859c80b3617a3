/* test_slm_object - the linear model's promises as an object: memory, failed allocations, errors, degenerate data, files */
#include "../test.h"
#include "slm_tools.h"
#include "posterior_of.h"

/* The block sizes that are promised are those that are taken, and a large fit stays below 60 MB. */
TEST(slm_object, memory)
{
    test_heap heap;
    bln_data data = slm_make(300, 4, 61, 0);
    for (int k = 0; k < 2; k++) {
        bln_basis *b = slm_parse(k ? "rbf:n=300,ard+linear" : "rbf:n=40,ard+linear", 4, 1);
        bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
        desc.alloc = test_heap_allocator(&heap);
        desc.max_iterations = 2;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_fit(slm, &data, NULL));
        CHECK_LE((double)heap.peak_bytes, (double)bln_slm_fit_size(&desc, 300));
        CHECK_LE(0.9*(double)bln_slm_fit_size(&desc, 300), (double)heap.peak_bytes);
        CHECK_SIZE(heap.live_bytes, bln_slm_size(&desc, 300));
        /* A prediction with its own workspace allocates nothing. */
        const size_t calls = heap.calls;
        double *work = test_doubles(bln_posterior_work(bln_slm_posterior(slm))), mean[300];
        CHECK_OK(total_of(bln_slm_posterior(slm), &data, mean, mean, mean, work, NULL));
        CHECK_SIZE(heap.calls, calls);
        free(work);
        bln_slm_free(slm);
        CHECK_SIZE(heap.live, 0);
        bln_basis_free(b);
    }
    bln_basis *b = slm_parse("rbf:n=512,ard", 21, 1);
    const bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
    CHECK_LE((double)bln_slm_fit_size(&desc, 100000), 60e6);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* Each allocation made to fail in turn: the right status, nothing leaked, the former fit untouched. */
TEST(slm_object, allocation_failures)
{
    test_heap heap;
    bln_data data = slm_make(40, 2, 71, 0);
    for (int k = 0; k < 2; k++) {
        bln_basis *b = slm_parse(k ? "rbf:n=30,ard+linear" : "rbf:n=5,ard+linear", 2, 1);
        bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
        desc.alloc = test_heap_allocator(&heap);
        desc.max_iterations = 2;
        desc.starts = 2;
        for (size_t at = 0;; at++) {
            bln_slm *slm = NULL;
            bln_report report;
            heap.calls = 0;
            heap.fail_at = at;
            bln_status status = bln_slm_create(&desc, &slm, &report);
            if (status == BLN_OK) status = bln_slm_fit(slm, &data, &report);
            if (status == BLN_OK) {
                double mean[40];
                status = total_of(bln_slm_posterior(slm), &data, mean, NULL, NULL, NULL, &report);
            }
            if (status == BLN_OK) {
                double sd[64];
                report.text[0] = 'x';
                status = sd_of(bln_slm_posterior(slm), sd);
            }
            CHECK(status == BLN_OK || (status == BLN_ENOMEM && report.text[0]));
            bln_slm_free(slm);
            CHECK_SIZE(heap.live, 0);
            if (status == BLN_OK) { CHECK(at > 3); break; }
        }
        /* Refit with failures: the first fit stays. */
        heap.fail_at = (size_t)-1;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_fit(slm, &data, NULL));
        const double kept = bln_slm_evidence(slm), m0 = gaussians_of(bln_slm_posterior(slm))->m[0];
        for (size_t at = 0; at < 4; at++) {
            heap.calls = 0;
            heap.fail_at = at;
            CHECK_STATUS(bln_slm_fit(slm, &data, NULL), BLN_ENOMEM);
            CHECK_NEAR(bln_slm_evidence(slm), kept, 0.0);
            CHECK_NEAR(gaussians_of(bln_slm_posterior(slm))->m[0], m0, 0.0);
        }
        bln_slm_free(slm);
        CHECK_SIZE(heap.live, 0);
        bln_basis_free(b);
    }
    slm_free_data(&data);
}

static bln_status slm_broken_reset(void *user, bln_report *report) { (void)user; (void)report; return BLN_OK; }
static bln_status slm_broken_next(void *user, size_t max_rows, bln_data *block, bln_report *report)
{
    (void)max_rows; (void)block; (void)report;
    return *(bln_status *)user;
}
static bln_status slm_oversized_next(void *user, size_t max_rows, bln_data *block, bln_report *report)
{
    (void)report;
    *block = *(bln_data *)user;
    block->n = max_rows + 1;
    return BLN_OK;
}

/* Every kind of bad input: the status, and a report that names the place. */
TEST(slm_object, errors)
{
    bln_data data = slm_make(20, 2, 81, 1), bad;
    double *X = (double *)data.X, *y = (double *)data.y, *v = (double *)data.noise_var, *w = (double *)data.weight,
        *o = (double *)data.offset, keep, mean[20];
    bln_basis *b = slm_parse("rbf:n=10,ard+linear", 2, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
    bln_report report;
    bln_slm *slm = NULL;

    CHECK_STATUS(bln_slm_create(NULL, &slm, &report), BLN_EINVAL);
    CHECK_STATUS(bln_slm_create(&desc, NULL, &report), BLN_EINVAL);
    bln_slm_desc wrong = desc;
    wrong.basis = NULL;
    CHECK_STATUS(bln_slm_create(&wrong, &slm, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "basis");
    wrong = desc; wrong.noise_var = -1.0;
    CHECK_TEXT(bln_slm_check(&wrong), "noise_var");
    wrong = desc; wrong.fix_noise_var = 1;
    CHECK_TEXT(bln_slm_check(&wrong), "noise_var");
    wrong = desc; wrong.fix_prior_var = 1;
    CHECK_TEXT(bln_slm_check(&wrong), "prior_var");
    const double nan2[2] = { 1.0, NAN };
    wrong = desc; wrong.prior_var = nan2;
    CHECK_TEXT(bln_slm_check(&wrong), "prior");
    wrong = desc; wrong.theta = nan2;
    CHECK_TEXT(bln_slm_check(&wrong), "theta");
    wrong = desc; wrong.tolerance = -1.0;
    CHECK_TEXT(bln_slm_check(&wrong), "tolerance");
    wrong = desc; wrong.form = (bln_slm_form)7;
    CHECK_TEXT(bln_slm_check(&wrong), "form");
    wrong = desc; wrong.alloc.alloc = test_heap_alloc;
    CHECK_TEXT(bln_slm_check(&wrong), "allocator");
    CHECK(bln_slm_check(&desc) == NULL);

    slm = slm_new(&desc);
    CHECK_STATUS(total_of(bln_slm_posterior(slm), &data, mean, NULL, NULL, NULL, &report), BLN_ESTATE);
    CHECK_STATUS(bln_slm_step(slm, &report), BLN_ESTATE);
    CHECK_STATUS(bln_slm_finish(slm, &report), BLN_ESTATE);
    CHECK_STATUS(sd_of(bln_slm_posterior(slm), mean), BLN_ESTATE);
    CHECK(gaussians_of(bln_slm_posterior(slm)) == NULL && bln_slm_theta(slm) == NULL &&
        bln_slm_noise_var(slm) != bln_slm_noise_var(slm));
    bln_writer counter = bln_writer_over(NULL, NULL);
    CHECK_STATUS(bln_slm_save(slm, &counter), BLN_ESTATE);

    CHECK_STATUS(bln_slm_fit(slm, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_slm_fit(NULL, &data, &report), BLN_EINVAL);
    bad = data; bad.n = 0;
    CHECK_STATUS(bln_slm_fit(slm, &bad, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "no rows");
    bad = data; bad.d = 3;
    bad.ldx = 3; bad.n = 13;
    CHECK_STATUS(bln_slm_fit(slm, &bad, &report), BLN_ESHAPE);
    CHECK_TEXT(report.text, "slm: data have another number of columns than the basis: 3 instead of 2");
    bad = data; bad.trials = w;                                                  /* as predictions do */
    CHECK_STATUS(bln_slm_fit(slm, &bad, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "data: there are no trials with normal noise");
    bad = data; bad.y = NULL;
    CHECK_STATUS(bln_slm_fit(slm, &bad, &report), BLN_EINVAL);
    bad = data; bad.X = NULL;
    CHECK_STATUS(bln_slm_fit(slm, &bad, &report), BLN_EINVAL);
    bad = data; bad.ldx = 1;
    CHECK_STATUS(bln_slm_fit(slm, &bad, &report), BLN_EINVAL);

    keep = X[2*7 + 1]; X[2*7 + 1] = NAN;
    CHECK_STATUS(bln_slm_fit(slm, &data, &report), BLN_EDATA);
    CHECK_SIZE(report.row, 7);
    CHECK_SIZE(report.column, 1);
    CHECK_TEXT(report.text, "row 7, column 1");
    X[2*7 + 1] = keep;
    keep = y[4]; y[4] = HUGE_VAL;
    CHECK_STATUS(bln_slm_fit(slm, &data, &report), BLN_EDATA);
    CHECK_SIZE(report.row, 4);
    y[4] = keep;
    keep = v[5]; v[5] = 0.0;
    CHECK_STATUS(bln_slm_fit(slm, &data, &report), BLN_EDOMAIN);
    CHECK_SIZE(report.row, 5);
    v[5] = keep;
    keep = w[6]; w[6] = -1.0;
    CHECK_STATUS(bln_slm_fit(slm, &data, &report), BLN_EDOMAIN);
    CHECK_SIZE(report.row, 6);
    w[6] = keep;
    keep = o[8]; o[8] = NAN;
    CHECK_STATUS(bln_slm_fit(slm, &data, &report), BLN_EDATA);
    CHECK_SIZE(report.row, 8);
    o[8] = keep;
    bad = data;
    double zero[20], same[20];
    for (size_t i = 0; i < 20; i++) { zero[i] = 0.0; same[i] = 2.385; }
    bad.weight = zero;
    CHECK_STATUS(bln_slm_fit(slm, &bad, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "weight 0");
    bad = data; bad.y = same; bad.offset = NULL;
    CHECK_STATUS(bln_slm_fit(slm, &bad, &report), BLN_EUNDEFINED);
    for (size_t i = 0; i < 20; i++) same[i] = i % 2 ? 1e200 : -1e200;
    CHECK_STATUS(bln_slm_fit(slm, &bad, &report), BLN_ENUMERIC);

    double value, prior[2] = { 1.0, 1.0 }, theta[2] = { 1.0, 1.0 };
    CHECK_STATUS(bln_slm_evidence_at(slm, &data, 0.0, prior, theta, &value, NULL, NULL, NULL, &report), BLN_EDOMAIN);
    CHECK_STATUS(bln_slm_evidence_at(slm, &data, 1.0, NULL, theta, &value, NULL, NULL, NULL, &report), BLN_EINVAL);
    prior[1] = -1.0;
    CHECK_STATUS(bln_slm_evidence_at(slm, &data, 1.0, prior, theta, &value, NULL, NULL, NULL, &report), BLN_EDOMAIN);

    bln_source source;
    bln_status answer = BLN_EIO;
    memset(&source, 0, sizeof source);
    source.d = 2;
    CHECK_STATUS(bln_slm_fit_source(slm, &source, &report), BLN_EINVAL);
    source.reset = slm_broken_reset;
    source.next = slm_broken_next;
    source.user = &answer;
    CHECK_STATUS(bln_slm_fit_source(slm, &source, &report), BLN_EIO);
    answer = BLN_ENOTPD;                                        /* a source's status is passed on, whatever it is */
    CHECK_STATUS(bln_slm_fit_source(slm, &source, &report), BLN_ENOTPD);
    source.next = slm_oversized_next;
    source.user = &data;
    CHECK_STATUS(bln_slm_fit_source(slm, &source, &report), BLN_ESHAPE);

    CHECK_OK(bln_slm_fit(slm, &data, &report));
    bad = data; bad.d = 1;
    CHECK_STATUS(total_of(bln_slm_posterior(slm), &bad, mean, NULL, NULL, NULL, &report), BLN_ESHAPE);
    keep = X[3]; X[3] = NAN;
    CHECK_STATUS(total_of(bln_slm_posterior(slm), &data, mean, NULL, NULL, NULL, &report), BLN_EDATA);
    CHECK_SIZE(report.row, 1);
    X[3] = keep;
    bad = data; bad.n = 0;
    CHECK_OK(total_of(bln_slm_posterior(slm), &bad, mean, NULL, NULL, NULL, &report));
    bln_slm_free(slm);
    bln_slm_free(NULL);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* What is finite but has no finite square: the first row and column of it, in words; in all forms, and nothing changes. */
TEST(slm_object, overflow_is_located)
{
    static const char *const specs[3] = { "polynomial:degree=3", "linear", "rbf:n=8+polynomial:degree=2,cols=1" };
    static const double large[3] = { 1e60, 1e170, 1e90 };
    for (int k = 0; k < 3; k++)
        for (int form = 0; form < 5; form++) {
            bln_data data = slm_make(20, 2, 83, 0);
            double *X = (double *)data.X, *y = (double *)data.y, value, one[2] = { 1.0, 1.0 };
            const double flat[2] = { HUGE_VAL, HUGE_VAL };
            bln_basis *b = slm_parse(specs[k], 2, 1);
            bln_slm_desc desc = slm_desc(b, form == 1 ? BLN_SLM_DUAL : BLN_SLM_PRIMAL);
            bln_report report;
            desc.block = 6;
            desc.arithmetic = form == 2 && k != 2 ? BLN_SLM_EXACT : BLN_SLM_DOUBLE;
            if (form == 3 && k == 1) desc.prior_var = flat;
            if (form == 4) { desc.prior_var = one; desc.noise_var = 1.0; }
            desc.fix_prior_var = desc.fix_noise_var = desc.fix_theta = form == 4;
            bln_slm *slm = slm_new(&desc);
            CHECK_OK(bln_slm_fit(slm, &data, NULL));
            const double evidence = bln_slm_evidence(slm);

            X[2*13 + 1] = -large[k];
            X[2*17] = large[k];                                /* comes later */
            CHECK_STATUS(bln_slm_fit(slm, &data, &report), BLN_ENUMERIC);
            CHECK_SIZE(report.row, 13);
            CHECK_SIZE(report.column, 1);
            CHECK_TEXT(report.text, "scale the inputs, row 13, column 1, feature ");
            CHECK_TEXT(report.text, k == 0 ? "x1^3" : k == 1 ? "x1" : "x1^2");
            CHECK_STATUS(bln_slm_evidence_at(slm, &data, 1.0, one, one, &value, NULL, NULL, NULL, &report), BLN_ENUMERIC);
            CHECK_SIZE(report.row, 13);
            CHECK_SIZE(report.column, 1);
            X[2*13 + 1] = X[2*17] = 0.5;
            y[8] = -1e170;
            CHECK_STATUS(bln_slm_fit(slm, &data, &report), BLN_ENUMERIC);
            CHECK_SIZE(report.row, 8);
            CHECK_SIZE(report.column, 2);
            CHECK_TEXT(report.text, "scale y");
            CHECK_NEAR(bln_slm_evidence(slm), evidence, 0.0);
            bln_slm_free(slm);
            bln_basis_free(b);
            slm_free_data(&data);
        }

    /* Sums of weights, and the same from statistics. */
    bln_data data = slm_make(20, 2, 83, 1);
    double *w = (double *)data.weight, *y = (double *)data.y, *X = (double *)data.X;
    bln_basis *b = slm_parse(specs[0], 2, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    bln_statistics_desc td = BLN_ZERO;
    bln_statistics *t = NULL;
    bln_slm *slm = slm_new(&desc);
    bln_report report;
    w[11] = w[12] = 1.5e308;
    CHECK_STATUS(bln_slm_fit(slm, &data, &report), BLN_ENUMERIC);
    CHECK(report.row == 11 || report.row == 12);               /* as its 1/v decides */
    CHECK_TEXT(report.text, "weights");
    w[11] = w[12] = 1.0;
    td.basis = b;
    CHECK_OK(bln_statistics_create(&td, &t, NULL));
    X[2*13 + 1] = 1e60;
    CHECK_STATUS(bln_statistics_add(t, &data, &report), BLN_ENUMERIC);
    CHECK(report.row == 13 && report.column == 1);
    CHECK_TEXT(report.text, "scale the inputs");
    X[2*13 + 1] = 0.0;
    y[4] = 1e200;
    CHECK_STATUS(bln_statistics_add(t, &data, &report), BLN_ENUMERIC);
    CHECK(report.row == 4 && report.column == 2);
    CHECK_NEAR(bln_statistics_rows(t), 0.0, 0.0);
    bln_statistics_free(t);
    bln_slm_free(slm);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* Degenerate but legal data: one feature constant, one row, repeated rows, a huge or tiny scale of X. */
TEST(slm_object, degenerate_data)
{
    bln_data data = slm_make(25, 2, 91, 0), one = data;
    double *X = (double *)data.X, mean[25], var[25];
    bln_basis *b = slm_parse("rbf:n=10,ard+linear", 2, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
    bln_slm *slm = slm_new(&desc);
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < 25; i++) X[2*i] = k == 0 ? 5.0 : k == 1 ? 1e-9*(double)i : 1e9*(double)i;
        CHECK_OK(bln_slm_fit(slm, &data, NULL));
        CHECK_OK(total_of(bln_slm_posterior(slm), &data, mean, NULL, var, NULL, NULL));
        for (size_t i = 0; i < 25; i++) CHECK(mean[i] - mean[i] == 0.0 && var[i] > 0.0);
    }
    bln_slm_desc fixed = desc;
    fixed.noise_var = 0.1;
    fixed.fix_noise_var = 1;
    one.n = 1;
    bln_slm *single = slm_new(&fixed);
    CHECK_OK(bln_slm_fit(single, &one, NULL));
    CHECK_OK(total_of(bln_slm_posterior(single), &one, mean, NULL, var, NULL, NULL));
    CHECK(mean[0] - mean[0] == 0.0 && var[0] >= 0.1);
    bln_slm_free(single);
    bln_slm_free(slm);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* Written and read back: the same predictions bit for bit, in both forms of the posterior. */
TEST(slm_object, save_and_load)
{
    bln_data data = slm_make(30, 2, 95, 0);
    for (int k = 0; k < 2; k++) {
        bln_basis *b = slm_parse(k ? "rbf:n=30,ard+linear" : "matern32:n=4,cols=1+polynomial:degree=2", 2, 1);
        bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
        desc.max_iterations = 5;
        bln_slm *slm = slm_new(&desc), *back = NULL;
        CHECK_OK(bln_slm_fit(slm, &data, NULL));
        bln_writer counter = bln_writer_over(NULL, NULL);
        CHECK_OK(bln_slm_save(slm, &counter));
        const size_t size = (size_t)counter.count;
        unsigned char *bytes = (unsigned char *)malloc(size);
        bln_memory_stream stream;
        bln_writer w = bln_memory_writer(&stream, bytes, size);
        CHECK_OK(bln_slm_save(slm, &w));
        bln_report report;
        bln_reader r = bln_memory_reader(&stream, bytes, size, &report);
        CHECK_OK(bln_slm_load(test_all(), &r, &back));
        double m1[30], m2[30], v1[30], v2[30];
        CHECK_OK(total_of(bln_slm_posterior(slm), &data, m1, NULL, v1, NULL, NULL));
        CHECK_OK(total_of(bln_slm_posterior(back), &data, m2, NULL, v2, NULL, NULL));
        for (size_t i = 0; i < 30; i++) { CHECK_NEAR(m2[i], m1[i], 0.0); CHECK_NEAR(v2[i], v1[i], 0.0); }
        CHECK_NEAR(bln_slm_evidence(back), bln_slm_evidence(slm), 0.0);
        CHECK_OK(bln_slm_fit(back, &data, NULL));          /* a loaded model can be fitted again */
        bln_slm_free(back);
        for (size_t cut = 0; cut < size; cut += 1 + size/200) {
            bln_reader shorter = bln_memory_reader(&stream, bytes, cut, &report);
            back = NULL;
            CHECK(bln_slm_load(test_all(), &shorter, &back) != BLN_OK);
            CHECK(back == NULL);
        }
        free(bytes);
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    slm_free_data(&data);
}

SUITE_BEGIN(slm_object)
SUITE_TEST(slm_object, memory)
SUITE_TEST(slm_object, allocation_failures)
SUITE_TEST(slm_object, errors)
SUITE_TEST(slm_object, overflow_is_located)
SUITE_TEST(slm_object, degenerate_data)
SUITE_TEST(slm_object, save_and_load)
SUITE_END(slm_object)
