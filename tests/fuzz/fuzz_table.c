/* fuzz_table: damaged tables must be refused with a reason and a place, or give the same rows however they are read
 *
 *     cc -std=c99 -O1 -g -fsanitize=address,undefined -I. tests/fuzz/fuzz_table.c -o build/fuzz_table -lm
 *     build/fuzz_table --seconds 60        or  --runs N,  --seed S,  --only K (one case again, with its bytes)
 *
 * Deterministic: case K of seed S is the same everywhere. A case takes one of the tables below, damages it (bytes changed, put in,
 * taken out) and reads it with kinds of columns picked at random: whole, with a buffer that holds hardly a line, and in parts.
 * Checked: a refusal has a reason; all ways give the same numbers, or fail for the same reason at the same line; numbers are
 * finite. ASan and UBSan see to memory. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "fuzz.h"

enum { FUZZ_MAX = 2000, FUZZ_NUMBERS = 4096 };

typedef struct fuzz_bytes { const unsigned char *bytes; size_t n; } fuzz_bytes;

static bln_status fuzz_read(void *user, uint64_t at, void *to, size_t n, size_t *got)
{
    const fuzz_bytes *b = (const fuzz_bytes *)user;
    const size_t from = at < b->n ? (size_t)at : b->n;
    *got = n < b->n - from ? n : b->n - from;
    memcpy(to, b->bytes + from, *got);
    return BLN_OK;
}

/* What a reading gave. */
typedef struct fuzz_result {
    bln_status status;
    size_t     rows, n;
    double     v[FUZZ_NUMBERS];
    bln_report report;
} fuzz_result;

static const char *fuzz_keep(fuzz_result *r, size_t n, const double *v)
{
    for (size_t i = 0; i < n && v; i++) {
        if (!(v[i] - v[i] == 0.0)) return "a number that is not finite";
        if (r->n < FUZZ_NUMBERS) r->v[r->n++] = v[i];
    }
    return NULL;
}

/* Reads the part; what comes is put behind what r has. room: of the buffer, 0: as it is. */
static const char *fuzz_pass(const bln_table_desc *d, size_t room, fuzz_result *r)
{
    const char *wrong = NULL;
    bln_table *t = NULL;
    bln_data block;
    r->status = bln_table_create(d, &t, &r->report);
    if (r->status != BLN_OK) return r->report.text[0] ? NULL : "refused without a reason";
    const bln_source s = bln_table_source(t);
    if (room) t->from.room = room;
    r->status = s.reset(s.user, &r->report);
    while (r->status == BLN_OK && !wrong) {
        r->status = s.next(s.user, 7, &block, &r->report);
        if (r->status != BLN_OK && !r->report.text[0]) wrong = "failed without a reason";
        if (r->status != BLN_OK || block.n == 0) break;
        if (block.n > 7) wrong = "a block larger than asked for";
        r->rows += block.n;
        for (size_t i = 0; i < block.n && !wrong; i++) {
            const bln_data row = bln_data_rows(&block, i, 1);
            wrong = fuzz_keep(r, row.d, row.X);
            if (!wrong) wrong = fuzz_keep(r, row.p, row.y);
            if (!wrong) wrong = fuzz_keep(r, 1, row.weight);
        }
    }
    bln_table_free(t);
    return wrong;
}

static int fuzz_same(const fuzz_result *a, const fuzz_result *b)
{
    if (a->status != b->status || a->rows != b->rows || a->n != b->n) return 0;
    return !memcmp(a->v, b->v, a->n*sizeof *a->v) && (a->status == BLN_OK || !strcmp(a->report.text, b->report.text));
}

static const char *fuzz_one(bln_table_format format, const unsigned char *bytes, size_t n)
{
    static fuzz_result whole, small, parts;
    bln_column kinds[4];
    fuzz_bytes b;
    bln_table_desc d;
    memset(&d, 0, sizeof d);
    b.bytes = bytes;
    b.n = n;
    d.read = fuzz_read;
    d.user = &b;
    d.size = n;
    d.format = format;
    d.no_header = fuzz_below(4) == 0;
    d.block = 1 + fuzz_below(9);
    if (fuzz_below(3) == 0) d.separator = ';';
    if (format == BLN_TABLE_DOUBLES || fuzz_below(2)) {
        d.n_columns = 1 + fuzz_below(4);
        for (size_t j = 0; j < d.n_columns; j++) kinds[j] = (bln_column)fuzz_below(BLN_COLUMN_IGNORE + 1);
        if (fuzz_below(2)) d.columns = kinds;
    }
    memset(&whole, 0, sizeof whole);
    memset(&small, 0, sizeof small);
    memset(&parts, 0, sizeof parts);
    const char *wrong = fuzz_pass(&d, 0, &whole);
    /* 400 bytes hold any line here but those that the damage made longer. */
    if (!wrong) wrong = fuzz_pass(&d, 400, &small);
    const int too_long = strstr(small.report.text, "too long") != NULL;
    if (!wrong && !too_long && !fuzz_same(&whole, &small)) return "another buffer gives something else";
    if (wrong || whole.status != BLN_OK || n == 0) return wrong;             /* of size 0: unknown, and then there are no parts */
    d.parts = 1 + fuzz_below(5);
    for (d.part = 0; d.part < d.parts && !wrong; d.part++) {
        wrong = fuzz_pass(&d, 0, &parts);
        if (!wrong && parts.status != BLN_OK) wrong = "a part fails where the whole does not";
    }
    /* A part of doubles leaves out what is no row; the whole would have failed. */
    return wrong ? wrong : fuzz_same(&whole, &parts) ? NULL : "the parts are not the whole";
}

/* ---- the cases ---- */

static const char *const fuzz_tables[] = {
    "a,b,y\n1,2,3\n4,5,6\n7,8,9\n", "\xEF\xBB\xBF\"x\" ; y\r\n1.5;2e3\r\n\r\n-.5;\"7\"\r\n",
    "a\tb,c;d\n1,\"two, \"\"2\"\"\",3\n,,\n",
    "1,2\r3,4\r5,6\r7,8\r9,10\r", "x;w;y\n1;0.1234567890123456789;3\n2;4.9e-324;1e308\n", "k\n\n1\n\n2\n"
};
static const char fuzz_npy[] =
    "\x93NUMPY\x01\0\x3e\0{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }   \n"
    "\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\x08\x40"
    "\0\0\0\0\0\0\x10\x40\0\0\0\0\0\0\x14\x40\0\0\0\0\0\0\x18\x40";
enum { FUZZ_TABLES = sizeof fuzz_tables/sizeof *fuzz_tables };

static bln_table_format fuzz_format;

static size_t fuzz_make(unsigned char *bytes)
{
    static const char *const pieces[] = {
        ",", ";", "\"", "\"\"", "\n", "\r\n", "\r", " ", "NA", "1", "-2.5e3", "e", "inf", "red", "\xC3\xA9", "12345678901234567890",
        "(", "'"
    };
    fuzz_format = (bln_table_format)(fuzz_below(4) % 3);
    const char *table = fuzz_tables[fuzz_below(FUZZ_TABLES)];
    size_t n = fuzz_format == BLN_TABLE_TEXT ? strlen(table) : sizeof fuzz_npy - 1;
    memcpy(bytes, fuzz_format == BLN_TABLE_TEXT ? table : fuzz_npy, n);
    if (fuzz_format == BLN_TABLE_DOUBLES) { memmove(bytes, bytes + n - 48, 48); n = 48; }
    for (size_t times = fuzz_below(8); times-- > 0;)
        n = fuzz_damage_text(bytes, n, FUZZ_MAX, pieces[fuzz_below(sizeof pieces/sizeof *pieces)]);
    return n;
}

static const char *fuzz_check(const unsigned char *bytes, size_t n) { return fuzz_one(fuzz_format, bytes, n); }

int main(int argc, char **argv)
{
    static unsigned char bytes[FUZZ_MAX];
    return fuzz_text_main(argc, argv, "fuzz_table [--runs N] [--seconds S] [--seed S] [--only K]", bytes, fuzz_make, fuzz_check);
}
