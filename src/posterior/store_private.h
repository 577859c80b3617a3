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

/* Makes a store with the sizes of `shape`. Its numbers are not set yet. The numbers of the shape are never read, so its pointers to
 * them may lead anywhere: a pointer says that there is such an array, NULL that there is none, and the pointer to theta, eta or
 * residual that the group before has too says that both share it. The likelihood is copied, the bases are borrowed.
 * who: the first word of reports. _size: the bytes that _create takes. */
BLNI_PRIV size_t blni_store_size(const bln_posterior *shape);
BLNI_PRIV bln_status blni_store_create(const bln_allocator *alloc, const bln_posterior *shape, const char *who, blni_store **out,
                                       bln_report *report);
BLNI_PRIV void blni_store_free(blni_store *s);                                          /* NULL is fine */

/* The basis of one that came from a file, which is the caller's from now on. */
BLNI_PRIV bln_basis *blni_store_basis(blni_store *s);

/* An array of a store, to write to. */
BLNI_INLINE double *blni_store_own(const double *array) { return (double *)(uintptr_t)array; }

#endif /* BLN_POSTERIOR_STORE_PRIVATE_H */
