/* test_group - effects of groups: features by their definition, rows of no level and of no group, chain rule, names, levels of
 * rows, files, errors; and through sums and selections how many features a row has */
#include "basis_tools.h"

static bln_group_desc group_desc(size_t d, size_t n)
{
    bln_group_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.d = d;
    desc.n = n;
    return desc;
}

static bln_basis *group_make(size_t d, size_t n, int slopes_only)
{
    bln_group_desc desc = group_desc(d, n);
    bln_basis *b = NULL;
    desc.slopes_only = slopes_only;
    CHECK_OK(bln_group_create(&desc, &b, NULL));
    if (!b) exit(2);
    return b;
}

static const double group_levels[] = { -3.0, 308.0, 309.0, 1e9 };
static const char *const group_words[] = { "a", "word of more than sixty-three characters, which is cut where it ends", "c", "" };

static bln_basis *group_named(size_t d, int named)
{
    bln_group_desc desc = group_desc(d, 4);
    bln_basis *b = NULL;
    desc.levels = group_levels;
    desc.names = named ? group_words : NULL;
    CHECK_OK(bln_group_create(&desc, &b, NULL));
    if (!b) exit(2);
    return b;
}

/* Indicators, and indicators times inputs: of each level, of numbers between, below and above them, of no group. */
TEST(group, features)
{
    static const double groups[] = { -3.0, 308.0, 309.0, 1e9, 308.5, -4.0, 2e9, 0.0, -0.0, BLN_GROUP_NONE };
    enum { N = 10, D = 15 };
    bln_basis *b = group_named(3, 0), *slopes = group_make(2, 2, 1);
    CHECK(b->d == 3 && b->D == D && b->n_slices == 3 && b->n_theta == 0);
    for (size_t s = 0; s < 3; s++) CHECK(bln_basis_slice(b, s) == 5*s && bln_basis_active(b, s) == 1);
    for (size_t i = 0; i < N; i++) {
        const double X[3] = { groups[i], 2.5, -7.0 };
        const size_t level = i < 4 ? i : i < N - 1 ? 4 : D;
        double Phi[D];
        basis_tools_features(b, NULL, 1, X, 3, Phi, D);
        for (size_t j = 0; j < D; j++)
            CHECK(Phi[j] == (level < D && j%5 == level ? j < 5 ? 1.0 : j < 10 ? 2.5 : -7.0 : 0.0));
    }
    const double X[6] = { 1.0, 3.0,   5.0, 4.0,   BLN_GROUP_NONE, 9.0 }, want[9] = { 0, 3, 0,   0, 0, 4,   0, 0, 0 };
    double Phi[9], low[9];
    CHECK(slopes->D == 3 && slopes->n_slices == 1);
    basis_tools_features(slopes, NULL, 3, X, 2, Phi, 3);
    CHECK(!memcmp(Phi, want, sizeof want));
    memset(low, 1, sizeof low);
    if (blni_basis_features_low(slopes, NULL, 3, X, 2, Phi, 3, low, 3, NULL)) for (size_t j = 0; j < 9; j++) CHECK(low[j] == 0.0);
    bln_basis_free(b);
    bln_basis_free(slopes);
}

/* Exactly linear in the inputs that have slopes: nothing but rounding. The group itself is a name, not a place. */
TEST(group, pullback)
{
    for (int slopes_only = 0; slopes_only < 2; slopes_only++)
        for (size_t d = 2; d <= 4; d++) {
            bln_basis *b = group_make(d, 3, slopes_only), *turned = NULL;
            double X[4] = { 1.0, 0.5, -2.0, 3.0 }, F[20], Phi[20], dX[4] = { 0, 0, 0, 0 };
            test_random r = test_random_new(40 + d);
            test_fill_normal(&r, b->D, F);
            basis_tools_features(b, NULL, 1, X, d, Phi, b->D);
            bln_basis_pullback(b, NULL, 1, X, d, Phi, b->D, F, b->D, NULL, dX, d, NULL);
            CHECK(dX[0] == 0.0);
            for (size_t i = 1; i < d; i++) CHECK(dX[i] == F[(i - (slopes_only ? 1 : 0))*4 + 1]);
            X[0] = BLN_GROUP_NONE;
            for (size_t i = 0; i < d; i++) dX[i] = 0.0;
            bln_basis_pullback(b, NULL, 1, X, d, Phi, b->D, F, b->D, NULL, dX, d, NULL);
            for (size_t i = 0; i < d; i++) CHECK(dX[i] == 0.0);
            basis_tools_blocks(b, NULL, 9, 6);
            basis_tools_file(b, NULL, NULL, 0);

            /* in a selection of columns, and in a sum of that */
            static const size_t order[] = { 3, 0, 2, 1 };
            bln_basis *parts[2] = { NULL, NULL };
            const size_t slices = b->n_slices;
            CHECK_OK(bln_basis_columns(NULL, 5, d, order, b, &parts[1], NULL));
            CHECK_OK(bln_linear_create(NULL, 5, 1, &parts[0]));
            CHECK_OK(bln_basis_sum(NULL, 2, parts, &turned, NULL));
            CHECK_SIZE(bln_basis_active(turned, 0), 6);
            for (size_t s = 0; s < slices; s++) CHECK_SIZE(bln_basis_active(turned, 1 + s), 1);
            CHECK_SIZE(bln_basis_active(turned, 1 + slices), 0);
            CHECK_SIZE(bln_basis_active(NULL, 0), 0);
            bln_basis_free(turned);
        }
}

TEST(group, names)
{
    static const char *const names[] = { "subject", "days", "dose" };
    bln_basis *b = group_named(3, 0), *words = group_named(2, 1), *plain = group_make(2, 2, 1);
    char s[100];
#define GROUP_NAME(of, which, k, want) of(which, k, names, s, sizeof s); CHECK_TEXT(s, want); CHECK_SIZE(strlen(s), strlen(want))
    GROUP_NAME(bln_basis_feature_name, b, 0, "subject=-3");
    GROUP_NAME(bln_basis_feature_name, b, 1, "subject=308");
    GROUP_NAME(bln_basis_feature_name, b, 4, "subject=(new)");
    GROUP_NAME(bln_basis_feature_name, b, 7, "days|subject=309");
    GROUP_NAME(bln_basis_feature_name, b, 13, "dose|subject=1000000000");
    GROUP_NAME(bln_basis_feature_name, b, 14, "dose|subject=(new)");
    GROUP_NAME(bln_basis_slice_name, b, 0, "1|subject");
    GROUP_NAME(bln_basis_slice_name, b, 2, "dose|subject");
    GROUP_NAME(bln_basis_feature_name, words, 0, "subject=a");
    GROUP_NAME(bln_basis_feature_name, words, 6, "days|subject=word of more than sixty-three characters, which is cut where it");
    GROUP_NAME(bln_basis_feature_name, words, 3, "subject=");
    GROUP_NAME(bln_basis_feature_name, plain, 1, "days|subject=1");
    GROUP_NAME(bln_basis_slice_name, plain, 0, "days|subject");
#undef GROUP_NAME
    for (size_t size = 1; size < 12; size++) {
        memset(s, 'x', sizeof s);
        bln_basis_feature_name(b, 7, names, s, size);
        CHECK(strlen(s) == size - 1 && s[size] == 'x');
    }
    basis_tools_file(b, NULL, NULL, 0);
    basis_tools_file(words, NULL, NULL, 0);
    bln_basis_free(b);
    bln_basis_free(words);
    bln_basis_free(plain);
}

TEST(group, levels)
{
    static const double X[] = { 5, 308, 0,   6, -1, 0,   7, 309, 0,   8, 308, 0,   9, -7, 0 };
    double levels[5];
    size_t n = 99;
    bln_report report;
    bln_data data = BLN_ZERO;
    data.n = 5;
    data.d = 2;
    data.ldx = 3;
    data.X = X;
    CHECK_OK(bln_group_levels(&data, 1, levels, &n, &report));
    CHECK(n == 3 && levels[0] == -7.0 && levels[1] == 308.0 && levels[2] == 309.0);
    CHECK_OK(bln_group_levels(&data, 0, levels, &n, NULL));
    CHECK(n == 5 && levels[4] == 9.0);
    CHECK_STATUS(bln_group_levels(&data, 2, levels, &n, &report), BLN_EINVAL);
    CHECK_STATUS(bln_group_levels(NULL, 0, levels, &n, &report), BLN_EINVAL);
    CHECK_STATUS(bln_group_levels(&data, 0, NULL, &n, &report), BLN_EINVAL);
    CHECK_STATUS(bln_group_levels(&data, 0, levels, NULL, &report), BLN_EINVAL);
    data.n = 0;
    CHECK_STATUS(bln_group_levels(&data, 0, levels, &n, &report), BLN_EINVAL);
    data.n = 2;
    CHECK_STATUS(bln_group_levels(&data, 1, levels, &n, &report), BLN_EINVAL);                /* 308, and no group */
    CHECK_TEXT(report.text, "fewer than two");
    CHECK_SIZE(report.column, 1);
    const double bad[] = { 1.5, -HUGE_VAL, 1e300, 0.1 };
    for (size_t k = 0; k < 5; k++) {
        double rows[] = { 1, 2, 3, 4 };
        rows[2] = k < 4 ? bad[k] : BLNI_NAN;
        data.n = 4;
        data.d = 1;
        data.ldx = 0;
        data.X = rows;
        CHECK_STATUS(bln_group_levels(&data, 0, levels, &n, &report), BLN_EDATA);
        CHECK(report.row == 2 && report.column == 0);
        CHECK_TEXT(report.text, "whole number");
    }
}

/* Sizes that no file can hold; levels out of order, reserved or no numbers; a desc that is refused. */
TEST(group, hostile_files)
{
    static const struct { uint64_t d, n; uint32_t slopes, named; double one, two; const char *words; } bad[] = {
        { 0, 2, 0, 0, 1.0, 2.0, "inputs" }, { 1, 1, 0, 0, 1.0, 2.0, "two levels" }, { 1, 2, 1, 0, 1.0, 2.0, "neither" },
        { UINT64_MAX, 2, 0, 0, 1.0, 2.0, "" }, { 1 << 20, 2, 0, 0, 1.0, 2.0, "4096" }, { 2, UINT64_C(1) << 60, 0, 0, 1.0, 2.0, "" },
        { 2, UINT64_MAX, 0, 0, 1.0, 2.0, "" }, { UINT64_C(1) << 60, 2, 0, 0, 1.0, 2.0, "" },
        { 2, 1000, 0, 1, 1.0, 2.0, "" }, { 1, 2, 2, 0, 1.0, 2.0, "flag" }, { 1, 2, 0, 2, 1.0, 2.0, "flag" },
        { 1, 2, 0, 0, 2.0, 1.0, "order" }, { 1, 2, 0, 0, 1.0, 1.0, "order" }, { 1, 2, 0, 0, -1.0, 1.0, "order" },
        { 1, 2, 0, 0, HUGE_VAL, 1.0, "not finite" }, { 1, 2, 0, 1, 1.0, 2.0, "" }
    };
    for (size_t k = 0; k < sizeof bad/sizeof *bad; k++) {
        unsigned char bytes[128];
        bln_memory_stream m;
        bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
        bln_put_string(&w, "group");
        bln_put_u64(&w, bad[k].d);
        bln_put_u64(&w, bad[k].n);
        bln_put_u32(&w, bad[k].slopes);
        bln_put_u32(&w, bad[k].named);
        bln_put_double(&w, bad[k].one);
        bln_put_double(&w, bad[k].two);
        CHECK_OK(w.status);
        const size_t before = test_failures;
        basis_tools_refused(bytes, m.at, bad[k].words);
        if (test_failures != before) printf("    file %u\n", (unsigned)k);
    }
}

TEST(group, errors)
{
    bln_group_desc desc = group_desc(2, 3), bad;
    bln_basis *b = NULL;
    bln_report report;
    test_heap heap;
    static const char *const hole[] = { "a", NULL, "c" };
#define GROUP_BAD(what, status, words) \
    bad = desc; what; CHECK_STATUS(bln_group_create(&bad, &b, &report), status); CHECK_TEXT(report.text, words)
    GROUP_BAD(bad.d = 0, BLN_EINVAL, "inputs");
    GROUP_BAD(bad.n = 0, BLN_EINVAL, "two levels");
    GROUP_BAD(bad.n = 1, BLN_EINVAL, "two levels");
    GROUP_BAD(bad.d = 1; bad.slopes_only = 1, BLN_EINVAL, "neither");
    GROUP_BAD(bad.alloc.alloc = test_heap_alloc, BLN_EINVAL, "allocator");
    GROUP_BAD(bad.names = hole, BLN_EINVAL, "NULL");
    GROUP_BAD(bad.n = (size_t)-1, BLN_EOVERFLOW, "");
    GROUP_BAD(bad.d = 4097, BLN_EINVAL, "4096");
    static const double levels[][3] = { { 1, 1, 2 }, { 3, 2, 4 }, { -1, 2, 3 }, { 1, 2, HUGE_VAL } };
    static const size_t rows[] = { 1, 1, 0, 2 };
    for (size_t k = 0; k < 4; k++) {
        GROUP_BAD(bad.levels = levels[k], BLN_EDATA, "ascending");
        CHECK_SIZE(report.row, rows[k]);
    }
#undef GROUP_BAD
    CHECK_STATUS(bln_group_create(NULL, &b, &report), BLN_EINVAL);
    CHECK_STATUS(bln_group_create(&desc, NULL, &report), BLN_EINVAL);
    desc.alloc = test_heap_allocator(&heap);
    heap.fail_at = 0;
    CHECK_STATUS(bln_group_create(&desc, &b, &report), BLN_ENOMEM);
    CHECK(b == NULL && heap.live == 0);
}

SUITE_BEGIN(group)
    SUITE_TEST(group, features)
    SUITE_TEST(group, pullback)
    SUITE_TEST(group, names)
    SUITE_TEST(group, levels)
    SUITE_TEST(group, hostile_files)
    SUITE_TEST(group, errors)
SUITE_END(group)
