import torch
from torch import nn


class FastGroupNorm(nn.Module):
    def __init__(self, groups, channels, eps=1e-5):
        super().__init__()
        self.groups, self.eps = groups, eps
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))

    def forward(self, x):
        n, c = x.shape[:2]
        g = x.reshape(n, self.groups, -1)
        mean = g.mean(-1, keepdim=True)
        var = g.square().mean(-1, keepdim=True) - mean.square()
        g = (g - mean) * torch.rsqrt(var.clamp(min=0) + self.eps)
        return g.to(x.dtype).reshape(x.shape) * self.weight[:, None] + self.bias[:, None]


norm = FastGroupNorm(2, 8).bfloat16()
print(norm((torch.randn(2, 8, 30) + 20).bfloat16()).std())
