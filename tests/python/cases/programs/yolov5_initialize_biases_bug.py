import math

import torch
import torch.nn as nn


class Detect(nn.Module):
    stride = None

    def __init__(self, nc=80, anchors=(), ch=()):
        super().__init__()
        self.nc = nc
        self.na = len(anchors[0]) // 2
        self.m = nn.ModuleList(nn.Conv2d(x, (nc + 5) * self.na, 1) for x in ch)

    def forward(self, x):
        for i in range(len(x)):
            x[i] = self.m[i](x[i])
        return x


class Model(nn.Module):
    def __init__(self, nc=4, ch=3):
        super().__init__()
        anchors = ([10, 13, 16, 30], [30, 61, 62, 45])
        self.backbone = nn.ModuleList([nn.Conv2d(ch, 8, 3, 8, 1), nn.Conv2d(8, 16, 3, 2, 1)])
        self.detect = Detect(nc, anchors, (8, 16))
        self.detect.stride = torch.tensor([8.0, 16.0])
        self._initialize_biases()

    def forward(self, x):
        y = []
        for m in self.backbone:
            x = m(x)
            y.append(x)
        return self.detect(y)

    def _initialize_biases(self, cf=None):
        m = self.detect
        for mi, s in zip(m.m, m.stride):
            b = mi.bias.view(m.na, -1)
            b[:, 4] += math.log(8 / (640 / s) ** 2)
            b[:, 5:] += math.log(0.6 / (m.nc - 0.99)) if cf is None else torch.log(cf / cf.sum())
            mi.bias = torch.nn.Parameter(b.view(-1), requires_grad=True)


print(len(Model()(torch.rand(1, 3, 64, 64))))
