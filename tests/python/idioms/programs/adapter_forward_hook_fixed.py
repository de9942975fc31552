import torch
import torch.nn as nn


class Adapter(nn.Module):
    def __init__(self, dim, r=2, **kw):
        super().__init__()
        self.down = nn.Linear(dim, r, **kw)
        self.up = nn.Linear(r, dim, **kw)

    def forward(self, x):
        return x + self.up(torch.relu(self.down(x)))


def attach(model, target=nn.Linear, **kw):
    adapters = nn.ModuleDict()
    for name, m in model.named_modules():
        if isinstance(m, target):
            a = Adapter(m.out_features, **kw)
            adapters[name.replace(".", "_")] = a
            m.register_forward_hook(lambda mod, inp, out, a=a: a(out))
    return adapters


base = nn.Sequential(nn.Linear(6, 6), nn.Tanh(), nn.Linear(6, 2)).to(torch.float64)
for p in base.parameters():
    p.requires_grad = False
adapters = attach(base, dtype=torch.float64)
opt = torch.optim.AdamW(adapters.parameters(), lr=1e-3)
out = base(torch.randn(3, 6, dtype=torch.float64))
out.sum().backward()
opt.step()
