import torch
from torch import nn


class InputNorm(nn.Module):
    """Normalises inputs by statistics gathered over the training set."""

    def __init__(self, size):
        super().__init__()
        self.register_buffer("total", torch.zeros(size))
        self.register_buffer("squares", torch.zeros(size))
        self.register_buffer("count", torch.zeros((), dtype=torch.long))

    def update(self, x):
        self.total += x.sum(0)
        self.squares += (x * x).sum(0)
        self.count += x.shape[0]

    def forward(self, x):
        mean = self.total / self.count
        var = self.squares / self.count - mean * mean
        return (x - mean) / torch.sqrt(var.clamp(min=0) + 1e-12)


def main():
    torch.manual_seed(0)
    pressure = 101325.0 + 5 * torch.randn(2000, 1)
    norm = InputNorm(1)
    for chunk in pressure.split(100):
        norm.update(chunk)
    print(norm(pressure).std().item())


main()
