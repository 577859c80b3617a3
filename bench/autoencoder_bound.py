"""autoencoder_bound.py - the auto-encoder of examples/24_autoencoder.c learnt by torch: what is its bound of digits not learnt from?

    make build/examples/24_autoencoder && OMP_NUM_THREADS=1 python3 bench/autoencoder_bound.py [SEEDS]

The same network, digits, split, law of the starts, 2000 steps of 100 digits, Adam at 0.003 and powers from 0.1 to 1; five seeds
unless said otherwise. Nats a digit, and seconds of processor time.
"""
import math
import subprocess
import sys
import time

import torch

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)
PIXELS, HIDDEN, LATENT, STEPS, WEIGHTED = 64, 100, 7, 2000, 100
SHAPES = [(PIXELS, HIDDEN), (HIDDEN, LATENT), (HIDDEN, LATENT), (LATENT, HIDDEN), (HIDDEN, PIXELS)]
entropy = torch.nn.functional.binary_cross_entropy_with_logits


def digits(path='examples/data/digits.csv'):
    grey = '0123456789abcdefg'
    rows = [line.split(',')[1].strip() for line in open(path)]
    rows = [[float(grey.index(c) >= 8) for c in row] for row in rows if len(row) == PIXELS and set(row) <= set(grey)]
    x = torch.tensor(rows)
    test = torch.arange(len(x)) % 6 == 5
    return x[~test], x[test]


def code(P, x):
    hidden = torch.tanh(x @ P[0] + P[1])
    m, l = hidden @ P[2] + P[3], hidden @ P[4] + P[5]
    e = torch.randn_like(m)
    z = m + torch.exp(l)*e
    return m, l, e, z, torch.tanh(z @ P[6] + P[7]) @ P[8] + P[9]


def divergence(m, l):
    return (0.5*(m*m + torch.exp(2*l) - 1) - l).sum()


def learn(seed, x, test):
    torch.manual_seed(seed)
    P = []
    for rows, cols in SHAPES:
        P += [(math.sqrt(2/(rows + cols))*torch.randn(rows, cols)).requires_grad_(), torch.zeros(cols, requires_grad=True)]
    adam = torch.optim.Adam(P, lr=3e-3)
    for step in range(STEPS):
        at = step % (len(x)//100)
        if at == 0:
            order = torch.randperm(len(x))
        some = x[order[100*at:100*at + 100]]
        m, l, e, z, f = code(P, some)
        adam.zero_grad()
        (entropy(f, some, reduction='sum') + min(1, 0.1 + 2.7*step/STEPS)*divergence(m, l)).backward()
        adam.step()
    with torch.no_grad():
        bound = weighted = 0
        for _ in range(20):
            m, l, e, z, f = code(P, test)
            bound -= (entropy(f, test, reduction='sum') + divergence(m, l)).item()/len(test)/20
        for row in test:
            m, l, e, z, f = code(P, row.repeat(WEIGHTED, 1))
            w = -entropy(f, row.repeat(WEIGHTED, 1), reduction='none').sum(1) + (0.5*(e*e - z*z) + l).sum(1)
            weighted += (torch.logsumexp(w, 0) - math.log(WEIGHTED)).item()/len(test)
    return bound, weighted


print(subprocess.check_output(['build/examples/24_autoencoder']).decode().split('power 2')[0], end='')
x, test = digits()
for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 5):
    begin = time.process_time()
    bound, weighted = learn(seed, x, test)
    print(f'torch, seed {seed}: bound {bound:.2f}, importance-weighted {weighted:.2f}, {time.process_time() - begin:.1f} s', flush=True)
