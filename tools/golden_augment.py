#!/usr/bin/env python3
"""Writes tests/golden/augment_golden.h from reference values of augmented likelihoods of one latent.

    python3 tools/golden_augment.py SITE.csv > tests/golden/augment_golden.h

SITE.csv: lik, y, n, m0, s0, m1, s1, m2, s2, ell, h0, theta0, ...: bound and site at E f = m and E f^2 = s, by mpmath in 30 digits.
Parameters there: size 2.5, largest rate 8, 4 degrees of freedom and scale^2 0.3, Laplace scale 0.6, quantile 0.3 and scale 0.5."""
import csv
import sys

NAMES = {"bernoulli": "binomial_logit", "binomial": "binomial_logit", "negbin": "negative_binomial", "studentt": "student_t",
         "laplace": "laplace", "probit": "binomial_probit", "ald": "asymmetric_laplace", "poisson": "poisson_logistic"}
print("/* augment_golden.h - bound and site of augmented likelihoods. Written by tools/golden_augment.py. */")
print("#ifndef BLN_TESTS_AUGMENT_GOLDEN_H")
print("#define BLN_TESTS_AUGMENT_GOLDEN_H")
print("static const struct { const char *name; double y, n, m, s, ell, h, precision; } golden_augment[] TEST_UNUSED = {")
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["lik"] in NAMES]
print(",\n".join('    { "%s", %s,\n      %s }' % (NAMES[r["lik"]], ", ".join(r[k] for k in ("y", "n", "m0", "s0")),
                                                  ", ".join(r[k] for k in ("ell", "h0", "theta0"))) for r in rows))
print("};")
print("#endif /* BLN_TESTS_AUGMENT_GOLDEN_H */")
