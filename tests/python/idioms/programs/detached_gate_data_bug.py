import torch
import torch.nn as nn


class Gated(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gate = nn.Parameter(torch.zeros(dim))
        self.body = nn.Linear(dim, dim)

    def forward(self, x):
        g = torch.sigmoid(self.gate.data)
        return x + g * self.body(x)


torch.manual_seed(0)
layer = Gated(8)
opt = torch.optim.SGD(layer.parameters(), lr=1.0)
x = torch.randn(32, 8)
for _ in range(5):
    opt.zero_grad()
    (layer(x) - 2 * x).pow(2).mean().backward()
    opt.step()
print("gate %.5f" % layer.gate.abs().sum().item())
