/* library.c - the implementation, compiled once for all programs of this folder; the linker drops what a program does not call
 *
 *     arm-none-eabi-gcc -std=c99 -Os -ffunction-sections -fdata-sections -mcpu=cortex-m4 -mthumb -Ibuild/include \
 *         -c tests/embedded/library.c */
#define BAYESLIN_IMPLEMENTATION
#include "board.h"
