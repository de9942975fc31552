import torch
from torch import nn


def finite_difference(f, x, h=1e-6):
    torch.set_default_dtype(torch.float64)
    grid = torch.linspace(-1, 1, 5)
    slope = (f(x.double() + h) - f(x.double() - h)) / (2 * h)
    return slope, grid


slope, grid = finite_difference(torch.sin, torch.randn(5))
model = nn.Linear(5, 2)
batch = torch.randn(3, 5)
print(model(batch).dtype, slope.dtype)
