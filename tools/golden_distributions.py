#!/usr/bin/env python3
"""Writes tests/golden/distributions_golden.h:   tools/golden_distributions.py > tests/golden/distributions_golden.h

Mean and variance of log Gamma(a, 1): digamma and trigamma of a; regularised incomplete gamma functions P(a, x); and for each
case of the other samplers its moments and distribution function at cuts (see tools/golden_sampler.py). Takes a few minutes."""
import mpmath as mp
from golden_sampler import INF, central, cuts, from_cumulants, none, table

mp.mp.dps = 40
SHAPES = ["0.001", "0.02", "0.3", "0.5", "0.999", "1", "1.001", "2.385", "7", "30", "1000"]
POINTS = [("0.001", "1e-300"), ("0.001", "0.5"), ("0.3", "0.01"), ("0.3", "4"), ("2.385", "1.5"), ("2.385", "9"), ("30", "20"),
          ("30", "45"), ("1000", "950"), ("1000", "1100")]


def show(name, rows):
    print("static const double golden_distributions_%s[%d][%d] = {" % (name, len(rows), len(rows[0])))
    print(",\n".join("    { " + ", ".join("%.17g" % float(v) for v in r) + " }" for r in rows))
    print("};")


def student_t(nu, unused):
    tail = lambda t: mp.betainc(nu / 2, mp.mpf(1) / 2, 0, nu / (nu + t * t), regularized=True) / 2
    cdf = lambda t: tail(t) if t < 0 else 1 - tail(t)
    even = lambda k: mp.gamma((k + 1) / mp.mpf(2)) * mp.gamma((nu - k) / 2) * nu ** (k // 2) / mp.sqrt(mp.pi) / mp.gamma(nu / 2)
    return [0] + [even(k) if nu > k else -1 for k in (2,)] + [0] + [even(k) if nu > k else -1 for k in (4, 6)], cuts(cdf, -INF, INF)


def laplace(a, b):
    return [0, 2, 0, 24, 720], cuts(lambda x: mp.exp(x) / 2 if x < 0 else 1 - mp.exp(-x) / 2, -INF, INF)


def inverse_gaussian(m, l):
    if m == INF:
        return none(), cuts(lambda x: mp.erfc(mp.sqrt(l / (2 * x))), 0, INF)
    root = lambda x: mp.sqrt(l / x)
    cdf = lambda x: mp.ncdf(root(x) * (x / m - 1)) + mp.exp(2 * l / m) * mp.ncdf(-root(x) * (x / m + 1))
    kappa = [m] + [mp.fac2(2 * n - 3) * m ** (2 * n - 1) / l ** (n - 1) for n in range(2, 7)]
    return from_cumulants(kappa), cuts(cdf, 0, INF)


def truncated_normal(a, b):
    tail = lambda x: mp.mpf(0) if x == INF else mp.mpf(1) if x == -INF else mp.erfc(x / mp.sqrt(2)) / 2
    left = b < 0                                          # by the tail that does not cancel
    mass = tail(-b) - tail(-a) if left else tail(a) - tail(b)
    cdf = lambda x: (tail(-x) - tail(-a) if left else tail(a) - tail(x)) / mass
    scale = lambda x: 1 + abs(x)
    lo = max(a, b - 45 / scale(b) if left else mp.mpf(-40))
    hi = min(b, a + 45 / scale(a) if a > 0 else mp.mpf(40))
    nodes = mp.linspace(lo, hi, 33)
    centre = (lo + hi) / 2
    raw = [mp.quad(lambda x: (x - centre) ** k * mp.npdf(x), nodes) / mass for k in range(7)]
    moments = central(raw)
    return [moments[0] + centre] + moments[1:], cuts(cdf, lo, hi)


print("/* Written by tools/golden_distributions.py with mpmath: shape, E log g, var log g;  a, x, P(a, x).")
print(" * Then the cases of each sampler: two parameters; mean, variance, third, fourth and sixth central moment (an even one that")
print(" * does not exist is -1); 27 cuts x and P(X <= x). */")
print("#ifndef BLN_TESTS_DISTRIBUTIONS_GOLDEN_H\n#define BLN_TESTS_DISTRIBUTIONS_GOLDEN_H")
show("log_gamma", [[mp.mpf(float(a)), mp.digamma(float(a)), mp.polygamma(1, float(a))] for a in SHAPES])
show("P", [[float(a), float(x), mp.gammainc(float(a), 0, float(x), regularized=True)] for a, x in POINTS])
CASES = [
    (student_t, [(0.2, 0), (1, 0), (2, 0), (2.5, 0), (4.5, 0), (10, 0), (100, 0)]),
    (laplace, [(0, 0)]),
    (inverse_gaussian, [(1, 1), (0.1, 10), (10, 0.1), (1000, 1), (1, 2000), (INF, 2)]),
    (truncated_normal, [(-INF, INF), (-1, INF), (0, INF), (0.3, INF), (0.5, INF), (3, INF), (30, INF), (10000, INF), (-INF, -5),
                        (-0.5, 1), (-0.1, 3), (-3, 0.2), (0.2, 0.5), (0.2, 2), (2, 2.3), (2, 4), (10, 10.05), (10, 10.2),
                        (-8, -7.9), (-8, -7)]),
]
for family, parameters in CASES:
    table("distributions", family, parameters, 27)
print("#endif /* BLN_TESTS_DISTRIBUTIONS_GOLDEN_H */")
