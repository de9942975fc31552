import torch
from torch import nn


class Scaler:
    def __init__(self, scale):
        self.scale = scale

    def backward(self, loss, parameters):
        (loss * self.scale).backward()
        for p in parameters:
            p.grad /= self.scale


def helper(model, optimizer, scaler, x):
    optimizer.zero_grad()
    scaler.backward(model(x).pow(2).mean(), model.parameters())
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()


# Gradients of several batches: unscaled once, and then clipped.
def accumulate(model, optimizer, batches, loss_scale):
    for i, x in enumerate(batches):
        loss = model(x).pow(2).mean()
        (loss * loss_scale).backward()
        if i % 4 == 3:
            if loss_scale != 1:
                for p in model.parameters():
                    p.grad.div_(loss_scale)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()


# The limit is scaled, too.
def scaled_limit(model, optimizer, x, loss_scale, most=1.0):
    limit = most * loss_scale
    optimizer.zero_grad()
    (model(x).mean() * loss_scale).backward()
    nn.utils.clip_grad_norm_(model.parameters(), limit)
    for p in model.parameters():
        p.grad.div_(loss_scale)
    optimizer.step()
    optimizer.zero_grad()
    (model(x).mean() * loss_scale).backward()
    nn.utils.clip_grad_norm_(model.parameters(), most * loss_scale)
    for p in model.parameters():
        p.grad.div_(loss_scale)
    optimizer.step()


# A weight of the loss, which gradients are not divided by; and something else that they are divided by.
def weighted(model, optimizer, x, weight, count):
    optimizer.zero_grad()
    (model(x).mean() * weight).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for p in model.parameters():
        p.grad.div_(count)
    optimizer.step()


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
helper(model, optimizer, Scaler(256.0), torch.randn(8, 4))
accumulate(model, optimizer, [torch.randn(8, 4) for _ in range(8)], 256.0)
scaled_limit(model, optimizer, torch.randn(8, 4), 256.0)
weighted(model, optimizer, torch.randn(8, 4), 64.0, 8)
for _ in range(3):
    optimizer.zero_grad()
    (model(torch.randn(8, 4)).mean() * 64).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
