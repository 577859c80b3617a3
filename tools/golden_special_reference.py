#!/usr/bin/env python3
"""Writes tests/golden/special_reference_golden.h: special functions at round numbers, rounded once to double.

    python3 tools/golden_special_reference.py > tests/golden/special_reference_golden.h     (mpmath)

golden_special.py has the points where the library could be wrong; these are those that somebody would try. Values are those of
mpmath's own functions with so many digits that no cancellation is left (400; loggamma, digamma and inverses 60), not of the formulas
of golden_special.py."""
import itertools

from mpmath import mp, mpf

GAMMA = [1e-300, 1e-10, 0.001, 0.1, 0.5, 0.9, 1, 1.0000001, 1.5, 2, 2.0000001, 3.7, 10, 25.5, 100.25, 1e4, 1e10, 1e100, 2.5e305]
NORMAL = [-38, -20, -10, -6, -5, -4.99, -3, -1, -0.001, 0, 0.001, 0.5, 1, 3, 6, 8, 10, 38]
LOGISTIC = [-745, -700, -100, -38, -37, -36.9, -10, -1, -1e-10, 0, 1e-10, 1, 10, 17.9, 18, 18.1, 33, 33.3, 33.4, 100, 1e5]
BETA = [(0.5, 0.5), (0.5, 5), (1, 1), (2, 3), (5, 0.5), (5, 10), (30, 40)]
TAIL = [1e-10, 0.001, 0.1, 0.5, 0.9, 0.999, 0.9999999999]
INCOMPLETE = [(0.1, 1e-05), (0.1, 0.05), (0.1, 2), (0.5, 0.1), (0.5, 3), (1, 0.7), (1, 30), (3.5, 0.2), (3.5, 3.5), (3.5, 12),
              (10, 2), (10, 9.5), (10, 30), (100, 60), (100, 100), (100, 160), (1e4, 9800), (1e4, 1e4), (1e4, 10300)]
CHOOSE = [(5, 0), (5, 1), (5, 5), (20, 0), (20, 1), (20, 6), (20, 20), (1000, 0), (1000, 1), (1000, 333), (1000, 1000)]
PROBABILITY = [1e-300, 1e-100, 1e-30, 1e-16, 1e-10, 1e-05, 0.001, 0.01, 0.024, 0.1, 0.25, 0.4, 0.4999999, 0.5, 0.6, 0.75, 0.9,
               0.975, 0.999, 0.9999999, 0.9999999999, 0.9999999999999999]
STUDENT = [-10000, -30, -2.1, -0.3, 0, 1e-06, 0.8, 5, 60]


def normal_sf(x):
    return mp.erfc(x/mp.sqrt(2))/2


def inverse(f, p, lo, hi):
    """x of an increasing f with f(x) = p, by bisection in log x/(1 - x) or log x, then secants: 30 digits."""
    with mp.workdps(45):
        for _ in range(60):
            mid = (lo + hi)/2
            lo, hi = (mid, hi) if f(mid) < p else (lo, mid)
        return mp.findroot(lambda u: mp.log(f(u)/p), (lo, hi), tol=1e-60, verify=False)


def gamma_inverse(a, p):
    with mp.workdps(45):
        return mp.exp(inverse(lambda u: mp.gammainc(a, 0, mp.exp(u), regularized=True), p, mpf(-60), mpf(8)))


def beta_inverse(a, b, p):
    return 1/(1 + mp.exp(-inverse(lambda u: mp.betainc(a, b, 0, 1/(1 + mp.exp(-u)), regularized=True), p, mpf(-40), mpf(40))))


def student_cdf(nu, t):
    tail = mp.betainc(nu/2, mpf(1)/2, 0, nu/(nu + t*t), regularized=True)/2 if t else mpf(1)/2
    return tail if t < 0 else 1 - tail


def mills(x):
    """Density over distribution function."""
    return mp.exp(-x*x/2)/mp.sqrt(2*mp.pi)/normal_sf(-x) if x > -1e6 else -x - 1/x


def log_cdf(x):
    if x > 0:
        return mp.log1p(-normal_sf(x))
    return mp.log(normal_sf(-x)) if x > -1e6 else -x*x/2 - mp.log(-x) - mp.log(2*mp.pi)/2 - 1/(x*x)


def quantile(p):
    if p == 0.5:
        return mpf(0)
    tail = min(p, 1 - p)
    start = -mp.sqrt(-2*mp.log(tail))*(0.9 if tail < 0.1 else 0.6)
    x = mp.findroot(lambda x: log_cdf(x) - mp.log(tail), start, tol=1e-60, verify=False)
    return x if p < 0.5 else -x


# name, digits, function, points
TABLE = [
    ("lgamma", 60, mp.loggamma, GAMMA), ("digamma", 60, mp.digamma, GAMMA[:-1]),
    ("trigamma", 60, lambda x: mp.psi(1, x), GAMMA[1:-1]),
    ("lgamma_half_diff", 60, lambda x: mp.loggamma(x + mpf(1)/2) - mp.loggamma(x), [20, 55.5, 1000, 1e8]),
    ("log_rising", 60, lambda a, x: mp.loggamma(x + a) - mp.loggamma(a), itertools.product([0.3, 2.3, 50, 1e6, 1e12], [0, 1, 5, 64, 200])),
    ("log_choose", 60, lambda n, k: mp.log(mp.binomial(n, k)), CHOOSE),
    ("erf", 400, mp.erf, [-30, -6, -3, -1.2, -0.5, -1e-05, 0, 1e-300, 1e-05, 0.3, 0.5, 1, 2, 3.5, 6, 10, 26]),
    ("norm_cdf", 400, lambda x: normal_sf(-x), NORMAL), ("norm_sf", 400, normal_sf, NORMAL),
    ("norm_logcdf", 60, log_cdf, [-1e8, -10000, -500] + NORMAL), ("norm_mills", 60, mills, [-1e8, -10000, -500] + NORMAL),
    ("norm_ppf", 60, quantile, PROBABILITY),
    ("log1pexp", 400, lambda x: mp.log1p(mp.exp(x)) if x < 1000 else x, LOGISTIC),
    ("sigmoid", 400, lambda x: 1/(1 + mp.exp(-x)), LOGISTIC),
    ("log1mexp", 400, lambda x: mp.log(-mp.expm1(-x)), [1e-300, 1e-12, 0.001, 0.5, 0.6931, 0.6932, 1, 10, 40, 600]),
    ("logit", 400, lambda x: mp.log(x/(1 - x)), [1e-300, 1e-10, 0.2, 0.5, 0.9, 0.999999999999]),
    ("gammap", 60, lambda a, x: mp.gammainc(a, 0, x, regularized=True), INCOMPLETE),
    ("gammaq", 60, lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True), INCOMPLETE),
    ("gammap_inv", 60, gamma_inverse, itertools.product([0.5, 1, 3.5, 10, 100], TAIL)),
    ("betai", 60, lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True),
     [p + (x,) for p in BETA + [(200, 3), (150, 151)] for x in (1e-8, 0.01, 0.3, 0.5, 0.8, 0.99, 0.99999999)
      if x >= {200: 0.3, 150: 0.01}.get(p[0], 0)]),
    ("betai_inv", 60, beta_inverse, [p + (x,) for p in BETA for x in (1e-6, 0.05, 0.5, 0.95, 0.999999)]),
    ("student_cdf", 60, student_cdf, itertools.product([1, 2.5, 4, 30, 1000], STUDENT))]


def number(x):
    t = "%.17g" % float(x)
    return t if any(c in t for c in ".en") else t + ".0"


print("/* special_reference_golden.h - special functions in high precision (mpmath), rounded once to double. Written by")
print(" * tools/golden_special_reference.py. */")
print("#ifndef BLN_TESTS_SPECIAL_REFERENCE_GOLDEN_H\n#define BLN_TESTS_SPECIAL_REFERENCE_GOLDEN_H")
print("typedef struct golden_special_row { const char *fn; double a, b, x, value; } golden_special_row;")
print("static const golden_special_row golden_special_rows[] TEST_UNUSED = {")
for name, digits, function, points in TABLE:
    for p in points:
        p = p if isinstance(p, tuple) else (p,)
        with mp.workdps(digits):
            v = function(*(mpf(float(x)) for x in p))
        a = p[:-1] + (0,)*(3 - len(p))
        print('    { "%s", %s, %s, %s, %s },' % (name, number(a[0]), number(a[1]), number(p[-1]), number(v)))
print("};\n#endif /* BLN_TESTS_SPECIAL_REFERENCE_GOLDEN_H */")
