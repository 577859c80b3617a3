#!/usr/bin/env python3
"""Writes tests/golden/glm_golden.h: evidences, bounds and predictions of the GLM, and maximum-likelihood fits by R.

    python3 tools/golden_glm.py > tests/golden/glm_golden.h                  (numpy, mpmath; two minutes)

Of the rows and the mixture of golden_glm_rows.py: Laplace's evidence with mode, covariance and gradients, by Newton's method and
differences of the evidence, the mode found anew at each; the objective of nonparametric variational inference (factor N/M = 1); the
variational bound with Gauss-Hermite quadrature of 20 nodes and either entropy (J: Jensen, B: Bhattacharyya) (N/M = 2.5), whose
gradients in m and log psi are those of mixture_golden.h too; predictions.

tests/golden/data holds the data sets beetle (Bliss 1935), challenger (Dalal et al. 1989), coal (Jarrett 1979), insects (Beall 1942) and
ships (McCullagh & Nelder 1983), and glm_refs.csv: maximum-likelihood fits of them, written by tools/golden_glm.R: coefficients, standard
errors, log-likelihood."""
import csv
import os

import mpmath as mp
from golden_glm_rows import (D, GIVEN, LIKELIHOODS, N, Phi, bound, expectation, hermite_rule, lam, log_density, log_prior, m, number, nu,
                             prediction, psi, scaled, slope)

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "golden", "data")


def values(values, n=None):
    texts = [v if isinstance(v, str) else number(v) for v in values]
    texts = [t if "." in t or "e" in t else t + ".0" for t in texts]
    return texts + ["0.0"]*((n or len(texts)) - len(texts))


def braces(texts, n=None):
    return "{ " + ", ".join(values(texts, n)) + " }"


def wrap(text, indent="      "):
    line, out = "", []
    for word in text.split(" "):
        if len(line) + len(word) + 1 > 128:
            out.append(line)
            line = indent + word
        else:
            line = line + " " + word if line else word
    print("\n".join(out + [line]))


def derivatives(l, y, f):
    """l' and l'' in f."""
    h = mp.mpf(10)**-20
    up, at, down = l(y, f + h), l(y, f), l(y, f - h)
    return (up - down)/(2*h), (up - 2*at + down)/h**2


def laplace(name, theta, lam, Phi, start):
    """log evidence, mode, covariance of Laplace's approximation."""
    l, y, w = log_density(name, theta), GIVEN[LIKELIHOODS[name][2]], mp.matrix(start)
    X = mp.matrix(Phi)
    with mp.workdps(100):
        for _ in range(60):
            d = [derivatives(l, t, f) for t, f in zip(y, X*w)]
            P = mp.diag([1/v for v in lam]) + X.T*mp.diag([-b for _, b in d])*X
            step = P**-1*(X.T*mp.matrix([a for a, _ in d]) - mp.matrix([w[i]/lam[i] for i in range(D)]))
            w += step
            if mp.mnorm(step) < mp.mpf(10)**-38:
                break
        else:
            raise ArithmeticError("no mode")
        top = sum(l(t, f) for t, f in zip(y, X*w)) - sum(w[i]**2/lam[i] for i in range(D))/2
        return top - (mp.log(mp.det(P)) + sum(map(mp.log, lam)))/2, w, P**-1


def laplace_row(name):
    own = LIKELIHOODS[name][3]
    z, w, C = laplace(name, own, lam, Phi, [0]*D)
    at = lambda theta=own, lam=lam, Phi=Phi: laplace(name, theta, lam, Phi, w)[0]
    half = mp.mpf(10)**-14
    slices = [[i for i in range(D) if GIVEN["slice"][i] == s] for s in (0, 1)]
    d_lambda = [slope(lambda e: at(lam=[v*mp.exp(e*(i in s)) for i, v in enumerate(lam)]), half) for s in slices]
    d_theta = [slope(lambda e: at(theta=scaled(name, k, e)), half) for k in range(len(own))]
    F = []
    for n in range(N):
        for i in range(D):
            def moved(e):
                out = [list(r) for r in Phi]
                out[n][i] += e
                return out
            F.append(slope(lambda e: at(Phi=moved(e)), half))
    return z, w, C, d_lambda, d_theta, F


def npv(name):
    """Second-order expansion of E log p around the means: digits for differences of differences."""
    l = log_density(name)
    with mp.workdps(140):
        return bound(name, lambda y, mean, v: l(y, mean) + v*derivatives(l, y, mean)[1]/2, mp.mpf(1))


def d_theta(name, value, factor):
    """Slopes of factor/K sum E in the logarithm of each parameter. value(l, y, mean, v)"""
    from golden_glm_rows import K, mu_v
    y, out = GIVEN[LIKELIHOODS[name][2]], []
    for k in range(len(LIKELIHOODS[name][3])):
        total = lambda e: sum(value(log_density(name, scaled(name, k, e)), y[i//K], *mu_v[i]) for i in range(N*K))
        with mp.workdps(140):
            out.append(factor/K*slope(total))
    return out


print("/* glm_golden.h - reference values of the GLM, computed with high-precision arithmetic (mpmath) and rounded once to double, and\n"
      " * maximum-likelihood fits by R. Written by tools/golden_glm.py, which says what is what. */\n"
      "#ifndef BLN_TESTS_GLM_GOLDEN_H\n#define BLN_TESTS_GLM_GOLDEN_H")
for key in ["Phi", "Phi_star", "m", "psi", "lambda_slice", "y_real", "y_count", "y_binary"]:
    wrap("static const double golden_glm_%s[] TEST_UNUSED = %s;" % (key, braces(GIVEN[key])), "    ")

print("typedef struct golden_glm_laplace_row {\n    const char *likelihood;\n"
      "    double log_z, w[3], C[9], d_log_lambda[2], d_log_eta, F[18];\n} golden_glm_laplace_row;")
print("static const golden_glm_laplace_row golden_glm_laplace[] TEST_UNUSED = {")
for name in LIKELIHOODS:
    if name != "student_t":                                # not log-concave
        z, w, C, d_lambda, d_eta, F = laplace_row(name)
        wrap("    { \"%s\", %s, %s, %s, %s, %s, %s }," % (name, number(z), braces(w), braces(C), braces(d_lambda), values(d_eta, 1)[0],
                                                         braces(F)))
print("};")

print("/* d_log_psi and dm for J and B */\ntypedef struct golden_glm_bound_row {\n    const char *likelihood;\n"
      "    double bound[2], dm[2][6], d_log_psi[2][6], d_log_eta[2], F[18];\n} golden_glm_bound_row;")
print("static const golden_glm_bound_row golden_glm_bound[] TEST_UNUSED = {")
rule = hermite_rule(20)
for name in LIKELIHOODS:
    value = lambda l, y, mean, v: expectation(l, y, mean, v, rule)
    g = bound(name, lambda y, mean, v, l=log_density(name): value(l, y, mean, v), nu)
    wrap("    { \"%s\", { %s, %s }, { %s, %s }, { %s, %s }, %s, %s }," % (name, number(g["L_J"]), number(g["L_B"]), braces(g["dm_J"]),
         braces(g["dm_B"]), braces(g["dlogpsi_J"]), braces(g["dlogpsi_B"]), braces(d_theta(name, value, nu), 2), braces(g["F"])))
print("};")

print("/* the objective of nonparametric variational inference, with the entropy of Jensen's inequality; N/M = 1 */\n"
      "typedef struct golden_glm_npv_row {\n    const char *likelihood;\n    double value, dm[6], d_log_psi[6], d_log_eta[2];\n"
      "} golden_glm_npv_row;")
print("static const golden_glm_npv_row golden_glm_npv[] TEST_UNUSED = {")
for name in LIKELIHOODS:
    g, value = npv(name), lambda l, y, mean, v: l(y, mean) + v*derivatives(l, y, mean)[1]/2
    wrap("    { \"%s\", %s, %s, %s, %s }," % (name, number(g["L_J"]), braces(g["dm_J"]), braces(g["dlogpsi_J"]),
                                             braces(d_theta(name, value, mp.mpf(1)), 2)))
print("};")
wrap("static const double golden_glm_d_log_lambda[] TEST_UNUSED = %s;" % braces([slope(lambda e: log_prior(
    m, psi, [v*mp.exp(e*(GIVEN["slice"][i] == s)) for i, v in enumerate(lam)])) for s in (0, 1)]), "    ")

print("/* quantiles of 0.025, 0.5, 0.975; 1e308: not computed */\ntypedef struct golden_glm_predict_row {\n    const char *likelihood;\n"
      "    size_t row;\n    double mean, var_model, var_total, y, logdensity, cdf, quantile[3];\n} golden_glm_predict_row;")
print("static const golden_glm_predict_row golden_glm_predict[] TEST_UNUSED = {")
for name in LIKELIHOODS:
    for t in (0, 1):
        p = prediction(name, t)
        quantiles = p[6:] or ["1e308"]*3
        wrap("    { \"%s\", %d, %s, %s }," % (name, t, ", ".join(number(v) for v in p[1:4] + [p[0]] + p[4:6]), braces(quantiles)))
print("};")


def columns(name, header, rows):
    print("/* %s */" % ", ".join(header))
    wrap("static const double golden_glm_%s[] TEST_UNUSED = %s;" % (name, braces([v for r in rows for v in r])), "    ")


def data(name, keep=lambda r: True):
    with open(os.path.join(folder, name + ".csv")) as f:
        rows = list(csv.reader(f))
    columns(name, rows[0], [r for r in rows[1:] if keep(r)])


for name in ["beetle", "challenger", "coal", "insects"]:
    data(name)
data("ships", lambda r: r[8] != "0")
print("/* coefficients in the order of the columns, the intercept first; their standard errors, of the expected information, which is the\n"
      " * observed one for logit and log links */\n"
      "typedef struct golden_glm_fit_row {\n    const char *name;\n    size_t n;\n    double w[9], sd[9], loglik;\n} golden_glm_fit_row;")
fits = {}
with open(os.path.join(folder, "glm_refs.csv")) as f:
    for row in csv.DictReader(f):
        fits.setdefault(row["set"] + "/" + row["model"], []).append(row)
print("static const golden_glm_fit_row golden_glm_fits[] TEST_UNUSED = {")
for name in ["beetle/binomial_logit", "beetle/binomial_probit", "beetle/binomial_cloglog", "challenger/binomial_logit",
             "insects/poisson_log", "ships/poisson_log_offset_logservice", "challenger/bernoulli_logit_any",
             "coal/poisson_log_late1892"]:
    rows = fits[name]
    w = [r for r in rows if r["sd"]]
    wrap("    { \"%s\", %d, %s, %s, %s }," % (name, len(w), braces([r["value"] for r in w], 9), braces([r["sd"] for r in w], 9),
         [r["value"] for r in rows if r["quantity"] == "loglik"][0]))
print("};\n#endif /* BLN_TESTS_GLM_GOLDEN_H */")
