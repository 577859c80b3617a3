/* fuzz_options.h - the options that all fuzzers have */
#ifndef BLN_TESTS_FUZZ_OPTIONS_H
#define BLN_TESTS_FUZZ_OPTIONS_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define FUZZ_UNUSED __attribute__((unused))
#else
#define FUZZ_UNUSED
#endif

/* only: the one case to run again, if once is set. save: a file for its bytes. files: the corpus. */
typedef struct fuzz_options {
    unsigned long runs, seconds, seed, only;
    int           once, n_files;
    const char   *save;
    char        **files;
} fuzz_options;

/* Returns 0 after the usage if an option is unknown. */
static FUZZ_UNUSED int fuzz_options_read(int argc, char **argv, const char *usage, fuzz_options *o)
{
    memset(o, 0, sizeof *o);
    o->seed = 1;
    int i = 1;
    for (; i < argc && !strncmp(argv[i], "--", 2); i += 2) {
        const unsigned long v = i + 1 < argc ? strtoul(argv[i + 1], NULL, 10) : 0;
        if (i + 1 == argc) { fprintf(stderr, "usage: %s\n", usage); return 0; }
        if (!strcmp(argv[i], "--runs")) o->runs = v;
        else if (!strcmp(argv[i], "--seconds")) o->seconds = v;
        else if (!strcmp(argv[i], "--seed")) o->seed = v;
        else if (!strcmp(argv[i], "--only")) { o->only = v; o->once = 1; }
        else if (!strcmp(argv[i], "--save")) o->save = argv[i + 1];
        else { fprintf(stderr, "usage: %s\n", usage); return 0; }
    }
    o->files = argv + i;
    o->n_files = argc - i;
    return 1;
}

#endif
