import torch
from torch import nn


def find(model, path):
    target = model
    for part in path.split("."):
        target = getattr(target, part)
    return target


def replace(model, path, new):
    parent, _, name = path.rpartition(".")
    setattr(find(model, parent) if parent else model, name, new)


net = nn.Sequential(nn.Linear(6, 6), nn.Sequential(nn.ReLU(), nn.Linear(6, 6)), nn.Linear(6, 2)).to(torch.bfloat16)
old = find(net, "1.1")
replace(net, "1.1", nn.Linear(old.in_features, 8))
replace(net, "2", nn.Linear(8, 2).to(torch.bfloat16))
print(net(torch.randn(3, 6).to(torch.bfloat16)))
