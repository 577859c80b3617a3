/* compare_numbers.c - are two texts the same, but for the last digits of their numbers?
 *
 *     cc -std=c99 -O1 tools/compare_numbers.c -o build/compare_numbers -lm && build/compare_numbers EXPECTED GOT
 *
 * Numbers a (expected) and b agree if |a - b| <= ABS + REL max(|a|, |b|); blanks agree with any blanks; everything else must be the
 * same. A digit that follows a letter, as in x1, belongs to a word. EXPECTED may begin with a line `# tolerance REL ABS`, which is
 * not compared; without it both are 1e-9. Exit status: 0 the same, 1 different, 2 cannot read. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *slurp(const char *path)
{
    size_t size = 0, room = 1 << 16;
    FILE *f = fopen(path, "rb");
    char *text = (char *)malloc(room);
    if (!f || !text) { fprintf(stderr, "compare_numbers: cannot read %s\n", path); exit(2); }
    for (;;) {
        const size_t n = fread(text + size, 1, room - 1 - size, f);
        if (n == 0) break;
        size += n;
        if (size + 1 == room && !(text = (char *)realloc(text, room *= 2))) exit(2);
    }
    if (ferror(f)) { fprintf(stderr, "compare_numbers: cannot read %s\n", path); exit(2); }
    fclose(f);
    text[size] = '\0';
    return text;
}

static int blank(const char *p) { return isspace((unsigned char)*p); }
static int digit(const char *p) { return isdigit((unsigned char)*p); }

/* Does a number begin at p, in a text that begins at start? */
static int number_at(const char *p, const char *start)
{
    const char *q = p;
    if (p > start && (isalnum((unsigned char)p[-1]) || p[-1] == '_')) return 0;
    if (*q == '-' || *q == '+') q++;
    if (*q == '.') q++;
    return digit(q);
}

int main(int argc, char **argv)
{
    if (argc != 3) { fprintf(stderr, "usage: compare_numbers EXPECTED GOT\n"); return 2; }
    const char *a = slurp(argv[1]), *b = slurp(argv[2]), *b0 = b;
    double relative = 1e-9, absolute = 1e-9;
    unsigned long line = 1;
    if (sscanf(a, "# tolerance %lf %lf", &relative, &absolute) == 2) {
        a += strcspn(a, "\n");
        if (*a) a++;
        line++;
    }
    const char *a0 = a;
    while (*a || *b) {
        if (blank(a) || blank(b)) {
            /* How many does not matter, as numbers get wider and narrower; but a blank needs a blank, or the end. */
            if ((*a && !blank(a)) || (*b && !blank(b))) break;
            while (blank(a)) line += *a++ == '\n';
            while (blank(b)) b++;
        } else if (number_at(a, a0) && number_at(b, b0)) {
            char *a_end, *b_end;
            const double x = strtod(a, &a_end), y = strtod(b, &b_end);
            if (!(fabs(x - y) <= absolute + relative*fmax(fabs(x), fabs(y)))) {
                fprintf(stderr, "%s:%lu: expected %.*s, got %.*s\n", argv[1], line, (int)(a_end - a), a, (int)(b_end - b), b);
                return 1;
            }
            a = a_end;
            b = b_end;
        } else if (*a == *b) { a++; b++; }
        else break;
    }
    if (!*a && !*b) return 0;
    fprintf(stderr, "%s:%lu: expected \"%.*s\", got \"%.*s\"\n", argv[1], line, (int)strcspn(a, "\n"), a,
            (int)strcspn(b, "\n"), b);
    return 1;
}
