/* bayeslin: Bayesian regression from the command line
 *
 *     cc -std=c99 -O2 -I. tools/bayeslin.c tools/cli/[a-z]*.c -lm -o bayeslin
 *
 * This file picks the verb; tools/cli/ has what the verbs do, each in a file of its own, and tools/cli/library.c the library. */
#include "cli/help.h"
#include "cli/verbs.h"
#include "bayeslin.h"
#include <stdio.h>
#include <string.h>

static int run_verb(const options *o, cli_why *why)
{
    switch (o->verb) {
    case VERB_FIT:     return verb_fit(o, why);
    case VERB_PREDICT: return verb_predict(o, why);
    case VERB_SCORE:   return verb_score(o, why);
    case VERB_CV:      return verb_cv(o, why);
    case VERB_PLOT:    return verb_plot(o, why);
    case VERB_INFO:    return verb_info(o, why);
    case VERB_STATS:   return verb_stats(o, why);
    case VERB_MERGE:   return verb_merge(o, why);
    case VERB_COUNT:   break;
    }
    return CLI_USAGE;
}

/* What was asked for on standard output must have arrived there. */
static int finish(cli_why *why)
{
    if (!ferror(stdout) && !fflush(stdout)) return CLI_GOOD;
    return cli_fail(why, "standard output could not be written to its end");
}

static int is_help(const char *word) { return !strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help"); }

/* The words that are no verb. */
static int run_other(int argc, char **argv, cli_why *why)
{
    cli_shown shown;
    if (is_help(argv[1])) {
        const cli_verb about = argc > 2 ? options_verb(argv[2]) : VERB_COUNT;
        if (about != VERB_COUNT) help_verb(about, stdout);
        else if (argc < 3) help_program(stdout);
        else if (!help_topic(argv[2], stdout))
            return cli_misuse(why, "no help on \"%s\"; there are the verbs, and basis, columns, outputs, glm, prior, few, "
                                   "intervals, learning, large and figures", cli_show(&shown, argv[2]));
        return finish(why);
    }
    if (!strcmp(argv[1], "--version")) {
        puts("bayeslin " BLN_VERSION);
        return finish(why);
    }
    return cli_misuse(why, "no verb \"%s\"; there are fit, predict, score, cv, plot, info, stats and merge (bayeslin --help)",
                      cli_show(&shown, argv[1]));
}

int main(int argc, char **argv)
{
    options o;
    cli_why why = { "" };
    if (argc < 2) {
        help_program(stderr);
        return CLI_USAGE;
    }
    const cli_verb verb = options_verb(argv[1]);
    if (verb == VERB_COUNT) {
        const int other = run_other(argc, argv, &why);
        if (other) fprintf(stderr, "bayeslin: %s\n", why.text);
        return other;
    }
    int status = options_read(verb, argc - 2, argv + 2, &o, &why);
    if (!status && o.help) help_verb(verb, stdout);
    else if (!status) status = run_verb(&o, &why);
    if (!status) status = finish(&why);
    if (status) fprintf(stderr, "bayeslin %s: %s\n", options_verb_name(verb), why.text);
    if (status == CLI_USAGE && argc == 2) help_usage(verb, stderr);
    else if (status == CLI_USAGE) fprintf(stderr, "try bayeslin %s --help\n", options_verb_name(verb));
    options_free(&o);
    return status;
}
