import torch
from torch import nn


class Wrapped:
    """Adds timing; everything else goes to the module."""

    def __init__(self, module):
        self.module = module
        self.calls = 0

    def __getattr__(self, name):
        return getattr(self.module, name)

    def __call__(self, *args, **kwargs):
        self.calls += 1
        return self.module(*args, **kwargs)


class Net(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.fc = nn.Linear(a, b)

    def forward(self, x, scale=1.0):
        return self.fc(x) * scale


def main():
    net = Wrapped(Net(8, 4))
    net.double()
    net.eval()
    x = torch.ones(2, 8)
    print(net(x, scale=0.5), net.calls)


main()
