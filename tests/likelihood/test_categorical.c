/* categorical: log p against plain sums, derivatives against differences, expectations against sums in long doubles; two classes
 * are the binomial's logit; probabilities, draws, what it refuses */
#include "latents_tools.h"
#include "../golden/latents_golden.h"
#include "../random/goodness.h"

static bln_likelihood categorical_of(size_t K, int reference)
{
    return reference ? bln_likelihood_categorical_reference(K) : bln_likelihood_categorical(K);
}

/* f of all classes from that of the latents. */
static double categorical_f(const double *f, size_t k, int reference) { return reference ? k ? f[k - 1] : 0.0 : f[k]; }

static double categorical_logp(size_t K, const double *f, double y, int reference)
{
    long double sum = 0.0L;
    for (size_t k = 0; k < K; k++) sum += expl((long double)categorical_f(f, k, reference));
    return (double)((long double)categorical_f(f, (size_t)y, reference) - logl(sum));
}

/* f of a few units to plain sums; by hand where e^f is beyond the range of doubles. */
TEST(categorical, logp)
{
    test_random r = test_random_new(1);
    double f[7], logp;
    latents_row row;
    for (size_t c = 0; c < 200; c++) {
        const size_t K = 2 + c % 6;
        const int reference = c % 2 == 1;
        const bln_likelihood l = categorical_of(K, reference);
        for (size_t k = 0; k < K; k++) f[k] = 4.0*test_normal(&r);
        latents_row_set(&row, floor((double)K*test_uniform(&r)), 1.0);
        bln_latents_logp(&l, NULL, 1, &row.t, f, 1, &logp);
        CHECK_NEAR(logp, categorical_logp(K, f, row.y, reference), 32.0*DBL_EPSILON*(1.0 + fabs(logp)));
    }
    static const struct { double f[3], y, logp; } by_hand[] = {
        { { 0.0, 0.0, 0.0 }, 1.0, -1.0986122886681098 },         { { 800.0, 800.0, 800.0 }, 2.0, -1.0986122886681098 },
        { { 800.0, -800.0, 0.0 }, 0.0, 0.0 },                    { { 800.0, -800.0, 0.0 }, 1.0, -1600.0 },
        { { -800.0, -800.0, -800.0 }, 0.0, -1.0986122886681098 }, { { -800.0, -800.0, 800.0 }, 0.0, -1600.0 },
        { { -800.0, 0.0, -40.0 }, 1.0, -4.2483542552915889e-18 } /* e^-40, to all digits */
    };
    const bln_likelihood l = bln_likelihood_categorical(3);
    for (size_t c = 0; c < sizeof by_hand/sizeof *by_hand; c++) {
        latents_row_set(&row, by_hand[c].y, 1.0);
        bln_latents_logp(&l, NULL, 1, &row.t, by_hand[c].f, 1, &logp);
        CHECK_REL(logp, by_hand[c].logp, 4.0*DBL_EPSILON);
    }
}

/* Every answer at the corners of |f| <= 800 is finite, d1 sums to 0 and is of [-1, 1], rows of d2 sum to 0. */
TEST(categorical, far_out)
{
    static const double corner[4] = { -800.0, 0.0, 37.0, 800.0 };
    const bln_likelihood l = bln_likelihood_categorical(3);
    double out[LATENTS_NUMBERS], curve[3], mean[3], var[3];
    const double C[6] = { 1.0, 0.5, -0.3, 2.0, 0.1, 0.7 };
    for (size_t c = 0; c < 4*4*4*3; c++) {
        const double f[3] = { corner[c % 4], corner[c/4 % 4], corner[c/16 % 4] };
        latents_row row;
        latents_row_set(&row, (double)(c/64), 1.0);
        latents_point(&l, NULL, &row.t, f, out);
        l.ops->latents->curve(&l, NULL, 1, &row.t, f, 1, C, curve);
        l.ops->latents->moments(&l, NULL, 1, &row.t, f, 1, mean, var);
        CHECK(out[0] <= 0.0 && out[0] >= -1600.0 - 2.0*log(3.0));
        CHECK_NEAR(out[1] + out[2] + out[3], 0.0, 4.0*DBL_EPSILON);
        CHECK_NEAR(out[4] + out[5] + out[6], 0.0, 4.0*DBL_EPSILON);
        CHECK_NEAR(out[5] + out[7] + out[8], 0.0, 4.0*DBL_EPSILON);
        CHECK_NEAR(mean[0] + mean[1] + mean[2], 1.0, 4.0*DBL_EPSILON);
        for (size_t j = 0; j < 3; j++) CHECK(fabs(out[1 + j]) <= 1.0 && fabs(curve[j]) <= 10.0 && var[j] >= 0.0 && var[j] <= 0.25);
    }
}

TEST(categorical, derivatives)
{
    static const size_t sizes[3] = { 2, 3, 7 };
    static const double ys[7] = { 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 };
    test_random r = test_random_new(2);
    for (size_t c = 0; c < 3; c++)
        for (int reference = 0; reference < 2; reference++) {
            const bln_likelihood l = categorical_of(sizes[c], reference);
            CHECK(bln_likelihood_check(&l) == NULL);
            CHECK_SIZE(bln_likelihood_latents(&l), sizes[c] - (size_t)reference);
            CHECK_SIZE(bln_likelihood_classes(&l), sizes[c]);
            for (size_t y = 0; y < sizes[c]; y++)
                for (size_t k = 0; k < 5; k++) {
                    double f[7], C[LATENTS_PAIRS];
                    latents_row row;
                    test_fill_normal(&r, 7, f);
                    test_fill_normal(&r, LATENTS_PAIRS, C);
                    for (size_t j = 0; j < 7; j++) f[j] *= (double)k;
                    latents_row_set(&row, ys[y], 1.0);
                    latents_check_slopes(&l, NULL, &row.t, f, C);
                }
            latents_check_rows(&l, NULL, ys, sizes[c]);
        }
}

/* Both forms of two classes and the binomial, whose f is the difference: log p to the rounding of f, expectations to what either
 * promises, 1e-10. v up to 200 is s up to 14 for f, 10 for each of two latents. */
TEST(categorical, two_classes)
{
    static const double vs[] = { 0.0, 1e-6, 0.01, 0.03, 0.2, 0.5, 0.8, 2.0, 7.0, 25.0, 90.0, 200.0 };
    static const double share[] = { 0.0, 0.3, 0.5, 1.0 };
    const bln_likelihood b = bln_likelihood_binomial(BLN_LINK_LOGIT);
    const bln_likelihood both = bln_likelihood_categorical(2), one = bln_likelihood_categorical_reference(2);
    for (double f = -60.0; f <= 60.0; f += 3.7)
        for (size_t c = 0; c < 24; c++) {
            const double m[2] = { 0.4 - 0.25*f, 0.4 + 0.75*f }, at = m[1] - m[0], v = vs[c/2];
            double want[3], got[3], dm[2], dv[2], logp[3];
            latents_row row;
            latents_row_set(&row, (double)(c % 2), 1.0);
            bln_likelihood_logp(&b, NULL, 1, &row.t, &at, logp);
            bln_latents_logp(&both, NULL, 1, &row.t, m, 1, logp + 1);
            bln_latents_logp(&one, NULL, 1, &row.t, &at, 1, logp + 2);
            for (size_t j = 1; j < 3; j++) CHECK_NEAR(logp[j], logp[0], 8.0*DBL_EPSILON*(fabs(f) + 1.0));
            blni_likelihood_expect(&b, NULL, 1, &row.t, &at, &v, 0.0, want, want + 1, want + 2, NULL, 0);
            blni_latents_expect(&one, NULL, 1, &row.t, &at, &v, 1, 0.0, got, got + 1, got + 2, NULL, 0);
            for (size_t j = 0; j < 3; j++) CHECK_GOLD(got[j], want[j], 2e-10);
            for (size_t k = 0; k < 4; k++) {
                const double parts[2] = { v*share[k], v - v*share[k] };
                blni_latents_expect(&both, NULL, 1, &row.t, m, parts, 1, 0.0, got, dm, dv, NULL, 0);
                CHECK_GOLD(got[0], want[0], 2e-10);
                for (size_t j = 0; j < 2; j++) {
                    CHECK_GOLD(dm[j], j ? want[1] : -want[1], 2e-10);
                    CHECK_GOLD(dv[j], want[2], 2e-10);
                }
            }
        }
}

/* One golden row, of either form: expectations, then predictions, to the 1e-10 that the header promises. */
static void categorical_check_golden(const golden_latents_row *g, int reference)
{
    const size_t first = (size_t)reference;
    const bln_likelihood l = categorical_of(g->K, reference);
    double value, dm[6], dv[6], logp, mean[6], model[6], noise[6], sum = 0.0;
    for (size_t y = 0; y < g->K; y++) {
        latents_row row;
        latents_row_set(&row, (double)y, 1.0);
        blni_latents_expect(&l, NULL, 1, &row.t, g->m + first, g->v + first, 1, 0.0, &value, dm, dv, NULL, 0);
        CHECK_GOLD(value, g->m[y] - g->logsum, 1e-10);
        for (size_t k = first; k < g->K; k++) {
            CHECK_NEAR(dm[k - first], (k == y ? 1.0 : 0.0) - g->p[k], 1e-10);
            CHECK_NEAR(dv[k - first], -0.5*(g->p[k] - g->p2[k]), 1e-10);
        }
        l.ops->latents->normal_logp(&l, NULL, 1, &row.t, g->m + first, g->v + first, NULL, 1, &logp);
        CHECK_NEAR(exp(logp), g->p[y], 1e-10);
        l.ops->latents->normal_moments(&l, NULL, 1, &row.t, g->m + first, g->v + first, NULL, 1, mean, model, noise);
    }
    for (size_t k = 0; k < g->K; k++) {
        CHECK_NEAR(mean[k], g->p[k], 1e-10);
        CHECK_NEAR(model[k], g->p2[k] - g->p[k]*g->p[k], 2e-10);
        CHECK_NEAR(noise[k], g->p[k] - g->p2[k], 2e-10);
        CHECK(model[k] >= 0.0 && noise[k] >= 0.0);
        sum += mean[k];
    }
    CHECK_NEAR(sum, 1.0, 2e-10);
}

TEST(categorical, golden)
{
    for (size_t i = 0; i < sizeof golden_latents_rows/sizeof *golden_latents_rows; i++) {
        const golden_latents_row *g = golden_latents_rows + i;
        categorical_check_golden(g, 0);
        if (g->m[0] == 0.0 && g->v[0] == 0.0) categorical_check_golden(g, 1);
    }
}

/* A tolerance that asks for less: its own errors, of 1e-6 or what the header says of 1e-10, and what is left out may be NULL. */
TEST(categorical, tolerances)
{
    static const double tolerance[3] = { 1e-4, 1e-6, 1e-8 };
    for (size_t i = 0; i < sizeof golden_latents_rows/sizeof *golden_latents_rows; i++)
        for (size_t c = 0; c < 3; c++) {
            const golden_latents_row *g = golden_latents_rows + i;
            const bln_likelihood l = bln_likelihood_categorical(g->K);
            double value, again, dm[6], dv[6];
            latents_row row;
            latents_row_set(&row, 1.0, 1.0);
            blni_latents_expect(&l, NULL, 1, &row.t, g->m, g->v, 1, tolerance[c], &value, dm, dv, NULL, 0);
            blni_latents_expect(&l, NULL, 1, &row.t, g->m, g->v, 1, tolerance[c], &again, NULL, NULL, NULL, 0);
            CHECK(value == again);
            CHECK_GOLD(value, g->m[1] - g->logsum, tolerance[c]);
            for (size_t k = 0; k < g->K; k++) {
                CHECK_NEAR(dm[k], (k == 1 ? 1.0 : 0.0) - g->p[k], tolerance[c]);
                CHECK_NEAR(dv[k], -0.5*(g->p[k] - g->p2[k]), tolerance[c]);
            }
        }
}

/* dm and dv are the slopes of value, also from one way of integrating to the next; to differences of values with errors of 1e-10, 3
 * of them over steps of 1e-3: the step and the error of the rule as for latents_slope. Rows beside each other change nothing. */
TEST(categorical, slopes_of_expectation)
{
    enum { K = 5, N = 150, LD = 151 };
    const bln_likelihood l = bln_likelihood_categorical(K);
    double *x = test_doubles((6*K + 2)*LD), *m = x, *v = x + K*LD, *dm = v + K*LD, *dv = dm + K*LD, *y = dv + K*LD, *value = y + LD;
    test_random r = test_random_new(3);
    bln_targets t = BLN_ZERO;
    for (size_t i = 0; i < K*LD; i++) {
        m[i] = 3.0*test_normal(&r);
        v[i] = exp(-8.0 + 12.0*test_uniform(&r));
    }
    for (size_t i = 0; i < LD; i++) y[i] = (double)(i % K);
    t.y = y;
    blni_latents_expect(&l, NULL, N, &t, m, v, LD, 0.0, value, dm, dv, NULL, 0);
    for (size_t i = 0; i < N; i += 7)
        for (size_t c = 0; c < 2*K; c++) {
            double at[2*K], g[5], dm1[K], dv1[K], *moved = at + c, start, h;
            latents_row row;
            latents_row_set(&row, y[i], 1.0);
            for (size_t k = 0; k < K; k++) { at[k] = m[k*LD + i]; at[K + k] = v[k*LD + i]; }
            blni_latents_expect(&l, NULL, 1, &row.t, at, at + K, 1, 0.0, g + 4, dm1, dv1, NULL, 0);
            CHECK(g[4] == value[i]);
            for (size_t k = 0; k < K; k++) CHECK(dm1[k] == dm[k*LD + i] && dv1[k] == dv[k*LD + i]);
            start = *moved;
            h = c < K ? 1e-2 : 0.05*fmin(start, 1.0);
            for (size_t s = 0; s < 4; s++) {
                *moved = start + h*(s < 2 ? (double)s - 2.0 : (double)s - 1.0);
                blni_latents_expect(&l, NULL, 1, &row.t, at, at + K, 1, 0.0, g + s, NULL, NULL, NULL, 0);
            }
            const double rounding = 1e-10*(1.0 + fabs(g[4]))/h, rule = (c < K ? 3e-9 : 1e-7)*fmin(1.0, fabs(start) + (c < K));
            CHECK_NEAR((8.0*(g[2] - g[1]) - (g[3] - g[0]))/(12.0*h), c < K ? dm1[c] : dv1[c - K], 1.5*rounding + rule);
        }
    free(x);
}

/* NaN, and infinite moments, make everything NaN. */
TEST(categorical, expectation_of_nonsense)
{
    const bln_likelihood l = bln_likelihood_categorical(3);
    const double bad[3] = { NAN, HUGE_VAL, -HUGE_VAL };
    double value, dm[3], dv[3], logp, mean[3], model[3], noise[3];
    latents_row row;
    latents_row_set(&row, 1.0, 1.0);
    for (size_t c = 0; c < 6; c++) {
        double m[3] = { 0.1, 0.2, 0.3 }, v[3] = { 0.1, 0.2, 4.0 };
        if (c == 5) continue;                                                     /* a variance is not -inf */
        (c < 3 ? m : v)[1] = bad[c % 3];
        blni_latents_expect(&l, NULL, 1, &row.t, m, v, 1, 0.0, &value, dm, dv, NULL, 0);
        l.ops->latents->normal_logp(&l, NULL, 1, &row.t, m, v, NULL, 1, &logp);
        l.ops->latents->normal_moments(&l, NULL, 1, &row.t, m, v, NULL, 1, mean, model, noise);
        CHECK(value != value && logp != logp && mean[0] != mean[0]);
        for (size_t k = 0; k < 3; k++) CHECK(dm[k] != dm[k] && dv[k] != dv[k]);
    }
}

/* Wide moments, against the binomial: up to sqrt v = 1024 errors of 1e-10 (the value, of about s, to 1e-10 of it), beyond, where f
 * is divided, of 1e-6, of value 1e-6 of the spread of f; and no expectation of log p above 0, which a search would run after. */
TEST(categorical, wide)
{
    const bln_likelihood l = bln_likelihood_categorical(2), b = bln_likelihood_binomial(BLN_LINK_LOGIT);
    for (double s = 1.001; s < 1e9; s *= 2.7)
        for (double shift = -2.0; shift <= 2.0; shift += 0.5) {
            const double m[2] = { 1.0, 1.0 + shift*s }, v[2] = { s*s, 0.3*s*s }, at = shift*s, all = v[0] + v[1];
            const double error = s > 1024.0 ? 1e-6 : 1e-10;
            double value, dm[2], dv[2], want[3];
            latents_row row;
            latents_row_set(&row, 1.0, 1.0);
            blni_latents_expect(&l, NULL, 1, &row.t, m, v, 1, 0.0, &value, dm, dv, NULL, 0);
            blni_likelihood_expect(&b, NULL, 1, &row.t, &at, &all, 0.0, want, want + 1, want + 2, NULL, 0);
            CHECK(value < 0.0);
            CHECK_NEAR(value, want[0], error*s);
            CHECK_NEAR(dm[1], want[1], error);
            CHECK_NEAR(dm[0], -want[1], error);
            for (size_t k = 0; k < 2; k++) CHECK_NEAR(dv[k], want[2], s > 1024.0 ? error/s : error);
        }
}

/* The most classes there can be, all alike. */
TEST(categorical, many)
{
    const bln_likelihood most = bln_likelihood_categorical(BLN_LATENTS);
    double value, dm[BLN_LATENTS], dv[BLN_LATENTS], m[BLN_LATENTS], v[BLN_LATENTS];
    latents_row row;
    latents_row_set(&row, 1.0, 1.0);
    for (size_t k = 0; k < BLN_LATENTS; k++) { m[k] = -3.0; v[k] = 2.0; }
    blni_latents_expect(&most, NULL, 1, &row.t, m, v, 1, 0.0, &value, dm, dv, NULL, 0);
    for (size_t k = 0; k < BLN_LATENTS; k++) {
        CHECK_NEAR(dm[k], (k == 1 ? 1.0 : 0.0) - 1.0/BLN_LATENTS, 1e-10);
        CHECK_NEAR(dv[k], dv[0], 1e-10);
    }
}

/* Where a search begins, the class of the row is the most likely one; likelier, too, than at f = 0. */
TEST(categorical, start)
{
    static const size_t sizes[4] = { 2, 3, 7, 64 };
    for (size_t c = 0; c < 8; c++) {
        const size_t K = sizes[c/2];
        const bln_likelihood l = categorical_of(K, (int)(c % 2));
        double f[BLN_LATENTS], p[BLN_LATENTS];
        for (size_t y = 0; y < K; y++) {
            latents_row row;
            latents_row_set(&row, (double)y, 1.0);
            l.ops->latents->start(&l, NULL, 1, &row.t, f, 1);
            l.ops->latents->moments(&l, NULL, 1, &row.t, f, 1, p, NULL);
            CHECK(p[y] > 1.0/(double)K && p[y] < 0.9);
            for (size_t k = 0; k < K; k++) CHECK(k == y || p[k] < p[y]);
        }
    }
}

/* Frequencies of draws by chi-square, 5 sigma; moments by definition. The rows are several blocks of a softmax. */
TEST(categorical, draws_and_moments)
{
    enum { DRAWS = 40000, K = 4 };
    double *f = test_doubles(DRAWS*K), *y = test_doubles(DRAWS), mean[2*K], var[2*K];
    const double at[K] = { 0.3, -1.2, 1.4, -4.0 };
    for (int reference = 0; reference < 2; reference++) {
        const bln_likelihood l = categorical_of(K, reference);
        double count[K] = { 0.0 };
        bln_targets t = BLN_ZERO;
        bln_rng rng;
        bln_rng_seed(&rng, 12, (uint64_t)reference);
        for (size_t j = 0; j < l.n_latent; j++)
            for (size_t i = 0; i < DRAWS; i++) f[j*DRAWS + i] = at[j];
        l.ops->latents->draw(&l, NULL, DRAWS, &t, f, DRAWS, &rng, y);
        l.ops->latents->moments(&l, NULL, 2, &t, f, DRAWS, mean, var);
        for (size_t i = 0; i < DRAWS; i++) {
            CHECK(y[i] == floor(y[i]) && y[i] >= 0.0 && y[i] < K);
            count[(size_t)y[i] % K] += 1.0;
        }
        for (size_t c = 0; c < 2*K; c++) {
            const double p = exp(categorical_logp(K, at, (double)(c % K), reference));
            CHECK_REL(mean[c], p, 32.0*DBL_EPSILON);
            CHECK_REL(var[c], p*(1.0 - p), 64.0*DBL_EPSILON);
        }
        goodness_chi2(K, count, mean, DRAWS, l.ops->name, 0.0, 0.0);
    }
    free(f);
    free(y);
}

/* y and trials: what is said of each. */
TEST(categorical, domain)
{
    const bln_likelihood l = bln_likelihood_categorical(3);
    const double y[5] = { 0.0, 2.0, 3.0, 0.5, -1.0 }, two = 2.0;
    static const char *const text[5] = { NULL, NULL, "not below the number of classes", "number of a class", "number of a class" };
    bln_report report;
    for (size_t i = 0; i < 5; i++) {
        bln_data data = BLN_ZERO;
        data.n = 1;
        data.y = y + i;
        CHECK_STATUS(bln_likelihood_check_data(&l, &data, &report), text[i] ? BLN_EDOMAIN : BLN_OK);
        if (text[i]) CHECK_TEXT(report.text, text[i]);
        data.trials = &two;
        CHECK_STATUS(bln_likelihood_check_data(&l, &data, &report), BLN_EDOMAIN);
        CHECK_TEXT(report.text, "no trials");
        data.trials = NULL;
        data.noise_var = &two;
        CHECK_STATUS(bln_likelihood_check_data(&l, &data, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "no noise variance");
    }
}

/* Offsets of one latent or of all of them. */
TEST(categorical, offsets)
{
    const bln_likelihood l = bln_likelihood_categorical(3);
    const double y[2] = { 0.0, 2.0 }, offset[8] = { 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0 };
    bln_report report;
    for (size_t n_offset = 0; n_offset <= 4; n_offset++) {
        bln_data data = BLN_ZERO;
        data.n = 2;
        data.y = y;
        data.offset = offset;
        data.n_offset = n_offset;
        CHECK_STATUS(bln_likelihood_check_data(&l, &data, &report), n_offset == 2 || n_offset == 4 ? BLN_ESHAPE : BLN_OK);
    }
}

static int categorical_refused(bln_likelihood l, size_t n_latent)
{
    l.n_latent = n_latent;
    return bln_likelihood_check(&l) != NULL;
}

TEST(categorical, sizes)
{
    static const size_t good[4] = { 2, 3, 63, 64 }, bad[4] = { 0, 1, 65, (size_t)-1 };
    for (size_t c = 0; c < 8; c++) {
        const bln_likelihood l = categorical_of(good[c/2], (int)(c % 2)), none = categorical_of(bad[c/2], (int)(c % 2));
        CHECK(bln_likelihood_check(&l) == NULL);
        CHECK_SIZE(l.n_latent, good[c/2] - c % 2);
        CHECK_SIZE(bln_likelihood_classes(&l), good[c/2]);
        CHECK_TEXT(bln_likelihood_check(&none), "likelihood: ");
    }
    const bln_likelihood l = bln_likelihood_categorical(3), r = bln_likelihood_categorical_reference(3);
    CHECK(categorical_refused(l, 0) && categorical_refused(l, 1) && categorical_refused(l, 65) && !categorical_refused(l, 64));
    CHECK(categorical_refused(r, 64) && categorical_refused(r, 65) && !categorical_refused(r, 1) && !categorical_refused(r, 63));
    CHECK_TEXT(bln_likelihood_latent_name(&l, 0), "f0");
    CHECK_TEXT(bln_likelihood_latent_name(&l, 9), "f9");
    CHECK_TEXT(bln_likelihood_latent_name(&l, 63), "f");
}

/* By name with any number of latents; its parameters are none. */
TEST(categorical, find)
{
    const bln_likelihood list[3] = { bln_likelihood_poisson(BLN_LINK_LOG), bln_likelihood_categorical(2),
                                     bln_likelihood_categorical_reference(2) };
    bln_likelihood found;
    for (size_t J = 2; J <= 64; J += 31) {
        CHECK_OK(bln_likelihood_find(list, 3, "categorical", 0, J, &found));
        CHECK_SIZE(bln_likelihood_classes(&found), J);
        CHECK(found.ops == list[1].ops && found.n_latent == J && !bln_likelihood_check(&found));
    }
    for (size_t J = 1; J <= 63; J += 31) {
        CHECK_OK(bln_likelihood_find(list, 3, "categorical_reference", 0, J, &found));
        CHECK_SIZE(bln_likelihood_classes(&found), J + 1);
        CHECK(found.ops == list[2].ops && found.n_latent == J);
    }
    CHECK_STATUS(bln_likelihood_find(list, 3, "categorical", 1, 3, &found), BLN_ESHAPE);
    CHECK_STATUS(bln_likelihood_find(list, 3, "categorical", 0, 1, &found), BLN_ESHAPE);
    CHECK_STATUS(bln_likelihood_find(list, 3, "categorical", 0, 65, &found), BLN_ESHAPE);
    CHECK_STATUS(bln_likelihood_find(list, 3, "categorical_reference", 0, 64, &found), BLN_ESHAPE);
    CHECK_STATUS(bln_likelihood_find(list, 3, "poisson_log", 0, 2, &found), BLN_ESHAPE);
    CHECK_STATUS(bln_likelihood_find(list, 3, "softmax", 0, 2, &found), BLN_EUNKNOWN);
    CHECK_STATUS(bln_likelihood_find(list, 3, NULL, 0, 2, &found), BLN_EINVAL);
}

/* ---- tables of the user's own */

static size_t categorical_too_many(const bln_likelihood *l) { (void)l; return BLN_LATENTS + 1; }
static size_t categorical_one(const bln_likelihood *l) { (void)l; return 1; }

static void categorical_told(const bln_likelihood_ops *ops, size_t n_theta, const char *text)
{
    bln_likelihood l = bln_likelihood_categorical(3);
    l.ops = ops;
    l.n_theta = n_theta;
    CHECK_TEXT(bln_likelihood_check(&l), text);
}

TEST(categorical, incomplete_tables)
{
    const bln_likelihood l = bln_likelihood_categorical(3);
    bln_likelihood_ops ops = *l.ops;
    bln_latents_ops latents = *l.ops->latents;
    ops.latents = &latents;
    categorical_told(&ops, 1, "eval_param is missing");
    latents.classes = categorical_too_many;
    categorical_told(&ops, 0, "too many classes");
    latents.classes = categorical_one;
    categorical_told(&ops, 0, "two or more");
    latents.classes = NULL;
    categorical_told(&ops, 0, "moments, cdf or draw is missing");
    latents = *l.ops->latents;
    latents.moments = NULL;
    categorical_told(&ops, 0, "moments, cdf or draw is missing");
    latents = *l.ops->latents;
    latents.draw = NULL;
    categorical_told(&ops, 0, "moments, cdf or draw is missing");
    latents = *l.ops->latents;
    latents.logp = NULL;
    categorical_told(&ops, 0, "logp or eval");
    latents = *l.ops->latents;
    ops.discrete = 0;
    categorical_told(&ops, 0, "of a discrete y");
    ops.discrete = 1;
    ops.n_constants = 1;
    categorical_told(&ops, 0, "no constants");
    ops.n_constants = 0;
    latents.eval = NULL;
    categorical_told(&ops, 0, "logp or eval");
    ops.latents = NULL;
    categorical_told(&ops, 0, "a table for one");
}

/* The sums over nodes at every level of >>cpu: the same to some roundings of 16 terms. Narrow and wide normals. */
TEST(categorical, levels)
{
    static const double scales[4] = { 0.05, 0.3, 0.7, 30.0 };
    const bln_likelihood l = bln_likelihood_categorical(3);
    for (size_t i = 0; i < 4; i++) {
        const double m[3] = { 0.1, 0.9, -0.6 }, s = scales[i], v[3] = { s*s, 0.5*s*s, 2.0*s*s };
        double want[7], got[7];
        latents_row row;
        latents_row_set(&row, 1.0, 1.0);
        for (int level = 0; level <= TEST_TOP_LEVEL; level++) {
            double *x = level ? got : want;
            bln_cpu_level_force(level);
            blni_latents_expect(&l, NULL, 1, &row.t, m, v, 1, 0.0, x, x + 1, x + 4, NULL, 0);
            for (size_t k = 0; k < 7; k++) CHECK_NEAR(x[k], want[k], 1e-13*(1.0 + fabs(want[k])));
        }
    }
    bln_cpu_level_force(-1);
}

/* A table without expectations says NaN and writes nothing else; of one latent these functions are those of one. */
TEST(categorical, other_tables)
{
    const bln_likelihood b = bln_likelihood_poisson(BLN_LINK_LOG);
    const double m[3] = { 0.1, 0.4, -0.2 }, v[3] = { 0.3, 0.1, 0.0 };
    bln_likelihood l = bln_likelihood_categorical(3);
    bln_likelihood_ops ops = *l.ops;
    bln_latents_ops latents = *l.ops->latents;
    double value = 0.0, dm[3] = { 7.0, 7.0, 7.0 }, dv[3] = { 7.0, 7.0, 7.0 }, one[4], other[4];
    latents_row row;
    latents_row_set(&row, 1.0, 1.0);
    latents.expect = NULL;
    ops.latents = &latents;
    l.ops = &ops;
    blni_latents_expect(&l, NULL, 1, &row.t, m, v, 1, 0.0, &value, dm, dv, NULL, 0);
    CHECK(value != value);
    for (size_t j = 0; j < 3; j++) CHECK(dm[j] == 7.0 && dv[j] == 7.0);
    blni_latents_expect(&b, NULL, 1, &row.t, m, v, 1, 0.0, one, one + 1, one + 2, NULL, 0);
    blni_likelihood_expect(&b, NULL, 1, &row.t, m, v, 0.0, other, other + 1, other + 2, NULL, 0);
    for (size_t j = 0; j < 3; j++) CHECK(one[j] == other[j]);
    bln_latents_eval(&b, NULL, 1, &row.t, m, 1, one, one + 1, one + 2);
    bln_likelihood_eval(&b, NULL, 1, &row.t, m, other, other + 1, other + 2, NULL);
    bln_latents_logp(&b, NULL, 1, &row.t, m, 1, one + 3);
    for (size_t j = 0; j < 3; j++) CHECK(one[j] == other[j]);
    CHECK_NEAR(one[3], one[0], 1e-15);
    CHECK_SIZE(bln_likelihood_latents(&b), 1);
    CHECK_SIZE(bln_likelihood_classes(&b), 0);
}

SUITE_BEGIN(categorical)
SUITE_TEST(categorical, logp)
SUITE_TEST(categorical, far_out)
SUITE_TEST(categorical, derivatives)
SUITE_TEST(categorical, two_classes)
SUITE_TEST(categorical, golden)
SUITE_TEST(categorical, tolerances)
SUITE_TEST(categorical, slopes_of_expectation)
SUITE_TEST(categorical, expectation_of_nonsense)
SUITE_TEST(categorical, wide)
SUITE_TEST(categorical, many)
SUITE_TEST(categorical, start)
SUITE_TEST(categorical, draws_and_moments)
SUITE_TEST(categorical, domain)
SUITE_TEST(categorical, offsets)
SUITE_TEST(categorical, sizes)
SUITE_TEST(categorical, find)
SUITE_TEST(categorical, incomplete_tables)
SUITE_TEST(categorical, other_tables)
SUITE_TEST(categorical, levels)
SUITE_END(categorical)
