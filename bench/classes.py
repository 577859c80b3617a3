#!/usr/bin/env python3
"""Several classes on real data: log loss of rows held out, beside scikit-learn's LogisticRegressionCV on the same features.

    make && python3 bench/classes.py [SET ...]      needs numpy, scikit-learn, R with MASS and mlbench; half an hour

Of each set ten random splits, a third of each class held out (of Satellite all but 2000 rows). `full` and `laplace`: build/bayeslin
cv with `linear` on standardised inputs, one prior variance for all weights, learnt. `peer`: LogisticRegressionCV, multinomial, its
ten penalties, chosen by five folds of log loss, on the inputs standardised by the same training rows. Then the mean difference to
the peer over the splits, below 0 where it is better, and its standard error; error rates; seconds of a fit.
"""
import os
for thread in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[thread] = "1"
import subprocess
import sys
import time
import warnings

import numpy as np
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.preprocessing import StandardScaler

SPLITS, FOLDER = 10, "build/classes"
SETS = {                                        # R's expression, column of the class, rows to learn from (None: two thirds)
    "iris": ("datasets::iris", "Species", None),
    "birthwt": ("MASS::birthwt[c('race', 'age', 'lwt', 'smoke')]", "race", None),
    "fgl": ("MASS::fgl", "type", None),
    "vehicle": ("{data(Vehicle, package='mlbench'); Vehicle}", "Class", None),
    "pima": ("{p = MASS::Pima.te[c('age', 'bmi', 'glu', 'bp', 'npreg')]; "
             "p$age = cut(p$age, c(0, 25, 35, 99), labels = c('y', 'm', 'o')); p}", "age", None),
    "ozone": ("{data(Ozone, package='mlbench'); o = na.omit(Ozone); "
              "data.frame(V4 = cut(o$V4, c(-1, 6, 12, 99), labels = c('a', 'b', 'c')), o[, 5:13])}", "V4", None),
    "satellite": ("{data(Satellite, package='mlbench'); Satellite}", "classes", 2000),
}


def table(name):
    """Inputs and classes as numbers, and the file for bayeslin."""
    path = f"{FOLDER}/{name}.csv"
    if not os.path.exists(path):
        os.makedirs(FOLDER, exist_ok=True)
        subprocess.run(["Rscript", "-e", f"write.csv({SETS[name][0]}, '{path}', row.names=FALSE)"], check=True)
    with open(path) as f:
        names, *lines = [line.strip().replace('"', "").split(",") for line in f]
    at = names.index(SETS[name][1])
    X = np.array([[float(v) for j, v in enumerate(line) if j != at] for line in lines])
    return path, X, np.unique([line[at] for line in lines], return_inverse=True)[1]


def masks(name, X, y):
    split = StratifiedShuffleSplit(SPLITS, train_size=SETS[name][2] or 2.0/3.0, random_state=1)
    tests = np.zeros((len(y), SPLITS), dtype=int)
    for k, (_, test) in enumerate(split.split(X, y)):
        tests[test, k] = 1
    path = f"{FOLDER}/{name}_masks.csv"
    np.savetxt(path, tests, fmt="%d", delimiter=",", header=",".join(f"s{k}" for k in range(SPLITS)), comments="")
    return path, tests


def ours(name, data, mask, method):
    """log loss, error rate and seconds of each split."""
    run = subprocess.run(["build/bayeslin", "cv", data, "--target", SETS[name][1], "--masks", mask,
                          "--likelihood", "categorical", "--basis", "linear", "--inference", method], capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return np.array([[float(v) for v in (f[3], f[4], f[6])] for f in map(str.split, run.stdout.splitlines()) if f[0].isdigit()])


def peer(X, y, test):
    began = time.process_time()
    scale = StandardScaler().fit(X[test == 0])
    model = LogisticRegressionCV(scoring="neg_log_loss", cv=5, max_iter=20000, multi_class="multinomial")
    model.fit(scale.transform(X[test == 0]), y[test == 0])
    seconds = time.process_time() - began
    p = model.predict_proba(scale.transform(X[test == 1]))
    return log_loss(y[test == 1], p, labels=range(y.max() + 1)), np.mean(p.argmax(1) != y[test == 1]), seconds


def main():
    warnings.simplefilter("ignore")
    print("%-10s %-8s %9s %11s %8s %10s %9s" % ("", "", "log loss", "difference", "se", "error rate", "seconds"))
    for name in sys.argv[1:] or SETS:
        data, X, y = table(name)
        mask, tests = masks(name, X, y)
        theirs = np.array([peer(X, y, tests[:, k]) for k in range(SPLITS)])
        print("%-10s %-8s %9.4f %11s %8s %10.4f %9.2f" % (name, "peer", theirs[:, 0].mean(), "", "", *theirs[:, 1:].mean(0)))
        for method in ("full", "laplace"):
            own = ours(name, data, mask, method)
            d = own[:, 0] - theirs[:, 0]
            print("%-10s %-8s %9.4f %11.4f %8.4f %10.4f %9.2f" % ("", method, own[:, 0].mean(), d.mean(),
                  d.std(ddof=1)/np.sqrt(SPLITS), *own[:, 1:].mean(0)), flush=True)


if __name__ == "__main__":
    main()
