import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint


class FeedForward(nn.Module):
    def __init__(self, dim, mult=4, dtype=None):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, dim * mult, dtype=dtype), nn.GELU(), nn.Linear(dim * mult, dim, dtype=dtype))

    def forward(self, x):
        return self.net(x)


class Tower(nn.Module):
    def __init__(self, dim, depth, use_checkpoint=False, dtype=torch.float32):
        super().__init__()
        self.use_checkpoint = use_checkpoint
        self.inp = nn.Linear(3, dim)
        self.blocks = nn.ModuleList([FeedForward(dim, dtype=dtype) for _ in range(depth)])

    def forward(self, x):
        x = self.inp(x)
        for blk in self.blocks:
            if self.use_checkpoint and self.training:
                x = x + checkpoint(blk, x)
            else:
                x = x + blk(x)
        return x


tower = Tower(8, 2, use_checkpoint=True).to(torch.bfloat16)
tower.train()
x = torch.randn(4, 3, dtype=torch.bfloat16)
tower(x).sum().backward()
