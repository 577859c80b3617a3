#ifndef BAYESLIN_CLI_OPTIONS_H
#define BAYESLIN_CLI_OPTIONS_H
#include "answer.h"
#include "library.h"
#include "methods.h"
#include "verb_list.h"
#include "why.h"
#include <stdint.h>
/* options - the command line, read into one struct. Texts point into argv, unless it is said. */

/* Columns that say something about a row and are no inputs: see bln_data in bayeslin.h. */
typedef enum cli_role { ROLE_WEIGHTS, ROLE_NOISE_VAR, ROLE_OFFSET, ROLE_TRIALS, ROLE_COUNT } cli_role;

/* --prior: a prior variance for each term, learnt; none where there are no random features; one for each weight, learnt. */
typedef enum cli_prior { CLI_PRIOR_LEARN, CLI_PRIOR_FLAT, CLI_PRIOR_EACH } cli_prior;

/* How rows are left out: as the posterior allows, in closed form, or by draws. */
typedef enum cli_loo { LOO_AUTO, LOO_CAVITY, LOO_PSIS } cli_loo;

/* --show: what `plot` draws. */
typedef enum cli_show_what { SHOW_CURVE, SHOW_DRAWS, SHOW_EFFECTS, SHOW_RESIDUALS, SHOW_COEFFICIENTS, SHOW_EVIDENCE } cli_show_what;

/* Options whose value is one of some words, as the number of the word: 0 is the default. Those of the fit are as the library
 * numbers them: bln_slm_arithmetic, bln_slm_optimiser, bln_slm_residual, bln_slm_sigma. */
typedef enum cli_choice { CHOICE_MISSING, CHOICE_UNSEEN, CHOICE_PRIOR, CHOICE_ARITHMETIC, CHOICE_OPTIMISER, CHOICE_RESIDUAL,
                          CHOICE_NOISE, CHOICE_HYPER, CHOICE_LOO, CHOICE_DECIMAL, CHOICE_SHOW,
                          CHOICE_COUNT } cli_choice;

/* How many words there are, and the word of value v < that. */
uint32_t    options_words(cli_choice choice);
const char *options_word(cli_choice choice, uint32_t v);

enum { OPTIONS_ASKED = 24 };

typedef struct cli_list { const char **item; size_t n; } cli_list;

/* How a table writes decimals: as it looks, with commas, or with points. */
typedef enum cli_decimal { DECIMAL_AUTO, DECIMAL_COMMA, DECIMAL_POINT } cli_decimal;

/* --missing: a failure, a row less, or filled by the mean, with or without an input that says so. */
typedef enum cli_missing { MISSING_ERROR, MISSING_DROP, MISSING_MEAN, MISSING_INDICATOR } cli_missing;

typedef struct options {
    cli_verb     verb;
    int          help;                    /* --help was among the words                     */
    const char  *model, *data;            /* the words that are no options                  */
    const char  *target, *outputs;        /* as they were given: one of the two             */
    char       **targets;                 /* n_targets names in them, allocated             */
    size_t       n_targets;
    const char  *basis, *output, *masks, *x, *y;
    const char  *formula;                 /* or NULL: fills target, basis and roles         */
    struct formula *read_formula;         /* allocated, or NULL                             */
    const char  *loo_group;               /* name of a column, NULL: every row by itself; of cv --group */
    const char  *role[ROLE_COUNT];        /* names of columns, NULL: none                   */
    cli_list     ignore, na, factor, number, date;    /* options that may be repeated       */
    uint64_t     seed;                    /* 0                                              */
    size_t       starts, folds;           /* 1, 0 (none)                                    */
    size_t       max_iterations;          /* 0: the library's                               */
    double       tolerance, theta_sd;     /* 0: the library's; theta_sd may be infinite     */
    double       interval;                /* 0.95                                           */
    uint64_t     sample;                  /* 20000: rows on which a stream searches first   */
    const char  *from_stats, *like;       /* files, or NULL                                 */
    const char **files;                   /* n_files words: what is merged                  */
    size_t       n_files;
    int          show;                    /* a cli_show_what; of `plot` files are its models, model the first of them */
    const char  *contrast;                /* of info: differences of words, or NULL                   */
    int          covariance;
    int          stream, no_scale, no_hyper_prior, missing, unseen, all, integrate, plug_in, calibrate;
    int          prior;                   /* a cli_prior                                    */
    int          arithmetic, optimiser, residual, noise;
    int          glm;                     /* a generalised linear model, with               */
    const char  *likelihood;              /* its name in the library                        */
    const bln_glm_card *method;           /* of --inference, and the options that methods have: name and value */
    int          chosen;                  /* is it that of the default, without options? */
    struct { const char *name, *value; } asked[OPTIONS_ASKED];
    size_t       n_asked;
    double       own[32];                 /* of these the method's own desc                 */
    const char  *trace;                   /* a file for all draws of a method that draws, or NULL */
    const char  *reference;               /* a file of draws to compare with, of info a word, or NULL */
    char         list[METHODS_LIST];      /* room for a message                             */
    int          hyper;                   /* whose evidence: 0 the method's own, 1 Laplace's */
    size_t       categories;              /* 0: as many as the rows have                    */
    int          loo;                     /* also set by --loo-group and --loo-by           */
    int          loo_by, waic;
    cli_list     keep;                    /* --keep, one or a list with commas each         */
    const char  *time;                    /* --time of cv: name of a column                 */
    int          curve;
    cli_list     bases;                   /* what compare fits                              */
    size_t       draws;                   /* of each target; 0: none                        */
    char         separator;               /* ','                                            */
    int          decimal;                 /* a cli_decimal; missing above: a cli_missing    */
    uint32_t     given;                   /* bit c: choice c was, be it with its default    */
    int          json;                    /* --json was among them                          */
    cli_answer   to;                      /* where the answer goes                          */
} options;

int options_given(const options *o, cli_choice choice);

/* Is this option of methods there, by its name without "--"? */
int options_asked(const options *o, const char *name);

/* "fit", ...; VERB_COUNT if it is none. */
const char *options_verb_name(cli_verb verb);
cli_verb    options_verb(const char *name);

/* "--weights", ... */
const char *options_role_name(cli_role role);

/* "--loo-group", or what the verb calls it. */
const char *options_group_name(const options *o);

/* Is that column a target of --target or --outputs? */
int         options_is_target(const options *o, const char *name);

/* Reads the words behind the verb. CLI_USAGE: an option that the verb does not have, a value that is none, one given twice, a word
 * too many, something missing, or options that do not go together; nothing is checked once --help was seen. Options may stand
 * anywhere, as --key value or --key=value; "--" ends them. */
int  options_read(cli_verb verb, int n, char **words, options *out, cli_why *why);
void options_free(options *o);

#endif /* BAYESLIN_CLI_OPTIONS_H */
