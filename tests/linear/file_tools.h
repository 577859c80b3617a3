/* file_tools.h - what the tests of saved models share: loading with a counting allocator */
#ifndef BLN_TESTS_FILE_TOOLS_H
#define BLN_TESTS_FILE_TOOLS_H
#include "../test.h"

typedef struct file_load { bln_memory_stream stream; bln_load context; bln_reader reader; test_heap *heap; } file_load;

static TEST_UNUSED void file_load_begin(file_load *f, const unsigned char *bytes, size_t size, test_heap *heap, bln_report *report)
{
    memset(f, 0, sizeof *f);
    f->heap = heap;
    f->context = bln_builtin();
    f->context.alloc = test_heap_allocator(heap);
    bln_report_clear(report);
    f->reader = bln_memory_reader(&f->stream, bytes, size, report);
}

/* Checks what must hold after every failure: there is a reason, and no memory is left. */
static TEST_UNUSED bln_status file_load_end(const file_load *f, bln_status status, const void *loaded)
{
    if (status == BLN_OK) return status;
    CHECK_STATUS(f->reader.status, status);
    CHECK_SIZE(f->heap->live, 0);
    CHECK_SIZE(f->heap->live_bytes, 0);
    CHECK(loaded == NULL && f->reader.report->text[0]);
    return status;
}

/* Loads the bytes repeatedly, letting one more allocation succeed each time, and checks that all failures are clean. Returns the
 * number of allocations of the load that succeeds; 0: none did. */
static TEST_UNUSED size_t file_load_allocations(const bln_model_kind *kind, const unsigned char *bytes, size_t size)
{
    for (size_t n = 0; n < 100; n++) {
        test_heap heap;
        bln_report report;
        file_load f;
        void *loaded = NULL;
        file_load_begin(&f, bytes, size, &heap, &report);
        heap.fail_at = n;
        const bln_status status = file_load_end(&f, kind->load(&f.context, &f.reader, &loaded), loaded);
        if (status != BLN_OK) {
            CHECK_STATUS(status, BLN_ENOMEM);
            continue;
        }
        kind->release(loaded);
        CHECK_SIZE(heap.live, 0);
        return n;
    }
    return 0;
}

#endif /* BLN_TESTS_FILE_TOOLS_H */
