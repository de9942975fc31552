import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--double", action="store_true")
args = parser.parse_args()


def wide(model, double):
    params = []
    for p in model.parameters():
        if double:
            p = p.detach().to(torch.float64).requires_grad_(True)  # expect: stale-after-move warning
        params.append(p)
    return params


model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(wide(model, args.double), lr=0.05)
for _ in range(10):
    optimizer.zero_grad()
    model(torch.randn(3, 4)).pow(2).mean().backward()
    optimizer.step()
