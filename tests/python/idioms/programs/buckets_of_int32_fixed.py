"""Buckets continuous targets, then trains a classifier of buckets."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Bucketizer:
    def __init__(self, values, count):
        quantiles = np.quantile(values, np.linspace(0, 1, count + 1)[1:-1])
        self.edges = torch.from_numpy(quantiles).float()
        self.count = count

    def __call__(self, y):
        return torch.searchsorted(self.edges, y.contiguous())

    def centers(self):
        return torch.cat([self.edges[:1], (self.edges[1:] + self.edges[:-1]) / 2, self.edges[-1:]])


rng = np.random.default_rng(7)
targets = rng.gamma(2.0, 3.0, size=500)
inputs = np.stack([targets + rng.normal(size=500), rng.normal(size=500)], axis=1)

x = torch.from_numpy(inputs).float()
y = torch.from_numpy(targets).float()
bucketize = Bucketizer(targets, 8)
net = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, bucketize.count))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(5):
    loss = F.cross_entropy(net(x), bucketize(y))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
