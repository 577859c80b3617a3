#ifndef BAYESLIN_CLI_SAVING_H
#define BAYESLIN_CLI_SAVING_H
#include <stdio.h>
/* saving - how bln_modelfile_save puts a file in its place, for all that the tool writes
 *
 * All of it reaches the path, or nothing; what happens to links, modes and pipes stands at bln_modelfile_save. Failures leave their
 * reason in errno, or 0. */
typedef struct saving saving;

/* *file: write here; end or drop closes it. NULL: it cannot be opened. */
saving *saving_begin(const char *path, FILE **file);
int     saving_end(saving *s);              /* 0: failed, and the path has what it had */
void    saving_drop(saving *s);

#endif /* BAYESLIN_CLI_SAVING_H */
