import argparse

import torch
from torch import nn


class Clamp:
    def __call__(self, p):
        p.data.float().clamp_(-0.05, 0.05)


class Round:
    def __call__(self, p):
        p.data.copy_((p.data.float() * 64).round_() / 64)


STEPS = {"clamp": lambda: Clamp(), "round": lambda: Round()}

parser = argparse.ArgumentParser()
parser.add_argument("--half", action="store_true")
parser.add_argument("--steps", default="clamp,round")
args = parser.parse_args()
model = nn.Linear(4, 4)
if args.half:
    model = model.half()
for name in args.steps.split(","):
    step = STEPS[name]()
    for p in model.parameters():
        step(p)
print(model.weight)
