#ifndef BAYESLIN_CLI_VERB_LIST_H
#define BAYESLIN_CLI_VERB_LIST_H
/* verb_list - the verbs of the tool. A new verb needs a line here and a file verb_NAME.c with int verb_NAME(...) and its help,
 * verb_NAME_text (verbs.h); the table in options.c lists the options that it takes. */

/* The words after a verb that are not options. */
typedef enum cli_words { WORDS_DATA, WORDS_MODEL, WORDS_MODEL_DATA, WORDS_MODELS_DATA, WORDS_FILES } cli_words;

/* The name twice; the kinds of its words; its words and a description, for the list of `bayeslin --help`. */
#define CLI_VERBS(X) \
    X(FIT,     fit,     WORDS_DATA,       "DATA.csv --target COL --basis SPEC -o MODEL",  "learn a model")                   \
    X(PREDICT, predict, WORDS_MODEL_DATA, "MODEL DATA.csv [-o OUT.csv]",                  "mean, sd and interval for each row") \
    X(SCORE,   score,   WORDS_MODEL_DATA, "MODEL DATA.csv",                               "how good are its predictions?")   \
    X(CV,      cv,      WORDS_DATA,       "DATA.csv --target COL --basis SPEC --folds K", "how good would they be on new rows?") \
    X(COMPARE, compare, WORDS_FILES,      "MODEL MODEL... [DATA.csv]",                    "which of several is best?")       \
    X(PLOT,    plot,    WORDS_MODELS_DATA, "MODEL... DATA.csv --x COL -o PLOT.svg",       "what it says, as a picture")      \
    X(CHECK,   check,   WORDS_MODEL_DATA, "MODEL DATA.csv [-o CHECK.svg]",              "does it make data like these?")   \
    X(INFO,    info,    WORDS_MODEL,      "MODEL",                                        "what was learnt")                 \
    X(STATS,   stats,   WORDS_DATA,       "DATA.csv --target COL --basis SPEC -o STATS",  "sums over rows, that merge")      \
    X(MERGE,   merge,   WORDS_FILES,      "STATS STATS... -o STATS",                      "for data in many files") \
    X(DIAGNOSE, diagnose, WORDS_FILES,    "DRAWS.csv...|MODEL [-o TRACES.svg]",         "may draws of a sampler be believed?")

typedef enum cli_verb {
#define X(NAME, name, words, arguments, what) VERB_##NAME,
    CLI_VERBS(X)
#undef X
    VERB_COUNT
} cli_verb;

#endif /* BAYESLIN_CLI_VERB_LIST_H */
