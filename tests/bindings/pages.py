"""pages.py - runs the blocks of Python in docs/python.md and docs/json.md, from the top of the project

    PYTHONPATH=bindings/python python3 tests/bindings/pages.py          (make test PARTS=bindings calls it)

The names that a page takes as given are made here. A session (pycon) ends each command with the error that the page shows; "..." stands
for the rest of its line.
"""
import json
import os
import re
import subprocess

import bayeslin
import numpy as np


def blocks(page):
    with open(page, encoding="utf-8") as file:
        return re.findall(r"^```(\w+)\n(.*?)^```$", file.read(), re.M | re.S)


def session(text, names):
    commands = re.findall(r"^>>> (.*)\n(.*)\n", text, re.M)
    assert commands
    for command, shown in commands:
        try:
            exec(command, names)
            raise AssertionError(command + ": no error")
        except bayeslin.Error as error:
            got = "bayeslin.Error: %s" % error
        assert got.startswith(shown[:-3]) if shown.endswith("...") else got == shown, got


rng = np.random.default_rng(3)
X = rng.normal(size=(60, 2))
y = X[:, 0] - 0.5*X[:, 1] + 0.3*rng.normal(size=60)
months = rng.integers(1, 9, size=60).astype(float)
incidents = rng.poisson(months*np.exp(0.5*X[:, 0])).astype(float)
labels = (X[:, 0] > 0.3*rng.normal(size=60)).astype(int) + (X[:, 1] > 0.5)
names = {"X": X, "X_new": X[:5], "y": y, "months": months, "incidents": incidents, "labels": labels}
count = 0
for language, text in blocks("docs/python.md"):
    if language == "python": exec(text, names)
    elif language == "pycon": session(text, names)
    else: continue
    count += 1
assert count == 3 and np.all(names["lower"] < names["mean"]) and np.all(names["mean"] < names["upper"])
assert names["kind"].predict(names["X_new"]).mean.shape == (5, 3)

# The page of JSON: the tool by its name, and a model in the folder where it runs.
os.environ["PATH"] = os.path.abspath("build") + os.pathsep + os.environ["PATH"]
page = blocks("docs/json.md")
os.makedirs("build/bindings", exist_ok=True)
subprocess.run(["bayeslin", "fit", "examples/data/boston.csv", "--target", "medv", "--basis", "linear", "-o",
                "build/bindings/boston.bln"], check=True, capture_output=True)
os.chdir("build/bindings")
names = {"json": json, "subprocess": subprocess}
for language, text in page:
    if language == "python": exec(text, names)
assert len(names["fit"]["coefficients"]) == 14
