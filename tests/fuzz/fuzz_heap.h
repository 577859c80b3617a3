/* fuzz_heap.h - an allocator with a limit, which counts what is not released */
#ifndef BLN_TESTS_FUZZ_HEAP_H
#define BLN_TESTS_FUZZ_HEAP_H
#include "fuzz.h"
#include "bayeslin.h"

typedef struct fuzz_heap { size_t live, bytes, limit; } fuzz_heap;

static FUZZ_UNUSED void *fuzz_heap_alloc(void *user, size_t bytes)
{
    fuzz_heap *h = (fuzz_heap *)user;
    void *p = bytes <= h->limit - h->bytes ? malloc(bytes) : NULL;
    if (p) { h->live++; h->bytes += bytes; }
    return p;
}
static FUZZ_UNUSED void fuzz_heap_release(void *user, void *p, size_t bytes)
{
    fuzz_heap *h = (fuzz_heap *)user;
    h->live--;
    h->bytes -= bytes;
    free(p);
}
static FUZZ_UNUSED bln_allocator fuzz_heap_of(fuzz_heap *h, size_t limit)
{
    bln_allocator a;
    h->live = h->bytes = 0;
    h->limit = limit;
    a.alloc = fuzz_heap_alloc;
    a.release = fuzz_heap_release;
    a.user = h;
    return a;
}

#endif
