/* test_fastfood - Fastfood features: golden values, the definition, kernels by Monte Carlo, chain rule, seeds, files, errors, and a
 * linear model on them */
#include "basis_tools.h"
#include "../golden/bases_golden.h"
#include "../linear/slm_tools.h"

/* The first radial kernel from this one on; BLNI_N_KERNELS if there is none. */
static int fastfood_kernel(int kernel)
{
    while (kernel < BLNI_N_KERNELS && blni_kernel_find((bln_kernel)kernel)->product) kernel++;
    return kernel;
}
#define FASTFOOD_ALL(step) (int kernel = fastfood_kernel(0); kernel < BLNI_N_KERNELS; kernel = fastfood_kernel(kernel + (step)))
static double fastfood_shape(bln_kernel kernel)
{
    return kernel == BLN_KERNEL_MATERN ? 0.8 : kernel == BLN_KERNEL_RQ ? 1.7 : 0.0;
}

/* The definition: coordinate i of frequency j, with H_jk = (-1)^(ones of j & k). */
static double fastfood_frequency(const blni_fastfood *f, size_t j, size_t i)
{
    const size_t block = j/f->d2*f->d2;
    double sum = 0.0;
    for (size_t k = 0; k < f->d2; k++) {
        int odd = 0;
        for (size_t a = (j - block) & k, b = f->order[block + k] & i; a || b; a /= 2, b /= 2) odd ^= (int)((a ^ b) & 1);
        sum += (odd ? -1.0 : 1.0)*f->g[block + k];
    }
    return f->norm[j]*sum*f->sign[block + i];
}

static bln_fourier_desc fastfood_desc(size_t d, size_t n, bln_kernel kernel, int ard, uint64_t seed)
{
    bln_fourier_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.d = d;
    desc.n = n;
    desc.kernel = kernel;
    desc.shape = fastfood_shape(kernel);
    desc.ard = ard;
    desc.seed = seed;
    return desc;
}

static bln_basis *fastfood_make(size_t d, size_t n, bln_kernel kernel, int ard, uint64_t seed)
{
    const bln_fourier_desc desc = fastfood_desc(d, n, kernel, ard, seed);
    bln_basis *b = NULL;
    CHECK_OK(bln_fastfood_create(&desc, &b, NULL));
    if (!b) exit(2);
    return b;
}

/* A file of one block with d = 3, d2 = n = 4, the pieces of the golden values, and `value` in the place of number `word` if that is
 * below 16: 0-3 signs, 4-7 G, 8-11 norms, 12-15 places. */
static size_t fastfood_file(unsigned char *bytes, size_t size, uint32_t kernel, double shape, size_t word, double value)
{
    bln_memory_stream m;
    bln_writer w = bln_memory_writer(&m, bytes, size);
    double square = 0.0, v[16];
    for (size_t k = 0; k < 4; k++) square += golden_bases_ff_G[k]*golden_bases_ff_G[k];
    for (size_t k = 0; k < 4; k++) {
        v[k] = golden_bases_ff_B[k];
        v[4 + k] = golden_bases_ff_G[k]/sqrt(4.0*square);
        v[8 + k] = golden_bases_ff_rho[k];
        v[12 + k] = golden_bases_ff_perm[k];
    }
    if (word < 16) v[word] = value;
    bln_put_string(&w, "fastfood");
    bln_put_u64(&w, 3);
    bln_put_u64(&w, 4);
    bln_put_u32(&w, kernel);
    bln_put_u32(&w, 1);
    bln_put_double(&w, 0.0);
    bln_put_double(&w, shape);
    bln_put_doubles(&w, 12, v);
    for (size_t k = 12; k < 16; k++) bln_put_u64(&w, v[k] < 0.0 ? UINT64_C(1) << 63 : (uint64_t)v[k]);
    CHECK_OK(w.status);
    return m.at;
}

/* Rounding: two transforms of two additions each, five products, on phases below 8, as in test_fourier. */
TEST(fastfood, golden)
{
    unsigned char bytes[512];
    const bln_load context = basis_tools_context(NULL);
    bln_basis *b = NULL;
    double Phi[32], dtheta[3] = { 0.0, 0.0, 0.0 };
    CHECK_OK(basis_tools_load(&context, bytes, fastfood_file(bytes, sizeof bytes, 0, 0.0, 16, 0.0), 1, &b, NULL));
    if (!b) exit(2);
    for (size_t j = 0; j < 4; j++)
        for (size_t i = 0; i < 3; i++)
            CHECK_NEAR(fastfood_frequency((blni_fastfood *)b, j, i), golden_bases_ff_V[4*j + i], 20*DBL_EPSILON);
    basis_tools_features(b, golden_bases_ell, 4, golden_bases_X, 3, Phi, 8);
    for (size_t i = 0; i < 32; i++) CHECK_GOLD(Phi[i], golden_bases_ff_Phi[i], 1e-13);
    double *work = basis_tools_work(b, 4);
    bln_basis_pullback(b, golden_bases_ell, 4, golden_bases_X, 3, Phi, 8, golden_bases_ff_F, 8, dtheta, NULL, 0, work);
    free(work);
    for (size_t i = 0; i < 3; i++) CHECK_GOLD(dtheta[i]*golden_bases_ell[i], golden_bases_ff_dlogl[i], 1e-12);
    bln_basis_free(b);
}

/* Against the phases by the definition, one frequency at a time, for numbers of inputs on both sides of powers of 2, and for whole
 * and cut blocks. |G| of a block is scaled to 1/sqrt(d2), so that sum_k |g_k| <= 1, and a phase is a sum of terms whose sizes add
 * up to S <= rho_j sum_i |x_i| / l_i at most; by the definition it has d2 + 8 roundings, by transforms fewer: (d2 + 8) eps S in
 * all.
 * Cosines have slope 1; the features' own roundings are 4 eps. */
TEST(fastfood, agrees_with_definition)
{
    static const size_t sizes[][2] = { { 1, 1 }, { 1, 3 }, { 2, 5 }, { 3, 4 }, { 3, 9 }, { 4, 8 }, { 5, 3 }, { 9, 40 }, { 16, 20 },
                                       { 33, 70 } };
    enum { ROWS = 11 };
    test_random r = test_random_new(4);
    for (size_t s = 0; s < sizeof sizes/sizeof *sizes; s++) {
        const size_t d = sizes[s][0], J = sizes[s][1];
        bln_basis *b = fastfood_make(d, J, BLN_KERNEL_MATERN52, 1, s);
        const blni_fastfood *f = (const blni_fastfood *)b;
        double *X = test_doubles(ROWS*d), *theta = test_doubles(d), *Phi = test_doubles(ROWS*2*J), *z = test_doubles(d);
        CHECK_SIZE(b->D, 2*J);
        CHECK_SIZE(f->d2, blni_power_of_two(d));
        for (size_t i = 0; i < d; i++) theta[i] = 0.5 + test_uniform(&r);
        test_fill_normal(&r, ROWS*d, X);
        basis_tools_features(b, theta, ROWS, X, d, Phi, 2*J);
        for (size_t j = 0; j < J; j++) {
            for (size_t i = 0; i < d; i++) z[i] = fastfood_frequency(f, j, i);
            for (size_t row = 0; row < ROWS; row++) {
                double phase = 0.0, size = 0.0;
                for (size_t i = 0; i < d; i++) { phase += z[i]*X[row*d + i]/theta[i]; size += fabs(X[row*d + i])/theta[i]; }
                const double bound = ((double)(f->d2 + 8)*f->norm[j]*size + 4)*DBL_EPSILON;
                CHECK_NEAR(Phi[row*2*J + j]*sqrt((double)J), cos(phase), bound);
                CHECK_NEAR(Phi[row*2*J + J + j]*sqrt((double)J), sin(phase), bound);
            }
        }
        free(X); free(theta); free(Phi); free(z);
        bln_basis_free(b);
    }
}

/* Each frequency has the length that it was given, over all d2 coordinates: the rows of H G P H B have norm sqrt(d2) |G|.
 * An entry by the definition is off by (d2 + 8) eps/2 norm at most, as above; 16 of them by 4 times that: 48 eps, and the rounding
 * of the norm itself. */
TEST(fastfood, norms)
{
    bln_basis *b = fastfood_make(16, 48, BLN_KERNEL_CAUCHY, 0, 3);
    const blni_fastfood *f = (const blni_fastfood *)b;
    for (size_t j = 0; j < 48; j++) {
        double square = 0.0;
        for (size_t i = 0; i < 16; i++) square += fastfood_frequency(f, j, i)*fastfood_frequency(f, j, i);
        CHECK_REL(sqrt(square), f->norm[j], 64*DBL_EPSILON);
    }
    bln_basis_free(b);
}

/* Unbiased for each radial kernel, with inputs that are padded (3 of 4, 5 of 8: norms of d degrees of freedom instead of d2 would
 * show) and not (4), a cut block, length scales other than 1 and directions that are no axis. Over M seeds the mean of the errors
 * is within 5 of its standard deviations, which are estimated from the same draws (Student's t with 199 degrees of freedom: 1e-6);
 * the mean square is that of independent draws [bases 17] times at most 1.8 (measured, see fastfood.h), up to 5 sigma of its own,
 * with an excess kurtosis below 1. */
TEST(fastfood, kernels_by_monte_carlo)
{
    enum { M = 200, J = 66, R = 4, MOST = 5 };
    static const double distance[R] = { 0.3, 1.0, 1.7, 3.0 }, ell[MOST] = { 2.5, 0.4, 30.0, 1.0, 0.01 };
    static const double direction[3][MOST] = { { 0.48, -0.6, 0.64, 0.0, 0.0 }, { 0.5, -0.7, 0.1, 0.5, 0.0 },
                                               { 0.5, -0.3, 0.1, 0.8, 0.1 } };
    double X[(R + 1)*MOST], *Phi = test_doubles((R + 1)*2*J);
    for FASTFOOD_ALL(1)
        for (size_t d = 3; d <= 5; d++) {
            const int ard = (int)(d & 1);
            const double shape = fastfood_shape((bln_kernel)kernel);
            double sum[R] = { 0.0 }, squares[R] = { 0.0 };
            for (size_t i = 0; i < d; i++) {
                X[i] = 0.3*ell[ard ? i : 0];
                for (size_t r = 0; r < R; r++)
                    X[(r + 1)*d + i] = ell[ard ? i : 0]*(0.3 + distance[r]*direction[d - 3][i]);
            }
            for (size_t m = 0; m < M; m++) {
                bln_basis *b = fastfood_make(d, J, (bln_kernel)kernel, ard, 1000*(uint64_t)kernel + m);
                basis_tools_features(b, ell, R + 1, X, d, Phi, 2*J);
                for (size_t r = 0; r < R; r++) {
                    double tau[MOST], twice[MOST];
                    for (size_t i = 0; i < d; i++) { tau[i] = distance[r]*direction[d - 3][i]; twice[i] = 2*tau[i]; }
                    const double k = bln_kernel_at((bln_kernel)kernel, shape, d, tau);
                    const double k2 = bln_kernel_at((bln_kernel)kernel, shape, d, twice);
                    const double z = (bln_dot(2*J, Phi, Phi + (r + 1)*2*J) - k)/sqrt((1 + k2 - 2*k*k)/(2*J));
                    sum[r] += z;
                    squares[r] += z*z;
                }
                bln_basis_free(b);
            }
            for (size_t r = 0; r < R; r++) {
                CHECK_NEAR(sum[r]/M, 0.0, 5*sqrt(squares[r]/M/(M - 1)));
                CHECK_LE(squares[r]/M, 1.8*(1.0 + 5*sqrt(3.0/M)));
            }
        }
    free(Phi);
}

/* phi'phi = 1: see test_fourier. */
TEST(fastfood, unit_norm)
{
    test_random r = test_random_new(3);
    for (size_t J = 1; J < 300; J = 3*J + 1) {
        bln_basis *b = fastfood_make(6, J, BLN_KERNEL_MATERN12, 0, J);
        double X[30], theta = 0.7, *Phi = test_doubles(10*J);
        test_fill_normal(&r, 30, X);
        basis_tools_features(b, &theta, 5, X, 6, Phi, 2*J);
        for (size_t i = 0; i < 5; i++) CHECK_NEAR(bln_dot(2*J, Phi + i*2*J, Phi + i*2*J), 1.0, (double)(J + 6)*DBL_EPSILON);
        free(Phi);
        bln_basis_free(b);
    }
}

/* Steps and noise as in test_fourier, with a rounding more for each doubling of d2; seeds chosen for Matern 1/2, whose largest
 * frequency has no bound. */
TEST(fastfood, pullback)
{
    static const double theta[] = { 0.9, 1.7, 3.1, 0.8, 1.3 };
    for FASTFOOD_ALL(1)
        for (int ard = 0; ard < 2; ard++)
            for (size_t d = 1; d <= 5; d += 2) {
                bln_basis *b = fastfood_make(d, 11, (bln_kernel)kernel, ard, 3);
                basis_tools_pullback(b, theta, 4, 0.5, 1e-3, 100.0, 40 + d);
                basis_tools_blocks(b, theta, 19, 6);
                bln_basis_free(b);
            }
}

/* More rows than a tile, last tile not full. */
TEST(fastfood, pullback_of_many_rows)
{
    static const double theta[] = { 0.9, 1.7, 3.1 };
    bln_basis *b = fastfood_make(3, 4, BLN_KERNEL_RBF, 1, 12);
    basis_tools_pullback(b, theta, 21, 0.6, 1e-3, 100.0, 77);
    bln_basis_free(b);
}

TEST(fastfood, seeds)
{
    for FASTFOOD_ALL(1) {
        bln_basis *b[4];
        static const size_t count[] = { 20, 20, 20, 33 };
        for (size_t k = 0; k < 4; k++) b[k] = fastfood_make(5, count[k], (bln_kernel)kernel, k == 1, k == 2 ? 6 : 5);
        for (size_t j = 0; j < 20; j++)
            for (size_t i = 0; i < 5; i++) {
                double z[4];
                for (size_t k = 0; k < 4; k++) z[k] = fastfood_frequency((const blni_fastfood *)b[k], j, i);
                CHECK(z[0] == z[1] && z[0] == z[3] && z[0] != z[2]);
            }
        for (size_t k = 0; k < 4; k++) bln_basis_free(b[k]);
    }
}

/* Starts and names are those of >>fourier. */
TEST(fastfood, starts_and_names)
{
    static const char *const names[] = { "lat", "lon", "age" };
    static const double mean[] = { 1.0, 2.0, 3.0 }, sd[] = { 3.0, 0.0, 4.0 };
    bln_moments moments;
    moments.n = 100;
    moments.d = 3;
    moments.mean = mean;
    moments.sd = sd;
    for FASTFOOD_ALL(1)
        for (int ard = 0; ard < 2; ard++) {
            bln_fourier_desc desc = fastfood_desc(3, 7, (bln_kernel)kernel, ard, 0);
            bln_basis *b = NULL, *c = NULL;
            char s[40], t[40];
            desc.length_scale = kernel & 1 ? 0.25 : 0.0;
            CHECK_OK(bln_fourier_create(&desc, &c, NULL));
            desc.draws = BLN_DRAWS_FASTFOOD;
            CHECK_OK(bln_fastfood_create(&desc, &b, NULL));
            CHECK_SIZE(b->n_theta, c->n_theta);
            for (size_t k = 0; k < b->n_theta; k++) {
                bln_param p, q;
                bln_basis_param(b, k, &moments, &p);
                bln_basis_param(c, k, &moments, &q);
                CHECK(p.kind == q.kind && p.lo == q.lo && p.hi == q.hi && p.start == q.start && p.group == q.group);
                bln_basis_param_name(b, k, names, s, sizeof s);
                bln_basis_param_name(c, k, names, t, sizeof t);
                CHECK(!strcmp(s, t));
            }
            for (size_t j = 0; j < b->D; j++) {
                bln_basis_feature_name(b, j, names, s, sizeof s);
                bln_basis_feature_name(c, j, names, t, sizeof t);
                CHECK(!strcmp(s, t));
            }
            bln_basis_slice_name(b, 0, names, s, sizeof s);
            CHECK(!strcmp(s, bln_kernel_name((bln_kernel)kernel)));
            bln_basis_free(b);
            bln_basis_free(c);
        }
}

TEST(fastfood, files)
{
    static const double theta[] = { 0.7, 1.9, 1.1 };
    for FASTFOOD_ALL(2) {
        bln_basis *b = fastfood_make(3, 6, (bln_kernel)kernel, kernel & 2, 8);
        basis_tools_file(b, theta, NULL, 0);
        bln_basis_free(b);
    }
}

/* Pieces that are none: a sign that is not +-1, a place outside or twice, a norm that is no number, kernels and shapes. */
TEST(fastfood, forged_files)
{
    static const struct { uint32_t kernel; double shape; size_t word; double value; const char *words; } forged[] = {
        { 0, 0.0, 0, -1.0, NULL },          { 0, 0.0, 0, 0.5, "sign" },              { 0, 0.0, 3, 0.0, "sign" },
        { 0, 0.0, 12, 4.0, "permutation" }, { 0, 0.0, 13, 0.0, "permutation" },      { 0, 0.0, 15, 1e15, "permutation" },
        { 0, 0.0, 12, -1.0, "permutation" }, { 0, 0.0, 14, -1.0, "permutation" },    { 0, 0.0, 5, HUGE_VAL, "not finite" },
        { 0, 0.0, 9, HUGE_VAL, "not finite" },  { 7, 0.0, 16, 0.0, "radial" },       { 8, 0.0, 16, 0.0, "radial" },
        { BLNI_N_KERNELS, 0.0, 16, 0.0, "kernel" }, { UINT32_MAX, 0.0, 16, 0.0, "kernel" },  { 0, 1.0, 16, 0.0, "no shape" },
        { 4, 0.01, 16, 0.0, "shape" },      { 4, 0.7, 16, 0.0, NULL },               { 6, 0.0, 16, 0.0, NULL }
    };
    for (size_t k = 0; k < sizeof forged/sizeof *forged; k++) {
        unsigned char bytes[512];
        test_heap heap;
        const bln_allocator alloc = test_heap_allocator(&heap);
        const bln_load context = basis_tools_context(&alloc);
        bln_report report;
        bln_basis *b = NULL;
        bln_report_clear(&report);
        const size_t n = fastfood_file(bytes, sizeof bytes, forged[k].kernel, forged[k].shape, forged[k].word, forged[k].value);
        CHECK_STATUS(basis_tools_load(&context, bytes, n, 1, &b, &report), forged[k].words ? BLN_EFORMAT : BLN_OK);
        if (forged[k].words) CHECK_TEXT(report.text, forged[k].words);
        bln_basis_free(b);
        CHECK_SIZE(heap.live, 0);
    }
}

/* Sizes that no file can hold. */
TEST(fastfood, hostile_files)
{
    static const uint64_t sizes[][2] = {
        { 0, 4 }, { 4, 0 }, { UINT64_C(1) << 62, 4 }, { 4, UINT64_C(1) << 62 }, { UINT64_C(1) << 32, UINT64_C(1) << 32 },
        { UINT64_MAX, 1 }, { 1, UINT64_MAX }, { (UINT64_C(1) << 63) + 1, 2 }, { UINT64_C(1) << 30, 2 }, { 100, 100 }
    };
    for (size_t k = 0; k < sizeof sizes/sizeof *sizes; k++) {
        unsigned char bytes[256];
        bln_memory_stream m;
        bln_writer w = basis_tools_head(&m, bytes, sizeof bytes, "fastfood", sizes[k][0], sizes[k][1], 0);
        for (int i = 0; i < 10; i++) bln_put_double(&w, i < 2 ? 0.0 : 1.0);
        CHECK_OK(w.status);
        basis_tools_refused(bytes, m.at, NULL);
    }
}

TEST(fastfood, errors)
{
    const bln_fourier_desc desc = fastfood_desc(2, 3, BLN_KERNEL_RBF, 1, 0);
    bln_fourier_desc bad;
    bln_basis *b = NULL;
    bln_report report;
    test_heap heap;
    bln_report_clear(&report);
    CHECK(blni_fastfood_check(&desc) == NULL);
    CHECK_STATUS(bln_fastfood_create(NULL, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "NULL");
    CHECK_STATUS(bln_fastfood_create(&desc, NULL, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "out is NULL");
    bad = desc; bad.d = 0;                              CHECK_STATUS(bln_fastfood_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "d (inputs)");
    bad = desc; bad.n = 0;                              CHECK_STATUS(bln_fastfood_create(&bad, &b, &report), BLN_EINVAL);
    for (int draws = BLN_DRAWS_ORTHOGONAL; draws <= BLN_DRAWS_HALTON; draws++) {
        bad = desc; bad.draws = (bln_draws)draws;       CHECK_STATUS(bln_fastfood_create(&bad, &b, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "draws");
    }
    bad = desc; bad.kernel = BLN_KERNEL_LAPLACE1;       CHECK_STATUS(bln_fastfood_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "radial");
    bad = desc; bad.kernel = BLN_KERNEL_CAUCHY_PRODUCT; CHECK_STATUS(bln_fastfood_create(&bad, &b, &report), BLN_EINVAL);
    bad = desc; bad.kernel = (bln_kernel)BLNI_N_KERNELS; CHECK_STATUS(bln_fastfood_create(&bad, &b, &report), BLN_EINVAL);
    bad = desc; bad.shape = 1.0;                        CHECK_STATUS(bln_fastfood_create(&bad, &b, &report), BLN_EINVAL);
    bad = desc; bad.n = (size_t)-1/2;                   CHECK_STATUS(bln_fastfood_create(&bad, &b, &report), BLN_EOVERFLOW);
    bad = desc; bad.d = (size_t)-1;                     CHECK_STATUS(bln_fastfood_create(&bad, &b, &report), BLN_EOVERFLOW);
    bad = desc; bad.d = (size_t)-1/64;                  CHECK_STATUS(bln_fastfood_create(&bad, &b, &report), BLN_EOVERFLOW);
    bad = desc; bad.alloc = test_heap_allocator(&heap);
    heap.fail_at = 0;
    CHECK_STATUS(bln_fastfood_create(&bad, &b, &report), BLN_ENOMEM);
    CHECK(b == NULL && heap.live == 0);
    heap.calls = 0;
    heap.fail_at = 1;                                   /* one block is all it takes */
    CHECK_OK(bln_fastfood_create(&bad, &b, &report));
    CHECK(bln_fourier_frequencies(b) == NULL);
    bln_basis_free(b);
    CHECK_SIZE(heap.live_bytes, 0);
    bad = desc; bad.draws = BLN_DRAWS_FASTFOOD;         CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "bln_fastfood_create");
}

#ifdef _OPENMP
/* Rows shared out: the bits of one thread. */
TEST(fastfood, threads_give_the_same_bits)
{
    enum { N = 301, DIM = 3, J = 250 };
    static double X[N*DIM], one[N*2*J], many[N*2*J];
    const double theta = 1.9;
    const int before = omp_get_max_threads();
    bln_fourier_desc desc = fastfood_desc(DIM, J, BLN_KERNEL_RBF, 0, 0);
    bln_basis *b = NULL;
    test_random r = test_random_new(3);
    CHECK_OK(bln_fastfood_create(&desc, &b, NULL));
    test_fill_normal(&r, N*DIM, X);
    omp_set_num_threads(1);
    basis_tools_features(b, &theta, N, X, DIM, one, 2*J);
    for (int threads = 2; threads <= 5; threads++) {
        omp_set_num_threads(threads);
        memset(many, 0, sizeof many);
        basis_tools_features(b, &theta, N, X, DIM, many, 2*J);
        CHECK(!memcmp(one, many, sizeof one));
    }
    omp_set_num_threads(before);
    bln_basis_free(b);
}
#endif

/* O(n), not O(d n): four numbers for each frequency, and the head. */
TEST(fastfood, memory)
{
    test_heap heap;
    bln_fourier_desc desc = fastfood_desc(1024, 4096, BLN_KERNEL_RBF, 0, 0);
    bln_basis *b = NULL;
    desc.alloc = test_heap_allocator(&heap);
    CHECK_OK(bln_fastfood_create(&desc, &b, NULL));
    CHECK_LE((double)heap.peak_bytes, 4.0*4096.0*8.0 + 1024.0);
    CHECK_LE((double)bln_basis_work(b, 100000), 3.0*8.0*1024.0*BLNI_PIECES_APART);
    bln_basis_free(b);
}

/* Evidence of a linear model on the features: its gradient by the length scales against central differences, primal and dual.
 * Steps and tolerance as in test_slm. */
TEST(fastfood, evidence_gradient)
{
    for (int form = BLN_SLM_PRIMAL; form <= BLN_SLM_DUAL; form++) {
        bln_data data = slm_make(25, 5, 9, 0);
        bln_basis *b = slm_parse("matern32:n=12,ard,draws=fastfood+rbf:n=5,draws=fastfood,cols=0;3;4+linear", 5, 5);
        double theta[8], prior[3] = { 0.7, 1.9, 0.2 }, noise = 0.2, d_theta[8], size = 0.0;
        CHECK_SIZE(b->n_theta, 6);
        for (size_t t = 0; t < b->n_theta; t++) theta[t] = 0.8 + 0.3*(double)t;
        const bln_slm_desc desc = slm_desc(b, (bln_slm_form)form);
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_evidence_at(slm, &data, noise, prior, theta, NULL, NULL, NULL, d_theta, NULL));
        for (size_t t = 0; t < b->n_theta; t++) size = fmax(size, fabs(d_theta[t]*theta[t]));
        for (size_t t = 0; t < b->n_theta; t++)
            CHECK_NEAR(d_theta[t]*theta[t], slm_slope(slm, &data, &noise, prior, theta, theta + t), 1e-6*size);
        bln_slm_free(slm);
        bln_basis_free(b);
        slm_free_data(&data);
    }
}

SUITE_BEGIN(fastfood)
#ifdef _OPENMP
    SUITE_TEST(fastfood, threads_give_the_same_bits)
#endif
    SUITE_TEST(fastfood, golden)
    SUITE_TEST(fastfood, agrees_with_definition)
    SUITE_TEST(fastfood, norms)
    SUITE_TEST(fastfood, kernels_by_monte_carlo)
    SUITE_TEST(fastfood, unit_norm)
    SUITE_TEST(fastfood, pullback)
    SUITE_TEST(fastfood, pullback_of_many_rows)
    SUITE_TEST(fastfood, seeds)
    SUITE_TEST(fastfood, starts_and_names)
    SUITE_TEST(fastfood, files)
    SUITE_TEST(fastfood, forged_files)
    SUITE_TEST(fastfood, hostile_files)
    SUITE_TEST(fastfood, errors)
    SUITE_TEST(fastfood, memory)
    SUITE_TEST(fastfood, evidence_gradient)
SUITE_END(fastfood)
