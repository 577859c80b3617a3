/* decimal: text to double in three ways, each for numbers that the one before cannot decide: one operation on exact doubles; two
 * doubles with a bound of their error; long integers. Double to text: long integers give all its digits, which are finite in
 * number. */
#include "decimal.h"
#include "exact_private.h"

typedef struct blni_decimal {
    const char *digits, *end;      /* digits with a point among them                                    */
    uint64_t    w;                 /* as an integer; the true one if at most 19 digits count            */
    int64_t     exponent;          /* times 10^exponent                                                 */
} blni_decimal;

enum { BLNI_DECIMAL_FAST = 22, BLNI_DECIMAL_WORD = 19 };

/* Exact in double. */
static const double blni_tens[BLNI_DECIMAL_FAST + 1] = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22
};

BLNI_PRIV int blni_is_digit(const char *p, const char *end) { return p < end && (unsigned)(*p - '0') < 10u; }

/* ---- two doubles: w 10^e = high + low up to 2^-102 of it, for |e| <= 22. 1 if that decides the rounding. */

BLNI_EXACT BLNI_PRIV int blni_decimal_two(uint64_t w, int e, double *value)
{
    BLNI_EXACT_BODY
    const double a = (double)(w >> 11 << 11), b = (double)(w & 2047u);             /* both exact */
    const double h = a + b, l = b - (h - a);                                       /* a = 0 or a > b */
    double p[2], high, low;
    if (e >= 0) {
        blni_exact_product(h, blni_tens[e], p);
        high = p[0];
        low = p[1] + l*blni_tens[e];
    } else {
        high = h/blni_tens[-e];
        blni_exact_product(high, blni_tens[-e], p);
        low = (((h - p[0]) - p[1]) + l)/blni_tens[-e];                             /* h - p is a double: Dekker 1971 */
    }
    /* Each of the three roundings of `low` costs 2^-53 of what it is made of, which is at most 2^-52 high. */
    const double error = ldexp(high, -100), up = high + (low + error), down = high + (low - error);
    *value = up;
    return up == down;
}

/* ---- long integers, little-endian in base 2^32, long enough for all that is compared: see blni_decimal_above. */

enum { BLNI_LONG_LIMBS = 160, BLNI_DECIMAL_DIGITS = 780 };
typedef struct blni_long { size_t n; uint32_t limb[BLNI_LONG_LIMBS]; } blni_long;

/* x <- x factor + summand */
BLNI_PRIV void blni_long_scale(blni_long *x, uint32_t factor, uint32_t summand)
{
    uint64_t carry = summand;
    for (size_t i = 0; i < x->n; i++) {
        carry += (uint64_t)x->limb[i]*factor;
        x->limb[i] = (uint32_t)(carry & 0xffffffffu);
        carry >>= 32;
    }
    if (carry) x->limb[x->n++] = (uint32_t)carry;
}

BLNI_PRIV void blni_long_times_five(blni_long *x, int power)
{
    for (; power >= 13; power -= 13) blni_long_scale(x, 1220703125u, 0);           /* 5^13 */
    for (; power > 0; power--) blni_long_scale(x, 5, 0);
}

BLNI_PRIV void blni_long_shift(blni_long *x, int bits)
{
    const size_t limbs = (size_t)bits/32;
    blni_long_scale(x, (uint32_t)1 << bits % 32, 0);
    if (limbs == 0) return;
    memmove(x->limb + limbs, x->limb, x->n*sizeof *x->limb);
    memset(x->limb, 0, limbs*sizeof *x->limb);
    x->n += limbs;
}

BLNI_PRIV int blni_long_compare(const blni_long *a, const blni_long *b)
{
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    for (size_t i = a->n; i-- > 0;)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* The digits as an integer; *exponent counts those beyond the 780th, for all of which a 1 stands if any is not 0: no number that
 * lies halfway between two doubles has more than 767. */
BLNI_PRIV void blni_long_digits(const blni_decimal *d, blni_long *x, int64_t *exponent)
{
    int taken = 0, rest = 0;
    x->n = 0;
    *exponent = d->exponent;
    for (const char *p = d->digits; p < d->end; p++) {
        const uint32_t digit = (uint32_t)(*p - '0');
        if (*p == '.' || (taken == 0 && digit == 0)) continue;
        if (taken < BLNI_DECIMAL_DIGITS) { blni_long_scale(x, 10, digit); taken++; continue; }
        rest |= digit != 0;
        ++*exponent;
    }
    if (rest) { blni_long_scale(x, 10, 1); --*exponent; }
}

/* The sign of D 10^e - H 2^k. D < 10^781, H < 2^55, -1076 <= k <= 971 and 10^-326 < D 10^e < 10^310 keep both sides below
 * 2^4800. */
BLNI_PRIV int blni_decimal_above(const blni_long *D, int e, uint64_t H, int k)
{
    blni_long left = *D, right;
    right.n = 2;
    right.limb[0] = (uint32_t)(H & 0xffffffffu);
    right.limb[1] = (uint32_t)(H >> 32);
    while (right.limb[right.n - 1] == 0) right.n--;                                /* H is odd */
    if (e >= 0) blni_long_times_five(&left, e);
    else blni_long_times_five(&right, -e);
    if (e >= k) blni_long_shift(&left, e - k);
    else blni_long_shift(&right, k - e);
    return blni_long_compare(&left, &right);
}

/* Is D 10^e to be rounded to a double above the one with these bits, m 2^k: is it above the midpoint to the next, or on it with m
 * odd? */
BLNI_PRIV int blni_decimal_beyond(const blni_long *D, int e, uint64_t bits)
{
    const uint64_t field = bits >> 52, fraction = bits & UINT64_C(0xfffffffffffff);
    const uint64_t m = field ? fraction | UINT64_C(1) << 52 : fraction;
    const int above = blni_decimal_above(D, e, 2*m + 1, (field ? (int)field - 1075 : -1074) - 1);
    return above > 0 || (above == 0 && m & 1);
}

/* Any number of digits, not all 0, and any exponent: the first double that it is not beyond, by bisection. */
BLNI_PRIV double blni_decimal_slow(const blni_decimal *d)
{
    const uint64_t infinity = UINT64_C(0x7ff) << 52;
    blni_long D;
    int64_t exponent;
    double top = 0.0;
    blni_long_digits(d, &D, &exponent);
    const size_t rest = D.n > 3 ? D.n - 3 : 0;
    for (size_t i = D.n; i-- > rest;) top = 4294967296.0*top + (double)D.limb[i];
    const double size = log10(top) + 32.0*0.30102999566398120*(double)rest + (double)exponent;
    if (size > 309.0) return HUGE_VAL;
    if (size < -325.0) return 0.0;
    const int e = (int)exponent;

    /* 10^size is within 1e-12 of the number, or half a step of subnormal numbers: the number is not beyond `high`. */
    const double guess = size < 308.0 ? exp(2.302585092994045684*size) : DBL_MAX;
    uint64_t low = blni_double_bits(guess*(1.0 - 1e-12)), high = 1;
    high += blni_double_bits(guess < 0.9*DBL_MAX ? guess*(1.0 + 1e-12) : guess);
    if (guess > 0.9*DBL_MAX || BLNI_NEVER(blni_decimal_beyond(&D, e, high))) high = infinity;
    if (low > 0 && !blni_decimal_beyond(&D, e, low - 1)) low = 0;
    while (low < high) {
        const uint64_t middle = low + (high - low)/2;
        if (blni_decimal_beyond(&D, e, middle)) low = middle + 1;
        else high = middle;
    }
    return blni_double_of_bits(low);
}

/* ---- the text */

/* w <- the first 19 digits that count (leading zeros do not), times 10^*exponent; returns whether there are more. */
BLNI_PRIV int blni_decimal_first(blni_decimal *d, int64_t *exponent)
{
    const char *p = d->digits;
    int taken = 0, more = 0;
    *exponent = d->exponent;
    d->w = 0;
    while (p < d->end && (*p == '0' || *p == '.')) p++;
    for (; p < d->end; p++) {
        if (*p == '.') continue;
        if (taken++ < BLNI_DECIMAL_WORD) { d->w = 10*d->w + (uint64_t)(*p - '0'); continue; }
        more = 1;
        ++*exponent;
    }
    return more;
}

BLNI_PRIV double blni_decimal_value(blni_decimal *d)
{
    int64_t e = d->exponent;
    const int more = d->end - d->digits > BLNI_DECIMAL_WORD && blni_decimal_first(d, &e);
    double value, above;
    if (d->w == 0) return 0.0;
    if (!blni_exact_available() | (e < -BLNI_DECIMAL_FAST) | (e > BLNI_DECIMAL_FAST)) return blni_decimal_slow(d);
    if (!more && d->w <= UINT64_C(1) << 53) return e < 0 ? (double)d->w/blni_tens[-e] : (double)d->w*blni_tens[e];
    if (!blni_decimal_two(d->w, (int)e, &value)) return blni_decimal_slow(d);
    return !more || (blni_decimal_two(d->w + 1, (int)e, &above) && above == value) ? value : blni_decimal_slow(d);
}

/* e [+-] digits at p, added to *exponent; the byte behind it, or NULL. */
BLNI_PRIV const char *blni_decimal_exponent(const char *p, const char *end, int64_t *exponent)
{
    const int negative = ++p < end && *p == '-';
    int64_t e = 0;
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (!blni_is_digit(p, end)) return NULL;
    for (; blni_is_digit(p, end); p++) if (e < INT64_C(100000000000000000)) e = 10*e + (*p - '0');
    *exponent += negative ? -e : e;
    return p;
}

BLN_API const char *bln_decimal_read(const char *text, const char *end, double *value)
{
    const char *p = text, *point;
    const int negative = p < end && *p == '-';
    blni_decimal d;
    if (p < end && (*p == '-' || *p == '+')) p++;
    d.digits = p;
    d.w = 0;
    for (; blni_is_digit(p, end); p++) d.w = 10*d.w + (uint64_t)(*p - '0');
    ptrdiff_t digits = p - d.digits, after = 0;
    if (p < end && *p == '.') {
        point = ++p;
        for (; blni_is_digit(p, end); p++) d.w = 10*d.w + (uint64_t)(*p - '0');
        after = p - point;
    }
    if (digits + after == 0) return NULL;
    d.end = p;
    d.exponent = -(int64_t)after;
    if (p < end && (*p == 'e' || *p == 'E') && !(p = blni_decimal_exponent(p, end, &d.exponent))) return NULL;
    const double size = blni_decimal_value(&d);
    *value = negative ? -size : size;
    return p;
}

/* ---- double to text */

/* x <- the whole part of x/10^9; returns the rest. */
BLNI_PRIV uint32_t blni_long_divide(blni_long *x)
{
    uint64_t rest = 0;
    for (size_t i = x->n; i-- > 0;) {
        rest = rest << 32 | x->limb[i];
        x->limb[i] = (uint32_t)(rest/1000000000u);
        rest %= 1000000000u;
    }
    while (x->n && x->limb[x->n - 1] == 0) x->n--;
    return (uint32_t)rest;
}

enum { BLNI_DECIMAL_ALL = 800 };      /* digits of any double, with leading zeros of the first nine */

/* The digits of |value| > 0 into the end of `out`; returns where the first of them is not 0. |value| = 0.ddd 10^*point. */
BLNI_PRIV size_t blni_decimal_expand(double value, unsigned char *out, int *point)
{
    const uint64_t bits = blni_double_bits(fabs(value)), field = bits >> 52, fraction = bits & UINT64_C(0xfffffffffffff);
    uint64_t m = field ? fraction | UINT64_C(1) << 52 : fraction;
    int k = field ? (int)field - 1075 : -1074;
    blni_long x;
    size_t at = BLNI_DECIMAL_ALL;
    for (; k < 0 && !(m & 1); k++) m >>= 1;
    x.limb[0] = (uint32_t)(m & 0xffffffffu);
    x.limb[1] = (uint32_t)(m >> 32);
    x.n = x.limb[1] ? 2 : 1;
    if (k < 0) blni_long_times_five(&x, -k);                     /* m 2^k = m 5^-k 10^k */
    else blni_long_shift(&x, k);
    while (x.n) {
        uint32_t nine = blni_long_divide(&x);
        for (int i = 0; i < 9; i++, nine /= 10) out[--at] = (unsigned char)(nine % 10);
    }
    while (out[at] == 0) at++;
    *point = BLNI_DECIMAL_ALL - (int)at + (k < 0 ? k : 0);
    return at;
}

/* The first n digits at `from` into digit, rounded to nearest, to even where it lies between two; 1 if that carries to 1000... */
BLNI_PRIV int blni_decimal_round(const unsigned char *from, size_t have, int n, unsigned char *digit)
{
    int rest = 0, i;
    for (i = 0; i < n; i++) digit[i] = (size_t)i < have ? from[i] : 0;
    if ((size_t)n >= have || from[n] < 5) return 0;
    for (size_t j = (size_t)n + 1; j < have; j++) rest |= from[j];
    if (from[n] == 5 && !rest && !(digit[n - 1] & 1)) return 0;
    for (i = n; i-- > 0 && digit[i] == 9;) digit[i] = 0;
    if (i >= 0) { digit[i]++; return 0; }
    digit[0] = 1;
    return 1;
}

/* Digits d, n of them, of 0.ddd 10^point. */
BLNI_PRIV size_t blni_decimal_put(int negative, const unsigned char *digit, int n, int point, char *text)
{
    char *p = text;
    while (n > 1 && digit[n - 1] == 0) n--;
    if (negative) *p++ = '-';
    if (point > -5 && point <= 17) {
        if (point <= 0) { *p++ = '0'; *p++ = '.'; for (int i = point; i < 0; i++) *p++ = '0'; }
        for (int i = 0; i < n || i < point; i++) {
            if (i == point && i > 0) *p++ = '.';
            *p++ = (char)('0' + (i < n ? digit[i] : 0));
        }
    } else {
        const int e = point - 1 < 0 ? 1 - point : point - 1;
        *p++ = (char)('0' + digit[0]);
        if (n > 1) *p++ = '.';
        for (int i = 1; i < n; i++) *p++ = (char)('0' + digit[i]);
        *p++ = 'e';
        *p++ = point - 1 < 0 ? '-' : '+';
        if (e >= 100) *p++ = (char)('0' + e/100);
        *p++ = (char)('0' + e/10 % 10);
        *p++ = (char)('0' + e % 10);
    }
    *p = '\0';
    return (size_t)(p - text);
}

BLN_API size_t bln_decimal_write(double value, int digits, char *text)
{
    unsigned char all[BLNI_DECIMAL_ALL], digit[17];
    const int negative = (blni_double_bits(value) >> 63) != 0;
    int point = 1;
    if (value != value) { strcpy(text, "nan"); return 3; }
    if (value == HUGE_VAL || value == -HUGE_VAL) { strcpy(text, negative ? "-inf" : "inf"); return negative ? 4 : 3; }
    digit[0] = 0;
    if (value == 0.0) return blni_decimal_put(negative, digit, 1, point, text);
    const size_t first = blni_decimal_expand(value, all, &point), have = BLNI_DECIMAL_ALL - first;
    for (int n = digits ? digits : 15;; n++) {
        double back = 0.0;
        const int carried = blni_decimal_round(all + first, have, n, digit);
        const size_t length = blni_decimal_put(negative, digit, n, point + carried, text);
        bln_decimal_read(text, text + length, &back);
        if (digits || n == 17 || back == value) return length;
    }
}
