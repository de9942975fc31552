import types
from types import SimpleNamespace

import torch
import torch.nn as nn


def parse_config(raw):
    cfg = SimpleNamespace(**raw)
    cfg.torch_dtype = getattr(torch, cfg.dtype)
    return cfg


class Mixer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        factory = {"dtype": cfg.torch_dtype}
        self.token = nn.Linear(cfg.tokens, cfg.tokens, **factory)
        self.channel = nn.Linear(cfg.dim, cfg.dim, **factory)
        self.norm = nn.LayerNorm(cfg.dim, **factory)

    def forward(self, x):
        y = self.token(self.norm(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channel(y)


cfg = parse_config({"dtype": "float64", "tokens": 4, "dim": 8, "depth": 2})
model = nn.Sequential(*[Mixer(cfg) for _ in range(cfg.depth)])
print(model(torch.randn(2, 4, 8, dtype=cfg.torch_dtype)).dtype)
