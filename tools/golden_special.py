#!/usr/bin/env python3
"""Golden values of tests/math/test_special*.c:   python3 tools/golden_special.py > tests/golden/special_golden.h

Every function by its definition with at least 50 digits (mpmath), at points that are doubles exactly: some spread over the whole
range with a fixed seed, those where the library changes its formula and their neighbours, and those where a sweep over
tens of thousands of points found the largest errors. A value is two doubles, hi + lo, so that errors below one unit in the
last place can be told. Inverse functions also have the slope d log x/d log p, p the smaller tail."""
import math
import random
from mpmath import mp, mpf

mp.dps = 50
INF = math.inf


def digits(n):
    return mp.workdps(int(n))


# ---- exponentials and logarithms

def log1pexp(x):
    return x + mp.log1p(mp.exp(-x)) if x > 0 else mp.log1p(mp.exp(x))


def log1mexp(a):
    return mp.log(-mp.expm1(-a)) if a < 0.5 else mp.log1p(-mp.exp(-a))


def sigmoid(x):
    return 1/(1 + mp.exp(-x))


def logit(p):
    with digits(400):
        return mp.log(p/(1 - p))


# ---- error function, normal distribution

def erf(x):
    return mp.erf(x)


def erfc(x):
    return mp.erfc(x)


def erfcx(x):
    if x > 1e4:                                         # asymptotic: relative 1e-50 after seven terms
        total = term = mpf(1)
        for k in range(1, 30):
            term *= -(2*k - 1)/(2*x*x)
            total += term
        return total/(x*mp.sqrt(mp.pi))
    with digits(70):
        return mp.exp(x*x)*mp.erfc(x)


def erfc_inverse(c, y):
    """z >= 0 with erfc z = c, erf z = y = 1 - c: bisection of log erfc, or of erf, then Newton."""
    with digits(70):
        if y < mpf(10)**-30:
            return y*mp.sqrt(mp.pi)/2
        small = y < 0.5
        f = (lambda z: mp.erf(z) - y) if small else (lambda z: mp.log(c) - mp.log(mp.erfc(z)))
        lo, hi = mpf(0), mpf(28)
        for _ in range(30):
            mid = (lo + hi)/2
            lo, hi = (mid, hi) if f(mid) < 0 else (lo, mid)
        z = (lo + hi)/2
        for _ in range(4):
            slope = 2/mp.sqrt(mp.pi)*mp.exp(-z*z)
            z -= f(z)/(slope if small else slope/mp.erfc(z))
        return z


def erfcinv(y):
    with digits(400):
        other = 1 - y if y <= 1 else y - 1
        c = y if y <= 1 else 2 - y
    return erfc_inverse(c, other) if y <= 1 else -erfc_inverse(c, other)


def norm_quantile(p):
    return -mp.sqrt(2)*erfcinv(2*p)


def norm_sf(x):
    return mp.erfc(x/mp.sqrt(2))/2


def norm_cdf(x):
    return norm_sf(-x)


def norm_pdf(x):
    return mp.exp(-x*x/2)/mp.sqrt(2*mp.pi)


def norm_logpdf(x):
    return -x*x/2 - mp.log(2*mp.pi)/2


def norm_logcdf(x):
    with digits(400 if x > 0 else 70):
        return mp.log(erfcx(-x/mp.sqrt(2))/2) - x*x/2 if x < 0 else mp.log1p(-norm_sf(x))


def norm_mills(x):
    return mp.sqrt(2/mp.pi)/erfcx(-x/mp.sqrt(2)) if x < 0 else norm_pdf(x)/norm_cdf(x)


# ---- gamma function

def lgamma(x):
    if x > mpf(10)**80:
        return (x - 0.5)*mp.log(x) - x + mp.log(2*mp.pi)/2 + 1/(12*x)
    if x < mpf(10)**-80:
        return -mp.log(x) - mp.euler*x
    with digits(90):                                    # 40 more: it may be near a root
        return mp.loggamma(x)


def digamma(x):
    if x < mpf(10)**-60 or x > mpf(10)**60:
        return -1/x if x < 1 else mp.log(x)
    with digits(90):
        return mp.psi(0, x)


def trigamma(x):
    if x < mpf(10)**-60 or x > mpf(10)**60:
        return 1/x**2 if x < 1 else 1/x
    return mp.psi(1, x)


def log_rising(a, x):
    if x < a*mpf(10)**-60:
        return x*digamma(a)
    if a > mpf(10)**60:
        with digits(150):
            return x*mp.log(a + x) + (a - 0.5)*mp.log1p(x/a) - x
    with digits(70 + abs(mp.log10(a + x)) + abs(mp.log10(x)) + abs(mp.log10(x/a))):
        return mp.loggamma(a + x) - mp.loggamma(a)


def lgamma_half_diff(x):
    return log_rising(x, mpf(0.5))


def log_choose(n, k):
    with digits(700):
        k = min(k, n - k)
        b = n - k + 1
    with digits(150):
        return log_rising(b, k) - log_rising(mpf(1), k)


# ---- incomplete functions, both tails each

def positive_series(num, den, num_step, den_step, bits):
    """1 + num/den (1 + (num + num_step)/(den + den_step) (1 + ...)), integers, in fixed point."""
    term = total = 1 << bits
    while term:
        term = term*num//den
        total += term
        num += num_step
        den += den_step
    return mp.ldexp(mpf(total), -bits)


LEGENDRE = []


def legendre(n=48):
    if not LEGENDRE:
        with digits(80):
            for i in range(n):
                t = mp.cos(mp.pi*(i + 0.75)/(n + 0.5))
                for _ in range(8):
                    before, now = mpf(1), t
                    for k in range(2, n + 1):
                        before, now = now, ((2*k - 1)*t*now - (k - 1)*before)/k
                    slope = n*(t*now - before)/(t*t - 1)
                    t -= now/slope
                LEGENDRE.append((t, 2/((1 - t*t)*slope*slope)))
    return LEGENDRE


def decaying_integral(g):
    """int_0^oo e^g(v) dv, g(0) = 0, g concave: Gauss-Legendre in pieces up to where it is below e^-135."""
    end = mpf(1)
    while g(end) < -135:
        end /= 2
    while g(end) > -135:
        end *= 1.5
    pieces = max(12, int(end/1.5) + 1)
    total = mpf(0)
    for i in range(pieces):
        for t, w in legendre():
            total += w*mp.exp(g(end*(i + (1 + t)/2)/pieces))
    return total*end/(2*pieces)


def fixed(v, bits):
    return int(mp.ldexp(v, bits))


def gamma_tails(a, x):
    """P by its series of positive terms, or Q as int_0^oo e^(a v - x (e^v - 1)) dv times x^a e^-x/Gamma(a)."""
    log_front = lambda: a*mp.log(x) - x - mp.loggamma(a + 1)
    if a > 1e4 or x > a + 1 and x > 1:
        with digits(70 + max(0, mp.log10(a + x))):
            front = mp.exp(log_front())*a
            if x <= a:
                p = front*decaying_integral(lambda v: -a*v - x*mp.expm1(-v))
                return p, 1 - p
            q = front*decaying_integral(lambda v: a*v - x*mp.expm1(v))
            return 1 - q, q
    for d in (60, 130, 600):
        with digits(d + max(0, -mp.log10(a))):
            bits = int(mp.prec) + 60
            p = mp.exp(log_front())*positive_series(fixed(x, bits), fixed(a + 1, bits), 0, 1 << bits, int(mp.prec) + 20)
            if 1 - p > mpf(10)**(35 - d):
                break
    return p, 1 - p


def log_beta_front(a, b, x, y):
    return a*mp.log(x) + b*mp.log(y) + mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b)


def beta_tails(a, b, x, y=None):
    """The series x^a y^b/(a B) (1 + (a + b)/(a + 1) x + ...) of either side, or with v the distance in log(x/y),
    int_0^oo e^(-a v - (a + b) log(1 + x (e^-v - 1))) dv."""
    if y is None:
        with digits(420):
            y = 1 - x
    left = x*b <= y*a
    if not left:
        q, p = beta_tails_left(b, a, y, x)
        return p, q
    return beta_tails_left(a, b, x, y)


def beta_tails_left(a, b, x, y):
    if (a + b)*x < 20000 and x < 0.95:
        return beta_series(a, b, x, y)
    if a < 0.3:                                         # then x^a is not small
        q, p = beta_series(b, a, y, x)
        return p, q
    with digits(80 + max(0, mp.log10(a + b))):
        p = mp.exp(log_beta_front(a, b, x, y))*decaying_integral(lambda v: -a*v - (a + b)*mp.log1p(x*mp.expm1(-v)))
        return p, 1 - p


def beta_series(a, b, x, y):
    for d in (60, 130, 480):
        with digits(d + max(0, -mp.log10(a), -mp.log10(b))):
            bits = int(mp.prec) + 60
            p = mp.exp(log_beta_front(a, b, x, y))/a*positive_series(fixed((a + b)*x, bits), fixed(a + 1, bits), fixed(x, bits),
                                                                     1 << bits, int(mp.prec) + 20)
            if 1 - p > mpf(10)**(35 - d):
                break
    return p, 1 - p


def student_cdf(dof, t):
    with digits(90):
        x, y = dof/(dof + t*t), t*t/(dof + t*t)
        p, q = beta_tails(dof/2, mpf(0.5), x, y)
        return p/2 if t < 0 else mpf(0.5) + q/2


def student_logpdf(dof, t):
    with digits(90):
        power = mp.log1p(t*t/dof) if t*t/dof > mpf(10)**-40 else t*t/dof
        return log_rising(dof/2, mpf(0.5)) - mp.log(mp.pi*dof)/2 - (dof + 1)/2*power


def student_pdf(dof, t):
    return mp.exp(student_logpdf(dof, t))


# ---- inverses: the logarithm of the smaller tail against log x, log(x/y), log t

def root(gap, w):
    """w with gap(w) = 0 and the slope there; gap is increasing and concave, gap(w) = (value, slope)."""
    value, slope = gap(w)
    for _ in range(400):
        step = value/slope
        w -= max(-3, min(3, step)) if abs(step) > 3 else step
        value, slope = gap(w)
        if abs(step) < mpf(10)**-28:
            return w - value/slope, slope
    raise ArithmeticError("no root")


def gamma_inverse(a, p, q):
    upper = p > q
    target = q if upper else p

    def gap(w):
        x = mp.exp(-w if upper else w)
        tail = gamma_tails(a, x)[1 if upper else 0]
        return mp.log(tail/target), mp.exp(a*mp.log(x) - x - mp.loggamma(a))/tail
    # P <= x^a/Gamma(a + 1): from its left; else from Wilson & Hilferty's cube.
    least = (mp.log(p if not upper else 1 - q) + mp.loggamma(a + 1))/a
    z = norm_quantile(target)*(-1 if upper else 1)
    cube = 1 - 1/(9*a) + z/(3*mp.sqrt(a))
    start = max(least, mp.log(a*cube**3)) if cube > 0.1 else least
    w, slope = root(gap, -start if upper else start)
    return mp.exp(-w if upper else w), 1/slope


def beta_inverse(a, b, p, q):
    if p > q:
        x, y, slope = beta_inverse(b, a, q, p)
        return y, x, slope

    def gap(w):
        x, y = 1/(1 + mp.exp(-w)), 1/(1 + mp.exp(w))
        tail = beta_tails(a, b, x, y)[0]
        return mp.log(tail/p), mp.exp(log_beta_front(a, b, x, y))/tail
    least = (mp.log(p) - (mp.loggamma(a + b) - mp.loggamma(b) - mp.loggamma(a + 1)))/a
    start = mp.psi(0, a) - mp.psi(0, b) + norm_quantile(p)*mp.sqrt(mp.psi(1, a) + mp.psi(1, b))
    w, slope = root(gap, max(least, start))
    return 1/(1 + mp.exp(-w)), 1/(1 + mp.exp(w)), slope


def student_inverse(dof, p):
    with digits(70):
        tail = p if p < 0.5 else 1 - p
        x, y, slope = beta_inverse(dof/2, mpf(0.5), 2*tail, 1 - 2*tail)
        t = mp.sqrt(dof*y/x)
        s = tail/(t*student_pdf(dof, t))
        return (t if p > 0.5 else -t), s


def pair_of_inverse(name, a, b, p):
    with digits(400):
        q = 1 - p
    with digits(70):
        if name == "gamma_p_inv":
            return gamma_inverse(a, p, q)
        if name == "gamma_q_inv":
            return gamma_inverse(a, q, p)
        if name == "student_quantile":
            return student_inverse(a, p)
        x, y, slope = beta_inverse(a, b, p, q) if name == "beta_p_inv" else beta_inverse(a, b, q, p)
        # d log x/d log p = y d log(x/y)/d log p
        return x, y/slope


# ---- points

def logs(r, lo, hi, n):
    return [10.0**r.uniform(lo, hi) for _ in range(n)]


def flat(r, lo, hi, n):
    return [r.uniform(lo, hi) for _ in range(n)]


def edges(*values):
    """Each with its neighbours."""
    return [w for v in values for w in (math.nextafter(v, -INF), v, math.nextafter(v, INF))]


def signs(values):
    return values + [-v for v in values]


SMALL = [5e-324, 3.7e-315, 2.2250738585072014e-308]
ERFCX_PIECES = [0.5, 0.625, 0.75, 0.875, 1, 1.5, 2, 3, 4, 5, 7]


def one_argument(name, r):
    if name == "log1pexp":
        return signs(logs(r, -17, 2.8, 20) + flat(r, 0, 40, 20) + [1e308] + SMALL) + edges(-745.0, 0.0) + flat(r, -745, -600, 5)
    if name == "log1mexp":
        return logs(r, -300, 2.8, 40) + flat(r, 0, 40, 30) + edges(math.log(2)) + [740.0] + SMALL
    if name == "sigmoid":
        return signs(logs(r, -17, 2.8, 20) + flat(r, 0, 40, 20)) + edges(-40.0, 40.0) + flat(r, -745, -600, 5)
    if name == "logit":
        middle = [0.5 + s*2.0**-k for k in range(2, 53, 4) for s in (-1, 1)]
        return logs(r, -320, 0, 30) + flat(r, 0, 1, 30) + middle + [1 - 10.0**-k for k in range(1, 16)] + edges(0.25, 0.75) + SMALL
    if name == "erf":
        return signs(logs(r, -310, 0, 10) + flat(r, 0, 7, 35) + SMALL + edges(*ERFCX_PIECES[:1] + [7.0]) + ERFCX_PIECES)
    if name == "norm_quantile":
        ends = [1 - 10.0**-k for k in range(1, 16)] + [0.5 + s*10.0**-k for k in range(1, 16, 3) for s in (-1, 1)]
        return logs(r, -323, 0, 40) + flat(r, 0, 1, 30) + ends + edges(0.075, 0.25, 0.75, math.exp(-25)) + SMALL
    if name.startswith("norm_"):
        pieces = [math.sqrt(2)*v for v in ERFCX_PIECES]
        values = signs(logs(r, -310, 0, 8) + flat(r, 0, 12, 30) + pieces + flat(r, 12, 37.5, 10) + [38.2]) + edges(pieces[0], 9*math.sqrt(2))
        if name in ("norm_logpdf", "norm_logcdf", "norm_mills"):
            values += [-v for v in logs(r, 2, 150, 20)]
        return values
    if name in ("lgamma", "digamma", "trigamma", "lgamma_half_diff"):
        small = logs(r, -150 if name == "trigamma" else -300, 0, 12)
        values = small + logs(r, 0, 300, 12) + flat(r, 0, 12, 40) + edges(1.0, 2.0, 8.0, 10.0, 1e17) + [k/8 for k in range(1, 24)]
        if name == "lgamma":
            values += [c + s*2.0**-k for c in (1, 2) for k in range(2, 53, 6) for s in (-1, 1)] + [2.5e305, 2.5563e305] + SMALL
        if name == "digamma":
            values += [1.4616321449683623 + s*2.0**-k for k in range(2, 52, 4) for s in (-1, 1)] + [1e-307]
        if name == "trigamma":
            values += [1e-153, 8e-155, 7.5e-155]
        if name == "lgamma_half_diff":
            values += flat(r, 1.2, 1.25, 6) + [1.2212797615284767]
        return values
    raise KeyError(name)


def two_arguments(name, r, n):
    out = []
    u = lambda lo, hi: 10.0**r.uniform(lo, hi)
    for _ in range(n):
        if name == "log_rising":
            out += [(u(-250, 270), 0, u(-250, 270)), (u(-5, 6), 0, u(-5, 6)), (r.uniform(0, 12), 0, u(-20, 1)), (u(-3, 60), 0, u(-300, -20)),
                    (r.uniform(0, 1.4), 0, r.uniform(0, 3)), (u(-300, -245), 0, u(-300, 0)), (r.choice((8.0, 10.0, 9.9999, 1e17)), 0, u(-15, 3))]
        if name == "log_choose":
            a, b, c = u(0, 250), u(-2, 12), u(0, 60)
            i = r.randint(2, 10**r.randint(1, 15))
            out += [(a, 0, a*r.random()), (b, 0, b*r.random()), (c, 0, min(c, u(-20, 15))), (float(i), 0, float(r.randint(1, i - 1)))]
        if name in ("gamma_p", "gamma_q"):
            a, b, c, d = u(-4, 6), u(-4, 1), u(-16, 0), u(2.7, 6)
            out += [(a, 0, abs(a + r.uniform(-35, 35)*math.sqrt(a))), (b, 0, u(-10, 2.5)), (c, 0, r.choice((1.0, math.nextafter(1, 0), u(-10, 0.3)))),
                    (d, 0, d*(1 + r.choice((-1, 1))*u(-12, -2))), (500*(1 + r.uniform(-1, 1)*1e-9), 0, 500*(1 + r.choice((-0.4, 0.4, 0, 0, 0.01)))),
                    (u(-2, 2.6), 0, u(-40, 2))]
            a = u(-3, 2.6)
            out += [(a, 0, a + 1 + r.uniform(-1, 1)*u(-15, 0)), (r.choice((8.0, 7.999, 1.0, 0.999)), 0, r.uniform(0, 60))]
        if name in ("beta_p", "beta_q"):
            a, b = u(-1, 6), u(-1, 6)
            m, s = a/(a + b), math.sqrt(a*b/(a + b + 1))/(a + b)
            out += [(u(-3, 2), u(-3, 2), r.random()), (u(-3, 2), u(-3, 2), u(-40, 0)), (u(-20, 1), u(-1, 2), u(-20, 0)),
                    (a, b, min(0.999999, abs(m + r.uniform(-35, 35)*s))), (a, b, min(math.nextafter(1, 0), (a + 1)/(a + b + 2))),
                    (r.choice((8.0, 7.999)), r.choice((8.0, 7.999, 0.5)), r.random())]
            a, b = u(-1, 1), u(2, 6)
            x = min(0.99, u(-2, 1.5)/b)
            out += [(a, b, x), (b, a, 1 - x)]
        if name.startswith("student"):
            sign = -1 if name == "student_cdf" else 1
            a = u(0, 6)
            out += [(u(-2, 5), 0, sign*u(-6, 6)), (u(-1, 4), 0, sign*r.uniform(0, 35)), (r.choice((1.0, 2.0, 4.0, 15.999, 16.0, 30.0)), 0, sign*u(-3, 5)),
                    (u(5, 25), 0, sign*r.uniform(0, 37)), (a, 0, sign*u(-3, 3)/math.sqrt(a)), (u(-2, 3), 0, sign*u(5, 60))]
    if name == "log_rising":
        out += [(1e49, 0, 1.8e-275), (1e-300, 0, 1e-310), (1e306, 0, 1e-139), (5e-324, 0, 5e-324), (1e305, 0, 1e305)]
    if name == "log_choose":
        out += [(50.0, 0, k) for k in (0.5, 1.0, 25.0, 49.0)] + [(1e300, 0, 2.0), (1e-5, 0, 3e-6)]
    if name in ("gamma_p", "gamma_q"):
        out += [(1e9, 0, 1e9), (1e12, 0, 1.00001e12), (0.5, 0, 700.0), (3.0, 0, 1e-100), (1e-200, 0, 0.5)]
    if name in ("beta_p", "beta_q"):
        out += [(2e9, 2e9, 0.5), (1e7, 3e7, 0.2501), (1e9, 3.0, 1 - 1e-9), (1.9, 1e6, 2.9e-6), (4e9, 5e9, 0.44444), (1e11, 1e10, 0.909091),
                (1e11, 1e10, 10/11), (4e9, 1e12, 0.0039841), (3.5e9, 3.5e9, 0.5001)]
    if name == "student_logpdf":
        out += [(1.015e22, 0, 92288.97), (1e22, 0, 99.0), (1e23, 0, 3000.0), (1e250, 0, 1e124), (3.0, 0, 1e200), (1e-100, 0, 1e-20)]
    return out


def inverse_points(name, r, n):
    out = []
    u = lambda lo, hi: 10.0**r.uniform(lo, hi)
    for _ in range(n):
        ps = [u(-300, 0), r.random(), 1 - u(-15, 0), u(-5, 0), 0.5*(1 + r.uniform(-1, 1)*1e-3)]
        for p in ps:
            if name.startswith("gamma"):
                out += [(u(-1, 3), 0, p), (u(3, 6), 0, p)]
            if name.startswith("beta"):
                out += [(u(-0.5, 2), u(-0.5, 2), p), (u(-0.5, 5), u(-0.5, 5), p)]
            if name.startswith("student"):
                out += [(u(0, 3), 0, p), (u(3, 7), 0, p)]
    return out


# Where the largest errors were found, with any compiler.
WORST = {
    "log1pexp": [(0, 0, -2.76566389630029), (0, 0, 0.1676785164300481), (0, 0, -1.385062936023873), (0, 0, 1.6719180228564348e-06), (0, 0, 1.4133369306321945e-08), (0, 0, 0.0011273898877501355), (0, 0, -0.6423897573518607), (0, 0, -2.0758313380289817)],
    "log1mexp": [(0, 0, 0.46420297428484414), (0, 0, 1.0268706000969718), (0, 0, 1.671728969613957), (0, 0, 1.1154089351375385), (0, 0, 2.0414248227562926), (0, 0, 2.8214324311328776), (0, 0, 2.649888854265785), (0, 0, 1.7093351248573274)],
    "sigmoid": [(0, 0, -10.495250333815012), (0, 0, 1.5321089978317786e-14), (0, 0, -1.7633946302057976e-06), (0, 0, -634.857209959677), (0, 0, -24.82122596532646), (0, 0, 36.33120468537482), (0, 0, 19.137865495079737), (0, 0, 11.08664520636732)],
    "logit": [(0, 0, 0.8772714947270521), (0, 0, 0.9818826253742299), (0, 0, 0.128888596959287), (0, 0, 0.384721488389117), (0, 0, 0.8652854458809884), (0, 0, 0.8731041044925931), (0, 0, 0.38462408793391956), (0, 0, 0.8742522578869885)],
    "erf": [(0, 0, 4.9856844498494526e-307), (0, 0, -4.9856844498494526e-307), (0, 0, 1.3290553605765616e-307), (0, 0, -1.3290553605765616e-307), (0, 0, 0.12835583801413009), (0, 0, -0.12835583801413009), (0, 0, -6.656566141904303e-302), (0, 0, 6.656566141904303e-302)],
    "norm_pdf": [(0, 0, -28.867741752809916), (0, 0, 28.867741752809916), (0, 0, -37.06350438327997), (0, 0, -11.090936624269663), (0, 0, 11.090936624269663), (0, 0, -13.420616495944307), (0, 0, -22.76291465294149), (0, 0, 13.420616495944307)],
    "norm_logpdf": [(0, 0, -6.917724384972431e+40), (0, 0, 5.995659131340077e+27), (0, 0, -22.136785536223265), (0, 0, 36.263263356592404), (0, 0, -21.133767709073485), (0, 0, -475896268167854.4), (0, 0, 21.133767709073485), (0, 0, 0.6043149689476419)],
    "norm_cdf": [(0, 0, -0.7071005347126598), (0, 0, -0.7071067812647659), (0, 0, -0.7071067811865483), (0, 0, -1.7450351628179437), (0, 0, -4.271287566636893), (0, 0, -4.949747468305831), (0, 0, -3.1819827912061656), (0, 0, -7.0710678118655235)],
    "norm_sf": [(0, 0, 2.1779252021304973), (0, 0, 2.1213203426939127), (0, 0, 2.4748737440997184), (0, 0, 3.5355339087257454), (0, 0, 8.391964357175477), (0, 0, 2.433173453927564), (0, 0, 2.121320396819306), (0, 0, 1.4139610108076015)],
    "norm_logcdf": [(0, 0, 3.866095787185316), (0, 0, 7.0198199845894935), (0, 0, 0.6484080128600518), (0, 0, 16.887574077546944), (0, 0, 33.93515207860801), (0, 0, 0.7071067811865475), (0, 0, -0.7039728754792843), (0, 0, 35.509762311267934)],
    "norm_mills": [(0, 0, -2.1213158138257455), (0, 0, -2.1213203435596433), (0, 0, -2.474872207408832), (0, 0, -0.6997411002745799), (0, 0, -1.406122014026295), (0, 0, -0.705502591674413), (0, 0, -31.08023759855978), (0, 0, -31.486339133297037)],
    "norm_quantile": [(0, 0, 0.3194940242194346), (0, 0, 0.25000000000000105), (0, 0, 0.7417763447633903), (0, 0, 0.7585076339068324), (0, 0, 0.2439387609768462), (0, 0, 0.23948649156307533), (0, 0, 0.4027840838521646), (0, 0, 0.2429534737985639)],
    "lgamma": [(0, 0, 2.1311487632588397), (0, 0, 1.4968838892278546), (0, 0, 1.4999999999998272), (0, 0, 1.2549272979927484), (0, 0, 1.1098186910384031), (0, 0, 2.1057352736944432), (0, 0, 2.000000042084349), (0, 0, 1.5069261959954818)],
    "digamma": [(0, 0, 1.4616321449683622), (0, 0, 1.4616321449683625), (0, 0, 1.4616321449683627), (0, 0, 1.4616321449683631), (0, 0, 1.461632144968363), (0, 0, 1.461632144968362), (0, 0, 1.4616321449683634), (0, 0, 1.4616321449683614)],
    "trigamma": [(0, 0, 9.699182569980355), (0, 0, 8.999574679806049), (0, 0, 10.705039284423382), (0, 0, 11.436837997282485), (0, 0, 9.837077460703927), (0, 0, 8.624053129087718), (0, 0, 9.448090345627298), (0, 0, 8.98865311717343)],
    "lgamma_half_diff": [(0, 0, 1.2211346138791468), (0, 0, 1.221481028371843), (0, 0, 1.219567927539294), (0, 0, 1.2206036801238045), (0, 0, 1.2224251654159215), (0, 0, 1.2244284981242073), (0, 0, 1.223919898499012), (0, 0, 1.2196129711304047)],
    "log_rising": [(0.7369431165425245, 0, 1.6641621317993311), (0.9118256111816357, 0, 1.2119344704277153), (1.4204770903975887e-271, 0, 7.88512565e-316), (2.351503805714327e-268, 0, 1.404e-320), (7.460992541451653e-218, 0, 7.372184694333644e-240), (1.6064389069358641e-276, 0, 1.1913352003663353e-307), (6.574999010938215e-242, 0, 8.21952597109906e-276), (2.265062809905178e-268, 0, 2.214870550441901e-289)],
    "log_choose": [(5.3621778874973706e-21, 0, 3.1559270054757963e-21), (5.294163514708621e-21, 0, 4.18901424713539e-21), (7.806181033799784e-21, 0, 1.8824101094424884e-21), (1.028575385324948e-20, 0, 7.066278324456308e-21), (2.7649814576021473e-20, 0, 1.4404206959294556e-20), (4.5837451376228074e-20, 0, 1.872235064747918e-20), (3.9779995579810365e-20, 0, 1.4018504073266788e-21), (1.0642433026382978e-19, 0, 2.21548800871135e-20)],
    "student_pdf": [(2.750138627166454e+22, 0, 34.852917819367455), (1.8933368948532374e+22, 0, 37.463926954677085), (4365.876822806363, 0, 20.95677497637055), (4.655080994709692e-255, 0, 5.2125164070283297e-216), (99222002.5886693, 0, 37.02675028011362), (698.1736426579328, 0, 27.63577371073741), (3.479948877795042e-234, 0, 1.1529984033026294e-205), (0.0646992374009844, 0, 0.09071884327413296)],
    "student_logpdf": [(1785.5837165281441, 0, 29.568786970470164), (338954.402484624, 0, 1.3780792493211769), (3.0, 0, 6.549458125801627), (4.0478174035488226e-235, 0, 3.748474752798657e-261), (1.1972492706567493e+22, 0, 88228.05147462107), (0.01366535062613303, 0, 1.4963518220243469e-09), (2.952742794155293e+113, 0, 4.6909395746495704e+23), (38125626.6832424, 0, 0.9646500145379975)],
    "beta_p": [(124.68567078248908, 1.0654788892599483, 0.9838320132964204), (122.36514286410461, 0.7580383936080392, 0.9859495388789145), (14.265486942195567, 0.49394078261299695, 0.9108596780782947), (210.74324115727615, 1.6042072425824976, 0.9878505330386559), (8104.3528942945095, 0.6667088402780136, 0.9998314172960611), (442.5527567370513, 0.611397689717946, 0.996380216884729), (363.20391549172496, 0.3628882423953768, 0.9962718490068743), (82.4161968454359, 0.10168712804212962, 0.9869748175797373)],
    "beta_q": [(0.7102672803552923, 882.8754135719428, 0.0019312273417850547), (0.807644396668887, 84.57612372598867, 0.0206862720102841), (0.4094323475499348, 210.6655046034362, 0.006614726103962889), (0.5826616555477833, 73.00221180660314, 0.02093876560405255), (0.407132332349093, 20.96043209128927, 0.06021732974984992), (0.2717322205867448, 8869.855216085529, 0.00013953323330467677), (0.8177024245354566, 265.8796030334197, 0.006764870311734051), (0.8396493213299586, 102.59847596033305, 0.017447667211604876)],
    "gamma_p": [(499.9999996843739, 0, 499.9999996843739), (370.7917023301114, 0, 370.7918437758564), (499.9999997273314, 0, 499.9999997273315)],
    "gamma_q": [(499.999999699195, 0, 511.95511650982013), (8.149052162566044e-10, 0, 0.9999999999999999), (4.673385072977716e-16, 0, 1.0), (1.0068630445938098, 0, 2.0068630436002226), (0.00010001, 0, 1.0001)],
    "gamma_p_inv": [(4.340644055259088, 0, 0.4997166812841135), (0.7991546129303367, 0, 0.00028278961342632556)],
    "beta_p_inv": [(0.6651431577777583, 107.58160117291409, 0.8929662013520179), (1.015339596983847, 291019.02327377576, 0.8046419450107973)],
    "student_quantile": [(587.4844489216515, 0, 0.04875676699619196), (43.75203422940829, 0, 0.9355876463208721)],
}


# ---- output

def show(x):
    return "%d" % x if x == int(x) and abs(x) < 1e6 else float(x).hex()


def halves(v):
    """hi + lo; a subnormal is rounded once."""
    if abs(v) < mpf(2)**-1022:
        return math.ldexp(int(mp.nint(mp.ldexp(v, 1074))), -1074), 0.0
    hi = float(v)
    return (hi, 0.0) if math.isinf(hi) else (hi, float(v - mpf(hi)))


def table(name, rows):
    print("static const golden_special_point golden_special_%s[] = {" % name)
    line = ""
    for a, b, x, v, slope in rows:
        hi, lo = halves(v)
        if math.isinf(hi):
            continue
        text = "{%s,%s,%s,%s,%s,%s}," % (show(a), show(b), show(x), show(hi), "%.3g" % lo if lo else "0", "%.3g" % slope if slope else "0")
        if len(line) + len(text) > 150:
            print(line)
            line = ""
        line += text
    print(line + "\n};\n")


ONE = ["log1pexp", "log1mexp", "sigmoid", "logit", "erf", "norm_pdf", "norm_logpdf", "norm_cdf", "norm_sf",
       "norm_logcdf", "norm_mills", "norm_quantile", "lgamma", "digamma", "trigamma", "lgamma_half_diff"]
TWO = [("log_rising", 14), ("log_choose", 20), ("gamma_p", 12), ("gamma_q", 12), ("beta_p", 11), ("beta_q", 11), ("student_pdf", 12),
       ("student_logpdf", 12), ("student_cdf", 15)]
INVERSE = [("gamma_p_inv", 6), ("gamma_q_inv", 5), ("beta_p_inv", 5), ("beta_q_inv", 4), ("student_quantile", 6)]


def inside(name, a, b, x):
    if name in ("log1mexp", "lgamma", "digamma", "trigamma", "lgamma_half_diff", "gamma_p", "gamma_q"):
        return x > 0
    if name in ("logit", "norm_quantile", "beta_p", "beta_q") or name.endswith(("inv", "quantile")):
        return 0 < x < 1
    return name != "log_choose" or 0 <= x <= a


def value(name, a, b, x):
    if name in ("gamma_p", "gamma_q"):
        return gamma_tails(a, x)[name == "gamma_q"]
    if name in ("beta_p", "beta_q"):
        return beta_tails(a, b, x)[name == "beta_q"]
    if name.startswith(("student", "log_rising", "log_choose")):
        return globals()[name](a, x)
    return globals()[name](x)


def main():
    print("/* Written by tools/golden_special.py, which says how. a, b, x; value hi + lo; of inverses d log x/d log p. */")
    print("#ifndef BLN_TESTS_SPECIAL_GOLDEN_H\n#define BLN_TESTS_SPECIAL_GOLDEN_H")
    print("typedef struct golden_special_point { double a, b, x, hi, lo, slope; } golden_special_point;\n")
    for name in ONE:                                      # a stream for each function: the points of one do not move the others'
        points = one_argument(name, random.Random("68 " + name)) + [p[-1] for p in WORST.get(name, [])]
        points = sorted(set(float(x) for x in points if inside(name, 0, 0, x)))
        table(name, [(0, 0, x, value(name, 0, 0, mpf(x)), 0) for x in points])
    for name, n in TWO:
        points = [p for p in two_arguments(name, random.Random("68 " + name), n) + WORST.get(name, []) if inside(name, *p)]
        table(name, [(a, b, x, value(name, mpf(a), mpf(b), mpf(x)), 0) for a, b, x in points])
    for name, n in INVERSE:
        rows = []
        for a, b, p in inverse_points(name, random.Random("68 " + name), n) + WORST.get(name, []):
            x, slope = pair_of_inverse(name, mpf(a), mpf(b), mpf(p))
            if abs(x) > mpf(10)**-300 and abs(x) < mpf(10)**300 and not (name.startswith("beta") and 1 - x < mpf(10)**-16):
                rows.append((a, b, p, x, float(slope)))
        table(name, rows)
    print("#endif /* BLN_TESTS_SPECIAL_GOLDEN_H */")


if __name__ == "__main__":
    main()
