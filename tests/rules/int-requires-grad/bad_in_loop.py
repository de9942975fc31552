# As many layers as an option says: whoever calls the class by itself may pass a float.
import sys

import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, dim, init):
        super().__init__()
        self.gamma = nn.Parameter(torch.full((dim,), init))  # expect: int-requires-grad error

    def forward(self, x):
        return x * self.gamma


layers = nn.ModuleList(Scale(8, 1) for _ in range(int(sys.argv[1])))
print(sum(layer(torch.randn(2, 8)).sum() for layer in layers))
