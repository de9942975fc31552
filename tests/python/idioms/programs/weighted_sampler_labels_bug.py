import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


def loaders(n=32):
    x = torch.randn(n, 5)
    y = (x.sum(1) > 0)
    counts = torch.bincount(y.long())
    weights = (1.0 / counts.float())[y.long()]
    sampler = WeightedRandomSampler(weights, len(weights))
    return DataLoader(TensorDataset(x, y), batch_size=8, sampler=sampler)


net = nn.Linear(5, 2)
for x, y in loaders():
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
