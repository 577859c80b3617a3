/* terms: copies the SPEC and rewrites what stands behind each cols= */
#include "terms.h"
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

/* Does the option at p begin with "cols =", or whatever the key is? Then *value is behind it. */
static int terms_is_key(const char *p, const char *key, const char **value)
{
    while (terms_blank(*p)) p++;
    if (strncmp(p, key, strlen(key))) return 0;
    p += strlen(key);
    while (terms_blank(*p)) p++;
    *value = p + 1;
    return *p == '=';
}

/* What the next by= behind *at names, to free; NULL: there is none more. */
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

int terms_names_group(const char *spec, const char *name)
{
    int found = 0;
    for (char *by; !found && (by = terms_next_by(&spec)) != NULL; free(by)) found = !strcmp(by, name);
    return found;
}

int terms_is_group(const char *spec, const cli_columns *c, size_t i)
{
    int found = 0;
    for (char *by; !found && (by = terms_next_by(&spec)) != NULL; free(by)) found = terms_column(c, by) == i;
    return found;
}

/* Does an item [p, p + n) name this column, or one of its words? */
static int terms_means(const char *p, size_t n, const char *name)
{
    const size_t length = strlen(name);
    while (n > 0 && terms_blank(*p)) { p++; n--; }
    while (n > 0 && terms_blank(p[n - 1])) n--;
    return n >= length && !strncmp(p, name, length) && (n == length || p[length] == '=');
}

/* Marks what a list of columns names; 0: something in it is none. */
static int terms_mark(const char *p, size_t n, unsigned char as, size_t columns, const char *const *names, unsigned char *use)
{
    for (const char *end = p + n;;) {
        const char *next = (const char *)memchr(p, ';', (size_t)(end - p));
        int found = 0;
        for (size_t i = 0; i < columns; i++)
            if (terms_means(p, (size_t)((next ? next : end) - p), names[i])) { use[i] |= as; found = 1; }
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
    for (*first = 0; !named && !group && *first < c->d; ++*first)
        if (!strcmp(c->inputs[*first], name)) return 1;
    if (at == c->n || (group && !c->column[at].group)) return 0;
    *first = c->column[at].first;
    *count = columns_width(&c->column[at]);
    return 1;
}

/* One item [p, end) of a list, as numbers. */
static int terms_item(const cli_columns *c, const char *key, const char *p, const char *end, terms_text *to, cli_why *why)
{
    size_t first, count;
    char number[32];
    cli_shown shown;
    while (p < end && terms_blank(*p)) p++;
    while (end > p && terms_blank(end[-1])) end--;
    char *name = (char *)cli_memory((size_t)(end - p) + 1, 1);
    memcpy(name, p, (size_t)(end - p));
    const int found = terms_find(c, name, !strcmp(key, "by"), &first, &count);
    if (!found) cli_fail(why, "--basis: %s=: no input column \"%s\"", key, cli_show(&shown, name));
    free(name);
    for (size_t k = 0; found && k < count; k++) {
        snprintf(number, sizeof number, "%s%lu", k ? ";" : "", (unsigned long)(first + k));
        terms_put(to, number, strlen(number));
    }
    return found ? CLI_GOOD : CLI_FAILED;
}

int terms_resolve(const char *spec, const cli_columns *c, char **out, cli_why *why)
{
    terms_text to = { NULL, 0, 0 };
    const char *p = spec, *value;
    int status = CLI_GOOD;
    terms_put(&to, "", 0);
    while (*p && !status) {
        const char before = p > spec ? p[-1] : '+';
        const char *const key = terms_is_key(p, "by", &value) ? "by" : terms_is_key(p, "cols", &value) ? "cols" : NULL;
        if ((before != ':' && before != ',') || !key) { terms_put(&to, p++, 1); continue; }
        terms_put(&to, p, (size_t)(value - p));
        p = value;
        do {
            const size_t n = strcspn(p, ";,+");
            status = terms_item(c, key, p, p + n, &to, why);
            p += n;
            if (*p == ';') terms_put(&to, p, 1);
        } while (*p == ';' && p++ && !status);
    }
    if (status) free(to.text);
    else *out = to.text;
    return status;
}

/* The option at [p, p + n) says something about constants: ones, ones=0, ones=1. Its value, or -1. */
static int terms_ones(const char *p, size_t n)
{
    const char *equals = (const char *)memchr(p, '=', n);
    if (!terms_is(p, equals ? (size_t)(equals - p) : n, "ones")) return -1;
    return !equals || !terms_is(equals + 1, n - (size_t)(equals + 1 - p), "0");
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
