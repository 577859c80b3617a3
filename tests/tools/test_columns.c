/* test_columns: what the tool makes of columns
 *
 * Kinds of columns, indicators, words, columns with a role, and the columns of a SPEC; damaged column sections. */
#include "csv_tools.h"

/* All rows of a table, and all its columns but the last, which is the target. */
typedef struct csv_all { csv_table t; size_t rows[16], used[16]; cli_columns c; } csv_all;

static const char *const csv_no_roles[ROLE_COUNT] = { NULL, NULL, NULL }, *const csv_y = "y";

static int csv_learn(const char *text, csv_all *a, cli_why *why)
{
    memset(a, 0, sizeof *a);
    if (!csv_test_good(text, &a->t)) return CLI_USAGE;
    for (size_t i = 0; i < 16; i++) a->rows[i] = a->used[i] = i;
    const size_t inputs = a->t.n_columns - 1;
    const char *target = a->t.names[inputs].text;
    const int status = columns_learn(&a->t, 1, &target, 0, csv_no_roles, NULL, inputs, a->used, a->t.n_rows, a->rows, a->t.n_rows,
          a->rows, &a->c, why);
    if (status) csv_free(&a->t);
    return status;
}

static void csv_forget(csv_all *a)
{
    columns_free(&a->c);
    csv_free(&a->t);
}

static void csv_learn_bad(const char *text, const char *message, int line)
{
    csv_all a;
    cli_why why;
    test_checks++;
    if (csv_learn(text, &a, &why) == CLI_GOOD) { test_fail(__FILE__, line, "accepted"); csv_forget(&a); }
    else if (strcmp(why.text, message)) {
        printf("    got  %s\n    want %s\n", why.text, message);
        test_fail(__FILE__, line, "another message");
    }
}
#define CSV_LEARN_BAD(text, message) csv_learn_bad((text), (message), __LINE__)

static const char csv_paint[] = "size,colour,x,y\n1,red,0.5,10\n2,blue,1.5,20\n3,red,2.5,30\n4,green,3.5,40\n";

TEST(columns, words_become_indicators)
{
    static const double X[] = { 1, 0, 0, 1, 0.5,   2, 1, 0, 0, 1.5,   3, 0, 0, 1, 2.5,   4, 0, 1, 0, 3.5 };
    static const char *const names[] = { "size", "colour=blue", "colour=green", "colour=red", "x" };
    double got[20], y[4];
    size_t at[4 + COLUMNS_OTHERS];
    csv_all a;
    cli_why why;
    CHECK(csv_learn(csv_paint, &a, &why) == CLI_GOOD);
    CHECK_SIZE(a.c.n, 3);
    CHECK_SIZE(a.c.d, 5);
    for (size_t j = 0; j < 5; j++) CHECK(!strcmp(a.c.inputs[j], names[j]));
    CHECK(columns_find(&a.c, &a.t, COLUMNS_SCORE, NULL, at, &why) == CLI_GOOD);
    CHECK(columns_encode(&a.c, &a.t, at, 4, a.rows, 0, got, y, &why) == CLI_GOOD);
    for (size_t k = 0; k < 20; k++) CHECK_NEAR(got[k], X[k], 0.0);
    for (size_t i = 0; i < 4; i++) CHECK_NEAR(y[i], 10.0*(double)(i + 1), 0.0);
    csv_forget(&a);
}

TEST(columns, are_found_by_name_in_any_order)
{
    double x[5];
    size_t at[4 + COLUMNS_OTHERS];
    csv_all a;
    csv_table t;
    cli_why why;
    CHECK(csv_learn(csv_paint, &a, &why) == CLI_GOOD);
    if (csv_test_good("extra,x,colour,size\nwords,7,green,9\n", &t)) {
        CHECK(columns_find(&a.c, &t, COLUMNS_PREDICT, NULL, at, &why) == CLI_GOOD);
        CHECK(columns_encode(&a.c, &t, at, 1, a.rows, 0, x, NULL, &why) == CLI_GOOD);
        CHECK(x[0] == 9.0 && x[1] == 0.0 && x[2] == 1.0 && x[3] == 0.0 && x[4] == 7.0);
        CHECK(columns_find(&a.c, &t, COLUMNS_SCORE, NULL, at, &why) == CLI_FAILED);
        CHECK(!strcmp(why.text, "t.csv: no column \"y\", which the model needs as its target"));
        csv_free(&t);
    }
    if (csv_test_good("size,colour\n1,red\n", &t)) {
        CHECK(columns_find(&a.c, &t, COLUMNS_PREDICT, NULL, at, &why) == CLI_FAILED);
        CHECK(!strcmp(why.text, "t.csv: no column \"x\", which the model needs"));
        csv_free(&t);
    }
    csv_forget(&a);
}

TEST(columns, new_rows_must_make_sense)
{
    static const struct { const char *row, *message; } bad[] = {
        { "1,pink,1\n", "t.csv:2:3: column \"colour\": \"pink\" is no word of the training rows (--unseen zero" },
        { "one,red,1\n", "t.csv:2:1: column \"size\": \"one\" is not a number" },
        { "1,red,1e400\n", "t.csv:2:7: column \"x\": \"1e400\" is too large for a number" },
        { "1,red,NA\n", "t.csv:2:7: column \"x\": \"NA\" is a missing value" },
        { "1,,1\n", "t.csv:2:3: column \"colour\": \"\" is a missing value" }
    };
    double x[5];
    size_t at[4 + COLUMNS_OTHERS];
    csv_all a;
    csv_table t;
    cli_why why;
    char text[100];
    CHECK(csv_learn(csv_paint, &a, &why) == CLI_GOOD);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        sprintf(text, "size,colour,x\n%s", bad[k].row);
        if (!csv_test_good(text, &t)) continue;
        CHECK(columns_find(&a.c, &t, COLUMNS_PREDICT, NULL, at, &why) == CLI_GOOD);
        CHECK(columns_encode(&a.c, &t, at, 1, a.rows, 0, x, NULL, &why) == CLI_FAILED);
        CHECK_TEXT(why.text, bad[k].message);
        if (k == 0) {
            CHECK(columns_encode(&a.c, &t, at, 1, a.rows, 1, x, NULL, &why) == CLI_GOOD);
            CHECK(x[0] == 1.0 && x[1] == 0.0 && x[2] == 0.0 && x[3] == 0.0 && x[4] == 1.0);
        }
        csv_free(&t);
    }
    csv_forget(&a);
}

TEST(columns, a_stray_word_is_a_mistake)
{
    csv_all a;
    cli_why why;
    CSV_LEARN_BAD("a,y\n1,1\nx,2\n3,3\n", "t.csv:3:1: column \"a\": \"x\" is not a number (2 of 3 cells are)");
    CSV_LEARN_BAD("a,y\n1,1\nx,2\n", "t.csv:3:1: column \"a\": \"x\" is not a number (1 of 2 cells are)");      /* just half */
    CSV_LEARN_BAD("a,y\n1,1\n2,low\n3,3\n", "t.csv:3:3: column \"y\": \"low\" is not a number (2 of 3 cells are)");
    CSV_LEARN_BAD("a,y\n1,low\n2,high\n", "t.csv:2:3: column \"y\": \"low\" is not a number (0 of 2 cells are); words are a "
                                          "target of --likelihood bernoulli (two of them) or categorical. For --likelihood "
                                          "ordinal write them into the table as 0, 1, 2, ..., from the lowest to the highest: "
                                          "as words they have no order");
    CSV_LEARN_BAD("a,y\n1e999,1\n", "t.csv:2:1: column \"a\": \"1e999\" is too large for a number");
    CSV_LEARN_BAD("a,y\nNA,1\n,2\n", "t.csv: column \"a\" has no values");
    CHECK(csv_learn("a,y\n1,1\nx,2\nz,3\nNA,4\n", &a, &why) == CLI_GOOD);             /* fewer than half: words, "1" too */
    CHECK_SIZE(a.c.d, 3);
    CHECK(!strcmp(a.c.inputs[0], "a=1") && !strcmp(a.c.inputs[2], "a=z"));
    csv_forget(&a);
}

TEST(columns, a_name_for_each_row_is_refused)
{
    char *text = (char *)malloc(20000), *p = text;
    size_t rows[1100], used = 0;
    csv_table t;
    cli_columns c;
    cli_why why;
    if (!text) exit(2);
    p += sprintf(p, "id,y\n");
    for (int i = 0; i < 1100; i++) { p += sprintf(p, "k%d,%d\n", i, i); rows[i] = (size_t)i; }
    if (csv_test_good(text, &t)) {
        CHECK(columns_learn(&t, 1, &csv_y, 0, csv_no_roles, NULL, 1, &used, 1100, rows, 1100, rows, &c, &why) == CLI_FAILED);
        CHECK_TEXT(why.text, "column \"id\" holds more than 1000 different words");
        CHECK(columns_learn(&t, 1, &csv_y, 0, csv_no_roles, NULL, 1, &used, COLUMNS_WORDS, rows, COLUMNS_WORDS, rows, &c,
              &why) == CLI_GOOD);
        CHECK_SIZE(c.d, COLUMNS_WORDS);
        columns_free(&c);
        csv_free(&t);
    }
    free(text);
}

TEST(columns, of_a_spec_become_numbers)
{
    static const struct { const char *spec, *want; } good[] = {
        { "rbf", "rbf" }, { "", "" }, { "rbf:n=4,ard+linear", "rbf:n=4,ard+linear" },
        { "linear:cols=x", "linear:cols=4" }, { "rbf:cols=colour;size,n=3+linear:cols=0", "rbf:cols=1;2;3;0,n=3+linear:cols=0" },
        { "linear: cols = colour=red ; x +bias", "linear: cols =3;4+bias" }, { "linear:cols=1", "linear:cols=1;2;3" },
        { "linear:cols=2", "linear:cols=4" }, { "cols=x", "cols=x" }, { "linear:mycols=x", "linear:mycols=x" }
    };
    static const struct { const char *spec, *message; } bad[] = {
        { "linear:cols=y", "--basis: cols=: no input column \"y\"" }, { "linear:cols=", "--basis: cols=: no input column \"\"" },
        { "linear:cols=x;", "--basis: cols=: no input column \"\"" }, { "linear:cols=3", "--basis: cols=: no input column \"3\"" },
        { "linear:cols=99999999999999999999999", "--basis: cols=: no input column \"99999999999999999999999\"" },
        { "linear:cols=-1", "--basis: cols=: no input column \"-1\"" }
    };
    csv_all a;
    cli_why why;
    char *text;
    CHECK(csv_learn(csv_paint, &a, &why) == CLI_GOOD);
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        CHECK(terms_resolve(good[k].spec, &a.c, NULL, &text, &why) == CLI_GOOD);
        if (strcmp(text, good[k].want)) printf("    %s -> %s\n", good[k].spec, text);
        CHECK(!strcmp(text, good[k].want));
        free(text);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        CHECK(terms_resolve(bad[k].spec, &a.c, NULL, &text, &why) == CLI_FAILED);
        CHECK(!strcmp(why.text, bad[k].message));
    }
    csv_forget(&a);
}

/* Weights w, noise variances v and offset o. */
static const char *const csv_roles[ROLE_COUNT] = { "w", "v", "o" };

TEST(columns, with_a_role_are_no_inputs)
{
    static const size_t rows[] = { 1, 0 };
    const size_t x = 0;
    size_t at[2 + COLUMNS_OTHERS] = { 0, 4, 1, 2, 3, COLUMNS_NOWHERE, COLUMNS_NOWHERE };
    csv_table t, other;
    cli_columns c;
    cli_rows r;
    cli_why why;
    if (!csv_test_good("x,w,v,o,y\n1,0,0.5,-7,10\n2,3,4,8,20\n", &t)) return;
    CHECK(columns_learn(&t, 1, &csv_y, 0, csv_roles, NULL, 1, &x, 2, rows, 2, rows, &c, &why) == CLI_GOOD);
    CHECK(c.n == 1 && c.d == 1);
    CHECK(rows_read(&c, &t, at, 2, rows, 0, &r, &why) == CLI_GOOD);
    CHECK(r.data.n == 2 && r.data.d == 1 && r.data.X[0] == 2.0 && r.data.X[1] == 1.0 && r.data.y[0] == 20.0 && r.data.y[1] == 10.0);
    CHECK(r.data.weight[0] == 3.0 && r.data.weight[1] == 0.0 && r.data.noise_var[0] == 4.0 && r.data.noise_var[1] == 0.5);
    CHECK(r.data.offset[0] == 8.0 && r.data.offset[1] == -7.0 && !r.data.trials);
    rows_free(&r);

    CHECK(columns_find(&c, &t, COLUMNS_PREDICT, NULL, at, &why) == CLI_GOOD);          /* weights are not wanted, nor the target */
    CHECK(at[0] == 0 && at[1] == COLUMNS_NOWHERE && at[2] == COLUMNS_NOWHERE && at[3] == 2 && at[4] == 3);
    if (csv_test_good("o,y,x\n5,6,7\n", &other)) {
        CHECK(columns_find(&c, &other, COLUMNS_SCORE, NULL, at, &why) == CLI_GOOD);
        CHECK(at[0] == 2 && at[1] == 1 && at[2] == COLUMNS_NOWHERE && at[3] == COLUMNS_NOWHERE && at[4] == 0);
        CHECK(rows_read(&c, &other, at, 1, rows + 1, 0, &r, &why) == CLI_GOOD);
        CHECK(r.data.X[0] == 7.0 && r.data.y[0] == 6.0 && r.data.offset[0] == 5.0 && !r.data.weight && !r.data.noise_var);
        rows_free(&r);
        csv_free(&other);
    }
    if (csv_test_good("w,y,x\n5,6,7\n", &other)) {
        CHECK(columns_find(&c, &other, COLUMNS_SCORE, NULL, at, &why) == CLI_FAILED);
        CHECK(!strcmp(why.text, "t.csv: no column \"o\", which the model needs as its offset"));
        csv_free(&other);
    }
    columns_free(&c);
    csv_free(&t);
}

TEST(columns, with_a_role_have_domains)
{
    static const struct { const char *cell; cli_role role; const char *message; } cases[] = {
        { "0",      ROLE_WEIGHTS,   NULL },
        { "-1e-9",  ROLE_WEIGHTS,   "t.csv:2:1: column \"a\": \"-1e-9\" is no weight: it must be 0 or more" },
        { "1e-9",   ROLE_NOISE_VAR, NULL },
        { "0",      ROLE_NOISE_VAR, "t.csv:2:1: column \"a\": \"0\" is no noise variance: it must be more than 0" },
        { "1e-400", ROLE_NOISE_VAR, "t.csv:2:1: column \"a\": \"1e-400\" is no noise variance: it must be more than 0" },
        { "-3",     ROLE_NOISE_VAR, "t.csv:2:1: column \"a\": \"-3\" is no noise variance: it must be more than 0" },
        { "-3",     ROLE_OFFSET,    NULL },
        { "0",      ROLE_TRIALS,    NULL },
        { "-3",     ROLE_TRIALS,    "t.csv:2:1: column \"a\": \"-3\" is no number of trials: it must be 0 or more" },
        { "three",  ROLE_OFFSET,    "t.csv:2:1: column \"a\": \"three\" is not a number" },
        { "inf",    ROLE_WEIGHTS,   "t.csv:2:1: column \"a\": \"inf\" is infinite, which no model can take" }
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[40];
        role_place place;
        place.first = 0;
        place.second = COLUMNS_NOWHERE;
        place.function = 0;
        double v = 0.0;
        csv_table t;
        cli_why why;
        sprintf(text, "a\n%s\n", cases[k].cell);
        if (!csv_test_good(text, &t)) continue;
        const int status = role_value(&t, cases[k].role, &place, 0, &v, &why);
        CHECK(status == (cases[k].message ? CLI_FAILED : CLI_GOOD));
        CHECK(cases[k].message ? !strcmp(why.text, cases[k].message) : v == strtod(cases[k].cell, NULL));
        csv_free(&t);
    }
}

/* An input and a target, and no other column; what is kept of their classes, as bytes and back. */
static const size_t csv_x, csv_two_columns[2 + COLUMNS_OTHERS] = { 0, 1, COLUMNS_NOWHERE, COLUMNS_NOWHERE, COLUMNS_NOWHERE,
                                                                  COLUMNS_NOWHERE, COLUMNS_NOWHERE };
static const size_t csv_three_rows[] = { 0, 1, 2 };
enum { CSV_CLASSES_ROOM = 100 };

static size_t csv_save_classes(const cli_columns *c, unsigned char *bytes)
{
    bln_memory_stream stream;
    bln_writer w = bln_memory_writer(&stream, bytes, CSV_CLASSES_ROOM);
    columns_save_classes(c, &w);
    CHECK_OK(w.status);
    return (size_t)w.count;
}

static bln_status csv_load_classes(const unsigned char *bytes, size_t n, cli_columns *back)
{
    bln_memory_stream stream;
    bln_report report;
    memset(back, 0, sizeof *back);
    bln_reader reader = bln_memory_reader(&stream, bytes, n, &report);
    return columns_load_classes(&reader, back);
}

/* A target of two words is 0 and 1, in the order of their bytes; other numbers of words are none; classes and trials are saved. */
TEST(columns, of_two_words_are_classes)
{
    static const char *const more[] = { "x,y\n1,u\n2,u\n", "x,y\n1,u\n2,v\n3,w\n" };
    unsigned char bytes[CSV_CLASSES_ROOM];
    csv_table t;
    cli_columns c, back;
    cli_rows r;
    cli_why why;
    if (!csv_test_good("x,y\n1,well\n2,ill\n3,well\n", &t)) return;
    CHECK(columns_learn(&t, 1, &csv_y, 0, csv_no_roles, NULL, 1, &csv_x, 3, csv_three_rows, 3, csv_three_rows, &c,
                        &why) == CLI_FAILED);
    CHECK_TEXT(why.text, "\"well\" is not a number");
    CHECK(columns_learn(&t, 1, &csv_y, COLUMNS_TWO, csv_no_roles, NULL, 1, &csv_x, 3, csv_three_rows, 3, csv_three_rows, &c,
                        &why) == CLI_GOOD);
    CHECK(!strcmp(c.classes[0], "ill") && !strcmp(c.classes[1], "well"));
    CHECK(rows_read(&c, &t, csv_two_columns, 3, csv_three_rows, 0, &r, &why) == CLI_GOOD);
    CHECK(r.data.y[0] == 1.0 && r.data.y[1] == 0.0 && r.data.y[2] == 1.0);
    rows_free(&r);
    csv_free(&t);
    c.role[ROLE_TRIALS] = cli_copy("n");
    const size_t n = csv_save_classes(&c, bytes);
    for (size_t cut = 0; cut <= n; cut++) {
        CHECK_STATUS(csv_load_classes(bytes, cut, &back), cut < n ? BLN_EFORMAT : BLN_OK);
        if (cut == n) {
            CHECK(!strcmp(back.classes[0], "ill") && !strcmp(back.classes[1], "well"));
            CHECK(!strcmp(back.role[ROLE_TRIALS], "n"));
        }
        columns_free(&back);
    }
    if (csv_test_good("x,y\n1,sick\n", &t)) {
        CHECK(rows_read(&c, &t, csv_two_columns, 1, csv_three_rows, 0, &r, &why) == CLI_FAILED);
        CHECK(!strcmp(why.text, "t.csv:2:3: column \"y\": \"sick\" is none of the two classes of the training rows"));
        rows_free(&r);
        csv_free(&t);
    }
    columns_free(&c);
    for (size_t k = 0; k < 2; k++) {
        if (!csv_test_good(more[k], &t)) continue;
        CHECK(columns_learn(&t, 1, &csv_y, COLUMNS_TWO, csv_no_roles, NULL, 1, &csv_x, 2 + k, csv_three_rows, 2 + k,
                            csv_three_rows, &c,
              &why) == CLI_FAILED);
        CHECK_TEXT(why.text, k ? "has 3 words" : "has 1 word:");
        csv_free(&t);
    }
}

/* So are two numbers, the larger 1, whatever their texts; 0 and 1 are themselves, alone too; others alone are refused, and more
 * than two are not classes. They are kept as texts that read back as the same numbers. */
TEST(columns, of_two_numbers_are_classes)
{
    static const struct { const char *text, *low, *high, *message; double y[3]; } cases[] = {
        { "x,y\n1,2\n2,1\n3,2.0\n",     "1",   "2",    NULL, { 1, 0, 1 } },
        { "x,y\n1,+1\n2,-1\n3,1\n",     "-1",  "1",    NULL, { 1, 0, 1 } },
        { "x,y\n1,10\n2,9\n3,9\n",      "9",   "10",   NULL, { 1, 0, 0 } },
        { "x,y\n1,0.1\n2,3e-1\n3,.1\n", "0.1", "0.3",  NULL, { 0, 1, 0 } },
        { "x,y\n1,0\n2,1\n3,1\n",       NULL,  NULL,   NULL, { 0, 1, 1 } },
        { "x,y\n1,0\n2,-0\n3,0.0\n",    NULL,  NULL,   NULL, { 0, 0, 0 } },
        { "x,y\n1,1\n2,2\n3,3\n",       NULL,  NULL,   NULL, { 1, 2, 3 } },
        { "x,y\n1,2\n2,2\n3,2\n",       NULL,  NULL,   "the target \"y\" is 2 wherever it is: that is one class", { 0, 0, 0 } }
    };
    for (size_t k = 0; k < sizeof cases/sizeof *cases; k++) {
        unsigned char bytes[CSV_CLASSES_ROOM];
        csv_table t;
        cli_columns c, back;
        cli_rows r;
        cli_why why;
        if (!csv_test_good(cases[k].text, &t)) continue;
        const int status = columns_learn(&t, 1, &csv_y, COLUMNS_TWO, csv_no_roles, NULL, 1, &csv_x, 3, csv_three_rows, 3,
                                         csv_three_rows,
                                         &c, &why);
        CHECK(status == (cases[k].message ? CLI_FAILED : CLI_GOOD));
        if (status) CHECK_TEXT(why.text, cases[k].message);
        if (!status) {
            CHECK(rows_read(&c, &t, csv_two_columns, 3, csv_three_rows, 0, &r, &why) == CLI_GOOD);
            for (size_t i = 0; i < 3; i++) CHECK(r.data.y[i] == cases[k].y[i]);
            rows_free(&r);
            CHECK(c.n_classes == (cases[k].low ? 2u : 0u) && !c.class_value == !cases[k].low);
            const size_t n = csv_save_classes(&c, bytes);
            CHECK_STATUS(csv_load_classes(bytes, n, &back), BLN_OK);
            for (int i = 0; i < 2 && cases[k].low; i++)
                CHECK(!strcmp(back.classes[i], i ? cases[k].high : cases[k].low) && back.class_value[i] == c.class_value[i]);
            columns_free(&back);
            columns_free(&c);
        }
        csv_free(&t);
    }
}

/* Any number of classes, which all have names: words in the order of their bytes, numbers in their own. */
TEST(columns, of_many_classes)
{
    static const struct { const char *text, *names[3], *message; double y[4]; size_t most; } cases[] = {
        { "x,y\n1,rye\n2,oat\n3,wheat\n4,oat\n", { "oat", "rye", "wheat" }, NULL, { 1, 0, 2, 0 }, 64 },
        { "x,y\n1,10\n2,9\n3,-1\n4,9.0\n",       { "-1", "9", "10" },       NULL, { 2, 1, 0, 1 }, 64 },
        { "x,y\n1,0\n2,1\n3,2\n4,0\n",           { "0", "1", "2" },         NULL, { 0, 1, 2, 0 }, 3 },
        { "x,y\n1,0\n2,1\n3,2\n4,0.5\n",         { NULL }, "has 4 numbers, and there may be 3 classes at most", { 0 }, 3 },
        { "x,y\n1,a\n2,b\n3,c\n4,d\n",           { NULL }, "has 4 words, and there may be 3 classes at most", { 0 }, 3 },
        { "x,y\n1,7\n2,7\n3,7\n4,7\n",           { NULL }, "has 1 number: there is nothing to tell apart", { 0 }, 64 },
        { "x,y\n1,a\n2,a\n3,a\n4,a\n",           { NULL }, "has 1 word: there is nothing to tell apart", { 0 }, 64 }
    };
    static const size_t rows[4] = { 0, 1, 2, 3 };
    for (size_t k = 0; k < sizeof cases/sizeof *cases; k++) {
        unsigned char bytes[CSV_CLASSES_ROOM];
        csv_table t;
        cli_columns c, back;
        cli_rows r;
        cli_why why;
        if (!csv_test_good(cases[k].text, &t)) continue;
        const int status = columns_learn(&t, 1, &csv_y, cases[k].most, csv_no_roles, NULL, 1, &csv_x, 4, rows, 4, rows, &c, &why);
        CHECK(status == (cases[k].message ? CLI_FAILED : CLI_GOOD));
        if (status) CHECK_TEXT(why.text, cases[k].message);
        else {
            CHECK(rows_read(&c, &t, csv_two_columns, 4, rows, 0, &r, &why) == CLI_GOOD);
            for (size_t i = 0; i < 4; i++) CHECK(r.data.y[i] == cases[k].y[i]);
            rows_free(&r);
            const size_t n = csv_save_classes(&c, bytes);
            for (size_t cut = 0; cut <= n; cut++) {
                CHECK_STATUS(csv_load_classes(bytes, cut, &back), cut < n ? BLN_EFORMAT : BLN_OK);
                for (size_t i = 0; i < 3 && cut == n; i++) CHECK(!strcmp(back.classes[i], cases[k].names[i]));
                columns_free(&back);
            }
            columns_free(&c);
        }
        csv_free(&t);
    }
}

/* Numbers out of order, and words that claim to be numbers, come from no fit. */
TEST(columns, classes_from_no_fit)
{
    static const char *const texts[][2] = { { "2", "1" }, { "1", "1.0" }, { "a", "b" }, { "1", "nan" } };
    for (size_t k = 0; k < sizeof texts/sizeof *texts; k++) {
        unsigned char bytes[CSV_CLASSES_ROOM];
        bln_memory_stream stream;
        cli_columns back;
        bln_writer w = bln_memory_writer(&stream, bytes, sizeof bytes);
        bln_put_string(&w, "");
        bln_put_u32(&w, 2);
        bln_put_u32(&w, 2);
        for (int i = 0; i < 2; i++) bln_put_string(&w, texts[k][i]);
        CHECK_STATUS(csv_load_classes(bytes, (size_t)w.count, &back), BLN_EFORMAT);
        columns_free(&back);
    }
}

TEST(columns, with_a_role_survive_saving)
{
    static char weights[] = "w", offset[] = "o, and more";
    unsigned char bytes[100];
    bln_memory_stream stream;
    bln_report report;
    cli_columns c, back;
    memset(&c, 0, sizeof c);
    c.role[ROLE_WEIGHTS] = weights;
    c.role[ROLE_OFFSET] = offset;
    bln_writer w = bln_memory_writer(&stream, bytes, sizeof bytes);
    columns_save_roles(&c, &w);
    CHECK_OK(w.status);
    const size_t n = (size_t)w.count;
    for (size_t cut = 0; cut <= n; cut++) {
        memset(&back, 0, sizeof back);
        bln_reader r = bln_memory_reader(&stream, bytes, cut, &report);
        CHECK_STATUS(columns_load_roles(&r, &back), cut < n ? BLN_EFORMAT : BLN_OK);
        if (cut == n) {
            CHECK(!strcmp(back.role[ROLE_WEIGHTS], weights) && !strcmp(back.role[ROLE_OFFSET], offset));
            CHECK(back.role[ROLE_NOISE_VAR] == NULL);
        }
        columns_free(&back);
    }
}

/* Several targets: each row's side by side, before the roles; names of those behind the first in a part of their own. */
TEST(columns, with_several_targets)
{
    static const char *const targets[3] = { "q", "y", "p" };
    static const double want[6] = { 40, 60, 10, 4, 6, 1 };
    static const size_t rows[] = { 1, 0 };
    const size_t x = 1;
    unsigned char bytes[100];
    size_t at[4 + COLUMNS_OTHERS];
    bln_memory_stream stream;
    bln_report report;
    csv_table t, other;
    cli_columns c, back;
    cli_rows r;
    cli_why why;
    if (!csv_test_good("p,x,w,q,v,y,o\n1,2,3,4,5,6,7\n10,20,30,40,50,60,70\n", &t)) return;
    CHECK(columns_learn(&t, 3, targets, 0, csv_roles, NULL, 1, &x, 2, rows, 2, rows, &c, &why) == CLI_GOOD);
    CHECK_SIZE(columns_places(&c), 4 + COLUMNS_OTHERS);
    CHECK(columns_find(&c, &t, COLUMNS_LEAVE_OUT, NULL, at, &why) == CLI_GOOD);
    CHECK(at[0] == 1 && at[1] == 3 && at[2] == 5 && at[3] == 0 && at[4] == 2 && at[5] == 4 && at[6] == 6);
    CHECK(at[4 + COLUMNS_GROUP] == COLUMNS_NOWHERE);
    CHECK(rows_read(&c, &t, at, 2, rows, 0, &r, &why) == CLI_GOOD);
    CHECK(r.data.p == 3 && !memcmp(r.data.y, want, sizeof want) && r.data.X[0] == 20.0 && r.data.X[1] == 2.0);
    CHECK(r.data.weight[0] == 30.0 && r.data.noise_var[1] == 5.0 && r.data.offset[1] == 7.0);
    rows_free(&r);
    if (csv_test_good("p,x,q,o\n1,2,3,4\n", &other)) {
        const size_t first = 0;
        CHECK(columns_find(&c, &other, COLUMNS_PREDICT, NULL, at, &why) == CLI_GOOD);
        CHECK(at[0] == 1 && at[1] == COLUMNS_NOWHERE && at[3] == COLUMNS_NOWHERE && at[6] == 3);
        CHECK(rows_read(&c, &other, at, 1, &first, 0, &r, &why) == CLI_GOOD);
        CHECK(!r.data.y && r.data.offset[0] == 4.0);
        rows_free(&r);
        CHECK(columns_find(&c, &other, COLUMNS_SCORE, NULL, at, &why) == CLI_FAILED);
        CHECK(!strcmp(why.text, "t.csv: no column \"y\", which the model needs as its target"));
        csv_free(&other);
    }
    bln_writer w = bln_memory_writer(&stream, bytes, sizeof bytes);
    columns_save_targets(&c, &w);
    CHECK_OK(w.status);
    const size_t n = (size_t)w.count;
    for (size_t cut = 0; cut <= n; cut++) {
        memset(&back, 0, sizeof back);
        back.n_targets = 1;
        back.targets = (char **)cli_memory(1, sizeof *back.targets);
        back.targets[0] = cli_copy("q");
        bln_reader from = bln_memory_reader(&stream, bytes, cut, &report);
        CHECK_STATUS(columns_load_targets(&from, &back), cut < n ? BLN_EFORMAT : BLN_OK);
        if (cut == n) CHECK(back.n_targets == 3 && !strcmp(back.targets[1], "y") && !strcmp(back.targets[2], "p"));
        columns_free(&back);
    }
    columns_free(&c);
    csv_free(&t);
}

TEST(columns, survive_saving)
{
    unsigned char bytes[400];
    bln_memory_stream stream;
    bln_report report;
    csv_all a;
    cli_why why;
    cli_columns back;
    CHECK(csv_learn(csv_paint, &a, &why) == CLI_GOOD);
    bln_writer w = bln_memory_writer(&stream, bytes, sizeof bytes);
    columns_save(&a.c, &w);
    CHECK_OK(w.status);
    const size_t n = (size_t)w.count;

    bln_reader r = bln_memory_reader(&stream, bytes, n, &report);
    CHECK_OK(columns_load(&r, &back));
    CHECK(back.n == a.c.n && back.d == a.c.d && back.n_targets == 1 && !strcmp(back.targets[0], a.c.targets[0]));
    for (size_t j = 0; j < back.d; j++) CHECK(!strcmp(back.inputs[j], a.c.inputs[j]));
    CHECK(!back.column[0].words && back.column[1].n_words == 3);
    columns_free(&back);

    for (size_t cut = 0; cut < n; cut++) {                       /* every truncation is refused, and gives all memory back (ASan) */
        r = bln_memory_reader(&stream, bytes, cut, &report);
        CHECK_STATUS(columns_load(&r, &back), BLN_EFORMAT);
    }
    csv_forget(&a);
}

/* A comma where a number of another country has one; elsewhere it is no number at all. */
TEST(columns, commas_of_other_countries)
{
    static const char *const yes[] = { "3,14", "-0,5", " 1,5 ", "1,234.5", "1,234,567", "2,5e-3" };
    static const char *const no[] = { "3.14", "", "NA", "red", "1,5 kg", "a,b", ",", "1.2,3.4", "inf,1" };
    for (size_t k = 0; k < sizeof yes/sizeof *yes; k++) CHECK(number_has_comma(yes[k]));
    for (size_t k = 0; k < sizeof no/sizeof *no; k++) CHECK(!number_has_comma(no[k]));
}

TEST(columns, groups_by_text)
{
    static const size_t rows[4] = { 4, 0, 3, 1 };
    size_t group[4];
    csv_table t;
    if (!csv_test_good("g,y\nb,1\na,2\nc,3\n\"b\",4\n1.0,5\n", &t)) return;
    CHECK_SIZE(columns_groups(&t, 0, 4, rows, group), 3);
    CHECK(group[1] == group[2] && group[0] != group[1] && group[3] != group[1] && group[0] != group[3]);
    for (size_t i = 0; i < 4; i++) CHECK(group[i] < 3);
    csv_free(&t);
}

/* Each SPEC with its constants in a term of their own: what --integrate makes of it. always: where standardising took a mean off
 * the target. */
TEST(columns, constants_of_a_spec)
{
    static const struct { const char *spec; int always; const char *want; int constant; } cases[] = {
        { "linear", 0, "linear:ones=0+bias", 1 }, { "linear:ones=0", 0, "linear:ones=0", 0 },
        { "linear:ones=0", 1, "linear:ones=0+bias", 1 }, { "bias", 0, "bias", 1 }, { "rbf:n=3,ard", 0, "rbf:n=3,ard", 0 },
        { "rbf", 1, "rbf+bias", 1 }, { "bias+rbf:n=3+bias", 0, "rbf:n=3+bias", 1 },
        { "polynomial:degree=3,ones=1,cols=0;1", 0, "polynomial:ones=0,degree=3,cols=0;1+bias", 1 },
        { "legendre:ones,degree=2", 0, "legendre:ones=0,degree=2+bias", 1 },
        { " linear : ones = 0 , cols=0 + rbf", 0, " linear :ones=0, cols=0 + rbf", 0 }
    };
    for (size_t k = 0; k < sizeof cases/sizeof *cases; k++) {
        char *out = NULL;
        const int constant = terms_intercept_apart(cases[k].spec, cases[k].always, &out);
        CHECK(!constant == !cases[k].constant);
        if (strcmp(out, cases[k].want)) { printf("    \"%s\": \"%s\"\n", cases[k].spec, out); CHECK(0); }
        free(out);
    }
}

SUITE_BEGIN(columns)
SUITE_TEST(columns, words_become_indicators)
SUITE_TEST(columns, are_found_by_name_in_any_order)
SUITE_TEST(columns, new_rows_must_make_sense)
SUITE_TEST(columns, a_stray_word_is_a_mistake)
SUITE_TEST(columns, a_name_for_each_row_is_refused)
SUITE_TEST(columns, of_a_spec_become_numbers)
SUITE_TEST(columns, with_a_role_are_no_inputs)
SUITE_TEST(columns, with_a_role_have_domains)
SUITE_TEST(columns, of_two_words_are_classes)
SUITE_TEST(columns, of_two_numbers_are_classes)
SUITE_TEST(columns, of_many_classes)
SUITE_TEST(columns, classes_from_no_fit)
SUITE_TEST(columns, with_a_role_survive_saving)
SUITE_TEST(columns, with_several_targets)
SUITE_TEST(columns, survive_saving)
SUITE_TEST(columns, commas_of_other_countries)
SUITE_TEST(columns, groups_by_text)
SUITE_TEST(columns, constants_of_a_spec)
SUITE_END(columns)
