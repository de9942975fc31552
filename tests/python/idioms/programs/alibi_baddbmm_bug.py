import math

import torch
from torch import nn


def build_alibi(heads, length):
    slopes = torch.tensor([2 ** (-8 * (i + 1) / heads) for i in range(heads)])
    distance = torch.arange(length, dtype=torch.float32)
    return slopes[:, None, None] * distance[None, None, :]


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.width = heads, dim // heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.beta = 1.0
        self.scale = 1 / math.sqrt(self.width)

    def forward(self, x, alibi):
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, self.width).unbind(2)
        q = q.transpose(1, 2).reshape(b * self.heads, t, self.width)
        k = k.permute(0, 2, 3, 1).reshape(b * self.heads, self.width, t)
        bias = alibi.repeat(b, 1, 1)
        scores = torch.baddbmm(bias, q, k, beta=self.beta, alpha=self.scale)
        return scores.softmax(dim=-1)


layer = Attention(64, 4).bfloat16()
hidden = torch.randn(2, 10, 64, dtype=torch.bfloat16)
print(layer(hidden, build_alibi(4, 10)).shape)
