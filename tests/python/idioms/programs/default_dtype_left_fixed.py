import torch
from torch import nn


def reference_solution(points):
    previous = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    x = torch.linspace(0, 1, points)
    y = torch.sin(6.28 * x)
    torch.set_default_dtype(previous)
    return x.float(), y.float()


x, y = reference_solution(50)
model = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
prediction = model(x.unsqueeze(1))
print((prediction.squeeze(1) - y).abs().mean().item())
