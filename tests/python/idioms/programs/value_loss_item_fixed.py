import torch
from torch import nn


class WorldModel(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.dynamics = nn.Linear(dim, dim)
        self.reward = nn.Linear(dim, 1)

    def forward(self, s):
        n = torch.tanh(self.dynamics(s))
        return n, self.reward(n).squeeze(-1)


class Meter:
    def __init__(self):
        self.values = {}

    def update(self, **kwargs):
        for k, v in kwargs.items():
            self.values.setdefault(k, []).append(v)

    def mean(self, k):
        return sum(self.values[k]) / len(self.values[k])


model = WorldModel()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
meter = Meter()
for step in range(10):
    s, target, r = torch.randn(16, 8), torch.randn(16, 8), torch.randn(16)
    nxt, reward = model(s)
    losses = {
        "state": (nxt - target).pow(2).mean(),
        "reward": (reward - r).pow(2).mean(),
    }
    loss = sum(losses.values())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    meter.update(loss=loss.item())
print(meter.mean("loss"))
