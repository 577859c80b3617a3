/* host.c - the board on a computer with an operating system: the numbers that the small machine's are compared with
 *
 *     cc -std=c99 -O1 -Ibuild/include -c tests/embedded/host.c
 *     cc -std=c99 -O1 -Ibuild/include -DBAYESLIN_IMPLEMENTATION tests/embedded/linear.c host.o -lm */
#include "board.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *board_take(size_t bytes) { return malloc(bytes); }
void  board_give(void *pointer) { free(pointer); }

void board_number(const char *label, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    printf("%s %08lx%08lx\n", label, (unsigned long)(bits >> 32), (unsigned long)(bits & 0xffffffffu));
}
void board_text(const char *text) { puts(text); }

int main(void) { return program(); }
