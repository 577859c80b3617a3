/* modelfile: a file written by hand byte by byte, what is saved is loaded, and everything else is refused with a reason and without
 * a trace */
#include "../test.h"
#define FUZZ_NO_MAIN
#include "../fuzz/fuzz_modelfile.c"
#include "../linear/posterior_of.h"
#include "../golden/files_golden.h"

/* The file written by hand, and its sections by their first byte and whole size. */
enum { MODELFILE_SIZE = GOLDEN_MODEL_SIZE, MODELFILE_ROOM = 1 << 19, MODELFILE_SLM = GOLDEN_MODEL_SLM,
       MODELFILE_SLM_SIZE = GOLDEN_MODEL_SLM_END - GOLDEN_MODEL_SLM, MODELFILE_SCAL = GOLDEN_MODEL_SCAL,
       MODELFILE_SCAL_SIZE = GOLDEN_MODEL_SCAL_END - GOLDEN_MODEL_SCAL, MODELFILE_NOTE = GOLDEN_MODEL_NOTE,
       MODELFILE_NOTE_SIZE = GOLDEN_MODEL_NOTE_END - GOLDEN_MODEL_NOTE };

/* Reads from memory with a counting allocator; checks what holds of every failure. */
static bln_status modelfile_read(const unsigned char *bytes, size_t size, int size_known, test_heap *heap, bln_modelfile *file,
                                 bln_report *report)
{
    bln_memory_stream m;
    bln_load context = bln_builtin();
    context.alloc = test_heap_allocator(heap);
    const bln_reader r = bln_memory_reader(&m, bytes, size, NULL);
    bln_modelfile before;
    memset(file, 0x33, sizeof *file);
    before = *file;
    const bln_status status = bln_modelfile_read(r.read, r.user, size_known ? size : UINT64_MAX, &context, file, report);
    if (status != BLN_OK) {
        CHECK_SIZE(heap->live, 0);
        CHECK_SIZE(heap->live_bytes, 0);
        CHECK(memcmp(file, &before, sizeof before) == 0);
        CHECK(report->text[0] != '\0');
        memset(file, 0, sizeof *file);
    } else CHECK(report->text[0] == '\0');
    return status;
}

/* Both with and without a known size: the same answer. */
static void modelfile_refused(const unsigned char *bytes, size_t size, bln_status want, const char *text)
{
    for (int known = 0; known < 2; known++) {
        test_heap heap;
        bln_modelfile file;
        bln_report report;
        CHECK_STATUS(modelfile_read(bytes, size, known, &heap, &file, &report), want);
        CHECK_TEXT(report.text, text);
        CHECK_LE((double)heap.peak_bytes, 300000.0);
        bln_modelfile_free(&file);
    }
}

/* What is to be written: a model, and sections. */
static bln_modelfile modelfile_of(bln_slm *slm, size_t n, bln_section *sections)
{
    bln_modelfile file;
    memset(&file, 0, sizeof file);
    file.slm = slm;
    file.n_sections = n;
    file.sections = sections;
    return file;
}

/* ---- the format ---- */

TEST(modelfile, reads_the_file_written_by_hand)
{
    for (int known = 0; known < 2; known++) {
        test_heap heap;
        bln_modelfile file;
        bln_report report;
        bln_data data;
        double mean = 0.0, latent = 0.0, total = 0.0;
        CHECK_OK(modelfile_read(golden_file_model, MODELFILE_SIZE, known, &heap, &file, &report));
        if (!file.slm || !file.scaler) { CHECK(0); return; }
        CHECK_NEAR(bln_slm_noise_var(file.slm), 0.25, 0.0);
        CHECK_NEAR(bln_slm_evidence(file.slm), -3.5, 0.0);
        CHECK_NEAR(bln_slm_rows(file.slm), 4.0, 0.0);
        CHECK_NEAR(bln_slm_prior_var(file.slm)[0], 2.25, 0.0);
        const blni_gaussian *g = gaussians_of(bln_slm_posterior(file.slm));
        CHECK(g->form == BLN_GAUSSIAN_FACTOR && g->D == 1 && g->k == 1 && g->m[0] == 1.5 && g->s[0] == 1.5 && g->R[0] == 2.0);
        CHECK(strcmp(bln_slm_basis(file.slm)->ops->name, "bias") == 0);
        memset(&data, 0, sizeof data);
        data.n = 1;
        CHECK_OK(total_of(bln_slm_posterior(file.slm), &data, &mean, &latent, &total, NULL, NULL));
        CHECK_NEAR(mean, 1.5, 0.0);
        CHECK_NEAR(latent, 0.5625, 1e-15);               /* (s/U)^2 */
        CHECK_NEAR(total, 0.8125, 1e-15);
        CHECK_SIZE(bln_scaler_columns(file.scaler), 0);
        CHECK(bln_scaler_mean(file.scaler, 0) == 10.0 && bln_scaler_sd(file.scaler, 0) == 4.0);
        CHECK(file.n_sections == 1 && strcmp(file.sections[0].tag, "note") == 0);
        CHECK(file.n_sections == 1 && file.sections[0].size == 2 && memcmp(file.sections[0].bytes, "hi", 2) == 0);
        bln_modelfile_free(&file);
        CHECK_SIZE(heap.live, 0);
        CHECK(file.slm == NULL && file.scaler == NULL && file.sections == NULL && file.n_sections == 0);
        bln_modelfile_free(&file);                       /* twice does no harm */
    }
    bln_modelfile_free(NULL);
}

TEST(modelfile, writes_the_same_bytes_again)
{
    unsigned char again[MODELFILE_SIZE];
    test_heap heap;
    bln_modelfile file;
    bln_report report;
    bln_memory_stream m;
    CHECK_OK(modelfile_read(golden_file_model, MODELFILE_SIZE, 1, &heap, &file, &report));
    const bln_writer w = bln_memory_writer(&m, again, sizeof again);
    CHECK_OK(bln_modelfile_write(w.write, w.user, test_all(), &file, &report));
    CHECK_SIZE(m.at, MODELFILE_SIZE);
    for (size_t i = 0; i < m.at; i++) CHECK_SIZE(again[i], golden_file_model[i]);
    bln_modelfile_free(&file);
    CHECK_SIZE(heap.live, 0);
}

/* ---- damage ---- */

TEST(modelfile, truncation_at_every_byte_is_named)
{
    char want[40];
    for (size_t size = 0; size < MODELFILE_SIZE; size++) {
        modelfile_refused(golden_file_model, size, BLN_EFORMAT, "truncated");
        test_heap heap;
        bln_modelfile file;
        bln_report report;
        CHECK_STATUS(modelfile_read(golden_file_model, size, 1, &heap, &file, &report), BLN_EFORMAT);
        sprintf(want, "at byte %u", (unsigned)size);     /* the size is known: exactly there */
        const char *found = strstr(report.text, want);
        CHECK(found && (found[strlen(want)] == '\0' || found[strlen(want)] == ','));
        CHECK_LE((double)heap.peak_bytes, 4096.0);
    }
}

TEST(modelfile, every_flipped_bit_is_noticed)
{
    unsigned char b[MODELFILE_SIZE];
    memcpy(b, golden_file_model, sizeof b);
    for (size_t i = 0; i < sizeof b; i++)
        for (int bit = 0; bit < 8; bit++) {
            b[i] = (unsigned char)(b[i] ^ 1 << bit);
            for (int known = 0; known < 2; known++) {
                test_heap heap;
                bln_modelfile file;
                bln_report report;
                const bln_status status = modelfile_read(b, sizeof b, known, &heap, &file, &report);
                /* A version above 1 is a newer one. A length beyond half the address space is damage if the size is known, else
                 * only too large. */
                if (i >= 8 && i < 12 && blni_decode(b + 8, 4) > 1) CHECK_STATUS(status, BLN_EVERSION);
                else if (known || status != BLN_EOVERFLOW) CHECK_STATUS(status, BLN_EFORMAT);
                CHECK_LE((double)heap.peak_bytes, known ? 4096.0 : 70000.0);
                if (status == BLN_OK) bln_modelfile_free(&file);
            }
            b[i] = (unsigned char)(b[i] ^ 1 << bit);
        }
}

/* A file put together from sections: from the one above, or with contents of the test's. */
typedef struct modelfile_parts { unsigned char bytes[1024]; size_t size; } modelfile_parts;
static void modelfile_begin(modelfile_parts *p, unsigned version, unsigned sections)
{
    memcpy(p->bytes, golden_file_model, 16);
    blni_encode(version, 4, p->bytes + 8);
    blni_encode(sections, 4, p->bytes + 12);
    p->size = 16;
}
static void modelfile_copy(modelfile_parts *p, size_t at, size_t size)
{
    memcpy(p->bytes + p->size, golden_file_model + at, size);
    p->size += size;
}
static void modelfile_section(modelfile_parts *p, const char *tag, unsigned version, const void *content, size_t size)
{
    unsigned char *b = p->bytes + p->size;
    memcpy(b, tag, 4);
    blni_encode(version, 4, b + 4);
    blni_encode(size, 8, b + 8);
    if (size) memcpy(b + 16, content, size);
    blni_encode(blni_fnv(BLNI_FNV_START, b, 16 + size), 8, b + 16 + size);
    p->size += 24 + size;
}

TEST(modelfile, wrong_files_are_refused_with_a_reason)
{
    static const unsigned char text[] = "x0,x1,y\n1.5,2.5,3.5\n4.0,5.0,6.0\n";
    unsigned char content[300];
    modelfile_parts p;
    modelfile_refused(text, sizeof text, BLN_EFORMAT, "not a bayeslin model file");
    memcpy(p.bytes, golden_file_model, MODELFILE_SIZE);
    p.bytes[MODELFILE_SIZE] = 0;
    modelfile_refused(p.bytes, MODELFILE_SIZE + 1, BLN_EFORMAT, "bytes follow the last section");

    modelfile_begin(&p, 1, 0);
    modelfile_refused(p.bytes, p.size, BLN_EFORMAT, "holds no model");
    modelfile_begin(&p, 1, 1);
    modelfile_copy(&p, MODELFILE_SCAL, MODELFILE_SCAL_SIZE);
    modelfile_refused(p.bytes, p.size, BLN_EFORMAT, "holds no model");

    modelfile_begin(&p, 1, 2);
    modelfile_copy(&p, MODELFILE_SLM, MODELFILE_SLM_SIZE);
    modelfile_copy(&p, MODELFILE_SLM, MODELFILE_SLM_SIZE);
    modelfile_refused(p.bytes, p.size, BLN_EFORMAT, "a second one, at byte 273, section \"SLM \"");
    modelfile_begin(&p, 1, 3);
    modelfile_copy(&p, MODELFILE_SCAL, MODELFILE_SCAL_SIZE);
    modelfile_copy(&p, MODELFILE_SLM, MODELFILE_SLM_SIZE);
    modelfile_copy(&p, MODELFILE_SCAL, MODELFILE_SCAL_SIZE);
    modelfile_refused(p.bytes, p.size, BLN_EFORMAT, "section \"SCAL\"");

    /* A model that is followed by something within its own section, and one that is cut short there, both with a right checksum. */
    memcpy(content, golden_file_slm, GOLDEN_SLM_SIZE);
    memset(content + GOLDEN_SLM_SIZE, 0, 8);
    modelfile_begin(&p, 1, 1);
    modelfile_section(&p, "SLM ", 3, content, GOLDEN_SLM_SIZE + 8);
    modelfile_refused(p.bytes, p.size, BLN_EFORMAT, "a section is longer than its content, at byte 265");
    modelfile_begin(&p, 1, 1);
    modelfile_section(&p, "SLM ", 3, content, GOLDEN_SLM_SIZE - 8);
    modelfile_refused(p.bytes, p.size, BLN_EFORMAT, "");

    modelfile_begin(&p, 1, 1);
    modelfile_section(&p, "\1LM ", 3, content, GOLDEN_SLM_SIZE);
    modelfile_refused(p.bytes, p.size, BLN_EFORMAT, "tag is not text");

    memcpy(content + GOLDEN_SLM_BASIS + 4, "nope", 4);   /* a basis that nobody knows */
    modelfile_begin(&p, 1, 1);
    modelfile_section(&p, "SLM ", 3, content, GOLDEN_SLM_SIZE);
    modelfile_refused(p.bytes, p.size, BLN_EUNKNOWN, "");
}

TEST(modelfile, newer_versions_are_told_apart_from_damage)
{
    modelfile_parts p;
    const unsigned char *scaler = golden_file_model + MODELFILE_SCAL + 16;
    modelfile_begin(&p, 2, 1);
    modelfile_copy(&p, MODELFILE_SLM, MODELFILE_SLM_SIZE);
    modelfile_refused(p.bytes, p.size, BLN_EVERSION, "newer version");
    modelfile_begin(&p, 0, 1);
    modelfile_copy(&p, MODELFILE_SLM, MODELFILE_SLM_SIZE);
    modelfile_refused(p.bytes, p.size, BLN_EFORMAT, "version 0");
    modelfile_begin(&p, 1, 1);
    modelfile_section(&p, "SLM ", 4, golden_file_slm, GOLDEN_SLM_SIZE);
    modelfile_refused(p.bytes, p.size, BLN_EVERSION, "newer version of bayeslin, at byte 16, section \"SLM \"");
    modelfile_begin(&p, 1, 1);
    modelfile_section(&p, "SLM ", 0, golden_file_slm, GOLDEN_SLM_SIZE);
    modelfile_refused(p.bytes, p.size, BLN_EFORMAT, "version 0");
    modelfile_refused(golden_file_old, GOLDEN_OLD_SIZE, BLN_EVERSION, "an older version of bayeslin, whose models");
    modelfile_begin(&p, 1, 2);
    modelfile_copy(&p, MODELFILE_SLM, MODELFILE_SLM_SIZE);
    modelfile_section(&p, "SCAL", 7, scaler, 25);
    modelfile_refused(p.bytes, p.size, BLN_EVERSION, "section \"SCAL\"");
}

/* A file may hold the few-data model, with or without the other one: with a flat constant, nu = 3, U = 2, z = 3, R and t empty. */
TEST(modelfile, either_model_or_both)
{
    static const double level[2] = { 0.025, 0.975 }, y[1] = { 0.0 };
    unsigned char again[1024];
    double mean = 0.0, quantile[2] = { 0.0, 0.0 };
    modelfile_parts p;
    test_heap heap;
    bln_modelfile file;
    bln_report report;
    bln_memory_stream m;
    bln_data data;
    of_outputs out;
    const unsigned char *content = golden_file_integrated_flat;
    const size_t size = GOLDEN_INTEGRATED_FLAT_SIZE;
    memset(&data, 0, sizeof data);
    data.n = 1;
    data.y = y;
    memset(&out, 0, sizeof out);
    out.mean = &mean;
    out.latent = 1;
    out.n_level = 2;
    out.level = level;
    out.quantile = quantile;
    for (unsigned both = 0; both < 2; both++) {
        modelfile_begin(&p, 1, 1 + both);
        if (both) modelfile_copy(&p, MODELFILE_SLM, MODELFILE_SLM_SIZE);
        modelfile_section(&p, "INTG", 3, content, size);
        CHECK_OK(modelfile_read(p.bytes, p.size, 1, &heap, &file, &report));
        CHECK((file.slm != NULL) == (both == 1) && file.integrated);
        if (!file.integrated) return;
        CHECK_OK(outputs_of(bln_slm_integrated_posterior(file.integrated), &data, &out, NULL, NULL));
        CHECK_NEAR(mean, 1.5, 0.0);                      /* z/U; scale sqrt(q/nu)/U = sqrt(2)/2, t_3 = 3.182446305283710 */
        CHECK_REL(quantile[1], 1.5 + 3.182446305283710*0.70710678118654752, 1e-13);
        const bln_writer to = bln_memory_writer(&m, again, sizeof again);
        CHECK_OK(bln_modelfile_write(to.write, to.user, test_all(), &file, &report));
        CHECK_SIZE(m.at, p.size);
        CHECK(memcmp(again, p.bytes, p.size) == 0);
        bln_modelfile_free(&file);
        CHECK_SIZE(heap.live, 0);
    }
    for (size_t cut = 0; cut < p.size; cut++) modelfile_refused(p.bytes, cut, BLN_EFORMAT, "truncated");
    for (size_t i = 16; i < p.size; i++) {
        p.bytes[i] ^= 0x41;
        CHECK(modelfile_read(p.bytes, p.size, 1, &heap, &file, &report) != BLN_OK);
        p.bytes[i] ^= 0x41;
    }
    modelfile_begin(&p, 1, 2);
    modelfile_section(&p, "INTG", 3, content, size);
    modelfile_section(&p, "INTG", 3, content, size);
    modelfile_refused(p.bytes, p.size, BLN_EFORMAT, "a second one");
    modelfile_begin(&p, 1, 1);
    modelfile_section(&p, "INTG", 4, content, size);
    modelfile_refused(p.bytes, p.size, BLN_EVERSION, "section \"INTG\"");
    modelfile_begin(&p, 1, 1);
    modelfile_section(&p, "INTG", 3, content, size - 8);
    modelfile_refused(p.bytes, p.size, BLN_EFORMAT, "");
}

/* Sections of later versions may come anywhere, of any size; their checksums count. Own sections may be empty, and repeat. */
TEST(modelfile, unknown_sections_are_skipped_and_own_ones_kept)
{
    unsigned char b[600];
    modelfile_parts p;
    test_heap heap;
    bln_modelfile file;
    bln_report report;
    memset(b, 0xc3, sizeof b);
    modelfile_begin(&p, 1, 6);
    modelfile_section(&p, "XTRA", 9, b, 513);
    modelfile_section(&p, "note", 1, "first", 5);
    modelfile_copy(&p, MODELFILE_SLM, MODELFILE_SLM_SIZE);
    modelfile_section(&p, "void", 1, NULL, 0);
    modelfile_section(&p, "LATE", 1, NULL, 0);
    modelfile_section(&p, "note", 1, "second", 6);
    for (int known = 0; known < 2; known++) {
        CHECK_OK(modelfile_read(p.bytes, p.size, known, &heap, &file, &report));
        CHECK(file.slm != NULL && file.scaler == NULL);
        CHECK_SIZE(file.n_sections, 3);
        if (file.n_sections == 3) {
            CHECK(strcmp(file.sections[0].tag, "note") == 0 && file.sections[0].size == 5);
            CHECK(memcmp(file.sections[0].bytes, "first", 5) == 0);
            CHECK(strcmp(file.sections[1].tag, "void") == 0 && file.sections[1].size == 0);
            CHECK(strcmp(file.sections[2].tag, "note") == 0 && memcmp(file.sections[2].bytes, "second", 6) == 0);
        }
        bln_modelfile_free(&file);
        CHECK_SIZE(heap.live, 0);
    }
    p.bytes[16 + 16 + 300] ^= 1;                         /* inside the one that is skipped */
    modelfile_refused(p.bytes, p.size, BLN_EFORMAT, "wrong checksum, at byte 16, section \"XTRA\"");
}

/* ---- failures from outside ---- */

TEST(modelfile, every_allocation_may_fail)
{
    for (int known = 0; known < 2; known++)
        for (size_t fail_at = 0;; fail_at++) {
            test_heap heap;
            bln_load context = bln_builtin();
            bln_memory_stream m;
            bln_modelfile file;
            bln_report report;
            memset(&file, 0, sizeof file);
            context.alloc = test_heap_allocator(&heap);
            heap.fail_at = fail_at;
            const bln_reader r = bln_memory_reader(&m, golden_file_model, MODELFILE_SIZE, NULL);
            const bln_status status = bln_modelfile_read(r.read, r.user, known ? (uint64_t)MODELFILE_SIZE : UINT64_MAX, &context,
                                                         &file, &report);
            if (status == BLN_OK) {
                /* content, basis, model, posterior; content, scaler; content, array of sections */
                CHECK(fail_at >= 7);
                bln_modelfile_free(&file);
                CHECK_SIZE(heap.live, 0);
                break;
            }
            CHECK_STATUS(status, BLN_ENOMEM);
            CHECK(report.text[0] != '\0' && file.slm == NULL);
            CHECK_SIZE(heap.live, 0);
            if (fail_at > 100) { CHECK(0); break; }
        }
}

/* Writes into memory; fails at one call. */
typedef struct modelfile_sink { unsigned char *bytes; size_t size, at, calls, fail_at; } modelfile_sink;
static bln_status modelfile_sink_write(void *user, const void *bytes, size_t n)
{
    modelfile_sink *s = (modelfile_sink *)user;
    if (s->calls++ == s->fail_at || n > s->size - s->at) return BLN_EIO;
    memcpy(s->bytes + s->at, bytes, n);
    s->at += n;
    return BLN_OK;
}
static modelfile_sink modelfile_sink_over(unsigned char *bytes, size_t size, size_t fail_at)
{
    modelfile_sink s;
    s.bytes = bytes;
    s.size = size;
    s.at = s.calls = 0;
    s.fail_at = fail_at;
    return s;
}

/* Reads from memory; fails at one call. */
static bln_status modelfile_source_read(void *user, void *bytes, size_t n)
{
    modelfile_sink *s = (modelfile_sink *)user;
    if (s->calls++ == s->fail_at) return BLN_EIO;
    if (n > s->size - s->at) return BLN_EFORMAT;
    memcpy(bytes, s->bytes + s->at, n);
    s->at += n;
    return BLN_OK;
}

TEST(modelfile, every_write_and_read_may_fail)
{
    unsigned char out[MODELFILE_SIZE];
    test_heap heap;
    bln_modelfile file, again;
    bln_report report;
    size_t fail_at;
    CHECK_OK(modelfile_read(golden_file_model, MODELFILE_SIZE, 1, &heap, &file, &report));
    for (fail_at = 0; fail_at < 1000; fail_at++) {
        modelfile_sink sink = modelfile_sink_over(out, sizeof out, fail_at);
        const bln_status status = bln_modelfile_write(modelfile_sink_write, &sink, test_all(), &file, &report);
        if (status == BLN_OK) break;
        char want[40];
        CHECK_STATUS(status, BLN_EIO);
        CHECK_SIZE(sink.calls, fail_at + 1);             /* nothing is tried after the first failure */
        sprintf(want, "at byte %u", (unsigned)sink.at);
        CHECK_TEXT(report.text, want);
        CHECK(memcmp(out, golden_file_model, sink.at) == 0);
    }
    CHECK(fail_at > 20 && fail_at < 1000);
    bln_modelfile_free(&file);

    memcpy(out, golden_file_model, sizeof out);
    memset(&again, 0, sizeof again);
    for (fail_at = 0; fail_at < 1000; fail_at++)
        for (int known = 0; known < 2; known++) {
            modelfile_sink source = modelfile_sink_over(out, sizeof out, fail_at);
            bln_load context = bln_builtin();
            context.alloc = test_heap_allocator(&heap);
            const bln_status status = bln_modelfile_read(modelfile_source_read, &source, known ? sizeof out : UINT64_MAX, &context,
                                                         &again, &report);
            /* without a size it asks for one byte more */
            if (status == BLN_OK) { bln_modelfile_free(&again); if (!known) fail_at = 1000; }
            else {
                CHECK_STATUS(status, BLN_EIO);
                CHECK_TEXT(report.text, "reading failed, at byte");
            }
            CHECK_SIZE(heap.live, 0);
        }
}

TEST(modelfile, arguments_are_checked)
{
    unsigned char out[400];
    modelfile_sink sink = modelfile_sink_over(out, sizeof out, (size_t)-1);
    test_heap heap;
    bln_modelfile file;
    bln_report report;
    bln_section s;
    bln_load context = bln_builtin();
    CHECK_OK(modelfile_read(golden_file_model, MODELFILE_SIZE, 1, &heap, &file, &report));
    memset(&s, 0, sizeof s);
    memcpy(s.tag, "abcd", 5);
    bln_modelfile to = modelfile_of(NULL, 0, NULL);
    CHECK_STATUS(bln_modelfile_write(modelfile_sink_write, &sink, test_all(), NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_modelfile_write(modelfile_sink_write, &sink, test_all(), &to, &report), BLN_EINVAL);
    to = modelfile_of(file.slm, 1, NULL);
    CHECK_STATUS(bln_modelfile_write(NULL, NULL, test_all(), &file, &report), BLN_EINVAL);
    CHECK_STATUS(bln_modelfile_write(modelfile_sink_write, &sink, test_all(), &to, &report), BLN_EINVAL);
    to.sections = &s;
    static const char bad[][5] = { "Abcd", "SLM ", "SCAL", "", "ab", "a\ncd", "1bcd", "ab\177d" };
    for (size_t k = 0; k < sizeof bad/sizeof *bad; k++) {
        memcpy(s.tag, bad[k], 5);
        CHECK_STATUS(bln_modelfile_write(modelfile_sink_write, &sink, test_all(), &to, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "tag");
    }
    memcpy(s.tag, "abcd", 4);
    s.tag[4] = 'e';
    CHECK_STATUS(bln_modelfile_write(modelfile_sink_write, &sink, test_all(), &to, &report), BLN_EINVAL);
    s.tag[4] = '\0';
    s.size = 3;
    CHECK_STATUS(bln_modelfile_write(modelfile_sink_write, &sink, test_all(), &to, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "bytes are NULL");
    CHECK_SIZE(sink.calls, 0);
    s.size = 0;
    CHECK_OK(bln_modelfile_write(modelfile_sink_write, &sink, test_all(), &to, &report));
    bln_modelfile_free(&file);

    CHECK_STATUS(bln_modelfile_read(NULL, NULL, 10, test_all(), &file, &report), BLN_EINVAL);
    CHECK_STATUS(bln_modelfile_read(modelfile_source_read, &sink, 10, NULL, NULL, &report), BLN_EINVAL);
    context.alloc.alloc = test_heap_alloc;
    CHECK_STATUS(bln_modelfile_read(modelfile_source_read, &sink, 10, &context, &file, &report), BLN_EINVAL);
    sink.size = sink.at;
    sink.at = 0;
    CHECK_OK(bln_modelfile_read(modelfile_source_read, &sink, sink.size, test_all(), &file, NULL));      /* malloc, no report */
    bln_modelfile_free(&file);
}

/* ---- models of many kinds ---- */

/* Four rows for six features, so that the automatic form is the dual one, with its low-rank posterior. */
static bln_slm *modelfile_fit(const bln_basis *basis, const bln_data *data)
{
    bln_slm_desc desc;
    bln_slm *slm = NULL;
    memset(&desc, 0, sizeof desc);
    desc.basis = basis;
    CHECK_OK(bln_slm_create(&desc, &slm, NULL));
    if (slm) CHECK_OK(bln_slm_fit(slm, data, NULL));
    return slm;
}

TEST(modelfile, what_is_saved_is_loaded_to_the_bit)
{
    static const char *const specs[] = { "bias", "linear", "polynomial:degree=3", "rbf:n=3,ard", "matern52:n=3,cols=1+linear",
                                         "matern12:n=2+matern32:n=2+bias" };
    static unsigned char bytes[MODELFILE_ROOM], large[200000];
    double X[40], y[20], mean[2][20], latent[2][20], total[2][20];
    test_random random = test_random_new(21);
    test_fill_normal(&random, 40, X);
    for (size_t i = 0; i < 20; i++) y[i] = sin(2.0*X[2*i]) + 0.5*X[2*i + 1] + 0.1*test_normal(&random);
    for (size_t i = 0; i < sizeof large; i++) large[i] = (unsigned char)(i*i >> 3);
    for (size_t k = 0; k < sizeof specs/sizeof *specs; k++)
        for (size_t n = 4; n <= 20; n += 16) {
            bln_spec_desc text;
            bln_data data;
            bln_basis *basis = NULL;
            bln_scaler *scaler = NULL;
            bln_section own[2];
            bln_memory_stream m;
            test_heap heap;
            bln_modelfile file;
            bln_report report;
            memset(&text, 0, sizeof text);
            text.text = specs[k];
            text.d = 2;
            CHECK_OK(bln_basis_parse(&text, &basis, NULL));
            memset(&data, 0, sizeof data);
            data.n = n;
            data.d = 2;
            data.X = X;
            data.y = y;
            bln_slm *slm = basis ? modelfile_fit(basis, &data) : NULL;
            if (!slm) { CHECK(0); return; }
            CHECK_OK(bln_scaler_create(NULL, &data, &scaler, NULL));
            memcpy(own[0].tag, "name", 5);
            own[0].bytes = "x0\nx1";
            own[0].size = 5;
            memcpy(own[1].tag, "bulk", 5);               /* more than the 64 KB that a stream of unknown size is given at first */
            own[1].bytes = large;
            own[1].size = sizeof large;
            const bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
            bln_modelfile to = modelfile_of(slm, 2, own);
            to.scaler = scaler;
            CHECK_OK(bln_modelfile_write(w.write, w.user, test_all(), &to, &report));
            const size_t size = m.at;
            for (int known = 0; known < 2; known++) {
                CHECK_OK(modelfile_read(bytes, size, known, &heap, &file, &report));
                if (!file.slm || !file.scaler || file.n_sections != 2) { CHECK(0); break; }
                data.n = 20;
                CHECK_OK(total_of(bln_slm_posterior(slm), &data, mean[0], latent[0], total[0], NULL, NULL));
                CHECK_OK(total_of(bln_slm_posterior(file.slm), &data, mean[1], latent[1], total[1], NULL, NULL));
                CHECK(memcmp(mean[0], mean[1], sizeof mean[0]) == 0);
                CHECK(memcmp(latent[0], latent[1], sizeof latent[0]) == 0);
                CHECK(memcmp(total[0], total[1], sizeof total[0]) == 0);
                CHECK_NEAR(bln_slm_evidence(file.slm), bln_slm_evidence(slm), 0.0);
                CHECK_NEAR(bln_scaler_sd(file.scaler, 2), bln_scaler_sd(scaler, 2), 0.0);
                CHECK(file.sections[1].size == sizeof large && memcmp(file.sections[1].bytes, large, sizeof large) == 0);
                data.n = n;
                CHECK_OK(bln_slm_fit(file.slm, &data, NULL));            /* a loaded model can be fitted again */
                bln_modelfile_free(&file);
                CHECK_SIZE(heap.live, 0);
                CHECK_SIZE(heap.live_bytes, 0);
            }
            bln_scaler_free(scaler);
            bln_slm_free(slm);
            bln_basis_free(basis);
        }
}

/* A basis of the user's: phi = [x^2], saved with a number of its own. `extra` makes each save longer: no file must come of it. */
static size_t modelfile_square_extra;
static void modelfile_square_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *Phi,
                                      size_t ldphi, double *work)
{
    (void)b; (void)theta; (void)work;
    for (size_t i = 0; i < n; i++) Phi[i*ldphi] = X[i*ldx]*X[i*ldx];
}
static void modelfile_square_save(const bln_basis *b, bln_writer *w)
{
    (void)b;
    bln_put_u32(w, 77);
    for (size_t i = 0; i < modelfile_square_extra; i++) bln_put_u32(w, 0);
    if (modelfile_square_extra) modelfile_square_extra++;
}
static bln_status modelfile_square_load(const bln_load *context, bln_reader *r, bln_basis **out);
static bln_basis_ops modelfile_square_ops(int saves)
{
    bln_basis_ops ops;
    memset(&ops, 0, sizeof ops);
    ops.name = "square";
    ops.features = modelfile_square_features;
    if (saves) { ops.save = modelfile_square_save; ops.load = modelfile_square_load; }
    return ops;
}
static bln_basis modelfile_square_of(const bln_basis_ops *ops)
{
    bln_basis b;
    memset(&b, 0, sizeof b);
    b.ops = ops;
    b.d = b.D = b.n_slices = 1;
    return b;
}
static bln_basis modelfile_square_loaded;                /* in static memory: nothing to release */
static bln_status modelfile_square_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    if (bln_get_u32(r) != 77) return bln_reader_fail(r, BLN_EFORMAT, "square: not 77");
    modelfile_square_loaded = modelfile_square_of(context->bases[0]);
    *out = &modelfile_square_loaded;
    return r->status;
}

TEST(modelfile, a_basis_of_the_users_own)
{
    static const double X[4] = { 1.0, -2.0, 3.0, 0.5 }, y[4] = { 1.1, 3.9, 9.2, 0.2 };
    unsigned char out[400];
    const bln_basis_ops ops = modelfile_square_ops(1), mute = modelfile_square_ops(0);
    const bln_basis_ops *own[1];
    bln_basis basis = modelfile_square_of(&ops);
    modelfile_sink sink = modelfile_sink_over(out, sizeof out, (size_t)-1);
    bln_load context = bln_builtin();
    bln_modelfile file;
    bln_report report;
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = 4;
    data.d = 1;
    data.X = X;
    data.y = y;
    bln_slm *slm = modelfile_fit(&basis, &data);
    if (!slm) return;
    modelfile_square_extra = 0;
    bln_modelfile to = modelfile_of(slm, 0, NULL);
    CHECK_OK(bln_modelfile_write(modelfile_sink_write, &sink, test_all(), &to, &report));
    sink.size = sink.at;

    sink.at = 0;
    memset(&file, 0, sizeof file);
    CHECK_STATUS(bln_modelfile_read(modelfile_source_read, &sink, sink.size, test_all(), &file, &report), BLN_EUNKNOWN);
    CHECK_TEXT(report.text, "square");                   /* the name that is missing */
    own[0] = &ops;
    context.bases = own;
    context.n_bases = 1;
    sink.at = 0;
    CHECK_OK(bln_modelfile_read(modelfile_source_read, &sink, sink.size, &context, &file, &report));
    if (file.slm) {
        double a[4], b[4];
        CHECK_OK(total_of(bln_slm_posterior(slm), &data, a, NULL, NULL, NULL, NULL));
        CHECK_OK(total_of(bln_slm_posterior(file.slm), &data, b, NULL, NULL, NULL, NULL));
        CHECK(memcmp(a, b, sizeof a) == 0);
    }
    bln_modelfile_free(&file);

    modelfile_square_extra = 1;                          /* another length at each save */
    sink = modelfile_sink_over(out, sizeof out, (size_t)-1);
    CHECK_STATUS(bln_modelfile_write(modelfile_sink_write, &sink, test_all(), &to, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "same bytes twice");
    modelfile_square_extra = 0;
    bln_slm_free(slm);

    basis.ops = &mute;                                   /* one that cannot be saved: nothing is written at all */
    slm = modelfile_fit(&basis, &data);
    to = modelfile_of(slm, 0, NULL);
    sink = modelfile_sink_over(out, sizeof out, (size_t)-1);
    CHECK_STATUS(bln_modelfile_write(modelfile_sink_write, &sink, test_all(), &to, &report), BLN_EUNKNOWN);
    CHECK_TEXT(report.text, "cannot be saved");
    CHECK_SIZE(sink.calls, 0);
    bln_slm_free(slm);
}

TEST(modelfile, an_unfitted_model_is_not_saved)
{
    bln_basis *basis = NULL;
    bln_slm *slm = NULL;
    bln_slm_desc desc;
    bln_report report;
    modelfile_sink sink = modelfile_sink_over(NULL, 0, (size_t)-1);
    CHECK_OK(bln_bias_create(NULL, &basis));
    memset(&desc, 0, sizeof desc);
    desc.basis = basis;
    CHECK_OK(bln_slm_create(&desc, &slm, NULL));
    const bln_modelfile to = modelfile_of(slm, 0, NULL);
    CHECK_STATUS(bln_modelfile_write(modelfile_sink_write, &sink, test_all(), &to, &report), BLN_ESTATE);
    CHECK_TEXT(report.text, "not fitted");
    CHECK_SIZE(sink.calls, 0);
    bln_slm_free(slm);
    bln_basis_free(basis);
}

/* ---- files ---- */

#ifndef BAYESLIN_NO_STDIO
/* build/NAME, or NAME where there is no such folder. */
static const char *modelfile_path(char *path, const char *name)
{
    sprintf(path, "build/%s", name);
    FILE *f = fopen(path, "ab");
    if (!f) return strcpy(path, name);
    fclose(f);
    remove(path);
    return path;
}

static void modelfile_put(const char *path, const unsigned char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(bytes, 1, n, f) == n);
    if (f) fclose(f);
}

TEST(modelfile, saves_to_and_loads_from_disk)
{
    char path[64];
    unsigned char back[MODELFILE_SIZE + 1];
    test_heap heap;
    bln_modelfile file, again;
    bln_report report;
    modelfile_path(path, "test_modelfile.bln");
    CHECK_OK(modelfile_read(golden_file_model, MODELFILE_SIZE, 1, &heap, &file, &report));
    modelfile_put(path, golden_file_model, 10);               /* something that is to be replaced */
    CHECK_OK(bln_modelfile_save(path, test_all(), &file, &report));
    FILE *f = fopen(path, "rb");
    CHECK(f != NULL);
    if (f) {
        CHECK_SIZE(fread(back, 1, sizeof back, f), MODELFILE_SIZE);
        CHECK(memcmp(back, golden_file_model, MODELFILE_SIZE) == 0);
        fclose(f);
    }
    CHECK_OK(bln_modelfile_load(path, test_all(), &again, &report));
    CHECK_NEAR(bln_slm_noise_var(again.slm), 0.25, 0.0);
    CHECK_SIZE(again.n_sections, 1);
    bln_modelfile_free(&again);
    bln_modelfile_free(&file);

    for (size_t size = 0; size < MODELFILE_SIZE; size += 31) {
        char want[40];
        modelfile_put(path, golden_file_model, size);
        CHECK_STATUS(bln_modelfile_load(path, test_all(), &again, &report), BLN_EFORMAT);
        sprintf(want, "at byte %u", (unsigned)size);
        CHECK_TEXT(report.text, want);
        CHECK_TEXT(report.text, path);
    }
    remove(path);
}

TEST(modelfile, failures_with_files)
{
    char path[64], *longer = (char *)malloc(6000);
    test_heap heap;
    bln_modelfile file, again;
    bln_report report;
    unsigned char back[16];
    modelfile_path(path, "test_modelfile_failures.bln");
    CHECK_OK(modelfile_read(golden_file_model, MODELFILE_SIZE, 1, &heap, &file, &report));

    CHECK_STATUS(bln_modelfile_load("no/such/folder/model.bln", test_all(), &again, &report), BLN_EIO);
    CHECK_TEXT(report.text, "cannot open the file (no/such/folder/model.bln)");
    CHECK_STATUS(bln_modelfile_save("no/such/folder/model.bln", test_all(), &file, &report), BLN_EIO);
    CHECK_TEXT(report.text, "no/such/folder/model.bln");
    CHECK_STATUS(bln_modelfile_load(NULL, test_all(), &again, &report), BLN_EINVAL);
    CHECK_STATUS(bln_modelfile_load("", test_all(), &again, &report), BLN_EINVAL);
    CHECK_STATUS(bln_modelfile_save(NULL, test_all(), &file, &report), BLN_EINVAL);
    CHECK_STATUS(bln_modelfile_save("", test_all(), &file, &report), BLN_EINVAL);
    if (longer) {
        memset(longer, 'x', 5999);
        longer[5999] = '\0';
        CHECK_STATUS(bln_modelfile_save(longer, test_all(), &file, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "too long");
    }
    free(longer);

    /* A save that fails leaves the old file alone; tests/use/test_savefile.c looks for what else it might leave. */
    modelfile_put(path, golden_file_model, 16);
    CHECK_STATUS(bln_modelfile_save(path, test_all(), NULL, &report), BLN_EINVAL);
    FILE *f = fopen(path, "rb");
    CHECK(f && fread(back, 1, 16, f) == 16 && memcmp(back, golden_file_model, 16) == 0);
    if (f) fclose(f);
    remove(path);

    /* A folder in its place. */
    CHECK_STATUS(bln_modelfile_save(".", test_all(), &file, &report), BLN_EIO);
    bln_modelfile_free(&file);
}
#endif

/* Some cases of tests/fuzz/fuzz_modelfile.c, and more for FUZZ_SECONDS of the environment; problems are printed with the way to
 * repeat them. */
TEST(modelfile, fuzzed_files_are_refused_or_work)
{
    size_t counts[BLN_STATUS_COUNT] = { 0 };
    CHECK_SIZE(fuzz_run(test_seed, 0, 4000, counts), 0);
    CHECK(counts[BLN_OK] > 100 && counts[BLN_EFORMAT] > 1000);      /* the damage gets everywhere */
    const char *more = getenv("FUZZ_SECONDS");
    const time_t end = time(NULL) + (more ? (time_t)strtol(more, NULL, 10) : 0);
    for (uint64_t k = 4000; time(NULL) < end; k += 100) CHECK_SIZE(fuzz_run(test_seed, k, 100, counts), 0);
}

SUITE_BEGIN(modelfile)
    SUITE_TEST(modelfile, reads_the_file_written_by_hand)
    SUITE_TEST(modelfile, writes_the_same_bytes_again)
    SUITE_TEST(modelfile, truncation_at_every_byte_is_named)
    SUITE_TEST(modelfile, every_flipped_bit_is_noticed)
    SUITE_TEST(modelfile, wrong_files_are_refused_with_a_reason)
    SUITE_TEST(modelfile, newer_versions_are_told_apart_from_damage)
    SUITE_TEST(modelfile, either_model_or_both)
    SUITE_TEST(modelfile, unknown_sections_are_skipped_and_own_ones_kept)
    SUITE_TEST(modelfile, every_allocation_may_fail)
    SUITE_TEST(modelfile, every_write_and_read_may_fail)
    SUITE_TEST(modelfile, arguments_are_checked)
    SUITE_TEST(modelfile, what_is_saved_is_loaded_to_the_bit)
    SUITE_TEST(modelfile, a_basis_of_the_users_own)
    SUITE_TEST(modelfile, an_unfitted_model_is_not_saved)
#ifndef BAYESLIN_NO_STDIO
    SUITE_TEST(modelfile, saves_to_and_loads_from_disk)
    SUITE_TEST(modelfile, failures_with_files)
#endif
    SUITE_TEST(modelfile, fuzzed_files_are_refused_or_work)
SUITE_END(modelfile)
