#!/usr/bin/env python3
"""Writes tests/golden/slm_golden.h: the standard linear model, by mpmath in 60 digits, rounded once to double.

    python3 tools/golden_slm.py > tests/golden/slm_golden.h                  (mpmath)

Inputs in_*: 12 rows of 5 features in 3 slices, weights omega of the rows, noise variance sigma2, a prior variance lambda for each slice.
By plain inverses of the covariance of the targets, K = sigma2 Omega^-1 + Phi Lambda Phi', and of submatrices where rows are left out;
gradients by differences of the evidence. [linear 2-41]"""
import re

from mpmath import mp, mpf

mp.dps = 60
PHI = """1 0.034 1.36 0.034 0.046  1 1.225 -0.51 0.941 -0.625  1 -0.298 -0.527 -0.294 0.157  1 0.57 -0.056 0.54 -0.032
1 0.747 -1.847 0.679 -1.38  1 1.567 -0.096 1 -0.15  1 0.68 -0.137 0.629 -0.093  1 -0.379 0.463 -0.37 -0.175
1 0.825 -0.203 0.735 -0.167  1 -0.153 0.686 -0.152 -0.105  1 -0.87 -1.514 -0.764 1.317  1 0.395 -0.671 0.385 -0.265"""
PHI_STAR = "0.696 -0.979 -1.573 -2.925 -0.353  1.248 0.033 0.512 1.023 -0.882  2.652 -0.877 0.374 2.74 -0.114"
GIVEN = {"Phi": PHI, "y": "-0.379 3.529 0.559 1.996 3.81 2.851 1.718 -1.157 2.234 0.089 -0.049 1.962",
         "omega": "1.8 1.78 1.72 0.89 0.62 1.92 1.42 0.5 1.87 1.98 0.93 1.72", "slice": "0 1 1 2 2", "sigma2": "0.25",
         "lambda_slice": "2 0.8 1.5", "lgo_index": "1 4 7", "Phi_star": PHI_STAR, "y_star": "0.3 -1 2"}
given = {k: [mpf(float(t)) for t in v.split()] for k, v in GIVEN.items()}
N, D = 12, 5
Phi, Star = mp.matrix(N, D), mp.matrix(3, D)
for i in range(N*D):
    Phi[i//D, i % D] = given["Phi"][i]
for i in range(3*D):
    Star[i//D, i % D] = given["Phi_star"][i]
y, omega, slices = mp.matrix(given["y"]), given["omega"], [int(s) for s in given["slice"]]
sigma2, lam = given["sigma2"][0], given["lambda_slice"]
LOG_2PI = mp.log(2*mp.pi)


def prior(lam):
    return mp.diag([lam[s] for s in slices])


def covariance(sigma2, Lambda, rows=range(N)):
    X = mp.matrix([[Phi[i, j] for j in range(D)] for i in rows])
    return mp.diag([sigma2/omega[i] for i in rows]) + X*Lambda*X.T, X


def evidence(sigma2, Lambda):
    K, _ = covariance(sigma2, Lambda)
    return -(N*LOG_2PI + mp.log(mp.det(K)) + (y.T*K**-1*y)[0])/2


def slope(f):
    h = mpf(10)**-20
    return (f(h) - f(-h))/(2*h)


def posterior(sigma2, Lambda, rows=range(N)):
    K, X = covariance(sigma2, Lambda, rows)
    gain = Lambda*X.T*K**-1
    return gain*mp.matrix([y[i] for i in rows]), Lambda - gain*X*Lambda


def log_normal(x, mean, var):
    return -(mp.log(2*mp.pi*var) + (x - mean)**2/var)/2


def without(rows):
    """Mean and covariance of the targets of these rows, given all others."""
    rest = [i for i in range(N) if i not in rows]
    m, C = posterior(sigma2, Lambda, rest)
    X = mp.matrix([[Phi[i, j] for j in range(D)] for i in rows])
    return X*m, X*C*X.T + mp.diag([sigma2/omega[i] for i in rows])


Lambda = prior(lam)
m, C = posterior(sigma2, Lambda)
K, _ = covariance(sigma2, Lambda)
of = lambda s: [i for i in range(D) if slices[i] == s]
r = y - Phi*m
rss = sum(omega[i]*r[i]**2 for i in range(N))
gamma = [1 - C[i, i]/Lambda[i, i] for i in range(D)]
out = {"logml": evidence(sigma2, Lambda), "m": m, "C": C, "gamma": gamma, "rss": rss}
out["grad_log_sigma2"] = slope(lambda h: evidence(sigma2*mp.exp(h), Lambda))
out["grad_log_lambda"] = [slope(lambda h: evidence(sigma2, prior([v*mp.exp(h*(k == s)) for k, v in enumerate(lam)]))) for s in range(3)]
alone = [without([i]) for i in range(N)]
out["loo_mean"], out["loo_var"] = [a[0][0] for a in alone], [a[1][0] for a in alone]
out["loo_score"] = sum(log_normal(y[i], a[0][0], a[1][0]) for i, a in enumerate(alone))
group = [int(i) for i in given["lgo_index"]]
mean, out["lgo_cov"] = without(group)
out["lgo_residual"] = [y[i] - mean[k] for k, i in enumerate(group)]
out["pred_mean"], out["pred_cov_latent"] = Star*m, Star*C*Star.T
total = [out["pred_cov_latent"][t, t] + sigma2 for t in range(3)]
out["pred_var_total"] = total
out["pred_logpdf"] = [log_normal(given["y_star"][t], out["pred_mean"][t], total[t]) for t in range(3)]
out["pred_cdf"] = [mp.ncdf((given["y_star"][t] - out["pred_mean"][t])/mp.sqrt(total[t])) for t in range(3)]
ninety = mp.findroot(lambda z: mp.ncdf(z) - mpf(0.9), 1.28)
out["pred_quantile_0.9"] = [out["pred_mean"][t] + ninety*mp.sqrt(total[t]) for t in range(3)]
# One step of each update [linear 30-32].
known, size = [sum(gamma[i] for i in of(s)) for s in range(3)], [sum(m[i]**2 for i in of(s)) for s in range(3)]
out["mackay_lambda"] = [size[s]/known[s] for s in range(3)]
out["em_lambda"] = [(size[s] + sum(C[i, i] for i in of(s)))/len(of(s)) for s in range(3)]
out["mm_lambda"] = [mp.sqrt(lam[s]*out["mackay_lambda"][s]) for s in range(3)]
out["mackay_sigma2"] = rss/(N - sum(known))
out["em_sigma2"] = (rss + sigma2*sum(known))/N
out["mm_sigma2"] = mp.sqrt(sigma2*out["mackay_sigma2"])
# Relevance of feature i: phi' K^-1 y and phi' K^-1 phi, with the feature in K and without it [linear 33].
out["S"], out["q_out"], out["s_out"] = [], [], []
for i in range(D):
    rest = Lambda.copy()
    rest[i, i] = 0
    inverse, phi = covariance(sigma2, rest)[0]**-1, Phi[:, i]
    out["S"].append((phi.T*K**-1*phi)[0])
    out["q_out"].append((phi.T*inverse*y)[0])
    out["s_out"].append((phi.T*inverse*phi)[0])
out["preq_mean"], out["preq_var"], out["preq_logpdf"] = [], [], []
for i in range(N):
    before, spread = posterior(sigma2, Lambda, range(i)) if i else (mp.matrix(D, 1), Lambda)
    mean, var = (Phi[i, :]*before)[0], (Phi[i, :]*spread*Phi[i, :].T)[0] + sigma2/omega[i]
    out["preq_mean"].append(mean)
    out["preq_var"].append(var)
    out["preq_logpdf"].append(log_normal(y[i], mean, var))
# Forgetting: the likelihood of row i to the power kappa^(N - 1 - i) [linear 29].
kappa = mpf(0.9)
power = [kappa**(N - 1 - i) for i in range(N)]
G = sum((power[i]*omega[i]*Phi[i, :].T*Phi[i, :] for i in range(N)), mp.zeros(D))
b = sum((power[i]*omega[i]*Phi[i, :].T*y[i] for i in range(N)), mp.zeros(D, 1))
P = Lambda**-1 + G/sigma2
out["forget_kappa"], out["forget_N"], out["forget_m"] = kappa, sum(power), P**-1*b/sigma2
q = sum(power[i]*omega[i]*y[i]**2 for i in range(N))/sigma2 - (out["forget_m"].T*b)[0]/sigma2
ld = sum(power[i]*mp.log(omega[i]) for i in range(N))
out["forget_logml"] = -(out["forget_N"]*mp.log(2*mp.pi*sigma2) - ld + mp.log(mp.det(P)*mp.det(Lambda)) + q)/2
rest = Lambda.copy()
rest[3, 3] = 0
out["zero_lambda3_logml"], out["zero_lambda3_m"] = evidence(sigma2, rest), posterior(sigma2, rest)[0]


def show(name, values):
    values = [values] if isinstance(values, type(sigma2)) else list(values)
    print("static const double golden_slm_%s[] TEST_UNUSED = {" % re.sub(r"[^A-Za-z0-9_]", "_", name))
    line = "   "
    for v in values:
        t = "%.17g" % float(v)
        t = t if "." in t or "e" in t else t + ".0"
        if len(line) + len(t) + 2 > 128:
            print(line)
            line = "   "
        line += " " + t + ","
    print(line)
    print("};")


print("/* slm_golden.h - reference values of the linear model, computed with high-precision arithmetic (mpmath) from these inputs and rounded")
print(" * once to double. Written by tools/golden_slm.py. [linear 2-41] */")
print("#ifndef BLN_TESTS_SLM_GOLDEN_H\n#define BLN_TESTS_SLM_GOLDEN_H")
for name, values in given.items():
    show("in_" + name, values)
for name, values in out.items():
    show(name, values)
print("#endif /* BLN_TESTS_SLM_GOLDEN_H */")
