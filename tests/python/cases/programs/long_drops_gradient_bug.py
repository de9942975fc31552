import torch
from torch import nn


class Pointer(nn.Module):
    """Predicts a position in the sequence."""

    def __init__(self, dim=8, length=16):
        super().__init__()
        self.length = length
        self.fc = nn.Linear(dim, 1)

    def forward(self, x):
        pos = torch.sigmoid(self.fc(x)) * (self.length - 1)
        pos = pos.long()
        return pos.squeeze(-1)


def loss_fn(pos, target):
    return (pos - target).abs().float().mean()


def train(model, steps=2):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        x = torch.randn(4, 8)
        target = torch.randint(0, 16, (4,))
        loss = loss_fn(model(x), target)
        opt.zero_grad()
        loss.backward()
        opt.step()


train(Pointer())
