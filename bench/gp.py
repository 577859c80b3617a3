#!/usr/bin/env python3
"""The exact Gaussian process, learnt: `gp` beside scikit-learn's, and what random features lose to it.

    python3 bench/gp.py DATA [FOLDS [SET ...]]        DATA: see bench/README.md; needs numpy, scikit-learn; build/bayeslin (make)

Both standardise, learn a length scale for each input, the prior variance and the noise by the evidence from one start, length
scales at sqrt(d); scikit-learn without a prior on them. On co2 it has a second start with matern32 ("near"), a noise variance of
1e-3 that may fall to 1e-10: from 0.1 its search ends at the trend without the seasons. Root mean square errors are means over
the folds, their ratio is that of each fold's pair; MLL: minus the mean log density of the test rows. Seconds of processor time of a
fit, one thread, the least of three below half a second; here those of the command less the least of a straight line, which is the
start of the program, reading and writing."""
import os
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import csv
import resource
import subprocess
import sys
import tempfile
import time
import warnings
import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

SETS = ("mcycle", "faithful", "co2", "yacht", "boston", "energy", "airfoil")


def read(path):
    return np.loadtxt(path, delimiter=",", skiprows=1)


def splits(path, n):
    """One column of test rows for each split: those of the file, else ten folds of shuffled rows."""
    if os.path.exists(path):
        return read(path)
    masks = np.zeros((n, 10))
    masks[np.random.default_rng(0).permutation(n), np.arange(n) % 10] = 1
    return masks


def scores(y, mean, sd):
    return np.sqrt(np.mean((y - mean)**2)), np.mean(0.5*np.log(2*np.pi*sd**2) + 0.5*((y - mean)/sd)**2)


def peer(kernel, X, y, X_new, noise=0.1, least=1e-8):
    d = X.shape[1]
    start, bounds = np.full(d, np.sqrt(d)), (1e-3, 1e5)
    k = RBF(start, bounds) if kernel == "rbf" else Matern(start, bounds, nu=1.5)
    mx, sx, my, sy = X.mean(0), X.std(0), y.mean(), y.std()
    sx[sx == 0] = 1
    began = time.process_time()
    gp = GaussianProcessRegressor(ConstantKernel(1.0, (1e-4, 1e6))*k + WhiteKernel(noise, (least, 10.0)), alpha=1e-10)
    gp.fit((X - mx)/sx, (y - my)/sy)
    seconds = time.process_time() - began
    mean, sd = gp.predict((X_new - mx)/sx, return_std=True)
    return my + sy*mean, sy*sd, [seconds]


def ours(spec, X, y, X_new):
    with tempfile.TemporaryDirectory() as folder:
        train, test, model, out = (os.path.join(folder, f) for f in ("train.csv", "test.csv", "m.bln", "out.csv"))
        header = ",".join("x%d" % i for i in range(X.shape[1]))
        np.savetxt(train, np.column_stack((X, y)), "%.17g", ",", header=header + ",y", comments="")
        np.savetxt(test, X_new, "%.17g", ",", header=header, comments="")
        used = [resource.getrusage(resource.RUSAGE_CHILDREN)]
        for basis in ("linear", spec):
            subprocess.run(["build/bayeslin", "fit", train, "--target", "y", "--basis", basis, "-o", model], check=True,
                           stdout=subprocess.DEVNULL)
            used.append(resource.getrusage(resource.RUSAGE_CHILDREN))
        line, fit = (b.ru_utime - a.ru_utime + b.ru_stime - a.ru_stime for a, b in zip(used, used[1:]))
        subprocess.run(["build/bayeslin", "predict", model, test, "-o", out], check=True, stdout=subprocess.DEVNULL)
        with open(out) as f:
            rows = list(csv.DictReader(f))
    mean = np.array([float(r["mean"]) for r in rows])
    return mean, np.array([float(r["sd"]) for r in rows]), [fit, line]


def least(fit):
    """(mean, sd, seconds) of fit(), which returns a list of seconds last: the least of each, the first less the second."""
    mean, sd, seconds = fit()
    more = [fit()[2] for _ in range(2)] if seconds[0] < 0.5 else []
    best = [min(one) for one in zip(seconds, *more)]
    return mean, sd, best[0] - sum(best[1:])


def main():
    warnings.simplefilter("ignore")                                   # a parameter at its bound
    data, folds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10
    specs = {"gp, rbf": "gp:ard", "gp, matern32": "gp:kernel=matern32,ard", "rbf:n=400": "rbf:n=400,ard"}
    for name in sys.argv[3:] or SETS:
        table = read(f"{data}/{name}/{name}.csv")
        masks = splits(f"{data}/{name}/uci_masks.csv", len(table))
        found = {}
        for fold in range(min(folds, masks.shape[1])):
            test = masks[:, fold] == 1
            X, y, X_new, y_new = table[~test, :-1], table[~test, -1], table[test, :-1], table[test, -1]
            for label in ("rbf", "matern32"):
                mean, sd, seconds = least(lambda: peer(label, X, y, X_new))
                found.setdefault("scikit-learn, " + label, []).append(scores(y_new, mean, sd) + (seconds,))
            if name == "co2":
                mean, sd, seconds = least(lambda: peer("matern32", X, y, X_new, 1e-3, 1e-10))
                found.setdefault("scikit-learn near, matern32", []).append(scores(y_new, mean, sd) + (seconds,))
            for label, spec in specs.items():
                mean, sd, seconds = least(lambda: ours(spec, X, y, X_new))
                found.setdefault(label, []).append(scores(y_new, mean, sd) + (seconds,))
        for label in ("scikit-learn, rbf", "gp, rbf", "rbf:n=400", "scikit-learn, matern32", "scikit-learn near, matern32",
                      "gp, matern32"):
            if label not in found:
                continue
            a = np.array(found[label])
            base = np.array(found["scikit-learn, matern32" if label.endswith("matern32") else "scikit-learn, rbf"])
            ratio = a[:, 0]/base[:, 0]
            print(f"{name:8s} {label:27s}  rmse {a[:, 0].mean():.4g}  ratio {ratio.mean():.3f} +- {ratio.std()/np.sqrt(len(a)):.3f}"
                  f"  mll {a[:, 1].mean():.3f}  seconds {a[:, 2].mean():.3f} ({base[:, 2].mean()/a[:, 2].mean():.1f} times"
                  " as fast)", flush=True)


if __name__ == "__main__":
    main()
