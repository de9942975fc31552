# An optimizer of another model than the one that is trained, and gradients that are cleared too early.
import copy

import torch
from torch import nn


def averaged():
    model = nn.Sequential(*[nn.Linear(4, 4) for _ in range(3)], nn.ReLU(), nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    ema = copy.deepcopy(model)
    optimizer = torch.optim.AdamW(ema.parameters(), lr=1e-3)
    for _ in range(10):
        loss = model(torch.randn(3, 4)).pow(2).mean()
        model.zero_grad()
        ema.zero_grad()
        loss.backward()
        optimizer.step()  # expect: step-without-gradient warning


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def step(self, x):
        loss = self.model(x).pow(2).mean()
        loss.backward()
        self.model.zero_grad()
        self.optimizer.step()  # expect: step-without-gradient warning


def frozen():
    model, target = nn.Linear(4, 2), nn.Linear(4, 2)
    for p in target.parameters():
        p.requires_grad = False
    optimizer = torch.optim.SGD(target.parameters(), lr=0.1)
    for _ in range(10):
        x = torch.randn(3, 4)
        loss = (model(x) - target(x)).pow(2).mean()
        loss.backward()
        optimizer.step()  # expect: step-without-gradient warning
        model.zero_grad()


averaged()
frozen()
trainer = Trainer(nn.Linear(4, 2))
for _ in range(10):
    trainer.step(torch.randn(3, 4))
