/* fuzz_cli.h - what the fuzzers of the tool share: a working folder, silenced output, and the words of a case
 *
 * The first lines of a case, up to an empty line, are the words of a command line, one in each; the rest is the content of a file.
 * No word may lead out of the folder or ask for endless work: every / is removed, and so is every digit but the first of a
 * number. */
#ifndef BLN_TESTS_FUZZ_CLI_H
#define BLN_TESTS_FUZZ_CLI_H
#include "fuzz.h"
#include "../../tools/cli/options.h"
#include <fcntl.h>

enum { FUZZ_WORDS = 40, FUZZ_WORD = 200 };
typedef struct fuzz_words { int n; char *word[FUZZ_WORDS + 1]; char text[FUZZ_WORDS*FUZZ_WORD]; } fuzz_words;

/* Returns the number of bytes of the words, including the empty line. */
static FUZZ_UNUSED size_t fuzz_words_read(const unsigned char *bytes, size_t n, fuzz_words *out)
{
    size_t at = 0, used = 0;
    out->n = 0;
    while (at < n) {
        const size_t begin = used;
        for (; at < n && bytes[at] != '\n'; at++) {
            const unsigned char c = bytes[at];
            const int digit = c >= '0' && c <= '9', more = used > begin && out->text[used - 1] >= '0' && out->text[used - 1] <= '9';
            if (c && c != '/' && !(digit && more) && used < begin + FUZZ_WORD - 1) out->text[used++] = (char)c;
        }
        at++;
        if (used == begin) break;
        if (out->n == FUZZ_WORDS) { used = begin; continue; }
        out->text[used] = '\0';
        out->word[out->n++] = out->text + begin;
        used++;
    }
    out->word[out->n] = NULL;
    return at < n ? at : n;
}

/* ---- standard output and standard error are silent from mute to loud */

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define FUZZ_SANITIZED
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define FUZZ_SANITIZED
#endif
#ifdef FUZZ_SANITIZED
void __sanitizer_set_report_fd(void *fd);
#endif

static int fuzz_out = -1, fuzz_err = -1, fuzz_null = -1;
static FUZZ_UNUSED void fuzz_mute(void)
{
    fflush(stdout);
    if (fuzz_out < 0) {
        fuzz_out = dup(1);
        fuzz_to = fuzz_err = dup(2);
        fuzz_null = open("/dev/null", O_RDWR);
        if (fuzz_out < 0 || fuzz_err < 0 || fuzz_null < 0 || dup2(fuzz_null, 0) < 0) exit(2);
#ifdef FUZZ_SANITIZED
        __sanitizer_set_report_fd((void *)(uintptr_t)fuzz_err);
#endif
    }
    if (dup2(fuzz_null, 1) < 0 || dup2(fuzz_null, 2) < 0) exit(2);
}
static FUZZ_UNUSED void fuzz_loud(void)
{
    fflush(stdout);
    clearerr(stdout);
    if (dup2(fuzz_out, 1) < 0 || dup2(fuzz_err, 2) < 0) exit(2);
}

/* ---- a folder that is removed at the end */

static char fuzz_home[64];
static void fuzz_leave(void)
{
    char command[100];
    if (chdir("/")) return;
    snprintf(command, sizeof command, "rm -rf %s", fuzz_home);
    if (system(command)) return;
}
static FUZZ_UNUSED void fuzz_folder(void)
{
    snprintf(fuzz_home, sizeof fuzz_home, "/tmp/bayeslin-fuzz-%s%s%s", "XX", "XX", "XX");           /* for mkdtemp */
    if (!mkdtemp(fuzz_home) || chdir(fuzz_home)) { perror(fuzz_home); exit(2); }
    setenv("TMPDIR", fuzz_home, 1);
    atexit(fuzz_leave);
}

static FUZZ_UNUSED void fuzz_put(const char *path, const void *bytes, size_t n)
{
    if (fuzz_save_to(path, (const unsigned char *)bytes, n)) exit(2);
}

#endif
