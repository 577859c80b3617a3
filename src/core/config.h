#ifndef BLN_CORE_CONFIG_H
#define BLN_CORE_CONFIG_H
/* >>config - version, linkage, and what the compiler must promise */

#define BLN_VERSION_MAJOR 0
#define BLN_VERSION_MINOR 1
#define BLN_VERSION_PATCH 0
#define BLN_VERSION       "0.1.0"

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define BLNI_UNUSED __attribute__((unused))
#else
#define BLNI_UNUSED
#endif

/* Without optimisation gcc keeps static functions that nobody calls, unless they are inline. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__OPTIMIZE__) && !defined(__TINYC__)
#define BLNI_AS_INLINE
#define BLNI_STATIC static __inline__
#else
#define BLNI_STATIC static BLNI_UNUSED
#endif

/* The linkage of public functions. A program may define it first, as a shared library does to export them. */
#ifndef BLN_API
#if defined(BAYESLIN_STATIC)
#define BLN_API BLNI_STATIC
#else
#define BLN_API extern
#endif
#endif

/* An index that is not there: a report without a row, a data set without a column. */
#define BLN_NONE ((size_t)-1)

/* Zeros for any struct, at its definition: bln_slm_desc desc = BLN_ZERO. Zero means default, everywhere. ({ 0 } is the same in C,
 * but C++ compilers warn of the members that it does not name.) */
#ifdef __cplusplus
#define BLN_ZERO {}
#else
#define BLN_ZERO { 0 }
#endif

#endif /* BLN_CORE_CONFIG_H */
