#!/usr/bin/env python3
"""Several classes: the softmax beside the three forms of the logistic softmax, rows held out; the table of docs/several_classes.md.

    make && python3 bench/softmax.py [SET ...]      needs what bench/classes.py needs; iris, fgl and satellite

The splits and features of bench/classes.py, which has the peer. Each likelihood by each method: bench/bench_softmax.c. Log loss and
error rate are means over the splits; difference: mean log loss less that of the softmax by `full` of the same splits, and its
standard error. Of a logistic softmax `full`, with which `gibbs` begins, is slow: iris alone, and not of the scaled form. `sweeps`: `cavi` with the
bound of its sweeps, which has no integrals.
"""
import subprocess
import sys

import numpy as np

import classes

FORMS = ("over", "bijective", "scaled")
WAYS = [("softmax", "full"), ("softmax", "laplace")] + [(form, method) for method in ("laplace", "sweeps", "gibbs", "full") for form in FORMS]
SLOW = [("iris", form, method) for form in ("over", "bijective") for method in ("gibbs", "full")]


def splits_of(name, form, method):
    """Of a logistic softmax: all by Laplace's method and by sweeps, else those that SLOW has, or none."""
    return classes.SPLITS if form == "softmax" or method in ("laplace", "sweeps") or (name, form, method) in SLOW else 0


def built():
    compile = ["cc", "-std=c99", "-O2", "-Ibuild/include", "bench/bench_softmax.c", "-o", "build/bench_softmax", "-lm"]
    subprocess.run(compile, check=True)


def written(name, tests, X, y):
    path = f"{classes.FOLDER}/{name}_softmax.csv"
    columns = [f"s{k}" for k in range(classes.SPLITS)] + [f"x{j}" for j in range(X.shape[1])] + ["class"]
    np.savetxt(path, np.column_stack([tests, X, y]), fmt="%.17g", delimiter=",", header=",".join(columns), comments="")
    return path


def ours(path, form, method, splits):
    """log loss, error rate, seconds and R-hat of each split; nan where the fit is refused."""
    run = subprocess.run(["build/bench_softmax", path, form, method, str(splits)], capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stdout)
    return np.array([[float(v) for v in line.split()[:4]] for line in run.stdout.splitlines()])


def main():
    built()
    print("| set | likelihood | method | splits | log loss | difference | error rate | seconds of a fit | R-hat |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")

    def line(likelihood, method, loss, error, seconds, hat=""):
        fits = np.isfinite(loss)
        d, splits = (loss - best[:len(loss)])[fits], f"{fits.sum()}" if fits.all() else f"{fits.sum()} of {len(fits)}"
        loss, error = loss[fits], error[fits]
        apart = f"{d.mean():+.4f} +- {d.std(ddof=1)/np.sqrt(len(d)):.4f}" if d.any() and len(d) > 1 else ""
        print(f"| {name} | {likelihood} | {method} | {splits} | {loss.mean():.4f} | {apart} | {error.mean():.4f} "
              f"| {seconds.mean():.2g} | {hat} |", flush=True)

    for name in sys.argv[1:] or ("iris", "fgl", "satellite"):
        _, X, y = classes.table(name)
        _, tests = classes.masks(name, X, y)
        path, best = written(name, tests, X, y), None
        for form, method in WAYS:
            splits = splits_of(name, form, method)
            if not splits:
                continue
            own = ours(path, form, method, splits)
            best = own[:, 0] if best is None else best
            line(form, method, own[:, 0], own[:, 1], own[:, 2], f"{np.nanmax(own[:, 3]):.2f}" if method == "gibbs" else "")


if __name__ == "__main__":
    main()
