#ifndef BAYESLIN_CLI_WHY_H
#define BAYESLIN_CLI_WHY_H
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
/* why - how the tool's functions report errors: they return an exit status and write the reason into a cli_why */

/* A condition that a proof excludes, or one that it guarantees, as BLNI_NEVER and BLNI_ALWAYS of the library: the proof stands
 * beside it, and tools/coverage.py counts no branch of it. Where BLNI_PROOFS is defined, a proof that fails ends the program. */
#ifdef BLNI_PROOFS
#define CLI_NEVER(x)  ((x) ? (abort(), 1) : 0)
#define CLI_ALWAYS(x) ((x) ? 1 : (abort(), 0))
#else
#define CLI_NEVER(x)  (x)
#define CLI_ALWAYS(x) (x)
#endif

/* DOUBT: all was done, but the result must not be relied on. */
enum { CLI_GOOD = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_DOUBT = 3 };

/* place: lines below the text that mark a place in the input. */
typedef struct cli_why { char text[1000], place[1000]; } cli_why;

#if defined(__GNUC__) || defined(__clang__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

/* Write the reason and return CLI_FAILED (data, files, numbers) or CLI_USAGE (the command line). */
int cli_fail(cli_why *why, const char *format, ...) CLI_PRINTF(2, 3);
int cli_misuse(cli_why *why, const char *format, ...) CLI_PRINTF(2, 3);

/* cli_note: writes a line on standard error that is not a failure. cli_noted: note i so far, i < 100, or NULL. */
void cli_note(const char *format, ...) CLI_PRINTF(1, 2);
const char *cli_noted(size_t i);

/* Texts from files may contain control characters, which terminals obey. cli_clean turns them into '?', in place, and returns the
 * text; cli_print writes a text cleaned; messages are cleaned as a whole. */
char *cli_clean(char *text);
void cli_print(FILE *file, const char *text);

/* A text from the input, made fit for one line of a message: cut to some 40 bytes, and cleaned. Returns the text in out. */
typedef struct cli_shown { char text[56]; } cli_shown;
const char *cli_show(cli_shown *out, const char *text);

/* The number of bytes in the first `characters` characters of a UTF-8 text; characters that it lacks count as one byte each. printf
 * counts bytes; with this as its width or precision, names in any script line up. */
int cli_bytes(const char *text, int characters);

/* "1 row", "2 rows". Returns out->text. */
typedef struct cli_counted { char text[72]; } cli_counted;
const char *cli_count(cli_counted *out, size_t n, const char *thing);

/* "the only row", "all 2 rows". */
const char *cli_all(cli_counted *out, size_t n, const char *thing);

/* Zeroed memory, never NULL: writes a message and exits with CLI_FAILED if there is none, or if count*unit overflows. */
void *cli_memory(size_t count, size_t unit);
void *cli_grow(void *pointer, size_t count, size_t unit);
char *cli_copy(const char *text);

#endif /* BAYESLIN_CLI_WHY_H */
