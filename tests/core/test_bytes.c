/* bytes: the same bytes on every machine, a checksum that sees every change, failures that stick, and counts not believed */
#include "../test.h"

static void bytes_expect(const unsigned char *got, const unsigned char *want, size_t n)
{
    for (size_t i = 0; i < n; i++) CHECK_SIZE(got[i], want[i]);
}

/* Written by hand from the definition of the format. */
TEST(bytes, layout_is_little_endian)
{
    static const unsigned char want[] = {
        0x04, 0x03, 0x02, 0x81,
        0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0xf1,
        0, 0, 0, 0, 0, 0, 0xf0, 0x3f,                          /*  1                           */
        0, 0, 0, 0, 0, 0, 0x04, 0xc0,                          /* -2.5 = -1.25 * 2             */
        0, 0, 0, 0, 0, 0, 0, 0x80,                             /* -0                           */
        0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0xb9, 0x3f,        /*  0.1                          */
        3, 0, 0, 0, 'b', 'l', 'n',
        0, 0, 0, 0,
        0xfe
    };
    static const double pair[] = { -0.0, 0.1 };
    unsigned char got[sizeof want], raw = 0xfe;
    bln_memory_stream m;
    bln_writer w = bln_memory_writer(&m, got, sizeof got);
    bln_put_u32(&w, UINT32_C(0x81020304));
    bln_put_u64(&w, UINT64_C(0xf102030405060708));
    bln_put_double(&w, 1.0);
    bln_put_double(&w, -2.5);
    bln_put_doubles(&w, 2, pair);
    bln_put_string(&w, "bln");
    bln_put_string(&w, "");
    bln_put_bytes(&w, &raw, 1);
    CHECK_OK(w.status);
    CHECK_SIZE((size_t)w.count, sizeof want);
    bytes_expect(got, want, sizeof want);
}

/* Known answers of FNV-1a, 64 bits, from the authors' table of test vectors. */
TEST(bytes, checksum_is_fnv_1a)
{
    bln_writer w = bln_writer_over(NULL, NULL);
    CHECK(w.checksum == UINT64_C(0xcbf29ce484222325));
    bln_put_bytes(&w, "a", 1);
    CHECK(w.checksum == UINT64_C(0xaf63dc4c8601ec8c));
    w = bln_writer_over(NULL, NULL);
    bln_put_bytes(&w, "foo", 3);
    bln_put_bytes(&w, "", 0);
    bln_put_bytes(&w, "bar", 3);
    CHECK(w.checksum == UINT64_C(0x85944171f73967e8));
    CHECK_SIZE((size_t)w.count, 6);
}

TEST(bytes, checksum_sees_every_single_change)
{
    unsigned char b[24];
    for (size_t i = 0; i < sizeof b; i++) b[i] = (unsigned char)(37*i);
    const uint64_t sum = blni_fnv(BLNI_FNV_START, b, sizeof b);
    for (size_t i = 0; i < sizeof b; i++)
        for (int v = 1; v < 256; v++) {
            b[i] = (unsigned char)(b[i] ^ v);
            CHECK(blni_fnv(BLNI_FNV_START, b, sizeof b) != sum);
            b[i] = (unsigned char)(b[i] ^ v);
        }
}

/* Lengths on both sides of the chunk of 64 that doubles are converted in; all bit patterns must come back, NaN payloads too. */
TEST(bytes, what_is_written_is_read)
{
    static const size_t lengths[] = { 0, 1, 63, 64, 65, 127, 128, 129, 200 };
    static unsigned char store[4096];
    uint64_t bits[200], back_bits[200];
    double values[200], back[200];
    test_random random = test_random_new(1);
    for (size_t i = 0; i < 200; i++) {
        bits[i] = (uint64_t)(test_uniform(&random)*9007199254740992.0)*2048 + i;
        /* quiet NaN with a payload: a signalling one may be changed by a copy */
        if (i % 7 == 0) bits[i] = UINT64_C(0x7ff8000000000001) + i;
        else if ((bits[i] & UINT64_C(0x7ff0000000000000)) == UINT64_C(0x7ff0000000000000)) bits[i] &= UINT64_C(0x3fffffffffffffff);
        memcpy(&values[i], &bits[i], 8);
    }
    for (size_t k = 0; k < sizeof lengths/sizeof *lengths; k++) {
        const size_t n = lengths[k];
        bln_memory_stream m;
        bln_writer w = bln_memory_writer(&m, store, sizeof store);
        char text[8];
        bln_put_u64(&w, n);
        bln_put_doubles(&w, n, values);
        bln_put_string(&w, "end");
        bln_put_u32(&w, UINT32_MAX);
        bln_put_double(&w, values[0]);
        CHECK_OK(w.status);
        bln_reader r = bln_memory_reader(&m, store, (size_t)w.count, NULL);
        CHECK_SIZE(bln_get_count(&r, 8, 1000), n);
        memset(back, 0, sizeof back);
        bln_get_doubles(&r, n, back);
        memcpy(back_bits, back, sizeof back);
        for (size_t i = 0; i < n; i++) CHECK(back_bits[i] == bits[i]);
        bln_get_string(&r, text, sizeof text);
        CHECK(strcmp(text, "end") == 0);
        CHECK(bln_get_u32(&r) == UINT32_MAX);
        const double last = bln_get_double(&r);
        CHECK(memcmp(&last, &values[0], 8) == 0);
        CHECK_OK(r.status);
        CHECK(r.count == w.count && r.checksum == w.checksum);
    }
}

TEST(bytes, a_writer_without_a_callback_counts)
{
    bln_writer w = bln_writer_over(NULL, NULL);
    bln_put_u32(&w, 1);
    bln_put_string(&w, "four");
    bln_put_double(&w, 1.0);
    CHECK_OK(w.status);
    CHECK_SIZE((size_t)w.count, 20);
}

/* Fails at one call with a status of its own; counts the calls that came. */
typedef struct bytes_sink { size_t calls, fail_at; } bytes_sink;
static bln_status bytes_sink_write(void *user, const void *bytes, size_t n)
{
    bytes_sink *s = (bytes_sink *)user;
    (void)bytes; (void)n;
    return s->calls++ == s->fail_at ? BLN_ESTOPPED : BLN_OK;
}

TEST(bytes, first_failure_of_a_writer_sticks)
{
    bytes_sink sink;
    sink.calls = 0;
    sink.fail_at = 1;
    bln_writer w = bln_writer_over(bytes_sink_write, &sink);
    bln_put_u32(&w, 1);
    const uint64_t sum = w.checksum;
    bln_put_u64(&w, 2);
    bln_put_u64(&w, 3);
    bln_put_string(&w, "more");
    CHECK_STATUS(w.status, BLN_ESTOPPED);
    CHECK_SIZE(sink.calls, 2);
    CHECK_SIZE((size_t)w.count, 4);
    CHECK(w.checksum == sum);
}

/* Four bytes say how long a string is: one of 2^32 bytes and more is refused before it is read. */
TEST(bytes, lengths_of_33_bits_are_refused)
{
    const size_t longest = (size_t)0xffffffff;
    unsigned char store[8];
    bln_memory_stream m;
    bln_writer w = bln_memory_writer(&m, store, sizeof store);
    if (longest < (size_t)-1) blni_put_text(&w, "a", longest + 1);
    else blni_writer_fail(&w, BLN_EINVAL);
    CHECK_STATUS(w.status, BLN_EINVAL);
    CHECK_SIZE((size_t)w.count, 0);
}

/* What a name may be made of. */
TEST(bytes, names)
{
    static const char *const good[] = { "a", "z", "0", "9", "_", "abc_019_xyz", "a23456789_123456789_123456789_1" };
    static const char *const bad[] = { "", "A", "{", "`", "/", ":", "a b", "a-", "\xc3\xa4", "a23456789_123456789_123456789_12" };
    for (size_t i = 0; i < sizeof good/sizeof *good; i++) CHECK(blni_name_ok(good[i]));
    for (size_t i = 0; i < sizeof bad/sizeof *bad; i++) CHECK(!blni_name_ok(bad[i]));
    CHECK(!blni_name_ok(NULL));
}

TEST(bytes, a_full_buffer_is_an_error_and_not_an_overrun)
{
    unsigned char store[8];
    bln_memory_stream m;
    memset(store, 0xaa, sizeof store);
    bln_writer w = bln_memory_writer(&m, store, 6);
    bln_put_u32(&w, 0);
    bln_put_u32(&w, 0);
    CHECK_STATUS(w.status, BLN_EIO);
    CHECK(store[4] == 0xaa && store[7] == 0xaa);
}

TEST(bytes, truncation_is_reported_with_its_byte_and_gives_zeros)
{
    static const unsigned char store[20] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    for (size_t size = 0; size < 20; size++) {
        bln_memory_stream m;
        bln_report report;
        char want[32], text[5];
        double x[2] = { 3.0, 3.0 };
        bln_report_clear(&report);
        bln_reader r = bln_memory_reader(&m, store, size, &report);
        bln_get_u32(&r);
        bln_get_u64(&r);
        bln_get_double(&r);
        CHECK_STATUS(r.status, BLN_EFORMAT);
        sprintf(want, "at byte %u", (unsigned)size);
        CHECK_TEXT(report.text, want);
        CHECK_TEXT(report.text, "truncated");
        bln_get_doubles(&r, 2, x);
        bln_get_string(&r, text, sizeof text);
        CHECK(bln_get_u32(&r) == 0 && bln_get_u64(&r) == 0 && bln_get_double(&r) == 0.0 && bln_get_count(&r, 1, 10) == 0);
        CHECK(x[0] == 0.0 && x[1] == 0.0 && text[0] == '\0');
        CHECK(r.count <= size);
    }
}

/* Without a known size the end is where the callback says so; other failures of it are passed on. */
static bln_status bytes_end(void *user, void *bytes, size_t n) { (void)user; memset(bytes, 0x77, n); return BLN_EFORMAT; }
static bln_status bytes_broken(void *user, void *bytes, size_t n) { (void)user; (void)bytes; (void)n; return BLN_EIO; }
TEST(bytes, failures_of_the_callback_are_passed_on)
{
    bln_report report;
    bln_reader r = bln_reader_over(bytes_end, NULL, UINT64_MAX, &report);
    CHECK(bln_get_u64(&r) == 0);
    CHECK_STATUS(r.status, BLN_EFORMAT);
    CHECK_TEXT(report.text, "truncated");
    r = bln_reader_over(bytes_broken, NULL, UINT64_MAX, &report);
    CHECK(bln_get_u32(&r) == 0);
    CHECK_STATUS(r.status, BLN_EIO);
    CHECK_TEXT(report.text, "reading failed, at byte 0");
}

TEST(bytes, strings_must_fit_and_end_where_they_say)
{
    unsigned char store[32];
    char text[6];
    bln_memory_stream m;
    bln_report report;
    bln_writer w = bln_memory_writer(&m, store, sizeof store);
    bln_put_string(&w, "12345");
    const size_t size = (size_t)w.count;

    bln_reader r = bln_memory_reader(&m, store, size, &report);
    bln_get_string(&r, text, 6);
    CHECK_OK(r.status);
    CHECK(strcmp(text, "12345") == 0);

    r = bln_memory_reader(&m, store, size, &report);
    bln_get_string(&r, text, 5);
    CHECK_STATUS(r.status, BLN_EFORMAT);
    CHECK(text[0] == '\0');
    CHECK_TEXT(report.text, "longer");

    r = bln_memory_reader(&m, store, size, &report);
    bln_get_string(&r, text, 0);                            /* no room at all: nothing is touched */
    CHECK_STATUS(r.status, BLN_EFORMAT);

    store[6] = 0;                                           /* "12\0" "45": it would be another string in C */
    r = bln_memory_reader(&m, store, size, &report);
    bln_get_string(&r, text, 6);
    CHECK_STATUS(r.status, BLN_EFORMAT);
    CHECK_TEXT(report.text, "zero byte");
    CHECK(text[0] == '\0');

    memset(store, 0xff, 4);                                 /* a length of 2^32 - 1 */
    r = bln_memory_reader(&m, store, size, &report);
    bln_get_string(&r, text, 6);
    CHECK_STATUS(r.status, BLN_EFORMAT);
}

static bln_status bytes_count(uint64_t claimed, size_t unit, size_t max, uint64_t limit, size_t *got)
{
    unsigned char store[8];
    bln_memory_stream m;
    bln_writer w = bln_memory_writer(&m, store, 8);
    bln_put_u64(&w, claimed);
    bln_reader r = bln_memory_reader(&m, store, 8, NULL);
    r.limit = limit;
    *got = bln_get_count(&r, unit, max);
    return r.status;
}

TEST(bytes, counts_are_not_believed)
{
    size_t n;
    CHECK_OK(bytes_count(5, 8, 100, 8 + 40, &n));                           CHECK_SIZE(n, 5);
    CHECK_OK(bytes_count(0, 8, 100, 8, &n));                                CHECK_SIZE(n, 0);
    CHECK_OK(bytes_count(100, 1, 100, UINT64_MAX, &n));                     CHECK_SIZE(n, 100);
    CHECK_OK(bytes_count(100, 0, 100, 8, &n));                              CHECK_SIZE(n, 100);
    CHECK_STATUS(bytes_count(5, 8, 100, 8 + 39, &n), BLN_EFORMAT);          CHECK_SIZE(n, 0);
    CHECK_STATUS(bytes_count(101, 1, 100, UINT64_MAX, &n), BLN_EFORMAT);    CHECK_SIZE(n, 0);
    CHECK_STATUS(bytes_count(UINT64_MAX, 8, (size_t)-1, UINT64_MAX, &n), BLN_EFORMAT);
    /* times 8 is 8, modulo 2^64 */
    CHECK_STATUS(bytes_count(UINT64_C(0x2000000000000001), 8, (size_t)-1, 8 + 8, &n), BLN_EFORMAT);
    /* no size_t can hold it in bytes */
    CHECK_STATUS(bytes_count((uint64_t)((size_t)-1/8) + 1, 8, (size_t)-1, UINT64_MAX, &n), BLN_EFORMAT);
}

TEST(bytes, first_reason_of_a_reader_wins)
{
    bln_report report;
    bln_memory_stream m;
    bln_report_clear(&report);
    bln_reader r = bln_memory_reader(&m, "12345678", 8, &report);
    bln_get_u32(&r);
    CHECK_OK(bln_reader_fail(&r, BLN_OK, "no failure"));
    CHECK(report.text[0] == '\0');
    CHECK_STATUS(bln_reader_fail(&r, BLN_EVERSION, "first"), BLN_EVERSION);
    CHECK_STATUS(bln_reader_fail(&r, BLN_EFORMAT, "second"), BLN_EVERSION);
    bln_get_u64(&r);
    CHECK_STATUS(blni_reader_fail_name(&r, "third", "name"), BLN_EVERSION);
    CHECK(strcmp(report.text, "first, at byte 4") == 0);
    r = bln_memory_reader(&m, "1234", 4, NULL);
    CHECK_STATUS(bln_reader_fail(&r, BLN_EFORMAT, "nobody listens"), BLN_EFORMAT);
}

SUITE_BEGIN(bytes)
    SUITE_TEST(bytes, layout_is_little_endian)
    SUITE_TEST(bytes, checksum_is_fnv_1a)
    SUITE_TEST(bytes, checksum_sees_every_single_change)
    SUITE_TEST(bytes, what_is_written_is_read)
    SUITE_TEST(bytes, a_writer_without_a_callback_counts)
    SUITE_TEST(bytes, first_failure_of_a_writer_sticks)
    SUITE_TEST(bytes, lengths_of_33_bits_are_refused)
    SUITE_TEST(bytes, names)
    SUITE_TEST(bytes, a_full_buffer_is_an_error_and_not_an_overrun)
    SUITE_TEST(bytes, truncation_is_reported_with_its_byte_and_gives_zeros)
    SUITE_TEST(bytes, failures_of_the_callback_are_passed_on)
    SUITE_TEST(bytes, strings_must_fit_and_end_where_they_say)
    SUITE_TEST(bytes, counts_are_not_believed)
    SUITE_TEST(bytes, first_reason_of_a_reader_wins)
SUITE_END(bytes)
