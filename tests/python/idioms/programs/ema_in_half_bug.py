import copy

import torch
from torch import nn


class EMA:
    def __init__(self, model, decay=0.9999):
        self.decay = decay
        self.shadow = copy.deepcopy(model)
        for p in self.shadow.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for average, p in zip(self.shadow.parameters(), model.parameters()):
            average.mul_(self.decay).add_(p.data, alpha=1 - self.decay)


model = nn.Linear(16, 16).half().cuda()
ema = EMA(model)
for step in range(100):
    with torch.no_grad():
        for p in model.parameters():
            p.add_(0.01)
    ema.update(model)
print(ema.shadow.weight.dtype)
