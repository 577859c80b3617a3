/* sine_tools.h - a basis of one feature, with one parameter of any kind */
#ifndef BLN_TESTS_SINE_TOOLS_H
#define BLN_TESTS_SINE_TOOLS_H
#include "../test.h"

/* sin(theta x), whose only parameter is as the test wants it. With `only` it has features for its start
 * alone, and elsewhere NaN, and says that it does not depend on theta. If it is `bad`, its parameter has no range once there are
 * rows. */
typedef struct edges_sine { bln_basis base; bln_param param; int only, bad; } edges_sine;
static TEST_UNUSED void edges_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                       double *Phi, size_t ldphi, double *work)
{
    const edges_sine *s = (const edges_sine *)(const void *)b;
    const int bad = s->only && fabs(*theta - s->param.start) > 1e-9*s->param.start;
    (void)work;
    for (size_t i = 0; i < n; i++) Phi[i*ldphi] = bad ? BLNI_NAN : sin(*theta*X[i*ldx]);
}
static TEST_UNUSED void edges_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                       const double *Phi, size_t ldphi, const double *F, size_t ldf, double *dtheta, double *dX,
                                       size_t lddx, double *work)
{
    const edges_sine *s = (const edges_sine *)(const void *)b;
    (void)Phi; (void)ldphi; (void)dX; (void)lddx; (void)work;
    for (size_t i = 0; i < n && dtheta && !s->only; i++) dtheta[0] += F[i*ldf]*X[i*ldx]*cos(*theta*X[i*ldx]);
}
static TEST_UNUSED void edges_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    const edges_sine *s = (const edges_sine *)(const void *)b;
    (void)k;
    *out = s->param;
    if (s->bad && inputs && inputs->moments) out->hi = out->lo - 1.0;
}
static TEST_UNUSED edges_sine edges_of(const bln_basis_ops *ops, bln_param_kind kind, double lo, double hi, double start)
{
    edges_sine s;
    memset(&s, 0, sizeof s);
    s.base.ops = ops;
    s.base.d = s.base.D = s.base.n_theta = s.base.n_slices = 1;
    s.param.kind = kind;
    s.param.lo = lo;
    s.param.hi = hi;
    s.param.start = start;
    return s;
}
static TEST_UNUSED bln_basis_ops edges_ops(void)
{
    bln_basis_ops ops;
    memset(&ops, 0, sizeof ops);
    ops.name = "edges_sine";
    ops.features = edges_features;
    ops.pullback = edges_pullback;
    ops.param = edges_param;
    return ops;
}

#endif /* BLN_TESTS_SINE_TOOLS_H */
