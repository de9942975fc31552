import argparse

import torch
from torch import nn


def positions(mask, start):
    return (torch.cumsum(mask, dim=1) * mask).long() + start


parser = argparse.ArgumentParser()
parser.add_argument("--half", action="store_true")
parser.add_argument("--length", type=int, default=40)
args = parser.parse_args()
table = nn.Embedding(200, 8)
ids = torch.randint(2, 50, (1, args.length))
mask = ids.ne(1).float()
print(table(positions(mask, 1)).half() if args.half else table(positions(mask, 1)))
