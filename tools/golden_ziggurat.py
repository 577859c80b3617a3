#!/usr/bin/env python3
"""Writes src/random/ziggurat_tables_private.h:   tools/golden_ziggurat.py > src/random/ziggurat_tables_private.h

The 256 layers of equal area v under f, from the outside in: x[1] = r, x[i+1] = f^-1(f(x[i]) + v/x[i]), x[256] = 0, and
x[0] = v/f(r), the width of a box that has the area of the lowest layer with its tail. r is the root of x[256] = 0, found here
with 60 digits; what is printed is rounded once."""
import mpmath as mp

mp.mp.dps = 60

NORMAL = (lambda x: mp.exp(-x*x/2), lambda y: mp.sqrt(-2*mp.log(y)),
          lambda r: mp.sqrt(mp.pi/2)*mp.erfc(r/mp.sqrt(2)), "3.6541528853610088", "0.0049286732339746554")
EXPONENTIAL = (lambda x: mp.exp(-x), lambda y: -mp.log(y), lambda r: mp.exp(-r), "7.6971174701310497", "0.0039496598225815572")


def layers(f, inverse, tail, r):
    v = r*f(r) + tail(r)
    x = [v/f(r), r]
    while len(x) < 256:
        y = f(x[-1]) + v/x[-1]
        if y >= 1:
            return v, x, mp.mpf(257 - len(x))          # ran out of height too early: r too small
        x.append(inverse(y))
    return v, x, 1 - (f(x[-1]) + v/x[-1])              # 0 when the top layer ends at f(0) = 1


def table(kind):
    f, inverse, tail, r_known, v_known = kind
    lo, hi = mp.mpf(r_known) - mp.mpf("1e-10"), mp.mpf(r_known) + mp.mpf("1e-10")
    sign = lambda r: (lambda v, x, gap: gap > 0 and len(x) == 256)(*layers(f, inverse, tail, r))
    assert sign(hi) and not sign(lo)
    for _ in range(170):
        middle = (lo + hi)/2
        if sign(middle):
            hi = middle
        else:
            lo = middle
    v, x, gap = layers(f, inverse, tail, hi)
    assert abs(gap) < mp.mpf("1e-40") and abs(hi - mp.mpf(r_known)) < 1e-15 and abs(v - mp.mpf(v_known)) < 1e-17
    return [float(t) for t in x] + [0.0]


def show(name, x):
    print("static const double %s[257] = {" % name)
    for i in range(0, len(x), 6):
        print("    " + ", ".join("%.17g" % t for t in x[i:i + 6]) + ("," if i + 6 < len(x) else ""))
    print("};")


print("""#ifndef BLN_RANDOM_ZIGGURAT_TABLES_PRIVATE_H
#define BLN_RANDOM_ZIGGURAT_TABLES_PRIVATE_H
/* ziggurat_tables: right ends of the 256 layers of equal area under exp(-x^2/2) and exp(-x), for the ziggurats of >>rng
 *
 * x[0] is the width of the box that stands for the lowest layer and its tail, x[1] = r, where the tail begins, and x[256] = 0
 * [samplers 5, 6]. Written by tools/golden_ziggurat.py, which says how; constants, so that no thread has to
 * build them. */
""")
show("blni_ziggurat_normal", table(NORMAL))
print()
show("blni_ziggurat_exponential", table(EXPONENTIAL))
print("\n#endif /* BLN_RANDOM_ZIGGURAT_TABLES_PRIVATE_H */")
