#!/usr/bin/env python3
"""Writes tests/golden/mixture_golden.h: parts and gradients of the variational bound of a mixture of two normals.

    python3 tools/golden_mixture.py > tests/golden/mixture_golden.h          (numpy, mpmath; half a minute)

Over the six rows of golden_glm_rows.py: moments of the rows; E log prior, its slopes in log lambda and the lambda where they are 0;
both bounds of the entropy; and for each likelihood with Gauss-Hermite quadrature of 20 nodes the expectations' slopes g and h, the
gradients of the whole bound with either entropy (J: Jensen, B: Bhattacharyya) in m and log psi, and in Phi (F). Moments of f at two
other rows, and mean and variance of the mixture there."""
import mpmath as mp
from golden_glm_rows import (D, GIVEN, K, LIKELIHOODS, bound, entropy_bhattacharyya, entropy_jensen, expectation, hermite_rule, lam, latent,
                             log_density, log_prior, m, mu_v, nu, number, psi, slope)


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


print("/* mixture_golden.h - reference values of the mixture, computed with high-precision arithmetic (mpmath) from exactly these inputs\n"
      " * and rounded once to double. Written by tools/golden_mixture.py, which says what is what. mu, v, g, h: rows by components. */\n"
      "#ifndef BLN_TESTS_MIXTURE_GOLDEN_H\n#define BLN_TESTS_MIXTURE_GOLDEN_H")
for key in ["Phi", "m", "psi", "slice", "lambda_slice", "nu", "Phi_star"]:
    show(key, GIVEN[key])
show("mu", [a for a, _ in mu_v])
show("v", [v for _, v in mu_v])
show("R", [log_prior(m, psi, lam)])
show("H_J", [entropy_jensen(m, psi)])
show("H_B", [entropy_bhattacharyya(m, psi)])
slices = [[i for i in range(D) if GIVEN["slice"][i] == s] for s in (0, 1)]
show("dloglambda", [slope(lambda e: log_prior(m, psi, [v*mp.exp(e*(i in s)) for i, v in enumerate(lam)])) for s in slices])
show("lambda_opt", [sum(m[k][i]**2 + psi[k][i] for k in range(K) for i in s)/(K*len(s)) for s in slices])
rule = hermite_rule(20)
found = {name: bound(name, lambda y, mean, v, l=log_density(name): expectation(l, y, mean, v, rule), nu) for name in LIKELIHOODS}
print("enum { GOLDEN_MIXTURE_LIKELIHOODS = %d };      /* %s */" % (len(found), ", ".join(found)))
for what in ["g", "h", "F", "dm_J", "dm_B", "dlogpsi_J", "dlogpsi_B"]:
    show(what, [v for one in found.values() for v in one[what]])
star = [latent(GIVEN["Phi_star"][3*t:3*t + 3], k) for t in (0, 1) for k in range(K)]
show("star_mu", [a for a, _ in star])
show("star_v", [v for _, v in star])
means = [(star[2*t][0] + star[2*t + 1][0])/2 for t in (0, 1)]
show("star_mean", means)
show("star_var", [sum(star[2*t + k][1] + (star[2*t + k][0] - means[t])**2 for k in range(K))/K for t in (0, 1)])
print("#endif /* BLN_TESTS_MIXTURE_GOLDEN_H */")
