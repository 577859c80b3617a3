/* test.h - the project's own small test runner
 *
 *     TEST(blas, adds_up) { CHECK_NEAR(1.0 + 1.0, 2.0, 0.0); }
 *     SUITE_BEGIN(blas) SUITE_TEST(blas, adds_up) ... SUITE_END(blas)   at the end of tests/math/test_blas.c
 *
 * Each test file includes this one first and can be built alone:   make test ROOM=math/blas
 * or with all the others into one program (tests/main.c):          make test
 * The program takes  --filter TEXT  (tests whose suite.name contains it), --without suite.name,name,... (not these),
 * --seed N, --list, --verbose.
 * In the one program all files share one name space: a test file prefixes its helpers with the room's name.
 * A failed check prints its place and figures, marks the test as failed and goes on; with -DTEST_STOP it ends the program. */
#ifndef BLN_TESTS_TEST_H
#define BLN_TESTS_TEST_H

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The malloc and free of the library, where the caller gives no allocator. For tests/use/test_faults.c allocation number `at`
 * fails, and, unless `once`, all later ones. */
typedef struct test_memory { size_t calls, live, at, failed; int once; } test_memory;
static test_memory test_fault = { 0, 0, (size_t)-1, 0, 0 };
static void *test_malloc(size_t bytes)
{
    const size_t call = test_fault.calls++;
    if (test_fault.once ? call == test_fault.at : call >= test_fault.at) { test_fault.failed++; return NULL; }
    void *p = malloc(bytes);
    if (p) test_fault.live++;
    return p;
}
static void test_free(void *p) { test_fault.live--; free(p); }
#define BAYESLIN_MALLOC(bytes) test_malloc(bytes)
#define BAYESLIN_FREE(pointer) test_free(pointer)

#ifndef BAYESLIN_STATIC
#define BAYESLIN_STATIC
#endif
#define BAYESLIN_IMPLEMENTATION
#define BLNI_PROOFS                                     /* what is proven impossible ends the program */
#include "bayeslin.h"

typedef struct test_case { const char *name; void (*run)(void); } test_case;
typedef struct test_suite { const char *name; const test_case *cases; size_t n; } test_suite;

#if defined(__GNUC__) || defined(__clang__)
#define TEST_UNUSED __attribute__((unused))
#else
#define TEST_UNUSED
#endif

/* n in `make test-all` (-DTEST_LONG), few otherwise: repetitions of a long statistical test, or the step through a long table of
 * cases. All repetitions run the same code: only a slightly wrong distribution needs many to be found. */
#ifdef TEST_LONG
#define TEST_MANY(n, few) (n)
#else
#define TEST_MANY(n, few) (few)
#endif

enum { TEST_TOP_LEVEL = 2 };                            /* the highest level of >>cpu on any machine  */

/* By how much, of its terms, a number may differ from one whose every operation is rounded to a double. */
#ifdef BLNI_WIDE_DOUBLES
#define TEST_WIDER (4.0*DBL_EPSILON)
#else
#define TEST_WIDER 0.0
#endif

static size_t test_checks TEST_UNUSED, test_failures TEST_UNUSED;
static uint64_t test_seed TEST_UNUSED = 20240229;      /* of random inputs; --seed changes it */

/* Is a product fused with a sum although the function forbids it? clang with -ffp-contract=fast does this. The function stands
 * here, where the compiler still has the options of the library. */
BLNI_EXACT static TEST_UNUSED int test_is_fused(void)
{
    BLNI_EXACT_BODY
    volatile double a = 1.0 + 1.0/1073741824.0, b = 1.0 - 1.0/1073741824.0, c = -1.0;
    const double sum = a*b + c;                  /* 1 - 2^-60 rounds to 1 */
    return sum != 0.0;
}

#define TEST(suite, name) static void test_##suite##_##name(void)

/* The suite of a room lists its tests; a test that is not listed is an unused function, which -Wall reports. */
#define SUITE_BEGIN(room) static const test_case suite_##room##_cases[] = {
#define SUITE_TEST(suite, name) { #name, test_##suite##_##name },
#define SUITE_END(room) }; \
    static const test_suite suite_##room TEST_UNUSED = \
        { #room, suite_##room##_cases, sizeof suite_##room##_cases / sizeof *suite_##room##_cases }; \
    SUITE_MAIN(room)

static void test_fail(const char *file, int line, const char *what)
{
    test_failures++;
    printf("    %s:%d: %s\n", file, line, what);
#ifdef TEST_STOP
    exit(1);
#endif
}

#define CHECK(condition) (test_checks++, (condition) ? (void)0 : test_fail(__FILE__, __LINE__, #condition))

/* a <= b; false for NaN. */
static TEST_UNUSED void test_le(double a, double b, const char *file, int line, const char *text)
{
    test_checks++;
    if (!(a <= b)) { char s[400]; snprintf(s, sizeof s, "%s: %.17g > %.17g", text, a, b); test_fail(file, line, s); }
}
#define CHECK_LE(a, b) test_le((a), (b), __FILE__, __LINE__, #a " <= " #b)

/* |got - want| <= tolerance, absolute; equal infinities and two NaNs agree. */
static TEST_UNUSED void test_near(double got, double want, double tolerance, const char *file, int line, const char *text)
{
    test_checks++;
    if (got == want || (got != got && want != want) || fabs(got - want) <= tolerance) return;
    char s[400];
    snprintf(s, sizeof s, "%s: got %.17g, want %.17g, off by %.3g > %.3g", text, got, want, fabs(got - want), tolerance);
    test_fail(file, line, s);
}
#define CHECK_NEAR(got, want, tolerance) test_near((got), (want), (tolerance), __FILE__, __LINE__, #got)

/* REL: |got - want| <= tolerance |want|.   GOLD: |got - want| <= tolerance max(1, |want|), the measure of the golden files. */
#define CHECK_REL(got, want, tolerance) test_near((got), (want), (tolerance)*fabs(want), __FILE__, __LINE__, #got)
#define CHECK_GOLD(got, want, tolerance) \
    test_near((got), (want), (tolerance)*(fabs(want) > 1.0 ? fabs(want) : 1.0), __FILE__, __LINE__, #got)

static TEST_UNUSED void test_size(size_t got, size_t want, const char *file, int line, const char *text)
{
    test_checks++;
    char s[400];
    if (got == want) return;
    snprintf(s, sizeof s, "%s: got %lu, want %lu", text, (unsigned long)got, (unsigned long)want);
    test_fail(file, line, s);
}
#define CHECK_SIZE(got, want) test_size((got), (want), __FILE__, __LINE__, #got)

static TEST_UNUSED void test_status(bln_status got, bln_status want, const char *file, int line, const char *text)
{
    test_checks++;
    char s[400];
    if (got == want) return;
    snprintf(s, sizeof s, "%s: got %s, want %s", text, bln_status_name(got), bln_status_name(want));
    test_fail(file, line, s);
}
#define CHECK_STATUS(got, want) test_status((got), (want), __FILE__, __LINE__, #got)
#define CHECK_OK(got) CHECK_STATUS(got, BLN_OK)

static TEST_UNUSED void test_text(const char *got, const char *part, const char *file, int line)
{
    test_checks++;
    char s[600];
    if (got && strstr(got, part)) return;
    snprintf(s, sizeof s, "\"%.400s\" does not contain \"%.150s\"", got ? got : "(NULL)", part);
    test_fail(file, line, s);
}
#define CHECK_TEXT(got, part) test_text((got), (part), __FILE__, __LINE__)

/* Heap memory for the tests' own data; the program ends if there is none. */
static TEST_UNUSED double *test_doubles(size_t n)
{
    double *p = n < (size_t)-1/16 ? (double *)malloc((n ? n : 1)*sizeof *p) : NULL;
    if (!p) { fprintf(stderr, "tests: out of memory\n"); exit(2); }
    return p;
}

/* Random test inputs, independent of the library's own generator: SplitMix64, standard normals as a sum of 12 uniforms (enough
 * here), seeded by --seed. */
typedef struct test_random { uint64_t state; } test_random;
static TEST_UNUSED test_random test_random_new(uint64_t salt)
{
    test_random r;
    r.state = test_seed*0x9E3779B97F4A7C15u + salt;
    return r;
}
static TEST_UNUSED double test_uniform(test_random *r)
{
    uint64_t z = (r->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30))*0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27))*0x94D049BB133111EBu;
    z ^= z >> 31;
    return ((double)(z >> 11) + 0.5)/9007199254740992.0;
}
static TEST_UNUSED double test_normal(test_random *r)
{
    double s = -6.0;
    for (int i = 0; i < 12; i++) s += test_uniform(r);
    return s;
}
static TEST_UNUSED void test_fill_normal(test_random *r, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) x[i] = test_normal(r);
}

/* An allocator that counts, and can be told to fail: allocations number fail_at (0-based) and later return NULL. */
typedef struct test_heap { size_t live, live_bytes, peak_bytes, calls, fail_at; } test_heap;
static TEST_UNUSED void *test_heap_alloc(void *user, size_t bytes)
{
    test_heap *h = (test_heap *)user;
    if (h->calls++ >= h->fail_at) return NULL;
    void *p = malloc(bytes);
    if (p) memset(p, h->calls % 2 ? 0xff : 0x40, bytes);       /* NaN, or 32.5: reading before writing gives wrong results */
    if (p) { h->live++; h->live_bytes += bytes; if (h->live_bytes > h->peak_bytes) h->peak_bytes = h->live_bytes; }
    return p;
}
static TEST_UNUSED void test_heap_release(void *user, void *p, size_t bytes)
{
    test_heap *h = (test_heap *)user;
    h->live--;
    h->live_bytes -= bytes;
    free(p);
}
static TEST_UNUSED bln_allocator test_heap_allocator(test_heap *h)      /* resets *h; fail_at = "never" */
{
    bln_allocator a;
    memset(h, 0, sizeof *h);
    h->fail_at = (size_t)-1;
    a.alloc = test_heap_alloc;
    a.release = test_heap_release;
    a.user = h;
    return a;
}

/* A context for loaders: everything that is built in, with malloc. */
static TEST_UNUSED const bln_load *test_all(void)
{
    static bln_load all;
    all = bln_builtin();
    return &all;
}

/* Is `name` an entry of `names`, which commas separate? */
static TEST_UNUSED int test_is_among(const char *names, const char *name)
{
    const size_t n = strlen(name);
    for (const char *s = names; (s = strstr(s, name)) != NULL; s += n)
        if ((s == names || s[-1] == ',') && (s[n] == ',' || !s[n])) return 1;
    return 0;
}

/* The loop over suites; main.c calls it with all of them, a file built alone with its own. A name to be left out that no test has
 * is a failure: tests that were renamed would come back unnoticed. */
static TEST_UNUSED int test_main(int argc, char **argv, const test_suite *const *suites, size_t n)
{
    const char *filter = "", *without = "";
    int list = 0, verbose = 0;
    size_t passed = 0, failed = 0, left_out = 0, to_leave_out = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--filter") && i + 1 < argc) filter = argv[++i];
        else if (!strcmp(argv[i], "--without") && i + 1 < argc) without = argv[++i];
        else if (!strcmp(argv[i], "--seed") && i + 1 < argc) test_seed = (uint64_t)strtoul(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--list")) list = 1;
        else if (!strcmp(argv[i], "--verbose")) verbose = 1;
        else { fprintf(stderr, "usage: %s [--filter TEXT] [--without NAME,NAME] [--seed N] [--list] [--verbose]\n",
                       argv[0]); return 2; }
    }
    for (const char *s = without; *s; s++) to_leave_out += s == without || s[-1] == ',';
    for (size_t s = 0; s < n; s++)
        for (size_t t = 0; t < suites[s]->n; t++) {
            char name[200];
            snprintf(name, sizeof name, "%s.%s", suites[s]->name, suites[s]->cases[t].name);
            if (test_is_among(without, name)) { left_out++; continue; }
            if (!strstr(name, filter)) continue;
            if (list) { puts(name); continue; }
            size_t before = test_failures, checks = test_checks;
            suites[s]->cases[t].run();
            if (test_checks == checks) test_fail(name, 0, "the test checked nothing");
            if (test_failures == before) passed++; else failed++;
            if (verbose || test_failures != before) printf("%s %s\n", test_failures == before ? "ok  " : "FAIL", name);
            fflush(stdout);
        }
    if (left_out != to_leave_out) {
        fprintf(stderr, "%s: --without names %lu tests, and %lu are here\n", argv[0], (unsigned long)to_leave_out,
                (unsigned long)left_out);
        return 2;
    }
    if (list) return 0;
    printf("%lu passed, %lu failed\n", (unsigned long)passed, (unsigned long)failed);
    return failed ? 1 : passed ? 0 : 2;
}

/* A room's file ends with SUITE_END and, for the build of that file alone, a main. */
#ifdef TEST_ALONE
#define SUITE_MAIN(room) \
    int main(int argc, char **argv) { const test_suite *const s[] = { &suite_##room }; return test_main(argc, argv, s, 1); }
#else
#define SUITE_MAIN(room)
#endif

#endif /* BLN_TESTS_TEST_H */
