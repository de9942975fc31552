import copy

import torch
from torch import nn


class EMA:
    def __init__(self, model, decay=0.9999):
        self.decay = decay
        self.shadow = copy.deepcopy(model).eval()
        self.shadow.float()
        for p in self.shadow.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.mul_(self.decay).add_(p.float(), alpha=1 - self.decay)


model = nn.Linear(32, 32).cuda().to(torch.bfloat16)
ema = EMA(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(100):
    x = torch.randn(16, 32, device="cuda", dtype=torch.bfloat16)
    loss = model(x).float().pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(model)
