#!/usr/bin/env python3
"""Prints the polynomials of src/math/vecmath.c: minimax fits (Remez exchange, 60 digits), rounded to double at the end.

    python3 tools/golden_vecmath_tables.py

Each with its error as a power of two, in the measure that its comment in vecmath.c names. Lowest power first."""
from mpmath import mp, mpf, matrix, lu_solve, exp, log, atanh, loggamma, sqrt, pi, cos, mpmathify

mp.dps = 60


def remez(f, weight, a, b, n):
    """The p of degree n on [a, b] that minimises max |weight (p - f)|, and that maximum."""
    a, b = mpmathify(a), mpmathify(b)
    m = n + 2
    points = [(a + b)/2 - (b - a)/2*cos(pi*(2*i + 1)/(2*m)) for i in range(m)]
    grid = [(a + b)/2 - (b - a)/2*cos(pi*i/(24*m)) for i in range(24*m + 1)]
    values, weights = [f(x) for x in grid], [weight(x) for x in grid]
    for _ in range(8):
        A, B = matrix(m, m), matrix(m, 1)
        for i, x in enumerate(points):
            for j in range(n + 1):
                A[i, j] = x**j
            A[i, n + 1] = (-1)**i/weight(x)
            B[i] = f(x)
        c = [v for v in lu_solve(A, B)][:n + 1]

        def p(x):
            s = mpf(0)
            for v in reversed(c):
                s = s*x + v
            return s
        error = [w*(p(x) - v) for x, v, w in zip(grid, values, weights)]
        peaks, i = [], 0                       # the largest of each run of one sign
        while i < len(grid):
            best, sign = i, error[i] >= 0
            while i < len(grid) and (error[i] >= 0) == sign:
                if abs(error[i]) > abs(error[best]):
                    best = i
                i += 1
            peaks.append(best)
        while len(peaks) > m:
            peaks.pop(0 if abs(error[peaks[0]]) < abs(error[peaks[-1]]) else -1)
        if len(peaks) < m:
            break
        points = [grid[k] for k in peaks]
    return c, max(abs(e) for e in error)


def show(name, c, error):
    print("/* %s: 2^%.1f */" % (name, float(log(error, 2))))
    for v in c:
        print("    " + repr(float(v)))


TINY = mpf(10)**-25

# e^r = 1 + r + r^2 P(r), |r| <= log(2)/2 and a little more: relative to e^r
half = log(mpf(2))/2*mpf("1.001")
show("exp", *remez(lambda r: (exp(r) - 1 - r)/r**2 if abs(r) > TINY else mpf(1)/2,
                   lambda r: r*r/exp(r) if abs(r) > TINY else TINY, -half, half, 9))

# atanh(s) = s + s z P(z), z = s^2, s = f/(2 + f), 1 + f in [sqrt(1/2), sqrt(2)]: relative to atanh(s)
top = ((sqrt(mpf(2)) - 1)/(sqrt(mpf(2)) + 1))**2*mpf("1.002")
show("log", *remez(lambda z: (atanh(sqrt(z))/sqrt(z) - 1)/z if z > TINY else mpf(1)/3,
                   lambda z: z*sqrt(z)/atanh(sqrt(z)) if z > TINY else TINY, 0, top, 6))


# log Gamma(3/2 + w) = (w + 1/2)(w - 1/2) q(w), |w| <= 3/4: relative
def quotient(w):
    for root in (mpf(-1)/2, mpf(1)/2):
        if abs(w - root) < mpf(10)**-20:
            w = root + mpf(10)**-20
    return loggamma(w + mpf(3)/2)/((w + mpf(1)/2)*(w - mpf(1)/2))


show("lgamma", *remez(quotient, lambda w: 1/quotient(w), mpf(-3)/4, mpf(3)/4, 28))


# log Gamma(x) = (x - 1/2)(log x - 1) + (log(2 pi) - 1)/2 + u S(u^2), u = 1/x <= 1/8: absolute, of u S
def stirling(w):
    if w < mpf(10)**-12:
        return mpf(1)/12 - w/360 + w*w/1260
    x = 1/sqrt(w)
    return x*(loggamma(x) - (x - mpf(1)/2)*log(x) + x - log(2*pi)/2)


show("Stirling", *remez(stirling, lambda w: sqrt(w) + mpf(1)/100, 0, mpf(1)/64, 5))
