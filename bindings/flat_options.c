/* flat_options: "key=value, key=value", by a table of names, and by the cards of the methods */
#include "flat_private.h"



typedef enum flat_kind { FLAT_TEXT, FLAT_COUNT, FLAT_SEED, FLAT_POSITIVE, FLAT_WIDTH, FLAT_WORD } flat_kind;
enum { FLAT_LEARN, FLAT_FLAT, FLAT_EACH };
enum { FLAT_NO, FLAT_YES, FLAT_AUTO };                 /* auto: not said */
enum { FLAT_ASKED = 16, FLAT_LIST = 600 };

typedef struct flat_options {
    char *text;                                        /* a copy, cut into words           */
    const char *likelihood, *inference, *names;
    uint64_t seed;
    size_t categories, starts, max_iterations;
    double tolerance, theta_sd, noise_sd;
    int hyper, prior, hyper_prior, scale, integrate;
    struct { const char *name, *value; } asked[FLAT_ASKED];                /* options of methods */
    size_t n_asked;
    const bln_glm_card *card;                          /* of inference                     */
    void *own;                                         /* its own desc, filled in          */
    int   glm;                                         /* not the linear model             */
} flat_options;

static const char *const flat_no_yes[] = { "no", "yes", NULL };
static const char *const flat_priors[] = { "learn", "flat", "each", NULL };
static const char *const flat_hypers[] = { "own", "laplace", NULL };

typedef struct flat_option { const char *name; flat_kind kind; size_t at; const char *const *words; } flat_option;
static const flat_option flat_table[] = {
    { "likelihood",     FLAT_TEXT,     offsetof(flat_options, likelihood),     NULL },
    { "categories",     FLAT_COUNT,    offsetof(flat_options, categories),     NULL },
    { "inference",      FLAT_TEXT,     offsetof(flat_options, inference),      NULL },
    { "hyper",          FLAT_WORD,     offsetof(flat_options, hyper),          flat_hypers },
    { "integrate",      FLAT_WORD,     offsetof(flat_options, integrate),      flat_no_yes },
    { "prior",          FLAT_WORD,     offsetof(flat_options, prior),          flat_priors },
    { "hyper_prior",    FLAT_WORD,     offsetof(flat_options, hyper_prior),    flat_no_yes },
    { "theta_sd",       FLAT_WIDTH,    offsetof(flat_options, theta_sd),       NULL },
    { "noise_sd",       FLAT_POSITIVE, offsetof(flat_options, noise_sd),       NULL },
    { "scale",          FLAT_WORD,     offsetof(flat_options, scale),          flat_no_yes },
    { "names",          FLAT_TEXT,     offsetof(flat_options, names),          NULL },
    { "seed",           FLAT_SEED,     offsetof(flat_options, seed),           NULL },
    { "starts",         FLAT_COUNT,    offsetof(flat_options, starts),         NULL },
    { "max_iterations", FLAT_COUNT,    offsetof(flat_options, max_iterations), NULL },
    { "tolerance",      FLAT_POSITIVE, offsetof(flat_options, tolerance),      NULL }
};
enum { FLAT_OPTIONS = sizeof flat_table/sizeof *flat_table };

static const bln_glm_card *(*const flat_methods[])(void) = {
    bln_glm_laplace_card, bln_glm_full_card, bln_glm_integrated_card, bln_glm_nuts_card, bln_glm_gibbs_card, bln_glm_cavi_card,
    bln_glm_mixture_card, bln_glm_npv_card, bln_glm_sgvi_card, bln_glm_map_card
};
enum { FLAT_METHODS = sizeof flat_methods/sizeof *flat_methods };

/* Words with commas between them, one at a time. */
static void flat_list(char list[FLAT_LIST], const char *word)
{
    const size_t used = strlen(list);
    snprintf(list + used, FLAT_LIST - used, "%s%s", used ? ", " : "", word);
}

static const bln_option *flat_method_option(const bln_glm_card *card, const char *name)
{
    for (size_t i = 0; i < card->n_options; i++) if (!strcmp(card->options[i].name, name)) return card->options + i;
    return NULL;
}

/* Is it an option of any method? */
static int flat_of_methods(const char *name)
{
    for (size_t k = 0; k < FLAT_METHODS; k++) if (flat_method_option(flat_methods[k](), name)) return 1;
    return 0;
}

static int flat_whole(const char *text, uint64_t *out)
{
    uint64_t v = 0;
    if (!*text) return 0;
    for (; *text; text++) {
        const uint64_t digit = (uint64_t)(*text - '0');
        if (*text < '0' || *text > '9' || v > (UINT64_MAX - digit)/10) return 0;
        v = 10*v + digit;
    }
    *out = v;
    return 1;
}

static int flat_number(const char *text, double *out)
{
    double value;
    if (bln_decimal_read(text, text + strlen(text), &value) != text + strlen(text) || value > 1e300) return 0;
    *out = value;
    return 1;
}

/* Puts a value where it belongs; NULL, or what it should have been (in list, if that has to be made). */
static const char *flat_put(flat_kind kind, const char *const *words, const char *value, void *place, char list[FLAT_LIST])
{
    uint64_t whole = 0;
    double number = 0.0;
    int k = 0;
    switch (kind) {
    case FLAT_TEXT:
        *(const char **)place = value;
        return *value ? NULL : "something";
    case FLAT_COUNT:
        if (!flat_whole(value, &whole) || whole == 0 || whole > (size_t)-1) return "a whole number from 1";
        *(size_t *)place = (size_t)whole;
        return NULL;
    case FLAT_SEED:
        return flat_whole(value, (uint64_t *)place) ? NULL : "a whole number from 0";
    case FLAT_POSITIVE:
    case FLAT_WIDTH:
        if (kind == FLAT_WIDTH && !strcmp(value, "inf")) number = HUGE_VAL;
        else if (!flat_number(value, &number) || !(number > 0.0)) return kind == FLAT_WIDTH ? "a number above 0, or inf"
                                                                                            : "a number above 0";
        *(double *)place = number;
        return NULL;
    case FLAT_WORD:
        while (words[k] && strcmp(words[k], value)) k++;
        if (words[k]) { *(int *)place = k; return NULL; }
        list[0] = '\0';
        for (k = 0; words[k]; k++) flat_list(list, words[k]);
        return list;
    }
    return "known";
}

static char *flat_trim(char *text)
{
    char *end = text + strlen(text);
    while (*text == ' ' || *text == '\n') text++;
    while (end > text && (end[-1] == ' ' || end[-1] == '\n')) *--end = '\0';
    return text;
}

static int flat_unknown(const flat_message *m, const char *name)
{
    char list[FLAT_LIST] = "";
    for (size_t i = 0; i < FLAT_OPTIONS; i++) flat_list(list, flat_table[i].name);
    for (size_t k = 0; k < FLAT_METHODS; k++) {
        const bln_glm_card *card = flat_methods[k]();
        for (size_t i = 0; i < card->n_options; i++) {
            size_t before = 0;                                           /* a name that several methods have counts once */
            while (before < k && !flat_method_option(flat_methods[before](), card->options[i].name)) before++;
            if (before == k) flat_list(list, card->options[i].name);
        }
    }
    return flat_fail(m, BLN_EINVAL, "options: there is no \"%.60s\"; known are %s", name, list);
}

/* One "key=value". seen: which of the table there were before. */
static int flat_read(flat_options *o, char *word, char *seen, const flat_message *m)
{
    char *equals = strchr(word, '='), list[FLAT_LIST];
    if (!equals) return flat_fail(m, BLN_EINVAL, "options: \"%.60s\" is no key=value", word);
    *equals = '\0';
    char *name = flat_trim(word);
    const char *value = flat_trim(equals + 1);
    size_t i = 0, k = 0;
    for (char *c = name; *c; c++) if (*c == '-') *c = '_';
    while (i < FLAT_OPTIONS && strcmp(flat_table[i].name, name)) i++;
    while (k < o->n_asked && strcmp(o->asked[k].name, name)) k++;
    if ((i < FLAT_OPTIONS && seen[i]++) || k < o->n_asked) return flat_fail(m, BLN_EINVAL, "options: %s is given twice", name);
    if (i < FLAT_OPTIONS) {
        const char *wanted = flat_put(flat_table[i].kind, flat_table[i].words, value, (char *)o + flat_table[i].at, list);
        return wanted ? flat_fail(m, BLN_EINVAL, "options: %s wants %s, not \"%.60s\"", name, wanted, value) : 0;
    }
    if (!flat_of_methods(name)) return flat_unknown(m, name);
    if (o->n_asked == FLAT_ASKED) return flat_fail(m, BLN_EINVAL, "options: too many of them");
    o->asked[o->n_asked].name = name;
    o->asked[o->n_asked++].value = value;
    return 0;
}

/* The method and its own desc. */
static int flat_read_method(flat_options *o, const flat_message *m)
{
    static const flat_kind kinds[] = { FLAT_COUNT, FLAT_POSITIVE, FLAT_WORD };           /* in the order of bln_option_kind */
    char list[FLAT_LIST] = "";
    for (size_t k = 0; k < FLAT_METHODS; k++) flat_list(list, flat_methods[k]()->name);
    const char *chosen = o->prior == FLAT_FLAT ? "laplace" : "full";                     /* as the library chooses */
    const char *name = o->inference ? o->inference : o->n_asked || o->hyper ? chosen : NULL;
    if (!name) return 0;
    for (size_t k = 0; k < FLAT_METHODS && !o->card; k++) if (!strcmp(flat_methods[k]()->name, name)) o->card = flat_methods[k]();
    if (!o->card) return flat_fail(m, BLN_EINVAL, "options: inference wants %s, not \"%.60s\"", list, name);
    o->own = calloc(1, o->card->own_size + 1);
    if (!o->own) return flat_memory(m);
    for (size_t k = 0; k < o->n_asked; k++) {
        const bln_option *option = flat_method_option(o->card, o->asked[k].name);
        if (!option) return flat_fail(m, BLN_EINVAL, "options: inference %s has no option %s", name, o->asked[k].name);
        const char *wanted = flat_put(kinds[option->kind], option->words, o->asked[k].value, (char *)o->own + option->offset, list);
        if (wanted)
            return flat_fail(m, BLN_EINVAL, "options: %s wants %s, not \"%.60s\"", option->name, wanted, o->asked[k].value);
        size_t beside = 0;
        while (option->beside && beside < o->n_asked && strcmp(o->asked[beside].name, option->beside)) beside++;
        if (option->beside && beside == o->n_asked)
            return flat_fail(m, BLN_EINVAL, "options: %s means nothing without %s", option->name, option->beside);
    }
    const bln_option *starts = flat_method_option(o->card, "starts");
    if (o->starts > 1 && starts) *(size_t *)(void *)((char *)o->own + starts->offset) = o->starts;
    if (o->starts > 1 && !starts) return flat_fail(m, BLN_EINVAL, "options: inference %s begins at one place: no starts", name);
    return 0;
}

static void flat_options_free(flat_options *o)
{
    free(o->text);
    free(o->own);
}

static int flat_options_read(const char *text, flat_options *o, const flat_message *m)
{
    char seen[FLAT_OPTIONS];
    memset(seen, 0, sizeof seen);
    memset(o, 0, sizeof *o);
    o->hyper_prior = FLAT_YES;
    o->scale = o->integrate = FLAT_AUTO;
    o->text = (char *)malloc(strlen(text) + 1);
    if (!o->text) return flat_memory(m);
    strcpy(o->text, text);
    for (char *word = o->text, *comma; word; word = comma) {
        comma = strchr(word, ',');
        if (comma) *comma++ = '\0';
        word = flat_trim(word);
        if (!*word) continue;
        const int status = flat_read(o, word, seen, m);
        if (status) return status;
    }
    o->glm = o->inference || o->hyper || o->n_asked || (o->likelihood && strcmp(o->likelihood, "gaussian"));
    if (o->glm && o->noise_sd > 0.0)
        return flat_fail(m, BLN_EINVAL, "options: noise_sd is for the linear model with normal noise");
    if (o->glm && o->integrate == FLAT_YES)
        return flat_fail(m, BLN_EINVAL, "options: integrate=yes is for the linear model; inference=integrated is this one's");
    if (o->integrate == FLAT_YES && (o->prior == FLAT_EACH || o->noise_sd > 0.0))
        return flat_fail(m, BLN_EINVAL, "options: integrate=yes goes neither with prior=each nor with noise_sd");
    return flat_read_method(o, m);
}
