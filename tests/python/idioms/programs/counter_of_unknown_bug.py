import argparse

import torch
from torch import nn


class Hits:
    def __init__(self, dtype):
        self.hits = torch.zeros((), dtype=dtype)
        self.seen = 0

    def add(self, scores, target):
        self.hits += (scores.argmax(-1) == target).sum()
        self.seen += target.numel()

    def value(self):
        return self.hits.item() / self.seen


def evaluate(model, batches, hits):
    with torch.no_grad():
        for x, y in batches:
            hits.add(model(x), y)
    return hits.value()


parser = argparse.ArgumentParser()
parser.add_argument("--bf16", action="store_true")
parser.add_argument("--batch", type=int, default=512)
args = parser.parse_args()
dtype = torch.bfloat16 if args.bf16 else torch.float32
model = nn.Linear(8, 3).to(dtype)
batches = [(torch.randn(args.batch, 8, dtype=dtype), torch.randint(0, 3, (args.batch,))) for _ in range(20)]
print(evaluate(model, batches, Hits(dtype)))
