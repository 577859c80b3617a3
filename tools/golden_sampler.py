"""What tools/golden_distributions.py and tools/golden_discrete.py share: a case of a sampler as one row of a table,
    two parameters; mean, variance, third, fourth and sixth central moment; cuts x, P(X <= x)
An infinite parameter is 1e308, an even moment that does not exist -1. The probabilities are those of the cuts as printed."""
import mpmath as mp

INF = mp.inf
LEVELS = [1e-4, 1e-3, 1e-2, 0.03, 0.06, 0.1] + [k / 20 for k in range(3, 18)] + [0.9, 0.94, 0.97, 0.99, 0.999, 0.9999]


def none():
    return [0, -1, 0, -1, -1]


def central(raw):
    """From E x^k, k = 0..6, None where there is none."""
    def moment(n):
        if raw[n] is None:
            return -1
        return sum(mp.binomial(n, k) * raw[k] * (-raw[1]) ** (n - k) for k in range(n + 1))
    return [raw[1] or 0, moment(2), moment(3) if raw[3] else 0, moment(4), moment(6)]


def from_cumulants(c):
    """c[0..5]: cumulants 1 to 6."""
    return [c[0], c[1], c[2], c[3] + 3 * c[1] ** 2, c[5] + 15 * c[3] * c[1] + 10 * c[2] ** 2 + 15 * c[1] ** 3]


def quantile(cdf, level, lo, hi):
    """To three or so digits of its distance from the bounds: a cut need not be more."""
    if lo == -INF:
        lo = mp.mpf(-1)
        while cdf(lo) > level:
            lo *= 4
    if hi == INF:
        hi = mp.mpf(1)
        while cdf(hi) < level:
            hi *= 4
    if lo == 0 and hi > 0:                                # by factors
        lo = hi
        while cdf(lo) > level:
            lo /= 16
        for _ in range(24):
            middle = mp.sqrt(lo * hi)
            lo, hi = (middle, hi) if cdf(middle) < level else (lo, middle)
        return mp.sqrt(lo * hi)
    for _ in range(40):
        middle = (lo + hi) / 2
        lo, hi = (middle, hi) if cdf(middle) < level else (lo, middle)
    return (lo + hi) / 2


def cuts(cdf, lo, hi):
    rows, last = [], 0
    with mp.workdps(20):
        points = [mp.mpf(float(quantile(cdf, level, mp.mpf(lo), mp.mpf(hi)))) for level in LEVELS]
    for x in points:
        p = cdf(x)
        if p - last > 9e-5 and 1 - p > 9e-5:
            rows += [x, p]
            last = p
    return rows


def table(room, family, parameters, most):
    """Rows of equal length: the last cuts are repeated at 1e308, with probability 1."""
    print("static const double golden_%s_%s[%d][%d] = {" % (room, family.__name__, len(parameters), 7 + 2 * most))
    for n, pair in enumerate(parameters):
        moments, rows = family(*[mp.mpf(v) for v in pair])
        assert len(rows) <= 2 * most, (family.__name__, pair, len(rows))
        values = list(pair) + moments + rows + [1e308, 1] * (most - len(rows) // 2)
        text = ["1e308" if v == INF else "-1e308" if v == -INF else "%.17g" % float(v) for v in values]
        lines, line = [], "    {"
        for t in text:
            if len(line) + len(t) > 124:
                lines.append(line)
                line = "     "
            line += " " + t + ","
        print("\n".join(lines + [line.rstrip(",") + " }" + ("," if n + 1 < len(parameters) else "")]))
    print("};")
