#!/usr/bin/env python3
"""Writes tests/golden/polya_gamma_golden.h: moments and distribution functions of PG(b, c), by mpmath.

    python3 tools/golden_polya_gamma.py > tests/golden/polya_gamma_golden.h      (mpmath)

Moments are derivatives of the log Laplace transform, b log cosh(c/2) - b log cosh(sqrt(c^2/4 + t/2)) (Polson, Scott & Windle 2013,
eq. 2), by differences in 120 digits. The distribution function is the alternating series of theirs (section 2.3), integrated term by
term: each is the time at which a Brownian motion of drift c first reaches n + b/2."""
import mpmath as mp

F = mp.mpf
mp.mp.dps = 40
B, C = ["0.5", "1", "1.5", "2", "3.25", "8", "20", "75.5"], ["0", "0.001", "0.1", "0.5", "1", "2.5", "6", "15", "40"]
CDF_B, CDF_C, PARTS = ["0.5", "1", "1.5", "2", "4.5", "12"], ["0", "1", "3", "10"], ["0.15", "0.5", "0.9", "1", "1.4", "2.2", "4"]


def text(x):
    return mp.nstr(x, 17, min_fixed=-3)


def log_laplace(b, c, t):
    """log E e^(-t omega)"""
    u = c*c/4 + t/2
    r = mp.sqrt(u) if u >= 0 else mp.sqrt(-u)
    return b*(mp.log(mp.cosh(c/2)) - mp.log(mp.cosh(r) if u >= 0 else mp.cos(r)))


def moments(b, c):
    with mp.workdps(120):
        b, c, h = F(b), F(c), F(10)**-24
        at = [log_laplace(b, c, k*h) for k in (-2, -1, 0, 1, 2)]
        mean = (at[0] - 8*at[1] + 8*at[3] - at[4])/(12*h)
        var = (-at[0] + 16*at[1] - 30*at[2] + 16*at[3] - at[4])/(12*h*h)
        third = (-at[0] + 2*at[1] - 2*at[3] + at[4])/(2*h**3)
        kl = b*mp.log(mp.cosh(c/2)) + c*c/2*mean
        return [-mean, var, -third, mp.exp(log_laplace(b, c, F("0.7"))), kl]


def cdf(b, c, x):
    with mp.workdps(120):
        b, c, x = F(b), F(c), F(x)
        total, n, root = F(0), 0, mp.sqrt(x)
        while True:
            a = n + b/2
            passed = mp.exp(-a*c)*mp.ncdf((c*x - a)/root) + mp.exp(a*c)*mp.ncdf(-(c*x + a)/root)
            term = mp.gamma(n + b)/mp.factorial(n)*passed
            total += -term if n % 2 else term
            if term < F(10)**-60*abs(total) and n > c*x:
                return total*mp.cosh(c/2)**b*F(2)**b/mp.gamma(b)
            n += 1


def show(name, what, lines):
    print("/* %s */" % what)
    print("static const double golden_polya_gamma_%s[%d][%d] TEST_UNUSED = {" % (name, len(lines), len(lines[0])))
    print(",\n".join("    { " + ",\n      ".join(", ".join(line[i:i + 5]) for i in range(0, len(line), 5)) + " }" for line in lines))
    print("};")


print("/* polya_gamma_golden.h - moments and distribution functions of PG(b, c). Written by tools/golden_polya_gamma.py. */")
print("#ifndef BLN_TESTS_POLYA_GAMMA_GOLDEN_H")
print("#define BLN_TESTS_POLYA_GAMMA_GOLDEN_H")
show("moments", "b, c, mean, variance, third cumulant, E e^{-0.7 omega}, KL to c = 0",
     [[b, c] + [text(v) for v in moments(b, c)] for b in B for c in C])
rows = []
for b in CDF_B:
    for c in CDF_C:
        row = [b, c]
        for part in PARTS:
            x = mp.nstr(F(part)*moments(b, c)[0], 12)
            row += [x, text(cdf(b, c, x))]
        rows.append(row)
show("cdf", "b, c, then pairs x, P(omega <= x)", rows)
print("#endif /* BLN_TESTS_POLYA_GAMMA_GOLDEN_H */")
