/* hadamard: the fast Walsh-Hadamard transform
 *
 * Stage h = 1, 2, 4, ... replaces the rows j and j + h, for all j without bit h, by their sum and difference. Two stages are done
 * in one sweep, on four rows at a time: what costs is loading and storing the rows, not adding them. Where the rows lie close
 * together (ldv = m), h of them are one long row, which is what runs fast. */
#include "hadamard_private.h"
#include "cpu_private.h"

/* The smallest power of 2 that is not below n; SIZE_MAX if there is none. */
BLNI_PRIV size_t blni_power_of_two(size_t n)
{
    size_t p = 1;
    while (p < n && p <= (size_t)-1/2) p *= 2;
    return p < n ? (size_t)-1 : p;
}

/* H_jk */
BLNI_PRIV double blni_hadamard_entry(size_t j, size_t k)
{
    double sign = 1.0;
    for (size_t both = j & k; both; both &= both - 1) sign = -sign;
    return sign;
}

/* Both stages on four rows of n numbers, and the last stage on two. */
BLNI_PRIV void blni_hadamard_four(size_t n, double *BLNI_RESTRICT a, double *BLNI_RESTRICT b, double *BLNI_RESTRICT c,
                                  double *BLNI_RESTRICT d)
{
    for (size_t l = 0; l < n; l++) {
        const double p = a[l] + b[l], q = a[l] - b[l], r = c[l] + d[l], s = c[l] - d[l];
        a[l] = p + r;
        b[l] = q + s;
        c[l] = p - r;
        d[l] = q - s;
    }
}

BLNI_PRIV void blni_hadamard_two(size_t n, double *BLNI_RESTRICT a, double *BLNI_RESTRICT b)
{
    for (size_t l = 0; l < n; l++) {
        const double p = a[l] + b[l], q = a[l] - b[l];
        a[l] = p;
        b[l] = q;
    }
}

/* The same with eights first, which compilers turn into vectors. */
BLNI_PRIV void blni_hadamard_four0(size_t n, double *a, double *b, double *c, double *d)
{
    size_t l = 0;
    for (; l + 8 <= n; l += 8) blni_hadamard_four(8, a + l, b + l, c + l, d + l);
    if (l < n) blni_hadamard_four(n - l, a + l, b + l, c + l, d + l);
}

BLNI_PRIV void blni_hadamard_two0(size_t n, double *a, double *b)
{
    size_t l = 0;
    for (; l + 8 <= n; l += 8) blni_hadamard_two(8, a + l, b + l);
    if (l < n) blni_hadamard_two(n - l, a + l, b + l);
}

/* What does not fill a vector is done here and not by a function of level 0: see BLNI_CALLED. */
#define BLNI_HADAMARD_STEPS(L) \
BLNI_TARGET##L BLNI_PRIV void blni_hadamard_four##L(size_t n, double *a, double *b, double *c, double *d) \
{ \
    BLNI_FOR_VECTORS(L, l, n) { \
        const BLNI_VEC##L A = BLNI_LOAD##L(a + l), B = BLNI_LOAD##L(b + l), C = BLNI_LOAD##L(c + l), D = BLNI_LOAD##L(d + l); \
        const BLNI_VEC##L p = BLNI_ADD##L(A, B), q = BLNI_SUB##L(A, B); \
        const BLNI_VEC##L r = BLNI_ADD##L(C, D), s = BLNI_SUB##L(C, D); \
        BLNI_STORE##L(a + l, BLNI_ADD##L(p, r)); \
        BLNI_STORE##L(b + l, BLNI_ADD##L(q, s)); \
        BLNI_STORE##L(c + l, BLNI_SUB##L(p, r)); \
        BLNI_STORE##L(d + l, BLNI_SUB##L(q, s)); \
    } \
    for (; l < n; l++) { \
        const double p = a[l] + b[l], q = a[l] - b[l], r = c[l] + d[l], s = c[l] - d[l]; \
        a[l] = p + r; b[l] = q + s; c[l] = p - r; d[l] = q - s; \
    } \
} \
BLNI_TARGET##L BLNI_PRIV void blni_hadamard_two##L(size_t n, double *a, double *b) \
{ \
    BLNI_FOR_VECTORS(L, l, n) { \
        const BLNI_VEC##L A = BLNI_LOAD##L(a + l), B = BLNI_LOAD##L(b + l); \
        BLNI_STORE##L(a + l, BLNI_ADD##L(A, B)); \
        BLNI_STORE##L(b + l, BLNI_SUB##L(A, B)); \
    } \
    for (; l < n; l++) { \
        const double p = a[l] + b[l], q = a[l] - b[l]; \
        a[l] = p; b[l] = q; \
    } \
}
BLNI_FOR_LEVELS(BLNI_HADAMARD_STEPS)

/* All stages, with the two steps of a level. */
#define BLNI_HADAMARD_STAGES(L) \
BLNI_TARGET##L BLNI_PRIV void blni_hadamard##L(size_t n, size_t m, double *V, size_t ldv) \
{ \
    size_t h = 1; \
    for (; h <= n/4; h *= 4) { \
        const size_t length = ldv == m ? h*m : m, rows = ldv == m ? 1 : h, step = h*ldv; \
        for (size_t i = 0; i < n; i += 4*h) \
            for (size_t j = 0; j < rows; j++) { \
                double *a = V + (i + j)*ldv; \
                blni_hadamard_four##L(length, a, a + step, a + 2*step, a + 3*step); \
            } \
    } \
    if (h < n) { \
        const size_t length = ldv == m ? h*m : m, rows = ldv == m ? 1 : h; \
        for (size_t j = 0; j < rows; j++) blni_hadamard_two##L(length, V + j*ldv, V + (j + h)*ldv); \
    } \
}
BLNI_HADAMARD_STAGES(0)
BLNI_FOR_LEVELS(BLNI_HADAMARD_STAGES)

BLNI_PRIV bln_status blni_hadamard(size_t n, size_t m, double *V, size_t ldv)
{
    if ((n & (n - 1)) != 0 || ldv < m) return BLN_EINVAL;
    if (m == 0) return BLN_OK;               /* V may be NULL then, to which not even 0 may be added */
    BLNI_AT_LEVEL(bln_cpu_level(), , blni_hadamard, (n, m, V, ldv))
    return BLN_OK;
}
