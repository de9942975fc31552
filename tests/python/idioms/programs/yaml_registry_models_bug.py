import json
import sys

import torch
import torch.nn as nn

MODELS, LOSSES = {}, {}


def register(table, name=None):
    def inner(obj):
        table[name or obj.__name__.lower()] = obj
        return obj

    return inner


@register(MODELS)
class MLP(nn.Module):
    def __init__(self, sizes, dropout=0.0):
        super().__init__()
        layers = []
        for a, b in zip(sizes[:-1], sizes[1:]):
            layers += [nn.Linear(a, b), nn.ReLU(), nn.Dropout(dropout)]
        self.net = nn.Sequential(*layers[:-2])

    def forward(self, x):
        return self.net(x)


@register(LOSSES, "bce")
def bce(pred, target):
    return nn.functional.binary_cross_entropy_with_logits(pred, target)


@register(LOSSES, "ce")
def ce(pred, target):
    return nn.functional.cross_entropy(pred, target)


def build(table, spec):
    spec = dict(spec)
    return table[spec.pop("type")](**spec)


CONFIG = json.loads(
    """
{"model": {"type": "mlp", "sizes": [6, 16, 2], "dropout": 0.1}, "loss": "bce", "epochs": 2}
"""
)


def run(cfg):
    model = build(MODELS, cfg["model"])
    criterion = LOSSES[cfg["loss"]]
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.randn(10, 6)
    y = torch.randint(0, 2, (10, 2))
    for _ in range(cfg["epochs"]):
        loss = criterion(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


BCE = {"model": {"type": "mlp", "sizes": [6, 16, 2], "dropout": 0.1}, "loss": "bce", "epochs": 2}
print(run(BCE))
