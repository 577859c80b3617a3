#!/usr/bin/env python3
"""mutants.py - would the tests notice? One small mistake after the other is put into src/, and the tests of its room are run.

    python3 tools/mutants.py --count 300 --seed 1            over all rooms, a room as often as its share of lines
    python3 tools/mutants.py --room math/blas --count 20
    python3 tools/mutants.py --again math/blas.c:120:3       one of them again (as a survivor is named), with its difference
    python3 tools/mutants.py --cc tcc                        by another compiler, which may take less time to compile, or with
                                                             flags ("gcc -fsanitize=address"), which see what is read too far

From the top of the project, with gcc or clang for the comparison of object code. A mutant is built as its room's test is
(make test ROOM=...), and killed if that test fails, which ends at the first failed check, or needs four times the processor time of
the original. If it survives there, the other tests are run that name its file (glm/rows) in their first lines, or one of its
functions, nearest first. A mutant whose object code is that of the original is none. What survives all is printed as a difference:
either no input can tell it apart (say why), or a test is missing, or a test of another room finds it (--also).

The last line counts: mutants, killed, survived, the same code, and those that do not compile.
"""
import argparse, os, random, re, resource, shutil, subprocess, sys, tempfile, time

CFLAGS = "-std=c99 -O1 -w".split()

# What stands for what: a pattern of code, and what it becomes. Each place where one fits is a mutant.
SWAPS = [(r"(?<![<>=!\-+*/&|])<=(?!=)", "<"), (r"(?<![<>\-=])<(?![<=])(?=\s)", "<="), (r"(?<![<>=!])>=(?!=)", ">"),
         (r"(?<![<>\-=])>(?![>=])(?=\s)", ">="), (r"==", "!="), (r"!=", "=="), (r"&&", "||"), (r"\|\|", "&&"),
         (r"(?<=\s)\+(?=\s)", "-"), (r"(?<=\s)-(?=\s)", "+"), (r"\+=", "-="), (r"-=", "+="), (r"\*=", "/="),
         (r"(?<=[\w\])])\*(?=[\w(])", "/"), (r"(?<=[\w\])])/(?=[\w(])", "*"),
         (r"\b0\.5\b", "0.6"), (r"\b1\.0\b", "1.1"), (r"\b2\.0\b", "2.1"), (r"(?<![\w.])0(?![\w.])", "1"),
         (r"(?<![\w.])1(?![\w.])", "2"),
         (r"\bif \((?!!)", "if (!"), (r"\bsqrt\(", "fabs("), (r"\bbreak;", ";"), (r"\bcontinue;", ";")]
CALL = re.compile(r"^(\s+)((?:blni|bln)_\w+\([^;{}]*\);)\s*$")


def code_lines(text):
    """(number, line, where its code ends) outside of comments, strings, the preprocessor and declarations of file scope."""
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        bare, i = list(line), 0
        while i < len(line):
            if inside:
                end = line.find("*/", i)
                stop = len(line) if end < 0 else end + 2
                bare[i:stop] = " " * (stop - i)
                inside, i = end < 0, stop
            elif line.startswith("/*", i):
                inside = True
            elif line[i] == '"':
                end = i + 1
                while end < len(line) and line[end] != '"':
                    end += 2 if line[end] == "\\" else 1
                bare[i:end + 1] = "_" * (min(end, len(line) - 1) + 1 - i)
                i = end + 1
            else:
                i += 1
        if line.startswith((" ", "\t")) and not line.rstrip().endswith("\\"):
            yield number, line, "".join(bare)


def mutants_of(path):
    """[(line number, which on this line, line before, line after)]"""
    found = []
    text = open(path).read()
    for number, line, bare in code_lines(text):
        if "static const" in bare or bare.lstrip().startswith(("#", "typedef", "const double", "enum")):
            continue
        here = []
        for pattern, new in SWAPS:
            for m in re.finditer(pattern, bare):
                here.append(line[:m.start()] + new + line[m.end():])
        for m in re.finditer(r"if \(", bare):                       # if (!(...)): close where the parenthesis closes
            depth = 0
            for at in range(m.end() - 1, len(bare)):
                depth += (bare[at] == "(") - (bare[at] == ")")
                if depth == 0:
                    here.append(line[:m.end() - 1] + "(!" + line[m.end() - 1:at + 1] + ")" + line[at + 1:])
                    break
        call = CALL.match(bare)
        if call:
            here.append(call.group(1) + ";")
        here = [h for h in here if not re.search(r"\bif \(!(?!\()", h) or re.search(r"\bif \(!(?!\()", line)]
        found += [(number, k, line, h) for k, h in enumerate(here)]
    return found


def run(command, cwd, seconds, most=4 << 30, out=subprocess.DEVNULL):
    """Its exit code, within so many seconds of processor time and bytes of memory; 4 GB are enough for every test."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        if most:
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        return subprocess.run(command, cwd=cwd, stdout=out, stderr=subprocess.DEVNULL, preexec_fn=limits,
                              timeout=20*seconds + 60).returncode
    except subprocess.TimeoutExpired:
        return 124


class Bench:
    """A copy of the project in which one place at a time is wrong."""

    def __init__(self, compiler, longest, also):
        self.cc, self.longest, self.also, self.dir = compiler, longest, also, tempfile.mkdtemp(prefix="mutants")
        self.most = 0 if "sanitize" in compiler else 4 << 30       # a sanitizer maps terabytes and uses few
        self.optimizer = next((c for c in ("gcc", "clang") if shutil.which(c)), compiler)
        for name in ("src", "tests", "tools", "bindings", "Makefile"):
            (shutil.copytree if os.path.isdir(name) else shutil.copy)(name, os.path.join(self.dir, name))
        os.makedirs(os.path.join(self.dir, "build/include"))
        os.makedirs(os.path.join(self.dir, "build/mutant"))
        made = ["build/include/bayeslin.h", "build/null_calls.h", "build/fault_calls.h"]
        if subprocess.run(["make", "-s", *made], cwd=self.dir).returncode:
            sys.exit("mutants: the header cannot be joined")
        self.joined = "\n" + open(os.path.join(self.dir, made[0])).read()
        self.tests = {}
        for floor in sorted(os.listdir("tests")):
            for name in os.listdir(os.path.join("tests", floor)) if os.path.isdir(os.path.join("tests", floor)) else []:
                if name.startswith("test_") and name.endswith(".c"):
                    self.tests[floor + "/" + name[5:-2]] = open(os.path.join("tests", floor, name)).read()
        self.seconds, self.objects = {}, {}

    def header(self, before, first, end, after):
        """Puts the lines `after` in the place of lines first..end-1, counted from 0, into the joined header: the lines around them
        show where they stand there. False: nowhere."""
        for k in range(len(before)):
            top, bottom = before[max(0, first - k):first], before[end:end + k]
            block = "\n" + "\n".join(top + before[first:end] + bottom) + "\n"
            if self.joined.count(block) == 1:
                with open(os.path.join(self.dir, "build/mutant/bayeslin.h"), "w") as f:
                    f.write(self.joined.replace(block, "\n" + "\n".join(top + after + bottom) + "\n")[1:])
                return True
        return False

    def build(self, test, include, out, *flags):
        floor, room = test.split("/")
        return self.run([*self.cc.split(), *CFLAGS, "-DTEST_ALONE", "-DTEST_STOP", *flags, "-Ibuild", "-I" + include,
                         f"tests/{floor}/test_{room}.c", "-o", out, "-lm"], 300)

    def run(self, command, seconds, out=subprocess.DEVNULL):
        return run(command, self.dir, seconds, self.most, out)

    def object_code(self, path, text):
        """What an optimising compiler makes of the file alone."""
        target = os.path.join(self.dir, "src", path)
        with open(target, "w") as f:
            f.write(text)
        alone = [self.optimizer, *CFLAGS, "-fPIC", "-DBLNI_SEPARATE", "-c", "src/" + path, "-o", "build/alone.o"]
        failed = self.run(alone, 100)
        shutil.copy("src/" + path, target)
        return None if failed else open(os.path.join(self.dir, "build/alone.o"), "rb").read()

    def is_same(self, path, before, mutated):
        if path not in self.objects:
            self.objects[path] = self.object_code(path, before)
        return self.objects[path] is not None and self.object_code(path, mutated) == self.objects[path]

    def original(self, test):
        """Builds and times the test as it is, once. None: there is no such test, or it fails."""
        if test not in self.seconds:
            self.seconds[test] = None
            if test in self.tests and not self.build(test, "build/include", "build/original"):
                began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                if self.run(["./build/original"], self.longest) == 0:
                    self.seconds[test] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began
            if self.seconds[test] is None:
                print(f"    {test} fails without any mutant or takes too long, and is left out", flush=True)
        return self.seconds[test]

    def tests_of(self, path):
        """The tests of this file: its room's first, those whose first comment names it, then those that name one of its functions,
        the most frequent first."""
        floor, name = path.split("/")
        stem = name[:-2]
        own = [t for t in self.tests
               if t.split("/")[0] == floor and (stem == t.split("/")[1] or stem.startswith(t.split("/")[1] + "_"))]
        own.sort(key=lambda t: -len(t))
        functions = set(re.findall(r"^(?:BLN_API|BLNI_PRIV)[^;(]*?\b(blni?_\w+)\(", open("src/" + path).read(), re.M))
        counts = {t: sum(text.count(f + "(") for f in functions) for t, text in self.tests.items() if t not in own}
        said = [t for t, text in self.tests.items() if t not in own and path[:-2] in text[:1000]]
        others = sorted((t for t in counts if counts[t] and not t.startswith("tools/")), key=lambda t: -counts[t])
        near = [t for t in self.tests if t.split("/")[0] == floor and t not in own and t not in others and stem.split("_")[0] in t]
        return own[:2] + said + [t for t in others if t not in said][:3] + near[:1]

    def judge(self, path, mutant):
        """'killed by TEST', 'same', 'broken' or 'SURVIVED'"""
        number, _, _, after = mutant
        before = open("src/" + path).read()
        lines = before.split("\n")
        if not self.header(lines, number - 1, number, [after]):
            sys.exit("mutants: not in the joined header: " + lines[number - 1])
        compared = False
        for t in self.also + self.tests_of(path):
            seconds = self.original(t)
            if seconds is None:
                continue
            if self.build(t, "build/mutant", "build/mutated"):
                return "broken"
            if self.run(["./build/mutated"], 4*seconds + 2):
                return "killed by " + t
            if not compared and self.is_same(path, before, "\n".join(lines[:number - 1] + [after] + lines[number:])):
                return "same"
            compared = True
        return "SURVIVED"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=300)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--room", default="", help="only files of src/ whose names begin so")
    p.add_argument("--again", default="", help="FILE:LINE:NUMBER")
    p.add_argument("--also", nargs="+", default=[], help="tests (glm/sgvi) that are run before all others")
    p.add_argument("--skip", type=int, default=0, help="so many of them, to go on where a run ended")
    p.add_argument("--longest", type=int, default=600, help="tests that take longer are left out (seconds of processor time)")
    p.add_argument("--cc", default=os.environ.get("CC", "cc"))
    a = p.parse_args()
    paths = sorted(f"{floor}/{name}" for floor in os.listdir("src") if os.path.isdir("src/" + floor)
                   for name in os.listdir("src/" + floor) if name.endswith(".c") and f"{floor}/{name}".startswith(a.room))
    every = [(path, m) for path in paths for m in mutants_of("src/" + path)]
    if a.again:
        path, number, which = a.again.split(":")
        chosen = [(path, m) for m in mutants_of("src/" + path) if (m[0], m[1]) == (int(number), int(which))]
    else:
        chosen = random.Random(a.seed).sample(every, min(a.count, len(every)))
    print(f"{len(every)} places, {len(chosen)} tried", flush=True)
    bench, tally, began = Bench(a.cc, a.longest, a.also), {}, time.time()
    try:
        for done, (path, m) in enumerate(chosen[a.skip:], a.skip + 1):
            verdict = bench.judge(path, m)
            kind = verdict.split()[0]
            tally[kind] = tally.get(kind, 0) + 1
            print(f"{done}/{len(chosen)} {path}:{m[0]}:{m[1]} {verdict}", flush=True)
            if kind == "SURVIVED" or a.again:
                print(f"    - {m[2].strip()}\n    + {m[3].strip()}", flush=True)
    finally:
        shutil.rmtree(bench.dir)
    judged = tally.get("killed", 0) + tally.get("SURVIVED", 0)
    print(f"{judged} mutants, {tally.get('killed', 0)} killed, {tally.get('SURVIVED', 0)} survived; "
          f"{tally.get('same', 0)} the same code, {tally.get('broken', 0)} do not compile; {time.time() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
