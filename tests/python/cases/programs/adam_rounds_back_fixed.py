import torch
from torch import nn


class Adam:
    def __init__(self, params, lr=6e-4, betas=(0.9, 0.999), eps=1e-8):
        self.params = list(params)
        self.lr, self.betas, self.eps = lr, betas, eps
        self.m = [torch.zeros(p.shape) for p in self.params]
        self.v = [torch.zeros(p.shape) for p in self.params]
        self.master = [p.detach().float() for p in self.params]
        self.t = 0

    @torch.no_grad()
    def step(self):
        self.t += 1
        for i, p in enumerate(self.params):
            g = p.grad.float()
            self.m[i] = self.betas[0] * self.m[i] + (1 - self.betas[0]) * g
            self.v[i] = self.betas[1] * self.v[i] + (1 - self.betas[1]) * g * g
            update = self.m[i] / (self.v[i].sqrt() + self.eps)
            self.master[i] -= self.lr * update
            p.copy_(self.master[i])


model = nn.Linear(16, 4).to(torch.bfloat16)
opt = Adam(model.parameters())
for step in range(5):
    loss = model(torch.randn(8, 16).to(torch.bfloat16)).float().pow(2).mean()
    model.zero_grad()
    loss.backward()
    opt.step()
