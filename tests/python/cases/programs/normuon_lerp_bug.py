import torch
from torch.optim import Optimizer


def newton_schulz(g, steps=3):
    x = g.bfloat16()
    x = x / (x.norm() + 1e-7)
    for _ in range(steps):
        a = x @ x.T
        x = 1.5 * x - 0.5 * a @ x
    return x


class NorMuon(Optimizer):
    def __init__(self, params, lr=0.02, beta2=0.95):
        super().__init__(params, dict(lr=lr, beta2=beta2))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if "second_momentum" not in state:
                    state["second_momentum"] = torch.zeros_like(p[..., :1])
                u = newton_schulz(p.grad).float()
                v = torch.mean(u * u, dim=-1, keepdim=True)
                state["second_momentum"].lerp_(v, 1 - group["beta2"])
                u = u * state["second_momentum"].rsqrt()
                p.add_(u.to(p.dtype), alpha=-group["lr"])


w = torch.nn.Parameter(torch.randn(8, 16).to(torch.bfloat16))
opt = NorMuon([w])
loss = (w.float() ** 2).mean()
loss.backward()
opt.step()
