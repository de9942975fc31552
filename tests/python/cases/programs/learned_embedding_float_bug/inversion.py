import torch
from torch import nn


def train_embedding(dim, steps=3):
    learned = nn.Parameter(torch.randn(1, dim))
    opt = torch.optim.AdamW([learned], lr=5e-3)
    for _ in range(steps):
        loss = (learned ** 2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return {"*": learned.detach()}
