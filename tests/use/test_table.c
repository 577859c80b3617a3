/* test_table - tables in files as sources: the same numbers from every format, part and buffer; every refusal with its place */
#include "../test.h"

/* ---- bytes in memory */

typedef struct table_bytes { const char *bytes; size_t n, calls, fail_at; } table_bytes;

static bln_status table_read(void *user, uint64_t at, void *to, size_t n, size_t *got)
{
    table_bytes *b = (table_bytes *)user;
    if (b->calls++ >= b->fail_at) return BLN_EUNKNOWN;
    const size_t from = at < b->n ? (size_t)at : b->n;
    *got = n < b->n - from ? n : b->n - from;
    memcpy(to, b->bytes + from, *got);
    return BLN_OK;
}

static table_bytes table_of(const char *bytes, size_t n)
{
    table_bytes b;
    b.bytes = bytes;
    b.n = n;
    b.calls = 0;
    b.fail_at = (size_t)-1;
    return b;
}

static bln_table_desc table_desc(table_bytes *b)
{
    bln_table_desc d;
    memset(&d, 0, sizeof d);
    d.read = table_read;
    d.user = b;
    d.size = b->n;
    return d;
}

/* One pass: rows of X and y, one after the other, up to `most` numbers. Returns the number of rows; BLN_NONE after a failure. room:
 * of the buffer, to force refills; 0 as it is. */
static size_t table_pass(bln_table *t, size_t room, size_t most, double *to, bln_status *status, bln_report *report)
{
    const bln_source s = bln_table_source(t);
    size_t n = 0, at = 0;
    bln_data block;
    if (room) t->from.room = room;
    *status = s.reset(s.user, report);
    while (*status == BLN_OK) {
        *status = s.next(s.user, 3, &block, report);
        if (*status != BLN_OK || block.n == 0) break;
        CHECK(block.n <= 3 && block.d == s.d);
        for (size_t i = 0; i < block.n; i++) {
            for (size_t j = 0; j < block.d; j++, at++) if (at < most) to[at] = block.X[i*block.d + j];
            for (size_t j = 0; block.y && j < block.p; j++, at++) if (at < most) to[at] = block.y[i*block.p + j];
        }
        n += block.n;
    }
    return *status == BLN_OK ? n : BLN_NONE;
}

/* ---- what is read */

/* The same table in every way that a line may be written. */
TEST(table, text)
{
    static const char *const same[] = {
        "a,b,y\n1,2,3\n4,5,6\n", "a,b,y\n1,2,3\n4,5,6", "a,b,y\r\n1,2,3\r\n4,5,6\r\n", "a,b,y\r1,2,3\r4,5,6\r",
        "\xEF\xBB\xBF\"a\" ,b,y\n 1 ,\t2,3.0\n+4,\"5\",6e0\n", "\n \na,b,y\n\n1,2,3\n  \r\n4,0.5e1,60E-1\n\n\n",
        "a,b,y\r\n1, \"2\" ,3\n4,5,6\r"
    };
    for (size_t k = 0; k < sizeof same/sizeof *same; k++)
        for (size_t room = 0; room < 20; room += 17) {
            table_bytes b = table_of(same[k], strlen(same[k]));
            const bln_table_desc d = table_desc(&b);
            bln_table *t = NULL;
            bln_report report;
            bln_status status;
            double v[6] = { 0 };
            CHECK_OK(bln_table_create(&d, &t, &report));
            if (!t) { printf("    %s\n", report.text); continue; }
            CHECK_SIZE(bln_table_columns(t), 3);
            CHECK(!strcmp(bln_table_name(t, 0), "a") && !strcmp(bln_table_name(t, 2), "y") && !bln_table_name(t, 3));
            for (int pass = 0; pass < 2; pass++) {
                CHECK_SIZE(table_pass(t, room, 6, v, &status, &report), 2);
                if (status != BLN_OK) printf("    %lu %s\n", (unsigned long)k, report.text);
                for (int i = 0; i < 6; i++) CHECK_NEAR(v[i], i + 1.0, 0.0);
            }
            bln_table_free(t);
        }
}

TEST(table, separators_names_and_no_header)
{
    bln_status status;
    double v[4];
    bln_table *t = NULL;
    table_bytes b = table_of("1\t2\n\t\n", 4);
    bln_table_desc d = table_desc(&b);
    d.separator = '\t';
    d.no_header = 1;
    CHECK_OK(bln_table_create(&d, &t, NULL));
    CHECK_SIZE(table_pass(t, 0, 2, v, &status, NULL), 1);
    CHECK_NEAR(v[0] + 10.0*v[1], 21.0, 0.0);
    CHECK(bln_table_name(t, 0) == NULL);
    bln_table_free(t);

    const char *text = "\"say \"\"hi\"\"\";\"a;b\"; c d ;\n1;2;3;4\n";
    b = table_of(text, strlen(text));
    d = table_desc(&b);
    d.separator = ';';
    CHECK_OK(bln_table_create(&d, &t, NULL));
    CHECK_SIZE(bln_table_columns(t), 4);
    CHECK(!strcmp(bln_table_name(t, 0), "say \"hi\"") && !strcmp(bln_table_name(t, 1), "a;b"));
    CHECK(!strcmp(bln_table_name(t, 2), "c d") && !strcmp(bln_table_name(t, 3), ""));
    CHECK_SIZE(table_pass(t, 0, 4, v, &status, NULL), 1);
    CHECK_NEAR(v[3], 4.0, 0.0);
    bln_table_free(t);
}

/* Each kind of column arrives where it belongs; ignored ones may hold anything. */
TEST(table, columns)
{
    static const bln_column kinds[9] = {
        BLN_COLUMN_TARGET, BLN_COLUMN_IGNORE, BLN_COLUMN_WEIGHT, BLN_COLUMN_INPUT, BLN_COLUMN_NOISE_VAR, BLN_COLUMN_OFFSET,
        BLN_COLUMN_TARGET, BLN_COLUMN_OFFSET, BLN_COLUMN_TRIALS
    };
    const char *text = "h,h,h,h,h,h,h,h,h\n1,red,3,4,5,6,7,8,9\n1,\"a,\"\"b\",3,4,5,6,7,8,9\n1,,3,4,5,6,7,8,9\n";
    double rows[27];
    for (size_t i = 0; i < 27; i++) rows[i] = (double)(1 + i % 9);
    for (int binary = 0; binary < 2; binary++) {
        unsigned char raw[27*8];
        table_bytes b = table_of(text, strlen(text));
        bln_memory_stream m;
        bln_writer w = bln_memory_writer(&m, raw, sizeof raw);
        bln_put_doubles(&w, 27, rows);
        if (binary) b = table_of((const char *)raw, sizeof raw);
        bln_table_desc d = table_desc(&b);
        d.columns = kinds;
        d.n_columns = 9;
        if (binary) d.format = BLN_TABLE_DOUBLES;
        bln_table *t = NULL;
        bln_data block;
        CHECK_OK(bln_table_create(&d, &t, NULL));
        const bln_source s = bln_table_source(t);
        CHECK_SIZE(s.d, 1);
        CHECK_OK(s.reset(s.user, NULL));
        CHECK_OK(s.next(s.user, 100, &block, NULL));
        CHECK_SIZE(block.n, 3);
        CHECK_SIZE(block.p, 2);
        for (size_t i = 0; i < block.n; i++) {
            CHECK_NEAR(block.X[i], 4.0, 0.0);
            CHECK_NEAR(block.y[2*i] + 10.0*block.y[2*i + 1], 71.0, 0.0);
            CHECK_NEAR(block.offset[2*i] + 10.0*block.offset[2*i + 1], 86.0, 0.0);
            CHECK_NEAR(block.weight[i] + 10.0*block.noise_var[i] + 100.0*block.trials[i], 953.0, 0.0);
        }
        CHECK_OK(s.next(s.user, 100, &block, NULL));
        CHECK_SIZE(block.n, 0);
        bln_table_free(t);
    }
}

/* Random rows as text, as doubles and as .npy; in parts; with buffers that hold hardly a row: always the same numbers. */
TEST(table, formats_and_parts_agree)
{
    enum { N = 500, D = 4 };
    static const char head[] = "\x93NUMPY\x01\x00\x46\x00{'descr': '<f8', 'fortran_order': False, 'shape': (500, 4), }        \n";
    test_random r = test_random_new(3);
    double *rows = test_doubles(N*D), *got = test_doubles(N*D);
    char *text = (char *)malloc(N*D*30), *npy = (char *)malloc(80 + 8*N*D);
    size_t n = 0;
    if (!text || !npy) exit(2);
    n += (size_t)sprintf(text, "a,b,c,y\n");
    for (size_t i = 0; i < N*D; i++) {
        rows[i] = test_normal(&r)*pow(10.0, 20.0*test_uniform(&r) - 10.0);
        n += (size_t)sprintf(text + n, "%.17g%c", rows[i], i % D + 1 < D ? ',' : '\n');
    }
    bln_memory_stream m;
    memcpy(npy, head, 80);
    bln_writer w = bln_memory_writer(&m, npy + 80, 8*N*D);
    bln_put_doubles(&w, N*D, rows);
    CHECK_SIZE(sizeof head - 1, 80);

    for (int format = 0; format < 3; format++)
        for (size_t parts = 1; parts < 9; parts += 3)
            for (size_t room = 0; room < 200; room += 133) {
                table_bytes b = format == 0 ? table_of(text, n) : table_of(npy + (format == 1 ? 80 : 0), 8*N*D + 80*(format == 2));
                size_t seen = 0;
                for (size_t part = 0; part < parts; part++) {
                    bln_table_desc d = table_desc(&b);
                    bln_table *t = NULL;
                    bln_status status;
                    bln_report report;
                    d.format = (bln_table_format)format;
                    d.n_columns = D;
                    d.parts = parts;
                    d.part = part;
                    d.block = 2;
                    CHECK_OK(bln_table_create(&d, &t, &report));
                    const size_t some = table_pass(t, room, N*D - seen*D, got + seen*D, &status, &report);
                    CHECK_OK(status);
                    CHECK(parts == 1 || (some > N/parts/2 && some < 2*N/parts));
                    seen += some;
                    bln_table_free(t);
                }
                CHECK_SIZE(seen, N);
                CHECK(!memcmp(got, rows, N*D*sizeof *rows));
                for (size_t i = 0; i < N*D; i++) got[i] = 0.0;
            }
    /* More parts than rows: the rows are in some of them, each once. */
    table_bytes b = table_of("x,y\n1,2\n3,4\n", 12);
    double sum = 0.0;
    for (size_t part = 0; part < 40; part++) {
        bln_table_desc d = table_desc(&b);
        bln_table *t = NULL;
        bln_status status;
        d.parts = 40;
        d.part = part;
        CHECK_OK(bln_table_create(&d, &t, NULL));
        const size_t some = table_pass(t, 0, 4, got, &status, NULL);
        for (size_t i = 0; i < 2*some; i++) sum += got[i];
        bln_table_free(t);
    }
    CHECK_NEAR(sum, 10.0, 0.0);
    free(rows); free(got); free(text); free(npy);
}

/* ---- what is refused */

typedef struct table_bad { const char *text; bln_status status; size_t row, column; const char *why; } table_bad;

TEST(table, bad_text_is_named_with_its_place)
{
    static const table_bad bad[] = {
        { "a,b\n1,2\n3,x\n", BLN_EFORMAT, 1, 1, "table: line 3, column 2 \"b\": \"x\" is not a number" },
        { "a,b\n\n1,2\r\n3,\n", BLN_EDATA, 1, 1, "table: line 4, column 2 \"b\": a missing value" },
        { "a,b\nNA,2\n", BLN_EDATA, 0, 0, "table: line 2, column 1 \"a\": a missing value" },
        { "a,b\n1,NaN\n", BLN_EDATA, 0, 1, "column 2 \"b\": a missing value" },
        { "a,b\n1,-inf\n", BLN_EDATA, 0, 1, "column 2 \"b\": an infinity" },
        { "a,b\n1,1e999\n", BLN_EDATA, 0, 1, "column 2 \"b\": a number too large for a double" },
        { "a,b\n1,0x10\n", BLN_EFORMAT, 0, 1, "\"0x10\" is not a number" },
        { "a,b\n1,1.5.2\n", BLN_EFORMAT, 0, 1, "\"1.5.2\" is not a number" },
        { "a,b\n1,2 3\n", BLN_EFORMAT, 0, 1, "\"2 3\" is not a number" },
        { "a,b\n1,\"2\n3\"\n", BLN_EFORMAT, 0, 1, "this quote is not closed in its line" },
        { "a,b\n1,\"2\"3\n", BLN_EFORMAT, 0, 1, "is not a number" },
        { "a,b\n1,\"\"\n", BLN_EDATA, 0, 1, "a missing value" },
        { "a,b\n1,\x01\n", BLN_EFORMAT, 0, 1, "\"?\" is not a number" },
        { "a,b\n1\n", BLN_EFORMAT, 0, BLN_NONE, "table: line 2: a row of 1 cell; there are 2 columns" },
        { "a,b\n1,2\n1,2,3,4\n", BLN_EFORMAT, 1, BLN_NONE, "table: line 3: a row of more than 2 cells; there are 2 columns" },
        { "a\n1\n2,3\n", BLN_EFORMAT, 1, BLN_NONE, "a row of more than 1 cell; there are 1 column" },
        { "a,b\n1,x234567890123456789012345678901234567890123\n", BLN_EFORMAT, 0, 1, "901234567890...\" is not" }
    };
    for (size_t k = 0; k < sizeof bad/sizeof *bad; k++)
        for (size_t room = 0; room < 60; room += 50) {
            table_bytes b = table_of(bad[k].text, strlen(bad[k].text));
            bln_table_desc d = table_desc(&b);
            bln_table *t = NULL;
            bln_report report;
            bln_status status;
            double v[8];
            CHECK_OK(bln_table_create(&d, &t, NULL));
            bln_report_clear(&report);
            CHECK_SIZE(table_pass(t, room, 8, v, &status, &report), BLN_NONE);
            CHECK_STATUS(status, bad[k].status);
            CHECK_TEXT(report.text, bad[k].why);
            CHECK_SIZE(report.row, bad[k].row);
            CHECK_SIZE(report.column, bad[k].column);
            bln_table_free(t);
        }
    /* In a later part the line is still that of the file. */
    const char *text = "x,y\n1,2\r\n\n3,4\n5,6\n7,8\n9,oops\n1,2\n";
    table_bytes b = table_of(text, strlen(text));
    bln_table_desc d = table_desc(&b);
    bln_table *t = NULL;
    bln_report report;
    bln_status status;
    double v[8];
    d.parts = 2;
    d.part = 1;
    CHECK_OK(bln_table_create(&d, &t, NULL));
    table_pass(t, 0, 8, v, &status, &report);
    CHECK_TEXT(report.text, "table: line 7, column 2 \"y\": \"oops\"");
    /* A line that no buffer holds. */
    table_pass(t, 5, 8, v, &status, &report);
    CHECK_TEXT(report.text, "a line too long");
    bln_table_free(t);
}

/* Refused at the start. */
TEST(table, bad_files)
{
    static const struct { bln_table_format format; size_t n; const char *bytes, *why; } bad[] = {
        { BLN_TABLE_TEXT, 0, "", "no line with names" },
        { BLN_TABLE_TEXT, 4, "\n \n\n", "no line with names" },
        { BLN_TABLE_TEXT, 6, "a,\"b\n1", "a quote in its first line" },
        { BLN_TABLE_NPY, 3, "abc", "not an .npy file" },
        { BLN_TABLE_NPY, 12, "\x93NUMPY\x04\0\x02\0{}", "not an .npy file" },
        { BLN_TABLE_NPY, 12, "\x93NUMPY\x01\0\xff\0{}", "a damaged or an endless header" },
        { BLN_TABLE_NPY, 12, "\x93NUMPY\x01\0\x02\0{}", "a damaged header" }
    };
    static const struct { const char *dictionary, *why; } npy[] = {
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }", "not of little-endian float64" },
        { "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 2), }", "not of little-endian float64" },
        { "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }", "in Fortran order" },
        { "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2, 2), }", "more than two dimensions" },
        { "{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "damaged header" },
        { "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 0), }", "without columns" },
        { "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 99999999999999999999), }", "damaged header" },
        { "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999, 9), }", "not as many rows" },
        { "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", "not as many rows" },
        { "{'descr': '<f8', 'shape': (2, 2), }", "damaged header" }
    };
    bln_table *t = NULL;
    bln_report report;
    for (size_t k = 0; k < sizeof bad/sizeof *bad; k++) {
        table_bytes b = table_of(bad[k].bytes, bad[k].n);
        bln_table_desc d = table_desc(&b);
        d.format = bad[k].format;
        CHECK_STATUS(bln_table_create(&d, &t, &report), BLN_EFORMAT);
        CHECK_TEXT(report.text, bad[k].why);
    }
    for (size_t k = 0; k < sizeof npy/sizeof *npy; k++) {
        char bytes[300] = "\x93NUMPY\x02";
        const size_t n = strlen(npy[k].dictionary);
        bytes[8] = (char)n;
        memcpy(bytes + 12, npy[k].dictionary, n);
        memset(bytes + 12 + n, 0, 32);
        table_bytes b = table_of(bytes, 12 + n + 32);
        bln_table_desc d = table_desc(&b);
        d.format = BLN_TABLE_NPY;
        CHECK_STATUS(bln_table_create(&d, &t, &report), BLN_EFORMAT);
        CHECK_TEXT(report.text, npy[k].why);
    }
    CHECK(t == NULL);
}

TEST(table, binary_that_is_cut_short_or_not_finite)
{
    double v[8], rows[6] = { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 };
    unsigned char raw[48];
    for (int k = 0; k < 3; k++) {
        if (k) rows[3] = k == 1 ? (double)NAN : HUGE_VAL;
        bln_memory_stream m;
        bln_writer w = bln_memory_writer(&m, raw, sizeof raw);
        bln_put_doubles(&w, 6, rows);
        table_bytes b = table_of((const char *)raw, k ? 48 : 44);
        bln_table_desc d = table_desc(&b);
        bln_table *t = NULL;
        bln_report report;
        bln_status status;
        d.format = BLN_TABLE_DOUBLES;
        d.n_columns = 2;
        CHECK_OK(bln_table_create(&d, &t, NULL));
        CHECK_SIZE(table_pass(t, 0, 8, v, &status, &report), BLN_NONE);
        CHECK_STATUS(status, k ? BLN_EDATA : BLN_EFORMAT);
        CHECK_TEXT(report.text, k == 0 ? "table: row 3: the file ends here" : k == 1 ? "table: row 2, column 2: a missing value"
                                                                                     : "row 2, column 2: an infinity");
        CHECK_SIZE(report.row, k ? 1 : 2);
        bln_table_free(t);
    }
}

TEST(table, bad_descs)
{
    static const bln_column none[2] = { BLN_COLUMN_IGNORE, BLN_COLUMN_WEIGHT }, twice[3] = { BLN_COLUMN_INPUT, BLN_COLUMN_WEIGHT,
        BLN_COLUMN_WEIGHT }, offsets[3] = { BLN_COLUMN_TARGET, BLN_COLUMN_OFFSET, BLN_COLUMN_OFFSET };
    const bln_column unknown[2] = { BLN_COLUMN_INPUT, (bln_column)17 };
    table_bytes b = table_of("a,b\n1,2\n", 8);
    bln_table *t = NULL;
    bln_report report;
    for (int k = 0; k < 14; k++) {
        bln_table_desc d = table_desc(&b);
        bln_status want = BLN_EINVAL;
        d.n_columns = 2;
        if (k == 0) d.read = NULL;
        if (k == 1) d.path = "x";
        if (k == 2) d.format = (bln_table_format)5;
        if (k == 3) { d.format = BLN_TABLE_DOUBLES; d.n_columns = 0; }
        if (k == 4) { d.columns = none; d.n_columns = 0; }
        if (k == 5) d.columns = none;
        if (k == 6) { d.columns = twice; d.n_columns = 3; }
        if (k == 7) { d.columns = offsets; d.n_columns = 3; }
        if (k == 8) d.columns = unknown;
        if (k == 9) d.separator = '5';
        if (k == 10) { d.part = 2; d.parts = 2; }
        if (k == 11) { d.parts = 2; d.size = 0; }
        if (k == 12) d.alloc.alloc = test_heap_alloc;
        if (k == 13) { d.n_columns = 3; want = BLN_ESHAPE; }
        CHECK_STATUS(bln_table_create(&d, &t, &report), want);
        CHECK(report.text[0]);
    }
    const bln_table_desc d = table_desc(&b);
    CHECK_STATUS(bln_table_create(NULL, &t, &report), BLN_EINVAL);
    CHECK_STATUS(bln_table_create(&d, NULL, &report), BLN_EINVAL);
    CHECK(t == NULL && bln_table_columns(NULL) == 0 && bln_table_name(NULL, 0) == NULL);
    bln_table_free(NULL);
}

/* A read that fails is passed on, whenever it does; memory that is not there is a status, and nothing is lost. */
TEST(table, failures_of_others)
{
    table_bytes b = table_of("a,b\n1,2\n3,4\n", 12);
    bln_table_desc d = table_desc(&b);
    test_heap heap;
    double v[4];
    for (size_t k = 0; k < 20; k++) {
        bln_table *t = NULL;
        bln_report report;
        bln_status status;
        d.alloc = test_heap_allocator(&heap);
        d.part = 1;
        d.parts = 2;
        b.calls = 0;
        b.fail_at = k < 10 ? k : (size_t)-1;
        heap.fail_at = k < 10 ? (size_t)-1 : k - 10;
        status = bln_table_create(&d, &t, &report);
        if (status == BLN_OK) table_pass(t, 0, 4, v, &status, &report);
        if (status != BLN_OK) {
            CHECK_STATUS(status, k < 10 ? BLN_EUNKNOWN : BLN_ENOMEM);
            CHECK(report.text[0]);
        } else CHECK(k >= 3 && (k < 10 || k >= 12));      /* first line, begin of the part, first pass; line and table */
        bln_table_free(t);
        CHECK_SIZE(heap.live, 0);
    }
}

/* ---- files, and fits from them */

TEST(table, a_fit_from_a_file_is_that_of_its_rows)
{
    enum { N = 300, D = 3 };
    const char *path = "build/test_table.csv";
    test_random r = test_random_new(9);
    double X[N*D], y[N];
    FILE *f = fopen(path, "wb");
    CHECK(f != NULL);
    if (!f) return;
    fputs("a,b,c,y\n", f);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < D; j++) X[i*D + j] = test_normal(&r);
        y[i] = sin(X[i*D]) + X[i*D + 1] + 0.1*test_normal(&r);
        fprintf(f, "%.17g,%.17g,%.17g,%.17g\n", X[i*D], X[i*D + 1], X[i*D + 2], y[i]);
    }
    fclose(f);
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = N;
    data.d = D;
    data.X = X;
    data.y = y;
    bln_basis *basis = NULL;
    bln_fourier_desc fourier;
    memset(&fourier, 0, sizeof fourier);
    fourier.d = D;
    fourier.n = 10;
    CHECK_OK(bln_fourier_create(&fourier, &basis, NULL));
    double evidence[2];
    for (int k = 0; k < 2; k++) {
        bln_slm_desc sd;
        bln_slm *slm = NULL;
        bln_table_desc d;
        bln_table *t = NULL;
        memset(&sd, 0, sizeof sd);
        memset(&d, 0, sizeof d);
        sd.basis = basis;
        sd.max_iterations = 5;
        d.path = path;
        d.n_columns = D + 1;
        CHECK_OK(bln_slm_create(&sd, &slm, NULL));
        if (k == 0) CHECK_OK(bln_slm_fit(slm, &data, NULL));
        else {
            bln_report report;
            CHECK_OK(bln_table_create(&d, &t, &report));
            const bln_source s = bln_table_source(t);
            CHECK_OK(bln_slm_fit_source(slm, &s, &report));
        }
        evidence[k] = bln_slm_evidence(slm);
        bln_slm_free(slm);
        bln_table_free(t);
    }
    CHECK_NEAR(evidence[1], evidence[0], 0.0);         /* the same blocks: the same bits */
    bln_basis_free(basis);
    for (size_t k = 0; k < 4; k++) {                   /* the file is closed, too */
        test_heap heap;
        bln_table_desc d;
        bln_table *t = NULL;
        memset(&d, 0, sizeof d);
        d.path = path;
        d.alloc = test_heap_allocator(&heap);
        heap.fail_at = k;
        CHECK_STATUS(bln_table_create(&d, &t, NULL), k < 3 ? BLN_ENOMEM : BLN_OK);
        bln_table_free(t);
        CHECK_SIZE(heap.live, 0);
    }
    remove(path);

    bln_table_desc gone;
    bln_table *t = NULL;
    bln_report report;
    memset(&gone, 0, sizeof gone);
    gone.path = "build/no such file";
    CHECK_STATUS(bln_table_create(&gone, &t, &report), BLN_EIO);
    CHECK_TEXT(report.text, "build/no such file: cannot be opened");
}

/* A text larger than the buffer, with a fault near its end: whether rows meet the buffer's edges as they should. */
TEST(table, beyond_the_buffer)
{
    enum { N = 60000 };
    char *text = (char *)malloc(N*40);
    size_t n = 0, rows = 0;
    if (!text) exit(2);
    n += (size_t)sprintf(text, "x,y\n");
    for (unsigned long i = 0; i < N; i++) n += (size_t)sprintf(text + n, "%lu.%0*d,%lu\r\n", i, 1 + (int)(i % 17), 0, i);
    CHECK(n > (1 << 20));
    table_bytes b = table_of(text, n);
    bln_table_desc d = table_desc(&b);
    bln_table *t = NULL;
    bln_data block;
    CHECK_OK(bln_table_create(&d, &t, NULL));
    const bln_source s = bln_table_source(t);
    CHECK_OK(s.reset(s.user, NULL));
    int good = 1;
    for (;;) {
        CHECK_OK(s.next(s.user, 1000, &block, NULL));
        if (block.n == 0) break;
        for (size_t i = 0; i < block.n; i++, rows++) good = good && block.X[i] == (double)rows && block.y[i] == (double)rows;
    }
    CHECK(good);
    CHECK_SIZE(rows, N);
    bln_table_free(t);
    free(text);
}

SUITE_BEGIN(table)
    SUITE_TEST(table, text)
    SUITE_TEST(table, separators_names_and_no_header)
    SUITE_TEST(table, columns)
    SUITE_TEST(table, formats_and_parts_agree)
    SUITE_TEST(table, bad_text_is_named_with_its_place)
    SUITE_TEST(table, bad_files)
    SUITE_TEST(table, binary_that_is_cut_short_or_not_finite)
    SUITE_TEST(table, bad_descs)
    SUITE_TEST(table, failures_of_others)
    SUITE_TEST(table, a_fit_from_a_file_is_that_of_its_rows)
    SUITE_TEST(table, beyond_the_buffer)
SUITE_END(table)
