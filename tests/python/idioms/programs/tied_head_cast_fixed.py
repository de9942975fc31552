from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    vocab: int = 100
    dim: int = 32
    head_dtype: torch.dtype = torch.bfloat16


class Decoder(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.embed = nn.Embedding(cfg.vocab, cfg.dim)
        self.mix = nn.Linear(cfg.dim, cfg.dim)
        self.head = nn.Linear(cfg.dim, cfg.vocab, bias=False)
        self.head.weight = self.embed.weight
        self.cfg = cfg

    def forward(self, ids):
        h = self.mix(self.embed(ids).to(self.mix.weight.dtype))
        return self.head(h.to(self.cfg.head_dtype))


cfg = Config()
model = Decoder(cfg)
model.head.to(cfg.head_dtype)  # the logits need no more than that
print(model(torch.randint(0, cfg.vocab, (2, 7))).dtype)
