import math

import torch
from torch import nn


class Detect(nn.Module):
    def __init__(self, nc=3, anchors=3, channels=(8, 16)):
        super().__init__()
        self.na, self.no = anchors, nc + 5
        self.stride = (8, 16)
        self.m = nn.ModuleList([nn.Conv2d(c, self.no * self.na, 1) for c in channels])

    def forward(self, xs):
        return [m(x) for m, x in zip(self.m, xs)]


class YoloHead:
    def __init__(self, detect):
        self.detect = detect

    def reset_biases(self):
        for conv, stride in zip(self.detect.m, self.detect.stride):
            bias = conv.bias.detach().view(self.detect.na, -1)
            bias[:, 4] += math.log(8 / (640 / stride) ** 2)
            bias[:, 5:] += math.log(0.6 / (3 - 0.99))
            conv.bias = nn.Parameter(bias.view(-1), requires_grad=True)


head = YoloHead(Detect())
head.reset_biases()
print(head.detect([torch.randn(1, 8, 4, 4), torch.randn(1, 16, 2, 2)])[0].shape)
