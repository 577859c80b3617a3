#!/usr/bin/env python3
"""Writes tests/golden/rng_golden.h:   tools/golden_rng.py > tests/golden/rng_golden.h

SplitMix64 and xoshiro256++ from their definitions in integers; the jumps by the 256 x 256 transition matrix over GF(2), squared 128
and 192 times, not by the polynomials; normals from the definition of Box & Muller in 40 digits, on the words of the 8 lanes."""
import mpmath as mp

mp.mp.dps = 40
M = (1 << 64) - 1


def rotl(x, k):
    return (x << k | x >> (64 - k)) & M


def mix64(z):
    z = (z ^ z >> 30)*0xBF58476D1CE4E5B9 & M
    z = (z ^ z >> 27)*0x94D049BB133111EB & M
    return z ^ z >> 31


def splitmix(state, n):
    return [mix64(state + (i + 1)*0x9E3779B97F4A7C15 & M) for i in range(n)]


def step(s):
    """The next word, and the state after it."""
    s0, s1, s2, s3 = s
    word = (rotl((s0 + s3) & M, 23) + s0) & M
    t = s1 << 17 & M
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    return word, (s0, s1, s2, rotl(s3, 45))


def words(s, n):
    out = []
    for _ in range(n):
        w, s = step(s)
        out.append(w)
    return out


def pack(s):
    return s[0] | s[1] << 64 | s[2] << 128 | s[3] << 192


def unpack(v):
    return tuple(v >> 64*i & M for i in range(4))


def apply(columns, v):
    r = 0
    while v:
        low = v & -v
        r ^= columns[low.bit_length() - 1]
        v ^= low
    return r


def jumped(s, log2_steps):
    columns = [pack(step(unpack(1 << i))[1]) for i in range(256)]
    for _ in range(log2_steps):
        columns = [apply(columns, c) for c in columns]
    return unpack(apply(columns, pack(s)))


def stream(seed, number):
    return tuple(splitmix(mix64(seed ^ mix64(number)), 4))


def normals(s, steps):
    lanes = [tuple(mix64(w) for w in words(s, 32)[4*lane:4*lane + 4]) for lane in range(8)]
    out = []
    for _ in range(steps):
        x, y = [], []
        for lane in range(8):
            w, lanes[lane] = step(lanes[lane])
            radius = mp.sqrt(-2*mp.log(1 - mp.mpf(w >> 12)/2**52))
            w, lanes[lane] = step(lanes[lane])
            angle = mp.pi/2*(mp.mpf(w >> 10 & (1 << 52) - 1)/2**52 - mp.mpf(1)/2)
            c, d = mp.cos(angle)*(-1 if w >> 63 else 1), mp.sin(angle)
            if w >> 62 & 1:
                c, d = d, c
            x.append(radius*c)
            y.append(radius*d)
        out += x + y
    return out


def show(name, values):
    print("static const uint64_t golden_rng_%s[%d] = {" % (name, len(values)))
    for i in range(0, len(values), 4):
        print("    " + ", ".join("UINT64_C(0x%016x)" % v for v in values[i:i + 4]) + ("," if i + 4 < len(values) else ""))
    print("};")


def show_doubles(name, values):
    print("static const double golden_rng_%s[%d] = {" % (name, len(values)))
    for i in range(0, len(values), 4):
        print("    " + ", ".join("%.17g" % float(v) for v in values[i:i + 4]) + ("," if i + 4 < len(values) else ""))
    print("};")


ONE = (1, 2, 3, 4)
print("/* Written by tools/golden_rng.py from the definitions of the generators; the outputs for seed 0 and for the state\n"
      " * 1 2 3 4 are also those that the authors of SplitMix64 and xoshiro256++ publish. */")
show("splitmix_0", splitmix(0, 6))
show("seed_42", splitmix(42, 4))
show("words_1234", words(ONE, 8))
show("words_42", words(tuple(splitmix(42, 4)), 8))
show("jump_1234", jumped(ONE, 128))
show("jump_42", jumped(tuple(splitmix(42, 4)), 128))
show("stream_1_0", stream(1, 0))
show("stream_1_1", stream(1, 1))
show("stream_42_7", stream(42, 7))
print("/* The beginning of a fill with normals from stream 0 of seed 1. */")
show_doubles("normals_1_0", normals(stream(1, 0), 5))
