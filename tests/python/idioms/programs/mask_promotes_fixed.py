import math

import torch
from torch import nn


def causal_mask(n, device):
    mask = torch.full((n, n), float("-inf"), device=device)
    return torch.triu(mask, diagonal=1)


class Head(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q = nn.Linear(dim, dim, bias=False)
        self.k = nn.Linear(dim, dim, bias=False)
        self.v = nn.Linear(dim, dim, bias=False)

    def forward(self, x, mask):
        q, k, v = self.q(x), self.k(x), self.v(x)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = torch.softmax(scores + mask, dim=-1).to(v.dtype)
        return weights @ v


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = nn.ModuleList([Head(dim) for _ in range(heads)])
        self.norm = nn.LayerNorm(dim)
        self.proj = nn.Linear(dim * heads, dim)

    def forward(self, x):
        mask = causal_mask(x.size(1), x.device)
        y = torch.cat([h(self.norm(x), mask) for h in self.heads], dim=-1)
        return x + self.proj(y)


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    block = Block(32, 2).to(device=device, dtype=torch.bfloat16)
    x = torch.randn(2, 10, 32, device=device, dtype=torch.bfloat16)
    print(block(x).shape)


main()
