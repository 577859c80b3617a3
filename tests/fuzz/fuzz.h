/* fuzz.h - what the fuzzers share: their options, random numbers that are the same everywhere, damage to bytes, and the loop
 *
 * A fuzzer has a function that checks one case, some bytes, and ends with FUZZ_MAIN. As a program it first checks the files of a
 * corpus, then damaged copies of them; case K of seed S is the same everywhere for the same corpus. With clang -fsanitize=fuzzer
 * -DFUZZ_LIBFUZZER it is an LLVMFuzzerTestOneInput. */
#ifndef BLN_TESTS_FUZZ_H
#define BLN_TESTS_FUZZ_H
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "fuzz_options.h"

/* SplitMix64 of Steele, Lea & Flood (2014): uniform below n >= 1, with a bias of n/2^64. */
static uint64_t fuzz_state;
static FUZZ_UNUSED size_t fuzz_below(size_t n)
{
    uint64_t z = (fuzz_state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30))*UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27))*UINT64_C(0x94D049BB133111EB);
    return (size_t)((z ^ (z >> 31)) % n);
}

static FUZZ_UNUSED void *fuzz_memory(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);
    if (!p) { fprintf(stderr, "fuzz: out of memory\n"); exit(2); }
    return p;
}

/* A copy of exactly n bytes, so that a sanitizer finds reads of the next byte; and one followed by a 0. The caller frees both. */
static FUZZ_UNUSED unsigned char *fuzz_copy(const unsigned char *bytes, size_t n)
{
    unsigned char *p = (unsigned char *)fuzz_memory(n);
    if (n) memcpy(p, bytes, n);
    return p;
}
static FUZZ_UNUSED char *fuzz_text(const unsigned char *bytes, size_t n)
{
    char *p = (char *)fuzz_memory(n + 1);
    if (n) memcpy(p, bytes, n);
    p[n] = '\0';
    return p;
}

/* ---- damage ---- */

/* Inserts m bytes at `at` of n; bytes beyond `room` are dropped. Returns the new length. */
static FUZZ_UNUSED size_t fuzz_insert(unsigned char *text, size_t n, size_t room, size_t at, const void *bytes, size_t m)
{
    if (m > room - n) m = room - n;
    memmove(text + at + m, text + at, n - at);
    memcpy(text + at, bytes, m);
    return n + m;
}

/* Damages a text of n bytes once: flips a bit, replaces a byte by a random one or by the first of the piece, inserts the piece,
 * removes up to 63 bytes, or copies them elsewhere. */
static FUZZ_UNUSED size_t fuzz_damage_text(unsigned char *text, size_t n, size_t room, const char *piece)
{
    unsigned char copy[64];
    const size_t at = fuzz_below(n + 1), m = fuzz_below(n - at + 1) % sizeof copy;
    switch (fuzz_below(6)) {
    case 0: if (at < n) text[at] = (unsigned char)fuzz_below(256); return n;
    case 1: if (at < n) text[at] = (unsigned char)piece[0]; return n;
    case 2: if (at < n) text[at] = (unsigned char)(text[at] ^ 1u << fuzz_below(8)); return n;
    case 3: return fuzz_insert(text, n, room, at, piece, strlen(piece));
    case 4: memmove(text + at, text + at + m, n - at - m); return n - m;
    default: memcpy(copy, text + at, m); return fuzz_insert(text, n, room, fuzz_below(n + 1), copy, m);
    }
}

/* ---- a fuzzer ---- */

typedef struct fuzz_bytes { unsigned char *bytes; size_t n; } fuzz_bytes;

typedef struct fuzz_harness {
    const char *name;
    size_t      most;                                                       /* most bytes of a case                           */
    const char *(*check)(const unsigned char *bytes, size_t n);             /* NULL, or what is wrong                         */
    const char *const *pieces;                                              /* words that damage inserts, ended by a NULL     */
    size_t    (*seed)(size_t k, unsigned char *bytes, size_t room);         /* valid case k; 0: there are no more.  (or NULL)  */
} fuzz_harness;

enum { FUZZ_HANG = 60 };                       /* a case that takes more seconds counts as endless         */
static unsigned long fuzz_case_now;
static const char *fuzz_name_now = "";
static FUZZ_UNUSED int fuzz_to = 2;            /* where that is written */

/* Writes which case it was, from a signal handler, where only write may be called. */
static FUZZ_UNUSED void fuzz_last_words(void)
{
    char text[32];
    size_t at = sizeof text;
    unsigned long k = fuzz_case_now;
    text[--at] = '\n';
    do text[--at] = (char)('0' + k % 10); while ((k /= 10) > 0);
    (void)!write(fuzz_to, fuzz_name_now, strlen(fuzz_name_now));
    (void)!write(fuzz_to, ": ended in case ", 16);
    (void)!write(fuzz_to, text + at, sizeof text - at);
}
static FUZZ_UNUSED void fuzz_signal(int number)
{
    if (number == SIGALRM) (void)!write(fuzz_to, "it does not end\n", 16);
    fuzz_last_words();
    _exit(3);
}
#if defined(__SANITIZE_ADDRESS__)
void __sanitizer_set_death_callback(void (*callback)(void));
#endif

static FUZZ_UNUSED fuzz_bytes fuzz_file(const char *path, size_t most)
{
    fuzz_bytes b;
    FILE *f = fopen(path, "rb");
    if (!f) { perror(path); exit(2); }
    b.bytes = (unsigned char *)fuzz_memory(most);
    b.n = fread(b.bytes, 1, most, f);
    fclose(f);
    return b;
}

/* The files of the corpus, and the fuzzer's own valid cases. */
static FUZZ_UNUSED fuzz_bytes *fuzz_corpus(const fuzz_harness *h, const fuzz_options *o, size_t *n)
{
    size_t own = 0;
    unsigned char *bytes = (unsigned char *)fuzz_memory(h->most);
    while (h->seed && h->seed(own, bytes, h->most)) own++;
    *n = (size_t)o->n_files + own;
    fuzz_bytes *all = (fuzz_bytes *)fuzz_memory(*n*sizeof *all);
    for (int i = 0; i < o->n_files; i++) all[i] = fuzz_file(o->files[i], h->most);
    for (size_t k = 0; k < own; k++) {
        fuzz_bytes *b = &all[(size_t)o->n_files + k];
        b->bytes = (unsigned char *)fuzz_memory(h->most);
        b->n = h->seed(k, b->bytes, h->most);
    }
    free(bytes);
    return all;
}

/* Case k: the first are the corpus unchanged, the others one of its files, damaged up to 8 times. */
static FUZZ_UNUSED size_t fuzz_case(const fuzz_harness *h, const fuzz_bytes *all, size_t n_all, unsigned long seed, unsigned long k,
                                    unsigned char *bytes)
{
    size_t n_pieces = 0;
    while (h->pieces[n_pieces]) n_pieces++;
    fuzz_state = (uint64_t)seed*UINT64_C(0xD1342543DE82EF95) + k*UINT64_C(0x2545F4914F6CDD1D);
    const fuzz_bytes *from = &all[k - 1 < n_all ? k - 1 : fuzz_below(n_all)];
    size_t n = from->n;
    memcpy(bytes, from->bytes, n);
    for (size_t acts = k - 1 < n_all ? 0 : 1 + fuzz_below(8); acts > 0; acts--) {
        const fuzz_bytes *other = &all[fuzz_below(n_all)];
        if (fuzz_below(6) || !other->n) { n = fuzz_damage_text(bytes, n, h->most, h->pieces[fuzz_below(n_pieces)]); continue; }
        const size_t at = fuzz_below(other->n), run = 1 + fuzz_below(other->n - at);
        n = fuzz_insert(bytes, n, h->most, fuzz_below(n + 1), other->bytes + at, run);
    }
    return n;
}

static FUZZ_UNUSED int fuzz_save_to(const char *path, const unsigned char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    if (!f) { perror(path); return 2; }
    const int good = fwrite(bytes, 1, n, f) == n;
    return fclose(f) == 0 && good ? 0 : 2;
}

/* The exit status of the program. */
static FUZZ_UNUSED int fuzz_main(int argc, char **argv, const fuzz_harness *h)
{
    fuzz_options o;
    size_t n_all;
    unsigned long cases = 0, failed = 0;
    char usage[200];
    snprintf(usage, sizeof usage, "fuzz_%s [--runs N] [--seconds S] [--seed S] [--only K [--save FILE]] [FILE of the corpus]...",
             h->name);
    if (!fuzz_options_read(argc, argv, usage, &o)) return 2;
    fuzz_bytes *all = fuzz_corpus(h, &o, &n_all);
    unsigned char *bytes = (unsigned char *)fuzz_memory(h->most);
    if (!n_all) { fprintf(stderr, "usage: %s\n", usage); return 2; }
    if (!o.runs && !o.seconds) o.runs = 100000;
    fuzz_name_now = h->name;
    signal(SIGALRM, fuzz_signal);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_set_death_callback(fuzz_last_words);
#else
    signal(SIGABRT, fuzz_signal);
    signal(SIGSEGV, fuzz_signal);
    signal(SIGFPE, fuzz_signal);
#endif
    const time_t began = time(NULL);
    for (unsigned long k = o.once ? o.only : 1; o.once ? !cases : !o.runs || cases < o.runs; k++) {
        if (o.seconds && k > n_all && difftime(time(NULL), began) >= (double)o.seconds) break;
        const size_t n = fuzz_case(h, all, n_all, o.seed, k, bytes);
        if (o.save) { failed = (unsigned long)fuzz_save_to(o.save, bytes, n); break; }
        fuzz_case_now = k;
        alarm(FUZZ_HANG);
        const char *wrong = h->check(bytes, n);
        alarm(0);
        if (wrong) {
            printf("FAIL %s, case %lu of seed %lu: %s\n", k <= (unsigned long)o.n_files ? o.files[k - 1] : h->name, k, o.seed,
                wrong);
            failed++;
        }
        cases++;
    }
    for (size_t k = 0; k < n_all; k++) free(all[k].bytes);
    free(all);
    free(bytes);
    printf("%s: %lu of %lu cases wrong\n", h->name, failed, cases);
    printf("%d passed, %d failed\n", failed == 0, failed != 0);
    return failed ? 1 : 0;
}

/* The end of a fuzzer: its main, or clang's entry. */
#ifdef FUZZ_LIBFUZZER
#define FUZZ_MAIN(harness) \
    int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n); \
    int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) \
    { \
        const char *wrong = (harness).check(bytes, n < (harness).most ? n : (harness).most); \
        if (wrong) { fprintf(stderr, "%s\n", wrong); abort(); } \
        return 0; \
    }
#else
#define FUZZ_MAIN(harness) int main(int argc, char **argv) { return fuzz_main(argc, argv, &(harness)); }
#endif

#endif
