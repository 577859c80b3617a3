#ifndef BAYESLIN_CLI_CSV_BLOCKS_H
#define BAYESLIN_CLI_CSV_BLOCKS_H
#include "csv.h"
#include <stdio.h>
/* csv_blocks - a table that is read a megabyte at a time, any number of times, by the rules of csv.h */

typedef struct csv_blocks {
    csv_table table;              /* the names, and the rows of the present block        */
    FILE     *file;
    char      separator;
    char     *bytes, *header;     /* the buffer; what the names point into               */
    size_t    room, next, have;   /* size of the buffer; bytes next .. have - 1 are unread */
    size_t    cells;              /* cells for which the table has room                  */
    uint32_t  line;               /* the line of the next row                            */
    int       ended;
    double    read, size;         /* bytes of this pass, and of the file                 */
} csv_blocks;

/* Opens a file that can be read more than once, and reads its header. */
int  csv_blocks_open(const char *path, char separator, csv_blocks *out, cli_why *why);
void csv_blocks_close(csv_blocks *b);                 /* a zeroed one is fine too */

/* Back to the first row. */
int csv_blocks_rewind(csv_blocks *b, cli_why *why);

/* Reads the next rows into b->table; n_rows is 0 at the end. Their texts are valid until the next call. */
int csv_blocks_next(csv_blocks *b, cli_why *why);

#endif /* BAYESLIN_CLI_CSV_BLOCKS_H */
