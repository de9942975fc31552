import torch
import torch.nn as nn


def cast_except(model, dtype, keep=(nn.LayerNorm, nn.BatchNorm1d)):
    for module in model.modules():
        if isinstance(module, keep):
            continue
        for name, p in module.named_parameters(recurse=False):
            p.data = p.data.to(dtype)
    return model


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.fc = nn.Linear(d, d)

    def forward(self, x):
        return x + self.fc(self.norm(x.float()))


class Stack(nn.Module):
    def __init__(self, d=8, n=2):
        super().__init__()
        self.inp = nn.Linear(3, d)
        self.blocks = nn.Sequential(*(Block(d) for _ in range(n)))

    def forward(self, x):
        return self.blocks(self.inp(x))


net = cast_except(Stack(), torch.bfloat16)
print(net(torch.randn(2, 3).bfloat16()).dtype)
