import math

import torch
from torch import nn


def sinusoidal_embedding(t, dim):
    half = dim // 2
    freqs = torch.exp(-math.log(1e4) * torch.arange(half, dtype=torch.float32) / half)
    angles = t.to(torch.float32).unsqueeze(-1) * freqs
    return torch.cat([angles.cos(), angles.sin()], dim=-1)


class TimeMLP(nn.Module):
    def __init__(self, dim=16, hidden=32):
        super().__init__()
        self.dim = dim
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, hidden))

    def forward(self, t):
        emb = sinusoidal_embedding(t, self.dim)
        emb = emb.to(next(self.net.parameters()).dtype)
        return self.net(emb)


class EnergyModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = TimeMLP()
        self.energy = nn.Linear(2 + 32, 1)

    def forward(self, x, t):
        return self.energy(torch.cat([x, self.time(t)], dim=1))


model = EnergyModel().double()
x = torch.randn(4, 2, dtype=torch.float64)
t = torch.rand(4, dtype=torch.float64)
print(model(x, t).dtype)
