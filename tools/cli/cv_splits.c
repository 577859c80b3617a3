/* cv_splits: rows dealt out, by chance, by a file, by groups, or by time */
#include "cv_splits.h"
#include "number.h"
#include "library.h"
#include <stdlib.h>
#include <string.h>

enum { CV_STREAM = 0x666f6c64, CV_THIN = 0x7468696e };                 /* random streams: "fold", "thin" */

void cv_splits_free(cv_splits *s)
{
    for (size_t k = 0; k < s->count && s->group; k++) free(s->group[k]);
    free(s->group);
    free(s->part);
    memset(s, 0, sizeof *s);
}

static void cv_room(const frame *f, size_t count, cv_splits *out)
{
    out->count = count;
    out->n = f->table.n_rows;
    out->part = (unsigned char *)cli_memory(out->n, count);
}

/* Sizes of folds differ by one at most. */
static int cv_deal(const options *o, const frame *f, cv_splits *out, cli_why *why)
{
    bln_rng rng;
    cli_counted rows;
    if (o->folds > f->n)
        return cli_fail(why, "%s: %lu folds of %s", f->table.file, (unsigned long)o->folds, cli_count(&rows, f->n, "row"));
    cv_room(f, o->folds, out);
    size_t *order = (size_t *)cli_memory(f->n, sizeof *order);
    bln_rng_seed(&rng, o->seed, CV_STREAM);
    bln_rng_permutation(&rng, f->n, order);
    for (size_t i = 0; i < f->n; i++) out->part[(i % o->folds)*out->n + f->rows[order[i]]] = CV_TEST;
    free(order);
    return CLI_GOOD;
}

/* ---- --masks ---- */

/* One column of the mask file as split number out->count. */
static int cv_mask(const csv_table *t, size_t j, cv_splits *out, cli_why *why)
{
    unsigned char *part = out->part + out->count++*out->n;
    cli_shown shown;
    csv_place place;
    for (size_t i = 0; i < t->n_rows; i++) {
        double v = 0.0;
        const int status = columns_number(t, i, j, t->names[j].text, &v, why);
        if (status) return status;
        if (v != 0.0 && v != 1.0)
            return cli_fail(why, "%s: column \"%s\": a mask holds 1 (test row) and 0 (training row)",
                            csv_where(&place, t, csv_at(t, i, j)), cli_show(&shown, t->names[j].text));
        part[i] = v == 1.0 ? CV_TEST : CV_TRAIN;
    }
    return CLI_GOOD;
}

static int cv_masks(const options *o, const frame *f, cv_splits *out, cli_why *why)
{
    csv_table t;
    cli_counted rows;
    int status = csv_read(o->masks, o->separator, &t, why);
    if (status) return status;
    cv_room(f, t.n_columns, out);
    out->count = 0;
    if (t.n_rows != out->n)
        status = cli_fail(why, "%s has %s, but %s has %lu", t.file, cli_count(&rows, t.n_rows, "row"), f->table.file,
                          (unsigned long)out->n);
    for (size_t j = 0; j < t.n_columns && !status; j++) {
        if (t.names[j].text[0]) status = cv_mask(&t, j, out, why);
        else cli_note("%s: column %lu has no name and is left out", t.file, (unsigned long)j + 1);
    }
    if (!status && out->count == 0) status = cli_fail(why, "%s: no column with a name", t.file);
    csv_free(&t);
    return status;
}

/* ---- --group ---- */

/* Groups are taken in random order; each goes into the fold that has the fewest rows so far. */
static void cv_place_groups(const options *o, size_t n_groups, const size_t *size, size_t folds, size_t *fold)
{
    bln_rng rng;
    size_t *order = (size_t *)cli_memory(n_groups + folds, sizeof *order), *have = order + n_groups;
    bln_rng_seed(&rng, o->seed, CV_STREAM);
    bln_rng_permutation(&rng, n_groups, order);
    for (size_t g = 0; g < n_groups; g++) {
        size_t least = 0;
        for (size_t k = 1; k < folds; k++) if (have[k] < have[least]) least = k;
        fold[order[g]] = least;
        have[least] += size[order[g]];
    }
    free(order);
}

static int cv_groups(const options *o, const frame *f, cv_splits *out, cli_why *why)
{
    const size_t column = f->at[f->n_at - COLUMNS_OTHERS + COLUMNS_GROUP];
    size_t *group = (size_t *)cli_memory(f->n, sizeof *group);
    const size_t n_groups = columns_groups(&f->table, column, f->n, f->rows, group), folds = o->folds ? o->folds : n_groups;
    cli_counted counted;
    cli_shown shown;
    if (n_groups < 2 || folds > n_groups) {
        free(group);
        return cli_fail(why, "%s: column \"%s\" (--group) holds %s, of which no %lu folds can be made", f->table.file,
                        cli_show(&shown, o->loo_group), cli_count(&counted, n_groups, "group"),
                        (unsigned long)(folds > 2 ? folds : 2));
    }
    size_t *size = (size_t *)cli_memory(n_groups, 2*sizeof *size), *fold = size + n_groups;
    cv_room(f, folds, out);
    if (!o->folds) out->group = (char **)cli_memory(n_groups, sizeof *out->group);
    for (size_t i = 0; i < f->n; i++) {
        if (!size[group[i]]++ && out->group) out->group[group[i]] = cli_copy(csv_at(&f->table, f->rows[i], column)->text);
    }
    for (size_t g = 0; g < n_groups; g++) fold[g] = g;
    if (o->folds) cv_place_groups(o, n_groups, size, folds, fold);
    for (size_t i = 0; i < f->n; i++) out->part[fold[group[i]]*out->n + f->rows[i]] = CV_TEST;
    free(size);
    free(group);
    return CLI_GOOD;
}

/* ---- --time ---- */

typedef struct cv_moment { double number; const char *text; size_t row; } cv_moment;

static int cv_before(const void *a, const void *b)
{
    const cv_moment *x = (const cv_moment *)a, *y = (const cv_moment *)b;
    const int by = x->text ? strcmp(x->text, y->text) : (x->number > y->number) - (x->number < y->number);
    return by ? by : (x->row > y->row) - (x->row < y->row);
}

static int cv_same_time(const cv_moment *x, const cv_moment *y)
{
    return x->text ? !strcmp(x->text, y->text) : x->number == y->number;
}

/* A date that sorts as text: 2024-03-31, and what may follow it, as 2024-03-31T12:00. */
static int cv_is_date(const char *text)
{
    static const char like[] = "dddd-dd-dd";
    for (size_t k = 0; k < sizeof like - 1; k++)
        if (like[k] == 'd' ? text[k] < '0' || text[k] > '9' : text[k] != like[k]) return 0;
    return 1;
}

/* The time of each usable row; all must be numbers, or all dates. */
static int cv_moments(const options *o, const frame *f, cv_moment *moment, cli_why *why)
{
    cli_shown shown, cell;
    csv_place place;
    const csv_table *t = &f->table;
    const size_t column = csv_find(t, o->time);
    if (column == t->n_columns)
        return cli_fail(why, "%s: no column \"%s\" (--time)%s", t->file, cli_show(&shown, o->time), csv_hint(t));
    const int dates = cv_is_date(csv_at(t, f->rows[0], column)->text);
    for (size_t i = 0; i < f->n; i++) {
        const csv_cell *at = csv_at(t, f->rows[i], column);
        moment[i].row = f->rows[i];
        moment[i].text = dates ? at->text : NULL;
        moment[i].number = 0.0;
        if (dates ? cv_is_date(at->text) : number_read(at->text, &moment[i].number) == NUMBER_VALUE) continue;
        return cli_fail(why, "%s: column \"%s\" (--time): \"%s\" is no %s: numbers are wanted, or dates as 2024-03-31",
                        csv_where(&place, t, at), cli_show(&shown, o->time), cli_show(&cell, at->text),
                        dates ? "date like those before it" : "moment");
    }
    return CLI_GOOD;
}

/* Of folds + 1 blocks, block k begins at row k n/(folds + 1), or at the next change of the time: rows of one time stay together. */
static int cv_times(const options *o, const frame *f, cv_splits *out, cli_why *why)
{
    const size_t n = f->n, blocks = o->folds + 1;
    cli_shown shown;
    cv_moment *moment = (cv_moment *)cli_memory(n, sizeof *moment);
    size_t *begin = (size_t *)cli_memory(blocks + 1, sizeof *begin);
    int status = cv_moments(o, f, moment, why);
    if (!status) qsort(moment, n, sizeof *moment, cv_before);
    for (size_t k = 1; k <= blocks && !status; k++) {
        size_t at = (size_t)((double)n*(double)k/(double)blocks);
        if (k == blocks) at = n;
        while (at > 0 && at < n && cv_same_time(&moment[at - 1], &moment[at])) at++;
        begin[k] = at;
        if (at == begin[k - 1])
            status = cli_fail(why, "%s: column \"%s\" (--time): too few moments, or too many rows of one, for %lu folds",
                              f->table.file, cli_show(&shown, o->time), (unsigned long)o->folds);
    }
    if (!status) {
        cv_room(f, o->folds, out);
        memset(out->part, CV_NEITHER, out->n*out->count);
        for (size_t k = 0; k < out->count; k++)
            for (size_t i = 0; i < begin[k + 2]; i++)
                out->part[k*out->n + moment[i].row] = i < begin[k + 1] ? CV_TRAIN : CV_TEST;
    }
    free(begin);
    free(moment);
    return status;
}

/* ---- any of them ---- */

int cv_splits_make(const options *o, const frame *f, cv_splits *out, cli_why *why)
{
    memset(out, 0, sizeof *out);
    return (o->masks ? cv_masks : o->loo_group ? cv_groups : o->time ? cv_times : cv_deal)(o, f, out, why);
}

void cv_splits_rows(const cv_splits *s, const frame *f, size_t k, size_t *rows, size_t *n_train, size_t *n_test)
{
    const unsigned char *part = s->part + k*s->n;
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++) if (part[f->rows[i]] == CV_TRAIN) rows[n++] = f->rows[i];
    *n_train = n;
    for (size_t i = 0; i < f->n; i++) if (part[f->rows[i]] == CV_TEST) rows[n++] = f->rows[i];
    *n_test = n - *n_train;
}

void cv_splits_thin(uint64_t seed, size_t n, size_t m, size_t others, size_t *rows)
{
    bln_rng rng;
    size_t k = 0, *order = (size_t *)cli_memory(n, 2*sizeof *order), *chosen = order + n;
    bln_rng_seed(&rng, seed, CV_THIN);
    bln_rng_permutation(&rng, n, order);
    for (size_t i = 0; i < m; i++) chosen[order[i]] = 1;
    for (size_t i = 0; i < n + others; i++) if (i >= n || chosen[i]) rows[k++] = rows[i];
    free(order);
}
