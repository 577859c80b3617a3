/* predictive: one normal against high precision; mixtures against the reference; draws of f; quantiles by their definition;
 * intervals and draws of y against the cdf; far tails; a user's likelihood. */
#include "likelihood_tools.h"
#include "../golden/predictive_golden.h"
#include "../golden/glm_nodes_golden.h"

static bln_latent predictive_normal(const double *m, const double *v)
{
    bln_latent f = BLN_ZERO;
    f.K = 1;
    f.mean = m;
    f.var = v;
    return f;
}

/* The same with parameters of the likelihood; until the next call. */
static const bln_latent *predictive_at(const bln_latent *f, const double *theta)
{
    static bln_latent at;
    at = *f;
    at.eta = theta;
    return &at;
}

/* A draw of y: a component, f, y. */
static void predictive_draw(const bln_likelihood *l, const bln_targets *t, const bln_latent *f, bln_rng *rng, double *y)
{
    size_t k = 0;
    for (double u = bln_rng_uniform(rng); k + 1 < f->K && (u -= f->weight ? f->weight[k] : 1.0/(double)f->K) >= 0.0; ) k++;
    const double at = f->mean[k] + sqrt(f->var ? f->var[k] : 0.0)*bln_rng_normal(rng);
    bln_likelihood_draw(l, f->eta ? f->eta + k*f->ldeta : NULL, 1, t, &at, rng, y);
}

/* The accuracies of the comments: log density 1e-11 and 4 eps |log p|, moments 1e-9 (E y and both parts of the variance), tails
 * 1e-10 relative. The golden values themselves are quadratures, good to 1e-13 or so of the larger tail; hence the 1e-13. */
TEST(predictive, golden)
{
    for (size_t i = 0; i < sizeof golden_predictive_rows/sizeof *golden_predictive_rows; i++) {
        const golden_predictive_row *g = golden_predictive_rows + i;
        const bln_likelihood l = likelihood_named(g->family);
        const double v = g->value[0];
        const bln_latent f = predictive_normal(&g->m, &v);
        const size_t before = test_failures;
        likelihood_row r;
        double got[6];
        likelihood_row_set(&r, &l, g->y, g->other);
        blni_predictive_logdensity(&l, 1, &r.t, predictive_at(&f, g->theta), got);
        blni_predictive_moments(&l, 1, &r.t, predictive_at(&f, g->theta), got + 1, got + 2, got + 3);
        blni_predictive_cdf(&l, 1, &r.t, predictive_at(&f, g->theta), got + 4, got + 5);
        const double terms = l.ops->discrete ? 4.0*DBL_EPSILON*(g->y + 1.0)*log(g->y + 2.0) : 0.0;
        likelihood_near(got[0], g->value[1], 1e-11 + 4.0*DBL_EPSILON*fabs(g->value[1]) + terms, "log density", g->family, g->y,
                        g->m);
        for (size_t j = 1; j < 4; j++) {
            const double want = likelihood_golden(g->value[j + 1]);
            likelihood_near(got[j], want, 1e-9*fabs(want), j == 1 ? "mean" : j == 2 ? "model variance" : "noise variance",
                            g->family, g->y, g->m);
        }
        for (size_t j = 4; j < 6; j++)
            likelihood_near(got[j], g->value[j + 1], 1e-10*g->value[j + 1] + 1e-13, j == 4 ? "lower" : "upper", g->family, g->y,
                            g->m);
        if (test_failures != before) printf("    v = %g\n", v);
    }
}

/* ---- mixtures */

/* Two normals, the reference's models [variational 41-45]. Quantiles of a continuous y to 1e-9 of its spread, else exactly. */
TEST(predictive, mixtures)
{
    static const double p[3] = { 0.025, 0.5, 0.975 };
    for (size_t i = 0; i < sizeof golden_nodes_new/sizeof *golden_nodes_new; i++) {
        const golden_nodes_new_row *g = golden_nodes_new + i;
        double theta[2], trials, got[8], model, noise;
        const bln_likelihood l = likelihood_of_model(g->likelihood, theta, &trials);
        likelihood_row r;
        bln_latent f = predictive_normal(golden_nodes_new_mu + 2*g->row, golden_nodes_new_v + 2*g->row);
        f.K = 2;
        likelihood_row_set(&r, &l, g->y, trials);
        blni_predictive_moments(&l, 1, &r.t, predictive_at(&f, theta), got, &model, &noise);
        got[1] = model;
        got[2] = model + noise;
        blni_predictive_logdensity(&l, 1, &r.t, predictive_at(&f, theta), got + 3);
        blni_predictive_cdf(&l, 1, &r.t, predictive_at(&f, theta), got + 4, NULL);
        for (size_t j = 0; j < 3; j++) predictive_quantile(&l, 1, &r.t, predictive_at(&f, theta), p[j], got + 5 + j);
        for (size_t j = 0; j < 8; j++)
            if (g->value[j] > -1e308)
                likelihood_near(got[j], g->value[j], j > 4 && l.ops->discrete ? 0.0 : (j < 3 ? 1e-9 : 1e-10)*(1.0
                        + fabs(g->value[j])), "mixture",
                                g->likelihood, g->y, (double)j);
    }
}

/* A t of 0.8 degrees of freedom has no mean given f; that of a prediction is the mean of f, the centre of y. */
TEST(predictive, no_mean_given_f)
{
    const bln_likelihood l = bln_likelihood_student_t();
    const double theta[2] = { 0.5, 0.8 }, at = 1.25, var = 0.3;
    double mean, model, noise;
    likelihood_row r;
    bln_latent f = predictive_normal(&at, &var);
    likelihood_row_set(&r, &l, 0.0, 1.0);
    bln_likelihood_moments(&l, theta, 1, &r.t, &at, &mean, NULL);
    CHECK(mean != mean);
    blni_predictive_moments(&l, 1, &r.t, predictive_at(&f, theta), &mean, &model, &noise);
    CHECK(mean == at && model == var && noise == HUGE_VAL);
}

/* Draws of f, v = 0: plain means over them, here of 300, with weights; the same with var NULL and with zeros. Rows take their means
 * by the stride. */
TEST(predictive, draws_of_f)
{
    enum { K = 300 };
    double m[2*K], zeros[2*K], weights[K], y[2] = { 1.0, 2.0 }, o[2] = { 3.0, 3.0 }, total = 0.0;
    test_random random = test_random_new(3);
    for (size_t k = 0; k < K; k++) {
        m[k] = test_normal(&random);
        m[K + k] = 1.0 + 0.5*test_normal(&random);
        zeros[k] = zeros[K + k] = 0.0;
        total += weights[k] = test_uniform(&random);
    }
    for (size_t k = 0; k < K; k++) weights[k] /= total;
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        bln_targets t = BLN_ZERO;
        bln_latent f = BLN_ZERO;
        double got[2][6], again[2];
        f.K = K;
        f.mean = m;
        f.weight = weights;
        t.y = y;
        if (!l.ops->discrete) t.noise_var = o;
        else if (strcmp(k->name, "ordinal")) t.trials = o;
        blni_predictive_logdensity(&l, 2, &t, predictive_at(&f, k->theta), got[0]);
        blni_predictive_moments(&l, 2, &t, predictive_at(&f, k->theta), got[0] + 2, got[0] + 4, got[1]);
        blni_predictive_cdf(&l, 2, &t, predictive_at(&f, k->theta), got[1] + 2, got[1] + 4);
        f.var = zeros;
        blni_predictive_logdensity(&l, 2, &t, predictive_at(&f, k->theta), again);
        CHECK(again[0] == got[0][0] && again[1] == got[0][1]);
        for (size_t i = 0; i < 2; i++) {
            double want[6] = { 0.0 }, logp, mean, var, low, high;
            const bln_targets one = blni_targets_from(&t, i);
            for (int pass = 0; pass < 2; pass++)
                for (size_t j = 0; j < K; j++) {
                    const double w = weights[j], *at = m + i*K + j;
                    bln_likelihood_moments(&l, k->theta, 1, &one, at, &mean, &var);
                    if (pass) { want[3] += w*(mean - want[1])*(mean - want[1]); continue; }
                    bln_likelihood_logp(&l, k->theta, 1, &one, at, &logp);
                    bln_likelihood_cdf(&l, k->theta, 1, &one, at, &low, &high);
                    want[0] += w*exp(logp);
                    want[1] += w*mean;
                    want[2] += w*var;
                    want[4] += w*low;
                    want[5] += w*high;
                }
            /* sums of 300 terms: 300 eps at most of their absolute values */
            likelihood_near(got[0][i], log(want[0]), 1e-13, "log density", k->name, y[i], 0.0);
            likelihood_near(got[0][2 + i], want[1], 1e-13*(1.0 + fabs(want[1])), "mean", k->name, y[i], 0.0);
            likelihood_near(got[0][4 + i], want[3], 1e-12*(1.0 + want[3]), "model variance", k->name, y[i], 0.0);
            likelihood_near(got[1][i], want[2], 1e-13*want[2], "noise variance", k->name, y[i], 0.0);
            likelihood_near(got[1][2 + i], want[4], 1e-13, "lower", k->name, y[i], 0.0);
            likelihood_near(got[1][4 + i], want[5], 1e-13, "upper", k->name, y[i], 0.0);
        }
    }
}

/* ---- quantiles, draws */

static const double predictive_m[] = { 0.4, -1.0, 2.0 }, predictive_v[] = { 0.3, 2.0, 0.0 }, predictive_w[] = { 0.5, 0.3, 0.2 };

static bln_latent predictive_three(void)
{
    bln_latent f = predictive_normal(predictive_m, predictive_v);
    f.K = 3;
    f.weight = predictive_w;
    return f;
}

/* The definition, as for the likelihoods alone; the interval is made of two of them, at its own level to the last digit. */
TEST(predictive, quantiles)
{
    static const double p[] = { 1e-6, 0.05, 0.5, 0.9, 0.9999 };
    const bln_latent f = predictive_three();
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        likelihood_row r;
        double low, high, a, ends[2];
        for (size_t i = 0; i < sizeof p/sizeof *p; i++) {
            const double q = 1.0 - p[i];
            likelihood_row_set(&r, &l, 0.0, strcmp(k->name, "ordinal") ? 7.0 : 1.0);
            predictive_quantile(&l, 1, &r.t, predictive_at(&f, k->theta), p[i], &a);
            r.y = a;
            blni_predictive_cdf(&l, 1, &r.t, predictive_at(&f, k->theta), &low, &high);
            if (l.ops->discrete) {
                CHECK(a == floor(a));
                CHECK(p[i] <= q ? low >= p[i] : high <= q);
                r.y = a - 1.0;
                blni_predictive_cdf(&l, 1, &r.t, predictive_at(&f, k->theta), &low, &high);
                CHECK(p[i] <= q ? low < p[i] : high > q);
            } else
                likelihood_near(p[i] <= q ? low : high, p[i] <= q ? p[i] : q, 1e-9*(p[i] <= q ? p[i] : q), "cdf of quantile",
                                k->name, a, p[i]);
        }
        r.t.y = NULL;                                                        /* no y is read */
        predictive_quantile(&l, 1, &r.t, predictive_at(&f, k->theta), 1.0, ends + 1);
        predictive_quantile(&l, 1, &r.t, predictive_at(&f, k->theta), 0.0, ends);
        blni_support(&l, 7.0, &low, &high);
        CHECK(ends[0] == low && ends[1] == high);
        predictive_quantile(&l, 1, &r.t, predictive_at(&f, k->theta), -0.1, ends);
        CHECK(ends[0] != ends[0]);
    }
}

/* Draws of y have the distribution that the cdf says, and all parts of the mixture (PIT, 5 sigma: goodness.h). */
TEST(predictive, transforms_of_y)
{
    const double y[3] = { 0.0, 1.0, 2.7 }, u[3] = { 0.25, 1.0, 0.0 }, o[3] = { 7.0, 7.0, 7.0 };
    bln_latent f = predictive_three();
    double m[9], v[9], got[3], half[3], low[3], below[3];
    for (size_t j = 0; j < 9; j++) { m[j] = predictive_m[j % 3] + (double)j/10.0; v[j] = predictive_v[j % 3]; }
    f.mean = m;
    f.var = v;
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        const double before[3] = { -1.0, 0.0, 1.0 };
        bln_targets t = BLN_ZERO;
        t.y = y;
        if (!l.ops->discrete) t.noise_var = o;
        else if (strcmp(k->name, "ordinal")) t.trials = o;
        blni_predictive_cdf(&l, 3, &t, predictive_at(&f, k->theta), low, NULL);
        memcpy(got, u, sizeof got);
        blni_predictive_pit(&l, 3, &t, predictive_at(&f, k->theta), got, got);
        blni_predictive_pit(&l, 3, &t, predictive_at(&f, k->theta), NULL, half);
        t.y = before;
        blni_predictive_cdf(&l, 3, &t, predictive_at(&f, k->theta), below, NULL);
        for (size_t i = 0; i < 3; i++) {
            const double from = l.ops->discrete ? below[i] : low[i];
            CHECK_NEAR(got[i], from + u[i]*(low[i] - from), 1e-15);
            CHECK_NEAR(half[i], from + 0.5*(low[i] - from), 1e-15);
        }
        CHECK(!l.ops->discrete || below[0] == 0.0);
    }
}

TEST(predictive, draws_of_y)
{
    enum { DRAWS = 1500 };
    const bln_latent f = predictive_three();
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        likelihood_row r;
        double *u = test_doubles(DRAWS), *cache = test_doubles(200), low, below;
        bln_rng rng;
        bln_rng_seed(&rng, 6, c);
        for (size_t i = 0; i < 200; i++) cache[i] = -1.0;
        likelihood_row_set(&r, &l, 0.0, strcmp(k->name, "ordinal") ? 7.0 : 1.0);
        for (size_t i = 0; i < (l.ops->discrete ? DRAWS : 400); i++) {
            predictive_draw(&l, &r.t, predictive_at(&f, k->theta), &rng, &r.y);
            const double y = r.y;
            for (int step = 0; step < 2; step++) {                           /* small counts come again and again */
                double *at = step ? &below : &low;
                const int small = l.ops->discrete && r.y >= 0.0 && r.y < 200.0;
                if (small && cache[(size_t)r.y] >= 0.0) *at = cache[(size_t)r.y];
                else blni_predictive_cdf(&l, 1, &r.t, predictive_at(&f, k->theta), at, NULL);
                if (small) cache[(size_t)r.y] = *at;
                r.y = y - (l.ops->discrete ? 1.0 : 0.0);
            }
            u[i] = below + bln_rng_uniform(&rng)*(low - below);
        }
        likelihood_near(goodness_kolmogorov(l.ops->discrete ? DRAWS : 400, u, likelihood_identity, 0.0, 0.0), 0.0, 2.6,
                        "distance of PIT", k->name,
                        0.0, 0.0);
        free(u);
        free(cache);
    }
}

/* ---- far tails: by mpmath, log of quad(...) around the tilted mode, and by bounds */

/* sigma(f) is e^f (1 - e^f + ..) for f far to the left: E = e^{m + v/2} but for e^{-700}; normals far from the counts; y far out.
 * */
TEST(predictive, far_tails)
{
    const bln_likelihood logit = bln_likelihood_binomial(BLN_LINK_LOGIT), poisson = bln_likelihood_poisson(BLN_LINK_LOG),
                         student = bln_likelihood_student_t();
    const double m[3] = { -800.0, 0.3, -1.0 }, v[3] = { 3.0, 0.01, 1.0 }, theta[2] = { 0.8, 3.5 };
    static const double want[3] = { -798.5, -3313.1860541049088, -54.714700940112752 };
    likelihood_row r;
    double got, low, high;
    for (size_t i = 0; i < 3; i++) {
        const bln_latent f = predictive_normal(m + i, v + i);
        const bln_likelihood *l = i ? &poisson : &logit;
        likelihood_row_set(&r, l, i ? 5000.0 : 1.0, 1.0);
        blni_predictive_logdensity(l, 1, &r.t, &f, &got);
        CHECK_NEAR(got, want[i], 1e-11 + 16.0*DBL_EPSILON*fabs(want[i]) + (i ? 4e-12*5.0 : 0.0));
        r.y = i ? 5000.0 : 0.0;
        blni_predictive_cdf(l, 1, &r.t, &f, &low, &high);
        if (i < 1) CHECK_REL(high, exp(-798.5), 1e-9);                              /* 0: below the doubles */
        if (i == 2) CHECK(high > exp(want[2]) && high < 1000.0*exp(want[2]));       /* P(Y > y) = p(y) times some sd of Y */
    }
    /* The t is heavier than any normal: far out the density is its own. */
    const bln_latent f = predictive_normal(m + 2, v + 2);
    likelihood_row_set(&r, &student, 1e8, 1.0);
    blni_predictive_logdensity(&student, 1, &r.t, predictive_at(&f, theta), &got);
    bln_likelihood_logp(&student, theta, 1, &r.t, m + 2, &low);
    CHECK_NEAR(got, low, 1e-10);
    blni_predictive_cdf(&student, 1, &r.t, predictive_at(&f, theta), &low, &high);
    CHECK_REL(high, bln_student_cdf(3.5, -(1e8 + 1.0)/0.8), 1e-9);
    /* So far that y + 1 is y, which few degrees of freedom bring. */
    for (double y = 1e20; y < 1e300; y *= 1e70) {
        const double heavy[2] = { 0.8, 0.01 };
        likelihood_row_set(&r, &student, y, 1.0);
        blni_predictive_cdf(&student, 1, &r.t, predictive_at(&f, heavy), &low, &high);
        CHECK_REL(high, bln_student_cdf(heavy[1], -y/heavy[0]), 1e-9);
        blni_predictive_logdensity(&student, 1, &r.t, predictive_at(&f, heavy), &got);
        CHECK_NEAR(got, bln_student_logpdf(heavy[1], y/heavy[0]) - log(heavy[0]), 1e-10*fabs(got));
        predictive_quantile(&student, 1, &r.t, predictive_at(&f, heavy), low, &got);
        CHECK_REL(got, y, 1e-9/(heavy[1]*high));
    }
}

/* Tails so heavy in f that no integral over the density ends, and so deep that nodes around the mean miss them: the smaller
 * tail, by mpmath from the distribution function, to 25 digits. Quantiles go back to y. */
TEST(predictive, student_tails)
{
    static const struct { double scale, dof, m, v, y, tail; } row[] = {
        { 1.0,  0.1, 0.0, 1.0,  -2188.903, 0.193423534144099943 },    { 1.0,  0.1, 0.0, 1.0,  3.0,     0.376749580241514141 },
        { 1.0,  0.3, 0.0, 100.0, 66552.6,  0.0124881634089755833 },   { 1.0,  0.5, 0.0, 1.0, -5552.36, 0.00430389310843489696 },
        { 1.0,  1.0, 0.0, 0.25,  8.0,      0.0397358200328389341 },   { 1.0,  1.0, 0.0, 0.25, 60.0,    0.00530504191892711172 },
        { 1.0,  1.0, 0.0, 100.0, 55685.9,  5.71616686476453063e-6 },  { 1.0,  1e6, 0.0, 0.25, 10.0,    1.87403859911186891e-19 },
        { 1.0,  1e6, 0.0, 0.25,  20.0,     7.36296849030115498e-72 }, { 1.0,  1e6, 0.0, 0.25, 30.0,    7.27437811891872102e-159 },
        { 1.0,  4.0, 2.0, 9.0,   3.0,      0.379810480499033764 },    { 1.0,  4.0, 0.0, 1e6,  2000.0,  0.0227502399306929501 },
        { 0.01, 0.2, 0.0, 25.0,  7.0,      0.166062192180913062 }
    };
    const bln_likelihood student = bln_likelihood_student_t();
    for (size_t i = 0; i < sizeof row/sizeof *row; i++) {
        const double theta[2] = { row[i].scale, row[i].dof };
        double low, high, back;
        likelihood_row r;
        bln_latent f;
        memset(&f, 0, sizeof f);
        f.K = 1;
        f.mean = &row[i].m;
        f.var = &row[i].v;
        likelihood_row_set(&r, &student, row[i].y, 1.0);
        blni_predictive_cdf(&student, 1, &r.t, predictive_at(&f, theta), &low, &high);
        CHECK_REL(fmin(low, high), row[i].tail, 1e-12);
        CHECK_NEAR(low + high, 1.0, 4e-16);
        if (low > 1e-10 && high > 1e-10) {
            predictive_quantile(&student, 1, &r.t, predictive_at(&f, theta), low, &back);
            CHECK_REL(back, row[i].y, 1e-9/(theta[1]*fmin(low, high)));
        }
    }
}

/* So far out that a tail is 0 in double at any f that the normal lets be: that is asked at three f, and no integral is taken. */
static size_t predictive_asked;
static void predictive_counted_cdf(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                                   double *lower, double *upper)
{
    const bln_likelihood student = bln_likelihood_student_t();
    predictive_asked += n;
    student.ops->cdf(l, theta, n, t, f, lower, upper);
}

TEST(predictive, no_tail)
{
    static const double nu[4] = { 4.0, 1e5, 1e8, 1e10 }, v[2] = { 0.01, 1.0 };
    bln_likelihood l = bln_likelihood_student_t();
    bln_likelihood_ops ops = *l.ops;
    const double m = 0.5;
    ops.cdf = predictive_counted_cdf;
    l.ops = &ops;
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 2; k++)
            for (int side = -1; side <= 1; side += 2) {
                const double theta[2] = { 1.0, nu[i] }, y = side*(i ? 1e6 : 1e90);
                bln_targets t = BLN_ZERO;
                const bln_latent f = predictive_normal(&m, v + k);
                double lower, upper;
                t.y = &y;
                predictive_asked = 0;
                blni_predictive_cdf(&l, 1, &t, predictive_at(&f, theta), &lower, &upper);
                CHECK(lower == (side < 0 ? 0.0 : 1.0) && upper == (side < 0 ? 1.0 : 0.0));
                CHECK_LE((double)predictive_asked, 700.0);
            }
}

/* log E p(y | f) by mpmath as an integral over f, to 20 digits, where the library's is one over the precision of the Student-t. */
TEST(predictive, student_densities)
{
    static const struct { double scale, dof, m, v, y, logp; } row[] = {
        { 1.0,  0.1, 0.0, 1.0,  -2188.903, -11.63661367540847509 },  { 1.0,  0.1, 0.0, 1.0,  3.0,     -4.203779789317243474 },
        { 1.0,  0.3, 0.0, 100.0, 66552.6,  -16.692694677018324179 }, { 1.0,  0.5, 0.0, 1.0, -5552.36, -14.763360775050127749 },
        { 1.0,  1.0, 0.0, 0.25,  8.0,      -5.3076673396125110643 }, { 1.0,  1.0, 0.0, 100.0, 55685.9, -22.999694293503045546 },
        { 1.0,  1e6, 0.0, 0.25,  30.0,     -360.94769465029507376 }, { 1.0,  4.0, 2.0, 9.0,   3.0,    -2.1504990612378199975 },
        { 1.0,  4.0, 0.0, 1e6,   2000.0,   -9.8266908122267173977 }, { 0.01, 0.2, 0.0, 25.0,  7.0,    -3.6798748915331370895 },
        { 1.0,  4.0, 0.0, 1.0,   0.5,      -1.4053458140273295648 }, { 2.0,  12.0, 0.0, 1e-4, 9.0,    -8.0588267693559082525 },
        { 1.0,  29.5, 0.0, 1.0,  30.0,     -53.026963419320343321 }, { 1.0,  30.5, 0.0, 1.0,  30.0,   -54.210461361360991066 },
        { 1.0,  200.0, 0.0, 4.0, 50.0,     -221.01986740161806338 }
    };
    const bln_likelihood student = bln_likelihood_student_t();
    for (size_t i = 0; i < sizeof row/sizeof *row; i++) {
        const double theta[2] = { row[i].scale, row[i].dof };
        const bln_latent f = predictive_normal(&row[i].m, &row[i].v);
        double got;
        likelihood_row r;
        likelihood_row_set(&r, &student, row[i].y, 1.0);
        blni_predictive_logdensity(&student, 1, &r.t, predictive_at(&f, theta), &got);
        CHECK_NEAR(got, row[i].logp, 1e-11 + 4.0*DBL_EPSILON*fabs(row[i].logp));
    }
}

/* Rates beyond the doubles: moments are infinite, not NaN, and so are quantiles beyond the whole numbers that doubles have; below,
 * they hold what they say. */
TEST(predictive, beyond_the_range)
{
    static const char *const names[] = { "poisson_log", "negative_binomial", "zero_inflated_poisson" };
    static const double m[] = { -800.0, 0.0, 30.0, 709.0, 800.0 }, v[] = { 0.0, 0.01, 1e4 };
    for (size_t c = 0; c < 3; c++)
        for (size_t i = 0; i < 5; i++)
            for (size_t j = 0; j < 3; j++) {
                static const double theta[3] = { 0.0, 2.3, 0.3 };
                const bln_likelihood l = likelihood_named(names[c]);
                const double two[2] = { m[i], -1.0 }, both[2] = { v[j], v[j] };
                bln_latent f = predictive_normal(two, both);
                likelihood_row r;
                double mean, model, noise, low, high, y;
                for (f.K = 1; f.K < 3; f.K++) {
                    likelihood_row_set(&r, &l, 3.0, 1.0);
                    blni_predictive_moments(&l, 1, &r.t, predictive_at(&f, theta + c), &mean, &model, &noise);
                    blni_predictive_cdf(&l, 1, &r.t, predictive_at(&f, theta + c), &low, &high);
                    CHECK(mean >= 0.0 && model >= 0.0 && noise >= 0.0);
                    CHECK((mean < HUGE_VAL) == (m[i] + 0.5*v[j] < 709.78));
                    CHECK_NEAR(low + high, 1.0, 1e-9);
                }
                f.K = 1;
                predictive_quantile(&l, 1, &r.t, predictive_at(&f, theta + c), 0.9, &y);
                CHECK(y == floor(y) || y == HUGE_VAL);
                if (m[i] > 40.0 && (v[j] < 1e3 || m[i] > 600.0)) CHECK(y == HUGE_VAL || c == 2);
                if (y > 1e6) continue;
                r.y = y;
                blni_predictive_cdf(&l, 1, &r.t, predictive_at(&f, theta + c), &low, &high);
                CHECK_LE(0.9, low);
                r.y = y - 1.0;
                blni_predictive_cdf(&l, 1, &r.t, predictive_at(&f, theta + c), &low, &high);
                CHECK_LE(low, 0.9);
            }
}

/* What is sure but for less than rounding is no more than sure. */
TEST(predictive, no_more_than_sure)
{
    const bln_likelihood l = bln_likelihood_binomial(BLN_LINK_DEFAULT);
    const double y = 0.0;
    bln_targets t = BLN_ZERO;
    t.y = &y;
    for (double m = -60.0; m < -36.0; m += 0.7)
        for (double v = 0.1; v < 5.0; v *= 1.3) {
            double logp;
            bln_latent f = BLN_ZERO;
            f.K = 1;
            f.mean = &m;
            f.var = &v;
            blni_predictive_logdensity(&l, 1, &t, &f, &logp);
            CHECK(logp <= 0.0 && logp > -1e-11);
        }
}

/* Every likelihood far out, with narrow and with wide normals: no NaN, probabilities that add up, quantiles and draws that are
 * values of y. */
TEST(predictive, extremes)
{
    static const double ms[] = { -800.0, -30.0, 30.0, 800.0 }, vs[] = { 0.0, 1.0, 1e4 }, ys[] = { 0.0, 1.0, 3.0 };
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++)
        for (size_t i = 0; i < 12; i++) {
            const likelihood_case *k = likelihood_cases + c;
            const bln_likelihood l = likelihood_named(k->name);
            const bln_latent f = predictive_normal(ms + i/3, vs + i%3);
            double v[7], from, to;
            likelihood_row r;
            bln_rng rng;
            likelihood_row_set(&r, &l, ys[i % 3], strcmp(k->name, "ordinal") ? 3.0 : 1.0);
            blni_support(&l, r.other, &from, &to);
            bln_rng_seed(&rng, i, c);
            blni_predictive_logdensity(&l, 1, &r.t, predictive_at(&f, k->theta), v);
            blni_predictive_cdf(&l, 1, &r.t, predictive_at(&f, k->theta), v + 1, v + 2);
            blni_predictive_moments(&l, 1, &r.t, predictive_at(&f, k->theta), v + 3, v + 4, v + 5);
            predictive_quantile(&l, 1, &r.t, predictive_at(&f, k->theta), 0.9, v + 6);
            for (size_t j = 0; j < 7; j++) likelihood_near(v[j] == v[j], 1.0, 0.0, "a number", k->name, (double)j, ms[i/3]);
            CHECK(v[0] < 1.0 && v[1] >= 0.0 && v[2] >= 0.0 && v[4] >= 0.0 && v[5] >= 0.0);
            CHECK_NEAR(v[1] + v[2], 1.0, 1e-9);
            CHECK(v[6] >= from && v[6] <= to);
            for (size_t j = 0; j < 4; j++) {
                predictive_draw(&l, &r.t, predictive_at(&f, k->theta), &rng, v);
                CHECK(v[0] >= from && v[0] <= to && (!l.ops->discrete || v[0] == floor(v[0])));
            }
        }
}

/* Narrow noise under a wide normal, for which nodes in f would give stairs; and NaN. */
TEST(predictive, narrow_noise)
{
    const bln_likelihood poisson = bln_likelihood_poisson(BLN_LINK_LOG), student = bln_likelihood_student_t();
    const double m = 13.0, v = 1.0, theta[2] = { 1e-6, 4.0 }, nan = NAN, mu = 0.2;
    bln_latent f = predictive_normal(&m, &v);
    likelihood_row r;
    double low, high, got;
    likelihood_row_set(&r, &poisson, 1e6, 1.0);
    blni_predictive_cdf(&poisson, 1, &r.t, &f, &low, &high);
    CHECK_NEAR(low, bln_norm_cdf(log(1e6) - 13.0), 1e-6);                 /* noise of 1e-3 in f: 1e-3^2/2 of a curvature */
    CHECK_NEAR(low + high, 1.0, 1e-10);
    f = predictive_normal(&mu, &v);
    likelihood_row_set(&r, &student, 1.3, 1.0);
    blni_predictive_cdf(&student, 1, &r.t, predictive_at(&f, theta), &low, &high);
    CHECK_NEAR(low, bln_norm_cdf(1.1), 1e-10);
    blni_predictive_logdensity(&student, 1, &r.t, predictive_at(&f, theta), &got);
    CHECK_NEAR(got, bln_norm_logpdf(1.1), 1e-9);
    f.mean = &nan;
    blni_predictive_cdf(&student, 1, &r.t, predictive_at(&f, theta), &low, &high);
    blni_predictive_logdensity(&student, 1, &r.t, predictive_at(&f, theta), &got);
    CHECK(low != low && high != high && got != got);
    predictive_quantile(&student, 1, &r.t, predictive_at(&f, theta), 0.5, &got);
    CHECK(got != got);
    blni_predictive_moments(&student, 1, &r.t, predictive_at(&f, theta), &got, &low, &high);
    CHECK(got != got);
}

/* A normal so narrow that doubles near m stand as far apart as it is wide, or farther, is a point: with log p to second order the
 * mean density is off by a factor of 1 + 1/2 v (d2 + d1^2), a distribution function by less than v times its second slope, below 1;
 * and the errors of predictive. */
TEST(predictive, narrow_normals)
{
    static const double ms[] = { -20.5, -0.3, 3.7, 13.12 }, sds[] = { 1e-6, 1e-9, 1e-12, 1e-16, 1e-45, 1e-150 };
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        likelihood_row r;
        likelihood_row_set(&r, &l, strncmp(k->name, "binomial", 8) ? 3.0 : 1.0, 1.0);
        for (size_t j = 0; j < 24; j++) {
            const double m = ms[j/6], sd = sds[j % 6], v = sd*sd;
            double logp, point, d1, d2, lower[2], upper[2];
            const bln_latent f = predictive_normal(&m, &v);
            bln_likelihood_eval(&l, k->theta, 1, &r.t, &m, &point, &d1, &d2, NULL);
            bln_likelihood_cdf(&l, k->theta, 1, &r.t, &m, lower, upper);
            blni_predictive_logdensity(&l, 1, &r.t, predictive_at(&f, k->theta), &logp);
            blni_predictive_cdf(&l, 1, &r.t, predictive_at(&f, k->theta), lower + 1, upper + 1);
            likelihood_near(logp, point, v*(d1*d1 + fabs(d2)) + 1e-11*(1.0 + fabs(point)), "log p", k->name, m, sd);
            likelihood_near(lower[1], lower[0], v + 1e-10*lower[0], "P(Y <= y)", k->name, m, sd);
            likelihood_near(upper[1], upper[0], v + 1e-10*upper[0], "P(Y > y)", k->name, m, sd);
        }
    }
}

/* ---- a user's likelihood of log p alone */

static void predictive_behind(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                              double *logp)
{
    bln_likelihood_logp((const bln_likelihood *)l->user, theta, n, t, f, logp);
}

TEST(predictive, log_p_alone)
{
    static const char *const names[] = { "poisson_softplus", "gaussian" };
    const double m = 0.5, v = 0.4, theta = 0.37;
    const bln_latent f = predictive_normal(&m, &v);
    for (size_t c = 0; c < 2; c++) {
        const bln_likelihood l = likelihood_named(names[c]);
        bln_likelihood_ops ops;
        bln_likelihood user = BLN_ZERO;
        likelihood_row r;
        double a[7], b[7];
        memset(&ops, 0, sizeof ops);
        ops.name = "user";
        ops.discrete = l.ops->discrete;
        ops.logp = predictive_behind;
        user.ops = &ops;
        user.n_theta = 0;
        user.user = &l;
        likelihood_row_set(&r, &l, 1.0, 1.0);
        for (int own = 0; own < 2; own++) {
            const bln_likelihood *which = own ? &l : &user;
            double *x = own ? a : b;
            blni_predictive_logdensity(which, 1, &r.t, predictive_at(&f, &theta), x);
            blni_predictive_moments(which, 1, &r.t, predictive_at(&f, &theta), x + 1, x + 2, x + 3);
            blni_predictive_cdf(which, 1, &r.t, predictive_at(&f, &theta), x + 4, x + 5);
            predictive_quantile(which, 1, &r.t, predictive_at(&f, &theta), 0.8, x + 6);
        }
        for (size_t j = 0; j < 7; j++) likelihood_near(b[j], a[j], 1e-8*(1.0 + fabs(a[j])), "log p alone", names[c], 1.0,
                                                       (double)j);
    }
}

/* A table whose singularity reads y has one in every question, a whole number where it counts and one of the support, also where
 * moments have no y, of narrow and of wide normals. */
static size_t predictive_y_seen;
static void predictive_singularity(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, double *centre,
                                   double *width)
{
    double low, high;
    (void)theta;
    blni_support(l, 1.0, &low, &high);
    CHECK(t->y != NULL);
    for (size_t i = 0; i < n; i++) {
        CHECK(blni_finite(t->y[i]) && t->y[i] >= low && t->y[i] <= high);
        CHECK(!l->ops->discrete || t->y[i] == floor(t->y[i]));
        centre[i] = l->ops->discrete ? 0.0 : t->y[i];
        width[i] = 1.0;
        predictive_y_seen++;
    }
}

TEST(predictive, singularity_has_a_y)
{
    static const char *const names[] = { "poisson_softplus", "gaussian" };
    static const double variances[] = { 0.001, 0.4, 400.0 };
    const double m = 0.5, theta = 0.37;
    for (size_t c = 0; c < 6; c++) {
        const bln_likelihood l = likelihood_named(names[c % 2]);
        const bln_latent f = predictive_normal(&m, variances + c/2);
        bln_likelihood_ops ops;
        bln_likelihood user = BLN_ZERO;
        bln_targets none = BLN_ZERO;
        double want[3], got[3];
        memset(&ops, 0, sizeof ops);
        ops.name = "user";
        ops.discrete = l.ops->discrete;
        ops.logp = predictive_behind;
        ops.singularity = predictive_singularity;
        if (variances[c/2] > 1.0) ops.moments = l.ops->moments;                  /* as by sums over counts of 1e3 it takes long */
        user.ops = &ops;
        user.user = &l;
        predictive_y_seen = 0;
        blni_predictive_moments(&user, 1, &none, predictive_at(&f, &theta), got, got + 1, got + 2);
        CHECK(predictive_y_seen > 0);
        blni_predictive_moments(&l, 1, &none, predictive_at(&f, &theta), want, want + 1, want + 2);
        for (size_t j = 0; j < 3; j++)
            likelihood_near(got[j], want[j], 1e-8*(1.0 + fabs(want[j])), "moments", names[c % 2], variances[c/2], (double)j);
    }
}

/* ---- parameters of components' own; many components */

/* Components with parameters of their own are the weighted sum of these components alone, in every question. Two of the four are
 * alike, and beside each other. The quantile is where the cdf of all is p. */
TEST(predictive, own_parameters)
{
    static const double m[] = { 0.4, -1.0, 2.0, 0.3 }, v[] = { 0.3, 1.5, 0.0, 0.2 }, w[] = { 0.4, 0.3, 0.2, 0.1 };
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        double eta[4*3], got[7], want[7] = { 0.0 }, low, high, y;
        bln_latent f = predictive_normal(m, v);
        likelihood_row r;
        for (size_t j = 0; j < 12; j++) eta[j] = k->theta[j % 3] + (j < 6 ? 0.0 : j < 9 ? 0.1 : 0.17)*fabs(k->theta[j % 3]);
        f.K = 4;
        f.weight = w;
        f.eta = eta;
        f.ldeta = 3;
        likelihood_row_set(&r, &l, strncmp(k->name, "binomial", 8) ? 2.0 : 1.0, 1.0);
        blni_predictive_logdensity(&l, 1, &r.t, &f, got);
        blni_predictive_moments(&l, 1, &r.t, &f, got + 1, got + 2, got + 3);
        blni_predictive_cdf(&l, 1, &r.t, &f, got + 4, got + 5);
        blni_predictive_pit(&l, 1, &r.t, &f, NULL, got + 6);
        for (int pass = 0; pass < 2; pass++)
            for (size_t j = 0; j < 4; j++) {
                bln_latent one = predictive_normal(m + j, v + j);
                double part[7];
                one.eta = eta + 3*j;
                blni_predictive_logdensity(&l, 1, &r.t, &one, part);
                blni_predictive_moments(&l, 1, &r.t, &one, part + 1, part + 2, part + 3);
                blni_predictive_cdf(&l, 1, &r.t, &one, part + 4, part + 5);
                blni_predictive_pit(&l, 1, &r.t, &one, NULL, part + 6);
                part[0] = exp(part[0]);
                if (pass) want[2] += w[j]*(part[1] - want[1])*(part[1] - want[1]);
                for (size_t i = 0; i < 7 && !pass; i++) want[i] += w[j]*part[i];
            }
        want[0] = log(want[0]);
        for (size_t i = 0; i < 7; i++) CHECK_NEAR(got[i], want[i], 1e-13*(1.0 + fabs(want[i])));
        predictive_quantile(&l, 1, &r.t, &f, 0.8, &y);
        r.y = y;
        blni_predictive_cdf(&l, 1, &r.t, &f, &low, &high);
        if (!l.ops->discrete) CHECK_NEAR(low, 0.8, 1e-12);
        else {
            CHECK_LE(0.8, low);
            r.y = y - 1.0;
            blni_predictive_cdf(&l, 1, &r.t, &f, &low, &high);
            CHECK_LE(low, 0.8);
        }
    }
}

/* The quantile of many components, which begins with 64 of them, is that of a search with all. */
TEST(predictive, many_components)
{
    enum { K = 1000 };
    static const double ps[] = { 0.001, 0.5, 0.975 };
    double m[K], v[K], w[K], eta[3*K], total = 0.0;
    test_random random = test_random_new(11);
    for (size_t k = 0; k < K; k++) {
        m[k] = 1.0 + 0.5*test_normal(&random);
        v[k] = k % 2 ? 0.1*test_uniform(&random) : 0.0;
        total += w[k] = test_uniform(&random);
    }
    for (size_t k = 0; k < K; k++) w[k] /= total;
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++)
        for (int own = 0; own < 2; own++) {
            const likelihood_case *k = likelihood_cases + c;
            const bln_likelihood l = likelihood_named(k->name);
            bln_latent f = predictive_normal(m, own ? NULL : v);        /* own parameters: draws, for the sake of time */
            likelihood_row r;
            for (size_t j = 0; j < 3*K; j++)
                eta[j] = k->theta[j % 3] + (own ? 0.1*test_uniform(&random)*fabs(k->theta[j % 3]) : 0.0);
            f.K = K;
            f.weight = own ? w : NULL;
            f.eta = eta;
            f.ldeta = own ? 3 : 0;
            likelihood_row_set(&r, &l, 1.0, strcmp(k->name, "ordinal") ? 40.0 : 1.0);
            if (!own && (!strcmp(k->name, "student_t") || !strncmp(k->name, "zero", 4) || l.ops->discrete)) continue;
            for (size_t i = 0; i < 3; i++) {
                blni_predict_search s;
                double y0, y1, got;
                predictive_quantile(&l, 1, &r.t, &f, ps[i], &got);
                blni_predict_row_of(&s.row, &l, f.eta, &r.t, 0, 0);
                s.f = &f;
                s.i = 0;
                CHECK(blni_predict_guess(&s, ps[i], 1.0 - ps[i], &y0, &y1));
                const double want = blni_predict_find(&s, ps[i], 1.0 - ps[i], y0, y1);
                if (l.ops->discrete) CHECK(got == want);
                else CHECK_NEAR(got, want, 1e-12*(1.0 + fabs(want)));
            }
        }
}

SUITE_BEGIN(predictive)
SUITE_TEST(predictive, golden)
SUITE_TEST(predictive, mixtures)
SUITE_TEST(predictive, no_mean_given_f)
SUITE_TEST(predictive, draws_of_f)
SUITE_TEST(predictive, student_tails)
SUITE_TEST(predictive, no_tail)
SUITE_TEST(predictive, student_densities)
SUITE_TEST(predictive, quantiles)
SUITE_TEST(predictive, transforms_of_y)
SUITE_TEST(predictive, draws_of_y)
SUITE_TEST(predictive, far_tails)
SUITE_TEST(predictive, beyond_the_range)
SUITE_TEST(predictive, no_more_than_sure)
SUITE_TEST(predictive, extremes)
SUITE_TEST(predictive, narrow_noise)
SUITE_TEST(predictive, narrow_normals)
SUITE_TEST(predictive, log_p_alone)
SUITE_TEST(predictive, own_parameters)
SUITE_TEST(predictive, many_components)
SUITE_TEST(predictive, singularity_has_a_y)
SUITE_END(predictive)
