/* fuzz_csv: damaged tables and damaged column sections must be refused with a reason, or give something sound
 *
 *     make fuzz NAME=csv SECONDS=60
 *     build/fuzz/csv --seconds 60        or  --runs N,  --seed S,  --only K (one case again),  --save FILE (its bytes)
 *
 * Deterministic: case K of seed S is the same everywhere. A case takes one of the tables below, damages it (bytes changed, put in,
 * taken out, parts repeated, pieces of other tables) and reads it as the tool does: parse, learn the columns, with and without
 * weights, noise variances, offsets and groups, encode, save, load again; then the saved section is damaged too and loaded.
 * Checked: a refusal has a reason and writes nothing; each text begins at the line and byte that it names; pieces of whole lines
 * hold the same cells; indicators sum to one; weights and variances are in their domain, groups are those of the texts; what was
 * saved loads as it was. ASan and UBSan see to memory.
 * With clang -fsanitize=fuzzer -DFUZZ_LIBFUZZER the same check is an LLVMFuzzerTestOneInput. */
#include "fuzz.h"
#include "../../tools/cli/why.h"
#include "../../tools/cli/number.h"
#include "../../tools/cli/csv.h"
#include "../../tools/cli/columns.h"
#include "../../tools/cli/made.h"
#include "../../tools/cli/role.h"
#include "../../tools/cli/rows.h"
#include "../../tools/cli/terms.h"
#include "../../tools/cli/cell.h"

enum { FUZZ_MAX = 4096, FUZZ_LINES = FUZZ_MAX + 2 };

/* ---- the check: NULL, or what is wrong ---- */

/* Where each line begins: lines end with \n, \r\n or \r. Returns their number. */
static size_t fuzz_lines(const unsigned char *text, size_t n, size_t *start)
{
    size_t lines = 0, i = n >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0;
    start[lines++] = i;
    for (; i < n; i++)
        if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == n || text[i + 1] != '\n'))) start[lines++] = i + 1;
    return lines;
}

/* Does the cell's text begin where the cell says? In quotes, it may begin with anything. */
static int fuzz_placed(const csv_cell *cell, const unsigned char *text, size_t n, size_t lines, const size_t *start)
{
    if (cell->line > lines) return 0;
    const size_t at = start[cell->line - 1] + cell->byte - 1;
    return at == n ? !cell->text[0] : at < n && (text[at] == '"' || !cell->text[0] || text[at] == (unsigned char)cell->text[0]);
}

static const char *fuzz_table(const csv_table *t, const unsigned char *text, size_t n)
{
    static size_t start[FUZZ_LINES];
    const size_t lines = fuzz_lines(text, n, start);
    if (t->n_rows == 0 || t->n_columns == 0) return "a table without rows or columns was accepted";
    for (size_t k = 0; k < (t->n_rows + 1)*t->n_columns; k++) {
        const csv_cell *cell = k < t->n_columns ? &t->names[k] : &t->cells[k - t->n_columns];
        double v = 0.0;
        if (!cell->text || cell->line == 0 || cell->byte == 0) return "a cell without text or place";
        if (!fuzz_placed(cell, text, n, lines, start)) return "a cell that is not where it says";
        if (number_read(cell->text, &v) == NUMBER_VALUE && v - v != 0.0) return "a number that is not finite";
    }
    for (size_t j = 0; j < t->n_columns; j++)
        if (t->names[j].text[0] && csv_find(t, t->names[j].text) != j) return "a name twice";
    return NULL;
}

static const char *fuzz_same(const cli_columns *a, const cli_columns *b)
{
    if (a->n != b->n || a->d != b->d || a->n_targets != b->n_targets) return "columns load as others than were saved";
    for (size_t k = 0; k < a->n_targets; k++) if (strcmp(a->targets[k], b->targets[k])) return "a target loads under another name";
    for (size_t j = 0; j < a->d; j++)
        if (strcmp(a->inputs[j], b->inputs[j])) return "an input loads under another name";
    if (!a->class_value != !b->class_value || a->n_classes != b->n_classes) return "classes load as others";
    for (size_t k = 0; k < a->n_classes; k++) if (strcmp(a->classes[k], b->classes[k])) return "classes load as others";
    for (int k = 0; k < ROLE_COUNT; k++)
        if (!a->role[k] != !b->role[k] || (a->role[k] && strcmp(a->role[k], b->role[k]))) return "a role loads with another column";
    return NULL;
}

static void fuzz_save(const cli_columns *c, bln_writer *w)
{
    columns_save(c, w);
    columns_save_roles(c, w);
    columns_save_targets(c, w);
    columns_save_classes(c, w);
}

static bln_status fuzz_load(bln_reader *r, cli_columns *out)
{
    if (columns_load(r, out) != BLN_OK) return r->status;
    columns_load_roles(r, out);
    columns_load_targets(r, out);
    if (columns_load_classes(r, out) != BLN_OK) columns_free(out);
    return r->status;
}

/* Saves, loads, then loads with one byte changed and with the end cut off. */
static const char *fuzz_section(const cli_columns *c, const char *basis, unsigned salt)
{
    cli_why why;
    bln_memory_stream stream;
    bln_report report;
    cli_columns back;
    bln_writer w = bln_writer_over(NULL, NULL);
    fuzz_save(c, &w);
    const size_t n = (size_t)w.count;
    unsigned char *bytes = (unsigned char *)cli_memory(n, 1);
    w = bln_memory_writer(&stream, bytes, n);
    fuzz_save(c, &w);
    bln_reader r = bln_memory_reader(&stream, bytes, n, &report);
    const char *wrong = "what was saved does not load";
    if (fuzz_load(&r, &back) == BLN_OK) wrong = made_add(&back, basis, &why) ? "made inputs refused" : fuzz_same(c, &back);
    if (r.status == BLN_OK) columns_free(&back);
    for (unsigned k = 0; k < 24 && !wrong; k++) {
        salt = salt*1664525u + 1013904223u;
        const size_t at = (salt >> 8) % n, cut = k % 4 == 3 ? at : n;
        const unsigned char was = bytes[at];
        bytes[at] = (unsigned char)(k % 2 ? was ^ (1u << (salt >> 29)) : salt >> 4);
        r = bln_memory_reader(&stream, bytes, cut, &report);
        if (fuzz_load(&r, &back) == BLN_OK) {
            if (back.d < back.n) wrong = "fewer inputs than columns";
            columns_free(&back);
        } else if (!report.text[0]) wrong = "a section refused without a reason";
        bytes[at] = was;
    }
    free(bytes);
    return wrong;
}

/* Numbers of the columns with a role, and groups. */
static const char *fuzz_others(const cli_rows *r, const csv_table *t, size_t group, const size_t *rows)
{
    for (size_t i = 0; i < r->data.n; i++) {
        if (r->data.weight && !(r->data.weight[i] >= 0.0)) return "a weight below 0";
        if (r->data.noise_var && !(r->data.noise_var[i] > 0.0)) return "a noise variance of 0 or less";
        if (r->data.offset && r->data.offset[i] - r->data.offset[i] != 0.0) return "an offset that is not finite";
        if (!r->group) continue;
        if (r->group[i] >= r->n_groups) return "a group that is none";
        const size_t j = i ? i - 1 : 0;
        if ((r->group[i] == r->group[j]) != !strcmp(csv_at(t, rows[i], group)->text, csv_at(t, rows[j], group)->text))
            return "groups that are not those of the texts";
    }
    return NULL;
}

static const char *fuzz_rows(const cli_columns *c, const csv_table *t, const size_t *at, size_t n, const size_t *rows)
{
    const char *wrong = NULL;
    cli_rows r;
    cli_why why;
    why.text[0] = '\0';
    if (rows_read(c, t, at, n, rows, 0, &r, &why)) wrong = why.text[0] ? NULL : "rows refused without a reason";
    else {
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < c->n; k++) {
                double sum = 0.0;
                for (size_t j = 0; j < c->column[k].n_words; j++) sum += r.data.X[i*c->d + c->column[k].first + j];
                if (c->column[k].words && sum != 1.0) wrong = "indicators that do not sum to one";
            }
        if (!wrong) wrong = fuzz_others(&r, t, at[c->n + c->n_targets + COLUMNS_GROUP], rows);
    }
    rows_free(&r);
    return wrong;
}

/* Up to three of the `next` columns before the targets get a role or are the group, in an order that the salt picks. Returns the
 * number of those before them. */
static size_t fuzz_roles(const csv_table *t, size_t next, unsigned salt, const char **roles, const char **group)
{
    size_t kind = salt % (ROLE_COUNT + 1);
    *group = NULL;
    for (int k = 0; k < ROLE_COUNT; k++) roles[k] = NULL;
    for (unsigned wanted = salt/8 % 4; wanted > 0 && next > 0; wanted--) {
        const char *name = t->names[next - 1].text;
        if (!name[0]) break;
        if (kind == ROLE_COUNT) *group = name;
        else roles[kind] = name;
        kind = (kind + 1) % (ROLE_COUNT + 1);
        next--;
    }
    return next;
}

static const char *fuzz_columns(const csv_table *t, unsigned salt)
{
    const char *wrong = NULL;
    cli_columns c;
    cli_why why;
    char *text, *apart;
    size_t n = 0, *used = (size_t *)cli_memory(2*t->n_columns + COLUMNS_OTHERS + t->n_rows, sizeof *used);
    size_t *at = used + t->n_columns, *rows = at + t->n_columns + COLUMNS_OTHERS;
    const char *targets[2], *roles[ROLE_COUNT], *group;
    const size_t n_targets = t->n_columns > 1 && t->names[t->n_columns - 2].text[0] && salt/64 % 2 ? 2 : 1;
    for (size_t k = 0; k < n_targets; k++) targets[k] = t->names[t->n_columns - 1 - k].text;
    const size_t inputs = fuzz_roles(t, t->n_columns - n_targets, salt, roles, &group);
    for (size_t j = 0; j < inputs; j++) if (t->names[j].text[0] && strcmp(t->names[j].text, targets[0])) used[n++] = j;
    for (size_t i = 0; i < t->n_rows; i++) rows[i] = i;
    why.text[0] = '\0';
    if (columns_learn(t, n_targets, targets, n_targets == 1 && salt/128 % 2, roles, t->names[0].text, n, used, t->n_rows, rows,
                      t->n_rows, rows, &c, &why)) {
        if (!why.text[0]) wrong = "columns refused without a reason";
    } else {
        if (columns_find(&c, t, COLUMNS_LEAVE_OUT, group, at, &why)) wrong = "a table lacks columns of its own";
        if (!wrong) wrong = fuzz_rows(&c, t, at, t->n_rows, rows);
        if (!wrong) wrong = fuzz_section(&c, t->names[0].text, salt);
        if (!wrong && !terms_resolve(t->names[0].text, &c, NULL, &text, &why)) {       /* any text as a SPEC */
            const int constant = terms_intercept_apart(text, salt % 2 == 0, &apart);
            if (constant && strcmp(apart + strlen(apart) - 4, "bias")) wrong = "an intercept that is not at the end";
            free(apart);
            free(text);
        }
        columns_free(&c);
    }
    free(used);
    return wrong;
}

/* The rows of t are also what comes in pieces of whole lines, cut anywhere. */
static const char *fuzz_pieces(const csv_table *t, const unsigned char *text, size_t n, char separator, unsigned salt)
{
    const char *wrong = NULL;
    csv_table piece;
    cli_why why;
    size_t at = 0, room = 0, row = 0;
    uint32_t line = 1;
    char *bytes = (char *)cli_memory(n + 1, 1);
    memcpy(bytes, text, n);
    memset(&piece, 0, sizeof piece);
    piece.file = cli_copy(t->file);
    if (csv_parse_header(&piece, bytes, n, separator, &line, &at, &why)) wrong = "a header refused the second time";
    while (!wrong && at < n) {
        const size_t cut = 1 + (salt = salt*1664525u + 1013904223u)/65536u % (n - at);
        const size_t whole = cut == n - at ? cut : csv_whole_lines(bytes + at, cut, separator);
        if (whole == 0) continue;
        if (csv_parse_rows(&piece, bytes + at, whole, separator, &line, &room, &why)) wrong = "a piece refused, and not the whole";
        for (size_t i = 0; i < piece.n_rows && !wrong; i++, row++)
            for (size_t j = 0; j < t->n_columns && !wrong; j++) {
                const csv_cell *a = csv_at(&piece, i, j), *b = row < t->n_rows ? csv_at(t, row, j) : NULL;
                if (!b || strcmp(a->text, b->text) || a->line != b->line || a->byte != b->byte) wrong = "a piece has another cell";
            }
        at += whole;
    }
    if (!wrong && row != t->n_rows) wrong = "the pieces have another number of rows";
    csv_free(&piece);
    free(bytes);
    return wrong;
}

static const char *fuzz_one(const unsigned char *text, size_t n)
{
    static const char separators[3] = { ',', ';', '\t' };
    const char *wrong = NULL;
    unsigned salt = 1;
    if (n > FUZZ_MAX) n = FUZZ_MAX;
    csv_table t;
    cli_why why;
    char *bytes = (char *)cli_memory(n + 1, 1);
    memcpy(bytes, text, n);
    for (size_t i = 0; i < n; i++) salt = salt*31 + text[i];
    memset(&t, 0, sizeof t);
    why.text[0] = '\0';
    const char separator = separators[salt % 5 < 3 ? 0 : salt % 5 - 2];
    if (csv_parse("f.csv", bytes, n, separator, &t, &why)) {
        if (!why.text[0]) return "a table refused without a reason";
        return t.cells || t.bytes ? "a refused table was written" : NULL;
    }
    wrong = fuzz_table(&t, text, n);
    if (!wrong) wrong = fuzz_pieces(&t, text, n, separator, salt);
    if (!wrong) wrong = fuzz_columns(&t, salt);
    csv_free(&t);
    return wrong;
}

/* ---- the cases ---- */

static const char *const fuzz_tables[] = {
    "a,b,y\n1,2,3\n4,5,6\n7,8,9\n",
    "x,colour,y\r\n1,red,0.5\r\n2,blue,1e-3\r\n3,\"dark, red\",-7\r\n4,\"say \"\"hi\"\"\",8\r\n",
    "\xEF\xBB\xBFname;size;y\r\n\"two\nlines\";1,5;2\n\"x\";2;3\n",
    "id\tk\ty\nr1\t NA \t1\nr2\t\t2\nr3\tnan\t3\n",
    ",a,y\n1,1e999,2\n2,0x10,3\n3,inf,4\n",
    "k=v,cols=a;b,y\nu,v,1\nw,v,2\nu,z,3\n\n\n",
    "y\n1\n2\n\"\"\n",
    "x,g,w,v,o,y\n1,a,1,0.5,0,3\n2,a,0,1,-1e3,4\n3,\"b,c\",2.5,2,7,5\n4,b,1,1,0,6\n",
    "polynomial:ones=1 , degree=3+bias+ linear,w,y\n1,2,3\n2,0,4\n",
    "linear:cols=a,a,y\n1,2,3\n2,2,4\n"
};
enum { FUZZ_TABLES = sizeof fuzz_tables / sizeof *fuzz_tables };

static const char *const fuzz_words[] = {
    ",", ";", "\t", "\"", "\"\"", "\n", "\r\n", "\r", " ", "NA", "1", "-2.5e3", "e", "=", "red", "\xC3\xA9", "\n\n", ",,", NULL
};

static size_t fuzz_seed(size_t k, unsigned char *bytes, size_t room)
{
    const size_t n = k < FUZZ_TABLES ? strlen(fuzz_tables[k]) : 0;
    if (n && n <= room) memcpy(bytes, fuzz_tables[k], n);
    return n;
}

static const fuzz_harness csv = { "csv", FUZZ_MAX, fuzz_one, fuzz_words, fuzz_seed };
FUZZ_MAIN(csv)
