/* table_binary: rows of doubles as bytes, and the header that numpy puts before them; then the object, whatever the format.
 *
 * .npy (numpy.lib.format): 93 'NUMPY', version u8 u8, the header's length (u16 in version 1, u32 in 2 and 3), and a Python
 * dictionary as text: {'descr': '<f8', 'fortran_order': False, 'shape': (n, columns), }. */
#include "table_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/bytes_private.h"

/* ---- numpy's header */

/* Behind the value's key in the dictionary, or NULL. */
BLNI_PRIV const char *blni_npy_value(const char *text, const char *key)
{
    const char *p = strstr(text, key);
    if (!p) return NULL;
    p += strlen(key);
    while (*p == ' ') p++;
    if (*p++ != ':') return NULL;
    while (*p == ' ') p++;
    return p;
}

/* A whole number; 0 if there is none, or if it is too large. */
BLNI_PRIV int blni_npy_size(const char **p, uint64_t *value)
{
    const char *begin = *p;
    for (*value = 0; **p >= '0' && **p <= '9'; ++*p) {
        if (*value > UINT64_C(100000000000000000)) return 0;
        *value = 10**value + (uint64_t)(**p - '0');
    }
    while (**p == ' ') ++*p;
    return *p > begin;
}

/* The sizes from the dictionary; NULL, or what is wrong with it. */
BLNI_PRIV const char *blni_npy_read(const char *text, uint64_t *rows, uint64_t *columns)
{
    const char *type = blni_npy_value(text, "'descr'"), *order = blni_npy_value(text, "'fortran_order'");
    const char *p = blni_npy_value(text, "'shape'");
    *columns = 1;
    if (!type || !order || !p || *p++ != '(' || !blni_npy_size(&p, rows)) return "not an array of numpy's, or a damaged header";
    if (*p == ',') {
        for (p++; *p == ' '; p++) continue;
        if (*p != ')' && !blni_npy_size(&p, columns)) return "a damaged header";
        if (*p == ',') for (p++; *p == ' '; p++) continue;
    }
    if (*p != ')') return "an array of more than two dimensions";
    if (strncmp(type, "'<f8'", 5)) return "not of little-endian float64: numpy.save(path, A.astype('<f8'))";
    if (strncmp(order, "False", 5)) return "in Fortran order: numpy.save(path, numpy.ascontiguousarray(A))";
    return *columns ? NULL : "an array without columns";
}

/* Sizes, and the byte at which the rows begin. */
BLNI_PRIV bln_status blni_npy_header(const blni_table_bytes *b, const char *path, uint64_t *rows, uint64_t *columns,
                                     uint64_t *first, bln_report *report)
{
    unsigned char head[4096];
    size_t got;
    const bln_status status = blni_table_read(b, path, 0, head, sizeof head - 1, &got, report);
    if (status != BLN_OK) return status;
    const int wide = got > 6 && head[6] > 1;
    const size_t lead = wide ? 12 : 10;
    if (got < lead || memcmp(head, "\x93NUMPY", 6) || head[6] == 0 || head[6] > 3)
        return blni_table_fail_file(path, BLN_EFORMAT, "not an .npy file of version 1 to 3", report);
    const uint64_t length = blni_decode(head + 8, wide ? 4 : 2);
    if (length > got - lead) return blni_table_fail_file(path, BLN_EFORMAT, "a damaged or an endless header", report);
    head[lead + length] = '\0';
    *first = lead + length;
    const char *flaw = blni_npy_read((const char *)head + lead, rows, columns);
    return flaw ? blni_table_fail_file(path, BLN_EFORMAT, flaw, report) : BLN_OK;
}

/* ---- rows */

BLNI_PRIV bln_status blni_binary_row(const bln_table *t, const char *bytes, size_t i, bln_report *report)
{
    double *x = t->X + i*t->d, *y = t->y + i*t->P, *offset = t->offset + i*t->n_offsets;
    for (size_t j = 0; j < t->n_columns; j++) {
        const double v = blni_double_of_bits(blni_decode((const unsigned char *)bytes + 8*j, 8));
        switch (t->column[j]) {
        case BLN_COLUMN_INPUT:     *x++ = v; break;
        case BLN_COLUMN_TARGET:    *y++ = v; break;
        case BLN_COLUMN_OFFSET:    *offset++ = v; break;
        case BLN_COLUMN_WEIGHT:    t->weight[i] = v; break;
        case BLN_COLUMN_NOISE_VAR: t->noise_var[i] = v; break;
        case BLN_COLUMN_TRIALS:    t->trials[i] = v; break;
        default: continue;
        }
        if (!blni_finite(v))
            return blni_table_fail(t, BLN_EDATA, "row ", t->row + 1, j, v != v ? "a missing value" : "an infinity", report);
    }
    return BLN_OK;
}

BLNI_PRIV bln_status blni_binary_next(bln_table *t, size_t max_rows, size_t *n, bln_report *report)
{
    blni_table_bytes *b = &t->from;
    const size_t width = 8*t->n_columns;
    for (*n = 0; *n < max_rows; ++*n) {
        const uint64_t at = b->at - (b->have - b->next);
        if (at >= t->end) return BLN_OK;
        if (b->have - b->next < width && !b->ended) {
            const bln_status status = blni_table_refill(t, report);
            if (status != BLN_OK) return status;
        }
        if (b->have == b->next && t->end == UINT64_MAX) return BLN_OK;
        if (b->have - b->next < width)
            return blni_table_fail(t, BLN_EFORMAT, "row ", t->row + 1, BLN_NONE, "the file ends here", report);
        const bln_status status = blni_binary_row(t, b->buffer + b->next, *n, report);
        if (status != BLN_OK) return status;
        b->next += width;
        t->row++;
    }
    return BLN_OK;
}

/* ---- as a source */

BLNI_PRIV bln_status blni_table_reset(void *user, bln_report *report) { return blni_text_reset((bln_table *)user, report); }

BLNI_PRIV bln_status blni_table_next(void *user, size_t max_rows, bln_data *block, bln_report *report)
{
    bln_table *t = (bln_table *)user;
    const size_t wanted = blni_min(max_rows, t->block);
    size_t n = 0;
    const bln_status status = t->format == BLN_TABLE_TEXT ? blni_text_next(t, wanted, &n, report)
                                                          : blni_binary_next(t, wanted, &n, report);
    memset(block, 0, sizeof *block);
    if (status != BLN_OK) return status;
    block->n = n;
    block->d = t->d;
    block->p = t->P;
    block->X = t->X;
    if (t->P) block->y = t->y;
    if (t->n_offsets) block->offset = t->offset;
    if (t->has[BLN_COLUMN_WEIGHT]) block->weight = t->weight;
    if (t->has[BLN_COLUMN_NOISE_VAR]) block->noise_var = t->noise_var;
    if (t->has[BLN_COLUMN_TRIALS]) block->trials = t->trials;
    return BLN_OK;
}

BLN_API bln_source bln_table_source(bln_table *table)
{
    bln_source source;
    source.d = table ? table->d : 0;
    source.reset = blni_table_reset;
    source.next = blni_table_next;
    source.user = table;
    return source;
}

BLN_API size_t bln_table_columns(const bln_table *table) { return table ? table->n_columns : 0; }

BLN_API const char *bln_table_name(const bln_table *table, size_t column)
{
    return table && table->name && column < table->n_columns ? table->name[column] : NULL;
}

/* ---- the object */

/* What the header says, before there is an object. */
typedef struct blni_table_head {
    blni_table_bytes from;
    char            *line;                 /* text: the first line, room bytes from the allocator            */
    size_t           room, length;
    uint64_t         columns, rows, first; /* rows: npy; first: byte of the first row                        */
    char             path[BLNI_TABLE_PATH];
} blni_table_head;

BLNI_PRIV const char *blni_table_check(const bln_table_desc *d)
{
    size_t many[BLN_COLUMN_IGNORE + 1] = { 0 };
    const char s = d->separator;
    if (!d->path == !d->read) return "table: either path or read";
    if (d->format != BLN_TABLE_TEXT && d->format != BLN_TABLE_DOUBLES && d->format != BLN_TABLE_NPY) return "table: unknown format";
    if (d->format == BLN_TABLE_DOUBLES && d->n_columns == 0) return "table: doubles need n_columns";
    if (d->columns && d->n_columns == 0) return "table: columns need n_columns";
    if (s && strchr(" \"\n\r.+-eE0123456789", s))
        return "table: this separator cannot be told from numbers, blanks or quotes";
    if (d->parts ? d->part >= d->parts : d->part > 0) return "table: part must be below parts";
    if (!blni_allocator_ok(&d->alloc)) return "table: half an allocator";
    if (!d->columns) return NULL;
    for (size_t j = 0; j < d->n_columns; j++) {
        if ((int)d->columns[j] < 0 || d->columns[j] > BLN_COLUMN_IGNORE) return "table: a column of an unknown kind";
        many[d->columns[j]]++;
    }
    if (!many[BLN_COLUMN_INPUT] && !many[BLN_COLUMN_TARGET]) return "table: neither an input nor a target";
    if (many[BLN_COLUMN_WEIGHT] > 1 || many[BLN_COLUMN_NOISE_VAR] > 1 || many[BLN_COLUMN_TRIALS] > 1)
        return "table: two columns of one kind";
    if (many[BLN_COLUMN_OFFSET] && many[BLN_COLUMN_OFFSET] != many[BLN_COLUMN_TARGET])
        return "table: offsets for some targets only";
    return NULL;
}

BLNI_PRIV bln_status blni_table_look(const bln_table_desc *d, blni_table_head *h, bln_report *report)
{
    bln_status status = BLN_OK;
    blni_cat(h->path, sizeof h->path, d->path ? d->path : "table");
    h->from.read = d->read;
    h->from.user = d->user;
    h->from.size = d->read ? d->size : 0;
    h->columns = d->n_columns;
    if (!d->read) status = blni_table_open(d, &h->from, h->path, report);
    if (status != BLN_OK) return status;
    if (d->format == BLN_TABLE_NPY) status = blni_npy_header(&h->from, h->path, &h->rows, &h->columns, &h->first, report);
    if (d->format == BLN_TABLE_TEXT) {
        uint64_t at = 0, next = 0;
        status = blni_text_first_line(d, &h->from, h->path, &h->line, &h->room, &h->length, &at, &next, report);
        if (status != BLN_OK) return status;
        h->first = d->no_header ? at : next;
        h->columns = blni_text_names(h->line, h->length, d->separator ? d->separator : ',', NULL);
        if (h->columns == 0) return blni_table_fail_file(h->path, BLN_EFORMAT, "a quote in its first line is not closed", report);
    }
    if (status == BLN_OK && d->n_columns && h->columns != d->n_columns) {
        blni_table_fail_file(h->path, BLN_ESHAPE, "", report);
        blni_say_size(report, (size_t)h->columns);
        blni_say(report, " columns, and n_columns is ");
        blni_say_size(report, d->n_columns);
        return BLN_ESHAPE;
    }
    if (status == BLN_OK && h->columns > (size_t)-1/16)
        return blni_table_fail_file(h->path, BLN_EOVERFLOW, "too many columns for this machine", report);
    return status;
}

BLNI_PRIV bln_column blni_table_kind(const bln_table_desc *d, size_t n_columns, size_t j)
{
    return d->columns ? d->columns[j] : j + 1 < n_columns ? BLN_COLUMN_INPUT : BLN_COLUMN_TARGET;
}

/* Counts of the columns' kinds. */
BLNI_PRIV void blni_table_count(const bln_table_desc *d, bln_table *t)
{
    for (size_t j = 0; j < t->n_columns; j++) {
        const bln_column kind = blni_table_kind(d, t->n_columns, j);
        if (kind != BLN_COLUMN_IGNORE) t->has[kind] = 1;
        t->d += kind == BLN_COLUMN_INPUT;
        t->P += kind == BLN_COLUMN_TARGET;
        t->n_offsets += kind == BLN_COLUMN_OFFSET;
    }
}

/* `counts` has the numbers of everything, and lends its pointers to the counting pass. */
BLNI_PRIV bln_table *blni_table_carve(blni_arena *a, const blni_table_head *h, bln_table *counts)
{
    const size_t n = counts->block;
    bln_table *carved = (bln_table *)blni_carve(a, 1, sizeof *carved), *t = counts;
    if (carved) { *carved = *counts; t = carved; }
    t->from.room = blni_max(BLNI_TABLE_BUFFER, blni_mul(64, t->n_columns));
    t->column    = (bln_column *)blni_carve(a, t->n_columns, sizeof *t->column);
    t->X         = blni_carve_doubles(a, blni_mul(n, t->d));
    t->y         = blni_carve_doubles(a, blni_mul(n, t->P));
    t->offset    = blni_carve_doubles(a, blni_mul(n, t->n_offsets));
    t->weight    = blni_carve_doubles(a, t->has[BLN_COLUMN_WEIGHT] ? n : 0);
    t->noise_var = blni_carve_doubles(a, t->has[BLN_COLUMN_NOISE_VAR] ? n : 0);
    t->trials    = blni_carve_doubles(a, t->has[BLN_COLUMN_TRIALS] ? n : 0);
    t->name      = (const char **)blni_carve(a, h->line ? t->n_columns : 0, sizeof *t->name);
    t->names     = (char *)blni_carve(a, h->line ? h->length + 1 : 0, 1);
    t->from.buffer = (char *)blni_carve(a, t->from.room, 1);
    return carved;
}

/* begin and end of the part. */
BLNI_PRIV bln_status blni_table_part(const bln_table_desc *d, const blni_table_head *h, bln_table *t, bln_report *report)
{
    const uint64_t parts = d->parts ? d->parts : 1, part = d->part, width = 8*(uint64_t)t->n_columns;
    const uint64_t span = h->from.size > h->first ? h->from.size - h->first : 0;
    t->begin = h->first;
    t->end = UINT64_MAX;
    if (d->format == BLN_TABLE_NPY) {
        if (h->rows > (UINT64_MAX - h->first)/width || (h->from.size && h->rows*width != span))
            return blni_table_fail_file(h->path, BLN_EFORMAT, "not as many rows as its header says", report);
        t->end = h->first + h->rows*width;
    }
    if (parts == 1) return BLN_OK;
    if (h->from.size == 0 && d->format != BLN_TABLE_NPY)
        return blni_table_fail_file(h->path, BLN_EINVAL, "parts need the size of the file", report);
    if (d->format != BLN_TABLE_TEXT) {
        const uint64_t rows = d->format == BLN_TABLE_NPY ? h->rows : span/width, each = rows/parts, more = rows % parts;
        t->begin += width*(each*part + (part < more ? part : more));
        if (part + 1 < parts) t->end = t->begin + width*(each + (part < more));
        return BLN_OK;
    }
    const uint64_t step = span/parts;
    if (part + 1 < parts) t->end = h->first + step*(part + 1);
    return part && step ? blni_text_line_at(t, h->first + step*part, &t->begin, report) : BLN_OK;
}

BLN_API void bln_table_free(bln_table *table)
{
    if (!table) return;
    const bln_allocator alloc = table->alloc;
    blni_table_close(&alloc, &table->from);
    blni_release(&alloc, table->memory, table->bytes);
}

/* The object, from what the header says. */
BLNI_PRIV bln_status blni_table_build(const bln_table_desc *d, const blni_table_head *h, bln_table **out, bln_report *report)
{
    bln_table counts;
    memset(&counts, 0, sizeof counts);
    counts.n_columns = (size_t)h->columns;
    counts.block = d->block ? d->block : 256;
    counts.format = d->format;
    counts.separator = d->separator ? d->separator : ',';
    counts.alloc = d->alloc;
    blni_table_count(d, &counts);
    blni_arena a = blni_arena_over(NULL, 0);
    blni_table_carve(&a, h, &counts);
    const size_t bytes = a.used;
    if (bytes == (size_t)-1) return blni_table_fail_file(h->path, BLN_EOVERFLOW, "too large for this machine", report);
    void *memory = blni_alloc(&d->alloc, bytes);
    if (!memory) return blni_table_fail_file(h->path, BLN_ENOMEM, "out of memory", report);
    a = blni_arena_over(memory, bytes);
    bln_table *t = blni_table_carve(&a, h, &counts);
    t->memory = memory;
    t->bytes = bytes;
    t->from.read = h->from.read;
    t->from.user = h->from.user;
    t->from.size = h->from.size;
    memcpy(t->path, h->path, sizeof t->path);
    for (size_t j = 0; j < t->n_columns; j++) t->column[j] = blni_table_kind(d, t->n_columns, j);
    if (h->line && !d->no_header) {
        memcpy(t->names, h->line, h->length);
        blni_text_names(t->names, h->length, t->separator, t->name);
    } else t->name = NULL;
    const bln_status status = blni_table_part(d, h, t, report);
    if (status == BLN_OK) *out = t;
    else blni_release(&d->alloc, memory, bytes);
    return status;
}

BLN_API bln_status bln_table_create(const bln_table_desc *desc, bln_table **out, bln_report *report)
{
    blni_table_head h;
    bln_table *t = NULL;
    bln_report_clear(report);
    const char *why = !desc || !out ? "table: NULL argument" : blni_table_check(desc);
    if (why) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, why);
    memset(&h, 0, sizeof h);
    bln_status status = blni_table_look(desc, &h, report);
    if (status == BLN_OK) status = blni_table_build(desc, &h, &t, report);
    blni_release(&desc->alloc, h.line, h.room);
    if (status != BLN_OK) {
        blni_table_close(&desc->alloc, &h.from);
        return status;
    }
    t->from.file = h.from.file;
    *out = t;
    return BLN_OK;
}
