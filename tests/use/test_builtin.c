/* builtin: the lists name everything once, and loaders know what their lists name, and no more */
#include "../test.h"

static int builtin_twice(const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++) if (!strcmp(names[i], names[k])) return 1;
    return 0;
}

TEST(builtin, bases)
{
    const bln_load all = bln_builtin();
    const char *names[32];
    CHECK_SIZE(all.n_bases, 10);
    for (size_t i = 0; i < all.n_bases; i++) {
        names[i] = all.bases[i]->name;
        CHECK(all.bases[i]->save && all.bases[i]->load);
    }
    CHECK(!builtin_twice(names, all.n_bases));
    const bln_basis_ops *const own[] = {
        bln_bias_ops(), bln_linear_ops(), bln_polynomial_ops(), bln_legendre_ops(), bln_radial_ops(), bln_fourier_ops(),
        bln_fourier2_ops(), bln_fastfood_ops(), bln_spectral_ops(), bln_inducing_ops()
    };
    for (size_t i = 0; i < all.n_bases; i++) CHECK(own[i] == all.bases[i]);
}

/* A sum of a bias and a polynomial of one column. */
static bln_basis *builtin_sum(void)
{
    static const size_t column[] = { 1 };
    bln_basis *parts[2] = { NULL, NULL }, *inner = NULL, *sum = NULL;
    CHECK_OK(bln_bias_create(NULL, &parts[0]));
    CHECK_OK(bln_polynomial_create(NULL, 1, 3, 0, 0, &inner));
    CHECK_OK(bln_basis_columns(NULL, 2, 1, column, inner, &parts[1], NULL));
    CHECK_OK(bln_basis_sum(NULL, 2, parts, &sum, NULL));
    return sum;
}

/* Sums and selections are known without; what they are made of must be listed. The first table of a name counts. */
TEST(builtin, a_loader_knows_its_list)
{
    unsigned char bytes[400];
    bln_memory_stream m;
    bln_basis *sum = builtin_sum(), *back = NULL;
    bln_report report;
    const bln_basis_ops *list[3];
    bln_basis_ops other = *bln_bias_ops();
    bln_load load = BLN_ZERO;
    list[0] = bln_bias_ops();
    list[1] = bln_polynomial_ops();
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    bln_basis_save(sum, &w);
    CHECK_OK(w.status);
    const size_t size = m.at;
    for (size_t n = 0; n < 3; n++) {
        bln_reader r = bln_memory_reader(&m, bytes, size, &report);
        bln_report_clear(&report);
        load.bases = list;
        load.n_bases = n;
        const bln_status status = bln_basis_load_any(n ? &load : NULL, &r, &back);
        CHECK_STATUS(status, n == 2 ? BLN_OK : BLN_EUNKNOWN);
        if (n == 2) {
            CHECK(bln_basis_fingerprint(back) == bln_basis_fingerprint(sum));
            bln_basis_free(back);
        } else CHECK_TEXT(report.text, n ? ": \"polynomial\"" : ": \"bias\"");
        back = NULL;
    }
    other.load = NULL;                                   /* one that cannot be loaded is none */
    list[0] = &other;
    list[2] = bln_bias_ops();
    load.n_bases = 3;
    bln_reader r = bln_memory_reader(&m, bytes, size, &report);
    CHECK_OK(bln_basis_load_any(&load, &r, &back));
    bln_basis_free(back);
    bln_basis_free(sum);
}

SUITE_BEGIN(builtin)
    SUITE_TEST(builtin, bases)
    SUITE_TEST(builtin, a_loader_knows_its_list)
SUITE_END(builtin)
