/* test_tape_custom: nodes of one's own, likelihoods beside the tape's densities, rows beside arrays, errors */
#include "../test.h"
#include "tape_tools.h"

/* ---- out_i = x_i sum_j y_j^2, by hand; aux: the sum */

typedef struct custom_state { size_t n, m; int wrong; } custom_state;
static void custom_forward(void *user, const double *const *in, double *out, double *aux)
{
    const custom_state *s = (const custom_state *)user;
    aux[0] = 0.0;
    for (size_t j = 0; j < s->m; j++) aux[0] += in[1][j]*in[1][j];
    for (size_t i = 0; i < s->n; i++) out[i] = in[0][i]*aux[0];
}
static void custom_pullback(void *user, const double *const *in, const double *out, const double *aux, const double *out_bar,
                            double *const *in_bar)
{
    const custom_state *s = (const custom_state *)user;
    double along = 0.0;
    (void)out;
    for (size_t i = 0; i < s->n; i++) {
        if (in_bar[0]) in_bar[0][i] += out_bar[i]*aux[0];
        along += out_bar[i]*in[0][i];
    }
    for (size_t j = 0; j < s->m && in_bar[1]; j++) in_bar[1][j] += (s->wrong ? 2.1 : 2.0)*along*in[1][j];
}
static const bln_custom_node custom_node = { "my_node", custom_forward, custom_pullback, 1 };

static bln_status custom_model(bln_tape *t, const bln_var *p, void *user)
{
    custom_state *s = (custom_state *)user;
    static const double data[3] = { 0.3, -1.2, 2.385 };
    bln_var in[2];
    in[0] = bln_v_slice(t, p[0], 0, 3);
    in[1] = bln_v_slice(t, p[0], 3, 2);
    s->n = 3;
    s->m = 2;
    bln_lp_std_normal(t, bln_v_custom(t, &custom_node, in, 2, 3, s));
    in[0] = bln_c_vec(t, data, 3);
    bln_lp_add(t, bln_v_custom(t, &custom_node, in, 2, 3, s));
    return BLN_OK;
}

TEST(tape_custom, nodes)
{
    const double q[5] = { 0.4, -0.3, 0.2, 0.6, -0.5 };
    custom_state s = { 0, 0, 0 };
    bln_report report;
    double worst = 0.0;
    CHECK_LE(tape_worst(custom_model, &s, 5, q), 1e-9);
    s.wrong = 1;
    bln_program *program = tape_program(custom_model, &s, 5, q, &report);
    const bln_density d = bln_program_density(program);
    CHECK_STATUS(bln_density_check(&d, q, &worst, &report), BLN_EDOMAIN);
    CHECK(report.column == 3);
    bln_program_free(program);
}

/* ---- likelihoods */

static const double custom_y[5] = { 0.0, 2.0, 1.0, 7.0, 3.0 }, custom_real[5] = { 0.3, -2.0, 1.5, 0.1, 9.0 };
typedef struct custom_case { int likelihood, node; } custom_case;

static bln_status custom_likelihoods(bln_tape *t, const bln_var *p, void *user)
{
    const custom_case *c = (const custom_case *)user;
    const bln_var f = bln_v_slice(t, p[0], 0, 5), scale = bln_v_exp(t, bln_v_elem(t, p[0], 5)),
        dof = bln_v_exp(t, bln_v_elem(t, p[0], 6));
    static bln_likelihood l;
    static bln_targets y;
    bln_var both[2];
    y.y = c->likelihood ? custom_real : custom_y;
    both[0] = scale;
    both[1] = dof;
    bln_lp_std_normal(t, p[0]);
    bln_data_term(t);
    if (c->node) {
        l = c->likelihood ? bln_likelihood_student_t() : bln_likelihood_poisson(BLN_LINK_LOG);
        bln_lp_likelihood(t, &l, c->likelihood ? bln_v_concat(t, both, 2) : bln_c_vec(t, NULL, 0), &y, f);
    } else if (c->likelihood) bln_lp_student_t(t, bln_c_vec(t, custom_real, 5), dof, f, scale);
    else bln_lp_poisson_log(t, bln_c_vec(t, custom_y, 5), f);
    return BLN_OK;
}

TEST(tape_custom, likelihoods)
{
    const double q[7] = { 0.4, -0.3, 0.2, 0.6, -0.5, 0.3, 1.1 };
    for (int l = 0; l < 2; l++) {
        custom_case c;
        double value[2], gradient[2][7];
        c.likelihood = l;
        for (c.node = 0; c.node < 2; c.node++) CHECK_OK(tape_eval(custom_likelihoods, &c, 7, q, value + c.node, gradient[c.node]));
        CHECK_GOLD(value[1], value[0], 1e-13);
        for (int k = 0; k < 7; k++) CHECK_GOLD(gradient[1][k], gradient[0][k], 1e-12);
    }
}

/* ---- rows: y_i ~ N(a + b x_i, exp(s)) with a constant among the inputs, and in arrays */

enum { CUSTOM_ROWS = 300 };
static double custom_x[CUSTOM_ROWS], custom_line[CUSTOM_ROWS];

static bln_status custom_row(bln_tape *t, size_t i, const bln_var *in, void *user)
{
    const bln_var m = bln_v_fma(t, bln_v_elem(t, in[0], 1), bln_c_num(t, custom_x[i]), bln_v_elem(t, in[0], 0));
    const bln_var scales = bln_v_mul(t, bln_v_exp(t, in[1]), in[2]);
    (void)user;
    bln_lp_normal(t, bln_c_num(t, custom_line[i]), m, scales);
    bln_lp_add(t, bln_v_scale(t, 0.01, bln_v_square(t, m)));
    return BLN_OK;
}

static bln_status custom_lines(bln_tape *t, const bln_var *p, void *user)
{
    const int rows = *(const int *)user;
    bln_var in[3];
    in[0] = bln_v_slice(t, p[0], 0, 2);
    in[1] = bln_v_sin(t, bln_v_elem(t, p[0], 2));
    in[2] = bln_c_num(t, 1.5);
    bln_lp_std_normal(t, p[0]);
    bln_data_term(t);
    if (rows) bln_lp_rows(t, CUSTOM_ROWS, custom_row, in, 3, NULL);
    else {
        const bln_var x = bln_c_vec(t, custom_x, CUSTOM_ROWS);
        const bln_var m = bln_v_fma(t, bln_v_elem(t, in[0], 1), x, bln_v_elem(t, in[0], 0));
        bln_lp_normal(t, bln_c_vec(t, custom_line, CUSTOM_ROWS), m, bln_v_mul(t, bln_v_exp(t, in[1]), in[2]));
        bln_lp_add(t, bln_v_scale(t, 0.01, bln_v_square(t, m)));
    }
    bln_lp_add(t, bln_v_square(t, bln_v_elem(t, in[0], 1)));     /* the tape goes on behind the rows */
    bln_lp_normal(t, bln_c_num(t, 0.7), bln_v_elem(t, in[0], 0), in[2]);
    bln_lp_std_normal(t, in[0]);
    return BLN_OK;
}

TEST(tape_custom, rows)
{
    const double q[3] = { 0.4, -0.3, 0.2 };
    double value[2], gradient[2][3], log_p[CUSTOM_ROWS + 4];
    test_random r = test_random_new(5);
    bln_report report;
    test_fill_normal(&r, CUSTOM_ROWS, custom_x);
    test_fill_normal(&r, CUSTOM_ROWS, custom_line);
    for (int rows = 0; rows < 2; rows++) CHECK_OK(tape_eval(custom_lines, &rows, 3, q, value + rows, gradient[rows]));
    CHECK_GOLD(value[1], value[0], 1e-12);
    for (int k = 0; k < 3; k++) CHECK_GOLD(gradient[1][k], gradient[0][k], 1e-12);
    int rows = 1;
    bln_program *program = tape_program(custom_lines, &rows, 3, q, &report);
    CHECK(program != NULL && program->tape.val_room < 1000);     /* of one row, not of 300 */
    program->desc.n_rows = CUSTOM_ROWS + 4;                      /* and what stands behind them */
    CHECK_OK(bln_program_pointwise(program, q, log_p, &report));
    for (int i = 0; i < CUSTOM_ROWS; i++) {
        const double m = 0.4 - 0.3*custom_x[i], s = 1.5*exp(sin(0.2));
        CHECK_GOLD(log_p[i], bln_norm_logpdf((custom_line[i] - m)/s) - log(s) + 0.01*m*m, 1e-13);
    }
    CHECK_GOLD(log_p[CUSTOM_ROWS + 1], bln_norm_logpdf(0.2) - log(1.5), 1e-13);
    for (int i = 0; i < 2; i++) CHECK_GOLD(log_p[CUSTOM_ROWS + 2 + i], bln_norm_logpdf(q[i]), 1e-13);
    bln_program_free(program);
}

/* Trials and variances of rows, no rows at all, an input without numbers; and rows whose handles lie beyond all adjoints so far. By
 * the densities of the tape: y successes of n trials, and a Gaussian of variance s^2 v_i. */
static bln_status custom_targets(bln_tape *t, const bln_var *p, void *user)
{
    static const double real[2] = { 0.4, -1.3 }, successes[2] = { 2.0, 0.0 }, trials[2] = { 5.0, 3.0 }, v[2] = { 0.5, 3.0 };
    static const double sd[2] = { 0.70710678118654752440, 1.7320508075688772935 };
    const int by_hand = *(const int *)user;
    const bln_likelihood binomial = bln_likelihood_binomial(BLN_LINK_LOGIT), gaussian = bln_likelihood_gaussian();
    const bln_var f = bln_v_slice(t, p[0], 0, 2), s = bln_v_exp(t, bln_v_elem(t, p[0], 2)), none = bln_v_slice(t, f, 0, 0);
    bln_targets y = BLN_ZERO;
    bln_lp_std_normal(t, p[0]);
    if (by_hand) {
        bln_lp_binomial_logit(t, bln_c_vec(t, successes, 2), bln_c_vec(t, trials, 2), f);
        bln_lp_normal(t, bln_c_vec(t, real, 2), f, bln_v_mul(t, s, bln_c_vec(t, sd, 2)));
        return BLN_OK;
    }
    y.y = successes;
    y.trials = trials;
    bln_lp_likelihood(t, &binomial, bln_c_vec(t, NULL, 0), &y, f);
    bln_lp_likelihood(t, &binomial, bln_c_vec(t, NULL, 0), &y, none);
    y.y = real;
    y.trials = NULL;
    y.noise_var = v;
    bln_lp_likelihood(t, &gaussian, bln_v_square(t, s), &y, f);
    return BLN_OK;
}

TEST(tape_custom, targets)
{
    const double q[3] = { 0.4, -0.3, 0.2 };
    double value[2], gradient[2][3];
    for (int by_hand = 0; by_hand < 2; by_hand++)
        CHECK_OK(tape_eval(custom_targets, &by_hand, 3, q, value + by_hand, gradient[by_hand]));
    CHECK_GOLD(value[0], value[1], 1e-13);
    for (int k = 0; k < 3; k++) CHECK_GOLD(gradient[0][k], gradient[1][k], 1e-12);
}

static bln_status custom_add(bln_tape *t, size_t i, const bln_var *in, void *user)
{
    (void)i;
    (void)user;
    bln_lp_add(t, in[0]);
    bln_lp_add(t, bln_v_sum(t, in[1]));
    return BLN_OK;
}

TEST(tape_custom, rows_beyond_the_adjoints)
{
    bln_tape t;
    bln_var in[2];
    memset(&t, 0, sizeof t);
    blni_tape_reset(&t, 1);
    t.checking = 1;
    const uint32_t at = blni_tape_take(&t, 2);
    t.val[at] = 0.7;
    t.val[at + 1] = -0.2;
    in[0] = blni_var(at, 1);
    in[1] = bln_v_slice(&t, blni_var(at, 2), 0, 0);
    bln_lp_rows(&t, 2, custom_add, in, 2, NULL);
    CHECK(blni_tape_room(&t, 5000, 0, 0));
    blni_tape_take(&t, 5000);
    in[0] = bln_v_add(&t, blni_var(at, 1), blni_var(at + 1, 1));
    CHECK(in[0].at > t.adj_room);
    bln_lp_rows(&t, 3, custom_add, in, 2, NULL);
    CHECK_OK(t.status);
    blni_tape_sweep(&t, 0, 0, NULL);
    CHECK_REL(t.target[BLNI_TERM_PRIOR], 2.0*0.7 + 3.0*0.5, 1e-15);
    CHECK(t.adj[at] == 5.0 && t.adj[at + 1] == 3.0);
    blni_tape_release(&t);
}

/* ---- errors */

/* The last of three results is NaN: of five arguments the first is a scalar, and the others have no such element. */
static void custom_nan(void *user, const double *const *in, double *out, double *aux)
{
    (void)user;
    (void)in;
    (void)aux;
    out[0] = out[1] = 1.0;
    out[2] = NAN;
}
static const bln_custom_node custom_half[4] = { { NULL, custom_nan, custom_pullback, 0 }, { NULL, NULL, custom_pullback, 0 },
                                                { NULL, custom_nan, NULL, 0 }, { "of_nan", custom_nan, custom_pullback, 0 } };
static void custom_no_numbers(bln_tape *t, int which, bln_var first, bln_var none, const bln_targets *y, bln_var f)
{
    const bln_likelihood several = bln_likelihood_categorical(3), poisson = bln_likelihood_poisson(BLN_LINK_LOG);
    const bln_targets without = BLN_ZERO;
    bln_var in[BLN_CUSTOM_INPUTS + 1];
    for (int j = 0; j <= BLN_CUSTOM_INPUTS; j++) in[j] = j ? f : first;
    if (which == 9) bln_v_custom(t, custom_half, NULL, 1, 1, NULL);
    if (which == 10) bln_v_custom(t, custom_half, in, 0, 1, NULL);
    if (which == 11) bln_v_custom(t, custom_half, in, BLN_CUSTOM_INPUTS + 1, 1, NULL);
    if (which == 12 || which == 13) bln_v_custom(t, custom_half + (which - 11), in, 1, 1, NULL);
    if (which == 14) bln_lp_rows(t, 2, custom_row, NULL, 1, NULL);
    if (which == 15) bln_lp_rows(t, 2, custom_row, in, 0, NULL);
    if (which == 16) bln_lp_rows(t, 2, custom_row, in, BLN_CUSTOM_INPUTS + 1, NULL);
    if (which == 17) bln_lp_likelihood(t, &poisson, none, NULL, f);
    if (which == 18) bln_lp_likelihood(t, &poisson, none, &without, f);
    if (which == 19) bln_lp_likelihood(t, &several, none, y, f);
    if (which == 20) bln_lp_likelihood(t, &poisson, none, y, bln_v_shift(t, bln_v_exp(t, f), 1e3));
    if (which == 21) bln_lp_add(t, bln_v_custom(t, custom_half + 3, in, 5, 3, NULL));
}

static bln_var custom_stranger;
static bln_status custom_bad_row(bln_tape *t, size_t i, const bln_var *in, void *user)
{
    const int which = *(const int *)user;
    if (which == 0) bln_lp_std_normal(t, bln_v_mul(t, custom_stranger, in[0]));
    if (which == 1) bln_data_term(t);
    if (which == 2 && i == 7) return BLN_EIO;
    if (which == 3) bln_lp_normal(t, in[0], in[0], bln_v_shift(t, bln_v_scale(t, 0.0, in[0]), -1.0));
    return BLN_OK;
}
static bln_status custom_wrong(bln_tape *t, const bln_var *p, void *user)
{
    static const double half[2] = { 1.0, 0.5 };
    static bln_likelihood l;
    static bln_targets y;
    const int which = *(const int *)user;
    const bln_var none = bln_c_vec(t, NULL, 0);
    custom_stranger = bln_v_elem(t, p[0], 1);
    bln_var first = bln_v_elem(t, p[0], 0);
    l = which == 6 ? bln_likelihood_student_t() : bln_likelihood_poisson(BLN_LINK_LOG);
    y.y = half;
    if (which < 4) bln_lp_rows(t, 20, custom_bad_row, &first, 1, user);
    if (which == 4) bln_v_custom(t, NULL, &first, 1, 1, NULL);
    if (which == 5) bln_lp_likelihood(t, &l, none, &y, p[0]);
    if (which == 6) bln_lp_likelihood(t, &l, none, &y, p[0]);
    if (which == 7) bln_lp_likelihood(t, NULL, none, &y, p[0]);
    if (which == 8) bln_lp_rows(t, 2, NULL, &first, 1, NULL);
    y.y = which == 20 ? custom_y : half;
    custom_no_numbers(t, which, first, none, &y, p[0]);
    return BLN_OK;
}

TEST(tape_custom, errors)
{
    static const struct { bln_status status; const char *text; } want[] = {
        { BLN_EINVAL, "a row uses a handle that is not among its inputs" }, { BLN_EINVAL, "bln_data_term in a row" },
        { BLN_EIO, "bln_lp_rows (call 4): BLN_EIO" }, { BLN_EDOMAIN, "sd must be > 0" }, { BLN_EINVAL, "NULL" },
        { BLN_EDOMAIN, "y must be a whole number" }, { BLN_ESHAPE, "theta has not" }, { BLN_EINVAL, "NULL" },
        { BLN_EINVAL, "NULL" },
        { BLN_EINVAL, "bln_v_custom (call 3): NULL, or not 1 to 16 inputs" }, { BLN_EINVAL, "not 1 to 16 inputs" },
        { BLN_EINVAL, "not 1 to 16 inputs" }, { BLN_EINVAL, "NULL, or" }, { BLN_EINVAL, "NULL, or" },
        { BLN_EINVAL, "bln_lp_rows (call 3): NULL, or not 1 to 16 inputs" }, { BLN_EINVAL, "not 1 to 16 inputs" },
        { BLN_EINVAL, "not 1 to 16 inputs" }, { BLN_EINVAL, "bln_lp_likelihood (call 4): NULL" },
        { BLN_EINVAL, "bln_lp_likelihood (call 4): NULL" }, { BLN_ESHAPE, "of one latent only" },
        { BLN_ENUMERIC, "bln_lp_likelihood (call 6): the result is not finite, argument 1 is" },
        { BLN_ENUMERIC, "bln_v_custom (call 4): the result is not finite, argument 1 is" }
    };
    for (int i = 0; i < (int)(sizeof want/sizeof *want); i++) {
        bln_report report;
        CHECK_STATUS(tape_refused(custom_wrong, &i, 2, NULL, &report), want[i].status);
        CHECK_TEXT(report.text, want[i].text);
    }
}

SUITE_BEGIN(tape_custom)
SUITE_TEST(tape_custom, nodes)
SUITE_TEST(tape_custom, likelihoods)
SUITE_TEST(tape_custom, rows)
SUITE_TEST(tape_custom, targets)
SUITE_TEST(tape_custom, rows_beyond_the_adjoints)
SUITE_TEST(tape_custom, errors)
SUITE_END(tape_custom)
