#!/usr/bin/env python3
"""coverage.py - which branches of the library and of the tool no test takes

    python3 tools/coverage.py                  from the top of the project: builds, runs, reports; ends with
                                               `N passed, N failed`, one test for each floor
    python3 tools/coverage.py library          without the tool
    python3 tools/coverage.py --all            with the long statistical tests, and every allocation of every life failing
    python3 tools/coverage.py --list glm/rows  also the branches not taken in files whose names begin so (`''`: all)
    python3 tools/coverage.py --report         of the runs that were made before, without new ones
    python3 tools/coverage.py --write          puts what was measured into tools/coverage.limits
    python3 tools/coverage.py --filter glm_rows            runs only tests whose names contain this, and checks no limit
    python3 tools/coverage.py --without glm_full.tolerance,cell.every_day   without these tests of rooms
    python3 tools/coverage.py library --sanitize           with clang's sanitizers of addresses and undefined behaviour in the
                                                           same run, which CI has in place of a compilation for each

Needs clang from version 14 with its llvm-profdata and llvm-cov (Debian: clang, llvm, libclang-rt-14-dev).

A branch is one way of one condition of the source: each operand of && and ||, each condition of if, ?: and a loop, each case of a
switch, true and false. clang counts them before it optimises. The tests see the files of src/ themselves, as the parts of one
translation unit, so that places are those of src/. A condition of a macro counts at each use of the macro: BLNI_TRY is one wherever
it stands. A condition that no machine can compute, as the 0 of `do ... while (0)`, is none, and so is what stands inside of
BLNI_NEVER and BLNI_ALWAYS (core/config_private.h), or CLI_NEVER and CLI_ALWAYS (tools/cli/why.h): a proof excludes it, and the
tests end where a proof fails. The library is measured by the tests of its rooms, the tool by its own and its scripts, with memory
and files that fail.

The figure of a floor may not fall 0.2 below its line in tools/coverage.limits. It is that of levels 0 and 1 of >>cpu, so that it is
the same on all x86-64 machines with AVX2: the kernels of level 2 are the same macros."""
import argparse
import bisect
import collections
import glob
import json
import os
import re
import subprocess
import sys
import time

HERE = os.getcwd()
DIR = "build/coverage"
LIMITS = "tools/coverage.limits"
SLACK = 0.2          # percent: a few branches depend on the rounding of the C library, which has other code for other processors
INSTRUMENT = ["-fprofile-instr-generate", "-fcoverage-mapping"]
# A NULL that is read through and an object that is too small are seen by the sanitizer of addresses already.
SANITIZE = ["-g1", "-fsanitize=address,undefined", "-fno-sanitize=null,object-size", "-fno-sanitize-recover=all",
            "-fno-omit-frame-pointer"]
CFLAGS = ["-std=c99", "-O1", "-w", "-DBLNI_PROOFS", "-DBAYESLIN_MAX_LEVEL=1", *INSTRUMENT, "-mllvm", "-runtime-counter-relocation",
          "-Ibuild", f"-I{DIR}/include"]
SCRIPTS = "cli glm auto stream classes diagnose groups pictures formula saving json compare reading answers tables".split()


def run(command, **more):
    """Ends the program if the command fails."""
    if subprocess.run(command, **more).returncode:
        sys.exit("coverage: failed: " + " ".join(command))


def floor_of(path):
    """src/glm/rows.c -> glm; tools/cli/csv.c -> tool; None for tests and the compiler's headers."""
    part = os.path.relpath(path, HERE).split("/")
    if part[0] == "src":
        return part[1]
    return "tool" if part[0] == "tools" else None


# ---- building and running ----

def build(all_, tool, sanitize):
    """The header as the files of src/ in their order, then the tests and the tool with it."""
    os.makedirs(DIR + "/include", exist_ok=True)
    os.makedirs(DIR + "/raw", exist_ok=True)
    text = open("tools/amalgamate.c").read()
    parts = re.findall(r'"(\w+/\w+)"', text[text.index("parts[] = {"):text.index("};", text.index("parts[] = {"))])
    lines = ["#define BLNI_SEPARATE"]
    lines += [f'#include "{HERE}/src/{p}.h"' for p in parts if os.path.exists(f"src/{p}.h")]
    lines += ["#if defined(BAYESLIN_IMPLEMENTATION) && !defined(BAYESLIN_IMPLEMENTED)", "#define BAYESLIN_IMPLEMENTED"]
    lines += [f'#include "{HERE}/src/{p}.c"' for p in parts if os.path.exists(f"src/{p}.c")]
    open(DIR + "/include/bayeslin.h", "w").write("\n".join(lines + ["#endif\n"]))
    run(["make", "-s", "build/suites.h", "build/null_calls.h", "build/fault_calls.h", "build/json_check", "build/compare_numbers"])
    run(["clang", *CFLAGS, *(["-DTEST_LONG"] if all_ else []), *(SANITIZE if sanitize else []), "tests/main.c",
         "-o", DIR + "/tests", "-lm"])
    objects = []
    if not tool:
        return
    for source in ["tools/bayeslin.c", *sorted(glob.glob("tools/cli/*.c"))]:
        objects.append(f"{DIR}/{os.path.basename(source)[:-2]}.o")
        run(["clang", *CFLAGS, "-c", source, "-o", objects[-1]])
    run(["clang", "-O1", "-c", "tests/tools/faults.c", "-o", DIR + "/faults_c.o"])
    run(["clang", INSTRUMENT[0], *objects, "-o", DIR + "/bayeslin", "-lm"])
    run(["clang", INSTRUMENT[0], "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc", DIR + "/faults_c.o", *objects,
         "-o", DIR + "/bayeslin_faults", "-lm"])
    wrapped = re.search(r"^WRAPPED *=((.*\\\n)*.*)", open("Makefile").read(), re.M).group(1).replace("\\", "").split()
    run(["clang", *CFLAGS, "-Dmain=tool_main", "-c", "tools/bayeslin.c", "-o", DIR + "/inside_main.o"])
    run(["clang", "-O1", "-c", "tests/tools/inside.c", "-o", DIR + "/inside_c.o"])
    run(["clang", INSTRUMENT[0], *["-Wl,--wrap=" + w for w in wrapped], DIR + "/inside_c.o", DIR + "/inside_main.o", *objects[1:],
         "-o", DIR + "/inside", "-lm"])


def measure(all_, tool, filter_, without):
    """Runs the parts. Counters live in files that the processes share (%c) and add to (%m): they outlive a crash, and a limit on
    the size of files."""
    parts = [("rooms", [DIR + "/tests", "--filter", filter_, "--without", without])]
    if tool:
        parts += [("tool " + s, ["sh", f"tests/tools/test_{s}.sh", DIR + "/bayeslin"]) for s in SCRIPTS]
        parts += [("tool faults", ["sh", "tests/tools/test_faults.sh", DIR + "/bayeslin_faults"])]
        parts += [("inside", ["sh", "tests/tools/test_inside.sh", DIR + "/inside"])]
    for f in glob.glob(DIR + "/raw/*"):
        os.remove(f)
    good = True
    for name, command in parts:
        began = time.time()
        env = dict(os.environ, LLVM_PROFILE_FILE=f"{HERE}/{DIR}/raw/{name.split()[0]}-%m%c.profraw")
        if all_:
            env["FAULTS"] = "all"
        said = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace")
        print(f"{name:14} {said.stdout.strip().split(chr(10))[-1]}, {time.time() - began:.0f} s", flush=True)
        if said.returncode:
            good = False
            print("\n".join("    " + line for line in said.stdout.split("\n")[-300:]))
    return good


# ---- reading what was counted ----

def export(program, name):
    raw = glob.glob(f"{DIR}/raw/{name}-*.profraw")
    run(["llvm-profdata", "merge", "-sparse", *raw, "-o", f"{DIR}/{name}.profdata"])
    text = subprocess.run(["llvm-cov", "export", f"-instr-profile={DIR}/{name}.profdata", program], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True).stdout
    return json.loads(text)["data"][0]


def lines_of(segments):
    """{line: count} of a file's segments [line, column, count, has count, is an entry, is a gap], as llvm-cov shows it."""
    counts, by_line = {}, collections.defaultdict(list)
    for s in segments:
        by_line[s[0]].append(s)
    before = None
    for line in range(1, segments[-1][0] + 1) if segments else []:
        here = by_line.get(line, [])
        entries = [s for s in here if s[3] and s[4] and not s[5]]
        skipped = here and not here[0][3] and here[0][4]
        if not skipped and ((before and before[3]) or entries):
            counts[line] = max([s[2] for s in entries] + ([before[2]] if before and before[3] else []))
        if here:
            before = here[-1]
    return counts


class Source:
    """The text of a file, and where a proof excludes what stands there."""

    def __init__(self, path):
        self.lines = open(path, errors="replace").read().split("\n")
        self.proofs = []                                    # ((line, column) of the beginning, of the end)
        for number, line in enumerate(self.lines, 1):
            for m in re.finditer(r"\b(?:BLNI|CLI)_(?:NEVER|ALWAYS)\(", line):
                at, depth, row = m.end() - 1, 0, number
                while True:
                    depth += {"(": 1, ")": -1}.get(self.lines[row - 1][at:at + 1], 0)
                    if not depth:
                        break
                    at += 1
                    while at >= len(self.lines[row - 1]):
                        at, row = 0, row + 1
                self.proofs.append(((number, m.start() + 1), (row, at + 2)))
        self.proofs.sort()

    def text(self, l1, c1, l2, c2):
        if l1 == l2:
            return self.lines[l1 - 1][c1 - 1:c2 - 1]
        return " ".join([self.lines[l1 - 1][c1 - 1:], *(x.strip() for x in self.lines[l1:l2 - 1]), self.lines[l2 - 1][:c2 - 1].strip()])

    def proven(self, place):
        k = bisect.bisect_right(self.proofs, (place, (1 << 30, 0))) - 1
        return k >= 0 and self.proofs[k][0] <= place < self.proofs[k][1]


class Counts:
    def __init__(self):
        self.branches = collections.defaultdict(lambda: [0, 0])       # {(site, place): [times true, times false]}
        self.lines = collections.defaultdict(int)
        self.sources = {}

    def source(self, path):
        if path not in self.sources:
            self.sources[path] = Source(path)
        return self.sources[path]

    def add(self, data, floors):
        """Adds what was counted in files of these floors."""
        for f in data["files"]:
            if floors(floor_of(f["filename"])):
                for line, count in lines_of(f["segments"]).items():
                    self.lines[f["filename"], line] += count
        for f in data["functions"]:
            outer = {r[6]: r for r in f["regions"] if r[7] == 1}           # expansion -> where the macro is used
            for b in f["branches"]:
                files, site = f["filenames"], (b[6], b[0], b[1])
                while site[0] in outer:
                    r = outer[site[0]]
                    site = (r[5], r[0], r[1])
                if not floors(floor_of(files[site[0]])):
                    continue
                key = (files[site[0]], site[1], site[2]), (files[b[6]], *b[:4])
                self.branches[key][0] += b[4]
                self.branches[key][1] += b[5]

    def counted(self):
        """(site, place, text, true, false) of every condition that counts, in order."""
        for (site, place), (true, false) in sorted(self.branches.items()):
            text = self.source(place[0]).text(*place[1:])
            if not true and not false and re.fullmatch(r"[01]", text):
                continue
            if self.source(site[0]).proven(site[1:]) or self.source(place[0]).proven(place[1:3]):
                continue
            yield site, place, text, true, false


# ---- the report ----

def report(counts, limits, wanted):
    total = collections.defaultdict(lambda: [0, 0, 0, 0])               # lines, of them run, branches, of them taken
    for (path, line), count in counts.lines.items():
        t = total[floor_of(path)]
        t[0] += 1
        t[1] += count > 0
    missing = collections.defaultdict(list)
    for site, place, text, true, false in counts.counted():
        t = total[floor_of(site[0])]
        t[2] += 2
        t[3] += (true > 0) + (false > 0)
        if not true or not false:
            way = "neither way" if not true and not false else "never true" if not true else "never false"
            missing[os.path.relpath(site[0], HERE)].append((site, place, text, way))
    if wanted is not None:
        for path, list_ in sorted(missing.items()):
            if not re.sub(r"^(src|tools)/", "", path).startswith(wanted):
                continue
            for site, place, text, way in list_:
                used = "" if site == place[:3] else " in " + " ".join(counts.sources[site[0]].lines[site[1] - 1].split())[:90]
                print(f"{path}:{site[1]}:{site[2]} {way}: {' '.join(text.split())[:100]}{used}")
    order = [f for f in "core math random optim basis likelihood posterior sampling linear glm program use tool".split() if f in total]
    passed = failed = 0
    print(f"{'':12} {'lines':>7} {'%':>7} {'branches':>9} {'not taken':>10} {'%':>7} {'limit':>7}")
    for floor in order + ["library"]:
        t = total[floor] if floor != "library" else [sum(total[f][k] for f in order if f != "tool") for k in range(4)]
        share = 100.0*t[3]/max(t[2], 1)
        limit = limits.get(floor)
        print(f"{floor:12} {t[0]:7} {100.0*t[1]/max(t[0], 1):7.2f} {t[2]:9} {t[2] - t[3]:10} {share:7.2f} "
              f"{'-' if limit is None else format(limit, '.1f'):>7}")
        if limit is not None:
            if share < limit - SLACK:
                failed += 1
                print(f"FAIL {floor}: {share:.2f} % of its branches are taken, and the limit is {limit:.1f}")
            else:
                passed += 1
        total[floor] = t
    return {f: int(1000*total[f][3]/max(total[f][2], 1))/10.0 for f in order}, passed, failed


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("part", nargs="?", choices=["library"])
    p.add_argument("--all", action="store_true")
    p.add_argument("--list", metavar="PREFIX")
    p.add_argument("--report", action="store_true")
    p.add_argument("--write", action="store_true")
    p.add_argument("--filter", default="")
    p.add_argument("--without", default="")
    p.add_argument("--sanitize", action="store_true")
    a = p.parse_args()
    good, tool = True, not a.part and not a.filter
    if not a.report:
        build(a.all, tool, a.sanitize)
        good = measure(a.all, tool, a.filter, a.without)
    counts = Counts()
    counts.add(export(DIR + "/tests", "rooms"), lambda floor: floor and (tool or floor != "tool"))
    if tool:
        for program, name in ("bayeslin", "tool"), ("inside", "inside"):
            counts.add(export(f"{DIR}/{program}", name), lambda floor: floor == "tool")
    limits = {}
    if os.path.exists(LIMITS):
        limits = {w[0]: float(w[1]) for w in (line.split() for line in open(LIMITS)) if w and w[0] != "#"}
    shares, passed, failed = report(counts, {} if a.filter else limits, a.list)
    if a.write:
        text = open(LIMITS).read() if os.path.exists(LIMITS) else ""
        head = "".join(line + "\n" for line in text.split("\n") if line.startswith("#"))
        open(LIMITS, "w").write(head + "".join(f"{f:12} {s:6.1f}\n" for f, s in shares.items()))
    if not good:
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
