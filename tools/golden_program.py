#!/usr/bin/env python3
# golden_program.py - log densities of >>tape_density with all their slopes, by mpmath with 50 digits
#
#     python3 tools/golden_program.py > tests/golden/program_golden.h
#
# Each density is written from its definition; slopes are mpmath's derivatives of it. Arguments are taken as the doubles that stand in
# the file.
from mpmath import mp, mpf, log, loggamma, pi, exp, diff, binomial, inf, nstr, tanh, sqrt
mp.dps = 50

def softplus(x): return log(1 + exp(x))
def normal(x, m, s): return -((x - m)/s)**2/2 - log(s) - log(2*pi)/2
def student_t(x, v, m, s):
    return loggamma((v + 1)/2) - loggamma(v/2) - log(pi*v)/2 - log(s) - (v + 1)/2*log(1 + ((x - m)/s)**2/v)
def cauchy(x, m, s): return -log(pi) - log(s) - log(1 + ((x - m)/s)**2)
def laplace(x, m, s): return -log(2*s) - abs(x - m)/s
def logistic(x, m, s): return -(x - m)/s - log(s) - 2*softplus(-(x - m)/s)
def gamma(x, a, b): return a*log(b) - loggamma(a) + (a - 1)*log(x) - b*x
def inv_gamma(x, a, b): return a*log(b) - loggamma(a) - (a + 1)*log(x) - b/x
def beta(x, a, b): return loggamma(a + b) - loggamma(a) - loggamma(b) + (a - 1)*log(x) + (b - 1)*log(1 - x)
def neg_binomial(y, f, r):
    m = exp(f)
    return loggamma(y + r) - loggamma(r) - loggamma(y + 1) + r*log(r/(r + m)) + y*log(m/(r + m))

# name, density, discrete arguments, rows of arguments
table = [
    ('normal', normal, 0, [(0.3, -1.2, 2.385), (5, 5, 0.01), (31, 1, 1), (-2.5, 0.7, 1e-3)]),
    ('std_normal', lambda x: normal(x, 0, 1), 0, [(0.3,), (-30,), (0,)]),
    ('student_t', student_t, 0, [(0.3, 4.5, -1.2, 2.385), (1, 0.3, 1, 0.5), (7, 39.5, 1, 2), (7, 40.5, 1, 2), (-3, 1e4, 0, 1.5),
                                 (30, 3, 0, 1)]),
    ('cauchy', cauchy, 0, [(0.3, -1.2, 2.385), (1, 1, 0.5), (-30, 0, 1)]),
    ('laplace', laplace, 0, [(0.3, -1.2, 2.385), (-30, 0, 1)]),
    ('logistic', logistic, 0, [(0.3, -1.2, 2.385), (30, 0, 1), (-30, 0, 0.5), (1, 1, 2)]),
    ('half_normal', lambda x, s: normal(x, 0, s) + log(2), 0, [(0.3, 2.385), (30, 1), (0.001, 0.1)]),
    ('half_student_t', lambda x, v, s: student_t(x, v, 0, s) + log(2), 0, [(0.3, 4.5, 2.385), (30, 3, 1), (2, 100, 0.7)]),
    ('half_cauchy', lambda x, s: cauchy(x, 0, s) + log(2), 0, [(0.3, 2.385), (30, 1)]),
    ('exponential', lambda x, r: log(r) - r*x, 0, [(0.3, 2.385), (30, 0.01)]),
    ('gamma', gamma, 0, [(0.3, 2.385, 1.7), (30, 0.2, 0.1), (1e-5, 0.5, 3)]),
    ('inv_gamma', inv_gamma, 0, [(0.3, 2.385, 1.7), (30, 0.2, 0.1), (0.01, 5, 3)]),
    ('lognormal', lambda x, m, s: normal(log(x), m, s) - log(x), 0, [(0.3, -1.2, 2.385), (30, 0, 0.5)]),
    ('beta', beta, 0, [(0.3, 2.385, 1.7), (0.999, 0.2, 30), (1e-6, 0.5, 0.5)]),
    ('uniform', lambda x, a, b: -log(b - a), 0, [(0.3, -1.2, 2.385)]),
    ('bernoulli_logit', lambda y, f: y*f - softplus(f), 1, [(1, 0.3), (0, 0.3), (1, -30), (0, -30), (1, 30), (0, 30)]),
    ('binomial_logit', lambda y, n, f: log(binomial(n, y)) + y*f - n*softplus(f), 2, [(3, 7, 0.3), (0, 4, -5), (100, 100, 30)]),
    ('poisson_log', lambda y, f: y*f - exp(f) - loggamma(y + 1), 1, [(3, 0.3), (0, -30), (120, 4.7)]),
    ('neg_binomial_log', neg_binomial, 1, [(3, 0.3, 2.385), (0, 1, 0.1), (120, 4.7, 19.5), (120, 4.7, 20.5), (7, 2, 1e5)]),
]

print('''/* program_golden.h - made by tools/golden_program.py with mpmath, 50 digits: do not edit */
static const char *const golden_density_names[] = {''')
print('    ' + ',\n    '.join('"%s"' % row[0] for row in table))
print('''};
/* which density, arguments, those of them that are discrete (the first ones), the log density, slopes in the others */
static const struct { int density, k, discrete; double x[4], value, slope[4]; } golden_densities[] = {''')
def number(x): return nstr(mpf(x), 20)
for which, (name, f, discrete, rows) in enumerate(table):
    for row in rows:
        x = [mpf(float(v)) for v in row]
        slopes = [mpf(0)]*4
        for j in range(discrete, len(x)):
            order = tuple(int(i == j) for i in range(len(x)))
            slopes[j] = diff(f, tuple(x), order) if len(x) > 1 else diff(f, x[0])
        if name == 'uniform': slopes[0] = mpf(0)
        print('    { %d, %d, %d, { %s }, %s, { %s } },' % (which, len(x), discrete,
              ', '.join(number(v) for v in (x + [mpf(0)]*4)[:4]), number(f(*x)), ', '.join(number(v) for v in slopes)))
print('};')
