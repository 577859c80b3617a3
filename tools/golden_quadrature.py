#!/usr/bin/env python3
"""Writes the tables of quadrature rules (to 17 digits, computed with 60), and the golden header of Gauss-Hermite rules.

    python3 tools/golden_quadrature.py                              prints the tables of src/math/quadrature.c
    python3 tools/golden_quadrature.py golden > tests/golden/quadrature_golden.h            (numpy, mpmath)

The golden rules are found by another way than those of the tables: Newton's method on the Hermite polynomial, not polynomial roots,
and for the weight e^(-x^2). The Kronrod nodes are the
roots of the Stieltjes polynomial, which is orthogonal to all lower degrees under the weight P_n (Kronrod 1965); weights integrate
the Legendre polynomials exactly."""
import sys

import mpmath as mp
import numpy

mp.mp.dps = 60


def show(x):
    return mp.nstr(x, 17, min_fixed=-3, max_fixed=3)


def hermite(n):
    """Nodes >= 0 and weights of the standard normal distribution."""
    roots = mp.polyroots([mp.mpf(c) for c in coefficients(n)], maxsteps=500, extraprec=600)
    rows = []
    for z in sorted(r.real for r in roots):
        if z < -1e-30:
            continue
        p = [mp.mpf(1), z]
        for j in range(1, n):
            p.append((z*p[j] - mp.sqrt(j)*p[j - 1])/mp.sqrt(j + 1))
        rows.append((z, 1/sum(x*x for x in p[:n])))
    return rows


def coefficients(n):
    """He_n, highest power first."""
    a, b = [1], [1, 0]
    for j in range(1, n):
        c = b + [0]
        for i, x in enumerate(a):
            c[i + 2] -= j*x
        a, b = b, c
    return b


def legendre(n):
    return [mp.mpf(c) for c in mp.taylor(lambda x: mp.legendre(n, x), 0, n)][::-1]


def times(a, b):
    c = [mp.mpf(0)]*(len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            c[i + j] += x*y
    return c


def moment(k):
    return mp.mpf(2)/(k + 1) if k % 2 == 0 else mp.mpf(0)


def weights(nodes):
    n = len(nodes)
    A = mp.matrix(n, n)
    b = mp.matrix(n, 1)
    for k in range(n):
        for i, x in enumerate(nodes):
            A[k, i] = mp.legendre(k, x)
        b[k] = 2 if k == 0 else 0
    return list(mp.lu_solve(A, b))


def kronrod(n):
    p = legendre(n)
    A = mp.matrix(n + 1, n + 1)
    b = mp.matrix(n + 1, 1)
    for k in range(n + 1):
        for j in range(n + 1):
            A[k, j] = sum(c*moment(n - i + j + k) for i, c in enumerate(p))
        b[k] = -sum(c*moment(n - i + n + 1 + k) for i, c in enumerate(p))
    e = list(mp.lu_solve(A, b)) + [mp.mpf(1)]
    gauss = sorted(r.real for r in mp.polyroots(p, maxsteps=500, extraprec=600))
    other = sorted(r.real for r in mp.polyroots(e[::-1], maxsteps=500, extraprec=600))
    nodes = sorted(gauss + other)
    return nodes, weights(nodes), gauss, weights(gauss)


def physicists(n):
    """Nodes and weights/sqrt(pi) of the weight e^(-x^2): Newton's method on H_n from the eigenvalues in double."""
    rows = []
    for start in numpy.polynomial.hermite.hermgauss(n)[0]:
        x = mp.mpf(float(start))
        for _ in range(6):
            x -= mp.hermite(n, x)/(2*n*mp.hermite(n - 1, x))
        x = mp.mpf(0) if abs(x) < 1e-20 else x
        rows.append((x, mp.mpf(2)**(n - 1)*mp.factorial(n)/(n*mp.hermite(n - 1, x))**2))
    return rows


if sys.argv[1:] == ["golden"]:
    print("/* quadrature_golden.h - Gauss-Hermite rules of the weight e^(-x^2) in high precision (mpmath), rounded once to double:")
    print(" * number of nodes, x, omega = weight/sqrt(pi). Written by tools/golden_quadrature.py. */")
    print("#ifndef BLN_TESTS_QUADRATURE_GOLDEN_H\n#define BLN_TESTS_QUADRATURE_GOLDEN_H")
    print("static const double golden_gauss_hermite[][3] TEST_UNUSED = {")
    for n in (1, 2, 3, 5, 8, 16, 20, 32, 64):
        for row in physicists(n):
            text = ["%.17g" % v for v in row]
            print("    { %d.0, %s, %s }," % (n, *(t if any(c in t for c in ".en") else t + ".0" for t in text)))
    print("};\n#endif /* BLN_TESTS_QUADRATURE_GOLDEN_H */")
else:
    for n in (4, 8, 16):
        print("hermite", n)
        for z, w in hermite(n):
            print("    { %s, %s }," % (show(z), show(w)))
    nodes, w, gauss, wg = kronrod(10)
    print("kronrod 21: node, weight, weight of the Gauss rule")
    for x, a in zip(nodes, w):
        if x < -1e-30:
            continue
        g = [b for y, b in zip(gauss, wg) if abs(x - y) < 1e-20]
        print("    { %s, %s, %s }," % (show(abs(x)), show(a), show(g[0]) if g else "0.0"))
