/* bayeslin: Bayesian regression from the command line
 *
 *     cc -std=c99 -O2 -I. tools/bayeslin.c tools/cli/[a-z]*.c -lm -o bayeslin
 *
 * This file picks the verb; tools/cli/ has the list of verbs (verb_list.h), what they do, each in a file of its own, and the
 * library (library.c). */
#include "cli/help.h"
#include "cli/verbs.h"
#include "cli/library.h"
#include "cli/system.h"
#include <stdio.h>
#include <string.h>

static int (*const run_verb[VERB_COUNT])(const options *o, cli_why *why) = {
#define X(NAME, name, words, arguments, what) verb_##name,
    CLI_VERBS(X)
#undef X
};

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
    char list[200];
    if (is_help(argv[1])) {
        const cli_verb about = argc > 2 ? options_verb(argv[2]) : VERB_COUNT;
        if (about != VERB_COUNT) help_verb(about, stdout);
        else if (argc < 3) help_program(stdout);
        else if (!help_topic(argv[2], stdout)) {
            help_list_topics(list, sizeof list);
            return cli_misuse(why, "no help on \"%s\"; there are the verbs, and %s", cli_show(&shown, argv[2]), list);
        }
        return finish(why);
    }
    if (!strcmp(argv[1], "--version")) {
        puts("bayeslin " BLN_VERSION);
        return finish(why);
    }
    help_list_verbs(list, sizeof list);
    return cli_misuse(why, "no verb \"%s\"; there are %s (bayeslin --help)", cli_show(&shown, argv[1]), list);
}

/* Also where options could not be read: who asks for JSON gets the reason in it. */
static int wants_json(int n, char **words)
{
    for (int i = 0; i < n && strcmp(words[i], "--"); i++) if (!strcmp(words[i], "--json")) return 1;
    return 0;
}

static int is_standard(const char *path) { return path && !strcmp(path, "-"); }

int main(int argc, char **argv)
{
    options o;
    cli_why why = { "", "" };
    system_begin();
    if (argc < 2) {
        help_program(stderr);
        return CLI_USAGE;
    }
    const cli_verb verb = options_verb(argv[1]);
    if (verb == VERB_COUNT) {
        const int other = run_other(argc, argv, &why);
        if (other && wants_json(argc - 1, argv + 1)) {
            cli_answer to = { NULL, NULL };
            answer_begin(&to, NULL);
            answer_end(&to, NULL, other, &why);
        }
        if (other) fprintf(stderr, "bayeslin: %s\n", why.text);
        return other;
    }
    int status = options_read(verb, argc - 2, argv + 2, &o, &why);
    o.to.text = is_standard(o.output) || is_standard(o.trace) ? stderr : stdout;
    if (!o.help && wants_json(argc - 2, argv + 2)) answer_begin(&o.to, options_verb_name(verb));
    if (!status && o.help) help_verb(verb, stdout);
    else if (!status) status = run_verb[verb](&o, &why);
    if (o.to.json) answer_end(&o.to, options_verb_name(verb), status, &why);
    if ((!status || status == CLI_DOUBT) && finish(&why)) status = CLI_FAILED;
    if (status) fprintf(stderr, "bayeslin %s: %s\n%s", options_verb_name(verb), why.text, why.place);
    if (status == CLI_USAGE && argc == 2) help_usage(verb, stderr);
    else if (status == CLI_USAGE) fprintf(stderr, "try bayeslin %s --help\n", options_verb_name(verb));
    options_free(&o);
    return status;
}
