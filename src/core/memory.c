/* memory: the allocator, and one block carved into aligned pieces */
#include "memory_private.h"
#include "status_private.h"

#if !defined(BAYESLIN_MALLOC) && defined(__linux__)
#include <sys/mman.h>
#ifdef MADV_HUGEPAGE
#define BLNI_LARGE_PAGE ((size_t)1 << 21)
#endif
#endif

#ifndef BAYESLIN_MALLOC
#define BAYESLIN_MALLOC(bytes) malloc(bytes)
#define BAYESLIN_FREE(pointer) free(pointer)
#endif

/* Linux gives large pages to big blocks on request. Matrices need them: their rows lie pages apart, and the processor's table of
 * page addresses (TLB) is short. Strict C (-std=c99) hides the call; then there is no request. */
#ifdef BLNI_LARGE_PAGE
BLNI_PRIV void blni_large_pages(void *block, size_t bytes)
{
    const size_t lead = (size_t)(-(uintptr_t)block) & (BLNI_LARGE_PAGE - 1);
    if (block && bytes >= 2*BLNI_LARGE_PAGE)                    /* a refusal does no harm */
        (void)madvise((unsigned char *)block + lead, (bytes - lead) & ~(BLNI_LARGE_PAGE - 1), MADV_HUGEPAGE);
}
#else
BLNI_PRIV void blni_large_pages(void *block, size_t bytes) { }
#endif

BLNI_NOINLINE BLNI_PRIV void *blni_alloc(const bln_allocator *a, size_t bytes)
{
    if (bytes == 0) bytes = 1;
    if (a && a->alloc) return a->alloc(a->user, bytes);
    void *block = BAYESLIN_MALLOC(bytes);
    blni_large_pages(block, bytes);
    return block;
}

/* *block <- `bytes` bytes. SIZE_MAX bytes are BLN_EOVERFLOW; the report's reason begins with `who`. */
BLNI_NOINLINE BLNI_PRIV bln_status blni_take(const bln_allocator *a, size_t bytes, const char *who, void **block,
                                             bln_report *report)
{
    const int too_many = bytes == (size_t)-1;
    *block = too_many ? NULL : blni_alloc(a, bytes);
    if (*block) return BLN_OK;
    const bln_status status = blni_refuse(report, too_many ? BLN_EOVERFLOW : BLN_ENOMEM, who);
    blni_say(report, too_many ? ": sizes too large for this machine" : ": out of memory for ");
    if (too_many) return status;
    blni_say_size(report, bytes);
    blni_say(report, " bytes");
    return status;
}

/* a may lie in the block itself: it is not read after. */
BLNI_NOINLINE BLNI_PRIV void blni_release(const bln_allocator *a, void *pointer, size_t bytes)
{
    if (!pointer) return;
    if (bytes == 0) bytes = 1;
    if (a && a->alloc) { if (a->release) a->release(a->user, pointer, bytes); }
    else BAYESLIN_FREE(pointer);
}

BLNI_PRIV void *blni_lent(void *piece, size_t bytes) { return piece; }
BLNI_PRIV void blni_kept(void *piece, void *pointer, size_t bytes) { }

/* An allocator that lends `piece`, once, and never frees it: an object that allocates for itself then lies in its owner's block. */
BLNI_PRIV bln_allocator blni_lender(void *piece)
{
    const bln_allocator a = { blni_lent, blni_kept, piece };
    return a;
}

/* A half-filled allocator would mix the caller's heap with malloc's. */
BLNI_PRIV int blni_allocator_ok(const bln_allocator *a) { return !a->alloc == !a->release; }

/* a*b and a+b that saturate at SIZE_MAX instead of wrapping, so that an overflow shows as an impossible size at the end. */
BLNI_NOINLINE BLNI_PRIV size_t blni_mul(size_t a, size_t b) { return a && b > (size_t)-1 / a ? (size_t)-1 : a*b; }
BLNI_NOINLINE BLNI_PRIV size_t blni_add(size_t a, size_t b) { return b > (size_t)-1 - a ? (size_t)-1 : a + b; }

/* Workspace is cut into pieces that begin on 64 bytes. */
BLNI_PRIV size_t blni_doubles(size_t bytes) { return bytes/sizeof(double) + (bytes % sizeof(double) != 0); }
BLNI_NOINLINE BLNI_PRIV size_t blni_pad(size_t doubles) { return doubles > (size_t)-8 ? (size_t)-1 : (doubles + 7) & ~(size_t)7; }

/* The row stride of a matrix that the library allocates: a multiple of a cache line, but not of 512 bytes, which would map all rows
 * to few cache sets. */
BLNI_NOINLINE BLNI_PRIV size_t blni_stride(size_t columns)
{
    const size_t lines = blni_pad(columns);
    return blni_add(lines, lines % 64 ? 0 : 8);
}

BLNI_PRIV blni_arena blni_arena_over(void *block, size_t size)
{
    const blni_arena a = { (unsigned char *)block, 0, size };
    return a;
}

/* The doubles that hold all that an arena over NULL has counted. */
BLNI_PRIV size_t blni_arena_doubles(const blni_arena *a) { return a->used == (size_t)-1 ? a->used : a->used/sizeof(double) + 1; }

/* An arena over a block of `bytes` bytes, which is allocated as by blni_take. */
BLNI_NOINLINE BLNI_PRIV bln_status blni_arena_take(const bln_allocator *alloc, size_t bytes, const char *who, blni_arena *a,
                                                   bln_report *report)
{
    void *block;
    BLNI_TRY(blni_take(alloc, bytes, who, &block, report));
    *a = blni_arena_over(block, bytes);
    return BLN_OK;
}

/* The same over the caller's `work`; as a block of our own, which is to be released, if that is NULL. */
BLNI_PRIV bln_status blni_arena_open(const bln_allocator *alloc, void *work, size_t bytes, const char *who, blni_arena *a,
                                     bln_report *report)
{
    if (!work) return blni_arena_take(alloc, bytes, who, a, report);
    *a = blni_arena_over(work, bytes);
    return BLN_OK;
}

BLNI_NOINLINE BLNI_PRIV void *blni_carve(blni_arena *a, size_t count, size_t unit)
{
    size_t bytes = blni_mul(count, unit), lead;
    if (!a->base) {
        /* Each piece may need up to ALIGN - 1 bytes of padding: while counting, the address of the block is not known. */
        a->used = blni_add(a->used, blni_add(bytes, BLNI_ALIGN - 1));
        return NULL;
    }
    lead = (size_t)(-(uintptr_t)(a->base + a->used)) & (BLNI_ALIGN - 1);
    a->used += lead + bytes;
    return a->base + (a->used - bytes);
}

BLNI_NOINLINE BLNI_PRIV double *blni_carve_doubles(blni_arena *a, size_t count)
{
    return (double *)blni_carve(a, count, sizeof(double));
}
