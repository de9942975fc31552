# A module lists its own parameters before those of its layers, whatever the order in which they were made: here that is
# the scale, which stays in float32.
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
x = torch.randn(2, 8).to(next(block.parameters()).dtype)
print(block(x).dtype)
