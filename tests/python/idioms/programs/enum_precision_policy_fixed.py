import argparse
import enum

import torch
from torch import nn


class Precision(enum.Enum):
    FULL = "full"
    MIXED = "mixed"
    DOUBLE = "double"

    @property
    def compute(self):
        if self is Precision.FULL:
            return torch.float32
        if self is Precision.MIXED:
            return torch.bfloat16
        return torch.float64


class Block(nn.Module):
    def __init__(self, dim, policy):
        super().__init__()
        self.policy = policy
        self.norm = nn.LayerNorm(dim)
        self.up = nn.Linear(dim, 4 * dim, dtype=policy.compute)
        self.down = nn.Linear(4 * dim, dim, dtype=policy.compute)

    def forward(self, x):
        h = self.norm(x)
        h = torch.relu(self.up(h.to(self.policy.compute)))
        return x + self.down(h).float()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--policy", default="full", choices=[p.value for p in Precision])
    args = ap.parse_args()
    policy = Precision(args.policy)
    net = nn.ModuleList(Block(16, policy) for _ in range(2))
    x = torch.randn(4, 16)
    for blk in net:
        x = blk(x)
    print(x.mean().item())


main()
