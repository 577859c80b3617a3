#!/usr/bin/env python3
"""The linear model on random Fourier features, beside numpy, scikit-learn and torch on the same work in the same process.

    make && python3 bench/bench_slm.py [N d FREQUENCIES] ...        needs numpy; scipy, scikit-learn, torch if they are there

Statistics: [Phi y]'[Phi y] from X, Phi the cosines and sines of J random frequencies. Evidence and gradient: log p(y) and its
derivatives by all length scales. numpy: the best algorithm known to us for it (one product Phi C serves all length scales).
scikit-learn: RBFSampler and the normal equations of Ridge, which has no evidence. torch: reverse-mode differentiation.
revrand's scheme: numpy in the steps of revrand 1.0.0's bound and of its basis' gradient: the inverse by solving for the identity,
all d Phi/d l side by side in one N x D x d array, and from it one product for each length scale.

Seconds of processor time, one thread, the least of several runs taken in turns. The ratio is the peer's time over ours. Unset
OPENBLAS_CORETYPE: a preset halves numpy on an AVX-512 machine.
"""
import os
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
os.environ.pop("OPENBLAS_CORETYPE", None)
import ctypes
import subprocess
import sys
import time
import numpy as np

NOISE, PRIOR = 0.01, 1.0


def load():
    library = "build/bench_slm.so"
    subprocess.run(["cc", "-std=c99", "-O2", "-fPIC", "-shared", "-Ibuild/include", "bench/bench_slm.c", "-o", library, "-lm"],
                   check=True)
    lib = ctypes.CDLL(os.path.abspath(library))
    pointer, size, double = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_double
    for name, result, arguments in (("bench_peak", double, []), ("bench_new", pointer, [size, size]),
                                    ("bench_free", None, [pointer]), ("bench_frequencies", pointer, [pointer]),
                                    ("bench_fill", None, [size, size, pointer, pointer]),
                                    ("bench_statistics", double, [pointer, size, pointer, pointer]),
                                    ("bench_evidence", double, [pointer, size, pointer, pointer, ctypes.c_int, pointer])):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


class Numpy:
    """X: N x d; Z: d x J; l: d."""
    def __init__(self, X, y, Z, l):
        self.X, self.y, self.Z, self.l = X, y, Z, l

    def features(self):
        phase = self.X @ (self.Z / self.l[:, None])
        return np.hstack((np.cos(phase), np.sin(phase))) / np.sqrt(self.Z.shape[1])

    def statistics(self):
        P = self.features()
        return P.T @ P, P.T @ self.y

    def solve(self, P):
        import scipy.linalg
        A = P.T @ P / NOISE
        A[np.diag_indices_from(A)] += 1.0 / PRIOR
        U = scipy.linalg.cholesky(A, lower=True, overwrite_a=True, check_finite=False)
        b = P.T @ self.y / NOISE
        z = scipy.linalg.solve_triangular(U, b, lower=True, check_finite=False)
        N, D = P.shape
        value = -0.5 * (N * np.log(2 * np.pi * NOISE) + self.y @ self.y / NOISE - z @ z + 2 * np.log(np.diag(U)).sum()
                        + D * np.log(PRIOR))
        return value, U, b

    def evidence(self):
        return self.solve(self.features())[0]

    def inverse(self, U, b):
        import scipy.linalg
        C = scipy.linalg.lapack.dpotri(U, lower=1)[0]
        C = np.tril(C) + np.tril(C, -1).T
        return C, C @ b

    def gradient(self):
        P = self.features()
        value, U, b = self.solve(P)
        C, m = self.inverse(U, b)
        J = self.Z.shape[1]
        G = (np.outer(self.y - P @ m, m) - P @ C) / NOISE
        H = G[:, J:] * P[:, :J] - G[:, :J] * P[:, J:]
        return value, -(self.Z * (self.X.T @ H)).sum(1) / self.l**2

    def revrand(self):
        import scipy.linalg
        P = self.features()
        value, U, b = self.solve(P)
        C = scipy.linalg.cho_solve((U, True), np.eye(len(b)))
        m = C @ b
        J = self.Z.shape[1]
        error = self.y - P @ m
        slopes = []
        for i, l in enumerate(self.l):
            phase = np.outer(self.X[:, i], -self.Z[i] / l**2)
            slopes.append(np.hstack((-phase * P[:, J:], phase * P[:, :J])))
        slopes = np.dstack(slopes)                       # .dot as there: @ is far slower for such strides
        out = [(m.dot(error.dot(slopes[:, :, i])) - (slopes[:, :, i].T.dot(P) * C).sum()) / NOISE for i in range(len(self.l))]
        return value, np.array(out)


class Torch:
    def __init__(self, X, y, Z, l):
        import torch
        torch.set_num_threads(1)
        torch.set_default_dtype(torch.float64)
        self.torch = torch
        self.X, self.y, self.Z = (torch.from_numpy(a) for a in (X, y, Z))
        self.l = torch.from_numpy(l.copy()).requires_grad_(True)

    def gradient(self):
        torch = self.torch
        phase = self.X @ (self.Z / self.l[:, None])
        P = torch.cat((phase.cos(), phase.sin()), 1) / np.sqrt(self.Z.shape[1])
        N, D = P.shape
        A = P.T @ P / NOISE + torch.eye(D) / PRIOR
        L = torch.linalg.cholesky(A)
        z = torch.linalg.solve_triangular(L, (P.T @ self.y / NOISE)[:, None], upper=False)[:, 0]
        value = -0.5 * (N * np.log(2 * np.pi * NOISE) + self.y @ self.y / NOISE - z @ z + 2 * torch.log(torch.diagonal(L)).sum()
                        + D * np.log(PRIOR))
        self.l.grad = None
        value.backward()
        return value.item(), self.l.grad.numpy()


def ridge(X, y, J):
    from sklearn.kernel_approximation import RBFSampler
    from sklearn.linear_model import Ridge
    sampler = RBFSampler(gamma=0.2, n_components=2 * J, random_state=0).fit(X)
    Ridge(alpha=0.01, solver="cholesky", fit_intercept=False, copy_X=False).fit(sampler.transform(X), y)


def here(module):
    try:
        __import__(module)
        return True
    except ImportError:
        return False


def timed(call):
    began = time.process_time()
    call()
    return time.process_time() - began


def one(lib, N, d, J):
    X, y = np.empty((N, d)), np.empty(N)
    lib.bench_fill(N, d, X.ctypes.data, y.ctypes.data)
    model = lib.bench_new(d, J)
    Z = np.ctypeslib.as_array(ctypes.cast(lib.bench_frequencies(model), ctypes.POINTER(ctypes.c_double)), (d, J)).copy()
    l = 1.5 + 0.1 * np.arange(d)
    out = np.empty(1 + d)
    peer = Numpy(X, y, Z, l)
    few = 3 if N * J * J > 2e10 else 7
    D = 2 * J
    data = (model, N, X.ctypes.data, y.ctypes.data)
    print(f"\nN = {N}, d = {d}, D = {D}")
    print(f"{'':24}{'seconds':>10}{'of peak':>9}    ratio of the others' time to it")

    def row(name, flops, ours, others):
        best = [np.inf] * (1 + len(others))
        for _ in range(few):
            best[0] = min(best[0], ours())
            for k, (_, call, once) in enumerate(others):
                if not once or best[k + 1] == np.inf:
                    best[k + 1] = min(best[k + 1], timed(call))
        peak = lib.bench_peak()
        ratios = "   ".join(f"{label} {t / best[0]:.2f}" for (label, _, _), t in zip(others, best[1:]))
        print(f"{name:24}{best[0]:10.4f}{flops / best[0] * 1e-9 / peak:9.2f}    {ratios}", flush=True)

    big = N * d * D * 8 > 4e9
    row("statistics", N * D * D, lambda: lib.bench_statistics(*data),
        [("numpy", peer.statistics, False)]
        + ([("scikit-learn Ridge", lambda: ridge(X, y, J), True)] if here("sklearn") else []))
    if not here("scipy"):
        return
    row("evidence", N * D * D + D**3 / 3, lambda: lib.bench_evidence(*data, 0, out.ctypes.data), [("numpy", peer.evidence, False)])
    others = [("numpy", peer.gradient, False)]
    if here("torch"):
        others.append(("torch", Torch(X, y, Z, l).gradient, False))
    if not big:
        others.append(("revrand's scheme", peer.revrand, True))
    row("evidence and gradient", 3 * N * D * D + D**3, lambda: lib.bench_evidence(*data, 1, out.ctypes.data), others)
    value, slope = peer.gradient()
    error = max(abs(out[0] - value) / abs(value), np.max(np.abs(out[1:] - slope)) / np.max(np.abs(slope)))
    print(f"largest relative difference from numpy's evidence and gradient: {error:.1e}")
    if error > 1e-8:
        sys.exit("that is not the same work")
    lib.bench_free(model)


if __name__ == "__main__":
    lib = load()
    sizes = [int(a) for a in sys.argv[1:]] or [10000, 21, 200, 10000, 21, 512, 10000, 21, 1024]
    for i in range(0, len(sizes) - 2, 3):
        one(lib, *sizes[i:i + 3])
