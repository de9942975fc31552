# The target follows the other network as a moving average: that it gets no gradient is meant, although the optimizer
# holds its parameters, too.
import copy

import torch
from torch import nn


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Linear(8, 4)
        self.target = copy.deepcopy(self.online)

    @torch.no_grad()
    def follow(self):
        for p, t in zip(self.online.parameters(), self.target.parameters()):
            t.mul_(0.9).add_(p, alpha=0.1)

    def forward(self, x):
        aim = self.target(x)
        aim = aim.detach()
        return (self.online(x) - aim).square().mean()


pair = Pair()
optimizer = torch.optim.SGD(pair.parameters(), lr=0.1)
for _ in range(5):
    loss = pair(torch.randn(16, 8))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    pair.follow()
