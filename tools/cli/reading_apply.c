/* reading_apply: reads cells as was learned from the columns of one table, in that table and in others */
#include "reading_evidence.h"
#include "columns.h"
#include "number.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reading_free_evidence(reading_evidence *e)
{
    if (!e) return;
    for (int k = 0; k < SEEN_COUNT; k++) free(e->cell[k].text);
    free(e->first.text);
    free(e->other.text);
    free(e);
}

reading *reading_share(reading *how)
{
    how->users++;
    return how;
}

void reading_free(reading *how)
{
    if (!how || --how->users) return;
    for (size_t j = 0; j < how->n; j++) {
        free(how->column[j].name);
        reading_free_evidence(how->column[j].e);
    }
    for (size_t k = 0; k < how->n_na; k++) free(how->na[k]);
    for (size_t k = 0; k < how->n_aside; k++) reading_free_evidence(how->aside[k]);
    free(how->aside);
    free(how->column);
    free(how->na);
    free(how);
}

/* The number of a text; a mark that may be either is the decimal one. Returns 1 for a plain number, 2 for another, 0 for none. */
static int reading_value(const char *text, char decimal, double *v)
{
    char number[64];
    cell_shape s;
    cell_look(text, &s);
    if (s.kind != CELL_NUMBER || s.percent || strlen(text) >= sizeof number) return 0;
    const int maybe = s.mark == MARK_MAYBE_POINT || s.mark == MARK_MAYBE_COMMA;
    if (s.plain && (!maybe || decimal == '.')) return number_read(text, v) == NUMBER_VALUE;
    cell_write(text, maybe ? decimal : s.mark == MARK_COMMA ? ',' : '.', number);
    return number_read(number, v) == NUMBER_VALUE ? 2 : 0;
}

int reading_is_na(const reading *how, const char *text, char decimal)
{
    double v, token;
    for (size_t k = 0; k < how->n_na; k++) if (!strcmp(how->na[k], text)) return 1;
    const int kind = how->n_na ? reading_value(text, decimal, &v) : 0;
    for (size_t k = 0; k < how->n_na && kind; k++) {
        const int plain = number_read(how->na[k], &token) == NUMBER_VALUE;              /* in --na a point is the decimal mark */
        if ((plain || reading_value(how->na[k], decimal, &token)) && v == token) return kind;
    }
    return 0;
}

void reading_extend(const reading *how, csv_table *t)
{
    for (size_t j = 0; how && j < how->n; j++) {
        const reading_column *c = &how->column[j];
        const size_t at = csv_find(t, how->column[c->of].name);
        if (at == t->n_columns) continue;
        if (c->piece) csv_add(t, c->name);
        if (c->kind != READING_WORDS) continue;
        if (!t->as_words) t->as_words = (unsigned char *)cli_memory(t->n_columns, 1);
        t->as_words[at] = 1;
    }
}

const char *reading_source(const reading *how, const char *name)
{
    for (size_t j = 0; how && j < how->n; j++)
        if (how->column[j].piece && !strcmp(how->column[j].name, name)) return how->column[how->column[j].of].name;
    return name;
}

/* ---- one cell */

#define READING_BOTH "has a point, and decimals of this table have commas: write 3,14, and thousands as 1.234, or --decimal point"
#define READING_COMMA "has a comma: write decimals with a point, as 3.14, or --decimal comma"

/* Converts a cell. Returns NULL, or what is wrong with it; that a cell is no number is reported elsewhere. */
static const char *reading_number(const reading_column *c, char decimal, csv_cell *cell)
{
    cell_shape s;
    double value;
    if (decimal == '.' && !c->percent && number_read(cell->text, &value) == NUMBER_VALUE) return NULL;
    cell_look(cell->text, &s);
    if (s.kind == CELL_SIGN) { cell->text[0] = '\0'; return NULL; }
    if (s.kind != CELL_NUMBER) return NULL;
    if (s.mark == (decimal == '.' ? MARK_COMMA : MARK_POINT)) return decimal == '.' ? READING_COMMA : READING_BOTH;
    if (s.percent && !c->percent) return "is a percentage, and the rows of the fit have plain numbers: write it as they do";
    if (s.currency[0] && c->currency[0] && strcmp(s.currency, c->currency))
        return "is of another currency than the rows of the fit";
    if (!s.plain || s.mark != MARK_NONE) cell_write(cell->text, decimal, cell->text);
    if (!c->percent || s.percent || (number_read(cell->text, &value) == NUMBER_VALUE && value == 0.0)) return NULL;
    return "is no percentage, and the rows of the fit have percentages: write 5%, not 5 or 0.05";
}

enum { READING_DAYS = 32, READING_YEAR = 8 };      /* room for a text */
typedef struct reading_day { int known; long day; } reading_day;

/* Days since the first day, as a text in room. */
static const char *reading_date(const reading_column *c, csv_cell *cell, char *room, reading_day *out)
{
    cell_shape s;
    cell_look(cell->text, &s);
    out->known = 0;
    if (s.kind == CELL_SIGN || s.kind == CELL_MISSING) {
        if (cell->text[0]) cell->text[0] = '\0';
        return NULL;
    }
    if (s.kind != CELL_DATE) return "is no date, as the rows of the fit have them: 2024-05-17";
    const cell_order order = s.order != ORDER_SLASH ? s.order : (cell_order)c->order;
    if (order == ORDER_NONE) return "may have the day first or the month: write it as 2024-05-17";
    if (!cell_day(&s, order, &out->day)) return order == ORDER_MDY ? "is no day of the calendar (month first)"
                                                                    : "is no day of the calendar";
    out->known = 1;
    const double days = (double)(out->day - (long)c->first);
    if (s.seconds < 0.0) snprintf(room, READING_DAYS, "%.0f", days);
    else snprintf(room, READING_DAYS, "%.15g", days + s.seconds/86400.0);
    cell->text = room;
    return NULL;
}

/* Year, month, weekday. */
static void reading_put_piece(reading_piece piece, reading_day day, csv_cell *cell, char *room)
{
    static char months[12][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
    static char days[7][4] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };
    if (!day.known) return;
    const cell_calendar c = cell_date(day.day);
    snprintf(room, READING_YEAR, "%d", c.year);
    cell->text = piece == PIECE_YEAR ? room : piece == PIECE_MONTH ? months[c.month - 1] : days[c.weekday];
}

/* ---- a table */

/* Writes the pieces of a date into their cells of the row. */
static void reading_put_pieces(const reading *how, const csv_table *t, const size_t *at, size_t source, size_t row, reading_day day,
                               char *room)
{
    for (size_t j = 0; j < how->n; j++) {
        const reading_column *c = &how->column[j];
        if (c->of == source && c->piece && c->piece != PIECE_MISSING && at[j] != COLUMNS_NOWHERE)
            reading_put_piece((reading_piece)c->piece, day, &t->cells[row*t->n_columns + at[j]], room);
    }
}

static int reading_convert_column(const reading *how, size_t j, char decimal, csv_table *t, const size_t *at, char *room,
                                  cli_why *why)
{
    const reading_column *c = &how->column[j];
    for (size_t i = 0; i < t->n_rows; i++) {
        csv_cell *cell = &t->cells[i*t->n_columns + at[j]];
        const char *wrong = NULL;
        reading_day day;
        if (how->n_na && cell->text[0] && reading_is_na(how, cell->text, decimal)) cell->text[0] = '\0';
        if (c->kind == READING_NUMBER) wrong = reading_number(c, decimal, cell);
        if (c->kind == READING_DATE) {
            wrong = reading_date(c, cell, room, &day);
            if (!wrong) reading_put_pieces(how, t, at, j, i, day, room + READING_DAYS);
            room += READING_DAYS + READING_YEAR;
        }
        if (wrong) return columns_complain(t, cell, c->name, wrong, why);
    }
    return CLI_GOOD;
}

/* Where the columns of the reading are in the table, or COLUMNS_NOWHERE: not there, or not among those at[0..n_at-1], nor one of
 * which these are made. To free. */
static size_t *reading_places(const reading *how, const csv_table *t, size_t n_at, const size_t *at)
{
    size_t *place = (size_t *)cli_memory(how->n, sizeof *place);
    unsigned char *wanted = (unsigned char *)cli_memory(t->n_columns, 1);
    for (size_t k = 0; k < n_at; k++) if (at[k] != COLUMNS_NOWHERE) wanted[at[k]] = 1;
    for (size_t j = how->n; j-- > 0;) {                                        /* pieces come after their column */
        const size_t found = csv_find(t, how->column[j].name), of = csv_find(t, how->column[how->column[j].of].name);
        place[j] = found < t->n_columns && (!at || wanted[found]) ? found : COLUMNS_NOWHERE;
        if (place[j] != COLUMNS_NOWHERE && of < t->n_columns) wanted[of] = 1;
    }
    free(wanted);
    return place;
}

int reading_convert(const reading *how, char decimal, size_t n_at, const size_t *at, csv_table *t, cli_why *why)
{
    size_t dates = 0, *place = reading_places(how, t, n_at, at);
    int status = CLI_GOOD;
    for (size_t j = 0; j < how->n; j++) dates += how->column[j].kind == READING_DATE;
    free(t->texts);
    char *room = t->texts = dates ? (char *)cli_memory(t->n_rows, dates*(READING_DAYS + READING_YEAR)) : NULL;
    for (size_t j = 0; j < how->n && !status; j++) {
        if (how->column[j].piece || place[j] == COLUMNS_NOWHERE) continue;
        status = reading_convert_column(how, j, decimal, t, place, room, why);
        if (how->column[j].kind == READING_DATE) room += t->n_rows*(READING_DAYS + READING_YEAR);
    }
    free(place);
    return status;
}

void reading_fill(const reading *how, int values, csv_table *t)
{
    static char no[] = "0", yes[] = "1";
    double ignored;
    size_t *at = (size_t *)cli_memory(how->n, sizeof *at), filled = 0;
    for (size_t j = 0; j < how->n; j++) at[j] = csv_find(t, how->column[j].name);
    for (size_t i = 0; i < t->n_rows; i++) {
        csv_cell *row = t->cells + i*t->n_columns;
        int any = 0;
        for (size_t j = how->n; j-- > 0;) {                            /* the mark of a missing cell comes after its column */
            const reading_column *c = &how->column[j];
            if (at[j] == t->n_columns || !(c->fill || c->piece == PIECE_MISSING)) continue;
            const size_t source = c->piece == PIECE_MISSING ? at[c->of] : at[j];
            const int missing = number_read(row[source].text, &ignored) == NUMBER_MISSING;
            if (c->piece == PIECE_MISSING) row[at[j]].text = missing ? yes : no;
            else if (missing && values) row[at[j]].text = (char *)c->fill_text;
            any |= missing && values;
        }
        filled += (size_t)any;
    }
    t->filled = filled;
    free(at);
}

int reading_first_day(const reading *how, const char *name, long *day)
{
    for (size_t j = 0; how && j < how->n; j++) {
        const reading_column *c = &how->column[j];
        if (c->kind != READING_DATE || strcmp(c->name, name)) continue;
        *day = (long)c->first;
        return 1;
    }
    return 0;
}

int reading_is_filled(const reading *how, const csv_cell *cell)
{
    for (size_t j = 0; how && j < how->n; j++) if (how->column[j].fill && cell->text == how->column[j].fill_text) return 1;
    return 0;
}

/* ---- a table for a model */

static void reading_mark_add(reading_mark *to, const csv_cell *cell, const char *column)
{
    if (to->count++) return;
    to->line = cell->line;
    cli_show(&to->text, cell->text);
    cli_show(&to->column, column);
}

/* The numbers of one column; aside: only if most of its cells are numbers, as else its marks are those of something else. */
static void reading_count_column(const reading *how, const csv_table *t, size_t at, int used, char guess, reading_marks *to)
{
    cell_shape s;
    size_t numbers = 0, others = 0;
    for (size_t i = 0; i < t->n_rows && !used; i++) {
        cell_look(csv_at(t, i, at)->text, &s);
        numbers += s.kind == CELL_NUMBER;
        others += s.kind == CELL_WORD || s.kind == CELL_DATE;
    }
    if (!used && numbers <= others) return;
    for (size_t i = 0; i < t->n_rows; i++) {
        const csv_cell *cell = csv_at(t, i, at);
        cell_look(cell->text, &s);
        if (s.kind != CELL_NUMBER || (how->n_na && reading_is_na(how, cell->text, guess))) continue;
        reading_mark_add(used ? &to->used[s.mark] : &to->aside[s.mark], cell, t->names[at].text);
        if (used && !s.plain && s.mark != MARK_NONE) reading_mark_add(&to->odd, cell, t->names[at].text);
    }
}

void reading_count_marks(const reading *how, const options *o, size_t n_at, const size_t *at, const csv_table *t,
                         reading_marks *marks)
{
    const char guess = o->decimal == DECIMAL_COMMA || (o->decimal == DECIMAL_AUTO && o->separator == ';') ? ',' : '.';
    size_t *place = reading_places(how, t, n_at, at);
    unsigned char *used = (unsigned char *)cli_memory(t->n_columns, 1);
    for (size_t j = 0; j < how->n; j++) {
        if (place[j] == COLUMNS_NOWHERE || how->column[j].piece) continue;
        used[place[j]] = 1;
        if (how->column[j].kind == READING_NUMBER) reading_count_column(how, t, place[j], 1, guess, marks);
    }
    for (size_t j = 0; j < t->n_read && o->separator != ','; j++)
        if (!used[j]) reading_count_column(how, t, j, 0, guess, marks);
    free(used);
    free(place);
}

/* Is there a column in use whose marks may be read in two ways? */
static int reading_is_open(const reading_marks *m)
{
    return !m->used[MARK_POINT].count && !m->used[MARK_COMMA].count
        && (m->used[MARK_MAYBE_POINT].count || m->used[MARK_MAYBE_COMMA].count);
}

static const reading_mark *reading_mark_of(const reading_marks *m, cell_mark sure, cell_mark maybe)
{
    const reading_mark *const order[] = { &m->used[sure], &m->aside[sure], &m->used[maybe], &m->aside[maybe] };
    size_t k = 0;
    while (k < 3 && !order[k]->count) k++;
    return order[k];
}

int reading_decimal(const reading *how, const options *o, const char *file, const reading_marks *m, int learning, char *decimal,
                    cli_why *why)
{
    size_t n[MARK_COUNT];
    const int open = reading_is_open(m), semicolon = o->separator == ';';
    for (int k = 0; k < MARK_COUNT; k++) n[k] = m->used[k].count + (open ? m->aside[k].count : 0);
    const int point = n[MARK_POINT] > 0, comma = n[MARK_COMMA] > 0;
    const int points = point || (!comma && n[MARK_MAYBE_POINT]), commas = comma || (!point && n[MARK_MAYBE_COMMA]);
    if (o->decimal != DECIMAL_AUTO) { *decimal = o->decimal == DECIMAL_COMMA ? ',' : '.'; return CLI_GOOD; }
    if (o->separator == ',') { *decimal = '.'; return CLI_GOOD; }
    if (points && commas) {
        const reading_mark *a = reading_mark_of(m, MARK_POINT, MARK_MAYBE_POINT);
        const reading_mark *b = reading_mark_of(m, MARK_COMMA, MARK_MAYBE_COMMA);
        return cli_fail(why, "%s: decimals with a point, as \"%s\" (line %lu, column \"%s\"), and with a comma, as \"%s\" (line "
                             "%lu, column \"%s\"): --decimal comma or point says which it is", file, a->text.text,
                        (unsigned long)a->line, a->column.text, b->text.text, (unsigned long)b->line, b->column.text);
    }
    if (point) *decimal = '.';
    else if (comma || (commas && semicolon)) *decimal = ',';
    else if (learning && points && semicolon) {
        const reading_mark *a = reading_mark_of(m, MARK_POINT, MARK_MAYBE_POINT);
        double decimals = 0.0, thousands = 0.0;
        reading_value(a->text.text, '.', &decimals);
        reading_value(a->text.text, ',', &thousands);
        return cli_fail(why, "%s: \"%s\" (line %lu, column \"%s\") may be %.15g or %.15g, and no other number of the table tells "
                             "which: --decimal point or --decimal comma", file, a->text.text, (unsigned long)a->line,
                        a->column.text, decimals, thousands);
    } else *decimal = how->decimal == ',' && semicolon ? ',' : '.';
    return CLI_GOOD;
}

void reading_note_decimal(const options *o, const char *file, const reading_marks *m, char decimal, int learning)
{
    const reading_mark *cell = NULL, *said = &m->aside[decimal == ',' ? MARK_COMMA : MARK_POINT];
    static const cell_mark commas[] = { MARK_COMMA, MARK_MAYBE_COMMA, MARK_MAYBE_POINT };
    char number[64], as[160] = "";
    double value;
    if (o->decimal != DECIMAL_AUTO) return;
    for (int k = 0; k < 3 && decimal == ',' && !(cell && cell->count); k++) cell = &m->used[commas[k]];
    if (decimal == '.' && !learning && m->odd.count) cell = &m->odd;
    else if (decimal == '.' && o->separator == ';' && !m->used[MARK_POINT].count) cell = &m->used[MARK_MAYBE_POINT];
    if (!cell || !cell->count) return;
    if (reading_is_open(m) && said->count)
        snprintf(as, sizeof as, ", as \"%s\" (line %lu, column \"%s\") says", said->text.text, (unsigned long)said->line,
                 said->column.text);
    strcpy(number, cell->text.text);                               /* of a long one, cut short, nothing is written */
    cell_write(cell->text.text, decimal, number);
    if (!strcmp(number, cell->text.text) && reading_value(number, decimal, &value)) snprintf(number, sizeof number, "%.15g", value);
    cli_note("%s: decimals with a %s%s: \"%s\" (line %lu, column \"%s\") is read as %s (--decimal %s)", file,
             decimal == ',' ? "comma" : "point", as, cell->text.text, (unsigned long)cell->line, cell->column.text, number,
             decimal == ',' ? "point: not so" : strchr(cell->text.text, ',') ? "comma: as decimals" : "comma: as thousands");
}

int reading_apply(const reading *how, const options *o, size_t n_at, const size_t *at, csv_table *t, cli_why *why)
{
    reading_marks marks;
    char decimal = '.';
    if (!how) return CLI_GOOD;
    memset(&marks, 0, sizeof marks);
    reading_count_marks(how, o, n_at, at, t, &marks);
    int status = reading_decimal(how, o, t->file, &marks, 0, &decimal, why);
    if (!status) status = reading_convert(how, decimal, n_at, at, t, why);
    if (!status) reading_note_decimal(o, t->file, &marks, decimal, 0);
    if (!status && how->missing > MISSING_DROP) reading_fill(how, o->missing != MISSING_DROP, t);
    return status;
}

/* ---- in a model file
 *
 *     u32 --missing · u32 n, and as many str of --na · u32 n, and for each column str name, u32 kind, percent, order, piece,
 *     fill, u32 the column that it is a piece of, u64 first day + 2^62, str currency, str what fills missing cells
 *     u32 the decimal mark of the training table, as a character */

void reading_save(const reading *how, int same, bln_writer *w)
{
    bln_put_u32(w, how->missing);
    bln_put_u32(w, (uint32_t)how->n_na);
    for (size_t k = 0; k < how->n_na; k++) bln_put_string(w, how->na[k]);
    bln_put_u32(w, (uint32_t)how->n);
    for (size_t j = 0; j < how->n; j++) {
        const reading_column *c = &how->column[j];
        bln_put_string(w, c->name);
        bln_put_u32(w, c->kind);
        bln_put_u32(w, c->percent);
        bln_put_u32(w, c->order);
        bln_put_u32(w, c->piece);
        bln_put_u32(w, c->fill);
        bln_put_u32(w, (uint32_t)c->of);
        bln_put_u64(w, (uint64_t)(c->first + (INT64_C(1) << 62)));
        bln_put_string(w, c->currency);
        bln_put_string(w, c->fill_text);
    }
    bln_put_u32(w, same ? '.' : (uint32_t)how->decimal);
}

/* A text of less than `room` bytes. */
static void reading_load_text(bln_reader *r, size_t room, char *out)
{
    char *text = r->status == BLN_OK ? columns_load_text(r) : NULL;
    if (text && strlen(text) < room) strcpy(out, text);
    else if (text) bln_reader_fail(r, BLN_EFORMAT, "a text that is too long");
    free(text);
}

static void reading_load_column(bln_reader *r, size_t n, reading_column *c)
{
    c->name = columns_load_text(r);
    c->kind = bln_get_u32(r);
    c->percent = bln_get_u32(r);
    c->order = bln_get_u32(r);
    c->piece = bln_get_u32(r);
    c->fill = bln_get_u32(r);
    c->of = bln_get_u32(r);
    c->first = (int64_t)bln_get_u64(r) - (INT64_C(1) << 62);
    reading_load_text(r, sizeof c->currency, c->currency);
    reading_load_text(r, sizeof c->fill_text, c->fill_text);
    const int good = c->kind <= READING_WORDS && c->percent <= 1 && c->order <= ORDER_MDY && c->piece < PIECE_COUNT && c->fill <= 1
                  && c->of < n && c->first > -4000000 && c->first < 4000000;
    if (r->status == BLN_OK && !good) bln_reader_fail(r, BLN_EFORMAT, "a column of no known writing");
}

/* Each item takes bytes, so a count that is too large in a damaged file ends at the end of the file. */
reading *reading_load(bln_reader *r)
{
    reading *how = (reading *)cli_memory(1, sizeof *how);
    how->users = 1;
    how->missing = bln_get_u32(r);
    const uint32_t na = bln_get_u32(r);
    if (r->status == BLN_OK && (how->missing > MISSING_INDICATOR || na > (r->limit - r->count)/4))
        bln_reader_fail(r, BLN_EFORMAT, "a count larger than the file");
    how->na = (char **)cli_memory(r->status == BLN_OK ? na : 0, sizeof *how->na);
    while (r->status == BLN_OK && how->n_na < na) {
        char *text = columns_load_text(r);
        if (text) how->na[how->n_na++] = text;
    }
    const uint32_t n = bln_get_u32(r);
    if (r->status == BLN_OK && n > (r->limit - r->count)/44) bln_reader_fail(r, BLN_EFORMAT, "a count larger than the file");
    how->column = (reading_column *)cli_memory(r->status == BLN_OK ? n : 0, sizeof *how->column);
    while (r->status == BLN_OK && how->n < n) reading_load_column(r, n, &how->column[how->n++]);
    how->decimal = bln_get_u32(r) == ',' ? ',' : '.';
    how->active = 1;
    if (r->status == BLN_OK) return how;
    reading_free(how);
    return NULL;
}
