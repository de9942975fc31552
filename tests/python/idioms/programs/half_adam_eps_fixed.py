import torch
from torch import nn


class HalfAdam(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["m"] = torch.zeros_like(p, dtype=torch.float32)
                    state["v"] = torch.zeros_like(p, dtype=torch.float32)
                m, v = state["m"], state["v"]
                grad = p.grad.float()
                m.mul_(b1).add_(grad, alpha=1 - b1)
                v.mul_(b2).addcmul_(grad, grad, value=1 - b2)
                denom = v.sqrt().add_(group["eps"])
                p.copy_(p.float() - group["lr"] * m / denom)


def main():
    torch.manual_seed(0)
    weight = nn.Parameter(torch.randn(64).half())
    optimizer = HalfAdam([weight], lr=1e-2)
    for _ in range(3):
        weight.grad = torch.zeros_like(weight)
        weight.grad[:32] = 1e-4
        optimizer.step()
    print(torch.isnan(weight).sum().item())


main()
