/* exact: three-double arithmetic. A product or sum is first several doubles whose sum is exact; three passes of two-sums leave it
 * in the first three, and the rest, about 2^-159 of the largest, is dropped. Products whose rounding matters are kept from fusing
 * with sums (>>cpu); the others are exact, fused or not. */
#include "exact_private.h"
#include "cpu_private.h"

BLNI_PRIV int blni_exact_available(void)
{
#ifdef BLNI_WIDE_DOUBLES
    return 0;
#else
    return 1;
#endif
}

/* One sweep of Knuth's two-sums over x[first..n-1] from the end: x[first] becomes the rounded sum, the others what rounding
 * left. */
BLNI_EXACT BLNI_PRIV void blni_exact_sweep(size_t first, size_t n, double *x)
{
    BLNI_EXACT_BODY
    for (size_t i = n - 1; i > first; i--) {
        const double a = x[i - 1], b = x[i], s = a + b, t = s - a;
        x[i] = (a - (s - t)) + (b - t);
        x[i - 1] = s;
    }
}

/* r <- the sum of the n >= 3 doubles of x, which are overwritten: SumK of Ogita, Rump & Oishi with K = 3. After cancellation the
 * leading one may be 0 or small; sweeps over what is left put the digits back in order, and a leading 0 is squeezed out. */
BLNI_HOT BLNI_EXACT BLNI_PRIV void blni_exact_sum(size_t n, double *x, blni_exact *r)
{
    BLNI_EXACT_BODY
    for (size_t k = 0; k < 3; k++) blni_exact_sweep(k, n, x);
    for (size_t i = 3; i < n; i++) x[2] += x[i];
    for (int k = 0; k < 2; k++) { blni_exact_sweep(0, 3, x); blni_exact_sweep(1, 3, x); }
    for (int k = 0; k < 2 && x[0] == 0.0; k++) {
        x[0] = x[1];
        x[1] = x[2];
        x[2] = 0.0;
    }
    for (int k = 0; k < 3; k++) r->v[k] = x[k];
}

/* p[0] + p[1] = a b exactly, barring over- and underflow: Dekker's product with Veltkamp's splitting. Beyond 2^996 the
 * splitting overflows and the error is given up: such numbers have no business here. */
BLNI_EXACT BLNI_PRIV void blni_exact_product(double a, double b, double *p)
{
    BLNI_EXACT_BODY
    BLNI_APART_BODY
    const double c = 134217729.0, ta = BLNI_APART(c*a), tb = BLNI_APART(c*b);
    const double ah = ta - (ta - a), al = a - ah, bh = tb - (tb - b), bl = b - bh, high = BLNI_APART(a*b);
    const double low = ((ah*bh - high) + ah*bl + al*bh) + al*bl;
    p[0] = high;
    p[1] = blni_finite(low) ? low : 0.0;
}

BLNI_NOINLINE BLNI_PRIV blni_exact blni_exact_of(double x)
{
    const blni_exact r = { { x, 0.0, 0.0 } };
    return r;
}

BLNI_EXACT BLNI_PRIV double blni_exact_double(const blni_exact *a)
{
    BLNI_EXACT_BODY
    return a->v[0] + (a->v[1] + a->v[2]);
}

BLNI_EXACT BLNI_PRIV void blni_exact_add(blni_exact *a, const blni_exact *b)
{
    BLNI_EXACT_BODY
    double x[6];
    for (int i = 0; i < 3; i++) { x[2*i] = a->v[i]; x[2*i + 1] = b->v[i]; }
    blni_exact_sum(6, x, a);
}

BLNI_NOINLINE BLNI_PRIV void blni_exact_sub(blni_exact *a, const blni_exact *b)
{
    blni_exact minus;
    for (int i = 0; i < 3; i++) minus.v[i] = -b->v[i];
    blni_exact_add(a, &minus);
}

BLNI_EXACT BLNI_PRIV void blni_exact_mul(blni_exact *a, const blni_exact *b)
{
    BLNI_EXACT_BODY
    BLNI_APART_BODY
    /* v_i w_j is of order 2^-53(i+j): exact down to i + j = 2, rounded at 3, dropped beyond. */
    const double *v = a->v, *w = b->v;
    double x[14];
    blni_exact_product(v[0], w[0], x);
    blni_exact_product(v[0], w[1], x + 2);
    blni_exact_product(v[1], w[0], x + 4);
    blni_exact_product(v[0], w[2], x + 6);
    blni_exact_product(v[1], w[1], x + 8);
    blni_exact_product(v[2], w[0], x + 10);
    x[12] = BLNI_APART(v[1]*w[2]);
    x[13] = BLNI_APART(v[2]*w[1]);
    blni_exact_sum(14, x, a);
}

BLNI_NOINLINE BLNI_PRIV void blni_exact_plus(blni_exact *a, double b)
{
    const blni_exact of = blni_exact_of(b);
    blni_exact_add(a, &of);
}

BLNI_NOINLINE BLNI_PRIV void blni_exact_scale(blni_exact *a, double b)
{
    const blni_exact of = blni_exact_of(b);
    blni_exact_mul(a, &of);
}

BLNI_NOINLINE BLNI_PRIV void blni_exact_gain(blni_exact *a, const blni_exact *b, const blni_exact *c)
{
    blni_exact product = *b;
    blni_exact_mul(&product, c);
    blni_exact_add(a, &product);
}

BLNI_NOINLINE BLNI_PRIV void blni_exact_lose(blni_exact *a, const blni_exact *b, const blni_exact *c)
{
    blni_exact product = *b;
    blni_exact_mul(&product, c);
    blni_exact_sub(a, &product);
}

/* Long division: each quotient digit is a double, three and one to round by. */
BLNI_EXACT BLNI_PRIV void blni_exact_div(blni_exact *a, const blni_exact *b)
{
    BLNI_EXACT_BODY
    const blni_exact by = *b;
    double q[4];
    for (int i = 0; i < 4; i++) {
        q[i] = a->v[0]/by.v[0];
        const blni_exact digit = blni_exact_of(q[i]);
        if (i == 0 && !(blni_finite(q[0]) && q[0] != 0.0)) { *a = digit; return; }
        blni_exact_lose(a, &by, &digit);
    }
    blni_exact_sum(4, q, a);
}

/* Newton's step x + (a - x^2)/(2x) doubles the digits: from 53 to over 200 bits in two. */
BLNI_PRIV void blni_exact_sqrt(blni_exact *a)
{
    blni_exact x = blni_exact_of(sqrt(a->v[0]));
    for (int i = 0; i < 2 && a->v[0] > 0.0 && blni_finite(a->v[0]); i++) {
        blni_exact step = *a, twice = x;
        blni_exact_lose(&step, &x, &x);
        blni_exact_add(&twice, &x);
        blni_exact_div(&step, &twice);
        blni_exact_add(&x, &step);
    }
    *a = x;
}

BLNI_EXACT BLNI_PRIV void blni_exact_add_product(blni_exact *a, double sign, double xh, double xl, double yh, double yl)
{
    BLNI_EXACT_BODY
    BLNI_APART_BODY
    double x[10];
    size_t n = 5;
    for (int i = 0; i < 3; i++) x[i] = a->v[i];
    blni_exact_product(sign*xh, yh, x + 3);
    if (xl != 0.0 || yl != 0.0) {
        blni_exact_product(sign*xh, yl, x + 5);
        blni_exact_product(sign*xl, yh, x + 7);
        x[9] = BLNI_APART(sign*xl*yl);
        n = 10;
    }
    blni_exact_sum(n, x, a);
}

BLNI_PRIV size_t blni_exact_potrf(size_t n, blni_exact *A, size_t lda, double noise)
{
    for (size_t i = 0; i < n; i++) {
        const double floor_i = noise*A[i*lda + i].v[0];
        for (size_t k = 0; k < i; k++)
            for (size_t j = i; j < n; j++) blni_exact_lose(A + i*lda + j, A + k*lda + i, A + k*lda + j);
        if (!(A[i*lda + i].v[0] > floor_i)) return i;                /* infinity is not: then so is floor_i, or NaN */
        blni_exact_sqrt(A + i*lda + i);
        for (size_t j = i + 1; j < n; j++) blni_exact_div(A + i*lda + j, A + i*lda + i);
    }
    return n;
}

BLNI_PRIV void blni_exact_trsv(int trans, size_t n, const blni_exact *U, size_t ldu, blni_exact *x)
{
    if (trans)
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < i; k++) blni_exact_lose(x + i, U + k*ldu + i, x + k);
            blni_exact_div(x + i, U + i*ldu + i);
        }
    else
        for (size_t i = n; i-- > 0;) {
            for (size_t k = i + 1; k < n; k++) blni_exact_lose(x + i, U + i*ldu + k, x + k);
            blni_exact_div(x + i, U + i*ldu + i);
        }
}

BLNI_PRIV void blni_exact_trtri(size_t n, blni_exact *U, size_t ldu)
{
    for (size_t j = 0; j < n; j++) {
        /* Column j of the inverse above the diagonal: -(U_..^-1 u_j)/U_jj, the leading block being inverted already. */
        blni_exact pivot = blni_exact_of(1.0);
        blni_exact_div(&pivot, U + j*ldu + j);
        for (size_t i = 0; i < j; i++) {
            blni_exact s = blni_exact_of(0.0);
            for (size_t k = i; k < j; k++) blni_exact_lose(&s, U + i*ldu + k, U + k*ldu + j);
            blni_exact_mul(&s, &pivot);
            U[i*ldu + j] = s;
        }
        U[j*ldu + j] = pivot;
    }
}
