"""tape_peers.py - gradients of programs (bench_tape) beside torch and CppAD, in turns in one run

    cc -O2 -Ibuild/include bench/bench_tape.c -o build/bench_tape -lm && OMP_NUM_THREADS=1 python3 bench/tape_peers.py

Needs torch, g++, R, and of R's packages TMB, for its CppAD, and RcppEigen (PEERS: the folder of packages). torch computes with
arrays, CppAD with scalars. Microseconds of processor time of one gradient, the least of three rounds of nine, the ratio of ours to
the peer's, and how far the gradients differ.
"""
import math
import os
import subprocess
import time

import numpy
import torch

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)
PEERS = os.environ.get('PEERS', '/usr/lib/R/site-library')
FOLDER = 'build/tape_peers'
LINES = [('eight schools, arrays', 'schools', None), ('eight schools, scalars', None, 'schools'),
         ('logistic 1000 x 24, affine', 'logistic', None), ('logistic 1000 x 24, scalars', None, 'logistic'),
         ('logistic 10000 x 24, affine', 'logistic', None), ('logistic 10000 x 24, scalars', None, 'logistic'),
         ('1000 groups x 10, arrays', 'groups', None), ('1000 groups x 10, scalars', None, 'groups'),
         ('Gaussian process 200, factor', 'gp', None)]


def schools(q, d):
    tau = torch.exp(q[1])
    z = (d['y'] - q[0] - tau*q[2:])/d['s']
    return -q[0]**2/50 + q[1] - torch.log1p((tau/5)**2) - 0.5*(q[2:]**2).sum() - 0.5*(z*z).sum()


def logistic(q, d):
    entropy = torch.nn.functional.binary_cross_entropy_with_logits
    return -q[0]**2/50 - (q[1:]**2).sum()/8 - entropy(torch.addmv(q[0], d['X'], q[1:]), d['y'], reduction='sum')


def groups(q, d):
    tau, sigma = torch.exp(q[1]), torch.exp(q[2])
    r = (d['y'] - (q[0] + tau*q[3:])[d['g'].long() - 1])/sigma
    return (-q[0]**2/50 + q[1] + q[2] - (tau**2 + sigma**2)/8 - 0.5*(q[3:]**2).sum() - 0.5*(r*r).sum() - len(d['y'])*q[2])


def gp(q, d):
    a, l, s = torch.exp(q[0]), torch.exp(q[1]), torch.exp(q[2])
    distance = (d['x'][:, None] - d['x'][None])**2
    K = a*a*torch.exp(-distance/(2*l*l)) + s*s*torch.eye(len(d['y']))
    L = torch.linalg.cholesky(K)
    z = torch.linalg.solve_triangular(L, d['y'][:, None], upper=False)
    prior = -a*a/2 - s*s/2 - 6*q[1] - 5/l + q[0] + q[1] + q[2]
    return prior - 0.5*(z*z).sum() - torch.log(torch.diag(L)).sum()


def read(name):
    d = {}
    with open(f'{FOLDER}/{name}') as file:
        words = file.read().split()
    at = 0
    while at < len(words):
        _, what, rows, cols = words[at:at + 4]
        size = int(rows)*int(cols)
        x = numpy.array(words[at + 4:at + 4 + size], float)
        d[what] = torch.tensor(x.reshape(int(rows), int(cols)) if int(cols) > 1 else x)
        at += 4 + size
    return d


def by_torch(model, name):
    d = read(name)
    q = d['q'].clone().requires_grad_()

    def step():
        q.grad = None
        globals()[model](q, d).backward()

    times, best = 1, math.inf
    for turn in range(-20, 9):
        begin = time.process_time()
        for _ in range(times):
            step()
        took = time.process_time() - begin
        if turn >= 0:
            best = min(best, took/times)
        elif took < 0.02:
            times *= 2
    return 1e6*best, float(((q.grad - d['gradient']).abs()/(1 + d['gradient'].abs())).max())


def by_cppad(model, name):
    said = subprocess.check_output([f'{FOLDER}/cppad', f'{FOLDER}/{name}', model]).split()
    return float(said[0]), float(said[1])


os.makedirs(FOLDER, exist_ok=True)
headers = [f'-I{PEERS}/{package}/include' for package in ('TMB', 'RcppEigen')]
R = subprocess.check_output(['R', 'CMD', 'config', '--cppflags']).decode().split()
os.environ['R_HOME'] = subprocess.check_output(['R', 'RHOME']).decode().strip()
libraries = ['-L' + os.environ['R_HOME'] + '/lib', '-lR', '-llapack', '-lblas']
subprocess.check_call(['g++', '-O3', '-w'] + headers + R + ['bench/tape_cppad.cpp', '-o', FOLDER + '/cppad'] + libraries)
subprocess.check_call(['build/bench_tape', '--data', FOLDER])
print(f"{'microseconds':30} {'program':>10} {'peer':>10} {'':6} {'ratio':>7} {'differ by':>9}")
for name, array, scalar in LINES:
    ours = theirs = math.inf
    for _ in range(3):
        said = subprocess.check_output(['build/bench_tape', '--only', name]).decode()
        ours = min(ours, float(said.split(' us ')[0].split()[-1]))
        took, apart = by_torch(array, name) if array else by_cppad(scalar, name)
        theirs = min(theirs, took)
    print(f"{name:30} {ours:10.3f} {theirs:10.3f} {'torch' if array else 'CppAD':6} {ours/theirs:7.3f} {apart:9.1e}", flush=True)
