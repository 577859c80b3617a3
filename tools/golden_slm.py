#!/usr/bin/env python3
"""Writes tests/golden/slm_golden.h from the reference values of the standard linear model.

    python3 tools/golden_slm.py SLM.csv > tests/golden/slm_golden.h

SLM.csv has rows key,i,j,value, made with high-precision arithmetic (mpmath) from the inputs in_* that it also holds and rounded once to double.
Each key becomes one array `golden_slm_KEY`, row-major."""
import csv
import re
import sys

rows = {}
with open(sys.argv[1]) as f:
    for r in csv.DictReader(f):
        rows.setdefault(r["key"], []).append((int(r["i"] or 0), int(r["j"] or 0), r["value"]))
print("/* slm_golden.h - reference values of the linear model, computed with high-precision arithmetic (mpmath) from these inputs and rounded")
print(" * once to double. Written by tools/golden_slm.py. [linear 2-41] */")
print("#ifndef BLN_TESTS_SLM_GOLDEN_H\n#define BLN_TESTS_SLM_GOLDEN_H")
for key, cells in rows.items():
    cells.sort(key=lambda c: (c[0], c[1]))
    name = re.sub(r"[^A-Za-z0-9_]", "_", key)
    print("static const double golden_slm_%s[] TEST_UNUSED = {" % name)
    line = "   "
    for _, _, v in cells:
        if not re.search(r"[.e]", v):
            v += ".0"
        if len(line) + len(v) + 2 > 128:
            print(line)
            line = "   "
        line += " " + v + ","
    print(line)
    print("};")
print("#endif /* BLN_TESTS_SLM_GOLDEN_H */")
