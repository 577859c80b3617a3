#!/usr/bin/env python3
"""The posterior of several classes by Hamiltonian Monte Carlo, beside the Gaussians of `full` and of Laplace's method.

    make && python3 bench/classes_posterior.py [SET ...]        needs what classes.py needs; ten minutes

Of each set all rows, `linear` on standardised inputs, and the prior variance that `full` learns, the same for all: the log evidence
by bridge sampling [Meng & Wong 1996], whose standard error is that of four groups of chains, and what the bound of `full` and
Laplace's evidence are above it; then the largest error of their means, in standard deviations of the posterior, and the least and
the largest ratio of their standard deviations to it: of all weights, and of the differences between classes, on which alone the
probabilities depend. R-hat and the least effective sample size are those of all weights [Gelman et al. 2013, 11.4].
"""
import subprocess
import sys

import numpy as np
from scipy.special import logsumexp
import classes                                                    # sets one thread

CHAINS, WARM, DRAWS, STEPS = 32, 500, 2000, (16, 65)                  # steps of a path: drawn from this range


def fit(name, X, y):
    """Bound and prior sd of full, and the model file."""
    path, model = f"{classes.FOLDER}/{name}_z.csv", f"{classes.FOLDER}/{name}.bln"
    head = ",".join(f"x{j}" for j in range(X.shape[1])) + ",class"
    np.savetxt(path, np.column_stack([X, y]), fmt="%.17g", delimiter=",", header=head, comments="")
    run = ["build/bayeslin", "fit", path, "--target", "class", "--likelihood", "categorical", "--no-scale", "--no-hyper-prior",
           "--inference", "full", "--basis", "linear", "-o", model]
    told = subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()
    bound = float(next(line.split()[2] for line in told if line.startswith("log evidence")))
    sd = float(next(line.split()[1] for line in told if line.startswith("  linear")))
    return bound, sd, model


class Posterior:
    """log p(y, w) and its slope, of many w at a time: C x K x D, in coordinates in which the Gaussian N(mode, A A') is standard."""

    def __init__(self, X, y, sd):
        self.Phi, self.y, self.sd = np.column_stack([X, np.ones(len(y))]), y, sd
        self.K, self.D = y.max() + 1, self.Phi.shape[1]
        self.hot = np.eye(self.K)[y]
        self.find_mode()

    def log_p(self, w):
        W = w.reshape(-1, self.K, self.D)
        F = np.einsum("nd,ckd->cnk", self.Phi, W, optimize=True)
        logsum = logsumexp(F, axis=2)
        value = (F*self.hot).sum((1, 2)) - logsum.sum(1) - 0.5*(W**2).sum((1, 2))/self.sd**2
        G = np.einsum("cnk,nd->ckd", self.hot - np.exp(F - logsum[:, :, None]), self.Phi, optimize=True) - W/self.sd**2
        return value - 0.5*self.K*self.D*np.log(2*np.pi*self.sd**2), G.reshape(len(w), -1)

    def find_mode(self):
        w = np.zeros((1, self.K*self.D))
        for _ in range(100):
            value, g = self.log_p(w)
            p = np.exp(np.einsum("nd,kd->nk", self.Phi, w.reshape(self.K, self.D)))
            p /= p.sum(1, keepdims=True)
            H = np.eye(self.K*self.D)/self.sd**2
            for k in range(self.K):
                for l in range(self.K):
                    weight = p[:, k]*((k == l) - p[:, l])
                    H[k*self.D:(k + 1)*self.D, l*self.D:(l + 1)*self.D] += (self.Phi.T*weight) @ self.Phi
            step = np.linalg.solve(H, g[0])
            size = 1.0
            while self.log_p(w + size*step)[0][0] < value[0] - 1e-9:
                size /= 2
            w = w + size*step
            if g[0] @ step < 1e-18:
                break
        self.mode, self.root = w[0], np.linalg.inv(np.linalg.cholesky(H)).T
        self.laplace = self.log_p(w)[0][0] + 0.5*self.K*self.D*np.log(2*np.pi) - 0.5*np.linalg.slogdet(H)[1]

    def at(self, z):
        value, g = self.log_p(self.mode + z @ self.root.T)
        return value, g @ self.root


def sample(q, rng):
    """CHAINS x DRAWS x KD, and the share of proposals that were taken."""
    d = q.K*q.D
    z = rng.standard_normal((CHAINS, d))
    value, g = q.at(z)
    size, kept, taken = 0.25, [], 0.0
    for it in range(WARM + DRAWS):
        v = rng.standard_normal(z.shape)
        eps = size*rng.uniform(0.8, 1.2, (CHAINS, 1))
        x, p, gx = z, v + 0.5*eps*g, g
        steps = rng.integers(*STEPS)
        for step in range(steps):
            x = x + eps*p
            new, gx = q.at(x)
            p = p + (eps if step < steps - 1 else 0.5*eps)*gx
        ratio = new - value + 0.5*(v**2).sum(1) - 0.5*(p**2).sum(1)
        yes = np.log(rng.uniform(size=CHAINS)) < ratio
        z, g, value = np.where(yes[:, None], x, z), np.where(yes[:, None], gx, g), np.where(yes, new, value)
        if it < WARM:
            size *= 1.02 if yes.mean() > 0.8 else 0.98
        else:
            kept.append(z)
            taken += yes.mean()/DRAWS
    return q.mode + np.swapaxes(np.array(kept), 0, 1) @ q.root.T, taken


def quality(w):
    """Largest R-hat and least effective sample size of the halves of the chains."""
    half = w.reshape(2*CHAINS, DRAWS//2, -1)
    within, between = half.var(1, ddof=1).mean(0), half.mean(1).var(0, ddof=1)*DRAWS/2
    over = (within*(DRAWS/2 - 1) + between)/(DRAWS/2)
    return np.sqrt(over/within).max(), (over/between*CHAINS*DRAWS).min()


def bridge(q, w, rng):
    """log evidence by the optimal bridge from a Gaussian fitted to half of the draws."""
    half = w.shape[1]//2
    first, second = w[:, :half].reshape(-1, w.shape[2]), w[:, half:].reshape(-1, w.shape[2])
    mean, L = first.mean(0), np.linalg.cholesky(np.cov(first.T))
    def log_g(x):
        z = np.linalg.solve(L, (x - mean).T).T
        return -0.5*(z**2).sum(1) - 0.5*len(mean)*np.log(2*np.pi) - np.log(np.diag(L)).sum()
    def log_p(x):
        return np.concatenate([q.log_p(part)[0] for part in np.array_split(x, len(x)//500 + 1)])
    second = second[::4]                                                    # nearly independent
    drawn = mean + rng.standard_normal(second.shape) @ L.T
    l1, l2 = log_p(second) - log_g(second), log_p(drawn) - log_g(drawn)
    r = 0.0
    for _ in range(200):
        top = logsumexp(l2 - np.logaddexp(l2, r)) - logsumexp(-np.logaddexp(l1, r))
        if abs(top - r) < 1e-10:
            break
        r = top
    return r


def main():
    rng = np.random.default_rng(3)
    for name in sys.argv[1:] or ("birthwt", "ozone", "pima", "fgl", "vehicle", "iris"):
        _, X, y = classes.table(name)
        X = (X - X.mean(0))/X.std(0)
        bound, sd, model = fit(name, X, y)
        q = Posterior(X, y, sd)
        w, taken = sample(q, rng)
        rhat, ess = quality(w)
        groups = [bridge(q, w[k::4], rng) for k in range(4)]
        evidence, se = np.mean(groups), np.std(groups, ddof=1)/2
        print(f"{name}: {len(y)} rows, {q.K*q.D} weights, prior sd {sd:.4g}; taken {taken:.2f}, R-hat {rhat:.4f}, least ESS {ess:.0f}")
        print(f"  log evidence {evidence:.3f} (se {se:.3f}); bound of full {bound - evidence:+.3f}, Laplace {q.laplace - evidence:+.3f}")
        np.save(f"{classes.FOLDER}/{name}_draws.npy", w[:, ::10].reshape(-1, q.K, q.D).astype(np.float32))
        compare(q, w, model)


def info(model, K, D):
    """Means and sds of bayeslin's weights, K x D each, the constant last."""
    told = subprocess.run(["build/bayeslin", "info", model, "--all"], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in told.splitlines() if line.endswith("log odds") and line.startswith("  ") and "sd" not in line]
    table = np.array([[float(v) for v in r[1:3]] for r in rows]).reshape(K, D, 2)
    return np.roll(table[:, :, 0], -1, axis=1), np.roll(table[:, :, 1], -1, axis=1)


def compare(q, w, model):
    W = w.reshape(-1, q.K, q.D)
    mean, sd = W.mean(0), W.std(0)
    covariance = (q.root @ q.root.T).reshape(q.K, q.D, q.K, q.D)
    full, full_sd = info(model, q.K, q.D)
    mode, mode_sd = q.mode.reshape(q.K, q.D), np.sqrt(np.einsum("kdkd->kd", covariance))
    for what, m, s in (("full", full, full_sd), ("laplace", mode, mode_sd)):
        ratio = s/sd
        pair, pair_ratio = [], []
        for k in range(q.K):
            for l in range(k):
                of = (W[:, k] - W[:, l]).std(0)
                pair.append(np.abs((m[k] - m[l]) - (mean[k] - mean[l]))/of)
                own = s[k]**2 + s[l]**2
                if what == "laplace":
                    own -= 2*np.einsum("dd->d", covariance[k, :, l, :])
                pair_ratio.append(np.sqrt(own)/of)
        print(f"  {what:8s} means of weights off by up to {np.abs((m - mean)/sd).max():.3f} sd, of differences {np.max(pair):.3f};"
              f" sds {ratio.min():.2f} to {ratio.max():.2f}, of differences {np.min(pair_ratio):.2f} to {np.max(pair_ratio):.2f}",
              flush=True)


if __name__ == "__main__":
    main()
