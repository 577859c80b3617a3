/* forged: saved objects in which one number is another one. Each is refused with a reason, or what it makes is saved as the very
 * bytes that it was read from: so nothing that is read is forgotten, and no number that a model cannot have comes into one.
 *
 * At every byte eight bytes are replaced, by doubles and by whole numbers that somebody might have believed. There is no checksum:
 * that of a file (use/modelfile) finds accidents, and a forger writes it anew. */
#include "../test.h"
#include "../glm/glm_tools.h"

enum { FORGED_MOST = 8192 };

/* How an object is read from bytes, and saved again: `made` is the object, or what a file is read into. */
typedef struct forged_kind {
    const char *name;
    void *(*load)(bln_reader *r, bln_status *status);        /* a new object, or NULL with the status */
    bln_status (*save)(const void *object, bln_writer *w);
    void (*release)(void *object);
    int sums;                                                 /* what is read is added to, and may be rounded */
} forged_kind;

static const bln_model_kind *forged_file;                     /* the kind whose turn it is */
static bln_basis *forged_basis;
static int forged_way;

static void *forged_model_load(bln_reader *r, bln_status *status)
{
    void *object = NULL;
    *status = forged_file->load(test_all(), r, &object);
    return object;
}
static bln_status forged_model_save(const void *object, bln_writer *w) { return forged_file->save(object, w); }
static void forged_model_release(void *object) { forged_file->release(object); }
static const forged_kind forged_model = { "model", forged_model_load, forged_model_save, forged_model_release, 0 };

/* 0: sums; 1: each in three doubles; 2: the triangle; 3: of two outputs. */
static bln_statistics *forged_statistics_new(void)
{
    bln_statistics_desc desc = BLN_ZERO;
    bln_statistics *t = NULL;
    desc.basis = forged_basis;
    desc.exact = forged_way == 1;
    desc.qr = forged_way == 2;
    desc.n_outputs = forged_way == 3 ? 2 : 1;
    CHECK_OK(bln_statistics_create(&desc, &t, NULL));
    return t;
}
static void *forged_statistics_load(bln_reader *r, bln_status *status)
{
    bln_statistics *t = forged_statistics_new();
    *status = bln_statistics_load(t, r);
    if (*status == BLN_OK) return t;
    bln_statistics_free(t);
    return NULL;
}
static bln_status forged_statistics_save(const void *object, bln_writer *w)
{
    return bln_statistics_save((const bln_statistics *)object, w);
}
static void forged_statistics_release(void *object) { bln_statistics_free((bln_statistics *)object); }
static const forged_kind forged_sums = { "statistics", forged_statistics_load, forged_statistics_save, forged_statistics_release,
                                         1 };

/* 0: a prior for each slice; 1: flat priors; 2: with what the features miss. */
static bln_sequential *forged_sequential_new(void)
{
    const double prior[2] = { 2.0, 0.5 }, flat[2] = { HUGE_VAL, HUGE_VAL };
    bln_sequential_desc desc = BLN_ZERO;
    bln_sequential *t = NULL;
    desc.basis = forged_basis;
    desc.noise_var = 0.3;
    desc.prior_var = forged_way == 1 ? flat : prior;
    CHECK_OK(bln_sequential_create(&desc, &t, NULL));
    return t;
}
static void *forged_sequential_load(bln_reader *r, bln_status *status)
{
    bln_sequential *t = forged_sequential_new();
    *status = bln_sequential_load(t, r);
    if (*status == BLN_OK) return t;
    bln_sequential_free(t);
    return NULL;
}
static bln_status forged_sequential_save(const void *object, bln_writer *w)
{
    return bln_sequential_save((const bln_sequential *)object, w);
}
static void forged_sequential_release(void *object) { bln_sequential_free((bln_sequential *)object); }
static const forged_kind forged_rows = { "sequential", forged_sequential_load, forged_sequential_save, forged_sequential_release,
                                         0 };

/* What was replaced, of which some were taken; bytes: a file that loads. */
static void forged_try(const forged_kind *kind, const char *what, unsigned char *bytes, size_t size)
{
    const double doubles[] = { HUGE_VAL, -HUGE_VAL, -1.0, 0.0, 0.5, 1.0, 4.0, 1e160, 1e300, 1e-310 };
    static const uint64_t words[] = { UINT64_C(0x7ff8000000000000), 1, 2, 3, 4, 5, 100, UINT64_C(0xffffffff), UINT64_C(1) << 60,
                                      ~(uint64_t)0 };
    enum { DOUBLES = sizeof doubles/sizeof *doubles, WORDS = sizeof words/sizeof *words };
    const size_t before = test_failures;
    size_t taken = 0;
    for (size_t at = 0; at + 8 <= size; at++)
        for (size_t k = 0; k < DOUBLES + WORDS; k++) {
            unsigned char keep[8], again[FORGED_MOST];
            bln_memory_stream m;
            bln_report report;
            bln_status status = BLN_OK;
            memcpy(keep, bytes + at, 8);
            blni_encode(k < DOUBLES ? blni_double_bits(doubles[k]) : words[k - DOUBLES], 8, bytes + at);
            bln_report_clear(&report);
            bln_reader r = bln_memory_reader(&m, bytes, size, &report);
            void *object = kind->load(&r, &status);
            if (status == BLN_OK) {
                const uint64_t read = r.count;
                bln_writer w = bln_memory_writer(&m, again, sizeof again);
                CHECK_OK(kind->save(object, &w));
                CHECK(w.count == read && (kind->sums || !memcmp(again, bytes, (size_t)read)));
                taken++;
            } else {
                CHECK(!object && report.text[0]);
                CHECK_STATUS(r.status, status);
            }
            if (test_failures != before) printf("    %s: byte %zu of %zu, number %zu: %s\n", what, at, size, k, report.text);
            if (object) kind->release(object);
            memcpy(bytes + at, keep, 8);
            if (test_failures != before) return;
        }
    CHECK(taken > size/8);                                    /* a loader that refuses everything would pass */
}

/* Saves the object, frees it, and forges what it was. */
static void forged_all(const forged_kind *kind, const char *what, void *object)
{
    unsigned char bytes[FORGED_MOST];
    bln_memory_stream m;
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    CHECK_OK(kind->save(object, &w));
    CHECK_STATUS(kind->save(object, NULL), BLN_EINVAL);
    kind->release(object);
    forged_try(kind, what, bytes, (size_t)w.count);
}

enum { FORGED_N = 9 };

TEST(forged, statistics)
{
    double y[2*FORGED_N];
    bln_data data = slm_make(FORGED_N, 2, 5, 0), two = data;
    forged_basis = slm_parse("bias + rbf:n=1", 2, 3);
    for (size_t i = 0; i < 2*FORGED_N; i++) y[i] = data.y[i/2] + (double)(i % 2);
    two.y = y;
    two.p = 2;
    for (forged_way = 0; forged_way < 4; forged_way++) {
        bln_statistics *t = forged_statistics_new();
        CHECK_OK(bln_statistics_add(t, forged_way == 3 ? &two : &data, NULL));
        forged_all(&forged_sums, "statistics", t);
    }
    bln_basis_free(forged_basis);
    slm_free_data(&data);
}

TEST(forged, sequential)
{
    static const char *const specs[3] = { "bias + rbf:n=1", "linear:cols=1 + bias", "bias + inducing:m=2" };
    bln_data data = slm_make(FORGED_N, 2, 5, 0);
    for (forged_way = 0; forged_way < 3; forged_way++) {
        bln_spec_desc spec = BLN_ZERO;
        spec.text = specs[forged_way];
        spec.d = 2;
        spec.rows = &data;
        CHECK_OK(bln_basis_parse(&spec, &forged_basis, NULL));
        bln_sequential *t = forged_sequential_new();
        CHECK_OK(bln_sequential_add(t, &data, NULL, NULL, NULL, NULL));
        forged_all(&forged_rows, specs[forged_way], t);
        bln_basis_free(forged_basis);
    }
    slm_free_data(&data);
}

TEST(forged, linear_models)
{
    double y[2*FORGED_N];
    bln_data data = slm_make(FORGED_N, 2, 5, 0), two = data;
    bln_basis *narrow = slm_parse("bias + rbf:n=1", 2, 3), *wide = slm_parse("bias + rbf:n=5", 2, 3);
    for (size_t i = 0; i < 2*FORGED_N; i++) y[i] = data.y[i/2] + 0.3*(double)(i % 5);
    two.y = y;
    two.p = 2;
    forged_file = bln_slm_file_kind();
    for (int way = 0; way < 7; way++) {
        const double flat[2] = { HUGE_VAL, HUGE_VAL };
        bln_slm_desc desc = slm_desc(way == 1 ? wide : narrow, way == 1 ? BLN_SLM_DUAL : BLN_SLM_PRIMAL);
        desc.max_iterations = 2;
        desc.per_weight = way == 2;
        if (way == 3) { desc.prior_var = flat; desc.fix_prior_var = 1; }
        if (way >= 4) { desc.n_outputs = 2; desc.sigma = (bln_slm_sigma)(way - 4); desc.relative_prior = 1; }
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_fit(slm, way >= 4 ? &two : &data, NULL));
        forged_all(&forged_model, "slm", slm);
    }
    forged_file = bln_slm_integrated_file_kind();
    for (int way = 0; way < 2; way++) {
        const double flat[2] = { HUGE_VAL, 2.0 }, one[2] = { 0.0, 0.5 };      /* both fixed, or one integrated over */
        bln_slm_integrated_desc desc = BLN_ZERO;
        bln_slm_integrated *model = NULL;
        desc.basis = narrow;
        desc.nodes = 8;
        desc.ratio = way ? flat : one;
        CHECK_OK(bln_slm_integrated_create(&desc, &model, NULL));
        CHECK_OK(bln_slm_integrated_fit(model, &data, NULL));
        forged_all(&forged_model, "slm_integrated", model);
    }
    bln_basis_free(narrow);
    bln_basis_free(wide);
    slm_free_data(&data);
}

TEST(forged, generalised_linear_models)
{
    static const struct { glm_way way; int likelihood; } cases[] = {
        { GLM_LAPLACE, 0 }, { GLM_LAPLACE, 1 }, { GLM_FULL, 0 }, { GLM_FULL, 1 }, { GLM_MIXTURE, 0 }, { GLM_MAP, 1 },
        { GLM_INTEGRATED, 0 }, { GLM_NUTS, 0 }, { GLM_GIBBS, 0 }, { GLM_CAVI, 2 } };
    bln_basis *b = slm_parse("bias + rbf:n=1", 2, 3);
    bln_data data = glm_make("bernoulli_logit", FORGED_N, 5);
    bln_data plain = data;
    bln_glm_nuts_desc nuts = BLN_ZERO;
    bln_glm_gibbs_desc gibbs = BLN_ZERO;
    nuts.chains = gibbs.chains = 1;
    nuts.warmup = gibbs.warmup = 3;
    nuts.draws = gibbs.draws = 2;
    plain.offset = NULL;
    forged_file = bln_glm_file_kind();
    for (size_t k = 0; k < sizeof cases/sizeof *cases; k++) {
        const int kind = cases[k].likelihood;
        glm_options asked = glm_no_options();
        bln_glm_desc desc = glm_desc(b, kind == 1 ? bln_likelihood_categorical(2) : kind == 2 ? bln_likelihood_student_t()
                                     : bln_likelihood_binomial(BLN_LINK_LOGIT));
        asked.components = 2;
        asked.nodes = 2;
        desc.method = glm_by(cases[k].way, &asked);
        if (cases[k].way == GLM_NUTS) desc.method = bln_glm_nuts(&nuts);
        if (cases[k].way == GLM_GIBBS) desc.method = bln_glm_gibbs(&gibbs);
        desc.max_iterations = 2;
        bln_glm *glm = glm_new(&desc);
        CHECK_FIT(glm, kind == 1 ? &plain : &data, NULL);
        forged_all(&forged_model, glm_way_names[cases[k].way], glm);
    }
    bln_basis_free(b);
    glm_free_data(&data);
}

TEST(forged, what_goes_with_models)
{
    static const double z[4] = { 0.3, -1.1, 0.7, 2.2 };
    bln_data data = slm_make(FORGED_N, 2, 5, 0);
    bln_conformal *conformal = NULL;
    bln_scaler *scaler = NULL;
    CHECK_OK(bln_conformal_create(NULL, 2, 2, z, 2, NULL, &conformal, NULL));
    forged_file = bln_conformal_file_kind();
    forged_all(&forged_model, "conformal", conformal);
    CHECK_OK(bln_scaler_create(NULL, &data, &scaler, NULL));
    forged_file = bln_scaler_file_kind();
    forged_all(&forged_model, "scaler", scaler);
    slm_free_data(&data);
}

SUITE_BEGIN(forged)
    SUITE_TEST(forged, linear_models)
    SUITE_TEST(forged, generalised_linear_models)
    SUITE_TEST(forged, what_goes_with_models)
    SUITE_TEST(forged, statistics)
    SUITE_TEST(forged, sequential)
SUITE_END(forged)
