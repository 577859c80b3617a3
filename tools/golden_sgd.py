#!/usr/bin/env python3
"""Writes tests/golden/sgd_golden.h: the first 20 steps of each method of stochastic gradients, by mpmath in 50 digits.

    python3 tools/golden_sgd.py > tests/golden/sgd_golden.h                  (mpmath)

quadratic: gradient A x - b, A = [[3, .5], [.5, 1]], b = (1, -2), from (2, -3). rosenbrock: (1 - x)^2 + 100 (y - x^2)^2 from
(-1.2, 1). Rates: sgd, momentum and nesterov 0.1 (quadratic), 0.001 (rosenbrock); momentum 0.9; nesterov: the stored point
(Bengio, Boulanger-Lewandowski & Pascanu 2013, eq. 7); adagrad 0.5, e 1e-8 (Duchi, Hazan & Singer 2011); rmsprop 0.01, 0.9, e 1e-8;
adadelta 0.95, e 1e-6 (Zeiler 2012); adam and amsgrad 0.1, 0.9, 0.999, e 1e-8 (Kingma & Ba 2015; Reddi, Kale & Kumar 2018: without
bias corrections). Constants are the doubles nearest to these decimals."""
import mpmath as mp

mp.mp.dps = 50
# In the order of bln_sgd_method.
METHODS = ["adam", "amsgrad", "rmsprop", "adagrad", "adadelta", "sgd", "momentum", "nesterov"]
STEPS = 20


def d(x):
    return mp.mpf(float(x))


def quadratic(x):
    return [3*x[0] + d(0.5)*x[1] - 1, d(0.5)*x[0] + x[1] + 2]


def rosenbrock(x):
    return [-2*(1 - x[0]) - 400*x[0]*(x[1] - x[0]**2), 200*(x[1] - x[0]**2)]


class Method:
    def __init__(self, name, rate):
        self.name, self.rate, self.t = name, d(rate), 0
        self.m, self.v, self.top = [mp.mpf(0)]*2, [mp.mpf(0)]*2, [mp.mpf(0)]*2

    def move(self, k, g):
        """The step of coordinate k for its slope g."""
        m, v, name = self.m, self.v, self.name
        if name == "sgd":
            return -self.rate*g
        if name in ("momentum", "nesterov"):
            m[k] = d(0.9)*m[k] - self.rate*g
            return m[k] if name == "momentum" else d(0.9)*m[k] - self.rate*g
        if name == "adagrad":
            v[k] += g*g
            return -d(0.5)*g/(mp.sqrt(v[k]) + d(1e-8))
        if name == "rmsprop":
            v[k] = d(0.9)*v[k] + (1 - d(0.9))*g*g
            return -d(0.01)*g/(mp.sqrt(v[k]) + d(1e-8))
        if name == "adadelta":
            v[k] = d(0.95)*v[k] + (1 - d(0.95))*g*g
            step = -mp.sqrt(m[k] + d(1e-6))/mp.sqrt(v[k] + d(1e-6))*g
            m[k] = d(0.95)*m[k] + (1 - d(0.95))*step**2
            return step
        b1, b2 = d(0.9), d(0.999)
        m[k] = b1*m[k] + (1 - b1)*g
        v[k] = b2*v[k] + (1 - b2)*g*g
        self.top[k] = max(self.top[k], v[k])
        if name == "amsgrad":
            return -d(0.1)*m[k]/(mp.sqrt(self.top[k]) + d(1e-8))
        return -d(0.1)*(m[k]/(1 - b1**self.t))/(mp.sqrt(v[k]/(1 - b2**self.t)) + d(1e-8))


def text(x):
    t = "%.17g" % float(x)
    return t if "." in t or "e" in t else t + ".0"


print("/* Written by tools/golden_sgd.py: x_0 ... x_20 of each method, in the order of bln_sgd_method, made with high-precision\n"
      " * arithmetic and rounded once to double. Settings: see there. */\n"
      "#ifndef BLN_TESTS_SGD_GOLDEN_H\n#define BLN_TESTS_SGD_GOLDEN_H")
for objective, start, rate in ((quadratic, (2, -3), 0.1), (rosenbrock, (-1.2, 1), 0.001)):
    print("static const double golden_sgd_%s[%d][%d][2] = {" % (objective.__name__, len(METHODS), STEPS + 1))
    for name in METHODS:
        print("    {")
        method, x = Method(name, rate), [d(v) for v in start]
        for t in range(STEPS + 1):
            print("        { %s, %s }," % tuple(text(v) for v in x))
            method.t += 1
            g = objective(x)
            x = [x[k] + method.move(k, g[k]) for k in range(2)]
        print("    },")
    print("};")
print("#endif /* BLN_TESTS_SGD_GOLDEN_H */")
