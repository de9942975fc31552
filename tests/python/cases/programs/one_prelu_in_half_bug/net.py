import torch
from torch import nn


class Prelu(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.weight = nn.Parameter(torch.full((channels,), 0.25, dtype=torch.float16))

    def forward(self, x):
        w = self.weight.to(x.dtype).view(1, -1, 1, 1)
        return torch.where(x > 0, x, x * w)


class IRNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, bias=False)
        self.bn = nn.BatchNorm2d(8)
        self.act = Prelu(8)
        self.fc = nn.Linear(8, 10)

    def forward(self, x):
        x = self.act(self.bn(self.conv(x)))
        return self.fc(x.mean(dim=(2, 3)))
