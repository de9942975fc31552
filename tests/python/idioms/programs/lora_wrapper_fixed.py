import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base, r=4, alpha=8):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad = False
        w = base.weight
        self.A = nn.Parameter(torch.randn(r, base.in_features, dtype=w.dtype, device=w.device) * 0.01)
        self.B = nn.Parameter(torch.zeros(base.out_features, r, dtype=w.dtype, device=w.device))
        self.scaling = alpha / r

    def forward(self, x):
        return self.base(x) + (x @ self.A.t()) @ self.B.t() * self.scaling


def inject(model):
    for name, child in model.named_children():
        if isinstance(child, nn.Linear):
            setattr(model, name, LoRALinear(child))
        else:
            inject(child)
    return model


model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2)).to(torch.bfloat16)
model = inject(model)
print(model(torch.randn(3, 8, dtype=torch.bfloat16)))
