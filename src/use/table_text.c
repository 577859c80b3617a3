/* table_text: lines of decimal numbers. A row is read where it lies in the buffer; one that runs out of it is read again when the
 * buffer has been filled up behind it. */
#include "table_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../math/decimal.h"

typedef enum blni_text_mark {
    BLNI_TEXT_NEXT,        /* behind a cell and its separator                             */
    BLNI_TEXT_LAST,        /* behind the last cell of a line, at the line end             */
    BLNI_TEXT_MORE,        /* the buffer ended, and the file did not                      */
    BLNI_TEXT_BAD          /* the report says why                                         */
} blni_text_mark;

/* The part of the buffer that is looked at; p moves. */
typedef struct blni_text {
    const char *p, *end;
    int         ended;             /* is end the end of the file?                         */
    char        separator;
} blni_text;

BLNI_PRIV int blni_text_line_end(char c) { return c == '\n' || c == '\r'; }
BLNI_PRIV void blni_text_blanks(blni_text *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t') && *s->p != s->separator) s->p++;
}
BLNI_PRIV int blni_text_cell_end(const blni_text *s)
{
    return s->p == s->end || *s->p == s->separator || blni_text_line_end(*s->p);
}

/* Behind the contents and blanks of a cell. */
BLNI_PRIV blni_text_mark blni_text_finish(blni_text *s)
{
    if (s->p == s->end) return s->ended ? BLNI_TEXT_LAST : BLNI_TEXT_MORE;
    if (*s->p != s->separator) return BLNI_TEXT_LAST;
    s->p++;
    return BLNI_TEXT_NEXT;
}

/* Over a cell that may be anything. BLNI_TEXT_BAD, without a report: its quote is not closed in this line. */
BLNI_PRIV blni_text_mark blni_text_skip(blni_text *s)
{
    blni_text_blanks(s);
    if (s->p < s->end && *s->p == '"') {
        for (s->p++;; s->p++) {
            if (s->p == s->end) return s->ended ? BLNI_TEXT_BAD : BLNI_TEXT_MORE;
            if (blni_text_line_end(*s->p)) return BLNI_TEXT_BAD;
            if (*s->p != '"') continue;
            if (s->p + 1 == s->end && !s->ended) return BLNI_TEXT_MORE;
            if (s->p + 1 < s->end && s->p[1] == '"') { s->p++; continue; }
            s->p++;
            break;
        }
    }
    while (!blni_text_cell_end(s)) s->p++;
    return blni_text_finish(s);
}

/* One line end; \r\n is one. 0: it may go on behind the buffer. */
BLNI_PRIV int blni_text_next_line(blni_text *s)
{
    if (s->p == s->end) return s->ended;
    if (*s->p == '\r') {
        if (s->p + 1 == s->end && !s->ended) return 0;
        if (s->p + 1 < s->end && s->p[1] == '\n') s->p++;
    }
    s->p++;
    return 1;
}

/* ---- failures */

/* Lines that end in the bytes before this part. */
BLNI_PRIV size_t blni_text_lines_before(const bln_table *t)
{
    char bytes[4096], last = 0;
    size_t lines = 0, got = 0;
    for (uint64_t at = 0; at < t->begin; at += got) {
        const size_t n = t->begin - at < sizeof bytes ? (size_t)(t->begin - at) : sizeof bytes;
        if (blni_table_read(&t->from, t->path, at, bytes, n, &got, NULL) != BLN_OK || got == 0) return lines;
        for (size_t i = 0; i < got; i++) {
            lines += bytes[i] == '\r' || (bytes[i] == '\n' && last != '\r');
            last = bytes[i];
        }
    }
    return lines;
}

BLNI_PRIV blni_text_mark blni_text_fail(const bln_table *t, bln_status *status, bln_status code, size_t column, const char *what,
                                        bln_report *report)
{
    *status = blni_table_fail(t, code, "line ", blni_text_lines_before(t) + t->line, column, what, report);
    return BLNI_TEXT_BAD;
}

/* Is the text of n bytes this word (in lower case), in any case? */
BLNI_PRIV int blni_text_is(const char *p, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if ((p[i] >= 'A' && p[i] <= 'Z' ? (char)(p[i] - 'A' + 'a') : p[i]) != word[i]) return 0;
    return word[n] == '\0';
}

/* The cell from p on holds no number: says what it holds. */
BLNI_PRIV blni_text_mark blni_text_no_number(const bln_table *t, blni_text s, bln_status *status, size_t column, bln_report *report)
{
    char what[100] = "\"";
    blni_text rest = s;
    const blni_text_mark mark = blni_text_skip(&rest);
    if (mark == BLNI_TEXT_MORE) return mark;
    if (mark == BLNI_TEXT_BAD)
        return blni_text_fail(t, status, BLN_EFORMAT, column, "this quote is not closed in its line", report);
    blni_text_blanks(&s);
    const char *p = s.p, *end = mark == BLNI_TEXT_NEXT ? rest.p - 1 : rest.p;
    while (end > p && (end[-1] == ' ' || end[-1] == '\t')) end--;
    if (end - p > 1 && *p == '"' && end[-1] == '"') { p++; end--; }
    const size_t n = (size_t)(end - p), sign = n && (*p == '-' || *p == '+');
    if (n == 0 || (n == 2 && p[0] == 'N' && p[1] == 'A') || (n == 3 && blni_text_is(p, n, "nan")))
        return blni_text_fail(t, status, BLN_EDATA, column, "a missing value", report);
    if ((n - sign == 3 || n - sign == 8) && blni_text_is(p + sign, n - sign, n - sign == 3 ? "inf" : "infinity"))
        return blni_text_fail(t, status, BLN_EDATA, column, "an infinity", report);
    const size_t shown = blni_min(n, 40);
    for (size_t i = 0; i < shown; i++) what[1 + i] = (unsigned char)p[i] < 32 || p[i] == 127 ? '?' : p[i];
    what[1 + shown] = '\0';
    blni_cat(what, sizeof what, n > shown ? "...\" is not a number" : "\" is not a number");
    return blni_text_fail(t, status, BLN_EFORMAT, column, what, report);
}

BLNI_PRIV blni_text_mark blni_text_number(const bln_table *t, blni_text *s, double *value, bln_status *status, size_t column,
                                          bln_report *report)
{
    const blni_text cell = *s;
    blni_text_blanks(s);
    const int quoted = s->p < s->end && *s->p == '"';
    const char *behind = bln_decimal_read(s->p + quoted, s->end, value);
    if (behind == s->end && !s->ended) return BLNI_TEXT_MORE;
    int good = behind && (!quoted || (behind < s->end && *behind == '"'));
    if (good) {
        s->p = behind + quoted;
        blni_text_blanks(s);
        good = blni_text_cell_end(s);
    }
    if (!good) return blni_text_no_number(t, cell, status, column, report);
    if (!blni_finite(*value)) return blni_text_fail(t, status, BLN_EDATA, column, "a number too large for a double", report);
    return blni_text_finish(s);
}

BLNI_PRIV blni_text_mark blni_text_length(const bln_table *t, bln_status *status, size_t cells, int more, bln_report *report)
{
    char what[100] = "a row of ";
    if (more) blni_cat(what, sizeof what, "more than ");
    blni_cat_size(what, sizeof what, cells);
    blni_cat(what, sizeof what, cells == 1 ? " cell; there are " : " cells; there are ");
    blni_cat_size(what, sizeof what, t->n_columns);
    blni_cat(what, sizeof what, t->n_columns == 1 ? " column" : " columns");
    return blni_text_fail(t, status, BLN_EFORMAT, BLN_NONE, what, report);
}

/* ---- rows */

/* The row at s, into place i of the block. */
BLNI_PRIV blni_text_mark blni_text_row(const bln_table *t, blni_text *s, size_t i, bln_status *status, bln_report *report)
{
    double *x = t->X + i*t->d, *y = t->y + i*t->P, *offset = t->offset + i*t->n_offsets, ignored, *to;
    for (size_t j = 0;; j++) {
        blni_text_mark mark;
        switch (t->column[j]) {
        case BLN_COLUMN_INPUT:     to = x++; break;
        case BLN_COLUMN_TARGET:    to = y++; break;
        case BLN_COLUMN_OFFSET:    to = offset++; break;
        case BLN_COLUMN_WEIGHT:    to = t->weight + i; break;
        case BLN_COLUMN_NOISE_VAR: to = t->noise_var + i; break;
        case BLN_COLUMN_TRIALS:    to = t->trials + i; break;
        default:                   to = &ignored; break;
        }
        if (t->column[j] != BLN_COLUMN_IGNORE) mark = blni_text_number(t, s, to, status, j, report);
        else if ((mark = blni_text_skip(s)) == BLNI_TEXT_BAD)
            return blni_text_fail(t, status, BLN_EFORMAT, j, "this quote is not closed in its line", report);
        if (mark == BLNI_TEXT_MORE || mark == BLNI_TEXT_BAD) return mark;
        if (mark == BLNI_TEXT_LAST)
            return j + 1 == t->n_columns ? mark : blni_text_length(t, status, j + 1, 0, report);
        if (j + 1 == t->n_columns) return blni_text_length(t, status, t->n_columns, 1, report);
    }
}

/* What the buffer holds from its next byte on. */
BLNI_PRIV blni_text blni_text_here(const bln_table *t)
{
    blni_text s;
    s.p = t->from.buffer + t->from.next;
    s.end = t->from.buffer + t->from.have;
    s.ended = t->from.ended;
    s.separator = t->separator;
    return s;
}

/* The byte of the file that p points to. */
BLNI_PRIV uint64_t blni_text_at(const bln_table *t, const char *p)
{
    return t->from.at - (uint64_t)(t->from.buffer + t->from.have - p);
}

/* One line: a row into place i (*found = 1), an empty one, or the end of the part (*over = 1). BLNI_TEXT_MORE: nothing was done. */
BLNI_PRIV blni_text_mark blni_text_line(bln_table *t, size_t i, int *found, int *over, bln_status *status, bln_report *report)
{
    blni_text s = blni_text_here(t);
    *found = *over = 0;
    if (blni_text_at(t, s.p) >= t->end) { *over = 1; return BLNI_TEXT_LAST; }
    blni_text_blanks(&s);
    if (s.p == s.end && !s.ended) return BLNI_TEXT_MORE;
    if (s.p == s.end) *over = 1;
    else if (!blni_text_line_end(*s.p)) {
        const blni_text_mark mark = blni_text_row(t, &s, i, status, report);
        if (mark != BLNI_TEXT_LAST) return mark;
        *found = 1;
    }
    if (!blni_text_next_line(&s)) return BLNI_TEXT_MORE;
    t->from.next = (size_t)(s.p - t->from.buffer);
    t->line++;
    return BLNI_TEXT_LAST;
}

BLNI_PRIV bln_status blni_text_next(bln_table *t, size_t max_rows, size_t *n, bln_report *report)
{
    bln_status status = BLN_OK;
    int found = 0, over = 0;
    *n = 0;
    while (*n < max_rows && !over) {
        const blni_text_mark mark = blni_text_line(t, *n, &found, &over, &status, report);
        if (mark == BLNI_TEXT_BAD) return status;
        if (mark == BLNI_TEXT_MORE) {
            if (t->from.next == 0 && t->from.have == t->from.room) {
                blni_text_fail(t, &status, BLN_EFORMAT, BLN_NONE, "a line too long to be one of this table", report);
                return status;
            }
            status = blni_table_refill(t, report);
            if (status != BLN_OK) return status;
        } else if (found) {
            ++*n;
            t->row++;
        }
    }
    return BLN_OK;
}

/* To the first row of the part. One that does not begin at a line's begin goes on behind the next line end. */
BLNI_PRIV bln_status blni_text_reset(bln_table *t, bln_report *report)
{
    t->from.next = t->from.have = 0;
    t->from.at = t->begin;
    t->row = 0;
    t->line = 1;
    return blni_table_refill(t, report);
}

/* Where the first line that begins at or behind `at` begins; the bytes before it are looked at. */
BLNI_PRIV bln_status blni_text_line_at(bln_table *t, uint64_t at, uint64_t *found, bln_report *report)
{
    blni_table_bytes *b = &t->from;
    b->next = b->have = 0;
    b->at = at - 1;
    for (;;) {
        const bln_status status = blni_table_refill(t, report);
        if (status != BLN_OK) return status;
        for (; b->next < b->have; b->next++) {
            blni_text s = blni_text_here(t);
            if (!blni_text_line_end(*s.p)) continue;
            if (!blni_text_next_line(&s)) break;
            *found = blni_text_at(t, s.p);
            return BLN_OK;
        }
        if (b->ended) { *found = b->at; return BLN_OK; }
    }
}

/* ---- the header */

/* Cuts the names of a line of n bytes apart, in place, each ended by a zero; returns how many there are, 0 if a quote is not
 * closed. text has room for a byte more. name: NULL to count only. */
BLNI_PRIV size_t blni_text_names(char *text, size_t n, char separator, const char **name)
{
    size_t count = 0;
    blni_text s;
    s.p = text;
    s.end = text + n;
    s.ended = 1;
    s.separator = separator;
    for (;;) {
        blni_text_blanks(&s);
        char *cell = text + (s.p - text), *to = cell;
        const blni_text_mark mark = blni_text_skip(&s);
        if (mark == BLNI_TEXT_BAD) return 0;
        const char *end = mark == BLNI_TEXT_NEXT ? s.p - 1 : s.p;
        while (end > cell && (end[-1] == ' ' || end[-1] == '\t')) end--;
        if (name) {
            const int quoted = *cell == '"' && end > cell;
            for (const char *p = cell + quoted; p < end; p++) {
                if (quoted && *p == '"' && (++p == end || *p != '"')) break;
                *to++ = *p;
            }
            *to = '\0';
            name[count] = cell;
        }
        count++;
        if (mark == BLNI_TEXT_LAST) return count;
    }
}

/* The first line that is not empty, as text to release with *room bytes: *n bytes long, from byte *at of the file up to the line
 * that begins at *next. */
BLNI_PRIV bln_status blni_text_first_line(const bln_table_desc *d, const blni_table_bytes *b, const char *path, char **text,
                                          size_t *room, size_t *n, uint64_t *at, uint64_t *next, bln_report *report)
{
    for (*room = 4096; *room <= BLNI_TABLE_LINE; *room *= 2) {
        size_t got;
        *text = (char *)blni_alloc(&d->alloc, *room);
        if (!*text) return blni_table_fail_file(path, BLN_ENOMEM, "out of memory", report);
        bln_status status = blni_table_read(b, path, 0, *text, *room - 1, &got, report);
        blni_text s;
        s.p = *text;
        s.end = *text + got;
        s.ended = got < *room - 1;
        s.separator = d->separator ? d->separator : ',';
        if (status == BLN_OK && got >= 3 && !memcmp(s.p, "\xEF\xBB\xBF", 3)) s.p += 3;         /* byte order mark of UTF-8 */
        const char *begin = s.p;
        for (; status == BLN_OK; blni_text_next_line(&s)) {
            begin = s.p;
            blni_text_blanks(&s);
            if (s.p < s.end && blni_text_line_end(*s.p) && (s.p + 1 < s.end || s.ended)) continue;
            if (s.p == s.end && s.ended)
                status = blni_table_fail_file(path, BLN_EFORMAT, d->no_header ? "an empty file" : "no line with names", report);
            break;
        }
        while (s.p < s.end && !blni_text_line_end(*s.p)) s.p++;
        *n = (size_t)(s.p - begin);
        *at = (uint64_t)(begin - *text);
        if (status == BLN_OK && blni_text_next_line(&s)) {
            *next = (uint64_t)(s.p - *text);
            memmove(*text, begin, *n);
            return BLN_OK;
        }
        blni_release(&d->alloc, *text, *room);
        *text = NULL;
        if (status != BLN_OK) return status;
    }
    return blni_table_fail_file(path, BLN_EFORMAT, "its first line has no end", report);
}
