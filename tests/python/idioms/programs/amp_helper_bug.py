import contextlib

import torch
from torch import nn


class Amp:
    def __init__(self, optimizer, enabled=True, clip=1.0):
        self.optimizer = optimizer
        self.enabled = enabled
        self.clip = clip
        self.scaler = torch.cuda.amp.GradScaler(enabled=enabled)

    def context(self):
        if not self.enabled:
            return contextlib.nullcontext()
        return torch.autocast("cuda", dtype=torch.float16)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def step(self):
        params = [p for g in self.optimizer.param_groups for p in g["params"]]
        nn.utils.clip_grad_norm_(params, self.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)


def main():
    net = nn.Sequential(nn.Linear(8, 32), nn.SiLU(), nn.Linear(32, 1)).cuda()
    amp = Amp(torch.optim.AdamW(net.parameters(), lr=1e-3))
    for _ in range(10):
        x = torch.randn(16, 8, device="cuda")
        with amp.context():
            loss = nn.functional.mse_loss(net(x).squeeze(-1), x.sum(-1))
        amp.backward(loss)
        amp.step()


main()
