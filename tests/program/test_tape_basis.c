/* test_tape_basis: functions of bases in programs against the features times the weights, differences, and misuse */
#include "../test.h"
#include "tape_tools.h"

enum { BASIS_ROWS = 70, BASIS_MOST = 600 };                          /* more rows than a block has */

/* spec: of two inputs; m functions of n rows. constant: bit 0 theta, 1 X, 2 W. */
typedef struct node_case { const bln_basis *b; size_t n, m; unsigned constant; double *at, theta[8]; } node_case;

static bln_basis *node_of(const char *text)
{
    static double X[2*BASIS_ROWS];
    bln_spec_desc spec = BLN_ZERO;
    bln_data rows = BLN_ZERO;
    bln_basis *b = NULL;
    bln_report report;
    test_random r = test_random_new(5);
    test_fill_normal(&r, 2*BASIS_ROWS, X);
    rows.n = BASIS_ROWS;
    rows.d = 2;
    rows.X = X;
    spec.text = text;
    spec.d = 2;
    spec.rows = &rows;
    CHECK_OK(bln_basis_parse(&spec, &b, &report));
    return b;
}

/* q: theta on a log scale, X, W; where constant, those numbers are in c->at, which do not move. */
static bln_status node_model(bln_tape *t, const bln_var *p, void *user)
{
    node_case *c = (node_case *)user;
    const size_t k = c->b->n_theta, x = 2*c->n, w = c->b->D*c->m;
    for (size_t j = 0; j < k; j++) c->theta[j] = exp(c->at[j]);
    const bln_var eta = k == 0 && c->constant & 1 ? bln_c_vec(t, NULL, 0) : k == 0 ? bln_v_slice(t, p[0], 0, 0)
                      : c->constant & 1 ? bln_c_vec(t, c->theta, k) : bln_v_exp(t, bln_v_slice(t, p[0], 0, k));
    const bln_var X = c->constant & 2 ? bln_c_mat(t, c->at + k, c->n, 2) : bln_v_reshape(t, bln_v_slice(t, p[0], k, x), c->n, 2);
    const bln_var W = c->constant & 4 ? bln_c_mat(t, c->at + k + x, c->b->D, c->m)
                    : bln_v_reshape(t, bln_v_slice(t, p[0], k + x, w), c->b->D, c->m);
    bln_lp_add(t, bln_v_scale(t, -0.5, bln_v_square(t, p[0])));
    bln_lp_add(t, bln_v_sin(t, bln_v_basis(t, c->b, eta, X, W)));        /* a slope for each number */
    return BLN_OK;
}

static const char *const node_specs[] = { "bias", "linear", "rbf:n=4,ard", "matern32:n=3+linear", "polynomial:degree=3",
                                           "inducing:m=5,kernel=matern52,ard", "radial:n=4" };

/* The bound is that of tape_matrix; sums over 70 rows have as many more roundings. */
TEST(tape_basis, gradients)
{
    static double q[BASIS_MOST];
    for (size_t s = 0; s < sizeof node_specs/sizeof *node_specs; s++) {
        bln_basis *b = node_of(node_specs[s]);
        if (!b) return;
        for (unsigned constant = 0; constant < 8; constant++) {
            node_case c;
            test_random r = test_random_new(11 + s);
            c.b = b;
            c.n = constant == 6 ? BASIS_ROWS : 5;
            c.m = constant == 1 ? 3 : 1;
            c.constant = constant;
            c.at = q;
            const size_t dim = b->n_theta + 2*c.n + b->D*c.m;
            CHECK(dim <= BASIS_MOST && b->n_theta <= 8);
            test_fill_normal(&r, dim, q);
            for (size_t j = 0; j < b->n_theta; j++) q[j] *= 0.3;
            double fixed[BASIS_MOST];
            memcpy(fixed, q, sizeof fixed);
            c.at = fixed;
            if (constant != 7) CHECK_LE(tape_worst(node_model, &c, dim, q), 1e-7);
        }
        bln_basis_free(b);
    }
}

TEST(tape_basis, values)
{
    for (size_t s = 0; s < sizeof node_specs/sizeof *node_specs; s++) {
        bln_basis *b = node_of(node_specs[s]);
        if (!b) return;
        static double q[BASIS_MOST], Phi[BASIS_ROWS*64], work[1 << 15];
        double theta[8], value = 0.0, want = 0.0;
        node_case c;
        test_random r = test_random_new(3);
        c.b = b;
        c.n = BASIS_ROWS;
        c.m = 2;
        c.constant = 0;
        c.at = q;
        const size_t dim = b->n_theta + 2*c.n + b->D*c.m;
        CHECK(dim <= BASIS_MOST && b->D <= 64 && bln_basis_work(b, c.n) <= 1 << 15);
        test_fill_normal(&r, dim, q);
        for (size_t j = 0; j < b->n_theta; j++) theta[j] = exp(q[j]);
        for (size_t j = 0; j < dim; j++) want -= 0.5*q[j]*q[j];
        double *aligned = work + (64 - ((uintptr_t)work & 63))/8 % 8;
        bln_basis_features(b, theta, c.n, q + b->n_theta, 2, Phi, b->D, aligned);
        for (size_t i = 0; i < c.n; i++)
            for (size_t k = 0; k < 2; k++) {
                double f = 0.0;
                for (size_t j = 0; j < b->D; j++) f += Phi[i*b->D + j]*q[b->n_theta + 2*c.n + j*2 + k];
                want += sin(f);
            }
        CHECK_OK(tape_eval(node_model, &c, dim, q, &value, NULL));
        CHECK_NEAR(value, want, 1e-11);
        bln_basis_free(b);
    }
}

/* ---- errors */

typedef struct node_wrong { int which; bln_basis *b; bln_basis own; } node_wrong;

static bln_status node_wrong_model(bln_tape *t, const bln_var *p, void *user)
{
    static const double X[6] = { 1.0, 2.0, 2.0, 1.0, 0.0, 1.0 };
    node_wrong *u = (node_wrong *)user;
    const bln_var x = bln_c_mat(t, X, 3, 2), one = bln_c_num(t, 1.0), w = bln_v_reshape(t, bln_v_slice(t, p[0], 0, 4), 4, 1);
    const bln_var some = bln_v_reshape(t, bln_v_slice(t, p[0], 0, 4), 2, 2);
    bln_var f = one;
    switch (u->which) {
    case 0: f = bln_v_basis(t, NULL, one, x, w); break;
    case 1: f = bln_v_basis(t, u->b, bln_c_vec(t, X, 2), x, w); break;
    case 2: f = bln_v_basis(t, u->b, one, bln_c_mat(t, X, 2, 3), w); break;
    case 3: f = bln_v_basis(t, u->b, one, x, bln_v_slice(t, p[0], 0, 3)); break;
    case 4: f = bln_v_basis(t, u->b, bln_c_num(t, -1.0), x, w); break;
    case 5: f = bln_v_basis(t, &u->own, bln_c_vec(t, NULL, 0), some, one); break;
    case 6: u->own.n_theta = 1; f = bln_v_basis(t, &u->own, bln_v_slice(t, p[0], 0, 1), x, one); break;
    default: { bln_var nowhere; nowhere.at = 1u << 20; nowhere.n = 4; f = bln_v_basis(t, u->b, one, x, nowhere); break; }
    }
    bln_lp_add(t, f);
    return BLN_OK;
}

static void node_own_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *Phi,
                               size_t ldphi, double *work)
{
    (void)b; (void)theta; (void)work;
    for (size_t i = 0; i < n; i++) Phi[i*ldphi] = X[i*ldx];
}

static void node_own_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    (void)b; (void)k; (void)inputs;
    out->kind = BLN_PARAM_REAL;
}

TEST(tape_basis, errors)
{
    static const struct { bln_status status; const char *text; } want[] = {
        { BLN_EINVAL, "basis is NULL" }, { BLN_ESHAPE, "theta has not the basis's number of parameters" },
        { BLN_ESHAPE, "X has not the basis's number of inputs" }, { BLN_ESHAPE, "W has not a row for each feature" },
        { BLN_EDOMAIN, "bln_v_basis (call 8): theta is outside of its domain" },
        { BLN_EINVAL, "the basis has no slopes in its inputs" },
        { BLN_EINVAL, "the basis has no pullback, so no slopes in theta" },
        { BLN_EINVAL, "argument 3 is no handle of this evaluation" }
    };
    static bln_basis_ops ops;
    ops.name = "own";
    ops.features = node_own_features;
    ops.param = node_own_param;
    for (int i = 0; i < (int)(sizeof want/sizeof *want); i++) {
        bln_report report;
        node_wrong u;
        memset(&u, 0, sizeof u);
        u.which = i;
        u.b = node_of("rbf:n=2");
        u.own.ops = &ops;
        u.own.d = 2;
        u.own.D = u.own.n_slices = 1;
        CHECK_STATUS(tape_refused(node_wrong_model, &u, 4, NULL, &report), want[i].status);
        CHECK_TEXT(report.text, want[i].text);
        bln_basis_free(u.b);
    }
}

/* Inputs that are not finite make the point impossible, and no basis sees them. */
static bln_status node_far_model(bln_tape *t, const bln_var *p, void *user)
{
    bln_lp_std_normal(t, p[0]);
    bln_lp_add(t, bln_v_basis(t, (const bln_basis *)user, bln_c_num(t, 1.0), bln_v_reshape(t, bln_v_inv(t, p[0]), 1, 2),
                              bln_v_concat(t, p, 1)));
    return BLN_OK;
}

TEST(tape_basis, inputs_not_finite)
{
    const double start[2] = { 1.0, 2.0 }, q[2] = { 0.0, 1.0 };
    bln_basis *b = node_of("rbf:n=1");
    bln_report report;
    double value = 0.0;
    bln_program *program = tape_program(node_far_model, b, 2, start, &report);
    CHECK(program != NULL);
    if (!program) return;
    const bln_density d = bln_program_density(program);
    CHECK_OK(d.eval(d.user, start, &value, NULL, &report));
    CHECK_STATUS(d.eval(d.user, q, &value, NULL, &report), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "X is not finite");
    bln_program_free(program);
    bln_basis_free(b);
}

/* A length scale that is not one: the point is impossible, and the next one is as before. */
static bln_status node_length(bln_tape *t, const bln_var *p, void *user)
{
    static const double X[2] = { 1.0, 2.0 }, W[4] = { 1.0, -1.0, 0.5, 2.0 };
    bln_lp_add(t, bln_v_basis(t, (const bln_basis *)user, p[0], bln_c_mat(t, X, 1, 2), bln_c_mat(t, W, 4, 1)));
    return BLN_OK;
}

TEST(tape_basis, outside_of_its_domain)
{
    bln_basis *b = node_of("rbf:n=2");
    bln_report report;
    const double inside = 1.5, outside = -1.5;
    double value = 0.0, again = 1.0, gradient = 0.0;
    if (!b) return;
    bln_program *program = tape_program(node_length, b, 1, &inside, &report);
    CHECK(program != NULL);
    if (program) {
        const bln_density d = bln_program_density(program);
        CHECK_OK(d.eval(d.user, &inside, &value, &gradient, &report));
        CHECK_STATUS(d.eval(d.user, &outside, &again, &gradient, &report), BLN_EDOMAIN);
        CHECK_TEXT(report.text, "theta is outside of its domain");
        CHECK_OK(d.eval(d.user, &inside, &again, NULL, &report));
        CHECK(blni_finite(value) && again == value);
    }
    bln_program_free(program);
    bln_basis_free(b);
}

TEST(tape_basis, no_memory)
{
    static const double X[2] = { 1.0, 2.0 }, W[4] = { 1.0, -1.0, 0.5, 2.0 };
    bln_basis *b = node_of("rbf:n=2");
    bln_tape t;
    memset(&t, 0, sizeof t);
    blni_tape_reset(&t, 0);
    const bln_var theta = bln_c_num(&t, 1.5), x = bln_c_mat(&t, X, 1, 2), w = bln_c_mat(&t, W, 4, 1);
    t.aux_room = t.n_aux;
    test_fault.calls = test_fault.at = 0;
    bln_v_basis(&t, b, theta, x, w);
    test_fault.at = (size_t)-1;
    CHECK_STATUS(t.status, BLN_ENOMEM);
    CHECK_TEXT(t.report.text, "out of memory");
    blni_tape_release(&t);
    bln_basis_free(b);
}

SUITE_BEGIN(tape_basis)
SUITE_TEST(tape_basis, gradients)
SUITE_TEST(tape_basis, values)
SUITE_TEST(tape_basis, errors)
SUITE_TEST(tape_basis, outside_of_its_domain)
SUITE_TEST(tape_basis, no_memory)
SUITE_TEST(tape_basis, inputs_not_finite)
SUITE_END(tape_basis)
