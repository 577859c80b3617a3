#!/usr/bin/env python3
"""Writes tests/golden/discrete_golden.h:   tools/golden_discrete.py > tests/golden/discrete_golden.h

Cases of the counts: moments and distribution function at cuts (see tools/golden_sampler.py); remainders of Stirling's formula; log
probabilities of Poisson and binomial."""
import mpmath as mp
from golden_sampler import LEVELS, from_cumulants, table

mp.mp.dps = 40
MOST = 40


def moments(cgf):
    return from_cumulants([c * mp.factorial(n + 1) for n, c in enumerate(mp.taylor(cgf, 0, 6)[1:])])


def integral(log_density, peak, width, x):
    """Integral of a density up to x as a part of the whole, over 16 widths around its peak."""
    density = lambda t: mp.exp(log_density(t) - log_density(peak))
    nodes = [peak + k * width for k in range(-16, 17, 2)]
    below = mp.quad(density, [t for t in nodes if t < x] + [x])
    return below / (below + mp.quad(density, [x] + [t for t in nodes if t > x]))


def whole_cuts(cdf, mean, sd):
    """All k where they are few, else quantiles (of the normal where that will do); cells of a probability of 1e-4 or more."""
    def quantile(level):
        lo, hi = mp.mpf(-1), mp.floor(mean + sd + 1)
        while cdf(hi) < level:
            hi = mp.floor(hi + 2 * sd + 1)
        while hi - lo > 1:
            k = mp.floor((lo + hi) / 2)
            lo, hi = (k, hi) if cdf(k) < level else (lo, k)
        return hi
    if mean > 50 * sd:
        points = [mp.floor(mean + sd * mp.sqrt(2) * mp.erfinv(2 * p - 1)) for p in LEVELS]
    else:
        first, last = quantile(LEVELS[0]), quantile(LEVELS[-1])
        points = [first + k for k in range(int(last - first) + 1)] if last - first < MOST else [quantile(p) for p in LEVELS]
    rows, before = [], 0
    for k in points:
        p = cdf(k)
        if p - before > 9e-5 and 1 - p > 9e-5:
            rows += [k, p]
            before = p
    return rows


def poisson(mu, unused):
    sd = mp.sqrt(mu)
    if mu < 2000:
        pmf = [mp.exp(-mu)]
        while len(pmf) < mu + 12 * sd + 40:
            pmf.append(pmf[-1] * mu / len(pmf))
        sums = [mp.fsum(pmf[:k + 1]) for k in range(len(pmf))]
        cdf = lambda k: mp.mpf(0) if k < 0 else sums[min(int(k), len(sums) - 1)]
    else:                                                 # P(X <= k) = P(Gamma(k + 1) > mu)
        cdf = lambda k: 1 - integral(lambda t: k * mp.log(t / k) - (t - k), k, mp.sqrt(k), mu)
    return from_cumulants([mu] * 6), whole_cuts(cdf, mu, sd)


def binomial(n, p):
    q = 1 - p
    sd = mp.sqrt(n * p * q)
    if n <= 2000:
        pmf = [mp.binomial(n, k) * p ** k * q ** (n - k) for k in range(int(n) + 1)]
        sums = [mp.fsum(pmf[:k + 1]) for k in range(len(pmf))]
        cdf = lambda k: mp.mpf(0) if k < 0 else sums[min(int(k), len(sums) - 1)]
    elif n * p < 100:
        pmf = [mp.exp(n * mp.log1p(-p))]
        for k in range(1, 400):
            pmf.append(pmf[-1] * (n - k + 1) / k * p / q)
        sums = [mp.fsum(pmf[:k + 1]) for k in range(len(pmf))]
        cdf = lambda k: mp.mpf(0) if k < 0 else sums[min(int(k), len(sums) - 1)]
    else:                                                 # P(X <= k) = P(Beta(k + 1, n - k) > p)
        cdf = lambda k: 1 - integral(lambda t: k * mp.log(t * n / k) + (n - k - 1) * mp.log((1 - t) * n / (n - k)),
                                     k / (n - 1), sd / n, p)
    return moments(lambda t: n * mp.log1p(p * mp.expm1(t))), whole_cuts(cdf, n * p, sd)


def show(name, rows):
    print("static const double golden_discrete_%s[%d][%d] = {" % (name, len(rows), len(rows[0])))
    print(",\n".join("    { " + ", ".join("%.17g" % float(v) for v in r) + " }" for r in rows))
    print("};")


def rest(k):
    return mp.loggamma(k + 1) - mp.log(2 * mp.pi * k) / 2 - k * mp.log(k) + k


def log_poisson(k, mu):
    return k * mp.log(mu) - mu - mp.loggamma(k + 1)


def log_binomial(k, n, p):
    return mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1) + k * mp.log(p) + (n - k) * mp.log1p(-p)


print("/* Written by tools/golden_discrete.py with mpmath. Cases: two parameters; mean, variance, third, fourth and sixth central")
print(" * moment; %d cuts k and P(X <= k).  rest: k, log k! - log(2 pi k)/2 - k log k + k.  log_poisson: k, mu, log P(k)." % MOST)
print(" * log_binomial: k, n, p, log P(k). */")
print("#ifndef BLN_TESTS_DISCRETE_GOLDEN_H\n#define BLN_TESTS_DISCRETE_GOLDEN_H")
for family, parameters in [
    (poisson, [(0.01, 0), (0.5, 0), (3, 0), (9.99, 0), (10, 0), (10.5, 0), (12, 0), (30, 0), (100, 0), (1234.5, 0), (1e6, 0),
               (1e12, 0), (9e14, 0), (2e15, 0), (1e17, 0)]),
    (binomial, [(1, 0.3), (10, 0.5), (20, 0.5), (21, 0.45), (25, 0.4), (40, 0.75), (50, 0.97), (1000, 0.005), (1000, 0.0101),
                (100, 0.3), (1e6, 0.3), (1e9, 1e-9), (1e12, 1.5e-11), (1e15, 0.25), (2.0 ** 53, 0.5), (2.0 ** 53, 0.7)]),
]:
    table("discrete", family, parameters, MOST)
mp.mp.dps = 60
show("rest", [[k, rest(mp.mpf(k))] for k in (1, 2, 3, 7, 15, 16, 17, 31, 100, 12345, 1e9, 1e15)])
show("log_poisson", [[k, mu, log_poisson(mp.mpf(k), mp.mpf(mu))] for k, mu in [
    (0, 10), (1, 12.5), (7, 10), (10, 10), (16, 15.75), (40, 10), (95, 100), (1e6, 1001234.5), (999999, 2e6), (1e12, 1e12 + 1e6),
    (1e15, 1e15), (1e15 - 1e8, 1e15)]])
show("log_binomial", [[k, n, p, log_binomial(mp.mpf(k), mp.mpf(n), mp.mpf(p))] for k, n, p in [
    (0, 20, 0.5), (20, 20, 0.5), (1, 25, 0.4), (24, 25, 0.4), (10, 25, 0.4), (12, 1000, 0.0101), (300100, 1e6, 0.3),
    (900000, 1e6, 0.3), (2.5e14 + 1e7, 1e15, 0.25), (2.0 ** 52 - 1e8, 2.0 ** 53, 0.5)]])
print("#endif /* BLN_TESTS_DISCRETE_GOLDEN_H */")
