/* traps.c - linked to a program of Linux, stops it where a number becomes invalid, infinite by a division, or too large
 *
 *     cc -c tests/traps.c -o build/traps.o && make LDFLAGS=build/traps.o PARTS='answers examples' test */
#define _GNU_SOURCE
#include <fenv.h>

__attribute__((constructor)) static void traps_on(void) { feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW); }
