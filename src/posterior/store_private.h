#ifndef BLN_POSTERIOR_STORE_PRIVATE_H
#define BLN_POSTERIOR_STORE_PRIVATE_H
/* store_private: posteriors that own their numbers. Fits write into one, and files are read into one. */
#include "posterior_private.h"

/* A posterior with all that it points to, in one block. q stands first: a pointer to it is one to the whole. */
typedef struct blni_store {
    bln_posterior  q;
    bln_allocator  alloc;
    void          *block;
    size_t         bytes;
    int            owns_bases;              /* they came from a file                                     */
} blni_store;

/* How large it is, and one with room for the numbers that `shape` shows, which nobody has written yet. Of the shape count the sizes
 * and, of pointers to numbers, whether they are NULL, and for theta, eta and residual whether they are those of the group before;
 * bases and likelihood are taken over, the bases by their pointers.
 * who: the report's first word. */
BLNI_PRIV size_t blni_store_size(const bln_posterior *shape);
BLNI_PRIV bln_status blni_store_create(const bln_allocator *alloc, const bln_posterior *shape, const char *who, blni_store **out,
                                       bln_report *report);
BLNI_PRIV void blni_store_free(blni_store *s);                                          /* NULL is fine */

/* The basis of one that came from a file, which is the caller's from now on. */
BLNI_PRIV bln_basis *blni_store_basis(blni_store *s);

/* An array of a store, to write to. */
BLNI_INLINE double *blni_store_own(const double *array) { return (double *)(uintptr_t)array; }

#endif /* BLN_POSTERIOR_STORE_PRIVATE_H */
