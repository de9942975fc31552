import argparse
import copy

import torch
from torch import nn


class ShadowWeights:
    def __init__(self, model, decay=0.9999):
        self.decay = decay
        self.shadow = copy.deepcopy(model)
        for p in self.shadow.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.mul_(self.decay).add_(p, alpha=1 - self.decay)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bf16", action="store_true")
    args = parser.parse_args()
    net = nn.Sequential(nn.Linear(12, 24), nn.GELU(), nn.Linear(24, 3))
    if args.bf16:
        net = net.to(torch.bfloat16)
    shadow = ShadowWeights(net)
    for _ in range(10):
        shadow.update(net)
    print(sum(p.sum().item() for p in shadow.shadow.parameters()))


if __name__ == "__main__":
    main()
