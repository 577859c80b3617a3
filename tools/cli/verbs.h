#ifndef BAYESLIN_CLI_VERBS_H
#define BAYESLIN_CLI_VERBS_H
#include "options.h"
/* verbs - the verbs of the tool, each in a file of its own: verb_fit, verb_predict, ... take the options and return an exit status,
 * with the reason if it is not 0; verb_fit_text, ... are the help. String literals stay below 4095 characters, which C99
 * guarantees. */
typedef struct cli_text { const char *usage, *help; } cli_text;

#define X(NAME, name, words, arguments, what) \
    int verb_##name(const options *o, cli_why *why); \
    extern const cli_text verb_##name##_text;
CLI_VERBS(X)
#undef X

#endif /* BAYESLIN_CLI_VERBS_H */
