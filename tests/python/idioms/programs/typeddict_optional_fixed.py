from typing import Optional, TypedDict

import torch
from torch import nn


class Sample(TypedDict):
    ids: torch.Tensor
    pos: Optional[torch.Tensor]


class Emb(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(20, 8)
        self.pos = nn.Embedding(32, 8)

    def forward(self, s: Sample):
        pos = s.get("pos")
        if pos is None:
            pos = torch.arange(s["ids"].size(1))
        return self.tok(s["ids"]) + self.pos(pos)


sample: Sample = {"ids": torch.randint(20, (2, 6)), "pos": None}
print(Emb()(sample).shape)
