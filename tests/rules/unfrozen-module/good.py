import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, requires_grad=False):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        self.head = nn.Linear(8, 2)
        self.requires_grad = requires_grad

    def forward(self, x):
        with torch.set_grad_enabled(self.requires_grad):
            return self.head(self.backbone(x))


class Switched(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))

    @property
    def requires_grad(self):
        return self.weight.requires_grad

    @requires_grad.setter
    def requires_grad(self, value):
        self.weight.requires_grad = value


class Plain:
    pass


model = Net(True)
model.backbone.requires_grad_(False)
for p in model.head.parameters():
    p.requires_grad = False
model.head.weight.requires_grad = False
model.head.requires_grad = True
Switched().requires_grad = False
Plain().requires_grad = False
x = torch.randn(3, 4)
x.requires_grad = False
print(model(x))
model.head.weight.required = False
model.head.weight.requires_sync = False
model.head.weight.require_grad = 1e-3
