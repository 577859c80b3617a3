#!/usr/bin/env python3
"""Writes tests/golden/mixture_golden.h from reference values.

    python3 tools/golden_mixture.py GLM_INPUT.csv GLM_OBJECTIVE.csv GLM_PREDICT.csv > tests/golden/mixture_golden.h

All have rows key,i,j,value, made with high-precision arithmetic (mpmath) from exactly the inputs of the first file and rounded once to
double. Taken are, for a mixture of K = 2 over D = 3 weights and 6 rows: the inputs; moments of the rows; E log prior and its slopes;
both bounds of the entropy; and for each likelihood with Gauss-Hermite quadrature of 20 nodes the expectations' slopes g and h, and from
them the gradients of the whole bound with either entropy (J: Jensen, B: Bhattacharyya) in m and log psi, and in Phi (F). Moments of f at
two other rows come from the predictions of the Gaussian likelihood."""
import csv
import sys

LIKELIHOODS = ["gaussian", "bernoulli_logit", "bernoulli_probit", "binomial", "poisson_exp", "poisson_softplus", "student_t",
               "negative_binomial", "laplace"]


def read(path):
    table = {}
    with open(path) as f:
        for row in csv.DictReader(f):
            table.setdefault(row["key"], []).append((int(row["i"]), int(row["j"]), row["value"]))
    return table


def number(text):
    return text if "." in text or "e" in text else text + ".0"


def show(name, values):
    print("static const double golden_mixture_%s[] TEST_UNUSED = {" % name)
    line = "   "
    for v in values:
        v = number(v)
        if len(line) + len(v) + 2 > 128:
            print(line)
            line = "   "
        line += " " + v + ","
    print(line)
    print("};")


def flat(rows):
    return [v for _, _, v in sorted(rows)]


inputs, objective, predict = (read(p) for p in sys.argv[1:4])
print("/* mixture_golden.h - reference values of the mixture, computed with high-precision arithmetic (mpmath) from exactly these inputs\n"
      " * and rounded once to double. Written by tools/golden_mixture.py, which says what is what. mu, v, g, h: rows by components. */\n"
      "#ifndef BLN_TESTS_MIXTURE_GOLDEN_H\n#define BLN_TESTS_MIXTURE_GOLDEN_H")
for key in ["Phi", "m", "psi", "slice", "lambda_slice", "nu", "Phi_star"]:
    show(key, flat(inputs[key]))
for key in ["mu", "v", "R", "H_J", "H_B", "dloglambda", "lambda_opt"]:
    show(key, flat(objective[key]))
found = [l for l in LIKELIHOODS if l + "/gh20/g" in objective]
print("enum { GOLDEN_MIXTURE_LIKELIHOODS = %d };      /* %s */" % (len(found), ", ".join(found)))
for what in ["g", "h", "F", "dm_J", "dm_B", "dlogpsi_J", "dlogpsi_B"]:
    show(what, [v for l in found for v in flat(objective[l + "/gh20/" + what])])
show("star_mu", [v for t in (0, 1) for v in flat(predict["mu*%d" % t])])
show("star_v", [v for t in (0, 1) for v in flat(predict["v*%d" % t])])
show("star_mean", [predict["gaussian/%d/mean" % t][0][2] for t in (0, 1)])
show("star_var", [predict["gaussian/%d/var_of_mean" % t][0][2] for t in (0, 1)])
print("#endif /* BLN_TESTS_MIXTURE_GOLDEN_H */")
