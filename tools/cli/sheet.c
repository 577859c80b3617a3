/* sheet: writes the same columns as CSV, as JSON or for NumPy */
#include "sheet.h"
#include "frame.h"
#include "number.h"
#include "output.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void sheet_begin(sheet *out, const csv_table *table, size_t n)
{
    memset(out, 0, sizeof *out);
    out->table = table;
    out->n = n;
    out->row = (size_t *)cli_memory(n, sizeof *out->row);
    out->at = (size_t *)cli_memory(n, sizeof *out->at);
}

void sheet_free(sheet *s)
{
    for (size_t k = 0; k < s->n_columns; k++) free(s->column[k].name);
    free(s->column);
    free(s->row);
    free(s->at);
    memset(s, 0, sizeof *s);
}

static sheet_column *sheet_add(sheet *s, const char *name)
{
    if (s->n_columns == s->room) {
        s->room = s->room ? 2*s->room : 16;
        s->column = (sheet_column *)cli_grow(s->column, s->room, sizeof *s->column);
    }
    sheet_column *c = &s->column[s->n_columns++];
    memset(c, 0, sizeof *c);
    c->name = cli_copy(name);
    return c;
}

void sheet_numbers(sheet *s, const char *name, const double *value, size_t stride)
{
    sheet_column *c = sheet_add(s, name);
    c->value = value;
    c->stride = stride;
}

void sheet_labels(sheet *s, const char *name, const double *value, size_t stride, size_t n_labels, char *const *label)
{
    sheet_column *c = sheet_add(s, name);
    c->value = value;
    c->stride = stride;
    c->n_labels = n_labels;
    c->label = label;
}

/* ---- columns that go through ---- */

void sheet_keep(sheet *s)
{
    for (; s->n_kept < s->table->n_kept; s->n_kept++)
        sheet_add(s, frame_kept_name(s->table, s->table->kept[s->n_kept].column))->cell = s->n_kept;
}

int sheet_check(const sheet *s, const options *o, cli_why *why)
{
    enum { OTHERS = 64 };                                         /* draws, which are many, have names of their own */
    cli_shown shown;
    const size_t most = s->n_kept + (o->to.json || o->verb == VERB_CV ? OTHERS : 0);
    for (size_t k = 0; k < most && k < s->n_columns; k++)
        for (size_t l = k + 1 > s->n_kept ? k + 1 : s->n_kept; l < s->n_columns; l++)
            if (!strcmp(s->column[k].name, s->column[l].name))
                return cli_fail(why, "%s\"%s\": there is a column of that name in what is written; rename that of %s",
                                k < s->n_kept ? "--keep " : "column ", cli_show(&shown, s->column[k].name), s->table->file);
    return CLI_GOOD;
}

/* ---- CSV ---- */

/* In quotes where it would not be read back as it is. */
static void sheet_text(FILE *file, const char *text)
{
    const char *quote = strpbrk(text, ",\"\r\n") ? "\"" : "";
    fputs(quote, file);
    for (; *text; text++) {
        if (*text == '"') putc('"', file);
        putc(*text, file);
    }
    fputs(quote, file);
}

static void sheet_cell(FILE *file, const sheet *s, size_t i, const sheet_column *c)
{
    if (!c->value) sheet_text(file, s->table->kept[c->cell].text[s->row[i]]);
    else if (s->at[i] == SHEET_MISSING) fputs("NA", file);
    else if (c->label) sheet_text(file, c->label[(size_t)c->value[s->at[i]*c->stride]]);
    else fprintf(file, "%.10g", number_plain(c->value[s->at[i]*c->stride]));
}

static void sheet_csv(FILE *file, const sheet *s)
{
    for (size_t k = 0; k < s->n_columns; k++) {
        if (k) putc(',', file);
        sheet_text(file, s->column[k].name);
    }
    putc('\n', file);
    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = 0; k < s->n_columns; k++) {
            if (k) putc(',', file);
            sheet_cell(file, s, i, &s->column[k]);
        }
        putc('\n', file);
    }
}

/* ---- JSON ---- */

static void sheet_member(cli_json *j, const sheet *s, size_t i, const sheet_column *c)
{
    const int missing = s->at[i] == SHEET_MISSING;
    const double v = c->value && !missing ? c->value[s->at[i]*c->stride] : NAN;
    if (!c->value) json_text(j, c->name, s->table->kept[c->cell].text[s->row[i]]);
    else if (c->label) json_text(j, c->name, missing ? NULL : c->label[(size_t)v]);
    else json_number(j, c->name, v);
}

static void sheet_json(cli_json *j, const sheet *s, const char *key)
{
    json_array(j, key);
    for (size_t i = 0; i < s->n; i++) {
        json_object(j, NULL);
        for (size_t k = 0; k < s->n_columns; k++) sheet_member(j, s, i, &s->column[k]);
        json_end(j);
    }
    json_end(j);
}

/* ---- NumPy ---- */

int sheet_is_npy(const char *path)
{
    static const char end[] = ".npy";
    const size_t n = path ? strlen(path) : 0;
    size_t same = 0;
    while (n > 4 && same < 4 && (path[n - 4 + same] == end[same] || path[n - 4 + same] - 'A' + 'a' == end[same])) same++;
    return same == 4;
}

/* Magic bytes, version 1.0, the length of what follows as u16, and a dictionary, with blanks up to a multiple of 64 bytes in all.
 *                                                                                 [NumPy Enhancement Proposal 1, "Format"] */
static void sheet_npy_head(FILE *file, size_t rows, size_t columns)
{
    enum { MAGIC = 10, TOTAL = 128 };
    char head[TOTAL + 1];
    memset(head, ' ', TOTAL);
    memcpy(head, "\x93NUMPY\x01\x00", 8);
    head[8] = (char)(TOTAL - MAGIC);
    head[9] = 0;
    const int n = snprintf(head + MAGIC, TOTAL - MAGIC, "{'descr': '<f8', 'fortran_order': False, 'shape': (%lu, %lu), }",
                           (unsigned long)rows, (unsigned long)columns);
    head[MAGIC + n] = ' ';
    head[TOTAL - 1] = '\n';
    fwrite(head, 1, TOTAL, file);
}

static void sheet_npy(FILE *file, const sheet *s)
{
    unsigned char bytes[8];
    uint64_t bits;
    sheet_npy_head(file, s->n, s->n_columns);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->n_columns; k++) {
            const sheet_column *c = &s->column[k];
            const double v = s->at[i] == SHEET_MISSING ? NAN : number_plain(c->value[s->at[i]*c->stride]);
            memcpy(&bits, &v, sizeof bits);
            for (int b = 0; b < 8; b++) bytes[b] = (unsigned char)(bits >> 8*b & 0xFFu);
            fwrite(bytes, 1, sizeof bytes, file);
        }
}

/* Notes the names of the columns and the numbers of the labels, as far as there is room. */
static void sheet_note_npy(const sheet *s, const char *path)
{
    enum { ROOM = 700, MOST = 90 };
    char text[ROOM + MOST] = "";
    size_t n = 0;
    const sheet_column *of = NULL;
    cli_shown shown;
    size_t k = 0;
    for (; k < s->n_columns && n < ROOM; k++) {
        n += (size_t)snprintf(text + n, MOST, "%s%s", k ? ", " : "", cli_show(&shown, s->column[k].name));
        if (!of && s->column[k].label) of = &s->column[k];
    }
    if (k < s->n_columns) n += (size_t)snprintf(text + n, MOST, ", ...");
    for (k = 0; of && k < of->n_labels && n < ROOM; k++)
        n += (size_t)snprintf(text + n, MOST, "%s%lu %s", k ? ", " : "; of classes ", (unsigned long)k,
                              cli_show(&shown, of->label[k]));
    cli_note("%s: %lu x %lu numbers, in columns %s", path, (unsigned long)s->n, (unsigned long)s->n_columns, text);
}

/* ---- any of them ---- */

int sheet_write(const sheet *s, const options *o, const char *key, cli_why *why)
{
    output out;
    const int npy = sheet_is_npy(o->output);
    if (npy && s->n_kept)
        return cli_misuse(why, "--keep: %s holds numbers alone; write the predictions to a file of CSV", o->output);
    json_count(o->to.json, "rows", s->n);
    json_array(o->to.json, "columns");
    for (size_t k = 0; k < s->n_columns; k++) json_text(o->to.json, NULL, s->column[k].name);
    json_end(o->to.json);
    if (o->to.json && !o->output) {
        sheet_json(o->to.json, s, key);
        return CLI_GOOD;
    }
    json_text(o->to.json, "output", o->output);
    const int status = output_open(o->output, &out, why);
    if (status) return status;
    (npy ? sheet_npy : sheet_csv)(out.file, s);
    const int closed = output_close(&out, why);
    if (!closed && npy) sheet_note_npy(s, o->output);
    return closed;
}
