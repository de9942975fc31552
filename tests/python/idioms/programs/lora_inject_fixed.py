import math

import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base, rank=4, alpha=8.0):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad = False
        self.lora_a = nn.Parameter(torch.empty(rank, base.in_features, dtype=base.weight.dtype))
        self.lora_b = nn.Parameter(torch.zeros(base.out_features, rank, dtype=base.weight.dtype))
        nn.init.kaiming_uniform_(self.lora_a, a=math.sqrt(5))
        self.scaling = alpha / rank

    def forward(self, x):
        out = self.base(x)
        delta = x @ self.lora_a.t() @ self.lora_b.t()
        return out + delta * self.scaling


class MLP(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.up = nn.Linear(dim, 4 * dim)
        self.down = nn.Linear(4 * dim, dim)

    def forward(self, x):
        return self.down(torch.relu(self.up(x)))


def inject(model, names, rank):
    for name, child in list(model.named_children()):
        if isinstance(child, nn.Linear) and name in names:
            setattr(model, name, LoRALinear(child, rank))
        else:
            inject(child, names, rank)
    return model


def main():
    model = nn.Sequential(MLP(16), MLP(16)).to(torch.bfloat16)
    model = inject(model, {"up", "down"}, rank=2)
    x = torch.randn(3, 16, dtype=torch.bfloat16)
    print(model(x).float().sum().item())


main()
