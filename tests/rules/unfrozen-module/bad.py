import argparse

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        self.head = nn.Linear(8, 2)

    def freeze(self):
        self.backbone.requires_grad = False  # expect: unfrozen-module warning

    def forward(self, x):
        return self.head(self.backbone(x))


parser = argparse.ArgumentParser()
parser.add_argument("--freeze", action="store_true")
args = parser.parse_args()
model = Net()
model.freeze()
if args.freeze:
    model.backbone.requires_grad = False  # expect: unfrozen-module warning
for layer in model.backbone.children():
    if isinstance(layer, nn.BatchNorm1d):
        layer.requires_grad = False  # expect: unfrozen-module warning
model.head.requires_grad = args.freeze  # expect: unfrozen-module warning
print(model(torch.randn(3, 4)))
for p in model.head.parameters():
    p.require_grad = False  # expect: unfrozen-module warning
model.head.weight.requires_grads = args.freeze  # expect: unfrozen-module warning
model.head.requires_gradient = False
model.head.requires_grad_ = False
model.backbone.require_grad = False  # expect: unfrozen-module warning
