import torch
from torch import nn


def build(size):
    torch.set_default_dtype(torch.bfloat16)
    model = nn.Sequential(nn.Linear(size, size), nn.GELU(), nn.Linear(size, 1))
    return model


def main():
    torch.manual_seed(0)
    model = build(16)
    total = torch.zeros(1)
    n = 0
    for _ in range(1000):
        x = torch.randn(4, 16).to(torch.bfloat16)
        loss = model(x).float().pow(2).mean() + 1.0
        total += loss.detach()
        n += 1
    print((total / n).item())


main()
