import math

import torch
from torch import nn


class PositionalEncoding(nn.Module):
    def __init__(self, width, length=64):
        super().__init__()
        pos = torch.arange(length).unsqueeze(1)
        div = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
        table = torch.zeros(length, width)
        table[:, 0::2] = torch.sin(pos * div)
        table[:, 1::2] = torch.cos(pos * div)
        self.table = table

    def forward(self, x):
        return x + self.table[: x.size(1)]


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 16)
        self.pos = PositionalEncoding(16)
        self.fc = nn.Linear(16, 16)

    def forward(self, ids):
        return self.fc(self.pos(self.embed(ids)))


model = Encoder().half()
print(model(torch.randint(0, 50, (2, 9))).dtype)
