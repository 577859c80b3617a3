#ifndef BAYESLIN_CLI_CSV_H
#define BAYESLIN_CLI_CSV_H
#include "why.h"
#include <stdint.h>
/* csv - tables as text (RFC 4180): a header line with the column names, then rows of as many cells
 *
 * Lines end with \n, \r\n or \r, the last one also with the file. Cells in double quotes may hold separators, line ends and doubled
 * quotes. Blanks around a cell, blank lines and a UTF-8 byte order mark are ignored. Errors name file, line and byte: no header, no
 * row, a row of another length, a name twice, an open quote, text after a closing quote, a zero byte. A table of n bytes takes at
 * most some 50 n bytes of memory, and time in proportion to n (names: n log n). */

typedef struct csv_cell { char *text; uint32_t line, byte; } csv_cell;      /* where the cell begins, both from 1 */
typedef struct csv_name { const char *text; size_t column; } csv_name;

typedef struct csv_table {
    char     *file;                     /* name, for messages                                          */
    char     *bytes;                    /* what the texts point into                                   */
    size_t    n_rows, n_columns;        /* both >= 1                                                   */
    size_t    n_read;                   /* columns of the file; those after them were added            */
    csv_cell *names;                    /* n_columns; a name may be empty, as R and pandas write theirs for row names */
    csv_name *by_name;                  /* n_columns, sorted by text, then column                      */
    csv_cell *cells;                    /* n_rows x n_columns                                          */
    char     *texts;                    /* of cells that do not point into the bytes, or NULL          */
    unsigned char *as_words;            /* n_columns: must cells be read as words, whatever they look like? NULL: in no column */
    size_t    filled;                   /* rows of which cells were filled (reading.h)                 */
} csv_table;

/* Parses n bytes, followed by room for one more, in memory from malloc. The table owns them from then on; a failure frees them. */
int csv_parse(const char *file, char *bytes, size_t n, char separator, csv_table *out, cli_why *why);

/* For reading in blocks of whole lines (csv_blocks.h). _header: parses the header, the first *used bytes, into which names then
 * point. _rows: parses rows that begin at line *line into the table, whose cells have room for *room, and moves *line past them.
 * bytes has room for one more after the n. */
int csv_parse_header(csv_table *table, char *bytes, size_t n, char separator, uint32_t *line, size_t *used, cli_why *why);
int csv_parse_rows(csv_table *table, char *bytes, size_t n, char separator, uint32_t *line, size_t *room, cli_why *why);

/* Of n bytes of text that begin at the start of a line: the length of the lines that are complete, with all quotes closed. */
size_t csv_whole_lines(const char *bytes, size_t n, char separator);

/* csv_file_name: what messages call the file; the path - is standard input. csv_bytes: all bytes of a file, with room for one more,
 * in memory that the caller frees. csv_read: csv_parse of a file. */
const char *csv_file_name(const char *path);
int csv_bytes(const char *path, char **out, size_t *size, cli_why *why);
int csv_read(const char *path, char separator, csv_table *out, cli_why *why);
void csv_free(csv_table *table);                                            /* a zeroed table is fine too */

const csv_cell *csv_at(const csv_table *table, size_t row, size_t column);

/* "data.csv:17:4", the place of a cell, for messages. Returns out->text. */
typedef struct csv_place { char text[300]; } csv_place;
const char *csv_where(csv_place *out, const csv_table *table, const csv_cell *cell);

/* The column of that name, or n_columns. */
size_t csv_find(const csv_table *table, const char *name);

/* Adds a column of empty cells to the present rows and all that are parsed later, and returns its index; a column of that name that
 * exists is not changed. The name must outlive the table. */
size_t csv_add(csv_table *table, const char *name);

/* " (the header holds semicolons: --sep semicolon?)" or the like for a table of one column, or "". */
const char *csv_hint(const csv_table *table);

#endif /* BAYESLIN_CLI_CSV_H */
