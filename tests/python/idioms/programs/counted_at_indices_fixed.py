import numpy as np


def visits(cells, size):
    counts = np.zeros(size, dtype=np.int64)
    np.add.at(counts, cells, 1)
    return counts


rng = np.random.default_rng(0)
print(visits(rng.integers(0, 4, size=4000), 4))
