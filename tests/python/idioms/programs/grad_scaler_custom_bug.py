import torch
import torch.nn as nn


class LossScaler:
    def __init__(self, scale=1024.0):
        self.scale = torch.tensor(scale)

    def __call__(self, loss):
        return loss * self.scale.to(loss.device)

    @torch.no_grad()
    def unscale_(self, params):
        inv = 1.0 / self.scale
        finite = True
        for p in params:
            if p.grad is None:
                continue
            p.grad.mul_(inv.to(p.grad.device))
            finite = finite and bool(torch.isfinite(p.grad).all())
        return finite


class MasterWeights:
    """float32 copies of bfloat16 parameters."""

    def __init__(self, params):
        self.params = list(params)
        self.master = [p.detach().clone().float().requires_grad_() for p in self.params]

    def collect(self):
        for p, m in zip(self.params, self.master):
            m.grad = p.grad

    @torch.no_grad()
    def write_back(self):
        for p, m in zip(self.params, self.master):
            p.copy_(m)


model = nn.Sequential(nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 1)).bfloat16()
scaler = LossScaler()
masters = MasterWeights(model.parameters())
opt = torch.optim.SGD(masters.master, lr=0.01)
for _ in range(2):
    x = torch.randn(4, 6, dtype=torch.bfloat16)
    loss = scaler(model(x).float().pow(2).mean())
    model.zero_grad()
    loss.backward()
    masters.collect()
    if scaler.unscale_(masters.master):
        opt.step()
        masters.write_back()
