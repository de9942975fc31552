import torch
from torch import nn

START = 1_700_000_000


class TimeEncoder(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.freq = nn.Parameter(torch.rand(dim))

    def forward(self, seconds):
        return torch.cos(seconds[:, None] * self.freq)


def timestamps(n):
    return START + torch.arange(n) * 7


stamps = timestamps(512)
seconds = (stamps - START).float()
print(TimeEncoder()(seconds).shape)
