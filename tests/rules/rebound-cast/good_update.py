import torch
from torch import nn

model = nn.Linear(4, 4)
mean = torch.zeros(3, 4)


def descend(params, lr):
    with torch.no_grad():
        for p in params:
            p -= lr * p.grad
            p.grad = None


def descended(params, lr):
    out = []
    for p in params:
        p = p - lr * p.grad
        out.append(p)
    return out


def scaled(x, factor):
    x = x * factor
    return factor


for _ in range(10):
    model(torch.randn(3, 4)).pow(2).mean().backward()
    params = descended(list(model.parameters()), 0.1)
    descend(list(model.parameters()), 0.1)
for x in [torch.ones(2), torch.ones(3)]:
    x = x / x.sum()
print(x, scaled(mean, 2))
for name, p in model.named_parameters():
    p = p.detach()
    p = p - p.mean()
    print(name, p)
