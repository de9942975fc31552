import torch
from torch import nn


class Talker(nn.Module):
    def __init__(self, vocab=64, dim=16):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.codec_head = nn.Linear(dim, vocab, bias=False)

    def forward(self, ids):
        return self.codec_head(self.embed(ids))
