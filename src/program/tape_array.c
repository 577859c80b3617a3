/* tape_array: a scalar operation is one cell. Everything else is a node; unless it is linear, the forward pass computes its slopes,
 * and one reverse function sums them                                                                           [programs 23] */
#include "tape_array_private.h"
#include "../math/blas.h"
#include "../math/special.h"
#include "../math/vecmath.h"

/* ---- sums */

/* sum of x, in four interleaved sums. */
BLNI_PRIV double blni_tape_sum(size_t n, const double *x)
{
    double s[4] = { 0.0, 0.0, 0.0, 0.0 };
    size_t i = 0;
    for (; i + 4 <= n; i += 4) { s[0] += x[i]; s[1] += x[i + 1]; s[2] += x[i + 2]; s[3] += x[i + 3]; }
    for (; i < n; i++) s[0] += x[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

/* to_i += scale g_i f_i; f NULL: all 1. step 0: f is one number; to_step 0: all into one. */
BLNI_PRIV void blni_tape_pull(size_t n, double scale, const double *g, const double *f, size_t step, double *to, size_t to_step)
{
    if (f && !step) { scale *= *f; f = NULL; }
    if (!to_step) *to += scale*(f ? bln_dot(n, g, f) : blni_tape_sum(n, g));
    else if (!f) bln_axpy(n, scale, g, to);
    else for (size_t i = 0; i < n; i++) to[i] += scale*g[i]*f[i];
}

/* Does operand i of a node of n elements have as many, or one for all? */
BLNI_PRIV size_t blni_tape_step(const blni_cell *c, size_t i) { return blni_operand(c, i)->out == c->a && c->a != 1; }

/* Each operand gets g_i times its slope i: all that is elementwise and not linear. */
BLNI_PRIV void blni_elements_reverse(bln_tape *t, const blni_cell *c)
{
    const size_t k = (c->op >> 8) - 1;
    for (size_t i = 0; i < k; i++) {
        const blni_cell *o = blni_operand(c, i);
        if (o->op & BLNI_CONSTANT) continue;
        blni_tape_pull(c->a, 1.0, t->adj + c->out, t->aux + o->a, 1, t->adj + o->op, blni_tape_step(c, i));
    }
}

/* Each operand gets g times its slopes, as many as it has elements: a number that depends on all of them. */
BLNI_PRIV void blni_sum_reverse(bln_tape *t, const blni_cell *c)
{
    const size_t k = (c->op >> 8) - 1;
    const double g = t->adj[c->out];
    for (size_t i = 0; i < k; i++) {
        const blni_cell *o = blni_operand(c, i);
        if (!(o->op & BLNI_CONSTANT)) bln_axpy(o->out, g, t->aux + o->a, t->adj + o->op);
    }
}

/* A handle for what is at `at`, of the shape of the first of k operands that is no scalar. */
BLNI_PRIV bln_var blni_like(bln_tape *t, uint32_t at, size_t k, const bln_var *in)
{
    for (size_t i = 0; i < k; i++) if (blni_size(t, in[i]) != 1) return blni_var(at, in[i].n);
    return blni_var(at, in[0].n);
}

/* ---- arithmetic */

BLNI_PRIV void blni_arithmetic_reverse(bln_tape *t, const blni_cell *c)
{
    const blni_op op = (blni_op)c[-1].a;
    const size_t n = c->a;
    const double *g = t->adj + c->out, *x = blni_values(t, blni_operand_var(c, 0));
    const double *y = blni_values(t, blni_operand_var(c, 1));
    const int of_x = !(blni_operand(c, 0)->op & BLNI_CONSTANT), of_y = !(blni_operand(c, 1)->op & BLNI_CONSTANT);
    double *dx = of_x ? t->adj + blni_operand(c, 0)->op : NULL, *dy = of_y ? t->adj + blni_operand(c, 1)->op : NULL;
    const size_t sx = blni_tape_step(c, 0), sy = blni_tape_step(c, 1);
    if (op == BLNI_OP_DIV) {                                        /* by blocks: g/y, and of y that times -x/y */
        double w[128], u[128];
        for (size_t i = 0; i < n; i += 128) {
            const size_t m = blni_min(128, n - i);
            for (size_t j = 0; j < m; j++) w[j] = g[i + j]/y[(i + j)*sy];
            if (of_x) blni_tape_pull(m, 1.0, w, NULL, 0, dx + i*sx, sx);
            for (size_t j = 0; j < m && of_y; j++) u[j] = t->val[c->out + i + j];
            if (of_y) blni_tape_pull(m, -1.0, w, u, 1, dy + i*sy, sy);
        }
        return;
    }
    const int product = op == BLNI_OP_MUL || op == BLNI_OP_FMA;
    if (of_x) blni_tape_pull(n, op == BLNI_OP_AXPY ? t->aux[c->b] : 1.0, g, product ? y : NULL, sy, dx, sx);
    if (of_y) blni_tape_pull(n, op == BLNI_OP_SUB ? -1.0 : 1.0, g, product ? x : NULL, sx, dy, sy);
    if (op == BLNI_OP_FMA && !(blni_operand(c, 2)->op & BLNI_CONSTANT))
        blni_tape_pull(n, 1.0, g, NULL, 0, t->adj + blni_operand(c, 2)->op, blni_tape_step(c, 2));
}

BLNI_TABLE const blni_node_kind blni_add_kind = { "bln_v_add", blni_arithmetic_reverse };
BLNI_TABLE const blni_node_kind blni_sub_kind = { "bln_v_sub", blni_arithmetic_reverse };
BLNI_TABLE const blni_node_kind blni_mul_kind = { "bln_v_mul", blni_arithmetic_reverse };
BLNI_TABLE const blni_node_kind blni_div_kind = { "bln_v_div", blni_arithmetic_reverse };
BLNI_TABLE const blni_node_kind blni_fma_kind = { "bln_v_fma", blni_arithmetic_reverse };
BLNI_TABLE const blni_node_kind blni_axpy_kind = { "bln_v_axpy", blni_arithmetic_reverse };

/* Of arrays. k: 2, and 3 for x y + z; c: of AXPY. */
BLNI_PRIV bln_var blni_arithmetic(bln_tape *t, const blni_node_kind *kind, blni_op op, size_t k, const bln_var *in, double a)
{
    size_t n;
    if (!blni_tape_broadcast(t, kind->name, k, NULL, in, &n) || !blni_tape_room(t, n, 1, k + 2)) return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = blni_tape_take(t, n);
    const double *x = blni_values(t, in[0]), *y = blni_values(t, in[1]), *z = k > 2 ? blni_values(t, in[2]) : NULL;
    const size_t sx = blni_size(t, in[0]) != 1, sy = blni_size(t, in[1]) != 1, sz = k > 2 && blni_size(t, in[2]) != 1;
    const uint32_t aux = op == BLNI_OP_AXPY ? blni_tape_take_aux(t, 1) : 0;
    double *out = t->val + at;
    if (op == BLNI_OP_AXPY) t->aux[aux] = a;
    switch (op) {
    case BLNI_OP_ADD:  for (size_t i = 0; i < n; i++) out[i] = x[i*sx] + y[i*sy]; break;
    case BLNI_OP_SUB:  for (size_t i = 0; i < n; i++) out[i] = x[i*sx] - y[i*sy]; break;
    case BLNI_OP_MUL:  for (size_t i = 0; i < n; i++) out[i] = x[i*sx]*y[i*sy]; break;
    case BLNI_OP_DIV:  for (size_t i = 0; i < n; i++) out[i] = x[i*sx]/y[i*sy]; break;
    case BLNI_OP_AXPY: for (size_t i = 0; i < n; i++) out[i] = a*x[i*sx] + y[i*sy]; break;
    default:        for (size_t i = 0; i < n; i++) out[i] = x[i*sx]*y[i*sy] + z[i*sz]; break;
    }
    return blni_tape_node(t, kind, k, in, blni_like(t, at, k, in), aux, (uint32_t)op, NULL);
}
/* The same of operands in registers. Not inlined: laying them out in memory would come before the test for scalars. Were it COLD,
 * gcc would make bln_v_add and the others, which end with it, small and slow. */
BLNI_NOINLINE BLNI_PRIV bln_var blni_arithmetic2(bln_tape *t, const blni_node_kind *kind, blni_op op, bln_var x, bln_var y,
                                                 double a)
{
    bln_var in[2] = { x, y };
    return blni_arithmetic(t, kind, op, 2, in, a);
}

BLNI_NOINLINE BLNI_PRIV bln_var blni_arithmetic3(bln_tape *t, bln_var x, bln_var y, bln_var z)
{
    bln_var in[3] = { x, y, z };
    return blni_arithmetic(t, &blni_fma_kind, BLNI_OP_FMA, 3, in, 0.0);
}

/* One cell of scalars, or a node. */
#define BLNI_ARITHMETIC(OP, KIND, SIGN) \
{ \
    if (!blni_scalars(t, x, y)) return blni_arithmetic2(t, &blni_##KIND##_kind, OP, x, y, 0.0); \
    t->val[t->len] = t->val[x.at & BLNI_PLACE] SIGN t->val[y.at & BLNI_PLACE]; \
    return blni_scalar(t, OP, t->len, 0, x.at, y.at); \
}
BLN_API bln_var bln_v_add(bln_tape *t, bln_var x, bln_var y) BLNI_ARITHMETIC(BLNI_OP_ADD, add, +)
BLN_API bln_var bln_v_sub(bln_tape *t, bln_var x, bln_var y) BLNI_ARITHMETIC(BLNI_OP_SUB, sub, -)
BLN_API bln_var bln_v_mul(bln_tape *t, bln_var x, bln_var y) BLNI_ARITHMETIC(BLNI_OP_MUL, mul, *)
BLN_API bln_var bln_v_div(bln_tape *t, bln_var x, bln_var y) BLNI_ARITHMETIC(BLNI_OP_DIV, div, /)

BLN_API bln_var bln_v_fma(bln_tape *t, bln_var x, bln_var y, bln_var z)
{
    const uint32_t place = z.at & BLNI_PLACE;
    if (place >= 1u << 24 || !blni_is_scalar(t, z) || !blni_scalars(t, x, y)) return blni_arithmetic3(t, x, y, z);
    t->val[t->len] = t->val[x.at & BLNI_PLACE]*t->val[y.at & BLNI_PLACE] + t->val[place];
    if (z.at & BLNI_CONSTANT) return blni_scalar(t, BLNI_OP_MUL, t->len, 0, x.at, y.at);
    return blni_scalar(t, BLNI_OP_FMA | place << 8, t->len, 0, x.at & BLNI_PLACE, y.at);
}

BLN_API bln_var bln_v_shift(bln_tape *t, bln_var x, double c)
{
    if (!blni_scalars(t, x, x)) return blni_arithmetic2(t, &blni_add_kind, BLNI_OP_ADD, x, blni_tape_number(t, c), 0.0);
    t->val[t->len] = t->val[x.at & BLNI_PLACE] + c;
    return blni_scalar(t, BLNI_OP_SHIFT, t->len, 0, x.at, x.at);
}

BLN_API bln_var bln_v_scale(bln_tape *t, double c, bln_var x)
{
    if (!blni_scalars(t, x, x)) return blni_arithmetic2(t, &blni_mul_kind, BLNI_OP_MUL, blni_tape_number(t, c), x, 0.0);
    t->val[t->len] = c*t->val[x.at & BLNI_PLACE];
    t->val[t->len + 1] = c;
    return blni_scalar(t, BLNI_OP_LIN1, t->len, 1, x.at, x.at);
}

BLN_API bln_var bln_v_axpy(bln_tape *t, double c, bln_var x, bln_var y)
{
    if (!blni_scalars(t, x, y)) return blni_arithmetic2(t, &blni_axpy_kind, BLNI_OP_AXPY, x, y, c);
    const double *v = t->val;
    double *to = t->val + t->len;
    to[0] = c*v[x.at & BLNI_PLACE] + v[y.at & BLNI_PLACE];
    to[1] = c;
    return blni_scalar(t, BLNI_OP_AXPY, t->len, 1, x.at, y.at);
}

/* ---- functions of one variable */

/* one: the value and its slope; many: the same of n, slope NULL if it is not asked for (NULL: one by one). */
typedef struct blni_function {
    blni_node_kind kind;
    double  (*one)(double x, double *slope);
    void    (*many)(size_t n, const double *x, double *y, double *slope);
} blni_function;

BLNI_PRIV bln_var blni_apply(bln_tape *t, const blni_function *f, bln_var x)
{
    size_t n;
    uint32_t aux = 0;
    double slope;
    if (blni_scalar_room(t) && blni_scalars(t, x, x)) {
        t->val[t->len] = f->one(t->val[x.at & BLNI_PLACE], &slope);
        t->val[t->len + 1] = slope;
        return blni_scalar(t, BLNI_OP_LIN1, t->len, 1, x.at, x.at);
    }
    if (!blni_tape_broadcast(t, f->kind.name, 1, NULL, &x, &n) || !blni_tape_room(t, n, n, 3)) return blni_var(BLNI_CONSTANT, 1);
    const int slopes = t->gradient && !blni_is_constant(x);
    const uint32_t at = blni_tape_take(t, n);
    if (slopes) aux = blni_tape_take_aux(t, n);
    const double *from = blni_values(t, x);
    double *y = t->val + at, *d = slopes ? t->aux + aux : NULL;
    if (f->many && n != 1) f->many(n, from, y, d);
    else for (size_t i = 0; i < n; i++) {
        y[i] = f->one(from[i], &slope);
        if (d) d[i] = slope;
    }
    return blni_tape_node(t, &f->kind, 1, &x, blni_var(at, x.n), 0, 0, &aux);
}

BLNI_PRIV double blni_exp_one(double x, double *d)     { return *d = exp(x); }
BLNI_PRIV double blni_log_one(double x, double *d)     { *d = 1.0/x; return log(x); }
BLNI_PRIV double blni_expm1_one(double x, double *d)   { *d = exp(x); return expm1(x); }
BLNI_PRIV double blni_log1p_one(double x, double *d)   { *d = 1.0/(1.0 + x); return log1p(x); }
BLNI_PRIV double blni_sqrt_one(double x, double *d)    { const double y = sqrt(x); *d = 0.5/y; return y; }
BLNI_PRIV double blni_square_one(double x, double *d)  { *d = 2.0*x; return x*x; }
BLNI_PRIV double blni_inv_one(double x, double *d)     { const double y = 1.0/x; *d = -y*y; return y; }
BLNI_PRIV double blni_sin_one(double x, double *d)     { *d = cos(x); return sin(x); }
BLNI_PRIV double blni_cos_one(double x, double *d)     { *d = -sin(x); return cos(x); }
BLNI_PRIV double blni_abs_one(double x, double *d)     { *d = x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; return fabs(x); }
BLNI_PRIV double blni_sigmoid_one(double x, double *d) { const double y = bln_sigmoid(x); *d = y*bln_sigmoid(-x); return y; }
BLNI_PRIV double blni_logit_one(double x, double *d)   { *d = 1.0/(x*(1.0 - x)); return bln_logit(x); }
BLNI_PRIV double blni_softplus_one(double x, double *d) { *d = bln_sigmoid(x); return bln_log1pexp(x); }
BLNI_PRIV double blni_lgamma_one(double x, double *d)  { *d = bln_digamma(x); return bln_lgamma(x); }
BLNI_PRIV double blni_digamma_one(double x, double *d) { *d = bln_trigamma(x); return bln_digamma(x); }
BLNI_PRIV double blni_cdf_one(double x, double *d)     { *d = bln_norm_pdf(x); return bln_norm_cdf(x); }
BLNI_PRIV double blni_logcdf_one(double x, double *d)  { *d = bln_norm_mills(x); return bln_norm_logcdf(x); }
/* tanh x = sign(x) (1 - e)/(1 + e), e = e^-2|x|, and its slope 4 e/(1 + e)^2, which 1 - tanh^2 would round to 0 from 19 on. */
BLNI_PRIV double blni_tanh_one(double x, double *d)
{
    const double e = exp(-2.0*fabs(x)), y = -expm1(-2.0*fabs(x))/(1.0 + e);
    *d = 4.0*e/((1.0 + e)*(1.0 + e));
    return x < 0.0 ? -y : y;
}

/* As blni_tanh_one, without a function call for each. Below 1/2, where 1 - e cancels, the seventh convergent of
 * x/(1 + x^2/(3 + x^2/(5 + ...))) is off by less than x^14/(13!!^2 15) < 3e-16 of it.                        [DLMF 4.39.1] */
BLNI_PRIV void blni_tanh_many(size_t n, const double *x, double *y, double *d)
{
    for (size_t i = 0; i < n; i++) y[i] = -2.0*fabs(x[i]);
    bln_vec_exp(n, y, y);
    for (size_t i = 0; i < n; i++) {
        const double e = y[i], h = 1.0/(1.0 + e), a = x[i], s = a*a;
        if (d) d[i] = 4.0*e*h*h;
        y[i] = s < 0.25 ? a*(135135.0 + s*(17325.0 + s*(378.0 + s)))/(135135.0 + s*(62370.0 + s*(3150.0 + s*28.0)))
                        : a < 0.0 ? (e - 1.0)*h : (1.0 - e)*h;
    }
}

BLNI_PRIV void blni_exp_many(size_t n, const double *x, double *y, double *d)
{
    bln_vec_exp(n, x, y);
    if (d && n) memcpy(d, y, n*sizeof *d);
}
BLNI_PRIV void blni_log_many(size_t n, const double *x, double *y, double *d)
{
    bln_vec_log(n, x, y);
    for (size_t i = 0; i < n && d; i++) d[i] = 1.0/x[i];
}
/* log(1 + e^x), and the sigmoid e^(x - log(1 + e^x)). */
BLNI_PRIV void blni_softplus_many(size_t n, const double *x, double *y, double *d)
{
    bln_vec_log1pexp(n, x, y);
    for (size_t i = 0; i < n && d; i++) d[i] = x[i] - y[i];
    if (d) bln_vec_exp(n, d, d);
}

/* The table of a function, and its application to x. */
#define BLNI_APPLY(NAME, ONE, MANY) \
{ \
    static const blni_function f = { { "bln_v_" #NAME, blni_elements_reverse }, ONE, MANY }; \
    return blni_apply(t, &f, x); \
}
BLN_API bln_var bln_v_exp(bln_tape *t, bln_var x)         BLNI_APPLY(exp, blni_exp_one, blni_exp_many)
BLN_API bln_var bln_v_log(bln_tape *t, bln_var x)         BLNI_APPLY(log, blni_log_one, blni_log_many)
BLN_API bln_var bln_v_expm1(bln_tape *t, bln_var x)       BLNI_APPLY(expm1, blni_expm1_one, NULL)
BLN_API bln_var bln_v_log1p(bln_tape *t, bln_var x)       BLNI_APPLY(log1p, blni_log1p_one, NULL)
BLN_API bln_var bln_v_sqrt(bln_tape *t, bln_var x)        BLNI_APPLY(sqrt, blni_sqrt_one, NULL)
BLN_API bln_var bln_v_square(bln_tape *t, bln_var x)      BLNI_APPLY(square, blni_square_one, NULL)
BLN_API bln_var bln_v_inv(bln_tape *t, bln_var x)         BLNI_APPLY(inv, blni_inv_one, NULL)
BLN_API bln_var bln_v_sin(bln_tape *t, bln_var x)         BLNI_APPLY(sin, blni_sin_one, NULL)
BLN_API bln_var bln_v_cos(bln_tape *t, bln_var x)         BLNI_APPLY(cos, blni_cos_one, NULL)
BLN_API bln_var bln_v_tanh(bln_tape *t, bln_var x)        BLNI_APPLY(tanh, blni_tanh_one, blni_tanh_many)
BLN_API bln_var bln_v_abs(bln_tape *t, bln_var x)         BLNI_APPLY(abs, blni_abs_one, NULL)
BLN_API bln_var bln_v_sigmoid(bln_tape *t, bln_var x)     BLNI_APPLY(sigmoid, blni_sigmoid_one, NULL)
BLN_API bln_var bln_v_logit(bln_tape *t, bln_var x)       BLNI_APPLY(logit, blni_logit_one, NULL)
BLN_API bln_var bln_v_softplus(bln_tape *t, bln_var x)    BLNI_APPLY(softplus, blni_softplus_one, blni_softplus_many)
BLN_API bln_var bln_v_lgamma(bln_tape *t, bln_var x)      BLNI_APPLY(lgamma, blni_lgamma_one, NULL)
BLN_API bln_var bln_v_digamma(bln_tape *t, bln_var x)     BLNI_APPLY(digamma, blni_digamma_one, NULL)
BLN_API bln_var bln_v_norm_cdf(bln_tape *t, bln_var x)    BLNI_APPLY(norm_cdf, blni_cdf_one, NULL)
BLN_API bln_var bln_v_norm_logcdf(bln_tape *t, bln_var x) BLNI_APPLY(norm_logcdf, blni_logcdf_one, NULL)

/* ---- functions of two variables */

typedef struct blni_function2 { blni_node_kind kind; double (*one)(double x, double y, double *dx, double *dy); } blni_function2;

BLNI_PRIV bln_var blni_apply2(bln_tape *t, const blni_function2 *f, bln_var x, bln_var y)
{
    size_t n;
    uint32_t aux[2] = { 0, 0 };
    bln_var in[2];
    double dx, dy;
    if (blni_scalar_room(t) && blni_scalars(t, x, y)) {
        double *v = t->val + t->len;
        v[0] = f->one(t->val[x.at & BLNI_PLACE], t->val[y.at & BLNI_PLACE], &dx, &dy);
        v[1] = blni_is_constant(x) ? 0.0 : dx;                   /* what is infinite there is never asked for */
        v[2] = blni_is_constant(y) ? 0.0 : dy;
        return blni_scalar(t, BLNI_OP_LIN2, t->len, 2, x.at, y.at);
    }
    in[0] = x;
    in[1] = y;
    if (!blni_tape_broadcast(t, f->kind.name, 2, NULL, in, &n) || !blni_tape_room(t, n, blni_mul(2, n), 4))
        return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = blni_tape_take(t, n);
    for (size_t k = 0; k < 2; k++) if (t->gradient && !blni_is_constant(in[k])) aux[k] = blni_tape_take_aux(t, n);
    const double *a = blni_values(t, x), *b = blni_values(t, y);
    const size_t sx = blni_size(t, x) != 1, sy = blni_size(t, y) != 1;
    for (size_t i = 0; i < n; i++) {
        t->val[at + i] = f->one(a[i*sx], b[i*sy], &dx, &dy);
        if (t->gradient && !blni_is_constant(x)) t->aux[aux[0] + i] = dx;
        if (t->gradient && !blni_is_constant(y)) t->aux[aux[1] + i] = dy;
    }
    return blni_tape_node(t, &f->kind, 2, in, blni_like(t, at, 2, in), 0, 0, aux);
}

BLNI_PRIV double blni_pow_one(double x, double y, double *dx, double *dy)
{
    const double p = pow(x, y);
    *dx = y == 0.0 ? 0.0 : y*pow(x, y - 1.0);
    *dy = p == 0.0 ? 0.0 : p*log(x);
    return p;
}
BLNI_PRIV double blni_max_one(double x, double y, double *dx, double *dy)
{
    *dx = x >= y;
    *dy = 1.0 - *dx;
    return x >= y || x != x ? x : y;
}
BLNI_PRIV double blni_min_one(double x, double y, double *dx, double *dy)
{
    *dx = x <= y;
    *dy = 1.0 - *dx;
    return x <= y || x != x ? x : y;
}
BLNI_PRIV double blni_log_add_exp_one(double x, double y, double *dx, double *dy)
{
    const double d = x - y;
    *dx = bln_sigmoid(d);
    *dy = bln_sigmoid(-d);
    if (x == y) { *dx = *dy = 0.5; return x + 0.69314718055994530942; }       /* infinities, which have no difference */
    return d > 0.0 ? x + bln_log1pexp(-d) : y + bln_log1pexp(d);
}

#define BLNI_APPLY2(NAME, ONE) \
{ \
    static const blni_function2 f = { { "bln_v_" #NAME, blni_elements_reverse }, ONE }; \
    return blni_apply2(t, &f, x, y); \
}
BLN_API bln_var bln_v_pow(bln_tape *t, bln_var x, bln_var y) BLNI_APPLY2(pow, blni_pow_one)
BLN_API bln_var bln_v_max(bln_tape *t, bln_var x, bln_var y) BLNI_APPLY2(max, blni_max_one)
BLN_API bln_var bln_v_min(bln_tape *t, bln_var x, bln_var y) BLNI_APPLY2(min, blni_min_one)
BLN_API bln_var bln_v_log_add_exp(bln_tape *t, bln_var x, bln_var y) BLNI_APPLY2(log_add_exp, blni_log_add_exp_one)

/* ---- to one number */

BLNI_PRIV void blni_total_reverse(bln_tape *t, const blni_cell *c)
{
    const blni_cell *o = blni_operand(c, 0);
    const double g = t->adj[c->out];
    for (size_t i = 0; i < o->out; i++) t->adj[o->op + i] += g;
}
BLNI_TABLE const blni_node_kind blni_total_kind = { "bln_v_sum", blni_total_reverse };

BLN_API bln_var bln_v_sum(bln_tape *t, bln_var x)
{
    if (!blni_tape_ready(t, "bln_v_sum", 1, &x) || !blni_tape_room(t, 1, 0, 3)) return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = blni_tape_take(t, 1);
    t->val[at] = blni_tape_sum(blni_size(t, x), blni_values(t, x));
    return blni_tape_node(t, &blni_total_kind, 1, &x, blni_var(at, 1), 0, 0, NULL);
}

BLN_API void bln_lp_add(bln_tape *t, bln_var x)
{
    if (!blni_tape_ready(t, "bln_lp_add", 1, &x) || !blni_tape_room(t, 0, 0, 3)) return;
    const size_t n = blni_size(t, x);
    const double *v = blni_values(t, x);
    blni_tape_keep_rows(t, n, v);
    t->target[t->term] += blni_tape_sum(n, v);
    blni_tape_node(t, &blni_total_kind, 1, &x, blni_var(1 + t->term, 1), 0, 0, NULL);
}

BLNI_PRIV void blni_dot_reverse(bln_tape *t, const blni_cell *c)
{
    const double g = t->adj[c->out];
    for (size_t i = 0; i < 2; i++) {
        const blni_cell *o = blni_operand(c, i);
        if (!(o->op & BLNI_CONSTANT)) bln_axpy(o->out, g, blni_values(t, blni_operand_var(c, 1 - i)), t->adj + o->op);
    }
}
BLNI_TABLE const blni_node_kind blni_dot_kind = { "bln_v_dot", blni_dot_reverse };

BLN_API bln_var bln_v_dot(bln_tape *t, bln_var x, bln_var y)
{
    size_t n;
    bln_var in[2] = { x, y };
    if (!blni_tape_broadcast(t, "bln_v_dot", 2, NULL, in, &n) || !blni_tape_room(t, 1, 0, 4)) return blni_var(BLNI_CONSTANT, 1);
    if (blni_size(t, x) != blni_size(t, y)) return blni_tape_fail(t, BLN_ESHAPE, "bln_v_dot", "a scalar with an array");
    const uint32_t at = blni_tape_take(t, 1);
    t->val[at] = bln_dot(n, blni_values(t, x), blni_values(t, y));
    return blni_tape_node(t, &blni_dot_kind, 2, in, blni_var(at, 1), 0, 0, NULL);
}

BLNI_TABLE const blni_node_kind blni_logsumexp_kind = { "bln_v_logsumexp", blni_sum_reverse };

BLN_API bln_var bln_v_logsumexp(bln_tape *t, bln_var x)
{
    if (!blni_tape_ready(t, "bln_v_logsumexp", 1, &x)) return blni_var(BLNI_CONSTANT, 1);
    const size_t n = blni_size(t, x);
    if (!blni_tape_room(t, 1, n, 3)) return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = blni_tape_take(t, 1), aux = blni_tape_take_aux(t, n);
    const double *v = blni_values(t, x), total = bln_logsumexp(n, v);
    for (size_t i = 0; i < n; i++) t->aux[aux + i] = v[i] == total ? 0.0 : v[i] - total;      /* infinities have no difference */
    bln_vec_exp(n, t->aux + aux, t->aux + aux);
    t->val[at] = total;
    return blni_tape_node(t, &blni_logsumexp_kind, 1, &x, blni_var(at, 1), 0, 0, &aux);
}

/* ---- parts, and arrays from arrays */

BLNI_PRIV void blni_cumsum_reverse(bln_tape *t, const blni_cell *c)
{
    double g = 0.0;
    for (size_t i = c->a; i-- > 0;) t->adj[blni_operand(c, 0)->op + i] += g += t->adj[c->out + i];
}
BLNI_TABLE const blni_node_kind blni_cumsum_kind = { "bln_v_cumsum", blni_cumsum_reverse };

BLN_API bln_var bln_v_cumsum(bln_tape *t, bln_var x)
{
    size_t n;
    double total = 0.0;
    if (!blni_tape_broadcast(t, "bln_v_cumsum", 1, NULL, &x, &n) || !blni_tape_room(t, n, 0, 3)) return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = blni_tape_take(t, n);
    const double *v = blni_values(t, x);
    for (size_t i = 0; i < n; i++) t->val[at + i] = total += v[i];
    return blni_tape_node(t, &blni_cumsum_kind, 1, &x, blni_var(at, x.n), 0, 0, NULL);
}

/* n numbers of x from the i-th on, as a vector. */
BLNI_PRIV bln_var blni_tape_part(bln_tape *t, const char *call, bln_var x, size_t i, size_t n)
{
    if (!blni_tape_ready(t, call, 1, &x)) return blni_var(BLNI_CONSTANT, 1);
    const size_t all = blni_size(t, x);
    if (n > all || i > all - n) {
        blni_tape_fail(t, BLN_ESHAPE, call, "no elements from ");
        blni_tape_say_size(t, i);
        blni_tape_say_with(t, " to ", blni_add(i, n) - 1);
        blni_tape_say_with(t, " of ", all);
        return blni_var(BLNI_CONSTANT, 1);
    }
    const double *from = blni_values(t, x) + i;
    if (x.at & BLNI_OUTSIDE) return n == 1 ? blni_tape_number(t, *from) : blni_tape_outside(t, call, from, n, 1);
    return blni_var(x.at + (uint32_t)i, (uint32_t)n);
}

BLN_API bln_var bln_v_elem(bln_tape *t, bln_var x, size_t i)
{
    if (i >= x.n || x.n & BLNI_MATRIX || x.at & BLNI_OUTSIDE || (x.at & BLNI_PLACE) + (uint64_t)x.n > t->len)
        return blni_tape_part(t, "bln_v_elem", x, i, 1);         /* the slow way, which says what is wrong */
    t->calls++;
    return blni_var(x.at + (uint32_t)i, 1);
}
BLN_API bln_var bln_v_slice(bln_tape *t, bln_var x, size_t i, size_t n) { return blni_tape_part(t, "bln_v_slice", x, i, n); }
BLN_API bln_var bln_v_row(bln_tape *t, bln_var x, size_t i)
{
    if (t->status != BLN_OK || !blni_tape_known(t, x)) return blni_tape_part(t, "bln_v_row", x, i, 1);
    const size_t cols = blni_cols(t, x);
    return blni_tape_part(t, "bln_v_row", x, blni_mul(i, cols), cols);
}

BLN_API bln_var bln_v_reshape(bln_tape *t, bln_var x, size_t rows, size_t cols)
{
    if (!blni_tape_ready(t, "bln_v_reshape", 1, &x)) return blni_var(BLNI_CONSTANT, 1);
    if (blni_mul(rows, cols) != blni_size(t, x)) return blni_tape_fail(t, BLN_ESHAPE, "bln_v_reshape",
                                                                       "another number of elements");
    return cols == 1 ? blni_var(x.at, (uint32_t)rows) : blni_tape_matrix(t, x.at, rows, cols);
}

/* A pointer to the index stands in aux. Additions to one element wait for each other: rows of four places are added in turn. */
BLNI_PRIV void blni_gather_reverse(bln_tape *t, const blni_cell *c)
{
    const size_t n = c->a, quarter = n/4;
    const uint32_t *index;
    const double *g = t->adj + c->out;
    double *to = t->adj + blni_operand(c, 0)->op;
    memcpy(&index, t->aux + c->b, sizeof index);
    for (size_t i = 0; i < quarter; i++)
        for (size_t k = 0; k < 4; k++) to[index[k*quarter + i]] += g[k*quarter + i];
    for (size_t i = 4*quarter; i < n; i++) to[index[i]] += g[i];
}
BLNI_TABLE const blni_node_kind blni_gather_kind = { "bln_v_gather", blni_gather_reverse };

BLN_API bln_var bln_v_gather(bln_tape *t, bln_var x, const uint32_t *index, size_t n)
{
    if (!blni_tape_ready(t, "bln_v_gather", 1, &x) || !blni_tape_room(t, n, 1, 3)) return blni_var(BLNI_CONSTANT, 1);
    if (!index && n) return blni_tape_fail(t, BLN_EINVAL, "bln_v_gather", "NULL");
    const size_t all = blni_size(t, x);
    const double *from = blni_values(t, x);
    double *to = t->val + t->len;
    for (size_t i = 0; i < n; i++) {
        if (index[i] >= all) {
            blni_tape_fail(t, BLN_ESHAPE, "bln_v_gather", "index ");
            blni_tape_say_size(t, i);
            blni_tape_say_with(t, " is ", index[i]);
            blni_tape_say_with(t, ", x has ", all);
            return blni_var(BLNI_CONSTANT, 1);
        }
        to[i] = from[index[i]];
    }
    const uint32_t at = blni_tape_take(t, n), aux = blni_tape_take_aux(t, 1);
    memcpy(t->aux + aux, &index, sizeof index);
    return blni_tape_node(t, &blni_gather_kind, 1, &x, blni_var(at, (uint32_t)n), aux, 0, NULL);
}

BLNI_PRIV void blni_concat_reverse(bln_tape *t, const blni_cell *c)
{
    const size_t k = (c->op >> 8) - 1;
    const double *g = t->adj + c->out;
    for (size_t i = 0; i < k; i++) {
        const blni_cell *o = blni_operand(c, i);
        if (!(o->op & BLNI_CONSTANT)) bln_axpy(o->out, 1.0, g, t->adj + o->op);
        g += o->out;
    }
}
BLNI_TABLE const blni_node_kind blni_concat_kind = { "bln_v_concat", blni_concat_reverse };

BLN_API bln_var bln_v_concat(bln_tape *t, const bln_var *x, size_t n)
{
    size_t all = 0;
    if (!x && n) return blni_tape_fail(t, BLN_EINVAL, "bln_v_concat", "NULL");
    if (n >> 22) return blni_tape_fail(t, BLN_EOVERFLOW, "bln_v_concat", "too many arrays");
    if (!blni_tape_ready(t, "bln_v_concat", n, x)) return blni_var(BLNI_CONSTANT, 1);
    for (size_t i = 0; i < n; i++) all = blni_add(all, blni_size(t, x[i]));
    if (!blni_tape_room(t, all, 0, n + 2)) return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = t->len;
    for (size_t i = 0; i < n; i++) {
        const size_t m = blni_size(t, x[i]);
        if (m) memcpy(t->val + t->len, blni_values(t, x[i]), m*sizeof(double));
        blni_tape_take(t, m);
    }
    return blni_tape_node(t, &blni_concat_kind, n, x, blni_var(at, (uint32_t)all), 0, 0, NULL);
}
