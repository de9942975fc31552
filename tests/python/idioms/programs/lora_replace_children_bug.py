import math

import torch
import torch.nn as nn


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r: int = 4, alpha: float = 8.0):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.scale = alpha / r
        self.lora_a = nn.Parameter(torch.empty(r, base.in_features))
        self.lora_b = nn.Parameter(torch.zeros(base.out_features, r))
        nn.init.kaiming_uniform_(self.lora_a, a=math.sqrt(5))

    def forward(self, x):
        out = self.base(x)
        return out + (x @ self.lora_a.t()) @ self.lora_b.t() * self.scale


def inject(module, targets, r=4):
    for name, child in module.named_children():
        if isinstance(child, nn.Linear) and name in targets:
            setattr(module, name, LoRALinear(child, r=r))
        else:
            inject(child, targets, r=r)
    return module


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q_proj = nn.Linear(dim, dim)
        self.v_proj = nn.Linear(dim, dim)
        self.o_proj = nn.Linear(dim, dim)

    def forward(self, x):
        q, v = self.q_proj(x), self.v_proj(x)
        att = torch.softmax(q @ q.transpose(-1, -2), dim=-1)
        return self.o_proj(att @ v)


class Model(nn.Module):
    def __init__(self, dim=16, depth=2):
        super().__init__()
        self.layers = nn.ModuleList([Attention(dim) for _ in range(depth)])

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x)
        return x


model = Model().to(torch.bfloat16)
inject(model, {"q_proj", "v_proj"})
trainable = [p for p in model.parameters() if p.requires_grad]
print(sum(p.numel() for p in trainable))
y = model(torch.randn(2, 5, 16, dtype=torch.bfloat16))
y.float().sum().backward()
