import torch
import torch.nn as nn


class WarmupGate(nn.Module):
    def __init__(self, width, warmup):
        super().__init__()
        self.proj = nn.Linear(width, width)
        self.warmup = warmup
        self.register_buffer("seen", torch.zeros(1))

    def forward(self, x):
        self.seen += 1
        gate = (self.seen.float() / self.warmup).clamp(max=1.0)
        return x + gate.to(x.dtype) * self.proj(x)


def train(steps=20000):
    layer = WarmupGate(8, 10000).half().cuda()
    x = torch.randn(4, 8, device="cuda", dtype=torch.half)
    for _ in range(steps):
        y = layer(x)
    return y


print(train().shape)
