#!/usr/bin/env python3
"""Writes the golden headers of src/likelihood, by mpmath.

A new likelihood has its log p and its distribution in FAMILY, rows in POINTS, EXPECT and PREDICT, and in PLACES the f where log p bends,
with widths; if y is real, and f its mean, its name also stands in MEAN_IS_F.

    python3 tools/golden_likelihood.py points       > tests/golden/likelihood_golden.h      (five minutes)
    python3 tools/golden_likelihood.py expectations > tests/golden/expect_golden.h          (minutes)
    python3 tools/golden_likelihood.py predictive   > tests/golden/predictive_golden.h      (minutes)
    python3 tools/golden_likelihood.py points NAME      the rows of one likelihood alone; also of the other two

With 60 digits or more from the definition of log p alone: derivatives by numerical differentiation, expectations and predictions by
quadrature. Infinite values are written as 1e308, what was not computed as -1e308."""
import sys
import textwrap

import mpmath as mp

mp.mp.dps = 60
INF, NONE = "1e308", "-1e308"


def text(x):
    if x is None:
        return NONE
    x = mp.mpf(x)
    if mp.isinf(x) or abs(x) > mp.mpf("1.7976e308"):
        return INF if x > 0 else NONE
    return repr(float(x))


# The likelihood that was asked for, or all.
ONE = sys.argv[2] if len(sys.argv) > 2 else None


# ---- log p(y | f), P(Y <= y), P(Y > y), mean, variance; o: trials, exposure or noise variance

def log1pexp(x):
    return mp.log1p(mp.exp(x))


def gamma_q(a, x):
    return mp.gammainc(a, x, mp.inf, regularized=True)


def gamma_p(a, x):
    return mp.gammainc(a, 0, x, regularized=True)


def binomial(both):
    def logp(y, f, th, n):
        p, q = both(f)
        return mp.log(mp.binomial(n, y)) + (y*mp.log(p) if y else 0) + ((n - y)*mp.log(q) if n - y else 0)

    def dist(y, f, th, n):
        p, q = both(f)
        if y < 0:
            return n*p, n*p*q
        pmf = [mp.binomial(n, k)*p**k*q**(n - k) for k in range(int(n) + 1)]
        return n*p, n*p*q, sum(pmf[:int(y) + 1]), sum(pmf[int(y) + 1:])
    return logp, dist


def poisson(rate):
    def logp(y, f, th, t):
        g = t*rate(f)
        return y*mp.log(g) - g - mp.loggamma(y + 1)

    def dist(y, f, th, t):
        g = t*rate(f)
        if y > 3000:
            return g, g, None, None
        return g, g, gamma_q(y + 1, g), gamma_p(y + 1, g)
    return logp, dist


def gaussian(y, f, th, v):
    return -mp.log(2*mp.pi*th[0]*v)/2 - (y - f)**2/(2*th[0]*v)


def gaussian_dist(y, f, th, v):
    s = mp.sqrt(th[0]*v)
    return f, th[0]*v, mp.ncdf((y - f)/s), mp.ncdf((f - y)/s)


def student(y, f, th, v):
    s, nu = th
    a = nu*s*s*v
    return mp.loggamma((nu + 1)/2) - mp.loggamma(nu/2) - mp.log(mp.pi*a)/2 - (nu + 1)/2*mp.log1p((y - f)**2/a)


def student_dist(y, f, th, v):
    s, nu = th
    z = (y - f)/(s*mp.sqrt(v))
    var = s*s*v*nu/(nu - 2) if nu > 2 else mp.inf
    if nu > 1e4:
        return f, var, None, None
    tail = mp.betainc(nu/2, mp.mpf(1)/2, 0, nu/(nu + z*z), regularized=True)/2
    return (f if nu > 1 else None), var, (tail if z < 0 else 1 - tail), (1 - tail if z < 0 else tail)


def laplace(y, f, th, v):
    b = th[0]*mp.sqrt(v)
    return -mp.log(2*b) - abs(y - f)/b


def laplace_dist(y, f, th, v):
    b = th[0]*mp.sqrt(v)
    e = mp.exp(-abs(y - f)/b)/2
    return f, 2*b*b, (e if y < f else 1 - e), (1 - e if y < f else e)


def negbin(y, f, th, t):
    k = th[0]
    mu = t*mp.exp(f)
    return mp.loggamma(y + k) - mp.loggamma(k) - mp.loggamma(y + 1) + y*mp.log(mu/(mu + k)) + k*mp.log(k/(mu + k))


def negbin_dist(y, f, th, t):
    k = th[0]
    mu = t*mp.exp(f)
    if y > 3000:
        return mu, mu + mu*mu/k, None, None
    lower = sum(mp.exp(negbin(mp.mpf(j), f, th, t)) for j in range(int(y) + 1))
    return mu, mu + mu*mu/k, lower, 1 - lower


def zip_(y, f, th, t):
    mu = t*mp.exp(f)
    if y == 0:
        return mp.log(th[0] + (1 - th[0])*mp.exp(-mu))
    return mp.log(1 - th[0]) + y*mp.log(mu) - mu - mp.loggamma(y + 1)


def zip_dist(y, f, th, t):
    mu, pi = t*mp.exp(f), th[0]
    return (1 - pi)*mu, (1 - pi)*(mu + pi*mu*mu), pi + (1 - pi)*gamma_q(y + 1, mu), (1 - pi)*gamma_p(y + 1, mu)


def ordinal_tail(j, f, th):               # P(Y > j)
    if j < 0:
        return mp.mpf(1)
    if j >= len(th):
        return mp.mpf(0)
    return 1/(1 + mp.exp(sum(th[:int(j) + 1]) - f))


def ordinal(y, f, th, o):
    with mp.workdps(mp.mp.dps + int(abs(f)) + 10):                 # for what cancels
        return mp.log(ordinal_tail(y - 1, f, th) - ordinal_tail(y, f, th))


def ordinal_dist(y, f, th, o):
    p = [ordinal_tail(j - 1, f, th) - ordinal_tail(j, f, th) for j in range(len(th) + 1)]
    m = sum(j*x for j, x in enumerate(p))
    up = ordinal_tail(y, f, th)
    low = sum(p[:int(y) + 1])
    return m, sum((j - m)**2*x for j, x in enumerate(p)), low, up


def logit_both(f):
    return 1/(1 + mp.exp(-f)), 1/(1 + mp.exp(f))


def probit_both(f):
    return mp.ncdf(f), mp.ncdf(-f)


def cloglog_both(f):
    return -mp.expm1(-mp.exp(f)), mp.exp(-mp.exp(f))


FAMILY = {
    "gaussian": (gaussian, gaussian_dist), "student_t": (student, student_dist), "laplace": (laplace, laplace_dist),
    "binomial_logit": binomial(logit_both), "binomial_probit": binomial(probit_both), "binomial_cloglog": binomial(cloglog_both),
    "poisson_log": poisson(mp.exp), "poisson_softplus": poisson(log1pexp), "negative_binomial": (negbin, negbin_dist),
    "zero_inflated_poisson": (zip_, zip_dist), "ordinal": (ordinal, ordinal_dist)}


def derivative(fn, x, order):
    """Central differences with so small a step, and so many digits, that their error is below 1e-25."""
    with mp.workdps(700):
        h = mp.mpf(10)**-40*max(1, abs(x))
        s = [mp.binomial(order, k)*(-1)**k*fn(x + (mp.mpf(order)/2 - k)*h) for k in range(order + 1)]
        return sum(s)/h**order


def parameter(fn, th, k):
    """d fn(theta)/d theta_k"""
    def at(x):
        moved = list(th)
        moved[k] = x
        return fn(moved)
    with mp.workdps(700):
        h = mp.mpf(10)**-45*max(mp.mpf(10)**-20, abs(th[k]))
        return (at(th[k] + h) - at(th[k] - h))/(2*h)


# ---- points

WIDE = [-700.0, -40.0, -10.0, -3.0, -0.5, 0.0, 0.5, 3.0, 10.0, 40.0, 700.0]
REAL, COUNTS = [-1.3, 2.1], [0, 1, 7, 150]
POINTS = [(family, th, y, n, f) for family, th, ys, n, fs in [
    ("gaussian", [0.37], REAL, 1, WIDE), ("gaussian", [4.0], REAL, 1, WIDE), ("student_t", [0.8, 3.5], REAL + [50.0], 1, WIDE),
    ("student_t", [2.0, 30.0], REAL + [50.0], 1, WIDE), ("laplace", [0.8], REAL, 1, WIDE), ("binomial_logit", [], [0, 1], 1, WIDE),
    ("binomial_probit", [], [0, 1], 1, WIDE[1:-1]), ("binomial_logit", [], [0, 4, 9], 9, WIDE), ("poisson_log", [], COUNTS, 1, WIDE),
    ("poisson_softplus", [], COUNTS, 1, WIDE), ("negative_binomial", [2.3], COUNTS, 1, WIDE),
    ("negative_binomial", [1e6], COUNTS, 1, WIDE)] for f in fs for y in ys]
for y, n in ((0, 1), (1, 1), (3, 7), (7, 7)):
    for f in (-700.0, -40.0, -30.5, -3.0, -0.8, 0.2, 2.0, 5.0, 6.4):
        POINTS.append(("binomial_cloglog", [], y, n, f))
for y in (0, 3, 7):
    for f in (-40.0, -8.0, -5.0, -4.999, -2.0, 0.3, 4.0, 12.0):
        POINTS.append(("binomial_probit", [], y, 7, f))
for y, n, f in ((1000000.0, 3000000.0, -0.7), (0, 1e9, -20.0), (5, 1e9, -19.0), (2, 9, 745.0)):
    POINTS.append(("binomial_logit", [], y, n, f))
for y, t, f in ((0, 2.5, -1.0), (4, 2.5, 0.7), (1000000.0, 2.5, 12.9), (40, 0.03, 7.0), (7, 3.0, -30.0)):
    POINTS.append(("poisson_log", [], y, t, f))
    POINTS.append(("negative_binomial", [0.7], y, t, f))
    POINTS.append(("negative_binomial", [250.0], y, t, f))
for y, t, f in ((0, 2.5, -1.0), (4, 2.5, 0.7), (3, 0.3, -10.0), (3, 0.3, -6.91), (3, 0.3, -6.9), (1000000000.0, 1.0, 1.1e9), (2, 1.0, -21.0),
                (2, 1.0, -19.5), (1, 40.0, 30.0)):
    POINTS.append(("poisson_softplus", [], y, t, f))
for k in (1e-3, 1e6, 1e8):
    for y, f in ((0, 1.0), (40, 3.0), (12, -5.0), (1000000.0, 13.0), (17, 2.0), (3, 20.0)):
        POINTS.append(("negative_binomial", [k], y, 1.0, f))
for pi in (1e-6, 0.2, 0.9):
    for y in (0, 1, 12):
        for t, f in ((1.0, -40.0), (3.5, -3.0), (1.0, -0.5), (3.5, 1.3), (1.0, 3.0), (1.0, 6.0)):
            POINTS.append(("zero_inflated_poisson", [pi], y, t, f))
for y in range(4):
    for f in (-700.0, -40.0, -3.0, 0.3, 1.1, 6.0, 40.0, 700.0):
        POINTS.append(("ordinal", [-1.0, 0.7, 2.5], y, 1.0, f))
for y, v, f in ((0.3, 2.25, 1.0), (-7.0, 0.01, 4.0), (1e6, 1e4, -3.0)):
    POINTS.append(("gaussian", [0.37], y, v, f))
    POINTS.append(("laplace", [0.8], y, v, f))
    for nu in (0.3, 1.5, 60.0, 1e6):
        POINTS.append(("student_t", [0.8, nu], y, v, f))


def braces(values):
    return "{ %s }" % ", ".join(text(v) for v in values)


def row(family, th, y, o, f, values, extra):
    line = '{ "%s", %s, %s, %s, %s, %s, %s },' % (family, braces(list(th) + [0]*(3 - len(th))), text(y), text(o), text(f),
                                                 braces(values), braces(extra))
    print(textwrap.fill(line, 130, initial_indent="    ", subsequent_indent="      ", break_long_words=False))


def chosen(rows):
    rows = [r for r in rows if ONE in (None, r[0])]
    if not rows:
        sys.exit("no rows of %s" % ONE)
    return rows


def tell(line):
    if not ONE:
        print(line)


def opening(name, what):
    if ONE:
        return None
    print("/* %s - %s Rows were computed with mpmath from the\n"
          " * definitions, and rounded once to double; written by tools/golden_likelihood.py. 1e308 stands for infinity, -1e308 for not\n"
          " * computed. other: trials, exposure or factor of the variance. */" % (name, what))
    guard = "BLN_TESTS_" + name.upper().replace(".", "_")
    print("#ifndef %s\n#define %s" % (guard, guard))
    return guard


def points():
    guard = opening("likelihood_golden.h", "log p with its derivatives, and the distribution of y given f.")
    tell("typedef struct golden_likelihood_row {\n    const char *family;\n    double theta[3], y, other, f;\n"
          "    double value[8];       /* log p, d1, d2, d3, mean, variance, P(Y <= y), P(Y > y)              */\n"
          "    double theta_k[9];     /* for each theta_k: its derivatives of log p, d1, d2                   */\n"
          "} golden_likelihood_row;\n"
          "static const golden_likelihood_row golden_likelihood_rows[] TEST_UNUSED = {")
    for family, th, y, o, f in chosen(POINTS):
        logp, dist = FAMILY[family]
        th, y, o, f = [mp.mpf(x) for x in th], mp.mpf(y), mp.mpf(o), mp.mpf(f)
        with mp.workdps(700):
            value = [logp(y, f, th, o)]
        value += [derivative(lambda x: logp(y, x, th, o), f, k) for k in (1, 2, 3)]
        if family == "laplace":
            value[2] = value[3] = mp.mpf(0)
        with mp.workdps(700 if family in ("ordinal", "binomial_cloglog", "negative_binomial") else 60):
            value += [x for x in (dist(y, f, th, o) if not (family == "binomial_logit" and o > 1e4) else [None]*4)]
        extra = []
        for k in range(len(th)):
            extra.append(parameter(lambda v: logp(y, f, v, o), th, k))
            for order in (1, 2):
                def slope(v, order=order):
                    with mp.workdps(700):
                        h = mp.mpf(10)**-40*max(1, abs(f))
                        return sum(mp.binomial(order, j)*(-1)**j*logp(y, f + (mp.mpf(order)/2 - j)*h, v, o)
                                   for j in range(order + 1))/h**order
                extra.append(parameter(slope, th, k) if not (family == "laplace" and order == 2) else mp.mpf(0))
        row(family, th, y, o, f, value, extra + [0]*(9 - len(extra)))
    tell("};\n#endif /* %s */" % guard)


# ---- integrals under N(m, v)

AROUND = sorted(x*y for x in (-1, 1) for y in (0.5, 1, 2, 3, 4, 6, 8, 11, 15, 20, 28, 40, 55, 80, 110, 150, 200, 300, 400)) + [0]


def normal(z):
    return mp.exp(-z*z/2)/mp.sqrt(2*mp.pi)


def integral(fn, m, s, places, reach=14):
    """E fn(f): z of [-reach, reach] with breaks at these places of f."""
    cuts = {mp.mpf(x) for x in range(-reach, reach + 1, 2)}
    for c, w in places:
        for k in AROUND if reach > 14 else (-30, -12, -5, -2, -1, 0, 1, 2, 5, 12, 30):
            z = (c + k*w - m)/s
            if abs(z) < reach:
                cuts.add(z)
    with mp.workdps(22):
        return mp.quad(lambda z: normal(z)*fn(m + s*z), sorted(cuts), maxdegree=5, method="gauss-legendre")


def log_density(g, m, s, places):
    """log of the integral of e^g, which is factored out at its top: breaks around that, too."""
    cuts = {m + s*k for k in AROUND} | {c + w*k for c, w in places for k in AROUND}
    with mp.workdps(22):
        low, top = min(cuts), max(cuts, key=g)
        step = s
        while step > s*mp.mpf(2)**-40:
            best = max((top - step, top, top + step), key=g)
            step, top = (step/2, top) if best == top else (step, best)
        h = s*mp.mpf(2)**-20
        curve = (2*g(top) - g(top + h) - g(top - h))/h**2
        width = 1/mp.sqrt(curve) if curve > 0 else s
        cuts |= {top + width*k for k in AROUND}
        cuts = [c for c in sorted(cuts) if g(c) > g(top) - 90] or [low]
        return g(top) + mp.log(mp.quad(lambda f: mp.exp(g(f) - g(top)), cuts, maxdegree=5, method="gauss-legendre"))


EXPECT = [(family, th, y, o, m, v) for family, th, ys, o in [
    ("gaussian", [0.37], REAL, 1), ("student_t", [0.8, 3.5], REAL + [50.0], 1), ("laplace", [0.8], REAL, 1),
    ("binomial_logit", [], [0, 1], 1), ("binomial_probit", [], [0, 1], 1), ("binomial_logit", [], [0, 4, 9], 9),
    ("poisson_log", [], [0, 1, 7], 1), ("poisson_softplus", [], [0, 1, 7], 1), ("negative_binomial", [2.3], [0, 1, 7], 1)]
    for y in ys for m in (-1.5, 0.4) for v in (1e-6, 0.1, 1.0, 9.0, 100.0)]
for m in (-1.5, 0.8):
    for v in (1e-6, 0.1, 1.0, 9.0, 100.0, 2500.0):
        EXPECT += [("binomial_cloglog", [], 0, 1, m, v), ("binomial_cloglog", [], 3, 7, m, v), ("ordinal", [-1.0, 0.7, 2.5], 0, 1, m, v),
                   ("ordinal", [-1.0, 0.7, 2.5], 2, 1, m, v), ("zero_inflated_poisson", [0.2], 0, 1, m, v),
                   ("zero_inflated_poisson", [1e-4], 0, 2.5, m, v), ("zero_inflated_poisson", [0.2], 4, 2.5, m, v)]
    for v in (2500.0, 1e6):
        EXPECT += [("binomial_logit", [], 3, 9, m, v), ("student_t", [0.8, 3.5], 1.0, 2.25, m, v), ("negative_binomial", [2.3], 4, 1, m, v)]
PLACES = {"binomial_cloglog": lambda th, y, o: [(mp.mpf(0), 1)], "ordinal": lambda th, y, o: [(mp.mpf(-1), 1), (mp.mpf(2), 1)],
          "zero_inflated_poisson": lambda th, y, o: [(mp.log(mp.log(1/th[0])/o), 1)], "binomial_logit": lambda th, y, o: [(mp.mpf(0), 1)],
          "student_t": lambda th, y, o: [(y, th[0]*mp.sqrt(th[1]*o)/2)], "negative_binomial": lambda th, y, o: [(mp.log(th[0]/o), 1)],
          "poisson_log": lambda th, y, o: [(mp.log((y + mp.mpf(1)/2)/o), 1/mp.sqrt(y + 1))],
          "poisson_softplus": lambda th, y, o: [((y + mp.mpf(1)/2)/o, mp.sqrt(y + 1)/o), (mp.mpf(0), 1)],
          "binomial_probit": lambda th, y, o: [(mp.mpf(0), 1)],
          "laplace": lambda th, y, o: [(y, th[0]*mp.sqrt(o))], "gaussian": lambda th, y, o: [(y, mp.sqrt(th[0]*o))]}


def expectations():
    guard = opening("expect_golden.h", "expectations under f ~ N(m, v).")
    tell("typedef struct golden_expect_row {\n    const char *family;\n    double theta[3], y, other, m;\n"
          "    double value[4];       /* v, E log p, its derivative in m, twice that in v                        */\n"
          "    double theta_k[3];     /* its derivatives in theta                                                */\n"
          "} golden_expect_row;\n"
          "static const golden_expect_row golden_expect_rows[] TEST_UNUSED = {")
    for family, th, y, o, m, v in chosen(EXPECT):
        logp = FAMILY[family][0]
        th, y, o, m, v = [mp.mpf(x) for x in th], mp.mpf(y), mp.mpf(o), mp.mpf(m), mp.mpf(v)
        s, places = mp.sqrt(v), PLACES[family](th, y, o)

        def expect(fn):
            return integral(fn, m, s, places)

        def l(f):
            return logp(y, f, th, o)
        # Where log p grows like e^f the mass is at z = s.
        if family == "poisson_log":
            A = o*mp.exp(m + v/2)
            value = [v, y*(m + mp.log(o)) - A - mp.loggamma(y + 1), y - A, -A]
        elif family in ("binomial_cloglog", "zero_inflated_poisson") and v > 9 and (y > 0 or family == "binomial_cloglog"):
            A = o*mp.exp(m + v/2)
            if family == "binomial_cloglog":
                def part(f):
                    x = mp.exp(f)
                    return mp.log(-mp.expm1(-x)) if x < 200 else mp.mpf(0)

                def part1(f):
                    x = mp.exp(f)
                    return x/mp.expm1(x) if x < 200 else mp.mpf(0)

                def part2(f):
                    x = mp.exp(f)
                    if x > 200:
                        return mp.mpf(0)
                    r = x/mp.expm1(x)
                    return r*(1 - x - r)
                A *= (o - y)/o
                value = [v, mp.log(mp.binomial(o, y)) + y*expect(part) - A, y*expect(part1) - A, y*expect(part2) - A] if y else [v, -A, -A, -A]
            else:
                value = [v, mp.log(1 - th[0]) + y*(m + mp.log(o)) - A - mp.loggamma(y + 1), y - A, -A]
        else:
            def d(order):
                def at(f):
                    with mp.workdps(60):
                        h = mp.mpf(10)**-13
                        return sum(mp.binomial(order, k)*(-1)**k*l(f + (mp.mpf(order)/2 - k)*h) for k in range(order + 1))/h**order
                return at
            value = [v, expect(l), expect(d(1)), expect(d(2))]
            if family == "laplace":                       # its second derivative is at the kink: a delta
                value[3] = -2/th[0]*mp.npdf(y, m, s)
        extra = []
        for k in range(len(th)):
            def dk(f, k=k):
                with mp.workdps(50):
                    h = mp.mpf(10)**-15*abs(th[k])
                    up, down = list(th), list(th)
                    up[k] += h
                    down[k] -= h
                    return (logp(y, f, up, o) - logp(y, f, down, o))/(2*h)
            extra.append(-1/(1 - th[0]) if family == "zero_inflated_poisson" and y > 0 else expect(dk))
        row(family, th, y, o, m, value, extra + [0]*(3 - len(extra)))
    tell("};\n#endif /* %s */" % guard)


# ---- predictions

PREDICT = [("gaussian", [0.37], 2.0, 1.5), ("laplace", [0.8], 2.0, 0.25), ("student_t", [0.8, 3.5], 2.0, 1.0), ("student_t", [0.05, 2.2], 9.0, 1.0),
           ("binomial_logit", [], 1, 1), ("binomial_logit", [], 3, 9), ("binomial_logit", [], 0, 400), ("binomial_probit", [], 0, 1),
           ("binomial_probit", [], 5, 9), ("binomial_cloglog", [], 2, 5), ("poisson_log", [], 3, 1.5), ("poisson_log", [], 0, 1),
           ("poisson_log", [], 5000, 1), ("poisson_softplus", [], 4, 2.0), ("negative_binomial", [2.3], 6, 1.5), ("zero_inflated_poisson", [0.3], 0, 1),
           ("zero_inflated_poisson", [0.3], 5, 1), ("ordinal", [-1.0, 0.7, 2.5], 2, 1)]


# Likelihoods of a real y of mean f, whose distribution function needs no integral over y.
MEAN_IS_F = ("gaussian", "laplace", "student_t")


def predictive():
    guard = opening("predictive_golden.h", "predictions under f ~ N(m, v).")
    tell("typedef struct golden_predictive_row {\n    const char *family;\n    double theta[3], y, other, m;\n"
          "    double value[7];       /* v, log E p(y|f), E y, Var E[y|f], E Var[y|f], E P(Y <= y|f), E P(Y > y|f)  */\n"
          "    double unused[1];\n"
          "} golden_predictive_row;\n"
          "static const golden_predictive_row golden_predictive_rows[] TEST_UNUSED = {")
    for family, th, y, o in chosen(PREDICT):
        for m, v in ((0.3, 0.01), (-1.0, 1.0), (2.0, 16.0), (-3.0, 400.0)):
            logp, dist = FAMILY[family]
            T, Y, O, M, V = [mp.mpf(x) for x in th], mp.mpf(y), mp.mpf(o), mp.mpf(m), mp.mpf(v)
            s, places = mp.sqrt(V), PLACES[family](T, Y, O)
            if family.startswith("binomial") and o > 1:
                x = (Y + mp.mpf(1)/2)/(O + 1)
                places.append((mp.log(x/(1 - x)), 1/mp.sqrt(O*x*(1 - x))))
            heavy = family in ("poisson_log", "negative_binomial", "zero_inflated_poisson")
            with mp.workdps(22):
                density = log_density(lambda f: logp(Y, f, T, O) - (f - M)**2/(2*V), M, s, places) - mp.log(2*mp.pi*V)/2
                if heavy:
                    A, A2 = O*mp.exp(M + V/2), O*O*mp.exp(2*M + 2*V)
                    pi = T[0] if family[0] == "z" else 0
                    mean, model = (1 - pi)*A, (1 - pi)**2*(A2 - A*A)
                    noise = A + A2/T[0] if family[0] == "n" else (1 - pi)*(A + pi*A2)
                elif family in MEAN_IS_F:
                    mean, model, noise = M, V, dist(Y, M, T, O)[1]
                else:
                    one = mp.mpf(-1 if family[0] == "b" else 0)
                    mean = integral(lambda f: dist(one, f, T, O)[0], M, s, places)
                    model = integral(lambda f: (dist(one, f, T, O)[0] - mean)**2, M, s, places)
                    noise = integral(lambda f: dist(one, f, T, O)[1], M, s, places)
                # By parts: E P(Y > y | f) = int -dP(Y <= y | f)/df P(F > f) df, which needs no distribution function at each node.
                if heavy or family in MEAN_IS_F or o > 100:
                    def slope(f):
                        x = mp.exp(f)*O
                        if family == "poisson_log":
                            return mp.exp(Y*mp.log(x) - x - mp.loggamma(Y + 1))*x
                        if family == "zero_inflated_poisson":
                            return (1 - T[0])*mp.exp(Y*mp.log(x) - x - mp.loggamma(Y + 1))*x
                        if family == "negative_binomial":
                            return mp.exp(negbin(Y, f, T, O))*(Y + T[0])*x/(x + T[0])
                        if family == "binomial_logit":
                            return mp.exp(logp(Y, f, T, O))*(O - Y)/(1 + mp.exp(-f))
                        return mp.exp(logp(Y, f, T, O))
                    at = places + [(M, s)]
                    cuts = sorted({c + k*w for c, w in at for k in AROUND}
                                  | {M + 14*s, M - 14*s})
                    if family in MEAN_IS_F and family != "gaussian":
                        cuts = sorted(cuts + [M + x*s*2**k for x in (-1, 1) for k in range(9, 36)])
                    if heavy:
                        cuts = sorted([c for c in cuts if -3000 < c < 40 + mp.log(Y + 1)])
                    upper = mp.quad(lambda f: slope(f)*mp.ncdf((M - f)/s), cuts, maxdegree=5, method="gauss-legendre")
                    lower = 1 - upper
                    if family[0] != "z":
                        lower = mp.quad(lambda f: slope(f)*mp.ncdf((f - M)/s), cuts, maxdegree=5, method="gauss-legendre")
                else:
                    lower = integral(lambda f: dist(Y, f, T, O)[2], M, s, places, 12)
                    upper = integral(lambda f: dist(Y, f, T, O)[3], M, s, places, 12)
            row(family, T, Y, O, M, [V, density, mean, model, noise, lower, upper], [0])
    tell("};\n#endif /* %s */" % guard)


if __name__ == "__main__":
    {"points": points, "expectations": expectations, "predictive": predictive}[sys.argv[1]]()
