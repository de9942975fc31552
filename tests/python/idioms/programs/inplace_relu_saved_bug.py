import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc1 = nn.Linear(d, d)
        self.fc2 = nn.Linear(d, d)

    def forward(self, x):
        h = torch.sigmoid(self.fc1(x))
        h += x
        return self.fc2(h)


net = nn.Sequential(Block(4), Block(4))
net(torch.randn(2, 4)).sum().backward()
print(net[0].fc1.weight.grad.norm())
