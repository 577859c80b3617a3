#ifndef BAYESLIN_CLI_CSV_H
#define BAYESLIN_CLI_CSV_H
#include "why.h"
#include <stdint.h>
/* csv - tables as text (RFC 4180): a header line with the column names, then rows of as many cells
 *
 * Lines end with \n, \r\n or \r, the last one also with the file. Cells in double quotes may hold separators, line ends and,
 * doubled, quotes. Blanks around a cell and blank lines do not count; a UTF-8 byte order mark is skipped. Refused, with file, line
 * and byte: no header, no row, a row of another length, a name twice, an open quote, text behind a closing quote, a zero byte. A
 * table of n bytes takes at most some 50 n bytes of memory, and time in proportion to n (names: n log n). */

typedef struct csv_cell { char *text; uint32_t line, byte; } csv_cell;      /* where the cell begins, both from 1 */
typedef struct csv_name { const char *text; size_t column; } csv_name;

typedef struct csv_table {
    char     *file;                     /* name, for messages                                          */
    char     *bytes;                    /* what the texts point into                                   */
    size_t    n_rows, n_columns;        /* both >= 1                                                   */
    size_t    n_read;                   /* columns of the file; those behind them were added           */
    csv_cell *names;                    /* n_columns; a name may be empty, as R and pandas write theirs for row names */
    csv_name *by_name;                  /* n_columns, sorted by text, then column                      */
    csv_cell *cells;                    /* n_rows x n_columns                                          */
    char     *texts;                    /* of cells that do not point into the bytes, or NULL          */
    unsigned char *as_words;            /* n_columns: cells are words, whatever they look like; NULL: of no column */
    size_t    filled;                   /* rows of which cells were filled (reading.h)                 */
} csv_table;

/* Parses n bytes from malloc with room for one more behind them, which are the table's from then on; on failure they are freed. */
int csv_parse(const char *file, char *bytes, size_t n, char separator, csv_table *out, cli_why *why);

/* For reading in blocks of whole lines (csv_blocks.h): the header, of which the names then point into the bytes, *used of
 * them; and rows, which begin at line *line and become those of the table, whose cells have room for *room. *line: behind them.
 * bytes has room for one more behind the n. */
int csv_parse_header(csv_table *table, char *bytes, size_t n, char separator, uint32_t *line, size_t *used, cli_why *why);
int csv_parse_rows(csv_table *table, char *bytes, size_t n, char separator, uint32_t *line, size_t *room, cli_why *why);

/* Of n bytes of text that begin with a line: how many are lines that have ended, with all their quotes closed. */
size_t csv_whole_lines(const char *bytes, size_t n, char separator);

/* All of a file, with room for one byte more, to free; and the same as csv_parse from a file. */
int csv_bytes(const char *path, char **out, size_t *size, cli_why *why);
int csv_read(const char *path, char separator, csv_table *out, cli_why *why);
void csv_free(csv_table *table);                                            /* a zeroed table is fine too */

const csv_cell *csv_at(const csv_table *table, size_t row, size_t column);

/* "data.csv:17:4", the place of a cell, for messages. Returns out->text. */
typedef struct csv_place { char text[300]; } csv_place;
const char *csv_where(csv_place *out, const csv_table *table, const csv_cell *cell);

/* The column of that name, or n_columns. */
size_t csv_find(const csv_table *table, const char *name);

/* One more column, of empty cells, in the rows that are there and all that are parsed later. The name must last. Returns which it
 * is: one that is there is left as it is. */
size_t csv_add(csv_table *table, const char *name);

/* " (the header holds semicolons: --sep semicolon?)" or the like for a table of one column, or "". */
const char *csv_hint(const csv_table *table);

#endif /* BAYESLIN_CLI_CSV_H */
