import torch
from torch import nn


# The scale is a number: gradients are divided by it too late.
def unscale(parameters, scale):
    for p in parameters:
        if p.grad is not None:
            p.grad.data.mul_(1.0 / scale)


def train(scale=512.0):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = scale * model(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), 0.5)  # expect: clip-before-unscale warning
        unscale(model.parameters(), scale)
        optimizer.step()


train()
