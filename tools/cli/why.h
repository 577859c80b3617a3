#ifndef BAYESLIN_CLI_WHY_H
#define BAYESLIN_CLI_WHY_H
#include <stddef.h>
#include <stdio.h>
/* why - how the tool's functions tell what went wrong: they return an exit status and leave the reason in words */

/* DOUBT: all was done, and what came out is not to be relied on. */
enum { CLI_GOOD = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_DOUBT = 3 };

/* place: lines that point at something, below the text. */
typedef struct cli_why { char text[1000], place[1000]; } cli_why;

#if defined(__GNUC__) || defined(__clang__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

/* Write the reason; return CLI_FAILED (data, files, numbers) and CLI_USAGE (the command line). */
int cli_fail(cli_why *why, const char *format, ...) CLI_PRINTF(2, 3);
int cli_misuse(cli_why *why, const char *format, ...) CLI_PRINTF(2, 3);

/* A line on standard error that is no failure; and note i of those so far, the first 100 of them, or NULL. */
void cli_note(const char *format, ...) CLI_PRINTF(1, 2);
const char *cli_noted(size_t i);

/* Texts that come from a file may hold what a terminal obeys: cli_clean turns control characters into '?', in place, and returns
 * the text; cli_print writes it so; messages are cleaned as a whole. */
char *cli_clean(char *text);
void cli_print(FILE *file, const char *text);

/* What was read, made fit for one line of a message: cut to some 40 bytes, and clean. Returns out. */
typedef struct cli_shown { char text[56]; } cli_shown;
const char *cli_show(cli_shown *out, const char *text);

/* Bytes of the first so many characters of a text in UTF-8; those that it has not count as one each. As width or precision of
 * printf, which counts bytes, it lines up names of any letters. */
int cli_bytes(const char *text, int characters);

/* "1 row", "2 rows". Returns out->text. */
typedef struct cli_counted { char text[72]; } cli_counted;
const char *cli_count(cli_counted *out, size_t n, const char *thing);

/* "the only row", "all 2 rows". */
const char *cli_all(cli_counted *out, size_t n, const char *thing);

/* Memory that must be there: says so and exits with CLI_FAILED if it is not, or if count*unit overflows. Never NULL; zeroed. */
void *cli_memory(size_t count, size_t unit);
void *cli_grow(void *pointer, size_t count, size_t unit);
char *cli_copy(const char *text);

#endif /* BAYESLIN_CLI_WHY_H */
