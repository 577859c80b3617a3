#!/usr/bin/env python3
"""Writes tests/golden/cavi_golden.h: fixed points of coordinate ascent with augmented likelihoods, by mpmath in 40 digits.

    python3 tools/golden_cavi.py > tests/golden/cavi_golden.h                (mpmath)

A sweep, from q(w) = the prior: moments of f under q, the expected sites (slopes of the bound [augmentation 25], by differences), and
the Gaussian that they make with the prior [augmentation 5]; sweeps until nothing changes in 28 digits. The bound is the sum over the
rows less KL(q(w)|p(w)). The rows, priors and parameters are those of golden_six_rows.py. With several latents a sweep goes through
them in turn, each with new sites."""
from golden_six_rows import (CASES, DOF, F, LAMBDA0, MU0, PHI, RATE, TRIALS, Y, bound, log_sigmoid, mp, numbers, site, text)


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


# The prior of each latent's weights; the precision of the noise is PRECISION sigma(g); classes of the rows; scales of the classes.
MU = [MU0, mp.matrix(["-0.2", "0.1"]), mp.matrix(["0.1", "0.3"])]
LAMBDA = [LAMBDA0, mp.matrix([["1.1", "-0.2"], ["-0.2", "0.6"]]), mp.matrix([["0.9", "0.1"], ["0.1", "1.3"]])]
PRECISION, CLASSES, SCALES = F(3), [0, 0, 2, 1, 2, 1], [F("1.3"), F("0.6"), F("0.9")]
LATENTS = {"heteroscedastic": 2, "heteroscedastic_t": 2, "over": 3, "bijective": 2, "scaled": 3}


def bound_latents(case, i, at):
    """ell of row i under f_j of mean and variance at[j] [augmentation 18, 21]."""
    logs = [[s*m/2 - c/2 - mp.log1p(mp.exp(-c)) for s in (1, -1)] for m, c in ((m, mp.sqrt(m*m + v)) for m, v in at)]
    if case in ("heteroscedastic", "heteroscedastic_t"):
        z2 = PRECISION*((F(Y["real"][i]) - at[0][0])**2 + at[0][1])*(1 - mp.exp(logs[1][1]))
        if case == "heteroscedastic":
            return (mp.log(PRECISION/(2*mp.pi)) + logs[1][0] - z2)/2
        return (mp.loggamma((DOF + 1)/2) - mp.loggamma(DOF/2) + (mp.log(PRECISION/(mp.pi*DOF)) + logs[1][0])/2
                - (DOF + 1)/2*mp.log1p(z2/DOF))
    scale = SCALES if case == "scaled" else [F(1)]*3
    total = sum(s*(1 - mp.exp(down)) for s, (_, down) in zip(scale, logs)) + (F(1)/2 if case == "bijective" else 0)
    y = CLASSES[i]
    return (mp.log(F(1)/2) if y == len(at) else mp.log(scale[y]) + logs[y][0]) - mp.log(total)


def site_latents(case, i, at, j):
    """As site, of latent j."""
    def there(dm, dv):
        return bound_latents(case, i, [(m + dm, v + dv) if k == j else (m, v) for k, (m, v) in enumerate(at)])
    with mp.workdps(90):
        e, m = F(10)**-30, at[j][0]
        h = (there(e, -2*m*e - e*e) - there(-e, 2*m*e - e*e))/(2*e)
        return mp.chop(h, F(10)**-40), -(there(0, e) - there(0, -e))/e


def ascend_latents(case):
    """means and covariances of all latents, bound."""
    J, X = LATENTS[case], mp.matrix(PHI)
    mean, cov = [MU[j].copy() for j in range(J)], [LAMBDA[j].copy() for j in range(J)]
    moments = lambda i: [((X[i, :]*mean[j])[0], (X[i, :]*cov[j]*X[i, :].T)[0]) for j in range(J)]
    change = F(1)
    while change > F(10)**-28:
        change = F(0)
        for j in range(J):
            sites = [site_latents(case, i, moments(i), j) for i in range(X.rows)]
            new = (LAMBDA[j]**-1 + X.T*mp.diag([t for _, t in sites])*X)**-1
            where = new*(LAMBDA[j]**-1*MU[j] + X.T*mp.matrix([h for h, _ in sites]))
            change = max(change, mp.mnorm(new - cov[j]), mp.mnorm(where - mean[j]))
            mean[j], cov[j] = where, new
    kl = F(0)
    for j in range(J):
        P, d = LAMBDA[j]**-1, mean[j] - MU[j]
        kl += ((P*cov[j])[0, 0] + (P*cov[j])[1, 1] + (d.T*P*d)[0] - 2 + mp.log(mp.det(LAMBDA[j])/mp.det(cov[j])))/2
    return mean, cov, sum(bound_latents(case, i, moments(i)) for i in range(X.rows)) - kl


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
print("/* Several latents: priors N(mu, lambda) of their weights, scale of the noise, classes, scales but the last, in units of it. */")
print("static const double golden_cavi_mu[3][2] TEST_UNUSED = { %s };" % ", ".join("{ %s }" % numbers(m) for m in MU))
print("static const double golden_cavi_lambda[3][4] TEST_UNUSED = { %s };" % ", ".join("{ %s }" % numbers(m) for m in LAMBDA))
print("static const double golden_cavi_noise TEST_UNUSED = %s;" % text(1/mp.sqrt(PRECISION)))
print("static const double golden_cavi_classes[6] TEST_UNUSED = { %s };" % ", ".join("%d" % k for k in CLASSES))
print("static const double golden_cavi_scales[2] TEST_UNUSED = { %s };" % numbers([s/SCALES[2] for s in SCALES[:2]]))
print("static const struct { const char *name; double bound, mean[3][2], cov[3][4]; } golden_cavi_latents[] TEST_UNUSED = {")
rows = []
for case, J in LATENTS.items():
    mean, cov, best = ascend_latents(case)
    rows.append('    { "%s", %s,\n      { %s },\n      { %s } }' % (case, text(best), ", ".join("{ %s }" % numbers(m) for m in mean),
                                                              ", ".join("{ %s }" % numbers(m) for m in cov)))
print(",\n".join(rows))
print("};")
print("#endif /* BLN_TESTS_CAVI_GOLDEN_H */")
