/* compare_bits.c - the numbers of two runs, written as the 64 bits of doubles, side by side
 *
 *     cc -std=c99 -O1 tests/embedded/compare_bits.c -o build/embedded/compare_bits -lm
 *     build/embedded/compare_bits EXPECTED GOT 1e-12
 *
 * Lines `label bits`; what else there is (stack and heap, in GOT) is passed over. Prints the largest difference relative to the
 * number itself. Exit status: 0 the same labels, and no number further off than the last argument; else 1. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next number of a file. Returns 0 at the end. */
static int next(FILE *f, char *label, double *value)
{
    char line[256], digits[64], more[2], *end;
    while (fgets(line, sizeof line, f)) {
        uint64_t bits;
        if (sscanf(line, "%63s %63s %1s", label, digits, more) != 2 || strlen(digits) != 16) continue;
        bits = strtoull(digits, &end, 16);
        if (*end) continue;
        memcpy(value, &bits, sizeof bits);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    FILE *a = argc == 4 ? fopen(argv[1], "r") : NULL, *b = argc == 4 ? fopen(argv[2], "r") : NULL;
    char x_label[64], y_label[64];
    double x, y, worst = 0.0;
    int n = 0, bad = 0;
    if (!a || !b) { fprintf(stderr, "usage: compare_bits EXPECTED GOT TOLERANCE\n"); return 2; }
    while (next(a, x_label, &x)) {
        if (!next(b, y_label, &y) || strcmp(x_label, y_label)) { printf("%s: not there\n", x_label); return 1; }
        n++;
        if (x == y || (isnan(x) && isnan(y))) continue;
        if (!(fabs(y - x) <= atof(argv[3]) * fabs(x))) { printf("%s: %.17g, expected %.17g\n", x_label, y, x); bad = 1; }
        if (!(fabs(y - x) <= worst * fabs(x))) worst = fabs((y - x) / x);
    }
    if (next(b, y_label, &y)) { printf("%s: one more\n", y_label); bad = 1; }
    printf("%d numbers, largest difference %.1e\n", n, worst);
    fclose(a);
    fclose(b);
    return bad || n == 0;
}
