/* test_radial - bumps and steps around centres: golden values, definitions, chain rule, extremes, centres, starts, names, files,
 * errors */
#include "basis_tools.h"
#include "../golden/bases_golden.h"

static bln_radial_desc radial_desc(size_t d, size_t n, const double *centres, bln_radial_form form, int ard)
{
    bln_radial_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.d = d;
    desc.n = n;
    desc.centres = centres;
    desc.form = form;
    desc.ard = ard;
    return desc;
}

static bln_basis *radial_make(size_t d, size_t n, const double *centres, bln_radial_form form, int ard)
{
    const bln_radial_desc desc = radial_desc(d, n, centres, form, ard);
    bln_basis *b = NULL;
    CHECK_OK(bln_radial_create(&desc, &b, NULL));
    if (!b) exit(2);
    return b;
}

/* rho^2/2 < 8 for these, so that the exponential has an error below 16 eps; the sums have 12 terms. */
TEST(radial, golden)
{
    for (int form = 0; form < 2; form++) {
        bln_basis *b = radial_make(3, 3, golden_bases_C, form ? BLN_RADIAL_SIGMOID : BLN_RADIAL, 1);
        const double *want = form ? golden_bases_sigmoid : golden_bases_radial;
        const double *slopes = form ? golden_bases_sigmoid_dlogl : golden_bases_radial_dlogl;
        double Phi[12], dtheta[3] = { 0.0, 0.0, 0.0 }, *work = basis_tools_work(b, 4);
        CHECK(b->D == 3 && b->n_theta == 3 && b->n_slices == 1);
        basis_tools_features(b, golden_bases_ell, 4, golden_bases_X, 3, Phi, 3);
        for (size_t i = 0; i < 12; i++) CHECK_REL(Phi[i], want[i], 16*DBL_EPSILON);
        bln_basis_pullback(b, golden_bases_ell, 4, golden_bases_X, 3, Phi, 3, golden_bases_F3, 3, dtheta, NULL, 0, work);
        free(work);
        for (size_t i = 0; i < 3; i++) CHECK_GOLD(dtheta[i]*golden_bases_ell[i], slopes[i], 1e-14);
        bln_basis_free(b);
    }
}

/* One length scale is the same as equal ones; and its slope is the sum of theirs. */
TEST(radial, one_length_scale)
{
    static const double three[] = { 1.3, 1.3, 1.3 };
    for (int form = 0; form < 3; form++) {
        bln_basis *one = radial_make(3, 3, golden_bases_C, (bln_radial_form)form, 0);
        bln_basis *ard = radial_make(3, 3, golden_bases_C, (bln_radial_form)form, 1);
        const size_t D = one->D;
        double P[36], Q[36], F[36], slope = 0.0, slopes[3] = { 0.0, 0.0, 0.0 }, *work = basis_tools_work(one, 4);
        test_random r = test_random_new(2);
        test_fill_normal(&r, 4*D, F);
        CHECK(one->n_theta == 1 && ard->n_theta == 3);
        CHECK_SIZE(D, form == BLN_RADIAL_RIDGE ? 9 : 3);
        basis_tools_features(one, three, 4, golden_bases_X, 3, P, D);
        basis_tools_features(ard, three, 4, golden_bases_X, 3, Q, D);
        CHECK(!memcmp(P, Q, 4*D*sizeof *P));
        bln_basis_pullback(one, three, 4, golden_bases_X, 3, P, D, F, D, &slope, NULL, 0, work);
        bln_basis_pullback(ard, three, 4, golden_bases_X, 3, P, D, F, D, slopes, NULL, 0, work);
        CHECK_NEAR(slope, slopes[0] + slopes[1] + slopes[2], 1e-14);
        free(work);
        bln_basis_free(one);
        bln_basis_free(ard);
    }
}

/* (Bishop 2006, 3.6) input by input, with its symmetry sigma(-a) = 1 - sigma(a). */
TEST(radial, ridge_by_definition)
{
    static const double centres[] = { 0.5, -1.0,   2.0, 3.0 }, X[] = { 1.5, -0.25 }, theta[] = { 2.0, 0.25 };
    bln_basis *b = radial_make(2, 2, centres, BLN_RADIAL_RIDGE, 1);
    double Phi[4];
    CHECK_SIZE(b->D, 4);
    basis_tools_features(b, theta, 1, X, 2, Phi, 4);
    CHECK_REL(Phi[0], 1.0/(1.0 + exp(-0.5)), 2*DBL_EPSILON);          /* (1.5 - 0.5)/2 */
    CHECK_REL(Phi[1], 1.0/(1.0 + exp(0.25)), 2*DBL_EPSILON);          /* (1.5 - 2.0)/2 */
    CHECK_REL(Phi[2], 1.0/(1.0 + exp(-3.0)), 2*DBL_EPSILON);          /* (-0.25 + 1)/0.25 */
    CHECK_REL(Phi[3], 1.0/(1.0 + exp(13.0)), 4*DBL_EPSILON);          /* (-0.25 - 3)/0.25 */
    bln_basis_free(b);
}

/* Noise: rho^2 below 40 at these points, its exponential up to 40 eps, sigma 4; F phi summed over 12 features in 4 rows. Inputs
 * that stand on a centre are left to the next test. */
TEST(radial, pullback)
{
    for (int form = 0; form < 3; form++)
        for (int ard = 0; ard < 2; ard++)
            for (size_t d = 1; d <= 3; d++) {
                static const double theta[] = { 1.1, 1.7, 2.4 };
                double centres[12];
                test_random r = test_random_new(50 + d);
                test_fill_normal(&r, 4*d, centres);
                bln_basis *b = radial_make(d, 4, centres, (bln_radial_form)form, ard);
                basis_tools_pullback(b, theta, 4, 0.8, 1e-3, 100.0, 60 + d);
                basis_tools_blocks(b, theta, 9, 6);
                bln_basis_free(b);
            }
}

/* On a centre, far from it, and so far that squares overflow: features at their limits, slopes 0, nothing that is no number. */
TEST(radial, extremes)
{
    static const double X[] = { 1.0, 1.0 + 1e-9, 50.0, -1e8, 1e200, -1.7e308 };
    for (int form = 0; form < 3; form++) {
        const double centre = 1.0, theta = 1.0;
        bln_basis *b = radial_make(1, 1, &centre, (bln_radial_form)form, 0);
        double Phi[6], dX[6] = { 0, 0, 0, 0, 0, 0 }, dtheta = 0.0, *work = basis_tools_work(b, 6);
        static const double F[] = { 1, 1, 1, 1, 1, 1 };
        basis_tools_features(b, &theta, 6, X, 1, Phi, 1);
        CHECK(Phi[0] == (form == BLN_RADIAL ? 1.0 : 0.5));
        CHECK_NEAR(Phi[1], form == BLN_RADIAL ? 1.0 : 0.5 + 0.25e-9, 1e-15);
        for (size_t i = 3; i < 6; i++) {
            CHECK(Phi[i] == (form == BLN_RADIAL ? 0.0 : form == BLN_RADIAL_SIGMOID ? 1.0 : X[i] > 0.0 ? 1.0 : 0.0));
            bln_basis_pullback(b, &theta, 1, X + i, 1, Phi + i, 1, F, 1, &dtheta, dX + i, 1, work);
            CHECK(dtheta == 0.0 && dX[i] == 0.0);
        }
        bln_basis_pullback(b, &theta, 3, X, 1, Phi, 1, F, 1, &dtheta, dX, 1, work);
        CHECK(blni_finite(dtheta));
        CHECK_NEAR(dX[0], form == BLN_RADIAL_RIDGE ? 0.25 : 0.0, 0.0);
        CHECK_NEAR(dX[1], form == BLN_RADIAL ? -1e-9 : 0.25, 1e-15);
        /* sigma' = e^-49 although phi rounds to 1 there */
        CHECK_REL(dX[2], form == BLN_RADIAL ? -49.0*exp(-0.5*49*49) : exp(-49.0), 1e-12);
        free(work);
        bln_basis_free(b);
    }
}

/* Moving everything far away moves nothing: only the rounding of the inputs shows, eps 1e6 in u. */
TEST(radial, shift)
{
    double moved[12], X[12], P[12], Q[12];
    for (size_t i = 0; i < 9; i++) moved[i] = golden_bases_C[i] + 1048576.0;
    for (size_t i = 0; i < 12; i++) X[i] = golden_bases_X[i] + 1048576.0;
    for (int form = 0; form < 2; form++) {
        bln_basis *b = radial_make(3, 3, golden_bases_C, (bln_radial_form)form, 1);
        bln_basis *c = radial_make(3, 3, moved, (bln_radial_form)form, 1);
        basis_tools_features(b, golden_bases_ell, 4, golden_bases_X, 3, P, 3);
        basis_tools_features(c, golden_bases_ell, 4, X, 3, Q, 3);
        for (size_t i = 0; i < 12; i++) CHECK_NEAR(P[i], Q[i], 20*1048576.0*DBL_EPSILON);
        bln_basis_free(b);
        bln_basis_free(c);
    }
}

TEST(radial, centres)
{
    double c[400], big[5*70];
    bln_radial_centres(1, 5, 2.0, 7, c);
    for (size_t j = 0; j < 5; j++) CHECK(c[j] == -2.0 + (double)j);
    bln_radial_centres(1, 1, 2.0, 7, c);
    CHECK(c[0] == 0.0);
    bln_radial_centres(2, 64, 2.0, 7, c);                              /* one in each of the 8 x 8 boxes */
    {
        unsigned char seen[64];
        size_t n = 0;
        memset(seen, 0, sizeof seen);
        for (size_t j = 0; j < 64; j++) {
            CHECK(fabs(c[2*j]) < 2.0 && fabs(c[2*j + 1]) < 2.0);
            n += !seen[(size_t)((c[2*j] + 2.0)*2.0)*8 + (size_t)((c[2*j + 1] + 2.0)*2.0)]++;
        }
        CHECK_SIZE(n, 64);
    }
    bln_radial_centres(70, 5, 3.0, 7, big);
    for (size_t j = 0; j < 350; j++) CHECK(fabs(big[j]) < 3.0 && (j == 0 || big[j] != big[j - 1]));
}

/* As for the Fourier basis: test_fourier shows the details. */
TEST(radial, starts_and_names)
{
    static const double mean[] = { 0.0, 0.0 }, sd[] = { 3.0, 4.0 }, centres[] = { 0, 0, 1, 1, 2, 2 };
    static const char *const names[] = { "lat", "lon" };
    bln_moments moments;
    bln_param p;
    char s[40];
    bln_radial_desc desc = radial_desc(2, 3, centres, BLN_RADIAL_SIGMOID, 1);
    bln_basis *b = radial_make(2, 3, centres, BLN_RADIAL, 1), *ridge = radial_make(2, 3, centres, BLN_RADIAL_RIDGE, 0), *own = NULL;
    desc.length_scale = 0.3;
    CHECK_OK(bln_radial_create(&desc, &own, NULL));
    moments.n = 10;
    moments.d = 2;
    moments.mean = mean;
    moments.sd = sd;
    bln_basis_param(b, 1, &moments, &p);     CHECK_REL(p.start, sqrt(2.0)*4.0, 4*DBL_EPSILON);
    bln_basis_param(ridge, 0, &moments, &p); CHECK_REL(p.start, 5.0, 4*DBL_EPSILON);
    bln_basis_param(own, 0, &moments, &p);   CHECK(p.start == 0.3);
    bln_basis_feature_name(b, 2, names, s, sizeof s);     CHECK(!strcmp(s, "radial 2"));
    bln_basis_feature_name(own, 1, names, s, sizeof s);   CHECK(!strcmp(s, "sigmoid 1"));
    bln_basis_feature_name(ridge, 4, names, s, sizeof s); CHECK(!strcmp(s, "ridge lon 1"));
    bln_basis_feature_name(ridge, 4, names, s, 9);        CHECK(!strcmp(s, "ridge lo"));
    bln_basis_slice_name(own, 0, names, s, sizeof s);     CHECK(!strcmp(s, "sigmoid"));
    bln_basis_param_name(b, 1, names, s, sizeof s);       CHECK(!strcmp(s, "length scale lon"));
    bln_basis_param_name(ridge, 0, names, s, sizeof s);   CHECK(!strcmp(s, "length scale"));
    bln_basis_free(b);
    bln_basis_free(ridge);
    bln_basis_free(own);
}

TEST(radial, files)
{
    static const double theta[] = { 0.7, 1.9, 1.0 };
    for (int form = 0; form < 3; form++) {
        bln_basis *b = radial_make(3, 3, golden_bases_C, (bln_radial_form)form, form & 1);
        basis_tools_file(b, theta, NULL, 0);
        bln_basis_free(b);
    }
}

/* Sizes that no file can hold; a form, a start or a centre that is none. */
TEST(radial, hostile_files)
{
    static const struct { uint64_t d, n; uint32_t form; double length, centre; const char *words; } bad[] = {
        { 0, 4, 0, 0.0, 1.0, "inputs" }, { 4, 0, 0, 0.0, 1.0, "centres" }, { UINT64_C(1) << 62, 4, 0, 0.0, 1.0, "" },
        { UINT64_C(1) << 32, UINT64_C(1) << 32, 0, 0.0, 1.0, "" }, { UINT64_MAX, 1, 0, 0.0, 1.0, "" },
        { 1000, 1000, 0, 0.0, 1.0, "" },
        { 1, 1, 3, 0.0, 1.0, "form" }, { 1, 1, 0, -1.0, 1.0, "length_scale" }, { 1, 1, 0, 0.0, HUGE_VAL, "not finite" }
    };
    for (size_t k = 0; k < sizeof bad/sizeof *bad; k++) {
        unsigned char bytes[256];
        bln_memory_stream m;
        bln_writer w = basis_tools_head(&m, bytes, sizeof bytes, "radial", bad[k].d, bad[k].n, bad[k].form);
        bln_put_double(&w, bad[k].length);
        bln_put_double(&w, bad[k].centre);
        CHECK_OK(w.status);
        basis_tools_refused(bytes, m.at, bad[k].words);
    }
}

TEST(radial, errors)
{
    const double centres[] = { 0.0, 1.0, 9.0, 2.0, BLNI_NAN, 9.0 };
    bln_radial_desc desc = radial_desc(2, 1, centres, BLN_RADIAL, 1), bad;
    bln_basis *b = NULL;
    bln_report report;
    test_heap heap;
    bln_report_clear(&report);
    CHECK(blni_radial_check(&desc) == NULL);
    CHECK(blni_radial_check(NULL) != NULL);
#define RADIAL_BAD(what, words) \
    bad = desc; what; CHECK_STATUS(bln_radial_create(&bad, &b, &report), BLN_EINVAL); CHECK_TEXT(report.text, words)
    RADIAL_BAD(bad.d = 0, "inputs");
    RADIAL_BAD(bad.n = 0, "centres");
    RADIAL_BAD(bad.centres = NULL, "NULL");
    RADIAL_BAD(bad.ldc = 1, "ldc");
    RADIAL_BAD(bad.form = (bln_radial_form)3, "form");
    RADIAL_BAD(bad.length_scale = -1.0, "length_scale");
    RADIAL_BAD(bad.length_scale = BLNI_NAN, "length_scale");
    RADIAL_BAD(bad.alloc.alloc = test_heap_alloc, "allocator");
#undef RADIAL_BAD
    bad = desc; bad.n = 2; bad.ldc = 3;                /* row 1 begins behind the padding: 2, NaN */
    bad.alloc = test_heap_allocator(&heap);
    CHECK_STATUS(bln_radial_create(&bad, &b, &report), BLN_EDATA);
    CHECK(report.row == 1 && report.column == 1 && heap.live == 0);
    bad = desc; bad.n = (size_t)-1/2;  CHECK_STATUS(bln_radial_create(&bad, &b, &report), BLN_EOVERFLOW);
    bad = desc; bad.alloc = test_heap_allocator(&heap);
    heap.fail_at = 0;
    CHECK_STATUS(bln_radial_create(&bad, &b, &report), BLN_ENOMEM);
    CHECK(b == NULL && heap.live == 0);
}

SUITE_BEGIN(radial)
    SUITE_TEST(radial, golden)
    SUITE_TEST(radial, one_length_scale)
    SUITE_TEST(radial, ridge_by_definition)
    SUITE_TEST(radial, pullback)
    SUITE_TEST(radial, extremes)
    SUITE_TEST(radial, shift)
    SUITE_TEST(radial, centres)
    SUITE_TEST(radial, starts_and_names)
    SUITE_TEST(radial, files)
    SUITE_TEST(radial, hostile_files)
    SUITE_TEST(radial, errors)
SUITE_END(radial)
