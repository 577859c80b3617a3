#ifndef BAYESLIN_CLI_ANSWER_H
#define BAYESLIN_CLI_ANSWER_H
#include "json.h"
#include "why.h"
/* answer - where the output of a verb goes: lines of text for people, or, with --json, one JSON value for programs
 *
 * A verb writes each figure to both; only one of them exists. */
typedef struct cli_answer {
    FILE *text;                    /* standard output, or standard error if -o - takes that; NULL: no text          */
    cli_json *json;                /* NULL: no JSON                                                                */
} cli_answer;

/* say: printf to the text. say_name: a name from a file, without control characters. */
void say(const cli_answer *to, const char *format, ...) CLI_PRINTF(2, 3);
void say_name(const cli_answer *to, const char *name);

/* Begin and end of an answer in JSON: format version, verb and notes; after a failure its reason replaces all that was written.
 * _end writes the value to standard output. status: the exit status that will follow; the format is in docs/json.md. */
enum { ANSWER_FORMAT = 1 };
void answer_begin(cli_answer *to, const char *verb);
void answer_end(cli_answer *to, const char *verb, int status, const cli_why *why);

#endif /* BAYESLIN_CLI_ANSWER_H */
