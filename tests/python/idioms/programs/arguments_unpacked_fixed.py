import sys

import torch
from torch import nn


def main(argv):
    precision, width = argv if len(argv) == 2 else ("single", "4")
    head = nn.Linear(int(width), 2)
    if precision.lower() == "double":
        head.double()
    x = torch.randn(3, int(width))
    if precision.lower() == "double":
        x = x.double()
    print(head(x).sum().item())


main(sys.argv[1:])
