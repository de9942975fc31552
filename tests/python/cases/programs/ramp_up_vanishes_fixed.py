import torch
from torch import nn


class SingLoRA(nn.Module):
    def __init__(self, base, rank=4, ramp_up_steps=1000):
        super().__init__()
        self.base = base
        self.ramp_up_steps = ramp_up_steps
        self.A = nn.Parameter(torch.randn(base.out_features, rank, dtype=base.weight.dtype))
        self.register_buffer("t", torch.zeros(1))

    def forward(self, x):
        self.t += 1
        u = min(self.t.item() / self.ramp_up_steps, 1.0)
        update = u * (self.A @ self.A.t())
        weight = self.base.weight.float() + update.float()
        return nn.functional.linear(x.float(), weight, self.base.bias.float()).to(x.dtype)


layer = SingLoRA(nn.Linear(16, 16).to(torch.bfloat16))
for p in layer.base.parameters():
    p.requires_grad = False
x = torch.randn(2, 16).to(torch.bfloat16)
loss = layer(x).float().pow(2).mean()
loss.backward()
