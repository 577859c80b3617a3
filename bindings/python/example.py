"""example.py - the motorcycle data: a curve with its band, draws, and a file

    make shared && python3 bindings/python/example.py            (at the top of the project; needs numpy)

Head acceleration of a crash-test dummy in the milliseconds after the impact. What it prints stands in bindings/example.expected, as what bindings/R/example.R prints.
"""
import os

import numpy as np

import bayeslin

times, accel = np.loadtxt("examples/data/mcycle.csv", delimiter=",", skiprows=1, unpack=True)
model = bayeslin.Model().fit(times, accel, basis="gp:kernel=matern52+linear", names=["times"])
said = model.describe()
print("noise %.4g, length scale %.4g, log evidence %.6g"
      % (float(said["noise_sd"]), float(said["length scale"]), float(said["log_evidence"])))

grid = np.linspace(0.0, 60.0, 7)
mean, sd_model, sd = model.predict(grid)
lower, upper = model.intervals(grid, 0.95)
for row in zip(grid, mean, sd_model, sd, lower, upper):
    print("%5.1f %9.3f %8.4f %8.4f %9.3f %9.3f" % row)

cov = model.covariance(grid)
print("correlation of the curve at 20 and 30 ms %.6f" % (cov[2, 3]/np.sqrt(cov[2, 2]*cov[3, 3])))
draws = model.draws(grid, count=4000, seed=1)
print("draws agree: %d" % np.all(np.abs(draws.mean(axis=0) - mean) < 5.0*sd_model/np.sqrt(4000.0)))

path = "build/example_python.bln"
model.save(path)
again = bayeslin.load(path)
print("loaded, the same to the bit: %d" % np.all(again.predict(grid).mean == mean))
os.remove(path)

# Counts: damage to ships per month of service, by year of construction.
built = np.array([0, 0, 1, 1, 2, 2, 3], dtype=float)
service = np.array([127.0, 63, 1095, 1095, 1512, 3353, 2244])
incidents = np.array([0.0, 0, 3, 4, 6, 18, 11])
ships = bayeslin.Model().fit(built, incidents, basis="linear", trials=service, likelihood="poisson", inference="laplace",
                             prior="flat")
print("incidents in 1000 months: %.4f, %.4f" % tuple(ships.predict([0.0, 3.0], trials=1000.0).mean))

try:
    bayeslin.Model().fit([[1.0], [np.nan]], [0.0, 1.0])
except bayeslin.Error as error:
    print("refused:", error)
