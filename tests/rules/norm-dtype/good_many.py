import argparse

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, wide):
        super().__init__()
        if wide:
            self.norms = nn.Sequential(*[nn.BatchNorm1d(4) for _ in range(8)])
        else:
            self.norms = nn.Sequential(*[nn.BatchNorm1d(4) for _ in range(12)])

    def forward(self, x):
        return self.norms(x)


parser = argparse.ArgumentParser()
parser.add_argument("--wide", action="store_true")
args = parser.parse_args()
model = nn.Sequential(Block(args.wide), Block(args.wide), Block(args.wide))
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model.to(device=device)
print(model(torch.randn(2, 4, device=device)))
