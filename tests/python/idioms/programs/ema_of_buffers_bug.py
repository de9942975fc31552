import copy

import torch
from torch import nn


class ModelEMA:
    def __init__(self, model, decay=0.99):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay

    def _update(self, model, fn):
        with torch.no_grad():
            for e, m in zip(self.module.state_dict().values(), model.state_dict().values()):
                e.copy_(fn(e, m))

    def update(self, model):
        self._update(model, lambda e, m: e.mul_(self.decay).add_(m, alpha=1.0 - self.decay))


model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU())
ema = ModelEMA(model)
for _ in range(2):
    model(torch.randn(2, 3, 8, 8)).mean().backward()
    ema.update(model)
