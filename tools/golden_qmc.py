#!/usr/bin/env python3
"""Writes tests/golden/qmc_golden.h from scipy's Sobol' sequence (scipy.stats.qmc, direction numbers of Joe & Kuo, Gray code order).

    python3 tools/golden_qmc.py > tests/golden/qmc_golden.h

Without scrambling, 30 digits: points 1000 and 123456 in all 65 coordinates, as integers times 2^-30."""
from scipy.stats import qmc

POINTS = [1000, 123456]
print("/* qmc_golden.h - unscrambled Sobol' points 1000 and 123456 in 65 coordinates as integers times 2^-30, from")
print(" * scipy.stats.qmc. Written by tools/golden_qmc.py. */")
print("#ifndef BLN_TESTS_QMC_GOLDEN_H")
print("#define BLN_TESTS_QMC_GOLDEN_H")
print("static const unsigned long golden_qmc_index[] TEST_UNUSED = { %s };" % ", ".join("%dul" % i for i in POINTS))
print("static const unsigned long golden_qmc_sobol[%d][65] TEST_UNUSED = {" % len(POINTS))
for i in POINTS:
    sequence = qmc.Sobol(65, scramble=False, bits=30)
    sequence.fast_forward(i)
    values = [int(x*2**30) for x in sequence.random(1)[0]]
    print("    {")
    for k in range(0, 65, 10):
        print("        " + " ".join("%dul," % v for v in values[k:k + 10]))
    print("    },")
print("};")
print("#endif /* BLN_TESTS_QMC_GOLDEN_H */")
