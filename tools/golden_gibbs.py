#!/usr/bin/env python3
"""Writes tests/golden/gibbs_golden.h: exact posterior moments of two weights under six rows, by quadrature in 40 digits.

    python3 tools/golden_gibbs.py > tests/golden/gibbs_golden.h              (mpmath; half a minute)

The rows are those of golden_six_rows.py. Smooth likelihoods: the trapezoid rule in both coordinates of w = mu0 + L z, L the Cholesky
factor of the prior, whose error falls like exp(-2 pi distance/step) with the distance of the nearest singularity (Trefethen &
Weideman 2014). Both Laplace densities have kinks: at a given slope the density is, between two neighbouring y_i - w1 x_i, a Gaussian
in w0, whose moments are closed forms; the integral over the slope is by Gauss-Legendre between the slopes at which two of these
change their order."""
from golden_six_rows import (ALD, CASES, F, LAMBDA0, LAPLACE, MU0, PHI, PHI_X, TAU, TRIALS, Y, bound, mp, numbers)

L = mp.cholesky(LAMBDA0)


def smooth(case, y, trials):
    """Sums over the grid of 1, w0, w1, w0^2, w0 w1, w1^2, times the density."""
    # 8 and 10 per standard deviation agree in the digits printed, for t 14 and 16.
    inverse = 14 if case == "studentt" else 8
    step, reach, total = F(1)/inverse, 10*inverse, [F(0)]*6
    with mp.workdps(25):
        for i in range(-reach, reach + 1):
            for j in range(-reach, reach + 1):
                z, u = i*step, j*step
                if z*z + u*u > 100:
                    continue
                w0, w1 = MU0[0] + L[0, 0]*z, MU0[1] + L[1, 0]*z + L[1, 1]*u
                log_p = -(z*z + u*u)/2 + sum(bound(case, t, n, w0 + w1*phi[1], F(0)) for t, n, phi in zip(y, trials, PHI))
                p = mp.exp(log_p)
                for k, v in enumerate((1, w0, w1, w0*w0, w0*w1, w1*w1)):
                    total[k] += p*v
    return total


def kinked(case, y):
    x, y, P = [F(t) for t in PHI_X], [F(t) for t in y], LAMBDA0**-1
    s, tilt = (1/LAPLACE, F(0)) if case == "laplace" else (1/(2*ALD), (2*TAU - 1)/(2*ALD))    # -log p = s |r| + tilt r

    def moments(w1):
        """Integrals over w0 of 1, w0, w0^2 times the density."""
        kinks = sorted(b - w1*a for a, b in zip(x, y))
        edges = [-mp.inf] + kinks + [mp.inf]
        d, q, total = w1 - MU0[1], P[0, 0], [F(0)]*3
        fall = [b - MU0[0] for b in kinks]
        for k in range(7):                                # k of the y_i - w1 x_i are below w0: r < 0 there
            # u = w0 - mu:  -q/2 u^2 - p01 u d - p11 d^2/2 - sum (s |r_i| + tilt r_i),  r_i = fall_i - u:  a Gaussian of mean slope/q
            slope = -P[0, 1]*d - s*(2*k - 6) + 6*tilt
            flat = -P[1, 1]*d*d/2 - s*(sum(fall[k:]) - sum(fall[:k])) - tilt*sum(fall)
            centre, sd = slope/q, 1/mp.sqrt(q)
            a, b = ((e - MU0[0] - centre)/sd for e in edges[k:k + 2])
            mass = mp.ncdf(b) - mp.ncdf(a) if b < 0 else mp.ncdf(-a) - mp.ncdf(-b)
            scale = mp.exp(flat + slope*slope/(2*q))*sd*mp.sqrt(2*mp.pi)
            da, db = mp.npdf(a), mp.npdf(b)
            first = da - db                               # of the standard normal between a and b: 1, t, t^2
            second = mass + (a*da if mp.isfinite(a) else 0) - (b*db if mp.isfinite(b) else 0)
            m = MU0[0] + centre
            total[0] += scale*mass
            total[1] += scale*(m*mass + sd*first)
            total[2] += scale*(m*m*mass + 2*m*sd*first + sd*sd*second)
        return total

    breaks = sorted({(y[i] - y[j])/(x[i] - x[j]) for i in range(6) for j in range(i)})
    breaks = [F(-10)] + breaks + [F(9)]                     # 10 standard deviations of the prior
    breaks = sorted(set(breaks) | {F(k) for k in range(-9, 9)})
    with mp.workdps(30):
        grab = lambda k, power: mp.quad(lambda w1: moments(w1)[k]*w1**power, breaks, method="gauss-legendre", maxdegree=4)
        one, a, aa, b, ab, bb = grab(0, 0), grab(1, 0), grab(2, 0), grab(0, 1), grab(1, 1), grab(0, 2)
    return [one, a, b, aa, ab, bb]


print("/* gibbs_golden.h - posterior moments of two weights, six rows. Written by tools/golden_gibbs.py. */")
print("#ifndef BLN_TESTS_GIBBS_GOLDEN_H")
print("#define BLN_TESTS_GIBBS_GOLDEN_H")
for name, values in (("phi", sum(PHI, [])), ("mu0", MU0), ("lambda0", list(LAMBDA0))):
    print("static const double golden_gibbs_%s[%d] TEST_UNUSED = { %s };" % (name, len(list(values)), numbers(values)))
print("static const double golden_gibbs_trials[6] TEST_UNUSED = { %s };" % numbers(TRIALS))
print("static const struct { const char *name; int trials; double y[6], mean[2], cov[4]; } golden_gibbs[] TEST_UNUSED = {")
rows = []
for case in ("bernoulli", "binomial", "probit", "negbin", "studentt", "laplace", "ald", "poisson"):
    name, key = CASES[case]
    y = Y[key]
    trials = TRIALS if case == "binomial" else [1]*6
    one, a, b, aa, ab, bb = kinked(case, y) if case in ("laplace", "ald") else smooth(case, y, trials)
    a, b = a/one, b/one
    cov = [aa/one - a*a, ab/one - a*b, ab/one - a*b, bb/one - b*b]
    rows.append('    { "%s", %d, { %s },\n      { %s },\n      { %s } }'
                % (name, case == "binomial", numbers(y), numbers([a, b]), numbers(cov)))
print(",\n".join(rows))
print("};")
print("#endif /* BLN_TESTS_GIBBS_GOLDEN_H */")
