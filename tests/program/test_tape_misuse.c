/* tape_misuse: every call of the tape where operands are constants, where a handle is of nowhere, after a failure, and where memory
 * runs out in it. */
#include "../test.h"
#include "tape_tools.h"

/* Operands: s, l, h, d scalars, v a vector, x a simplex, m a positive definite matrix, u an upper factor; y, k whole numbers that
 * are constants. */
typedef struct misuse_call { const char *name, *in; } misuse_call;
static const misuse_call misuse_calls[] = {
    { "add", "vv" }, { "sub", "vs" }, { "mul", "vs" }, { "div", "vs" }, { "fma", "vsv" }, { "shift", "v" }, { "scale", "v" },
    { "axpy", "vv" }, { "exp", "v" }, { "log", "v" }, { "expm1", "v" }, { "log1p", "v" }, { "sqrt", "v" }, { "square", "v" },
    { "inv", "v" }, { "sin", "v" }, { "cos", "v" }, { "tanh", "v" }, { "abs", "v" }, { "sigmoid", "v" }, { "logit", "v" },
    { "softplus", "v" }, { "lgamma", "v" }, { "digamma", "v" }, { "norm_cdf", "v" }, { "norm_logcdf", "v" }, { "pow", "vs" },
    { "max", "vs" }, { "min", "vs" }, { "log_add_exp", "vs" }, { "sum", "v" }, { "dot", "vv" }, { "logsumexp", "v" },
    { "cumsum", "v" }, { "elem", "v" }, { "slice", "v" }, { "row", "m" }, { "reshape", "v" }, { "gather", "v" }, { "concat", "vs" },
    { "gemv", "mv" }, { "gemm", "mm" }, { "gemm turned", "mm" }, { "add_diagonal", "mv" }, { "affine", "mmv" }, { "cholesky", "m" },
    { "solve_factor", "um" }, { "solve_factor turned", "uv" }, { "logdet_factor", "u" }, { "kernel", "sv" }, { "normal", "vvs" },
    { "normal of scalars", "sls" }, { "std_normal", "v" }, { "student_t", "vsss" }, { "cauchy", "vss" }, { "laplace", "vss" },
    { "logistic", "vss" }, { "half_normal", "vs" }, { "half_student_t", "vss" }, { "half_cauchy", "vs" }, { "exponential", "vs" },
    { "gamma", "vss" }, { "inv_gamma", "vss" }, { "lognormal", "vss" }, { "beta", "vss" }, { "uniform", "vlh" },
    { "bernoulli_logit", "yv" }, { "binomial_logit", "ykv" }, { "poisson_log", "yv" }, { "neg_binomial_log", "yvs" },
    { "categorical_logit", "kv" }, { "dirichlet", "xv" }, { "multi_normal", "vvm" }, { "multi_normal of rows", "msm" },
    { "multi_normal_factor", "vvu" }, { "lp_add", "v" }, { "custom", "vs" }, { "likelihood", "sv" }, { "rows", "vs" },
    { "lkj_factor", "us" }, { "wishart", "mdm" }, { "inv_wishart", "mdm" }, { "matrix_normal_factor", "mmuu" },
    { "hidden_markov", "vmm" } };
enum { MISUSE_CALLS = sizeof misuse_calls/sizeof *misuse_calls, MISUSE_IN = 4 };

static void misuse_forward(void *user, const double *const *in, double *out, double *aux)
{
    (void)user;
    aux[0] = in[1][0];
    for (size_t i = 0; i < 2; i++) out[i] = in[0][i]*in[1][0];
}
static void misuse_pullback(void *user, const double *const *in, const double *out, const double *aux, const double *out_bar,
                            double *const *in_bar)
{
    (void)user; (void)out;
    for (size_t i = 0; i < 2; i++) {
        if (in_bar[0]) in_bar[0][i] += out_bar[i]*aux[0];
        if (in_bar[1]) in_bar[1][0] += out_bar[i]*in[0][i];
    }
}
static const bln_custom_node misuse_node = { "misuse", misuse_forward, misuse_pullback, 1 };

static bln_status misuse_row(bln_tape *t, size_t i, const bln_var *in, void *user)
{
    (void)user;
    bln_lp_add(t, bln_v_mul(t, bln_v_elem(t, in[0], i), in[1]));
    return BLN_OK;
}

/* The call with these operands: its result; of a log density, nothing. */
static bln_var misuse_result(bln_tape *t, size_t call, const bln_var *in)
{
    static const uint32_t index[3] = { 1, 0, 1 };
    static const double X[4] = { 0.3, 1.2, -0.7, 0.4 }, y[2] = { 0.2, -1.1 };
    const bln_var none = blni_var(BLNI_CONSTANT, 1);
    const bln_likelihood l = bln_likelihood_gaussian();
    bln_targets targets;
    memset(&targets, 0, sizeof targets);
    targets.y = y;
    switch (call) {
    case 0:  return bln_v_add(t, in[0], in[1]);
    case 1:  return bln_v_sub(t, in[0], in[1]);
    case 2:  return bln_v_mul(t, in[0], in[1]);
    case 3:  return bln_v_div(t, in[0], in[1]);
    case 4:  return bln_v_fma(t, in[0], in[1], in[2]);
    case 5:  return bln_v_shift(t, in[0], 0.4);
    case 6:  return bln_v_scale(t, 0.4, in[0]);
    case 7:  return bln_v_axpy(t, 0.4, in[0], in[1]);
    case 8:  return bln_v_exp(t, in[0]);
    case 9:  return bln_v_log(t, in[0]);
    case 10: return bln_v_expm1(t, in[0]);
    case 11: return bln_v_log1p(t, in[0]);
    case 12: return bln_v_sqrt(t, in[0]);
    case 13: return bln_v_square(t, in[0]);
    case 14: return bln_v_inv(t, in[0]);
    case 15: return bln_v_sin(t, in[0]);
    case 16: return bln_v_cos(t, in[0]);
    case 17: return bln_v_tanh(t, in[0]);
    case 18: return bln_v_abs(t, in[0]);
    case 19: return bln_v_sigmoid(t, in[0]);
    case 20: return bln_v_logit(t, in[0]);
    case 21: return bln_v_softplus(t, in[0]);
    case 22: return bln_v_lgamma(t, in[0]);
    case 23: return bln_v_digamma(t, in[0]);
    case 24: return bln_v_norm_cdf(t, in[0]);
    case 25: return bln_v_norm_logcdf(t, in[0]);
    case 26: return bln_v_pow(t, in[0], in[1]);
    case 27: return bln_v_max(t, in[0], in[1]);
    case 28: return bln_v_min(t, in[0], in[1]);
    case 29: return bln_v_log_add_exp(t, in[0], in[1]);
    case 30: return bln_v_sum(t, in[0]);
    case 31: return bln_v_dot(t, in[0], in[1]);
    case 32: return bln_v_logsumexp(t, in[0]);
    case 33: return bln_v_cumsum(t, in[0]);
    case 34: return bln_v_elem(t, in[0], 1);
    case 35: return bln_v_slice(t, in[0], 1, 1);
    case 36: return bln_v_row(t, in[0], 1);
    case 37: return bln_v_reshape(t, in[0], 1, 2);
    case 38: return bln_v_gather(t, in[0], index, 3);
    case 39: return bln_v_concat(t, in, 2);
    case 40: return bln_v_gemv(t, in[0], in[1]);
    case 41: return bln_v_gemm(t, BLN_NOTRANS, in[0], BLN_NOTRANS, in[1]);
    case 42: return bln_v_gemm(t, BLN_TRANS, in[0], BLN_TRANS, in[1]);
    case 43: return bln_v_add_diagonal(t, in[0], in[1]);
    case 44: return bln_v_affine(t, in[0], in[1], in[2]);
    case 45: return bln_v_cholesky(t, in[0]);
    case 46: return bln_v_solve_factor(t, BLN_NOTRANS, in[0], in[1]);
    case 47: return bln_v_solve_factor(t, BLN_TRANS, in[0], in[1]);
    case 48: return bln_v_logdet_factor(t, in[0]);
    case 49: return bln_v_kernel(t, BLN_KERNEL_RBF, 0.0, X, 2, 2, in[0], in[1]);
    case 50: case 51: bln_lp_normal(t, in[0], in[1], in[2]); return none;
    case 52: bln_lp_std_normal(t, in[0]); return none;
    case 53: bln_lp_student_t(t, in[0], in[1], in[2], in[3]); return none;
    case 54: bln_lp_cauchy(t, in[0], in[1], in[2]); return none;
    case 55: bln_lp_laplace(t, in[0], in[1], in[2]); return none;
    case 56: bln_lp_logistic(t, in[0], in[1], in[2]); return none;
    case 57: bln_lp_half_normal(t, in[0], in[1]); return none;
    case 58: bln_lp_half_student_t(t, in[0], in[1], in[2]); return none;
    case 59: bln_lp_half_cauchy(t, in[0], in[1]); return none;
    case 60: bln_lp_exponential(t, in[0], in[1]); return none;
    case 61: bln_lp_gamma(t, in[0], in[1], in[2]); return none;
    case 62: bln_lp_inv_gamma(t, in[0], in[1], in[2]); return none;
    case 63: bln_lp_lognormal(t, in[0], in[1], in[2]); return none;
    case 64: bln_lp_beta(t, in[0], in[1], in[2]); return none;
    case 65: bln_lp_uniform(t, in[0], in[1], in[2]); return none;
    case 66: bln_lp_bernoulli_logit(t, in[0], in[1]); return none;
    case 67: bln_lp_binomial_logit(t, in[0], in[1], in[2]); return none;
    case 68: bln_lp_poisson_log(t, in[0], in[1]); return none;
    case 69: bln_lp_neg_binomial_log(t, in[0], in[1], in[2]); return none;
    case 70: bln_lp_categorical_logit(t, in[0], in[1]); return none;
    case 71: bln_lp_dirichlet(t, in[0], in[1]); return none;
    case 72: case 73: bln_lp_multi_normal(t, in[0], in[1], in[2]); return none;
    case 74: bln_lp_multi_normal_factor(t, in[0], in[1], in[2]); return none;
    case 75: bln_lp_add(t, in[0]); return none;
    case 76: return bln_v_custom(t, &misuse_node, in, 2, 2, NULL);
    case 77: bln_lp_likelihood(t, &l, in[0], &targets, in[1]); return none;
    case 78: bln_lp_rows(t, 2, misuse_row, in, 2, NULL); return none;
    case 79: bln_lp_lkj_factor(t, in[0], in[1]); return none;
    case 80: bln_lp_wishart(t, in[0], in[1], in[2]); return none;
    case 81: bln_lp_inv_wishart(t, in[0], in[1], in[2]); return none;
    case 82: bln_lp_matrix_normal_factor(t, in[0], in[1], in[2], in[3]); return none;
    default: bln_lp_hidden_markov(t, in[0], in[1], in[2]); return none;
    }
}

/* Operand k of the call, a constant or not. */
static bln_var misuse_operand(bln_tape *t, char kind, int constant)
{
    static const double s[1] = { 0.7 }, l[1] = { 0.1 }, h[1] = { 0.9 }, v[2] = { 0.3, 0.6 }, x[2] = { 0.4, 0.6 },
                        m[4] = { 1.3, 0.4, 0.4, 1.7 }, u[4] = { 1.1, 0.2, 0.0, 0.9 }, y[2] = { 0.0, 1.0 }, k[1] = { 1.0 },
                        d[1] = { 2.6 };
    const double *from = kind == 's' ? s : kind == 'l' ? l : kind == 'h' ? h : kind == 'v' ? v : kind == 'x' ? x
                       : kind == 'm' ? m : kind == 'u' ? u : kind == 'd' ? d : kind == 'y' ? y : k;
    const int matrix = kind == 'm' || kind == 'u';
    const size_t n = matrix ? 4 : kind == 'v' || kind == 'x' || kind == 'y' ? 2 : 1;
    if (constant || kind == 'y' || kind == 'k')
        return matrix ? bln_c_mat(t, from, 2, 2) : n == 1 ? bln_c_num(t, from[0]) : bln_c_vec(t, from, n);
    if (!blni_tape_room(t, n, 0, 0)) return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = blni_tape_take(t, n);
    memcpy(t->val + at, from, n*sizeof *from);
    return matrix ? blni_tape_matrix(t, at, 2, 2) : blni_var(at, (uint32_t)n);
}

static size_t misuse_operands(bln_tape *t, size_t call, size_t constants, bln_var *in)
{
    const size_t n = strlen(misuse_calls[call].in);
    for (size_t k = 0; k < n; k++) in[k] = misuse_operand(t, misuse_calls[call].in[k], (int)(constants >> k & 1));
    return n;
}

/* The call, and its result added with a weight of its own for each number. */
static void misuse_do(bln_tape *t, size_t call, const bln_var *in)
{
    static const double weight[4] = { 1.0, -0.6, 0.3, 2.1 };
    const bln_var r = misuse_result(t, call, in);
    const size_t n = t->status == BLN_OK ? blni_size(t, r) : 1;
    if (n > 1) bln_lp_add(t, bln_v_mul(t, bln_v_reshape(t, r, n, 1), bln_c_vec(t, weight, n)));
    else if (r.at != BLNI_CONSTANT) bln_lp_add(t, r);
}

static double misuse_total(const bln_tape *t)
{
    double sum = 0.0;
    for (size_t k = 0; k < BLNI_TERMS; k++) sum += t->target[k];
    return sum;
}

/* Whichever operands are constants, whether slopes are wanted, and whether operations have names: the value is the same, and the
 * slopes of the others. */
TEST(tape_misuse, constants)
{
    bln_tape t;
    memset(&t, 0, sizeof t);
    for (size_t call = 0; call < MISUSE_CALLS; call++) {
        const size_t sets = (size_t)1 << strlen(misuse_calls[call].in), before = test_failures;
        double slope[MISUSE_IN][4] = { { 0.0 } }, value = 0.0;
        for (size_t set = 0; set < 3*sets; set++) {
            bln_var in[MISUSE_IN];
            blni_tape_reset(&t, set/sets < 2);
            t.naming = set/sets == 1;
            const size_t n = misuse_operands(&t, call, set % sets, in);
            misuse_do(&t, call, in);
            CHECK_OK(t.status);
            if (set == 0) value = misuse_total(&t);
            CHECK_NEAR(misuse_total(&t), value, 1e-14*(1.0 + fabs(value)));
            if (t.status == BLN_OK && t.gradient) blni_tape_sweep(&t, 0, 0, NULL);
            for (size_t k = 0; k < n && t.gradient && t.status == BLN_OK; k++)
                for (size_t i = 0; i < blni_size(&t, in[k]) && !blni_is_constant(in[k]); i++) {
                    const double got = t.adj[in[k].at + i];
                    if (set == 0) slope[k][i] = got;
                    CHECK_NEAR(got, slope[k][i], 1e-14*(1.0 + fabs(slope[k][i])));
                }
            if (test_failures != before) {
                printf("    %s, constants %lu of %lu: %s\n", misuse_calls[call].name, (unsigned long)set, (unsigned long)sets,
                       t.report.text);
                break;
            }
        }
    }
    t.naming = 0;
    blni_tape_release(&t);
}

/* A handle that is none of this evaluation is refused, whichever operand it is; and after a failure nothing happens any more. */
TEST(tape_misuse, handles_and_failures)
{
    static const bln_var bad[] = { { BLNI_FIRST_PLACE + 100000, 1 }, { BLNI_FIRST_PLACE, 100000 },
                                   { BLNI_FIRST_PLACE, BLNI_MATRIX | 1000 }, { BLNI_OUTSIDE | BLNI_CONSTANT | 1000, 2 },
                                   { BLNI_OUTSIDE, 2 }, { BLNI_OUTSIDE | BLNI_CONSTANT, 9 } };
    const double two[2] = { 1.0, 2.0 };
    bln_tape t;
    memset(&t, 0, sizeof t);
    for (size_t call = 0; call < MISUSE_CALLS; call++) {
        const size_t n = strlen(misuse_calls[call].in), before = test_failures;
        for (size_t k = 0; k <= n; k++)
            for (size_t b = 0; b < sizeof bad/sizeof *bad; b++) {
                bln_var in[MISUSE_IN];
                blni_tape_reset(&t, 1);
                bln_c_vec(&t, two, 2);                             /* so that there is one array from outside */
                misuse_operands(&t, call, 0, in);
                if (k < n) in[k] = bad[b];
                else blni_tape_fail(&t, BLN_EDOMAIN, "before", "of another reason");
                const double value = misuse_total(&t);
                misuse_result(&t, call, in);
                CHECK_STATUS(t.status, k < n ? BLN_EINVAL : BLN_EDOMAIN);
                CHECK_TEXT(t.report.text, k < n ? "no handle of this evaluation" : "of another reason");
                CHECK(misuse_total(&t) == value);
                if (test_failures != before) break;
            }
        if (test_failures != before) printf("    %s: %s\n", misuse_calls[call].name, t.report.text);
    }
    blni_tape_release(&t);
}

/* No room is left on the tape, and memory fails at the call's allocations in turn: it says so, and the next evaluation is well. */
TEST(tape_misuse, no_memory)
{
    bln_tape t;
    memset(&t, 0, sizeof t);
    for (size_t call = 0; call < MISUSE_CALLS; call++) {
        const size_t before = test_failures;
        double value = 0.0;
        for (size_t fail = 0, more = 1; more; fail++) {
            bln_var in[MISUSE_IN];
            more = 0;
            for (int turn = 0; turn < 2; turn++) {                 /* with the failure, and afresh without one */
                blni_tape_reset(&t, 1);
                misuse_operands(&t, call, 0, in);
                t.val_room = t.len;
                t.aux_room = t.n_aux;
                t.cell_room = t.n_cell;
                t.outside_room = t.n_outside;
                t.shape_room = t.n_shape;
                test_fault.calls = 0;
                test_fault.at = turn == 0 ? fail : (size_t)-1;
                test_fault.failed = 0;
                misuse_do(&t, call, in);
                if (test_fault.failed) {
                    more = 1;
                    CHECK_STATUS(t.status, BLN_ENOMEM);
                    CHECK_TEXT(t.report.text, "out of memory");
                } else {
                    CHECK_OK(t.status);
                    if (fail == 0 && turn) value = misuse_total(&t);
                    if (fail) CHECK(misuse_total(&t) == value);
                }
                test_fault.at = (size_t)-1;
            }
            if (test_failures != before) {
                printf("    %s, allocation %lu\n", misuse_calls[call].name, (unsigned long)fail);
                break;
            }
        }
    }
    blni_tape_release(&t);
}

/* Normals whose squared scale is no double: z = 2 in each of n numbers, scalars and arrays. */
TEST(tape_misuse, scales_without_a_square)
{
    static const double scale[4] = { 1e-160, 1e-120, 1e120, 1e160 };
    bln_tape t;
    memset(&t, 0, sizeof t);
    for (size_t k = 0; k < 4; k++)
        for (uint32_t n = 1; n < 3; n++) {
            const double s = scale[k];
            blni_tape_reset(&t, 1);
            CHECK(blni_tape_room(&t, 4, 0, 0));
            const uint32_t x = blni_tape_take(&t, n), sd = blni_tape_take(&t, 1);
            for (uint32_t i = 0; i < n; i++) t.val[x + i] = 2.0*s;
            t.val[sd] = s;
            bln_lp_normal(&t, blni_var(x, n), bln_c_num(&t, 0.0), blni_var(sd, 1));
            CHECK_OK(t.status);
            CHECK_REL(misuse_total(&t), n*(-2.0 - log(s) - 0.5*BLNI_LOG_2PI), 1e-14);
            blni_tape_sweep(&t, 0, 0, NULL);
            for (uint32_t i = 0; i < n; i++) CHECK_REL(t.adj[x + i], -2.0/s, 1e-14);
            CHECK_REL(t.adj[sd], n*3.0/s, 1e-14);
        }
    blni_tape_release(&t);
}

SUITE_BEGIN(tape_misuse)
    SUITE_TEST(tape_misuse, scales_without_a_square)
    SUITE_TEST(tape_misuse, constants)
    SUITE_TEST(tape_misuse, handles_and_failures)
    SUITE_TEST(tape_misuse, no_memory)
SUITE_END(tape_misuse)
