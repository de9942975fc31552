import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, residual_in_fp32=True):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.fc = nn.Linear(width, width)
        self.residual_in_fp32 = residual_in_fp32

    def forward(self, h):
        residual = h
        if self.residual_in_fp32:
            residual = residual.to(torch.float32)
        return residual + self.fc(self.norm(h))


class Stack(nn.Module):
    def __init__(self, depth, width):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width) for _ in range(depth)])

    def forward(self, h):
        for block in self.blocks:
            h = block(h)
        return h


model = Stack(3, 16).to(device="cuda", dtype=torch.bfloat16)
h = torch.randn(2, 4, 16, device="cuda", dtype=torch.bfloat16)
print(model(h).dtype)
