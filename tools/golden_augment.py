#!/usr/bin/env python3
"""Writes tests/golden/augment_golden.h: bound and site of augmented likelihoods of one latent, by mpmath in 40 digits.

    python3 tools/golden_augment.py > tests/golden/augment_golden.h          (mpmath)

At E f = m and E f^2 = s: the bounds of [augmentation 25], and the site as their slopes [augmentation 4], taken by differences, not by
the formulas that the library has. Targets and parameters are those of golden_six_rows.py."""
from golden_six_rows import CASES, F, TRIALS, Y, bound, numbers, site, text

M = ["-1.4", "-0.8", "-0.2", "0.4", "1.0", "1.6"]
V = [F("0.001")] + [F(k)/7 for k in range(2, 7)]
print("/* augment_golden.h - bound and site of augmented likelihoods. Written by tools/golden_augment.py. */")
print("#ifndef BLN_TESTS_AUGMENT_GOLDEN_H")
print("#define BLN_TESTS_AUGMENT_GOLDEN_H")
print("static const struct { const char *name; double y, n, m, s, ell, h, precision; } golden_augment[] TEST_UNUSED = {")
rows = []
for case in ("bernoulli", "binomial", "negbin", "poisson", "studentt", "laplace", "probit", "ald"):
    for i, (y, m, v) in enumerate(zip(Y[CASES[case][1]], M, V)):
        m, n = F(m), TRIALS[i] if case == "binomial" else 0
        rows.append('    { "%s", %s, %d, %s,\n      %s }' % (CASES[case][0], text(y), n, numbers([m, m*m + v]),
                                                           numbers([bound(case, y, n, m, v), *site(case, y, n, m, v)])))
print(",\n".join(rows))
print("};")
print("#endif /* BLN_TESTS_AUGMENT_GOLDEN_H */")
