/* chains: a table with names in one block */
#include "chains_private.h"
#include "../core/bytes_private.h"
#include "../core/memory_private.h"
#include "../core/status_private.h"

/* The pieces of a block; returns the first, which has the pointers to the table and the names. NULL if the arena only counts. */
BLNI_PRIV bln_chains *blni_chains_carve(blni_arena *a, size_t chains, size_t draws, size_t columns, size_t text, char **names)
{
    bln_chains *c = (bln_chains *)blni_carve(a, 1, sizeof *c);
    double *table = blni_carve_doubles(a, blni_mul(blni_mul(chains, draws), columns));
    const char **name = (const char **)blni_carve(a, columns, sizeof *name);
    *names = (char *)blni_carve(a, text, 1);
    if (!c) return NULL;
    memset(c, 0, sizeof *c);
    c->table = table;
    c->name = name;
    return c;
}

/* Bytes of a table whose names take `text` bytes; SIZE_MAX: too many. */
BLNI_PRIV size_t blni_chains_size(size_t chains, size_t draws, size_t columns, size_t text)
{
    char *names;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_chains_carve(&a, chains, draws, columns, text, &names);
    return a.used;
}

/* A table without names yet, which are to be copied to *names, and c->name to point there. */
BLNI_PRIV bln_status blni_chains_make(const bln_allocator *alloc, size_t chains, size_t draws, size_t columns, size_t text,
                                      bln_chains **out, char **names, bln_report *report)
{
    blni_arena a;
    BLNI_TRY(blni_arena_take(alloc, blni_chains_size(chains, draws, columns, text), "chains", &a, report));
    bln_chains *c = blni_chains_carve(&a, chains, draws, columns, text, names);
    if (alloc) c->alloc = *alloc;
    c->block = a.base;
    c->bytes = a.size;
    c->chains = chains;
    c->room = draws;
    c->columns = columns;
    *out = c;
    return BLN_OK;
}

BLNI_PRIV int blni_chains_name_ok(const char *name)
{
    const size_t n = name ? strlen(name) : 0;
    return n > 0 && n < BLNI_CHAINS_NAME && !strchr(name, '\n') && !strchr(name, '\r');
}

/* "q[7]" for column 6. */
BLNI_PRIV void blni_chains_default_name(size_t column, char *text)
{
    strcpy(text, "q[");
    blni_cat_size(text, 32, column + 1);
    blni_cat(text, 32, "]");
}

BLNI_ONCE BLN_API bln_status bln_chains_create(const bln_chains_desc *desc, bln_chains **out, bln_report *report)
{
    char own[32], *names;
    size_t text = 0;
    BLNI_TRY(blni_begin(report, desc && out, "chains: a NULL"));
    if (desc->draws == 0 || desc->columns == 0) return blni_refuse(report, BLN_EINVAL, "chains: no draws, or no columns");
    if (!blni_allocator_ok(&desc->alloc)) return blni_refuse(report, BLN_EINVAL, "chains: half an allocator");
    if (desc->names) {
        for (size_t k = 0; k < desc->columns; k++) {
            if (!blni_chains_name_ok(desc->names[k]))
                return blni_fail(report, BLN_EINVAL, BLN_NONE, k, "chains: a name is NULL, empty, too long or has a line end");
            text = blni_add(text, strlen(desc->names[k]) + 1);
        }
    } else text = blni_mul(desc->columns, sizeof own);
    bln_chains *c;
    BLNI_TRY(blni_chains_make(&desc->alloc, desc->chains ? desc->chains : 1, desc->draws, desc->columns, text, &c,
                              &names, report));
    for (size_t k = 0; k < desc->columns; k++) {
        blni_chains_default_name(k, own);
        c->name[k] = strcpy(names, desc->names ? desc->names[k] : own);
        names += strlen(names) + 1;
    }
    *out = c;
    return BLN_OK;
}

BLN_API void bln_chains_free(bln_chains *chains) { if (chains) blni_release(&chains->alloc, chains->block, chains->bytes); }

/* Where draw i of a chain is, or is to be. */
BLNI_PRIV double *blni_chains_row(bln_chains *c, size_t chain, size_t draw)
{
    return c->table + (draw*c->chains + chain)*c->columns;
}

BLN_API bln_status bln_chains_add(bln_chains *chains, const double *rows, bln_report *report)
{
    BLNI_TRY(blni_begin(report, chains && rows, "chains: a NULL"));
    if (chains->draws == chains->room) return blni_refuse(report, BLN_ESTATE, "chains: there is no room for another draw");
    memcpy(blni_chains_row(chains, 0, chains->draws++), rows, chains->chains*chains->columns*sizeof *rows);
    return BLN_OK;
}

BLN_API size_t bln_chains_count(const bln_chains *chains) { return chains ? chains->chains : 0; }
BLN_API size_t bln_chains_draws(const bln_chains *chains) { return chains ? chains->draws : 0; }
BLN_API size_t bln_chains_columns(const bln_chains *chains) { return chains ? chains->columns : 0; }
BLN_API const double *bln_chains_table(const bln_chains *chains) { return chains ? chains->table : NULL; }

BLN_API size_t bln_chains_parameters(const bln_chains *chains)
{
    size_t n = 0;
    for (size_t k = 0; k < bln_chains_columns(chains); k++) n += bln_chains_is_parameter(chains, k) != 0;
    return n;
}

BLN_API const char *bln_chains_name(const bln_chains *chains, size_t column)
{
    return chains && column < chains->columns ? chains->name[column] : NULL;
}

BLN_API size_t bln_chains_find(const bln_chains *chains, const char *name)
{
    for (size_t k = 0; k < bln_chains_columns(chains) && name; k++)
        if (!strcmp(chains->name[k], name)) return k;
    return BLN_NONE;
}

BLN_API int bln_chains_is_parameter(const bln_chains *chains, size_t column)
{
    const char *name = bln_chains_name(chains, column);
    const size_t n = name ? strlen(name) : 0;
    return n > 0 && !(n >= 2 && name[n - 1] == '_' && name[n - 2] == '_');
}

/* ---- bytes */

BLNI_ONCE BLN_API bln_status bln_chains_save(const bln_chains *chains, bln_writer *w)
{
    size_t text = 0;
    if (!chains || !w) return blni_writer_fail(w, BLN_EINVAL);
    bln_put_u64(w, chains->chains);
    bln_put_u64(w, chains->draws);
    bln_put_u64(w, chains->columns);
    for (size_t k = 0; k < chains->columns; k++) text += strlen(chains->name[k]) + 1;
    bln_put_u64(w, text);
    for (size_t k = 0; k < chains->columns; k++) bln_put_string(w, chains->name[k]);
    bln_put_doubles(w, chains->draws*chains->chains*chains->columns, chains->table);
    return w->status;
}

BLNI_ONCE BLN_API bln_status bln_chains_load(const bln_load *context, bln_reader *r, bln_chains **out)
{
    const bln_allocator *alloc = context ? &context->alloc : NULL;
    bln_chains *c;
    char *names;
    if (!r || !out) return r ? bln_reader_fail(r, BLN_EINVAL, "chains: a NULL") : BLN_EINVAL;
    /* Each chain, draw and column takes eight bytes at least, so that what is made room for is at most what is in the file. */
    const size_t chains = bln_get_count(r, 8, (size_t)-1), draws = bln_get_count(r, 8, (size_t)-1);
    const size_t columns = bln_get_count(r, 8, (size_t)-1), rows = blni_mul(chains, draws), all = blni_mul(rows, columns);
    size_t text = bln_get_count(r, 1, (size_t)-1);
    if (r->status != BLN_OK) return r->status;
    if (all == 0) return bln_reader_fail(r, BLN_EFORMAT, "chains: no draws, or no columns");
    if (all > blni_reader_left(r)/8) return bln_reader_fail(r, BLN_EFORMAT, "chains: truncated, or damaged");
    r->status = blni_chains_make(alloc, chains, draws, columns, text, &c, &names, r->report);
    if (r->status != BLN_OK) return r->status;
    for (size_t k = 0; k < columns && r->status == BLN_OK; k++) {
        c->name[k] = names;
        if (text) bln_get_string(r, names, blni_min(text, BLNI_CHAINS_NAME));
        if (r->status != BLN_OK) break;
        if (!text || !blni_chains_name_ok(names)) bln_reader_fail(r, BLN_EFORMAT, "chains: a name that cannot be one");
        else { text -= strlen(names) + 1; names += strlen(names) + 1; }
    }
    if (text) bln_reader_fail(r, BLN_EFORMAT, "chains: names of another length than is said");
    bln_get_doubles(r, all, c->table);
    c->draws = draws;
    if (r->status == BLN_OK) *out = c;
    else bln_chains_free(c);
    return r->status;
}
