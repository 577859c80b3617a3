#!/usr/bin/env python3
"""Whole fits on real data, hyper-parameters learnt, beside scikit-learn: time and scores of rows held out.

    make && DATA=folder python3 bench/fits.py [SET ...]        needs numpy, scikit-learn, torch for the peers; ten minutes

DATA: see bench/bases.sh; sarcos/sarcos_test.csv.gz and sarcos/masks.csv too (torque 1, the column random0 of the masks). Of each
set the first split. Sets that are not there are left out; Boston is in examples/data.

here     build/bayeslin cv with `rbf:n=512,ard` (1024 features, a length scale for each input), reading the table included
rff      BayesianRidge on RBFSampler with 1024 features, one length scale, fixed at sqrt(d)
gp       GaussianProcessRegressor, exact, a length scale for each input, where there are at most 2000 rows
torch    the model of `here` on independent draws: its evidence by reverse-mode differentiation, scipy's L-BFGS-B on top; where
         there are at most 5000 rows
revrand  with REVRAND=folder (see revrand.py): its StandardLinearModel on RandomRBF, a length scale for each input, from sqrt(d); else
         its own defaults: the best of 100 random noise and prior variances, then L-BFGS-B; some minutes for sarcos, and half an hour
         for elevators
rmse, mean negative log density, percent in the 95 % intervals; seconds of user CPU, one thread.
"""
import gzip
import os
for thread in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[thread] = "1"
import resource
import subprocess
import sys
import warnings

SPEC, FEATURES, LARGEST_GP, LARGEST_TORCH = "rbf:n=512,ard", 1024, 2000, 5000
SETS = {                      # table, target, columns to leave out, masks
    "boston": ("examples/data/boston.csv", "medv", [], "examples/data/boston_folds.csv"),
    "airfoil": ("airfoil/airfoil.csv", "spl", [], "airfoil/uci_masks.csv"),
    "elevators": ("elevators/elevators.csv.gz", "goal", [], "elevators/uci_masks.csv.gz"),
    "sarcos": ("sarcos/sarcos_test.csv.gz", "tau1", [f"tau{k}" for k in range(2, 8)], "sarcos/masks.csv"),
}


def rows(path):
    with (gzip.open(path, "rt") if path.endswith(".gz") else open(path)) as f:
        return [line.rstrip("\n").split(",") for line in f]


def prepare(name, data):
    """The table with the target last and the first split, as lists and as files; None: not there."""
    table, target, without, masks = SETS[name]
    where = "" if name == "boston" else data + "/"
    if (name != "boston" and not data) or not os.path.exists(where + table) or not os.path.exists(where + masks):
        return None
    lines, mask = rows(where + table), [line[0] for line in rows(where + masks)]
    head = lines[0]
    order = [k for k, column in enumerate(head) if column not in without + [target]] + [head.index(target)]
    lines = [[line[k] for k in order] for line in lines]
    os.makedirs("build/fits", exist_ok=True)
    for kind, content in (("table", lines), ("masks", [[m] for m in mask])):
        with open(f"build/fits/{name}_{kind}.csv", "w") as f:
            f.writelines(",".join(line) + "\n" for line in content)
    return lines[1:], mask[1:], target


def here(name, target):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    out = subprocess.run(["build/bayeslin", "cv", f"build/fits/{name}_table.csv", "--target", target, "--masks",
                          f"build/fits/{name}_masks.csv", "--basis", SPEC], check=True, capture_output=True, text=True).stdout
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    lines = [line.split() for line in out.splitlines()]
    head = next(line for line in lines if line and line[0] == "fold")
    mean = next(line for line in lines if line and line[0] == "mean")
    score = {column: float(value) for column, value in zip(head[1:], mean[1:])}
    return score["rmse"], score["mll"], 100 * score["coverage95"], seconds


def revrand_rff(X, y, X_new):
    import numpy as np
    sys.path.insert(0, os.environ["REVRAND"])                         # before bench/revrand.py
    from revrand import StandardLinearModel
    from revrand.basis_functions import RandomRBF
    from revrand.btypes import Parameter, Positive
    d = X.shape[1]
    basis = RandomRBF(nbases=FEATURES // 2, Xdim=d, lenscale=Parameter(np.full(d, d**0.5), Positive()), random_state=1)
    mean, variance = StandardLinearModel(basis, random_state=1).fit(X, y).predict_moments(X_new)
    return mean, np.sqrt(variance)


def torch_rff(X, y, X_new):
    """Length scales, noise and prior variance by their logarithms, from sqrt(d), 0.1 and 1."""
    import numpy as np
    import scipy.optimize
    import torch
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    (N, d), J = X.shape, FEATURES // 2
    Z = torch.from_numpy(np.random.default_rng(0).standard_normal((d, J)))
    Xt, yt, new = (torch.from_numpy(a.copy()) for a in (X, y, X_new))

    def features(x, l):
        phase = x @ (Z / l[:, None])
        return torch.cat((phase.cos(), phase.sin()), 1) / J**0.5

    def posterior(p):
        l, noise, prior = p[:d].exp(), p[d].exp(), p[d + 1].exp()
        P = features(Xt, l)
        L = torch.linalg.cholesky(P.T @ P / noise + torch.eye(2 * J) / prior)
        z = torch.linalg.solve_triangular(L, (P.T @ yt / noise)[:, None], upper=False)
        return l, noise, prior, L, z

    def negative_evidence(x):
        p = torch.from_numpy(x.copy()).requires_grad_(True)
        _, noise, prior, L, z = posterior(p)
        value = 0.5 * (N * torch.log(2 * np.pi * noise) + yt @ yt / noise - (z * z).sum() + 2 * torch.log(torch.diagonal(L)).sum()
                       + 2 * J * torch.log(prior))
        value.backward()
        return value.item(), p.grad.numpy()

    start = np.concatenate((np.full(d, 0.5 * np.log(d)), np.log([0.1, 1.0])))
    best = scipy.optimize.minimize(negative_evidence, start, jac=True, method="L-BFGS-B", bounds=[(-12, 12)] * (d + 2))
    with torch.no_grad():
        l, noise, _, L, z = posterior(torch.from_numpy(best.x))
        V = torch.linalg.solve_triangular(L, features(new, l).T, upper=False)
        return (V.T @ z)[:, 0].numpy(), torch.sqrt((V * V).sum(0) + noise).numpy()


def main():
    warnings.simplefilter("ignore")                                   # a parameter at its bound
    try:
        import numpy as np
        import bases_peers as peers
    except ImportError:
        peers = None
        print("(no peer: python3 with numpy and scikit-learn is not there)")
    try:
        import torch
    except ImportError:
        torch = None
        print("(no peer: torch is not there)")
    if "REVRAND" not in os.environ:
        print("(no peer: revrand, REVRAND is not set to its folder)")
    print(f"{'':10}{'rows':>6}{'':>9}{'rmse':>10}{'mll':>8}{'cov':>7}{'s':>9}   ratio")
    for name in sys.argv[1:] or SETS:
        found = prepare(name, os.environ.get("DATA", ""))
        if found is None:
            print(f"{name:10}(not there: DATA={os.environ.get('DATA', '')})")
            continue
        lines, mask, target = found
        train = sum(m == "0" for m in mask)
        results = [("here", here(name, target))]
        if peers:
            table, test = np.array(lines, float), np.array(mask, float) == 1
            models = [("rff", lambda *a: peers.rff_ridge(*a, features=FEATURES))]
            if train <= LARGEST_GP:
                models.append(("gp", peers.exact_gp))
            if train <= LARGEST_TORCH and torch:
                models.append(("torch", torch_rff))
            if "REVRAND" in os.environ:
                models.append(("revrand", revrand_rff))
            results += [(label, peers.fold(model, table[:, :-1], table[:, -1], test)) for label, model in models]
        for label, (rmse, mll, coverage, seconds) in results:
            print(f"{name:10}{train:6d}  {label:7}{rmse:10.4g}{mll:8.3f}{coverage:7.1f}{seconds:9.2f}"
                  f"{seconds / results[0][1][3]:8.2f}", flush=True)


if __name__ == "__main__":
    main()
