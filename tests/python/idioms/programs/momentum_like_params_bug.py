import torch
from torch import nn
from torch.optim import Optimizer


class Lion(Optimizer):
    def __init__(self, params, lr=1e-3, beta=0.999):
        super().__init__(params, {"lr": lr, "beta": beta})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if "m" not in state:
                    state["m"] = torch.zeros_like(p)
                m = state["m"]
                p.add_(m.sign().to(p.dtype), alpha=-group["lr"] * 20)
                m.mul_(0.999).add_(p.grad.to(m.dtype), alpha=0.001)


model = nn.Linear(8, 1).to(torch.bfloat16)
opt = Lion(model.parameters())
for _ in range(3):
    opt.zero_grad()
    model(torch.randn(4, 8).to(torch.bfloat16)).float().square().mean().backward()
    opt.step()
