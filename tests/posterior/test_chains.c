/* test_chains: tables of draws with names; as text and as bytes, there and back to the bit; what is damaged is refused */
#include "../test.h"

enum { CHAINS_C = 3, CHAINS_N = 7, CHAINS_K = 4 };
static const char *const chains_names[CHAINS_K] = { "mu", "Omega[2,1]", "the \"odd\" one", "lp__" };

/* Numbers of all sizes; one is no number. */
static bln_chains *chains_some(const bln_allocator *alloc)
{
    bln_chains_desc desc = BLN_ZERO;
    bln_chains *c = NULL;
    double rows[CHAINS_C*CHAINS_K];
    test_random r = test_random_new(1);
    desc.chains = CHAINS_C;
    desc.draws = CHAINS_N + 2;
    desc.columns = CHAINS_K;
    desc.names = chains_names;
    if (alloc) desc.alloc = *alloc;
    CHECK_OK(bln_chains_create(&desc, &c, NULL));
    for (size_t i = 0; i < CHAINS_N; i++) {
        for (size_t k = 0; k < CHAINS_C*CHAINS_K; k++) rows[k] = test_normal(&r)*pow(10.0, 40.0*test_uniform(&r) - 20.0);
        if (i == 3) rows[5] = NAN;
        if (i == 4) { rows[0] = -HUGE_VAL; rows[1] = -0.0; }
        CHECK_OK(bln_chains_add(c, rows, NULL));
    }
    return c;
}

static void chains_same(const bln_chains *a, const bln_chains *b)
{
    CHECK_SIZE(bln_chains_count(b), bln_chains_count(a));
    CHECK_SIZE(bln_chains_draws(b), bln_chains_draws(a));
    CHECK_SIZE(bln_chains_columns(b), bln_chains_columns(a));
    if (!b || bln_chains_columns(a) != bln_chains_columns(b)) return;
    for (size_t k = 0; k < bln_chains_columns(a); k++) CHECK(!strcmp(bln_chains_name(a, k), bln_chains_name(b, k)));
    for (size_t i = 0; i < bln_chains_draws(a)*bln_chains_count(a)*bln_chains_columns(a); i++) {
        const double x = bln_chains_table(a)[i], y = bln_chains_table(b)[i];
        CHECK((x != x && y != y) || !memcmp(&x, &y, sizeof x));
    }
}

TEST(chains, what_is_there)
{
    bln_chains *c = chains_some(NULL);
    double rows[CHAINS_C*CHAINS_K] = { 0.0 };
    bln_report report;
    CHECK_SIZE(bln_chains_count(c), CHAINS_C);
    CHECK_SIZE(bln_chains_draws(c), CHAINS_N);
    CHECK_SIZE(bln_chains_columns(c), CHAINS_K);
    CHECK_SIZE(bln_chains_parameters(c), 3);
    CHECK(bln_chains_is_parameter(c, 0) && !bln_chains_is_parameter(c, 3) && !bln_chains_is_parameter(c, 4));
    CHECK_SIZE(bln_chains_find(c, "lp__"), 3);
    CHECK_SIZE(bln_chains_find(c, "lp"), BLN_NONE);
    CHECK_SIZE(bln_chains_find(c, NULL), BLN_NONE);
    CHECK(bln_chains_name(c, 4) == NULL);
    rows[CHAINS_K + 2] = 7.0;
    CHECK_OK(bln_chains_add(c, rows, NULL));
    CHECK(bln_chains_table(c)[(CHAINS_N*CHAINS_C + 1)*CHAINS_K + 2] == 7.0);      /* row i*chains + c */
    CHECK_OK(bln_chains_add(c, rows, NULL));
    CHECK_STATUS(bln_chains_add(c, rows, &report), BLN_ESTATE);
    CHECK_SIZE(bln_chains_draws(c), CHAINS_N + 2);
    bln_chains_free(c);
}

TEST(chains, default_names)
{
    bln_chains_desc desc = BLN_ZERO;
    bln_chains *c = NULL;
    desc.draws = 1;
    desc.columns = 12;
    CHECK_OK(bln_chains_create(&desc, &c, NULL));
    CHECK(!strcmp(bln_chains_name(c, 0), "q[1]") && !strcmp(bln_chains_name(c, 11), "q[12]"));
    CHECK_SIZE(bln_chains_count(c), 1);
    bln_chains_free(c);
}

TEST(chains, there_and_back)
{
    enum { ROOM = 20000 };
    bln_chains *c = chains_some(NULL), *text = NULL, *bytes = NULL;
    unsigned char *room = (unsigned char *)malloc(ROOM);
    bln_memory_stream m;
    bln_report report;
    bln_writer w = bln_memory_writer(&m, room, ROOM);
    CHECK_OK(bln_chains_write_csv(c, &w));
    CHECK_OK(bln_chains_read_csv(NULL, (const char *)room, m.at, &text, &report));
    chains_same(c, text);
    w = bln_memory_writer(&m, room, ROOM);
    CHECK_OK(bln_chains_save(c, &w));
    bln_reader r = bln_memory_reader(&m, room, m.at, &report);
    CHECK_OK(bln_chains_load(NULL, &r, &bytes));
    chains_same(c, bytes);
    bln_chains_free(c);
    bln_chains_free(text);
    bln_chains_free(bytes);
    free(room);
}

static bln_status chains_read(const char *text, bln_chains **out, bln_report *report)
{
    *out = NULL;
    return bln_chains_read_csv(NULL, text, strlen(text), out, report);
}

/* Files of others: R's draws_df, which has its own columns at the end; CmdStan's with comments, one behind the other; arviz counts
 * chains from 0; spaces, quotes, carriage returns. */
TEST(chains, text_of_others)
{
    bln_chains *c;
    bln_report report;
    CHECK_OK(chains_read("mu,tau,.chain,.iteration,.draw\n1,2,2,1,3\n3,4,1,1,1\n5,6,2,2,4\n7,8,1,2,2\n", &c, &report));
    static const double want[] = { 3, 4, 1, 2, 7, 8, 5, 6 };
    CHECK(bln_chains_count(c) == 2 && bln_chains_draws(c) == 2 && bln_chains_columns(c) == 2);
    for (size_t i = 0; i < 8; i++) CHECK(c && bln_chains_table(c)[i] == want[i]);
    bln_chains_free(c);
    CHECK_OK(chains_read("# model = x\nlp__,theta.1\n# Adaptation terminated\n-1,2\n-3,4\n#\nlp__,theta.1\n-5,6\n-7,8", &c,
                         &report));
    CHECK(bln_chains_count(c) == 2 && bln_chains_draws(c) == 2 && bln_chains_parameters(c) == 1);
    CHECK(c && bln_chains_table(c)[0] == -1.0 && bln_chains_table(c)[2] == -5.0 && bln_chains_table(c)[7] == 8.0);
    bln_chains_free(c);
    CHECK_OK(chains_read("chain , draw, \"x[1,2]\"\r\n0, 0, 1.5\r\n1 ,0,  \"-inf\" \r\n\r\n", &c, &report));
    CHECK(bln_chains_count(c) == 2 && !strcmp(bln_chains_name(c, 0), "x[1,2]"));
    CHECK(c && bln_chains_table(c)[0] == 1.5 && bln_chains_table(c)[1] == -HUGE_VAL);
    bln_chains_free(c);
    CHECK_OK(chains_read("\"\",\"mu\",\"chain__\",\"iter__\"\n\"r 1\",1,1,1\n\"r 2\",2,2,1\n", &c, &report));   /* R, cmdstanpy */
    CHECK(bln_chains_count(c) == 2 && bln_chains_columns(c) == 1 && c && bln_chains_table(c)[1] == 2.0);
    bln_chains_free(c);
    CHECK_OK(chains_read("a,b\n1,NA\n+inf,nAn", &c, &report));
    CHECK(c && bln_chains_table(c)[1] != bln_chains_table(c)[1] && bln_chains_table(c)[2] == HUGE_VAL);
    bln_chains_free(c);
    CHECK_OK(chains_read("\ta,b\r1,\tinf\r -Infinity\t,2\r", &c, &report));          /* an old Macintosh; tabs */
    CHECK(bln_chains_draws(c) == 2 && !strcmp(bln_chains_name(c, 0), "a") && bln_chains_table(c)[1] == HUGE_VAL);
    CHECK(c && bln_chains_table(c)[2] == -HUGE_VAL && bln_chains_table(c)[3] == 2.0);
    bln_chains_free(c);
}

TEST(chains, text_that_is_wrong)
{
    static const struct { const char *text; bln_status status; const char *why; size_t row, column; } bad[] = {
        { "", BLN_EFORMAT, "no line with names", BLN_NONE, BLN_NONE },
        { "#a\n\n", BLN_EFORMAT, "no line with names", BLN_NONE, BLN_NONE },
        { "a,b\n", BLN_EFORMAT, "no draws", BLN_NONE, BLN_NONE },
        { "chain,draw\n1,1\n", BLN_EFORMAT, "no columns", BLN_NONE, BLN_NONE },
        { "a,,c\n1,2,3\n", BLN_EFORMAT, "name is empty", BLN_NONE, 1 },
        { "a,\"b\n1,2\n", BLN_EFORMAT, "line 1, cell 2: a quote", BLN_NONE, 1 },
        { "a,b\n1,2\n3\n", BLN_EFORMAT, "line 3: not as many cells", 1, BLN_NONE },
        { "a,b\n1,2,\n", BLN_EFORMAT, "not as many cells", 0, BLN_NONE },
        { "a,b\n1,2\n3,x\n", BLN_EFORMAT, "line 3, cell 2: no number", 1, 1 },
        { "a,b\n1,\n", BLN_EFORMAT, "line 2, cell 2: no number", 0, 1 },
        { "a,b\n1,\"2\" 3\n", BLN_EFORMAT, "a quote", 0, 1 },
        { "chain,b\n1.5,2\n", BLN_EFORMAT, "whole number", 0, 0 },
        { "chain,b\nnan,2\n", BLN_EFORMAT, "whole number", 0, 0 },
        { "chain,b\n1,1\n-2000000000,2\n", BLN_EFORMAT, "whole number", 1, 0 },
        { "chain,b\n1,2\n1,3\n2,4\n", BLN_ESHAPE, "different length", BLN_NONE, BLN_NONE },
        { "chain,b\n1,2\n1,3\n1,3\n2,4\n", BLN_ESHAPE, "different length", 2, BLN_NONE },
        { "chain,b\n1,2\n1000000000,3\n", BLN_ESHAPE, "different length", BLN_NONE, BLN_NONE },
        { "chain,b\n1,2\n3,3\n1,4\n", BLN_ESHAPE, "", BLN_NONE, BLN_NONE },
        { "a\n1\n2\na\n3\n", BLN_ESHAPE, "different length", BLN_NONE, BLN_NONE }
    };
    for (size_t i = 0; i < sizeof bad/sizeof *bad; i++) {
        bln_chains *c;
        bln_report report;
        const bln_status status = chains_read(bad[i].text, &c, &report);
        CHECK_STATUS(status, bad[i].status);
        CHECK_TEXT(report.text, bad[i].why);
        if (bad[i].row != BLN_NONE || bad[i].column != BLN_NONE) {
            CHECK_SIZE(report.row, bad[i].row);
            CHECK_SIZE(report.column, bad[i].column);
        }
        CHECK(c == NULL);
        bln_chains_free(c);
    }
    bln_chains *zero = NULL;
    bln_report report;
    CHECK_STATUS(bln_chains_read_csv(NULL, "a,\0b\n1,2\n", 9, &zero, &report), BLN_EFORMAT);
    CHECK_TEXT(report.text, "zero byte");
    CHECK(zero == NULL && report.column == 1);
    char text[BLNI_CHAINS_NAME + 8] = "a,";
    memset(text + 2, 'x', BLNI_CHAINS_NAME);
    memcpy(text + 2 + BLNI_CHAINS_NAME, "\n1,2", 5);
    CHECK_STATUS(bln_chains_read_csv(NULL, text, strlen(text), &zero, &report), BLN_EFORMAT);
    CHECK_TEXT(report.text, "too long");
    CHECK_STATUS(bln_chains_read_csv(NULL, "a,b\n1,x\n", 8, &zero, NULL), BLN_EFORMAT);
    CHECK(zero == NULL && report.column == 1);
}

/* Bytes that are cut, or of which one is another, give an error or another table, and no more memory than they are worth. */
TEST(chains, damaged_bytes)
{
    enum { ROOM = 4096 };
    unsigned char good[ROOM], bad[ROOM];
    test_heap heap;
    const bln_allocator alloc = test_heap_allocator(&heap);
    bln_load load = BLN_ZERO;
    bln_chains *c = chains_some(NULL), *out;
    bln_memory_stream m, copy;
    bln_writer w = bln_memory_writer(&m, good, ROOM);
    CHECK_OK(bln_chains_save(c, &w));
    bln_chains_free(c);
    load.alloc = alloc;
    for (size_t n = 0; n < m.at; n += n < 100 ? 1 : 13) {
        bln_reader r = bln_memory_reader(&copy, good, n, NULL);
        out = NULL;
        CHECK_STATUS(bln_chains_load(&load, &r, &out), BLN_EFORMAT);
        CHECK(out == NULL && heap.live == 0);
    }
    memcpy(bad, good, m.at);
    bad[24]++;                                          /* the length of all names: one byte more than they take */
    bln_reader more = bln_memory_reader(&copy, bad, m.at, NULL);
    CHECK_STATUS(bln_chains_load(&load, &more, &out), BLN_EFORMAT);
    CHECK(out == NULL && heap.live == 0);
    for (size_t n = 0; n < 120; n++)
        for (int by = 1; by < 256; by += 50) {
            memcpy(bad, good, m.at);
            bad[n] = (unsigned char)(bad[n] + by);
            bln_reader r = bln_memory_reader(&copy, bad, m.at, NULL);
            out = NULL;
            heap.peak_bytes = 0;
            bln_chains_load(&load, &r, &out);
            CHECK(heap.peak_bytes < 8*ROOM);
            bln_chains_free(out);
            CHECK(heap.live == 0);
        }
}

TEST(chains, memory_runs_out)
{
    test_heap heap;
    bln_allocator alloc = test_heap_allocator(&heap);
    bln_chains_desc desc = BLN_ZERO;
    bln_chains *c = NULL;
    bln_report report;
    desc.draws = desc.columns = 2;
    desc.alloc = alloc;
    heap.fail_at = 0;
    CHECK_STATUS(bln_chains_create(&desc, &c, &report), BLN_ENOMEM);
    desc.draws = (size_t)-1/2;
    heap.fail_at = (size_t)-1;
    CHECK_STATUS(bln_chains_create(&desc, &c, &report), BLN_EOVERFLOW);
    for (size_t n = 0; n < 3; n++) {
        heap.calls = 0;
        heap.fail_at = n;
        CHECK_STATUS(bln_chains_read_csv(&alloc, "a,b\n1,2\n", 8, &c, &report), BLN_ENOMEM);
        CHECK(c == NULL && heap.live == 0);
    }
    heap.fail_at = (size_t)-1;
    CHECK_OK(bln_chains_read_csv(&alloc, "a,b\n1,2\n", 8, &c, &report));
    CHECK_SIZE(heap.live, 1);
    bln_chains_free(c);
    CHECK_SIZE(heap.live, 0);
}

TEST(chains, errors)
{
    static const char *const wrong[2] = { "a", "b\nc" };
    static const char *const empty[2] = { "", "b" };
    bln_chains_desc desc = BLN_ZERO;
    bln_chains *c = NULL;
    bln_report report;
    char long_name[BLNI_CHAINS_NAME + 1];
    const char *longest[2];
    memset(long_name, 'x', BLNI_CHAINS_NAME);
    long_name[BLNI_CHAINS_NAME] = '\0';
    longest[0] = "a";
    longest[1] = long_name;
    desc.draws = 1;
    CHECK_STATUS(bln_chains_create(&desc, &c, &report), BLN_EINVAL);
    desc.columns = 2;
    desc.draws = 0;
    CHECK_STATUS(bln_chains_create(&desc, &c, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "no draws");
    desc.draws = 1;
    desc.names = longest;
    CHECK_STATUS(bln_chains_create(&desc, &c, &report), BLN_EINVAL);
    CHECK_SIZE(report.column, 1);
    desc.names = wrong;
    CHECK_STATUS(bln_chains_create(&desc, &c, &report), BLN_EINVAL);
    CHECK_SIZE(report.column, 1);
    desc.names = empty;
    CHECK_STATUS(bln_chains_create(&desc, &c, &report), BLN_EINVAL);
    CHECK_SIZE(report.column, 0);
    desc.names = NULL;
    desc.alloc.alloc = test_heap_alloc;
    CHECK_STATUS(bln_chains_create(&desc, &c, &report), BLN_EINVAL);
    CHECK(c == NULL);
}

/* A writer that is full, wherever: what it says, and no more work than one draw. */
TEST(chains, writers_that_fail)
{
    unsigned char room[64];
    bln_chains *c = chains_some(NULL);
    for (size_t bytes = 0; bytes < sizeof room; bytes += 7) {
        bln_memory_stream m;
        bln_writer w = bln_memory_writer(&m, room, bytes);
        CHECK(bln_chains_write_csv(c, &w) != BLN_OK && w.status != BLN_OK);
        w = bln_memory_writer(&m, room, bytes);
        CHECK(bln_chains_save(c, &w) != BLN_OK && w.status != BLN_OK);
    }
    CHECK_STATUS(bln_chains_write_csv(c, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_chains_save(c, NULL), BLN_EINVAL);
    bln_chains_free(c);
}

SUITE_BEGIN(chains)
SUITE_TEST(chains, what_is_there)
SUITE_TEST(chains, default_names)
SUITE_TEST(chains, there_and_back)
SUITE_TEST(chains, text_of_others)
SUITE_TEST(chains, text_that_is_wrong)
SUITE_TEST(chains, damaged_bytes)
SUITE_TEST(chains, memory_runs_out)
SUITE_TEST(chains, errors)
SUITE_TEST(chains, writers_that_fail)
SUITE_END(chains)
