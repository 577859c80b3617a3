#ifndef BAYESLIN_CLI_OUTPUT_H
#define BAYESLIN_CLI_OUTPUT_H
#include "options.h"
#include "saving.h"
/* output - files that are written completely or not at all
 *
 * The new file replaces the one at the path at the end, as in bln_modelfile_save. A path that exists and is not a plain file, such
 * as /dev/stdout or a pipe, is written directly. Whether standard output was written completely is checked at the end of the
 * program. */
typedef struct output {
    FILE   *file;              /* write here                   */
    saving *saving;            /* NULL: standard output        */
    char   *path;
} output;

/* Checks before the work whether the file of -o can be written, and that it is not a file that is read. */
int output_check(const options *o, cli_why *why);

/* Open, write to ->file, then close; or drop, which keeps the old file. path NULL or -: standard output. */
int  output_is_standard(const char *path);
int  output_open(const char *path, output *out, cli_why *why);
int  output_close(output *out, cli_why *why);
void output_drop(output *out);

#endif /* BAYESLIN_CLI_OUTPUT_H */
