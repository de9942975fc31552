"""A model without a program: a class is constructed from a description, and called with tokens."""
import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Config:
    block_size: int = 32
    vocab_size: int = 64
    n_head: int = 2
    n_embd: int = 16


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.qkv = nn.Linear(config.n_embd, 3 * config.n_embd)
        self.n_head = config.n_head

    def forward(self, x: torch.Tensor):
        B, T, C = x.size()
        q, k, v = self.qkv(x).split(C, dim=2)
        att = (q @ k.transpose(-2, -1)) / math.sqrt(C)
        hidden = torch.ones(T, T).tril()
        att = att.masked_fill(~hidden, float("-inf"))
        return F.softmax(att, dim=-1) @ v


class Model(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.tokens = nn.Embedding(config.vocab_size, config.n_embd)
        self.places = nn.Embedding(config.block_size, config.n_embd)
        self.head = nn.Linear(config.n_embd, config.vocab_size, bias=False)

    def forward(self, idx: torch.Tensor, targets: torch.Tensor = None):
        places = torch.arange(0, idx.size(1), dtype=torch.float)
        return self.head(self.tokens(idx) + self.places(places))
