import torch
from torch import nn


class IoU:
    def __init__(self):
        self.inter = 0
        self.union = 0

    def update(self, pred, target):
        pred = pred > 0.5
        target = target > 0.5
        both = pred + target
        self.inter += (both == 2).sum().item()
        self.union += (both >= 1).sum().item()

    def value(self):
        return self.inter / max(self.union, 1)


def main():
    torch.manual_seed(0)
    metric = IoU()
    net = nn.Sequential(nn.Conv2d(1, 1, 3, padding=1), nn.Sigmoid())
    with torch.no_grad():
        for _ in range(3):
            x = torch.rand(2, 1, 16, 16)
            metric.update(net(x), x)
    print(metric.value())


main()
