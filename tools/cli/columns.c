/* columns: learning what each column is, and turning rows of cells into rows of numbers */
#include "columns.h"
#include "number.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int columns_complain(const csv_table *t, const csv_cell *cell, const char *name, const char *what, cli_why *why)
{
    cli_shown column_name, text;
    csv_place place;
    return cli_fail(why, "%s: column \"%s\": \"%s\" %s", csv_where(&place, t, cell), cli_show(&column_name, name),
                    cli_show(&text, cell->text), what);
}

#define COLUMNS_COMMA "has a comma: write decimals with a point, as 3.14, and thousands without a mark"

int columns_number(const csv_table *t, size_t row, size_t at, const char *name, double *out, cli_why *why)
{
    const csv_cell *cell = csv_at(t, row, at);
    switch (number_read(cell->text, out)) {
    case NUMBER_VALUE:   return CLI_GOOD;
    case NUMBER_MISSING: return columns_complain(t, cell, name, "is a missing value", why);
    case NUMBER_RANGE:   return columns_complain(t, cell, name, "is too large for a number", why);
    case NUMBER_WORD:    break;
    }
    return columns_complain(t, cell, name, number_has_comma(cell->text) ? COLUMNS_COMMA : "is not a number", why);
}

static int columns_by_bytes(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* The sorted words of a column, each once. */
static int columns_words(const csv_table *t, size_t at, size_t n_rows, const size_t *rows, cli_column *out, cli_why *why)
{
    double ignored;
    size_t n = 0;
    cli_shown shown;
    char **words = (char **)cli_memory(n_rows, sizeof *words);
    for (size_t i = 0; i < n_rows; i++) {
        char *text = csv_at(t, rows[i], at)->text;
        if (number_read(text, &ignored) != NUMBER_MISSING) words[n++] = text;
    }
    qsort(words, n, sizeof *words, columns_by_bytes);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || strcmp(words[i], words[kept - 1])) words[kept++] = words[i];
    if (kept > COLUMNS_WORDS) {
        free(words);
        return cli_fail(why, "%s: column \"%s\" holds %lu different words: a name for each row? (--ignore leaves it out)", t->file,
                        cli_show(&shown, t->names[at].text), (unsigned long)kept);
    }
    for (size_t i = 0; i < kept; i++) words[i] = cli_copy(words[i]);
    out->words = words;
    out->n_words = kept;
    return CLI_GOOD;
}

/* Numbers, words, or a mistake. */
static int columns_learn_one(const csv_table *t, size_t at, int words_allowed, size_t n_rows, const size_t *rows, cli_column *out,
                             cli_why *why)
{
    const char *name = t->names[at].text;
    const csv_cell *stray = NULL;
    size_t numbers = 0, strays = 0, commas = 0;
    double ignored;
    cli_shown shown;
    for (size_t i = 0; i < n_rows; i++) {
        const csv_cell *cell = csv_at(t, rows[i], at);
        const number_kind kind = number_read(cell->text, &ignored);
        if (kind == NUMBER_VALUE) numbers++;
        if (kind == NUMBER_RANGE) return columns_complain(t, cell, name, "is too large for a number", why);
        if (kind != NUMBER_WORD) continue;
        if (strays++ == 0) stray = cell;
        commas += number_has_comma(cell->text) != 0;
    }
    if (numbers + strays == 0) return cli_fail(why, "%s: column \"%s\" has no values", t->file, cli_show(&shown, name));
    if (strays == 0) return CLI_GOOD;
    if (2*commas > strays) {
        size_t i = 0;
        while (!number_has_comma(csv_at(t, rows[i], at)->text)) i++;
        return columns_complain(t, csv_at(t, rows[i], at), name, COLUMNS_COMMA, why);
    }
    if (words_allowed && strays > numbers) return columns_words(t, at, n_rows, rows, out, why);
    char what[100];
    snprintf(what, sizeof what, "is not a number (%lu of %lu cells are)", (unsigned long)numbers,
             (unsigned long)(numbers + strays));
    return columns_complain(t, stray, name, what, why);
}

/* "colour=red" */
static char *columns_indicator(const char *name, const char *word)
{
    const size_t n = strlen(name);
    char *text = (char *)cli_memory(n + strlen(word) + 2, 1);
    memcpy(text, name, n);
    text[n] = '=';
    strcpy(text + n + 1, word);
    return text;
}

/* First inputs and input names, from names and words. */
static void columns_number_inputs(cli_columns *c)
{
    c->d = 0;
    for (size_t i = 0; i < c->n; i++) {
        c->column[i].first = c->d;
        c->d += c->column[i].words ? c->column[i].n_words : 1;
    }
    c->inputs = (char **)cli_memory(c->d, sizeof *c->inputs);
    for (size_t i = 0; i < c->n; i++) {
        const cli_column *one = &c->column[i];
        if (!one->words) c->inputs[one->first] = cli_copy(one->name);
        for (size_t k = 0; k < one->n_words; k++) c->inputs[one->first + k] = columns_indicator(one->name, one->words[k]);
    }
}

size_t columns_places(const cli_columns *c) { return c->n + c->n_targets + COLUMNS_OTHERS; }

int columns_learn(const csv_table *t, size_t n_targets, const char *const *targets, const char *const *roles, size_t n_used,
                  const size_t *used, size_t n_rows, const size_t *rows, cli_columns *out, cli_why *why)
{
    cli_column of_target;
    cli_columns c;
    int status = CLI_GOOD;
    memset(&c, 0, sizeof c);
    memset(&of_target, 0, sizeof of_target);
    c.n_targets = n_targets;
    c.targets = (char **)cli_memory(n_targets, sizeof *c.targets);
    for (size_t k = 0; k < n_targets; k++) c.targets[k] = cli_copy(targets[k]);
    for (int k = 0; k < ROLE_COUNT; k++) c.role[k] = roles[k] ? cli_copy(roles[k]) : NULL;
    c.column = (cli_column *)cli_memory(n_used, sizeof *c.column);
    for (size_t k = 0; k < n_targets && !status; k++)
        status = columns_learn_one(t, csv_find(t, targets[k]), 0, n_rows, rows, &of_target, why);
    for (size_t i = 0; i < n_used && !status; i++) {
        c.n = i + 1;
        c.column[i].name = cli_copy(t->names[used[i]].text);
        status = columns_learn_one(t, used[i], 1, n_rows, rows, &c.column[i], why);
    }
    if (status) {
        columns_free(&c);
        return status;
    }
    columns_number_inputs(&c);
    *out = c;
    return CLI_GOOD;
}

void columns_free(cli_columns *c)
{
    for (size_t i = 0; i < c->n; i++) {
        for (size_t k = 0; k < c->column[i].n_words; k++) free(c->column[i].words[k]);
        free(c->column[i].words);
        free(c->column[i].name);
    }
    for (size_t i = 0; i < c->d && c->inputs; i++) free(c->inputs[i]);
    free(c->inputs);
    free(c->column);
    for (size_t k = 0; k < c->n_targets; k++) free(c->targets[k]);
    free(c->targets);
    for (int k = 0; k < ROLE_COUNT; k++) free(c->role[k]);
    memset(c, 0, sizeof *c);
}

static int columns_need(const csv_table *t, const char *name, const char *as_what, size_t *at, cli_why *why)
{
    cli_shown shown;
    *at = csv_find(t, name);
    if (*at < t->n_columns) return CLI_GOOD;
    return cli_fail(why, "%s: no column \"%s\", which the model needs%s%s", t->file, cli_show(&shown, name), as_what, csv_hint(t));
}

int columns_find(const cli_columns *c, const csv_table *t, columns_use use, const char *group, size_t *at, cli_why *why)
{
    static const char *const as_role[ROLE_COUNT] = { " as its weights", " as its noise variances", " as its offset" };
    size_t *targets = at + c->n, *others = targets + c->n_targets;
    int status = CLI_GOOD;
    for (size_t i = c->n; i < columns_places(c); i++) at[i] = COLUMNS_NOWHERE;
    for (size_t i = 0; i < c->n && !status; i++) status = columns_need(t, c->column[i].name, "", &at[i], why);
    for (size_t k = 0; k < c->n_targets && !status && use != COLUMNS_PREDICT; k++)
        status = columns_need(t, c->targets[k], " as its target", &targets[k], why);
    for (int k = 0; k < ROLE_COUNT && !status; k++) {
        const int needed = k == ROLE_OFFSET || use == COLUMNS_LEAVE_OUT;
        if (!c->role[k] || (k == ROLE_WEIGHTS && !needed)) continue;
        if (needed) status = columns_need(t, c->role[k], as_role[k], &others[k], why);
        else if (csv_find(t, c->role[k]) < t->n_columns) others[k] = csv_find(t, c->role[k]);
    }
    if (!status && group) {
        cli_shown shown;
        others[COLUMNS_GROUP] = csv_find(t, group);
        if (others[COLUMNS_GROUP] == t->n_columns)
            status = cli_fail(why, "%s: no column \"%s\" (--loo-group)", t->file, cli_show(&shown, group));
    }
    return status;
}

static int columns_indicate(const cli_column *one, const csv_table *t, const csv_cell *cell, int unseen_zero, double *x,
                            cli_why *why)
{
    const char *text = cell->text;
    double ignored;
    if (number_read(text, &ignored) == NUMBER_MISSING) return columns_complain(t, cell, one->name, "is a missing value", why);
    char **found = (char **)bsearch(&text, one->words, one->n_words, sizeof *one->words, columns_by_bytes);
    for (size_t k = 0; k < one->n_words; k++) x[one->first + k] = 0.0;
    if (found) x[one->first + (size_t)(found - one->words)] = 1.0;
    if (found || unseen_zero) return CLI_GOOD;
    return columns_complain(t, cell, one->name, "is no word of the training rows (--unseen zero: then it is none of theirs)", why);
}

int columns_encode(const cli_columns *c, const csv_table *t, const size_t *at, size_t n_rows, const size_t *rows, int unseen_zero,
                   double *X, double *y, cli_why *why)
{
    int status = CLI_GOOD;
    for (size_t i = 0; i < n_rows && !status; i++) {
        double *x = X + i*c->d;
        for (size_t k = 0; k < c->n && !status; k++) {
            const cli_column *one = &c->column[k];
            if (one->words) status = columns_indicate(one, t, csv_at(t, rows[i], at[k]), unseen_zero, x, why);
            else status = columns_number(t, rows[i], at[k], one->name, x + one->first, why);
        }
        for (size_t k = 0; k < c->n_targets && y && !status; k++)
            status = columns_number(t, rows[i], at[c->n + k], c->targets[k], y + i*c->n_targets + k, why);
    }
    return status;
}

int columns_role(const csv_table *t, cli_role role, size_t at, size_t n_rows, const size_t *rows, double *out, cli_why *why)
{
    const char *name = t->names[at].text;
    for (size_t i = 0; i < n_rows; i++) {
        const int status = columns_number(t, rows[i], at, name, &out[i], why);
        if (status) return status;
        if (role == ROLE_WEIGHTS && !(out[i] >= 0.0))
            return columns_complain(t, csv_at(t, rows[i], at), name, "is no weight: it must be 0 or more", why);
        if (role == ROLE_NOISE_VAR && !(out[i] > 0.0))
            return columns_complain(t, csv_at(t, rows[i], at), name, "is no noise variance: it must be more than 0", why);
    }
    return CLI_GOOD;
}

size_t columns_groups(const csv_table *t, size_t at, size_t n_rows, const size_t *rows, size_t *group)
{
    char **words = (char **)cli_memory(n_rows, sizeof *words);
    size_t n = 0;
    for (size_t i = 0; i < n_rows; i++) words[i] = csv_at(t, rows[i], at)->text;
    qsort(words, n_rows, sizeof *words, columns_by_bytes);
    for (size_t i = 0; i < n_rows; i++)
        if (n == 0 || strcmp(words[i], words[n - 1])) words[n++] = words[i];
    for (size_t i = 0; i < n_rows; i++) {
        char *text = csv_at(t, rows[i], at)->text;
        group[i] = (size_t)((char **)bsearch(&text, words, n, sizeof *words, columns_by_bytes) - words);
    }
    free(words);
    return n;
}

/* In a model file: str (first) target, u32 n, then for each column str name, u32 1 for words or 0, and for words u32 count and as
 * many str, sorted. */
void columns_save(const cli_columns *c, bln_writer *w)
{
    bln_put_string(w, c->targets[0]);
    bln_put_u32(w, (uint32_t)c->n);
    for (size_t i = 0; i < c->n; i++) {
        const cli_column *one = &c->column[i];
        bln_put_string(w, one->name);
        bln_put_u32(w, one->words ? 1 : 0);
        if (!one->words) continue;
        bln_put_u32(w, (uint32_t)one->n_words);
        for (size_t k = 0; k < one->n_words; k++) bln_put_string(w, one->words[k]);
    }
}

/* A count of things of which each takes at least `unit` bytes, so that a damaged one never becomes an allocation. */
static size_t columns_load_count(bln_reader *r, size_t unit)
{
    const uint32_t n = bln_get_u32(r);
    if (r->status == BLN_OK && n > (r->limit - r->count)/unit) bln_reader_fail(r, BLN_EFORMAT, "a count larger than the file");
    return r->status == BLN_OK ? n : 0;
}

char *columns_load_text(bln_reader *r)
{
    const size_t n = columns_load_count(r, 1);
    char *text = (char *)cli_memory(n + 1, 1);
    bln_get_bytes(r, text, n);
    if (r->status == BLN_OK && memchr(text, 0, n)) bln_reader_fail(r, BLN_EFORMAT, "a zero byte in a text");
    if (r->status == BLN_OK) return text;
    free(text);
    return NULL;
}

static void columns_load_words(bln_reader *r, cli_column *one)
{
    const size_t n = columns_load_count(r, 4);
    if (r->status == BLN_OK && (n == 0 || n > COLUMNS_WORDS)) bln_reader_fail(r, BLN_EFORMAT, "no words in a column, or too many");
    if (r->status != BLN_OK) return;
    one->words = (char **)cli_memory(n, sizeof *one->words);
    for (; one->n_words < n; one->n_words++) {
        char *word = columns_load_text(r);
        if (!word) return;
        one->words[one->n_words] = word;
        if (one->n_words > 0 && strcmp(word, one->words[one->n_words - 1]) <= 0) {
            one->n_words++;
            bln_reader_fail(r, BLN_EFORMAT, "words out of order");
            return;
        }
    }
}

bln_status columns_load(bln_reader *r, cli_columns *out)
{
    cli_columns c;
    memset(&c, 0, sizeof c);
    c.targets = (char **)cli_memory(1, sizeof *c.targets);
    c.targets[0] = columns_load_text(r);
    c.n_targets = 1;
    const size_t n = columns_load_count(r, 8);
    c.column = (cli_column *)cli_memory(n, sizeof *c.column);
    while (r->status == BLN_OK && c.n < n) {
        cli_column *one = &c.column[c.n++];
        one->name = columns_load_text(r);
        const uint32_t words = bln_get_u32(r);
        if (words > 1) bln_reader_fail(r, BLN_EFORMAT, "a column of an unknown kind");
        if (words == 1 && r->status == BLN_OK) columns_load_words(r, one);
    }
    if (r->status != BLN_OK) columns_free(&c);
    else {
        columns_number_inputs(&c);
        *out = c;
    }
    return r->status;
}

/* In a model file: ROLE_COUNT str, weights, noise variance, offset; empty: none. No column with a role has an empty name. */
void columns_save_roles(const cli_columns *c, bln_writer *w)
{
    for (int k = 0; k < ROLE_COUNT; k++) bln_put_string(w, c->role[k] ? c->role[k] : "");
}

bln_status columns_load_roles(bln_reader *r, cli_columns *c)
{
    for (int k = 0; k < ROLE_COUNT && r->status == BLN_OK; k++) {
        char *name = columns_load_text(r);
        if (name && *name) c->role[k] = name;
        else free(name);
    }
    return r->status;
}

/* In a model file: u32 how many targets there are behind the first, and a str for each. */
void columns_save_targets(const cli_columns *c, bln_writer *w)
{
    bln_put_u32(w, (uint32_t)(c->n_targets - 1));
    for (size_t k = 1; k < c->n_targets; k++) bln_put_string(w, c->targets[k]);
}

bln_status columns_load_targets(bln_reader *r, cli_columns *c)
{
    const size_t more = columns_load_count(r, 4);
    c->targets = (char **)cli_grow(c->targets, 1 + more, sizeof *c->targets);
    for (size_t k = 0; k < more && r->status == BLN_OK; k++) {
        char *name = columns_load_text(r);
        if (name) c->targets[c->n_targets++] = name;
    }
    return r->status;
}
