/* utf8.h - where characters of UTF-8 begin and end: pictures and JSON must be valid UTF-8 */
#ifndef BAYESLIN_UTF8_H
#define BAYESLIN_UTF8_H
#include <stddef.h>

/* The number of bytes of the character that begins here; 0 if none does, as in other encodings or where a name was cut.
 * Surrogates, codes beyond U+10FFFF and encodings longer than necessary are no characters.           [RFC 3629, section 4] */
static inline size_t utf8_character(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    const size_t n = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4 : 0;
    for (size_t k = 1; k < n; k++) if ((p[k] & 0xC0u) != 0x80u) return 0;
    if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F)) return 0;
    if ((p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F)) return 0;
    return n;
}

#endif /* BAYESLIN_UTF8_H */
