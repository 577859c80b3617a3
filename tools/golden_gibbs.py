#!/usr/bin/env python3
"""Writes tests/golden/gibbs_golden.h: exact posterior moments of two weights under six rows, by quadrature.

    python3 tools/golden_gibbs.py DATA.csv POSTERIOR.csv > tests/golden/gibbs_golden.h

Both are case, name, i, j, value: features, prior mean and covariance (multi_weight), targets (y), parameters; mean and cov."""
import csv
import sys

NAMES = {"bernoulli": ("binomial_logit", "bernoulli"), "binomial": ("binomial_logit", "k"),
         "probit": ("binomial_probit", "bernoulli"), "negbin": ("negative_binomial", "negbin"),
         "studentt": ("student_t", "real"), "laplace": ("laplace", "real"),
         "ald": ("asymmetric_laplace", "real"), "poisson": ("poisson_logistic", "poisson")}
table = {}
for path in sys.argv[1:3]:
    for r in csv.DictReader(open(path)):
        table[r["case"], r["name"], int(r["i"]), int(r["j"])] = r["value"]


def block(case, name, rows, columns=1):
    return ", ".join(table[case, name, i, j] for i in range(rows) for j in range(columns))


print("/* gibbs_golden.h - posterior moments of two weights, six rows. Written by tools/golden_gibbs.py. */")
print("#ifndef BLN_TESTS_GIBBS_GOLDEN_H")
print("#define BLN_TESTS_GIBBS_GOLDEN_H")
for name, rows, columns in (("Phi", 6, 2), ("mu0", 2, 1), ("Lambda0", 2, 2)):
    print("static const double golden_gibbs_%s[%d] TEST_UNUSED = { %s };"
          % (name.lower(), rows*columns, block("multi_weight", name, rows, columns)))
print("static const double golden_gibbs_trials[6] TEST_UNUSED = { %s };" % block("y", "n", 6))
print("static const struct { const char *name; int trials; double y[6], mean[2], cov[4]; } golden_gibbs[] TEST_UNUSED = {")
print(",\n".join('    { "%s", %d, { %s },\n      { %s },\n      { %s } }'
                 % (NAMES[c][0], c == "binomial", block("y", NAMES[c][1], 6), block(c, "mean", 2), block(c, "cov", 2, 2))
                 for c in NAMES))
print("};")
print("#endif /* BLN_TESTS_GIBBS_GOLDEN_H */")
