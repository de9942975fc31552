import torch
from torch import nn


class Bilinear(nn.Module):
    def __init__(self, d1, d2, k):
        super().__init__()
        self.core = nn.Parameter(torch.randn(k, d1, d2))

    def forward(self, a, b):
        return torch.einsum("bi,kij,bj->bk", a, self.core, b)


f = Bilinear(4, 5, 3)
f.bfloat16()
a = torch.randn(2, 4).bfloat16()
b = torch.randn(2, 5)
print(f(a, b))
