import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self, depth=3, dim=8):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(dim, dim) for _ in range(depth))
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, 2)

    def forward(self, x):
        for block in self.blocks:
            x = torch.relu(block(x))
        return self.head(self.norm(x))


def to_half(model):
    for block in model.blocks:
        block.half()
    model.norm.half()
    model.head.half()
    return model


model = to_half(Stack()).cuda()
print(model(torch.randn(2, 8, device="cuda", dtype=torch.half)))
