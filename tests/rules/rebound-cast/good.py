import torch
from torch import nn

model = nn.Linear(4, 4)
for p in model.parameters():
    p.data = p.data.half()
wide = nn.Linear(4, 4)
total = 0
for p in wide.parameters():
    p = p.double()
    total += p.sum()


def both(x):
    x = x.half()
    return x


def later(x):
    try:
        x = x.half()
        x.frobnicate()
    except AttributeError:
        print(x)


def closed(x):
    x = x.half()
    return lambda: x


print(total, both(torch.ones(2)), later(torch.ones(2)), closed(torch.ones(2)))

best = torch.randn(4, 4).topk(2)[0]
best = best.to(torch.float64)
