#!/usr/bin/env python3
"""Writes tests/golden/psis_golden.h: Pareto-smoothed importance sampling by other software, and leave-one-out scores.

    python3 tools/golden_psis.py > tests/golden/psis_golden.h                (numpy, and R with its package loo)

Three sets of log ratios and what R's loo 2.5.1 makes of them, shape, effective number of draws, the three largest smoothed log weights,
come from golden_psis.R. To these come leave-one-out scores and WAIC of a table of 300 draws and 7 rows that the test makes for itself,
by the formulas of Vehtari, Gelman & Gabry (2017), Vehtari et al. (2024) and Zhang & Stephens (2009) written down here, with the draws'
relative efficiency and the rows' weights."""
import csv
import os
import subprocess

import numpy as np


def smooth(l, r_eff=1.0):
    l = l - l.max()
    S = len(l)
    M = int(np.ceil(min(0.2*S, 3*np.sqrt(S/r_eff))))
    order = np.argsort(l, kind="stable")
    u = l[order[S - M - 1]]
    tail = [s for s in order[S - M:] if np.exp(l[s]) > np.exp(u)]
    k = np.inf
    if len(tail) >= 5:
        M = len(tail)
        x = np.exp(l[tail]) - np.exp(u)
        m = 30 + int(np.sqrt(M))
        j = np.arange(1, m + 1)
        b = 1/x[-1] + (1 - np.sqrt(m/(j - 0.5)))/(3*x[int(M/4 + 0.5) - 1])
        shape = np.array([np.mean(np.log1p(-bj*x)) for bj in b])
        profile = M*(np.log(-b/shape) - shape - 1)
        weight = np.array([1/np.sum(np.exp(profile - p)) for p in profile])
        b = np.sum(b*weight)
        k = np.mean(np.log1p(-b*x))
        sigma = -k/b
        k = (M*k + 5)/(M + 10)
        p = (np.arange(1, M + 1) - 0.5)/M
        l[tail] = np.minimum(np.log(np.exp(u) + sigma*np.expm1(-k*np.log1p(-p))/k), 0)
    return l - np.logaddexp.reduce(l), k


def uniforms(n):
    state, out = 7, []
    for _ in range(n):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = state
        z = (z ^ (z >> 30))*0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27))*0x94D049BB133111EB % 2**64
        z ^= z >> 31
        out.append(((z >> 11) + 0.5)/2**53)
    return np.array(out)


def show(name, x):
    x, lines, line = ["%.15g" % v for v in x], [], "   "
    for v in [v if "." in v or "e" in v or "n" in v else v + ".0" for v in x]:
        if len(line) + len(v) > 128:
            lines.append(line)
            line = "   "
        line += " " + v + ","
    print("static const double golden_psis_%s[] TEST_UNUSED = {\n%s\n};" % (name, "\n".join(lines + [line])))


ratios, want = {}, {}
program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden_psis.R")
for case, name, i, value in (line[:4] for line in csv.reader(subprocess.check_output(["Rscript", program], text=True).splitlines())):
    if name == "ratio":
        ratios.setdefault(case, []).append(value)
    else:
        want[case, name, int(i)] = value
print("""/* psis_golden.h - what R's loo 2.5.1 makes of some log ratios, and scores of a table made by the test. Written by
 * tools/golden_psis.py, which says how. */
#ifndef BLN_TESTS_PSIS_GOLDEN_H
#define BLN_TESTS_PSIS_GOLDEN_H""")
for case, values in ratios.items():
    show(case, [float(v) for v in values])
print("""typedef struct golden_psis_case { const char *name; const double *ratio; size_t n; double k_hat, n_eff, largest[3]; } golden_psis_case;
static const golden_psis_case golden_psis_cases[] TEST_UNUSED = {""")
for case, values in ratios.items():
    print("    { \"%s\", golden_psis_%s, %d, %s, %s, { %s } }," % (
        case, case, len(values), want[case, "k_hat", 0], want[case, "n_eff", 0],
        ", ".join(want[case, "largest", i] for i in range(3))))
print("};")

S, n = 300, 7
u = uniforms(S)
w = np.log(u/(1 - u))
table = -0.05*(0.5*np.arange(n)[None, :] - w[:, None])**2
weight = np.array([1, 2, 0, 1, 0.5, 1, 3.])
full = np.logaddexp.reduce(table, axis=0) - np.log(S)
for name, r_eff, weights in [("plain", 1.0, np.ones(n)), ("weighted", 0.4, weight)]:
    elpd, shape = np.zeros(n), np.zeros(n)
    for i in range(n):
        if weights[i] == 0:
            elpd[i], shape[i] = full[i], -np.inf
            continue
        lw, shape[i] = smooth(-weights[i]*table[:, i], r_eff)
        elpd[i] = np.logaddexp.reduce(lw + table[:, i])
    N = weights.sum()
    mean = (weights*elpd).sum()/N
    show(name + "_elpd", elpd)
    show(name + "_k_hat", [max(k, -1e308) for k in shape])
    show(name + "_total", [(weights*elpd).sum(), np.sqrt(N*(weights*(elpd - mean)**2).sum()/(N - 1)), (weights*(full - elpd)).sum(), N])
v = table.var(axis=0, ddof=1)
show("waic_elpd", full - v)
show("waic_total", [(full - v).sum(), np.sqrt(n*(full - v).var(ddof=1)), v.sum(), n])
print("#endif /* BLN_TESTS_PSIS_GOLDEN_H */")
