/* test_json: the tool's writer of JSON
 *
 * What it gives for each kind of value is written here by hand, from RFC 8259 and RFC 3629; numbers are read back by the C
 * library. */
#include "csv_tools.h"
#include "../../tools/cli/json.c"

static void json_test_is(cli_json *j, const char *want, int line)
{
    size_t n;
    const char *got = json_finish(j, &n);
    test_checks++;
    if (n != strlen(want) || memcmp(got, want, n)) {
        printf("    got  %.*s    want %s", (int)n, got, want);
        test_fail(__FILE__, line, "another text");
    }
    json_free(j);
}
#define JSON_IS(j, want) json_test_is((j), (want), __LINE__)

TEST(json, commas_and_nesting)
{
    cli_json *j = json_create();
    json_object(j, NULL);
    json_array(j, "empty");
    json_end(j);
    json_object(j, "none");
    json_end(j);
    json_array(j, "rows");
    json_object(j, NULL);
    json_count(j, "a", 1);
    json_array(j, "b");
    json_flag(j, NULL, 1);
    json_flag(j, NULL, 0);
    json_text(j, NULL, NULL);
    json_end(j);
    json_end(j);
    json_object(j, NULL);
    json_end(j);                                               /* the rest closes itself */
    JSON_IS(j, "{\n\"empty\": [],\n\"none\": {},\n\"rows\": [\n{\"a\": 1, \"b\": [true, false, null]},\n{}\n]\n}\n");
    json_end(NULL);
    json_array(NULL, "x");
    json_number(NULL, "x", 1.0);
    json_texts(NULL, "x", 0, NULL);
    json_free(NULL);
}

TEST(json, one_end_too_many_is_none)
{
    cli_json *j = json_create();
    json_array(j, NULL);
    json_end(j);
    json_end(j);
    JSON_IS(j, "[]\n");
}

TEST(json, numbers_read_back)
{
    static const double some[] = { 0.0, 1.0, -1.0, 0.1, 1.0/3.0, 1e22, 1e23, 5e-324, 2.2250738585072014e-308,
                                   1.7976931348623157e308, 123456789012345678.0, -3.5e-7, 9007199254740993.0 };
    bln_rng rng;
    bln_rng_seed(&rng, 7, 0);
    for (size_t k = 0; k < 2000; k++) {
        double v = 0.0;
        uint64_t bits = bln_rng_next(&rng);
        memcpy(&v, &bits, sizeof v);
        if (k < sizeof some/sizeof *some) v = some[k];
        if (!isfinite(v)) continue;
        cli_json *j = json_create();
        size_t n;
        json_number(j, NULL, v);
        const char *text = json_finish(j, &n);
        CHECK(strtod(text, NULL) == v);                        /* ends at the end of the line */
        CHECK(n <= 25);
        json_free(j);
    }
    cli_json *j = json_create();
    const double odd[] = { HUGE_VAL, -HUGE_VAL, NAN, 0.1, 100.0 };
    json_numbers(j, NULL, 5, odd);
    JSON_IS(j, "[null, null, null, 0.1, 100]\n");
    j = json_create();
    json_count(j, NULL, UINT64_MAX);
    JSON_IS(j, "18446744073709551615\n");
}

TEST(json, texts_are_escaped)
{
    cli_json *j = json_create();
    json_text(j, NULL, "a\"b\\c/\n\t\x01\x7F\x1B[31m");
    JSON_IS(j, "\"a\\\"b\\\\c/\\u000a\\u0009\\u0001\\u007f\\u001b[31m\"\n");
    j = json_create();
    json_object(j, NULL);
    json_text(j, "\"\xC3\xA9", "");
    JSON_IS(j, "{\n\"\\\"\xC3\xA9\": \"\"\n}\n");
}

/* Bytes that are no character of UTF-8 become U+FFFD, each of them: the table of RFC 3629, section 4, at its ends. */
TEST(json, utf8_is_checked)
{
    static const char *const good[] = { "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF",
                                        "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF" };
    static const struct { const char *text; int bytes; } bad[] = {
        { "\x80", 1 }, { "\xC0\xAF", 2 }, { "\xC1\xBF", 2 }, { "\xE0\x9F\xBF", 3 }, { "\xED\xA0\x80", 3 },
        { "\xF0\x8F\xBF\xBF", 4 }, { "\xF4\x90\x80\x80", 4 }, { "\xF5\x80\x80\x80", 4 }, { "\xFF", 1 },
        { "\xE2\x82", 2 }, { "\xC3", 1 }
    };
    for (size_t k = 0; k < sizeof good/sizeof *good; k++) {
        char want[16];
        cli_json *j = json_create();
        json_text(j, NULL, good[k]);
        snprintf(want, sizeof want, "\"%s\"\n", good[k]);
        JSON_IS(j, want);
    }
    for (size_t k = 0; k < sizeof bad/sizeof *bad; k++) {
        char text[16], want[32] = "\"";
        snprintf(text, sizeof text, "%sx", bad[k].text);
        for (int b = 0; b < bad[k].bytes; b++) strcat(want, "\xEF\xBF\xBD");
        strcat(want, "x\"\n");
        cli_json *j = json_create();
        json_text(j, NULL, text);
        JSON_IS(j, want);
    }
}

SUITE_BEGIN(json)
SUITE_TEST(json, commas_and_nesting)
SUITE_TEST(json, one_end_too_many_is_none)
SUITE_TEST(json, numbers_read_back)
SUITE_TEST(json, texts_are_escaped)
SUITE_TEST(json, utf8_is_checked)
SUITE_END(json)
