/* test_tape_array: each operation against plain C and differences, at many shapes, constants in each place */
#include "../test.h"
#include "tape_tools.h"

static const size_t array_sizes[] = { 0, 1, 2, 3, 4, 5, 17, 130 };
enum { ARRAY_SIZES = sizeof array_sizes/sizeof *array_sizes, ARRAY_MOST = 2*130 + 1 };

/* ---- of one variable: target = sum_i (0.5 + i) f(x_i) - |x|^2/2 */

typedef struct array_case {
    bln_var (*one)(bln_tape *, bln_var);
    bln_var (*two)(bln_tape *, bln_var, bln_var);
    double  (*c1)(double);
    double  (*c2)(double, double);
    size_t n, m;                   /* of x, of y */
    int constant;                  /* 1: x is one, 2: y is one */
    const double *x, *y;
} array_case;

static double array_weights[ARRAY_MOST];

static bln_status array_one(bln_tape *t, const bln_var *p, void *user)
{
    const array_case *c = (const array_case *)user;
    const bln_var x = bln_v_slice(t, p[0], 1, c->n);
    bln_lp_std_normal(t, p[0]);
    bln_lp_add(t, bln_v_mul(t, bln_c_vec(t, array_weights, c->n), c->one(t, x)));
    return BLN_OK;
}

static double array_square(double x) { return x*x; }
static double array_inv(double x) { return 1.0/x; }

static const struct { bln_var (*f)(bln_tape *, bln_var); double (*c)(double); double low, high; } array_functions[] = {
    { bln_v_exp, exp, -3, 3 }, { bln_v_log, log, 0.1, 4 }, { bln_v_expm1, expm1, -2, 2 }, { bln_v_log1p, log1p, -0.9, 3 },
    { bln_v_sqrt, sqrt, 0.1, 5 }, { bln_v_square, array_square, -3, 3 }, { bln_v_inv, array_inv, 0.4, 4 },
    { bln_v_sin, sin, -4, 4 }, { bln_v_cos, cos, -4, 4 }, { bln_v_tanh, tanh, -3, 3 }, { bln_v_abs, fabs, 0.2, 3 },
    { bln_v_sigmoid, bln_sigmoid, -30, 30 }, { bln_v_logit, bln_logit, 0.02, 0.98 }, { bln_v_softplus, bln_log1pexp, -30, 30 },
    { bln_v_lgamma, bln_lgamma, 0.3, 9 }, { bln_v_digamma, bln_digamma, 0.3, 9 }, { bln_v_norm_cdf, bln_norm_cdf, -3, 3 },
    { bln_v_norm_logcdf, bln_norm_logcdf, -9, 3 }
};

/* Differences of some 1e-10 of the function's fifth derivative times its weight, which is up to 130. */
TEST(tape_array, functions)
{
    for (size_t i = 0; i < ARRAY_MOST; i++) array_weights[i] = 0.5 + 0.01*(double)i;
    for (size_t f = 0; f < sizeof array_functions/sizeof *array_functions; f++)
        for (size_t s = 0; s < ARRAY_SIZES; s++) {
            array_case c;
            test_random r = test_random_new(100*f + s);
            double q[ARRAY_MOST], value, gradient[ARRAY_MOST], want = 0.0;
            memset(&c, 0, sizeof c);
            c.one = array_functions[f].f;
            c.n = array_sizes[s];
            q[0] = 0.3;
            for (size_t i = 1; i <= c.n; i++)
                q[i] = array_functions[f].low + (array_functions[f].high - array_functions[f].low)*test_uniform(&r);
            for (size_t i = 0; i <= c.n; i++) want -= 0.5*(q[i]*q[i] + log(2.0*3.14159265358979323846));
            for (size_t i = 0; i < c.n; i++) want += array_weights[i]*array_functions[f].c(q[1 + i]);
            CHECK_OK(tape_eval(array_one, &c, c.n + 1, q, &value, gradient));
            CHECK_NEAR(value, want, 1e-13*(1.0 + fabs(want))*(1.0 + (double)c.n));
            CHECK_LE(tape_worst(array_one, &c, c.n + 1, q), 3e-6);
            for (size_t i = 0; i < c.n; i++) {                   /* a closer look, at this point alone */
                const double h = 3e-4*(array_functions[f].low > 0.0 ? q[1 + i] : 1.0), x = q[1 + i];
                double (*g)(double) = array_functions[f].c;
                const double d = (45.0*(g(x + h) - g(x - h)) - 9.0*(g(x + 2*h) - g(x - 2*h)) + g(x + 3*h) - g(x - 3*h))/(60.0*h);
                CHECK_NEAR(gradient[1 + i], array_weights[i]*d - x, 2e-9*(1.0 + fabs(d) + fabs(g(x))));
            }
        }
}

/* tanh of an array beside the C library's, which is within 1 ulp or so, and its slope 1/cosh^2: at most 6 ulp (bln_vec_exp 1.1,
 * five roundings of half an ulp). Around 1/2 the formula changes. */
TEST(tape_array, tanh_of_arrays)
{
    static const double edges[] = { 0.0, -0.0, 1e-300, -1e-9, 0.4999999, 0.5, 0.5000001, -0.5, -0.49, 19.0, -22.0, 400.0 };
    enum { EDGES = sizeof edges/sizeof *edges, ALL = 2000 };
    static double x[ALL], y[ALL], d[ALL];
    test_random r = test_random_new(9);
    for (int i = 0; i < ALL; i++) x[i] = i < EDGES ? edges[i] : (i % 2 ? 1.0 : 6.0)*(2.0*test_uniform(&r) - 1.0);
    x[EDGES] = -HUGE_VAL;
    blni_tanh_many(ALL, x, y, d);
    for (int i = 0; i < ALL; i++) {
        const double c = 1.0/cosh(x[i]);
        CHECK_LE(fabs(y[i] - tanh(x[i])), 6.0*DBL_EPSILON*fabs(tanh(x[i])));
        if (fabs(x[i]) < 300.0) CHECK_LE(fabs(d[i] - c*c), 10.0*DBL_EPSILON*c*c);
    }
    blni_tanh_many(3, x + 4, y, NULL);
    CHECK(y[1] > y[0] && y[2] > y[1]);
    x[0] = BLNI_NAN;
    blni_tanh_many(1, x, y, d);
    CHECK(y[0] != y[0]);
}

/* ---- of two: target = sum_i w_i f(x, y)_i - |.|^2/2 */

static bln_status array_two(bln_tape *t, const bln_var *p, void *user)
{
    const array_case *c = (const array_case *)user;
    const bln_var x = c->constant == 1 ? bln_c_vec(t, c->x, c->n) : bln_v_slice(t, p[0], 1, c->n);
    const bln_var y = c->constant == 2 ? bln_c_vec(t, c->y, c->m) : bln_v_slice(t, p[0], 1 + c->n, c->m);
    const bln_var f = c->two(t, x, y);
    bln_lp_std_normal(t, p[0]);
    bln_lp_add(t, bln_v_mul(t, f, bln_c_vec(t, array_weights, bln_v_size(t, f))));
    return BLN_OK;
}

static double array_add(double x, double y) { return x + y; }
static double array_sub(double x, double y) { return x - y; }
static double array_mul(double x, double y) { return x*y; }
static double array_div(double x, double y) { return x/y; }
static double array_max(double x, double y) { return x > y ? x : y; }
static double array_min(double x, double y) { return x < y ? x : y; }
static double array_lae(double x, double y) { return log(exp(x) + exp(y)); }
static double array_axpy(double x, double y) { return -1.5*x + y; }
static double array_fma(double x, double y) { return x*y + x; }
static double array_shift(double x, double y) { return x + 2.5 + (-0.5*y + x/y); }
static bln_var array_v_axpy(bln_tape *t, bln_var x, bln_var y) { return bln_v_axpy(t, -1.5, x, y); }
static bln_var array_v_fma(bln_tape *t, bln_var x, bln_var y) { return bln_v_fma(t, x, y, x); }     /* x occurs twice */
static bln_var array_v_shift(bln_tape *t, bln_var x, bln_var y)
{
    return bln_v_add(t, bln_v_shift(t, x, 2.5), bln_v_add(t, bln_v_scale(t, -0.5, y), bln_v_div(t, x, y)));
}

static const struct { bln_var (*f)(bln_tape *, bln_var, bln_var); double (*c)(double, double); } array_functions2[] = {
    { bln_v_add, array_add }, { bln_v_sub, array_sub }, { bln_v_mul, array_mul }, { bln_v_div, array_div }, { bln_v_pow, pow },
    { bln_v_max, array_max }, { bln_v_min, array_min }, { bln_v_log_add_exp, array_lae }, { array_v_axpy, array_axpy },
    { array_v_fma, array_fma }, { array_v_shift, array_shift }
};

static double array_slope(double (*f)(double, double), double x, double y, int k)
{
    const double h = 1e-3;
    double d = 0.0;
    static const double w[3] = { 45.0, -9.0, 1.0 };
    if (f == array_max && fabs(x - y) < 0.01) return (x > y) == (k == 0);           /* too near to the kink */
    if (f == array_min && fabs(x - y) < 0.01) return (x < y) == (k == 0);
    for (int j = 1; j <= 3; j++)
        d += w[j - 1]*(k ? f(x, y + j*h) - f(x, y - j*h) : f(x + j*h, y) - f(x - j*h, y));
    return d/(60.0*h);
}

TEST(tape_array, functions_of_two)
{
    for (size_t i = 0; i < ARRAY_MOST; i++) array_weights[i] = 0.5 + 0.01*(double)i;
    for (size_t f = 0; f < sizeof array_functions2/sizeof *array_functions2; f++)
        for (size_t s = 0; s < 3*ARRAY_SIZES; s++)
            for (int constant = 0; constant < 3; constant++) {   /* sizes n and n, 1 and n, n and 1 */
                array_case c;
                test_random r = test_random_new(1000*f + s);
                double q[ARRAY_MOST], value, gradient[ARRAY_MOST], want = 0.0, slope[ARRAY_MOST] = { 0.0 };
                memset(&c, 0, sizeof c);
                c.two = array_functions2[f].f;
                c.n = s/ARRAY_SIZES == 1 ? 1 : array_sizes[s % ARRAY_SIZES];
                c.m = s/ARRAY_SIZES == 2 ? 1 : array_sizes[s % ARRAY_SIZES];
                c.constant = constant;
                c.x = q + 1;
                c.y = q + 1 + c.n;
                const size_t dim = 1 + c.n + c.m, n = c.n == 1 ? c.m : c.n;
                for (size_t i = 0; i < dim; i++) q[i] = 0.3 + 2.0*test_uniform(&r);
                for (size_t i = 0; i < dim; i++) { want -= 0.5*(q[i]*q[i] + log(2.0*3.14159265358979323846)); slope[i] = -q[i]; }
                for (size_t i = 0; i < n; i++) {
                    const size_t a = 1 + (c.n == 1 ? 0 : i), b = 1 + c.n + (c.m == 1 ? 0 : i);
                    want += array_weights[i]*array_functions2[f].c(q[a], q[b]);
                    if (constant != 1) slope[a] += array_weights[i]*array_slope(array_functions2[f].c, q[a], q[b], 0);
                    if (constant != 2) slope[b] += array_weights[i]*array_slope(array_functions2[f].c, q[a], q[b], 1);
                }
                CHECK_OK(tape_eval(array_two, &c, dim, q, &value, gradient));
                CHECK_NEAR(value, want, 1e-13*(1.0 + fabs(want))*(1.0 + (double)n));
                for (size_t i = 0; i < dim; i++) CHECK_NEAR(gradient[i], slope[i], 1e-8*(1.0 + fabs(slope[i])));
            }
}

/* ---- to one number, parts, arrays from arrays: x of n numbers */

static bln_status array_parts(bln_tape *t, const bln_var *p, void *user)
{
    static const uint32_t index[] = { 2, 0, 0, 4, 1, 2 };
    const array_case *c = (const array_case *)user;
    const bln_var x = p[0];
    bln_var parts[3], f;
    bln_lp_std_normal(t, x);
    if (c->n < 6) return BLN_OK;
    bln_lp_add(t, bln_v_logsumexp(t, x));
    bln_lp_add(t, bln_v_mul(t, bln_v_dot(t, x, bln_v_cumsum(t, x)), bln_v_elem(t, x, 3)));
    bln_lp_add(t, bln_v_dot(t, x, x));
    bln_lp_add(t, bln_v_square(t, bln_v_gather(t, x, index, 6)));
    parts[0] = bln_v_slice(t, x, 0, 2);
    parts[1] = bln_c_vec(t, c->x, 2);
    parts[2] = bln_v_slice(t, x, 1, 5);
    f = bln_v_reshape(t, bln_v_concat(t, parts, 3), 3, 3);
    bln_lp_add(t, bln_v_mul(t, bln_v_row(t, f, 1), bln_v_row(t, f, 2)));
    bln_lp_add(t, bln_v_mul(t, bln_v_sum(t, f), bln_v_elem(t, bln_v_row(t, bln_c_mat(t, c->x, 3, 2), 1), 1)));
    return BLN_OK;
}

static double array_parts_in_c(size_t n, const double *x, const double *c)
{
    static const uint32_t index[] = { 2, 0, 0, 4, 1, 2 };
    double v = 0.0, s = 0.0, total = 0.0, dot = 0.0, f[9];
    for (size_t i = 0; i < n; i++) {
        v -= 0.5*(x[i]*x[i] + log(2.0*3.14159265358979323846));
        s += exp(x[i]);
        total += x[i];
        dot += x[i]*total;
        v += x[i]*x[i];
    }
    v += log(s) + dot*x[3];
    for (size_t i = 0; i < 6; i++) v += x[index[i]]*x[index[i]];
    f[0] = x[0]; f[1] = x[1]; f[2] = c[0]; f[3] = c[1];
    for (size_t i = 0; i < 5; i++) f[4 + i] = x[1 + i];
    for (size_t i = 0; i < 3; i++) v += f[3 + i]*f[6 + i];
    total = 0.0;
    for (size_t i = 0; i < 9; i++) total += f[i];
    return v + total*c[3];
}

TEST(tape_array, parts_and_sums)
{
    static const double constant[6] = { 0.3, -1.2, 0.7, 1.9, -0.4, 2.385 };
    for (size_t n = 6; n < 20; n += 11) {
        array_case c;
        double q[20], value, gradient[20];
        test_random r = test_random_new(n);
        memset(&c, 0, sizeof c);
        c.n = n;
        c.x = constant;
        test_fill_normal(&r, n, q);
        CHECK_OK(tape_eval(array_parts, &c, n, q, &value, gradient));
        CHECK_REL(value, array_parts_in_c(n, q, constant), 1e-13*(double)n);
        CHECK_LE(tape_worst(array_parts, &c, n, q), 1e-8);
    }
}

/* ---- kinks, tails, and what has no elements */

static bln_status array_edges(bln_tape *t, const bln_var *p, void *user)
{
    const bln_var x = bln_v_elem(t, p[0], 0), none = bln_c_vec(t, NULL, 0);
    (void)user;
    bln_lp_add(t, bln_v_abs(t, x));
    bln_lp_add(t, bln_v_max(t, x, x));
    bln_lp_add(t, bln_v_tanh(t, bln_v_shift(t, x, 30.0)));
    bln_lp_add(t, bln_v_sum(t, none));
    bln_lp_add(t, bln_v_exp(t, none));
    CHECK_SIZE(bln_v_size(t, none), 0);
    CHECK(bln_v_value(t, none) != bln_v_value(t, none));
    CHECK(bln_v_value(t, bln_v_logsumexp(t, none)) == -HUGE_VAL);
    CHECK_SIZE(bln_v_size(t, bln_v_add(t, none, x)), 0);
    CHECK(bln_v_value(t, bln_v_log_add_exp(t, bln_c_num(t, 0.0), bln_c_num(t, 0.0))) == log(2.0));
    CHECK_REL(bln_v_value(t, bln_v_log_add_exp(t, bln_c_num(t, -800.0), bln_c_num(t, 3.0))), 3.0, 1e-15);
    return BLN_OK;
}

TEST(tape_array, edges)
{
    const double zero = 0.0;
    double value, gradient;
    CHECK_OK(tape_eval(array_edges, NULL, 1, &zero, &value, &gradient));
    CHECK_REL(value, 1.0, 1e-15);
    CHECK_REL(gradient, 1.0 + 4.0*exp(-60.0), 1e-15);            /* 0 of abs, 1 of the larger one */
}

/* 3^0 and 0^3: their slopes are log 3 in the exponent and 0, where the formulas have infinity times 0. The larger and the smaller
 * of NaN and a number are NaN, whichever comes first. Of infinity and 3 the sum of e^x is the first alone. */
TEST(tape_array, slopes_without_a_formula)
{
    bln_tape t;
    bln_var both[2], bad = BLN_ZERO;
    memset(&t, 0, sizeof t);
    blni_tape_reset(&t, 1);
    CHECK(blni_tape_room(&t, 5, 0, 0));
    const uint32_t at = blni_tape_take(&t, 5);
    t.val[at] = 0.0;
    t.val[at + 1] = t.val[at + 4] = 3.0;
    t.val[at + 2] = NAN;
    t.val[at + 3] = HUGE_VAL;
    const bln_var zero = blni_var(at, 1), three = blni_var(at + 1, 1), nan = blni_var(at + 2, 1), vector = blni_var(at + 3, 2);
    bln_lp_add(&t, bln_v_pow(&t, three, zero));
    bln_lp_add(&t, bln_v_pow(&t, zero, three));
    CHECK(t.target[BLNI_TERM_PRIOR] == 1.0);
    for (int k = 0; k < 2; k++) {
        const bln_var x = k ? nan : three, y = k ? three : nan, most = bln_v_max(&t, x, y), least = bln_v_min(&t, x, y);
        CHECK(bln_v_value(&t, most) != bln_v_value(&t, most) && bln_v_value(&t, least) != bln_v_value(&t, least));
    }
    const bln_var sum = bln_v_logsumexp(&t, vector);
    CHECK(bln_v_value(&t, sum) == HUGE_VAL);
    bln_lp_add(&t, sum);
    both[0] = bln_v_slice(&t, vector, 0, 0);
    both[1] = three;
    CHECK(bln_v_size(&t, bln_v_concat(&t, both, 2)) == 1 && bln_v_size(&t, bln_v_concat(&t, NULL, 0)) == 0);
    CHECK(bln_v_size(&t, bln_v_gather(&t, vector, NULL, 0)) == 0);
    bad.at = 100000;
    bad.n = 1;
    CHECK(bln_v_size(&t, bad) == 0 && bln_v_values(&t, bad) == NULL);
    CHECK_OK(t.status);
    blni_tape_sweep(&t, 0, 0, NULL);
    CHECK(t.adj[at] == log(3.0) && t.adj[at + 1] == 0.0 && t.adj[at + 3] == 1.0 && t.adj[at + 4] == 0.0);
    blni_tape_release(&t);
}

/* ---- errors: the call, the argument, the sizes */

static bln_status array_wrong(bln_tape *t, const bln_var *p, void *user)
{
    static const uint32_t index[2] = { 0, 9 };
    const int which = *(const int *)user;
    const bln_var x = p[0], two = bln_v_slice(t, x, 0, 2);
    bln_var bad;
    bad.at = 100000;
    bad.n = 1;
    if (which == 0) bln_lp_add(t, bln_v_add(t, x, two));
    if (which == 1) bln_lp_add(t, bln_v_fma(t, bln_v_elem(t, x, 0), two, x));
    if (which == 2) bln_lp_add(t, bln_v_slice(t, x, 2, 2));
    if (which == 3) bln_lp_add(t, bln_v_gather(t, x, index, 2));
    if (which == 4) bln_lp_add(t, bln_v_reshape(t, x, 2, 2));
    if (which == 5) bln_lp_add(t, bln_v_exp(t, bad));
    if (which == 6) bln_lp_add(t, bln_v_dot(t, x, bln_v_elem(t, x, 0)));
    if (which == 7) bln_lp_add(t, bln_v_add(t, bln_v_elem(t, x, 0), bad));
    if (which == 8) { bad.at = 0xC0000007u; bad.n = 3; bln_lp_add(t, bln_v_sum(t, bad)); }
    if (which == 9) { bad.at = 1; bad.n = 0x80000005u; bln_lp_add(t, bln_v_sum(t, bad)); }
    if (which == 10) bln_lp_add(t, bln_v_concat(t, NULL, 1));
    if (which == 11) bln_lp_add(t, bln_v_row(t, bln_v_reshape(t, x, 1, 3), 1));
    if (which == 12) bln_lp_add(t, bln_v_slice(t, x, 0, 9));
    if (which == 13) bln_lp_add(t, bln_v_gather(t, x, NULL, 2));
    if (which == 14) bln_lp_add(t, bln_v_concat(t, &x, (size_t)1 << 22));
    bln_v_exp(t, bln_v_add(t, x, x));                            /* after the failure nothing happens */
    CHECK(bln_v_values(t, x) == NULL);
    return BLN_OK;
}

TEST(tape_array, errors)
{
    static const struct { bln_status status; const char *text; } want[] = {
        { BLN_ESHAPE, "bln_v_add (call 2): x has 3 elements, y has 2" },
        { BLN_ESHAPE, "bln_v_fma (call 3): y has 2 elements, z has 3" },
        { BLN_ESHAPE, "bln_v_slice (call 2): no elements from 2 to 3 of 3" },
        { BLN_ESHAPE, "bln_v_gather (call 2): index 1 is 9, x has 3" },
        { BLN_ESHAPE, "bln_v_reshape (call 2): another number of elements" },
        { BLN_EINVAL, "bln_v_exp (call 2): argument 1 is no handle of this evaluation" },
        { BLN_ESHAPE, "bln_v_dot (call 3): a scalar with an array" },
        { BLN_EINVAL, "bln_v_add (call 3): argument 2 is no handle" },
        { BLN_EINVAL, "bln_v_sum (call 2): argument 1 is no handle" },
        { BLN_EINVAL, "bln_v_sum (call 2): argument 1 is no handle" },
        { BLN_EINVAL, "bln_v_concat" },
        { BLN_ESHAPE, "bln_v_row (call 3): no elements from 3 to 5 of 3" },
        { BLN_ESHAPE, "bln_v_slice (call 2): no elements from 0 to 8 of 3" },
        { BLN_EINVAL, "bln_v_gather (call 2): NULL" }, { BLN_EOVERFLOW, "bln_v_concat (call 1): too many arrays" }
    };
    for (int i = 0; i < (int)(sizeof want/sizeof *want); i++) {
        bln_report report;
        CHECK_STATUS(tape_refused(array_wrong, &i, 3, NULL, &report), want[i].status);
        CHECK_TEXT(report.text, want[i].text);
    }
}

SUITE_BEGIN(tape_array)
SUITE_TEST(tape_array, functions)
SUITE_TEST(tape_array, tanh_of_arrays)
SUITE_TEST(tape_array, functions_of_two)
SUITE_TEST(tape_array, parts_and_sums)
SUITE_TEST(tape_array, edges)
SUITE_TEST(tape_array, slopes_without_a_formula)
SUITE_TEST(tape_array, errors)
SUITE_END(tape_array)
