import torch
from torch import nn


class Rounding(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()  # its gradient is written below

    @staticmethod
    def backward(ctx, grad):
        return grad


model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(10):
    h = model(torch.randn(3, 4))
    straight = h + (h.round() - h).detach()
    part = h - h.floor()
    own = Rounding.apply(model(torch.randn(3, 4)))
    loss = (straight - 1).pow(2).mean() + part.mean() + own.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    right = (model(torch.randn(3, 4)).sigmoid().round() == 1).float().mean()  # only logged
    print(right.item())
    with torch.no_grad():
        print(model(torch.randn(3, 4)).round())
