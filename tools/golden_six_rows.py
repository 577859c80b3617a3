"""What tools/golden_advi.py, _gibbs, _cavi and _augment share: six rows of two features, a prior of the weights, targets and
parameters for each likelihood, the likelihoods with their augmented bounds, and how numbers are written. mpmath."""
import functools

import mpmath as mp

mp.mp.dps = 40
F = mp.mpf
PHI_X = ["-1.2", "-0.5", "-0.1", "0.4", "0.9", "1.6"]                       # features 1 and x
PHI = [[F(1), F(x)] for x in PHI_X]
MU0 = mp.matrix(["0.25", "-0.5"])
LAMBDA0 = mp.matrix([["1.5", "0.3"], ["0.3", "0.8"]])
TRIALS = [3, 5, 1, 4, 10, 2]
Y = {"bernoulli": [0, 1, 0, 1, 1, 1], "binomial": [1, 2, 0, 3, 9, 1], "negbin": [0, 1, 3, 2, 7, 4], "poisson": [0, 2, 1, 3, 6, 5],
     "real": ["-0.7", "0.1", "0.45", "0.2", "2.6", "0.9"]}
# Name of the likelihood in the library, and the row of Y.
CASES = {"bernoulli": ("binomial_logit", "bernoulli"), "binomial": ("binomial_logit", "binomial"),
         "probit": ("binomial_probit", "bernoulli"), "negbin": ("negative_binomial", "negbin"), "studentt": ("student_t", "real"),
         "laplace": ("laplace", "real"), "ald": ("asymmetric_laplace", "real"), "poisson": ("poisson_logistic", "poisson")}
SIZE, RATE, DOF, SCALE2, LAPLACE, TAU, ALD = F("2.5"), F(8), F(4), F("0.3"), F("0.6"), F("0.3"), F("0.5")


def text(x):
    """17 digits."""
    return mp.nstr(F(x), 17, min_fixed=-3)


def numbers(values):
    return ", ".join(text(v) for v in values)


def log_sigmoid(x):
    return -mp.log1p(mp.exp(-x))


@functools.lru_cache(maxsize=None)
def constant(case, y, n, digits):
    """What of log p(y | f) depends neither on f nor on the rate."""
    if case in ("bernoulli", "binomial"):
        return mp.log(mp.binomial(n, y))
    if case == "negbin":
        return mp.loggamma(y + SIZE) - mp.loggamma(y + 1) - mp.loggamma(SIZE)
    if case == "studentt":
        return mp.loggamma((DOF + 1)/2) - mp.loggamma(DOF/2) - mp.log(mp.pi*DOF*SCALE2)/2
    return mp.loggamma(y + 1)


def bound(case, y, n, m, v, rate=RATE):
    """ell(y; m, v) of [augmentation 25] for f of mean m and variance v; at v = 0 the log likelihood."""
    y, c = F(y), mp.sqrt(m*m + v)
    r = mp.sqrt((y - m)**2 + v)
    if case in ("bernoulli", "binomial"):
        n = n or 1
        return constant(case, y, n, mp.mp.dps) + y*m - n*((m + c)/2 + mp.log1p(mp.exp(-c)))
    if case == "probit":
        return mp.log(mp.ncdf((2*y - 1)*m)) - v/2
    if case == "negbin":
        return constant(case, y, n, mp.mp.dps) + y*m - (y + SIZE)*((m + c)/2 + mp.log1p(mp.exp(-c)))
    if case == "poisson":
        up, down = (s*m/2 - c/2 - mp.log1p(mp.exp(-c)) for s in (1, -1))
        return y*(mp.log(rate) + up) + rate*mp.expm1(down) - constant(case, y, n, mp.mp.dps)
    if case == "studentt":
        return constant(case, y, n, mp.mp.dps) - (DOF + 1)/2*mp.log1p(r*r/(DOF*SCALE2))
    if case == "laplace":
        return -mp.log(2*LAPLACE) - r/LAPLACE
    if case == "ald":
        return mp.log(TAU*(1 - TAU)/ALD) - (r/2 + (TAU - F(1)/2)*(y - m))/ALD
    raise ValueError(case)


def site(case, y, n, m, v, rate=RATE):
    """h and precision: slopes of the bound in m at m^2 + v fixed, and -2 times that in v [augmentation 4], by differences."""
    with mp.workdps(90):
        e = F(10)**-30
        at = lambda dm, dv: bound(case, y, n, m + dm, v + dv, rate)
        h = (at(e, -2*m*e - e*e) - at(-e, 2*m*e - e*e))/(2*e)                 # m^2 + v stays
        return mp.chop(h, F(10)**-40), -(at(0, e) - at(0, -e))/e
