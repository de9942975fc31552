import copy

import torch
from torch import nn
import torch.nn.functional as F


class MoCo(nn.Module):
    def __init__(self, dim=8, size=32, m=0.99):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, dim))
        self.k = copy.deepcopy(self.q)
        for p in self.k.parameters():
            p.requires_grad = False
        self.m = m
        self.register_buffer("queue", F.normalize(torch.randn(dim, size), dim=0))

    @torch.no_grad()
    def update(self):
        for a, b in zip(self.q.parameters(), self.k.parameters()):
            b.mul_(self.m).add_(a, alpha=1 - self.m)

    @torch.no_grad()
    def encode_key(self, x):
        return F.normalize(self.k(x), dim=1)

    def forward(self, a, b):
        q = F.normalize(self.q(a), dim=1)
        k = self.encode_key(b)
        pos = (q * k).sum(1, keepdim=True)
        logits = torch.cat([pos, q @ self.queue], dim=1) / 0.07
        return F.cross_entropy(logits, torch.zeros(len(a), dtype=torch.long)), k


model = MoCo()
optimizer = torch.optim.SGD(model.k.parameters(), lr=0.03)
for _ in range(5):
    loss, keys = model(torch.randn(8, 10), torch.randn(8, 10))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.update()
    model.queue = torch.cat([model.queue[:, 8:], keys.t()], dim=1)
print(loss.item())
