/* hadamard: the fast Walsh-Hadamard transform
 *
 * Stage h = 1, 2, 4, ... replaces the rows j and j + h, for all j without bit h, by their sum and difference. Two stages are done
 * in one sweep, on four rows at a time, because loading and storing rows costs more than adding them. h rows are treated as one
 * long row, which is fast. */
#include "hadamard_private.h"
#include "../core/config_private.h"

/* The smallest power of 2 that is not below n; SIZE_MAX if there is none. */
BLNI_PRIV size_t blni_power_of_two(size_t n)
{
    size_t p = 1;
    while (p < n && p <= (size_t)-1/2) p *= 2;
    return p < n ? (size_t)-1 : p;
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
BLNI_PRIV void blni_hadamard_fours(size_t n, double *a, double *b, double *c, double *d)
{
    size_t l = 0;
    for (; l + 8 <= n; l += 8) blni_hadamard_four(8, a + l, b + l, c + l, d + l);
    if (l < n) blni_hadamard_four(n - l, a + l, b + l, c + l, d + l);
}

BLNI_PRIV void blni_hadamard_twos(size_t n, double *a, double *b)
{
    size_t l = 0;
    for (; l + 8 <= n; l += 8) blni_hadamard_two(8, a + l, b + l);
    if (l < n) blni_hadamard_two(n - l, a + l, b + l);
}

BLNI_PRIV void blni_hadamard(size_t n, size_t m, double *V)
{
    size_t h = 1;
    for (; h <= n/4; h *= 4)
        for (size_t i = 0; i < n; i += 4*h) {
            double *a = V + i*m;
            blni_hadamard_fours(h*m, a, a + h*m, a + 2*h*m, a + 3*h*m);
        }
    if (h < n) blni_hadamard_twos(h*m, V, V + h*m);
}
