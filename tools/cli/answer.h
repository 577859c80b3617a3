#ifndef BAYESLIN_CLI_ANSWER_H
#define BAYESLIN_CLI_ANSWER_H
#include "json.h"
#include "why.h"
/* answer - where what a verb has to say goes: lines for people, or, with --json, one value for programs
 *
 * A verb says each figure to both, one beside the other, and only one of them is there. */
typedef struct cli_answer {
    FILE *text;                    /* standard output, or standard error where -o - takes it; NULL: none is wanted */
    cli_json *json;                /* NULL: likewise                                                               */
} cli_answer;

/* printf to the text; the same, of a name that may hold what a terminal obeys. */
void say(const cli_answer *to, const char *format, ...) CLI_PRINTF(2, 3);
void say_name(const cli_answer *to, const char *name);

/* What every answer in JSON begins and ends with: version, verb, and notes; or, in place of all that was said, the reason of a
 * failure. Writes it to standard output. status: the exit status that is to come; format: docs/json.md. */
enum { ANSWER_FORMAT = 1 };
void answer_begin(cli_answer *to, const char *verb);
void answer_end(cli_answer *to, const char *verb, int status, const cli_why *why);

#endif /* BAYESLIN_CLI_ANSWER_H */
