import math
from typing import Optional

import torch
from torch import nn, Tensor


class MultiHead(nn.Module):
    def __init__(self, d_model: int, h: int, dropout: float = 0.1):
        super().__init__()
        assert d_model % h == 0
        self.h, self.d_k = h, d_model // h
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        b, n, d = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.h, self.d_k).permute(2, 0, 3, 1, 4).unbind(0)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        return self.proj((self.drop(scores.softmax(-1)) @ v).transpose(1, 2).reshape(b, n, d))


def causal_mask(n: int) -> Tensor:
    return torch.tril(torch.ones(n, n))


class GPTBlock(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.ln = nn.LayerNorm(d)
        self.attn = MultiHead(d, h)

    def forward(self, x):
        return x + self.attn(self.ln(x), mask=causal_mask(x.size(1)))


model = nn.Sequential(*[GPTBlock(16, 4) for _ in range(2)])
print(model(torch.randn(2, 5, 16)).shape)
