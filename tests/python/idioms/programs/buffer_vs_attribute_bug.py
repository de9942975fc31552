import math

import torch
from torch import nn


class PositionalEncoding(nn.Module):
    def __init__(self, d, max_len=512):
        super().__init__()
        pos = torch.arange(max_len).unsqueeze(1)
        div = torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
        pe = torch.zeros(1, max_len, d)
        pe[0, :, 0::2] = torch.sin(pos * div)
        pe[0, :, 1::2] = torch.cos(pos * div)
        self.pe = pe

    def forward(self, x):
        return x + self.pe[:, :x.size(1)]


class Model(nn.Module):
    def __init__(self, vocab, d):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.pos = PositionalEncoding(d)
        self.enc = nn.TransformerEncoderLayer(d, 4, batch_first=True)

    def forward(self, ids):
        return self.enc(self.pos(self.emb(ids)))


device = "cuda" if torch.cuda.is_available() else "cpu"
m = Model(50, 32).to(device)
print(m(torch.randint(50, (2, 10), device=device)).shape)
