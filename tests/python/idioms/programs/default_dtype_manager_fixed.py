import torch
from torch import nn


class default_dtype:
    def __init__(self, dtype):
        self.dtype = dtype

    def __enter__(self):
        self.before = torch.get_default_dtype()
        torch.set_default_dtype(self.dtype)
        return self

    def __exit__(self, *exc):
        torch.set_default_dtype(self.before)


def spectral_init(n):
    with default_dtype(torch.float64):
        a = torch.randn(n, n)
        u, _, v = torch.linalg.svd(a)
        return (u @ v).to(torch.float32)


class Orthogonal(nn.Module):
    def __init__(self, n, out):
        super().__init__()
        self.mix = nn.Parameter(spectral_init(n))
        self.head = nn.Linear(n, out)

    def forward(self, x):
        return self.head(x @ self.mix)


net = Orthogonal(8, 2)
x = torch.randn(4, 8, dtype=torch.float32)
print(net(x))
