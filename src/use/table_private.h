#ifndef BLN_USE_TABLE_PRIVATE_H
#define BLN_USE_TABLE_PRIVATE_H
/* table_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "table.h"
#include "../core/config_private.h"

enum { BLNI_TABLE_BUFFER = 1 << 20, BLNI_TABLE_LINE = 64 << 20, BLNI_TABLE_PATH = 120 };

/* Where the bytes come from, and how far the present pass is. */
typedef struct blni_table_bytes {
    bln_status (*read)(void *user, uint64_t at, void *bytes, size_t n, size_t *got);
    void       *user, *file;       /* file: a FILE of ours                                            */
    uint64_t    size;              /* 0: unknown                                                      */
    uint64_t    at;                /* of the file: behind what the buffer holds                       */
    char       *buffer;
    size_t      room, next, have;  /* next: first byte that is not used yet                           */
    int         ended;             /* nothing comes behind what the buffer holds                      */
} blni_table_bytes;

struct bln_table {
    bln_allocator    alloc;
    void            *memory;       /* holds this struct and what it points to                         */
    size_t           bytes;
    blni_table_bytes from;
    bln_table_format format;
    size_t           n_columns, block;
    bln_column      *column;
    size_t           d, P, n_offsets;
    int              has[BLN_COLUMN_IGNORE];
    double          *X, *y, *weight, *noise_var, *offset, *trials;     /* of a block                  */
    const char     **name;         /* n_columns, or NULL                                              */
    char            *names;        /* what they point into                                            */
    char             path[BLNI_TABLE_PATH];
    char             separator;
    uint64_t         begin, end;   /* bytes: rows of this part begin in [begin, end)                  */
    size_t           row, line;    /* of this pass so far                                             */
};

/* table */
BLNI_PRIV bln_status blni_table_fail(const bln_table *t, bln_status status, const char *unit, size_t place, size_t column,
                                     const char *what, bln_report *report);
BLNI_PRIV bln_status blni_table_fail_file(const char *path, bln_status status, const char *what, bln_report *report);
BLNI_PRIV bln_status blni_table_read(const blni_table_bytes *b, const char *path, uint64_t at, void *to, size_t n, size_t *got,
                                     bln_report *report);
BLNI_PRIV bln_status blni_table_refill(bln_table *t, bln_report *report);
BLNI_PRIV bln_status blni_table_open(const bln_table_desc *d, blni_table_bytes *b, const char *path, bln_report *report);
BLNI_PRIV void blni_table_close(const bln_allocator *alloc, blni_table_bytes *b);

/* table_text */
BLNI_PRIV bln_status blni_text_next(bln_table *t, size_t max_rows, size_t *n, bln_report *report);
BLNI_PRIV bln_status blni_text_reset(bln_table *t, bln_report *report);
BLNI_PRIV bln_status blni_text_line_at(bln_table *t, uint64_t at, uint64_t *found, bln_report *report);
BLNI_PRIV size_t blni_text_names(char *text, size_t n, char separator, const char **name);
BLNI_PRIV bln_status blni_text_first_line(const bln_table_desc *d, const blni_table_bytes *b, const char *path, char **text,
                                          size_t *room, size_t *n, uint64_t *at, uint64_t *next, bln_report *report);

#endif /* BLN_USE_TABLE_PRIVATE_H */
