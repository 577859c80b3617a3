/* terms: copies the SPEC and rewrites what stands behind each cols= */
#include "terms.h"
#include "made.h"
#include "number.h"
#include "role.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct terms_text { char *text; size_t n, room; } terms_text;

static void terms_put(terms_text *t, const char *from, size_t n)
{
    if (t->n + n + 1 > t->room) {
        t->room = 2*(t->n + n + 1);
        t->text = (char *)cli_grow(t->text, t->room, 1);
    }
    memcpy(t->text + t->n, from, n);
    t->n += n;
    t->text[t->n] = '\0';
}

static int terms_blank(char c) { return c == ' ' || c == '\t'; }

static int terms_is(const char *p, size_t n, const char *word)
{
    while (n > 0 && terms_blank(*p)) { p++; n--; }
    while (n > 0 && terms_blank(p[n - 1])) n--;
    return n == strlen(word) && !strncmp(p, word, n);
}

/* Is the option at p of this key, as "cols ="? If so, *value is the place after the equals sign. */
static int terms_is_key(const char *p, const char *key, const char **value)
{
    while (terms_blank(*p)) p++;
    if (strncmp(p, key, strlen(key))) return 0;
    p += strlen(key);
    while (terms_blank(*p)) p++;
    *value = p + 1;
    return *p == '=';
}

/* The column that the next by= after *at names, to free; NULL: there is no other. */
static char *terms_next_by(const char **at)
{
    const char *value;
    for (const char *p = *at; p && *p; p++) {
        if ((*p != ':' && *p != ',') || !terms_is_key(p + 1, "by", &value)) continue;
        size_t n = strcspn(value, ",+");
        *at = value + n;
        while (n > 0 && terms_blank(*value)) { value++; n--; }
        while (n > 0 && terms_blank(value[n - 1])) n--;
        char *name = (char *)cli_memory(n + 1, 1);
        memcpy(name, value, n);
        return name;
    }
    return NULL;
}

/* The column of that name, or else of that number; c->n: none. */
static size_t terms_column(const cli_columns *c, const char *name)
{
    size_t number = 0;
    const char *p = name;
    for (size_t i = 0; i < c->n; i++)
        if (!strcmp(c->column[i].name, name)) return i;
    for (; *p >= '0' && *p <= '9' && number < c->n; p++) number = 10*number + (size_t)(*p - '0');
    return p == name || *p || number >= c->n ? c->n : number;
}

int terms_is_group(const char *spec, const cli_columns *c, size_t i)
{
    int found = 0;
    for (char *by; !found && (by = terms_next_by(&spec)) != NULL; free(by)) found = terms_column(c, by) == i;
    return found;
}

/* The option at [p, p + n) says something about constants: ones, ones=0, ones=1. Its value, or -1. */
static int terms_ones(const char *p, size_t n)
{
    const char *equals = (const char *)memchr(p, '=', n);
    if (!terms_is(p, equals ? (size_t)(equals - p) : n, "ones")) return -1;
    return !equals || !terms_is(equals + 1, n - (size_t)(equals + 1 - p), "0");
}

/* Does an item [p, p + n) name this column, or one of its words? */
static int terms_means(const char *p, size_t n, const char *name)
{
    const size_t length = strlen(name);
    while (n > 0 && terms_blank(*p)) { p++; n--; }
    while (n > 0 && terms_blank(p[n - 1])) n--;
    return n >= length && !strncmp(p, name, length) && (n == length || p[length] == '=');
}

/* Is the column a part of an item that is made of columns (made.h)? */
static int terms_inside(const char *p, size_t n, const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i + length <= n; i++) {
        const char before = i ? p[i - 1] : '*', after = i + length < n ? p[i + length] : '*';
        if (!strncmp(p + i, name, length) && strchr("*( ", before) && strchr("*)^= ", after)) return 1;
    }
    return 0;
}

/* Marks what a list of columns names; 0: something in it is none. */
static int terms_mark(const char *p, size_t n, unsigned char as, size_t columns, const char *const *names, unsigned char *use)
{
    for (const char *end = p + n;;) {
        const char *next = (const char *)memchr(p, ';', (size_t)(end - p));
        const size_t length = (size_t)((next ? next : end) - p);
        int found = 0, named = 0;
        for (size_t i = 0; i < columns; i++)
            if (terms_means(p, length, names[i])) {
                use[i] |= as;
                found = 1;
                named = named || terms_is(p, length, names[i]) || !memchr(p, '*', length);     /* "g=a*x" names x too */
            }
        for (size_t i = 0; i < columns && !named; i++)
            if (terms_inside(p, length, names[i])) { use[i] |= as; found = 1; }
        if (!found || !next) return found;
        p = next + 1;
    }
}

void terms_uses(const char *spec, size_t n, const char *const *names, unsigned char *use)
{
    int all = !spec;
    memset(use, 0, n);
    for (const char *p = spec; p && *p; p += *p == '+') {
        const size_t length = strcspn(p, "+"), name = strcspn(p, ":+");
        const char *value, *end = p + length;
        int limited = terms_is(p, name, "bias") || terms_is(p, name, "group");
        for (const char *option = p + name; option < end; option += 1 + strcspn(option + 1, ",+")) {
            const int by = terms_is_key(option + 1, "by", &value), cols = !by && terms_is_key(option + 1, "cols", &value);
            if (!by && !cols) continue;
            limited = limited || cols;
            all |= !terms_mark(value, strcspn(value, ",+"), TERMS_READ | TERMS_NAMED | (by ? TERMS_GROUP : 0), n, names, use);
        }
        all |= !limited;
        p = end;
    }
    for (size_t i = 0; i < n && all; i++) use[i] |= TERMS_READ;
}

/* Which inputs does a name stand for: *first and *count. A name of one indicator comes before a number. */
static int terms_find(const cli_columns *c, const char *name, int group, size_t *first, size_t *count)
{
    const size_t at = terms_column(c, name);
    const int named = at < c->n && !strcmp(c->column[at].name, name);
    *count = 1;
    for (*first = 0; !named && !group && *first < c->base; ++*first)
        if (!strcmp(c->inputs[*first], name)) return 1;
    if (at == c->n || (group && !c->column[at].group)) return 0;
    *first = c->column[at].first;
    *count = columns_width(&c->column[at]);
    return 1;
}

/* The place where the value of an option ends. */
static size_t terms_value(const char *p, const char *ends) { return strcspn(p, ends); }

static char *terms_copy(const char *p, size_t n)
{
    while (n > 0 && terms_blank(*p)) { p++; n--; }
    while (n > 0 && terms_blank(p[n - 1])) n--;
    char *text = (char *)cli_memory(n + 1, 1);
    memcpy(text, p, n);
    return text;
}

char *terms_next_item(const char **at)
{
    const char *value = NULL;
    for (const char *p = *at; *p; p++) {
        if (*p == ';') {                                          /* only lists of columns have these */
            const size_t n = terms_value(p + 1, ";,+");
            *at = p + 1 + n;
            return terms_copy(p + 1, n);
        }
        if ((*p != ':' && *p != ',') || !terms_is_key(p + 1, "cols", &value)) continue;
        const size_t n = terms_value(value, ";,+");
        *at = value + n;
        return terms_copy(value, n);
    }
    *at += strlen(*at);
    return NULL;
}

/* ---- terms as lists of inputs */

/* One item: its factors, and the inputs it is; a column by number is a factor too. */
typedef struct terms_item { size_t first, count, n; made_factor factor[MADE_PARTS]; } terms_item;

typedef struct terms_term {
    const char *text;             /* in the SPEC           */
    size_t      n;
    int         line, ones, listed;
    terms_item *item;
    size_t      items;
} terms_term;

typedef struct terms_list { terms_term *term; size_t n; } terms_list;

static terms_item *terms_more(terms_term *t)
{
    t->item = (terms_item *)cli_grow(t->item, t->items + 1, sizeof *t->item);
    memset(&t->item[t->items], 0, sizeof *t->item);
    return &t->item[t->items++];
}

static void terms_whole(const cli_columns *c, size_t column, terms_item *item)
{
    item->first = item->factor[0].first = c->column[column].first;
    item->count = item->factor[0].count = columns_width(&c->column[column]);
    item->factor[0].column = column;
    item->factor[0].power = 1;
    item->n = 1;
}

static int terms_add(const cli_columns *c, const char *text, terms_term *t, cli_why *why)
{
    terms_item *item = terms_more(t);
    char wrong[300];
    item->count = made_find(c, text, &item->first);
    item->n = made_parse(c, text, item->factor, wrong);
    if (item->count) return CLI_GOOD;                              /* it was parsed when it was made */
    if (!terms_find(c, text, 0, &item->first, &item->count)) {
        if (!item->n) return cli_fail(why, "--basis: cols=: %s", wrong);
        item->first = item->factor[0].first;                      /* factor(NAME) */
        item->count = item->factor[0].count;
        return CLI_GOOD;
    }
    const size_t column = terms_column(c, text);                   /* of an indicator, which is no number, there is none */
    if (column < c->n) terms_whole(c, column, item);
    return CLI_GOOD;
}

/* The term [p, p + n): what it is, and what it reads. */
static int terms_read(const cli_columns *c, const char *p, size_t n, terms_term *t, cli_why *why)
{
    const char *colon = (const char *)memchr(p, ':', n), *value, *end = p + n;
    const size_t name = colon ? (size_t)(colon - p) : n;
    int status = CLI_GOOD;
    memset(t, 0, sizeof *t);
    t->text = p;
    t->n = n;
    t->line = terms_is(p, name, "linear") || terms_is(p, name, "polynomial") || terms_is(p, name, "legendre");
    t->ones = t->line || terms_is(p, name, "bias");
    for (const char *at = colon; at && !status; at = (const char *)memchr(at + 1, ',', (size_t)(end - at - 1))) {
        const char *comma = (const char *)memchr(at + 1, ',', (size_t)(end - at - 1));
        const size_t length = (size_t)((comma ? comma : end) - at - 1);
        const int said = terms_ones(at + 1, length);
        if (said >= 0) t->ones = said && t->line;
        if (!terms_is_key(at + 1, "cols", &value)) continue;
        t->listed = 1;
        for (const char *stop = comma ? comma : end; value <= stop && !status;) {
            const size_t one = terms_value(value, ";,+");
            char *text = terms_copy(value, one);
            status = terms_add(c, text, t, why);
            free(text);
            value += one + 1;
        }
    }
    const int all = !t->listed && !terms_is(p, name, "bias") && !terms_is(p, name, "group") && (t->line || c->n_made);
    for (size_t i = 0; i < c->n && all; i++) if (!c->column[i].group) terms_whole(c, i, terms_more(t));
    return status;
}

static void terms_free(terms_list *l)
{
    for (size_t k = 0; k < l->n; k++) free(l->term[k].item);
    free(l->term);
}

static int terms_list_of(const char *spec, const cli_columns *c, terms_list *l, cli_why *why)
{
    int status = CLI_GOOD;
    memset(l, 0, sizeof *l);
    for (const char *p = spec; !status; p++) {
        const size_t n = strcspn(p, "+");
        l->term = (terms_term *)cli_grow(l->term, l->n + 1, sizeof *l->term);
        status = terms_read(c, p, n, &l->term[l->n++], why);
        p += n;
        if (!*p) break;
    }
    return status;
}

/* ---- which inputs of a line are left out */

static int terms_same_factor(const made_factor *a, const made_factor *b)
{
    return a->first == b->first && a->count == b->count && a->function == b->function && a->power == b->power;
}

/* Is the item without factor k one of the list? */
static int terms_has_without(const terms_list *l, const terms_item *item, size_t k)
{
    for (size_t t = 0; t < l->n; t++)
        for (size_t i = 0; i < l->term[t].items && l->term[t].line; i++) {
            const terms_item *other = &l->term[t].item[i];
            size_t found = 0;
            if (other->n + 1 != item->n) continue;
            for (size_t f = 0; f < item->n; f++)
                for (size_t g = 0; g < other->n && f != k; g++)
                    found += (size_t)terms_same_factor(&item->factor[f], &other->factor[g]);
            if (found == other->n) return 1;
        }
    return 0;
}

size_t terms_reference(const cli_columns *c, size_t column, const char *useless)
{
    const cli_column *one = &c->column[column];
    size_t best = one->n_words, k;
    double least = 0.0, v = 0.0;
    for (k = 0; k < one->n_words && number_read(one->words[k], &v) == NUMBER_VALUE; k++) {}
    const int numbers = k == one->n_words;
    for (k = 0; k < one->n_words; k++) {
        if (useless && useless[one->first + k]) continue;
        number_read(one->words[k], &v);
        if (best < one->n_words && (!numbers || v >= least)) continue;
        best = k;
        least = v;
    }
    return best < one->n_words ? best : 0;
}

static int terms_is_words(const cli_columns *c, const made_factor *f)
{
    return f->column < c->n && c->column[f->column].words && !c->column[f->column].group;
}

static void terms_say_reference(const cli_columns *c, size_t column, size_t word, terms_coding *coding)
{
    const char *name = c->inputs[c->column[column].first + word];
    const size_t used = coding->left_out ? strlen(coding->left_out) : 0, n = strlen(name);
    if (used && strstr(coding->left_out, name)) return;
    coding->left_out = (char *)cli_grow(coding->left_out, used + n + 3, 1);
    sprintf(coding->left_out + used, "%s%s", used ? ", " : "", name);
}

/* leave[i] for the inputs of an item. spanned: is the constant among the features so far? */
static void terms_code(const terms_list *l, const terms_item *item, const cli_columns *c, int *spanned, terms_coding *coding,
                       char *leave)
{
    for (size_t k = 0; k < item->n && coding->flat; k++) {
        const made_factor *f = &item->factor[k];
        if (!terms_is_words(c, f)) continue;
        if (item->n == 1 && !*spanned) { *spanned = 1; continue; }
        if (item->n > 1 && !terms_has_without(l, item, k)) continue;
        const size_t word = terms_reference(c, f->column, coding->useless);
        terms_say_reference(c, f->column, word, coding);
        for (size_t i = 0; i < item->count; i++) {
            made_part part[MADE_PARTS];
            const size_t n = made_parts(c, item->first + i, part);
            for (size_t j = 0; j < n; j++) if (part[j].input == f->first + word) leave[item->first + i] = 1;
        }
    }
    for (size_t i = 0; i < item->count && coding->useless; i++)
        if (coding->useless[item->first + i]) leave[item->first + i] = 1;
}

/* ";0;3;4" of a term, which has an input, or as many as are not left out; all if that would be none. */
static void terms_put_inputs(terms_text *to, const terms_term *t, const char *leave)
{
    char number[32];
    size_t n = 0;
    for (size_t i = 0; i < t->items; i++)
        for (size_t k = 0; k < t->item[i].count; k++) {
            if (leave && leave[t->item[i].first + k]) continue;
            snprintf(number, sizeof number, "%s%lu", n++ ? ";" : "", (unsigned long)(t->item[i].first + k));
            terms_put(to, number, strlen(number));
        }
    if (n == 0 && CLI_ALWAYS(leave != NULL)) terms_put_inputs(to, t, NULL);
}

/* by= of a group: the number of its input. */
static int terms_put_by(terms_text *to, const cli_columns *c, const char *value, size_t n, cli_why *why)
{
    size_t first = 0, count;
    char number[32];
    cli_shown shown;
    char *name = terms_copy(value, n);
    const int found = terms_find(c, name, 1, &first, &count);
    const char *role = role_of(c->role, name);
    cli_show(&shown, name);
    if (!found && role) cli_fail(why, "--basis: by=: column \"%s\" is that of %s, and names no groups", shown.text, role);
    else if (!found) cli_fail(why, "--basis: by=: no input column \"%s\"", shown.text);
    free(name);
    snprintf(number, sizeof number, "%lu", (unsigned long)first);
    terms_put(to, number, strlen(number));
    return found ? CLI_GOOD : CLI_FAILED;
}

/* The text of a term, with numbers in place of columns. */
static int terms_put_term(terms_text *to, const terms_term *t, const cli_columns *c, const char *leave, int all, cli_why *why)
{
    const char *p = t->text, *end = p + t->n, *value, *colon = (const char *)memchr(p, ':', t->n);
    int status = CLI_GOOD;
    terms_put(to, p, colon ? (size_t)(colon - p) : t->n);
    for (const char *at = colon; at && !status;) {
        const char *comma = (const char *)memchr(at + 1, ',', (size_t)(end - at - 1)), *stop = comma ? comma : end;
        const int cols = terms_is_key(at + 1, "cols", &value), by = !cols && terms_is_key(at + 1, "by", &value);
        terms_put(to, at, (size_t)((cols || by ? value : stop) - at));
        if (cols) terms_put_inputs(to, t, leave);
        if (by) status = terms_put_by(to, c, value, (size_t)(stop - value), why);
        at = comma;
    }
    if (t->listed || all || !t->items) return status;
    terms_put(to, colon ? ",cols=" : ":cols=", 6);
    terms_put_inputs(to, t, leave);
    return status;
}

int terms_resolve(const char *spec, const cli_columns *c, terms_coding *coding, char **out, cli_why *why)
{
    terms_text to = { NULL, 0, 0 };
    terms_list l;
    char *leave = (char *)cli_memory(c->d + 1, 1);
    int spanned = 0, status = terms_list_of(spec, c, &l, why);
    for (size_t t = 0; t < l.n; t++) spanned = spanned || l.term[t].ones;
    for (size_t t = 0; t < l.n && !status && coding; t++)
        for (size_t i = 0; i < l.term[t].items && l.term[t].line; i++)
            terms_code(&l, &l.term[t].item[i], c, &spanned, coding, leave);
    terms_put(&to, "", 0);
    for (size_t t = 0; t < l.n && !status; t++) {
        const terms_term *term = &l.term[t];
        int all = !c->n_made;
        for (size_t i = 0; i < c->d && term->line; i++) all = all && !leave[i];
        if (t) terms_put(&to, "+", 1);
        status = terms_put_term(&to, term, c, term->line ? leave : NULL, all, why);
    }
    free(leave);
    terms_free(&l);
    if (status) free(to.text);
    else *out = to.text;
    return status;
}

/* One term [p, p + n), without its constant, behind a "+" if it is not the first. Returns whether it had one. */
static int terms_put_apart(terms_text *to, const char *p, size_t n)
{
    const char *colon = (const char *)memchr(p, ':', n), *end = p + n;
    const size_t name = colon ? (size_t)(colon - p) : n;
    const int may = terms_is(p, name, "linear") || terms_is(p, name, "polynomial") || terms_is(p, name, "legendre");
    int ones = may;
    if (terms_is(p, name, "bias")) return 1;
    if (to->n) terms_put(to, "+", 1);
    terms_put(to, p, name);
    if (may) terms_put(to, ":ones=0", 7);
    const char *mark = may ? "," : ":";
    while (colon) {
        const char *option = colon + 1, *comma = (const char *)memchr(option, ',', (size_t)(end - option));
        const size_t length = (size_t)((comma ? comma : end) - option);
        const int said = may ? terms_ones(option, length) : -1;
        if (said >= 0) ones = said;
        else {
            terms_put(to, mark, 1);
            terms_put(to, option, length);
            mark = ",";
        }
        colon = comma;
    }
    return ones;
}

int terms_intercept_apart(const char *spec, int always, char **out)
{
    terms_text to = { NULL, 0, 0 };
    int constant = always;
    terms_put(&to, "", 0);
    for (const char *p = spec;; p++) {
        const size_t n = strcspn(p, "+");
        constant |= terms_put_apart(&to, p, n);
        p += n;
        if (!*p) break;
    }
    if (constant) terms_put(&to, to.n ? "+bias" : "bias", to.n ? 5 : 4);
    *out = to.text;
    return constant;
}
