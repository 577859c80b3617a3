#!/usr/bin/env python3
"""Writes tests/golden/bases_golden.h from the reference values of the bases and the kernels.

    python3 tools/golden_bases.py BASES.csv KERNELS.csv > tests/golden/bases_golden.h

BASES.csv has rows key,i,j,value, KERNELS.csv rows kernel,par,r,k,kappa, both made with high-precision arithmetic (mpmath) from
exactly the inputs that they also hold and rounded once to double. Taken are the keys of the bases that the library has, as
row-major arrays `golden_bases_KEY`, and for each kernel the pairs r, k(r) as `golden_kernel_NAME`, or triples parameter, r, k(r).

The low words are made here in rational arithmetic: the exact monomial of the given doubles minus the product as the library rounds
it, factor by factor, rounded once."""
import csv
import itertools
import random
import re
import sys
from fractions import Fraction

KEYS = ["X", "ell", "poly3", "C", "F3", "radial", "radial_dlogl", "sigmoid", "sigmoid_dlogl",
        "rff_z", "rff_Phi", "rff_F", "rff_dlogl", "rff_iso_ell", "rff_iso_dlogl"]
KEYS += ["fwht_in", "fwht_out", "ff_B", "ff_perm", "ff_G", "ff_rho", "ff_V", "ff_Phi", "ff_F", "ff_dlogl",
         "sm_mu", "sm_Phi", "sm_F", "sm_dlogl", "sm_dmu"]
KERNELS = {"rbf": "rbf", "laplace2": "matern12", "matern32": "matern32", "matern52": "matern52", "cauchy": "cauchy"}
SHAPED = {"matern_nu": "matern", "rq": "rq"}


def show(name, values):
    print("static const double %s[] TEST_UNUSED = {" % name)
    line = "   "
    for v in values:
        if not re.search(r"[.e]", v):
            v += ".0"
        if len(line) + len(v) + 2 > 128:
            print(line)
            line = "   "
        line += " " + v + ","
    print(line)
    print("};")


rows = {}
with open(sys.argv[1]) as f:
    for r in csv.DictReader(f):
        rows.setdefault(r["key"], []).append((int(r["i"] or 0), int(r["j"] or 0), r["value"]))
kernels = {}
with open(sys.argv[2]) as f:
    for r in csv.DictReader(f):
        kernels.setdefault(r["kernel"], []).extend(([r["par"]] if r["kernel"] in SHAPED else []) + [r["r"], r["k"]])


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
for key in KEYS:
    show("golden_bases_" + key, [v for _, _, v in sorted(rows[key])])
legendre = []
for key in sorted(k for k in rows if k.startswith("legendre_x=")):
    legendre += [key.split("=")[1]] + [v for _, _, v in sorted(rows[key])]
show("golden_bases_legendre", legendre)
for key, name in list(KERNELS.items()) + list(SHAPED.items()):
    show("golden_kernel_" + name, kernels[key])
show("golden_low_powers_x", ["%.17g" % x for x in powers_x])
show("golden_low_powers", [v for x in powers_x for v in low_words([x], [(0,)*k for k in range(1, POWERS + 1)])])
show("golden_low_products_x", ["%.17g" % x for x in products_x])
show("golden_low_products", [v for i in range(0, 9, 3) for v in low_words(products_x[i:i + 3], [
    m for t in range(1, DEGREE + 1) for m in itertools.combinations_with_replacement(range(3), t)])])
print("#endif /* BLN_TESTS_BASES_GOLDEN_H */")
