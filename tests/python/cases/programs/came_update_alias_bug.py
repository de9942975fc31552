import torch
from torch.optim import Optimizer


class CAME(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-30):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                grad = p.grad
                if grad is None:
                    continue
                state = self.state[p]
                factored = p.dim() >= 2
                if len(state) == 0:
                    state["exp_avg"] = torch.zeros_like(p)
                exp_avg = state["exp_avg"]
                exp_avg.mul_(group["betas"][0]).add_(grad, alpha=1 - group["betas"][0])
                if factored:
                    res = (grad - exp_avg) ** 2 + group["eps"]
                    update = exp_avg * res.mean(dim=-1, keepdim=True).rsqrt()
                else:
                    update = exp_avg
                update.mul_(group["lr"])
                p.add_(-update)


layer = torch.nn.Linear(4, 2)
opt = CAME(layer.parameters())
for _ in range(3):
    opt.zero_grad()
    layer(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
print(opt.state[layer.bias]["exp_avg"])
