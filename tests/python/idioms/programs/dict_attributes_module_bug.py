import torch
import torch.nn as nn


class Bag:
    """Holds whatever options a caller passes."""

    def __init__(self, **kw):
        self.__dict__.update(kw)

    def get(self, key, default=None):
        return self.__dict__.get(key, default)


class ScaledEmbedding(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.table = nn.Embedding(cfg.vocab, cfg.dim)
        self.out = nn.Linear(cfg.dim, cfg.vocab, dtype=cfg.get("head_dtype", torch.float32))

    def forward(self, ids):
        h = self.table(ids)
        return self.out(h)


cfg = Bag(vocab=32, dim=8, head_dtype=torch.float64)
net = ScaledEmbedding(cfg)
print(net(torch.randint(0, cfg.vocab, (2, 5))).shape)
