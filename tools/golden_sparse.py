#!/usr/bin/env python3
"""Writes tests/golden/sparse_golden.h: posterior moments of two weights under six rows whose f has a variance d that the weights do
not determine, for each target of docs/mathematics/sparse.md: the bound, and one or two replicas of f. By quadrature in double.

    python3 tools/golden_sparse.py > tests/golden/sparse_golden.h            (mpmath, numpy, scipy; a minute)

The rows are those of golden_six_rows.py. All integrals are by the trapezoid rule in standard normal coordinates, whose error falls
like exp(-2 pi distance/step) with the distance of the nearest singularity (Trefethen & Weideman 2014); finer steps change nothing
by more than 1e-13. Of two replicas the row's factor is the integral over both of exp(ell(mean, variance about it)). There is no
auxiliary variable anywhere."""
import numpy as np
from scipy.special import log_ndtr

from golden_six_rows import CASES, DOF, LAMBDA0, MU0, PHI, RATE, SCALE2, SIZE, Y, numbers

D = ["0.9", "0.05", "0.4", "0.6", "0.02", "1.1"]
d, mu, Phi = (np.array([float(v) for v in values]) for values in (D, MU0, sum(PHI, [])))
Phi = Phi.reshape(6, 2)
L = np.linalg.cholesky(np.array([[float(LAMBDA0[i, j]) for j in range(2)] for i in range(2)]))
SIZE, RATE, DOF, SCALE2 = (float(v) for v in (SIZE, RATE, DOF, SCALE2))


def ell(case, y, m, v):
    """[augmentation 25] without constants; at v = 0 the log likelihood."""
    c, square = np.sqrt(m*m + v), (y - m)**2 + v
    cost = c/2 + np.log1p(np.exp(-c))
    if case == "bernoulli":
        return y*m - m/2 - cost
    if case == "negbin":
        return y*m - (y + SIZE)*(m/2 + cost)
    if case == "poisson":
        return y*(m/2 - cost) + RATE*np.expm1(-m/2 - cost)
    if case == "probit":
        return log_ndtr((2*y - 1)*m) - v/2
    return -(DOF + 1)/2*np.log1p(square/(DOF*SCALE2))


def factor(case, y, m, var, replicas):
    """The log of a row's factor at means m of f."""
    if replicas == 0:
        return ell(case, y, m, var)
    inverse = 12 if replicas == 1 else 4
    x = np.arange(-9*inverse, 9*inverse + 1)/inverse
    p, s = np.exp(-x*x/2)/np.sqrt(2*np.pi)/inverse, np.sqrt(var)
    total = np.zeros_like(m)
    for a, pa in zip(x, p):
        if replicas == 1:
            total += pa*np.exp(ell(case, y, m + s*a, 0.0))
        for b, pb in zip(x, p) if replicas == 2 else ():
            if a*a + b*b < 81 and b <= a:                          # the two are alike
                total += pa*pb*(2 if b < a else 1)*np.exp(ell(case, y, m + s*(a + b)/2, var*(a - b)**2/4))
    return np.log(total)


def moments(case, replicas):
    y = [float(v) for v in Y[CASES[case][1]]]
    inverse = 12 if case == "studentt" else 6
    z = np.arange(-9*inverse, 9*inverse + 1)/inverse
    z0, z1 = (v.ravel() for v in np.meshgrid(z, z))
    inside = z0*z0 + z1*z1 < 81
    z = np.array([z0[inside], z1[inside]])
    w = mu[:, None] + L @ z
    log_p = -(z*z).sum(0)/2
    for i in range(6):
        log_p += factor(case, y[i], Phi[i] @ w, d[i], replicas)
    p = np.exp(log_p - log_p.max())
    p /= p.sum()
    mean = w @ p
    e = w - mean[:, None]
    return y, mean, (e*p) @ e.T


print("/* sparse_golden.h - moments of two weights where f has more variance than they. Written by tools/golden_sparse.py. */")
print("#ifndef BLN_TESTS_SPARSE_GOLDEN_H")
print("#define BLN_TESTS_SPARSE_GOLDEN_H")
print("static const double golden_sparse_d[6] TEST_UNUSED = { %s };" % ", ".join(D))
print("/* replicas: 0 is the bound */")
print("static const struct { const char *name; size_t replicas; double y[6], mean[2], cov[4]; } golden_sparse[] TEST_UNUSED = {")
rows = []
for case, replicas in (("bernoulli", 0), ("bernoulli", 1), ("bernoulli", 2), ("probit", 0), ("probit", 1), ("negbin", 0),
                       ("negbin", 1), ("poisson", 0), ("poisson", 1), ("studentt", 0), ("studentt", 1)):
    y, mean, cov = moments(case, replicas)
    rows.append('    { "%s", %d, { %s },\n      { %s },\n      { %s } }'
                % (CASES[case][0], replicas, numbers(y), numbers(mean), numbers(cov.ravel())))
print(",\n".join(rows))
print("};")
print("#endif /* BLN_TESTS_SPARSE_GOLDEN_H */")
