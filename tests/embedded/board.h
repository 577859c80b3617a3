/* board.h - what the programs for a small machine may use: an allocator, and output of numbers
 *
 * On the machine board.c implements it, without an operating system; on this computer host.c does, for the same programs. Every
 * file includes board.h instead of bayeslin.h, so that all have the same options.
 *
 *     sh tests/embedded/run.sh        builds and runs all, on both */
#ifndef BOARD_H
#define BOARD_H
#include <stddef.h>

/* Memory for the library: a block from the end of a fixed heap. Only the newest block can be released; the others stay allocated to
 * the end, as is usual in such programs. NULL when the heap is full. */
void *board_take(size_t bytes);
void  board_give(void *pointer);

/* Print a line `label bits`, the 64 bits of the double in 16 hexadecimal digits; print a line of text. */
void board_number(const char *label, double value);
void board_text(const char *text);

/* Each program is this function. Returns 0 on success. */
int program(void);

#define BAYESLIN_MALLOC(bytes)  board_take(bytes)
#define BAYESLIN_FREE(pointer)  board_give(pointer)
#define BAYESLIN_NO_STDIO
#include "bayeslin.h"

#endif /* BOARD_H */
