import argparse
import enum

import torch
from torch import nn


class Precision(enum.Enum):
    FULL = torch.float32
    BRAIN = torch.bfloat16
    DOUBLE = torch.float64

    @classmethod
    def parse(cls, text):
        return cls[text.upper()]


class AutoEncoder(nn.Module):
    def __init__(self, dim, code, precision):
        super().__init__()
        self.precision = precision
        self.enc = nn.Linear(dim, code)
        self.dec = nn.Linear(code, dim)
        self.to(precision.value)

    def forward(self, x):
        return self.dec(torch.tanh(self.enc(x)))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--precision", type=Precision.parse, default=Precision.FULL)
    p.add_argument("--dim", type=int, default=6)
    args = p.parse_args()
    net = AutoEncoder(args.dim, 2, args.precision)
    x = torch.randn(3, args.dim, dtype=net.precision.value)
    print((net(x) - x).abs().mean().item())


if __name__ == "__main__":
    main()
