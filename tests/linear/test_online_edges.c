/* test_online_edges - statistics and the model of one row at a time where few rows lead: before weights are determined, rows that
 * leave nothing behind, sums beyond doubles, and objects of other bases that look alike */
#include "slm_tools.h"
#include "sine_tools.h"
#include "../core/ranks_tools.h"

static bln_sequential *online_new(const bln_basis *b, double noise_var, const double *prior)
{
    bln_sequential_desc d = BLN_ZERO;
    bln_sequential *t = NULL;
    d.basis = b;
    d.noise_var = noise_var;
    d.prior_var = prior;
    CHECK_OK(bln_sequential_create(&d, &t, NULL));
    if (!t) exit(1);
    return t;
}

/* Each forecast may be asked for alone, before flat weights are determined and after: two rows, then one at the same place as the
 * first. With a flat line through (1, 2) and (3, 6) the forecast at x = 1 is 2, of variance 2 sigma^2. */
TEST(online_edges, forecasts_alone)
{
    static const double X[3] = { 1.0, 3.0, 1.0 }, y[3] = { 2.0, 6.0, 2.5 };
    const double flat[1] = { HUGE_VAL };
    bln_basis *b = slm_parse("linear", 1, 1);
    const bln_data rows = slm_view(3, 1, X, y);
    for (int which = 0; which < 4; which++) {
        bln_sequential *t = online_new(b, 0.7, flat);
        double out[3] = { -9.0, -9.0, -9.0 };
        CHECK_OK(bln_sequential_add(t, &rows, which == 0 ? out : NULL, which == 1 ? out : NULL, which == 2 ? out : NULL, NULL));
        const double want = which == 0 ? 2.0 : which == 1 ? 1.4 : -0.5*(log(2.0*3.14159265358979323846*1.4) + 0.25/1.4);
        if (which == 1) CHECK(out[0] == HUGE_VAL && out[1] == HUGE_VAL);
        else if (which < 3) CHECK(out[0] != out[0] && out[1] != out[1]);
        if (which < 3) CHECK_REL(out[2], want, 1e-13);
        else CHECK(out[2] == -9.0);
        bln_sequential_free(t);
    }
    bln_basis_free(b);
}

/* A row whose features are 0 says something of the noise alone. Taken out, it leaves no residual at all: q is that of the others,
 * which is 0 in every digit. */
TEST(online_edges, nothing_is_left)
{
    static const double X[2] = { 0.0, 1.0 }, y[2] = { 3.0, 0.0 };
    const double prior[1] = { 2.0 };
    bln_basis *b = slm_parse("linear:ones=0", 1, 1);
    const bln_data both = slm_view(2, 1, X, y), first = slm_view(1, 1, X, y), second = slm_view(1, 1, X + 1, y + 1);
    bln_sequential *t = online_new(b, 1.0, prior), *only = online_new(b, 1.0, prior);
    CHECK_OK(bln_sequential_add(t, &both, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_sequential_remove(t, &first, NULL));
    CHECK_OK(bln_sequential_add(only, &second, NULL, NULL, NULL, NULL));
    CHECK_NEAR(bln_sequential_evidence(t), bln_sequential_evidence(only), 1e-15);
    bln_sequential_free(t);
    bln_sequential_free(only);
    bln_basis_free(b);
}

/* From a model whose prior variances are ratios to the noise: they become variances. */
TEST(online_edges, from_ratios)
{
    bln_data data = slm_make(20, 2, 9, 0);
    bln_basis *b = slm_parse("bias+linear:ones=0", 2, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    bln_sequential *t = NULL;
    desc.relative_prior = 1;
    bln_slm *slm = slm_fit(&desc, &data);
    CHECK_OK(bln_sequential_create_from(slm, &t, NULL));
    for (size_t s = 0; s < 2; s++)
        CHECK_REL(bln_sequential_prior_var(t)[s], bln_slm_prior_var(slm)[s]*bln_slm_noise_var(slm), 1e-15);
    CHECK_OK(bln_sequential_add(t, &data, NULL, NULL, NULL, NULL));
    CHECK_REL(bln_sequential_evidence(t), bln_slm_evidence(slm), 1e-12);
    bln_sequential_free(t);
    bln_slm_free(slm);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* Whatever differs keeps two apart: a flat prior from one of 1; and, should fingerprints ever agree by chance, sizes and theta. */
TEST(online_edges, alike_but_not_the_same)
{
    const double one[1] = { 1.0 }, flat[1] = { HUGE_VAL }, theta[1] = { 1.7 };
    bln_basis *line = slm_parse("linear", 1, 1), *wide = slm_parse("linear", 2, 1), *rbf = slm_parse("rbf:n=1", 1, 1);
    bln_basis *other = slm_parse("rbf:n=1", 1, 1);
    bln_sequential *t = online_new(line, 1.0, one), *u[4];
    bln_statistics *s[4] = { NULL, NULL, NULL, NULL };
    const bln_basis *bases[4];
    bln_report report;
    u[0] = online_new(line, 1.0, flat);
    u[1] = online_new(wide, 1.0, one);
    u[2] = online_new(rbf, 1.0, one);
    u[3] = online_new(line, 2.0, one);
    for (int k = 0; k < 4; k++) {
        u[k]->fingerprint = t->fingerprint;
        CHECK_STATUS(bln_sequential_merge(t, u[k], &report), BLN_ESHAPE);
        CHECK_TEXT(report.text, "of another basis, theta, noise variance or prior");
    }
    /* Read from a file of another noise variance, whose prior is the same. */
    unsigned char bytes[600];
    bln_memory_stream stream;
    bln_writer w = bln_memory_writer(&stream, bytes, sizeof bytes);
    CHECK_OK(bln_sequential_save(u[3], &w));
    bln_reader r = bln_memory_reader(&stream, bytes, (size_t)w.count, &report);
    CHECK_STATUS(bln_sequential_load(t, &r), BLN_ESHAPE);
    for (int k = 0; k < 4; k++) bln_sequential_free(u[k]);
    bln_sequential_free(t);
    /* The first of two parameters is another one. */
    const double a[2] = { 1.0, 2.0 }, first[2] = { 1.5, 2.0 };
    bln_basis *ard = slm_parse("rbf:n=1,ard", 2, 1);
    bln_sequential_desc d = BLN_ZERO;
    d.basis = ard;
    d.noise_var = 1.0;
    d.prior_var = one;
    d.theta = a;
    CHECK_OK(bln_sequential_create(&d, &t, NULL));
    d.theta = first;
    CHECK_OK(bln_sequential_create(&d, &u[0], NULL));
    w = bln_memory_writer(&stream, bytes, sizeof bytes);
    CHECK_OK(bln_sequential_save(u[0], &w));
    r = bln_memory_reader(&stream, bytes, (size_t)w.count, &report);
    CHECK_STATUS(bln_sequential_load(t, &r), BLN_ESHAPE);
    bln_sequential_free(u[0]);
    bln_sequential_free(t);
    bln_basis_free(ard);
    bases[0] = line;
    bases[1] = wide;
    bases[2] = rbf;
    bases[3] = other;
    for (int k = 0; k < 4; k++) {
        bln_statistics_desc of = BLN_ZERO;
        of.basis = bases[k];
        of.theta = k == 3 ? theta : NULL;
        CHECK_OK(bln_statistics_create(&of, &s[k], NULL));
        s[k]->fingerprint = 1;
    }
    for (int k = 1; k < 4; k++) CHECK_STATUS(bln_statistics_merge(s[k < 3 ? 0 : 2], s[k], &report), BLN_ESHAPE);
    for (int k = 0; k < 4; k++) bln_statistics_free(s[k]);
    bln_basis_free(line);
    bln_basis_free(wide);
    bln_basis_free(rbf);
    bln_basis_free(other);
}

/* Rows whose sums would leave the numbers are refused, by the column that is to blame, if one is: 1/noise_var alone, features of a
 * tiny weight, and a basis without inputs. */
TEST(online_edges, sums_beyond_doubles)
{
    static const struct { double x, y, v; size_t column; } c[] = {
        { 0.0, 0.0, 1e-300, 0 }, { 1e146, 1.0, 1e300, 0 }, { 1.0, 1e146, 1e300, 1 }, { 1e146, 0.0, 1.0, 0 } };
    bln_basis *plain = slm_parse("linear:ones=0", 1, 1), *bias = NULL;
    bln_statistics_desc d = BLN_ZERO;
    bln_statistics *t = NULL;
    bln_report report;
    d.basis = plain;
    CHECK_OK(bln_statistics_create(&d, &t, NULL));
    for (size_t k = 0; k < 4; k++) {
        bln_data row = slm_view(1, 1, &c[k].x, &c[k].y);
        row.noise_var = &c[k].v;
        CHECK_STATUS(bln_statistics_add(t, &row, &report), BLN_ENUMERIC);
        CHECK(report.row == 0 && report.column == c[k].column);
        CHECK(bln_statistics_rows(t) == 0.0);
    }
    const double nan = NAN, one = 1.0, tiny = 1e-300, both[2] = { 0.1, 0.2 };
    bln_data row = slm_view(1, 1, &one, &one);
    row.offset = &nan;
    CHECK_STATUS(bln_statistics_add(t, &row, &report), BLN_EDATA);
    row.offset = both;
    row.n_offset = 2;
    CHECK_STATUS(bln_statistics_add(t, &row, &report), BLN_ESHAPE);
    CHECK_TEXT(report.text, "another number of offsets");
    bln_statistics_free(t);
    CHECK_OK(bln_bias_create(NULL, &bias));
    d.basis = bias;
    CHECK_OK(bln_statistics_create(&d, &t, NULL));
    row = slm_view(1, 0, NULL, &one);
    row.noise_var = &tiny;
    CHECK_STATUS(bln_statistics_add(t, &row, &report), BLN_ENUMERIC);
    CHECK(report.row == 0 && report.column == BLN_NONE);
    bln_statistics_free(t);
    const bln_basis_ops ops = edges_ops();                       /* features that are made to be looked at: 0 of x = 0 */
    const edges_sine s = edges_of(&ops, BLN_PARAM_LOG, 1.0, 5.0, 3.0);
    const double zero = 0.0;
    d.basis = &s.base;
    CHECK_OK(bln_statistics_create(&d, &t, NULL));
    row = slm_view(1, 1, &zero, &zero);
    row.noise_var = &tiny;
    CHECK_STATUS(bln_statistics_add(t, &row, &report), BLN_ENUMERIC);
    bln_statistics_free(t);
    bln_basis_free(plain);
    bln_basis_free(bias);
}

/* 0.3 - 0.1 - 0.2 is -2^-55 in double: what is left after all rows were taken out is 0 rows. And a constant target has no
 * variance. */
TEST(online_edges, rounding_below_0)
{
    static const double zero = 0.0, w[3] = { 0.3, 0.1, 0.2 }, X[4] = { 1.0, 2.0, 3.0, 5.0 }, y[4] = { 2.385, 2.385, 2.385, 2.385 };
    bln_basis *b = slm_parse("linear", 1, 1);
    bln_statistics_desc d = BLN_ZERO;
    bln_statistics *t = NULL;
    bln_report report;
    d.basis = b;
    CHECK_OK(bln_statistics_create(&d, &t, NULL));
    for (int k = 0; k < 3; k++) {
        bln_data row = slm_view(1, 1, &zero, &zero);
        row.weight = w + k;
        if (k == 0) CHECK_OK(bln_statistics_add(t, &row, &report));
        else        CHECK_OK(bln_statistics_remove(t, &row, &report));
    }
    CHECK(bln_statistics_rows(t) == 0.0 && t->gram.omega == 0.0);
    const bln_data rows = slm_view(4, 1, X, y);
    CHECK_OK(bln_statistics_add(t, &rows, &report));
    CHECK_LE(blni_gram_target_variance(&t->gram, 0), DBL_EPSILON*2.385*2.385);
    bln_statistics_free(t);
    d.exact = 1;
    CHECK_OK(bln_statistics_create(&d, &t, NULL));
    CHECK_OK(bln_statistics_add(t, &rows, &report));
    if (blni_exact_available()) CHECK(blni_gram_target_variance(&t->gram, 0) <= 0.0);
    bln_statistics_free(t);
    bln_basis_free(b);
}

/* Exact sums over processes of numbers near the bottom of the range. */
typedef struct online_tiny { double G[2]; } online_tiny;
static void online_tiny_run(void *world, size_t rank, ranks_fake *fake)
{
    online_tiny *o = (online_tiny *)world;
    static const double x[2] = { 1.5e-125, 2.5e-125 }, y[2] = { 1.0e-125, -3.0e-125 };
    bln_basis *b = slm_parse("linear:ones=0", 1, 1);
    bln_statistics_desc d = BLN_ZERO;
    bln_statistics *t = NULL;
    bln_report report;
    d.basis = b;
    d.exact = 1;
    CHECK_OK(bln_statistics_create(&d, &t, NULL));
    const bln_data row = slm_view(1, 1, x + rank, y + rank);
    CHECK_OK(bln_statistics_add(t, &row, &report));
    blni_processes p = blni_processes_of(ranks_sum, fake);
    if (blni_gram_allreduce(&t->gram, &p, &report) == BLN_OK) o->G[rank] = blni_gram_square(&t->gram, 0);
    bln_statistics_free(t);
    bln_basis_free(b);
}
TEST(online_edges, tiny_sums_of_processes)
{
    online_tiny o = { { 0.0, 0.0 } };
    if (!blni_exact_available()) { CHECK(1); return; }
    CHECK(ranks_run(2, online_tiny_run, &o) != BLN_NONE);
    for (int rank = 0; rank < 2; rank++) CHECK_REL(o.G[rank], 8.5e-250, 4*DBL_EPSILON);
}

SUITE_BEGIN(online_edges)
SUITE_TEST(online_edges, forecasts_alone)
SUITE_TEST(online_edges, nothing_is_left)
SUITE_TEST(online_edges, from_ratios)
SUITE_TEST(online_edges, alike_but_not_the_same)
SUITE_TEST(online_edges, sums_beyond_doubles)
SUITE_TEST(online_edges, rounding_below_0)
SUITE_TEST(online_edges, tiny_sums_of_processes)
SUITE_END(online_edges)
