import argparse
import math

import torch
from torch import nn


class Clock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.out = nn.Linear(width, width)

    def forward(self, t):
        rates = torch.exp(-math.log(1e4) * torch.arange(self.width // 2) / (self.width // 2))
        angles = t.float()[:, None] * rates
        return self.out(torch.cat([angles.sin(), angles.cos()], -1).to(self.out.weight.dtype))


def sample(model, steps, dtype):
    x = torch.zeros(2, 16)
    for i in reversed(range(0, 1000, 1000 // steps)):
        t = torch.full((2,), i)
        x = x + model(t.to(dtype)).float()
    return x


parser = argparse.ArgumentParser()
parser.add_argument("--bf16", action="store_true")
parser.add_argument("--steps", type=int, default=7)
args = parser.parse_args()
dtype = torch.bfloat16 if args.bf16 else torch.float32
print(sample(Clock(16).to(dtype), args.steps, dtype))
