import torch
from torch import nn


class PlainSGD:
    def __init__(self, params, lr):
        self.params = list(params)
        self.lr = lr

    @torch.no_grad()
    def step(self):
        for p in self.params:
            if p.grad is not None:
                p.add_(p.grad, alpha=-self.lr)
                p.grad = None


def fit(dtype, steps=5):
    model = nn.Linear(16, 16).to(dtype)
    opt = PlainSGD(model.parameters(), lr=1e-4)
    for _ in range(steps):
        x = torch.randn(4, 16, dtype=dtype)
        model(x).pow(2).mean().backward()
        opt.step()


fit(torch.float32)
