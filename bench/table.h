/* table.h - a table of numbers for a bench, and what stops it
 *
 * After bayeslin.h. read_rows: FILE.csv has a line of names and the target last; inputs are standardised, or stay as they are
 * (raw). */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4000, INPUTS = 200 };

static double X[ROWS*INPUTS], y[ROWS];

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

static void read_rows(const char *path, int raw, bln_data *data)
{
    static char line[65536];
    double row[INPUTS + 1];
    size_t n = 0, d = 0;
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file)) {              /* the line of names */
        printf("cannot read %s\n", path);
        exit(1);
    }
    while (n < ROWS && fgets(line, sizeof line, file)) {
        const char *end = line + strlen(line), *at = line;
        size_t there = 0;
        while (there <= INPUTS && (at = bln_decimal_read(at, end, row + there)) != NULL) {
            there++;
            if (*at++ != ',') break;
        }
        if (there < 2) continue;
        d = there - 1;
        memcpy(X + n*d, row, d*sizeof *X);
        y[n++] = row[d];
    }
    fclose(file);
    for (size_t j = 0; j < d && !raw; j++) standardise(X + j, n, d);
    data->n = n;
    data->d = d;
    data->X = X;
    data->y = y;
}

#endif
