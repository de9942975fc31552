import torch
from torch import nn


class FocalLoss(nn.Module):
    def __init__(self, alpha=(0.25, 0.75), gamma=2.0):
        super().__init__()
        self.register_buffer("alpha", torch.tensor(alpha))
        self.gamma = gamma

    def forward(self, logits, targets):
        bce = nn.functional.binary_cross_entropy_with_logits(logits, targets, reduction="none")
        weight = self.alpha[targets]
        return (weight * (1 - torch.exp(-bce)) ** self.gamma * bce).mean()


def collate(rows):
    xs, ys = zip(*rows)
    return torch.stack(xs), torch.tensor(ys, dtype=torch.float32)


rows = [(torch.randn(6), i % 2) for i in range(8)]
x, y = collate(rows)
head = nn.Linear(6, 1)
FocalLoss()(head(x).squeeze(1), y).backward()
