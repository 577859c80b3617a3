/* table.c - the tool's `predict`, by the flat functions of the shared library alone: the same figures must come out
 *
 *     table DATA TARGET TRIALS SPEC OPTIONS      TRIALS: a column, or -; SPEC: of a basis, or a file that the tool saved
 *
 * DATA: numbers, with a header. Fits them, or loads a model, and prints its predictions of the same rows as `predict` does. */
#include "bayeslin_flat.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 32, ROWS = 2000, LINE = 4096 };
static double X[ROWS*COLUMNS], y[ROWS], trials[ROWS], mean[ROWS], sd_model[ROWS], sd[ROWS], lower[ROWS], upper[ROWS];

int main(int argc, char **argv)
{
    char line[LINE], names[COLUMNS][64], message[300] = "", *word;
    size_t width = 0, n = 0, d = 0, at = 0;
    bayeslin_model *model = NULL;
    if (argc != 6) { fputs("table DATA TARGET TRIALS SPEC OPTIONS\n", stderr); return 2; }
    FILE *file = fopen(argv[1], "r");
    if (!file || !fgets(line, LINE, file)) { fprintf(stderr, "cannot read %s\n", argv[1]); return 2; }
    for (word = strtok(line, ",\n"); word && width < COLUMNS; word = strtok(NULL, ",\n")) sprintf(names[width++], "%.63s", word);
    while (n < ROWS && fgets(line, LINE, file)) {
        size_t j = 0;
        d = 0;
        for (word = strtok(line, ",\n"); word && j < width; word = strtok(NULL, ",\n"), j++) {
            const double value = strtod(word, NULL);
            if (!strcmp(names[j], argv[2])) y[n] = value;
            else if (!strcmp(names[j], argv[3])) trials[n] = value;
            else { X[at++] = value; d++; }
        }
        n++;
    }
    fclose(file);
    const double *of = strcmp(argv[3], "-") ? trials : NULL;
    int status = strstr(argv[4], ".bln")
               ? bayeslin_load(argv[4], &model, message, sizeof message)
               : bayeslin_fit(n, d, X, y, NULL, NULL, of, argv[4], argv[5], &model, message, sizeof message);
    if (!status) status = bayeslin_predict(model, n, d, X, NULL, of, mean, sd_model, sd, message, sizeof message);
    if (!status) status = bayeslin_intervals(model, n, d, X, NULL, of, 0.95, 0, lower, upper, message, sizeof message);
    if (status) { fprintf(stderr, "%d: %s\n", status, message); return 1; }
    puts("mean,sd,sd_latent,lower,upper");
    for (size_t i = 0; i < n; i++) printf("%.10g,%.10g,%.10g,%.10g,%.10g\n", mean[i], sd[i], sd_model[i], lower[i], upper[i]);
    bayeslin_free(model);
    return 0;
}
