#!/usr/bin/env python3
"""Writes tests/golden/glm_full_golden.h: the Gaussian N(m, C) with the greatest bound of the evidence, on the six rows of
tests/golden/glm_golden.h.

    python3 tools/golden_glm_full.py > tests/golden/glm_full_golden.h          (numpy, scipy)

Not by the way the library goes: the bound is maximised over m and a Cholesky factor L of C = L L' by scipy's BFGS with its analytic
gradient, and that gradient's root is then found by scipy's hybrid Powell method. Expectations are trapezoid sums of 4001 nodes over
+-14 standard deviations (errors below 1e-15 for these: the nearest singularity of log p is more than a standard deviation away, the
step 0.007). Slopes in hyper-parameters: central differences of the bound so maximised, extrapolated twice."""
import re
import numpy as np
from scipy import optimize, special

text = open('tests/golden/glm_golden.h').read()


def numbers(name):
    body = re.search(r'golden_glm_%s\[\] TEST_UNUSED = \{(.*?)\};' % name, text, re.S).group(1)
    return np.array([float(t) for t in body.split(',')])


Phi = numbers('Phi').reshape(6, 3)
lam = numbers('lambda_slice')
real, count, binary = numbers('y_real'), numbers('y_count'), numbers('y_binary')
z = np.linspace(-14, 14, 4001)
w = np.exp(-z*z/2)*(z[1] - z[0])/np.sqrt(2*np.pi)


def softplus(f): return np.logaddexp(0, f)
def sigmoid(f): return special.expit(f)


def gaussian(f, y, t): return -0.5*np.log(2*np.pi*t[0]) - (y - f)**2/(2*t[0]), (y - f)/t[0]


def student(f, y, t):
    s, nu = t
    r = y - f
    c = special.gammaln((nu + 1)/2) - special.gammaln(nu/2) - 0.5*np.log(np.pi*nu) - np.log(s)
    return c - (nu + 1)/2*np.log1p(r*r/(nu*s*s)), (nu + 1)*r/(nu*s*s + r*r)


def logit(f, y, t): return -softplus(-(2*y - 1)*f), y - sigmoid(f)


def probit(f, y, t):
    s = 2*y - 1
    l = special.log_ndtr(s*f)
    return l, s*np.exp(-f*f/2 - l)/np.sqrt(2*np.pi)


def binomial(f, y, t):
    c = special.gammaln(10) - special.gammaln(y + 1) - special.gammaln(10 - y)
    return c - y*softplus(-f) - (9 - y)*softplus(f), y - 9*sigmoid(f)


def poisson(f, y, t): return y*f - np.exp(f) - special.gammaln(y + 1), y - np.exp(f)


def poisson_softplus(f, y, t):
    g = softplus(f)
    return y*np.log(g) - g - special.gammaln(y + 1), (y/g - 1)*sigmoid(f)


def negative_binomial(f, y, t):
    k = t[0]
    c = special.gammaln(y + k) - special.gammaln(k) - special.gammaln(y + 1)
    return c + y*(f - np.log(k)) - (y + k)*softplus(f - np.log(k)), y - (y + k)*sigmoid(f - np.log(k))


models = [('gaussian', gaussian, real, [0.4]), ('student_t', student, real, [0.8, 3.5]), ('bernoulli_logit', logit, binary, []),
          ('bernoulli_probit', probit, binary, []), ('binomial', binomial, count, []), ('poisson_exp', poisson, count, []),
          ('poisson_softplus', poisson_softplus, count, []), ('negative_binomial', negative_binomial, count, [2.3])]
low = np.tril_indices(3)


def bound(x, lik, y, prior, eta, P):
    """L and its gradient at x = (m, L's lower triangle with logs on the diagonal)."""
    m = x[:3]
    L = np.zeros((3, 3))
    L[low] = x[3:]
    L[np.diag_indices(3)] = np.exp(np.diag(L))
    a = P @ L
    sd = np.sqrt((a*a).sum(1))
    l, d1 = lik((P @ m)[:, None] + sd[:, None]*z, y[:, None], eta)
    g, h = d1 @ w, (d1*z) @ w/(2*sd)                      # dE/dmu, dE/dv
    value = (l @ w).sum() - 0.5*(np.log(prior) + (m*m + (L*L).sum(1))/prior).sum() + np.log(np.diag(L)).sum() + 1.5
    dL = 2*(P*h[:, None]).T @ a - L/prior[:, None]
    dL[np.diag_indices(3)] = np.diag(dL)*np.diag(L) + 1
    return value, np.concatenate([P.T @ g - m/prior, dL[low]])


def top(start, *args):
    r = optimize.minimize(lambda x: tuple(-u for u in bound(x, *args)), start, jac=True, method='BFGS',
                          options={'gtol': 1e-9, 'maxiter': 2000})
    x = optimize.root(lambda x: bound(x, *args)[1], r.x, method='hybr', tol=1e-15).x
    assert np.abs(bound(x, *args)[1]).max() < 2e-13, (args[0], bound(x, *args)[1])
    return x


def slope(f):
    h = 2.0**-5
    d = [(f(h/2**i) - f(-h/2**i))/(2*h/2**i) for i in range(3)]
    e = [(4*d[i + 1] - d[i])/3 for i in range(2)]
    return (16*e[1] - e[0])/15


def c(v): return '{ ' + ', '.join('%.17g' % u for u in v) + ' }'


print('''/* glm_full_golden.h - Gaussian posteriors by the greatest bound of the evidence, with scipy. Written by tools/golden_glm_full.py,
 * which says how. Slopes are differences: good to 1e-9. */
#ifndef BLN_TESTS_GLM_FULL_GOLDEN_H
#define BLN_TESTS_GLM_FULL_GOLDEN_H
typedef struct golden_glm_full_row {
    const char *likelihood;
    double bound, m[3], C[9], d_log_lambda[2], d_log_eta[2], F[3];      /* F: dL/dPhi of row 3 */
} golden_glm_full_row;
static const golden_glm_full_row golden_glm_full[] TEST_UNUSED = {''')
for name, lik, y, eta in models:
    def value(dl=(0, 0), de=(0, 0), dp=(0, 0, 0)):
        prior = np.array([lam[0]*np.exp(dl[0]), lam[1]*np.exp(dl[1]), lam[1]*np.exp(dl[1])])
        t = [e*np.exp(d) for e, d in zip(eta, de)]
        P = Phi.copy()
        P[3] += dp
        args = (lik, y, prior, t, P)
        x = top(start, *args)
        return x, bound(x, *args)[0]
    start = np.concatenate([np.zeros(3), np.zeros(6)])
    x, L = value()
    start = x
    F = np.zeros((3, 3))
    F[low] = x[3:]
    F[np.diag_indices(3)] = np.exp(np.diag(F))
    unit = np.eye(3)
    print('{ "%s", %.17g, %s,\n  %s,\n  %s, %s,\n  %s },' % (
        name, L, c(x[:3]), c((F @ F.T).ravel()), c([slope(lambda h: value(dl=h*unit[i, :2])[1]) for i in range(2)]),
        c([slope(lambda h: value(de=h*unit[i, :2])[1]) if i < len(eta) else 0.0 for i in range(2)]),
        c([slope(lambda h: value(dp=h*unit[i])[1]) for i in range(3)])))
print('};\n#endif /* BLN_TESTS_GLM_FULL_GOLDEN_H */')
