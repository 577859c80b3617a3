/* test_cell: what the text of a cell may be
 *
 * Numbers as they are written in several countries, each with the number that is meant; every day from 0001-01-01 to 9999-12-31 in
 * its order; and days and weekdays of R's as.Date() and weekdays(). */
#include "csv_tools.h"

TEST(cell, numbers_of_many_countries)
{
    static const struct { const char *text; char decimal; const char *number; cell_mark mark; } cases[] = {
        { "12", '.', "12", MARK_NONE },                 { "3.14", '.', "3.14", MARK_POINT },
        { "3,14", ',', "3.14", MARK_COMMA },            { "-0,5", ',', "-0.5", MARK_COMMA },
        { ",5", ',', ".5", MARK_COMMA },                { "+7", '.', "7", MARK_NONE },
        { "1,234", '.', "1234", MARK_MAYBE_COMMA },     { "1,234", ',', "1.234", MARK_MAYBE_COMMA },
        { "1.234", ',', "1234", MARK_MAYBE_POINT },     { "0.123", '.', "0.123", MARK_POINT },
        { "0,123", ',', "0.123", MARK_COMMA },          { "1234,567", ',', "1234.567", MARK_COMMA },
        { "1,234,567", '.', "1234567", MARK_POINT },    { "1.234.567", ',', "1234567", MARK_COMMA },
        { "1,234.5", '.', "1234.5", MARK_POINT },       { "1.234,5", ',', "1234.5", MARK_COMMA },
        { "1 234 567", '.', "1234567", MARK_NONE },     { "1'234.50", '.', "1234.50", MARK_POINT },
        { "1\xC2\xA0" "234,5", ',', "1234.5", MARK_COMMA }, { "1\xE2\x80\xAF" "234", '.', "1234", MARK_NONE },
        { "\xE2\x88\x92" "4,5", ',', "-4.5", MARK_COMMA },  { "2,5e-3", ',', "2.5e-3", MARK_COMMA },
        { "1.5E+10", '.', "1.5E+10", MARK_POINT },      { "1.234e5", '.', "1.234e5", MARK_POINT },
        { "$48.50", '.', "48.50", MARK_POINT },         { "-$5", '.', "-5", MARK_NONE },
        { "$ -5", '.', "-5", MARK_NONE },               { "48,50 \xE2\x82\xAC", ',', "48.50", MARK_COMMA },
        { "\xC2\xA3" "1,000", '.', "1000", MARK_MAYBE_COMMA }, { "5%", '.', "5", MARK_NONE }, { "7,5 %", ',', "7.5", MARK_COMMA },
        { "$5.", '.', "5", MARK_NONE },                 { ".5", '.', ".5", MARK_POINT },
        { "-.5", '.', "-.5", MARK_POINT }
    };
    for (size_t k = 0; k < sizeof cases/sizeof *cases; k++) {
        cell_shape s;
        char out[64];
        cell_look(cases[k].text, &s);
        CHECK(s.kind == CELL_NUMBER && s.mark == cases[k].mark);
        strcpy(out, cases[k].text);
        cell_write(out, cases[k].decimal, out);                           /* in place: it is never longer */
        CHECK_TEXT(out, cases[k].number);
        if (strcmp(out, cases[k].number) || s.mark != cases[k].mark) printf("    %s\n", cases[k].text);
        CHECK(s.percent == (strchr(cases[k].text, '%') != NULL));
    }
}

/* A text that is no number stays as it is. Blanks around one do not count, whatever they are. */
TEST(cell, words_stay)
{
    char out[80] = "word";
    double v = 0.0;
    uint64_t n;
    size_t count = 0;
    cell_write("other", '.', out);
    CHECK_TEXT(out, "word");
    CHECK(number_read(" \t\r\n7\n\r\t ", &v) == NUMBER_VALUE && v == 7.0);
    CHECK(!number_integer("", &n) && !number_integer("7a", &n) && !number_integer("-7", &n));
    CHECK(number_count("12", &count) && count == 12 && !number_count("0", &count));
    memset(out, '1', 79);
    out[1] = ',';
    out[79] = '\0';
    CHECK(!number_has_comma(out));                                      /* longer than a number is */
    CHECK(number_has_comma("1,5") && !number_has_comma("a,b"));
}

TEST(cell, what_is_no_number)
{
    static const char *const words[] = { "1,2,3", "1.2.3", "12,34,567", "5%%", "$5%", "$", "%", "1 23", "1234 567", "A1",
                                         "0x10", "1,", ",", "1e", "$5$", "--5", "1..5", "5 kg", "1,234.5,6", "1.234,5 6", "'5",
                                         "1,234.", ",123,456", "1,234 567", "12,34.5",
                                         "1,000,000,000,000,000,000,000,000,000,000,000,000" };
    static const char *const signs[] = { "-", "?", ".", "n/a", "N/A", "NULL", "null", "none", "#N/A", "<NA>", "\xE2\x80\x93" };
    cell_shape s;
    for (size_t k = 0; k < sizeof words/sizeof *words; k++) {
        cell_look(words[k], &s);
        CHECK(s.kind == CELL_WORD);
        if (s.kind != CELL_WORD) printf("    %s\n", words[k]);
    }
    for (size_t k = 0; k < sizeof signs/sizeof *signs; k++) {
        cell_look(signs[k], &s);
        CHECK(s.kind == CELL_SIGN);
    }
    cell_look("NA", &s);
    CHECK(s.kind == CELL_MISSING);
}

TEST(cell, dates)
{
    static const struct { const char *text; cell_order order; long day; double seconds; } cases[] = {
        { "0001-01-01", ORDER_YMD, -719162, -1 },       { "1600-02-29", ORDER_YMD, -135081, -1 },
        { "1900/03/01", ORDER_YMD, -25508, -1 },        { "1969-12-31", ORDER_YMD, -1, -1 },
        { "29.2.2000", ORDER_DMY, 11016, -1 },          { "17.05.2024", ORDER_DMY, 19860, -1 },
        { "9999-12-31", ORDER_YMD, 2932896, -1 },       { "2024-05-17 06:30", ORDER_YMD, 19860, 23400 },
        { "2024-05-17T06:30:15Z", ORDER_YMD, 19860, 23415 }, { "2024-05-17 6:30:15.5", ORDER_YMD, 19860, 23415.5 },
        { "17 May 2024", ORDER_DMY, 19860, -1 },        { "17-May-2024", ORDER_DMY, 19860, -1 },
        { "17MAY2024", ORDER_DMY, 19860, -1 },          { "17. may 2024", ORDER_DMY, 19860, -1 },
        { "May 17, 2024", ORDER_MDY, 19860, -1 },       { "Sept. 1 2024", ORDER_MDY, 19967, -1 },
        { "September 1, 24", ORDER_MDY, 19967, -1 },    { "17/Feb/68", ORDER_DMY, 35841, -1 },
        { "1-Jan-69", ORDER_DMY, -365, -1 },            { "17.05.24", ORDER_DMY, 19860, -1 },
        { "2024-05-17 12:00 AM", ORDER_YMD, 19860, 0 }, { "2024-05-17 12:30 pm", ORDER_YMD, 19860, 45000 },
        { "May 17, 2024, 2:30:05 p.m.", ORDER_MDY, 19860, 52205 }, { "17.05.2024 11:59AM", ORDER_DMY, 19860, 43140 }
    };
    static const char *const none[] = { "2024-05", "24-05-17", "2024-05/17", "2024-05-17 25:00", "2024-05-17 10",
                                        "2024-05-17+02:00", "2024-123-1", "17-05-24", "1.2.24",
                                        "2024-05-17 10:5", "2024-05-17 13:00 PM",
                                        "2024-05-17 0:30 AM", "May 2024", "17 Mai 2024", "May17 2024",
                                        "17 May 124", "17 May", "2024-05-17 2:30 PMs", "2024-05-17 12:",
                                        "2024-05-17 12:30:15:7", "2024-05-17 12:30:15.", "2024-05-17 12:75",
                                        "2024-05-17 12:30:75", "17.123.24", "2024-05-123", "123/05/2024", "17/123/2024",
                                        "2024-05-17,x" };
    static const char *const no_day[] = { "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-04-31", "0000-01-01",
                                          "30 Feb 2024", "2024-05-00" };
    cell_shape s;
    long day;
    for (size_t k = 0; k < sizeof cases/sizeof *cases; k++) {
        cell_look(cases[k].text, &s);
        CHECK(s.kind == CELL_DATE && s.order == cases[k].order);
        CHECK(cell_day(&s, s.order, &day) && day == cases[k].day);
        CHECK(s.seconds == cases[k].seconds);
    }
    for (size_t k = 0; k < sizeof none/sizeof *none; k++) { cell_look(none[k], &s); CHECK(s.kind == CELL_WORD); }
    for (size_t k = 0; k < sizeof no_day/sizeof *no_day; k++) {
        cell_look(no_day[k], &s);
        CHECK(s.kind == CELL_DATE && !cell_day(&s, s.order, &day));
    }
    cell_look("05/06/2024", &s);
    CHECK(s.order == ORDER_SLASH);
    CHECK(cell_day(&s, ORDER_DMY, &day) && day == 19879 && cell_day(&s, ORDER_MDY, &day) && day == 19849);
    cell_look("05/06/24", &s);
    CHECK(s.order == ORDER_SLASH && s.short_year && cell_day(&s, ORDER_DMY, &day) && day == 19879);
    CHECK(cell_date(-1).weekday == 2 && cell_date(11016).weekday == 1 && cell_date(19860).weekday == 4);
}

/* All days, one after the other: the calendar and its reverse. */
TEST(cell, every_day)
{
    cell_calendar last = cell_date(-719162);
    size_t wrong = 0;
    CHECK(last.year == 1 && last.month == 1 && last.day == 1);
    for (long day = -719161; day <= 2932896; day++) {
        const cell_calendar c = cell_date(day);
        const int next = c.day == last.day + 1 || (c.day == 1 && c.month == last.month + 1)
                      || (c.day == 1 && c.month == 1 && last.month == 12 && c.year == last.year + 1);
        cell_shape s;
        long back = 0;
        memset(&s, 0, sizeof s);
        s.part[0] = c.year;
        s.part[1] = c.month;
        s.part[2] = c.day;
        wrong += !next || c.weekday != (last.weekday + 1) % 7 || !cell_day(&s, ORDER_YMD, &back) || back != day;
        last = c;
    }
    CHECK_SIZE(wrong, 0);
    CHECK(last.year == 9999 && last.month == 12 && last.day == 31);
}

SUITE_BEGIN(cell)
SUITE_TEST(cell, numbers_of_many_countries)
SUITE_TEST(cell, words_stay)
SUITE_TEST(cell, what_is_no_number)
SUITE_TEST(cell, dates)
SUITE_TEST(cell, every_day)
SUITE_END(cell)
