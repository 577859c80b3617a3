#!/usr/bin/env python3
"""Writes tests/golden/own_mixture_golden.h: the likelihood of the support vector machine, e^{-2 max(1 - y f, 0)}, by mpmath.

    python3 tools/golden_own_mixture.py > tests/golden/own_mixture_golden.h          (mpmath)

Bound and site [augmentation 29]; the fixed point of coordinate ascent; the posterior itself, by the normal integrals between the
kinks in the first weight and quadrature in the second. Rows and priors are those of golden_six_rows.py."""
from golden_six_rows import F, LAMBDA0, MU0, PHI, PHI_X, mp, numbers

Y = [F(2*y - 1) for y in (0, 1, 0, 1, 1, 1)]
M = [F(m) for m in ("-1.4", "-0.8", "-0.2", "0.4", "1.0", "1.6")]
V = [F("0.001")] + [F(k)/7 for k in range(2, 7)]


def bound(y, m, v):
    return -(1 - y*m) - mp.sqrt((1 - y*m)**2 + v)


def site(y, m, v):
    c = mp.sqrt((1 - y*m)**2 + v)
    return y*(1 + 1/c), 1/c


def ascend():
    X, P, mean, cov = mp.matrix(PHI), LAMBDA0**-1, MU0.copy(), LAMBDA0.copy()
    moments = lambda: [((X[i, :]*mean)[0], (X[i, :]*cov*X[i, :].T)[0]) for i in range(6)]
    while True:
        sites = [site(y, *at) for y, at in zip(Y, moments())]
        new = (P + X.T*mp.diag([t for _, t in sites])*X)**-1
        to = new*(P*MU0 + X.T*mp.matrix([h for h, _ in sites]))
        change, mean, cov = max(mp.mnorm(new - cov), mp.mnorm(to - mean)), to, new
        if change < F(10)**-28:
            break
    d = mean - MU0
    kl = (sum((P*cov)[i, i] for i in range(2)) + (d.T*P*d)[0] - 2 + mp.log(mp.det(LAMBDA0)/mp.det(cov)))/2
    return sum(bound(y, *at) for y, at in zip(Y, moments())) - kl, mean, cov


def moments(w1):
    """Integrals of 1, w0 and w0^2 over w0, at this w1: between its kinks the integrand is a normal density in w0."""
    x, P = [F(t) for t in PHI_X], LAMBDA0**-1
    kinks = sorted(y - t*w1 for y, t in zip(Y, x))
    ends, total = [F(-30)] + kinks + [F(30)], [F(0)]*3
    for low, high in zip(ends, ends[1:]):
        on = [(y, t) for y, t in zip(Y, x) if y*((low + high)/2 + t*w1) < 1]
        d = w1 - MU0[1]
        slope = 2*sum(y for y, _ in on)              # log integrand: -P00 (w0 - mu0)^2/2 - P01 (w0 - mu0) d + slope w0 + rest
        centre = MU0[0] + (slope - P[0, 1]*d)/P[0, 0]
        rest = -P[1, 1]*d*d/2 + sum(2*(y*t*w1 - 1) for y, t in on) + slope*MU0[0] + P[0, 0]*(centre - MU0[0])**2/2
        root = 1/mp.sqrt(P[0, 0])
        a, b = (low - centre)/root, (high - centre)/root
        g = lambda z: mp.exp(-z*z/2)
        tail = lambda z: mp.sqrt(mp.pi/2)*mp.erfc(z/mp.sqrt(2))                # of the two ends, on the side where both are small
        n0 = tail(a) - tail(b) if a > 0 else tail(-b) - tail(-a)
        n1, n2 = g(a) - g(b), a*g(a) - b*g(b) + n0
        scale = mp.exp(rest)*root
        total[0] += scale*n0
        total[1] += scale*(centre*n0 + root*n1)
        total[2] += scale*(centre**2*n0 + 2*centre*root*n1 + root**2*n2)
    return total


def exact():
    x = [F(t) for t in PHI_X]
    breaks = {(Y[i] - Y[j])/(x[i] - x[j]) for i in range(6) for j in range(i)} | {F(k) for k in range(-10, 10)}
    breaks = sorted(b for b in breaks if -10 <= b <= 9)
    with mp.workdps(25):
        grab = lambda k, power: mp.quad(lambda w: moments(w)[k]*w**power, breaks, method="gauss-legendre", maxdegree=4)
        one, a, aa, b, ab, bb = grab(0, 0), grab(1, 0), grab(2, 0), grab(0, 1), grab(1, 1), grab(0, 2)
    a, b = a/one, b/one
    return [a, b], [aa/one - a*a, ab/one - a*b, ab/one - a*b, bb/one - b*b]


print("/* own_mixture_golden.h - the support vector machine. Written by tools/golden_own_mixture.py. */")
print("#ifndef BLN_TESTS_OWN_MIXTURE_GOLDEN_H")
print("#define BLN_TESTS_OWN_MIXTURE_GOLDEN_H")
print("static const double golden_svm_y[6] TEST_UNUSED = { %s };" % numbers(Y))
print("static const struct { double m, v, ell, h, precision; } golden_svm_sites[6] TEST_UNUSED = {")
print(",\n".join("    { %s, %s }" % (numbers([m, v]), numbers([bound(y, m, v), *site(y, m, v)])) for y, m, v in zip(Y, M, V)))
print("};")
best, mean, cov = ascend()
print("static const struct { double bound, mean[2], cov[4]; } golden_svm_cavi TEST_UNUSED = {\n    %s, { %s },\n    { %s } };"
      % (numbers([best]), numbers(mean), numbers(list(cov))))
mean, cov = exact()
print("static const struct { double mean[2], cov[4]; } golden_svm_posterior TEST_UNUSED = {\n    { %s },\n    { %s } };"
      % (numbers(mean), numbers(cov)))
print("#endif /* BLN_TESTS_OWN_MIXTURE_GOLDEN_H */")
