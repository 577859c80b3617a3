#!/usr/bin/env python3
"""Writes tests/golden/bases_golden.h: features of the bases and kernels, by mpmath in 50 digits, rounded once to double.

    python3 tools/golden_bases.py > tests/golden/bases_golden.h              (mpmath)

Features by their definitions; F is any matrix, and the slopes dlogl (in the logarithms of the length scales) and dmu (in the
frequency's centre) are differences of sum F Phi. The Matern kernels are those of the Bessel function, whatever their order.

The low words are made in rational arithmetic: the exact monomial of the given doubles minus the product as the library rounds it,
factor by factor, rounded once."""
import itertools
import random
from fractions import Fraction

import mpmath as mp

mp.mp.dps = 50


def show(name, values):
    print("static const double %s[] TEST_UNUSED = {" % name)
    line = "   "
    for v in values:
        v = v if isinstance(v, str) else "%.17g" % float(v)
        if not any(c in v for c in ".e"):
            v += ".0"
        if len(line) + len(v) + 2 > 128:
            print(line)
            line = "   "
        line += " " + v + ","
    print(line)
    print("};")


def given(text):
    return [mp.mpf(float(t)) for t in text.split()]


def rows(values, columns):
    return [values[i:i + columns] for i in range(0, len(values), columns)]


def slope(f):
    h = mp.mpf(10)**-16
    return (f(h) - f(-h))/(2*h)


out = {"X": given("-0.395 0.264 0.607 -0.972 0.768 0.255 0.783 0.272 1.162 -0.938 1.776 1.202"), "ell": given("0.8 1.5 2.25")}
C = given("0.909 0.751 -0.026 0.653 -0.651 -1.829 1.679 0.477 -2.066")
z = given("-0.04 -1.258 2.574 0.482 0.644 -0.208 0.058 0.337 0.195 -0.609 0.615 0.49 -0.118 -0.719 -0.879")
mu, iso = given("0.026 0.295 0.183"), given("1.25")
B, perm, G, rho = given("-1 1 1 1"), [0, 2, 1, 3], given("0.955 0.525 -2.558 -1.535"), given("2.276 0.879 2.672 0.966")
X, ell, J = rows(out["X"], 3), out["ell"], 5


def numbers(name, n):
    r = random.Random("bases " + name)
    return [mp.mpf(round(r.gauss(0, 1), 3)) for _ in range(n)]


def distance2(x, c, ell):
    return sum(((a - b)/l)**2 for a, b, l in zip(x, c, ell))


def radial(ell):
    return [mp.exp(-distance2(x, c, ell)/2) for x in X for c in rows(C, 3)]


def sigmoid(ell):
    return [1/(1 + mp.exp(-mp.sqrt(distance2(x, c, ell)))) for x in X for c in rows(C, 3)]


def frequencies(ell, x):
    return [sum(x[i]/ell[i]*z[i*J + j] for i in range(3)) for j in range(J)]


def fourier(ell):
    out = []
    for x in X:
        Z = frequencies(ell, x)
        out += [mp.cos(v)/mp.sqrt(J) for v in Z] + [mp.sin(v)/mp.sqrt(J) for v in Z]
    return out


def spectral(ell, mu):
    out = []
    for x in X:
        Z, c = frequencies(ell, x), sum(m*v for m, v in zip(mu, x))
        out += [f(v)*g(c)/mp.sqrt(J) for f in (mp.cos, mp.sin) for g in (mp.cos, mp.sin) for v in Z]
    return out


def hadamard(n):
    """Sylvester's matrix: the sign of (i, j) is the parity of the bits that they share."""
    return mp.matrix([[(-1)**bin(i & j).count("1") for j in range(n)] for i in range(n)])


def fastfood_matrix():
    """d^-1/2 S H G P H B with S = rho/|G|."""
    P = mp.matrix(4, 4)
    for q, p in enumerate(perm):
        P[q, p] = 1
    norm = mp.sqrt(sum(g*g for g in G))
    return mp.diag([r/norm for r in rho])*hadamard(4)*mp.diag(G)*P*hadamard(4)*mp.diag(B)/2


def fastfood(ell):
    V, out = fastfood_matrix(), []
    for x in X:
        Z = V*mp.matrix([x[i]/ell[i] for i in range(3)] + [0])
        out += [mp.cos(v)/2 for v in Z] + [mp.sin(v)/2 for v in Z]
    return out


def contraction(name, F, features, ell=ell):
    """Slopes of sum F Phi in the logarithm of each length scale."""
    def moved(k, h):
        return sum(f*p for f, p in zip(F, features([l*mp.exp(h*(i == k or len(ell) == 1)) for i, l in enumerate(ell)])))
    out[name] = [slope(lambda h, k=k: moved(k, h)) for k in range(len(ell))]


out["poly3"] = [v for x in X for v in [mp.mpf(1)] + [t**p for t in x for p in (1, 2, 3)]]
out["C"], out["F3"] = C, numbers("F3", 12)
out["radial"] = radial(ell)
contraction("radial_dlogl", out["F3"], radial)
out["sigmoid"] = sigmoid(ell)
contraction("sigmoid_dlogl", out["F3"], sigmoid)
out["rff_z"], out["rff_Phi"], out["rff_F"] = z, fourier(ell), numbers("rff", 40)
contraction("rff_dlogl", out["rff_F"], fourier)
out["rff_iso_ell"] = iso
contraction("rff_iso_dlogl", out["rff_F"], lambda ell: fourier(ell*3), iso)
out["fwht_in"] = numbers("fwht", 16)
out["fwht_out"] = list(hadamard(16)*mp.matrix(out["fwht_in"]))
out["ff_B"], out["ff_perm"], out["ff_G"], out["ff_rho"] = B, perm, G, rho
out["ff_V"], out["ff_Phi"], out["ff_F"] = list(fastfood_matrix()), fastfood(ell), numbers("ff", 32)
contraction("ff_dlogl", out["ff_F"], fastfood)
out["sm_mu"], out["sm_Phi"], out["sm_F"] = mu, spectral(ell, mu), numbers("sm", 80)
contraction("sm_dlogl", out["sm_F"], lambda ell: spectral(ell, mu))
out["sm_dmu"] = [slope(lambda h, k=k: sum(f*p for f, p in zip(out["sm_F"], spectral(ell, [m + h*(i == k) for i, m in enumerate(mu)]))))
                 for k in range(3)]


def matern(nu, r):
    x = mp.sqrt(2*nu)*r
    return mp.mpf(2)**(1 - nu)/mp.gamma(nu)*x**nu*mp.besselk(nu, x) if r else mp.mpf(1)


R, FEW = given("0 1e-6 0.3 1 2.7 8 30"), given("0.3 1 2.7 8 30")
HALF = mp.mpf(1)/2
kernels = {"rbf": [(r, mp.exp(-r*r/2)) for r in R], "matern12": [(r, matern(HALF, r)) for r in R[1:]],
           "matern32": [(r, matern(3*HALF, r)) for r in R], "matern52": [(r, matern(5*HALF, r)) for r in R],
           "cauchy": [(r, 1/(1 + r*r)) for r in R],
           "matern": [(nu, r, matern(nu, r)) for nu in given("0.5 1.5 2.2") for r in FEW],
           "rq": [(a, r, (1 + r*r/(2*a))**-a) for a in given("1.7") for r in R]}


def low_words(x, monomials):
    """The exact monomials, each a non-decreasing tuple of inputs, minus what rounded products make of them."""
    high = {(): 1.0}
    for m in monomials:
        high[m] = x[m[0]]*high[m[1:]]
    return ["%.17g" % float(sum_exact(x, m) - Fraction(high[m])) for m in monomials]


def sum_exact(x, m):
    value = Fraction(1)
    for i in m:
        value *= Fraction(x[i])
    return value


random.seed(1)
powers_x = [random.gauss(0, 1) for _ in range(4)] + [-8.781464495, 1 + 2.0**-52, 1e-20, 3e14]
products_x = [random.gauss(0, 2) for _ in range(9)]
POWERS, DEGREE = 12, 4
print("/* bases_golden.h - reference values of the bases, computed with high-precision arithmetic (mpmath) from exactly")
print(" * these inputs and rounded once to double. Written by tools/golden_bases.py. X 4 x 3, ell 3; poly3 [bases 4], order 3, ones;")
print(" * rff_z 3 x 5, rff_Phi and rff_F 4 x 10, rff_dlogl 3 and with one length scale rff_iso_* [bases 13, 14];")
print(" * C 3 x 3, F3 4 x 3, radial, sigmoid 4 x 3 and their contractions with F3 [bases 6-9]; legendre: x, then degrees 0-6 [bases 5];")
print(" * fwht_in, fwht_out 16 [bases 26]; ff_B, ff_perm, ff_G, ff_rho 4, ff_V 4 x 4, ff_Phi and ff_F 4 x 8, ff_dlogl 3 [bases 24, 27];")
print(" * sm_mu 3, sm_Phi and sm_F 4 x 20, sm_dlogl, sm_dmu 3, frequencies rff_z [bases 29, 30];")
print(" * golden_kernel_NAME: pairs r, k(r) [bases 15], for matern and rq triples nu or alpha, r, k(r). low_powers: low words of")
print(" * x, x^2, ..., x^12 for each x of low_powers_x; low_products: those of all monomials of degrees 1-4 of the rows of")
print(" * low_products_x (n x 3). */")
print("#ifndef BLN_TESTS_BASES_GOLDEN_H")
print("#define BLN_TESTS_BASES_GOLDEN_H")
for name, values in out.items():
    show("golden_bases_" + name, values)
show("golden_bases_legendre", [v for x in given("-0.9 0 0.35 1") for v in [x] + [mp.legendre(k, x)*mp.sqrt(2*k + 1) for k in range(7)]])
for name, values in kernels.items():
    show("golden_kernel_" + name, [v for row in values for v in row])
show("golden_low_powers_x", ["%.17g" % x for x in powers_x])
show("golden_low_powers", [v for x in powers_x for v in low_words([x], [(0,)*k for k in range(1, POWERS + 1)])])
show("golden_low_products_x", ["%.17g" % x for x in products_x])
show("golden_low_products", [v for i in range(0, 9, 3) for v in low_words(products_x[i:i + 3], [
    m for t in range(1, DEGREE + 1) for m in itertools.combinations_with_replacement(range(3), t)])])
print("#endif /* BLN_TESTS_BASES_GOLDEN_H */")
