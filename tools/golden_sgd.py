#!/usr/bin/env python3
"""Writes tests/golden/sgd_golden.h from reference trajectories.

    python3 tools/golden_sgd.py TRAJECTORIES.csv > tests/golden/sgd_golden.h

TRAJECTORIES.csv has rows objective,optimiser,t,x0,x1: the first 20 steps of each method, made with high-precision arithmetic (mpmath)
and rounded once to double. quadratic: gradient A x - b, A = [[3,.5],[.5,1]], b = (1,-2), from (2,-3). rosenbrock: from (-1.2,1).
Rates: sgd, momentum and nesterov 0.1 (quadratic), 0.001 (rosenbrock); momentum 0.9; nesterov: the stored point; adagrad 0.5, e 1e-8;
rmsprop 0.01, 0.9, e 1e-8; adadelta 0.95, e 1e-6; adam and amsgrad 0.1, 0.9, 0.999, e 1e-8."""
import csv
import sys

# In the order of bln_sgd_method.
METHODS = ["adam", "amsgrad", "rmsprop", "adagrad", "adadelta", "sgd", "momentum", "nesterov"]
STEPS = 20

points = {}
with open(sys.argv[1]) as f:
    for row in csv.DictReader(f):
        points[row["objective"], row["optimiser"], int(row["t"])] = (row["x0"], row["x1"])


def number(text):
    return text if "." in text or "e" in text else text + ".0"


print("/* Written by tools/golden_sgd.py: x_0 ... x_20 of each method, in the order of bln_sgd_method, made with high-precision\n"
      " * arithmetic and rounded once to double. Settings: see there. */\n"
      "#ifndef BLN_TESTS_SGD_GOLDEN_H\n#define BLN_TESTS_SGD_GOLDEN_H")
for objective in ("quadratic", "rosenbrock"):
    print("static const double golden_sgd_%s[%d][%d][2] = {" % (objective, len(METHODS), STEPS + 1))
    for method in METHODS:
        print("    {")
        for t in range(STEPS + 1):
            print("        { %s, %s }," % tuple(number(v) for v in points[objective, method, t]))
        print("    },")
    print("};")
print("#endif /* BLN_TESTS_SGD_GOLDEN_H */")
