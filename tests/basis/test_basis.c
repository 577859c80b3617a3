/* test_basis - the interface with its defaults, a user's own basis, sums and column selections, nested; their files; every reason
 * of refusal */
#include "basis_tools.h"

/* ---- a basis of one's own: phi = [exp(-(x/l)^2 / 2), 1] of one input, with nothing optional but what it needs ---- */

static void basis_own_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *Phi,
                               size_t ldphi, double *work)
{
    (void)b; (void)work;
    for (size_t i = 0; i < n; i++) {
        const double u = X[i*ldx]/theta[0];
        Phi[i*ldphi] = exp(-0.5*u*u);
        Phi[i*ldphi + 1] = 1.0;
    }
}

static void basis_own_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, const double *Phi,
                               size_t ldphi, const double *F, size_t ldf, double *dtheta, double *dX, size_t lddx, double *work)
{
    (void)b; (void)work;
    for (size_t i = 0; i < n; i++) {
        const double u = X[i*ldx]/theta[0], q = F[i*ldf]*Phi[i*ldphi];
        if (dtheta) dtheta[0] += q*u*u/theta[0];
        if (dX) dX[i*lddx] -= q*u/theta[0];
    }
}

static void basis_own_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    (void)b; (void)k;
    out->kind = BLN_PARAM_LOG;
    out->lo = 1e-6;
    out->hi = 1e6;
    out->start = 2.0*bln_input_sd(inputs, 0) + fabs(bln_input_mean(inputs, 0));
}

static void basis_own_save(const bln_basis *b, bln_writer *w) { (void)b; bln_put_u32(w, 7); }
static bln_status basis_own_load(const bln_load *context, bln_reader *r, bln_basis **out);
static void basis_own_release(bln_basis *b)
{
    const bln_allocator a = b->alloc;
    if (a.release) a.release(a.user, b, sizeof *b); else free(b);
}

static const bln_basis_ops basis_own_ops = {
    "bump", basis_own_features, basis_own_pullback, NULL, basis_own_param, NULL, NULL, NULL, NULL, basis_own_save, basis_own_load,
    basis_own_release, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
};

static bln_basis *basis_own_new(const bln_allocator *alloc)
{
    bln_basis *b = (bln_basis *)(alloc && alloc->alloc ? alloc->alloc(alloc->user, sizeof *b) : malloc(sizeof *b));
    if (!b) return NULL;
    memset(b, 0, sizeof *b);
    if (alloc) b->alloc = *alloc;
    b->ops = &basis_own_ops;
    b->d = 1;
    b->D = 2;
    b->n_theta = 1;
    b->n_slices = 1;
    return b;
}

static bln_status basis_own_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    if (bln_get_u32(r) != 7) return bln_reader_fail(r, BLN_EFORMAT, "bump: not seven");
    *out = basis_own_new(&context->alloc);
    return *out ? BLN_OK : BLN_ENOMEM;
}

/* ---- helpers ---- */

static bln_basis *basis_rbf(size_t d, size_t n, int ard, uint64_t seed)
{
    bln_fourier_desc desc;
    bln_basis *b = NULL;
    memset(&desc, 0, sizeof desc);
    desc.d = d;
    desc.n = n;
    desc.ard = ard;
    desc.seed = seed;
    CHECK_OK(bln_fourier_create(&desc, &b, NULL));
    if (!b) exit(2);
    return b;
}

static bln_basis *basis_bias(void)   { bln_basis *b = NULL; CHECK_OK(bln_bias_create(NULL, &b)); return b; }
static bln_basis *basis_poly(size_t d) { bln_basis *b = NULL; CHECK_OK(bln_polynomial_create(NULL, d, 2, 0, 1, &b)); return b; }
static bln_basis *basis_sum(size_t n, bln_basis *const *parts)
{
    bln_basis *b = NULL;
    CHECK_OK(bln_basis_sum(NULL, n, parts, &b, NULL));
    if (!b) exit(2);
    return b;
}
static bln_basis *basis_columns(size_t d, size_t k, const size_t *columns, bln_basis *part)
{
    bln_basis *b = NULL;
    CHECK_OK(bln_basis_columns(NULL, d, k, columns, part, &b, NULL));
    if (!b) exit(2);
    return b;
}

/* sum of: rbf on all three inputs; a sum (bump of column 2, polynomial of columns 1 and 0) on columns 2, 0, 1 of the data; bias;
 * rbf on column 1. */
static bln_basis *basis_nested(void)
{
    static const size_t second[] = { 2 }, turned[] = { 1, 0 }, order[] = { 2, 0, 1 }, middle[] = { 1 };
    bln_basis *inner[2], *outer[4];
    inner[0] = basis_columns(3, 1, second, basis_own_new(NULL));
    inner[1] = basis_columns(3, 2, turned, basis_poly(2));
    outer[0] = basis_rbf(3, 3, 1, 1);
    outer[1] = basis_columns(3, 3, order, basis_sum(2, inner));
    outer[2] = basis_bias();
    outer[3] = basis_columns(3, 1, middle, basis_rbf(1, 2, 0, 2));
    return basis_sum(4, outer);
}
static const double basis_nested_theta[] = { 0.8, 1.5, 2.25, 1.3, 0.9 };

/* ---- tests ---- */

/* Bases of equal sizes that are not the same, in every respect in which they can differ; and equal ones that are other objects, one
 * of them read from a file. */
TEST(basis, fingerprints)
{
    enum { KINDS = 16 };
    static const size_t order[2][2] = { { 0, 1 }, { 1, 0 } };
    const bln_basis_ops named[2] = {
        { "mine",  basis_own_features, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
          NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL },
        { "yours", basis_own_features, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
          NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }
    };
    uint64_t print[2][KINDS];
    for (int time = 0; time < 2; time++) {
        bln_basis *b[KINDS], *parts[2], plain[2];
        size_t n = 0;
        for (int i = 0; i < 2; i++) {
            memset(&plain[i], 0, sizeof plain[i]);
            plain[i].ops = &named[i];
            plain[i].d = plain[i].D = plain[i].n_slices = 1;
        }
        CHECK_OK(bln_linear_create(NULL, 2, 1, &b[n++]));
        CHECK_OK(bln_polynomial_create(NULL, 2, 1, 1, 0, &b[n++]));
        CHECK_OK(bln_legendre_create(NULL, 2, 1, 1, NULL, NULL, &b[n++]));
        b[n++] = basis_rbf(2, 3, 0, 1);
        b[n++] = basis_rbf(2, 3, 0, 2);
        for (int i = 0; i < 2; i++) b[n++] = basis_columns(2, 2, order[i], basis_rbf(2, 3, 0, 1));
        for (int i = 0; i < 2; i++) {
            parts[i] = basis_rbf(2, 3, 0, 1);
            parts[1 - i] = basis_rbf(2, 3, 0, 2);
            b[n++] = basis_sum(2, parts);
        }
        for (size_t i = 0; i < 2; i++) {
            static const size_t one[2] = { 0, 1 };
            parts[0] = basis_bias();
            parts[1] = basis_columns(2, 1, &one[i], basis_own_new(NULL));
            b[n++] = basis_sum(2, parts);
        }
        for (int i = 0; i < 2; i++) {
            parts[0] = basis_bias();
            parts[1] = &plain[i];
            b[n++] = basis_sum(2, parts);
        }
        b[n++] = basis_nested();
        b[n++] = basis_rbf(2, 3, 1, 1);
        b[n++] = basis_bias();
        CHECK_SIZE(n, KINDS);
        for (size_t i = 0; i < n; i++) {
            print[time][i] = blni_basis_fingerprint(b[i]);
            CHECK(print[time][i] == print[0][i]);
            for (size_t k = 0; k < i; k++) CHECK(print[time][k] != print[time][i]);
            bln_basis_free(b[i]);
        }
        CHECK(blni_basis_fingerprint(&plain[0]) != blni_basis_fingerprint(&plain[1]));
        plain[1].ops = &named[0];
        CHECK(blni_basis_fingerprint(&plain[0]) == blni_basis_fingerprint(&plain[1]));
        plain[1].D = 2;
        CHECK(blni_basis_fingerprint(&plain[0]) != blni_basis_fingerprint(&plain[1]));
    }
    CHECK(blni_basis_fingerprint(NULL) == 0);

    bln_basis *b = basis_rbf(3, 4, 1, 9), *back = NULL;
    unsigned char bytes[1000];
    bln_memory_stream stream;
    bln_writer w = bln_memory_writer(&stream, bytes, sizeof bytes);
    bln_basis_save(b, &w);
    bln_reader r = bln_memory_reader(&stream, bytes, (size_t)w.count, NULL);
    CHECK_OK(bln_basis_load_any(test_all(), &r, &back));
    CHECK(blni_basis_fingerprint(b) == blni_basis_fingerprint(back));
    bln_basis_free(b);
    bln_basis_free(back);
}

TEST(basis, defaults_of_the_interface)
{
    bln_basis *b = basis_own_new(NULL);
    static const char *const names[] = { "height" };
    char s[32];
    double theta = 1.0, x = 0.5, phi[2], F[2] = { 1.0, 1.0 }, dx = 0.0;
    CHECK(bln_basis_check(b) == NULL);
    CHECK_SIZE(bln_basis_work(b, 100), 0);
    CHECK_SIZE(bln_basis_slice(b, 0), 0);
    CHECK_SIZE(bln_basis_slice(b, 1), 2);
    bln_basis_feature_name(b, 1, names, s, sizeof s); CHECK(!strcmp(s, "phi1"));
    bln_basis_param_name(b, 0, names, s, sizeof s);   CHECK(!strcmp(s, "theta0"));
    bln_basis_slice_name(b, 0, names, s, sizeof s);   CHECK(!strcmp(s, "bump"));
    bln_basis_slice_name(b, 0, names, s, 3);          CHECK(!strcmp(s, "bu"));
    bln_basis_features(b, &theta, 1, &x, 1, phi, 2, NULL);
    CHECK_REL(phi[0], exp(-0.125), DBL_EPSILON);
    bln_basis_pullback(b, &theta, 1, &x, 1, phi, 2, F, 2, NULL, NULL, 0, NULL);        /* nothing wanted: nothing done */
    bln_basis_pullback(b, &theta, 0, NULL, 1, NULL, 2, NULL, 2, NULL, &dx, 1, NULL);   /* no rows */
    CHECK(dx == 0.0);
    basis_tools_pullback(b, &theta, 4, 0.8, 1e-2, 20.0, 1);
    bln_basis_free(b);
    bln_basis_free(NULL);
}

/* Each reason of bln_basis_check. */
static size_t basis_bad_slice(const bln_basis *b, size_t s) { (void)b; return s == 1 ? 0 : s; }
static size_t basis_late_slice(const bln_basis *b, size_t s) { (void)b; return s + 1; }
static size_t basis_good_slice(const bln_basis *b, size_t s) { (void)b; return s; }
static void basis_bad_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    basis_own_param(b, k, inputs, out);
    out->start = -1.0;
}

static size_t basis_a_room(const bln_basis *b) { (void)b; return 8; }
static void basis_a_settle(const bln_basis *b, const double *theta, double *dtheta) { (void)b; (void)theta; (void)dtheta; }

TEST(basis, check)
{
    static const char *const bad_names[] = { "", "Bump", "bump bump", "bump-bump", "a23456789012345678901234567890123" };
    bln_basis b, good;
    bln_basis_ops ops;
    bln_basis *own = basis_own_new(NULL);
    good = *own;
    bln_basis_free(own);
    CHECK(bln_basis_check(NULL) != NULL);
    b = good; b.ops = NULL;            CHECK_TEXT(bln_basis_check(&b), "ops");
    b = good; b.D = 0;                 CHECK_TEXT(bln_basis_check(&b), "D = 0");
    b = good; b.n_slices = 0;          CHECK_TEXT(bln_basis_check(&b), "n_slices");
    b = good; b.n_slices = 3;          CHECK_TEXT(bln_basis_check(&b), "n_slices");
    b = good; b.n_slices = 2;          CHECK_TEXT(bln_basis_check(&b), "slice");
    b = good; b.alloc.alloc = test_heap_alloc; CHECK_TEXT(bln_basis_check(&b), "allocator");
    b = good; b.ops = &ops;
    for (size_t i = 0; i < sizeof bad_names/sizeof *bad_names; i++) {
        ops = basis_own_ops; ops.name = bad_names[i];
        CHECK_TEXT(bln_basis_check(&b), "name");
    }
    ops = basis_own_ops; ops.name = NULL;     CHECK_TEXT(bln_basis_check(&b), "name");
    ops = basis_own_ops; ops.features = NULL; CHECK_TEXT(bln_basis_check(&b), "features");
    ops = basis_own_ops; ops.load = NULL;     CHECK_TEXT(bln_basis_check(&b), "load");
    ops = basis_own_ops; ops.save = NULL;     CHECK_TEXT(bln_basis_check(&b), "save");
    ops = basis_own_ops; ops.room = basis_a_room; CHECK_TEXT(bln_basis_check(&b), "room and ops->bind must come together");
    ops = basis_own_ops; ops.settle = basis_a_settle; CHECK_TEXT(bln_basis_check(&b), "settle is there, but ops->bind is NULL");
    ops = basis_own_ops; CHECK(bln_basis_room(&b) == 0 && bln_basis_bind(&b, NULL, NULL) == &b && bln_basis_variance(&b, 0) == 0.0);
    ops = basis_own_ops; ops.param = NULL;    CHECK_TEXT(bln_basis_check(&b), "param");
    ops = basis_own_ops; ops.param = basis_bad_param; CHECK_TEXT(bln_basis_check(&b), "param");
    ops = basis_own_ops; ops.save = NULL; ops.load = NULL; ops.pullback = NULL; CHECK(bln_basis_check(&b) == NULL);
    b.n_slices = 2;
    ops = basis_own_ops; ops.slice = basis_bad_slice;  CHECK_TEXT(bln_basis_check(&b), "slices");
    ops = basis_own_ops; ops.slice = basis_late_slice; CHECK_TEXT(bln_basis_check(&b), "slices");
    ops = basis_own_ops; ops.slice = basis_good_slice; CHECK(bln_basis_check(&b) == NULL);
}

/* The parts side by side, each with the columns it was promised. */
TEST(basis, nested_features)
{
    bln_basis *b = basis_nested(), *rbf3 = basis_rbf(3, 3, 1, 1), *rbf1 = basis_rbf(1, 2, 0, 2);
    test_random r = test_random_new(4);
    double X[9], Phi[3*18], A[18], B[12];
    CHECK(bln_basis_check(b) == NULL);
    CHECK(b->d == 3 && b->D == 18 && b->n_theta == 5 && b->n_slices == 5);
    CHECK_SIZE(bln_basis_slice(b, 1), 6);
    CHECK_SIZE(bln_basis_slice(b, 2), 8);
    CHECK_SIZE(bln_basis_slice(b, 3), 13);
    CHECK_SIZE(bln_basis_slice(b, 4), 14);
    CHECK_SIZE(bln_basis_slice(b, 5), 18);
    test_fill_normal(&r, 9, X);
    basis_tools_features(b, basis_nested_theta, 3, X, 3, Phi, 18);
    basis_tools_features(rbf3, basis_nested_theta, 3, X, 3, A, 6);
    basis_tools_features(rbf1, basis_nested_theta + 4, 3, X + 1, 3, B, 4);
    for (size_t i = 0; i < 3; i++) {
        const double *x = X + 3*i, *phi = Phi + 18*i;
        const double u = x[1]/basis_nested_theta[3];          /* column 2 of the order 2, 0, 1 */
        const double p = x[0], q = x[2];                      /* columns 1 and 0 of it */
        CHECK(!memcmp(phi, A + 6*i, 6*sizeof *phi));
        CHECK_NEAR(phi[6], exp(-0.5*u*u), 4*DBL_EPSILON);
        CHECK(phi[7] == 1.0);
        CHECK(phi[8] == p && phi[9] == q);
        CHECK_REL(phi[10], p*p, DBL_EPSILON);
        CHECK_REL(phi[11], p*q, DBL_EPSILON);
        CHECK_REL(phi[12], q*q, DBL_EPSILON);
        CHECK(phi[13] == 1.0);
        CHECK(!memcmp(phi + 14, B + 4*i, 4*sizeof *phi));
    }
    basis_tools_blocks(b, basis_nested_theta, 10, 7);
    bln_basis_free(b);
    bln_basis_free(rbf3);
    bln_basis_free(rbf1);
}

/* Phases below 20, three products each; 18 features in 4 rows. */
TEST(basis, nested_pullback)
{
    bln_basis *b = basis_nested();
    basis_tools_pullback(b, basis_nested_theta, 4, 0.7, 2e-3, 120.0, 8);
    bln_basis_free(b);
}

/* A part without pullback, and one without inputs, leave the others' gradients alone. */
TEST(basis, parts_without_pullback)
{
    bln_basis_ops ops = basis_own_ops;
    bln_basis *parts[3], *b;
    const double X[2] = { 0.3, -1.1 }, theta[1] = { 0.9 }, F[10] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
    double Phi[10], dX[2] = { 0.0, 0.0 }, dtheta[1] = { 5.0 }, *work;
    ops.pullback = NULL;
    ops.load = NULL;
    ops.save = NULL;
    parts[0] = basis_own_new(NULL);
    parts[0]->ops = &ops;
    parts[1] = basis_bias();
    parts[2] = basis_poly(1);
    b = basis_sum(3, parts);
    CHECK_SIZE(b->D, 5);
    basis_tools_features(b, theta, 2, X, 1, Phi, 5);
    work = basis_tools_work(b, 2);
    bln_basis_pullback(b, theta, 2, X, 1, Phi, 5, F, 5, dtheta, dX, 1, work);
    free(work);
    CHECK(dtheta[0] == 5.0);
    CHECK_NEAR(dX[0], 4 + 5*2*X[0], 1e-14);
    CHECK_NEAR(dX[1], 9 + 10*2*X[1], 1e-13);
    {   /* nor can it be saved: the writer says so */
        unsigned char bytes[100];
        bln_memory_stream m;
        bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
        bln_basis_save(b, &w);
        CHECK_STATUS(w.status, BLN_EUNKNOWN);
    }
    bln_basis_free(b);
}

/* Domains and starts come from the moments of the right columns, names from the right names. */
TEST(basis, nested_params_and_names)
{
    static const double mean[] = { 0.0, 50.0, 0.0 }, sd[] = { 2.0, 7.0, 11.0 };
    static const char *const names[] = { "age", "height", "lon" };
    static const char *const slices[] = { "rbf", "bump of height of lon, age, height", "polynomial of age, lon of lon, age, height",
                                          "bias", "rbf of height" };
    static const char *const features[] = { "rbf cos 0", "phi0", "age", "1", "rbf cos 0" };
    static const double starts[] = { 2.0, 7.0, 11.0 };
    bln_basis *b = basis_nested();
    bln_moments m;
    bln_param p;
    char s[64];
    m.n = 10;
    m.d = 3;
    m.mean = mean;
    m.sd = sd;
    for (size_t k = 0; k < 3; k++) { bln_basis_param(b, k, &m, &p); CHECK_REL(p.start, sqrt(3.0)*starts[k], 4*DBL_EPSILON); }
    bln_basis_param(b, 3, &m, &p); CHECK(p.start == 2*7.0 + 50.0);
    bln_basis_param(b, 4, &m, &p); CHECK_REL(p.start, 7.0, 4*DBL_EPSILON);
    bln_basis_param(b, 3, NULL, &p); CHECK(p.start == 2.0);
    for (size_t k = 0; k < 5; k++) {
        bln_basis_slice_name(b, k, names, s, sizeof s);
        CHECK_TEXT(s, slices[k]);
        bln_basis_feature_name(b, bln_basis_slice(b, k), names, s, sizeof s);
        CHECK(!strcmp(s, features[k]));
    }
    bln_basis_param_name(b, 0, names, s, sizeof s); CHECK(!strcmp(s, "length scale age (rbf)"));
    bln_basis_param_name(b, 3, names, s, sizeof s); CHECK_TEXT(s, "theta0 (bump of height");
    bln_basis_param_name(b, 4, names, s, sizeof s); CHECK(!strcmp(s, "length scale (rbf of height)"));
    bln_basis_param_name(b, 4, NULL, s, sizeof s);  CHECK(!strcmp(s, "length scale (rbf of x1)"));
    bln_basis_free(b);
}

/* Two parts of one name are told apart by their place. */
TEST(basis, equal_parts_are_numbered)
{
    bln_basis *parts[3], *b;
    char s[40];
    parts[0] = basis_rbf(1, 1, 0, 1);
    parts[1] = basis_bias();
    parts[2] = basis_rbf(1, 2, 0, 2);
    b = basis_sum(3, parts);
    bln_basis_slice_name(b, 0, NULL, s, sizeof s);    CHECK(!strcmp(s, "rbf [1]"));
    bln_basis_slice_name(b, 1, NULL, s, sizeof s);    CHECK(!strcmp(s, "bias"));
    bln_basis_slice_name(b, 2, NULL, s, sizeof s);    CHECK(!strcmp(s, "rbf [3]"));
    bln_basis_feature_name(b, 3, NULL, s, sizeof s);  CHECK(!strcmp(s, "rbf cos 0 [3]"));
    bln_basis_param_name(b, 1, NULL, s, sizeof s);    CHECK(!strcmp(s, "length scale (rbf [3])"));
    bln_basis_param_name(b, 1, NULL, s, 7);           CHECK(!strcmp(s, "length"));
    bln_basis_free(b);
}

TEST(basis, files)
{
    static const bln_basis_ops *const own[] = { &basis_own_ops };
    static const double theta[] = { 1.2 };
    bln_basis *b = basis_own_new(NULL);
    basis_tools_file(b, theta, own, 1);
    bln_basis_free(b);
    b = basis_nested();
    basis_tools_file(b, basis_nested_theta, own, 1);
    {   /* a name that nobody knows: the reader's report says it */
        unsigned char bytes[4096];
        const size_t n = basis_tools_save(b, bytes, sizeof bytes);
        const bln_load context = basis_tools_context(NULL);
        bln_basis *c = NULL;
        bln_report report;
        bln_report_clear(&report);
        CHECK_STATUS(basis_tools_load(&context, bytes, n, 1, &c, &report), BLN_EUNKNOWN);
        CHECK_TEXT(report.text, "\"bump\"");
        CHECK(c == NULL);
    }
    bln_basis_free(b);
}

/* What only a forged file can say. n: how many bytes of it there are. */
static bln_status basis_forged(const unsigned char *bytes, size_t n, bln_report *report)
{
    test_heap heap;
    const bln_allocator alloc = test_heap_allocator(&heap);
    const bln_load context = basis_tools_context(&alloc);
    bln_basis *b = NULL;
    bln_report_clear(report);
    const bln_status status = basis_tools_load(&context, bytes, n, 1, &b, report);
    if (b) CHECK(bln_basis_check(b) == NULL);
    CHECK((status == BLN_OK) == (b != NULL));
    bln_basis_free(b);
    CHECK_SIZE(heap.live, 0);
    CHECK_LE((double)heap.peak_bytes, 65536.0 + 16.0*(double)n);
    return status;
}

TEST(basis, forged_files)
{
    unsigned char bytes[4096];
    bln_memory_stream m;
    bln_writer w;
    bln_report report;
#define BASIS_FORGE(name) (w = bln_memory_writer(&m, bytes, sizeof bytes), bln_put_string(&w, name))
    BASIS_FORGE("sum"); bln_put_u64(&w, 0);
    CHECK_STATUS(basis_forged(bytes, m.at, &report), BLN_EFORMAT); CHECK_TEXT(report.text, "no bases");
    BASIS_FORGE("sum"); bln_put_u64(&w, 4097);
    CHECK_STATUS(basis_forged(bytes, m.at, &report), BLN_EFORMAT); CHECK_TEXT(report.text, "count");
    BASIS_FORGE("sum"); bln_put_u64(&w, 2);                                      /* parts of 2 and of 3 inputs */
    for (uint64_t d = 2; d <= 3; d++) { bln_put_string(&w, "linear"); bln_put_u64(&w, d); bln_put_u32(&w, 0); }
    CHECK_STATUS(basis_forged(bytes, m.at, &report), BLN_EFORMAT); CHECK_TEXT(report.text, "fit together");
    BASIS_FORGE("linear"); bln_put_u64(&w, (size_t)-1); bln_put_u32(&w, 1);
    CHECK_STATUS(basis_forged(bytes, m.at, &report), BLN_EFORMAT); CHECK_TEXT(report.text, "too large");
    BASIS_FORGE("linear"); bln_put_u64(&w, 3); bln_put_u32(&w, 2);
    CHECK_STATUS(basis_forged(bytes, m.at, &report), BLN_EFORMAT); CHECK_TEXT(report.text, "flag");
    BASIS_FORGE("linear"); bln_put_u64(&w, 0); bln_put_u32(&w, 0);
    CHECK_STATUS(basis_forged(bytes, m.at, &report), BLN_EFORMAT);
    BASIS_FORGE("polynomial"); bln_put_u64(&w, 1000); bln_put_u64(&w, 1000); bln_put_u32(&w, 0); bln_put_u32(&w, 1);
    CHECK_STATUS(basis_forged(bytes, m.at, &report), BLN_EFORMAT); CHECK_TEXT(report.text, "too large");
    for (uint64_t bad = 0; bad < 3; bad++) {                                     /* columns 1, 1;  1, 7;  1, 2^63 */
        static const uint64_t second[] = { 1, 7, UINT64_C(1) << 63 };
        BASIS_FORGE("columns"); bln_put_u64(&w, 5); bln_put_u64(&w, 2); bln_put_u64(&w, 1); bln_put_u64(&w, second[bad]);
        bln_put_string(&w, "linear"); bln_put_u64(&w, 2); bln_put_u32(&w, 1);
        CHECK_STATUS(basis_forged(bytes, m.at, &report), BLN_EFORMAT); CHECK_TEXT(report.text, "fit together");
    }
    BASIS_FORGE("columns"); bln_put_u64(&w, 5); bln_put_u64(&w, 2); bln_put_u64(&w, 3); bln_put_u64(&w, 1);
    bln_put_string(&w, "linear"); bln_put_u64(&w, 2); bln_put_u32(&w, 1);
    CHECK_OK(basis_forged(bytes, m.at, &report));
    for (int levels = 15; levels <= 18; levels++) {                             /* sums of sums: 16 are allowed */
        w = bln_memory_writer(&m, bytes, sizeof bytes);
        for (int i = 0; i < levels; i++) { bln_put_string(&w, "sum"); bln_put_u64(&w, 1); }
        bln_put_string(&w, "bias");
        CHECK_STATUS(basis_forged(bytes, m.at, &report), levels <= 16 ? BLN_OK : BLN_EFORMAT);
        if (levels > 16) CHECK_TEXT(report.text, "deeper");
    }
    w = bln_memory_writer(&m, bytes, sizeof bytes);                             /* as deep as the bytes go */
    while (w.status == BLN_OK) { bln_put_string(&w, "columns"); bln_put_u64(&w, 1); bln_put_u64(&w, 0); }
    CHECK_STATUS(basis_forged(bytes, m.at, &report), BLN_EFORMAT);
    BASIS_FORGE(""); CHECK_STATUS(basis_forged(bytes, m.at, &report), BLN_EUNKNOWN);
    BASIS_FORGE("a_name_of_more_than_31_characters"); CHECK_STATUS(basis_forged(bytes, m.at, &report), BLN_EFORMAT);
#undef BASIS_FORGE
}

/* A load function that hands over something unusable, or that fails without a word to the reader. */
static bln_status basis_liar_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    const uint32_t what = bln_get_u32(r);
    if (what == 0) return BLN_OK;                                                /* success, but no basis */
    if (what == 1) return BLN_ESTOPPED;
    *out = basis_own_new(&context->alloc);
    if (*out && what == 2) (*out)->D = 0;
    if (what == 3) bln_get_u64(r);                                               /* fails at the end, and nobody looks */
    return *out ? BLN_OK : BLN_ENOMEM;
}

TEST(basis, loaders_that_lie)
{
    bln_basis_ops ops = basis_own_ops;
    const bln_basis_ops *own[1];
    ops.name = "liar";
    ops.load = basis_liar_load;
    own[0] = &ops;
    for (uint32_t what = 0; what < 5; what++) {
        static const bln_status want[] = { BLN_EFORMAT, BLN_ESTOPPED, BLN_EFORMAT, BLN_EFORMAT, BLN_OK };
        unsigned char bytes[64];
        bln_memory_stream m;
        bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
        test_heap heap;
        const bln_allocator alloc = test_heap_allocator(&heap);
        bln_load context = basis_tools_context(&alloc);
        bln_basis *b = NULL;
        context.bases = own;
        context.n_bases = 1;
        bln_put_string(&w, "liar");
        bln_put_u32(&w, what);
        CHECK_STATUS(basis_tools_load(&context, bytes, m.at, 1, &b, NULL), want[what]);
        CHECK((b != NULL) == (what == 4));
        bln_basis_free(b);
        CHECK_SIZE(heap.live, 0);
    }
}

TEST(basis, sum_errors)
{
    bln_basis *parts[3], *b = NULL, *one;
    bln_report report;
    test_heap heap;
    bln_allocator alloc = test_heap_allocator(&heap), half = alloc;
    bln_basis *const *nothing = NULL;
    static const size_t both[] = { 0, 1 };
    half.alloc = NULL;
    parts[0] = basis_rbf(2, 2, 0, 0);
    parts[1] = basis_bias();
    parts[2] = basis_rbf(3, 2, 0, 0);
    CHECK_STATUS(bln_basis_sum(NULL, 0, parts, &b, &report), BLN_EINVAL);    CHECK_TEXT(report.text, "no parts");
    CHECK_STATUS(bln_basis_sum(NULL, 1, nothing, &b, &report), BLN_EINVAL);
    CHECK_STATUS(bln_basis_sum(NULL, 5000, parts, &b, &report), BLN_EOVERFLOW);
    CHECK_STATUS(bln_basis_sum(NULL, 3, parts, &b, &report), BLN_ESHAPE);    CHECK_SIZE(report.column, 2);
    one = parts[2];
    parts[2] = NULL;
    CHECK_STATUS(bln_basis_sum(NULL, 3, parts, &b, &report), BLN_EINVAL);    CHECK_TEXT(report.text, "NULL");
    parts[2] = parts[0];
    CHECK_STATUS(bln_basis_sum(NULL, 3, parts, &b, &report), BLN_EINVAL);    CHECK_TEXT(report.text, "twice");
    CHECK_STATUS(bln_basis_sum(&half, 2, parts, &b, &report), BLN_EINVAL);   CHECK_TEXT(report.text, "allocator");
    heap.fail_at = 0;
    CHECK_STATUS(bln_basis_sum(&alloc, 2, parts, &b, &report), BLN_ENOMEM);
    CHECK(b == NULL && heap.live == 0);
    parts[0]->D = (size_t)-1/2;
    CHECK_STATUS(bln_basis_sum(NULL, 2, parts, &b, &report), BLN_EOVERFLOW);
    parts[0]->D = 4;
    bln_basis_free(one);
    b = basis_sum(2, parts);                                                     /* after all that the parts are whole */
    for (int i = 1; i < 16; i++) { one = b; b = basis_sum(1, &one); }
    one = NULL;
    CHECK_STATUS(bln_basis_sum(NULL, 1, &b, &one, &report), BLN_EINVAL);     CHECK_TEXT(report.text, "deeper");
    CHECK_STATUS(bln_basis_columns(NULL, 2, 2, both, b, &one, &report), BLN_EINVAL); CHECK_TEXT(report.text, "deeper");
    bln_basis_free(b);
}

TEST(basis, columns_errors)
{
    static const size_t good[] = { 2, 0 }, beyond[] = { 0, 3 }, twice[] = { 1, 1 };
    bln_basis *part = basis_rbf(2, 2, 0, 0), *b = NULL;
    bln_report report;
    test_heap heap;
    bln_allocator alloc = test_heap_allocator(&heap), half = alloc;
    half.release = NULL;
    CHECK_STATUS(bln_basis_columns(NULL, 3, 2, good, NULL, &b, &report), BLN_EINVAL);
    CHECK_STATUS(bln_basis_columns(NULL, 3, 2, NULL, part, &b, &report), BLN_EINVAL);
    CHECK_STATUS(bln_basis_columns(NULL, 3, 2, beyond, part, &b, &report), BLN_EINVAL);  CHECK_SIZE(report.column, 3);
    CHECK_STATUS(bln_basis_columns(NULL, 3, 2, twice, part, &b, &report), BLN_EINVAL);   CHECK_SIZE(report.column, 1);
    CHECK_STATUS(bln_basis_columns(NULL, 3, 1, good, part, &b, &report), BLN_ESHAPE);
    CHECK_STATUS(bln_basis_columns(&half, 3, 2, good, part, &b, &report), BLN_EINVAL);   CHECK_TEXT(report.text, "allocator");
    heap.fail_at = 0;
    CHECK_STATUS(bln_basis_columns(&alloc, 3, 2, good, part, &b, &report), BLN_ENOMEM);
    CHECK(b == NULL && heap.live == 0);
    bln_basis_free(basis_columns(3, 2, good, part));                             /* after all that the part is whole */
}

/* A selection of no columns: what reads nothing, on data with columns. */
TEST(basis, no_columns)
{
    bln_basis *b = basis_columns(3, 0, NULL, basis_bias());
    const double X[6] = { 1, 2, 3, 4, 5, 6 };
    double Phi[2], dX[6] = { 0, 0, 0, 0, 0, 0 };
    char s[20];
    CHECK(b->d == 3 && b->D == 1 && bln_basis_check(b) == NULL);
    basis_tools_features(b, NULL, 2, X, 3, Phi, 1);
    CHECK(Phi[0] == 1.0 && Phi[1] == 1.0);
    double *work = basis_tools_work(b, 2);
    bln_basis_pullback(b, NULL, 2, X, 3, Phi, 1, Phi, 1, NULL, dX, 3, work);
    free(work);
    for (size_t i = 0; i < 6; i++) CHECK(dX[i] == 0.0);
    bln_basis_slice_name(b, 0, NULL, s, sizeof s);
    CHECK(!strcmp(s, "bias"));
    basis_tools_file(b, NULL, NULL, 0);
    bln_basis_free(b);
}

/* Low words pass through sums and selections, and are missing as soon as one part has none. */
TEST(basis, low_words)
{
    static const size_t turned[] = { 2, 0 };
    const double X[6] = { 0.1, 0.2, 0.3, -1.7, 2.2, 0.7 };
    bln_basis *parts[3], *sum, *part = basis_poly(2), *whole;
    double Phi[2*10], Low[2*10], P[2*5], L[2*5], x[4] = { 0.3, 0.1, 0.7, -1.7 }, *work;
    parts[0] = basis_columns(3, 2, turned, basis_poly(2));
    parts[1] = basis_bias();
    CHECK_OK(bln_linear_create(NULL, 3, 1, &parts[2]));
    sum = basis_sum(3, parts);
    CHECK_SIZE(sum->D, 10);
    CHECK(blni_basis_features_low(sum, NULL, 0, NULL, 3, NULL, 10, NULL, 10, NULL) == 1);      /* n = 0 only asks */
    basis_tools_features(sum, NULL, 2, X, 3, Phi, 10);
    work = basis_tools_work(sum, 2);
    for (size_t i = 0; i < 20; i++) Low[i] = BLNI_NAN;
    CHECK(blni_basis_features_low(sum, NULL, 2, X, 3, Phi, 10, Low, 10, work) == 1);
    free(work);
    basis_tools_features(part, NULL, 2, x, 2, P, 5);
    work = basis_tools_work(part, 2);
    CHECK(blni_basis_features_low(part, NULL, 2, x, 2, P, 5, L, 5, work) == 1);
    free(work);
    for (size_t i = 0; i < 2; i++) {
        CHECK(!memcmp(Low + 10*i, L + 5*i, 5*sizeof *L));
        for (size_t j = 5; j < 10; j++) CHECK(Low[10*i + j] == 0.0);
    }
    CHECK(L[2] != 0.0 && L[3] != 0.0);
    basis_tools_file(sum, NULL, NULL, 0);
    bln_basis_free(part);
    parts[0] = sum;
    parts[1] = basis_rbf(3, 2, 0, 0);
    whole = basis_sum(2, parts);
    Low[0] = 5.0;
    CHECK(blni_basis_features_low(whole, NULL, 1, X, 3, Phi, 10, Low, 10, NULL) == 0 && Low[0] == 5.0);
    bln_basis_free(whole);
    whole = basis_columns(3, 2, turned, basis_rbf(2, 2, 0, 0));
    CHECK(blni_basis_features_low(whole, NULL, 1, X, 3, Phi, 10, Low, 10, NULL) == 0 && Low[0] == 5.0);
    bln_basis_free(whole);
    whole = basis_own_new(NULL);
    CHECK(blni_basis_features_low(whole, NULL, 1, X, 3, Phi, 10, Low, 10, NULL) == 0 && Low[0] == 5.0);
    bln_basis_free(whole);
}

/* sum_i max(1, |x_i|)/l_i, in numbers that add up without rounding: the largest of an input may be in any row and of either sign,
 * and 1 takes the place of small ones. */
TEST(basis, lengths_away)
{
    enum { N = 3, D = 35, LD = 36 };                              /* more inputs than are taken together */
    static const double size[4] = { 3.0, 0.25, 5.0, 0.0 }, most[4] = { 3.0, 1.0, 5.0, 1.0 }, length[3] = { 0.25, 0.5, 4.0 };
    double X[N*LD], theta[D + 1], one = 0.0, each = 0.0;
    for (size_t ard = 0; ard < 2; ard++) {
        bln_basis *b = basis_rbf(D, 2, (int)ard, 0);
        for (size_t i = 0; i < N*LD; i++) X[i] = i % LD < D ? 0.125 : BLNI_NAN;
        for (size_t i = 0; i < D; i++) {
            X[i % N*LD + i] = i % 2 ? size[i % 4] : -size[i % 4];
            theta[i] = length[i % 3];
            if (!ard) { one += most[i % 4]/length[0]; each += most[i % 4]/theta[i]; }
        }
        theta[D] = BLNI_NAN;
        CHECK(blni_lengths_away(b, theta, N, X, LD) == (ard ? each : one));
        bln_basis_free(b);
    }
}

SUITE_BEGIN(basis)
    SUITE_TEST(basis, fingerprints)
    SUITE_TEST(basis, defaults_of_the_interface)
    SUITE_TEST(basis, check)
    SUITE_TEST(basis, nested_features)
    SUITE_TEST(basis, nested_pullback)
    SUITE_TEST(basis, parts_without_pullback)
    SUITE_TEST(basis, nested_params_and_names)
    SUITE_TEST(basis, equal_parts_are_numbered)
    SUITE_TEST(basis, files)
    SUITE_TEST(basis, forged_files)
    SUITE_TEST(basis, loaders_that_lie)
    SUITE_TEST(basis, sum_errors)
    SUITE_TEST(basis, columns_errors)
    SUITE_TEST(basis, no_columns)
    SUITE_TEST(basis, low_words)
    SUITE_TEST(basis, lengths_away)
SUITE_END(basis)
