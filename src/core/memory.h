#ifndef BLN_CORE_MEMORY_H
#define BLN_CORE_MEMORY_H
#include "config.h"
/* >>memory - where memory comes from */

/* A user's allocator. All zero means malloc and free (or BAYESLIN_MALLOC and BAYESLIN_FREE where these are defined).
 *   alloc   returns at least `bytes` bytes (> 0) aligned as malloc does, or NULL
 *   release gets back what alloc returned, with the same size; never NULL */
typedef struct bln_allocator {
    void *(*alloc)(void *user, size_t bytes);
    void  (*release)(void *user, void *pointer, size_t bytes);
    void *user;
} bln_allocator;

#endif /* BLN_CORE_MEMORY_H */
