/* special_pair: twice double precision where a special function needs it: sums, products, exp and log
 *
 * The last digits of a special function are lost not in its approximation but around it: in the rounding of x^2 in e^(-x^2) or of a
 * log x - x in x^a e^(-x), or in the cancellation between the parts of log Gamma. Here such numbers are unevaluated sums hi + lo of
 * two doubles, |lo| <= ulp(hi)/2, with errors of about 2^-65 of their size, so that one rounding is left at the end. Operations are
 * those of [Dekker 1971], but numbers are split by cutting bits instead of Veltkamp's multiplication. So results stay right when a
 * compiler fuses a product with a sum (each product that is added to anything is either exact, or so small that its rounding does
 * not matter) or keeps extra digits (x87), and no splitting can overflow. Arguments must be finite, which callers ensure. */
#include "special_private.h"
#include "special_tables_private.h"

/* The sum whose rounding error is wanted must be a double when the error is formed: on x87 it has to go through memory. */
#ifdef BLNI_WIDE_DOUBLES
#define BLNI_PAIR_SUM volatile double
#else
#define BLNI_PAIR_SUM const double
#endif

BLNI_PRIV blni_pair blni_pair_make(double hi, double lo)
{
    const blni_pair r = { hi, lo };
    return r;
}

BLNI_PRIV blni_pair blni_pair_const(const double *c) { return blni_pair_make(c[0], c[1]); }

/* The first 26 of the 53 bits of x. Products of two heads are exact, and so is x - head(x), of 27 bits. */
BLNI_PRIV double blni_head(double x) { return blni_double_of_bits(blni_double_bits(x) & ~UINT64_C(0x7ffffff)); }

/* a + b where |a| >= |b| or a = 0; any a and b. */
BLNI_PRIV blni_pair blni_pair_quick(double a, double b)
{
    BLNI_PAIR_SUM s = a + b;
    return blni_pair_make(s, b - (s - a));
}

BLNI_PRIV blni_pair blni_pair_sum(double a, double b)
{
    BLNI_PAIR_SUM s = a + b, t = s - a;
    return blni_pair_make(s, (a - (s - t)) + (b - t));
}

BLNI_PRIV blni_pair blni_pair_add(blni_pair a, blni_pair b)
{
    const blni_pair s = blni_pair_sum(a.hi, b.hi);
    return blni_pair_quick(s.hi, s.lo + (a.lo + b.lo));
}

BLNI_PRIV blni_pair blni_pair_plus(blni_pair a, double b)
{
    const blni_pair s = blni_pair_sum(a.hi, b);
    return blni_pair_quick(s.hi, s.lo + a.lo);
}

BLNI_PRIV blni_pair blni_pair_negate(blni_pair a) { return blni_pair_make(-a.hi, -a.lo); }

BLNI_PRIV blni_pair blni_pair_sub(blni_pair a, blni_pair b) { return blni_pair_add(a, blni_pair_negate(b)); }

/* Exact for scale a power of two, within the range of normal numbers. */
BLNI_PRIV blni_pair blni_pair_scale(blni_pair a, double scale) { return blni_pair_make(a.hi*scale, a.lo*scale); }

/* The product of two doubles: that of the heads is exact, the others are 2^-25 of it, and their rounding is 2^-77. */
BLNI_PRIV blni_pair blni_pair_product(double a, double b)
{
    const double ah = blni_head(a), bh = blni_head(b);
    return blni_pair_quick(ah*bh, ah*(b - bh) + (a - ah)*b);
}

BLNI_PRIV blni_pair blni_pair_times(blni_pair a, double b)
{
    const blni_pair p = blni_pair_product(a.hi, b);
    return blni_pair_quick(p.hi, p.lo + a.lo*b);
}

BLNI_PRIV blni_pair blni_pair_mul(blni_pair a, blni_pair b)
{
    const blni_pair p = blni_pair_product(a.hi, b.hi);
    return blni_pair_quick(p.hi, p.lo + (a.lo*b.hi + a.hi*b.lo));
}

BLNI_PRIV blni_pair blni_pair_div(blni_pair a, blni_pair b)
{
    BLNI_PAIR_SUM q = a.hi/b.hi;
    const blni_pair p = blni_pair_times(b, q);
    return blni_pair_quick(q, ((a.hi - p.hi) + (a.lo - p.lo))/b.hi);
}

BLNI_PRIV blni_pair blni_pair_sqrt(blni_pair a)
{
    BLNI_PAIR_SUM s = sqrt(a.hi);
    if (!(s > 0.0)) return blni_pair_make(s, 0.0);
    const blni_pair p = blni_pair_product(s, s);
    return blni_pair_quick(s, ((a.hi - p.hi) + (a.lo - p.lo))/(2.0*s));
}

/* sum_i c[i] x^i, i < n, by Horner's scheme in x^2 for the even and the odd terms: two chains run at a time. */
BLNI_PRIV double blni_horner(size_t n, const double *c, double x)
{
    const double y = x*x;
    double even = 0.0, odd = 0.0;
    if (n % 2 == 1) even = c[--n];
    for (; n > 0; n -= 2) { odd = odd*y + c[n - 1]; even = even*y + c[n - 2]; }
    return even + x*odd;
}

/* A row of special_tables: c[0] + c[1] in two doubles, then n more coefficients; |t| <= 1. The polynomial hardly leaves its first
 * coefficient, so that what follows may be plain. */
BLNI_PRIV blni_pair blni_pair_polynomial(size_t n, const double *c, double t)
{
    return blni_pair_quick(c[0], c[1] + t*blni_horner(n, c + 2, t));
}

/* x 2^k, rounded; also where that is subnormal, 0 or infinite. */
BLNI_PRIV double blni_times_2(double x, int k)
{
    return k < -1000 || k > 1000 ? ldexp(x, k) : x*blni_double_of_bits((uint64_t)(k + 1023) << 52);
}

/* e^a = m 2^*k, with m in [0.98, 2.03); beyond |a| = 20000, k is as good as infinite. With a = n log(2)/32 + r: 2^(n/32) from a
 * table, e^r - 1 by its series, of which r itself needs the second double, r^2/2 < 2^-14 no longer; the series is without r^8/8!
 * < 2^-67. */
BLNI_PRIV blni_pair blni_pair_exp(blni_pair a, int *k)
{
    static const double c[6] = { 0.5, 1.0/6.0, 1.0/24.0, 1.0/120.0, 1.0/720.0, 1.0/5040.0 };
    if (!(fabs(a.hi) < 20000.0)) {
        *k = a.hi < 0.0 ? -30000 : 30000;
        return blni_pair_make(a.hi != a.hi ? a.hi : 1.0, 0.0);
    }
    const int n = (int)(a.hi*46.166241308446828384 + (a.hi < 0.0 ? -0.5 : 0.5));
    const unsigned shifted = (unsigned)(n + 32*32768);
    const double *table = blni_exp2_table + 2*(shifted % 32);
    const blni_pair r = blni_pair_sum(a.hi - n*blni_step[0], -(n*blni_step[1]));
    const double rest = r.lo + a.lo, more = rest + r.hi*(rest + r.hi*blni_horner(6, c, r.hi));
    /* table (1 + r + more) */
    const blni_pair p = blni_pair_product(table[0], r.hi), s = blni_pair_quick(table[0], p.hi);
    *k = (int)(shifted/32) - 32768;
    return blni_pair_quick(s.hi, s.lo + (p.lo + (table[1] + table[1]*r.hi) + table[0]*more));
}

/* m 2^k, rounded. */
BLNI_PRIV double blni_pair_round(blni_pair m, int k) { return blni_times_2(m.hi + m.lo, k); }

/* log(1 + r) for |r| <= 1/40: 2 atanh(s) with s = r/(2 + r); relative. The series is without s^12/13 < 2^-79. */
BLNI_PRIV blni_pair blni_pair_log1p_series(blni_pair r)
{
    static const double c[5] = { 2.0/3.0, 2.0/5.0, 2.0/7.0, 2.0/9.0, 2.0/11.0 };
    const blni_pair s = blni_pair_div(r, blni_pair_plus(r, 2.0));
    const double y = s.hi*s.hi;
    return blni_pair_quick(2.0*s.hi, 2.0*s.lo + s.hi*y*blni_horner(5, c, y));
}

/* log a; relative, at a = 1 too. With a = m 2^e, sqrt(1/2) <= m < sqrt(2), and c near 1/m of nine bits:
 * log a = e log 2 - log c + log(1 + (m c - 1)), |m c - 1| < 1/40; c = 1 where m is near 1. */
BLNI_PRIV blni_pair blni_pair_log(blni_pair a)
{
    int e = 0;
    if (!(a.hi > 0.0)) return blni_pair_make(a.hi == 0.0 ? -(double)INFINITY : BLNI_NAN, 0.0);
    if (!blni_finite(a.hi)) return blni_pair_make(a.hi, 0.0);
    if (a.hi < 1e-300) {                                           /* 2^54: no subnormals from here on */
        a = blni_pair_scale(a, 18014398509481984.0);
        e = -54;
    }
    const int k = (int)(blni_double_bits(a.hi) >> 52) - 1023;
    blni_pair m = blni_pair_make(blni_times_2(a.hi, -k), blni_times_2(a.lo, -k));
    e += k;
    if (m.hi > 2.0*BLNI_SQRT1_2) { m = blni_pair_scale(m, 0.5); e++; }
    const double *row = blni_log_table + 3*((size_t)(32.0*m.hi + 0.5) - 23), head = blni_head(m.hi);
    const blni_pair r = blni_pair_plus(blni_pair_sum(head*row[0] - 1.0, (m.hi - head)*row[0]), m.lo*row[0]);
    const blni_pair table = blni_pair_plus(blni_pair_sum(e*blni_ln2[0], row[1]), row[2] + e*blni_ln2[1]);
    return blni_pair_add(table, blni_pair_log1p_series(r));
}

/* log(1 + a), a.hi > -1; relative, at a = 0 too. */
BLNI_PRIV blni_pair blni_pair_log1p(blni_pair a)
{
    return fabs(a.hi) < 0.015625 ? blni_pair_log1p_series(a) : blni_pair_log(blni_pair_plus(a, 1.0));
}
