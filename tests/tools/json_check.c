/* json_check: is a file one JSON value and nothing else (RFC 8259)? And what stands at some places in it
 *
 *     json_check FILE [PATH...]       PATH: .name, [3], [-1] (the last), [#] (how many), put together as .folds[0].r2
 *
 * Prints a line for each path: numbers as they stand, texts without quotes, true, false, null, or what is in [...] and {...} as it
 * stands; `nothing` where there is nothing. Exit status 1, with the byte and the reason, if the file is no JSON: also for text that
 * is no UTF-8, a name that an object has twice, and a number beyond a double. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 200, NAMES = 10000 };

static const char *begin, *at, *end;

static void fail(const char *what)
{
    printf("byte %lu: %s\n", (unsigned long)(at - begin) + 1, what);
    exit(1);
}

static void blanks(void) { while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) at++; }

static int is_digit(void) { return at < end && *at >= '0' && *at <= '9'; }

static void digits(void)
{
    if (!is_digit()) fail("a digit was expected");
    while (is_digit()) at++;
}

static void number(void)
{
    char text[64];
    const char *first = at;
    if (*at == '-') at++;
    if (at < end && *at == '0') at++;
    else digits();
    if (at < end && *at == '.') { at++; digits(); }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-')) at++;
        digits();
    }
    if ((size_t)(at - first) >= sizeof text) fail("a number of so many digits");
    memcpy(text, first, (size_t)(at - first));
    text[at - first] = '\0';
    const double v = strtod(text, NULL);
    if (v - v != 0.0) fail("a number beyond a double");
}

/* A character of UTF-8 in its shortest form, no surrogate. */
static void character(void)
{
    const unsigned char c = (unsigned char)*at++;
    unsigned long code = c < 0x80 ? c : c < 0xE0 ? c & 0x1Fu : c < 0xF0 ? c & 0x0Fu : c & 0x07u;
    const int more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : -1;
    if (more < 0) fail("no UTF-8");
    for (int k = 0; k < more; k++) {
        if (at == end || ((unsigned char)*at & 0xC0u) != 0x80u) fail("no UTF-8");
        code = code << 6 | ((unsigned char)*at++ & 0x3Fu);
    }
    if ((more == 2 && code < 0x800) || (more == 3 && (code < 0x10000 || code > 0x10FFFF)) || (code >= 0xD800 && code < 0xE000))
        fail("no UTF-8");
}

static void string(void)
{
    if (at == end || *at != '"') fail("a text in quotes was expected");
    for (at++; at < end && *at != '"';) {
        if ((unsigned char)*at < 32) fail("a control character in a text");
        if (*at != '\\') { character(); continue; }
        if (++at == end) break;
        if (*at == 'u') {
            for (int k = 0; k < 4; k++)
                if (++at == end || !strchr("0123456789abcdefABCDEF", *at)) fail("\\u wants four digits");
        } else if (!strchr("\"\\/bfnrt", *at)) fail("a backslash before something else");
        at++;
    }
    if (at == end) fail("a text that does not end");
    at++;
}

static void value(int depth);

static void object(int depth)
{
    static const char *names[NAMES];
    static size_t used;
    const size_t first = used;
    at++;
    blanks();
    if (at < end && *at == '}') { at++; return; }
    for (;;) {
        const char *name = at;
        blanks();
        name = at;
        string();
        for (size_t k = first; k < used; k++) {
            size_t n = 1;
            while (name[n] == names[k][n] && name + n < at - 1) n++;
            if (name + n == at - 1 && names[k][n] == '"') fail("a name that was there before");
        }
        if (used == NAMES) fail("too many names");
        names[used++] = name;
        blanks();
        if (at == end || *at != ':') fail("a colon was expected");
        at++;
        value(depth + 1);
        blanks();
        if (at < end && *at == '}') break;
        if (at == end || *at != ',') fail("a comma or } was expected");
        at++;
    }
    at++;
    used = first;
}

static void array(int depth)
{
    at++;
    blanks();
    if (at < end && *at == ']') { at++; return; }
    for (;;) {
        value(depth + 1);
        blanks();
        if (at < end && *at == ']') break;
        if (at == end || *at != ',') fail("a comma or ] was expected");
        at++;
    }
    at++;
}

static void word(const char *text)
{
    if ((size_t)(end - at) < strlen(text) || strncmp(at, text, strlen(text))) fail("no value");
    at += strlen(text);
}

static void value(int depth)
{
    blanks();
    if (depth > DEPTH) fail("nested too deeply");
    if (at == end) fail("a value was expected");
    if (*at == '{') object(depth);
    else if (*at == '[') array(depth);
    else if (*at == '"') string();
    else if (*at == 't') word("true");
    else if (*at == 'f') word("false");
    else if (*at == 'n') word("null");
    else if (*at == '-' || is_digit()) number();
    else fail("no value");
}

/* ---- paths, in a file that is known to be sound */

/* at, which stands in front of `[` or `{`, goes to the member: by name of n bytes, or by its number. Returns how many there are if
 * there is no such member, and -1 if it was found. */
static long member(const char *name, size_t n, long index)
{
    long k = 0;
    const char close = *at == '{' ? '}' : ']';
    if (*at != (name ? '{' : '[')) return 0;
    at++;
    for (;; k++) {
        blanks();
        if (*at == close) return k;
        if (*at == ',') at++;
        blanks();
        const char *first = at;
        if (name) {
            string();
            const int same = (size_t)(at - first) == n + 2 && !strncmp(first + 1, name, n);
            blanks();
            at++;
            blanks();
            if (same) return -1;
        } else if (k == index) return -1;
        value(0);
        blanks();
    }
}

static void show(const char *path)
{
    at = begin;
    blanks();
    while (*path) {
        long found = 0;
        if (*path == '.') {
            const size_t n = strcspn(path + 1, ".[");
            found = member(path + 1, n, 0);
            path += n + 1;
        } else {
            const char *from = at;
            const int count = path[1] == '#';
            long index = count ? -1 : strtol(path + 1, NULL, 10);
            if (count || index < 0) {
                const long n = member(NULL, 0, -1);
                if (count) { printf("%ld\n", n); return; }
                index += n;
                at = from;
            }
            found = member(NULL, 0, index);
            path += strcspn(path, "]") + 1;
        }
        if (found >= 0) { puts("nothing"); return; }
    }
    const char *first = at;
    value(0);
    if (*first == '"') printf("%.*s\n", (int)(at - first) - 2, first + 1);
    else printf("%.*s\n", (int)(at - first), first);
}

int main(int argc, char **argv)
{
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!f || fseek(f, 0, SEEK_END)) { puts("cannot be read"); return 2; }
    const long n = ftell(f);
    rewind(f);
    char *bytes = (char *)malloc((size_t)n + 1);
    if (!bytes || fread(bytes, 1, (size_t)n, f) != (size_t)n) return 2;
    fclose(f);
    bytes[n] = '\0';
    begin = at = bytes;
    end = bytes + n;
    value(0);
    blanks();
    if (at < end) fail("something behind the value");
    for (int i = 2; i < argc; i++) show(argv[i]);
    free(bytes);
    return 0;
}
