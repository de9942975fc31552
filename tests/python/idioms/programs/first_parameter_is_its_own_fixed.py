# The layer says itself which dtype it has.
import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(8, 8)
        self.scale = nn.Parameter(torch.ones(8))

    def forward(self, x):
        return self.proj(x) * self.scale


block = Block()
block.proj.double()
x = torch.randn(2, 8).to(block.proj.weight.dtype)
print(block(x).dtype)
