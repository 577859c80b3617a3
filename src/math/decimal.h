#ifndef BLN_MATH_DECIMAL_H
#define BLN_MATH_DECIMAL_H
#include "../core/config.h"
/* >>decimal - decimal numbers, read and written to the last bit */

/* Reads a number  [+-] digits [. digits] [e [+-] digits]  with at least one digit before the exponent (E is e; no blanks, no
 * hexadecimals, no "inf") from the start of the bytes [text, end). Returns the address of the byte after it. Returns NULL, and
 * leaves *value alone, if no number begins at text or if its exponent has no digits: "1e" is an error, not a 1 before an e. *value
 * becomes the double nearest to the decimal number, the even one of two equally near, whatever the locale: +-0 up to half the
 * smallest double, +-HUGE_VAL from half an ulp beyond the largest.
 * An integer up to 2^53 times or divided by at most 10^22: one operation on exact doubles [Clinger 1990]. Up to 19 digits: two
 * doubles with a bound of their error. Numbers that this cannot decide are compared with the midpoint between two doubles, in
 * integers of a thousand digits. 15 to 30 ns for usual numbers; some microseconds for more than 19 digits or far from 1. */
BLN_API const char *bln_decimal_read(const char *text, const char *end, double *value);

/* Writes value into text (BLN_DECIMAL_TEXT bytes) and ends it with a 0; returns the length. digits: how many significant digits, 1
 * to 17, rounded to nearest from the exact value; or 0 for the fewest of 15, 16 and 17 that bln_decimal_read turns back into the
 * same bits. Zeros at the end are left out. From 1e-5 on and below 10^17 the form is 123.45, else 1.2345e-07; "nan", "inf", "-inf"
 * where value is no number. The decimal sign is a point in every locale. 0.3 us for the usual numbers, 20 for those far from 1. */
enum { BLN_DECIMAL_TEXT = 32 };
BLN_API size_t bln_decimal_write(double value, int digits, char *text);

#endif /* BLN_MATH_DECIMAL_H */
