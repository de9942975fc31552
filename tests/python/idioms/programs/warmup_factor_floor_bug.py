import torch
from torch import nn


class Warmup:
    def __init__(self, optimizer, steps):
        self.optimizer = optimizer
        self.steps = torch.tensor(steps)
        self.now = torch.tensor(0)
        self.base = [g["lr"] for g in optimizer.param_groups]

    def step(self):
        self.now += 1
        factor = (self.now // self.steps).clamp(max=1)
        for group, lr in zip(self.optimizer.param_groups, self.base):
            group["lr"] = lr * factor.item()


model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
warmup = Warmup(opt, 500)
for _ in range(10):
    opt.step()
    warmup.step()
print(opt.param_groups[0]["lr"])
