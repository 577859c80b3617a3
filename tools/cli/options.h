#ifndef BAYESLIN_CLI_OPTIONS_H
#define BAYESLIN_CLI_OPTIONS_H
#include "answer.h"
#include "library.h"
#include "methods.h"
#include "verb_list.h"
#include "why.h"
#include <stdint.h>
/* options - the command line, read into one struct. Texts point into argv unless a comment says otherwise. */

/* Columns that are not inputs but describe a row: see bln_data in bayeslin.h. */
typedef enum cli_role { ROLE_WEIGHTS, ROLE_NOISE_VAR, ROLE_OFFSET, ROLE_TRIALS, ROLE_COUNT } cli_role;

/* --prior: a learnt prior variance for each term; a flat prior for terms without random features; a learnt one for each weight. */
typedef enum cli_prior { CLI_PRIOR_LEARN, CLI_PRIOR_FLAT, CLI_PRIOR_EACH } cli_prior;

/* How rows are left out: in the best way that the posterior allows, in closed form, or by draws. */
typedef enum cli_loo { LOO_AUTO, LOO_CAVITY, LOO_PSIS } cli_loo;

/* --show: what `plot` draws. */
typedef enum cli_show_what { SHOW_CURVE, SHOW_DRAWS, SHOW_EFFECTS, SHOW_RESIDUALS, SHOW_COEFFICIENTS, SHOW_EVIDENCE } cli_show_what;

/* Options whose value is one of several words; it is stored as the index of the word, 0 for the default. Those of the fit have the
 * library's numbers: bln_slm_arithmetic, bln_slm_optimiser, bln_slm_residual, bln_slm_sigma. */
typedef enum cli_choice { CHOICE_MISSING, CHOICE_UNSEEN, CHOICE_PRIOR, CHOICE_ARITHMETIC, CHOICE_OPTIMISER, CHOICE_RESIDUAL,
                          CHOICE_NOISE, CHOICE_HYPER, CHOICE_LOO, CHOICE_DECIMAL, CHOICE_SHOW,
                          CHOICE_COUNT } cli_choice;

/* The number of words of a choice, and the word of value v, which is less. */
uint32_t    options_words(cli_choice choice);
const char *options_word(cli_choice choice, uint32_t v);

enum { OPTIONS_ASKED = 24 };

typedef struct cli_list { const char **item; size_t n; } cli_list;

/* The decimal mark of a table: found from its cells, a comma, or a point. */
typedef enum cli_decimal { DECIMAL_AUTO, DECIMAL_COMMA, DECIMAL_POINT } cli_decimal;

/* --missing: missing cells are an error, drop the row, or are filled by the mean, without or with an input that marks them. */
typedef enum cli_missing { MISSING_ERROR, MISSING_DROP, MISSING_MEAN, MISSING_INDICATOR } cli_missing;

typedef struct options {
    cli_verb     verb;
    int          help;                    /* was --help given?                              */
    const char  *model, *data;            /* the words that are not options                 */
    const char  *target, *outputs;        /* as given; at most one of the two               */
    char       **targets;                 /* n_targets names from them, allocated           */
    size_t       n_targets;
    const char  *basis, *output, *masks, *x, *y;
    const char  *formula;                 /* NULL: none. It sets target, basis and roles    */
    struct formula *read_formula;         /* allocated, or NULL                             */
    const char  *loo_group;               /* a column, NULL: each row by itself; of cv: --group */
    const char  *role[ROLE_COUNT];        /* names of columns, NULL: none                   */
    cli_list     ignore, na, factor, number, date;    /* options that may be repeated       */
    uint64_t     seed;                    /* default 0                                      */
    size_t       starts, folds;           /* defaults 1, 0 (none)                           */
    size_t       max_iterations;          /* 0: the library's default                       */
    double       tolerance, theta_sd;     /* 0: the library's default; theta_sd may be infinite */
    double       interval;                /* probability of intervals, default 0.95         */
    uint64_t     sample;                  /* rows on which a stream searches first, default 20000 */
    const char  *from_stats, *like;       /* files, or NULL                                 */
    const char **files;                   /* n_files words of verbs that take several; of `plot` its models */
    size_t       n_files;
    int          show;                    /* a cli_show_what of `plot`                      */
    const char  *contrast;                /* --contrast of `info`, or NULL                  */
    int          covariance;
    int          stream, no_scale, no_hyper_prior, missing, unseen, all, integrate, plug_in, calibrate;
    int          prior;                   /* a cli_prior                                    */
    int          arithmetic, optimiser, residual, noise;
    int          glm;                     /* is it a generalised linear model?              */
    const char  *likelihood;              /* its likelihood's name in the library           */
    const bln_glm_card *method;           /* the method of --inference                      */
    int          chosen;                  /* is the method the default, without options?    */
    struct { const char *name, *value; } asked[OPTIONS_ASKED];         /* options of methods, as given */
    size_t       n_asked;
    double       own[32];                 /* the method's own desc, made from these         */
    const char  *trace;                   /* a file for all draws of a method that draws, or NULL */
    const char  *reference;               /* a file of draws to compare with; of `info` a word; or NULL */
    char         list[METHODS_LIST];      /* room for a message                             */
    int          hyper;                   /* which evidence learns hyper-parameters: 0 the method's, 1 Laplace's */
    size_t       categories;              /* 0: found from the rows                         */
    int          loo;                     /* also set by --loo-group and --loo-by           */
    int          loo_by, waic;
    cli_list     keep;                    /* values of --keep, each a name or names with commas */
    const char  *time;                    /* --time of cv: name of a column                 */
    int          curve;
    double       table_rows, table_weight; /* of which a fold has a part, and by which cv chooses as fit would; 0: not a fold */
    cli_list     bases;                   /* SPECs that `compare` fits                      */
    size_t       draws;                   /* draws of each target; 0: none                  */
    char         separator;               /* default ','                                    */
    int          decimal;                 /* a cli_decimal; `missing` above is a cli_missing */
    uint32_t     given;                   /* bit c: was choice c given, even with its default? */
    int          json;                    /* was --json given?                              */
    cli_answer   to;                      /* where the answer goes                          */
} options;

int options_given(const options *o, cli_choice choice);

/* Was this option of methods given? name: without "--". */
int options_asked(const options *o, const char *name);

/* The name of a verb; the verb of a name, or VERB_COUNT. */
const char *options_verb_name(cli_verb verb);
cli_verb    options_verb(const char *name);

/* The option that sets loo_group: "--loo-group", or "--group" of cv. */
const char *options_group_name(const options *o);

/* Is that column a target of --target or --outputs? */
int         options_is_target(const options *o, const char *name);

/* Reads the words after the verb. CLI_USAGE: an option that the verb does not have, a bad value, an option given twice, a word too
 * many, something missing, or options that exclude each other; after --help nothing is checked. Options may stand anywhere, as
 * --key value or --key=value; "--" ends them. */
int  options_read(cli_verb verb, int n, char **words, options *out, cli_why *why);
void options_free(options *o);

#endif /* BAYESLIN_CLI_OPTIONS_H */
