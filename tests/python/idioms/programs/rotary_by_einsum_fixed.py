"""Rotary angles as an outer product by einsum, which promotes, and a sum of products, which does not."""
import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        self.register_buffer("inv_freq", base ** -(torch.arange(0, dim, 2).float() / dim))

    def forward(self, length):
        t = torch.arange(length, device=self.inv_freq.device)
        angles = torch.einsum("i,j->ij", t, self.inv_freq)
        return angles.cos(), angles.sin()


class Gates(nn.Module):
    def __init__(self, heads, dim):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(heads, dim))

    def forward(self, x):
        return torch.einsum("b h n d, h d -> b h n d", x.double(), self.scale)


cos, sin = Rotary(8)(12)
print(cos.dtype, sin.shape, Gates(2, 8)(torch.randn(1, 2, 5, 8)).dtype)
