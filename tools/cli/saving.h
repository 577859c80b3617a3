#ifndef BAYESLIN_CLI_SAVING_H
#define BAYESLIN_CLI_SAVING_H
#include <stdio.h>
/* saving - replaces files as bln_modelfile_save does, for all that the tool writes
 *
 * Either the whole new file is at the path, or the old one. bln_modelfile_save tells what happens to links, modes and pipes. After
 * a failure errno has the reason, or is 0. */
typedef struct saving saving;

/* Write to *file, which end or drop closes. NULL: it cannot be opened. */
saving *saving_begin(const char *path, FILE **file);
int     saving_end(saving *s);              /* 0: failed; the path is unchanged        */
void    saving_drop(saving *s);

#endif /* BAYESLIN_CLI_SAVING_H */
