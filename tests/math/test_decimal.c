/* test_decimal - decimal numbers against Python's, round trips of random doubles, and what is no number */
#include "../test.h"
#include "../golden/decimal_golden.h"

static uint64_t decimal_bits(double x) { uint64_t b; memcpy(&b, &x, sizeof b); return b; }

/* Reads the whole text; NaN if there is no number, or if it ends early. */
static double decimal_whole(const char *text)
{
    double value = 12.0;
    const char *end = text + strlen(text), *behind = bln_decimal_read(text, end, &value);
    if (!behind) CHECK_NEAR(value, 12.0, 0.0);
    return behind == end ? value : (double)NAN;
}

TEST(decimal, golden)
{
    for (size_t i = 0; i < sizeof decimal_golden/sizeof *decimal_golden; i++) {
        const double value = decimal_whole(decimal_golden[i].text);
        if (decimal_bits(value) != decimal_golden[i].bits) printf("    %s\n", decimal_golden[i].text);
        CHECK(decimal_bits(value) == decimal_golden[i].bits);
    }
}

/* 17 digits tell any two doubles apart, so that what printf writes comes back to the bit; with up to 19 and with 25 digits, strtod
 * is asked, which the C libraries used here round correctly. */
TEST(decimal, round_trips)
{
    test_random r = test_random_new(1);
    char text[64];
    for (int i = 0; i < 20000; i++) {
        double x;
        const double scale = pow(10.0, i % 3 == 0 ? 600.0*test_uniform(&r) - 300.0 : 20.0*test_uniform(&r) - 10.0);
        x = test_normal(&r)*scale;
        snprintf(text, sizeof text, "%.17g", x);
        CHECK(decimal_bits(decimal_whole(text)) == decimal_bits(x));
        snprintf(text, sizeof text, "%.*e", i % 20, x);
        CHECK(decimal_bits(decimal_whole(text)) == decimal_bits(strtod(text, NULL)));
        snprintf(text, sizeof text, "%.*f", i % 12, fmod(x, 1e9));
        CHECK(decimal_bits(decimal_whole(text)) == decimal_bits(strtod(text, NULL)));
    }
    for (int i = 0; i < 300; i++) {                                 /* subnormals: a multiple of 2^-1074 */
        const double x = ldexp(floor(4503599627370496.0*test_uniform(&r)), -1074);
        snprintf(text, sizeof text, "%.17g", x);
        CHECK(decimal_bits(decimal_whole(text)) == decimal_bits(x));
        snprintf(text, sizeof text, "%.25e", test_normal(&r));
        CHECK(decimal_bits(decimal_whole(text)) == decimal_bits(strtod(text, NULL)));
    }
}

/* What is written is read again to the bit, and with so many digits it is what printf writes; the shortest form has no more digits
 * than 17, and fewer where they do. */
TEST(decimal, writing)
{
    static const struct { double value; const char *text; } known[] = {
        { 0.1, "0.1" }, { -1.5, "-1.5" }, { 100.0, "100" }, { 1e16, "10000000000000000" }, { 1e17, "1e+17" }, { 1e-5, "0.00001" },
        { 1.25e-6, "1.25e-06" }, { 1e300, "1e+300" }, { 5e-324, "4.94065645841247e-324" }, { DBL_MAX, "1.7976931348623157e+308" },
        { 1.0/3.0, "0.333333333333333" }, { -0.0, "-0" }, { 123456789.0, "123456789" }
    };
    test_random r = test_random_new(2);
    char text[BLN_DECIMAL_TEXT], want[64], *end;
    for (size_t i = 0; i < sizeof known/sizeof *known; i++) {
        const size_t n = bln_decimal_write(known[i].value, 0, text);
        CHECK_SIZE(n, strlen(text));
        if (strncmp(text, known[i].text, strlen(known[i].text))) printf("    %s, not %s\n", text, known[i].text);
        CHECK(!strncmp(text, known[i].text, strlen(known[i].text)));
    }
    bln_decimal_write(HUGE_VAL, 0, text);
    CHECK(!strcmp(text, "inf"));
    bln_decimal_write(-HUGE_VAL, 5, text);
    CHECK(!strcmp(text, "-inf"));
    bln_decimal_write((double)NAN, 0, text);
    CHECK(!strcmp(text, "nan"));
    bln_decimal_write(0.125, 2, text);                                 /* halfway, to even */
    CHECK(!strcmp(text, "0.12"));
    bln_decimal_write(99.96, 3, text);                                 /* a carry through all digits */
    CHECK(!strcmp(text, "100"));
    for (int i = 0; i < 6000; i++) {
        const double scale = pow(10.0, i % 3 == 0 ? 625.0*test_uniform(&r) - 322.0 : 20.0*test_uniform(&r) - 10.0);
        const double x = i % 7 ? test_normal(&r)*scale : floor(1e6*test_uniform(&r))/64.0;
        const int digits = 1 + i % 17;
        const size_t n = bln_decimal_write(x, 0, text);
        CHECK(n < BLN_DECIMAL_TEXT && decimal_bits(decimal_whole(text)) == decimal_bits(x));
        bln_decimal_write(x, digits, text);
        snprintf(want, sizeof want, "%.*e", digits - 1, x);
        CHECK(decimal_bits(strtod(text, &end)) == decimal_bits(strtod(want, NULL)) && *end == '\0');
    }
}

TEST(decimal, ends_where_the_number_does)
{
    double value;
    static const struct { const char *text; double value; const char *rest; } part[] = {
        { "1,2", 1.0, ",2" }, { "-3.5 x", -3.5, " x" }, { "1.5.2", 1.5, ".2" }, { "0x10", 0.0, "x10" }, { "7-3", 7.0, "-3" },
        { "1e5e5", 1e5, "e5" }, { "2.E-1\n", 0.2, "\n" }
    };
    for (size_t i = 0; i < sizeof part/sizeof *part; i++) {
        const char *behind = bln_decimal_read(part[i].text, part[i].text + strlen(part[i].text), &value);
        CHECK(behind && !strcmp(behind, part[i].rest));
        CHECK_NEAR(value, part[i].value, 0.0);
    }
    /* No further than it is told. */
    const char digits[4] = { '1', '2', '3', '4' };
    CHECK(bln_decimal_read(digits, digits, &value) == NULL);
    CHECK(bln_decimal_read(digits, digits + 2, &value) == digits + 2);
    CHECK_NEAR(value, 12.0, 0.0);
}

TEST(decimal, refuses_what_is_no_number)
{
    static const char *const none[] = {
        "", "+", "-", ".", "-.", "e5", ".e5", "1e", "1e+", "1.5E-", "inf", "nan", " 1", "--1", "x"
    };
    for (size_t i = 0; i < sizeof none/sizeof *none; i++) {
        const double value = decimal_whole(none[i]);
        CHECK(value != value);
    }
}

static double decimal_of(const char *text)
{
    double x = -7.0;
    CHECK(bln_decimal_read(text, text + strlen(text), &x) == text + strlen(text));
    return x;
}

/* Hundreds of digits: 2^53 + 1 lies halfway between two doubles, and only the 800th digit says on which side. Zeros without end;
 * the 19 digits that fit into a word are just below such a number. */
TEST(decimal, many_digits)
{
    char text[900];
    blni_long a = { 1, { 5 } }, b = { 2, { 0, 1 } };
    for (int tail = 0; tail < 3; tail++) {
        memset(text, '0', sizeof text);
        memcpy(text, "9007199254740993.", 17);
        text[840] = '\0';
        if (tail) text[tail == 1 ? 839 : 500] = '1';
        CHECK(decimal_of(text) == (tail ? 9007199254740994.0 : 9007199254740992.0));
    }
    CHECK(decimal_of("0.0000000000000000000000000000") == 0.0);
    CHECK(decimal_of("9007199254740992.9999") == 9007199254740992.0);
    CHECK(decimal_of("9007199254740993.0001") == 9007199254740994.0);
    CHECK(blni_long_compare(&a, &b) == -1 && blni_long_compare(&b, &a) == 1 && blni_long_compare(&a, &a) == 0);
}

SUITE_BEGIN(decimal)
    SUITE_TEST(decimal, golden)
    SUITE_TEST(decimal, round_trips)
    SUITE_TEST(decimal, writing)
    SUITE_TEST(decimal, ends_where_the_number_does)
    SUITE_TEST(decimal, refuses_what_is_no_number)
SUITE_TEST(decimal, many_digits)
SUITE_END(decimal)
