import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--targets", nargs="*", default=["speed", "angle"])
args = parser.parse_args()
READ = {"speed": lambda n: torch.rand(n, 1), "angle": lambda n: torch.randint(0, 360, (n, 1))}
sizes = [4, 16, 8]
body = nn.Sequential(*[nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])
heads = {t: nn.Linear(sizes[-1], 1) for t in args.targets}
h = body(torch.rand(3, 4))
for t in args.targets:
    loss = nn.functional.binary_cross_entropy_with_logits(heads[t](h), READ[t](3))
    loss.backward(retain_graph=True)
