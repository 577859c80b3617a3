/* inside.c - many commands of the tool in one process; for tests/tools/test_inside.sh
 *
 * The objects of the tool, whose main is called tool_main here. Standard input holds cases, one in a line:
 *
 *     2 fit d.csv --target => --target needs a value      exit status, words, and texts that the output or the messages hold
 *     0 score m d.csv => r2 => !nan                       ... or do not hold, after !
 *     1 fail=pread:2 fit d.csv --stream ... => numbers    call 2 of a function of the C library fails (and later ones: 2+)
 *     0 tty fit ...                                       messages go to a terminal, and each look at the clock finds 0.06 s gone
 *     0 <d.csv predict m - => mean                        standard input
 *     file t.csv x,y\n1,2\n                              makes a file; in its text \n, \r, \t, \\ and \x41 are bytes
 *     faults fit d.csv ...                                allocations of the library fail, one in each run, the first 24 and some
 *                                                         more: the command says so, or ends well
 *
 * Words with blanks in them stand in quotes ' ' and \t in a word is a tab; the word @long is a path that exists for
 * the system, and is too long for the library. A line that ends with \ goes on in the next one. An empty line, or one that begins
 * with #, is none. Ends with `N passed, N failed`.
 * Linked with --wrap (GNU ld, lld): malloc is the library's alone, as the tool itself calls calloc and realloc. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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
WRAP(ssize_t, pread, (int file, void *to, size_t n, off_t at), (file, to, n, at), -1)
WRAP(size_t, fwrite, (const void *p, size_t unit, size_t n, FILE *f), (p, unit, n, f), 0)

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

size_t __real_fread(void *to, size_t unit, size_t n, FILE *f);
size_t __wrap_fread(void *to, size_t unit, size_t n, FILE *f);
size_t __wrap_fread(void *to, size_t unit, size_t n, FILE *f)
{
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
    if (fails("clock_gettime")) return -1;
    if (!running || !terminal) return __real_clock_gettime(clock, t);
    now += 0.06;
    t->tv_sec = (time_t)now;
    t->tv_nsec = (long)(1e9*(now - (double)t->tv_sec));
    return 0;
}

/* Splits the line in place. */
static int split(char *p, char **word)
{
    int n = 0;
    for (;;) {
        while (*p == ' ') *p++ = '\0';
        if (!*p || n == WORDS) return n;
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
    static char name[] = "bayeslin", too_long[4090];
    int count = 0;
    argv[count++] = name;
    for (size_t i = 0; i + 1 < sizeof too_long; i++) too_long[i] = "./"[i % 2];
    too_long[sizeof too_long - 2] = 'a';
    for (int i = 0; i < n; i++) argv[count++] = strcmp(word[i], "@long") ? word[i] : too_long;
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

/* Writes "NAME TEXT". */
static void make_file(char *line)
{
    char *text = strchr(line, ' ');
    *text++ = '\0';
    FILE *f = fopen(line, "wb");
    if (!f) exit(2);
    for (; *text; text++) {
        if (*text != '\\') { fputc(*text, f); continue; }
        text++;
        if (*text == 'x') {
            const char hex[3] = { text[1], text[2], '\0' };
            fputc((int)strtol(hex, NULL, 16), f);
            text += 2;
        } else fputc(*text == 'n' ? '\n' : *text == 'r' ? '\r' : *text == 't' ? '\t' : *text, f);
    }
    fclose(f);
}

static void one_case(char *line)
{
    static char whole[LINE];
    char *word[WORDS], *text = strstr(line, " => ");
    const char *input = NULL;
    int at = 0;
    strcpy(whole, line);
    if (text) *text = '\0';
    const int n = split(line, word);
    const char *want = word[at++];
    terminal = 0;
    fail_name[0] = '\0';
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
        else if (*line && *line != '#') one_case(line);
    }
    fprintf(report, "%lu passed, %lu failed\n", passed, failed);
    fclose(report);
    return failed != 0;
}
