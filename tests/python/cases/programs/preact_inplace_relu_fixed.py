import torch
from torch import nn


class PreActBlock(nn.Module):
    def __init__(self, channels, inplace=True):
        super().__init__()
        self.bn = nn.BatchNorm2d(channels)
        self.activ = nn.ReLU(inplace=False)
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.gate = nn.Conv2d(channels, channels, 1)

    def forward(self, x):
        identity = torch.sigmoid(self.gate(x))
        y = self.activ(identity)
        y = self.conv(self.bn(y))
        return y + identity


class Net(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, padding=1)
        self.blocks = nn.Sequential(*[PreActBlock(8) for _ in range(depth)])
        self.fc = nn.Linear(8, 10)

    def forward(self, x):
        x = self.blocks(self.stem(x))
        return self.fc(x.mean(dim=(2, 3)))


net = Net()
out = net(torch.randn(2, 3, 8, 8))
loss = nn.functional.cross_entropy(out, torch.tensor([1, 2]))
loss.backward()
