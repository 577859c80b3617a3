"""bayeslin for Python: Bayesian linear models, generalised linear models and Gaussian processes.

    import bayeslin
    model = bayeslin.Model().fit(X, y)                      # the rows choose a basis
    mean, sd_model, sd = model.predict(X_new)
    lower, upper = model.intervals(X_new, 0.95)

One file over ctypes and numpy, without a build step. The library, which `make shared` builds, is looked for at the path in the
environment variable BAYESLIN_LIBRARY, beside this file, in ../../build, and where the system looks. docs/python.md teaches by an
example; what each function does stands in bindings/bayeslin_flat.h.
"""
import collections
import ctypes
import ctypes.util
import os
import sys
import warnings

import numpy as np

__all__ = ["Model", "Error", "Remark", "load"]

Prediction = collections.namedtuple("Prediction", "mean sd_model sd")
Coefficients = collections.namedtuple("Coefficients", "names mean sd covariance")


class Error(Exception):
    """What the library says of a call that failed; status is the number of its bln_status."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Remark(UserWarning):
    """A remark about a fit that went well."""


def _library():
    name = {"darwin": "libbayeslin.dylib", "win32": "bayeslin.dll"}.get(sys.platform, "libbayeslin.so")
    here = os.path.dirname(os.path.abspath(__file__))
    found = os.environ.get("BAYESLIN_LIBRARY")
    places = [found] if found else [os.path.join(here, name), os.path.join(here, "..", "..", "build", name)]
    path = next((p for p in places if p and os.path.exists(p)), None) or ctypes.util.find_library("bayeslin") or found or name
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise ImportError("bayeslin: no %s beside %s, in ../../build or where the system looks: `make shared` builds it (%s)"
                          % (name, here, error)) from None


_lib = _library()
_size, _int, _text, _double = ctypes.c_size_t, ctypes.c_int, ctypes.c_char_p, ctypes.c_double
_pointer, _out = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
_say = [ctypes.c_char_p, _size]
_rows = [_pointer, _size, _size, _pointer]                                          # model, n, d, X
_declared = {
    "fit": [_size, _size] + 5*[_pointer] + [_text, _text, _out] + _say,
    "shape": [_pointer] + 4*[ctypes.POINTER(_size)],
    "predict": _rows + 5*[_pointer] + _say,
    "intervals": _rows + 2*[_pointer] + [_double, _int] + 2*[_pointer] + _say,
    "covariance": _rows + [_int, _pointer] + _say,
    "draws": _rows + 2*[_pointer] + [_size, _int, ctypes.c_ulonglong, _pointer] + _say,
    "coefficients": 4*[_pointer] + _say,
    "slopes": _rows + [_pointer] + _say,
    "save": [_pointer, _text] + _say,
    "load": [_text, _out] + _say,
}
for _name, _arguments in _declared.items():
    getattr(_lib, "bayeslin_" + _name).argtypes = _arguments
    getattr(_lib, "bayeslin_" + _name).restype = _int
_lib.bayeslin_free.argtypes, _lib.bayeslin_free.restype = [_pointer], None
_lib.bayeslin_name.argtypes, _lib.bayeslin_name.restype = [_pointer, _size, ctypes.c_char_p, _size], _size
_lib.bayeslin_describe.argtypes, _lib.bayeslin_describe.restype = [_pointer, ctypes.c_char_p, _size], _size


def _call(name, *arguments):
    """Calls a function whose last arguments are a message; returns the message."""
    message = ctypes.create_string_buffer(1400)
    status = getattr(_lib, "bayeslin_" + name)(*arguments, message, len(message))
    text = message.value.decode("utf-8", "replace")
    if status:
        raise Error(status, text)
    return text


def _matrix(X):
    X = np.ascontiguousarray(X, dtype=np.float64)
    if X.ndim == 1:
        X = X.reshape(-1, 1)
    if X.ndim != 2:
        raise ValueError("X must have one or two dimensions, not %d" % X.ndim)
    return X


def _column(value, n, what):
    """n doubles; a single number stands for all rows; None stays None."""
    if value is None:
        return None
    value = np.ascontiguousarray(np.broadcast_to(value, (n,)) if np.ndim(value) == 0 else value, dtype=np.float64).reshape(-1)
    if value.shape != (n,):
        raise ValueError("%s has %d numbers for %d rows" % (what, value.size, n))
    return value


def _at(array):
    return None if array is None else array.ctypes.data


def _option(key, value):
    if isinstance(value, (bool, np.bool_)):
        value = "yes" if value else "no"
    values = [str(v) for v in value] if isinstance(value, (list, tuple, np.ndarray)) else [str(value)]
    if any(c in v for v in values for c in ",;\n"):
        raise ValueError("options and names have no comma, semicolon or new line: %r" % (values,))
    return "%s=%s" % (key, ";".join(values))


class Model:
    """A model, fitted by fit() or read by load(). Any number of threads may ask it; while they do, do not fit it again."""

    def __init__(self):
        self._handle = None

    def __reduce__(self):
        raise TypeError("a Model is not copied or pickled: save() and load() are for that")

    def __del__(self, free=_lib.bayeslin_free):
        if getattr(self, "_handle", None):
            free(self._handle)
            self._handle = None

    def _take(self, handle, remark=""):
        old, self._handle = self._handle, handle.value
        if old:
            _lib.bayeslin_free(old)
        if remark:
            warnings.warn(remark, Remark, stacklevel=3)
        return self

    def _fitted(self):
        if not self._handle:
            raise Error(10, "the model is not fitted")
        return self._handle

    def fit(self, X, y, basis="auto", weight=None, offset=None, trials=None, **options):
        """Learns y (n) from X (n x d). basis: a SPEC as in docs/choosing_a_basis.md, or "auto". Options as in bayeslin_flat.h:
        likelihood="poisson", prior="flat", integrate=False, seed=1, names=["age", "dose"], ... Returns the model. One that fails
        leaves it as it was."""
        X = _matrix(X)
        n, d = X.shape
        y, weight = _column(np.atleast_1d(y), n, "y"), _column(weight, n, "weight")
        offset, trials = _column(offset, n, "offset"), _column(trials, n, "trials")
        text = ", ".join(_option(k, v) for k, v in options.items() if v is not None)
        handle = ctypes.c_void_p()
        remark = _call("fit", n, d, _at(X), _at(y), _at(weight), _at(offset), _at(trials), str(basis).encode(), text.encode(),
                       ctypes.byref(handle))
        return self._take(handle, remark)

    @property
    def shape(self):
        """Inputs, columns of the mean, latents, weights."""
        shape = [_size() for _ in range(4)]
        _lib.bayeslin_shape(self._fitted(), *[ctypes.byref(s) for s in shape])
        return tuple(s.value for s in shape)

    def _ask(self, X, offset=None, trials=None):
        handle, X = self._fitted(), _matrix(X)
        n, d = X.shape
        offset, trials = _column(offset, n, "offset"), _column(trials, n, "trials")
        return n, (handle, n, d, _at(X)), (_at(offset), _at(trials)), (X, offset, trials)

    def predict(self, X, offset=None, trials=None):
        """(mean, sd_model, sd) of y at the rows of X: n each, or n x classes. sd_model is what more data would reduce."""
        n, rows, extra, _keep = self._ask(X, offset, trials)
        columns = self.shape[1]
        out = [np.empty((n, columns) if columns > 1 else n) for _ in range(3)]
        _call("predict", *rows, *extra, *[_at(o) for o in out])
        return Prediction(*out)

    def intervals(self, X, level=0.95, latent=False, offset=None, trials=None):
        """(lower, upper) of a new y, or of the curve itself (latent: for other than real y on the scale of the link)."""
        n, rows, extra, _keep = self._ask(X, offset, trials)
        L = self.shape[2] if latent else 1
        out = [np.empty((n, L) if L > 1 else n) for _ in range(2)]
        _call("intervals", *rows, *extra, level, int(latent), *[_at(o) for o in out])
        return tuple(out)

    def covariance(self, X):
        """The covariance of the curve at the rows of X: n x n, both triangles."""
        n, rows, _extra, _keep = self._ask(X)
        out = np.empty((n, n))
        _call("covariance", *rows, 1, _at(out))
        return out

    def draws(self, X, count=1, noise=False, seed=0, offset=None, trials=None):
        """Joint draws: count x n curves, or with noise data sets that the model holds possible. Of classes curves are
        count x n x latents."""
        n, rows, extra, _keep = self._ask(X, offset, trials)
        L = 1 if noise else self.shape[2]
        out = np.empty((count, n, L) if L > 1 else (count, n))
        _call("draws", *rows, *extra, count, int(noise), seed, _at(out))
        return out

    def coefficients(self):
        """(names, mean, sd, covariance) of the weights: of standardised inputs unless scale=False; see slopes."""
        handle, n = self._fitted(), self.shape[3]
        mean, sd, covariance = np.empty(n), np.empty(n), np.empty((n, n))
        _call("coefficients", handle, _at(mean), _at(sd), _at(covariance))
        names = []
        for j in range(n):
            buffer = ctypes.create_string_buffer(256)
            _lib.bayeslin_name(handle, j, buffer, len(buffer))
            names.append(buffer.value.decode("utf-8", "replace"))
        return Coefficients(names, mean, sd, covariance)

    def slopes(self, X):
        """d mean of f / d input at the rows of X: n x d, in the units of the data."""
        n, rows, _extra, _keep = self._ask(X)
        out = np.empty((n, self.shape[0]))
        _call("slopes", *rows, _at(out))
        return out

    def describe(self):
        """What was learnt, as a dictionary of text: log_evidence, noise_sd, basis, length scales, ..."""
        handle = self._fitted()
        size = _lib.bayeslin_describe(handle, None, 0) + 1
        buffer = ctypes.create_string_buffer(size)
        _lib.bayeslin_describe(handle, buffer, size)
        return dict(line.split("=", 1) for line in buffer.value.decode("utf-8", "replace").split("\n") if line)

    def save(self, path):
        _call("save", self._fitted(), os.fsencode(path))

    @classmethod
    def load(cls, path):
        handle = ctypes.c_void_p()
        _call("load", os.fsencode(path), ctypes.byref(handle))
        return cls()._take(handle)


load = Model.load
