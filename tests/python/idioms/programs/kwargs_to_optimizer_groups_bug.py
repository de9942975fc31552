import torch
import torch.nn as nn


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["exp_avg"] = torch.zeros(p.shape)
                exp_avg = state["exp_avg"]
                b1, b2 = group["betas"]
                update = exp_avg.mul(b1).add(p.grad, alpha=1 - b1)
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.add_(update.sign(), alpha=-group["lr"])
                exp_avg.mul_(b2).add_(p.grad, alpha=1 - b2)


def param_groups(model, wd):
    decay, no_decay = [], []
    for n, p in model.named_parameters():
        (no_decay if p.ndim < 2 or n.endswith("bias") else decay).append(p)
    return [{"params": decay, "weight_decay": wd}, {"params": no_decay, "weight_decay": 0.0}]


model = nn.Sequential(nn.Linear(5, 8), nn.LayerNorm(8), nn.Linear(8, 1)).to("cuda")
opt = Lion(param_groups(model, 0.1), lr=1e-3)
for _ in range(2):
    opt.zero_grad()
    model(torch.randn(3, 5, device="cuda")).sum().backward()
    opt.step()
