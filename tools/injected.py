#!/usr/bin/env python3
"""injected.py - would the tests notice a sampler that is wrong? Bugs put in by hand, one after the other.    [samplers 47]

    python3 tools/injected.py                       all of tests/injected.txt, whose head says how a bug is written down
    python3 tools/injected.py gibbs slice           those that have one of these in their name, file or test
    python3 tools/injected.py --all gibbs           by all tests of the room, not only those that the table names
    python3 tools/injected.py --cc "gcc -O1"        by another compiler than tcc, or than gcc where there is no tcc

From the top of the project. A bug goes into a copy of it, never into the project itself, and the test that the table names is built
there as `make test ROOM=...` builds it, and run. It must pass without the bug, and with it end at a check that fails. All else is a
failure: a bug that survives, text that is no longer found exactly once, a test that crashes, takes eight times as long and ten
seconds, or does not compile. The last line counts the bugs that were found and those that were not.
"""
import argparse, os, resource, shutil, subprocess, sys, time
import mutants

TABLE = "tests/injected.txt"


class Bug:
    def __init__(self, name, line):
        self.name, self.line, self.path, self.old, self.new, self.test, self.filters, self.flags = name, line, "", [], [], "", [""], []

    def text(self, lines):
        return "\n".join(lines).strip() if len(lines) == 1 else "\n".join(lines)

    def put(self, top):
        """(lines of the file, first and end of those that change, what they become), or why not."""
        path = os.path.join(top, "src", self.path)
        if not os.path.exists(path):
            return f"there is no src/{self.path}"
        before = open(path).read()
        old, new = self.text(self.old), self.text(self.new)
        if before.count(old) != 1:
            return f"its text is found {before.count(old)} times in src/{self.path}"
        at = before.index(old)
        first, end = before.count("\n", 0, at), before.count("\n", 0, at + len(old)) + 1
        after = before.replace(old, new).split("\n")
        lines = before.split("\n")
        return lines, first, end, after[first:end + len(after) - len(lines)]


def bugs_of(table):
    found = []
    for number, line in enumerate(open(table).read().split("\n"), 1):
        word, _, rest = line.partition(" ")
        if not line or word == "#":
            continue
        if word == "bug":
            found.append(Bug(rest.strip(), number))
        elif not found:
            sys.exit(f"{table}:{number}: before the first bug")
        elif word == "in":
            found[-1].path = rest.strip() + ".c"
        elif word in ("-", "+"):
            (found[-1].old if word == "-" else found[-1].new).append(rest)
        elif word == "test":
            found[-1].test, *names = rest.split()
            found[-1].flags = ["-DTEST_LONG"] if "long" in names else []
            found[-1].filters = [n for n in names if n != "long"] or [""]
        else:
            sys.exit(f"{table}:{number}: neither bug, in, -, + nor test")
    names = [b.name for b in found]
    for b in found:
        if not (b.path and b.old and b.new and b.test) or names.count(b.name) > 1:
            sys.exit(f"{table}:{b.line}: {b.name}: incomplete, or there twice")
    return found


def seconds_of(work):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Judge:
    def __init__(self, compiler):
        self.bench = mutants.Bench(compiler, 600, [])
        self.built, self.known = None, {}

    def tests(self, program, filter):
        out = subprocess.run([program, "--list", "--filter", filter], cwd=self.bench.dir, capture_output=True, text=True).stdout
        return out.split()

    def original(self, bug, filter):
        """Seconds of the test without the bug; None: it fails there, or there is none."""
        key = (bug.test, *bug.flags)
        if (key, filter) not in self.known:
            if self.built != key:
                self.built = key if self.bench.build(bug.test, "build/include", "build/original", *bug.flags) == 0 else None
            seconds = None
            if self.built and self.tests("build/original", filter):
                status, took = seconds_of(lambda: self.bench.run(["build/original", "--filter", filter], 600))
                seconds = took if status == 0 else None
            self.known[key, filter] = seconds
        return self.known[key, filter]

    def verdict(self, bug, filters):
        """(was it found, the test that failed or why not)"""
        change = bug.put(self.bench.dir)
        if isinstance(change, str):
            return False, change
        limits = [self.original(bug, f) for f in filters]
        if None in limits:
            return False, "fails without the bug, or is not there: " + (filters[limits.index(None)] or "this room")
        if not self.bench.header(*change):
            return False, "its text is not in the joined header"
        if self.bench.build(bug.test, "build/mutant", "build/mutated", *bug.flags):
            return False, "does not compile"
        for filter, seconds in zip(filters, limits):
            with open(os.path.join(self.bench.dir, "build/said.txt"), "w+") as said:
                status = self.bench.run(["build/mutated", "--verbose", "--filter", filter], 8*seconds + 10, said)
                said.seek(0)
                passed = sum(line.startswith("ok ") for line in said)
            if status == 0:
                continue
            names = self.tests("build/mutated", filter)
            name = names[passed] if passed < len(names) else filter
            return status == 1, name if status == 1 else f"{name} ends with status {status}, and no check fails"
        return False, "SURVIVED"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("pattern", nargs="*", help="parts of names, files or tests")
    p.add_argument("--all", action="store_true", help="all tests of the room")
    p.add_argument("--times", action="store_true", help="seconds of processor time of each")
    p.add_argument("--cc", default=os.environ.get("CC") or ("tcc" if shutil.which("tcc") else "gcc -O1"))
    a = p.parse_args()
    chosen = [b for b in bugs_of(TABLE)
              if not a.pattern or any(s in " ".join([b.name, b.path, b.test, *b.filters]) for s in a.pattern)]
    wide = [max((len(getattr(b, k)) for b in chosen), default=0) for k in ("name", "test")]
    judge, passed, began = Judge(a.cc), 0, time.time()
    print(f"{'bug':{wide[0]}}  {'room':{wide[1]}}  the test that failed")
    try:
        for b in chosen:
            (good, what), took = seconds_of(lambda: judge.verdict(b, [""] if a.all else b.filters))
            passed += good
            print(f"{b.name:{wide[0]}}  {b.test:{wide[1]}}  {'' if good else 'FAIL: '}{what}" + f"  {took:.1f} s"*a.times, flush=True)
    finally:
        shutil.rmtree(judge.bench.dir)
    print(f"{len(chosen)} bugs in {time.time() - began:.0f} s")
    print(f"{passed} passed, {len(chosen) - passed} failed")
    return 0 if chosen and passed == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
