import torch
import torch.nn as nn


def block(a, b):
    return nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.down = nn.ModuleList([block(3, width), block(width, 2 * width)])
        self.up = nn.Upsample(scale_factor=2)
        self.merge = block(3 * width, width)
        self.out = nn.Conv2d(width, 1, 1)
        self.pool = nn.AvgPool2d(2)

    def forward(self, x):
        skips = []
        for i, stage in enumerate(self.down):
            x = stage(x)
            if i == 0:
                skips.append(x.float())  # for the perceptual loss
                x = self.pool(x)
        x = torch.cat([self.up(x), skips.pop()], dim=1)
        return self.out(self.merge(x))


net = UNet().to(torch.bfloat16)
print(net(torch.rand(1, 3, 16, 16, dtype=torch.bfloat16)).shape)
