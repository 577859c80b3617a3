/* test_tape_joint: densities of matrices and hidden states against closed forms, sums over all paths, and differences */
#include "../test.h"
#include "tape_tools.h"

enum { JOINT_MOST = 5, JOINT_TIMES = 6 };

/* which: the model; n: its size; data: numbers of its constants. */
typedef struct whole_case { int which; size_t n; const double *data; } whole_case;

static bln_var whole_spd(bln_tape *t, bln_var B, size_t n)
{
    return bln_v_add_diagonal(t, bln_v_gemm(t, BLN_TRANS, B, BLN_NOTRANS, B), bln_c_num(t, 0.5 + (double)n));
}

/* q: two n x n matrices, n numbers, and one more. */
static bln_status whole_model(bln_tape *t, const bln_var *p, void *user)
{
    const whole_case *c = (const whole_case *)user;
    const size_t n = c->n;
    const bln_var A = bln_v_reshape(t, bln_v_slice(t, p[0], 0, n*n), n, n);
    const bln_var B = bln_v_reshape(t, bln_v_slice(t, p[0], n*n, n*n), n, n);
    const bln_var x = bln_v_slice(t, p[0], 2*n*n, n), s = bln_v_exp(t, bln_v_elem(t, p[0], 2*n*n + n));
    const bln_var dof = bln_v_shift(t, s, (double)n), D = bln_c_mat(t, c->data, n, n);
    bln_lp_add(t, bln_v_scale(t, -0.5, bln_v_square(t, p[0])));
    switch (c->which) {
    case 0: bln_lp_lkj_factor(t, bln_v_cholesky(t, whole_spd(t, A, n)), s); break;
    case 1: bln_lp_wishart(t, whole_spd(t, A, n), dof, whole_spd(t, B, n)); break;
    case 2: bln_lp_inv_wishart(t, whole_spd(t, A, n), dof, whole_spd(t, B, n)); break;
    case 3: bln_lp_matrix_normal_factor(t, D, B, bln_v_cholesky(t, whole_spd(t, A, n)), bln_v_cholesky(t, whole_spd(t, B, n)));
        break;
    case 4: bln_lp_hidden_markov(t, x, A, B); break;
    default: bln_lp_hidden_markov(t, x, D, bln_v_reshape(t, bln_v_slice(t, p[0], 0, 2*n*n), n, 2*n)); break;
    }
    return BLN_OK;
}

/* The bound is that of tape_matrix. */
TEST(tape_joint, gradients)
{
    static const size_t sizes[] = { 1, 2, 3, JOINT_MOST };
    double data[JOINT_MOST*JOINT_MOST], q[2*JOINT_MOST*JOINT_MOST + JOINT_MOST + 1];
    test_random r = test_random_new(4);
    test_fill_normal(&r, JOINT_MOST*JOINT_MOST, data);
    for (int which = 0; which < 6; which++)
        for (size_t s = 0; s < sizeof sizes/sizeof *sizes; s++) {
            whole_case c;
            c.which = which;
            c.n = sizes[s];
            c.data = data;
            test_fill_normal(&r, 2*c.n*c.n + c.n + 1, q);
            CHECK_LE(tape_worst(whole_model, &c, 2*c.n*c.n + c.n + 1, q), 1e-7);
        }
}

/* ---- values: wishart.logpdf, invwishart.logpdf, matrix_normal.logpdf of scipy 1.10 */

static bln_status whole_given(bln_tape *t, const bln_var *p, void *user)
{
    static const double W[9] = { 2.0, 0.5, -0.3, 0.5, 1.5, 0.2, -0.3, 0.2, 0.8 };
    static const double S[9] = { 1.0, 0.2, 0.1, 0.2, 0.7, -0.1, 0.1, -0.1, 1.3 }, R[4] = { 1.2, 0.3, 0.3, 0.9 };
    static const double X[6] = { 0.3, -1.0, 0.7, 1.4, 0.2, -0.6 }, M[6] = { 0.1, 0.2, 0.3, -0.4, 0.5, 0.0 };
    const bln_var w = bln_c_mat(t, W, 3, 3), s = bln_c_mat(t, S, 3, 3), dof = bln_c_num(t, 4.5);
    const int which = *(const int *)user;
    bln_lp_add(t, bln_v_scale(t, 0.0, p[0]));                                /* what no term reads is refused */
    if (which == 0) bln_lp_wishart(t, w, dof, s);
    if (which == 1) bln_lp_inv_wishart(t, w, dof, s);
    if (which == 2)
        bln_lp_matrix_normal_factor(t, bln_c_mat(t, X, 2, 3), bln_c_mat(t, M, 2, 3), bln_v_cholesky(t, bln_c_mat(t, R, 2, 2)),
                                    bln_v_cholesky(t, s));
    return BLN_OK;
}

TEST(tape_joint, values)
{
    static const double want[3] = { -8.220196903100188, -11.035583870772479, -8.705440387900055 };
    for (int which = 0; which < 3; which++) {
        const double q = 0.0;
        double value = 0.0;
        CHECK_OK(tape_eval(whole_given, &which, 1, &q, &value, NULL));
        CHECK_REL(value, want[which], 1e-13);
    }
}

/* Under LKJ the arctanh of the partial correlations are independent: z_ij (j < i <= K, from 1) has the density
 * sech(z)^(2 b_j) Gamma(b_j + 1/2)/(Gamma(b_j) sqrt(pi)), b_j = eta + (K - 1 - j)/2.     (Lewandowski, Kurowicka & Joe 2009) */
static bln_status whole_lkj(bln_tape *t, const bln_var *p, void *user)
{
    bln_lp_lkj_factor(t, p[0], bln_c_num(t, *(const double *)user));
    return BLN_OK;
}

TEST(tape_joint, lkj)
{
    static const double etas[] = { 0.6, 1.0, 4.0 };
    for (size_t K = 2; K <= JOINT_MOST; K++)
        for (size_t e = 0; e < sizeof etas/sizeof *etas; e++) {
            bln_program_desc desc = BLN_ZERO;
            bln_program_parameter U = BLN_PARAMETER("U", 0, 0, CORRELATION_FACTOR);
            bln_program *program = NULL;
            bln_report report;
            double z[JOINT_MOST*JOINT_MOST], value = 0.0, want = 0.0, eta = etas[e];
            test_random r = test_random_new(9 + K);
            size_t at = 0;
            U.rows = U.cols = K;
            desc.model = whole_lkj;
            desc.user = &eta;
            desc.parameters = &U;
            desc.n_parameters = 1;
            test_fill_normal(&r, K*K, z);
            CHECK_OK(bln_program_create(&desc, &program, &report));
            if (!program) return;
            const bln_density d = bln_program_density(program);
            CHECK_SIZE(d.dim, K*(K - 1)/2);
            CHECK_OK(d.eval(d.user, z, &value, NULL, &report));
            for (size_t i = 2; i <= K; i++)
                for (size_t j = 1; j < i; j++, at++) {
                    const double b = eta + 0.5*((double)K - 1.0 - (double)j);
                    want += -2.0*b*log(cosh(z[at])) + lgamma(b + 0.5) - lgamma(b) - 0.5*log(3.14159265358979323846);
                }
            CHECK_NEAR(value, want, 1e-13*(1.0 + (double)(K*K)));
            bln_program_free(program);
        }
}

/* ---- hidden states: the sum over all paths, of the density and of its slopes */

typedef struct whole_hidden { size_t K, n; double start[3], move[9], p[3*JOINT_TIMES]; } whole_hidden;

static bln_status whole_hidden_model(bln_tape *t, const bln_var *p, void *user)
{
    const whole_hidden *h = (const whole_hidden *)user;
    const size_t K = h->K, n = h->n;
    bln_lp_hidden_markov(t, bln_v_slice(t, p[0], 0, K), bln_v_reshape(t, bln_v_slice(t, p[0], K, K*K), K, K),
                         bln_v_reshape(t, bln_v_slice(t, p[0], K + K*K, K*n), K, n));
    return BLN_OK;
}

/* log of the sum over paths, q as the model has it; adds to slope the share of each number. */
static double whole_paths(size_t K, size_t n, const double *q, double *slope)
{
    const double *start = q, *move = q + K, *p = q + K + K*K;
    double total = 0.0, most = -HUGE_VAL;
    for (int pass = 0; pass < 3; pass++) {
        size_t paths = 1;
        for (size_t i = 0; i < n; i++) paths *= K;
        for (size_t path = 0; path < paths; path++) {
            size_t z[JOINT_TIMES], rest = path;
            for (size_t i = 0; i < JOINT_TIMES; i++, rest /= K) z[i] = rest % K;
            double lp = start[z[0]];
            for (size_t i = 0; i < n; i++) lp += p[z[i]*n + i] + (i ? move[z[i - 1]*K + z[i]] : 0.0);
            if (pass == 0 && lp > most) most = lp;
            if (pass == 1) total += exp(lp - most);
            if (pass < 2) continue;
            const double share = exp(lp - most)/total;
            slope[z[0]] += share;
            for (size_t i = 0; i < n; i++) slope[K + K*K + z[i]*n + i] += share;
            for (size_t i = 1; i < n; i++) slope[K + z[i - 1]*K + z[i]] += share;
        }
    }
    return most + log(total);
}

/* Also where densities lie so far apart that all paths but one are nothing in doubles, and with moves that are next to
 * impossible. */
TEST(tape_joint, hidden_states)
{
    static const double spreads[] = { 1.0, 30.0, 3000.0 };
    test_random r = test_random_new(3);
    for (size_t K = 1; K <= 3; K++)
        for (size_t n = 1; n <= JOINT_TIMES; n++)
            for (size_t s = 0; s < 3; s++) {
                whole_hidden h;
                double q[3 + 9 + 3*JOINT_TIMES], got[3 + 9 + 3*JOINT_TIMES], want[3 + 9 + 3*JOINT_TIMES] = { 0.0 }, value = 0.0;
                const size_t dim = K + K*K + K*n;
                h.K = K;
                h.n = n;
                test_fill_normal(&r, dim, q);
                for (size_t k = 0; k < dim; k++) q[k] *= spreads[s];
                CHECK_OK(tape_eval(whole_hidden_model, &h, dim, q, &value, got));
                const double sum = whole_paths(K, n, q, want);
                CHECK_REL(value, sum, 1e-13);
                for (size_t k = 0; k < dim; k++) CHECK_NEAR(got[k], want[k], 1e-12*spreads[s]);
            }
}

/* A state that the data exclude (log p = -HUGE_VAL, set when the program is there: constants are looked at once) has probability 0,
 * and slopes that are numbers. Where all are excluded the point is impossible. */
static bln_status whole_excluded(bln_tape *t, const bln_var *p, void *user)
{
    static const double move[4] = { -0.3, -1.4, -0.9, -0.5 };
    bln_lp_hidden_markov(t, p[0], bln_c_mat(t, move, 2, 2), bln_c_mat(t, (const double *)user, 2, 2));
    return BLN_OK;
}

TEST(tape_joint, excluded_states)
{
    const double q[2] = { -1.0, -2.0 };
    for (int all = 0; all < 2; all++) {
        bln_report report;
        double value = 0.0, gradient[2] = { 0.0, 0.0 }, log_p[4] = { -1.0, -2.0, -1.0, -0.7 };
        bln_program *program = tape_program(whole_excluded, log_p, 2, q, &report);
        CHECK(program != NULL);
        if (!program) return;
        const bln_density d = bln_program_density(program);
        log_p[2] = -HUGE_VAL;
        if (all) log_p[0] = -HUGE_VAL;
        CHECK_OK(d.eval(d.user, q, &value, gradient, &report));
        if (all) CHECK(!(value > -HUGE_VAL));
        else {                                                       /* first in state 0, then in 0 or 1 */
            CHECK_REL(value, -1.0 - 1.0 + log(exp(-0.3 - 2.0) + exp(-1.4 - 0.7)), 1e-14);
            CHECK_REL(gradient[0], 1.0, 1e-14);
            CHECK(gradient[1] == 0.0);
            log_p[2] = -1.0;
            log_p[3] = -HUGE_VAL;                                    /* first in 0 or 1, then in 0 */
            CHECK_OK(d.eval(d.user, q, &value, gradient, &report));
            const double of_0 = exp(-1.0 - 1.0 - 0.3), of_1 = exp(-2.0 - 1.0 - 0.9);
            CHECK_REL(value, log(of_0 + of_1) - 2.0, 1e-14);
            CHECK_REL(gradient[0], of_0/(of_0 + of_1), 1e-14);
            CHECK_REL(gradient[1], of_1/(of_0 + of_1), 1e-14);
        }
        bln_program_free(program);
    }
}

/* As rows of the data: a sequence is one, a matrix whose rows depend on each other is none; in the prior it may be. */
static bln_status whole_rows(bln_tape *t, const bln_var *p, void *user)
{
    static const double E[4] = { 1.0, 0.0, 0.0, 1.0 };
    const bln_var I = bln_c_mat(t, E, 2, 2);
    const int which = *(const int *)user;
    bln_lp_std_normal(t, p[0]);
    if (which == 2) bln_lp_matrix_normal_factor(t, I, bln_v_elem(t, p[0], 0), I, I);
    bln_data_term(t);
    if (which == 1) bln_lp_matrix_normal_factor(t, I, bln_v_elem(t, p[0], 0), I, I);
    else bln_lp_hidden_markov(t, p[0], I, I);
    return BLN_OK;
}

TEST(tape_joint, rows)
{
    const double q[2] = { 0.3, -0.4 };
    for (int matrix = 0; matrix < 3; matrix++) {
        bln_program_desc desc = BLN_ZERO;
        bln_program_parameter x = BLN_PARAMETER("x", 2, 1, FREE);
        bln_program *program = NULL;
        bln_report report;
        double row = 0.0, value = 0.0;
        desc.model = whole_rows;
        desc.user = &matrix;
        desc.parameters = &x;
        desc.n_parameters = 1;
        desc.n_rows = 1;
        CHECK_OK(bln_program_create(&desc, &program, &report));
        if (!program) return;
        const bln_density d = bln_program_density(program);
        CHECK_OK(d.eval(d.user, q, &value, NULL, &report));
        CHECK_STATUS(bln_program_pointwise(program, q, &row, &report), matrix == 1 ? BLN_EINVAL : BLN_OK);
        if (matrix == 1) CHECK_TEXT(report.text, "rows that depend on each other");
        else if (matrix == 0) CHECK_NEAR(row, value + 0.5*(q[0]*q[0] + q[1]*q[1]) + 1.83787706640934548356, 1e-14);
        else CHECK_REL(row, log(2.0*exp(q[0] + 2.0) + exp(q[1])*(1.0 + exp(2.0))), 1e-14);      /* its four paths */
        bln_program_free(program);
    }
}

/* ---- errors */

static bln_status whole_wrong(bln_tape *t, const bln_var *p, void *user)
{
    static const double X[6] = { 1.0, 2.0, 2.0, 1.0, 0.0, 1.0 }, E[4] = { 1.0, 0.0, 0.0, 1.0 };
    static const double far[4] = { -1.7e308, -1.7e308, -1.7e308, -1.7e308 };
    const int which = *(const int *)user;
    const bln_var A = bln_c_mat(t, X, 2, 2), B = bln_c_mat(t, X, 3, 2), I = bln_c_mat(t, E, 2, 2), x = p[0];
    const bln_var one = bln_c_num(t, 1.0), two = bln_c_num(t, 2.0);
    switch (which) {
    case 0: bln_lp_lkj_factor(t, B, one); break;
    case 1: bln_lp_lkj_factor(t, I, x); break;
    case 2: bln_lp_lkj_factor(t, I, bln_c_num(t, 0.0)); break;
    case 3: bln_lp_lkj_factor(t, bln_c_mat(t, X + 1, 2, 2), one); break;
    case 4: bln_lp_wishart(t, B, two, I); break;
    case 5: bln_lp_wishart(t, I, x, I); break;
    case 6: bln_lp_wishart(t, I, two, bln_c_mat(t, X, 1, 1)); break;
    case 7: bln_lp_wishart(t, I, one, I); break;
    case 8: bln_lp_wishart(t, A, two, I); break;
    case 9: bln_lp_inv_wishart(t, I, two, A); break;
    case 10: bln_lp_matrix_normal_factor(t, B, one, I, I); break;
    case 11: bln_lp_matrix_normal_factor(t, x, one, bln_c_num(t, 1.0), I); break;
    case 12: bln_lp_matrix_normal_factor(t, A, x, I, I); break;
    case 13: bln_lp_matrix_normal_factor(t, A, one, B, I); break;
    case 14: bln_lp_matrix_normal_factor(t, A, one, I, B); break;
    case 15: bln_lp_matrix_normal_factor(t, bln_c_mat(t, X, 2, 3), one, I, I); break;
    case 16: bln_lp_hidden_markov(t, x, B, A); break;
    case 17: bln_lp_hidden_markov(t, x, I, A); break;
    case 18: bln_lp_wishart(t, I, two, bln_c_mat(t, X, 2, 1)); break;
    case 19: bln_lp_wishart(t, I, two, A); break;
    case 20: bln_lp_matrix_normal_factor(t, A, bln_c_mat(t, X, 2, 3), I, I); break;
    case 21: bln_lp_hidden_markov(t, bln_c_vec(t, X, 2), I, bln_c_mat(t, NULL, 2, 0)); break;
    case 22: bln_lp_hidden_markov(t, bln_v_slice(t, x, 0, 2), I, bln_c_mat(t, far, 2, 2)); break;
    default: bln_lp_hidden_markov(t, bln_c_vec(t, X, 2), I, B); break;
    }
    return BLN_OK;
}

TEST(tape_joint, errors)
{
    static const struct { bln_status status; const char *text; } want[] = {
        { BLN_ESHAPE, "U must be square: it is 3 x 2" }, { BLN_ESHAPE, "eta must be a scalar: it has 3 elements" },
        { BLN_EDOMAIN, "eta must be > 0, element 0 is 0" }, { BLN_EDOMAIN, "the diagonal of U must be > 0, element 1 is 0" },
        { BLN_ESHAPE, "W must be square: it is 3 x 2" }, { BLN_ESHAPE, "dof must be a scalar: it has 3 elements" },
        { BLN_ESHAPE, "W is 2 x 2, S is 1 x 1" }, { BLN_EDOMAIN, "dof must be > rows of W - 1, element 0 is 1" },
        { BLN_ENOTPD, "bln_lp_wishart (call 6): the matrix is not positive definite, pivot 1" },
        { BLN_ENOTPD, "bln_lp_inv_wishart (call 6): the matrix is not positive definite" },
        { BLN_ESHAPE, "X is 3 x 2, U is 2 x 2" }, { BLN_ESHAPE, "X is 3 x 1, U is 1 x 1" },
        { BLN_ESHAPE, "X is 2 x 2, M is 3 x 1" },
        { BLN_ESHAPE, "U must be square" }, { BLN_ESHAPE, "V must be square" }, { BLN_ESHAPE, "X is 2 x 3, V is 2 x 2" },
        { BLN_ESHAPE, "log_move must be square: it is 3 x 2" }, { BLN_ESHAPE, "log_start is 3 x 1, log_move is 2 x 2" },
        { BLN_ESHAPE, "W is 2 x 2, S is 2 x 1" },
        { BLN_ENOTPD, "bln_lp_wishart (call 6): the matrix is not positive definite, pivot 1" },
        { BLN_ESHAPE, "X is 2 x 2, M is 2 x 3" }, { BLN_ESHAPE, "log_p is 2 x 0, log_move is 2 x 2" },
        { BLN_ENUMERIC, "bln_lp_hidden_markov" },
        { BLN_ESHAPE, "log_p is 3 x 2, log_move is 2 x 2" }
    };
    for (int i = 0; i < (int)(sizeof want/sizeof *want); i++) {
        bln_report report;
        CHECK_STATUS(tape_refused(whole_wrong, &i, 3, NULL, &report), want[i].status);
        CHECK_TEXT(report.text, want[i].text);
    }
}

SUITE_BEGIN(tape_joint)
SUITE_TEST(tape_joint, gradients)
SUITE_TEST(tape_joint, values)
SUITE_TEST(tape_joint, lkj)
SUITE_TEST(tape_joint, hidden_states)
SUITE_TEST(tape_joint, excluded_states)
SUITE_TEST(tape_joint, rows)
SUITE_TEST(tape_joint, errors)
SUITE_END(tape_joint)
