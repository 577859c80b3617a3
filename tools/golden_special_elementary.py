#!/usr/bin/env python3
"""Golden values of tests/math/test_special_elementary.c:

    python3 tools/golden_special_elementary.py > tests/golden/special_elementary_golden.h

Each row: x, y (0 for functions of one argument), then the value as the nearest double and the nearest double of the remainder
(mpmath, 60 digits, 400 for angles). Points of all sizes with a fixed seed, ends of the range, both sides of the places where a
formula changes, and where sweeps (see special_elementary.c) found the largest errors."""
import math
import random
import mpmath
from mpmath import mp, mpf

random.seed(11)


def uniform(n, a, b):
    return [random.uniform(a, b) for _ in range(n)]


def sizes(n, a, b):
    """n numbers of both signs with logarithms (base 10) between a and b"""
    return [random.choice((-1, 1))*10.0**random.uniform(a, b) for _ in range(n)]


def around(*places):
    return [v for x in places for v in (math.nextafter(x, -math.inf), x, math.nextafter(x, math.inf))]


def pairs(xs, ys):
    return list(zip(xs, ys))


positive = around(1.0, 2.0, 0.5, 1e-300, 0.7071067811865476, 1.4142135623730951)
positive += [5e-324, 1e-310, 2.2250738585072014e-308, 1.7976931348623157e308, 10.0, 1e15, 1e22]
positive += uniform(12, 0.5, 2.0) + [abs(v) for v in sizes(12, -323.0, 308.0)] + [1.0 + v for v in sizes(8, -15.0, -1.0)]
angles = around(0.785, 0.7853981633974483, 1.5707963267948966, 3.141592653589793, -4.71238898038469)
angles += [1e-300, 1e-9, -1e-5, 1e6, -123456789.0, 1e15, 1e22, -1e300, 1.7976931348623157e308]
angles += [0.7664194006981544, 438.99105389646655, 0.7798332904318546, 2.3748626936087796, -0.7856784185509723,
           -22.784805121715145, -0.7826795049904638]
angles += uniform(20, -0.785, 0.785) + uniform(12, -30.0, 30.0) + sizes(10, -5.0, 6.0)


def seeded(name):
    """The name of a function whose points are drawn next, from a stream of its own."""
    random.seed("11 " + name)
    return name


POINTS = {
    seeded("exp"): [1.0, -1.0, 1e-20, 5e-324, 709.782712893384, -708.5, -740.0, -745.1, 0.34657359027997264]
    + uniform(15, -1.0, 1.0) + uniform(15, -745.0, 709.7) + sizes(10, -15.0, 2.5),
    seeded("expm1"): around(0.03125, -0.03125, 1e-17) + [5e-324, -1e-300, 709.782712893384, -37.0, -50.0, -700.0, 69.5, 70.5]
    + uniform(15, -0.05, 0.05) + uniform(15, -2.0, 2.0) + uniform(10, -40.0, 709.0) + sizes(8, -17.0, 0.0)
    + [0.027918669908638463, -0.029065573026328284, 0.030010043558530423],
    seeded("log"): positive,
    seeded("log1p"): around(0.015625, -0.015625, 1e-17, -0.5) + [5e-324, -1e-300, 1.7976931348623157e308, -0.9999999999999999]
    + uniform(15, -0.05, 0.05) + uniform(15, -1.0, 3.0) + [abs(v) for v in sizes(10, -20.0, 308.0)],
    seeded("log10"): positive + [10.0**k for k in (3, 8, 14, 22)],
    seeded("cos"): angles,
    seeded("tan"): [x for x in angles if abs(x) < 1e22],
    seeded("sinh"): around(0.25, 40.0, -710.4) + [5e-324, 1e-9, -0.2448989047497514] + uniform(15, -0.5, 0.5) + uniform(10, -3.0, 3.0)
    + uniform(8, -710.0, 710.0) + sizes(8, -17.0, 0.0),
    seeded("cosh"): around(40.0, -710.4) + [1e-9] + uniform(12, -1.0, 1.0) + uniform(10, -3.0, 3.0) + uniform(8, -710.0, 710.0),
    seeded("asinh"): around(1e-9, 1e9, 0.015) + [5e-324, 1e-200, -1.7976931348623157e308] + uniform(15, -1.0, 1.0) + uniform(10, -5.0, 5.0)
    + sizes(15, -17.0, 300.0),
    seeded("hypot"): [(3.0, 4.0), (1e300, 1e300), (5e-324, 5e-324), (1e-310, 2e-310), (1.7e308, 4e307), (0.0, -2.5), (1.0, 1e-200)]
    + pairs(uniform(20, -1.0, 1.0), uniform(20, -1.0, 1.0)) + pairs(uniform(15, 1.0, 2.0), sizes(15, -9.0, 0.0)),
    seeded("atan2"): [(1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 1.0), (1e300, 1e-300), (1e-200, 1e100), (5e-324, 1.0), (-2.0, -2.0),
              (1e308, 1e308), (math.pi, 36.7)]
    + [(v, 1.0) for k in range(8) for v in around((k + 0.5)/8)]
    + pairs(uniform(20, -1.0, 1.0), uniform(20, -1.0, 1.0)) + pairs([math.pi]*12, uniform(12, -40.0, 40.0)),
}


def value(name, x, y):
    with mp.workdps(400 if name in ("cos", "tan") else 60):
        x, y = mpf(x), mpf(y)
        if name == "log10":
            return mpmath.log(x)/mpmath.log(mpf(10))
        return getattr(mpmath, name)(x, y) if name in ("hypot", "atan2") else getattr(mpmath, name)(x)


print("/* Written by tools/golden_special_elementary.py, which says how. x, y; value hi + lo. */")
print("#ifndef BLN_TESTS_SPECIAL_ELEMENTARY_GOLDEN_H\n#define BLN_TESTS_SPECIAL_ELEMENTARY_GOLDEN_H")
for name, points in POINTS.items():
    print("\nstatic const double golden_elementary_%s[][4] = {" % name)
    for p in points:
        x, y = p if isinstance(p, tuple) else (p, 0.0)
        with mp.workdps(60):
            v = value(name, x, y)
            hi = float(v)
            print("    { %r, %r, %r, %.3g }," % (x, y, hi, float(v - mpf(hi))))
    print("};")
print("\n#endif /* BLN_TESTS_SPECIAL_ELEMENTARY_GOLDEN_H */")
