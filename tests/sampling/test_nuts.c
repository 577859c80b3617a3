/* test_nuts: the running test for turning back against its definition; which point of a trajectory is drawn; transitions leave the
 * density as it is */
#include "../test.h"
#include "densities.h"

enum { NUTS_DEEPEST = 7 };
typedef struct nuts_case {
    bln_density density;
    bln_report report;
    blni_system system;
    blni_nuts w;
    blni_phase at, next;
    void *block;
    size_t bytes, dim;
} nuts_case;

static void nuts_make(nuts_case *t, size_t D, density_eval eval)
{
    memset(t, 0, sizeof *t);
    t->density = density_made(D, eval);
    t->dim = D;
    t->system.density = &t->density;
    t->system.user = &t->dim;
    t->system.report = &t->report;
    t->system.D = D;
    for (int pass = 0; pass < 2; pass++) {
        blni_arena a = blni_arena_over(pass ? t->block : NULL, t->bytes);
        t->system.g = blni_carve_doubles(&a, D);
        for (int k = 0; k < 2; k++) {
            blni_phase *z = k ? &t->next : &t->at;
            z->q = blni_carve_doubles(&a, D);
            z->r = blni_carve_doubles(&a, D);
            z->h = blni_carve_doubles(&a, D);
        }
        blni_nuts_carve(&a, D, NUTS_DEEPEST, &t->w);
        if (!pass) { t->bytes = a.used; t->block = malloc(a.used); }
    }
}

/* ---- the definition: does the stretch a..b of points part, and all of its halves and where they meet? */

static int nuts_stretch_parts(size_t D, const double *r, size_t a, size_t b)
{
    double begin = 0.0, end = 0.0;
    for (size_t i = 0; i < D; i++) {
        double rho = 0.0;
        for (size_t n = a; n <= b; n++) rho += r[n*D + i];
        begin += rho*r[a*D + i];
        end += rho*r[b*D + i];
    }
    return begin > 0.0 && end > 0.0;
}

static int nuts_parts(size_t D, const double *r, size_t a, size_t points)
{
    const size_t half = points/2, m = a + half - 1, b = a + points - 1;
    if (points == 1) return 1;
    return nuts_parts(D, r, a, half) && nuts_parts(D, r, a + half, half) && nuts_stretch_parts(D, r, a, b)
        && nuts_stretch_parts(D, r, a, m + 1) && nuts_stretch_parts(D, r, m, b);
}

/* Momenta that turn slowly, with noise: some subtrees part and some do not, for the sake of any stretch; the running test stops at
 * the first point at which a complete stretch turns back. */
TEST(nuts, turning_back_by_definition)
{
    enum { D = 3, POINTS = 1 << NUTS_DEEPEST };
    static double r[POINTS*D];
    test_random random = test_random_new(1);
    size_t outcomes[2] = { 0, 0 }, early = 0;
    nuts_case t;
    nuts_make(&t, D, density_banana);
    for (int k = 0; k < 4000; k++) {
        const size_t depth = 1 + (size_t)k % NUTS_DEEPEST, points = (size_t)1 << depth;
        const double turn = 4.0*test_uniform(&random)/(double)points, noise = 1.5*test_uniform(&random)*test_uniform(&random);
        const blni_passed now = { t.at.r, t.w.sum, t.w.before };
        size_t n = 0;
        int good = 1;
        for (size_t i = 0; i < points; i++) {
            r[i*D] = cos(turn*(double)i) + noise*test_normal(&random);
            r[i*D + 1] = sin(turn*(double)i) + noise*test_normal(&random);
            r[i*D + 2] = noise*test_normal(&random);
        }
        for (size_t i = 0; i < D; i++) now.sum[i] = 0.0;
        for (; n < points && good; n++) {
            for (size_t i = 0; i < D; i++) { now.before[i] = now.sum[i]; now.r[i] = r[n*D + i]; now.sum[i] += r[n*D + i]; }
            good = blni_nuts_passed(D, &t.w, n, depth, &now);
            /* All that ends with point n, or before it. */
            int want = 1;
            for (size_t size = 2; size <= points && want; size *= 2)
                if ((n + 1) % size == 0) want = nuts_parts(D, r, n + 1 - size, size);
            CHECK(good == want);
        }
        CHECK(good == nuts_parts(D, r, 0, points));
        outcomes[good]++;
        early += !good && n < points;
    }
    CHECK(outcomes[0] > 500 && outcomes[1] > 500 && early > 200);
    free(t.block);
}

/* The same where a subtree joins the trajectory that it prolongs, by the sums and momenta that a transition has then. All three
 * stretches decide in turn. */
TEST(nuts, turning_back_where_halves_meet)
{
    enum { D = 3, POINTS = 1 << NUTS_DEEPEST };
    static double r[POINTS*D];
    test_random random = test_random_new(2);
    size_t alone[3] = { 0, 0, 0 };
    nuts_case t;
    nuts_make(&t, D, density_banana);
    for (int k = 0; k < 4000; k++) {
        const size_t depth = (size_t)k % NUTS_DEEPEST, half = (size_t)1 << depth, points = 2*half;
        const double turn = 4.0*test_uniform(&random)/(double)points, noise = 1.5*test_uniform(&random)*test_uniform(&random);
        for (size_t i = 0; i < points; i++) {
            r[i*D] = cos(turn*(double)i) + noise*test_normal(&random);
            r[i*D + 1] = sin(turn*(double)i) + noise*test_normal(&random);
            r[i*D + 2] = noise*test_normal(&random);
        }
        for (size_t i = 0; i < D; i++) {
            t.w.all[i] = t.w.sum[i] = 0.0;
            for (size_t n = 0; n < half; n++) { t.w.all[i] += r[n*D + i]; t.w.sum[i] += r[(half + n)*D + i]; }
            t.w.near[i] = r[(half - 1)*D + i];
            t.w.first[depth].r[i] = r[half*D + i];
        }
        const int whole = nuts_stretch_parts(D, r, 0, points - 1), first = nuts_stretch_parts(D, r, 0, half),
                  second = nuts_stretch_parts(D, r, half - 1, points - 1);
        CHECK(blni_nuts_goes_on(D, &t.w, depth, r, r + (points - 1)*D) == (whole && first && second));
        alone[0] += !whole && first && second;
        alone[1] += whole && !first && second;
        alone[2] += whole && first && !second;
    }
    for (int k = 0; k < 3; k++) CHECK(alone[k] > 20);
    free(t.block);
}

/* The draw of a subtree of 8 points is each of them with probability e^-H over their sum: chi-square at 5 sigma. */
TEST(nuts, draw_of_a_subtree)
{
    enum { POINTS = 8, R = 20000 };
    double path[POINTS], weight[POINTS], count[POINTS] = { 0 }, sum = 0.0, chi2 = 0.0, low = 1e9, high = 0.0;
    nuts_case t;
    bln_rng rng;
    blni_transition out;
    blni_trajectory way;
    blni_weight w;
    nuts_make(&t, 3, density_banana);
    for (size_t k = 0; k < R; k++) {
        static const double q[3] = { -0.3, 1.0, 0.3 }, r[3] = { -2.2, 1.0, -2.8 };
        int good;
        memcpy(t.at.q, q, sizeof q);
        memcpy(t.at.r, r, sizeof r);
        CHECK_OK(blni_system_eval(&t.system, &t.at));
        if (k == 0) {
            const double H0 = blni_system_energy(&t.system, &t.at);
            for (size_t n = 0; n < POINTS; n++) {
                CHECK_OK(blni_leapfrog(&t.system, &t.at, 0.3));
                path[n] = t.at.q[0];
                weight[n] = exp(H0 - blni_system_energy(&t.system, &t.at));
                sum += weight[n];
            }
            continue;
        }
        memset(&out, 0, sizeof out);
        bln_rng_seed(&rng, 11, k);
        way.s = &t.system;
        way.w = &t.w;
        way.rng = &rng;
        way.out = &out;
        way.H0 = blni_system_energy(&t.system, &t.at);
        CHECK_OK(blni_nuts_subtree(&way, 3, 0.3, &t.at, &w, &good));
        for (size_t n = 0; n < POINTS; n++) count[n] += t.w.chosen.q[0] == path[n];
        if (good) CHECK_REL(w.size*exp(w.top), sum, 1e-12);
        if (!good) { CHECK(good); break; }
    }
    for (size_t n = 0; n < POINTS; n++) chi2 += pow(count[n] - (R - 1.0)*weight[n]/sum, 2.0)/((R - 1.0)*weight[n]/sum);
    CHECK_LE(chi2, 7.0*pow(1.0 - 2.0/63.0 + 5.0*sqrt(2.0/63.0), 3.0));             /* Wilson & Hilferty 1931, 7 degrees */
    for (size_t n = 0; n < POINTS; n++) { low = fmin(low, weight[n]); high = fmax(high, weight[n]); }
    CHECK(high/low > 2.0);                                                          /* so that equal chances would be seen */
    free(t.block);
}

/* Weights far apart keep their sums, whichever is larger. */
TEST(nuts, weights)
{
    blni_weight a = { -HUGE_VAL, 0.0 }, b = { 0.0, 1.0 };
    CHECK_NEAR(blni_weight_add(&a, -800.0), 1.0, 0.0);
    CHECK_NEAR(blni_weight_add(&a, -801.0), exp(-1.0), 1e-15);
    CHECK_NEAR(blni_weight_add(&a, 900.0), 1.0, 0.0);
    CHECK_NEAR(a.top + log(a.size), 900.0, 1e-12);
    CHECK(blni_weight_ratio(&a, &b) == HUGE_VAL && blni_weight_ratio(&b, &a) == 0.0);
    blni_weight_join(&b, &a);
    CHECK_NEAR(b.top + log(b.size), 900.0, 1e-12);
    a.top = 898.0;
    a.size = 2.0;
    blni_weight_join(&b, &a);
    CHECK_NEAR(b.top + log(b.size), 900.0 + log(1.0 + 2.0*exp(-2.0)), 1e-12);
}

/* EXACT START [samplers 44], and reversibility: as in test_leapfrog.c. A step so large that trajectories differ much in weight, so
 * that a wrong choice of the point shows. */
TEST(nuts, transitions_keep_the_density)
{
    enum { R = TEST_MANY(40000, 4000), F = 8 };
    static const double steps[] = { 0.5, 0.25 };
    for (int k = 0; k < 2; k++) {
        nuts_case t;
        double sum[F] = { 0 }, square[F] = { 0 }, depth = 0.0, scale[3] = { 1.2, 0.8, 1.5 };
        size_t divergent = 0;
        nuts_make(&t, 3, density_banana);
        t.system.scale = scale;
        for (uint64_t i = 0; i < R; i++) {
            blni_transition made;
            bln_rng rng;
            bln_rng_seed(&rng, 17 + (uint64_t)k, i);
            density_banana_draw(&rng, t.at.q);
            CHECK_OK(blni_system_eval(&t.system, &t.at));
            CHECK_OK(blni_nuts_transition(&t.system, &rng, steps[k], 4, &t.w, &t.at, &t.next, &made));
            const double *q = t.at.q, *p = t.next.q;
            const double f[F] = { t.next.lp - t.at.lp, p[0] - q[0], p[1] - q[1], p[2]*p[2] - q[2]*q[2],
                                  p[0]*p[0]*p[1] - q[0]*q[0]*q[1], fabs(p[2]) - fabs(q[2]),
                                  q[0]*q[0]*p[1] - p[0]*p[0]*q[1], q[2]*exp(-p[1]*p[1]) - p[2]*exp(-q[1]*q[1]) };
            for (int j = 0; j < F; j++) { sum[j] += f[j]; square[j] += f[j]*f[j]; }
            depth += (double)made.depth/R;
            divergent += made.divergent != 0;
            /* What is told of the draw is so. */
            const double lp = t.next.lp, h = t.next.h[1];
            CHECK(made.leapfrogs >= 1 && made.leapfrogs <= 15 && made.accept >= 0.0 && made.accept <= 1.0);
            CHECK(made.energy >= -lp - 1e-12);
            CHECK_OK(blni_system_eval(&t.system, &t.next));
            CHECK(t.next.lp == lp && t.next.h[1] == h);
        }
        CHECK(depth > 1.5 && depth < 3.9 && divergent < R/10);
        for (int j = 0; j < F; j++) {
            const double z = sum[j]/sqrt(square[j]);
            if (fabs(z) > 5.0) printf("    step %g, statistic %d: z = %.1f\n", steps[k], j, z);
            CHECK_LE(fabs(z), 5.0);
        }
        free(t.block);
    }
}

/* Of one doubling everything can be followed by hand: the momentum, the direction, the one step, and where the draw is. */
TEST(nuts, energy_of_the_draw)
{
    nuts_case t;
    double memory[9];
    blni_phase z = { memory, memory + 3, memory + 6, 0.0 };
    size_t moved = 0;
    nuts_make(&t, 3, density_banana);
    for (uint64_t i = 0; i < 200; i++) {
        blni_transition made;
        bln_rng rng, same;
        bln_rng_seed(&rng, 5, i);
        density_banana_draw(&rng, t.at.q);
        CHECK_OK(blni_system_eval(&t.system, &t.at));
        same = rng;
        CHECK_OK(blni_nuts_transition(&t.system, &rng, 0.5, 1, &t.w, &t.at, &t.next, &made));
        blni_phase_copy(3, &t.at, &z);
        bln_rng_normals(&same, 3, z.r);
        const double before = blni_system_energy(&t.system, &z), step = bln_rng_next(&same) >> 63 ? 0.5 : -0.5;
        CHECK_OK(blni_leapfrog(&t.system, &z, step));
        const double after = blni_system_energy(&t.system, &z);
        const int went = t.next.q[0] == z.q[0];
        CHECK(went || t.next.q[0] == t.at.q[0]);
        CHECK_NEAR(made.energy, went ? after : before, 0.0);
        CHECK_NEAR(made.accept, before > after ? 1.0 : exp(before - after), 0.0);
        CHECK(made.depth == 1 && made.leapfrogs == 1);
        moved += went != 0;
    }
    CHECK(moved > 100 && moved < 200);
    free(t.block);
}

/* A round trip is seen: of one normal trajectories of more than half a period, 31 steps, turn back, so that none has
 * more than twice as many; a largest depth is kept. */
TEST(nuts, length_of_trajectories)
{
    nuts_case t;
    size_t cut = 0;
    double mean = 0.0;
    nuts_make(&t, 1, density_normals);
    for (uint64_t i = 0; i < 300; i++) {
        blni_transition made;
        bln_rng rng;
        bln_rng_seed(&rng, 1, i);
        t.at.q[0] = bln_rng_normal(&rng);
        CHECK_OK(blni_system_eval(&t.system, &t.at));
        CHECK_OK(blni_nuts_transition(&t.system, &rng, 0.1, NUTS_DEEPEST, &t.w, &t.at, &t.next, &made));
        CHECK(made.leapfrogs <= 63 && made.depth <= 6);
        CHECK_NEAR(made.accept, 1.0, 0.01);
        mean += (double)made.leapfrogs/300.0;
        CHECK_OK(blni_nuts_transition(&t.system, &rng, 0.1, 3, &t.w, &t.at, &t.next, &made));
        cut += made.depth == 3 && made.leapfrogs == 7;
    }
    CHECK(mean > 10.0 && mean < 50.0);
    CHECK(cut > 150);
    free(t.block);
}

SUITE_BEGIN(nuts)
SUITE_TEST(nuts, turning_back_by_definition)
SUITE_TEST(nuts, turning_back_where_halves_meet)
SUITE_TEST(nuts, draw_of_a_subtree)
SUITE_TEST(nuts, weights)
SUITE_TEST(nuts, transitions_keep_the_density)
SUITE_TEST(nuts, energy_of_the_draw)
SUITE_TEST(nuts, length_of_trajectories)
SUITE_END(nuts)
