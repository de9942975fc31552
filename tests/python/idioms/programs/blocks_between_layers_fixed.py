import sys

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.scale = torch.full((dim,), 0.5, dtype=torch.float64)

    def forward(self, x):
        return self.fc(x * self.scale.to(x.dtype))


def build(depth, dim):
    blocks = [Block(dim) for _ in range(depth)]
    return nn.Sequential(nn.Linear(4, dim), *blocks, nn.ReLU(), nn.Linear(dim, 2))


print(build(len(sys.argv) + 1, 8)(torch.rand(3, 4)))
