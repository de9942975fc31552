import torch
from torch import nn


class WarmLoss(nn.Module):
    def __init__(self, schedule):
        super().__init__()
        self.schedule = schedule
        self.register_buffer("step", torch.zeros((), dtype=torch.long))

    def forward(self, loss):
        self.step += self.schedule(self.step)
        return loss * self.schedule(self.step)


criterion = WarmLoss(lambda s: torch.clamp(s.float() / 10, max=1.0))
for i in range(3):
    print(criterion(torch.tensor(2.0)))
