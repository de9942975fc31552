# Some parameters without a gradient, gradients that are set by hand, two optimizers in one function, a step behind
# code that is not known, and gradients that are cleared on one way only.
import argparse

import torch
from torch import nn

from engine import Engine, run_backward


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.used = nn.Linear(4, 2)
        self.unused = nn.Linear(4, 2)

    def forward(self, x):
        return self.used(x)


def some():
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net(torch.randn(3, 4)).pow(2).mean().backward()
    optimizer.step()


def by_hand(noise):
    w = nn.Parameter(torch.randn(4))
    other = nn.Parameter(torch.randn(4))
    optimizer = torch.optim.SGD([w], lr=0.1)
    for _ in range(10):
        other.grad = None
        other.pow(2).sum().backward()
        w.grad = noise * torch.randn(4)
        optimizer.step()


def update(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def in_turn():
    first, second = nn.Linear(4, 4), nn.Linear(4, 1)
    optimizers = [torch.optim.Adam(first.parameters()), torch.optim.Adam(second.parameters())]
    for _ in range(10):
        x = torch.randn(3, 4)
        for optimizer in optimizers:
            update(optimizer, second(first(x)).pow(2).mean())


def elsewhere():
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    nn.Linear(4, 2)(torch.randn(3, 4)).sum().backward()
    for _ in range(10):
        loss = model(torch.randn(3, 4)).pow(2).mean()
        optimizer.zero_grad()
        run_backward(loss)
        optimizer.step()


def by_engine():
    model = nn.Linear(4, 2)
    engine = Engine(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    nn.Linear(4, 2)(torch.randn(3, 4)).sum().backward()
    for _ in range(10):
        optimizer.zero_grad()
        engine.run()
        optimizer.step()


def frozen_at_first():
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    model.requires_grad_(False)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    other = nn.Linear(4, 2)
    for epoch in range(10):
        if epoch == 5:
            model.requires_grad_(True)
        loss = (model(torch.randn(3, 4)) - other(torch.randn(3, 4))).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def skipped(limit):
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        loss = model(torch.randn(3, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if norm > limit:
            optimizer.zero_grad()
        optimizer.step()


parser = argparse.ArgumentParser()
parser.add_argument("--limit", type=float, default=10.0)
args = parser.parse_args()
some()
by_hand(0.1)
in_turn()
elsewhere()
by_engine()
frozen_at_first()
skipped(args.limit)
