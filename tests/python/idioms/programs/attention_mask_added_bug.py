import math

import torch
from torch import nn


class Attn(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(dim, dim) for _ in range(3))

    def forward(self, x, mask=None):
        q, k, v = self.q(x), self.k(x), self.v(x)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores + mask
        return scores.softmax(-1) @ v


def padding_mask(lengths, n):
    keep = torch.arange(n)[None] < lengths[:, None]
    return torch.where(keep, 0.0, -1e4)[:, None, :]


attn = Attn().bfloat16()
x = torch.randn(2, 5, 16).bfloat16()
print(attn(x, padding_mask(torch.tensor([3, 5]), 5)).dtype)
