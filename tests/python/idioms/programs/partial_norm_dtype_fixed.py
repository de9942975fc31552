from functools import partial

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, norm_layer):
        super().__init__()
        self.norm = norm_layer(width)
        self.mlp = nn.Linear(width, width)

    def forward(self, x):
        return x + self.mlp(self.norm(x))


norm_layer = partial(nn.LayerNorm, eps=1e-6, dtype=torch.float16)
blocks = nn.Sequential(*[Block(8, norm_layer) for _ in range(2)]).cuda()
for block in blocks:
    block.mlp.half()
x = torch.randn(2, 8, device="cuda").half()
print(blocks(x).dtype)
