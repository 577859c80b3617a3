/* test_fourier - random Fourier features: golden values, kernels by Monte Carlo, chain rule, starts, files,
 * errors */
#include "basis_tools.h"
#ifdef _OPENMP
#include <omp.h>
#endif
#include "../golden/bases_golden.h"

static bln_fourier_desc fourier_desc(size_t d, size_t n, bln_kernel kernel, int ard, uint64_t seed)
{
    bln_fourier_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.d = d;
    desc.n = n;
    desc.kernel = kernel;
    desc.ard = ard;
    desc.seed = seed;
    return desc;
}

static bln_basis *fourier_make(size_t d, size_t n, bln_kernel kernel, int ard, uint64_t seed)
{
    const bln_fourier_desc desc = fourier_desc(d, n, kernel, ard, seed);
    bln_basis *b = NULL;
    CHECK_OK(bln_fourier_create(&desc, &b, NULL));
    if (!b) exit(2);
    return b;
}

/* A nu and an alpha that are no special case. */
enum { FOURIER_KERNELS = BLNI_N_KERNELS };
static double fourier_shape(bln_kernel kernel)
{
    return kernel == BLN_KERNEL_MATERN ? 0.8 : kernel == BLN_KERNEL_RQ ? 1.7 : 0.0;
}

/* The basis with the golden frequencies: they come in through a file, as nobody else can set them. */
static bln_basis *fourier_golden(int ard)
{
    unsigned char bytes[1024];
    bln_memory_stream m;
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    const bln_load context = basis_tools_context(NULL);
    bln_basis *b = NULL;
    bln_put_string(&w, "fourier");
    bln_put_u64(&w, 3);
    bln_put_u64(&w, 5);
    bln_put_u32(&w, 0);
    bln_put_u32(&w, (uint32_t)ard);
    bln_put_double(&w, 0.0);
    bln_put_doubles(&w, 15, golden_bases_rff_z);
    CHECK_OK(basis_tools_load(&context, bytes, m.at, 1, &b, NULL));
    if (!b) exit(2);
    return b;
}

/* Rounding of a phase in quarter turns: z/l/(pi/2) 3 halves of an eps, three products and two additions of a sum that is below S =
 * sum |z x / l| < 8 for these: 6.5 half eps S < 30 eps absolute; the golden measure then allows 1e-13. */
TEST(fourier, golden)
{
    bln_basis *b = fourier_golden(1);
    double Phi[40], dtheta[3] = { 0.0, 0.0, 0.0 }, one = 0.0, *work;
    CHECK(bln_fourier_frequencies(b) != NULL && bln_fourier_frequencies(b)[7] == golden_bases_rff_z[7]);
    basis_tools_features(b, golden_bases_ell, 4, golden_bases_X, 3, Phi, 10);
    for (size_t i = 0; i < 40; i++) CHECK_GOLD(Phi[i], golden_bases_rff_Phi[i], 1e-13);
    work = basis_tools_work(b, 4);
    bln_basis_pullback(b, golden_bases_ell, 4, golden_bases_X, 3, Phi, 10, golden_bases_rff_F, 10, dtheta, NULL, 0, work);
    free(work);
    /* Golden is with respect to log l. */
    for (size_t i = 0; i < 3; i++) CHECK_GOLD(dtheta[i]*golden_bases_ell[i], golden_bases_rff_dlogl[i], 1e-12);
    bln_basis_free(b);

    /* One length scale: the sum over all inputs, not the first alone. */
    b = fourier_golden(0);
    CHECK_SIZE(b->n_theta, 1);
    basis_tools_features(b, golden_bases_rff_iso_ell, 4, golden_bases_X, 3, Phi, 10);
    work = basis_tools_work(b, 4);
    bln_basis_pullback(b, golden_bases_rff_iso_ell, 4, golden_bases_X, 3, Phi, 10, golden_bases_rff_F, 10, &one, NULL, 0, work);
    free(work);
    CHECK_GOLD(one*golden_bases_rff_iso_ell[0], golden_bases_rff_iso_dlogl[0], 1e-12);
    bln_basis_free(b);
}

/* phi'phi = 1. Each cos^2 + sin^2 is 1 to 4 eps (see test_vecmath), the two scalings and squares 2 eps more, and a plain sum of 2J
 * terms (all positive) loses at most 2J eps/2 relative. */
TEST(fourier, unit_norm)
{
    test_random r = test_random_new(3);
    for (size_t J = 1; J < 300; J = 3*J + 1) {
        bln_basis *b = fourier_make(4, J, BLN_KERNEL_MATERN12, 0, J);
        double X[20], theta = 0.7, *Phi = test_doubles(10*J);
        test_fill_normal(&r, 20, X);
        basis_tools_features(b, &theta, 5, X, 4, Phi, 2*J);
        for (size_t i = 0; i < 5; i++) {
            double sum = 0.0;
            for (size_t j = 0; j < 2*J; j++) sum += Phi[i*2*J + j]*Phi[i*2*J + j];
            CHECK_NEAR(sum, 1.0, (double)(J + 6)*DBL_EPSILON);
        }
        free(Phi);
        bln_basis_free(b);
    }
}

/* With independent draws phi(x)'phi(x') is unbiased for k(tau) with variance (1 + k(2 tau) - 2 k(tau)^2) / (2J) [bases 17],
 * exactly, for each kernel, each way of length scales and several distances, in a direction that is no axis (a product kernel
 * would show) and with length scales that are not 1 (a wrong power of them would). Over M independent draws the z-scores
 * have mean 0 and mean square 1: bounds of 5 sigma, 5/sqrt(M) and 5 sqrt((2 + kurtosis)/M), where the excess kurtosis of a mean of
 * J bounded terms is below 8/(J variance of a term) < 1 here.
 *
 * Orthogonal and quasi-random draws are unbiased too: the mean keeps its bound and the mean square the upper one, as their variance
 * is not larger. For close points it is much smaller: orthogonal draws, RBF kernel, r <= 1: below 3/4 [bases 21]; quasi-random ones
 * in 4 coordinates, r <= 1: below 3/4 for every kernel, and Sobol' points below 1/10 for the RBF kernel (bench/bench_kernels.c
 * measures 0.23^2 for 4 inputs). */
static void fourier_monte_carlo(bln_draws draws)
{
    enum { M = TEST_MANY(200, 20), J = 128, R = 4, DIM = 3 };
    static const double distance[R] = { 0.3, 1.0, 1.7, 3.0 }, direction[DIM] = { 0.48, -0.6, 0.64 };
    static const double ell[DIM] = { 2.5, 0.4, 30.0 };
    const int quasi = draws == BLN_DRAWS_SOBOL || draws == BLN_DRAWS_HALTON;
    for (int kernel = 0; kernel < FOURIER_KERNELS; kernel++)
        for (int ard = 0; ard < 2; ard++) {
            if (draws == BLN_DRAWS_ORTHOGONAL && blni_kernel_find((bln_kernel)kernel)->product) continue;
            double X[(R + 1)*DIM], *Phi = test_doubles((R + 1)*2*J), sum[R], squares[R];
            const double shape = fourier_shape((bln_kernel)kernel);
            for (size_t i = 0; i < DIM; i++) {
                const double l = ell[ard ? i : 0];
                X[i] = 0.3*l;
                for (size_t r = 0; r < R; r++) X[(r + 1)*DIM + i] = l*(0.3 + distance[r]*direction[i]);
            }
            for (size_t r = 0; r < R; r++) sum[r] = squares[r] = 0.0;
            for (size_t m = 0; m < M; m++) {
                bln_fourier_desc desc = fourier_desc(DIM, J, (bln_kernel)kernel, ard, 1000*(uint64_t)kernel + m);
                bln_basis *b = NULL;
                desc.draws = draws;
                desc.shape = shape;
                CHECK_OK(bln_fourier_create(&desc, &b, NULL));
                basis_tools_features(b, ell, R + 1, X, DIM, Phi, 2*J);
                for (size_t r = 0; r < R; r++) {
                    double tau[DIM], twice[DIM];
                    for (size_t i = 0; i < DIM; i++) { tau[i] = distance[r]*direction[i]; twice[i] = 2*tau[i]; }
                    const double k = bln_kernel_at((bln_kernel)kernel, shape, DIM, tau);
                    const double k2 = bln_kernel_at((bln_kernel)kernel, shape, DIM, twice);
                    const double z = (bln_dot(2*J, Phi, Phi + (r + 1)*2*J) - k)/sqrt((1 + k2 - 2*k*k)/(2*J));
                    sum[r] += z;
                    squares[r] += z*z;
                }
                bln_basis_free(b);
            }
            for (size_t r = 0; r < R; r++) {
                CHECK_NEAR(sum[r]/M, 0.0, 5/sqrt((double)M));
                if (draws == BLN_DRAWS_INDEPENDENT) CHECK_NEAR(squares[r]/M, 1.0, 5*sqrt(3.0/M));
                else CHECK_LE(squares[r]/M, (kernel == BLN_KERNEL_RBF || quasi) && r < 2 ? 0.75 : 1.0 + 5*sqrt(3.0/M));
                if (draws == BLN_DRAWS_SOBOL && kernel == BLN_KERNEL_RBF && r < 2) CHECK_LE(squares[r]/M, 0.1);
            }
            free(Phi);
        }
}

TEST(fourier, kernels_by_monte_carlo) { fourier_monte_carlo(BLN_DRAWS_INDEPENDENT); }
TEST(fourier, kernels_by_orthogonal_draws) { fourier_monte_carlo(BLN_DRAWS_ORTHOGONAL); }
TEST(fourier, kernels_by_sobol_points) { fourier_monte_carlo(BLN_DRAWS_SOBOL); }
TEST(fourier, kernels_by_halton_points) { fourier_monte_carlo(BLN_DRAWS_HALTON); }

/* The rate for one input: the variance falls as 1/J with independent draws, by 16 from J = 64 to 1024. With Sobol' points all that
 * is left is what happens inside of the J intervals: cos(z tau) varies in u without bound only in the outermost ones, of
 * probability 1/J, whose share is of order J^-2; by 16^2 then, and at least by 16^1.5 = 64 over 40 seeds. */
TEST(fourier, sobol_rate)
{
    const double theta = 1.0, X[2] = { 0.0, 1.3 };
    double squares[2] = { 0.0, 0.0 }, *Phi = test_doubles(4*1024);
    for (size_t s = 0; s < 2; s++)
        for (uint64_t seed = 0; seed < 40; seed++) {
            const size_t J = s ? 1024 : 64;
            bln_fourier_desc desc = fourier_desc(1, J, BLN_KERNEL_RBF, 0, seed);
            bln_basis *b = NULL;
            desc.draws = BLN_DRAWS_SOBOL;
            CHECK_OK(bln_fourier_create(&desc, &b, NULL));
            basis_tools_features(b, &theta, 2, X, 1, Phi, 2*J);
            const double error = bln_dot(2*J, Phi, Phi + 2*J) - exp(-0.5*1.3*1.3);
            squares[s] += error*error;
            bln_basis_free(b);
        }
    CHECK_LE(squares[1], squares[0]/64);
    free(Phi);
}

/* Quasi-random frequencies are images of the points: the RBF kernel's, taken back through the normal distribution, are the points
 * themselves; and more than one block of them continues the sequence. */
TEST(fourier, frequencies_are_images_of_points)
{
    enum { J = 1500, DIM = 2 };
    for (int way = 0; way < 2; way++) {
        bln_fourier_desc desc = fourier_desc(DIM, J, BLN_KERNEL_RBF, 0, 11);
        bln_basis *b = NULL;
        double *U = test_doubles(DIM*J);
        desc.draws = way ? BLN_DRAWS_HALTON : BLN_DRAWS_SOBOL;
        CHECK_OK(bln_fourier_create(&desc, &b, NULL));
        CHECK_OK((way ? bln_qmc_halton : bln_qmc_sobol)(DIM, 11, 0, J, U, DIM));
        for (size_t j = 0; j < J; j++)
            for (size_t i = 0; i < DIM; i++) CHECK(bln_fourier_frequencies(b)[i*J + j] == bln_norm_quantile(U[j*DIM + i]));
        bln_basis_free(b);
        free(U);
    }
}

/* Each block of d frequencies has right angles and norms of its own: chi with d degrees of freedom, whose square has mean d and
 * variance 2d. */
TEST(fourier, orthogonal_blocks)
{
    enum { DIM = 5, J = 203 };
    bln_basis *b = fourier_make(DIM, J, BLN_KERNEL_RBF, 0, 1);
    const double *z = bln_fourier_frequencies(b);
    double sum = 0.0;
    for (size_t j = 0; j < J; j++) {
        for (size_t k = j - j%DIM; k <= j; k++) {
            double jk = 0.0, jj = 0.0, kk = 0.0;
            for (size_t i = 0; i < DIM; i++) {
                jk += z[i*J + j]*z[i*J + k];
                jj += z[i*J + j]*z[i*J + j];
                kk += z[i*J + k]*z[i*J + k];
            }
            /* Twice through Gram-Schmidt: orthogonal to rounding. */
            if (k < j) CHECK_NEAR(jk/sqrt(jj*kk), 0.0, 4*DIM*DBL_EPSILON);
            else sum += jj;
        }
    }
    CHECK_NEAR(sum/J, DIM, 5*sqrt(2.0*DIM/J));
    bln_basis_free(b);
}

/* The error falls as 1/sqrt(J): one long basis, within 5 sigma of its own much smaller sigma. */
TEST(fourier, monte_carlo_rate)
{
    enum { J = 40000 };
    static const double X[] = { 0.0, 0.0, 1.3, -0.9 };
    double *Phi = test_doubles(4*J);
    for (int kernel = 0; kernel < FOURIER_KERNELS; kernel++) {
        bln_basis *b = fourier_make(2, J, (bln_kernel)kernel, 0, 77);
        const double theta = 1.7, tau[] = { 1.3/theta, -0.9/theta }, twice[] = { 2.6/theta, -1.8/theta };
        const double k = bln_kernel_at((bln_kernel)kernel, 0.0, 2, tau), k2 = bln_kernel_at((bln_kernel)kernel, 0.0, 2, twice);
        basis_tools_features(b, &theta, 2, X, 2, Phi, 2*J);
        CHECK_NEAR(bln_dot(2*J, Phi, Phi + 2*J), k, 5*sqrt((1 + k2 - 2*k*k)/(2*J)));
        bln_basis_free(b);
    }
    free(Phi);
}

/* Seeds: the same frequencies from the same seed, others from another; the first of a larger basis are those of a smaller. */
TEST(fourier, seeds)
{
    static const bln_draws ways[] = { BLN_DRAWS_DEFAULT, BLN_DRAWS_INDEPENDENT, BLN_DRAWS_SOBOL, BLN_DRAWS_HALTON };
    for (int kernel = 0; kernel < FOURIER_KERNELS; kernel++)
        for (size_t way = 0; way < 4; way++) {
            static const size_t count[] = { 20, 20, 20, 33 };
            bln_basis *b[4];
            const double *z[4];
            for (size_t k = 0; k < 4; k++) {
                bln_fourier_desc desc = fourier_desc(3, count[k], (bln_kernel)kernel, k == 1, k == 2 ? 6 : 5);
                desc.draws = ways[way];
                b[k] = NULL;
                CHECK_OK(bln_fourier_create(&desc, &b[k], NULL));
                z[k] = bln_fourier_frequencies(b[k]);
            }
            CHECK(!memcmp(z[0], z[1], 60*sizeof **z));
            for (size_t i = 0; i < 3; i++)
                for (size_t j = 0; j < 20; j++) CHECK(z[0][i*20 + j] == z[3][i*33 + j] && z[0][i*20 + j] != z[2][i*20 + j]);
            for (size_t k = 0; k < 4; k++) bln_basis_free(b[k]);
        }
}

/* Steps of 1e-3 relative are a hundredth of a turn at the largest phases of these draws; a phase is rounded in its last bit and d
 * times in its sum, and phases stay below 50. Matern 1/2 has no largest frequency: its draw is chosen. */
TEST(fourier, pullback)
{
    for (int kernel = 0; kernel < FOURIER_KERNELS; kernel++)
        for (int ard = 0; ard < 2; ard++)
            for (size_t d = 1; d <= 3; d++) {
                static const double theta[] = { 0.9, 1.7, 3.1 };
                bln_basis *b = fourier_make(d, 4, (bln_kernel)kernel, ard, 12);
                basis_tools_pullback(b, theta, 4, 0.6, 1e-3, 100.0, 40 + d);
                basis_tools_blocks(b, theta, 9, 6);
                bln_basis_free(b);
            }
}

/* Bound to theta: the same bits, as often as asked, and the basis itself stays free. */
TEST(fourier, bound)
{
    const size_t n = 11, d = 3, J = 7, D = 2*J;
    const double theta[] = { 0.9, 1.7, 3.1 }, other[] = { 1.0, 1.0, 1.0 };
    test_random r = test_random_new(31);
    bln_basis *b = fourier_make(d, J, BLN_KERNEL_MATERN32, 1, 12);
    double *X = test_doubles(n*d), *F = test_doubles(n*D), *Phi = test_doubles(n*D), *again = test_doubles(n*D);
    double *work = test_doubles(bln_basis_work(b, n)), *block = test_doubles(bln_basis_room(b) + 8), *room = blni_line(block);
    double slope[3] = { 0.0, 0.0, 0.0 }, slope_again[3] = { 0.0, 0.0, 0.0 };
    test_fill_normal(&r, n*d, X);
    test_fill_normal(&r, n*D, F);
    bln_basis_features(b, theta, n, X, d, Phi, D, work);
    bln_basis_pullback(b, theta, n, X, d, Phi, D, F, D, slope, NULL, 0, work);
    room[bln_basis_room(b)] = 2.385;
    const bln_basis *at = bln_basis_bind(b, theta, room);
    CHECK(at != b);
    for (int times = 0; times < 2; times++) {
        slope_again[0] = slope_again[1] = slope_again[2] = 0.0;
        for (size_t i = 0; i < bln_basis_work(b, n); i++) work[i] = BLNI_NAN;
        bln_basis_features(at, other, n, X, d, again, D, work);       /* of the theta that it is bound to */
        CHECK(!memcmp(Phi, again, n*D*sizeof *Phi));
        bln_basis_pullback(at, theta, n, X, d, again, D, F, D, slope_again, NULL, 0, work);
        CHECK(!memcmp(slope, slope_again, sizeof slope));
        bln_basis_features(b, other, n, X, d, again, D, work);
        CHECK(memcmp(Phi, again, n*D*sizeof *Phi));
    }
    bln_basis_settle(at, theta, slope);
    CHECK(!memcmp(slope, slope_again, sizeof slope));
    CHECK(room[bln_basis_room(b)] == 2.385);
    free(X); free(F); free(Phi); free(again); free(work); free(block);
    bln_basis_free(b);
}

static bln_moments fourier_moments(size_t d, const double *mean, const double *sd)
{
    bln_moments m;
    m.n = 100;
    m.d = d;
    m.mean = mean;
    m.sd = sd;
    return m;
}

/* Starts: sqrt(d) sd_i, or sqrt(d) times the root mean square of the sds; constant columns have none; in the middle of the domain,
 * which moves with the units, whatever they are. */
TEST(fourier, starts)
{
    static const double mean[] = { 1.0, 2.0, 3.0 }, sd[] = { 3.0, 0.0, 4.0 }, none[] = { 0.0, 0.0, 0.0 };
    const bln_moments moments = fourier_moments(3, mean, sd), constant = fourier_moments(3, mean, none);
    bln_basis *iso = fourier_make(3, 4, BLN_KERNEL_RBF, 0, 0), *ard = fourier_make(3, 4, BLN_KERNEL_RBF, 1, 0);
    bln_param p, q;
    bln_basis_param(ard, 0, &moments, &p); CHECK_REL(p.start, sqrt(3.0)*3.0, 4*DBL_EPSILON);
    bln_basis_param(ard, 1, &moments, &p); CHECK_REL(p.start, sqrt(3.0), 4*DBL_EPSILON);
    bln_basis_param(ard, 2, &moments, &p); CHECK_REL(p.start, sqrt(3.0)*4.0, 4*DBL_EPSILON);
    bln_basis_param(iso, 0, &moments, &p); CHECK_REL(p.start, sqrt(3.0)*sqrt(25.0/2.0), 4*DBL_EPSILON);
    bln_basis_param(iso, 0, &constant, &p); CHECK_REL(p.start, sqrt(3.0), 4*DBL_EPSILON);
    bln_basis_param(iso, 0, NULL, &p); CHECK_REL(p.start, sqrt(3.0), 4*DBL_EPSILON);
    CHECK(p.kind == BLN_PARAM_LOG);
    CHECK_NEAR(bln_param_free(&p, p.start), 0.0, 1e-12);
    CHECK(p.lo <= 1e-3*p.start && p.hi >= 1e3*p.start);
    for (int e = -300; e <= 300; e += 12) {
        double scaled[3];
        bln_moments m = fourier_moments(3, mean, scaled);
        for (size_t i = 0; i < 3; i++) scaled[i] = sd[i]*pow(10.0, e);
        bln_basis_param(iso, 0, &m, &q);
        CHECK_OK(bln_param_check(&q, NULL));
        if (abs(e) > 140) continue;
        CHECK_REL(q.start/pow(10.0, e), sqrt(3.0)*sqrt(25.0/2.0), 1e-14);
        CHECK_REL(q.lo/q.start, p.lo/p.start, 1e-14);
        CHECK_REL(q.hi/q.start, p.hi/p.start, 1e-14);
    }
    {
        double odd[3];
        bln_moments m = fourier_moments(3, mean, odd);
        odd[0] = BLNI_NAN; odd[1] = HUGE_VAL; odd[2] = 2.0;
        bln_basis_param(iso, 0, &m, &q);
        CHECK_OK(bln_param_check(&q, NULL));
        CHECK_REL(q.start, sqrt(3.0)*2.0, 4*DBL_EPSILON);
    }
    bln_basis_free(iso);
    bln_basis_free(ard);
}

/* The user's start is kept, and is inside the domain however far from the data's scale it is. */
TEST(fourier, own_start)
{
    static const double lengths[] = { 1e-150, 1e-9, 0.3, 1.0, 1e9, 1e150 }, sds[] = { 0.0, 1e-30, 1.0, 1e30 };
    for (size_t a = 0; a < 6; a++) {
        bln_fourier_desc desc = fourier_desc(1, 2, BLN_KERNEL_MATERN52, 1, 0);
        bln_basis *b = NULL;
        desc.length_scale = lengths[a];
        CHECK_OK(bln_fourier_create(&desc, &b, NULL));
        CHECK(bln_basis_check(b) == NULL);
        for (size_t s = 0; s < 4; s++) {
            const double mean = 0.0;
            const bln_moments m = fourier_moments(1, &mean, &sds[s]);
            bln_param p;
            bln_basis_param(b, 0, &m, &p);
            CHECK_OK(bln_param_check(&p, NULL));
            CHECK(p.start == lengths[a]);
            CHECK(p.lo <= 0.011*p.start && p.hi >= 99.0*p.start);
        }
        bln_basis_free(b);
    }
}

TEST(fourier, names)
{
    static const char *const names[] = { "lat", "lon" };
    char s[40];
    bln_basis *ard = fourier_make(2, 3, BLN_KERNEL_MATERN32, 1, 0), *iso = fourier_make(2, 3, BLN_KERNEL_RBF, 0, 0);
    bln_basis_feature_name(ard, 2, names, s, sizeof s); CHECK(!strcmp(s, "matern32 cos 2"));
    bln_basis_feature_name(ard, 4, names, s, sizeof s); CHECK(!strcmp(s, "matern32 sin 1"));
    bln_basis_param_name(ard, 1, names, s, sizeof s);   CHECK(!strcmp(s, "length scale lon"));
    bln_basis_param_name(ard, 1, NULL, s, sizeof s);    CHECK(!strcmp(s, "length scale x1"));
    bln_basis_param_name(ard, 1, names, s, 14);         CHECK(!strcmp(s, "length scale "));
    bln_basis_param_name(ard, 1, names, s, 4);          CHECK(!strcmp(s, "len"));
    bln_basis_param_name(iso, 0, names, s, sizeof s);   CHECK(!strcmp(s, "length scale"));
    bln_basis_slice_name(iso, 0, names, s, sizeof s);   CHECK(!strcmp(s, "rbf"));
    bln_basis_free(ard);
    bln_basis_free(iso);
}

TEST(fourier, files)
{
    static const double theta[] = { 0.7, 1.9 };
    for (int kernel = 0; kernel < FOURIER_KERNELS; kernel++) {
        bln_basis *b = fourier_make(2, 3, (bln_kernel)kernel, kernel & 1, 8);
        unsigned char bytes[400];
        CHECK(basis_tools_save(b, bytes, sizeof bytes) > 12);
        CHECK(!memcmp(bytes + 4, kernel < 4 ? "fourier" : "fourier2", kernel < 4 ? 7 : 8));
        basis_tools_file(b, theta, NULL, 0);
        bln_basis_free(b);
    }
}

/* Sizes that no file can hold, and frequencies that are no numbers. */
TEST(fourier, hostile_files)
{
    static const uint64_t sizes[][2] = {
        { 0, 4 }, { 4, 0 }, { UINT64_C(1) << 62, 4 }, { 4, UINT64_C(1) << 62 }, { UINT64_C(1) << 32, UINT64_C(1) << 32 },
        { UINT64_MAX, 1 },
        { UINT64_C(1) << 30, 2 }, { 100, 100 }
    };
    unsigned char bytes[256];
    bln_memory_stream m;
    for (size_t k = 0; k < sizeof sizes/sizeof *sizes; k++) {
        bln_writer w = basis_tools_head(&m, bytes, sizeof bytes, "fourier", sizes[k][0], sizes[k][1], 0);
        for (int i = 0; i < 5; i++) bln_put_double(&w, i ? 1.0 : 0.0);
        CHECK_OK(w.status);
        basis_tools_refused(bytes, m.at, NULL);
    }
    for (int k = 0; k < 4; k++) {
        const double bad[] = { HUGE_VAL, -HUGE_VAL, -1.0, 1e200 };      /* two frequencies, two length scales */
        bln_writer w = basis_tools_head(&m, bytes, sizeof bytes, "fourier", 1, 1, 0);
        bln_put_double(&w, k < 2 ? 0.0 : bad[k]);
        bln_put_double(&w, k < 2 ? bad[k] : 0.0);
        basis_tools_refused(bytes, m.at, k < 2 ? "not finite" : "length_scale");
    }
}

/* A kernel under the name of the other form, a shape where none belongs, or one out of bounds. */
TEST(fourier, forged_kernels)
{
    static const struct { const char *name; uint32_t kernel; double shape; const char *words; } forged[] = {
        { "fourier",  4, 0.0, "unknown kernel" }, { "fourier", UINT32_MAX, 0.0, "unknown kernel" },
        { "fourier2", 0, 0.0, "unknown kernel" }, { "fourier2", FOURIER_KERNELS, 0.0, "unknown kernel" },
        { "fourier2", 4, 0.01, "shape" }, { "fourier2", 5, -1.0, "shape" }, { "fourier2", 6, 1.0, "no shape" },
        { "fourier2", 4, HUGE_VAL, "shape" }, { "fourier2", 4, 0.7, NULL }, { "fourier2", 8, 0.0, NULL }
    };
    for (size_t k = 0; k < sizeof forged/sizeof *forged; k++) {
        unsigned char bytes[256];
        bln_memory_stream m;
        bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
        const bln_load context = basis_tools_context(NULL);
        bln_report report;
        bln_basis *b = NULL;
        bln_report_clear(&report);
        bln_put_string(&w, forged[k].name);
        bln_put_u64(&w, 1);
        bln_put_u64(&w, 1);
        bln_put_u32(&w, forged[k].kernel);
        bln_put_u32(&w, 0);
        bln_put_double(&w, 0.0);
        if (forged[k].name[7]) bln_put_double(&w, forged[k].shape);
        bln_put_double(&w, 1.0);
        CHECK_STATUS(basis_tools_load(&context, bytes, m.at, 1, &b, &report), forged[k].words ? BLN_EFORMAT : BLN_OK);
        if (forged[k].words) CHECK_TEXT(report.text, forged[k].words);
        bln_basis_free(b);
    }
}

TEST(fourier, errors)
{
    bln_fourier_desc desc = fourier_desc(2, 3, BLN_KERNEL_RBF, 1, 0), bad;
    bln_basis *b = NULL;
    bln_report report;
    test_heap heap;
    bln_report_clear(&report);
    CHECK(blni_fourier_check(&desc) == NULL);
    CHECK(blni_fourier_check(NULL) != NULL);
    CHECK(blni_fourier_defaults(&desc).n == 3);
    bad = desc; bad.d = 0;                              CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "d (inputs)");
    bad = desc; bad.n = 0;                              CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "n (frequencies)");
    bad = desc; bad.draws = (bln_draws)5;               CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "draws");
    bad = desc; bad.kernel = (bln_kernel)FOURIER_KERNELS; CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "kernel");
    bad = desc; bad.shape = 1.0;                        CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "no shape");
    bad = desc; bad.kernel = BLN_KERNEL_RQ; bad.shape = 0.05; CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    bad.shape = 2e4;                                    CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    bad.shape = BLNI_NAN;                               CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "shape");
    bad = desc; bad.kernel = BLN_KERNEL_LAPLACE1; bad.draws = BLN_DRAWS_ORTHOGONAL;
    CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "radial");
    bad = desc; bad.draws = BLN_DRAWS_SOBOL; bad.d = 66; CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    bad.d = 65; CHECK(blni_fourier_check(&bad) == NULL);
    bad.kernel = BLN_KERNEL_MATERN;                     CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "65 coordinates");
    CHECK(blni_fourier_defaults(&bad).shape == 2.0 && blni_fourier_defaults(&desc).shape == 0.0);
    CHECK(blni_fourier_defaults(&desc).draws == BLN_DRAWS_ORTHOGONAL);
    bad = desc; bad.kernel = BLN_KERNEL_CAUCHY_PRODUCT; CHECK(blni_fourier_defaults(&bad).draws == BLN_DRAWS_INDEPENDENT);
    bad = desc; bad.length_scale = -1.0;                CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "length_scale");
    bad = desc; bad.length_scale = BLNI_NAN;            CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    bad = desc; bad.length_scale = HUGE_VAL;            CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    bad = desc; bad.length_scale = 1e-200;              CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    bad = desc; bad.n = (size_t)-1/2;                   CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EOVERFLOW);
    bad = desc; bad.n = (size_t)-1; bad.d = (size_t)-1; CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EOVERFLOW);
    bad = desc; bad.alloc = test_heap_allocator(&heap); bad.alloc.release = NULL;
    CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_EINVAL);
    bad.alloc = test_heap_allocator(&heap);
    for (size_t fail_at = 0; fail_at < 2; fail_at++) {
        heap.calls = 0;
        heap.fail_at = fail_at;
        CHECK_STATUS(bln_fourier_create(&bad, &b, &report), BLN_ENOMEM);
        CHECK_TEXT(report.text, "memory");
        CHECK_SIZE(heap.live, 0);
    }
    CHECK(b == NULL && heap.live == 0);
    CHECK(bln_fourier_frequencies(NULL) == NULL);
    CHECK_OK(bln_bias_create(NULL, &b));
    CHECK(bln_fourier_frequencies(b) == NULL);
    bln_basis_free(b);
}

/* Inputs far out or of any size give features within bounds; only a phase that overflows gives NaN. */
TEST(fourier, far_out)
{
    static const double X[] = { 1e15, -1e200, 1e-320 };
    const double theta = 0.01, tiny = 1e-300;
    bln_basis *b = fourier_make(1, 8, BLN_KERNEL_RBF, 0, 0);
    double Phi[48];
    basis_tools_features(b, &theta, 3, X, 1, Phi, 16);
    for (size_t i = 0; i < 48; i++) CHECK_LE(fabs(Phi[i]), 1.0/sqrt(8.0));
    basis_tools_features(b, &tiny, 3, X, 1, Phi, 16);
    for (size_t i = 16; i < 32; i++) CHECK(Phi[i] != Phi[i]);
    CHECK_LE(blni_basis_bound(b, &theta, 3, X, 1, NULL), 1.0/sqrt(8.0));
    CHECK(blni_basis_bound(b, &tiny, 3, X, 1, NULL) == HUGE_VAL);
    bln_basis_free(b);
}

/* The products, taken back through their distribution functions, 1/2 + atan(z)/pi and e^z/2 or 1 - e^-z/2: a few roundings of u. */
TEST(fourier, products_are_images_of_points)
{
    enum { J = 512, DIM = 3 };
    for (int cauchy = 0; cauchy < 2; cauchy++) {
        bln_fourier_desc desc = fourier_desc(DIM, J, cauchy ? BLN_KERNEL_LAPLACE1 : BLN_KERNEL_CAUCHY_PRODUCT, 0, 4);
        bln_basis *b = NULL;
        double *U = test_doubles(DIM*J);
        desc.draws = BLN_DRAWS_SOBOL;
        CHECK_OK(bln_fourier_create(&desc, &b, NULL));
        CHECK_OK(bln_qmc_sobol(DIM, 4, 0, J, U, DIM));
        for (size_t j = 0; j < J; j++)
            for (size_t i = 0; i < DIM; i++) {
                const double z = bln_fourier_frequencies(b)[i*J + j];
                CHECK_NEAR(cauchy ? 0.5 + atan(z)/BLNI_PI : z < 0.0 ? 0.5*exp(z) : 1.0 - 0.5*exp(-z), U[j*DIM + i], 8*DBL_EPSILON);
            }
        bln_basis_free(b);
        free(U);
    }
}

#ifdef _OPENMP
/* Rows shared out: the bits of one thread. */
TEST(fourier, threads_give_the_same_bits)
{
    enum { N = 301, D = 3, J = 160 };
    static double X[N*D], one[N*2*J], many[N*2*J];
    static const double theta[] = { 0.7, 1.9, 1.0 };
    const int before = omp_get_max_threads();
    bln_basis *b = fourier_make(D, J, BLN_KERNEL_RBF, 1, 0);
    test_random r = test_random_new(3);
    test_fill_normal(&r, N*D, X);
    omp_set_num_threads(1);
    basis_tools_features(b, theta, N, X, D, one, 2*J);
    for (int threads = 2; threads <= 5; threads++) {
        omp_set_num_threads(threads);
        memset(many, 0, sizeof many);
        basis_tools_features(b, theta, N, X, D, many, 2*J);
        CHECK(!memcmp(one, many, sizeof one));
    }
    omp_set_num_threads(before);
    bln_basis_free(b);
}
#endif

SUITE_BEGIN(fourier)
#ifdef _OPENMP
    SUITE_TEST(fourier, threads_give_the_same_bits)
#endif
    SUITE_TEST(fourier, golden)
    SUITE_TEST(fourier, unit_norm)
    SUITE_TEST(fourier, kernels_by_monte_carlo)
    SUITE_TEST(fourier, kernels_by_orthogonal_draws)
    SUITE_TEST(fourier, kernels_by_sobol_points)
    SUITE_TEST(fourier, kernels_by_halton_points)
    SUITE_TEST(fourier, sobol_rate)
    SUITE_TEST(fourier, frequencies_are_images_of_points)
    SUITE_TEST(fourier, products_are_images_of_points)
    SUITE_TEST(fourier, orthogonal_blocks)
    SUITE_TEST(fourier, monte_carlo_rate)
    SUITE_TEST(fourier, seeds)
    SUITE_TEST(fourier, pullback)
    SUITE_TEST(fourier, bound)
    SUITE_TEST(fourier, starts)
    SUITE_TEST(fourier, own_start)
    SUITE_TEST(fourier, names)
    SUITE_TEST(fourier, files)
    SUITE_TEST(fourier, hostile_files)
    SUITE_TEST(fourier, forged_kernels)
    SUITE_TEST(fourier, errors)
    SUITE_TEST(fourier, far_out)
SUITE_END(fourier)
