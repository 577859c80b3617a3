/* reading: finds out from the cells of a column how they are written. reading_apply.c uses the result. */
#include "reading_evidence.h"
#include "columns.h"
#include "glm_options.h"
#include "number.h"
#include "terms.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- beginning */

static reading_column *reading_append(reading *how, const char *name)
{
    how->column = (reading_column *)cli_grow(how->column, how->n + 1, sizeof *how->column);
    reading_column *c = &how->column[how->n];
    memset(c, 0, sizeof *c);
    c->name = cli_copy(name);
    c->of = how->n++;
    return c;
}

/* The column of the reading, or how->n. */
static size_t reading_find(const reading *how, const char *name)
{
    size_t j = 0;
    while (j < how->n && strcmp(how->column[j].name, name)) j++;
    return j;
}

static const char *const reading_pieces[PIECE_COUNT] = { "", "year", "month", "weekday", "missing" };

/* Takes one word after COL=: a piece of the date, or an order dmy, mdy or ymd. 0: it is none of them. */
static int reading_date_word(const char *p, size_t n, unsigned *pieces, uint32_t *order)
{
    static const struct { const char *word; uint32_t order; } orders[] = { { "dmy", ORDER_DMY }, { "mdy", ORDER_MDY } };
    for (int k = PIECE_YEAR; k < PIECE_MISSING; k++)
        if (n == strlen(reading_pieces[k]) && !strncmp(p, reading_pieces[k], n)) { *pieces |= 1u << k; return 1; }
    for (size_t k = 0; k < sizeof orders/sizeof *orders; k++)
        if (n == 3 && !strncmp(p, orders[k].word, n)) { *order = orders[k].order; return 1; }
    return 0;
}

/* COL or COL=year,month,weekday,dmy of --date. */
static int reading_date_option(reading *how, const char *text, const csv_table *t, cli_why *why)
{
    char *name = cli_copy(text), *equals = strrchr(name, '=');
    unsigned pieces = 0;
    uint32_t order = ORDER_NONE;
    int status = CLI_GOOD;
    cli_shown shown;
    if (csv_find(t, name) == t->n_columns && equals) {
        *equals = '\0';
        for (const char *p = equals + 1; !status; p++) {
            const size_t n = strcspn(p, ",");
            if (!reading_date_word(p, n, &pieces, &order))
                status = cli_misuse(why, "--date COL=... wants some of year, month, weekday, and dmy or mdy, with commas "
                                         "between, not \"%s\"", cli_show(&shown, equals + 1));
            p += n;
            if (!*p) break;
        }
    }
    if (!status) {
        const size_t source = how->n;
        reading_append(how, name)->kind = READING_DATE;
        how->column[source].order = order;
        for (uint32_t k = PIECE_YEAR; k < PIECE_MISSING; k++) {
            if (!(pieces >> k & 1)) continue;
            char *piece = (char *)cli_memory(strlen(name) + 16, 1);
            sprintf(piece, "%s.%s", name, reading_pieces[k]);
            reading_column *c = reading_append(how, piece);
            c->of = source;
            c->piece = k;
            c->kind = k == PIECE_YEAR ? READING_NUMBER : READING_FREE;
            if (csv_find(t, piece) < t->n_columns)
                status = cli_fail(why, "%s: there is a column \"%s\", which --date %s would make", t->file,
                                  cli_show(&shown, piece), text);
            free(piece);
        }
    }
    free(name);
    return status;
}

static int reading_listed(const cli_list *list, const char *name)
{
    for (size_t k = 0; k < list->n; k++) if (!strcmp(list->item[k], name)) return 1;
    return 0;
}

/* The columns that the options name are there, and no targets. */
static int reading_check(const reading *how, const options *o, const csv_table *t, cli_why *why)
{
    cli_shown shown;
    const cli_list *const lists[] = { &o->factor, &o->number };
    for (size_t k = 0; k <= 2; k++) {
        const char *option = k == 0 ? "--factor" : k == 1 ? "--number" : "--date";
        for (size_t i = 0; i < (k < 2 ? lists[k]->n : how->n); i++) {
            if (k == 2 && how->column[i].piece) continue;
            const char *name = k < 2 ? lists[k]->item[i] : how->column[i].name;
            if (csv_find(t, name) == t->n_columns)
                return cli_fail(why, "%s: no column \"%s\" (%s)%s", t->file, cli_show(&shown, name), option, csv_hint(t));
            if (k != 1 && options_is_target(o, name))
                return cli_misuse(why, "%s: column \"%s\" is the target", option, cli_show(&shown, name));
            const int date = reading_find(how, name) < how->n;
            if (reading_listed(&o->factor, name) + reading_listed(&o->number, name) + date > 1)
                return cli_misuse(why, "column \"%s\": one of --factor, --number and --date", cli_show(&shown, name));
        }
    }
    return CLI_GOOD;
}

int reading_begin(const options *o, csv_table *t, reading **out, cli_why *why)
{
    reading *how = (reading *)cli_memory(1, sizeof *how);
    int status = CLI_GOOD;
    how->users = 1;
    how->decimal = '.';
    how->guess = o->decimal == DECIMAL_COMMA || (o->decimal == DECIMAL_AUTO && o->separator == ';') ? ',' : '.';
    how->missing = (uint32_t)o->missing;
    how->na = (char **)cli_memory(o->na.n, sizeof *how->na);
    for (size_t k = 0; k < o->na.n; k++) how->na[how->n_na++] = cli_copy(o->na.item[k]);
    for (size_t k = 0; k < o->date.n && !status; k++) status = reading_date_option(how, o->date.item[k], t, why);
    if (!status) status = reading_check(how, o, t, why);
    if (status) {
        reading_free(how);
        return status;
    }
    reading_extend(how, t);
    *out = how;
    return CLI_GOOD;
}

static reading_evidence *reading_watch_one(size_t at, int use)
{
    reading_evidence *e = (reading_evidence *)cli_memory(1, sizeof *e);
    e->at = at;
    e->use = use;
    e->earliest[0] = e->earliest[1] = LONG_MAX;
    return e;
}

/* The columns of the file that are not in use, whose numbers may say what the decimal mark is. */
static void reading_watch_aside(reading *how, const csv_table *t)
{
    unsigned char *used = (unsigned char *)cli_memory(t->n_columns, 1);
    how->aside = (reading_evidence **)cli_memory(t->n_read, sizeof *how->aside);
    for (size_t j = 0; j < how->n; j++) if (how->column[j].e) used[how->column[j].e->at] = 1;
    for (size_t j = 0; j < t->n_read; j++) if (!used[j]) how->aside[how->n_aside++] = reading_watch_one(j, USE_INPUT);
    free(used);
}

void reading_watch(reading *how, const options *o, const csv_table *t, size_t n_inputs, size_t n_at, const size_t *at)
{
    const size_t before = how->n;
    const char **names = (const char **)cli_memory(n_inputs, sizeof *names);
    unsigned char *use = (unsigned char *)cli_memory(n_inputs, 1);
    for (size_t k = 0; k < n_inputs; k++) names[k] = t->names[at[k]].text;
    terms_uses(o->basis, n_inputs, names, use);
    for (size_t j = 0; j < before; j++)                       /* dates of --date of which only pieces may be inputs */
        if (!how->column[j].piece) how->column[j].e = reading_watch_one(csv_find(t, how->column[j].name), USE_INPUT);
    how->column = (reading_column *)cli_grow(how->column, before + n_at, sizeof *how->column);
    for (size_t k = 0; k < n_at; k++) {
        if (at[k] == COLUMNS_NOWHERE) continue;
        const char *name = t->names[at[k]].text;
        const int group = k < n_inputs && (use[k] & TERMS_GROUP), loo = k == n_at - COLUMNS_OTHERS + COLUMNS_GROUP;
        const int classes = k >= n_inputs && k < n_inputs + o->n_targets && glm_has_classes(o);
        if (reading_find(how, name) < how->n) continue;       /* a date, or a column of two uses */
        reading_column *c = reading_append(how, name);
        c->e = reading_watch_one(at[k], group || classes || loo ? USE_TEXT : k < n_inputs ? USE_INPUT : USE_NUMBER);
        c->e->named = k < n_inputs && (use[k] & TERMS_NAMED);
    }
    if (o->separator != ',' && o->decimal == DECIMAL_AUTO) reading_watch_aside(how, t);
    free((void *)names);
    free(use);
}

/* ---- looking */

static void reading_keep(csv_cell *to, const csv_cell *cell)
{
    *to = *cell;
    to->text = cli_copy(cell->text);
}

static void reading_count(reading_evidence *e, reading_seen what, const csv_cell *cell)
{
    if (e->count[what]++ == 0) reading_keep(&e->cell[what], cell);
}

static void reading_look_date(reading_evidence *e, const csv_cell *cell, const cell_shape *s)
{
    reading_count(e, SEEN_DATE, cell);
    if (s->order == ORDER_SLASH) {
        reading_count(e, SEEN_SLASH, cell);
        if (s->part[0] > 12) reading_count(e, SEEN_DAY_FIRST, cell);
        if (s->part[1] > 12) reading_count(e, SEEN_MONTH_FIRST, cell);
    }
    if (s->short_year) reading_count(e, SEEN_SHORT, cell);
    for (int k = 0; k < 2; k++) {
        long day;
        const cell_order order = s->order != ORDER_SLASH ? s->order : k ? ORDER_MDY : ORDER_DMY;
        if (cell_day(s, order, &day) && day < e->earliest[k]) e->earliest[k] = day;
    }
}

/* Does a plain number look like a code, as 007 or 5e3? Programs write numbers without leading zeros, and exponents with a sign. */
static int reading_is_code(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    if (digits > 1 && *text == '0' && !text[digits]) return 1;
    return digits && (text[digits] == 'e' || text[digits] == 'E') && text[digits + 1] >= '0';
}

static void reading_look_number(reading_evidence *e, const csv_cell *cell, const cell_shape *s)
{
    reading_count(e, SEEN_NUMBER, cell);
    reading_count(e, (reading_seen)(SEEN_MARK + (int)s->mark), cell);
    if (!s->plain) reading_count(e, SEEN_ODD, cell);
    else if (reading_is_code(cell->text)) reading_count(e, SEEN_CODE, cell);
    if (s->percent) reading_count(e, SEEN_PERCENT, cell);
    else if (!s->plain || s->value != 0.0) reading_count(e, SEEN_BARE, cell);
    if (!s->currency[0]) return;
    reading_count(e, SEEN_CURRENCY, cell);
    if (!e->currency[0]) strcpy(e->currency, s->currency);
    else if (strcmp(e->currency, s->currency) && !e->other.text) reading_keep(&e->other, cell);
}

/* Does it differ from the first value? */
static void reading_compare(reading_evidence *e, const csv_cell *cell)
{
    double one, two;
    if (!e->first.text) reading_keep(&e->first, cell);
    else if (!e->varies && strcmp(cell->text, e->first.text))
        e->varies = number_read(cell->text, &one) != NUMBER_VALUE || number_read(e->first.text, &two) != NUMBER_VALUE || one != two;
}

static void reading_look_cell(const reading *how, reading_evidence *e, const csv_cell *cell)
{
    cell_shape s;
    const int na = how->n_na ? reading_is_na(how, cell->text, how->guess) : 0;
    if (na) {
        e->missing++;
        reading_count(e, SEEN_ODD, cell);
        if (na == 2) reading_count(e, SEEN_NA, cell);
        return;
    }
    cell_look(cell->text, &s);
    if (s.kind == CELL_MISSING) { e->missing++; return; }
    e->values++;
    reading_compare(e, cell);
    if (s.kind == CELL_NUMBER) reading_look_number(e, cell, &s);
    else if (s.kind == CELL_DATE) reading_look_date(e, cell, &s);
    else reading_count(e, s.kind == CELL_SIGN ? SEEN_SIGN : SEEN_WORD, cell);
}

void reading_look(reading *how, const csv_table *t)
{
    for (size_t j = 0; j < how->n; j++) {
        reading_evidence *e = how->column[j].e;
        for (size_t i = 0; e && i < t->n_rows; i++) reading_look_cell(how, e, csv_at(t, i, e->at));
    }
    for (size_t j = 0; j < how->n_aside; j++)
        for (size_t i = 0; i < t->n_rows; i++) reading_look_cell(how, how->aside[j], csv_at(t, i, how->aside[j]->at));
}

/* ---- settling */

/* Of two kinds of cells that do not fit the column, the one that occurs first in the table. */
static const csv_cell *reading_stray(const reading_evidence *e, reading_seen one, reading_seen two)
{
    const csv_cell *a = e->count[one] ? &e->cell[one] : NULL, *b = e->count[two] ? &e->cell[two] : NULL;
    return !a ? b : !b || a->line < b->line ? a : b;
}

static int reading_complain_stray(const csv_table *t, const reading_column *c, const csv_cell *cell, const char *what, size_t are,
                                  cli_why *why)
{
    char text[300];
    cli_shown word, name;
    snprintf(text, sizeof text, "is %s (%lu of %lu cells are): correct it, or --na \"%s\" if it means missing, or --factor \"%s\" "
             "if these are names", what, (unsigned long)are, (unsigned long)c->e->values, cli_show(&word, cell->text),
             cli_show(&name, c->name));
    return columns_complain(t, cell, c->name, text, why);
}

/* Decides whether the column holds numbers, dates or words: as an option says, or as most of the cells are. */
static int reading_settle_kind(reading_column *c, const options *o, const csv_table *t, cli_why *why)
{
    const reading_evidence *e = c->e;
    const size_t numbers = e->count[SEEN_NUMBER], words = e->count[SEEN_WORD], dates = e->count[SEEN_DATE];
    const int date = c->kind == READING_DATE, number = reading_listed(&o->number, c->name);
    if (e->use != USE_INPUT) {
        c->kind = e->use == USE_TEXT ? READING_FREE : READING_NUMBER;
        return CLI_GOOD;
    }
    if (!e->values) {
        cli_shown name;
        return cli_fail(why, "%s: column \"%s\" is empty, or missing, in all rows: --ignore \"%s\" leaves it out", t->file,
                        cli_show(&name, c->name), name.text);
    }
    if (reading_listed(&o->factor, c->name)) { c->kind = READING_WORDS; return CLI_GOOD; }
    if (number || (!date && numbers > 0 && numbers >= words + dates)) {
        const csv_cell *stray = reading_stray(e, SEEN_WORD, SEEN_DATE);
        c->kind = READING_NUMBER;
        return stray ? reading_complain_stray(t, c, stray, "not a number", numbers, why) : CLI_GOOD;
    }
    if (date || dates > words + numbers) {
        const csv_cell *stray = reading_stray(e, SEEN_WORD, SEEN_NUMBER);
        c->kind = READING_DATE;
        return stray ? reading_complain_stray(t, c, stray, "no date as 2024-05-17 is", dates, why) : CLI_GOOD;
    }
    c->kind = READING_FREE;
    return CLI_GOOD;
}

/* Either all numbers or none have a percent sign or a currency, and it is the same one. */
static int reading_settle_number(reading_column *c, const csv_table *t, cli_why *why)
{
    const reading_evidence *e = c->e;
    char text[200];
    cli_shown shown;
    c->percent = e->count[SEEN_PERCENT] > 0;
    strcpy(c->currency, e->currency);
    if (c->percent && e->count[SEEN_BARE]) {
        snprintf(text, sizeof text, "is no percentage, and \"%s\" in line %lu is: write all with %% or all without",
                 cli_show(&shown, e->cell[SEEN_PERCENT].text), (unsigned long)e->cell[SEEN_PERCENT].line);
        return columns_complain(t, &e->cell[SEEN_BARE], c->name, text, why);
    }
    if (!e->other.text) return CLI_GOOD;
    snprintf(text, sizeof text, "is of another currency than \"%s\" in line %lu: bring them to one",
             cli_show(&shown, e->cell[SEEN_CURRENCY].text), (unsigned long)e->cell[SEEN_CURRENCY].line);
    return columns_complain(t, &e->other, c->name, text, why);
}

static int reading_settle_date(reading_column *c, const csv_table *t, cli_why *why)
{
    const reading_evidence *e = c->e;
    char text[300];
    cli_shown shown;
    const int said = c->order != ORDER_NONE;
    if (e->count[SEEN_SLASH] && !said) {
        if (e->count[SEEN_DAY_FIRST] && e->count[SEEN_MONTH_FIRST]) {
            snprintf(text, sizeof text, "has the month first, and \"%s\" in line %lu the day: write dates as 2024-05-17",
                     cli_show(&shown, e->cell[SEEN_DAY_FIRST].text), (unsigned long)e->cell[SEEN_DAY_FIRST].line);
            return columns_complain(t, &e->cell[SEEN_MONTH_FIRST], c->name, text, why);
        }
        if (!e->count[SEEN_DAY_FIRST] && !e->count[SEEN_MONTH_FIRST]) {
            snprintf(text, sizeof text, "may have the day first or the month: --date \"%s=dmy\" or --date \"%s=mdy\"",
                     cli_show(&shown, c->name), shown.text);
            return columns_complain(t, &e->cell[SEEN_SLASH], c->name, text, why);
        }
        c->order = e->count[SEEN_DAY_FIRST] ? ORDER_DMY : ORDER_MDY;
    }
    const long first = e->earliest[c->order == ORDER_MDY];
    c->first = first == LONG_MAX ? 0 : first;
    return CLI_GOOD;
}

/* ---- notes */

static void reading_note_number(const reading *how, const reading_column *c, const char *file)
{
    const reading_evidence *e = c->e;
    cli_shown name, cell, is;
    const csv_cell *odd = &e->cell[SEEN_ODD];
    cell_shape s;
    if (e->count[SEEN_NA]) {
        const csv_cell *na = &e->cell[SEEN_NA];
        cli_counted cells;
        cli_note("%s: column \"%s\": \"%s\" is the number that --na says is missing: %s, the first in line %lu", file,
                 cli_show(&name, c->name), cli_show(&cell, na->text), cli_count(&cells, e->count[SEEN_NA], "cell"),
                 (unsigned long)na->line);
    }
    if (e->count[SEEN_CODE] && e->use == USE_INPUT) {
        const csv_cell *code = &e->cell[SEEN_CODE];
        double value = 0.0;
        number_read(code->text, &value);
        cli_note("%s: column \"%s\": \"%s\" (line %lu) is read as the number %.15g (--factor \"%s\": as a code)", file,
                 cli_show(&name, c->name), cli_show(&cell, code->text), (unsigned long)code->line, value, name.text);
    }
    if (!e->count[SEEN_ODD] || reading_is_na(how, odd->text, how->decimal)) return;
    cell_look(odd->text, &s);
    if (s.mark == MARK_COMMA && how->decimal == '.') return;                            /* refused, with a message of its own */
    if (s.mark != MARK_NONE && how->decimal == ',' && !s.percent && !s.currency[0]) return;        /* noted once, for all columns */
    char *number = cli_copy(odd->text);                            /* what is written is never longer */
    cell_write(odd->text, how->decimal, number);
    cli_note("%s: column \"%s\": \"%s\" is read as %s%s", file, cli_show(&name, c->name), cli_show(&cell, odd->text),
             cli_show(&is, number), s.percent ? " (%); tables to predict must have the % too"
             : s.mark == MARK_MAYBE_COMMA ? " (--decimal comma: as decimals)" : "");
    free(number);
}

/* Writes which century years of two digits are taken to be of. */
static void reading_short_years(const reading_column *c, char *out, size_t size)
{
    const csv_cell *cell = &c->e->cell[SEEN_SHORT];
    cell_shape s;
    cli_shown shown;
    long day;
    cell_look(cell->text, &s);
    if (!cell_day(&s, s.order == ORDER_SLASH ? (cell_order)c->order : s.order, &day)) return;
    const cell_calendar is = cell_date(day);
    snprintf(out, size, ", with years of two digits, of which 69 to 99 are 1969 to 1999 and 00 to 68 are 2000 to 2068: \"%s\" is "
             "%04d-%02d-%02d", cli_show(&shown, cell->text), is.year, is.month, is.day);
}

static void reading_note_column(const reading *how, const reading_column *c, const char *file)
{
    const reading_evidence *e = c->e;
    cli_shown name, sign;
    cli_counted cells;
    const int signs = e->count[SEEN_SIGN] > 0;
    cli_show(&name, c->name);
    if (signs) {
        cli_show(&sign, e->cell[SEEN_SIGN].text);
        cli_count(&cells, e->count[SEEN_SIGN], "cell");
    }
    if (c->kind == READING_NUMBER) reading_note_number(how, c, file);
    if (c->kind == READING_DATE) {
        const cell_calendar day = cell_date((long)c->first);
        char years[200] = "";
        if (e->count[SEEN_SHORT]) reading_short_years(c, years, sizeof years);
        cli_note("%s: column \"%s\" holds dates%s%s: it is the number of days since %04d-%02d-%02d, the first of them", file,
                 name.text, !e->count[SEEN_SLASH] ? "" : c->order == ORDER_DMY ? ", day before month" : ", month before day",
                 years, day.year, day.month, day.day);
    }
    if (signs && (c->kind == READING_NUMBER || c->kind == READING_DATE))
        cli_note("%s: column \"%s\": \"%s\" is taken for a missing value, as are all such signs: %s, the first in line %lu", file,
                 name.text, sign.text, cells.text, (unsigned long)e->cell[SEEN_SIGN].line);
    else if (signs) cli_note("%s: column \"%s\": \"%s\" (%s) is a word like others; --na \"%s\" makes it missing", file, name.text,
                             sign.text, cells.text, sign.text);
}

/* ---- which columns stay */

static int reading_constant(const reading_evidence *e) { return e->use == USE_INPUT && !e->varies; }

/* A column that is the same in all rows is left out. It stays if a term names it, if constants are the user's own (ones=0), if
 * other parts of the table may have other values, or if no input would be left. */
static void reading_drop(reading *how, const options *o, const char *file)
{
    cli_shown name, value;
    size_t others = 0;
    if (o->verb == VERB_STATS || (o->basis && strstr(o->basis, "ones"))) return;
    for (size_t j = 0; j < how->n; j++) {
        const reading_column *c = &how->column[j];
        others += c->piece || (c->e->use == USE_INPUT && !reading_constant(c->e));
    }
    for (size_t j = 0; j < how->n && others; j++) {
        reading_evidence *e = how->column[j].e;
        if (!e || !reading_constant(e) || e->named || how->column[j].kind == READING_WORDS) continue;
        if (e->missing && o->missing > MISSING_DROP) continue;
        cli_counted rows;
        e->dropped = 1;
        how->dropped++;
        how->active = 1;
        cli_note("%s: column \"%s\" is %s in %s: it tells nothing and is left out", file, cli_show(&name, how->column[j].name),
                 cli_show(&value, e->first.text), cli_all(&rows, e->values, "row"));
    }
}

int reading_drops(const reading *how, const char *name)
{
    for (size_t j = 0; j < how->n && how->dropped; j++)
        if (how->column[j].e && how->column[j].e->dropped && !strcmp(how->column[j].name, name)) return 1;
    return 0;
}

size_t reading_values(const reading *how, const char *name)
{
    const size_t j = reading_find(how, name);
    return how->column[j].e ? how->column[j].e->values : 0;
}

int reading_is_factor(const reading *how, const char *name)
{
    const size_t j = reading_find(how, name);
    return how->column[j].kind == READING_WORDS;
}

/* Decides which missing cells are filled and with what, and adds the columns that mark them. */
static void reading_settle_fill(reading *how)
{
    const size_t before = how->n;
    for (size_t j = 0; j < before; j++) {
        reading_column *c = &how->column[j];
        if (c->piece ? how->column[c->of].e->use != USE_INPUT : c->e->use != USE_INPUT) continue;
        const int number = c->kind == READING_NUMBER || c->kind == READING_DATE;
        const reading_evidence *e = how->column[c->of].e;
        if (e->dropped) continue;
        c->fill = 1;
        strcpy(c->fill_text, number ? "0" : reading_pieces[PIECE_MISSING]);
        if (!number || c->piece || how->missing != MISSING_INDICATOR || !(e->missing + e->count[SEEN_SIGN])) continue;
        char *name = (char *)cli_memory(strlen(c->name) + 16, 1);
        sprintf(name, "%s=%s", c->name, reading_pieces[PIECE_MISSING]);
        reading_column *more = reading_append(how, name);
        more->of = j;
        more->piece = PIECE_MISSING;
        more->kind = READING_NUMBER;
        free(name);
    }
}

static void reading_add_marks(const reading_evidence *e, const char *name, reading_mark *to)
{
    for (int k = 0; k < MARK_COUNT; k++) {
        const size_t n = e->count[SEEN_MARK + k];
        if (n && !to[k].count) {
            to[k].line = e->cell[SEEN_MARK + k].line;
            cli_show(&to[k].text, e->cell[SEEN_MARK + k].text);
            cli_show(&to[k].column, name);
        }
        to[k].count += n;
    }
}

/* Decides on the decimal mark, and notes it. */
static int reading_settle_decimal(reading *how, const options *o, const csv_table *t, cli_why *why)
{
    reading_marks marks;
    memset(&marks, 0, sizeof marks);
    for (size_t j = 0; j < how->n; j++) {
        const reading_column *c = &how->column[j];
        if (c->e && c->kind == READING_NUMBER) reading_add_marks(c->e, c->name, marks.used);
    }
    for (size_t j = 0; j < how->n_aside; j++) {
        const reading_evidence *e = how->aside[j];
        if (e->count[SEEN_NUMBER] > e->count[SEEN_WORD] + e->count[SEEN_DATE])
            reading_add_marks(e, t->names[e->at].text, marks.aside);
    }
    if (reading_decimal(how, o, t->file, &marks, 1, &how->decimal, why)) return CLI_FAILED;
    how->active = how->active || how->decimal == ',';
    reading_note_decimal(o, t->file, &marks, how->decimal, 1);
    return CLI_GOOD;
}

int reading_settle(reading *how, const options *o, csv_table *t, cli_why *why)
{
    int status = CLI_GOOD;
    for (size_t j = 0; j < how->n && !status; j++) {
        reading_column *c = &how->column[j];
        if (!c->e) { how->active = 1; continue; }
        status = reading_settle_kind(c, o, t, why);
        if (!status && c->kind == READING_NUMBER) status = reading_settle_number(c, t, why);
        if (!status && c->kind == READING_DATE) status = reading_settle_date(c, t, why);
        how->active = how->active || c->kind > READING_NUMBER || c->e->count[SEEN_ODD]
                   || (c->kind == READING_NUMBER && c->e->count[SEEN_SIGN]);
    }
    if (!status) status = reading_settle_decimal(how, o, t, why);
    for (size_t j = 0; j < how->n && !status; j++)
        if (how->column[j].e) reading_note_column(how, &how->column[j], t->file);
    if (!status) reading_drop(how, o, t->file);
    if (!status && how->missing > MISSING_DROP) {
        how->active = 1;
        reading_settle_fill(how);
    }
    if (!status) reading_extend(how, t);
    return status;
}

/* ---- means, of cells that were converted */

void reading_means_add(reading *how, const csv_table *t)
{
    double v;
    for (size_t j = 0; j < how->n; j++) {
        reading_column *c = &how->column[j];
        const int number = c->kind == READING_NUMBER || c->kind == READING_DATE;
        const size_t at = csv_find(t, c->name);
        if (!c->fill || !number) continue;
        if (!c->e) c->e = (reading_evidence *)cli_memory(1, sizeof *c->e);
        for (size_t i = 0; i < t->n_rows; i++)
            if (number_read(csv_at(t, i, at)->text, &v) == NUMBER_VALUE) { c->e->sum += v; c->e->summed++; }
    }
}

void reading_means_end(reading *how)
{
    for (size_t j = 0; j < how->n; j++) {
        reading_column *c = &how->column[j];
        if (c->fill && c->e && c->e->summed)
            snprintf(c->fill_text, sizeof c->fill_text, "%.15g", c->e->sum/(double)c->e->summed);
    }
}

void reading_print(const reading *how, const cli_answer *to)
{
    cli_shown name;
    char first[16];
    json_array(to->json, "reading");
    for (size_t j = 0; how && j < how->n; j++) {
        const reading_column *c = &how->column[j];
        const cell_calendar day = cell_date((long)c->first);
        cli_show(&name, c->name);
        snprintf(first, sizeof first, "%04d-%02d-%02d", day.year, day.month, day.day);
        if (c->kind == READING_DATE) say(to, "dates of         %s: days since %s\n", name.text, first);
        if (c->percent) say(to, "percent          %s\n", name.text);
        if (c->fill) say(to, "missing of       %s: %s\n", name.text, c->fill_text);
        json_object(to->json, NULL);
        json_text(to->json, "column", c->name);
        if (c->kind == READING_DATE) json_text(to->json, "days_since", first);
        json_flag(to->json, "percent", c->percent != 0);
        if (c->fill) json_text(to->json, "missing", c->fill_text);
        json_end(to->json);
    }
    json_end(to->json);
    json_array(to->json, "na");
    for (size_t k = 0; how && k < how->n_na; k++) {
        say(to, "%s%s%s", k ? ", " : "missing is       ", cli_show(&name, how->na[k]), k + 1 == how->n_na ? "\n" : "");
        json_text(to->json, NULL, how->na[k]);
    }
    json_end(to->json);
}

static const reading_column *reading_of(const reading *how, const char *name)
{
    for (size_t j = 0; how && j < how->n; j++) if (!strcmp(how->column[j].name, name)) return &how->column[j];
    return NULL;
}

int reading_alike(const reading *a, const reading *b, const char *name)
{
    const reading_column *x = reading_of(a, name), *y = reading_of(b, name);
    const int date = x && x->kind == READING_DATE;
    if (date != (y && y->kind == READING_DATE)) return 0;
    return !date || x->first == y->first;
}
