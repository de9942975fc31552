import torch
import torch.nn as nn


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base = base(self.param_groups, **kwargs)

    @torch.no_grad()
    def first_step(self):
        norm = torch.stack([p.grad.norm() for g in self.param_groups for p in g["params"]]).norm()
        for g in self.param_groups:
            for p in g["params"]:
                e = p.grad / (norm + 1e-12) * g["rho"]
                p.add_(e)
                self.state[p]["e"] = e

    @torch.no_grad()
    def second_step(self):
        for g in self.param_groups:
            for p in g["params"]:
                p.sub_(self.state[p]["e"])
        self.base.step()

    def step(self, closure=None):
        raise RuntimeError("use first_step and second_step")


device = "cuda"
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)).to(device)
opt = SAM(model.parameters(), torch.optim.SGD, lr=0.1)
x = torch.randn(5, 4, device=device)
model(x).pow(2).mean().backward()
opt.first_step()
model(x).pow(2).mean().backward()
opt.second_step()
