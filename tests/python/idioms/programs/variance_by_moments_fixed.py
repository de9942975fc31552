import torch
from torch import nn


class InputNorm(nn.Module):
    """Normalises inputs by statistics gathered over the training set."""

    def __init__(self, size):
        super().__init__()
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("m2", torch.zeros(size))
        self.register_buffer("count", torch.zeros((), dtype=torch.long))

    def update(self, x):
        n = self.count + x.shape[0]
        delta = x.mean(0) - self.mean
        self.mean += delta * x.shape[0] / n
        self.m2 += ((x - x.mean(0)) ** 2).sum(0) + delta * delta * self.count * x.shape[0] / n
        self.count.copy_(n)

    def forward(self, x):
        var = self.m2 / self.count
        return (x - self.mean) / torch.sqrt(var + 1e-12)


def main():
    torch.manual_seed(0)
    pressure = 101325.0 + 5 * torch.randn(2000, 1)
    norm = InputNorm(1)
    for chunk in pressure.split(100):
        norm.update(chunk)
    print(norm(pressure).std().item())


main()
