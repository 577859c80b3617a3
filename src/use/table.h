#ifndef BLN_USE_TABLE_H
#define BLN_USE_TABLE_H
#include "../core/data.h"
#include "../core/memory.h"
/* >>table - tables in files, larger than memory if need be, as sources of rows
 *
 *     text      numbers in lines, CSV: cells apart by commas (or another separator), blanks around them, each maybe in double
 *               quotes; a line with the columns' names first. Lines end with \n, \r\n or \r; empty ones are passed over. No line
 *               end within quotes. Numbers as >>decimal reads them, whatever the locale: 100 MB/s and more
 *     doubles   rows of 64-bit IEEE doubles, little-endian, without gaps or a header: what fwrite of a row-major matrix gives on
 *               most machines
 *     npy       numpy.save of an n x columns array of float64, little-endian, in C order
 *
 * Rows are read in blocks, again for each pass; memory is that of a block and a buffer, whatever the file's size. Files are read,
 * not mapped: from the system's cache that is as fast, a file that is cut short meanwhile is an error and no signal, and nothing
 * needs as much address space as the file has bytes. A matrix that you have mapped yourself is a bln_data: see bln_source_of. Rows
 * that come from elsewhere are two callbacks: see bln_source. */

typedef enum bln_table_format { BLN_TABLE_TEXT, BLN_TABLE_DOUBLES, BLN_TABLE_NPY } bln_table_format;

/* What a column is. Several targets are outputs, in their order; offsets are none or as many. */
typedef enum bln_column {
    BLN_COLUMN_INPUT, BLN_COLUMN_TARGET, BLN_COLUMN_WEIGHT, BLN_COLUMN_NOISE_VAR, BLN_COLUMN_OFFSET, BLN_COLUMN_TRIALS,
    BLN_COLUMN_IGNORE        /* not looked at: may hold words, or nothing */
} bln_column;

typedef struct bln_table_desc {
    const char       *path;        /* the file, unless there is a read; not with BAYESLIN_NO_STDIO. Files above 2 GB on 32-bit POSIX
                                      need _FILE_OFFSET_BITS=64                                 (this or read is required)    */
    bln_status      (*read)(void *user, uint64_t at, void *bytes, size_t n, size_t *got);
                                   /* the bytes from number `at` on; *got < n at the end only   (NULL: those of path)         */
    void             *user;        /* of read                                                                                 */
    uint64_t          size;        /* bytes in all that read has                                (0: unknown; parts need it)   */
    bln_table_format  format;      /*                                                           (0: text)                     */
    size_t            n_columns;   /* required for doubles; else to be checked                  (0: as the file has)          */
    const bln_column *columns;     /* n_columns: what each is             (NULL: the last one is the target, the others inputs) */
    char              separator;   /* of text; not a blank, a quote or part of a number         (0: comma)                    */
    int               no_header;   /* text whose first line holds numbers                       (0: it holds names)           */
    size_t            part, parts; /* only this part, 0 .. parts - 1, of parts about equal in size, in the order of the rows: for
                                      several processes, one each                               (0 of 0: all)                 */
    size_t            block;       /* most rows of a block                                      (0: 256)                      */
    bln_allocator     alloc;       /*                                                           (zero: malloc)                */
} bln_table_desc;

typedef struct bln_table bln_table;

/* Opens the file and reads its header. What the desc points to is copied, but for `user`.
 * BLN_EINVAL: a NULL that is needed, both or neither of path and read, columns without n_columns or of unknown kinds, no input and
 * no target, two columns of one role, offsets in another number than targets, an unusable separator, part >= parts, half an
 * allocator.  BLN_EIO: cannot be opened or read, or read only once as a pipe.  BLN_EFORMAT: not such a file; no header; a line of
 * more than 64 MB.  BLN_ESHAPE: another number of columns than n_columns.  BLN_ENOMEM, BLN_EOVERFLOW.  What read returned. */
BLN_API bln_status bln_table_create(const bln_table_desc *desc, bln_table **out, bln_report *report);
BLN_API void       bln_table_free(bln_table *table);                       /* NULL is fine */

/* The rows as a source, which lives as long as the table; one at a time. Its calls fail with
 * BLN_EFORMAT: not a number, a row of another length, a quote that is not closed in its line, a line of more than 1 MB (and 64
 * bytes a column), a file that ends within a row.  BLN_EDATA: a missing value (nothing, NA, NaN), an infinity, or a number too
 * large for a double.  BLN_EIO. What read returned.
 * The text of the report names file, line and column from 1 (row and column for formats without lines); its row counts the rows of
 * the pass, its column those of the table, from 0. */
BLN_API bln_source bln_table_source(bln_table *table);

/* Columns of the table; name of one, NULL where there are none. */
BLN_API size_t      bln_table_columns(const bln_table *table);
BLN_API const char *bln_table_name(const bln_table *table, size_t column);

#endif /* BLN_USE_TABLE_H */
