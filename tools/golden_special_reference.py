#!/usr/bin/env python3
"""Writes tests/golden/special_reference_golden.h from a table of special functions in high precision.

    python3 tools/golden_special_reference.py special_functions.csv > tests/golden/special_reference_golden.h

The table has rows fn,a,b,x,value, computed with mpmath from exactly these arguments and rounded once to double."""
import csv
import sys

print("/* special_reference_golden.h - special functions in high precision (mpmath), rounded once to double. Written by")
print(" * tools/golden_special_reference.py. */")
print("#ifndef BLN_TESTS_SPECIAL_REFERENCE_GOLDEN_H\n#define BLN_TESTS_SPECIAL_REFERENCE_GOLDEN_H")
print("typedef struct golden_special_row { const char *fn; double a, b, x, value; } golden_special_row;")
print("static const golden_special_row golden_special_rows[] TEST_UNUSED = {")


def number(text):
    if text == "":
        return "0.0"
    if text in ("inf", "+inf"):
        return "HUGE_VAL"
    if text == "-inf":
        return "-HUGE_VAL"
    return text if any(c in text for c in ".en") else text + ".0"


with open(sys.argv[1]) as f:
    for r in csv.DictReader(f):
        print('    { "%s", %s, %s, %s, %s },' % (r["fn"], number(r["a"]), number(r["b"]), number(r["x"]), number(r["value"])))
print("};\n#endif /* BLN_TESTS_SPECIAL_REFERENCE_GOLDEN_H */")
