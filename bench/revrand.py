#!/usr/bin/env python3
"""Cost of a stochastic step and of fits, beside revrand's.

    make && cc -std=c99 -O2 -Ibuild/include bench/bench_glm.c -o build/bench_glm -lm
    cc -std=c99 -O2 -Ibuild/include bench/bench_slm.c -o build/bench_slm -lm
    python3 bench/revrand.py                            the step beside a NumPy stand-in for revrand's (needs numpy)
    REVRAND=/path/to/revrand python3 bench/revrand.py   and beside revrand itself: steps, fits, noise, the linear model

REVRAND is the folder that has revrand/__init__.py, of revrand 1.0.0 (github.com/NICTA/revrand, or `pip install revrand`), with numpy,
scipy, scikit-learn, six and decorator. It is of 2017: with numpy from 1.23 on, put `a.item()` for `np.asscalar(a)` in
revrand/utils/base.py.

Two classes by a logit, 8 inputs, 800 random frequencies (D = 1600), K = 10 components, everything learnt. revrand draws weights, 50
for each component and step, where we take expectations by quadrature.

The stand-in is a NumPy program of the same work, written from the published algorithm (Steinberg, Tiao, Reid, McCalman & O'Callaghan
2017, equations 22 to 27): features and their slopes in the length scale, for each component 50 draws of the weights, f and slopes of
log p, gradients of means, variances and length scale, entropy of the pairs, one step of Adam; the normals are those of
numpy.random.RandomState, as scikit-learn's convention is. It has no transforms, checks or decorators, so that it flatters.

Seconds of processor time, one thread, the least of several, ours and theirs in turns. A ratio is the peer's time over ours.
"""
import os
import sys
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
os.environ.pop("OPENBLAS_CORETYPE", None)
import functools
import resource
import shutil
import subprocess
import tempfile
import time

try:
    import numpy as np
except ImportError:
    print("revrand.py: skipped: numpy is not there")
    sys.exit(0)

D_INPUTS, FREQUENCIES, K, DRAWS = 8, 800, 10, 50
BATCHES = (10, 100, 256)


class StandIn:
    """State and step of the stand-in."""

    def __init__(self, seed=1):
        self.rng = np.random.RandomState(seed)
        D = 2*FREQUENCIES
        self.W = self.rng.standard_normal((D_INPUTS, FREQUENCIES))
        self.m = self.rng.standard_normal((K, D))
        self.C = self.rng.gamma(2.0, 0.5, (K, D))
        self.length, self.prior = 1.5, 1.0
        size = 2*K*D + 2
        self.adam = [np.zeros(size), np.zeros(size), 0]

    def entropy(self):
        """The bound by pairs, and its gradients."""
        dm, dC, logs = np.zeros_like(self.m), np.zeros_like(self.C), np.zeros((K, K))
        for k in range(K):
            for j in range(K):
                S = self.C[k] + self.C[j]
                logs[k, j] = -0.5*np.sum(np.log(2*np.pi*S) + (self.m[k] - self.m[j])**2/S)
        logs -= logs.max(axis=1, keepdims=True)
        r = np.exp(logs)
        r /= r.sum(axis=1, keepdims=True)
        for k in range(K):
            for j in range(K):
                S, d, weight = self.C[k] + self.C[j], self.m[k] - self.m[j], (r[k, j] + r[j, k])/K
                dm[k] += weight*d/S
                dC[k] += 0.5*weight*(1/S - d*d/(S*S))
        return dm, dC

    def step(self, X, y, N):
        B = len(y)
        Z = X @ self.W/self.length
        cos, sin = np.cos(Z), np.sin(Z)
        scale = 1/np.sqrt(FREQUENCIES)
        Phi = np.hstack((cos, sin))*scale
        dPhi = np.hstack((sin*Z, -cos*Z))*(scale/self.length)
        dm, dC = self.entropy()
        dlength = 0.0
        for k in range(K):
            e = self.rng.standard_normal((DRAWS, 2*FREQUENCIES))
            root = np.sqrt(self.C[k])
            w = self.m[k] + root*e
            f = Phi @ w.T
            df = (y[:, None] - 1/(1 + np.exp(-f)))*(N/B/DRAWS/K)
            Edf = df.T @ Phi
            dm[k] += Edf.sum(axis=0) - self.m[k]/(self.prior*K)
            dC[k] += 0.5*((Edf*e).sum(axis=0)/root - 1/(self.prior*K))
            dlength += np.sum((df @ w)*dPhi)
        dprior = 0.5*(np.sum(self.m**2 + self.C)/(K*self.prior) - 2*FREQUENCIES)
        g = -np.concatenate((dm.ravel(), (dC*self.C).ravel(), [dlength*self.length, dprior]))
        a, v, t = self.adam
        t += 1
        a = 0.9*a + 0.1*g
        v = 0.99*v + 0.01*g*g
        s = 0.01*(a/(1 - 0.9**t))/(np.sqrt(v/(1 - 0.99**t)) + 1e-8)
        self.adam = [a, v, t]
        n = self.m.size
        self.m = self.m - s[:n].reshape(self.m.shape)
        self.C = self.C*np.exp(-s[n:2*n].reshape(self.C.shape))
        self.length *= np.exp(-s[-2])
        self.prior *= np.exp(-s[-1])


def data(n, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, D_INPUTS))
    f = 1.5*np.sin(1.5*X[:, 0]) + 1.5*np.sin(1.5*X[:, 1]) + 0.4*X[:, 2:].sum(axis=1)
    return X, (rng.random(n) < 1/(1 + np.exp(-f))).astype(float)


def least(f, times):
    best = 1e9
    for _ in range(times):
        start = time.process_time()
        f()
        best = min(best, time.process_time() - start)
    return best


def ours(what):
    """{ (batch, kind, draws): seconds } of `bench_glm step`."""
    program = "build/bench_glm"
    if not os.path.exists(program):
        print("revrand.py: skipped: build %s first" % program)
        sys.exit(0)
    table = {}
    for line in subprocess.run([program, what], check=True, capture_output=True, text=True).stdout.splitlines():
        w = line.split()
        table[int(w[6]), w[7], int(w[9])] = 1e-6*float(w[10])
    return table


def stand_in(mine):
    print("A step: K = %d, D = %d; ours by quadrature, the stand-in by %d draws" % (K, 2*FREQUENCIES, DRAWS))
    print("%6s %12s %14s %8s %22s" % ("batch", "ours, ms", "stand-in, ms", "ratio", "ours by draws: ratio"))
    for B in BATCHES:
        X, y = data(B)
        s = StandIn()
        theirs = least(lambda: s.step(X, y, 20*B), 7)
        a, b = mine[B, "rule", 1], mine[B, "weights", DRAWS]
        print("%6d %12.3f %14.1f %8.1f %22.1f" % (B, 1e3*a, 1e3*theirs, theirs/a, theirs/b))


class Revrand:
    """revrand itself."""

    def __init__(self, path):
        sys.path[0] = path                              # in place of this script's folder, where it would find this script
        sys.modules.pop("revrand", None)
        import revrand.glm
        from revrand import StandardLinearModel, likelihoods
        from revrand.basis_functions import RandomRBF
        self.glm, self.linear, self.likelihoods, self.rbf = revrand.glm, StandardLinearModel, likelihoods, RandomRBF
        self.sgd = revrand.glm.sgd

    def model(self, frequencies, components, batch, steps, starts=1):
        """1.0.0 takes 10 rows a step whatever batch_size is, which it loses on the way to sgd: handed on here."""
        self.glm.sgd = functools.partial(self.sgd, batch_size=batch)
        basis = self.rbf(nbases=frequencies, Xdim=D_INPUTS, random_state=1)
        return self.glm.GeneralizedLinearModel(self.likelihoods.Bernoulli(), basis, K=components, batch_size=batch, maxiter=steps,
                                               nsamples=DRAWS, nstarts=starts, random_state=1)

    def step(self, batch):
        """Seconds of one of the steps of a fit: from one call for a gradient to the next."""
        X, y = data(20*batch)
        model = self.model(FREQUENCIES, K, batch, 12)
        gradient, at = model._elbo, []

        def watched(*arguments):
            at.append(time.process_time())
            return gradient(*arguments)

        model._elbo = watched
        model.fit(X, y)
        return min(np.diff(at[1:]))


def steps(peer):
    print("\nA step of revrand")
    print("%6s %12s %14s %8s" % ("batch", "ours, ms", "revrand, ms", "ratio"))
    best = {B: [1e9, 1e9] for B in BATCHES}
    for _ in range(3):
        mine = ours("step")
        for B in BATCHES:
            best[B] = [min(best[B][0], mine[B, "rule", 1]), min(best[B][1], peer.step(B))]
    for B in BATCHES:
        print("%6d %12.3f %14.1f %8.1f" % (B, 1e3*best[B][0], 1e3*best[B][1], best[B][1]/best[B][0]))


def log_loss(y, p):
    return -np.mean(np.log(np.where(y > 0.5, p, 1 - p)))


def fits(peer):
    """The same rows and the same number of steps; scores on rows that neither saw. Ours by the tool, reading its table included."""
    print("\nA fit: 2000 rows, K = 2, D = 200, 4000 steps of 10 rows; 5000 new rows")
    X, y = data(7000)
    folder = tempfile.mkdtemp()
    for name, rows in (("train", slice(0, 2000)), ("test", slice(2000, None))):
        np.savetxt("%s/%s.csv" % (folder, name), np.column_stack((X[rows], y[rows])), delimiter=",", fmt="%.17g", comments="",
                   header=",".join("x%d" % i for i in range(D_INPUTS)) + ",y")
    for seed in range(3):
        command = ["build/bayeslin", "fit", folder + "/train.csv", "--target", "y", "--basis", "rbf:n=100",
                   "--likelihood", "bernoulli", "--inference", "mixture", "--components", "2", "--batch", "10", "--max-iterations",
                   "20", "--seed", str(seed), "-o", folder + "/model"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(command, check=True, capture_output=True)
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        scores = subprocess.run(["build/bayeslin", "score", folder + "/model", folder + "/test.csv"], check=True,
                                capture_output=True, text=True).stdout.split()
        print("ours      seed %d  %8.3f s  log loss %s" % (seed, used, scores[scores.index("log_loss") + 1]))
        model = peer.model(100, 2, 10, 4000, 500)        # 500 random starts are its default
        model.random_ = np.random.RandomState(seed)
        start = time.process_time()
        model.fit(X[:2000], y[:2000])
        used = time.process_time() - start
        print("revrand   seed %d  %8.3f s  log loss %.4f" % (seed, used, log_loss(y[2000:], model.predict(X[2000:], 1000))))
    shutil.rmtree(folder)


def noise(peer):
    """Roots of the sums of variances of revrand's gradient at one point, its own after a fit, in coordinates m/sqrt(C) and log C; of
    the same with the draws' expectation taken, by nodes, only the choice of rows is left, which is our noise."""
    X, y = data(2000)
    model = peer.model(50, 1, 100, 2000)
    model.fit(X, y)
    m, C, length = model.weights_, model.covariance_, model.basis_hypers_
    z, w = np.polynomial.hermite_e.hermegauss(32)
    w = w/w.sum()
    rng = np.random.RandomState(2)
    model._GeneralizedLinearModel__it = 1                # no line of a log

    def theirs(rows):
        dm, dC = model._elbo(m, C, model.regularizer_, [], length, X[rows], y[rows])[1][:2]
        return np.concatenate(((dm*np.sqrt(C)).ravel(), (dC*C).ravel()))

    def nodes(rows):
        P = model.basis.transform(X[rows], length)
        f = (P @ m[:, 0])[:, None] + np.sqrt(P**2 @ C[:, 0])[:, None]*z
        p = 1/(1 + np.exp(-f))
        d1, d2 = (y[rows][:, None] - p) @ w, -(p*(1 - p)) @ w
        return 20*np.concatenate(((P.T @ d1)*np.sqrt(C[:, 0]), 0.5*((P**2).T @ d2)*C[:, 0]))

    def spread(gradients):
        v = np.var(np.array(gradients), axis=0)
        return np.sqrt(v[:100].sum()), np.sqrt(v[100:].sum())

    fixed = rng.permutation(2000)[:100]
    print("\nNoise of a gradient: batches of 100 of 2000 rows, K = 1, D = 100, %d draws   of means  of log variances" % DRAWS)
    print("rows alone, which is ours                                              %9.3f %9.3f"
          % spread([nodes(rng.permutation(2000)[:100]) for _ in range(400)]))
    print("revrand's draws alone, one batch                                       %9.3f %9.3f"
          % spread([theirs(fixed) for _ in range(400)]))
    print("revrand: both                                                          %9.3f %9.3f"
          % spread([theirs(rng.permutation(2000)[:100]) for _ in range(400)]))


def linear(peer):
    """The linear model's objective with its gradient, as its fit asks for it at each point."""
    N, d, J = 2000, 21, 512
    line = subprocess.run(["build/bench_slm", str(N), str(d), str(J)], check=True, capture_output=True, text=True).stdout.split()
    mine = float(line[-2])
    rng = np.random.RandomState(1)
    X, y = rng.uniform(-1, 1, (N, d)), rng.standard_normal(N)
    lengths = 1.5 + 0.1*np.arange(d)
    from revrand.btypes import Parameter, Positive
    model = peer.linear(peer.rbf(nbases=J, Xdim=d, lenscale=Parameter(lengths, Positive()), random_state=1))
    model.obj_ = -np.inf
    theirs = least(lambda: model._elbo(X, y, 0.01, 1.0, lengths), 3)
    print("\nThe linear model's evidence and gradient: N = %d, D = %d, %d length scales: ours %.4f s, revrand %.3f s, ratio %.1f"
          % (N, 2*J, d, mine, theirs, theirs/mine))


if __name__ == "__main__":
    stand_in(ours("step"))
    if not os.environ.get("REVRAND"):
        print("\nrevrand itself: skipped, REVRAND is not set to its folder")
        sys.exit(0)
    try:
        peer = Revrand(os.path.abspath(os.environ["REVRAND"]))
    except Exception as why:
        print("revrand.py: skipped: revrand cannot be imported from %s: %s" % (os.environ["REVRAND"], why))
        sys.exit(0)
    for part in (steps, fits, noise, linear):
        part(peer)
