/* fuzz_decimal: numbers as text must be read as strtod reads them, to the last bit, and be written so that they read back
 *
 * make fuzz NAME=decimal, see docs/security.md. strtod and printf of the C library are the measure: glibc's round correctly. */
#include "fuzz.h"
#include "bayeslin.h"
#include <float.h>

static int decimal_digit(char c) { return c >= '0' && c <= '9'; }

/* What the grammar of bln_decimal_read takes of a text: where it ends, or NULL. */
static const char *decimal_end(const char *p)
{
    size_t digits = 0;
    if (*p == '+' || *p == '-') p++;
    for (; decimal_digit(*p); p++) digits++;
    if (*p == '.') for (p++; decimal_digit(*p); p++) digits++;
    if (!digits) return NULL;
    if (*p != 'e' && *p != 'E') return p;
    p++;
    if (*p == '+' || *p == '-') p++;
    if (!decimal_digit(*p)) return NULL;
    while (decimal_digit(*p)) p++;
    return p;
}

static const char *decimal_read(const unsigned char *bytes, size_t n)
{
    char *text = fuzz_text(bytes, n);
    unsigned char *exact = fuzz_copy(bytes, n);
    const char *begin = (const char *)exact, *end = decimal_end(text), *wrong = NULL;
    double got = 2.385, want = 2.385;
    const char *at = bln_decimal_read(begin, begin + n, &got);
    if (!end && (at || memcmp(&got, &want, sizeof got))) wrong = "read what is no number";
    if (end && (!at || at - begin != end - text)) wrong = "reads another number of bytes";
    if (end && !wrong) {
        text[end - text] = '\0';
        want = strtod(text, NULL);
        if (memcmp(&got, &want, sizeof got)) wrong = "not the number that strtod reads";
    }
    free(text);
    free(exact);
    return wrong;
}

/* The first 8 bytes as a double. */
static const char *decimal_write(const unsigned char *bytes)
{
    double v, back;
    char text[BLN_DECIMAL_TEXT], other[64];
    memcpy(&v, bytes, sizeof v);
    if (bln_decimal_write(v, 0, text) != strlen(text)) return "writes another length than it says";
    if (v - v != 0.0) {
        const char *name = v != v ? "nan" : v > 0 ? "inf" : "-inf";
        return strcmp(text, name) ? "no number, and no name for it" : NULL;
    }
    const char *end = bln_decimal_read(text, text + strlen(text), &back);
    if (!end || *end || memcmp(&v, &back, sizeof v)) return "what was written reads back as another number";
    const int digits = 1 + bytes[0] % 17;
    if (bln_decimal_write(v, digits, text) != strlen(text)) return "writes another length than it says";
    snprintf(other, sizeof other, "%.*e", digits - 1, v);
    const double got = strtod(text, NULL), want = strtod(other, NULL);
    return memcmp(&got, &want, sizeof got) ? "rounds in another way than printf" : NULL;
}

static const char *decimal_check(const unsigned char *bytes, size_t n)
{
    const char *wrong = decimal_read(bytes, n);
    return wrong || n < 8 ? wrong : decimal_write(bytes + n - 8);
}

static const char *const decimal_pieces[] = {
    "0", "9", "5", ".", "e", "E-", "e+", "-", "+", "e308", "e-324", "e-308", "1797693134862315", "49406564584124654",
    "22250738585072",
    "9007199254740993", "00000000000000000000", "99999999999999999999", "50000000000000000000", "e22", "e23", "e4294967296",
    "1234567890123456789", "inf", "nan", "0x", NULL
};
static const fuzz_harness decimal = { "decimal", 1200, decimal_check, decimal_pieces, NULL };
FUZZ_MAIN(decimal)
