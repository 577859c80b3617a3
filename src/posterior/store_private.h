#ifndef BLN_POSTERIOR_STORE_PRIVATE_H
#define BLN_POSTERIOR_STORE_PRIVATE_H
/* store_private: posteriors that own their numbers: fits and files write into one */
#include "posterior_private.h"

/* A posterior with all that it points to, in one block. q is the first member, so that a pointer to it is one to the store. */
typedef struct blni_store {
    bln_posterior  q;
    bln_allocator  alloc;
    void          *block;
    size_t         bytes;
    int            owns_bases;              /* do the bases come from a file, so that the store frees them? */
} blni_store;

/* Makes a store with the sizes of `shape`, whose numbers are not set. The arrays of the shape are never read: a pointer only says
 * that there is such an array, NULL that there is none; groups whose theta, eta or residual are the same pointer share that array.
 * The likelihood is copied, the bases are borrowed. who: the first word of reports. _size: the bytes that _create allocates. */
BLNI_PRIV size_t blni_store_size(const bln_posterior *shape);
BLNI_PRIV bln_status blni_store_create(const bln_allocator *alloc, const bln_posterior *shape, const char *who, blni_store **out,
                                       bln_report *report);
BLNI_PRIV void blni_store_free(blni_store *s);                                          /* NULL is fine */

/* The basis of a store from a file; the caller owns it from now on. */
BLNI_PRIV bln_basis *blni_store_basis(blni_store *s);

/* An array of a store, to write to. */
BLNI_INLINE double *blni_store_own(const double *array) { return (double *)(uintptr_t)array; }

#endif /* BLN_POSTERIOR_STORE_PRIVATE_H */
