/* options: one table says which verb takes which option, what its value is and where it goes */
#include "choose.h"
#include "formula.h"
#include "glm_options.h"
#include "number.h"
#include "role.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets of verbs: of one, FIT, PREDICT, ..., and of several. */
enum {
#define X(NAME, name, words, arguments, what) NAME = 1 << VERB_##NAME,
    CLI_VERBS(X)
#undef X
    TRAINS = FIT | CV | COMPARE, LEARNS = TRAINS | STATS, READS = LEARNS | PREDICT | SCORE | CHECK | PLOT,
    USES = PREDICT | SCORE | CHECK | CV | STATS, ALL = (1 << VERB_COUNT) - 1
};

typedef enum option_kind {
    OPTION_FLAG, OPTION_TEXT,
    OPTION_LIST,         /* may be repeated            */
    OPTION_COUNT,        /* 1, 2, ...                         */
    OPTION_SEED,         /* 0, 1, ...                         */
    OPTION_POSITIVE,     /* a number > 0                      */
    OPTION_WIDTH,        /* a number > 0, or inf              */
    OPTION_SHARE,        /* a number in (0, 1)                */
    OPTION_SEPARATOR,
    OPTION_METHOD,       /* the name of one: its card */
    OPTION_CHOICE        /* + a cli_choice                    */
} option_kind;

typedef struct option {
    const char *name;
    int         verbs, needed;           /* sets of verbs */
    int         kind;                    /* an option_kind */
    size_t      at;                      /* in options    */
} option;

static const option option_table[] = {
    { "--target",         LEARNS,                0,          OPTION_TEXT,      offsetof(options, target)         },
    { "--outputs",        LEARNS & ~COMPARE,     0,          OPTION_TEXT,      offsetof(options, outputs)        },
    { "--basis",          LEARNS & ~COMPARE,     0,          OPTION_TEXT,      offsetof(options, basis)          },
    { "--formula",        LEARNS & ~COMPARE,     0,          OPTION_TEXT,      offsetof(options, formula)        },
    { "--basis",          COMPARE,               0,          OPTION_LIST,      offsetof(options, bases)          },
    { "--output",         FIT | PREDICT | CV | CHECK | PLOT | STATS | MERGE | DIAGNOSE, FIT | PLOT | STATS | MERGE,
                                                              OPTION_TEXT,      offsetof(options, output)        },
    { "--show",           PLOT,                  0,          OPTION_CHOICE + CHOICE_SHOW,       offsetof(options, show)       },
    { "--x",              PLOT,                  0,          OPTION_TEXT,      offsetof(options, x)              },
    { "--y",              PLOT | CHECK,          0,          OPTION_TEXT,      offsetof(options, y)              },
    { "--folds",          CV,                    0,          OPTION_COUNT,     offsetof(options, folds)          },
    { "--group",          CV,                    0,          OPTION_TEXT,      offsetof(options, loo_group)      },
    { "--time",           CV,                    0,          OPTION_TEXT,      offsetof(options, time)           },
    { "--curve",          CV,                    0,          OPTION_FLAG,      offsetof(options, curve)          },
    { "--masks",          CV,                    0,          OPTION_TEXT,      offsetof(options, masks)          },
    { "--seed",           LEARNS | PREDICT | CHECK, 0,                OPTION_SEED,      offsetof(options, seed)           },
    { "--starts",         TRAINS,                0,          OPTION_COUNT,     offsetof(options, starts)         },
    { "--max-iterations", TRAINS,                0,          OPTION_COUNT,     offsetof(options, max_iterations) },
    { "--tolerance",      TRAINS,                0,          OPTION_POSITIVE,  offsetof(options, tolerance)      },
    { "--theta-sd",       TRAINS,                0,          OPTION_WIDTH,     offsetof(options, theta_sd)       },
    { "--no-scale",       LEARNS,                0,          OPTION_FLAG,      offsetof(options, no_scale)       },
    { "--no-hyper-prior", LEARNS,                0,          OPTION_FLAG,      offsetof(options, no_hyper_prior) },
    { "--ignore",         LEARNS,                0,          OPTION_LIST,      offsetof(options, ignore)         },
    { "--factor",         LEARNS,                0,          OPTION_LIST,      offsetof(options, factor)         },
    { "--number",         LEARNS,                0,          OPTION_LIST,      offsetof(options, number)         },
    { "--date",           LEARNS,                0,          OPTION_LIST,      offsetof(options, date)           },
    { "--na",             LEARNS,                0,          OPTION_LIST,      offsetof(options, na)             },
    { "--weights",        LEARNS,                0,          OPTION_TEXT,      offsetof(options, role[ROLE_WEIGHTS])   },
    { "--noise-var",      LEARNS,                0,          OPTION_TEXT,      offsetof(options, role[ROLE_NOISE_VAR]) },
    { "--offset",         LEARNS,                0,          OPTION_TEXT,      offsetof(options, role[ROLE_OFFSET])    },
    { "--trials",         TRAINS,                0,          OPTION_TEXT,      offsetof(options, role[ROLE_TRIALS])    },
    { "--likelihood",     TRAINS,                0,          OPTION_TEXT,      offsetof(options, likelihood)     },
    { "--inference",      TRAINS,                0,          OPTION_METHOD,    offsetof(options, method)         },
    { "--hyper",          TRAINS,                0,          OPTION_CHOICE + CHOICE_HYPER,      offsetof(options, hyper)      },
    { "--categories",     TRAINS,                0,          OPTION_COUNT,     offsetof(options, categories)     },
    { "--prior",          LEARNS,                0,          OPTION_CHOICE + CHOICE_PRIOR,      offsetof(options, prior)      },
    { "--arithmetic",     LEARNS,                0,          OPTION_CHOICE + CHOICE_ARITHMETIC, offsetof(options, arithmetic) },
    { "--optimiser",      TRAINS,                0,          OPTION_CHOICE + CHOICE_OPTIMISER,  offsetof(options, optimiser)  },
    { "--residual",       TRAINS,                0,          OPTION_CHOICE + CHOICE_RESIDUAL,   offsetof(options, residual)   },
    { "--noise",          TRAINS,                0,          OPTION_CHOICE + CHOICE_NOISE,      offsetof(options, noise)      },
    { "--integrate",      FIT | CV,                0,          OPTION_FLAG,      offsetof(options, integrate)      },
    { "--plug-in",        TRAINS,                0,          OPTION_FLAG,      offsetof(options, plug_in)        },
    { "--calibrate",      FIT | CV,                0,          OPTION_FLAG,      offsetof(options, calibrate)      },
    { "--stream",         FIT,                   0,          OPTION_FLAG,      offsetof(options, stream)         },
    { "--sample",         FIT,                   0,          OPTION_SEED,      offsetof(options, sample)         },
    { "--from-stats",     FIT,                   0,          OPTION_TEXT,      offsetof(options, from_stats)     },
    { "--like",           STATS,                 0,          OPTION_TEXT,      offsetof(options, like)           },
    { "--loo",            FIT | SCORE,           0,          OPTION_FLAG,      offsetof(options, loo)            },
    { "--loo-group",      FIT | SCORE,           0,          OPTION_TEXT,      offsetof(options, loo_group)      },
    { "--loo-by",         FIT | SCORE,           0,          OPTION_CHOICE + CHOICE_LOO,        offsetof(options, loo_by)     },
    { "--waic",           FIT | SCORE,           0,          OPTION_FLAG,      offsetof(options, waic)           },
    { "--trace",          FIT,                   0,          OPTION_TEXT,      offsetof(options, trace)          },
    { "--reference",      DIAGNOSE | INFO,       0,          OPTION_TEXT,      offsetof(options, reference)      },
    { "--contrast",       INFO,                  0,          OPTION_TEXT,      offsetof(options, contrast)       },
    { "--covariance",     INFO,                  0,          OPTION_FLAG,      offsetof(options, covariance)     },
    { "--keep",           PREDICT | CV,          0,          OPTION_LIST,      offsetof(options, keep)           },
    { "--draws",          PREDICT | CHECK,       0,          OPTION_COUNT,     offsetof(options, draws)          },
    { "--missing",        READS,                 0,          OPTION_CHOICE + CHOICE_MISSING,    offsetof(options, missing)    },
    { "--unseen",         USES,                  0,          OPTION_CHOICE + CHOICE_UNSEEN,     offsetof(options, unseen) },
    { "--interval",       PREDICT | PLOT | INFO, 0,          OPTION_SHARE,     offsetof(options, interval)       },
    { "--json",           ALL,                   0,          OPTION_FLAG,      offsetof(options, json)           },
    { "--all",            INFO,                  0,          OPTION_FLAG,      offsetof(options, all)            },
    { "--sep",            READS,                 0,          OPTION_SEPARATOR, offsetof(options, separator)      },
    { "--decimal",        READS,                 0,          OPTION_CHOICE + CHOICE_DECIMAL,    offsetof(options, decimal)    }
};
enum { N_OPTIONS = sizeof option_table / sizeof *option_table };

static const char *const verb_names[VERB_COUNT] = {
#define X(NAME, name, words, arguments, what) #name,
    CLI_VERBS(X)
#undef X
};
static const cli_words verb_words[VERB_COUNT] = {
#define X(NAME, name, words, arguments, what) words,
    CLI_VERBS(X)
#undef X
};

static int verb_has_model(cli_verb v)
{
    return verb_words[v] == WORDS_MODEL || verb_words[v] == WORDS_MODEL_DATA || verb_words[v] == WORDS_MODELS_DATA;
}
static int verb_has_data(cli_verb v)
{
    return verb_words[v] == WORDS_DATA || verb_words[v] == WORDS_MODEL_DATA || verb_words[v] == WORDS_MODELS_DATA;
}

const char *options_verb_name(cli_verb verb) { return verb_names[verb]; }

const char *options_group_name(const options *o) { return o->verb == VERB_CV ? "--group" : "--loo-group"; }

cli_verb options_verb(const char *name)
{
    int i = 0;
    while (i < VERB_COUNT && strcmp(verb_names[i], name)) i++;
    return (cli_verb)i;
}

/* The option of that name that the verb has; else the one that others have; or NULL. */
static const option *option_find(cli_verb verb, const char *name, size_t length)
{
    const option *found = NULL;
    if (length == 2 && !strncmp(name, "-o", 2)) { name = "--output"; length = strlen(name); }
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (strlen(option_table[i].name) == length && !strncmp(option_table[i].name, name, length)
            && (!found || option_table[i].verbs >> verb & 1)) found = &option_table[i];
    return found;
}

/* The words, in the order of their numbers, and the same for a message. */
static const struct { const char *words[9], *wanted; } option_choices[CHOICE_COUNT] = {
    { { "error", "drop", "mean", "indicator", NULL }, "error, drop, mean or indicator" },
    { { "error", "zero", "new", NULL },            "error, zero or new"         },
    { { "learn", "flat", "each", NULL },           "flat, each or learn"        },
    { { "auto", "double", "exact", "qr", NULL },   "auto, double, exact or qr"  },
    { { "lbfgs", "mackay", "em", "mm", NULL },     "lbfgs, mackay, em or mm"    },
    { { "variational", "ignored", NULL },          "variational or ignored"     },
    { { "diagonal", "correlated", "shared", NULL }, "diagonal, correlated or shared" },
    { { "own", "laplace", NULL },                  "own or laplace"             },
    { { "auto", "cavity", "psis", NULL },          "auto, cavity or psis"       },
    { { "auto", "comma", "point", NULL },          "comma or point"             },
    { { "curve", "draws", "effects", "residuals", "coefficients", "evidence", NULL },
      "curve, draws, effects, residuals, coefficients or evidence" }
};

uint32_t options_words(cli_choice choice)
{
    uint32_t n = 0;
    while (option_choices[choice].words[n]) n++;
    return n;
}

const char *options_word(cli_choice choice, uint32_t v) { return option_choices[choice].words[v]; }

int options_given(const options *o, cli_choice choice) { return o->given >> choice & 1; }

int options_asked(const options *o, const char *name)
{
    size_t k = 0;
    while (k < o->n_asked && strcmp(o->asked[k].name, name)) k++;
    return k < o->n_asked;
}

/* NULL, or the words there are. */
static const char *option_choose(cli_choice choice, const char *value, int *out)
{
    const char *const *words = option_choices[choice].words;
    int k = 0;
    while (words[k] && strcmp(words[k], value)) k++;
    *out = k;
    return words[k] ? NULL : option_choices[choice].wanted;
}

static int option_separator(const char *value, char *out)
{
    static const struct { const char *name; char separator; } known[] = {
        { ",", ',' }, { "comma", ',' }, { ";", ';' }, { "semicolon", ';' }, { "\t", '\t' }, { "\\t", '\t' }, { "tab", '\t' }
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(value, known[i].name)) { *out = known[i].separator; return 1; }
    return 0;
}

/* Stores the value. Returns NULL, or what it should have been. */
static const char *option_set(options *o, const option *entry, const char *value)
{
    void *place = (char *)o + entry->at;
    double number = 0.0;
    if (entry->kind >= OPTION_CHOICE) {
        o->given |= UINT32_C(1) << (entry->kind - OPTION_CHOICE);
        return option_choose((cli_choice)(entry->kind - OPTION_CHOICE), value, (int *)place);
    }
    switch (entry->kind) {
    case OPTION_FLAG:  *(int *)place = 1; return NULL;
    case OPTION_TEXT:  *(const char **)place = value; return *value ? NULL : "something";
    case OPTION_LIST:  ((cli_list *)place)->item[((cli_list *)place)->n++] = value; return *value ? NULL : "something";
    case OPTION_COUNT:
        return number_count(value, (size_t *)place) ? NULL : "a whole number from 1";
    case OPTION_SEED:
        return number_integer(value, (uint64_t *)place) ? NULL : "a whole number from 0";
    case OPTION_WIDTH:
        if (!strcmp(value, "inf")) { *(double *)place = HUGE_VAL; return NULL; }
        if (number_read(value, &number) != NUMBER_VALUE || !(number > 0.0)) return "a number above 0, or inf";
        *(double *)place = number;
        return NULL;
    case OPTION_POSITIVE:
    case OPTION_SHARE:
        if (number_read(value, &number) != NUMBER_VALUE || !(number > 0.0) || (entry->kind == OPTION_SHARE && number >= 1.0))
            return entry->kind == OPTION_SHARE ? "a number between 0 and 1" : "a number above 0";
        *(double *)place = number;
        return NULL;
    case OPTION_METHOD:
        *(const bln_glm_card **)place = methods_find(value);
        return methods_find(value) ? NULL : methods_list(NULL, 0, o->list);
    default:
        return option_separator(value, (char *)place) ? NULL : "comma, semicolon or tab";
    }
}

/* The edit distance of two words: letters inserted, left out or replaced (Levenshtein 1966). */
static size_t option_distance(const char *a, size_t n_a, const char *b)
{
    enum { LONGEST = 24 };
    size_t row[LONGEST + 1];
    const size_t n_b = strlen(b);
    if (CLI_NEVER(n_b > LONGEST)) return (size_t)-1;           /* no name in the table of options is as long */
    for (size_t j = 0; j <= n_b; j++) row[j] = j;
    for (size_t i = 0; i < n_a; i++) {
        size_t corner = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n_b; j++) {
            const size_t above = row[j + 1], replaced = corner + (a[i] != b[j]), other = (above < row[j] ? above : row[j]) + 1;
            corner = above;
            row[j + 1] = replaced < other ? replaced : other;
        }
    }
    return row[n_b];
}

/* For an option that does not exist: suggests the option that other programs call by that name, or the one spelt most like it. */
static int option_nowhere(const options *o, const char *word, size_t length, cli_why *why)
{
    static const struct { const char *theirs, *ours; } elsewhere[] = {
        { "--family", "--likelihood" }, { "--model", "--likelihood" }, { "--response", "--target" }, { "--label", "--target" },
        { "--kernel", "--basis" }, { "--exposure", "--trials" }, { "--data", "DATA.csv, a word without option" }
    };
    const char *nearest = NULL;
    size_t least = 3;                                            /* a word that differs by more than two letters is not meant */
    cli_shown shown;
    for (size_t k = 0; k < sizeof elsewhere/sizeof *elsewhere; k++)
        if (strlen(elsewhere[k].theirs) == length && !strncmp(elsewhere[k].theirs, word, length)) {
            nearest = elsewhere[k].ours;
            least = 0;
        }
    for (size_t k = 0; k < N_OPTIONS && least; k++) {
        const size_t apart = option_table[k].verbs >> o->verb & 1 ? option_distance(word, length, option_table[k].name) : least;
        if (apart < least) { least = apart; nearest = option_table[k].name; }
    }
    return cli_misuse(why, nearest ? "no option %s; here it is %s" : "no option %s", cli_show(&shown, word), nearest);
}

/* The verb does not take this option: says which verbs do. */
static int option_unknown(const options *o, const option *entry, const char *word, size_t length, cli_why *why)
{
    char verbs[80] = "";
    size_t used = 0;
    if (!entry) return option_nowhere(o, word, length, why);
    const int loo = o->verb == VERB_CV && !strncmp(entry->name, "--loo", 5);
    for (int v = 0; v < VERB_COUNT; v++)
        if (entry->verbs >> v & 1)
            used += (size_t)snprintf(verbs + used, sizeof verbs - used, "%s%s", used ? ", " : "", verb_names[v]);
    return cli_misuse(why, "%s has no option %s; it belongs to %s%s", verb_names[o->verb], entry->name, verbs,
                      loo ? " (cv leaves out each of N rows by --folds N)" : "");
}

/* An option of methods: kept as it is, until the method is known. */
static int option_ask(options *o, const char *name, const char *value, cli_why *why)
{
    for (size_t k = 0; k < o->n_asked; k++)
        if (!strcmp(o->asked[k].name, name)) return cli_misuse(why, "--%s is given twice", name);
    /* Each name once, and the methods have fewer names than there is room for. */
    if (CLI_NEVER(o->n_asked == OPTIONS_ASKED)) return cli_misuse(why, "too many options of methods");
    o->asked[o->n_asked].name = name;
    o->asked[o->n_asked++].value = value;
    return CLI_GOOD;
}

/* The option by this name that some method has; NULL: none has it. */
static const bln_option *option_of_methods(const char *word, size_t length)
{
    char name[32];
    if (length < 3 || length - 2 >= sizeof name || strncmp(word, "--", 2)) return NULL;
    memcpy(name, word + 2, length - 2);
    name[length - 2] = '\0';
    return methods_any_option(name);
}

/* Reads words[*i] as an option, with the next word as its value where it needs one. seen: which options there were before. */
static int option_read(options *o, int n, char **words, int *i, char *seen, cli_why *why)
{
    const char *word = words[*i], *equals = strchr(word, '='), *value = NULL, *wanted;
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const option *entry = option_find(o->verb, word, length), of_methods = { word, TRAINS, 0, OPTION_TEXT, 0 };
    const int taken = entry && (entry->verbs | ~TRAINS) >> o->verb & 1;              /* --draws of `fit` is an option of methods */
    const bln_option *asked = taken ? NULL : option_of_methods(word, length);
    if (asked) entry = &of_methods;
    if (!entry || !(entry->verbs >> o->verb & 1)) return option_unknown(o, entry, word, length, why);
    if (!asked && entry->kind != OPTION_FLAG && entry->kind != OPTION_LIST && seen[entry - option_table]++)
        return cli_misuse(why, "%s is given twice", entry->name);
    if (entry->kind == OPTION_FLAG) {
        if (equals) return cli_misuse(why, "%s takes no value", entry->name);
    } else if (equals) value = equals + 1;
    else if (*i + 1 < n) value = words[++*i];
    else return cli_misuse(why, "%s needs a value", word);
    if (asked) return option_ask(o, asked->name, value, why);
    wanted = option_set(o, entry, value);
    return wanted ? cli_misuse(why, "%s wants %s, not \"%s\"", entry->name, wanted, value) : CLI_GOOD;
}

/* Takes MODEL and DATA, in this order, as far as the verb has them. */
static int option_word(options *o, const char *word, cli_why *why)
{
    const int has_model = verb_has_model(o->verb), has_data = verb_has_data(o->verb);
    if (verb_words[o->verb] == WORDS_FILES || verb_words[o->verb] == WORDS_MODELS_DATA) o->files[o->n_files++] = word;
    else if (has_model && !o->model) o->model = word;
    else if (has_data && !o->data) o->data = word;
    else return cli_misuse(why, "what is \"%s\" for?", word);
    return CLI_GOOD;
}

/* Of the columns that options name (those with a role, then the groups) the k-th, and its option *as; NULL: it is not given. */
enum { OPTIONS_NAMED = ROLE_COUNT + 1 };
static const char *options_named(const options *o, int k, const char **as)
{
    *as = k < ROLE_COUNT ? role_option((cli_role)k) : options_group_name(o);
    return k < ROLE_COUNT ? o->role[k] : o->loo_group;
}

int options_is_target(const options *o, const char *name)
{
    size_t k = 0;
    while (k < o->n_targets && strcmp(o->targets[k], name)) k++;
    return k < o->n_targets;
}

/* A column is a target, has one role, or is left out: one of these at most. */
static int options_check_names(const options *o, cli_why *why)
{
    cli_shown shown;
    const char *as, *also;
    for (size_t i = 0; i < o->ignore.n; i++)
        if (options_is_target(o, o->ignore.item[i]))
            return cli_misuse(why, "--ignore leaves out the target \"%s\"", cli_show(&shown, o->ignore.item[i]));
    if (o->time && options_is_target(o, o->time))
        return cli_misuse(why, "--time: column \"%s\" is the target: a time that is known beforehand is wanted",
                          cli_show(&shown, o->time));
    for (int k = 0; k < OPTIONS_NAMED; k++) {
        const char *name = options_named(o, k, &as);
        if (!name) continue;
        if (options_is_target(o, name)) return cli_misuse(why, "%s: column \"%s\" is the target", as, cli_show(&shown, name));
        for (int other = 0; other < k; other++) {
            const char *before = options_named(o, other, &also);
            if (before && !strcmp(before, name))
                return cli_misuse(why, "column \"%s\" stands for both %s and %s", cli_show(&shown, name), also, as);
        }
        for (size_t i = 0; i < o->ignore.n; i++)
            if (!strcmp(o->ignore.item[i], name))
                return cli_misuse(why, "--ignore leaves out column \"%s\" of %s", cli_show(&shown, name), as);
    }
    return CLI_GOOD;
}

/* compare: models, rather than bases for a table? */
static int options_has_models(const options *o) { return o->verb == VERB_COMPARE && !o->bases.n; }

/* The names in --target, which is one, and in --outputs, which commas or semicolons part; blanks around them do not count. */
static int options_targets(options *o, cli_why *why)
{
    cli_shown shown;
    const char *p = o->outputs;
    if (!(LEARNS >> o->verb & 1) || o->from_stats || o->like || options_has_models(o)) return CLI_GOOD;
    if (!o->target && !o->outputs) return cli_misuse(why, "--target is needed, or --outputs for several");
    if (o->target && o->outputs) return cli_misuse(why, "either --target or --outputs is wanted");
    o->targets = (char **)cli_memory(strlen(o->target ? o->target : p) + 1, sizeof *o->targets);
    if (o->target) o->targets[o->n_targets++] = cli_copy(o->target);
    for (; p; p = *p ? p + 1 : NULL) {
        size_t n;
        p += strspn(p, " \t");
        char *name = cli_copy(p);
        name[n = strcspn(p, ",;")] = '\0';
        p += n;
        while (n > 0 && (name[n - 1] == ' ' || name[n - 1] == '\t')) name[--n] = '\0';
        const int twice = options_is_target(o, name);
        o->targets[o->n_targets++] = name;
        if (!*name) return cli_misuse(why, "--outputs wants names of columns with commas between them, not \"%s\"", o->outputs);
        if (twice) return cli_misuse(why, "--outputs names column \"%s\" twice", cli_show(&shown, name));
    }
    return CLI_GOOD;
}

/* Refuses what does not work with several outputs: the linear model has it, but not everything around it. */
static int options_check_outputs(const options *o, cli_why *why)
{
    if (o->n_targets < 2) return CLI_GOOD;
    if (o->integrate) return cli_misuse(why, "--integrate is for one target, not for several --outputs");
    if (o->role[ROLE_OFFSET]) return cli_misuse(why, "--offset is for one target, not for several --outputs");
    return CLI_GOOD;
}

static int options_check_prior(const options *o, cli_why *why)
{
    if (o->prior == CLI_PRIOR_EACH && o->verb == VERB_STATS)
        return cli_misuse(why, "--prior each is said to `fit --from-stats`; statistics are the same");
    if (o->prior == CLI_PRIOR_EACH && o->integrate)
        return cli_misuse(why, "--prior each learns a prior variance for each weight, and --integrate can integrate three at most");
    if (o->no_hyper_prior && !o->glm && o->prior != CLI_PRIOR_EACH)
        return cli_misuse(why, "--no-hyper-prior goes with --likelihood, or --prior each");
    if (o->plug_in && o->integrate) return cli_misuse(why, "--plug-in and --integrate contradict each other");
    if (o->plug_in && o->glm && !o->chosen)
        return cli_misuse(why, "--plug-in is about the default of --inference: with --inference or --hyper it means nothing");
    return CLI_GOOD;
}

/* The name of the first of these options that differs from its default, or NULL. */
static const char *options_set(int value, const char *name) { return value ? name : NULL; }

/* Refuses choices of how to learn that would have no effect. Those that depend on the basis are checked in model_check_choices. */
static int options_check_choices(const options *o, cli_why *why)
{
    const char *what = options_set(o->optimiser, "--optimiser");
    if (!what) what = options_set(o->residual, "--residual");
    if (o->integrate && what)
        return cli_misuse(why, "%s is about variances that are learnt, and --integrate learns none", what);
    if (o->noise && !o->from_stats && o->n_targets < 2)
        return cli_misuse(why, "--noise %s is about the noise of several --outputs",
                          options_word(CHOICE_NOISE, (uint32_t)o->noise));
    return CLI_GOOD;
}

/* Refuses options whose values come with a file of statistics or a model. */
static int options_check_given(const options *o, const char *by, cli_why *why)
{
    const char *what = o->target ? "--target" : o->outputs ? "--outputs" : o->basis ? "--basis" : o->ignore.n ? "--ignore"
        : o->na.n ? "--na" : o->factor.n ? "--factor" : o->number.n ? "--number" : o->date.n ? "--date"
        : o->missing > MISSING_DROP ? "--missing mean or indicator" : o->no_scale ? "--no-scale"
        : o->prior == CLI_PRIOR_FLAT ? "--prior flat" : o->seed ? "--seed" : options_set(o->arithmetic, "--arithmetic");
    for (int k = 0; k < ROLE_COUNT && !what; k++) if (o->role[k]) what = role_option((cli_role)k);
    return what ? cli_misuse(why, "%s is as in the file of %s", what, by) : CLI_GOOD;
}

/* Checks the options where only some of the rows, or none, are in memory. */
static int options_check_rows(const options *o, cli_why *why)
{
    if (o->stream && (o->integrate || o->loo || o->calibrate))
        return cli_misuse(why, "--stream keeps no rows in memory, and %s needs them",
                          o->integrate ? "--integrate" : o->loo ? "--loo" : "--calibrate");
    if (o->verb == VERB_STATS && o->unseen == COLUMNS_NEW)
        return cli_misuse(why, "--unseen new is for `predict` and others that learn nothing: groups are those of the rows that the "
                               "first statistics are of, which must have all of them");
    if (o->like) return options_check_given(o, "--like", why);
    if (options_has_models(o)) return options_check_given(o, "each model", why);
    if (!o->from_stats) return CLI_GOOD;
    if (o->data) return cli_misuse(why, "--from-stats takes the place of %s", o->data);
    if (o->stream || o->integrate || o->loo || o->calibrate)
        return cli_misuse(why, "--from-stats has no rows, and %s needs them",
                          o->stream ? "--stream" : o->integrate ? "--integrate" : o->loo ? "--loo" : "--calibrate");
    return options_check_given(o, "--from-stats", why);
}

/* Standard input can be read once, and standard output takes one result. */
static int options_check_standard(const options *o, cli_why *why)
{
    const char *const in[] = { o->model, o->data, o->masks, o->from_stats, o->like, o->reference };
    const char *const out[] = { o->output, o->trace, o->json ? "-" : NULL };
    size_t reads = 0, writes = 0;
    for (size_t k = 0; k < sizeof in/sizeof *in; k++) reads += in[k] && !strcmp(in[k], "-");
    for (size_t k = 0; k < o->n_files; k++) reads += !strcmp(o->files[k], "-");
    for (size_t k = 0; k < sizeof out/sizeof *out; k++) writes += out[k] && !strcmp(out[k], "-");
    if (reads > 1) return cli_misuse(why, "- is standard input, which can be read once, and stands for two files");
    if (writes > 1)
        return cli_misuse(why, o->json ? "--json writes to standard output, and so would -: give a file in its place"
                                       : "- is standard output, which takes one file, and stands for two");
    return CLI_GOOD;
}

/* How cv splits the rows: ten folds by default. */
static int options_check_folds(options *o, cli_why *why)
{
    const char *by = o->loo_group ? "--group" : o->time ? "--time" : NULL;
    if (!o->loo_group && !o->time && !o->masks && !o->folds) o->folds = 10;
    if (o->loo_group && o->time) return cli_misuse(why, "--group and --time part the rows in two ways: one of them is wanted");
    if (by && o->masks) return cli_misuse(why, "--masks says which rows are left out, and so does %s", by);
    if (o->time && !o->folds) return cli_misuse(why, "--time wants --folds K: K blocks to predict, each from all before it");
    if (o->folds && o->masks) return cli_misuse(why, "--folds and --masks part the rows in two ways: one of them is wanted");
    if (o->folds == 1 && !o->time) return cli_misuse(why, "--folds wants at least 2");
    if (o->curve && o->output)
        return cli_misuse(why, "-o is for the predictions of one fit of each fold, and --curve makes several");
    if (o->keep.n && !o->output) return cli_misuse(why, "--keep is about the columns of -o OUT.csv");
    return CLI_GOOD;
}

/* The last of several words is DATA.csv, those before it are models, of which only curves may be several. */
static int options_check_plot(options *o, cli_why *why)
{
    const char *what = options_word(CHOICE_SHOW, (uint32_t)o->show);
    const int over = o->show == SHOW_CURVE || o->show == SHOW_DRAWS;
    if (o->n_files > 1) o->data = o->files[--o->n_files];
    if (o->n_files > 0) o->model = o->files[0];
    if (o->n_files > 1 && o->show != SHOW_CURVE)
        return cli_misuse(why, "--show %s is of one model, and there are %lu before %s", what, (unsigned long)o->n_files, o->data);
    if (!o->x && over && o->data)
        return cli_misuse(why, "--x is needed: the column on the horizontal axis%s",
                          o->show == SHOW_CURVE ? " (all columns: --show effects)" : "");
    if (o->x && !over && o->show != SHOW_EVIDENCE) return cli_misuse(why, "--show %s has no --x: it draws all columns", what);
    return CLI_GOOD;
}

static int options_complete(options *o, cli_why *why)
{
    if (o->verb == VERB_PLOT && options_check_plot(o, why)) return CLI_USAGE;
    if (verb_has_model(o->verb) && !o->model) return cli_misuse(why, "which MODEL?");
    if (verb_has_data(o->verb) && !o->data && !o->from_stats) return cli_misuse(why, "which DATA.csv?");
    if (verb_words[o->verb] == WORDS_FILES && o->n_files == 0)
        return cli_misuse(why, o->verb == VERB_MERGE ? "which files of `bayeslin stats`?"
                             : o->verb == VERB_COMPARE ? "which models, or which table?" : "which files of draws?");
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (option_table[i].needed >> o->verb & 1 && !*(const char *const *)((const char *)o + option_table[i].at))
            return cli_misuse(why, "-o is needed");              /* no other option is */
    if (o->verb == VERB_CV && options_check_folds(o, why)) return CLI_USAGE;
    if (o->missing > MISSING_DROP && !(LEARNS >> o->verb & 1))
        return cli_misuse(why, "--missing %s is said to `fit`, and a model remembers it: here it is error or drop",
                          options_word(CHOICE_MISSING, (uint32_t)o->missing));
    if (o->draws > 1000000) return cli_misuse(why, "--draws: at most 1000000");
    if (o->integrate && o->loo)
        return cli_misuse(why, "--loo is exact for learnt variances, and --integrate learns none: see cv --folds for scores");
    if (o->integrate && o->calibrate)
        return cli_misuse(why, "--calibrate goes by rows left out, which takes learnt variances, and --integrate learns none");
    int status = LEARNS >> o->verb & 1 && o->verb != VERB_COMPARE && !o->from_stats && !o->like ? choose_check_options(o, why)
                                                                                               : CLI_GOOD;
    if (!status) status = options_check_standard(o, why);
    if (!status) status = options_check_rows(o, why);
    if (!status) status = options_targets(o, why);
    if (!status) status = options_check_outputs(o, why);
    if (!status) status = options_check_prior(o, why);
    if (!status) status = options_check_choices(o, why);
    if (!status) status = glm_check_options(o, why);
    return status ? status : options_check_names(o, why);
}

static int option_given(const options *o, const char *seen, const char *name)
{
    return seen[option_find(o->verb, name, strlen(name)) - option_table];
}

/* Refuses options that only have an effect beside another one. */
static int options_check_beside(const options *o, const char *seen, cli_why *why)
{
    if (o->verb == VERB_PREDICT && option_given(o, seen, "--seed") && !o->draws)
        return cli_misuse(why, "--seed is that of draws: add --draws S");
    if (o->verb == VERB_FIT && option_given(o, seen, "--sample") && !o->stream)
        return cli_misuse(why, "--sample is about the rows of a stream: add --stream");
    return CLI_GOOD;
}

int options_read(cli_verb verb, int n, char **words, options *out, cli_why *why)
{
    int status = CLI_GOOD, only_words = 0;
    char seen[N_OPTIONS] = { 0 };
    options o;
    memset(&o, 0, sizeof o);
    o.verb = verb;
    o.starts = 1;
    o.interval = 0.95;
    o.sample = 20000;
    o.separator = ',';
    cli_list *const lists[] = { &o.ignore, &o.na, &o.factor, &o.number, &o.date, &o.keep, &o.bases };
    for (size_t k = 0; k < sizeof lists/sizeof *lists; k++)
        lists[k]->item = (const char **)cli_memory((size_t)n + 1, sizeof *lists[k]->item);
    o.files = (const char **)cli_memory((size_t)n + 1, sizeof *o.files);
    for (int i = 0; i < n && !o.help && strcmp(words[i], "--"); i++)
        o.help = !strcmp(words[i], "--help") || !strcmp(words[i], "-h");
    for (int i = 0; i < n && !o.help && !status; i++) {
        if (!only_words && !strcmp(words[i], "--")) only_words = 1;
        else if (!only_words && words[i][0] == '-' && words[i][1]) status = option_read(&o, n, words, &i, seen, why);
        else status = option_word(&o, words[i], why);
    }
    glm_choose_model(&o);
    if (!o.help && !status && o.formula) status = formula_read(&o, why);
    if ((o.loo_group && verb != VERB_CV) || options_given(&o, CHOICE_LOO)) o.loo = 1;
    if (!o.help && !status) status = options_check_beside(&o, seen, why);
    if (!o.help && !status) status = options_complete(&o, why);
    *out = o;
    return status;
}

void options_free(options *o)
{
    for (size_t k = 0; k < o->n_targets; k++) free(o->targets[k]);
    free(o->targets);
    formula_free(o->read_formula);
    free((void *)o->ignore.item);
    free((void *)o->na.item);
    free((void *)o->factor.item);
    free((void *)o->number.item);
    free((void *)o->date.item);
    free((void *)o->keep.item);
    free((void *)o->bases.item);
    free((void *)o->files);
}
