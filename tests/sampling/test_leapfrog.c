/* test_leapfrog: the integrator goes back the way it came, keeps volumes, and errs by the square of its step, in every metric; the
 * step that it starts with; transitions of a fixed length leave the density as it is */
#include "../test.h"
#include "densities.h"

enum { LEAPFROG_D = 3 };
typedef struct leapfrog_case {
    bln_density density;
    bln_report report;
    double memory[6*LEAPFROG_D], U[LEAPFROG_D*LEAPFROG_D], scale[LEAPFROG_D], g[LEAPFROG_D];
    blni_system system;
    blni_phase a, b;
} leapfrog_case;

/* The banana in the metric 0 unit, 1 diagonal, 2 dense. */
static void leapfrog_make(leapfrog_case *t, int metric)
{
    static const double U[LEAPFROG_D*LEAPFROG_D] = { 0.9, 0.3, -0.2, 0, 0.6, 0.1, 0, 0, 1.7 };
    memset(t, 0, sizeof *t);
    t->density = density_made(LEAPFROG_D, density_banana);
    t->system.density = &t->density;
    t->system.report = &t->report;
    t->system.D = LEAPFROG_D;
    t->system.g = t->g;
    memcpy(t->U, U, sizeof U);
    for (size_t i = 0; i < LEAPFROG_D; i++) t->scale[i] = 0.7 + 0.4*(double)i;
    if (metric == 1) t->system.scale = t->scale;
    if (metric == 2) t->system.U = t->U;
    t->a.q = t->memory;
    t->a.r = t->memory + LEAPFROG_D;
    t->a.h = t->memory + 2*LEAPFROG_D;
    t->b.q = t->memory + 3*LEAPFROG_D;
    t->b.r = t->memory + 4*LEAPFROG_D;
    t->b.h = t->memory + 5*LEAPFROG_D;
    for (size_t i = 0; i < LEAPFROG_D; i++) { t->a.q[i] = 0.3*(double)i - 0.4; t->a.r[i] = 1.1 - 0.7*(double)i; }
    CHECK_OK(blni_system_eval(&t->system, &t->a));
}

TEST(leapfrog, goes_back)
{
    for (int metric = 0; metric < 3; metric++) {
        leapfrog_case t;
        leapfrog_make(&t, metric);
        blni_phase_copy(LEAPFROG_D, &t.a, &t.b);
        memcpy(t.b.r, t.a.r, sizeof t.g);
        for (int i = 0; i < 50; i++) CHECK_OK(blni_leapfrog(&t.system, &t.b, 0.1));
        CHECK(fabs(t.b.q[0] - t.a.q[0]) > 0.01);
        for (int i = 0; i < 50; i++) CHECK_OK(blni_leapfrog(&t.system, &t.b, -0.1));
        for (size_t i = 0; i < LEAPFROG_D; i++) {
            CHECK_NEAR(t.b.q[i], t.a.q[i], 1e-12);
            CHECK_NEAR(t.b.r[i], t.a.r[i], 1e-12);
        }
        CHECK_NEAR(t.b.lp, t.a.lp, 1e-12);
        CHECK(t.system.evaluations == 101 && t.system.rejected == 0);
    }
}

/* Half the step, a quarter of the error, over the same time. */
TEST(leapfrog, energy_error_of_order_two)
{
    for (int metric = 0; metric < 3; metric++) {
        double error[4];
        for (int k = 0; k < 4; k++) {
            leapfrog_case t;
            leapfrog_make(&t, metric);
            const double H0 = blni_system_energy(&t.system, &t.a), step = 0.04/(double)(1 << k);
            for (int i = 0; i < 20 << k; i++) CHECK_OK(blni_leapfrog(&t.system, &t.a, step));
            error[k] = blni_system_energy(&t.system, &t.a) - H0;
        }
        for (int k = 1; k < 3; k++) CHECK_NEAR(log2(fabs(error[k]/error[k + 1])), 2.0, 0.1);
        CHECK_LE(fabs(error[0]), 0.02);
    }
}

/* det d(q', r')/d(q, r) = 1 by central differences of step h: some h^2 of its third derivatives, and eps/h. */
TEST(leapfrog, keeps_volumes)
{
    enum { N = 2*LEAPFROG_D };
    for (int metric = 0; metric < 3; metric++) {
        double J[N*N], det = 1.0;
        const double h = 1e-5;
        for (size_t j = 0; j < N; j++)
            for (int side = 0; side < 2; side++) {
                leapfrog_case t;
                leapfrog_make(&t, metric);
                double *x = j < LEAPFROG_D ? t.a.q + j : t.a.r + j - LEAPFROG_D;
                *x += side ? h : -h;
                CHECK_OK(blni_system_eval(&t.system, &t.a));
                for (int i = 0; i < 3; i++) CHECK_OK(blni_leapfrog(&t.system, &t.a, 0.3));
                for (size_t i = 0; i < N; i++) {
                    const double y = i < LEAPFROG_D ? t.a.q[i] : t.a.r[i - LEAPFROG_D];
                    J[i*N + j] = side ? (y - J[i*N + j])/(2.0*h) : y;
                }
            }
        for (size_t k = 0; k < N; k++) {                                    /* Gauss, without a search for pivots */
            det *= J[k*N + k];
            for (size_t i = k + 1; i < N; i++)
                for (size_t j = N; j-- > k;) J[i*N + j] -= J[i*N + k]/J[k*N + k]*J[k*N + j];
        }
        CHECK_NEAR(det, 1.0, 1e-8);
    }
}

/* q = L x: what a metric does is to follow log p(L x) in the unit metric. */
static bln_status leapfrog_whitened(void *user, const double *x, double *value, double *gradient, bln_report *report)
{
    const leapfrog_case *t = (const leapfrog_case *)user;
    double q[LEAPFROG_D] = { 0 }, g[LEAPFROG_D];
    for (size_t i = 0; i < LEAPFROG_D; i++)
        for (size_t j = 0; j <= i; j++) q[i] += t->U[j*LEAPFROG_D + i]*x[j];
    const bln_status status = density_banana(NULL, q, value, g, report);
    for (size_t j = 0; j < LEAPFROG_D && gradient; j++) {
        gradient[j] = 0.0;
        for (size_t i = j; i < LEAPFROG_D; i++) gradient[j] += t->U[j*LEAPFROG_D + i]*g[i];
    }
    return status;
}

TEST(leapfrog, metric_is_a_change_of_coordinates)
{
    leapfrog_case t, white;
    double q[LEAPFROG_D];
    leapfrog_make(&t, 2);
    leapfrog_make(&white, 0);
    white.density.eval = leapfrog_whitened;
    white.density.user = &t;
    white.system.user = &t;
    memcpy(white.a.q, t.a.q, sizeof q);
    bln_trsv(BLN_TRANS, LEAPFROG_D, t.U, LEAPFROG_D, white.a.q);
    CHECK_OK(blni_system_eval(&white.system, &white.a));
    for (int i = 0; i < 20; i++) {
        CHECK_OK(blni_leapfrog(&t.system, &t.a, 0.2));
        CHECK_OK(blni_leapfrog(&white.system, &white.a, 0.2));
    }
    for (size_t i = 0; i < LEAPFROG_D; i++) {
        q[i] = 0.0;
        for (size_t j = 0; j <= i; j++) q[i] += t.U[j*LEAPFROG_D + i]*white.a.q[j];
        CHECK_NEAR(t.a.q[i], q[i], 1e-12);
        CHECK_NEAR(t.a.r[i], white.a.r[i], 1e-12);
    }
    CHECK_NEAR(blni_system_energy(&t.system, &t.a), blni_system_energy(&white.system, &white.a), 1e-12);
}

/* Of N(0, I) in D dimensions one step of size e has the acceptance 0.8 at an e of the order D^(-1/4); doubling and halving find it
 * up to chance and a factor of 2, from wherever they start. */
TEST(leapfrog, first_step)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        leapfrog_case t;
        bln_rng rng;
        double step = seed % 2 ? 1e-6 : 1e4;
        leapfrog_make(&t, 1);
        bln_rng_seed(&rng, seed, 0);
        CHECK_OK(blni_step_search(&t.system, &rng, &t.a, &t.b, &step));
        CHECK(step > 0.1 && step < 8.0);
        CHECK(t.a.q[1] == 0.3*1.0 - 0.4);
    }
}

/* EXACT START [samplers 44]: q0 from the density, one transition, q1: both have the same distribution, and the pair may be turned
 * round. Means of f(q1) - f(q0), and of g(q0, q1) - g(q1, q0), are 0 within 5 of their standard errors. */
TEST(leapfrog, fixed_length_keeps_the_density)
{
    enum { R = 20000, F = 7 };
    for (int metric = 0; metric < 3; metric++) {
        leapfrog_case t;
        double sum[F] = { 0 }, square[F] = { 0 }, accepted = 0.0;
        leapfrog_make(&t, metric);
        for (uint64_t k = 0; k < R; k++) {
            blni_transition made;
            bln_rng rng;
            bln_rng_seed(&rng, 7, k);
            density_banana_draw(&rng, t.a.q);
            CHECK_OK(blni_system_eval(&t.system, &t.a));
            CHECK_OK(blni_static_transition(&t.system, &rng, 0.6, 0.2, 4, &t.a, &t.b, &made));
            accepted += t.b.q[0] != t.a.q[0];
            const double *q = t.a.q, *p = t.b.q;
            const double f[F] = { t.b.lp - t.a.lp, p[0] - q[0], p[1] - q[1], p[2]*p[2] - q[2]*q[2], p[0]*p[0]*p[1] - q[0]*q[0]*q[1],
                                  q[0]*q[0]*p[1] - p[0]*p[0]*q[1], q[2]*exp(-p[1]*p[1]) - p[2]*exp(-q[1]*q[1]) };
            for (int i = 0; i < F; i++) { sum[i] += f[i]; square[i] += f[i]*f[i]; }
        }
        CHECK_LE(0.2*R, accepted);
        CHECK_LE(accepted, 0.98*R);
        for (int i = 0; i < F; i++) CHECK_LE(fabs(sum[i])/sqrt(square[i]), 5.0);
    }
}

/* A place where there is no density ends the trajectory there, and the chain stays. */
static bln_status leapfrog_wall(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    density_banana(user, q, value, gradient, report);
    return q[0] > 0.5 ? BLN_EDOMAIN : BLN_OK;
}

TEST(leapfrog, walls_diverge)
{
    leapfrog_case t;
    blni_transition made;
    size_t hits = 0;
    leapfrog_make(&t, 0);
    t.density.eval = leapfrog_wall;
    t.a.q[0] = 0.4;
    CHECK_OK(blni_system_eval(&t.system, &t.a));
    for (uint64_t k = 0; k < 50; k++) {
        bln_rng rng;
        bln_rng_seed(&rng, 3, k);
        CHECK_OK(blni_static_transition(&t.system, &rng, 0.3, 0.0, 5, &t.a, &t.b, &made));
        if (!made.divergent) continue;
        hits++;
        CHECK(t.b.q[0] == 0.4 && made.accept == 0.0 && made.leapfrogs <= 5);
    }
    CHECK(hits > 10 && hits < 50);
    CHECK(t.system.rejected == hits);
    t.a.q[1] = HUGE_VAL;
    CHECK_OK(blni_system_eval(&t.system, &t.a));
    CHECK(t.a.lp == -HUGE_VAL);
}

SUITE_BEGIN(leapfrog)
SUITE_TEST(leapfrog, goes_back)
SUITE_TEST(leapfrog, energy_error_of_order_two)
SUITE_TEST(leapfrog, keeps_volumes)
SUITE_TEST(leapfrog, metric_is_a_change_of_coordinates)
SUITE_TEST(leapfrog, first_step)
SUITE_TEST(leapfrog, fixed_length_keeps_the_density)
SUITE_TEST(leapfrog, walls_diverge)
SUITE_END(leapfrog)
