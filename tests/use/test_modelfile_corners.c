/* modelfile_corners - many sections, kinds of one's own that fail, posteriors in the place of models, and files that are none */
#include "../test.h"
#include "../golden/files_golden.h"

/* A constant, fitted to three numbers. */
static bln_slm *corner_model(bln_basis **basis)
{
    static const double y[3] = { 1.0, 2.0, 4.0 };
    bln_slm_desc desc;
    bln_slm *slm = NULL;
    bln_data data;
    memset(&desc, 0, sizeof desc);
    memset(&data, 0, sizeof data);
    CHECK_OK(bln_bias_create(NULL, basis));
    desc.basis = *basis;
    data.n = 3;
    data.y = y;
    CHECK_OK(bln_slm_create(&desc, &slm, NULL));
    CHECK_OK(bln_slm_fit(slm, &data, NULL));
    return slm;
}

enum { CORNER_ROOM = 1 << 19, CORNER_LARGE = 150000, CORNER_SECTIONS = 9 };
static unsigned char corner_bytes[CORNER_ROOM];

static bln_status corner_write(const bln_load *context, const bln_modelfile *file, bln_memory_stream *m, bln_report *report)
{
    const bln_writer w = bln_memory_writer(m, corner_bytes, sizeof corner_bytes);
    return bln_modelfile_write(w.write, w.user, context, file, report);
}

/* Nine sections of the caller's, the last a large one, come back in their order, also where the size of the file is unknown; each
 * allocation on the way may fail. */
TEST(modelfile_corners, many_sections)
{
    static unsigned char large[CORNER_LARGE];
    bln_section sections[CORNER_SECTIONS];
    bln_basis *basis;
    bln_slm *slm = corner_model(&basis);
    bln_modelfile file = BLN_ZERO, back = BLN_ZERO;
    bln_memory_stream m, from;
    bln_report report;
    bln_load context = bln_builtin();
    test_heap heap;
    memset(sections, 0, sizeof sections);
    for (size_t k = 0; k < CORNER_LARGE; k++) large[k] = (unsigned char)(k*k % 251);
    for (size_t k = 0; k < CORNER_SECTIONS; k++) {
        sprintf(sections[k].tag, "my %c", (char)('a' + k));
        sections[k].bytes = large + k;
        sections[k].size = k + 1 < CORNER_SECTIONS ? k : CORNER_LARGE - k;
    }
    file.slm = slm;
    file.sections = sections;
    file.n_sections = CORNER_SECTIONS;
    CHECK_OK(corner_write(&context, &file, &m, &report));
    context.alloc = test_heap_allocator(&heap);
    for (int known = 0; known < 2; known++) {
        bln_status status = BLN_ENOMEM;
        for (size_t fail_at = 0; status != BLN_OK && fail_at < 100; fail_at++) {
            const bln_reader r = bln_memory_reader(&from, corner_bytes, m.at, NULL);
            heap.calls = 0;
            heap.fail_at = fail_at;
            status = bln_modelfile_read(r.read, r.user, known ? m.at : UINT64_MAX, &context, &back, &report);
            CHECK(status == BLN_OK || (status == BLN_ENOMEM && report.text[0] && heap.live == 0));
        }
        CHECK_OK(status);
        CHECK_SIZE(back.n_sections, CORNER_SECTIONS);
        for (size_t k = 0; k < back.n_sections; k++)
            CHECK(!strcmp(back.sections[k].tag, sections[k].tag) && back.sections[k].size == sections[k].size
                  && memcmp(back.sections[k].bytes, sections[k].bytes, sections[k].size) == 0);
        bln_modelfile_free(&back);
        CHECK_SIZE(heap.live, 0);
    }
    file.n_sections = 0x1000000;
    CHECK_STATUS(corner_write(&context, &file, &m, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "too many sections");
    bln_slm_free(slm);
    bln_basis_free(basis);
}

/* Kinds of models of one's own that fail without a word: the reasons are those of their statuses. */
static bln_status corner_load(const bln_load *load, bln_reader *r, void **out)
{
    (void)load; (void)r; (void)out;
    return BLN_EUNDEFINED;
}
static bln_status corner_save(const void *model, bln_writer *w)
{
    (void)model; (void)w;
    return BLN_EOVERFLOW;
}
TEST(modelfile_corners, kinds_that_fail)
{
    const bln_load all = bln_builtin();
    bln_model_kind mine = *bln_slm_file_kind();
    const bln_model_kind *kinds[1];
    bln_load context = all;
    bln_basis *basis;
    bln_modelfile file = BLN_ZERO, back = BLN_ZERO;
    bln_memory_stream m, from;
    bln_report report;
    file.slm = corner_model(&basis);
    kinds[0] = &mine;
    context.kinds = kinds;
    context.n_kinds = 1;
    mine.save = corner_save;
    CHECK_STATUS(corner_write(&context, &file, &m, &report), BLN_EOVERFLOW);
    CHECK_TEXT(report.text, "the model cannot be saved");
    CHECK_SIZE(m.at, 0);
    CHECK_OK(corner_write(&all, &file, &m, &report));
    mine.load = corner_load;
    const bln_reader r = bln_memory_reader(&from, corner_bytes, m.at, NULL);
    CHECK_STATUS(bln_modelfile_read(r.read, r.user, m.at, &context, &back, &report), BLN_EUNDEFINED);
    CHECK_TEXT(report.text, bln_status_text(BLN_EUNDEFINED));
    CHECK_TEXT(report.text, "section \"SLM \"");
    bln_slm_free(file.slm);
    bln_basis_free(basis);
}

/* Two models, where the list has posteriors alone, for which there is one place. */
TEST(modelfile_corners, one_posterior)
{
    const bln_load all = bln_builtin();
    bln_load context = all;
    const bln_model_kind *kinds[1] = { NULL };
    bln_basis *basis;
    bln_modelfile file = BLN_ZERO, back = BLN_ZERO;
    bln_memory_stream m, from;
    bln_report report;
    bln_glm_desc desc;
    const double y[3] = { 1.0, 2.0, 4.0 };
    bln_data data;
    memset(&desc, 0, sizeof desc);
    memset(&data, 0, sizeof data);
    file.slm = corner_model(&basis);
    data.n = 3;
    data.y = y;
    desc.basis = basis;
    desc.likelihood = bln_likelihood_gaussian();
    CHECK_OK(bln_glm_create(&desc, &file.glm, NULL));
    CHECK_OK(bln_glm_fit(file.glm, &data, NULL));
    for (size_t k = 0; k < all.n_kinds; k++) if (!strcmp(all.kinds[k]->tag, BLNI_POSTERIOR_TAG)) kinds[0] = all.kinds[k];
    CHECK(kinds[0] != NULL);
    context.kinds = kinds;
    context.n_kinds = 1;
    for (int both = 0; both < 2; both++) {
        bln_glm *glm = file.glm;
        if (!both) file.glm = NULL;
        CHECK_OK(corner_write(&all, &file, &m, &report));
        file.glm = glm;
        const bln_reader r = bln_memory_reader(&from, corner_bytes, m.at, NULL);
        CHECK_STATUS(bln_modelfile_read(r.read, r.user, m.at, &context, &back, &report), both ? BLN_EUNKNOWN : BLN_OK);
        if (both) CHECK_TEXT(report.text, "one place for a posterior");
        else CHECK(back.posterior && !back.slm);
        bln_modelfile_free(&back);
    }
    bln_slm_free(file.slm);
    bln_glm_free(file.glm);
    bln_basis_free(basis);
}

#if defined BLNI_DISK_POSIX
extern int mkfifo(const char *path, mode_t mode);

/* In build/, or here where there is no such folder. */
static void corner_path(char *path, const char *name)
{
    sprintf(path, "build/%s", name);
    FILE *f = fopen(path, "ab");
    if (f) fclose(f);
    else strcpy(path, name);
    remove(path);
}

/* A pipe has no size, and ends when it ends; a folder can be opened on some systems, and not read. */
TEST(modelfile_corners, what_is_no_file)
{
    char pipe[64];
    bln_modelfile back = BLN_ZERO;
    bln_report report;
    corner_path(pipe, "test_corners_pipe");
    CHECK(mkfifo(pipe, 0600) == 0);
    FILE *both = fopen(pipe, "r+b"), *end = fopen(pipe, "rb");              /* so that nothing waits */
    CHECK(both && end && fwrite(golden_file_model, 1, 300, both) == 300 && fclose(both) == 0);
    if (end) {
        CHECK(blni_stdio_size(end) == UINT64_MAX);
        CHECK_STATUS(bln_modelfile_read(blni_stdio_read, end, UINT64_MAX, test_all(), &back, &report), BLN_EFORMAT);
        fclose(end);
    }
    remove(pipe);
    CHECK(bln_modelfile_load(".", test_all(), &back, &report) == BLN_EIO);
    CHECK(report.text[0] && !back.slm);
}
#else
TEST(modelfile_corners, what_is_no_file) { CHECK(1); }
#endif

SUITE_BEGIN(modelfile_corners)
    SUITE_TEST(modelfile_corners, many_sections)
    SUITE_TEST(modelfile_corners, kinds_that_fail)
    SUITE_TEST(modelfile_corners, one_posterior)
    SUITE_TEST(modelfile_corners, what_is_no_file)
SUITE_END(modelfile_corners)
