/* test_tape: random programs against dual numbers, memory that grows or is not there, constants, what is kept of failures */
#include "../test.h"
#include "tape_tools.h"

/* ---- random programs: each is a list of operations on earlier results, run on a tape and by an interpreter that carries a
 * directional derivative along, and a bound of its rounding: the sum of the sizes of all terms that it is made of */

enum { FUZZ_INPUTS = 5, FUZZ_NODES = 14, FUZZ_WIDE = 4 };
typedef struct dual { size_t n; double v[2*FUZZ_WIDE], d[2*FUZZ_WIDE], bound[2*FUZZ_WIDE]; } dual;

static double fuzz_at(const dual *x, size_t i, const double *from) { return from[x->n == 1 ? 0 : i]; }

/* result_i = f(x_i, y_i) with slopes a, b. */
static void fuzz_put(dual *to, size_t i, double v, const dual *x, double a, const dual *y, double b)
{
    to->v[i] = v;
    to->d[i] = a*fuzz_at(x, i, x->d) + (y ? b*fuzz_at(y, i, y->d) : 0.0);
    to->bound[i] = fabs(a)*fuzz_at(x, i, x->bound) + (y ? fabs(b)*fuzz_at(y, i, y->bound) : 0.0) + fabs(to->d[i]);
}

/* One operation both ways. Operands are of one size, or scalars. */
static bln_var fuzz_step(bln_tape *t, int op, bln_var a, bln_var b, const dual *x, const dual *y, double c, dual *to)
{
    const size_t n = x->n == 1 ? y->n : x->n;
    to->n = op >= 4 && op <= 10 ? x->n : n;
    for (size_t i = 0; i < to->n; i++) {
        const double u = fuzz_at(x, i, x->v), w = fuzz_at(y, i, y->v);
        switch (op) {
        case 0: fuzz_put(to, i, u + w, x, 1.0, y, 1.0); break;
        case 1: fuzz_put(to, i, u - w, x, 1.0, y, -1.0); break;
        case 2: fuzz_put(to, i, u*w, x, w, y, u); break;
        case 3: fuzz_put(to, i, u/(w*w + 1.0), x, 1.0/(w*w + 1.0), y, -2.0*u*w/((w*w + 1.0)*(w*w + 1.0))); break;
        case 4: fuzz_put(to, i, tanh(u), x, 1.0 - tanh(u)*tanh(u), NULL, 0.0); break;
        case 5: fuzz_put(to, i, sin(u), x, cos(u), NULL, 0.0); break;
        case 6: fuzz_put(to, i, exp(tanh(u)), x, exp(tanh(u))*(1.0 - tanh(u)*tanh(u)), NULL, 0.0); break;
        case 7: fuzz_put(to, i, log(u*u + 1.0), x, 2.0*u/(u*u + 1.0), NULL, 0.0); break;
        case 8: fuzz_put(to, i, bln_log1pexp(u), x, bln_sigmoid(u), NULL, 0.0); break;
        case 9: fuzz_put(to, i, u + c, x, 1.0, NULL, 0.0); break;
        case 10: fuzz_put(to, i, c*u, x, c, NULL, 0.0); break;
        case 11: fuzz_put(to, i, c*u + w, x, c, y, 1.0); break;
        case 12: fuzz_put(to, i, u*w + u, x, w + 1.0, y, u); break;
        default: fuzz_put(to, i, u*u + w, x, 2.0*u, y, 1.0); break;
        }
    }
    switch (op) {
    case 0: return bln_v_add(t, a, b);
    case 1: return bln_v_sub(t, a, b);
    case 2: return bln_v_mul(t, a, b);
    case 3: return bln_v_div(t, a, bln_v_shift(t, bln_v_square(t, b), 1.0));
    case 4: return bln_v_tanh(t, a);
    case 5: return bln_v_sin(t, a);
    case 6: return bln_v_exp(t, bln_v_tanh(t, a));
    case 7: return bln_v_log1p(t, bln_v_mul(t, a, a));
    case 8: return bln_v_softplus(t, a);
    case 9: return bln_v_shift(t, a, c);
    case 10: return bln_v_scale(t, c, a);
    case 11: return bln_v_axpy(t, c, a, b);
    case 12: return bln_v_fma(t, a, b, a);
    default: return bln_v_fma(t, a, a, b);
    }
}

/* The sum of x, or one of its elements. */
static bln_var fuzz_reduce(bln_tape *t, int element, bln_var a, const dual *x, dual *to)
{
    to->n = 1;
    to->v[0] = to->d[0] = to->bound[0] = 0.0;
    for (size_t i = element ? x->n - 1 : 0; i < x->n; i++) {
        to->v[0] += x->v[i];
        to->d[0] += x->d[i];
        to->bound[0] += x->bound[i];
    }
    return element ? bln_v_elem(t, a, x->n - 1) : bln_v_sum(t, a);
}

/* Rounding: each of at most 14 steps (each a few operations) adds some eps of its terms. */
TEST(tape, random_programs)
{
    bln_tape t;
    size_t far = 0;
    memset(&t, 0, sizeof t);
    for (size_t round = 0; round < 100000; round++) {
        test_random r = test_random_new(round);
        dual value[FUZZ_INPUTS + FUZZ_NODES];
        bln_var var[FUZZ_INPUTS + FUZZ_NODES];
        const size_t wide = 2 + round % (FUZZ_WIDE - 1);
        double direction[FUZZ_INPUTS*FUZZ_WIDE], got = 0.0, data[FUZZ_WIDE];
        size_t n = 0, free = 0;
        blni_tape_reset(&t, 1);
        CHECK(blni_tape_room(&t, FUZZ_INPUTS*FUZZ_WIDE, 0, 0));
        for (; n < FUZZ_INPUTS; n++) {                           /* scalars, arrays, and a constant of each */
            value[n].n = n < 2 || n == 4 ? 1 : wide;
            for (size_t i = 0; i < value[n].n; i++) { value[n].v[i] = test_normal(&r); value[n].d[i] = test_normal(&r); }
            if (n >= 3) for (size_t i = 0; i < value[n].n; i++) { data[i] = value[n].v[i]; value[n].d[i] = 0.0; }
            for (size_t i = 0; i < value[n].n; i++) value[n].bound[i] = fabs(value[n].d[i]);
        }
        for (size_t k = 0; k < 3; k++) {
            const uint32_t at = blni_tape_take(&t, value[k].n);
            for (size_t i = 0; i < value[k].n; i++) { t.val[at + i] = value[k].v[i]; direction[free++] = value[k].d[i]; }
            var[k] = blni_var(at, (uint32_t)value[k].n);
        }
        for (size_t i = 0; i < wide; i++) data[i] = value[3].v[i];
        var[3] = bln_c_vec(&t, data, wide);
        var[4] = bln_c_num(&t, value[4].v[0]);
        for (; n < FUZZ_INPUTS + FUZZ_NODES; n++) {
            const size_t a = (size_t)(test_uniform(&r)*(double)n), b = (size_t)(test_uniform(&r)*(double)n);
            const int op = (int)(test_uniform(&r)*16.0);
            var[n] = op > 13 ? fuzz_reduce(&t, op == 14, var[a], value + a, value + n)
                             : fuzz_step(&t, op, var[a], var[b], value + a, value + b, test_normal(&r), value + n);
        }
        bln_lp_add(&t, var[n - 1]);
        bln_lp_normal(&t, var[n - 2], var[n - 3], bln_v_exp(&t, bln_v_tanh(&t, var[0])));
        dual density, total, last;
        const dual *x = value + n - 2, *m = value + n - 3;
        density.n = x->n == 1 ? m->n : x->n;
        total.v[0] = total.d[0] = total.bound[0] = 0.0;
        fuzz_reduce(&t, 0, var[n - 1], value + n - 1, &last);
        const double s = exp(tanh(value[0].v[0])), ds = s*(1.0 - tanh(value[0].v[0])*tanh(value[0].v[0]));
        for (size_t i = 0; i < density.n; i++) {
            const double z = (fuzz_at(x, i, x->v) - fuzz_at(m, i, m->v))/s;
            fuzz_put(&density, i, -0.5*z*z - log(s) - 0.5*log(2.0*3.14159265358979323846), x, -z/s, m, z/s);
            total.v[0] += density.v[i];
            total.d[0] += density.d[i] + (z*z - 1.0)/s*ds*value[0].d[0];
            total.bound[0] += density.bound[i] + (z*z + 1.0)/s*ds*fabs(value[0].d[0]);
        }
        CHECK_OK(t.status);
        blni_tape_sweep(&t, 0, 0, NULL);
        for (size_t i = 0; i < free; i++) got += direction[i]*t.adj[BLNI_FIRST_PLACE + i];
        const double want = total.d[0] + last.d[0], bound = total.bound[0] + last.bound[0];
        far += bound > 1e6;
        if (!(fabs(got - want) <= 1e-12*bound)) CHECK_NEAR(got, want, 1e-12*bound);
        if (!(fabs(t.target[BLNI_TERM_PRIOR] - total.v[0] - last.v[0]) <= 1e-11*(1.0 + fabs(total.v[0]) + fabs(last.v[0]))))
            CHECK_GOLD(t.target[BLNI_TERM_PRIOR], total.v[0] + last.v[0], 1e-11);
    }
    CHECK(far < 10000);                                          /* most are of a size at which they say something */
    blni_tape_release(&t);
}

/* A cell has room for places below 2^24 of the z of x y + z; beyond it is a node. What lies between is never written, so that it
 * costs no memory; the sweep, which sets as many adjoints to 0, is for `make test-all`. */
TEST(tape, far_places)
{
    bln_tape t;
    memset(&t, 0, sizeof t);
    blni_tape_reset(&t, 1);
    const uint32_t at = blni_tape_take(&t, 2);
    t.val[at] = 3.0;
    t.val[at + 1] = 5.0;
    CHECK(blni_tape_room(&t, (size_t)1 << 24, 0, 0));
    blni_tape_take(&t, (size_t)1 << 24);
    const bln_var x = blni_var(at, 1), y = blni_var(at + 1, 1), z = bln_v_scale(&t, 2.0, x), sum = bln_v_fma(&t, x, y, z);
    CHECK_OK(t.status);
    CHECK(bln_v_value(&t, sum) == 21.0 && (t.cell[t.n_cell - 1].op & 255) == BLNI_OP_NODE);
    bln_lp_add(&t, sum);
#ifdef TEST_LONG
    blni_tape_sweep(&t, 0, 0, NULL);
    CHECK(t.target[BLNI_TERM_PRIOR] == 21.0 && t.adj[at] == 7.0 && t.adj[at + 1] == 3.0);
#endif
    blni_tape_release(&t);
}

/* ---- memory */

/* 20000 scalar operations, arrays and a density, from a tape with no room: all arrays grow several times. */
static bln_status tape_long(bln_tape *t, const bln_var *p, void *user)
{
    static const double data[700] = { 0.0 };
    bln_var s = bln_v_elem(t, p[0], 0);
    const int n = user ? *(const int *)user : 20000;
    for (int i = 0; i < n; i++) s = bln_v_axpy(t, 1e-4, bln_v_elem(t, p[0], 1), s);
    bln_lp_std_normal(t, s);
    for (int i = 0; i < 70; i++) {
        const bln_var m = bln_v_reshape(t, bln_c_mat(t, data, 35, 2), 2, 35);
        bln_lp_normal(t, bln_v_row(t, m, 1), bln_v_elem(t, p[0], 0), bln_c_num(t, 2.0));
    }
    return BLN_OK;
}

TEST(tape, grows)
{
    const double q[2] = { 0.3, -0.7 };
    double value, gradient[2];
    const double s = 0.3 - 2.0*0.7, n = 70.0*35.0, c = 0.5*log(2.0*3.14159265358979323846);
    CHECK_OK(tape_eval(tape_long, NULL, 2, q, &value, gradient));
    CHECK_REL(value, -0.5*s*s - c - n*(c + log(2.0) + 0.5*0.3*0.3/4.0), 1e-11);
    CHECK_REL(gradient[0], -s - n*0.3/4.0, 1e-11);
    CHECK_REL(gradient[1], -2.0*s, 1e-11);
}

TEST(tape, allocations_that_fail)
{
    test_heap h;
    bln_program_desc desc = BLN_ZERO;
    const bln_program_parameter x = BLN_PARAMETER("x", 2, 1, FREE);
    int operations = 300;
    desc.model = tape_long;
    desc.user = &operations;
    desc.parameters = &x;
    desc.n_parameters = 1;
    desc.alloc = test_heap_allocator(&h);
    for (size_t fail = 0;; fail++) {
        bln_program *program = NULL;
        bln_report report;
        h.calls = 0;
        h.fail_at = fail;
        const bln_status status = bln_program_create(&desc, &program, &report);
        if (status == BLN_OK) {
            CHECK(fail > 8);
            const bln_density d = bln_program_density(program);
            const double q[2] = { 0.1, 0.2 };
            double value, gradient[2];
            h.calls = 0;
            CHECK_OK(d.eval(d.user, q, &value, gradient, &report));
            CHECK_SIZE(h.calls, 0);                              /* nothing is allocated after creation */
            bln_program_free(program);
            break;
        }
        CHECK_STATUS(status, BLN_ENOMEM);
        CHECK_TEXT(report.text, "out of memory");
        CHECK(program == NULL);
        CHECK_SIZE(h.live, 0);
    }
    CHECK_SIZE(h.live, 0);
    CHECK_SIZE(h.live_bytes, 0);
}

/* Noise for which there is no memory, and more numbers than a handle can count. */
TEST(tape, no_room)
{
    bln_tape t;
    memset(&t, 0, sizeof t);
    blni_tape_reset(&t, 0);
    t.val_room = t.len;
    test_fault.calls = test_fault.at = 0;
    bln_c_noise(&t, 3, 1);
    test_fault.at = (size_t)-1;
    CHECK_STATUS(t.status, BLN_ENOMEM);
    blni_tape_reset(&t, 0);
    CHECK(!blni_tape_room(&t, (size_t)BLNI_PLACE + 1, 0, 0));
    CHECK_STATUS(t.status, BLN_EOVERFLOW);
    CHECK_TEXT(t.report.text, "more than 2^30 numbers");
    blni_tape_release(&t);
}

/* ---- constants */

static bln_status tape_constants(bln_tape *t, const bln_var *p, void *user)
{
    static const double v[4] = { 1.0, 2.0, HUGE_VAL, 4.0 };
    const int which = *(const int *)user;
    if (which == 0) bln_lp_normal(t, p[0], bln_c_num(t, 0.0), bln_c_num(t, BLNI_NAN));
    if (which == 1) bln_lp_std_normal(t, bln_c_vec(t, v, 4));
    if (which == 2) bln_lp_std_normal(t, bln_c_mat(t, v, 2, 2));
    if (which == 3) bln_lp_std_normal(t, bln_c_vec(t, NULL, 2));
    if (which == 4) bln_lp_std_normal(t, bln_c_mat(t, v, (size_t)1 << 31, 2));
    if (which == 5) bln_lp_add(t, bln_v_log(t, bln_v_scale(t, -1.0, bln_v_exp(t, p[0]))));
    if (which == 6) bln_lp_add(t, bln_v_sqrt(t, bln_v_mul(t, p[0], bln_c_num(t, 0.0))));
    if (which == 7) return BLN_EIO;
    if (which == 8) return BLN_EDOMAIN;
    if (which == 10) bln_lp_std_normal(t, bln_c_vec(t, NULL, 1));
    if (which == 11) bln_lp_std_normal(t, bln_c_mat(t, NULL, 1, 1));
    if (which == 12) bln_lp_std_normal(t, bln_c_mat(t, NULL, (size_t)1 << 31, 0));
    if (which == 13) bln_lp_std_normal(t, bln_c_mat(t, NULL, 0, (size_t)1 << 31));
    if (which == 14) bln_scope(t, 0);
    if (which == 15) bln_lp_std_normal(t, bln_c_noise(t, 0, 2));
    if (which == 16) bln_lp_std_normal(t, bln_c_noise(t, (size_t)1 << 31, 1));
    if (which == 17) return BLN_ENUMERIC;
    for (int k = 0; k < 2 && which == 18; k++) bln_lp_add(t, bln_c_num(t, 1e308));         /* finite, and their sum is not */
    if (which == 19) {
        bln_var both[2];
        both[0] = bln_v_exp(t, p[0]);
        both[1] = bln_v_scale(t, -1.0, both[0]);
        bln_lp_add(t, bln_v_log(t, bln_v_concat(t, both, 2)));
    }
    if (which == 9) bln_lp_uniform(t, bln_v_shift(t, bln_v_tanh(t, p[0]), 3.0), bln_c_num(t, -1.0), bln_c_num(t, 1.0));
    return BLN_OK;
}

TEST(tape, errors)
{
    static const struct { bln_status status; const char *text; size_t row, column; } want[] = {
        { BLN_EDATA, "): NaN or infinity", BLN_NONE, BLN_NONE },
        { BLN_EDATA, "bln_c_vec (call 1): NaN or infinity, row 2", 2, BLN_NONE },
        { BLN_EDATA, "bln_c_mat (call 1): NaN or infinity, row 1, column 0", 1, 0 },
        { BLN_EINVAL, "bln_c_vec (call 1): NULL", BLN_NONE, BLN_NONE },
        { BLN_EOVERFLOW, "bln_c_mat (call 1): too many numbers", BLN_NONE, BLN_NONE },
        { BLN_ENUMERIC, "bln_v_log (call 3): the result is not finite, argument 1 is -", BLN_NONE, BLN_NONE },
        { BLN_ENUMERIC, "bln_v_sqrt (call 3): the gradient is not finite with respect to argument 1", BLN_NONE, BLN_NONE },
        { BLN_EIO, "model (call 0): it returned BLN_EIO", BLN_NONE, BLN_NONE },
        { BLN_EDOMAIN, "model (call 0): it returned BLN_EDOMAIN", BLN_NONE, BLN_NONE },
        { BLN_ENUMERIC, "bln_lp_uniform (call 5): the result is not finite, argument 1 is", BLN_NONE, BLN_NONE },
        { BLN_EINVAL, "bln_c_vec (call 1): NULL", BLN_NONE, BLN_NONE },
        { BLN_EINVAL, "bln_c_mat (call 1): NULL", BLN_NONE, BLN_NONE },
        { BLN_EOVERFLOW, "bln_c_mat (call 1): too many numbers", BLN_NONE, BLN_NONE },
        { BLN_EOVERFLOW, "bln_c_mat (call 1): too many numbers", BLN_NONE, BLN_NONE },
        { BLN_EINVAL, "bln_scope (call 1): scopes are 1 to 8", BLN_NONE, BLN_NONE },
        { BLN_ESHAPE, "bln_c_noise (call 1): no numbers", BLN_NONE, BLN_NONE },
        { BLN_EOVERFLOW, "bln_c_noise (call 1): too many numbers", BLN_NONE, BLN_NONE },
        { BLN_ENUMERIC, "model (call 0): it returned BLN_ENUMERIC", BLN_NONE, BLN_NONE },
        { BLN_ENUMERIC, "the log density or its gradient is not finite", BLN_NONE, BLN_NONE },
        { BLN_ENUMERIC, "bln_v_log (call 4): the result is not finite, argument 1 is -", BLN_NONE, BLN_NONE }
    };
    for (int i = 0; i < (int)(sizeof want/sizeof *want); i++) {
        bln_report report;
        CHECK_STATUS(tape_refused(tape_constants, &i, 1, NULL, &report), want[i].status);
        CHECK_TEXT(report.text, want[i].text);
        CHECK(report.row == want[i].row && report.column == want[i].column);
    }
    CHECK(sizeof(bln_var) == 8);
}

SUITE_BEGIN(tape)
SUITE_TEST(tape, random_programs)
SUITE_TEST(tape, far_places)
SUITE_TEST(tape, grows)
SUITE_TEST(tape, allocations_that_fail)
SUITE_TEST(tape, no_room)
SUITE_TEST(tape, errors)
SUITE_END(tape)
