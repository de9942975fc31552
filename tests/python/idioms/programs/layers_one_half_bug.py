# One of many layers that are alike is of another dtype.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(10)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


net = Net()
net.layers[6].half()
with torch.no_grad():
    print(net(torch.ones(2, 4)))
