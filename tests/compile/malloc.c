/* malloc.c - BAYESLIN_MALLOC and BAYESLIN_FREE: all memory comes through them, and goes back */
#include <stdlib.h>

static int allocations, live;
static void *count_up(size_t bytes) { allocations++; live++; return malloc(bytes); }
static void count_down(void *pointer) { live--; free(pointer); }

#define BAYESLIN_MALLOC(bytes) count_up(bytes)
#define BAYESLIN_FREE(pointer) count_down(pointer)
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "slope.h"

int main(void)
{
    return fabs(slope() - 2.0) < 0.01 && allocations > 0 && live == 0 ? 0 : 1;
}
