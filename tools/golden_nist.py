#!/usr/bin/env python3
"""Writes tests/golden/nist_golden.h: the linear least-squares sets of NIST, with certified and exact results.

    python3 tools/golden_nist.py > tests/golden/nist_golden.h                (mpmath)

tests/golden/data/nist holds NAME.csv (columns x or x1.., then y) and certified.csv (set, quantity, value, sd). `exact` is the solution of the
problem as a computer sees it: data rounded to double, powers of x as rounded products (`given`), or as the polynomial in the rounded x with
exact powers (`powers`); solved in rational arithmetic and rounded once."""
import csv
import os
from fractions import Fraction

from mpmath import mp, mpf, sqrt

mp.dps = 60
folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "golden", "data", "nist")
SETS = [("norris", 1, True), ("pontius", 2, True), ("noint1", 1, False), ("noint2", 1, False), ("longley", 0, True), ("filip", 10, True)]
SETS += [("wampler%d" % k, 5, True) for k in range(1, 6)]


def real(q):
    return mpf(q.numerator)/mpf(q.denominator)


def solve(X, y):
    """(coefficients, standard errors, residual standard deviation), from the normal equations by rational elimination."""
    n, p = len(X), len(X[0])
    A = [[sum(X[k][i]*X[k][j] for k in range(n)) for j in range(p)] + [Fraction(int(i == j)) for j in range(p)]
         + [sum(X[k][i]*y[k] for k in range(n))] for i in range(p)]
    for i in range(p):
        A[i] = [v/A[i][i] for v in A[i]]
        for k in range(p):
            if k != i:
                f = A[k][i]
                A[k] = [a - f*b for a, b in zip(A[k], A[i])]
    b = [A[i][-1] for i in range(p)]
    rss = sum((y[k] - sum(X[k][i]*b[i] for i in range(p)))**2 for k in range(n))
    s2 = rss/(n - p)
    return [float(v) for v in b], [float(sqrt(real(s2*A[i][p + i]))) for i in range(p)], float(sqrt(real(s2)))


def array(name, values):
    print("static const double golden_nist_%s[] TEST_UNUSED = {" % name)
    line = "   "
    for v in values:
        v = repr(float(v))
        if len(line) + len(v) + 2 > 128:
            print(line)
            line = "   "
        line += " " + v + ","
    print(line + "\n};")


certified = {}
with open(os.path.join(folder, "certified.csv")) as f:
    for r in csv.DictReader(f):
        certified.setdefault(r["set"], {})[r["quantity"]] = (r["value"], r["sd"])
print("/* nist_golden.h - linear regression sets of NIST's Statistical Reference Datasets (public domain), as read from their decimals into")
print(" * double; certified: coefficients, their standard deviations, then the residual standard deviation; exact_given and exact_powers:")
print(" * the same of the rounded problem in rational arithmetic. Written by tools/golden_nist.py. */")
print("#ifndef BLN_TESTS_NIST_GOLDEN_H\n#define BLN_TESTS_NIST_GOLDEN_H")
table = []
for name, degree, ones in SETS:
    with open(os.path.join(folder, name + ".csv")) as f:
        rows = [[float(v) for v in r] for r in list(csv.reader(f))[1:]]
    given, powers = [], []
    for r in rows:
        if degree == 0:
            given.append([1.0] + r[:-1])
            powers.append([Fraction(v) for v in given[-1]])
        else:
            p, row = 1.0, []
            for k in range(degree + 1):
                row.append(p)
                p = p*r[0]
            given.append(row if ones else row[1:])
            powers.append([Fraction(r[0])**k for k in range(0 if ones else 1, degree + 1)])
    y = [Fraction(r[-1]) for r in rows]
    c = certified[name]
    first = 0 if "b0" in c else 1
    p = len(given[0])
    array(name + "_data", [v for r in rows for v in r])
    array(name + "_certified", [float(c["b%d" % (k + first)][0]) for k in range(p)] + [float(c["b%d" % (k + first)][1]) for k in range(p)]
          + [float(c["residual_sd"][0])])
    b, sd, s = solve([[Fraction(v) for v in r] for r in given], y)
    array(name + "_exact_given", b + sd + [s])
    b, sd, s = solve(powers, y)
    array(name + "_exact_powers", b + sd + [s])
    table.append('    { "%s", %d, %d, %d, %d, golden_nist_%s_data, golden_nist_%s_certified, golden_nist_%s_exact_given, golden_nist_%s_exact_powers },'
                 % (name, len(rows), len(rows[0]) - 1, p, degree, name, name, name, name))
print("""typedef struct golden_nist_set {
    const char *name;
    size_t n, d, p, degree;      /* rows, columns of x, weights, degree of the polynomial (0: the columns themselves) */
    const double *data, *certified, *exact_given, *exact_powers;
} golden_nist_set;
static const golden_nist_set golden_nist[] TEST_UNUSED = {""")
for line in table:
    if len(line) > 128:
        k = line.rfind(", ", 0, 120)
        line = line[:k + 1] + "\n      " + line[k + 2:]
    print(line)
print("};\n#endif /* BLN_TESTS_NIST_GOLDEN_H */")
