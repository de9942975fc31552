import torch
from torch import nn


class Quantized(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 8)
        self.outer = nn.Linear(8, 1)

    def forward(self, x):
        h = torch.round(self.inner(x) * 16) / 16  # expect: zero-gradient warning
        return self.outer(h)


class Signs(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4))

    def forward(self, x):
        codes = (x @ self.weight).sign()  # expect: zero-gradient warning
        return codes.mean(dim=-1, keepdim=True)


for model in (Quantized(), Signs()):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        loss = (model(torch.randn(3, 4)) - 1).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
