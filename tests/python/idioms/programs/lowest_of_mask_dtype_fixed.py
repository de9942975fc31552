from typing import Optional

import torch
from torch import nn


class ModuleUtils:
    """What heads share: extended attention masks."""

    @property
    def dtype(self):
        return next(self.parameters()).dtype

    def extend(self, attention_mask: torch.Tensor, dtype: Optional[torch.dtype] = None):
        if dtype is None:
            dtype = self.dtype
        extended = attention_mask[:, None, None, :].to(dtype)
        return (1.0 - extended) * torch.finfo(dtype).min


class SelfAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)

    def forward(self, x, bias):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        weights = (q @ k.transpose(-1, -2) / (d // self.heads) ** 0.5 + bias).softmax(-1)
        return (weights @ v).transpose(1, 2).reshape(b, n, d)


class Bert(nn.Module, ModuleUtils):
    def __init__(self, vocab=80, width=32, layers=2):
        super().__init__()
        self.embeddings = nn.Embedding(vocab, width)
        self.layers = nn.ModuleList([SelfAttention(width, 4) for _ in range(layers)])

    def forward(self, input_ids, attention_mask=None):
        if attention_mask is None:
            attention_mask = torch.ones_like(input_ids)
        bias = self.extend(attention_mask)
        h = self.embeddings(input_ids)
        for layer in self.layers:
            h = h + layer(h, bias)
        return h


ids = torch.randint(80, (2, 7))
print(Bert()(ids, attention_mask=(ids > 3).long()).shape)
