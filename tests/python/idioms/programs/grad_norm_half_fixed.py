import torch
from torch import nn


def grad_norm(parameters):
    total = torch.zeros((), dtype=torch.float32)
    for p in parameters:
        total += p.grad.float().pow(2).sum()
    return total.float().sqrt()


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 1))
    loss = (model(torch.randn(512, 64)) * 100).pow(2).sum()
    loss.backward()
    print(grad_norm(model.parameters()).item())


main()
