from functools import partial

import torch
from torch import nn

factory = {"device": "cuda", "dtype": torch.bfloat16}
Linear = partial(nn.Linear, bias=False, **factory)
LayerNorm = partial(nn.LayerNorm, eps=1e-5, **factory)


class FeedForward(nn.Module):
    def __init__(self, dim, mult=4):
        super().__init__()
        self.norm = LayerNorm(dim)
        self.up = Linear(dim, dim * mult)
        self.down = Linear(dim * mult, dim)

    def forward(self, x):
        h = self.norm(x)
        return x + self.down(torch.nn.functional.silu(self.up(h)))


ff = FeedForward(64)
print(ff(torch.randn(2, 5, 64, **factory)).dtype)
