import sys

import torch
from torch import nn


def run(dtype="float32", *sizes):
    sizes = [int(s) for s in sizes] or [4, 8, 2]
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers.extend([nn.Linear(a, b), nn.ReLU()])
    net = nn.Sequential(*layers[:-1])
    if dtype != "float32":
        net = net.to(getattr(torch, dtype))
    x = torch.randn(2, sizes[0])
    if dtype != "float32":
        x = x.to(getattr(torch, dtype))
    print(net(x).sum().item())


if __name__ == "__main__":
    run(*sys.argv[1:])
