/* data: views of rows, the check that names the offending row and column, and a view as a source of blocks */
#include "../test.h"

enum { DATA_N = 5, DATA_D = 2, DATA_LD = 3 };

/* Everything present, valid, and different from row to row; one column of padding that must never be looked at. */
typedef struct data_columns {
    double X[DATA_N*DATA_LD], y[DATA_N], weight[DATA_N], noise_var[DATA_N], offset[DATA_N], trials[DATA_N];
} data_columns;

static bln_data data_full(data_columns *c)
{
    bln_data data;
    memset(&data, 0, sizeof data);
    for (size_t i = 0; i < DATA_N; i++) {
        for (size_t j = 0; j < DATA_LD; j++) c->X[i*DATA_LD + j] = j < DATA_D ? (double)(10*i + j) : (double)NAN;
        c->y[i] = 100.0 + (double)i;
        c->weight[i] = (double)i;                   /* weight 0 is valid */
        c->noise_var[i] = 0.5 + (double)i;
        c->offset[i] = -(double)i;
        c->trials[i] = 2.0*(double)i;
    }
    data.n = DATA_N;
    data.d = DATA_D;
    data.X = c->X;
    data.ldx = DATA_LD;
    data.y = c->y;
    data.weight = c->weight;
    data.noise_var = c->noise_var;
    data.offset = c->offset;
    data.trials = c->trials;
    return data;
}

TEST(data, rows_move_every_column)
{
    data_columns c;
    const bln_data data = data_full(&c), rows = bln_data_rows(&data, 2, 3);
    CHECK_SIZE(rows.n, 3);
    CHECK_SIZE(rows.d, DATA_D);
    CHECK_SIZE(rows.ldx, DATA_LD);
    CHECK(rows.X == c.X + 2*DATA_LD && rows.y == c.y + 2 && rows.weight == c.weight + 2);
    CHECK(rows.noise_var == c.noise_var + 2 && rows.offset == c.offset + 2 && rows.trials == c.trials + 2);

    bln_data bare;
    memset(&bare, 0, sizeof bare);
    bare.n = 5;
    bare.y = c.y;
    const bln_data part = bln_data_rows(&bare, 3, 2);
    CHECK(!part.X && !part.weight && !part.noise_var && !part.offset && !part.trials && part.y == c.y + 3);

    bare.d = 3;
    bare.X = c.X;                                   /* ldx = 0 means d */
    CHECK(bln_data_rows(&bare, 2, 1).X == c.X + 6);
}

TEST(data, good_data_pass)
{
    data_columns c;
    bln_data data = data_full(&c), empty;
    memset(&empty, 0, sizeof empty);
    CHECK_OK(bln_data_check(&data, 1, NULL));
    CHECK_OK(bln_data_check(&empty, 1, NULL));
    c.y[1] = (double)NAN;                           /* y does not matter to a prediction */
    CHECK_OK(bln_data_check(&data, 0, NULL));
    data.y = NULL;
    CHECK_OK(bln_data_check(&data, 0, NULL));
    data = data_full(&c);
    data.d = 0;                                     /* only a target: X may be missing, with or without a stride */
    data.X = NULL;
    CHECK_OK(bln_data_check(&data, 1, NULL));
    data.ldx = 0;
    CHECK_OK(bln_data_check(&data, 1, NULL));
}

TEST(data, missing_pointers_and_short_strides_are_refused)
{
    data_columns c;
    bln_report r;
    bln_data data = data_full(&c);
    CHECK_STATUS(bln_data_check(NULL, 1, &r), BLN_EINVAL);
    data.X = NULL;
    CHECK_STATUS(bln_data_check(&data, 1, &r), BLN_EINVAL);
    CHECK_TEXT(r.text, "X is NULL");
    data = data_full(&c);
    data.y = NULL;
    CHECK_STATUS(bln_data_check(&data, 1, &r), BLN_EINVAL);
    CHECK_TEXT(r.text, "y is NULL");
    data = data_full(&c);
    data.ldx = DATA_D - 1;
    CHECK_STATUS(bln_data_check(&data, 1, &r), BLN_EINVAL);
    CHECK_TEXT(r.text, "stride");
    for (int which = 0; which < 2; which++) {
        data = data_full(&c);
        data.p = 2;
        data.ldy = data.ldoffset = 2;
        *(which ? &data.ldoffset : &data.ldy) = 1;
        CHECK_STATUS(bln_data_check(&data, 1, &r), BLN_EINVAL);
        CHECK_TEXT(r.text, "stride of y or of offset");
    }
}

static void data_expect(const bln_data *data, bln_status want, size_t row, size_t column, const char *text)
{
    bln_report r;
    bln_report_clear(&r);
    CHECK_STATUS(bln_data_check(data, 1, &r), want);
    CHECK_SIZE(r.row, row);
    CHECK_SIZE(r.column, column);
    CHECK_TEXT(r.text, text);
    CHECK_STATUS(bln_data_check(data, 1, NULL), want);
}

TEST(data, bad_numbers_are_named_by_row_and_column)
{
    /* not static: tcc's NAN is no constant */
    const double not_finite[3] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    data_columns c;
    bln_data data;
    for (size_t k = 0; k < 3; k++) {
        const double bad = not_finite[k];
        data = data_full(&c); c.X[3*DATA_LD + 1] = bad; data_expect(&data, BLN_EDATA, 3, 1, "X is NaN or infinite, row 3, col");
        data = data_full(&c); c.X[0] = bad;             data_expect(&data, BLN_EDATA, 0, 0, "row 0, column 0");
        data = data_full(&c); c.y[4] = bad;             data_expect(&data, BLN_EDATA, 4, DATA_D, "y is NaN or infinite, row 4");
        data = data_full(&c); c.offset[2] = bad;        data_expect(&data, BLN_EDATA, 2, BLN_NONE, "offset");
        data = data_full(&c); c.weight[2] = bad;        data_expect(&data, BLN_EDOMAIN, 2, BLN_NONE, "weight");
        data = data_full(&c); c.noise_var[2] = bad;     data_expect(&data, BLN_EDOMAIN, 2, BLN_NONE, "noise variance");
        data = data_full(&c); c.trials[2] = bad;        data_expect(&data, BLN_EDOMAIN, 2, BLN_NONE, "trials");
    }
    data = data_full(&c); c.weight[1] = -0.5;           data_expect(&data, BLN_EDOMAIN, 1, BLN_NONE, "weight must be finite");
    data = data_full(&c); c.noise_var[1] = 0.0;         data_expect(&data, BLN_EDOMAIN, 1, BLN_NONE, "finite and > 0");
    data = data_full(&c); c.trials[1] = -1.0;           data_expect(&data, BLN_EDOMAIN, 1, BLN_NONE, "trials");
    /* the first row that is bad */
    data = data_full(&c); c.X[4*DATA_LD] = c.y[1] = (double)NAN; data_expect(&data, BLN_EDATA, 1, DATA_D, "row 1");
}

TEST(data, a_block_counts_rows_of_the_whole)
{
    data_columns c;
    bln_report r;
    const bln_data data = data_full(&c);
    c.y[2] = (double)NAN;
    CHECK_STATUS(blni_data_check_from(&data, 1, 1000, &r), BLN_EDATA);
    CHECK_SIZE(r.row, 1002);
}

TEST(data, a_source_yields_every_row_once_in_every_pass)
{
    data_columns c;
    bln_data_reader state;
    const bln_data data = data_full(&c);
    const bln_source source = bln_source_of(&data, &state);
    CHECK_SIZE(source.d, DATA_D);
    for (size_t max_rows = 1; max_rows <= DATA_N + 1; max_rows++)
        for (int pass = 0; pass < 2; pass++) {
            size_t rows = 0;
            CHECK_OK(source.reset(source.user, NULL));
            for (;;) {
                bln_data block;
                CHECK_OK(source.next(source.user, max_rows, &block, NULL));
                if (block.n == 0 || rows > DATA_N) break;
                CHECK(block.n <= max_rows && block.d == DATA_D);
                for (size_t i = 0; i < block.n; i++) {
                    CHECK(block.y[i] == c.y[rows + i]);
                    CHECK(block.X[i*block.ldx + 1] == c.X[(rows + i)*DATA_LD + 1]);
                }
                rows += block.n;
            }
            CHECK_SIZE(rows, DATA_N);
            bln_data again;
            CHECK_OK(source.next(source.user, max_rows, &again, NULL));       /* the end stays the end */
            CHECK_SIZE(again.n, 0);
        }
}

SUITE_BEGIN(data)
    SUITE_TEST(data, rows_move_every_column)
    SUITE_TEST(data, good_data_pass)
    SUITE_TEST(data, missing_pointers_and_short_strides_are_refused)
    SUITE_TEST(data, bad_numbers_are_named_by_row_and_column)
    SUITE_TEST(data, a_block_counts_rows_of_the_whole)
    SUITE_TEST(data, a_source_yields_every_row_once_in_every_pass)
SUITE_END(data)
