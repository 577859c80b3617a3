"""What tools/golden_glm.py, golden_mixture.py and golden_nodes.py share: six rows of three features in two slices, a mixture of two normals
with diagonal covariances as q(w), targets and parameters for each likelihood, the objective's parts, and how numbers are written. All
gradients are differences of the objective in 60 digits, not the formulas of the library. mpmath."""
import mpmath as mp
from golden_likelihood import FAMILY

mp.mp.dps = 60
K, D, N = 2, 3, 6


def given(text):
    return [mp.mpf(float(t)) for t in text.split()]


GIVEN = {"Phi": given("1 0.359 1.511 1 -1.786 1.687 1 -0.047 -0.8 1 -0.803 -1.083 1 -0.224 0.834 1 0.584 0.638"),
         "Phi_star": given("1 -3.019 1.154 1 1.33 -0.43"), "m": given("-0.839 -0.722 -0.781 -0.374 0.868 -0.961"),
         "psi": given("0.397 0.336 0.293 0.095 0.374 0.104"), "slice": given("0 1 1"), "lambda_slice": given("2 0.7"),
         "nu": given("2.5"), "y_real": given("0.354 -0.005 -0.532 -2.277 0.019 0.927"), "y_count": given("0 3 1 7 2 0"),
         "y_binary": given("0 1 1 0 1 1"),
         "eps": given("""1.351 0.343 -1.163 -0.187 -0.339 -0.228 0.597 -1.279 0.967 -1.128 -0.188 0.887 0.664 -0.691 1.769 0.366
                         -0.954 0.043 -0.831 0.434 -1.342 0.48 -1.771 1.097 0.272 1.357 -0.71 -2.094 -1.37 -0.243 1.964 0.572
                         1.312 -0.878 -0.532 -0.333 1.169 -0.565 -0.291 1.621 -0.873 -0.033 -1.344 -0.236 0.829 1.193 -1.392 -2.525""")}
# Name: the density of golden_likelihood.py, its trials or 1, the targets, its parameters, the target of predictions.
LIKELIHOODS = {"gaussian": ("gaussian", 1, "y_real", given("0.4"), "1.5"), "bernoulli_logit": ("binomial_logit", 1, "y_binary", [], "1"),
               "bernoulli_probit": ("binomial_probit", 1, "y_binary", [], "1"), "binomial": ("binomial_logit", 9, "y_count", [], "1"),
               "poisson_exp": ("poisson_log", 1, "y_count", [], "1"), "poisson_softplus": ("poisson_softplus", 1, "y_count", [], "1"),
               "student_t": ("student_t", 1, "y_real", given("0.8 3.5"), "1.5"),
               "negative_binomial": ("negative_binomial", 1, "y_count", given("2.3"), "1")}
Phi = [GIVEN["Phi"][i:i + D] for i in range(0, N*D, D)]
m, psi = ([GIVEN[k][i:i + D] for i in range(0, K*D, D)] for k in ("m", "psi"))
lam = [GIVEN["lambda_slice"][int(s)] for s in GIVEN["slice"]]
nu = GIVEN["nu"][0]


def number(x):
    t = "%.17g" % float(x)
    return t if "." in t or "e" in t or "n" in t else t + ".0"


def slope(f, h=mp.mpf(10)**-20):
    return (f(h) - f(-h))/(2*h)


def log_density(name, theta=None):
    """l(y, f) of this likelihood"""
    family, o, _, own, _ = LIKELIHOODS[name]
    return lambda y, f: FAMILY[family][0](y, f, own if theta is None else theta, mp.mpf(o))


def scaled(name, k, h):
    """The parameters with the logarithm of number k moved by h."""
    return [p*mp.exp(h*(i == k)) for i, p in enumerate(LIKELIHOODS[name][3])]


def latent(phi, k):
    """Mean and variance of f under component k."""
    return sum(a*b for a, b in zip(phi, m[k])), sum(a*a*b for a, b in zip(phi, psi[k]))


mu_v = [latent(phi, k) for phi in Phi for k in range(K)]                        # rows by components


def hermite_rule(n):
    """Nodes and weights of the standard normal distribution: Newton's method on He_n."""
    import numpy
    rule = []
    for x in numpy.polynomial.hermite.hermgauss(n)[0]:
        x = mp.mpf(float(x))
        for _ in range(7):
            x -= mp.hermite(n, x)/(2*n*mp.hermite(n - 1, x))
        rule.append((x*mp.sqrt(2), mp.mpf(2)**(n - 1)*mp.factorial(n)/(n*mp.hermite(n - 1, x))**2))
    return rule


def trapezoid_rule(step, reach):
    return [(j*step, step*mp.npdf(j*step)) for j in range(-reach, reach + 1)]


def expectation(l, y, mean, v, rule):
    s = mp.sqrt(v)
    return sum(w*l(y, mean + s*x) for x, w in rule)


def log_prior(m, psi, lam):
    """E_q log N(w | 0, Lambda)"""
    return -(D*mp.log(2*mp.pi) + sum(map(mp.log, lam))
             + sum((m[k][i]**2 + psi[k][i])/lam[i] for k in range(K) for i in range(D))/K)/2


def log_sum(values):
    return mp.log(sum(mp.exp(v) for v in values))


def entropy_jensen(m, psi):
    """By Jensen's inequality (Gershman, Hoffman & Blei 2012)."""
    def pair(k, j):
        return -sum(mp.log(2*mp.pi*(psi[k][i] + psi[j][i])) + (m[k][i] - m[j][i])**2/(psi[k][i] + psi[j][i]) for i in range(D))/2
    return mp.log(K) - sum(log_sum([pair(k, j) for j in range(K)]) for k in range(K))/K


def entropy_bhattacharyya(m, psi):
    """Kolchinsky & Tracey (2017), with the Bhattacharyya distance."""
    def distance(k, j):
        return sum((m[k][i] - m[j][i])**2/(psi[k][i] + psi[j][i])/4 + mp.log(psi[k][i] + psi[j][i])/2 - mp.log(2)/2
                   - mp.log(psi[k][i]*psi[j][i])/4 for i in range(D))
    own = sum(mp.log(2*mp.pi*mp.e*psi[k][i]) for k in range(K) for i in range(D))/(2*K)
    return own + mp.log(K) - sum(log_sum([-distance(k, j) for j in range(K)]) for k in range(K))/K


ENTROPIES = {"J": entropy_jensen, "B": entropy_bhattacharyya}


def moved(table, k, i, f):
    out = [list(row) for row in table]
    out[k][i] = f(out[k][i])
    return out


def bound(name, value, factor):
    """The objective's parts by the chain rule over the latent moments. value(y, mean, v): the expectation of a row. Returns the sum of
    the rows' values g and h, its slopes in the mean and twice in the variance, F, and for each entropy L, dm, d log psi."""
    y = GIVEN[LIKELIHOODS[name][2]]
    E, g, h = [], [], []
    for n in range(N):
        for k in range(K):
            mean, v = mu_v[n*K + k]
            E.append(value(y[n], mean, v))
            g.append(slope(lambda e: value(y[n], mean + e, v)))
            h.append(2*slope(lambda e: value(y[n], mean, v + e)))
    out = {"E": E, "g": g, "h": h}
    out["F"] = [factor/K*sum(g[n*K + k]*m[k][i] + h[n*K + k]*Phi[n][i]*psi[k][i] for k in range(K)) for n in range(N) for i in range(D)]
    rows = factor/K*sum(E)
    for letter, entropy in ENTROPIES.items():
        rest = lambda m, psi: log_prior(m, psi, lam) + entropy(m, psi)
        out["L_" + letter] = rows + rest(m, psi)
        out["dm_" + letter], out["dlogpsi_" + letter] = [], []
        for k in range(K):
            for i in range(D):
                data = factor/K*sum(g[n*K + k]*Phi[n][i] for n in range(N))
                out["dm_" + letter].append(data + slope(lambda e: rest(moved(m, k, i, lambda x: x + e), psi)))
                data = factor/K*sum(h[n*K + k]*Phi[n][i]**2 for n in range(N))*psi[k][i]/2
                out["dlogpsi_" + letter].append(data + slope(lambda e: rest(m, moved(psi, k, i, lambda x: x*mp.exp(e)))))
    return out


def prediction(name, t):
    """y, mean, variance of the mean, variance of y, log p(y), P(Y <= y), quantiles of 0.025, 0.5, 0.975 at row t of Phi_star: by the
    trapezoid rule of step 1/16 under each component, whose error is below 1e-20 for all of these."""
    family, o, _, theta, y = LIKELIHOODS[name]
    logp, dist = FAMILY[family]
    y, o, phi = mp.mpf(y), mp.mpf(o), GIVEN["Phi_star"][t*D:(t + 1)*D]
    with mp.workdps(30):
        # The second moments of e^f have their mass at twice its standard deviation.
        nodes = []
        for k in range(K):
            mean, v = latent(phi, k)
            nodes += [(mean + mp.sqrt(v)*j/16, mp.npdf(mp.mpf(j)/16)/16/K) for j in range(-176, 273)]
        moments = [dist(mp.mpf(-1) if family.startswith("binomial") else y, f, theta, o)[:2] for f, _ in nodes]
        average = lambda values: sum(w*u for u, (_, w) in zip(values, nodes))
        mean = average([a for a, _ in moments])
        of_mean = average([(a - mean)**2 for a, _ in moments])
        of_y = of_mean + average([b for _, b in moments])
        density = lambda y: average([mp.exp(logp(y, f, theta, o)) for f, _ in nodes])
        below = lambda y: average([dist(y, f, theta, o)[2] for f, _ in nodes])
        quantiles = []
        for p in ("0.025", "0.5", "0.975"):
            if name.startswith("bernoulli"):
                break
            p = mp.mpf(float(p))
            if name in ("gaussian", "student_t"):
                quantiles.append(mp.findroot(lambda u: below(u) - p, (mean, mean + 1), tol=1e-50, verify=False))
            else:
                u, total = 0, density(mp.mpf(0))
                while total < p:
                    u += 1
                    total += density(mp.mpf(u))
                quantiles.append(mp.mpf(u))
        return [y, mean, of_mean, of_y, mp.log(density(y)), below(y)] + quantiles
