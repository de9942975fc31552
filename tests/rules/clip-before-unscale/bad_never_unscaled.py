import torch
from torch import nn


# The scale is a number, for f16, and gradients are never divided by it.
def train_half(model):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        with torch.autocast("cpu", dtype=torch.float16):
            loss = model(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        (loss * 1024).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)  # expect: clip-before-unscale warning
        optimizer.step()


train_half(nn.Linear(4, 1))
