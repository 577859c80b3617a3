#!/usr/bin/env python3
"""Peers for the table of bases: scikit-learn on the same folds, standardised in the same way.

    python3 bench/bases_peers.py DATA [SET ...]        DATA: see bench/bases.sh; needs numpy, scipy, scikit-learn; run by hand

exact GP    GaussianProcessRegressor: constant * squared exponential with a length scale for each input + white noise; the maximum
            of the evidence from one start, length scales at sqrt(d), as here, but without a prior on them
RFF ridge   BayesianRidge on RBFSampler, 800 features (= 400 frequencies here), length scale fixed at sqrt(d)

Means over the folds; seconds of user CPU a fold, one thread. Elevators is left to the others: 15,000 rows are too many for the
exact one.
"""
import os
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import sys
import time
import warnings
import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import BayesianRidge

# The masks of bench/bases.sh.
FOLDS = {"airfoil": 10, "energy": 10, "yacht": 10, "boston": 5, "elevators": 1}


def read(path):
    return np.loadtxt(path, delimiter=",", skiprows=1)


def exact_gp(X, y, X_new):
    d = X.shape[1]
    kernel = (ConstantKernel(1.0, (1e-4, 1e6)) * RBF(np.full(d, np.sqrt(d)), (1e-3, 1e5))
              + WhiteKernel(0.1, (1e-8, 10.0)))
    return GaussianProcessRegressor(kernel, alpha=1e-10).fit(X, y).predict(X_new, return_std=True)


def rff_ridge(X, y, X_new, features=800):
    sampler = RBFSampler(gamma=0.5 / X.shape[1], n_components=features, random_state=0).fit(X)
    return BayesianRidge().fit(sampler.transform(X), y).predict(sampler.transform(X_new), return_std=True)


def fold(model, X, y, test):
    train = ~test
    mx, sx, my, sy = X[train].mean(0), X[train].std(0), y[train].mean(), y[train].std()
    sx[sx == 0] = 1
    began = time.process_time()
    mean, sd = model((X[train] - mx) / sx, (y[train] - my) / sy, (X[test] - mx) / sx)
    seconds = time.process_time() - began
    r, sd = y[test] - my - sy * mean, sy * sd
    return (np.sqrt(np.mean(r**2)), np.mean(0.5 * np.log(2 * np.pi * sd**2) + 0.5 * (r / sd)**2),
            100 * np.mean(np.abs(r) <= 1.959963984540054 * sd), seconds)


def main():
    warnings.simplefilter("ignore")                                   # a parameter at its bound
    data = sys.argv[1]
    for name in sys.argv[2:] or ["yacht", "boston", "energy", "airfoil", "elevators"]:
        if name == "boston":
            table, masks = read("examples/data/boston.csv"), read("examples/data/boston_folds.csv")
        else:
            end = ".gz" if name == "elevators" else ""
            table, masks = read(f"{data}/{name}/{name}.csv{end}"), read(f"{data}/{name}/uci_masks.csv{end}")
        for model in (exact_gp, rff_ridge):
            if model is exact_gp and name == "elevators":
                continue
            scores = [fold(model, table[:, :-1], table[:, -1], masks[:, k] == 1) for k in range(FOLDS[name])]
            rmse, mll, coverage, seconds = np.mean(scores, axis=0)
            print(f"{name:9s}  {model.__name__:9s}  rmse {rmse:.4g}  mll {mll:.2f}  cov {coverage:.1f}"
                  f"  s {seconds:.2f}", flush=True)


if __name__ == "__main__":
    main()
