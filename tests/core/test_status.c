/* status: every code has its name and its text, and a report says where and why within its 256 bytes */
#include "../test.h"

TEST(status, every_code_has_a_name_and_a_text_of_its_own)
{
    CHECK(BLN_OK == 0);
    for (int a = 0; a < (int)BLN_STATUS_COUNT; a++) {
        const char *name = bln_status_name((bln_status)a), *text = bln_status_text((bln_status)a);
        CHECK(strncmp(name, "BLN_", 4) == 0 && strlen(text) >= 7);
        for (int b = 0; b < a; b++)
            CHECK(strcmp(name, bln_status_name((bln_status)b)) != 0 && strcmp(text, bln_status_text((bln_status)b)) != 0);
    }
}

/* The table itself: a row that moves or changes its words is a change of the API. */
TEST(status, table_is_as_published)
{
    static const char *const want[] = {
        "BLN_OK", "success", "BLN_EINVAL", "invalid argument",
        "BLN_ENOMEM", "out of memory", "BLN_EOVERFLOW", "size too large for this machine",
        "BLN_EDATA", "NaN or infinity in the data", "BLN_EDOMAIN", "value outside its domain",
        "BLN_ESHAPE", "shapes do not match", "BLN_ENOTPD", "matrix not positive definite",
        "BLN_ENUMERIC", "objective not finite", "BLN_EUNDEFINED", "result undefined for these data",
        "BLN_ESTATE", "call out of order", "BLN_ESTOPPED", "stopped by the caller",
        "BLN_EIO", "reading or writing failed", "BLN_EFORMAT", "not a model file, or damaged",
        "BLN_EVERSION", "written by another version", "BLN_EUNKNOWN", "unknown name",
        "BLN_EPEER", "another process failed"
    };
    CHECK_SIZE((size_t)BLN_STATUS_COUNT, sizeof want/sizeof *want/2);
    for (size_t i = 0; i < sizeof want/sizeof *want/2; i++) {
        CHECK(strcmp(bln_status_name((bln_status)i), want[2*i]) == 0);
        CHECK(strcmp(bln_status_text((bln_status)i), want[2*i + 1]) == 0);
    }
}

TEST(status, stop_reasons_have_names)
{
    static const char *const want[] = { "none", "gradient", "progress", "limit", "monitor", "bound", "line search" };
    for (int i = 0; i <= (int)BLN_STOP_LINESEARCH; i++) CHECK(strcmp(bln_stop_name((bln_stop)i), want[i]) == 0);
}

TEST(status, numbers_that_are_no_code_have_a_text_too)
{
    CHECK_TEXT(bln_status_text(BLN_STATUS_COUNT), "unknown");
    CHECK_TEXT(bln_status_name(BLN_STATUS_COUNT), "unknown");
#ifndef __cplusplus      /* there, an enum may not hold these */
    CHECK_TEXT(bln_status_text((bln_status)1000), "unknown");
    CHECK_TEXT(bln_status_name((bln_status)1000), "unknown");
    CHECK_TEXT(bln_stop_name((bln_stop)1000), "unknown");
#endif
}

TEST(status, clear_empties_a_report)
{
    bln_report r;
    memset(&r, 0x5a, sizeof r);
    bln_report_clear(&r);
    CHECK(r.text[0] == '\0' && r.row == BLN_NONE && r.column == BLN_NONE);
    CHECK_SIZE(r.iterations, 0);
    CHECK_SIZE(r.evaluations, 0);
    CHECK(r.objective == 0.0 && r.gradient_norm == 0.0 && r.jitter == 0.0 && r.condition == 0.0 && r.stop == BLN_STOP_NONE);
    bln_report_clear(NULL);
}

TEST(status, fail_names_the_place_and_keeps_the_rest)
{
    bln_report r;
    memset(&r, 0, sizeof r);
    r.iterations = 7;
    CHECK_STATUS(blni_fail(&r, BLN_EDATA, 12, 0, "X is NaN"), BLN_EDATA);
    CHECK(strcmp(r.text, "X is NaN, row 12, column 0") == 0);
    CHECK_SIZE(r.row, 12);
    CHECK_SIZE(r.column, 0);
    CHECK_SIZE(r.iterations, 7);
    blni_fail(&r, BLN_EINVAL, BLN_NONE, BLN_NONE, "no rows");
    CHECK(strcmp(r.text, "no rows") == 0 && r.row == BLN_NONE && r.column == BLN_NONE);
    blni_fail(&r, BLN_EINVAL, BLN_NONE, 3, "stride");
    CHECK(strcmp(r.text, "stride, column 3") == 0);
    CHECK_STATUS(blni_fail(NULL, BLN_EIO, 1, 2, "nobody listens"), BLN_EIO);
    blni_say(NULL, "nobody listens");
    blni_say_size(NULL, 1);
}

/* What stands behind the buffer must survive a text longer than it. */
TEST(status, texts_are_cut_at_the_end_of_the_buffer)
{
    bln_report r;
    char longer[600];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    memset(&r, 0, sizeof r);
    blni_fail(&r, BLN_EDATA, 1234, 5678, longer);
    CHECK_SIZE(strlen(r.text), sizeof r.text - 1);
    CHECK_SIZE(r.row, 1234);
    CHECK_SIZE(r.column, 5678);
    r.text[250] = '\0';
    blni_say(&r, "12345678");
    CHECK_SIZE(strlen(r.text), 255);
    CHECK_TEXT(r.text + 250, "12345");
}

TEST(status, sizes_are_said_in_decimal)
{
    static const size_t sizes[] = { 0, 9, 10, 4294967295u, (size_t)-1, (size_t)-1/10 };
    for (size_t i = 0; i < sizeof sizes/sizeof *sizes; i++) {
        bln_report r;
        r.text[0] = '\0';
        blni_say_size(&r, sizes[i]);
        size_t back = 0;                                /* read back by hand: the printf of some C libraries has no z */
        for (const char *p = r.text; *p; p++) back = back*10 + (size_t)(*p - '0');
        CHECK_SIZE(back, sizes[i]);
        CHECK(r.text[0] != '0' || sizes[i] == 0);
    }
}

SUITE_BEGIN(status)
    SUITE_TEST(status, every_code_has_a_name_and_a_text_of_its_own)
    SUITE_TEST(status, table_is_as_published)
    SUITE_TEST(status, stop_reasons_have_names)
    SUITE_TEST(status, numbers_that_are_no_code_have_a_text_too)
    SUITE_TEST(status, clear_empties_a_report)
    SUITE_TEST(status, fail_names_the_place_and_keeps_the_rest)
    SUITE_TEST(status, texts_are_cut_at_the_end_of_the_buffer)
    SUITE_TEST(status, sizes_are_said_in_decimal)
SUITE_END(status)
