import argparse

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8))
        self.head = nn.Linear(8, 2)

    def freeze(self, frozen):
        for p in self.backbone.parameters():
            p.requires_grad = not frozen  # expect: unfrozen-too-late warning

    def forward(self, x):
        return self.head(self.backbone(x))


class Finetuner:
    def __init__(self, model):
        self.model = model
        model.freeze(True)
        held = filter(lambda p: p.requires_grad, model.parameters())
        self.optimizer = torch.optim.AdamW(held, lr=1e-3)

    def step(self):
        loss = self.model(torch.randn(3, 4)).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def thaw(self):
        self.model.freeze(False)


parser = argparse.ArgumentParser()
parser.add_argument("--all", action="store_true")
args = parser.parse_args()
tuner = Finetuner(Net())
tuner.step()
tuner.thaw()
tuner.step()

other = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 1))
other.requires_grad_(False)
other[2].requires_grad_(True)
optimizer = torch.optim.SGD(other[2].parameters(), lr=0.1)
for step in range(4):
    if args.all and step == 2:
        other[1].requires_grad_(True)  # expect: unfrozen-too-late warning
    optimizer.zero_grad()
    other(torch.randn(2, 4)).sum().backward()
    optimizer.step()
