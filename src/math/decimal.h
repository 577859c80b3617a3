#ifndef BLN_MATH_DECIMAL_H
#define BLN_MATH_DECIMAL_H
#include "../core/config.h"
/* >>decimal - decimal numbers, read and written to the last bit */

/* Reads  [+-] digits [. digits] [e [+-] digits]  with a digit before the exponent (E is e; no blanks, no hexadecimals, no "inf")
 * from the bytes [text, end), as far as it goes. Returns the byte behind it, or NULL if no number begins at text, or one whose
 * exponent has no digits: "1e" and "1e+" are none, and not a 1 before an e. Then *value is left alone. Else it is the double
 * nearest to the decimal number, of two equally near ones the even one, whatever the locale: +-0 up to half the smallest double,
 * +-HUGE_VAL from half an ulp beyond the largest.
 *     [Clinger 1990: two exact doubles, one rounding, for up to 2^53 times or over a power of ten up to 22]
 * Of 17 to 19 digits the same with two doubles; what these cannot decide is compared with the midpoints around it in integers of a
 * thousand digits. 15 to 30 ns for the usual numbers; some microseconds for those with more than 19 digits or far from 1. */
BLN_API const char *bln_decimal_read(const char *text, const char *end, double *value);

/* Writes value into text, BLN_DECIMAL_TEXT bytes, with a 0 at the end; returns the length. digits: 1 to 17 that count, rounded to
 * nearest from the exact value, or 0 for the fewest of 15, 16 and 17 that bln_decimal_read turns into the same bits. Zeros at the
 * end are left out. From 1e-5 on and below 10^17 the form is 123.45, else 1.2345e-07; "nan", "inf", "-inf" where it is no number.
 * A point whatever the locale. 0.3 us for the usual numbers, 20 for those far from 1. */
enum { BLN_DECIMAL_TEXT = 32 };
BLN_API size_t bln_decimal_write(double value, int digits, char *text);

#endif /* BLN_MATH_DECIMAL_H */
