import itertools
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __init__(self, shards, transform=None):
        self.shards = shards
        self.transform = transform or (lambda s: s)

    def __iter__(self):
        for shard in self.shards:
            for i in range(shard):
                yield self.transform({"x": torch.rand(5), "y": i % 2})


class Pipeline:
    def __init__(self, *fns):
        self.fns = fns

    def __call__(self, sample):
        return functools_reduce(lambda s, f: f(s), self.fns, sample)


def functools_reduce(fn, items, start):
    for it in items:
        start = fn(start, it)
    return start


def jitter(s):
    s["x"] = s["x"] + random.gauss(0, 0.1)
    return s


def to_double(s):
    s["x"] = s["x"].double()
    return s


pipe = Pipeline(jitter)
loader = DataLoader(Stream([8, 8], transform=pipe), batch_size=4)
model = nn.Linear(5, 2)
for batch in itertools.islice(loader, 3):
    loss = nn.functional.cross_entropy(model(batch["x"]), batch["y"])
    loss.backward()
