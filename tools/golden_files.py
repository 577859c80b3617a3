#!/usr/bin/env python3
"""Model files as the documentation of the format says (src/use/modelfile.h, src/posterior/record.h, and the heads of *_file.c),
written without the library: tests/golden/files_golden.h.

    python3 tools/golden_files.py > tests/golden/files_golden.h
"""
import struct

INFINITY = float("inf")


class Content:
    """Bytes, with a note for each piece and names for places."""

    def __init__(self):
        self.pieces, self.names, self.size = [], [], 0

    def put(self, data, note, name=None):
        if name:
            self.names.append((name, self.size))
        self.pieces.append((self.size, data, note))
        self.size += len(data)

    def text(self, s, note, name=None):
        self.put(struct.pack("<I", len(s)) + s.encode(), "str \"%s\": %s" % (s, note), name)

    def count(self, n, note, name=None):
        self.put(struct.pack("<Q", n), "%s %d" % (note, n), name)

    def number(self, x, note, name=None):
        self.put(struct.pack("<d", x), "%s %g" % (note, x), name)

    def bytes(self):
        return b"".join(d for _, d, _ in self.pieces)


def fnv(data):
    h = 0xcbf29ce484222325
    for b in data:
        h = ((h ^ b)*0x100000001b3) & 0xffffffffffffffff
    return h


def record(c, observe, likelihood, n_eta, dof, rows, sites, weights, kind, K, flags, counts, arrays):
    """One basis, bias; one latent; one group."""
    c.count(1, "J", "J")
    c.count(1, "bases", "BASES")
    c.text("bias", "the basis, which writes nothing more", "BASIS")
    c.text(observe, "observation", "OBSERVE")
    c.text(likelihood, "likelihood", "LIKELIHOOD")
    c.count(n_eta, "n_eta", "N_ETA")
    c.count(1, "n_y")
    c.count(1, "n_moments")
    c.number(dof, "degrees of freedom", "DOF")
    c.number(rows, "sum of the weights of the rows", "ROWS")
    c.count(sites, "sites", "SITES")
    c.count(1, "groups", "GROUPS")
    c.count(1 if weights else 0, "weights", "WEIGHTED")
    c.text(kind, "kind", "KIND")
    c.count(K, "components", "K")
    c.count(flags, "flags", "FLAGS")
    for i, n in enumerate(counts):
        c.count(n, "count of the kind", "COUNT%d" % i)
    for w in weights:
        c.number(w, "weight", "WEIGHT" if w is weights[0] else None)
    for name, values in arrays:
        for i, v in enumerate(values):
            note, tag = name, name.upper() if i == 0 else None
            (c.count if isinstance(v, int) else c.number)(v, note, tag)


def slm():
    c = Content()
    record(c, "noise", "", 1, 0.0, 4.0, 1, [], "gaussian", 1, 0, [0, 1, 1, 0],
           [("eta", [0.25]), ("m", [1.5]), ("s", [1.5]), ("R", [2.0])])
    c.count(1, "prior variances", "PRIORS")
    c.count(2, "Sigma: shared", "SIGMA")
    c.count(0, "ratios", "RELATIVE")
    c.number(-3.5, "log evidence", "EVIDENCE")
    c.number(2.25, "prior variance", "PRIOR_VAR")
    return c


def integrated():
    c = Content()
    record(c, "noise", "", 1, 5.0, 4.0, 0, [0.25, 0.75], "student", 2, 16, [0, 1],
           [("eta", [0.4, 0.5]), ("other", [0]), ("scale", [2.0, 4.0]), ("R", [1.5, 2.5]), ("t", [0.75, 1.25])])
    c.number(10.0, "scale of the prior", "SCALE_PRIOR")
    c.number(0.5, "a", "A")
    c.number(0.25, "b", "B")
    c.number(-3.5, "log evidence", "EVIDENCE")
    c.number(0.0, "ratio, integrated", "RATIO")
    c.number(1.0, "h", "H")
    return c


def integrated_flat():
    """nu = 3, U = 2, z = 3, one node; R and t empty."""
    c = Content()
    record(c, "noise", "", 1, 3.0, 4.0, 0, [1.0], "student", 1, 16, [1, 0],
           [("eta", [2.0]), ("flat", [0]), ("Uf", [2.0]), ("zf", [3.0])])
    for x, note in ((10.0, "scale of the prior"), (0.0, "a"), (0.0, "b"), (-3.5, "log evidence"), (INFINITY, "ratio, flat"), (1.0, "h")):
        c.number(x, note)
    return c


def glm(kind):
    c = Content()
    arrays = {"gaussian": [("m", [0.75]), ("s", [1.5]), ("R", [2.0])], "diagonal": [("m", [0.75, 0.25]), ("psi", [0.5, 1.5])],
              "point": [("w", [0.75])]}[kind]
    sites, counts, K = {"gaussian": (1, [0, 1, 1, 0], 1), "diagonal": (0, [], 2), "point": (0, [], 1)}[kind]
    record(c, "likelihood", "negative_binomial", 1, 0.0, 4.0, sites, [], kind, K, 0, counts, [("eta", [2.5])] + arrays)
    c.count(1, "prior variances", "PRIORS")
    c.text({"gaussian": "laplace", "diagonal": "mixture", "point": "map"}[kind], "method", "METHOD")
    c.number(-3.5, "objective", "OBJECTIVE")
    c.number(2.25, "prior variance", "PRIOR_VAR")
    return c


def section(f, tag, version, content):
    data = tag.encode() + struct.pack("<IQ", version, content.size) + content.bytes()
    f.put(tag.encode(), "\"%s\"" % tag, tag.strip().upper())
    f.put(struct.pack("<I", version), "version %d" % version)
    f.put(struct.pack("<Q", content.size), "length %d" % content.size)
    for at, d, note in content.pieces:
        f.put(d, note)
    f.put(struct.pack("<Q", fnv(data)), "FNV-1a")
    f.names.append((tag.strip().upper() + "_END", f.size))


def modelfile():
    f = Content()
    f.put(b"\x89BLN\r\n\x1a\n", "magic")
    f.put(struct.pack("<I", 1), "format version")
    f.put(struct.pack("<I", 3), "sections")
    section(f, "SLM ", 3, slm())
    scaler = Content()
    scaler.count(0, "d")
    scaler.number(10.0, "mean")
    scaler.number(4.0, "sd")
    scaler.put(b"\0", "not constant")
    section(f, "SCAL", 2, scaler)
    note = Content()
    note.put(b"hi", "hi")
    section(f, "note", 1, note)
    return f


def old():
    """A model file of section version 1, which is refused."""
    f = Content()
    f.put(b"\x89BLN\r\n\x1a\n", "magic")
    f.put(struct.pack("<I", 1), "format version")
    f.put(struct.pack("<I", 1), "sections")
    c = Content()
    c.text("bias", "basis")
    for n in (1, 1, 0, 0, 1):
        c.count(n, "sizes")
    for x in (0.25, -3.5, 4.0, 2.25, 1.5, 1.5, 2.0):
        c.number(x, "number")
    section(f, "SLM ", 1, c)
    return f


def emit(name, c):
    print("static const unsigned char golden_file_%s[] TEST_UNUSED = {" % name)
    for i, (at, d, note) in enumerate(c.pieces):
        for k in range(0, max(len(d), 1), 12):
            part = ", ".join("0x%02x" % b for b in d[k:k + 12])
            comma = "," if d[k:k + 12] and not (i + 1 == len(c.pieces) and k + 12 >= len(d)) else ""
            label = "    /* %3d  %s */" % (at, note) if k == 0 else ""
            if part:
                print("    %s%s%s" % (part, comma, label))
    print("};")
    places = ["GOLDEN_%s_SIZE = %d" % (name.upper(), c.size)] + ["GOLDEN_%s_%s = %d" % (name.upper(), n, at) for n, at in c.names]
    line = "enum { "
    for i, p in enumerate(places):
        piece = p + (", " if i + 1 < len(places) else " };")
        if len(line) + len(piece) > 128:
            print(line.rstrip())
            line = "       "
        line += piece
    print(line + "\n")


print("/* files_golden.h - model files, written by tools/golden_files.py from the documentation of the format */")
print("#ifndef BLN_TESTS_FILES_GOLDEN_H\n#define BLN_TESTS_FILES_GOLDEN_H\n")
for name, c in (("slm", slm()), ("integrated", integrated()), ("integrated_flat", integrated_flat()), ("laplace", glm("gaussian")),
                ("mixture", glm("diagonal")), ("point", glm("point")), ("model", modelfile()), ("old", old())):
    emit(name, c)
print("#endif /* BLN_TESTS_FILES_GOLDEN_H */")
