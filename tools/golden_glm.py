#!/usr/bin/env python3
"""Writes tests/golden/glm_golden.h from reference values.

    python3 tools/golden_glm.py GLM_INPUT.csv GLM_OBJECTIVE.csv GLM_NPV_LAPLACE.csv GLM_PREDICT.csv DATA_FOLDER > tests/golden/glm_golden.h

The first four have rows key,i,j,value, made with high-precision arithmetic (mpmath) from exactly the inputs of the first and rounded once
to double: 6 rows, 3 features in 2 slices, K = 2. Taken are Laplace's evidence with mode, covariance and gradients, and the objective of
nonparametric variational inference (factor N/M = 1); the
variational bound with Gauss-Hermite quadrature of 20 nodes and either entropy (J: Jensen, B: Bhattacharyya) (N/M = 2.5), whose gradients
in m and log psi are those of mixture_golden.h too; predictions.

DATA_FOLDER holds the data sets beetle (Bliss 1935), challenger (Dalal et al. 1989), coal (Jarrett 1979), insects (Beall 1942) and ships
(McCullagh & Nelder 1983), and glm_refs.csv: maximum-likelihood fits of them by R 4.2.2 (glm, epsilon 1e-14): coefficients, standard errors,
log-likelihood."""
import csv
import os
import sys


def read(path):
    table = {}
    with open(path) as f:
        for row in csv.DictReader(f):
            table.setdefault(row["key"], []).append((int(row["i"]), int(row["j"]), row["value"]))
    return table


def number(text):
    return text if "." in text or "e" in text or "n" in text else text + ".0"


def values(texts, n=None):
    texts = [number(t) for t in texts]
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


def flat(rows):
    return [v for _, _, v in sorted(rows)]


inputs, objective, laplace, predict = (read(p) for p in sys.argv[1:5])
folder = sys.argv[5]
LIKELIHOODS = ["gaussian", "bernoulli_logit", "bernoulli_probit", "binomial", "poisson_exp", "poisson_softplus", "student_t",
               "negative_binomial", "laplace"]
print("/* glm_golden.h - reference values of the GLM, computed with high-precision arithmetic (mpmath) and rounded once to double, and\n"
      " * maximum-likelihood fits by R. Written by tools/golden_glm.py, which says what is what. */\n"
      "#ifndef BLN_TESTS_GLM_GOLDEN_H\n#define BLN_TESTS_GLM_GOLDEN_H")
for key in ["Phi", "Phi_star", "m", "psi", "lambda_slice", "y_real", "y_count", "y_binary"]:
    wrap("static const double golden_glm_%s[] TEST_UNUSED = %s;" % (key, braces(flat(inputs[key]))), "    ")

print("typedef struct golden_glm_laplace_row {\n    const char *likelihood;\n"
      "    double log_z, w[3], C[9], d_log_lambda[2], d_log_eta, F[18];\n} golden_glm_laplace_row;")
print("static const golden_glm_laplace_row golden_glm_laplace[] TEST_UNUSED = {")
for l in LIKELIHOODS:
    g = lambda key: flat(laplace.get(l + "/" + key, []))
    if g("laplace_logZ"):
        wrap("    { \"%s\", %s, %s, %s, %s, %s, %s }," % (l, number(g("laplace_logZ")[0]), braces(g("map_w")), braces(g("laplace_C")),
             braces(g("laplace_dloglambda")), values(g("laplace_dtheta"), 1)[0], braces(g("laplace_F"))))
print("};")

print("/* d_log_psi and dm for J and B */\ntypedef struct golden_glm_bound_row {\n    const char *likelihood;\n"
      "    double bound[2], dm[2][6], d_log_psi[2][6], d_log_eta[2], F[18];\n} golden_glm_bound_row;")
print("static const golden_glm_bound_row golden_glm_bound[] TEST_UNUSED = {")
for l in LIKELIHOODS:
    g = lambda key: flat(objective.get(l + "/gh20/" + key, []))
    if g("L_B"):
        wrap("    { \"%s\", { %s, %s }, { %s, %s }, { %s, %s }, %s, %s }," % (l, number(g("L_J")[0]), number(g("L_B")[0]),
             braces(g("dm_J")), braces(g("dm_B")), braces(g("dlogpsi_J")), braces(g("dlogpsi_B")), braces(g("dtheta"), 2), braces(g("F"))))
print("};")

print("/* the objective of nonparametric variational inference, with the entropy of Jensen's inequality; N/M = 1 */\n"
      "typedef struct golden_glm_npv_row {\n    const char *likelihood;\n    double value, dm[6], d_log_psi[6], d_log_eta[2];\n"
      "} golden_glm_npv_row;")
print("static const golden_glm_npv_row golden_glm_npv[] TEST_UNUSED = {")
for l in LIKELIHOODS:
    g = lambda key: flat(laplace.get(l + "/npv_" + key, []))
    if g("L"):
        wrap("    { \"%s\", %s, %s, %s, %s }," % (l, number(g("L")[0]), braces(g("dm")), braces(g("dlogpsi")), braces(g("dtheta"), 2)))
print("};")
wrap("static const double golden_glm_d_log_lambda[] TEST_UNUSED = %s;" % braces(flat(objective["dloglambda"])), "    ")

print("/* quantiles of 0.025, 0.5, 0.975; 1e308: not computed */\ntypedef struct golden_glm_predict_row {\n    const char *likelihood;\n"
      "    size_t row;\n    double mean, var_model, var_total, y, logdensity, cdf, quantile[3];\n} golden_glm_predict_row;")
print("static const golden_glm_predict_row golden_glm_predict[] TEST_UNUSED = {")
for l in LIKELIHOODS:
    for t in (0, 1):
        g = lambda key: (flat(predict.get("%s/%d/%s" % (l, t, key), [])) or ["1e308"])[0]
        if g("mean") != "1e308":
            wrap("    { \"%s\", %d, %s, %s }," % (l, t, ", ".join(number(g(k)) for k in
                 ["mean", "var_of_mean", "var_total", "y", "logpdf_at_y", "cdf_at_y"]),
                 braces([g("quantile_0.025"), g("quantile_0.5"), g("quantile_0.975")])))
print("};")


def columns(name, header, rows):
    print("/* %s */" % ", ".join(header))
    wrap("static const double golden_glm_%s[] TEST_UNUSED = %s;" % (name, braces([v for r in rows for v in r])), "    ")


def data(name, keep=lambda r: True):
    with open(os.path.join(folder, name, name + ".csv")) as f:
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
