#!/usr/bin/env python3
"""Writes tests/golden/latents_golden.h: expectations of softmax under independent normal latents.

    python3 tools/golden_latents.py > tests/golden/latents_golden.h

By the trapezoid rule on the integrals of one dimension

    E log T = log c + int (e^-e^u - prod_k L_k(u - log c)) du,   E p_j = int A_j prod_{k != j} L_k du,   T = sum_k e^f_k,
    L_k(u) = E e^-w,  A_k = E w e^-w,  B_k = E w^2 e^-w,  w = e^(u + f_k),

in x87 long doubles, over all of |z| < 10 and with a step of which a half changes nothing. Rows of three classes are checked against
sums over the grid of (f_1, f_2, f_3) itself, which know nothing of these integrals. The step of a trapezoid rule over z is right for
functions that are analytic within pi/2 (w) or pi (T) of the real axis of f [Trefethen & Weideman 2014]."""
import sys
import textwrap

import mpmath as mp
import numpy as np

L = np.longdouble
assert np.finfo(L).eps < 2e-19


def normal(step):
    """Nodes and weights of a standard normal."""
    n = int(np.ceil(10/step))
    z = np.arange(-n, n + 1).astype(L)*L(step)
    w = np.exp(-z*z/2)
    return z, w/w.sum()


def line(m, v, share):
    """E log T, E p, E p^2 by the integrals of one dimension; share: of the steps."""
    s = [mp.sqrt(x) for x in v]
    m, s = [L(float(x)) for x in m], [L(str(x)) for x in s]
    low = -48 - max(a + 10*b for a, b in zip(m, s))
    high = max(L(5), 5 + min(10*b - a for a, b in zip(m, s)))
    h = L(0.1)*L(share)
    u = low + h*np.arange(int((high - low)/h) + 2).astype(L)
    Ls, As, Bs = [], [], []
    for a, b in zip(m, s):
        z, c = normal(float(min(0.2, 0.15/b if b > 0 else 1)*share)) if b > 0 else (np.zeros(1, L), np.ones(1, L))
        w = np.exp(np.minimum(u[:, None] + a + b*z[None, :], L(5000)))
        e = np.exp(-w)*c
        Ls.append(e.sum(1))
        As.append((e*w).sum(1))
        Bs.append((e*w*np.where(e > 0, w, 0)).sum(1))
    def others(j):
        p = np.ones_like(u)
        for k, x in enumerate(Ls):
            if k != j:
                p = p*x
        return p
    value = h*(np.exp(-np.exp(u)) - others(-1)).sum()
    return value, [h*(As[j]*others(j)).sum() for j in range(len(m))], [h*(Bs[j]*others(j)).sum() for j in range(len(m))]


def grid(m, v):
    """The same of three classes by a grid over f."""
    f, c = [], []
    for a, b in zip(m, v):
        b = L(b)**L(0.5)
        z, w = normal(float(min(0.2, 0.3/b if b > 0 else 1))) if b > 0 else (np.zeros(1, L), np.ones(1, L))
        f.append(np.exp(L(a) + b*z))
        c.append(w)
    value, p, p2 = L(0), [L(0)]*3, [L(0)]*3
    weight = c[1][:, None]*c[2][None, :]
    for e, w in zip(f[0], c[0]):
        T = e + f[1][:, None] + f[2][None, :]
        value += w*(np.log(T)*weight).sum()
        for k, q in enumerate((e/T, f[1][:, None]/T, f[2][None, :]/T)):
            p[k] += w*(q*weight).sum()
            p2[k] += w*(q*q*weight).sum()
    return value, p, p2


def near(a, b, what):
    for x, y in zip([a[0]] + a[1] + a[2], [b[0]] + b[1] + b[2]):
        if not abs(x - y) <= 2e-15*max(1, abs(y)):
            sys.exit(f"{what}: {x} and {y}")


ROWS = [
    ([0.3, -0.4, 1.1], [1e-4, 1e-4, 1e-4]),
    ([0.3, -0.4, 1.1], [0.01, 0.002, 0.05]),
    ([0.3, -0.4, 1.1], [0.13, 0.36, 0.2]),
    ([0.0, -0.4, 1.1], [0.0, 0.3, 0.02]),
    ([0.0, -0.4, 1.1], [0.0, 0.0, 0.5]),
    ([0.3, -0.4, 1.1], [0.37, 0.01, 0.0]),
    ([0.3, -2.0, 1.1], [1.0, 0.25, 2.0]),
    ([0.0, -2.0, 1.1], [0.0, 1.0, 4.0]),
    ([4.0, -7.0, 0.5], [9.0, 1.0, 1e-4]),
    ([0.3, -0.4, 1.1], [25.0, 16.0, 9.0]),
    ([12.0, -9.0, 3.0], [0.5, 0.25, 100.0]),
    ([0.0, 1.0, -1.0], [0.0, 100.0, 100.0]),
    ([40.0, 1.0, -30.0], [0.3, 0.2, 0.1]),
    ([40.0, 1.0, -30.0], [4.0, 90.0, 30.0]),
    ([0.1, -0.2, 0.3, -0.4, 0.5, -0.6], [1e-4]*6),
    ([0.1, -0.2, 0.3, -0.4, 0.5, -0.6], [0.01, 0.1, 0.2, 0.3, 0.05, 0.0]),
    ([0.0, -2.0, 3.0, -0.4, 0.5, -6.0], [0.0, 0.1, 1.0, 3.0, 0.5, 0.0]),
    ([1.0, -2.0, 3.0, -0.4, 0.5, -6.0], [1.0, 0.1, 1.0, 3.0, 0.5, 10.0]),
    ([1.0, 2.0, 3.0, -0.4, 0.5, -6.0], [100.0, 0.1, 40.0, 1e-4, 20.0, 100.0]),
    ([0.0, 20.0, 3.0, -40.0, 5.0, -6.0], [0.0, 100.0, 100.0, 100.0, 100.0, 100.0]),
]


def six(x):
    return ", ".join(repr(float(a)) for a in list(x) + [0.0]*(6 - len(x)))


print("""/* latents_golden.h - expectations of softmax under independent normal latents: E log sum_k e^f_k, E p_k and E p_k^2. By sums in
 * long doubles over integrals of one dimension, those of three classes checked by sums over the grid of the latents, and rounded
 * once to double; written by tools/golden_latents.py. */
#ifndef BLN_TESTS_LATENTS_GOLDEN_H
#define BLN_TESTS_LATENTS_GOLDEN_H
typedef struct golden_latents_row {
    size_t K;
    double m[6], v[6], logsum, p[6], p2[6];
} golden_latents_row;
static const golden_latents_row golden_latents_rows[] TEST_UNUSED = {""")
for m, v in ROWS:
    got = line(m, v, 1)
    near(got, line(m, v, 0.5), "half the step")
    if len(m) == 3:
        near(got, grid(m, v), "the grid")
    row = f"{{ {len(m)}, {{ {six(m)} }}, {{ {six(v)} }}, {float(got[0])!r}, {{ {six(got[1])} }}, {{ {six(got[2])} }} }},"
    print(textwrap.fill(row, 126, initial_indent="    ", subsequent_indent="      "))
print("""};
#endif /* BLN_TESTS_LATENTS_GOLDEN_H */""")
