from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class ModelConfig:
    vocab: int = 100
    dim: int = 32
    heads: int = 4
    dtype: torch.dtype = torch.float16
    device: str = "cuda"


@dataclass
class TrainConfig:
    batch: int = 4
    seq: int = 16
    model: ModelConfig = field(default_factory=ModelConfig)


class Embedder(nn.Module):
    def __init__(self, cfg: ModelConfig):
        super().__init__()
        self.cfg = cfg
        self.tok = nn.Embedding(cfg.vocab, cfg.dim, dtype=cfg.dtype, device=cfg.device)
        self.proj = nn.Linear(cfg.dim, cfg.dim, device=cfg.device, dtype=cfg.dtype)

    def forward(self, ids):
        return self.proj(self.tok(ids))


def main():
    cfg = TrainConfig()
    net = Embedder(cfg.model)
    ids = torch.randint(0, cfg.model.vocab, (cfg.batch, cfg.seq), device=cfg.model.device)
    out = net(ids)
    print(out.shape)


main()
