from collections import OrderedDict

import torch
import torch.nn as nn


class SqueezeExcite(nn.Module):
    def __init__(self, c, r=4):
        super().__init__()
        self.gate = nn.Sequential(
            OrderedDict([("down", nn.Conv2d(c, c // r, 1)), ("act", nn.ReLU()), ("up", nn.Conv2d(c // r, c, 1)), ("sig", nn.Sigmoid())])
        )

    def forward(self, x):
        s = x.mean((2, 3), keepdim=True)
        return x * self.gate(s)


class Net(nn.Module):
    def __init__(self, stages):
        super().__init__()
        self.stages = nn.Sequential(OrderedDict((n, self._stage(i, o)) for n, (i, o) in stages.items()))
        self.head = nn.Linear(list(stages.values())[-1][1], 2)

    @staticmethod
    def _stage(i, o):
        return nn.Sequential(nn.Conv2d(i, o, 3, 2, 1), nn.BatchNorm2d(o), nn.SiLU(), SqueezeExcite(o))

    def forward(self, x):
        return self.head(self.stages(x).flatten(2).mean(-1))


net = Net({"s1": (3, 8), "s2": (8, 16)})
images = torch.randint(0, 256, (2, 3, 16, 16), dtype=torch.uint8)
print(net(images))
