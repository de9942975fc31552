from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class ModelArgs:
    dim: int = 64
    layers: int = 2
    norm_eps: float = 1e-6


class RMSNorm(nn.Module):
    def __init__(self, dim, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.eps = eps

    def forward(self, x):
        scale = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
        return x * scale * self.weight


class Block(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.norm = RMSNorm(args.dim, args.norm_eps)
        self.ff = nn.Linear(args.dim, args.dim)

    def forward(self, x):
        return x + self.ff(self.norm(x))


args = ModelArgs()
model = nn.Sequential(*[Block(args) for _ in range(args.layers)]).to("cuda", torch.float16)
print(model(torch.randn(2, args.dim, device="cuda", dtype=torch.float16)).shape)
