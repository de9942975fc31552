import torch
from torch import nn
from torch.optim import Optimizer


class Lion(Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.999), weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["exp_avg"] = torch.zeros_like(p, dtype=torch.float32)
                m = state["exp_avg"]
                update = m.clone().mul_(b1).add_(p.grad, alpha=1 - b1).sign_()
                p.add_(update.to(p.dtype), alpha=-group["lr"])
                m.mul_(b2).add_(p.grad, alpha=1 - b2)


def main():
    net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1)).to("cuda", torch.bfloat16)
    opt = Lion(net.parameters(), lr=1e-2)
    for _ in range(10):
        x = torch.randn(4, 8, device="cuda", dtype=torch.bfloat16)
        loss = net(x).float().pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
