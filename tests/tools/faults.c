/* faults.c - the tool's allocations and files, to be made to fail from outside; for tests/tools/test_faults.sh
 *
 * Linked with --wrap=malloc,calloc,realloc (GNU ld, lld). From the environment: FAULT_AT, the allocation from 1 that fails
 * (FAULT_ONCE: the later ones do not); FAULT_BYTES, how many bytes a file may have; FAULT_COUNT, a file for the number of
 * allocations. */
#define _XOPEN_SOURCE 700
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t unit);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t unit);
void *__wrap_realloc(void *p, size_t n);

static unsigned long faults_calls, faults_at;
static int faults_once, faults_began;

static void faults_count(void)
{
    const char *path = getenv("FAULT_COUNT");
    FILE *f = path ? fopen(path, "w") : NULL;
    if (f) { fprintf(f, "%lu\n", faults_calls); fclose(f); }
}

static int faults_now(void)
{
    if (!faults_began) {
        const char *at = getenv("FAULT_AT"), *bytes = getenv("FAULT_BYTES");
        struct rlimit most;
        faults_began = 1;
        faults_at = at ? strtoul(at, NULL, 10) : 0;
        faults_once = getenv("FAULT_ONCE") != NULL;
        if (bytes) {
            most.rlim_cur = most.rlim_max = (rlim_t)strtoul(bytes, NULL, 10);
            signal(SIGXFSZ, SIG_IGN);
            if (setrlimit(RLIMIT_FSIZE, &most)) exit(99);
        }
        atexit(faults_count);
    }
    faults_calls++;
    return faults_at && (faults_once ? faults_calls == faults_at : faults_calls >= faults_at);
}

void *__wrap_malloc(size_t n) { return faults_now() ? NULL : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t unit) { return faults_now() ? NULL : __real_calloc(n, unit); }
void *__wrap_realloc(void *p, size_t n) { return faults_now() ? NULL : __real_realloc(p, n); }
