import torch
from torch import nn


def warp_valid(x, height):
    """1 where a pixel lies inside."""
    return ((x > 0) & (x < height)).byte()


class PhotometricLoss(nn.Module):
    def forward(self, pred, target, coords):
        valid = warp_valid(coords, 16)
        loss = (pred - target).abs()
        invalid = ~valid
        loss[invalid] = 0
        return loss.mean()


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 1, 3, padding=1)

    def forward(self, x):
        return self.conv(x)


net = Flow()
criterion = PhotometricLoss()
image = torch.rand(1, 1, 16, 16)
coords = torch.rand(1, 1, 16, 16) * 20 - 2
loss = criterion(net(image), image, coords)
loss.backward()
print(net.conv.weight.grad.abs().sum())
