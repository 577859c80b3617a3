/* number: words that are numbers of a kind, and the library's reader */
#include "number.h"
#include "library.h"
#include <math.h>
#include <string.h>

static int number_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Is the text of n bytes this word, in any case? The word is given in lower case. */
static int number_is(const char *p, size_t n, const char *word)
{
    if (n != strlen(word)) return 0;
    for (size_t i = 0; i < n; i++)
        if ((p[i] >= 'A' && p[i] <= 'Z' ? (char)(p[i] - 'A' + 'a') : p[i]) != word[i]) return 0;
    return 1;
}

number_kind number_read(const char *text, double *value)
{
    while (number_blank(*text)) text++;
    size_t n = strlen(text);
    while (n > 0 && number_blank(text[n - 1])) n--;
    if (n == 0 || (n == 2 && !strncmp(text, "NA", 2)) || number_is(text, n, "nan")) return NUMBER_MISSING;

    double v;
    if (bln_decimal_read(text, text + n, &v) == text + n) {
        if (isinf(v)) return NUMBER_RANGE;
        *value = v;
        return NUMBER_VALUE;
    }
    if (*text == '+' || *text == '-') { text++; n--; }
    return number_is(text, n, "inf") || number_is(text, n, "infinity") ? NUMBER_INFINITE : NUMBER_WORD;
}

int number_integer(const char *text, uint64_t *out)
{
    uint64_t v = 0;
    if (!*text) return 0;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return 0;
        const uint64_t digit = (uint64_t)(*text - '0');
        if (v > (UINT64_MAX - digit)/10) return 0;
        v = 10*v + digit;
    }
    *out = v;
    return 1;
}

int number_count(const char *text, size_t *out)
{
    uint64_t v = 0;
    if (!number_integer(text, &v) || v == 0 || v > (size_t)-1/2) return 0;
    *out = (size_t)v;
    return 1;
}

int number_has_comma(const char *text)
{
    char copy[64];
    size_t n = 0, commas = 0;
    double ignored;
    for (; *text && n + 1 < sizeof copy; text++) {
        if (*text == ',') commas++;
        else copy[n++] = *text;
    }
    copy[n] = '\0';
    return commas && !*text && number_read(copy, &ignored) == NUMBER_VALUE;
}

double number_plain(double value) { return value != value ? fabs(value) : value; }
