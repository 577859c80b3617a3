#!/usr/bin/env python3
"""Writes tests/golden/polya_gamma_golden.h from reference values of the Polya-Gamma distribution.

    python3 tools/golden_polya_gamma.py PG.csv DENSITY.csv > tests/golden/polya_gamma_golden.h

PG.csv: b, c, mean, variance, third cumulant, E e^{-0.7 omega}, KL(PG(b, c)|PG(b, 0)); DENSITY.csv: b, c, x, log density, cdf,
1 - cdf. Worked out with mpmath in 30 to 40 digits: moments by derivatives of log cosh, distribution functions by contour integrals."""
import csv
import sys

moments = [r for r in csv.reader(open(sys.argv[1]))][1:]
rows = [r for r in csv.reader(open(sys.argv[2]))][1:]
cells = {}
for b, c, x, _, cdf, _ in rows:
    cells.setdefault((b, c), []).append((x, cdf))


def show(name, what, lines):
    print("/* %s */" % what)
    print("static const double golden_polya_gamma_%s[%d][%d] TEST_UNUSED = {" % (name, len(lines), len(lines[0])))
    print(",\n".join("    { " + ",\n      ".join(", ".join(line[i:i + 5]) for i in range(0, len(line), 5)) + " }" for line in lines))
    print("};")


print("/* polya_gamma_golden.h - moments and distribution functions of PG(b, c). Written by tools/golden_polya_gamma.py. */")
print("#ifndef BLN_TESTS_POLYA_GAMMA_GOLDEN_H")
print("#define BLN_TESTS_POLYA_GAMMA_GOLDEN_H")
show("moments", "b, c, mean, variance, third cumulant, E e^{-0.7 omega}, KL to c = 0", moments)
show("cdf", "b, c, then pairs x, P(omega <= x)", [[b, c] + [v for pair in sorted(p, key=lambda p: float(p[0])) for v in pair]
                                                  for (b, c), p in cells.items()])
print("#endif /* BLN_TESTS_POLYA_GAMMA_GOLDEN_H */")
