#!/usr/bin/env python3
"""Writes tests/golden/vecmath_golden.h: the functions of >>vecmath at points of all sizes, to about 100 bits.

    python3 tools/golden_vecmath.py > tests/golden/vecmath_golden.h

Each row: x, then the value as the nearest double and the nearest double of the remainder (mpmath, 80 digits; two values for sine
and cosine). Among the points are those where a sweep of some millions found the largest errors."""
import random
from mpmath import mp, mpf, sinpi, cospi, fmod, exp, log, log1p, loggamma

mp.dps = 80
random.seed(5)


def parts(x):
    hi = float(x)
    return [hi, float(x - mpf(hi))]


def table(name, points, *functions):
    print("static const double golden_%s[] TEST_UNUSED = {" % name)
    for x in points:
        row = [x]
        for f in functions:
            row += parts(f(mpf(x)))
        print("    " + ", ".join(repr(v) for v in row) + ",")
    print("};")


def uniform(n, a, b):
    return [random.uniform(a, b) for _ in range(n)]


def sizes(n, a, b):
    """n numbers of both signs with logarithms (base 10) between a and b"""
    return [random.choice((-1, 1))*10.0**random.uniform(a, b) for _ in range(n)]


angles = [0.0, 0.25, 0.5, -0.5, 1.0, -1.0, 1.5, 2.0, -2.0, 3.0, 4.0, -7.0, 1e-300, -1e-20, 1e-9, 0.4999999999999999,
          0.5000000000000001, 0.9999999999999999, 1.0000000000000002, 2.5, -3.5, 1e6 + 0.375, -123456789.4375, 2.0**50 + 0.25,
          2.0**50 - 0.125, 2.0**51 + 0.5, -(2.0**52) + 1.0, 2.0**53 + 2.0, 1e18, -1e300, 1.7976931348623157e308]
angles += uniform(80, -0.5, 0.5) + uniform(60, -30.0, 30.0) + sizes(40, -12.0, 12.0)
angles += [0.3316673240382324, -0.33063831272280109, 1.6769077695903114, -8.3319717585518038, -0.33099575290434957,
           -0.019808753550311309, 0.48849913641227838, -0.49747162381142063, 4.6668164722186418, 9.0097107073543725]

# subnormal results, the largest finite one, the first that is 0
powers = [1.0, -1.0, 1e-20, -1e-300, 5e-324, 0.34657359027997264, 0.34657359027997270, -0.34657359027997264, 709.0, 709.78271289338397,
          -708.0, -708.39641853226408, -708.39641853226420, -710.0, -720.5, -740.0, -744.44007192138122, -745.13321910194111]
powers += uniform(60, -1.0, 1.0) + uniform(60, -745.0, 709.7) + sizes(30, -15.0, 2.5)
powers += [0.36466857689072429, 0.35738744402036904, 315.73732560926271, 105.01911135897217, -708.03288626319875]

numbers = [1.0, 2.0, 0.5, 10.0, 0.70710678118654746, 0.70710678118654757, 1.4142135623730949, 1.4142135623730951, 5e-324, 1.5e-323,
           1e-310, 2.2250738585072009e-308, 2.2250738585072014e-308, 1.7976931348623157e308, 0.9999999999999999, 1.0000000000000002]
numbers += uniform(60, 0.5, 2.0) + [abs(v) for v in sizes(80, -323.0, 308.0)] + [1.0 + v for v in sizes(30, -15.0, -1.0)]
numbers += [1.4010140139193805, 1.4046972676355616, 0.63038546805094053, 0.99055751472815234]

# Numbers that a function took which is gone: so that those of the next ones stay as they are.
uniform(80, -1.0, 1.0) + uniform(40, -22.0, 22.0) + sizes(40, -18.0, 1.0)

logits = [0.0, 1e-300, -1e-20, 0.88137358701954294, -0.88137358701954305, -0.88137358701954294, 36.7, 37.0, -37.0, 700.0, 745.0, -700.0,
          -708.39641853226408, -709.9, -720.5, -740.0, -744.44007192138122, -745.13321910194111, -1.0, 1.0, 1e10, 1e300]
logits += uniform(60, -2.0, 2.0) + uniform(60, -40.0, 40.0) + uniform(20, -745.0, 745.0)
logits += [-1.9521985743320425, -8.3175702486508385, -1.9717089598748676, -0.77397910658106817, -0.80759337493497441,
           -0.78830429351300069, -12.774678862145606]

gammas = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 171.0, 0.5, 1.5, 2.5, 0.75, 0.74999999999999989, 2.25, 2.2500000000000004,
          3.25, 7.9999999999999991, 1.4616321449683623, 0.9999999999999999, 1.0000000000000002, 1.9999999999999998, 2.0000000000000004,
          5e-324, 1e-310, 2.2250738585072014e-308, 1e-100, 1e-17, 1e5, 1e15, 1e17, 1e100, 2.5e305]
gammas += uniform(40, 0.0, 0.75) + uniform(60, 0.75, 2.25) + uniform(60, 2.25, 8.0) + uniform(40, 8.0, 100.0)
gammas += [abs(v) for v in sizes(40, -300.0, 305.0)] + [1.0 + v for v in sizes(20, -14.0, -1.0)]
gammas += [2.0 + v for v in sizes(20, -14.0, -1.0)]
gammas += [0.74464817892141033, 0.72998900600812655, 2.2479095204249542, 0.98677045059416801, 3.2669419482308752, 26.830789078965893,
           27.466871563965192, 0.99916761128381315, 0.99917255688591966, 2.0001266043877504, 2.0001370373501799]

print("/* vecmath_golden.h - x and functions of it, each as a double and what it lacks; 80-digit arithmetic (mpmath).")
print(" * Written by tools/golden_vecmath.py. */")
table("sincos", angles, lambda z: sinpi(fmod(z, 4)/2), lambda z: cospi(fmod(z, 4)/2))
table("exp", powers, exp)
table("log", numbers, log)
table("log1pexp", logits, lambda x: max(x, mpf(0)) + log1p(exp(-abs(x))))
table("lgamma", gammas, loggamma)
