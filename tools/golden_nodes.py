#!/usr/bin/env python3
"""Writes tests/golden/glm_nodes_golden.h: expectations at given nodes, and predictions of a mixture of two normals.

    python3 tools/golden_nodes.py > tests/golden/glm_nodes_golden.h          (numpy, mpmath; half a minute)

The rows, q and likelihoods are those of golden_glm_rows.py; d/dm and d/dv are differences of the sums over the nodes."""
import textwrap

import mpmath as mp
from golden_glm_rows import GIVEN, K, LIKELIHOODS, N, expectation, hermite_rule, latent, log_density, mu_v, prediction, slope, trapezoid_rule


def text(x):
    return "-1e308" if x is None else repr(float(x))


def braces(values):
    return "{ %s }" % ", ".join(text(v) for v in values)


def array(name, values):
    line = "static const double golden_nodes_%s[] TEST_UNUSED = %s;" % (name, braces(values))
    print(textwrap.fill(line, 130, subsequent_indent="    ", break_long_words=False))


def sums(name, rule):
    """E, d/dm and twice d/dv of each row and component; rule(i): the nodes of the i-th."""
    l, y = log_density(name), GIVEN[LIKELIHOODS[name][2]]
    out = [[], [], []]
    for i, (mean, v) in enumerate(mu_v):
        at = lambda dm, dv: expectation(l, y[i//K], mean + dm, v + dv, rule(i))
        out[0].append(at(0, 0))
        out[1].append(slope(lambda e: at(e, 0)))
        out[2].append(2*slope(lambda e: at(0, e)))
    return out


new = [latent(GIVEN["Phi_star"][3*t:3*t + 3], k) for t in (0, 1) for k in range(K)]
print("/* glm_nodes_golden.h - expectations at given nodes and predictions of a mixture of two normals, computed with high-precision\n"
      " * arithmetic and rounded once to double; written by tools/golden_nodes.py. mu, v: 6 rows x 2 components; eps: 4 draws\n"
      " * for each of these. nodes: E log p, d/dm and twice d/dv at mu, v, by Gauss-Hermite with 20 nodes, the trapezoid rule of\n"
      " * step 1/2, and the draws. new_mu, new_v: 2 rows x 2. new: mean, Var E[y|f], Var y, log p(y), P(Y <= y), quantiles of\n"
      " * 0.025, 0.5, 0.975 (-1e308: not computed). */")
print("#ifndef BLN_TESTS_GLM_NODES_GOLDEN_H\n#define BLN_TESTS_GLM_NODES_GOLDEN_H")
array("mu", [a for a, _ in mu_v])
array("v", [v for _, v in mu_v])
for name in ("eps", "y_real", "y_count", "y_binary"):
    array(name, GIVEN[name])
array("new_mu", [a for a, _ in new])
array("new_v", [v for _, v in new])
print("typedef struct golden_nodes_row { const char *likelihood, *rule; double value[3][12]; } golden_nodes_row;\n"
      "static const golden_nodes_row golden_nodes_sums[] TEST_UNUSED = {")
gauss, trapezoid = hermite_rule(20), trapezoid_rule(mp.mpf(1)/2, 17)
RULES = {"gh20": lambda i: gauss, "trap0.5": lambda i: trapezoid, "eps": lambda i: [(e, mp.mpf(1)/4) for e in GIVEN["eps"][4*i:4*i + 4]]}
for name in LIKELIHOODS:
    for rule in RULES:
        line = '{ "%s", "%s", { %s } },' % (name, rule, ", ".join(braces(v) for v in sums(name, RULES[rule])))
        print(textwrap.fill(line, 130, initial_indent="    ", subsequent_indent="      ", break_long_words=False))
print("};\ntypedef struct golden_nodes_new_row { const char *likelihood; int row; double y, value[8]; } golden_nodes_new_row;\n"
      "static const golden_nodes_new_row golden_nodes_new[] TEST_UNUSED = {")
for name in LIKELIHOODS:
    for t in (0, 1):
        values = prediction(name, t)
        line = '{ "%s", %s, %s, %s },' % (name, t, text(values[0]), braces(values[1:] + [None]*(9 - len(values))))
        print(textwrap.fill(line, 130, initial_indent="    ", subsequent_indent="      ", break_long_words=False))
print("};\n#endif /* BLN_TESTS_GLM_NODES_GOLDEN_H */")
