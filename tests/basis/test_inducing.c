/* test_inducing - inducing points: the Nystroem approximation by its definition, the chain rule through the factor, bound and
 * unbound, points that coincide, files, errors. Choosing points: test_inducing_select.c; the evidence: test_slm_inducing.c. */
#include "basis_tools.h"

enum { INDUCING_KERNELS = BLNI_N_KERNELS };

static double inducing_shape(int kernel)
{
    return kernel == BLN_KERNEL_MATERN ? 1.6 : kernel == BLN_KERNEL_RQ ? 1.7 : 0.0;
}

/* What stands on the diagonal of U'U beside k(z, z) = 1. */
static double inducing_tau(const bln_basis *bound)
{
    const double u = ((const blni_inducing *)bound)->U[0];
    return u*u - 1.0;
}

static bln_inducing_desc inducing_desc(size_t d, size_t m, const double *points, int kernel, int ard, int learn)
{
    bln_inducing_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.d = d;
    desc.n = m;
    desc.points = points;
    desc.kernel = (bln_kernel)kernel;
    desc.shape = inducing_shape(kernel);
    desc.ard = ard;
    desc.learn_points = learn;
    return desc;
}

static bln_basis *inducing_make(size_t d, size_t m, const double *points, int kernel, int ard, int learn)
{
    const bln_inducing_desc desc = inducing_desc(d, m, points, kernel, ard, learn);
    bln_basis *b = NULL;
    CHECK_OK(bln_inducing_create(&desc, &b, NULL));
    if (!b) exit(2);
    return b;
}

/* Seven points in three dimensions, far enough from each other for a factor of modest condition. */
static const double inducing_points[7*3] = {
    0.9, 0.1, -0.3,   -1.2, 0.4, 0.7,   0.2, 1.5, -1.1,   -0.4, -1.3, -0.8,   1.6, -0.7, 1.2,   -1.9, -0.6, -1.4,   0.3, 0.2, 2.1
};

/* A bound copy in memory of exactly the size that is asked for, so that a sanitizer sees what goes beyond it. */
typedef struct inducing_bound { double *room; const bln_basis *at; } inducing_bound;

static inducing_bound inducing_bind(const bln_basis *b, const double *theta)
{
    const size_t size = bln_basis_room(b);
    inducing_bound bound;
    bound.room = test_doubles(size);
    for (size_t i = 0; i < size; i++) bound.room[i] = BLNI_NAN;
    bound.at = bln_basis_bind(b, theta, bound.room);
    return bound;
}

static double inducing_pair(int kernel, size_t d, const double *theta, int ard, const double *a, const double *b)
{
    double tau[8];
    for (size_t i = 0; i < d; i++) tau[i] = (a[i] - b[i])/theta[ard ? i : 0];
    return bln_kernel_at((bln_kernel)kernel, inducing_shape(kernel), d, tau);
}

/* Solves A x = b for m <= 8 by Gaussian elimination with pivots, in long double: not the way the code under test goes. */
static void inducing_solve(size_t m, const double *A, const double *b, double *x)
{
    long double M[8][9];
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) M[i][j] = A[i*m + j];
        M[i][m] = b[i];
    }
    for (size_t c = 0; c < m; c++) {
        size_t p = c;
        for (size_t i = c + 1; i < m; i++) if (fabs((double)M[i][c]) > fabs((double)M[p][c])) p = i;
        for (size_t j = 0; j <= m; j++) { const long double t = M[c][j]; M[c][j] = M[p][j]; M[p][j] = t; }
        for (size_t i = 0; i < m; i++) {
            const long double f = i == c ? 0 : M[i][c]/M[c][c];
            for (size_t j = c; j <= m && i != c; j++) M[i][j] -= f*M[c][j];
        }
    }
    for (size_t i = 0; i < m; i++) x[i] = (double)(M[i][m]/M[i][i]);
}

/* phi(x)'phi(x') = k(x, Z) (k(Z, Z) + tau I)^-1 k(Z, x'); at a point it is the kernel, but for tau. The condition number of k(Z, Z)
 * is below 1e3 here: 1e-12 is 7 m times what it makes of eps. */
TEST(inducing, by_definition)
{
    static const double theta[] = { 0.8, 1.7, 1.1 };
    for (int kernel = 0; kernel < INDUCING_KERNELS; kernel++) for (int ard = 0; ard < 2; ard++) {
        enum { N = 5, M = 7 };
        bln_basis *b = inducing_make(3, M, inducing_points, kernel, ard, 0);
        test_random r = test_random_new((uint64_t)kernel);
        double X[N*3], Phi[N*M], A[M*M], k[M], w[M];
        test_fill_normal(&r, N*3, X);
        for (size_t i = 0; i < 3; i++) X[i] = inducing_points[2*3 + i];
        basis_tools_features(b, theta, N, X, 3, Phi, M);
        for (size_t i = 0; i < M*M; i++)
            A[i] = inducing_pair(kernel, 3, theta, ard, inducing_points + i/M*3, inducing_points + i%M*3) + (i/M == i%M)*M*1e-13;
        for (size_t i = 0; i < N; i++) {
            for (size_t j = 0; j < M; j++) k[j] = inducing_pair(kernel, 3, theta, ard, inducing_points + j*3, X + i*3);
            inducing_solve(M, A, k, w);
            for (size_t l = 0; l < N; l++) {
                double want = 0.0, got = 0.0;
                for (size_t j = 0; j < M; j++) {
                    want += inducing_pair(kernel, 3, theta, ard, inducing_points + j*3, X + l*3)*w[j];
                    got += Phi[i*M + j]*Phi[l*M + j];
                }
                CHECK_NEAR(got, want, 1e-12);
                if (i == 0) CHECK_NEAR(got, inducing_pair(kernel, 3, theta, ard, X, X + l*3), 1e-12);
                if (i == l) CHECK_LE(got, 1.0 + 1e-12);
            }
        }
        CHECK(bln_basis_variance(b, 0) == 1.0 && bln_basis_variance(b, 1) == 0.0);
        bln_basis_free(b);
    }
}

/* All parameters and inputs against differences. The rounding of L is that of the features, which the factor makes of the kernel's:
 * 1e4 eps for condition numbers up to 1e3. */
TEST(inducing, pullback)
{
    double theta[3 + 7*3];
    for (size_t i = 0; i < 7*3; i++) theta[3 + i] = 1.01*inducing_points[i];
    for (int kernel = 0; kernel < INDUCING_KERNELS; kernel++) {
        const int ard = kernel != 2, learn = kernel < 4;
        bln_basis *b = inducing_make(3, 7, inducing_points, kernel, ard, learn);
        double *at = theta + (ard ? 0 : 2);
        theta[0] = 0.9; theta[1] = 1.7; theta[2] = 1.1;
        CHECK_SIZE(b->n_theta, (size_t)((ard ? 3 : 1) + (learn ? 21 : 0)));
        basis_tools_pullback(b, at, 6, 0.8, 2e-3, 1e4, (uint64_t)kernel + 5);
        bln_basis_free(b);
    }
}

TEST(inducing, blocks)
{
    static const double theta[] = { 0.8, 1.7, 1.1 };
    for (int kernel = 0; kernel < INDUCING_KERNELS; kernel++) {
        bln_basis *b = inducing_make(3, 7, inducing_points, kernel, 1, 0);
        basis_tools_blocks(b, theta, 300, 4);
        bln_basis_free(b);
    }
}

/* ---- bound ---- */

/* Features and chain rule over blocks of a bound basis against the unbound one at once: the same features, to the bit, and
 * derivatives to rounding, 1e-12 of their size. Twice in the same room; what was put off can be dropped. */
static void inducing_check_bound(const bln_basis *b, const double *theta, size_t n)
{
    enum { BLOCK = 4 };
    test_random r = test_random_new(8);
    const size_t d = b->d, D = b->D, p = b->n_theta;
    double *X = test_doubles(n*d), *F = test_doubles(n*D), *Phi = test_doubles(n*D), *dX = test_doubles(n*d);
    double *slope = test_doubles(p), *one = test_doubles(BLOCK*D), *dX2 = test_doubles(n*d), *slope2 = test_doubles(p);
    double *work = basis_tools_work(b, n);
    const inducing_bound bound = inducing_bind(b, theta);
    test_fill_normal(&r, n*d, X);
    test_fill_normal(&r, n*D, F);
    for (size_t i = 0; i < n*d; i++) dX[i] = dX2[i] = 0.0;
    for (size_t k = 0; k < p; k++) slope[k] = 0.0;
    bln_basis_features(b, theta, n, X, d, Phi, D, work);
    bln_basis_pullback(b, theta, n, X, d, Phi, D, F, D, slope, dX, d, work);
    free(work);
    CHECK(bound.at != b && bln_basis_check(bound.at) == NULL);
    CHECK_LE((double)bln_basis_work(bound.at, n), (double)bln_basis_work(b, n));
    for (int time = 0; time < 2; time++) {
        for (size_t k = 0; k < p; k++) slope2[k] = 0.0;
        for (size_t i = 0; i < n*d; i++) dX2[i] = 0.0;
        for (size_t i = 0; i < n; i += BLOCK) {
            const size_t rows = n - i < BLOCK ? n - i : BLOCK;
            work = basis_tools_work(bound.at, rows);
            bln_basis_features(bound.at, theta, rows, X + i*d, d, one, D, work);
            CHECK(!memcmp(one, Phi + i*D, rows*D*sizeof *one));
            bln_basis_pullback(bound.at, theta, rows, X + i*d, d, one, D, F + i*D, D, slope2, dX2 + i*d, d, work);
            free(work);
        }
        bln_basis_settle(bound.at, theta, slope2);
        for (size_t k = 0; k < p; k++) CHECK_NEAR(slope2[k], slope[k], 1e-12*(10.0 + fabs(slope[k])));
        for (size_t i = 0; i < n*d; i++) CHECK_NEAR(dX2[i], dX[i], 1e-12*(10.0 + fabs(dX[i])));
        work = basis_tools_work(bound.at, BLOCK);
        bln_basis_pullback(bound.at, theta, BLOCK, X, d, Phi, D, F, D, slope2, NULL, 0, work);
        bln_basis_settle(bound.at, theta, NULL);
        free(work);
    }
    free(bound.room);
    free(X); free(F); free(Phi); free(dX); free(slope); free(one); free(dX2); free(slope2);
}

TEST(inducing, bound)
{
    double theta[1 + 7*3];
    theta[0] = 1.3;
    for (size_t i = 0; i < 7*3; i++) theta[1 + i] = inducing_points[i] + 0.1;
    for (int learn = 0; learn < 2; learn++) {
        bln_basis *b = inducing_make(3, 7, inducing_points, BLN_KERNEL_MATERN32, 0, learn);
        const inducing_bound bound = inducing_bind(b, theta);
        inducing_check_bound(b, theta, 11);
        CHECK_NEAR(inducing_tau(bound.at), 7*1e-13, 4*DBL_EPSILON);
        CHECK(bln_inducing_points(b) && !memcmp(bln_inducing_points(b), inducing_points, sizeof inducing_points));
        CHECK(!memcmp(bln_inducing_points(bound.at), learn ? theta + 1 : inducing_points, sizeof inducing_points));
        free(bound.room);
        bln_basis_free(b);
    }
}

/* In sums of sums and selections, beside bases that have nothing to bind; a sum of the latter is bound to itself. */
TEST(inducing, bound_in_sums)
{
    static const size_t columns[] = { 2, 0, 3 };
    static const double theta[] = { 0.9, 1.2, 1.7, 1.1, 1.4 };
    bln_basis *parts[3], *whole = NULL, *linear = NULL, *plain = NULL, *nested[2];
    bln_fourier_desc fourier;
    memset(&fourier, 0, sizeof fourier);
    fourier.d = 4;
    fourier.n = 3;
    CHECK_OK(bln_fourier_create(&fourier, &parts[0], NULL));
    CHECK_OK(bln_basis_columns(NULL, 4, 3, columns, inducing_make(3, 7, inducing_points, BLN_KERNEL_RBF, 1, 0), &parts[1], NULL));
    CHECK_OK(bln_basis_columns(NULL, 4, 3, columns, inducing_make(3, 4, inducing_points, BLN_KERNEL_RQ, 0, 0), &parts[2], NULL));
    CHECK_OK(bln_linear_create(NULL, 4, 1, &linear));
    CHECK_OK(bln_basis_sum(NULL, 1, &parts[2], &nested[1], NULL));
    nested[0] = linear;
    CHECK_OK(bln_basis_sum(NULL, 2, nested, &plain, NULL));
    parts[2] = plain;
    CHECK_OK(bln_basis_sum(NULL, 3, parts, &whole, NULL));
    CHECK_SIZE(whole->n_theta, 5);
    inducing_check_bound(whole, theta, 10);
    for (size_t s = 0; s < 4; s++) CHECK(bln_basis_variance(whole, s) == (s == 1 || s == 3 ? 1.0 : 0.0));
    CHECK_SIZE(whole->n_slices, 4);
    bln_basis_free(whole);

    CHECK_OK(bln_linear_create(NULL, 4, 1, &linear));
    CHECK_OK(bln_basis_sum(NULL, 1, &linear, &plain, NULL));
    CHECK_SIZE(bln_basis_room(plain), 0);
    CHECK(bln_basis_bind(plain, NULL, NULL) == plain);
    bln_basis_settle(plain, NULL, NULL);
    bln_basis_free(plain);
}

/* ---- points that coincide ---- */

/* Twice the same points: features of half of them, finite, and the same kernel, to the root of tau: what a second copy of z leaves
 * is tau, so that its feature is up to sqrt(tau) = 1e-6 large. A thousandfold long length scale makes all rows of k(Z, Z) equal to
 * 1e-6, its rank in double far below m: finite, and phi'phi' = 1 to rounding and tau. */
TEST(inducing, coincident_points)
{
    double twice[14*3], Phi[4*7], Phi2[4*14], X[4*3], F[4*14], slope[4*3], theta = 1.2, dtheta = 0.0;
    test_random r = test_random_new(77);
    test_fill_normal(&r, 4*3, X);
    test_fill_normal(&r, 4*14, F);
    for (size_t i = 0; i < 7*3; i++) twice[i] = twice[7*3 + i] = inducing_points[i];
    for (int kernel = 0; kernel < INDUCING_KERNELS; kernel++) {
        bln_basis *b = inducing_make(3, 7, inducing_points, kernel, 0, 0), *c = inducing_make(3, 14, twice, kernel, 0, 0);
        theta = 1.2;
        basis_tools_features(b, &theta, 4, X, 3, Phi, 7);
        basis_tools_features(c, &theta, 4, X, 3, Phi2, 14);
        for (size_t i = 0; i < 4; i++) CHECK_NEAR(bln_dot(14, Phi2 + i*14, Phi2), bln_dot(7, Phi + i*7, Phi), 1e-9);
        for (int l = 0; l < 2; l++) {
            double *work = basis_tools_work(c, 4);
            theta = l ? 1e3 : 1.2;
            bln_basis_features(c, &theta, 4, X, 3, Phi2, 14, work);
            dtheta = 0.0;
            for (size_t i = 0; i < 12; i++) slope[i] = 0.0;
            bln_basis_pullback(c, &theta, 4, X, 3, Phi2, 14, F, 14, &dtheta, slope, 3, work);
            free(work);
            CHECK(blni_finite(dtheta));
            for (size_t i = 0; i < 4; i++) {
                const double norm = bln_dot(14, Phi2 + i*14, Phi2 + i*14);
                CHECK(blni_finite(norm) && blni_finite(slope[3*i]) && blni_finite(slope[3*i + 1]) && blni_finite(slope[3*i + 2]));
                CHECK_LE(norm, 1.0 + 1e-10);
                if (l && kernel == BLN_KERNEL_RBF) CHECK_NEAR(norm, 1.0, 1e-10);
            }
        }
        bln_basis_free(b);
        bln_basis_free(c);
    }
    {                                                        /* the jitter of many equal points, and of a theta that is none */
        double *same = test_doubles(200), nan = BLNI_NAN, one = 1.0, phi[200], x = 0.3;
        for (size_t i = 0; i < 200; i++) same[i] = 0.25;
        bln_basis *b = inducing_make(1, 200, same, BLN_KERNEL_MATERN52, 0, 0);
        inducing_bound bound = inducing_bind(b, &one);
        CHECK_LE(200*1e-13 - 4*DBL_EPSILON, inducing_tau(bound.at));
        CHECK_LE(inducing_tau(bound.at), 1e-6);
        free(bound.room);
        bound = inducing_bind(b, &nan);
        CHECK(inducing_tau(bound.at) != inducing_tau(bound.at));
        free(bound.room);
        basis_tools_features(b, &nan, 1, &x, 1, phi, 200);
        CHECK(phi[0] != phi[0] && phi[199] != phi[199]);
        free(same);
        bln_basis_free(b);
    }
}

/* Far from all points nothing is known of f: phi = 0, all of the prior variance is left out. */
TEST(inducing, far_out)
{
    static const double x[3] = { 1e200, 0.0, 0.0 }, theta = 1.0;
    double phi[7], slope[3] = { 0.0, 0.0, 0.0 }, dtheta = 0.0;
    for (int kernel = 0; kernel < INDUCING_KERNELS; kernel++) {
        bln_basis *b = inducing_make(3, 7, inducing_points, kernel, 0, 0);
        double *work = basis_tools_work(b, 1);
        bln_basis_features(b, &theta, 1, x, 3, phi, 7, work);
        for (size_t j = 0; j < 7; j++) CHECK(phi[j] == 0.0);
        bln_basis_pullback(b, &theta, 1, x, 3, phi, 7, inducing_points, 7, &dtheta, slope, 3, work);
        CHECK(slope[0] == 0.0 && blni_finite(dtheta));
        free(work);
        bln_basis_free(b);
    }
}

/* ---- parameters, names, files, errors ---- */

TEST(inducing, starts_and_names)
{
    static const char *const names[] = { "age", "income", "height" };
    static const double mean[] = { 1.0, 2.0, 3.0 }, sd[] = { 2.0, 0.5, 10.0 };
    char text[64];
    bln_moments moments;
    bln_param p;
    bln_basis *b = inducing_make(3, 7, inducing_points, BLN_KERNEL_MATERN32, 1, 1), *one = NULL;
    moments.n = 9; moments.d = 3; moments.mean = mean; moments.sd = sd;
    bln_basis_param(b, 1, &moments, &p);
    CHECK(p.kind == BLN_PARAM_LOG && p.group == 1);
    CHECK_REL(p.start, sqrt(3.0)*0.5, 4*DBL_EPSILON);
    bln_basis_param(b, 3 + 2*3 + 2, &moments, &p);
    CHECK(p.kind == BLN_PARAM_REAL && p.group == 0 && p.start == inducing_points[2*3 + 2]);
    CHECK_REL(p.scale, 10.0, 4*DBL_EPSILON);
    bln_basis_param_name(b, 1, names, text, sizeof text);          CHECK_TEXT(text, "length scale income");
    bln_basis_param_name(b, 3 + 2*3 + 2, names, text, sizeof text); CHECK_TEXT(text, "point 2 height");
    bln_basis_feature_name(b, 4, names, text, sizeof text);        CHECK_TEXT(text, "process matern32 4");
    bln_basis_slice_name(b, 0, names, text, sizeof text);          CHECK_TEXT(text, "process matern32");
    bln_basis_free(b);
    bln_inducing_desc desc = inducing_desc(3, 7, inducing_points, 0, 0, 1);
    desc.length_scale = 0.25;
    CHECK_OK(bln_inducing_create(&desc, &one, NULL));
    bln_basis_param(one, 0, &moments, &p);
    CHECK(p.start == 0.25);
    bln_basis_param(one, 1 + 3, &moments, &p);
    CHECK(p.start == inducing_points[3]);
    CHECK_REL(p.scale, 2.0, 4*DBL_EPSILON);
    bln_basis_param_name(one, 0, names, text, sizeof text);        CHECK(!strcmp(text, "length scale"));
    bln_basis_free(one);
}

TEST(inducing, files)
{
    double theta[3 + 4*3];
    for (size_t k = 0; k < 3; k++) theta[k] = 0.7 + (double)k;
    for (size_t i = 0; i < 4*3; i++) theta[3 + i] = inducing_points[i];
    for (int kernel = 0; kernel < INDUCING_KERNELS; kernel += 4) {
        bln_basis *b = inducing_make(3, 4, inducing_points, kernel, 1, kernel == 4);
        basis_tools_file(b, theta, NULL, 0);
        bln_basis_free(b);
    }
}

/* Sizes that no file can hold; a kernel, a start or a point that is none. */
TEST(inducing, hostile_files)
{
    static const struct { uint64_t d, n; uint32_t kernel; double length, shape, point; const char *words; } bad[] = {
        { 0, 4, 0, 0.0, 0.0, 1.0, "inputs" }, { 4, 0, 0, 0.0, 0.0, 1.0, "points" },
        { UINT64_C(1) << 62, 4, 0, 0.0, 0.0, 1.0, "" }, { UINT64_C(1) << 32, UINT64_C(1) << 32, 0, 0.0, 0.0, 1.0, "" },
        { UINT64_MAX, 1, 0, 0.0, 0.0, 1.0, "" }, { 1000, 1000, 0, 0.0, 0.0, 1.0, "" },
        { 1, 1, INDUCING_KERNELS, 0.0, 0.0, 1.0, "kernel" },
        { 1, 1, 0, -1.0, 0.0, 1.0, "length_scale" }, { 1, 1, 0, 0.0, 3.0, 1.0, "shape" }, { 1, 1, 5, 0.0, 1e9, 1.0, "shape" },
        { 1, 1, 0, 0.0, 0.0, HUGE_VAL, "not finite" }
    };
    for (size_t k = 0; k < sizeof bad/sizeof *bad; k++) {
        unsigned char bytes[256];
        bln_memory_stream m;
        bln_writer w = basis_tools_head(&m, bytes, sizeof bytes, "inducing", bad[k].d, bad[k].n, bad[k].kernel);
        bln_put_u32(&w, 0);
        bln_put_double(&w, bad[k].length);
        bln_put_double(&w, bad[k].shape);
        bln_put_double(&w, bad[k].point);
        CHECK_OK(w.status);
        basis_tools_refused(bytes, m.at, bad[k].words);
    }
}

TEST(inducing, errors)
{
    const double points[] = { 0.0, 1.0, 9.0, 2.0, BLNI_NAN, 9.0 };
    bln_inducing_desc desc = inducing_desc(2, 1, points, BLN_KERNEL_RBF, 1, 0), bad;
    bln_basis *b = NULL;
    bln_report report;
    test_heap heap;
    bln_report_clear(&report);
    CHECK(blni_inducing_check(&desc) == NULL);
    CHECK(blni_inducing_check(NULL) != NULL);
    CHECK(blni_inducing_defaults(&desc).ldp == 2 && blni_inducing_defaults(NULL).n == 0);
    bad = desc; bad.kernel = BLN_KERNEL_RQ; CHECK(blni_inducing_defaults(&bad).shape == 2.0);
    CHECK_STATUS(bln_inducing_create(&desc, NULL, &report), BLN_EINVAL);
#define INDUCING_BAD(what, words) \
    bad = desc; what; CHECK_STATUS(bln_inducing_create(&bad, &b, &report), BLN_EINVAL); CHECK_TEXT(report.text, words)
    INDUCING_BAD(bad.d = 0, "inputs");
    INDUCING_BAD(bad.n = 0, "points");
    INDUCING_BAD(bad.points = NULL, "NULL");
    INDUCING_BAD(bad.ldp = 1, "ldp");
    INDUCING_BAD(bad.kernel = (bln_kernel)INDUCING_KERNELS, "kernel");
    INDUCING_BAD(bad.shape = 1.0, "no shape");
    INDUCING_BAD(bad.kernel = BLN_KERNEL_RQ; bad.shape = 0.01, "shape");
    INDUCING_BAD(bad.length_scale = -1.0, "length_scale");
    INDUCING_BAD(bad.length_scale = BLNI_NAN, "length_scale");
    INDUCING_BAD(bad.alloc.alloc = test_heap_alloc, "allocator");
#undef INDUCING_BAD
    bad = desc; bad.n = 2; bad.ldp = 3;                /* row 1 begins behind the padding: 2, NaN */
    bad.alloc = test_heap_allocator(&heap);
    CHECK_STATUS(bln_inducing_create(&bad, &b, &report), BLN_EDATA);
    CHECK(report.row == 1 && report.column == 1 && heap.live == 0);
    bad = desc; bad.n = (size_t)-1/4;  CHECK_STATUS(bln_inducing_create(&bad, &b, &report), BLN_EOVERFLOW);
    bad = desc; bad.alloc = test_heap_allocator(&heap);
    heap.fail_at = 0;
    CHECK_STATUS(bln_inducing_create(&bad, &b, &report), BLN_ENOMEM);
    CHECK(b == NULL && heap.live == 0);
    CHECK_OK(bln_linear_create(NULL, 2, 1, &b));
    CHECK(bln_inducing_points(b) == NULL && bln_inducing_points(NULL) == NULL);
    bln_basis_free(b);
}

SUITE_BEGIN(inducing)
    SUITE_TEST(inducing, by_definition)
    SUITE_TEST(inducing, pullback)
    SUITE_TEST(inducing, blocks)
    SUITE_TEST(inducing, bound)
    SUITE_TEST(inducing, bound_in_sums)
    SUITE_TEST(inducing, coincident_points)
    SUITE_TEST(inducing, far_out)
    SUITE_TEST(inducing, starts_and_names)
    SUITE_TEST(inducing, files)
    SUITE_TEST(inducing, hostile_files)
    SUITE_TEST(inducing, errors)
SUITE_END(inducing)
