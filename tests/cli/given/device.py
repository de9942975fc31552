"""A device that an option names, in four ways."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")
parser.add_argument("--place", default="cpu", choices=["cpu", "cuda"])
parser.add_argument("--test", action="store_true")
args = parser.parse_args()
w = torch.ones(4)


def moved(x, device):
    return x.to(device) + w


if args.test:
    print(moved(torch.ones(4), args.device))
print(torch.ones(4, device=args.place) * w)
print(nn.Linear(4, 4).to(args.device)(w))
place = "cuda" if torch.cuda.is_available() else "cpu"
print(torch.zeros(4).to(place) - w)
