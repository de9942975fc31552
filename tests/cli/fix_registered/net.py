# Tensors that modules set as plain attributes, and what is used is made of them: each is registered,
# also if it was passed to a function first.
import torch
from torch import nn


def table(n):
    t = torch.arange(n).float()
    return torch.cos(t), torch.sin(t)


def turn(x, cos, sin):
    return x * cos + x * sin


class Turned(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)
        cos, sin = table(n)
        self.cos = cos
        self.register_buffer("sin", sin)

    def forward(self, x):
        cos, sin = self.cos[: x.size(1)], self.sin[: x.size(1)]
        return turn(self.fc(x), cos, sin)


class Masked(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)
        self.below = torch.ones(n, n).tril()
        self.above = torch.ones(n, n, dtype=torch.bool).tril()

    def forward(self, x):
        h = self.fc(x).masked_fill(self.below == 0, 0.0)
        return h.masked_fill(~self.above[: x.size(0)], 0.0)


print(Masked(4).cuda()(Turned(4).cuda()(torch.randn(4, 4, device="cuda"))))
