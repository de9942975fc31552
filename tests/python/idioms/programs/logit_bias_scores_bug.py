import torch
from torch import nn


class RepetitionPenalty:
    def __init__(self, penalty):
        self.penalty = penalty

    def __call__(self, ids, scores):
        picked = scores.gather(1, ids)
        picked = torch.where(picked < 0, picked * self.penalty, picked / self.penalty)
        return scores.scatter(1, ids, picked.float())

class MinLength:
    def __init__(self, n, eos):
        self.n, self.eos = n, eos

    def __call__(self, ids, scores):
        if ids.size(1) < self.n:
            scores = scores.clone()
            scores[:, self.eos] = float("-inf")
        return scores


def generate(model, ids, processors, steps):
    for _ in range(steps):
        scores = model(ids)[:, -1]
        for p in processors:
            scores = p(ids, scores)
        ids = torch.cat([ids, scores.argmax(-1, keepdim=True)], dim=1)
    return ids


model = nn.Sequential(nn.Embedding(20, 8), nn.Linear(8, 20)).to(torch.bfloat16)
with torch.no_grad():
    print(generate(model, torch.tensor([[1, 2]]), [MinLength(4, 0), RepetitionPenalty(1.2)], 5))
