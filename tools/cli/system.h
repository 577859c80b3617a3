#ifndef BAYESLIN_CLI_SYSTEM_H
#define BAYESLIN_CLI_SYSTEM_H
#include <stddef.h>
#include <stdint.h>
/* system - what POSIX and Windows do each in its own way, and C99 not at all */

/* Standard input and output pass bytes as they are. */
void system_begin(void);

/* Seconds of a clock that only runs forward. */
double system_clock(void);

/* The bytes of the path up to the name of the file: 0, or with the last separator. */
size_t system_folder(const char *path);

/* 1: new files may be made in this folder; 0: not, errno has why. */
int system_may_make(const char *folder);

/* 1: both names are of one ordinary file. A path that is not there is the file of its own name. */
int system_same(const char *path, const char *other);

/* A temporary file that is gone when it is closed; six letters X at the end of path become its name. -1: errno has why. */
int system_scratch(char *path);

/* Some of the n bytes of a file from `at` on: how many, 0 at its end, -1: errno has why. */
ptrdiff_t system_read_at(int file, void *to, size_t n, uint64_t at);

#endif /* BAYESLIN_CLI_SYSTEM_H */
