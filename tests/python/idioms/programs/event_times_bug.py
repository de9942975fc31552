import torch
from torch import nn


class TimeEncoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w = nn.Linear(1, dim)

    def forward(self, dt):
        return torch.cos(self.w(dt.unsqueeze(-1)))


class EventLog:
    def __init__(self, n):
        self.times = torch.arange(n) + 1_700_000_000

    def gaps(self):
        t = self.times.float()
        return t[1:] - t[:-1]


log = EventLog(100)
print(TimeEncoder(4)(log.gaps()).shape)
