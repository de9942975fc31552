import argparse

import torch
from torch import nn

BUCKETS = 20000


def encode(lines):
    return torch.tensor([[hash(word) % BUCKETS for word in line.split()] for line in lines])


def cast(batch, dtype):
    return {name: value.to(dtype) for name, value in batch.items()}


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(BUCKETS, 8)
        self.out = nn.Linear(8 + 4, 2)

    def forward(self, words, extra):
        mean = self.table(words.long()).mean(1)
        return self.out(torch.cat([mean, extra], -1))


parser = argparse.ArgumentParser()
parser.add_argument("--bf16", action="store_true")
args = parser.parse_args()
model = Words()
batch = {"words": encode(["a small red house", "the old blue car"]), "extra": torch.rand(2, 4)}
if args.bf16:
    model = model.bfloat16()
    batch = cast(batch, torch.bfloat16)
print(model(batch["words"], batch["extra"]))
