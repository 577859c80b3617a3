#!/usr/bin/env python3
"""Writes tests/golden/advi_golden.h: closed forms of mean-field Gaussians, and an ELBO of three fixed draws, by mpmath in 40 digits.

    python3 tools/golden_advi.py > tests/golden/advi_golden.h                (mpmath)

gauss: the linear model y ~ N(Phi w, 0.3) of the real targets of golden_six_rows.py, whose posterior and evidence are Gaussian; the
best mean-field Gaussian has the posterior's mean and log sd = -1/2 log of the diagonal of its precision. poisson: y ~ Poisson(e^z),
e^z ~ Gamma(a, b), A = sum y + a, B = n + b; best are mean log(A/B) - 1/(2A), log sd = -1/2 log A. bernoulli: the logistic
regression of golden_six_rows.py; its ELBO is the mean over the draws z = mean + sd noise of the log density, plus the entropy."""
from golden_six_rows import F, LAMBDA0, MU0, PHI, SCALE2, Y, bound, mp, numbers

LOG_2PI = mp.log(2*mp.pi)


def line(name, *parts):
    print("static const double golden_advi_%s[] TEST_UNUSED = { %s };" % (name, ",\n    ".join(numbers(p) for p in parts)))


def entropy(omega):
    return sum(omega) + len(omega)*(LOG_2PI + 1)/2


X, y = mp.matrix(PHI), mp.matrix(Y["real"])
P = LAMBDA0**-1 + X.T*X/SCALE2
cov = P**-1
mean = cov*(LAMBDA0**-1*MU0 + X.T*y/SCALE2)
V, r = SCALE2*mp.eye(6) + X*LAMBDA0*X.T, y - X*MU0
evidence = -(6*LOG_2PI + mp.log(mp.det(V)) + (r.T*V**-1*r)[0])/2


def gauss_elbo(mu, omega):
    """E log p(y, w) of the Gaussian form around its mean, plus the entropy."""
    d, var = mp.matrix(mu) - mean, [mp.exp(2*w) for w in omega]
    log_joint = evidence - LOG_2PI + mp.log(mp.det(P))/2 - ((d.T*P*d)[0] + P[0, 0]*var[0] + P[1, 1]*var[1])/2
    return log_joint + entropy(omega)


mu, omega = [F(1)/2, F(1)/3], [F(-1), F(-1)/2]
slope_mu = -P*(mp.matrix(mu) - mean)
slope_omega = [1 - P[k, k]*mp.exp(2*omega[k]) for k in range(2)]
best = [-mp.log(P[k, k])/2 for k in range(2)]
print("/* advi_golden.h - closed forms of Gaussian approximations. Written by tools/golden_advi.py, which says of what. */")
print("#ifndef BLN_TESTS_ADVI_GOLDEN_H")
print("#define BLN_TESTS_ADVI_GOLDEN_H")
line("gauss_post", mean, list(cov))
print("/* mean 2, log sd 2; then ELBO, its slopes in both. */")
line("gauss_at", mu + omega, [gauss_elbo(mu, omega)], list(slope_mu) + slope_omega)
print("/* mean 2, log sd 2, ELBO, log evidence: at the best. */")
line("gauss_best", list(mean) + best, [gauss_elbo(mean, best), evidence])

counts, a, b = [3, 1, 4, 1, 5], F(2), F(1)
A, B = sum(counts) + a, len(counts) + b
constant = a*mp.log(b) - mp.loggamma(a) - sum(mp.loggamma(k + 1) for k in counts)


def poisson_elbo(m, w):
    return constant + A*m - B*mp.exp(m + mp.exp(2*w)/2) + entropy([w])


m, w = mp.log(A/B) - 1/(2*A), -mp.log(A)/2
print("static const double golden_advi_poisson_y[] TEST_UNUSED = { %s };" % ", ".join("%d" % k for k in counts))
print("/* mean, log sd, ELBO, log evidence. */")
line("poisson_best", [m, w, poisson_elbo(m, w), constant + mp.loggamma(A) - A*mp.log(B)])
m, w = F("0.3"), F("-0.5")
print("/* ELBO and slopes in the mean and the log sd at 0.3 and -0.5. */")
rate = B*mp.exp(m + mp.exp(2*w)/2)
line("poisson_at", [poisson_elbo(m, w), A - rate, 1 - rate*mp.exp(2*w)])

noise = [["0.5", "-1.2"], ["-0.3", "0.8"], ["1.7", "0.1"]]
sd = [mp.exp(v) for v in omega]
elbo, plain, landing = entropy(omega), [F(0)]*2 + [F(1)]*2, [F(0)]*4
for e in noise:
    e = [F(t) for t in e]
    z = [mu[k] + sd[k]*e[k] for k in range(2)]
    d = mp.matrix(z) - MU0
    f = [phi[0]*z[0] + phi[1]*z[1] for phi in PHI]
    log_prior = -LOG_2PI - mp.log(mp.det(LAMBDA0))/2 - (d.T*LAMBDA0**-1*d)[0]/2
    elbo += (log_prior + sum(bound("bernoulli", t, 1, u, F(0)) for t, u in zip(Y["bernoulli"], f)))/3
    g = -LAMBDA0**-1*d
    for t, u, phi in zip(Y["bernoulli"], f, PHI):
        g += mp.matrix(phi)*(t - 1/(1 + mp.exp(-u)))
    for k in range(2):
        plain[k] += g[k]/3
        plain[2 + k] += g[k]*sd[k]*e[k]/3
        path = g[k] + e[k]/sd[k]                                              # without the score: less the slope of log q at z
        landing[k] += path/3
        landing[2 + k] += path*sd[k]*e[k]/3
print("/* three draws of the noise, mean 2, log sd 2; ELBO, its slopes in both, the same without the score. */")
line("bernoulli_noise", [t for e in noise for t in e] + mu + omega)
line("bernoulli", [elbo], plain, landing)
print("#endif")
