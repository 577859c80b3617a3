/* columns: learning what each column is, and turning rows of cells into rows of numbers */
#include "columns.h"
#include "made.h"
#include "number.h"
#include "role.h"
#include "terms.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int columns_complain(const csv_table *t, const csv_cell *cell, const char *name, const char *what, cli_why *why)
{
    cli_shown column_name, text;
    csv_place place;
    return cli_fail(why, "%s: column \"%s\": \"%s\" %s", csv_where(&place, t, cell), cli_show(&column_name, name),
                    cli_show(&text, cell->text), what);
}

#define COLUMNS_RANGE "is too large for a number"
#define COLUMNS_INFINITE "is infinite, which no model can take"
#define COLUMNS_COMMA "has a comma: write decimals with a point, as 3.14, or --decimal comma"

int columns_number(const csv_table *t, size_t row, size_t at, const char *name, double *out, cli_why *why)
{
    const csv_cell *cell = csv_at(t, row, at);
    switch (number_read(cell->text, out)) {
    case NUMBER_VALUE:   return CLI_GOOD;
    case NUMBER_MISSING: return columns_complain(t, cell, name, "is a missing value", why);
    case NUMBER_RANGE:   return columns_complain(t, cell, name, COLUMNS_RANGE, why);
    case NUMBER_INFINITE: return columns_complain(t, cell, name, COLUMNS_INFINITE, why);
    default:             break;                                /* a word */
    }
    return columns_complain(t, cell, name, number_has_comma(cell->text) ? COLUMNS_COMMA : "is not a number", why);
}

int columns_target(const cli_columns *c, const csv_table *t, size_t row, size_t at, size_t k, double *out, cli_why *why)
{
    const csv_cell *cell = csv_at(t, row, at);
    double v = 0.0;
    const int status = !c->n_classes || c->class_value ? columns_number(t, row, at, c->targets[k], &v, why) : CLI_GOOD;
    *out = v;
    if (status || !c->n_classes) return status;
    for (size_t is = 0; is < c->n_classes; is++) {
        *out = (double)is;
        if (c->class_value ? v == c->class_value[is] : !strcmp(cell->text, c->classes[is])) return CLI_GOOD;
    }
    return columns_complain(t, cell, c->targets[k], c->n_classes == 2 ? "is none of the two classes of the training rows"
                                                    : "is none of the classes of the training rows", why);
}

static int columns_by_bytes(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* ---- learning what a column is, from one block of rows after the other */

/* A hash set of up to COLUMNS_WORDS texts; one more empties it for good. The number of slots is a power of 2, and doubles before
 * more than half of them are taken, so that a column of few words takes few bytes. */
typedef struct words_set { char **slot; size_t slots, n; int full; } words_set;

static void words_clear(words_set *w)
{
    for (size_t i = 0; i < w->slots; i++) free(w->slot[i]);
    free(w->slot);
    w->slot = NULL;
    w->slots = w->n = 0;
}

/* The slot of this text, or the free one where it belongs. */
static char **words_slot(const words_set *w, const char *text)
{
    size_t at = 5381;
    for (const char *p = text; *p; p++) at = 33*at ^ (unsigned char)*p;
    for (at ^= at >> 12;; at++) {
        char **slot = &w->slot[at & (w->slots - 1)];
        if (!*slot || !strcmp(*slot, text)) return slot;
    }
}

static void words_grow(words_set *w)
{
    words_set more;
    memset(&more, 0, sizeof more);
    more.slots = w->slots ? 2*w->slots : 8;
    more.slot = (char **)cli_memory(more.slots, sizeof *more.slot);
    more.n = w->n;
    for (size_t i = 0; i < w->slots; i++)
        if (w->slot[i]) *words_slot(&more, w->slot[i]) = w->slot[i];
    free(w->slot);
    *w = more;
}

static void words_add(words_set *w, const char *text)
{
    if (w->full) return;
    if (2*w->n >= w->slots) words_grow(w);
    char **slot = words_slot(w, text);
    if (*slot) return;
    if (w->n == COLUMNS_WORDS) {
        w->full = 1;
        words_clear(w);
        return;
    }
    *slot = cli_copy(text);
    w->n++;
}

/* Copies of the first cells that are no number, or have a comma. */
typedef struct column_learner {
    size_t    at, numbers, strays, commas;
    csv_cell  stray, comma;
    words_set words;
    int       names;                   /* is a number a name?  */
} column_learner;

struct columns_learner {
    cli_columns     cols;              /* names, without kinds                             */
    column_learner *column;            /* cols.n + 1: the last one is the target           */
    int             failed;
    size_t          classes;           /* how many the target may hold; 0: it is a number  */
    const char     *basis;             /* or NULL                                          */
};

static void columns_keep_cell(csv_cell *to, const csv_cell *cell)
{
    *to = *cell;
    to->text = cli_copy(cell->text);
}

/* Writes the text of a group to out, so that equal numbers have equal texts: 1 for 1.0, 01 and 1e0. Numbers with more digits than a
 * double holds stay as they are. */
enum { COLUMNS_DIGITS = 15, COLUMNS_NUMBER = 40 };
static const char *columns_group_text(const char *text, char *out)
{
    size_t digits = 0;
    double v = 0.0;
    for (const char *p = text; *p && *p != 'e' && *p != 'E'; p++) digits += *p >= '0' && *p <= '9' && (digits || *p != '0');
    if (digits > COLUMNS_DIGITS || number_read(text, &v) != NUMBER_VALUE) return text;
    snprintf(out, COLUMNS_NUMBER, "%.*g", COLUMNS_DIGITS, v + 0.0);                                     /* -0 is 0 */
    return out;
}

static int columns_learn_cell(column_learner *l, const csv_table *t, const csv_cell *cell, int words_allowed, cli_why *why)
{
    double ignored;
    char room[COLUMNS_NUMBER];
    const number_kind kind = number_read(cell->text, &ignored);
    if (kind == NUMBER_MISSING) return CLI_GOOD;
    if (kind == NUMBER_RANGE || kind == NUMBER_INFINITE)
        return columns_complain(t, cell, t->names[l->at].text, kind == NUMBER_RANGE ? COLUMNS_RANGE : COLUMNS_INFINITE, why);
    if (words_allowed) words_add(&l->words, l->names ? columns_group_text(cell->text, room) : cell->text);
    if (kind == NUMBER_VALUE) l->numbers++;
    if (kind != NUMBER_WORD) return CLI_GOOD;
    if (l->strays++ == 0) columns_keep_cell(&l->stray, cell);
    if (number_has_comma(cell->text) && l->commas++ == 0) columns_keep_cell(&l->comma, cell);
    return CLI_GOOD;
}

/* The words, sorted, each once. */
static int columns_words(const column_learner *l, const csv_table *t, cli_column *out, cli_why *why)
{
    cli_shown shown;
    size_t n = 0;
    if (l->words.full)
        return cli_fail(why, "%s: column \"%s\" holds more than %d different %s", t->file,
                        cli_show(&shown, t->names[l->at].text), COLUMNS_WORDS,
                        out->group ? "groups, and by= takes no more" : "words: a name for each row? (--ignore leaves it out)");
    char **words = (char **)cli_memory(l->words.n, sizeof *words);
    for (size_t i = 0; i < l->words.slots; i++) if (l->words.slot[i]) words[n++] = cli_copy(l->words.slot[i]);
    qsort(words, n, sizeof *words, columns_by_bytes);
    out->words = words;
    out->n_words = n;
    return CLI_GOOD;
}

/* Numbers, words, or a mistake. */
static int columns_learn_one(const column_learner *l, const csv_table *t, int words_allowed, cli_column *out, cli_why *why)
{
    const char *name = t->names[l->at].text;
    cli_shown shown;
    out->values = l->numbers + l->strays;
    if (out->values == 0) return cli_fail(why, "%s: column \"%s\" has no values", t->file, cli_show(&shown, name));
    if (out->group) {
        const int status = columns_words(l, t, out, why);
        if (status || out->n_words > 1) return status;
        return cli_fail(why, "%s: column \"%s\" names one group only (by= of the basis)", t->file, cli_show(&shown, name));
    }
    if (l->names) return columns_words(l, t, out, why);
    if (l->strays == 0) return CLI_GOOD;
    if (2*l->commas > l->strays) return columns_complain(t, &l->comma, name, COLUMNS_COMMA, why);
    if (words_allowed && l->strays > l->numbers) return columns_words(l, t, out, why);
    char what[300];
    snprintf(what, sizeof what, "is not a number (%lu of %lu cells are)%s", (unsigned long)l->numbers,
             (unsigned long)(l->numbers + l->strays),
             l->numbers ? "" : "; words are a target of --likelihood bernoulli (two of them) or categorical. For --likelihood "
                               "ordinal write them into the table as 0, 1, 2, ..., from the lowest to the highest: as words they "
                               "have no order");
    return columns_complain(t, &l->stray, name, what, why);
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
        c->d += columns_width(&c->column[i]);
    }
    c->inputs = (char **)cli_memory(c->d, sizeof *c->inputs);
    for (size_t i = 0; i < c->n; i++) {
        const cli_column *one = &c->column[i];
        if (!one->words || one->group) c->inputs[one->first] = cli_copy(one->name);
        for (size_t k = 0; k < one->n_words && !one->group; k++)
            c->inputs[one->first + k] = columns_indicator(one->name, one->words[k]);
    }
    c->base = c->d;
}

size_t columns_width(const cli_column *one) { return one->words && !one->group ? one->n_words : 1; }

void columns_set_groups(const cli_columns *c, size_t n, double *X)
{
    for (size_t k = 0; k < c->n; k++)
        for (size_t i = 0; i < n && c->column[k].group; i++)
            X[i*c->d + c->column[k].first] = (double)c->column[k].n_words;
}

void columns_keep_groups(const cli_columns *c, size_t n, const double *from, size_t ldx, double *X)
{
    for (size_t k = 0; k < c->n; k++)
        for (size_t i = 0; i < n && c->column[k].group; i++) X[i*c->d + c->column[k].first] = from[i*ldx + c->column[k].first];
}

size_t columns_note_unseen(const cli_columns *c, const char *file, size_t n, const double *X)
{
    cli_shown name;
    cli_counted rows;
    size_t notes = 0;
    for (size_t k = 0; k < c->n; k++) {
        size_t unseen = 0, none = 0;
        for (size_t i = 0; i < n && c->column[k].group; i++) {
            const double x = X[i*c->d + c->column[k].first];
            unseen += x == BLN_GROUP_NONE || x == (double)c->column[k].n_words;
        }
        for (size_t i = 0; i < n && c->column[k].words && !c->column[k].group; i++) {
            size_t w = 0;
            while (w < c->column[k].n_words && X[i*c->d + c->column[k].first + w] == 0.0) w++;
            none += w == c->column[k].n_words;
        }
        if (none) cli_note("%s: %lu of %s with words (column \"%s\") that the training rows did not have: they are taken for none "
                           "of the words, which with --prior flat is what the others are compared with", file, (unsigned long)none,
                           cli_count(&rows, n, "row"), cli_show(&name, c->column[k].name));
        if (unseen) cli_note("%s: %lu of %s of groups (column \"%s\") that the training rows did not have", file,
                             (unsigned long)unseen, cli_count(&rows, n, "row"), cli_show(&name, c->column[k].name));
        notes += unseen > 0;
    }
    return notes;
}

size_t columns_places(const cli_columns *c) { return c->n + c->n_targets + COLUMNS_OTHERS; }

columns_learner *columns_learn_begin(const csv_table *t, size_t n_targets, const char *const *targets, size_t classes,
                                     const char *const *roles, const char *basis, size_t n_used, const size_t *used)
{
    columns_learner *l = (columns_learner *)cli_memory(1, sizeof *l);
    cli_columns *c = &l->cols;
    l->column = (column_learner *)cli_memory(n_targets + n_used, sizeof *l->column);
    c->n_targets = n_targets;
    c->targets = (char **)cli_memory(n_targets, sizeof *c->targets);
    for (size_t k = 0; k < n_targets; k++) {
        c->targets[k] = cli_copy(targets[k]);
        l->column[k].at = csv_find(t, targets[k]);
    }
    for (int k = 0; k < ROLE_COUNT; k++) c->role[k] = roles[k] ? cli_copy(roles[k]) : NULL;
    l->classes = classes;
    l->basis = basis;
    c->column = (cli_column *)cli_memory(n_used, sizeof *c->column);
    c->n = n_used;
    for (size_t i = 0; i < n_used; i++) {
        c->column[i].name = cli_copy(t->names[used[i]].text);
        l->column[n_targets + i].at = used[i];
    }
    for (size_t i = 0; i < n_used; i++) {
        c->column[i].group = terms_is_group(basis, c, i);
        l->column[n_targets + i].names = c->column[i].group || made_is_factor(basis, c->column[i].name)
                                      || (t->as_words && t->as_words[used[i]]);
    }
    return l;
}

/* The columns first .. end - 1: targets, then inputs. */
static int columns_learn_some(columns_learner *l, const csv_table *t, size_t first, size_t end, size_t n_rows, const size_t *rows,
                              cli_why *why)
{
    for (size_t k = first; k < end && !l->failed; k++)
        for (size_t i = 0; i < n_rows && !l->failed; i++)
            l->failed = columns_learn_cell(&l->column[k], t, csv_at(t, rows[i], l->column[k].at),
                                           k >= l->cols.n_targets || l->classes > 0, why);
    return l->failed;
}

int columns_learn_rows(columns_learner *l, const csv_table *t, size_t n_rows, const size_t *rows, cli_why *why)
{
    return columns_learn_some(l, t, 0, l->cols.n_targets + l->cols.n, n_rows, rows, why);
}

/* Is this number of classes allowed? */
static int columns_count_classes(const cli_columns *c, const csv_table *t, size_t n, const char *kind, size_t most, cli_why *why)
{
    cli_shown name;
    cli_counted kinds;
    if (n >= 2 && n <= most) return CLI_GOOD;
    cli_show(&name, c->targets[0]);
    cli_count(&kinds, n, kind);
    if (most == COLUMNS_TWO)
        return cli_fail(why, "%s: the target \"%s\" has %s: this likelihood is for two classes%s", t->file, name.text, kinds.text,
                        n > 2 ? " (--likelihood categorical takes more)" : "");
    if (n < 2)
        return cli_fail(why, "%s: the target \"%s\" has %s: there is nothing to tell apart", t->file, name.text, kinds.text);
    return cli_fail(why, "%s: the target \"%s\" has %s, and there may be %lu classes at most: is it a number to predict, which "
                         "is for another likelihood?", t->file, name.text, kinds.text, (unsigned long)most);
}

/* The words of a target, which are taken over, or freed if there was a failure before. */
static int columns_take_classes(cli_columns *c, const csv_table *t, cli_column *target, size_t most, int status, cli_why *why)
{
    c->classes = target->words;
    c->n_classes = target->n_words;
    return status ? status : columns_count_classes(c, t, c->n_classes, "word", most, why);
}

/* The number as a text that is read back as the same. */
static char *columns_text(double v)
{
    char text[40];
    double back = 0.0;
    snprintf(text, sizeof text, "%.15g", v);
    number_read(text, &back);
    if (back != v) snprintf(text, sizeof text, "%.17g", v);
    return cli_copy(text);
}

static int columns_by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The classes of a target of numbers are its different values. 0 and 1 need no names where there may be two classes; more than two
 * are then refused by the likelihood. A single value other than 0 or 1 does not tell what the other class is. */
static int columns_number_classes(cli_columns *c, const csv_table *t, const words_set *texts, size_t most, cli_why *why)
{
    double *value = (double *)cli_memory(COLUMNS_WORDS, sizeof *value);
    size_t found = 0, n = 0;
    cli_shown name;
    int status = CLI_GOOD;
    for (size_t i = 0; i < texts->slots; i++)
        if (texts->slot[i]) number_read(texts->slot[i], &value[found++]);           /* words are refused before */
    qsort(value, found, sizeof *value, columns_by_value);
    for (size_t i = 0; i < found; i++) if (!n || value[i] != value[n - 1]) value[n++] = value[i];
    const int plain = n == 1 && (value[0] == 0.0 || value[0] == 1.0), named = n == 2 && (value[0] != 0.0 || value[1] != 1.0);
    if (most > COLUMNS_TWO) status = columns_count_classes(c, t, texts->full ? COLUMNS_WORDS + 1 : n, "number", most, why);
    else if (n == 1 && !plain)
        status = cli_fail(why, "%s: the target \"%s\" is %g wherever it is: that is one class, and this likelihood is for two",
                          t->file, cli_show(&name, c->targets[0]), value[0]);
    if (!status && (most > COLUMNS_TWO || named)) {
        c->n_classes = n;
        c->class_value = value;
        c->classes = (char **)cli_memory(n, sizeof *c->classes);
        for (size_t k = 0; k < n; k++) c->classes[k] = columns_text(value[k]);
    } else free(value);
    return status;
}

int columns_learn_end(columns_learner *l, const csv_table *t, cli_columns *out, cli_why *why)
{
    const size_t P = l->cols.n_targets, n = l->cols.n;
    int status = l->failed;
    cli_column target;
    memset(&target, 0, sizeof target);
    for (size_t k = 0; k < P + n && !status; k++)
        status = columns_learn_one(&l->column[k], t, k >= P || l->classes > 0, k >= P ? &l->cols.column[k - P] : &target, why);
    if (target.words) status = columns_take_classes(&l->cols, t, &target, l->classes, status, why);
    else if (l->classes && !status) status = columns_number_classes(&l->cols, t, &l->column[0].words, l->classes, why);
    for (size_t k = 0; k < P + n; k++) {
        free(l->column[k].stray.text);
        free(l->column[k].comma.text);
        words_clear(&l->column[k].words);
    }
    if (!status) {
        columns_number_inputs(&l->cols);
        status = made_add(&l->cols, l->basis, why);
    }
    if (status) columns_free(&l->cols);
    else *out = l->cols;
    free(l->column);
    free(l);
    return status;
}

int columns_learn(const csv_table *t, size_t n_targets, const char *const *targets, size_t classes, const char *const *roles,
                  const char *basis, size_t n_used, const size_t *used, size_t n_rows, const size_t *rows, size_t n_all,
                  const size_t *all, cli_columns *out, cli_why *why)
{
    columns_learner *l = columns_learn_begin(t, n_targets, targets, classes, roles, basis, n_used, used);
    columns_learn_some(l, t, 0, n_targets, n_all, all, why);
    columns_learn_some(l, t, n_targets, n_targets + n_used, n_rows, rows, why);
    return columns_learn_end(l, t, out, why);
}

void columns_free(cli_columns *c)
{
    for (size_t i = 0; i < c->n; i++) {
        for (size_t k = 0; k < c->column[i].n_words; k++) free(c->column[i].words[k]);
        free(c->column[i].words);
        free(c->column[i].name);
    }
    made_free(c);
    for (size_t i = 0; i < c->d; i++) free(c->inputs[i]);
    free(c->inputs);
    free(c->column);
    for (size_t k = 0; k < c->n_targets; k++) free(c->targets[k]);
    free(c->targets);
    for (int k = 0; k < ROLE_COUNT; k++) free(c->role[k]);
    for (size_t k = 0; k < c->n_classes; k++) free(c->classes[k]);
    free(c->classes);
    free(c->class_value);
    reading_free(c->how);
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
    static const char *const as_role[ROLE_COUNT] = { " as its weights", " as its noise variances", " as its offset",
                                                      " as its numbers of trials" };
    size_t *targets = at + c->n, *others = targets + c->n_targets;
    int status = CLI_GOOD;
    for (size_t i = c->n; i < columns_places(c); i++) at[i] = COLUMNS_NOWHERE;
    for (size_t i = 0; i < c->n && !status; i++) {
        const char *name = c->column[i].name;                     /* made of another column: that is what the table lacks */
        status = columns_need(t, csv_find(t, name) < t->n_columns ? name : reading_source(c->how, name), "", &at[i], why);
    }
    for (size_t k = 0; k < c->n_targets && !status && use != COLUMNS_PREDICT; k++)
        status = columns_need(t, c->targets[k], " as its target", &targets[k], why);
    for (int k = 0; k < ROLE_COUNT && !status; k++) {
        const int needed = k == ROLE_OFFSET || use == COLUMNS_LEAVE_OUT || (k == ROLE_TRIALS && use != COLUMNS_PREDICT);
        if (!c->role[k] || (k == ROLE_WEIGHTS && !needed && use != COLUMNS_WEIGH)) continue;
        const role_place place = role_find(t, (cli_role)k, c->role[k]);
        others[k] = place.first;
        if (k == ROLE_TRIALS) others[COLUMNS_SECOND] = place.second;
        if (needed && place.first == COLUMNS_NOWHERE) status = columns_need(t, c->role[k], as_role[k], &others[k], why);
    }
    if (!status && group) {
        cli_shown shown;
        others[COLUMNS_GROUP] = csv_find(t, group);
        if (others[COLUMNS_GROUP] == t->n_columns)
            status = cli_fail(why, "%s: no column \"%s\" (--loo-group)", t->file, cli_show(&shown, group));
    }
    return status;
}

static int columns_indicate(const cli_column *one, const csv_table *t, const csv_cell *cell, int unseen, double *x,
                            cli_why *why)
{
    const char *text = cell->text;
    double ignored;
    char room[COLUMNS_NUMBER];
    if (number_read(text, &ignored) == NUMBER_MISSING) return columns_complain(t, cell, one->name, "is a missing value", why);
    char **found = (char **)bsearch(&text, one->words, one->n_words, sizeof *one->words, columns_by_bytes);
    if (!found) {                                                     /* the same number may be written differently */
        text = columns_group_text(text, room);
        found = (char **)bsearch(&text, one->words, one->n_words, sizeof *one->words, columns_by_bytes);
    }
    const size_t place = found ? (size_t)(found - one->words) : one->n_words;
    if (one->group) x[one->first] = found || unseen == COLUMNS_NEW ? (double)place : BLN_GROUP_NONE;
    for (size_t k = 0; k < one->n_words && !one->group; k++) x[one->first + k] = k == place;
    if (found || unseen > 0) return CLI_GOOD;
    if (one->group && unseen == COLUMNS_TRAIN)
        return columns_complain(t, cell, one->name, "is no group of the file of --like: the rows which that is of must have "
                                "all groups (--unseen zero: this row has no group's effect)", why);
    if (one->group)
        return columns_complain(t, cell, one->name, "is no group of the training rows (--unseen new: then it is one more group; "
                                "--unseen zero: the population, without a group's effect)", why);
    return columns_complain(t, cell, one->name, "is no word of the training rows (--unseen zero: then it is none of theirs)", why);
}

/* The inputs that are made of this row's others. */
static int columns_make(const cli_columns *c, const csv_table *t, const size_t *at, size_t row, double *x, cli_why *why)
{
    made_part bad;
    size_t input, k = 0;
    char name[100], what[240];
    cli_shown shown;
    if (made_fill(c, 1, x, &bad, &input) == 1) return CLI_GOOD;
    while (k + 1 < c->n && c->column[k + 1].first <= input) k++;
    made_name(c, &bad, name, sizeof name);
    snprintf(what, sizeof what, "%s (%s of the basis)", made_reason(&bad), cli_show(&shown, name));
    return columns_complain(t, csv_at(t, row, at[k]), c->column[k].name, what, why);
}

int columns_encode(const cli_columns *c, const csv_table *t, const size_t *at, size_t n_rows, const size_t *rows, int unseen,
                   double *X, double *y, cli_why *why)
{
    int status = CLI_GOOD;
    for (size_t i = 0; i < n_rows && !status; i++) {
        double *x = X + i*c->d;
        for (size_t k = 0; k < c->n && !status; k++) {
            const cli_column *one = &c->column[k];
            if (one->words) status = columns_indicate(one, t, csv_at(t, rows[i], at[k]), unseen, x, why);
            else status = columns_number(t, rows[i], at[k], one->name, x + one->first, why);
        }
        if (!status) status = columns_make(c, t, at, rows[i], x, why);
        for (size_t k = 0; k < c->n_targets && y && !status; k++)
            status = columns_target(c, t, rows[i], at[c->n + k], k, y + i*c->n_targets + k, why);
    }
    return status;
}

size_t columns_groups(const csv_table *t, size_t at, size_t n_rows, const size_t *rows, size_t *group)
{
    char **words = (char **)cli_memory(n_rows, sizeof *words);
    size_t n = 0;
    char *room = (char *)cli_memory(n_rows, COLUMNS_NUMBER);
    for (size_t i = 0; i < n_rows; i++)
        words[i] = (char *)columns_group_text(csv_at(t, rows[i], at)->text, room + i*COLUMNS_NUMBER);
    qsort(words, n_rows, sizeof *words, columns_by_bytes);
    for (size_t i = 0; i < n_rows; i++)
        if (n == 0 || strcmp(words[i], words[n - 1])) words[n++] = words[i];
    for (size_t i = 0; i < n_rows; i++) {
        char one[COLUMNS_NUMBER];
        const char *text = columns_group_text(csv_at(t, rows[i], at)->text, one);
        group[i] = (size_t)((char **)bsearch(&text, words, n, sizeof *words, columns_by_bytes) - words);
    }
    free(words);
    free(room);
    return n;
}

/* In a model file: str (first) target, u32 n, then for each column str name, u32 1 for words, 2 for groups or 0, and for both u32
 * count and as many str, sorted. */
void columns_save(const cli_columns *c, bln_writer *w)
{
    bln_put_string(w, c->targets[0]);
    bln_put_u32(w, (uint32_t)c->n);
    for (size_t i = 0; i < c->n; i++) {
        const cli_column *one = &c->column[i];
        bln_put_string(w, one->name);
        bln_put_u32(w, one->group ? 2 : one->words ? 1 : 0);
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
        if (words > 2) bln_reader_fail(r, BLN_EFORMAT, "a column of an unknown kind");
        one->group = words == 2;
        if (words && r->status == BLN_OK) columns_load_words(r, one);
    }
    if (r->status != BLN_OK) columns_free(&c);
    else {
        columns_number_inputs(&c);
        *out = c;
    }
    return r->status;
}

/* In a model file: three str, weights, noise variance, offset; empty: none. No column with a role has an empty name. */
void columns_save_roles(const cli_columns *c, bln_writer *w)
{
    for (int k = 0; k < ROLE_TRIALS; k++) bln_put_string(w, c->role[k] ? c->role[k] : "");
}

/* A name, or NULL where it is empty, or after a failure. */
static char *columns_load_name(bln_reader *r)
{
    char *name = r->status == BLN_OK ? columns_load_text(r) : NULL;
    if (name && *name) return name;
    free(name);
    return NULL;
}

bln_status columns_load_roles(bln_reader *r, cli_columns *c)
{
    for (int k = 0; k < ROLE_TRIALS; k++) c->role[k] = columns_load_name(r);
    return r->status;
}

/* In a model file: str trials, empty: none · u32 how many classes have names · for these u32 1 if they are words, 2 if they are
 * numbers, and a str for each, in order. */
void columns_save_classes(const cli_columns *c, bln_writer *w)
{
    bln_put_string(w, c->role[ROLE_TRIALS] ? c->role[ROLE_TRIALS] : "");
    bln_put_u32(w, (uint32_t)c->n_classes);
    if (c->n_classes) bln_put_u32(w, c->class_value ? 2 : 1);
    for (size_t k = 0; k < c->n_classes; k++) bln_put_string(w, c->classes[k]);
}

bln_status columns_load_classes(bln_reader *r, cli_columns *c)
{
    int ordered = 1;
    c->role[ROLE_TRIALS] = columns_load_name(r);
    const size_t n = columns_load_count(r, 4);
    if (r->status == BLN_OK && (n == 1 || n > COLUMNS_WORDS)) bln_reader_fail(r, BLN_EFORMAT, "a target of one class, or too many");
    if (r->status != BLN_OK || !n) return r->status;
    const uint32_t kind = bln_get_u32(r);
    if (r->status == BLN_OK && kind != 1u && kind != 2u) bln_reader_fail(r, BLN_EFORMAT, "a target of an unknown kind");
    c->classes = (char **)cli_memory(n, sizeof *c->classes);
    while (r->status == BLN_OK && c->n_classes < n) {
        char *text = columns_load_text(r);
        if (text) c->classes[c->n_classes++] = text;
    }
    if (r->status != BLN_OK) return r->status;
    if (kind == 2) c->class_value = (double *)cli_memory(n, sizeof *c->class_value);
    for (size_t k = 0; k < n && kind == 2; k++)
        ordered = ordered && number_read(c->classes[k], &c->class_value[k]) == NUMBER_VALUE;
    for (size_t k = 1; k < n && ordered; k++)
        ordered = kind == 2 ? c->class_value[k - 1] < c->class_value[k] : strcmp(c->classes[k - 1], c->classes[k]) < 0;
    if (!ordered) bln_reader_fail(r, BLN_EFORMAT, "classes out of order, or none");
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
