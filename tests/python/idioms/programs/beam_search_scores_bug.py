from dataclasses import dataclass, field
from typing import List

import torch
import torch.nn as nn


@dataclass(order=True)
class Hypothesis:
    score: float
    tokens: List[int] = field(compare=False, default_factory=list)

    def extend(self, token, logp):
        return Hypothesis(self.score + logp, self.tokens + [token])


class Decoder(nn.Module):
    def __init__(self, vocab=12, dim=8):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.cell = nn.GRUCell(dim, dim)
        self.out = nn.Linear(dim, vocab)

    def step(self, token, h):
        h = self.cell(self.emb(token), h)
        return torch.log_softmax(self.out(h), dim=-1), h


def beam(model, width=2, steps=4):
    beams = [(Hypothesis(0.0, [0]), torch.zeros(1, 8))]
    for _ in range(steps):
        pool = []
        for hyp, h in beams:
            token = torch.tensor([hyp.tokens[-1]], dtype=torch.float32)
            logp, nh = model.step(token, h)
            top = logp[0].topk(width)
            for lp, idx in zip(top.values.tolist(), top.indices.tolist()):
                pool.append((hyp.extend(idx, lp), nh))
        pool.sort(key=lambda p: p[0].score, reverse=True)
        beams = pool[:width]
    return beams[0][0].tokens


with torch.no_grad():
    print(beam(Decoder().eval()))
