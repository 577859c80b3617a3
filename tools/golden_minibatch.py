#!/usr/bin/env python3
"""Writes tests/golden/minibatch_golden.h:   tools/golden_minibatch.py > tests/golden/minibatch_golden.h

Permutations by swap or not, in Python's integers: 32 rounds; a round's sum s is uniform in 0..n-1 (Lemire 2019) and its key a word of
stream `epoch` of the salted seed; x goes to (s - x) mod n if the top bit of mix64(max(x, (s - x) mod n) + key) is set."""
M = (1 << 64) - 1
SALT = 0x6D696E6962617463
ROUNDS = 32


def mix64(z):
    z = (z ^ z >> 30)*0xBF58476D1CE4E5B9 & M
    z = (z ^ z >> 27)*0x94D049BB133111EB & M
    return z ^ z >> 31


def rotl(x, k):
    return (x << k | x >> (64 - k)) & M


class Xoshiro:
    def __init__(self, seed, stream):
        state = mix64(seed ^ mix64(stream))
        self.s = [mix64(state + (i + 1)*0x9E3779B97F4A7C15 & M) for i in range(4)]

    def next(self):
        s = self.s
        word, t = (rotl((s[0] + s[3]) & M, 23) + s[0]) & M, s[1] << 17 & M
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 45)
        return word

    def below(self, n):
        while True:
            m = self.next()*n
            if (m & M) >= n or (m & M) >= (1 << 64) % n:
                return m >> 64


def places(n, seed, epoch, which):
    g = Xoshiro(seed ^ SALT, epoch)
    rounds = []
    for _ in range(ROUNDS):
        s = g.below(n)
        rounds.append((s, g.next()))
    out = []
    for x in which:
        for s, key in rounds:
            partner = (s - x) % n
            if mix64((max(x, partner) + key) & M) >> 63:
                x = partner
        out.append(x)
    return out


CASES = [(10, 0, 0, range(10)), (10, 0, 1, range(10)), (10, 7, 0, range(10)), (1000003, 12345, 17, range(500000, 500010)),
         ((1 << 31) - 5, 1, 1 << 30, range(10))]
print("/* Written by tools/golden_minibatch.py: n, seed, epoch, first place, and the rows at ten places from there. */\n"
      "static const uint64_t golden_minibatch[%d][14] = {" % len(CASES))
for n, seed, epoch, which in CASES:
    print("    { " + ", ".join("%d" % v for v in [n, seed, epoch, which[0]]) + ",")
    print("      " + ", ".join("%d" % v for v in places(n, seed, epoch, which)) + " },")
print("};")
