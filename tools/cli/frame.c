/* frame: choosing columns and rows */
#include "frame.h"
#include "formula.h"
#include "glm_options.h"
#include "number.h"
#include "role.h"
#include "terms.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first of the columns that matter with a missing value in this row, or NULL. */
static const csv_cell *frame_missing(const csv_table *t, size_t row, size_t n_at, const size_t *at, size_t *where)
{
    double ignored;
    for (size_t k = 0; k < n_at; k++) {
        if (at[k] == COLUMNS_NOWHERE) continue;
        const csv_cell *cell = csv_at(t, row, at[k]);
        if (number_read(cell->text, &ignored) == NUMBER_MISSING) { *where = at[k]; return cell; }
    }
    return NULL;
}

/* Counts a row with a missing value; the first ones are remembered for the message. */
static void frame_gap(frame_gaps *gaps, const csv_table *t, const csv_cell *cell, size_t where)
{
    if (gaps->count++ >= FRAME_LINES) return;
    if (gaps->count == 1) {
        csv_where(&gaps->place, t, cell);
        cli_show(&gaps->column, t->names[where].text);
    }
    const size_t used = strlen(gaps->lines);
    snprintf(gaps->lines + used, sizeof gaps->lines - used, "%s %lu", gaps->count > 1 ? "," : "", (unsigned long)cell->line);
}

static int frame_complain(const frame_gaps *gaps, size_t n_rows, int fills, cli_why *why)
{
    cli_counted rows;
    return cli_fail(why, "%s: column \"%s\": a missing value; of %s %lu %s one, in this or another column (line%s%s%s); "
                    "--missing drop omits them%s", gaps->place.text, gaps->column.text, cli_count(&rows, n_rows, "row"),
                    (unsigned long)gaps->count, gaps->count == 1 ? "has" : "have", gaps->count == 1 ? "" : "s", gaps->lines,
                    gaps->count > FRAME_LINES ? ", ..." : "",
                    fills ? ", mean or indicator fills them" : "");
}

size_t frame_select(const csv_table *t, size_t n_at, const size_t *at, size_t *rows, frame_gaps *gaps)
{
    size_t where, n = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        const csv_cell *cell = frame_missing(t, i, n_at, at, &where);
        if (cell) frame_gap(gaps, t, cell, where);
        else rows[n++] = i;
    }
    return n;
}

int frame_check(const options *o, const char *file, size_t n_rows, const frame_gaps *gaps, cli_why *why)
{
    const int fills = o->verb == VERB_FIT || o->verb == VERB_CV || o->verb == VERB_STATS;
    if (gaps->count && o->missing == MISSING_ERROR) return frame_complain(gaps, n_rows, fills, why);
    return gaps->count < n_rows ? CLI_GOOD : cli_fail(why, "%s: every row has a missing value", file);
}

int frame_of(const options *o, csv_table *table, size_t n_at, const size_t *at, frame *out, cli_why *why)
{
    frame f;
    frame_gaps gaps;
    memset(&f, 0, sizeof f);
    memset(&gaps, 0, sizeof gaps);
    f.table = *table;
    memset(table, 0, sizeof *table);
    f.at = (size_t *)cli_memory(n_at, sizeof *f.at);
    f.n_at = n_at;
    memcpy(f.at, at, n_at*sizeof *at);
    f.rows = (size_t *)cli_memory(f.table.n_rows, sizeof *f.rows);
    f.n = frame_select(&f.table, n_at, f.at, f.rows, &gaps);
    f.dropped = gaps.count;
    const int status = frame_check(o, f.table.file, f.table.n_rows, &gaps, why);
    if (status) frame_free(&f);
    else *out = f;
    return status;
}

void frame_note_dropped(const frame *f, const char *what)
{
    if (f->dropped) cli_note("%s: rows with missing values %s: %lu of %lu", f->table.file, what, (unsigned long)f->dropped,
                             (unsigned long)f->table.n_rows);
}

void frame_note_filled(const char *file, size_t filled, size_t n)
{
    if (filled) cli_note("%s: rows with missing values are filled: %lu of %lu", file, (unsigned long)filled, (unsigned long)n);
}

/* With fewer rows all words may differ by chance. */
enum { FRAME_NAMES = 8 };

int frame_check_names(const reading *how, const cli_columns *c, const char *file, cli_why *why)
{
    cli_shown name;
    for (size_t i = 0; i < c->n; i++) {
        const cli_column *one = &c->column[i];
        if (!one->words || one->group || one->n_words < FRAME_NAMES) continue;
        const size_t all = reading_values(how, one->name), values = all < one->values ? all : one->values;
        const int made = all == 0;                                /* of a date: months, days of the week */
        if (made || 5*one->n_words < 4*values || reading_is_factor(how, one->name)) continue;
        cli_show(&name, one->name);
        return cli_fail(why, "%s: column \"%s\" holds %lu different words in %lu rows, as \"%s\": a name for each row, of which "
                             "nothing can be learnt. --ignore \"%s\" leaves it out (--factor \"%s\" takes the words as they are; "
                             "dates are written 2024-05-17)", file, name.text, (unsigned long)one->n_words, (unsigned long)values,
                        one->words[0], name.text, name.text);
    }
    return CLI_GOOD;
}

/* What the basis does with the column whose groups are left out (terms_uses): it is an input only if a term names it. */
static int frame_group_use(const options *o, const csv_table *t)
{
    const size_t n = t->n_columns;
    const char **names = (const char **)cli_memory(n, sizeof *names);
    unsigned char *use = (unsigned char *)cli_memory(n + 1, 1);
    const size_t at = o->loo_group ? csv_find(t, o->loo_group) : n;
    for (size_t k = 0; k < n; k++) names[k] = t->names[k].text;
    terms_uses(o->basis, n, names, use);
    const int is = use[at];
    free((void *)names);
    free(use);
    return is;
}

/* Is the column no input: left out, the target, or one with a role? group: may the column whose groups are left out be an input? */
static int frame_no_input(const options *o, int group, const char *name)
{
    if (options_is_target(o, name) || !formula_uses(o, name)) return 1;
    for (int k = 0; k < ROLE_COUNT; k++)
        if (o->role[k] && role_uses((cli_role)k, o->role[k], name)) return 1;
    if (o->loo_group && !group && !strcmp(o->loo_group, name)) return 1;
    for (size_t i = 0; i < o->ignore.n; i++)
        if (!strcmp(o->ignore.item[i], name)) return 1;
    return 0;
}

/* A column that the command line names. */
static int frame_need(const csv_table *t, const char *option, const char *name, cli_why *why)
{
    cli_shown shown;
    if (csv_find(t, name) < t->n_columns) return CLI_GOOD;
    return cli_fail(why, "%s: no column \"%s\" (%s)%s", t->file, cli_show(&shown, name), option, csv_hint(t));
}

/* Of n columns those that a term reads, in place; how many they are. */
static size_t frame_read_by_terms(const options *o, const csv_table *t, size_t n, size_t *at, int note)
{
    const char **names = (const char **)cli_memory(n, sizeof *names);
    unsigned char *use = (unsigned char *)cli_memory(n, 1);
    char list[200] = "";
    size_t kept = 0, left = 0;
    for (size_t k = 0; k < n; k++) names[k] = t->names[at[k]].text;
    terms_uses(o->basis, n, names, use);
    for (size_t k = 0; k < n; k++) {
        cli_shown shown;
        const size_t used = strlen(list);
        if (use[k]) { at[kept++] = at[k]; continue; }
        if (left++ < FRAME_LINES) snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", cli_show(&shown, names[k]));
    }
    if (left && note)
        cli_note("%s: no term of the basis reads %s%s: not looked at, nor needed to predict", t->file, list,
                 left > FRAME_LINES || strlen(list) + 1 == sizeof list ? ", ..." : "");
    free((void *)names);
    free(use);
    return kept;
}

int frame_choose(const options *o, const csv_table *t, const reading *how, size_t **at_out, size_t *n_at, cli_why *why)
{
    int status = formula_check(o, t, why);
    for (size_t k = 0; k < o->n_targets && !status; k++)
        status = frame_need(t, o->target ? "--target" : "--outputs", o->targets[k], why);
    for (size_t i = 0; i < o->ignore.n && !status; i++) status = frame_need(t, "--ignore", o->ignore.item[i], why);
    for (int k = 0; k < ROLE_COUNT && !status; k++)
        if (o->role[k] && role_find(t, (cli_role)k, o->role[k]).first == COLUMNS_NOWHERE)
            status = frame_need(t, role_option((cli_role)k), o->role[k], why);
    if (o->loo_group && !status) status = frame_need(t, options_group_name(o), o->loo_group, why);
    if (status) return status;

    const int use = frame_group_use(o, t), group = (use & (TERMS_NAMED | TERMS_GROUP)) != 0;
    size_t n = 0, *at = (size_t *)cli_memory(t->n_columns + o->n_targets + COLUMNS_OTHERS, sizeof *at);
    for (size_t j = 0; j < t->n_columns; j++) {
        const char *name = t->names[j].text;
        if (!name[0] && !how && formula_uses(o, name))
            cli_note("%s: column %lu has no name and is left out%s", t->file, (unsigned long)j + 1,
                     frame_kept_name(t, j)[0] ? " (predict and cv -o write it with --keep rowname)" : "");
        else if (name[0] && !frame_no_input(o, group, name) && !(how && reading_drops(how, name))) at[n++] = j;
    }
    n = frame_read_by_terms(o, t, n, at, how == NULL);
    for (size_t k = 0; k < o->n_targets; k++) at[n++] = csv_find(t, o->targets[k]);
    size_t second = COLUMNS_NOWHERE;
    for (int k = 0; k < ROLE_COUNT; k++) {
        at[n] = COLUMNS_NOWHERE;
        if (o->role[k]) {
            const role_place place = role_find(t, (cli_role)k, o->role[k]);
            at[n] = place.first;
            if (k == ROLE_TRIALS) second = place.second;
        }
        n++;
    }
    at[n++] = o->loo_group ? csv_find(t, o->loo_group) : COLUMNS_NOWHERE;
    at[n++] = second;
    if (!how && o->loo_group && use && !group) {
        cli_shown shown;
        cli_note("%s: column \"%s\" (%s) is no input of terms that read all columns: cols=%s in the basis makes it one", t->file,
                 cli_show(&shown, o->loo_group), options_group_name(o), shown.text);
    }
    if (!how) formula_tell(o);
    *at_out = at;
    *n_at = n;
    return CLI_GOOD;
}

/* ---- columns of --keep */

const char *frame_kept_name(const csv_table *t, size_t column)
{
    static const char name[] = "rowname";
    return column == csv_find(t, "") && csv_find(t, name) == t->n_columns ? name : t->names[column].text;
}

static int frame_keep_one(csv_table *t, const char *name, cli_why *why)
{
    cli_shown shown;
    const size_t unnamed = csv_find(t, "");
    size_t at = csv_find(t, name);
    if (at == t->n_columns && unnamed < at && !strcmp(name, frame_kept_name(t, unnamed))) at = unnamed;
    if (at == t->n_columns) return frame_need(t, "--keep", name, why);
    for (size_t k = 0; k < t->n_kept; k++)
        if (t->kept[k].column == at) return cli_misuse(why, "--keep names column \"%s\" twice", cli_show(&shown, name));
    csv_keep(t, at);
    return CLI_GOOD;
}

/* The cells of these columns as the file has them, before any is converted or filled. */
static int frame_keep(const options *o, csv_table *t, cli_why *why)
{
    int status = CLI_GOOD;
    for (size_t i = 0; i < o->keep.n && !status; i++) {
        if (csv_find(t, o->keep.item[i]) < t->n_columns || !strchr(o->keep.item[i], ',')) {
            status = frame_keep_one(t, o->keep.item[i], why);
            continue;
        }
        char *names = cli_copy(o->keep.item[i]);                       /* a list, unless a column is called so */
        for (char *name = names, *end; name && !status; name = end) {
            end = strchr(name, ',');
            if (end) *end++ = '\0';
            name += strspn(name, " ");
            status = frame_keep_one(t, name, why);
        }
        free(names);
    }
    return status;
}

/* Finds how the columns of the table are written, converts them, and chooses the columns that stay. */
static int frame_read(const options *o, csv_table *t, reading *how, size_t **at, size_t *n, cli_why *why)
{
    int status = frame_choose(o, t, NULL, at, n, why);
    if (status) return status;
    reading_watch(how, o, t, *n - o->n_targets - COLUMNS_OTHERS, *n, *at);
    reading_look(how, t);
    status = reading_settle(how, o, t, why);
    if (!status && how->active) status = reading_convert(how, how->decimal, 0, NULL, t, why);
    if (status || !how->active) return status;
    if (how->missing > MISSING_DROP) {
        reading_means_add(how, t);
        reading_means_end(how);
        reading_fill(how, 1, t);
    }
    free(*at);
    *at = NULL;
    return frame_choose(o, t, how, at, n, why);
}

int frame_for_training(const options *o, frame *out, cli_why *why)
{
    csv_table t;
    size_t n = 0, *at = NULL;
    reading *how = NULL;
    int status = csv_read(o->data, o->separator, &t, why);
    if (status) return status;
    status = frame_keep(o, &t, why);
    if (!status) status = reading_begin(o, &t, &how, why);
    if (!status) status = frame_read(o, &t, how, &at, &n, why);
    if (!status) status = frame_of(o, &t, n, at, out, why);
    free(at);
    if (status) {
        csv_free(&t);
        reading_free(how);
        return status;
    }
    out->how = how;
    frame_note_filled(out->table.file, out->table.filled, out->table.n_rows);
    frame_note_dropped(out, "are left out");
    return CLI_GOOD;
}

size_t frame_inputs(const options *o, const frame *f) { return f->n_at - o->n_targets - COLUMNS_OTHERS; }

int frame_learn(const options *o, const frame *f, size_t n_rows, const size_t *rows, cli_columns *out, cli_why *why)
{
    cli_columns c;
    int status = columns_learn(&f->table, o->n_targets, (const char *const *)o->targets, glm_has_classes(o), o->role, o->basis,
                               frame_inputs(o, f), f->at, n_rows, rows, f->n, f->rows, &c, why);
    if (status) return status;
    c.how = reading_share(f->how);
    if (n_rows == f->n) status = frame_check_names(f->how, &c, f->table.file, why);
    if (status) columns_free(&c);
    else *out = c;
    return status;
}

/* A column of the model that this table lacks and does not need. */
static void frame_note_absent(const cli_columns *c, const csv_table *t, const size_t *at, cli_role role)
{
    cli_shown shown;
    if (!c->role[role] || at[c->n + c->n_targets + role] != COLUMNS_NOWHERE) return;
    cli_note("%s: no column \"%s\" (%s of the fit): it is taken as 1", t->file, cli_show(&shown, c->role[role]),
             role_option(role));
}

int frame_for_model(const options *o, const cli_columns *c, columns_use use, frame *out, cli_why *why)
{
    csv_table t;
    const size_t n = columns_places(c);
    int status = csv_read(o->data, o->separator, &t, why);
    if (status) return status;
    size_t *at = (size_t *)cli_memory(n, sizeof *at);
    status = frame_keep(o, &t, why);
    reading_extend(c->how, &t);
    if (!status) status = columns_find(c, &t, use, o->loo_group, at, why);
    if (!status) status = reading_apply(c->how, o, n, at, &t, why);
    if (!status && use == COLUMNS_WEIGH) frame_note_absent(c, &t, at, ROLE_WEIGHTS);
    if (!status) frame_note_absent(c, &t, at, ROLE_NOISE_VAR);
    if (!status) frame_note_absent(c, &t, at, ROLE_TRIALS);
    if (!status) status = frame_of(o, &t, n, at, out, why);
    if (status) csv_free(&t);
    else frame_note_filled(out->table.file, out->table.filled, out->table.n_rows);
    free(at);
    return status;
}

void frame_free(frame *f)
{
    csv_free(&f->table);
    reading_free(f->how);
    free(f->at);
    free(f->rows);
    memset(f, 0, sizeof *f);
}
