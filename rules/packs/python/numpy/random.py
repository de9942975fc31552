# Generators of random numbers; the functions of the module itself are in the packs.
import _mc
import numpy as np


# An array, or one number if no size is given.
def _floats(size, dtype=np.float64):
    return float(_mc.unknown()) if size is None else np.empty(size, dtype=dtype)


def _integers(size, dtype=np.int64):
    return int(_mc.unknown()) if size is None else np.empty(size, dtype=dtype)


class _Draws:
    def normal(self, loc=0.0, scale=1.0, size=None):
        return _floats(size)

    def uniform(self, low=0.0, high=1.0, size=None):
        return _floats(size) if size is None else np.random.uniform(low, high, size)

    def exponential(self, scale=1.0, size=None):
        return _floats(size)

    def beta(self, a, b, size=None):
        return _floats(size)

    def gamma(self, shape, scale=1.0, size=None):
        return _floats(size)

    def poisson(self, lam=1.0, size=None):
        return _integers(size)

    def binomial(self, n, p, size=None):
        return _integers(size)

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        if isinstance(a, int):
            return _integers(size)
        return a[int(_mc.unknown())] if size is None else np.random.choice(a, size)

    def permutation(self, x):
        return np.arange(x) if isinstance(x, int) else x

    def shuffle(self, x):
        pass


class Generator(_Draws):
    def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
        if size is None or endpoint:
            return _integers(size, dtype)
        return np.random.randint(0 if high is None else low, low if high is None else high, size, dtype=dtype)

    def random(self, size=None, dtype=np.float64):
        return _floats(size, dtype) if size is None else np.random.random(size).astype(dtype)

    def standard_normal(self, size=None, dtype=np.float64):
        return _floats(size, dtype)


class RandomState(_Draws):
    def __init__(self, seed=None):
        pass

    def randint(self, low, high=None, size=None, dtype=np.int64):
        if size is None:
            return _integers(size, dtype)
        return np.random.randint(0 if high is None else low, low if high is None else high, size, dtype=dtype)

    def rand(self, *size):
        return np.random.random(size) if len(size) else _floats(None)

    def randn(self, *size):
        return _floats(size if len(size) else None)

    def random(self, size=None):
        return _floats(size)

    def random_sample(self, size=None):
        return _floats(size)

    def standard_normal(self, size=None):
        return _floats(size)

    def seed(self, seed=None):
        pass


def default_rng(seed=None):
    return Generator()


# Those whose size the packs do not ask for.
def standard_normal(size=None):
    return _floats(size)


def random_sample(size=None):
    return _floats(size)


def exponential(scale=1.0, size=None):
    return _floats(size)


def beta(a, b, size=None):
    return _floats(size)


def gamma(shape, scale=1.0, size=None):
    return _floats(size)


def laplace(loc=0.0, scale=1.0, size=None):
    return _floats(size)


def lognormal(mean=0.0, sigma=1.0, size=None):
    return _floats(size)


def poisson(lam=1.0, size=None):
    return _integers(size)


def binomial(n, p, size=None):
    return _integers(size)
