/* chains_csv: chains as text. Reading makes two passes over the text: the first counts lines and chains, so that the table is
 * allocated once; the second reads the numbers. */
#include "chains_private.h"
#include "../core/bytes_private.h"
#include "../core/memory_private.h"
#include "../core/status_private.h"
#include "../math/decimal.h"

/* ---- writing */

/* Names with a comma or a quote go in quotes, quotes in them twice. */
BLNI_PRIV void blni_csv_put_name(bln_writer *w, const char *name)
{
    const int quoted = strchr(name, ',') || strchr(name, '"');
    bln_put_bytes(w, ",\"", quoted ? 2 : 1);
    for (; *name; name++) bln_put_bytes(w, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
    if (quoted) bln_put_bytes(w, "\"", 1);
}

BLNI_ONCE BLN_API bln_status bln_chains_write_csv(const bln_chains *chains, bln_writer *w)
{
    char text[BLN_DECIMAL_TEXT];
    if (!chains || !w) return blni_writer_fail(w, BLN_EINVAL);
    bln_put_bytes(w, "chain,draw", 10);
    for (size_t k = 0; k < chains->columns; k++) blni_csv_put_name(w, chains->name[k]);
    bln_put_bytes(w, "\n", 1);
    for (size_t c = 0; c < chains->chains; c++)
        for (size_t i = 0; i < chains->draws && w->status == BLN_OK; i++) {
            const double *row = chains->table + (i*chains->chains + c)*chains->columns;
            bln_put_bytes(w, text, bln_decimal_write((double)(c + 1), 0, text));
            bln_put_bytes(w, ",", 1);
            bln_put_bytes(w, text, bln_decimal_write((double)(i + 1), 0, text));
            for (size_t k = 0; k < chains->columns; k++) {
                bln_put_bytes(w, ",", 1);
                bln_put_bytes(w, text, bln_decimal_write(row[k], 0, text));
            }
            bln_put_bytes(w, "\n", 1);
        }
    return w->status;
}

/* ---- reading */

typedef struct blni_csv_line { const char *begin, *end, *next; size_t number; } blni_csv_line;  /* next: behind its end */
typedef struct blni_csv_cell { const char *begin, *end; int quoted, last; } blni_csv_cell;     /* last of its line */

typedef struct blni_csv {
    const char   *end;
    blni_csv_line first;               /* with the names                               */
    size_t        cells, columns;      /* of the file; of the table                    */
    size_t        chain;               /* the cell that tells the chain, or BLN_NONE   */
    double        low, high;           /* the chains' numbers                          */
    size_t        rows, headers;
    bln_report   *report;
} blni_csv;

BLNI_PRIV bln_status blni_csv_fail(const blni_csv *f, bln_status status, const blni_csv_line *line, size_t row, size_t column,
                                   const char *what)
{
    blni_fail(f->report, status, row, column, "chains: line ");
    if (f->report) f->report->text[0] = '\0';
    blni_say(f->report, "chains: line ");
    blni_say_size(f->report, line->number);
    if (column != BLN_NONE) { blni_say(f->report, ", cell "); blni_say_size(f->report, column + 1); }
    blni_say(f->report, ": ");
    blni_say(f->report, what);
    return status;
}

BLNI_PRIV int blni_csv_blank(char c) { return c == ' ' || c == '\t'; }

/* The next line that counts, from line->next on; 0: there is none. */
BLNI_PRIV int blni_csv_next_line(const blni_csv *f, blni_csv_line *line)
{
    for (const char *at = line->next; at < f->end;) {
        const char *begin = at;
        while (at < f->end && *at != '\n' && *at != '\r') at++;
        line->number++;
        line->end = at;
        if (at < f->end) at += at[0] == '\r' && at + 1 < f->end && at[1] == '\n' ? 2 : 1;
        line->next = at;
        while (begin < line->end && blni_csv_blank(*begin)) begin++;
        line->begin = begin;
        if (begin < line->end && *begin != '#') return 1;
    }
    return 0;
}

/* The cell that begins at `at`, without blanks and quotes around it; returns the byte behind its comma, the line's end for the last
 * one, or NULL: a quote is not closed, or something follows it. */
BLNI_PRIV const char *blni_csv_next_cell(const blni_csv_line *line, const char *at, blni_csv_cell *cell)
{
    while (at < line->end && blni_csv_blank(*at)) at++;
    cell->quoted = at < line->end && *at == '"';
    if (!cell->quoted) {
        const char *stop = at;
        while (stop < line->end && *stop != ',') stop++;
        cell->begin = at;
        cell->end = stop;
        while (cell->end > at && blni_csv_blank(cell->end[-1])) cell->end--;
        cell->last = stop == line->end;
        return cell->last ? stop : stop + 1;
    }
    cell->begin = ++at;
    while (at < line->end && (*at != '"' || (at + 1 < line->end && at[1] == '"'))) at += *at == '"' ? 2 : 1;
    if (at >= line->end) return NULL;
    cell->end = at++;
    while (at < line->end && blni_csv_blank(*at)) at++;
    cell->last = at == line->end;
    return cell->last ? at : *at == ',' ? at + 1 : NULL;
}

BLNI_PRIV int blni_csv_is(const blni_csv_cell *cell, const char *word)
{
    const size_t n = (size_t)(cell->end - cell->begin);
    if (n != strlen(word)) return 0;
    for (size_t i = 0; i < n; i++) {
        const char c = cell->begin[i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != word[i]) return 0;
    }
    return 1;
}

BLNI_PRIV int blni_csv_number(const blni_csv_cell *cell, double *value)
{
    const int sign = cell->begin < cell->end && (*cell->begin == '-' || *cell->begin == '+');
    const blni_csv_cell rest = { cell->begin + sign, cell->end, 0, 0 };
    if (bln_decimal_read(cell->begin, cell->end, value) == cell->end) return 1;
    if (blni_csv_is(cell, "nan") || blni_csv_is(cell, "na")) { *value = BLNI_NAN; return 1; }
    if (!blni_csv_is(&rest, "inf") && !blni_csv_is(&rest, "infinity")) return 0;
    *value = sign && *cell->begin == '-' ? -HUGE_VAL : HUGE_VAL;
    return 1;
}

/* What a cell of the first line says of its column: the names that Stan, R and Python give to these two. A first column without a
 * name is R's numbers of rows. */
typedef enum blni_csv_role { BLNI_CSV_VALUE, BLNI_CSV_CHAIN, BLNI_CSV_DRAW } blni_csv_role;
BLNI_PRIV blni_csv_role blni_csv_role_of(const blni_csv_cell *cell, size_t column)
{
    static const char *const names[] = { "chain", ".chain", "chain__", "draw", ".draw", "draw__", "iteration", ".iteration",
                                         "iter", "iter__" };
    if (cell->begin == cell->end && column == 0) return BLNI_CSV_DRAW;
    for (size_t k = 0; k < sizeof names/sizeof *names; k++)
        if (blni_csv_is(cell, names[k])) return k < 3 ? BLNI_CSV_CHAIN : BLNI_CSV_DRAW;
    return BLNI_CSV_VALUE;
}

BLNI_PRIV int blni_csv_repeats(const blni_csv *f, const blni_csv_line *line)
{
    const size_t n = (size_t)(f->first.end - f->first.begin);
    return (size_t)(line->end - line->begin) == n && !memcmp(line->begin, f->first.begin, n);
}

/* The first line: how many cells, which tells the chain, how many columns are left. */
BLNI_PRIV bln_status blni_csv_first(blni_csv *f)
{
    blni_csv_cell cell;
    if (!blni_csv_next_line(f, &f->first)) return blni_refuse(f->report, BLN_EFORMAT, "chains: no line with names");
    cell.last = 0;
    for (const char *at = f->first.begin; !cell.last; f->cells++) {
        at = blni_csv_next_cell(&f->first, at, &cell);
        if (!at) return blni_csv_fail(f, BLN_EFORMAT, &f->first, BLN_NONE, f->cells, "a quote that is not closed");
        const blni_csv_role role = blni_csv_role_of(&cell, f->cells);
        const size_t n = (size_t)(cell.end - cell.begin);
        if (role == BLNI_CSV_CHAIN) f->chain = f->cells;
        else if (role == BLNI_CSV_VALUE) f->columns++;
        if ((n == 0 && role == BLNI_CSV_VALUE) || n >= BLNI_CHAINS_NAME || memchr(cell.begin, '\0', n))
            return blni_csv_fail(f, BLN_EFORMAT, &f->first, BLN_NONE, f->cells, "a name is empty, too long, or has a zero byte");
    }
    return f->columns ? BLN_OK : blni_csv_fail(f, BLN_EFORMAT, &f->first, BLN_NONE, BLN_NONE, "no columns of draws");
}

/* One line of numbers: `value` gets those of the table, if it is not NULL, *chain that of the chain, if the file has it. */
BLNI_PRIV bln_status blni_csv_row(const blni_csv *f, const blni_csv_line *line, size_t row, const unsigned char *keep,
                                  double *value, double *chain)
{
    blni_csv_cell cell;
    const char *at = line->begin;
    size_t k = 0;
    cell.last = 0;
    for (; !cell.last && k < f->cells; k++) {
        double number = 0.0;
        at = blni_csv_next_cell(line, at, &cell);
        if (!at) return blni_csv_fail(f, BLN_EFORMAT, line, row, k, "a quote that is not closed");
        if (!keep[k] && k != f->chain) continue;
        if (!value && k != f->chain) continue;
        if (!blni_csv_number(&cell, &number)) return blni_csv_fail(f, BLN_EFORMAT, line, row, k, "no number");
        if (k == f->chain) *chain = number;
        else *value++ = number;
    }
    if (k < f->cells || !cell.last) return blni_csv_fail(f, BLN_EFORMAT, line, row, BLN_NONE, "not as many cells as names");
    return BLN_OK;
}

/* The first pass. keep[k]: is cell k a column of the table? */
BLNI_PRIV bln_status blni_csv_count(blni_csv *f, const unsigned char *keep)
{
    blni_csv_line line = f->first;
    f->headers = 1;
    while (blni_csv_next_line(f, &line)) {
        double chain = 1.0;
        if (blni_csv_repeats(f, &line)) { f->headers++; continue; }
        BLNI_TRY(blni_csv_row(f, &line, f->rows, keep, NULL, &chain));
        if (chain != floor(chain) || fabs(chain) > 1e9)
            return blni_csv_fail(f, BLN_EFORMAT, &line, f->rows, f->chain, "the chain is no whole number");
        if (f->rows == 0 || chain < f->low) f->low = chain;
        if (f->rows++ == 0 || chain > f->high) f->high = chain;
    }
    if (f->rows == 0) return blni_csv_fail(f, BLN_EFORMAT, &line, BLN_NONE, BLN_NONE, "no draws");
    return BLN_OK;
}

/* The second pass. have: how many draws of each chain are there; numbers: room for a row. */
BLNI_PRIV bln_status blni_csv_fill(const blni_csv *f, const unsigned char *keep, bln_chains *c, double *numbers, size_t *have)
{
    blni_csv_line line = f->first;
    size_t part = 0;
    for (size_t row = 0; blni_csv_next_line(f, &line);) {
        double number = f->low;
        if (blni_csv_repeats(f, &line)) { part++; continue; }
        BLNI_TRY(blni_csv_row(f, &line, row++, keep, numbers, &number));
        const size_t chain = f->chain != BLN_NONE ? (size_t)(number - f->low) : part;
        if (have[chain] == c->room) return blni_csv_fail(f, BLN_ESHAPE, &line, row - 1, BLN_NONE, "chains of different length");
        memcpy(blni_chains_row(c, chain, have[chain]++), numbers, c->columns*sizeof *numbers);
    }
    c->draws = c->room;
    return BLN_OK;
}

/* The names, quotes in them once. */
BLNI_PRIV void blni_csv_names(const blni_csv *f, bln_chains *c, unsigned char *keep, char *to)
{
    blni_csv_cell cell;
    const char *at = f->first.begin;
    size_t column = 0;
    for (size_t k = 0; k < f->cells; k++) {
        at = blni_csv_next_cell(&f->first, at, &cell);
        keep[k] = blni_csv_role_of(&cell, k) == BLNI_CSV_VALUE;
        if (!keep[k] || !c) continue;
        c->name[column++] = to;
        for (const char *p = cell.begin; p < cell.end; p++) {
            *to++ = *p;
            if (cell.quoted && *p == '"') p++;
        }
        *to++ = '\0';
    }
}

BLNI_PRIV bln_status blni_csv_table(blni_csv *f, const bln_allocator *alloc, unsigned char *keep, bln_chains **out)
{
    char *names;
    void *work;
    bln_chains *c = NULL;
    blni_csv_names(f, NULL, keep, NULL);
    BLNI_TRY(blni_csv_count(f, keep));
    const double range = f->high - f->low + 1.0;                 /* chains are no more than rows, or a number is left out */
    const size_t chains = f->chain == BLN_NONE ? f->headers : range <= (double)f->rows ? (size_t)range : f->rows + 1;
    if (f->rows % chains) return blni_refuse(f->report, BLN_ESHAPE, "chains: of different length, or a number is left out");
    const size_t bytes = blni_add(blni_mul(f->columns, sizeof(double)), blni_mul(chains, sizeof(size_t)));
    BLNI_TRY(blni_take(alloc, bytes, "chains", &work, f->report));
    double *numbers = (double *)work;
    size_t *have = (size_t *)(void *)(numbers + f->columns);
    memset(have, 0, chains*sizeof *have);
    bln_status status = blni_chains_make(alloc, chains, f->rows/chains, f->columns,
                                         blni_add((size_t)(f->first.end - f->first.begin), f->columns), &c, &names, f->report);
    if (status == BLN_OK) {
        blni_csv_names(f, c, keep, names);
        status = blni_csv_fill(f, keep, c, numbers, have);
    }
    blni_release(alloc, work, bytes);
    if (status == BLN_OK) *out = c;
    else bln_chains_free(c);
    return status;
}

BLN_API bln_status bln_chains_read_csv(const bln_allocator *alloc, const char *text, size_t size, bln_chains **out,
                                       bln_report *report)
{
    blni_csv f;
    void *keep;
    BLNI_TRY(blni_begin(report, text && out, "chains: a NULL"));
    memset(&f, 0, sizeof f);
    f.first.next = text;
    f.end = text + size;
    f.chain = BLN_NONE;
    f.report = report;
    BLNI_TRY(blni_csv_first(&f));
    BLNI_TRY(blni_take(alloc, f.cells, "chains", &keep, report));
    const bln_status status = blni_csv_table(&f, alloc, (unsigned char *)keep, out);
    blni_release(alloc, keep, f.cells);
    return status;
}
