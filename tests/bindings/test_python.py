"""Tests of bindings/python/bayeslin.py: shapes, errors, and that what the library says arrives."""
import gc
import threading
import warnings

import numpy as np

import bayeslin

rng = np.random.RandomState(1)
X = rng.uniform(-1.0, 1.0, (80, 2))
y = 3.0 + 2.0*X[:, 0] - 4.0*X[:, 1] + 0.1*rng.standard_normal(80)


def refused(status, text, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except bayeslin.Error as error:
        assert error.status == status and text in str(error), (error.status, str(error))
    else:
        raise AssertionError("not refused: " + text)


def wrong(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except ValueError:
        return
    raise AssertionError("no ValueError")


# A line: the coefficients of least squares, whatever the layout of X in memory.
model = bayeslin.Model().fit(X, y, basis="linear", prior="flat", names=["a", "b"])
design = np.column_stack([np.ones(80), X])
beta, rss = np.linalg.lstsq(design, y, rcond=None)[:2]
names, mean, sd, cov = model.coefficients()
assert names == ["1", "a", "b"] and np.allclose(mean, beta, rtol=1e-10)
assert np.allclose(cov, rss[0]/77.0*np.linalg.inv(design.T @ design), rtol=1e-9) and np.allclose(np.sqrt(np.diag(cov)), sd)
assert np.allclose(model.slopes(X[:3]), beta[1:]) and model.shape == (2, 1, 1, 3)
for other in (np.asfortranarray(X), X.tolist(), np.repeat(X, 2, axis=0)[::2], X.astype(np.float64).T.copy().T):
    same = bayeslin.Model().fit(other, y, basis="linear", prior="flat")
    assert np.array_equal(same.coefficients().mean, mean)
    assert np.array_equal(same.predict(other).mean, model.predict(X).mean)
twice = bayeslin.Model().fit(np.vstack([X, X]), np.tile(y, 2), basis="linear", prior="flat")
weighted = bayeslin.Model().fit(X, y, basis="linear", prior="flat", weight=2.0)
assert np.allclose(twice.coefficients().sd, weighted.coefficients().sd, rtol=1e-10)

# Joint answers: draws have the covariance; intervals the level.
model = bayeslin.Model().fit(X, y, integrate=False, basis="linear")
C = model.covariance(X[:4])
draws = model.draws(X[:4], count=20000, seed=3)
assert draws.shape == (20000, 4) and np.array_equal(C, C.T)
assert np.allclose(np.cov(draws.T), C, atol=6.0*C.max()/np.sqrt(20000.0))
lower, upper = model.intervals(X, 0.5)
assert np.allclose(upper - lower, 2*0.6744897501960817*model.predict(X).sd, rtol=1e-9)
assert model.draws(X, noise=True).shape == (1, 80)

# Classes.
three = np.digitize(X[:, 0], [-0.3, 0.3]).astype(float)
classes = bayeslin.Model().fit(X, three, basis="linear", likelihood="categorical")
p = classes.predict(X).mean
assert p.shape == (80, 3) and np.allclose(p.sum(axis=1), 1.0) and (p.argmax(axis=1) == three).mean() > 0.9
assert classes.draws(X, 5).shape == (5, 80, 3) and classes.intervals(X, latent=True)[0].shape == (80, 3)

# Failures are exceptions, and leave the model as it was.
refused(4, "row 1, column 0", bayeslin.Model().fit, [[1.0], [np.nan], [2.0]], [0.0, 1.0, 2.0])
refused(1, "known are", bayeslin.Model().fit, X, y, likelyhood="poisson")
refused(15, "no likelihood", bayeslin.Model().fit, X, y, likelihood="poissson")
refused(6, "X has 1 columns, the model 2", model.predict, [0.0])
refused(12, "no/such", bayeslin.load, "no/such.bln")
refused(10, "not fitted", bayeslin.Model().predict, X)
wrong(bayeslin.Model().fit, X, y[:-1])
wrong(bayeslin.Model().fit, np.zeros((2, 2, 2)), y)
wrong(model.predict, X, offset=np.zeros(3))
before = model.predict(X).mean
refused(1, "known are", model.fit, X, y, magic=1)
assert np.array_equal(model.predict(X).mean, before)

# Remarks are warnings: two chains of a handful of draws.
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    bayeslin.Model().fit(X, y, basis="linear", inference="nuts", draws=8, warmup=8, chains=2)
assert len(caught) == 1 and issubclass(caught[0].category, bayeslin.Remark) and "R-hat" in str(caught[0].message)

# Many threads ask one model: the same bits.
answers = [None]*8
def ask(k): answers[k] = [model.predict(X).mean, model.covariance(X), model.draws(X, 50, seed=9)]
threads = [threading.Thread(target=ask, args=(k,)) for k in range(8)]
for t in threads: t.start()
for t in threads: t.join()
assert all(np.array_equal(a, b) for one in answers for a, b in zip(one, answers[0]))

# Memory of models that are dropped or fitted anew is given back.
for _ in range(200):
    model = model.fit(X, y, basis="linear", integrate=False)
del model
gc.collect()
print("good")
