# The input of the layers that follow a certain one is of another dtype than they are.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(10)])
        self.narrow = self.layers[6]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
            if layer is self.narrow:
                x = x.half()
        return x


net = Net()
with torch.no_grad():
    print(net(torch.ones(2, 4)))
