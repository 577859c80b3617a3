#!/usr/bin/env python3
"""Writes tests/golden/advi_golden.h: closed forms of mean-field Gaussians, and an ELBO of three fixed draws, by mpmath in 40 digits.

    python3 tools/golden_advi.py ADVI.csv > tests/golden/advi_golden.h

The file is case, name, i, j, value. lingauss: a Gaussian posterior of known evidence; its best mean-field Gaussian has its mean and
log sd = -1/2 log of the diagonal of its precision. gammapoisson: y ~ Poisson(e^z), e^z ~ Gamma(a, b), A = sum y + a, B = n + b;
best are mean log(A/B) - 1/(2A), log sd = -1/2 log A. mc_bernoulli: a logistic regression, see the test."""
import csv
import sys

table = {(r["case"], r["name"], int(r["i"]), int(r["j"])): r["value"] for r in csv.DictReader(open(sys.argv[1]))}


def block(case, names, rows, columns=1):
    return ", ".join(table[case, n, i, j] for n in names for i in range(rows) for j in range(columns))


def line(name, values):
    print("static const double golden_advi_%s[] TEST_UNUSED = { %s };" % (name, values))


print("/* advi_golden.h - closed forms of Gaussian approximations. Written by tools/golden_advi.py, which says of what. */")
print("#ifndef BLN_TESTS_ADVI_GOLDEN_H")
print("#define BLN_TESTS_ADVI_GOLDEN_H")
line("gauss_post", block("lingauss", ["post_mean"], 2) + ",\n    " + block("lingauss", ["post_cov"], 2, 2))
print("/* mean 2, log sd 2; then ELBO, its slopes in both. */")
line("gauss_at", block("lingauss", ["mu", "omega"], 2) + ",\n    " + block("lingauss", ["elbo_at"], 1) + ",\n    "
     + block("lingauss", ["grad_mu", "grad_omega"], 2))
print("/* mean 2, log sd 2, ELBO, log evidence: at the best. */")
line("gauss_best", block("lingauss", ["mu_opt", "omega_opt"], 2) + ",\n    " + block("lingauss", ["elbo_opt", "log_evidence"], 1))
line("poisson_y", block("gammapoisson", ["y"], 5))
print("/* mean, log sd, ELBO, log evidence. */")
line("poisson_best", block("gammapoisson", ["mu_opt", "omega_opt", "elbo_opt", "log_evidence"], 1))
print("/* ELBO and slopes in the mean and the log sd at 0.3 and -0.5. */")
line("poisson_at", block("gammapoisson", ["elbo_at_0.3_-0.5", "grad_mu_at", "grad_omega_at"], 1))
print("/* three draws of the noise, mean 2, log sd 2; ELBO, its slopes in both, the same without the score. */")
line("bernoulli_noise", block("mc_bernoulli", ["eta0", "eta1", "eta2", "mu", "omega"], 2))
line("bernoulli", block("mc_bernoulli", ["elbo"], 1) + ",\n    "
     + block("mc_bernoulli", ["grad_mu", "grad_omega"], 2) + ",\n    "
     + block("mc_bernoulli", ["grad_mu_stl", "grad_omega_stl"], 2))
print("#endif")
