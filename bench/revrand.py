#!/usr/bin/env python3
"""Cost of a stochastic step and of a fit of the mixture GLM, beside revrand's.

    make && cc -std=c99 -O2 -Ibuild/include bench/bench_glm.c -o build/bench_glm -lm
    python3 bench/revrand.py                            the step beside a NumPy stand-in for revrand's (needs numpy)
    REVRAND=/path/to/revrand python3 bench/revrand.py   and beside revrand itself, a fit too (needs what that needs)

Two classes by a logit, 8 inputs, 800 random frequencies (D = 1600), K = 10 components, everything learnt. revrand draws weights, 50
for each component and step, where we take expectations by quadrature; noise of both gradients: build/bench_glm noise.

The stand-in is a NumPy program of the same work, written from the published algorithm (Steinberg, Tiao, Reid, McCalman & O'Callaghan
2017, equations 22 to 27): features and their slopes in the length scale, for each component 50 draws of the weights, f and slopes of
log p, gradients of means, variances and length scale, entropy of the pairs, one step of Adam; the normals are those of
numpy.random.RandomState, as scikit-learn's convention is. It has no transforms, checks or decorators, so that it flatters.

Seconds of processor time, one thread, the least of several. A ratio is the peer's time over ours.
"""
import os
import sys
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
os.environ.pop("OPENBLAS_CORETYPE", None)
import subprocess
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
    """{ (batch, kind, draws): seconds } of `bench_glm step`; lines of `bench_glm fit`."""
    program = "build/bench_glm"
    if not os.path.exists(program):
        print("revrand.py: skipped: build %s first" % program)
        sys.exit(0)
    lines = subprocess.run([program, what], check=True, capture_output=True, text=True).stdout.splitlines()
    if what == "fit":
        return lines
    table = {}
    for line in lines:
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


def revrand(path, mine):
    """revrand itself: a step is the difference of runs of many and few, so that starts and set-up are not counted."""
    sys.path[0] = path                                  # in place of this script's folder, where it would find this script
    sys.modules.pop("revrand", None)
    try:
        from revrand import GeneralizedLinearModel, likelihoods
        from revrand.basis_functions import RandomRBF
    except Exception as why:
        print("revrand.py: skipped: revrand cannot be imported from %s: %s" % (path, why))
        return

    def run(n, frequencies, components, batch, steps):
        X, y = data(n)
        model = GeneralizedLinearModel(likelihoods.Bernoulli(), RandomRBF(nbases=frequencies, Xdim=D_INPUTS), K=components,
                                       batch_size=batch, maxiter=steps, nsamples=DRAWS, nstarts=1, random_state=1)
        start = time.process_time()
        model.fit(X, y)
        return time.process_time() - start

    print("\nrevrand (some versions take 10 rows a step whatever batch_size is)")
    for B in BATCHES:
        few = run(20*B, FREQUENCIES, K, B, 5)
        theirs = (run(20*B, FREQUENCIES, K, B, 25) - few)/20
        print("%6d %12.3f %14.1f %8.1f" % (B, 1e3*mine[B, "rule", 1], 1e3*theirs, theirs/mine[B, "rule", 1]))
    print("fit  n 2000  K 2  D 200  batch 10  epochs 20  %8.3f s  revrand" % run(2000, 100, 2, 10, 4000))


if __name__ == "__main__":
    steps = ours("step")
    stand_in(steps)
    if os.environ.get("REVRAND"):
        revrand(os.environ["REVRAND"], steps)
    else:
        print("\nrevrand itself: skipped, REVRAND is not set to its folder")
    print("\n".join(ours("fit")))
