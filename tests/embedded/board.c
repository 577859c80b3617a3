/* board.c - a Cortex-M4 without an operating system: start, heap, stack, and words to the debugger
 *
 *     arm-none-eabi-gcc -std=c99 -Os -mcpu=cortex-m4 -mthumb -Ibuild/include -c tests/embedded/board.c
 *
 * Words and the exit status go out by semihosting, calls that a debugger answers, or qemu-system-arm -semihosting. The stack is
 * filled with a pattern before the program runs; how much of it is gone afterwards is what the program has used. */
#include "board.h"
#include <stdint.h>
#include <string.h>

extern unsigned char board_data[], board_data_end[], board_data_in_flash[], board_bss[], board_bss_end[], board_heap[],
                     board_stack[], board_stack_end[];
void board_reset(void);
void board_fault(void);
int *__errno(void);

/* ---- semihosting */

enum { SYS_WRITE0 = 0x04, SYS_EXIT = 0x18, APPLICATION_EXIT = 0x20026, RUN_TIME_ERROR = 0x20023 };

static void semihosting(uint32_t operation, uint32_t argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register uint32_t r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory", "cc");
}
static void say(const char *text) { semihosting(SYS_WRITE0, (uint32_t)(uintptr_t)text); }
static void leave(int well)
{
    semihosting(SYS_EXIT, well ? APPLICATION_EXIT : RUN_TIME_ERROR);
    for (;;) continue;
}

void board_text(const char *text)
{
    say(text);
    say("\n");
}
static void say_hex(uint32_t word)
{
    char digits[9];
    int i;
    for (i = 0; i < 8; i++) digits[i] = "0123456789abcdef"[word >> (28 - 4 * i) & 15u];
    digits[8] = '\0';
    say(digits);
}
static void say_count(const char *label, uint32_t count)
{
    char digits[12];
    int i = 11;
    digits[i] = '\0';
    do { digits[--i] = (char)('0' + count % 10u); count /= 10u; } while (count);
    say(label);
    say(digits + i);
    say("\n");
}
void board_number(const char *label, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    say(label);
    say(" ");
    say_hex((uint32_t)(bits >> 32));
    say_hex((uint32_t)bits);
    say("\n");
}

/* ---- heap: each block begins with where the one before it ended, in 8 bytes that keep blocks aligned */

static unsigned char *heap_at, *heap_peak;

void *board_take(size_t bytes)
{
    unsigned char *block = heap_at + 8;
    if (bytes > (size_t)(board_stack - block) - 8) return NULL;
    memcpy(heap_at, &heap_at, sizeof heap_at);
    heap_at = block + ((bytes + 7u) & ~(size_t)7u);
    memcpy(block - 4, &heap_at, sizeof heap_at);                  /* its end, to know the last one by */
    if (heap_at > heap_peak) heap_peak = heap_at;
    return block;
}
void board_give(void *pointer)
{
    unsigned char *block = (unsigned char *)pointer, *end;
    if (!block) return;
    memcpy(&end, block - 4, sizeof end);
    if (end == heap_at) heap_at = block - 8;
}

/* ---- start */

/* newlib's libm wants one; nobody reads it. */
int *__errno(void)
{
    static int number;
    return &number;
}

enum { PATTERN = 0xc5 };

/* Fills the stack below this function's frame. Not inlined, so that nothing of the caller's lies below. */
static void __attribute__((noinline)) paint(void)
{
    volatile unsigned char *p = board_stack;
    uint32_t here;
    __asm__ volatile("mov %0, sp" : "=r"(here));
    while ((uint32_t)(uintptr_t)p < here) *p++ = PATTERN;
}

void board_reset(void)
{
    const unsigned char *p = board_stack;
    int status;
    memcpy(board_data, board_data_in_flash, (size_t)(board_data_end - board_data));
    memset(board_bss, 0, (size_t)(board_bss_end - board_bss));
    heap_at = heap_peak = board_heap;
    paint();
    status = program();
    while (p < board_stack_end && *p == PATTERN) p++;
    say_count("stack ", (uint32_t)(board_stack_end - p));
    say_count("heap ", (uint32_t)(heap_peak - board_heap));
    if (p == board_stack) board_text("the stack ran over");
    leave(status == 0 && p > board_stack);
}
void board_fault(void)
{
    board_text("fault");
    leave(0);
}

typedef union vector { void *stack; void (*call)(void); } vector;
__attribute__((section(".vectors"), used)) static const vector vectors[16] = {
    { board_stack_end }, { .call = board_reset }, { .call = board_fault }, { .call = board_fault }, { .call = board_fault },
    { .call = board_fault }, { .call = board_fault }
};
