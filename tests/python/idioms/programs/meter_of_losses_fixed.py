import torch
from torch import nn


class AverageMeter:
    def __init__(self):
        self.sum, self.count = 0, 0

    def update(self, value, n=1):
        self.sum = self.sum + float(value) * n
        self.count += n

    @property
    def average(self):
        return self.sum / max(self.count, 1)


model = nn.Linear(8, 1).to(torch.bfloat16)
meter = AverageMeter()
with torch.no_grad():
    for step in range(2000):
        x = torch.randn(16, 8, dtype=torch.bfloat16)
        meter.update(model(x).square().mean(), x.shape[0])
print(meter.average)
