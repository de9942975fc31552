import math

import torch
from torch import nn


class Dense(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(o, i))
        self.bias = nn.Parameter(torch.empty(o))
        self.reset()

    @torch.no_grad()
    def reset(self):
        bound = 1 / math.sqrt(self.weight.size(1))
        self.weight.uniform_(-bound, bound)
        self.bias.zero_()

    def forward(self, x):
        return x @ self.weight.t() + self.bias


d = Dense(3, 2)
print(d(torch.ones(1, 3)))
