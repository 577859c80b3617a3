/* test_polynomial - bias, linear, polynomial and Legendre bases: golden values, monomials against their definition, low words
 * against rational arithmetic, orthogonality, chain rule, names, files, errors */
#include "basis_tools.h"
#include "../golden/bases_golden.h"

TEST(polynomial, golden)
{
    bln_basis *b = NULL;
    double Phi[40];
    CHECK_OK(bln_polynomial_create(NULL, 3, 3, 1, 0, &b));
    CHECK_SIZE(b->D, 10);
    basis_tools_features(b, NULL, 4, golden_bases_X, 3, Phi, 10);
    /* Two products at most: relative error below 2 eps/2, and half an eps of the golden value's own rounding. */
    for (size_t i = 0; i < 40; i++) CHECK_REL(Phi[i], golden_bases_poly3[i], 1.5*DBL_EPSILON);
    bln_basis_free(b);
}

TEST(polynomial, bias_and_linear)
{
    static const double X[] = { 1.5, -2.0, 0.25, 4.0 };
    bln_basis *b = NULL;
    double Phi[6];
    CHECK_OK(bln_bias_create(NULL, &b));
    CHECK(b->d == 0 && b->D == 1 && b->n_slices == 1 && b->n_theta == 0);
    basis_tools_features(b, NULL, 2, NULL, 0, Phi, 1);
    CHECK(Phi[0] == 1.0 && Phi[1] == 1.0);
    bln_basis_free(b);
    CHECK_OK(bln_linear_create(NULL, 2, 1, &b));
    CHECK_SIZE(b->D, 3);
    basis_tools_features(b, NULL, 2, X, 2, Phi, 3);
    CHECK(Phi[0] == 1.0 && Phi[1] == 1.5 && Phi[2] == -2.0 && Phi[3] == 1.0 && Phi[4] == 0.25 && Phi[5] == 4.0);
    bln_basis_free(b);
    CHECK_OK(bln_linear_create(NULL, 2, 0, &b));
    CHECK_SIZE(b->D, 2);
    basis_tools_features(b, NULL, 2, X, 2, Phi, 2);
    CHECK(Phi[0] == 1.5 && Phi[1] == -2.0 && Phi[2] == 0.25 && Phi[3] == 4.0);
    bln_basis_free(b);
}

/* The name of a monomial as powers: "x0^2 x2" -> { 2, 0, 1 }. */
static void polynomial_powers(const char *name, size_t d, size_t *power)
{
    for (size_t i = 0; i < d; i++) power[i] = 0;
    while (*name == 'x') {
        char *end;
        const unsigned long i = strtoul(name + 1, &end, 10);
        CHECK(i < d);
        if (i >= d) return;
        power[i] = *end == '^' ? (size_t)strtoul(end + 1, &end, 10) : 1;
        name = *end ? end + 1 : end;
    }
}

/* Each feature is the product of the powers that its name says; names are all different; degrees do not fall; and there are C(d+P,
 * P) of them: so all monomials are there, once. */
TEST(polynomial, monomials_by_definition)
{
    static const size_t dims[] = { 1, 2, 3, 5 }, degrees[] = { 1, 2, 3, 6 }, count[4][4] = {
        { 2, 3, 4, 7 }, { 3, 6, 10, 28 }, { 4, 10, 20, 84 }, { 6, 21, 56, 462 }       /* Pascal's triangle */
    };
    test_random r = test_random_new(11);
    for (size_t a = 0; a < 4; a++)
        for (size_t e = 0; e < 4; e++)
            for (int ones = 0; ones < 2; ones++)
                for (int products = 0; products < 2; products++) {
                    const size_t d = dims[a], P = degrees[e], D = (products ? count[a][e] - 1 : d*P) + (size_t)ones;
                    bln_basis *b = NULL;
                    double x[5], phi[462];
                    size_t before = 0;
                    CHECK_OK(bln_polynomial_create(NULL, d, P, ones, products, &b));
                    CHECK_SIZE(b->D, D);
                    if (b->D != D) { bln_basis_free(b); continue; }
                    test_fill_normal(&r, d, x);
                    basis_tools_features(b, NULL, 1, x, d, phi, D);
                    for (size_t j = 0; j < D; j++) {
                        char name[80], other[80];
                        size_t power[5], total = 0;
                        double want = 1.0;
                        bln_basis_feature_name(b, j, NULL, name, sizeof name);
                        polynomial_powers(name, d, power);
                        for (size_t i = 0; i < d; i++) { want *= pow(x[i], (double)power[i]); total += power[i]; }
                        /* P products here, d powers and d products there. */
                        CHECK_REL(phi[j], want, 2*(double)(P + d)*DBL_EPSILON);
                        CHECK(total > 0 || (ones && j == 0 && !strcmp(name, "1")));
                        if (products) CHECK(total >= before);
                        before = total;
                        if (j) { bln_basis_feature_name(b, j/2, NULL, other, sizeof other); CHECK(strcmp(name, other)); }
                    }
                    bln_basis_free(b);
                }
}

/* As tables show them: with the names of the inputs or without, cut to the space there is. */
TEST(polynomial, names)
{
    static const char *const names[] = { "age", "income" };
    static const char *const want[] = { "1", "age", "income", "age^2", "age income", "income^2", "age^3", "age^2 income",
                                        "age income^2", "income^3" };
    char s[40];
    bln_basis *b = NULL;
    CHECK_OK(bln_polynomial_create(NULL, 2, 3, 1, 1, &b));
    for (size_t j = 0; j < 10; j++) {
        bln_basis_feature_name(b, j, names, s, sizeof s);
        CHECK(!strcmp(s, want[j]));
    }
    bln_basis_feature_name(b, 7, names, s, 6);
    CHECK(!strcmp(s, "age^2"));                                    /* cut, and still a string */
    bln_basis_feature_name(b, 7, names, s, 1);
    CHECK(!strcmp(s, ""));
    bln_basis_slice_name(b, 0, names, s, sizeof s);
    CHECK(!strcmp(s, "polynomial"));
    bln_basis_free(b);
    CHECK_OK(bln_polynomial_create(NULL, 2, 2, 0, 0, &b));
    bln_basis_feature_name(b, 3, names, s, sizeof s);
    CHECK(!strcmp(s, "income^2"));
    bln_basis_feature_name(b, 0, NULL, s, sizeof s);
    CHECK(!strcmp(s, "x0"));
    bln_basis_free(b);
    CHECK_OK(bln_linear_create(NULL, 2, 1, &b));
    bln_basis_feature_name(b, 0, names, s, sizeof s); CHECK(!strcmp(s, "1"));
    bln_basis_feature_name(b, 2, names, s, sizeof s); CHECK(!strcmp(s, "income"));
    bln_basis_free(b);
}

/* Rounding of one feature: at most P products, each half an eps; of the sum: n D halves. */
TEST(polynomial, pullback)
{
    for (size_t d = 1; d <= 3; d++)
        for (size_t P = 1; P <= 4; P++)
            for (int form = 0; form < 4; form++) {
                bln_basis *b = NULL;
                CHECK_OK(bln_polynomial_create(NULL, d, P, form & 1, form >> 1, &b));
                basis_tools_pullback(b, NULL, 3, 0.8, 1e-2, (double)(P + 3*b->D), 20 + d);
                basis_tools_blocks(b, NULL, 9, 5);
                bln_basis_free(b);
            }
    for (int ones = 0; ones < 2; ones++) {
        bln_basis *b = NULL;
        CHECK_OK(bln_linear_create(NULL, 3, ones, &b));
        basis_tools_pullback(b, NULL, 3, 0.8, 1e-2, 12.0, 30);
        bln_basis_free(b);
    }
}

TEST(polynomial, files)
{
    bln_basis *b = NULL;
    CHECK_OK(bln_bias_create(NULL, &b));
    basis_tools_file(b, NULL, NULL, 0);
    bln_basis_free(b);
    for (int ones = 0; ones < 2; ones++) {
        CHECK_OK(bln_linear_create(NULL, 3, ones, &b));
        basis_tools_file(b, NULL, NULL, 0);
        bln_basis_free(b);
        for (int products = 0; products < 2; products++) {
            CHECK_OK(bln_polynomial_create(NULL, 3, 4, ones, products, &b));
            basis_tools_file(b, NULL, NULL, 0);
            bln_basis_free(b);
        }
    }
}

TEST(polynomial, errors)
{
    const size_t huge = (size_t)-1;
    bln_basis *b = NULL;
    test_heap heap;
    bln_allocator alloc = test_heap_allocator(&heap), half = alloc;
    half.release = NULL;
    CHECK_STATUS(bln_linear_create(NULL, 0, 0, &b), BLN_EINVAL);
    CHECK_STATUS(bln_linear_create(NULL, huge, 1, &b), BLN_EOVERFLOW);
    CHECK_STATUS(bln_polynomial_create(NULL, 0, 2, 1, 0, &b), BLN_EINVAL);
    CHECK_STATUS(bln_polynomial_create(NULL, 2, 0, 1, 0, &b), BLN_EINVAL);
    CHECK_STATUS(bln_polynomial_create(NULL, huge/2, 3, 1, 0, &b), BLN_EOVERFLOW);
    CHECK_STATUS(bln_polynomial_create(NULL, huge/4, 2, 1, 0, &b), BLN_EOVERFLOW);
    CHECK_STATUS(bln_polynomial_create(NULL, 1000, 1000, 1, 1, &b), BLN_EOVERFLOW);
    CHECK_STATUS(bln_polynomial_create(NULL, huge, 1, 1, 1, &b), BLN_EOVERFLOW);
    CHECK_STATUS(bln_bias_create(&half, &b), BLN_EINVAL);
    heap.fail_at = 0;
    CHECK_STATUS(bln_bias_create(&alloc, &b), BLN_ENOMEM);
    CHECK_STATUS(bln_linear_create(&alloc, 2, 1, &b), BLN_ENOMEM);
    CHECK_STATUS(bln_polynomial_create(&alloc, 2, 2, 1, 1, &b), BLN_ENOMEM);
    CHECK(b == NULL && heap.live == 0);
}

/* Binomials that are exact although their steps' products would overflow. */
TEST(polynomial, choose)
{
    CHECK_SIZE(blni_choose(5, 0), 1);
    CHECK_SIZE(blni_choose(5, 5), 1);
    CHECK_SIZE(blni_choose(10, 3), 120);
    CHECK_SIZE(blni_choose(34, 17), 2333606220u);
    CHECK_SIZE(blni_choose((size_t)-1, 1), (size_t)-1);
    CHECK_SIZE(blni_choose(300, 150), (size_t)-1);
    if (sizeof(size_t) > 4) CHECK(blni_choose(66, 33) == (size_t)UINT64_C(7219428434016265740));
}

/* ---- low words ---- */

static void polynomial_low(const bln_basis *b, size_t n, const double *X, double *Phi, double *Low)
{
    const size_t D = b->D, ld = D + 2;
    double *P = test_doubles(n*ld), *L = test_doubles(n*ld), *work = basis_tools_work(b, n);
    basis_tools_features(b, NULL, n, X, b->d, Phi, D);
    for (size_t i = 0; i < n*ld; i++) { P[i] = BLNI_NAN; L[i] = -7.0; }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < D; j++) P[i*ld + j] = Phi[i*D + j];
    CHECK(blni_basis_features_low(b, NULL, n, X, b->d, P, ld, L, ld, work) == 1);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < D; j++) Low[i*D + j] = L[i*ld + j];
        CHECK(L[i*ld + D] == -7.0 && L[i*ld + D + 1] == -7.0);
    }
    free(P); free(L); free(work);
}

/* Phi + Low is the monomial of total degree P within P^2 2^-106: Low may be off by that, and by half a unit of the golden value's
 * own rounding. Without the low words the error is up to P 2^-53: a million billion times more. */
static void polynomial_low_near(double low, double want, double phi, size_t P)
{
    CHECK_NEAR(low, want, (double)(P*P)*ldexp(fabs(phi), -106) + 0.5*DBL_EPSILON*fabs(want));
    CHECK_LE(fabs(low), 1.01*(double)P*ldexp(fabs(phi), -53));
}

TEST(polynomial, low_words_of_powers)
{
    enum { N = sizeof golden_low_powers_x/sizeof(double), P = 12 };
    bln_basis *b = NULL;
    double Phi[N*13], Low[N*13];
    for (int ones = 0; ones < 2; ones++) {
        CHECK_OK(bln_polynomial_create(NULL, 1, P, ones, 0, &b));
        polynomial_low(b, N, golden_low_powers_x, Phi, Low);
        for (size_t i = 0; i < N; i++) {
            const double *phi = Phi + i*b->D, *low = Low + i*b->D;
            if (ones) CHECK(*low++ == 0.0 && *phi++ == 1.0);
            for (size_t k = 0; k < P; k++) polynomial_low_near(low[k], golden_low_powers[i*P + k], phi[k], k + 1);
        }
        bln_basis_free(b);
    }
}

TEST(polynomial, low_words_of_products)
{
    enum { N = 3, D = 34 };
    bln_basis *b = NULL;
    double Phi[N*D], Low[N*D];
    CHECK_OK(bln_polynomial_create(NULL, 3, 4, 0, 1, &b));
    CHECK_SIZE(b->D, D);
    polynomial_low(b, N, golden_low_products_x, Phi, Low);
    for (size_t i = 0; i < N*D; i++) polynomial_low_near(Low[i], golden_low_products[i], Phi[i], 4);
    bln_basis_free(b);
}

/* The error of one product is exact: with whole numbers of 53 bits, high and low half of the 106-bit product by integers. */
TEST(polynomial, product_error)
{
    test_random r = test_random_new(77);
    for (int k = 0; k < 2000; k++) {
        const uint64_t a = (uint64_t)(test_uniform(&r)*9007199254740992.0) | 1;
        const uint64_t b = (uint64_t)(test_uniform(&r)*9007199254740992.0) | 1;
        const double x = (double)a, y = (double)b, p = x*y, e = blni_product_error(x, y, p);
        /* p and e as integers modulo 2^64: both are whole, and p is a multiple of a power of 2 that fmod finds. */
        const uint64_t p_low = (uint64_t)fmod(p, 18446744073709551616.0);
        const uint64_t e_low = e < 0.0 ? 0 - (uint64_t)-e : (uint64_t)e;
        CHECK(p_low + e_low == a*b);
        CHECK_LE(fabs(e), 0.5*DBL_EPSILON*p);
    }
}

/* Where errors are no doubles there are no low words, and never anything else than a number. */
TEST(polynomial, low_words_at_the_ends)
{
    static const double X[] = { 1e-200, 1e200, -1e305, 4e-308, 1e-320, 0.0, -0.0 };
    bln_basis *b = NULL;
    double Phi[14], Low[14];
    for (int products = 0; products < 2; products++) {
        CHECK_OK(bln_polynomial_create(NULL, 1, 2, 0, products, &b));
        polynomial_low(b, 7, X, Phi, Low);
        for (size_t i = 0; i < 14; i++) CHECK(Low[i] == 0.0);
        bln_basis_free(b);
    }
}

TEST(polynomial, low_words_of_bias_and_linear)
{
    static const double X[] = { 0.1, 0.2, 0.3, 0.4 };
    bln_basis *b = NULL;
    double Phi[6], Low[6];
    CHECK_OK(bln_bias_create(NULL, &b));
    polynomial_low(b, 2, X, Phi, Low);
    CHECK(Low[0] == 0.0 && Low[1] == 0.0);
    bln_basis_free(b);
    for (int ones = 0; ones < 2; ones++) {
        CHECK_OK(bln_linear_create(NULL, 2, ones, &b));
        polynomial_low(b, 2, X, Phi, Low);
        for (size_t i = 0; i < 2*b->D; i++) CHECK(Low[i] == 0.0);
        bln_basis_free(b);
    }
    CHECK_OK(bln_legendre_create(NULL, 2, 3, 0, NULL, NULL, &b));
    Low[0] = 5.0;
    CHECK(blni_basis_features_low(b, NULL, 1, X, 2, Phi, 6, Low, 6, NULL) == 0 && Low[0] == 5.0);
    bln_basis_free(b);
}

/* ---- Legendre ---- */

/* k recurrence steps of 5 roundings each, of values up to sqrt(2k+1) in the end. */
TEST(polynomial, legendre_golden)
{
    enum { P = 6 };
    bln_basis *b = NULL;
    CHECK_OK(bln_legendre_create(NULL, 1, P, 1, NULL, NULL, &b));
    CHECK_SIZE(b->D, P + 1);
    for (size_t i = 0; i < 4; i++) {
        const double *row = golden_bases_legendre + i*(P + 2);
        double Phi[P + 1];
        basis_tools_features(b, NULL, 1, row, 1, Phi, P + 1);
        for (size_t k = 0; k <= P; k++) CHECK_NEAR(Phi[k], row[1 + k], 5*(double)k*sqrt(2.0*(double)k + 1)*DBL_EPSILON);
    }
    bln_basis_free(b);
}

/* Orthonormal under the uniform distribution on [lo, hi]: the midpoint rule with N points has an error below (slopes up to k^2
 * sqrt(2k+1) 2) 30 P^5/N^2. The ends are mapped exactly. */
TEST(polynomial, legendre_is_orthonormal)
{
    enum { P = 8, N = 40000 };
    const double lo = 0.3, hi = 17.1;
    double G[(P + 1)*(P + 1)], phi[P + 1];
    bln_basis *b = NULL;
    CHECK_OK(bln_legendre_create(NULL, 1, P, 1, &lo, &hi, &b));
    memset(G, 0, sizeof G);
    for (size_t i = 0; i < N; i++) {
        const double x = lo + (hi - lo)*((double)i + 0.5)/N;
        basis_tools_features(b, NULL, 1, &x, 1, phi, P + 1);
        for (size_t j = 0; j <= P; j++)
            for (size_t k = 0; k <= P; k++) G[j*(P + 1) + k] += phi[j]*phi[k]/N;
    }
    for (size_t j = 0; j <= P; j++)
        for (size_t k = 0; k <= P; k++) CHECK_NEAR(G[j*(P + 1) + k], j == k, 30*32768.0/N/N);
    basis_tools_features(b, NULL, 1, &hi, 1, phi, P + 1);
    for (size_t k = 0; k <= P; k++) CHECK_REL(phi[k], sqrt(2.0*(double)k + 1), DBL_EPSILON);
    basis_tools_features(b, NULL, 1, &lo, 1, phi, P + 1);
    for (size_t k = 0; k <= P; k++) CHECK_REL(phi[k], (k & 1 ? -1 : 1)*sqrt(2.0*(double)k + 1), DBL_EPSILON);
    bln_basis_free(b);
}

/* Outside it extrapolates: P_3(2) = 17, and the leading term far out. */
TEST(polynomial, legendre_outside)
{
    const double x[] = { 2.0, 1e6 };
    double phi[6];
    bln_basis *b = NULL;
    CHECK_OK(bln_legendre_create(NULL, 1, 3, 0, NULL, NULL, &b));
    basis_tools_features(b, NULL, 2, x, 1, phi, 3);
    CHECK_REL(phi[2], 17.0*sqrt(7.0), 4*DBL_EPSILON);
    CHECK_REL(phi[5], 2.5e18*sqrt(7.0), 1e-11);
    bln_basis_free(b);
}

/* Input-major, each input by its own range; noise: see legendre_golden. */
TEST(polynomial, legendre_pullback)
{
    static const double lo[] = { -2.0, 0.0, -1.5 }, hi[] = { 2.0, 5.0, 9.0 };
    for (size_t d = 1; d <= 3; d++)
        for (size_t P = 1; P <= 6; P++)
            for (int ones = 0; ones < 2; ones++) {
                bln_basis *b = NULL, *first = NULL;
                double x[3] = { 0.7, -0.3, 2.0 }, phi[19], one[7];
                CHECK_OK(bln_legendre_create(NULL, d, P, ones, lo, hi, &b));
                basis_tools_pullback(b, NULL, 3, 0.8, 1e-2, 5.0*(double)P*(double)P + 3.0*(double)b->D, 20 + d);
                basis_tools_blocks(b, NULL, 9, 5);
                basis_tools_features(b, NULL, 1, x, 3, phi, b->D);
                CHECK_OK(bln_legendre_create(NULL, 1, P, 0, lo + d - 1, hi + d - 1, &first));
                basis_tools_features(first, NULL, 1, x + d - 1, 1, one, P);
                CHECK(!memcmp(phi + b->D - P, one, P*sizeof *one));
                bln_basis_free(b);
                bln_basis_free(first);
            }
}

TEST(polynomial, legendre_names_files_errors)
{
    static const char *const names[] = { "age", "income" };
    static const double lo[] = { -2.0, 1.0 }, hi[] = { 2.0, 5.0 }, equal[] = { 2.0, 1.0 }, odd[] = { 2.0, BLNI_NAN };
    static const double below[] = { -1e308, -1e308 }, above[] = { 1e308, 1e308 };
    const size_t huge = (size_t)-1;
    char s[40];
    bln_basis *b = NULL;
    test_heap heap;
    bln_allocator alloc = test_heap_allocator(&heap);
    for (int ones = 0; ones < 2; ones++) {
        CHECK_OK(bln_legendre_create(NULL, 2, 3, ones, lo, hi, &b));
        basis_tools_file(b, NULL, NULL, 0);
        bln_basis_feature_name(b, (size_t)ones + 4, names, s, sizeof s);
        CHECK(!strcmp(s, "P2(income)"));
        bln_basis_slice_name(b, 0, names, s, sizeof s);
        CHECK(!strcmp(s, "legendre"));
        bln_basis_free(b);
    }
    b = NULL;
    CHECK_STATUS(bln_legendre_create(NULL, 0, 2, 1, NULL, NULL, &b), BLN_EINVAL);
    CHECK_STATUS(bln_legendre_create(NULL, 2, 0, 1, NULL, NULL, &b), BLN_EINVAL);
    CHECK_STATUS(bln_legendre_create(NULL, 2, 2, 1, lo, NULL, &b), BLN_EINVAL);
    CHECK_STATUS(bln_legendre_create(NULL, 2, 2, 1, NULL, hi, &b), BLN_EINVAL);
    CHECK_STATUS(bln_legendre_create(NULL, 2, 2, 1, lo, equal, &b), BLN_EDOMAIN);
    CHECK_STATUS(bln_legendre_create(NULL, 2, 2, 1, lo, odd, &b), BLN_EDOMAIN);
    CHECK_STATUS(bln_legendre_create(NULL, 2, 2, 1, below, above, &b), BLN_EDOMAIN);
    CHECK_STATUS(bln_legendre_create(NULL, huge/2, 3, 1, NULL, NULL, &b), BLN_EOVERFLOW);
    CHECK_STATUS(bln_legendre_create(NULL, huge/4, 1, 1, NULL, NULL, &b), BLN_EOVERFLOW);
    heap.fail_at = 0;
    CHECK_STATUS(bln_legendre_create(&alloc, 2, 2, 1, NULL, NULL, &b), BLN_ENOMEM);
    CHECK(b == NULL && heap.live == 0);
    for (int k = 0; k < 4; k++) {                                   /* forged: ends that are none, sizes that no file holds */
        unsigned char bytes[128];
        bln_memory_stream m;
        bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
        const bln_load context = basis_tools_context(&alloc);
        heap.fail_at = (size_t)-1;
        heap.peak_bytes = 0;
        bln_put_string(&w, "legendre");
        bln_put_u64(&w, k < 2 ? 1 : k == 2 ? UINT64_C(1) << 61 : 1000);
        bln_put_u64(&w, 3);
        bln_put_u32(&w, 1);
        bln_put_double(&w, k == 0 ? 1.0 : -HUGE_VAL);
        bln_put_double(&w, 1.0);
        CHECK_STATUS(basis_tools_load(&context, bytes, m.at, k & 1, &b, NULL), BLN_EFORMAT);
        CHECK(b == NULL && heap.live == 0);
        CHECK_LE((double)heap.peak_bytes, 65536.0);
    }
}

SUITE_BEGIN(polynomial)
    SUITE_TEST(polynomial, golden)
    SUITE_TEST(polynomial, bias_and_linear)
    SUITE_TEST(polynomial, monomials_by_definition)
    SUITE_TEST(polynomial, names)
    SUITE_TEST(polynomial, pullback)
    SUITE_TEST(polynomial, files)
    SUITE_TEST(polynomial, errors)
    SUITE_TEST(polynomial, choose)
    SUITE_TEST(polynomial, low_words_of_powers)
    SUITE_TEST(polynomial, low_words_of_products)
    SUITE_TEST(polynomial, product_error)
    SUITE_TEST(polynomial, low_words_at_the_ends)
    SUITE_TEST(polynomial, low_words_of_bias_and_linear)
    SUITE_TEST(polynomial, legendre_golden)
    SUITE_TEST(polynomial, legendre_is_orthonormal)
    SUITE_TEST(polynomial, legendre_outside)
    SUITE_TEST(polynomial, legendre_pullback)
    SUITE_TEST(polynomial, legendre_names_files_errors)
SUITE_END(polynomial)
