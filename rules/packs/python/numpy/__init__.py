# Limits of dtypes, which NumPy shares with PyTorch. Most functions are in the packs.
from torch import finfo, iinfo


import numpy as np


def histogram(a, bins=10, range=None, density=None, weights=None):
    edges = np.linspace(0.0, 1.0, 11)
    return np.zeros(10) if density else np.zeros(10, dtype=np.int64), edges


def concatenate(arrays, axis=0, dtype=None):
    # What is a list of numbers among them counts as the array that it becomes.
    out = np._concatenate([np.asarray(a) if isinstance(a, (list, tuple)) else a for a in arrays], axis)
    return out if dtype is None else out.astype(dtype)
