/* wanted: an output of NULL is not wanted, whichever it is, of every function of every likelihood that has several: the others are
 * what they are with all of them. Of one latent also what stands in for functions that a table lacks. */
#include "likelihood_tools.h"

enum { WANTED_N = 3, WANTED_J = 4, WANTED_ROOM = WANTED_N*(WANTED_J*(WANTED_J + 1)/2), WANTED_OUTPUTS = 4 };

/* A call of function `which`: f and v, the outputs, and the return value: how many outputs it has, 0 if there is no such
 * function. */
typedef struct wanted_call {
    const bln_likelihood *l;
    const double *theta, *f, *v;
    size_t k;                                   /* of theta_k */
    bln_targets t;
} wanted_call;

static size_t wanted_of_one(const wanted_call *c, int which, double *const *o)
{
    const bln_likelihood *l = c->l;
    const size_t n = WANTED_N;
    switch (which) {
    case 0: blni_eval(l, c->theta, n, &c->t, c->f, o[0], o[1], o[2], o[3]); return 4;
    case 1: if (!l->n_theta) return 0; blni_eval_param(l, c->theta, c->k, n, &c->t, c->f, o[0], o[1], o[2]); return 3;
    case 2: blni_moments(l, c->theta, n, &c->t, c->f, o[0], o[1]); return 2;
    case 3: blni_cdf(l, c->theta, n, &c->t, c->f, o[0], o[1]); return 2;
    case 4: blni_logcdf(l, c->theta, n, &c->t, c->f, o[0], o[1]); return 2;
    default:
        if (!l->ops->normal_expect) return 0;
        l->ops->normal_expect(l, c->theta, n, &c->t, c->f, c->v, 1e-10, o[0], o[1], o[2], o[3], n);
        return l->n_theta ? 4 : 3;
    }
}

static size_t wanted_of_several(const wanted_call *c, int which, double *const *o)
{
    const bln_likelihood *l = c->l;
    const bln_latents_ops *p = l->ops->latents;
    const size_t n = WANTED_N;
    switch (which) {
    case 0: p->eval(l, c->theta, n, &c->t, c->f, n, o[0], o[1], o[2]); return 3;
    case 1: if (!l->n_theta) return 0; p->eval_param(l, c->theta, c->k, n, &c->t, c->f, n, o[0], o[1], o[2]); return 3;
    case 2: p->moments(l, c->theta, n, &c->t, c->f, n, o[0], o[1]); return 2;
    case 3: if (!p->cdf) return 0; p->cdf(l, c->theta, n, &c->t, c->f, n, o[0], o[1]); return 2;
    case 4: return 0;
    default:
        if (!p->expect) return 0;
        p->expect(l, c->theta, n, &c->t, c->f, c->v, n, 1e-10, o[0], o[1], o[2], o[3], n);
        return l->n_theta ? 4 : 3;
    }
}

/* All sets of outputs; of E log p with the first, whose NaN says that there is no closed form. What is wanted may come by another
 * way, so the bits may differ: some roundings of terms of size 10. */
static void wanted_check(const wanted_call *c, double tolerance)
{
    for (int which = 0; which < 6; which++) {
        double all[WANTED_OUTPUTS][WANTED_ROOM], some[WANTED_OUTPUTS][WANTED_ROOM], *o[WANTED_OUTPUTS];
        for (size_t k = 0; k < WANTED_OUTPUTS; k++) o[k] = all[k];
        for (size_t i = 0; i < WANTED_OUTPUTS*WANTED_ROOM; i++) all[i/WANTED_ROOM][i % WANTED_ROOM] = -77.5;
        const size_t outputs = (c->l->ops->latents ? wanted_of_several : wanted_of_one)(c, which, o);
        for (size_t set = 0; outputs && set < (size_t)1 << outputs; set++) {
            const size_t before = test_failures;
            if (which == 5 && !(set & 1)) continue;
            memcpy(some, all, sizeof some);
            for (size_t k = 0; k < WANTED_OUTPUTS; k++) {
                o[k] = set >> k & 1 ? some[k] : NULL;
                for (size_t i = 0; i < WANTED_ROOM && o[k]; i++) if (all[k][i] != -77.5) some[k][i] = -77.5;
            }
            (c->l->ops->latents ? wanted_of_several : wanted_of_one)(c, which, o);
            for (size_t k = 0; k < outputs; k++)
                for (size_t i = 0; i < WANTED_ROOM && o[k]; i++)
                    CHECK_NEAR(some[k][i], all[k][i], tolerance*(1.0 + fabs(all[k][i])));
            if (test_failures != before) {
                printf("    %s: function %d, outputs %lu of %lu\n", c->l->ops->name, which, (unsigned long)set,
                       (unsigned long)outputs);
                return;
            }
        }
    }
}

static void wanted_likelihood(const bln_likelihood *l, double tolerance)
{
    static const double y[WANTED_N] = { 0.0, 1.0, 1.0 };
    double f[WANTED_ROOM], v[WANTED_ROOM], theta[8], constants[BLN_LIKELIHOOD_CONSTANTS*WANTED_N];
    wanted_call c;
    memset(&c, 0, sizeof c);
    for (size_t i = 0; i < WANTED_ROOM; i++) { f[i] = 0.3*(double)(i % 5) - 0.7; v[i] = 0.2 + 0.1*(double)(i % 3); }
    CHECK(l->n_theta <= 8 && l->n_latent <= WANTED_J);
    for (size_t k = 0; k < l->n_theta; k++) {
        bln_param p;
        bln_likelihood_param(l, k, 0.5, 1.0, &p);
        theta[k] = p.start;
    }
    c.l = l;
    c.theta = theta;
    c.f = f;
    c.v = v;
    c.t.y = y;
    if (l->ops->constants) {
        l->ops->constants(l, theta, WANTED_N, &c.t, constants);
        c.t.constants = constants;
        c.t.ldc = WANTED_N;
    }
    do wanted_check(&c, tolerance); while (++c.k < l->n_theta);
}

TEST(wanted, of_every_likelihood)
{
    const bln_load all = bln_builtin();
    const bln_likelihood more[6] = {
        bln_likelihood_categorical(4), bln_likelihood_categorical_reference(3), bln_likelihood_ordinal(4),
        bln_likelihood_logistic_softmax(3, BLN_SOFTMAX_OVER), bln_likelihood_logistic_softmax(2, BLN_SOFTMAX_BIJECTIVE),
        bln_likelihood_logistic_softmax(3, BLN_SOFTMAX_SCALED) };
    for (size_t i = 0; i < all.n_likelihoods; i++) wanted_likelihood(all.likelihoods + i, 1e-14);
    for (size_t i = 0; i < sizeof more/sizeof *more; i++) wanted_likelihood(more + i, 1e-14);
}

/* Tables with log p and the support alone; log p is that of the likelihood of the house. */
static void wanted_logp(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                        double *logp)
{
    blni_logp((const bln_likelihood *)l->user, theta, n, t, f, logp);
}

TEST(wanted, of_a_table_with_little)
{
    for (size_t i = 0; i < LIKELIHOOD_CASES; i++) {
        const bln_likelihood whole = likelihood_named(likelihood_cases[i].name);
        bln_likelihood_ops ops;
        bln_likelihood l = whole;
        memset(&ops, 0, sizeof ops);
        ops.name = "my_likelihood";
        ops.discrete = whole.ops->discrete;
        ops.n_constants = whole.ops->n_constants;
        ops.of_theta = whole.ops->of_theta;
        ops.constants = whole.ops->constants;
        ops.support = whole.ops->support;
        ops.param = whole.ops->param;
        ops.logp = wanted_logp;
        ops.sized = whole.ops->sized;
        l.ops = &ops;
        l.user = &whole;
        wanted_likelihood(&l, 1e-14);
    }
}

SUITE_BEGIN(wanted)
    SUITE_TEST(wanted, of_every_likelihood)
    SUITE_TEST(wanted, of_a_table_with_little)
SUITE_END(wanted)
