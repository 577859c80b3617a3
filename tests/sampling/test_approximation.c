/* test_approximation: weights against R's loo and plain sums, evidence of a normal that is known, and what is drawn by weight */
#include "../test.h"
#include "../golden/psis_golden.h"

/* One column x = number of the row, then those of an approximation; log weight 0 until it is said. */
static bln_chains *approximation_table(size_t n, const double *lp, const double *lq, const double *weight)
{
    static const char *const names[] = { "x", "lp__", "lp_approx__", "log_weight__" };
    bln_chains_desc desc = BLN_ZERO;
    bln_chains *c = NULL;
    desc.draws = n;
    desc.columns = 4;
    desc.names = names;
    CHECK_OK(bln_chains_create(&desc, &c, NULL));
    for (size_t s = 0; s < n; s++) {
        const double row[4] = { (double)s, lp ? lp[s] : 0.0, lq ? lq[s] : 0.0, weight ? weight[s] : 0.0 };
        CHECK_OK(bln_chains_add(c, row, NULL));
    }
    return c;
}

TEST(approximation, weights)
{
    for (size_t k = 0; k < 3; k++) {
        const golden_psis_case *g = golden_psis_cases + k;
        bln_importance o;
        double mean = 0.0, scatter = 0.0, weight = 0.0, squares = 0.0;
        const double n = (double)g->n;
        bln_chains *c = approximation_table(g->n, g->ratio, NULL, NULL);
        CHECK_OK(bln_chains_importance(c, &o, NULL));
        for (size_t s = 0; s < g->n; s++) {
            mean += g->ratio[s]/n;
            weight += exp(g->ratio[s])/n;
            squares += exp(2.0*g->ratio[s])/n;
        }
        for (size_t s = 0; s < g->n; s++) scatter += (g->ratio[s] - mean)*(g->ratio[s] - mean);
        CHECK_GOLD(o.k_hat, g->k_hat, 1e-10);
        CHECK_GOLD(o.ess, g->n_eff, 1e-10);
        CHECK_GOLD(o.elbo, mean, 1e-13);
        CHECK_GOLD(o.elbo_se, sqrt(scatter/(n - 1.0)/n), 1e-12);
        CHECK_GOLD(o.log_evidence, log(weight), 1e-13);
        CHECK_GOLD(o.log_evidence_se, sqrt((squares - weight*weight)/(n - 1.0))/weight, 1e-11);
        CHECK(o.draws == g->n && o.impossible == 0 && o.good == (k > 0));
        CHECK_TEXT(o.text, k == 0 ? "k-hat 1.02, above 0.667: do not believe" : "close; believe");
        bln_chains_free(c);
    }
}

/* p = 3 N(0, 1) cut off below -2, q = N(0, 1.2): what is left is 3 Phi(2). */
TEST(approximation, evidence_and_impossible_draws)
{
    enum { N = 20000 };
    double *lp = test_doubles(N), *lq = test_doubles(N);
    size_t cut = 0;
    bln_importance o;
    bln_rng rng;
    bln_rng_seed(&rng, 4, 0);
    for (size_t s = 0; s < N; s++) {
        const double z = bln_rng_normal(&rng);
        lp[s] = 1.44*z*z < 4.0 || z > 0.0 ? log(3.0) - 0.5*1.44*z*z : -HUGE_VAL;
        lq[s] = -0.5*z*z - log(1.2);
        cut += lp[s] == -HUGE_VAL;
    }
    bln_chains *c = approximation_table(N, lp, lq, NULL);
    CHECK_OK(bln_chains_importance(c, &o, NULL));
    CHECK_SIZE(o.impossible, cut);
    CHECK(cut > 500);
    CHECK_NEAR(o.log_evidence, log(3.0*bln_norm_cdf(2.0)), 5.0*o.log_evidence_se);
    CHECK_LE(o.log_evidence_se, 0.005);
    CHECK(o.elbo == -HUGE_VAL && o.elbo_se != o.elbo_se && o.good);
    CHECK(o.good);
    bln_chains_free(c);
    free(lp);
    free(lq);
}

/* One of five draws: its frequencies are the weights (chi^2 of 4 degrees of freedom, below 30 but once in 2e5). Two of them: the
 * first and the second by successive sampling, w_i w_j/(1 - w_i). */
TEST(approximation, without_replacement)
{
    static const double w[5] = { 0.05, 0.1, 0.15, 0.3, 0.4 };
    enum { N = 4000 };
    double l[5], count[5] = { 0 }, pairs[5] = { 0 }, chi = 0.0, chi_pairs = 0.0;
    for (size_t k = 0; k < 5; k++) l[k] = log(w[k]) + 7.0;
    bln_chains *c = approximation_table(5, NULL, NULL, l), *made = NULL;
    for (uint64_t seed = 0; seed < N; seed++) {
        CHECK_OK(bln_chains_resample(c, 1, 0, seed, &made, NULL));
        count[(size_t)bln_chains_table(made)[0]]++;
        bln_chains_free(made);
        CHECK_OK(bln_chains_resample(c, 2, 0, seed + N, &made, NULL));
        const double *t = bln_chains_table(made);
        CHECK(t[0] != t[4] && bln_chains_count(made) == 1 && bln_chains_draws(made) == 2);
        CHECK_NEAR(t[3], -log(2.0), 1e-15);
        pairs[(size_t)t[0]]++;
        pairs[(size_t)t[4]]++;
        bln_chains_free(made);
    }
    for (size_t k = 0; k < 5; k++) {
        double p = w[k];
        for (size_t j = 0; j < 5; j++) if (j != k) p += w[j]*w[k]/(1.0 - w[j]);
        chi += (count[k] - N*w[k])*(count[k] - N*w[k])/(N*w[k]);
        chi_pairs += (pairs[k] - N*p)*(pairs[k] - N*p)/(N*p);
    }
    CHECK_LE(chi, 30.0);
    CHECK_LE(chi_pairs, 30.0);
    bln_chains_free(c);
}

TEST(approximation, with_replacement)
{
    static const double w[5] = { 0.05, 0.1, 0.15, 0.3, 0.4 };
    double l[5], first[5] = { 0 }, chi = 0.0;
    for (size_t k = 0; k < 5; k++) l[k] = log(w[k]) - 3.0;
    bln_chains *c = approximation_table(5, NULL, NULL, l), *made = NULL;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        double count[5] = { 0 };
        CHECK_OK(bln_chains_resample(c, 33, 1, seed, &made, NULL));
        for (size_t i = 0; i < 33; i++) count[(size_t)bln_chains_table(made)[4*i]]++;
        for (size_t k = 0; k < 5; k++) CHECK(fabs(count[k] - 33.0*w[k]) < 1.0);
        first[(size_t)bln_chains_table(made)[0]]++;
        bln_chains_free(made);
    }
    for (size_t k = 0; k < 5; k++) chi += (first[k] - 1000*w[k])*(first[k] - 1000*w[k])/(1000*w[k]);
    CHECK_LE(chi, 30.0);                                          /* the order tells nothing */
    l[4] = -HUGE_VAL;
    bln_chains_free(c);
    c = approximation_table(5, NULL, NULL, l);
    CHECK_OK(bln_chains_resample(c, 400, 1, 1, &made, NULL));
    for (size_t i = 0; i < 400; i++) CHECK(bln_chains_table(made)[4*i] < 4.0);
    bln_chains_free(made);
    bln_chains_free(c);
}

/* The constant in weights does not matter, however far it is from 0; and a few draws are not enough, whatever k-hat is. */
TEST(approximation, shifted_and_few)
{
    double l[1000], none[1000];
    bln_chains *made = NULL;
    bln_importance o;
    for (size_t s = 0; s < 1000; s++) { l[s] = s < 6 ? -800.0 : -900.0 - (double)s; none[s] = s < 6 ? 0.0 : -HUGE_VAL; }
    bln_chains *c = approximation_table(1000, l, NULL, l);
    CHECK_OK(bln_chains_resample(c, 12, 1, 0, &made, NULL));
    for (size_t i = 0; i < 12; i++) CHECK(bln_chains_table(made)[4*i + 1] == -800.0);
    bln_chains_free(made);
    bln_chains_free(c);
    c = approximation_table(1000, none, NULL, none);
    CHECK_OK(bln_chains_importance(c, &o, NULL));
    CHECK(!o.good && o.impossible == 994 && o.elbo == -HUGE_VAL);
    CHECK_NEAR(o.ess, 6.0, 0.5);
    CHECK_TEXT(o.text, "effective draws: do not believe them");
    bln_chains_free(c);
    for (size_t s = 0; s < 1000; s++) l[s] = s < 900 ? 0.001*sin((double)s) : s == 999 ? 1.5 : 0.002;
    c = approximation_table(1000, l, NULL, l);                   /* a tail of one draw, which counts for little */
    CHECK_OK(bln_chains_importance(c, &o, NULL));
    CHECK(o.good && o.k_hat > 0.7 && o.ess > 901.0);
    CHECK_TEXT(o.text, "but weights are nearly equal; believe the draws with them");
    bln_chains_free(c);
    for (size_t s = 0; s < 30; s++) l[s] = sin(2.4*(double)s);   /* few draws, but half of them */
    c = approximation_table(30, l, NULL, l);
    CHECK_OK(bln_chains_importance(c, &o, NULL));
    CHECK(o.good && o.ess >= 15.0 && o.ess < 25.0);
    bln_chains_free(c);
    l[0] = -800.0;
    c = approximation_table(1, l, NULL, l);                      /* as of parameters that are all points */
    CHECK_OK(bln_chains_importance(c, &o, NULL));
    CHECK(!o.good && o.k_hat == HUGE_VAL && o.log_evidence == -800.0);
    CHECK_TEXT(o.text, "one draw");
    bln_chains_free(c);
}

TEST(approximation, errors)
{
    double l[4] = { 0.0, -HUGE_VAL, 1.0, 2.0 }, none[4] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    bln_chains *c = approximation_table(4, l, NULL, l), *made = NULL, *plain = NULL;
    bln_chains_desc desc = BLN_ZERO;
    bln_importance o;
    bln_report report;
    test_heap heap;
    CHECK_STATUS(bln_chains_importance(NULL, &o, &report), BLN_EINVAL);
    CHECK_STATUS(bln_chains_importance(c, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_chains_resample(c, 0, 1, 0, &made, &report), BLN_EINVAL);
    CHECK_STATUS(bln_chains_resample(c, 0, 0, 0, &made, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "no draws asked for");
    CHECK_STATUS(bln_chains_resample(c, 2, 0, 0, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_chains_resample(c, 4, 0, 0, &made, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "more draws");
    CHECK_OK(bln_chains_resample(c, 3, 0, 0, &made, &report));
    bln_chains_free(made);
    bln_chains_free(c);
    c = approximation_table(4, none, NULL, none);
    CHECK_STATUS(bln_chains_importance(c, &o, &report), BLN_EUNDEFINED);
    CHECK_STATUS(bln_chains_resample(c, 1, 1, 0, &made, &report), BLN_EINVAL);
    bln_chains_free(c);
    l[2] = NAN;
    c = approximation_table(4, l, NULL, l);
    CHECK_STATUS(bln_chains_importance(c, &o, &report), BLN_EDATA);
    CHECK_STATUS(bln_chains_resample(c, 1, 1, 0, &made, &report), BLN_EDATA);
    CHECK_SIZE(report.row, 2);
    bln_chains_free(c);
    desc.draws = 3;
    desc.columns = 1;
    desc.alloc = test_heap_allocator(&heap);
    CHECK_OK(bln_chains_create(&desc, &plain, NULL));
    CHECK_STATUS(bln_chains_importance(plain, &o, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "lp_approx__");
    CHECK_STATUS(bln_chains_resample(plain, 1, 0, 0, &made, &report), BLN_EINVAL);
    bln_chains_free(plain);
    /* Each allocation fails once. */
    static const char *const names[] = { "lp__", "lp_approx__", "log_weight__" };
    static const double row[3] = { 0.0, 0.0, 0.0 };
    desc.columns = 3;
    desc.names = names;
    CHECK_OK(bln_chains_create(&desc, &plain, NULL));
    CHECK_OK(bln_chains_add(plain, row, NULL));
    for (size_t n = 0; n < 2; n++) {
        heap.calls = 0;
        heap.fail_at = n;
        CHECK_STATUS(bln_chains_resample(plain, 1, 0, 0, &made, &report), BLN_ENOMEM);
        CHECK_SIZE(heap.live, 1);
    }
    heap.calls = heap.fail_at = 0;
    CHECK_STATUS(bln_chains_importance(plain, &o, &report), BLN_ENOMEM);
    heap.fail_at = (size_t)-1;
    CHECK_OK(bln_chains_importance(plain, &o, &report));
    CHECK_SIZE(heap.live, 1);
    bln_chains_free(plain);
}

/* Two normals, and of kind 0 a logistic regression of classes that are apart, without a prior, of 1 a Cauchy, of 2 what is
 * flat. */
static bln_status approximation_falls(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    const int kind = *(int *)user;
    (void)report;
    *value = kind == 0 ? -2.0*bln_log1pexp(-q[2]) - 2.0*bln_log1pexp(-2.0*q[2]) : kind == 1 ? -log1p(q[2]*q[2]) : 0.0;
    for (int i = 0; i < 2; i++) {
        *value -= 0.5*(q[i] - 3.0)*(q[i] - 3.0);
        if (gradient) gradient[i] = 3.0 - q[i];
    }
    if (gradient) gradient[2] = kind == 0 ? 2.0*bln_sigmoid(-q[2]) + 4.0*bln_sigmoid(-2.0*q[2])
                              : kind == 1 ? -2.0*q[2]/(1.0 + q[2]*q[2]) : 0.0;
    return BLN_OK;
}
/* A normal whose eval fails far out, which is asked last and does not matter; 0 at 30. */
static bln_status approximation_fails(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    (void)user;
    if (fabs(q[0]) > 40.0) return blni_refuse(report, BLN_EDATA, "far out");
    *value = q[0] == 30.0 ? -HUGE_VAL : -0.5*q[0]*q[0];
    if (gradient) gradient[0] = -q[0];
    return BLN_OK;
}

TEST(approximation, densities_that_hardly_fall)
{
    bln_density many = BLN_ZERO;
    bln_approximation none = BLN_ZERO;
    double q[251];
    const double mean[251] = { 0.0 };
    many.dim = 251;                                              /* so many are not asked: there is no eval */
    none.mean = mean;
    blni_approx_falls(&many, q, &none);
    CHECK(none.evaluations == 0);
    many.dim = 11;
    none.importance.draws = 21;                                  /* nor where that would be more than the draws */
    blni_approx_falls(&many, q, &none);
    CHECK(none.evaluations == 0);
    many.dim = 1;
    many.eval = approximation_fails;
    for (int k = 0; k < 2; k++) {                                /* nor where the mean has no density, or cannot be asked */
        const double at = k ? 50.0 : 30.0;
        none.mean = &at;
        blni_approx_falls(&many, q, &none);
        CHECK(none.evaluations == 0);
    }
    bln_pathfinder_desc fails = BLN_ZERO;
    bln_pathfinder *found = NULL;
    fails.density.dim = 1;
    fails.density.eval = approximation_fails;
    CHECK_OK(bln_pathfinder_fit(&fails, &found, NULL));
    CHECK(bln_pathfinder_result(found)->importance.good);
    bln_pathfinder_free(found);
    for (int kind = 0; kind < 3; kind++) {
        bln_advi_desc desc = BLN_ZERO;
        bln_pathfinder_desc path = BLN_ZERO;
        bln_advi *v = NULL;
        bln_pathfinder *f = NULL;
        bln_report report;
        desc.density.dim = 3;
        desc.density.eval = approximation_falls;
        desc.density.user = &kind;
        path.density = desc.density;
        if (kind < 2) {
            CHECK_OK(bln_advi_fit(&desc, &v, &report));
            const bln_importance *o = &bln_advi_result(v)->importance;
            CHECK(!strncmp(o->text, "free coordinate 3: the density hardly falls", 43) == (kind == 0));
            if (kind == 0) CHECK(!o->good);
            bln_advi_free(v);
        }
        CHECK_OK(bln_pathfinder_fit(&path, &f, &report));
        const bln_importance *o = &bln_pathfinder_result(f)->importance;
        CHECK(!strncmp(o->text, "free coordinate 3: the density hardly falls", 43) == (kind != 1));
        if (kind != 1) CHECK(!o->good);
        bln_pathfinder_free(f);
    }
}

SUITE_BEGIN(approximation)
SUITE_TEST(approximation, densities_that_hardly_fall)
SUITE_TEST(approximation, weights)
SUITE_TEST(approximation, evidence_and_impossible_draws)
SUITE_TEST(approximation, without_replacement)
SUITE_TEST(approximation, with_replacement)
SUITE_TEST(approximation, shifted_and_few)
SUITE_TEST(approximation, errors)
SUITE_END(approximation)
