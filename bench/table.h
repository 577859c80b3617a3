/* table.h - a table of numbers for a bench, and what stops it
 *
 * After bayeslin.h. read_rows: FILE.csv has a line of names and the target last (binomial: trials before it); inputs are
 * standardised, or stay as they are (raw). */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 8000, INPUTS = 200 };

static double X[ROWS*INPUTS], y[ROWS], trials[ROWS];

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    printf("%s: %s\n", bln_status_name(status), report->text);
    exit(1);
}

static void standardise(double *x, size_t n, size_t ld)
{
    double mean = 0.0, square = 0.0;
    for (size_t i = 0; i < n; i++) mean += x[i*ld]/(double)n;
    for (size_t i = 0; i < n; i++) square += (x[i*ld] - mean)*(x[i*ld] - mean)/(double)n;
    for (size_t i = 0; i < n; i++) x[i*ld] = (x[i*ld] - mean)/(square > 0.0 ? sqrt(square) : 1.0);
}

/* Numbers of a line of CSV. */
static size_t numbers(const char *line, double *out, size_t most)
{
    const char *end = line + strlen(line), *at = line;
    size_t n = 0;
    while (n < most && (at = bln_decimal_read(at, end, out + n)) != NULL) {
        n++;
        if (*at++ != ',') break;
    }
    return n;
}

static void read_rows(const char *path, int raw, int binomial, bln_data *data)
{
    static char line[65536];
    double row[INPUTS + 2];
    size_t n = 0, d = 0;
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file)) {              /* the line of names */
        printf("cannot read %s\n", path);
        exit(1);
    }
    while (n < ROWS && fgets(line, sizeof line, file)) {
        const size_t there = numbers(line, row, INPUTS + 2), others = binomial ? 2 : 1;
        if (there <= others) continue;
        d = there - others;
        memcpy(X + n*d, row, d*sizeof *X);
        if (binomial) trials[n] = row[d];
        y[n++] = row[there - 1];
    }
    fclose(file);
    for (size_t j = 0; j < d && !raw; j++) standardise(X + j, n, d);
    data->n = n;
    data->d = d;
    data->X = X;
    data->y = y;
    data->trials = binomial ? trials : NULL;
}

#endif
