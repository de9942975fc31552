import torch
from torch import nn


def descend(params, lr):
    with torch.no_grad():
        for p in params:
            p = p - lr * p.grad  # expect: rebound-cast warning


def average(shadow, model):
    with torch.no_grad():
        for s, p in zip(shadow.parameters(), model.parameters()):
            s = 0.999 * s + 0.001 * p  # expect: rebound-cast warning


def blend(mean, new):
    mean = mean * 0.9 + new * 0.1  # expect: rebound-cast warning


model, shadow = nn.Linear(4, 4), nn.Linear(4, 4)
mean = torch.zeros(3, 4)
for _ in range(10):
    out = model(torch.randn(3, 4))
    model.zero_grad()
    out.pow(2).mean().backward()
    descend(list(model.parameters()), 0.1)
    average(shadow, model)
    blend(mean, out.detach())
for w, name in [(torch.ones(2), "a"), (torch.ones(3), "b")]:
    w = w / w.sum()  # expect: rebound-cast warning
