/* board.h - what the programs for a small machine may use: an allocator, and a way to say numbers
 *
 * On the machine board.c provides it, without an operating system; on this computer host.c does, for the same programs. Every file
 * includes it in the place of bayeslin.h, so that all have the same options.
 *
 *     sh tests/embedded/run.sh        builds and runs all, on both */
#ifndef BOARD_H
#define BOARD_H
#include <stddef.h>

/* Memory for the library: a block from the end of a fixed heap. Only the block that was taken last can be given back; the others
 * stay taken until the end, as programs of this kind want it. NULL when the heap is full. */
void *board_take(size_t bytes);
void  board_give(void *pointer);

/* A line `label bits`, the 64 bits of the double in 16 hexadecimal digits; a line of text. */
void board_number(const char *label, double value);
void board_text(const char *text);

/* Each program is this function. 0: it went well. */
int program(void);

#define BAYESLIN_MALLOC(bytes)  board_take(bytes)
#define BAYESLIN_FREE(pointer)  board_give(pointer)
#define BAYESLIN_NO_STDIO
#include "bayeslin.h"

#endif /* BOARD_H */
