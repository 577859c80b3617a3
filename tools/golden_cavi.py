#!/usr/bin/env python3
"""Writes tests/golden/cavi_golden.h: fixed points of coordinate ascent with augmented likelihoods, by mpmath in 30 digits.

    python3 tools/golden_cavi.py CAVI.csv DATA_GP.csv > tests/golden/cavi_golden.h

Both are case, name, i, j, value. The rows, priors and parameters are those of gibbs_golden.h and augment_golden.h."""
import csv
import sys

NAMES = ["bernoulli", "binomial", "probit", "negbin", "studentt", "laplace", "ald", "poisson", "poisson_mllam"]
table = {}
for path in sys.argv[1:3]:
    for r in csv.DictReader(open(path)):
        table[r["case"], r["name"], int(r["i"]), int(r["j"])] = r["value"]


def block(case, name, rows, columns=1):
    return ", ".join(table[case, name, i, j] for i in range(rows) for j in range(columns))


print("/* cavi_golden.h - fixed points of coordinate ascent. Written by tools/golden_cavi.py. */")
print("#ifndef BLN_TESTS_CAVI_GOLDEN_H")
print("#define BLN_TESTS_CAVI_GOLDEN_H")
print("/* In the order of golden_gibbs; the bound after each of the first six sweeps from q = prior. The last row has the rate of the")
print(" * Poisson likelihood at its best, sweep by sweep. */")
print("static const struct { double mean[2], cov[4], bound, sweep[6]; } golden_cavi[] TEST_UNUSED = {")
print(",\n".join("    { { %s }, { %s },\n      %s, { %s } }"
                 % (block(c, "m0", 2), block(c, "S0", 2, 2), block(c, "elbo", 1), block(c, "elbo_sweep", 6)) for c in NAMES))
print("};")
print("static const double golden_cavi_rate TEST_UNUSED = %s;" % table["poisson_mllam", "lam", 0, 0])
print("/* Five rows of two classes, f ~ N(0, K). */")
print("static const double golden_cavi_K[25] TEST_UNUSED = { %s };" % block("gp", "K", 5, 5))
print("static const double golden_cavi_y[5] TEST_UNUSED = { %s };" % block("gp", "y", 5))
print("static const struct { double mean[5], cov[25], bound; } golden_cavi_gp TEST_UNUSED = {")
print("    { %s },\n    { %s },\n    %s\n};" % (block("gp_bernoulli", "m0", 5), block("gp_bernoulli", "S0", 5, 5),
                                               block("gp_bernoulli", "elbo", 1)))
print("#endif /* BLN_TESTS_CAVI_GOLDEN_H */")
