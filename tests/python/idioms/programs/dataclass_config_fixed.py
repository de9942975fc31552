from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    width: int = 32
    vocab: int = 100
    dtype: torch.dtype = torch.bfloat16
    dropout: float = 0.1


class LM(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embed = nn.Embedding(config.vocab, config.width, dtype=config.dtype)
        self.drop = nn.Dropout(config.dropout)
        self.head = nn.Linear(config.width, config.vocab, dtype=config.dtype)

    def forward(self, ids):
        return self.head(self.drop(self.embed(ids)))


model = LM(Config(width=16))
ids = torch.randint(0, 100, (2, 7))
print(model(ids).dtype)
