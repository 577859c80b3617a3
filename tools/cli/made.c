/* made: reads the items of cols=, and computes what they stand for */
#include "made.h"
#include "role.h"
#include "terms.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const made_names[MADE_FUNCTIONS] = { "", "log", "sqrt", "exp" };

/* Copies [p, end) without the blanks at its ends. */
static char *made_trim(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    while (end > p && (end[-1] == ' ' || end[-1] == '\t')) end--;
    char *text = (char *)cli_memory((size_t)(end - p) + 1, 1);
    memcpy(text, p, (size_t)(end - p));
    return text;
}

static size_t made_column(const cli_columns *c, const char *name)
{
    size_t i = 0;
    while (i < c->n && strcmp(c->column[i].name, name)) i++;
    return i;
}

/* A column or an indicator of that name. */
static int made_named(const cli_columns *c, const char *name, made_factor *out)
{
    out->column = made_column(c, name);
    if (out->column < c->n) {
        out->first = c->column[out->column].first;
        out->count = columns_width(&c->column[out->column]);
        return 1;
    }
    for (out->first = 0; out->first < c->base; out->first++)
        if (!strcmp(c->inputs[out->first], name)) { out->count = 1; return 1; }
    return 0;
}

/* Cuts off the last ^ and returns the power after it; 1: there is no ^. 0: the power is no number from 2 to 9. */
static int made_power(char *text)
{
    char *at = strrchr(text, '^');
    if (!at) return 1;
    const char *p = at + 1;
    while (*p == ' ') p++;
    if (*p < '2' || *p > '9' || p[1]) return 0;
    const int power = *p - '0';
    while (at > text && at[-1] == ' ') at--;
    *at = '\0';
    return power;
}

static int made_wrong(char *wrong, const char *format, const char *name, const char *more)
{
    cli_shown shown, also;
    snprintf(wrong, 300, format, cli_show(&shown, name), cli_show(&also, more));
    return 0;
}

/* f(NAME): which function, with the name in its place; MADE_FUNCTIONS: factor; -1: none that is known; 0: no call at all. */
static int made_call(char *text, char *wrong)
{
    char *open = strchr(text, '(');
    const size_t n = strlen(text);
    if (!open || text[n - 1] != ')') return 0;
    const size_t length = (size_t)(open - text);
    int f = 1;
    while (f < MADE_FUNCTIONS && (strlen(made_names[f]) != length || strncmp(made_names[f], text, length))) f++;
    if (f == MADE_FUNCTIONS && (length != 6 || strncmp(text, "factor", 6))) {
        made_wrong(wrong, "%s: there are log, sqrt, exp and factor; write a column of anything else into the table", text, "");
        return -1;
    }
    char *name = made_trim(open + 1, text + n - 1);
    strcpy(text, name);
    free(name);
    return f;
}

/* One factor; text is overwritten. */
static int made_factor_of(const cli_columns *c, char *text, made_factor *out, char *wrong)
{
    int f = 0;
    out->function = MADE_ITSELF;
    out->power = 1;
    if (!made_named(c, text, out)) {
        out->power = made_power(text);
        if (!out->power) return made_wrong(wrong, "\"%s\": a power is a whole number from 2 to 9", text, "");
        if (!made_named(c, text, out)) {
            f = made_call(text, wrong);
            if (f < 0) return 0;
            if (f == 0 || !made_named(c, text, out)) {
                const char *role = role_of(c->role, text);
                return made_wrong(wrong, role ? "column \"%s\" is that of %s, and no input" : "no input column \"%s\"", text,
                                  role ? role : "");
            }
        }
    }
    const int words = out->column == c->n || c->column[out->column].words != NULL;
    if (out->column < c->n && c->column[out->column].group)
        return made_wrong(wrong, "column \"%s\" names groups (by=), and stands in no product", text, "");
    if (f == MADE_FUNCTIONS) f = MADE_ITSELF;
    if (words && (f || out->power > 1)) return made_wrong(wrong, "column \"%s\" holds words, which have no %s", text,
                                                          f ? made_names[f] : "powers");
    out->function = f;
    return 1;
}

size_t made_parse(const cli_columns *c, const char *item, made_factor *out, char *wrong)
{
    char *whole = made_trim(item, item + strlen(item));
    const char *p = whole;
    size_t n = 0;
    int good = 1;
    if (made_named(c, whole, out)) {
        out->function = MADE_ITSELF;
        out->power = 1;
        free(whole);
        return 1;
    }
    for (; good; p++) {
        const size_t length = strcspn(p, "*");
        char *text = made_trim(p, p + length);
        if (n == MADE_PARTS) good = made_wrong(wrong, "\"%s\" has more than 6 factors", item, "");
        else if (!*text && *whole) good = made_wrong(wrong, "\"%s\": a name is missing beside *", item, "");
        else good = made_factor_of(c, text, &out[n++], wrong);
        free(text);
        p += length;
        if (!*p) break;
    }
    free(whole);
    return good ? n : 0;
}

size_t made_find(const cli_columns *c, const char *item, size_t *first)
{
    size_t n = 0;
    char *text = made_trim(item, item + strlen(item));
    for (size_t k = 0; k < c->n_made; k++) {
        if (strcmp(c->made[k].item, text)) continue;
        if (n++ == 0) *first = c->base + k;
    }
    free(text);
    return n;
}

int made_is_factor(const char *spec, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = spec; p && (p = strstr(p, "factor(")) != NULL;) {
        p += 7;
        while (*p == ' ') p++;
        if (strncmp(p, name, n)) continue;
        const char *end = p + n;
        while (*end == ' ') end++;
        if (*end == ')') return 1;
    }
    return 0;
}

void made_name(const cli_columns *c, const made_part *part, char *out, size_t size)
{
    const char *name = c->inputs[part->input], *f = made_names[part->function];
    if (part->power == 1) snprintf(out, size, "%s%s%s%s", f, *f ? "(" : "", name, *f ? ")" : "");
    else snprintf(out, size, "%s%s%s%s^%d", f, *f ? "(" : "", name, *f ? ")" : "", part->power);
}

/* "zone=a*log(dose)", to free. */
static char *made_input_name(const cli_columns *c, const cli_made *made)
{
    size_t room = 1;
    for (size_t k = 0; k < made->n; k++) room += strlen(c->inputs[made->part[k].input]) + 12;
    char *name = (char *)cli_memory(room, 1);
    for (size_t k = 0; k < made->n; k++) {
        const size_t used = strlen(name);
        if (k) strcpy(name + used, "*");
        made_name(c, &made->part[k], name + strlen(name), room - strlen(name));
    }
    return name;
}

/* All inputs of one item, the words of its first factor first in turn. */
static int made_add_item(cli_columns *c, const char *item, cli_why *why)
{
    made_factor f[MADE_PARTS];
    char wrong[300];
    cli_shown shown;
    size_t ignored;
    if (made_find(c, item, &ignored)) return CLI_GOOD;
    const size_t n = made_parse(c, item, f, wrong);
    if (n == 0 || (n == 1 && f[0].function == MADE_ITSELF && f[0].power == 1)) return CLI_GOOD;
    size_t count = 1;
    for (size_t k = 0; k < n; k++) {
        count *= f[k].count;
        if (count + c->n_made > MADE_MOST)
            return cli_fail(why, "--basis: %s is more than %d inputs", cli_show(&shown, item), (int)MADE_MOST);
    }
    c->made = (cli_made *)cli_grow(c->made, c->n_made + count, sizeof *c->made);
    c->inputs = (char **)cli_grow(c->inputs, c->d + count, sizeof *c->inputs);
    for (size_t i = 0; i < count; i++) {
        cli_made *made = &c->made[c->n_made];
        size_t rest = i;
        memset(made, 0, sizeof *made);
        made->item = made_trim(item, item + strlen(item));
        made->n = n;
        for (size_t k = 0; k < n; k++) {
            made->part[k].input = f[k].first + rest % f[k].count;
            made->part[k].function = f[k].function;
            made->part[k].power = f[k].power;
            rest /= f[k].count;
        }
        c->inputs[c->d] = made_input_name(c, made);
        c->n_made++;
        c->d++;
    }
    return CLI_GOOD;
}

int made_add(cli_columns *c, const char *spec, cli_why *why)
{
    int status = CLI_GOOD;
    for (char *item; !status && spec && (item = terms_next_item(&spec)) != NULL; free(item)) status = made_add_item(c, item, why);
    return status;
}

void made_free(cli_columns *c)
{
    for (size_t k = 0; k < c->n_made; k++) free(c->made[k].item);
    free(c->made);
    c->made = NULL;
    c->n_made = 0;
}

size_t made_parts(const cli_columns *c, size_t i, made_part *out)
{
    if (i >= c->base) {
        memcpy(out, c->made[i - c->base].part, c->made[i - c->base].n*sizeof *out);
        return c->made[i - c->base].n;
    }
    out->input = i;
    out->function = MADE_ITSELF;
    out->power = 1;
    return 1;
}

int made_indicator(const cli_columns *c, size_t input, size_t *column, size_t *word)
{
    size_t low = 0, high = c->n;
    while (high - low > 1) {
        const size_t middle = low + (high - low)/2;
        if (c->column[middle].first <= input) low = middle;
        else high = middle;
    }
    *column = low;
    *word = input - c->column[low].first;
    return c->column[low].words && !c->column[low].group;
}

static double made_value(const made_part *part, double x)
{
    double v = part->function == MADE_LOG ? (x > 0.0 ? log(x) : NAN) : part->function == MADE_SQRT ? (x >= 0.0 ? sqrt(x) : NAN)
             : part->function == MADE_EXP ? exp(x) : x;
    const double one = v;
    for (int k = 1; k < part->power; k++) v *= one;
    return v;
}

size_t made_fill(const cli_columns *c, size_t n, double *X, made_part *bad, size_t *input)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < c->n_made; k++) {
            const cli_made *made = &c->made[k];
            double *x = X + i*c->d, v = 1.0;
            for (size_t l = 0; l < made->n; l++) {
                v *= made_value(&made->part[l], x[made->part[l].input]);
                if (isfinite(v)) continue;
                *bad = made->part[l];
                *input = made->part[l].input;
                return i;
            }
            x[c->base + k] = v;
        }
    return n;
}

const char *made_reason(const made_part *bad)
{
    return bad->function == MADE_LOG ? "has no logarithm, which needs a number above 0"
         : bad->function == MADE_SQRT ? "has no square root, which needs 0 or more" : "is too large";
}

/* Removes repeated names from a list: "a, a, b" becomes "a, b". */
static void made_once_each(char *list)
{
    const char *before = list, *end = list + strlen(list);
    size_t n = strcspn(list, ",");
    char *to = list + n;
    for (const char *p = to; p < end; p += n) {                  /* at a comma */
        n = 1 + strcspn(p + 1, ",");
        const size_t kept = (size_t)(to - before);
        if (n - 2 == kept && !strncmp(before, p + 2, kept)) continue;
        memmove(to, p, n);
        before = to + 2;
        to += n;
    }
    *to = '\0';
}

void made_slice_name(const cli_columns *c, const bln_basis *basis, size_t s, char *out, size_t size)
{
    char name[4000];
    const char **of = (const char **)cli_memory(c->d, sizeof *of);
    for (size_t k = 0; k < c->n; k++)
        for (size_t i = 0; i < columns_width(&c->column[k]); i++) of[c->column[k].first + i] = c->column[k].name;
    for (size_t i = 0; i < c->n_made; i++) of[c->base + i] = c->made[i].item;
    bln_basis_slice_name(basis, s, of, name, sizeof name);
    char *list = strstr(name, " of ");
    if (list) made_once_each(list + 4);
    if (strlen(name) >= size) {
        size_t n = size - 4;
        while (((unsigned char)name[n] & 0xC0u) == 0x80u) n--;    /* not within a character of UTF-8; the first is a letter */
        strcpy(name + n, "...");
    }
    strcpy(out, name);
    free((void *)of);
}
