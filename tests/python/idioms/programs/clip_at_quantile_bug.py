import torch
from torch import nn


class RobustLoss(nn.Module):
    """Losses above a quantile are cut off."""

    def __init__(self, q=0.9):
        super().__init__()
        self.q = q

    def forward(self, prediction, target):
        error = (prediction - target).abs().flatten()
        limit = torch.quantile(error, self.q)
        return torch.minimum(error, limit).mean()


net = nn.Sequential(nn.Linear(8, 8), nn.Tanh()).bfloat16()
x = torch.randn(16, 8, dtype=torch.bfloat16)
RobustLoss()(net(x), x).backward()
