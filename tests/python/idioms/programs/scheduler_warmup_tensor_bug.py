import torch
from torch import nn


class WarmupCosine(torch.optim.lr_scheduler.LambdaLR):
    def __init__(self, opt, warmup, total):
        self.warmup, self.total = warmup, total
        super().__init__(opt, self.factor)

    def factor(self, step):
        if step < self.warmup:
            return step / self.warmup
        return max(0.0, (self.total - step) / (self.total - self.warmup))


model = nn.Linear(4, 4).cuda().half()
opt = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-8)
sched = WarmupCosine(opt, 2, 10)
for _ in range(10):
    x = torch.randn(2, 4, device="cuda")
    loss = model(x.half()).float().pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
