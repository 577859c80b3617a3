#!/usr/bin/env python3
"""golden_groups.py - writes tests/golden/groups_golden.h: the mixed model of sleepstudy by numerical integration

    python3 tools/golden_groups.py > tests/golden/groups_golden.h                             (numpy)

y = w0 + w1 days + a_i + b_i days + e,  w ~ N(0, s_lin^2), a ~ N(0, s_a^2), b ~ N(0, s_b^2), e ~ N(0, sigma^2), with half-Student-t
priors (3 degrees of freedom): of sigma with scale 2.5 sd(y), of the others 2.5 sd(y)/rms, rms of the features that are not 0.
All 18 subjects have the same days, so that their least-squares lines and the residual sum of squares are sufficient, and everything
given the four standard deviations is algebra of 2 x 2 matrices. These are integrated over by trapezoids in their logarithms. The
integrand is analytic and falls exponentially, so that halving the step shows the error.

The posterior of cbpp is of golden_groups.R, whose draws take an hour and differ in their last digits from one machine to another: its
table stands here as it was printed."""
import csv, os
import numpy as np

STAN = """/* Posterior of cbpp, (1 | herd), by tools/golden_groups.R: rstan 2.21.7, 4 chains of 100,000 draws, largest R-hat 1.00003, smallest
 * effective size 129,000: w of 1 and periods 2, 3, 4, a of each herd, log s_lin, log s_herd. Monte Carlo errors of means are below
 * 0.003 sd, of sds 0.2 %. rstanarm 2.21.3, 80,000 draws weighted to these priors, has the same means within 0.01 sd, and sds within
 * 1 %. */
static const double golden_cbpp_mean[21] = {
    -1.41381, -0.938166, -1.06938, -1.47976, 0.571881, -0.374754, 0.365154,
    -0.023555, -0.264877, -0.506159, 0.887404, 0.621852, -0.344595, -0.652467,
    -0.149662, -0.138679, -0.825738, 1.00892, -0.651359, 0.478829, -0.311525,
};
static const double golden_cbpp_sd[21] = {
    0.256052, 0.303176, 0.322942, 0.416826, 0.412635, 0.429668, 0.367124,
    0.469058, 0.414045, 0.45094, 0.402834, 0.400116, 0.532228, 0.446947,
    0.375747, 0.497581, 0.475972, 0.442966, 0.477753, 0.427898, 0.294854,
};
#endif"""
folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "data")

rows = list(csv.DictReader(open(os.path.join(folder, "sleepstudy.csv"))))
y = np.array([float(r["reaction"]) for r in rows]).reshape(18, 10)
x = np.array([float(r["days"]) for r in rows]).reshape(18, 10)
assert (x == x[0]).all()
X = np.stack([np.ones(10), x[0]], axis=1)
XX = X.T @ X
beta = y @ X @ np.linalg.inv(XX)                               # 18 x 2
rss = ((y - beta @ X.T)**2).sum()
G, bar, n, J = np.linalg.inv(XX), beta.mean(0), 180, 18
S = (beta - bar).T @ (beta - bar)
sd_y = y.std()
scale = {"sigma": 2.5*sd_y, "lin": 2.5*sd_y/np.sqrt(np.trace(XX)/10/2), "a": 2.5*sd_y, "b": 2.5*sd_y/np.sqrt((x[0]**2).mean())}

def log_half_t(s, A): return -2.0*np.log1p((s/A)**2/3)          # up to a constant

def inv2(a, b, c):                                             # of [[a, b], [b, c]]
    d = a*c - b*b
    return c/d, -b/d, a/d, np.log(d)

def run(h):
    """Each of the four in steps h of its logarithm; returns means and second moments."""
    u_sigma = np.arange(np.log(18.5), np.log(37.5), h/4)             # its posterior is that narrow
    u_lin = np.arange(np.log(5), np.log(2e4), h)
    u_a = np.arange(np.log(1e-4), np.log(400), h)
    u_b = np.arange(np.log(1e-4), np.log(100), h)
    a2, b2, l2 = [np.exp(2*u) for u in np.meshgrid(u_a, u_b, u_lin, indexing="ij")]
    top, total, first, second = -np.inf, 0.0, 0.0, 0.0
    for us in u_sigma:
        s2 = np.exp(2*us)
        Va, Vb, Vc = s2*G[0, 0] + a2, s2*G[0, 1] + 0*a2, s2*G[1, 1] + b2
        Pa, Pb, Pc, ld = inv2(Va, Vb, Vc)                       # precision of a line around w
        logp = -0.5*(n - 2*J)*2*us - 0.5*rss/s2 - 0.5*(J - 1)*ld - 0.5*(Pa*S[0, 0] + 2*Pb*S[0, 1] + Pc*S[1, 1])
        Ma, Mb, Mc, ldm = inv2(Va/J + l2, Vb/J, Vc/J + l2)       # of the mean line around 0
        logp += -0.5*ldm - 0.5*(Ma*bar[0]**2 + 2*Mb*bar[0]*bar[1] + Mc*bar[1]**2)
        logp += log_half_t(np.exp(us), scale["sigma"]) + log_half_t(np.sqrt(l2), scale["lin"])
        logp += log_half_t(np.sqrt(a2), scale["a"]) + log_half_t(np.sqrt(b2), scale["b"])
        logp += us + 0.5*np.log(l2*a2*b2)                       # d sd = sd d log sd
        Wa, Wb, Wc, _ = inv2(J*Pa + 1/l2, J*Pb, J*Pc + 1/l2)     # covariance of w
        r0, r1 = J*(Pa*bar[0] + Pb*bar[1]), J*(Pb*bar[0] + Pc*bar[1])
        w0, w1 = Wa*r0 + Wb*r1, Wb*r0 + Wc*r1
        what = [w0, w1, us + 0*a2, 0.5*np.log(l2), 0.5*np.log(a2), 0.5*np.log(b2)]
        var = [Wa, Wc, 0*a2, 0*a2, 0*a2, 0*a2]
        A0, A1, B0, B1 = a2*Pa, a2*Pb, b2*Pb, b2*Pc              # K = S V^-1
        for i in range(J):
            d0, d1 = beta[i, 0] - w0, beta[i, 1] - w1
            what += [A0*d0 + A1*d1, B0*d0 + B1*d1]
            var += [a2 - A0*a2 + A0*A0*Wa + 2*A0*A1*Wb + A1*A1*Wc, b2 - B1*b2 + B0*B0*Wa + 2*B0*B1*Wb + B1*B1*Wc]
        new = max(top, logp.max())
        total, first, second = [v*np.exp(top - new) for v in (total, first, second)]
        top, p = new, np.exp(logp - new)
        total += p.sum()
        first = first + np.array([(p*m).sum() for m in what])
        second = second + np.array([(p*(v + m*m)).sum() for m, v in zip(what, var)])
    mean = first/total
    return mean, np.sqrt(second/total - mean**2)

def table(name, values, form="%.9g", each=6):
    print("static const double golden_%s[%d] = {" % (name, len(values)))
    for i in range(0, len(values), each): print("    " + ", ".join(form % v for v in values[i:i + each]) + ",")
    print("};")

print("""/* groups_golden.h - mixed models of sleepstudy and cbpp (lme4 1.1-31; Belenky et al. 2003, Lesnoff et al. 2004)
 *
 * The first by numerical integration, the second by Stan; models and priors are said in the two programs named. */
#ifndef BLN_TESTS_GROUPS_GOLDEN_H
#define BLN_TESTS_GROUPS_GOLDEN_H""")
coarse, fine = run(0.2), run(0.1)
error = max(np.abs((coarse[k] - fine[k])/fine[1]).max() for k in range(2))
print("/* Posterior of sleepstudy, (1 + days || subject), by tools/golden_groups.py: w of 1, w of days, log sigma, log s_lin, log s_a,")
print(" * log s_b, then a and b of each subject. Steps of 0.2 and 0.1 differ by %.0e sd at most. */" % error)
table("sleepstudy_mean", fine[0])
table("sleepstudy_sd", fine[1])
print("/* The data: reaction times, of 10 days for each subject; subjects. cbpp: herd, period, incidence, size of each row. */")
table("sleepstudy_y", y.ravel(), each=10)
table("sleepstudy_subject", [float(rows[10*i]["subject"]) for i in range(J)], each=18)
table("cbpp", [float(r[c]) for r in csv.DictReader(open(os.path.join(folder, "cbpp.csv"))) for c in ("herd", "period", "incidence", "size")], each=24)
print(STAN)
