/* stream: two passes over the text of the file, then any number of passes over its numbers */
#define _XOPEN_SOURCE 700
#include "stream.h"
#include "csv_blocks.h"
#include "frame.h"
#include "rows.h"
#include "system.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What both passes over the text need. */
typedef struct stream_text {
    csv_blocks blocks;
    size_t     n_at, *at;             /* columns that matter, see columns.h                     */
    size_t    *rows, room;            /* complete rows of a block                               */
    size_t     n, n_all, filled;      /* complete rows so far, all, and those with filled cells */
    frame_gaps gaps;
    reading   *how;                   /* learned from this table, or NULL                       */
    const reading *use;               /* how it is read, with what decimal mark; NULL: as it is */
    char       decimal;
    int        means, fills, learned; /* adding up; filling; a failure of learning columns: why */
    cli_why    why;
    columns_learner *l;
} stream_text;

static int text_rewind(stream_text *t, cli_why *why)
{
    t->n = t->n_all = t->filled = 0;
    memset(&t->gaps, 0, sizeof t->gaps);
    if (csv_blocks_rewind(&t->blocks, why)) return CLI_FAILED;
    reading_extend(t->use, &t->blocks.table);
    return CLI_GOOD;
}

static int text_check(const options *o, const stream_text *t, cli_why *why)
{
    return frame_check(o, t->blocks.table.file, t->n_all, &t->gaps, why);
}

/* The cells of a block, as they are to be read. */
static int text_read(stream_text *t, cli_why *why)
{
    csv_table *table = &t->blocks.table;
    if (!t->use) return CLI_GOOD;
    if (reading_convert(t->use, t->decimal, t->n_at, t->at, table, why)) return CLI_FAILED;
    if (t->means) reading_means_add(t->how, table);
    if (t->use->missing > MISSING_DROP) reading_fill(t->use, t->fills, table);
    t->filled += table->filled;
    return CLI_GOOD;
}

/* The complete rows of the next block: *n of them, 0 with blocks.table.n_rows = 0 at the end. */
static int text_next(stream_text *t, const char *doing, progress *p, size_t *n, cli_why *why)
{
    const csv_table *table = &t->blocks.table;
    if (csv_blocks_next(&t->blocks, why)) return CLI_FAILED;
    if (table->n_rows > t->room) {
        t->room = table->n_rows;
        t->rows = (size_t *)cli_grow(t->rows, t->room, sizeof *t->rows);
    }
    if (text_read(t, why)) return CLI_FAILED;
    *n = frame_select(table, t->n_at, t->at, t->rows, &t->gaps);
    t->n += *n;
    t->n_all += table->n_rows;
    progress_rows(p, doing, t->n_all, t->blocks.size > 0.0 ? t->blocks.read/t->blocks.size : 0.0);
    return CLI_GOOD;
}

static void text_close(stream_text *t)
{
    csv_blocks_close(&t->blocks);
    reading_free(t->how);
    free(t->at);
    free(t->rows);
}

/* ---- the first pass: what the columns are */

/* What the columns are, from all blocks, whose cells are as they are read. look: how they are written is learned as well. */
static int stream_learn_columns(const options *o, stream_text *t, stream *s, int look, cli_why *why)
{
    csv_table *table = &t->blocks.table;
    size_t n = 0;
    int status = CLI_GOOD;
    columns_learner *l = columns_learn_begin(table, o->n_targets, (const char *const *)o->targets, 0, o->role, o->basis,
                                             t->n_at - o->n_targets - COLUMNS_OTHERS, t->at);
    progress_pass(s->p);
    do {
        status = text_next(t, "looking", s->p, &n, why);
        if (!status && look) reading_look(t->how, table);
        if (!status && !t->learned) t->learned = columns_learn_rows(l, table, n, t->rows, &t->why);
    } while (!status && table->n_rows);
    if (!status && t->n_all == 0) status = cli_fail(why, "%s: a header, but no rows", table->file);
    if (!status && !look) status = text_check(o, t, why);
    t->l = l;
    return status;
}

/* The columns that were learned, or the failure of that. */
static int stream_learned(stream_text *t, cli_columns *out, int status, cli_why *why)
{
    cli_why ignored;
    cli_columns none;
    columns_learner *l = t->l;
    t->l = NULL;
    if (l && !status && !t->learned) return columns_learn_end(l, &t->blocks.table, out, why);
    if (l && !columns_learn_end(l, &t->blocks.table, &none, &ignored)) columns_free(&none);
    if (!status) *why = t->why;
    t->learned = CLI_GOOD;
    return status ? status : CLI_FAILED;
}

/* A table that is written plainly is read once for this, and another one twice: first it says how it is written. */
static int stream_learn(const options *o, stream_text *t, stream *s, cli_why *why)
{
    csv_table *table = &t->blocks.table;
    int status = reading_begin(o, table, &t->how, why);
    if (!status) status = frame_choose(o, table, NULL, &t->at, &t->n_at, why);
    if (status) return status;
    reading_watch(t->how, o, table, t->n_at - o->n_targets - COLUMNS_OTHERS, t->n_at, t->at);
    status = stream_learn_columns(o, t, s, 1, why);
    progress_wipe(s->p);
    if (!status) status = reading_settle(t->how, o, table, why);
    if (status || !t->how->active) {
        if (!status) status = text_check(o, t, why);
        status = stream_learned(t, &s->cols, status, why);
    } else {
        cli_columns none;
        stream_learned(t, &none, CLI_FAILED, why);
        free(t->at);
        t->at = NULL;
        t->use = t->how;
        t->decimal = t->how->decimal;
        status = text_rewind(t, why);
        if (!status) status = frame_choose(o, table, t->how, &t->at, &t->n_at, why);
        t->means = t->fills = t->how->missing > MISSING_DROP;
        if (!status) status = stream_learn_columns(o, t, s, 0, why);
        status = stream_learned(t, &s->cols, status, why);
        if (t->means) reading_means_end(t->how);
        t->means = 0;
    }
    if (!status) status = frame_check_names(t->how, &s->cols, table->file, why);
    if (!status) s->cols.how = reading_share(t->how);
    return status;
}

/* ---- the second: numbers */

/* Makes the file of the numbers, in TMPDIR, or beside the output. */
static int stream_scratch(const char *output, int *file, cli_why *why)
{
    const char *folder = getenv("TMPDIR");
    const size_t n = folder && *folder ? strlen(folder) : system_folder(output);
    char *path = (char *)cli_memory(n + 40, 1);
    memcpy(path, n && folder && *folder ? folder : output, n);
    strcpy(path + n, n && system_folder(path) < n ? "/bayeslin-rows-" : "bayeslin-rows-");
    memset(path + strlen(path), 'X', 6);
    *file = system_scratch(path);
    int status = CLI_GOOD;
    if (*file < 0) status = cli_fail(why, "%s: %s (a file for the rows; TMPDIR=FOLDER puts it elsewhere)", path, strerror(errno));
    free(path);
    return status;
}

static int stream_write(int file, const void *bytes, size_t n, cli_why *why)
{
    const char *p = (const char *)bytes;
    while (n > 0) {
        const ssize_t done = write(file, p, n);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return cli_fail(why, "the rows' numbers: %s (TMPDIR=FOLDER puts them elsewhere)", strerror(errno));
        p += done;
        n -= (size_t)done;
    }
    return CLI_GOOD;
}

/* Where in a row things stand: inputs, targets, roles. */
static void stream_layout(stream *s, const cli_columns *c, const size_t *others)
{
    s->d = c->d;
    s->P = c->n_targets;
    s->width = s->d + s->P;
    for (int k = 0; k < ROLE_COUNT; k++) s->role[k] = others[k] == COLUMNS_NOWHERE ? 0 : s->width++;
}

/* Row i of the data as numbers. */
static void stream_pack(const stream *s, const bln_data *data, size_t i, double *row)
{
    const double *role[ROLE_COUNT];
    role[ROLE_WEIGHTS] = data->weight;
    role[ROLE_NOISE_VAR] = data->noise_var;
    role[ROLE_OFFSET] = data->offset;
    role[ROLE_TRIALS] = data->trials;
    memcpy(row, data->X + i*s->d, s->d*sizeof *row);
    memcpy(row + s->d, data->y + i*s->P, s->P*sizeof *row);
    for (int k = 0; k < ROLE_COUNT; k++) if (s->role[k]) row[s->role[k]] = role[k][i];
}

/* Room for every stride-th row. */
static void stream_some(stream *s, size_t n, size_t *stride, size_t most)
{
    *stride = (n + most - 1)/most;
    const size_t m = s->most = (n + *stride - 1) / *stride;
    double *at = s->room = (double *)cli_memory(m, s->width*sizeof *at);
    memset(&s->some, 0, sizeof s->some);
    s->some.d = s->d;
    s->some.p = s->P;
    s->some.X = at;
    s->some.y = at + m*s->d;
    at += m*(s->d + s->P);
    if (s->role[ROLE_WEIGHTS])   { s->some.weight = at; at += m; }
    if (s->role[ROLE_NOISE_VAR]) { s->some.noise_var = at; at += m; }
    if (s->role[ROLE_OFFSET])    { s->some.offset = at; }
}

static void stream_keep(stream *s, const double *row)
{
    const size_t i = s->some.n++;
    memcpy((double *)s->some.X + i*s->d, row, s->d*sizeof *row);
    memcpy((double *)s->some.y + i*s->P, row + s->d, s->P*sizeof *row);
    if (s->role[ROLE_WEIGHTS])   ((double *)s->some.weight)[i] = row[s->role[ROLE_WEIGHTS]];
    if (s->role[ROLE_NOISE_VAR]) ((double *)s->some.noise_var)[i] = row[s->role[ROLE_NOISE_VAR]];
    if (s->role[ROLE_OFFSET])    ((double *)s->some.offset)[i] = row[s->role[ROLE_OFFSET]];
}

static int stream_numbers(const options *o, const cli_columns *c, stream_text *t, size_t stride, stream *s, cli_why *why)
{
    csv_table *table = &t->blocks.table;
    cli_rows rows;
    size_t n = 0;
    int status;
    double *packed = NULL;
    memset(&rows, 0, sizeof rows);
    progress_pass(s->p);
    for (;;) {
        status = text_next(t, "reading", s->p, &n, why);
        if (status || table->n_rows == 0) break;
        status = rows_read(c, table, t->at, n, t->rows, o->unseen ? o->unseen : COLUMNS_TRAIN, &rows, why);
        packed = (double *)cli_grow(packed, n + 1, s->width*sizeof *packed);
        for (size_t i = 0; i < n && !status; i++) {
            double *row = packed + i*s->width;
            stream_pack(s, &rows.data, i, row);
            s->weight += s->role[ROLE_WEIGHTS] ? row[s->role[ROLE_WEIGHTS]] : 1.0;
            if (stride && (s->n + i) % stride == 0 && s->some.n < s->most) stream_keep(s, row);
        }
        rows_free(&rows);
        if (!status) status = stream_write(s->file, packed, n*s->width*sizeof *packed, why);
        if (status) break;
        s->n += n;
    }
    free(packed);
    return status;
}

/* Where the columns of a model are; which decimal mark the table has, which takes a look at all of it unless commas part cells. */
static int stream_known(const options *o, const cli_columns *known, stream_text *t, stream *s, cli_why *why)
{
    reading_marks marks;
    size_t n;
    csv_table *table = &t->blocks.table;
    memset(&marks, 0, sizeof marks);
    t->n_at = columns_places(known);
    t->at = (size_t *)cli_memory(t->n_at, sizeof *t->at);
    reading_extend(known->how, table);
    int status = columns_find(known, table, COLUMNS_LEAVE_OUT, NULL, t->at, why);
    if (status || !known->how) return status;
    if (o->separator != ',' && o->decimal == DECIMAL_AUTO) {
        do {
            status = text_next(t, "looking", s->p, &n, why);
            if (!status) reading_count_marks(known->how, o, t->n_at, t->at, table, &marks);
        } while (!status && table->n_rows);
    }
    t->use = known->how;
    t->fills = known->how->missing > MISSING_DROP && o->missing != MISSING_DROP;
    if (!status) status = reading_decimal(known->how, o, table->file, &marks, 0, &t->decimal, why);
    if (!status) reading_note_decimal(o, table->file, &marks, t->decimal, 0);
    return status ? status : text_rewind(t, why);
}

int stream_open(const options *o, const cli_columns *known, size_t most, progress *p, stream *out, cli_why *why)
{
    stream_text t;
    stream s;
    size_t stride = 0, expected = 0;
    memset(&t, 0, sizeof t);
    memset(&s, 0, sizeof s);
    s.file = -1;
    s.p = p;
    int status = csv_blocks_open(o->data, o->separator, &t.blocks, why);
    if (status) return status;
    if (known) status = stream_known(o, known, &t, &s, why);
    else status = stream_learn(o, &t, &s, why);
    const cli_columns *c = known ? known : &s.cols;
    if (!status) {
        expected = t.n;
        stream_layout(&s, c, t.at + c->n + c->n_targets);
        if (!known) stream_some(&s, expected, &stride, most);
        status = stream_scratch(o->output, &s.file, why);
    }
    if (!status && !known) status = text_rewind(&t, why);
    if (!status) status = stream_numbers(o, c, &t, stride, &s, why);
    if (!status && known) {
        if (t.n_all == 0) status = cli_fail(why, "%s: a header, but no rows", o->data);
        else status = frame_check(o, o->data, t.n_all, &t.gaps, why);
    }
    if (!status && !known && s.n != expected)
        status = cli_fail(why, "%s: changed while it was read: %lu complete rows, and then %lu", o->data, (unsigned long)expected,
                          (unsigned long)s.n);
    progress_wipe(p);
    s.dropped = t.gaps.count;
    if (!status) frame_note_filled(o->data, t.filled, t.n_all);
    if (!status && s.dropped)
        cli_note("%s: rows with missing values are left out: %lu of %lu", o->data, (unsigned long)s.dropped,
                 (unsigned long)t.n_all);
    text_close(&t);
    /* A block: rows as they lie in the file; then inputs, targets, weights, noise variances, offsets. */
    s.block = (double *)cli_memory(STREAM_BLOCK, (2*s.width + 3)*sizeof *s.block);
    if (status) stream_close(&s);
    else *out = s;
    return status;
}

void stream_close(stream *s)
{
    if (s->width && s->file >= 0) close(s->file);
    columns_free(&s->cols);
    free(s->room);
    free(s->block);
    memset(s, 0, sizeof *s);
}

/* ---- the numbers as a source */

static bln_status stream_reset(void *user, bln_report *report)
{
    stream *s = (stream *)user;
    (void)report;
    s->at = 0;
    progress_pass(s->p);
    return BLN_OK;
}

static bln_status stream_read(int file, double *to, size_t n, uint64_t at, bln_report *report)
{
    char *p = (char *)to;
    while (n > 0) {
        const ptrdiff_t got = system_read_at(file, p, n, at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            snprintf(report->text, sizeof report->text, "the rows' numbers: %s", got ? strerror(errno) : "cut short");
            return BLN_EIO;
        }
        p += got;
        n -= (size_t)got;
        at += (uint64_t)got;
    }
    return BLN_OK;
}

/* A column of a role, without gaps; NULL: there is none. */
static const double *stream_role(const stream *s, cli_role role, size_t n, const double *rows, double *to)
{
    if (!s->role[role]) return NULL;
    for (size_t i = 0; i < n; i++) to[i] = rows[i*s->width + s->role[role]];
    return to;
}

static bln_status stream_next(void *user, size_t max_rows, bln_data *block, bln_report *report)
{
    stream *s = (stream *)user;
    const size_t left = s->n - s->at, most = max_rows < STREAM_BLOCK ? max_rows : STREAM_BLOCK, n = left < most ? left : most;
    double *rows = s->block, *X = rows + n*s->width, *y = X + n*s->d, *roles = y + n*s->P;
    memset(block, 0, sizeof *block);
    if (n == 0) return BLN_OK;
    const size_t bytes = s->width*sizeof *rows;
    const bln_status status = stream_read(s->file, rows, n*bytes, (uint64_t)s->at*bytes, report);
    if (status != BLN_OK) return status;
    s->at += n;
    progress_rows(s->p, NULL, s->at, (double)s->at/(double)s->n);
    block->n = n;
    block->d = s->view && !model_basis(s->view)->d ? 0 : s->d;
    block->p = s->P;
    block->X = X;
    block->ldx = s->d;
    block->y = y;
    block->weight = stream_role(s, ROLE_WEIGHTS, n, rows, roles);
    block->noise_var = stream_role(s, ROLE_NOISE_VAR, n, rows, roles + n);
    const double *offset = stream_role(s, ROLE_OFFSET, n, rows, roles + 2*n);
    const int less = offset && (!s->view || s->view->scaled);
    if (!less) block->offset = offset;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s->P; k++) y[i*s->P + k] = rows[i*s->width + s->d + k] - (less ? offset[i] : 0.0);
    if (s->view) {
        bln_scaler_inputs(s->view->scaler, n, rows, s->width, X, s->d);
        columns_keep_groups(&s->view->cols, n, rows, s->width, X);
        if (s->view->scaled) bln_scaler_targets(s->view->scaler, n, y, y);
    } else
        for (size_t i = 0; i < n; i++) memcpy(X + i*s->d, rows + i*s->width, s->d*sizeof *X);
    return BLN_OK;
}

bln_source stream_source(stream *s, const model *view)
{
    bln_source source;
    s->view = view;
    source.d = view && !model_basis(view)->d ? 0 : s->d;
    source.reset = stream_reset;
    source.next = stream_next;
    source.user = s;
    return source;
}
