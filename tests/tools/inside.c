/* inside.c - many commands of the tool in one process; for tests/tools/test_inside.sh
 *
 * The objects of the tool, whose main is called tool_main here. Standard input holds cases, one in a line:
 *
 *     2 fit d.csv --target => --target needs a value      exit status, words, and texts that the output or the messages hold
 *     0 score m d.csv => r2 => !nan                       ... or do not hold, after !
 *     1 fail=pread:2 fit d.csv --stream ... => numbers    call 2 of a function of the C library fails (and later ones: 2+)
 *     1 fail=short:2 ...; fail=grow:3 ...                pread gives nothing; grow.csv has more rows at call 3 of fread
 *     0 tty fail=interrupt:9 fit ...                      Ctrl-C at look 9 at the clock (from then on at every look: 9+)
 *     0 TMPDIR=. fit ...                                  a variable of the environment
 *     0 tty fit ...                                       messages go to a terminal, and each look at the clock finds 0.06 s gone
 *     0 <d.csv predict m - => mean                        standard input
 *     file t.csv x,y\n1,2\n                              makes a file; in its text \n, \r, \t, \\ and \x41 are bytes
 *     forge m n cols=x 8 \x00                             file n is m, with this byte 8 behind the last "cols=x", and with
 *                                                         right checksums
 *     splice m n SCAL o                                   file o is m with the section SCAL of n in place of its own; n -: without
 *                                                         it; SCAL,cols: with another one of n
 *     append m n \x00                                   file n is statistics m with these bytes before a right checksum
 *     join m x 8 n bias -4 o                            statistics o: m to 8 bytes behind its last "x", then n from 4 bytes before
 *                                                         the end of its last "bias" on
 *     posterior m o                                     file o holds the posterior of the linear model m, and no model
 *     cuts m info bad                                     file bad is m, shorter by one byte more each time, with right
 *                                                         checksums, and the command refuses it
 *     faults fit d.csv ...                                allocations of the library fail, one in each run, the first 24 and some
 *                                                         more: the command says so, or ends well
 *
 * Words with blanks in them stand in quotes ' ' and \t in a word is a tab; the word @long is a path that exists for
 * the system, and is too long for the library, and @90a.csv is a.csv behind 90 bytes of "./". A line that ends with \ goes on in
 * the next one. An empty line, or one that begins with #, is none. Ends with `N passed, N failed`.
 * Linked with --wrap (GNU ld, lld): malloc is the library's alone, as the tool itself calls calloc and realloc. */
#define _XOPEN_SOURCE 700
#include "../../bayeslin.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int tool_main(int argc, char **argv);

enum { WORDS = 120, LINE = 8000, OUTPUT = 1 << 20 };

static FILE *report;                              /* the standard output of the test                          */
static int capture, running, terminal;            /* the file that a command's output goes to                 */
static unsigned long passed, failed, calls, fail_at;
static int fail_on;                               /* do later calls fail too?                                 */
static char fail_name[40];
static double now;
static FILE *broken;                              /* on which fread has failed */
static char output[OUTPUT];

/* Does this call of a function of the C library fail? */
static int fails(const char *name)
{
    if (!running || strcmp(name, fail_name)) return 0;
    calls++;
    if (!(fail_on ? calls >= fail_at : calls == fail_at)) return 0;
    errno = EIO;
    return 1;
}

#define WRAP(type, name, parameters, arguments, failure) \
    type __real_##name parameters; \
    type __wrap_##name parameters; \
    type __wrap_##name parameters { return fails(#name) ? (failure) : __real_##name arguments; }
WRAP(void *, malloc, (size_t n), (n), NULL)
WRAP(FILE *, tmpfile, (void), (), NULL)
WRAP(int, fseek, (FILE *f, long to, int from), (f, to, from), -1)
WRAP(int, fflush, (FILE *f), (f), EOF)
WRAP(int, access, (const char *path, int how), (path, how), -1)
WRAP(int, mkstemp, (char *path), (path), -1)
WRAP(size_t, fwrite, (const void *p, size_t unit, size_t n, FILE *f), (p, unit, n, f), 0)

/* A call that is interrupted is made again. */
ssize_t __real_pread(int file, void *to, size_t n, off_t at);
ssize_t __wrap_pread(int file, void *to, size_t n, off_t at);
ssize_t __wrap_pread(int file, void *to, size_t n, off_t at)
{
    if (fails("short")) return 0;
    if (!fails("pread")) return __real_pread(file, to, n, at);
    errno = fail_on ? EIO : EINTR;
    return -1;
}

/* What these are called where the size of files has 64 bits. */
FILE *__wrap_tmpfile64(void);
int __wrap_mkstemp64(char *path);
ssize_t __wrap_pread64(int file, void *to, size_t n, long long at);
FILE *__wrap_tmpfile64(void) { return __wrap_tmpfile(); }
int __wrap_mkstemp64(char *path) { return __wrap_mkstemp(path); }
ssize_t __wrap_pread64(int file, void *to, size_t n, long long at) { return __wrap_pread(file, to, n, (off_t)at); }

/* EINTR: once, and the caller goes on. */
ssize_t __real_write(int file, const void *p, size_t n);
ssize_t __wrap_write(int file, const void *p, size_t n);
ssize_t __wrap_write(int file, const void *p, size_t n)
{
    if (!fails("write")) return __real_write(file, p, n);
    errno = fail_on ? ENOSPC : EINTR;
    return -1;
}

static void write_file(const char *path, const void *bytes, size_t n);
size_t __real_fread(void *to, size_t unit, size_t n, FILE *f);
size_t __wrap_fread(void *to, size_t unit, size_t n, FILE *f);
size_t __wrap_fread(void *to, size_t unit, size_t n, FILE *f)
{
    if (fails("grow")) write_file("grow.csv", "x,y\n1,2\n2,3\n3,5\n4,4\n5,9\n6,1\n", 28);
    if (!fails("fread")) return __real_fread(to, unit, n, f);
    broken = f;
    return 0;
}

int __real_ferror(FILE *f);
int __wrap_ferror(FILE *f);
int __wrap_ferror(FILE *f) { return running && f == broken ? (errno = EIO) : __real_ferror(f); }

int __real_isatty(int file);
int __wrap_isatty(int file);
int __wrap_isatty(int file) { return running ? terminal : __real_isatty(file); }

int __real_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
    if (fails("interrupt")) raise(SIGINT);
    if (fails("clock_gettime")) return -1;
    if (!running || !terminal) return __real_clock_gettime(clock, t);
    now += 0.06;
    t->tv_sec = (time_t)now;
    t->tv_nsec = (long)(1e9*(now - (double)t->tv_sec));
    return 0;
}

/* Splits the line in place. */
static int split(char *p, char **word, int most)
{
    int n = 0;
    for (;;) {
        while (*p == ' ') *p++ = '\0';
        if (!*p || n == most) return n;
        char *to = p;
        int quoted = 0;
        word[n++] = p;
        for (; *p && (quoted || *p != ' '); p++) {
            if (*p == '\'') quoted = !quoted;
            else if (*p == '\\' && p[1] == 't') { *to++ = '\t'; p++; }
            else *to++ = *p;
        }
        if (*p) p++;
        *to = '\0';
    }
}

/* Runs the command; what it writes is in `output`. */
static int run(int n, char **word, const char *input)
{
    char *argv[WORDS + 2];
    static char name[] = "bayeslin", too_long[4090], longer[8][400];
    int count = 0, n_longer = 0;
    argv[count++] = name;
    for (size_t i = 0; i + 1 < sizeof too_long; i++) too_long[i] = "./"[i % 2];
    too_long[sizeof too_long - 2] = 'a';
    for (int i = 0; i < n; i++) {
        char *end = word[i], *to = longer[n_longer];
        const size_t dots = word[i][0] == '@' ? strtoul(word[i] + 1, &end, 10) : 0;
        if (end > word[i] + 1 && dots + strlen(end) < sizeof longer[0] && n_longer < 8) {
            for (size_t k = 0; k < dots; k++) to[k] = "./"[k % 2];
            strcpy(to + dots, end);
            argv[count++] = to;
            n_longer++;
        } else argv[count++] = strcmp(word[i], "@long") ? word[i] : too_long;
    }
    argv[count] = NULL;
    if (!freopen(input ? input : "/dev/null", "r", stdin) || ftruncate(capture, 0)) exit(2);
    clearerr(stdout);
    broken = NULL;
    calls = 0;
    running = 1;
    const int status = tool_main(count, argv);
    running = 0;
    fflush(stdout);
    fflush(stderr);
    const ssize_t got = pread(capture, output, OUTPUT - 1, 0);
    output[got > 0 ? got : 0] = '\0';
    return status;
}

static void wrong(const char *line, const char *what, int status)
{
    failed++;
    fprintf(report, "FAIL %s: %s, exit status %d\n    %.2000s\n", line, what, status, output);
}

/* Allocations of the library fail, one in each run, up to the last. */
static void faults(const char *line, int n, char **word, const char *input)
{
    strcpy(fail_name, "malloc");
    fail_on = 0;
    for (fail_at = 1;; fail_at += fail_at < 24 ? 1 : fail_at/4) {
        const int status = run(n, word, input);
        const int met = calls >= fail_at;
        if (status == 1 && !*output) wrong(line, "fails without a word", status);
        else if (met ? status != 0 && status != 1 && status != 3 : status != 0 && status != 3) wrong(line, "another end", status);
        else passed++;
        if (!met) break;
    }
    fail_name[0] = '\0';
}

/* ---- files ---- */

/* Bytes in place of their escapes; returns how many. */
static size_t unescape(char *text)
{
    size_t n = 0;
    for (const char *p = text; *p; p++) {
        if (*p != '\\') { text[n++] = *p; continue; }
        p++;
        if (*p == 'x') {
            const char hex[3] = { p[1], p[2], '\0' };
            text[n++] = (char)strtol(hex, NULL, 16);
            p += 2;
        } else text[n++] = *p == 'n' ? '\n' : *p == 'r' ? '\r' : *p == 't' ? '\t' : *p;
    }
    return n;
}

static void write_file(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f)) exit(2);
}

static size_t read_file(const char *path, unsigned char *to, size_t room)
{
    FILE *f = fopen(path, "rb");
    if (!f) exit(2);
    const size_t n = fread(to, 1, room, f);
    fclose(f);
    return n;
}

/* "NAME TEXT" */
static void make_file(char *line)
{
    char *text = strchr(line, ' ');
    *text++ = '\0';
    const size_t n = unescape(text);
    write_file(line, text, n);
}

enum { SIZE = 1 << 16 };
static unsigned char file_a[2*SIZE], file_b[SIZE];

/* Writes the checksum of p[0..n-1] behind them: FNV-1a, little-endian, as models and statistics have it. */
static void put_checksum(unsigned char *p, size_t n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++) h = (h ^ p[i])*UINT64_C(0x00000100000001b3);
    for (size_t i = 0; i < 8; i++) p[n + i] = (unsigned char)(h >> 8*i);
}

/* The bytes of the section at p: tag, version, length of the content, content and checksum. */
static size_t section_size(const unsigned char *p)
{
    size_t n = 0;
    for (size_t i = 8; i-- > 0;) n = n << 8 | p[8 + i];
    return 16 + n + 8;
}

/* Where `by` bytes behind the last `anchor` in p[0..n-1] are. */
static size_t behind(const unsigned char *p, size_t n, char *anchor, const char *by)
{
    char *end;
    const size_t length = unescape(anchor);
    size_t at = n - length + 1;
    while (at-- > 0 && memcmp(p + at, anchor, length)) { }
    at += length + (size_t)strtol(by, &end, 10);
    if (*end || at > n) exit(2);
    return at;
}

static void forge(char *line)
{
    char *word[5];
    if (split(line, word, 5) != 5) exit(2);
    const size_t n = read_file(word[0], file_a, SIZE), at = behind(file_a, n, word[2], word[3]), bytes = unescape(word[4]);
    if (at + bytes > n) exit(2);
    memcpy(file_a + at, word[4], bytes);
    if (file_a[3] == 'S') put_checksum(file_a, n - 8);
    else for (size_t p = 16; p < n; p += section_size(file_a + p)) put_checksum(file_a + p, section_size(file_a + p) - 8);
    write_file(word[1], file_a, n);
}

static void append(char *line)
{
    char *word[3];
    if (split(line, word, 3) != 3) exit(2);
    const size_t n = read_file(word[0], file_a, SIZE) - 8, more = unescape(word[2]);
    memcpy(file_a + n, word[2], more);
    put_checksum(file_a, n + more);
    write_file(word[1], file_a, n + more + 8);
}

static void join(char *line)
{
    char *word[7];
    if (split(line, word, 7) != 7) exit(2);
    const size_t n = read_file(word[0], file_a, SIZE), m = read_file(word[3], file_b, SIZE);
    const size_t to = behind(file_a, n, word[1], word[2]), from = behind(file_b, m - 8, word[4], word[5]);
    memcpy(file_a + to, file_b + from, m - 8 - from);
    put_checksum(file_a, to + m - 8 - from);
    write_file(word[6], file_a, to + m - from);
}

static void splice(char *line)
{
    char *word[4];
    if (split(line, word, 4) != 4) exit(2);
    const char *other = word[2][4] == ',' ? word[2] + 5 : word[2];
    size_t n = read_file(word[0], file_a, SIZE), p = 16, q = 16, size = 0;
    while (memcmp(file_a + p, word[2], 4)) p += section_size(file_a + p);
    if (strcmp(word[1], "-")) {
        read_file(word[1], file_b, SIZE);
        while (memcmp(file_b + q, other, 4)) q += section_size(file_b + q);
        size = section_size(file_b + q);
    } else file_a[12]--;                                              /* the number of sections */
    const size_t old = section_size(file_a + p);
    memmove(file_a + p + size, file_a + p + old, n - p - old);
    memcpy(file_a + p, file_b + q, size);
    write_file(word[3], file_a, n - old + size);
}

static void posterior(char *line)
{
    char *word[2];
    bln_modelfile from, to;
    const bln_load all = bln_builtin();
    memset(&from, 0, sizeof from);
    memset(&to, 0, sizeof to);
    if (split(line, word, 2) != 2 || bln_modelfile_load(word[0], &all, &from, NULL) != BLN_OK) exit(2);
    to.posterior = (bln_posterior *)(uintptr_t)bln_slm_posterior(from.slm);
    if (bln_modelfile_save(word[1], &all, &to, NULL) != BLN_OK) exit(2);
    bln_modelfile_free(&from);
}

/* ---- cases ---- */

/* The last section of a model, or statistics, ends early, at each byte. */
static void cuts(const char *line)
{
    char copy[200], *word[WORDS];
    strcpy(copy, line);
    const int count = split(copy, word, WORDS);
    const size_t n = read_file(word[0], file_a, SIZE);
    const int stats = file_a[3] == 'S';
    size_t last = 0, p = 16;
    for (; !stats && p < n; p += section_size(file_a + p)) last = p;
    memcpy(file_b, file_a, n);
    for (size_t size = n - 9; size >= last + 16; size--) {
        const size_t content = size - last - 16;                      /* and then the checksum */
        for (size_t i = 0; i < 8 && !stats; i++) file_b[last + 8 + i] = (unsigned char)(content >> 8*i);
        put_checksum(file_b + last, size - last);
        write_file("bad", file_b, size + 8);
        memcpy(file_b, file_a, n);
        const int status = run(count - 1, word + 1, NULL);
        if (status == 1 && *output) passed++;
        else wrong(line, "is not refused", status);
    }
}

static void one_case(char *line)
{
    static char whole[LINE];
    char *word[WORDS], *text = strstr(line, " => ");
    const char *input = NULL;
    int at = 0;
    strcpy(whole, line);
    if (text) *text = '\0';
    const int n = split(line, word, WORDS);
    const char *want = word[at++];
    terminal = 0;
    fail_name[0] = '\0';
    unsetenv("TMPDIR");
    for (; at < n; at++) {
        if (!strncmp(word[at], "fail=", 5)) {
            const char *colon = strchr(word[at], ':');
            if (!colon || (size_t)(colon - word[at]) - 5 >= sizeof fail_name) exit(2);
            memcpy(fail_name, word[at] + 5, (size_t)(colon - word[at]) - 5);
            fail_name[colon - word[at] - 5] = '\0';
            fail_at = strtoul(colon + 1, NULL, 10);
            fail_on = strchr(colon, '+') != NULL;
        } else if (!strcmp(word[at], "tty")) terminal = 1;
        else if (word[at][0] == '<') input = word[at] + 1;
        else if (!strncmp(word[at], "TMPDIR=", 7)) setenv("TMPDIR", word[at] + 7, 1);
        else break;
    }
    if (!strcmp(want, "faults")) { faults(whole, n - at, word + at, input); return; }
    const int status = run(n - at, word + at, input);
    if (status != atoi(want)) wrong(whole, "ends otherwise", status);
    else passed++;
    while (text) {
        char *next = strstr(text + 4, " => ");
        if (next) *next = '\0';
        const int absent = text[4] == '!';
        if ((strstr(output, text + 4 + absent) != NULL) == absent) wrong(whole, text + 4, status);
        else passed++;
        text = next;
    }
}

int main(void)
{
    static char line[LINE];
    char path[] = "inside.123456";
    FILE *cases = fdopen(dup(STDIN_FILENO), "r");
    report = fdopen(dup(STDOUT_FILENO), "w");
    memset(strchr(path, '1'), 'X', 6);                                /* for mkstemp's own letters */
    const int file = mkstemp(path);
    if (!cases || !report || file < 0) return 2;
    signal(SIGINT, SIG_DFL);                                          /* which a background job is started with ignored */
    close(file);
    capture = open(path, O_RDWR | O_APPEND);
    if (capture < 0 || unlink(path) || dup2(capture, STDOUT_FILENO) < 0 || dup2(capture, STDERR_FILENO) < 0) return 2;
    while (fgets(line, sizeof line, cases)) {
        size_t n = strcspn(line, "\n");
        line[n] = '\0';
        while (n && line[n - 1] == '\\') {
            while (n && (line[n - 1] == '\\' || line[n - 1] == ' ')) n--;
            line[n++] = ' ';
            if (!fgets(line + n, (int)(sizeof line - n), cases)) return 2;
            memmove(line + n, line + n + strspn(line + n, " "), strlen(line + n + strspn(line + n, " ")) + 1);
            n = strcspn(line, "\n");
            line[n] = '\0';
        }
        if (!strncmp(line, "file ", 5)) make_file(line + 5);
        else if (!strncmp(line, "forge ", 6)) forge(line + 6);
        else if (!strncmp(line, "splice ", 7)) splice(line + 7);
        else if (!strncmp(line, "append ", 7)) append(line + 7);
        else if (!strncmp(line, "join ", 5)) join(line + 5);
        else if (!strncmp(line, "posterior ", 10)) posterior(line + 10);
        else if (!strncmp(line, "cuts ", 5)) cuts(line + 5);
        else if (*line && *line != '#') one_case(line);
    }
    fprintf(report, "%lu passed, %lu failed\n", passed, failed);
    fclose(report);
    return failed != 0;
}
