#!/usr/bin/env python3
"""Writes tests/golden/gp_golden.h: exact Gaussian processes by scikit-learn at given hyper-parameters.

    python3 tools/golden_gp.py > tests/golden/gp_golden.h

Regression: log evidence, its gradient by the logarithms of lambda, of the length scales and of the noise variance, mean and
standard deviation of f at new rows. Two rows of X are equal. Classes: Laplace's approximation of the evidence with the logistic
likelihood. scikit-learn computes in double; its relative error is some 1e-16 times the condition of the matrices, which is below 1e4
here."""
import numpy as np
import scipy
import sklearn
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, RBF, WhiteKernel

D = 3


def show(name, values):
    print("static const double golden_gp_%s[] TEST_UNUSED = {" % name)
    line = "   "
    for v in np.ravel(values):
        text = " %.17g," % v
        if not any(c in text for c in ".e"):
            text = text[:-1] + ".0,"
        if len(line) + len(text) > 128:
            print(line)
            line = "   "
        line += text
    print(line + "\n};")


def kernel_of(name, length):
    return RBF(length) if name == "rbf" else Matern(length, nu=1.5)


random = np.random.RandomState(2006)
X = np.round(random.randn(40, D), 3)
X[17] = X[4]
y = np.round(np.sin(2*X[:, 0]) + 0.5*X[:, 1]**2 + 0.3*random.randn(40), 3)
new = np.round(1.5*random.randn(7, D), 3)
classes = (y > 0.4).astype(float)
variance, noise = 1.7, 0.08
lengths = {"isotropic": np.array([1.3]), "ard": np.array([0.9, 1.6, 2.8])}

print("/* gp_golden.h - exact Gaussian processes by scikit-learn %s (numpy %s, scipy %s), in double. Written by tools/golden_gp.py."
      % (sklearn.__version__, np.__version__, scipy.__version__))
print(" * evidence; slopes: by log lambda, log of each length scale, log noise variance; mean, sd: of f at the new rows; class: Laplace's")
print(" * evidence of y > 0.4. */")
print("#ifndef BLN_TESTS_GP_GOLDEN_H\n#define BLN_TESTS_GP_GOLDEN_H")
for name, values in (("X", X), ("y", y), ("new", new), ("variance", variance), ("noise", noise)):
    show(name, values)
for form, length in lengths.items():
    show("length_" + form, length)
for kernel in ("rbf", "matern32"):
    for form, length in lengths.items():
        start = length if len(length) > 1 else length[0]
        k = ConstantKernel(variance)*kernel_of(kernel, start)
        gp = GaussianProcessRegressor(k + WhiteKernel(noise), alpha=0.0, optimizer=None).fit(X, y)
        evidence, slopes = gp.log_marginal_likelihood(gp.kernel_.theta, eval_gradient=True)
        f = GaussianProcessRegressor(k, alpha=noise, optimizer=None).fit(X, y)
        mean, sd = f.predict(new, return_std=True)
        name = kernel + "_" + form
        show(name + "_evidence", evidence)
        show(name + "_slopes", slopes)
        show(name + "_mean", mean)
        show(name + "_sd", sd)
        c = GaussianProcessClassifier(k, optimizer=None, max_iter_predict=1000).fit(X, classes)
        show(name + "_class_evidence", c.log_marginal_likelihood_value_)
print("#endif /* BLN_TESTS_GP_GOLDEN_H */")
