from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    vocab: int = 32000
    dim: int = 64
    dtype: torch.dtype = torch.float16


class Encoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.emb = nn.Embedding(cfg.vocab, cfg.dim)

    def forward(self, ids):
        return self.emb(ids.long()).mean(dim=1)


def prepare(batch, cfg):
    out = {}
    for key, value in batch.items():
        value = value.cuda()
        out[key] = value.to(cfg.dtype) if value.is_floating_point() else value
    return out


cfg = Config()
model = Encoder(cfg).to("cuda", cfg.dtype)
batch = {"ids": torch.randint(0, cfg.vocab, (4, 16)), "weight": torch.rand(4)}
batch = prepare(batch, cfg)
print((model(batch["ids"]) * batch["weight"][:, None]).shape)
