import torch
from torch import nn

ENCODERS = {}


def register(name):
    def wrap(cls):
        ENCODERS[name] = cls
        return cls
    return wrap


@register("mlp")
class MLP(nn.Module):
    def __init__(self, dim, dtype=None):
        super().__init__()
        self.fc = nn.Linear(dim, dim, dtype=dtype)

    def forward(self, x):
        return self.fc(x)


@register("conv")
class Conv(nn.Module):
    def __init__(self, dim, dtype=None):
        super().__init__()
        self.conv = nn.Conv1d(1, 1, 3, padding=1, dtype=dtype)

    def forward(self, x):
        return self.conv(x.unsqueeze(1)).squeeze(1)


def build(name, **kwargs):
    return ENCODERS[name](**kwargs)


encoder = build("mlp", dim=8, dtype=torch.float64)
x = torch.linspace(0, 1, 8, dtype=torch.float64).repeat(2, 1)
print(encoder(x))
