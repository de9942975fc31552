import torch
from torch import nn

from utils import torch_float


class Attention(nn.Module):
    def __init__(self, dim=96, heads=1):
        super().__init__()
        self.heads = heads
        self.head_dim = dim // heads
        self.q = nn.Linear(dim, dim)
        self.k = nn.Linear(dim, dim)
        self.v = nn.Linear(dim, dim)

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        attn = q @ k.transpose(-2, -1)
        attn = attn / torch_float(self.head_dim ** 0.5)
        return attn.softmax(dim=-1) @ v


attention = Attention()
print(attention(torch.randn(2, 4, 96)).shape)
