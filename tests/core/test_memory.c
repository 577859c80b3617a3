/* memory: sizes stick at their maximum, pieces are aligned and apart, and what is counted suffices wherever the block lies */
#include "../test.h"

#define MEMORY_MAX ((size_t)-1)

TEST(memory, products_and_sums_stick_instead_of_wrapping)
{
    CHECK_SIZE(blni_mul(0, MEMORY_MAX), 0);
    CHECK_SIZE(blni_mul(MEMORY_MAX, 0), 0);
    CHECK_SIZE(blni_mul(3, 5), 15);
    CHECK_SIZE(blni_mul(MEMORY_MAX, 1), MEMORY_MAX);
    CHECK_SIZE(blni_mul(MEMORY_MAX/2 + 1, 2), MEMORY_MAX);       /* wraps to 0 */
    CHECK_SIZE(blni_mul(2, MEMORY_MAX/2), MEMORY_MAX - 1);       /* the largest even size: no overflow */
    CHECK_SIZE(blni_mul((size_t)1 << (4*sizeof(size_t)), (size_t)1 << (4*sizeof(size_t))), MEMORY_MAX);
    CHECK_SIZE(blni_add(MEMORY_MAX, 0), MEMORY_MAX);
    CHECK_SIZE(blni_add(MEMORY_MAX, 1), MEMORY_MAX);
    CHECK_SIZE(blni_add(MEMORY_MAX - 5, 5), MEMORY_MAX);
    CHECK_SIZE(blni_add(MEMORY_MAX - 5, 6), MEMORY_MAX);
    CHECK_SIZE(blni_add(2, 3), 5);
}

TEST(memory, rows_begin_at_lines_of_the_cache_and_do_not_meet_in_it)
{
    CHECK(blni_doubles(0) == 0 && blni_doubles(1) == 1);
    CHECK(blni_doubles(sizeof(double)) == 1 && blni_doubles(sizeof(double) + 1) == 2);
    for (size_t n = 0; n <= 1100; n++) {
        const size_t pad = blni_pad(n), ld = blni_stride(n);
        CHECK(pad >= n && pad < n + 8 && pad % 8 == 0);
        CHECK(ld >= n && ld <= pad + 8 && ld % 8 == 0 && ld % 64 != 0);
    }
    for (size_t less = 0; less < 7; less++) {
        CHECK_SIZE(blni_pad(MEMORY_MAX - less), MEMORY_MAX);
        CHECK_SIZE(blni_stride(MEMORY_MAX - less), MEMORY_MAX);
    }
}

TEST(memory, an_impossible_piece_makes_an_impossible_size)
{
    blni_arena a = blni_arena_over(NULL, 0);
    CHECK(blni_carve_doubles(&a, 4) == NULL);
    blni_carve_doubles(&a, MEMORY_MAX/8 + 1);
    CHECK_SIZE(a.used, MEMORY_MAX);
    blni_carve_doubles(&a, 1);
    CHECK_SIZE(a.used, MEMORY_MAX);
}

/* The block at all 64 offsets from a boundary: pieces aligned, in order, apart, inside what was counted. ASan sees the rest. */
TEST(memory, carved_pieces_are_aligned_and_inside)
{
    static const size_t bytes[] = { 1, 64, 0, 63, 65, 8, 0, 200 };
    enum { PIECES = sizeof bytes/sizeof *bytes };
    blni_arena count = blni_arena_over(NULL, 0);
    for (size_t k = 0; k < PIECES; k++) blni_carve(&count, bytes[k], 1);
    CHECK(count.used <= 401 + 63*(size_t)PIECES);
    unsigned char *heap = (unsigned char *)malloc(count.used + 64);
    CHECK(heap != NULL);
    if (!heap) return;
    for (size_t offset = 0; offset < 64; offset++) {
        unsigned char *end = heap + offset;
        blni_arena a = blni_arena_over(heap + offset, count.used);
        for (size_t k = 0; k < PIECES; k++) {
            unsigned char *piece = (unsigned char *)blni_carve(&a, bytes[k], 1);
            CHECK((uintptr_t)piece % 64 == 0);
            CHECK(piece >= end);
            end = piece + bytes[k];
        }
        CHECK(end <= heap + offset + count.used && a.used <= count.used);
    }
    free(heap);
}

TEST(memory, allocator_gets_back_what_it_gave)
{
    test_heap heap;
    bln_allocator a = test_heap_allocator(&heap);
    void *none = blni_alloc(&a, 0), *some = blni_alloc(&a, 100);
    CHECK(none && some && none != some);
    CHECK_SIZE(heap.live_bytes, 101);                 /* a request of 0 bytes is one of 1: NULL always means failure */
    blni_release(&a, none, 0);
    blni_release(&a, some, 100);
    blni_release(&a, NULL, 100);
    CHECK_SIZE(heap.live, 0);
    CHECK_SIZE(heap.live_bytes, 0);
    heap.fail_at = heap.calls;
    CHECK(blni_alloc(&a, 8) == NULL);
}

TEST(memory, without_an_allocator_it_is_malloc)
{
    bln_allocator zero;
    memset(&zero, 0, sizeof zero);
    void *p = blni_alloc(NULL, 10), *q = blni_alloc(&zero, 10);
    CHECK(p && q);
    blni_release(NULL, p, 10);
    blni_release(&zero, q, 10);
}

TEST(memory, a_lent_piece_stays_its_owners)
{
    double piece[4] = { 1.0, 2.0, 3.0, 4.0 };
    const bln_allocator lender = blni_lender(piece);
    CHECK(blni_allocator_ok(&lender));
    double *got = (double *)blni_alloc(&lender, sizeof piece);
    CHECK(got == piece);
    blni_release(&lender, got, sizeof piece);
    CHECK_NEAR(piece[3], 4.0, 0.0);
}

TEST(memory, half_an_allocator_is_none)
{
    test_heap heap;
    bln_allocator a = test_heap_allocator(&heap), zero;
    memset(&zero, 0, sizeof zero);
    CHECK(blni_allocator_ok(&a) && blni_allocator_ok(&zero));
    a.release = NULL;
    CHECK(!blni_allocator_ok(&a));
    double *kept = (double *)blni_alloc(&a, sizeof *kept);         /* nobody can free what it gave */
    *kept = 2.5;
    blni_release(&a, kept, sizeof *kept);
    CHECK(*kept == 2.5 && heap.live == 1);
    free(kept);
    zero.release = test_heap_release;
    CHECK(!blni_allocator_ok(&zero));
}

SUITE_BEGIN(memory)
    SUITE_TEST(memory, products_and_sums_stick_instead_of_wrapping)
    SUITE_TEST(memory, rows_begin_at_lines_of_the_cache_and_do_not_meet_in_it)
    SUITE_TEST(memory, an_impossible_piece_makes_an_impossible_size)
    SUITE_TEST(memory, carved_pieces_are_aligned_and_inside)
    SUITE_TEST(memory, allocator_gets_back_what_it_gave)
    SUITE_TEST(memory, without_an_allocator_it_is_malloc)
    SUITE_TEST(memory, a_lent_piece_stays_its_owners)
    SUITE_TEST(memory, half_an_allocator_is_none)
SUITE_END(memory)
