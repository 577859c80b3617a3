#!/usr/bin/env python3
"""Writes tests/golden/lbfgs_golden.h:   tools/golden_lbfgs.py > tests/golden/lbfgs_golden.h

The direction -H g after three pairs on a quadratic, H built as a dense matrix by the BFGS update of the inverse from gamma I
(Nocedal & Wright 2006, (6.17)) in 40 digits, not by the two-loop recursion; minimisers of cubics from the roots of the
interpolating polynomial's derivative, for the inputs as they are after rounding to double."""
import mpmath as mp

mp.mp.dps = 40

Q = mp.matrix([["3.291", "3.033", "1.287", "-3.275"], ["3.033", "6.116", "2.189", "-4.741"],
               ["1.287", "2.189", "2.704", "-2.709"], ["-3.275", "-4.741", "-2.709", "6.98"]])
S = [mp.matrix(s) for s in (["-0.826", "0.243", "-0.064", "-0.094"], ["0.323", "0.666", "0.189", "0.178"],
                            ["-1.137", "0.578", "-0.326", "0.99"])]
g = mp.matrix(["0.105", "-0.807", "0.892", "-0.929"])
Y = [Q*s for s in S]


def dot(a, b):
    return (a.T*b)[0]


H = mp.eye(4)*(dot(S[-1], Y[-1])/dot(Y[-1], Y[-1]))
for s, y in zip(S, Y):
    rho = 1/dot(s, y)
    V = mp.eye(4) - rho*y*s.T
    H = V.T*H*V + rho*s*s.T
d = -H*g

CUBICS = [("0", "1", "-2", "1", "0.5", "1"), ("1", "0.5", "1", "0", "1", "-2"),
          ("0.2", "3", "-1", "2.5", "4", "2"), ("0", "0", "-1", "0.001", "-0.00099", "-0.98")]


def minimiser(a1, f1, g1, a2, f2, g2):
    A = mp.matrix([[a1**3, a1**2, a1, 1], [3*a1**2, 2*a1, 1, 0], [a2**3, a2**2, a2, 1], [3*a2**2, 2*a2, 1, 0]])
    c = mp.lu_solve(A, mp.matrix([f1, g1, f2, g2]))
    if abs(c[0]) < mp.mpf("1e-25"):
        return -c[2]/(2*c[1])
    root = mp.sqrt(4*c[1]**2 - 12*c[0]*c[2])
    return next(a for a in ((-2*c[1] + root)/(6*c[0]), (-2*c[1] - root)/(6*c[0])) if 6*c[0]*a + 2*c[1] > 0)


def show(name, rows):
    n = len(rows[0])
    print("static const double golden_lbfgs_%s[%d][%d] = {" % (name, len(rows), n))
    print(",\n".join("    { " + ", ".join("%.17g" % float(v) for v in r) + " }" for r in rows))
    print("};")


print("/* Written by tools/golden_lbfgs.py: pairs on a quadratic, a gradient, and what -H g is for them by the dense BFGS update;\n"
      " * cubics through (a1, f1, f1') and (a2, f2, f2') with their minimisers. */")
show("s", [list(s) for s in S])
show("y", [list(y) for y in Y])
show("g_and_d", [list(g), list(d)])
show("cubic", [[mp.mpf(float(t)) for t in c] + [minimiser(*[mp.mpf(float(t)) for t in c])] for c in CUBICS])
