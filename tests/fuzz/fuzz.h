/* fuzz.h - what the fuzzers share: their options, random numbers that are the same everywhere, damage to text, and the loop */
#ifndef BLN_TESTS_FUZZ_H
#define BLN_TESTS_FUZZ_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__GNUC__)
#define FUZZ_UNUSED __attribute__((unused))
#else
#define FUZZ_UNUSED
#endif

/* only: one case again (once: it was asked for). save: a file for its bytes. */
typedef struct fuzz_options { unsigned long runs, seconds, seed, only; int once; const char *save; } fuzz_options;

/* Returns 0 after the usage if an option is unknown. */
static FUZZ_UNUSED int fuzz_options_read(int argc, char **argv, const char *usage, fuzz_options *o)
{
    memset(o, 0, sizeof *o);
    o->seed = 1;
    for (int i = 1; i < argc; i += 2) {
        const unsigned long v = i + 1 < argc ? strtoul(argv[i + 1], NULL, 10) : 0;
        if (i + 1 == argc) { fprintf(stderr, "usage: %s\n", usage); return 0; }
        if (!strcmp(argv[i], "--runs")) o->runs = v;
        else if (!strcmp(argv[i], "--seconds")) o->seconds = v;
        else if (!strcmp(argv[i], "--seed")) o->seed = v;
        else if (!strcmp(argv[i], "--only")) { o->only = v; o->once = 1; }
        else if (!strcmp(argv[i], "--save")) o->save = argv[i + 1];
        else { fprintf(stderr, "usage: %s\n", usage); return 0; }
    }
    return 1;
}

/* SplitMix64 of Steele, Lea & Flood (2014): uniform below n >= 1, but for a bias of n/2^64. */
static uint64_t fuzz_state;
static FUZZ_UNUSED size_t fuzz_below(size_t n)
{
    uint64_t z = (fuzz_state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30))*UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27))*UINT64_C(0x94D049BB133111EB);
    return (size_t)((z ^ (z >> 31)) % n);
}

/* Puts m bytes in at `at` of n; what goes beyond `room` falls off. Returns the new length. */
static FUZZ_UNUSED size_t fuzz_insert(unsigned char *text, size_t n, size_t room, size_t at, const void *bytes, size_t m)
{
    if (m > room - n) m = room - n;
    memmove(text + at + m, text + at, n - at);
    memcpy(text + at, bytes, m);
    return n + m;
}

/* One act of damage to a text of n bytes: a byte of chance or the piece's first put over one, the piece put in, up to 63 bytes
 * taken out, or put in again elsewhere. */
static FUZZ_UNUSED size_t fuzz_damage_text(unsigned char *text, size_t n, size_t room, const char *piece)
{
    unsigned char copy[64];
    const size_t at = fuzz_below(n + 1), m = fuzz_below(n - at + 1) % sizeof copy;
    switch (fuzz_below(5)) {
    case 0: if (at < n) text[at] = (unsigned char)fuzz_below(256); return n;
    case 1: if (at < n) text[at] = (unsigned char)piece[0]; return n;
    case 2: return fuzz_insert(text, n, room, at, piece, strlen(piece));
    case 3: memmove(text + at, text + at + m, n - at - m); return n - m;
    default: memcpy(copy, text + at, m); return fuzz_insert(text, n, room, fuzz_below(n + 1), copy, m);
    }
}

/* Runs cases 1, 2, ... of a seed: `make` writes one into bytes and returns its length, `check` returns NULL or what is wrong.
 * The exit status of the program. */
static FUZZ_UNUSED int fuzz_text_main(int argc, char **argv, const char *usage, unsigned char *bytes,
                                      size_t (*make)(unsigned char *bytes),
                                      const char *(*check)(const unsigned char *bytes, size_t n))
{
    fuzz_options o;
    unsigned long cases = 0, failed = 0;
    if (!fuzz_options_read(argc, argv, usage, &o)) return 2;
    if (!o.runs && !o.seconds) o.runs = 100000;
    const time_t began = time(NULL);
    for (unsigned long k = o.once ? o.only : 1; o.once ? !cases : !o.runs || cases < o.runs; k++) {
        if (o.seconds && k % 64 == 0 && difftime(time(NULL), began) >= (double)o.seconds) break;
        fuzz_state = (uint64_t)o.seed*UINT64_C(0xD1342543DE82EF95) + k*UINT64_C(0x2545F4914F6CDD1D);
        const size_t n = make(bytes);
        if (o.once) fwrite(bytes, 1, n, stdout);
        const char *wrong = check(bytes, n);
        if (wrong) { printf("case %lu of seed %lu: %s\n", k, o.seed, wrong); failed++; }
        cases++;
    }
    printf("%lu passed, %lu failed\n", cases - failed, failed);
    return failed ? 1 : 0;
}

#endif
