/* kind_gaussian_leave: rows left out where hardly anything is left of them, or of all: against closed forms in one direction, in
 * which a row x with weight W has h = W x'C x. What whole models leave out is in test_loo. */
#include "posterior_tools.h"

enum { LEAVE_D = 3, LEAVE_ROWS = 2 };

/* Rows along the first weight; s = 1. Factor: U = diag(1, 1, 1). Low rank: V of two rows. */
typedef struct leave_world {
    posterior_bases b;
    double m[LEAVE_D], s[LEAVE_D], R[LEAVE_D*LEAVE_D], Phi[LEAVE_ROWS*LEAVE_D], W[LEAVE_ROWS], slope[LEAVE_ROWS];
    double with[LEAVE_ROWS], var[LEAVE_ROWS], shift[LEAVE_ROWS], left[LEAVE_ROWS], lost[LEAVE_ROWS], eta;
    size_t place[LEAVE_ROWS];
    bln_gaussians v;
    bln_group g;
    bln_posterior q;
    blni_leave l;
} leave_world;

static void leave_new(leave_world *w, bln_gaussian_form form, double W0, double W1)
{
    memset(w, 0, sizeof *w);
    w->b = posterior_bases_new();
    for (size_t i = 0; i < LEAVE_D; i++) {
        w->m[i] = 0.5;
        w->s[i] = 1.0;
        w->R[i*(LEAVE_D + 1)] = form == BLN_GAUSSIAN_FACTOR;
    }
    for (size_t i = 0; i < LEAVE_ROWS; i++) {
        w->Phi[i*LEAVE_D] = 1.0;
        w->slope[i] = 0.3;
        w->place[i] = i;
    }
    w->W[0] = W0;
    w->W[1] = W1;
    w->eta = 1.0;
    w->v.form = form;
    w->v.n = LEAVE_D;
    w->v.k = form == BLN_GAUSSIAN_FACTOR ? LEAVE_D : LEAVE_ROWS;
    w->v.m = w->m;
    w->v.s = w->s;
    w->v.R = w->R;
    w->g = posterior_group(bln_kind_gaussian(), &w->v, 1, &w->eta);
    w->q = posterior_of(w->b.view + 1, 1, 1, bln_observe_noise(1), &w->g, 1);
    w->l.x.q = &w->q;
    w->l.x.n = LEAVE_ROWS;
    w->l.x.ld = LEAVE_D;
    w->l.x.Phi = w->Phi;
    w->l.rows = LEAVE_ROWS;
    w->l.place = w->place;
    w->l.W = w->W;
    w->l.slope = w->slope;
    w->l.ld = 1;
    w->l.with = w->with;
    w->l.var = w->var;
    w->l.shift = w->shift;
    w->l.left = w->left;
    w->l.lost = w->lost;
}

static bln_status leave_do(leave_world *w, int together)
{
    double *work = test_doubles(blni_gaussians_leave_work(&w->q, &w->g, LEAVE_ROWS, together));
    CHECK_OK(bln_posterior_check(&w->q, NULL));
    blni_gaussians_leave_variances(&w->q, &w->g, 0, &w->l, work);
    const bln_status status = (together ? blni_gaussians_leave_rows : blni_gaussians_leave)(&w->q, &w->g, 0, &w->l, work);
    free(work);
    posterior_bases_free(&w->b);
    return status;
}

/* By themselves: 1 - W v is 0 exactly, or one half. */
TEST(kind_gaussian_leave, all_of_a_row)
{
    leave_world w;
    leave_new(&w, BLN_GAUSSIAN_FACTOR, 1.0, 0.5);
    CHECK_OK(leave_do(&w, 0));
    CHECK(w.left[0] == 0.0 && w.lost[0] == HUGE_VAL && w.left[1] == 0.5);
    CHECK_NEAR(w.lost[1], 3.0*DBL_EPSILON, DBL_EPSILON);
    CHECK(w.var[0] == 1.0 && w.shift[0] == 0.3);
}

/* Low rank, a row that another one knows 1e20 times better: it takes nothing along, and its variance is 0 but for rounding, never
 * less. Two such rows have no factor of I + A A' in doubles, and all is lost. */
TEST(kind_gaussian_leave, rows_that_are_known)
{
    leave_world w;
    size_t whole = 0;
    for (double W = 2.0; W < 4.0; W += 0.1) {
        leave_new(&w, BLN_GAUSSIAN_LOWRANK, W, 1e20);
        w.R[0] = 1.0;                                        /* C = I - V'V has no variance in the first weight */
        CHECK_OK(leave_do(&w, 0));
        CHECK_NEAR(w.left[0], 1.0, 8.0*DBL_EPSILON);
        CHECK(w.var[0] >= 0.0 && w.var[0] <= 8.0*DBL_EPSILON);
        whole += w.left[0] >= 1.0;
    }
    CHECK(whole > 0);
    leave_new(&w, BLN_GAUSSIAN_LOWRANK, 1e20, 1e20);
    w.R[0] = 1.0;
    CHECK_OK(leave_do(&w, 0));
    CHECK(w.left[0] == 0.0 && w.left[1] == 0.0);
}

/* Together: two rows of h = 1/2 each leave nothing of I - H, by the matrix of rows or that of weights. One with a negative weight
 * is taken out by adding: 1/(1 + 1/4) of the variance is left; the low rank form has no such row. */
TEST(kind_gaussian_leave, together)
{
    leave_world w;
    leave_new(&w, BLN_GAUSSIAN_FACTOR, 0.5, 0.5);
    CHECK_OK(leave_do(&w, 1));
    CHECK(w.l.error == HUGE_VAL);
    leave_new(&w, BLN_GAUSSIAN_FACTOR, 1.0, 0.0);
    w.l.x.n = 1;                                             /* few rows: at most half of the weights */
    CHECK_OK(leave_do(&w, 1));
    CHECK(w.l.error == HUGE_VAL);
    leave_new(&w, BLN_GAUSSIAN_FACTOR, -0.25, 0.0);
    CHECK_OK(leave_do(&w, 1));
    CHECK_NEAR(w.var[0], 1.0/1.25, 1e-15);
    CHECK_NEAR(w.l.logdet, log(1.25), 1e-15);
    leave_new(&w, BLN_GAUSSIAN_LOWRANK, 0.1, -0.1);
    w.R[0] = 0.1;
    CHECK_STATUS(leave_do(&w, 1), BLN_EINVAL);
    CHECK_SIZE(w.l.bad, 1);
}

/* Two outputs that share a factor by a T that is no covariance: the density of what is left out together is none. */
TEST(kind_gaussian_leave, no_covariance_of_outputs)
{
    static const double T[4] = { 1.0, 2.0, 2.0, 1.0 }, sigma[4] = { 1.0, 0.0, 0.0, 1.0 };
    double m[2*LEAVE_D] = { 0.5 }, W[4] = { 0.2, 0.2, 0.2, 0.2 }, slope[4] = { 0.3, 0.1, 0.2, 0.4 }, room[4][4];
    leave_world w;
    leave_new(&w, BLN_GAUSSIAN_FACTOR, 0.2, 0.2);
    w.v.m = m;
    w.v.T = T;
    w.g.eta = sigma;
    w.q = posterior_of(w.b.view + 1, 1, 2, bln_observe_noise(2), &w.g, 1);
    w.l.W = W;
    w.l.slope = slope;
    w.l.ld = 2;
    w.l.with = room[0];
    w.l.var = room[1];
    w.l.shift = room[2];
    CHECK_OK(leave_do(&w, 1));
    CHECK(w.l.quad != w.l.quad && w.l.error < 1e-10);
}

SUITE_BEGIN(kind_gaussian_leave)
SUITE_TEST(kind_gaussian_leave, all_of_a_row)
SUITE_TEST(kind_gaussian_leave, rows_that_are_known)
SUITE_TEST(kind_gaussian_leave, together)
SUITE_TEST(kind_gaussian_leave, no_covariance_of_outputs)
SUITE_END(kind_gaussian_leave)
