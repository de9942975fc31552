"""A small transformer that continues rows of numbers."""
import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x, mask):
        batch, time, width = x.shape
        qkv = self.qkv(self.norm(x)).view(batch, time, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) * (width // self.heads) ** -0.5
        shares = F.softmax((scores + mask).float(), dim=-1)
        y = (shares @ v).transpose(1, 2).reshape(batch, time, width)
        return x + self.out(y)


class Story(nn.Module):
    def __init__(self, words, width=32, heads=4, time=16):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.places = nn.Embedding(time, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(2))
        self.head = nn.Linear(width, words)
        self.mask = torch.full((time, time), -1e4).triu(1)

    def forward(self, x):
        time = x.shape[1]
        h = self.words(x) + self.places(torch.arange(time))
        for block in self.blocks:
            h = block(h, self.mask[:time, :time])
        return self.head(h)
