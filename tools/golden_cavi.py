#!/usr/bin/env python3
"""Writes tests/golden/cavi_golden.h: fixed points of coordinate ascent with augmented likelihoods, by mpmath in 40 digits.

    python3 tools/golden_cavi.py > tests/golden/cavi_golden.h                (mpmath)

A sweep, from q(w) = the prior: moments of f under q, the expected sites (slopes of the bound [augmentation 25], by differences), and
the Gaussian that they make with the prior [augmentation 5]; sweeps until nothing changes in 28 digits. The bound is the sum over the
rows less KL(q(w)|p(w)). The rows, priors and parameters are those of golden_six_rows.py."""
from golden_six_rows import CASES, F, LAMBDA0, MU0, PHI, RATE, TRIALS, Y, bound, log_sigmoid, mp, numbers, site, text


def ascend(case, X, mu0, prior, y, learn=False):
    """mean, covariance, bound, the bounds of the first six sweeps, rate."""
    n, P = X.rows, prior**-1
    mean, cov, rate, sweeps = mu0.copy(), prior.copy(), RATE, []
    trials = TRIALS if case == "binomial" else [1]*n
    moments = lambda: [((X[i, :]*mean)[0], (X[i, :]*cov*X[i, :].T)[0]) for i in range(n)]
    at = moments()
    while True:
        sites = [site(case, y[i], trials[i], *at[i], rate) for i in range(n)]
        cov_new = (P + X.T*mp.diag([t for _, t in sites])*X)**-1
        mean_new = cov_new*(P*mu0 + X.T*mp.matrix([h for h, _ in sites]))
        change = max(mp.mnorm(cov_new - cov), mp.mnorm(mean_new - mean))
        mean, cov = mean_new, cov_new
        at = moments()
        if learn:                                         # the rate at which the bound's slope is 0
            down = [mp.exp(-m/2 - c/2 - mp.log1p(mp.exp(-c))) for m, c in ((m, mp.sqrt(m*m + v)) for m, v in at)]
            rate = sum(F(t) for t in y)/sum(1 - s for s in down)
        d = mean - mu0
        kl = (sum((P*cov)[i, i] for i in range(cov.rows)) + (d.T*P*d)[0] - cov.rows + mp.log(mp.det(prior)/mp.det(cov)))/2
        sweeps.append(sum(bound(case, y[i], trials[i], *at[i], rate) for i in range(n)) - kl)
        if change < F(10)**-28:
            return mean, cov, sweeps[-1], sweeps[:6], rate


print("/* cavi_golden.h - fixed points of coordinate ascent. Written by tools/golden_cavi.py. */")
print("#ifndef BLN_TESTS_CAVI_GOLDEN_H")
print("#define BLN_TESTS_CAVI_GOLDEN_H")
print("/* In the order of golden_gibbs; the bound after each of the first six sweeps from q = prior. The last row has the rate of the")
print(" * Poisson likelihood at its best, sweep by sweep. */")
print("static const struct { double mean[2], cov[4], bound, sweep[6]; } golden_cavi[] TEST_UNUSED = {")
rows = []
for case in ("bernoulli", "binomial", "probit", "negbin", "studentt", "laplace", "ald", "poisson", "poisson learnt"):
    case, learn = case.split()[0], " " in case
    mean, cov, best, sweeps, rate = ascend(case, mp.matrix(PHI), MU0, LAMBDA0, Y[CASES[case][1]], learn)
    rows.append("    { { %s }, { %s },\n      %s, { %s } }" % (numbers(mean), numbers(cov), text(best), numbers(sweeps)))
print(",\n".join(rows))
print("};")
print("static const double golden_cavi_rate TEST_UNUSED = %s;" % text(rate))
x, y = [F(t) for t in ("-1", "-0.2", "0.3", "1.1", "1.9")], [0, 1, 1, 0, 1]
K = mp.matrix(5, 5)
for i in range(5):
    for j in range(5):
        K[i, j] = F("1.3")*mp.exp(-(x[i] - x[j])**2/(2*F("0.81"))) + (F("1e-6") if i == j else 0)
print("/* Five rows of two classes, f ~ N(0, K). */")
print("static const double golden_cavi_K[25] TEST_UNUSED = { %s };" % numbers(K))
print("static const double golden_cavi_y[5] TEST_UNUSED = { %s };" % ", ".join("%d" % t for t in y))
mean, cov, best, _, _ = ascend("bernoulli", mp.eye(5), mp.matrix(5, 1), K, y)
print("static const struct { double mean[5], cov[25], bound; } golden_cavi_gp TEST_UNUSED = {")
print("    { %s },\n    { %s },\n    %s\n};" % (numbers(mean), numbers(cov), text(best)))
print("#endif /* BLN_TESTS_CAVI_GOLDEN_H */")
