/* csv_blocks: the buffer is filled up to where it holds whole lines, and those are parsed where they lie */
#define _FILE_OFFSET_BITS 64           /* files beyond 2 GB where a long has 32 bits */
#include "csv_blocks.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS_ROOM = 1 << 20, BLOCKS_LINE = 64 << 20 };

/* Reads more bytes after those that are left. If one line fills the buffer, the buffer is doubled. */
static int blocks_fill(csv_blocks *b, cli_why *why)
{
    memmove(b->bytes, b->bytes + b->next, b->have - b->next);
    b->have -= b->next;
    b->next = 0;
    if (b->have + 1 >= b->room) {
        if (b->room >= BLOCKS_LINE)
            return cli_fail(why, "%s:%lu: a line of more than %d MB: a quote that is never closed?", b->table.file,
                            (unsigned long)b->line, BLOCKS_LINE >> 20);
        b->room *= 2;
        b->bytes = (char *)cli_grow(b->bytes, b->room, 1);
    }
    const size_t got = fread(b->bytes + b->have, 1, b->room - 1 - b->have, b->file);
    if (got == 0 && ferror(b->file)) return cli_fail(why, "%s: %s", b->table.file, strerror(errno));
    b->ended = got == 0;
    b->have += got;
    b->read += (double)got;
    return CLI_GOOD;
}

/* Bytes of a byte order mark at the beginning of the file. */
static size_t blocks_mark(const csv_blocks *b)
{
    return b->line == 1 && b->have - b->next >= 3 && !memcmp(b->bytes + b->next, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

/* *whole: bytes of whole lines, at least one unless the file has ended. */
static int blocks_lines(csv_blocks *b, size_t *whole, cli_why *why)
{
    for (;;) {
        const size_t left = b->have - b->next, mark = blocks_mark(b);
        *whole = b->ended ? left : csv_whole_lines(b->bytes + b->next + mark, left - mark, b->separator);
        if (*whole && !b->ended) *whole += mark;
        if (*whole || b->ended) return CLI_GOOD;
        if (blocks_fill(b, why)) return CLI_FAILED;
    }
}

static int blocks_blank(const csv_blocks *b, size_t n)
{
    const char *p = b->bytes;
    size_t i = blocks_mark(b);
    while (i < n && (p[i] == ' ' || p[i] == '\t' || p[i] == '\n' || p[i] == '\r')) i++;
    return i == n;
}

static int blocks_header(csv_blocks *b, cli_why *why)
{
    size_t whole, used = 0;
    if (blocks_lines(b, &whole, why)) return CLI_FAILED;
    while (blocks_blank(b, whole) && !b->ended)
        if (blocks_fill(b, why) || CLI_NEVER(blocks_lines(b, &whole, why))) return CLI_FAILED;   /* has lines: reads none */
    b->header = (char *)cli_memory(whole + 1, 1);
    memcpy(b->header, b->bytes, whole);
    const int status = csv_parse_header(&b->table, b->header, whole, b->separator, &b->line, &used, why);
    b->next = used;
    return status;
}

/* Standard input comes once but is read twice: it is copied to a file without a name, which is gone when it is closed. */
static FILE *blocks_copy(cli_why *why)
{
    FILE *copy = tmpfile();
    char *bytes = (char *)cli_memory(BLOCKS_ROOM, 1);
    int bad = !copy;
    for (size_t n; !bad && (n = fread(bytes, 1, BLOCKS_ROOM, stdin)) > 0;) bad = fwrite(bytes, 1, n, copy) != n;
    if (!bad) bad = ferror(stdin) || fflush(copy);
    free(bytes);
    if (!bad) return copy;
    cli_fail(why, "standard input: it is read twice, and could not be copied (%s): write it to a file", strerror(errno));
    if (copy) fclose(copy);
    return NULL;
}

int csv_blocks_open(const char *path, char separator, csv_blocks *out, cli_why *why)
{
    csv_blocks b;
    memset(&b, 0, sizeof b);
    const int standard = !strcmp(path, "-");
    b.file = standard ? blocks_copy(why) : fopen(path, "rb");
    if (!b.file && standard) return CLI_FAILED;
    if (!b.file) return cli_fail(why, "%s: %s", path, strerror(errno));
    b.table.file = cli_copy(csv_file_name(path));
    b.separator = separator;
    b.room = BLOCKS_ROOM;
    b.bytes = (char *)cli_memory(b.room, 1);
    b.line = 1;
    int status = CLI_GOOD;
    const long size = fseek(b.file, 0, SEEK_END) ? 0 : ftell(b.file);
    b.size = size > 0 ? (double)size : 0.0;
    if (fseek(b.file, 0, SEEK_SET)) status = cli_fail(why, "%s: cannot be read twice, as --stream must: not a file", path);
    if (!status) status = blocks_header(&b, why);
    if (status) csv_blocks_close(&b);
    else *out = b;
    return status;
}

int csv_blocks_rewind(csv_blocks *b, cli_why *why)
{
    free(b->header);
    free(b->table.names);
    free(b->table.by_name);
    b->header = NULL;
    b->table.names = NULL;
    b->table.by_name = NULL;
    free(b->table.as_words);
    b->table.as_words = NULL;
    b->table.n_columns = b->next = b->have = 0;
    b->line = 1;
    b->ended = 0;
    b->read = 0.0;
    if (fseek(b->file, 0, SEEK_SET)) return cli_fail(why, "%s: %s", b->table.file, strerror(errno));
    return blocks_header(b, why);
}

int csv_blocks_next(csv_blocks *b, cli_why *why)
{
    size_t whole;
    for (;;) {
        b->table.n_rows = 0;
        if (blocks_lines(b, &whole, why)) return CLI_FAILED;
        char *lines = b->bytes + b->next;
        b->next += whole;
        if (csv_parse_rows(&b->table, lines, whole, b->separator, &b->line, &b->cells, why)) return CLI_FAILED;
        if (b->table.n_rows || b->ended) return CLI_GOOD;
        if (b->next == b->have && blocks_fill(b, why)) return CLI_FAILED;
    }
}

void csv_blocks_close(csv_blocks *b)
{
    if (b->file) fclose(b->file);
    free(b->bytes);
    free(b->header);
    csv_free(&b->table);
    memset(b, 0, sizeof *b);
}
