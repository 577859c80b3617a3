/* csv: one pass over the bytes, in place: a cell's text is never longer than its source, so the texts stay in the buffer, each
 * ended by a zero where its separator or closing quote was. */
#include "csv.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum csv_mark { CSV_CELL_END, CSV_ROW_END, CSV_BROKEN } csv_mark;

typedef struct csv_scan {
    const char *file;
    char       *p, *end;            /* next byte, and the end of all               */
    const char *line_start;
    uint32_t    line;
    char        separator;
    cli_why    *why;
} csv_scan;

static int csv_blank(const csv_scan *s, char c) { return (c == ' ' || c == '\t') && c != s->separator; }
static int csv_line_end(char c) { return c == '\n' || c == '\r'; }
static uint32_t csv_byte(const csv_scan *s) { return (uint32_t)(s->p - s->line_start) + 1; }

static void csv_skip_blanks(csv_scan *s)
{
    while (s->p < s->end && csv_blank(s, *s->p)) s->p++;
}

/* Steps over one line end, \r\n being one. */
static void csv_next_line(csv_scan *s)
{
    if (*s->p++ == '\r' && s->p < s->end && *s->p == '\n') s->p++;
    s->line++;
    s->line_start = s->p;
}

/* After a cell: steps over its separator or line end. Then the byte there may be overwritten by the zero that ends the text. */
static csv_mark csv_finish(csv_scan *s)
{
    if (s->p == s->end) return CSV_ROW_END;
    if (*s->p == s->separator) { s->p++; return CSV_CELL_END; }
    csv_next_line(s);
    return CSV_ROW_END;
}

/* The name of a usual separator, or NULL. A tab behind a quote is a blank. */
static const char *csv_other(char c) { return c == ';' ? "semicolon" : c == ',' ? "comma" : NULL; }

/* s->p at the opening quote. */
static csv_mark csv_quoted(csv_scan *s, csv_cell *cell)
{
    char *to = ++s->p;
    cell->text = to;
    for (;;) {
        if (s->p == s->end) {
            cli_fail(s->why, "%s:%lu:%lu: this quote is never closed", s->file, (unsigned long)cell->line,
                     (unsigned long)cell->byte);
            return CSV_BROKEN;
        }
        if (*s->p == '"') {
            if (s->p + 1 == s->end || s->p[1] != '"') break;
            s->p++;
        } else if (csv_line_end(*s->p)) {
            const char *from = s->p;
            csv_next_line(s);
            while (from < s->p) *to++ = *from++;
            continue;
        }
        *to++ = *s->p++;
    }
    s->p++;
    *to = '\0';
    csv_skip_blanks(s);
    if (s->p < s->end && *s->p != s->separator && !csv_line_end(*s->p)) {
        const char *other = csv_other(*s->p);
        if (other) cli_fail(s->why, "%s:%lu:%lu: a %s behind a closing quote: --sep %s?", s->file, (unsigned long)s->line,
                            (unsigned long)csv_byte(s), other, other);
        else if (*s->p == '"')
            cli_fail(s->why, "%s:%lu:%lu: a quote behind a blank: blanks do not separate cells, --sep takes comma, semicolon or "
                             "tab", s->file, (unsigned long)s->line, (unsigned long)csv_byte(s));
        else cli_fail(s->why, "%s:%lu:%lu: text behind a closing quote (a quote within quotes is written twice)", s->file,
                      (unsigned long)s->line, (unsigned long)csv_byte(s));
        return CSV_BROKEN;
    }
    return csv_finish(s);
}

static csv_mark csv_cell_next(csv_scan *s, csv_cell *cell)
{
    csv_skip_blanks(s);
    cell->line = s->line;
    cell->byte = csv_byte(s);
    if (s->p < s->end && *s->p == '"') return csv_quoted(s, cell);
    cell->text = s->p;
    while (s->p < s->end && *s->p != s->separator && !csv_line_end(*s->p)) s->p++;
    char *last = s->p;
    while (last > cell->text && csv_blank(s, last[-1])) last--;
    const csv_mark mark = csv_finish(s);
    *last = '\0';
    return mark;
}

/* Moves to the next line that has something on it; 0 at the end. */
static int csv_next_row(csv_scan *s)
{
    for (;;) {
        char *begin = s->p;
        csv_skip_blanks(s);
        if (s->p == s->end) return 0;
        if (!csv_line_end(*s->p)) { s->p = begin; return 1; }
        csv_next_line(s);
    }
}

/* The cells of one row, appended at cells[*n]. */
static int csv_row(csv_scan *s, csv_cell **cells, size_t *n, size_t *room)
{
    for (;;) {
        if (*n == *room) {
            *room = *room ? 2*(*room) : 64;
            *cells = (csv_cell *)cli_grow(*cells, *room, sizeof **cells);
        }
        const csv_mark mark = csv_cell_next(s, *cells + *n);
        if (mark == CSV_BROKEN) return CLI_FAILED;
        (*n)++;
        if (mark == CSV_ROW_END) return CLI_GOOD;
    }
}

/* A header of one cell in which another separator stands: the likely reason why a row or a column does not fit. */
const char *csv_hint(const csv_table *t)
{
    if (t->n_columns != 1) return "";
    if (strchr(t->names[0].text, ';')) return " (the header holds semicolons: --sep semicolon?)";
    if (strchr(t->names[0].text, '\t')) return " (the header holds tabs: --sep tab?)";
    if (strchr(t->names[0].text, ',')) return " (the header holds commas: --sep comma?)";
    return strchr(t->names[0].text, ' ') ? " (the header holds blanks, which --sep does not take: comma, semicolon or tab)" : "";
}

/* Orders by text, equal texts by column. */
static int csv_by_name(const void *a, const void *b)
{
    const csv_name *x = (const csv_name *)a, *y = (const csv_name *)b;
    const int order = strcmp(x->text, y->text);
    return order ? order : (x->column > y->column) - (x->column < y->column);
}

static int csv_header(csv_scan *s, csv_table *t)
{
    size_t room = 0;
    if (!csv_next_row(s)) return cli_fail(s->why, "%s: empty file", s->file);
    if (csv_row(s, &t->names, &t->n_columns, &room)) return CLI_FAILED;
    const size_t n = t->n_read = t->n_columns;
    csv_name *by_name = t->by_name = (csv_name *)cli_memory(n, sizeof *by_name);
    for (size_t j = 0; j < n; j++) {
        by_name[j].text = t->names[j].text;
        by_name[j].column = j;
    }
    qsort(by_name, n, sizeof *by_name, csv_by_name);
    size_t twice = n, first = n;                      /* the first column whose name occurred before */
    for (size_t i = 1; i < n; i++) {
        if (!by_name[i].text[0] || strcmp(by_name[i].text, by_name[i - 1].text) || by_name[i].column > twice) continue;
        twice = by_name[i].column;
        first = by_name[i - 1].column;
    }
    cli_shown shown;
    if (twice == n) return CLI_GOOD;
    return cli_fail(s->why, "%s:%lu:%lu: column %lu has the same name as column %lu: \"%s\"", s->file,
                    (unsigned long)t->names[twice].line, (unsigned long)t->names[twice].byte, (unsigned long)twice + 1,
                    (unsigned long)first + 1, cli_show(&shown, t->names[twice].text));
}

/* A cell of an added column: empty, after the others of its row, with the position of the last of them. */
static char csv_empty[1];
static size_t csv_pad(csv_cell **cells, size_t n, size_t *room)
{
    if (n == *room) *cells = (csv_cell *)cli_grow(*cells, *room *= 2, sizeof **cells);
    (*cells)[n] = (*cells)[n - 1];
    (*cells)[n].text = csv_empty;
    return n + 1;
}

static int csv_body(csv_scan *s, csv_table *t, size_t *room)
{
    size_t n = 0;
    cli_counted counted;
    t->n_rows = 0;
    while (csv_next_row(s)) {
        const unsigned long line = s->line;
        const size_t before = n;
        if (csv_row(s, &t->cells, &n, room)) return CLI_FAILED;
        if (n - before != t->n_read)
            return cli_fail(s->why, "%s:%lu:%lu: a row of %s, where the header has %lu%s%s", s->file, line,
                            (unsigned long)t->cells[n - before > t->n_read ? before + t->n_read : n - 1].byte,
                            cli_count(&counted, n - before, "cell"), (unsigned long)t->n_read, csv_hint(t),
                            !t->n_rows && n - before == t->n_read + 1 && t->n_read > 1 && t->cells[n - 1].text[0]
                                ? " (of R's write.table? write.csv also writes a header cell for the row names)" : "");
        while (n - before < t->n_columns) n = csv_pad(&t->cells, n, room);
        t->n_rows++;
    }
    return CLI_GOOD;
}

/* Zero bytes would end texts early. They are a sign of another encoding, such as UTF-16. */
static int csv_no_zero(csv_scan *s)
{
    const char *zero = (const char *)memchr(s->p, 0, (size_t)(s->end - s->p));
    if (!zero) return CLI_GOOD;
    unsigned long line = s->line;
    const char *start = s->p;
    for (const char *p = s->p; p < zero; p++)
        if (*p == '\n') { line++; start = p + 1; }
    return cli_fail(s->why, "%s:%lu:%lu: a zero byte: not a text file in ASCII or UTF-8", s->file, line,
                    (unsigned long)(zero - start) + 1);
}

static csv_scan csv_scan_of(const char *file, char *bytes, size_t n, char separator, uint32_t line, cli_why *why)
{
    csv_scan s;
    s.file = file;
    s.p = bytes;
    s.end = bytes + n;
    s.line = line;
    s.separator = separator;
    s.why = why;
    if (line == 1 && n >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3)) s.p += 3;
    s.line_start = s.p;
    return s;
}

int csv_parse(const char *file, char *bytes, size_t n, char separator, csv_table *out, cli_why *why)
{
    csv_table t;
    size_t room = 0;
    memset(&t, 0, sizeof t);
    t.file = cli_copy(file);
    t.bytes = bytes;
    csv_scan s = csv_scan_of(t.file, bytes, n, separator, 1, why);
    bytes[n] = '\0';
    int status = csv_no_zero(&s);
    if (!status) status = csv_header(&s, &t);
    if (!status) status = csv_body(&s, &t, &room);
    if (!status && t.n_rows == 0) status = cli_fail(why, "%s: a header, but no rows", file);
    if (status) csv_free(&t);
    else *out = t;
    return status;
}

int csv_parse_header(csv_table *t, char *bytes, size_t n, char separator, uint32_t *line, size_t *used, cli_why *why)
{
    csv_scan s = csv_scan_of(t->file, bytes, n, separator, *line, why);
    int status = csv_no_zero(&s);
    if (!status) status = csv_header(&s, t);
    *line = s.line;
    *used = (size_t)(s.p - bytes);
    return status;
}

int csv_parse_rows(csv_table *t, char *bytes, size_t n, char separator, uint32_t *line, size_t *room, cli_why *why)
{
    csv_scan s = csv_scan_of(t->file, bytes, n, separator, *line, why);
    int status = csv_no_zero(&s);
    if (!status) status = csv_body(&s, t, room);
    *line = s.line;
    return status;
}

/* The place after the last line end. A \r that is the last byte may be the first half of one. */
static size_t csv_last_line_end(const char *p, size_t n)
{
    for (size_t i = n; i-- > 0;)
        if (p[i] == '\n' || (p[i] == '\r' && i + 1 < n)) return i + 1;
    return 0;
}

size_t csv_whole_lines(const char *p, size_t n, char separator)
{
    size_t whole = 0;
    int at_cell = 1, quoted = 0;
    if (!memchr(p, '"', n)) return csv_last_line_end(p, n);
    for (size_t i = 0; i < n; i++) {
        const char c = p[i];
        if (quoted) {
            if (c != '"') continue;
            if (i + 1 == n) return whole;
            if (p[i + 1] == '"') i++;
            else quoted = 0;
        } else if (csv_line_end(c)) {
            if (c == '\r' && (i + 1 == n || p[i + 1] == '\n')) continue;
            whole = i + 1;
            at_cell = 1;
        } else if (c == separator) at_cell = 1;
        else if (c == '"' && at_cell) { quoted = 1; at_cell = 0; }
        else if (c != ' ' && c != '\t') at_cell = 0;
    }
    return whole;
}

void csv_free(csv_table *t)
{
    free(t->file);
    free(t->bytes);
    free(t->names);
    free(t->by_name);
    free(t->cells);
    free(t->texts);
    free(t->as_words);
    for (size_t k = 0; k < t->n_kept; k++) {
        free(t->kept[k].text);
        free(t->kept[k].bytes);
    }
    free(t->kept);
    memset(t, 0, sizeof *t);
}

const char *csv_file_name(const char *path) { return strcmp(path, "-") ? path : "standard input"; }

const csv_cell *csv_at(const csv_table *t, size_t row, size_t column) { return t->cells + row*t->n_columns + column; }

const char *csv_where(csv_place *out, const csv_table *t, const csv_cell *cell)
{
    snprintf(out->text, sizeof out->text, "%.250s:%lu:%lu", t->file, (unsigned long)cell->line, (unsigned long)cell->byte);
    return out->text;
}

size_t csv_find(const csv_table *t, const char *name)
{
    size_t first = 0, end = t->n_columns;
    while (first < end) {
        const size_t middle = first + (end - first)/2;
        if (strcmp(t->by_name[middle].text, name) < 0) first = middle + 1;
        else end = middle;
    }
    return first < t->n_columns && !strcmp(t->by_name[first].text, name) ? t->by_name[first].column : t->n_columns;
}

size_t csv_add(csv_table *t, const char *name)
{
    const size_t known = csv_find(t, name), old = t->n_columns, n = old + 1;
    if (known < old) return known;
    t->names = (csv_cell *)cli_grow(t->names, n, sizeof *t->names);
    t->names[old] = t->names[old - 1];
    t->names[old].text = (char *)name;
    t->n_columns = n;
    t->by_name = (csv_name *)cli_grow(t->by_name, n, sizeof *t->by_name);
    size_t place = old;
    for (; place > 0 && strcmp(t->by_name[place - 1].text, name) > 0; place--) t->by_name[place] = t->by_name[place - 1];
    t->by_name[place].text = name;
    t->by_name[place].column = old;
    if (t->as_words) {
        t->as_words = (unsigned char *)cli_grow(t->as_words, n, 1);
        t->as_words[old] = 0;
    }
    if (!t->n_rows) return old;
    t->cells = (csv_cell *)cli_grow(t->cells, t->n_rows*n, sizeof *t->cells);
    for (size_t i = t->n_rows; i-- > 0;) {
        memmove(t->cells + i*n, t->cells + i*old, old*sizeof *t->cells);
        t->cells[i*n + old] = t->cells[i*n + old - 1];
        t->cells[i*n + old].text = csv_empty;
    }
    return old;
}

void csv_keep(csv_table *t, size_t column)
{
    size_t bytes = 0;
    for (size_t i = 0; i < t->n_rows; i++) bytes += strlen(csv_at(t, i, column)->text) + 1;
    t->kept = (csv_kept *)cli_grow(t->kept, t->n_kept + 1, sizeof *t->kept);
    csv_kept *k = &t->kept[t->n_kept++];
    k->column = column;
    k->text = (char **)cli_memory(t->n_rows, sizeof *k->text);
    char *to = k->bytes = (char *)cli_memory(bytes, 1);
    for (size_t i = 0; i < t->n_rows; i++) {
        k->text[i] = strcpy(to, csv_at(t, i, column)->text);
        to += strlen(to) + 1;
    }
}
