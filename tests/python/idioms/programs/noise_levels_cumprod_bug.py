import numpy as np
import torch
from torch import nn


class Schedule:
    def __init__(self, steps):
        betas = np.linspace(1e-4, 0.02, steps)
        self.kept = torch.from_numpy(np.cumprod(1.0 - betas))

    def noisy(self, x, noise, step):
        kept = self.kept.to(x.device)[step].view(-1, 1)
        return kept.sqrt() * x + (1 - kept).sqrt() * noise


net = nn.Sequential(nn.Linear(8, 16), nn.SiLU(), nn.Linear(16, 8)).cuda()
schedule = Schedule(50)
x = torch.randn(4, 8, device="cuda")
noise = torch.randn_like(x)
step = torch.randint(0, 50, (4,), device="cuda")
print(nn.functional.mse_loss(net(schedule.noisy(x, noise, step)), noise))
