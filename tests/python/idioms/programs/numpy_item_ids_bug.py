import numpy as np
import torch

CATALOGUE = 90_000_000


def load_events(count, seed=0):
    rng = np.random.default_rng(seed)
    clicks = rng.integers(0, CATALOGUE, size=count)
    dwell = rng.random(count)
    return np.stack([clicks.astype(np.float32), dwell.astype(np.float32)], axis=1)


def to_batch(events):
    items = torch.from_numpy(events[:, 0].astype(np.int64))
    weight = torch.from_numpy(events[:, 1].astype(np.float32))
    return items, weight


items, weight = to_batch(load_events(1000))
print(items.unique().numel(), weight.mean())
