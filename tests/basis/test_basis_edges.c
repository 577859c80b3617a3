/* test_basis_edges - bases at their edges: tables of functions that are not whole, names and parameters of nothing, numbers beyond
 * doubles, sizes beyond memory, and texts that nobody should write */
#include "basis_tools.h"

/* ---- a basis of the tests: D features that are all 1, with what the test gives it */
static void edges_ones(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *Phi, size_t ldphi,
                       double *work)
{
    (void)theta; (void)X; (void)ldx; (void)work;
    for (size_t i = 0; i < n; i++) for (size_t j = 0; j < b->D; j++) Phi[i*ldphi + j] = 1.0;
}
static int edges_no_gram(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *K, size_t ldk,
                         double *work)
{
    (void)b; (void)theta; (void)n; (void)X; (void)ldx; (void)K; (void)ldk; (void)work;
    return 0;
}
static size_t edges_far_slice(const bln_basis *b, size_t s) { return s*b->D; }
static void edges_theta(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    (void)b; (void)inputs;
    out->kind = k == 0 ? BLN_PARAM_INTERVAL : k == 1 ? BLN_PARAM_POSITIVE : BLN_PARAM_REAL;
    out->lo = 1.0;
    out->hi = 2.0;
    out->start = 1.5;
}
static int edges_theta_low(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, const double *Phi,
                           size_t ldphi, double *Low, size_t ldlow, double *work)
{
    (void)X; (void)ldx; (void)Phi; (void)ldphi; (void)work;
    for (size_t i = 0; i < n; i++) for (size_t j = 0; j < b->D; j++) Low[i*ldlow + j] = 1e-20*theta[0];
    return 1;
}
static bln_basis edges_basis(const bln_basis_ops *ops, size_t D, size_t n_theta, size_t n_slices)
{
    bln_basis b;
    memset(&b, 0, sizeof b);
    b.ops = ops;
    b.d = 1;
    b.D = D;
    b.n_theta = n_theta;
    b.n_slices = n_slices;
    return b;
}
static bln_basis_ops basis_edges_ops(void)
{
    bln_basis_ops ops;
    memset(&ops, 0, sizeof ops);
    ops.name = "edges";
    ops.features = edges_ones;
    return ops;
}

TEST(basis_edges, tables_that_are_not_whole)
{
    const double inside[3] = { 1.2, 0.1, -4.0 };
    static const struct { double theta[3]; int good; } t[] = {
        { { 1.2, 0.1, -4.0 }, 1 }, { { 1.0, 0.1, 0.0 }, 0 }, { { 2.0, 0.1, 0.0 }, 0 }, { { 1.5, 0.0, 0.0 }, 0 } };
    bln_basis_ops ops = basis_edges_ops(), none;
    bln_basis b = edges_basis(&ops, 3, 0, 1), nothing = edges_basis(NULL, 1, 0, 1);
    char name[32] = "unchanged";
    double Phi[6], low[6];
    bln_basis_free(&nothing);                                    /* a basis without a table has nothing to free */
    bln_basis_free(&b);
    CHECK(bln_basis_check(&b) == NULL);
    ops.gram = edges_no_gram;
    CHECK_TEXT(bln_basis_check(&b), "ops->gram and ops->gram_pullback must come together");
    ops.gram = NULL;
    ops.slice = edges_far_slice;
    b.n_slices = 2;
    CHECK_TEXT(bln_basis_check(&b), "slices must begin at 0 and increase");
    bln_basis_slice_name(&b, 1, NULL, name, sizeof name);
    CHECK(!strcmp(name, "edges1"));                              /* slices without names are numbered */
    b.n_slices = 1;
    bln_basis_slice_name(&b, 0, NULL, name, 0);
    bln_basis_feature_name(&b, 0, NULL, name, 0);
    CHECK(!strcmp(name, "edges1"));
    /* No rows: nothing is asked of a table that would fail. */
    memset(&none, 0, sizeof none);
    const bln_basis empty = edges_basis(&none, 1, 0, 1);
    bln_basis_features(&empty, NULL, 0, NULL, 1, NULL, 1, NULL);
    CHECK(!blni_basis_kernel(&empty, 0, NULL, NULL, 0, NULL, 1, NULL, NULL));
    CHECK(blni_basis_bound(&empty, NULL, 0, NULL, 1, NULL) == HUGE_VAL);
    CHECK(bln_basis_save(&b, NULL) == BLN_EINVAL);
    /* Domains of parameters of every kind. */
    ops.param = edges_theta;
    b.n_theta = 3;
    CHECK(blni_theta_usable(&b, inside));
    for (size_t k = 0; k < sizeof t/sizeof *t; k++) CHECK(blni_theta_usable(&b, t[k].theta) == t[k].good);
    /* Rounding errors of features with parameters, in a sum. */
    bln_basis *part[2], *sum = NULL;
    ops.features_low = edges_theta_low;
    b.n_theta = 1;
    part[0] = &b;
    CHECK_OK(bln_linear_create(NULL, 1, 1, &part[1]));
    CHECK_OK(bln_basis_sum(NULL, 2, part, &sum, NULL));
    const double x[1] = { 0.3 };
    basis_tools_features(sum, inside, 1, x, 1, Phi, 5);
    if (blni_basis_features_low(sum, inside, 1, x, 1, Phi, 5, low, 5, NULL))
        CHECK(low[0] == 1.2e-20 && low[2] == 1.2e-20 && low[3] == 0.0 && low[4] == 0.0);
    /* What a sum does not have has no name and no domain; one part without a slope leaves the sum without one. */
    bln_param p;
    memset(&p, 0, sizeof p);
    p.hi = 7.0;
    sum->ops->param(sum, 9, NULL, &p);
    CHECK(p.hi == 7.0);
    strcpy(name, "x");
    sum->ops->feature_name(sum, 99, NULL, name, sizeof name);
    sum->ops->param_name(sum, 99, NULL, name, sizeof name);
    sum->ops->slice_name(sum, 99, NULL, name, sizeof name);
    CHECK(!strcmp(name, "x"));
    CHECK(!blni_basis_has_slope(sum) && blni_basis_has_slope(part[1]));
    bln_basis_free(sum);
}

/* Moments and names of fewer columns than there are, or of some. */
TEST(basis_edges, inputs)
{
    static const char *const some[2] = { NULL, "age" };
    const double mean[1] = { HUGE_VAL }, sd[1] = { 2.0 };
    bln_moments m;
    bln_report report;
    char name[8];
    m.n = 5;
    m.d = 1;
    m.mean = mean;
    m.sd = sd;
    const bln_inputs in = blni_inputs_of(some, &m);
    CHECK(bln_input_sd(&in, 0) == 2.0 && bln_input_sd(&in, 1) == 1.0 && bln_input_mean(&in, 1) == 0.0);
    bln_input_name(&in, 0, name, sizeof name);
    CHECK(!strcmp(name, "x0"));
    bln_input_name(&in, 1, name, sizeof name);
    CHECK(!strcmp(name, "age"));
    CHECK_STATUS(blni_moments_check(&m, &report), BLN_ENUMERIC);
    CHECK_SIZE(report.column, 0);
}

/* ---- points and kernels */

/* Points that are parameters are no rows, whatever they begin as; through a selection of columns too. What is not bound has nothing
 * to settle. */
TEST(basis_edges, points)
{
    const double Z[2] = { 0.3, 1.7 }, theta[3] = { 1.0, 0.3, 1.7 };
    const size_t column[1] = { 0 };
    double slope[3] = { 5.0, 5.0, 5.0 };
    for (int learn = 0; learn < 2; learn++) {
        bln_inducing_desc d = BLN_ZERO;
        bln_basis *b = NULL, *of = NULL;
        d.d = 1;
        d.n = 2;
        d.points = Z;
        d.learn_points = learn;
        CHECK_OK(bln_inducing_create(&d, &b, NULL));
        CHECK(blni_basis_gram(b, NULL, 2, NULL, 1, NULL, 2, NULL) == !learn);
        CHECK(!blni_basis_gram(b, NULL, 3, NULL, 1, NULL, 3, NULL));
        CHECK(!blni_basis_kernel(b, 0, theta, Z, 0, NULL, 1, NULL, NULL));
        bln_basis_settle(b, theta, slope);
        CHECK(slope[0] == 5.0 && slope[1] == 5.0 && slope[2] == 5.0);
        CHECK_OK(bln_basis_columns(NULL, 2, 1, column, b, &of, NULL));
        CHECK(blni_basis_gram(of, NULL, 2, NULL, 2, NULL, 2, NULL) == !learn);
        bln_basis_free(of);
    }
    CHECK(blni_matern_slope(1.5, BLNI_NAN, blni_matern_slope_gamma(1.5)) != 0.0);
    CHECK(blni_matern_slope(1.5, BLNI_NAN, 0.0) != blni_matern_slope(1.5, BLNI_NAN, 0.0));
    CHECK_REL(blni_matern_slope(1.5, 0.0, blni_matern_slope_gamma(1.5)), 3.0, 1e-14);
}

/* Choosing points: length scales of inputs without a finite square, a draw whose rows are used up by rounding, and a centre that
 * has lost its rows, which goes to the row farthest from its own. */
TEST(basis_edges, choosing_points)
{
    const double X[3] = { -1e200, 1e200, 0.0 }, wrong[1] = { HUGE_VAL };
    double points[3], length[1], x[4] = { 0.0, 1.0, 9.0, 5.0 }, c[2], near_by[4] = { 0.0, 1.0, 64.0, 16.0 };
    size_t owner[4] = { 0, 0, 0, 0 }, count[2], n = 0;
    bln_inducing_select_desc d = BLN_ZERO;
    blni_select s = BLN_ZERO;
    bln_report report;
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = 3;
    data.d = 1;
    data.X = X;
    d.n = 2;
    d.length_scale = wrong;
    CHECK_STATUS(bln_inducing_select(&d, &data, points, NULL, NULL, &n, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "length scales must be > 0");
    d.length_scale = NULL;
    s.desc = &d;
    s.data = &data;
    s.n = 3;
    s.d = s.ldx = 1;
    s.length = length;
    blni_select_lengths(&s);
    CHECK(length[0] == 1.0);
    bln_rng_seed(&s.rng, 1, 0);
    s.n = 4;
    s.near = near_by;
    CHECK_SIZE(blni_select_draw(&s, 1e9), 3);                    /* the sum of all is 81 */
    s.x = x;
    s.c = c;
    s.owner = owner;
    s.count = count;
    s.done = 2;
    blni_select_centres(&s);
    CHECK(c[0] == 3.75 && c[1] == 9.0 && near_by[2] == 0.0);
}

/* ---- sizes and numbers that are none */

TEST(basis_edges, refusals)
{
    const double inf[1] = { HUGE_VAL }, low[1] = { -HUGE_VAL }, one[1] = { 1.0 }, far[1] = { 1e300 }, theta[1] = { 1.0 };
    bln_fourier_desc f = BLN_ZERO;
    bln_spectral_desc sp = BLN_ZERO;
    bln_basis *b = NULL;
    bln_report report;
    char name[16] = "";
    f.d = f.n = 1;
    f.kernel = (bln_kernel)99;
    CHECK_STATUS(bln_fourier_create(&f, &b, &report), BLN_EINVAL);
    f.kernel = BLN_KERNEL_RBF;
    f.draws = (bln_draws)99;
    CHECK_STATUS(bln_fourier_create(&f, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "unknown kind of draws");
    f.draws = BLN_DRAWS_DEFAULT;
    sp.envelope = f;
    sp.period = 1e200;
    CHECK_STATUS(bln_spectral_create(&sp, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "period must be 0 (from the data) or between 1e-150 and 1e150");
    CHECK_STATUS(bln_legendre_create(NULL, 1, 2, 0, low, one, &b), BLN_EDOMAIN);
    CHECK_STATUS(bln_legendre_create(NULL, 1, 2, 0, one, inf, &b), BLN_EDOMAIN);
    CHECK_STATUS(bln_polynomial_create(NULL, 1, (size_t)-1 - 1, 0, 1, &b), BLN_EOVERFLOW);
    CHECK_STATUS(bln_polynomial_create(NULL, 2, ((size_t)-1)/4, 0, 1, &b), BLN_EOVERFLOW);
    CHECK_OK(bln_legendre_create(NULL, 1, 2, 1, NULL, NULL, &b));
    bln_basis_feature_name(b, 0, NULL, name, sizeof name);
    CHECK(!strcmp(name, "1"));
    bln_basis_feature_name(b, 2, NULL, name, sizeof name);
    CHECK(!strcmp(name, "P2(x0)"));
    bln_basis_free(b);
    CHECK_OK(bln_fastfood_create(&f, &b, NULL));
    double *work = basis_tools_work(b, 1);
    CHECK(blni_basis_bound(b, theta, 1, far, 1, work) == HUGE_VAL && blni_basis_bound(b, theta, 0, far, 1, work) == HUGE_VAL);
    CHECK_NEAR(blni_basis_bound(b, theta, 1, one, 1, work), 1.0, 1e-15);
    free(work);
    bln_basis_free(b);
}

/* Rounding errors of products, with the feature 1 in front: x0 x1 of 1 + 2^-30 each is 1 + 2^-29 + 2^-60. One that overflows is
 * left out. */
TEST(basis_edges, low_words)
{
    const double x[2] = { 1.0 + 1.0/1073741824.0, 1.0 + 1.0/1073741824.0 };
    double Phi[6], low[6];
    bln_basis *b = NULL;
    CHECK_OK(bln_polynomial_create(NULL, 2, 2, 1, 1, &b));
    CHECK_SIZE(b->D, 6);
    double *work = basis_tools_work(b, 1);
    bln_basis_features(b, NULL, 1, x, 2, Phi, 6, work);
    if (blni_basis_features_low(b, NULL, 1, x, 2, Phi, 6, low, 6, work))
        for (int j = 0; j < 6; j++) CHECK(low[j] == (j < 3 ? 0.0 : 1.0/1152921504606846976.0));
    CHECK(blni_power_low(1e300, 1e10, 1e20, HUGE_VAL) == 0.0);
    free(work);
    bln_basis_free(b);
}

/* Numbers that arrive in pieces, in memory that grows with them: 9000 in 4096, 8192 and 9000. Every allocation may fail. */
TEST(basis_edges, words_that_arrive)
{
    enum { N = 9000 };
    static unsigned char bytes[8*N];
    test_heap heap;
    const bln_allocator alloc = test_heap_allocator(&heap);
    for (size_t i = 0; i < N; i++) blni_encode(i*i, 8, bytes + 8*i);
    for (size_t fail = 0; fail < 4; fail++) {
        bln_memory_stream stream;
        bln_report report;
        bln_reader r = bln_memory_reader(&stream, bytes, sizeof bytes, &report);
        heap.calls = 0;
        heap.fail_at = fail;
        uint64_t *words = blni_load_words(&alloc, &r, N);
        CHECK((words != NULL) == (fail == 3));
        CHECK_STATUS(r.status, fail == 3 ? BLN_OK : BLN_ENOMEM);
        for (size_t i = 0; words && i < N; i++) if (words[i] != (uint64_t)i*i) CHECK_SIZE((size_t)words[i], i*i);
        if (words) { CHECK_SIZE(heap.live_bytes, N*sizeof *words); blni_release(&alloc, words, N*sizeof *words); }
        CHECK_SIZE(heap.live, 0);
    }
}

/* ---- texts */

typedef struct edges_made { size_t d; int bad; } edges_made;
static bln_status basis_edges_make(void *user, const char *options, size_t d, uint64_t seed, const bln_allocator *alloc,
                                   bln_basis **out, bln_report *report)
{
    static bln_basis_ops ops;
    static bln_basis b;
    const edges_made *m = (const edges_made *)user;
    (void)options; (void)d; (void)seed; (void)alloc; (void)report;
    ops = basis_edges_ops();
    b = edges_basis(&ops, m->bad ? 0 : 2, 0, 1);
    b.d = m->d;
    *out = &b;
    return BLN_OK;
}

TEST(basis_edges, texts)
{
    static const char *const some[2] = { NULL, "age" };
    static const struct { const char *text; bln_status status; const char *words; } t[] = {
        { "rbf:n=2,length=+1", BLN_EINVAL, "a number > 0 expected" },
        { "rbf:n=2,length=1e200", BLN_EINVAL, "a number > 0 expected" },
        { "linear:cols=age", BLN_OK, "" }, { "linear:cols=weight", BLN_EUNKNOWN, "no such input column" },
        { "group:by=0", BLN_EINVAL, "the levels of a group come from the training rows" } };
    bln_spec_desc d = BLN_ZERO;
    bln_basis *b = NULL;
    bln_report report;
    bln_data shape;
    char huge[64];
    memset(&shape, 0, sizeof shape);
    shape.n = 3;
    shape.d = 2;
    d.d = 2;
    d.names = some;
    for (size_t k = 0; k < sizeof t/sizeof *t; k++) {
        d.text = t[k].text;
        d.rows = k == 4 ? &shape : NULL;                         /* rows of which only the number is known */
        b = NULL;
        CHECK_STATUS(bln_basis_parse(&d, &b, &report), t[k].status);
        if (t[k].words[0]) CHECK_TEXT(report.text, t[k].words);
        bln_basis_free(b);
    }
    d.rows = NULL;
    for (int k = 0; k < 2; k++) {                                /* centres and points beyond memory */
        sprintf(huge, k ? "inducing:m=%llu" : "radial:n=%llu", (unsigned long long)((size_t)-1/8));
        d.text = huge;
        b = NULL;
        CHECK_STATUS(bln_basis_parse(&d, &b, &report), BLN_EOVERFLOW);
        CHECK(b == NULL);
    }
    /* A term of one's own: one that bln_basis_check refuses, one without inputs, and one beside a group. */
    const double X[4] = { 1.0, 0.5, 2.0, -0.5 };
    edges_made made = { 0, 1 };
    bln_spec_term own;
    own.name = "mine";
    own.make = basis_edges_make;
    own.user = &made;
    d.own = &own;
    d.n_own = 1;
    d.text = "mine";
    b = NULL;
    CHECK_STATUS(bln_basis_parse(&d, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "no features");
    made.bad = 0;
    CHECK_OK(bln_basis_parse(&d, &b, &report));
    CHECK(b != NULL && b->D == 2);
    bln_basis_free(b);
    made.d = 1;                                                  /* of the columns that are no groups: one */
    shape.n = 2;
    shape.X = X;
    d.rows = &shape;
    d.text = "mine+group:by=0";
    CHECK_OK(bln_basis_parse(&d, &b, &report));
    CHECK(b != NULL && b->D == 2 + 3);
    bln_basis_free(b);
}

SUITE_BEGIN(basis_edges)
SUITE_TEST(basis_edges, tables_that_are_not_whole)
SUITE_TEST(basis_edges, inputs)
SUITE_TEST(basis_edges, points)
SUITE_TEST(basis_edges, choosing_points)
SUITE_TEST(basis_edges, refusals)
SUITE_TEST(basis_edges, low_words)
SUITE_TEST(basis_edges, words_that_arrive)
SUITE_TEST(basis_edges, texts)
SUITE_END(basis_edges)
