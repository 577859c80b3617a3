#!/usr/bin/env python3
"""Constants of the room >>special:   python3 tools/golden_special_tables.py > src/math/special_tables_private.h (between its guards)

Everything with 60 digits (mpmath), rounded once to double, or to two doubles. Polynomials interpolate at the Chebyshev nodes of
their interval, which costs at most a few times the error of the best one; the error that is left is measured between the nodes and
printed into the comment."""
from fractions import Fraction
from mpmath import mp, mpf, bernoulli, chebyt, cos, erf, erfc, exp, log, loggamma, pi, polyval, sqrt

mp.dps = 60


def number(v):
    return repr(float(v))


def head(v, bits):
    """v cut to so many bits."""
    m, e = mp.frexp(v)
    return mp.ldexp(mp.floor(mp.ldexp(m, bits)), e - bits)


def pair(v):
    hi = float(v)
    return hi, float(v - mpf(hi))


def fit(f, lo, hi, degree):
    """Coefficients in t of the interpolant of f on [lo, hi], x = (lo + hi)/2 + t (hi - lo)/2; lowest first."""
    n = degree + 1
    nodes = [cos(pi*(2*i + 1)/(2*n)) for i in range(n)]
    values = [f((lo + hi)/2 + t*(hi - lo)/2) for t in nodes]
    chebyshev = [2*sum(values[i]*cos(pi*k*(2*i + 1)/(2*n)) for i in range(n))/n for k in range(n)]
    chebyshev[0] /= 2
    total = [mpf(0)]*n
    before, now = [mpf(1)], [mpf(0), mpf(1)]                      # T_0, T_1 in powers of t
    for k in range(n):
        for i, c in enumerate(before):
            total[i] += chebyshev[k]*c
        after = [mpf(0)] + [2*c for c in now]
        for i, c in enumerate(before):
            after[i] -= c
        before, now = now, after
    return total


def error(f, lo, hi, c, scale):
    """Largest |f - rounded polynomial| / scale(x) on a fine grid; the first coefficient counts as exact."""
    rounded = [c[0]] + [mpf(float(v)) for v in c[1:]]
    worst = mpf(0)
    for i in range(201):
        t = mpf(i - 100)/100
        x = (lo + hi)/2 + t*(hi - lo)/2
        worst = max(worst, abs(f(x) - polyval(rounded[::-1], t))/abs(scale(x)))
    return worst


def array(name, values):
    print("static const double %s[%d] = {" % (name, len(values)))
    lines(values, "    ", "")
    print("};")


def lines(values, begin, end):
    """As many in a line as fit."""
    line = begin
    for i, v in enumerate(values):
        text = number(v) + (end if i + 1 == len(values) else ",")
        if len(line) + len(text) > 130:
            print(line.rstrip())
            line = " "*len(begin)
        line += text + " "
    print(line.rstrip())


def rows(name, pieces, comment):
    """One row for each piece: the first coefficient as a pair, then the others."""
    worst = mpf(0)
    out = []
    for f, lo, hi, degree in pieces:
        c = fit(f, lo, hi, degree)
        worst = max(worst, error(f, lo, hi, c, f))
        out.append(list(pair(c[0])) + c[1:])
    print("/* %s Relative error %s. */" % (comment, mp.nstr(worst, 2)))
    print("static const double %s[%d][%d] = {" % (name, len(out), len(out[0])))
    for i, c in enumerate(out):
        lines(c, "    { ", " }" + ("," if i + 1 < len(out) else ""))
    print("};\n")


def erfcx(x):
    return exp(x*x)*erfc(x)


def temme(orders):
    """Taylor coefficients of c_k(eta), DLMF 8.12.12: with mu - log(1 + mu) = eta^2/2,
    c_0 = 1/mu - 1/eta,  c_k = (1/eta) d c_{k-1}/d eta + (-1)^k g_k/mu;  in rational arithmetic, poles cancelled."""
    size = max(n + 2*k for k, n in enumerate(orders)) + 6
    # mu = sum a_i eta^i from mu' mu = eta (1 + mu).
    a = [Fraction(0), Fraction(1)]
    for n in range(2, size + 2):
        # coefficient of eta^n: sum_{i+j=n+1} i a_i a_j = a_{n-1}; the unknown a_n appears as (n + 1) a_1 a_n.
        known = sum(i*a[i]*a[n + 1 - i] for i in range(2, n))
        a.append((a[n - 1] - known)/(n + 1))
    # eta/mu by division of series.
    b = a[1:]
    r = [Fraction(1)]
    for n in range(1, size):
        r.append(-sum(b[i]*r[n - i] for i in range(1, n + 1)))
    inverse = r                                                    # 1/mu = sum r_n eta^{n-1}
    # log Gamma* = sum B_2k/(2k(2k-1)) a^{1-2k}; its exponential's coefficients.
    s = [Fraction(0)]*8
    for k in (1, 2, 3, 4):
        if 2*k - 1 < 8:
            p, q = bernoulli_fraction(2*k)
            s[2*k - 1] = Fraction(p, q)/(2*k*(2*k - 1))
    g = [Fraction(1)]
    for n in range(1, 8):
        g.append(sum(i*s[i]*g[n - i] for i in range(1, n + 1))/n)
    # In what follows c[n] is the coefficient of eta^{n-1}.
    c = inverse[:]
    c[0] -= 1
    assert c[0] == 0
    out = [c[1:orders[0] + 1]]
    for k in range(1, len(orders)):
        d = [(n - 1)*c[n] for n in range(len(c))]                 # coefficient of eta^{n-2} in the derivative
        d = d[2:]                                                 # divided by eta: coefficient of eta^{n-3}; d[0] belongs to eta^-1
        c = [d[n] + (-1)**k*g[k]*inverse[n] for n in range(len(d))]
        assert c[0] == 0, (k, c[0])
        out.append(c[1:orders[k] + 1])
    return out


def bernoulli_fraction(n):
    from mpmath import bernfrac
    return bernfrac(n)


def main():
    print("/* special_tables: constants of >>special, written by tools/golden_special_tables.py, which says how")
    print(" *")
    print(" * With 60 digits, rounded once. A row of a table of polynomials is the first coefficient in two doubles, then the")
    print(" * others, in t of [-1, 1] across the piece. */\n")
    print("/* 2^(j/32), j = 0 .. 31, each in two doubles. */")
    values = []
    for j in range(32):
        values += pair(mpf(2)**(mpf(j)/32))
    array("blni_exp2_table", values)
    print("\n/* For j = 23 .. 45: c = 32/j cut to 8 bits behind the point, then -log c in two doubles. */")
    values = []
    for j in range(23, 46):
        c = mp.nint(mpf(32)/j*256)/256
        values += [c] + list(pair(-log(c)))
    array("blni_log_table", values)
    print()
    ln2 = log(mpf(2))
    step = ln2/32
    print("/* log(2)/32: 36 bits, so that 17-bit multiples of it are exact, and the rest; log(2) likewise with 42 bits.")
    print(" * Objects, not macros: where expressions are wider than double, a literal would be so too. */")
    for name, v, bits in (("step", step, 36), ("ln2", ln2, 42)):
        hi = head(v, bits)
        print("static const double blni_%s[2] = { %s, %s };" % (name, number(hi), number(v - hi)))
    print()
    print("/* Constants in two doubles. */")
    for name, v in (("sqrt1_2", sqrt(mpf(1)/2)), ("inv_sqrt_pi", 1/sqrt(pi)), ("inv_sqrt_2pi", 1/sqrt(2*pi)),
                    ("half_log_2pi", log(2*pi)/2)):
        print("static const double blni_%s[2] = { %s, %s };" % ((name,) + tuple(number(w) for w in pair(v))))
    print()
    small = [(lambda w: 2/sqrt(pi) if w == 0 else erf(sqrt(w))/sqrt(w), mpf(0), mpf(1)/4, 10)]
    rows("blni_erf_table", small, "erf(x)/x for |x| <= 1/2, in t = 8 x^2 - 1.")
    pieces = []
    for octave in range(3):
        base = mpf(2)**octave
        for i in range(4 if octave == 0 else 0, 8):
            lo = base*(1 + mpf(i)/8) - 1
            pieces.append((erfcx, lo, lo + base/8, 11))
    rows("blni_erfcx_table", pieces, "e^(x^2) erfc(x) for 1 + x in the eighths of [1.5, 2), [2, 4), [4, 8).")
    far = [(lambda w: mpf(1) if w == 0 else erfcx(1/sqrt(w))*sqrt(pi)/sqrt(w), mpf(0), mpf(1)/49, 9)]
    rows("blni_erfcx_far_table", far, "sqrt(pi) x e^(x^2) erfc(x) for x >= 7, in t = 98/x^2 - 1.")
    q = lambda u: (-mp.euler if u == 0 else 1 - mp.euler if u == 1 else loggamma(1 + u)/u)/(1 if u == 1 else u - 1)
    rows("blni_lgamma_table", [(q, mpf(i)/8, mpf(i + 1)/8, 12) for i in range(8)],
         "log Gamma(1 + u)/(u (u - 1)) for u in the eighths of [0, 1].")
    print("/* B_2k/(2k (2k - 1)), k = 1 .. 10: Stirling's series of log Gamma(x) in x^(1 - 2k). */")
    array("blni_stirling_table", [bernoulli(2*k)/(2*k*(2*k - 1)) for k in range(1, 11)])
    print("\n/* B_2k/2k, k = 1 .. 9: digamma(x) = log x - 1/2x - sum of these x^(-2k). */")
    array("blni_digamma_table", [bernoulli(2*k)/(2*k) for k in range(1, 10)])
    print("\n/* B_2k, k = 1 .. 10: trigamma(x) = 1/x + 1/2x^2 + sum of these x^(-2k - 1). */")
    array("blni_trigamma_table", [bernoulli(2*k) for k in range(1, 11)])
    orders = [16, 13, 11, 9, 7]
    print("\n/* Taylor coefficients of Temme's c_0(eta) .. c_4(eta), %s of them. */" % ", ".join(str(n) for n in orders))
    flat = [v for row in temme(orders) for v in row]
    array("blni_temme_table", [mpf(v.numerator)/v.denominator for v in flat])


main()
