#ifndef BAYESLIN_CLI_OUTPUT_H
#define BAYESLIN_CLI_OUTPUT_H
#include "why.h"
#include <stdio.h>
/* output - files that are either whole or not there
 *
 * What is written goes to a file beside the wanted one, which takes its name at the end. A path that exists and is no plain file,
 * such as /dev/stdout or a pipe, is written directly. */
typedef struct output {
    FILE *file;              /* write here                        */
    char *path, *beside;     /* NULL: standard output; directly   */
} output;

/* Could PATH be written? To know before the work, not after. NULL: standard output. */
int output_check(const char *path, cli_why *why);

/* open, write to ->file, then close; or drop, which leaves what was there before. path NULL: standard output. */
int  output_open(const char *path, output *out, cli_why *why);
int  output_close(output *out, cli_why *why);
void output_drop(output *out);

#endif /* BAYESLIN_CLI_OUTPUT_H */
