import argparse

import torch
from torch import nn


class Expert(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.up = nn.Linear(dim, dim)

    def forward(self, x):
        return torch.relu(self.up(x))


class Layer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.experts = nn.ModuleList(Expert(dim) for _ in range(3))
        self.gate = nn.Linear(dim, 3)

    def forward(self, x):
        weight = torch.softmax(self.gate(x), dim=-1, dtype=torch.float)
        out = torch.zeros_like(x)
        rows = torch.arange(x.size(0))
        for i, expert in enumerate(self.experts):
            out.index_add_(0, rows, expert(x) * weight[:, i, None])
        return out


parser = argparse.ArgumentParser()
parser.add_argument("--layers", type=int, default=2)
parser.add_argument("--dtype", default="float32", choices=["float32", "bfloat16"])
args = parser.parse_args()
dtype = getattr(torch, args.dtype)
net = nn.Sequential(*[Layer(8) for _ in range(args.layers)]).to(dtype)
with torch.no_grad():
    print(net(torch.rand(4, 8, dtype=dtype)).shape)
