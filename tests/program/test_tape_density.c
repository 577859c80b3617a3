/* test_tape_density: values and slopes against 50 digits; arrays against one number at a time, constants in each place; errors */
#include "../test.h"
#include "../golden/program_golden.h"
#include "tape_tools.h"

enum { LP_N = sizeof golden_density_names/sizeof *golden_density_names,
      LP_GOLDEN = sizeof golden_densities/sizeof *golden_densities,
       LP_MOST = 4*600 };

/* Density `which` of the golden table. elements: bln_v_lpdfs of it. */
static bln_var lp_call(bln_tape *t, int which, const bln_var *x, int elements)
{
    static void (*const one[])(bln_tape *, bln_var) = { bln_lp_std_normal };
    static void (*const two[])(bln_tape *, bln_var, bln_var) = {
        bln_lp_half_normal, bln_lp_half_cauchy, bln_lp_exponential, bln_lp_bernoulli_logit, bln_lp_poisson_log };
    static void (*const three[])(bln_tape *, bln_var, bln_var, bln_var) = {
        bln_lp_normal, bln_lp_cauchy, bln_lp_laplace, bln_lp_logistic, bln_lp_half_student_t, bln_lp_gamma, bln_lp_inv_gamma,
        bln_lp_lognormal, bln_lp_beta, bln_lp_uniform, bln_lp_binomial_logit, bln_lp_neg_binomial_log };
    static const struct { int k, at; } place[LP_N] = {
        { 3, 0 }, { 1, 0 }, { 4, 0 }, { 3, 1 }, { 3, 2 }, { 3, 3 }, { 2, 0 }, { 3, 4 }, { 2, 1 }, { 2, 2 }, { 3, 5 }, { 3, 6 },
        { 3, 7 }, { 3, 8 }, { 3, 9 }, { 2, 3 }, { 3, 10 }, { 2, 4 }, { 3, 11 } };
    const int at = place[which].at;
    bln_var none = x[0];
    if (!elements) switch (place[which].k) {
    case 1: one[at](t, x[0]); return none;
    case 2: two[at](t, x[0], x[1]); return none;
    case 3: three[at](t, x[0], x[1], x[2]); return none;
    default: bln_lp_student_t(t, x[0], x[1], x[2], x[3]); return none;
    }
    switch (place[which].k) {
    case 1: return bln_v_lpdf1(t, one[at], x[0]);
    case 2: return bln_v_lpdf2(t, two[at], x[0], x[1]);
    case 3: return bln_v_lpdf3(t, three[at], x[0], x[1], x[2]);
    default: return none;
    }
}

/* A row of the golden table, or arrays of arguments: argument j has size[j] numbers at x[j]; bit j of constants: it is one. */
typedef struct lp_case { int which, k, discrete, constants, elements, single; size_t n, size[4]; const double *x[4]; } lp_case;

/* p[0] has all arguments that are no constants, one behind the other, and one number more. */
static bln_status lp_model(bln_tape *t, const bln_var *p, void *user)
{
    const lp_case *c = (const lp_case *)user;
    bln_var in[4];
    size_t at = 0;
    bln_lp_add(t, bln_v_scale(t, 0.0, bln_v_elem(t, p[0], 0)));              /* what no term reads is refused */
    for (int j = 0; j < c->k; j++) {
        const int constant = j < c->discrete || c->constants >> j & 1;
        in[j] = constant ? bln_c_vec(t, c->x[j], c->size[j]) : bln_v_slice(t, p[0], at, c->size[j]);
        if (!constant) at += c->size[j];
    }
    if (c->elements) bln_lp_add(t, lp_call(t, c->which, in, 1));
    else if (!c->single) lp_call(t, c->which, in, 0);
    else for (size_t i = 0; i < c->n; i++) {
        bln_var each[4];
        for (int j = 0; j < c->k; j++) each[j] = c->size[j] == 1 ? in[j] : bln_v_elem(t, in[j], i);
        lp_call(t, c->which, each, 0);
    }
    return BLN_OK;
}

/* Relative to what the sum is made of: log densities of 1 to some 1000, whose parts may be ten times that. */
TEST(tape_density, golden)
{
    for (size_t i = 0; i < LP_GOLDEN; i++) {
        lp_case c;
        double q[5] = { 0.0, 0.0, 0.0, 0.0, 0.0 }, value, gradient[5];
        size_t at = 0;
        memset(&c, 0, sizeof c);
        c.which = golden_densities[i].density;
        c.k = golden_densities[i].k;
        c.discrete = golden_densities[i].discrete;
        for (int j = 0; j < c.k; j++) {
            c.x[j] = golden_densities[i].x + j;
            c.size[j] = 1;
            if (j >= c.discrete) q[at++] = golden_densities[i].x[j];
        }
        for (c.elements = 0; c.elements < (c.k < 4 ? 2 : 1); c.elements++) {
            CHECK_OK(tape_eval(lp_model, &c, at + 1, q, &value, gradient));
            CHECK_GOLD(value, golden_densities[i].value, 1e-13);
            for (int j = c.discrete; j < c.k; j++)
                CHECK_GOLD(gradient[j - c.discrete], golden_densities[i].slope[j], 1e-13);
            CHECK(gradient[at] == 0.0);
        }
    }
}

/* Numbers in the domain of argument j of this density. */
static double lp_argument(test_random *r, int which, int j)
{
    const char *name = golden_density_names[which];
    const double u = test_uniform(r);
    if (!strcmp(name, "uniform")) return j == 0 ? u : j == 1 ? -1.0 - u : 1.5 + u;
    if (!strcmp(name, "bernoulli_logit") && j == 0) return u < 0.5;
    if (!strcmp(name, "binomial_logit") && j < 2) return j ? 5.0 + floor(4.0*u) : floor(5.0*u);
    if ((!strcmp(name, "poisson_log") || !strcmp(name, "neg_binomial_log")) && j == 0) return floor(9.0*u);
    if (!strcmp(name, "beta") && j == 0) return 0.05 + 0.9*u;
    return 0.2 + 2.0*u;                                          /* > 0: fine for all others */
}

static double lp_data[4][600];

/* One call for arrays is the sum of calls for each element; all combinations of scalars and constants. Sums in another order: an
 * ulp of the largest partial sum for each term. */
TEST(tape_density, arrays)
{
    static const size_t sizes[] = { 0, 1, 3, 4, 5, 17, 128, 129, 600 };
    for (int which = 0; which < LP_N; which++) {
        int k = 0, discrete = 0;
        for (size_t i = 0; i < LP_GOLDEN; i++)
            if (golden_densities[i].density == which) { k = golden_densities[i].k; discrete = golden_densities[i].discrete; }
        for (size_t s = 0; s < sizeof sizes/sizeof *sizes; s++)
            for (int scalars = 0; scalars < 1 << k; scalars++)
                for (int constants = 0; constants < 1 << k; constants++) {
                    lp_case c;
                    test_random r = test_random_new((uint64_t)which);
                    double q[LP_MOST + 1], value[3], gradient[3][LP_MOST + 1];
                    size_t dim = 0;
                    if (constants & ((1 << discrete) - 1)) continue;         /* they are constants anyway */
                    if (sizes[s] > 17 && (scalars*5 + constants) % 3) continue;
                    memset(&c, 0, sizeof c);
                    c.which = which;
                    c.k = k;
                    c.discrete = discrete;
                    c.constants = constants;
                    c.n = sizes[s];
                    if (scalars == (1 << k) - 1) c.n = 1;
                    for (int j = 0; j < k; j++) {
                        c.size[j] = scalars >> j & 1 ? 1 : c.n;
                        c.x[j] = lp_data[j];
                        for (size_t i = 0; i < c.size[j]; i++) lp_data[j][i] = lp_argument(&r, which, j);
                        if (j >= discrete && !(constants >> j & 1))
                            for (size_t i = 0; i < c.size[j]; i++) q[dim++] = lp_data[j][i];
                    }
                    q[dim++] = 0.0;
                    for (int way = 0; way < (k < 4 ? 3 : 2); way++) {
                        c.single = way == 0;
                        c.elements = way == 2;
                        CHECK_OK(tape_eval(lp_model, &c, dim, q, value + way, gradient[way]));
                        CHECK_NEAR(value[way], value[0], 1e-14*(1.0 + fabs(value[0]))*(1.0 + (double)c.n));
                        for (size_t i = 0; i < dim; i++)
                            CHECK_NEAR(gradient[way][i], gradient[0][i], 1e-13*(1.0 + fabs(gradient[0][i]))*(1.0 + (double)c.n));
                    }
                }
    }
}

/* Sds whose product leaves the doubles, and some whose square does, beside one density for each. */
TEST(tape_density, far_scales)
{
    static const double x[2][5] = { { 0.5, 0.25, -1.0, 0.25, 0.75 }, { 0.25, 0.25, 0.25, 0.25, 0.25 } }, sd[5][5] = {
        { 1e-80, 3e-80, 1e-80, 2e-80, 1e-60 }, { 1e90, 2e90, 1e90, 3e90, 2.0 }, { 1.0, 1e-110, 1e100, 1e-100, 2.0 },
        { 1.0, 1e110, 1.0, 3.0, 2.0 }, { 1e-80, 3e-80, 1e-80, 2e-80, 1e90 } };           /* the last: down and up again */
    for (int k = 0; k < 5; k++)
        for (int variable = 0; variable < 2; variable++) {
            lp_case c;
            double q[7] = { 0.25 }, value[2], gradient[2][7];
            const size_t dim = variable ? 7 : 2;
            memset(&c, 0, sizeof c);
            c.k = 3;
            c.n = 5;
            c.x[0] = x[k == 4];
            c.x[2] = sd[k];
            c.size[0] = c.size[2] = 5;
            c.size[1] = 1;
            c.constants = variable ? 1 : 5;
            for (size_t i = 0; i < 5 && variable; i++) q[1 + i] = sd[k][i];
            for (c.single = 0; c.single < 2; c.single++)
                CHECK_OK(tape_eval(lp_model, &c, dim, q, value + c.single, gradient[c.single]));
            CHECK_REL(value[0], value[1], 1e-14);
            for (size_t i = 0; i + 1 < dim; i++) CHECK_REL(gradient[0][i], gradient[1][i], 1e-14);
        }
}

/* The first normal of a tape may have a scale that is none. */
TEST(tape_density, scales_that_are_none)
{
    const double scales[] = { 0.0, -0.0, -1.0, NAN };
    for (int before = 0; before < 2; before++)
        for (size_t i = 0; i < 4; i++) {
            bln_tape t;
            memset(&t, 0, sizeof t);
            blni_tape_reset(&t, 1);
            const uint32_t at = blni_tape_take(&t, 2);
            t.val[at] = scales[i];
            t.val[at + 1] = 2.0;
            if (before) bln_lp_normal(&t, bln_c_num(&t, 3.0), bln_c_num(&t, 1.0), blni_var(at + 1, 1));
            CHECK_OK(t.status);
            bln_lp_normal(&t, bln_c_num(&t, 3.0), bln_c_num(&t, 1.0), blni_var(at, 1));
            CHECK_STATUS(t.status, BLN_EDOMAIN);
            blni_tape_release(&t);
        }
}

/* After the first evaluation constants are no longer looked at. What may have changed then has density 0, or is refused by the slow
 * way; and the peak of the Laplace density has slope 0. */
TEST(tape_density, unlooked_at)
{
    static const double two[2] = { 0.5, 1.5 };
    for (int k = 0; k < 8; k++) {
        bln_tape t;
        memset(&t, 0, sizeof t);
        blni_tape_reset(&t, 1);
        const uint32_t at = blni_tape_take(&t, 2);
        t.val[at] = 1.0;
        t.val[at + 1] = k == 1 ? -1.0 : 2.0;
        const bln_var one = blni_var(at, 1), other = blni_var(at + 1, 1), three = bln_c_num(&t, 3.0), zero = bln_c_num(&t, 0.0);
        if (k == 0) bln_lp_bernoulli_logit(&t, one, other);
        if (k == 1) bln_lp_normal(&t, bln_c_vec(&t, two, 2), zero, other);
        if (k == 2) bln_lp_binomial_logit(&t, three, bln_c_num(&t, 2.0), other);
        if (k == 3) bln_lp_uniform(&t, zero, one, other);                     /* below, no width, above */
        if (k == 4) bln_lp_uniform(&t, one, one, one);
        if (k == 5) bln_lp_uniform(&t, three, one, other);
        if (k == 6) bln_lp_laplace(&t, one, one, other);
        if (k == 7) {
            t.val_room = t.len;
            test_fault.calls = test_fault.at = 0;
            bln_lp_normal(&t, three, zero, other);
            test_fault.at = (size_t)-1;
        }
        CHECK_STATUS(t.status, k == 0 ? BLN_EINVAL : k == 1 ? BLN_EDOMAIN : k == 7 ? BLN_ENOMEM : BLN_OK);
        if (k == 0) CHECK_TEXT(t.report.text, "y is discrete, and must be a constant");
        if (k == 1) CHECK_TEXT(t.report.text, "sd must be > 0, element 0 is -1");
        if (k > 1 && k < 6) CHECK(t.target[BLNI_TERM_PRIOR] == -HUGE_VAL);
        if (k == 6) {
            CHECK_REL(t.target[BLNI_TERM_PRIOR], -log(4.0), 1e-15);
            blni_tape_sweep(&t, 0, 0, NULL);
            CHECK(t.adj[at] == 0.0 && t.adj[at + 1] == -0.5);
        }
        blni_tape_release(&t);
    }
}

/* ---- classes and the Dirichlet distribution: against their definitions in scalars */

typedef struct lp_classes { size_t n, K; const double *y; int shared, scalar; } lp_classes;

static bln_status lp_categorical(bln_tape *t, const bln_var *p, void *user)
{
    const lp_classes *c = (const lp_classes *)user;
    const bln_var f = c->shared ? p[0] : bln_v_reshape(t, p[0], c->n, c->K);
    if (!c->scalar) { bln_lp_categorical_logit(t, bln_c_vec(t, c->y, c->n), f); return BLN_OK; }
    for (size_t i = 0; i < c->n; i++) {
        const bln_var row = c->shared ? f : bln_v_row(t, f, i);
        bln_lp_add(t, bln_v_sub(t, bln_v_elem(t, row, (size_t)c->y[i]), bln_v_logsumexp(t, row)));
    }
    return BLN_OK;
}

static bln_status lp_dirichlet(bln_tape *t, const bln_var *p, void *user)
{
    const lp_classes *c = (const lp_classes *)user;
    const bln_var x = bln_v_slice(t, p[0], 0, c->K), a = c->shared ? bln_v_elem(t, p[0], c->K) : bln_v_slice(t, p[0], c->K, c->K);
    if (!c->scalar) { bln_lp_dirichlet(t, x, a); return BLN_OK; }
    bln_var sum = c->shared ? bln_v_scale(t, (double)c->K, a) : bln_v_sum(t, a);
    bln_lp_add(t, bln_v_lgamma(t, sum));
    for (size_t k = 0; k < c->K; k++) {
        const bln_var ak = c->shared ? a : bln_v_elem(t, a, k);
        bln_lp_add(t, bln_v_sub(t, bln_v_mul(t, bln_v_shift(t, ak, -1.0), bln_v_log(t, bln_v_elem(t, x, k))), bln_v_lgamma(t, ak)));
    }
    return BLN_OK;
}

TEST(tape_density, several)
{
    static const double y[6] = { 0, 2, 1, 2, 2, 0 };
    for (int shared = 0; shared < 2; shared++)
        for (int which = 0; which < 2; which++) {
            lp_classes c = { 6, 3, y, 0, 0 };
            double q[18], value[2], gradient[2][18];
            test_random r = test_random_new(4);
            c.shared = shared;
            const size_t dim = which ? (shared ? 4 : 6) : shared ? 3 : 18;
            for (size_t i = 0; i < dim; i++) q[i] = 0.2 + test_uniform(&r);
            for (c.scalar = 0; c.scalar < 2; c.scalar++)
                CHECK_OK(tape_eval(which ? lp_dirichlet : lp_categorical, &c, dim, q, value + c.scalar, gradient[c.scalar]));
            CHECK_GOLD(value[0], value[1], 1e-14);
            for (size_t i = 0; i < dim; i++) CHECK_GOLD(gradient[0][i], gradient[1][i], 1e-13);
        }
}

/* ---- a mixture of two normals, labels summed out */

static const double lp_mixed[5] = { -2.0, 0.3, 1.7, 4.0, -0.6 };

static bln_status lp_mixture(bln_tape *t, const bln_var *p, void *user)
{
    const bln_var w = bln_v_elem(t, p[0], 0), x = bln_c_vec(t, lp_mixed, 5);
    const bln_var a = bln_v_lpdf3(t, bln_lp_normal, x, bln_v_elem(t, p[0], 1), bln_c_num(t, 1.0));
    const bln_var b = bln_v_lpdf3(t, bln_lp_normal, x, bln_v_elem(t, p[0], 2), bln_v_exp(t, bln_v_elem(t, p[0], 3)));
    (void)user;
    bln_lp_add(t, bln_v_log_add_exp(t, bln_v_add(t, bln_v_log(t, w), a), bln_v_add(t, bln_v_log1p(t, bln_v_scale(t, -1.0, w)), b)));
    return BLN_OK;
}

TEST(tape_density, mixtures)
{
    const double q[4] = { 0.3, 0.4, -1.2, 0.2 };
    double value, gradient[4], want = 0.0;
    for (int i = 0; i < 5; i++)
        want += log(0.3*bln_norm_pdf(lp_mixed[i] - 0.4) + 0.7*bln_norm_pdf((lp_mixed[i] + 1.2)/exp(0.2))/exp(0.2));
    CHECK_OK(tape_eval(lp_mixture, NULL, 4, q, &value, gradient));
    CHECK_REL(value, want, 1e-14);
    CHECK_LE(tape_worst(lp_mixture, NULL, 4, q), 1e-7);          /* w comes near to 0 and 1 there */
}

/* ---- errors */

static bln_status lp_wrong(bln_tape *t, const bln_var *p, void *user)
{
    static const double y[3] = { 0.0, 1.0, 0.5 }, counts[3] = { 3.0, 1.0, 9.0 }, few[3] = { 3.0, 1.0, 8.0 },
        bad[3] = { 1.0, 2.0, -3.0 }, parts[3] = { 0.5, 0.0, 1.0 }, whole[3] = { 1.0, -1.0, 1.5 };
    const int which = *(const int *)user;
    const bln_var x = p[0], one = bln_c_num(t, 1.0);
    bln_var twice[2];
    twice[0] = twice[1] = x;
    if (which == 0) bln_lp_normal(t, x, bln_v_slice(t, x, 0, 2), one);
    if (which == 1) bln_lp_bernoulli_logit(t, bln_c_vec(t, y, 3), x);
    if (which == 2) bln_lp_bernoulli_logit(t, x, x);
    if (which == 3) bln_lp_binomial_logit(t, bln_c_vec(t, counts, 3), bln_c_vec(t, few, 3), x);
    if (which == 4) bln_lp_normal(t, x, one, bln_c_vec(t, bad, 3));
    if (which == 5) bln_lp_categorical_logit(t, bln_c_vec(t, counts, 3), bln_v_reshape(t, bln_v_concat(t, twice, 2), 2, 3));
    if (which == 6) bln_lp_categorical_logit(t, bln_c_vec(t, counts, 3), x);
    if (which == 7) bln_lp_normal(t, x, one, bln_c_num(t, -1.0));
    if (which == 8) bln_lp_exponential(t, bln_c_vec(t, bad, 3), one);
    if (which == 10) bln_lp_add(t, bln_v_lpdf2(t, bln_lp_dirichlet, bln_v_exp(t, x), one));
    if (which == 11) bln_lp_beta(t, bln_c_vec(t, parts, 2), one, one);
    if (which == 12) bln_lp_beta(t, bln_c_num(t, parts[2]), one, one);
    if (which == 13) bln_lp_poisson_log(t, bln_c_vec(t, whole, 3), x);
    if (which == 14) bln_lp_poisson_log(t, bln_c_num(t, whole[2]), x);
    if (which == 15) bln_lp_categorical_logit(t, bln_v_elem(t, x, 0), x);
    if (which == 16) bln_lp_categorical_logit(t, bln_c_num(t, -1.0), x);
    if (which == 17) bln_lp_categorical_logit(t, bln_c_num(t, 0.5), x);
    if (which == 18) bln_lp_dirichlet(t, one, x);
    if (which == 19) bln_lp_dirichlet(t, bln_v_exp(t, x), bln_c_num(t, 0.0));
    if (which == 20) bln_lp_dirichlet(t, bln_c_vec(t, bad, 3), one);
    if (which == 21) bln_lp_add(t, bln_v_lpdf2(t, bln_lp_dirichlet, bln_v_exp(t, x), bln_c_num(t, 0.0)));
    if (which == 22) bln_lp_add(t, bln_v_lpdf3(t, bln_lp_normal, x, bln_v_slice(t, x, 0, 2), one));
    if (which == 23) bln_v_lpdf1(t, NULL, x);
    if (which == 24) bln_v_lpdf2(t, NULL, x, one);
    if (which == 25) bln_v_lpdf3(t, NULL, x, one, one);
    if (which == 9) bln_lp_normal(t, x, one, bln_v_scale(t, -1.0, bln_v_exp(t, x)));        /* of no point a variable > 0 */
    return BLN_OK;
}

TEST(tape_density, errors)
{
    static const struct { bln_status status; const char *text; size_t row; } want[] = {
        { BLN_ESHAPE, "bln_lp_normal (call 3): x has 3 elements, mean has 2", BLN_NONE },
        { BLN_EDOMAIN, "bln_lp_bernoulli_logit (call 3): y must be 0 or 1, element 2 is 0.5", 2 },
        { BLN_EINVAL, "bln_lp_bernoulli_logit (call 2): y is discrete, and must be a constant", BLN_NONE },
        { BLN_EDOMAIN, "bln_lp_binomial_logit (call 4): y must be at most the number of trials, element 2 is 9", 2 },
        { BLN_EDOMAIN, "bln_lp_normal (call 3): sd must be > 0, element 2 is -3", 2 },
        { BLN_ESHAPE, "bln_lp_categorical_logit (call 5): y has 3 elements, f has 2 rows", BLN_NONE },
        { BLN_EDOMAIN, "bln_lp_categorical_logit (call 3): y must be a class of f, element 0 is 3", 0 },
        { BLN_EDOMAIN, "bln_lp_normal (call 3): sd must be > 0, element 0 is -1", 0 },
        { BLN_EDOMAIN, "bln_lp_exponential (call 3): x must be >= 0, element 2 is -3", 2 },
        { BLN_EDOMAIN, "bln_lp_normal (call 4): sd must be > 0, element 0 is -", 0 },
        { BLN_EINVAL, "this density has no elements", BLN_NONE },
        { BLN_EDOMAIN, "bln_lp_beta (call 3): x must be in (0, 1), element 1 is 0", 1 },
        { BLN_EDOMAIN, "bln_lp_beta (call 3): x must be in (0, 1), element 0 is 1", 0 },
        { BLN_EDOMAIN, "bln_lp_poisson_log (call 3): y must be a whole number >= 0, element 1 is -1", 1 },
        { BLN_EDOMAIN, "bln_lp_poisson_log (call 3): y must be a whole number >= 0, element 0 is 1.5", 0 },
        { BLN_EINVAL, "bln_lp_categorical_logit (call 3): y is discrete, and must be a constant", BLN_NONE },
        { BLN_EDOMAIN, "y must be a class of f, element 0 is -1", 0 },
        { BLN_EDOMAIN, "y must be a class of f, element 0 is 0.5", 0 },
        { BLN_ESHAPE, "bln_lp_dirichlet (call 2): x is a scalar", BLN_NONE },
        { BLN_EDOMAIN, "bln_lp_dirichlet (call 4): alpha must be > 0, element 0 is 0", 0 },
        { BLN_EDOMAIN, "bln_lp_dirichlet (call 3): x must be > 0, element 2 is -3", 2 },
        { BLN_EDOMAIN, "bln_lp_dirichlet (call 4): alpha must be > 0, element 0 is 0", 0 },
        { BLN_ESHAPE, "bln_lp_normal (call 3): x has 3 elements, mean has 2", BLN_NONE },
        { BLN_EINVAL, "this density has no elements", BLN_NONE },
        { BLN_EINVAL, "this density has no elements", BLN_NONE },
        { BLN_EINVAL, "this density has no elements", BLN_NONE }
    };
    for (int i = 0; i < (int)(sizeof want/sizeof *want); i++) {
        bln_report report;
        CHECK_STATUS(tape_refused(lp_wrong, &i, 3, NULL, &report), want[i].status);
        CHECK_TEXT(report.text, want[i].text);
        CHECK(report.row == want[i].row);
    }
}

SUITE_BEGIN(tape_density)
SUITE_TEST(tape_density, golden)
SUITE_TEST(tape_density, arrays)
SUITE_TEST(tape_density, far_scales)
SUITE_TEST(tape_density, scales_that_are_none)
SUITE_TEST(tape_density, unlooked_at)
SUITE_TEST(tape_density, several)
SUITE_TEST(tape_density, mixtures)
SUITE_TEST(tape_density, errors)
SUITE_END(tape_density)
