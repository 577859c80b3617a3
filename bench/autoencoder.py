"""autoencoder.py - a step of a variational auto-encoder here and in torch, one thread, in turns

    cc -O2 -I. bench/bench_autoencoder.c -o build/bench_autoencoder -lm && OMP_NUM_THREADS=1 python3 bench/autoencoder.py

The network of bench_autoencoder.c; milliseconds of processor time (least, median), and the ratio of the least ones, of five turns.
"""
import subprocess
import time

import torch

torch.set_num_threads(1)
HIDDEN, LATENT, BATCH = 200, 20, 100


def peer(pixels, dtype):
    def weights(a, b):
        return (0.05*torch.randn(a, b, dtype=dtype)).requires_grad_()

    def biases(a):
        return torch.zeros(a, dtype=dtype, requires_grad=True)

    P = [weights(pixels, HIDDEN), biases(HIDDEN), weights(HIDDEN, LATENT), biases(LATENT), weights(HIDDEN, LATENT),
         biases(LATENT), weights(LATENT, HIDDEN), biases(HIDDEN), weights(HIDDEN, pixels), biases(pixels)]
    adam = torch.optim.Adam(P, lr=1e-3)
    X = (torch.rand(BATCH, pixels) < 0.5).to(dtype)
    entropy = torch.nn.functional.binary_cross_entropy_with_logits

    def step():
        adam.zero_grad()
        a = torch.tanh(torch.addmm(P[1], X, P[0]))
        m, l = torch.addmm(P[3], a, P[2]), torch.addmm(P[5], a, P[4])
        sd = torch.exp(l)
        z = m + sd*torch.randn(BATCH, LATENT, dtype=dtype)
        f = torch.addmm(P[9], torch.tanh(torch.addmm(P[7], z, P[6])), P[8])
        (entropy(f, X, reduction='sum') + (0.5*(m*m + sd*sd - 1) - l).sum()).backward()
        adam.step()

    times = []
    for k in range(-4, 60):
        begin = time.process_time()
        for _ in range(5):
            step()
        if k >= 0:
            times.append((time.process_time() - begin)*200)
    times.sort()
    return times[0], times[len(times)//2]


for pixels in 256, 64:
    for dtype in torch.float64, torch.float32:
        ours, theirs = [], []
        for _ in range(5):
            ours.append([float(x) for x in subprocess.check_output(['build/bench_autoencoder', str(pixels)]).split()])
            theirs.append(peer(pixels, dtype))
        a, b = min(x[0] for x in ours), min(x[0] for x in theirs)
        print(f'{pixels} pixels: {a:.2f} {min(x[1] for x in ours):.2f}   {torch.__version__} {dtype}: {b:.2f} '
              f'{min(x[1] for x in theirs):.2f}   ratio {a/b:.2f}')
