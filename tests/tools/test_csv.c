/* test_csv: the tool's CSV reader
 *
 * Texts that RFC 4180 allows or forbids, each with the cells or the message that a reader of the RFC would expect; numbers against
 * the grammar in number.h. */
#include "csv_tools.h"

/* In blocks, whatever the size of the buffer, the cells are those of the whole. */
TEST(csv, blocks_are_the_whole)
{
    static const char *const texts[] = {
        "a,b\n1,2\n3,4\n", "\n \na,b\r\n1,2\r\n\r\n3,4", "a,b\r1,2\r\r3,4\r",
        "\xEF\xBB\xBF\"a\nx\",b\n\"1\n2\",\"3\"\"\n,\"\n4,5 \"\n  \n", "a,b\n\"1\r\n2\" , 3\r\n4,5\n6,\"\"\n"
    };
    for (size_t k = 0; k < sizeof texts/sizeof *texts; k++)
        for (size_t room = 5; room < 40; room++) {
            csv_table t;
            csv_blocks b;
            cli_why why;
            size_t row = 0;
            if (!csv_test_good(texts[k], &t)) continue;
            const int opened = csv_test_blocks(texts[k], strlen(texts[k]), room, &b, &why);
            CHECK(opened == CLI_GOOD);
            if (opened) { printf("    %s\n", why.text); csv_free(&t); continue; }
            for (int pass = 0; pass < 2; pass++) {
                CHECK_SIZE(b.table.n_columns, t.n_columns);
                for (size_t j = 0; j < t.n_columns; j++) CHECK(!strcmp(b.table.names[j].text, t.names[j].text));
                for (row = 0;;) {
                    CHECK(csv_blocks_next(&b, &why) == CLI_GOOD);
                    if (b.table.n_rows == 0) break;
                    for (size_t i = 0; i < b.table.n_rows && row < t.n_rows; i++, row++)
                        for (size_t j = 0; j < t.n_columns; j++) {
                            const csv_cell *got = csv_at(&b.table, i, j), *want = csv_at(&t, row, j);
                            CHECK(!strcmp(got->text, want->text) && got->line == want->line && got->byte == want->byte);
                        }
                }
                CHECK_SIZE(row, t.n_rows);
                CHECK(csv_blocks_rewind(&b, &why) == CLI_GOOD);
            }
            csv_blocks_close(&b);
            csv_free(&t);
        }
}

/* What is refused, is so with the place in the file. */
TEST(csv, blocks_name_the_place)
{
    static const char zero[] = "a,b\n1,2\n3,4\n5,\0\n";
    static const struct { const char *text; size_t n; const char *why; } bad[] = {
        { "a,b\n1,2\n3,4\n5\n6,7\n", 0, "build/test_csv_blocks.csv:4:1: a row of 1 cell, where the header has 2" },
        { "a,b\n1,2\n3,4\n5,\"6\n7,8\n", 0, "build/test_csv_blocks.csv:4:3: this quote is never closed" },
        { "a,b\n1,2\n3,\"4\"x\n", 0, "build/test_csv_blocks.csv:3:6: text behind a closing quote" },
        { "a,a\n1,2\n", 0, "build/test_csv_blocks.csv:1:3: column 2 has the same name" },
        { "", 0, "build/test_csv_blocks.csv: empty file" }, { "\n \n", 0, "build/test_csv_blocks.csv: empty file" },
        { zero, sizeof zero - 1, "build/test_csv_blocks.csv:4:3: a zero byte" }
    };
    for (size_t k = 0; k < sizeof bad/sizeof *bad; k++) {
        csv_blocks b;
        cli_why why;
        memset(&b, 0, sizeof b);
        int status = csv_test_blocks(bad[k].text, bad[k].n ? bad[k].n : strlen(bad[k].text), 8, &b, &why);
        do { if (!status) status = csv_blocks_next(&b, &why); } while (!status && b.table.n_rows);
        CHECK(status == CLI_FAILED);
        CHECK_TEXT(why.text, bad[k].why);
        csv_blocks_close(&b);
    }
}

TEST(csv, reads_lines_of_either_end)
{
    static const char *const same[] = {
        "a,b\n1,2\n3,4\n", "a,b\n1,2\n3,4", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r\n1,2\r\n3,4", "a,b\r1,2\r3,4\r",
        "\xEF\xBB\xBF\x61,b\n1,2\n3,4\n", " a , b \n 1,\t2\n3 ,4 \n", "\n\na,b\n\n1,2\n  \n3,4\n\n\n",
        "\"a\",\"b\"\n\"1\",2\n3,\"4\"",
        "a,b\n \"1\" ,2\r\n3,4\r"
    };
    static const char *const cells[] = { "1", "2", "3", "4" };
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        csv_table t;
        if (!csv_test_good(same[k], &t)) continue;
        CHECK_SIZE(t.n_columns, 2);
        CHECK(!strcmp(t.names[0].text, "a") && !strcmp(t.names[1].text, "b"));
        CSV_CELLS(&t, cells);
        csv_free(&t);
    }
}

TEST(csv, quotes_hold_anything)
{
    static const char *const cells[] = { "x,y", "two\nlines", "\"", "", " z ", "5\" pipe", "r\r\nn", "1" };
    csv_table t;
    if (!csv_test_good("name,\"a \"\"b\"\"\"\n\"x,y\",\"two\nlines\"\n\"\"\"\",\"\"\n\" z \",5\" pipe\n\"r\r\nn\",1\n", &t)) return;
    CHECK(!strcmp(t.names[1].text, "a \"b\""));
    CSV_CELLS(&t, cells);
    csv_free(&t);
}

TEST(csv, knows_where_a_cell_is)
{
    csv_table t;
    csv_place place;
    if (!csv_test_good("a,b\n1,\"x\ny\"\n\n\"q\",  22\r\n", &t)) return;
    CHECK(!strcmp(csv_where(&place, &t, csv_at(&t, 0, 1)), "t.csv:2:3"));
    CHECK(!strcmp(csv_where(&place, &t, csv_at(&t, 1, 0)), "t.csv:5:1"));      /* a line within quotes and a blank one count */
    CHECK(!strcmp(csv_where(&place, &t, csv_at(&t, 1, 1)), "t.csv:5:7"));
    csv_free(&t);
    if (!csv_test_good("a\r\n1\r\n\"x\r\ny\"\r\n3\r4\n", &t)) return;                 /* \r\n is one line end, also in quotes */
    CHECK(!strcmp(csv_where(&place, &t, csv_at(&t, 1, 0)), "t.csv:3:1"));
    CHECK(!strcmp(csv_where(&place, &t, csv_at(&t, 2, 0)), "t.csv:5:1"));
    CHECK(!strcmp(csv_where(&place, &t, csv_at(&t, 3, 0)), "t.csv:6:1"));
    csv_free(&t);
}

TEST(csv, other_separators)
{
    csv_table t;
    cli_why why;
    static const char semicolons[] = "a;b\n1,5;2\n", tabs[] = "a\tb\n\t2\n";
    CHECK(csv_test_parse(semicolons, sizeof semicolons - 1, ';', &t, &why) == CLI_GOOD);
    CSV_CELL(&t, 0, 0, "1,5");
    CSV_CELL(&t, 0, 1, "2");
    csv_free(&t);
    CHECK(csv_test_parse(tabs, sizeof tabs - 1, '\t', &t, &why) == CLI_GOOD);
    CSV_CELL(&t, 0, 0, "");
    CSV_CELL(&t, 0, 1, "2");
    csv_free(&t);
}

TEST(csv, empty_cells_and_names_stay)
{
    csv_table t;
    if (!csv_test_good(",a,\n,,\n1,,3\n", &t)) return;
    CHECK_SIZE(t.n_columns, 3);
    CHECK_SIZE(t.n_rows, 2);
    CSV_CELL(&t, 0, 2, "");
    CSV_CELL(&t, 1, 2, "3");
    CHECK_SIZE(csv_find(&t, "a"), 1);
    CHECK_SIZE(csv_find(&t, "b"), 3);
    csv_free(&t);
}

TEST(csv, refuses_what_is_no_table)
{
    CSV_BAD("", "t.csv: empty file");
    CSV_BAD("\n \r\n", "t.csv: empty file");
    CSV_BAD("\xEF\xBB\xBF", "t.csv: empty file");
    CSV_BAD("a,b", "t.csv: a header, but no rows");
    CSV_BAD("a,b\n\n", "t.csv: a header, but no rows");
    CSV_BAD("a,b\n1,2\n3\n", "t.csv:3:1: a row of 1 cell, where the header has 2");
    CSV_BAD("a,b\n1,2,x\n", "t.csv:2:5: a row of 3 cells, where the header has 2 (of R's write.table? write.csv also writes a "
                             "header cell for the row names)");
    CSV_BAD("a,b\n1,2\n3,4,x\n", "t.csv:3:5: a row of 3 cells, where the header has 2");
    CSV_BAD("a,b\n1,2,\n", "t.csv:2:5: a row of 3 cells, where the header has 2");
    CSV_BAD("a,b,a\n1,2,3\n", "t.csv:1:5: column 3 has the same name as column 1: \"a\"");
    CSV_BAD(",c,b,,b,c\n1,2,3,4,5,6\n", "t.csv:1:7: column 5 has the same name as column 3: \"b\"");
    CSV_BAD("a,b\n1,\"2\n3,4\n", "t.csv:2:3: this quote is never closed");
    CSV_BAD("a,b\n1,\"2\"\"", "t.csv:2:3: this quote is never closed");
    CSV_BAD("a,b\n1,\"2\"3\n", "t.csv:2:6: text behind a closing quote (a quote within quotes is written twice)");
    CSV_BAD("\"a\" \"b\"\n", "t.csv:1:5: a quote behind a blank: blanks do not separate cells, --sep takes comma, semicolon or "
                            "tab");
    CSV_BAD("a,b\n1,\0002\n", "t.csv:2:3: a zero byte: not a text file in ASCII or UTF-8");
    CSV_BAD("\xFF\xFE" "a\000,\000", "t.csv:1:4: a zero byte: not a text file in ASCII or UTF-8");
}

TEST(csv, finds_each_of_many_columns)
{
    enum { N = 3000 };
    char *text = (char *)malloc(N*14), *p = text, name[12];
    csv_table t;
    if (!text) exit(2);
    for (int i = 0; i < N; i++) {
        if (i) *p++ = ',';
        if (i % 100 != 7) p += sprintf(p, "c%d", 7*i % N);
    }
    p += sprintf(p, "\n");
    for (int i = 0; i < N; i++) p += sprintf(p, "%s%d", i ? "," : "", i % 10);
    if (csv_test_good(text, &t)) {
        size_t wrong = 0;
        for (int i = 0; i < N; i++) {
            name[0] = '\0';
            if (i % 100 != 7) sprintf(name, "c%d", 7*i % N);
            wrong += csv_find(&t, name) != (i % 100 == 7 ? 7u : (size_t)i);      /* of columns without a name the first */
        }
        CHECK_SIZE(wrong, 0);
        CHECK_SIZE(csv_find(&t, "d"), N);
        csv_free(&t);
    }
    free(text);
}

TEST(csv, many_rows)                     /* past every growth of the tables */
{
    char *text = (char *)malloc(20000*12), *p = text;
    csv_table t;
    if (!text) exit(2);
    p += sprintf(p, "a,b\n");
    for (int i = 0; i < 20000; i++) p += sprintf(p, "%d,x%d\n", i, i % 7);
    if (csv_test_good(text, &t)) {
        CHECK_SIZE(t.n_rows, 20000);
        CSV_CELL(&t, 19999, 0, "19999");
        CSV_CELL(&t, 12345, 1, "x4");
        CHECK_SIZE(csv_at(&t, 19999, 0)->line, 20001);
        csv_free(&t);
    }
    free(text);
}

TEST(csv, numbers)
{
    static const struct { const char *text; double value; } good[] = {
        { "0", 0.0 }, { "-0.5", -0.5 }, { "+3", 3.0 }, { ".25", 0.25 }, { "7.", 7 }, { "1e3", 1000 }, { "1E-2", 0.01 },
        { " 12 ", 12 }, { "1e-999", 0.0 }, { "1.7976931348623157e308", DBL_MAX }, { "0.1", 0.1 },
        { "5e-324", 4.9406564584124654e-324 }
    };
    static const char *const words[] = { "abc", "0x10", "1,5", "1e", "e5", ".", "-", "+-1", "1 2", "12a", "--1", "1.2.3", "NAN1",
                                         "na", "N/A" };
    static const char *const missing[] = { "", " ", "NA", "NaN", "nan", "NAN", " NA " };
    static const char *const range[] = { "1e999", "-1e999" }, *const infinite[] = { "inf", "Inf", "-infinity", "+INF" };
    double v;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        v = 2.385;
        CHECK(number_read(good[i].text, &v) == NUMBER_VALUE);
        CHECK_NEAR(v, good[i].value, 0.0);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) CHECK(number_read(words[i], &v) == NUMBER_WORD);
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) CHECK(number_read(missing[i], &v) == NUMBER_MISSING);
    for (size_t i = 0; i < sizeof range / sizeof *range; i++) CHECK(number_read(range[i], &v) == NUMBER_RANGE);
    for (size_t i = 0; i < sizeof infinite / sizeof *infinite; i++) CHECK(number_read(infinite[i], &v) == NUMBER_INFINITE);
}

TEST(csv, shows_texts_in_one_line)
{
    cli_shown shown;
    char longest[100];
    CHECK(!strcmp(cli_show(&shown, "a\nb\x7f"), "a?b?"));
    memset(longest, 'x', sizeof longest);
    longest[99] = '\0';
    CHECK_SIZE(strlen(cli_show(&shown, longest)), 51);
    memcpy(longest + 47, "\xC3\xA9\xC3\xA9", 4);              /* the cut at 48 bytes falls into a character of two */
    CHECK(!memcmp(cli_show(&shown, longest) + 46, "x...", 5));
}

/* Columns that are added go to their place among the names; flags of columns grow with them. */
TEST(csv, columns_are_added)
{
    csv_table t;
    if (!csv_test_good("b,c\n1,2\n3,4\n", &t)) return;
    t.as_words = (unsigned char *)cli_memory(2, 1);
    t.as_words[1] = 1;
    CHECK_SIZE(csv_add(&t, "a"), 2);
    CHECK_SIZE(csv_add(&t, "c"), 1);
    CHECK_SIZE(csv_find(&t, "a"), 2);
    CHECK_SIZE(csv_find(&t, "b"), 0);
    CHECK(t.as_words[1] == 1 && t.as_words[2] == 0);
    CHECK_TEXT(csv_at(&t, 1, 1)->text, "4");
    CHECK_TEXT(csv_at(&t, 1, 2)->text, "");
    csv_free(&t);
}

TEST(csv, things_are_counted)
{
    cli_counted c;
    CHECK_TEXT(cli_count(&c, 1, "row"), "1 row");
    CHECK(strcmp(c.text, "1 row") == 0);
    CHECK(strcmp(cli_count(&c, 0, "row"), "0 rows") == 0);
    CHECK(strcmp(cli_all(&c, 1, "row"), "the only row") == 0);
    CHECK(strcmp(cli_all(&c, 7, "training row"), "all 7 training rows") == 0);
}

SUITE_BEGIN(csv)
SUITE_TEST(csv, blocks_are_the_whole)
SUITE_TEST(csv, blocks_name_the_place)
SUITE_TEST(csv, reads_lines_of_either_end)
SUITE_TEST(csv, quotes_hold_anything)
SUITE_TEST(csv, knows_where_a_cell_is)
SUITE_TEST(csv, other_separators)
SUITE_TEST(csv, empty_cells_and_names_stay)
SUITE_TEST(csv, refuses_what_is_no_table)
SUITE_TEST(csv, finds_each_of_many_columns)
SUITE_TEST(csv, many_rows)
SUITE_TEST(csv, numbers)
SUITE_TEST(csv, shows_texts_in_one_line)
SUITE_TEST(csv, columns_are_added)
SUITE_TEST(csv, things_are_counted)
SUITE_END(csv)
