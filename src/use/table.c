/* table: what the formats share: columns, the buffer, the file. Text is in table_text.c, the other two in table_binary.c. */
#include "table_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"

/* ---- messages */

/* Where: "file: line 3, column 2 "name"", or row for line; then `what`. column BLN_NONE: none. Row and column as in bln_report. */
BLNI_PRIV bln_status blni_table_fail(const bln_table *t, bln_status status, const char *unit, size_t place, size_t column,
                                     const char *what, bln_report *report)
{
    if (!report) return status;
    report->text[0] = '\0';
    report->row = t->row;
    report->column = column;
    blni_say(report, t->path);
    blni_say(report, ": ");
    blni_say(report, unit);
    blni_say_size(report, place);
    if (column != BLN_NONE) {
        const char *name = bln_table_name(t, column);
        blni_say(report, ", column ");
        blni_say_size(report, column + 1);
        if (name && *name) {
            char shown[44];
            shown[0] = '\0';
            blni_cat(shown, sizeof shown, name);
            blni_say(report, " \"");
            blni_say(report, shown);
            blni_say(report, "\"");
        }
    }
    blni_say(report, ": ");
    blni_say(report, what);
    return status;
}

/* Of the file as a whole. */
BLNI_PRIV bln_status blni_table_fail_file(const char *path, bln_status status, const char *what, bln_report *report)
{
    if (!report) return status;
    blni_fail(report, status, BLN_NONE, BLN_NONE, path);
    blni_say(report, ": ");
    blni_say(report, what);
    return status;
}

/* ---- bytes */

/* Up to n bytes from `at` on into `to`; a read that claims more than it was asked for is none. */
BLNI_PRIV bln_status blni_table_read(const blni_table_bytes *b, const char *path, uint64_t at, void *to, size_t n, size_t *got,
                                     bln_report *report)
{
    *got = 0;
    bln_status status = b->read(b->user, at, to, n, got);
    if (status == BLN_OK && *got > n) status = BLN_EIO;
    return status == BLN_OK ? status : blni_table_fail_file(path, status, "reading failed", report);
}

/* Moves what is left of the buffer to its front and fills up behind it. */
BLNI_PRIV bln_status blni_table_refill(bln_table *t, bln_report *report)
{
    blni_table_bytes *b = &t->from;
    size_t got;
    memmove(b->buffer, b->buffer + b->next, b->have - b->next);
    b->have -= b->next;
    b->next = 0;
    const bln_status status = blni_table_read(b, t->path, b->at, b->buffer + b->have, b->room - b->have, &got, report);
    if (status != BLN_OK) return status;
    b->ended = got < b->room - b->have;
    b->have += got;
    b->at += got;
    return BLN_OK;
}

#ifndef BAYESLIN_NO_STDIO
typedef struct blni_table_stdio { FILE *file; uint64_t at; } blni_table_stdio;

/* In steps that fit a long of 32 bits. */
BLNI_PRIV bln_status blni_stdio_seek(blni_table_stdio *s, uint64_t at)
{
    const uint64_t step = UINT64_C(1) << 30;
    if (at < s->at || at - s->at > 16*step) {
        if (fseek(s->file, 0, SEEK_SET)) return BLN_EIO;
        s->at = 0;
    }
    while (s->at < at) {
        const uint64_t n = at - s->at < step ? at - s->at : step;
        if (fseek(s->file, (long)n, SEEK_CUR)) return BLN_EIO;
        s->at += n;
    }
    return BLN_OK;
}

BLNI_PRIV bln_status blni_table_stdio_read(void *user, uint64_t at, void *bytes, size_t n, size_t *got)
{
    blni_table_stdio *s = (blni_table_stdio *)user;
    if (at != s->at) {
        const bln_status status = blni_stdio_seek(s, at);
        if (status != BLN_OK) return status;
    }
    *got = fread(bytes, 1, n, s->file);
    s->at += *got;
    return *got < n && ferror(s->file) ? BLN_EIO : BLN_OK;
}

/* The size, or 0 if it cannot be told; *seeks: can it be read more than once? */
BLNI_PRIV uint64_t blni_table_stdio_size(FILE *f, int *seeks)
{
    *seeks = fseek(f, 0, SEEK_END) == 0;
    if (!*seeks) return 0;
#if defined(_WIN32)
    const int64_t end = (int64_t)_ftelli64(f);
#else
    const int64_t end = (int64_t)ftell(f);
#endif
    *seeks = fseek(f, 0, SEEK_SET) == 0;
    return end > 0 ? (uint64_t)end : 0;
}

BLNI_PRIV bln_status blni_table_open(const bln_table_desc *d, blni_table_bytes *b, const char *path, bln_report *report)
{
    int seeks;
    FILE *f = fopen(d->path, "rb");
    if (!f) return blni_table_fail_file(path, BLN_EIO, "cannot be opened", report);
    b->size = blni_table_stdio_size(f, &seeks);
    blni_table_stdio *s = seeks ? (blni_table_stdio *)blni_alloc(&d->alloc, sizeof *s) : NULL;
    if (!s) {
        fclose(f);
        return seeks ? blni_table_fail_file(path, BLN_ENOMEM, "out of memory", report)
                     : blni_table_fail_file(path, BLN_EIO, "a pipe or the like, which cannot be read more than once", report);
    }
    s->file = f;
    s->at = 0;
    b->read = blni_table_stdio_read;
    b->user = b->file = s;
    return BLN_OK;
}

BLNI_PRIV void blni_table_close(const bln_allocator *alloc, blni_table_bytes *b)
{
    blni_table_stdio *s = (blni_table_stdio *)b->file;
    if (s) fclose(s->file);
    blni_release(alloc, s, sizeof *s);
}
#else
BLNI_PRIV bln_status blni_table_open(const bln_table_desc *d, blni_table_bytes *b, const char *path, bln_report *report)
{
    (void)d; (void)b;
    return blni_table_fail_file(path, BLN_EINVAL, "built without stdio: give a read", report);
}
BLNI_PRIV void blni_table_close(const bln_allocator *alloc, blni_table_bytes *b) { (void)alloc; (void)b; }
#endif
