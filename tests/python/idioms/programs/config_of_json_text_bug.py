import json
import sys
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    dtype: str = "fp32"
    hidden: int = 8
    dropout: float = 0.0
    final_norm: bool = True


class Tagger(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.proj = nn.Linear(cfg.hidden, cfg.hidden)
        self.norm = nn.LayerNorm(cfg.hidden) if cfg.final_norm else nn.Identity()

    def forward(self, x):
        return self.norm(self.proj(x))


def main(text):
    cfg = Config(**json.loads(text))
    model = Tagger(cfg)
    if cfg.dtype == "bf16":
        model = model.to(torch.bfloat16)
    x = torch.randn(2, cfg.hidden)
    print(model(x).float().sum().item())


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "{}")
