#ifndef BAYESLIN_CLI_OUTPUT_H
#define BAYESLIN_CLI_OUTPUT_H
#include "options.h"
#include "saving.h"
/* output - files that are either whole or not there
 *
 * What is written takes the place of the path at the end, as bln_modelfile_save does it. A path that exists and is no plain file,
 * such as /dev/stdout or a pipe, is written directly. That standard output arrived whole is seen to at the end of the program. */
typedef struct output {
    FILE   *file;              /* write here                   */
    saving *saving;            /* NULL: it is standard output  */
    char   *path;
} output;

/* Could the file of -o be written? To know before the work, not after. Also refuses to write over a file that is read. */
int output_check(const options *o, cli_why *why);

/* open, write to ->file, then close; or drop, which leaves what was there before. path NULL, or -: standard output. */
int  output_is_standard(const char *path);
int  output_open(const char *path, output *out, cli_why *why);
int  output_close(output *out, cli_why *why);
void output_drop(output *out);

#endif /* BAYESLIN_CLI_OUTPUT_H */
