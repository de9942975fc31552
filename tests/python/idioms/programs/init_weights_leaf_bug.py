import torch
from torch import nn


def rescale(module, gain):
    for name, p in module.named_parameters():
        if name.endswith("weight") and p.dim() > 1:
            p.mul_(gain)


class ResMLP(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(dim, dim) for _ in range(depth))
        self.head = nn.Linear(dim, 1)
        self.reset(depth)

    def reset(self, depth):
        for layer in self.layers:
            nn.init.xavier_uniform_(layer.weight)
            rescale(layer, depth ** -0.5)

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.relu(layer(x))
        return self.head(x)


net = ResMLP(16, 4)
print(net(torch.randn(2, 16)))
