import torch
from torch import nn


class Codebook(nn.Module):
    def __init__(self, levels=3, size=8):
        super().__init__()
        self.levels = levels
        self.params = []
        for i in range(levels):
            self.register_buffer(f"p{i}", torch.randn(size))
            self.params.append(getattr(self, f"p{i}"))

    def forward(self, x):
        out = torch.zeros_like(x)
        for i in range(self.levels):
            out = out + x * getattr(self, f"p{i}")
        return out


class Quantizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.codebook = Codebook()
        self.scale = nn.Parameter(torch.ones(8))

    def forward(self, x):
        return self.codebook(x) * self.scale


model = Quantizer()
model.cuda()
x = torch.randn(2, 8, device="cuda")
print(model(x).sum())
