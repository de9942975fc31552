import argparse
import json

import torch
from torch import nn
from torch.nn import functional as F


class Norm(nn.Module):
    def __init__(self, width, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width)) if bias else None

    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias)


class Tower(nn.Module):
    def __init__(self, layers, bias):
        super().__init__()
        self.norms = nn.ModuleList([Norm(8, bias) for _ in range(layers)])
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        for norm in self.norms:
            x = norm(x)
        return self.out(x)


parser = argparse.ArgumentParser()
parser.add_argument("--config", default='{"layers": 2, "bias": true}')
args = parser.parse_args()
config = json.loads(args.config)

model = Tower(config["layers"], config["bias"])
model.to("cuda")
x = torch.rand(4, 8)
print(model(x).mean().item())
