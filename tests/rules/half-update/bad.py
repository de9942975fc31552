import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=1e-3)
args = parser.parse_args()
model = nn.Linear(4, 4).bfloat16()
for _ in range(10):
    model.zero_grad()
    model(torch.randn(3, 4, dtype=torch.bfloat16)).float().pow(2).mean().backward()
    with torch.no_grad():
        for p in model.parameters():
            p.sub_(args.lr * p.grad)  # expect: half-update note
