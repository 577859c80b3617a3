#ifndef BLN_CORE_MEMORY_PRIVATE_H
#define BLN_CORE_MEMORY_PRIVATE_H
/* memory_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "memory.h"
#include "status.h"
#include "config_private.h"

enum { BLNI_ALIGN = 64 };      /* a cache line, and the widest vector register */

/* One block of memory, carved into pieces. The same code runs twice: with base == NULL it only counts, so that size and layout
 * cannot disagree:
 *     blni_arena a = blni_arena_over(NULL, 0);  carve(&a, obj);      a.used is the size (SIZE_MAX: overflow)
 *     a = blni_arena_over(block, a.used);       carve(&a, obj);      the pieces, each aligned to 64 bytes                  */
typedef struct blni_arena { unsigned char *base; size_t used, size; } blni_arena;

/* memory */
BLNI_PRIV void *blni_alloc(const bln_allocator *a, size_t bytes);
BLNI_PRIV bln_status blni_take(const bln_allocator *a, size_t bytes, const char *who, void **block, bln_report *report);
BLNI_PRIV void blni_release(const bln_allocator *a, void *pointer, size_t bytes);
BLNI_PRIV bln_allocator blni_lender(void *piece);
BLNI_PRIV int blni_allocator_ok(const bln_allocator *a);
BLNI_PRIV size_t blni_mul(size_t a, size_t b);
BLNI_PRIV size_t blni_add(size_t a, size_t b);
BLNI_PRIV size_t blni_doubles(size_t bytes);
BLNI_PRIV size_t blni_pad(size_t doubles);
BLNI_PRIV size_t blni_stride(size_t columns);
BLNI_PRIV blni_arena blni_arena_over(void *block, size_t size);
BLNI_PRIV size_t blni_arena_doubles(const blni_arena *a);
BLNI_PRIV bln_status blni_arena_take(const bln_allocator *alloc, size_t bytes, const char *who, blni_arena *a, bln_report *report);
BLNI_PRIV bln_status blni_arena_open(const bln_allocator *alloc, void *work, size_t bytes, const char *who, blni_arena *a,
                                     bln_report *report);
BLNI_PRIV void *blni_carve(blni_arena *a, size_t count, size_t unit);
BLNI_PRIV double *blni_carve_doubles(blni_arena *a, size_t count);

/* Several arrays of n doubles each. */
#define BLNI_CARVE2(a, n, x, y)       ((x) = blni_carve_doubles(a, n), (y) = blni_carve_doubles(a, n))
#define BLNI_CARVE3(a, n, x, y, z)    (BLNI_CARVE2(a, n, x, y), (z) = blni_carve_doubles(a, n))
#define BLNI_CARVE4(a, n, w, x, y, z) (BLNI_CARVE2(a, n, w, x), BLNI_CARVE2(a, n, y, z))

#endif /* BLN_CORE_MEMORY_PRIVATE_H */
