/* test_sources: a source whose later passes do not deliver what its first one did. Fits scan the rows once and pass over them again
 * (glm/rows, linear/slm_primal, linear/slm_dual); from each pass on the rows are changed in turn. Another number of rows, or a
 * block of another shape, is refused with its reason. Other values are not looked for, but nothing crashes, and what was learnt
 * before stays when the fit fails. */
#include "../test.h"
#include "../glm/glm_tools.h"

typedef enum sources_change { SOURCES_FEWER, SOURCES_MORE, SOURCES_NONE, SOURCES_WIDER, SOURCES_NO_Y, SOURCES_COUNTED,
                              SOURCES_NAN = SOURCES_COUNTED, SOURCES_TARGETS, SOURCES_CHANGES } sources_change;
typedef struct sources_bent {
    bln_source inner;
    bln_data last;
    sources_change change;
    size_t from, pass, given, n;
    double y[64], X[64];
} sources_bent;

static bln_status sources_reset(void *user, bln_report *report)
{
    sources_bent *s = (sources_bent *)user;
    s->pass++;
    s->given = 0;
    return s->inner.reset(s->inner.user, report);
}

static bln_status sources_next(void *user, size_t most, bln_data *block, bln_report *report)
{
    sources_bent *s = (sources_bent *)user;
    const int bent = s->pass >= s->from;
    if (bent && s->change == SOURCES_NONE) return BLN_OK;
    const bln_status status = s->inner.next(s->inner.user, most, block, report);
    if (status != BLN_OK) return status;
    if (bent && s->change == SOURCES_MORE && block->n == 0 && s->given == s->n) {
        *block = s->last;
        block->n = 1;
    }
    if (block->n == 0) return BLN_OK;
    s->last = *block;
    s->given += block->n;
    if (!bent) return BLN_OK;
    if (s->change == SOURCES_FEWER && s->given == s->n) block->n--;
    if (s->change == SOURCES_WIDER) block->d++;
    if (s->change == SOURCES_NO_Y) block->y = NULL;
    if (s->change == SOURCES_NAN || s->change == SOURCES_TARGETS) {
        for (size_t i = 0; i < block->n; i++) s->y[i] = s->change == SOURCES_NAN ? block->y[i] : i % 2 ? -1e9 : 1e300;
        for (size_t i = 0; i < block->n*block->d; i++) s->X[i] = s->change == SOURCES_NAN ? NAN : block->X[i];
        block->X = s->X;
        block->y = s->y;
    }
    return BLN_OK;
}

static bln_source sources_of(sources_bent *s, const bln_data *data, bln_data_reader *reader, sources_change change, size_t from)
{
    bln_source source;
    memset(s, 0, sizeof *s);
    s->inner = bln_source_of(data, reader);
    s->change = change;
    s->from = from;
    s->n = data->n;
    source = s->inner;
    source.user = s;
    source.reset = sources_reset;
    source.next = sources_next;
    return source;
}

/* The fit ended as it should: shape refused in words, values without a crash. */
static void sources_check(sources_change change, bln_status status, const bln_report *report, const char *what, size_t from)
{
    const size_t before = test_failures;
    if (change < SOURCES_COUNTED) {
        CHECK_STATUS(status, change == SOURCES_NO_Y ? BLN_EINVAL : BLN_ESHAPE);
        CHECK_TEXT(report->text, change == SOURCES_NO_Y ? "y" : change == SOURCES_WIDER ? "shape"
                               : strstr(report->text, "fewer") ? "fewer" : strstr(report->text, "more") ? "more"
                               : "another number of rows");
    } else if (status != BLN_OK) CHECK(report->text[0] != '\0');
    if (test_failures != before) printf("    %s, change %d from pass %zu: %s\n", what, (int)change, from, report->text);
}

/* Passes 2, 3, ... of a fit in turn, until it has no more of them. */
TEST(sources, glm_passes)
{
    bln_basis *narrow = slm_parse("bias + rbf:n=2", 2, 3), *wide = slm_parse("bias + rbf:n=20", 2, 3);
    bln_data data = glm_make("bernoulli_logit", 22, 5);
    /* The last two: more weights than rows, which are then fitted in the space of the rows. */
    static const glm_way ways[] = { GLM_LAPLACE, GLM_MIXTURE, GLM_FULL, GLM_MAP, GLM_NPV, GLM_INTEGRATED, GLM_CAVI, GLM_LAPLACE,
                                    GLM_FULL };
    for (size_t k = 0; k < sizeof ways/sizeof *ways; k++) {
        const glm_way way = ways[k];
        const bln_basis *b = k < 7 ? narrow : wide;
        glm_options asked = glm_no_options();
        bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
        asked.components = 2;
        asked.nodes = 8;
        desc.method = glm_by(way, &asked);
        desc.max_iterations = 2;
        desc.block = 7;
        bln_glm *glm = glm_new(&desc);
        CHECK_OK(bln_glm_fit(glm, &data, NULL));
        const double objective = bln_glm_objective(glm);
        for (int change = 0; change < SOURCES_CHANGES; change++)
            for (size_t from = 2, more = 1; more && from < 300; from += 1 + TEST_MANY(from/2, 2*from)) {
                bln_data_reader reader;
                sources_bent bent;
                bln_report report;
                const bln_source source = sources_of(&bent, &data, &reader, (sources_change)change, from);
                const bln_status status = bln_glm_fit_source(glm, &source, &report);
                more = bent.pass >= from;
                if (more) sources_check((sources_change)change, status, &report, glm_way_names[way], from);
                if (more && status != BLN_OK) CHECK(bln_glm_objective(glm) == objective);
                if (status == BLN_OK) CHECK_OK(bln_glm_fit(glm, &data, NULL));
            }
        bln_glm_free(glm);
    }
    bln_basis_free(narrow);
    bln_basis_free(wide);
    glm_free_data(&data);
}

/* Targets that are indices of something: classes, levels. */
TEST(sources, classes_out_of_range)
{
    bln_basis *b = slm_parse("bias + linear", 2, 3);
    bln_data data = glm_make("poisson_exp", 30, 5);
    double *y = (double *)data.y;
    const bln_likelihood likelihoods[3] = { bln_likelihood_categorical(3), bln_likelihood_logistic_softmax(3, BLN_SOFTMAX_OVER),
                                            bln_likelihood_ordinal(3) };
    for (size_t i = 0; i < 30; i++) y[i] = (double)(i % 3);
    for (size_t k = 0; k < 3; k++)
        for (size_t from = 2, more = 1; more && from < 30; from += from) {
            bln_data_reader reader;
            sources_bent bent;
            bln_report report;
            bln_glm_desc desc = glm_desc(b, likelihoods[k]);
            bln_data plain = data;
            plain.trials = plain.offset = NULL;
            desc.max_iterations = 2;
            desc.block = 7;
            desc.method = bln_glm_map(NULL);
            bln_glm *glm = glm_new(&desc);
            const bln_source source = sources_of(&bent, &plain, &reader, SOURCES_TARGETS, from);
            const bln_status status = bln_glm_fit_source(glm, &source, &report);
            more = bent.pass >= from;
            if (more) sources_check(SOURCES_TARGETS, status, &report, likelihoods[k].ops->name, from);
            bln_glm_free(glm);
        }
    bln_basis_free(b);
    glm_free_data(&data);
}

TEST(sources, slm_passes)
{
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3), *wide = slm_parse("bias + rbf:n=40", 2, 3);
    bln_data data = slm_make(22, 2, 5, 1);
    for (int kind = 0; kind < 4; kind++) {
        bln_slm_desc desc = slm_desc(kind == 1 ? wide : b, kind == 1 ? BLN_SLM_DUAL : BLN_SLM_PRIMAL);
        static const char *const names[] = { "primal", "dual", "qr", "exact" };
        desc.arithmetic = kind == 2 ? BLN_SLM_QR : kind == 3 ? BLN_SLM_EXACT : BLN_SLM_DOUBLE;
        desc.max_iterations = 3;
        desc.block = 7;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_fit(slm, &data, NULL));
        const double evidence = bln_slm_evidence(slm);
        for (int change = 0; change < SOURCES_CHANGES; change++)
            for (size_t from = 2, more = 1; more && from < 300; from += 1 + from/2) {
                bln_data_reader reader;
                sources_bent bent;
                bln_report report;
                const bln_source source = sources_of(&bent, &data, &reader, (sources_change)change, from);
                const bln_status status = bln_slm_fit_source(slm, &source, &report);
                more = bent.pass >= from;
                if (more) sources_check((sources_change)change, status, &report, names[kind], from);
                if (more && status != BLN_OK) CHECK(bln_slm_evidence(slm) == evidence);
                if (status == BLN_OK) CHECK_OK(bln_slm_fit(slm, &data, NULL));
            }
        bln_slm_free(slm);
    }
    bln_basis_free(b);
    bln_basis_free(wide);
    slm_free_data(&data);
}

/* Readers of one pass take what comes in it, and ask no more. */
TEST(sources, one_pass)
{
    bln_basis *b = slm_parse("bias + linear", 2, 3);
    bln_data data = slm_make(22, 2, 5, 0);
    bln_data_reader reader;
    sources_bent bent;
    bln_slm_integrated_desc desc = BLN_ZERO;
    bln_slm_integrated *model = NULL;
    bln_scaler *scaler = NULL;
    bln_source source = sources_of(&bent, &data, &reader, SOURCES_NONE, 2);
    desc.basis = b;
    desc.block = 7;
    CHECK_OK(bln_slm_integrated_create(&desc, &model, NULL));
    CHECK_OK(bln_slm_integrated_fit_source(model, &source, NULL));
    CHECK(bent.pass == 1 && bln_slm_integrated_rows(model) == 22.0);
    source = sources_of(&bent, &data, &reader, SOURCES_NONE, 2);
    CHECK_OK(bln_scaler_create_source(NULL, &source, &scaler, NULL));
    CHECK(bent.pass == 1);
    bln_scaler_free(scaler);
    bln_slm_integrated_free(model);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* A source that fails: call number `at` of reset and next, from 0, returns BLN_EIO. */
typedef struct sources_broken { bln_source inner; size_t calls, at; } sources_broken;

static bln_status sources_call(sources_broken *s, bln_report *report)
{
    if (s->calls++ != s->at) return BLN_OK;
    if (report) strcpy(report->text, "the disk is gone");
    return BLN_EIO;
}

static bln_status sources_broken_reset(void *user, bln_report *report)
{
    sources_broken *s = (sources_broken *)user;
    const bln_status status = sources_call(s, report);
    return status == BLN_OK ? s->inner.reset(s->inner.user, report) : status;
}

static bln_status sources_broken_next(void *user, size_t most, bln_data *block, bln_report *report)
{
    sources_broken *s = (sources_broken *)user;
    const bln_status status = sources_call(s, report);
    return status == BLN_OK ? s->inner.next(s->inner.user, most, block, report) : status;
}

static bln_source sources_break(sources_broken *s, const bln_data *data, bln_data_reader *reader, size_t at)
{
    bln_source source = bln_source_of(data, reader);
    s->inner = source;
    s->calls = 0;
    s->at = at;
    source.user = s;
    source.reset = sources_broken_reset;
    source.next = sources_broken_next;
    return source;
}

/* Each call fails in turn, of a long fit some in the middle are passed over: its status and its words come through, and what was
 * learnt before stays. */
static void sources_break_glm(const bln_glm_desc *desc, const bln_data *data, const char *what)
{
    const size_t before = test_failures;
    bln_data_reader reader;
    sources_broken broken;
    bln_report report;
    bln_glm *glm = glm_new(desc);
    bln_source source = sources_break(&broken, data, &reader, (size_t)-1);
    CHECK_OK(bln_glm_fit_source(glm, &source, &report));
    const double objective = bln_glm_objective(glm);
    const size_t all = broken.calls, ends = TEST_MANY(60, 14), leap = all > 2*ends ? 1 + (all - 2*ends)/TEST_MANY(400, 8) : 1;
    for (size_t at = 0, step; at < all; at += step) {
        step = at < ends || at + ends >= all ? 1 : blni_min(leap, all - ends - at);
        source = sources_break(&broken, data, &reader, at);
        CHECK_STATUS(bln_glm_fit_source(glm, &source, &report), BLN_EIO);
        CHECK_TEXT(report.text, "the disk is gone");
        CHECK_SIZE(broken.calls, at + 1);
        CHECK(bln_glm_objective(glm) == objective);
        if (test_failures != before) { printf("    %s, call %zu of %zu: %s\n", what, at, all, report.text); break; }
    }
    bln_glm_free(glm);
}

TEST(sources, glm_broken)
{
    bln_basis *narrow = slm_parse("bias + rbf:n=2", 2, 3), *wide = slm_parse("bias + rbf:n=20", 2, 3);
    bln_data data = glm_make("bernoulli_logit", 22, 5);
    bln_data plain = data;
    plain.offset = NULL;
    static const struct { glm_way way; int wide, likelihood; } cases[] = {
        { GLM_LAPLACE, 0, 0 }, { GLM_LAPLACE, 0, 1 }, { GLM_LAPLACE, 0, 2 }, { GLM_LAPLACE, 1, 0 }, { GLM_FULL, 0, 0 },
        { GLM_FULL, 0, 2 }, { GLM_FULL, 1, 0 }, { GLM_MAP, 0, 1 }, { GLM_MIXTURE, 0, 1 }, { GLM_NPV, 0, 0 },
        { GLM_INTEGRATED, 0, 1 }, { GLM_CAVI, 0, 0 } };
    for (size_t k = 0; k < sizeof cases/sizeof *cases; k++) {
        const int kind = cases[k].likelihood;
        glm_options asked = glm_no_options();
        bln_glm_desc desc = glm_desc(cases[k].wide ? wide : narrow,
                                     kind == 1 ? bln_likelihood_negative_binomial() : kind == 2 ? bln_likelihood_categorical(2)
                                     : bln_likelihood_binomial(BLN_LINK_LOGIT));
        asked.components = 2;
        asked.nodes = 8;
        desc.method = glm_by(cases[k].way, &asked);
        desc.max_iterations = 2;
        desc.block = 7;
        sources_break_glm(&desc, kind == 2 ? &plain : &data, glm_way_names[cases[k].way]);
    }
    bln_basis_free(narrow);
    bln_basis_free(wide);
    glm_free_data(&data);
}

SUITE_BEGIN(sources)
    SUITE_TEST(sources, glm_broken)
    SUITE_TEST(sources, glm_passes)
    SUITE_TEST(sources, classes_out_of_range)
    SUITE_TEST(sources, slm_passes)
    SUITE_TEST(sources, one_pass)
SUITE_END(sources)
