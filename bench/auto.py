#!/usr/bin/env python3
"""--basis auto on real data, beside bases given by hand and scikit-learn: errors of rows held out.

    make && python3 bench/auto.py DATA [SET[:SPLITS] ...]      DATA: see bench/README.md; needs numpy, scikit-learn

Of each set the first splits of its own (uci_masks and the like), else as many folds of shuffled rows. Regression: root mean square
error and minus the mean log density; classes and counts: the latter (log loss), and of classes, where `rmse` stands, the root of the
Brier score. `ratio` is that to the best line by hand, split by split, with its standard error. Seconds of user CPU of a fit, one
thread, reading the table included; of auto the choice too.

sklearn-gp   the exact process with a length scale for each input, of rbf and of Matern 3/2, whichever has the larger evidence; the
             seconds are of both. Of two classes GaussianProcessClassifier, rbf with one length scale. Up to 2000 rows
boosting     HistGradientBoosting, its defaults; for counts of loss Poisson
All standardise by the training rows; BAYESLIN names another tool than build/bayeslin."""
import os
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import re
import resource
import subprocess
import sys
import tempfile
import time
import warnings
import numpy as np
from scipy.special import gammaln
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

TOOL = os.environ.get("BAYESLIN", "build/bayeslin")
KERNELS = ("rbf", "matern52", "matern32", "cauchy", "laplace1")
SMALL = (["linear"] + [f"gp:kernel={k},ard" for k in KERNELS] + ["gp:kernel=laplace1", "gp:kernel=laplace1+linear"]
         + [f"gp:kernel={k},ard+linear" for k in ("matern32", "laplace1")] + ["rbf:n=400,ard+linear"])
CURVE = ["linear", "polynomial:degree=3"] + [f"gp:kernel={k}" for k in KERNELS] + ["gp:kernel=rq", "gp:kernel=matern32+linear",
                                                                                  "rbf:n=200", "spectral:n=100,q=2"]
SERIES = CURVE + [f"gp:kernel={k},length=0.1+linear" for k in ("matern52", "cauchy", "rq")]
LARGE = ["linear", "polynomial:degree=2,interactions", "rbf:n=200,ard+linear", "matern52:n=200,ard+linear", "rbf:n=400,ard+linear",
         "inducing:m=300,ard+linear"]
CLASSES = ["linear", "gp:kernel=rbf+bias", "gp:kernel=rbf+linear", "gp:kernel=rbf,ard+linear", "gp:kernel=matern32,ard+bias",
           "gp:kernel=laplace1,ard+linear"]
WIDE = ["linear", "gp:kernel=rbf+bias", "gp:kernel=rbf+linear", "gp:kernel=matern52+bias", "rbf:n=400+bias"]
COUNTS = ["linear", "bias", "gp:kernel=rbf+bias", "gp:kernel=rbf+linear", "gp:kernel=matern32+linear"]
# name: table, masks (None: folds), likelihood, first column of the masks, lines by hand, splits, options of the tool
SETS = {
    "mcycle": ("mcycle/mcycle.csv", None, None, 0, CURVE, 10, []),
    "faithful": ("faithful/faithful.csv", None, None, 0, CURVE, 10, []),
    "co2": ("co2/co2.csv", None, None, 0, SERIES, 10, []),
    "yacht": ("yacht/yacht.csv", "yacht/uci_masks.csv", None, 0, SMALL, 10, []),
    "boston": ("boston/boston.csv", "boston/uci_masks.csv", None, 0, SMALL, 10, []),
    "energy": ("energy/energy.csv", "energy/uci_masks.csv", None, 0, SMALL, 5, []),
    "airfoil": ("airfoil/airfoil.csv", "airfoil/uci_masks.csv", None, 0, SMALL, 10, []),
    "sarcos": ("sarcos/sarcos_test.csv.gz", "sarcos/masks.csv", None, 0,
               ["linear", "gp:kernel=matern52,ard", "rbf:n=400,ard+linear"], 1, []),
    "elevators": ("elevators/elevators.csv.gz", "elevators/uci_masks.csv.gz", None, 0, LARGE, 1, []),
    "pima": ("pima/pima.csv", None, "bernoulli", 0, CLASSES, 5, []),
    "australian": ("australian/australian.csv", None, "bernoulli", 0, CLASSES, 5, []),
    "iris": ("iris/iris.csv", None, "categorical", 0, CLASSES, 5, []),
    "usps35": ("usps/usps35.csv.gz", "usps/usps35_masks.csv", "bernoulli", 1, WIDE, 10, ["--no-scale"]),
    "a1a": ("a1a/a1a_train.csv.gz", None, "bernoulli", 0, WIDE, 1, []),
    "magic": ("magic/magic.csv.gz", "magic/cv_masks.csv.gz", "bernoulli", 0, LARGE, 1, []),
    "coal": ("coal/coal.csv", None, "poisson", 0, COUNTS, 10, []),
    "insects": ("insects/insects.csv", None, "poisson", 0, COUNTS, 10, []),
    "ships": ("ships/ships.csv", None, "poisson", 0, COUNTS, 10, ["--trials", "service"]),
}


def read(path):
    return np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)


def load(data, name):
    """Rows with the target last, of ships the exposure before it, and a mask for each split."""
    path, masks, likelihood, first, _, splits, _ = SETS[name]
    table = read(f"{data}/{path}")
    if likelihood == "bernoulli":
        table[:, -1] = table[:, -1] == table[:, -1].max()
    if name == "sarcos":
        table = table[:, :22]
    if name == "ships":
        table = table[table[:, -2] > 0]
    if masks:
        return table, read(f"{data}/{masks}")[:, first:]
    out = np.zeros((len(table), max(splits, 5)))
    out[np.random.default_rng(0).permutation(len(table)), np.arange(len(table)) % out.shape[1]] = 1
    return table, out


def ours(spec, likelihood, options, train, test):
    """rmse, minus mean log density, seconds, and the basis."""
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, f) for f in ("train.csv", "test.csv", "m.bln")]
        names = ["x%d" % i for i in range(train.shape[1] - 1)] + ["y"]
        if "--trials" in options:
            names[-2] = "service"
        for rows, file in ((train, files[0]), (test, files[1])):
            np.savetxt(file, rows, "%.17g", ",", header=",".join(names), comments="")
        model = ["--likelihood", likelihood] if likelihood else []
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        said = subprocess.run([TOOL, "fit", files[0], "--target", "y", "-o", files[2], *([] if spec == "auto" else ["--basis", spec]),
                               *model, *options], check=True, capture_output=True, text=True).stdout
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        score = dict(line.split()[:2] for line in subprocess.run([TOOL, "score", files[2], files[1]], check=True, text=True,
                                                                  capture_output=True).stdout.splitlines() if len(line.split()) == 2)
    mll = float(score.get("mll", score.get("log_loss", "nan")))
    rmse = float(score["rmse"]) if "rmse" in score else float(score.get("brier", "nan"))**0.5
    return rmse, mll, seconds, re.search(r"^basis\s+(\S+)", said, re.M).group(1)


def normal(y, mean, sd):
    return np.sqrt(np.mean((y - mean)**2)), np.mean(0.5*np.log(2*np.pi*sd**2) + 0.5*((y - mean)/sd)**2)


def process(X, y, X_new, y_new, likelihood):
    d = X.shape[1]
    mx, sx, my, sy = X.mean(0), X.std(0), y.mean(), y.std()
    sx[sx == 0] = 1
    X, X_new = (X - mx)/sx, (X_new - mx)/sx
    if likelihood:
        gp = GaussianProcessClassifier(ConstantKernel(1.0, (1e-4, 1e6))*RBF(np.sqrt(d), (1e-3, 1e5))).fit(X, y)
        p = gp.predict_proba(X_new)
        return np.nan, -np.mean(np.log(p[np.arange(len(y_new)), y_new.astype(int)]))
    best = None
    for kernel in (RBF(np.full(d, np.sqrt(d)), (1e-3, 1e5)), Matern(np.full(d, np.sqrt(d)), (1e-3, 1e5), nu=1.5)):
        gp = GaussianProcessRegressor(ConstantKernel(1.0, (1e-4, 1e6))*kernel + WhiteKernel(0.1, (1e-8, 10.0)), alpha=1e-10)
        gp.fit(X, (y - my)/sy)
        if best is None or gp.log_marginal_likelihood_value_ > best.log_marginal_likelihood_value_:
            best = gp
    mean, sd = best.predict(X_new, return_std=True)
    return normal(y_new, my + sy*mean, sy*sd)


def boosting(X, y, X_new, y_new, likelihood, exposure):
    if likelihood == "poisson":
        e, e_new = exposure if exposure else (np.ones(len(y)), np.ones(len(y_new)))
        mean = HistGradientBoostingRegressor(loss="poisson").fit(X, y/e, sample_weight=e).predict(X_new)*e_new
        return np.sqrt(np.mean((y_new - mean)**2)), -np.mean(y_new*np.log(mean) - mean - gammaln(y_new + 1))
    if likelihood:
        p = HistGradientBoostingClassifier().fit(X, y).predict_proba(X_new)
        return np.nan, -np.mean(np.log(np.maximum(p[np.arange(len(y_new)), y_new.astype(int)], 1e-15)))
    model = HistGradientBoostingRegressor().fit(X, y)
    return normal(y_new, model.predict(X_new), np.std(y - model.predict(X)))[0], np.nan


def peer(model, likelihood, train, test, trials):
    columns = slice(0, -2 if trials else -1)
    X, y, X_new, y_new = train[:, columns], train[:, -1], test[:, columns], test[:, -1]
    began = time.process_time()
    if model == "sklearn-gp":
        score = process(X, y, X_new, y_new, likelihood)
    else:
        score = boosting(X, y, X_new, y_new, likelihood, (train[:, -2], test[:, -2]) if trials else None)
    return score + (time.process_time() - began, "")


def run(data, name, splits):
    _, _, likelihood, _, by_hand, _, options = SETS[name]
    table, masks = load(data, name)
    found = {}
    trials = "--trials" in options
    for k in range(min(splits, masks.shape[1])):
        train, test = table[masks[:, k] == 0], table[masks[:, k] == 1]
        for spec in ["auto"] + by_hand:
            found.setdefault(spec, []).append(ours(spec, likelihood, options, train, test))
        peers = ["boosting"]
        if len(train) <= 2000 and likelihood in (None, "bernoulli"):
            peers.append("sklearn-gp")
        for model in peers:
            found.setdefault(model, []).append(peer(model, likelihood, train, test, trials))
    at = 1 if likelihood else 0
    value = {label: np.array([row[:3] for row in rows]) for label, rows in found.items()}
    best = min(by_hand, key=lambda label: value[label][:, at].mean())
    print(f"{name}: {table.shape[0]} rows, {len(found['auto'])} splits, best by hand {best}")
    for label, v in value.items():
        ratio, n = v[:, at]/value[best][:, at], len(v)
        error = f"{ratio.std(ddof=1)/np.sqrt(n):6.3f}" if n > 1 else "     -"
        print(f"  {label:36s} rmse {v[:, 0].mean():9.4g}  mll {v[:, 1].mean():8.4f}  ratio {ratio.mean():6.3f} +- {error}"
              f"  seconds {v[:, 2].mean():8.2f}")
    chosen = [row[3] for row in found["auto"]]
    print("  chosen: " + ", ".join(f"{c} ({chosen.count(c)})" for c in sorted(set(chosen), key=lambda c: -chosen.count(c))), flush=True)


def main():
    warnings.simplefilter("ignore")
    for word in sys.argv[2:] or SETS:
        name, _, splits = word.partition(":")
        run(sys.argv[1], name, int(splits) if splits else SETS[name][5])


if __name__ == "__main__":
    main()
