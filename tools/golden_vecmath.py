#!/usr/bin/env python3
"""Writes tests/golden/vecmath_golden.h: sine and cosine of angles in quarter turns, to about 100 bits.

    python3 tools/golden_vecmath.py > tests/golden/vecmath_golden.h

Each row: z, then sin(pi/2 z) and cos(pi/2 z), each as the nearest double and the nearest double of the remainder (mpmath,
80 digits)."""
import random
from mpmath import mp, mpf, sinpi, cospi, fmod

mp.dps = 80
random.seed(5)
points = [0.0, 0.25, 0.5, -0.5, 1.0, -1.0, 1.5, 2.0, -2.0, 3.0, 4.0, -7.0, 1e-300, -1e-20, 1e-9, 0.4999999999999999,
          0.5000000000000001, 0.9999999999999999, 1.0000000000000002, 2.5, -3.5, 1e6 + 0.375, -123456789.4375, 2.0**50 + 0.25,
          2.0**50 - 0.125, 2.0**51 + 0.5, -(2.0**52) + 1.0, 2.0**53 + 2.0, 1e18, -1e300, 1.7976931348623157e308]
points += [random.uniform(-0.5, 0.5) for _ in range(80)]
points += [random.uniform(-30.0, 30.0) for _ in range(60)]
points += [random.choice((-1, 1))*10.0**random.uniform(-12.0, 12.0) for _ in range(40)]


def parts(x):
    hi = float(x)
    return [hi, float(x - mpf(hi))]


print("/* vecmath_golden.h - z, sin(pi/2 z) and cos(pi/2 z), each as a double and what it lacks; 80-digit arithmetic (mpmath).")
print(" * Written by tools/golden_vecmath.py. */")
print("static const double golden_sincos[] TEST_UNUSED = {")
for z in points:
    turn = fmod(mpf(z), 4)
    print("    " + ", ".join(repr(v) for v in [z] + parts(sinpi(turn/2)) + parts(cospi(turn/2))) + ",")
print("};")
