/* latent: three components against high precision; moments by their definition; strides, latents and noise of components' own;
 * one component closed; points; thousands of components; what is not a number. */
#include "latent_tools.h"

static const double latent_w[] = { 0.5, 0.3, 0.2 }, latent_m[] = { 0.4, -1.0, 2.0 }, latent_v[] = { 0.3, 2.0, 0.05 };

static bln_latent latent_three(double dof)
{
    bln_latent f = BLN_ZERO;
    f.K = 3;
    f.weight = latent_w;
    f.mean = latent_m;
    f.var = latent_v;
    f.dof = dof;
    f.law = bln_kind_student()->law;
    return f;
}

/* By mpmath, 40 digits: x, P(. <= x), P(. > x), log density; then p and its quantile. Tails are sums of three, each good to some
 * eps of itself; quantiles have 1e-13 of the distance from the centre, plus what the rounding of p moves them. */
TEST(latent, golden)
{
    static const double dofs[2] = { 0.0, 3.5 };
    static const double at[2][5][4] = {
        { { -6.0,  0.000061042802616743838676, 0.99993895719738325616,    -8.7194849278105814261 },
          { -1.25, 0.12960038821993306017,     0.87039961178006693983,    -2.4393996263976433496 },
          { 0.5,   0.54289030990382112642,     0.45710969009617887358,    -0.90045865312742145411 },
          { 2.0,   0.89404402074826125755,     0.10595597925173874245,    -0.99194811534455495375 },
          { 9.0,   0.99999999999976938103,     2.3061896916420521899e-13, -27.469484927810581426 } },
        { { -6.0,  0.0046612287685490073845,   0.99533877123145099262,    -5.9272753095717942911 },
          { -1.25, 0.14215684128214112035,     0.85784315871785887965,    -2.3389283036582953179 },
          { 0.5,   0.53063416550969656774,     0.46936583449030343226,    -0.98018718279251125837 },
          { 2.0,   0.87062998726742887781,     0.12937001273257112219,    -1.0054363645784745086 },
          { 9.0,   0.99942568017278616908,     0.0005743198272138309236,  -8.5445366674970283886 } }
    };
    static const double p[4] = { 1e-9, 0.025, 0.5, 0.9 };
    static const double want[2][4] = {
        { -9.2011840167116477355, -2.9558490581155754084, 0.3959860920345105394,  2.016087447152658087 },
        { -449.10454943293886943, -3.5073499222377296617, 0.41951041701973648937, 2.0828725657137752092 }
    };
    for (size_t t = 0; t < 2; t++) {
        const bln_latent f = latent_three(dofs[t]);
        double got[4], lower, upper, logp;
        for (size_t i = 0; i < 5; i++) {
            const double *a = at[t][i];
            latent_cdfs(&f, 1, 0, NULL, a, &lower, &upper);
            latent_logdensities(&f, 1, 0, NULL, a, &logp);
            CHECK_REL(lower, a[1], 2e-14);
            CHECK_REL(upper, a[2], 2e-14);
            CHECK_NEAR(logp, a[3], 2e-14*fabs(a[3]));
        }
        latent_quantiles(&f, 1, 0, NULL, 4, p, got);
        for (size_t i = 0; i < 4; i++) CHECK_NEAR(got[i], want[t][i], 1e-13*fabs(want[t][i] - 0.3) + 1e-14);
    }
}

/* sum w m, sum w (v + (m - mean)^2); of t's v nu/(nu - 2), and where they do not exist. Points have moments for any dof. */
TEST(latent, moments)
{
    double mean, var, want = 0.0, between = 0.0, within = 0.0;
    for (size_t k = 0; k < 3; k++) want += latent_w[k]*latent_m[k];
    for (size_t k = 0; k < 3; k++) {
        between += latent_w[k]*(latent_m[k] - want)*(latent_m[k] - want);
        within += latent_w[k]*latent_v[k];
    }
    static const double dofs[] = { 0.0, 5.0, 2.0, 1.0 };
    for (size_t t = 0; t < 4; t++) {
        const bln_latent f = latent_three(dofs[t]);
        latent_moments(&f, 1, 0, NULL, &mean, &var);
        CHECK_NEAR(mean, t < 3 ? want : (double)NAN, 4e-16);
        CHECK_NEAR(var, t == 0 ? between + within : t == 1 ? between + within*5.0/3.0
                      : t == 2 ? (double)INFINITY : (double)NAN, 4e-15);
    }
    bln_latent f = latent_three(1.0);
    f.K = 1;
    f.weight = NULL;
    f.var = NULL;
    latent_moments(&f, 1, 0, NULL, &mean, &var);
    CHECK(mean == latent_m[0] && var == 0.0);
    latent_moments(&f, 1, 0, NULL, NULL, NULL);
}

/* Two rows, three components, two latents, padded rows; y has v_i eta_k,jj more, and is a latent of that variance. */
TEST(latent, strides_and_noise)
{
    enum { N = 2, K = 3, J = 2, LD = 9 };
    double mean[N*LD], var[N*LD], eta[K*J*J], own_m[K], own_v[K], got[N][4], want[4];
    const double v[N] = { 0.7, 1.9 }, p = 0.9, x[N] = { 0.3, -0.8 };
    test_random r = test_random_new(5);
    test_fill_normal(&r, N*LD, mean);
    for (size_t i = 0; i < N*LD; i++) var[i] = test_uniform(&r);
    for (size_t i = 0; i < K*J*J; i++) eta[i] = 0.1 + test_uniform(&r);
    for (size_t dof = 0; dof < 5; dof += 4)
        for (size_t j = 0; j < J; j++)
            for (int noise = 0; noise < 2; noise++) {
                bln_latent f = BLN_ZERO, one = BLN_ZERO;
                double q[N], out[6][N];
                f.K = K;
                f.J = J;
                f.weight = latent_w;
                f.mean = mean;
                f.var = var;
                f.ld = LD;
                f.eta = eta;
                f.ldeta = J*J;
                f.dof = one.dof = (double)dof;
                f.law = one.law = bln_kind_student()->law;
                latent_moments(&f, N, j, noise ? v : NULL, out[0], out[1]);
                latent_cdfs(&f, N, j, noise ? v : NULL, x, out[2], out[3]);
                latent_logdensities(&f, N, j, noise ? v : NULL, x, out[4]);
                latent_quantiles(&f, N, j, noise ? v : NULL, 1, &p, q);
                one.K = K;
                one.weight = latent_w;
                one.mean = own_m;
                one.var = own_v;
                for (size_t i = 0; i < N; i++) {
                    for (size_t k = 0; k < K; k++) {
                        own_m[k] = mean[i*LD + k*J + j];
                        own_v[k] = var[i*LD + k*J + j] + (noise ? v[i]*eta[k*J*J + j*(J + 1)] : 0.0);
                    }
                    latent_moments(&one, 1, 0, NULL, want, want + 1);
                    latent_cdfs(&one, 1, 0, NULL, x + i, want + 2, want + 3);
                    for (size_t c = 0; c < 4; c++) got[i][c] = out[c][i];
                    for (size_t c = 0; c < 4; c++) CHECK(got[i][c] == want[c]);
                    latent_logdensities(&one, 1, 0, NULL, x + i, want);
                    latent_quantiles(&one, 1, 0, NULL, 1, &p, want + 1);
                    CHECK(out[4][i] == want[0] && q[i] == want[1]);
                }
            }
}

/* One component is closed; the ends; a tail next to 1 keeps the digits of 1 - p. */
TEST(latent, one)
{
    const double m = 2.385, v = 2.25, p[6] = { 0.0, 1e-300, 0.3, 1.0 - DBL_EPSILON, 1.0, -0.1 };
    double q[6];
    for (int t = 0; t < 2; t++) {
        bln_latent f = BLN_ZERO;
        f.mean = &m;
        f.var = &v;
        f.dof = t ? 4.0 : 0.0;
        f.law = bln_kind_student()->law;
        latent_quantiles(&f, 1, 0, NULL, 6, p, q);
        CHECK(q[0] == -HUGE_VAL && q[4] == HUGE_VAL && q[5] != q[5]);
        for (size_t i = 1; i < 3; i++)
            CHECK_REL(q[i], m + 1.5*(t ? bln_student_quantile(4.0, p[i]) : bln_norm_quantile(p[i])), 4e-16);
        CHECK_REL(q[3], m - 1.5*(t ? bln_student_quantile(4.0, DBL_EPSILON) : bln_norm_quantile(DBL_EPSILON)), 4e-16);
        f.var = NULL;
        latent_quantiles(&f, 1, 0, NULL, 5, p, q);
        for (size_t i = 0; i < 5; i++) CHECK(q[i] == m);
    }
}

static int latent_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Points: quantiles are the sorted points themselves; tails count them; ties; weights. */
TEST(latent, points)
{
    enum { K = 501 };
    double x[K], sorted[K], weight[K], lower, upper, q, total = 0.0;
    test_random r = test_random_new(6);
    bln_latent f = BLN_ZERO;
    for (size_t k = 0; k < K; k++) {
        x[k] = k % 7 == 3 ? 0.25 : test_normal(&r);
        weight[k] = 0.1 + test_uniform(&r);
        total += weight[k];
    }
    for (size_t k = 0; k < K; k++) weight[k] /= total;
    memcpy(sorted, x, sizeof x);
    qsort(sorted, K, sizeof *sorted, latent_compare);
    f.K = K;
    f.mean = x;
    for (size_t i = 0; i < K; i += 5) {
        const double inside = ((double)i + 0.5)/K;
        latent_quantiles(&f, 1, 0, NULL, 1, &inside, &q);
        CHECK(q == sorted[i]);
    }
    const double half = 0.25;
    size_t below = 0;
    for (size_t k = 0; k < K; k++) below += x[k] <= half;
    latent_cdfs(&f, 1, 0, NULL, &half, &lower, &upper);
    CHECK_REL(lower, (double)below/K, 1e-13);
    CHECK_REL(upper, 1.0 - (double)below/K, 1e-13);
    latent_logdensities(&f, 1, 0, NULL, &half, &q);
    CHECK(q == HUGE_VAL);
    f.weight = weight;
    for (double p = 0.01; p < 1.0; p += 0.07) {
        double under = 0.0, at = 0.0;
        latent_quantiles(&f, 1, 0, NULL, 1, &p, &q);
        for (size_t k = 0; k < K; k++) {
            if (x[k] < q) under += weight[k];
            if (x[k] == q) at += weight[k];
        }
        CHECK(at > 0.0 && under < p + 1e-13 && under + at > p - 1e-13);
    }
}

/* Thousands of components are searched by 64 of them and end with all; the answer is that of the search with all, to rounding.
 * Equal and unequal weights, wide and narrow components, normals and t's, f and y. */
TEST(latent, many)
{
    enum { K = 4000 };
    static const double p[] = { 1e-6, 0.025, 0.5, 0.975, 0.9999 };
    double *m = test_doubles(4*K), *v = m + K, *w = v + K, *eta = w + K, total = 0.0, q[5];
    const double factor = 1.3;
    test_random r = test_random_new(7);
    for (size_t k = 0; k < K; k++) {
        m[k] = 3.0 + test_normal(&r);
        v[k] = (k % 3 ? 0.5 : 1e-4)*(0.5 + test_uniform(&r));
        w[k] = test_uniform(&r)*test_uniform(&r);
        eta[k] = 0.2 + test_uniform(&r);
        total += w[k];
    }
    for (size_t k = 0; k < K; k++) w[k] /= total;
    for (int c = 0; c < 8; c += TEST_MANY(1, 5)) {
        bln_latent f = BLN_ZERO;
        f.K = K;
        f.mean = m;
        f.var = v;
        f.weight = c & 1 ? w : NULL;
        f.dof = c & 2 ? 7.0 : 0.0;
        f.law = bln_kind_student()->law;
        f.eta = eta;
        f.ldeta = 1;
        latent_quantiles(&f, 1, 0, c & 4 ? &factor : NULL, 5, p, q);
        const blni_mix mix = blni_mix_of(&f, 0, 0, c & 4 ? factor : 0.0);
        for (size_t i = 0; i < 5; i++) {
            const double sign = p[i] > 0.5 ? -1.0 : 1.0, want = p[i] > 0.5 ? 1.0 - p[i] : p[i];
            CHECK_NEAR(q[i], 3.0 + sign*blni_mix_distance(&mix, sign, want, 3.0, 0.0, 0, 0.01), 1e-12);
        }
    }
    free(m);
}

/* As many components as are searched by some of them first, all the same: what some of them give is the answer but for rounding, a
 * first step of Newton's method of 0 too. */
TEST(latent, many_that_are_one)
{
    enum { K = 64 };
    double m[K], v[K];
    bln_latent f = BLN_ZERO;
    f.K = K;
    f.mean = m;
    f.var = v;
    for (size_t k = 0; k < K; k++) { m[k] = 0.3; v[k] = 1.7; }
    for (int i = 0; i < 60; i++) {
        const double p = pow(10.0, -0.25 - 0.15*i), want = 0.3 + sqrt(1.7)*bln_norm_quantile(p);
        double q;
        latent_quantiles(&f, 1, 0, NULL, 1, &p, &q);
        CHECK_NEAR(q, want, 8.0*DBL_EPSILON*(fabs(want - 0.3) + sqrt(1.7)));
    }
}

/* Components of any width and place: the quantile is that of the definition. */
TEST(latent, far_apart)
{
    static const double m[] = { 1e8, 0.0, -3e3 }, v[] = { 1.0, 1e-12, 0.0 }, p[] = { 0.01, 0.2, 0.4, 0.6, 0.9 };
    bln_latent f = BLN_ZERO;
    double q[5], lower, upper;
    f.K = 3;
    f.mean = m;
    f.var = v;
    latent_quantiles(&f, 1, 0, NULL, 5, p, q);
    CHECK_NEAR(q[0], -3e3, 1e-11);
    CHECK_NEAR(q[1], -3e3, 1e-11);
    for (size_t i = 2; i < 5; i++) {
        latent_cdfs(&f, 1, 0, NULL, q + i, &lower, &upper);
        CHECK_NEAR(lower, p[i], i < 4 ? 1e-12 : 1e-8);       /* 1e8 has an ulp of 1.5e-8 */
        CHECK_NEAR(lower + upper, 1.0, 4e-16);
    }
}

TEST(latent, not_a_number)
{
    const double bad[3] = { (double)NAN, (double)INFINITY, 1.0 }, v[3] = { 1.0, 1.0, 1.0 }, negative = -1.0, one = 1.0, p = 0.4;
    double a, b;
    for (size_t i = 0; i < 2; i++)
        for (size_t K = 1; K < 3; K++) {
            bln_latent f = BLN_ZERO;
            f.K = K;
            f.mean = bad + i;
            f.var = v;
            latent_quantiles(&f, 1, 0, NULL, 1, &p, &a);
            CHECK(a != a);
            latent_cdfs(&f, 1, 0, NULL, &one, &a, &b);
            latent_logdensities(&f, 1, 0, NULL, &one, &b);
            if (i == 0) CHECK(a != a && b != b);
            latent_moments(&f, 1, 0, NULL, &a, &b);
            if (i == 0) CHECK(a != a && b != b);
        }
    bln_latent f = BLN_ZERO;
    f.mean = v;
    f.var = &negative;
    latent_quantiles(&f, 1, 0, NULL, 1, &p, &a);
    latent_logdensities(&f, 1, 0, NULL, &one, &b);
    CHECK(a != a && b != b);
}

/* t's without their law, points that are NaN, and a second tail that is none. */
TEST(latent, no_answer)
{
    const double m[2] = { 0.3, NAN }, v[2] = { 1.0, 1.0 }, x = 0.5, p = 0.4;
    bln_latent f = BLN_ZERO;
    double a[4];
    f.K = 2;
    f.mean = m;
    latent_cdfs(&f, 1, 0, NULL, &x, a, a + 1);
    CHECK(a[0] != a[0] && a[1] != a[1]);
    f.K = 1;
    f.var = v;
    const blni_mix mix = blni_mix_of(&f, 0, 0, 0.0);
    a[0] = blni_mix_quantile(&mix, 0.5, -0.1);
    CHECK(a[0] != a[0]);
    f.dof = 3.0;
    latent_cdfs(&f, 1, 0, NULL, &x, a, a + 1);
    latent_logdensities(&f, 1, 0, NULL, &x, a + 2);
    latent_quantiles(&f, 1, 0, NULL, 1, &p, a + 3);
    for (size_t k = 0; k < 4; k++) CHECK(a[k] != a[k]);
}

/* Weights that sum to a little more than 1, as 1/K may, are no probability above 1. Points have no density where there are none of
 * weight. */
TEST(latent, weights)
{
    double m[100], beyond = 7.0, lower, upper, logp, sum = 0.0;
    const double weight[2] = { 1.0, 0.0 }, at[2] = { 1.0, 2.0 }, places[2] = { 2.0, 3.0 };
    size_t above = 0;
    bln_latent f = BLN_ZERO;
    memset(m, 0, sizeof m);
    f.mean = m;
    for (f.K = 1; f.K <= 100; f.K++) {
        latent_cdfs(&f, 1, 0, NULL, &beyond, &lower, &upper);
        CHECK(lower <= 1.0 && lower > 1.0 - 1e-14 && upper == 0.0);
        sum = 0.0;
        for (size_t k = 0; k < f.K; k++) sum += 1.0/(double)f.K;
        above += sum > 1.0;
    }
    CHECK(above > 0);
    f.K = 2;
    f.mean = at;
    f.weight = weight;
    for (size_t k = 0; k < 2; k++) {
        latent_logdensities(&f, 1, 0, NULL, places + k, &logp);
        CHECK(logp == -HUGE_VAL);
    }
    latent_logdensities(&f, 1, 0, NULL, at, &logp);
    CHECK(logp == HUGE_VAL);
}

static double latent_quantile(const bln_latent *f, double p)
{
    double x;
    latent_quantiles(f, 1, 0, NULL, 1, &p, &x);
    return x;
}

/* A node of weight 1e-20 far out moves the mean there, and no quantile between 1 and 99 % by more than 1e-20/0.01 of itself. Beside
 * a node as wide as 1e95, wherever it is, which has the same probability on either side of the narrow one and far around it, the
 * quantiles are those of the narrow one at the levels that are left to it. */
TEST(latent, quantiles_beside_far_and_wide_nodes)
{
    static const double levels[] = { 0.01, 0.1, 0.5, 0.9, 0.99 }, places[] = { 0.0, -1e95, 2e95 };
    double weight[2] = { 1.0, 1e-20 }, at[2] = { 3.0, -1e50 }, var[2] = { 0.25, 4.0 };
    bln_latent m;
    memset(&m, 0, sizeof m);
    m.dof = 4.0;
    m.law = bln_kind_student()->law;
    m.K = 2;
    m.weight = weight;
    m.mean = at;
    m.var = var;
    for (size_t l = 0; l < 5; l++) {
        const double want = 3.0 + 0.5*bln_student_quantile(4.0, levels[l]);
        CHECK_NEAR(latent_quantile(&m, levels[l]), want, 64.0*DBL_EPSILON*(fabs(want) + 3.5));
    }
    weight[0] = 0.25;
    weight[1] = 0.75;
    var[1] = 1e190;
    for (size_t k = 0; k < 3; k++)
        for (size_t l = 0; l < 5; l++) {
            at[1] = places[k];
            const double below = 0.75*bln_student_cdf(4.0, -places[k]/1e95), want = 3.0 + 0.5*bln_student_quantile(4.0, levels[l]);
            const double got = latent_quantile(&m, below + 0.25*levels[l]);
            CHECK_NEAR(bln_student_cdf(4.0, (got - 3.0)/0.5), levels[l], 1e-12);
            CHECK_NEAR(got, want, 1e-11*(fabs(want) + 3.5));
        }
    at[1] = 0.0;                                             /* far from both: that of the wide one */
    CHECK_REL(latent_quantile(&m, 0.9), -1e95*bln_student_quantile(4.0, 0.1/0.75), 1e-12);
    at[1] = places[2];
    var[0] = var[1] = 0.0;                                   /* two points */
    CHECK_NEAR(latent_quantile(&m, 0.2), 3.0, 1e-13);
    CHECK_NEAR(latent_quantile(&m, 0.9)/2e95, 1.0, 1e-14);
}

/* A few of many components may say nothing of the whole: where theirs is all have no density to go by. And a tail may be so heavy
 * that its quantile is beyond the doubles: of t's with 1/1000 degrees of freedom 1e308 is exceeded with a probability of 1/4. */
TEST(latent, quantiles_far_from_the_guess)
{
    enum { K = 64 };
    double m[K], v[K], w[K];
    bln_latent f = BLN_ZERO;
    f.K = K;
    f.mean = m;
    f.var = v;
    f.weight = w;
    for (size_t k = 0; k < K; k++) {                                     /* some of them: numbers 2, 6, 10, ... */
        m[k] = k % 4 == 2 ? 1000.0 : 5000.0;
        v[k] = 1.0;
        w[k] = k % 4 == 2 ? 3.6e-310 : 1.0/48.0;
    }
    CHECK_NEAR(latent_quantile(&f, 0.45), 5000.0 + bln_norm_quantile(0.45), 1e-11);
    f.K = 2;
    f.weight = NULL;
    f.dof = 1e-3;
    f.law = bln_kind_student()->law;
    m[0] = 0.0;
    m[1] = 1.0;
    CHECK(bln_student_cdf(1e-3, -1e308) > 0.2);
    CHECK(latent_quantile(&f, 0.1) == -HUGE_VAL);
    CHECK(latent_quantile(&f, 0.9) == HUGE_VAL);
    f.dof = 0.0;
    f.weight = w;
    f.K = 3;
    w[0] = 0.4;
    w[1] = w[2] = 0.3;
    m[1] = m[2] = 1.7e308;                                   /* a step further is beyond the doubles, the quantile is not */
    CHECK_REL(latent_quantile(&f, 0.45), 1.7e308, 1e-14);
}

SUITE_BEGIN(latent)
SUITE_TEST(latent, golden)
SUITE_TEST(latent, moments)
SUITE_TEST(latent, strides_and_noise)
SUITE_TEST(latent, one)
SUITE_TEST(latent, points)
SUITE_TEST(latent, many)
SUITE_TEST(latent, many_that_are_one)
SUITE_TEST(latent, far_apart)
SUITE_TEST(latent, not_a_number)
SUITE_TEST(latent, quantiles_beside_far_and_wide_nodes)
SUITE_TEST(latent, no_answer)
SUITE_TEST(latent, weights)
SUITE_TEST(latent, quantiles_far_from_the_guess)
SUITE_END(latent)
