import torch
from torch import nn
from torch.nn import functional as F


class Meta(nn.Module):
    def __init__(self, n_way, lr=0.01):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, n_way))
        self.optim = torch.optim.Adam(self.net.parameters(), lr=lr)

    def forward(self, x_spt, y_spt):
        losses = 0
        for i in range(x_spt.size(0)):
            logits = self.net(x_spt[i])
            losses = losses + F.cross_entropy(logits, y_spt[i])
        self.optim.zero_grad()
        losses.backward()
        self.optim.step()
        return losses.item()
